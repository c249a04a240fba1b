//! A search for hard boards, whose shortest answers are long.
//!
//! The arguments are the seconds to search, a seed, and any number of board files to begin with. A tenth of the time
//! goes to random boards. Then climbs follow each other, by exchanging two symbols at a time. A climb from a random board
//! first raises the bound of the tables of six tiles, which takes a microsecond per board. Then it lengthens the answer
//! of a narrow beam, as a climb from a given board does from the start. A wide beam answers the board at the top. The
//! example prints every board with a greater bound or a longer answer than all before. The same seed and boards give the
//! same climbs; the time limits their number.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use loyd_house::answer::to_letters;
use loyd_house::beam::{self, BeamSettings, Width};
use loyd_house::clock::Deadline;
use loyd_house::direction::Direction;
use loyd_house::estimate::Estimate;
use loyd_house::gap_table::GapTables;
use loyd_house::geometry::{SIDE, SPOTS};
use loyd_house::groups::GAP_FOURS;
use loyd_house::heuristic::Heuristic;
use loyd_house::pinwheel::{self, SIX};
use loyd_house::position::{EMPTY, Packed, byte};
use loyd_house::proof::lowest;
use loyd_kit::Board;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::boards::{Occupants, shuffled};

/// Part of the time for random boards.
const RANDOM_PART: u32 = 10;
/// Exchanges tried per climb for a greater bound.
const EXCHANGES: u32 = 1_000_000;
/// Temperature of the first exchange, in moves; it falls to 0 with the last.
const TEMPERATURE: f64 = 1.5;
/// Exchanges in a row without a longer answer that end a climb.
const PATIENCE: u32 = 40;
/// Width of the beam that compares boards.
const NARROW: usize = 2_000;
/// Width of the beam that answers the board at the top of a climb.
const WIDE: usize = 50_000;
/// Most moves of an answer that a beam looks for.
const MAX_MOVES: usize = 180;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [seconds, seed, files @ ..] = arguments else {
        return Err("give seconds, a seed, and any number of board files".into());
    };
    let limit = Duration::from_secs(seconds.parse()?);
    let mut random = ChaCha8Rng::seed_from_u64(seed.parse()?);
    let mut given = Vec::new();
    for file in files {
        let board: Board = std::fs::read_to_string(file)?.parse()?;
        given.push(Packed::from(&board).occupants());
    }
    let moves = Direction::Forwards.geometry(Packed::goal());
    let tables = pinwheel::build(&moves, SIX, 1)?;
    let heuristic = pinwheel::heuristic(&moves, SIX, &tables).ok_or("a table is missing")?;
    let begun = Instant::now();
    let estimate = forwards()?;
    let mut found = Hardest { heuristic: &heuristic, estimate: &estimate, bound: 0, moves: 0 };

    let (mut boards, mut bounds, mut lengths) = (0_u32, 0.0, 0.0);
    while begun.elapsed() < limit / RANDOM_PART {
        let board = shuffled(&mut random);
        let length = found.length(&board, NARROW);
        boards += 1;
        bounds += f64::from(found.bound(&board));
        lengths += f64::from(length);
        found.record(&board, "random", NARROW);
    }
    let mean = |sum: f64| sum / f64::from(boards.max(1));
    println!("{boards} random boards: mean bound {:.1}, mean answer {:.1}", mean(bounds), mean(lengths));

    let (mut climbs, mut given) = (0_u32, given.into_iter());
    while begun.elapsed() < limit {
        let (foot, by) = match given.next() {
            Some(board) => (board, "from a given board"),
            None => (raise_bound(&heuristic, shuffled(&mut random), &mut random), "from a random board"),
        };
        found.record(&foot, by, WIDE);
        let top = lengthen(&found, foot, &mut random, || begun.elapsed() >= limit);
        found.record(&top, by, WIDE);
        climbs += 1;
    }
    println!("{climbs} climbs in {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// The estimate for beams from any board.
fn forwards() -> std::io::Result<Estimate> {
    let tables = GapTables::both(GAP_FOURS, 1)?.map(Arc::new);
    let [forwards, _] = Estimate::both(Packed::goal(), &tables);
    Ok(forwards)
}

/// The greatest bound and the longest answer so far.
struct Hardest<'a> {
    heuristic: &'a Heuristic,
    estimate: &'a Estimate,
    bound: u8,
    moves: u32,
}

