//! Branch and bound over the linear relaxation of a [`Program`], depth first, into a tree of cases.
//!
//! A node is a solved relaxation. It branches on the hop with a fractional count whose two children raise the bound most.
//! [`Branching`] selects the candidates: those nearest to the goal, where hops have the largest weight, or those with the
//! largest gains so far. In the second case the children of a hop are solved the first four times, and their gain is
//! predicted by its average from then on (Achterberg, Koch and Martin, "Branching rules revisited", 2005: reliability
//! branching). A hop with only one feasible child is fixed without a branch.
//!
//! The branch and bound of the linear programming library accepts no limit on the men before it has found a solution. It
//! had not finished row 6 after 100 s.

use std::collections::HashMap;
use std::time::Instant;

use microlp::{ComparisonOp, Error, Problem, Solution, SolveOutcome, Variable};

use crate::lattice::Hop;
use crate::program::{Counts, Program};
use crate::tree::{Bounds, Tree};

/// The number of candidate hops per node.
const CANDIDATES: usize = 8;
/// The number of trials after which a hop's gain is predicted.
const RELIABLE: u32 = 4;
/// The largest distance from an integer at which a value counts as one.
const TOLERANCE: f64 = 1e-5;
/// The amount by which a bound must exceed a number of men to exclude it. It covers the library's error and the rounding
/// of a certificate's weights: a millionth more for each of 143 men is 0.00014 (`crate::weights`).
const MARGIN: f64 = 1e-3;

/// The result of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CaseResult {
    /// The case needs more men than the limit, or has no solution.
    Refuted,
    /// The search passed an integer solution to the caller; the case has none with fewer men.
    Found,
    /// The deadline passed before the case was decided.
    Open,
}

/// The rule that selects the hops that a node may branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Branching {
    /// The nearest to the goal, all solved: finds solutions sooner.
    Nearest,
    /// Reliability branching, the largest gains so far: proves sooner that there are no solutions.
    Reliability,
}

/// A search for integer solutions of a program with few men.
pub(crate) struct Search<'a, Accept> {
    program: &'a Program,
    deadline: Instant,
    /// The limit on men: solutions with more are ignored.
    most: u32,
    accept: Accept,
    branching: Branching,
    gains: HashMap<Hop, [Gain; 2]>,
    /// The number of relaxations solved so far.
    pub(crate) relaxations: u64,
}

/// The gains of one kind of child of a hop: the rise of the bound per unit that the hop's value moved.
#[derive(Debug, Clone, Copy, Default)]
struct Gain {
    sum: f64,
    trials: u32,
}

impl Gain {
    fn average(self) -> f64 {
        if self.trials == 0 { 1.0 } else { self.sum / f64::from(self.trials) }
    }
}

/// A hop with a fractional value at a node.
#[derive(Clone, Copy)]
struct Candidate {
    hop: Hop,
    variable: Variable,
    value: f64,
}

/// The solved children of a node: the hop is made at most some number of times, or more often. `None` if refuted.
type Children = [Option<Box<Solution>>; 2];

impl<'a, Accept: FnMut(&Counts) -> Option<u32>> Search<'a, Accept> {
    /// Creates a search for integer solutions with at most `most` men. It passes each one to `accept`, which may return
    /// a new value of `most`.
    pub(crate) fn new(program: &'a Program, most: u32, branching: Branching, accept: Accept) -> Self {
        Self { program, deadline: Instant::now(), most, accept, branching, gains: HashMap::new(), relaxations: 0 }
    }

