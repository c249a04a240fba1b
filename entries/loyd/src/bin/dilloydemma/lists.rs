//! The first technique: priority lists, and chance where two moves are equally good.
//!
//! A tile is placed by a transport from the centre, and is then fixed. While no eligible tile stands in the centre, the
//! first eligible one is drawn there: the empty spot goes in front of it again and again, by transport to the centre
//! and from there to the spot in front.

use loyd_kit::lead::{steps_to, walls_in};
use loyd_kit::moves::move_table;
use loyd_kit::{Board, Move, Random, Spot, SpotSet, Tile};
use rand::seq::IteratorRandom;

/// The first list, the order in which spots get their tiles: corners, spots next to them, middles, then once around.
const ORDER: [usize; 24] = [0, 4, 20, 24, 1, 5, 3, 9, 15, 21, 19, 23, 2, 10, 14, 22, 6, 7, 8, 11, 16, 13, 18, 17];
/// The third list: by the number of tiles placed, the part of the order that is eligible. It is the whole border until
/// that is nearly done.
const RANGE: [usize; 24] =
    [16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 18, 19, 20, 21, 24, 24, 24, 24, 24, 24, 24, 24];
/// The moves of the last tiles from where they are first placed. `T` or `X` waits in the lower right corner, `N` or `R`
/// next to `S`'s spot, whichever arrives first.
const CLOSINGS: [[Move; 4]; 4] = {
    use Move::{Left as L, Up as U};
    [[L, U, L, U], [L, U, U, L], [U, L, U, L], [U, L, L, U]]
};

/// Solves boards by priority lists.
pub(crate) struct Lists {
    order: [Spot; 24],
    /// The second list, the spots where the tiles are placed: four patterns that differ in the last few.
    patterns: [Board; 4],
}

impl Lists {
    pub(crate) fn new() -> Lists {
        Lists {
            order: ORDER.map(|number| Spot::new(number).expect("on the board")),
            patterns: CLOSINGS.map(|closing| Board::before(&closing).expect("slides on the board")),
        }
    }

    /// The rank of a tile in the order, 0 for the first, by its place in perfection; 24 for `M`.
    pub(crate) fn rank(&self, tile: Tile) -> usize {
        self.order.iter().position(|spot| *spot == tile.home()).unwrap_or(self.order.len())
    }

    /// Finds one answer of fewer than `limit` moves; `None` if it gets longer, or a tile gets stuck.
    pub(crate) fn solve(&self, board: &Board, limit: usize, random: &mut Random) -> Option<Vec<Move>> {
        let mut board = *board;
        let mut moves: Vec<Move> = Vec::new();
        let mut stage = Stage::new(self);
        // Moves that are undone count here, or the loop might never end.
        for _ in 0..2 * limit {
            stage.fix_placed_tiles(&board);
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

/// The progress of one attempt at a board.
struct Stage<'a> {
    lists: &'a Lists,
    placed: SpotSet,
    /// For each pattern, `true` if all placed tiles stand as in it.
    fits: [bool; 4],
    /// The tiles that may be placed next and their spots, in the order of the first list.
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

    /// Fixes the eligible tiles that stand where they are to be placed.
    fn fix_placed_tiles(&mut self, board: &Board) {
        while let Some(&(spot, tile)) = self.eligible.iter().find(|(spot, tile)| board.at(*spot) == Some(*tile)) {
            self.placed.insert(spot);
            for (fits, pattern) in self.fits.iter_mut().zip(&self.lists.patterns) {
                *fits &= pattern.at(spot) == Some(tile);
            }
            self.list_eligible();
        }
    }

    /// The next move that places the tile in the centre, if that tile is eligible.
    fn place(&self, board: &Board, random: &mut Random) -> Option<(Move, Spot)> {
        let centred = self.eligible.iter().filter(|(_, tile)| board.at(Spot::CENTRE) == Some(*tile));
        let blocked = self.placed.with(Spot::CENTRE);
        centred.map(|(spot, _)| *spot).find_map(|spot| {
            if board.empty() == spot {
                return Some((Move::slide(Spot::CENTRE, spot).unwrap_or(Move::Transport), Spot::CENTRE));
            }
            nearer(board, &Ways::to(spot, blocked), blocked, random)
        })
    }

    /// The next move that draws the first eligible tile towards the centre.
    fn draw(&self, board: &Board, random: &mut Random) -> Option<(Move, Spot)> {
        let inwards = steps_to(Spot::CENTRE, self.placed);
        self.eligible.iter().map(|(_, tile)| board.spot_of(*tile)).find_map(|stands| {
            let blocked = self.placed.with(stands);
            let left = inwards[stands.index()]?;
            let fronts = stands.neighbours().filter(|near| inwards[near.index()].is_some_and(|steps| steps < left));
            let ways = fronts.map(|front| (front, Ways::to(front, blocked)));
            let (front, ways) = ways.min_by_key(|(_, ways)| ways.from(board.empty()).unwrap_or(u8::MAX))?;
            if board.empty() == front {
                return Some((Move::slide(stands, front)?, stands));
            }
            nearer(board, &ways, blocked, random)
        })
    }
}

/// Returns `true` if, with these spots filled, some other spot can no longer be filled: a tile has no path to the
/// centre, or the empty spot, with a tile waiting in the centre, has no path between two open spots.
fn cuts_off(placed: SpotSet) -> bool {
    let placed_and_centre = placed.with(Spot::CENTRE);
    let mut open = Spot::all().filter(|&spot| !placed_and_centre.contains(spot));
    let Some(first) = open.next() else { return false };
    let steps = steps_to(first, placed_and_centre);
    walls_in(placed) || open.any(|spot| steps[spot.index()].is_none())
}

/// The number of moves that the empty spot needs to some spot, from every spot.
struct Ways {
    steps: [Option<u8>; 25],
    by_centre: Option<u8>,
}

impl Ways {
    /// Distances to `spot` around the blocked spots. If the centre is one of them, transports do not count.
    fn to(spot: Spot, blocked: SpotSet) -> Ways {
        let steps = steps_to(spot, blocked);
        Ways { steps, by_centre: steps[Spot::CENTRE.index()].map(|steps| steps + 1) }
    }

    fn from(&self, empty: Spot) -> Option<u8> {
        let by_centre = self.by_centre.filter(|_| empty != Spot::CENTRE);
        [self.steps[empty.index()], by_centre].into_iter().flatten().min()
    }
}

/// A move that brings the empty spot nearer, at random among those that are equally good.
fn nearer(board: &Board, ways: &Ways, blocked: SpotSet, random: &mut Random) -> Option<(Move, Spot)> {
    let left = ways.from(board.empty())?;
    let good = |to: Spot| !blocked.contains(to) && ways.from(to).is_some_and(|after| after < left);
    move_table()[board.empty().index()].iter().copied().filter(|(_, to)| good(*to)).choose(random)
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
    fn few_attempts_get_stuck() {
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
    fn spots_without_a_path_to_the_centre_or_to_each_other_are_cut_off() {
        let spots = |open: &[usize]| {
            let open: SpotSet = open.iter().filter_map(|&number| Spot::new(number)).collect();
            Spot::all().filter(|&spot| spot != Spot::CENTRE && !open.contains(spot)).collect()
        };
        assert!(!cuts_off(spots(&[13, 17, 18])) && !cuts_off(spots(&[17])) && !cuts_off(spots(&[])));
        assert!(cuts_off(spots(&[18])), "no path to the centre");
        assert!(cuts_off(spots(&[13, 17])), "no path but through the centre");
    }
}
