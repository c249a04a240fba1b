//! The failures and notices of a contest in words.

use crate::engine;
use judge_contest::progress::{ContestProgress, Remark};

/// A failure or a notice in one line.
pub fn in_words(remark: &Remark, progress: &ContestProgress) -> String {
    match remark {
        Remark::Repeated(runs) => format!("repeating suspect runs: {runs}"),
        Remark::InVain { run, verdict } => {
            format!("{}: the repetition failed, the earlier run counts: {}", progress.name(run), verdict.summary())
        }
        Remark::Engine(data) => engine::notice(data),
        Remark::Unbuilt { entry, verdict } => format!("{entry}: {}", verdict.fault().unwrap_or_default()),
        Remark::Failed { run, verdict } => format!("{}: {}", progress.name(run), verdict.fault().unwrap_or_default()),
        other => format!("{other:?}"),
    }
}
