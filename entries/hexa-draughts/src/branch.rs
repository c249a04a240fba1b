//! Branch and bound over the linear relaxation of a [`Program`], depth first, with strong branching near the goal.
//!
//! A node is a solved relaxation. Of its variables that are no integers the first few in the program's order, those
//! nearest to the goal, are tried: both children are solved, the variable that lifts both bounds most is branched on, and
//! a variable with only one possible side is settled without a branch. Near the goal hops weigh most, so a decision there
//! moves the bound by whole men; the library's own branch and bound, which cannot know it, had not settled row 6 after
//! 100 s.

use std::time::Instant;

use microlp::{ComparisonOp, Error, Solution, SolveOutcome, Variable};

use crate::program::{Kind, Program};

/// How many variables strong branching tries at a node.
const TRIED: usize = 8;
/// How far a value may be from an integer and count as one, and an objective from a bound and count as equal to it.
const TOLERANCE: f64 = 1e-5;

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything was looked at.
    Complete,
    /// Time was up.
    OutOfTime,
}

/// A search for integer solutions of a program with few men.
pub struct Search<'a, Accept> {
    program: &'a Program,
    deadline: Instant,
    /// Solutions with more men are not looked for.
    most: u32,
    accept: Accept,
    /// Relaxations solved so far.
    pub relaxations: u64,
}

/// What unwinds a search.
enum Stop {
    OutOfTime,
    Library(Error),
}

impl<'a, Accept: FnMut(&[(Kind, u32)]) -> Option<u32>> Search<'a, Accept> {
    /// A search for integer solutions with at most `most` men. Each one is handed to `accept`, the variables that are
    /// not 0; what it gives back, if anything, is the new `most`.
    pub fn new(program: &'a Program, most: u32, deadline: Instant, accept: Accept) -> Self {
        Self { program, deadline, most, accept, relaxations: 0 }
    }

    /// Searches until there is nothing left to find, or the deadline.
    ///
    /// # Errors
    /// If the library gives up for numerical reasons on every relaxation that a node could go on with.
    pub fn run(&mut self) -> Result<Ended, Error> {
        match self.root() {
            Ok(()) => Ok(Ended::Complete),
            Err(Stop::OutOfTime) => Ok(Ended::OutOfTime),
            Err(Stop::Library(error)) => Err(error),
        }
    }

    fn root(&mut self) -> Result<(), Stop> {
        let mut problem = self.program.problem.clone();
        problem.set_time_limit(self.deadline.saturating_duration_since(Instant::now()));
        self.relaxations += 1;
        match solution(problem.solve())? {
            None => Ok(()),
            Some(root) => self.node(root),
        }
    }

    fn node(&mut self, mut relaxed: Solution) -> Result<(), Stop> {
        loop {
            if Instant::now() >= self.deadline {
                return Err(Stop::OutOfTime);
            }
            if self.hopeless(&relaxed) {
                return Ok(());
            }
            let fractional = self.fractional(&relaxed);
            if fractional.is_empty() {
                self.report(&relaxed);
                return Ok(());
            }
            match self.strongest(&relaxed, &fractional)? {
                Branch::None => return Ok(()),
                Branch::One(child) => relaxed = *child,
                Branch::Two(first, second) => {
                    self.node(*first)?;
                    relaxed = *second;
                }
            }
        }
    }

    /// Whether more men are needed than are looked for. The number of men is an integer, so nothing lies between.
    fn hopeless(&self, relaxed: &Solution) -> bool {
        relaxed.objective() > f64::from(self.most) + TOLERANCE
    }

    /// The first variables that are no integers, with their values.
    fn fractional(&self, relaxed: &Solution) -> Vec<(Variable, f64)> {
        let values = self.program.variables.iter().map(|&(_, variable)| (variable, relaxed.var_value(variable)));
        values.filter(|(_, value)| (value - value.round()).abs() > TOLERANCE).take(TRIED).collect()
    }

