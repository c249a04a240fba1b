//! Everything that a supervisor and its job need, made before the clone: after it nothing can be allocated.

use std::ffi::CString;
use std::os::fd::RawFd;
use std::sync::Arc;

use rustix::process::{Gid, Uid};
use seccompiler::BpfProgram;

use super::landlock::Rules;
use super::source::Source;
use super::sys::{Image, Mapped};

/// Descriptor of the socket to the judge in the supervisor, after the three standard descriptors.
pub(super) const SOCKET: RawFd = 3;

/// One run's preparation.
pub(super) struct LaunchPlan {
    /// The file system that the entry sees; `None` where it sees the machine's. With it goes a PID namespace.
    pub(super) root: Option<Root>,
    pub(super) privileges: Privileges,
    /// The scratch directory, by the path that the job sees.
    pub(super) scratch: CString,
    /// The working directory, by the path that the job sees.
    pub(super) directory: CString,
    /// The judge wants a descriptor of the scratch directory, which is in a root of its own.
    pub(super) send_scratch: bool,
    /// Paths and contents of the files that the supervisor places: those of a scratch directory in a root of its own.
    pub(super) files: Vec<(CString, Contents)>,
    /// Paths of the empty folders that it makes there.
    pub(super) folders: Vec<CString>,
    /// Targets and paths of the symbolic links that it makes there.
    pub(super) links: Vec<(CString, CString)>,
    /// The descriptor after the socket is a network namespace to enter; else the clone makes a new one.
    pub(super) network: bool,
    /// The next descriptor is a version 2 control group, in which the entry is made.
    pub(super) version_two: bool,
    /// Number of descriptors after that: version 1 files into which the entry writes to join.
    pub(super) version_one: usize,
    /// The wall-clock limit and the grace period after it, in microseconds.
    pub(super) wall_us: u64,
    pub(super) grace_us: u64,
    /// Resource limits; `None` for none.
    pub(super) cpu_seconds: Option<u64>,
    pub(super) file_bytes: Option<u64>,
    pub(super) processes: Option<u64>,
    pub(super) landlock: Option<Rules>,
    pub(super) filter: Option<Arc<BpfProgram>>,
    /// The program; `None` for a dry run, which ends where the job would begin.
    pub(super) image: Option<Image>,
}

impl LaunchPlan {
    /// The descriptors that the supervisor finds behind its socket, in order: network namespace, version 2 group,
    /// version 1 groups.
    pub(super) fn network(&self) -> Option<RawFd> {
        self.network.then_some(SOCKET + 1)
    }

    pub(super) fn version_two(&self) -> Option<RawFd> {
        self.version_two.then_some(SOCKET + 1 + RawFd::from(self.network))
    }

    pub(super) fn version_one(&self) -> impl Iterator<Item = RawFd> {
        let first = SOCKET + 1 + RawFd::from(self.network) + RawFd::from(self.version_two);
        (first..).take(self.version_one)
    }
}

/// Contents of a placed file.
pub(super) enum Contents {
    Bytes(Vec<u8>),
    /// Those of a file of the machine.
    Mapped(Mapped),
}

impl Contents {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Mapped(file) => file.bytes(),
        }
    }
}

/// The file system that the entry sees. Targets are relative to the new root.
#[derive(Default)]
pub(super) struct Root {
    /// A directory of the machine over which the new root is mounted until it is the root.
    pub(super) base: CString,
    /// Folders and empty files to make, parents first.
    pub(super) folders: Vec<CString>,
    pub(super) files: Vec<CString>,
    /// Symbolic links: target, and path.
    pub(super) links: Vec<(CString, CString)>,
    /// Mounts that are read-only.
    pub(super) binds: Vec<Bind>,
    /// Folders that are mounted writable: from where, to where.
    pub(super) writable: Vec<(Source, CString)>,
    /// Device files: from where, to where.
    pub(super) devices: Vec<(CString, CString)>,
    pub(super) scratch_name: CString,
    /// Options of the file system in memory that is the scratch directory.
    pub(super) scratch_options: CString,
}

/// A file or folder of the machine in the new root.
pub(super) struct Bind {
    pub(super) source: Source,
    pub(super) target: CString,
    /// The job needs it. Folders that are merely on the PATH may be out of reach.
    pub(super) needed: bool,
}

/// Privileges of a job.
pub(super) enum Privileges {
    /// Those of the judge.
    Kept,
    /// The judge's user without capabilities, which only root has.
    WithoutCapabilities,
    /// The judge's user in a user namespace; the lines of its maps.
    Mapped { user: Vec<u8>, group: Vec<u8> },
    /// Another user, which only root can choose, or root itself; the lines of the maps of its own user namespace where it
    /// gets one.
    Dropped { uid: Uid, gid: Gid, own_namespace: Option<(Vec<u8>, Vec<u8>)> },
}
