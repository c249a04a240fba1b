//! The failures and notices of a contest in words.

use crate::engine;
use judge_contest::tally::{Remark, Tally};

/// A failure or a notice in one line.
pub fn in_words(remark: &Remark, tally: &Tally) -> String {
    match remark {
        Remark::Repeated(runs) => format!("repeating suspect runs: {runs}"),
        Remark::InVain { run, verdict } => {
            format!("{}: the repetition failed, the earlier run counts: {}", tally.name(run), verdict.summary())
        }
        Remark::Engine(data) => engine::notice(data),
        Remark::Unbuilt { entry, verdict } => format!("{entry}: {}", verdict.fault().unwrap_or_default()),
        Remark::Failed { run, verdict } => format!("{}: {}", tally.name(run), verdict.fault().unwrap_or_default()),
        other => format!("{other:?}"),
    }
}
