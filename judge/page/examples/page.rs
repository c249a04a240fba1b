//! Writes the page of a table of results: `cargo run -p judge-page --example page -- results.csv > page.html`.

use std::error::Error;
use std::io::{self, Read, Write};

use judge_core::compare::Source;
use judge_core::results::Results;

/// Reads runs or a table as CSV, and writes their page.
pub(crate) fn page(name: &str, csv: impl Read, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let results = Results::read_csv(name, csv)?;
    judge_page::write(&[Source { name: name.into(), results }.into()], out)?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: page RESULTS.csv")?;
    page(&file, std::fs::File::open(&file)?, &mut io::stdout())
}
