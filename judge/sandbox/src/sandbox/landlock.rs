//! Landlock: the permissions of an entry for files, ports and other processes, enforced on itself and its children.
//!
//! The calls happen between clone and exec, because the scratch directory of a private root exists only there. That
//! rules out libraries that allocate.

use std::os::fd::AsFd as _;

use rustix::io::Errno;

use super::flat::Writer;
use super::launch;
use super::message::{AtStep as _, Done, Step};
use super::source::Source;
use super::sys;

const EXECUTE: u64 = 1;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_FOLDER: u64 = 1 << 3;
const TRUNCATE: u64 = 1 << 14;
const DEVICE_CONTROL: u64 = 1 << 15;
/// The rights to bind and to connect TCP ports.
const PORTS: u64 = 0b11;
/// The scopes for abstract sockets and signals of outside processes.
const OUTSIDE: u64 = 0b11;

/// The rights to read and execute.
pub(super) const READ: u64 = EXECUTE | READ_FILE | READ_FOLDER;
/// The rights to read and write, for device files.
pub(super) const DEVICE: u64 = READ_FILE | WRITE_FILE | TRUNCATE | DEVICE_CONTROL;
/// All rights, for the scratch directory.
pub(super) const ALL: u64 = u64::MAX;

/// The first version that keeps processes from signalling outside processes.
pub(super) const SIGNALS_SCOPED: u32 = 6;

/// The rules of a ruleset that is not created yet.
pub(super) struct Rules {
    handled: launch::Handled,
    /// The allowed accesses, each at and below a path.
    allowed: Vec<(Source, u64)>,
}

impl Rules {
    /// Rules for a kernel whose Landlock is of this version.
    pub(super) fn new(version: u32, allowed: impl IntoIterator<Item = (Source, u64)>) -> Self {
        // Each version adds rights: 2 moving between folders, 3 truncation, 4 ports, 5 device control,
        // 6 what lies outside.
        let files = match version {
            0 | 1 => (1 << 13) - 1,
            2 => (1 << 14) - 1,
            3 | 4 => (1 << 15) - 1,
            _ => (1 << 16) - 1,
        };
        let network = if version >= 4 { PORTS } else { 0 };
        let scoped = if version >= SIGNALS_SCOPED { OUTSIDE } else { 0 };
        Self { handled: launch::Handled { files, network, scoped }, allowed: allowed.into_iter().collect() }
    }

    pub(super) fn write<'w>(&self, to: &'w mut Writer) -> &'w mut Writer {
        let launch::Handled { files, network, scoped } = self.handled;
        to.number(files).number(network).number(scoped);
        to.list(&self.allowed, |to, (source, access)| source.write(to).number(*access))
    }
}

/// Puts this process and its children under the rules. For a path that does not exist, nothing is allowed.
pub(super) fn enter(rules: &launch::Rules<'_>) -> Done {
    let ruleset = sys::landlock_ruleset(&rules.handled).at_step(Step::Landlock)?;
    for (index, (path, access)) in rules.allowed.iter().enumerate() {
        let path = match sys::name_file(&path) {
            // It was replaced after the judge saw it.
            Err(error @ (Errno::STALE | Errno::LOOP)) => return Err(error).doing_nth(Step::Landlock, index),
            Err(_) => continue,
            Ok(path) => path,
        };
        // A rule on a file may not have rights that only folders have.
        let folder =
            rustix::fs::fstat(&path).is_ok_and(|status| rustix::fs::FileType::from_raw_mode(status.st_mode).is_dir());
        let mask = if folder { u64::MAX } else { DEVICE | EXECUTE };
        let access = access & mask & rules.handled.files;
        sys::landlock_allow(ruleset.as_fd(), path.as_fd(), access).doing_nth(Step::Landlock, index)?;
    }
    sys::landlock_enter(ruleset.as_fd()).at_step(Step::Landlock)
}
