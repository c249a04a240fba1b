#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::tree::tests::run;
use super::*;

const SCOPES: [Scope; 5] =
    [Scope::OwnRoot, Scope::OwnRootBuild, Scope::OwnRootFolder, Scope::Landlock, Scope::LandlockBuild];

/// Numbers that not every C library has.
const ATTACH_BPF: u64 = 50;
const COLLAPSE: u64 = 25;

fn decide(scope: Scope, number: libc::c_long, arguments: &[u64]) -> u32 {
    decide_where(true, scope, number, arguments)
}

fn decide_where(counted: bool, scope: Scope, number: libc::c_long, arguments: &[u64]) -> u32 {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    run(&program(scope, counted).unwrap(), u32::try_from(number).unwrap(), all).0
}

#[test]
fn exactly_the_listed_calls_are_allowed() {
    for (scope, counted) in SCOPES.into_iter().flat_map(|scope| [(scope, true), (scope, false)]) {
        let program = program(scope, counted).unwrap();
        assert!(program.len() < 4096, "{scope:?}: the kernel takes 4096 instructions, not {}", program.len());
        for number in (0..600_u32).chain([0x3fff_ffff, 0x4000_0000, u32::MAX]) {
            let call = CALLS.iter().find(|call| call.number == i64::from(number) && scope.has(call.place, counted));
            let (action, steps) = run(&program, number, [0; 6]);
            match call {
                Some(call) if scope.action(call) == Action::Return(DONE) => {
                    assert_eq!(action, DONE, "{scope:?}: {}", call.symbol)
                }
                Some(call) if call.checks.is_empty() => assert_eq!(action, ALLOWED, "{scope:?}: {}", call.symbol),
                Some(call) => assert!([ALLOWED, call.refusal()].contains(&action), "{scope:?}: {number}"),
                None if number < FIRST_NEW_CALL => assert_eq!(action, REFUSED, "{scope:?}: {number}"),
                // Also the x32 variants of all calls, which would be a way around the list.
                None => assert_eq!(action, NOT_THERE, "{scope:?}: {number}"),
            }
            assert!(steps < 128, "{scope:?}: {number} takes {steps} instructions");
        }
    }
}

#[test]
fn every_call_is_listed_once_per_scope() {
    for (scope, counted) in SCOPES.into_iter().flat_map(|scope| [(scope, true), (scope, false)]) {
        let here = CALLS.iter().filter(|call| scope.has(call.place, counted));
        let mut numbers: Vec<_> = here.map(|call| call.number).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count, "{scope:?}");
    }
    for call in CALLS {
        assert!(call.reason.len() > 4 && call.symbol.starts_with("SYS_"), "{call:?}");
        let lists = call.checks.iter().flat_map(|list| list.iter());
        assert!(lists.into_iter().all(|check| check.value & !check.mask == 0), "{call:?} can never be made");
    }
}

/// The flags of `clone` that every thread needs.
const THREAD: libc::c_int = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND;

