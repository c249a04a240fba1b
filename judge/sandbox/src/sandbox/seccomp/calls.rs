//! The system calls that entries may make.

use std::ffi::c_long;

use super::arguments::{
    ADVICE, ANY, CLOSE_RANGE, Check, DEVICE_CONTROL, FILE_ADVICE, FILE_CONTROL, FILE_IN_MEMORY, GET_OPTION, ITSELF_1,
    LIMIT_OF_CORE, LIMITS, LOCAL_PAIR, LOCAL_SOCKET, MAP, MAP_IN_SIGHT, MODE_1, MODE_2, NO_BYTES_3, NO_BYTES_4, OPEN_1,
    OPEN_2, OWN_BARRIER, OWN_CLOCK, OWN_PROCESSES, PERSONALITY, PIPE_1, PIPE_2, PROCESS_CONTROL, RENAME, SET_LIMIT,
    SET_LIMIT_OF_CORE, SET_OPTION,
};
use super::{NO_OPTION, NO_SETTING, NOT_SUPPORTED, REFUSED};

/// A system call that is allowed.
#[derive(Debug)]
pub(super) struct Call {
    /// Its name in the C library's list of numbers, for example `SYS_read`.
    pub(super) symbol: &'static str,
    pub(super) number: c_long,
    /// Its arguments: all checks of one of the lists must hold. Without a list, every argument is allowed.
    pub(super) checks: &'static [&'static [Check]],
    pub(super) place: Place,
    /// The reason why programs need it.
    pub(super) reason: &'static str,
}

impl Call {
    /// Its result if its arguments are not allowed. A kernel may lack any option of a socket or a process, so programs can
    /// handle such an error.
    pub(super) fn refusal(&self) -> u32 {
        if [libc::SYS_setsockopt, libc::SYS_getsockopt].contains(&self.number) {
            NO_OPTION
        } else if INVALID_ELSEWHERE.contains(&self.number) {
            NO_SETTING
        } else if self.number == libc::SYS_fallocate {
            NOT_SUPPORTED
        } else {
            REFUSED
        }
    }

    /// The arguments with which it appears to succeed, in lists as [`checks`](Self::checks) has them.
    pub(super) fn pretended(&self) -> &'static [&'static [Check]] {
        match self.number {
            libc::SYS_prlimit64 => LIMIT_OF_CORE,
            libc::SYS_setrlimit => SET_LIMIT_OF_CORE,
            _ => &[],
        }
    }
}

/// Calls that fail with an invalid argument on some kernels, for some setting, clock or kind of file.
const INVALID_ELSEWHERE: [c_long; 6] = [
    libc::SYS_prctl,
    libc::SYS_timer_create,
    libc::SYS_clock_nanosleep,
    libc::SYS_sendfile,
    libc::SYS_splice,
    libc::SYS_renameat2,
];

/// The place where a call is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Everywhere,
    /// If it can only reach the job's own files, and in builds.
    OwnFiles,
    /// If the files that it can reach have a file system of limited size, and in builds.
    OwnRoom,
    /// Elsewhere: a narrower form of such a call.
    SharedRoom,
    /// If both hold, and in builds in a private root: otherwise removed files would be out of sight.
    OwnRootAndRoom,
    /// Only in a private root: otherwise it reaches other processes.
    OwnRoot,
    /// Everywhere, but it does nothing unless files of the job are kept, as in a build. Flushing a disk takes time from all its
    /// users, and also works on read-only files.
    KeptFiles,
    /// Only without a private root: a narrower form of a call that is allowed in every form in a private root.
    NoRoot,
    /// Only if a control group counts memory: otherwise the memory that it holds would not be seen.
    Counted,
    /// Only if no control group counts memory: a narrower form.
    Uncounted,
}

/// Numbers of calls, including calls that the library lacks on some architectures.
#[allow(non_upper_case_globals, reason = "they are the kernel's names")]
mod numbers {
    pub(super) use libc::*;

    pub(super) const SYS_fchmodat2: c_long = 452;
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) const SYS_renameat: c_long = 38;
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) const SYS_getrlimit: c_long = 163;
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) const SYS_setrlimit: c_long = 164;
    #[cfg(target_arch = "riscv64")]
    pub(super) const SYS_riscv_hwprobe: c_long = 258;
    #[cfg(target_arch = "riscv64")]
    pub(super) const SYS_riscv_flush_icache: c_long = 259;
}

