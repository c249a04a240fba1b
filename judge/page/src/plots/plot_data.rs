//! The data of all drawings: the result of every entry on every board, over all sources of the page. Pure.
//!
//! Rows of one entry in several sources are separate. They are named `SOURCE:ENTRY` and are drawn side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::text;
use crate::plot::Caption;
use judge_core::compare::{Boards, Comparison, DEFAULT_SEED, Source, median_runs};
use judge_core::relative;
use judge_core::score::RunCell;
use judge_core::scoring::Scoring;
use judge_core::summary::penalized_us;

/// The most entries of a drawing with their own colour, mark and name.
pub(super) const NAMED: usize = 8;
/// The most entries in a drawing; with more, the page is too large to read or mail.
const MAX_ENTRIES: usize = 60;
/// The most boards in a drawing.
const MAX_BOARDS: usize = 400;
/// The most boards that a warning names.
const MAX_NAMED: usize = 5;

/// Entries, boards, and the results of each entry on each board.
#[derive(Debug)]
pub(super) struct PlotData {
    /// The boards of all sources, each once. Different boards with one name are separate.
    pub(super) boards: Vec<Board>,
    /// For each source and each of its boards by name, the index of the board.
    columns: BTreeMap<(String, String), usize>,
    /// The comparison of all entries; the reason as a fragment if they are too many.
    pub(super) comparison: Result<Comparison, String>,
    /// The entries, source by source in the order of their tables.
    pub(super) entries: Vec<PlotEntry>,
    /// The figures of the contest.
    pub(super) scoring: Arc<Scoring>,
    /// True if boards of some source can be solved.
    pub(super) solving: bool,
    /// The titles of the progress and of the moves.
    pub(super) progress: String,
    pub(super) moves: String,
    /// The time limit in microseconds, if all sources have the same.
    pub(super) limit_us: Option<u64>,
    /// Warnings about all drawings, as sentences.
    pub(super) warnings: Vec<String>,
    /// Sentences about data that is not drawn.
    hidden: Vec<String>,
}

/// A board of at least one source.
#[derive(Debug, PartialEq)]
pub(super) struct Board {
    /// Name of the board, the same in all its sources.
    pub(super) name: String,
    /// The moves of the best known answer; `None` if there is none.
    pub(super) known: Option<u64>,
    /// The fewest moves of any entry here that solved it.
    pub(super) best: Option<u64>,
}

/// A row of a source: an entry and its results.
#[derive(Debug)]
pub(super) struct PlotEntry {
    /// Name of the source, as given by the user.
    pub(super) source: String,
    /// Name of the entry in its source.
    pub(super) entry: String,
    /// Its key in the page, see `data.rs`: the source and the row, such as `0-3`.
    pub(super) key: String,
    /// The index of each board in its source; `None` for a board that the source does not have.
    pub(super) boards: Vec<Option<usize>>,
    /// Its unique name in tables.
    pub(super) name: String,
    /// Unique name in drawings, short and printable.
    pub(super) label: String,
    /// Its colour and mark in the current drawing, see [`PlotData::colour_by`].
    pub(super) series: Option<usize>,
    /// Its results, in the order of the boards.
    pub(super) results: Vec<RunResult>,
    /// Its relative scores from 0 to 1, in the same order; `None` for a missing run.
    pub(super) scores: Vec<Option<f64>>,
    /// Its total time in microseconds. A table may contain it without the times of single runs.
    pub(super) total_time_us: Option<u64>,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RunResult {
    /// The entry solved the board with this number of moves.
    Solved { moves: u64, time_us: Option<u64> },
    /// The board is not solved. `sign` is the code of the verdict, or the progress of a legal answer, such as `16/25`.
    /// `penalized_us` is twice the limit, if that is known.
    Unsolved { sign: String, time_us: Option<u64>, penalized_us: Option<u64> },
    /// The run is missing or is a judge error.
    Missing,
}

/// Orders of entries for [`PlotData::colour_by`], the best first.
impl PlotEntry {
    /// Puts the highest mean relative score first.
    pub(super) fn by_score(&self) -> [f64; 2] {
        [-self.scores.iter().flatten().sum::<f64>(), 0.0]
    }

