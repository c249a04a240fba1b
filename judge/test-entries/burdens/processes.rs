//! Burdens of processes, threads and what belongs to them.

use std::process::{Command, Stdio};
use std::time::Instant;

use super::raw::address;
use super::{EVER, Random, fork, repeat, tried};

pub(super) fn threads(_: &mut Random, deadline: Instant) {
    repeat(deadline, || {
        let thread = std::thread::Builder::new().stack_size(16 << 10).spawn(|| std::thread::sleep(EVER));
        thread.ok().map(drop)
    });
}

pub(super) fn sleepers(_: &mut Random, deadline: Instant) {
    repeat(deadline, || match fork()? {
        0 => {
            std::thread::sleep(EVER);
            None
        }
        _ => Some(()),
    });
}

pub(super) fn zombies(_: &mut Random, deadline: Instant) {
    repeat(deadline, || match fork()? {
        0 => std::process::exit(0),
        _ => Some(()),
    });
}

pub(super) fn stopped(_: &mut Random, deadline: Instant) {
    repeat(deadline, || match fork()? {
        0 => {
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP).ok();
            None
        }
        _ => Some(()),
    });
}

pub(super) fn timers(_: &mut Random, deadline: Instant) {
    // A process's own clock of CPU time, and no signal.
    let mut event = [0_u64; 8];
    event[1] = (libc::SIGEV_NONE as u64) << 32;
    let id = [0_u64];
    let interval = [0_u64, 1_000_000, 0, 1_000_000];
    repeat(deadline, || {
        tried(libc::SYS_timer_create, &[libc::CLOCK_MONOTONIC as u64, address(&event), address(&id)])?;
        tried(libc::SYS_timer_settime, &[std::hint::black_box(&id)[0] & 0xffff_ffff, 0, address(&interval), 0])
            .map(drop)
    });
}

pub(super) fn waiting_signals(_: &mut Random, deadline: Instant) {
    let all = [u64::MAX];
    tried(libc::SYS_rt_sigprocmask, &[libc::SIG_BLOCK as u64, address(&all), 0, 8]);
    let me = rustix::process::getpid().as_raw_pid().unsigned_abs().into();
    let mut number = 34;
    repeat(deadline, || {
        number = 34 + (number - 33) % 30;
        let about = [number, (-1_i64).cast_unsigned() << 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        tried(libc::SYS_rt_sigqueueinfo, &[me, number, address(&about)]).map(drop)
    });
}

/// Dies by a signal that asks for a core file, with much memory.
pub(super) fn large_core(random: &mut Random, _: Instant) {
    let held = vec![1_u8; random.index(64 << 20)];
    if fork() == Some(0) {
        std::hint::black_box(held);
        std::process::abort();
    }
}

/// Programs whose arguments and environment are as large as the kernel takes.
pub(super) fn huge_environments(random: &mut Random, deadline: Instant) {
    let value = "v".repeat(1 + random.index(120_000));
    let name = std::env::args().next().unwrap_or_default();
    let mut held = Vec::new();
    repeat(deadline, || {
        let mut command = Command::new(&name);
        command.envs((0..16).map(|number| (format!("V{number}"), &value)));
        held.push(command.stdin(Stdio::null()).spawn().ok()?);
        Some(())
    });
    std::mem::forget(held);
}

/// Filters of system calls, which every later call passes, and domains of Landlock.
pub(super) fn filters(_: &mut Random, deadline: Instant) {
    // Loads the number of the call, many times, and allows it.
    let mut program = vec![0x20_u64; 1000];
    program.push(0x7fff_0000_0000_0006);
    let prog = [program.len() as u64, address(&*program)];
    repeat(deadline, || {
        tried(libc::SYS_seccomp, &[1, 0, address(&prog)])?;
        let handled = [0x1fff_u64];
        let rules = tried(libc::SYS_landlock_create_ruleset, &[address(&handled), 8, 0]);
        if let Some(rules) = rules {
            tried(libc::SYS_close, &[rules]);
        }
        Some(())
    });
}

/// What it holds is taken apart at the lowest priority, beside processes that compute.
pub(super) fn lowest_priority(random: &mut Random, deadline: Instant) {
    for _ in 0..8 {
        if fork() == Some(0) {
            loop {
                std::hint::spin_loop();
            }
        }
    }
    rustix::process::setpriority_process(None, 19).ok();
    super::memory::page_tables(random, deadline);
}
