//! How long the two searches take for random problems of the groups up to 1-5, 2-4 and 3-3 on the 5 × 5 board.
//!
//! `cargo run --release --package ufo-entries --example ufo-speed [PROBLEMS] [SEED]`, by default 10,000 and 1. Half of
//! the problems are drawn uniformly from all placements of the group's pieces, half from those that have an answer.
//! Prints the median, the 99th percentile and the maximum for each group and for each half. A problem is timed within
//! one process, from its board to its best answer, process start and reading of the board excluded, by the processor
//! time of the thread: on an idle machine that is the wall time, on a busy one it leaves out what others took. Both
//! searches must agree on moves, steps and number of best answers.

#[path = "../tests/common/draw.rs"]
mod draw;

use std::env;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rustix::time::{ClockId, clock_gettime};

use ufo_kit::board::Board;
use ufo_kit::geometry::Shape;
use ufo_kit::position::Idle;
use ufo_kit::search::{Bounds, Outcome};
use ufo_kit::{breadth_first, depth_first};

/// Letter and number pieces. No problem of 3-1 has an answer, so it takes part in the first half alone.
const GROUPS: [(usize, usize); 12] =
    [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3)];

fn main() {
    let mut numbers = env::args().skip(1).map(|argument| argument.parse::<u64>().expect("a whole number"));
    let (problems, seed) = (numbers.next().unwrap_or(10_000), numbers.next().unwrap_or(1));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for solvable in [false, true] {
        println!("{}", if solvable { "problems with an answer" } else { "problems drawn from all" });
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

/// A random problem of a group, with an answer where that is asked for.
fn draw(random: &mut ChaCha8Rng, letters: usize, numbers: usize, solvable: bool) -> Board {
    loop {
        let board = draw::problem(random, Shape::Square, letters, numbers);
        let search = || breadth_first::solve(board.geometry(), board.position(), Idle::default(), &Bounds::NONE);
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
        let broad = breadth_first::solve(board.geometry(), board.position(), Idle::default(), &Bounds::NONE);
        let broad_answer = broad.answer(board);
        self.breadth_first.push(processor_time() - start);
        let start = processor_time();
        let (deep, _) = depth_first::search(board, &Bounds::NONE);
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
        format!("breadth-first {broad}   depth-first {deep}   µs: median, 99 %, most")
    }
}

fn micros(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e6)
}

/// What this thread has taken of a processor so far.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("no thread has run for a negative time")
}