    /// By solved boards, then by their moves.
    pub(super) fn by_moves(&self) -> [f64; 2] {
        let moves = self.results.iter().filter_map(RunResult::moves).map(|moves| moves as f64);
        [-(self.solved() as f64), moves.sum()]
    }

    /// By solved boards, then by the time that they took.
    pub(super) fn by_time(&self) -> [f64; 2] {
        let time = self.results.iter().map(|result| match result {
            RunResult::Solved { time_us, .. } => time_us.map_or(0.0, |time| time as f64),
            RunResult::Unsolved { .. } | RunResult::Missing => 0.0,
        });
        [-(self.solved() as f64), time.sum()]
    }
}

impl RunResult {
    /// Returns the moves, if the board is solved.
    pub(super) fn moves(&self) -> Option<u64> {
        match self {
            Self::Solved { moves, .. } => Some(*moves),
            Self::Unsolved { .. } | Self::Missing => None,
        }
    }

    fn from_cell(cell: &RunCell) -> Self {
        let (time_us, penalized_us) = (cell.metrics.time_us, penalized_us(cell));
        let cost = cell.scoring.as_deref().and_then(Scoring::cost);
        match cell.code {
            _ if !cell.judged() => Self::Missing,
            _ if cell.solves() => {
                let moves = cost.and(cell.compared()).map(|moves| u64::try_from(moves.units()));
                Self::Solved { moves: moves.and_then(Result::ok).unwrap_or_default(), time_us }
            }
            Some(code) => Self::Unsolved { sign: code.to_string(), time_us, penalized_us },
            None if cost.is_some() => {
                let of = |figure: Option<String>| figure.unwrap_or_else(|| "?".into());
                let progress = cell.figure(0).map(|progress| progress.to_string());
                let sign = format!("{}/{}", of(progress), of(cell.full.map(|goal| goal.to_string())));
                Self::Unsolved { sign, time_us, penalized_us }
            }
            None => Self::Unsolved { sign: cell.text(), time_us, penalized_us },
        }
    }
}

impl PlotEntry {
    /// Counts the boards that are not missing.
    pub(super) fn judged(&self) -> usize {
        self.results.iter().filter(|result| **result != RunResult::Missing).count()
    }

    /// Counts the boards that it solved.
    pub(super) fn solved(&self) -> usize {
        self.results.iter().filter(|result| result.moves().is_some()).count()
    }
}

impl PlotData {
    /// Collects the data of the sources; `hidden` contains the notes from [`shown`] on the parts that it left out.
    pub(super) fn from_sources(sources: &[Source], hidden: Vec<String>) -> Self {
        let known = Boards::new(sources);
        let originals = sources;
        let medians = median_runs(sources.to_vec());
        let sources = medians.as_slice();
        let boards = known.variants.iter().map(|variant| Board {
            name: variant.label.clone(),
            known: variant.known,
            best: variant.best,
        });
        let boards: Vec<Board> = boards.collect();
        let mut entries = Vec::new();
        for (k, source) in sources.iter().enumerate() {
            // If boards were left out, indices in later sources differ from those of the page.
            let whole = k == 0 || boards.len() < MAX_BOARDS;
            for (row, rank) in source.results.rows.iter().zip(0..) {
                let mut own = vec![None; boards.len()];
                for (at, &column) in known.of_source[k].iter().enumerate().filter(|_| whole) {
                    own[column] = Some(at);
                }
                let key = format!("{k}-{rank}");
                let mut results = vec![RunResult::Missing; boards.len()];
                let mut scores = vec![None; boards.len()];
                for (at, (cell, &column)) in row.cells.iter().zip(&known.of_source[k]).enumerate() {
                    results[column] = RunResult::from_cell(cell);
                    scores[column] = known.score(k, at, cell).map(relative::share);
                }
                let (source_name, entry) = (source.name.clone(), row.entry.name.clone());
                let qualified = |source: &str, entry: &str| {
                    if sources.len() == 1 { entry.to_owned() } else { format!("{source}:{entry}") }
                };
                let name = text::in_table(&qualified(&source_name, &entry));
                let label = qualified(&text::short(&source_name), &text::shown(&entry));
                let total_time_us = row.total.time_us;
                let entry = PlotEntry {
                    source: source_name,
                    entry,
                    key,
                    boards: own,
                    name,
                    label,
                    series: None,
                    results,
                    scores,
                    total_time_us,
                };
                entries.push(entry);
            }
        }
        let mut limits = sources.iter().map(|source| source.results.limit_ms);
        let first = limits.next().flatten();
        let columns = sources.iter().zip(&known.of_source).flat_map(|(source, columns)| {
            let names = source.results.boards.iter().map(|head| (source.name.clone(), head.name.clone()));
            names.zip(columns.iter().copied())
        });
        let comparison = Comparison::from_all(originals.to_vec(), DEFAULT_SEED)
            .map(Comparison::without_boards)
            .map_err(|error| error.to_string());
        let scoring = scoring(sources);
        let warnings = comparison.iter().flat_map(|comparison| &comparison.warnings);
        Self {
            boards,
            columns: columns.collect(),
            warnings: warnings.map(|warning| text::sentence(&warning.short(MAX_NAMED))).collect(),
            comparison,
            entries,
            progress: text::shown(scoring.main().title()),
            moves: text::shown(scoring.figures[scoring.compared()].title()),
            scoring,
            solving: originals.is_empty() || known.solving.contains(&true),
            limit_us: first.filter(|_| limits.all(|limit| limit == first)).map(|ms| ms.saturating_mul(1000)),
            hidden: hidden.into_iter().chain(repeats_note(originals)).collect(),
        }
    }

