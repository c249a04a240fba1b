//! The kind of a file.

use std::fs::FileType;
use std::io;

/// Refuses anything but a regular file with an error of kind `InvalidInput`, whose text states what it is.
pub(crate) fn check_regular(kind: FileType) -> io::Result<()> {
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
