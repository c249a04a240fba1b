//! The lines of the office's log.

use judge_contest::office::{OfficeRules, Times};
use judge_core::fingerprint::Hash;
use judge_core::journal::ManualRuling;
use serde::{Deserialize, Serialize};

/// The format of logs that are begun now.
pub const FORMAT: u32 = 1;

/// One line of the log, with its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dated {
    /// Seconds since the beginning of 1970 in UTC.
    pub at: u64,
    /// What happened then, in the same JSON object.
    #[serde(flatten)]
    pub line: Line,
}

/// Something that happened in the office.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Line {
    /// The first line of every log.
    Office {
        /// Format of the log, at most [`FORMAT`].
        format: u32,
    },
    /// A team was added to the contest.
    Team {
        /// Its name, which its entries begin with.
        team: String,
        /// True if it came by the link for everybody.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        registered: bool,
    },
    /// A token that a team or the organiser can show from now on.
    Token {
        /// The team; `None` for the organiser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        team: Option<String>,
        /// SHA-256 of the token's characters.
        hash: Hash,
    },
    /// All tokens of a team are void from now on.
    Revoked {
        /// Name of the team.
        team: String,
    },
    /// All tokens of the organiser are void.
    OrganiserRevoked,
    /// The link by which anybody can add a team.
    Registration {
        /// SHA-256 of its token; `None` closes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<Hash>,
        /// The most teams that come by it.
        most: u32,
    },
    /// The rules as the contest file has them from now on.
    Rules {
        /// All rules, also those that stay as they were.
        rules: OfficeRules,
    },
    /// Other times than those of the contest file hold from now on.
    Extended {
        /// The later round that has them; `None` for the contest and its first round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// All moments, also those that stay as they were.
        times: Times,
        /// The reason, for everybody to read.
        because: String,
    },
    /// A submission was accepted, and its files are stored.
    Submitted(Submission),
    /// The organiser or the team decided on a submission.
    Decided {
        /// Number of the submission.
        number: u32,
        /// What holds for the submission from now on.
        decision: Decision,
        /// The reason, for the team to read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<String>,
    },
    /// The organiser changed something of the contest. The judging does it, and the journal has it then.
    Ordered(Box<Order>),
    /// The stored answers are to be refereed again. What judges the contest finds out what would change, and records nothing.
    RejudgeAsked,
    /// The organiser has seen what would change, and it is to be recorded.
    RejudgeApproved {
        /// SHA-256 of what was seen.
        shown: Hash,
        /// True if the answers on which the referee fails keep their verdicts, and the others are recorded.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    },
    /// Nothing of it is recorded.
    RejudgeDropped,
    /// It is recorded in the journal.
    RejudgeDone,
    /// A team chose the submission that counts for it.
    Chosen {
        /// Number of the submission, of this team.
        number: u32,
    },
    /// The public sees nothing of submissions after this one but that they came.
    Frozen {
        /// The number of the last submission that is public; 0 if none is.
        last: u32,
        /// The moment at which it was to freeze: submissions that arrived before are public, too. `None` if it was frozen by hand.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
        /// The number of the freeze of the first office that it is, from 1, in the office of a further problem.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u32>,
    },
    /// The public sees everything again.
    Thawed,
    /// The sealed rounds are judged from now on, and nothing else.
    Finals {
        /// The moment at which they were to begin. `None` if the organiser began them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<u64>,
    },
    /// Everybody sees the results of rounds up to this one, because it has closed.
    Published {
        /// Number of the round, from 2.
        round: u32,
    },
    /// Planned moments that the clock has come to. What began then stays begun, whatever the clock says later.
    Passed {
        /// The moments, in seconds since the beginning of 1970 in UTC.
        moments: Vec<u64>,
    },
    /// The organiser declares the results final: until they are not any more, nothing that could change them happens.
    Final,
    /// The results are not final any more.
    Reopened {
        /// The reason, for everybody to read.
        because: String,
    },
    /// A question, an answer or a notice.
    Message(Message),
    /// Somebody is about to answer a question.
    Claimed {
        /// The number of the question.
        question: u32,
        /// Name of the person who answers, as it is shown to the others.
        by: String,
    },
    /// The command for news is about to be executed for an event. Without a line after it, it is not executed again.
    Notifying {
        /// Name of the event, which is unique.
        event: String,
    },
    /// It failed, and may be executed again.
    NotifyFailed {
        /// Name of the event, which is unique.
        event: String,
    },
}

/// What a team handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Its number in this contest, from 1.
    pub number: u32,
    /// Name of the team that handed it in.
    pub team: String,
    /// The name of the file as it was sent.
    pub file: String,
    /// SHA-256 of its bytes, under which the office stores them.
    pub sha256: Hash,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Code of its language; `None` if its files decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The file or class that starts it; `None` if its files decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_point: Option<String>,
    /// Code of the language that its files decided on when it came: later changes of the contest file do not change that. `None`
    /// if one was given, and in logs of version 0.2.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recognised: Option<String>,
    /// When its last byte arrived, in seconds since the beginning of 1970 in UTC, if that is another time than that of its line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrived: Option<u64>,
    /// True if it came after the end, so that it is not judged unless it is admitted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// How often the board of the first problem had been frozen when it was accepted, in the office of a further problem: whether it
    /// came before a freeze within the same second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freezes: Option<u32>,
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
    /// It came late and is judged all the same.
    Admitted,
    /// It is not judged until it is released.
    Held,
    /// It is judged, also if the judge failed on it too often before.
    Released,
    /// Its team takes it back before it is judged. It waits no more; the other quotas count it.
    Cancelled,
    /// It does not count for its team.
    Ignored,
    /// It counts again for its team, after it was ignored.
    Considered,
}

/// A change of the contest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Order {
    /// All submissions of a team are disqualified.
    Disqualify {
        /// Name of the team.
        team: String,
        /// The reason, for everybody to read.
        because: String,
    },
    /// A disqualified team takes part again.
    Reinstate {
        /// Name of the team.
        team: String,
        /// The reason, for everybody to read.
        because: String,
    },
    /// A board does not count.
    Strike {
        /// Name of the board.
        board: String,
        /// The reason, for everybody to read.
        because: String,
    },
    /// A struck board counts again.
    Unstrike {
        /// Name of the board.
        board: String,
        /// The reason, for everybody to read.
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
    /// The team that reads it; `None` for everybody, and for a question, which the organiser reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The question that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<u32>,
    /// The text. An answer to everybody says what the question was, as nobody else sees that.
    pub text: String,
}

impl Message {
    /// A text of the organiser for everybody. Its number comes when it is sent.
    pub fn new(text: impl Into<String>) -> Self {
        Self { number: 0, from: None, to: None, answers: None, text: text.into() }
    }
}