#[test]
fn arguments_that_reach_others_are_refused_whatever_the_upper_half_is() {
    let flag = |flag: libc::c_int| u64::from(flag.cast_unsigned());
    let upper = 1 << 40;
    // The kernel's number of a process's clock, of kind 2: the scheduler's.
    let process_clock = |process: u64| !process << 3 | 2;
    let refused: &[(libc::c_long, &[u64])] = &[
        (libc::SYS_clone, &[flag(libc::CLONE_NEWUSER) | 17]),
        (libc::SYS_clone, &[flag(libc::CLONE_NEWNET) | upper]),
        (libc::SYS_clone, &[flag(libc::CLONE_PARENT) | 17]),
        (libc::SYS_clone, &[flag(THREAD)]),
        (libc::SYS_clone, &[flag(THREAD | libc::CLONE_FS)]),
        (libc::SYS_clone, &[flag(THREAD | libc::CLONE_FILES)]),
        (libc::SYS_close_range, &[3, 4, u64::from(libc::CLOSE_RANGE_UNSHARE)]),
        (libc::SYS_mmap, &[0, 1 << 21, 3, flag(libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_HUGETLB)]),
        (libc::SYS_memfd_create, &[0, u64::from(libc::MFD_HUGETLB)]),
        (libc::SYS_madvise, &[0, 4096, flag(libc::MADV_PAGEOUT)]),
        (libc::SYS_madvise, &[0, 4096, flag(libc::MADV_COLD)]),
        (libc::SYS_madvise, &[0, 4096, COLLAPSE]),
        (libc::SYS_membarrier, &[1]),
        (libc::SYS_membarrier, &[2]),
        (libc::SYS_membarrier, &[4]),
        (libc::SYS_fadvise64, &[3, 0, 0, flag(libc::POSIX_FADV_DONTNEED)]),
        (libc::SYS_socket, &[flag(libc::AF_INET)]),
        (libc::SYS_socketpair, &[flag(libc::AF_NETLINK)]),
        (libc::SYS_ioctl, &[0, 0x5412]),
        (libc::SYS_ioctl, &[0, 0x5412 | upper]),
        (libc::SYS_ioctl, &[0, 0x541c]),
        (libc::SYS_fcntl, &[0, flag(libc::F_SETLEASE)]),
        (libc::SYS_fcntl, &[0, flag(libc::F_SETOWN)]),
        (libc::SYS_fcntl, &[0, flag(libc::F_NOTIFY)]),
        (libc::SYS_prlimit64, &[1, 7, 0]),
        (libc::SYS_prlimit64, &[1 | upper, 7, upper]),
        (libc::SYS_setpriority, &[0, 1, 19]),
        (libc::SYS_setpriority, &[2, 0, 19]),
        (libc::SYS_sched_setaffinity, &[0]),
        (libc::SYS_sched_setscheduler, &[0]),
        (libc::SYS_sched_setattr, &[0]),
        (libc::SYS_ioprio_set, &[1, 0, 0]),
        (libc::SYS_migrate_pages, &[1]),
        (libc::SYS_ptrace, &[0]),
        (libc::SYS_shmget, &[1]),
        (libc::SYS_semget, &[1]),
        (libc::SYS_msgget, &[1]),
        (libc::SYS_mq_open, &[1]),
        (libc::SYS_inotify_init1, &[0]),
        (libc::SYS_add_key, &[0]),
        (libc::SYS_setxattr, &[0]),
        (libc::SYS_openat, &[0, 0, flag(libc::O_CREAT), 0o4755]),
        (libc::SYS_openat, &[0, 0, flag(libc::O_TMPFILE), 0o2755]),
        (libc::SYS_mkdirat, &[0, 0, 0o2777]),
        (libc::SYS_mknodat, &[0, 0, 0o20_666]),
        (libc::SYS_mknodat, &[0, 0, 0o104_755]),
        (libc::SYS_fchmod, &[0, 0o4755]),
        (libc::SYS_fchmodat, &[0, 0, 0o2755]),
        // Filters and programs of the kernel: memory of the whole machine, removed in a queue that all share.
        (libc::SYS_seccomp, &[1]),
        (libc::SYS_bpf, &[5]),
        (libc::SYS_perf_event_open, &[0]),
        (libc::SYS_userfaultfd, &[0]),
    ];
    let unknown: &[(libc::c_long, &[u64])] = &[
        (libc::SYS_prctl, &[flag(libc::PR_SET_DUMPABLE), 0]),
        (libc::SYS_prctl, &[flag(libc::PR_SET_MM), 1]),
        (libc::SYS_prctl, &[flag(libc::PR_SET_VMA), 0]),
        (libc::SYS_prctl, &[flag(libc::PR_SET_SECCOMP), 2]),
        (libc::SYS_prctl, &[flag(libc::PR_SET_SECCOMP) | upper, 1]),
        // It leaves a device with the old name.
        (libc::SYS_renameat2, &[0, 0, 0, 0, u64::from(libc::RENAME_WHITEOUT)]),
        (libc::SYS_renameat2, &[0, 0, 0, 0, u64::from(libc::RENAME_WHITEOUT | libc::RENAME_NOREPLACE)]),
        // Timers on the CPU time of processes 1, 2 and 4 million.
        (libc::SYS_timer_create, &[process_clock(1)]),
        (libc::SYS_timer_create, &[process_clock(2) | 0b11]),
        (libc::SYS_clock_nanosleep, &[process_clock(4_000_000)]),
        (libc::SYS_clock_nanosleep, &[process_clock(1) & u64::from(u32::MAX)]),
    ];
    let strange: &[(libc::c_long, &[u64])] = &[
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_ATTACH_FILTER)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET) | upper, flag(libc::SO_ATTACH_FILTER) | upper]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_DETACH_FILTER)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_LOCK_FILTER)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), ATTACH_BPF]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_ATTACH_REUSEPORT_CBPF)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_ATTACH_REUSEPORT_EBPF)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_TIMESTAMP)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_ZEROCOPY)]),
        // Tables of the packet filter, and any option of another level.
        (libc::SYS_setsockopt, &[3, flag(libc::IPPROTO_IP), 64]),
        (libc::SYS_setsockopt, &[3, flag(libc::IPPROTO_TCP), flag(libc::SO_REUSEADDR)]),
        (libc::SYS_getsockopt, &[3, flag(libc::IPPROTO_IP), 64]),
        (libc::SYS_getsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_ATTACH_FILTER)]),
    ];
    let allowed: &[(libc::c_long, &[u64])] = &[
        (libc::SYS_clone, &[flag(THREAD | libc::CLONE_FILES | libc::CLONE_FS)]),
        (libc::SYS_clone, &[flag(libc::CLONE_VM | libc::CLONE_FILES) | 17]),
        (libc::SYS_clone, &[flag(libc::CLONE_VM | libc::CLONE_VFORK) | 17]),
        (libc::SYS_socketpair, &[1, flag(libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK)]),
        (libc::SYS_prlimit64, &[0, 7, 0x7fff_0000_1000]),
        (libc::SYS_setpriority, &[0, 0, 19]),
        (libc::SYS_fcntl, &[0, flag(libc::F_DUPFD_CLOEXEC)]),
        (libc::SYS_ioctl, &[0, 0x5401]),
        (libc::SYS_openat, &[0, 0, flag(libc::O_CREAT), 0o755]),
        // Without the flag to create, the mode is whatever the register contains.
        (libc::SYS_openat, &[0, 0, flag(libc::O_RDONLY | libc::O_DIRECTORY), u64::MAX]),
        (libc::SYS_mknodat, &[0, 0, 0o10_600]),
        (libc::SYS_prctl, &[flag(libc::PR_SET_NAME), upper]),
        (libc::SYS_prctl, &[flag(libc::PR_GET_SECCOMP)]),
        (libc::SYS_renameat2, &[0, 0, 0, 0, u64::from(libc::RENAME_NOREPLACE)]),
        (libc::SYS_renameat2, &[0, 0, 0, 0, u64::from(libc::RENAME_EXCHANGE)]),
        (libc::SYS_timer_create, &[flag(libc::CLOCK_MONOTONIC)]),
        (libc::SYS_timer_create, &[flag(libc::CLOCK_PROCESS_CPUTIME_ID)]),
        (libc::SYS_timer_create, &[process_clock(0)]),
        // Clocks of threads, which the kernel accepts only of the caller's process.
        (libc::SYS_timer_create, &[process_clock(77) | 4]),
        (libc::SYS_clock_nanosleep, &[flag(libc::CLOCK_REALTIME)]),
        (libc::SYS_membarrier, &[0]),
        (libc::SYS_membarrier, &[8]),
        (libc::SYS_membarrier, &[16]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_REUSEADDR)]),
        (libc::SYS_setsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_PASSCRED)]),
        (libc::SYS_getsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_ERROR)]),
        (libc::SYS_getsockopt, &[3, flag(libc::SOL_SOCKET), flag(libc::SO_PEERCRED)]),
    ];
    for scope in SCOPES {
        for (expected, calls) in [(REFUSED, refused), (NO_SETTING, unknown), (NO_OPTION, strange), (ALLOWED, allowed)] {
            for (call, arguments) in calls {
                assert_eq!(decide(scope, *call, arguments), expected, "{scope:?}: {call} {arguments:x?}");
            }
        }
        for hidden in [libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_landlock_create_ruleset] {
            assert_eq!(decide(scope, hidden, &[]), NOT_THERE);
        }
    }
}

