//! The command line, one file per subcommand. Only this module and `main` deal with arguments, terminals and exit
//! codes.

#[cfg(feature = "sandbox")]
mod adhoc;
mod answer;
mod boards;
mod candidates;
#[cfg(feature = "sandbox")]
mod check;
mod compare;
mod completions;
#[cfg(feature = "sandbox")]
mod convert;
mod deviations;
#[cfg(feature = "sandbox")]
mod directory;
#[cfg(feature = "sandbox")]
mod doctor;
mod figure;
mod game;
mod games;
mod help;
#[cfg(feature = "sandbox")]
mod host;
#[cfg(feature = "sandbox")]
mod import;
mod init;
#[cfg(feature = "sandbox")]
mod isolation;
mod man;
mod message;
#[cfg(feature = "sandbox")]
mod office;
#[cfg(feature = "sandbox")]
mod office_folder;
mod output_file;
#[cfg(feature = "sandbox")]
mod package;
#[cfg(feature = "sandbox")]
mod progress;
mod rank;
mod recorded;
#[cfg(feature = "sandbox")]
mod refereed;
#[cfg(feature = "sandbox")]
mod rejudge;
mod replay;
mod report;
#[cfg(feature = "sandbox")]
mod restore;
#[cfg(feature = "sandbox")]
mod results_csv;
#[cfg(feature = "sandbox")]
mod resume;
#[cfg(feature = "sandbox")]
mod rule;
mod ruling;
#[cfg(feature = "sandbox")]
mod run;
mod runs;
mod say;
mod seal;
mod season;
#[cfg(feature = "sandbox")]
mod serve;
#[cfg(feature = "sandbox")]
mod session;
#[cfg(feature = "sandbox")]
mod slurm;
#[cfg(feature = "sandbox")]
mod team;
#[cfg(feature = "sandbox")]
mod try_solver;
#[cfg(feature = "sandbox")]
mod update;
mod validate;
mod verify;
mod version;
#[cfg(feature = "sandbox")]
mod work;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand};
pub use completions::answer_shell;

#[cfg(feature = "sandbox")]
use judge_core::date::Date;
#[cfg(feature = "sandbox")]
use judge_core::journal::JournalError;
use judge_report::output::TerminalSafe;
#[cfg(feature = "sandbox")]
use judge_sandbox::Interrupt;
use message::Message;
#[cfg(feature = "sandbox")]
use office_folder::check_not_final;
#[cfg(feature = "sandbox")]
use say::print_in_background;
use say::{notice, notices, say};

/// Referees contests between solver programs: runs them under a time limit, replays their answers, ranks them
#[derive(Debug, Parser)]
#[command(name = "judge", version = version::text(), max_term_width = help::WIDTH, after_help = EXIT_CODES)]
#[command(help_template = help::template(Command::augment_subcommands(clap::Command::default())))]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0      success; for `validate`, `replay` and `try`: every board is solved, or
         its answer is valid if nothing solves it
  1      an answer does not solve its board (`validate`, `replay`, `try`);
         results are not as they were recorded (`verify`, `check`);
         a submission is not as its package expects (`import --verify`);
         the required isolation is unavailable (`doctor`)
  2      invalid arguments or input; for `run`: the required isolation is
         unavailable, or the referee cannot be built;
         for `check`: the contest has a problem
  3      judge error: `judge` itself failed, or some runs have to be repeated
  128+N  stopped by signal N (Ctrl-C: 130); `run` prints the command to resume";

/// Declares the subcommands. In brackets is the feature that one needs.
macro_rules! commands {
    ($($(#[$about:meta])* $([$feature:literal])? $name:ident($arguments:ty),)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$about])* $(#[cfg(feature = $feature)])? $name($arguments),)*
        }

        impl Command {
            fn execute(self, out: &mut dyn io::Write) -> Done {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$name(arguments) => arguments.execute(out),)*
                }
            }
        }
    };
}

