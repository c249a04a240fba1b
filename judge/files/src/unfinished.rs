//! The names of files that are being written.

use std::ffi::OsStr;

/// The end of such a name.
pub(crate) const UNFINISHED: &str = ".new";

/// Tests whether a name is temporary: a `Folder` writes a file under such a name and then renames it. A killed process may
/// have left the file.
pub fn is_unfinished(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(UNFINISHED.as_bytes())
}
