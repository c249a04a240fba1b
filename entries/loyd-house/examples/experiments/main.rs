//! The experiments of the README, one subcommand each.
//!
//!     cargo run --release --manifest-path entries/Cargo.toml --package loyd-house --example experiments -- beam-ends TILES WIDTH BOARD…
//!     cargo run --release --manifest-path entries/Cargo.toml --package loyd-house --example experiments -- empty-spot
//!     cargo run --release --manifest-path entries/Cargo.toml --package loyd-house --example experiments -- hard SECONDS SEED BOARD…
//!     cargo run --release --manifest-path entries/Cargo.toml --package loyd-house --example experiments -- partitions PARTITION…
//!     cargo run --release --manifest-path entries/Cargo.toml --package loyd-house --example experiments -- proof BOARD DIRECTION whole|split THRESHOLD
//!     cargo run --release --manifest-path entries/Cargo.toml --package loyd-house --example experiments -- trips BOARDS WIDTH

mod beam_ends;
mod boards;
mod empty_spot;
mod hard;
mod partitions;
mod proof;
mod trips;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((name, rest)) if name == "beam-ends" => beam_ends::run(rest),
        Some((name, rest)) if name == "hard" => hard::run(rest),
        Some((name, rest)) if name == "partitions" => partitions::run(rest),
        Some((name, rest)) if name == "proof" => proof::run(rest),
        Some((name, rest)) if name == "trips" => trips::run(rest),
        Some((name, [])) if name == "empty-spot" => empty_spot::run(),
        _ => Err("give an experiment: beam-ends, empty-spot, hard, partitions, proof or trips".into()),
    }
}
