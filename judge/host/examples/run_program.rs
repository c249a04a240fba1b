//! Executes a trusted program and prints its answer: `cargo run -p judge-host --example run_program -- uname -r`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (program, arguments) = words.split_first().ok_or("usage: run_program PROGRAM [ARGUMENTS]")?;
    let begun = judge_host::now_us();
    let answer = judge_host::run_program(program, arguments, "", &[])?;
    print!("{}", answer.stdout);
    println!("{} after {} microseconds", if answer.success { "ok" } else { "failed" }, judge_host::now_us() - begun);
    Ok(())
}
