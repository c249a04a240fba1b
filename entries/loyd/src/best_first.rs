//! Best-first search: of all boards found and not yet looked at, the one with the least cost is next.
//!
//! A*, and what contestants made of it, differ in what a board costs, in which of two equals comes first, and in what
//! happens to a board that is found again; those are the strategy's own affair. Here is what they share: the frontier,
//! the table of the boards found, and the bounds of memory and time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use crate::board::Board;
use crate::budget::Budget;
use crate::key::Key;
use crate::moves::{Move, exits};
use crate::spot::SpotSet;
use crate::trail::{Mark, Trail};

/// How many boards fit into 1 GiB with room to spare, at some 58 bytes each: 32 in the table and 11 for its hashes,
/// 8 in the trail, most of 8 in the frontier.
const BOARDS: usize = 14_000_000;

/// The share of the time that a search may take; it takes a while to give the memory back.
const SHARE: f64 = 0.9;

/// Which of two boards of the same cost is looked at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The one found first: broad.
    Oldest,
    /// The one found last: deep.
    Newest,
}

/// What is done with a board that is found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is dropped: the first way to a board stays its way.
    Drop,
    /// If the new way is shorter, the board waits anew with that one, as in A*.
    Reopen,
}

/// Why a search ended without a way to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// As many boards were found as may be kept.
    OutOfMemory,
    /// The time was over.
    OutOfTime,
    /// All boards within reach were looked at.
    OutOfReach,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotFound::OutOfMemory => "the memory for boards is full",
            NotFound::OutOfTime => "the time is over",
            NotFound::OutOfReach => "no moves lead to the goal",
        })
    }
}

/// What a best-first search is to find, and within what.
#[derive(Clone, Copy, Debug)]
pub struct BestFirst {
    /// The board to reach.
    pub goal: Board,
    /// Spots that the empty spot never enters, so that what stands there stays.
    pub fixed: SpotSet,
    /// Which of equals comes first.
    pub ties: Ties,
    /// What is done with a board found again.
    pub again: Again,
    /// The time there is.
    pub budget: Budget,
    /// How many boards may be kept.
    pub boards: usize,
}

impl BestFirst {
    /// A search for perfection on the whole board, in the memory and the time of an entry.
    pub fn for_perfection(ties: Ties, again: Again) -> BestFirst {
        BestFirst {
            goal: Board::perfection(),
            fixed: SpotSet::default(),
            ties,
            again,
            budget: Budget::of_entry().part(SHARE),
            boards: BOARDS,
        }
    }

    /// The moves from a board to the goal. `cost` values a board and how many moves led to it; the search ends when
    /// the goal is the board that costs least, and the answer is the way to it that is then known.
    pub fn search<Cost: Ord>(&self, from: &Board, cost: impl Fn(&Board, u32) -> Cost) -> Result<Vec<Move>, NotFound> {
        let mut found = Found::new(from.key(), self.boards);
        let mut frontier = BinaryHeap::new();
        frontier.push((Reverse(cost(from, 0)), self.turn(0)));
        let mut watch = self.budget.watch();
        while let Some((_, turn)) = frontier.pop() {
            let (board, way) = found.get(self.turn(turn));
            if board == self.goal {
                return Ok(found.trail.moves(way.mark));
            }
            if watch.is_over() {
                return Err(NotFound::OutOfTime);
            }
            for &(made, empty) in &exits()[board.empty().index()] {
                if self.fixed.contains(empty) {
                    continue;
                }
                let mut next = board;
                next.pull(empty);
                if let Some(number) = found.insert(next.key(), way, made, self.again) {
                    frontier.push((Reverse(cost(&next, way.moves + 1)), self.turn(number)));
                }
            }
            if found.boards.len() > self.boards {
                return Err(NotFound::OutOfMemory);
            }
        }
        Err(NotFound::OutOfReach)
    }

    /// Among equals the greater turn is earlier. Turns and numbers of boards are exchanged by the same rule.
    fn turn(&self, number: u32) -> u32 {
        match self.ties {
            Ties::Oldest => u32::MAX - number,
            Ties::Newest => number,
        }
    }
}

/// The boards found, each with the way to it that is known. They are numbered in the order of finding.
struct Found {
    boards: IndexMap<Key, Way, FxBuildHasher>,
    trail: Trail,
}

/// How a board was reached: the end of its trail, and how long that is.
#[derive(Clone, Copy)]
struct Way {
    mark: Mark,
    moves: u32,
}

impl Found {
    /// Room for so many boards and those that one more has next to it; a table that grew would stop the search for
    /// longer than the clock has to wait.
    fn new(start: Key, room: usize) -> Found {
        let mut boards = IndexMap::with_capacity_and_hasher(room + Move::ALL.len(), FxBuildHasher);
        boards.insert(start, Way { mark: Trail::START, moves: 0 });
        Found { boards, trail: Trail::default() }
    }

