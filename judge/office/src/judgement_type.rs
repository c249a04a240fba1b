//! The end of a submission or of one of its runs, in the terms of the Contest API of the ICPC.

use judge_core::figure::RefereeFigures;
use judge_core::journal::Record;
use judge_core::verdict::Verdict;

/// The end of a submission or of one of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JudgementType {
    /// An answer with a score.
    Accepted,
    /// A wrong answer, or one without a score.
    Wrong,
    /// The run took more time than its limit.
    TimeLimit,
    /// A crash, or another limit.
    RunTime,
    /// The run took more memory than its limit.
    MemoryLimit,
    /// The run wrote more output than its limit.
    OutputLimit,
    /// It could not be built, so nothing ran.
    Compile,
    /// The judge failed, not the submission.
    Judge,
    /// It was not judged completely, because a later submission counts; or it arrived late, was cancelled or was removed.
    Cancelled,
}

/// Identifier, name, number and penalty of each outcome, see the functions.
const TABLE: [(JudgementType, &str, &str, u32, bool); 9] = [
    (JudgementType::Accepted, "AC", "accepted", 16, false),
    (JudgementType::Wrong, "WA", "wrong answer", 14, true),
    (JudgementType::TimeLimit, "TLE", "time limit exceeded", 12, true),
    (JudgementType::RunTime, "RTE", "run-time error", 9, true),
    (JudgementType::MemoryLimit, "MLE", "memory limit exceeded", 10, true),
    (JudgementType::OutputLimit, "OLE", "output limit exceeded", 11, true),
    (JudgementType::Compile, "CE", "compile error", 8, false),
    (JudgementType::Judge, "JE", "judge error", 6, false),
    (JudgementType::Cancelled, "CS", "not judged, or not counted", 7, false),
];

impl JudgementType {
    /// Every outcome, in the order of lists of judgement types.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(outcome, ..)| *outcome)
    }

    /// Its identifier in the list of known judgement types of the Contest API.
    pub fn id(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The ICPC's name for it, in lower case.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The number of the state in Kattis.
    pub fn in_kattis(self) -> u32 {
        TABLE[self as usize].3
    }

    /// Tests whether it adds a penalty in a contest of accepted answers: the program ran and was rejected.
    pub fn is_rejected(self) -> bool {
        TABLE[self as usize].4
    }

    /// The end of one run.
    pub(crate) fn of(record: &Record) -> Self {
        let scores = |given: &RefereeFigures| {
            given.full.is_none() && given.figures.first().is_some_and(|points| points.units() != 0)
        };
        match record.verdict.code() {
            None if matches!(record.verdict, Verdict::Solved(_) | Verdict::Valid(_)) => Self::Accepted,
            None if record.verdict.given().is_some_and(scores) => Self::Accepted,
            // An answer that stops before the goal adds to the score, but does not solve its board.
            None => Self::Wrong,
            Some(code) => Self::all().find(|outcome| outcome.id() == code.icpc()).unwrap_or(Self::Judge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::code::Code;

    #[test]
    fn the_table_is_in_order_and_has_the_outcome_of_every_code() {
        assert!(JudgementType::all().enumerate().all(|(place, outcome)| outcome as usize == place));
        let known = |code: &Code| JudgementType::all().any(|outcome| outcome.id() == code.icpc());
        assert!(Code::ALL.iter().all(known));
    }
}
