//! The sentences that explain deviations, and the check that exactly the deviating entries have one.

use std::collections::BTreeMap;

use super::{Board, Comparison};

/// An entry, its deviating cells on the reconstructed boards, and the explanation.
pub(crate) struct Explained {
    pub(crate) entry: String,
    pub(crate) cells: Vec<String>,
    pub(crate) sentence: String,
}

/// Explains every entry that deviates, in the order of the table. `sentences` is CSV with the columns `entry` and
/// `sentence`.
pub(crate) fn explained(entries: &[Comparison], sentences: &str) -> Result<Vec<Explained>, String> {
    let mut given: BTreeMap<String, String> = csv::Reader::from_reader(sentences.as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(|error| format!("deviations.csv: {error}"))?;
    let mut explained = Vec::new();
    for entry in entries {
        let deviating = |board: &&Board| board.is_reconstructed() && board.deviates();
        let cells: Vec<String> = entry.boards.iter().filter(deviating).map(|board| board.name.to_owned()).collect();
        if !cells.is_empty() {
            let name = entry.name();
            let sentence = given.remove(name).ok_or_else(|| {
                format!("{name} deviates on {}: add a row to deviations.csv that explains it", cells.join(", "))
            })?;
            explained.push(Explained { entry: name.to_owned(), cells, sentence });
        }
    }
    match given.keys().next() {
        Some(entry) => Err(format!("deviations.csv explains {entry}, which does not deviate: remove its row")),
        None => Ok(explained),
    }
}
