//! alphabits, by Jim Porter, April 1995, rebuilt from his write-up.
//!
//! It places the border first, every tile by a transport from the centre. The corners are candidates from the start.
//! Each corner that is placed makes the tiles at its sides candidates too. The candidate closest to the centre goes
//! first. A search then tries every sequence of moves for the inside, one move longer each time, until its eight tiles
//! surround the empty spot. Two slides to the right edge and two down finish the board.
//!
//! Complexity: the border costs almost nothing. The search costs 2.3 times as much with every move: an inside that
//! takes 18 moves, the average, needs twelve million boards, one that takes 24 needs two thousand million.
//! Good at: an inside with few moves, which it solves by the fewest. Bad at: an inside that needs many. He meant to
//! search for the border as well and did not get to it. If the time ends the search, it uses the best inside so far.
//!
//! Left open by the write-up and chosen here:
//! - when a side tile becomes a candidate: with a corner next to it, or, in the middle of a side, with a tile next to
//!   it. So no corner is walled in.
//! - a tile that stands on its spot stays; of equally close candidates the first in the order of the list.
//! - the time: the published answer to FOXY has 20 tiles home, so the search was stopped and printed its best position.
//!   Here that is the first inside position with the most tiles in place and the empty spot in the centre.
//! - "no avoidance" of boards seen before. But a slide is not undone by the next one, and no transport does what a
//!   slide does. Without these two rules even an inside of average length, 18 moves, would have been too much then.

use std::process::ExitCode;

use loyd_kit::lead::lead_by_centre;
use loyd_kit::moves::{MoveList, move_table};
use loyd_kit::{Board, Budget, Move, Penalties, Play, Spot, SpotSet, Watch, enter};

/// The corners, clockwise; the first candidates.
const CORNERS: [usize; 4] = [0, 4, 24, 20];
/// The moves that take the empty spot from the centre to the right edge and then down.
const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

fn main() -> ExitCode {
    enter(|board| solve(board, &Budget::from_entry()))
}

fn solve(board: &Board, budget: &Budget) -> Vec<Move> {
    let pattern = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let mut play = place_border(board, &pattern);
    let moves = Inside::new(play.board(), &pattern, budget).search();
    play.make_all(&moves);
    play.make_all(&CLOSING);
    play.into_moves()
}

/// Places the border as in `pattern`.
fn place_border(board: &Board, pattern: &Board) -> Play {
    let mut play = Play::new(*board);
    let mut candidates: Vec<Spot> = CORNERS.into_iter().filter_map(Spot::new).collect();
    let mut fixed = SpotSet::default();
    while let Some(goal) = closest(play.board(), pattern, &candidates) {
        let tile = pattern.at(goal).expect("the empty spot of the pattern is in the centre");
        if play.board().spot_of(tile) != goal {
            play = lead_by_centre(&play, tile, goal, fixed).expect("no corner is walled in");
        }
        fixed.insert(goal);
        candidates.retain(|&spot| spot != goal);
        candidates.extend(opened_by(goal).filter(|&spot| !fixed.contains(spot)));
    }
    play
}

/// The spots that become candidates once this one is filled: both neighbours of a corner, then the middle of the side.
fn opened_by(goal: Spot) -> impl Iterator<Item = Spot> {
    let in_middle = goal.row() == Spot::CENTRE.row() || goal.column() == Spot::CENTRE.column();
    goal.neighbours().filter(move |&spot| spot.is_on_border() && !in_middle)
}

/// The candidate whose tile stands closest to the centre.
fn closest(board: &Board, pattern: &Board, candidates: &[Spot]) -> Option<Spot> {
    let from_centre = |goal: &Spot| pattern.at(*goal).map(|tile| board.spot_of(tile).distance(Spot::CENTRE));
    candidates.iter().copied().min_by_key(from_centre)
}

/// The search for the inside: the nine spots that are not on the border.
struct Inside {
    board: Board,
    /// Number of tiles that are not where the pattern has them.
    out_of_place: Penalties,
    /// The moves that stay inside, by the place of the empty spot.
    move_table: Vec<MoveList>,
    made: Vec<Move>,
    best: Vec<Move>,
    best_out_of_place: i32,
    watch: Watch,
}

