//! Compares entries and sets of results. Pure: its input is results, and its output plain data.
//!
//! A [`Source`] is one set of results. Two entries of one source are compared there. Two entries that no source has together are
//! compared across sources. An entry in several sources is compared with itself, each source with the next one that has the
//! entry. Boards are matched by name.

mod agreement;
mod boards;
pub mod conclusion;
mod limits;
mod matching;
mod pair;
mod repeats;
mod scores;
mod significance;
mod stability;
pub mod statistics;
mod strength;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use crate::date::Date;
use crate::plan::RankKey;
use crate::ranking::rank;
pub use crate::ranking::{BoardRanking, PairResult};
use crate::results::Results;
use crate::scoring::Scoring;
use crate::text::unknown;

pub use agreement::{Agreement, AgreementDifference};
pub use boards::{Boards, Variant};
pub use limits::{AcrossLimits, LimitUse, LimitedPlaces, LimitedSource};
pub use pair::{BoardCounts, BoardLine, Differences, EntryRef, Pair, Side};
pub use repeats::{EntryRepeats, Repeats, median_runs};
pub use scores::{EntryScore, Scores};
pub use significance::{LEAST_SHOWN, SIGNIFICANT, Test, equals, probability};
pub use stability::{MAX_LEFT_OUT, Places, ResampledPlaces, Stability};
pub use strength::{Strength, Strengths};
pub use warnings::Warning;

use statistics::{CONFIDENCE, FLIPS, RESAMPLES};

use conclusion::{Conclusion, RankingFigures};
use matching::Matching;

/// The default seed of resamples and random sign flips. It is fixed, so that equal results give equal output.
pub const DEFAULT_SEED: u64 = 1995;

/// A set of results and its name in outputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Its name, unique among the compared sources.
    pub name: String,
    /// The ranked results that are compared.
    pub results: Results,
}

/// A comparison of sources, in the form of its JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The summary in sentences.
    #[serde(flatten)]
    pub answer: Conclusion,
    /// The game, if a source records it.
    pub game: Option<String>,
    /// The figures of the contest.
    #[serde(serialize_with = "shared")]
    pub scoring: Arc<Scoring>,
    /// The settings of all random draws.
    pub resampling: ResamplingInfo,
    /// The sources in the given order.
    #[serde(rename = "runs")]
    pub sources: Vec<SourceInfo>,
    /// The boards of all sources, each once.
    pub boards: Vec<ComparedBoard>,
    /// For each board, the answers that its relative scores are relative to.
    pub bests: Vec<Variant>,
    /// Reasons to doubt the comparison.
    pub warnings: Vec<Warning>,
    /// Pairs of different entries, in the order of the sources and of their tables.
    pub pairs: Vec<Pair>,
    /// Pairs of an entry in two sources, the earlier source first.
    pub changes: Vec<Pair>,
    /// Scores of each source's entries, and the groups that no test separates.
    pub scores: Vec<Scores>,
    /// Variation over repeats, for the sources that have repeats. Pairs and scores use the median run of each board.
    pub repeats: Vec<Repeats>,
    /// Agreement of each two sources with at least three common entries.
    pub agreement: Vec<Agreement>,
    /// Differences of the agreement of one source with two later ones.
    pub agreement_differences: Vec<AgreementDifference>,
    /// Stability of each source's ranking; sources with too little to rank are left out.
    pub stability: Vec<Stability>,
    /// Use of the time limit in each source.
    #[serde(rename = "clock")]
    pub limit_use: Vec<LimitUse>,
    /// Rankings at different limits, if the sources have different limits.
    pub across_limits: Option<AcrossLimits>,
}

/// Settings of resamples and random sign flips. Equal runs and an equal seed give equal figures, whatever else is compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ResamplingInfo {
    /// Seed of the ChaCha8 generator, which restarts for every figure.
    pub seed: u64,
    /// Resamples from which each range is computed.
    pub resamples: usize,
    /// Random sign flips per test of 20 differences or more.
    pub flips: usize,
    /// The share of resampled values within a range, and the confidence of an interval.
    pub confidence: f64,
}

/// A source without its cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SourceInfo {
    /// Name of the source, unique in the comparison.
    #[serde(rename = "run")]
    pub name: String,
    /// Title of its contest; `None` if the results have none.
    pub contest: Option<String>,
    /// Wall-clock limit of its contest in milliseconds; `None` if the results have none.
    pub limit_ms: Option<u64>,
    /// The date when its contest began, at which its best known answers were recorded.
    pub begun: Option<Date>,
    /// The shortest and the longest limit of its runs in milliseconds, because rounds and entries can have their own limits.
    #[serde(skip)]
    pub limits_ms: Option<(u64, u64)>,
    /// The figures that decide its places, the first one first.
    pub ranking: Vec<RankKey>,
    /// The number of its boards.
    pub boards: usize,
    /// The names of its compared entries.
    pub entries: Vec<String>,
}

