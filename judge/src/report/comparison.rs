//! Writers of comparisons, to any `Write`. They only format the data of [`judge_core::compare`].

mod csv;
mod sentences;
mod table;

use std::io::{self, Write};

use clap::ValueEnum;

use super::View;
use crate::output::write_pretty_json;
use judge_core::compare::{Comparison, EntryRef};
use judge_core::text::printable;

/// The format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComparisonFormat {
    /// Tables and sentences.
    Table,
    /// All data, for programs.
    Json,
    /// One row per pair, and one row per pair and board.
    Csv,
}

/// Writes a comparison. JSON has the fields of [`Comparison`]; unknown values are `null`.
pub fn write_comparison(comparison: &Comparison, format: ComparisonFormat, out: &mut dyn Write) -> io::Result<()> {
    write_comparison_for(comparison, format, View::default(), out)
}

/// The same; tables and sentences fit the view.
pub fn write_comparison_for(
    comparison: &Comparison,
    format: ComparisonFormat,
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ComparisonFormat::Table => table::write(comparison, view, out),
        ComparisonFormat::Json => {
            write_pretty_json(comparison, out)?;
            writeln!(out)
        }
        ComparisonFormat::Csv => csv::write(comparison, out).map_err(io::Error::from),
    }
}

/// The result of the first entry in two sources as a sentence; `None` if they have no board in common.
#[cfg(feature = "sandbox")]
pub(crate) fn change_sentence(comparison: Comparison) -> Option<String> {
    let pair = comparison.changes.first().filter(|pair| !pair.boards.is_empty())?;
    Some(sentences::of_change(&comparison, pair))
}

/// Returns the name of an entry, qualified by its source if there are several.
fn label(comparison: &Comparison, entry: &EntryRef) -> String {
    let EntryRef { source, entry } = entry;
    let label = if comparison.sources.len() == 1 { entry.clone() } else { format!("{source}:{entry}") };
    printable(&label)
}
