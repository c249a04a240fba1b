//! Misdeeds by processes: too many of them, too long-lived, or against others.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpid, getppid, kill_process, setsid, test_kill_process};

use super::{answer, answer_if, ignore, spin};

#[allow(clippy::zombie_processes, reason = "children that nobody waits for are among the misdeeds")]
pub(super) fn commit(misdeed: &str, argument: &str) -> bool {
    match misdeed {
        // A child outlives it and keeps standard output open.
        "child-holds-pipe" => {
            answer(argument);
            myself("sleep").expect("a child");
        }
        "fork-bomb" => loop {
            myself("fork-bomb").ok();
        },
        // Every process of it leaves its group.
        "setsid-bomb" => {
            setsid().ok();
            loop {
                myself("setsid-bomb").ok();
            }
        }
        // An honest program that does not wait for its children.
        "answer-beside-zombies" => {
            (0..3).for_each(|_| drop(myself("nothing")));
            sleep(Duration::from_millis(1200));
            answer(argument);
        }
        // Children that end at once and that nobody waits for.
        "zombie-bomb" => loop {
            myself("nothing").ok();
        },
        "thread-bomb" => loop {
            std::thread::Builder::new().spawn(|| sleep(Duration::from_secs(3600))).ok();
        },
        // The same when its first thread has ended.
        "threads-behind-ended-thread" => {
            std::thread::spawn(|| {
                sleep(Duration::from_millis(50));
                loop {
                    std::thread::Builder::new().spawn(|| sleep(Duration::from_secs(3600))).ok();
                }
            });
            super::raw::call(libc::SYS_exit, &[0]).expect("an end");
        }
        // Children whose times are lost with them, because it ignores their ends.
        "spin-in-children" => {
            let ignored = [libc::SIG_IGN as u64, 0, 0, 0];
            let arguments = [libc::SIGCHLD as u64, super::raw::address(&ignored), 0, 8];
            super::raw::call(libc::SYS_rt_sigaction, &arguments).expect("an action");
            let name = std::env::args().next().expect("a name");
            loop {
                // The library's way to wait finds none.
                Command::new(&name).args(["burn", "60", "x"]).stdout(Stdio::null()).status().ok();
            }
        }
        // Each child stops its parent until it executes a program, which none does.
        "vfork-chain" => loop {
            super::raw::call(libc::SYS_vfork, &[]).ok();
        },
        // Time that only the kernel takes.
        "spin-in-kernel" => {
            let (zeroes, mut room) = (std::fs::File::open("/dev/zero").expect("zeroes"), vec![0_u8; 1 << 20]);
            loop {
                std::io::Read::read_exact(&mut &zeroes, &mut room).expect("zeroes");
            }
        }
        // A child stops it before the limit, and lets it answer afterwards.
        "stopped-over-the-limit" => {
            myself("stop-for-a-while").expect("a child");
            sleep(Duration::from_millis(150));
            answer(argument);
        }
        "stop-for-a-while" => {
            let parent = getppid().expect("a parent");
            kill_process(parent, Signal::STOP).expect("a signal");
            sleep(Duration::from_millis(400));
            kill_process(parent, Signal::CONT).ok();
        }
        // Asks for each process by its number.
        "ask-every-number" => {
            let found: Vec<u64> = (1..=1 << 16).filter(|&number| is_there(number)).collect();
            let known =
                [Some(getpid()), getppid()].map(|pid| pid.map_or(0, |pid| pid.as_raw_pid().unsigned_abs().into()));
            eprintln!("{} found", found.len());
            answer_if(found.iter().all(|number| known.contains(number)));
        }
        // Timers that signal a thread of another process.
        "timer-for-others" => {
            const BY_THREAD: u64 = 4;
            let parent = getppid().map_or(1, |pid| pid.as_raw_pid().unsigned_abs());
            let made = (1..=parent.into()).rev().take(1000).filter(|thread| {
                let (event, timer) = ([0, libc::SIGUSR1 as u64 | BY_THREAD << 32, *thread, 0, 0, 0, 0, 0], 0_u64);
                let place = super::raw::address(&timer);
                let arguments = [libc::CLOCK_MONOTONIC as u64, super::raw::address(&event), place];
                super::raw::call(libc::SYS_timer_create, &arguments).is_ok()
            });
            answer_if(made.count() == 0);
        }
        // The shell's: every process ends when it cannot make another. That also happens when other runs of the same user
        // have all the processes that it may have, so it is lit again.
        "shell-bomb" => loop {
            Command::new("sh").args(["-c", "bomb() { bomb | bomb & }; bomb; sleep 1"]).status().ok();
        },
        // Has the kernel kill its supervisor, with a daemon left behind.
        "starve-parent" => {
            myself("detached-deaf").expect("a child");
            sleep(Duration::from_millis(100));
            let parent = getppid().expect("a parent");
            let nothing = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
            let starved = rustix::process::prlimit(Some(parent), rustix::process::Resource::Cpu, nothing);
            sleep(Duration::from_millis(100));
            answer_if(starved.is_err());
        }
        "leave-sleepers" => {
            answer(argument);
            for _ in 0..100 {
                myself("detached-sleep").expect("a child");
            }
        }
        "leave-spinners" => {
            answer(argument);
            for _ in 0..30 {
                myself("detached-spin").expect("a child");
            }
        }
        "detached-sleep" => {
            setsid().ok();
            sleep(Duration::from_secs(3600));
        }
        "detached-spin" => {
            setsid().ok();
            spin();
        }
        // Seven processes: sessions of their own, orphaned, deaf to the warning.
        "tree-of-seven" => {
            for _ in 0..3 {
                myself("branch").expect("a child");
            }
            ignore(&[signal_hook::consts::SIGTERM]);
            sleep(Duration::from_secs(3600));
        }
        "branch" => {
            setsid().ok();
            ignore(&[signal_hook::consts::SIGTERM]);
            // Through a shell that ends at once, so that its grandchild is an orphan.
            let orphan = format!("'{}' detached-deaf & exit", std::env::args().next().expect("a name"));
            Command::new("sh").args(["-c", &orphan]).stdin(Stdio::null()).status().expect("a shell");
            sleep(Duration::from_secs(3600));
        }
        "detached-deaf" => {
            setsid().ok();
            ignore(&[signal_hook::consts::SIGTERM]);
            sleep(Duration::from_secs(3600));
        }
        // Its parent is the supervisor, whose parent is the judge.
        "stop-parent" => {
            let parent = getppid().expect("a parent");
            kill_process(parent, Signal::STOP).ok();
            answer_if(true);
        }
        "kill-parent" => {
            let parent = getppid().expect("a parent");
            kill_process(parent, Signal::KILL).ok();
            sleep(Duration::from_millis(50));
            answer_if(getppid() == Some(parent));
        }
        "limit-parent" => {
            let kept = !limit_parent();
            answer_if(kept);
        }
        // It leaves processes behind that the supervisor would have to find.
        "limit-parent-and-leave" => {
            for _ in 0..3 {
                myself("detached-sleep").expect("a child");
            }
            sleep(Duration::from_millis(100));
            limit_parent();
            answer(argument);
        }
        "kill-judge" => {
            let judges = others_named("judge");
            let killed = judges.iter().filter(|pid| kill_process(**pid, Signal::TERM).is_ok()).count();
            eprintln!("{} judges seen, {killed} killed", judges.len());
            answer_if(killed == 0);
        }
        "signal-everybody" => {
            let others = others_named("");
            let reached = others.iter().filter(|pid| test_kill_process(**pid).is_ok()).count();
            eprintln!("{} others seen, {reached} reached", others.len());
            answer_if(reached == 0);
        }
        _ => return false,
    }
    true
}

