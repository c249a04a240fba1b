//! Writers of a comparison, each to any `Write`. They compute nothing that [`judge_core::compare`] does not hold.

mod csv;
mod table;
mod words;

use std::io::{self, Write};

use clap::ValueEnum;

use judge_core::compare::{Comparison, EntryRef};
use judge_core::text::printable;

/// How a comparison is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ComparisonFormat {
    /// Tables and sentences for people.
    Table,
    /// Everything, for programs.
    Json,
    /// One row a pair, one row a pair and board.
    Csv,
}

/// Writes a comparison. As JSON it is a [`Comparison`] field by field; what is not known is `null`.
pub fn write_comparison(comparison: &Comparison, format: ComparisonFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ComparisonFormat::Table => table::write(comparison, out),
        ComparisonFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, comparison)?;
            writeln!(out)
        }
        ComparisonFormat::Csv => csv::write(comparison, out).map_err(io::Error::from),
    }
}

/// What a contestant is called: its entry alone where there is but one run.
fn label(comparison: &Comparison, contestant: &EntryRef) -> String {
    let EntryRef { run, entry } = contestant;
    let label = if comparison.runs.len() == 1 { entry.clone() } else { format!("{run}:{entry}") };
    printable(&label)
}
