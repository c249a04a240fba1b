//! Untrusted files of others: one file, or the files of a zip or tar.gz archive.
//!
//! Archives are read entry by entry and counted as they are read, whatever sizes they claim. The libraries write nothing:
//! plain files with harmless names are taken, and everything else refuses the whole archive.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Cursor, Read};

use flate2::read::GzDecoder;
use judge_core::names::composed;
use judge_core::text::is_invisible;
use tar::EntryType;
use zip::ZipArchive;

/// The most characters of a path in an archive, and of folders on it.
const MAX_PATH: usize = 200;
const MAX_DEPTH: usize = 10;
/// The most bytes of a file's or folder's name, as file systems have it.
const MAX_NAME: usize = 255;

/// What may be in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most files.
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
/// The first thing about it that is not acceptable.
pub fn files(name: &str, bytes: &[u8], bounds: Bounds) -> Result<Vec<SourceFile>, Unacceptable> {
    let lower = name.to_lowercase();
    let mut files = if lower.ends_with(".zip") {
        unzip(bytes, bounds)?
    } else if is_archive(name) {
        untar(bytes, bounds)?
    } else {
        let mut one = Files::new(bounds);
        one.add(name, bytes)?;
        one
    }
    .files;
    if files.is_empty() {
        return refuse("the archive has no file");
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(strip(files))
}

/// Tests whether a name is that of an archive that can be read.
pub fn is_archive(name: &str) -> bool {
    let lower = name.to_lowercase();
    [".zip", ".tar.gz", ".tgz"].iter().any(|ending| lower.ends_with(ending))
}

/// The files that were taken so far, none of which leads elsewhere or is like another one.
pub struct Files {
    bounds: Bounds,
    files: Vec<SourceFile>,
    bytes: u64,
    /// Every path and folder in the form in which no two may be alike, and whether it is a folder.
    taken: HashMap<String, bool>,
}

impl Files {
    /// No file yet.
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, files: Vec::new(), bytes: 0, taken: HashMap::new() }
    }

    /// Reads a file, at most as far as there is room for it.
    ///
    /// # Errors
    /// Its path is unusable or like another one, or it is one file or byte too many.
    pub fn add(&mut self, path: &str, from: impl Read) -> Result<(), Unacceptable> {
        check_path(path)?;
        if self.files.len() == self.bounds.files {
            return refuse(format!("more than {} files", self.bounds.files));
        }
        self.take(path)?;
        let mut bytes = Vec::new();
        let left = self.bounds.bytes - self.bytes;
        let read = from.take(left + 1).read_to_end(&mut bytes);
        let read = read.map_err(|error| Unacceptable(format!("`{path}` cannot be read: {error}")))?;
        if read as u64 > left {
            return refuse(format!("more than {} MiB of files", self.bounds.bytes >> 20));
        }
        self.bytes += read as u64;
        self.files.push(SourceFile { path: path.to_owned(), bytes });
        Ok(())
    }

    /// Notes a path with its folders. Two that some file system takes for one are refused.
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

/// Refuses a path that is not that of a plain file below a folder.
fn check_path(path: &str) -> Result<(), Unacceptable> {
    // It may be anything at all, so it is shown escaped and short.
    let shown: String = path.escape_debug().take(MAX_PATH).collect();
    let refused = |reason: &str| refuse(format!("unusable file name `{shown}`: {reason}"));
    let too_long = path.chars().count() > MAX_PATH || path.split('/').any(|part| part.len() > MAX_NAME);
    if too_long || path.split('/').count() > MAX_DEPTH {
        return refused("it is too long or too deep");
    }
    if path.contains('\\') || path.chars().any(|c| c.is_control() || is_invisible(c)) {
        return refused("it has a \\ or a hidden character");
    }
    for part in path.split('/') {
        if part.is_empty() || part == "." || part == ".." {
            return refused("it leads out of its folder");
        }
        if part.starts_with(['.', '-', '~']) || part.ends_with(['.', ' ']) || part.starts_with(' ') {
            return refused("a part begins with . - ~ or a space, or ends with . or a space");
        }
    }
    Ok(())
}

/// Removes the folder that all files are in, if there is one: archives are often made of a folder.
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

fn unzip(bytes: &[u8], bounds: Bounds) -> Result<Files, Unacceptable> {
    let unreadable = |error: zip::result::ZipError| Unacceptable(format!("the zip archive cannot be read: {error}"));
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
    // Folders are entries, too.
    if archive.len() > bounds.files * MAX_DEPTH {
        return refuse(format!("more than {} files", bounds.files));
    }
    let mut files = Files::new(bounds);
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(unreadable)?;
        // The name as it is in the archive: nothing is made harmless in silence.
        let Ok(name) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
            return refuse("a file name is not UTF-8");
        };
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

