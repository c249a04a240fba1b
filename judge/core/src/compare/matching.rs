//! Which entries are compared with which, and on which boards.

use std::collections::{BTreeMap, BTreeSet};

use super::boards::Boards;
use super::goals::Goals;
use super::pair::{CellPair, Compared, EntryRef, Pair};
use super::{CompareError, Source};

/// The most board lines of all pairs together. A small file could otherwise require more than the memory.
const MAX_LINES: usize = 1_000_000;

/// A row of a source, both by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowIndex {
    pub(super) source: usize,
    row: usize,
}

/// The rows that can be compared.
pub(super) struct Matching<'a> {
    pub(super) sources: &'a [Source],
    pub(super) goals: &'a Goals,
    pub(super) boards: &'a Boards,
    /// The seed of random sign flips.
    pub(super) seed: u64,
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
    pub(super) fn pairs(&self) -> Result<Vec<(RowIndex, RowIndex)>, CompareError> {
        let rows = self.rows();
        let mut sources_of: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for &at in &rows {
            sources_of.entry(self.entry(at)).or_default().insert(at.source);
        }
        let (mut pairs, mut lines) = (Vec::new(), 0);
        for (index, &first) in rows.iter().enumerate() {
            for &second in &rows[index + 1..] {
                let (a, b) = (self.entry(first), self.entry(second));
                if first.source == second.source || (a != b && sources_of[a].is_disjoint(&sources_of[b])) {
                    pairs.push((first, second));
                    lines += self.sources[first.source].results.boards.len();
                }
                if lines > MAX_LINES {
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

    /// Compares pairs, in their order, and corrects their tests.
    pub(super) fn compare_all(&self, pairs: &[(RowIndex, RowIndex)]) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = pairs.iter().map(|&(first, second)| self.compare(first, second)).collect();
        Pair::correct(&mut pairs);
        pairs
    }

    fn compare(&self, first: RowIndex, second: RowIndex) -> Pair {
        let heads = &self.sources[first.source].results.boards;
        let other_heads = &self.sources[second.source].results.boards;
        let columns: BTreeMap<&str, usize> =
            other_heads.iter().enumerate().map(|(column, board)| (board.name.as_str(), column)).collect();
        let cells = heads.iter().enumerate().filter_map(|(column, board)| {
            let other = *columns.get(board.name.as_str())?;
            let reconstruction = board.reconstruction || other_heads[other].reconstruction;
            let (first, second) = (self.run(first, column), self.run(second, other));
            Some(CellPair { board: &board.name, reconstruction, first, second })
        });
        let entry_ref =
            |at: RowIndex| EntryRef { source: self.sources[at.source].name.clone(), entry: self.entry(at).to_owned() };
        Pair::new(entry_ref(first), entry_ref(second), cells.collect(), self.seed)
    }

    /// Returns the run of a row on the board of a column.
    fn run(&self, at: RowIndex, column: usize) -> Compared<'_> {
        let results = &self.sources[at.source].results;
        let (cell, goal) = self.goals.with_goal(&results.boards[column], &results.rows[at.row].cells[column]);
        Compared {
            cell,
            goal,
            score: self.boards.score(at.source, column, (cell, goal)),
            points: self.boards.points,
            solving: self.boards.solving[at.source],
        }
    }
}
