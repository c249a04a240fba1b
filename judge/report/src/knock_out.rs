//! The knock-out rounds of a contest of matches: as a tree, and in JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::layout::{Column, Grid, folded};
use judge_core::key::Name;
use judge_core::points::Points;
use judge_core::results::{KnockOut, Pair, Results, TreeCell, tree};
use judge_core::text::printable;

/// A knock-out round, in JSON.
#[derive(Serialize)]
pub(super) struct Round<'a> {
    round: u32,
    /// The entry that advances without a game.
    bye: Option<&'a Name>,
    pairs: Vec<PairDocument<'a>>,
}

/// Two entries that meet, in JSON.
#[derive(Serialize)]
struct PairDocument<'a> {
    /// The better seed first.
    entries: &'a [Name; 2],
    points: [Points; 2],
    /// The games that count, and those that are still to be played or repeated.
    games: usize,
    missing: usize,
    winner: Option<&'a Name>,
}

impl<'a> Round<'a> {
    pub(super) fn new(round: &'a KnockOut) -> Self {
        let pairs = round.pairs.iter().map(|pair| {
            let Pair { entries, points, games, missing, winner, .. } = pair;
            PairDocument { entries, points: *points, games: *games, missing: *missing, winner: winner.as_ref() }
        });
        Self { round: round.round, bye: round.bye.as_ref(), pairs: pairs.collect() }
    }
}

/// Writes the tree, if there are knock-out rounds.
pub(super) fn write(results: &Results, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let Some(grid) = grid(results) else { return Ok(()) };
    if width.is_some_and(|width| grid.width() > width) {
        return writeln!(out, "{}", folded("no room for the knock-out rounds; --format json has them", width));
    }
    writeln!(out, "\nknock-out, with the points of each pair; * goes on\n{grid}")
}

/// The tree; `None` without knock-out rounds.
pub(super) fn grid(results: &Results) -> Option<Grid> {
    let rounds = &results.matches.as_ref()?.knock_outs;
    if rounds.is_empty() {
        return None;
    }
    let (lines, mut grid) = (tree(rounds), Grid::new(Vec::new()));
    for (column, round) in rounds.iter().enumerate() {
        let cell = |line: &Vec<Option<TreeCell>>| {
            line[column].as_ref().map_or(String::new(), |TreeCell { entry, points, won, .. }| {
                let points = points.map_or("bye".to_owned(), |points| points.to_string());
                format!("{} {points}{}", printable(entry), if *won { " *" } else { "" })
            })
        };
        grid.push(Column::new(printable(&results.title_of_round(round.round)), lines.iter().map(cell)));
    }
    Some(grid)
}
