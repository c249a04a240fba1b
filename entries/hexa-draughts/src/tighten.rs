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

use crate::frame::{Balance, Frame, Weights};
use crate::lattice::{Hop, Point};
use crate::tree::{Bounds, Count};

/// The state of a man at a start point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Man {
    /// An army of the case may contain him or not.
    Free,
    /// Every army of the case contains him.
    Required,
    /// No army of the case contains him.
    Excluded,
}

impl Man {
    /// The least and the most men who start there.
    fn count(self) -> (u32, Option<u32>) {
        match self {
            Self::Free => (0, Some(1)),
            Self::Required => (1, Some(1)),
            Self::Excluded => (0, Some(0)),
        }
    }
}

/// A case: bounds on the counts of hops, and the men who are required or excluded.
#[derive(Debug, Clone)]
pub struct Case {
    /// By the window's hops: the least and the most times that each is made.
    pub(crate) hops: Vec<(u32, Option<u32>)>,
    /// By the window's points; only those of rows up to 0 matter.
    men: Vec<Man>,
}

/// The weights of the armies of a case.
struct Weighed {
    /// The weight of the heaviest army.
    army: i128,
    /// The men who are neither required nor excluded, by index.
    free: Vec<usize>,
    /// The lightest man of the heaviest army who is not required; `None` if all its men are.
    lightest: Option<i128>,
    /// The heaviest man who is not in it.
    next: i128,
}

impl Case {
    /// The case with these bounds.
    pub fn new(frame: &Frame, bounds: &Bounds) -> Self {
        let mut case = Self { hops: vec![(0, None); frame.hops.len()], men: vec![Man::Free; frame.points.len()] };
        for (&count, &(least, most)) in bounds {
            case.limit(frame, count, least, most);
        }
        case
    }

    /// Limits a count further. True if that contradicts the limits that the case has.
    pub(crate) fn limit(&mut self, frame: &Frame, count: Count, least: u32, most: Option<u32>) -> bool {
        match count {
            Count::Hop(hop) => frame.hop(hop).is_some_and(|index| narrow(&mut self.hops[index], least, most)),
            Count::Man(point) => frame.index(point).is_some_and(|index| self.limit_man(index, least, most)),
        }
    }

    fn limit_man(&mut self, index: usize, least: u32, most: Option<u32>) -> bool {
        let mut count = self.men[index].count();
        let contradiction = narrow(&mut count, least, most);
        self.men[index] = match count {
            (_, Some(0)) => Man::Excluded,
            (0, _) => Man::Free,
            _ => Man::Required,
        };
        contradiction
    }

    /// True if a game with these men and hop counts belongs to the case.
    pub fn allows(&self, frame: &Frame, men: &BTreeSet<Point>, hops: &BTreeMap<Hop, u32>) -> bool {
        let bounds = |(&(hop, _), &(least, most)): (&(Hop, _), &(u32, Option<u32>))| {
            let count = hops.get(&hop).copied().unwrap_or_default();
            least <= count && most.is_none_or(|most| count <= most)
        };
        let starts = |(point, man): (&Point, &Man)| match man {
            Man::Free => true,
            Man::Required => men.contains(point),
            Man::Excluded => !men.contains(point),
        };
        frame.hops.iter().zip(&self.hops).all(bounds) && frame.points.iter().zip(&self.men).all(starts)
    }

    /// Limits hops and men by the balances of the points, until nothing changes. As many men come to a point, at the start
    /// or by hops, as leave it; two are left at the end. True if that is a contradiction.
    pub fn balance(&mut self, frame: &Frame) -> bool {
        let points = frame.points.len();
        // The least and the most men who come to a point, minus those who leave it.
        let mut excess = vec![(0_i64, 0_i64); points + 2];
        loop {
            excess.fill((0, 0));
            for place in frame.last() {
                excess[place] = (-1, -1);
            }
            for ((point, man), excess) in frame.points.iter().zip(&self.men).zip(&mut excess) {
                if point.row <= 0 {
                    let (least, most) = whole(man.count());
                    *excess = (excess.0 + least, excess.1 + most);
                }
            }
            for (&(_, [from, over, to]), &counts) in frame.hops.iter().zip(&self.hops) {
                let (least, most) = whole(counts);
                for place in [from, over] {
                    excess[place] = (excess[place].0 - most, excess[place].1 - least);
                }
                excess[to] = (excess[to].0 + least, excess[to].1 + most);
            }
            // The points outside share one balance.
            excess[points..].fill((-UNLIMITED, UNLIMITED));
            if excess.iter().any(|&(low, high)| low > 0 || high < 0) {
                return true;
            }
            let mut changed = false;
            for (index, point) in frame.points.iter().enumerate() {
                if point.row <= 0 && self.men[index] == Man::Free {
                    let (low, high) = excess[index];
                    let (least, most) = within(self.men[index].count(), -low, high);
                    if self.limit_man(index, least, most) {
                        return true;
                    }
                    changed |= self.men[index] != Man::Free;
                }
            }
            for (&(_, [from, over, to]), counts) in frame.hops.iter().zip(&mut self.hops) {
                let before = *counts;
                if before.1 == Some(before.0) {
                    continue;
                }
                // What the points allow above the least count, and below the most.
                let up = excess[from].1.min(excess[over].1).min(-excess[to].0);
                let down = excess[to].1.min(-excess[from].0).min(-excess[over].0);
                let (least, most) = within(before, up, down);
                if narrow(counts, least, most) {
                    return true;
                }
                changed |= *counts != before;
            }
            if !changed {
                return false;
            }
        }
    }

