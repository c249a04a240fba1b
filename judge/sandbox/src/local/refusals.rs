//! Decides who is to blame for a job that was not started, or that the system call filter ended: its author or the
//! judge.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use judge_files::script;
use rustix::io::Errno;
use signal_hook::consts::SIGSYS;

use crate::monitor::Fault;
use crate::sandbox::{Refusal, Step};
use crate::{End, shell_limits};

/// Tests whether a path led to another file than the judge had seen there.
pub(super) fn was_changed(refusal: &Refusal) -> bool {
    matches!(refusal.step, Step::Visible | Step::Writable | Step::Landlock)
        && matches!(refusal.error, Errno::LOOP | Errno::STALE | Errno::NOTDIR | Errno::NOENT)
}

/// Tests whether an author can have caused the error of opening one of the author's files, by a link or by replacing
/// the file.
pub(super) fn is_by_author(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), InvalidInput | NotADirectory | NotFound | PermissionDenied)
}

/// Tests whether a scratch directory had no room for the placed files.
pub(super) fn has_no_room(refusal: &Refusal) -> bool {
    refusal.step == Step::Files && refusal.error == Errno::NOSPC
}

/// The end of a job whose program was refused. If the machine lacked resources or was busy, this is the judge's
/// failure, otherwise the job's.
pub(super) fn refused(error: Errno, program: &Path) -> Result<End, Fault> {
    let name = program.display();
    let reason = match error {
        Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE | Errno::TXTBSY | Errno::CHILD | Errno::IO => {
            let error = shell_limits::explained(&error.into());
            return Err(Fault(format!("starting {name}: {error}")));
        }
        Errno::NOENT if program.exists() => match script::windows_lines(program) {
            Some(reason) => format!("{name} {reason}"),
            None => format!("the interpreter of {name} is missing or not visible in the sandbox (see `readable`)"),
        },
        Errno::NOENT => format!("{name} does not exist"),
        Errno::ACCESS => format!("{name} is not an executable file, or its permissions do not let the job execute it"),
        Errno::NOEXEC => {
            format!("{name} is not a program for this machine; a script needs a first line such as #!/bin/sh")
        }
        error => format!("{name}: {}", io::Error::from(error)),
    };
    Ok(End::CouldNotStart { reason, by_author: false })
}

/// The note on a run that was ended by the signal of the system call filter. The kernel does not report the call; only
/// calls of another architecture cause the signal, as the filter refuses all others with an error.
pub(super) fn killed_by_filter(program: &Path) -> String {
    const ELF_32_BIT: &[u8] = b"\x7fELF\x01";
    let mut head = [0; ELF_32_BIT.len()];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut head));
    let who = if read.is_ok() && head == ELF_32_BIT {
        "it is a 32-bit program".to_owned()
    } else {
        format!("it ran code of another architecture, such as 32-bit code, or sent itself signal {SIGSYS}")
    };
    let machine = std::env::consts::ARCH;
    format!("{who}: the system call filter ends programs of another architecture than {machine} with that signal")
}