macro_rules! calls {
    ($($symbol:ident $(on $architecture:literal)?, $checks:ident, $place:ident, $reason:literal;)*) => {
        &[$($(#[cfg(target_arch = $architecture)])? Call {
            symbol: stringify!($symbol),
            number: numbers::$symbol,
            checks: $checks,
            place: Place::$place,
            reason: $reason,
        }),*]
    };
}

/// All allowed calls. Each line contains number, architecture if only one has the call, arguments, place, reason.
#[rustfmt::skip]
pub(super) const CALLS: &[Call] = calls! {
    // Files by descriptor.
    SYS_read, ANY, Everywhere, "reads files and pipes";
    SYS_write, ANY, Everywhere, "prints the answer";
    SYS_readv, ANY, Everywhere, "reads into several buffers";
    SYS_writev, ANY, Everywhere, "prints from several buffers";
    SYS_pread64, ANY, Everywhere, "reads at an offset; the loader does";
    SYS_pwrite64, ANY, Everywhere, "writes at an offset";
    SYS_preadv, ANY, Everywhere, "reads at an offset into several buffers";
    SYS_pwritev, ANY, Everywhere, "writes at an offset from several buffers";
    SYS_preadv2, ANY, Everywhere, "as preadv, with flags; newer runtimes";
    SYS_pwritev2, ANY, Everywhere, "as pwritev, with flags; newer runtimes";
    SYS_lseek, ANY, Everywhere, "moves in a file";
    SYS_close, ANY, Everywhere, "closes a descriptor";
    SYS_close_range, CLOSE_RANGE, Everywhere, "closes descriptors before a program is executed";
    SYS_dup, ANY, Everywhere, "copies a descriptor";
    SYS_dup2 on "x86_64", ANY, Everywhere, "redirects a child's input and output";
    SYS_dup3, ANY, Everywhere, "as dup2, with flags";
    SYS_fcntl, FILE_CONTROL, Everywhere, "flags, copies and locks of descriptors";
    SYS_flock, ANY, Everywhere, "locks files: Java, caches of builds";
    SYS_ioctl, DEVICE_CONTROL, Everywhere, "asks whether a descriptor is a terminal, and how much waits in a pipe";
    SYS_pipe on "x86_64", ANY, Everywhere, "pipes, in older programs";
    SYS_pipe2, ANY, Everywhere, "pipes";
    SYS_fsync, ANY, KeptFiles, "writes a file to its medium";
    SYS_fdatasync, ANY, KeptFiles, "as fsync, without times";
    SYS_ftruncate, ANY, Everywhere, "sets the size of a file";
    SYS_truncate, ANY, Everywhere, "sets the size of a file by name";
    SYS_fallocate, ANY, OwnRoom, "reserves blocks of a file: linkers";
    SYS_fallocate, NO_BYTES_3, SharedRoom, "as if the file system cannot: in no time all of a disk that others need";
    SYS_fadvise64, FILE_ADVICE, Everywhere, "announces how a file will be read";
    SYS_readahead, ANY, Everywhere, "reads a file ahead; linkers do";
    SYS_sendfile, ANY, Counted, "copies between descriptors: cp, shutil";
    SYS_sendfile, NO_BYTES_3, Uncounted, "as if it cannot copy here: programs read and write then";
    SYS_splice, ANY, Counted, "copies between pipes: cat, Go";
    SYS_splice, NO_BYTES_4, Uncounted, "as if it cannot copy here: programs read and write then";
    SYS_tee, ANY, Everywhere, "copies between pipes: tee";
    SYS_copy_file_range, ANY, Everywhere, "copies between files: cp, Rust, Go";

    // Files by name. Landlock or the root decides which.
    SYS_openat, OPEN_2, Everywhere, "opens files, not to create programs with another user's rights";
    SYS_open on "x86_64", OPEN_1, Everywhere, "opens files, in older programs";
    SYS_creat on "x86_64", MODE_1, Everywhere, "creates files, in older programs";
    SYS_access on "x86_64", ANY, Everywhere, "checks rights; the loader does";
    SYS_faccessat, ANY, Everywhere, "checks rights";
    SYS_faccessat2, ANY, Everywhere, "checks rights, with flags";
    SYS_stat on "x86_64", ANY, Everywhere, "asks for a file's status, in older programs";
    SYS_lstat on "x86_64", ANY, Everywhere, "asks for a link's status, in older programs";
    SYS_fstat, ANY, Everywhere, "asks for an open file's status";
    SYS_newfstatat, ANY, Everywhere, "asks for a file's status";
    SYS_statx, ANY, Everywhere, "asks for a file's status, with more fields";
    SYS_statfs, ANY, Everywhere, "asks for room on a file system";
    SYS_fstatfs, ANY, Everywhere, "asks for room on a file system";
    SYS_readlink on "x86_64", ANY, Everywhere, "reads a link, /proc/self/exe above all";
    SYS_readlinkat, ANY, Everywhere, "reads a link";
    SYS_getcwd, ANY, Everywhere, "asks for the working directory";
    SYS_chdir, ANY, Everywhere, "changes the working directory";
    SYS_fchdir, ANY, Everywhere, "goes back to a working directory";
    SYS_getdents64, ANY, Everywhere, "lists a directory";
    SYS_getdents on "x86_64", ANY, Everywhere, "lists a directory, in older programs";
    SYS_mkdir on "x86_64", MODE_1, Everywhere, "makes a directory";
    SYS_mkdirat, MODE_2, Everywhere, "makes a directory";
    SYS_mknod on "x86_64", PIPE_1, Everywhere, "makes a named pipe, in older programs";
    SYS_mknodat, PIPE_2, Everywhere, "makes a named pipe";
    SYS_rmdir on "x86_64", ANY, Everywhere, "removes a directory";
    SYS_unlink on "x86_64", ANY, Everywhere, "removes a file";
    SYS_unlinkat, ANY, Everywhere, "removes a file or directory";
    SYS_rename on "x86_64", ANY, Everywhere, "renames a file";
    SYS_renameat, ANY, Everywhere, "renames a file";
    SYS_renameat2, RENAME, Everywhere, "renames a file, with flags: mv; not to leave a device in its place";
    SYS_link on "x86_64", ANY, Everywhere, "gives a file another name: Python's semaphores";
    SYS_linkat, ANY, Everywhere, "gives a file another name: ln, builds";
    SYS_symlink on "x86_64", ANY, Everywhere, "makes a link";
    SYS_symlinkat, ANY, Everywhere, "makes a link";
    SYS_getxattr, ANY, Everywhere, "reads attributes: ls";
    SYS_lgetxattr, ANY, Everywhere, "reads attributes: ls";
    SYS_fgetxattr, ANY, Everywhere, "reads attributes: cp";
    SYS_listxattr, ANY, Everywhere, "lists attributes: cp, Python";
    SYS_llistxattr, ANY, Everywhere, "lists attributes: cp, Python";
    SYS_flistxattr, ANY, Everywhere, "lists attributes: cp";
    SYS_umask, ANY, Everywhere, "asks for the mask of new files";

    // Modes, owners and times, which Landlock does not restrict.
    SYS_chmod on "x86_64", MODE_1, OwnFiles, "makes a program executable: linkers";
    SYS_fchmod, MODE_1, OwnFiles, "as chmod, by descriptor: cp, Rust";
    SYS_fchmodat, MODE_2, OwnFiles, "as chmod: install, Go";
    SYS_fchmodat2, MODE_2, OwnFiles, "as fchmodat, with flags: newer C libraries";
    SYS_chown on "x86_64", ANY, OwnFiles, "keeps the owner of a copy, in older programs";
    SYS_lchown on "x86_64", ANY, OwnFiles, "keeps the owner of a copied link, in older programs";
    SYS_fchown, ANY, OwnFiles, "keeps the owner of a copy: cp, install";
    SYS_fchownat, ANY, OwnFiles, "keeps the owner of a copy: cp, tar";
    SYS_utime on "x86_64", ANY, OwnFiles, "sets times, in older programs";
    SYS_utimes on "x86_64", ANY, OwnFiles, "sets times, in older programs";
    SYS_futimesat on "x86_64", ANY, OwnFiles, "sets times, in older programs";
    SYS_utimensat, ANY, OwnFiles, "sets times: touch, Cargo, Go";

    // Memory.
    SYS_brk, ANY, Everywhere, "grows the heap";
    SYS_mmap, MAP, Counted, "maps memory and files";
    SYS_mmap, MAP_IN_SIGHT, Uncounted, "maps memory and files";
    SYS_munmap, ANY, Everywhere, "gives memory back";
    SYS_mremap, ANY, Everywhere, "grows a mapping";
    SYS_mprotect, ANY, Everywhere, "changes access to memory: loaders, compilers at run time";
    SYS_madvise, ADVICE, Everywhere, "gives pages back: garbage collectors";
    SYS_msync, ANY, KeptFiles, "writes a mapped file: Java, mmap.flush";
    SYS_memfd_create, FILE_IN_MEMORY, Counted, "shares memory between processes";
    SYS_pkey_alloc, ANY, Everywhere, "protects compiled code: V8";
    SYS_pkey_free, ANY, Everywhere, "protects compiled code: V8";
    SYS_pkey_mprotect, ANY, Everywhere, "protects compiled code: V8";
    SYS_membarrier, OWN_BARRIER, Everywhere, "orders memory between its threads: .NET, Java";

    // Processes and threads.
    SYS_execve, ANY, Everywhere, "executes a program";
    SYS_execveat, ANY, Everywhere, "executes a program by descriptor: fexecve";
    SYS_fork on "x86_64", ANY, Everywhere, "makes a process, in older programs";
    SYS_vfork on "x86_64", ANY, Everywhere, "makes a process that will execute a program";
    SYS_clone, OWN_PROCESSES, Everywhere, "makes threads and processes, in no namespace of their own";
    SYS_exit, ANY, Everywhere, "ends a thread";
    SYS_exit_group, ANY, Everywhere, "ends a process";
    SYS_wait4, ANY, Everywhere, "waits for a child";
    SYS_waitid, ANY, Everywhere, "waits for a child: Go";
    SYS_pidfd_open, ANY, Everywhere, "a descriptor of a child: Python, Go";
    SYS_pidfd_send_signal, ANY, Everywhere, "signals a child by descriptor: Go";
    SYS_set_tid_address, ANY, Everywhere, "starts a thread";
    SYS_set_robust_list, ANY, Everywhere, "starts a thread";
    SYS_get_robust_list, ANY, Everywhere, "debugs locks; C libraries export it";
    SYS_rseq, ANY, Everywhere, "starts a thread: newer C libraries";
    SYS_futex, ANY, Everywhere, "waits for other threads";
    SYS_futex_waitv, ANY, Everywhere, "waits for one of several locks";
    SYS_sched_yield, ANY, Everywhere, "lets other threads run";
    SYS_sched_getaffinity, ANY, Everywhere, "counts the processors";
    SYS_sched_getparam, ANY, Everywhere, "asks for a thread's priority: C libraries";
    SYS_sched_getscheduler, ANY, Everywhere, "asks for a thread's priority: C libraries";
    SYS_sched_get_priority_max, ANY, Everywhere, "asks for the range of priorities: Java";
    SYS_sched_get_priority_min, ANY, Everywhere, "asks for the range of priorities: Java";
    SYS_getcpu, ANY, Everywhere, "asks for the processor: Java, allocators";
    SYS_riscv_flush_icache on "riscv64", ANY, Everywhere, "compiled code becomes visible";
    SYS_riscv_hwprobe on "riscv64", ANY, Everywhere, "asks for what the processor can do: C libraries";
    SYS_arch_prctl on "x86_64", ANY, Everywhere, "starts a thread; the loader does";
    SYS_prctl, PROCESS_CONTROL, Everywhere, "names threads, and what a process sets for itself";
    SYS_personality, PERSONALITY, Everywhere, "addresses that are not random: SBCL";
    SYS_setsid, ANY, OwnRoot, "leads a session: subprocess, daemons";
    SYS_setpgid, ANY, OwnRoot, "leads a group: shells with job control";
    SYS_setuid, ANY, Everywhere, "gives up another user's rights, of which it has none: BusyBox does at its start";
    SYS_setgid, ANY, Everywhere, "gives up another group's rights, of which it has none: BusyBox";
    SYS_setreuid, ANY, Everywhere, "as setuid: shells";
    SYS_setregid, ANY, Everywhere, "as setgid: shells";
    SYS_setresuid, ANY, Everywhere, "as setuid: Bash, Perl";
    SYS_setresgid, ANY, Everywhere, "as setgid: Bash, Perl";
    SYS_restart_syscall, ANY, Everywhere, "continues a sleep; the kernel makes programs call it";

    // Identity and location of the process.
    SYS_getpid, ANY, Everywhere, "asks for itself";
    SYS_getppid, ANY, Everywhere, "asks for its parent: shells";
    SYS_gettid, ANY, Everywhere, "asks for the thread";
    SYS_getuid, ANY, Everywhere, "asks for the user";
    SYS_geteuid, ANY, Everywhere, "asks for the user";
    SYS_getgid, ANY, Everywhere, "asks for the group";
    SYS_getegid, ANY, Everywhere, "asks for the group";
    SYS_getresuid, ANY, Everywhere, "asks for the user: Perl, Ruby";
    SYS_getresgid, ANY, Everywhere, "asks for the group: Perl, Ruby";
    SYS_getgroups, ANY, Everywhere, "asks for the groups: id, Bash";
    SYS_getpgid, ANY, Everywhere, "asks for the process group: shells";
    SYS_getpgrp on "x86_64", ANY, Everywhere, "asks for the process group: shells";
    SYS_getsid, ANY, Everywhere, "asks for the session: shells";
    SYS_capget, ANY, Everywhere, "asks for its rights: Node.js";
    SYS_capset, ANY, Everywhere, "gives up rights, of which it has none: sandboxes";
    SYS_uname, ANY, Everywhere, "asks for the system";
    SYS_sysinfo, ANY, Everywhere, "asks for memory and load";
    SYS_getrandom, ANY, Everywhere, "random numbers";

    // Its own limits and priority, never another's.
    SYS_prlimit64, LIMITS, Everywhere, "its own limits: C libraries, Go, Java";
    SYS_getrlimit, ANY, Everywhere, "its own limits: Go";
    SYS_setrlimit, SET_LIMIT, Everywhere, "its own limits, in older programs";
    SYS_getrusage, ANY, Everywhere, "what it used";
    SYS_getpriority, ITSELF_1, Everywhere, "its own priority: nice";
    SYS_setpriority, ITSELF_1, Everywhere, "lowers its own priority: nice";

    // Signals. Namespaces or Landlock decide who is reached.
    SYS_rt_sigaction, ANY, Everywhere, "handles signals";
    SYS_rt_sigprocmask, ANY, Everywhere, "blocks signals";
    SYS_rt_sigreturn, ANY, Everywhere, "returns from a handler";
    SYS_rt_sigsuspend, ANY, Everywhere, "waits for a signal: shells";
    SYS_rt_sigpending, ANY, Everywhere, "asks for waiting signals";
    SYS_rt_sigtimedwait, ANY, Everywhere, "waits for a signal: sigwait";
    SYS_rt_sigqueueinfo, ANY, Everywhere, "signals with a value: sigqueue";
    SYS_rt_tgsigqueueinfo, ANY, Everywhere, "signals with a value: pthread_sigqueue";
    SYS_sigaltstack, ANY, Everywhere, "a stack for handlers: Rust, Go, Java";
    SYS_pause on "x86_64", ANY, Everywhere, "waits for a signal, in older programs";
    SYS_kill, ANY, Everywhere, "signals a process";
    SYS_tkill, ANY, Everywhere, "signals a thread: musl, older Go";
    SYS_tgkill, ANY, Everywhere, "signals a thread: raise, abort, Go";
    SYS_signalfd on "x86_64", ANY, Everywhere, "signals as events, in older programs";
    SYS_signalfd4, ANY, Everywhere, "signals as events";

    // Time.
    SYS_nanosleep, ANY, Everywhere, "sleeps";
    SYS_clock_nanosleep, OWN_CLOCK, Everywhere, "sleeps, but not on the CPU time of other processes";
    SYS_clock_gettime, ANY, Everywhere, "reads a clock; CPU time always takes the call";
    SYS_clock_getres, ANY, Everywhere, "asks for the steps of a clock: Java";
    SYS_gettimeofday, ANY, Everywhere, "reads the clock where the loader gives no faster way";
    SYS_time on "x86_64", ANY, Everywhere, "reads the clock, in older programs";
    SYS_times, ANY, Everywhere, "reads its CPU time: Perl, shells";
    SYS_alarm on "x86_64", ANY, Everywhere, "a signal after some seconds";
    SYS_setitimer, ANY, Everywhere, "a signal after some time";
    SYS_getitimer, ANY, Everywhere, "asks for the time left";
    SYS_timer_create, OWN_CLOCK, Everywhere, "a timer of POSIX, but not on the CPU time of other processes";
    SYS_timer_settime, ANY, Everywhere, "a timer of POSIX";
    SYS_timer_gettime, ANY, Everywhere, "a timer of POSIX";
    SYS_timer_getoverrun, ANY, Everywhere, "a timer of POSIX";
    SYS_timer_delete, ANY, Everywhere, "a timer of POSIX";
    SYS_timerfd_create, ANY, Everywhere, "a timer as an event";
    SYS_timerfd_settime, ANY, Everywhere, "a timer as an event";
    SYS_timerfd_gettime, ANY, Everywhere, "a timer as an event";

    // Waiting for events.
    SYS_poll on "x86_64", ANY, Everywhere, "waits for descriptors";
    SYS_ppoll, ANY, Everywhere, "waits for descriptors and signals";
    SYS_select on "x86_64", ANY, Everywhere, "waits for descriptors, in older programs";
    SYS_pselect6, ANY, Everywhere, "waits for descriptors: Perl, Tcl";
    SYS_epoll_create on "x86_64", ANY, Everywhere, "waits for many descriptors, in older programs";
    SYS_epoll_create1, ANY, Everywhere, "waits for many descriptors";
    SYS_epoll_ctl, ANY, Everywhere, "waits for many descriptors";
    SYS_epoll_wait on "x86_64", ANY, Everywhere, "waits for many descriptors";
    SYS_epoll_pwait, ANY, Everywhere, "waits for many descriptors: Node.js, Go";
    SYS_epoll_pwait2, ANY, Everywhere, "as epoll_pwait, with finer time";
    SYS_eventfd on "x86_64", ANY, Everywhere, "wakes threads, in older programs";
    SYS_eventfd2, ANY, Everywhere, "wakes threads: event loops";

    // Local sockets. Names of sockets reach beyond Landlock, so only pairs are possible there.
    SYS_socketpair, LOCAL_SOCKET, OwnRoot, "two connected sockets: pipes in both directions";
    SYS_socketpair, LOCAL_PAIR, NoRoot, "two connected sockets, which cannot be connected elsewhere";
    SYS_socket, LOCAL_SOCKET, OwnRoot, "local sockets between own processes: multiprocessing";
    SYS_bind, ANY, OwnRoot, "names a local socket";
    SYS_listen, ANY, OwnRoot, "waits for local connections";
    SYS_accept, ANY, OwnRoot, "takes a local connection";
    SYS_accept4, ANY, OwnRoot, "takes a local connection";
    SYS_connect, ANY, OwnRoot, "connects a local socket";
    SYS_getsockname, ANY, Everywhere, "asks for a socket's name: Node.js, Tcl";
    SYS_getpeername, ANY, Everywhere, "asks for the other end's name";
    SYS_setsockopt, SET_OPTION, Everywhere, "options of a socket: multiprocessing, Java, Tcl, Rust; no filter, which no account of the run has";
    SYS_getsockopt, GET_OPTION, Everywhere, "options of a socket: Node.js, Java, Python, Perl";
    SYS_sendto, ANY, Everywhere, "sends to the other end";
    SYS_recvfrom, ANY, Everywhere, "receives from the other end";
    SYS_sendmsg, ANY, OwnRootAndRoom, "sends descriptors: Node.js, multiprocessing; elsewhere one could hide removed files on the way";
    SYS_recvmsg, ANY, Everywhere, "receives descriptors";
    SYS_shutdown, ANY, Everywhere, "ends one direction of a socket";
};
