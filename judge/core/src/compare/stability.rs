//! Stability of a ranking: over resampled boards, and without each board.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::Source;
use super::statistics::{MIN_VALUES, RESAMPLES, Resamples};
use crate::plan::RankKey;
use crate::ranking::{Resampling, rank};
use crate::score::Row;

/// The most boards that are left out one by one. With more boards, a single one has no effect.
pub const MAX_LEFT_OUT: usize = 16;

/// The most runs, one per entry and board, that are ranked on resampled boards. Each is read [`RESAMPLES`] times. With so many
/// boards, a resample changes almost nothing.
const MAX_RESAMPLED: usize = 50_000;

/// The places in a source's ranking, over resampled boards and without each board.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stability {
    /// Name of the source in the comparison.
    #[serde(rename = "run")]
    pub source: String,
    /// The boards, in the order in which they are left out; empty if there are more than [`MAX_LEFT_OUT`].
    pub boards: Vec<String>,
    /// The number of resamples of the boards. 0 if a round has too few boards to resample, if groups of boards determine the
    /// points, or if the runs are more than 50,000.
    pub resamples: usize,
    /// The entries that have a place, in the order of their places.
    pub entries: Vec<Places>,
    /// The other entries: they do not compete, or one of their runs is missing or a judge error.
    pub unplaced: Vec<String>,
}

/// The places of an entry over resampled and left-out boards.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Places {
    /// Name of the entry in that source.
    pub entry: String,
    /// Its place with all boards.
    pub place: usize,
    /// Its places over resampled boards. `None` with too few boards, or if a figure of one of its runs is unknown, such as after
    /// two illegal answers in a table.
    pub resampled: Option<ResampledPlaces>,
    /// Its place without each board, in the order of the boards. `None` if its first figure is unknown on the other boards, such
    /// as after an illegal answer in a table. The other entries are then ranked as if it were last.
    pub without: Vec<Option<usize>>,
}

/// An entry's places in rankings of resampled boards. A resample draws the same number of boards with replacement, and one of the
/// repeats for each entry and board.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ResampledPlaces {
    /// The best place, without the best 2.5 %.
    pub best: usize,
    /// The worst place, without the worst 2.5 %.
    pub worst: usize,
    /// The share of resamples in which it ranks above the next entry of `entries`, with ties as halves; `None` for the last.
    pub above_next: Option<f64>,
}

impl Stability {
    /// Ranks a source's entries on resampled boards and without each board. `None` for fewer than two boards or two placed
    /// entries.
    pub(super) fn from_source(source: &Source, seed: u64) -> Option<Self> {
        let results = &source.results;
        let mut rows: Vec<Row> = placed(&results.rows).cloned().collect();
        if rows.len() < 2 || results.boards.len() < 2 {
            return None;
        }
        let places = |rows: &[Row]| rows.iter().map(|row| (row.entry.name.clone(), row.place)).collect::<Vec<_>>();
        let in_table = places(&rows);
        rank(&mut rows, &results.ranking);
        // An entry with missing runs of a later round still affects the places of those below it.
        if places(&rows) != in_table {
            return None;
        }
        let boards: &[_] = if results.boards.len() <= MAX_LEFT_OUT { &results.boards } else { &[] };
        let without: Vec<Vec<(String, Option<usize>)>> = (0..boards.len())
            .map(|board| {
                let mut rows: Vec<Row> = rows.iter().map(|row| row.without(board)).collect();
                rank(&mut rows, &results.ranking);
                let known = |row: &Row| row.place.filter(|_| row.total.figure(0).is_some());
                rows.iter().map(|row| (row.entry.name.clone(), known(row))).collect()
            })
            .collect();
        let place_in = |places: &[(String, Option<usize>)], entry: &str| {
            places.iter().find(|(name, _)| name == entry).and_then(|(_, place)| *place)
        };
        let rounds = Resampling::rounds(results.boards.iter().map(|board| board.round));
        let count = rows.len();
        let enough = rounds.iter().all(|round| round.len() >= MIN_VALUES)
            && count.saturating_mul(results.boards.len()) <= MAX_RESAMPLED;
        let resampled = Resampling::from_rows(&mut rows)
            .filter(|_| enough)
            .map(|resampling| resampled(&resampling, rounds, (count, &results.ranking), seed));
        let resamples = if resampled.is_some() { RESAMPLES } else { 0 };
        let resampled = resampled.unwrap_or_else(|| vec![None; count]);
        let entries: Vec<Places> = rows
            .iter()
            .zip(resampled)
            .filter_map(|(row, resampled)| {
                let without = without.iter().map(|places| place_in(places, &row.entry.name)).collect();
                Some(Places { entry: row.entry.name.clone(), place: row.place?, resampled, without })
            })
            .collect();
        let names = results.rows.iter().map(|row| row.entry.name.clone());
        let unplaced = names.filter(|name| !entries.iter().any(|places| &places.entry == name)).collect();
        Some(Self {
            source: source.name.clone(),
            boards: boards.iter().map(|board| board.name.clone()).collect(),
            resamples,
            entries,
            unplaced,
        })
    }
}

impl Places {
    /// Returns true if its place changes when any board is left out.
    pub fn moves(&self) -> bool {
        self.without.iter().flatten().any(|place| *place != self.place)
    }
}

/// Ranks this number of rows, in the order of their places, on resampled boards. Each round keeps its number of boards.
fn resampled(
    resampling: &Resampling<'_>,
    rounds: Vec<Range<usize>>,
    (rows, order): (usize, &[RankKey]),
    seed: u64,
) -> Vec<Option<ResampledPlaces>> {
    let mut seen: Vec<Vec<usize>> = vec![Vec::with_capacity(RESAMPLES); rows];
    let mut above: Vec<usize> = vec![0; rows];
    // A different random stream from the one for boards.
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1);
    for chosen in Resamples::from_strata(rounds, seed) {
        let places = resampling.places(&chosen, order, |repeats| random.random_range(0..repeats));
        for (row, place) in places.iter().enumerate() {
            seen[row].push(*place);
            above[row] += match places.get(row + 1) {
                Some(next) if place < next => 2,
                Some(next) if place == next => 1,
                _ => 0,
            };
        }
    }
    let cut = RESAMPLES / 40;
    let known = |row: usize| resampling.knows(row);
    let of_row = |(row, mut places): (usize, Vec<usize>)| {
        places.sort_unstable();
        let above_next = (row + 1 < rows && known(row + 1)).then(|| above[row] as f64 / (2 * RESAMPLES) as f64);
        known(row).then(|| ResampledPlaces { best: places[cut], worst: places[RESAMPLES - 1 - cut], above_next })
    };
    seen.into_iter().enumerate().map(of_row).collect()
}

/// Returns the rows that have a place.
pub(super) fn placed(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.place.is_some())
}

/// Ranks rows and returns the entries with their places.
pub(super) fn places(mut rows: Vec<Row>, order: &[RankKey]) -> Vec<(String, usize)> {
    rank(&mut rows, order);
    rows.into_iter().filter_map(|row| Some((row.entry.name, row.place?))).collect()
}
