//! The one place where an entry's processes are started, held together and ended.
//!
//! Whatever isolates entries belongs here and nowhere else. Today that is a process group of its own, and a signal
//! that ends the entry's main process when the judge dies. This is the only module that may use `unsafe`.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

use super::Isolation;

/// What holds the processes started by [`spawn`].
pub(super) const ISOLATION: Isolation = Isolation::ProcessGroup;

/// Starts a command as the leader of a new process group.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    end_with_judge(command);
    command.spawn()
}

/// Sends a signal to every process in the group. A group that is gone already is as good as signalled.
pub(super) fn signal(child: Pid, signal: Signal) {
    // The only errors are "no such group" and, on some systems, "only zombies left".
    kill_process_group(child, signal).ok();
}

/// Has the kernel kill the child when the thread that started it dies, be it by SIGKILL to the judge.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a step between fork and exec has no safe form in the standard library")]
fn end_with_judge(command: &mut Command) {
    let judge = rustix::process::getpid();
    let tie = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The judge may have died before the tie was made; then nobody waits for this child.
        if rustix::process::getppid() != Some(judge) {
            return Err(io::Error::from(rustix::io::Errno::CHILD));
        }
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed. The closure makes two system calls
    // (prctl, getppid) and neither allocates nor locks: both error values are plain numbers.
    unsafe { command.pre_exec(tie) };
}

/// Other systems have no such tie; there an entry may outlive a judge that is killed.
#[cfg(not(target_os = "linux"))]
fn end_with_judge(_command: &mut Command) {}
