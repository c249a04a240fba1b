//! Tables kept in a folder, one file of plain bytes each, with their checksums beside them.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::cells::Cells;
use crate::geometry::{Geometry, SIDE, SPOTS};
use crate::groups::TILES;
use crate::guide::Guide;
use crate::pinwheel::{self, Rectangle};
use crate::table::Table;

/// The list of the tables in a folder.
const LIST: &str = "tables.json";

/// One table in the list.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The letters of its tiles, which also name its file.
    tiles: String,
    /// How far it knows of the empty spot.
    ending: u8,
    /// SHA-256 of homes and values.
    sha256: String,
}

/// Why tables could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// What is there is not what was kept.
    #[error("{}: {reason}; write the folder anew with `house tables --save`", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, as a fragment.
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

/// Writes tables into a folder, which is made where it is missing.
///
/// # Errors
/// If the system refuses.
pub fn save(folder: &Path, tables: &[&Arc<Table>]) -> Result<(), StoreError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error| StoreError::Io { path, error }
    };
    fs::create_dir_all(folder).map_err(io(folder))?;
    let mut list = Vec::new();
    for table in tables {
        let path = file(folder, &name(table));
        fs::write(&path, table.cells()).map_err(io(&path))?;
        list.push(Kept { tiles: name(table), ending: table.ending(), sha256: table.checksum() });
    }
    // The list comes last, so that a folder with a list is complete.
    let path = folder.join(LIST);
    let text = serde_json::to_string_pretty(&list).map_err(|error| io(&path)(error.into()))?;
    fs::write(&path, text + "\n").map_err(io(&path))
}

/// Reads the tables of a folder, and gives the guide by them: a pinwheel of this rectangle, for the moves as they are.
///
/// # Errors
/// If the system refuses, a table is not what its checksum says, or one is missing.
pub fn load(folder: &Path, rectangle: Rectangle) -> Result<Guide, StoreError> {
    let path = folder.join(LIST);
    let text = fs::read_to_string(&path).map_err(|error| StoreError::Io { path: path.clone(), error })?;
    let list: Vec<Kept> = serde_json::from_str(&text)
        .map_err(|error| StoreError::Damaged { path: path.clone(), reason: error.to_string() })?;
    let tables = list.iter().map(|kept| read(folder, kept).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
    let guide = pinwheel::guide(&Geometry::new(SIDE), rectangle, &tables);
    guide.ok_or_else(|| StoreError::Damaged { path, reason: "a table is missing".into() })
}

fn read(folder: &Path, kept: &Kept) -> Result<Table, StoreError> {
    let path = file(folder, &kept.tiles);
    let damaged = |reason: &str| StoreError::Damaged { path: path.clone(), reason: reason.into() };
    let homes: Vec<u8> = kept.tiles.bytes().map(|letter| letter.wrapping_sub(b'A')).collect();
    if homes.len() > 6 || homes.iter().any(|&home| usize::from(home) >= TILES) {
        return Err(damaged("is not named after at most six tiles"));
    }
    let io = |error| StoreError::Io { path: path.clone(), error };
    let mut file = File::open(&path).map_err(io)?;
    let mut cells = Cells::zeroed(homes.iter().map(|_| SPOTS).product()).map_err(io)?;
    if file.metadata().map_err(io)?.len() != cells.len() as u64 {
        return Err(damaged("has not one byte a position"));
    }
    file.read_exact(&mut cells).map_err(io)?;
    let table = Table::from_cells(&Geometry::new(SIDE), homes, kept.ending, cells)
        .ok_or_else(|| damaged("has the wrong size"))?;
    if table.checksum() != kept.sha256 {
        return Err(damaged("is not what its checksum says"));
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
    fn tables_come_back_as_they_were_and_damaged_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let tables = pinwheel::build(&Geometry::new(SIDE), TWO_THREES, 2).unwrap();
        let tables: Vec<&Arc<Table>> = tables.iter().collect();
        save(folder.path(), &tables).unwrap();
        let back = load(folder.path(), TWO_THREES).unwrap();
        let back = back.tables();
        assert_eq!(back.len(), tables.len());
        for before in &tables {
            assert!(back.iter().any(|after| after.homes() == before.homes() && after.cells() == before.cells()));
        }

        let path = file(folder.path(), &name(tables[0]));
        let mut bytes = fs::read(&path).unwrap();
        bytes[100] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let refused = load(folder.path(), TWO_THREES).unwrap_err().to_string();
        assert!(refused.ends_with("is not what its checksum says; write the folder anew with `house tables --save`"));
        fs::write(&path, &bytes[1..]).unwrap();
        let refused = load(folder.path(), TWO_THREES).unwrap_err().to_string();
        assert!(refused.contains("has not one byte a position"), "{refused}");

        save(folder.path(), &tables[1..]).unwrap();
        let refused = load(folder.path(), TWO_THREES).unwrap_err().to_string();
        assert!(refused.contains("tables.json: a table is missing"), "{refused}");
    }
}