impl Inside {
    fn new(board: &Board, pattern: &Board, budget: &Budget) -> Inside {
        let out_of_place = Penalties::new(|tile, spot| i32::from(spot != pattern.spot_of(tile)));
        Inside {
            board: *board,
            best: if board.empty() == Spot::CENTRE { Vec::new() } else { vec![Move::Transport] },
            best_out_of_place: i32::MAX,
            out_of_place,
            move_table: move_table()
                .iter()
                .map(|all| all.iter().copied().filter(|(_, to)| !to.is_on_border()).collect())
                .collect(),
            made: Vec::new(),
            watch: budget.watch(),
        }
    }

    /// The shortest moves to the pattern; at the time limit, the moves to the position with the most tiles in place
    /// among those with the empty spot in the centre.
    fn search(mut self) -> Vec<Move> {
        let out_of_place = self.out_of_place.total(&self.board);
        let mut moves = 0;
        while !self.try_all(moves, out_of_place) {
            moves += 1;
        }
        self.best
    }

    /// Tries all sequences of `moves` more moves. Returns `true` if the search is finished.
    fn try_all(&mut self, moves: u32, out_of_place: i32) -> bool {
        let empty = self.board.empty();
        if empty == Spot::CENTRE && out_of_place < self.best_out_of_place {
            self.best_out_of_place = out_of_place;
            self.best.clone_from(&self.made);
        }
        if out_of_place == 0 || self.watch.is_over() {
            return true;
        }
        if moves == 0 {
            return false;
        }
        for number in 0..self.move_table[empty.index()].len() {
            let (made, from) = self.move_table[empty.index()][number];
            if self.made.last().and_then(|last| last.inverse()) == Some(made) {
                continue;
            }
            let out_of_place = out_of_place + self.out_of_place.change(&self.board, from);
            self.board.pull(from);
            self.made.push(made);
            let ended = self.try_all(moves - 1, out_of_place);
            self.made.pop();
            self.board.pull(empty);
            if ended {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn pattern() -> Board {
        Board::before(&CLOSING).expect("slides")
    }

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    fn unbounded() -> Budget {
        Budget::within(Duration::from_secs(600))
    }

    #[test]
    fn a_placed_tile_opens_its_neighbours_on_the_side() {
        let opened = |spot| opened_by(Spot::new(spot).expect("on the board")).map(Spot::index).collect::<Vec<_>>();
        assert_eq!(opened(0), [1, 5]);
        assert_eq!(opened(1), [0, 2], "the corner is in place already");
        assert!(opened(2).is_empty());
    }

    #[test]
    fn the_border_stands_after_the_first_stage() {
        for text in ["+XWVU TSRQP ONMLK JIHGF EDCBA", "WBD+E HSGMJ VONPR XAUKC TLIFQ", "BACDE FGHIJ KLMNO PQRST UVWX+"]
        {
            let placed = place_border(&board(text), &pattern());
            for spot in Spot::all().filter(|spot| spot.is_on_border()) {
                assert_eq!(placed.board().at(spot), pattern().at(spot), "{text}");
            }
        }
    }

    #[test]
    fn the_inside_takes_the_fewest_moves() {
        let away = [Move::Down, Move::Left, Move::Transport, Move::Up, Move::Right];
        for count in 0..=away.len() {
            let start = away[..count].iter().try_fold(pattern(), |board, &made| board.after(made)).expect("legal");
            let moves = Inside::new(&start, &pattern(), &unbounded()).search();
            let end = moves.iter().try_fold(start, |board, &made| board.after(made));
            assert_eq!(end, Some(pattern()));
            assert!(!shorter_exists(start, moves.len()), "{start:?} {moves:?}");
        }
    }

    /// Returns `true` if breadth-first search over the whole inside needs fewer moves.
    fn shorter_exists(start: Board, moves: usize) -> bool {
        let mut level = vec![start];
        for _ in 0..moves {
            if level.contains(&pattern()) {
                return true;
            }
            let inside = |board: &Board| !board.empty().is_on_border();
            level = level
                .iter()
                .flat_map(|board| Move::ALL.map(|made| board.after(made)))
                .flatten()
                .filter(inside)
                .collect();
        }
        false
    }

    #[test]
    fn without_time_the_empty_spot_still_ends_in_the_centre() {
        let late = Budget::within(Duration::ZERO);
        let start = board("ABCDE FRIHJ KQLGN PMS+O UVWXT");
        let moves = Inside::new(&start, &pattern(), &late).search();
        assert_eq!(moves, [Move::Transport]);
        let answer = solve(&board("WBD+E HSGMJ VONPR XAUKC TLIFQ"), &late);
        assert!(answer.ends_with(&CLOSING));
    }
}
