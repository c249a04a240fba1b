//! Files of the machine that a job can see: the system's programs and libraries, and the files that the job names.
//!
//! It sees no home directory, no other entry, and no board except its own. Paths are the same inside and outside, so a
//! command has the same meaning. A path that an author controls is opened beneath the author's folder, and exactly that
//! file is shown: the supervisor opens it in the same way, without links, and compares it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_job::{Place, SYSTEM};
use rustix::process::{Gid, Uid};

use super::plan::{Bind, ReadOnlyItems, Root, RootTemplate};
use super::source::{Source, c_string};

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
/// Beginnings of further names in `/etc` that are needed: the paths of musl's loader, one file per architecture, and the
/// settings of Java, to which links in Java's own folder lead.
const SETTINGS_BY_PREFIX: &[&str] = &["ld-musl-", "java-"];
/// Folders next to a `bin` on the PATH in which its programs keep their libraries.
const BESIDE_PROGRAMS: &[&str] = &["bin", "lib", "lib32", "lib64", "libexec", "versions", "conf"];
/// Names of folders of programs that may have such folders next to them.
const PROGRAMS: &[&str] = &["bin", "sbin", "shims", "condabin"];
/// Device files that programs expect.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Folders that are in every root.
const IN_EVERY_ROOT: [&str; 2] = ["/dev", "/proc"];

/// Files and folders that may be read, and links among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VisiblePaths {
    /// The further paths that every job sees. `None` if they are included in the other fields, or if there are none.
    usual: Option<Arc<Self>>,
    folders: BTreeMap<PathBuf, Source>,
    files: BTreeMap<PathBuf, Source>,
    links: BTreeSet<(PathBuf, PathBuf)>,
    /// Folders that may also be written.
    writable: BTreeMap<PathBuf, Source>,
    /// A folder that exists, and is empty except for the paths shown in it.
    at: Option<PathBuf>,
}

/// A place that was opened, and its real path split where trust ends.
struct ResolvedPath {
    source: Source,
    is_folder: bool,
    owner: (Uid, Gid),
}

impl ResolvedPath {
    fn at(place: &Place) -> io::Result<Self> {
        let item = place.open()?;
        let metadata = item.metadata()?;
        let source = if place.path() == place.root {
            Source::trusted(&place.root)
        } else {
            let (real, root) = (item.real_path()?, place.root.canonicalize()?);
            // A link led to a file of the system, whose whole path is trusted.
            let (root, rest) = match real.strip_prefix(&root) {
                Ok(rest) => (root.as_path(), rest),
                Err(_) => (real.as_path(), Path::new("")),
            };
            Source { path: c_string(root), rest: c_string(rest), identity: Some((metadata.dev(), metadata.ino())) }
        };
        let owner = (Uid::from_raw(metadata.uid()), Gid::from_raw(metadata.gid()));
        Ok(Self { source, is_folder: metadata.is_dir(), owner })
    }
}

/// The owner of a folder that a job may write.
pub(super) fn owner(place: &Place) -> io::Result<(Uid, Gid)> {
    Ok(ResolvedPath::at(place)?.owner)
}

impl VisiblePaths {
    /// Paths that every job sees: the system's programs and libraries, and the folders on the PATH.
    pub(super) fn from_system(path: &OsStr, home: Option<&Path>) -> Self {
        let mut visible = Self::default();
        for folder in SYSTEM.iter().map(Path::new) {
            match fs::read_link(folder) {
                Ok(target) => drop(visible.links.insert((folder.into(), target))),
                Err(_) => visible.show_trusted(folder),
            }
        }
        for name in SETTINGS {
            visible.show_trusted(&Path::new("/etc").join(name));
        }
        let settings = fs::read_dir("/etc").into_iter().flatten().flatten();
        settings.filter(|item| is_setting(&item.file_name())).for_each(|item| visible.show_trusted(&item.path()));
        for folder in std::env::split_paths(path).filter(|folder| folder.is_absolute()) {
            let Ok(folder) = folder.canonicalize() else { continue };
            visible.show_trusted(&folder);
            let name = folder.file_name().unwrap_or_default();
            let Some(prefix) = folder.parent().filter(|_| PROGRAMS.iter().any(|program| name == *program)) else {
                continue;
            };
            // The folders of a home directory are not libraries.
            if Some(prefix) != home && prefix != Path::new("/") {
                BESIDE_PROGRAMS.iter().for_each(|beside| visible.show_trusted(&prefix.join(beside)));
            }
        }
        visible
    }

