//! slowmotion, by Michael Strauch, April 1995, rebuilt from his write-up.
//!
//! First the sixteen outer tiles go to `ABCDE F---J K---O P---T UVWSX`, one after the other, each then blocked. The
//! next tile is the first of those five which take the least moves of all choices of five tiles. Then any two tiles of
//! the order so found are exchanged, as long as that makes the answer shorter. A tile goes directly or by the centre,
//! whichever is shorter, led by the empty spot on shortest paths round the blocked spots. Then the nine inner spots
//! are solved by the fewest moves that do not touch the outer tiles, by breadth-first search over their 9! orders; `S`
//! up and `X` left finish the board.
//!
//! Complexity: 16 · 15 · 14 · 13 · 12 ways to move the first five tiles, half a million, fewer for each tile placed;
//! 120 exchanges per pass; 362,880 inner positions. Half a second and 30 MB per board.
//! Good at: looking ahead in tiles and not in moves, which sees far; the inner spots are exact. Bad at: it learns the
//! effect of placing a tile on the others only by trying, and does not try two paths for one tile.
//!
//! Left open by the write-up and chosen here:
//! - the pattern has `U` twice in print; the fourth row ends in `T`.
//! - the tiles that can be placed next: those that wall none in, as `B` and `F` would `A`.
//! - the step in front of a tile: towards its aim on a shortest path round the blocked spots, the one whose approach is
//!   shorter, and of those the one from which it can go on round a corner.
//! - equal moves: the first in reading order. An exchange counts by the outer tiles alone, as in stage one.
//! - time. What took him four minutes per board takes less than a second, so a longer limit changes nothing. If a limit
//!   is too short, the answer is that of looking ahead one to four tiles, which comes first; the clock decides only
//!   then.

use std::collections::VecDeque;
use std::process::ExitCode;

use loyd_kit::lead::{lead_shorter, walls_in};
use loyd_kit::moves::move_table;
use loyd_kit::{Board, BoardSet, Budget, Move, MoveTree, NodeId, Play, Spot, SpotSet, Tile, enter};

/// The last two moves; the inner spots are solved for the board before them, with the empty spot among them.
const CLOSING: [Move; 2] = [Move::Up, Move::Left];
/// Number of tiles it looks ahead.
const TILES_AHEAD: usize = 5;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    let budget = Budget::from_entry();
    let stages = Stages { pattern: Board::before(&CLOSING).expect("slides on the board"), budget };
    let mut answer = None;
    for ahead in 1..=TILES_AHEAD {
        let order = stages.order(board, ahead).and_then(|order| stages.exchanged(board, order));
        let Some(outer) = order.and_then(|order| stages.outer(board, &order)) else { break };
        answer = stages.inner(outer).or(answer);
    }
    answer.unwrap_or_default()
}

struct Stages {
    pattern: Board,
    budget: Budget,
}

impl Stages {
    /// The order in which the outer tiles are placed, by looking `ahead` tiles ahead; `None` at the time limit.
    fn order(&self, board: &Board, ahead: usize) -> Option<Vec<Tile>> {
        let mut order = Vec::new();
        let mut play = Play::new(*board);
        let mut placed = SpotSet::default();
        while order.len() < 16 {
            let mut best = Choice { moves: usize::MAX, first: None };
            self.look_ahead(&play, placed, ahead.min(16 - order.len()), None, &mut best);
            if self.budget.is_over() {
                return None;
            }
            let first = best.first?;
            play = self.place(&play, first, placed)?;
            placed.insert(self.pattern.spot_of(first));
            order.push(first);
        }
        Some(order)
    }

    /// Tries all choices of `tiles` tiles to move next, and records the first tile of the best one.
    fn look_ahead(&self, play: &Play, placed: SpotSet, tiles: usize, first: Option<Tile>, best: &mut Choice) {
        if play.moves().len() >= best.moves || self.budget.is_over() {
            return;
        }
        if tiles == 0 {
            *best = Choice { moves: play.moves().len(), first };
            return;
        }
        for tile in self.outer_tiles() {
            let spot = self.pattern.spot_of(tile);
            if placed.contains(spot) || walls_in(placed.with(spot)) {
                continue;
            }
            if let Some(after) = self.place(play, tile, placed) {
                self.look_ahead(&after, placed.with(spot), tiles - 1, first.or(Some(tile)), best);
            }
        }
    }

    /// The order with any two tiles exchanged as long as that saves moves; `None` at the time limit.
    fn exchanged(&self, board: &Board, mut order: Vec<Tile>) -> Option<Vec<Tile>> {
        let length = |order: &[Tile]| self.outer(board, order).map_or(usize::MAX, |play| play.moves().len());
        let mut shortest = length(&order);
        let mut improved = true;
        while improved {
            improved = false;
            for first in 0..order.len() {
                for second in first + 1..order.len() {
                    if self.budget.is_over() {
                        return None;
                    }
                    order.swap(first, second);
                    let moves = length(&order);
                    if moves < shortest {
                        (shortest, improved) = (moves, true);
                    } else {
                        order.swap(first, second);
                    }
                }
            }
        }
        Some(order)
    }

