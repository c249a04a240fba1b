//! Processes of a test: those that run, and signals to them.

use std::fs;
use std::path::Path;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};

use super::wait_for;

/// Command lines of running processes that contain a path, without zombies. Tests call it repeatedly, so it reads only
/// one file per process.
pub(crate) fn processes_naming(path: &Path) -> Vec<String> {
    let path = path.as_os_str().as_encoded_bytes();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let processes = processes.filter(|process| process.file_name().as_encoded_bytes()[0].is_ascii_digit());
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let lines = lines.filter(|line| line.windows(path.len()).any(|part| part == path));
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).collect()
}

/// Waits for something that a process does, long enough for a busy machine.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    wait_for(|| what.to_owned(), || holds().then_some(()));
}

/// Waits until a process runs that names this path.
#[track_caller]
pub(crate) fn until_one_names(path: &Path) {
    until("a process", || !processes_naming(path).is_empty());
}

/// Waits until no process runs that names this path.
#[track_caller]
pub(crate) fn until_none_names(path: &Path) {
    until("the end of all processes", || processes_naming(path).is_empty());
}

/// Sends a signal to a child.
pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}