    fn get(&self, number: u32) -> (Board, Way) {
        let (&key, &way) = self.boards.get_index(number as usize).expect("boards are numbered as they are found");
        (Board::from(key), way)
    }

    /// Records that a move led on to a board, and gives the board's number if it is to be looked at for that.
    fn insert(&mut self, key: Key, before: Way, made: Move, again: Again) -> Option<u32> {
        let moves = before.moves + 1;
        let number = match self.boards.entry(key) {
            Entry::Occupied(known) if again == Again::Drop || known.get().moves <= moves => return None,
            Entry::Occupied(mut known) => {
                known.insert(Way { mark: self.trail.push(before.mark, made), moves });
                known.index()
            }
            Entry::Vacant(free) => {
                let number = free.index();
                free.insert(Way { mark: self.trail.push(before.mark, made), moves });
                number
            }
        };
        Some(u32::try_from(number).expect("memory ends before the numbers do"))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use super::*;
    use crate::spot::Spot;

    fn search(ties: Ties, again: Again) -> BestFirst {
        let budget = Budget::within(Duration::from_secs(600));
        BestFirst { budget, ..BestFirst::for_perfection(ties, again) }
    }

    /// A board that so many slides lead from to perfection, or fewer.
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
    fn with_costs_that_are_never_too_high_the_answer_is_as_short_as_breadth_first_finds_it() {
        for seed in 0..20 {
            let board = scrambled(seed, 8);
            let breadth = search(Ties::Oldest, Again::Drop).search(&board, |_, moves| moves).expect("a way");
            for ties in [Ties::Oldest, Ties::Newest] {
                let found = search(ties, Again::Reopen).search(&board, least_moves).expect("a way");
                assert!(solves(&board, &found));
                assert_eq!(found.len(), breadth.len(), "{board:?}");
            }
        }
    }

    #[test]
    fn of_equals_the_oldest_or_the_newest_is_looked_at_first() {
        let looked_at = |ties| {
            let seen = RefCell::new(Vec::new());
            let few = BestFirst { boards: 40, ..search(ties, Again::Drop) };
            let end = few.search(&rotated(), |_, moves| seen.borrow_mut().push(moves));
            assert_eq!(end, Err(NotFound::OutOfMemory));
            seen.into_inner()
        };
        assert!(looked_at(Ties::Oldest).is_sorted(), "level after level");
        assert!(looked_at(Ties::Oldest).last() < looked_at(Ties::Newest).last(), "one way down");
    }

    #[test]
    fn a_board_found_again_by_a_shorter_way_keeps_it_only_where_it_is_reopened() {
        // Four spots in the lower right corner are a ring of twelve boards, and two slides are ten the other way round.
        let ring = [18, 19, 23, 24].map(Spot::new);
        let fixed = Spot::all().filter(|&spot| !ring.contains(&Some(spot))).collect();
        let board = Board::before(&[Move::Left, Move::Up]).expect("slides");
        let lengths = [Again::Drop, Again::Reopen].map(|again| {
            let deep_and_the_goal_last = |board: &Board, moves| (*board == Board::perfection(), Reverse(moves));
            let found = BestFirst { fixed, ..search(Ties::Oldest, again) }.search(&board, deep_and_the_goal_last);
            found.expect("a way").len()
        });
        assert_eq!(lengths, [10, 2]);
    }

    #[test]
    fn what_is_fixed_stays_and_a_goal_behind_it_is_out_of_reach() {
        let upper: SpotSet = Spot::all().take(15).collect();
        let lower = BestFirst { fixed: upper, ..search(Ties::Oldest, Again::Reopen) };
        let swapped: Board = "ABCDE FGHIJ KLMNO PQRST UVW+X".parse().expect("a board");
        assert_eq!(lower.search(&swapped, least_moves), Ok(vec![Move::Left]));
        let behind: Board = "BACDE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let row: SpotSet = Spot::all().take(23).collect();
        let row = BestFirst { fixed: row, ..lower };
        assert_eq!(row.search(&behind, least_moves), Err(NotFound::OutOfReach));
    }

    #[test]
    fn a_search_ends_with_its_memory_or_its_time() {
        let short = BestFirst { boards: 1_000, ..search(Ties::Oldest, Again::Drop) };
        assert_eq!(short.search(&rotated(), least_moves), Err(NotFound::OutOfMemory));
        let late = BestFirst { budget: Budget::within(Duration::ZERO), ..short };
        assert_eq!(late.search(&rotated(), least_moves), Err(NotFound::OutOfTime));
    }
}
