//! The check of a claim: searches with rising numbers of moves, first with small tables, then with large ones.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::automaton::Automaton;
use crate::bound::{Bound, LARGE, Library, Rectangle, SMALL};
use crate::certificate::Certificate;
use crate::progress::{Progress, Task, Threshold};
use crate::rules::{self, CENTRE, End, Puzzle, SPOTS};
use crate::search::{Beginnings, Found, Root, Searcher};
use crate::split::{Parts, first_parts};

/// Number of positions of a threshold after which large tables are worth the time that building them takes.
const WORTH_LARGE: u64 = 100_000_000;
/// Moves of the longest excluded paths with small tables, found in milliseconds, and with large ones, found in a second.
const SHORT: usize = 6;
const LONG: usize = 10;

/// The threads and the time that a check may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// The time after which a search stops; `None` for no limit.
    pub time: Option<Duration>,
    /// The file that keeps the progress of an unfinished check. A later check continues from there. Its content is
    /// trusted.
    pub progress: Option<PathBuf>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { threads: 1, time: None, progress: None }
    }
}

/// The result of a check that found nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The claim: no answer has fewer moves.
    pub claimed: u8,
    /// The part of it that was checked before the time was up; equal to the claim if all was.
    pub checked: u8,
    /// The number of moves of the certificate's answer, which was replayed; `None` for a claim without an answer.
    pub moves: Option<usize>,
}

impl Verdict {
    /// True if the whole claim was checked.
    pub fn complete(&self) -> bool {
        self.checked >= self.claimed
    }
}

/// Checks a certificate of the house entry: its seal, its answer, that its fields agree, the checksums of its tables, and
/// its bound. Node counts and times are not checked. `progress` receives a line after each step.
///
/// # Errors
/// The first reason to refuse the certificate.
pub fn check_certificate(text: &str, limits: &Limits, progress: &mut dyn FnMut(String)) -> Result<Verdict, String> {
    let deadline = limits.time.map(|time| Instant::now() + time);
    let certificate = Certificate::read(text)?;
    let moves = certificate.consistent()?;
    let library = Library::default();
    for (key, recorded) in certificate.keys()? {
        if library.table(&key).checksum() != recorded.sha256 {
            return Err(format!("the checksum of table {} differs", recorded.tiles));
        }
        progress(format!("table {} is the same", recorded.tiles));
    }
    let of = (&rules::parse(&certificate.board)?, certificate.end(), certificate.split);
    let checked = bounded(of, certificate.bound, limits, deadline, &library, progress)?;
    Ok(Verdict { claimed: certificate.bound, checked, moves: Some(moves) })
}

/// Checks that no answer to a board has fewer than `claimed` moves.
///
/// # Errors
/// If the board is invalid, or there is such an answer.
pub fn check_claim(
    board: &str,
    claimed: u8,
    limits: &Limits,
    progress: &mut dyn FnMut(String),
) -> Result<Verdict, String> {
    let deadline = limits.time.map(|time| Instant::now() + time);
    let of = (&rules::parse(board)?, End::Board, true);
    let checked = bounded(of, claimed, limits, deadline, &Library::default(), progress)?;
    Ok(Verdict { claimed, checked, moves: None })
}

/// A board, from one of its ends: what the searches of all thresholds have in common.
pub(crate) struct Search<'a> {
    near: Puzzle,
    /// The board from the other end, if answers are split.
    far: Option<Puzzle>,
    automaton: Arc<Automaton>,
    library: &'a Library,
}

/// The bounds by the tables of one rectangle.
pub(crate) struct Bounds {
    /// From a position of the search to its goal.
    near: Bound,
    /// From a position on the way from the far end to the near one, if answers are split.
    far: Option<Bound>,
}

impl<'a> Search<'a> {
    /// The automaton is that of this end.
    pub(crate) fn new(
        board: &[usize; SPOTS],
        end: End,
        split: bool,
        automaton: Arc<Automaton>,
        library: &'a Library,
    ) -> Search<'a> {
        let far = split.then(|| Puzzle::new(board, end.other()));
        Search { near: Puzzle::new(board, end), far, automaton, library }
    }

    pub(crate) fn bounds(&self, rectangle: Rectangle) -> Bounds {
        // The first part of a split answer ends with the empty spot in the centre.
        let hole = if self.far.is_some() { CENTRE } else { self.near.hole };
        let near = Bound::new(&Puzzle { hole, ..self.near.clone() }, rectangle, self.library);
        Bounds { near, far: self.far.as_ref().map(|far| Bound::new(far, rectangle, self.library)) }
    }

    /// The least number of moves that an answer can have by the bounds, of the parity that all answers have.
    fn lowest(&self, bounds: &Bounds) -> u8 {
        let least = match (&self.far, &bounds.far) {
            (Some(far), Some(bound)) => bound.sums(&far.start).bound(),
            _ => bounds.near.sums(&self.near.start).bound(),
        };
        least + (least ^ self.near.parity()) % 2
    }

    pub(crate) fn searcher<'s>(
        &'s self,
        bounds: &'s Bounds,
        threads: usize,
        deadline: Option<Instant>,
    ) -> Searcher<'s> {
        Searcher { automaton: &self.automaton, bound: &bounds.near, threads, deadline }
    }

    /// The beginnings to search for answers of at most `most` moves; `None` if an answer was found on the way.
    pub(crate) fn beginnings(&self, searcher: &Searcher<'_>, bounds: &Bounds, most: u8) -> Option<Beginnings> {
        let roots = match (&self.far, &bounds.far) {
            (Some(far), Some(bound)) => match first_parts(far, bound, most) {
                Parts::Answer => return None,
                Parts::Roots(roots) => roots,
            },
            _ => vec![Root { start: self.near.start, left: most }],
        };
        searcher.beginnings(&roots)
    }
}

