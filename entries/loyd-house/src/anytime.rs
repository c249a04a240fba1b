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
//!    either. Once thresholds take longer than tables do, those for the search from perfection backwards are built, and
//!    from there on the proof goes in the direction that had fewer positions to search so far.
//!
//! It ends when the bound meets the answer. Whoever listens decides when to stop listening.

use std::io;
use std::time::{Duration, Instant};

use loyd_kit::Board;
use serde::{Deserialize, Serialize};

use crate::automaton::Automaton;
use crate::beam::{self, Order};
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::first;
use crate::geometry::SPOTS;
use crate::groups::{FIVES, FOURS, Partition, SIXES, THREES};
use crate::guide::Guide;
use crate::ida::{self, Outcome, Search};
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

impl Threshold {
    fn of(moves: u8, nodes: u64, begun: Instant) -> Threshold {
        Threshold { moves, nodes, milliseconds: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX) }
    }
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
    /// The proof goes on from perfection backwards; the thresholds of that direction follow, from the lowest. The bytes
    /// of its tables, and the time it took to come that far.
    Turned(usize, Duration),
    /// The shortest answer is told: nothing is left to do.
    Proved,
}

/// What a proof rests on, and how far it has come.
#[derive(Debug)]
pub struct Grounds {
    /// From which end it searches.
    pub direction: Direction,
    /// The tables for that direction.
    pub guide: Guide,
    /// The ways that are left out.
    pub automaton: Automaton,
    start: Packed,
    /// The next threshold.
    threshold: u8,
}

impl Grounds {
    /// To begin with the threshold that the tables allow; `None` if the board cannot be searched in that direction.
    fn new(direction: Direction, board: Packed, guide: Guide, ways: usize) -> Option<Grounds> {
        let start = direction.start(board)?;
        let automaton = Automaton::new(guide.board(), ways);
        let threshold = lowest(&guide, start);
        Some(Grounds { direction, guide, automaton, start, threshold })
    }

    /// Searches the next threshold, and goes on to the one after it if there is no answer.
    fn search(&mut self, threads: usize, deadline: Deadline) -> Search {
        let mut search = ida::search(&self.guide, &self.automaton, self.start, self.threshold, threads, deadline);
        match &mut search.outcome {
            Outcome::Nothing => self.threshold += 2,
            Outcome::Answer(way) => *way = self.direction.answer(std::mem::take(way)),
            Outcome::Stopped => {}
        }
        search
    }

    /// Tiles of the largest table.
    fn tiles(&self) -> usize {
        self.guide.tables().iter().map(|table| table.homes().len()).max().unwrap_or(0)
    }

    /// Bytes of all tables.
    fn bytes(&self) -> usize {
        self.guide.tables().iter().map(|table| table.cells().len()).sum()
    }
}

/// Searches until the answer is proved shortest, the time is up or nobody listens; gives what its proof rests on.
///
/// # Errors
/// If there is not enough memory for a table.
pub fn solve(board: &Board, means: Means, kept: Option<Vec<Table>>, tell: &mut dyn FnMut(News)) -> io::Result<Grounds> {
    let start = Packed::from(board);
    let mut work = Work { start, means, tell, best: usize::MAX, bound: 0 };
    work.answer(first::way(board), "tile after tile, by transports".into());
    let guide = |tables| Guide::new(Direction::Forwards.geometry(), tables).expect("every tile once");
    let threes = guide(build(Direction::Forwards, THREES, 1)?);
    work.beam(&threes, FIRST_WIDTH, 3, means.deadline);
    if let Some(tables) = kept {
        let building = Some((SIXES, Duration::from_millis(SIXES.cost.into())));
        return work.perfect(guide(tables), means.deadline, building);
    }
    let mut stages = [FOURS, FIVES, SIXES].into_iter().peekable();
    loop {
        let partition = stages.next().expect("the last stage returns");
        let begun = Instant::now();
        let tables = guide(build(Direction::Forwards, partition, means.threads)?);
        let took = begun.elapsed();
        (work.tell)(News::Tables(partition.tiles, bytes(partition), took));
        let left = means.deadline.left();
        let next = stages.peek().map(|next| (took / partition.cost * next.cost, bytes(*next)));
        let next = next.filter(|&(takes, bytes)| takes <= left / BUILDING && bytes <= means.memory / 2);
        let Some((takes, _)) = next else { return work.perfect(tables, means.deadline, Some((partition, took))) };
        let grounds = work.perfect(tables, Deadline::after(takes.min(left / TASTE)), None)?;
        if work.proved() {
            return Ok(grounds);
        }
    }
}

