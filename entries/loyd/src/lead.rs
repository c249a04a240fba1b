//! Paths of the empty spot, and tiles that are led along behind it.
//!
//! Several strategies move a tile the same way: bring the empty spot in front of it, move the tile in, and repeat. The
//! strategy chooses the tile, its goal and the spots to avoid.

use std::collections::VecDeque;

use crate::board::{Board, Tile};
use crate::moves::Move;
use crate::play::Play;
use crate::spot::{Spot, SpotSet};

/// The shortest path of the empty spot from one spot to another by the moves in `allowed`, without entering a blocked
/// spot; `None` if there is none. A transport empties the centre, so it is not used if the centre is blocked. Of
/// equally short paths it is the one that comes first in the order of `allowed`.
pub fn shortest_path(from: Spot, to: Spot, blocked: SpotSet, allowed: &[Move]) -> Option<Vec<Move>> {
    let mut came = [None; 25];
    let mut seen = blocked.with(from);
    let mut queue = VecDeque::from([from]);
    while let Some(empty) = queue.pop_front() {
        if empty == to {
            return Some(trace(from, to, &came));
        }
        for &made in allowed {
            if let Some(next) = made.empty_after(empty).filter(|&next| !seen.contains(next)) {
                seen.insert(next);
                came[next.index()] = Some((empty, made));
                queue.push_back(next);
            }
        }
    }
    None
}

/// The moves that led to `to`, oldest first.
fn trace(from: Spot, to: Spot, came: &[Option<(Spot, Move)>; 25]) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut spot = to;
    while let Some((before, made)) = came[spot.index()].filter(|_| spot != from) {
        moves.push(made);
        spot = before;
    }
    moves.reverse();
    moves
}

/// Steps that a tile needs from every spot to `to` without entering a blocked one, if the empty spot is always in front
/// of it; `None` where it is impossible. `to` itself counts as open.
pub fn steps_to(to: Spot, blocked: SpotSet) -> [Option<u8>; 25] {
    let mut steps = [None; 25];
    steps[to.index()] = Some(0);
    let mut queue = VecDeque::from([(to, 0)]);
    while let Some((spot, count)) = queue.pop_front() {
        for near in spot.neighbours() {
            if !blocked.contains(near) && steps[near.index()].is_none() {
                steps[near.index()] = Some(count + 1);
                queue.push_back((near, count + 1));
            }
        }
    }
    steps
}

/// Returns `true` if some spot outside the set has no path to the centre outside the set, so that no tile could be
/// brought there.
pub fn walls_in(fixed: SpotSet) -> bool {
    let steps = steps_to(Spot::CENTRE, fixed);
    Spot::all().any(|spot| !fixed.contains(spot) && steps[spot.index()].is_none())
}

/// Leads the tile to `to`, directly or by the centre, whichever takes fewer moves; directly if both are equal, as that
/// leaves more of the board where it was.
pub fn lead_shorter(play: &Play, tile: Tile, to: Spot, fixed: SpotSet) -> Option<Play> {
    let directly = lead(play, tile, to, fixed, &Move::ALL);
    let by_centre = lead_by_centre(play, tile, to, fixed);
    [directly, by_centre].into_iter().flatten().min_by_key(|play| play.moves().len())
}

/// Leads the tile to the centre, brings the empty spot to `to`, and transports the tile there. `None` if a step is
/// impossible.
pub fn lead_by_centre(play: &Play, tile: Tile, to: Spot, fixed: SpotSet) -> Option<Play> {
    let mut play = with_empty_spot_at(play, tile, to, fixed)?;
    play.make(Move::Transport);
    Some(play)
}

/// Places a tile by the centre: as [`lead_by_centre`], but a tile that stands on `spot` stays, and to a spot next to the
/// centre it slides, which saves the transport.
pub fn place_by_transport(play: &Play, tile: Tile, spot: Spot, fixed: SpotSet) -> Option<Play> {
    if play.board().spot_of(tile) == spot {
        return Some(play.clone());
    }
    let mut play = with_empty_spot_at(play, tile, spot, fixed)?;
    play.make(Move::slide(Spot::CENTRE, spot).unwrap_or(Move::Transport));
    Some(play)
}

