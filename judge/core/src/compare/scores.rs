//! Scores of a source's entries that include failures, and the groups of entries that no test separates.

use std::collections::HashSet;

use serde::Serialize;

use super::pair::Pair;
use super::{Boards, Source};
use crate::relative::share;
use crate::score::Row;
use crate::summary::par2_us;

/// The scores of a source's entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Scores {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// The entries with all their runs, competing or not, the highest score first.
    pub entries: Vec<EntryScore>,
    /// Groups of consecutive entries in that order, no two of which differ significantly. The p of both the sign test and the
    /// sign-flip test of the ranking, corrected for all pairs of the source, is at least
    /// [`SIGNIFICANT`](super::significance::SIGNIFICANT). Each group is as large as possible, so groups may overlap. Their
    /// entries need not be equal: these boards do not separate them.
    pub groups: Vec<Vec<String>>,
}

/// An entry's scores over all boards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryScore {
    /// Name of the entry in that source.
    pub entry: String,
    /// The number of solved boards; `None` in a contest without a goal.
    pub solved: Option<usize>,
    /// The number of its boards: those of the rounds in which it took part.
    pub boards: usize,
    /// The sum of the relative scores of all its boards, see [`crate::relative`], with 0 for an unsolved board. `None` if the
    /// goal of one of them is unknown.
    #[serde(rename = "relative_to_best_known")]
    pub score: Option<f64>,
    /// PAR2, the mean time in microseconds of all its boards, where an unsolved board counts twice the limit. `None` if a time or
    /// a limit is unknown, and in a contest without a goal.
    pub par2_us: Option<u64>,
    /// `score` in billionths, as an exact sum.
    #[serde(skip)]
    sum: Option<u64>,
}

impl Scores {
    /// Scores the entries of source `k`. `pairs` must contain all its pairs; others are ignored.
    pub(super) fn new(k: usize, source: &Source, boards: &Boards, pairs: &[Pair]) -> Option<Self> {
        let rows = source.results.rows.iter().filter(|row| row.entry.withdrawn.is_none() && row.complete());
        let mut entries: Vec<EntryScore> = rows.map(|row| EntryScore::new(k, boards, row)).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.sum));
        if entries.is_empty() || source.results.boards.is_empty() {
            return None;
        }
        let separated = pairs.iter().filter(|pair| {
            let of_source = pair.first.source == source.name && pair.second.source == source.name;
            of_source && (pair.flips.significant() || pair.sign_test.significant())
        });
        let separated: HashSet<[&str; 2]> =
            separated.map(|pair| [pair.first.entry.as_str(), pair.second.entry.as_str()]).collect();
        let differs = |a: &EntryScore, b: &EntryScore| {
            let (a, b) = (a.entry.as_str(), b.entry.as_str());
            separated.contains(&[a, b]) || separated.contains(&[b, a])
        };
        let groups = groups(entries.len(), |a, b| differs(&entries[a], &entries[b]));
        let groups = groups.into_iter().map(|group| group.map(|at| entries[at].entry.clone()).collect()).collect();
        Some(Self { source: source.name.clone(), entries, groups })
    }

    /// Returns true if any two entries differ significantly.
    pub fn separates(&self) -> bool {
        self.groups.len() > 1
    }
}

impl EntryScore {
    fn new(k: usize, boards: &Boards, row: &Row) -> Self {
        let planned = || row.cells.iter().enumerate().filter(|(_, cell)| !cell.not_planned);
        let known = planned().all(|(column, _)| !boards.variants[boards.of_source[k][column]].unknown);
        let solving = boards.solving[k] && known;
        let sum = planned().map(|(column, cell)| boards.score(k, column, cell)).sum::<Option<u64>>();
        Self {
            entry: row.entry.name.clone(),
            solved: solving.then(|| planned().filter(|(_, cell)| cell.solves()).count()),
            boards: row.planned(),
            score: sum.map(share),
            par2_us: par2_us(row, planned().map(|(_, cell)| cell)).filter(|_| solving),
            sum,
        }
    }
}

/// Finds the largest ranges of `size` items without two that differ, except ranges within others.
fn groups(size: usize, differ: impl Fn(usize, usize) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for first in 0..size {
        // A range that starts later never ends earlier than the previous one.
        let reached = groups.last().map_or(first + 1, |group| group.end.max(first + 1));
        let joins = |next: usize| (first..next).all(|member| !differ(member, next));
        let end = (reached..size).find(|&next| !joins(next)).unwrap_or(size);
        if groups.last().is_none_or(|group| end > group.end) {
            groups.push(first..end);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_the_largest_ranges_without_a_difference() {
        let of = |size: usize, differ: &[(usize, usize)]| groups(size, |a, b| differ.contains(&(a, b)));
        assert_eq!(of(3, &[]), vec![0..3]);
        assert_eq!(of(3, &[(0, 2)]), [0..2, 1..3]);
        assert_eq!(of(3, &[(0, 1), (1, 2), (0, 2)]), [0..1, 1..2, 2..3]);
        assert_eq!(of(4, &[(0, 3), (1, 3)]), [0..3, 2..4]);
        // The first and the last do not differ, but the middle one differs from the first.
        assert_eq!(of(3, &[(0, 1)]), [0..1, 1..3]);
        assert_eq!(of(0, &[]), [] as [std::ops::Range<usize>; 0]);
    }
}
