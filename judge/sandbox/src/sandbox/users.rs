//! The user of a job, if the judge is root.
//!
//! Each job gets a user that no other job has at the same time. So two jobs never affect each other by what the kernel permits
//! or counts per user: pages of pipes, watches, descriptors in flight. A job without writable folders sees itself as the user
//! `nobody`.
//!
//! A job with writable folders is the build of a program. Nothing on disk changes its owner: the folders are mounted so
//! that the job's user is mapped to their owner. If that is impossible, for example without mounts, the folder is given to
//! the user if the job allows it; otherwise the job runs as the owner of its first folder.

use std::fs;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use judge_job::{Job, Place, Tier};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::mount::{OpenTreeFlags, open_tree};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, socket_with};
use rustix::process::{Gid, Signal, Uid, WaitOptions, geteuid};

use super::{sys, visible};

/// User and group of entries if the judge is root and has no other users available, and the user and group that they see:
/// `nobody`.
pub(super) const NOBODY: u32 = 65534;
/// The first of the user numbers that no distribution assigns, and their count.
const FIRST: u32 = 60_706;
const NUMBER: u32 = 478;
const USERS: std::ops::Range<u32> = FIRST..FIRST + NUMBER;

/// The user and group that a job runs as.
pub(crate) struct JobUser {
    uid: Uid,
    gid: Gid,
    /// The number of the user and group in a user namespace of the job.
    seen_as: (u32, u32),
    /// A user namespace that maps the owner of the job's folders to this user; `None` if they are mounted without a
    /// mapping.
    mapping: Option<OwnedFd>,
    /// Keeps other jobs from this user.
    _claim: Option<ReservedUser>,
}

impl JobUser {
    /// The user of a job with these folders. An error is about its first folder.
    pub(super) fn new(job: &Job, tier: Tier) -> io::Result<Option<Self>> {
        let Some(first) = job.writable.first() else { return Ok(None) };
        let (uid, gid) = visible::owner(first)?;
        let own = if is_mapped() { ReservedUser::take() } else { None };
        let owner = Self { uid, gid, seen_as: (uid.as_raw(), gid.as_raw()), mapping: None, _claim: None };
        let Some(claim) = own else { return Ok(Some(owner)) };
        let number = claim.number;
        let mapping = (tier == Tier::Namespaces).then(|| mapping((uid, gid), number)).and_then(Result::ok);
        let mapping = mapping.filter(|mapping| job.writable.iter().all(|place| can_be_mapped(place, mapping)));
        let alone = match &mapping {
            Some(_) => true,
            None => job.own_user && (tier == Tier::Namespaces || is_open(job)) && change_owner(first, number).is_ok(),
        };
        Ok(Some(if alone { Self { mapping, ..Self::claimed(claim, number) } } else { owner }))
    }

    /// A user for a job without writable folders; `None` if none is available on this system.
    pub(super) fn of_its_own() -> Option<Self> {
        is_mapped().then(ReservedUser::take).flatten().map(|claim| Self::claimed(claim, NOBODY))
    }

    fn claimed(claim: ReservedUser, seen_as: u32) -> Self {
        let (uid, gid) = (Uid::from_raw(claim.number), Gid::from_raw(claim.number));
        Self { uid, gid, seen_as: (seen_as, seen_as), mapping: None, _claim: Some(claim) }
    }

    pub(crate) fn ids(&self) -> (Uid, Gid) {
        (self.uid, self.gid)
    }

    /// Lines of the maps of users and groups in a user namespace of the job.
    pub(super) fn maps(&self) -> (Vec<u8>, Vec<u8>) {
        let line = |seen: u32, number: u32| format!("{seen} {number} 1").into_bytes();
        (line(self.seen_as.0, self.uid.as_raw()), line(self.seen_as.1, self.gid.as_raw()))
    }

    pub(super) fn mapping(&self) -> Option<BorrowedFd<'_>> {
        self.mapping.as_ref().map(OwnedFd::as_fd)
    }
}

/// A user that no other job has while this exists. The kernel frees the name of the socket regardless of how the judge
/// ends.
struct ReservedUser {
    number: u32,
    _name: OwnedFd,
}

impl ReservedUser {
    /// A user that is free on this machine; a different one than before, as long as there are any.
    fn take() -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        (0..NUMBER).find_map(|_| {
            let turn = std::process::id().wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
            Self::of(FIRST + turn % NUMBER).ok()
        })
    }

    fn of(number: u32) -> io::Result<Self> {
        let name = socket_with(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
        bind(&name, &SocketAddrUnix::new_abstract_name(format!("judge-user-{number}").as_bytes())?)?;
        Ok(Self { number, _name: name })
    }
}

/// Tests whether this system has these users: a container may have fewer. This does not change while a judge runs.
pub(super) fn is_mapped() -> bool {
    static MAPPED: OnceLock<bool> = OnceLock::new();
    *MAPPED.get_or_init(|| geteuid().is_root() && maps_all("/proc/self/uid_map") && maps_all("/proc/self/gid_map"))
}

fn maps_all(file: &str) -> bool {
    let lines = fs::read_to_string(file).unwrap_or_default();
    lines.lines().any(|line| {
        let mut numbers = line.split_whitespace().filter_map(|number| number.parse::<u64>().ok());
        let (first, _, count) = (numbers.next(), numbers.next(), numbers.next());
        first.zip(count).is_some_and(|(first, count)| {
            first <= FIRST.into() && u64::from(FIRST + NUMBER) <= first.saturating_add(count)
        })
    })
}

