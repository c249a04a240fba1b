//! All problems of a group, solved level by level, backwards from the exits.
//!
//! Level *m* holds the states that take *m* moves. Where level *m* − 1 is known, of this group and of the one with a
//! letter piece less, every state that can move there and has no level yet is in level *m*: moves are taken back from
//! the states of level *m* − 1, and exits from those of the other group. Then each state of the level looks at its own
//! moves and adds up what the best of them, all into level *m* − 1, promise: the fewest steps, how many ways, and which
//! number pieces may stay idle. So a state with an answer is looked at twice, one without never.
//!
//! After the article of 1999 in what is asked; it searched each problem by itself.
//!
//! Insignificant pieces follow the same recursion: a piece is idle in some best answer just if some best first move
//! can do without it and so can some best answer to what follows.
//!
//! Cost: about a microsecond of one processor a state with an answer, nothing but a glance a level at one without; nine
//! bytes a state.

use std::sync::atomic::Ordering;

use crate::answer::Cost;
use crate::geometry::{Geometry, Square, squares};

use super::group::Group;
use super::table::{Solution, Table};
use super::ways::{Mover, Trails};
use super::work::in_blocks;

/// How to solve a group.
#[derive(Debug, Clone, Copy)]
pub struct Means {
    /// How many threads share the work.
    pub threads: usize,
    /// The most steps of a move. The rules set no bound: [`Means::ANY_STEPS`].
    pub most_steps: u32,
}

impl Means {
    /// More steps than a move can have without coming back to a square.
    pub const ANY_STEPS: u32 = 33;
}

/// Solves a group, given the table of the group with a letter piece less: `None` for one letter piece. After each level
/// `progress` is told its moves and how many states it has.
///
/// `Err` if memory runs out, or if a best answer has more than [`Solution::MOST_MOVES`] moves.
pub fn solve(
    group: Group,
    after_exit: Option<&Table>,
    means: Means,
    mut progress: impl FnMut(u32, u64),
) -> Result<Table, String> {
    assert_eq!(after_exit.map(Table::group), group.after_exit(), "the table of the group after an exit");
    let mut table = Table::empty(group)?;
    let Means { threads, most_steps } = means;
    let solver = Solver { table: &table, after_exit, geometry: table.index.geometry, most_steps };
    if after_exit.is_none() {
        in_blocks(table.states(), threads, || (), |(), state| solver.mark_if_exit(state));
    }
    let mut higher = after_exit.is_some();
    // A level more than a table may hold shows that there is one.
    for level in 1..u8::MAX {
        let exits = higher;
        if exits {
            higher = solver.mark_before_exits(level, threads);
        }
        let states = solver.settle(level, threads);
        if states > 0 {
            progress(u32::from(level), states);
        } else if !exits {
            table.row = table.counted(threads);
            return Ok(table);
        }
    }
    Err(format!("group {group} has best answers of more than {} moves", Solution::MOST_MOVES))
}

struct Solver<'a> {
    table: &'a Table,
    after_exit: Option<&'a Table>,
    geometry: &'static Geometry,
    most_steps: u32,
}

/// What a thread keeps from state to state.
#[derive(Default)]
struct Scratch {
    states: u64,
    successors: Vec<Successor>,
    predecessors: Vec<usize>,
}

/// A move from the state that is looked at.
#[derive(Clone, Copy)]
struct Successor {
    from: Square,
    to: Square,
    steps: u32,
    /// Where it leads.
    state: usize,
    /// From the frame of that state back to the frame of this one.
    symmetry: usize,
    exit: bool,
}

