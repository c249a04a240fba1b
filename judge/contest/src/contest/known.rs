//! The best known figures of each board, from a CSV file such as `tests-boards/loyd/best-known.csv`.
//!
//! The columns, in any order: `board`, the board file's name without its ending; `moves`; and optionally `lower_bound` and
//! `answer`. Other columns are for people.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;

use judge_core::game::Puzzle;
use judge_core::plan::BestKnown;
use judge_core::referee;
use judge_core::text::counted;
use judge_files::regular;
use judge_job::Count;

/// The longest file, in bytes.
const MAX_BYTES: u64 = 64 << 20;

#[derive(Deserialize)]
struct Row {
    board: String,
    #[serde(deserialize_with = "Count::number")]
    moves: u64,
    #[serde(default, deserialize_with = "Count::optional")]
    lower_bound: Option<u64>,
    answer: Option<String>,
}

/// Reads the best known figures of some boards. Each board is given by its name in the contest, its file and its puzzle. An
/// answer that does not solve its board in that many moves is refused. The error is a fragment.
pub(super) fn read<'a>(
    path: &Path,
    boards: impl Iterator<Item = (&'a str, &'a Path, &'a dyn Puzzle)>,
) -> Result<BTreeMap<String, BestKnown>, String> {
    let refuse = |reason: String| format!("best_known: {}: {reason}", path.display());
    let bytes = regular::read(path, MAX_BYTES).map_err(|error| refuse(error.to_string()))?;
    let rows = csv::Reader::from_reader(&*bytes).into_deserialize().collect::<csv::Result<Vec<Row>>>();
    let rows = rows.map_err(|error| refuse(unreadable(&error)))?;
    let mut by_board: HashMap<&str, &Row> = HashMap::new();
    for row in &rows {
        // The first of two rows for a board counts.
        by_board.entry(&row.board).or_insert(row);
    }
    let mut known = BTreeMap::new();
    for (name, file, puzzle) in boards {
        let row = file.file_stem().and_then(OsStr::to_str).and_then(|stem| by_board.get(stem));
        if let Some(row) = row {
            row.check(puzzle).map_err(|reason| refuse(format!("{}: {reason}", row.board)))?;
            known.insert(name.to_owned(), BestKnown { moves: row.moves, lower_bound: row.lower_bound });
        }
    }
    Ok(known)
}

/// The reason why a file cannot be read, with the place and the expected columns.
fn unreadable(error: &csv::Error) -> String {
    let columns = "the columns are board, moves, and optionally lower_bound and answer";
    match error.kind() {
        csv::ErrorKind::Deserialize { pos: Some(place), err } => {
            let column = err.field().map_or(String::new(), |field| format!(", column {}", field + 1));
            format!("line {}{column}: {}; {columns}", place.line(), err.kind())
        }
        _ => format!("{error}; {columns}"),
    }
}

impl Row {
    fn check(&self, puzzle: &dyn Puzzle) -> Result<(), String> {
        if let Some(bound) = self.lower_bound.filter(|&bound| bound > self.moves) {
            let known = counted(self.moves, "moves");
            let are = if self.moves == 1 { "is" } else { "are" };
            return Err(format!("{known} {are} known, though the lower bound is {bound}"));
        }
        let Some(answer) = &self.answer else { return Ok(()) };
        let ruling = referee::rule(puzzle, answer.as_bytes()).map_err(|error| error.to_string())?;
        match ruling.illegal {
            Some(illegal) => Err(format!("the answer is illegal: {illegal}")),
            None if !ruling.score.solved() => Err("the answer does not solve the board".into()),
            None if ruling.score.moves != self.moves => {
                Err(format!("the answer has {}, not {}", counted(ruling.score.moves, "moves"), self.moves))
            }
            None => Ok(()),
        }
    }
}
