//! Untrusted files: one file, or the files of a zip or tar.gz archive.
//!
//! Archives are read entry by entry. Bytes are counted as they are read, whatever sizes the archive claims. The libraries write
//! nothing. Plain files with harmless names are accepted. Files that file managers, editors and version control add are left out.
//! Anything else refuses the whole archive.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::io::{self, Cursor, Read};

use flate2::read::GzDecoder;
use judge_core::names::composed;
use judge_core::text::{is_invisible, printable};
use tar::EntryType;
use zip::ZipArchive;

/// The most characters of a path in an archive, and its most parts: folders and the file.
const MAX_PATH: usize = 200;
const MAX_DEPTH: usize = 10;
/// The most bytes of a file's or folder's name, as in file systems.
const MAX_NAME: usize = 255;

/// Files and folders that systems add, besides hidden ones.
const OF_SYSTEMS: [&str; 3] = ["__MACOSX", "Thumbs.db", "desktop.ini"];

/// The limits of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most files that an archive may have.
    pub files: usize,
    /// The most bytes of all files together.
    pub bytes: u64,
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path, with `/` between folders.
    pub path: String,
    /// Its contents, not unpacked further.
    pub bytes: Vec<u8>,
}

/// The result of reading an upload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unpacked {
    /// The accepted files, by path.
    pub files: Vec<SourceFile>,
    /// Hidden files and folders, and those that systems add, which were left out. A folder that is left out is named without its
    /// contents.
    pub left_out: Vec<String>,
}

impl Unpacked {
    /// The names of the files that were left out, as a fragment; `None` if no file was.
    pub fn left_out_text(&self) -> Option<String> {
        /// The most names in the text.
        const MAX_NAMED: usize = 5;
        let named = self.left_out.iter().take(MAX_NAMED).map(|path| shown(path)).collect::<Vec<_>>().join(", ");
        match self.left_out.len() {
            0 => None,
            all if all > MAX_NAMED => Some(format!("{named} and {} more", all - MAX_NAMED)),
            _ => Some(named),
        }
    }
}

/// The reason why files are not accepted, as a fragment for their author.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unacceptable(pub String);

fn refuse<T>(reason: impl fmt::Display) -> Result<T, Unacceptable> {
    Err(Unacceptable(reason.to_string()))
}

/// The files behind a name, by path. The name decides whether it is an archive.
///
/// # Errors
/// The first problem with the upload.
pub fn files(name: &str, bytes: &[u8], bounds: Bounds) -> Result<Unpacked, Unacceptable> {
    let lower = name.to_lowercase();
    let Files { mut files, left_out, .. } = if lower.ends_with(".zip") {
        unzip(bytes, bounds)?
    } else if is_archive(name) {
        untar(bytes, bounds)?
    } else {
        let mut one = Files::new(bounds);
        one.add(name, bytes)?;
        one
    };
    let mut unpacked = Unpacked { files: Vec::new(), left_out: left_out.into_iter().collect() };
    if files.is_empty() {
        let besides = unpacked.left_out_text().map_or(String::new(), |names| format!(" besides {names}"));
        return refuse(format!("the archive has no file{besides}"));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    unpacked.files = strip(files);
    Ok(unpacked)
}

/// Tests whether a file of this name is an archive that can be read.
pub fn is_archive(name: &str) -> bool {
    let lower = name.to_lowercase();
    [".zip", ".tar.gz", ".tgz"].iter().any(|ending| lower.ends_with(ending))
}

/// The files accepted so far. None leads elsewhere or resembles another one.
pub struct Files {
    bounds: Bounds,
    files: Vec<SourceFile>,
    bytes: u64,
    left_out: BTreeSet<String>,
    /// Every path and folder in a form that makes similar names equal. The value is true for a folder.
    taken: HashMap<String, bool>,
}

impl Files {
    /// A reader that has found no file yet.
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, files: Vec::new(), bytes: 0, left_out: BTreeSet::new(), taken: HashMap::new() }
    }

    /// Reads a file, at most up to the limit of bytes.
    ///
    /// # Errors
    /// Its path is unusable or resembles another one, it exceeds the limit of files or bytes, or it cannot be read.
    pub fn add(&mut self, path: &str, from: impl Read) -> Result<(), Unacceptable> {
        check_path(path)?;
        if self.files.len() == self.bounds.files {
            return refuse(format!("more than {} files", self.bounds.files));
        }
        self.take(path)?;
        let mut bytes = Vec::new();
        let left = self.bounds.bytes - self.bytes;
        let read = from.take(left + 1).read_to_end(&mut bytes);
        let read = read.map_err(|error| unreadable(&format!("`{path}`"), &error))?;
        if read as u64 > left {
            return refuse(format!("more than {} MiB of files", self.bounds.bytes >> 20));
        }
        self.bytes += read as u64;
        self.files.push(SourceFile { path: path.to_owned(), bytes });
        Ok(())
    }

    /// Notes a path of an archive that is left out: a hidden file or folder, or one that a system adds. Returns false for a path
    /// that is to be accepted or refused.
    fn leaves_out(&mut self, path: &str) -> bool {
        let mut end = 0;
        for part in path.split('/') {
            end += part.len();
            if part == "." || part == ".." {
                return false;
            }
            if part.starts_with('.') || OF_SYSTEMS.contains(&part) {
                self.left_out.insert(path[..end].to_owned());
                return true;
            }
            end += 1;
        }
        false
    }

    /// Notes a path with its folders. Refuses two paths that some file system considers equal.
    fn take(&mut self, path: &str) -> Result<(), Unacceptable> {
        let alike = |path: &str| composed(path).to_lowercase();
        let mut folder = path;
        while let Some((above, _)) = folder.rsplit_once('/') {
            folder = above;
            if self.taken.insert(alike(folder), true) == Some(false) {
                return refuse(format!("`{folder}` is a file and a folder"));
            }
        }
        match self.taken.insert(alike(path), false) {
            None => Ok(()),
            Some(_) => refuse(format!("`{path}` is there twice, or differs from another name in case alone")),
        }
    }
}

