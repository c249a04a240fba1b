//! The command `judge`: parse, dispatch, exit code. Everything else is in the library.

use std::process::ExitCode;

use clap::Parser as _;

/// The usual stack size of a program, in bytes.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    // The shell may limit the stack of a program's first thread, but not those of others.
    let judge = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(run);
    match judge.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(_) => run(),
    }
}

fn run() -> ExitCode {
    judge::cli::answer_shell();
    match judge::cli::Cli::try_parse() {
        Ok(cli) => judge::cli::main(cli),
        Err(answer) => judge::cli::without_command(&answer),
    }
}
