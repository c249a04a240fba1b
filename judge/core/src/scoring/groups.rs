//! Groups of boards, whose points are combined.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::points::Points;
use judge_job::named;

/// A group of boards or of groups, whose points are combined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Group {
    /// Name of the group, unique in the contest.
    pub name: String,
    /// The way in which its parts give its points.
    pub aggregate: Aggregate,
    /// The group that contains it, which is an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Its points if every board in it is accepted, only for [`Aggregate::All`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// Groups in which every board must be accepted; otherwise this group has 0 points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
}

impl Group {
    /// A group of boards that is not part of another group.
    pub fn new(name: impl Into<String>, aggregate: Aggregate) -> Self {
        Self { name: name.into(), aggregate, within: None, points: None, requires: Vec::new() }
    }
}

named! {
    /// The way in which the parts of a group give its points.
    pub enum Aggregate {
        /// The sum of the points of its parts.
        Sum = "sum",
        /// Their average, rounded to the decimals of all points.
        Average = "average",
        /// The points of the worst part.
        Min = "min",
        /// The points of the best part.
        Max = "max",
        /// The points of the group itself if every board in it is accepted, otherwise 0.
        All = "all",
    }
}

/// The part of one board in the totals of an entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    /// The group of the board.
    pub(crate) group: Option<&'a str>,
    /// The values of the run in the order of the figures; empty if it is missing.
    pub(crate) values: &'a [Option<Points>],
    /// True if the answer was accepted.
    pub(crate) accepted: bool,
}

/// The score of an entry from those of its boards and groups. `None` if one of them is unknown or a sum does not fit.
pub(super) fn total<'a>(groups: &[Group], decimals: u8, parts: impl Iterator<Item = Part<'a>>) -> Option<Points> {
    let zero = Points::zero(decimals);
    let index: HashMap<&str, usize> = groups.iter().map(|group| &*group.name).zip(0..).collect();
    let mut inside: Vec<Vec<Points>> = vec![Vec::new(); groups.len()];
    let mut accepted = vec![true; groups.len()];
    let within = |group: usize| groups[group].within.as_deref().and_then(|name| index.get(name)).copied();
    let mut total = zero;
    for Part { group, values, accepted: whole } in parts {
        let group = group.and_then(|name| index.get(name));
        // A group whose aggregate is `All` needs no values of its boards, which a table does not show.
        let alone = group.is_some_and(|&group| groups[group].aggregate == Aggregate::All);
        let points = values.first().copied()?.or_else(|| (alone && whole).then_some(zero))?;
        let Some(&group) = group else {
            total = total.checked_plus(points)?;
            continue;
        };
        inside[group].push(points);
        let mut outer = Some(group).filter(|_| !whole);
        // A group is part of an earlier one, so the loop ends.
        while let Some(group) = outer {
            accepted[group] = false;
            outer = within(group).filter(|&outer| outer < group);
        }
    }
    // A group can require one that requires others. It has passed only if those have passed.
    let mut passed = accepted.clone();
    for (number, group) in groups.iter().enumerate() {
        let required = group.requires.iter().filter_map(|name| index.get(name.as_str()));
        passed[number] &= required.copied().all(|other| passed[other]);
    }
    // A group comes after the one that contains it. So from the last group to the first, all parts are known.
    for (number, group) in groups.iter().enumerate().rev() {
        let parts = std::mem::take(&mut inside[number]);
        // With a selection of boards, a group can be empty.
        if parts.is_empty() {
            continue;
        }
        let unmet = group.requires.iter().filter_map(|name| index.get(name.as_str())).any(|&other| !passed[other]);
        let sum = || parts.iter().try_fold(zero, |sum, part| sum.checked_plus(*part));
        let points = match group.aggregate {
            _ if unmet => zero,
            Aggregate::Sum => sum()?,
            Aggregate::Average => sum()?.divided_by(parts.len()),
            Aggregate::Min => parts.into_iter().min().unwrap_or(zero),
            Aggregate::Max => parts.into_iter().max().unwrap_or(zero),
            Aggregate::All if accepted[number] => group.points.unwrap_or(zero),
            Aggregate::All => zero,
        };
        match within(number).filter(|&outer| outer < number) {
            Some(outer) => inside[outer].push(points),
            None => total = total.checked_plus(points)?,
        }
    }
    Some(total)
}
