//! A path in the file system, split where trust ends.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::canonical_parent;

/// A file or folder of the machine, with how far its path is trusted.
///
/// An author who fills a folder can put links in it, even while other processes read it. So the path has three parts.
/// `root` is the organiser's, and links in it are followed. `folder` is the way to the folder that one author fills,
/// and no link in it is followed. In `inside`, links are followed that stay in `folder`, or that lead to the system's
/// programs and libraries, which every job sees.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The absolute path that is trusted.
    pub root: PathBuf,
    /// The way from there to an author's folder: a relative path without `..`, or empty.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub folder: PathBuf,
    /// The way in that folder: a relative path without `..`, or empty.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub inside: PathBuf,
}

fn is_empty(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

impl Place {
    /// A path that is trusted as a whole. Links on the way to its last part are resolved now.
    pub fn trusted(path: impl AsRef<Path>) -> Self {
        Self { root: canonical_parent(path.as_ref()), folder: PathBuf::new(), inside: PathBuf::new() }
    }

    /// The whole path, including the part below the folder.
    pub fn path(&self) -> PathBuf {
        // Joining an empty path would add a slash.
        let parts = [&self.folder, &self.inside].into_iter().filter(|part| !is_empty(part));
        parts.fold(self.root.clone(), |path, part| path.join(part))
    }

    /// Returns the place of this name inside this one, or this one if the name is empty.
    #[must_use]
    pub fn join(mut self, name: impl AsRef<Path>) -> Self {
        self.inside.push(name);
        self
    }
}

impl<P: AsRef<Path>> From<P> for Place {
    fn from(path: P) -> Self {
        Self::trusted(path)
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::os::unix::fs::MetadataExt as _;

    use judge_files::{Folder, Item, Links};

    use super::*;
    use crate::path::is_of_system;

    impl Place {
        /// Opens it by name only.
        ///
        /// # Errors
        ///
        /// The system's, and one of kind `InvalidInput` if its path leads out of an author's folder.
        pub fn open(&self) -> io::Result<Item> {
            if is_empty(&self.folder) && is_empty(&self.inside) {
                return Item::open(&self.root);
            }
            let root = Folder::open(&self.root)?;
            let folder = if is_empty(&self.folder) { root } else { root.folder(&self.folder)? };
            if is_empty(&self.inside) {
                return Ok(folder.into());
            }
            folder.item(&self.inside, Links::Inside).or_else(|error| self.of_system().ok_or(error))
        }

        /// Tests whether it can be opened.
        ///
        /// # Errors
        ///
        /// As [`Place::open`].
        pub fn check(&self) -> io::Result<()> {
            self.open().map(drop)
        }

        /// Creates its `root` and `folder` if they are missing, and opens it.
        ///
        /// # Errors
        ///
        /// As [`Place::open`].
        pub fn create(&self) -> io::Result<Item> {
            std::fs::create_dir_all(&self.root)?;
            Folder::open(&self.root)?.create_folders(&self.folder)?;
            self.open()
        }

        /// Opens it for reading if it is a regular file, without waiting.
        ///
        /// # Errors
        ///
        /// As [`Place::open`], and one of kind `InvalidInput` if it is not a regular file.
        pub fn read(&self) -> io::Result<File> {
            self.open()?.read()
        }

        /// The target of a link if it is one of the system's programs or libraries and every user may read it. Without
        /// that check, a judge that is root could read more than the author may.
        fn of_system(&self) -> Option<Item> {
            const READ: u32 = 0o4;
            const SEARCH: u32 = 0o1;
            let real = self.path().canonicalize().ok().filter(|path| is_of_system(path))?;
            let allows = |path: &Path, right: u32| path.metadata().is_ok_and(|found| found.mode() & right == right);
            if !allows(&real, READ) || !real.ancestors().skip(1).all(|folder| allows(folder, SEARCH)) {
                return None;
            }
            // Only root can change the system's folders, so the path still leads to the same file.
            Item::open(&real).ok()
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Place {
    /// Tests whether it is there. On this system, links are followed everywhere.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn check(&self) -> io::Result<()> {
        self.path().metadata().map(drop)
    }

    /// Opens it for reading if it is a regular file. On this system, links are followed everywhere.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` if it is not a regular file.
    pub fn read(&self) -> io::Result<File> {
        judge_files::regular::open(&self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_plain_data() {
        let place = Place { root: "/contest".into(), folder: "mine".into(), inside: "solver".into() };
        let text = serde_json::to_string(&place).expect("plain data");
        assert_eq!(serde_json::from_str::<Place>(&text).expect("the same"), place);
        let trusted = Place::trusted("/usr/bin/env");
        assert_eq!(serde_json::to_string(&trusted).expect("plain data"), r#"{"root":"/usr/bin/env"}"#);
    }

    #[test]
    fn a_place_is_one_path() {
        let place = Place { root: "/contest".into(), folder: "mine".into(), inside: "solver".into() };
        assert_eq!(place.path(), Path::new("/contest/mine/solver"));
        let trusted = Place::trusted("/usr/bin/env");
        assert_eq!(
            (trusted.path(), trusted.clone().join("a").path()),
            ("/usr/bin/env".into(), "/usr/bin/env/a".into())
        );
    }
}
