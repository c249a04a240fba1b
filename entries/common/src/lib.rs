//! The shared library of all entries in Rust, for every game: it reads the board file, prints the answer, sets the exit
//! code, and returns the time limit. `docs/compete.md` describes what the judge expects of an entry.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! /// An entry for a game in which a board is a number and its answer is the next number.
//! fn main() -> ExitCode {
//!     entry_common::enter(|board: &u32| board + 1)
//! }
//! ```

use std::convert::Infallible;
use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

/// The limit of 1995, ten minutes per board; used if the judge sets none.
const DEFAULT_LIMIT: Duration = Duration::from_secs(600);

/// Runs a strategy as a program: reads the board from the file that is the only argument, and prints the strategy's
/// answer and a line feed on standard output.
///
/// Exit code 0 if an answer was printed. Exit code 2, one line on standard error and nothing on standard output, if the
/// argument, the file or the board is unusable or the answer cannot be written.
pub fn enter<Board, Answer>(strategy: impl FnOnce(&Board) -> Answer) -> ExitCode
where
    Board: FromStr<Err: Display>,
    Answer: Display,
{
    enter_with(env::args_os().skip(1), strategy)
}

/// As [`enter`], with these arguments instead of those of the process, for a strategy that has its own options.
///
/// ```
/// # use std::process::ExitCode;
/// # let folder = std::env::temp_dir().join(format!("entry-common-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let file = folder.join("board.txt");
/// std::fs::write(&file, "41")?;
/// let code = entry_common::enter_with([file.clone().into()], |board: &u32| board + 1); // prints 42
/// assert_eq!(code, ExitCode::SUCCESS);
///
/// std::fs::write(&file, "no number")?;
/// let code = entry_common::enter_with([file.into()], |board: &u32| board + 1); // reports the error
/// assert_eq!(code, ExitCode::from(2));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn enter_with<Board, Answer>(
    arguments: impl IntoIterator<Item = OsString>,
    strategy: impl FnOnce(&Board) -> Answer,
) -> ExitCode
where
    Board: FromStr<Err: Display>,
    Answer: Display,
{
    run(arguments, |board| Ok::<_, Infallible>(strategy(board)))
}

/// As [`enter`], for a strategy with an option: two arguments before the board's path, such as `--seed 7`. The strategy
/// gets the value, or `None` without the option. `expected` describes the values, for the error message.
pub fn enter_with_option<Board, Value, Answer>(
    name: &str,
    expected: &str,
    strategy: impl FnOnce(&Board, Option<Value>) -> Answer,
) -> ExitCode
where
    Board: FromStr<Err: Display>,
    Value: FromStr,
    Answer: Display,
{
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    match take_option(&mut arguments, name, expected) {
        Ok(value) => enter_with(arguments, |board| strategy(board, value)),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// As [`enter`], for a strategy that may find no answer and then returns the reason.
///
/// Exit code 1, the reason on standard error and nothing on standard output, if there is no answer.
pub fn enter_or_pass<Board, Answer, Reason>(strategy: impl FnOnce(&Board) -> Result<Answer, Reason>) -> ExitCode
where
    Board: FromStr<Err: Display>,
    Answer: Display,
    Reason: Display,
{
    run(env::args_os().skip(1), strategy)
}

/// The wall-clock limit of this run, from `JUDGE_LIMIT_MS`; ten minutes if that is not set.
pub fn time_limit() -> Duration {
    let limit_ms = env::var("JUDGE_LIMIT_MS").ok().and_then(|text| text.parse().ok());
    limit_ms.map_or(DEFAULT_LIMIT, Duration::from_millis)
}

fn run<Board, Answer, Reason>(
    arguments: impl IntoIterator<Item = OsString>,
    strategy: impl FnOnce(&Board) -> Result<Answer, Reason>,
) -> ExitCode
where
    Board: FromStr<Err: Display>,
    Answer: Display,
    Reason: Display,
{
    let ended = read_board(arguments.into_iter()).map_err(|message| (2, message)).and_then(|board| {
        let answer = strategy(&board).map_err(|reason| (1, format!("no answer: {reason}")))?;
        print(&answer).map_err(|e| (2, format!("cannot print the answer: {e}")))
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, message)) => {
            eprintln!("{message}");
            ExitCode::from(code)
        }
    }
}

/// Removes an option and its value from the front of the arguments; `None` if another argument is there.
fn take_option<Value: FromStr>(
    arguments: &mut Vec<OsString>,
    name: &str,
    expected: &str,
) -> Result<Option<Value>, String> {
    if arguments.first().is_none_or(|first| first != name) {
        return Ok(None);
    }
    let given = arguments.get(1).and_then(|text| text.to_str()?.parse().ok());
    let value = given.ok_or_else(|| format!("{name} needs {expected}"))?;
    arguments.drain(..2);
    Ok(Some(value))
}

fn read_board<Board: FromStr<Err: Display>>(mut arguments: impl Iterator<Item = OsString>) -> Result<Board, String> {
    let (Some(path), None) = (arguments.next(), arguments.next()) else {
        return Err("give the path of a board file as the only argument".to_owned());
    };
    let path = PathBuf::from(path);
    let text = fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    text.parse().map_err(|e| format!("invalid board in {}: {e}", path.display()))
}

fn print(answer: &impl Display) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{answer}")?;
    out.flush()
}
