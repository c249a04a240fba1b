//! Solves all problems of a group level by level, backwards from the exits.
//!
//! Level *m* contains the states that take *m* moves. It is computed from level *m* − 1 of this group and of the group
//! with one letter piece less: every state without a level that can move there is in level *m*. The predecessors are
//! found by reversing moves into the states of this group and exits into those of the other. Then each state of the
//! level combines its best moves, all of which lead to level *m* − 1. This gives its fewest steps, its number of best
//! answers and the number pieces that may stay idle. So a state with an answer is expanded twice, a state without one
//! never.
//!
//! The questions are those of the article of 1999, which searched each problem separately.
//!
//! Insignificant pieces follow the same recursion. A piece is idle in some best answer exactly if two conditions hold:
//! some best first move does not need it, and neither does some best answer to the position after that move.
//!
//! Cost: about a microsecond of processor time per state with an answer, one table look-up per level for each state
//! without one, and nine bytes per state.

use std::sync::atomic::Ordering;

use crate::answer::Cost;
use crate::geometry::{Geometry, Square, squares};

use super::group::Group;
use super::parallel::in_blocks;
use super::piece_moves::{Mover, Shortest};
use super::table::{Solution, Table};

/// The settings of a solver.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The most steps of a move. The rules set no limit, which is [`Options::ANY_STEPS`].
    pub most_steps: u32,
}

impl Options {
    /// More steps than a move can have without visiting a square twice.
    pub const ANY_STEPS: u32 = 33;
}

/// Solves a group, given the table of the group with one letter piece less (`None` for one letter piece). After each
/// level `progress` receives the number of moves and the number of states.
///
/// `Err` if memory runs out, or if a best answer has more than [`Solution::MAX_MOVES`] moves.
pub fn solve(
    group: Group,
    after_exit: Option<&Table>,
    options: Options,
    mut progress: impl FnMut(u32, u64),
) -> Result<Table, String> {
    assert_eq!(after_exit.map(Table::group), group.after_exit(), "the table of the group after an exit");
    let mut table = Table::empty(group)?;
    let Options { threads, most_steps } = options;
    let solver = Solver { table: &table, after_exit, geometry: table.index.geometry, most_steps };
    if after_exit.is_none() {
        in_blocks(table.states(), threads, || (), |(), state| solver.mark_if_exit(state));
    }
    let mut higher = after_exit.is_some();
    // One level more than a table can hold, to detect answers that are too long.
    for level in 1..u8::MAX {
        let exits = higher;
        if exits {
            higher = solver.mark_before_exits(level, threads);
        }
        let states = solver.solve_level(level, threads);
        if states > 0 {
            progress(u32::from(level), states);
        } else if !exits {
            table.row = table.count_row(threads);
            return Ok(table);
        }
    }
    Err(format!("group {group} has best answers of more than {} moves", Solution::MAX_MOVES))
}

struct Solver<'a> {
    table: &'a Table,
    after_exit: Option<&'a Table>,
    geometry: &'static Geometry,
    most_steps: u32,
}

/// The working memory of a thread.
#[derive(Default)]
struct Scratch {
    states: u64,
    successors: Vec<Successor>,
    predecessors: Vec<usize>,
}

/// A move from the current state.
#[derive(Clone, Copy)]
struct Successor {
    from: Square,
    to: Square,
    steps: u32,
    /// The state after the move.
    state: usize,
    /// The symmetry from the orientation of that state to the orientation of the current one.
    symmetry: usize,
    exit: bool,
}