    /// Stage one: the outer tiles placed in this order; `None` if one cannot be.
    fn outer(&self, board: &Board, order: &[Tile]) -> Option<Play> {
        let mut play = Play::new(*board);
        let mut placed = SpotSet::default();
        for &tile in order {
            play = self.place(&play, tile, placed)?;
            placed.insert(self.pattern.spot_of(tile));
        }
        Some(play)
    }

    /// Stage two: the inner spots solved by the fewest moves, and the last two moves; `None` at the time limit.
    fn inner(&self, mut outer: Play) -> Option<Vec<Move>> {
        let mut watch = self.budget.watch();
        let mut tree = MoveTree::default();
        let mut seen = BoardSet::from_iter([outer.board().key()]);
        let mut queue: VecDeque<(Board, NodeId)> = VecDeque::from([(*outer.board(), MoveTree::ROOT)]);
        while let Some((board, node)) = queue.pop_front() {
            if board == self.pattern {
                outer.make_all(&tree.moves(node));
                outer.make_all(&CLOSING);
                return Some(outer.into_moves());
            }
            if watch.is_over() {
                return None;
            }
            for &(made, to) in move_table()[board.empty().index()].iter().filter(|(_, to)| is_inner(*to)) {
                let mut after = board;
                after.pull(to);
                if seen.insert(after.key()) {
                    queue.push_back((after, tree.push(node, made)));
                }
            }
        }
        None
    }

    fn place(&self, play: &Play, tile: Tile, placed: SpotSet) -> Option<Play> {
        lead_shorter(play, tile, self.pattern.spot_of(tile), placed)
    }

    fn outer_tiles(&self) -> impl Iterator<Item = Tile> {
        Tile::all().filter(|&tile| !is_inner(self.pattern.spot_of(tile)))
    }
}

/// The best choice of tiles so far.
struct Choice {
    moves: usize,
    first: Option<Tile>,
}

fn is_inner(spot: Spot) -> bool {
    spot.king_distance(Spot::CENTRE) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn stages() -> Stages {
        Stages {
            pattern: Board::before(&CLOSING).expect("slides on the board"),
            budget: Budget::within(Duration::from_secs(600)),
        }
    }

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    #[test]
    fn the_pattern_is_that_of_the_write_up() {
        assert_eq!(stages().pattern, board("ABCDE FGHIJ KLMNO PQR+T UVWSX"));
    }

    #[test]
    fn the_inner_spots_are_solved_without_the_outer_tiles() {
        let outer = board("ABCDE FRQNJ KMLIO PHG+T UVWSX");
        let moves = stages().inner(Play::new(outer)).expect("all orders of nine can be solved");
        let mut play = Play::new(outer);
        for made in &moves[..moves.len() - CLOSING.len()] {
            play.make(*made);
            assert!(is_inner(play.board().empty()));
        }
        play.make_all(&CLOSING);
        assert_eq!(play.board(), &Board::perfection());
        let two_before = Play::new(stages().pattern);
        assert_eq!(stages().inner(two_before), Some(CLOSING.to_vec()));
    }

    #[test]
    fn exchanging_never_makes_an_order_longer() {
        let shuffled = board("WBDNE HSGMJ VO+PR XAUKC TLIFQ");
        let stages = stages();
        let length = |order: &[Tile]| stages.outer(&shuffled, order).expect("placed").moves().len();
        let order = stages.order(&shuffled, 2).expect("time enough");
        let exchanged = stages.exchanged(&shuffled, order.clone()).expect("time enough");
        assert!(length(&exchanged) <= length(&order));
        for order in [order, exchanged] {
            let placed: SpotSet = order.iter().map(|tile| tile.home()).collect();
            assert_eq!((order.len(), placed.len()), (16, 16));
        }
    }

    #[test]
    fn the_next_tile_is_the_first_of_those_that_take_the_least_moves() {
        let shuffled = Play::new(board("WBDNE HSGMJ VO+PR XAUKC TLIFQ"));
        let stages = stages();
        let least = |tiles| {
            let mut best = Choice { moves: usize::MAX, first: None };
            stages.look_ahead(&shuffled, SpotSet::default(), tiles, None, &mut best);
            (best.moves, best.first)
        };
        let directly = stages.outer_tiles().filter_map(|tile| stages.place(&shuffled, tile, SpotSet::default()));
        assert_eq!(Some(least(1).0), directly.map(|play| play.moves().len()).min());
        assert!(least(1).0 <= least(2).0 && least(2).0 <= least(3).0);
        assert!(least(3).1.is_some());
    }
}
