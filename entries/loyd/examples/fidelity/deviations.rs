//! The sentences that explain deviations, and the check that exactly the deviating entries have one.

use std::collections::BTreeMap;

use super::{Board, Comparison, FAITHFUL, FAITHFUL_MEAN, differs};

/// An entry and its deviating figures, which a sentence explains.
pub(crate) struct Explained {
    pub(crate) entry: String,
    pub(crate) figures: Vec<String>,
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
        let figures = deviating(entry);
        if !figures.is_empty() {
            let name = entry.name();
            given.remove(name).ok_or_else(|| {
                format!("{name} deviates ({}): add a row to deviations.csv that explains it", figures.join(", "))
            })?;
            explained.push(Explained { entry: name.to_owned(), figures });
        }
    }
    match given.keys().next() {
        Some(entry) => Err(format!("deviations.csv explains {entry}, which does not deviate: remove its row")),
        None => Ok(explained),
    }
}

/// The deviating figures of an entry: its cells on the reconstructed boards, their mean ratio of moves, and the ratio of
/// transports.
fn deviating(entry: &Comparison) -> Vec<String> {
    let reconstructed = || entry.boards.iter().filter(|board| board.is_reconstructed());
    let cells = reconstructed().filter(|board| board.deviates()).map(|board| board.name.to_owned());
    let ratios: Vec<f64> = reconstructed().filter_map(Board::ratio).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let mean = (ratios.len() > 1 && differs(mean, FAITHFUL_MEAN)).then(|| format!("mean {mean:.2}"));
    let transports = entry.transports().filter(|&ratio| differs(ratio, FAITHFUL));
    cells.chain(mean).chain(transports.map(|ratio| format!("transports {ratio:.2}"))).collect()
}
