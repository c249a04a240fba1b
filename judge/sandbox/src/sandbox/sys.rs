//! System calls without a safe form in a library, each wrapped once. The only module of the project with `unsafe`.
//!
//! Most of them run in a child between clone and exec, where another thread's locks may be held forever. So nothing here
//! allocates, locks or panics.

#![allow(unsafe_code, reason = "this is the one module that talks to the system below the libraries; see each block")]

mod boundaries;
mod memory;
mod programs;

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

use rustix::io::Errno;
use rustix::process::Pid;

pub(super) use boundaries::{
    NO_DEVICES, NO_SETUID, READ_ONLY, enter_cgroup_namespace, enter_network_namespace, enter_user_namespace,
    landlock_allow, landlock_enter, landlock_ruleset, landlock_version, map_mounts, name_file, seal_mount, seal_mounts,
    unseal_mount,
};
pub(super) use memory::{
    Ranges, Room, bytes_of, instructions, needed_memory, reserve_stack, shared_number, unmap_others,
};
pub(super) use programs::{Image, execute, execute_directly, tie_to_judge};

fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// The result of a system call that returns -1 on failure.
fn checked(result: libc::c_long) -> Result<libc::c_long, Errno> {
    if result < 0 { Err(last_error()) } else { Ok(result) }
}

/// Starts a child that is a copy of only the calling thread, in the namespaces that `flags` name and, if `group` is
/// given, in the version 2 control group of that descriptor, with every signal blocked. Returns its process number. With
/// `CLONE_PARENT` it is a child of the caller's parent.
///
/// `child` runs in a copy of a process whose other threads are gone with whatever locks they held. It must not
/// allocate, lock or unwind: it could wait forever.
pub(super) fn clone(flags: libc::c_int, group: Option<BorrowedFd<'_>>, child: impl FnOnce()) -> Result<Pid, Errno> {
    /// `struct clone_args`, which has only 64-bit fields. An older kernel accepts it if the fields that it does not know are
    /// zero.
    #[repr(C)]
    #[derive(Default)]
    struct Arguments {
        flags: u64,
        pidfd: u64,
        child_tid: u64,
        parent_tid: u64,
        exit_signal: u64,
        stack: u64,
        stack_size: u64,
        tls: u64,
        set_tid: u64,
        set_tid_size: u64,
        cgroup: u64,
    }
    const CLEAR_SIGNAL_HANDLERS: u64 = 1 << 32;
    const INTO_CGROUP: u64 = 1 << 33;
    let into = group.map_or(0, |_| INTO_CGROUP);
    // A sibling has the exit signal of its creator.
    let exit_signal = if flags & libc::CLONE_PARENT == 0 { libc::SIGCHLD } else { 0 };
    let arguments = Arguments {
        flags: u64::from(flags.cast_unsigned()) | CLEAR_SIGNAL_HANDLERS | into,
        exit_signal: u64::from(exit_signal.cast_unsigned()),
        cgroup: group.map_or(0, |group| u64::from(group.as_raw_fd().cast_unsigned())),
        ..Arguments::default()
    };
    let blocked = Signals::block_all();
    // SAFETY: the arguments are of the size given and outlive the call; without CLONE_VM the child has its own copy
    // of memory, so this is a fork: both sides return, on their own stack.
    let mut result = unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<Arguments>()) };
    if result < 0 && last_error() == Errno::NOSYS && group.is_none() {
        // Containers hide the call, whose flags their filters cannot see. The older one leaves signal handlers in
        // place, which does no harm: every signal is blocked, and an entry gets fresh ones.
        // SAFETY: as above, a fork; nothing is written anywhere.
        result = unsafe { libc::syscall(libc::SYS_clone, flags | exit_signal, 0usize, 0usize, 0usize, 0usize) };
    }
    if result == 0 {
        child();
        exit(127);
    }
    let error = last_error();
    blocked.restore();
    if result < 0 {
        return Err(error);
    }
    i32::try_from(result).ok().and_then(Pid::from_raw).ok_or(Errno::CHILD)
}

/// The previous signal mask of the calling thread.
struct Signals(libc::sigset_t);

impl Signals {
    fn block_all() -> Self {
        let mut before = empty();
        let mut all = empty();
        // SAFETY: both sets are initialised and outlive the calls, which cannot fail with these arguments.
        unsafe {
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        }
        Self(before)
    }

