//! A path resolved beneath a folder that is open.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2, readlinkat};
use rustix::io::Errno;

use crate::kind::check_regular;

/// The treatment of symbolic links on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Links {
    /// No link is followed: a path with one is refused.
    Refused,
    /// Links that stay in the folder are followed. A link with an absolute target never stays in it.
    Inside,
}

/// The most links that are followed, as many as the kernel follows.
const MAX_LINKS: usize = 40;
/// The number of times that a resolution is retried while names on its way change.
const TRIES: usize = 64;

/// A file or folder that is open by name only: it can be inspected, mounted or given another owner, but not read.
#[derive(Debug)]
pub struct Item {
    fd: OwnedFd,
    path: PathBuf,
}

impl Item {
    /// Opens a file or folder by a path that the caller trusts: links on its way are followed.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn open(path: &Path) -> io::Result<Self> {
        let fd = openat(rustix::fs::CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { fd, path: path.to_owned() })
    }

    /// Opens this very file for reading, without waiting. Anything but a regular file is refused.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for anything but a regular file.
    pub fn read(&self) -> io::Result<File> {
        use std::os::fd::AsRawFd as _;
        check_regular(self.metadata()?.file_type())?;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        // The system's own link to the open file, even if its name now belongs to another file.
        let name = format!("/proc/self/fd/{}", self.fd.as_raw_fd());
        Ok(openat(rustix::fs::CWD, name, flags, Mode::empty())?.into())
    }

    /// Lets every user who may read this very file also execute it. Anything but a regular file is refused.
    ///
    /// # Errors
    ///
    /// The system's, and one of kind `InvalidInput` for anything but a regular file.
    pub fn let_execute(&self) -> io::Result<()> {
        use std::os::fd::AsRawFd as _;
        use std::os::unix::fs::PermissionsExt as _;
        let metadata = self.metadata()?;
        check_regular(metadata.file_type())?;
        let mode = metadata.permissions().mode() & 0o777;
        let mode = Mode::from_raw_mode(mode | (mode & 0o444) >> 2);
        Ok(rustix::fs::chmod(format!("/proc/self/fd/{}", self.fd.as_raw_fd()), mode)?)
    }

    pub(crate) fn new(fd: OwnedFd, path: PathBuf) -> Self {
        Self { fd, path }
    }

    /// The path by which it was opened, for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its metadata. For a link that was not followed, these are the link's own.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn metadata(&self) -> io::Result<Metadata> {
        File::from(self.fd.try_clone()?).metadata()
    }

    /// The current path, without links. By the time it is used, something else may be there.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn real_path(&self) -> io::Result<PathBuf> {
        use std::os::fd::AsRawFd as _;
        std::fs::read_link(format!("/proc/self/fd/{}", self.fd.as_raw_fd()))
    }

    pub(crate) fn with_path(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }
}

impl AsFd for Item {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// Opens a path beneath a folder. Refuses a path that is absolute or has a `..`, and a link that is not followed or leads
/// out.
pub(crate) fn open(folder: BorrowedFd<'_>, path: &Path, links: Links, flags: OFlags) -> io::Result<OwnedFd> {
    let path = inside(path)?;
    let opened = match by_openat2(folder, &path, links, flags) {
        // The kernel is older, or a filter forbids the call. If the file itself was refused, the second attempt fails in
        // the same way.
        Err(Errno::NOSYS | Errno::PERM) => by_steps(folder, &path, links, flags),
        opened => opened,
    };
    opened.map_err(explained)
}

/// A path in a form that both ways of resolving take: relative, without `.` and `..`. A `/` or `/.` at its end is dropped:
/// the flags with which the path is opened require a folder.
pub(crate) fn inside(path: &Path) -> io::Result<PathBuf> {
    let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{why}; expected a path inside")));
    let mut inside = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) if name.as_bytes().contains(&0) => return refuse("has a NUL"),
            Component::Normal(name) => inside.push(name),
            Component::CurDir => {}
            Component::ParentDir => return refuse("has a `..`"),
            Component::RootDir | Component::Prefix(_) => return refuse("is absolute"),
        }
    }
    Ok(if inside.as_os_str().is_empty() { ".".into() } else { inside })
}

/// The error of a resolution, with our own text where the system's text would mislead.
fn explained(error: Errno) -> io::Error {
    let why = match error {
        Errno::XDEV => "leads out of its folder by a link",
        Errno::LOOP => "is a symbolic link, or passes one, that is not followed here",
        Errno::AGAIN => "was moved while it was opened; try again",
        error => return error.into(),
    };
    io::Error::new(io::ErrorKind::InvalidInput, why)
}

/// Resolves a path by one system call.
#[doc(hidden)]
pub fn by_openat2(folder: BorrowedFd<'_>, path: &Path, links: Links, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    if links == Links::Refused {
        resolve |= ResolveFlags::NO_SYMLINKS;
    }
    for _ in 0..TRIES {
        match openat2(folder, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            opened => return opened,
        }
    }
    Err(Errno::AGAIN)
}

/// Resolves a path part by part, each opened from the one before without following it.
#[doc(hidden)]
pub fn by_steps(folder: BorrowedFd<'_>, path: &Path, links: Links, flags: OFlags) -> Result<OwnedFd, Errno> {
    let step = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    // A path that ends with a slash must lead to a folder, which a final `.` enforces.
    let parts = |path: &Path| -> Vec<OsString> {
        let parts = path.as_os_str().as_bytes().split(|&byte| byte == b'/');
        parts.map(|part| OsStr::from_bytes(if part.is_empty() { b"." } else { part }).to_owned()).collect()
    };
    let mut left: VecDeque<OsString> = parts(path).into();
    let mut above: Vec<OwnedFd> = Vec::new();
    let mut followed = 0;
    loop {
        let at = above.last().map_or(folder, AsFd::as_fd);
        let Some(part) = left.pop_front() else {
            // Every earlier part is a folder.
            return openat(at, ".", flags | OFlags::CLOEXEC, Mode::empty());
        };
        if part == "." {
            continue;
        }
        if part == ".." {
            above.pop().ok_or(Errno::XDEV)?;
            continue;
        }
        // Inspected first: opening something other than a link for reading could have an effect, or block.
        let item = openat(at, &part, step, Mode::empty())?;
        let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&item)?.st_mode);
        if kind.is_symlink() && left.is_empty() && flags.contains(OFlags::PATH | OFlags::NOFOLLOW) {
            return Ok(item);
        }
        if kind.is_symlink() {
            followed += 1;
            if links == Links::Refused || followed > MAX_LINKS || left.is_empty() && flags.contains(OFlags::NOFOLLOW) {
                return Err(Errno::LOOP);
            }
            let target = OsString::from_vec(readlinkat(&item, "", Vec::new())?.into_bytes());
            if target.as_bytes().starts_with(b"/") {
                return Err(Errno::XDEV);
            }
            parts(Path::new(&target)).into_iter().rev().for_each(|part| left.push_front(part));
        } else if left.is_empty() && !kind.is_dir() {
            // A link that took its place meanwhile is refused.
            return openat(at, &part, flags | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty());
        } else if kind.is_dir() {
            above.push(item);
        } else {
            return Err(Errno::NOTDIR);
        }
    }
}