    /// Gives colours to the best entries of the next drawing, which have the least keys, in the order of that drawing, so
    /// that its best line is never grey.
    pub(super) fn colour_by(&mut self, key: impl Fn(&PlotEntry) -> [f64; 2]) {
        let order = self.order(key);
        self.colour(order.into_iter());
    }

    /// Gives colours to the best entries of a drawing with two panels, alternately from one panel and the other, so that
    /// an entry has the same colour in both.
    pub(super) fn colour_by_both(
        &mut self,
        first: impl Fn(&PlotEntry) -> [f64; 2],
        second: impl Fn(&PlotEntry) -> [f64; 2],
    ) {
        let (first, second) = (self.order(first), self.order(second));
        let mut order: Vec<usize> = Vec::new();
        for index in first.into_iter().zip(second).flat_map(|(one, other)| [one, other]) {
            if !order.contains(&index) {
                order.push(index);
            }
        }
        self.colour(order.into_iter());
    }

    fn order(&self, key: impl Fn(&PlotEntry) -> [f64; 2]) -> Vec<usize> {
        let keys: Vec<[f64; 2]> = self.entries.iter().map(key).collect();
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by(|&a, &b| keys[a][0].total_cmp(&keys[b][0]).then(keys[a][1].total_cmp(&keys[b][1])));
        order
    }

    fn colour(&mut self, order: impl Iterator<Item = usize>) {
        for (place, index) in order.enumerate() {
            self.entries[index].series = (place < NAMED).then_some(place);
        }
    }

    /// Tests whether boards can be solved; with points, there may be no solutions.
    pub(super) fn solves(&self) -> bool {
        self.solving
    }

    /// Creates a caption, with the warnings and notes on all drawings.
    pub(super) fn caption(&self, lead: String, rest: String) -> Caption {
        Caption { lead, rest, notes: self.notes().join(" ") }
    }

    /// Returns the warnings and notes on all drawings, as sentences.
    pub(super) fn notes(&self) -> Vec<String> {
        self.warnings.iter().chain(&self.hidden).cloned().collect()
    }

    /// Describes the relative score in words.
    pub(super) fn score_rule(&self) -> String {
        let rule = self.comparison.as_ref().map(Comparison::score_rule).unwrap_or_default();
        text::sentence(&rule).trim_end_matches('.').replacen("The ", "the ", 1)
    }

    /// Returns the index of a source's board.
    pub(super) fn column(&self, source: &str, board: &str) -> Option<usize> {
        self.columns.get(&(source.to_owned(), board.to_owned())).copied()
    }

    /// Returns the boards that two sources have, matched by name: the index of each in the first and in the second.
    pub(super) fn common_boards(&self, first: &str, second: &str) -> Vec<(usize, usize)> {
        let boards = self.columns.iter().filter(|((source, _), _)| source == first);
        boards.filter_map(|((_, board), &column)| Some((column, self.column(second, board)?))).collect()
    }

