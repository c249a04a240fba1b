//! Programs that the judge itself executes, such as the commands of Slurm. They are trusted and not isolated.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use judge_job::StopRequest;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// The time between two checks of a command, and the time that it has to end after a request.
const INTERVAL: Duration = Duration::from_millis(20);
const TERMINATION_GRACE: Duration = Duration::from_secs(2);

/// The output of a trusted program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramOutput {
    /// True if its exit code was 0.
    pub success: bool,
    /// Standard output, with bytes that are not UTF-8 replaced.
    pub stdout: String,
    /// Standard error, with bytes that are not UTF-8 replaced.
    pub stderr: String,
}

/// Runs a program that is on the `PATH` or has a `/` in its name, and waits for its end. It is in its own process group, so
/// that Ctrl-C reaches the judge alone.
///
/// # Errors
/// The system's, if the program cannot be started.
pub fn run_program(
    program: &str,
    arguments: &[String],
    stdin: &str,
    environment: &[(&str, &str)],
) -> io::Result<ProgramOutput> {
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied()).process_group(0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A program that does not read its input may close the pipe.
        pipe.write_all(stdin.as_bytes()).ok();
    }
    let output = child.wait_with_output()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(ProgramOutput { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) })
}

/// Executes a shell command of the user, not isolated, with its output on standard error, and waits for its end. It reads
/// nothing. A request to stop ends all its processes; then the result is `None`.
///
/// # Errors
/// The system's, if there is no shell.
pub fn shell(command: &str, stop: &dyn StopRequest) -> io::Result<Option<ExitStatus>> {
    waited(Command::new("sh").args(["-c", command]).stdin(Stdio::null()), None, stop)
}

/// Executes a shell command of the user like [`shell`], in a folder, with a file as standard input, and with a time limit,
/// after which all its processes are killed.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] if it has not ended by itself, and as [`shell`].
pub fn shell_within(
    limit: Duration,
    folder: &Path,
    command: &str,
    input: File,
    stop: &dyn StopRequest,
) -> io::Result<Option<ExitStatus>> {
    waited(Command::new("sh").args(["-c", command]).current_dir(folder).stdin(input), Some(limit), stop)
}

fn waited(shell: &mut Command, limit: Option<Duration>, stop: &dyn StopRequest) -> io::Result<Option<ExitStatus>> {
    shell.process_group(0);
    // The caller's standard output is for results.
    let mut child = shell.stdout(io::stderr().as_fd().try_clone_to_owned()?).spawn()?;
    let group = Pid::from_child(&child);
    // Until the shell is reaped, its process number, and so its group's, cannot be reused.
    let ended = || waitid(WaitId::Pid(group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG);
    let mut patience = TERMINATION_GRACE;
    let begun = Instant::now();
    while ended()?.is_none() {
        if limit.is_some_and(|limit| begun.elapsed() >= limit) {
            kill_process_group(group, Signal::KILL).ok();
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        if stop.requested() {
            let signal = if patience.is_zero() { Signal::KILL } else { Signal::TERM };
            if patience == TERMINATION_GRACE || patience.is_zero() {
                kill_process_group(group, signal).ok();
            }
            patience = patience.saturating_sub(INTERVAL);
        }
        std::thread::sleep(INTERVAL);
    }
    let stopped = stop.requested();
    if stopped {
        // Remaining processes may ignore the first signal.
        kill_process_group(group, Signal::KILL).ok();
    }
    let status = child.wait()?;
    Ok((!stopped).then_some(status))
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_job::StopFlag;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{Mode, OFlags};

    #[test]
    fn a_command_of_the_user_ends_by_itself() {
        let code = |command: &str| shell(command, &StopFlag::default()).expect("a shell").and_then(|end| end.code());
        assert_eq!(code("exit 0"), Some(0));
        assert_eq!(code("read -r line && exit 1; exit 7"), Some(7), "it reads nothing");
    }

    #[test]
    fn a_command_that_hangs_is_killed_with_all_its_processes() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("it is there").success());
        let stop = StopFlag::default();
        let within = |limit: u64, command: &str| {
            let input = File::open("/dev/null").expect("it is there");
            shell_within(Duration::from_millis(limit), folder.path(), command, input, &stop)
        };
        let held = std::thread::scope(|scope| {
            let ran = scope.spawn(|| within(1000, "(trap '' TERM; exec sleep 600) >pipe & trap '' TERM; wait"));
            // The child holds the pipe as long as it lives. This waits for no child that was killed before.
            let opens = OFlags::RDONLY | OFlags::NONBLOCK;
            let held = rustix::fs::open(&pipe, opens, Mode::empty()).expect("a pipe");
            let end = ran.join().expect("no panic").expect_err("it hangs");
            assert_eq!(end.kind(), io::ErrorKind::TimedOut);
            held
        });
        let begun = Instant::now();
        while rustix::io::read(&held, &mut [0; 1]) != Ok(0) {
            assert!(begun.elapsed() < Duration::from_secs(60), "the child lives");
            std::thread::sleep(INTERVAL);
        }
        let ended = within(60_000, "exit 3").expect("a shell");
        assert_eq!(ended.and_then(|end| end.code()), Some(3));
    }

    #[test]
    fn a_request_to_stop_ends_all_processes_of_a_command() {
        // The shell ends by the first signal, or ignores it as its child does.
        for deed in ["exec sleep 600", "trap '' TERM; wait; sleep 600"] {
            let folder = tempfile::tempdir().expect("a folder");
            let pipe = folder.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&pipe).status().expect("it is there").success());
            // The child holds the pipe as long as it lives.
            let command = format!("(trap '' TERM; exec sleep 600 >{}) & {deed}", pipe.display());
            let stop = StopFlag::default();
            let held = std::thread::scope(|scope| {
                let ran = scope.spawn(|| shell(&command, &stop));
                let held = std::fs::File::open(&pipe).expect("the child opens it, too");
                stop.request();
                assert_eq!(ran.join().expect("no panic").expect("a shell"), None);
                held
            });
            let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
            let ready = poll(&mut [PollFd::new(&held, PollFlags::IN)], Some(&minute)).expect("a pipe");
            assert_eq!(ready, 1, "{deed}: the child lives");
        }
    }

    #[test]
    fn a_program_answers_what_it_is_asked() {
        let script = "cat; echo $WORD; echo bad >&2; exit 3".to_owned();
        let answer = run_program("sh", &["-c".into(), script], "in\n", &[("WORD", "out")]);
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((answer.success, &*answer.stdout, &*answer.stderr), (false, "in\nout\n", "bad\n"));
        assert!(run_program("/none/such", &[], "", &[]).is_err());
    }
}
