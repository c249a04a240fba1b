//! System calls that have no safe form in a library, each wrapped once. The only file of the project with `unsafe`.
//!
//! Most of them run in a child between clone and exec, where another thread's locks may be held forever. So nothing here
//! allocates, locks or panics.

#![allow(unsafe_code, reason = "this is the one module that talks to the system below the libraries; see each block")]

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::atomic::AtomicU64;

use rustix::io::Errno;
use rustix::process::Pid;
use rustix::process::Signal;
use rustix::time::Timespec;

use super::flat::Writer;
use super::launch::{self, Handled, Source};

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

    /// Becomes the program; returns only if the kernel refuses.
    fn execute(&self) -> Errno {
        again(|| {
            // SAFETY: the path is a C string, both arrays end with a null pointer, and all they point to lives in `self`.
            // execve is async-signal-safe.
            unsafe { libc::execve(self.path.as_ptr(), self.arguments.pointers(), self.environment.pointers()) };
            last_error()
        })
    }

    pub(super) fn write(&self, to: &mut Writer) {
        to.text(&self.path);
        for Strings { strings, .. } in [&self.arguments, &self.environment] {
            to.list(strings, |to, string| to.text(string));
        }
    }
}

/// Tries to become a program. While somebody has the file open for writing it tries again: a child that the judge makes at
/// the moment may hold the descriptor by which the file was just written.
fn again(attempt: impl Fn() -> Errno) -> Errno {
    const TRIES: u32 = 500;
    let pause = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };
    for _ in 0..TRIES {
        let error = attempt();
        if error != Errno::TXTBSY {
            return error;
        }
        drop(rustix::thread::nanosleep(&pause));
    }
    Errno::TXTBSY
}

/// Becomes the program of a plan; returns only if the kernel refuses. `attempt` is called before each try.
pub(super) fn execute(image: &launch::Image<'_>, attempt: impl Fn()) -> Errno {
    let launch::Image { path, arguments, environment } = image;
    let count = arguments.len() + environment.len() + 2;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the kernel's choice, zeroed and large enough for `count` pointers. It is
    // filled with one pointer per string, each to a C string that lives in the plan, and the two null pointers that end
    // the arrays are the zeroes behind them: a list never gives more items than its length.
    unsafe {
        let room = libc::mmap(std::ptr::null_mut(), count * size_of::<*const libc::c_char>(), access, kind, -1, 0);
        if room == libc::MAP_FAILED {
            return last_error();
        }
        let first = room.cast::<*const libc::c_char>();
        let second = first.add(arguments.len() + 1);
        for (array, strings) in [(first, arguments), (second, environment)] {
            for (place, string) in strings.iter().enumerate() {
                array.add(place).write(string.as_ptr());
            }
        }
        again(|| {
            attempt();
            libc::execve(path.as_ptr(), first, second);
            last_error()
        })
    }
}