#[test]
fn without_a_root_of_its_own_a_job_has_no_named_sockets() {
    let datagrams = [1, u64::from(libc::SOCK_DGRAM.cast_unsigned())];
    for scope in SCOPES {
        let allowed = |number, arguments: &[u64]| decide(scope, number, arguments) == ALLOWED;
        let own_root = scope.has_root();
        for call in [libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_setsid, libc::SYS_setpgid] {
            assert_eq!(allowed(call, &[1, 1]), own_root, "{scope:?}: {call}");
        }
        // A pair of these can be connected to another address.
        assert_eq!(allowed(libc::SYS_socketpair, &datagrams), own_root, "{scope:?}");
    }
}

#[test]
fn only_a_build_flushes_a_disk_and_a_run_believes_that_it_does() {
    for scope in SCOPES {
        let builds = [Scope::OwnRootBuild, Scope::LandlockBuild].contains(&scope);
        for call in [libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_msync] {
            assert_eq!(decide(scope, call, &[3]), if builds { ALLOWED } else { DONE }, "{scope:?}: {call}");
        }
        for call in [libc::SYS_sync, libc::SYS_syncfs, libc::SYS_sync_file_range] {
            assert_eq!(decide(scope, call, &[3]), REFUSED, "{scope:?}: {call}");
        }
    }
}

#[test]
fn where_a_job_shares_a_file_system_it_reserves_nothing_and_programs_write_instead() {
    for scope in SCOPES {
        let shares = [Scope::OwnRootFolder, Scope::Landlock].contains(&scope);
        let expected = if shares { NOT_SUPPORTED } else { ALLOWED };
        for (mode, length) in [(0, 1), (1, 1 << 40), (1, 1 << 20)] {
            assert_eq!(decide(scope, libc::SYS_fallocate, &[3, mode, 0, length]), expected, "{scope:?}: {mode}");
        }
    }
}

