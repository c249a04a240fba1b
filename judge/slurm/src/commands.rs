//! The commands of Slurm: `sbatch`, `squeue`, `scancel`, `scontrol` and `sinfo`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use judge_job::StopRequest;
use judge_sandbox::host::{ProgramOutput, now_us, run_program};

use crate::{ArrayRequest, Cluster, ClusterError, Spool, Task, TaskEnd};

/// Parts of errors that Slurm reports while it restarts, is busy, or has the maximum number of jobs.
const TEMPORARY: &[&str] = &[
    "nable to contact",
    "timed out",
    "onnection refused",
    "onnection failure",
    "onnection reset",
    "ero Bytes",
    "emporarily",
    "try again",
    "endpoint",
    "maximum number of jobs",
    "ubmitLimit",
    "SubmitJob",
    "SubmitPU",
    "slurmdbd",
    "standby",
];
/// The error about jobs that Slurm no longer knows.
const UNKNOWN_JOB: &str = "Invalid job id";
/// The size of the largest array, for a Slurm that does not report it.
const USUAL_ARRAY: u32 = 1001;
/// The most ids on a command line.
const MAX_IDS: usize = 500;

/// The time between two checks for a request to stop.
const INTERVAL: Duration = Duration::from_millis(50);

/// The reason why Slurm cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SlurmError {
    /// The options for `sbatch` have an open quote.
    #[error("options for sbatch `{options}`: {reason}; check the quotes")]
    Options {
        /// The options as the caller wrote them.
        options: String,
        /// The reason, as a fragment.
        reason: String,
    },
    /// The shared folder cannot be used.
    #[error("{}: {source}", .folder.display())]
    Folder {
        /// The folder that cannot be created, read or written.
        folder: PathBuf,
        /// The reason why the system could not use it.
        source: io::Error,
    },
    /// The commands of Slurm cannot be executed.
    #[error("sinfo: {0}")]
    Absent(#[source] io::Error),
    /// The partition has no node.
    #[error("sinfo lists no node")]
    NoNode,
    /// A stop was requested before all nodes had answered.
    #[error("interrupted before all nodes answered")]
    Interrupted,
    /// A command of Slurm failed, or its output has an unexpected form.
    #[error(transparent)]
    Refused(#[from] ClusterError),
}

/// Slurm with the options for the jobs of one results directory.
pub struct Slurm<'i> {
    sbatch: String,
    options: Vec<String>,
    results: PathBuf,
    judge: PathBuf,
    pub(crate) stop: &'i dyn StopRequest,
    largest: OnceLock<u32>,
}

impl<'i> Slurm<'i> {
    /// Slurm with these options for `sbatch`, which are split as in a shell. The nodes execute the program `judge` and share
    /// the folder of the results. A request to stop ends any waiting for Slurm.
    ///
    /// # Errors
    /// [`SlurmError::Options`], [`SlurmError::Folder`], and [`SlurmError::Absent`].
    pub fn new(sbatch: &str, results: &Path, judge: PathBuf, stop: &'i dyn StopRequest) -> Result<Self, SlurmError> {
        let options = shell_words::split(sbatch)
            .map_err(|error| SlurmError::Options { options: sbatch.to_owned(), reason: error.to_string() })?;
        // Every node can use this form of the path.
        let results = std::fs::canonicalize(results)
            .map_err(|source| SlurmError::Folder { folder: results.to_owned(), source })?;
        Self::installed()?;
        Ok(Self { sbatch: sbatch.to_owned(), options, results, judge, stop, largest: OnceLock::new() })
    }

    /// Tests whether the commands of Slurm are installed.
    ///
    /// # Errors
    /// [`SlurmError::Absent`] if they are not.
    pub fn installed() -> Result<(), SlurmError> {
        run_program("sinfo", &["--version".into()], "", &[]).map(drop).map_err(SlurmError::Absent)
    }

    /// The options for `sbatch`, as they were written.
    pub fn sbatch(&self) -> &str {
        &self.sbatch
    }

    /// The options for `sbatch`, split into words as in a shell.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// The program of this judge, which the nodes also execute.
    pub(crate) fn judge(&self) -> &Path {
        &self.judge
    }

    /// The folder that the nodes share.
    pub fn results(&self) -> &Path {
        &self.results
    }

    /// The state of an unfinished job or task and the reason why it waits, such as `PENDING, Resources`; empty if Slurm does
    /// not know it.
    pub(crate) fn state_of(&self, id: &str) -> String {
        let options = ["--noheader", "--format=%T, %r"].map(str::to_owned);
        let printed = call("squeue", &[&options[..], &[format!("--jobs={id}")]].concat(), "");
        printed.unwrap_or_default().trim().to_owned()
    }

    /// The end of a job or task.
    pub(crate) fn end_of_job(&self, id: &str) -> TaskEnd {
        let options = ["--oneliner", "show", "job"].map(str::to_owned);
        match call("scontrol", &[&options[..], &[id.to_owned()]].concat(), "") {
            Ok(printed) => parse_end(&printed),
            Err(_) => TaskEnd { completed: false, text: "a state that Slurm has forgotten".into() },
        }
    }

