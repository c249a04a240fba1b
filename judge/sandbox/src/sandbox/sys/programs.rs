//! Turns a process into a program.

use std::ffi::CString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::io::Errno;
use rustix::process::Signal;
use rustix::time::Timespec;

use super::{last_error, stop_ignoring_signals, unblock_signals};
use crate::sandbox::flat::Writer;
use crate::sandbox::launch;

/// Arguments of `execve`, prepared before the fork.
pub(in crate::sandbox) struct Image {
    path: CString,
    arguments: Strings,
    environment: Strings,
}

impl Image {
    pub(in crate::sandbox) fn new(
        path: Vec<u8>,
        arguments: impl Iterator<Item = Vec<u8>>,
        environment: impl Iterator<Item = Vec<u8>>,
    ) -> io::Result<Self> {
        let (arguments, environment) = (Strings::new(arguments)?, Strings::new(environment)?);
        Ok(Self { path: CString::new(path)?, arguments, environment })
    }

    /// Becomes the program; returns only if the kernel refuses.
    fn execute(&self) -> Errno {
        again(|| {
            // SAFETY: the path is a C string, both arrays end with a null pointer, and all they point to lives in `self`.
            // execve is async-signal-safe.
            unsafe { libc::execve(self.path.as_ptr(), self.arguments.pointers(), self.environment.pointers()) };
            last_error()
        })
    }

    pub(in crate::sandbox) fn write<'w>(&self, to: &'w mut Writer) -> &'w mut Writer {
        let to = to.text(&self.path).list(&self.arguments.strings, |to, argument| to.text(argument));
        to.list(&self.environment.strings, |to, variable| to.text(variable))
    }
}

/// Tries to become a program. While another process has the file open for writing, it tries again: a child that the judge
/// is just creating may hold the descriptor with which the file was written.
fn again(attempt: impl Fn() -> Errno) -> Errno {
    const TRIES: u32 = 500;
    let pause = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };
    for _ in 0..TRIES {
        let error = attempt();
        if error != Errno::TXTBSY {
            return error;
        }
        drop(rustix::thread::nanosleep(&pause));
    }
    Errno::TXTBSY
}

/// Becomes the program of a plan; returns only if the kernel refuses. `attempt` is called before each try.
pub(in crate::sandbox) fn execute(image: &launch::Image<'_>, attempt: impl Fn()) -> Errno {
    let launch::Image { path, arguments, environment } = image;
    let count = arguments.len() + environment.len() + 2;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the kernel's choice, zeroed and large enough for `count` pointers. It is
    // filled with one pointer per string, each to a C string that lives in the plan, and the two null pointers that end
    // the arrays are the zeroes behind them: a list never gives more items than its length.
    unsafe {
        let room = libc::mmap(std::ptr::null_mut(), count * size_of::<*const libc::c_char>(), access, kind, -1, 0);
        if room == libc::MAP_FAILED {
            return last_error();
        }
        let first = room.cast::<*const libc::c_char>();
        let second = first.add(arguments.len() + 1);
        for (array, strings) in [(first, arguments), (second, environment)] {
            for (place, string) in strings.iter().enumerate() {
                array.add(place).write(string.as_ptr());
            }
        }
        again(|| {
            attempt();
            libc::execve(path.as_ptr(), first, second);
            last_error()
        })
    }
}

/// Strings in the form of `execve`: an array of pointers with a null pointer after the last one.
struct Strings {
    /// Owns the strings to which the pointers point; never changed after the pointers were taken.
    strings: Vec<CString>,
    pointers: Vec<*const libc::c_char>,
}

// SAFETY: the pointers point into heap memory that moves with `strings`, belongs to this value alone and is only
// ever read, so it does not matter which thread holds the value.
unsafe impl Send for Strings {}
// SAFETY: as above; shared reads of memory that is never written.
unsafe impl Sync for Strings {}

impl Strings {
    fn new(strings: impl Iterator<Item = Vec<u8>>) -> io::Result<Self> {
        let strings = strings.map(CString::new).collect::<Result<Vec<_>, _>>()?;
        let pointers = strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Self { strings, pointers })
    }

    fn pointers(&self) -> *const *const libc::c_char {
        self.pointers.as_ptr()
    }
}

/// Makes the kernel kill the command's process when the thread that starts it dies, even by SIGKILL to the judge.
pub(in crate::sandbox) fn tie_to_judge(command: &mut Command) {
    let judge = rustix::process::getpid();
    let tie = move || {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        // The judge may have died before the tie was made.
        if rustix::process::getppid() != Some(judge) {
            return Err(io::Error::from(Errno::CHILD));
        }
        Ok(())
    };
    // SAFETY: the closure makes two system calls (prctl, getppid) and neither allocates nor locks: both error values
    // are plain numbers.
    unsafe { command.pre_exec(tie) };
}

/// Makes the last step of `spawn` an `execve` of the image instead of the standard library's `execvp`, which passes a
/// file of unknown format to a shell.
pub(in crate::sandbox) fn execute_directly(command: &mut Command, image: Image) {
    let execute = move || {
        stop_ignoring_signals();
        unblock_signals();
        Err(image.execute().into())
    };
    // SAFETY: the closure makes system calls and reads errno; everything it needs was allocated before the fork.
    unsafe { command.pre_exec(execute) };
}
