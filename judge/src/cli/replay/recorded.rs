//! The answer of a recorded run, with the board that the results contain.

use std::path::Path;

use crate::cli::Failure;
use crate::cli::answer::Answer;
use judge_core::external::{Frame, parse_frames};
use judge_core::games;
use judge_core::journal::{self, Contents, Record};
use judge_core::regular;
use judge_core::text::unknown;

/// The most bytes of the positions that a referee left.
const MOST_BYTES: u64 = 64 << 20;

/// A recorded run, and the parts of it that can be shown.
pub(super) enum Recorded {
    /// An answer to a board of a built-in game.
    Answer { title: String, answer: Answer },
    /// The positions that a referee which is a program left.
    Frames(Vec<Frame>),
}

/// Opens the last attempt of an entry on a board.
pub(super) fn open(results: &Path, entry: &str, board: &str) -> Result<Recorded, Failure> {
    let contents = journal::read(results).map_err(Failure::input)?;
    let record = find(&contents, entry, board)?;
    let plan = &contents.plan;
    if plan.referee.is_some() {
        return frames(results, record).map(Recorded::Frames);
    }
    let found = plan.boards.iter().find(|known| known.name == *board).expect("a run has a board of the plan");
    let kind = games::find(&plan.game)
        .ok_or_else(|| Failure::input(unknown("game", &plan.game, games::GAMES.iter().map(|info| info.name))))?;
    let puzzle = plan.game().and_then(|game| game.parse(found.text.as_bytes()).map_err(|error| error.to_string()));
    let puzzle = puzzle.map_err(|reason| Failure::input(format!("{}: board {board}: {reason}", results.display())))?;
    let path = journal::stdout_of(results, record);
    let bytes = regular::open(&path).map_err(|error| {
        let fault = record.verdict.fault().map_or(String::new(), |fault| format!("; the run: {fault}"));
        Failure::input(format!("{}: {error}{fault}", path.display()))
    })?;
    let title = format!("{entry} on {board}, {}", results.display());
    let name = path.display().to_string();
    let answer = Answer { game: kind.name, words: &kind.labels, puzzle, name, bytes: Box::new(bytes) };
    Ok(Recorded::Answer { title, answer })
}

/// The error for a results directory without an entry and a board.
pub(super) fn incomplete(results: &Path) -> Failure {
    let shown = results.display();
    let example = journal::read(results).ok().and_then(|contents| {
        let key = &contents.records.first()?.key;
        Some(format!(", for example `judge replay {shown} {} {}`", key.entry, key.board))
    });
    let example = example.unwrap_or_default();
    Failure::input(format!("{shown} is a results directory; name an entry and a board of it{example}"))
}

/// The last recorded attempt of the first repeat.
fn find<'a>(contents: &'a Contents, entry: &str, board: &str) -> Result<&'a Record, Failure> {
    let plan = &contents.plan;
    let entries: Vec<&str> = plan.entries.iter().map(|entry| entry.name.as_str()).collect();
    let boards: Vec<&str> = plan.boards.iter().map(|board| board.name.as_str()).collect();
    for (what, wanted, known) in [("entry", entry, entries), ("board", board, boards)] {
        if !known.contains(&wanted) {
            return Err(Failure::input(unknown(what, wanted, known)));
        }
    }
    let meant = |record: &&Record| (&*record.key.entry, &*record.key.board, record.key.repeat) == (entry, board, 1);
    contents
        .records
        .iter()
        .rev()
        .find(meant)
        .ok_or_else(|| Failure::input(format!("{entry} has no run on {board} yet; make it with `judge run --resume`")))
}

/// The positions that a referee left.
fn frames(results: &Path, record: &Record) -> Result<Vec<Frame>, Failure> {
    let path = journal::frames_of(results, record);
    let bytes = regular::read(&path, MOST_BYTES).map_err(|_| {
        Failure::input(format!("{}: the referee of this contest left no positions of this run", path.display()))
    })?;
    let frames = parse_frames(&bytes, |_| None);
    frames.map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}
