//! The files of a folder that a program consists of, such as a package of modules.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use judge_core::fingerprint::sha256_of_reader;
use judge_core::journal::FILE_NAME;
use judge_files::Folder;
use judge_job::{Place, is_of_system};

/// The most files of one folder that are hashed. Each name is written to the journal.
const MAX_FILES: usize = 1000;
/// The most bytes of these files together.
const MAX_BYTES: u64 = 256 << 20;
/// The most bytes of one file that is hashed.
const MAX_FILE_BYTES: u64 = 16 << 30;
/// The deepest level of subfolders.
const MAX_DEPTH: usize = 16;
/// Folders with compiled code that interpreters write next to programs.
const BY_PRODUCTS: [&str; 1] = ["__pycache__"];

/// The files to hash of a place that a command names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Files {
    /// The place is not a folder, or is a folder of the system, which is not hashed.
    None,
    /// The paths of its files, relative to the place, sorted.
    All(Vec<PathBuf>),
    /// No files are hashed, for this reason, as a fragment.
    Refused(String),
}

/// The files of a program's folder, at any depth. A link is followed if it leads to a file of the folder. Results directories in
/// it and by-products of interpreters are not part of the program.
pub(super) fn files_of(place: &Place, contest: &Path) -> Files {
    let Ok(folder) = place.open().and_then(Folder::from_item) else { return Files::None };
    let Ok(real) = folder.real_path() else { return Files::None };
    if is_of_system(&real) {
        return Files::None;
    }
    if contest.starts_with(&real) {
        return Files::Refused("it has the whole contest in it".into());
    }
    let mut walk = Walk { folder, files: Vec::new(), bytes: 0 };
    match walk.enter(Path::new(""), 0) {
        Ok(true) => {
            walk.files.sort();
            Files::All(walk.files)
        }
        Ok(false) => {
            let most = bytesize::ByteSize(MAX_BYTES);
            Files::Refused(format!("it has more than {MAX_FILES} files, {most} or {MAX_DEPTH} levels"))
        }
        Err(error) => Files::Refused(error.to_string()),
    }
}

struct Walk {
    folder: Folder,
    files: Vec<PathBuf>,
    bytes: u64,
}

impl Walk {
    /// Collects the files of a folder at this path. Returns false if it has too many.
    fn enter(&mut self, path: &Path, depth: usize) -> io::Result<bool> {
        let here = if depth == 0 { Path::new(".") } else { path };
        if self.folder.has(here.join(FILE_NAME)) {
            return Ok(true);
        }
        if depth > MAX_DEPTH {
            return Ok(false);
        }
        for name in self.folder.folder(here)?.names()? {
            let name = name?;
            let at = path.join(&name);
            let found = self.folder.metadata(&at)?;
            if found.is_dir() {
                if !BY_PRODUCTS.iter().any(|product| name == *product) && !self.enter(&at, depth + 1)? {
                    return Ok(false);
                }
                continue;
            }
            let file = match self.folder.read_by_links(&at) {
                Ok(file) => file,
                // A pipe, or a link that leads out or nowhere: the program cannot read it either.
                Err(_) if !found.is_file() => continue,
                Err(error) => return Err(io::Error::new(error.kind(), format!("{}: {error}", at.display()))),
            };
            self.bytes = self.bytes.saturating_add(file.metadata()?.len());
            self.files.push(at);
            if self.files.len() > MAX_FILES || self.bytes > MAX_BYTES {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The reason, in words, why a file of a program is too large to be read. A sparse file of a terabyte takes no space and no time
/// to create, but hours to read.
pub(crate) fn too_large(place: &Place) -> Option<String> {
    let bytes = place.read().and_then(|file| file.metadata()).ok()?.len();
    let most = bytesize::ByteSize(MAX_FILE_BYTES);
    (bytes > MAX_FILE_BYTES).then(|| format!("it has {}, which is more than {most}", bytesize::ByteSize(bytes)))
}

/// SHA-256 of a file of a program; `None` if it cannot be read or is [too large](too_large).
pub(super) fn hash_of(place: &Place) -> Option<String> {
    // Not beyond the limit, even if the file grows meanwhile.
    let file = place.read().ok().filter(|_| too_large(place).is_none())?;
    sha256_of_reader(file.take(MAX_FILE_BYTES)).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_that_takes_hours_to_read_has_no_hash() {
        let folder = tempfile::tempdir().unwrap();
        let file = fs::File::create(folder.path().join("program")).unwrap();
        let place = Place::trusted(folder.path().join("program"));
        file.set_len(3).unwrap();
        assert!(too_large(&place).is_none() && hash_of(&place).is_some());
        // The file has no blocks on the disk.
        file.set_len(1 << 40).unwrap();
        assert_eq!(too_large(&place).unwrap(), "it has 1.0 TiB, which is more than 16.0 GiB");
        assert_eq!(hash_of(&place), None);
    }

    fn names(files: &Files) -> Vec<String> {
        match files {
            Files::All(files) => files.iter().map(|file| file.display().to_string()).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_folder_of_a_program_has_its_own_files_in_order() {
        let contest = tempfile::tempdir().unwrap();
        let at = |path: &str| contest.path().join(path);
        for folder in ["mine/lib/deep", "mine/__pycache__", "mine/runs/1", "yours"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in
            ["mine/z.py", "mine/a.py", "mine/lib/deep/b", "mine/__pycache__/a.pyc", "mine/runs/1/x", "yours/secret"]
        {
            fs::write(at(file), "x").unwrap();
        }
        fs::write(at("mine/runs/1").join(FILE_NAME), "").unwrap();
        symlink("lib/deep/b", at("mine/link")).unwrap();
        symlink("../yours/secret", at("mine/out")).unwrap();
        symlink("lib", at("mine/folder")).unwrap();
        let root = contest.path().canonicalize().unwrap();
        let place = |path: &str| Place { root: root.clone(), folder: path.into(), inside: PathBuf::new() };
        assert_eq!(names(&files_of(&place("mine"), &root)), ["a.py", "lib/deep/b", "link", "z.py"]);
        assert_eq!(files_of(&place("mine/a.py"), &root), Files::None);
        assert_eq!(files_of(&place("none"), &root), Files::None);
        assert_eq!(files_of(&Place::trusted("/usr/lib"), &root), Files::None);
        assert!(matches!(files_of(&Place::trusted(&root), &root), Files::Refused(_)));
    }

    #[test]
    fn a_folder_of_too_many_files_is_refused_as_a_whole() {
        let contest = tempfile::tempdir().unwrap();
        let root = contest.path().canonicalize().unwrap();
        fs::create_dir(root.join("mine")).unwrap();
        let mine = Place { root: root.clone(), folder: "mine".into(), inside: PathBuf::new() };
        for number in 0..MAX_FILES {
            fs::write(root.join(format!("mine/{number}")), "").unwrap();
        }
        assert_eq!(names(&files_of(&mine, &root)).len(), MAX_FILES);
        // Not too many files, but one that is too large.
        fs::remove_file(root.join("mine/0")).unwrap();
        let large = fs::File::create(root.join("mine/large")).unwrap();
        large.set_len(MAX_BYTES).unwrap();
        assert_eq!(names(&files_of(&mine, &root)).len(), MAX_FILES);
        large.set_len(MAX_BYTES + 1).unwrap();
        assert!(matches!(files_of(&mine, &root), Files::Refused(_)));
        large.set_len(0).unwrap();
        fs::write(root.join("mine/0"), "").unwrap();
        assert!(matches!(files_of(&mine, &root), Files::Refused(_)));
    }
}
