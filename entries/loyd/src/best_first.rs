//! Best-first search: of all boards found and not yet expanded, the one with the least cost is next.
//!
//! A* and its variants by the contestants differ in the cost of a board, in the order of equal boards, and in the
//! treatment of a board that is found again. The strategy chooses those. This module has the shared part: the frontier,
//! the table of the boards found, and the limits of memory and time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use crate::board::Board;
use crate::budget::Budget;
use crate::key::Key;
use crate::move_tree::{MoveTree, NodeId};
use crate::moves::{Move, move_table};
use crate::spot::SpotSet;

/// Number of boards that fit into 1 GiB with room to spare, at some 58 bytes each: 32 in the table and 11 for its
/// hashes, 8 in the tree of moves, most of 8 in the frontier.
pub const BOARDS: usize = 14_000_000;

/// Share of the time that a search may take; releasing its memory takes some of the rest.
const SHARE: f64 = 0.9;

/// Order of boards of equal cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The one found first, which makes the search broad.
    Oldest,
    /// The one found last, which makes the search deep.
    Newest,
}

/// Treatment of a board that is found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revisit {
    /// The search drops it: the first path to a board is kept.
    Drop,
    /// If the new path is shorter, the board returns to the frontier with that one, as in A*.
    Reopen,
}

/// Reason why a search ended without reaching its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// The search found as many boards as it may keep.
    OutOfMemory,
    /// The time limit was reached.
    OutOfTime,
    /// All reachable boards were expanded.
    Unreachable,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotFound::OutOfMemory => "memory limit for boards reached",
            NotFound::OutOfTime => "time limit reached",
            NotFound::Unreachable => "no moves lead to the goal",
        })
    }
}

/// A best-first search: its goal, its order, and its limits.
#[derive(Clone, Copy, Debug)]
pub struct BestFirst {
    /// The board to reach, which need not be perfection.
    pub goal: Board,
    /// Spots that the empty spot never enters, so that their tiles stay.
    pub fixed: SpotSet,
    /// Order of boards of equal cost.
    pub ties: Ties,
    /// Treatment of a board that is found again.
    pub revisit: Revisit,
    /// The time after which the search gives up.
    pub budget: Budget,
    /// Most boards to keep, which bounds the memory.
    pub boards: usize,
}

impl BestFirst {
    /// A search for perfection on the whole board, within the memory and time of an entry.
    pub fn for_perfection(ties: Ties, revisit: Revisit) -> BestFirst {
        BestFirst {
            goal: Board::perfection(),
            fixed: SpotSet::default(),
            ties,
            revisit,
            budget: Budget::from_entry().part(SHARE),
            boards: BOARDS,
        }
    }

    /// Finds moves from a board to the goal. `cost` takes a board and the number of moves to it. The search ends when
    /// the goal is the board of least cost, and returns the path to it that is known then.
    pub fn search<Cost: Ord>(&self, from: &Board, cost: impl Fn(&Board, u32) -> Cost) -> Result<Vec<Move>, NotFound> {
        let mut found = FoundBoards::new(from.key(), self.boards);
        let mut frontier = BinaryHeap::new();
        frontier.push((Reverse(cost(from, 0)), self.priority(0)));
        let mut watch = self.budget.watch();
        while let Some((_, priority)) = frontier.pop() {
            let (board, path) = found.get(self.priority(priority));
            if board == self.goal {
                return Ok(found.tree.moves(path.node));
            }
            if watch.is_over() {
                return Err(NotFound::OutOfTime);
            }
            for &(made, empty) in &move_table()[board.empty().index()] {
                if self.fixed.contains(empty) {
                    continue;
                }
                let mut next = board;
                next.pull(empty);
                if let Some(number) = found.insert(next.key(), path, made, self.revisit) {
                    frontier.push((Reverse(cost(&next, path.moves + 1)), self.priority(number)));
                }
            }
            if found.boards.len() > self.boards {
                return Err(NotFound::OutOfMemory);
            }
        }
        Err(NotFound::Unreachable)
    }

    /// Converts a board's number to its priority among boards of equal cost, or back; the greater priority comes first.
    fn priority(&self, number: u32) -> u32 {
        match self.ties {
            Ties::Oldest => u32::MAX - number,
            Ties::Newest => number,
        }
    }
}

/// The boards found, each with the path to it that is kept. They are numbered in the order of finding.
struct FoundBoards {
    boards: IndexMap<Key, Path, FxBuildHasher>,
    tree: MoveTree,
}

/// The path to a board: its last node in the tree of moves, and its length.
#[derive(Clone, Copy)]
struct Path {
    node: NodeId,
    moves: u32,
}

impl FoundBoards {
    /// Allocates room for this many boards and the neighbours of one more. A table that grew would stop the search for
    /// too long between two checks of the clock.
    fn new(start: Key, room: usize) -> FoundBoards {
        let mut boards = IndexMap::with_capacity_and_hasher(room + Move::ALL.len(), FxBuildHasher);
        boards.insert(start, Path { node: MoveTree::ROOT, moves: 0 });
        FoundBoards { boards, tree: MoveTree::default() }
    }

    fn get(&self, number: u32) -> (Board, Path) {
        let (&key, &path) = self.boards.get_index(number as usize).expect("boards are numbered as they are found");
        (Board::from(key), path)
    }