    /// Solves both children of each candidate.
    fn strongest(&mut self, relaxed: &Solution, candidates: &[(Variable, f64)]) -> Result<Branch, Stop> {
        let mut best = None;
        let mut failed = None;
        for &(variable, value) in candidates {
            let below = self.child(relaxed, variable, ComparisonOp::Le, value.floor());
            let above = self.child(relaxed, variable, ComparisonOp::Ge, value.ceil());
            let (below, above) = match (below, above) {
                (Ok(below), Ok(above)) => (below, above),
                // Nothing is known of this variable's sides; another one may do.
                (Err(Stop::Library(error)), _) | (_, Err(Stop::Library(error))) => {
                    failed = Some(error);
                    continue;
                }
                (Err(stop), _) | (_, Err(stop)) => return Err(stop),
            };
            let (below, above) = match (below, above) {
                (None, None) => return Ok(Branch::None),
                (Some(only), None) | (None, Some(only)) => return Ok(Branch::One(only)),
                (Some(below), Some(above)) => (below, above),
            };
            let lift = |child: &Solution| (child.objective() - relaxed.objective()).max(1e-3);
            let score = lift(&below) * lift(&above);
            // The first of equals is the nearest to the goal.
            if best.as_ref().is_none_or(|(highest, _, _)| score > *highest) {
                best = Some((score, below, above));
            }
        }
        let Some((_, below, above)) = best else {
            return Err(Stop::Library(failed.expect("a node without candidates is a solution")));
        };
        // A hop that is made leads to a game sooner than one that is not, unless it is the dearer by half a man.
        let ordered = if below.objective() <= above.objective() - 0.5 { (below, above) } else { (above, below) };
        Ok(Branch::Two(ordered.0, ordered.1))
    }

    /// The relaxation with one more bound; `None` if nothing is left, or nothing with so few men.
    fn child(
        &mut self,
        relaxed: &Solution,
        variable: Variable,
        side: ComparisonOp,
        bound: f64,
    ) -> Result<Option<Box<Solution>>, Stop> {
        self.relaxations += 1;
        let child = solution(relaxed.clone().add_constraint([(variable, 1.0)], side, bound))?;
        Ok(child.filter(|child| !self.hopeless(child)).map(Box::new))
    }

    /// Hands an integer solution over. Its node is done with, whatever becomes of it: no other has fewer men there.
    fn report(&mut self, relaxed: &Solution) {
        let counts = self.program.variables.iter().filter_map(|&(kind, variable)| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a count within 0 and some hundreds; the cast saturates"
            )]
            let count = relaxed.var_value(variable).round() as u32;
            (count > 0).then_some((kind, count))
        });
        if let Some(most) = (self.accept)(&counts.collect::<Vec<_>>()) {
            self.most = most;
        }
    }
}

/// The library's answer; `None` if the relaxation is infeasible.
fn solution(answer: Result<SolveOutcome, Error>) -> Result<Option<Solution>, Stop> {
    match answer {
        Ok(outcome) => outcome.into_solution().map(Some).map_err(|_| Stop::OutOfTime),
        Err(Error::Infeasible) => Ok(None),
        Err(other) => Err(Stop::Library(other)),
    }
}

/// The children of a node that are worth a visit, the first one first.
enum Branch {
    None,
    One(Box<Solution>),
    Two(Box<Solution>, Box<Solution>),
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The fewest men of a program, and how the search ended.
    fn least(program: &Program, limit: Duration) -> (Option<u32>, Ended) {
        let mut least = None;
        let mut search = Search::new(program, 1000, Instant::now() + limit, |counts| {
            let men = counts.iter().filter(|(kind, _)| !matches!(kind, Kind::Hop(_))).map(|(_, count)| count).sum();
            least = Some(men);
            Some(men - 1)
        });
        let ended = search.run().expect("the relaxations are solved");
        (least, ended)
    }

    #[test]
    fn a_wider_window_bounds_better() {
        let minute = Duration::from_secs(60);
        // As HiGHS has them for the same programs.
        for (row, radius, men) in [(4, 8, 9), (5, 5, 15), (5, 6, 17), (5, 8, 17)] {
            let found = least(&Program::open(row, radius), minute);
            assert_eq!(found, (Some(men), Ended::Complete), "row {row}, radius {radius}");
        }
    }

    #[test]
    fn a_closed_window_may_be_too_small_for_any_game() {
        assert_eq!(least(&Program::closed(4, 3), Duration::from_secs(60)), (None, Ended::Complete));
    }

    #[test]
    fn a_search_without_time_says_so() {
        assert_eq!(least(&Program::open(4, 8), Duration::ZERO), (None, Ended::OutOfTime));
    }
}
