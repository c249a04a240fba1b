//! Agreement of two rankings of the same entries.

use std::collections::HashMap;

use serde::Serialize;

use super::Source;
use super::statistics::{Interval, resampled, tau_b};
use crate::ranking::Rank;

/// Agreement of two sources on the order of their common entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Agreement {
    /// Name of the earlier source.
    pub first: String,
    /// Name of the later source.
    pub second: String,
    /// The entries that are complete in both, competing or not, in the order of the first source.
    pub entries: Vec<String>,
    /// Kendall's tau-b of the two orders: 1 if they are equal, -1 if one is the reverse of the other; `None` if a source ranks
    /// all entries equal.
    pub tau: Option<f64>,
    /// Its range over resampled entries; `None` if too many resamples have no tau-b.
    pub resampled: Option<Interval>,
}

/// Difference of the agreement of one source with two later ones.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AgreementDifference {
    /// The source that both are compared with.
    pub with: String,
    /// Name of the earlier of the two.
    pub first: String,
    /// Name of the later of the two.
    pub second: String,
    /// The number of entries that are complete in all three.
    pub entries: usize,
    /// tau-b of the first minus tau-b of the second, over these entries.
    pub difference: f64,
    /// Its range over resampled entries; `None` if too many resamples have no tau-b.
    pub resampled: Option<Interval>,
}

impl Agreement {
    /// Compares each two sources with at least three common entries. Two entries cannot show agreement.
    pub(super) fn all(sources: &[Source], seed: u64) -> Vec<Self> {
        let pairs = sources
            .iter()
            .enumerate()
            .flat_map(|(at, first)| sources[at + 1..].iter().map(move |second| (first, second)));
        pairs.filter_map(|(first, second)| Self::between(first, second, seed)).collect()
    }

    fn between(first: &Source, second: &Source, seed: u64) -> Option<Self> {
        let orders = Orders::from_sources([first, second])?;
        Some(Self {
            first: first.name.clone(),
            second: second.name.clone(),
            tau: orders.tau([0, 1], &orders.all()),
            resampled: resampled(orders.entries.len(), seed, |chosen| orders.tau([0, 1], chosen)),
            entries: orders.entries,
        })
    }
}

impl AgreementDifference {
    /// Compares the agreement of each source with each two later ones.
    pub(super) fn all(sources: &[Source], seed: u64) -> Vec<Self> {
        let mut all = Vec::new();
        for (at, with) in sources.iter().enumerate() {
            let later = &sources[at + 1..];
            for (first, one) in later.iter().enumerate() {
                all.extend(later[first + 1..].iter().filter_map(|other| Self::between([with, one, other], seed)));
            }
        }
        all
    }

    fn between(sources: [&Source; 3], seed: u64) -> Option<Self> {
        let orders = Orders::from_sources(sources)?;
        let difference = |chosen: &[usize]| Some(orders.tau([0, 1], chosen)? - orders.tau([0, 2], chosen)?);
        let [with, first, second] = sources.map(|source| source.name.clone());
        Some(Self {
            with,
            first,
            second,
            entries: orders.entries.len(),
            difference: difference(&orders.all())?,
            resampled: resampled(orders.entries.len(), seed, difference),
        })
    }
}

/// The orders of the entries in several sources.
struct Orders<const N: usize> {
    /// The entries that are complete in all sources, in the order of the first source.
    entries: Vec<String>,
    /// For each source and each two entries: negative, zero or positive if the first is better, equal or worse.
    signs: [Vec<Vec<i8>>; N],
}

impl<const N: usize> Orders<N> {
    /// Collects the orders; `None` for fewer than three common entries.
    fn from_sources(sources: [&Source; N]) -> Option<Self> {
        let rows = sources.map(|source| -> HashMap<&str, usize> {
            let complete = source.results.rows.iter().enumerate().filter(|(_, row)| row.complete());
            complete.map(|(index, row)| (row.entry.name.as_str(), index)).collect()
        });
        let names = sources.first()?.results.rows.iter().map(|row| row.entry.name.as_str());
        let common: Vec<&str> = names.filter(|name| rows.iter().all(|rows| rows.contains_key(name))).collect();
        if common.len() < 3 {
            return None;
        }
        let mut columns = rows.iter();
        let signs = sources.map(|source| {
            let rows = columns.next().into_iter();
            let at: Vec<usize> = rows.flat_map(|rows| common.iter().map(|name| rows[name])).collect();
            let ranks = Rank::from_all(&source.results.rows);
            let sign = |a: usize, b: usize| ranks[a].compare(&ranks[b], &source.results.ranking) as i8;
            at.iter().map(|&a| at.iter().map(|&b| sign(a, b)).collect()).collect()
        });
        Some(Self { entries: common.into_iter().map(str::to_owned).collect(), signs })
    }

    fn all(&self) -> Vec<usize> {
        (0..self.entries.len()).collect()
    }

    /// Computes tau-b of two of the orders, over the chosen entries.
    fn tau(&self, [first, second]: [usize; 2], chosen: &[usize]) -> Option<f64> {
        let sign = |order: usize, a: usize, b: usize| self.signs[order][chosen[a]][chosen[b]];
        tau_b(chosen.len(), |a, b| [sign(first, a, b), sign(second, a, b)])
    }
}