    /// Searches the case completely, or until the deadline, and returns the tree of its cases. The gains of the hops are
    /// kept for the next case.
    ///
    /// # Errors
    /// If the library fails for numerical reasons on every relaxation that a node could continue with.
    pub(crate) fn run(&mut self, case: &Bounds, deadline: Instant) -> Result<Tree<CaseResult>, Error> {
        self.deadline = deadline;
        let mut problem: Problem = self.program.problem.clone();
        for &(hop, variable) in &self.program.hops {
            let Some(&(least, most)) = case.get(&hop.into()) else {
                continue;
            };
            problem.add_constraint([(variable, 1.0)], ComparisonOp::Ge, f64::from(least));
            problem.add_constraint([(variable, 1.0)], ComparisonOp::Le, most.map_or(f64::INFINITY, f64::from));
        }
        problem.set_time_limit(deadline.saturating_duration_since(Instant::now()));
        self.relaxations += 1;
        match problem.solve() {
            Ok(outcome) => outcome.into_solution().map_or(Ok(Tree::Leaf(CaseResult::Open)), |root| self.node(&root)),
            Err(Error::Infeasible) => Ok(Tree::Leaf(CaseResult::Refuted)),
            Err(other) => Err(other),
        }
    }

    fn node(&mut self, relaxed: &Solution) -> Result<Tree<CaseResult>, Error> {
        if Instant::now() >= self.deadline {
            return Ok(Tree::Leaf(CaseResult::Open));
        }
        if self.exceeds_limit(relaxed) {
            return Ok(Tree::Leaf(CaseResult::Refuted));
        }
        let Some((candidate, children)) = self.choose_branch(relaxed)? else {
            if let Some(most) = (self.accept)(&self.program.counts(relaxed)) {
                self.most = most;
            }
            return Ok(Tree::Leaf(CaseResult::Found));
        };
        // Making the hop leads to a game sooner, unless that costs half a man more.
        let cheaper = match &children {
            [Some(fewer), Some(more)] => fewer.objective() <= more.objective() - 0.5,
            _ => false,
        };
        let [fewer, more] = children;
        let (fewer, more) = if cheaper {
            let fewer = self.child(fewer)?;
            (fewer, self.child(more)?)
        } else {
            let more = self.child(more)?;
            (self.child(fewer)?, more)
        };
        Ok(Tree::split(candidate.hop, floor(candidate.value), fewer, more))
    }

    fn child(&mut self, child: Option<Box<Solution>>) -> Result<Tree<CaseResult>, Error> {
        child.map_or(Ok(Tree::Leaf(CaseResult::Refuted)), |relaxed| self.node(&relaxed))
    }

    /// True if the relaxation needs more men than the limit; the number of men of a solution is an integer.
    fn exceeds_limit(&self, relaxed: &Solution) -> bool {
        relaxed.objective() > f64::from(self.most) + MARGIN
    }

    /// Chooses the hop to branch on and solves its children; `None` if all hops are integers.
    fn choose_branch(&mut self, relaxed: &Solution) -> Result<Option<(Candidate, Children)>, Error> {
        let hops = self.program.hops.iter();
        let all = hops.map(|&(hop, variable)| Candidate { hop, variable, value: relaxed.var_value(variable) });
        let mut candidates: Vec<(f64, Candidate)> = all
            .filter(|candidate| (candidate.value - candidate.value.round()).abs() > TOLERANCE)
            .map(|candidate| (self.predicted_score(&candidate), candidate))
            .collect();
        if self.branching == Branching::Reliability {
            // The sort is stable: the first of equals is the nearest to the goal.
            candidates.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        }
        let mut best: Option<(f64, Candidate, Children)> = None;
        let mut failed = None;
        for (_, candidate) in candidates.into_iter().take(CANDIDATES) {
            if self.branching == Branching::Reliability && best.is_some() && self.reliable(&candidate) {
                continue;
            }
            let children = match self.children(relaxed, &candidate) {
                Ok(Some(children)) => children,
                // The deadline has passed; the node checks it.
                Ok(None) => [Some(Box::new(relaxed.clone())), Some(Box::new(relaxed.clone()))],
                // The library failed on this hop; another one may work.
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            };
            if children.iter().any(Option::is_none) {
                return Ok(Some((candidate, children)));
            }
            let gains = children.each_ref().map(|child| child.as_ref().map_or(0.0, |child| gain(relaxed, child)));
            let score = gains[0] * gains[1];
            if best.as_ref().is_none_or(|(highest, _, _)| score > *highest) {
                best = Some((score, candidate, children));
            }
        }
        match (best, failed) {
            (Some((_, candidate, children)), _) => Ok(Some((candidate, children))),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(None),
        }
    }

