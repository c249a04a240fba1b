//! One CSV row per entry, cells as text: the form of `results/published-1995.csv` and of `--format csv`.
//!
//! Columns: some of `listed`, `place`, `entry`, `author`, `year`, `withdrawn`, `disqualified`, `competing`, `problems`;
//! then one per board; then the figures of the contest, by name, and `total_ms`; then any others. The three figures of a game can have any
//! names. Where answers are accepted or not, `boards` has the number of boards before `total_ms`. A board of a later round is
//! named `ROUND/BOARD`, and then totals of each round follow: `ROUND/moves` for each figure, and `ROUND/ms`. Of the other
//! columns, `declaration` has in one row what decides places, see [`Declaration`]: without it there are none. `solved_boards`
//! and `suspect` have the boards that an entry solved, in a contest that declares figures, and those on which other processes
//! interfered, separated by `; `; `missing` the number of its runs that are missing; `referees` the hashes of the referees of
//! its rulings, if the table has rulings of several.

mod cells;
mod declaration;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use crate::plan::MAX_ROUNDS;
use crate::results::BoardHead;
use crate::scoring::Scoring;

pub(super) use reader::read;
pub use writer::write;

/// What decides places, in the first row.
const DECLARATION: &str = "declaration";
/// The columns after the totals that are written if they have something to say.
const SOLVED_BOARDS: &str = "solved_boards";
const SUSPECT: &str = "suspect";
const MISSING: &str = "missing";
/// Between two boards in a column with several.
pub(super) const SEPARATOR: &str = "; ";
/// The problems of an entry, if the contest has several and it is not for all.
const PROBLEMS: &str = "problems";
/// The sum of an entry's times, in milliseconds; that of a round has its number and [`MS`].
const TIME: &str = "total_ms";
const MS: &str = "ms";
/// The number of boards, after that of accepted answers, where answers are accepted or not.
const BOARDS: &str = "boards";
/// The last character of a column's name if the board is a reconstruction.
const RECONSTRUCTION: char = '*';

/// The names of the figures.
fn names(scoring: &Scoring) -> Vec<&str> {
    scoring.figures.iter().map(|figure| &*figure.name).collect()
}

/// The names of the totals of a round, from 1.
fn names_of_round(scoring: &Scoring, round: u32) -> Vec<String> {
    names(scoring).into_iter().chain([MS]).map(|name| format!("{round}/{name}")).collect()
}

impl BoardHead {
    /// The heading of its column in a table.
    fn column(&self) -> String {
        if self.round > 1 { format!("{}/{}", self.round, self.marked()) } else { self.marked() }
    }

    fn from_column(text: &str) -> Self {
        let in_round = text.split_once('/').and_then(|(round, name)| Some((round.parse().ok()?, name)));
        match in_round.filter(|(round, _)| (2..=MAX_ROUNDS).contains(round)) {
            Some((round, name)) => Self { round, ..Self::unmarked(name) },
            None => Self::unmarked(text),
        }
    }

    /// The name with the mark of a reconstruction.
    pub fn marked(&self) -> String {
        let mark = if self.reconstruction { RECONSTRUCTION.to_string() } else { String::new() };
        format!("{}{mark}", self.name)
    }

    fn unmarked(text: &str) -> Self {
        let name = text.trim_end_matches(RECONSTRUCTION);
        let (name, reconstruction) = (name.into(), name != text);
        Self { name, reconstruction, note: None, text: None, known: None, best: None, round: 1, group: None }
    }
}
