//! The choice of the compared entries and boards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::boards::Boards;
use super::pair::{CellPair, ComparedRun, EntryRef, Pair, PairContext, Side};
use super::{CompareError, Source};
use crate::ranking::BoardRanking;
use crate::reference::Reference;

/// The most board lines of all pairs together that are kept, because they take most of the memory.
const MAX_LINES: usize = 1_000_000;
/// The most boards of all pairs together that are compared, and the most pairs. Otherwise, a small file could take hours, or more
/// memory than available.
const MAX_BOARDS: usize = 20_000_000;
const MAX_PAIRS: usize = 50_000;

/// A row of a source, both by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowIndex {
    pub(super) source: usize,
    row: usize,
}

/// The rows that can be compared.
pub(super) struct Matching<'a> {
    pub(super) sources: &'a [Source],
    pub(super) boards: &'a Boards,
    /// The ranking of each source, and the references of its boards.
    pub(super) rankings: Vec<(BoardRanking, Vec<Reference>)>,
    /// The seed of random sign flips.
    pub(super) seed: u64,
}

/// The rankings of sources, with the references of their boards.
pub(super) fn rankings(sources: &[Source]) -> Vec<(BoardRanking, Vec<Reference>)> {
    let of = |source: &Source| (source.results.board_ranking(), Reference::from_boards(&source.results.rows, &[]));
    sources.iter().map(of).collect()
}

/// The names of a source's boards, which the lines of all its pairs share.
fn names(source: &Source) -> Vec<Arc<str>> {
    source.results.boards.iter().map(|board| board.name.as_str().into()).collect()
}

impl Matching<'_> {
    fn entry(&self, at: RowIndex) -> &str {
        &self.sources[at.source].results.rows[at.row].entry.name
    }

    fn rows(&self) -> Vec<RowIndex> {
        let rows = self.sources.iter().map(|source| source.results.rows.len()).enumerate();
        rows.flat_map(|(source, rows)| (0..rows).map(move |row| RowIndex { source, row })).collect()
    }

    /// Pairs of different entries: within a source, and across sources if no source has both.
    ///
    /// # Errors
    ///
    /// [`CompareError::TooManyEntries`].
    pub(super) fn pairs(&self) -> Result<Vec<(RowIndex, RowIndex)>, CompareError> {
        let rows = self.rows();
        let mut sources_of: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for &at in &rows {
            sources_of.entry(self.entry(at)).or_default().insert(at.source);
        }
        let (mut pairs, mut boards) = (Vec::new(), 0);
        for (index, &first) in rows.iter().enumerate() {
            for &second in &rows[index + 1..] {
                let (a, b) = (self.entry(first), self.entry(second));
                if first.source == second.source || (a != b && sources_of[a].is_disjoint(&sources_of[b])) {
                    pairs.push((first, second));
                    boards += self.sources[first.source].results.boards.len();
                }
                if boards > MAX_BOARDS || pairs.len() > MAX_PAIRS {
                    return Err(CompareError::TooManyEntries(rows.len()));
                }
            }
        }
        Ok(pairs)
    }

    /// Pairs of one entry's rows: each with the row in the next source that has the entry.
    pub(super) fn changes(&self) -> Vec<(RowIndex, RowIndex)> {
        let mut by_entry: Vec<(&str, Vec<RowIndex>)> = Vec::new();
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        for at in self.rows() {
            let entry = self.entry(at);
            let position = *positions.entry(entry).or_insert(by_entry.len());
            if position == by_entry.len() {
                by_entry.push((entry, Vec::new()));
            }
            by_entry[position].1.push(at);
        }
        by_entry.iter().flat_map(|(_, rows)| rows.windows(2).map(|pair| (pair[0], pair[1]))).collect()
    }

    /// Compares pairs, in their order, and corrects their tests. Each has a line per board, unless these are too many.
    pub(super) fn compare_all(&self, pairs: &[(RowIndex, RowIndex)]) -> Vec<Pair> {
        let boards = |(first, _): &(RowIndex, RowIndex)| self.sources[first.source].results.boards.len();
        let lines = pairs.iter().map(boards).sum::<usize>() <= MAX_LINES;
        let runs = self.runs(lines);
        let board_names: Vec<Vec<Arc<str>>> = self.sources.iter().map(names).collect();
        let mut columns: BTreeMap<(usize, usize), Vec<Option<usize>>> = BTreeMap::new();
        let compared = pairs.iter().map(|&(first, second)| {
            let columns = columns
                .entry((first.source, second.source))
                .or_insert_with(|| self.columns(first.source, second.source));
            self.compare([first, second], &runs, &board_names[first.source], columns)
        });
        let mut pairs: Vec<Pair> = compared.collect();
        Pair::correct(&mut pairs);
        pairs
    }

    /// For each board of a source, its column in another one.
    fn columns(&self, source: usize, other: usize) -> Vec<Option<usize>> {
        let heads = |source: usize| self.sources[source].results.boards.iter();
        let of_name: BTreeMap<&str, usize> =
            heads(other).enumerate().map(|(column, board)| (board.name.as_str(), column)).collect();
        heads(source).map(|board| of_name.get(board.name.as_str()).copied()).collect()
    }

    fn compare(
        &self,
        [first, second]: [RowIndex; 2],
        runs: &[Vec<Vec<ComparedRun<'_>>>],
        names: &[Arc<str>],
        columns: &[Option<usize>],
    ) -> Pair {
        let heads = &self.sources[first.source].results.boards;
        let other_heads = &self.sources[second.source].results.boards;
        let cells = names.iter().zip(columns).enumerate().filter_map(|(column, (board, other))| {
            let other = (*other)?;
            let reconstruction = heads[column].reconstruction || other_heads[other].reconstruction;
            let [first, second] =
                [(first, column), (second, other)].map(|(at, column)| &runs[at.source][at.row][column]);
            Some(CellPair { board, reconstruction, first, second })
        });
        let cells: Vec<CellPair<'_>> = cells.collect();
        let entry_ref =
            |at: RowIndex| EntryRef { source: self.sources[at.source].name.clone(), entry: self.entry(at).to_owned() };
        let terms = PairContext {
            rows: [first, second].map(|at| &self.sources[at.source].results.rows[at.row]),
            ranking: &self.rankings[first.source].0,
            solving: [first, second].map(|at| self.boards.solving[at.source]),
            seed: self.seed,
            timed: first.source == second.source,
        };
        Pair::new(entry_ref(first), entry_ref(second), &cells, terms)
    }

    /// The runs by source, row and column. Each is in many pairs, so its score and, for lines, its texts are made once.
    fn runs(&self, lines: bool) -> Vec<Vec<Vec<ComparedRun<'_>>>> {
        let of_source = |source: usize| {
            let references = &self.rankings[source].1;
            let rows = self.sources[source].results.rows.iter().map(|row| {
                let runs = row.cells.iter().zip(references).enumerate().map(|(column, (cell, reference))| {
                    let score = self.boards.score(source, column, cell);
                    let side = || Arc::new(Side::new(cell, score, reference, self.boards.solving[source]));
                    ComparedRun { cell, score, reference, side: lines.then(side) }
                });
                runs.collect()
            });
            rows.collect()
        };
        (0..self.sources.len()).map(of_source).collect()
    }
}
