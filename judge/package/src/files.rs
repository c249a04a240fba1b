//! The files of a package, which may come from anybody: names are checked, and links must stay inside it.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::PackageError;

/// The most files and folders in one folder, and in one program.
const MOST_FILES: usize = 100_000;
/// The deepest folder of a program.
const MOST_DEPTH: usize = 16;

/// The folder of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Files {
    root: PathBuf,
    /// The folder that links may lead into: the package itself, or one around it.
    links: PathBuf,
}

impl Files {
    /// Opens a folder, by its path without links. Links may lead into `links`, or stay inside.
    pub(crate) fn open(root: &Path, links: Option<&Path>) -> Result<Self, PackageError> {
        let metadata = fs::metadata(root).map_err(|error| PackageError::whole(root, error))?;
        if !metadata.is_dir() {
            let reason = "is not a folder; unpack an archive first, for example with `unzip`";
            return Err(PackageError::whole(root, reason));
        }
        let real = |path: &Path| path.canonicalize().map_err(|error| PackageError::whole(path, error));
        let root = real(root)?;
        let links = links.map_or_else(|| Ok(root.clone()), real)?;
        Ok(Self { root, links })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The names in a folder, sorted. Hidden files and names that the format does not allow are left out.
    pub(crate) fn list(&self, folder: &Path) -> Result<Vec<String>, PackageError> {
        let refuse = |error: std::io::Error| PackageError::whole(folder, error);
        let mut names = Vec::new();
        for entry in fs::read_dir(self.inside(folder)?).map_err(refuse)? {
            let name = entry.map_err(refuse)?.file_name().into_string().ok().filter(|name| is_usable(name));
            names.extend(name);
            if names.len() > MOST_FILES {
                return Err(PackageError::whole(folder, format!("more than {MOST_FILES} files")));
            }
        }
        names.sort();
        Ok(names)
    }

    /// A path without links, if that is in the package or where links may lead.
    pub(crate) fn inside(&self, path: &Path) -> Result<PathBuf, PackageError> {
        let real = path.canonicalize().map_err(|error| PackageError::whole(path, error))?;
        if real.starts_with(&self.root) || real.starts_with(&self.links) {
            return Ok(real);
        }
        let reason = format!(
            "is a link to {}, outside the package; allow links into a folder with --links FOLDER",
            real.display()
        );
        Err(PackageError::whole(path, reason))
    }

    /// The bytes of a regular file.
    pub(crate) fn bytes(&self, file: &Path, most: u64) -> Result<Vec<u8>, PackageError> {
        let refuse = |error: std::io::Error| PackageError::whole(file, error);
        let real = self.inside(file)?;
        if !fs::metadata(&real).map_err(refuse)?.is_file() {
            return Err(PackageError::whole(file, "is not a regular file"));
        }
        let mut bytes = Vec::new();
        fs::File::open(real).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(refuse)?;
        if bytes.len() as u64 > most {
            return Err(PackageError::whole(file, format!("is larger than {most} bytes")));
        }
        Ok(bytes)
    }

    /// The text of a regular file; bytes that are not UTF-8 are replaced.
    pub(crate) fn text(&self, file: &Path, most: u64) -> Result<String, PackageError> {
        Ok(String::from_utf8_lossy(&self.bytes(file, most)?).into_owned())
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
        if depth > MOST_DEPTH || files.len() > MOST_FILES {
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

/// The names that the format allows, and those with spaces and plus signs that packages use nevertheless.
fn is_usable(name: &str) -> bool {
    !name.starts_with(['.', '-']) && name.chars().all(|c| c.is_alphanumeric() || "_.-+ ()@,=".contains(c))
}
