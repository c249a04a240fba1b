//! A folder as a descriptor: everything that is read, created, replaced or removed through it is beneath it, without
//! links.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;

use crate::beneath::{Item, Links, inside, open};
use crate::kind::check_regular;
use crate::unfinished::UNFINISHED;

/// An open folder.
///
/// Its methods take paths inside it, such as `output/1/mine`. They refuse a `..`, an absolute path and, unless
/// documented otherwise, every link. Errors contain no path; [`Folder::join`] returns one for messages.
#[derive(Debug)]
pub struct Folder(
    /// Opened by name only: the judge may be allowed to use names in it, but not to list them.
    Item,
);

/// Opens a folder to name it only, which needs no permission to list it.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
/// Opens a file for reading without waiting for another process.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);

impl Folder {
    /// Opens a folder by a path that the caller trusts: links on its way are followed.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn open(path: &Path) -> io::Result<Self> {
        let fd = openat(CWD, path, FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self(Item::new(fd, path.to_owned())))
    }

    /// The path by which it was opened, for messages.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of something inside it, for messages.
    pub fn join(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path().join(path)
    }

    /// The current path, as [`Item::real_path`].
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn real_path(&self) -> io::Result<PathBuf> {
        self.0.real_path()
    }

    /// Opens a folder inside it.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn folder(&self, path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        Ok(Self(Item::new(open(self.as_fd(), path, Links::Refused, FOLDER)?, self.join(path))))
    }

    /// Opens a folder inside it, and creates the folders that are missing.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn create_folders(&self, path: impl AsRef<Path>) -> io::Result<Self> {
        let path = inside(path.as_ref())?;
        let mut at = self.folder(".")?;
        for name in path.iter().filter(|name| *name != ".") {
            match mkdirat(&at, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            at = at.folder(name)?;
        }
        Ok(Self(at.0.with_path(self.join(path))))
    }

    /// Opens a file or folder by name only, to look at it, to mount it or to give it another owner.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn item(&self, path: impl AsRef<Path>, links: Links) -> io::Result<Item> {
        let path = path.as_ref();
        Ok(Item::new(open(self.as_fd(), path, links, OFlags::PATH)?, self.join(path)))
    }

    /// The metadata of what is at a path; for a link, the link's own.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn metadata(&self, path: impl AsRef<Path>) -> io::Result<Metadata> {
        let fd = open(self.as_fd(), path.as_ref(), Links::Refused, OFlags::PATH | OFlags::NOFOLLOW)?;
        File::from(fd).metadata()
    }

    /// Tests whether something is at a path, a link included. What cannot be inspected counts as missing.
    pub fn has(&self, path: impl AsRef<Path>) -> bool {
        self.metadata(path).is_ok()
    }

    /// Opens a regular file for reading, without waiting. Anything else is refused as [`crate::regular::open`] does.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn read(&self, path: impl AsRef<Path>) -> io::Result<File> {
        self.regular(path.as_ref(), Links::Refused, READ)
    }

    /// Opens a regular file for reading, without waiting, and follows links that stay in the folder.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn read_by_links(&self, path: impl AsRef<Path>) -> io::Result<File> {
        self.regular(path.as_ref(), Links::Inside, READ)
    }

    /// Opens an existing regular file for reading, and for writing at its end.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn append(&self, path: impl AsRef<Path>) -> io::Result<File> {
        self.regular(path.as_ref(), Links::Refused, OFlags::RDWR | OFlags::APPEND | OFlags::NONBLOCK | OFlags::NOCTTY)
    }

    /// Creates a file that must not exist yet, not even as a link. Its folder must exist.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn create_new(&self, path: impl AsRef<Path>) -> io::Result<File> {
        let (parent, name) = self.parent(path.as_ref())?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&parent, &*name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// Writes a file atomically: at any moment, even after a power failure, it has the old contents or all of the new ones.
    /// A link, a pipe or a device of that name is replaced, not followed. Its folder must exist.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn replace(&self, path: impl AsRef<Path>, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
        let (parent, name) = self.parent(path.as_ref())?;
        let (temporary, mut file) = parent.temporary(&name)?;
        let written = write(&mut file)
            .and_then(|()| file.sync_all())
            .and_then(|()| Ok(renameat(&parent, &temporary, &parent, &*name)?));
        if written.is_err() {
            // The first failure is the one to report.
            unlinkat(&parent, &temporary, AtFlags::empty()).ok();
        }
        written?;
        parent.sync()
    }

    /// Renames something, and replaces a file of the new name. Both folders are synced.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn rename(&self, from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        let ((from, old), (to, new)) = (self.parent(from.as_ref())?, self.parent(to.as_ref())?);
        renameat(&from, &*old, &to, &*new)?;
        to.sync()?;
        from.sync()
    }

    /// Removes a file or a link.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn remove_file(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let (parent, name) = self.parent(path.as_ref())?;
        Ok(unlinkat(&parent, &*name, AtFlags::empty())?)
    }

    /// Removes an empty folder.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for a path that leads out of the folder or to a link.
    pub fn remove_folder(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let (parent, name) = self.parent(path.as_ref())?;
        Ok(unlinkat(&parent, &*name, AtFlags::REMOVEDIR)?)
    }

    /// The names in it, in arbitrary order.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn names(&self) -> io::Result<impl Iterator<Item = io::Result<OsString>> + use<>> {
        Ok(Dir::new(self.to_list()?)?.filter_map(|item| match item {
            Ok(item) => {
                let name = OsStr::from_bytes(item.file_name().to_bytes());
                (name != "." && name != "..").then(|| Ok(name.to_owned()))
            }
            Err(error) => Some(Err(error.into())),
        }))
    }

    /// Syncs the list of its names to disk.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn sync(&self) -> io::Result<()> {
        match rustix::fs::fsync(self.to_list()?) {
            // Some file systems cannot sync a folder.
            Err(Errno::INVAL) => Ok(()),
            synced => Ok(synced?),
        }
    }

    /// An item as a folder, through which everything beneath it can be opened.
    ///
    /// # Errors
    ///
    /// One of kind `NotADirectory` if it is not a folder.
    pub fn from_item(item: Item) -> io::Result<Self> {
        if !item.metadata()?.is_dir() {
            return Err(Errno::NOTDIR.into());
        }
        Ok(Self(item))
    }

    /// A descriptor of this folder that is open for listing and syncing.
    fn to_list(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(openat(self, ".", flags, Mode::empty())?)
    }

    fn regular(&self, path: &Path, links: Links, flags: OFlags) -> io::Result<File> {
        // Checked before opening: opening a device can have an effect.
        check_regular(self.item(path, links)?.metadata()?.file_type())?;
        let file = File::from(open(self.as_fd(), path, links, flags)?);
        // Checked again, in case the file was replaced meanwhile.
        check_regular(file.metadata()?.file_type())?;
        Ok(file)
    }

    /// The folder of a path's last part, and that part.
    fn parent(&self, path: &Path) -> io::Result<(Self, OsString)> {
        let path = inside(path)?;
        let name = path.file_name().filter(|name| *name != ".");
        let name = name.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "is the folder itself"))?;
        Ok((self.folder(path.parent().unwrap_or(Path::new(".")))?, name.to_owned()))
    }

    /// A new file next to the file of this name, and the name of the new one.
    fn temporary(&self, name: &OsStr) -> io::Result<(OsString, File)> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        /// Bytes of a name that are kept, so that the new name is not too long.
        const KEPT: usize = 128;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let kept = &name.as_bytes()[..name.len().min(KEPT)];
            let mut temporary = OsString::from(".");
            temporary.push(OsStr::from_bytes(kept));
            temporary.push(format!(".{}-{number}{UNFINISHED}", std::process::id()));
            match self.create_new(&temporary) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => return Ok((temporary, file?)),
            }
        }
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl From<Folder> for Item {
    fn from(folder: Folder) -> Self {
        folder.0
    }
}
