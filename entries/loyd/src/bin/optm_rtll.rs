//! O+PTM_rtll, by Keith Vollherbst, April 1995, rebuilt from his write-up. The program is called `optm_rtll`, because
//! Cargo allows no `+` in a name; the tables use the original name.
//!
//! It fills one spot after the other with its tile, and does not move a tile in place again. A list holds the spots
//! that can be filled next; as one is filled, those near it join the list, and a few leave it. The shortest sequences
//! that fill any spot of the list are all examined, one after the other, each with all that can follow. The aim is one
//! of six patterns from which four moves lead to perfection, with the empty spot in the centre.
//!
//! Complexity: the least moves for one tile are exact, by a search back from its spot over the 600 pairs of tile and
//! empty spot; but sequences of equal length multiply, step by step. On some boards all are examined in a tenth of a
//! second now, as sequences that cannot become shorter are skipped; on others there is no end in sight.
//! Good at: a reasonable answer at once. Bad at: better ones. It never looks at longer sequences that fill a spot. It
//! goes depth first in no particular order and does not recognise a repeated position, so most of its time goes into
//! the last few tiles of the first choices it made, and twenty seconds seldom find what three did not.
//!
//! Left open by the write-up and chosen here:
//! - the list. It begins with the corners. A spot on the border joins when one next to it on the border is filled, one
//!   of the ring inside when its neighbours on the border are. A spot is not on the list while filling it might make
//!   the rest impossible: if it walls one in, or leaves too little room to put the last tiles in order.
//! - the pattern: as long as the tiles in place fit several of the six, the next may be of any of them.
//! - the order: spots in reading order, moves in the order `u d l r t`. Sequences that cannot become shorter than the
//!   best answer are skipped. An unfinished search runs until the time limit, so the clock decides what it finds.

use std::collections::VecDeque;
use std::process::ExitCode;

use loyd_kit::lead::walls_in;
use loyd_kit::moves::move_table;
use loyd_kit::{Board, Budget, Move, Spot, SpotSet, Tile, Watch, enter};
use rustc_hash::FxHashMap;

/// The moves from each of the six patterns to perfection.
const CLOSINGS: [[Move; 4]; 6] = {
    use Move::{Left as L, Up as U};
    [[L, L, U, U], [L, U, L, U], [L, U, U, L], [U, U, L, L], [U, L, U, L], [U, L, L, U]]
};

fn main() -> ExitCode {
    enter(|board| solve(board, Budget::from_entry().watch()))
}

fn solve(board: &Board, watch: Watch) -> Vec<Move> {
    let patterns = CLOSINGS.map(|closing| Board::before(&closing).expect("slides on the board"));
    let mut search = Search { patterns, lists: Lists::default(), watch, moves: Vec::new(), best: None };
    search.fill_next(board, SpotSet::default());
    search.best.unwrap_or_default()
}

struct Search {
    patterns: [Board; 6],
    lists: Lists,
    watch: Watch,
    /// The moves that led to the current position.
    moves: Vec<Move>,
    best: Option<Vec<Move>>,
}

impl Search {
    /// Examines everything that can follow once these spots are filled.
    fn fill_next(&mut self, board: &Board, filled: SpotSet) {
        let spots = self.lists.after(filled);
        if spots.is_empty() {
            self.close(board);
            return;
        }
        let mut shortest = u8::MAX;
        let mut ways = Vec::new();
        for (spot, tile) in self.tiles_for(&spots, board, filled) {
            let left = MovesLeft::until(spot, filled);
            let Some(least) = left.of(board, tile).filter(|&least| least <= shortest) else { continue };
            if least < shortest {
                shortest = least;
                ways.clear();
            }
            ways.push((tile, spot, left));
        }
        for (tile, spot, left) in ways {
            self.every_sequence(board, tile, &left, filled, spot);
        }
    }

