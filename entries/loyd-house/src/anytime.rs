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
//!    either. Once thresholds take longer than tables do, tables for moves taken back are built: they give a second
//!    bound, and lead from perfection backwards. The proof begins anew in the direction with fewer positions to search.
//!
//! It ends when the bound meets the answer. Whoever listens decides when to stop listening.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loyd_kit::Board;

use crate::beam::{self, Order};
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::dual::Dual;
use crate::first;
use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::grounds::{Grounds, Threshold};
use crate::groups::{FIVES, FOURS, Partition, SIXES, THREES};
use crate::guide::Guide;
use crate::ida::Outcome;
use crate::pinwheel::{self, Rectangle};
use crate::position::Packed;
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
/// The part of the time left that building tables for the other direction may take.
const TURNING: u32 = 6;
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
    /// The proof has begun anew with tables for both directions; its thresholds follow, from the lowest. Where it
    /// searches from, the bytes of all tables, and the time it took to come that far.
    Anew(Direction, usize, Duration),
    /// The shortest answer is told: nothing is left to do.
    Proved,
}

/// Searches until the answer is proved shortest, the time is up or nobody listens; gives what its proof rests on.
///
/// # Errors
/// If there is not enough memory for a table.
pub fn solve(board: &Board, means: Means, kept: Option<Vec<Table>>, tell: &mut dyn FnMut(News)) -> io::Result<Grounds> {
    let start = Packed::from(board);
    let mut work = Work { start, means, tell, best: usize::MAX, bound: 0 };
    work.answer(first::way(board), "tile after tile, by transports".into());
    let guide = |tables| Guide::new(Geometry::new(SIDE), tables).expect("every tile once");
    let threes = guide(build(THREES, 1)?);
    work.beam(&threes, FIRST_WIDTH, 3, means.deadline);
    if let Some(tables) = kept {
        let building = Duration::from_millis(SIXES.cost.into());
        return work.perfect(guide(tables), means.deadline, Some(building));
    }
    let mut stages = [FOURS, FIVES, SIXES].into_iter().peekable();
    loop {
        let partition = stages.next().expect("the last stage returns");
        let begun = Instant::now();
        let tables = guide(build(partition, means.threads)?);
        let took = begun.elapsed();
        (work.tell)(News::Tables(partition.tiles, bytes(partition), took));
        let left = means.deadline.left();
        let next = stages.peek().map(|next| (took / partition.cost * next.cost, bytes(*next)));
        let next = next.filter(|&(takes, bytes)| takes <= left / BUILDING && bytes <= means.memory / 2);
        let Some((takes, _)) = next else { return work.perfect(tables, means.deadline, Some(took)) };
        let grounds = work.perfect(tables, Deadline::after(takes.min(left / TASTE)), None)?;
        if work.proved() {
            return Ok(grounds);
        }
    }
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

    /// Beams and thresholds by turns, until then or until the best answer is proved shortest. The thresholds begin anew,
    /// so that all of a proof is by the same tables. `building` is how long those took to build, if it may be done
    /// again for the other direction.
    fn perfect(&mut self, guide: Guide, deadline: Deadline, mut building: Option<Duration>) -> io::Result<Grounds> {
        let Means { threads, memory, .. } = self.means;
        let left = deadline.left();
        let ways = LENGTHS.iter().find(|(_, least)| left >= *least).map_or(0, |&(ways, _)| ways);
        let guide = Arc::new(guide);
        let mut grounds = Grounds::new(Direction::Forwards, self.start, Arc::clone(&guide), None, ways);
        self.raise(grounds.threshold());
        let tiles = grounds.tiles();
        // Beams go by the tables there were first, which the proof may have left.
        let widest = |grounds: &Grounds| {
            let left_behind = if Arc::ptr_eq(&guide, &grounds.guide) { 0 } else { guide.bytes() };
            beam::widest(memory.saturating_sub(grounds.bytes() + left_behind), MOST_MOVES)
        };
        let widest_now = widest(&grounds);
        let mut pace = Pace {
            width: (10 * FIRST_WIDTH).min(widest_now),
            widest: widest_now,
            beam: Duration::ZERO,
            proof: Duration::ZERO,
        };
        while self.best > usize::from(grounds.threshold()) && !deadline.passed() {
            let begun = Instant::now();
            if let Some(width) = pace.next_width(deadline.left()) {
                self.beam(&guide, width, tiles, deadline);
                pace.searched(width, begun.elapsed());
            } else if building.take_if(|takes| *takes < pace.proof && *takes * TURNING < deadline.left()).is_some() {
                if let Some((better, took)) = self.better(&grounds, pinwheel::SIX, pace.proof / RISE)? {
                    grounds = better;
                    pace.widest = widest(&grounds);
                    pace.proof = took * RISE;
                }
            } else {
                let outcome = grounds.search(threads, deadline);
                pace.proof = begun.elapsed() * RISE;
                match outcome {
                    Outcome::Stopped => break,
                    Outcome::Nothing => {
                        (self.tell)(News::Threshold(grounds.thresholds.last().cloned().expect("it was searched")));
                        self.raise(grounds.threshold());
                    }
                    Outcome::Answer(way) => {
                        self.answer(way, format!("by iterative deepening with tables of {tiles} tiles"));
                    }
                }
            }
        }
        if self.proved() {
            (self.tell)(News::Proved);
        }
        Ok(grounds)
    }

    /// Builds tables for both directions and lets a proof from either end come as far as this one is; gives the one that
    /// took fewer nodes for its last threshold, and its time. `most` is how long the last threshold took so far.
    fn better(
        &mut self,
        grounds: &Grounds,
        rectangle: Rectangle,
        most: Duration,
    ) -> io::Result<Option<(Grounds, Duration)>> {
        let Means { threads, memory, deadline } = self.means;
        let (begun, board, ways) = (Instant::now(), self.start, grounds.automaton.ways());
        // Two rectangles, and two places where the empty spot may end.
        if grounds.bytes() + 4 * pinwheel::BYTES > memory {
            return Ok(None);
        }
        let moves = [Direction::Forwards, Direction::Backwards].map(|direction| direction.geometry(board));
        let [ahead, behind] =
            [pinwheel::tables(&moves[0], rectangle, threads)?, pinwheel::tables(&moves[1], rectangle, threads)?];
        let guide = Arc::new(pinwheel::guide(&moves[1], &behind, threads)?);
        let duals = [Dual::new(&moves[0], behind), Dual::new(&moves[1], ahead)].map(Some);
        let guides = [Arc::clone(&grounds.guide), guide];
        let contenders = [Direction::Forwards, Direction::Backwards].into_iter().zip(guides).zip(duals);
        let mut best: Option<(Grounds, Duration)> = None;
        for ((direction, guide), dual) in contenders {
            let mut contender = Grounds::new(direction, board, guide, dual, ways);
            let begun = Instant::now();
            let limit = Deadline::after((2 * most).min(deadline.left()));
            let caught_up = contender.catch_up(grounds.threshold(), threads, limit);
            if caught_up && best.as_ref().is_none_or(|(known, _)| contender.last_nodes() < known.last_nodes()) {
                best = Some((contender, begun.elapsed()));
            }
        }
        if let Some((better, _)) = &best {
            (self.tell)(News::Anew(better.direction, better.bytes(), begun.elapsed()));
            for threshold in &better.thresholds {
                (self.tell)(News::Threshold(threshold.clone()));
            }
            self.raise(better.threshold());
        }
        Ok(best)
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::certificate::Certificate;
    use crate::pinwheel::TWO_THREES;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    fn packed(text: &str) -> Packed {
        Packed::from(&board(text))
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
    fn a_proof_that_begins_anew_comes_as_far_from_the_better_end_and_can_be_checked() {
        // FOXY and AID, with answers that need not be the shortest.
        let boards = [
            (
                "THEQU ICKBR OWNFX JMPSV LADG+",
                "dddtdldrurrtuuturulllddddrtrurullltrrddtldrrrtdlltruullddltrddlulltrullltdruurutrullul",
            ),
            (
                "NOWIS THEMF RALGD CUBJK PQVX+",
                "tdlldtdltdrrtrddrturdddturrutullutuldldtlddtrullldtrdldtrulltrrtrulddruuultlulu",
            ),
        ];
        let directions = boards.map(|(text, answer)| {
            let best = answer.len();
            let means = Means { threads: 2, memory: 1 << 31, deadline: Deadline::never() };
            let mut told = 0;
            let tell: &mut dyn FnMut(News) = &mut |news| told += usize::from(matches!(news, News::Threshold(_)));
            let mut work = Work { start: packed(text), means, tell, best, bound: 0 };
            let guide = Arc::new(Guide::new(Geometry::new(SIDE), build(THREES, 2).unwrap()).unwrap());
            let mut grounds = Grounds::new(Direction::Forwards, work.start, guide, None, 6);
            let far = grounds.threshold() + 4;
            assert!(grounds.catch_up(far, 2, Deadline::never()));
            let better = work.better(&grounds, TWO_THREES, Duration::from_secs(3600)).unwrap();
            let (better, _) = better.unwrap();
            assert_eq!((better.threshold(), work.bound), (far, far));

            let mut certificate = Certificate::new(&board(text), answer.into(), &better, Duration::ZERO);
            assert_eq!((certificate.bound, certificate.thresholds.len()), (far, told));
            certificate.check(2, |_| {}).unwrap();
            certificate.direction = better.direction.other();
            assert!(certificate.check(2, |_| {}).is_err());
            better.direction
        });
        assert!(
            directions.contains(&Direction::Forwards) && directions.contains(&Direction::Backwards),
            "{directions:?}"
        );
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
