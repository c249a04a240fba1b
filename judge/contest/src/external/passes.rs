//! Runs of several passes. In each pass, the entry gets an input that the referee created from the answer of the previous pass.
//!
//! A referee requests another pass by accepting and leaving `nextpass.in`. In the next pass, its folder contains the other files
//! that it left.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use judge_core::external::ACCEPTED;
use judge_core::journal::Pass;
use judge_core::plan::Board;
use judge_core::referee::Ruling;
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_job::{
    CopiedFile, End, Gap, Interrupted, Job, Message, Outcome, PassStart, Stdin, StopRequest, TranscriptLine, Usage,
};

use super::call::{FinishedCall, PassInput, RefereeInput};
use super::talk::{PassOutcome, to_be_continued};
use super::{External, Failure, tried_twice};
use crate::contest::BOARD_FILE;
use crate::guard::catch_panic;
use crate::outputs::AttemptFiles;

/// The most bytes of an input or an answer that a transcript shows.
const MAX_TEXT: u64 = 64 << 10;
/// The bytes of a transcript after which further passes are only counted.
const MAX_TRANSCRIPT: u64 = 4 << 20;

/// The result of a pass, or the reason why the judge failed.
type PassResult = Result<Result<PassOutcome, String>, Interrupted>;

impl External<'_> {
    /// Has a referee that needs the entry itself rule on it. The referee talks to the entry, or runs it in passes.
    pub(crate) fn with_entry(
        &self,
        board: &Board,
        entry: Job,
        stop: Option<&dyn StopRequest>,
        files: &AttemptFiles,
    ) -> PassResult {
        match self.referee.passes {
            None => self.run_talk(board, entry, stop, &files.transcript, None),
            Some(most) => self.in_passes(board, &entry, stop, files, most),
        }
    }

    /// True if a call requests another pass.
    pub(super) fn asks_for_pass(&self, called: &FinishedCall) -> bool {
        let accepts = called.outcome.end == End::Exited { code: ACCEPTED };
        self.referee.passes.is_some() && accepts && called.next_input().is_some()
    }

    /// Executes an entry pass by pass. The output and the transcripts of all passes follow one another.
    fn in_passes(
        &self,
        board: &Board,
        entry: &Job,
        stop: Option<&dyn StopRequest>,
        files: &AttemptFiles,
        most: u32,
    ) -> PassResult {
        let folder = match tempfile::tempdir_in(self.context.executor.temporary_folder()) {
            Ok(folder) => folder,
            Err(error) => return Ok(Err(format!("a folder for the output of a pass: {error}"))),
        };
        let path = |name: &str| folder.path().join(name);
        let mut sum = PassTotals::default();
        let mut transcript = Transcript { file: &files.transcript, bytes: 0 };
        let mut last: Option<FinishedCall> = None;
        for number in 1..=most {
            let found = last.as_ref().map(|called| (called.next_input().unwrap_or_default(), called.left_folder()));
            let (input, left) = match &found {
                Some((_, Err(reason))) => return Ok(Ok(sum.failed(reason))),
                Some((input, Ok(left))) => (Some(input), Some(left)),
                None => (None, None),
            };
            let before = input.zip(left).map(|(input, folder)| PassInput { input, folder });
            let mut job = entry.clone();
            (job.stdout, job.stderr) = (path("stdout"), path("stderr"));
            if let Some(input) = input {
                read_instead(&mut job, input);
            }
            let transcript_file = path("transcript");
            let held = match self.referee.talk {
                Some(_) => self.run_talk(board, job, stop, &transcript_file, before)?,
                None => self.pass(board, &job, stop, &transcript_file, before)?,
            };
            let held = match held {
                Ok(held) => held,
                Err(reason) => return Ok(Err(reason)),
            };
            let kept = append(&path("stdout"), &files.stdout)
                .and_then(|()| append(&path("stderr"), &files.stderr))
                .and_then(|()| transcript.add(number, &transcript_file));
            if let Err(error) = kept {
                return Ok(Err(format!("the output of pass {number}: {error}")));
            }
            match sum.add(number, held) {
                Ok(next) => last = Some(next),
                Err(done) => return Ok(Ok(*done)),
            }
        }
        Ok(Ok(sum.failed(&format!("it asks for more than {most} passes, the most that [referee] allows"))))
    }

    /// One pass without a talk.
    fn pass(
        &self,
        board: &Board,
        job: &Job,
        stop: Option<&dyn StopRequest>,
        transcript: &Path,
        before: Option<PassInput<'_>>,
    ) -> PassResult {
        let execute = || match stop {
            Some(stop) => self.context.executor.execute_until(job, stop),
            None => self.context.executor.execute(job),
        };
        let outcome = match catch_panic("the executor", || Ok(execute())) {
            Ok(outcome) => outcome?,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Err(error) = write_transcript(transcript, job, &outcome) {
            return Ok(Err(format!("a transcript: {error}")));
        }
        let end = Verdict::from_end(&outcome.end);
        let held = |ruling, by_referee, next| PassOutcome { next, ..PassOutcome::new(outcome, ruling, by_referee) };
        if let Some(verdict) = end {
            return Ok(Ok(held(Ruling::from(verdict), false, None)));
        }
        let called = tried_twice(|| {
            let called = self.execute(&self.command, Some(board), RefereeInput::Answer(&job.stdout), before)?;
            match self.asks_for_pass(&called) {
                true => Ok((to_be_continued(), Some(called))),
                false => self.ruling(&called, board).map(|ruling| (ruling, None)),
            }
        });
        match called {
            Ok(((mut ruling, next), note)) => {
                ruling.notes.extend(note);
                Ok(Ok(held(ruling, true, next)))
            }
            Err(Failure::Retryable(reason) | Failure::Final(reason)) => Ok(Ok(held(failed(&reason), true, None))),
            Err(Failure::Interrupted) => Err(Interrupted),
        }
    }
}