impl Solver<'_> {
    fn mover(&self, on: Square, others: u64, exit: u64) -> Mover {
        Mover { on, others, exit, most_steps: self.most_steps }
    }

    /// A letter piece alone that can leave at once takes one move.
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

    /// Takes back all exits that lead to states of this level; whether the group after the exit has higher ones.
    fn mark_before_exits(&self, level: u8, threads: usize) -> bool {
        let Some(after_exit) = self.after_exit else { return false };
        let look = |(higher, scratch): &mut (bool, Scratch), state: usize| {
            let moves = after_exit.moves_at(state);
            *higher |= moves > level;
            if moves == level {
                self.before_exits(after_exit, state, scratch);
                self.mark(level + 1, scratch);
            }
        };
        let parts = in_blocks(after_exit.states(), threads, Default::default, look);
        parts.into_iter().any(|(higher, _)| higher)
    }

    fn before_exits(&self, after_exit: &Table, state: usize, scratch: &mut Scratch) {
        let after = after_exit.index.position(state);
        let centre = self.geometry.centre();
        if after.numbers & centre.bit() != 0 {
            return;
        }
        let mover = self.mover(centre, after.occupied(), centre.bit());
        for letter in squares(mover.origins(self.geometry)) {
            self.before_letter_move(after.letters | letter.bit(), after.numbers, scratch);
        }
    }

    /// Finds the best answers to every state of a level, takes its moves back; the number of these states.
    fn settle(&self, level: u8, threads: usize) -> u64 {
        let look = |scratch: &mut Scratch, state: usize| {
            if self.table.moves_at(state) == level {
                scratch.states += 1;
                let (class, numbers) = self.table.index.state(state);
                self.table.put_details(state, numbers, &self.best(class, numbers, level, scratch));
                self.before(class, numbers, scratch);
                self.mark(level + 1, scratch);
            }
        };
        in_blocks(self.table.states(), threads, Scratch::default, look).iter().map(|scratch| scratch.states).sum()
    }

    /// Gives a level to the predecessors that have none.
    fn mark(&self, level: u8, scratch: &mut Scratch) {
        for state in scratch.predecessors.drain(..) {
            let moves = &self.table.moves[state];
            if moves.load(Ordering::Relaxed) == 0 {
                moves.store(level, Ordering::Relaxed);
            }
        }
    }

    /// All states with a move to this one.
    fn before(&self, class: usize, numbers: u64, scratch: &mut Scratch) {
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
                self.before_letter_move(letters ^ letter.bit() ^ origin.bit(), numbers, scratch);
            }
        }
    }

    fn before_letter_move(&self, letters: u64, numbers: u64, scratch: &mut Scratch) {
        let index = &self.table.index;
        let (class, symmetry) = index.class(letters);
        let turned = self.geometry.image(symmetry, numbers);
        scratch.predecessors.push(index.at(class, turned));
        // Moves of number pieces come back from each of these states by itself; the letter pieces came from elsewhere.
        for &symmetry in &index.classes[class].stabiliser {
            scratch.predecessors.push(index.at(class, self.geometry.image(symmetry, turned)));
        }
    }

    /// The best answers to a state of this level, all states of the level before being known.
    fn best(&self, class: usize, numbers: u64, level: u8, scratch: &mut Scratch) -> Solution {
        let letters = self.table.index.classes[class].letters;
        scratch.successors.clear();
        self.letter_moves(letters, numbers, &mut scratch.successors);
        // Each letter piece needs a move of its own: without one to spare no number piece moves.
        if u32::from(level) > self.table.group().letters {
            self.number_moves(class, numbers, &mut scratch.successors);
        }
        scratch.successors.retain(|successor| self.leads_to(level - 1, successor));
        let steps = |successor: &Successor| successor.steps + self.steps_after(successor);
        let fewest = scratch.successors.iter().map(steps).min();
        let fewest = fewest.expect("a state of a level has a move to the level before");
        let (mut count, mut insignificant) = (0_u64, 0);
        let mut trails: Option<(Square, Trails)> = None;
        for successor in &scratch.successors {
            if steps(successor) > fewest {
                continue;
            }
            let after = self.after(successor, numbers);
            let from = successor.from;
            // Successors come piece by piece.
            if trails.as_ref().is_none_or(|(last, _)| *last != from) {
                let exit = if letters & from.bit() == 0 { 0 } else { self.geometry.centre().bit() };
                let mover = self.mover(from, (letters | numbers) ^ from.bit(), exit);
                trails = Some((from, mover.trails(self.geometry)));
            }
            let Some((_, trails)) = &trails else { continue };
            count = count.saturating_add(after.count.saturating_mul(trails.ways[successor.to.index()]));
            insignificant |= after.insignificant & trails.idle[successor.to.index()] & !successor.to.bit();
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

    /// Whether a move leads to a state of this level, or to the goal, which is level 0.
    #[inline]
    fn leads_to(&self, level: u8, successor: &Successor) -> bool {
        match self.table_after(successor) {
            None => level == 0,
            // A table says 0 of a state that has no level.
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

    /// The best answers after a move that leads to a lower level, in the frame of the state before it.
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
