//! Programs of the site that the judge itself asks, such as the commands of Slurm. They are trusted and not isolated.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use judge_job::StopRequest;
use rustix::process::{Pid, Signal, kill_process_group};

/// The time between two looks at a command, and the time that it has to end after a request.
const INTERVAL: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(2);

/// The output of a program of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// True if its exit code was 0.
    pub success: bool,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs a program that is on the `PATH` or has a `/` in its name, and waits for its end. It is in a process group of its own,
/// so that Ctrl-C reaches the judge alone. Fails if it cannot be started.
pub fn ask(program: &str, arguments: &[String], stdin: &str, environment: &[(&str, &str)]) -> io::Result<Answer> {
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied()).process_group(0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read its input may close the pipe.
        pipe.write_all(stdin.as_bytes()).ok();
    }
    let output = child.wait_with_output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Answer { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) })
}

/// Executes a shell command of the user, not isolated, with its output on standard error, and waits for its end. It reads
/// nothing. A request to stop ends all its processes; then the result is `None`. Fails if there is no shell.
pub fn shell(command: &str, stop: &dyn StopRequest) -> io::Result<Option<ExitStatus>> {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).process_group(0).stdin(Stdio::null());
    // The caller's standard output is for results.
    let mut child = shell.stdout(io::stderr().as_fd().try_clone_to_owned()?).spawn()?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let end = |signal: Signal| group.map(|group| kill_process_group(group, signal));
    let mut patience = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((!stop.requested()).then_some(status));
        }
        if stop.requested() {
            match patience {
                None => {
                    end(Signal::TERM);
                    patience = Some(PATIENCE);
                }
                Some(Duration::ZERO) => {
                    end(Signal::KILL);
                }
                Some(left) => patience = Some(left.saturating_sub(INTERVAL)),
            }
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Name of this node: as Slurm calls it, or the host name.
pub fn node_name() -> String {
    let named = crate::inherited("SLURMD_NODENAME").and_then(|name| name.into_string().ok());
    named.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    /// A request to stop that is made at its so manieth look.
    struct After(std::sync::atomic::AtomicU32);

    impl StopRequest for After {
        fn requested(&self) -> bool {
            self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        }

        fn request(&self) {
            self.0.store(0, Relaxed);
        }
    }

    #[test]
    fn a_command_of_the_user_ends_or_is_ended_with_its_processes() {
        let shell = |command: &str, looks: u32| shell(command, &After(looks.into())).expect("a shell");
        assert_eq!(shell("exit 0", u32::MAX).and_then(|end| end.code()), Some(0));
        assert_eq!(shell("read -r line && exit 1; exit 7", u32::MAX).and_then(|end| end.code()), Some(7));
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let mark = folder.path().display().to_string();
        let command = format!("trap '' TERM; (trap '' TERM; sleep 600; echo {mark}) & wait; sleep 600");
        assert_eq!(shell(&command, 20), None);
        let named = |process: std::fs::DirEntry| {
            std::fs::read_to_string(process.path().join("cmdline")).is_ok_and(|line| line.contains(&mark))
        };
        while std::fs::read_dir("/proc").expect("processes").flatten().any(named) {
            std::thread::sleep(INTERVAL);
        }
    }

    #[test]
    fn a_program_is_asked_and_answers() {
        let script = "cat; echo $WORD; echo bad >&2; exit 3".to_owned();
        let answer = ask("sh", &["-c".into(), script], "in\n", &[("WORD", "out")]);
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((answer.success, &*answer.stdout, &*answer.stderr), (false, "in\nout\n", "bad\n"));
        assert!(ask("/none/such", &[], "", &[]).is_err());
        assert!(!node_name().is_empty());
    }
}
