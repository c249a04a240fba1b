//! Weights for a certificate: the dual of the linear program, solved and rounded to integers.
//!
//! The library provides no dual solution, so this module states the dual program: a variable for the weight of each
//! point, a constraint for each hop. Its optimum is a lower bound on the men of the case, if the weights are scaled so
//! that a man costs 1. Rounded weights may violate a constraint slightly; adding a constant to all weights makes every
//! hop lose that much more. The module uses the coarsest rounding that [`Frame::refute`] accepts, since small numbers
//! make short files.

use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};

use crate::certificate::Claim;
use crate::frame::{Frame, Weights};
use crate::lattice::{Hop, Point};
use crate::program::DECAY;
use crate::tree::{Bounds, count_bounds};

/// The integers that represent a weight of 1, coarsest first.
const SCALES: [f64; 8] = [1.0, 3.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
/// The upper limit for weights.
const MAX_WEIGHT: f64 = 1e5;

/// Finds weights that refute the case for armies of fewer than `men` men; `None` if there are none, or if rounding or the
/// library fails.
pub(crate) fn find_weights(frame: &Frame, men: u32, bounds: &Bounds) -> Option<Weights> {
    let (window, tail) = dual(frame, men, bounds)?;
    SCALES.into_iter().find_map(|scale| {
        (0..4).find_map(|more| {
            let whole = |weight: f64| rounded(weight * scale) + more;
            let weights = Weights {
                tail: if tail == 0.0 && more == 0 { 0 } else { rounded((tail * scale).ceil()) + 2 * more },
                window: window.iter().map(|&weight| whole(weight)).collect(),
            };
            frame.refute(Claim::AtLeast(men), bounds, &weights).is_ok().then_some(weights)
        })
    })
}

#[allow(clippy::cast_possible_truncation, reason = "at most 10^11; the cast saturates")]
fn rounded(weight: f64) -> i64 {
    weight.round() as i64
}

/// Solves the dual program: the weights of the window's points and of the tail.
fn dual(frame: &Frame, men: u32, bounds: &Bounds) -> Option<(Vec<f64>, f64)> {
    let goal = Point::goal(frame.row);
    let decay = f64::from(DECAY.0) / f64::from(DECAY.1);
    let last = Hop::last(frame.row);
    let cost = |point: Point| f64::from(u8::from(point == last.from || point == last.over));
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let window: Vec<Variable> =
        frame.points.iter().map(|&point| problem.add_var(cost(point), (0.0, MAX_WEIGHT))).collect();
    // A man outside costs 1 too and weighs at most `decay`.
    let tail = problem.add_var(0.0, (0.0, 1.0 / decay));
    let mut objective: Vec<(Variable, f64)> =
        frame.points.iter().zip(&window).map(|(&point, &weight)| (weight, cost(point))).collect();
    objective.retain(|(_, cost)| *cost != 0.0);
    for &(hop, _) in &frame.hops {
        let mut beyond = 0.0;
        let mut terms = Vec::new();
        for (point, change) in hop.changes() {
            match frame.index(point) {
                Some(index) => terms.push((window[index], -f64::from(change))),
                None => beyond -= f64::from(change) * decay.powi(point.distance(goal) - frame.radius),
            }
        }
        if beyond != 0.0 {
            terms.push((tail, beyond));
        }
        let (least, most) = count_bounds(bounds, hop);
        if let Some(most) = most {
            let gain = problem.add_var(-f64::from(most), (0.0, f64::INFINITY));
            terms.push((gain, 1.0));
            objective.push((gain, -f64::from(most)));
        }
        if least > 0 {
            let loss = problem.add_var(f64::from(least), (0.0, f64::INFINITY));
            terms.push((loss, -1.0));
            objective.push((loss, f64::from(least)));
        }
        problem.add_constraint(terms, ComparisonOp::Ge, 0.0);
    }
    for (&point, &weight) in frame.points.iter().zip(&window) {
        if point.row <= 0 {
            let excess = problem.add_var(-1.0, (0.0, f64::INFINITY));
            objective.push((excess, -1.0));
            problem.add_constraint([(weight, 1.0), (excess, -1.0)], ComparisonOp::Le, 1.0);
        }
    }
    // A larger optimum is not needed, and for an infeasible case it would be infinite.
    problem.add_constraint(objective, ComparisonOp::Le, f64::from(men));
    let solved = problem.solve().ok()?;
    let solution = solved.solution()?;
    Some((window.iter().map(|&weight| solution.var_value(weight)).collect(), solution.var_value(tail)))
}
