//! Who is compared with whom, and on which boards.

use std::collections::{BTreeMap, BTreeSet};

use super::goals::Goals;
use super::pair::{EntryRef, Meeting, Pair};
use super::{CompareError, Source};

/// More cells side by side than this are refused: a small file could ask for more than memory holds.
const MOST_LINES: usize = 1_000_000;

/// An entry in a run: a row of a source, both by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Participant {
    pub(super) source: usize,
    row: usize,
}

/// Everybody who can be compared.
pub(super) struct Matching<'a> {
    pub(super) sources: &'a [Source],
    pub(super) goals: &'a Goals,
}

impl Matching<'_> {
    fn entry(&self, participant: Participant) -> &str {
        &self.sources[participant.source].results.rows[participant.row].entry.name
    }

    fn participants(&self) -> Vec<Participant> {
        let rows = self.sources.iter().map(|source| source.results.rows.len()).enumerate();
        rows.flat_map(|(source, rows)| (0..rows).map(move |row| Participant { source, row })).collect()
    }

    /// Different entries: where they met in a run in that run, where they never did across runs.
    pub(super) fn pairs(&self) -> Result<Vec<(Participant, Participant)>, CompareError> {
        let participants = self.participants();
        let mut homes: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for &participant in &participants {
            homes.entry(self.entry(participant)).or_default().insert(participant.source);
        }
        let (mut pairs, mut lines) = (Vec::new(), 0);
        for (index, &first) in participants.iter().enumerate() {
            for &second in &participants[index + 1..] {
                let (a, b) = (self.entry(first), self.entry(second));
                if first.source == second.source || (a != b && homes[a].is_disjoint(&homes[b])) {
                    pairs.push((first, second));
                    lines += self.sources[first.source].results.boards.len();
                }
                if lines > MOST_LINES {
                    return Err(CompareError::TooMany(participants.len()));
                }
            }
        }
        Ok(pairs)
    }

    /// The same entry in one run and the next that has it.
    pub(super) fn changes(&self) -> Vec<(Participant, Participant)> {
        let mut by_entry: Vec<(&str, Vec<Participant>)> = Vec::new();
        let mut index: BTreeMap<&str, usize> = BTreeMap::new();
        for participant in self.participants() {
            let entry = self.entry(participant);
            let place = *index.entry(entry).or_insert(by_entry.len());
            if place == by_entry.len() {
                by_entry.push((entry, Vec::new()));
            }
            by_entry[place].1.push(participant);
        }
        by_entry.iter().flat_map(|(_, participants)| participants.windows(2).map(|pair| (pair[0], pair[1]))).collect()
    }

    /// The pairs met, in their order; without a seed they have no intervals.
    pub(super) fn meet_all(&self, pairs: &[(Participant, Participant)], seed: Option<u64>) -> Vec<Pair> {
        pairs.iter().map(|&(first, second)| self.meet(first, second, seed)).collect()
    }

    fn meet(&self, first: Participant, second: Participant, seed: Option<u64>) -> Pair {
        let [(here, first_cells), (there, second_cells)] = [first, second].map(|participant| {
            let results = &self.sources[participant.source].results;
            (&results.boards, &results.rows[participant.row].cells)
        });
        let columns: BTreeMap<&str, usize> =
            there.iter().enumerate().map(|(column, board)| (board.name.as_str(), column)).collect();
        let meetings = here.iter().zip(first_cells).filter_map(|(board, first)| {
            let column = *columns.get(board.name.as_str())?;
            let (first, second) = (self.goals.of_cell(board, first), self.goals.of_cell(board, &second_cells[column]));
            let reconstruction = board.reconstruction || there[column].reconstruction;
            Some(Meeting { board: &board.name, reconstruction, first, second })
        });
        let contestant = |participant: Participant| EntryRef {
            run: self.sources[participant.source].name.clone(),
            entry: self.entry(participant).to_owned(),
        };
        Pair::of(contestant(first), contestant(second), meetings.collect(), seed)
    }
}