    /// Returns a sentence on entries without a colour and a mark; empty if all have them.
    pub(super) fn rest_note(&self) -> String {
        match self.entries.iter().filter(|entry| entry.series.is_none()).count() {
            0 => String::new(),
            rest => format!(
                " The best {NAMED} of this drawing have their own colour, mark and name; the other {rest} are thin and grey, \
                 unless they are selected."
            ),
        }
    }
}

/// Limits the sources to the part that is drawn: the first entries of each table and the first boards. The sentences
/// describe what is left out.
pub(super) fn shown(sources: &[&Source]) -> (Vec<Source>, Vec<String>) {
    let mut sources: Vec<Source> = sources.iter().map(|source| (*source).clone()).collect();
    let mut notes = Vec::new();
    let most = (MAX_ENTRIES / sources.len().max(1)).max(1);
    let hidden: usize = sources.iter().map(|source| source.results.rows.len().saturating_sub(most)).sum();
    if hidden > 0 {
        notes.push(format!(
            "{} further down the table not drawn.",
            judge_job::count_text(hidden, "entry is", "entries are")
        ));
    }
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for source in &mut sources {
        let results = &mut source.results;
        // Drawings do not need them, and there is one per run.
        (results.faults, results.remarks) = (Vec::new(), Vec::new());
        results.rows.truncate(most);
        let kept: Vec<bool> = results
            .boards
            .iter()
            .map(|board| {
                let next = names.len();
                *names.entry(board.name.clone()).or_insert(next) < MAX_BOARDS
            })
            .collect();
        let keep = || kept.iter().copied();
        results.boards = std::mem::take(&mut results.boards).into_iter().zip(keep()).filter_map(chosen).collect();
        for row in &mut results.rows {
            row.cells = std::mem::take(&mut row.cells).into_iter().zip(keep()).filter_map(chosen).collect();
            row.repeats = std::mem::take(&mut row.repeats).into_iter().zip(keep()).filter_map(chosen).collect();
        }
    }
    if names.len() > MAX_BOARDS {
        notes.push(format!("The first {MAX_BOARDS} of {} boards are drawn.", names.len()));
    }
    (sources, notes)
}

fn chosen<T>((thing, kept): (T, bool)) -> Option<T> {
    kept.then_some(thing)
}

/// Returns the figures of the first source that records its game, or else of the first source. Their titles can be untrusted text
/// from a file.
fn scoring(sources: &[Source]) -> Arc<Scoring> {
    let labelled = sources.iter().find(|source| source.results.game.is_some()).or(sources.first());
    labelled.map_or_else(|| Scoring::of_game("").into(), |source| source.results.scoring.clone())
}

/// Explains which one of several runs is drawn.
fn repeats_note(sources: &[Source]) -> Option<String> {
    let rows = sources.iter().flat_map(|source| &source.results.rows);
    let repeated = rows.into_iter().any(|row| !row.repeats.is_empty());
    repeated.then(|| {
        "A board that was run several times counts with the median of its runs; places are those of the first.".into()
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::plot_data;
    use super::*;

    #[test]
    fn at_most_eight_entries_with_the_best_of_each_panel_have_a_colour() {
        let names: Vec<String> = (0..20).map(|entry| format!("e{entry}")).collect();
        let cells: Vec<String> = (0..20).map(|entry| (100 - entry).to_string()).collect();
        let rows: Vec<[&str; 1]> = cells.iter().map(|cell| [cell.as_str()]).collect();
        let rows: Vec<(&str, &[&str])> = names.iter().zip(&rows).map(|(name, row)| (name.as_str(), &row[..])).collect();
        let mut data = plot_data(&rows);
        let coloured = |data: &PlotData| {
            let named = data.entries.iter().filter_map(|entry| Some((entry.series?, entry.name.clone())));
            named.collect::<BTreeMap<usize, String>>()
        };
        data.colour_by(PlotEntry::by_moves);
        assert_eq!((coloured(&data).len(), coloured(&data)[&0].as_str()), (NAMED, "e19"));
        let place = |entry: &PlotEntry| entry.name[1..].parse::<f64>().unwrap();
        data.colour_by_both(|entry| [place(entry), 0.0], PlotEntry::by_moves);
        assert_eq!((coloured(&data)[&0].as_str(), coloured(&data)[&1].as_str()), ("e0", "e19"));
        assert_eq!(coloured(&data).len(), NAMED);
    }
}
