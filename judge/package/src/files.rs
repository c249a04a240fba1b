//! The files of a package, which is not trusted: names are checked, and links must stay inside it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use judge_core::hint::Hint;
use judge_core::text::printable;
use judge_files::{near, regular};

use crate::error::PackageError;

/// The most files and folders in one folder, and in one program.
const MAX_FILES: usize = 100_000;
/// The most names that are read in all folders of a package. Links make many paths to one folder.
const MAX_NAMES: usize = 200_000;
/// The largest file that is copied, in bytes: the largest board of a contest.
const MAX_COPIED_BYTES: u64 = 256 << 20;
/// The most bytes that are copied in all.
const MAX_COPIED_IN_ALL: u64 = 8 << 30;
/// The most omitted names that get a notice each.
const MAX_NOTICES: usize = 20;
/// The deepest folder of a program.
const MAX_DEPTH: usize = 16;

/// The folder of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    root: PathBuf,
    /// The folder that links may lead into: the package itself, or one around it.
    links: PathBuf,
    /// Number of names that were read so far.
    names: Cell<usize>,
    /// Number of bytes that were copied so far.
    copied: Cell<u64>,
    /// Paths that were left out for their names.
    left_out: RefCell<BTreeSet<PathBuf>>,
    /// Links that lead to nothing, which were left out.
    dangling: RefCell<BTreeSet<PathBuf>>,
    /// Texts that are not UTF-8.
    not_utf8: RefCell<BTreeSet<PathBuf>>,
}