    /// Checks that weights refute the case for `fewer` men.
    ///
    /// # Errors
    /// If they are not valid for the case, or an army weighs enough.
    pub fn refute(&self, frame: &Frame, fewer: u32, weights: &Weights) -> Result<(), String> {
        let needed = frame.balance(&self.hops, weights)?.needed;
        match self.weigh(frame, fewer, &Frame::spread(weights)) {
            Some(Weighed { army, .. }) if army >= needed => {
                Err(format!("{fewer} men can weigh {army}, which is not less than {needed}"))
            }
            _ => Ok(()),
        }
    }

    /// The heaviest army of `fewer` men; `None` if more are required.
    fn weigh(&self, frame: &Frame, fewer: u32, spread: &[i128]) -> Option<Weighed> {
        // No man outside the window weighs more than one directly outside.
        let outside = spread[frame.points.len()];
        let of = |man: Man| -> Vec<usize> {
            (0..self.men.len()).filter(|&index| frame.points[index].row <= 0 && self.men[index] == man).collect()
        };
        let (required, free) = (of(Man::Required), of(Man::Free));
        let more = (fewer as usize).checked_sub(required.len())?;
        let mut heavy: Vec<i128> = free.iter().map(|&index| spread[index].max(outside)).collect();
        heavy.sort_unstable_by(|a, b| b.cmp(a));
        heavy.resize(heavy.len().max(more + 1), outside);
        let army = required.iter().map(|&index| spread[index]).chain(heavy[..more].iter().copied()).sum();
        Some(Weighed { army, free, lightest: more.checked_sub(1).map(|last| heavy[last]), next: heavy[more] })
    }

    /// Applies weights to all games of the case with at most `fewer` men. True if they refute it; otherwise the case is
    /// smaller, or unchanged.
    ///
    /// # Errors
    /// If the weights are not valid for the case.
    pub fn tighten(&mut self, frame: &Frame, fewer: u32, weights: &Weights) -> Result<bool, String> {
        let Balance { losses, needed } = frame.balance(&self.hops, weights)?;
        let spread = Frame::spread(weights);
        let Some(Weighed { army, free, lightest, next }) = self.weigh(frame, fewer, &spread) else {
            return Ok(true);
        };
        let slack = army - needed;
        if slack < 0 {
            return Ok(true);
        }
        for index in free {
            let weight = spread[index];
            match lightest {
                None => self.men[index] = Man::Excluded,
                Some(lightest) if lightest - weight > slack => self.men[index] = Man::Excluded,
                Some(lightest) if weight >= lightest && weight - next > slack => self.men[index] = Man::Required,
                Some(_) => (),
            }
        }
        for (counts, loss) in self.hops.iter_mut().zip(losses).filter(|&(_, loss)| loss != 0) {
            let (least, most) = *counts;
            let spare = u32::try_from(slack / loss.abs()).unwrap_or(u32::MAX);
            let contradiction = if loss > 0 {
                narrow(counts, 0, Some(least.saturating_add(spare)))
            } else {
                narrow(counts, most.unwrap_or(u32::MAX).saturating_sub(spare), None)
            };
            if contradiction {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Limits a count further. True if nothing is left.
fn narrow(count: &mut (u32, Option<u32>), least: u32, most: Option<u32>) -> bool {
    count.0 = count.0.max(least);
    count.1 = count.1.map_or(most, |old| Some(most.map_or(old, |most| old.min(most))));
    count.1.is_some_and(|most| count.0 > most)
}

/// Stands for a count without limit: more than all limited counts of a case together.
const UNLIMITED: i64 = 1 << 50;

/// The least and the most of a count, as numbers that can be added up.
fn whole((least, most): (u32, Option<u32>)) -> (i64, i64) {
    (least.into(), most.map_or(UNLIMITED, i64::from))
}

/// The limits of a count that can exceed its least by `up` and fall short of its most by `down`.
fn within(count: (u32, Option<u32>), up: i64, down: i64) -> (u32, Option<u32>) {
    let (least, most) = whole(count);
    (u32::try_from((most - down).max(0)).unwrap_or(0), u32::try_from(least + up).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_men_come_to_a_point_as_leave_it() {
        // The last hop to row 2 needs men on rows 1 and 0. Row 1 has none at the start.
        let frame = Frame::new(2, 2);
        let last = Hop::last(2);
        let onto: Vec<Hop> = frame.hops.iter().map(|&(hop, _)| hop).filter(|hop| hop.to == last.over).collect();
        let only = |made: Option<Hop>| {
            let never = frame.hops.iter().filter(|&&(hop, _)| Some(hop) != made);
            let mut case = Case::new(&frame, &never.map(|&(hop, _)| (hop.into(), (0, Some(0)))).collect());
            let contradiction = case.balance(&frame);
            (contradiction, case)
        };
        assert!(only(None).0, "no hop");
        let from_below: Vec<Hop> = onto.into_iter().filter(|hop| hop.from.row < 0).collect();
        assert_eq!(from_below.len(), 2);
        for hop in from_below {
            let (contradiction, case) = only(Some(hop));
            // The last hop starts on row 0, where a man must be left.
            assert_eq!(contradiction, hop.over == last.from, "{hop}");
            if !contradiction {
                let starts: BTreeSet<Point> = [last.from, hop.from, hop.over].into();
                assert!(case.allows(&frame, &starts, &[(hop, 1)].into()));
                assert!(!case.allows(&frame, &starts, &[(hop, 2)].into()) && !case.allows(&frame, &starts, &[].into()));
                assert!(!case.allows(&frame, &[last.from, hop.from].into(), &[(hop, 1)].into()));
            }
        }
    }

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
            assert_eq!(
                four.hops[frame.hop(hop).expect("of the window")].1,
                Some(u32::from(loss <= 3)),
                "{hop} loses {loss}"
            );
            seen[most] = true;
        }
        assert_eq!(seen, [true; 2]);
    }
}
