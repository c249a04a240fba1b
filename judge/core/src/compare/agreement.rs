//! Agreement of two rankings of the same entries.

use serde::Serialize;

use super::Source;
use super::statistics::{Interval, bootstrap, tau_b};
use crate::ranking::compare;
use crate::score::Row;

/// Agreement of two sources on the order of their common entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// A source.
    pub first: String,
    /// A later source.
    pub second: String,
    /// The entries that are complete in both, competing or not, in the order of the first.
    pub entries: Vec<String>,
    /// Kendall's tau-b of the two orders: 1 if they are the same, -1 if one is the reverse of the other; `None` if a
    /// source ranks all of them equal.
    pub tau: Option<f64>,
    /// Its interval over resampled entries; `None` if too many resamples have no tau-b.
    pub interval: Option<Interval>,
}

impl Agreement {
    /// Compares each two sources that have at least three entries in common. Two entries cannot show agreement.
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
