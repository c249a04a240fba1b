//! Everything that a supervisor and its job need, created before the clone, as nothing can be allocated after it.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;

use rustix::process::{Gid, Uid};
use seccompiler::BpfProgram;

use super::flat::Writer;
use super::landlock::Rules;
use super::source::Source;
use super::sys::Image;

/// Everything that a supervisor needs to prepare and start one run.
#[derive(Default)]
pub(super) struct LaunchPlan {
    /// The file system that the entry sees, on its [`RootTemplate`]; `None` if it sees the machine's. A root implies a PID
    /// namespace.
    pub(super) root: Option<Root>,
    pub(super) privileges: Privileges,
    /// The scratch directory, as the path that the job sees.
    pub(super) scratch: CString,
    /// The working directory, as the path that the job sees.
    pub(super) directory: CString,
    /// The file that is its standard input; `None` for nothing. Only a private root needs it, see `take_input`.
    pub(super) input: Option<Source>,
    /// True if it talks: the supervisor then keeps neither its standard input nor its standard output open, so that only the
    /// job holds these ends.
    pub(super) talks: bool,
    /// True if its standard input is a pipe of the judge.
    pub(super) wired: bool,
    /// True if the judge wants a descriptor of the scratch directory, which is in a private root.
    pub(super) send_scratch: bool,
    /// Paths and contents of the files that the supervisor places in a scratch directory in a private root.
    pub(super) files: Vec<(CString, Contents)>,
    /// Paths of the folders that it creates there, before the files.
    pub(super) folders: Vec<CString>,
    /// Targets and paths of the symbolic links that it creates there.
    pub(super) links: Vec<(CString, CString)>,
    /// True if the next descriptor is a user namespace that maps the owner of the job's folders to its user.
    pub(super) mapped: bool,
    /// True if the next descriptor is a version 2 control group, in which the entry is created.
    pub(super) version_two: bool,
    /// Number of descriptors after that for version 1 files, into which the entry writes to join.
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
    /// The program; `None` for a dry run, which ends at the point where the job would begin.
    pub(super) image: Option<Image>,
}

impl LaunchPlan {
    /// Files that the supervisor copies, in the order of their numbers.
    pub(super) fn copied(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.files.iter().filter_map(|(_, contents)| match contents {
            Contents::Copied(file) => Some(file.as_fd()),
            Contents::Bytes(_) => None,
        })
    }

    /// Writes the plan in the form that [`Launch`](super::launch::Launch) reads. `network` is true if the descriptor after
    /// the socket is a network namespace.
    pub(super) fn write(&self, network: bool, to: &mut Writer) {
        self.privileges.write(to.optional(self.root.as_ref(), |to, root| root.write(to)));
        to.text(&self.scratch).text(&self.directory).optional(self.input.as_ref(), |to, input| input.write(to));
        to.flag(self.talks).flag(self.wired).flag(self.send_scratch);
        let mut number = 0;
        to.list(&self.files, |to, (path, contents)| {
            to.text(path);
            match contents {
                Contents::Bytes(bytes) => to.number(0).bytes(bytes),
                Contents::Copied(_) => {
                    number += 1;
                    to.number(1).number(number - 1)
                }
            }
        });
        to.list(&self.folders, |to, path| to.text(path));
        to.list(&self.links, |to, (target, path)| to.text(target).text(path));
        to.flag(network).flag(self.mapped).flag(self.version_two).number(self.version_one as u64);
        to.number(self.wall_us).number(self.grace_us);
        for limit in [self.cpu_seconds, self.file_bytes, self.processes] {
            to.optional(limit, Writer::number);
        }
        to.optional(self.landlock.as_ref(), |to, rules| rules.write(to));
        to.optional(self.filter.as_ref(), |to, filter| {
            let instructions = filter.iter().flat_map(|step| {
                let [a, b] = step.code.to_ne_bytes();
                let [c, d, e, f] = step.k.to_ne_bytes();
                [a, b, step.jt, step.jf, c, d, e, f]
            });
            to.bytes(&instructions.collect::<Vec<u8>>())
        });
        to.optional(self.image.as_ref(), |to, image| image.write(to));
    }
}

/// Contents of a placed file.
pub(super) enum Contents {
    Bytes(Vec<u8>),
    /// The contents of a file of the machine.
    Copied(File),
}