impl Hardest<'_> {
    fn bound(&self, board: &Occupants) -> u8 {
        lowest(self.heuristic, Packed::new(board))
    }

    /// The moves of a beam's answer; 0 if it finds none, so that such a board never counts as hard.
    fn length(&self, board: &Occupants, width: usize) -> u32 {
        self.answer(board, width).map_or(0, |path| u32::from(byte(path.len() - 1)))
    }

    fn answer(&self, board: &Occupants, width: usize) -> Option<Vec<u8>> {
        let (width, most_moves) = (Width::Fixed(width), &AtomicUsize::new(MAX_MOVES));
        let settings = BeamSettings { width, most_moves, threads: 1, deadline: Deadline::never() };
        beam::search(self.estimate, Packed::new(board), settings)
    }

    /// Prints the board if its bound is greater or its answer longer than those of all before.
    fn record(&mut self, board: &Occupants, by: &str, width: usize) {
        let bound = self.bound(board);
        let Some(path) = self.answer(board, width) else { return };
        let moves = u32::from(byte(path.len() - 1));
        if bound > self.bound || moves > self.moves {
            let answer = to_letters(&path).expect("a beam makes legal moves");
            println!("{}: bound {bound}, answer {moves} by a beam of {width}, {by}: {answer}", one_line(board));
        }
        self.bound = self.bound.max(bound);
        self.moves = self.moves.max(moves);
    }
}

/// The board on one line, as five groups of five symbols.
fn one_line(board: &Occupants) -> String {
    let symbol = |&occupant: &u8| if occupant == EMPTY { '+' } else { char::from(b'A' + occupant) };
    board.chunks(SIDE).map(|row| row.iter().map(symbol).collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// The board with two symbols exchanged.
fn exchanged(mut board: Occupants, random: &mut ChaCha8Rng) -> Occupants {
    let first = random.random_range(0..SPOTS);
    let second = (first + random.random_range(1..SPOTS)) % SPOTS;
    board.swap(first, second);
    board
}

/// Raises the bound of the tables by simulated annealing.
fn raise_bound(heuristic: &Heuristic, start: Occupants, random: &mut ChaCha8Rng) -> Occupants {
    let bound_of = |board: &Occupants| f64::from(heuristic.values(board).bound());
    let (mut board, mut bound) = (start, bound_of(&start));
    let mut best = (start, bound);
    for step in 0..EXCHANGES {
        let temperature = TEMPERATURE * (1.0 - f64::from(step) / f64::from(EXCHANGES));
        let next = exchanged(board, random);
        let gain = bound_of(&next) - bound;
        if gain >= 0.0 || random.random_bool((gain / temperature).exp()) {
            (board, bound) = (next, bound + gain);
            if bound > best.1 {
                best = (board, bound);
            }
        }
    }
    best.0
}

/// Lengthens the answer of a narrow beam until no exchange does, or the time is over.
fn lengthen(
    found: &Hardest<'_>,
    mut board: Occupants,
    random: &mut ChaCha8Rng,
    mut is_over: impl FnMut() -> bool,
) -> Occupants {
    let mut longest = found.length(&board, NARROW);
    let mut failures = 0;
    while failures < PATIENCE && !is_over() {
        let next = exchanged(board, random);
        let length = found.length(&next, NARROW);
        failures = if length > longest { 0 } else { failures + 1 };
        if length >= longest {
            (board, longest) = (next, length);
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use loyd_house::table_set::TableSet;

    use super::*;

    #[test]
    fn a_climb_raises_the_bound_of_the_same_symbols() {
        let heuristic = TableSet::Threes.heuristic(1).expect("memory for small tables");
        let mut random = ChaCha8Rng::seed_from_u64(1995);
        let start = shuffled(&mut random);
        let high = raise_bound(&heuristic, start, &mut random);
        let estimate = forwards().expect("memory for small tables");
        let found = Hardest { heuristic: &heuristic, estimate: &estimate, bound: 0, moves: 0 };
        assert!(found.bound(&high) > found.bound(&start) + 5);
        let mut symbols = high;
        symbols.sort_unstable();
        assert_eq!(symbols, std::array::from_fn(byte));
        let board: Board = one_line(&high).parse().expect("a board");
        assert_eq!(Packed::from(&board), Packed::new(&high));
    }

    #[test]
    fn an_expired_climb_ends_where_it_began() {
        let heuristic = TableSet::Threes.heuristic(1).expect("memory for small tables");
        let estimate = forwards().expect("memory for small tables");
        let found = Hardest { heuristic: &heuristic, estimate: &estimate, bound: 0, moves: 0 };
        let goal = Packed::goal().occupants();
        assert_eq!(lengthen(&found, goal, &mut ChaCha8Rng::seed_from_u64(1995), || true), goal);
    }

    #[test]
    fn a_longer_answer_is_kept() {
        let heuristic = TableSet::Threes.heuristic(1).expect("memory for small tables");
        let estimate = forwards().expect("memory for small tables");
        let found = Hardest { heuristic: &heuristic, estimate: &estimate, bound: 0, moves: 0 };
        let (mut random, goal) = (ChaCha8Rng::seed_from_u64(1995), Packed::goal().occupants());
        let mut checks = 0;
        let top = lengthen(&found, goal, &mut random, || {
            checks += 1;
            checks > 3
        });
        assert!(found.length(&top, NARROW) > 0);
    }
}
