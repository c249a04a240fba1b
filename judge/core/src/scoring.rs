//! Scores of a contest whose referee gives points: which are better, and how those of several boards make one.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::judged_by::JudgedBy;
use crate::points::{MAX_DECIMALS, Points};
use crate::relative::Direction;
use judge_job::Figure;

/// The form of points and their sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Scoring {
    /// Whether more or fewer points are better.
    pub direction: Direction,
    /// Number of decimals of all points, at most [`MAX_DECIMALS`].
    #[serde(deserialize_with = "decimals")]
    pub decimals: u8,
    /// The points that solve a board; `None` if nothing does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full: Option<Points>,
    /// Groups of boards. Boards and groups that are in none are summed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// Boards, or groups of them, whose points make one number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Group {
    /// Name of the group, unique in the contest.
    pub name: String,
    /// The way in which its parts make its points.
    pub aggregate: Aggregate,
    /// The group that it is part of; an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// Its points if every board in it is accepted. Only [`Aggregate::All`] has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Points>,
    /// Groups in which every board must be accepted, else this one has no points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
}

impl Scoring {
    /// Points with so many decimals, of which the sum over all boards counts.
    pub const fn new(direction: Direction, decimals: u8) -> Self {
        Self { direction, decimals, full: None, groups: Vec::new() }
    }
}

impl Group {
    /// A group of boards that is part of no other one.
    pub fn new(name: impl Into<String>, aggregate: Aggregate) -> Self {
        Self { name: name.into(), aggregate, within: None, points: None, requires: Vec::new() }
    }
}

/// The way in which the parts of a group make its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The sum of the points of its parts.
    Sum,
    /// Their average, rounded to the decimals of all points.
    Average,
    /// The points of the worst part.
    Min,
    /// The points of the best part.
    Max,
    /// The group's own points if every board in it is accepted, else none.
    All,
}

/// Reads a number of decimals that points can have.
fn decimals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let decimals = Figure::<{ MAX_DECIMALS as u64 }>::number(deserializer)?;
    Ok(u8::try_from(decimals).expect("at most nine"))
}

impl Aggregate {
    /// Every way, in the order in which help names them.
    pub const ALL: [Self; 5] = [Self::Sum, Self::Average, Self::Min, Self::Max, Self::All];

    /// The name in contest files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Average => "average",
            Self::Min => "min",
            Self::Max => "max",
            Self::All => "all",
        }
    }

    /// The way of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|aggregate| aggregate.name() == name)
    }
}

/// The points that one board adds to an entry's score.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The group of the board.
    pub group: Option<&'a str>,
    /// The points of the run; `None` if they are unknown.
    pub points: Option<Points>,
    /// True if the answer was accepted.
    pub accepted: bool,
}