fn failed(reason: &str) -> Ruling {
    Ruling::from(Verdict::JudgeError { reason: JudgeFailure::Referee(reason.to_owned()) })
}

/// Passes another input to an entry in the same ways as the board.
fn read_instead(job: &mut Job, input: &Path) {
    if matches!(job.stdin, Stdin::File(_)) {
        job.stdin = Stdin::File(input.to_owned());
    }
    let placed = job.files.iter().any(|file| file.name == BOARD_FILE);
    let copied = job.copies.iter().any(|file| file.name == BOARD_FILE);
    if placed || copied {
        job.files.retain(|file| file.name != BOARD_FILE);
        job.copies.retain(|file| file.name != BOARD_FILE);
        job.copies.push(CopiedFile { name: BOARD_FILE.into(), from: input.to_owned() });
    }
}

/// The passes of a run so far, with their resources.
#[derive(Default)]
struct PassTotals {
    held: Option<PassOutcome>,
}

impl PassTotals {
    /// Adds a pass. Returns the call that requests the next pass, or all passes if it was the last one.
    fn add(&mut self, number: u32, mut held: PassOutcome) -> Result<FinishedCall, Box<PassOutcome>> {
        let pass = Pass { wall_us: held.outcome.wall_us, cpu_us: held.outcome.usage.cpu_us };
        held.outcome.notes.iter_mut().for_each(|note| *note = format!("pass {number}: {note}"));
        let next = held.next.take();
        held.passes = vec![pass];
        let all = match self.held.take() {
            None => held,
            Some(earlier) => earlier.followed_by(held),
        };
        match next {
            Some(next) => {
                self.held = Some(all);
                Ok(next)
            }
            None => Err(Box::new(all)),
        }
    }

    /// The passes so far, as a run that ends with a failure of the referee.
    fn failed(self, reason: &str) -> PassOutcome {
        let held = self.held.expect("a pass was made");
        PassOutcome { ruling: failed(reason), by_referee: true, ..held }
    }
}

