//! A plan in the form that the supervisor and the entry read: all of it lies in the bytes from [`LaunchPlan::flat`].
//!
//! [`LaunchPlan::flat`]: super::plan::LaunchPlan::flat

use std::ffi::CStr;
use std::os::fd::RawFd;

use rustix::process::{Gid, Uid};

use super::flat::{List, Part, Reader};

/// Descriptor of the socket to the judge in the supervisor, after the three standard descriptors.
pub(super) const SOCKET: RawFd = 3;
/// The next descriptor is the network namespace to enter, if there is one.
pub(super) const NETWORK: RawFd = SOCKET + 1;

/// Declares structures whose fields are read one after another.
macro_rules! parts {
    ($($(#[$about:meta])* struct $name:ident<$a:lifetime> { $($seen:vis $field:ident: $of:ty,)* })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy)]
            pub(super) struct $name<$a> {
                $($seen $field: $of,)*
            }

            impl<$a> Part<$a> for $name<$a> {
                fn read(from: &mut Reader<$a>) -> Option<Self> {
                    Some(Self { $($field: from.read()?,)* })
                }
            }
        )*
    };
}

parts! {
    /// One run's preparation; [`LaunchPlan`](super::plan::LaunchPlan) explains the fields.
    struct Launch<'a> {
        pub(super) root: Option<Root<'a>>,
        pub(super) privileges: Privileges<'a>,
        pub(super) scratch: &'a CStr,
        pub(super) directory: &'a CStr,
        pub(super) input: Option<Source<'a>>,
        pub(super) talks: bool,
        pub(super) wired: bool,
        pub(super) send_scratch: bool,
        pub(super) files: List<'a, (&'a CStr, Contents<'a>)>,
        pub(super) folders: List<'a, &'a CStr>,
        pub(super) links: List<'a, (&'a CStr, &'a CStr)>,
        network: bool,
        mapped: bool,
        version_two: bool,
        version_one: usize,
        pub(super) wall_us: u64,
        pub(super) grace_us: u64,
        pub(super) cpu_seconds: Option<u64>,
        pub(super) file_bytes: Option<u64>,
        pub(super) processes: Option<u64>,
        pub(super) landlock: Option<Rules<'a>>,
        pub(super) filter: Option<&'a [u8]>,
        pub(super) image: Option<Image<'a>>,
    }

    /// The part of a root that exists before anything about the run is known; [`RootTemplate`](super::plan::RootTemplate)
    /// explains the fields.
    struct RootTemplate<'a> {
        pub(super) base: &'a CStr,
        pub(super) maps: Option<(&'a [u8], &'a [u8])>,
        pub(super) network: bool,
        pub(super) shown: ReadOnlyItems<'a>,
        pub(super) devices: List<'a, (&'a CStr, &'a CStr)>,
    }

    /// The rest of the file system that the entry sees.
    struct Root<'a> {
        pub(super) shown: ReadOnlyItems<'a>,
        pub(super) writable: List<'a, (Source<'a>, &'a CStr)>,
        pub(super) scratch_name: &'a CStr,
        pub(super) scratch_options: &'a CStr,
    }

    /// Items of a root that can only be read; [`ReadOnlyItems`](super::plan::ReadOnlyItems) explains the fields.
    struct ReadOnlyItems<'a> {
        pub(super) folders: List<'a, &'a CStr>,
        pub(super) files: List<'a, &'a CStr>,
        pub(super) links: List<'a, (&'a CStr, &'a CStr)>,
        pub(super) binds: List<'a, Bind<'a>>,
    }

    /// A file or folder of the machine in the new root.
    struct Bind<'a> {
        pub(super) source: Source<'a>,
        pub(super) target: &'a CStr,
        pub(super) needed: bool,
        pub(super) own: bool,
    }

    /// A file or folder of the machine; [`Source`](super::source::Source) explains the fields.
    struct Source<'a> {
        pub(super) path: &'a CStr,
        pub(super) rest: &'a CStr,
        pub(super) identity: Option<(u64, u64)>,
    }

    /// The rules of a Landlock ruleset.
    struct Rules<'a> {
        pub(super) handled: Handled,
        pub(super) allowed: List<'a, (Source<'a>, u64)>,
    }

    /// The program by which `execve` replaces the process.
    struct Image<'a> {
        pub(super) path: &'a CStr,
        pub(super) arguments: List<'a, &'a CStr>,
        pub(super) environment: List<'a, &'a CStr>,
    }
}

impl Launch<'_> {
    /// The descriptors that the supervisor finds after its socket, in order: network namespace, user namespace of mounts,
    /// version 2 group, version 1 groups, files to copy.
    fn behind_network(&self) -> RawFd {
        NETWORK + RawFd::from(self.network)
    }

    pub(super) fn mapping(&self) -> Option<RawFd> {
        self.mapped.then_some(self.behind_network())
    }

    pub(super) fn version_two(&self) -> Option<RawFd> {
        self.version_two.then_some(self.behind_network() + RawFd::from(self.mapped))
    }

    fn first_of_version_one(&self) -> RawFd {
        self.behind_network() + RawFd::from(self.mapped) + RawFd::from(self.version_two)
    }

    pub(super) fn version_one(&self) -> impl Iterator<Item = RawFd> {
        (self.first_of_version_one()..).take(self.version_one)
    }

    /// The file to copy with this number; `None` if the supervisor has no such descriptor.
    pub(super) fn copied(&self, number: u32) -> Option<RawFd> {
        let before = self.first_of_version_one().checked_add(RawFd::try_from(self.version_one).ok()?)?;
        before.checked_add(RawFd::try_from(number).ok()?)
    }
}

/// Contents of a placed file.
#[derive(Clone, Copy)]
pub(super) enum Contents<'a> {
    Bytes(&'a [u8]),
    /// The contents of the machine's file behind the descriptor with this number.
    Copied(u32),
}

impl<'a> Part<'a> for Contents<'a> {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        Some(match from.read()? {
            0_u64 => Self::Bytes(from.read()?),
            _ => Self::Copied(from.read()?),
        })
    }
}

/// Privileges of a job; [`Privileges`](super::plan::Privileges) explains them.
#[derive(Clone, Copy)]
pub(super) enum Privileges<'a> {
    Kept,
    WithoutCapabilities,
    Mapped,
    Dropped { uid: Uid, gid: Gid, own_namespace: Option<(&'a [u8], &'a [u8])> },
}

impl<'a> Part<'a> for Privileges<'a> {
    fn read(from: &mut Reader<'a>) -> Option<Self> {
        Some(match from.read()? {
            0_u64 => Self::Kept,
            1 => Self::WithoutCapabilities,
            2 => Self::Mapped,
            _ => Self::Dropped {
                uid: Uid::from_raw(from.read()?),
                gid: Gid::from_raw(from.read()?),
                own_namespace: from.read()?,
            },
        })
    }
}

/// A Landlock ruleset, which forbids the accesses that it handles unless a rule allows them. The kernel defines the
/// structure.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Handled {
    /// Bits of accesses to files.
    pub(super) files: u64,
    /// Bits of accesses to TCP ports.
    pub(super) network: u64,
    /// Signals and abstract sockets to processes outside.
    pub(super) scoped: u64,
}

impl Part<'_> for Handled {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { files: from.read()?, network: from.read()?, scoped: from.read()? })
    }
}
