//! Results as CSV files, with one row per run or one row per entry.

mod lines;
mod runs;
mod spreadsheet;
mod table;

use std::io::Read;

use csv::StringRecord;

use self::lines::Lines;
use crate::ranking;
use crate::results::{Results, ResultsError};
use crate::score::Row;
use crate::text::printable;
use judge_files::regular;

pub use runs::{MISSING, NO_FIGURES, write as write_runs};
pub use spreadsheet::Text;
pub use table::write as write_table;

/// The largest CSV file, in bytes, and the most cells of a table.
const MAX_BYTES: u64 = 1 << 30;
const MAX_CELLS: usize = 2_000_000;

impl Results {
    /// Reads CSV of either form. `file` is the name in errors.
    ///
    /// # Errors
    ///
    /// The text is neither a table nor a list of runs. The error contains the line and the reason.
    pub fn read_csv(file: &str, csv: impl Read) -> Result<Self, ResultsError> {
        let refuse = |reason: String| ResultsError::Csv { file: file.to_owned(), reason };
        let mut reader = csv::Reader::from_reader(Lines::new(regular::capped(csv, MAX_BYTES)));
        let headers = reader.headers().cloned();
        let headers = headers.map_err(|error| refuse(csv_reason(&error, reader.get_mut())))?;
        let has = |name: &str| headers.iter().any(|header| header == name);
        // Boards may be named `board` and `verdict`, but a file of runs has no total.
        let mut results = if has("entry") && has("board") && has("verdict") && !has("total_ms") {
            runs::read(&mut reader, &headers).map_err(refuse)?
        } else if has("entry") && (has("moves") || has("total_ms")) {
            table::read(&mut reader, &headers).map_err(refuse)?
        } else {
            return Err(refuse(
                "is neither a file of runs (columns entry, board, verdict, …) nor a table (columns entry, the boards, \
                 progress, moves, tie-break, total_ms)"
                    .into(),
            ));
        };
        results.rows.iter().try_for_each(check_total).map_err(refuse)?;
        ranking::rank(&mut results.rows, &results.ranking);
        Ok(results)
    }
}

/// Refuses a table with too many cells. The error is a fragment.
fn check_size(rows: usize, columns: usize) -> Result<(), String> {
    if rows.saturating_mul(columns) <= MAX_CELLS {
        return Ok(());
    }
    Err(format!("{rows} entries on {columns} boards are more than a table can show"))
}

/// Refuses a row if all its times are known but their sum does not fit 64 bits, because entries would tie. The error is a
/// fragment. This is rule 23 of docs/scoring.md.
fn check_total(row: &Row) -> Result<(), String> {
    let mut cells = row.cells.iter().filter(|cell| !cell.not_planned).peekable();
    let lost = row.total.time_us.is_none() && cells.peek().is_some();
    match lost && cells.all(|cell| cell.metrics.time_us.is_some()) {
        true => Err(format!("the sum of the times of entry {} does not fit 64 bits", printable(&row.entry.name))),
        false => Ok(()),
    }
}

/// Reads the next record and returns the line on which it begins; `None` after the last one. The error is a fragment with its
/// line.
fn next_record<R: Read>(reader: &mut csv::Reader<Lines<R>>, record: &mut StringRecord) -> Result<Option<u64>, String> {
    match reader.read_record(record) {
        Ok(false) => Ok(None),
        Ok(true) => Ok(Some(reader.get_mut().at(record.position().map_or(0, csv::Position::byte)))),
        Err(error) => Err(csv_reason(&error, reader.get_mut())),
    }
}

/// A CSV error as a fragment with its line.
fn csv_reason<R>(error: &csv::Error, lines: &mut Lines<R>) -> String {
    let Some(line) = error.position().map(|position| lines.at(position.byte())) else { return error.to_string() };
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("line {line}: {len} columns, but the header has {expected_len}")
        }
        csv::ErrorKind::Utf8 { err, .. } => format!("line {line}: field {}: is not UTF-8", err.field() + 1),
        _ => format!("line {line}: {error}"),
    }
}

/// The word for a boolean in CSV files.
pub fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

fn parse_yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{text}` is neither yes nor no")),
    }
}

#[cfg(test)]
mod tests;