/// The bytes of some words.
pub(super) fn bytes_of(words: &[u64]) -> &[u8] {
    // SAFETY: the same memory; every byte of a word is a byte, and those need no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// The instructions of a filter, as a plan holds them. None where the bytes are not aligned, which the filter refuses.
pub(super) fn instructions(bytes: &[u8]) -> &[seccompiler::sock_filter] {
    // SAFETY: an instruction is 16, 8, 8 and 32 bits without gaps, and every value of them is one.
    let (before, instructions, after) = unsafe { bytes.align_to() };
    if before.is_empty() && after.is_empty() { instructions } else { &[] }
}

/// Strings as `execve` takes them: an array of pointers with a null pointer behind the last.
struct Strings {
    /// Owns what the pointers point to; never changed after they were taken.
    strings: Vec<CString>,
    pointers: Vec<*const libc::c_char>,
}

// SAFETY: the pointers point into heap memory that moves with `strings`, belongs to this value alone and is only
// ever read, so it does not matter which thread holds the value.
unsafe impl Send for Strings {}
// SAFETY: as above; shared reads of memory that is never written.
unsafe impl Sync for Strings {}

impl Strings {
    fn new(strings: impl Iterator<Item = Vec<u8>>) -> io::Result<Self> {
        let strings = strings.map(CString::new).collect::<Result<Vec<_>, _>>()?;
        let pointers = strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Self { strings, pointers })
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
        stop_ignoring_signals();
        unblock_signals();
        Err(image.execute().into())
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
/// given, in the version 2 control group that a descriptor is open on; with every signal blocked. Gives its number. With
/// `CLONE_PARENT` it is a child of the caller's parent.
///
/// `child` runs in a copy of a process whose other threads are gone with whatever locks they held. It must not
/// allocate, lock or unwind: it could wait forever.
pub(super) fn clone(flags: libc::c_int, group: Option<BorrowedFd<'_>>, child: impl FnOnce()) -> Result<Pid, Errno> {
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
    // A sibling has the signal of its maker.
    let exit_signal = if flags & libc::CLONE_PARENT == 0 { libc::SIGCHLD } else { 0 };
    let arguments = Arguments {
        flags: u64::from(flags.cast_unsigned()) | CLEAR_SIGNAL_HANDLERS | into,
        exit_signal: u64::from(exit_signal.cast_unsigned()),
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

/// Parts of the memory: the first byte of each, and the one behind its last. Not on the heap, which is given up with them.
pub(super) struct Ranges {
    ranges: [(usize, usize); MAX_RANGES],
    count: usize,
    /// The end of the highest part of the memory that is mapped.
    end: usize,
}

/// Loaded libraries, and a few more.
const MAX_RANGES: usize = 256;

/// Memory that a clone of the calling thread needs to go on: the program and its libraries with their static data, what
/// the kernel maps for clocks, and the thread's stack with the data of the thread.
pub(super) fn needed_memory() -> io::Result<Ranges> {
    let page = rustix::param::page_size();
    let mut found: Vec<(usize, usize)> = Vec::new();
    // SAFETY: the callback gets a pointer to a valid description that lives as long as the call, and the vector that it is
    // given; it keeps neither.
    unsafe { libc::dl_iterate_phdr(Some(add_object), (&raw mut found).cast()) };
    let mut end = 0;
    for line in std::fs::read_to_string("/proc/self/maps")?.lines() {
        let address = |text: &str| usize::from_str_radix(text, 16).map_err(io::Error::other);
        let Some((from, to)) = line.split_once(' ').and_then(|(range, _)| range.split_once('-')) else { continue };
        // It lies above what a program can map, and cannot be unmapped.
        if line.ends_with("[vsyscall]") {
            continue;
        }
        let range = (address(from)?, address(to)?);
        end = end.max(range.1);
        if line.contains("[v") {
            found.push(range);
        }
    }
    // SAFETY: the attributes are initialised by the first call that succeeds, read by the second and destroyed once; the
    // address of the error number is that of a variable of this thread.
    unsafe {
        let (mut attributes, mut stack, mut size) = (std::mem::zeroed(), std::ptr::null_mut(), 0);
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let known = libc::pthread_attr_getstack(&raw const attributes, &raw mut stack, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        if known != 0 {
            return Err(io::ErrorKind::Unsupported.into());
        }
        found.push((stack as usize, stack as usize + size));
        // Some C libraries keep the thread's data beside its stack.
        let own = libc::__errno_location() as usize;
        found.push((own.saturating_sub(page), own + page));
    }
    found.iter_mut().for_each(|range| *range = (range.0 / page * page, range.1.next_multiple_of(page)));
    found.sort_unstable();
    let mut ranges = [(0, 0); MAX_RANGES];
    ranges.get_mut(..found.len()).ok_or(io::ErrorKind::Unsupported)?.copy_from_slice(&found);
    Ok(Ranges { ranges, count: found.len(), end })
}

/// Adds the memory of a program or library.
unsafe extern "C" fn add_object(object: *mut libc::dl_phdr_info, _: usize, found: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `dl_iterate_phdr` gives a valid description with this number of headers, and the pointer that it was given,
    // which is that of a vector that nothing else uses meanwhile.
    let (object, found) = unsafe { (&*object, &mut *found.cast::<Vec<(usize, usize)>>()) };
    // SAFETY: as above.
    let headers = unsafe { std::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into()) };
    for header in headers.iter().filter(|header| header.p_type == libc::PT_LOAD) {
        // Addresses of this process fit its own pointers.
        let of_memory = |number: u64| usize::try_from(number).unwrap_or_default();
        let first = of_memory(object.dlpi_addr + header.p_vaddr);
        found.push((first, first + of_memory(header.p_memsz)));
    }
    0
}

/// Unmaps everything else. What the caller uses afterwards must lie in these ranges.
pub(super) fn give_up_memory(needed: &Ranges) -> Result<(), Errno> {
    let Ranges { ranges, count, end } = needed;
    let mut from = 0;
    for (first, behind) in ranges.iter().take(*count).copied().chain([(*end, *end)]) {
        if first > from {
            // SAFETY: the process is a clone that runs on the stack, and uses the code, the static data and the data of its
            // thread, that are all in the ranges; it never returns to what used the rest.
            checked(unsafe { libc::munmap(from as *mut libc::c_void, first - from) }.into())?;
        }
        from = from.max(behind);
    }
    Ok(())
}

/// Memory of a process that cannot allocate.
pub(super) struct Room {
    address: *mut u8,
    length: usize,
}

impl Room {
    pub(super) fn new(length: usize) -> Result<Self, Errno> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address of the kernel's choice.
        let address = unsafe { libc::mmap(std::ptr::null_mut(), length, access, kind, -1, 0) };
        if address == libc::MAP_FAILED { Err(last_error()) } else { Ok(Self { address: address.cast(), length }) }
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the mapping has this length, zeroed at first, lives as long as `self` and is used by nothing else.
        unsafe { std::slice::from_raw_parts_mut(self.address, self.length) }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own.
        unsafe { libc::munmap(self.address.cast(), self.length) };
    }
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

/// Every signal as a fresh program finds it: not blocked, and, after [`stop_ignoring_signals`], with its default action.
pub(super) fn unblock_signals() {
    Signals(empty()).restore();
}

/// Gives every signal its default action. An ignored one would stay so through exec, and a run would depend on how the judge
/// was started.
pub(super) fn stop_ignoring_signals() {
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

/// Descriptors that [`keep_only`] can keep.
pub(super) const MAX_KEPT: usize = 64;

/// Makes `keep` the descriptors 0, 1, 2, … in this order and closes every other one. Those from 3 on close on exec.
pub(super) fn keep_only(keep: &[RawFd]) -> Result<(), Errno> {
    /// More numbers than are ever targets, and few enough for a small limit on open files.
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

/// Attributes that [`seal_mounts`] can add to a mount.
pub(super) const READ_ONLY: u64 = 1;
pub(super) const NO_SETUID: u64 = 2;
pub(super) const NO_DEVICES: u64 = 4;

/// Adds attributes to every mount at and below a path. If that is empty, `folder` is the mount itself.
pub(super) fn seal_mounts(folder: BorrowedFd<'_>, path: &CStr, attributes: u64) -> Result<(), Errno> {
    change_mounts(folder, path, MountAttributes { set: attributes, ..MountAttributes::default() })
}

/// Adds attributes to a mount that is nowhere yet, and to those in it, and has its files belong to others, as a user
/// namespace maps them. Not every file system can do that.
pub(super) fn map_mounts(mount: BorrowedFd<'_>, mapping: BorrowedFd<'_>, attributes: u64) -> Result<(), Errno> {
    const MAPPED: u64 = 0x0010_0000;
    let user_namespace = u64::from(mapping.as_raw_fd().cast_unsigned());
    let attributes = MountAttributes { set: attributes | MAPPED, user_namespace, ..MountAttributes::default() };
    change_mounts(mount, c"", attributes)
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

fn change_mounts(folder: BorrowedFd<'_>, path: &CStr, attributes: MountAttributes) -> Result<(), Errno> {
    // SAFETY: the path is a C string, the attributes are of the size given; both outlive the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder.as_raw_fd(),
            path.as_ptr(),
            libc::AT_RECURSIVE | libc::AT_EMPTY_PATH,
            &raw const attributes,
            size_of::<MountAttributes>(),
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

/// Waits until a signal ends the process.
pub(super) fn wait_for_signals() -> ! {
    loop {
        // SAFETY: it only waits.
        unsafe { libc::pause() };
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
pub(super) fn name_file(source: &Source<'_>) -> Result<OwnedFd, Errno> {
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
