//! Agreement of two rankings of the same entries.

use std::collections::HashMap;

use serde::Serialize;

use super::Source;
use super::statistics::{Interval, bootstrap, tau_b};
use crate::ranking::Rank;

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
        let rows = |source: &Source| -> HashMap<String, usize> {
            let complete = source.results.rows.iter().enumerate().filter(|(_, row)| row.complete());
            complete.map(|(index, row)| (row.entry.name.clone(), index)).collect()
        };
        let (in_first, in_second) = (rows(first), rows(second));
        let names = first.results.rows.iter().map(|row| &row.entry.name);
        let common: Vec<(&String, usize, usize)> =
            names.filter_map(|name| Some((name, *in_first.get(name)?, *in_second.get(name)?))).collect();
        if common.len() < 3 {
            return None;
        }
        let [ranks, others] = [first, second].map(|source| Rank::of_all(&source.results.rows));
        let sign = |source: &Source, a: &Rank, b: &Rank| a.compare(b, &source.results.ranking) as i8;
        let signs: Vec<Vec<[i8; 2]>> = common
            .iter()
            .map(|&(_, a, b)| {
                let with = |&(_, c, d): &(&String, usize, usize)| {
                    [sign(first, &ranks[a], &ranks[c]), sign(second, &others[b], &others[d])]
                };
                common.iter().map(with).collect()
            })
            .collect();
        let tau = |chosen: &[usize]| tau_b(chosen.len(), |a, b| signs[chosen[a]][chosen[b]]);
        let all: Vec<usize> = (0..common.len()).collect();
        Some(Self {
            first: first.name.clone(),
            second: second.name.clone(),
            entries: common.iter().map(|&(name, ..)| name.clone()).collect(),
            tau: tau(&all),
            interval: bootstrap(common.len(), seed, tau),
        })
    }
}