commands! {
    ["sandbox"] Run(run::Args),
    ["sandbox"] Resume(resume::Args),
    ["sandbox"] Update(update::Args),
    Runs(runs::Args),
    Rank(rank::Args),
    Season(season::Args),
    Games(games::Args),
    ["sandbox"] Rejudge(rejudge::Args),
    ["sandbox"] Rule(rule::Args),
    Compare(compare::Args),
    Report(report::Args),
    Figure(figure::Args),
    Verify(verify::Args),
    ["sandbox"] Restore(restore::Args),
    Validate(validate::Args),
    Replay(replay::Args),
    ["sandbox"] Try(try_solver::Args),
    #[command(subcommand)]
    Boards(boards::Command),
    Seal(seal::Args),
    ["sandbox"] Check(check::Args),
    ["sandbox"] Doctor(doctor::Args),
    ["sandbox"] Import(import::Args),
    Init(init::Args),
    ["sandbox"] Serve(serve::Args),
    #[command(subcommand)]
    ["sandbox"] Team(team::Command),
    #[command(subcommand)]
    ["sandbox"] Office(office::Command),
    ["sandbox"] Convert(convert::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[command(hide = true)]
    ["sandbox"] Work(work::Args),
}

/// Executes a parsed command line. Results go to standard output, everything else to standard error.
pub fn main(cli: Cli) -> ExitCode {
    let out = &mut TerminalSafe::new(io::BufWriter::new(io::stdout().lock()));
    let done = cli.command.execute(out);
    end(done.and_then(|code| Ok(out.flush().map(|()| code)?)))
}

/// Prints the help or the error for a command line without a valid command.
pub fn without_command(answer: &clap::Error) -> ExitCode {
    let printed = answer.print().and_then(|()| io::stdout().flush());
    if answer.kind() == ErrorKind::MissingRequiredArgument {
        let missing = match answer.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => &missing[..],
            _ => &[],
        };
        let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
        if let Some(example) = help::example(&Cli::command(), &words, missing) {
            say(&format!("For example: {example}"));
        }
    }
    // If the reason cannot be printed, the exit code still reports it.
    end(match printed {
        Err(error) if !answer.use_stderr() => Err(error.into()),
        _ => Ok(u8::try_from(answer.exit_code()).unwrap_or(BAD_INPUT)),
    })
}

/// Prints the reason of a failure, and returns the exit code.
fn end(done: Done) -> ExitCode {
    let Failure { message, code } = done.map_or_else(|failure| failure, |code| Failure { message: None, code });
    if let Some(message) = message {
        say(&format!("judge: {message}"));
    }
    #[cfg(feature = "sandbox")]
    say::flush();
    ExitCode::from(code)
}

/// Success.
const DONE: u8 = 0;
/// A negative finding: an answer does not solve its board, results differ from their record, a submission differs from
/// its package, or the required isolation is missing.
const NOT_SOLVED: u8 = 1;
/// Invalid arguments or input, or a failed build.
const BAD_INPUT: u8 = 2;
/// A judge error: the machine or the judge is at fault.
const JUDGE_FAILED: u8 = 3;

/// The exit code of a subcommand, or the reason for its failure.
type Done = Result<u8, Failure>;

/// The reason why a subcommand failed.
struct Failure {
    message: Option<String>,
    code: u8,
}

impl Failure {
    /// A failure with exit code 2, for invalid arguments or input.
    fn input(message: impl Message) -> Self {
        Self { message: Some(message.message()), code: BAD_INPUT }
    }

