//! The reports of the command `judge`: ranked results and comparisons as tables, JSON, CSV, Markdown and LaTeX.
//!
//! They only format the data of [`judge_core::results`] and [`judge_core::compare`], to any `Write`. The remedies in the
//! reports name options of the command.
//!
//! ```
//! use judge_core::results::Results;
//! use judge_report::{Format, write};
//!
//! let csv = "entry,board,verdict,progress,full,moves,tie_break,limit_ms\nmine,EASY,solved,25,25,12,1,10000\n";
//! let results = Results::read_csv("results.csv", csv.as_bytes())?;
//! let mut table = Vec::new();
//! write(&results, Format::Markdown, &mut table)?;
//! assert!(String::from_utf8(table)?.contains("| 25/12 |"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The example of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod comparison;
mod cross;
pub mod describe;
pub mod directory;
mod failures;
mod heads;
mod hint;
mod json;
mod knock_out;
pub mod layout;
pub mod output;
mod plain;
pub mod replay_cursor;
mod rounds;
mod season;
mod table;

use std::io::{self, Write};
use std::path::Path;

use clap::ValueEnum;

use crate::layout::Markup;
use judge_core::hint::Hint;
use judge_core::legend;
use judge_core::results::Results;
use judge_core::results_csv::write_table;

pub use comparison::{ComparisonFormat, Rows, write_comparison, write_comparison_for};
pub use failures::lines as failure_lines;
pub use hint::{with_hint, with_hint_for};
pub use json::RunFigures;
pub use season::{SeasonFormat, write_season};

/// A warning that several referees ruled, as a sentence. Its command names the results directory, if there is one.
fn referees(results: &Results, directory: Option<&Path>) -> Option<String> {
    legend::referees(results).map(|several| with_hint_for(several, Some(&Hint::Rejudge), directory) + ".")
}

/// A sentence without a full stop that states what decides places, or how to choose that if the results do not.
fn ranking(results: &Results) -> String {
    legend::ranking(results).unwrap_or_else(|| with_hint(legend::UNRANKED, Some(&Hint::NameFigures)))
}

/// The format of ranked results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table with a legend and a list of failures.
    Table,
    /// One line per entry, in the layout of the table of 1995.
    Plain,
    /// All data as one JSON document, for programs.
    Json,
    /// One row per entry; `judge rank` can read it.
    Csv,
    /// The table and its legend as Markdown.
    Markdown,
    /// The table and its legend as the body of a LaTeX document that uses booktabs and graphicx.
    Latex,
}

/// The medium in which a person reads results.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// Columns of the terminal; `None` for tables of any width.
    pub width: Option<usize>,
    /// The results directory, for commands in messages, and for the last lines of standard error of crashed entries.
    pub results: Option<&'a Path>,
    /// True to show the table of all pairs of a comparison, regardless of their number.
    pub pairs: bool,
    /// The notices of the command, for readers of the JSON who do not see standard error.
    pub notices: &'a [String],
}

/// Writes ranked results without a limit on the width.
///
/// # Errors
/// Those of `out`.
pub fn write(results: &Results, format: Format, out: &mut dyn Write) -> io::Result<()> {
    write_for(results, format, View::default(), out)
}

/// Writes ranked results. Only [`Format::Table`] depends on the width of the view.
///
/// # Errors
/// Those of `out`.
pub fn write_for(results: &Results, format: Format, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Table => table::write(results, view, out),
        Format::Plain => plain::write(results, view.results, out),
        Format::Json => json::write(results, view.notices, out),
        Format::Csv => write_table(results, out),
        Format::Markdown => table::write_document(results, Markup::Markdown, out),
        Format::Latex => table::write_document(results, Markup::Latex, out),
    }
}