#[test]
fn the_limit_of_core_files_stays_and_every_other_limit_is_the_jobs_own() {
    const NEW: u64 = 0x7fff_0000_1000;
    for scope in SCOPES {
        for limit in 0..16 {
            let core = limit == u64::from(libc::RLIMIT_CORE);
            assert_eq!(decide(scope, libc::SYS_prlimit64, &[0, limit, 0, NEW]), ALLOWED, "asks for limit {limit}");
            let expected = if core { DONE } else { ALLOWED };
            for new in [NEW, 1 << 32, 1] {
                assert_eq!(decide(scope, libc::SYS_prlimit64, &[0, limit, new]), expected, "sets limit {limit}");
            }
            // The kernel reads only the lower half of the number.
            assert_eq!(decide(scope, libc::SYS_prlimit64, &[0, limit | 1 << 32, NEW]), expected, "sets limit {limit}");
            assert_eq!(decide(scope, libc::SYS_setrlimit, &[limit | 1 << 32]), expected, "sets limit {limit}");
            assert_eq!(decide(scope, libc::SYS_setrlimit, &[limit]), expected, "sets limit {limit}");
            assert_eq!(
                decide(scope, libc::SYS_prlimit64, &[1, limit, NEW]),
                REFUSED,
                "limit {limit} of another process"
            );
        }
    }
}

#[test]
fn without_a_root_of_its_own_only_a_build_changes_modes() {
    for scope in SCOPES {
        let allowed = |number, arguments: &[u64]| decide(scope, number, arguments) == ALLOWED;
        for call in [libc::SYS_fchmod, libc::SYS_fchown, libc::SYS_utimensat, libc::SYS_fchmodat] {
            assert_eq!(allowed(call, &[1, 0o644, 0o644]), scope != Scope::Landlock, "{scope:?}: {call}");
        }
    }
}

#[test]
fn where_nobody_counts_memory_a_job_holds_none_that_the_judge_cannot_see() {
    let flag = |flag: libc::c_int| u64::from(flag.cast_unsigned());
    let map = |length: u64, flags: libc::c_int| [0, length, 3, flag(flags)];
    for scope in SCOPES {
        let allowed = |counted, number, arguments: &[u64]| decide_where(counted, scope, number, arguments) == ALLOWED;
        for (call, arguments) in [
            (libc::SYS_memfd_create, &[0, 1][..]),
            (libc::SYS_mmap, &map((1 << 20) + 1, libc::MAP_SHARED | libc::MAP_ANONYMOUS)),
            (libc::SYS_mmap, &map(1 << 40, libc::MAP_SHARED | libc::MAP_ANONYMOUS)),
            (libc::SYS_mmap, &map(1 << 40 | 1 << 20, libc::MAP_SHARED_VALIDATE | libc::MAP_ANONYMOUS)),
            // What is in a pipe without being copied holds a whole piece of a file.
            (libc::SYS_sendfile, &[4, 3, 0, 1]),
            (libc::SYS_sendfile, &[4, 3, 0, 1 << 32]),
            (libc::SYS_splice, &[3, 0, 4, 0, 1, 0]),
            (libc::SYS_splice, &[3, 0, 4, 0, 1 << 32, 0]),
        ] {
            assert!(allowed(true, call, arguments) && !allowed(false, call, arguments), "{scope:?}: {call}");
        }
        for (call, arguments) in [
            (libc::SYS_mmap, &map(1 << 40, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE)[..]),
            (libc::SYS_mmap, &map(1 << 30, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED)),
            (libc::SYS_mmap, &map(1 << 30, libc::MAP_SHARED)),
            (libc::SYS_mmap, &map(1 << 20, libc::MAP_SHARED | libc::MAP_ANONYMOUS)),
            (libc::SYS_mmap, &map(1, libc::MAP_SHARED | libc::MAP_ANONYMOUS)),
            (libc::SYS_madvise, &[0, 4096, flag(libc::MADV_DONTNEED)]),
            (libc::SYS_madvise, &[0, 4096, flag(libc::MADV_HUGEPAGE)]),
        ] {
            assert!(allowed(true, call, arguments) && allowed(false, call, arguments), "{scope:?}: {call}");
        }
        for (call, none) in [(libc::SYS_sendfile, &[4, 3, 0, 1][..]), (libc::SYS_splice, &[3, 0, 4, 0, 1, 0])] {
            assert_eq!(
                decide_where(false, scope, call, none),
                NO_SETTING,
                "{scope:?}: {call}: programs copy themselves"
            );
        }
        // A removed file that is in transit in a socket is out of sight. A private root has a file system of limited size.
        let limited = [Scope::OwnRoot, Scope::OwnRootBuild].contains(&scope);
        assert_eq!(allowed(true, libc::SYS_sendmsg, &[]), limited, "{scope:?}");
    }
}