/// The part of a root that exists before anything about the run is known. A supervisor can be created with it ahead of the
/// run.
#[derive(Default)]
pub(super) struct RootTemplate {
    /// A directory of the machine over which the new root is mounted until it becomes the root.
    pub(super) base: CString,
    /// The lines of the maps of users and groups, in a user namespace of an ordinary user.
    pub(super) maps: Option<(Vec<u8>, Vec<u8>)>,
    /// True if the descriptor after the socket is a network namespace to enter; otherwise the clone creates a new one.
    pub(super) network: bool,
    pub(super) shown: ReadOnlyItems,
    /// Device files: source and target.
    pub(super) devices: Vec<(CString, CString)>,
}

impl RootTemplate {
    pub(super) fn write(&self, to: &mut Writer) {
        to.text(&self.base).optional(self.maps.as_ref(), |to, (user, group)| to.bytes(user).bytes(group));
        self.shown.write(to.flag(self.network));
        to.list(&self.devices, |to, (source, target)| to.text(source).text(target));
    }
}

/// The rest of the file system that the entry sees.
#[derive(Default)]
pub(super) struct Root {
    /// True if it uses the [`RootTemplate`] of most runs; otherwise it uses the smallest one.
    pub(super) usual: bool,
    pub(super) shown: ReadOnlyItems,
    /// Folders that are mounted writable: source and target.
    pub(super) writable: Vec<(Source, CString)>,
    pub(super) scratch_name: CString,
    /// Options of the in-memory file system that is the scratch directory.
    pub(super) scratch_options: CString,
}

impl Root {
    fn write<'w>(&self, to: &'w mut Writer) -> &'w mut Writer {
        self.shown.write(to);
        to.list(&self.writable, |to, (source, target)| source.write(to).text(target));
        to.text(&self.scratch_name).text(&self.scratch_options)
    }
}

/// Items of a root that can only be read. Targets are relative to the root.
#[derive(Default)]
pub(super) struct ReadOnlyItems {
    /// Folders and empty files to create, parents first.
    pub(super) folders: Vec<CString>,
    pub(super) files: Vec<CString>,
    /// Symbolic links: target, and path.
    pub(super) links: Vec<(CString, CString)>,
    /// Files and folders that are mounted.
    pub(super) binds: Vec<Bind>,
}

impl ReadOnlyItems {
    fn write(&self, to: &mut Writer) {
        to.list(&self.folders, |to, path| to.text(path));
        to.list(&self.files, |to, path| to.text(path));
        to.list(&self.links, |to, (target, path)| to.text(target).text(path));
        to.list(&self.binds, |to, Bind { source, target, needed, own }| {
            source.write(to).text(target).flag(*needed).flag(*own)
        });
    }
}

/// A file or folder of the machine in the new root.
pub(super) struct Bind {
    pub(super) source: Source,
    pub(super) target: CString,
    /// True if the job needs it. Folders that are merely on the PATH may be inaccessible.
    pub(super) needed: bool,
    /// True if the job names it, so that it may belong to the job's owner.
    pub(super) own: bool,
}

/// The way in which a job gets its user, group and capabilities.
#[derive(Default)]
pub(super) enum Privileges {
    /// It keeps the user, group and capabilities of the judge.
    #[default]
    Kept,
    /// The judge's user without capabilities, which only root has.
    WithoutCapabilities,
    /// The judge's user in a user namespace, whose maps are in the [`RootTemplate`].
    Mapped,
    /// Another user, which only root can choose, or root itself, with the lines of the maps of its private user namespace
    /// if it gets one.
    Dropped { uid: Uid, gid: Gid, own_namespace: Option<(Vec<u8>, Vec<u8>)> },
}

impl Privileges {
    fn write(&self, to: &mut Writer) {
        match self {
            Self::Kept => to.number(0),
            Self::WithoutCapabilities => to.number(1),
            Self::Mapped => to.number(2),
            Self::Dropped { uid, gid, own_namespace } => {
                to.number(3).number(uid.as_raw().into()).number(gid.as_raw().into());
                to.optional(own_namespace.as_ref(), |to, (user, group)| to.bytes(user).bytes(group))
            }
        };
    }
}
