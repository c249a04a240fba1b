//! The one place where processes are started, held together and ended.
//!
//! Whatever isolates entries belongs here and nowhere else. Today that is a process group of its own, and a signal
//! that ends the entry's main process when the judge dies. This is the only module that may use `unsafe`.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

use super::Isolation;

/// What holds the processes started by [`spawn_entry`].
pub(super) const ISOLATION: Isolation = Isolation::ProcessGroup;

/// Starts an entry as the leader of a new process group, with exactly the environment that was set on the command.
///
/// The program is executed by the kernel or not at all: the C library's detour of handing a file without a known
/// format to a shell would turn a program for another machine into a puzzling crash.
pub(super) fn spawn_entry(command: &mut Command) -> io::Result<Child> {
    let image = Image::of(command)?;
    tie_to_judge(command);
    execute_directly(command, image);
    command.process_group(0).spawn()
}

/// Starts a helper of the organiser's, such as a build, as the leader of a new process group.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    tie_to_judge(command);
    command.process_group(0).spawn()
}

/// Sends a signal to every process in the group. A group that is gone already is as good as signalled.
pub(super) fn signal(child: Pid, signal: Signal) {
    // The only errors are "no such group" and, on some systems, "only zombies left".
    kill_process_group(child, signal).ok();
}

/// Has the kernel kill the child when the thread that started it dies, be it by SIGKILL to the judge.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a step between fork and exec has no safe form in the standard library")]
fn tie_to_judge(command: &mut Command) {
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
fn tie_to_judge(_command: &mut Command) {}

/// Makes the last step of `spawn` an `execve` of the image, in place of the standard library's `execvp`.
#[allow(unsafe_code, reason = "the standard library has no exec without the C library's detour by way of a shell")]
fn execute_directly(command: &mut Command, image: Image) {
    let execute = move || {
        // SAFETY: the path is a C string, both arrays end with a null pointer, and all they point to lives in
        // `image`, which the closure owns. execve is async-signal-safe; it returns only when it failed.
        unsafe { libc::execve(image.path.as_ptr(), image.arguments.pointers(), image.environment.pointers()) };
        Err(io::Error::last_os_error())
    };
    // SAFETY: the closure makes one system call and reads errno; everything it needs was allocated before the fork.
    unsafe { command.pre_exec(execute) };
}

/// What `execve` takes, ready before the fork.
struct Image {
    path: CString,
    arguments: Strings,
    environment: Strings,
}

impl Image {
    fn of(command: &Command) -> io::Result<Self> {
        let environment: Vec<_> = command.get_envs().filter_map(|(name, value)| Some((name, value?))).collect();
        let path = environment.iter().find(|(name, _)| *name == "PATH").map(|(_, path)| *path);
        let program = find(command.get_program(), path.unwrap_or_default())?;
        let arguments = std::iter::once(command.get_program()).chain(command.get_args());
        let pairs = environment.iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_bytes()].concat());
        Ok(Self {
            path: CString::new(program.as_os_str().as_bytes())?,
            arguments: Strings::new(arguments.map(|word| word.as_bytes().to_vec()))?,
            environment: Strings::new(pairs)?,
        })
    }
}

/// Strings as `execve` takes them: an array of pointers with a null pointer behind the last.
struct Strings {
    /// Owns what the pointers point to; never changed after they were taken.
    _strings: Vec<CString>,
    pointers: Vec<*const libc::c_char>,
}

// SAFETY: the pointers point into heap memory that moves with `_strings`, belongs to this value alone and is only
// ever read, so it does not matter which thread holds the value.
#[allow(unsafe_code, reason = "raw pointers are not Send or Sync by themselves")]
unsafe impl Send for Strings {}
// SAFETY: as above; shared reads of memory that nobody writes.
#[allow(unsafe_code, reason = "raw pointers are not Send or Sync by themselves")]
unsafe impl Sync for Strings {}

impl Strings {
    fn new(strings: impl Iterator<Item = Vec<u8>>) -> io::Result<Self> {
        let strings = strings.map(CString::new).collect::<Result<Vec<_>, _>>()?;
        let pointers = strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Self { _strings: strings, pointers })
    }

    fn pointers(&self) -> *const *const libc::c_char {
        self.pointers.as_ptr()
    }
}

/// The file of a program: a path as it is, a bare name in the first folder of the PATH that has such a program.
fn find(program: &OsStr, path: &OsStr) -> io::Result<PathBuf> {
    if program.as_bytes().contains(&b'/') {
        return Ok(program.into());
    }
    let executable = |file: &Path| {
        file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
    };
    let files = std::env::split_paths(path).map(|folder| folder.join(program));
    files.into_iter().find(|file| executable(file)).ok_or_else(|| io::ErrorKind::NotFound.into())
}