/// The tables of a partition, for a direction.
///
/// # Errors
/// If there is not enough memory for one.
pub fn build(direction: Direction, partition: Partition, threads: usize) -> io::Result<Vec<Table>> {
    let board = direction.geometry();
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
    /// so that all of a proof is by the same tables. `turning` is the partition for the tables of the
    /// other direction and how long they will take, if they may be built.
    fn perfect(
        &mut self,
        guide: Guide,
        deadline: Deadline,
        mut turning: Option<(Partition, Duration)>,
    ) -> io::Result<Grounds> {
        let Means { threads, memory, .. } = self.means;
        let left = deadline.left();
        let ways = LENGTHS.iter().find(|(_, least)| left >= *least).map_or(0, |&(ways, _)| ways);
        let mut forwards = Grounds::new(Direction::Forwards, self.start, guide, ways).expect("every board has a front");
        let mut backwards: Option<Grounds> = None;
        self.raise(forwards.threshold);
        let tiles = forwards.tiles();
        let free = memory.saturating_sub(forwards.bytes());
        let widest = beam::widest(free, MOST_MOVES);
        let mut pace =
            Pace { width: (10 * FIRST_WIDTH).min(widest), widest, beam: Duration::ZERO, proof: Duration::ZERO };
        loop {
            let grounds = backwards.as_mut().unwrap_or(&mut forwards);
            if self.best <= usize::from(grounds.threshold) || deadline.passed() {
                break;
            }
            let begun = Instant::now();
            if let Some(width) = pace.next_width(deadline.left()) {
                self.beam(&forwards.guide, width, tiles, deadline);
                pace.searched(width, begun.elapsed());
            } else if let Some((partition, _)) =
                turning.take_if(|(_, takes)| *takes < pace.proof && *takes * TURNING < deadline.left())
            {
                if let Some((turned, took)) = self.turned(&forwards, partition, pace.proof / RISE)? {
                    pace.widest = beam::widest(free.saturating_sub(turned.bytes()), MOST_MOVES);
                    pace.proof = took * RISE;
                    backwards = Some(turned);
                }
            } else {
                let found = grounds.search(threads, deadline);
                pace.proof = begun.elapsed() * RISE;
                match found.outcome {
                    Outcome::Stopped => break,
                    Outcome::Nothing => {
                        let threshold = grounds.threshold;
                        (self.tell)(News::Threshold(Threshold::of(threshold - 2, found.nodes, begun)));
                        self.raise(threshold);
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
        Ok(backwards.unwrap_or(forwards))
    }

    /// The proof from the other end, with the time its last threshold took, if it comes as far as the proof forwards in
    /// less time than that took for its last threshold.
    fn turned(
        &mut self,
        forwards: &Grounds,
        partition: Partition,
        most: Duration,
    ) -> io::Result<Option<(Grounds, Duration)>> {
        let Means { threads, memory, deadline } = self.means;
        let begun = Instant::now();
        if Direction::Backwards.start(self.start).is_none() || 2 * forwards.bytes() > memory {
            return Ok(None);
        }
        let tables = build(Direction::Backwards, partition.turned(), threads)?;
        let guide = Guide::new(Direction::Backwards.geometry(), tables).expect("a partition holds every tile");
        let ways = forwards.automaton.ways();
        let Some(mut grounds) = Grounds::new(Direction::Backwards, self.start, guide, ways) else { return Ok(None) };
        let (mut thresholds, mut took) = (Vec::new(), Duration::ZERO);
        let limit = Deadline::after(most.min(deadline.left()));
        while grounds.threshold < forwards.threshold {
            let (begun, moves) = (Instant::now(), grounds.threshold);
            let found = grounds.search(threads, limit);
            took = begun.elapsed();
            if found.outcome != Outcome::Nothing {
                return Ok(None);
            }
            thresholds.push(Threshold::of(moves, found.nodes, begun));
        }
        (self.tell)(News::Turned(grounds.bytes(), begun.elapsed()));
        for threshold in thresholds {
            (self.tell)(News::Threshold(threshold));
        }
        self.raise(grounds.threshold);
        Ok(Some((grounds, took)))
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
    use crate::certificate::Certificate;

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
    fn a_proof_from_the_other_end_is_taken_over_as_far_as_it_came_and_can_be_checked() {
        let trap = board("FBCDE KAGHJ PLMIO UQRNT VWXS+");
        let means = Means { threads: 2, memory: 1 << 24, deadline: Deadline::never() };
        let mut told = Vec::new();
        let tell: &mut dyn FnMut(News) = &mut |news| told.push(news);
        let mut work = Work { start: Packed::from(&trap), means, tell, best: 26, bound: 0 };
        let tables = build(Direction::Forwards, FOURS, 2).unwrap();
        let guide = Guide::new(Direction::Forwards.geometry(), tables).unwrap();
        let mut forwards = Grounds::new(Direction::Forwards, work.start, guide, 6).unwrap();
        while forwards.threshold < 26 {
            assert_eq!(forwards.search(2, Deadline::never()).outcome, Outcome::Nothing);
        }
        let (backwards, _) = work.turned(&forwards, FOURS, Duration::from_secs(3600)).unwrap().unwrap();
        assert_eq!((backwards.direction, work.bound), (Direction::Backwards, 26));

        let thresholds = told.into_iter().filter_map(|news| match news {
            News::Threshold(threshold) => Some(threshold),
            _ => None,
        });
        let answer = "ddtdrtdluuurrrddddtlltlluu".to_owned();
        let mut certificate = Certificate::new(&trap, answer, thresholds.collect(), &backwards, Duration::ZERO);
        assert!(certificate.proved_shortest && certificate.thresholds.len() > 1);
        certificate.check(2, |_| {}).unwrap();
        certificate.direction = Direction::Forwards;
        assert!(certificate.check(2, |_| {}).is_err());
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
