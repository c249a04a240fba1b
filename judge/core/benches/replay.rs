//! Benchmark of the referee: moves per second on one core.
//!
//! `cargo bench -p judge-core --bench replay`

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::hint::black_box;
use std::time::Instant;

use judge_core::game::{HouseRules, Puzzle};
use judge_core::{games, referee};

/// Moves per replay, far more than fit into a cache.
const MOVES: usize = 4 << 20;

const REPLAYS: usize = 101;

fn perfection() -> Box<dyn Puzzle> {
    let info = games::find("loyd").expect("a game");
    let game = (info.open)(&HouseRules::default()).expect("no house rules");
    game.parse(b"ABCDE FGHIJ KLMNO PQRST UVWX+").expect("a board")
}

/// A long legal answer whose moves a branch predictor cannot learn: slides and transports drawn at random.
fn answer() -> Vec<u8> {
    let mut state = 1995u64;
    let (mut row, mut column) = (4, 4);
    let mut answer = Vec::with_capacity(MOVES);
    while answer.len() < MOVES {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let (letter, to) = match (state >> 33) % 5 {
            0 if row < 4 => (b'u', (row + 1, column)),
            1 if row > 0 => (b'd', (row - 1, column)),
            2 if column < 4 => (b'l', (row, column + 1)),
            3 if column > 0 => (b'r', (row, column - 1)),
            4 if (row, column) != (2, 2) => (b't', (2, 2)),
            _ => continue,
        };
        answer.push(letter);
        (row, column) = to;
    }
    answer
}

fn main() {
    let puzzle = perfection();
    let answer = answer();
    assert!(referee::rule(&*puzzle, &*answer).expect("memory can be read").illegal.is_none());
    let mut rates: Vec<f64> = (0..REPLAYS)
        .map(|_| {
            let begun = Instant::now();
            black_box(referee::rule(black_box(&*puzzle), black_box(&*answer))).expect("memory can be read");
            MOVES as f64 / begun.elapsed().as_secs_f64() / 1e6
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    let [least, median, most] = [0, REPLAYS / 2, REPLAYS - 1].map(|index| rates[index]);
    println!("random legal moves: {median:.0} million moves per second (of {REPLAYS} replays {least:.0} to {most:.0})");
}
