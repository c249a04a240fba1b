//! Finds out whether programs wait for input that can never come.
//!
//! This is certain if every task of every program sleeps until something from outside wakes it, one task of each program
//! reads its standard input, and no input is on its way. If a task waits with a time limit, or a timer could wake a
//! program, it is not certain, and the time limits decide. Two checks of tasks that did not run in between give a result
//! that holds for one moment.

use std::fs;

use crate::tree;

/// The tasks of waiting programs, each with the number of context switches to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Waiting(Vec<(i32, u64)>);

/// Checks programs, each given by its processes and the inode of the pipe that is its standard input. `None` if it is
/// not certain that all wait.
pub(super) fn check(programs: &[(Vec<i32>, u64)]) -> Option<Waiting> {
    let mut tasks = Vec::new();
    for (members, pipe) in programs {
        let mut reads = false;
        for &pid in members {
            if may_be_woken(pid)? {
                return None;
            }
            for task in tree::threads_of(pid) {
                match wait_of(pid, task)? {
                    Wait::Read(descriptor) => {
                        if fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok()?.to_str()?
                            != format!("pipe:[{pipe}]")
                        {
                            return None;
                        }
                        reads = true;
                    }
                    Wait::ForEachOther => {}
                }
                tasks.push((task, switches(pid, task)?));
            }
        }
        if !reads {
            return None;
        }
    }
    tasks.sort_unstable();
    Some(Waiting(tasks))
}

/// Tests whether a program with these processes waits for input from an empty pipe: a task sleeps in a read from it, or in
/// a call that waits for several descriptors. Uncertain cases count as waiting.
pub(super) fn awaits_input(members: &[i32], pipe: u64) -> bool {
    let calls = members.iter().flat_map(|&pid| {
        let line = move |task: i32| fs::read_to_string(format!("/proc/{pid}/task/{task}/syscall")).ok();
        tree::threads_of(pid).map(move |task| (pid, line(task)))
    });
    let mut known = false;
    for (pid, line) in calls {
        let Some(line) = line else { continue };
        known = true;
        let waits = match input_of(&line) {
            Some(Input::Of(descriptor)) => fs::read_link(format!("/proc/{pid}/fd/{descriptor}"))
                .is_ok_and(|leads| leads.to_str() == Some(&format!("pipe:[{pipe}]"))),
            Some(Input::OfSeveral) => true,
            None => false,
        };
        if waits {
            return true;
        }
    }
    !known
}

/// The input for which a task sleeps.
#[derive(Debug, PartialEq, Eq)]
enum Input {
    Of(u64),
    OfSeveral,
}

/// The input for which a task sleeps in its call; `None` for another call, or if it runs.
fn input_of(line: &str) -> Option<Input> {
    if let Some(Wait::Read(descriptor)) = waits_in(line) {
        return Some(Input::Of(descriptor));
    }
    let mut words = line.split_whitespace();
    let call: libc::c_long = words.next()?.parse().ok()?;
    let number = |word: &str| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok();
    let arguments: Vec<u64> = words.map_while(number).collect();
    // The number of descriptors. Without any, the call only sleeps.
    let count = match call {
        libc::SYS_ppoll => arguments.get(1),
        libc::SYS_pselect6 => arguments.first(),
        libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => Some(&1),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll => arguments.get(1),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_select => arguments.first(),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_epoll_wait => Some(&1),
        _ => None,
    };
    count.filter(|count| **count > 0).map(|_| Input::OfSeveral)
}

/// The way in which a task waits without a time limit.
#[derive(Debug, PartialEq, Eq)]
enum Wait {
    /// For input on this descriptor.
    Read(u64),
    /// For another task of the program.
    ForEachOther,
}

/// The wait in which a task sleeps. `None` if it is unknown or another kind of wait.
fn wait_of(pid: i32, task: i32) -> Option<Wait> {
    waits_in(&fs::read_to_string(format!("/proc/{pid}/task/{task}/syscall")).ok()?)
}