impl PassOutcome {
    /// Combines two passes. The later one determines the end and the ruling.
    fn followed_by(self, later: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| a.zip(b).map(|(a, b)| a.saturating_add(b)).or(a).or(b);
        let (first, second) = (self.outcome, later.outcome);
        let mut outcome = Outcome::new(second.end, first.isolation, first.machine);
        outcome.wall_us = sum(first.wall_us, second.wall_us);
        let cpu = sum(first.usage.cpu_us, second.usage.cpu_us).zip(first.usage.cpu_by.or(second.usage.cpu_by));
        let memory = first.usage.memory_bytes.max(second.usage.memory_bytes);
        outcome.usage = Usage::new(cpu, memory.zip(first.usage.memory_by.or(second.usage.memory_by)));
        outcome.contention = match (first.contention, second.contention) {
            (Some(mut all), Some(more)) => {
                all.cpu_pressure_us = sum(all.cpu_pressure_us, more.cpu_pressure_us);
                all.memory_pressure_us = sum(all.memory_pressure_us, more.memory_pressure_us);
                all.involuntary_switches = sum(all.involuntary_switches, more.involuntary_switches);
                all.taken_us = sum(all.taken_us, more.taken_us);
                Some(all)
            }
            (first, second) => first.or(second),
        };
        outcome.stdout_bytes = first.stdout_bytes.saturating_add(second.stdout_bytes);
        outcome.stderr_bytes = first.stderr_bytes.saturating_add(second.stderr_bytes);
        outcome.notes = first.notes;
        outcome.notes.extend(second.notes);
        let mut passes = self.passes;
        passes.extend(later.passes);
        Self { outcome, own_us: sum(self.own_us, later.own_us), passes, ..later }
    }
}

/// The transcript of all passes.
struct Transcript<'a> {
    file: &'a Path,
    bytes: u64,
}

impl Transcript<'_> {
    /// Adds the transcript of a pass.
    fn add(&mut self, pass: u32, from: &Path) -> io::Result<()> {
        let text = match fs::read(from) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            text => text?,
        };
        let mut bytes = line(&TranscriptLine::Pass(PassStart { pass }));
        if self.bytes + text.len() as u64 <= MAX_TRANSCRIPT {
            bytes.extend(&text);
        } else {
            let left_out = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
            bytes.extend(line(&TranscriptLine::Gap(Gap { left_out, bytes: text.len() as u64 })));
        }
        self.bytes += bytes.len() as u64;
        fs::remove_file(from).ok();
        File::options().append(true).create(true).open(self.file)?.write_all(&bytes)
    }
}

fn line(line: &TranscriptLine) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(line).expect("plain data has a JSON form");
    bytes.push(b'\n');
    bytes
}

/// Writes the input and the answer of a pass without a talk, as if they were messages of the referee and the entry.
fn write_transcript(file: &Path, job: &Job, outcome: &Outcome) -> io::Result<()> {
    let message = |at_us: u64, from: usize, path: &Path| -> io::Result<Vec<u8>> {
        let read = judge_files::regular::open(path)?;
        let all = read.metadata()?.len();
        let mut bytes = Vec::new();
        read.take(MAX_TEXT).read_to_end(&mut bytes)?;
        let more_bytes = all.saturating_sub(bytes.len() as u64);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Ok(line(&TranscriptLine::Message(Message { at_us, from, text, more_bytes })))
    };
    let mut lines = match &job.stdin {
        Stdin::File(path) => message(0, 0, path)?,
        Stdin::Nothing => Vec::new(),
    };
    lines.extend(message(outcome.wall_us.unwrap_or_default(), 1, &job.stdout)?);
    fs::write(file, lines)
}

/// Appends a file to another one, if it exists.
fn append(from: &Path, to: &Path) -> io::Result<()> {
    let mut read = match File::open(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        read => read?,
    };
    io::copy(&mut read, &mut File::options().append(true).create(true).open(to)?)?;
    // The next pass may end before it writes one.
    fs::remove_file(from)
}