impl Scoring {
    /// The score of an entry from those of its boards. `None` if one of them is unknown, or a sum does not fit 64 bits.
    pub fn total<'a>(&self, parts: impl Iterator<Item = Part<'a>>) -> Option<Points> {
        let zero = Points::zero(self.decimals);
        let index: HashMap<&str, usize> = self.groups.iter().map(|group| &*group.name).zip(0..).collect();
        let mut inside: Vec<Vec<Points>> = vec![Vec::new(); self.groups.len()];
        let mut accepted = vec![true; self.groups.len()];
        let within = |group: usize| self.groups[group].within.as_deref().and_then(|name| index.get(name)).copied();
        let mut total = zero;
        for Part { group, points, accepted: whole } in parts {
            let points = points?;
            let Some(&group) = group.and_then(|name| index.get(name)) else {
                total = total.checked_plus(points)?;
                continue;
            };
            inside[group].push(points);
            let mut outer = Some(group).filter(|_| !whole);
            // A group is part of an earlier one, so this ends.
            while let Some(group) = outer {
                accepted[group] = false;
                outer = within(group).filter(|&outer| outer < group);
            }
        }
        // A group can require one that requires others: it has passed only if those have.
        let mut passed = accepted.clone();
        for (number, group) in self.groups.iter().enumerate() {
            let required = group.requires.iter().filter_map(|name| index.get(name.as_str()));
            passed[number] &= required.copied().all(|other| passed[other]);
        }
        // A group comes after the one that it is part of, so from the last to the first all parts are known.
        for (number, group) in self.groups.iter().enumerate().rev() {
            let parts = std::mem::take(&mut inside[number]);
            // Where only some boards are looked at, a group can be without any.
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

    /// The content of cells of boards in that group. Where only the whole group has points, its boards are accepted or not.
    pub fn shown_in(&self, group: Option<&str>) -> JudgedBy {
        let group = group.and_then(|name| self.groups.iter().find(|group| group.name == name));
        match group {
            Some(group) if group.aggregate == Aggregate::All => JudgedBy::Acceptance,
            _ => JudgedBy::Score,
        }
    }

    /// Tests whether these points solve a board, with the points of an accepted answer on that board, if it has some: what
    /// solves every board counts, else these. Rule 8 of docs/scoring.md.
    pub fn solves(&self, points: Points, of_board: Option<Points>) -> bool {
        self.full.or(of_board).is_some_and(|full| match self.direction {
            Direction::Up => points >= full,
            Direction::Down => points <= full,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().expect("points")
    }

    fn group(name: &str, aggregate: Aggregate, within: Option<&str>) -> Group {
        Group { name: name.into(), aggregate, within: within.map(Into::into), points: None, requires: Vec::new() }
    }

    fn total(groups: Vec<Group>, parts: &[(&str, &str, bool)]) -> Option<String> {
        let scoring = Scoring { direction: Direction::Up, decimals: 1, full: None, groups };
        let parts = parts.iter().map(|&(group, text, accepted)| Part {
            group: (!group.is_empty()).then_some(group),
            points: (!text.is_empty()).then(|| points(text)),
            accepted,
        });
        scoring.total(parts).map(|points| points.to_string())
    }

    #[test]
    fn groups_are_summed_or_take_their_least_or_most() {
        let parts = [
            ("", "1", true),
            ("a", "8", true),
            ("a", "5.5", true),
            ("b", "3", true),
            ("b", "4", true),
            ("c", "9", true),
        ];
        let groups = |aggregate| vec![group("a", aggregate, None), group("b", Aggregate::Sum, Some("a"))];
        assert_eq!(total(groups(Aggregate::Sum), &parts).as_deref(), Some("30.5"), "an unknown group is none");
        assert_eq!(total(groups(Aggregate::Min), &parts).as_deref(), Some("15.5"));
        assert_eq!(total(groups(Aggregate::Max), &parts).as_deref(), Some("18.0"));
        assert_eq!(total(groups(Aggregate::Average), &parts).as_deref(), Some("16.8"), "20.5 in three parts");
        assert_eq!(total(Vec::new(), &[("", "", true)]), None);
        assert_eq!(total(Vec::new(), &[]).as_deref(), Some("0.0"));
    }

    #[test]
    fn a_group_of_all_or_nothing_and_one_that_requires_it() {
        let groups = || {
            let first = Group { points: Some(points("40")), ..group("first", Aggregate::All, None) };
            let second = Group { requires: vec!["first".into()], ..group("second", Aggregate::Min, None) };
            vec![first, second]
        };
        let run = |first| {
            let parts = [("first", "0", first), ("first", "0", true), ("second", "60", true), ("second", "55", true)];
            total(groups(), &parts)
        };
        assert_eq!(run(true).as_deref(), Some("95.0"));
        assert_eq!(run(false).as_deref(), Some("0.0"));
        let chain = |first| {
            let third = Group { requires: vec!["second".into()], ..group("third", Aggregate::Sum, None) };
            let parts = [("first", "0", first), ("second", "60", true), ("third", "5", true)];
            total(groups().into_iter().chain([third]).collect(), &parts)
        };
        assert_eq!((chain(true).as_deref(), chain(false).as_deref()), (Some("105.0"), Some("0.0")));
        assert_eq!(total(groups(), &[("second", "60", true)]).as_deref(), Some("60.0"), "no board of the first");
    }

    #[test]
    fn full_points_solve_a_board_in_the_direction_of_the_contest() {
        use Direction::{Down, Up};
        for (direction, full, of_board, given, solves) in [
            (Up, Some("100"), None, "100.0", true),
            (Up, Some("100"), None, "99.9", false),
            (Down, Some("100"), None, "99", true),
            (Down, Some("100"), None, "101", false),
            (Up, None, Some("10"), "15", true),
            (Up, None, Some("10"), "5", false),
            (Down, None, Some("10"), "5", true),
            (Down, None, Some("10"), "10", true),
            (Down, None, Some("10"), "15", false),
            (Down, Some("3"), Some("10"), "5", false),
            (Down, None, None, "0", false),
        ] {
            let scoring = Scoring { full: full.map(points), ..Scoring::new(direction, 0) };
            assert_eq!(scoring.solves(points(given), of_board.map(points)), solves, "{direction:?} {full:?} {given}");
        }
    }

    #[test]
    fn a_sum_that_does_not_fit_is_unknown() {
        let large = "9007199254740991";
        let parts = [("a", large, true), ("a", "0.000000001", true)];
        for aggregate in [Aggregate::Sum, Aggregate::Average] {
            assert_eq!(total(vec![group("a", aggregate, None)], &parts), None);
        }
        assert_eq!(total(Vec::new(), &parts), None);
        assert_eq!(total(vec![group("a", Aggregate::Max, None)], &parts[..1]).as_deref(), Some("9007199254740991.0"));
    }
}
