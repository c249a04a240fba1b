//! slowmotion, by Michael Strauch, April 1995, rebuilt from his write-up.
//!
//! First the sixteen outer tiles go to `ABCDE F---J K---O P---T UVWSX`, one after the other, each then blocked; the
//! next one is always the first of those five which, of all possibilities of moving five tiles, take the least moves.
//! Then any two tiles of the order so found are exchanged, as long as that makes the answer shorter. A tile goes
//! directly or by the centre, whichever is shorter, led by the empty spot on shortest ways round what is blocked.
//! At last the nine inner spots are solved by the fewest moves that do not touch the outer tiles, by breadth-first
//! search over their 9! orders, so that `S` goes up and `X` left to end it.
//!
//! Complexity: 16 · 15 · 14 · 13 · 12 ways to move the first five tiles, half a million, fewer for each tile placed;
//! 120 exchanges a round; 362,880 inner positions. Half a second and 30 MB a board.
//! Good at: looking ahead in tiles and not in moves, which sees far; the inner spots are exact. Bad at: it does not see
//! what placing a tile does to the others but by trying, and does not try two ways for one tile.
//!
//! Left open by the write-up and chosen here:
//! - the pattern has `U` twice in print; the fourth row ends in `T`.
//! - which tiles can be placed next: those that wall none in, as `B` and `F` would `A`.
//! - the step in front of a tile: towards its aim on a shortest way round what is blocked, the one whose approach is
//!   shorter, and of those the one from which it can go on round a corner.
//! - equal moves: what comes first in reading order stays. An exchange counts by the outer tiles alone, as in stage one.
//! - time. What took him four minutes a board takes less than a second, so a longer limit changes nothing. Where a
//!   limit is too short, the answer is that of looking ahead one to four tiles, which is made first; only there does
//!   the clock decide.

use std::collections::VecDeque;
use std::process::ExitCode;

use loyd_kit::lead::{lead_shorter, walls_in};
use loyd_kit::moves::exits;
use loyd_kit::{Board, Budget, Mark, Move, Play, Seen, Spot, SpotSet, Tile, Trail, enter};

/// What the inner spots are solved for: two moves before the end, with the empty spot among them.
const CLOSING: [Move; 2] = [Move::Up, Move::Left];
/// How many tiles it looks ahead.
const TILES_AHEAD: usize = 5;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    let budget = Budget::of_entry();
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
    /// The order in which the outer tiles are placed, by looking so many tiles ahead; `None` once the time is over.
    fn order(&self, board: &Board, ahead: usize) -> Option<Vec<Tile>> {
        let mut order = Vec::new();
        let mut play = Play::new(*board);
        let mut placed = SpotSet::default();
        while order.len() < 16 {
            let mut best = Lookahead { moves: usize::MAX, first: None };
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

    /// Tries all possibilities of moving so many tiles and notes with which the best one begins.
    fn look_ahead(&self, play: &Play, placed: SpotSet, tiles: usize, first: Option<Tile>, best: &mut Lookahead) {
        if play.moves().len() >= best.moves || self.budget.is_over() {
            return;
        }
        if tiles == 0 {
            *best = Lookahead { moves: play.moves().len(), first };
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

    /// The order with any two tiles exchanged as long as that saves moves; `None` once the time is over.
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

    /// Stage two: the inner spots solved by the fewest moves, and the two moves that end it; `None` once the time is
    /// over.
    fn inner(&self, mut outer: Play) -> Option<Vec<Move>> {
        let mut watch = self.budget.watch();
        let mut trail = Trail::default();
        let mut seen = Seen::from_iter([outer.board().key()]);
        let mut queue: VecDeque<(Board, Mark)> = VecDeque::from([(*outer.board(), Trail::START)]);
        while let Some((board, mark)) = queue.pop_front() {
            if board == self.pattern {
                outer.make_all(&trail.moves(mark));
                outer.make_all(&CLOSING);
                return Some(outer.into_moves());
            }
            if watch.is_over() {
                return None;
            }
            for &(made, to) in exits()[board.empty().index()].iter().filter(|(_, to)| is_inner(*to)) {
                let mut after = board;
                after.pull(to);
                if seen.insert(after.key()) {
                    queue.push_back((after, trail.push(mark, made)));
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

/// The best possibility so far of moving some tiles.
struct Lookahead {
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
    fn the_inner_spots_are_solved_by_the_fewest_moves_and_the_outer_tiles_left_alone() {
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
    fn an_order_places_each_outer_tile_once_and_exchanging_never_makes_it_longer() {
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
    fn of_five_tiles_the_one_is_placed_with_which_five_take_the_least_moves() {
        let shuffled = Play::new(board("WBDNE HSGMJ VO+PR XAUKC TLIFQ"));
        let stages = stages();
        let least = |tiles| {
            let mut best = Lookahead { moves: usize::MAX, first: None };
            stages.look_ahead(&shuffled, SpotSet::default(), tiles, None, &mut best);
            (best.moves, best.first)
        };
        let directly = stages.outer_tiles().filter_map(|tile| stages.place(&shuffled, tile, SpotSet::default()));
        assert_eq!(Some(least(1).0), directly.map(|play| play.moves().len()).min());
        assert!(least(1).0 <= least(2).0 && least(2).0 <= least(3).0);
        assert!(least(3).1.is_some());
    }
}