    /// Each of the spots with each tile that belongs there in a pattern that fits what is filled.
    fn tiles_for(&self, spots: &[Spot], board: &Board, filled: SpotSet) -> Vec<(Spot, Tile)> {
        let mut pairs: Vec<(Spot, Tile)> = Vec::new();
        for pattern in &self.patterns {
            if Spot::all().all(|spot| !filled.contains(spot) || pattern.at(spot) == board.at(spot)) {
                pairs.extend(spots.iter().filter_map(|&spot| Some((spot, pattern.at(spot)?))));
            }
        }
        pairs.sort();
        pairs.dedup();
        pairs
    }

    /// Plays each of the shortest sequences that bring the tile to its spot, and everything that can follow.
    fn every_sequence(&mut self, board: &Board, tile: Tile, left: &MovesLeft, filled: SpotSet, spot: Spot) {
        let Some(least) = left.of(board, tile) else { return };
        let length = self.moves.len() + usize::from(least) + CLOSINGS[0].len();
        if self.watch.is_over() || self.best.as_ref().is_some_and(|best| length >= best.len()) {
            return;
        }
        if least == 0 {
            self.fill_next(board, filled.with(spot));
            return;
        }
        for &(made, to) in move_table()[board.empty().index()].iter().filter(|(_, to)| !filled.contains(*to)) {
            let mut after = *board;
            after.pull(to);
            if left.of(&after, tile) == Some(least - 1) {
                self.moves.push(made);
                self.every_sequence(&after, tile, left, filled, spot);
                self.moves.pop();
            }
        }
    }

    /// Records an answer once all spots are filled. It is shorter than any before, as longer sequences were skipped.
    fn close(&mut self, board: &Board) {
        let pattern = self.patterns.iter().position(|pattern| pattern == board);
        let closing = CLOSINGS[pattern.expect("every spot was filled according to a pattern")];
        self.best = Some([&self.moves[..], &closing].concat());
    }
}

/// The lists of spots that can be filled next.
#[derive(Default)]
struct Lists {
    /// For sets of filled spots: `true` if the rest can be filled.
    can_go_on: FxHashMap<SpotSet, bool>,
}

impl Lists {
    /// The spots that can be filled next after these, in reading order; none once all but the centre are filled.
    fn after(&mut self, filled: SpotSet) -> Vec<Spot> {
        joined(filled).filter(|&spot| self.can_go_on(filled.with(spot))).collect()
    }

    /// Returns `true` if the rest can be filled in some order, wherever its tiles are.
    fn can_go_on(&mut self, filled: SpotSet) -> bool {
        if let Some(&known) = self.can_go_on.get(&filled) {
            return known;
        }
        let mut next = joined(filled);
        let can = joined(filled).next().is_none()
            || !walls_in(filled)
                && next.any(|spot| {
                    MovesLeft::until(spot, filled).is_possible_from_anywhere(filled)
                        && self.can_go_on(filled.with(spot))
                });
        self.can_go_on.insert(filled, can);
        can
    }
}

/// The spots that have joined the list, by the rules in the module's documentation.
fn joined(filled: SpotSet) -> impl Iterator<Item = Spot> {
    let on_border = |spot: &Spot| spot.king_distance(Spot::CENTRE) == 2;
    let joined = move |spot: Spot| {
        let mut border = spot.neighbours().filter(on_border);
        match spot.distance(Spot::CENTRE) {
            4 => true,
            _ if on_border(&spot) => border.any(|near| filled.contains(near)),
            _ => border.all(|near| filled.contains(near)),
        }
    };
    Spot::all().filter(move |&spot| spot != Spot::CENTRE && !filled.contains(spot) && joined(spot))
}

/// The least moves that bring one tile to one spot, for every place of the tile and of the empty spot, with the filled
/// spots left alone.
struct MovesLeft([[Option<u8>; 25]; 25]);