/// Leads the tile to the centre, then the empty spot to `to`; `None` if a step is impossible.
fn with_empty_spot_at(play: &Play, tile: Tile, to: Spot, fixed: SpotSet) -> Option<Play> {
    let mut play = lead(play, tile, Spot::CENTRE, fixed, &Move::ALL)?;
    let ahead = shortest_path(play.board().empty(), to, fixed.with(Spot::CENTRE), &Move::ALL)?;
    play.make_all(&ahead);
    Some(play)
}

/// The moves that take the tile to the neighbouring spot `next`: the empty spot goes there by `allowed` moves without
/// disturbing the tile or a fixed spot, then the tile moves in. `None` if the empty spot cannot get there, or `next` is
/// not next to the tile.
pub fn step(play: &Play, tile: Tile, next: Spot, fixed: SpotSet, allowed: &[Move]) -> Option<Vec<Move>> {
    let from = play.board().spot_of(tile);
    let slide = Move::slide(from, next)?;
    let mut moves = shortest_path(play.board().empty(), next, fixed.with(from), allowed)?;
    moves.push(slide);
    Some(moves)
}

/// Leads the tile to `to` along a shortest path round the fixed spots and returns the play after that; `None` if a step
/// is impossible. Of the neighbours that bring the tile nearer it takes the one that the empty spot reaches first, and
/// of several the one from which a zigzag continues longest: on a straight line the empty spot needs four moves to get
/// in front again, round a corner two. It looks no further ahead than that, so this is not the least number of moves.
pub fn lead(play: &Play, tile: Tile, to: Spot, fixed: SpotSet, allowed: &[Move]) -> Option<Play> {
    let steps = steps_to(to, fixed);
    let mut play = play.clone();
    while play.board().spot_of(tile) != to {
        let spot = play.board().spot_of(tile);
        let left = steps[spot.index()]?;
        let (_, moves) = spot
            .neighbours()
            .filter(|near| steps[near.index()].is_some_and(|after| after < left))
            .filter_map(|near| Some((near, step(&play, tile, near, fixed, allowed)?)))
            .min_by_key(|(near, moves)| (moves.len(), near.king_distance(to)))?;
        play.make_all(&moves);
    }
    Some(play)
}

/// Places the tiles of `order`, one after the other, as in `pattern`, and returns the play after the last; `None` if
/// one cannot be placed. `place` brings a tile to its spot without touching the fixed spots, those of all earlier
/// tiles. Characters of `order` that name no tile are ignored.
pub fn place_in_order(
    board: &Board,
    pattern: &Board,
    order: &str,
    place: impl Fn(&Play, Tile, Spot, SpotSet) -> Option<Play>,
) -> Option<Play> {
    let mut play = Play::new(*board);
    let mut fixed = SpotSet::default();
    for tile in order.chars().filter_map(Tile::from_letter) {
        let spot = pattern.spot_of(tile);
        play = place(&play, tile, spot, fixed)?;
        fixed.insert(spot);
    }
    Some(play)
}

/// The order of twobits and tilex, in which every tile has a path to its place in the [`Board::before`] of [`CLOSING`].
pub const ORDER: &str = "AEUT BDFJOPVX CKNW GHILMQRS";
/// The slides from a board with the centre empty and T, O, N and M one spot off to perfection.
pub const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