    /// Sends a script and returns the id of its job. The error is the reason of `sbatch`.
    pub(crate) fn send(&self, options: &[String], script: &str) -> Result<String, ClusterError> {
        let printed = call("sbatch", options, script)?;
        // Followed by the name of the cluster, if there are several.
        let id = printed.trim().split(';').next().unwrap_or_default().to_owned();
        if id.is_empty() { Err(ClusterError::Permanent("sbatch printed no id".into())) } else { Ok(id) }
    }
}

impl Cluster for Slurm<'_> {
    fn name(&self) -> &str {
        "Slurm"
    }

    fn submit(&self, request: &ArrayRequest) -> Result<String, ClusterError> {
        let ArrayRequest { name, array, tasks, cores, memory_bytes, time, exclude } = request;
        let log = Spool::in_results(&self.results).array(*array).join("log/%a.log");
        // In a file name, Slurm replaces what follows a percent sign.
        let log = log.to_string_lossy().replacen('%', "%%", usize::MAX).replace("%%a.log", "%a.log");
        let mut options = vec![
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={cores}"),
            format!("--time={}", time.as_secs().div_ceil(60)),
            "--requeue".into(),
            format!("--chdir={}", self.results.display()),
        ];
        options.extend(memory_bytes.map(|bytes| format!("--mem={}M", bytes.div_ceil(1 << 20))));
        if !exclude.is_empty() {
            options.push(format!("--exclude={}", exclude.join(",")));
        }
        options.extend(self.options.iter().cloned());
        options.extend([
            "--parsable".into(),
            format!("--job-name={name}"),
            format!("--array=1-{tasks}"),
            "--open-mode=append".into(),
            format!("--output={log}"),
        ]);
        let [judge, results] = [&self.judge, &self.results].map(|path| quoted(path));
        let script = format!("#!/bin/sh\nexec {judge} work {results} {array} \"$SLURM_ARRAY_TASK_ID\"\n");
        self.send(&options, &script)
    }

    fn find(&self, name: &str) -> Result<Option<String>, ClusterError> {
        let options = ["--noheader", "--states=all", "--format=%F"].map(str::to_owned);
        let printed = call("squeue", &[&options[..], &[format!("--name={name}")]].concat(), "")?;
        Ok(printed.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned))
    }

    fn tasks(&self, arrays: &[String]) -> Result<Vec<Task>, ClusterError> {
        let mut tasks = Vec::new();
        for arrays in arrays.chunks(MAX_IDS) {
            let options = ["--noheader", "--format=%F|%K|%t|%N|%r"].map(str::to_owned);
            let printed = match call("squeue", &[&options[..], &[format!("--jobs={}", arrays.join(","))]].concat(), "")
            {
                Err(error) if error.reason().contains(UNKNOWN_JOB) => continue,
                printed => printed?,
            };
            tasks.extend(printed.lines().flat_map(parse_tasks));
        }
        Ok(tasks)
    }

    fn end_of(&self, array: &str, task: u32) -> TaskEnd {
        self.end_of_job(&format!("{array}_{task}"))
    }

    fn cancel(&self, ids: &[String]) -> Result<(), ClusterError> {
        ids.chunks(MAX_IDS).try_for_each(|ids| match call("scancel", ids, "") {
            Err(error) if !error.reason().contains(UNKNOWN_JOB) => Err(error),
            _ => Ok(()),
        })
    }

    fn largest_array(&self) -> u32 {
        *self.largest.get_or_init(|| {
            let printed = call("scontrol", &["show".into(), "config".into()], "").unwrap_or_default();
            let line = printed.lines().find_map(|line| line.trim().strip_prefix("MaxArraySize"));
            let size = line.and_then(|line| line.split('=').nth(1)?.trim().parse().ok()).unwrap_or(USUAL_ARRAY);
            // It bounds the numbers of tasks, which count from 0.
            size.saturating_sub(1).max(1)
        })
    }

    fn now_us(&self) -> u64 {
        now_us()
    }

    fn wait(&self, time: Duration) {
        let begun = now_us();
        while !self.stop.requested() {
            let left = time.saturating_sub(Duration::from_micros(now_us().saturating_sub(begun)));
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(INTERVAL));
        }
    }
}

/// Calls a command of Slurm and returns what it printed.
pub(crate) fn call(program: &str, arguments: &[String], stdin: &str) -> Result<String, ClusterError> {
    // Otherwise squeue cuts the numbers of tasks that wait.
    let answer = run_program(program, arguments, stdin, &[("SLURM_BITSTR_LEN", "0")]);
    let ProgramOutput { success, stdout, stderr } =
        answer.map_err(|error| ClusterError::Permanent(format!("{program}: {error}; is Slurm installed here?")))?;
    if success {
        return Ok(stdout);
    }
    let line = stderr.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it failed");
    let reason = if line.starts_with(program) { line.to_owned() } else { format!("{program}: {line}") };
    if TEMPORARY.iter().any(|part| stderr.contains(part)) {
        Err(ClusterError::Temporary(reason))
    } else {
        Err(ClusterError::Permanent(reason))
    }
}

