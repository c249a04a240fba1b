//! The integer program over hop counts: what a game comes to when the order of its hops is forgotten.
//!
//! A variable for each hop at each place, how often it is made, and one for each point of rows up to 0, whether a man
//! starts there. For every point: men that start there, less hops from it and over it, plus hops onto it, are the man
//! that stays. The fewest starting men of the program are a lower bound on M(n). (Bell, Hirschberg and
//! Guerrero-García, "The Minimum Size Required of a Solitaire Army", 2007, use such programs.)
//!
//! Of a least game only the last hop touches row n. For a hop makes one man of two; leave out of a game all men, and
//! all hops, that the man who first gets to row n is not made of, and the rest is a game, with no more men. He comes
//! from row n - 2 over row n - 1, from the left after a reflection. So the program is to leave two men there
//! ([`Program::open`] and [`Program::closed`] both), its hops touch rows below n only, and its linear relaxation
//! bounds rows 1 to 7 by 2, 3, 5, 9, 16, 35 and 143 men; with the goal itself in the program it would be 94 for row 7.
//!
//! [`Program::closed`] plays inside a window, all points at most a radius from the goal: what it finds may be playable,
//! its optimum is no bound. [`Program::open`] is a relaxation for the infinite board: the balances of all points outside
//! are added up, each weighted by 34/55 to the power of its distance less the radius, which is a pagoda function
//! (`crate::certificate`). So hops that lie wholly outside cannot add weight and are left out, a man who starts outside
//! weighs at most 34/55, and the one row that is left holds for every game on the infinite board. The open program's
//! optimum is a lower bound on M(n), whatever the radius.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, Solution, Variable};

use crate::lattice::{DIRECTIONS, Hop, Point};

/// By how much a point weighs less than one a step nearer, outside a window.
pub const DECAY: (i32, i32) = (34, 55);

/// Men and hops, how often each: an integer solution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Where men start.
    pub men: BTreeSet<Point>,
    /// How often each hop is made, the last one included; none is 0.
    pub hops: BTreeMap<Hop, u32>,
    /// Men who start outside the window, rounded up; 0 in a closed program.
    pub outside: u32,
}

impl Counts {
    /// How many men start, wherever.
    pub fn army(&self) -> u32 {
        u32::try_from(self.men.len()).expect("a window has few points") + self.outside
    }
}

/// The linear relaxation of the program: all variables real.
#[derive(Debug, Clone)]
pub struct Program {
    /// The problem; its objective is the number of men.
    pub problem: Problem,
    /// The hops with their variables, those that touch points near the goal first. If they are integers, so are the
    /// men inside the window.
    pub hops: Vec<(Hop, Variable)>,
    men: Vec<(Point, Variable)>,
    outside: Option<Variable>,
    last: Hop,
}

impl Program {
    /// The program of games to row `row` inside the window.
    pub fn closed(row: i32, radius: i32) -> Self {
        Self::build(row, radius, false, |_| None)
    }

    /// As [`Program::closed`], with the hops that land within `settled` of the goal made as often as told.
    pub fn round(row: i32, radius: i32, counts: &Counts, settled: i32) -> Self {
        let goal = Point::goal(row);
        let told = |hop: &Hop| counts.hops.get(hop).copied().unwrap_or_default();
        Self::build(row, radius, false, |hop| (hop.to.distance(goal) <= settled).then(|| told(hop)))
    }

    /// The program of games to row `row` on the infinite board, relaxed outside the window.
    pub fn open(row: i32, radius: i32) -> Self {
        Self::build(row, radius, true, |_| None)
    }

    fn build(row: i32, radius: i32, open: bool, settled: impl Fn(&Hop) -> Option<u32>) -> Self {
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
            let bounds = settled(&hop).map_or((0.0, f64::INFINITY), |count| (f64::from(count), f64::from(count)));
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

    /// The fewest men of the linear relaxation, rounded up; `None` if time is up.
    ///
    /// # Errors
    /// If the library gives up, or the program has no solution.
    pub fn bound(&self, deadline: Instant) -> Result<Option<u32>, Error> {
        let mut problem = self.problem.clone();
        problem.set_time_limit(deadline.saturating_duration_since(Instant::now()));
        Ok(problem.solve()?.solution().map(|solution| whole((solution.objective() - 1e-5).ceil())))
    }

    /// The counts of a solution whose hops are integers, near enough.
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

/// The radius of a window that holds a least game to row `row` and, open, proves it least; found by trying.
pub fn radius(row: i32) -> i32 {
    if row <= 6 { row + 4 } else { 2 * row + 1 }
}

/// Every hop that touches rows below `row` only, and at least one point at most `radius` from the goal.
pub fn touching(row: i32, radius: i32) -> BTreeSet<Hop> {
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
        // As HiGHS has them for the same programs.
        for (row, bound) in [(2, 3.0), (3, 5.0), (4, 9.0), (5, 16.0), (6, 35.0)] {
            let solved = Program::open(row, row + 4).problem.solve().expect("a bounded program");
            let men = solved.solution().expect("no time limit is set").objective();
            assert!((men - bound).abs() < 1e-6, "row {row}: {men}");
        }
    }

    #[test]
    fn hops_touch_the_window_and_no_row_from_the_goal_up() {
        let goal = Point::goal(3);
        for hop in touching(3, 4) {
            assert!(hop.points().into_iter().any(|point| point.distance(goal) <= 4), "{hop:?}");
            assert!(hop.points().into_iter().all(|point| point.row < 3), "{hop:?}");
        }
        assert!(!touching(3, 4).contains(&Hop::last(3)));
    }
}