    /// Returns these paths with further files and folders. Missing ones are left out; the error names a path that leads out
    /// of its folder.
    pub(super) fn with(self: &Arc<Self>, more: impl IntoIterator<Item = Place>) -> Result<Self, String> {
        let mut visible = Self { usual: Some(Arc::clone(self)), ..Self::default() };
        for place in more {
            let path = place.path();
            if visible.shows(&path) {
                continue;
            }
            match ResolvedPath::at(&place) {
                Ok(found) => visible.show(path, found.source, found.is_folder),
                // It is missing, or in a folder that the judge may not read: then the job sees no more than the judge.
                Err(error) if error.kind() != io::ErrorKind::InvalidInput => {}
                Err(error) => return Err(format!("{} {error}", path.display())),
            }
        }
        Ok(visible)
    }

    /// Makes these folders writable. The error names a folder that is missing or not a folder.
    pub(super) fn with_writable(mut self, folders: &[Place]) -> Result<Self, String> {
        for folder in folders {
            let path = folder.path();
            let refused = |why: &str| Err(format!("the writable folder {}: {why}", path.display()));
            let found = match ResolvedPath::at(folder) {
                Err(error) => return refused(&error.to_string()),
                Ok(found) if !found.is_folder => return refused("not a folder"),
                Ok(_) if path.parent().is_none() => return refused("all files of the machine would be writable"),
                Ok(found) => found,
            };
            if !path.ancestors().any(|outer| self.writable.contains_key(outer)) {
                self.writable.retain(|inner, _| !inner.starts_with(&path));
                self.writable.insert(path, found.source);
            }
        }
        Ok(self)
    }

    /// Adds a folder that exists even if nothing in it is shown.
    pub(super) fn with_folder(mut self, folder: PathBuf) -> Self {
        self.at = Some(folder);
        self
    }

    /// Folders that may be written.
    pub(super) fn writable(&self) -> impl Iterator<Item = (&PathBuf, &Source)> {
        self.writable.iter()
    }

    fn show_trusted(&mut self, path: &Path) {
        if let Ok(metadata) = fs::metadata(path) {
            self.show(path.to_owned(), Source::trusted(path), metadata.is_dir());
        }
    }

    fn show(&mut self, path: PathBuf, source: Source, is_folder: bool) {
        // The root itself cannot be mounted into itself.
        if path.parent().is_none() || self.shows(&path) {
            return;
        }
        if is_folder {
            // Paths inside it are shown with it.
            if let Some(usual) = self.usual.take_if(|usual| usual.paths().any(|(inner, _)| inner.starts_with(&path))) {
                self.take_in(&usual);
            }
            self.folders.retain(|inner, _| !inner.starts_with(&path));
            self.files.retain(|inner, _| !inner.starts_with(&path));
            self.folders.insert(path, source);
        } else {
            self.files.insert(path, source);
        }
    }

    /// Adds the paths that every job sees.
    fn take_in(&mut self, usual: &Self) {
        self.folders.extend(usual.folders.clone());
        self.files.extend(usual.files.clone());
        self.links.extend(usual.links.clone());
    }

    /// Checks whether a path is shown, directly or in a folder.
    pub(super) fn shows(&self, path: &Path) -> bool {
        self.files.contains_key(path)
            || path.ancestors().any(|folder| self.folders.contains_key(folder))
            || self.usual.as_ref().is_some_and(|usual| usual.shows(path))
    }

    /// Every file and folder shown.
    pub(super) fn paths(&self) -> impl Iterator<Item = (&PathBuf, &Source)> {
        self.usual.iter().flat_map(|usual| usual.own_paths()).chain(self.own_paths())
    }

