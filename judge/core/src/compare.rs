//! Entries side by side, from results to plain data. Pure.
//!
//! Two entries that met in a run are compared there, two that never met across runs, and an entry that is in several
//! runs with itself, each run against the one before. Boards go by name.

mod agreement;
mod goals;
mod matching;
mod pair;
mod significance;
mod stability;
mod statistics;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::plan::RankKey;
use crate::ranking::rank;
use crate::results::{Headings, Results};

pub use agreement::Agreement;
pub use pair::{BoardLine, EntryRef, Outcome, Pair, Side};
pub use significance::{LEAST_SHOWN, SIGNIFICANT, probability};
pub use stability::{AcrossLimits, Clock, LimitedPlaces, LimitedRun, Places, Stability};
pub use statistics::{CONFIDENCE, Interval, RESAMPLES};

pub use goals::Goals;

use matching::Matching;

/// Seed of the bootstrap where nobody gives one, so that the same results always give the same figures.
pub const DEFAULT_SEED: u64 = 1995;

/// The results of a run with the name that outputs give it.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Unlike that of every other run compared.
    pub name: String,
    /// Its results.
    pub results: Results,
}

/// Everything that a comparison tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The game, where a run tells.
    pub game: Option<String>,
    /// What it calls its figures.
    pub headings: Headings,
    /// How the intervals came about.
    pub bootstrap: Bootstrap,
    /// The runs in the order in which they were given.
    pub runs: Vec<RunHead>,
    /// The boards of all runs, each once.
    pub boards: Vec<ComparedBoard>,
    /// What whoever reads the figures should know, as fragments.
    pub warnings: Vec<String>,
    /// Different entries, each two that are compared.
    pub pairs: Vec<Pair>,
    /// The same entry in two runs, the earlier run first.
    pub changes: Vec<Pair>,
    /// How alike each two runs order the entries that both have; runs with fewer than three in common are not here.
    pub agreement: Vec<Agreement>,
    /// Each run's ranking with each board left out; runs with too little to rank are not here.
    pub stability: Vec<Stability>,
    /// What each run tells of other limits.
    pub clock: Vec<Clock>,
    /// The rankings of runs at different limits, where such runs were given.
    pub across_limits: Option<AcrossLimits>,
}

/// How intervals came about: the same figures and seed give the same interval, whatever else is compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bootstrap {
    /// Seed of the ChaCha8 generator, new for every interval.
    pub seed: u64,
    /// Resamples an interval.
    pub resamples: usize,
    /// The share of them that it holds.
    pub confidence: f64,
}

/// What was compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunHead {
    /// The run's name.
    pub run: String,
    /// Title of its contest.
    pub contest: Option<String>,
    /// Its limit in milliseconds.
    pub limit_ms: Option<u64>,
    /// What decides its places.
    pub ranking: Vec<RankKey>,
    /// Its boards.
    pub boards: usize,
    /// Those of its entries that are compared.
    pub entries: Vec<String>,
}

/// A board of one run or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedBoard {
    /// Its name.
    pub board: String,
    /// Whether it is a reconstruction in one of them.
    pub reconstruction: bool,
    /// How many runs have it.
    pub runs: usize,
}

/// Why results cannot be compared, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// Runs of different games.
    #[error("{first} is a contest of {game}, {second} one of {other}; only runs of one game can be compared")]
    Games {
        /// A run.
        first: String,
        /// Its game.
        game: String,
        /// A run of another game.
        second: String,
        /// That game.
        other: String,
    },
    /// A selection that fits nothing.
    #[error("no entry is called `{wanted}`; there are {}", there.join(", "))]
    NoEntry {
        /// What was asked for.
        wanted: String,
        /// What there is.
        there: Vec<String>,
    },
    /// A single entry in a single run, or none.
    #[error("there is nothing to compare but a single entry; name another, or another run of it")]
    Nothing,
    /// More than a comparison can hold.
    #[error("{0} entries are more than can be compared; choose some with --entries")]
    TooMany(usize),
}

