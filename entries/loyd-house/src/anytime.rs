//! The order of work: an answer at once, better ones as long as there is time, and the proof beside them.
//!
//! 1. Tile after tile: a legal answer at once. Then tables of three tiles and a narrow beam: within milliseconds a good
//!    one.
//! 2. Tables of four, five and six tiles, the next as long as building them is expected to take a small part of the
//!    time that is left; with each of them some search, which is all that easy boards need. How long they take is
//!    foretold from the tables before, so that a slow or crowded machine gets smaller ones.
//! 3. With the last tables, beams of growing width and rising thresholds of the proof: the next beam, unless the
//!    next threshold is expected to take a quarter of its time or less. When memory allows no wider beam, the proof has
//!    all the time. A threshold that cannot be finished proves nothing, and is begun only when no beam can be finished
//!    either. Once beams or thresholds take longer than tables do, tables for moves taken back are built. With them,
//!    beams go from either end by turns. They also give a second bound; once thresholds take that long as well, the
//!    proof begins anew with both bounds, in the direction with fewer positions to search.
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
use crate::grounds::{Grounds, Threshold};
use crate::guide::Guide;
use crate::ida::Outcome;
use crate::pace::Pace;
use crate::pinwheel::{self, Rectangle};
use crate::position::Packed;
use crate::stage::Stage;
use crate::table::{self, Table};
use crate::window::shorten;

/// Width of the first beam.
const FIRST_WIDTH: usize = 100;
/// Moves of an answer that memory is planned for; the worst board known takes 124.
const MOST_MOVES: usize = 130;
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

