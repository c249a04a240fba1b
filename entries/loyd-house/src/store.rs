//! Tables in a directory: one file of plain bytes per table, and a list with their checksums.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::buffer::Buffer;
use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::groups::TILES;
use crate::heuristic::Heuristic;
use crate::pinwheel::{self, Rectangle};
use crate::table::Table;

/// File name of the list of tables.
const LIST: &str = "tables.json";

/// One table in the list.
#[derive(Debug, Serialize, Deserialize)]
struct StoredTable {
    /// The letters of its tiles, which are also the name of its file.
    tiles: String,
    /// Number of moves before the goal for which the table takes the empty spot into account.
    ending: u8,
    /// SHA-256 of homes and values.
    sha256: String,
}

/// The error of tables that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file is damaged or missing.
    #[error("{}: {reason}; write the directory again with `house tables --save`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The reason, as a fragment.
        reason: String,
    },
}

/// The letters of a table's tiles.
pub fn name(table: &Table) -> String {
    letters(table.homes())
}

/// The letters of the tiles that belong on these spots.
pub(crate) fn letters(homes: &[u8]) -> String {
    homes.iter().map(|&home| char::from(b'A' + home)).collect()
}

/// Writes tables to a directory, which is created if it is missing.
///
/// # Errors
/// If a file cannot be written.
pub fn save(folder: &Path, tables: &[&Arc<Table>]) -> Result<(), StoreError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| StoreError::Io { path, error }
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    let mut list = Vec::new();
    for table in tables {
        let path = file(folder, &name(table));
        fs::write(&path, table.values()).map_err(io(&path))?;
        list.push(StoredTable { tiles: name(table), ending: table.ending(), sha256: table.checksum() });
    }
    // The list is written last, so that a directory with a list is complete.
    let path = folder.join(LIST);
    let text = serde_json::to_string_pretty(&list).map_err(|error| io(&path)(error.into()))?;
    fs::write(&path, text + "\n").map_err(io(&path))
}

/// Reads the tables of a directory, and returns their heuristic: a pinwheel of this rectangle, for the search from the
/// board.
///
/// # Errors
/// If a file cannot be read, a checksum differs, or a table is missing.
pub fn load(folder: &Path, rectangle: Rectangle) -> Result<Heuristic, StoreError> {
    let path = folder.join(LIST);
    let text = fs::read_to_string(&path).map_err(|error| StoreError::Io { path: path.clone(), error })?;
    let list: Vec<StoredTable> = serde_json::from_str(&text)
        .map_err(|error| StoreError::Damaged { path: path.clone(), reason: error.to_string() })?;
    let tables = list.iter().map(|stored| read(folder, stored).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
    let heuristic = pinwheel::heuristic(&Geometry::new(SIDE), rectangle, &tables);
    heuristic.ok_or_else(|| StoreError::Damaged { path, reason: "a table is missing".into() })
}

fn read(folder: &Path, stored: &StoredTable) -> Result<Table, StoreError> {
    let path = file(folder, &stored.tiles);
    let damaged = |reason: &str| StoreError::Damaged { path: path.clone(), reason: reason.into() };
    let homes: Vec<u8> = stored.tiles.bytes().map(|letter| letter.wrapping_sub(b'A')).collect();
    if homes.len() > 6 || homes.iter().any(|&home| usize::from(home) >= TILES) {
        return Err(damaged("the name is not that of at most six tiles"));
    }
    let io = |error| StoreError::Io { path: path.clone(), error };
    let mut file = File::open(&path).map_err(io)?;
    let mut values = Buffer::zeroed(homes.iter().map(|_| SPOTS).product()).map_err(io)?;
    if file.metadata().map_err(io)?.len() != values.len() as u64 {
        return Err(damaged("the size is not one byte per position"));
    }
    file.read_exact(&mut values).map_err(io)?;
    let table = Table::from_values(&Geometry::new(SIDE), homes, stored.ending, values)
        .ok_or_else(|| damaged("the size is wrong"))?;
    if table.checksum() != stored.sha256 {
        return Err(damaged("the checksum differs"));
    }
    Ok(table)
}

fn file(folder: &Path, tiles: &str) -> PathBuf {
    folder.join(format!("{tiles}.table"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::pinwheel::TWO_THREES;

    #[test]
    fn saved_tables_are_loaded_unchanged_and_damaged_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let tables = pinwheel::build(&Geometry::new(SIDE), TWO_THREES, 2).unwrap();
        let tables: Vec<&Arc<Table>> = tables.iter().collect();
        save(folder.path(), &tables).unwrap();
        let back = load(folder.path(), TWO_THREES).unwrap();
        let back = back.tables();
        assert_eq!(back.len(), tables.len());
        for before in &tables {
            assert!(back.iter().any(|after| after.homes() == before.homes() && after.values() == before.values()));
        }

        let path = file(folder.path(), &name(tables[0]));
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let refused = load(folder.path(), TWO_THREES).unwrap_err().to_string();
        assert!(refused.ends_with("the checksum differs; write the directory again with `house tables --save`"));
        fs::write(&path, &bytes[1..]).unwrap();
        let refused = load(folder.path(), TWO_THREES).unwrap_err().to_string();
        assert!(refused.contains("the size is not one byte per position"), "{refused}");

        save(folder.path(), &tables[1..]).unwrap();
        let refused = load(folder.path(), TWO_THREES).unwrap_err().to_string();
        assert!(refused.contains("tables.json: a table is missing"), "{refused}");
    }
}
