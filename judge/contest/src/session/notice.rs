//! Notices for an organiser who prepares a contest.

use std::fmt;
use std::path::PathBuf;

use judge_core::hint::Hint;
use judge_core::plan::referee_in_words;

use crate::check::Finding;
use crate::programs::NotKept;

/// A remark about a contest that is prepared or under way, for its organiser. Its text is one sentence without the remedy, which
/// [`Self::hint`] returns as data.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// A build failed, so the runs of its entries fail.
    NotBuilt {
        /// Names of the entries.
        entries: Vec<String>,
        /// The reason, with the output of the build.
        reason: String,
    },
    /// A program cannot be started, so the runs of its entry fail.
    CannotStart(Finding),
    /// An entry may see the command line of the referee that it talks to.
    CommandLineVisible,
    /// Entries may find this results directory, because its name can be guessed.
    NameCanBeGuessed(PathBuf),
    /// Programs are searched in other folders than when the contest began.
    OtherPath {
        /// The search path when the contest began.
        before: String,
        /// The present search path.
        now: String,
    },
    /// The program of this entry has changed since the contest began. Its existing runs still count.
    OtherProgram(String),
    /// The referee has changed since the contest began. Its existing rulings still count.
    OtherReferee,
    /// The files of a program are not kept with the results.
    NotKept(NotKept),
}

impl Notice {
    /// The remedy, if one exists.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::NameCanBeGuessed(_) => Some(Hint::HiddenResults),
            Self::OtherProgram(_) => Some(Hint::Update),
            Self::OtherReferee => Some(Hint::Rejudge),
            _ => None,
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBuilt { entries, reason } => write!(f, "not built: {}: {reason}", entries.join(", ")),
            Self::CannotStart(Finding { subject, finding, .. }) => write!(f, "{subject}: {finding}"),
            Self::CommandLineVisible => f.write_str(
                "under Landlock, an entry can look up the command line of the referee that it talks to, with the arguments of \
                 the board, and the size of the board; isolation = \"require\" hides both",
            ),
            Self::NameCanBeGuessed(results) => write!(
                f,
                "under Landlock, entries can look up the sizes of files in {}, whose name can be guessed",
                results.display()
            ),
            Self::OtherPath { before, now } => {
                write!(f, "PATH has changed since the contest started, from `{before}` to `{now}`")
            }
            Self::OtherProgram(entry) => write!(f, "the program of {entry} has changed since the contest started"),
            Self::OtherReferee => f.write_str("the referee has changed since the contest started"),
            Self::NotKept(NotKept { program, reason, .. }) => {
                let whose = referee_in_words(program).unwrap_or_else(|| program.clone());
                write!(f, "the program of {whose} is not kept with the results: {reason}")
            }
        }
    }
}
