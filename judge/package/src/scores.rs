//! The scoring of a package as groups and points of a contest file.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use judge_core::scoring::Aggregate;

use crate::Package;
use crate::data::{Data, Group, Item, ScoreMode};
use crate::metadata::Metadata;
use crate::text::{NAME_CHARACTERS, list, plain_name, quoted};

/// Decimals of points that a validator gives, and of shares of a group's points, which are seldom whole numbers.
const MAX_DECIMALS: usize = 6;

/// Tables and keys of the contest file.
pub(crate) struct Scores {
    /// The tables of groups, outer ones first.
    pub(crate) groups: Vec<String>,
    /// The keys of boards, by the index of the test case.
    pub(crate) boards: BTreeMap<usize, String>,
    /// Number of decimals of all points in the contest file.
    pub(crate) decimals: usize,
}

impl Scores {
    pub(crate) fn from_package(package: &Package) -> Self {
        let decimals = if !package.validators.is_empty() { MAX_DECIMALS } else { 0 };
        let mut scores = Self { groups: Vec::new(), boards: BTreeMap::new(), decimals };
        let root = &package.data.root;
        let current = !package.metadata.legacy_grading;
        for item in &root.items {
            let Item::Group(group) = item else { continue };
            let sample = group.name == "sample";
            if sample && (current || (root.rules.ignore_sample && root.items.len() > 1)) {
                // Samples are judged and count nothing.
                scores.table(&group.name, Aggregate::All, None, Some(0.0), &[]);
                for index in group.cases() {
                    scores.board(index, &group.name, Some(0.0));
                }
            } else {
                scores.add(package, group, None);
            }
        }
        scores
    }

    fn add(&mut self, package: &Package, group: &Group, outer: Option<&str>) {
        let current = !package.metadata.legacy_grading;
        let rules = &group.rules;
        let direct: Vec<usize> = group
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Case(index) => Some(*index),
                Item::Group(_) => None,
            })
            .collect();
        // In 2025-09, folders that are not test data groups only sort test cases.
        let cases = if current && !has_test_groups(group) { group.cases() } else { direct };
        let aggregate = match rules.score {
            ScoreMode::Sum => Aggregate::Sum,
            ScoreMode::Average => Aggregate::Average,
            ScoreMode::Min => Aggregate::Min,
            ScoreMode::Max => Aggregate::Max,
            ScoreMode::PassFail => Aggregate::All,
        };
        let whole = (aggregate == Aggregate::All).then(|| rules.max_score.unwrap_or(0.0));
        self.table(&group.name, aggregate, outer, whole, &rules.require_pass);
        let points = match (current, rules.score) {
            (false, _) if package.metadata.score_required => None,
            (false, _) => Some(rules.accept_score),
            (true, ScoreMode::PassFail) => Some(0.0),
            (true, _) => package.data.most_per_case(group),
        };
        for index in &cases {
            self.board(*index, &group.name, points);
        }
        if cases.len() == group.cases().len() {
            return;
        }
        for item in &group.items {
            if let Item::Group(inner) = item {
                self.add(package, inner, Some(&group.name));
            }
        }
    }

    fn table(
        &mut self,
        name: &str,
        aggregate: Aggregate,
        outer: Option<&str>,
        points: Option<f64>,
        requires: &[String],
    ) {
        if aggregate == Aggregate::Average {
            self.decimals = MAX_DECIMALS;
        }
        let mut table = format!("[[group]]\nname = {}\naggregate = \"{}\"\n", quoted(&usable(name)), aggregate.name());
        if let Some(outer) = outer {
            writeln!(table, "within = {}", quoted(&usable(outer))).expect("text grows");
        }
        if let Some(points) = points {
            writeln!(table, "points = \"{}\"", self.number(points)).expect("text grows");
        }
        if !requires.is_empty() {
            let requires: Vec<String> = requires.iter().map(|name| usable(name)).collect();
            writeln!(table, "requires = {}", list(&requires)).expect("text grows");
        }
        self.groups.push(table);
    }

    fn board(&mut self, index: usize, group: &str, points: Option<f64>) {
        let mut keys = format!("group = {}\n", quoted(&usable(group)));
        if let Some(points) = points {
            writeln!(keys, "points = \"{}\"", self.number(points)).expect("text grows");
        }
        self.boards.insert(index, keys);
    }
}

impl Scores {
    /// The points as text. All points get the largest number of decimals that any points need.
    fn number(&mut self, points: f64) -> String {
        let text = number(points);
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        self.decimals = self.decimals.max(decimals);
        text
    }
}

fn has_test_groups(group: &Group) -> bool {
    group.items.iter().any(|item| matches!(item, Item::Group(inner) if inner.rules.is_test_group))
}

/// Notices on rules of legacy groups that do not exist in a contest, which judges every test case.
pub(crate) fn notices(package: &Metadata, data: &Data) -> Vec<String> {
    if !package.scoring || !package.legacy_grading {
        return Vec::new();
    }
    let mut groups = Vec::new();
    all_groups(&data.root, &mut groups);
    // The samples count for nothing, or like any other group. A group of one member ends with it anyway.
    let ends_early = |group: &&Group| {
        group.rules.stop_on_reject
            && group.items.len() > 1
            && !group.name.is_empty()
            && group.rules.score != ScoreMode::Min
    };
    let rejects = |group: &&Group| {
        group.rules.reject_score != 0.0 && group.items.iter().any(|item| matches!(item, Item::Case(_)))
    };
    let named = |what: &str, found: Vec<&Group>| {
        let first = found.first()?;
        let more = match found.len() - 1 {
            0 => String::new(),
            1 => " and 1 more group".to_owned(),
            more => format!(" and {more} more groups"),
        };
        Some(format!("{what}, in {}{more}", first.name))
    };
    let early = "on_reject: break: in a contest, test cases behind a rejected one are judged and have their points too";
    let rejected = "reject_score: in a contest, a rejected test case has 0 points";
    let early = named(early, groups.iter().copied().filter(ends_early).collect());
    let rejected = named(rejected, groups.iter().copied().filter(rejects).collect());
    early.into_iter().chain(rejected).collect()
}

/// A group and all groups in it, outer ones first.
fn all_groups<'g>(group: &'g Group, found: &mut Vec<&'g Group>) {
    found.push(group);
    for item in &group.items {
        if let Item::Group(inner) = item {
            all_groups(inner, found);
        }
    }
}

/// The name of a group in the contest file. A name that is too long is shortened to a hash of the whole name, followed
/// by its end.
fn usable(name: &str) -> String {
    let plain = plain_name(name);
    let characters = plain.chars().count();
    if characters <= NAME_CHARACTERS {
        return plain;
    }
    // FNV-1a, which is the same on every machine.
    let hash = plain
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let end: String = plain.chars().skip(characters - (NAME_CHARACTERS - 18)).collect();
    format!("g{hash:016x}.{end}")
}

fn number(points: f64) -> String {
    let text = format!("{points:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_of_groups_stay_different() {
        assert_eq!(usable("secret/a b"), "secret.a_b");
        let long = |letter: &str| usable(&format!("secret/{letter}/{}", "x".repeat(100)));
        assert_eq!(long("a").chars().count(), NAME_CHARACTERS);
        assert_ne!(long("a"), long("b"));
    }
}
