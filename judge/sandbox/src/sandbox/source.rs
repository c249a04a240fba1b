//! Files and folders of the machine that are passed to a job.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::flat::Writer;

/// A file or folder of the machine: a path that is trusted, and the rest of the way, on which no link is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) path: CString,
    /// The relative rest of the path; empty if all of the path is trusted.
    pub(super) rest: CString,
    /// Device and inode that the judge saw there. Something else in its place is refused.
    pub(super) identity: Option<(u64, u64)>,
}

impl Source {
    pub(super) fn trusted(path: &Path) -> Self {
        Self { path: c_string(path), rest: CString::default(), identity: None }
    }

    pub(super) fn write<'w>(&self, to: &'w mut Writer) -> &'w mut Writer {
        to.text(&self.path).text(&self.rest);
        to.optional(self.identity, |to, (device, inode)| to.number(device).number(inode))
    }
}

/// Converts a path that came from a file system and so contains no NUL.
pub(super) fn c_string(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}
