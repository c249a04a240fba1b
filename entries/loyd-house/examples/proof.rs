//! An experiment: how many nodes the proof takes from either end, and how long.
//!
//! `cargo run --release --package loyd-house --example proof tests-boards/loyd/foxy.txt backwards 80`: nodes and time of
//! each threshold up to this one, with tables of six tiles, by the first bound alone and by both. `forwards` begins at
//! the board.

use std::time::Instant;

use loyd_house::automaton::Automaton;
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::dual::Dual;
use loyd_house::grounds::lowest;
use loyd_house::ida::{self, Pruning};
use loyd_house::pinwheel::{self, SIX};
use loyd_house::position::Packed;

const THREADS: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, direction, most] = arguments.as_slice() else {
        return Err("give board, direction and threshold".into());
    };
    let direction = match direction.as_str() {
        "forwards" => Direction::Forwards,
        "backwards" => Direction::Backwards,
        _ => return Err("the direction is `forwards` or `backwards`".into()),
    };
    let board: loyd_kit::Board = std::fs::read_to_string(file)?.parse()?;
    let board = Packed::from(&board);
    let [moves, back] = [direction, direction.other()].map(|end| end.geometry(board));
    let guide = pinwheel::guide(&moves, SIX, &pinwheel::build(&moves, SIX, THREADS)?).ok_or("a table is missing")?;
    let dual = Dual::new(&moves, pinwheel::tables(&back, SIX, &[], THREADS)?);
    let automaton = Automaton::new(&moves, 9);
    let start = direction.start(board);
    for threshold in (lowest(&guide, start)..=most.parse()?).step_by(2) {
        for dual in [None, Some(&dual)] {
            let pruning = Pruning { guide: &guide, dual, automaton: &automaton };
            let begun = Instant::now();
            let found = ida::search(pruning, start, threshold, THREADS, Deadline::never());
            let by = if dual.is_some() { "both bounds" } else { "one bound" };
            println!("{threshold} by {by}: {} nodes in {:.3?}", found.nodes, begun.elapsed());
        }
    }
    Ok(())
}
