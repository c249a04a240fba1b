//! Prints a job as it is sent to an executor on another machine: `cargo run -p judge-job --example as_json -- ./solver`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use judge_job::{Job, Limits};

/// A job that gets a board as its last argument, and has ten seconds.
pub(crate) fn job(command: &[String]) -> Job {
    Job::new(command, "answer.out", "answer.err")
        .with_limits(Limits::default().with_wall_ms(10_000).with_memory_bytes(256 << 20))
        .with_file_argument("board.txt", "ABCDE FGHIJ KLMNO PQRST UVWX+")
        .with_variable("SEED", "7")
}

fn main() -> Result<(), serde_json::Error> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    println!("{}", serde_json::to_string_pretty(&job(&command))?);
    Ok(())
}
