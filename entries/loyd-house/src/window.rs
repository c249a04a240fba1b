//! Shortening an answer window by window.
//!
//! A beam keeps what looks good at every level, and an answer that it finds can hold a detour of a few moves. Between
//! two positions of the answer that are some moves apart, the shortest way is found by breadth-first search from both
//! ends: forwards by moves, backwards by moves taken back, where a transport is taken back only while the centre is
//! empty, and to any spot. No table is needed, so any two positions will do, not only the goal.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::geometry::{Geometry, SIDE};
use crate::position::{Packed, byte, empty_in};

/// Shortens a way of the empty spot from `start` until no window of so many moves can be shortened.
pub fn shorten(start: Packed, way: &[u8], window: usize) -> Vec<u8> {
    let board = Geometry::new(SIDE);
    let mut way = way.to_vec();
    let mut from = 0;
    while from + 2 < way.len() {
        let to = (from + window).min(way.len() - 1);
        let stops = positions(start, &way);
        match shorter(&board, stops[from], stops[to], to - from) {
            Some(instead) => {
                way.splice(from..=to, instead);
                // What lies before may be part of a longer window that can be shortened now.
                from = from.saturating_sub(window);
            }
            None => from += 1,
        }
    }
    way
}

/// The positions along a way, the first included.
fn positions(start: Packed, way: &[u8]) -> Vec<Packed> {
    let mut position = start;
    let moved = way.windows(2).map(|step| {
        let (empty, to) = (usize::from(step[0]), usize::from(step[1]));
        position = position.swapped(empty, to, position.occupants()[to]);
        position
    });
    std::iter::once(start).chain(moved).collect()
}

/// By position, the position next to it on the way to where the search began.
type Links = FxHashMap<Packed, Packed>;

/// A way from one position to another in fewer moves than `moves`, if there is one; as short as can be.
fn shorter(board: &Geometry, from: Packed, to: Packed, moves: usize) -> Option<Vec<u8>> {
    if from == to {
        return Some(vec![byte(empty_in(&from.occupants()))]);
    }
    let mut ends = [Links::from_iter([(from, from)]), Links::from_iter([(to, to)])];
    let mut levels = [vec![from], vec![to]];
    // Ways between two positions have one parity, so the first that is of use is two moves shorter.
    for _ in 2..moves {
        let side = usize::from(levels[0].len() > levels[1].len());
        let mut next = Vec::new();
        let mut met = None;
        for &position in &levels[side] {
            let occupants = position.occupants();
            let empty = empty_in(&occupants);
            let mut step = |spot: usize| {
                let after = position.swapped(empty, spot, occupants[spot]);
                if let Entry::Vacant(place) = ends[side].entry(after) {
                    place.insert(position);
                    next.push(after);
                    if ends[1 - side].contains_key(&after) {
                        met = Some(after);
                    }
                }
            };
            let spots = if side == 0 { board.empty_after(empty) } else { board.empty_before(empty) };
            spots.iter().copied().for_each(&mut step);
        }
        if let Some(middle) = met {
            let mut way = trace(&ends[0], middle);
            way.reverse();
            way.extend(trace(&ends[1], middle).into_iter().skip(1));
            return Some(way);
        }
        levels[side] = next;
    }
    None
}

/// The empty spots from a position back to where a search began.
fn trace(links: &Links, mut position: Packed) -> Vec<u8> {
    let mut way = Vec::new();
    loop {
        way.push(byte(empty_in(&position.occupants())));
        let before = links[&position];
        if before == position {
            return way;
        }
        position = before;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::position::{moves, named};
    use loyd_kit::{Board, Move};

    fn way(board: &Board, letters: &str) -> Vec<u8> {
        let mut board = *board;
        let mut way = vec![byte(board.empty().index())];
        for letter in letters.chars() {
            let made = Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap();
            board = board.after(made).unwrap();
            way.push(byte(board.empty().index()));
        }
        assert_eq!(board, Board::perfection());
        way
    }

    #[test]
    fn the_published_answer_to_the_trap_loses_its_two_moves_too_many() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let published = way(&trap, "ddddrrrulluuurrrddddlllluuuu");
        let shortened = shorten(Packed::from(&trap), &published, 28);
        assert_eq!(shortened.len() - 1, 26);
        let end = moves(&shortened).unwrap().into_iter().try_fold(trap, |board, made| board.after(made));
        assert_eq!(end, Some(Board::perfection()));
    }

    #[test]
    fn a_detour_anywhere_is_cut_out() {
        let board: Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().unwrap();
        let detour = way(&board, "llrlllurrrrulrllllurrrrullrlll");
        let shortened = shorten(Packed::from(&board), &detour, 6);
        assert_eq!(shortened.len() - 1, 24);
        assert!(shortened.windows(2).all(|step| named(usize::from(step[0]), usize::from(step[1])).is_some()));
    }
}
