//! The moves of a beam's answer from either end, and its time.
//!
//! The arguments are the tiles of the largest tables (3 or 4), the width of the beam, and board files. The last line has
//! the totals, also of the better answer to each board.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Instant;

use loyd_house::beam::{self, BeamSettings, Width};
use loyd_house::clock::Deadline;
use loyd_house::estimate::Estimate;
use loyd_house::gap_table::GapTables;
use loyd_house::groups::{GAP_FOURS, GAP_THREES};
use loyd_house::position::Packed;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [tiles, width, files @ ..] = arguments else {
        return Err("give the tiles of the largest tables, a width and board files".into());
    };
    let partition = match tiles.as_str() {
        "3" => GAP_THREES,
        "4" => GAP_FOURS,
        _ => return Err(format!("invalid number of tiles `{tiles}`; use 3 or 4").into()),
    };
    let width = Width::Fixed(width.parse()?);
    let begun = Instant::now();
    let tables = GapTables::both(partition, 2)?.map(Arc::new);
    println!("tables built in {:.3?}", begun.elapsed());
    let mut totals = [0; 3];
    for file in files {
        let board: loyd_kit::Board = std::fs::read_to_string(file)?.parse()?;
        let board = Packed::from(&board);
        let mut lengths = Vec::new();
        for estimate in Estimate::both(board, &tables) {
            let (begun, direction) = (Instant::now(), estimate.direction());
            let most_moves = &AtomicUsize::new(140);
            let settings = BeamSettings { width, most_moves, threads: 1, deadline: Deadline::never() };
            let path = beam::search(&estimate, direction.start(board), settings);
            let moves = path.ok_or_else(|| format!("{file} {direction}: no answer; use a wider beam"))?.len() - 1;
            println!("{file} {direction}: {moves} moves in {:.3?}", begun.elapsed());
            lengths.push(moves);
        }
        lengths.push(lengths[0].min(lengths[1]));
        totals.iter_mut().zip(lengths).for_each(|(total, moves)| *total += moves);
    }
    let [ahead, behind, better] = totals;
    println!(
        "{} boards: {ahead} moves from the board, {behind} from perfection, {better} the better of both",
        files.len()
    );
    Ok(())
}
