//! The tables of matches in several rounds, as one table would have ten columns per round. The standings show the
//! points of each round and the figures that decide places. Each round has a separate table.

use judge_core::legend::{self, Column as Head};
use judge_core::plan::RankKey;
use judge_core::results::Results;
use judge_core::score::Row;
use judge_core::text::printable;

use crate::heads;
use crate::layout::{Column, Grid};

/// The number by which boards leave a table that is too wide.
const BOARDS: u8 = 0;

/// Tests whether each round has a separate table.
pub(super) fn are_apart(results: &Results) -> bool {
    results.matches.is_some() && results.rounds.len() > 1
}

/// The columns of the standings: per round the points, and the figures that decide places in it.
pub(super) fn columns(results: &Results) -> Vec<Column> {
    let (points, deciding) = (RankKey::Figure(results.scoring.main().name), legend::deciding(results));
    let column = |head: Head| match head {
        Head::Figure(key, round) if key == points => {
            Some(Column::new(printable(&results.title_of_round(round)), legend::figure(results, key, round)).right())
        }
        Head::Figure(key, round) if deciding.contains(&(key, round)) => {
            let head = printable(&legend::figure_heading(results, key, round));
            Some(Column::new(head, legend::figure(results, key, round)).right())
        }
        _ => None,
    };
    legend::columns(results).into_iter().filter_map(column).collect()
}

/// The table of each round with its title: the entries that took part, with the points on each board and all figures.
pub(super) fn tables(results: &Results, width: Option<usize>) -> Vec<(String, Grid)> {
    if !are_apart(results) {
        return Vec::new();
    }
    let knock_outs = results.matches.iter().flat_map(|matches| &matches.knock_outs);
    let knock_outs: Vec<u32> = knock_outs.map(|knock_out| knock_out.round).collect();
    let table = |number: u32| {
        let is_knock_out = knock_outs.contains(&number);
        let took_part = |row: &Row| row.entry.withdrawn.is_none() && row.rounds() >= number;
        let inside: Vec<bool> = results.rows.iter().map(took_part).collect();
        let only = |cells: Vec<String>| -> Vec<String> {
            cells.into_iter().zip(&inside).filter_map(|(cell, inside)| inside.then_some(cell)).collect()
        };
        let mut grid =
            Grid::new(vec![Column::new("entry", only(results.rows.iter().map(heads::name).collect())).cut()]);
        for head in legend::columns(results) {
            match head {
                // A single board has the same points as its round.
                Head::Board(at)
                    if results.boards[at].round == number
                        && results.boards.iter().filter(|board| board.round == number).count() > 1 =>
                {
                    let cells = results.rows.iter().map(|row| legend::cell(&row.cells[at])).collect();
                    grid.push(Column::new(heads::heading(&results.boards[at]), only(cells)).right().leaves(BOARDS));
                }
                // Only a knock-out has pairs.
                Head::Figure(RankKey::Figure(name), round)
                    if round == number && (&*name != "pairs" || is_knock_out) =>
                {
                    let title = results.scoring.figure(&name).map_or(&*name, |figure| figure.title());
                    let cells = legend::figure(results, RankKey::Figure(name), round);
                    grid.push(Column::new(printable(title), only(cells)).right());
                }
                _ => {}
            }
        }
        grid.fit(width);
        (printable(&results.title_of_round(number)), grid)
    };
    results.rounds.iter().map(|round| table(round.number)).collect()
}