    /// The message of the failure; empty if there is none.
    #[cfg(feature = "sandbox")]
    fn reason(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// A failure with exit code 3, for an error of the judge or the machine.
    fn judge(message: impl Message) -> Self {
        Self { message: Some(message.message()), code: JUDGE_FAILED }
    }

    /// A file or folder that could not be created: invalid input if another name would work, otherwise a failure of the
    /// machine.
    fn making(error: &io::Error, message: impl Message) -> Self {
        match error.kind() {
            io::ErrorKind::AlreadyExists
            | io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::InvalidFilename
            | io::ErrorKind::InvalidInput => Self::input(message),
            // The disk is full, or cannot be written.
            _ => Self::judge(message),
        }
    }

    /// A journal that could not be opened to continue it.
    #[cfg(feature = "sandbox")]
    fn journal(error: &JournalError) -> Self {
        match error {
            JournalError::Io { .. } => Self::judge(error),
            error => Self::input(error),
        }
    }

    /// A try that cannot be executed, remembered or compared.
    #[cfg(feature = "sandbox")]
    fn trying(error: judge_show::versions::TryError) -> Self {
        match &error {
            judge_show::versions::TryError::NotRemembered { .. } => Self::judge(error),
            _ => Self::input(error),
        }
    }

    /// A package that cannot be generated, checked or verified.
    #[cfg(feature = "sandbox")]
    fn importing(error: crate::import::ImportError, interrupt: &Interrupt) -> Self {
        use crate::import::ImportError;
        use judge_contest::schedule::Stopped;
        match error {
            ImportError::Interrupted | ImportError::Stopped(Stopped::Interrupted) => {
                Self::interrupted("interrupted", interrupt)
            }
            ImportError::Report(error) => error.into(),
            ImportError::Io { .. }
            | ImportError::Command(_)
            | ImportError::Stopped(_)
            | ImportError::Inconsistent(_)
            | ImportError::Untried { .. } => Self::judge(error),
            _ => Self::input(error),
        }
    }

    /// A signal from the user.
    #[cfg(feature = "sandbox")]
    fn interrupted(message: impl std::fmt::Display, interrupt: &Interrupt) -> Self {
        Self { message: Some(message.to_string()), code: interrupt.exit_code() }
    }
}

/// A request to stop, which signals of the user trigger from now on.
#[cfg(feature = "sandbox")]
fn signals() -> Result<Interrupt, Failure> {
    Interrupt::on_signals().map_err(|error| Failure::judge(format!("signals: {error}")))
}

/// A failure to write standard output. A reader that closes the pipe early, such as `head`, is not a failure.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        // A writer of CSV wraps the error of the pipe.
        let wrapped = error.get_ref().and_then(|inner| match inner.downcast_ref::<csv::Error>()?.kind() {
            csv::ErrorKind::Io(error) => Some(error.kind()),
            _ => None,
        });
        match wrapped.unwrap_or(error.kind()) {
            io::ErrorKind::BrokenPipe => Self { message: None, code: DONE },
            _ => Self::judge(format!("standard output: {error}")),
        }
    }
}

#[cfg(feature = "sandbox")]
impl From<judge_show::tries::ReportError> for Failure {
    fn from(error: judge_show::tries::ReportError) -> Self {
        use judge_show::tries::ReportError;
        match error {
            ReportError::Io(error) => error.into(),
            ReportError::Try(error) => Self::trying(error),
            error => Self::judge(error.to_string()),
        }
    }
}

/// Columns of the terminal if standard output is one; `None` for a pipe or a file.
fn width() -> Option<usize> {
    #[cfg(feature = "sandbox")]
    return judge_show::screen::columns(io::stdout());
    #[cfg(not(feature = "sandbox"))]
    None
}

/// A variable of the organiser's environment; `None` if it is not set or not UTF-8.
#[cfg(feature = "sandbox")]
fn environment(name: &str) -> Option<String> {
    judge_sandbox::host::inherited(name)?.into_string().ok()
}

/// A whole number from 1, as an argument.
#[cfg(feature = "sandbox")]
fn at_least_one(text: &str) -> Result<std::num::NonZeroUsize, String> {
    text.parse().map_err(|_| "use a whole number from 1, for example 2".into())
}

/// A remark, as an argument: one line that a table can show.
#[cfg(feature = "sandbox")]
fn one_line(text: &str) -> Result<String, String> {
    match text.chars().any(char::is_control) {
        true => Err("a comment is one line without control characters; write longer texts into a file".into()),
        false => Ok(text.to_owned()),
    }
}

/// The date of this moment, for journals.
#[cfg(feature = "sandbox")]
#[allow(clippy::unnecessary_wraps, reason = "a journal may have no dates")]
fn clock() -> Option<Date> {
    Some(Date::from_unix(unix_seconds()))
}

/// The date in seconds since 1970.
#[cfg(feature = "sandbox")]
fn unix_seconds() -> u64 {
    judge_sandbox::host::utc_seconds()
}
