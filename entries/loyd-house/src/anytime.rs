//! The order of work: an answer immediately, then better ones until the time limit, and the proof in between.
//!
//! 1. Tile after tile: a legal answer immediately. Then small tables for the estimate, and narrow beams from both ends at a
//!    time: good answers within some hundredths of a second.
//! 2. Tables of four, five and six tiles for the bound. The next set is built if that should take a small part of the
//!    time left. A short search with each set solves easy boards. The times are predicted from the sets before, so that a
//!    slow or busy machine uses smaller tables.
//! 3. With the last tables, beams of growing width and rising thresholds of the proof. The next beams come first, unless
//!    the next threshold should take a quarter of their time or less, or the rest of the proof fits only without them. If
//!    wider beams than the next would not fit the time
//!    left, the next ones take all of it: their width follows from the clock. When memory allows no wider beams, the proof
//!    gets all the time. A threshold that cannot be finished proves nothing, so it is started only when no beams can be
//!    finished either. Once thresholds take longer than tables, tables for reversed moves are built, which also give a
//!    second bound. Then the proof restarts with both bounds, in the direction with fewer positions to search.
//!
//! It ends when the bound equals the moves of the answer. The caller decides when to stop listening.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use loyd_kit::Board;

use crate::beam::{self, BeamSettings, Width};
use crate::clock::Deadline;
use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::first;
use crate::gap_table::GapTables;
use crate::groups::{GAP_FOURS, Partition};
use crate::heuristic::Heuristic;
use crate::ida::Outcome;
use crate::pinwheel::{self, Rectangle};
use crate::planner::{Planner, Step};
use crate::position::Packed;
use crate::proof::{Proof, Threshold};
use crate::store::Folder;
use crate::table::{self, Table};
use crate::table_set::TableSet;
use crate::window::shorten;

/// Width of the first beam.
const FIRST_WIDTH: usize = 100;
/// Width of the second beam, the last one before tables for the bound.
const SECOND_WIDTH: usize = 1_000;
/// Longest answer that memory is reserved for; the worst board known takes 118 moves.
const MAX_MOVES: usize = 130;
/// Divisor of the time left; building tables may take the quotient.
const BUILD_DIVISOR: u32 = 6;
/// Divisor of the time left; building the tables of the other direction may take the quotient.
const BACKWARD_DIVISOR: u32 = 3;
/// Least time left for reading the largest tables of the bound from disk.
const READING: Duration = Duration::from_secs(5);
/// Divisor of the time left; search with small tables may take the quotient, which is enough for easy boards.
const SEARCH_DIVISOR: u32 = 20;
/// Length of the windows that are replaced by shortest paths.
const WINDOW: usize = 16;
/// Least time left for windows; with less, beams use it better.
const WINDOW_TIME: Duration = Duration::from_secs(5);
/// Lengths of the paths that the automaton excludes, each with the least time left for it. Longer paths take longer to
/// find: those of the first length some seconds, which only a restarted proof is worth.
const LENGTHS: [(usize, Duration); 3] =
    [(11, Duration::from_secs(60)), (9, Duration::from_secs(5)), (6, Duration::ZERO)];

/// The resources that the search may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Approximate limit of memory in bytes.
    pub memory: usize,
    /// The moment at which the search must stop.
    pub deadline: Deadline,
}

/// Something that the search reports while it works.
#[derive(Clone, Debug)]
pub enum Event {
    /// Tables were built: their direction, tiles of the largest, bytes, and the time that it took.
    Tables(Direction, usize, usize, Duration),
    /// Stored tables cannot be used, for this reason. The search builds its own.
    Unusable(String),
    /// A shorter answer: the path of the empty spot, starting with its first spot, and the method that found it.
    Answer(Vec<u8>, String),
    /// A new lower bound on the moves of all answers.
    Bound(u8),
    /// A threshold was searched without an answer.
    Threshold(Threshold),
    /// The proof restarted with tables for both directions; its thresholds follow, from the lowest. The direction, the
    /// bytes of all tables, and the time that the restart took.
    Restarted(Direction, usize, Duration),
    /// The last answer is proved shortest; the search ends.
    Proved,
}

