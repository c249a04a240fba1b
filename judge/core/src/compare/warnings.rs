//! Reasons to doubt a comparison: sources that differ in boards or limits, unknown goals, suspect times.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Serialize, Serializer};

use super::boards::normalized;
use super::matching::RowIndex;
use super::{Boards, ComparedBoard, Source};
use crate::text;

/// A reason to doubt a comparison. It is serialized as its text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The reason, as a fragment.
    pub reason: String,
    /// The boards that the reason is about; empty if it is not about single boards.
    pub boards: Vec<String>,
}

impl Warning {
    /// Returns the warning with the names of at most `most` boards, and the number of the others.
    pub fn short(&self, most: usize) -> String {
        let named = self.boards.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
        match self.boards.len().saturating_sub(most) {
            _ if self.boards.is_empty() => self.reason.clone(),
            0 => format!("{}: {named}", self.reason),
            more => format!("{}: {named} and {more} more", self.reason),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short(usize::MAX))
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Finds reasons why the sources are less comparable, each with the boards that it concerns.
pub(super) fn of(
    sources: &[Source],
    boards: &[ComparedBoard],
    known: &Boards,
    pairs: &[(RowIndex, RowIndex)],
) -> Vec<Warning> {
    let about =
        |reason: &str, boards: Vec<String>| (!boards.is_empty()).then(|| Warning { reason: reason.to_owned(), boards });
    let plain = |reason: String| Warning { reason, boards: Vec::new() };
    let mut warnings = different_boards(sources);
    warnings
        .extend(about("reconstructions in some results only, so possibly different boards", reconstructions(sources)));
    let lacking = boards.iter().filter(|board| board.sources < sources.len()).map(|board| board.board.clone());
    warnings.extend(about("missing in some results, so compared only in the others", lacking.collect()));
    let limit = |at: RowIndex| sources[at.source].results.limit_ms;
    let unlike = |(a, b): &(RowIndex, RowIndex)| limit(*a).zip(limit(*b)).is_some_and(|(a, b)| a != b);
    if pairs.iter().any(unlike) {
        warnings.push(plain("entries without common results are compared across different time limits".into()));
    }
    let unknown = known.variants.iter().filter(|variant| variant.unknown).map(|variant| variant.label.clone());
    warnings.extend(about("nothing says what solves these boards, so who solved them is unknown", unknown.collect()));
    let cells = sources.iter().flat_map(|source| &source.results.rows).flat_map(|row| &row.cells);
    let suspect = cells.filter(|cell| cell.suspect).count();
    if suspect > 0 {
        warnings.push(plain(format!("{}: other processes interfered", text::suspect_times(suspect))));
    }
    warnings
}

/// Finds boards that share a name but not their text, for each two sources.
fn different_boards(sources: &[Source]) -> Vec<Warning> {
    let mut first: BTreeMap<&str, (&Source, String)> = BTreeMap::new();
    let mut warnings = Vec::new();
    for source in sources {
        let mut boards: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for board in &source.results.boards {
            let Some(text) = board.text.as_deref().map(normalized) else { continue };
            let (other, known) = first.entry(&board.name).or_insert_with(|| (source, text.clone()));
            if *known != text {
                boards.entry(&other.name).or_default().push(board.name.clone());
            }
        }
        warnings.extend(boards.into_iter().map(|(other, boards)| {
            let reason = format!("{other} and {} differ in boards that are compared by their names", source.name);
            Warning { reason, boards }
        }));
    }
    warnings
}

/// Finds boards that are reconstructions in some sources and originals in others.
fn reconstructions(sources: &[Source]) -> Vec<String> {
    let boards = || sources.iter().flat_map(|source| &source.results.boards);
    let names = |reconstruction: bool| -> BTreeSet<&str> {
        boards().filter(|board| board.reconstruction == reconstruction).map(|board| board.name.as_str()).collect()
    };
    names(true).intersection(&names(false)).map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_warning_counts_the_boards_that_it_does_not_name() {
        let warning = Warning { reason: "lost".into(), boards: ["A", "B", "C"].map(str::to_owned).into() };
        assert_eq!(warning.to_string(), "lost: A, B, C");
        assert_eq!(warning.short(2), "lost: A, B and 1 more");
        assert_eq!(Warning { reason: "late".into(), boards: Vec::new() }.short(2), "late");
    }
}
