//! The outcome of one submission in words.

use std::fmt;

use judge_package::Comparison;

/// The result of one submission.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub(crate) struct SubmissionResult {
    /// Its index in the package.
    pub(crate) submission: usize,
    /// Path of the submission below `submissions`.
    pub(crate) path: String,
    /// The expectation of the package.
    expected: String,
    /// The comparison; `None` if it was not run.
    pub(crate) comparison: Option<Comparison>,
    /// The longest time of its runs, in seconds: the least time limit under which it is not too slow.
    pub(crate) seconds: f64,
    /// The wall-clock time of that run in seconds, if it waited so long that this time counts.
    pub(crate) waited: Option<f64>,
    /// The dependence of the result on the time limit, if there is one.
    pub(crate) tight: Option<String>,
    /// A remark on its score for the author of the package.
    pub(crate) remark: Option<String>,
    /// The message about the first rejected run.
    pub(crate) message: String,
    /// The last lines of the standard error of that run, if it crashed.
    pub(crate) stderr: Vec<String>,
    /// The reason why it was not run.
    pub(crate) skipped: Option<String>,
    /// True if the judge or the validator failed on one of its runs, or the grader on their results.
    pub(crate) judge_failed: bool,
}

/// The first word of an outcome's line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub(crate) enum Mark {
    /// It is as the package expects.
    Ok,
    /// It is, but with more or less time the result would differ.
    Tight,
    /// It is not as the package expects.
    Differs,
    /// It was not run: its language is not installed here, for example.
    Skipped,
    /// The package does not state what it expects, or the runs do not decide.
    Ignored,
}

impl Mark {
    /// All of them, the best first.
    pub(crate) const ALL: [Self; 5] = [Self::Ok, Self::Tight, Self::Differs, Self::Skipped, Self::Ignored];

    /// The word that begins the line of such an outcome.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Tight => "tight",
            Self::Differs => "differs",
            Self::Skipped => "skipped",
            Self::Ignored => "ignored",
        }
    }
}

impl SubmissionResult {
    /// The outcome of a submission that was not run.
    pub(crate) fn new(submission: usize, path: &str, expected: String) -> Self {
        Self {
            submission,
            path: path.to_owned(),
            expected,
            comparison: None,
            seconds: 0.0,
            waited: None,
            tight: None,
            remark: None,
            message: String::new(),
            stderr: Vec::new(),
            skipped: None,
            judge_failed: false,
        }
    }

    /// The mark that summarizes the outcome.
    pub(crate) fn mark(&self) -> Mark {
        match self.comparison.as_ref().map(|comparison| comparison.agrees) {
            None => Mark::Skipped,
            Some(None) => Mark::Ignored,
            Some(Some(false)) => Mark::Differs,
            Some(Some(true)) if self.tight.is_some() => Mark::Tight,
            Some(Some(true)) => Mark::Ok,
        }
    }
}

/// The time of a run in words.
pub(crate) fn time_text(seconds: f64, waited: Option<f64>) -> String {
    match waited {
        None => format!("{seconds:.2} s"),
        Some(wall) => format!("{wall:.2} s of wall-clock time"),
    }
}

impl fmt::Display for SubmissionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = self.mark();
        write!(f, "{:8} {}: ", mark.word(), self.path)?;
        let Some(comparison) = &self.comparison else {
            return f.write_str(self.skipped.as_deref().unwrap_or_default());
        };
        f.write_str(&comparison.ours)?;
        if mark == Mark::Differs {
            write!(f, "; expected: {}", self.expected)?;
        }
        if !comparison.reason.is_empty() {
            write!(f, "; {}", comparison.reason)?;
        }
        if mark == Mark::Differs && !self.message.is_empty() {
            write!(f, " ({})", self.message)?;
        }
        for more in self.remark.iter().chain(&self.tight) {
            write!(f, "; {more}")?;
        }
        write!(f, "; {}", time_text(self.seconds, self.waited))?;
        if mark == Mark::Differs {
            self.stderr.iter().try_for_each(|line| write!(f, "\n    | {line}"))?;
        }
        Ok(())
    }
}
