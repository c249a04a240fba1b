//! The supervisor: the process between the judge and an entry, which is there for one run.
//!
//! It prepares the namespaces, starts the entry, reaps whatever the entry leaves behind, ends all of it, and reports.
//! In a PID namespace it is the first process, so that its death is the death of everything in it; elsewhere it is a
//! subreaper, to which every orphan of the entry comes home. It ends all when the judge orders it or is gone.
//!
//! Everything here runs in a clone of one thread of the judge: no allocation, no locks, no panics.

use std::os::fd::{AsFd as _, BorrowedFd, RawFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, Mode, OFlags, fstatvfs, open};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus};
use rustix::thread::LinkNameSpaceType;

use super::message::{Ended, Message, Refusal, Step};
use super::plan::{Bind, LaunchPlan, Privileges, Root, SOCKET};
use super::{entry, kill_tree, message, sys};
use crate::now_us;

/// How often the supervisor looks whether the scratch directory is full.
const POLL_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// What a step that can fail gives.
pub(super) type Done<T = ()> = Result<T, Refusal>;

/// Names the step that failed.
pub(super) trait Doing<T> {
    fn doing(self, step: Step) -> Done<T>;
    fn doing_nth(self, step: Step, index: usize) -> Done<T>;
}

impl<T> Doing<T> for Result<T, Errno> {
    fn doing(self, step: Step) -> Done<T> {
        self.doing_nth(step, 0)
    }

    fn doing_nth(self, step: Step, index: usize) -> Done<T> {
        self.map_err(|error| Refusal { step, index, error })
    }
}

/// The supervisor's whole life.
pub(super) fn keep(plan: &LaunchPlan, descriptors: &[RawFd]) -> ! {
    let message = match sys::keep_only(descriptors).doing(Step::Descriptors).and_then(|()| run(plan)) {
        Ok(ended) => Message::Ended(ended),
        Err(refusal) => Message::Refused(refusal),
    };
    tell(message);
    sys::exit(0)
}

/// Tells the judge; when it is gone, nobody.
pub(super) fn tell(message: Message) {
    rustix::net::send(sys::kept(SOCKET), &message.encode(), SendFlags::NOSIGNAL).ok();
}

fn run(plan: &LaunchPlan) -> Done<Ended> {
    let judge = sys::kept(SOCKET);
    tie_to_judge(plan, judge)?;
    let scratch = match &plan.root {
        Some(root) => {
            build_root(plan, root)?;
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Some(open(plan.scratch.as_c_str(), flags, Mode::empty()).doing(Step::Scratch)?)
        }
        None => None,
    };
    // It is a copy of the judge; no entry may look into it. Not earlier: a user can only map itself in files of its own.
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable).doing(Step::Tie)?;
    let children = sys::child_events().doing(Step::Monitor)?;

    let group = plan.version_two().map(sys::kept);
    let (entry, _pidfd) = sys::clone(0, group, || entry::become_entry(plan)).doing(Step::Fork)?;

    let mut status = None;
    let mut full = false;
    while status.is_none() {
        let mut fds =
            [PollFd::from_borrowed_fd(judge, PollFlags::IN), PollFd::from_borrowed_fd(children.as_fd(), PollFlags::IN)];
        let wait = if scratch.is_some() && !full { Some(&POLL_INTERVAL) } else { None };
        match poll(&mut fds, wait) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error).doing(Step::Monitor),
        }
        let [order, ended] = fds.map(|fd| !fd.revents().is_empty());
        if ended {
            status = reap(entry, children.as_fd());
        }
        if status.is_none() && order && !obey(judge, entry) {
            break;
        }
        if let Some(scratch) = &scratch
            && !full
            && is_full(scratch.as_fd())
        {
            full = true;
            tell(Message::ScratchFull);
        }
    }
    let ended_us = now_us();
    // What has filled up since the last glance counts as well.
    if let Some(scratch) = &scratch
        && !full
        && is_full(scratch.as_fd())
    {
        tell(Message::ScratchFull);
    }
    let by_itself = status.is_some();
    if by_itself {
        tell(Message::Over);
    }
    let (last, left) = kill_tree(plan, entry);
    let status = status.or(last).unwrap_or(0);
    Ok(Ended::new(status, by_itself, ended_us, left, &sys::reaped()))
}