/// Places all tiles in [`ORDER`] as they are before [`CLOSING`], then makes those slides; returns the moves. `place`
/// brings a tile to its spot, as in [`place_in_order`].
///
/// # Panics
/// If `place` cannot place a tile.
pub fn place_all(board: &Board, place: impl Fn(&Play, Tile, Spot, SpotSet) -> Option<Play>) -> Vec<Move> {
    let pattern = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let mut play = place_in_order(board, &pattern, ORDER, place).expect("in this order every tile has a path");
    play.make_all(&CLOSING);
    play.into_moves()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(number: usize) -> Spot {
        Spot::new(number).expect("on the board")
    }

    fn tile(letter: char) -> Tile {
        Tile::from_letter(letter).expect("a letter from A to X")
    }

    #[test]
    fn on_an_open_board_a_path_is_as_long_as_the_distance_unless_a_transport_shortens_it() {
        for from in Spot::all() {
            for to in Spot::all() {
                let slides = shortest_path(from, to, SpotSet::default(), &Move::SLIDES).expect("open board");
                assert_eq!(slides.len(), usize::from(from.distance(to)));
                let any = shortest_path(from, to, SpotSet::default(), &Move::ALL).expect("open board");
                let by_centre = 1 + usize::from(Spot::CENTRE.distance(to));
                assert_eq!(any.len(), slides.len().min(by_centre));
            }
        }
    }

    #[test]
    fn a_path_goes_round_blocked_spots_or_does_not_exist() {
        let wall: SpotSet = [10, 11, 12, 13].map(spot).into_iter().collect();
        let round = shortest_path(spot(15), spot(5), wall, &Move::ALL).expect("by the right column");
        assert_eq!(round.len(), 10);
        let whole = wall.with(spot(14));
        assert_eq!(shortest_path(spot(15), spot(5), whole, &Move::ALL), None);
    }

    #[test]
    fn no_transport_enters_a_blocked_centre() {
        let blocked = SpotSet::default().with(Spot::CENTRE);
        let corner = shortest_path(Spot::LAST, spot(0), blocked, &Move::ALL).expect("round the centre");
        assert!(!corner.contains(&Move::Transport));
    }

    #[test]
    fn without_closed_spots_steps_are_distances() {
        let steps = steps_to(spot(0), SpotSet::default());
        for from in Spot::all() {
            assert_eq!(steps[from.index()], Some(from.distance(spot(0))));
        }
    }

    #[test]
    fn unreachable_spots_have_no_steps() {
        let closed: SpotSet = [1, 5].map(spot).into_iter().collect();
        assert_eq!(steps_to(spot(0), closed).iter().flatten().count(), 1);
    }

    #[test]
    fn a_tile_is_led_home_around_fixed_spots() {
        let board: Board = "WBD+E HSGMJ VONPR XAUKC TLIFQ".parse().expect("a board");
        let fixed: SpotSet = [4, 9].map(spot).into_iter().collect();
        for to in Spot::all().filter(|&to| !fixed.contains(to)) {
            let play = lead(&Play::new(board), tile('A'), to, fixed, &Move::ALL).expect("open");
            assert_eq!(play.board().spot_of(tile('A')), to);
            for spot in [4, 9].map(spot) {
                assert_eq!(play.board().at(spot), board.at(spot));
            }
        }
    }

    /// The first two moves of leading G from its own spot to R's, two rows down and one column right.
    fn first_moves(board: &str) -> [Move; 2] {
        let play = Play::new(board.parse().expect("a board"));
        let led = lead(&play, tile('G'), spot(17), SpotSet::default(), &Move::ALL).expect("open");
        [led.moves()[0], led.moves()[1]]
    }

    #[test]
    fn a_tile_steps_to_the_nearest_empty_spot_along_the_zigzag() {
        let beside = first_moves("ABCDE FG+IJ KLMNO PQRST UVWXH");
        assert_eq!(beside[0], Move::Right, "the empty spot is there already");
        let between = first_moves("ABCDE FGHIJ KL+NO PQRST UVWXM");
        assert_eq!(between, [Move::Right, Move::Down], "down first, as two rows are left");
    }

    #[test]
    fn a_tile_takes_the_shorter_of_the_two_paths() {
        let a = tile('A');
        let centred: Board = "MBCDE FGHIJ KLANO PQRST UVWX+".parse().expect("a board");
        let after = lead_shorter(&Play::new(centred), a, a.home(), SpotSet::default()).expect("a path");
        assert_eq!(after.moves().last(), Some(&Move::Transport));
        assert_eq!(after.moves().len(), 9);
        let beside: Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().expect("a board");
        let after = lead_shorter(&Play::new(beside), a, a.home(), SpotSet::default()).expect("a path");
        assert_eq!(after.moves(), [Move::Left]);
    }

    #[test]
    fn a_corner_is_walled_in_by_its_two_neighbours() {
        let closed = |numbers: &[usize]| walls_in(numbers.iter().map(|&number| spot(number)).collect());
        assert!(!closed(&[]) && !closed(&[1]) && !closed(&[0, 1, 5]));
        assert!(closed(&[1, 5]) && closed(&[7, 11, 13, 17]));
    }

    #[test]
    fn a_tile_behind_fixed_spots_is_not_led() {
        let play = Play::new(Board::perfection());
        let fixed: SpotSet = [1, 5].map(spot).into_iter().collect();
        assert!(lead(&play, tile('A'), Spot::CENTRE, fixed, &Move::ALL).is_none());
    }
}