/// A path as a word of a shell.
pub(crate) fn quoted(path: &Path) -> String {
    shell_words::quote(&path.to_string_lossy()).into_owned()
}

/// The tasks of a line `ARRAY|NUMBERS|STATE|NODE|REASON`.
fn parse_tasks(line: &str) -> Vec<Task> {
    let mut fields = line.trim().splitn(5, '|');
    let mut next = || fields.next().unwrap_or_default();
    let (array, numbers, state, node, reason) = (next(), next(), next(), next(), next());
    // In the other states, a task waits or will wait again.
    let running = !matches!(state, "PD" | "RQ" | "RH" | "SE" | "RF" | "RD");
    let words = reason.replace('_', " ");
    let held = state == "SE" || state == "RH" || words.contains("requeued held");
    let task = |number| Task { array: array.into(), number, running, node: node.into(), reason: words.clone(), held };
    ranges(numbers).map(task).collect()
}

/// The numbers in a list such as `3,5-7%2`.
fn ranges(list: &str) -> impl Iterator<Item = u32> {
    let list = list.split('%').next().unwrap_or_default().trim_matches(['[', ']']);
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let step = last.split_once(':').map_or(1, |(_, step)| step.parse().unwrap_or(1));
        let last = last.split(':').next().unwrap_or_default();
        let range = first.trim().parse::<u32>().ok().zip(last.trim().parse::<u32>().ok());
        range.map(|(first, last)| (first..=last).step_by(usize::max(step, 1)))
    };
    list.split(',').filter_map(range).flatten().collect::<Vec<_>>().into_iter()
}

/// The end of a job, from a line of `scontrol show job`.
fn parse_end(line: &str) -> TaskEnd {
    let field = |name: &str| {
        line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default()
    };
    let (state, reason) = (field("JobState"), field("Reason"));
    let completed = state == "COMPLETED";
    let text = match field("ExitCode").split_once(':') {
        Some((code, _)) if state == "FAILED" && code != "0" => format!("{state} (exit code {code})"),
        Some((_, signal)) if state == "FAILED" && signal != "0" => format!("{state} (signal {signal})"),
        _ if matches!(reason, "" | "None") || completed => state.to_owned(),
        _ => format!("{state} ({reason})"),
    };
    TaskEnd { completed, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_squeue() {
        let numbers = |line: &str| parse_tasks(line).iter().map(|task| task.number).collect::<Vec<_>>();
        assert_eq!(numbers("12|3|R|n1|None"), [3]);
        assert_eq!(numbers("12|1-3,7,9-13:2%4|PD||Resources"), [1, 2, 3, 7, 9, 11, 13]);
        assert_eq!(numbers("12|[4-5]|PD||Resources"), [4, 5]);
        assert_eq!(numbers("12|N/A|R|n1|None"), [0; 0], "another job");
        assert_eq!(numbers(""), [0; 0]);
        let [task] = &parse_tasks("12|3|PD||launch_failed_requeued_held")[..] else { panic!("a task") };
        assert!(task.held && !task.running);
        let [task] = &parse_tasks("12|3|CG|n2|None")[..] else { panic!("a task") };
        assert!(task.running && !task.held && (&*task.array, &*task.node) == ("12", "n2"));
    }

    #[test]
    fn a_failure_has_the_last_line_that_the_command_printed() {
        let fails = |script: &str| call("sh", &["-c".to_owned(), format!("({script}) >&2; exit 1")], "").unwrap_err();
        let permanent = fails("echo a hint; echo sh: no such partition; echo");
        assert!(
            matches!(&permanent, ClusterError::Permanent(reason) if reason == "sh: no such partition"),
            "{permanent:?}"
        );
        let temporary = fails("echo Socket timed out on send/recv operation; echo try again");
        assert!(matches!(&temporary, ClusterError::Temporary(reason) if reason == "sh: try again"), "{temporary:?}");
        assert!(matches!(fails(":"), ClusterError::Permanent(reason) if reason == "sh: it failed"));
    }

    #[test]
    fn ends_of_tasks() {
        let line = |state, reason, code| {
            format!("JobId=4 ArrayJobId=3 JobState={state} Reason={reason} Dependency=(null) ExitCode={code} X=1")
        };
        assert_eq!(parse_end(&line("FAILED", "NonZeroExitCode", "3:0")).text, "FAILED (exit code 3)");
        assert_eq!(parse_end(&line("FAILED", "RaisedSignal:9", "0:9")).text, "FAILED (signal 9)");
        assert_eq!(parse_end(&line("TIMEOUT", "TimeLimit", "0:1")).text, "TIMEOUT (TimeLimit)");
        assert_eq!(parse_end(&line("COMPLETED", "None", "0:0")).text, "COMPLETED");
        assert_eq!(parse_end(&line("CANCELLED", "None", "0:15")).text, "CANCELLED");
    }
}
