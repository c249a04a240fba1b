//! The cross table of a contest of matches: the points of each entry against each other one.

use std::io::{self, Write};

use serde::Serialize;

use crate::knock_out;
use crate::layout::{Column, Grid, folded};
use judge_core::points::Points;
use judge_core::results::{GameCounts, Results};
use judge_core::text::printable;

/// The cell of an entry against itself.
const SELF: &str = "·";

/// The games of an entry against another one, in JSON.
#[derive(Serialize)]
pub(super) struct Against<'a> {
    entry: &'a str,
    against: &'a str,
    /// The sum of its points.
    points: Points,
    /// The games that count, and those that were played.
    games: usize,
    played: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    /// Games in which a fault ended the entry's play.
    faults: usize,
}

/// The games of a contest of matches, in JSON.
#[derive(Serialize)]
pub(super) struct Matches<'a> {
    /// The games that count, and those that are still to be played or repeated.
    games: usize,
    missing: usize,
    /// Each entry against each other one, in the order of the table; of games of two seats.
    cross_table: Vec<Against<'a>>,
    /// The knock-out rounds that have opened.
    knock_outs: Vec<knock_out::Round<'a>>,
}

/// The entries in the order of the table.
fn entries(results: &Results) -> Vec<&str> {
    let inside = results.rows.iter().filter(|row| row.entry.withdrawn.is_none());
    inside.map(|row| row.entry.name.as_str()).collect()
}

impl<'a> Matches<'a> {
    /// The games of these results; `None` for other contests.
    pub(super) fn of(results: &'a Results) -> Option<Self> {
        let matches = results.matches.as_ref()?;
        let entries = entries(results);
        let table = matches.cross_table(&entries).unwrap_or_default();
        let pairs = entries.iter().zip(table).flat_map(|(&entry, row)| {
            entries.iter().zip(row).filter(|(_, tally)| tally.games > 0).map(move |(&against, tally)| {
                let GameCounts { points, games, played, won, drawn, lost, faults, .. } = tally;
                Against { entry, against, points, games, played, won, drawn, lost, faults }
            })
        });
        let knock_outs = matches.knock_outs.iter().map(knock_out::Round::new).collect();
        let (games, missing) = (matches.games.len(), matches.missing());
        Some(Self { games, missing, cross_table: pairs.collect(), knock_outs })
    }
}

/// Writes the cross table, if there are games of two seats.
pub(super) fn write(results: &Results, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = grid(results) else { return Ok(()) };
    if width.is_some_and(|width| grid.width() > width) {
        return writeln!(out, "{}", folded("no room for the cross table; --format json has it", width));
    }
    writeln!(out, "\npoints of each entry against each other one\n{grid}")
}

/// The cross table; `None` if there is no game of two seats.
pub(super) fn grid(results: &Results) -> Option<Grid> {
    let entries = entries(results);
    let table = results.matches.as_ref()?.cross_table(&entries)?;
    let mut grid = Grid::new(vec![Column::new("entry", entries.iter().map(|entry| printable(entry)))]);
    for (column, entry) in entries.iter().enumerate() {
        let cell = |(row, cells): (usize, &Vec<GameCounts>)| match &cells[column] {
            _ if row == column => SELF.to_owned(),
            GameCounts { played: 0, .. } => "-".to_owned(),
            tally => tally.points.to_string(),
        };
        grid.push(Column::new(printable(entry), table.iter().enumerate().map(cell)).right());
    }
    Some(grid)
}
