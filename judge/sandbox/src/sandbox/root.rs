//! The root that a job sees: a file system in memory, with the visible paths mounted into it.
//!
//! The supervisor builds it in two parts, as the part that most runs have in common can be built before the run is known. No
//! allocation, no locks, no panics.

use std::ffi::CStr;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, open, openat2};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags};
use rustix::thread::LinkNameSpaceType;

use super::launch::{Bind, Contents, Launch, NETWORK, Privileges, ReadOnlyItems, Root, RootTemplate, Source};
use super::message::{AtStep as _, Done, Step};
use super::steps::{map_user, write};
use super::sys;

/// Files of `/proc` that identify the machine or show the activity of other runs: the kernel's command line, the boot,
/// keys, and locks on files that several entries may read. They are empty for an entry.
const MASKED: &[&CStr] = &[
    c"proc/cmdline",
    c"proc/sys/kernel/random/boot_id",
    c"proc/keys",
    c"proc/key-users",
    c"proc/locks",
    c"proc/zoneinfo",
    c"proc/buddyinfo",
];
/// The file that is mounted, read-only, over files to hide them.
const EMPTY: &CStr = c"dev/null";
/// Flags of every created file system.
const PLAIN: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);
/// Attributes of every read-only mount.
const SEALED: u64 = sys::READ_ONLY | sys::NO_SETUID | sys::NO_DEVICES;

/// Begins a root with the parts that do not depend on the run. It is the working directory until [`finish`].
pub(super) fn begin(foundation: &RootTemplate<'_>) -> Done {
    let RootTemplate { base, maps, network, shown, devices } = foundation;
    if let Some((user, group)) = maps {
        map_user(user, group)?;
    }
    if *network {
        let only = Some(LinkNameSpaceType::Network);
        rustix::thread::move_into_link_name_space(sys::kept(NETWORK), only).at_step(Step::Network)?;
    }
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change(c"/", private).at_step(Step::Mounts)?;
    rustix::mount::mount(c"judge", *base, c"tmpfs", PLAIN, c"size=1m,mode=755").at_step(Step::Root)?;
    rustix::process::chdir(*base).at_step(Step::Root)?;
    show(shown, 0, None)?;
    sys::seal_mounts(CWD, c".", SEALED).at_step(Step::Seal)?;
    // The rest of the root is not there yet.
    sys::unseal_mount(CWD, c".", sys::READ_ONLY).at_step(Step::Seal)?;
    // After the seal, which takes devices away. A device on a read-only mount can be written, and its times and modes,
    // which every later run would see, cannot be changed.
    for (index, (source, target)) in devices.iter().enumerate() {
        rustix::mount::mount_bind(source, target).doing_nth(Step::Devices, index)?;
        sys::seal_mounts(CWD, target, sys::READ_ONLY | sys::NO_SETUID).doing_nth(Step::Devices, index)?;
    }
    let no_programs = PLAIN | MountFlags::NOEXEC;
    rustix::mount::mount(c"proc", c"proc", c"proc", no_programs, c"hidepid=invisible").at_step(Step::Proc)?;
    for (index, file) in MASKED.iter().enumerate() {
        match rustix::mount::mount_bind(EMPTY, *file) {
            Err(Errno::NOENT) => {}
            masked => masked.doing_nth(Step::Mask, index)?,
        }
    }
    rustix::system::sethostname(b"judge").at_step(Step::HostName)
}

/// Completes a begun root for a run, and enters it.
pub(super) fn finish(plan: &Launch<'_>, root: &Root<'_>) -> Done {
    let mapping = plan.mapping().map(sys::kept);
    show(&root.shown, SEALED, mapping)?;
    sys::seal_mount(CWD, c".", SEALED).at_step(Step::Seal)?;
    // After the seal, which makes everything read-only.
    for (index, (source, target)) in root.writable.iter().enumerate() {
        mount(&source, target, sys::NO_SETUID | sys::NO_DEVICES, mapping).doing_nth(Step::Writable, index)?;
    }
    take_input(plan).at_step(Step::Files)?;
    let scratch = root.scratch_name;
    rustix::mount::mount(c"judge", scratch, c"tmpfs", PLAIN, root.scratch_options).at_step(Step::Scratch)?;
    rustix::process::pivot_root(c".", c".").at_step(Step::Pivot)?;
    rustix::mount::unmount(c".", UnmountFlags::DETACH).at_step(Step::Pivot)?;
    rustix::process::chdir(c"/").at_step(Step::Pivot)?;
    place_files(plan)
}

