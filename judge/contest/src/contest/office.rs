//! The rules of a contest's office: the times and quotas of submissions, the submissions that count, and the details that teams
//! see.

use serde::{Deserialize, Serialize};

/// The code that allows answers, a file per board, instead of programs in `languages` of `[office]`.
pub const ANSWERS: &str = "answers";

/// The tables `[office]`, `[[language]]` and `[notify]` of a contest file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfficeSetup {
    /// The rules, which teams can read.
    pub rules: OfficeRules,
    /// The identifiers of the problems that submissions can name; empty if the only problem has none.
    pub problems: Vec<String>,
    /// Languages that are added to the usual ones, or replace one of the same code.
    pub languages: Vec<LanguageRule>,
    /// Codes of the languages that are allowed; `None` for all.
    pub allowed: Option<Vec<String>>,
    /// The shell command that is executed for each message and result, in the contest's folder; `None` for none.
    pub notify: Option<String>,
    /// True if runs are judged even if this machine isolates them less than earlier runs.
    pub weaker_isolation: bool,
}

/// The rules of an office.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OfficeRules {
    /// The submission of a team that counts.
    pub counts: Counts,
    /// The details that teams see of the judging of their own submissions.
    pub feedback: Feedback,
    /// The details that teams see of the sealed boards of a round before it closes.
    pub sealed: SealedFeedback,
    /// The moments at which submissions open, the board freezes, and submissions close, for the contest and its first
    /// round.
    pub times: Times,
    /// The times at which each later round opens and closes. Rounds without times after the last round with times have
    /// no item.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Times>,
    /// The quotas of submissions, and the number of them that may wait.
    pub limit: Quotas,
    /// The penalty for a rejected submission in a contest of accepted answers, in minutes; `None` for 20.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<u32>,
    /// In a contest of matches, the time at which new players play.
    #[serde(skip_serializing_if = "is_usual")]
    pub games: Games,
    /// In a contest of matches, the seats whose messages and answers a team can read.
    #[serde(skip_serializing_if = "is_usual")]
    pub transcripts: Transcripts,
}

fn is_usual<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The time at which the new players of teams play, in a contest of matches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Games {
    /// As soon as they are built.
    #[default]
    AtOnce,
    /// On the organiser's command.
    OnCommand,
    /// Each day at this time in UTC, in seconds since midnight, and on the organiser's command.
    Daily(u32),
}

impl Games {
    /// Parses a value of the contest file; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let two = |digits: &str, most: u32| {
            let number: u32 = digits.parse().ok()?;
            (digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()) && number < most).then_some(number)
        };
        match text {
            "at-once" => Some(Self::AtOnce),
            "on-command" => Some(Self::OnCommand),
            time => {
                let (hours, minutes) = time.split_once(':')?;
                Some(Self::Daily(two(hours, 24)? * 3600 + two(minutes, 60)? * 60))
            }
        }
    }

    /// The last moment, not later than now, at which the clock started games of new players; `None` if the clock does not matter.
    pub fn last_before(self, now: u64) -> Option<u64> {
        const DAY: u64 = 86_400;
        let Self::Daily(seconds) = self else { return None };
        let today = (now / DAY * DAY).saturating_add(seconds.into());
        if today <= now { Some(today) } else { today.checked_sub(DAY) }
    }
}

/// The seats of a team's games whose messages and answers it can read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transcripts {
    /// The team's own seats.
    #[default]
    Own,
    /// The team's own seats, and all seats once the contest has ended.
    AfterEnd,
    /// All seats at once.
    AtOnce,
}

/// The default penalty for a rejected submission in a contest of accepted answers, in minutes.
const USUAL_PENALTY: u32 = 20;

impl OfficeRules {
    /// The times of a round, from 1.
    pub fn in_round(&self, round: u32) -> Times {
        match round {
            0 | 1 => self.times,
            later => self.rounds.get(later as usize - 2).copied().unwrap_or_default(),
        }
    }

    /// Sets the times of a round.
    #[must_use]
    pub fn with_round(mut self, round: u32, times: Times) -> Self {
        let Some(later) = (round as usize).checked_sub(2) else { return Self { times, ..self } };
        if self.rounds.len() <= later {
            self.rounds.resize(later + 1, Times::default());
        }
        self.rounds[later] = times;
        while self.rounds.last().is_some_and(|last| *last == Times::default()) {
            self.rounds.pop();
        }
        self
    }

    /// The penalty for a rejected submission in a contest of accepted answers, in minutes.
    pub fn cost_of_rejection(&self) -> u64 {
        self.penalty.unwrap_or(USUAL_PENALTY).into()
    }

    /// The moment from which submissions are late: the contest closes, or its final rounds open.
    pub fn late_from(&self) -> Option<u64> {
        [self.times.closes, self.in_round(2).opens].into_iter().flatten().min()
    }

    /// The end of the last round that has an end.
    pub fn ends(&self) -> Option<u64> {
        self.rounds.iter().rev().find_map(|times| times.closes).or(self.times.closes)
    }

    /// Checks the order of all moments.
    ///
    /// # Errors
    /// The first moment that comes too early, or a later round that freezes.
    pub fn check(&self) -> Result<(), TimesError> {
        let mut before = None;
        for (times, round) in [self.times].iter().chain(&self.rounds).zip(1..) {
            if round > 1 && times.freezes.is_some() {
                return Err(TimesError::Freezes { round });
            }
            times.check().map_err(|error| error.in_round(round))?;
            let moments = [("opens", times.opens), ("freezes", times.freezes), ("closes", times.closes)];
            for (key, at) in moments {
                let Some(at) = at else { continue };
                if let Some((earlier, of, _)) = before.filter(|&(_, of, from)| of < round && at < from) {
                    return Err(TimesError::Rounds { earlier, of, later: key, round });
                }
                before = Some((key, round, at));
            }
        }
        Ok(())
    }
}

