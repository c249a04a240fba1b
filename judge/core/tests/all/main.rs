//! Tests of the games and the referee: naive second implementations, cases from the sources, random boards.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use judge_core::game::{Game, HouseRules, Puzzle};
use judge_core::picture::Picture;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The rows of a table of cases, one a line.
macro_rules! rows {
    ($($row:expr),+ $(,)?) => {
        [$($row),+]
    };
}

mod answers;
mod compared;
mod distance;
mod example;
mod hexa_draughts_rules;
mod loyd_rules;
mod recorded;
mod referee;
mod refused;
mod shift_rules;
mod statistics;
mod swap_rules;
mod table_of_runs;
mod tokens;
mod ufo_rules;

/// A game with its usual rules.
fn game(name: &str) -> Box<dyn Game> {
    (judge_core::games::find(name).unwrap().open)(&HouseRules::default()).unwrap()
}

/// What an answer comes to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    progress: u64,
    of: u64,
    moves: u64,
    tie_break: u64,
    /// Index from 1 and token of the illegal move; no token if the second implementation knows none.
    illegal: Option<(u64, String)>,
    position: String,
}

/// A random answer to a board, and what a second implementation says of it.
struct Case {
    board: String,
    puzzle: Box<dyn Puzzle>,
    answer: Vec<u8>,
    outcome: Outcome,
    /// How the position of the judge reads.
    position: fn(&Picture) -> String,
    /// The ways in which the case is interesting.
    interesting: Vec<bool>,
}

/// Compares random answers, which the judge gets in two pieces, with a second implementation. The cases that are interesting
/// in each way are a share between these percentages.
fn match_the_oracle(seed: u64, cases: usize, percent: &[(f64, f64)], make: impl Fn(&mut ChaCha8Rng, usize) -> Case) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut counts = vec![0; percent.len()];
    for number in 0..cases {
        let case = make(&mut random, number);
        let cut = random.random_range(0..=case.answer.len());
        let (head, tail) = case.answer.split_at(cut);
        let mut replay = case.puzzle.start();
        let illegal = replay.feed(head).and_then(|()| replay.feed(tail)).and_then(|()| replay.finish()).err();
        let named = case.outcome.illegal.as_ref().is_some_and(|(_, token)| !token.is_empty());
        let score = replay.score();
        let found = Outcome {
            progress: score.progress,
            of: score.of,
            moves: score.moves,
            tie_break: score.tie_break,
            illegal: illegal.map(|refused| (refused.index, if named { refused.token } else { String::new() })),
            position: (case.position)(&replay.picture()),
        };
        let shown = || format!("{:?} on\n{}", String::from_utf8_lossy(&case.answer), case.board);
        assert_eq!(found, case.outcome, "seed {seed}, case {number}: cut at {cut}, {}", shown());
        counts.iter_mut().zip(&case.interesting).for_each(|(count, &is)| *count += usize::from(is));
    }
    let shares = counts.iter().map(|&count| 100.0 * f64::from(u32::try_from(count).unwrap()) / cases as f64);
    let shares: Vec<f64> = shares.collect();
    let worth = shares.iter().zip(percent).all(|(share, (least, most))| share > least && share < most);
    assert!(worth, "too few interesting cases: {shares:?} percent");
}

/// The tests of a second implementation in both tiers.
macro_rules! oracle_tests {
    ($cases:literal, $many:expr) => {
        #[test]
        fn some_random_answers_match_the_oracle() {
            random_answers_match_the_oracle($cases);
        }

        #[test]
        #[ignore = "deep: oracles"]
        fn many_random_answers_match_the_oracle() {
            $many;
        }
    };
}
use oracle_tests;

/// How many random answers the deep tier compares with a second implementation. An optimised build has the time for more.
const MANY: usize = if cfg!(debug_assertions) { 25_000 } else { 250_000 };
