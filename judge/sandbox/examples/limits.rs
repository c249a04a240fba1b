//! Runs a program in the sandbox under limits: `cargo run -p judge-sandbox --example limits -- sh -c 'echo hello'`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::error::Error;
use std::fs;

use judge_sandbox::{Executor as _, Interrupt, IsolationMode, Job, Limits, LocalExecutor, Outcome};

/// Executes a command for at most a minute, and returns what happened and what it printed.
pub(crate) fn run(command: &[String]) -> Result<(Outcome, String), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("limits-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let interrupt = Interrupt::never()?;
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto)?;
    let limits = Limits::default().with_wall_ms(60_000).with_memory_bytes(64 << 20).with_processes(8);
    let job = Job::new(command, folder.join("out"), folder.join("err")).with_limits(limits.with_output_bytes(1 << 20));
    let outcome = executor.execute(&job)?;
    let printed = String::from_utf8_lossy(&fs::read(folder.join("out"))?).into_owned();
    fs::remove_dir_all(folder)?;
    Ok((outcome, printed))
}

fn main() -> Result<(), Box<dyn Error>> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let (outcome, printed) = run(&command)?;
    print!("{printed}");
    println!("{:?} after {:?} microseconds, isolated by {}", outcome.end, outcome.wall_us, outcome.isolation);
    println!("CPU time: {:?} microseconds, memory: {:?} bytes", outcome.usage.cpu_us, outcome.usage.memory_bytes);
    Ok(())
}