impl Files {
    /// Opens a folder, by its path without links. Links may lead into `links`, or stay inside.
    pub(crate) fn open(root: &Path, links: Option<&Path>) -> Result<Self, PackageError> {
        let metadata = fs::metadata(root).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let near = near::did_you_mean(root);
                PackageError::whole(root, format!("no such folder; name one with a problem.yaml or a task.yaml{near}"))
            }
            _ => PackageError::whole(root, error),
        })?;
        if !metadata.is_dir() {
            let reason = "is not a folder; unpack an archive first, for example with `unzip`";
            return Err(PackageError::whole(root, reason));
        }
        let real = |path: &Path| path.canonicalize().map_err(|error| PackageError::whole(path, error));
        let root = real(root)?;
        let links = links.map_or_else(|| Ok(root.clone()), real)?;
        let (left_out, dangling, not_utf8) = Default::default();
        Ok(Self { root, links, names: Cell::default(), copied: Cell::default(), left_out, dangling, not_utf8 })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The names in a folder, sorted. Hidden files, names that the format does not allow, and links that lead to nothing are left
    /// out; see [`Self::notices`].
    pub(crate) fn list(&self, folder: &Path) -> Result<Vec<String>, PackageError> {
        let refuse = |error: std::io::Error| PackageError::whole(folder, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(self.inside(folder)?).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            let name = entry.file_name();
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) && is_dangling(&folder.join(&name)) {
                self.dangling.borrow_mut().insert(folder.join(&name));
                continue;
            }
            match name.to_str().filter(|name| is_usable(name)) {
                Some(name) => names.push(name.to_owned()),
                None if name.as_encoded_bytes().starts_with(b".") => {}
                None => {
                    self.left_out.borrow_mut().insert(folder.join(&name));
                }
            }
            if names.len() > MAX_FILES {
                return Err(PackageError::whole(folder, format!("more than {MAX_FILES} files")));
            }
            self.names.set(self.names.get() + 1);
        }
        // Counts the folder itself: links can make endless paths without a file.
        self.names.set(self.names.get() + 1);
        if self.names.get() > MAX_NAMES {
            let reason =
                format!("more than {MAX_NAMES} files and folders in the package; its links lead to some again");
            return Err(PackageError::whole(folder, reason));
        }
        names.sort();
        Ok(names)
    }

    /// Tests whether a path is a link that leads to nothing, or a folder with one.
    pub(crate) fn has_dangling(&self, path: &Path) -> Result<bool, PackageError> {
        if !path.is_dir() {
            return Ok(is_dangling(path));
        }
        self.list(path)?;
        Ok(self.dangling.borrow().iter().any(|link| link.starts_with(path)))
    }

    /// The omitted files, for people.
    pub(crate) fn notices(&self) -> Vec<String> {
        let shown = |path: &Path| printable(&path.to_string_lossy());
        let dangling = self.dangling.borrow();
        let mut links: Vec<String> = dangling
            .iter()
            .take(MAX_NOTICES)
            .map(|link| {
                let target = link.read_link().unwrap_or_default();
                format!("{}: ignored, because it is a link to {}, which is not there", shown(link), shown(&target))
            })
            .collect();
        let more = dangling.len().saturating_sub(MAX_NOTICES);
        if more > 0 {
            links.push(format!("{more} more links are ignored, because they lead to nothing"));
        }
        let not_utf8 = self.not_utf8.borrow();
        links.extend(not_utf8.iter().map(|file| format!("{}: not UTF-8, so it is read as Windows-1252", shown(file))));
        let left_out = self.left_out.borrow();
        let line = |path: &PathBuf| {
            // Its name may contain anything.
            let path = printable(&path.to_string_lossy());
            format!("{path}: ignored, because the format does not allow its name")
        };
        let mut notices: Vec<String> = left_out.iter().take(MAX_NOTICES).map(line).collect();
        let more = left_out.len().saturating_sub(MAX_NOTICES);
        if more > 0 {
            notices.push(format!("{more} more files and folders are ignored for their names"));
        }
        links.into_iter().chain(notices).collect()
    }

    /// A path without links, if it is in the package or in the folder into which links may lead.
    pub(crate) fn inside(&self, path: &Path) -> Result<PathBuf, PackageError> {
        let real = path.canonicalize().map_err(|error| PackageError::whole(path, error))?;
        if real.starts_with(&self.root) || real.starts_with(&self.links) {
            return Ok(real);
        }
        let error = PackageError::whole(path, format!("is a link to {}, outside the package", real.display()));
        Err(PackageError { hint: Some(Hint::AllowLinks), ..error })
    }

    /// The bytes of a regular file.
    pub(crate) fn bytes(&self, file: &Path, most: u64) -> Result<Vec<u8>, PackageError> {
        regular::read(&self.inside(file)?, most).map_err(|error| PackageError::whole(file, error))
    }

    /// Copies a regular file with its permission to execute, which scripts need. Returns its size in bytes.
    pub(crate) fn copy(&self, file: &Path, target: &Path) -> Result<u64, PackageError> {
        let refuse = |error: io::Error| PackageError::whole(file, error);
        let wrong = |error: io::Error| PackageError::whole(target, error);
        let from = regular::open(&self.inside(file)?).map_err(refuse)?;
        let metadata = from.metadata().map_err(refuse)?;
        if metadata.len() > MAX_COPIED_BYTES {
            return Err(PackageError::whole(file, format!("is larger than {} MiB", MAX_COPIED_BYTES >> 20)));
        }
        // Every submission can have its own copy of each included file.
        if self.copied.get().saturating_add(metadata.len()) > MAX_COPIED_IN_ALL {
            let reason = format!("with it, the copies are larger than {} GiB together", MAX_COPIED_IN_ALL >> 30);
            return Err(PackageError::whole(file, reason));
        }
        let mut to = fs::File::create(target).map_err(wrong)?;
        // The error's text shows which of the two files it concerns.
        let copied = io::copy(&mut regular::capped(from, MAX_COPIED_BYTES), &mut to).map_err(wrong)?;
        self.copied.set(self.copied.get().saturating_add(copied));
        fs::set_permissions(target, of_copy(&metadata)).map_err(wrong)?;
        Ok(copied)
    }

    /// The text of a submission, which may be an archive: it is only searched. Bytes that are not UTF-8 are replaced.
    pub(crate) fn source(&self, file: &Path, most: u64) -> Result<String, PackageError> {
        Ok(String::from_utf8_lossy(&self.bytes(file, most)?).into_owned())
    }

    /// The text of a regular file. One that is not UTF-8 is taken for Windows-1252, the superset of Latin-1 that editors
    /// write; see [`Self::notices`].
    pub(crate) fn text(&self, file: &Path, most: u64) -> Result<String, PackageError> {
        String::from_utf8(self.bytes(file, most)?).or_else(|error| {
            self.not_utf8.borrow_mut().insert(file.to_owned());
            Ok(error.into_bytes().into_iter().map(windows_1252).collect())
        })
    }

    /// The files of a program, by their paths below it, sorted. A program is a file or a folder.
    pub(crate) fn program(&self, path: &Path) -> Result<Vec<(String, PathBuf)>, PackageError> {
        let mut files = Vec::new();
        if path.is_dir() {
            self.collect(path, "", 0, &mut files)?;
        } else {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, path.to_owned()));
        }
        Ok(files)
    }

    fn collect(
        &self,
        folder: &Path,
        prefix: &str,
        depth: usize,
        files: &mut Vec<(String, PathBuf)>,
    ) -> Result<(), PackageError> {
        if depth > MAX_DEPTH || files.len() > MAX_FILES {
            return Err(PackageError::whole(folder, "too many files, or folders nested too deeply, in one program"));
        }
        for name in self.list(folder)? {
            let path = folder.join(&name);
            if path.is_dir() {
                self.collect(&path, &format!("{prefix}{name}/"), depth + 1, files)?;
            } else {
                files.push((format!("{prefix}{name}"), path));
            }
        }
        Ok(())
    }
}

