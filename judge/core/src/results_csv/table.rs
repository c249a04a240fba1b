//! The CSV table with one row per entry and cells as text: the form of `results/published-1995.csv` and of `--format csv`.
//!
//! The first columns are some of `listed`, `place`, `entry`, `author`, `year`, `withdrawn`, `disqualified`, `competing` and
//! `problems`. Then come one column per board, the figures of the contest by name, `total_ms`, and any others. The three figures
//! of a game can have any names. If answers are accepted or not, `boards` precedes `total_ms` and contains the number of boards.
//! A board of a later round is named `ROUND/BOARD`. Then totals of each round follow: `ROUND/moves` for each figure, and
//! `ROUND/ms`.
//!
//! Of the other columns, `declaration` contains in one row what decides places, see [`Declaration`]; without it, rows have no
//! places. `solved_boards` contains the boards that an entry solved, in a contest that declares figures. `suspect` contains those
//! on which other processes interfered. Both separate boards by `; `. `missing` contains the number of missing runs, and
//! `referees` the hashes of the referees if several gave the rulings.

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

/// The declaration of what decides places, in the first row.
const DECLARATION: &str = "declaration";
/// The columns after the totals, which are written if any row needs them.
const SOLVED_BOARDS: &str = "solved_boards";
const SUSPECT: &str = "suspect";
const MISSING: &str = "missing";
/// The separator of boards in a column with several.
pub(super) const SEPARATOR: &str = "; ";
/// The problems of an entry, if the contest has several and the entry is not for all.
const PROBLEMS: &str = "problems";
/// The sum of an entry's times, in milliseconds. The column of a round has its number and [`MS`].
const TIME: &str = "total_ms";
const MS: &str = "ms";
/// The number of boards, after that of accepted answers, if answers are accepted or not.
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
    /// The heading of the board's column in a table.
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

    /// Refuses a name that a table would not keep: that of a column is read as another board, or as several in a list.
    pub(super) fn check_column(&self) -> Result<(), String> {
        let column = self.column();
        let read = Self::from_column(&column);
        let same = (read.round, &read.name, read.reconstruction) == (self.round, &self.name, self.reconstruction);
        if same && !column.is_empty() && !column.contains(SEPARATOR) {
            return Ok(());
        }
        Err(format!(
            "board {:?} needs another name: in a table, `{RECONSTRUCTION}` at the end marks a reconstruction, a number before `/` a \
             round, and `;` with a space separates boards",
            self.name
        ))
    }

    /// The name with the mark of a reconstruction.
    pub fn marked(&self) -> String {
        let mark = if self.reconstruction { RECONSTRUCTION.to_string() } else { String::new() };
        format!("{}{mark}", self.name)
    }

    fn unmarked(text: &str) -> Self {
        let unmarked = text.strip_suffix(RECONSTRUCTION);
        Self { reconstruction: unmarked.is_some(), ..Self::named(unmarked.unwrap_or(text)) }
    }
}
