//! The first technique: priority lists, and chance where two moves are equally good.
//!
//! A tile is placed by a transport from the centre, and is then fixed. While none of those whose turn it is stands in
//! the centre, the first of them is drawn there, the empty spot going in front of it again and again, by transport back
//! to the centre and out to it.

use loyd_kit::lead::{steps_to, walls_in};
use loyd_kit::moves::exits;
use loyd_kit::{Board, Move, Random, Spot, SpotSet, Tile};
use rand::seq::IteratorRandom;

/// The first list, the order in which spots get their tiles: corners, spots beside them, middles, then once around.
const ORDER: [usize; 24] = [0, 4, 20, 24, 1, 5, 3, 9, 15, 21, 19, 23, 2, 10, 14, 22, 6, 7, 8, 11, 16, 13, 18, 17];
/// The third list, how far in the order the tiles can be whose turn it is, by how many are placed: any on the border
/// until it is nearly done.
const RANGE: [usize; 24] =
    [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 18, 19, 20, 21, 24, 24, 24, 24, 24, 24, 24, 24];
/// What moves the last tiles from where they are first placed. `T` or `X` waits in the lower right corner, `N` or `R`
/// beside `S`'s spot, whichever arrives first.
const CLOSINGS: [[Move; 4]; 4] = {
    use Move::{Left as L, Up as U};
    [[L, U, L, U], [L, U, U, L], [U, L, U, L], [U, L, L, U]]
};

/// Solves boards by priority lists.
pub(crate) struct Lists {
    order: [Spot; 24],
    /// The second list, where the tiles are placed: four patterns that differ in the last few.
    patterns: [Board; 4],
}

impl Lists {
    pub(crate) fn new() -> Lists {
        Lists {
            order: ORDER.map(|number| Spot::new(number).expect("on the board")),
            patterns: CLOSINGS.map(|closing| Board::before(&closing).expect("slides on the board")),
        }
    }

    /// The place of a tile in the order, 0 for the first, by where it belongs in the end; 24 for `M`.
    pub(crate) fn rank(&self, tile: Tile) -> usize {
        self.order.iter().position(|spot| *spot == tile.home()).unwrap_or(self.order.len())
    }

    /// One answer of fewer than `limit` moves; `None` if it would not be shorter, or a tile got stuck.
    pub(crate) fn solve(&self, board: &Board, limit: usize, random: &mut Random) -> Option<Vec<Move>> {
        let mut board = *board;
        let mut moves: Vec<Move> = Vec::new();
        let mut stage = Stage::new(self);
        // Moves that are taken back count here, or it might go on for ever.
        for _ in 0..2 * limit {
            stage.note_what_is_placed(&board);
            if stage.placed.len() == self.order.len() {
                let closing = CLOSINGS.iter().zip(stage.fits).find_map(|(closing, fits)| fits.then_some(closing))?;
                moves.extend(closing);
                return (moves.len() < limit).then_some(moves);
            }
            let (made, to) = stage.place(&board, random).or_else(|| stage.draw(&board, random))?;
            if moves.last().is_some_and(|last| last.inverse() == Some(made)) {
                moves.pop();
            } else {
                moves.push(made);
            }
            if moves.len() >= limit {
                return None;
            }
            board.pull(to);
        }
        None
    }
}

/// How far a board has come.
struct Stage<'a> {
    lists: &'a Lists,
    placed: SpotSet,
    /// Which of the patterns what is placed belongs to.
    fits: [bool; 4],
    /// The tiles whose turn it is and their spots, those first that come first in the order.
    eligible: Vec<(Spot, Tile)>,
}

impl Stage<'_> {
    fn new(lists: &Lists) -> Stage<'_> {
        let mut stage = Stage { lists, placed: SpotSet::default(), fits: [true; 4], eligible: Vec::new() };
        stage.list_eligible();
        stage
    }

    fn list_eligible(&mut self) {
        self.eligible.clear();
        let Some(&range) = RANGE.get(self.placed.len()) else { return };
        for &spot in &self.lists.order[..range] {
            if self.placed.contains(spot) || cuts_off(self.placed.with(spot)) {
                continue;
            }
            for (pattern, _) in self.lists.patterns.iter().zip(self.fits).filter(|(_, fits)| *fits) {
                let pair = pattern.at(spot).map(|tile| (spot, tile));
                self.eligible.extend(pair.filter(|pair| !self.eligible.contains(pair)));
            }
        }
    }

    /// Fixes the tiles whose turn it is and that stand where they are to be placed.
    fn note_what_is_placed(&mut self, board: &Board) {
        while let Some(&(spot, tile)) = self.eligible.iter().find(|(spot, tile)| board.at(*spot) == Some(*tile)) {
            self.placed.insert(spot);
            for (fits, pattern) in self.fits.iter_mut().zip(&self.lists.patterns) {
                *fits &= pattern.at(spot) == Some(tile);
            }
            self.list_eligible();
        }
    }

    /// The next move of placing the tile in the centre, if it is one whose turn it is.
    fn place(&self, board: &Board, random: &mut Random) -> Option<(Move, Spot)> {
        let centred = self.eligible.iter().filter(|(_, tile)| board.at(Spot::CENTRE) == Some(*tile));
        let round = self.placed.with(Spot::CENTRE);
        centred.map(|(spot, _)| *spot).find_map(|spot| {
            if board.empty() == spot {
                return Some((Move::slide(Spot::CENTRE, spot).unwrap_or(Move::Transport), Spot::CENTRE));
            }
            nearer(board, &Ways::to(spot, round), round, random)
        })
    }

    /// The next move of drawing the first tile whose turn it is towards the centre.
    fn draw(&self, board: &Board, random: &mut Random) -> Option<(Move, Spot)> {
        let inwards = steps_to(Spot::CENTRE, self.placed);
        self.eligible.iter().map(|(_, tile)| board.spot_of(*tile)).find_map(|stands| {
            let round = self.placed.with(stands);
            let left = inwards[stands.index()]?;
            let fronts = stands.neighbours().filter(|near| inwards[near.index()].is_some_and(|steps| steps < left));
            let ways = fronts.map(|front| (front, Ways::to(front, round)));
            let (front, ways) = ways.min_by_key(|(_, ways)| ways.from(board.empty()).unwrap_or(u8::MAX))?;
            if board.empty() == front {
                return Some((Move::slide(stands, front)?, stands));
            }
            nearer(board, &ways, round, random)
        })
    }
}

