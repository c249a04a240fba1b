//! Syncs to disk, all in one module, so that tests can observe them.

use std::fs::File;
use std::io;
use std::path::Path;

use judge_files::Folder;

/// Syncs the contents of a file to disk.
pub(crate) fn sync_data(path: &Path, file: &File) -> io::Result<()> {
    note(path);
    file.sync_data()
}

/// Syncs a file to disk.
pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    note(path);
    File::open(path)?.sync_all()
}

/// Syncs the names in a folder to disk.
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    note(path);
    Folder::open(path)?.sync()
}

#[cfg(not(test))]
fn note(_: &Path) {}

#[cfg(test)]
thread_local! {
    static SYNCED: std::cell::RefCell<Vec<std::path::PathBuf>> = const { std::cell::RefCell::new(Vec::new()) };
}

#[cfg(test)]
fn note(path: &Path) {
    SYNCED.with_borrow_mut(|synced| synced.push(path.to_owned()));
}

/// The paths that this thread has synced since the last call, in order.
#[cfg(test)]
pub(crate) fn synced() -> Vec<std::path::PathBuf> {
    SYNCED.take()
}
