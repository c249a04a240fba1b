//! Files that a contest file names: kept as text in the journal, or under their hash in the results directory.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use judge_core::fingerprint::sha256_of_reader;
use judge_core::plan::{FileContents, StoredFile};
use judge_core::text::printable;
use judge_files::regular;

/// The most bytes of a file in the journal. Larger files are stored under their hash.
const INLINE_BYTES: u64 = 64 << 10;
/// The largest file that a contest can name.
const MAX_BYTES: u64 = 256 << 20;

/// Paths of files by their SHA-256 in hexadecimal.
pub(crate) type FilePaths = BTreeMap<String, PathBuf>;

/// A path for messages, without control characters: untrusted authors choose the names in a folder.
pub(crate) fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Reads a file. A text is returned unchanged. A large file, or one that is not UTF-8, is returned as its hash, and its path is
/// added to `paths`. The error is a fragment.
pub(crate) fn read_contents(path: &Path, paths: &mut FilePaths) -> Result<FileContents, String> {
    let reason = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        _ => error.to_string(),
    };
    let metadata = regular::open(path).and_then(|file| file.metadata()).map_err(reason)?;
    if metadata.len() > MAX_BYTES {
        return Err(format!("is larger than {}", ByteSize(MAX_BYTES)));
    }
    if metadata.len() <= INLINE_BYTES {
        let bytes = regular::read(path, INLINE_BYTES).map_err(reason)?;
        if let Ok(text) = String::from_utf8(bytes) {
            return Ok(FileContents::Text(text));
        }
    }
    let sha256 = regular::open(path).and_then(sha256_of_reader).map_err(reason)?;
    paths.insert(sha256.clone(), std::path::absolute(path).map_err(reason)?);
    Ok(FileContents::Stored(StoredFile { sha256, bytes: metadata.len() }))
}
