//! The record of a finished run.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use judge_job::{Bytes, Contention, Isolation, Micros, Millis, Usage};

use super::extras::Extras;
use crate::date::Date;
use crate::fingerprint::Fingerprint;
use crate::key::{Name, RunKey, first, is_first};
use crate::score::RunCell;
use crate::scoring::{Measured, Scoring};
use crate::verdict::{JudgeFailure, Verdict};

/// A finished run: verdict, figures and fingerprints of its output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// Its number in the order in which runs were planned, from 1.
    pub seq: usize,
    /// Entry, board, round and repeat.
    #[serde(flatten)]
    pub key: RunKey,
    /// The attempt, from 1: more if a suspect run or a judge error was repeated, or if the judge was killed during an
    /// earlier one.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub attempt: u32,
    /// True if it repeats a run that was judged, and failed without a fault of the entry: the earlier one still counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_vain: bool,
    /// The verdict; that of the ruling if there is one.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Wall clock in microseconds; `None` if nothing ran.
    #[serde(default, deserialize_with = "Micros::optional")]
    pub wall_us: Option<u64>,
    /// Wall-clock limit of the run in milliseconds, or of each pass.
    #[serde(deserialize_with = "Millis::number")]
    pub limit_ms: u64,
    /// Resources that its processes used.
    #[serde(flatten)]
    pub usage: Usage,
    /// Signs of interference by other processes; `None` if nothing ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contention: Option<Contention>,
    /// Bytes on standard output, up to the limit.
    #[serde(deserialize_with = "Bytes::number")]
    pub stdout_bytes: u64,
    /// Bytes that it wrote to standard error, stored or not.
    #[serde(deserialize_with = "Bytes::number")]
    pub stderr_bytes: u64,
    /// What is stored of its output; `None` if no process ran, or nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<Output>>,
    /// What few runs have.
    #[serde(flatten)]
    pub extras: Extras,
    /// Isolation of the entry's processes. Runs share the few kinds there are.
    pub isolation: Arc<Isolation>,
    /// Index of the machine that executed it; 0, also if it reached no machine, is not written.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub machine: u32,
    /// The position in which the replay ended, in one line; `None` if nothing was replayed. Runs share those that are equal
    /// where they follow each other in a journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_board: Option<Name>,
    /// The hash of the referee that ruled on the answer, or failed to, if it is a program. In a journal of an older version
    /// it is that of the contest's referee at that time. Runs share the few referees there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Name>,
    /// The date of its line: when the run was finished and recorded.
    #[serde(skip)]
    pub at: Option<Date>,
    /// The number of earlier attempts at this run that the journal has. Fewer than there were if a judge was killed; `None` if that
    /// is not known.
    #[serde(skip)]
    pub earlier: Option<u32>,
}

/// The files of an attempt as they were stored. Most attempts have nothing but their answer, so the others are boxed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Standard output as it is stored, which is the answer.
    pub stdout: Fingerprint,
    /// The head and the tail of standard error; `None` if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<Box<Fingerprint>>,
    /// The positions that a referee left; `None` if it left none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<Box<Fingerprint>>,
    /// The transcript of the talk with its referee; `None` if it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<Box<Fingerprint>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(machine: &u32) -> bool {
    *machine == 0
}

impl Record {
    /// The record of a run without a process: a failed build, or a judge error before the start.
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

    /// True if its answer can be refereed again: a referee ruled on it, or failed. A talk cannot be held again with an answer,
    /// and neither can passes and games.
    pub fn has_answer(&self) -> bool {
        if self.key.against.is_some() || self.extras.own_us.is_some() || !self.extras.passes.is_empty() {
            return false;
        }
        match &self.verdict {
            Verdict::JudgeError { reason } => matches!(reason, JudgeFailure::Referee(_)),
            verdict => verdict.given().is_some(),
        }
    }

    /// The hash of the referee whose ruling its verdict is; `None` for a ruling by hand, and of a run without an answer.
    pub(crate) fn ruled_by_referee(&self) -> Option<&Name> {
        self.referee.as_ref().filter(|_| self.extras.ruling.is_none() && self.verdict.given().is_some())
    }

    /// Its cell in a contest that declares these figures, of an entry of that size.
    pub(crate) fn cell(&self, scoring: &Arc<Scoring>, size: Option<u64>) -> RunCell {
        let Usage { cpu_us, memory_bytes, .. } = self.usage;
        let measured = Measured { time_us: None, cpu_us, memory_bytes, answer_us: self.answer_us(), size };
        RunCell::measured(&self.verdict, (self.wall_us, self.limit_ms), scoring, &measured)
    }

    /// When the answer that counts had arrived, in a stream of answers.
    pub(crate) fn answer_us(&self) -> Option<u64> {
        self.extras.stream.as_ref()?.answer_us
    }

    /// True if nothing was learnt about the entry: the judge failed, or the program could not be built or started.
    pub fn tells_nothing(&self) -> bool {
        matches!(self.verdict, Verdict::JudgeError { .. } | Verdict::CouldNotStart { .. } | Verdict::BuildFailed { .. })
    }

    /// True if the judge failed, so that the run is missing.
    pub fn is_judge_error(&self) -> bool {
        matches!(self.verdict, Verdict::JudgeError { .. })
    }
}
