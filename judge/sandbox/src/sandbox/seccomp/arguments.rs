//! The arguments with which system calls are allowed.

use std::ffi::{c_int, c_uint};

/// A check of an argument: its lower 32 bits under a mask. With [`UPPER`] added to the number, its upper 32 bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Check {
    pub(super) argument: u8,
    pub(super) mask: u32,
    pub(super) value: u32,
}

/// See [`Check`]. A length needs both halves.
pub(super) const UPPER: u8 = 8;

/// Lists of checks of the same kind, with different values, and a further list.
macro_rules! any_of {
    ($checks:ident: $($name:ident),* $(,)? $(; $other:expr)?) => { &[$(&$checks(libc::$name),)* $($other)?] };
}

const fn is(argument: u8, value: u32) -> Check {
    Check { argument, mask: u32::MAX, value }
}

const fn without(argument: u8, mask: u32) -> Check {
    Check { argument, mask, value: 0 }
}

/// Bits of a mode with which a program gets the rights of another user or group.
const SET_ID: u32 = 0o6000;
const CREATES: u32 = (libc::O_CREAT | (libc::O_TMPFILE & !libc::O_DIRECTORY)).cast_unsigned();
const FILE_TYPE: u32 = libc::S_IFMT;
const NAMED_PIPE: u32 = libc::S_IFIFO;
/// Flags of `clone` that create a namespace, or a process that is not the caller's child.
const FOREIGN: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT
    | libc::CLONE_PTRACE)
    .cast_unsigned();
const THREAD: u32 = libc::CLONE_THREAD.cast_unsigned();
/// Flags of `clone` by which two tasks have the same descriptors and working folder.
const SHARING: u32 = (libc::CLONE_FILES | libc::CLONE_FS).cast_unsigned();
const HUGE_PAGES: u32 = libc::MAP_HUGETLB.cast_unsigned();
const ANONYMOUS: u32 = libc::MAP_ANONYMOUS.cast_unsigned();
/// The bit that both kinds of shared mappings have.
const SHARED: u32 = libc::MAP_SHARED.cast_unsigned();
const LOCAL: u32 = libc::AF_UNIX.cast_unsigned();
/// Socket types without their flags. A connected pair of one of these cannot be sent to another address.
const SOCKET_TYPE: u32 = 0xf;
const STREAM: Check = Check { argument: 1, mask: SOCKET_TYPE, value: libc::SOCK_STREAM.cast_unsigned() };
const PACKETS: Check = Check { argument: 1, mask: SOCKET_TYPE, value: libc::SOCK_SEQPACKET.cast_unsigned() };

