//! The reasons why submissions are stuck on judge errors, for the organiser.

use judge_core::journal::{Built, ContestState};
use judge_core::verdict::Verdict;

use crate::state::Submission;

/// The judge errors of a submission, each as a fragment that names the board, or the build.
pub fn reasons(submission: &Submission, contents: &ContestState) -> Vec<String> {
    let entry = submission.entry();
    let build = contents.build_of(&entry).and_then(|build| match &build.built {
        Built::JudgeError { reason } => Some(format!("its build: {reason}")),
        _ => None,
    });
    let run = |run: usize| {
        let record = contents.record_of(run)?;
        match &record.verdict {
            Verdict::JudgeError { reason } => Some(format!("{}: {reason}", record.key.board)),
            _ => None,
        }
    };
    let mut all: Vec<String> = build.into_iter().chain(contents.runs_of(&entry).filter_map(run)).collect();
    all.sort();
    all
}
