//! The boundaries of a process: mounts, namespaces, and files by Landlock.

use std::ffi::CStr;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

use rustix::io::Errno;

use super::checked;
use crate::sandbox::launch::{Handled, Source};

/// Attributes that [`seal_mounts`] can add to a mount.
pub(in crate::sandbox) const READ_ONLY: u64 = 1;
pub(in crate::sandbox) const NO_SETUID: u64 = 2;
pub(in crate::sandbox) const NO_DEVICES: u64 = 4;

/// Adds attributes to every mount at and below a path. If the path is empty, `folder` is the mount itself.
pub(in crate::sandbox) fn seal_mounts(folder: BorrowedFd<'_>, path: &CStr, attributes: u64) -> Result<(), Errno> {
    change_mounts(folder, path, true, MountAttributes { set: attributes, ..MountAttributes::default() })
}

/// Adds attributes to the mount at a path, not to those below it.
pub(in crate::sandbox) fn seal_mount(folder: BorrowedFd<'_>, path: &CStr, attributes: u64) -> Result<(), Errno> {
    change_mounts(folder, path, false, MountAttributes { set: attributes, ..MountAttributes::default() })
}

/// Removes attributes from the mount at a path, not from those below it.
pub(in crate::sandbox) fn unseal_mount(folder: BorrowedFd<'_>, path: &CStr, attributes: u64) -> Result<(), Errno> {
    change_mounts(folder, path, false, MountAttributes { clear: attributes, ..MountAttributes::default() })
}

/// Adds attributes to a mount that is not attached yet, and to those in it, and changes the owners of its files by the
/// mapping of a user namespace. Not every file system supports that.
pub(in crate::sandbox) fn map_mounts(
    mount: BorrowedFd<'_>,
    mapping: BorrowedFd<'_>,
    attributes: u64,
) -> Result<(), Errno> {
    const MAPPED: u64 = 0x0010_0000;
    let user_namespace = u64::from(mapping.as_raw_fd().cast_unsigned());
    let attributes = MountAttributes { set: attributes | MAPPED, user_namespace, ..MountAttributes::default() };
    change_mounts(mount, c"", true, attributes)
}

/// `struct mount_attr` of the kernel, the argument of `mount_setattr`.
#[repr(C)]
#[derive(Default)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// Changes the mount at a path and, if it is `recursive`, those below it.
fn change_mounts(
    folder: BorrowedFd<'_>,
    path: &CStr,
    recursive: bool,
    attributes: MountAttributes,
) -> Result<(), Errno> {
    let below = if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: the path is a C string, the attributes are of the size given; both outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder.as_raw_fd(),
            path.as_ptr(),
            below | libc::AT_EMPTY_PATH,
            &raw const attributes,
            size_of::<MountAttributes>(),
        )
    };
    checked(result).map(drop)
}

/// Gives the process a private user namespace, in which it keeps its outside user.
pub(in crate::sandbox) fn enter_user_namespace() -> Result<(), Errno> {
    // SAFETY: no descriptor table is unshared, which is what makes `unshare` unsafe.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWUSER) }
}

/// Makes the control groups of this process look like the topmost ones to it and its children.
pub(in crate::sandbox) fn enter_cgroup_namespace() -> Result<(), Errno> {
    // SAFETY: as above.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWCGROUP) }
}

/// Gives the calling thread a private network namespace, which contains only a device that is down.
pub(in crate::sandbox) fn enter_network_namespace() -> Result<(), Errno> {
    // SAFETY: as above.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNET) }
}

/// The Landlock version of this kernel.
pub(in crate::sandbox) fn landlock_version() -> Result<u32, Errno> {
    const VERSION: libc::c_uint = 1;
    // SAFETY: asking for the version takes no structure.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0usize, VERSION) };
    Ok(u32::try_from(checked(version)?).unwrap_or(0))
}

pub(in crate::sandbox) fn landlock_ruleset(handled: &Handled) -> Result<OwnedFd, Errno> {
    // An older kernel accepts a larger structure if the fields that it does not have are zero.
    // SAFETY: the structure is of the size given and outlives the call; the descriptor is new and ours.
    unsafe {
        let handled: *const Handled = handled;
        let fd = libc::syscall(libc::SYS_landlock_create_ruleset, handled, size_of::<Handled>(), 0);
        let fd = RawFd::try_from(checked(fd)?).map_err(|_| Errno::MFILE)?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// Allows `access` at and below the file of the descriptor `path`.
pub(in crate::sandbox) fn landlock_allow(
    ruleset: BorrowedFd<'_>,
    path: BorrowedFd<'_>,
    access: u64,
) -> Result<(), Errno> {
    #[repr(C, packed)]
    struct PathBeneath {
        access: u64,
        parent: RawFd,
    }
    const PATH_BENEATH: libc::c_int = 1;
    let rule = PathBeneath { access, parent: path.as_raw_fd() };
    // SAFETY: the rule is a packed structure as the kernel defines it and outlives the call.
    let result =
        unsafe { libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), PATH_BENEATH, &raw const rule, 0) };
    checked(result).map(drop)
}

/// Puts this process and all its children under the ruleset permanently.
pub(in crate::sandbox) fn landlock_enter(ruleset: BorrowedFd<'_>) -> Result<(), Errno> {
    // SAFETY: two plain numbers.
    checked(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) }).map(drop)
}

/// Opens a file by name only. A file other than the one that the judge saw is refused with `ESTALE`, and a link that
/// must not be followed with `ELOOP`.
pub(in crate::sandbox) fn name_file(source: &Source<'_>) -> Result<OwnedFd, Errno> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, fstat, open, openat2};
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let mut file = open(source.path, flags, Mode::empty())?;
    if !source.rest.is_empty() {
        let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        file = openat2(&file, source.rest, flags, Mode::empty(), inside)?;
    }
    if let Some(identity) = source.identity {
        let status = fstat(&file)?;
        if identity != (status.st_dev, status.st_ino) {
            return Err(Errno::STALE);
        }
    }
    Ok(file)
}
