//! The end of a submission or of one of its runs, in the terms of the Contest API of the ICPC.

use judge_core::code::Code;
use judge_core::figure::Given;
use judge_core::journal::Record;
use judge_core::verdict::Verdict;

/// The end of a submission or of one of its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
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

impl Outcome {
    /// Every outcome, in the order of lists of judgement types.
    pub const ALL: [Self; 9] = [
        Self::Accepted,
        Self::Wrong,
        Self::TimeLimit,
        Self::RunTime,
        Self::MemoryLimit,
        Self::OutputLimit,
        Self::Compile,
        Self::Judge,
        Self::Cancelled,
    ];

    /// Its identifier in the list of known judgement types of the Contest API.
    pub fn id(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Wrong => "WA",
            Self::TimeLimit => "TLE",
            Self::RunTime => "RTE",
            Self::MemoryLimit => "MLE",
            Self::OutputLimit => "OLE",
            Self::Compile => "CE",
            Self::Judge => "JE",
            Self::Cancelled => "CS",
        }
    }

    /// The ICPC's name for it, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Wrong => "wrong answer",
            Self::TimeLimit => "time limit exceeded",
            Self::RunTime => "run-time error",
            Self::MemoryLimit => "memory limit exceeded",
            Self::OutputLimit => "output limit exceeded",
            Self::Compile => "compile error",
            Self::Judge => "judge error",
            Self::Cancelled => "not judged, or not counted",
        }
    }

    /// Tests whether it adds a penalty in a contest of accepted answers: the program ran and was rejected.
    pub fn is_rejected(self) -> bool {
        match self {
            Self::Wrong | Self::TimeLimit | Self::RunTime | Self::MemoryLimit | Self::OutputLimit => true,
            Self::Accepted | Self::Compile | Self::Judge | Self::Cancelled => false,
        }
    }

    /// The end of one run.
    pub(crate) fn of(record: &Record) -> Self {
        let scores =
            |given: &Given| given.full.is_none() && given.figures.first().is_some_and(|points| points.units() != 0);
        match record.verdict.code() {
            None if matches!(record.verdict, Verdict::Solved(_) | Verdict::Valid(_)) => Self::Accepted,
            None if record.verdict.given().is_some_and(scores) => Self::Accepted,
            // An answer that stops before the goal adds to the score, but does not solve its board.
            None | Some(Code::IllegalMove | Code::Wrong) => Self::Wrong,
            Some(Code::TimedOut | Code::OutOfCpu) => Self::TimeLimit,
            Some(Code::OutOfMemory) => Self::MemoryLimit,
            Some(Code::TooMuchOutput) => Self::OutputLimit,
            Some(Code::TooManyProcesses | Code::ScratchFull | Code::Crashed | Code::CouldNotStart) => Self::RunTime,
            Some(Code::BuildFailed) => Self::Compile,
            Some(Code::JudgeError) => Self::Judge,
        }
    }
}
