//! Branch and bound over the linear relaxation of a [`Program`], depth first, into a tree of cases.
//!
//! A node is a solved relaxation. Of its hops that are no integers the one is branched on whose two sides lift the bound
//! most. Which hops are tried is a [`Choice`]: the nearest to the goal, where hops weigh most, or those that lifted most
//! before. For that a side's lift is learnt, solved the first four times, and foretold by its average from then on
//! (Achterberg, Koch and Martin, "Branching rules revisited", 2005: reliability branching). A hop with only one possible
//! side is settled without a branch. The library's own branch and bound, which can be given no bound on the men before it
//! has found a solution, had not settled row 6 after 100 s.

use std::collections::HashMap;
use std::time::Instant;

use microlp::{ComparisonOp, Error, Problem, Solution, SolveOutcome, Variable};

use crate::lattice::Hop;
use crate::program::{Counts, Program};
use crate::tree::{Bounds, Tree};

/// How many hops are tried at a node.
const TRIED: usize = 8;
/// After how many trials a hop's lift is foretold.
const RELIABLE: u32 = 4;
/// How far a value may be from an integer and count as one.
const TOLERANCE: f64 = 1e-5;
/// By how much a bound must exceed a number of men to exclude it: enough for the library's error, and for rounding the
/// weights of a certificate, where a millionth more for each of 143 men comes to 0.00014 (`crate::weights`).
const MARGIN: f64 = 1e-3;

/// What became of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It needs more men than are looked for, or has no solution.
    Refuted,
    /// An integer solution was handed over; the case has none with fewer men.
    Found,
    /// Time was up.
    Open,
}

/// Among which hops a node looks for the one to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The nearest to the goal, all solved: finds solutions sooner.
    Nearest,
    /// Those that lifted the bound most before: proves sooner that there are none.
    Learnt,
}

/// A search for integer solutions of a program with few men.
pub struct Search<'a, Accept> {
    program: &'a Program,
    deadline: Instant,
    /// Solutions with more men are not looked for.
    most: u32,
    accept: Accept,
    choice: Choice,
    lifts: HashMap<Hop, [Lift; 2]>,
    /// Relaxations solved so far.
    pub relaxations: u64,
}

/// How much a side of a hop's branches lifted the bound, by the fraction that the hop's value moved.
#[derive(Debug, Clone, Copy, Default)]
struct Lift {
    sum: f64,
    trials: u32,
}

impl Lift {
    fn average(self) -> f64 {
        if self.trials == 0 { 1.0 } else { self.sum / f64::from(self.trials) }
    }
}

/// A hop that is no integer at a node.
#[derive(Clone, Copy)]
struct Candidate {
    hop: Hop,
    variable: Variable,
    value: f64,
}

/// The sides of a branch, solved: made at most, or more often. `None` is refuted.
type Sides = [Option<Box<Solution>>; 2];

impl<'a, Accept: FnMut(&Counts) -> Option<u32>> Search<'a, Accept> {
    /// A search for integer solutions with at most `most` men. Each one is handed to `accept`; what it gives back, if
    /// anything, is the new `most`.
    pub fn new(program: &'a Program, most: u32, choice: Choice, accept: Accept) -> Self {
        Self { program, deadline: Instant::now(), most, accept, choice, lifts: HashMap::new(), relaxations: 0 }
    }