/// A path as a message shows it. An upload controls it, so it is escaped and shortened.
fn shown(path: &str) -> String {
    path.escape_debug().take(MAX_PATH).collect()
}

/// Refuses a path unless it is a plain file below a folder.
fn check_path(path: &str) -> Result<(), Unacceptable> {
    let refused = |reason: &str| refuse(format!("unusable file name `{}`: {reason}", shown(path)));
    let too_long = path.chars().count() > MAX_PATH || path.split('/').any(|part| part.len() > MAX_NAME);
    if too_long || path.split('/').count() > MAX_DEPTH {
        return refused("it is too long or too deep");
    }
    if path.contains('\\') || path.chars().any(|c| c.is_control() || is_invisible(c)) {
        return refused("it has a \\ or a hidden character");
    }
    // A path of Windows can begin with the letter of a disk.
    let on_a_disk = path.split('/').next().is_some_and(|first| first.ends_with(':'));
    for part in path.split('/') {
        if on_a_disk || part.is_empty() || part == "." || part == ".." {
            return refused("it leads out of its folder");
        }
        if part.starts_with(['.', '-', '~']) || part.ends_with(['.', ' ']) || part.starts_with(' ') {
            return refused("a part begins with . - ~ or a space, or ends with . or a space");
        }
    }
    Ok(())
}

/// Removes the folder that contains all files, if all have one: archives are often created from a folder.
fn strip(files: Vec<SourceFile>) -> Vec<SourceFile> {
    let first = files.first().and_then(|file| file.path.split_once('/')).map(|(folder, _)| format!("{folder}/"));
    match first.filter(|folder| files.iter().all(|file| file.path.starts_with(folder.as_str()))) {
        Some(folder) => {
            let inner = |file: SourceFile| SourceFile { path: file.path[folder.len()..].to_owned(), ..file };
            files.into_iter().map(inner).collect()
        }
        None => files,
    }
}

/// The refusal of an archive that a library cannot read. The reason can quote bytes of the archive.
fn unreadable(what: &str, error: &dyn fmt::Display) -> Unacceptable {
    Unacceptable(printable(&format!("{what} cannot be read: {error}")))
}

fn unzip(bytes: &[u8], bounds: Bounds) -> Result<Files, Unacceptable> {
    let unreadable = |error: zip::result::ZipError| unreadable("the zip archive", &error);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    // Folders are entries as well.
    if archive.len() > bounds.files * MAX_DEPTH {
        return refuse(format!("more than {} files", bounds.files));
    }
    // The library shows only the last file of a name, and other readers take the first.
    if archive.has_duplicate_names() {
        return refuse("a file name is there twice");
    }
    let mut files = Files::new(bounds);
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(unreadable)?;
        // The original name: a dangerous name must be refused, not silently changed.
        let Ok(name) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
            return refuse("a file name is not UTF-8");
        };
        // Some Windows programs write `\\` between folders.
        let name = name.replace('\\', "/");
        if files.leaves_out(name.trim_end_matches('/')) {
            continue;
        }
        if let Some(folder) = name.strip_suffix('/') {
            check_path(folder)?;
            continue;
        }
        let kind = entry.unix_mode().map_or(0, |mode| mode & FILE_TYPE);
        if kind != 0 && kind != REGULAR {
            return refuse(format!("`{}` is a link or a special file", name.escape_debug()));
        }
        files.add(&name, entry)?;
    }
    Ok(files)
}

/// The bits of the file type in a Unix mode, and the type of regular files.
const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// The most bytes of a tar archive within these bounds: the files, a header and padding for each, long names, and the headers
/// of folders.
fn most_of_tar(bounds: Bounds) -> u64 {
    bounds.bytes + bounds.files as u64 * (4096 + 512 * MAX_DEPTH as u64)
}

fn untar(bytes: &[u8], bounds: Bounds) -> Result<Files, Unacceptable> {
    let unreadable = |error: io::Error| unreadable("the tar archive", &error);
    // The library reads long names into memory, so the total size is limited.
    let mut archive = tar::Archive::new(GzDecoder::new(bytes).take(most_of_tar(bounds)));
    let mut files = Files::new(bounds);
    for (number, entry) in archive.entries().map_err(unreadable)?.enumerate() {
        let entry = entry.map_err(unreadable)?;
        if number >= bounds.files * MAX_DEPTH {
            return refuse(format!("more than {} files", bounds.files));
        }
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            continue;
        }
        let name = String::from_utf8(entry.path_bytes().into_owned());
        let Ok(name) = name else { return refuse("a file name is not UTF-8") };
        // `tar -C folder .` puts this before each name.
        let name = name.strip_prefix("./").unwrap_or(&name);
        if files.leaves_out(name.trim_end_matches('/')) {
            continue;
        }
        match kind {
            EntryType::Directory => {
                let folder = name.trim_end_matches('/');
                if !folder.is_empty() && folder != "." {
                    check_path(folder)?;
                }
            }
            EntryType::Regular => files.add(name, entry)?,
            _ => return refuse(format!("`{}` is a link or a special file", name.escape_debug())),
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests;