/// Tests whether a path is a link that leads to nothing.
fn is_dangling(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
        && fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// The letter of a byte in Windows-1252. Other bytes are read as Latin-1.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_80[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

/// The permissions of a copy: no set-user-id bit, and its owner may change it.
#[cfg(unix)]
fn of_copy(original: &fs::Metadata) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    fs::Permissions::from_mode((original.permissions().mode() & 0o777) | 0o600)
}

#[cfg(not(unix))]
fn of_copy(original: &fs::Metadata) -> fs::Permissions {
    original.permissions()
}

/// The names that the format allows, and those with spaces and plus signs that packages use nevertheless.
fn is_usable(name: &str) -> bool {
    !name.starts_with(['.', '-']) && name.chars().all(|c| c.is_alphanumeric() || "_.-+ ()@,=".contains(c))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn copies_end_at_the_most_bytes_of_a_package() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("three"), "abc").unwrap();
        fs::write(path("four"), "abcd").unwrap();
        let files = Files::open(folder.path(), None).unwrap();
        files.copied.set(MAX_COPIED_IN_ALL - 6);
        files.copy(&path("three"), &path("copy")).unwrap();
        // One byte too many is refused before anything is written; as many as there is room for are copied.
        let refused = files.copy(&path("four"), &path("too many")).unwrap_err();
        assert!(refused.to_string().ends_with("four: with it, the copies are larger than 8 GiB together"), "{refused}");
        assert!(!path("too many").exists());
        files.copy(&path("three"), &path("another copy")).unwrap();
        assert_eq!(fs::read(path("another copy")).unwrap(), b"abc");
        assert_eq!(files.copied.get(), MAX_COPIED_IN_ALL);
        // A hole takes no room on disk.
        fs::File::create(path("large")).unwrap().set_len(MAX_COPIED_BYTES + 1).unwrap();
        let refused = files.copy(&path("large"), &path("too large")).unwrap_err();
        assert!(refused.to_string().ends_with("large: is larger than 256 MiB"), "{refused}");
    }
}
