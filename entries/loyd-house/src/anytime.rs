//! The order of work: an answer at once, better ones as long as there is time, and the proof beside them.
//!
//! 1. Tile after tile: a legal answer at once. Then tables of three tiles and a narrow beam: within milliseconds a good
//!    one.
//! 2. Tables of four, five and six tiles, the next as long as building them is expected to take a small part of the
//!    time that is left; with each of them some search, which is all that easy boards need. How long they take is foretold from the tables before, so that a slow or crowded machine gets
//!    smaller ones.
//! 3. With the last tables, beams of growing width and rising thresholds of the proof: the next beam, unless the
//!    next threshold is expected to take a quarter of its time or less. When memory allows no wider beam, the proof has
//!    all the time. A threshold that cannot be finished proves nothing, and is begun only when no beam can be finished
//!    either.
//!
//! It ends when the bound meets the answer. Whoever listens decides when to stop listening.

use std::io;
use std::time::{Duration, Instant};

use loyd_kit::Board;
use serde::{Deserialize, Serialize};

use crate::automaton::Automaton;
use crate::beam::{self, Order};
use crate::clock::Deadline;
use crate::first;
use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::groups::{FIVES, FOURS, Partition, SIXES, THREES};
use crate::guide::Guide;
use crate::ida::{self, Outcome};
use crate::position::{Packed, byte};
use crate::table::{ENDING, Table};
use crate::window::shorten;

/// Width of the first beam.
const FIRST_WIDTH: usize = 100;
/// Moves of an answer that memory is planned for; the worst board known takes 126.
const MOST_MOVES: usize = 130;
/// By what the width of a beam grows, and with it the time it takes.
const WIDENING: u32 = 3;
/// What one threshold costs more than the last, for planning.
const RISE: u32 = 25;
/// How much longer a beam may take than a threshold and still come first: answers before proofs.
const PREFERENCE: u32 = 4;
/// The part of the time left that building tables may take: one in so many.
const BUILDING: u32 = 3;
/// The part of the time left for search with tables before the next ones are built: enough for easy boards.
const TASTE: u32 = 20;
/// Length of the windows in which every answer is shortened.
const WINDOW: usize = 16;
/// With less time left than this, beams use it better.
const WINDOW_TIME: Duration = Duration::from_secs(5);
/// Length of the later ways that the automaton leaves out, and how much time must be left for longer ones, which take
/// longer to find.
const LENGTHS: [(usize, Duration); 2] = [(9, Duration::from_secs(5)), (6, Duration::ZERO)];

/// What the search may use.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// Threads.
    pub threads: usize,
    /// Bytes of memory, roughly.
    pub memory: usize,
    /// When to stop.
    pub deadline: Deadline,
}

/// One threshold of the proof, searched to its end without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Threshold {
    /// No answer has at most so many moves.
    pub moves: u8,
    /// Positions looked up for that.
    pub nodes: u64,
    /// Milliseconds it took.
    pub milliseconds: u64,
}

/// What the search has to tell.
#[derive(Clone, Debug)]
pub enum News {
    /// Tables are built: tiles of the largest, their bytes, the time it took.
    Tables(usize, usize, Duration),
    /// A shorter answer: the way of the empty spot, its first spot first, and how it was found.
    Answer(Vec<u8>, String),
    /// The tables allow no shorter answer than this.
    Bound(u8),
    /// A threshold is searched.
    Threshold(Threshold),
    /// The shortest answer is told: nothing is left to do.
    Proved,
}

