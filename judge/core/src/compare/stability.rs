//! How firm a ranking stands: with each board left out, and under another time limit as far as runs tell.

use serde::Serialize;

use super::Source;
use crate::plan::RankKey;
use crate::ranking::rank;
use crate::score::{Cell, Row};

/// Places in a run's ranking with all boards and with each left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stability {
    /// The run's name.
    pub run: String,
    /// The boards in the order in which they are left out.
    pub boards: Vec<String>,
    /// The entries that take a place, by place.
    pub entries: Vec<Places>,
    /// The others: out of competition, or with a run that is missing or that the judge spoilt.
    pub unplaced: Vec<String>,
}

/// An entry's places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Places {
    /// The entry's name.
    pub entry: String,
    /// Its place with all boards.
    pub place: usize,
    /// Its place without each board, in the order of the boards; `None` where its progress on the others together is
    /// not known, as it may be of an illegal answer in a table. The others are ranked as if it came last there.
    pub without: Vec<Option<usize>>,
}

/// What a run tells of another time limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clock {
    /// The run's name.
    pub run: String,
    /// Its limit in milliseconds.
    pub limit_ms: Option<u64>,
    /// Entries all of whose runs ended before half of their limit, and so without need of the rest.
    pub ended_before_half: Vec<String>,
    /// Entries with a run that took half of its limit or more: at another limit they might do anything.
    pub went_on: Vec<String>,
    /// Entries of which a time or a limit is not known.
    pub untold: Vec<String>,
}

/// Places at different limits, of the entries and on the boards that all these runs have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AcrossLimits {
    /// The runs, the shortest limit first.
    pub runs: Vec<LimitedRun>,
    /// The boards that count.
    pub boards: Vec<String>,
    /// The entries in the order of the table of the run that was given first.
    pub entries: Vec<LimitedPlaces>,
}

/// A run and its limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitedRun {
    /// The run's name.
    pub run: String,
    /// Its limit in milliseconds.
    pub limit_ms: u64,
}

/// An entry's places at different limits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LimitedPlaces {
    /// The entry's name.
    pub entry: String,
    /// Its place in each run, in their order.
    pub places: Vec<usize>,
}

impl Stability {
    /// The places of a run's entries; `None` where there are not two boards and two entries with a place.
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
        Some(Self { run: source.name.clone(), boards, entries, unplaced })
    }
}

impl Places {
    /// Whether its place hangs on a board.
    pub fn moves(&self) -> bool {
        self.without.iter().flatten().any(|place| *place != self.place)
    }
}

impl Clock {
    /// What a run's times tell.
    pub(super) fn of(source: &Source) -> Self {
        let results = &source.results;
        let names = |kind: Option<bool>| {
            let rows = results.rows.iter().filter(move |row| ended_before_half(row) == kind);
            rows.map(|row| row.entry.name.clone()).collect()
        };
        Self {
            run: source.name.clone(),
            limit_ms: results.limit_ms,
            ended_before_half: names(Some(true)),
            went_on: names(Some(false)),
            untold: names(None),
        }
    }
}

/// Whether all runs of an entry ended before half of their limit; `None` where that is not known.
fn ended_before_half(row: &Row) -> Option<bool> {
    let judged: Vec<&Cell> = row.cells.iter().filter(|cell| cell.judged()).collect();
    let early = |cell: &&Cell| {
        let (time_us, limit_ms) = cell.figures.time_us.zip(cell.limit_ms)?;
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
    /// Places at different limits; `None` where no two runs have different limits, a board and two entries in common.
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
        let runs = limited.iter().map(|&(limit_ms, source)| LimitedRun { run: source.name.clone(), limit_ms });
        let told = entries.len() >= 2 && !boards.is_empty();
        told.then(|| Self { runs: runs.collect(), boards, entries })
    }
}

/// The rows that take a place.
fn placed(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.entry.competing && row.complete())
}

/// Entries by place, each of which takes one.
fn places(mut rows: Vec<Row>, order: &[RankKey]) -> Vec<(String, usize)> {
    rank(&mut rows, order);
    rows.into_iter().filter_map(|row| Some((row.entry.name, row.place?))).collect()
}

fn place_of(places: &[(String, usize)], entry: &str) -> usize {
    let found = places.iter().find(|(name, _)| name == entry);
    found.map(|(_, place)| *place).expect("each of these entries takes a place in every run")
}
