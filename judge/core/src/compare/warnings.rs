//! What whoever reads a comparison should know of its sources.

use std::collections::{BTreeMap, BTreeSet};

use super::goals::Goals;
use super::matching::Participant;
use super::{ComparedBoard, Source};

/// The warnings, as fragments.
pub(super) fn of(
    sources: &[Source],
    boards: &[ComparedBoard],
    goals: &Goals,
    pairs: &[(Participant, Participant)],
) -> Vec<String> {
    let mut warnings = other_texts(sources);
    warnings.extend(reconstructions(sources));
    warnings.extend(missing_boards(sources, boards));
    let limit = |participant: Participant| sources[participant.source].results.limit_ms;
    let unlike = |(a, b): &(Participant, Participant)| limit(*a).zip(limit(*b)).is_some_and(|(a, b)| a != b);
    if pairs.iter().any(unlike) {
        warnings.push("entries that never met are compared across runs with different time limits".into());
    }
    if !goals.guessed.is_empty() {
        let boards: Vec<&str> = goals.guessed.keys().map(String::as_str).collect();
        let boards = boards.join(", ");
        warnings.push(format!("nothing tells what solves {boards}: the most progress of any entry counts as solved"));
    }
    let cells = sources.iter().flat_map(|source| &source.results.rows).flat_map(|row| &row.cells);
    match cells.filter(|cell| cell.suspect).count() {
        0 => {}
        1 => warnings.push("the time of 1 run is suspect: others disturbed it".into()),
        suspect => warnings.push(format!("the times of {suspect} runs are suspect: others disturbed them")),
    }
    warnings
}

/// Boards of one name and several texts.
fn other_texts(sources: &[Source]) -> Vec<String> {
    // White space at the end of a line is nothing to a game, and editors differ in it.
    let text = |text: &str| text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    let mut first: BTreeMap<&str, (&Source, String)> = BTreeMap::new();
    let mut warnings = Vec::new();
    for source in sources {
        for board in &source.results.boards {
            let Some(text) = board.text.as_deref().map(text) else { continue };
            let (other, known) = first.entry(&board.name).or_insert_with(|| (source, text.clone()));
            if *known != text {
                let (board, other, source) = (&board.name, &other.name, &source.name);
                warnings.push(format!("{board} is another board in {source} than in {other}, compared all the same"));
            }
        }
    }
    warnings
}

/// Boards that stand for the original in some runs and are the original in others.
fn reconstructions(sources: &[Source]) -> Option<String> {
    let boards = || sources.iter().flat_map(|source| &source.results.boards);
    let names = |reconstruction: bool| -> BTreeSet<&str> {
        boards().filter(|board| board.reconstruction == reconstruction).map(|board| board.name.as_str()).collect()
    };
    let both: Vec<&str> = names(true).intersection(&names(false)).copied().collect();
    let both = (!both.is_empty()).then(|| both.join(", "))?;
    Some(format!("a reconstruction in one run and not in another, so perhaps not the same board: {both}"))
}

/// Boards that some runs lack.
fn missing_boards(sources: &[Source], boards: &[ComparedBoard]) -> Option<String> {
    let lacking: Vec<&str> =
        boards.iter().filter(|board| board.runs < sources.len()).map(|board| board.board.as_str()).collect();
    (!lacking.is_empty()).then(|| format!("not in every run, and compared only where it is: {}", lacking.join(", ")))
}