/// Searches until the answer is proved shortest, the time is up or nobody listens; gives the last tables and the
/// length of the ways their automaton knows, if the search came that far.
///
/// # Errors
/// If there is not enough memory for a table.
pub fn solve(
    board: &Board,
    means: Means,
    kept: Option<Vec<Table>>,
    tell: &mut dyn FnMut(News),
) -> io::Result<(Guide, usize)> {
    let start = Packed::from(board);
    let mut work = Work { start, means, tell, best: usize::MAX, bound: 0 };
    work.answer(first::way(board), "tile after tile, by transports".into());
    let mut guide = Guide::new(build(THREES, 1)?).expect("a partition holds every tile");
    work.beam(&guide, FIRST_WIDTH, 3, means.deadline);
    if let Some(tables) = kept {
        guide = Guide::new(tables).expect("kept tables are checked when they are read");
        let ways = work.perfect(&guide, means.deadline);
        return Ok((guide, ways));
    }
    let mut ways = 0;
    let mut stages = [FOURS, FIVES, SIXES].into_iter().peekable();
    while let Some(partition) = stages.next() {
        let begun = Instant::now();
        guide = Guide::new(build(partition, means.threads)?).expect("a partition holds every tile");
        let took = begun.elapsed();
        (work.tell)(News::Tables(partition.tiles, bytes(partition), took));
        let left = means.deadline.left();
        let next = stages.peek().map(|next| (took / partition.cost * next.cost, bytes(*next)));
        let next = next.filter(|&(takes, bytes)| takes <= left / BUILDING && bytes <= means.memory / 2);
        match next {
            Some((takes, _)) => ways = work.perfect(&guide, Deadline::after(takes.min(left / TASTE))),
            None => ways = work.perfect(&guide, means.deadline),
        }
        if next.is_none() || work.proved() {
            break;
        }
    }
    Ok((guide, ways))
}

/// The tables of a partition.
///
/// # Errors
/// If there is not enough memory for one.
pub fn build(partition: Partition, threads: usize) -> io::Result<Vec<Table>> {
    let board = Geometry::new(SIDE);
    partition.homes().map(|homes| Table::build(&board, &homes, ENDING, threads)).collect()
}

fn bytes(partition: Partition) -> usize {
    partition.homes().map(|homes| homes.iter().map(|_| SPOTS).product::<usize>()).sum()
}

/// A search in progress.
struct Work<'a> {
    start: Packed,
    means: Means,
    tell: &'a mut dyn FnMut(News),
    /// Moves of the best answer.
    best: usize,
    bound: u8,
}

impl Work<'_> {
    /// A beam, and the windows of what it finds.
    fn beam(&mut self, guide: &Guide, width: usize, tiles: usize, deadline: Deadline) {
        // Answers to one board have one parity, so a better one has two moves less.
        let Some(most_moves) = self.best.checked_sub(2) else { return };
        // A narrow beam is done before threads have started.
        let threads = if width < 1_000 { 1 } else { self.means.threads };
        let Some(way) = beam::search(guide, self.start, Order { width, most_moves, threads, deadline }) else { return };
        self.answer(way.clone(), format!("by a beam of {width} with tables of {tiles} tiles"));
        self.windows(&way);
    }

    fn answer(&mut self, way: Vec<u8>, by: String) {
        self.best = way.len() - 1;
        (self.tell)(News::Answer(way, by));
    }

    /// Shortens an answer in windows, where there is time.
    fn windows(&mut self, way: &[u8]) {
        if self.means.deadline.left() < WINDOW_TIME {
            return;
        }
        let shortened = shorten(self.start, way, WINDOW);
        if shortened.len() < way.len() {
            self.answer(shortened, format!("shortened in windows of {WINDOW} moves"));
        }
    }

    fn proved(&self) -> bool {
        self.best == usize::from(self.bound)
    }

    /// Beams and thresholds by turns, until then or until the best answer is proved shortest; gives the length of the
    /// ways that the automaton knows. The thresholds begin anew, so that all of a proof is by the same tables.
    fn perfect(&mut self, guide: &Guide, deadline: Deadline) -> usize {
        let Means { threads, memory, .. } = self.means;
        let tiles = guide.tables().iter().map(|table| table.homes().len()).max().unwrap_or(0);
        let left = deadline.left();
        let length = LENGTHS.iter().find(|(_, least)| left >= *least).map_or(0, |&(length, _)| length);
        let automaton = Automaton::new(&Geometry::new(SIDE), length);
        let mut threshold = lowest(guide, self.start);
        self.raise(threshold);
        let free = memory.saturating_sub(guide.tables().iter().map(|table| table.cells().len()).sum());
        let widest = beam::widest(free, MOST_MOVES);
        let mut pace =
            Pace { width: (10 * FIRST_WIDTH).min(widest), widest, beam: Duration::ZERO, proof: Duration::ZERO };
        while self.best > usize::from(threshold) && !deadline.passed() {
            let begun = Instant::now();
            match pace.next_width(deadline.left()) {
                Some(width) => {
                    self.beam(guide, width, tiles, deadline);
                    pace.searched(width, begun.elapsed());
                }
                None => {
                    let found = ida::search(guide, &automaton, self.start, threshold, threads, deadline);
                    pace.proof = begun.elapsed() * RISE;
                    match found.outcome {
                        Outcome::Stopped => break,
                        Outcome::Nothing => {
                            let milliseconds = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
                            let searched = Threshold { moves: threshold, nodes: found.nodes, milliseconds };
                            (self.tell)(News::Threshold(searched));
                            threshold += 2;
                            self.raise(threshold);
                        }
                        Outcome::Answer(way) => {
                            self.best = way.len() - 1;
                            (self.tell)(News::Answer(
                                way,
                                format!("by iterative deepening with tables of {tiles} tiles"),
                            ));
                        }
                    }
                }
            }
        }
        if self.proved() {
            (self.tell)(News::Proved);
        }
        length
    }

    fn raise(&mut self, bound: u8) {
        if bound > self.bound {
            self.bound = bound;
            (self.tell)(News::Bound(bound));
        }
    }
}

