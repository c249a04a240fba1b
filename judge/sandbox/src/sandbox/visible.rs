//! Files of the machine that a job can see: the system's programs and libraries, and those that the job names.
//!
//! It sees no home directory, no other entry, and no board except its own. Paths are the same inside and outside, so a
//! command means the same.

use std::collections::BTreeSet;
use std::ffi::{CString, OsStr};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::plan::{Bind, Root};
use crate::settled;

/// Folders of programs and libraries for all users.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
];
/// Files of `/etc` that programs need: library paths, alternatives, the time zone, and the settings of OpenSSL, without
/// which Node.js does not start.
const SETTINGS: &[&str] = &[
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "ssl/openssl.cnf",
    "pki/tls/openssl.cnf",
];
/// Beginnings of names in `/etc` that are needed as well: the paths of musl's loader, one file per architecture, and the
/// settings of Java, which are linked from its own folder.
const SETTINGS_BY_PREFIX: &[&str] = &["ld-musl-", "java-"];
/// Folders next to a `bin` on the PATH in which its programs keep their libraries.
const BESIDE_PROGRAMS: &[&str] = &["bin", "lib", "lib32", "lib64", "libexec", "versions", "conf"];
/// Names of folders of programs that may have such folders next to them.
const PROGRAMS: &[&str] = &["bin", "sbin", "shims", "condabin"];
/// Device files that programs expect.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Files and folders that may be read, and links among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VisiblePaths {
    folders: BTreeSet<PathBuf>,
    files: BTreeSet<PathBuf>,
    links: BTreeSet<(PathBuf, PathBuf)>,
    /// Folders that may be written as well.
    writable: BTreeSet<PathBuf>,
}

impl VisiblePaths {
    /// Paths that every job sees: the system's programs and libraries, and those on the PATH.
    pub(super) fn of_system(path: &OsStr, home: Option<&Path>) -> Self {
        let mut visible = Self::default();
        for folder in SYSTEM.iter().map(Path::new) {
            match fs::read_link(folder) {
                Ok(target) => drop(visible.links.insert((folder.into(), target))),
                Err(_) => visible.show(folder),
            }
        }
        for name in SETTINGS {
            visible.show(&Path::new("/etc").join(name));
        }
        let settings = fs::read_dir("/etc").into_iter().flatten().flatten();
        settings.filter(|item| is_setting(&item.file_name())).for_each(|item| visible.show(&item.path()));
        for folder in std::env::split_paths(path).filter(|folder| folder.is_absolute()) {
            let Ok(folder) = folder.canonicalize() else { continue };
            visible.show(&folder);
            let name = folder.file_name().unwrap_or_default();
            let Some(prefix) = folder.parent().filter(|_| PROGRAMS.iter().any(|program| name == *program)) else {
                continue;
            };
            // The folders of a home directory are not libraries.
            if Some(prefix) != home && prefix != Path::new("/") {
                BESIDE_PROGRAMS.iter().for_each(|beside| visible.show(&prefix.join(beside)));
            }
        }
        visible
    }

    /// The same and these files and folders.
    pub(super) fn with(&self, more: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut visible = self.clone();
        more.into_iter().for_each(|path| visible.show(&settled(&path)));
        visible
    }

    /// The same with these folders writable. The error names the one that is missing or no folder.
    pub(super) fn with_writable(mut self, folders: &[PathBuf]) -> Result<Self, String> {
        for folder in folders {
            let path = settled(folder);
            let refused = |why: &str| Err(format!("the writable folder {}: {why}", folder.display()));
            match fs::metadata(&path) {
                Err(error) => return refused(&error.to_string()),
                Ok(metadata) if !metadata.is_dir() => return refused("not a folder"),
                Ok(_) if path.parent().is_none() => return refused("all files of the machine would be writable"),
                Ok(_) => {}
            }
            if !path.ancestors().any(|outer| self.writable.contains(outer)) {
                self.writable.retain(|inner| !inner.starts_with(&path));
                self.writable.insert(path);
            }
        }
        Ok(self)
    }

    /// Folders that may be written.
    pub(super) fn writable(&self) -> impl Iterator<Item = &PathBuf> {
        self.writable.iter()
    }

