//! The lines of the office in the log of a contest.

use judge_contest::office::{OfficeRules, Times};
use judge_core::date::Date;
use judge_core::fingerprint::Hash;
use judge_core::journal::ManualRuling;
use serde::{Deserialize, Serialize};

pub use crate::text::Text;

/// The format of the office's lines that this version writes.
pub const FORMAT: u32 = 2;

/// An event with its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated {
    /// Seconds since the beginning of 1970 in UTC.
    pub at: u64,
    /// The event of that moment.
    pub line: Line,
}

impl Dated {
    /// Reads a line of the log without its hash. A private text in it is not opened.
    pub(crate) fn read(line: &[u8]) -> serde_json::Result<Self> {
        /// An event in its stored form.
        #[derive(Deserialize)]
        struct Stored {
            at: Date,
            #[serde(flatten)]
            line: Line,
        }
        let Stored { at, line } = serde_json::from_slice(line)?;
        Ok(Self { at: at.unix(), line })
    }
}

/// Something that happened in the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Line {
    /// The first event of every office.
    Office {
        /// Format of its lines, at most [`FORMAT`].
        format: u32,
    },
    /// A team was added to the contest.
    Team {
        /// Its name, which is the beginning of the names of its entries.
        team: String,
        /// True if it registered through the public link.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        registered: bool,
    },
    /// A new public link with which anyone can add a team, or the end of such a link.
    Registration {
        /// The most teams that can register through it; 0 closes it.
        most: u32,
    },
    /// The rules of the contest file from now on.
    Rules {
        /// All rules, including unchanged ones.
        rules: OfficeRules,
    },
    /// Different times from those of the contest file apply from now on.
    Extended {
        /// The later round that has them; `None` for the contest and its first round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// All moments, including unchanged ones.
        times: Times,
        /// The reason, which everyone can read.
        because: String,
    },
    /// A submission was accepted, and its files are stored.
    Submitted(Submission),
    /// The organiser or the team decided on a submission.
    Decided {
        /// Number of the submission.
        number: u32,
        /// The decision that applies to the submission from now on.
        decision: Decision,
        /// The reason, which the team can read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<Text>,
    },
    /// All submissions of a team are disqualified.
    Disqualified {
        /// Name of the team.
        team: String,
        /// The reason, which everyone can read.
        because: String,
    },
    /// A disqualified team takes part again.
    Reinstated {
        /// Name of the team.
        team: String,
        /// The reason, which everyone can read.
        because: String,
    },
    /// The stored answers are to be refereed again. The judging computes the changes without recording them.
    RejudgeAsked,
    /// The organiser has seen the changes, and wants them to be recorded.
    RejudgeApproved {
        /// SHA-256 of the proposal that the organiser has seen.
        shown: Hash,
        /// True if the answers on which the referee fails keep their verdicts, and the others are recorded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    },
    /// The rejudging is dropped, and nothing is recorded.
    RejudgeDropped,
    /// A team chose the submission that counts for it.
    Chosen {
        /// Number of the submission, which must belong to the team.
        number: u32,
    },
    /// The board is frozen: the public sees only that submissions after this one exist.
    Frozen {
        /// The number of the last submission that is public; 0 if none is.
        last: u32,
        /// The planned moment of the freeze. Submissions that arrived before it are also public. `None` if an organiser froze the
        /// board.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
    },
    /// In a contest of matches, the players among the submissions up to this one play from now on.
    Called {
        /// The number of the last such submission.
        last: u32,
    },
    /// The public sees everything again.
    Thawed,
    /// From now on, only the sealed rounds are judged.
    Finals {
        /// The planned moment of their beginning; `None` if the organiser began them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
    },
    /// The results of rounds up to this one are public, because it has closed.
    Published {
        /// Number of the round, from 2.
        round: u32,
    },
    /// Planned moments that the clock has reached. Setting the clock back does not undo what began then.
    Passed {
        /// The moments, in seconds since the beginning of 1970 in UTC.
        moments: Vec<u64>,
    },
    /// The organiser declares the results final. Until they are reopened, nothing that could change them is accepted.
    Final,
    /// The results are no longer final.
    Reopened {
        /// The reason, which everyone can read.
        because: String,
    },
    /// A question, an answer or a notice.
    Message(Message),
    /// A person is about to answer a question.
    Claimed {
        /// The number of the question.
        question: u32,
        /// Name of the person, as shown to other organisers.
        by: Text,
    },
}

