//! Stability of a ranking: without each board, and under other time limits.

use serde::Serialize;

use super::Source;
use crate::plan::RankKey;
use crate::ranking::rank;
use crate::score::{Cell, Row};

/// The places in a source's ranking, with all boards and without each one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stability {
    /// The source's name.
    #[serde(rename = "run")]
    pub source: String,
    /// The boards, in the order in which they are left out.
    pub boards: Vec<String>,
    /// The entries that have a place, in the order of their places.
    pub entries: Vec<Places>,
    /// The other entries: they do not compete, or a run of theirs is missing or a judge error.
    pub unplaced: Vec<String>,
}

/// An entry's places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Places {
    /// The entry's name.
    pub entry: String,
    /// Its place with all boards.
    pub place: usize,
    /// Its place without each board, in the order of the boards; `None` if its total progress on the others is not
    /// known, as with an illegal answer in a table. The other entries are then ranked as if it were last.
    pub without: Vec<Option<usize>>,
}

/// The use that entries make of a source's time limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitUse {
    /// The source's name.
    #[serde(rename = "run")]
    pub source: String,
    /// Its limit in milliseconds.
    pub limit_ms: Option<u64>,
    /// Entries whose runs all ended before half of their limit.
    pub ended_before_half: Vec<String>,
    /// Entries with a run that took half of its limit or more.
    #[serde(rename = "went_on")]
    pub used_half: Vec<String>,
    /// Entries with an unknown time or limit.
    #[serde(rename = "untold")]
    pub unknown: Vec<String>,
}

/// Places at different limits, for the entries and boards that all the sources have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AcrossLimits {
    /// The sources, the shortest limit first.
    #[serde(rename = "runs")]
    pub sources: Vec<LimitedSource>,
    /// The common boards.
    pub boards: Vec<String>,
    /// The common entries, in the order of the first given source's table.
    pub entries: Vec<LimitedPlaces>,
}

/// A source and its limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitedSource {
    /// The source's name.
    #[serde(rename = "run")]
    pub source: String,
    /// Its limit in milliseconds.
    pub limit_ms: u64,
}

/// An entry's places at different limits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitedPlaces {
    /// The entry's name.
    pub entry: String,
    /// Its place in each source, in their order.
    pub places: Vec<usize>,
}

impl Stability {
    /// Ranks a source's entries without each board; `None` for fewer than two boards or two placed entries.
    pub(super) fn of(source: &Source) -> Option<Self> {
        let results = &source.results;
        let rows: Vec<Row> = placed(&results.rows).cloned().collect();
        if rows.len() < 2 || results.boards.len() < 2 {
            return None;
        }
        let without: Vec<Vec<(String, Option<usize>)>> = (0..results.boards.len())
            .map(|board| {
                let mut rows: Vec<Row> = rows.iter().map(|row| row.without(board)).collect();
                rank(&mut rows, &results.ranking);
                let known = |row: &Row| row.place.filter(|_| row.total.progress.is_some());
                rows.iter().map(|row| (row.entry.name.clone(), known(row))).collect()
            })
            .collect();
        let place_in = |places: &[(String, Option<usize>)], entry: &str| {
            places.iter().find(|(name, _)| name == entry).and_then(|(_, place)| *place)
        };
        let entries: Vec<Places> = places(rows, &results.ranking)
            .into_iter()
            .map(|(entry, place)| {
                let without = without.iter().map(|places| place_in(places, &entry)).collect();
                Places { entry, place, without }
            })
            .collect();
        let names = results.rows.iter().map(|row| row.entry.name.clone());
        let unplaced = names.filter(|name| !entries.iter().any(|places| &places.entry == name)).collect();
        let boards = results.boards.iter().map(|board| board.name.clone()).collect();
        Some(Self { source: source.name.clone(), boards, entries, unplaced })
    }
}

impl Places {
    /// Returns true if its place changes when some board is left out.
    pub fn moves(&self) -> bool {
        self.without.iter().flatten().any(|place| *place != self.place)
    }
}

impl LimitUse {
    /// Sorts a source's entries by their use of the limit.
    pub(super) fn of(source: &Source) -> Self {
        let results = &source.results;
        let names = |kind: Option<bool>| {
            let rows = results.rows.iter().filter(move |row| ended_before_half(row) == kind);
            rows.map(|row| row.entry.name.clone()).collect()
        };
        Self {
            source: source.name.clone(),
            limit_ms: results.limit_ms,
            ended_before_half: names(Some(true)),
            used_half: names(Some(false)),
            unknown: names(None),
        }
    }
}

/// Returns true if all runs of an entry ended before half of their limit; `None` if that is not known.
fn ended_before_half(row: &Row) -> Option<bool> {
    let judged: Vec<&Cell> = row.cells.iter().filter(|cell| cell.judged()).collect();
    let early = |cell: &&Cell| {
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
    pub(super) fn of(sources: &[Source]) -> Option<Self> {
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

/// Returns the rows that have a place.
fn placed(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.entry.competing && row.complete())
}

/// Ranks rows and returns the entries with their places.
fn places(mut rows: Vec<Row>, order: &[RankKey]) -> Vec<(String, usize)> {
    rank(&mut rows, order);
    rows.into_iter().filter_map(|row| Some((row.entry.name, row.place?))).collect()
}

fn place_of(places: &[(String, usize)], entry: &str) -> usize {
    let found = places.iter().find(|(name, _)| name == entry);
    found.map(|(_, place)| *place).expect("each of these entries has a place in every source")
}
