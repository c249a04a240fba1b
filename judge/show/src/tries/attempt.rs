//! Explanation of one run on a board.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::tries::first;
use crate::versions::{HiddenModule, hidden_module};
use judge_contest::Surroundings;
use judge_core::game::GameInfo;
use judge_core::hint::Hint;
use judge_core::journal::{Record, stderr_of, stdout_of};
use judge_core::referee::{ReplayResult, Ruling};
use judge_core::stream::Stream;
use judge_core::text::{printable, printable_lines};
use judge_core::verdict::{Exit, Verdict};
use judge_files::regular;
use judge_job::{count_text, duration_text};
use judge_report::output::write_json;
use judge_report::{describe, with_hint};
use judge_sandbox::{Limits, Tier, Usage};

/// The most bytes shown of standard output and of standard error.
const SHOWN: usize = 2_000;
/// What a solver can read in a contest, and in a try of its author's.
const READS: &str = "it can read the system's programs and the files that its command names";
const READS_AROUND: &str =
    "it can read the system's programs, the files that its command names, and what is beside them";
/// The most answers of a stream that are shown: the first and the last ones.
const STEPS: usize = 10;

#[derive(Serialize)]
struct Document<'a> {
    board: String,
    #[serde(flatten)]
    verdict: &'a Verdict,
    wall_us: Option<u64>,
    limit_ms: u64,
    #[serde(flatten)]
    usage: Usage,
    isolation: String,
    notes: &'a [String],
    stdout_bytes: u64,
    stderr_bytes: u64,
    final_board: Option<&'a str>,
    stderr: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    talk: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<&'a Stream>,
}

/// One run of a solver: its record, its output, and the ruling on it.
#[derive(Debug)]
pub struct Attempt {
    record: Record,
    /// The replay of the answer, and the game, if it is built in and the answer was replayed.
    replayed: Option<(ReplayResult, &'static GameInfo)>,
    /// The beginning of standard output.
    stdout: String,
    /// The end of standard error.
    stderr: String,
    /// The exchange with the referee, as a dialogue.
    talk: Option<String>,
    /// What the solver can read, in words.
    reads: &'static str,
    /// A module that it missed although it is there.
    hidden: Option<HiddenModule>,
}

impl Attempt {
    /// A recorded run of a contest, with its output in a results directory. Unreadable files are left out.
    pub fn new(record: Record, replayed: Option<(ReplayResult, &'static GameInfo)>, results: &Path) -> Self {
        Self {
            stdout: head(&stdout_of(results, &record)).unwrap_or_default(),
            stderr: tail(&stderr_of(results, &record)),
            talk: first::talk(results, &record),
            record,
            replayed,
            reads: READS,
            hidden: None,
        }
    }

    /// Sets whether the solver was `given` its author's surroundings. If not, a module that is missing is looked up there.
    #[must_use]
    pub fn around(self, around: &Surroundings, given: bool) -> Self {
        match given {
            true => Self { reads: READS_AROUND, ..self },
            false => Self { hidden: hidden_module(&self.stderr, around), ..self },
        }
    }

    /// The verdict on the run.
    pub fn verdict(&self) -> &Verdict {
        &self.record.verdict
    }

    /// Tests whether the solver ended by itself, with success.
    fn is_ended_well(&self) -> bool {
        let by_answer =
            matches!(self.verdict(), Verdict::Unsolved(_) | Verdict::Wrong { .. } | Verdict::IllegalMove { .. });
        by_answer || self.verdict().is_success()
    }

    /// Writes one line of JSON. The limits are those of the run.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_json(&self, board: &Path, limits: &Limits, out: &mut dyn Write) -> io::Result<()> {
        let Record { verdict, wall_us, usage, isolation, extras, stdout_bytes, stderr_bytes, final_board, .. } =
            &self.record;
        let document = Document {
            board: board.display().to_string(),
            verdict,
            wall_us: *wall_us,
            limit_ms: limits.wall_ms,
            usage: *usage,
            isolation: isolation.to_string(),
            notes: &extras.notes,
            stdout_bytes: *stdout_bytes,
            stderr_bytes: *stderr_bytes,
            final_board: final_board.as_deref(),
            stderr: &self.stderr,
            talk: self.talk.as_deref(),
            stream: extras.stream.as_deref(),
        };
        write_json(&document, out)?;
        writeln!(out)
    }