/// The largest number up to `claimed` such that no answer has fewer moves, as far as the deadline allows.
fn bounded(
    (board, end, split): (&[usize; SPOTS], End, bool),
    claimed: u8,
    limits: &Limits,
    deadline: Option<Instant>,
    library: &Library,
    progress: &mut dyn FnMut(String),
) -> Result<u8, String> {
    let task = Task {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        board: board.iter().map(|&home| rules::byte(home)).collect(),
        backwards: end == End::Goal,
        split,
    };
    let (file, mut earlier) = Progress::open(limits.progress.as_deref(), task)?;
    let large = earlier.as_ref().is_some_and(|earlier| earlier.large);
    let mut rectangle = if large { LARGE } else { SMALL };
    let automaton = |rectangle: Rectangle| Arc::new(Automaton::new(end, if rectangle == LARGE { LONG } else { SHORT }));
    let mut search = Search::new(board, end, split, automaton(rectangle), library);
    let mut bounds = search.bounds(rectangle);
    let mut most = earlier.as_ref().map_or_else(|| search.lowest(&bounds), |earlier| earlier.moves);
    while most < claimed {
        let begun = Instant::now();
        let searcher = search.searcher(&bounds, limits.threads, deadline);
        let answer = || format!("there is an answer of at most {most} moves");
        let beginnings = search.beginnings(&searcher, &bounds, most).ok_or_else(answer)?;
        let new = Threshold {
            moves: most,
            large: rectangle == LARGE,
            beginnings: beginnings.hash(),
            done: 0,
            nodes: 0,
            milliseconds: 0,
        };
        let before = match earlier.take() {
            Some(earlier) if earlier.beginnings == new.beginnings => earlier,
            Some(_) => return Err("the file with the progress has another search; remove it to begin anew".to_owned()),
            None => new,
        };
        if before.done > 0 {
            progress(format!("{most} moves: {} of {} beginnings are done", before.done, beginnings.len()));
        }
        let milliseconds = || before.milliseconds + u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let now = |done: usize, nodes: u64| Threshold {
            done,
            nodes: before.nodes + nodes,
            milliseconds: milliseconds(),
            ..before.clone()
        };
        let last = Mutex::new(before.clone());
        let (found, nodes) = searcher.search(&beginnings, before.done, &|done, nodes| {
            let now = now(done, nodes);
            file.keep(&now);
            *last.lock().expect("no thread panics with it") = now;
        });
        match found {
            Found::Nothing => {}
            Found::Answer => return Err(answer()),
            Found::Stopped => {
                file.write(&last.into_inner().expect("no thread panicked"));
                break;
            }
        }
        let nodes = before.nodes + nodes;
        let seconds = Duration::from_millis(milliseconds()).as_secs_f64();
        progress(format!("no answer of {most} moves, {nodes} nodes in {seconds:.3} s"));
        most += 2;
        if rectangle == SMALL && nodes >= WORTH_LARGE && most < claimed {
            rectangle = LARGE;
            search = Search { automaton: automaton(rectangle), ..search };
            bounds = search.bounds(rectangle);
            most = most.max(search.lowest(&bounds));
        }
    }
    if most >= claimed {
        file.finish();
    }
    Ok(most.min(claimed))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::{EMPTY, parse};

    fn found(search: &Search<'_>, most: u8) -> Found {
        let bounds = search.bounds(SMALL);
        let searcher = search.searcher(&bounds, 2, None);
        let beginnings = search.beginnings(&searcher, &bounds, most);
        beginnings.map_or(Found::Answer, |beginnings| searcher.search(&beginnings, 0, &|_, _| ()).0)
    }

    #[test]
    fn all_boards_up_to_7_moves_from_the_goal_are_searched_as_far_as_their_distance() {
        // From the goal, by undone moves, level by level.
        let goal = Puzzle::new(&parse("ABCDEFGHIJKLMNOPQRSTUVWX+").unwrap(), End::Goal);
        let mut seen = HashSet::from([goal.start]);
        let mut level = vec![goal.start];
        let library = Library::default();
        let automata = [End::Board, End::Goal].map(|end| (end, Arc::new(Automaton::new(end, SHORT))));
        let mut searched = 0;
        for distance in 1..=7_u8 {
            let mut next = Vec::new();
            for position in level {
                let empty = position.iter().position(|&tile| tile == EMPTY).unwrap();
                for to in goal.empty_after(empty) {
                    let mut after = position;
                    after.swap(empty, to);
                    if seen.insert(after) {
                        next.push(after);
                    }
                }
            }
            for position in next.iter().step_by(97) {
                let board = position.map(|tile| if tile == EMPTY { SPOTS - 1 } else { usize::from(tile) });
                for (end, automaton) in &automata {
                    assert_eq!(Puzzle::new(&board, *end).parity(), distance % 2);
                    for split in [false, true] {
                        let search = Search::new(&board, *end, split, automaton.clone(), &library);
                        for most in 0..=distance {
                            let expected = if most < distance { Found::Nothing } else { Found::Answer };
                            assert_eq!(
                                found(&search, most),
                                expected,
                                "{board:?} {end:?} {split} {most} of {distance}"
                            );
                        }
                    }
                    searched += 1;
                }
            }
            level = next;
        }
        assert!(searched > 50, "{searched}");
    }

    #[test]
    #[ignore = "deep: proofs: a whole search"]
    fn no_beginning_takes_most_of_a_search() {
        // FOXY from the goal: split answers have thousands of first parts, of which few have many moves left.
        let board = parse(include_str!("../../../tests-boards/loyd/foxy.txt")).unwrap();
        let library = Library::default();
        let search = Search::new(&board, End::Goal, true, Arc::new(Automaton::new(End::Goal, SHORT)), &library);
        let bounds = search.bounds(SMALL);
        let searcher = search.searcher(&bounds, 1, None);
        let beginnings = search.beginnings(&searcher, &bounds, 78).unwrap();
        let counts = Mutex::new(vec![0]);
        let (found, nodes) = searcher.search(&beginnings, 0, &|_, nodes| counts.lock().unwrap().push(nodes));
        assert_eq!(found, Found::Nothing);
        let most = counts.into_inner().unwrap().windows(2).map(|two| two[1] - two[0]).max().unwrap();
        assert!(nodes > 10_000_000 && most < nodes / 50, "{most} of {nodes} in {} beginnings", beginnings.len());
    }

    #[test]
    fn an_interrupted_check_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("progress");
        // The board random-3, which needs 74 moves.
        let text = include_str!("../../../tests-boards/loyd/random-3.txt");
        let board = parse(text).unwrap();
        let check = |claimed: u8| {
            let limits = Limits { threads: 1, time: None, progress: Some(file.clone()) };
            let (mut lines, library) = (Vec::new(), Library::default());
            let of = (&board, End::Board, false);
            let checked = bounded(of, claimed, &limits, None, &library, &mut |line| lines.push(line));
            (checked, lines)
        };
        // What an interrupted check writes: all but the last beginning are done of the first threshold that has some.
        let library = Library::default();
        let automaton = Arc::new(Automaton::new(End::Board, SHORT));
        let search = Search::new(&board, End::Board, false, automaton, &library);
        let bounds = search.bounds(SMALL);
        let searcher = search.searcher(&bounds, 1, None);
        let at = |moves: u8| (moves, search.beginnings(&searcher, &bounds, moves).unwrap());
        let mut thresholds = (search.lowest(&bounds)..).step_by(2).map(at);
        let (moves, beginnings) = thresholds.find(|(_, beginnings)| beginnings.len() > 1).unwrap();
        assert!(moves < 74, "{moves}");
        let task = Task {
            version: env!("CARGO_PKG_VERSION").into(),
            board: board.map(rules::byte).into(),
            backwards: false,
            split: false,
        };
        let (progress, none) = Progress::open(Some(&file), task).unwrap();
        assert_eq!(none, None);
        let done = beginnings.len() - 1;
        let threshold =
            Threshold { moves, large: false, beginnings: beginnings.hash(), done, nodes: 1000, milliseconds: 5000 };
        progress.write(&threshold);
        let (checked, lines) = check(moves + 2);
        assert_eq!(checked, Ok(moves + 2));
        assert!(
            lines[0].starts_with(&format!("{moves} moves: {done} of {} beginnings", beginnings.len())),
            "{lines:?}"
        );
        let nodes = lines[1].strip_prefix(&format!("no answer of {moves} moves, ")).unwrap();
        let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
        assert!(lines.len() == 2 && nodes > 1000 && lines[1].contains(" s"), "{lines:?}");
        assert!(!file.exists());
        // What was done is not searched again.
        progress.write(&Threshold { done: done + 1, ..threshold.clone() });
        let line = check(moves + 2).1[1].clone();
        let seconds = line.split_once(" 1000 nodes in ").and_then(|(_, rest)| rest.strip_suffix(" s"));
        assert!(seconds.is_some_and(|seconds| seconds.parse::<f64>().unwrap() >= 5.0), "{line}");
        // The progress of another search is refused.
        progress.write(&Threshold { beginnings: "another".into(), ..threshold });
        assert!(check(moves + 2).0.unwrap_err().contains("another search"));
    }
}
