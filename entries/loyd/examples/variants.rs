//! Variants of the strategies that their write-ups mention, next to the strategies: the tables "Variants" of
//! `results/strategies.md`.
//!
//!     cargo run --release --manifest-path entries/Cargo.toml -p loyd-entries --example variants [BOARDS]
//!
//! Each variant is the strategy with other values of its parameters. A search keeps at most `BOARDS` boards, by default
//! as many as the entries, and has their time: ten minutes, or `JUDGE_LIMIT_MS`. The boards are the five of the final,
//! and the random ones of the seeds 1 to 200.

#[path = "../src/bin/escort.rs"]
#[allow(dead_code, reason = "the `main` of a strategy is not called")]
mod escort;
#[path = "../src/bin/nilssonized.rs"]
#[allow(dead_code, reason = "the `main` of a strategy is not called")]
mod nilssonized;
#[path = "../src/bin/ramduf.rs"]
#[allow(dead_code, reason = "the `main` of a strategy is not called")]
mod ramduf;
#[path = "../src/bin/slider.rs"]
#[allow(dead_code, reason = "the `main` of a strategy is not called")]
mod slider;

use std::path::Path;
use std::{env, fs};

use loyd_kit::best_first::BOARDS;
use loyd_kit::{Board, Move, NotFound};

/// The boards of the final.
const FINAL: [&str; 5] = ["foxy", "aid", "typo", "faq", "warn"];
/// The number of random boards.
const RANDOM: u64 = 200;
/// Orders of escort: its own, and by falling distance from the centre, in king's moves or in steps.
const ORDERS: [(&str, &str); 3] = [
    ("escort: the inner ring once around", "ETUA DJOXVPFB CNWK HIMSRQLG"),
    ("escort: by distance, the inner ring last", "ETUA DJOXVPFB CNWK ISQG HMRL"),
    ("escort: by distance in steps", "ETUA DJOXVPFB CINSWQKG HMRL"),
];

/// A strategy or a variant of it: a name, and its answer to a board or the reason why there is none.
type Variant<'a> = (&'a str, &'a dyn Fn(&Board) -> Result<Vec<Move>, NotFound>);

fn main() {
    let most = env::args().nth(1).map_or(BOARDS, |argument| argument.parse().expect("a number of boards"));
    let boards = Boards::read();
    boards.compare_on_the_final(&[
        ("Nilssonized", &|board| nilssonized::solve(board, 0, most)),
        ("Nilssonized, the moves made count", &|board| nilssonized::solve(board, 1, most)),
        ("slider", &|board| slider::solve(board, [2, 3], most)),
        ("slider, equal weights", &|board| slider::solve(board, [1, 1], most)),
        ("ramduf", &|board| ramduf::solve(board, [4, 3, 2], most)),
        ("ramduf, factors 3, 2 and 1", &|board| ramduf::solve(board, [6, 4, 2], most)),
    ]);
    boards.count_escorted();
}

/// The boards that the tables are about.
struct Boards {
    of_the_final: [Board; 5],
    random: Vec<Board>,
}

impl Boards {
    fn read() -> Boards {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/loyd");
        let parsed = |text: &str| -> Board { text.parse().expect("a board of this project") };
        let random = judge_command::random_boards("loyd", None, 1..=RANDOM);
        Boards {
            of_the_final: FINAL.map(|name| {
                parsed(&fs::read_to_string(folder.join(name).with_extension("txt")).expect("a board of the final"))
            }),
            random: random.iter().map(|text| parsed(text)).collect(),
        }
    }

    /// Prints one row per variant with its moves on the boards of the final, or the reason why it has no answer.
    fn compare_on_the_final(&self, variants: &[Variant]) {
        println!("| strategy | {} |", FINAL.map(str::to_uppercase).join(" | "));
        println!("|{}", "---|".repeat(1 + FINAL.len()));
        for (name, solve) in variants {
            let cells = self.of_the_final.map(|board| match solve(&board) {
                Ok(moves) if solves(&board, &moves) => moves.len().to_string(),
                Ok(_) => "not solved".to_owned(),
                Err(reason) => reason.to_string(),
            });
            println!("| {name} | {} |", cells.join(" | "));
        }
        println!();
    }

    /// Prints one row per order of escort with the number of random boards that it solves.
    fn count_escorted(&self) {
        println!("| order | solved of {RANDOM} |");
        println!("|---|---|");
        for (name, order) in ORDERS {
            let solved = |board: &&Board| solves(board, &escort::solve(board, order));
            println!("| {name} | {} |", self.random.iter().filter(solved).count());
        }
    }
}

/// Returns `true` if the moves are legal and end in perfection.
fn solves(board: &Board, moves: &[Move]) -> bool {
    moves.iter().try_fold(*board, |board, &made| board.after(made)) == Some(Board::perfection())
}