/// Searches until the answer is proved shortest or the deadline, and returns the proof as far as it got. With tables from
/// disk, the search need not build them.
///
/// # Errors
/// If there is not enough memory for a table.
pub fn solve(
    board: &Board,
    resources: Resources,
    stored: Option<Folder>,
    on_event: &mut dyn FnMut(Event),
) -> io::Result<Proof> {
    let start = Packed::from(board);
    let mut work = Work { start, resources, on_event, best: usize::MAX, bound: 0, width: 4 * SECOND_WIDTH };
    work.report_answer(first::path(board), "tile after tile, by transports".into());
    let ends = work.ends(GAP_FOURS)?;
    for width in [FIRST_WIDTH, SECOND_WIDTH] {
        work.run_beams(&ends, Width::Fixed(width), resources.deadline);
    }
    if let Some(heuristic) = work.stored_heuristic(stored.as_ref()) {
        let building = Duration::from_millis(TableSet::Sixes.cost().into());
        return work.improve_and_prove(heuristic, &ends, resources.deadline, Some(building));
    }
    let mut sets = TableSet::ALL[1..].iter().peekable();
    loop {
        let set = sets.next().expect("the last set returns");
        let begun = Instant::now();
        let heuristic = set.heuristic(resources.threads)?;
        let took = begun.elapsed();
        (work.on_event)(Event::Tables(Direction::Forwards, heuristic.tiles(), set.bytes(), took));
        let left = resources.deadline.left();
        let predicted = |next: TableSet| took / set.cost() * next.cost();
        let fits = |next: TableSet| predicted(next) <= left / BUILD_DIVISOR && next.bytes() <= resources.memory / 2;
        let Some(&next) = sets.peek().filter(|next| fits(***next)) else {
            return work.improve_and_prove(heuristic, &ends, resources.deadline, Some(predicted(TableSet::Sixes)));
        };
        let time = predicted(*next).min(left / SEARCH_DIVISOR);
        let proof = work.improve_and_prove(heuristic, &ends, Deadline::after(time), None)?;
        if work.proved() {
            return Ok(proof);
        }
    }
}

/// The first of these lengths of paths that the time left is enough for.
fn path_length(lengths: &[(usize, Duration)], left: Duration) -> usize {
    lengths.iter().find(|(_, least)| left >= *least).map_or(0, |&(length, _)| length)
}

/// The tables for a search from perfection backwards.
struct BackwardTables {
    heuristic: Arc<Heuristic>,
    /// The tables of the rectangle, which give a second bound for the search forwards.
    rectangle: Vec<Arc<Table>>,
    /// Time that building all of them took.
    took: Duration,
}

/// The state of a search in progress.
struct Work<'a> {
    start: Packed,
    resources: Resources,
    on_event: &'a mut dyn FnMut(Event),
    /// Moves of the best answer.
    best: usize,
    bound: u8,
    /// Width of the next beams.
    width: usize,
}

