//! A process group without a supervisor, as on a system without `clone3` or pidfds.
//!
//! The standard library starts the process. A child that leaves the group is not killed with it.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

use super::Start;
use super::sys::{self, Image};
use crate::Argument;

/// Starts an entry as the leader of a new process group.
pub(super) fn start(start: &Start<'_>, directory: &Path, stdin: File, image: Image) -> io::Result<Child> {
    let mut command = Command::new(start.program.path());
    command.current_dir(directory).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    sys::tie_to_judge(&mut command);
    sys::execute_directly(&mut command, image);
    command.process_group(0).spawn()
}

/// Sends a signal to every process in the group. A group that is gone is ignored.
pub(super) fn signal(child: Pid, signal: Signal) {
    // The only errors are "no such group" and, on some systems, "only zombies left".
    kill_process_group(child, signal).ok();
}

/// The image of a program for `execve`.
pub(super) fn image(
    start: &Start<'_>,
    scratch: &Path,
    environment: &[(String, std::ffi::OsString)],
) -> io::Result<Image> {
    let arguments = start.job.argv.iter().map(|argument| match argument {
        Argument::Text(text) => text.as_bytes().to_vec(),
        Argument::Path(place) => place.path().into_os_string().into_encoded_bytes(),
        Argument::File(name) => scratch.join(name).into_os_string().into_encoded_bytes(),
        Argument::Folder(name) => scratch.join(name).join("").into_os_string().into_encoded_bytes(),
    });
    let pairs = environment.iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat());
    Image::new(start.program.path().into_os_string().into_encoded_bytes(), arguments, pairs)
}
