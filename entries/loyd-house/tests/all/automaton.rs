//! The automaton compared with plain breadth-first counts: it excludes no position and reaches none twice.

use std::collections::HashSet;

use loyd_house::automaton::Automaton;
use loyd_house::geometry::{Geometry, SIDE};
use loyd_house::position::Packed;
use loyd_kit::{Board, Move, Spot};

/// The number of new boards after each number of moves from this one, by the rules of `loyd_kit`.
fn breadth_first(board: Board, depth: usize) -> Vec<usize> {
    let mut seen = HashSet::from([Packed::from(&board)]);
    let mut level = vec![board];
    let mut counts = vec![1];
    for _ in 0..depth {
        let mut next: Vec<Board> =
            level.iter().flat_map(|b| Move::ALL.into_iter().filter_map(|m| b.after(m))).collect();
        next.retain(|board| seen.insert(Packed::from(board)));
        counts.push(next.len());
        level = next;
    }
    counts
}

/// The number of paths of each length that the automaton allows from this empty spot.
fn allowed(automaton: &Automaton, empty: usize, depth: usize) -> Vec<usize> {
    let mut states = vec![automaton.start(empty)];
    let mut counts = vec![1];
    for _ in 0..depth {
        states = states.iter().flat_map(|&state| automaton.steps(state)).map(|step| step.state()).collect();
        counts.push(states.len());
    }
    counts
}

/// A board with this empty spot.
fn with_empty(spot: Spot) -> Board {
    let mut symbols: Vec<char> = ('A'..='X').collect();
    symbols.insert(spot.index(), '+');
    String::from_iter(symbols).parse().unwrap()
}

#[test]
fn allowed_paths_are_as_many_as_boards_to_depth_10_from_every_spot() {
    let depth = 10;
    let automaton = Automaton::new(&Geometry::new(SIDE), depth, 2);
    for spot in Spot::all() {
        let counts = breadth_first(with_empty(spot), depth);
        assert_eq!(allowed(&automaton, spot.index(), depth), counts, "from {spot:?}");
    }
}

#[test]
fn beyond_its_length_it_still_excludes_no_board() {
    let automaton = Automaton::new(&Geometry::new(SIDE), 5, 1);
    for spot in [Spot::CENTRE, Spot::LAST] {
        let board = with_empty(spot);
        let expected: usize = breadth_first(board, 8).iter().sum();
        let mut reached = HashSet::from([Packed::from(&board)]);
        let mut level = vec![(Packed::from(&board), spot.index(), automaton.start(spot.index()))];
        for _ in 0..8 {
            let mut next = Vec::new();
            for (packed, empty, state) in level {
                for step in automaton.steps(state) {
                    let to = usize::from(step.to());
                    let after = packed.swapped(empty, to, packed.occupants()[to]);
                    reached.insert(after);
                    next.push((after, to, step.state()));
                }
            }
            level = next;
        }
        assert_eq!(reached.len(), expected);
    }
}
