//! The best answers to all problems of a group, stored by the dense index.
//!
//! A state takes nine bytes: one for its moves, which is all that most look-ups read, and eight for the rest. They are
//! atomic because several threads fill them. No code relies on an order between them: each level of the solver ends by
//! joining its threads.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::answer::Cost;
use crate::geometry::squares;
use crate::position::Position;

use super::group::Group;
use super::index::Index;
use super::parallel::in_blocks;
use super::piece_moves::has_move;

/// The best answers to a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution {
    /// Moves and steps of each.
    pub cost: Cost,
    /// The number of best answers; [`Solution::MAX`] stands for that many or more.
    pub count: u64,
    /// The squares of the number pieces that at least one best answer neither moves nor stops against.
    pub insignificant: u64,
}

/// Bits of a state's details for the insignificant pieces, and for the steps; the rest is for the count. A move has at
/// most as many steps as the board has squares, so 254 moves have fewer than 2¹³.
const IDLE_BITS: u32 = 9;
const STEP_BITS: u32 = 13;

impl Solution {
    /// The largest number of answers that a table can store.
    pub const MAX: u64 = u64::MAX >> (IDLE_BITS + STEP_BITS);
    /// The most moves of a best answer that a table holds.
    pub const MAX_MOVES: u32 = u8::MAX as u32 - 2;

    /// True if every number piece is significant in every best answer; the article counts only these problems.
    pub fn is_significant(&self) -> bool {
        self.insignificant == 0
    }
}

/// A row of the article's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Row {
    /// Problems, rotations and reflections excluded.
    pub problems: u64,
    /// Problems with a legal move.
    pub movable: u64,
    /// Problems that have an answer.
    pub solvable: u64,
    /// Problems whose number pieces are all significant in every best answer.
    pub solutions: u64,
    /// The most moves of the best answers to the last kind; `None` if there are none.
    pub max_moves: Option<u32>,
    /// The most steps of these answers, possibly of another problem.
    pub max_steps: Option<u32>,
    /// The most moves of the best answers to all solvable problems.
    pub longest: Option<u32>,
}

impl Row {
    /// Adds the row of another part of the group.
    fn add(&mut self, other: Row) {
        self.problems += other.problems;
        self.movable += other.movable;
        self.solvable += other.solvable;
        self.solutions += other.solutions;
        self.max_moves = self.max_moves.max(other.max_moves);
        self.max_steps = self.max_steps.max(other.max_steps);
        self.longest = self.longest.max(other.longest);
    }

    /// Counts a problem that has this solution.
    pub(super) fn count_solved(&mut self, solution: &Solution) {
        self.solvable += 1;
        self.longest = self.longest.max(Some(solution.cost.moves));
        if solution.is_significant() {
            self.solutions += 1;
            self.max_moves = self.max_moves.max(Some(solution.cost.moves));
            self.max_steps = self.max_steps.max(Some(solution.cost.steps));
        }
    }
}

/// All problems of a group and their best answers.
#[derive(Debug)]
pub struct Table {
    pub(super) index: Index,
    /// 0 for a state without an answer.
    pub(super) moves: Vec<AtomicU8>,
    pub(super) details: Vec<AtomicU64>,
    pub(super) row: Row,
}

impl Table {
    /// Bytes of memory for a group's table.
    pub fn bytes(group: Group) -> u64 {
        Index::len_of(group) * (size_of::<AtomicU8>() + size_of::<AtomicU64>()) as u64
    }

    /// Creates a table without answers. `Err` if there is no memory for it.
    pub(super) fn empty(group: Group) -> Result<Table, String> {
        let index = Index::new(group);
        let (mut moves, mut details) = (Vec::new(), Vec::new());
        let reserved = moves.try_reserve_exact(index.len()).and_then(|()| details.try_reserve_exact(index.len()));
        reserved.map_err(|error| format!("no memory for group {group}: {error}"))?;
        moves.resize_with(index.len(), AtomicU8::default);
        details.resize_with(index.len(), AtomicU64::default);
        Ok(Table { index, moves, details, row: Row::default() })
    }

    /// The group of the table.
    pub fn group(&self) -> Group {
        self.index.group
    }

    /// The best answers to a problem in any orientation; `None` if there are none.
    ///
    /// # Panics
    /// If the position does not belong to this group, for example with a letter piece on the centre.
    pub fn solution(&self, position: Position) -> Option<Solution> {
        let Position { letters, numbers } = position;
        let Group { letters: letter_count, numbers: number_count, .. } = self.group();
        let misplaced = letters & self.index.geometry.centre().bit() | letters & numbers;
        assert!(
            (letters.count_ones(), numbers.count_ones(), misplaced) == (letter_count, number_count, 0),
            "a position of group {}",
            self.group()
        );
        let (class, symmetry) = self.index.class(letters);
        let turned = self.index.geometry.image(symmetry, numbers);
        let solution = self.at(self.index.at(class, turned), turned)?;
        let back = self.index.geometry.inverse(symmetry);
        Some(Solution { insignificant: self.index.geometry.image(back, solution.insignificant), ..solution })
    }

