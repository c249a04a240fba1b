//! System calls that have no safe form in a library, each wrapped once. The only file of the project with `unsafe`.
//!
//! Most of them run in a child between clone and exec, where another thread's locks may be held forever. So nothing here
//! allocates, locks or panics.

#![allow(unsafe_code, reason = "this is the one module that talks to the system below the libraries; see each block")]

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::atomic::AtomicU64;

use rustix::io::Errno;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::time::Timespec;

use super::source::Source;

/// A regular file in memory, as the system reads it: a large one takes no memory of the judge's own.
pub(super) struct Mapped {
    address: *mut libc::c_void,
    length: usize,
}

impl Mapped {
    pub(super) fn from_file(file: &File) -> io::Result<Self> {
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        if length == 0 {
            return Ok(Self { address: std::ptr::null_mut(), length });
        }
        // SAFETY: a new mapping at an address that the kernel chooses, of an open file.
        let address = unsafe {
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        if address == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(Self { address, length }) }
    }

    /// The contents, to hand to a system call: it fails if the file became shorter, where a read would be fatal.
    pub(super) fn bytes(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the mapping has this length and lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.address.cast(), self.length) }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        if self.length > 0 {
            // SAFETY: the mapping is this value's own.
            unsafe { libc::munmap(self.address, self.length) };
        }
    }
}

/// Arguments of `execve`, prepared before the fork.
pub(super) struct Image {
    path: CString,
    arguments: Strings,
    environment: Strings,
}

impl Image {
    pub(super) fn new(
        path: Vec<u8>,
        arguments: impl Iterator<Item = Vec<u8>>,
        environment: impl Iterator<Item = Vec<u8>>,
    ) -> io::Result<Self> {
        let (arguments, environment) = (Strings::new(arguments)?, Strings::new(environment)?);
        Ok(Self { path: CString::new(path)?, arguments, environment })
    }

    /// Becomes the program; returns only if the kernel refuses. While somebody has the file open for writing it tries
    /// again: a child that the judge makes at the moment may hold the descriptor by which the file was just written.
    /// `attempt` is called before each try.
    pub(super) fn execute(&self, attempt: impl Fn()) -> Errno {
        const TRIES: u32 = 500;
        let pause = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };
        for _ in 0..TRIES {
            attempt();
            let error = self.try_once();
            if error != Errno::TXTBSY {
                return error;
            }
            drop(rustix::thread::nanosleep(&pause));
        }
        Errno::TXTBSY
    }

    fn try_once(&self) -> Errno {
        // SAFETY: the path is a C string, both arrays end with a null pointer, and all they point to lives in `self`.
        // execve is async-signal-safe.
        unsafe { libc::execve(self.path.as_ptr(), self.arguments.pointers(), self.environment.pointers()) };
        last_error()
    }
}

/// Strings as `execve` takes them: an array of pointers with a null pointer behind the last.
struct Strings {
    /// Owns what the pointers point to; never changed after they were taken.
    _strings: Vec<CString>,
    pointers: Vec<*const libc::c_char>,
}

// SAFETY: the pointers point into heap memory that moves with `_strings`, belongs to this value alone and is only
// ever read, so it does not matter which thread holds the value.
unsafe impl Send for Strings {}
// SAFETY: as above; shared reads of memory that is never written.
unsafe impl Sync for Strings {}

impl Strings {
    fn new(strings: impl Iterator<Item = Vec<u8>>) -> io::Result<Self> {
        let strings = strings.map(CString::new).collect::<Result<Vec<_>, _>>()?;
        let pointers = strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Self { _strings: strings, pointers })
    }

    fn pointers(&self) -> *const *const libc::c_char {
        self.pointers.as_ptr()
    }
}

/// Has the kernel kill the command's process when the thread that starts it dies, be it by SIGKILL to the judge.
pub(super) fn tie_to_judge(command: &mut Command) {
    let judge = rustix::process::getpid();
    let tie = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The judge may have died before the tie was made.
        if rustix::process::getppid() != Some(judge) {
            return Err(io::Error::from(Errno::CHILD));
        }
        Ok(())
    };
    // SAFETY: the closure makes two system calls (prctl, getppid) and neither allocates nor locks: both error values
    // are plain numbers.
    unsafe { command.pre_exec(tie) };
}

/// Makes the last step of `spawn` an `execve` of the image instead of the standard library's `execvp`, which hands a file
/// of unknown format to a shell.
pub(super) fn execute_directly(command: &mut Command, image: Image) {
    let execute = move || {
        reset_signals();
        Err(image.execute(|| ()).into())
    };
    // SAFETY: the closure makes system calls and reads errno; everything it needs was allocated before the fork.
    unsafe { command.pre_exec(execute) };
}

fn last_error() -> Errno {
    Errno::from_io_error(&io::Error::last_os_error()).unwrap_or(Errno::IO)
}

