//! Writers of comparisons, to any `Write`. They only format the data of [`judge_core::compare`].

mod csv;
mod sentences;
mod table;

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;

use super::View;
use crate::layout::Markup;
use crate::output::write_pretty_json;
use judge_core::compare::{Comparison, EntryRef};
use judge_core::text::printable;

/// The format of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComparisonFormat {
    /// Tables and sentences, as wide as the terminal.
    Table,
    /// All data as one JSON document, for programs.
    Json,
    /// Rows of one kind, for programs.
    Csv,
    /// Tables and sentences as Markdown.
    Markdown,
    /// Tables and sentences as the body of a LaTeX document that uses booktabs and graphicx.
    Latex,
}

/// The detail of a comparison for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// Entries: a row of CSV is an entry of one of the results; JSON has no pairs.
    Entries,
    /// Pairs: a row of CSV is a pair; JSON has entries and pairs.
    #[default]
    Pairs,
    /// Boards: a row of CSV is a pair on one board; JSON has everything.
    Boards,
}

/// The version of the JSON. It increases when a key changes its meaning or is removed; new keys can come at any time.
const JSON_FORMAT: u32 = 3;

#[derive(Serialize)]
struct Document<'a> {
    format: u32,
    rows: Rows,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Writes a comparison. JSON has the keys of [`Comparison`]; unknown values are `null`. Tables have all columns.
///
/// # Errors
/// Those of `out`.
pub fn write_comparison(
    comparison: &Comparison,
    format: ComparisonFormat,
    rows: Rows,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_comparison_for(comparison, format, rows, View::default(), out)
}

/// Writes a comparison whose tables and sentences fit the view. JSON has the keys of [`Comparison`]; unknown values are
/// `null`.
///
/// # Errors
/// Those of `out`.
pub fn write_comparison_for(
    comparison: &Comparison,
    format: ComparisonFormat,
    rows: Rows,
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ComparisonFormat::Table => table::write(comparison, None, view, out),
        ComparisonFormat::Markdown => table::write(comparison, Some(Markup::Markdown), view, out),
        ComparisonFormat::Latex => table::write(comparison, Some(Markup::Latex), view, out),
        ComparisonFormat::Json => {
            let less = match rows {
                Rows::Entries => {
                    let mut entries = comparison.clone();
                    (entries.pairs, entries.changes) = (Vec::new(), Vec::new());
                    Some(entries)
                }
                Rows::Pairs => Some(comparison.clone().without_boards()),
                Rows::Boards => None,
            };
            let comparison = less.as_ref().unwrap_or(comparison);
            write_pretty_json(&Document { format: JSON_FORMAT, rows, comparison }, out)?;
            writeln!(out)
        }
        ComparisonFormat::Csv => csv::write(comparison, rows, out).map_err(io::Error::from),
    }
}

/// Returns the name of an entry, qualified by its source if there are several.
fn label(comparison: &Comparison, entry: &EntryRef) -> String {
    let EntryRef { source, entry, .. } = entry;
    let label = if comparison.sources.len() == 1 { entry.clone() } else { format!("{source}:{entry}") };
    printable(&label)
}
