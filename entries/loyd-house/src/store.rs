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
use crate::parallel::queue;
use crate::pinwheel::{self, Rectangle};
use crate::table::Table;

/// File name of the list of tables.
const LIST: &str = "tables.json";

/// One table in the list.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    /// The letters of its tiles, which are also the name of its file.
    tiles: String,
    /// Number of moves before the goal for which the table takes the empty spot into account.
    ending: u8,
    /// Quick checksum of the values.
    quick: u64,
    /// SHA-256 of homes and values.
    sha256: String,
}

/// The error of tables that cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file that cannot be read or written.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file is damaged or missing.
    #[error("{}: {reason}; write the directory again with `house tables --save`", path.display())]
    Damaged {
        /// The damaged or missing file.
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

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::Io { path, error }
}

/// Writes tables to a directory, which is created if it is missing.
///
/// # Errors
/// If a file cannot be written.
pub fn save(folder: &Path, tables: &[&Arc<Table>]) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    let mut list = Vec::new();
    for table in tables {
        let (tiles, ending, quick) = (name(table), table.ending(), quick(table.values()));
        let path = folder.join(file(&tiles));
        fs::write(&path, table.values()).map_err(io_error(&path))?;
        list.push(Stored { tiles, ending, quick, sha256: table.checksum() });
    }
    // The list is written last, so that a directory with a list is complete.
    let path = folder.join(LIST);
    let text = serde_json::to_string_pretty(&list).map_err(|error| io_error(&path)(error.into()))?;
    fs::write(&path, text + "\n").map_err(io_error(&path))
}

/// The name of a table's file.
fn file(tiles: &str) -> String {
    format!("{tiles}.table")
}

/// A directory of saved tables.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    list: Vec<Stored>,
}

impl Folder {
    /// Reads the list of a directory.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Folder, StoreError> {
        let path = folder.join(LIST);
        let text = fs::read_to_string(&path).map_err(io_error(&path))?;
        let list =
            serde_json::from_str(&text).map_err(|error| StoreError::Damaged { path, reason: error.to_string() })?;
        Ok(Folder { path: folder.to_owned(), list })
    }

    /// Reads the tables, and returns their heuristic: a pinwheel of this rectangle, for the search from the board.
    ///
    /// # Errors
    /// If a file cannot be read, a quick checksum differs, or a table is missing.
    pub fn heuristic(&self, rectangle: Rectangle, threads: usize) -> Result<Heuristic, StoreError> {
        let read = |stored| self.read(stored).map(Arc::new);
        let tables = queue(self.list.iter(), threads, read).into_iter().collect::<Result<Vec<_>, _>>()?;
        let heuristic = pinwheel::heuristic(&Geometry::new(SIDE), rectangle, &tables);
        heuristic.ok_or_else(|| self.damaged(LIST, "a table is missing"))
    }

    /// Reads all tables, and returns the letters and SHA-256 of each.
    ///
    /// # Errors
    /// If a file cannot be read, or a checksum differs.
    pub fn check(&self) -> Result<Vec<(&str, &str)>, StoreError> {
        let check = |stored: &Stored| {
            if self.read(stored)?.checksum() == stored.sha256 {
                Ok(())
            } else {
                Err(self.damaged(&file(&stored.tiles), "the checksum differs"))
            }
        };
        self.list.iter().try_for_each(check)?;
        Ok(self.list.iter().map(|stored| (&*stored.tiles, &*stored.sha256)).collect())
    }

    fn read(&self, stored: &Stored) -> Result<Table, StoreError> {
        let damaged = |reason| self.damaged(&file(&stored.tiles), reason);
        let homes: Vec<u8> = stored.tiles.bytes().map(|letter| letter.wrapping_sub(b'A')).collect();
        if homes.len() > 6 || homes.iter().any(|&home| usize::from(home) >= TILES) {
            return Err(damaged("the name is not that of at most six tiles"));
        }
        let path = self.path.join(file(&stored.tiles));
        let mut file = File::open(&path).map_err(io_error(&path))?;
        let mut values = Buffer::zeroed(homes.iter().map(|_| SPOTS).product()).map_err(io_error(&path))?;
        if file.metadata().map_err(io_error(&path))?.len() != values.len() as u64 {
            return Err(damaged("the size is not one byte per position"));
        }
        file.read_exact(&mut values).map_err(io_error(&path))?;
        if quick(&values) != stored.quick {
            return Err(damaged("the checksum differs"));
        }
        Table::from_values(&Geometry::new(SIDE), homes, stored.ending, values)
            .ok_or_else(|| damaged("the size is wrong"))
    }

    fn damaged(&self, file: &str, reason: &str) -> StoreError {
        StoreError::Damaged { path: self.path.join(file), reason: reason.into() }
    }
}

/// A checksum that takes no longer than reading: SHA-256 would take longer than a contest's second. It detects damage, as
/// the list and the tables have the same author.
fn quick(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut lanes = [FACTOR; 4];
    let mut chunks = bytes.chunks_exact(size_of_val(&lanes));
    let mut mix = |chunk: &[u8]| {
        for (lane, word) in lanes.iter_mut().zip(chunk.chunks_exact(size_of::<u64>())) {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            *lane = (*lane ^ word).wrapping_mul(FACTOR).rotate_left(29);
        }
    };
    chunks.by_ref().for_each(&mut mix);
    let mut rest = [0; 32];
    rest[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    mix(&rest);
    lanes.into_iter().fold(bytes.len() as u64, |sum, lane| (sum ^ lane).wrapping_mul(FACTOR).rotate_left(29))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::pinwheel::TWO_THREES;

    #[test]
    fn saved_tables_are_loaded_unchanged_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let tables = pinwheel::build(&Geometry::new(SIDE), TWO_THREES, 2).unwrap();
        let tables: Vec<&Arc<Table>> = tables.iter().collect();
        save(folder.path(), &tables).unwrap();
        let open = || Folder::open(folder.path()).unwrap();
        let back = open().heuristic(TWO_THREES, 2).unwrap();
        let back = back.tables();
        assert_eq!(back.len(), tables.len());
        for before in &tables {
            assert!(back.iter().any(|after| after.homes() == before.homes() && after.values() == before.values()));
        }
        assert_eq!(open().check().unwrap().len(), tables.len());

        let refused = || {
            let open = open();
            let [used, checked] = [open.heuristic(TWO_THREES, 1).map(drop), open.check().map(drop)]
                .map(|result| result.unwrap_err().to_string());
            assert_eq!(used, checked);
            used
        };
        let path = folder.path().join(file(&name(tables[0])));
        let bytes = fs::read(&path).unwrap();
        // The last bytes do not fill a chunk.
        for place in [100, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            fs::write(&path, &damaged).unwrap();
            assert!(refused().ends_with("the checksum differs; write the directory again with `house tables --save`"));
        }
        fs::write(&path, &bytes[1..]).unwrap();
        assert!(refused().contains("the size is not one byte per position"), "{}", refused());

        // A quick checksum that was adapted to the damage does not mislead the complete check.
        let mut damaged = bytes.clone();
        damaged[100] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let list = fs::read_to_string(folder.path().join(LIST)).unwrap();
        let adapted = list.replace(&quick(&bytes).to_string(), &quick(&damaged).to_string());
        fs::write(folder.path().join(LIST), adapted).unwrap();
        assert!(open().heuristic(TWO_THREES, 1).is_ok() && open().check().is_err());

        save(folder.path(), &tables[1..]).unwrap();
        let refused = open().heuristic(TWO_THREES, 1).unwrap_err().to_string();
        assert!(refused.contains("tables.json: a table is missing"), "{refused}");
    }
}