/// The result of a system call that gives -1 for failure.
fn checked(result: libc::c_long) -> Result<libc::c_long, Errno> {
    if result < 0 { Err(last_error()) } else { Ok(result) }
}

/// Starts a child that is a copy of the calling thread alone, in the namespaces that `flags` name and, where one is
/// given, in the version 2 control group that a descriptor is open on; with every signal blocked. Gives its number and a
/// pidfd.
///
/// `child` runs in a copy of a process whose other threads are gone with whatever locks they held. It must not
/// allocate, lock or unwind: it could wait forever.
pub(super) fn clone(
    flags: libc::c_int,
    group: Option<BorrowedFd<'_>>,
    child: impl FnOnce(),
) -> Result<(Pid, OwnedFd), Errno> {
    /// `struct clone_args`, all of it 64-bit fields. An older kernel accepts it if the fields that it does not have are zero.
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
    let mut pidfd: RawFd = -1;
    let arguments = Arguments {
        flags: u64::from((flags | libc::CLONE_PIDFD).cast_unsigned()) | CLEAR_SIGNAL_HANDLERS | into,
        pidfd: (&raw mut pidfd) as u64,
        exit_signal: u64::from(libc::SIGCHLD.cast_unsigned()),
        cgroup: group.map_or(0, |group| u64::from(group.as_raw_fd().cast_unsigned())),
        ..Arguments::default()
    };
    let blocked = Signals::block_all();
    // SAFETY: the arguments are of the size given and outlive the call; without CLONE_VM the child has its own copy
    // of memory, so this is a fork: both sides return, on a stack of their own.
    let mut result = unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size_of::<Arguments>()) };
    if result < 0 && last_error() == Errno::NOSYS && group.is_none() {
        // Containers hide the call, whose flags their filters cannot see. The older one leaves signal handlers in
        // place, which does no harm: every signal is blocked, and an entry gets fresh ones.
        let flags = flags | libc::CLONE_PIDFD | libc::SIGCHLD;
        // SAFETY: as above, a fork; the pidfd goes where the older call has the parent's copy of the number.
        result = unsafe { libc::syscall(libc::SYS_clone, flags, 0usize, &raw mut pidfd, 0usize, 0usize) };
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
    let pid = i32::try_from(result).ok().and_then(Pid::from_raw).ok_or(Errno::CHILD)?;
    // SAFETY: the kernel has just made this descriptor for us; nothing else owns it.
    Ok((pid, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Signals of the calling thread as they were.
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

/// Every signal as a fresh program finds it: default action, not blocked. An ignored signal would stay so through
/// exec, and a run would depend on how the judge was started.
pub(super) fn reset_signals() {
    /// `struct sigaction` of the kernel, of which all zeroes is the default action. The C library's own call keeps two
    /// signals to itself, which may be ignored all the same.
    const DEFAULT: [u64; 4] = [0; 4];
    const MASK_BYTES: usize = 8;
    let unknown = std::ptr::null_mut::<libc::c_void>();
    for signal in 1..=64 {
        // SAFETY: the structure is at least as large as the kernel's on every architecture and outlives the call; numbers
        // that are no signal are refused.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, DEFAULT.as_ptr(), unknown, MASK_BYTES) };
    }
    Signals(empty()).restore();
}

/// Lets this process wait for its children, also if it was started with the signal of their end ignored: then the system
/// would drop their exit statuses.
pub(super) fn keep_exit_statuses() {
    // SAFETY: the old action is only looked at, and the default action is no pointer to anything.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        let known = libc::sigaction(libc::SIGCHLD, std::ptr::null(), &raw mut before) == 0;
        if known && before.sa_sigaction == libc::SIG_IGN {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    }
}

/// A number in memory that this process shares with the children it makes from now on. It is never unmapped.
pub(super) fn shared_number() -> Result<&'static AtomicU64, Errno> {
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the kernel's choice. It is page-aligned, zeroed, larger than the number,
    // and stays for the life of the process; all access to it is atomic.
    unsafe {
        let page = libc::mmap(std::ptr::null_mut(), size_of::<AtomicU64>(), access, kind, -1, 0);
        if page == libc::MAP_FAILED { Err(last_error()) } else { Ok(&*page.cast::<AtomicU64>()) }
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

/// Makes `keep` the descriptors 0, 1, 2, … in this order and closes every other one. Those from 3 on close on exec.
pub(super) fn keep_only(keep: &[RawFd]) -> Result<(), Errno> {
    /// More numbers than are ever targets, and few enough for a small limit on open files.
    const MOST: usize = 16;
    const ASIDE: RawFd = 16;
    let mut aside = [0; MOST];
    let aside = aside.get_mut(..keep.len()).ok_or(Errno::MFILE)?;
    let mut kept = [RawFd::MAX; MOST];
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
            *copy = libc::fcntl(*fd, libc::F_DUPFD_CLOEXEC, ASIDE);
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

/// Attributes of a mount.
pub(super) const READ_ONLY: u64 = 1;
pub(super) const NO_SETUID: u64 = 2;
pub(super) const NO_DEVICES: u64 = 4;

/// Adds attributes to every mount at and below a path. If that is empty, `folder` is the mount itself.
pub(super) fn seal_mounts(folder: BorrowedFd<'_>, path: &CStr, attributes: u64) -> Result<(), Errno> {
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    let attributes = Attributes { set: attributes, clear: 0, propagation: 0, user_namespace: 0 };
    // SAFETY: the path is a C string, the attributes are of the size given; both outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder.as_raw_fd(),
            path.as_ptr(),
            libc::AT_RECURSIVE | libc::AT_EMPTY_PATH,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    checked(result).map(drop)
}

/// Gives the process a user namespace of its own, in which its user is still the one it was outside.
pub(super) fn enter_user_namespace() -> Result<(), Errno> {
    // SAFETY: no descriptor table is unshared, which is what makes `unshare` unsafe.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWUSER) }
}

/// Makes the control groups that this process is in look like the topmost ones to it and its children.
pub(super) fn enter_cgroup_namespace() -> Result<(), Errno> {
    // SAFETY: as above.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWCGROUP) }
}

/// Gives the calling thread a network namespace of its own, with nothing in it but a device that is down.
pub(super) fn enter_network_namespace() -> Result<(), Errno> {
    // SAFETY: as above.
    unsafe { rustix::thread::unshare_unsafe(rustix::thread::UnshareFlags::NEWNET) }
}

/// Kills every other process of this PID namespace at once; `false` if there was none. Does nothing in a process that
/// is not the first of its namespace.
pub(super) fn kill_all_others() -> bool {
    // SAFETY: signals touch no memory of this process. The check keeps a mistake from ending a user's whole session.
    unsafe { libc::getpid() == 1 && libc::kill(-1, libc::SIGKILL) == 0 }
}

/// Uses as much of the stack as this process will ever need, so that it need not grow when somebody has set the limit
/// on it to 0.
#[inline(never)]
pub(super) fn reserve_stack() {
    const NEEDED: usize = 128 << 10;
    std::hint::black_box(&mut [1_u8; NEEDED]);
}

/// Checks whether two processes have the same memory, as far as the kernel says so.
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

/// Ends the process without destructors and exit handlers.
pub(super) fn exit(code: i32) -> ! {
    // SAFETY: _exit is async-signal-safe and does not return.
    unsafe { libc::_exit(code) }
}

/// The Landlock version of this kernel.
pub(super) fn landlock_version() -> Result<u32, Errno> {
    const VERSION: libc::c_uint = 1;
    // SAFETY: asking for the version takes no structure.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0usize, VERSION) };
    Ok(u32::try_from(checked(version)?).unwrap_or(0))
}

/// A Landlock ruleset that forbids what it handles until a rule allows it.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Handled {
    /// Access to files.
    pub(super) files: u64,
    /// Access to TCP ports.
    pub(super) network: u64,
    /// Signals and abstract sockets to processes outside.
    pub(super) scoped: u64,
}

pub(super) fn landlock_ruleset(handled: &Handled) -> Result<OwnedFd, Errno> {
    // An older kernel accepts a larger structure if the fields that it does not have are zero.
    // SAFETY: the structure is of the size given and outlives the call; the descriptor is new and ours.
    unsafe {
        let handled: *const Handled = handled;
        let fd = libc::syscall(libc::SYS_landlock_create_ruleset, handled, size_of::<Handled>(), 0);
        let fd = RawFd::try_from(checked(fd)?).map_err(|_| Errno::MFILE)?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

/// Allows `access` at and below the file that `path` is open on.
pub(super) fn landlock_allow(ruleset: BorrowedFd<'_>, path: BorrowedFd<'_>, access: u64) -> Result<(), Errno> {
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

/// Puts this process and all its children under the ruleset, for good.
pub(super) fn landlock_enter(ruleset: BorrowedFd<'_>) -> Result<(), Errno> {
    // SAFETY: two plain numbers.
    checked(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) }).map(drop)
}

/// Opens a file for nothing but naming it. What is not the file that the judge saw is refused with `ESTALE`, and a link
/// where none is followed with `ELOOP`.
pub(super) fn name_file(source: &Source) -> Result<OwnedFd, Errno> {
    use rustix::fs::{Mode, OFlags, ResolveFlags, fstat, open, openat2};
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let mut file = open(source.path.as_c_str(), flags, Mode::empty())?;
    if !source.rest.is_empty() {
        let inside = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        file = openat2(&file, source.rest.as_c_str(), flags, Mode::empty(), inside)?;
    }
    if let Some(identity) = source.identity {
        let status = fstat(&file)?;
        if identity != (status.st_dev, status.st_ino) {
            return Err(Errno::STALE);
        }
    }
    Ok(file)
}