/// The submission of a team that counts, among those that build and start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counts {
    /// The last one, regardless of the results of earlier ones.
    #[default]
    Latest,
    /// The submission of the team with the best place; the earliest if there are several.
    Best,
    /// The submission that the team has chosen; without a choice, the last one.
    Chosen,
    /// The first submission that is accepted on all boards; if none is, the last one. Exactly the contests whose answers are
    /// accepted or not use this rule.
    #[serde(rename = "first-accepted")]
    FirstAccepted,
}

/// The details that teams see of the judging of their own submissions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// Verdicts with their reasons and figures, board by board, and the answers.
    #[default]
    Full,
    /// The verdict on each board.
    Verdicts,
    /// Only the total, without the boards.
    Score,
}

/// The details that teams see of the sealed boards of a round before it closes, or the results are final.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SealedFeedback {
    /// The verdict on each, without reasons and figures.
    #[default]
    Code,
    /// Nothing of these boards.
    Nothing,
}

/// The times of submissions, in seconds since the beginning of 1970 in UTC. `None` means that nothing happens by
/// itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Submissions before this moment are refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens: Option<u64>,
    /// From this moment on, the public board shows no new results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freezes: Option<u64>,
    /// Submissions from this moment on are late: they are stored and not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes: Option<u64>,
}

impl Times {
    /// Checks the order of the moments.
    ///
    /// # Errors
    /// The first moment that comes too early.
    pub fn check(&self) -> Result<(), TimesError> {
        let pairs = [
            ("opens", self.opens, "freezes", self.freezes),
            ("freezes", self.freezes, "closes", self.closes),
            ("opens", self.opens, "closes", self.closes),
        ];
        for (earlier, from, later, to) in pairs {
            if from.zip(to).is_some_and(|(from, to)| to <= from) {
                return Err(TimesError::Order { earlier, later });
            }
        }
        Ok(())
    }
}

/// Parses a moment with an offset, such as `2026-11-24T18:00:00+01:00`, into seconds since the beginning of 1970 in UTC.
///
/// # Errors
/// [`TimesError::Moment`] if the text is not such a moment.
pub fn moment(text: &str) -> Result<u64, TimesError> {
    super::moment::moment(text).ok_or_else(|| TimesError::Moment(text.to_owned()))
}

/// The refusal of times of an office, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimesError {
    /// A text is not a moment with an offset.
    #[error("invalid time `{0}`; write it with an offset, such as 2026-11-24T18:00:00+01:00")]
    Moment(String),
    /// A moment is not after the moment that must precede it.
    #[error("`{later}` must be after `{earlier}`")]
    Order {
        /// The key of the moment that comes first.
        earlier: &'static str,
        /// The key of the moment that comes too early.
        later: &'static str,
    },
    /// A moment of a round is before one of an earlier round.
    #[error("`{later}` of round {round} must not be before `{earlier}` of round {of}")]
    Rounds {
        /// The key of the moment that comes first.
        earlier: &'static str,
        /// The number of the earlier round.
        of: u32,
        /// The key of the moment that comes too early.
        later: &'static str,
        /// The number of the later round.
        round: u32,
    },
    /// Two moments of a later round are in the wrong order.
    #[error("round {round}: {error}")]
    InRound {
        /// The number of the round.
        round: u32,
        /// The error in the times of that round.
        #[source]
        error: Box<TimesError>,
    },
    /// A later round has a moment at which the board freezes.
    #[error("round {round} is hidden until it closes, so it cannot freeze; leave out its `freezes`")]
    Freezes {
        /// The number of the round.
        round: u32,
    },
}

impl TimesError {
    fn in_round(self, round: u32) -> Self {
        if round > 1 { Self::InRound { round, error: Box::new(self) } } else { self }
    }
}

/// The quotas of a team. Submissions are counted per problem, questions and choices in all. `None` means no limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quotas {
    /// The least seconds between two submissions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// The most submissions in a day. Days begin with the contest, or at midnight UTC if the contest has no beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_day: Option<u32>,
    /// The most submissions that are not judged yet. It is written even without a limit, because a missing key means the default
    /// limit.
    pub waiting: Option<u32>,
    /// The most bytes of all uploads. It is written even without a limit.
    pub bytes: Option<u64>,
    /// The most submissions in a day that do not build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub builds_failed: Option<u32>,
    /// The most questions in an hour. It is written even without a limit, like `waiting`.
    pub questions: Option<u32>,
    /// The most choices of the counting submission in an hour. It is written even without a limit.
    pub choices: Option<u32>,
}

/// The quotas of a contest file without quotas: enough for people, too few for a loop.
impl Default for Quotas {
    fn default() -> Self {
        Self {
            every: None,
            per_day: None,
            waiting: Some(10),
            bytes: Some(64 << 20),
            builds_failed: None,
            questions: Some(20),
            choices: Some(60),
        }
    }
}

/// A language that a contest file defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LanguageRule {
    /// Its code: its name in files and forms.
    pub code: String,
    /// Its name in texts for people, such as `C++`.
    pub name: String,
    /// Endings of its sources, with their dot.
    pub endings: Vec<String>,
    /// Programs that this machine must have.
    pub needs: Vec<String>,
    /// A shell command, run in the folder of the sources; `None` if there is nothing to build.
    pub build: Option<String>,
    /// The words of the command that runs it.
    pub run: Vec<String>,
    /// Memory of the runtime besides the limit, in MiB.
    pub memory: u64,
}