    /// Searches the case until there is nothing left to find, or the deadline: the cases it came to. What was learnt
    /// about hops serves the next case.
    ///
    /// # Errors
    /// If the library gives up for numerical reasons on every relaxation that a node could go on with.
    pub fn run(&mut self, case: &Bounds, deadline: Instant) -> Result<Tree<Ended>, Error> {
        self.deadline = deadline;
        let mut problem: Problem = self.program.problem.clone();
        for &(hop, variable) in &self.program.hops {
            let Some(&(least, most)) = case.get(&hop) else {
                continue;
            };
            problem.add_constraint([(variable, 1.0)], ComparisonOp::Ge, f64::from(least));
            problem.add_constraint([(variable, 1.0)], ComparisonOp::Le, most.map_or(f64::INFINITY, f64::from));
        }
        problem.set_time_limit(deadline.saturating_duration_since(Instant::now()));
        self.relaxations += 1;
        match problem.solve() {
            Ok(outcome) => outcome.into_solution().map_or(Ok(Tree::Leaf(Ended::Open)), |root| self.node(&root)),
            Err(Error::Infeasible) => Ok(Tree::Leaf(Ended::Refuted)),
            Err(other) => Err(other),
        }
    }

    fn node(&mut self, relaxed: &Solution) -> Result<Tree<Ended>, Error> {
        if Instant::now() >= self.deadline {
            return Ok(Tree::Leaf(Ended::Open));
        }
        if self.hopeless(relaxed) {
            return Ok(Tree::Leaf(Ended::Refuted));
        }
        let Some((candidate, sides)) = self.strongest(relaxed)? else {
            if let Some(most) = (self.accept)(&self.program.counts(relaxed)) {
                self.most = most;
            }
            return Ok(Tree::Leaf(Ended::Found));
        };
        // A hop that is made leads to a game sooner than one that is not, unless it is the dearer by half a man.
        let cheaper = match &sides {
            [Some(fewer), Some(more)] => fewer.objective() <= more.objective() - 0.5,
            _ => false,
        };
        let [fewer, more] = sides;
        let (fewer, more) = if cheaper {
            let fewer = self.side(fewer)?;
            (fewer, self.side(more)?)
        } else {
            let more = self.side(more)?;
            (self.side(fewer)?, more)
        };
        Ok(Tree::split(candidate.hop, floor(candidate.value), fewer, more))
    }

    fn side(&mut self, side: Option<Box<Solution>>) -> Result<Tree<Ended>, Error> {
        side.map_or(Ok(Tree::Leaf(Ended::Refuted)), |relaxed| self.node(&relaxed))
    }

    /// Whether more men are needed than are looked for. The number of men is an integer, so nothing lies between.
    fn hopeless(&self, relaxed: &Solution) -> bool {
        relaxed.objective() > f64::from(self.most) + MARGIN
    }

    /// The hop to branch on, with its sides; `None` if all hops are integers.
    fn strongest(&mut self, relaxed: &Solution) -> Result<Option<(Candidate, Sides)>, Error> {
        let hops = self.program.hops.iter();
        let all = hops.map(|&(hop, variable)| Candidate { hop, variable, value: relaxed.var_value(variable) });
        let mut candidates: Vec<(f64, Candidate)> = all
            .filter(|candidate| (candidate.value - candidate.value.round()).abs() > TOLERANCE)
            .map(|candidate| (self.foretold(&candidate), candidate))
            .collect();
        if self.choice == Choice::Learnt {
            // Stable: the first of equals is the nearest to the goal.
            candidates.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        }
        let mut best: Option<(f64, Candidate, Sides)> = None;
        let mut failed = None;
        for (_, candidate) in candidates.into_iter().take(TRIED) {
            if self.choice == Choice::Learnt && best.is_some() && self.reliable(&candidate) {
                continue;
            }
            let sides = match self.sides(relaxed, &candidate) {
                Ok(Some(sides)) => sides,
                // Time was up; the node finds out.
                Ok(None) => [Some(Box::new(relaxed.clone())), Some(Box::new(relaxed.clone()))],
                // Nothing is known of this hop's sides; another one may do.
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            };
            if sides.iter().any(Option::is_none) {
                return Ok(Some((candidate, sides)));
            }
            let lifts = sides.each_ref().map(|side| side.as_ref().map_or(0.0, |side| lift(relaxed, side)));
            let score = lifts[0] * lifts[1];
            if best.as_ref().is_none_or(|(highest, _, _)| score > *highest) {
                best = Some((score, candidate, sides));
            }
        }
        match (best, failed) {
            (Some((_, candidate, sides)), _) => Ok(Some((candidate, sides))),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(None),
        }
    }

