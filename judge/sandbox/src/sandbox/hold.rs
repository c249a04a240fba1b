//! Stops all processes of a run for a while, and lets them continue.
//!
//! A control group of version 2 does both by itself, also for processes that are created meanwhile. Elsewhere they are
//! stopped by SIGSTOP, in rounds until none runs: a process that is created between two scans is found by the next one.
//! Signals leave a way out: a process can continue another one, and a timer its process.

use std::fs::{self, File};
use std::os::fd::AsFd as _;

use rustix::process::{Pid, Signal, kill_process};

use super::Running;

/// The most rounds of stopping. A tree that grows faster has its processes limited, and its time counted.
const ROUNDS: usize = 64;

/// The means to stop the processes of one run.
pub(crate) enum Hold {
    /// The file of a control group that freezes it.
    Group(File),
    /// The processes that were stopped by signals.
    Signals(Vec<Pid>),
}

impl Hold {
    /// The best means that a run has.
    pub(crate) fn of(running: &Running) -> Self {
        running.freezer().map_or_else(|| Self::Signals(Vec::new()), Self::Group)
    }

    /// True if processes could continue without the judge.
    pub(crate) fn can_continue(&self) -> bool {
        matches!(self, Self::Signals(_))
    }

    /// Tests whether all processes are stopped.
    pub(crate) fn holds(&self, running: &Running) -> bool {
        !self.can_continue() || running.members().into_iter().filter_map(Pid::from_raw).all(is_stopped)
    }

    /// Stops all processes.
    pub(crate) fn stop(&mut self, running: &Running) {
        match self {
            Self::Group(file) => {
                if write(file, b"1").is_err() {
                    *self = Self::Signals(stopped(running));
                }
            }
            Self::Signals(held) => *held = stopped(running),
        }
    }

    /// Lets all stopped processes continue.
    pub(crate) fn release(&mut self) {
        match self {
            // A group that is gone has no processes.
            Self::Group(file) => drop(write(file, b"0")),
            Self::Signals(held) => held.drain(..).for_each(|pid| send(pid, Signal::CONT)),
        }
    }
}

fn write(file: &File, order: &[u8]) -> Result<(), rustix::io::Errno> {
    rustix::io::pwrite(file.as_fd(), order, 0).map(drop)
}

fn send(pid: Pid, signal: Signal) {
    // A process that is gone needs no signal.
    kill_process(pid, signal).ok();
}

/// Stops the processes of a run by signals, and returns them.
fn stopped(running: &Running) -> Vec<Pid> {
    let members = || running.members().into_iter().filter_map(Pid::from_raw).collect::<Vec<_>>();
    let mut descendants = members();
    for _ in 0..ROUNDS {
        // Includes those that were stopped before: the end of a process can make the kernel continue its stopped children.
        descendants.iter().for_each(|&pid| send(pid, Signal::STOP));
        descendants = members();
        if descendants.iter().all(|&pid| is_stopped(pid)) {
            break;
        }
    }
    descendants
}

/// Tests whether a process is stopped, or has ended. A process that waits in the kernel for a child from `vfork` stops
/// before it executes anything else.
fn is_stopped(pid: Pid) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())) else { return true };
    // The name of the program, in parentheses, can have any letters.
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['T', 't', 'D', 'Z', 'X']))
}
