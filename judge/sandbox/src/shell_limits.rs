//! Limits set by the organiser's shell: they are raised if this is allowed, and reported if they are too small.
//!
//! They apply to the judge and are inherited by every job, so a contest must not depend on them.

use std::io;
use std::sync::{Arc, Once};

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::SIGXFSZ;

use crate::setup_error::{ENOUGH_FILES, SetupError};

/// Number of open files that the judge itself needs, and that one job needs.
const OWN_FILES: u64 = 32;
const FILES_PER_JOB: u64 = 20;

/// Processes and threads of the user that are reserved for the judge if jobs use up the shell's limit.
const OWN_PROCESSES: u64 = 32;

/// The number of processes and threads that is enough for a job without its own limit.
const ENOUGH_PROCESSES: u64 = 64;

/// Limits with the letter of their option of `ulimit`, and the value from which they do not affect the judge.
const LIMITS: [(Resource, &str, &str, u64); 5] = [
    (Resource::Stack, "stack", "s", 8 << 20),
    (Resource::Fsize, "size of files", "f", u64::MAX),
    (Resource::Cpu, "CPU time", "t", u64::MAX),
    (Resource::As, "address space", "v", u64::MAX),
    (Resource::Data, "data segment", "d", u64::MAX),
];

/// Raises all limits that can be raised. Fails if not even one job fits the limit on open files.
pub(crate) fn lift() -> Result<(), SetupError> {
    raise_open_files();
    for (resource, ..) in LIMITS {
        // The size of this process's stack was fixed at its start; the supervisor sets the stack size of jobs.
        if resource != Resource::Stack {
            let most = getrlimit(resource).maximum;
            setrlimit(resource, Rlimit { current: most, maximum: most }).ok();
        }
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // A file beyond the limit is then an error of writing it, and does not end the judge. Jobs start with the
        // default action.
        signal_hook::flag::register(SIGXFSZ, Arc::default()).ok();
    });
    if fitting_jobs() > 0 {
        return Ok(());
    }
    Err(SetupError::OpenFiles { limit: open_files(), needed: OWN_FILES + FILES_PER_JOB })
}

/// The number of jobs at a time for which the limit on open files suffices.
pub(crate) fn fitting_jobs() -> usize {
    usize::try_from(open_files().saturating_sub(OWN_FILES) / FILES_PER_JOB).unwrap_or(usize::MAX)
}

/// The number of a user's processes and threads up to which the user's jobs may still create more. The judge may exceed
/// it, so that no job keeps it from starting others.
pub(crate) fn processes_of_jobs() -> u64 {
    getrlimit(Resource::Nproc).current.map_or(u64::MAX, |most| most.saturating_sub(OWN_PROCESSES).max(1))
}

/// Notices for limits that could not be raised, as fragments: they also apply to jobs.
pub(crate) fn notices() -> Vec<String> {
    let small = LIMITS.into_iter().filter_map(|(resource, name, option, enough)| {
        let most = getrlimit(resource).maximum.filter(|most| *most < enough)?;
        let unit = if resource == Resource::Cpu { "s" } else { "bytes" };
        Some(format!(
            "the shell limits the {name} of entries to {most} {unit}; lift it with `ulimit -{option}`, or as root"
        ))
    });
    small.collect()
}

/// A note on a failed job if the shell allows fewer processes and threads than its limits: the job's own message, such as
/// "Cannot fork", does not name the limit.
pub(crate) fn few_processes(wanted: Option<u32>) -> Option<String> {
    let most = getrlimit(Resource::Nproc).current?;
    let fewer = processes_of_jobs() < wanted.map_or(ENOUGH_PROCESSES, u64::from);
    fewer.then(|| {
        format!(
            "the shell lets this user have {most} processes and threads, {OWN_PROCESSES} of which are the judge's; if it could \
             start no more, raise that with `ulimit -u`"
        )
    })
}

/// An error of the system as a fragment, with the remedy if a limit of the shell can be the reason.
pub(crate) fn explained(error: &io::Error) -> String {
    if Errno::from_io_error(error) == Some(Errno::MFILE) {
        let files = open_files();
        return format!(
            "{error}: the limit is {files}; raise it with `ulimit -n {ENOUGH_FILES}`, or make fewer runs at a time"
        );
    }
    if let (Some(Errno::AGAIN), Some(most)) = (Errno::from_io_error(error), getrlimit(Resource::Nproc).current) {
        return format!("{error}: the user may have {most} processes and threads; raise it with `ulimit -u`");
    }
    error.to_string()
}

fn open_files() -> u64 {
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Raises the limit on open files as far as the system allows: root may exceed the hard limit. Jobs have their own
/// limit.
fn raise_open_files() {
    let most = getrlimit(Resource::Nofile).maximum;
    let enough = most.map(|most| most.max(ENOUGH_FILES));
    let raise = |to| setrlimit(Resource::Nofile, Rlimit { current: to, maximum: to });
    if enough != most && raise(enough).is_ok() {
        return;
    }
    raise(most).ok();
}