pub(super) const MODE_1: &[&[Check]] = &[&[without(1, SET_ID)]];
pub(super) const MODE_2: &[&[Check]] = &[&[without(2, SET_ID)]];
/// The mode of `open` counts only if it may create the file.
pub(super) const OPEN_1: &[&[Check]] = &[&[without(2, SET_ID)], &[without(1, CREATES)]];
pub(super) const OPEN_2: &[&[Check]] = &[&[without(3, SET_ID)], &[without(2, CREATES)]];
pub(super) const PIPE_1: &[&[Check]] = &[&[Check { argument: 1, mask: FILE_TYPE | SET_ID, value: NAMED_PIPE }]];
pub(super) const PIPE_2: &[&[Check]] = &[&[Check { argument: 2, mask: FILE_TYPE | SET_ID, value: NAMED_PIPE }]];
/// No whiteouts, which overlay file systems leave for removed names: a whiteout is a device on the disk.
pub(super) const RENAME: &[&[Check]] = &[&[without(4, libc::RENAME_WHITEOUT)]];
/// Only own processes and threads. A thread must share its process's descriptors and working folder: what it had open alone
/// would be hidden from the judge.
pub(super) const OWN_PROCESSES: &[&[Check]] = &[
    &[without(0, FOREIGN | THREAD)],
    &[Check { argument: 0, mask: FOREIGN | THREAD | SHARING, value: THREAD | SHARING }],
];
/// No new table of descriptors for the calling thread.
pub(super) const CLOSE_RANGE: &[&[Check]] = &[&[without(2, libc::CLOSE_RANGE_UNSHARE)]];
/// No huge pages, which control groups do not count as memory.
pub(super) const MAP: &[&[Check]] = &[&[without(3, HUGE_PAGES)]];
/// Mappings without a control group that counts memory: no huge pages either. Private memory and files are otherwise
/// free. Shared memory without a file can outlive most of its mapping, and then only a control group would count its
/// size. So it is allowed only in small pieces, each of which counts with the largest size.
pub(super) const MAP_IN_SIGHT: &[&[Check]] = &[
    &[without(3, HUGE_PAGES | ANONYMOUS)],
    &[without(3, HUGE_PAGES | SHARED)],
    &[without(1, !(PIECE - 1)), is(1 | UPPER, 0), without(3, HUGE_PAGES)],
    &[is(1, PIECE), is(1 | UPPER, 0), without(3, HUGE_PAGES)],
];
#[allow(clippy::cast_possible_truncation, reason = "it is small")]
const PIECE: u32 = crate::hidden::SHARED_PIECE as u32;
/// Only copies, or a reservation, of no bytes. A pipe or a socket that gets bytes of a file without copying holds the whole
/// piece of memory that contains them, up to 2 MiB for one byte, even after the file has been truncated or removed.
pub(super) const NO_BYTES_3: &[&[Check]] = &[&[is(3, 0), is(3 | UPPER, 0)]];
pub(super) const NO_BYTES_4: &[&[Check]] = &[&[is(4, 0), is(4 | UPPER, 0)]];
pub(super) const FILE_IN_MEMORY: &[&[Check]] = &[&[without(1, libc::MFD_HUGETLB)]];
/// Every limit of the caller (process 0), except the limit on core files, which it may only read: with a limit of 0 instead
/// of 1 the kernel starts the program for core files of the machine, if it has one.
pub(super) const LIMITS: &[&[Check]] = &[
    &[is(0, 0), without(1, !0b11)],
    &[is(0, 0), is(1, 5)],
    &[is(0, 0), Check { argument: 1, mask: !0b1, value: 6 }],
    &[is(0, 0), Check { argument: 1, mask: !0b111, value: 8 }],
    &[is(0, 0), is(1, CORE), is(2, 0), is(2 | UPPER, 0)],
];
/// See [`LIMITS`].
pub(super) const SET_LIMIT: &[&[Check]] = &[
    &[without(0, !0b11)],
    &[is(0, 5)],
    &[Check { argument: 0, mask: !0b1, value: 6 }],
    &[Check { argument: 0, mask: !0b111, value: 8 }],
];
/// The limit on core files: setting it only appears to succeed, for shells.
pub(super) const LIMIT_OF_CORE: &[&[Check]] = &[&[is(0, 0), is(1, CORE)]];
/// See [`LIMIT_OF_CORE`].
pub(super) const SET_LIMIT_OF_CORE: &[&[Check]] = &[&[is(0, CORE)]];
const CORE: u32 = 4;
/// Only the priority of the caller or of its own group.
pub(super) const ITSELF_1: &[&[Check]] = &[&[is(0, 0), is(1, 0)], &[is(0, 1), is(1, 0)]];
pub(super) const LOCAL_SOCKET: &[&[Check]] = &[&[is(0, LOCAL)]];
pub(super) const LOCAL_PAIR: &[&[Check]] = &[&[is(0, LOCAL), STREAM], &[is(0, LOCAL), PACKETS]];

/// Duplicating, flags and locks. No leases, with which a reader makes others wait, and no signals to other processes.
pub(super) const FILE_CONTROL: &[&[Check]] = any_of![control:
    F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
    F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS,
];

const fn control(number: c_int) -> [Check; 1] {
    [is(1, number.cast_unsigned())]
}

const fn request(number: libc::Ioctl) -> [Check; 1] {
    #[allow(clippy::cast_possible_truncation, reason = "a request has 32 bits")]
    let number = number as u32;
    [is(1, number)]
}

/// Questions about terminals, the number of waiting bytes, flags of descriptors, copies that share blocks. A descriptor
/// that is not a terminal answers the first with an error, which is what programs want to know.
pub(super) const DEVICE_CONTROL: &[&[Check]] = any_of![request:
    TCGETS, TIOCGWINSZ, TIOCGPGRP, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX;
    &[is(1, 0x4004_9409)]
];

const fn option(number: c_int) -> [Check; 1] {
    [is(0, number.cast_unsigned())]
}

