//! Regular files only, opened without waiting.

use std::fs::{File, FileType, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file for reading. Anything else is refused as an error of kind `InvalidInput`, whose text says what
/// it is. It never waits for another process. Links are followed: the path is the caller's own.
///
/// # Errors
///
/// The system's, and one of kind `InvalidInput` for anything but a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Before it is opened: opening a device can have an effect.
    check_regular(path.metadata()?.file_type())?;
    let mut options = OpenOptions::new();
    options.read(true);
    never_wait(&mut options);
    let file = options.open(path)?;
    // Again, in case that it was another file a moment ago.
    check_regular(file.metadata()?.file_type())?;
    Ok(file)
}

/// Refuses what is no regular file with an error of kind `InvalidInput`, whose text says what it is.
///
/// # Errors
///
/// One of kind `InvalidInput`.
pub fn check_regular(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let what = match kind {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_symlink() => "a symbolic link",
        kind => special(kind),
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("is {what}; expected a regular file")))
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match kind {
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "a device"
}

/// Has a file opened and read without waiting, should it have become a pipe meanwhile. A few regular files of the
/// system, such as /proc/kmsg, wait as well.
#[cfg(target_os = "linux")]
fn never_wait(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(not(target_os = "linux"))]
fn never_wait(_: &mut OpenOptions) {}