impl Work<'_> {
    /// Both ends, with new tables of this partition.
    fn ends(&self, partition: Partition) -> io::Result<[Estimate; 2]> {
        let tables = GapTables::both(partition, self.resources.threads)?.map(Arc::new);
        Ok(Estimate::both(self.start, &tables))
    }

    /// The bound by tables from disk; `None` if there are none, time is short or they cannot be used.
    fn stored_heuristic(&mut self, stored: Option<&Folder>) -> Option<Heuristic> {
        let folder = stored.filter(|_| self.resources.deadline.left() >= READING)?;
        let heuristic = folder.heuristic(pinwheel::SIX, self.resources.threads);
        heuristic.map_err(|error| (self.on_event)(Event::Unusable(error.to_string()))).ok()
    }

    /// Runs beams from both ends, and shortens their answers by windows.
    fn run_beams(&mut self, ends: &[Estimate; 2], width: Width, deadline: Deadline) {
        // All answers to a board have the same parity, so a better one has at least two moves less.
        let Some(most_moves) = self.best.checked_sub(2) else { return };
        let (start, threads) = (self.start, self.resources.threads);
        let most_moves = &AtomicUsize::new(most_moves);
        let (sender, answers) = mpsc::channel();
        let search = |end: &Estimate, threads, deadline| {
            let settings = BeamSettings { width, most_moves, threads, deadline };
            let path = beam::search(end, end.direction().start(start), settings)?;
            most_moves.fetch_min((path.len() - 1).saturating_sub(2), Ordering::Relaxed);
            Some((end.direction().answer(path), end.direction()))
        };
        let mut paths = Vec::new();
        if threads == 1 {
            for (end, share) in ends.iter().zip([2, 1]) {
                let part =
                    if let Width::Paced(_) = width { Deadline::after(deadline.left() / share) } else { deadline };
                if let Some(found) = search(end, 1, part) {
                    self.report_beam(&ends[0], width, &found);
                    paths.push(found.0);
                }
            }
        } else {
            thread::scope(|scope| {
                for (end, threads) in ends.iter().zip([threads.div_ceil(2), threads / 2]) {
                    let (sender, search) = (sender.clone(), &search);
                    scope.spawn(move || search(end, threads, deadline).map(|found| drop(sender.send(found))));
                }
                drop(sender);
                for found in answers {
                    self.report_beam(&ends[0], width, &found);
                    paths.push(found.0);
                }
            });
        }
        if let Some(path) = paths.into_iter().min_by_key(Vec::len) {
            self.shorten_windows(&path);
        }
    }

    /// Reports the answer of a beam, if it is better than the best.
    fn report_beam(&mut self, end: &Estimate, width: Width, (path, direction): &(Vec<u8>, Direction)) {
        if path.len() - 1 < self.best {
            let width = match width {
                Width::Fixed(width) => format!("a beam of {width}"),
                Width::Paced(_) => "a last beam".into(),
            };
            let tiles = end.tiles();
            self.report_answer(path.clone(), format!("by {width} {direction} with tables of {tiles} tiles"));
        }
    }

    fn report_answer(&mut self, path: Vec<u8>, by: String) {
        self.best = path.len() - 1;
        (self.on_event)(Event::Answer(path, by));
    }

    /// Shortens an answer by windows, if there is time.
    fn shorten_windows(&mut self, path: &[u8]) {
        if self.resources.deadline.left() < WINDOW_TIME {
            return;
        }
        let shortened = shorten(self.start, path, WINDOW);
        if shortened.len() < path.len() {
            self.report_answer(shortened, format!("shortened in windows of {WINDOW} moves"));
        }
    }

    fn proved(&self) -> bool {
        self.best == usize::from(self.bound)
    }

    /// Alternates beams and thresholds until the deadline or until the best answer is proved shortest. The thresholds
    /// restart, so that a whole proof uses the same tables. `building` is the time to build the largest tables, if they
    /// may be built for the other direction.
    fn improve_and_prove(
        &mut self,
        heuristic: Heuristic,
        ends: &[Estimate; 2],
        deadline: Deadline,
        mut building: Option<Duration>,
    ) -> io::Result<Proof> {
        let length = path_length(&LENGTHS[1..], deadline.left());
        let mut proof =
            Proof::new(Direction::Forwards, self.start, Arc::new(heuristic), None, length, self.resources.threads);
        self.raise_bound(proof.threshold());
        let mut backward: Option<BackwardTables> = None;
        // The last tables get all the time left.
        let mut planner = Planner::new(self.width, self.widest(&proof, ends), building.is_some());
        while self.best > usize::from(proof.threshold()) && !deadline.passed() {
            let (begun, left) = (Instant::now(), deadline.left());
            if building.take_if(|time| *time < planner.next_threshold() && *time * BACKWARD_DIVISOR < left).is_some() {
                backward = self.build_backward_tables(&proof, pinwheel::SIX)?;
                continue;
            }
            if let Some(backward) = backward.take_if(|backward| backward.took < planner.next_threshold()) {
                if let Some(better) = self.restart_proof(&proof, backward, pinwheel::SIX, planner.last_threshold())? {
                    proof = better;
                    for threshold in proof.thresholds.iter().rev().take(2).rev() {
                        planner.threshold_finished(threshold.nodes, Duration::from_millis(threshold.milliseconds));
                    }
                    planner.widest = self.widest(&proof, ends);
                }
                continue;
            }
            let unproved = self.best.saturating_sub(proof.threshold().into()) / 2;
            let step = planner.next(left, unproved);
            let width = match step {
                Step::Beams(width) => Some(Width::Fixed(width)),
                Step::LastBeams => Some(Width::Paced(planner.widest)),
                Step::Threshold => None,
            };
            if let Some(width) = width {
                self.run_beams(ends, width, deadline);
                planner.beams_finished(step, begun.elapsed());
                self.width = planner.width();
            } else {
                let outcome = proof.search(self.resources.threads, deadline);
                match outcome {
                    Outcome::Stopped => break,
                    Outcome::Nothing => {
                        planner.threshold_finished(proof.last_nodes(), begun.elapsed());
                        (self.on_event)(Event::Threshold(
                            proof.thresholds.last().cloned().expect("a threshold was searched"),
                        ));
                        self.raise_bound(proof.threshold());
                    }
                    Outcome::Answer(path) => {
                        let tiles = proof.heuristic.tiles();
                        let by = format!("by iterative deepening {} with tables of {tiles} tiles", proof.direction);
                        self.report_answer(path, by);
                    }
                }
            }
        }
        if self.proved() {
            (self.on_event)(Event::Proved);
        }
        Ok(proof)
    }

    /// The widest beam that memory allows besides these tables.
    fn widest(&self, proof: &Proof, ends: &[Estimate; 2]) -> usize {
        let tables = proof.bytes() + ends.iter().map(|end| end.own_bytes()).sum::<usize>();
        // With several threads, beams from both ends run at a time.
        let beams = self.resources.threads.min(2);
        beam::widest(self.resources.memory.saturating_sub(tables) / beams, MAX_MOVES)
    }

    /// Builds tables for a search from perfection backwards; `None` if memory does not allow them.
    fn build_backward_tables(&mut self, proof: &Proof, rectangle: Rectangle) -> io::Result<Option<BackwardTables>> {
        let (begun, threads) = (Instant::now(), self.resources.threads);
        // One table for the rectangle, and up to two for places where the empty spot may end.
        if proof.bytes() + 3 * pinwheel::BYTES > self.resources.memory {
            return Ok(None);
        }
        let direction = Direction::Backwards;
        let moves = direction.geometry(self.start);
        let tables = pinwheel::build(&moves, rectangle, threads)?;
        let heuristic = Arc::new(pinwheel::heuristic(&moves, rectangle, &tables).expect("all tables of the pinwheel"));
        let took = begun.elapsed();
        (self.on_event)(Event::Tables(direction, heuristic.tiles(), table::bytes(heuristic.tables()), took));
        let rectangle = tables[..rectangle.len()].to_vec();
        Ok(Some(BackwardTables { heuristic, rectangle, took }))
    }

    /// Repeats the proof from either end, with the second bound, up to the current threshold. Returns the one with
    /// fewer nodes in its last threshold. `most` is the time of the last threshold so far.
    fn restart_proof(
        &mut self,
        proof: &Proof,
        backward: BackwardTables,
        rectangle: Rectangle,
        most: Duration,
    ) -> io::Result<Option<Proof>> {
        let Resources { threads, memory, deadline } = self.resources;
        let (begun, board, length) = (Instant::now(), self.start, path_length(&LENGTHS, deadline.left()));
        if table::bytes(proof.tables().into_iter().chain(backward.heuristic.tables())) + pinwheel::BYTES > memory {
            return Ok(None);
        }
        let ahead = Direction::Forwards.geometry(board);
        let tables = pinwheel::tables(&ahead, rectangle, &proof.heuristic.tables(), threads)?;
        let ends = [
            (Direction::Forwards, backward.heuristic, [&tables, &backward.rectangle]),
            (Direction::Backwards, Arc::clone(&proof.heuristic), [&backward.rectangle, &tables]),
        ];
        let mut best: Option<Proof> = None;
        for (direction, far, tables) in ends {
            let mut contender = Proof::split(direction, board, far, rectangle, tables.map(Vec::clone), length, threads);
            let limit = Deadline::after((2 * most).min(deadline.left()));
            let caught_up = contender.catch_up(proof.threshold(), threads, limit);
            if caught_up && best.as_ref().is_none_or(|known| contender.last_nodes() < known.last_nodes()) {
                best = Some(contender);
            }
        }
        if let Some(better) = &best {
            (self.on_event)(Event::Restarted(better.direction, better.bytes(), begun.elapsed()));
            for threshold in &better.thresholds {
                (self.on_event)(Event::Threshold(threshold.clone()));
            }
            self.raise_bound(better.threshold());
        }
        Ok(best)
    }

    fn raise_bound(&mut self, bound: u8) {
        if bound > self.bound {
            self.bound = bound;
            (self.on_event)(Event::Bound(bound));
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
    fn a_board_is_proved_with_little_memory() {
        let resources = Resources { threads: 2, memory: 1 << 24, deadline: Deadline::never() };
        let mut events = Vec::new();
        solve(&board("+ABCD GHIJE FKLMN QRSTO PUVWX"), resources, None, &mut |event| events.push(event)).unwrap();
        let lengths: Vec<usize> = events
            .iter()
            .filter_map(|event| if let Event::Answer(path, _) = event { Some(path.len() - 1) } else { None })
            .collect();
        assert_eq!(lengths.last(), Some(&24));
        assert!(lengths.is_sorted_by(|a, b| a > b), "every answer is better than the one before: {lengths:?}");
        assert!(matches!(events.last(), Some(Event::Proved)));
    }

    #[test]
    fn a_restarted_proof_is_one_from_the_better_end() {
        // FOXY and random-3, with answers that are not necessarily shortest.
        let boards = [
            (
                "THEQU ICKBR OWNFX JMPSV LADG+",
                "dddtdldrurrtuuturulllddddrtrurullltrrddtldrrrtdlltruullddltrddlulltrullltdruurutrullul",
            ),
            (
                "BFECK RXUGT VPD+J HAQIW OSNML",
                "lddtdruurutrurddldrtdluulutrrdlldtddllturrtullddrultluurrddlluurdrrdllluul",
            ),
        ];
        let directions = boards.map(|(text, answer)| {
            let best = answer.len();
            let resources = Resources { threads: 2, memory: 1 << 31, deadline: Deadline::never() };
            let mut events = 0;
            let on_event: &mut dyn FnMut(Event) =
                &mut |event| events += usize::from(matches!(event, Event::Threshold(_)));
            let mut work = Work { start: packed(text), resources, on_event, best, bound: 0, width: 1_000 };
            let heuristic = Arc::new(TableSet::Threes.heuristic(2).unwrap());
            let mut proof = Proof::new(Direction::Forwards, work.start, heuristic, None, 6, 2);
            let far = proof.threshold() + 4;
            assert!(proof.catch_up(far, 2, Deadline::never()));
            let backward = work.build_backward_tables(&proof, TWO_THREES).unwrap().unwrap();
            let better = work.restart_proof(&proof, backward, TWO_THREES, Duration::from_secs(3600)).unwrap();
            let better = better.unwrap();
            assert_eq!((better.threshold(), work.bound), (far, far));

            let mut certificate = Certificate::new(&board(text), answer.into(), &better, Duration::ZERO);
            assert_eq!((certificate.bound, certificate.thresholds.len()), (far, events));
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
        let resources = Resources { threads: 1, memory: 0, deadline: Deadline::never() };
        let mut events = Vec::new();
        solve(&Board::perfection(), resources, None, &mut |event| events.push(event)).unwrap();
        assert!(matches!(&events[0], Event::Answer(path, _) if path.as_slice() == [24]));
        assert!(matches!(events.last(), Some(Event::Proved)));
    }
}