/// A board of at least one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ComparedBoard {
    /// Name of the board.
    pub board: String,
    /// Its round, from 1; the latest if the sources differ.
    pub round: u32,
    /// True if it is a reconstruction in any source.
    pub reconstruction: bool,
    /// The number of sources that have it.
    #[serde(rename = "runs")]
    pub sources: usize,
}

/// Reasons why results cannot be compared, as fragments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The sources have different games.
    #[error("{first} is a contest of {game}, {second} one of {other}; compare results of one game only")]
    DifferentGames {
        /// Name of the first source.
        first: String,
        /// Name of the game of the first source.
        game: String,
        /// A source with another game.
        second: String,
        /// Name of the game of the second source.
        other: String,
    },
    /// A selection matches no entry.
    #[error("{}", unknown("entry", wanted, available.iter().map(String::as_str)))]
    UnknownEntry {
        /// The selection in the words of the caller.
        wanted: String,
        /// The entries of all sources.
        available: Vec<String>,
    },
    /// A selection by source and entry. The source does not exist or lacks this entry.
    #[error("no results `{named}` with an entry `{entry}`; write {}", available.iter().map(|name| format!("{name}:{entry}")).collect::<Vec<_>>().join(" or "))]
    NotInSource {
        /// The source of the selection.
        named: String,
        /// Its entry, which exists elsewhere.
        entry: String,
        /// The sources with this entry.
        available: Vec<String>,
    },
    /// At most one row is left to compare.
    #[error("only one entry to compare; add another entry, or other results with this one")]
    NothingToCompare,
    /// The comparison would not fit into memory.
    #[error("{0} entries are too many to compare; choose some")]
    TooManyEntries(usize),
}

fn shared<S: serde::Serializer>(scoring: &Arc<Scoring>, serializer: S) -> Result<S::Ok, S::Error> {
    scoring.serialize(serializer)
}

impl Comparison {
    /// Compares all entries, or only the `wanted` ones. A wanted entry is given by name, or as `SOURCE:ENTRY`.
    ///
    /// # Errors
    ///
    /// The sources have different games, a wanted entry is unknown or not in the named source, nothing is left to compare, or the
    /// entries are too many.
    pub fn from_sources(sources: Vec<Source>, wanted: Option<&[String]>, seed: u64) -> Result<Self, CompareError> {
        let game = common_game(sources.iter())?;
        let comparison = Self { game, ..Self::build(sources, wanted, seed)? };
        if comparison.pairs.is_empty() && comparison.changes.is_empty() {
            return Err(CompareError::NothingToCompare);
        }
        Ok(comparison)
    }

    /// Compares all entries of any sources, even if there is at most one entry. It does not check their games.
    ///
    /// # Errors
    ///
    /// [`CompareError::TooManyEntries`].
    pub fn from_all(sources: Vec<Source>, seed: u64) -> Result<Self, CompareError> {
        Self::build(sources, None, seed)
    }

    fn build(sources: Vec<Source>, wanted: Option<&[String]>, seed: u64) -> Result<Self, CompareError> {
        // Computed before the selection, because the best answers come from all entries.
        let known = Boards::new(&sources);
        let sources = match wanted {
            Some(wanted) => select(sources, wanted)?,
            None => sources,
        };
        let repeats = sources.iter().enumerate();
        let repeats = repeats.filter_map(|(k, source)| Repeats::new(k, source, &known)).collect::<Vec<_>>();
        let medians = if repeats.is_empty() { None } else { Some(median_runs(sources.clone())) };
        let medians = medians.as_deref().unwrap_or(&sources);
        let rankings = matching::rankings(medians);
        let matching = Matching { sources: medians, boards: &known, rankings, seed };
        let (pairs, changes) = (matching.pairs()?, matching.changes());
        // If a source records its game, the figures are those of that game.
        let labelled = sources.iter().find(|source| source.results.game.is_some()).or(sources.first());
        let boards = ComparedBoard::all(&sources);
        let compared = matching.compare_all(&pairs);
        let compared_changes = matching.compare_all(&changes);
        let scores = medians.iter().enumerate();
        let scores = scores.filter_map(|(k, source)| Scores::new(k, source, &known, &compared)).collect();
        let mut comparison = Self {
            answer: Conclusion::default(),
            game: None,
            scoring: labelled.map_or_else(|| Scoring::of_game("").into(), |source| source.results.scoring.clone()),
            resampling: ResamplingInfo { seed, resamples: RESAMPLES, flips: FLIPS, confidence: CONFIDENCE },
            sources: sources.iter().map(SourceInfo::from_source).collect(),
            bests: Vec::new(),
            warnings: warnings::of(&sources, &boards, &known, &pairs),
            boards,
            pairs: compared,
            changes: compared_changes,
            scores,
            repeats,
            agreement: Agreement::all(&sources, seed),
            agreement_differences: AgreementDifference::all(&sources, seed),
            stability: sources.iter().filter_map(|source| Stability::from_source(source, seed)).collect(),
            limit_use: sources.iter().map(LimitUse::from_source).collect(),
            across_limits: AcrossLimits::from_sources(&sources),
        };
        comparison.bests = known.variants;
        let Self { pairs, changes, .. } = &comparison;
        let results: Vec<(&str, &Results)> = sources.iter().map(|source| (&*source.name, &source.results)).collect();
        comparison.answer = Conclusion::from_comparison(&results, pairs, changes, &comparison.figures());
        Ok(comparison)
    }