/// How long the next beam and the next threshold will take, by those before.
struct Pace {
    /// Of the next beam, unless the time left does not allow it.
    width: usize,
    /// What memory allows; wider than that there is nothing.
    widest: usize,
    beam: Duration,
    proof: Duration,
}

impl Pace {
    /// The width of the next beam, with so much time left; `None` if the next threshold is to come first.
    fn next_width(&self, left: Duration) -> Option<usize> {
        if self.width > self.widest || (self.proof * PREFERENCE < self.beam && self.proof <= left) {
            return None;
        }
        if self.beam <= left {
            return Some(self.width);
        }
        // What does not fit is cut to fit, as long as that is a beam wider than the last.
        let part = left.as_secs_f64() / self.beam.as_secs_f64();
        let least = 1.5 / f64::from(WIDENING);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a width is a width")]
        (part >= least).then_some((self.width as f64 * part * 0.8) as usize)
    }

    fn searched(&mut self, width: usize, took: Duration) {
        self.beam = took * WIDENING;
        let next = width * WIDENING as usize;
        self.width = if width < self.widest { next.min(self.widest) } else { next };
    }
}

/// The bound by the tables alone, raised to the parity of the board's answers.
pub fn lowest(guide: &Guide, start: Packed) -> u8 {
    let bound = guide.values(&start.occupants()).bound();
    bound + (bound ^ parity(start)) % 2
}

/// The parity of every answer's length: each move swaps the empty spot with something.
pub fn parity(position: Packed) -> u8 {
    let mut occupants = position.occupants();
    let mut swaps = 0;
    for spot in 0..SPOTS {
        while occupants[spot] != byte(spot) {
            let home = usize::from(occupants[spot]);
            occupants.swap(spot, home);
            swaps += 1;
        }
    }
    swaps % 2
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    fn packed(text: &str) -> Packed {
        Packed::from(&board(text))
    }

    #[test]
    fn the_parity_is_that_of_known_answers() {
        assert_eq!(parity(Packed::goal()), 0);
        assert_eq!(parity(packed("FBCDE KAGHJ PLMIO UQRNT VWXS+")), 0, "28 moves in the write-up");
        assert_eq!(parity(packed("BACDE FGHIJ KLMNO PQRST UVWX+")), 1, "21 moves");
        assert_eq!(parity(packed("NOWIS THEMF RALGD CUBJK PQVX+")), 1, "odd in the published table");
    }

    #[test]
    fn a_board_is_answered_and_proved_by_the_means_there_are() {
        let means = Means { threads: 2, memory: 1 << 24, deadline: Deadline::never() };
        let mut told = Vec::new();
        solve(&board("+ABCD GHIJE FKLMN QRSTO PUVWX"), means, None, &mut |news| told.push(news)).unwrap();
        let lengths: Vec<usize> = told
            .iter()
            .filter_map(|news| if let News::Answer(way, _) = news { Some(way.len() - 1) } else { None })
            .collect();
        assert_eq!(lengths.last(), Some(&24));
        assert!(lengths.is_sorted_by(|a, b| a > b), "every answer is better than the one before: {lengths:?}");
        assert!(matches!(told.last(), Some(News::Proved)));
    }

    #[test]
    fn perfection_needs_no_move() {
        let means = Means { threads: 1, memory: 0, deadline: Deadline::never() };
        let mut told = Vec::new();
        solve(&Board::perfection(), means, None, &mut |news| told.push(news)).unwrap();
        assert!(matches!(&told[0], News::Answer(way, _) if way.as_slice() == [24]));
        assert!(matches!(told.last(), Some(News::Proved)));
    }
}