    /// Records that a move led to a board, and returns the board's number if it has to be expanded because of that.
    fn insert(&mut self, key: Key, before: Path, made: Move, revisit: Revisit) -> Option<u32> {
        let moves = before.moves + 1;
        let number = match self.boards.entry(key) {
            Entry::Occupied(known) if revisit == Revisit::Drop || known.get().moves <= moves => return None,
            Entry::Occupied(mut known) => {
                known.insert(Path { node: self.tree.push(before.node, made), moves });
                known.index()
            }
            Entry::Vacant(free) => {
                let number = free.index();
                free.insert(Path { node: self.tree.push(before.node, made), moves });
                number
            }
        };
        Some(u32::try_from(number).expect("the limit on boards keeps numbers small"))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::*;
    use crate::spot::Spot;

    fn search(ties: Ties, revisit: Revisit) -> BestFirst {
        let budget = Budget::within(Duration::from_secs(600));
        BestFirst { budget, ..BestFirst::for_perfection(ties, revisit) }
    }

    /// A board at most this many slides from perfection.
    fn scrambled(seed: usize, slides: usize) -> Board {
        let mut board = Board::perfection();
        for step in 0..slides {
            let legal: Vec<Board> = Move::SLIDES.iter().filter_map(|&slide| board.after(slide)).collect();
            board = legal[(step * step + seed * step + seed / 5) % 11 % legal.len()];
        }
        board
    }

    /// A board far from perfection.
    fn rotated() -> Board {
        "+XWVU TSRQP ONMLK JIHGF EDCBA".parse().expect("a board")
    }

    fn solves(board: &Board, moves: &[Move]) -> bool {
        moves.iter().try_fold(*board, |board, &made| board.after(made)) == Some(Board::perfection())
    }

    fn least_moves(board: &Board, moves: u32) -> u32 {
        board.least_moves() + moves
    }

    #[test]
    fn with_an_admissible_cost_the_answer_is_as_short_as_by_breadth_first_search() {
        for seed in 0..20 {
            let board = scrambled(seed, 8);
            let breadth = search(Ties::Oldest, Revisit::Drop).search(&board, |_, moves| moves).expect("a path");
            for ties in [Ties::Oldest, Ties::Newest] {
                let found = search(ties, Revisit::Reopen).search(&board, least_moves).expect("a path");
                assert!(solves(&board, &found));
                assert_eq!(found.len(), breadth.len(), "{board:?}");
            }
        }
    }

    #[test]
    fn of_equal_boards_the_oldest_or_the_newest_is_expanded_first() {
        let expanded = |ties| {
            let seen = RefCell::new(Vec::new());
            let few = BestFirst { boards: 40, ..search(ties, Revisit::Drop) };
            let end = few.search(&rotated(), |_, moves| seen.borrow_mut().push(moves));
            assert_eq!(end, Err(NotFound::OutOfMemory));
            seen.into_inner()
        };
        assert!(expanded(Ties::Oldest).is_sorted(), "level after level");
        assert!(expanded(Ties::Oldest).last() < expanded(Ties::Newest).last(), "straight down");
    }

    #[test]
    fn a_shorter_path_to_a_known_board_replaces_the_longer_one_only_if_boards_are_reopened() {
        // Four spots in the lower right corner are a ring of twelve boards, and two slides are ten the other way round.
        let ring = [18, 19, 23, 24].map(Spot::new);
        let fixed = Spot::all().filter(|&spot| !ring.contains(&Some(spot))).collect();
        let board = Board::before(&[Move::Left, Move::Up]).expect("slides");
        let lengths = [Revisit::Drop, Revisit::Reopen].map(|revisit| {
            let deep_and_the_goal_last = |board: &Board, moves| (*board == Board::perfection(), Reverse(moves));
            let found = BestFirst { fixed, ..search(Ties::Oldest, revisit) }.search(&board, deep_and_the_goal_last);
            found.expect("a path").len()
        });
        assert_eq!(lengths, [10, 2]);
    }

    #[test]
    fn fixed_tiles_stay() {
        let upper: SpotSet = Spot::all().take(15).collect();
        let lower = BestFirst { fixed: upper, ..search(Ties::Oldest, Revisit::Reopen) };
        let swapped: Board = "ABCDE FGHIJ KLMNO PQRST UVW+X".parse().expect("a board");
        assert_eq!(lower.search(&swapped, least_moves), Ok(vec![Move::Left]));
    }

    #[test]
    fn a_goal_that_moves_fixed_tiles_is_unreachable() {
        let behind: Board = "BACDE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let row: SpotSet = Spot::all().take(23).collect();
        let row = BestFirst { fixed: row, ..search(Ties::Oldest, Revisit::Reopen) };
        assert_eq!(row.search(&behind, least_moves), Err(NotFound::Unreachable));
    }

    #[test]
    fn a_search_ends_at_its_memory_or_time_limit() {
        let short = BestFirst { boards: 1_000, ..search(Ties::Oldest, Revisit::Drop) };
        assert_eq!(short.search(&rotated(), least_moves), Err(NotFound::OutOfMemory));
        let late = BestFirst { budget: Budget::within(Duration::ZERO), ..short };
        assert_eq!(late.search(&rotated(), least_moves), Err(NotFound::OutOfTime));
    }
}
