//! Shortens an answer window by window.
//!
//! A beam keeps what looks good at every level, so an answer from it can contain a detour of a few moves. Between two
//! positions of the answer that are some moves apart, breadth-first search from both ends finds the shortest path:
//! forwards by moves, backwards by undone moves. A transport is undone only while the centre is empty, and to any spot.
//! This needs no table, so it works between any two positions, not only towards the goal.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use crate::geometry::{Geometry, SIDE};
use crate::position::{Packed, byte, empty_in};

/// Shortens a path of the empty spot from `start` until no window of `window` moves can be shortened.
pub fn shorten(start: Packed, path: &[u8], window: usize) -> Vec<u8> {
    let board = Geometry::new(SIDE);
    let mut path = path.to_vec();
    let mut from = 0;
    while from + 2 < path.len() {
        let to = (from + window).min(path.len() - 1);
        let stops = positions(start, &path);
        match shorter(&board, stops[from], stops[to], to - from) {
            Some(instead) => {
                path.splice(from..=to, instead);
                // A window that begins earlier may be shortened now.
                from = from.saturating_sub(window);
            }
            None => from += 1,
        }
    }
    path
}

/// The positions along a path, including the first.
fn positions(start: Packed, path: &[u8]) -> Vec<Packed> {
    let mut position = start;
    let moved = path.windows(2).map(|step| {
        let (empty, to) = (usize::from(step[0]), usize::from(step[1]));
        position = position.swapped(empty, to, position.occupants()[to]);
        position
    });
    std::iter::once(start).chain(moved).collect()
}

/// For each position, the next one on the path back to the start of the search.
type Links = FxHashMap<Packed, Packed>;

/// The shortest path from one position to another, if it has fewer moves than `moves`.
fn shorter(board: &Geometry, from: Packed, to: Packed, moves: usize) -> Option<Vec<u8>> {
    if from == to {
        return Some(vec![byte(empty_in(&from.occupants()))]);
    }
    let mut ends = [Links::from_iter([(from, from)]), Links::from_iter([(to, to)])];
    let mut levels = [vec![from], vec![to]];
    // All paths between two positions have the same parity, so a shorter one has at least two moves less.
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
            let mut path = trace(&ends[0], middle);
            path.reverse();
            path.extend(trace(&ends[1], middle).into_iter().skip(1));
            return Some(path);
        }
        levels[side] = next;
    }
    None
}

/// The empty spots from a position back to the start of a search.
fn trace(links: &Links, mut position: Packed) -> Vec<u8> {
    let mut path = Vec::new();
    loop {
        path.push(byte(empty_in(&position.occupants())));
        let before = links[&position];
        if before == position {
            return path;
        }
        position = before;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::position::{move_between, moves};
    use loyd_kit::{Board, Move};

    fn path(board: &Board, letters: &str) -> Vec<u8> {
        let mut board = *board;
        let mut path = vec![byte(board.empty().index())];
        for letter in letters.chars() {
            let made = Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap();
            board = board.after(made).unwrap();
            path.push(byte(board.empty().index()));
        }
        assert_eq!(board, Board::perfection());
        path
    }

    #[test]
    fn the_published_answer_to_the_trap_becomes_two_moves_shorter() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let published = path(&trap, "ddddrrrulluuurrrddddlllluuuu");
        let shortened = shorten(Packed::from(&trap), &published, 28);
        assert_eq!(shortened.len() - 1, 26);
        let end = moves(&shortened).unwrap().into_iter().try_fold(trap, |board, made| board.after(made));
        assert_eq!(end, Some(Board::perfection()));
    }

    #[test]
    fn a_detour_anywhere_is_removed() {
        let board: Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().unwrap();
        let detour = path(&board, "llrlllurrrrulrllllurrrrullrlll");
        let shortened = shorten(Packed::from(&board), &detour, 6);
        assert_eq!(shortened.len() - 1, 24);
        assert!(shortened.windows(2).all(|step| move_between(usize::from(step[0]), usize::from(step[1])).is_some()));
    }
}
