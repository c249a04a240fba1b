//! The row and the window of a proof, and weights of all points of the infinite board.

use std::collections::BTreeMap;

use crate::lattice::{Hop, Point};
use crate::program::{DECAY, touching};

/// The weights of all points of the infinite board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// T: the weight of points outside the window, extended to its radius.
    pub tail: i64,
    /// The weights of the window's points, in the order of [`Frame::points`].
    pub window: Vec<i64>,
}

/// The row and the window of a certificate, with the points and hops that a check needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The row that a man has to reach.
    pub row: i32,
    /// The radius of the window.
    pub radius: i32,
    /// The window's points below the row, row by row upwards, from left to right.
    pub points: Vec<Point>,
    /// The hops that touch the window, in order, each with the indices of from, over and to in `Frame::spread`.
    pub hops: Vec<(Hop, [usize; 3])>,
    index: BTreeMap<Point, usize>,
}

impl Frame {
    /// Creates the window around the goal of `row`.
    pub fn new(row: i32, radius: i32) -> Self {
        let points: Vec<Point> = Point::goal(row).within(radius).filter(|point| point.row < row).collect();
        let index = points.iter().enumerate().map(|(index, &point)| (point, index)).collect();
        let mut frame = Self { row, radius, points, hops: Vec::new(), index };
        let placed = |hop: Hop| (hop, hop.points().map(|point| frame.place(point)));
        frame.hops = touching(row, radius).into_iter().map(placed).collect();
        frame
    }

    /// True if a hop touches the window, and touches only rows below the goal's.
    pub fn has(&self, hop: Hop) -> bool {
        self.hop(hop).is_some()
    }

    /// The index of a hop in [`Frame::hops`].
    pub(crate) fn hop(&self, hop: Hop) -> Option<usize> {
        self.hops.binary_search_by_key(&hop, |&(hop, _)| hop).ok()
    }

    /// The indices in `Frame::spread` of the two men who are left before the last hop.
    pub(crate) fn last(&self) -> [usize; 2] {
        let last = Hop::last(self.row);
        [last.from, last.over].map(|point| self.place(point))
    }

    /// The index of a point of the window.
    pub fn index(&self, point: Point) -> Option<usize> {
        self.index.get(&point).copied()
    }

    /// The index in [`Frame::spread`] of a point at most two steps outside the window.
    fn place(&self, point: Point) -> usize {
        let outside = self.points.len() + usize::from(point.distance(Point::goal(self.row)) > self.radius + 1);
        self.index(point).unwrap_or(outside)
    }

    /// The weights of the window's points, of points one step outside, and of points two steps outside, in units of
    /// 1/3025.
    pub(crate) fn spread(weights: &Weights) -> Vec<i128> {
        let (decay, unit) = (i128::from(DECAY.0), i128::from(DECAY.1));
        let outside = [i128::from(weights.tail) * decay * unit, i128::from(weights.tail) * decay * decay];
        weights.window.iter().map(|&weight| i128::from(weight) * unit * unit).chain(outside).collect()
    }

    /// Computes the losses of all hops, and the least weight of the men at the start. `counts` has the least and the most
    /// times that each hop is made.
    ///
    /// # Errors
    /// If the weight outside the window is negative, or a hop gains weight without limit.
    pub(crate) fn balance(&self, counts: &[(u32, Option<u32>)], weights: &Weights) -> Result<Balance, String> {
        if weights.tail < 0 {
            return Err("the weight outside the window is negative".to_owned());
        }
        let spread = Self::spread(weights);
        let mut balance = Balance {
            losses: Vec::with_capacity(self.hops.len()),
            needed: self.last().into_iter().map(|place| spread[place]).sum(),
        };
        for (&(hop, places), &(least, most)) in self.hops.iter().zip(counts) {
            let [from, over, to] = places.map(|place| spread[place]);
            let loss = from + over - to;
            let count = if loss >= 0 { Some(least) } else { most };
            let count = count.ok_or_else(|| format!("hop {hop} gains weight and has no limit"))?;
            balance.needed += loss * i128::from(count);
            balance.losses.push(loss);
        }
        Ok(balance)
    }

    /// True if all men together weigh `needed` or more, of which `inside` is inside the window; `None` if the numbers are
    /// too large to compare.
    pub(crate) fn outweighs(&self, inside: i128, tail: i64, needed: i128) -> Option<bool> {
        let (decay, unit) = (i128::from(DECAY.0), i128::from(DECAY.1));
        let first = self.row.max(self.radius + 1);
        let power = u32::try_from(first - self.radius).ok()?;
        // The sum of (a + 3 j) (34/55)^j over all j >= 0 is (1155 a + 5610) / 441.
        let (rest, gap) = (unit - decay, i128::from(self.row + 1 + 3 * (first - self.row)));
        let series = gap * unit * rest + 3 * decay * unit;
        let outside = i128::from(tail).checked_mul(decay.checked_pow(power)?)?.checked_mul(series)?;
        let missing = needed.checked_sub(inside)?.checked_mul(rest * rest)?.checked_mul(unit.checked_pow(power)?)?;
        Some(outside.checked_mul(unit * unit)? >= missing)
    }
}

/// The costs of the hops of a case by some weights.
pub(crate) struct Balance {
    /// The loss of each hop that touches the window, in their order, in units of 1/3025; a gain is negative.
    pub(crate) losses: Vec<i128>,
    /// The least weight of the men at the start: of the last two, plus the losses, minus the gains.
    pub(crate) needed: i128,
}
