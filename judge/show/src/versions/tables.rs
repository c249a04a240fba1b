//! CSV files of a solver's folder. They are replaced atomically, so an interruption leaves the old file.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::versions::error::TryError;
use judge_files::regular;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// The bytes of a file; `None` if it does not exist.
fn bytes(path: &Path) -> Result<Option<Vec<u8>>, TryError> {
    match regular::read(path, MAX_BYTES) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(TryError::Memory { path: path.to_owned(), source }),
    }
}

/// The rows of a CSV file; none if it does not exist.
pub(crate) fn rows<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>, TryError> {
    let Some(bytes) = bytes(path)? else { return Ok(Vec::new()) };
    let mut reader = csv::Reader::from_reader(&*bytes);
    let rows = reader.deserialize().collect::<csv::Result<Vec<T>>>();
    rows.map_err(|error| TryError::Damaged { path: path.to_owned(), source: error.into() })
}

/// Writes rows as a CSV file.
pub(crate) fn write_rows<T: Serialize>(path: &Path, rows: &[T]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(io::Error::other)?;
    write_whole(path, &into_bytes(writer)?)
}

/// Writes a CSV file with one more column, `head`. `cell` makes its text from the row's cell in the column `of`.
pub(crate) fn write_with_column(
    path: &Path,
    table: &[u8],
    (head, of): (&str, &str),
    cell: impl Fn(&str) -> String,
) -> io::Result<()> {
    let mut reader = csv::Reader::from_reader(table);
    let headers = reader.headers()?.clone();
    let column = headers.iter().position(|name| name == of);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(headers.iter().chain([head]))?;
    for row in reader.records() {
        let row = row?;
        let more = cell(column.and_then(|column| row.get(column)).unwrap_or_default());
        writer.write_record(row.iter().chain([&*more]))?;
    }
    write_whole(path, &into_bytes(writer)?)
}

/// Writes a file as a whole: after a crash it has the old or the new contents.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut new = OsString::from(path);
    new.push(".new");
    let new = PathBuf::from(new);
    let written = regular::create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    // On a full disk, the incomplete file would take the remaining space.
    if let Err(error) = written.and_then(|()| fs::rename(&new, path)) {
        fs::remove_file(&new).ok();
        return Err(error);
    }
    Ok(())
}

fn into_bytes(writer: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}
