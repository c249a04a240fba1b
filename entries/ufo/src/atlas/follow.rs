//! Best answers reconstructed from the tables: each move leads to the first position with the cost that remains.

use crate::answer::{Answer, Cost, through};
use crate::board::Board;
use crate::geometry::squares;
use crate::position::{Bits, Position};
use crate::representation::Representation as _;

use super::Atlas;
use super::group::Group;
use super::table::Table;

/// Finds a best answer to each of these problems of a group. Of several best moves it takes the first in reading order
/// of the moved piece, letter pieces first.
///
/// Processes the group first and then those with fewer letter pieces, so at most two tables are held at a time. `Err` if
/// a table is not available.
///
/// # Panics
/// If a problem has no answer.
pub fn answers(atlas: &mut Atlas, group: Group, problems: &[Position]) -> Result<Vec<Answer>, String> {
    let mut paths: Vec<Vec<Position>> = problems.iter().map(|&problem| vec![problem]).collect();
    for group in std::iter::successors(Some(group), |group| group.after_exit()) {
        let (table, after_exit) = atlas.pair(group)?;
        for path in &mut paths {
            follow(table, after_exit, path);
        }
    }
    let answer = |path: &Vec<Position>| through(&Board::labelled(group.shape, path[0]), &path[1..]);
    Ok(paths.iter().map(answer).collect())
}

/// Follows a best answer from the last of these positions until a letter piece leaves.
fn follow(table: &Table, after_exit: Option<&Table>, path: &mut Vec<Position>) {
    while let Some(&last) = path.last().filter(|last| last.letters.count_ones() == table.group().letters) {
        path.push(next(table, after_exit, last));
    }
}

fn next(table: &Table, after_exit: Option<&Table>, position: Position) -> Position {
    let geometry = table.index.geometry;
    let cost = table.solution(position).expect("the problem has an answer").cost;
    let left = |after: Position| match after_exit {
        _ if after.letters.count_ones() == table.group().letters => table.solution(after).map(|solution| solution.cost),
        Some(after_exit) => after_exit.solution(after).map(|solution| solution.cost),
        None => Some(Cost { moves: 0, steps: 0 }),
    };
    for from in squares(position.letters).chain(squares(position.numbers)) {
        for stop in Bits::of(geometry).stops(position, from).iter() {
            let after = position.after(geometry, from, stop.to);
            let whole = left(after).map(|left| Cost { moves: left.moves + 1, steps: left.steps + stop.steps });
            if whole == Some(cost) {
                return after;
            }
        }
    }
    unreachable!("a best answer begins with some move")
}
