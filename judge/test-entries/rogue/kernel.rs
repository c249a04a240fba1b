//! Objects of the kernel that a run might take from all others. `ask-kernel` asks for each once, in its smallest form, prints
//! a line with the answer to each, and gives everything back: whoever may have one might have thousands.

use super::raw::{address, call, descriptor, path};
use std::cell::Cell;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

/// Not every version of the library has these.
const ATTACH_BPF: u64 = 50;
const COLLAPSE: u64 = 25;
const SHARED_BARRIER: u64 = 1 << 1;
const GLOBAL_BARRIER: u64 = 1;

/// Advice to have a thread of the kernel compare pages, and that of a page whose memory is broken.
const MERGEABLE: u64 = 12;
const BROKEN: u64 = 100;
const PEER: u64 = 77;
const SET_SIGNAL: u64 = 10;
/// Settings, options and requests that no library has all of.
const SETTINGS: &[(&str, u64)] = &[
    ("merged memory", 67),
    ("core scheduling", 62),
    ("speculation", 53),
    ("table of futexes", 78),
    ("secure bits", 28),
];
const OPTIONS: &[(&str, u64)] = &[
    ("descriptor of a sender", 76),
    ("busy polling", 46),
    ("hardware time stamps", 37),
    ("sent without a copy", 60),
    ("locked filter", 44),
    ("mark", 36),
];
const REQUESTS: &[(&str, u64)] = &[
    ("signals of input", 0x5452),
    ("typed input", 0x5412),
    ("controlling terminal", 0x540e),
    ("network devices", 0x8912),
    ("flags of a file", 0x4008_6602),
];

pub(super) fn commit(misdeed: &str, _: &str) -> bool {
    match misdeed {
        "ask-kernel" => ask(),
        "ask-limits" => limits(),
        // What a user has may be a rival's as well.
        "hold-signals" => hold_signals(),
        "hold-pipes" => hold_pipes(),
        "look-up-names" => look_up_names(),
        "need-a-little" => {
            // The kernel writes into it.
            let (timer, pipe) = (Cell::new(0_u32), std::io::pipe().expect("a pipe"));
            asked("timer", libc::SYS_timer_create, &[libc::CLOCK_MONOTONIC as u64, 0, address(&timer)]);
            let size = call(libc::SYS_fcntl, &[descriptor(&pipe.0), libc::F_GETPIPE_SZ as u64]);
            eprintln!("pipe: {}", size.unwrap_or(0));
        }
        _ => return false,
    }
    print!("lluu");
    true
}

/// Has as many signals wait as it may.
fn hold_signals() {
    let signal = 40_u64;
    call(libc::SYS_rt_sigprocmask, &[0, address(&(1_u64 << (signal - 1))), 0, 8]).expect("a mask");
    let mut information = [0_u32; 32];
    // From itself, with a value.
    (information[0], information[2]) = (40, (-1_i32).cast_unsigned());
    let itself = u64::from(std::process::id());
    let held = (0..100_000)
        .take_while(|_| call(libc::SYS_rt_sigqueueinfo, &[itself, signal, address(&information)]).is_ok())
        .count();
    eprintln!("held: {held}");
    std::thread::sleep(std::time::Duration::from_secs(3600));
}