/// Whether, with these tiles placed, some of the other spots cannot be had any more: a tile has no way to the centre, or
/// the empty spot, with a tile waiting in the centre, no way from one to the other.
fn cuts_off(placed: SpotSet) -> bool {
    let placed_and_centre = placed.with(Spot::CENTRE);
    let mut open = Spot::all().filter(|&spot| !placed_and_centre.contains(spot));
    let Some(first) = open.next() else { return false };
    let steps = steps_to(first, placed_and_centre);
    walls_in(placed) || open.any(|spot| steps[spot.index()].is_none())
}

/// The moves that the empty spot needs to some spot, from everywhere.
struct Ways {
    steps: [Option<u8>; 25],
    by_centre: Option<u8>,
}

impl Ways {
    /// Ways round these spots. Where the centre is one of them there are no transports.
    fn to(spot: Spot, round: SpotSet) -> Ways {
        let steps = steps_to(spot, round);
        Ways { steps, by_centre: steps[Spot::CENTRE.index()].map(|steps| steps + 1) }
    }

    fn from(&self, empty: Spot) -> Option<u8> {
        let by_centre = self.by_centre.filter(|_| empty != Spot::CENTRE);
        [self.steps[empty.index()], by_centre].into_iter().flatten().min()
    }
}

/// A move that brings the empty spot nearer, any of those that are equally good.
fn nearer(board: &Board, ways: &Ways, round: SpotSet, random: &mut Random) -> Option<(Move, Spot)> {
    let left = ways.from(board.empty())?;
    let good = |to: Spot| !round.contains(to) && ways.from(to).is_some_and(|after| after < left);
    exits()[board.empty().index()].iter().copied().filter(|(_, to)| good(*to)).choose(random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd_kit::Play;
    use loyd_kit::random::seeded;

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    #[test]
    fn every_answer_solves_the_board_and_none_gets_stuck_for_long() {
        let lists = Lists::new();
        let mut random = seeded(1);
        for text in ["THEQU ICKBR OWNFX JMPSV LADG+", "+XWVU TSRQP ONMLK JIHGF EDCBA", "BACDE FGHIJ KLMNO PQRST UVWX+"]
        {
            let answers: Vec<_> = (0..50).filter_map(|_| lists.solve(&board(text), 400, &mut random)).collect();
            assert!(answers.len() > 40, "{} of 50 on {text}", answers.len());
            for moves in answers {
                let mut play = Play::new(board(text));
                play.make_all(&moves);
                assert_eq!(play.board(), &Board::perfection(), "{text}");
            }
        }
    }

    #[test]
    fn an_answer_is_shorter_than_the_limit() {
        let lists = Lists::new();
        let near = board("ABCDE FGHIJ KL+MO PQRNS UVWXT");
        assert_eq!(lists.solve(&near, 5, &mut seeded(1)), Some(CLOSINGS[0].to_vec()));
        assert_eq!(lists.solve(&near, 4, &mut seeded(1)), None);
    }

    #[test]
    fn the_patterns_have_t_or_x_in_the_lower_right_corner_and_the_centre_empty() {
        for pattern in Lists::new().patterns {
            assert_eq!(pattern.empty(), Spot::CENTRE);
            assert!(pattern.at(Spot::LAST).is_some_and(|tile| "TX".contains(tile.letter())));
        }
    }

    #[test]
    fn a_ring_is_not_cut_in_two_and_no_spot_behind_the_centre_left() {
        let spots = |open: &[usize]| {
            let open: SpotSet = open.iter().filter_map(|&number| Spot::new(number)).collect();
            Spot::all().filter(|&spot| spot != Spot::CENTRE && !open.contains(spot)).collect()
        };
        assert!(!cuts_off(spots(&[13, 17, 18])) && !cuts_off(spots(&[17])) && !cuts_off(spots(&[])));
        assert!(cuts_off(spots(&[18])), "no way to the centre");
        assert!(cuts_off(spots(&[13, 17])), "no way but through the centre");
    }
}
