//! Reasons to doubt a comparison: sources that differ in boards or limits, guessed goals, suspect times.

use std::collections::{BTreeMap, BTreeSet};

use super::goals::Goals;
use super::matching::RowIndex;
use super::{ComparedBoard, Source};

/// Lists the warnings, as fragments.
pub(super) fn of(
    sources: &[Source],
    boards: &[ComparedBoard],
    goals: &Goals,
    pairs: &[(RowIndex, RowIndex)],
) -> Vec<String> {
    let mut warnings = different_boards(sources);
    warnings.extend(reconstructions(sources));
    warnings.extend(missing_boards(sources, boards));
    let limit = |at: RowIndex| sources[at.source].results.limit_ms;
    let unlike = |(a, b): &(RowIndex, RowIndex)| limit(*a).zip(limit(*b)).is_some_and(|(a, b)| a != b);
    if pairs.iter().any(unlike) {
        warnings.push("entries without common results are compared across different time limits".into());
    }
    if !goals.guessed.is_empty() {
        let boards: Vec<&str> = goals.guessed.keys().map(String::as_str).collect();
        let boards = boards.join(", ");
        warnings.push(format!("no goal is recorded for {boards}: the most progress of any entry counts as solved"));
    }
    let cells = sources.iter().flat_map(|source| &source.results.rows).flat_map(|row| &row.cells);
    match cells.filter(|cell| cell.suspect).count() {
        0 => {}
        1 => warnings.push("the time of 1 run is suspect: other processes interfered".into()),
        suspect => warnings.push(format!("the times of {suspect} runs are suspect: other processes interfered")),
    }
    warnings
}

/// Finds boards that share a name but not their text.
fn different_boards(sources: &[Source]) -> Vec<String> {
    // Games ignore white space at the end of a line, and editors differ in it.
    let text = |text: &str| text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let mut first: BTreeMap<&str, (&Source, String)> = BTreeMap::new();
    let mut warnings = Vec::new();
    for source in sources {
        for board in &source.results.boards {
            let Some(text) = board.text.as_deref().map(text) else { continue };
            let (other, known) = first.entry(&board.name).or_insert_with(|| (source, text.clone()));
            if *known != text {
                let (board, other, source) = (&board.name, &other.name, &source.name);
                warnings.push(format!("{board} differs between {other} and {source}, but is compared by its name"));
            }
        }
    }
    warnings
}

/// Finds boards that are reconstructions in some sources and originals in others.
fn reconstructions(sources: &[Source]) -> Option<String> {
    let boards = || sources.iter().flat_map(|source| &source.results.boards);
    let names = |reconstruction: bool| -> BTreeSet<&str> {
        boards().filter(|board| board.reconstruction == reconstruction).map(|board| board.name.as_str()).collect()
    };
    let both: Vec<&str> = names(true).intersection(&names(false)).copied().collect();
    let both = (!both.is_empty()).then(|| both.join(", "))?;
    Some(format!("reconstructions in some results only, so possibly different boards: {both}"))
}

/// Finds boards that some sources lack.
fn missing_boards(sources: &[Source], boards: &[ComparedBoard]) -> Option<String> {
    let lacking: Vec<&str> =
        boards.iter().filter(|board| board.sources < sources.len()).map(|board| board.board.as_str()).collect();
    (!lacking.is_empty())
        .then(|| format!("missing in some results, so compared only in the others: {}", lacking.join(", ")))
}
