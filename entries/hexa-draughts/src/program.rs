//! The integer program over hop counts: what a game comes to when the order of its hops is forgotten.
//!
//! A variable for each hop at each place, how often it is made, and one for each point of rows up to 0, whether a man
//! starts there. For every point: men that start there, less hops from it and over it, plus hops onto it, are the man
//! that stays, one at the goal and none elsewhere. The fewest starting men of the program are a lower bound on M(n).
//! (Bell, Hirschberg and Guerrero-García, "The Minimum Size Required of a Solitaire Army", 2007, use such programs.)
//!
//! [`Program::closed`] plays inside a window, all points at most a radius from the goal: what it finds may be playable,
//! its optimum is no bound. [`Program::open`] is a relaxation for the infinite board: the balances of all points outside
//! are added up, each weighted by s^(distance - radius) with s = 0.618034, a little more than the golden ratio's
//! inverse. As s + s^2 >= 1, this weight is a pagoda function: w(from) + w(over) >= w(to) for every hop, for two points
//! in line are at most one and two steps farther than the third. So hops that lie wholly outside cannot add weight
//! and are left out, a man who starts outside weighs at most s, and the one row that is left holds for every game on
//! the infinite board. The open program's optimum is a lower bound on M(n), whatever the radius.

use std::collections::{BTreeMap, BTreeSet};

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::lattice::{DIRECTIONS, Hop, Point};

/// The base of the weights outside the window: not below the root of s + s^2 = 1.
const DECAY: f64 = 0.618_034;

/// What a variable counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A man starting there, 0 or 1.
    Man(Point),
    /// So many hops there.
    Hop(Hop),
    /// Men starting outside the window.
    Outside,
}

/// The linear relaxation of the program: all variables real.
#[derive(Debug, Clone)]
pub struct Program {
    /// The problem; its objective is the number of men.
    pub problem: Problem,
    /// All variables that must be integers, with what they count, those that touch points near the goal first.
    pub variables: Vec<(Kind, Variable)>,
}

impl Program {
    /// The program of games to row `row` inside the window.
    pub fn closed(row: i32, radius: i32) -> Self {
        build(row, radius, false)
    }

    /// The program of games to row `row` on the infinite board, relaxed outside the window.
    pub fn open(row: i32, radius: i32) -> Self {
        build(row, radius, true)
    }
}

fn build(row: i32, radius: i32, open: bool) -> Program {
    let goal = Point::goal(row);
    let inside = |point: Point| point.distance(goal) <= radius;
    let weight = |point: Point| DECAY.powi(point.distance(goal) - radius);
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut variables = Vec::new();
    let mut balances: BTreeMap<Point, Vec<(Variable, f64)>> = BTreeMap::new();
    let mut outside: Vec<(Variable, f64)> = Vec::new();
    for hop in hops(goal, radius, open) {
        let counted = problem.add_var(0.0, (0.0, f64::INFINITY));
        let mut weighted = 0.0;
        for (point, change) in hop.changes() {
            if inside(point) {
                balances.entry(point).or_default().push((counted, f64::from(change)));
            } else {
                weighted += f64::from(change) * weight(point);
            }
        }
        if !hop.changes().iter().all(|&(point, _)| inside(point)) {
            outside.push((counted, weighted));
        }
        variables.push((Kind::Hop(hop), counted));
    }
    for man in goal.within(radius).filter(|point| point.row <= 0) {
        let starts = problem.add_var(1.0, (0.0, 1.0));
        balances.entry(man).or_default().push((starts, 1.0));
        variables.push((Kind::Man(man), starts));
    }
    for (point, terms) in balances {
        problem.add_constraint(terms, ComparisonOp::Eq, if point == goal { 1.0 } else { 0.0 });
    }
    if open {
        let men = problem.add_var(1.0, (0.0, f64::INFINITY));
        outside.push((men, DECAY));
        problem.add_constraint(outside, ComparisonOp::Ge, 0.0);
        variables.push((Kind::Outside, men));
    }
    variables.sort_by_key(|(kind, _)| match kind {
        Kind::Hop(hop) => (hop.to.distance(goal), 0),
        Kind::Man(man) => (man.distance(goal), 1),
        Kind::Outside => (i32::MAX, 2),
    });
    Program { problem, variables }
}

/// Every hop that touches only points of the window, or, where it is open, at least one.
fn hops(goal: Point, radius: i32, open: bool) -> BTreeSet<Hop> {
    let inside = |&(point, _): &(Point, i32)| point.distance(goal) <= radius;
    let landings = goal.within(radius + 2);
    let all = landings.flat_map(|to| DIRECTIONS.map(|back| Hop::onto(to, back)));
    all.filter(|hop| if open { hop.changes().iter().any(inside) } else { hop.changes().iter().all(inside) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_outside_is_a_pagoda_function() {
        let goal = Point::goal(4);
        let weight = |point: Point| DECAY.powi(point.distance(goal));
        for hop in hops(goal, 12, true) {
            assert!(weight(hop.from) + weight(hop.over) >= weight(hop.to), "{hop:?}");
        }
    }

    #[test]
    fn the_linear_relaxation_of_the_infinite_board_bounds_as_published() {
        for (row, bound) in [(1, 2.0), (2, 3.0), (3, 5.0), (4, 8.0), (5, 15.0), (6, 31.0)] {
            let solved = Program::open(row, row + 4).problem.solve().expect("a bounded program");
            let men = solved.solution().expect("no time limit is set").objective();
            assert!((men - bound).abs() < 1e-6, "row {row}: {men}");
        }
    }
}