/// A user namespace in which the files of an owner belong to the user with this number.
fn mapping((uid, gid): (Uid, Gid), number: u32) -> io::Result<OwnedFd> {
    let judge = rustix::process::getpid();
    let pid = sys::clone(libc::CLONE_NEWUSER, None, || {
        let tied = rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).is_ok();
        // The judge may have died before the tie was made.
        if tied && rustix::process::getppid() == Some(judge) {
            sys::wait_for_signals();
        }
    })?;
    let folder = format!("/proc/{}", pid.as_raw_pid());
    let made = || {
        fs::write(format!("{folder}/uid_map"), format!("{} {number} 1", uid.as_raw()))?;
        fs::write(format!("{folder}/gid_map"), format!("{} {number} 1", gid.as_raw()))?;
        Ok(fs::File::open(format!("{folder}/ns/user"))?.into())
    };
    let made = made();
    rustix::process::kill_process(pid, Signal::KILL).ok();
    rustix::process::waitpid(Some(pid), WaitOptions::empty()).ok();
    made
}

/// Tests whether the file system of a folder, and of all that is mounted in it, can be mounted with other owners.
fn can_be_mapped(place: &Place, mapping: &OwnedFd) -> bool {
    let mapped = || {
        let item = place.open()?;
        let flags = OpenTreeFlags::OPEN_TREE_CLONE
            | OpenTreeFlags::AT_RECURSIVE
            | OpenTreeFlags::AT_EMPTY_PATH
            | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let tree = open_tree(&item, c"", flags)?;
        sys::map_mounts(tree.as_fd(), mapping.as_fd(), 0)?;
        io::Result::Ok(())
    };
    mapped().is_ok()
}

/// Tests whether a user who owns none of a job's files may traverse the path to its folders, if these are not mounted.
fn is_open(job: &Job) -> bool {
    let may = |path: &Path, bits: u32| fs::metadata(path).is_ok_and(|file| file.mode() & bits == bits);
    let passes = |path: &Path| path.ancestors().skip(1).all(|folder| may(folder, 0o001));
    let reads = |place: &Place| {
        let path = place.path();
        passes(&path) && may(&path, 0o004)
    };
    let directory = job.directory.as_deref();
    job.writable.iter().all(|place| passes(&place.path()))
        && job.readable.iter().all(reads)
        && directory.is_none_or(|directory| passes(directory) && may(directory, 0o001))
        && job.writable.len() == 1
}

/// Gives a folder to a user, with everything in it that belongs to root or to the user of an earlier job: only jobs have
/// such numbers, and they use the folder one after another.
fn change_owner(folder: &Place, number: u32) -> io::Result<()> {
    let (uid, gid) = (Some(Uid::from_raw(number)), Some(Gid::from_raw(number)));
    let folders = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let top = openat(folder.open()?, c".", folders, Mode::empty())?;
    let mut waiting = vec![top];
    while let Some(folder) = waiting.pop() {
        rustix::fs::fchown(&folder, uid, gid)?;
        for item in Dir::read_from(&folder)? {
            let item = item?;
            let name = item.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let status = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
            match FileType::from_raw_mode(status.st_mode) {
                _ if status.st_uid != geteuid().as_raw() && !USERS.contains(&status.st_uid) => {}
                FileType::Directory => waiting.push(openat(&folder, name, folders, Mode::empty())?),
                // The file may have another name anywhere.
                _ if status.st_nlink > 1 => {}
                _ => rustix::fs::chownat(&folder, name, uid, gid, AtFlags::SYMLINK_NOFOLLOW)?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_user_is_claimed_once_at_a_time() {
        let claims: Vec<ReservedUser> = (0..20).map(|_| ReservedUser::take().unwrap()).collect();
        let mut numbers: Vec<u32> = claims.iter().map(|claim| claim.number).collect();
        assert!(numbers.iter().all(|number| USERS.contains(number)), "{numbers:?}");
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 20);
        assert!(ReservedUser::of(claims[0].number).is_err());
        drop(claims);
        assert!(numbers.iter().all(|&number| ReservedUser::of(number).is_ok()));
    }

    #[test]
    fn a_folder_is_given_without_what_its_links_lead_to() {
        if !geteuid().is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("own/inner")).unwrap();
        fs::create_dir(path("outside")).unwrap();
        for file in ["own/a", "own/inner/b", "outside/c", "d"] {
            fs::write(path(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(path("outside"), path("own/link")).unwrap();
        fs::hard_link(path("d"), path("own/d")).unwrap();
        change_owner(&Place::trusted(path("own")), FIRST).unwrap();
        let owner = |name: &str| fs::symlink_metadata(path(name)).unwrap().uid();
        let given = || ["own", "own/a", "own/inner", "own/inner/b", "own/link"].map(owner);
        assert_eq!(given(), [FIRST; 5]);
        // The next job gets what the first one left.
        change_owner(&Place::trusted(path("own")), FIRST + 1).unwrap();
        assert_eq!(given(), [FIRST + 1; 5]);
        assert_eq!(["outside", "outside/c", "d", "own/d"].map(owner), [0; 4]);
    }
}
