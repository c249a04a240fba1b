//! `judge validate`: one answer, refereed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::game::{GameArgs, puzzle};
use super::{DONE, Done, Failure, NOT_SOLVED, describe};
use crate::referee;
use crate::verdict::Verdict;

/// Referee one answer to a board
///
/// The answer is a file, `-` or nothing for standard input, or the moves themselves. It is replayed piece by piece,
/// so its length does not matter.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  judge validate tests-boards/loyd/trap.txt ddddrrrulluuurrrddddlllluuuu
  ./solver board.txt | judge validate --game loyd board.txt --json
  judge validate board.txt answer.txt --trace | less

Exit code 0: solved; 1: not solved or illegal; 2: bad usage or bad board.")]
pub(super) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// The board file
    board: PathBuf,

    /// A file that holds the answer, `-` for standard input, or the answer itself
    #[arg(default_value = "-", allow_hyphen_values = true)]
    answer: String,

    /// Print the ruling as one line of JSON
    #[arg(long)]
    json: bool,

    /// Print the position after every move
    #[arg(long, conflicts_with = "json")]
    trace: bool,
}

/// The ruling for programs; `null` where there is nothing.
#[derive(Serialize)]
struct Document<'a> {
    game: &'a str,
    verdict: &'a str,
    progress: u64,
    of: u64,
    moves: u64,
    tie_break: u64,
    failed_at: Option<u64>,
    reason: Option<String>,
    final_board: String,
}

impl Args {
    pub(super) fn execute(self, out: &mut dyn Write) -> Done {
        let kind = self.game.kind();
        let game = self.game.open()?;
        let (_, puzzle) = puzzle(&*game, &self.board)?;
        let (answer, name) = open(&self.answer)?;

        let ruling = if self.trace {
            let mut written = Ok(());
            let ruling = referee::trace(&*puzzle, answer, |standing, picture| {
                let step = writeln!(out, "{}", describe::standing(&standing, &kind.words))
                    .and_then(|()| describe::picture(&picture, out));
                written = step;
                // Reading goes on only while somebody reads the trace.
                if written.is_err() { Err(io::Error::other("nobody reads the trace")) } else { Ok(()) }
            });
            written?;
            ruling
        } else {
            referee::rule(&*puzzle, answer)
        };
        let ruling = ruling.map_err(|error| Failure::input(format!("{name}: {error}")))?;

        let verdict = Verdict::of_replay(ruling.standing, ruling.illegal.clone());
        if self.json {
            let document = Document {
                game: kind.name,
                verdict: verdict.name(),
                progress: ruling.standing.progress,
                of: ruling.standing.of,
                moves: ruling.standing.moves,
                tie_break: ruling.standing.tie_break,
                failed_at: ruling.illegal.as_ref().map(|illegal| illegal.index),
                reason: ruling.illegal.as_ref().map(|illegal| format!("`{}`: {}", illegal.token, illegal.reason)),
                final_board: ruling.picture.one_line(),
            };
            serde_json::to_writer(&mut *out, &document).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            describe::ruling(&ruling, &kind.words, out)?;
        }
        Ok(if matches!(verdict, Verdict::Solved(_)) { DONE } else { NOT_SOLVED })
    }
}

/// Opens the answer and names it for errors. An argument that is no file is the answer itself.
fn open(answer: &str) -> Result<(Box<dyn Read>, String), Failure> {
    if answer == "-" {
        return Ok((Box::new(io::stdin()), "standard input".into()));
    }
    let path = Path::new(answer);
    if path.is_dir() {
        return Err(Failure::input(format!("{answer}: is a directory; an answer is a file or the moves themselves")));
    }
    match File::open(path) {
        Ok(file) => Ok((Box::new(file), answer.into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound || answer.contains(char::is_whitespace) => {
            // What can only be a path is not taken for moves.
            if answer.contains(['/', '.']) && !answer.contains(char::is_whitespace) {
                return Err(Failure::input(format!("{answer}: no such file")));
            }
            Ok((Box::new(io::Cursor::new(answer.to_owned())), "the answer".into()))
        }
        // Longer than any file name: moves.
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            Ok((Box::new(io::Cursor::new(answer.to_owned())), "the answer".into()))
        }
        Err(error) => Err(Failure::input(format!("{answer}: {error}"))),
    }
}
