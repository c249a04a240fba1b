//! Learns the corrections of the estimate, and prints the table of `src/trips.rs`.
//!
//! The arguments are a number of random boards and a width. Beams of this width, from both ends and without corrections,
//! answer each board. Every position of the better answer, as each end sees it, is an observation of the moves left.
//! `loyd_house::trips` explains what is fitted to them. The boards are none of `judge boards make`. Two threads; the same
//! arguments give the same table.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread;

use loyd_house::beam::{self, BeamSettings, Width};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::estimate::Estimate;
use loyd_house::gap_table::GapTables;
use loyd_house::geometry::SPOTS;
use loyd_house::groups::GAP_FOURS;
use loyd_house::position::{EMPTY, Packed};
use loyd_house::trips::{ORIGINS, representative};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::boards::shuffled;

const THREADS: u64 = 2;
/// Seed of the first board; `judge boards make` takes smaller ones in its documented uses.
const FIRST_SEED: u64 = 1 << 40;
/// Most moves of an answer that a beam looks for.
const MAX_MOVES: usize = 140;
/// Positions this close to the goal are not observed: a beam solves the rest immediately.
const CLOSE: usize = 12;
/// The part of a fitted number that is used, in eighths of a move.
const USED: f64 = 6.0;
/// Weight of the assumption that a number is 0, in observations.
const RIDGE: f64 = 10.0;
/// Numbers to fit: a constant per direction, and one per origin and spot, of which representatives are used.
const NUMBERS: usize = 2 + ORIGINS.len() * SPOTS;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [boards, width] = arguments else { return Err("give a number of boards and a width".into()) };
    let (boards, width) = (boards.parse::<u64>()?, width.parse()?);
    let tables = GapTables::both(GAP_FOURS, 2)?.map(Arc::new);
    let parts = thread::scope(|scope| {
        let observe = |part| {
            let mut observed = Observations::new();
            for board in (part..boards).step_by(2) {
                observe(FIRST_SEED + board, width, &tables, &mut observed);
            }
            observed
        };
        let threads: Vec<_> = (0..THREADS).map(|part| scope.spawn(move || observe(part))).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked")).collect::<Result<Vec<_>, _>>()
    })?;
    let observed = parts.into_iter().reduce(Observations::with).ok_or("no boards")?;
    let (numbers, error) = observed.fit();
    println!("{} observations, root mean square error {error:.2} moves", observed.count);
    let number = |from, to| {
        let (origin, to) = representative(from, to);
        numbers[2 + origin * SPOTS + to]
    };
    // Every position has the same number of trips, so the same change of all numbers changes nothing. Tiles at home get
    // 0 in the mean.
    let home = (0..SPOTS).map(|spot| number(spot, spot)).sum::<f64>() / SPOTS as f64;
    for origin in ORIGINS {
        // Adding 0 makes -0 a plain 0.
        let eighths = |to| format!("{:.0}", (USED * (number(origin, to) - home)).round() + 0.0);
        println!("    [{}],", (0..SPOTS).map(eighths).collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// Adds the positions of an answer to a random board.
fn observe(seed: u64, width: usize, tables: &[Arc<GapTables>; 2], observed: &mut Observations) {
    let board = Packed::new(&shuffled(&mut ChaCha8Rng::seed_from_u64(seed)));
    let ends = Estimate::both(board, tables).map(Estimate::uncorrected);
    let answers = ends.iter().filter_map(|end| {
        let most_moves = &AtomicUsize::new(MAX_MOVES);
        let settings = BeamSettings { width: Width::Fixed(width), most_moves, threads: 1, deadline: Deadline::never() };
        Some(end.direction().answer(beam::search(end, end.direction().start(board), settings)?))
    });
    // Narrow beams can miss the goal.
    let Some(answer) = answers.min_by_key(Vec::len) else { return };
    for end in &ends {
        let path = end.direction().answer(answer.clone());
        let mut position = end.direction().start(board);
        for (made, step) in path.windows(2).enumerate() {
            let (left, [empty, to]) = (path.len() - 1 - made, [step[0], step[1]].map(usize::from));
            let occupants = position.occupants();
            if left > CLOSE {
                observed.add(&numbers(end, &occupants), left as f64 - by_looks(end, &occupants));
            }
            position = position.swapped(empty, to, occupants[to]);
        }
    }
}

/// The greatest look and the mean of all.
fn by_looks(end: &Estimate, occupants: &[u8; SPOTS]) -> f64 {
    let looks = end.values(occupants).map(|values| values.into_iter().map(f64::from).sum());
    looks.into_iter().fold(0.0, f64::max) + looks.iter().sum::<f64>() / looks.len() as f64
}

/// The numbers whose sum is a position's moves left.
fn numbers(end: &Estimate, occupants: &[u8; SPOTS]) -> Vec<usize> {
    let backwards = end.direction() == Direction::Backwards;
    let mut numbers = vec![usize::from(backwards)];
    for (spot, &tile) in occupants.iter().enumerate().filter(|(_, tile)| **tile != EMPTY) {
        let home = end.board().home(tile.into());
        let (origin, to) = if backwards { representative(home, spot) } else { representative(spot, home) };
        numbers.push(2 + origin * SPOTS + to);
    }
    numbers
}

/// The sums of the normal equations.
struct Observations {
    products: Vec<[f64; NUMBERS]>,
    targets: [f64; NUMBERS],
    squares: f64,
    count: u64,
}

impl Observations {
    fn new() -> Observations {
        Observations { products: vec![[0.0; NUMBERS]; NUMBERS], targets: [0.0; NUMBERS], squares: 0.0, count: 0 }
    }

    fn add(&mut self, numbers: &[usize], target: f64) {
        for &number in numbers {
            self.targets[number] += target;
            for &other in numbers {
                self.products[number][other] += 1.0;
            }
        }
        self.squares += target * target;
        self.count += 1;
    }

    fn with(mut self, other: Observations) -> Observations {
        for (row, others) in self.products.iter_mut().zip(other.products) {
            row.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        }
        self.targets.iter_mut().zip(other.targets).for_each(|(sum, other)| *sum += other);
        Observations { squares: self.squares + other.squares, count: self.count + other.count, ..self }
    }

    /// The numbers, and the root of the mean square of what they leave, by Cholesky's decomposition.
    fn fit(&self) -> ([f64; NUMBERS], f64) {
        let mut lower = self.products.clone();
        for column in 0..NUMBERS {
            lower[column][column] += RIDGE;
            for row in column..NUMBERS {
                let known: f64 = (0..column).map(|at| lower[row][at] * lower[column][at]).sum();
                let value = lower[row][column] - known;
                lower[row][column] = if row == column { value.sqrt() } else { value / lower[column][column] };
            }
        }
        let mut numbers = self.targets;
        for row in 0..NUMBERS {
            let known: f64 = (0..row).map(|at| lower[row][at] * numbers[at]).sum();
            numbers[row] = (numbers[row] - known) / lower[row][row];
        }
        for row in (0..NUMBERS).rev() {
            let known: f64 = (row + 1..NUMBERS).map(|at| lower[at][row] * numbers[at]).sum();
            numbers[row] = (numbers[row] - known) / lower[row][row];
        }
        // What the numbers explain of the squares, and what the ridge takes of it.
        let explained = numbers.iter().zip(&self.targets).map(|(number, target)| number * (target + RIDGE * number));
        let unexplained = self.squares - explained.sum::<f64>();
        (numbers, (unexplained.max(0.0) / self.count as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_observations_were_made_of_are_found_again() {
        let (boards, made) = ([3_usize, 7, 20, 41, 90], |number: usize| number as f64 / 10.0 - 2.0);
        let mut halves = [Observations::new(), Observations::new()];
        for round in 0..20_000 {
            let numbers = [round % 2, boards[round % 5], boards[round / 5 % 5]];
            if numbers[1] != numbers[2] {
                let target = numbers.iter().map(|&number| made(number)).sum();
                halves[round / 10_000].add(&numbers, target);
            }
        }
        let [first, second] = halves;
        let observed = first.with(second);
        let (numbers, error) = observed.fit();
        assert_eq!(observed.count, 16_000);
        // The constants and the pairs share what is the same everywhere, so only differences are determined.
        for pair in boards.windows(2) {
            let difference = made(pair[1]) - made(pair[0]);
            assert!((numbers[pair[1]] - numbers[pair[0]] - difference).abs() < 0.05, "{numbers:?}");
        }
        assert!(error < 0.1, "{error}");
    }
}
