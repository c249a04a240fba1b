//! Misdeeds against what is outside: the judge, files of rivals, sockets, and what the system keeps for everybody.

use std::os::unix::fs::MetadataExt as _;

use super::answer_if;
use super::raw::{address, call, descriptor, made, path};

/// The working directory, as `AT_FDCWD` names it.
const HERE: u64 = (-100_i64).cast_unsigned();
/// Not every version of the library has it.
const FCHMODAT2: libc::c_long = 452;
/// All attempts are made, also when one has succeeded.
const ALL: fn(&[bool]) -> bool = |made| made.contains(&true);

pub(super) fn commit(misdeed: &str, argument: &str) -> bool {
    let argument = argument.trim_start_matches("file:");
    let kept = match misdeed {
        "limit-judge" => judge().is_none_or(|judge| !limit(judge)),
        "change-attributes" => ![argument, "/proc/self/exe"].map(change_attributes).contains(&true),
        "change-input" => !change_input(),
        "set-id" => !set_id(),
        "ipc" => !ipc(),
        "connect" => !connect(argument),
        "device-times" => !change_attributes("/dev/null"),
        "keep-watch" => !keep_watch(),
        "keep-keys" => {
            let name = path("judge-rogue");
            let (name, kind) = (address(name.as_c_str()), path("user"));
            // The keyring of the user, which outlives processes.
            !made("add_key", libc::SYS_add_key, &[address(kind.as_c_str()), name, name, 4, (-4_i64).cast_unsigned()])
        }
        "drop-pages" => {
            // Of a program that others may need next.
            let file = std::fs::File::open("/usr/bin/env").expect("a program of the system");
            let drop = libc::POSIX_FADV_DONTNEED as u64;
            !made("fadvise", libc::SYS_fadvise64, &[descriptor(&file), 0, 0, drop])
        }
        "hide" => !made("prctl", libc::SYS_prctl, &[libc::PR_SET_DUMPABLE as u64, 0]),
        "look-at-sockets" => {
            let lines = |name: &&str| std::fs::read_to_string(name).map_or(0, |text| text.lines().skip(1).count());
            let lists = ["/proc/net/unix", "/proc/net/tcp", "/proc/sysvipc/shm", "/proc/sysvipc/sem"];
            let seen: Vec<usize> = lists.iter().map(lines).collect();
            eprintln!("{seen:?}");
            seen.iter().sum::<usize>() == 0
        }
        "look-around" => !sees_the_judge(),
        _ => return false,
    };
    answer_if(kept);
    true
}

/// The judge's process: the parent of the supervisor, if it can be seen.
fn judge() -> Option<u64> {
    let supervisor = rustix::process::getppid()?.as_raw_pid();
    let status = std::fs::read_to_string(format!("/proc/{supervisor}/status")).ok()?;
    let judge = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()?;
    Some(judge).filter(|judge| *judge > 1)
}

/// Takes from the judge what can be taken by limits, priority and processors.
fn limit(judge: u64) -> bool {
    let nothing = [0_u64, 0];
    let processors = [1_u64];
    let idle = [0_u32];
    let of_process = 1;
    ALL(&[
        made("file size", libc::SYS_prlimit64, &[judge, libc::RLIMIT_FSIZE.into(), address(&nothing)]),
        made("open files", libc::SYS_prlimit64, &[judge, libc::RLIMIT_NOFILE.into(), address(&nothing)]),
        made("priority", libc::SYS_setpriority, &[0, judge, 19]),
        made("processors", libc::SYS_sched_setaffinity, &[judge, 8, address(&processors)]),
        made("scheduler", libc::SYS_sched_setscheduler, &[judge, libc::SCHED_IDLE as u64, address(&idle)]),
        made("input and output", libc::SYS_ioprio_set, &[of_process, judge, 3 << 13]),
    ])
}

/// Changes what it may of a file that it may not write.
fn change_attributes(victim: &str) -> bool {
    let name = path(victim);
    let name = address(name.as_c_str());
    // What is set is what was there: where nothing keeps it from that, it harms nobody.
    let Ok(before) = std::fs::metadata(victim) else { return false };
    let mode = u64::from(before.mode() & 0o1777);
    let times = [before.atime(), before.atime_nsec(), before.mtime(), before.mtime_nsec()];
    let (attribute, user) = (path("user.judge"), rustix::process::getuid().as_raw());
    let attribute = address(attribute.as_c_str());
    let opened = std::fs::File::open(victim).ok();
    let by_descriptor = opened.is_some_and(|file| {
        let fd = descriptor(&file);
        ALL(&[
            made("fchmod", libc::SYS_fchmod, &[fd, mode]),
            made("futimens", libc::SYS_utimensat, &[fd, 0, address(&times), 0]),
            made("fsetxattr", libc::SYS_fsetxattr, &[fd, attribute, attribute, 1, 0]),
        ])
    });
    ALL(&[
        by_descriptor,
        made("fchmodat", libc::SYS_fchmodat, &[HERE, name, mode]),
        made("fchmodat2", FCHMODAT2, &[HERE, name, mode, 0]),
        made("fchownat", libc::SYS_fchownat, &[HERE, name, user.into(), u64::from(u32::MAX), 0]),
        made("utimensat", libc::SYS_utimensat, &[HERE, name, address(&times), 0]),
        // The present time may be set by everyone who may write.
        made("touch", libc::SYS_utimensat, &[HERE, name, 0, 0]),
        made("setxattr", libc::SYS_setxattr, &[name, attribute, attribute, 1, 0]),
    ])
}