/// What the search has to tell.
#[derive(Clone, Debug)]
pub enum News {
    /// Tables are built: for which direction, tiles of the largest, bytes, the time it took.
    Tables(Direction, usize, usize, Duration),
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
pub fn solve(board: &Board, means: Means, kept: Option<Guide>, tell: &mut dyn FnMut(News)) -> io::Result<Grounds> {
    let start = Packed::from(board);
    let mut work = Work { start, means, tell, best: usize::MAX, bound: 0 };
    work.answer(first::way(board), "tile after tile, by transports".into());
    let threes = End { direction: Direction::Forwards, guide: Arc::new(Stage::Threes.guide(1)?) };
    work.beam(&threes, FIRST_WIDTH, means.deadline);
    if let Some(guide) = kept {
        let building = Duration::from_millis(Stage::Sixes.cost().into());
        return work.perfect(guide, means.deadline, Some(building));
    }
    let mut stages = Stage::ALL[1..].iter().peekable();
    loop {
        let stage = stages.next().expect("the last stage returns");
        let begun = Instant::now();
        let guide = stage.guide(means.threads)?;
        let took = begun.elapsed();
        (work.tell)(News::Tables(Direction::Forwards, guide.tiles(), stage.bytes(), took));
        let left = means.deadline.left();
        let foretold = |next: Stage| took / stage.cost() * next.cost();
        let fits = |next: Stage| foretold(next) <= left / BUILDING && next.bytes() <= means.memory / 2;
        let Some(&next) = stages.peek().filter(|next| fits(***next)) else {
            return work.perfect(guide, means.deadline, Some(foretold(Stage::Sixes)));
        };
        let grounds = work.perfect(guide, Deadline::after(foretold(*next).min(left / TASTE)), None)?;
        if work.proved() {
            return Ok(grounds);
        }
    }
}

/// Where a search may begin, and what leads from there to the other end.
#[derive(Clone, Debug)]
struct End {
    direction: Direction,
    guide: Arc<Guide>,
}

/// What it takes to search from perfection backwards.
struct Behind {
    end: End,
    /// The tables of the rectangle, which give a second bound forwards.
    rectangle: Vec<Arc<Table>>,
    /// How long all of them took to build.
    took: Duration,
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
    /// A beam from one end, and the windows of what it finds.
    fn beam(&mut self, end: &End, width: usize, deadline: Deadline) {
        // Answers to one board have one parity, so a better one has two moves less.
        let Some(most_moves) = self.best.checked_sub(2) else { return };
        // A narrow beam is done before threads have started.
        let threads = if width < 2_000 { 1 } else { self.means.threads };
        let order = Order { width, most_moves, threads, deadline };
        let Some(way) = beam::search(&end.guide, end.direction.start(self.start), order) else { return };
        let way = end.direction.answer(way);
        let tiles = end.guide.tiles();
        self.answer(way.clone(), format!("by a beam of {width} {} with tables of {tiles} tiles", end.direction));
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
    /// so that all of a proof is by the same tables. `building` is how long the largest tables take to build, if they
    /// may be built for the other direction.
    fn perfect(&mut self, guide: Guide, deadline: Deadline, mut building: Option<Duration>) -> io::Result<Grounds> {
        let left = deadline.left();
        let ways = LENGTHS.iter().find(|(_, least)| left >= *least).map_or(0, |&(ways, _)| ways);
        let mut ends = vec![End { direction: Direction::Forwards, guide: Arc::new(guide) }];
        let mut grounds = Grounds::new(Direction::Forwards, self.start, Arc::clone(&ends[0].guide), None, ways);
        self.raise(grounds.threshold());
        let mut behind: Option<Behind> = None;
        let mut pace = Pace::new(10 * FIRST_WIDTH, self.widest(&grounds, &ends));
        while self.best > usize::from(grounds.threshold()) && !deadline.passed() {
            let (begun, left) = (Instant::now(), deadline.left());
            if building.take_if(|takes| *takes < pace.longest() && *takes * BUILDING < left).is_some() {
                behind = self.turn(&grounds, pinwheel::SIX)?;
                if let Some(behind) = &behind {
                    ends.push(behind.end.clone());
                    pace.turned(self.widest(&grounds, &ends));
                }
            } else if let Some(behind) = behind.take_if(|behind| behind.took < pace.proof()) {
                if let Some((better, took)) = self.better(&grounds, behind, pinwheel::SIX, pace.threshold)? {
                    grounds = better;
                    pace.threshold = took;
                    pace.widest = self.widest(&grounds, &ends);
                }
            } else if let Some(width) = pace.next_width(left) {
                self.beam(&ends[pace.end], width, deadline);
                pace.searched(width, begun.elapsed());
            } else {
                let outcome = grounds.search(self.means.threads, deadline);
                pace.threshold = begun.elapsed();
                match outcome {
                    Outcome::Stopped => break,
                    Outcome::Nothing => {
                        (self.tell)(News::Threshold(grounds.thresholds.last().cloned().expect("it was searched")));
                        self.raise(grounds.threshold());
                    }
                    Outcome::Answer(way) => {
                        let tiles = grounds.guide.tiles();
                        let by = format!("by iterative deepening {} with tables of {tiles} tiles", grounds.direction);
                        self.answer(way, by);
                    }
                }
            }
        }
        if self.proved() {
            (self.tell)(News::Proved);
        }
        Ok(grounds)
    }

    /// The widest beam that memory allows beside these tables.
    fn widest(&self, grounds: &Grounds, ends: &[End]) -> usize {
        let guides = ends.iter().flat_map(|end| end.guide.tables());
        let tables = table::bytes(grounds.tables().chain(guides));
        beam::widest(self.means.memory.saturating_sub(tables), MOST_MOVES)
    }

    /// Builds tables to search from perfection backwards with; none if memory does not allow them.
    fn turn(&mut self, grounds: &Grounds, rectangle: Rectangle) -> io::Result<Option<Behind>> {
        let (begun, threads) = (Instant::now(), self.means.threads);
        // The rectangle, and up to two places where the empty spot may end.
        if grounds.bytes() + 3 * pinwheel::BYTES > self.means.memory {
            return Ok(None);
        }
        let direction = Direction::Backwards;
        let moves = direction.geometry(self.start);
        let tables = pinwheel::build(&moves, rectangle, threads)?;
        let guide = Arc::new(pinwheel::guide(&moves, rectangle, &tables).expect("all of its tables"));
        let took = begun.elapsed();
        (self.tell)(News::Tables(direction, guide.tiles(), table::bytes(guide.tables()), took));
        let rectangle = tables[..rectangle.len()].to_vec();
        Ok(Some(Behind { end: End { direction, guide }, rectangle, took }))
    }

    /// Lets a proof from either end, with the second bound, come as far as this one is; gives the one that took fewer
    /// nodes for its last threshold, and its time. `most` is how long the last threshold took so far.
    fn better(
        &mut self,
        grounds: &Grounds,
        behind: Behind,
        rectangle: Rectangle,
        most: Duration,
    ) -> io::Result<Option<(Grounds, Duration)>> {
        let Means { threads, memory, deadline } = self.means;
        let (begun, board, ways) = (Instant::now(), self.start, grounds.automaton.ways());
        if table::bytes(grounds.tables().chain(behind.end.guide.tables())) + pinwheel::BYTES > memory {
            return Ok(None);
        }
        let [ahead, back] = [Direction::Forwards, Direction::Backwards].map(|direction| direction.geometry(board));
        let tables = pinwheel::tables(&ahead, rectangle, &grounds.guide.tables(), threads)?;
        let duals = [Dual::new(&ahead, behind.rectangle), Dual::new(&back, tables)].map(Some);
        let ends = [End { direction: Direction::Forwards, guide: Arc::clone(&grounds.guide) }, behind.end];
        let mut best: Option<(Grounds, Duration)> = None;
        for (End { direction, guide }, dual) in ends.into_iter().zip(duals) {
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
            let guide = Arc::new(Stage::Threes.guide(2).unwrap());
            let mut grounds = Grounds::new(Direction::Forwards, work.start, guide, None, 6);
            let far = grounds.threshold() + 4;
            assert!(grounds.catch_up(far, 2, Deadline::never()));
            let behind = work.turn(&grounds, TWO_THREES).unwrap().unwrap();
            let better = work.better(&grounds, behind, TWO_THREES, Duration::from_secs(3600)).unwrap();
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
