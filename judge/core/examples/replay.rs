//! Replays an answer: `cargo run -p judge-core --example replay -- loyd tests-boards/loyd/foxy.txt ANSWER`.

#![allow(clippy::disallowed_macros, reason = "an example prints")]

use std::error::Error;

use judge_core::game::HouseRules;
use judge_core::verdict::Verdict;
use judge_core::{games, referee};

/// The verdict on an answer, and the position in which it ends.
pub(crate) fn replay(game: &str, board: &[u8], answer: &[u8]) -> Result<(Verdict, String), Box<dyn Error>> {
    let info = games::find(game).ok_or_else(|| format!("unknown game `{game}`; available: {}", games::names()))?;
    let puzzle = (info.open)(&HouseRules::default())?.parse(board)?;
    let ruling = referee::rule(&*puzzle, answer)?;
    Ok((Verdict::from_replay(info, ruling.score, ruling.illegal), ruling.picture.draw()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, board, answer] = &arguments[..] else { return Err("usage: replay GAME BOARD ANSWER".into()) };
    let (verdict, position) = replay(game, &std::fs::read(board)?, &std::fs::read(answer)?)?;
    println!("{}\n{position}", verdict.summary());
    Ok(())
}