/// The file type in a Unix mode, and that of regular files.
const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;

/// The most bytes of a tar archive with so many files: besides them a header and padding for each, long names, and the headers
/// of folders.
fn most_of_tar(bounds: Bounds) -> u64 {
    bounds.bytes + bounds.files as u64 * (4096 + 512 * MAX_DEPTH as u64)
}

fn untar(bytes: &[u8], bounds: Bounds) -> Result<Files, Unacceptable> {
    let unreadable = |error: io::Error| Unacceptable(format!("the tar archive cannot be read: {error}"));
    // Long names are read into memory by the library, so the whole is limited.
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
        // `tar -C folder .` begins each name so.
        let name = name.strip_prefix("./").unwrap_or(&name);
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
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    const MAX_FILES: usize = 200;
    const MAX_BYTES: u64 = 4 << 20;
    const BOUNDS: Bounds = Bounds { files: MAX_FILES, bytes: MAX_BYTES };

    /// A zip archive of these names and contents, as its library writes them.
    fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn zip_of_link() -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("a.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        writer.finish().unwrap().into_inner()
    }

    /// A tar archive with a header that is written byte by byte, so that any name and type is possible.
    fn tar(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        for (name, kind, bytes) in entries {
            let mut header = tar::Header::new_gnu();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            if kind.is_symlink() || kind.is_hard_link() {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.set_cksum();
            encoder.write_all(header.as_bytes()).unwrap();
            encoder.write_all(bytes).unwrap();
            encoder.write_all(&vec![0; bytes.len().next_multiple_of(512) - bytes.len()]).unwrap();
        }
        encoder.write_all(&[0; 1024]).unwrap();
        encoder.finish().unwrap()
    }

    fn paths(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
        let files = files(name, bytes, BOUNDS).map_err(|error| error.to_string())?;
        Ok(files.into_iter().map(|file| file.path).collect())
    }

    fn reason(name: &str, bytes: &[u8]) -> String {
        paths(name, bytes).expect_err("refused")
    }

    #[test]
    fn an_upload_is_one_file_or_those_of_an_archive() {
        assert_eq!(paths("a.py", b"1").unwrap(), ["a.py"]);
        let both = [("b.h", &b"2"[..]), ("a.c", b"1")];
        assert_eq!(paths("x.zip", &zip(&both)).unwrap(), ["a.c", "b.h"]);
        let both = [("./b.h", EntryType::Regular, &b"2"[..]), ("./a.c", EntryType::Regular, b"1")];
        assert_eq!(paths("x.tgz", &tar(&both)).unwrap(), ["a.c", "b.h"]);
    }

    #[test]
    fn the_folder_that_everything_is_in_is_left_out() {
        let inner = [
            ("p/", EntryType::Directory, &b""[..]),
            ("p/a.c", EntryType::Regular, b"1"),
            ("p/q/b.h", EntryType::Regular, b"2"),
        ];
        assert_eq!(paths("p.tar.gz", &tar(&inner)).unwrap(), ["a.c", "q/b.h"]);
        assert_eq!(paths("p.zip", &zip(&[("p/a.c", b"1"), ("b.h", b"2")])).unwrap(), ["b.h", "p/a.c"]);
    }

    #[test]
    fn a_name_that_leads_elsewhere_is_refused() {
        let names = [
            "../a.py",
            "a/../../b.py",
            "/etc/passwd",
            "a//b.py",
            "./a.py",
            "a\\b.py",
            "C:\\a.py",
            ".bashrc",
            "-o.py",
            "a/.git/x",
        ];
        for name in names {
            assert!(reason("x.zip", &zip(&[(name, b"1")])).contains("unusable file name"), "{name} in a zip archive");
            if name != "./a.py" {
                assert!(
                    reason("x.tgz", &tar(&[(name, EntryType::Regular, b"1")])).contains("unusable"),
                    "{name} in tar"
                );
            }
        }
    }

    #[test]
    fn a_name_with_hidden_characters_is_refused() {
        for name in ["a\u{202e}yp.exe", "a\nb.py", "a\u{7f}.py", "a\u{200b}.py"] {
            assert!(reason("x.zip", &zip(&[(name, b"1")])).contains("hidden"), "{name:?}");
        }
        // A NUL, which a header of tar cannot have.
        assert!(reason("x.zip", &zip(&[("a\0.py", b"1")])).contains("hidden"));
        assert!(reason("a\u{202e}.py", b"1").contains("hidden"));
    }

    #[test]
    fn links_and_special_files_are_refused() {
        assert!(reason("x.zip", &zip_of_link()).contains("link or a special file"));
        for kind in [
            EntryType::Symlink,
            EntryType::Link,
            EntryType::Char,
            EntryType::Block,
            EntryType::Fifo,
            EntryType::GNUSparse,
        ] {
            let refused = reason("x.tgz", &tar(&[("a.py", kind, b"")]));
            assert!(
                refused.contains("link or a special file") || refused.contains("cannot be read"),
                "{kind:?}: {refused}"
            );
        }
    }

    #[test]
    fn names_that_some_system_takes_for_one_are_refused() {
        for (one, two) in [("a.py", "A.py"), ("\u{e9}.py", "e\u{301}.py"), ("a", "a/b.py"), ("a/b.py", "A")] {
            let twins = tar(&[(one, EntryType::Regular, b"1"), (two, EntryType::Regular, b"2")]);
            let refused = reason("x.tgz", &twins);
            assert!(refused.contains("twice") || refused.contains("a file and a folder"), "{one} {two}: {refused}");
        }
        let twice = tar(&[("a.py", EntryType::Regular, b"1"), ("a.py", EntryType::Regular, b"2")]);
        assert!(reason("x.tgz", &twice).contains("twice"));
    }

    #[test]
    fn a_bomb_is_refused_when_it_has_grown_enough() {
        let zeros = vec![0; usize::try_from(MAX_BYTES).unwrap() + 1];
        let bomb = zip(&[("a.txt", &zeros)]);
        assert!(bomb.len() < 100_000, "{}", bomb.len());
        assert!(reason("x.zip", &bomb).contains("MiB of files"));
        assert!(reason("x.tgz", &tar(&[("a.txt", EntryType::Regular, &zeros)])).contains("MiB of files"));
        let half = vec![0; zeros.len() / 2 + 1];
        assert!(reason("x.zip", &zip(&[("a.txt", &half), ("b.txt", &half)])).contains("MiB of files"), "together");
    }

    #[test]
    fn a_long_name_of_tar_takes_no_memory_without_limit() {
        let name = vec![b'a'; usize::try_from(most_of_tar(BOUNDS)).unwrap() + 1];
        let long = [("././@LongLink", EntryType::GNULongName, &name[..]), ("a.py", EntryType::Regular, b"1")];
        assert!(reason("x.tgz", &tar(&long)).contains("cannot be read"));
    }

    #[test]
    fn more_files_than_allowed_are_refused() {
        let names: Vec<String> = (0..=MAX_FILES).map(|number| format!("f{number}")).collect();
        let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert_eq!(paths("x.zip", &zip(&entries[1..])).unwrap().len(), MAX_FILES);
        assert!(reason("x.zip", &zip(&entries)).contains("more than 200 files"));
        let many: Vec<(&str, EntryType, &[u8])> = vec![("d/", EntryType::Directory, b""); MAX_FILES * MAX_DEPTH + 2];
        assert!(reason("x.tgz", &tar(&many)).contains("more than 200 files"), "folders count in the end");
    }

    #[test]
    fn the_largest_upload_that_is_allowed_is_taken() {
        let (full, most) = (vec![b'x'; usize::try_from(MAX_BYTES).unwrap()], Bounds { files: MAX_FILES, bytes: 1 });
        assert_eq!(paths("x.zip", &zip(&[("a.txt", &full)])).unwrap(), ["a.txt"]);
        assert_eq!(paths("x.tgz", &tar(&[("a.txt", EntryType::Regular, &full)])).unwrap(), ["a.txt"]);
        // Headers of tar are larger than all that may be in these files.
        let names: Vec<String> = (0..MAX_FILES).map(|number| format!("f{number}")).collect();
        let empty: Vec<_> = names.iter().map(|name| (name.as_str(), EntryType::Regular, &b""[..])).collect();
        assert_eq!(files("x.tgz", &tar(&empty), most).unwrap().len(), MAX_FILES);
        // As many entries as there can be: folders are some of them.
        let names: Vec<String> = (1..2 * MAX_DEPTH).map(|number| format!("d{number}/")).collect();
        let folders: Vec<_> = names.iter().map(|name| (name.as_str(), EntryType::Directory, &b""[..])).collect();
        let two = Bounds { files: 2, bytes: 1 };
        let file = ("a.c", EntryType::Regular, &b"1"[..]);
        let entries = [&folders[..], &[file]].concat();
        let as_zip = |entries: &[(&str, EntryType, &[u8])]| {
            zip(&entries.iter().map(|(name, _, bytes)| (*name, *bytes)).collect::<Vec<_>>())
        };
        assert_eq!(files("x.tgz", &tar(&entries), two).unwrap().len(), 1);
        assert_eq!(files("x.zip", &as_zip(&entries), two).unwrap().len(), 1);
        let more = [&folders[..], &[("d/", EntryType::Directory, b""), file]].concat();
        assert_eq!(files("x.tgz", &tar(&more), two).unwrap_err().to_string(), "more than 2 files");
        assert_eq!(files("x.zip", &as_zip(&more), two).unwrap_err().to_string(), "more than 2 files");
    }

    #[test]
    fn the_folder_that_an_archive_was_made_in_is_none_of_its_folders() {
        for folder in ["./", ".", "././/"] {
            let made = [(folder, EntryType::Directory, &b""[..]), ("./a.c", EntryType::Regular, b"1")];
            assert_eq!(paths("x.tgz", &tar(&made)).unwrap_or_default(), ["a.c"], "{folder}");
        }
        let outside = tar(&[("../x/", EntryType::Directory, b""), ("a.c", EntryType::Regular, b"1")]);
        assert!(reason("x.tgz", &outside).contains("it leads out of its folder"));
        assert!(reason("x.zip", &zip(&[("../x/", b""), ("a.c", b"1")])).contains("it leads out of its folder"));
    }

    #[test]
    fn sizes_that_lie_are_not_believed() {
        let honest = zip(&[("a.txt", &[b'x'; 1000])]);
        let mut lies = honest.clone();
        // The uncompressed size in the local header and in the directory.
        for (at, window) in honest.windows(4).enumerate().filter(|(_, window)| *window == 1000_u32.to_le_bytes()) {
            lies[at..at + window.len()].copy_from_slice(&7_u32.to_le_bytes());
        }
        assert_ne!(lies, honest);
        // Either the library finds it out, or the bytes are counted as they come.
        if let Ok(read) = files("x.zip", &lies, BOUNDS) {
            assert!(read[0].bytes.len() <= 1000);
        }
        let mut grows = honest.clone();
        for (at, window) in honest.windows(4).enumerate().filter(|(_, window)| *window == 1000_u32.to_le_bytes()) {
            grows[at..at + window.len()].copy_from_slice(&u32::MAX.to_le_bytes());
        }
        if let Ok(read) = files("x.zip", &grows, BOUNDS) {
            assert!(read[0].bytes.len() <= 1000, "no more than there is");
        }
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        for name in ["x.zip", "x.tar.gz", "X.TGZ"] {
            assert!(reason(name, b"not an archive").contains("cannot be read"), "{name}");
        }
        assert!(reason("x.zip", &zip(&[])).contains("no file"));
        assert!(reason("x.tgz", &tar(&[])).contains("no file"));
    }

    #[test]
    fn damaged_archives_are_refused_or_read_and_never_a_panic() {
        let archives = [
            ("x.zip", zip(&[("a.py", b"print(1)"), ("b/c.py", b"2")])),
            ("x.tgz", tar(&[("a.py", EntryType::Regular, b"1")])),
        ];
        for (name, whole) in archives {
            for at in 0..whole.len() {
                let mut changed = whole.clone();
                changed[at] ^= 0x55;
                drop(files(name, &changed, BOUNDS));
                drop(files(name, &whole[..at], BOUNDS));
            }
        }
    }

    #[test]
    fn an_archive_in_an_archive_is_a_file() {
        let inner = zip(&[("../a.py", b"1")]);
        assert_eq!(paths("x.zip", &zip(&[("inner.zip", &inner), ("a.py", b"1")])).unwrap(), ["a.py", "inner.zip"]);
    }

    #[test]
    fn a_long_or_deep_path_is_refused() {
        let (long, deep) = ("a".repeat(MAX_PATH + 1), "a/".repeat(MAX_DEPTH) + "b");
        for path in [long, deep] {
            assert!(reason("x.zip", &zip(&[(&path, b"1")])).contains("too long or too deep"));
        }
        let long = format!("{}/{}", "a".repeat(MAX_NAME.min(MAX_PATH / 2)), "b".repeat(MAX_PATH - MAX_PATH / 2 - 1));
        let name = "n".repeat(MAX_NAME.min(MAX_PATH));
        let bytes = "\u{e9}".repeat(126) + "a.c";
        assert_eq!(bytes.len(), MAX_NAME);
        for path in [&long, &name, &bytes, &("a/".repeat(MAX_DEPTH - 1) + "b")] {
            assert_eq!(files(path, b"1", BOUNDS).map_or(0, |files| files.len()), 1, "{path}");
        }
        // File systems count bytes.
        let (fits, long) = ("\u{e9}".repeat(126) + ".c", "\u{e9}".repeat(127) + ".c");
        for path in [&*long, &format!("a/{long}/b"), &"\u{1f600}".repeat(90)] {
            assert!(reason("x.zip", &zip(&[(path, b"1")])).contains("too long or too deep"), "{path}");
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(&fits), "").unwrap();
        assert_eq!(paths(&fits, b"1").unwrap(), [fits]);
    }
}
