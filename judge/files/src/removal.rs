//! Removes a folder with untrusted contents, with everything in it.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, openat, unlinkat};
use rustix::io::Errno;

/// Removes a folder with everything in it, including folders that their owner made inaccessible, and follows no link in
/// it. It does not recurse: a program can nest folders deeper than any stack, path or number of open files allows.
/// Instead, the folders in each folder are moved up one level until none is left.
///
/// No other process may change it meanwhile.
///
/// # Errors
///
/// The system's. In that case, part of the folder may be left.
pub fn remove_all(folder: &Path) -> io::Result<()> {
    const FOLDER: AtFlags = AtFlags::REMOVEDIR;
    if !std::fs::symlink_metadata(folder)?.is_dir() {
        return Err(Errno::NOTDIR.into());
    }
    rustix::fs::chmod(folder, Mode::RWXU)?;
    let top = open(CWD, folder)?;
    let mut number = 0_u64;
    loop {
        let folders = remove_files(&top)?;
        if folders.is_empty() {
            break;
        }
        for folder in folders {
            rustix::fs::chmodat(&top, &*folder, Mode::RWXU, AtFlags::empty())?;
            let inner = open(&top, &*folder)?;
            for deeper in remove_files(&inner)? {
                // The right to write a folder is needed to give it another parent.
                rustix::fs::chmodat(&inner, &*deeper, Mode::RWXU, AtFlags::empty())?;
                loop {
                    number += 1;
                    match rustix::fs::renameat(&inner, &*deeper, &top, format!("{number}")) {
                        Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                        renamed => break renamed?,
                    }
                }
            }
            unlinkat(&top, &*folder, FOLDER)?;
        }
    }
    std::fs::remove_dir(folder)
}

fn open<F: AsFd>(parent: F, name: impl rustix::path::Arg) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// Removes all files in a folder, and returns the names of the folders in it.
fn remove_files(folder: &OwnedFd) -> Result<Vec<CString>, Errno> {
    let mut folders = Vec::new();
    for item in Dir::read_from(folder)? {
        let item = item?;
        let name = item.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        match unlinkat(folder, name, AtFlags::empty()) {
            Ok(()) => {}
            Err(Errno::ISDIR | Errno::PERM) => folders.push(name.to_owned()),
            Err(error) => return Err(error),
        }
    }
    Ok(folders)
}