/// Makes more pipes in three processes than a user may have of the usual size.
fn hold_pipes() {
    let (mut done, tell) = std::io::pipe().expect("a pipe");
    for _ in 0..3 {
        // A copy of this process alone.
        if call(libc::SYS_clone, &[libc::SIGCHLD as u64, 0, 0, 0, 0]) == Ok(0) {
            while std::io::pipe().map(std::mem::forget).is_ok() {}
            (&tell).write_all(b"x").expect("a pipe");
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
    }
    done.read_exact(&mut [0; 3]).expect("a pipe");
    eprintln!("held: pipes");
    std::thread::sleep(std::time::Duration::from_secs(3600));
}

/// Looks up names that are not there, in a folder of a disk: the kernel remembers each, for the one who asked first.
fn look_up_names() {
    let now = std::time::UNIX_EPOCH.elapsed().expect("a time after 1970").as_nanos();
    let names = (0..50_000).map(|number| format!("/usr/absent-{now}-{number}"));
    let found = names.filter(|name| std::path::Path::new(name).exists()).count();
    eprintln!("found: {found}");
}

/// Prints a line with the name of a request and 0, or the number of its error. A descriptor that came of it is closed.
fn asked(what: &str, number: libc::c_long, arguments: &[u64]) {
    let result = call(number, arguments);
    if let Ok(made @ 3..) = result {
        call(libc::SYS_close, &[made]).ok();
    }
    eprintln!("{what}: {}", result.map_or_else(|error| error, |_| 0));
}

/// One instruction, which lets everything pass, as a program of one.
#[repr(C)]
struct Program {
    length: u16,
    instructions: u64,
}

fn ask() {
    let pass = [0x7fff_0000_u64 << 32 | 0x06];
    let program = Program { length: 1, instructions: address(&pass) };
    let program = address(&program);
    let (socket, _other) = UnixStream::pair().expect("a pair");
    let of_sockets = libc::SOL_SOCKET as u64;
    let option = |what: &str, level: u64, name: u64, value: u64, length: u64| {
        asked(what, libc::SYS_setsockopt, &[descriptor(&socket), level, name, value, length]);
    };
    option("socket filter", of_sockets, libc::SO_ATTACH_FILTER as u64, program, size_of::<Program>() as u64);
    option("socket bpf", of_sockets, ATTACH_BPF, address(&[0_u32]), 4);
    let reuse = libc::SO_ATTACH_REUSEPORT_CBPF as u64;
    option("reuseport filter", of_sockets, reuse, program, size_of::<Program>() as u64);
    option("reuseport bpf", of_sockets, libc::SO_ATTACH_REUSEPORT_EBPF as u64, address(&[0_u32]), 4);
    option("packet tables", libc::IPPROTO_IP as u64, 64, address(&[0_u64; 16]), 128);
    option("time stamps", of_sockets, libc::SO_TIMESTAMP as u64, address(&[1_u32]), 4);
    // Filters and programs of the kernel.
    let strict_or_filter = 1;
    asked("seccomp filter", libc::SYS_seccomp, &[strict_or_filter, 0, program]);
    asked("seccomp by prctl", libc::SYS_prctl, &[libc::PR_SET_SECCOMP as u64, 2, program]);
    asked("bpf program", libc::SYS_bpf, &[5, address(&[0_u64; 16]), 128]);
    asked("perf event", libc::SYS_perf_event_open, &[address(&[0_u64; 16]), 0, u64::MAX, u64::MAX, 0]);
    asked("io_uring", libc::SYS_io_uring_setup, &[1, address(&[0_u64; 16])]);
    asked("aio context", libc::SYS_io_setup, &[1, address(&[0_u64])]);
    asked("userfaultfd", libc::SYS_userfaultfd, &[1]);
    asked("landlock ruleset", libc::SYS_landlock_create_ruleset, &[address(&[4_u64]), 8, 0]);
    asked("module", libc::SYS_init_module, &[0, 0, 0]);
    // Sockets of other families.
    for (what, family) in [("packet socket", libc::AF_PACKET), ("netlink", libc::AF_NETLINK), ("alg", libc::AF_ALG)] {
        asked(what, libc::SYS_socket, &[u64::from(family.unsigned_abs()), libc::SOCK_RAW as u64, 0]);
    }
    // What outlives processes or is counted per user.
    let name = path("judge");
    let name = address(name.as_c_str());
    asked("key", libc::SYS_add_key, &[name, name, name, 4, (-1_i64).cast_unsigned()]);
    asked("keyring", libc::SYS_keyctl, &[1, 0]);
    asked("shared memory", libc::SYS_shmget, &[0, 4096, 0o1600]);
    asked("semaphores", libc::SYS_semget, &[0, 1, 0o1600]);
    asked("message queue", libc::SYS_msgget, &[0, 0o1600]);
    asked("posix queue", libc::SYS_mq_open, &[name, 0o102, 0o600, 0]);
    asked("inotify", libc::SYS_inotify_init1, &[0]);
    asked("fanotify", libc::SYS_fanotify_init, &[0, 0]);
    let file = std::fs::File::open("/usr/bin/env").expect("a program of the system");
    asked("lease", libc::SYS_fcntl, &[descriptor(&file), libc::F_SETLEASE as u64, libc::F_RDLCK as u64]);
    asked("notice of a folder", libc::SYS_fcntl, &[descriptor(&file), libc::F_NOTIFY as u64, 1]);
    let pipe = std::io::pipe().expect("a pipe");
    asked("larger pipe", libc::SYS_fcntl, &[descriptor(&pipe.0), libc::F_SETPIPE_SZ as u64, 1 << 17]);
    // Namespaces.
    asked("namespace", libc::SYS_unshare, &[libc::CLONE_NEWUSER as u64]);
    asked("namespace by clone3", libc::SYS_clone3, &[address(&[0x1000_0000_u64; 11]), 88]);
    asked("other namespace", libc::SYS_setns, &[descriptor(&file), 0]);
    // What interrupts or makes work for all processors.
    let page = call(libc::SYS_mmap, &[0, 4096, 3, 0x22, u64::MAX, 0]).expect("memory");
    asked("collapse", libc::SYS_madvise, &[page, 4096, COLLAPSE]);
    asked("swap out", libc::SYS_madvise, &[page, 4096, libc::MADV_PAGEOUT as u64]);
    asked("drop pages", libc::SYS_fadvise64, &[descriptor(&file), 0, 0, libc::POSIX_FADV_DONTNEED as u64]);
    asked("barrier of all", libc::SYS_membarrier, &[GLOBAL_BARRIER, 0, 0]);
    asked("barrier of registered", libc::SYS_membarrier, &[SHARED_BARRIER, 0, 0]);
    asked("sync of all", libc::SYS_sync, &[]);
    asked("sync of a file system", libc::SYS_syncfs, &[descriptor(&file)]);
    asked("locked memory", libc::SYS_mlock, &[page, 4096]);
    asked("named memory", libc::SYS_prctl, &[libc::PR_SET_VMA as u64, 0, page, 4096, name]);
    // Who runs when.
    asked("scheduler", libc::SYS_sched_setscheduler, &[0, libc::SCHED_BATCH as u64, address(&[0_u32])]);
    asked("scheduler attributes", libc::SYS_sched_setattr, &[0, address(&[48_u64, 0, 0, 0, 0, 0]), 0]);
    asked("processors", libc::SYS_sched_setaffinity, &[0, 8, address(&[1_u64])]);
    // Threads of the kernel that work for one, and what reaches others in other ways.
    asked("merged pages", libc::SYS_madvise, &[page, 4096, MERGEABLE]);
    asked("broken page", libc::SYS_madvise, &[page, 4096, BROKEN]);
    asked("huge page", libc::SYS_mmap, &[0, 1 << 21, 3, 0x4_0022, u64::MAX, 0]);
    asked("locked mapping", libc::SYS_mmap, &[0, 4096, 3, 0x2022, u64::MAX, 0]);
    for (what, setting) in SETTINGS {
        asked(what, libc::SYS_prctl, &[*setting, 1]);
    }
    for (what, name) in OPTIONS {
        option(what, of_sockets, *name, address(&[1_u32]), 4);
    }
    let (peer, length) = (Cell::new(0_u32), Cell::new(4_u32));
    let peer = [descriptor(&socket), of_sockets, PEER, address(&peer), address(&length)];
    asked("descriptor of the peer", libc::SYS_getsockopt, &peer);
    for (what, request) in REQUESTS {
        asked(what, libc::SYS_ioctl, &[descriptor(&socket), *request, address(&[0_u64; 8])]);
    }
    for (what, command) in [("owner of signals", libc::F_SETOWN as u64), ("signal of input", SET_SIGNAL)] {
        asked(what, libc::SYS_fcntl, &[descriptor(&socket), command, 0]);
    }
    // Timers that another process pays for, its parent for one: the kernel asks for no right.
    let parent = u64::from(std::os::unix::process::parent_id());
    let (timer, clock, nothing) = (Cell::new(0_u32), !parent << 3 | 2, [0_u64; 2]);
    asked("timer of another", libc::SYS_timer_create, &[clock, 0, address(&timer)]);
    asked("sleep by another", libc::SYS_clock_nanosleep, &[clock, 0, address(&nothing), 0]);
    for (what, clock) in [("timer of its own", !0 << 3 | 2), ("timer of its thread", !0 << 3 | 6)] {
        asked(what, libc::SYS_timer_create, &[clock, 0, address(&timer)]);
    }
    // Files that take a lock of the whole machine to be read.
    for file in ["/proc/locks", "/proc/zoneinfo", "/proc/buddyinfo", "/proc/pagetypeinfo", "/proc/slabinfo"] {
        let text = std::fs::read(file).map(|text| text.len());
        let answer = text.map_or_else(|error| error.raw_os_error().unwrap_or(-1), |length| -i32::from(length == 0));
        eprintln!("{file}: {answer}");
    }
}

/// Prints the limits that bound what the kernel keeps for a run.
fn limits() {
    for line in std::fs::read_to_string("/proc/self/limits").expect("/proc").lines() {
        eprintln!("{line}");
    }
}
