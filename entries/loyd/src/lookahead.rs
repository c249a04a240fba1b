//! Exhaustive lookahead: the best of all sequences of this many moves.
//!
//! The strategy chooses the penalties, the depth, and the use of the result.

use crate::board::Board;
use crate::budget::Watch;
use crate::moves::{Move, move_table};
use crate::penalty::Penalties;
use crate::spot::{Spot, SpotSet};

/// The sequences that a lookahead compares.
#[derive(Clone, Copy)]
pub enum Sequences<'a> {
    /// Those of one move up to the depth.
    UpTo,
    /// Those of exactly the depth, and shorter ones that end on a board for which the function returns `true`. No
    /// sequence goes beyond such a board.
    Whole(&'a dyn Fn(&Board) -> bool),
}

/// The settings of a lookahead.
pub struct Lookahead<'a, Evaluate: Fn(&Board, i32) -> i32> {
    /// The penalties of the tiles, updated from move to move.
    pub penalties: &'a Penalties,
    /// The score of a board, lower is better, from the board and its penalties.
    pub evaluate: Evaluate,
    /// Spots that are not touched.
    pub fixed: SpotSet,
    /// The sequences that are compared.
    pub sequences: Sequences<'a>,
}

/// The best sequence of moves found by a lookahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookaheadResult {
    /// The best score, lower is better.
    pub score: i32,
    /// The moves to it, at least one.
    pub moves: Vec<Move>,
    /// Number of boards evaluated, for the cost of the lookahead.
    pub boards: u64,
}

impl<Evaluate: Fn(&Board, i32) -> i32> Lookahead<'_, Evaluate> {
    /// Finds the best board after up to `depth` moves: the lowest score, of equal scores the one with fewer moves, and
    /// of those the one whose moves come first in the order of [`Move::ALL`]. No move undoes the one before it; the
    /// first move does not bring the empty spot back to `came_from`. `None` at the time limit, or if there is no move.
    pub fn from(
        &self,
        board: &Board,
        came_from: Option<Spot>,
        depth: usize,
        watch: &mut Watch,
    ) -> Option<LookaheadResult> {
        let mut search = Search { lookahead: self, watch, path: Vec::with_capacity(depth), best: None, boards: 0 };
        let mut at = *board;
        search.deeper(&mut at, self.penalties.total(board), came_from, depth);
        let boards = search.boards;
        let result = search.best.map(|(score, moves)| LookaheadResult { score, moves, boards });
        result.filter(|_| !watch.is_over())
    }
}

struct Search<'a, 'b, Evaluate: Fn(&Board, i32) -> i32> {
    lookahead: &'a Lookahead<'b, Evaluate>,
    watch: &'a mut Watch,
    path: Vec<Move>,
    best: Option<(i32, Vec<Move>)>,
    boards: u64,
}

impl<Evaluate: Fn(&Board, i32) -> i32> Search<'_, '_, Evaluate> {
    fn deeper(&mut self, board: &mut Board, penalty: i32, came_from: Option<Spot>, left: usize) {
        let empty = board.empty();
        for &(made, to) in &move_table()[empty.index()] {
            if Some(to) == came_from || self.lookahead.fixed.contains(to) || self.watch.is_over() {
                continue;
            }
            let penalty = penalty + self.lookahead.penalties.change(board, to);
            board.pull(to);
            self.path.push(made);
            self.boards += 1;
            let (counts, goes_on) = match self.lookahead.sequences {
                Sequences::UpTo => (true, left > 1),
                Sequences::Whole(ends) => {
                    let last = left == 1 || ends(board);
                    (last, !last)
                }
            };
            if counts {
                self.record((self.lookahead.evaluate)(board, penalty));
            }
            if goes_on {
                self.deeper(board, penalty, Some(empty), left - 1);
            }
            self.path.pop();
            board.pull(empty);
        }
    }

    fn record(&mut self, score: i32) {
        let moves = self.path.len();
        if self.best.as_ref().is_none_or(|(best, path)| (score, moves) < (*best, path.len())) {
            self.best = Some((score, self.path.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use std::time::Duration;

    fn distances() -> Penalties {
        Penalties::new(|tile, spot| i32::from(tile.home().distance(spot)))
    }

    fn by_distance<'a>(
        penalties: &'a Penalties,
        sequences: Sequences<'a>,
    ) -> Lookahead<'a, impl Fn(&Board, i32) -> i32> {
        Lookahead { penalties, evaluate: |_: &Board, sum| sum, fixed: SpotSet::default(), sequences }
    }

    fn watch() -> Watch {
        Budget::within(Duration::from_secs(600)).watch()
    }

    #[test]
    fn a_lookahead_finds_perfection_within_its_depth() {
        let penalties = distances();
        let lookahead = by_distance(&penalties, Sequences::UpTo);
        let near: Board = "ABCDE FGHIJ KL+MN PQRSO UVWXT".parse().expect("a board");
        let result = lookahead.from(&near, None, 6, &mut watch()).expect("a move");
        assert_eq!((result.score, result.moves.len()), (0, 4));
        let nearer = lookahead.from(&near, None, 2, &mut watch()).expect("a move");
        assert_eq!(nearer.score, 2, "each slide brings one tile home");
    }

    #[test]
    fn a_whole_sequence_has_the_depth_or_ends_where_it_may() {
        let penalties = distances();
        let near: Board = "ABCDE FGHIJ KL+MN PQRSO UVWXT".parse().expect("a board");
        let moves = |ends: &dyn Fn(&Board) -> bool, depth| {
            let result = by_distance(&penalties, Sequences::Whole(ends)).from(&near, None, depth, &mut watch());
            result.expect("a move").moves
        };
        let [nowhere, perfect]: [&dyn Fn(&Board) -> bool; 2] = [&|_| false, &|board| *board == Board::perfection()];
        assert_eq!(moves(nowhere, 6).len(), 6);
        assert_eq!(moves(perfect, 6), [Move::Left, Move::Left, Move::Up, Move::Up]);
        assert_eq!(moves(perfect, 3).len(), 3, "perfection is out of reach");
        let one: &dyn Fn(&Board) -> bool = &|_| true;
        assert_eq!(moves(one, 6), [Move::Left], "no sequence goes beyond a board where it may end");
    }

    #[test]
    fn a_lookahead_leaves_out_useless_moves() {
        let penalties = distances();
        let fixed = [13, 17, 18].into_iter().filter_map(Spot::new).collect();
        let lookahead = Lookahead { fixed, ..by_distance(&penalties, Sequences::UpTo) };
        let start: Board = "ABCDE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let boards = |came_from| lookahead.from(&start, came_from, 1, &mut watch()).map(|result| result.boards);
        assert_eq!(boards(None), Some(3), "d, r and t");
        assert_eq!(boards(Spot::new(19)), Some(2), "r and t");
    }

    #[test]
    fn at_the_time_limit_there_is_no_result() {
        let penalties = distances();
        let lookahead = by_distance(&penalties, Sequences::UpTo);
        let mut over = Budget::within(Duration::ZERO).watch();
        assert_eq!(lookahead.from(&Board::perfection(), None, 3, &mut over), None);
    }
}