impl Comparison {
    /// Compares results: of all entries, or of those wanted, by name or as `RUN:ENTRY`.
    pub fn of(sources: Vec<Source>, wanted: Option<&[String]>, seed: u64) -> Result<Self, CompareError> {
        let game = common_game(sources.iter())?;
        // Before entries are chosen: what solves a board may have to be told from those that are not.
        let goals = Goals::of(&sources);
        let sources = match wanted {
            Some(wanted) => select(sources, wanted)?,
            None => sources,
        };
        let matching = Matching { sources: &sources, goals: &goals };
        let (pairs, changes) = (matching.pairs()?, matching.changes());
        // A run that tells its game has that game's words for the figures.
        let telling = sources.iter().find(|source| source.results.game.is_some()).or(sources.first());
        let Some(telling) = telling.filter(|_| !pairs.is_empty() || !changes.is_empty()) else {
            return Err(CompareError::Nothing);
        };
        let boards = ComparedBoard::all(&sources);
        Ok(Self {
            game,
            headings: telling.results.headings.clone(),
            bootstrap: Bootstrap { seed, resamples: RESAMPLES, confidence: CONFIDENCE },
            runs: sources.iter().map(RunHead::of).collect(),
            warnings: warnings::of(&sources, &boards, &goals, &pairs),
            boards,
            pairs: matching.meet_all(&pairs, Some(seed)),
            changes: matching.meet_all(&changes, Some(seed)),
            agreement: Agreement::all(&sources, seed),
            stability: sources.iter().filter_map(Stability::of).collect(),
            clock: sources.iter().map(Clock::of).collect(),
            across_limits: AcrossLimits::of(&sources),
        })
    }

    /// The same without the boards on which two do not differ. Counts and statistics stay those of all boards.
    pub fn only_differences(mut self) -> Self {
        for pair in self.pairs.iter_mut().chain(&mut self.changes) {
            pair.boards.retain(BoardLine::differs);
        }
        self
    }
}

/// The pairs of a [`Comparison`], then its changes, and nothing else of it. Without a seed they have no intervals: their
/// bootstrap takes [`RESAMPLES`] times as long as all the rest.
pub fn head_to_head(sources: &[Source], seed: Option<u64>) -> Result<Vec<Pair>, CompareError> {
    let matching = Matching { sources, goals: &Goals::of(sources) };
    let pairs = [matching.pairs()?, matching.changes()].concat();
    Ok(matching.meet_all(&pairs, seed))
}

impl RunHead {
    fn of(source: &Source) -> Self {
        let Source { name, results } = source;
        Self {
            run: name.clone(),
            contest: results.contest.clone(),
            limit_ms: results.limit_ms,
            ranking: results.ranking.clone(),
            boards: results.boards.len(),
            entries: results.rows.iter().map(|row| row.entry.name.clone()).collect(),
        }
    }
}

impl ComparedBoard {
    /// In the order in which runs name them.
    fn all(sources: &[Source]) -> Vec<Self> {
        let mut boards: Vec<Self> = Vec::new();
        let mut index: BTreeMap<&str, usize> = BTreeMap::new();
        for head in sources.iter().flat_map(|source| &source.results.boards) {
            let place = *index.entry(&head.name).or_insert(boards.len());
            if place == boards.len() {
                boards.push(Self { board: head.name.clone(), reconstruction: false, runs: 0 });
            }
            boards[place].reconstruction |= head.reconstruction;
            boards[place].runs += 1;
        }
        boards
    }
}

/// The game of all runs that tell theirs.
pub fn common_game<'a>(sources: impl Iterator<Item = &'a Source>) -> Result<Option<String>, CompareError> {
    let mut games = sources.filter_map(|source| Some((&source.name, source.results.game.as_ref()?)));
    let Some((first, game)) = games.next() else { return Ok(None) };
    match games.find(|(_, other)| *other != game) {
        None => Ok(Some(game.clone())),
        Some((second, other)) => {
            let [first, game, second, other] = [first, game, second, other].map(Clone::clone);
            Err(CompareError::Games { first, game, second, other })
        }
    }
}

/// The sources with the wanted entries alone, ranked anew.
fn select(sources: Vec<Source>, wanted: &[String]) -> Result<Vec<Source>, CompareError> {
    let means = |wanted: &String, source: &Source, entry: &String| {
        wanted == entry || *wanted == format!("{}:{entry}", source.name)
    };
    let all: Vec<(&Source, &String)> = sources
        .iter()
        .flat_map(|source| source.results.rows.iter().map(move |row| (source, &row.entry.name)))
        .collect();
    let unknown = wanted.iter().find(|wanted| !all.iter().any(|(source, entry)| means(wanted, source, entry)));
    if let Some(wanted) = unknown {
        let mut seen = BTreeSet::new();
        let there = all.iter().filter(|(_, entry)| seen.insert(*entry)).map(|(_, entry)| (*entry).clone());
        return Err(CompareError::NoEntry { wanted: wanted.clone(), there: there.collect() });
    }
    let chosen = sources.into_iter().map(|mut source| {
        let mut rows = std::mem::take(&mut source.results.rows);
        rows.retain(|row| wanted.iter().any(|wanted| means(wanted, &source, &row.entry.name)));
        rank(&mut rows, &source.results.ranking);
        source.results.rows = rows;
        source
    });
    Ok(chosen.collect())
}
