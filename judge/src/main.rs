//! The command `judge`: parse, dispatch, exit code. Everything else is in the library.

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    judge::cli::main(judge::cli::Cli::parse())
}
