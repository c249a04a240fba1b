//! The nodes and the time of a proof from either end.
//!
//! The arguments are a board file, `forwards` (from the board) or `backwards`, `whole` or `split` answers, and the highest
//! threshold. It prints nodes and time of each threshold up to that one, with tables of six tiles. Whole answers are
//! searched by the first bound alone and by both, split ones by both.

use std::sync::Arc;
use std::time::Instant;

use loyd_house::automaton::Automaton;
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::dual::Dual;
use loyd_house::ida::{self, Origin, Task};
use loyd_house::pinwheel::{self, SIX};
use loyd_house::position::Packed;
use loyd_house::proof::{Proof, lowest};
use loyd_house::pruning::Pruning;

const THREADS: usize = 2;
/// Length of the automaton's paths.
const LENGTH: usize = 11;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [file, direction, answers, most] = arguments else {
        return Err("give a board file, a direction, `whole` or `split`, and a threshold".into());
    };
    let direction = match direction.as_str() {
        "forwards" => Direction::Forwards,
        "backwards" => Direction::Backwards,
        _ => return Err(format!("invalid direction `{direction}`; use `forwards` or `backwards`").into()),
    };
    let board: loyd_kit::Board = std::fs::read_to_string(file)?.parse()?;
    let most = most.parse()?;
    match answers.as_str() {
        "whole" => whole(Packed::from(&board), direction, most),
        "split" => split(Packed::from(&board), direction, most),
        _ => Err(format!("invalid answers `{answers}`; use `whole` or `split`").into()),
    }
}

fn whole(board: Packed, direction: Direction, most: u8) -> Result<(), Box<dyn std::error::Error>> {
    let [moves, back] = [direction, direction.other()].map(|end| end.geometry(board));
    let heuristic =
        pinwheel::heuristic(&moves, SIX, &pinwheel::build(&moves, SIX, THREADS)?).ok_or("a table is missing")?;
    let dual = Dual::new(&moves, pinwheel::tables(&back, SIX, &[], THREADS)?);
    let automaton = Automaton::new(&moves, LENGTH, THREADS);
    let start = direction.start(board);
    for threshold in (lowest(&heuristic, start)..=most).step_by(2) {
        for (dual, by) in [(None, "one bound"), (Some(&dual), "both bounds")] {
            let pruning = Pruning { heuristic: &heuristic, dual, automaton: &automaton };
            measure(&Task { pruning, origin: Origin::Position(start) }, threshold, by);
        }
    }
    Ok(())
}

fn split(board: Packed, direction: Direction, most: u8) -> Result<(), Box<dyn std::error::Error>> {
    let [moves, back] = [direction, direction.other()].map(|end| end.geometry(board));
    let near = pinwheel::tables(&moves, SIX, &[], THREADS)?;
    let far = pinwheel::build(&back, SIX, THREADS)?;
    let heuristic = pinwheel::heuristic(&back, SIX, &far).ok_or("a table is missing")?;
    let far = far[..SIX.len()].to_vec();
    let proof = Proof::split(direction, board, Arc::new(heuristic), SIX, [near, far], LENGTH, THREADS);
    for threshold in (proof.threshold()..=most).step_by(2) {
        measure(&proof.task(), threshold, "both bounds");
    }
    Ok(())
}

fn measure(task: &Task<'_>, threshold: u8, by: &str) {
    let begun = Instant::now();
    let found = ida::search(task, threshold, THREADS, Deadline::never());
    let took = begun.elapsed();
    let each = took.as_secs_f64() * 1e9 * THREADS as f64 / found.nodes as f64;
    println!("{threshold} by {by}: {} nodes in {took:.3?}, {each:.1} ns of each thread", found.nodes);
}