    /// Predicts the product of both children's gains.
    fn predicted_score(&self, candidate: &Candidate) -> f64 {
        let [fewer, more] = self.gains.get(&candidate.hop).copied().unwrap_or_default();
        let fraction = candidate.value.fract();
        (fewer.average() * fraction).max(1e-3) * (more.average() * (1.0 - fraction)).max(1e-3)
    }

    fn reliable(&self, candidate: &Candidate) -> bool {
        let trials = self.gains.get(&candidate.hop).map_or(0, |[fewer, more]| fewer.trials.min(more.trials));
        trials >= RELIABLE
    }

    /// Solves both children of a branch; `None` if the deadline has passed.
    fn children(&mut self, relaxed: &Solution, candidate: &Candidate) -> Result<Option<Children>, Error> {
        let fraction = candidate.value.fract();
        let mut children: Children = [None, None];
        let values = [(ComparisonOp::Le, candidate.value.floor()), (ComparisonOp::Ge, candidate.value.ceil())];
        for (index, (operator, bound)) in values.into_iter().enumerate() {
            self.relaxations += 1;
            let solved: Result<SolveOutcome, Error> =
                relaxed.clone().add_constraint([(candidate.variable, 1.0)], operator, bound);
            let child = match solved.map(SolveOutcome::into_solution) {
                Ok(Ok(child)) => Some(child),
                Ok(Err(_)) => return Ok(None),
                Err(Error::Infeasible) => None,
                Err(other) => return Err(other),
            };
            let moved = if index == 0 { fraction } else { 1.0 - fraction };
            let rise =
                child.as_ref().map_or(f64::from(self.most) + 1.0 - relaxed.objective(), |child| gain(relaxed, child));
            let total = &mut self.gains.entry(candidate.hop).or_default()[index];
            total.sum += rise / moved;
            total.trials += 1;
            children[index] = child.filter(|child| !self.exceeds_limit(child)).map(Box::new);
        }
        Ok(Some(children))
    }
}

/// The number of additional men that a child needs; positive even for none, so that products can be compared.
fn gain(relaxed: &Solution, child: &Solution) -> f64 {
    (child.objective() - relaxed.objective()).max(1e-3)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count is small; the cast saturates")]
fn floor(value: f64) -> u32 {
    value.floor() as u32
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Finds the fewest men of a program; true if the search left no case open.
    fn least(program: &Program, branching: Branching, limit: Duration) -> (Option<u32>, bool) {
        let mut least = None;
        let mut search = Search::new(program, 1000, branching, |counts| {
            least = Some(counts.army());
            Some(counts.army() - 1)
        });
        let cases = search.run(&Bounds::new(), Instant::now() + limit).expect("the relaxations are solved");
        let mut complete = true;
        cases.visit(&mut |case, _| complete &= *case != Tree::Leaf(CaseResult::Open));
        (least, complete)
    }

    #[test]
    fn both_rules_find_the_same_optimum() {
        for branching in [Branching::Nearest, Branching::Reliability] {
            for (row, men) in [(3, 5), (4, 9), (5, 17)] {
                let found = least(&Program::open(row, row + 4), branching, Duration::from_secs(600));
                assert_eq!(found, (Some(men), true), "row {row}, {branching:?}");
            }
        }
    }

    #[test]
    fn a_closed_window_may_be_too_small_for_any_game() {
        let found = least(&Program::closed(4, 3), Branching::Nearest, Duration::from_secs(600));
        assert_eq!(found, (None, true));
    }

    #[test]
    fn a_search_without_time_leaves_its_case_open() {
        assert_eq!(least(&Program::open(4, 8), Branching::Reliability, Duration::ZERO), (None, false));
    }
}
