//! Benchmark of the two searches on random problems of the groups up to 1-5, 2-4 and 3-3 on the 5 × 5 board.
//!
//! `cargo run --release --manifest-path entries/Cargo.toml --package ufo-entries --example ufo-speed [PROBLEMS] [SEED]`, by default 10,000 and 1. Half of
//! the problems are drawn uniformly from all placements of the group's pieces, half from the solvable ones. Prints the
//! median, the 99th percentile and the maximum for each group and each half.
//!
//! The time of a problem runs from its board to its best answer, without process start and reading of the board. It is
//! the processor time of the thread: equal to wall time on an idle machine, and without the time of other processes on a
//! busy one. Both searches must agree on moves, steps and number of best answers.

#[path = "../tests/all/draw.rs"]
mod draw;

use std::env;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rustix::time::{ClockId, clock_gettime};

use ufo_kit::board::Board;
use ufo_kit::geometry::Shape;
use ufo_kit::search::{Limits, Outcome};
use ufo_kit::{breadth_first, depth_first};

/// Letter and number pieces. No problem of 3-1 is solvable, so this group is only in the first half.
const GROUPS: [(usize, usize); 12] =
    [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3)];

fn main() {
    let mut numbers = env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a whole number"));
    let (problems, seed) = (numbers.next().unwrap_or(10_000), numbers.next().unwrap_or(1));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for solvable in [false, true] {
        println!("{}", if solvable { "solvable problems" } else { "problems drawn from all" });
        let mut all = Times::default();
        let groups = GROUPS.iter().filter(|group| !solvable || **group != (3, 1));
        let share = problems.div_ceil(2).div_ceil(groups.clone().count() as u64);
        for &(letters, numbers) in groups {
            let mut times = Times::default();
            for _ in 0..share {
                times.measure(&draw(&mut random, letters, numbers, solvable));
            }
            println!("  {letters}-{numbers}  {}", times.describe());
            all.append(times);
        }
        println!("  all  {}   {} problems", all.describe(), all.breadth_first.len());
    }
}

/// Draws a random problem of a group, a solvable one if `solvable`.
fn draw(random: &mut ChaCha8Rng, letters: usize, numbers: usize, solvable: bool) -> Board {
    loop {
        let board = draw::problem(random, Shape::Square, letters, numbers);
        let search = || breadth_first::search(&board, &Limits::NONE);
        if !solvable || search().cost().is_some() {
            return board;
        }
    }
}

#[derive(Default)]
struct Times {
    breadth_first: Vec<Duration>,
    depth_first: Vec<Duration>,
}

impl Times {
    fn measure(&mut self, board: &Board) {
        let start = processor_time();
        let broad = breadth_first::search(board, &Limits::NONE);
        let broad_answer = broad.answer(board);
        self.breadth_first.push(processor_time() - start);
        let start = processor_time();
        let (deep, _) = depth_first::search(board, &Limits::NONE);
        let deep_answer = deep.answer(board);
        self.depth_first.push(processor_time() - start);
        assert_eq!(broad_answer.cost(), deep_answer.cost(), "on\n{board}");
        if let (Outcome::Solved(broad), Outcome::Solved(deep)) = (broad, deep) {
            assert_eq!((broad.cost, broad.count), (deep.cost, deep.count), "on\n{board}");
        }
    }

    fn append(&mut self, mut other: Times) {
        self.breadth_first.append(&mut other.breadth_first);
        self.depth_first.append(&mut other.depth_first);
    }

    fn describe(&self) -> String {
        let [broad, deep] = [&self.breadth_first, &self.depth_first].map(|times| {
            let mut times = times.clone();
            times.sort_unstable();
            let at = |percent: usize| micros(times[(times.len() - 1) * percent / 100]);
            format!("{:>8} {:>8} {:>8}", at(50), at(99), at(100))
        });
        format!("breadth-first {broad}   depth-first {deep}   µs: median, 99 %, maximum")
    }
}

fn micros(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e6)
}

/// The processor time of this thread so far.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("no thread has run for a negative time")
}
