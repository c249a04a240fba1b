//! Paths that mean the same to whoever sees the same folders.

use std::path::{Path, PathBuf};

/// A path with no link and no `..` in it but for its last part: it means the same wherever the same folders are. One
/// whose folder cannot be found stays as it is.
pub fn settled(path: &Path) -> PathBuf {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return path.into() };
    folder.canonicalize().map_or_else(|_| path.into(), |folder| folder.join(name))
}
