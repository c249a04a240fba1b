//! Depth-first search that finds all best answers, by iterative deepening with a table of what was refuted.
//!
//! After the solver of the article of 1999, of which it says only that it "uses a modified depth-first search" and
//! "finds all minimum-move, minimum-step solutions". How it was modified is left open; chosen here:
//!
//! - The depth is bounded by moves, and the bound grows by one until there is an answer. Then every answer within the
//!   bound has exactly as many moves, and the search through all of them also finds the fewest steps.
//! - A table keeps for each position, labels aside, with how many moves left it was searched in vain. In the last
//!   round it keeps for each position that leads to the goal the fewest steps from there and the number of ways: so no
//!   part of the tree is searched twice, and all best answers can be read off.
//! - Each letter piece has to make a move of its own: a position with fewer moves left is given up unseen, and in one
//!   with just as many only letter pieces move.
//! - Where a round adds no position to the table, there is no answer. With *l* letter pieces a position at depth *d*
//!   enters the table in round *d* + *l*; each one that enters later has one before it, with as many letter pieces or
//!   one more, that would have entered in this round.
//!
//! Cost: every round goes through the positions of the rounds before again; with *m* moves some *m*/2 times the work
//! of a breadth-first search, with the same memory. Good at: listing every best answer. Bad at: boards without answer
//! and with many positions, which it sees out again and again.

use rustc_hash::FxHashMap;

use crate::answer::{Answer, Cost, Move, ways};
use crate::board::Board;
use crate::geometry::{Geometry, Square, squares};
use crate::position::{Idle, Position, Stops};
use crate::search::{Best, Bounds, Outcome};

/// What is known of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// No answer from here has so many moves or fewer.
    Refuted { moves: u32 },
    /// The best answers from here.
    Solved { cost: Cost, count: u64 },
}

/// A finished search: its outcome, and the table that all best answers can be read off.
#[derive(Debug)]
pub struct Search {
    geometry: &'static Geometry,
    bounds: Bounds,
    table: FxHashMap<u64, Known>,
    /// Positions searched, each as often as it was.
    expanded: usize,
}

/// The search was stopped by its bounds.
struct Stopped;

/// A move: where from, where to, and the position after it.
type Made = (Square, Square, Position);

/// Searches a board for its best answers.
pub fn search(board: &Board, bounds: &Bounds) -> (Outcome, Search) {
    let start = board.position();
    let mut search = Search { geometry: board.geometry(), bounds: *bounds, table: FxHashMap::default(), expanded: 0 };
    let mut positions = 0;
    for moves in start.letters.count_ones().. {
        match search.look(start, moves) {
            Err(Stopped) => return (Outcome::GaveUp, search),
            Ok(Known::Solved { cost, count }) => {
                let best = Best { cost, count, positions: search.trace(start) };
                return (Outcome::Solved(best), search);
            }
            Ok(Known::Refuted { .. }) => {}
        }
        if search.table.len() == positions {
            break;
        }
        positions = search.table.len();
    }
    (Outcome::Unsolvable, search)
}

impl Search {
    /// The best answers from a position within so many moves, where every shorter bound was tried before.
    fn look(&mut self, position: Position, left: u32) -> Result<Known, Stopped> {
        if position.letters == 0 {
            return Ok(Known::Solved { cost: Cost { moves: 0, steps: 0 }, count: 1 });
        }
        let mut found = Known::Refuted { moves: left };
        if left < position.letters.count_ones() {
            return Ok(found);
        }
        let key = position.key();
        match self.table.get(&key) {
            // Reached here by a detour: from here the answer takes more moves than are left.
            Some(Known::Solved { cost, .. }) if cost.moves > left => return Ok(found),
            Some(Known::Refuted { moves }) if *moves < left => {}
            Some(known) => return Ok(*known),
            None => {}
        }
        self.expanded += 1;
        if self.bounds.passed(self.table.len(), self.expanded) {
            return Err(Stopped);
        }
        for from in movable(position, left) {
            for stop in Stops::of(self.geometry, position, Idle::default(), from).iter() {
                let after = position.after(self.geometry, from, stop.to);
                if let Known::Solved { cost, count } = self.look(after, left - 1)? {
                    let cost = Cost { moves: cost.moves + 1, steps: cost.steps + stop.steps };
                    found = better(found, cost, count.saturating_mul(stop.ways));
                }
            }
        }
        self.table.insert(key, found);
        Ok(found)
    }

    /// The positions after each move of one best answer.
    fn trace(&self, mut position: Position) -> Vec<Position> {
        let mut positions = Vec::new();
        while let Some((_, _, after)) = self.best_moves(position).next() {
            positions.push(after);
            position = after;
        }
        positions
    }

    /// From and to of every move that begins a best answer, and the position after it.
    fn best_moves(&self, position: Position) -> impl Iterator<Item = Made> {
        let here = self.best(position);
        squares(position.occupied()).flat_map(move |from| {
            let stops = Stops::of(self.geometry, position, Idle::default(), from);
            let ends: Vec<_> = stops.iter().collect();
            ends.into_iter().filter_map(move |stop| {
                let after = position.after(self.geometry, from, stop.to);
                let there = self.best(after)?;
                let cost = Cost { moves: there.moves + 1, steps: there.steps + stop.steps };
                (here == Some(cost)).then_some((from, stop.to, after))
            })
        })
    }

    fn best(&self, position: Position) -> Option<Cost> {
        if position.letters == 0 {
            return Some(Cost { moves: 0, steps: 0 });
        }
        match self.table.get(&position.key()) {
            Some(Known::Solved { cost, .. }) => Some(*cost),
            _ => None,
        }
    }

    /// All best answers to the board that was searched, or as many as are asked for.
    pub fn answers(&self, board: &Board, most: usize) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.extend(board, &mut Vec::new(), most, &mut answers);
        answers
    }

    fn extend(&self, board: &Board, made: &mut Vec<Move>, most: usize, answers: &mut Vec<Answer>) {
        if board.position().letters == 0 {
            answers.push(Answer(made.clone()));
        }
        for (from, to, _) in self.best_moves(board.position()) {
            let piece = board.label_on(from).expect("a piece stands where one moves from");
            let mut after = board.clone();
            after.put(piece, to);
            for steps in ways(board, from, to) {
                if answers.len() < most {
                    made.push(Move { piece, steps });
                    self.extend(&after, made, most, answers);
                    made.pop();
                }
            }
        }
    }
}

/// The pieces that can make a move of an answer with so many moves left.
fn movable(position: Position, left: u32) -> impl Iterator<Item = Square> {
    let spare = left > position.letters.count_ones();
    squares(if spare { position.occupied() } else { position.letters })
}

/// The better of the best answers so far and of others with as many moves; together where they are as good.
fn better(found: Known, cost: Cost, count: u64) -> Known {
    match found {
        Known::Solved { cost: known, .. } if known < cost => found,
        Known::Solved { cost: known, count: before } if known == cost => {
            Known::Solved { cost, count: before.saturating_add(count) }
        }
        _ => Known::Solved { cost, count },
    }
}
