//! The automaton against plain breadth-first counts: it leaves no position out and walks to none twice.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use loyd_house::automaton::Automaton;
use loyd_house::geometry::{Geometry, SIDE};
use loyd_house::position::Packed;
use loyd_kit::{Board, Move, Spot};

/// How many boards are first met after each number of moves, from this one on, by the rules of the kit.
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

/// How many ways of each length the automaton walks from here.
fn walked(automaton: &Automaton, empty: usize, depth: usize) -> Vec<usize> {
    let mut states = vec![automaton.start(empty)];
    let mut counts = vec![1];
    for _ in 0..depth {
        states = states.iter().flat_map(|&state| automaton.steps(state)).map(|step| step.state).collect();
        counts.push(states.len());
    }
    counts
}

/// A board with the empty spot here.
fn with_empty(spot: Spot) -> Board {
    let mut symbols: Vec<char> = ('A'..='X').collect();
    symbols.insert(spot.index(), '+');
    String::from_iter(symbols).parse().unwrap()
}

#[test]
fn ways_that_are_walked_are_as_many_as_the_boards_there_are_to_depth_10_from_every_spot() {
    let depth = 10;
    let automaton = Automaton::new(&Geometry::new(SIDE), depth);
    for spot in Spot::all() {
        let counts = breadth_first(with_empty(spot), depth);
        assert_eq!(walked(&automaton, spot.index(), depth), counts, "from {spot:?}");
    }
}

#[test]
fn beyond_what_it_knows_it_still_leaves_no_board_out() {
    let automaton = Automaton::new(&Geometry::new(SIDE), 5);
    for spot in [Spot::CENTRE, Spot::LAST] {
        let board = with_empty(spot);
        let expected: usize = breadth_first(board, 8).iter().sum();
        let mut reached = HashSet::from([Packed::from(&board)]);
        let mut level = vec![(Packed::from(&board), spot.index(), automaton.start(spot.index()))];
        for _ in 0..8 {
            let mut next = Vec::new();
            for (packed, empty, state) in level {
                for step in automaton.steps(state) {
                    let to = usize::from(step.to);
                    let after = packed.swapped(empty, to, packed.occupants()[to]);
                    reached.insert(after);
                    next.push((after, to, step.state));
                }
            }
            level = next;
        }
        assert_eq!(reached.len(), expected);
    }
}
