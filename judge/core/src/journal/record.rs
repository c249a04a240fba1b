//! The record of a finished run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use judge_job::{Contention, Isolation, Machine, Outcome, Usage};

use super::extras::Extras;
use crate::date::Date;
use crate::fingerprint::Fingerprint;
use crate::key::{Name, RunKey, is_first};
use crate::score::RunCell;
use crate::scoring::{Measured, Scoring};
use crate::verdict::{JudgeFailure, Verdict};

/// A finished run: verdict, figures and fingerprints of its output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Record {
    /// Its number in the order in which runs were planned, from 1.
    pub seq: usize,
    /// Entry, board, round and repeat.
    #[serde(flatten)]
    pub key: RunKey,
    /// The attempt, from 1. It is larger if a suspect run or a judge error was repeated, or if the judge was killed during an
    /// earlier attempt.
    #[serde(skip_serializing_if = "is_first")]
    pub attempt: u32,
    /// True if it repeats a judged run and failed without a fault of the entry. The earlier record still counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_vain: bool,
    /// The verdict; that of the ruling by hand if there is one.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Wall clock in microseconds; `None` if nothing ran.
    pub wall_us: Option<u64>,
    /// Wall-clock limit of the run in milliseconds; with passes, that of each pass.
    pub limit_ms: u64,
    /// Resources that its processes used.
    #[serde(flatten)]
    pub usage: Usage,
    /// Signs of interference by other processes; `None` if nothing ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Bytes on standard output, up to the limit.
    pub stdout_bytes: u64,
    /// Bytes that it wrote to standard error, stored or not.
    pub stderr_bytes: u64,
    /// The fingerprints of its stored output; `None` if no process ran or nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<Output>>,
    /// The members that few runs have.
    #[serde(flatten)]
    pub extras: Extras,
    /// Isolation of the entry's processes. Runs with the same isolation share it.
    pub isolation: Arc<Isolation>,
    /// Index of the machine that executed it. 0 is not written; it also means that the run reached no machine.
    #[serde(skip_serializing_if = "is_zero")]
    pub machine: u32,
    /// The position in which the replay ended, in one line; `None` if nothing was replayed. Successive runs with equal positions
    /// share one text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_board: Option<Name>,
    /// The hash of the referee program that ruled on the answer or failed. In a journal of an older version it is that of the
    /// contest's referee at that time. Runs share equal hashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub referee: Option<Name>,
    /// The date of its line, when the run was finished and recorded.
    #[serde(skip)]
    pub at: Option<Date>,
    /// The number of earlier attempts at this run in the journal. It is less than the real number if a judge was killed; `None`
    /// if it is not known.
    #[serde(skip)]
    pub earlier: Option<u32>,
}

/// The fingerprints of an attempt's stored files. Most attempts store only their answer, so the others are boxed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Standard output as stored, which is the answer.
    pub stdout: Fingerprint,
    /// The head and the tail of standard error; `None` if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<Box<Fingerprint>>,
    /// The positions that a referee recorded; `None` without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<Box<Fingerprint>>,
    /// The transcript of the talk with its referee; `None` without a talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Box<Fingerprint>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(machine: &u32) -> bool {
    *machine == 0
}

impl Record {
    /// A record of a run without a process: a failed build, or a judge error before the start.
    pub fn without_run(
        seq: usize,
        key: RunKey,
        attempt: u32,
        verdict: Verdict,
        limit_ms: u64,
        isolation: Arc<Isolation>,
    ) -> Self {
        Self {
            seq,
            key,
            attempt,
            in_vain: false,
            verdict,
            wall_us: None,
            limit_ms,
            usage: Usage::default(),
            contention: None,
            stdout_bytes: 0,
            stderr_bytes: 0,
            output: None,
            extras: Extras::default(),
            isolation,
            machine: 0,
            final_board: None,
            referee: None,
            at: None,
            earlier: None,
        }
    }

    /// Adds what an executor saw of the run: times, usage, output and isolation, with the suspicion that follows. Returns the
    /// machine.
    pub fn add_outcome(&mut self, outcome: Outcome) -> Machine {
        let Outcome { wall_us, usage, contention, stdout_bytes, stderr_bytes, isolation, machine, notes, .. } = outcome;
        if let Some(why) = wall_us.zip(contention).and_then(|(wall, contention)| contention.suspicion(wall)) {
            self.extras.suspect = Some(why.into());
        }
        (self.wall_us, self.usage, self.contention) = (wall_us, usage, contention);
        (self.stdout_bytes, self.stderr_bytes, self.isolation) = (stdout_bytes, stderr_bytes, Arc::new(isolation));
        self.add_notes(notes);
        machine
    }

    /// Adds remarks for the organiser.
    pub fn add_notes(&mut self, notes: Vec<String>) {
        if !notes.is_empty() {
            self.extras.notes.extend(notes);
        }
    }

    /// Returns true if the answer can be refereed again: a referee ruled on it, or failed. That is impossible for talks, passes
    /// and games.
    pub fn has_answer(&self) -> bool {
        if self.key.against.is_some() || self.extras.own_us.is_some() || !self.extras.passes.is_empty() {
            return false;
        }
        match &self.verdict {
            Verdict::JudgeError { reason } => matches!(reason, JudgeFailure::Referee(_)),
            verdict => verdict.given().is_some(),
        }
    }

    /// The hash of the referee that gave the verdict; `None` for a ruling by hand and for a run without an answer.
    pub(crate) fn ruled_by_referee(&self) -> Option<&Name> {
        self.referee.as_ref().filter(|_| self.extras.ruling.is_none() && self.verdict.given().is_some())
    }

    /// The cell of the run in a contest that declares these figures. `size` is that of the entry.
    pub(crate) fn cell(&self, scoring: &Arc<Scoring>, size: Option<u64>) -> RunCell {
        let Usage { cpu_us, memory_bytes, .. } = self.usage;
        let measured = Measured { time_us: None, cpu_us, memory_bytes, answer_us: self.answer_us(), size };
        RunCell::measured(&self.verdict, (self.wall_us, self.limit_ms), scoring, &measured)
    }

    /// The time at which the answer that counts had arrived, in a stream of answers.
    pub(crate) fn answer_us(&self) -> Option<u64> {
        self.extras.stream.as_ref()?.answer_us
    }

    /// Returns true if the run shows nothing about the entry: the judge failed, or the program could not be built or started.
    pub fn is_inconclusive(&self) -> bool {
        matches!(self.verdict, Verdict::JudgeError { .. } | Verdict::CouldNotStart { .. } | Verdict::BuildFailed { .. })
    }

    /// Returns true if the judge failed, so that the run is missing.
    pub fn is_judge_error(&self) -> bool {
        matches!(self.verdict, Verdict::JudgeError { .. })
    }
}