impl MovesLeft {
    /// Searches backwards from the positions with the tile on its spot and the empty spot anywhere.
    fn until(spot: Spot, filled: SpotSet) -> MovesLeft {
        let open = |at: &Spot| !filled.contains(*at);
        let mut left = [[None; 25]; 25];
        let mut queue = VecDeque::new();
        for empty in Spot::all().filter(|empty| open(empty) && *empty != spot) {
            left[spot.index()][empty.index()] = Some(0);
            queue.push_back((spot, empty, 0));
        }
        while let Some((tile, empty, moves)) = queue.pop_front() {
            // Before a slide the empty spot was at a neighbour, before a transport to the centre it was anywhere.
            let sources: &mut dyn Iterator<Item = Spot> =
                if empty == Spot::CENTRE { &mut Spot::all() } else { &mut empty.neighbours() };
            for before in sources.filter(|before| open(before) && *before != empty) {
                let tile_before = if tile == before { empty } else { tile };
                let entry = &mut left[tile_before.index()][before.index()];
                if entry.is_none() {
                    *entry = Some(moves + 1);
                    queue.push_back((tile_before, before, moves + 1));
                }
            }
        }
        MovesLeft(left)
    }

    /// Returns `true` if the tile can be brought to its spot from every place of it and of the empty spot outside the
    /// filled spots.
    fn is_possible_from_anywhere(&self, filled: SpotSet) -> bool {
        let open = || Spot::all().filter(|&spot| !filled.contains(spot));
        open().all(|tile| open().all(|empty| tile == empty || self.0[tile.index()][empty.index()].is_some()))
    }

    /// The least moves from this board; `None` if it is impossible.
    fn of(&self, board: &Board, tile: Tile) -> Option<u8> {
        self.0[board.spot_of(tile).index()][board.empty().index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::time::Duration;

    fn spots(numbers: &[usize]) -> SpotSet {
        numbers.iter().filter_map(|&number| Spot::new(number)).collect()
    }

    fn numbers(spots: &[Spot]) -> Vec<usize> {
        spots.iter().map(|spot| spot.index()).collect()
    }

    #[test]
    fn the_list_grows_from_the_corners_beside_what_is_filled() {
        let mut lists = Lists::default();
        let mut list = |filled: &[usize]| numbers(&lists.after(spots(filled)));
        assert_eq!(list(&[]), [0, 4, 20, 24]);
        assert_eq!(list(&[0]), [1, 4, 5, 20, 24]);
        assert_eq!(list(&[0, 1, 2, 9]), [4, 5, 7, 14, 20, 24], "D waits, as E would be walled in");
    }

    #[test]
    fn in_any_order_the_list_is_empty_only_after_the_last_spot() {
        let mut lists = Lists::default();
        let mut seen = HashSet::from([SpotSet::default()]);
        let mut open = vec![SpotSet::default()];
        while let Some(filled) = open.pop() {
            let next = lists.after(filled);
            assert!(!next.is_empty() || filled.len() == 24, "{filled:?}");
            open.extend(next.into_iter().map(|spot| filled.with(spot)).filter(|&more| seen.insert(more)));
        }
    }

    #[test]
    fn moves_left_are_the_moves_of_a_tile_on_an_open_board() {
        let corner = Spot::new(0).expect("on the board");
        let left = MovesLeft::until(corner, SpotSet::default());
        let board: Board = "MBCDE FGHIJ KLANO PQRST UVWX+".parse().expect("a board");
        let a = board.at(Spot::CENTRE).expect("A");
        assert_eq!(left.of(&board, a), Some(9), "eight for the empty spot and a transport");
        assert_eq!(left.of(&Board::perfection(), a), Some(0));
        let shut = MovesLeft::until(corner, spots(&[1, 5]));
        assert_eq!(shut.of(&board, a), None);
    }

    #[test]
    fn a_recognised_pattern_is_closed() {
        let watch = Budget::within(Duration::from_secs(600)).watch();
        for closing in CLOSINGS {
            let pattern = Board::before(&closing).expect("slides");
            assert_eq!(solve(&pattern, watch.clone()), closing);
        }
    }
}
