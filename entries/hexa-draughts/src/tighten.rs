//! Limits on the hops and men of a case that a weighting does not refute: a knapsack argument in integers.
//!
//! The men at the start weigh exactly as much as the last two men, plus what the hops lose, minus what they gain. The
//! heaviest army of a case exceeds the least that is needed by the *slack*; a case with a negative slack is refuted.
//! Otherwise nothing that a game does beyond the least may cost more than the slack. A hop that loses weight is made at
//! most slack / loss times more than it must be. A hop that gains weight is made at most slack / gain times less than it
//! may be. A man who would replace a heavier one, or whose place a lighter one would take, at a price above the slack, is
//! excluded or required. So each weighting limits hops and men further, and that lets the next ones limit more. For row 7
//! a chain of weightings refutes 143 men without splitting the case.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{Frame, Weights};
use crate::lattice::{Hop, Point};
use crate::tree::{Bounds, count_bounds};

/// The state of a man at a start point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Man {
    /// He may start there.
    Free,
    /// Every army of the case contains him.
    Required,
    /// No army of the case contains him.
    Excluded,
}

/// A case: bounds on the counts of hops, and the men who are required or excluded.
#[derive(Debug, Clone)]
pub struct Case {
    bounds: Bounds,
    /// By the window's points; only those of rows up to 0 matter.
    men: Vec<Man>,
}

impl Case {
    /// The case with these bounds, in which every man of the window is free.
    pub fn new(frame: &Frame, bounds: &Bounds) -> Self {
        Self { bounds: bounds.clone(), men: vec![Man::Free; frame.points.len()] }
    }

    /// True if a game with these men and hop counts belongs to the case.
    pub fn allows(&self, frame: &Frame, men: &BTreeSet<Point>, hops: &BTreeMap<Hop, u32>) -> bool {
        let bounds = |&(hop, _): &(Hop, _)| {
            let ((least, most), count) = (count_bounds(&self.bounds, hop), hops.get(&hop).copied().unwrap_or_default());
            least <= count && most.is_none_or(|most| count <= most)
        };
        let starts = |(point, man): (&Point, &Man)| match man {
            Man::Free => true,
            Man::Required => men.contains(point),
            Man::Excluded => !men.contains(point),
        };
        frame.hops.iter().all(bounds) && frame.points.iter().zip(&self.men).all(starts)
    }

    /// Applies weights to all games of the case with at most `fewer` men. True if they refute it; otherwise the case is
    /// smaller, or unchanged.
    ///
    /// # Errors
    /// If the weights are not valid for the case.
    pub fn tighten(&mut self, frame: &Frame, fewer: u32, weights: &Weights) -> Result<bool, String> {
        let Balance { losses, needed } = frame.balance(&self.bounds, weights)?;
        let spread = Frame::spread(weights);
        // No man outside the window weighs more than one directly outside.
        let outside = spread[frame.points.len()];
        let men = &self.men;
        let of = |man: Man| -> Vec<usize> {
            (0..men.len()).filter(|&index| frame.points[index].row <= 0 && men[index] == man).collect()
        };
        let (required, free) = (of(Man::Required), of(Man::Free));
        let Some(more) = (fewer as usize).checked_sub(required.len()) else {
            return Ok(true);
        };
        let mut heavy: Vec<i128> = free.iter().map(|&index| spread[index].max(outside)).collect();
        heavy.sort_unstable_by(|a, b| b.cmp(a));
        heavy.resize(heavy.len().max(more + 1), outside);
        let army: i128 = required.iter().map(|&index| spread[index]).chain(heavy[..more].iter().copied()).sum();
        let slack = army - needed;
        if slack < 0 {
            return Ok(true);
        }
        // The lightest man of the heaviest army, and the heaviest man who is not in it.
        let (lightest, next) = (more.checked_sub(1).map(|last| heavy[last]), heavy[more]);
        for index in free {
            let weight = spread[index];
            match lightest {
                None => self.men[index] = Man::Excluded,
                Some(lightest) if lightest - weight > slack => self.men[index] = Man::Excluded,
                Some(lightest) if weight >= lightest && weight - next > slack => self.men[index] = Man::Required,
                Some(_) => (),
            }
        }
        for (hop, loss) in losses.into_iter().filter(|&(_, loss)| loss != 0) {
            let (least, most) = count_bounds(&self.bounds, hop);
            let spare = u32::try_from(slack / loss.abs()).unwrap_or(u32::MAX);
            let tightened = if loss > 0 {
                (least, Some(most.unwrap_or(u32::MAX).min(least.saturating_add(spare))))
            } else {
                (least.max(most.unwrap_or(u32::MAX).saturating_sub(spare)), most)
            };
            if tightened.1.is_some_and(|most| tightened.0 > most) {
                return Ok(true);
            }
            if tightened != (least, most) {
                self.bounds.insert(hop, tightened);
            }
        }
        Ok(false)
    }
}

/// The costs of the hops of a case by some weights.
pub(crate) struct Balance {
    /// The loss of each hop that touches the window, in units of 1/3025; a gain is negative.
    pub(crate) losses: Vec<(Hop, i128)>,
    /// The least weight of the men at the start: of the last two, plus the losses, minus the gains.
    pub(crate) needed: i128,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knapsack_limits_hops_by_the_slack() {
        // Row 2 within 2 steps of the goal, weights by distance. The last two men weigh 5 and 3.
        let frame = Frame::new(2, 2);
        let weight = |point: Point| match point.distance(Point::goal(2)) {
            0 | 1 => 5,
            _ => 3,
        };
        let weights = Weights { tail: 4, window: frame.points.iter().map(|&point| weight(point)).collect() };
        let mut two = Case::new(&frame, &Bounds::new());
        assert_eq!(two.tighten(&frame, 2, &weights), Ok(true), "two men weigh at most 6");
        let mut four = Case::new(&frame, &Bounds::new());
        assert_eq!(
            four.tighten(&frame, 4, &weights),
            Ok(false),
            "three men on row 0 and one outside: the slack is 3.5"
        );
        let inside =
            frame.hops.iter().filter(|(hop, _)| hop.points().iter().all(|&point| frame.index(point).is_some()));
        let mut seen = [false; 2];
        for &(hop, _) in inside {
            let loss = weight(hop.from) + weight(hop.over) - weight(hop.to);
            let most = usize::from(loss <= 3);
            assert_eq!(count_bounds(&four.bounds, hop).1, Some(u32::from(loss <= 3)), "{hop} loses {loss}");
            seen[most] = true;
        }
        assert_eq!(seen, [true; 2]);
    }
}
