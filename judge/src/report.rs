//! Writers of ranked results and of comparisons, to any `Write`. They only format the data of [`judge_core::results`]
//! and [`judge_core::compare`].

mod comparison;
mod json;
mod plain;
mod table;

use std::io::{self, Write};

use clap::ValueEnum;

use judge_core::results::{Results, write_table};

pub use comparison::{ComparisonFormat, write_comparison};

/// The format of ranked results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table with a legend and a list of failures.
    Table,
    /// One line per entry, in the layout of the table of 1995.
    Plain,
    /// All data, for programs.
    Json,
    /// One row per entry; `judge rank` can read it.
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
