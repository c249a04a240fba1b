//! The integer program over hop counts, which ignores the order of hops.
//!
//! There is a variable for each hop, its count, and one for each point of rows up to 0: 1 if a man starts there. Each
//! point has a balance: the men who start there, minus the hops from it and over it, plus the hops onto it, equal the men
//! who stay. The fewest starting men of the program are a lower bound on M(n), the fewest men of a game to row n. (Bell,
//! Hirschberg and Guerrero-García, "The Minimum Size Required of a Solitaire Army", 2007, use such programs.)
//!
//! In some game with the fewest men only the last hop touches row n. A hop replaces two men by one. Consider the man who
//! first reaches row n, and remove from the game all men and hops that do not contribute to him. The rest is a game with
//! no more men. He comes from row n - 2 over row n - 1; from the left, after a reflection if necessary. So the program
//! must leave two men there ([`Program::open`] and [`Program::closed`] both), and its hops touch only rows below n. Its
//! linear relaxation bounds rows 1 to 7 by 2, 3, 5, 9, 16, 35 and 143 men. With the goal itself in the program, the bound
//! for row 7 would be 94.
//!
//! [`Program::closed`] is limited to a window, all points within a radius of the goal. Its solutions may be playable, but
//! its optimum is not a bound. [`Program::open`] is a relaxation for the infinite board. It adds up the balances of all
//! points outside the window, each weighted by 34/55 to the power of its distance minus the radius. These weights are a
//! pagoda function (`crate::certificate`): hops completely outside the window cannot add weight, so they are omitted. A
//! man who starts outside weighs at most 34/55. The resulting inequality holds for every game on the infinite board, so
//! the optimum of the open program is a lower bound on M(n) for any radius.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Solution, Variable};

use crate::lattice::{DIRECTIONS, Hop, Point};

/// The ratio of the weights of a point outside a window and of a point one step nearer to the goal.
pub(crate) const DECAY: (i32, i32) = (34, 55);

/// An integer solution: the men and the count of each hop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The start points of the men.
    pub men: BTreeSet<Point>,
    /// The count of each hop that is made, including the last one.
    pub hops: BTreeMap<Hop, u32>,
    /// The number of men who start outside the window, rounded up; 0 in a closed program.
    pub outside: u32,
}

impl Counts {
    /// The number of men inside and outside the window.
    pub fn army(&self) -> u32 {
        u32::try_from(self.men.len()).expect("a window has few points") + self.outside
    }
}

/// The linear relaxation of the program: all variables real.
#[derive(Debug, Clone)]
pub struct Program {
    /// The problem; its objective is the number of men.
    pub problem: Problem,
    /// The hops with their variables, those that land near the goal first. If their values are integers, so are those of
    /// the men inside the window.
    pub hops: Vec<(Hop, Variable)>,
    men: Vec<(Point, Variable)>,
    outside: Option<Variable>,
    last: Hop,
}

impl Program {
    /// Builds the program of games to row `row` inside the window.
    pub fn closed(row: i32, radius: i32) -> Self {
        Self::build(row, radius, false, |_| None)
    }

    /// As [`Program::closed`], with the counts of `counts` for hops that land within `fixed` of the goal.
    pub fn closed_with_counts(row: i32, radius: i32, counts: &Counts, fixed: i32) -> Self {
        let goal = Point::goal(row);
        let count = |hop: &Hop| counts.hops.get(hop).copied().unwrap_or_default();
        Self::build(row, radius, false, |hop| (hop.to.distance(goal) <= fixed).then(|| count(hop)))
    }

    /// Builds the program of games to row `row` on the infinite board, relaxed outside the window.
    pub fn open(row: i32, radius: i32) -> Self {
        Self::build(row, radius, true, |_| None)
    }

