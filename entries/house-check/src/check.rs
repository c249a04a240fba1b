//! The check of a claim: searches with rising numbers of moves, first with small tables, then with large ones.

use std::time::{Duration, Instant};

use crate::bound::{Bound, LARGE, Library, SMALL};
use crate::certificate::Certificate;
use crate::rules::{self, End, Puzzle};
use crate::search::{Found, search};

/// Number of positions of a threshold after which large tables are worth the time that building them takes.
const WORTH_LARGE: u64 = 100_000_000;

/// The threads and the time that a check may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// The time after which a search stops; `None` for no limit.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { threads: 1, time: None }
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
    let puzzle = Puzzle::new(&rules::parse(&certificate.board)?, certificate.end());
    let checked = bounded(&puzzle, certificate.bound, limits.threads, deadline, &library, progress)?;
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
    let puzzle = Puzzle::new(&rules::parse(board)?, End::Board);
    let checked = bounded(&puzzle, claimed, limits.threads, deadline, &Library::default(), progress)?;
    Ok(Verdict { claimed, checked, moves: None })
}

/// The largest number up to `claimed` such that no answer has fewer moves, as far as the deadline allows.
fn bounded(
    puzzle: &Puzzle,
    claimed: u8,
    threads: usize,
    deadline: Option<Instant>,
    library: &Library,
    progress: &mut dyn FnMut(String),
) -> Result<u8, String> {
    let mut rectangle = SMALL;
    let mut bound = Bound::new(puzzle, rectangle, library);
    let lowest = |bound: &Bound| {
        let least = bound.sums(&puzzle.start).bound();
        least + (least ^ puzzle.parity()) % 2
    };
    let mut most = lowest(&bound);
    while most < claimed {
        let begun = Instant::now();
        let (found, nodes) = search(puzzle, &bound, most, threads, deadline);
        match found {
            Found::Nothing => {
                progress(format!("no answer of {most} moves, {nodes} nodes in {:.3} s", begun.elapsed().as_secs_f64()))
            }
            Found::Answer => return Err(format!("there is an answer of at most {most} moves")),
            Found::Stopped => break,
        }
        most += 2;
        if rectangle == SMALL && nodes >= WORTH_LARGE && most < claimed {
            rectangle = LARGE;
            bound = Bound::new(puzzle, rectangle, library);
            most = most.max(lowest(&bound));
        }
    }
    Ok(most.min(claimed))
}
