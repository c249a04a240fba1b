//! How alike two runs order the entries that both have.

use serde::Serialize;

use super::Source;
use super::statistics::{Interval, bootstrap, tau_b};
use crate::ranking::compare;
use crate::score::Row;

/// The orders of two runs beside one another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// A run.
    pub first: String,
    /// A run given after it.
    pub second: String,
    /// The entries with all their runs made in both, competing or not, in the order of the first.
    pub entries: Vec<String>,
    /// Kendall's tau-b of the two orders: 1 for the same, -1 for one turned round; `None` where a run has all of them
    /// equal.
    pub tau: Option<f64>,
    /// Its interval, for other entries as these are; `None` where too many resamples decide nothing.
    pub interval: Option<Interval>,
}

impl Agreement {
    /// Every two runs with three entries in common; of two the order is one way or the other.
    pub(super) fn all(sources: &[Source], seed: u64) -> Vec<Self> {
        let pairs = sources
            .iter()
            .enumerate()
            .flat_map(|(at, first)| sources[at + 1..].iter().map(move |second| (first, second)));
        pairs.filter_map(|(first, second)| Self::of(first, second, seed)).collect()
    }

    fn of(first: &Source, second: &Source, seed: u64) -> Option<Self> {
        let complete =
            |rows: &[Row], name: &str| rows.iter().find(|row| row.entry.name == name && row.complete()).cloned();
        let common: Vec<(Row, Row)> = first
            .results
            .rows
            .iter()
            .filter_map(|row| {
                let name = &row.entry.name;
                Some((complete(&first.results.rows, name)?, complete(&second.results.rows, name)?))
            })
            .collect();
        if common.len() < 3 {
            return None;
        }
        let sign = |source: &Source, a: &Row, b: &Row| compare(&source.results.ranking, a, b) as i8;
        let signs: Vec<Vec<[i8; 2]>> = common
            .iter()
            .map(|a| common.iter().map(|b| [sign(first, &a.0, &b.0), sign(second, &a.1, &b.1)]).collect())
            .collect();
        let tau = |chosen: &[usize]| tau_b(chosen.len(), |a, b| signs[chosen[a]][chosen[b]]);
        let all: Vec<usize> = (0..common.len()).collect();
        Some(Self {
            first: first.name.clone(),
            second: second.name.clone(),
            entries: common.iter().map(|(row, _)| row.entry.name.clone()).collect(),
            tau: tau(&all),
            interval: bootstrap(common.len(), seed, tau),
        })
    }
}