    fn build(row: i32, radius: i32, open: bool, fixed: impl Fn(&Hop) -> Option<u32>) -> Self {
        let goal = Point::goal(row);
        let last = Hop::last(row);
        let inside = |point: Point| point.distance(goal) <= radius;
        let weight = |point: Point| (f64::from(DECAY.0) / f64::from(DECAY.1)).powi(point.distance(goal) - radius);
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let mut balances: BTreeMap<Point, Vec<(Variable, f64)>> = BTreeMap::new();
        let mut beyond: Vec<(Variable, f64)> = Vec::new();
        let mut hops = Vec::new();
        let touching = touching(row, radius);
        for hop in touching.into_iter().filter(|hop| open || hop.points().into_iter().all(inside)) {
            let bounds = fixed(&hop).map_or((0.0, f64::INFINITY), |count| (f64::from(count), f64::from(count)));
            let counted = problem.add_var(0.0, bounds);
            let mut weighted = 0.0;
            for (point, change) in hop.changes() {
                if inside(point) {
                    balances.entry(point).or_default().push((counted, f64::from(change)));
                } else {
                    weighted += f64::from(change) * weight(point);
                }
            }
            if !hop.points().into_iter().all(inside) {
                beyond.push((counted, weighted));
            }
            hops.push((hop, counted));
        }
        let mut men = Vec::new();
        for man in goal.within(radius).filter(|point| point.row <= 0) {
            let starts = problem.add_var(1.0, (0.0, 1.0));
            balances.entry(man).or_default().push((starts, 1.0));
            men.push((man, starts));
        }
        for (point, terms) in balances {
            let stays = point == last.from || point == last.over;
            problem.add_constraint(terms, ComparisonOp::Eq, if stays { 1.0 } else { 0.0 });
        }
        let outside = open.then(|| problem.add_var(1.0, (0.0, f64::INFINITY)));
        if let Some(men) = outside {
            beyond.push((men, weight(goal.step((-1, -1), radius + 1))));
            problem.add_constraint(beyond, ComparisonOp::Ge, 0.0);
        }
        hops.sort_by_key(|(hop, _)| hop.to.distance(goal));
        Self { problem, hops, men, outside, last }
    }

    /// Computes the fewest men of the linear relaxation, rounded up; `None` if the deadline has passed.
    ///
    /// # Errors
    /// If the library fails, or the program has no solution.
    pub fn bound(&self, deadline: Instant) -> Result<Option<u32>, Error> {
        let mut problem = self.problem.clone();
        problem.set_time_limit(deadline.saturating_duration_since(Instant::now()));
        Ok(problem.solve()?.solution().map(|solution| whole((solution.objective() - 1e-5).ceil())))
    }

    /// Reads the counts from a solution whose hops are integers within the tolerance.
    pub fn counts(&self, solution: &Solution) -> Counts {
        let made = self.hops.iter().map(|&(hop, variable)| (hop, whole(solution.var_value(variable))));
        let mut hops: BTreeMap<Hop, u32> = made.filter(|&(_, count)| count > 0).collect();
        hops.insert(self.last, 1);
        let starting = self.men.iter().filter(|&&(_, variable)| whole(solution.var_value(variable)) > 0);
        let outside = self.outside.map_or(0.0, |variable| solution.var_value(variable) - 1e-5);
        Counts { men: starting.map(|&(man, _)| man).collect(), hops, outside: whole(outside.ceil()) }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count is small; the cast saturates")]
fn whole(value: f64) -> u32 {
    value.round() as u32
}

/// The default radius of the window for row `row`, found by experiment: the closed window contains a game with the fewest
/// men, and the open program proves it least. For row 7 the proof is incomplete.
pub fn radius(row: i32) -> i32 {
    if row <= 6 { row + 4 } else { 2 * row + 1 }
}

/// Lists the hops that touch only rows below `row`, and at least one point within `radius` of the goal.
pub(crate) fn touching(row: i32, radius: i32) -> BTreeSet<Hop> {
    let goal = Point::goal(row);
    let landings = goal.within(radius + 2);
    let all = landings.flat_map(|to| DIRECTIONS.map(|back| Hop::onto(to, back)));
    let below = all.filter(|hop| hop.points().into_iter().all(|point| point.row < row));
    below.filter(|hop| hop.points().into_iter().any(|point| point.distance(goal) <= radius)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linear_relaxation_bounds_the_infinite_board() {
        // HiGHS gives the same bounds for these programs.
        for (row, bound) in [(2, 3.0), (3, 5.0), (4, 9.0), (5, 16.0), (6, 35.0)] {
            let solved = Program::open(row, row + 4).problem.solve().expect("a bounded program");
            let men = solved.solution().expect("no time limit is set").objective();
            assert!((men - bound).abs() < 1e-6, "row {row}: {men}");
        }
    }

    #[test]
    fn hops_stay_below_the_goal_and_near_the_window() {
        let goal = Point::goal(3);
        for hop in touching(3, 4) {
            assert!(hop.points().into_iter().any(|point| point.distance(goal) <= 4), "{hop:?}");
            assert!(hop.points().into_iter().all(|point| point.row < 3), "{hop:?}");
        }
        assert!(!touching(3, 4).contains(&Hop::last(3)));
    }
}