    fn show(&mut self, path: &Path) {
        // The root itself cannot be mounted into itself.
        if path.parent().is_none() || self.shows(path) {
            return;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                // Paths inside it are shown with it.
                self.folders.retain(|inner| !inner.starts_with(path));
                self.files.retain(|inner| !inner.starts_with(path));
                self.folders.insert(path.into());
            }
            Ok(_) => drop(self.files.insert(path.into())),
            Err(_) => {}
        }
    }

    /// Checks whether a path is shown, by itself or in a folder.
    pub(super) fn shows(&self, path: &Path) -> bool {
        self.files.contains(path) || path.ancestors().any(|folder| self.folders.contains(folder))
    }

    /// Every file and folder shown.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.folders.iter().chain(&self.files)
    }

    /// Device files that exist here.
    pub(super) fn devices() -> impl Iterator<Item = &'static Path> {
        DEVICES.iter().map(Path::new).filter(|device| device.exists())
    }

    /// Path of the scratch directory in a root that shows this.
    pub(super) fn scratch(&self) -> PathBuf {
        let names = ["/scratch", "/judge-scratch"].map(PathBuf::from);
        let free = |name: &&PathBuf| !self.paths().chain(&self.writable).any(|path| path.starts_with(name));
        names.iter().find(free).unwrap_or(&names[1]).clone()
    }

    /// A root file system that shows only this. `base` is the folder that it is first mounted over. Paths in `usual` may be
    /// missing.
    pub(super) fn root(&self, usual: &Self, base: &Path, scratch_options: &str) -> Root {
        let scratch = self.scratch();
        let mut folders: BTreeSet<PathBuf> = self.folders.union(&self.writable).cloned().collect();
        folders.extend(["/dev", "/proc"].map(PathBuf::from));
        folders.insert(scratch.clone());
        let devices: Vec<PathBuf> = Self::devices().map(Into::into).collect();
        for path in self.paths().chain(&self.writable).chain(self.links.iter().map(|(link, _)| link)) {
            folders.extend(path.ancestors().skip(1).filter(|folder| folder.parent().is_some()).map(Into::into));
        }
        let links = [
            ("/tmp", scratch.as_path()),
            ("/dev/shm", &scratch),
            ("/dev/fd", Path::new("/proc/self/fd")),
            ("/dev/stdin", Path::new("/proc/self/fd/0")),
            ("/dev/stdout", Path::new("/proc/self/fd/1")),
            ("/dev/stderr", Path::new("/proc/self/fd/2")),
        ];
        // An entry that lives in a folder of one of these names needs the folder itself.
        let links = links.iter().filter(|(link, _)| !folders.contains(Path::new(link)));
        let links = links.map(|(link, target)| (c_string(target), relative(Path::new(link))));
        let links = links.chain(self.links.iter().map(|(link, target)| (c_string(target), relative(link)))).collect();
        let bind = |path: &PathBuf| Bind {
            source: c_string(path),
            target: relative(path),
            needed: !usual.shows(path) || path == Path::new("/usr"),
        };
        let pair = |path: &PathBuf| (c_string(path), relative(path));
        Root {
            base: c_string(base),
            files: self.files.iter().chain(&devices).map(|path| relative(path)).collect(),
            binds: self.paths().map(bind).collect(),
            writable: self.writable.iter().map(pair).collect(),
            devices: devices.iter().map(pair).collect(),
            folders: folders.iter().map(|path| relative(path)).collect(),
            links,
            scratch_name: relative(&scratch),
            scratch_options: CString::new(scratch_options).expect("options have no NUL"),
        }
    }
}

/// Checks whether a file or folder of `/etc` is needed, by the beginning of its name.
fn is_setting(name: &OsStr) -> bool {
    SETTINGS_BY_PREFIX.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
}

/// A path that a file system gave, so that it holds no NUL.
pub(super) fn c_string(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

fn relative(path: &Path) -> CString {
    c_string(path.strip_prefix("/").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_prefix_on_the_path_shows_its_libraries_and_a_home_does_not() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for folder in ["bin", "lib", "secrets", "python/bin", "python/lib", "python/share"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let path = std::env::join_paths([home.join("bin"), home.join("python/bin")]).unwrap();
        let visible = VisiblePaths::of_system(&path, Some(&home));
        for (folder, shown) in
            [("bin", true), ("lib", false), ("secrets", false), ("python/lib", true), ("python/share", false)]
        {
            assert_eq!(visible.shows(&home.join(folder)), shown, "{folder}");
        }
        assert!(!visible.shows(&home));
    }

    #[test]
    fn the_loader_of_every_architecture_finds_its_paths() {
        for name in ["ld-musl-x86_64.path", "ld-musl-aarch64.path", "ld-musl-riscv64.path", "java-17-openjdk"] {
            assert!(is_setting(OsStr::new(name)), "{name}");
        }
        assert!(!is_setting(OsStr::new("passwd")));
    }

    #[test]
    fn a_writable_folder_inside_another_is_mounted_once() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir(folder.join("inner")).unwrap();
        fs::write(folder.join("file"), "").unwrap();
        let with = |folders: &[PathBuf]| VisiblePaths::default().with_writable(folders);
        let visible = with(&[folder.join("inner"), folder.clone(), folder.join("inner")]).unwrap();
        assert_eq!(visible.writable().collect::<Vec<_>>(), [&folder]);
        for (path, why) in [("/", "would be writable"), ("/no/such/folder", "No such file")] {
            assert!(with(&[path.into()]).unwrap_err().contains(why), "{path}");
        }
        assert!(with(&[folder.join("file")]).unwrap_err().contains("not a folder"));
    }

    #[test]
    fn what_lies_in_a_folder_that_is_shown_is_not_mounted_again() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        fs::create_dir(folder.join("inner")).unwrap();
        fs::write(folder.join("inner/solver"), "").unwrap();
        let visible = VisiblePaths::default().with([
            folder.join("inner/solver"),
            folder.join("inner"),
            folder.join("inner/solver"),
        ]);
        assert_eq!(visible.paths().collect::<Vec<_>>(), [&folder.join("inner")]);
        assert!(VisiblePaths::default().with(["/".into(), "/no/such/file".into()]).paths().next().is_none());
    }
}
