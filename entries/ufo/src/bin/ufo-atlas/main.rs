//! ufo-atlas: solves all problems of a group together; prints the tables, selections and analysis of configurations of
//! the article of 1999.
//!
//! A tool, not an entry of a contest. The article's author had three programs: one solved every problem of a group, one
//! selected and sorted, one counted by number pieces. This program does all three, solves the 26 groups of the article's
//! tables in seconds, and solves larger groups.
//!
//! Method: level by level backwards from the exits, over positions modulo symmetry with a dense index
//! (`ufo_kit::atlas::solve`). Cost: nine bytes per position, about a microsecond of processor time per position with an
//! answer.

mod configurations;
mod dump;
mod output;
mod report;
mod select;
mod table;

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use bytesize::ByteSize;
use clap::{Args, Parser, Subcommand};
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::solve::Options;

/// Solve all problems of UFO (Lunar Lockout) in a group, such as 2-4 for two letter and four number pieces on 5 × 5, or
/// cross:2-4 for the same pieces on the English cross
#[derive(Debug, Parser)]
#[command(name = "ufo-atlas", version, max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ufo-atlas table                            the 26 groups of the article's tables
  ufo-atlas table 3-5 --memory 200MiB        a larger group
  ufo-atlas select 2-4 --first 5             the five hardest problems of a group
  ufo-atlas select 1-5 --steps 12.. --numbers-on 33 --write boards
  ufo-atlas configurations 1-5 --list one    number pieces with one solvable placement
  ufo-atlas table --keep solved              save solved groups, reuse those saved before
  ufo-atlas dump solved/5x5-2-4.ufo          such a file as text

Exit codes: 0 success; 2 invalid arguments, invalid file, or too little memory.";

#[derive(Debug, Subcommand)]
enum Command {
    Table(table::Arguments),
    Select(Box<select::Arguments>),
    Configurations(configurations::Arguments),
    Dump(dump::Arguments),
    Report(report::Arguments),
}

/// Options for solving groups.
#[derive(Debug, Args)]
struct Resources {
    /// Save solved groups in this folder, one file per group, and reuse those saved before
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Memory limit for tables; a group that needs more is refused before any work
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    memory: ByteSize,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Resources {
    fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// Creates an atlas for moves of at most `most_steps` steps.
    fn atlas(&self, most_steps: u32) -> Atlas {
        let options = Options { threads: self.threads(), most_steps };
        Atlas::new(self.keep.clone(), self.memory.as_u64(), options, |line| eprintln!("{line}"))
    }
}

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    let out = &mut BufWriter::new(io::stdout().lock());
    let done = match command {
        Command::Table(arguments) => arguments.execute(out),
        Command::Select(arguments) => arguments.execute(out),
        Command::Configurations(arguments) => arguments.execute(out),
        Command::Dump(arguments) => arguments.execute(out),
        Command::Report(arguments) => arguments.execute(out),
    };
    match done.and_then(|()| out.flush().map_err(output::unprintable)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("ufo-atlas: {message}");
            ExitCode::from(2)
        }
    }
}
