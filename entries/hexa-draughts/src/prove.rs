//! Construction of a certificate: branch and bound over the open program, and weights for each of its cases.
//!
//! The proof proceeds in rounds of a minute. Each round searches open cases for some seconds each, on several threads.
//! Settled cases are added to the certificate with integer weights and checked, so the certificate can be saved after a
//! round and the proof resumed. Cases are processed in the order of the tree, new subcases included, so few are open at a
//! time.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::branch::{Branching, CaseResult, Search};
use crate::certificate::{Certificate, Claim, End};
use crate::frame::{Frame, Weights};
use crate::program::{Counts, Program};
use crate::tree::{Bounds, Tree};
use crate::weights::find_weights;

/// The time limit of one case per round.
const CASE_TIME: Duration = Duration::from_secs(10);
/// The time after which a round starts no further case.
const ROUND_TIME: Duration = Duration::from_secs(60);

/// The reason why a bound cannot be proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The open program has a solution with fewer men: a wider window may exclude it, if the bound is true.
    Counterexample(Counts),
    /// The library failed, or no rounding of its weights refutes the case.
    Numerical(String),
}

/// A case after its search: its subcases, and the new weights that they use.
struct Settled {
    cases: Tree<End>,
    weights: Vec<Weights>,
}

/// Creates a certificate without a proof: one open case for the claim that games to `row` need `men` men.
pub fn unproved(row: i32, radius: i32, men: u32) -> Certificate {
    Certificate {
        claim: Claim::AtLeast(men),
        frame: Frame::new(row, radius),
        weights: Vec::new(),
        cases: Tree::Leaf(End::Open),
    }
}

/// Searches the open cases of a certificate that claims a number of men, in rounds, until there are none or the
/// deadline passes. It uses the limits of the splits by hops only, so it settles slightly larger cases. Calls
/// `after_round` with the certificate after each round.
///
/// # Errors
/// The reason why there is no proof.
pub fn prove(
    mut certificate: Certificate,
    threads: NonZero<usize>,
    deadline: Instant,
    mut after_round: impl FnMut(&Certificate),
) -> Result<Certificate, Failure> {
    let Claim::AtLeast(men) = certificate.claim else {
        return Err(Failure::Numerical("the search proves only claims `at-least MEN`".to_owned()));
    };
    let program = Program::open(certificate.frame.row, certificate.frame.radius);
    let found = Mutex::new(None);
    let accept = |counts: &Counts| {
        *locked(&found) = Some(counts.clone());
        None
    };
    let mut searches: Vec<_> =
        (0..threads.get()).map(|_| Search::new(&program, men - 1, Branching::Reliability, accept)).collect();
    loop {
        let open = open_cases(&certificate);
        if open.is_empty() || Instant::now() >= deadline {
            return Ok(certificate);
        }
        let round_end = Instant::now() + ROUND_TIME;
        let next = Mutex::new(open.iter().enumerate());
        let searched: Mutex<Vec<Option<Settled>>> = Mutex::new(open.iter().map(|_| None).collect());
        let failed = Mutex::new(None);
        std::thread::scope(|scope| {
            for search in &mut searches {
                let (next, searched, failed, certificate) = (&next, &searched, &failed, &certificate);
                scope.spawn(move || {
                    while Instant::now() < round_end {
                        // Not in the loop's condition, which would hold the lock during the body.
                        let Some((index, case)) = locked(next).next() else {
                            return;
                        };
                        let tree = search.run(case, deadline.min(Instant::now() + CASE_TIME));
                        let settled = tree
                            .map_err(|error| Failure::Numerical(format!("the library failed: {error}")))
                            .and_then(|tree| settle(certificate, men, case, &tree));
                        match settled {
                            Ok(settled) => locked(searched)[index] = Some(settled),
                            Err(failure) => *locked(failed) = Some(failure),
                        }
                    }
                });
            }
        });
        if let Some(counts) = locked(&found).take() {
            return Err(Failure::Counterexample(counts));
        }
        certificate = graft(certificate, searched.into_inner().expect(UNPOISONED));
        after_round(&certificate);
        if let Some(failure) = failed.into_inner().expect(UNPOISONED) {
            return Err(failure);
        }
    }
}