impl Line {
    /// The texts that the published log does not contain.
    pub(crate) fn private(&mut self) -> Option<&mut Text> {
        match self {
            Self::Submitted(submission) => Some(&mut submission.file),
            Self::Decided { because, .. } => because.as_mut(),
            Self::Message(message) if message.from.is_some() || message.to.is_some() => Some(&mut message.text),
            Self::Claimed { by, .. } => Some(by),
            _ => None,
        }
    }
}

/// The submission of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Its number in this contest, from 1.
    pub number: u32,
    /// Name of the team that submitted it.
    pub team: String,
    /// The identifier of its problem; empty for the only problem of a contest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// The original name of the file.
    pub file: Text,
    /// SHA-256 of its bytes, under which the office stores them.
    pub sha256: Hash,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// The code of its language; `None` if it follows from the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The file or class that starts it; `None` if it follows from the files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_point: Option<String>,
    /// The code of the language that followed from its files on arrival. Later changes of the contest file do not affect it.
    /// `None` if the language was given, and in logs of version 0.2.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognised: Option<String>,
    /// The time when its last byte arrived, in seconds since the beginning of 1970 in UTC, if it differs from the time of its
    /// line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrived: Option<u64>,
    /// True if it arrived after the end. It is not judged then unless it is admitted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}

impl Submission {
    /// The name of its entry in the results: the team and the number.
    pub fn entry(&self) -> String {
        format!("{}.{}", self.team, self.number)
    }
}

/// A decision on a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It arrived late but is judged.
    Admitted,
    /// It is not judged until it is released.
    Held,
    /// It is judged, even if the judge has failed on it too often before.
    Released,
    /// Its team cancels it before it is judged. It no longer counts as waiting, but still counts for the other quotas.
    Cancelled,
    /// It does not count for its team.
    Ignored,
    /// It counts again for its team, after it was ignored.
    Considered,
}

/// A change of the contest that the organiser wants.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// All submissions of a team are disqualified.
    Disqualify {
        /// Name of the team.
        team: String,
        /// The reason, which everyone can read.
        because: String,
    },
    /// A disqualified team takes part again.
    Reinstate {
        /// Name of the team.
        team: String,
        /// The reason, which everyone can read.
        because: String,
    },
    /// A board does not count.
    Strike {
        /// Name of the board.
        board: String,
        /// The reason, which everyone can read.
        because: String,
    },
    /// A struck board counts again.
    Unstrike {
        /// Name of the board.
        board: String,
        /// The reason, which everyone can read.
        because: String,
    },
    /// A verdict is set by hand.
    Rule {
        /// The run, its new verdict, and the reason.
        ruling: ManualRuling,
    },
}

/// A question of a team, or a text of the organiser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Its number in this office, from 1.
    pub number: u32,
    /// The team that asks; `None` if the organiser writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The team that reads it; `None` for everyone, and for a question, which the organiser reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The number of the question that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<u32>,
    /// The identifier of the problem that it is about; `None` for the contest as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The text, which is private unless it is for everyone. An answer to everyone must repeat the question, because only its
    /// team sees the question.
    pub text: Text,
}

impl Message {
    /// A text of the organiser for everyone. It gets its number when it is sent.
    pub fn new(text: impl Into<Text>) -> Self {
        Self { number: 0, from: None, to: None, answers: None, problem: None, text: text.into() }
    }
}

/// The number of the submission of an entry, from its name `TEAM.NUMBER`; `None` for an entry of the contest file.
pub fn number_of(entry: &str) -> Option<u32> {
    entry.rsplit_once('.')?.1.parse().ok()
}
