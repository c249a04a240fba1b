//! Paths that mean the same to every process that sees the same folders.

use std::path::{Path, PathBuf};

/// A path without links and `..`, except in its last part. A path whose folder cannot be found is returned unchanged.
pub fn settled(path: &Path) -> PathBuf {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return path.into() };
    folder.canonicalize().map_or_else(|_| path.into(), |folder| folder.join(name))
}