/// Counts the settled and the open cases.
pub fn progress(certificate: &Certificate) -> (usize, usize) {
    let (mut settled, mut open) = (0, 0);
    certificate.cases.visit(&mut |case, _| match case {
        Tree::Split { .. } | Tree::Tightened { .. } => (),
        Tree::Leaf(End::Open) => open += 1,
        Tree::Leaf(End::Weights(_) | End::Contradiction) => settled += 1,
    });
    (settled, open)
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

/// Finds weights for the refuted subcases of `case`.
///
/// Weights that refute one case often refute its neighbours, so the latest weights are tried before new ones are
/// computed. A subcase without weights stays open and is searched again from a new relaxation: the constraints of a long
/// branch, added one by one, make a relaxation less exact.
fn settle(known: &Certificate, men: u32, case: &Bounds, tree: &Tree<CaseResult>) -> Result<Settled, Failure> {
    let mut weights: Vec<Weights> = Vec::new();
    let mut ends = Vec::new();
    tree.walk_below(&mut case.clone(), &mut |node, bounds| {
        let Tree::Leaf(result) = node else {
            return Ok(());
        };
        if *result != CaseResult::Refuted {
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
        let new = find_weights(&known.frame, men, bounds);
        let Some(new) = new else {
            if *tree == Tree::Leaf(CaseResult::Refuted) {
                let why = "found no integer weights for a case that the library refutes";
                return Err(Failure::Numerical(why.to_owned()));
            }
            ends.push(End::Open);
            return Ok(());
        };
        weights.push(new);
        ends.push(End::Weights(count));
        Ok(())
    })?;
    let mut ends = ends.into_iter();
    let cases = tree.clone().graft(&mut |_| Tree::Leaf(ends.next().unwrap_or(End::Open)));
    Ok(Settled { cases, weights })
}

/// Replaces the open cases by the searched ones, in order; cases that were not searched stay open.
fn graft(certificate: Certificate, searched: Vec<Option<Settled>>) -> Certificate {
    let Certificate { claim, frame, mut weights, cases } = certificate;
    let known = weights.len();
    let mut searched = searched.into_iter();
    let cases = cases.graft(&mut |end| {
        let settled = if end == End::Open { searched.next().flatten() } else { None };
        let Some(settled) = settled else {
            return Tree::Leaf(end);
        };
        let before = weights.len() - known;
        weights.extend(settled.weights);
        settled.cases.graft(&mut |end| {
            Tree::Leaf(match end {
                End::Weights(index) if index >= known => End::Weights(index + before),
                end => end,
            })
        })
    });
    Certificate { claim, frame, weights, cases }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Hop, Point};

    #[test]
    fn a_proof_without_time_leaves_its_cases_open() {
        let hop = Hop::onto(Point { row: 0, column: 0 }, (0, 2));
        let open = || Tree::Leaf(End::Open);
        let weighed = |index| Tree::Leaf(End::Weights(index));
        let weights = |tail| Weights { tail, window: Vec::new() };
        let begun = Certificate {
            weights: vec![weights(0)],
            cases: Tree::split(hop, 0, Tree::split(hop, 1, open(), open()), Tree::split(hop, 2, weighed(0), open())),
            ..unproved(1, 1, 2)
        };
        let searched = vec![
            Some(Settled { cases: weighed(1), weights: vec![weights(1)] }),
            None,
            Some(Settled { cases: Tree::split(hop, 3, weighed(0), weighed(1)), weights: vec![weights(2)] }),
        ];
        let grafted = graft(begun, searched);
        let last = Tree::split(hop, 3, weighed(0), weighed(2));
        let cases = Tree::split(hop, 0, Tree::split(hop, 1, weighed(1), open()), Tree::split(hop, 2, weighed(0), last));
        assert_eq!((grafted.weights, grafted.cases), (vec![weights(0), weights(1), weights(2)], cases));
    }
}
