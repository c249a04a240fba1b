//! Writers of ranked results and of comparisons, each to any `Write`. They compute nothing that [`judge_core::results`] and
//! [`judge_core::compare`] do not hold.

mod comparison;
mod json;
mod plain;
mod table;

use std::io::{self, Write};

use clap::ValueEnum;

use judge_core::results::{Results, write_table};

pub use comparison::{ComparisonFormat, write_comparison};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people, with a legend and what went wrong.
    Table,
    /// One line an entry, in the layout of the table published in 1995.
    Plain,
    /// Everything, for programs.
    Json,
    /// One row an entry; `judge rank` reads it again.
    Csv,
}

/// Writes ranked results.
pub fn write(results: &Results, format: Format, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Table => table::write(results, out),
        Format::Plain => plain::write(results, out),
        Format::Json => json::write(results, out),
        Format::Csv => write_table(results, out).map_err(io::Error::from),
    }
}