    /// Every file and folder shown that is not usual.
    fn own_paths(&self) -> impl Iterator<Item = (&PathBuf, &Source)> {
        self.folders.iter().chain(&self.files)
    }

    /// Device files that exist here.
    pub(super) fn devices() -> impl Iterator<Item = &'static Path> {
        DEVICES.iter().map(Path::new).filter(|device| device.exists())
    }

    /// Path of the scratch directory in a root that shows this.
    pub(super) fn scratch(&self) -> PathBuf {
        let names = ["/scratch", "/judge-scratch"].map(PathBuf::from);
        let taken = || self.paths().chain(&self.writable).map(|(path, _)| path).chain(&self.at);
        let free = |name: &&PathBuf| !taken().any(|path| path.starts_with(name));
        names.iter().find(free).unwrap_or(&names[1]).clone()
    }

    /// The foundation of roots that show these paths, over the folder `base`, with the maps of an ordinary user if the judge
    /// is one.
    pub(super) fn foundation(&self, base: &Path, maps: Option<(Vec<u8>, Vec<u8>)>) -> RootTemplate {
        let devices: Vec<PathBuf> = Self::devices().map(Into::into).collect();
        let pair = |path: &PathBuf| (c_string(path), relative(path));
        let mut folders = self.folders_to_make();
        folders.extend(IN_EVERY_ROOT.map(PathBuf::from));
        let links = [
            ("/dev/fd", "/proc/self/fd"),
            ("/dev/stdin", "/proc/self/fd/0"),
            ("/dev/stdout", "/proc/self/fd/1"),
            ("/dev/stderr", "/proc/self/fd/2"),
        ];
        let links = links.map(|(link, target)| (c_string(Path::new(target)), relative(Path::new(link)))).into_iter();
        let links = links.chain(self.links.iter().map(|(link, target)| (c_string(target), relative(link)))).collect();
        let bind = |(path, source): (&PathBuf, &Source)| Bind {
            source: source.clone(),
            target: relative(path),
            needed: path == Path::new("/usr"),
            own: false,
        };
        let shown = ReadOnlyItems {
            folders: folders.iter().map(|path| relative(path)).collect(),
            files: self.files.keys().chain(&devices).map(|path| relative(path)).collect(),
            links,
            binds: self.own_paths().map(bind).collect(),
        };
        // Root reuses network namespaces; for an ordinary user, each user namespace comes with a new one.
        let network = maps.is_none();
        RootTemplate { base: c_string(base), maps, network, shown, devices: devices.iter().map(pair).collect() }
    }

    /// A root that shows only these paths, on the foundation of the usual paths or otherwise on the empty foundation. Paths of
    /// the system may be missing.
    pub(super) fn root(&self, system: &Self, scratch_options: &str) -> Root {
        let scratch = self.scratch();
        let below = |folder: &Path| is_in_every_root(folder) || self.usual.iter().any(|usual| usual.makes(folder));
        let mut folders = self.folders_to_make();
        folders.insert(scratch.clone());
        // Programs look for both. An entry that lives in a folder of one of these names needs the folder itself.
        let links = ["/tmp", "/dev/shm"].map(Path::new).into_iter();
        let links = links.filter(|link| !folders.contains(*link) && !below(link)).map(|link| (link, scratch.as_path()));
        let links = links.chain(self.links.iter().map(|(link, target)| (&**link, &**target)));
        let links = links.map(|(link, target)| (c_string(target), relative(link))).collect();
        folders.retain(|folder| !below(folder) && !self.usual.iter().any(|usual| usual.shows(folder)));
        let bind = |(path, source): (&PathBuf, &Source)| Bind {
            source: source.clone(),
            target: relative(path),
            needed: !system.shows(path) || path == Path::new("/usr"),
            own: !system.shows(path),
        };
        Root {
            usual: self.usual.is_some(),
            shown: ReadOnlyItems {
                folders: folders.iter().map(|path| relative(path)).collect(),
                files: self.files.keys().map(|path| relative(path)).collect(),
                links,
                binds: self.own_paths().map(bind).collect(),
            },
            writable: self.writable.iter().map(|(path, source)| (source.clone(), relative(path))).collect(),
            scratch_name: relative(&scratch),
            scratch_options: CString::new(scratch_options).expect("options have no NUL"),
        }
    }

    /// Checks whether a foundation of these paths creates a folder.
    fn makes(&self, folder: &Path) -> bool {
        let links = self.links.iter().map(|(link, _)| link);
        self.own_paths().map(|(path, _)| path).chain(links).any(|path| path.starts_with(folder))
    }

    /// Folders that a root needs for the paths shown or written in it, parents first, without the folders for the usual
    /// paths.
    fn folders_to_make(&self) -> BTreeSet<PathBuf> {
        let mut folders: BTreeSet<PathBuf> =
            self.folders.keys().chain(self.writable.keys()).chain(&self.at).cloned().collect();
        let shown = self.own_paths().chain(&self.writable).map(|(path, _)| path).chain(&self.at);
        for path in shown.chain(self.links.iter().map(|(link, _)| link)) {
            folders.extend(path.ancestors().skip(1).filter(|folder| folder.parent().is_some()).map(Into::into));
        }
        folders
    }
}

