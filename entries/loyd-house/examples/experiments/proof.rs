//! The nodes and the time of a proof from either end.
//!
//! The arguments are a board file, `forwards` (from the board) or `backwards`, and the highest threshold. It prints
//! nodes and time of each threshold up to that one, with tables of six tiles, by the first bound alone and by both.

use std::time::Instant;

use loyd_house::automaton::Automaton;
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::dual::Dual;
use loyd_house::ida::{self, Origin, Pruning, Task};
use loyd_house::pinwheel::{self, SIX};
use loyd_house::position::Packed;
use loyd_house::proof::lowest;

const THREADS: usize = 2;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [file, direction, most] = arguments else {
        return Err("give a board file, a direction and a threshold".into());
    };
    let direction = match direction.as_str() {
        "forwards" => Direction::Forwards,
        "backwards" => Direction::Backwards,
        _ => return Err(format!("invalid direction `{direction}`; use `forwards` or `backwards`").into()),
    };
    let board: loyd_kit::Board = std::fs::read_to_string(file)?.parse()?;
    let board = Packed::from(&board);
    let [moves, back] = [direction, direction.other()].map(|end| end.geometry(board));
    let heuristic =
        pinwheel::heuristic(&moves, SIX, &pinwheel::build(&moves, SIX, THREADS)?).ok_or("a table is missing")?;
    let dual = Dual::new(&moves, pinwheel::tables(&back, SIX, &[], THREADS)?);
    let automaton = Automaton::new(&moves, 9);
    let start = direction.start(board);
    for threshold in (lowest(&heuristic, start)..=most.parse()?).step_by(2) {
        for dual in [None, Some(&dual)] {
            let pruning = Pruning { heuristic: &heuristic, dual, automaton: &automaton };
            let begun = Instant::now();
            let task = Task { pruning, origin: Origin::Position(start) };
            let found = ida::search(&task, threshold, THREADS, Deadline::never());
            let by = if dual.is_some() { "both bounds" } else { "one bound" };
            println!("{threshold} by {by}: {} nodes in {:.3?}", found.nodes, begun.elapsed());
        }
    }
    Ok(())
}