    /// What the product of both sides' lifts will be, as far as one can know.
    fn foretold(&self, candidate: &Candidate) -> f64 {
        let [fewer, more] = self.lifts.get(&candidate.hop).copied().unwrap_or_default();
        let fraction = candidate.value.fract();
        (fewer.average() * fraction).max(1e-3) * (more.average() * (1.0 - fraction)).max(1e-3)
    }

    fn reliable(&self, candidate: &Candidate) -> bool {
        let trials = self.lifts.get(&candidate.hop).map_or(0, |[fewer, more]| fewer.trials.min(more.trials));
        trials >= RELIABLE
    }

    /// Solves both sides of a branch; `None` if time is up.
    fn sides(&mut self, relaxed: &Solution, candidate: &Candidate) -> Result<Option<Sides>, Error> {
        let fraction = candidate.value.fract();
        let mut sides: Sides = [None, None];
        let values = [(ComparisonOp::Le, candidate.value.floor()), (ComparisonOp::Ge, candidate.value.ceil())];
        for (index, (operator, bound)) in values.into_iter().enumerate() {
            self.relaxations += 1;
            let solved: Result<SolveOutcome, Error> =
                relaxed.clone().add_constraint([(candidate.variable, 1.0)], operator, bound);
            let side = match solved.map(SolveOutcome::into_solution) {
                Ok(Ok(side)) => Some(side),
                Ok(Err(_)) => return Ok(None),
                Err(Error::Infeasible) => None,
                Err(other) => return Err(other),
            };
            let moved = if index == 0 { fraction } else { 1.0 - fraction };
            let lifted =
                side.as_ref().map_or(f64::from(self.most) + 1.0 - relaxed.objective(), |side| lift(relaxed, side));
            let learnt = &mut self.lifts.entry(candidate.hop).or_default()[index];
            learnt.sum += lifted / moved;
            learnt.trials += 1;
            sides[index] = side.filter(|side| !self.hopeless(side)).map(Box::new);
        }
        Ok(Some(sides))
    }
}

/// By how many men a side needs more; a little for none, so that products compare.
fn lift(relaxed: &Solution, side: &Solution) -> f64 {
    (side.objective() - relaxed.objective()).max(1e-3)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count is small; the cast saturates")]
fn floor(value: f64) -> u32 {
    value.floor() as u32
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The fewest men of a program, and whether the search left nothing open.
    fn least(program: &Program, choice: Choice, limit: Duration) -> (Option<u32>, bool) {
        let mut least = None;
        let mut search = Search::new(program, 1000, choice, |counts| {
            least = Some(counts.army());
            Some(counts.army() - 1)
        });
        let cases = search.run(&Bounds::new(), Instant::now() + limit).expect("the relaxations are solved");
        let mut complete = true;
        cases.visit(&mut |case, _| complete &= *case != Tree::Leaf(Ended::Open));
        (least, complete)
    }

    #[test]
    fn both_choices_find_the_same_optimum() {
        for choice in [Choice::Nearest, Choice::Learnt] {
            for (row, men) in [(3, 5), (4, 9), (5, 17)] {
                let found = least(&Program::open(row, row + 4), choice, Duration::from_secs(600));
                assert_eq!(found, (Some(men), true), "row {row}, {choice:?}");
            }
        }
    }

    #[test]
    fn a_closed_window_may_be_too_small_for_any_game() {
        let found = least(&Program::closed(4, 3), Choice::Nearest, Duration::from_secs(600));
        assert_eq!(found, (None, true));
    }

    #[test]
    fn a_search_without_time_leaves_its_case_open() {
        assert_eq!(least(&Program::open(4, 8), Choice::Learnt, Duration::ZERO), (None, false));
    }
}
