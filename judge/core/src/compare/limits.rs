//! The time limit: how much of it entries use, and the places at different limits.

use serde::Serialize;

use super::Source;
use super::stability::{placed, places};
use crate::score::{Row, RunCell};

/// The use of a source's time limit by its entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LimitUse {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// Wall-clock limit of its contest in milliseconds; `None` if it is unknown.
    pub limit_ms: Option<u64>,
    /// The shortest and the longest limit of its runs in milliseconds.
    #[serde(skip)]
    pub limits_ms: Option<(u64, u64)>,
    /// Entries whose runs all ended before half of their limit.
    pub ended_before_half: Vec<String>,
    /// Entries with a run that took half of its limit or more.
    #[serde(rename = "went_on")]
    pub used_half: Vec<String>,
    /// Entries with an unknown time or limit.
    pub unknown: Vec<String>,
}

/// Places at different limits, for the entries and boards that are in all sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AcrossLimits {
    /// The sources, the shortest limit first.
    #[serde(rename = "runs")]
    pub sources: Vec<LimitedSource>,
    /// Names of the boards that are in all sources.
    pub boards: Vec<String>,
    /// The common entries, in the order of the first given source's table.
    pub entries: Vec<LimitedPlaces>,
}

/// A source and its limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LimitedSource {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// Wall-clock limit of its contest in milliseconds.
    pub limit_ms: u64,
}

/// An entry's places at different limits.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LimitedPlaces {
    /// Name of the entry, which is in all sources.
    pub entry: String,
    /// Its place in each source, in their order.
    pub places: Vec<usize>,
}

impl LimitUse {
    /// Sorts a source's entries by their use of the limit.
    pub(super) fn from_source(source: &Source) -> Self {
        let results = &source.results;
        let names = |kind: Option<bool>| {
            let rows = results.rows.iter().filter(move |row| ended_before_half(row) == kind);
            rows.map(|row| row.entry.name.clone()).collect()
        };
        Self {
            source: source.name.clone(),
            limit_ms: results.limit_ms,
            limits_ms: results.limits_ms(),
            ended_before_half: names(Some(true)),
            used_half: names(Some(false)),
            unknown: names(None),
        }
    }
}

/// Returns true if all runs of an entry ended before half of their limit; `None` if it is unknown.
fn ended_before_half(row: &Row) -> Option<bool> {
    let judged: Vec<&RunCell> = row.cells.iter().filter(|cell| cell.judged()).collect();
    let early = |cell: &&RunCell| {
        let (time_us, limit_ms) = cell.metrics.time_us.zip(cell.limit_ms)?;
        // Half a millisecond is 500 microseconds.
        Some(time_us < limit_ms.saturating_mul(500))
    };
    let early: Vec<Option<bool>> = judged.iter().map(early).collect();
    if early.contains(&Some(false)) {
        return Some(false);
    }
    (!early.is_empty() && !early.contains(&None)).then_some(true)
}

impl AcrossLimits {
    /// Ranks the common entries at each limit; `None` without two limits, a common board and two common entries.
    pub(super) fn from_sources(sources: &[Source]) -> Option<Self> {
        let mut limited: Vec<(u64, &Source)> =
            sources.iter().filter_map(|source| Some((source.results.limit_ms?, source))).collect();
        limited.sort_by_key(|(limit_ms, _)| *limit_ms);
        let (shortest, longest) = (limited.first()?, limited.last()?);
        if shortest.0 == longest.0 {
            return None;
        }
        let first = sources.iter().find(|source| source.results.limit_ms.is_some())?;
        let has = |source: &Source, name: &String| source.results.boards.iter().any(|board| &board.name == name);
        let boards = first.results.boards.iter().map(|board| board.name.clone());
        let boards: Vec<String> = boards.filter(|name| limited.iter().all(|(_, source)| has(source, name))).collect();
        let chosen: Vec<Vec<Row>> = limited
            .iter()
            .map(|(_, source)| Some(source.results.clone().only(Some(&boards), None).ok()?.rows))
            .collect::<Option<_>>()?;
        let in_all = |name: &str| chosen.iter().all(|rows| placed(rows).any(|row| row.entry.name == name));
        let ranked: Vec<Vec<(String, usize)>> = chosen
            .iter()
            .map(|rows| {
                let rows = rows.iter().filter(|row| in_all(&row.entry.name)).cloned().collect();
                places(rows, &first.results.ranking)
            })
            .collect();
        let names = first.results.rows.iter().map(|row| row.entry.name.clone()).filter(|name| in_all(name));
        let entries: Vec<LimitedPlaces> = names
            .map(|entry| {
                let places = ranked.iter().map(|places| place_of(places, &entry)).collect();
                LimitedPlaces { entry, places }
            })
            .collect();
        let ranked = limited.iter().map(|&(limit_ms, source)| LimitedSource { source: source.name.clone(), limit_ms });
        let enough = entries.len() >= 2 && !boards.is_empty();
        enough.then(|| Self { sources: ranked.collect(), boards, entries })
    }
}

fn place_of(places: &[(String, usize)], entry: &str) -> usize {
    let found = places.iter().find(|(name, _)| name == entry);
    found.map(|(_, place)| *place).expect("each of these entries has a place in every source")
}