/// A supervisor in a PID namespace dies with the judge, and takes everything with it; another one must not, for it has
/// to kill_tree first, and learns of the judge's end by its socket.
fn tie_to_judge(plan: &LaunchPlan, judge: BorrowedFd<'_>) -> Done {
    if plan.root.is_none() {
        return rustix::process::set_child_subreaper(Some(rustix::process::getpid())).doing(Step::Tie);
    }
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).doing(Step::Tie)?;
    // The judge may have died before the tie was made.
    let mut fds = [PollFd::from_borrowed_fd(judge, PollFlags::IN)];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).doing(Step::Tie)?;
    if fds[0].revents().contains(PollFlags::HUP) { Err(Errno::CHILD).doing(Step::Tie) } else { Ok(()) }
}

/// The small world that the entry sees: a root in memory with what it may read mounted into it, read-only.
fn build_root(plan: &LaunchPlan, root: &Root) -> Done {
    if let Privileges::Mapped { user, group } = &plan.privileges {
        map_user(user, group)?;
    }
    if let Some(network) = plan.network() {
        let only = Some(LinkNameSpaceType::Network);
        rustix::thread::move_into_link_name_space(sys::kept(network), only).doing(Step::Network)?;
    }
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    rustix::mount::mount_change(c"/", private).doing(Step::Mounts)?;
    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    rustix::mount::mount(c"judge", root.base.as_c_str(), c"tmpfs", plain, c"size=1m,mode=755").doing(Step::Root)?;
    rustix::process::chdir(root.base.as_c_str()).doing(Step::Root)?;
    for (index, folder) in root.folders.iter().enumerate() {
        rustix::fs::mkdir(folder.as_c_str(), Mode::from_raw_mode(0o755)).doing_nth(Step::Visible, index)?;
    }
    for (index, file) in root.files.iter().enumerate() {
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        open(file.as_c_str(), flags, Mode::from_raw_mode(0o444)).doing_nth(Step::Visible, index)?;
    }
    for (index, (target, link)) in root.links.iter().enumerate() {
        rustix::fs::symlinkat(target.as_c_str(), CWD, link.as_c_str()).doing_nth(Step::Visible, index)?;
    }
    for (index, Bind { source, target, needed }) in root.binds.iter().enumerate() {
        let bound = rustix::mount::mount_bind_recursive(source.as_c_str(), target.as_c_str());
        if *needed {
            bound.doing_nth(Step::Visible, index)?;
        }
    }
    sys::seal_mounts().doing(Step::Seal)?;
    // After the seal, which takes devices away.
    for (index, (source, target)) in root.devices.iter().enumerate() {
        rustix::mount::mount_bind(source.as_c_str(), target.as_c_str()).doing_nth(Step::Devices, index)?;
    }
    let no_programs = plain | MountFlags::NOEXEC;
    rustix::mount::mount(c"proc", c"proc", c"proc", no_programs, c"hidepid=invisible").doing(Step::Proc)?;
    let scratch = root.scratch_name.as_c_str();
    rustix::mount::mount(c"judge", scratch, c"tmpfs", plain, root.scratch_options.as_c_str()).doing(Step::Scratch)?;
    rustix::process::pivot_root(c".", c".").doing(Step::Pivot)?;
    rustix::mount::unmount(c".", UnmountFlags::DETACH).doing(Step::Pivot)?;
    rustix::process::chdir(c"/").doing(Step::Pivot)?;
    place_files(plan)?;
    rustix::system::sethostname(b"judge").doing(Step::HostName)
}