impl Solver<'_> {
    fn mover(&self, on: Square, others: u64, exit: u64) -> Mover {
        Mover { on, others, exit, most_steps: self.most_steps }
    }

    /// Marks the state with one move if its only letter piece can leave immediately.
    fn mark_if_exit(&self, state: usize) {
        let position = self.table.index.position(state);
        let centre = self.geometry.centre().bit();
        for letter in squares(position.letters) {
            let mover = self.mover(letter, position.numbers, centre);
            let mut leaves = false;
            mover.ends(self.geometry, |_, ends| leaves |= ends & centre != 0);
            if leaves {
                self.table.moves[state].store(1, Ordering::Relaxed);
            }
        }
    }

    /// Marks the states whose exits lead to this level; true if the group after the exit has higher levels.
    fn mark_before_exits(&self, level: u8, threads: usize) -> bool {
        let Some(after_exit) = self.after_exit else { return false };
        let look = |(higher, scratch): &mut (bool, Scratch), state: usize| {
            let moves = after_exit.moves_at(state);
            *higher |= moves > level;
            if moves == level {
                self.collect_before_exit(after_exit, state, scratch);
                self.mark(level + 1, scratch);
            }
        };
        let parts = in_blocks(after_exit.states(), threads, Default::default, look);
        parts.into_iter().any(|(higher, _)| higher)
    }

    /// Collects all states with an exit to this state of the other group.
    fn collect_before_exit(&self, after_exit: &Table, state: usize, scratch: &mut Scratch) {
        let after = after_exit.index.position(state);
        let centre = self.geometry.centre();
        if after.numbers & centre.bit() != 0 {
            return;
        }
        let mover = self.mover(centre, after.occupied(), centre.bit());
        for letter in squares(mover.origins(self.geometry)) {
            self.collect_before_letter_move(after.letters | letter.bit(), after.numbers, scratch);
        }
    }

    /// Finds the best answers to every state of a level and marks the predecessors; returns the number of these states.
    fn solve_level(&self, level: u8, threads: usize) -> u64 {
        let look = |scratch: &mut Scratch, state: usize| {
            if self.table.moves_at(state) == level {
                scratch.states += 1;
                let (class, numbers) = self.table.index.state(state);
                self.table.put_details(state, numbers, &self.best(class, numbers, level, scratch));
                self.collect_before(class, numbers, scratch);
                self.mark(level + 1, scratch);
            }
        };
        in_blocks(self.table.states(), threads, Scratch::default, look).iter().map(|scratch| scratch.states).sum()
    }

    /// Assigns a level to the collected predecessors that have none.
    fn mark(&self, level: u8, scratch: &mut Scratch) {
        for state in scratch.predecessors.drain(..) {
            let moves = &self.table.moves[state];
            if moves.load(Ordering::Relaxed) == 0 {
                moves.store(level, Ordering::Relaxed);
            }
        }
    }

    /// Collects all states with a move to this one.
    fn collect_before(&self, class: usize, numbers: u64, scratch: &mut Scratch) {
        let index = &self.table.index;
        let letters = index.classes[class].letters;
        let occupied = letters | numbers;
        for number in squares(numbers) {
            let mover = self.mover(number, occupied ^ number.bit(), 0);
            for origin in squares(mover.origins(self.geometry)) {
                scratch.predecessors.push(index.at(class, numbers ^ number.bit() ^ origin.bit()));
            }
        }
        for letter in squares(letters) {
            let exit = self.geometry.centre().bit();
            let mover = self.mover(letter, occupied ^ letter.bit(), exit);
            for origin in squares(mover.origins(self.geometry)) {
                self.collect_before_letter_move(letters ^ letter.bit() ^ origin.bit(), numbers, scratch);
            }
        }
    }

    /// Collects the states with these pieces from which a letter piece moves.
    fn collect_before_letter_move(&self, letters: u64, numbers: u64, scratch: &mut Scratch) {
        let index = &self.table.index;
        let (class, symmetry) = index.class(letters);
        let turned = self.geometry.image(symmetry, numbers);
        scratch.predecessors.push(index.at(class, turned));
        // A move of a letter piece changes the letter set, so its predecessors include all images of the state. Moves
        // of number pieces are reversed from each image separately.
        for &symmetry in &index.classes[class].stabiliser {
            scratch.predecessors.push(index.at(class, self.geometry.image(symmetry, turned)));
        }
    }

    /// Computes the best answers to a state of this level from the previous level.
    fn best(&self, class: usize, numbers: u64, level: u8, scratch: &mut Scratch) -> Solution {
        let letters = self.table.index.classes[class].letters;
        scratch.successors.clear();
        self.letter_moves(letters, numbers, &mut scratch.successors);
        // Each letter piece needs at least one move: without a spare move no number piece moves.
        if u32::from(level) > self.table.group().letters {
            self.number_moves(class, numbers, &mut scratch.successors);
        }
        scratch.successors.retain(|successor| self.leads_to(level - 1, successor));
        let steps = |successor: &Successor| successor.steps + self.steps_after(successor);
        let fewest = scratch.successors.iter().map(steps).min();
        let fewest = fewest.expect("a state of a level has a move to the previous level");
        let (mut count, mut insignificant) = (0_u64, 0);
        let mut shortest: Option<(Square, Shortest)> = None;
        for successor in &scratch.successors {
            if steps(successor) > fewest {
                continue;
            }
            let after = self.after(successor, numbers);
            let from = successor.from;
            // Successors are ordered by piece.
            if shortest.as_ref().is_none_or(|(last, _)| *last != from) {
                let exit = if letters & from.bit() == 0 { 0 } else { self.geometry.centre().bit() };
                let mover = self.mover(from, (letters | numbers) ^ from.bit(), exit);
                shortest = Some((from, mover.shortest(self.geometry)));
            }
            let Some((_, shortest)) = &shortest else { continue };
            count = count.saturating_add(after.count.saturating_mul(shortest.paths[successor.to.index()]));
            insignificant |= after.insignificant & shortest.idle[successor.to.index()] & !successor.to.bit();
        }
        Solution { cost: Cost { moves: u32::from(level), steps: fewest }, count, insignificant }
    }

    fn number_moves(&self, class: usize, numbers: u64, successors: &mut Vec<Successor>) {
        let index = &self.table.index;
        let occupied = index.classes[class].letters | numbers;
        for from in squares(numbers) {
            let mover = self.mover(from, occupied ^ from.bit(), 0);
            mover.ends(self.geometry, |steps, ends| {
                for to in squares(ends) {
                    let state = index.at(class, numbers ^ from.bit() ^ to.bit());
                    successors.push(Successor { from, to, steps, state, symmetry: 0, exit: false });
                }
            });
        }
    }

    fn letter_moves(&self, letters: u64, numbers: u64, successors: &mut Vec<Successor>) {
        let centre = self.geometry.centre();
        for from in squares(letters) {
            let mover = self.mover(from, (letters | numbers) ^ from.bit(), centre.bit());
            mover.ends(self.geometry, |steps, ends| {
                for to in squares(ends) {
                    let exit = to == centre;
                    let index = match self.after_exit {
                        Some(after_exit) if exit => &after_exit.index,
                        _ => &self.table.index,
                    };
                    let left = letters ^ from.bit() ^ if exit { 0 } else { to.bit() };
                    let (state, symmetry) = if left == 0 {
                        (0, 0)
                    } else {
                        let (class, symmetry) = index.class(left);
                        let turned = self.geometry.image(symmetry, numbers);
                        (index.at(class, turned), self.geometry.inverse(symmetry))
                    };
                    successors.push(Successor { from, to, steps, state, symmetry, exit });
                }
            });
        }
    }

    /// True if a move leads to a state of this level; the goal is level 0.
    #[inline]
    fn leads_to(&self, level: u8, successor: &Successor) -> bool {
        match self.table_after(successor) {
            None => level == 0,
            // A table stores 0 for a state without a level.
            Some(table) => level > 0 && table.moves_at(successor.state) == level,
        }
    }

    /// The table that a move leads to; `None` for the goal.
    #[inline]
    fn table_after(&self, successor: &Successor) -> Option<&Table> {
        if successor.exit { self.after_exit } else { Some(self.table) }
    }

    /// The steps of the best answers after a move that leads to a lower level.
    #[inline]
    fn steps_after(&self, successor: &Successor) -> u32 {
        self.table_after(successor).map_or(0, |table| table.steps_at(successor.state))
    }

    /// The best answers after a move that leads to a lower level, in the orientation of the state before it.
    fn after(&self, successor: &Successor, numbers: u64) -> Solution {
        let &Successor { from, to, state, symmetry, .. } = successor;
        let Some(table) = self.table_after(successor) else {
            return Solution { cost: Cost { moves: 0, steps: 0 }, count: 1, insignificant: numbers };
        };
        let moved = if numbers & from.bit() == 0 { numbers } else { numbers ^ from.bit() ^ to.bit() };
        let turned = self.geometry.image(self.geometry.inverse(symmetry), moved);
        let solution = table.at(state, turned).expect("the move leads to a state with an answer");
        Solution { insignificant: self.geometry.image(symmetry, solution.insignificant), ..solution }
    }
}