    /// Lists the solvable problems, each once, with their best answers, in the order of the file format: by letter
    /// pieces, then by the bits of the number pieces.
    pub fn problems(&self) -> impl Iterator<Item = (Position, Solution)> + '_ {
        self.solved_states().map(|(_, position, solution)| (position, solution))
    }

    /// As [`Table::problems`], with the index of each problem.
    pub(super) fn solved_states(&self) -> impl Iterator<Item = (usize, Position, Solution)> + '_ {
        (0..self.index.len()).filter_map(|state| self.problem(state).map(|(position, found)| (state, position, found)))
    }

    /// The problem that a state represents; `None` if it represents none, or an unsolvable one.
    pub(super) fn problem(&self, state: usize) -> Option<(Position, Solution)> {
        if self.moves[state].load(Ordering::Relaxed) == 0 {
            return None;
        }
        let (class, numbers) = self.index.state(state);
        let solution = self.at(state, numbers)?;
        let letters = self.index.classes[class].letters;
        self.index.is_first(class, numbers).then_some((Position { letters, numbers }, solution))
    }

    /// The number of states, for [`Table::problem`].
    pub(super) fn states(&self) -> usize {
        self.index.len()
    }

    /// The row of this group.
    pub fn row(&self) -> Row {
        self.row
    }

    /// Computes the row from all problems.
    pub(super) fn count_row(&self, threads: usize) -> Row {
        let mut row = Row::default();
        for part in in_blocks(self.index.len(), threads, Row::default, |row, state| self.count(state, row)) {
            row.add(part);
        }
        row
    }

    fn count(&self, state: usize, row: &mut Row) {
        let (class, numbers) = self.index.state(state);
        if !self.index.is_first(class, numbers) {
            return;
        }
        row.problems += 1;
        let occupied = self.index.classes[class].letters | numbers;
        row.movable += u64::from(has_move(self.index.geometry, occupied));
        if let Some(solution) = self.at(state, numbers) {
            row.count_solved(&solution);
        }
    }

    /// The moves of a state; 0 if it has no answer, or none found yet.
    #[inline]
    pub(super) fn moves_at(&self, state: usize) -> u8 {
        self.moves[state].load(Ordering::Relaxed)
    }

    /// The steps of the best answers to a solvable state.
    #[inline]
    pub(super) fn steps_at(&self, state: usize) -> u32 {
        steps(self.details[state].load(Ordering::Relaxed))
    }

    /// The best answers to a state with these number pieces.
    pub(super) fn at(&self, state: usize, numbers: u64) -> Option<Solution> {
        let moves = u32::from(self.moves_at(state));
        (moves > 0).then(|| {
            let details = self.details[state].load(Ordering::Relaxed);
            let idle = details & ((1 << IDLE_BITS) - 1);
            Solution {
                cost: Cost { moves, steps: steps(details) },
                count: details >> (IDLE_BITS + STEP_BITS),
                insignificant: chosen(numbers, idle),
            }
        })
    }

    /// Stores the best answers to a problem in all its states; its letter pieces must be those of a class.
    pub(super) fn put(&self, problem: Position, solution: &Solution) {
        let (class, _) = self.index.class(problem.letters);
        let moves = u8::try_from(solution.cost.moves).expect("at most 253 moves");
        // The identity, and the symmetries that keep the letter pieces in place.
        for symmetry in std::iter::once(0).chain(self.index.classes[class].stabiliser.iter().copied()) {
            let image = |set: u64| self.index.geometry.image(symmetry, set);
            let state = self.index.at(class, image(problem.numbers));
            self.moves[state].store(moves, Ordering::Relaxed);
            let turned = Solution { insignificant: image(solution.insignificant), ..*solution };
            self.put_details(state, image(problem.numbers), &turned);
        }
    }

    /// Stores the best answers to a state with these number pieces, whose moves are stored already.
    pub(super) fn put_details(&self, state: usize, numbers: u64, solution: &Solution) {
        let idle = places(numbers, solution.insignificant);
        let steps = u64::from(solution.cost.steps);
        let details = solution.count.min(Solution::MAX) << (IDLE_BITS + STEP_BITS) | steps << IDLE_BITS | idle;
        self.details[state].store(details, Ordering::Relaxed);
    }
}

/// The steps among the details of a state.
#[expect(clippy::cast_possible_truncation, reason = "13 bits")]
fn steps(details: u64) -> u32 {
    (details >> IDLE_BITS) as u32 & ((1 << STEP_BITS) - 1)
}

/// The squares of a set at the given places, counted from its first square.
pub(super) fn chosen(set: u64, places: u64) -> u64 {
    if places == 0 {
        return 0;
    }
    squares(set)
        .enumerate()
        .filter(|(place, _)| places >> place & 1 == 1)
        .fold(0, |some, (_, square)| some | square.bit())
}

/// The places of some squares of a set, counted from its first square.
pub(super) fn places(set: u64, some: u64) -> u64 {
    squares(set)
        .enumerate()
        .filter(|(_, square)| some & square.bit() != 0)
        .fold(0, |places, (place, _)| places | 1 << place)
}