/// In a new user namespace the user is who it was outside, and nobody else exists.
pub(super) fn map_user(user: &[u8], group: &[u8]) -> Done {
    for (file, text) in
        [(c"/proc/self/setgroups", &b"deny"[..]), (c"/proc/self/uid_map", user), (c"/proc/self/gid_map", group)]
    {
        write(file, OFlags::empty(), text).doing(Step::UserNamespace)?;
    }
    Ok(())
}

/// Writes the placed files, which belong to the job.
fn place_files(plan: &LaunchPlan) -> Done {
    for (index, (path, contents)) in plan.files.iter().enumerate() {
        write(path.as_c_str(), OFlags::CREATE | OFlags::EXCL, contents).doing_nth(Step::Files, index)?;
        if let Privileges::Dropped { uid, gid, .. } = plan.privileges {
            rustix::fs::chownat(CWD, path.as_c_str(), Some(uid), Some(gid), rustix::fs::AtFlags::empty())
                .doing_nth(Step::Files, index)?;
        }
    }
    Ok(())
}

pub(super) fn write(path: &std::ffi::CStr, flags: OFlags, mut bytes: &[u8]) -> Result<(), Errno> {
    let file = open(path, flags | OFlags::WRONLY | OFlags::CLOEXEC, Mode::from_raw_mode(0o644))?;
    while !bytes.is_empty() {
        let written = rustix::io::write(&file, bytes)?;
        bytes = &bytes[written..];
    }
    Ok(())
}

/// Reaps whoever has ended; the wait status of the entry once it is among them.
fn reap(entry: Pid, children: BorrowedFd<'_>) -> Option<i32> {
    // The notice is taken first: a child that ends after the last wait gives a new one.
    rustix::io::read(children, &mut [0; 128]).ok();
    let mut status = None;
    while let Ok(Some((pid, ended))) = rustix::process::wait(WaitOptions::NOHANG) {
        if pid == entry {
            status = Some(ended.as_raw());
        }
    }
    status
}

/// Carries out the judge's order; `false` when that is to end the run, or the judge is gone.
fn obey(judge: BorrowedFd<'_>, entry: Pid) -> bool {
    let mut order = [0; 8];
    match rustix::net::recv(judge, &mut order, RecvFlags::DONTWAIT) {
        Ok((0, _)) => false,
        Ok((length, _)) => {
            if order.get(..length) == Some(message::WARN) {
                rustix::process::kill_process_group(entry, Signal::TERM).ok();
            }
            true
        }
        Err(Errno::AGAIN | Errno::INTR) => true,
        Err(_) => false,
    }
}

/// Whether not a block, or not a file, is left.
fn is_full(scratch: BorrowedFd<'_>) -> bool {
    fstatvfs(scratch).is_ok_and(|system| system.f_bfree == 0 || system.f_ffree == 0)
}

/// HeadAndTail everything that still lives and reaps it: the entry's status where it is among them, and how many others
/// there were.
fn kill_tree(plan: &LaunchPlan, entry: Pid) -> (Option<i32>, u64) {
    let mut status = None;
    let mut left = 0;
    let mut count = |pid: Pid, ended: WaitStatus| {
        if pid == entry {
            status = Some(ended.as_raw());
        } else if ended.terminating_signal() == Some(libc::SIGKILL) {
            left += 1;
        }
    };
    for turn in 0.. {
        if plan.root.is_some() {
            sys::kill_everybody_else();
        } else {
            kill_tree::kill_all(entry, turn > 0);
        }
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, ended))) => count(pid, ended),
            Ok(None) | Err(Errno::INTR) => {}
            Err(_) => break,
        }
        while let Ok(Some((pid, ended))) = rustix::process::wait(WaitOptions::NOHANG) {
            count(pid, ended);
        }
    }
    (status, left)
}