/// Takes from its parent what can be taken by limits and priority: whether anything was.
fn limit_parent() -> bool {
    use rustix::process::Resource::{As, Core, Data, Fsize, Memlock, Nofile, Nproc, Sigpending, Stack};
    let parent = getppid().expect("a parent");
    let nothing = || rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    let limited = [As, Core, Data, Fsize, Memlock, Nofile, Nproc, Sigpending, Stack]
        .map(|resource| rustix::process::prlimit(Some(parent), resource, nothing()));
    let lowered = rustix::process::setpriority_process(Some(parent), 19);
    eprintln!("limits {limited:?}, priority {lowered:?}");
    limited.iter().any(Result::is_ok) || lowered.is_ok()
}

/// Asks in several ways whether a process has this number.
fn is_there(number: u64) -> bool {
    let room = [0_u64; 64];
    let at = super::raw::address(&room);
    let ways: [(libc::c_long, &[u64]); 7] = [
        (libc::SYS_kill, &[number, 0]),
        (libc::SYS_pidfd_open, &[number, 0]),
        (libc::SYS_getpgid, &[number]),
        (libc::SYS_getsid, &[number]),
        (libc::SYS_sched_getaffinity, &[number, 512, at]),
        (libc::SYS_sched_getparam, &[number, at]),
        (libc::SYS_get_robust_list, &[number, at, at + 8]),
    ];
    ways.iter().any(|(way, arguments)| match super::raw::call(*way, arguments) {
        Ok(descriptor) => *way != libc::SYS_pidfd_open || super::raw::call(libc::SYS_close, &[descriptor]).is_ok(),
        Err(error) => error == libc::EPERM,
    })
}

fn myself(misdeed: &str) -> std::io::Result<Child> {
    let name = std::env::args().next().expect("a name");
    Command::new(name).arg(misdeed).stdin(Stdio::null()).spawn()
}

/// Processes with this in their name that are not this one's family.
fn others_named(name: &str) -> Vec<Pid> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|process| {
        let pid = Pid::from_raw(process.file_name().to_str()?.parse().ok()?)?;
        let command = std::fs::read_to_string(process.path().join("comm")).ok()?;
        (command.contains(name) && pid != getpid() && Some(pid) != getppid()).then_some(pid)
    });
    pids.collect()
}
