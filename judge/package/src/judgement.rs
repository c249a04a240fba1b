//! Judgements: the terms of the package format for the result of a test case.

use std::fmt;

use judge_core::code::Code;

/// The result of a submission on a test case or a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// The package or the judge failed. The worst judgement, which decides a group.
    JudgeError,
    /// The submission could not be built.
    CompileError,
    /// It crashed, or used more memory, processes or files than allowed.
    RunTimeError,
    /// It exceeded the time limit on a test case.
    TimeLimit,
    /// It printed more than the output limit.
    OutputLimit,
    /// The validator rejected its answer.
    WrongAnswer,
    /// The validator accepted its answer.
    Accepted,
}

impl Judgement {
    /// The judgement on a run with this code.
    pub fn of(code: Code) -> Self {
        // The format has no judgement for a failure of the judge.
        Self::named(code.icpc()).unwrap_or(Self::JudgeError)
    }

    /// The judgement that a code in `submissions.yaml`, a folder of `submissions` or a tag in a source stands for.
    /// `None` for other words.
    pub(crate) fn named(word: &str) -> Option<Self> {
        let word = word.trim().to_ascii_uppercase().replace(['_', ' '], "-");
        Some(match word.as_str() {
            "AC" | "ACCEPTED" | "CORRECT" => Self::Accepted,
            "WA" | "WRONG-ANSWER" | "NO-OUTPUT" => Self::WrongAnswer,
            "TLE" | "TIME-LIMIT-EXCEEDED" | "TIMELIMIT" => Self::TimeLimit,
            "RTE" | "RUN-TIME-ERROR" | "RUN-ERROR" | "RUNTIME-ERROR" | "MLE" | "MEMORY-LIMIT-EXCEEDED" => {
                Self::RunTimeError
            }
            "OLE" | "OUTPUT-LIMIT" | "OUTPUT-LIMIT-EXCEEDED" => Self::OutputLimit,
            "CE" | "COMPILE-ERROR" | "COMPILER-ERROR" => Self::CompileError,
            _ => return None,
        })
    }

    /// Checks whether it is the judgement that a package expects. Here, endless output ends at the output limit; on
    /// systems that let the program continue, it becomes too slow or exceeds another limit.
    pub(crate) fn is(self, wanted: Self) -> bool {
        self == wanted || (self == Self::OutputLimit && matches!(wanted, Self::TimeLimit | Self::RunTimeError))
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::JudgeError => "judge error",
            Self::CompileError => "compile error",
            Self::RunTimeError => "run-time error",
            Self::TimeLimit => "time limit exceeded",
            Self::OutputLimit => "output limit exceeded",
            Self::WrongAnswer => "wrong answer",
            Self::Accepted => "accepted",
        })
    }
}

/// The result of one test case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CaseResult {
    /// The judgement on this test case alone.
    pub judgement: Judgement,
    /// The score that the validator gave.
    pub score: Option<CaseScore>,
}

/// The score of an accepted test case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CaseScore {
    /// `score.txt`: the score itself, in points.
    Points(f64),
    /// `score_multiplier.txt`: a share of the test case's largest score.
    Share(f64),
}

/// The result of a group or of a whole submission.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// The judgement that the group's rules derive from the members' judgements.
    pub judgement: Judgement,
    /// The score, in packages that have scores.
    pub score: Option<f64>,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Some(score) => write!(f, "{} with score {}", self.judgement, round(score)),
            None => self.judgement.fmt(f),
        }
    }
}

/// A score without the rounding errors of binary fractions.
pub(crate) fn round(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

/// Compares a score with a score that a person wrote with two decimals.
pub(crate) fn same_rounded(exact: f64, written: f64) -> bool {
    (exact - written).abs() <= 0.005 + 1e-9
}

/// Compares scores as sums of decimal fractions.
pub(crate) fn same_score(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0)
}

/// Tests whether a score is more than the largest one, by more than the rounding of decimal fractions.
pub(crate) fn is_more(score: f64, most: f64) -> bool {
    score > most && !same_score(score, most)
}
