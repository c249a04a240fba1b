//! The frame of an entry in Rust, the same for every game: the board's path in, the answer out, exit codes, and how
//! much time there is. What an entry is to the judge, `entries/samples/README.md` says.

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

/// Runs a strategy as a program: reads the board from the file that is the only argument, and prints the strategy's
/// answer on standard output, a line end behind it.
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

/// As [`enter`], with what is left of the arguments after a strategy has taken options of its own off them.
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

/// As [`enter`], for a strategy that may find nothing and says why.
///
/// Exit code 1, the reason on standard error and nothing on standard output, where there is no answer.
pub fn enter_or_pass<Board, Answer, Reason>(strategy: impl FnOnce(&Board) -> Result<Answer, Reason>) -> ExitCode
where
    Board: FromStr<Err: Display>,
    Answer: Display,
    Reason: Display,
{
    run(env::args_os().skip(1), strategy)
}

/// The wall time the judge gives this run, from `JUDGE_LIMIT_MS`; the ten minutes of 1995 where nobody says.
pub fn time_limit() -> Duration {
    let told = env::var("JUDGE_LIMIT_MS").ok().and_then(|text| text.parse().ok());
    told.map_or(Duration::from_secs(600), Duration::from_millis)
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

fn read_board<Board: FromStr<Err: Display>>(mut arguments: impl Iterator<Item = OsString>) -> Result<Board, String> {
    let (Some(path), None) = (arguments.next(), arguments.next()) else {
        return Err("give the path of a board file as the only argument".to_owned());
    };
    let path = PathBuf::from(path);
    let text = fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    text.parse().map_err(|e| format!("no board in {}: {e}", path.display()))
}

fn print(answer: &impl Display) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{answer}")?;
    out.flush()
}
