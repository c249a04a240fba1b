#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use rustix::process::{Resource, Rlimit, WaitIdOptions, prlimit, test_kill_process};

use super::*;
use crate::Tier;
use crate::sandbox::zygote::tests::{TIERS, TestSandbox, kib};
use crate::{Interrupt, PlacedFile};

/// Adds a spare, waits until it is ready, and returns its process number.
fn spare(bench: &TestSandbox) -> Pid {
    bench.sandbox.prepare_supervisor();
    let pid = *idle(bench).last().unwrap();
    let stat = format!("/proc/{}/stat", pid.as_raw_pid());
    let deadline = Instant::now() + 30 * MAX_AGE;
    while !fs::read_to_string(&stat).unwrap().contains(" S ") {
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    }
    pid
}

fn idle(bench: &TestSandbox) -> Vec<Pid> {
    bench.sandbox.spares.idle(&bench.sandbox.zygotes)
}

#[test]
fn a_spare_is_the_supervisor_of_the_next_run() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let pid = spare(&bench);
        let running = bench.begun(&bench.job("echo out; echo err >&2; exit 9"));
        assert_eq!(running.root(), pid, "{tier:?}");
        assert_eq!(bench.ended(running).status.unwrap().code(), Some(9), "{tier:?}");
        assert!(idle(&bench).is_empty(), "{tier:?}");
    }
}

#[test]
fn a_spare_that_is_killed_costs_no_run() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let pid = spare(&bench);
        rustix::process::kill_process(pid, Signal::KILL).unwrap();
        // Its end is what hangs up.
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        rustix::process::waitid(rustix::process::WaitId::Pid(pid), ended).unwrap();
        assert_eq!(bench.code(&bench.job("exit 5")), Some(5), "{tier:?}");
    }
}

#[test]
fn a_spare_that_was_stopped_goes_on() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let pid = spare(&bench);
        rustix::process::kill_process(pid, Signal::STOP).unwrap();
        let running = bench.begun(&bench.job("exit 6"));
        assert_eq!(running.root(), pid, "{tier:?}");
        assert_eq!(bench.ended(running).status.unwrap().code(), Some(6), "{tier:?}");
    }
}

#[test]
fn a_thread_bound_to_one_processor_prepares_for_all() {
    let bench = TestSandbox::new(TIERS[0]);
    let all = sched_getaffinity(None).unwrap();
    let mut one = CpuSet::new();
    one.set((0..CpuSet::MAX_CPU).find(|&number| all.is_set(number)).unwrap());
    sched_setaffinity(None, &one).unwrap();
    (0..2).for_each(|_| bench.sandbox.prepare_supervisor());
    assert_eq!(idle(&bench).len(), 2.min(all.count() as usize));
}

#[test]
fn a_spare_that_nothing_uses_is_ended() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let pid = spare(&bench);
        let deadline = Instant::now() + 30 * MAX_AGE;
        while test_kill_process(pid).is_ok() {
            assert!(Instant::now() < deadline, "{tier:?}");
            std::thread::sleep(MAX_AGE / 20);
        }
        assert!(idle(&bench).is_empty(), "{tier:?}");
        assert_eq!(bench.code(&bench.job("exit 8")), Some(8), "{tier:?}");
    }
}

#[test]
fn spares_end_with_their_sandbox() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let pids = [spare(&bench), spare(&bench)];
        drop(bench);
        assert!(pids.into_iter().all(|pid| test_kill_process(pid).is_err()), "{tier:?}");
    }
}

#[test]
fn a_spare_holds_nothing_but_its_socket_and_its_network() {
    let bench = TestSandbox::new(Tier::Namespaces);
    let pid = spare(&bench);
    assert!(kib(pid, "RssAnon:") < 4096);
    let of = |name: &str| Path::new("/proc").join(pid.as_raw_pid().to_string()).join(name);
    // It is not dumpable, so only root can look.
    if !rustix::process::geteuid().is_root() {
        assert!(fs::read(of("environ")).is_err() && fs::read_dir(of("fd")).is_err());
        return;
    }
    for item in fs::read_dir(of("fd")).unwrap() {
        let target = fs::read_link(item.unwrap().path()).unwrap().into_os_string().into_string().unwrap();
        assert!(target.starts_with("socket:") || target.starts_with("net:"), "{target}");
    }
}

#[test]
fn a_plan_that_is_too_large_for_a_spare_has_its_own_supervisor() {
    let bench = TestSandbox::new(Tier::Namespaces);
    let pid = spare(&bench);
    let mut job = bench.job("exec test $(wc -c <$HOME/placed) = 1048576");
    job.files = vec![PlacedFile { name: "placed".into(), contents: vec![b'x'; 1 << 20] }];
    if bench.sandbox.has_own_root() {
        assert_eq!(bench.code(&job), Some(0));
        assert_eq!(idle(&bench), [pid]);
    }
}

#[test]
fn a_root_that_does_not_show_all_that_is_usual_has_its_own_supervisor() {
    let bench = TestSandbox::new(Tier::Namespaces);
    let pid = spare(&bench);
    // It has the settings of the system in it, which are shown one by one else.
    let mut job = bench.job("test -d /usr/bin && test -e /etc/passwd && ! touch /etc/new && exec true");
    job.readable = vec![Path::new("/etc").into()];
    if bench.sandbox.has_own_root() {
        assert_eq!(bench.code(&job), Some(0));
        assert_eq!(idle(&bench), [pid]);
        assert_eq!(bench.code(&bench.job("! test -e /etc/passwd && test -e /etc/ld.so.cache && exec true")), Some(0));
        assert!(idle(&bench).is_empty());
    }
}

#[test]
fn a_spare_that_cannot_take_all_descriptors_starts_nothing() {
    for tier in TIERS {
        let bench = TestSandbox::new(tier);
        let pid = spare(&bench);
        // Enough for its own descriptors, and for the first that come with the plan.
        let few = Rlimit { current: Some(6), maximum: Some(6) };
        prlimit(Some(pid), Resource::Nofile, few).unwrap();
        let started = bench.start(&bench.job("touch $HOME/began; exit 0")).unwrap();
        let finish = started.end(&Interrupt::never().unwrap()).unwrap();
        assert!(finish.refusal.is_some() && finish.begun_us.is_none(), "{tier:?}");
        assert!(!bench.folder.path().join("began").exists());
    }
}
