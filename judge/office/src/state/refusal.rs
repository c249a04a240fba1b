//! Reasons why a line is not allowed after the earlier ones.

use judge_contest::office::TimesError;
use judge_core::date::Date;
use judge_core::names::{NameError, Taken};

use super::{FORMAT, MAX_TEAM_CHARACTERS, MAX_TEXT_BYTES};

/// The reason why a line is not allowed after the earlier ones, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The office has a format that this version cannot read; the number of the format.
    #[error("the office has format {0}, and this `judge` reads {FORMAT}")]
    Format(u32),
    /// A second line begins the log.
    #[error("the log begins twice")]
    SecondBeginning,
    /// The first line does not begin the log.
    #[error("the log has no beginning")]
    NoBeginning,
    /// The most teams have used the link; their number.
    #[error("{0} teams have registered, and no more can")]
    LinkUsedUp(u32),
    /// A team registers without an open link.
    #[error("registration is closed")]
    RegistrationClosed,
    /// A name that the contest cannot have.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A name that the entries of a team cannot begin with.
    #[error("unusable team name `{0}`: use at most {MAX_TEAM_CHARACTERS} letters, digits and _ + -")]
    TeamName(String),
    /// A name that could be confused with another team's name.
    #[error(transparent)]
    Taken(#[from] Taken),
    /// A team that does not exist.
    #[error("unknown team `{0}`")]
    UnknownTeam(String),
    /// A submission that does not exist.
    #[error("unknown submission {0}")]
    UnknownSubmission(u32),
    /// A question that does not exist.
    #[error("unknown question {0}")]
    UnknownQuestion(u32),
    /// An answer to a message that does not exist or is not a question.
    #[error("there is no such question")]
    NoQuestion,
    /// A number that does not follow the last one.
    #[error("{what} {number} follows {last}")]
    Number {
        /// The kind of the numbered item, such as `submission`.
        what: &'static str,
        /// The given number of the next item of its kind.
        number: u32,
        /// The last number before it, 0 for none.
        last: u32,
    },
    /// Moments in the wrong order.
    #[error(transparent)]
    Times(#[from] TimesError),
    /// A rejudging is to be recorded or dropped, but none was requested.
    #[error("no answers are to be refereed again")]
    NothingAsked,
    /// A decision that has no effect, or is too late.
    #[error("{entry} {reason}")]
    Decision {
        /// The entry of the submission.
        entry: String,
        /// The state of the submission, as the predicate of a sentence.
        reason: &'static str,
    },
    /// The board freezes although it is frozen.
    #[error("the board is frozen already")]
    Frozen,
    /// The board thaws although it is not frozen.
    #[error("the board is not frozen")]
    NotFrozen,
    /// The final rounds begin twice.
    #[error("the final rounds are judged already")]
    Finals,
    /// Final rounds have begun, or are about to.
    #[error("the final rounds have begun")]
    FinalsBegun,
    /// The results of a round become public before the final rounds.
    #[error("the final rounds have not begun")]
    FinalsNotBegun,
    /// A submission before the contest opens; the moment when it does.
    #[error("submissions are accepted from {} on", Date::from_unix(*.0))]
    NotOpen(u64),
    /// A round that no contest can have; its number.
    #[error("unknown round {0}")]
    UnknownRound(u32),
    /// The results of a round become public twice; its number.
    #[error("round {0} cannot become public now")]
    Published(u32),
    /// The results become final twice.
    #[error("the results are final already")]
    Final,
    /// The results are to be reopened, but they are not final.
    #[error("the results are not final")]
    NotFinal,
    /// An action that could change final results; the moment from which they are final.
    #[error("the results are final since {}: nothing changes any more unless the organiser reopens the contest", Date::from_unix(*.0))]
    Finalised(u64),
    /// A message without text, or with too much text.
    #[error("a text has 1 to {MAX_TEXT_BYTES} bytes")]
    Text,
}