/// Checks whether a folder is in every root.
fn is_in_every_root(folder: &Path) -> bool {
    IN_EVERY_ROOT.iter().any(|own| Path::new(own) == folder)
}

/// Checks whether a file or folder of `/etc` is needed, by the beginning of its name.
fn is_setting(name: &OsStr) -> bool {
    SETTINGS_BY_PREFIX.iter().any(|prefix| name.as_bytes().starts_with(prefix.as_bytes()))
}

pub(super) fn relative(path: &Path) -> CString {
    c_string(path.strip_prefix("/").unwrap_or(path))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn a_prefix_on_the_path_shows_its_libraries_unless_it_is_a_home() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for folder in ["bin", "lib", "secrets", "python/bin", "python/lib", "python/share"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let path = std::env::join_paths([home.join("bin"), home.join("python/bin")]).unwrap();
        let visible = VisiblePaths::from_system(&path, Some(&home));
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
        let with = |folders: &[PathBuf]| {
            let places: Vec<Place> = folders.iter().map(Place::trusted).collect();
            VisiblePaths::default().with_writable(&places)
        };
        let visible = with(&[folder.join("inner"), folder.clone(), folder.join("inner")]).unwrap();
        assert_eq!(visible.writable().map(|(path, _)| path).collect::<Vec<_>>(), [&folder]);
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
        let nothing = Arc::new(VisiblePaths::default());
        let with = |paths: &[PathBuf]| nothing.with(paths.iter().map(Place::trusted)).unwrap();
        let visible = with(&["inner/solver", "inner", "inner/solver"].map(|path| folder.join(path)));
        assert_eq!(visible.paths().map(|(path, _)| path).collect::<Vec<_>>(), [&folder.join("inner")]);
        assert!(with(&["/".into(), "/no/such/file".into()]).paths().next().is_none());
    }

    #[test]
    fn a_folder_around_what_is_usual_replaces_it() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        for name in ["settings", "programs", "solver"] {
            fs::create_dir(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("file"), "").unwrap();
        }
        let mut usual = VisiblePaths::default();
        usual.show_trusted(&folder.join("settings/file"));
        usual.show_trusted(&folder.join("programs"));
        let usual = Arc::new(usual);
        let shown = |more: &str| {
            let visible = usual.with([Place::trusted(folder.join(more))]).unwrap();
            let paths: Vec<_> =
                visible.paths().map(|(path, _)| path.strip_prefix(&folder).unwrap().to_owned()).collect();
            let root = visible.root(&usual, "");
            (paths, root.usual, root.shown.binds.len())
        };
        let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(shown("solver"), (paths(&["programs", "settings/file", "solver"]), true, 1));
        assert_eq!(shown("programs/file"), (paths(&["programs", "settings/file"]), true, 0));
        assert_eq!(shown("settings"), (paths(&["programs", "settings"]), false, 2));
        assert_eq!(shown(""), (paths(&[""]), false, 1));
    }
}