/// Changes what it may of its standard input, which the judge opened where nothing is read-only.
fn change_input() -> bool {
    let input = std::io::stdin();
    let fd = descriptor(&input);
    let Ok(before) = std::fs::metadata("/proc/self/fd/0") else { return false };
    let mode = u64::from(before.mode() & 0o1777);
    ALL(&[
        made("fchmod", libc::SYS_fchmod, &[fd, mode]),
        // The present time may be set by everyone who may write.
        made("futimens", libc::SYS_utimensat, &[fd, 0, 0, 0]),
        std::fs::File::options().write(true).open("/proc/self/fd/0").is_ok_and(|file| {
            // A device may be written, and not changed.
            made("futimens", libc::SYS_utimensat, &[descriptor(&file), 0, 0, 0])
                || file.metadata().is_ok_and(|file| file.is_file())
        }),
    ])
}

/// Leaves a file or folder with which another user could take this one's rights.
fn set_id() -> bool {
    let names = ["opened", "folder", "node", "changed"];
    let [opened, folder, node, changed] = names.map(path);
    let [opened, folder, node, changed] = [&opened, &folder, &node, &changed].map(|name| address(name.as_c_str()));
    rustix::process::umask(rustix::fs::Mode::empty());
    std::fs::write("changed", "").expect("a file of its own");
    made("openat", libc::SYS_openat, &[HERE, opened, (libc::O_CREAT | libc::O_WRONLY) as u64, 0o4755]);
    made("mkdirat", libc::SYS_mkdirat, &[HERE, folder, 0o2777]);
    made("mknodat", libc::SYS_mknodat, &[HERE, node, 0o106_755, 0]);
    made("fchmodat", libc::SYS_fchmodat, &[HERE, changed, 0o6755]);
    names.iter().any(|name| std::fs::metadata(name).is_ok_and(|file| file.mode() & 0o6000 != 0))
}

/// Makes shared memory, semaphores and queues that outlive their processes.
fn ipc() -> bool {
    const KEY: u64 = 0x6a75_6467;
    const NEW: u64 = 0o1600;
    let queue = path("judge-rogue");
    let queue = address(queue.as_c_str());
    let flags = (libc::O_CREAT | libc::O_RDWR) as u64;
    let made = ALL(&[
        made("shared memory", libc::SYS_shmget, &[KEY, 1 << 20, NEW]),
        made("semaphores", libc::SYS_semget, &[KEY, 1, NEW]),
        made("messages", libc::SYS_msgget, &[KEY, NEW]),
        made("a queue of POSIX", libc::SYS_mq_open, &[queue, flags, 0o600, 0]),
    ]);
    // Where nothing keeps it from that, it does not litter the machine.
    for (get, control, size) in [
        (libc::SYS_shmget, libc::SYS_shmctl, 0),
        (libc::SYS_semget, libc::SYS_semctl, 0),
        (libc::SYS_msgget, libc::SYS_msgctl, 0),
    ] {
        if let Ok(id) = call(get, &[KEY, size, 0]) {
            let remove = libc::IPC_RMID as u64;
            let arguments = if control == libc::SYS_semctl { [id, 0, remove, 0] } else { [id, remove, 0, 0] };
            call(control, &arguments).ok();
        }
    }
    call(libc::SYS_mq_unlink, &[queue]).ok();
    made
}

/// Reaches a socket of another process by its path.
fn connect(socket: &str) -> bool {
    use std::os::unix::net::{UnixDatagram, UnixStream};
    let stream = UnixStream::connect(socket);
    let datagram = UnixDatagram::unbound().and_then(|from| from.send_to(b"x", format!("{socket}.datagram")));
    // A pair needs no leave to make a socket; what it sends can go elsewhere.
    let pair = UnixDatagram::pair().and_then(|(from, _)| from.send_to(b"x", format!("{socket}.datagram")));
    eprintln!("{stream:?}, {datagram:?}, {pair:?}");
    stream.is_ok() || datagram.is_ok() || pair.is_ok()
}

/// Watches what siblings do, and makes them wait.
fn keep_watch() -> bool {
    let file = std::fs::File::open("/proc/self/exe").expect("its own program");
    let fd = descriptor(&file);
    let folder = std::fs::File::open(".").expect("its folder");
    let folder = descriptor(&folder);
    ALL(&[
        made("inotify", libc::SYS_inotify_init1, &[0]),
        made("fanotify", libc::SYS_fanotify_init, &[0, 0]),
        made("lease", libc::SYS_fcntl, &[fd, libc::F_SETLEASE as u64, libc::F_RDLCK as u64]),
        made("notice", libc::SYS_fcntl, &[folder, libc::F_NOTIFY as u64, 2]),
        made("owner", libc::SYS_fcntl, &[fd, libc::F_SETOWN as u64, 1]),
    ])
}

/// Looks for traces of the judge and the machine in what every program may read.
fn sees_the_judge() -> bool {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let groups = read("/proc/self/cgroup");
    eprintln!("{groups}");
    let traces = [
        ("its control group", groups.contains("judge")),
        ("the kernel's command line", !read("/proc/cmdline").is_empty()),
        ("the boot", !read("/proc/sys/kernel/random/boot_id").is_empty()),
        ("keys", !read("/proc/keys").is_empty()),
        ("locks of others", std::path::Path::new("/proc/locks").metadata().is_ok_and(|file| file.is_file())),
    ];
    eprintln!("{traces:?}");
    traces.iter().any(|(_, seen)| *seen)
}
