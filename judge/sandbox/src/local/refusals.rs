//! Decides who is to blame for a job that was not started, or that the system call filter ended: its author or the
//! judge.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use judge_files::script;
use rustix::io::Errno;
use signal_hook::consts::SIGSYS;

use super::LocalExecutor;
use crate::monitor::Fault;
use crate::sandbox::{Refusal, Step};
use crate::{End, shell_limits};

impl LocalExecutor<'_> {
    /// A layer of isolation that worked when this executor was made, and that the kernel has refused a job since, as a
    /// fragment. No job is executed without it.
    pub fn refused_layer(&self) -> Option<&str> {
        self.refused.get().map(String::as_str)
    }

    /// The failure of the judge to prepare the program with this name.
    pub(super) fn unprepared(&self, name: &str, refusal: &Refusal) -> Fault {
        let error = shell_limits::explained(&refusal.error.into());
        let reason = format!("{}: {error}", refusal.step);
        let fault = Fault(format!("preparing {name}: {reason}"));
        if matches!(refusal.step, Step::Seccomp | Step::Landlock) {
            self.refused.get_or_init(|| reason);
        }
        fault
    }
}

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use crate::{Interrupt, IsolationMode};

    #[test]
    fn a_layer_that_is_refused_later_is_known_and_no_other_failure_is_taken_for_one() {
        let interrupt = Interrupt::never().unwrap();
        let executor = LocalExecutor::new(&interrupt, IsolationMode::Off).unwrap();
        let fails = |step, error| executor.unprepared("x", &Refusal { step, index: 0, error }).0;
        let failed = fails(Step::Fork, Errno::AGAIN);
        assert!(failed.starts_with("preparing x: ") && executor.refused_layer().is_none(), "{failed}");
        let failed = fails(Step::Seccomp, Errno::NOMEM);
        assert_eq!(executor.refused_layer(), failed.strip_prefix("preparing x: "));
    }
}
