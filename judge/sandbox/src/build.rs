//! Building entries before a contest begins.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use wait_timeout::ChildExt as _;

use super::{Interrupt, StopRequest as _, sandbox};

/// How often a build looks whether the judge was told to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long one build may take; one that hangs must not keep a contest from ever beginning.
const LIMIT: Duration = Duration::from_secs(30 * 60);
/// Lines of a failed build's output that its error shows.
const TAIL: usize = 20;

/// Why a build failed.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The command said so.
    #[error("`{command}` failed with {status}\n{tail}")]
    Failed {
        /// The build command.
        command: String,
        /// Its exit code or signal.
        status: String,
        /// The last lines it printed.
        tail: String,
    },
    /// The command took too long.
    #[error("`{command}` was still running after {} minutes\n{tail}", LIMIT.as_secs() / 60)]
    TooLong {
        /// The build command.
        command: String,
        /// The last lines it printed.
        tail: String,
    },
    /// The judge was told to stop.
    #[error("interrupted")]
    Interrupted,
    /// The judge could not do its part.
    #[error("`{command}` could not be run: {error}")]
    Judge {
        /// The build command.
        command: String,
        /// What failed.
        error: io::Error,
    },
}

/// Runs a build command with `sh -c` in `directory` and waits for it; what it prints goes to the file `log`.
pub fn build(command: &str, directory: &Path, log: &Path, interrupt: &Interrupt) -> Result<(), BuildError> {
    let broken = |error| BuildError::Judge { command: command.into(), error };
    let output = File::create(log).map_err(broken)?;
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(directory).stdin(Stdio::null());
    shell.stdout(output.try_clone().map_err(broken)?).stderr(output);
    let mut child = sandbox::spawn(&mut shell).map_err(broken)?;

    let started = Instant::now();
    let pid = Pid::from_child(&child);
    let status = loop {
        let ended = child.wait_timeout(POLL_INTERVAL).map_err(broken)?;
        if ended.is_some() || interrupt.requested() || started.elapsed() > LIMIT {
            break ended;
        }
    };
    // Also after an end of its own accord: what it left running must not disturb the contest.
    sandbox::signal(pid, Signal::KILL);
    match status {
        Some(status) if status.success() => Ok(()),
        Some(status) => {
            Err(BuildError::Failed { command: command.into(), status: status.to_string(), tail: tail(log) })
        }
        None => {
            child.wait().map_err(broken)?;
            if interrupt.requested() {
                return Err(BuildError::Interrupted);
            }
            Err(BuildError::TooLong { command: command.into(), tail: tail(log) })
        }
    }
}

/// The last lines of a build's output, indented; empty when there are none or they cannot be read.
fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let lines = &lines[lines.len().saturating_sub(TAIL)..];
    lines.iter().map(|line| format!("  | {line}")).collect::<Vec<_>>().join("\n")
}
