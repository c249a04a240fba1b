//! Waits for the next event of a run.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use crate::sandbox::{Notice, Running};
use crate::{Interrupt, poll_for};

/// The descriptors that `poll` found ready.
#[derive(Default)]
pub(super) struct Ready {
    /// A message of the supervisor, or the end of a process without one.
    pub(super) process: bool,
    pub(super) interrupted: bool,
    pub(super) stdout: bool,
    pub(super) stderr: bool,
    pub(super) notice: Option<Notice>,
}

/// Waits until something is ready, for at most `left`.
pub(super) fn wait(
    running: &Running,
    interrupt: &Interrupt,
    stdout: Option<BorrowedFd<'_>>,
    stderr: Option<BorrowedFd<'_>>,
    left: Duration,
) -> io::Result<Ready> {
    let mut ready = Ready::default();
    let waits = [
        (Some(running.fd()), &mut ready.process),
        (Some(interrupt.fd()), &mut ready.interrupted),
        (stdout, &mut ready.stdout),
        (stderr, &mut ready.stderr),
    ];
    let notices = running.notices();
    let mut fds = Vec::with_capacity(waits.len() + notices.len());
    let mut flags = Vec::with_capacity(waits.len());
    for (fd, flag) in waits {
        if let Some(fd) = fd {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            flags.push(flag);
        }
    }
    fds.extend(notices.iter().map(|(_, fd, event)| PollFd::from_borrowed_fd(*fd, *event)));
    poll_for(&mut fds, left)?;
    let (plain, special) = fds.split_at(flags.len());
    for (fd, flag) in plain.iter().zip(flags) {
        *flag = !fd.revents().is_empty();
    }
    let notice = special.iter().zip(&notices).find(|(fd, _)| !fd.revents().is_empty());
    ready.notice = notice.map(|(_, (notice, ..))| *notice);
    Ok(ready)
}
