//! Depth-first search that finds all best answers, by iterative deepening with a table of refuted positions.
//!
//! It follows the solver of the article of 1999. The article says only that the solver "uses a modified depth-first
//! search" and "finds all minimum-move, minimum-step solutions". It does not describe the modification; chosen here:
//!
//! - Each iteration has a limit on moves, which grows by one until there is an answer. Then every answer within the
//!   limit has exactly that many moves, and a search through all of them also finds the fewest steps.
//! - A table stores for each unlabelled position the largest number of remaining moves that did not suffice. In the
//!   last iteration it also stores the fewest steps and the number of paths from each position that leads to the goal.
//!   So no part of the tree is searched twice, and the table yields all best answers.
//! - Each letter piece needs at least one move. A position with fewer remaining moves is rejected without a search; in
//!   one with exactly as many, only letter pieces move.
//! - If an iteration adds no position to the table, there is no answer. With *l* letter pieces, a position at depth *d*
//!   enters the table in iteration *d* + *l*. Each position that enters later has a predecessor, with as many letter
//!   pieces or one more, that would have entered in this iteration.
//!
//! Cost: every iteration repeats the work of those before. With *m* moves that is some *m*/2 times the work of a
//! breadth-first search, with the same memory. Good at: listing every best answer. Bad at: boards with many positions
//! and no answer, which it searches completely several times.

use rustc_hash::FxHashMap;

use crate::answer::{Answer, Cost, Move, shortest_moves};
use crate::representation::{Labelled, Movable, PositionOf, Representation};
use crate::search::{Best, Limits, Outcome};

/// An entry of the table: the result for a position so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// No answer from here has this many moves or fewer.
    Refuted { moves: u32 },
    /// The best answers from here.
    Solved { cost: Cost, count: u64 },
}

/// A finished search, whose table yields all best answers.
#[derive(Debug)]
pub struct Search<R: Representation> {
    representation: R,
    limits: Limits,
    table: FxHashMap<R::Key, Known>,
    /// Number of searches of a position; repeated searches count again.
    expanded: usize,
}

/// The search was stopped by its limits.
struct Stopped;

/// Searches a board for its best answers.
pub fn search<B: Labelled>(board: &B, limits: &Limits) -> (Outcome<PositionOf<B>>, Search<B::Representation>) {
    let start = board.position();
    let representation = board.representation();
    let mut search = Search { representation, limits: *limits, table: FxHashMap::default(), expanded: 0 };
    let mut positions = 0;
    for moves in B::Representation::letters(start).. {
        match search.solve_within(start, moves) {
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

impl<R: Representation> Search<R> {
    /// Finds the best answers from a position within `left` moves; every lower limit was tried before.
    fn solve_within(&mut self, position: R::Position, left: u32) -> Result<Known, Stopped> {
        let letters = R::letters(position);
        if letters == 0 {
            return Ok(Known::Solved { cost: Cost { moves: 0, steps: 0 }, count: 1 });
        }
        let mut found = Known::Refuted { moves: left };
        if left < letters {
            return Ok(found);
        }
        let key = R::key(position);
        match self.table.get(&key) {
            // Reached by a detour: the answer from here takes more moves than are left.
            Some(Known::Solved { cost, .. }) if cost.moves > left => return Ok(found),
            Some(Known::Refuted { moves }) if *moves < left => {}
            Some(known) => return Ok(*known),
            None => {}
        }
        self.expanded += 1;
        if self.limits.exceeded(self.table.len(), self.expanded) {
            return Err(Stopped);
        }
        let movable = if left > letters { Movable::All } else { Movable::Letters };
        let representation = self.representation;
        for piece in representation.pieces(position, movable) {
            for stop in representation.stops(position, piece).iter() {
                let after = representation.after(position, piece, stop.to);
                if let Known::Solved { cost, count } = self.solve_within(after, left - 1)? {
                    let cost = Cost { moves: cost.moves + 1, steps: cost.steps + stop.steps };
                    found = combine(found, cost, count.saturating_mul(stop.paths));
                }
            }
        }
        self.table.insert(key, found);
        Ok(found)
    }

    /// Lists the positions after each move of one best answer.
    fn trace(&self, mut position: R::Position) -> Vec<R::Position> {
        let mut positions = Vec::new();
        while let Some((_, _, after)) = self.best_moves(position).next() {
            positions.push(after);
            position = after;
        }
        positions
    }

    /// Lists the moves that begin a best answer: start, end, and the position after the move.
    fn best_moves(&self, position: R::Position) -> impl Iterator<Item = (R::Square, R::Square, R::Position)> {
        let here = self.best(position);
        self.representation.pieces(position, Movable::All).flat_map(move |piece| {
            let stops = self.representation.stops(position, piece).to_vec();
            stops.into_iter().filter_map(move |stop| {
                let after = self.representation.after(position, piece, stop.to);
                let there = self.best(after)?;
                let cost = Cost { moves: there.moves + 1, steps: there.steps + stop.steps };
                (here == Some(cost)).then_some((R::square(position, piece), stop.to, after))
            })
        })
    }

    fn best(&self, position: R::Position) -> Option<Cost> {
        if R::letters(position) == 0 {
            return Some(Cost { moves: 0, steps: 0 });
        }
        match self.table.get(&R::key(position)) {
            Some(Known::Solved { cost, .. }) => Some(*cost),
            _ => None,
        }
    }

    /// Lists the best answers to the board that was searched, at most `most`.
    pub fn answers<B: Labelled<Representation = R>>(&self, board: &B, most: usize) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.extend(board, &mut Vec::new(), most, &mut answers);
        answers
    }

    fn extend<B: Labelled<Representation = R>>(
        &self,
        board: &B,
        made: &mut Vec<Move>,
        most: usize,
        answers: &mut Vec<Answer>,
    ) {
        if R::letters(board.position()) == 0 {
            answers.push(Answer(made.clone()));
        }
        for (from, to, _) in self.best_moves(board.position()) {
            let piece = board.label_on(from).expect("a move starts on a piece");
            let mut after = board.clone();
            after.put(piece, to);
            for steps in shortest_moves(board, from, to) {
                if answers.len() < most {
                    made.push(Move { piece, steps });
                    self.extend(&after, made, most, answers);
                    made.pop();
                }
            }
        }
    }
}

/// Combines the best answers so far with others of as many moves: the better ones, or both if they are equal.
fn combine(found: Known, cost: Cost, count: u64) -> Known {
    match found {
        Known::Solved { cost: known, .. } if known < cost => found,
        Known::Solved { cost: known, count: before } if known == cost => {
            Known::Solved { cost, count: before.saturating_add(count) }
        }
        _ => Known::Solved { cost, count },
    }
}
