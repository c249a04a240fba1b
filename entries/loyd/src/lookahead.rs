//! Looking ahead: every sequence of up to so many moves, and where the best of them leads.
//!
//! Which penalties, how deep, and what is done with the answer is the strategy's own affair.

use crate::board::Board;
use crate::budget::Watch;
use crate::moves::{Move, exits};
use crate::penalty::Penalties;
use crate::spot::{Spot, SpotSet};

/// How a strategy looks ahead.
pub struct Lookahead<'a, Judge: Fn(&Board, i32) -> i32> {
    /// The penalties of the tiles, kept up to date from move to move.
    pub penalties: &'a Penalties,
    /// The score of a board, lower is better, from the board and its penalties.
    pub judge: Judge,
    /// Spots that are not touched.
    pub fixed: SpotSet,
}

/// Where looking ahead leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The best score, lower is better.
    pub score: i32,
    /// The moves to it, one at least.
    pub moves: Vec<Move>,
    /// How many boards were looked at.
    pub boards: u64,
}

impl<Judge: Fn(&Board, i32) -> i32> Lookahead<'_, Judge> {
    /// The best board that one to `depth` moves lead to: the lowest score, of equal ones that which takes fewer moves,
    /// and of those the one whose moves come first in the order of [`Move::ALL`]. No move takes the one before it back,
    /// nor the first one that which brought the empty spot from `came_from`. `None` once the time is over, or if there
    /// is no move.
    pub fn from(&self, board: &Board, came_from: Option<Spot>, depth: usize, watch: &mut Watch) -> Option<Outlook> {
        let mut search = Search { lookahead: self, watch, path: Vec::with_capacity(depth), best: None, boards: 0 };
        let mut at = *board;
        search.deeper(&mut at, self.penalties.total(board), came_from, depth);
        let boards = search.boards;
        let outlook = search.best.map(|(score, moves)| Outlook { score, moves, boards });
        outlook.filter(|_| !watch.is_over())
    }
}

struct Search<'a, 'b, Judge: Fn(&Board, i32) -> i32> {
    lookahead: &'a Lookahead<'b, Judge>,
    watch: &'a mut Watch,
    path: Vec<Move>,
    best: Option<(i32, Vec<Move>)>,
    boards: u64,
}

impl<Judge: Fn(&Board, i32) -> i32> Search<'_, '_, Judge> {
    fn deeper(&mut self, board: &mut Board, penalty: i32, came_from: Option<Spot>, left: usize) {
        let empty = board.empty();
        for &(made, to) in &exits()[empty.index()] {
            if Some(to) == came_from || self.lookahead.fixed.contains(to) || self.watch.is_over() {
                continue;
            }
            let penalty = penalty + self.lookahead.penalties.change(board, to);
            board.pull(to);
            self.path.push(made);
            self.boards += 1;
            self.look((self.lookahead.judge)(board, penalty));
            if left > 1 {
                self.deeper(board, penalty, Some(empty), left - 1);
            }
            self.path.pop();
            board.pull(empty);
        }
    }

    fn look(&mut self, score: i32) {
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

    fn watch() -> Watch {
        Budget::within(Duration::from_secs(600)).watch()
    }

    #[test]
    fn the_end_is_seen_from_as_many_moves_away_as_it_looks_ahead() {
        let penalties = distances();
        let lookahead = Lookahead { penalties: &penalties, judge: |_: &Board, sum| sum, fixed: SpotSet::default() };
        let near: Board = "ABCDE FGHIJ KL+MN PQRSO UVWXT".parse().expect("a board");
        let outlook = lookahead.from(&near, None, 6, &mut watch()).expect("a move");
        assert_eq!((outlook.score, outlook.moves.len()), (0, 4));
        let nearer = lookahead.from(&near, None, 2, &mut watch()).expect("a move");
        assert_eq!(nearer.score, 2, "each slide brings one tile home");
    }

    #[test]
    fn fixed_spots_are_left_alone_and_the_last_move_is_not_taken_back() {
        let penalties = distances();
        let fixed = [13, 17, 18].into_iter().filter_map(Spot::new).collect();
        let lookahead = Lookahead { penalties: &penalties, judge: |_: &Board, _| 0, fixed };
        let start: Board = "ABCDE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let boards = |came_from| lookahead.from(&start, came_from, 1, &mut watch()).map(|outlook| outlook.boards);
        assert_eq!(boards(None), Some(3), "d, r and t");
        assert_eq!(boards(Spot::new(19)), Some(2), "r and t");
    }

    #[test]
    fn nothing_is_seen_once_the_time_is_over() {
        let penalties = distances();
        let lookahead = Lookahead { penalties: &penalties, judge: |_: &Board, sum| sum, fixed: SpotSet::default() };
        let mut over = Budget::within(Duration::ZERO).watch();
        assert_eq!(lookahead.from(&Board::perfection(), None, 3, &mut over), None);
    }
}