    fn restore(self) {
        // SAFETY: the set came from the system.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}

fn empty() -> libc::sigset_t {
    // SAFETY: a signal set is plain old data for which all zeroes is a value; sigemptyset then makes it a portable one.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        set
    }
}

/// Resets every signal for a new program: unblocked, and, after [`stop_ignoring_signals`], with its default action.
pub(super) fn unblock_signals() {
    Signals(empty()).restore();
}

/// Gives every signal its default action. An ignored signal would stay ignored through exec, so that a run would depend on
/// how the judge was started.
pub(super) fn stop_ignoring_signals() {
    /// `struct sigaction` of the kernel, in which all zeroes mean the default action. The C library's own call excludes
    /// two signals that it uses itself, but which may also be ignored.
    const DEFAULT: [u64; 4] = [0; 4];
    const MASK_BYTES: usize = 8;
    let unknown = std::ptr::null_mut::<libc::c_void>();
    for signal in 1..=64 {
        // SAFETY: the structure is at least as large as the kernel's on every architecture and outlives the call; numbers
        // that are not signals are refused.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, DEFAULT.as_ptr(), unknown, MASK_BYTES) };
    }
}

/// Lets this process wait for its children even if it was started with the signal of their end ignored, in which case
/// the system would drop their exit statuses.
pub(super) fn keep_exit_statuses() {
    // SAFETY: the old action is only read, and the default action is not a pointer.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        let known = libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut before) == 0;
        if known && before.sa_sigaction == libc::SIG_IGN {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    }
}

/// A descriptor that is readable while an ended child waits to be reaped; the signal must be blocked.
pub(super) fn child_events() -> Result<OwnedFd, Errno> {
    let mut set = empty();
    // SAFETY: the set is initialised; the descriptor is new and ours.
    unsafe {
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        let fd = libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        checked(fd.into())?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// The most descriptors that [`keep_only`] can keep.
pub(super) const MAX_KEPT: usize = 64;

/// Makes `keep` the descriptors 0, 1, 2, … in this order and closes every other one. Descriptors from 3 on close on
/// exec.
pub(super) fn keep_only(keep: &[RawFd]) -> Result<(), Errno> {
    /// A number that exceeds every target and is small enough for a small limit on open files.
    const MAX: usize = MAX_KEPT;
    let first_aside = RawFd::try_from(keep.len()).unwrap_or(RawFd::MAX).max(16);
    let mut aside = [0; MAX];
    let aside = aside.get_mut(..keep.len()).ok_or(Errno::MFILE)?;
    let mut kept = [RawFd::MAX; MAX];
    kept[..keep.len()].copy_from_slice(keep);
    kept.sort_unstable();
    // SAFETY: these calls only shuffle descriptor numbers of a process that has just begun and in which no Rust value
    // uses the ones that are closed: its child code returns to nothing that owns one.
    unsafe {
        // The judge's others first: together with the copies they could exceed a small limit on open files.
        let mut next = 0;
        for fd in kept {
            if fd > next {
                checked(libc::syscall(libc::SYS_close_range, next, fd.saturating_sub(1), 0))?;
            }
            next = fd.saturating_add(1);
        }
        for (copy, fd) in aside.iter_mut().zip(keep) {
            *copy = libc::fcntl(*fd, libc::F_DUPFD_CLOEXEC, first_aside);
            checked((*copy).into())?;
        }
        for (target, copy) in (0..).zip(aside.iter()) {
            checked(libc::dup3(*copy, target, if target < 3 { 0 } else { libc::O_CLOEXEC }).into())?;
        }
        checked(libc::syscall(libc::SYS_close_range, keep.len(), libc::c_uint::MAX, 0))?;
    }
    Ok(())
}

/// A descriptor that [`keep_only`] has put at this number.
pub(super) fn kept(number: RawFd) -> BorrowedFd<'static> {
    // SAFETY: it stays open as long as the process lives: nothing closes descriptors after `keep_only`.
    unsafe { BorrowedFd::borrow_raw(number) }
}

/// Kills all other processes of this PID namespace; `false` if there was none. Does nothing in a process that is not the
/// first of its namespace.
pub(super) fn kill_all_others() -> bool {
    // SAFETY: signals touch no memory of this process. The check keeps a mistake from ending a user's whole session.
    unsafe { libc::getpid() == 1 && libc::kill(-1, libc::SIGKILL) == 0 }
}

/// Checks whether two processes share their memory; false if the kernel does not report it.
pub(crate) fn share_memory(one: i32, other: i32) -> bool {
    const MEMORY: libc::c_int = 1;
    // SAFETY: numbers alone.
    unsafe { libc::syscall(libc::SYS_kcmp, one, other, MEMORY, 0, 0) == 0 }
}

/// Resources of the reaped children of this process, with their own reaped children.
pub(super) struct Reaped {
    pub(super) cpu_us: u64,
    /// Peak resident memory of the largest single process.
    pub(super) largest_bytes: u64,
    pub(super) involuntary_switches: u64,
}

pub(super) fn reaped() -> Reaped {
    // SAFETY: the structure is plain old data that the call fills; it fails for bad arguments only.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage);
        usage
    };
    let micros = |time: libc::timeval| time.tv_sec.cast_unsigned() * 1_000_000 + time.tv_usec.cast_unsigned();
    Reaped {
        cpu_us: micros(usage.ru_utime) + micros(usage.ru_stime),
        largest_bytes: usage.ru_maxrss.cast_unsigned() * 1024,
        involuntary_switches: usage.ru_nivcsw.cast_unsigned(),
    }
}

/// Waits until a signal ends the process.
pub(super) fn wait_for_signals() -> ! {
    loop {
        // SAFETY: it only waits.
        unsafe { libc::pause() };
    }
}

/// Ends the process without running destructors and exit handlers.
pub(super) fn exit(code: i32) -> ! {
    // SAFETY: _exit is async-signal-safe and does not return.
    unsafe { libc::_exit(code) }
}
