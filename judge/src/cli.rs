//! The command line, one file a subcommand. Only this room and `main` know of arguments, terminals and exit codes.

mod answer;
mod boards;
#[cfg(feature = "sandbox")]
mod builds;
mod compare;
mod completions;
mod describe;
#[cfg(feature = "sandbox")]
mod doctor;
mod game;
mod init;
#[cfg(feature = "sandbox")]
mod isolation;
mod man;
#[cfg(feature = "sandbox")]
mod progress;
mod rank;
mod replay;
mod report;
#[cfg(feature = "sandbox")]
mod run;
#[cfg(feature = "sandbox")]
mod screen;
#[cfg(feature = "sandbox")]
mod try_solver;
mod validate;

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use judge_core::text::printable;

/// Referees contests between solver programs: runs them under a wall clock, replays their answers, ranks them.
#[derive(Debug, Parser)]
#[command(name = "judge", version, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    done; for `validate`, `replay` and `try`: every board solved
  1    an answer does not solve its board (`validate`, `replay`, `try`); a contest's demands are not met (`doctor`)
  2    bad usage, a bad contest file, a bad board
  3    the judge itself failed: a full disk, say, or runs that have to be repeated
  130  interrupted; the message names the command that goes on (128 + the signal)";

#[derive(Debug, Subcommand)]
enum Command {
    #[cfg(feature = "sandbox")]
    Run(run::Args),
    Rank(rank::Args),
    Compare(compare::Args),
    Report(report::Args),
    Validate(validate::Args),
    Replay(replay::Args),
    #[cfg(feature = "sandbox")]
    Try(try_solver::Args),
    #[command(subcommand)]
    Boards(boards::Command),
    #[cfg(feature = "sandbox")]
    Doctor(doctor::Args),
    Init(init::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Carries out a parsed command line: results go to standard output, everything else to standard error.
pub fn main(cli: Cli) -> ExitCode {
    let out = &mut io::BufWriter::new(io::stdout().lock());
    let done = match cli.command {
        #[cfg(feature = "sandbox")]
        Command::Run(args) => args.execute(out),
        Command::Rank(args) => args.execute(out),
        Command::Compare(args) => args.execute(out),
        Command::Report(args) => args.execute(out),
        Command::Validate(args) => args.execute(out),
        Command::Replay(args) => args.execute(out),
        #[cfg(feature = "sandbox")]
        Command::Try(args) => args.execute(out),
        Command::Boards(command) => command.execute(out),
        #[cfg(feature = "sandbox")]
        Command::Doctor(args) => args.execute(out),
        Command::Init(args) => args.execute(out),
        Command::Completions(args) => args.execute(out),
        Command::Man(args) => args.execute(out),
    };
    let done = done.and_then(|code| Ok(out.flush().map(|()| code)?));
    match done {
        Ok(code) => ExitCode::from(code),
        Err(Failure { message: None, code }) => ExitCode::from(code),
        Err(Failure { message: Some(message), code }) => {
            say(&format!("judge: {message}"));
            ExitCode::from(code)
        }
    }
}

/// Everything went well.
const DONE: u8 = 0;
/// An answer does not solve its board, a machine does not meet a contest's demands.
const NOT_SOLVED: u8 = 1;
/// What the user gave is no good.
const BAD_INPUT: u8 = 2;
/// The judge could not do its part.
const JUDGE_FAILED: u8 = 3;

/// What a subcommand comes to: an exit code.
type Done = Result<u8, Failure>;

/// Why a subcommand gave up.
struct Failure {
    message: Option<String>,
    code: u8,
}

impl Failure {
    /// What the user gave is no good.
    fn input(message: impl Display) -> Self {
        Self { message: Some(message.to_string()), code: BAD_INPUT }
    }

    /// The judge could not do its part.
    fn judge(message: impl Display) -> Self {
        Self { message: Some(message.to_string()), code: JUDGE_FAILED }
    }
}

/// Standard output that cannot be written. A reader that has seen enough, such as `head`, is no failure to report.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self { message: None, code: DONE },
            _ => Self::judge(format!("standard output: {error}")),
        }
    }
}

/// A message on standard error, which may quote what strangers wrote. There is nobody to tell when that fails.
fn say(message: &str) {
    for line in message.lines() {
        writeln!(io::stderr(), "{}", printable(line)).ok();
    }
}
