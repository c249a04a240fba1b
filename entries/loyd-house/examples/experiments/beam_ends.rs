//! The moves of a beam's answer from either end, and its time, with tables of six tiles.
//!
//! The arguments are the width of the beam and board files.

use std::time::Instant;

use loyd_house::beam::{self, BeamSettings};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::pinwheel::{self, SIX};
use loyd_house::position::Packed;

const THREADS: usize = 2;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let (width, files) = arguments.split_first().ok_or("give a width and board files")?;
    let settings =
        BeamSettings { width: width.parse()?, most_moves: 140, threads: THREADS, deadline: Deadline::never() };
    for file in files {
        let board: loyd_kit::Board = std::fs::read_to_string(file)?.parse()?;
        let board = Packed::from(&board);
        for direction in [Direction::Forwards, Direction::Backwards] {
            let moves = direction.geometry(board);
            let tables = pinwheel::build(&moves, SIX, THREADS)?;
            let heuristic = pinwheel::heuristic(&moves, SIX, &tables).ok_or("a table is missing")?;
            let begun = Instant::now();
            let path = beam::search(&heuristic, direction.start(board), settings);
            let moves = path.map_or("none".into(), |path| (path.len() - 1).to_string());
            println!("{file} {direction}: {moves} moves in {:.3?}", begun.elapsed());
        }
    }
    Ok(())
}
