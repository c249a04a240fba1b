//! Programs of the site that the judge itself asks, such as the commands of Slurm. They are trusted and not isolated.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

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

/// Name of this node: as Slurm calls it, or the host name.
pub fn node_name() -> String {
    let named = crate::inherited("SLURMD_NODENAME").and_then(|name| name.into_string().ok());
    named.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

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
