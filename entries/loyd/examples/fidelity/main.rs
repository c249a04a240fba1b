//! The fidelity report: every rebuilt entry next to its published results of 1995.
//!
//!     cargo run --release -p loyd-entries --example fidelity -- results/1995-10m > results/fidelity.md
//!
//! It reads a results directory of `contest.toml` and `results/published-1995.csv`, and prints Markdown. An entry with
//! a cell that deviates by more than [`FAITHFUL`] needs an explanation in `deviations.csv` in this folder. A missing
//! explanation is an error, and so is one that is not needed.

mod deviations;
mod tables;

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use judge_core::results::Results;
use judge_core::score::{Cell, Row};

/// Largest deviation from the published moves that needs no explanation, as a share of them.
const FAITHFUL: f64 = 0.15;
/// The published table.
const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/published-1995.csv");
/// The boards that the sources describe well enough to rebuild; the other two of the final are other boards here.
const RECONSTRUCTED: [&str; 3] = ["FOXY", "AID", "TYPO"];

fn main() -> ExitCode {
    let report = match env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [run] => report(Path::new(run)),
        _ => Err("give one results directory of contest.toml, such as results/1995-10m".into()),
    };
    match report {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("fidelity: {reason}");
            ExitCode::from(2)
        }
    }
}

/// The report in Markdown.
fn report(results: &Path) -> Result<String, String> {
    let read = |path: &Path| Results::read(path).map_err(|error| error.to_string());
    let (published, here) = (read(Path::new(PUBLISHED))?, read(results)?);
    let sentences = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/fidelity/deviations.csv"));
    let sentences = sentences.map_err(|error| format!("deviations.csv: {error}"))?;
    let entries: Vec<Comparison> =
        published.rows.iter().filter_map(|row| Comparison::new(row, &published, &here)).collect();
    if entries.is_empty() {
        return Err(format!("{} contains no entry of 1995", results.display()));
    }
    let explained = deviations::explained(&entries, &sentences)?;
    Ok(tables::markdown(&here, &entries, &explained))
}

/// An entry then and now.
struct Comparison<'a> {
    then: &'a Row,
    now: &'a Row,
    boards: Vec<Board<'a>>,
}

/// An entry's cells on a board then and now.
struct Board<'a> {
    name: &'a str,
    then: &'a Cell,
    now: &'a Cell,
}

impl<'a> Comparison<'a> {
    /// Returns `None` for an entry that was not rebuilt.
    fn new(then: &'a Row, published: &'a Results, here: &'a Results) -> Option<Self> {
        let now = here.rows.iter().find(|row| row.entry.name == then.entry.name)?;
        let boards = published.boards.iter().zip(&then.cells).filter_map(|(board, cell)| {
            let at = here.boards.iter().position(|head| head.name == board.name)?;
            Some(Board { name: &board.name, then: cell, now: &now.cells[at] })
        });
        Some(Self { then, now, boards: boards.collect() })
    }

    fn name(&self) -> &str {
        &self.then.entry.name
    }
}

impl Board<'_> {
    /// Moves now divided by moves then, if both solved the board.
    fn ratio(&self) -> Option<f64> {
        let moves = |cell: &Cell| cell.figures.moves.filter(|_| solved(cell));
        Some(moves(self.now)? as f64 / moves(self.then)? as f64)
    }

    /// Returns `true` if the moves differ by more than [`FAITHFUL`], or if only one of the two solved the board.
    fn deviates(&self) -> bool {
        match self.ratio() {
            Some(ratio) => (ratio - 1.0).abs() > FAITHFUL,
            None => solved(self.then) != solved(self.now),
        }
    }

    fn is_reconstructed(&self) -> bool {
        RECONSTRUCTED.contains(&self.name)
    }
}

/// Returns `true` if all 25 tiles are home.
fn solved(cell: &Cell) -> bool {
    cell.code.is_none() && cell.figures.progress == Some(25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_report_is_that_of_the_recorded_contest() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let recorded = fs::read_to_string(results.join("fidelity.md")).expect("results/fidelity.md");
        assert_eq!(recorded, report(&results.join("1995-10m")).expect("a report"));
    }
}
