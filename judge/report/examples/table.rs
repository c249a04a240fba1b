//! Prints the ranked table of results: `cargo run -p judge-report --example table -- results.csv`.

use std::error::Error;

use judge_core::results::Results;
use judge_report::{Format, write};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: table RESULTS.csv")?;
    let results = Results::read_csv(&path, std::fs::File::open(&path)?)?;
    Ok(write(&results, Format::Table, &mut std::io::stdout())?)
}