fn waits_in(line: &str) -> Option<Wait> {
    const FUTEX_COMMAND: u64 = 0x7f;
    const FUTEX_WAIT: u64 = 0;
    const FUTEX_WAIT_BITSET: u64 = 9;
    let mut words = line.split_whitespace();
    // `running` is not a number, and -1 means a task that sleeps outside of a call.
    let call: libc::c_long = words.next()?.parse().ok()?;
    let mut arguments = words.map(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok());
    let mut argument = |index: usize| arguments.nth(index)?;
    match call {
        libc::SYS_read | libc::SYS_readv => Some(Wait::Read(argument(0)?)),
        libc::SYS_futex => {
            let command = argument(1)? & FUTEX_COMMAND;
            // The arguments after the command: a value, and the time limit.
            let limit = argument(1)?;
            (limit == 0 && matches!(command, FUTEX_WAIT | FUTEX_WAIT_BITSET)).then_some(Wait::ForEachOther)
        }
        libc::SYS_wait4 | libc::SYS_waitid => Some(Wait::ForEachOther),
        _ => None,
    }
}

/// Tests whether a timer could wake a process: it handles the signal of a timer, or has a timer. `None` if that is
/// unknown.
fn may_be_woken(pid: i32) -> Option<bool> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim();
    let caught = u64::from_str_radix(caught, 16).ok()?;
    let alarm = caught & (1 << (libc::SIGALRM - 1)) != 0;
    // A kernel without that file has no such timers to show.
    let timers = fs::read_to_string(format!("/proc/{pid}/timers")).unwrap_or_default();
    Some(alarm || !timers.trim().is_empty())
}

/// The number of times that a task gave up its processor, or lost it.
fn switches(pid: i32, task: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{task}/status")).ok()?;
    let number = |name: &str| {
        status.lines().find_map(|line| line.strip_prefix(name))?.strip_prefix(':')?.trim().parse::<u64>().ok()
    };
    Some(number("voluntary_ctxt_switches")? + number("nonvoluntary_ctxt_switches")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_waits_without_a_time_limit_count() {
        let line = |call: libc::c_long, arguments: &str| format!("{call} {arguments} 0x7ffc 0x7f01\n");
        assert_eq!(waits_in(&line(libc::SYS_read, "0x0 0x55d 0x2000 0x0 0x0 0x0")), Some(Wait::Read(0)));
        assert_eq!(waits_in(&line(libc::SYS_futex, "0x7f 0x189 0x0 0x0 0x0 0xff")), Some(Wait::ForEachOther));
        assert_eq!(waits_in(&line(libc::SYS_futex, "0x7f 0x189 0x0 0x7fff 0x0 0xff")), None, "with a time limit");
        assert_eq!(waits_in(&line(libc::SYS_futex, "0x7f 0x181 0x1 0x0 0x0 0xff")), None, "it wakes others");
        assert_eq!(waits_in(&line(libc::SYS_wait4, "0xffffffff 0x7ff 0x0 0x0 0x0 0x0")), Some(Wait::ForEachOther));
        for other in ["running\n", "-1 0x7ffc 0x7f01\n", "", &line(libc::SYS_nanosleep, "0x1 0x0 0x0 0x0 0x0 0x0")] {
            assert_eq!(waits_in(other), None, "{other}");
        }
    }

    #[test]
    fn a_sleep_is_no_wait_for_input() {
        let line = |call: libc::c_long, arguments: &str| format!("{call} {arguments} 0x7ffc 0x7f01\n");
        assert_eq!(input_of(&line(libc::SYS_read, "0x3 0x55d 0x2000 0x0 0x0 0x0")), Some(Input::Of(3)));
        assert_eq!(input_of(&line(libc::SYS_ppoll, "0x7f 0x2 0x0 0x0 0x8 0x0")), Some(Input::OfSeveral));
        assert_eq!(input_of(&line(libc::SYS_pselect6, "0x1 0x7f 0x0 0x0 0x0 0x0")), Some(Input::OfSeveral));
        assert_eq!(input_of(&line(libc::SYS_epoll_pwait, "0x4 0x7f 0x1 0x0 0x0 0x0")), Some(Input::OfSeveral));
        for sleep in [
            "running\n",
            "",
            &line(libc::SYS_ppoll, "0x0 0x0 0x7f 0x0 0x8 0x0"),
            &line(libc::SYS_pselect6, "0x0 0x0 0x0 0x0 0x7f 0x0"),
            &line(libc::SYS_clock_nanosleep, "0x0 0x0 0x7f 0x0 0x0 0x0"),
            &line(libc::SYS_wait4, "0xffffffff 0x7ff 0x0 0x0 0x0 0x0"),
        ] {
            assert_eq!(input_of(sleep), None, "{sleep}");
        }
        assert!(awaits_input(&[], 1), "nothing is known of it");
    }

    #[test]
    fn a_process_that_runs_does_not_wait() {
        assert_eq!(check(&[(vec![rustix::process::getpid().as_raw_pid()], 1)]), None);
    }
}
