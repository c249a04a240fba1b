//! The proof of a lower bound: branch and bound over the open program, and weights for each of its cases.
//!
//! In rounds of a minute: open cases are searched for some seconds each, on several threads, and what is settled is
//! written into the certificate, in whole numbers and checked. So it can be saved between rounds, and gone on with. The
//! first open cases come first, what they were split into in the next round as well, so that few are open at a time.

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
/// How long a round begins with further cases.
const ROUND: Duration = Duration::from_secs(60);

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
        let round = Instant::now() + ROUND;
        let next = Mutex::new(open.iter().enumerate());
        let searched: Mutex<Vec<Option<Settled>>> = Mutex::new(open.iter().map(|_| None).collect());
        let failed = Mutex::new(None);
        std::thread::scope(|scope| {
            for search in &mut searches {
                let (next, searched, failed, certificate) = (&next, &searched, &failed, &certificate);
                scope.spawn(move || {
                    while Instant::now() < round {
                        // Not in the loop's condition, where the lock would be held for the body.
                        let Some((index, case)) = locked(next).next() else {
                            return;
                        };
                        let tree = search.run(case, deadline.min(Instant::now() + SLICE));
                        let settled = tree
                            .map_err(|error| Failure::Numerical(format!("the library gave up: {error}")))
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
        told(&certificate);
        if let Some(failure) = failed.into_inner().expect(UNPOISONED) {
            return Err(failure);
        }
    }
}

/// How many cases are settled, and how many open.
pub fn progress(certificate: &Certificate) -> (usize, usize) {
    let (mut settled, mut open) = (0, 0);
    certificate.cases.visit(&mut |case, _| match case {
        Tree::Split { .. } => (),
        Tree::Leaf(End::Open) => open += 1,
        Tree::Leaf(End::Weights(_)) => settled += 1,
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

/// Finds weights for the refuted cases among those that `case` was split into. Weights that refute one case often
/// refute its neighbours, so the latest are tried before new ones are computed. What has none stays open, to be searched
/// anew: added to one after the other, the constraints of a long branch make a relaxation less exact.
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
        let Some(new) = new else {
            if *tree == Tree::Leaf(Ended::Refuted) {
                let why = "a case that the library refutes has no weights in whole numbers";
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

/// Puts the searched cases in place of the open ones, in order; those not searched stay open.
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
    fn cases_that_a_round_did_not_get_to_stay_open_and_weights_keep_to_their_cases() {
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