    /// Writes the run in words: the ruling, its figures, and advice if it failed.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, board: &Path, limits: &Limits, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}: ", board.display())?;
        let Record { verdict, wall_us, usage, extras, stdout_bytes, stderr_bytes, final_board, .. } = &self.record;
        match &self.replayed {
            Some((replayed, game)) => describe::ruling(replayed, game, out)?,
            None => {
                let mut ruling = Ruling::from(verdict.clone());
                ruling.notes.clone_from(&extras.notes);
                describe::refereed(&ruling, out)?;
                if let Some(board) = final_board.as_ref().filter(|_| !verdict.is_success()) {
                    writeln!(out, "the board at the end: {board}")?;
                }
            }
        }
        if let Some(wall) = *wall_us {
            let (bytes, noise) = (stdout_bytes, stderr_bytes);
            let (wall, limit) = (Duration::from_micros(wall).as_secs_f64(), duration_text(limits.wall_ms));
            let memory = usage.memory_bytes;
            let memory = memory.map_or(String::new(), |memory| format!(", {} of memory", bytesize::ByteSize(memory)));
            writeln!(
                out,
                "    {wall:.3} s of {limit}{memory}; {bytes} bytes on standard output, {noise} on standard error"
            )?;
        }
        if let Some(stream) = &extras.stream {
            Self::write_stream(stream, out)?;
        }
        // Those of a referee are beside its ruling.
        for note in extras.notes.iter().filter(|_| self.replayed.is_some()) {
            writeln!(out, "    {note}")?;
        }
        if let Some(advice) = self.advice() {
            writeln!(out, "    {advice}")?;
        }
        if let Some(talk) = &self.talk {
            first::write_talk(talk, out)?;
        }
        if !verdict.is_success() && !self.stderr.is_empty() {
            writeln!(out, "    standard error ends with:")?;
            for line in self.stderr.lines() {
                writeln!(out, "    | {line}")?;
            }
        }
        Ok(())
    }

    /// Writes the arrival times of the answers that were better than all before them.
    fn write_stream(stream: &Stream, out: &mut dyn Write) -> io::Result<()> {
        let seconds = |us: u64| Duration::from_micros(us).as_secs_f64();
        let lines = count_text(stream.lines, "answer", "answers");
        match stream.answer_us {
            Some(at) => writeln!(out, "    {lines}; the one that counts arrived after {:.3} s", seconds(at))?,
            None => writeln!(out, "    {lines}, of which the referee accepts none")?,
        }
        let hidden = stream.steps.len().saturating_sub(STEPS);
        for (at, step) in stream.steps.iter().enumerate() {
            // The first half, and the last one.
            match at.checked_sub(STEPS / 2) {
                Some(0) if hidden > 0 => writeln!(out, "    … {hidden} more")?,
                Some(after) if after < hidden => {}
                _ => writeln!(out, "    {:9.3} s  {}", seconds(step.at_us), printable(&step.verdict.summary()))?,
            }
        }
        Ok(())
    }

    /// The first thing to check if the solver failed because of the protocol.
    fn advice(&self) -> Option<String> {
        if let Some(hidden) = &self.hidden {
            return Some(with_hint(hidden_text(hidden), Some(&Hint::MakeReadable)));
        }
        let Record { verdict, isolation, extras, stdout_bytes, .. } = &self.record;
        match verdict {
            _ if self.is_ended_well() && *stdout_bytes == 0 && self.talk.is_none() => {
                Some("standard output is empty: print the moves there, and flush before the program ends".into())
            }
            Verdict::IllegalMove { illegal, .. } if illegal.index == 1 => {
                let line = self.stdout.lines().next().unwrap_or_default();
                Some(format!("standard output begins with `{line}`"))
            }
            Verdict::TimedOut if extras.stream.is_some() => {
                Some("in a stream, a line counts when it is whole and has arrived: flush after each answer".into())
            }
            Verdict::TimedOut if self.talk.is_some() => {
                Some("flush standard output after each message: the referee does not see what is kept back".into())
            }
            Verdict::TimedOut => {
                Some("print the answer and exit before the limit, which JUDGE_LIMIT_MS contains".into())
            }
            Verdict::Crashed { exit: Exit::Code(_) } if isolation.tier > Tier::ProcessGroup && *stdout_bytes == 0 => {
                Some(with_hint(self.reads, Some(&Hint::MakeReadable)))
            }
            Verdict::Crashed { .. } if *stdout_bytes > 0 => {
                Some("the answer does not count: a successful program exits with code 0".into())
            }
            _ => None,
        }
    }
}

/// Where a module is that a solver missed.
pub fn hidden_text(HiddenModule { name, path, .. }: &HiddenModule) -> String {
    let (name, path) = (printable(name), printable(&path.display().to_string()));
    format!("the module {name} is there, {path}, but a contest hides it unless `readable` names it")
}

/// The beginning of a file, made harmless for a terminal.
fn head(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(SHOWN as u64).read_to_end(&mut bytes)?;
    Ok(shown(&bytes))
}

/// The end of a file, made harmless for a terminal.
fn tail(path: &Path) -> String {
    regular::tail(path, SHOWN as u64).map_or(String::new(), |bytes| shown(&bytes))
}

/// Text without characters that control a terminal.
fn shown(bytes: &[u8]) -> String {
    printable_lines(&String::from_utf8_lossy(bytes)).into_owned()
}