/// Creates folders, files and links, and mounts the visible items, with these attributes.
fn show(shown: &ReadOnlyItems<'_>, attributes: u64, mapping: Option<BorrowedFd<'_>>) -> Done {
    for (index, folder) in shown.folders.iter().enumerate() {
        rustix::fs::mkdir(folder, Mode::from_raw_mode(0o755)).doing_nth(Step::Visible, index)?;
    }
    for (index, file) in shown.files.iter().enumerate() {
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        open(file, flags, Mode::from_raw_mode(0o444)).doing_nth(Step::Visible, index)?;
    }
    for (index, (target, link)) in shown.links.iter().enumerate() {
        rustix::fs::symlinkat(target, CWD, link).doing_nth(Step::Visible, index)?;
    }
    for (index, Bind { source, target, needed, own }) in shown.binds.iter().enumerate() {
        // On a file system that cannot be mapped, the job reads what every user may read.
        let bound = match mapping.filter(|_| own) {
            Some(mapping) => {
                mount(&source, target, attributes, Some(mapping)).or_else(|_| mount(&source, target, attributes, None))
            }
            None => mount(&source, target, attributes, None),
        };
        if needed {
            bound.doing_nth(Step::Visible, index)?;
        }
    }
    Ok(())
}

/// Mounts a file or folder of the machine, including everything mounted in it, with these attributes and owners.
fn mount(source: &Source<'_>, target: &CStr, attributes: u64, mapping: Option<BorrowedFd<'_>>) -> Result<(), Errno> {
    if source.rest.is_empty() && attributes == 0 && mapping.is_none() {
        return rustix::mount::mount_bind_recursive(source.path, target);
    }
    let tree = detached(source, attributes, mapping)?;
    // Earlier mounts may include an author's folder with links in it.
    let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let target = openat2(CWD, target, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), inside)?;
    let empty = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    rustix::mount::move_mount(&tree, c"", &target, c"", empty)
}

/// A mount that is not attached yet: a file or folder of the machine, including everything mounted in it, with these
/// attributes and, if there is a mapping, owners.
fn detached(source: &Source<'_>, attributes: u64, mapping: Option<BorrowedFd<'_>>) -> Result<OwnedFd, Errno> {
    let source = sys::name_file(source)?;
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_EMPTY_PATH
        | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let tree = rustix::mount::open_tree(&source, c"", flags)?;
    match mapping {
        Some(mapping) => sys::map_mounts(tree.as_fd(), mapping, attributes)?,
        None if attributes == 0 => {}
        None => sys::seal_mounts(tree.as_fd(), c"", attributes)?,
    }
    Ok(tree)
}

/// Opens the standard input again, on a read-only mount. The judge opened it on a mount of the machine, where its owner
/// could set its mode and times through any descriptor, and everyone could set the times of a device. This runs in the new
/// root.
fn take_input(plan: &Launch<'_>) -> Result<(), Errno> {
    let flags = OFlags::RDONLY | OFlags::NOCTTY | OFlags::CLOEXEC;
    let input = match &plan.input {
        // A pipe of the judge, not a file of the machine.
        None if plan.wired => return Ok(()),
        None => open(c"dev/null", flags, Mode::empty())?,
        Some(source) => {
            let only_named = detached(source, SEALED, None)?;
            rustix::stdio::dup2_stdin(&only_named)?;
            open(c"proc/self/fd/0", flags, Mode::empty())?
        }
    };
    rustix::stdio::dup2_stdin(&input)
}

/// Creates the folders and writes the placed files, which belong to the job.
fn place_files(plan: &Launch<'_>) -> Done {
    let give = |path: &std::ffi::CStr| match plan.privileges {
        Privileges::Dropped { uid, gid, .. } => {
            rustix::fs::chownat(CWD, path, Some(uid), Some(gid), rustix::fs::AtFlags::empty())
        }
        _ => Ok(()),
    };
    for (index, path) in plan.folders.iter().enumerate() {
        rustix::fs::mkdir(path, Mode::RWXU).doing_nth(Step::Files, index)?;
    }
    for (index, (path, contents)) in plan.files.iter().enumerate() {
        match contents {
            Contents::Bytes(bytes) => write(path, OFlags::CREATE | OFlags::EXCL, bytes),
            Contents::Copied(number) => {
                plan.copied(number).ok_or(Errno::BADF).and_then(|from| copy(sys::kept(from), path))
            }
        }
        .doing_nth(Step::Files, index)?;
        give(path).doing_nth(Step::Files, index)?;
    }
    // Last, because files are created in them.
    for (index, path) in plan.folders.iter().enumerate() {
        give(path).doing_nth(Step::Files, index)?;
    }
    for (index, (target, path)) in plan.links.iter().enumerate() {
        rustix::fs::symlinkat(target, CWD, path).doing_nth(Step::Files, index)?;
    }
    Ok(())
}

/// Copies an open file of the machine.
fn copy(from: BorrowedFd<'_>, path: &CStr) -> Result<(), Errno> {
    /// Bytes per call; the kernel accepts no more than two gigabytes.
    const PIECE: usize = 1 << 30;
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let to = open(path, flags, Mode::from_raw_mode(0o644))?;
    while rustix::fs::sendfile(&to, from, None, PIECE)? > 0 {}
    Ok(())
}
