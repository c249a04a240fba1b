//! An experiment: how short an answer a beam finds from either end.
//!
//! `cargo run --release --package loyd-house --example beam_ends WIDTH BOARD…`: moves and time of a beam of this width
//! from the board and from perfection, with tables of six tiles.

use std::time::Instant;

use loyd_house::beam::{self, Order};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::pinwheel::{self, SIX};
use loyd_house::position::Packed;

const THREADS: usize = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (width, files) = arguments.split_first().ok_or("give a width and boards")?;
    let order = Order { width: width.parse()?, most_moves: 140, threads: THREADS, deadline: Deadline::never() };
    for file in files {
        let board: loyd_kit::Board = std::fs::read_to_string(file)?.parse()?;
        let board = Packed::from(&board);
        for direction in [Direction::Forwards, Direction::Backwards] {
            let moves = direction.geometry(board);
            let tables = pinwheel::build(&moves, SIX, THREADS)?;
            let guide = pinwheel::guide(&moves, SIX, &tables).ok_or("a table is missing")?;
            let begun = Instant::now();
            let way = beam::search(&guide, direction.start(board), order);
            let moves = way.map_or("none".into(), |way| (way.len() - 1).to_string());
            println!("{file} {direction}: {moves} moves in {:.3?}", begun.elapsed());
        }
    }
    Ok(())
}
