//! The proof of a lower bound: branch and bound over the open program, and weights for each of its cases.
//!
//! In rounds: all open cases are searched for some seconds each, on several threads, and what is settled is written into
//! the certificate, in whole numbers and checked. So it can be saved between rounds, and gone on with.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::branch::{Choice, Ended, Search};
use crate::certificate::{Certificate, Claim, End, Frame, Weights};
use crate::program::{Counts, Program};
use crate::tree::{Bounds, Tree};
use crate::weights::refuting;

/// How long a case is searched in one round.
const SLICE: Duration = Duration::from_secs(10);

/// Why a bound cannot be proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The open program has a solution with fewer men: a wider window may exclude it, if the bound is true.
    Counterexample(Counts),
    /// The library gave up, or no rounding of its weights held.
    Numerical(String),
}

/// A case after its search: the cases it was split into, and the weights they need beyond those known.
struct Settled {
    cases: Tree<End>,
    weights: Vec<Weights>,
}

/// The certificate of nothing yet: that games to `row` need `men` men, one open case.
pub fn unproved(row: i32, radius: i32, men: u32) -> Certificate {
    Certificate {
        claim: Claim::AtLeast(men),
        frame: Frame::new(row, radius),
        weights: Vec::new(),
        cases: Tree::Leaf(End::Open),
    }
}

/// Searches the open cases of a certificate that claims a number of men, in rounds, until there are none or the deadline.
/// `told` is given the certificate after each round.
///
/// # Errors
/// Why there will be no proof.
pub fn prove(
    mut certificate: Certificate,
    threads: NonZero<usize>,
    deadline: Instant,
    mut told: impl FnMut(&Certificate),
) -> Result<Certificate, Failure> {
    let Claim::AtLeast(men) = certificate.claim else {
        return Err(Failure::Numerical("only a number of men is proved by search".to_owned()));
    };
    let program = Program::open(certificate.frame.row, certificate.frame.radius);
    let found = Mutex::new(None);
    let accept = |counts: &Counts| {
        *locked(&found) = Some(counts.clone());
        None
    };
    let mut searches: Vec<_> =
        (0..threads.get()).map(|_| Search::new(&program, men - 1, Choice::Learnt, accept)).collect();
    loop {
        let open = open_cases(&certificate);
        if open.is_empty() || Instant::now() >= deadline {
            return Ok(certificate);
        }
        let next = Mutex::new(open.iter().enumerate());
        let settled = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for search in &mut searches {
                let (next, settled, certificate) = (&next, &settled, &certificate);
                scope.spawn(move || {
                    loop {
                        // Not in the loop's condition, where the lock would be held for the body.
                        let Some((index, case)) = locked(next).next() else {
                            return;
                        };
                        let searched = search.run(case, deadline.min(Instant::now() + SLICE));
                        let result = searched
                            .map_err(|error| Failure::Numerical(format!("the library gave up: {error}")))
                            .and_then(|tree| settle(certificate, men, case, &tree));
                        locked(settled).push((index, result));
                    }
                });
            }
        });
        if let Some(counts) = locked(&found).take() {
            return Err(Failure::Counterexample(counts));
        }
        let mut settled = settled.into_inner().expect(UNPOISONED);
        settled.sort_by_key(|(index, _)| *index);
        let settled: Result<Vec<Settled>, Failure> = settled.into_iter().map(|(_, result)| result).collect();
        certificate = graft(certificate, settled?);
        told(&certificate);
    }
}

/// How many cases are settled and open, and the part of the tree that is settled, 0 to 1, if each split halves its case.
pub fn progress(certificate: &Certificate) -> (usize, usize, f64) {
    let (mut settled, mut open, mut part) = (0, 0, 0.0);
    let mut sizes = vec![1.0];
    certificate.cases.visit(&mut |case, _| {
        let size = sizes.pop().unwrap_or_default();
        match case {
            Tree::Split { .. } => sizes.extend([size / 2.0, size / 2.0]),
            Tree::Leaf(End::Open) => open += 1,
            Tree::Leaf(End::Weights(_)) => {
                settled += 1;
                part += size;
            }
        }
    });
    (settled, open, part)
}

const UNPOISONED: &str = "a thread that panics ends the program";

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect(UNPOISONED)
}

fn open_cases(certificate: &Certificate) -> Vec<Bounds> {
    let mut open = Vec::new();
    certificate.cases.visit(&mut |case, bounds| {
        if *case == Tree::Leaf(End::Open) {
            open.push(bounds.clone());
        }
    });
    open
}

/// Finds weights for the refuted cases among those that `case` was split into. Weights that refute one case often
/// refute its neighbours, so the latest are tried before new ones are computed.
fn settle(known: &Certificate, men: u32, case: &Bounds, tree: &Tree<Ended>) -> Result<Settled, Failure> {
    let mut weights: Vec<Weights> = Vec::new();
    let mut ends = Vec::new();
    tree.walk_below(&mut case.clone(), &mut |node, bounds| {
        let Tree::Leaf(ended) = node else {
            return Ok(());
        };
        if *ended != Ended::Refuted {
            ends.push(End::Open);
            return Ok(());
        }
        let count = known.weights.len() + weights.len();
        let of = |index: usize| known.weights.get(index).unwrap_or_else(|| &weights[index - known.weights.len()]);
        let mut latest = (0..count).rev();
        if let Some(index) = latest.find(|&index| known.frame.refute(known.claim, bounds, of(index)).is_ok()) {
            ends.push(End::Weights(index));
            return Ok(());
        }
        let new = refuting(&known.frame, men, bounds);
        let missing =
            || Failure::Numerical("a case that the library refutes has no weights in whole numbers".to_owned());
        weights.push(new.ok_or_else(missing)?);
        ends.push(End::Weights(count));
        Ok(())
    })?;
    let mut ends = ends.into_iter();
    let cases = tree.clone().graft(&mut |_| Tree::Leaf(ends.next().unwrap_or(End::Open)));
    Ok(Settled { cases, weights })
}

/// Puts the searched cases in place of the open ones, in order.
fn graft(certificate: Certificate, settled: Vec<Settled>) -> Certificate {
    let Certificate { claim, frame, mut weights, cases } = certificate;
    let known = weights.len();
    let mut settled = settled.into_iter();
    let cases = cases.graft(&mut |end| {
        let searched = if end == End::Open { settled.next() } else { None };
        let Some(searched) = searched else {
            return Tree::Leaf(end);
        };
        let before = weights.len() - known;
        weights.extend(searched.weights);
        searched.cases.graft(&mut |end| {
            Tree::Leaf(match end {
                End::Weights(index) if index >= known => End::Weights(index + before),
                end => end,
            })
        })
    });
    Certificate { claim, frame, weights, cases }
}
