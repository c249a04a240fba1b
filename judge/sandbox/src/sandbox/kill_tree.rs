//! Ends all processes of a job without a PID namespace.
//!
//! Killing one by one loses to a fork bomb. So SIGSTOP is sent in rounds until no new process appears, then SIGKILL. Like
//! everything in a supervisor, this allocates nothing.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use rustix::fs::{CWD, Mode, OFlags, RawDir, openat};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// The most processes that are ended in one round.
const MAX: usize = 4096;
/// The most rounds of stopping before SIGKILL is sent in any case.
const ROUNDS: usize = 64;

/// Kills the entry's process group and every descendant of this process. `hard` stops them first.
pub(super) fn kill_all(entry: Pid, hard: bool) {
    // One signal kills the group, and most jobs are one group.
    kill_process_group(entry, Signal::KILL).ok();
    let mut descendants = Descendants::new();
    descendants.scan();
    if hard {
        let mut stopped = Descendants::new();
        for _ in 0..ROUNDS {
            descendants.members().for_each(|member| send(member, Signal::STOP));
            std::mem::swap(&mut descendants, &mut stopped);
            descendants.scan();
            if descendants.members().all(|member| stopped.members().any(|other| other == member)) {
                break;
            }
        }
    }
    descendants.members().for_each(|member| send(member, Signal::KILL));
}

fn send(member: i32, signal: Signal) {
    if let Some(member) = Pid::from_raw(member) {
        kill_process(member, signal).ok();
    }
}

/// The descendants of this process.
struct Descendants {
    members: [i32; MAX],
    count: usize,
}

impl Descendants {
    fn new() -> Self {
        Self { members: [0; MAX], count: 0 }
    }

    fn members(&self) -> impl Iterator<Item = i32> {
        self.members.iter().take(self.count).copied()
    }

    /// Finds all living descendants, generation by generation.
    fn scan(&mut self) {
        self.count = 0;
        self.add_children_of(rustix::process::getpid().as_raw_pid());
        let mut next = 0;
        while let Some(&member) = self.members.get(next).filter(|_| next < self.count) {
            self.add_children_of(member);
            next += 1;
        }
    }

    /// Adds the children of a process: the children of all its threads.
    fn add_children_of(&mut self, process: i32) {
        let mut path = [0; 32];
        let Some(path) = path_of_threads(process, &mut path) else { return };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(threads) = openat(CWD, path, flags, Mode::empty()) else { return };
        let mut buffer = [MaybeUninit::uninit(); 2048];
        let mut items = RawDir::new(&threads, &mut buffer);
        while let Some(Ok(item)) = items.next() {
            if !item.file_name().to_bytes().first().is_some_and(u8::is_ascii_digit) {
                continue;
            }
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let Ok(thread) = openat(&threads, item.file_name(), flags, Mode::empty()) else { continue };
            if let Ok(list) = openat(&thread, c"children", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
                self.add_listed(&list);
            }
        }
    }

    fn add_listed(&mut self, list: &std::os::fd::OwnedFd) {
        let mut number: i32 = 0;
        let mut piece = [0; 1024];
        while let Ok(length @ 1..) = rustix::io::read(list, &mut piece) {
            for byte in piece.iter().take(length) {
                if byte.is_ascii_digit() {
                    number = number.saturating_mul(10).saturating_add((byte - b'0').into());
                } else if let Some(place) = self.members.get_mut(self.count) {
                    *place = std::mem::take(&mut number);
                    self.count += 1;
                }
            }
        }
    }
}

/// `/proc/PROCESS/task`, written into a buffer.
fn path_of_threads(process: i32, buffer: &mut [u8; 32]) -> Option<&CStr> {
    let mut digits = [0; 10];
    let mut rest = process.unsigned_abs();
    let mut first = digits.len();
    while rest > 0 {
        first -= 1;
        digits[first] = b'0' + u8::try_from(rest % 10).ok()?;
        rest /= 10;
    }
    let mut end = 0;
    for part in [&b"/proc/"[..], &digits[first..], b"/task\0"] {
        buffer.get_mut(end..end + part.len())?.copy_from_slice(part);
        end += part.len();
    }
    CStr::from_bytes_until_nul(buffer).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn the_path_of_a_process_is_what_formatting_makes_of_it() {
        for process in [1, 10, 32_768, 4_194_304, i32::MAX] {
            let mut buffer = [0; 32];
            assert_eq!(
                path_of_threads(process, &mut buffer).unwrap().to_str().unwrap(),
                format!("/proc/{process}/task")
            );
        }
    }

    #[test]
    fn a_child_is_family() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let mut descendants = Descendants::new();
        // The lists may have gaps while threads of other tests come and go.
        let seen = (0..100).any(|_| {
            descendants.scan();
            descendants.members().any(|member| member == pid)
        });
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen);
    }
}