/// Settings that a process makes for itself. A process that is not dumpable would hide from the judge what it holds, so
/// that setting is not allowed. Neither are private filters: the kernel has limited room for them on the whole machine, and
/// removes them in a queue that all processes share.
pub(super) const PROCESS_CONTROL: &[&[Check]] = any_of![option:
    PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER,
    PR_GET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_THP_DISABLE,
    PR_GET_THP_DISABLE, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK;
    &[option(libc::PR_SET_DUMPABLE)[0], is(1, 1)]
];

/// Options of sockets that programs in many languages set. Options that attach a filter are not allowed, for the reason
/// given at [`PROCESS_CONTROL`]. All are of the general level, the only one that local sockets have.
pub(super) const SET_OPTION: &[&[Check]] = any_of![of_sockets:
    SO_REUSEADDR, SO_RCVTIMEO, SO_SNDTIMEO, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_LINGER, SO_PASSCRED,
];

/// Options of sockets that programs in many languages read.
pub(super) const GET_OPTION: &[&[Check]] = any_of![of_sockets:
    SO_ERROR, SO_TYPE, SO_DOMAIN, SO_PROTOCOL, SO_ACCEPTCONN, SO_RCVTIMEO, SO_SNDTIMEO, SO_SNDBUF, SO_RCVBUF,
    SO_KEEPALIVE, SO_LINGER, SO_REUSEADDR, SO_PASSCRED, SO_PEERCRED,
];

const fn of_sockets(option: c_int) -> [Check; 2] {
    [is(1, libc::SOL_SOCKET.cast_unsigned()), is(2, option.cast_unsigned())]
}

/// Advice on memory, most frequent first. It cannot be moved to a swap device, where only a control group counts it, or be
/// converted to huge pages immediately, for which the kernel makes every processor work.
pub(super) const ADVICE: &[&[Check]] = any_of![advice:
    MADV_DONTNEED, MADV_FREE, MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_REMOVE, MADV_DONTFORK,
    MADV_DOFORK, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP, MADV_WIPEONFORK, MADV_KEEPONFORK,
    MADV_POPULATE_READ, MADV_POPULATE_WRITE,
];

const fn advice(number: c_int) -> [Check; 1] {
    [is(2, number.cast_unsigned())]
}

/// Advice on a file. It cannot be dropped from memory, which other processes also use.
pub(super) const FILE_ADVICE: &[&[Check]] = any_of![file_advice:
    POSIX_FADV_NORMAL, POSIX_FADV_RANDOM, POSIX_FADV_SEQUENTIAL, POSIX_FADV_WILLNEED, POSIX_FADV_NOREUSE,
];

const fn file_advice(number: c_int) -> [Check; 1] {
    [is(3, number.cast_unsigned())]
}

/// Barriers among only the caller's threads: querying, executing, registering. Barriers with other processes would interrupt
/// their processors.
pub(super) const OWN_BARRIER: &[&[Check]] = &[
    &[is(0, 0)],
    &[is(0, 1 << 3)],
    &[is(0, 1 << 4)],
    &[is(0, 1 << 5)],
    &[is(0, 1 << 6)],
    &[is(0, 1 << 7)],
    &[is(0, 1 << 8)],
];

/// Querying the personality, the usual one, and the one without random addresses.
pub(super) const PERSONALITY: &[&[Check]] = &[&[is(0, c_uint::MAX)], &[is(0, 0)], &[is(0, 0x4_0000)]];

/// Clocks to wait for: those of the machine, and the CPU time of the caller or of its threads. Timers on the CPU time of
/// another process need no permission, but the kernel makes that process pay for them at each of its ticks.
pub(super) const OWN_CLOCK: &[&[Check]] = &[
    &[without(0, OF_PROCESS)],
    &[Check { argument: 0, mask: OF_PROCESS | OF_THREAD, value: OF_PROCESS | OF_THREAD }],
    // The process 0, which is the caller, and one of four figures of its CPU time.
    &[Check { argument: 0, mask: !0b11, value: !0b111 }],
];
/// The bit of a clock that belongs to a process, and the bit of a clock that belongs to a thread; the kernel accepts only
/// the caller's threads.
const OF_PROCESS: u32 = 1 << 31;
const OF_THREAD: u32 = 0b100;

pub(super) const ANY: &[&[Check]] = &[];