    /// The answer of one of its pairs or changes.
    pub fn answer_of(&self, pair: &Pair) -> Conclusion {
        pair.answer(self.sources.len(), &self.figures())
    }

    fn figures(&self) -> RankingFigures<'_> {
        RankingFigures { ranking: self.sources.first().map_or(&[], |source| &source.ranking), scoring: &self.scoring }
    }

    /// Describes the relative score of a board in words.
    pub fn score_rule(&self) -> String {
        self.scoring.relative_rule()
    }

    /// Drops the boards on which a pair does not differ. Counts and statistics still cover all boards.
    pub fn only_differences(mut self) -> Self {
        for pair in self.pairs.iter_mut().chain(&mut self.changes) {
            pair.boards.retain(BoardLine::differs);
        }
        self
    }

    /// Tests whether a pair lacks its boards, because all of them would take too much memory.
    pub fn lacks_boards(&self) -> bool {
        self.pairs.iter().chain(&self.changes).any(|pair| pair.boards.is_empty() && pair.compared() > 0)
    }

    /// Drops the boards of all pairs, which take most of the memory. Counts and statistics still cover all boards.
    pub fn without_boards(mut self) -> Self {
        for pair in self.pairs.iter_mut().chain(&mut self.changes) {
            pair.boards = Vec::new();
        }
        self
    }
}

impl SourceInfo {
    fn from_source(source: &Source) -> Self {
        let Source { name, results } = source;
        Self {
            name: name.clone(),
            contest: results.contest.clone(),
            limit_ms: results.limit_ms,
            begun: results.begun,
            limits_ms: results.limits_ms(),
            ranking: results.ranking.clone(),
            boards: results.boards.len(),
            entries: results.rows.iter().map(|row| row.entry.name.clone()).collect(),
        }
    }
}

impl ComparedBoard {
    /// Lists the boards in the order of the sources.
    fn all(sources: &[Source]) -> Vec<Self> {
        let mut boards: Vec<Self> = Vec::new();
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        for head in sources.iter().flat_map(|source| &source.results.boards) {
            let position = *positions.entry(&head.name).or_insert(boards.len());
            if position == boards.len() {
                boards.push(Self { board: head.name.clone(), round: 1, reconstruction: false, sources: 0 });
            }
            boards[position].round = boards[position].round.max(head.round);
            boards[position].reconstruction |= head.reconstruction;
            boards[position].sources += 1;
        }
        boards
    }
}

/// Returns the game of all sources that record theirs.
///
/// # Errors
///
/// [`CompareError::DifferentGames`].
pub fn common_game<'a>(sources: impl Iterator<Item = &'a Source>) -> Result<Option<String>, CompareError> {
    let mut games = sources.filter_map(|source| Some((&source.name, source.results.game.as_ref()?)));
    let Some((first, game)) = games.next() else { return Ok(None) };
    match games.find(|(_, other)| *other != game) {
        None => Ok(Some(game.clone())),
        Some((second, other)) => {
            let [first, game, second, other] = [first, game, second, other].map(Clone::clone);
            Err(CompareError::DifferentGames { first, game, second, other })
        }
    }
}

/// Keeps only the wanted entries and ranks each source again.
fn select(sources: Vec<Source>, wanted: &[String]) -> Result<Vec<Source>, CompareError> {
    let matches = |wanted: &String, source: &Source, entry: &String| {
        wanted == entry || *wanted == format!("{}:{entry}", source.name)
    };
    let all: Vec<(&Source, &String)> = sources
        .iter()
        .flat_map(|source| source.results.rows.iter().map(move |row| (source, &row.entry.name)))
        .collect();
    let unknown = wanted.iter().find(|wanted| !all.iter().any(|(source, entry)| matches(wanted, source, entry)));
    if let Some(wanted) = unknown {
        let named = wanted.rsplit_once(':').filter(|(_, entry)| all.iter().any(|(_, other)| other == entry));
        if let Some((name, entry)) = named {
            let has = |source: &&Source| source.results.rows.iter().any(|row| row.entry.name == entry);
            return Err(CompareError::NotInSource {
                named: name.to_owned(),
                entry: entry.to_owned(),
                available: sources.iter().filter(has).map(|source| source.name.clone()).collect(),
            });
        }
        let mut seen = BTreeSet::new();
        let available = all.iter().filter(|(_, entry)| seen.insert(*entry)).map(|(_, entry)| (*entry).clone());
        return Err(CompareError::UnknownEntry { wanted: wanted.clone(), available: available.collect() });
    }
    let chosen = sources.into_iter().map(|mut source| {
        let mut rows = std::mem::take(&mut source.results.rows);
        rows.retain(|row| wanted.iter().any(|wanted| matches(wanted, &source, &row.entry.name)));
        rank(&mut rows, &source.results.ranking);
        source.results.rows = rows;
        source
    });
    Ok(chosen.collect())
}
