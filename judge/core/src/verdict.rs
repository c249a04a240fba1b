//! Verdicts of runs.
//!
//! A verdict follows from the judge's observations: how the process ended, and the result of its answer. It never repeats a claim
//! of the entry. A failure of the entry and a failure of the judge are different verdicts.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::code::Code;
use crate::figure::RefereeFigures;
use crate::game::{GameInfo, IllegalMove, Score};
use crate::text::unknown;
use judge_job::{Count, End};

/// The refusal of a word that is no verdict, as a fragment with those that are.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownVerdict(String);

/// The verdict of one entry on one board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// The answer is legal and solves the board.
    Solved(RefereeFigures),
    /// The answer is legal and does not reach the goal.
    Unsolved(RefereeFigures),
    /// The answer contains an illegal move.
    IllegalMove {
        /// The figures before the move.
        #[serde(flatten)]
        given: RefereeFigures,
        /// The move, its place in the answer, and why it is illegal.
        #[serde(flatten)]
        illegal: Box<IllegalMove>,
    },
    /// The answer is legal. The referee of a puzzle that cannot be solved gave it figures.
    Valid(RefereeFigures),
    /// The referee rejected the answer.
    Wrong {
        /// The figures before the fault.
        #[serde(flatten)]
        given: RefereeFigures,
        /// The referee's reason, as a fragment.
        reason: String,
    },
    /// The entry's main process was still running at the limit, or at the end of the grace period if there is one.
    TimedOut,
    /// Its processes together took more CPU time than allowed.
    OutOfCpu,
    /// Its processes together took more memory than allowed.
    OutOfMemory,
    /// It had or requested more processes and threads at the same time than allowed.
    TooManyProcesses,
    /// It filled its scratch directory.
    ScratchFull,
    /// Standard output exceeded its limit, and the judge ended the entry.
    TooMuchOutput,
    /// The main process ended with an exit code other than 0, or by a signal that the judge did not send.
    Crashed {
        /// The exit code or signal.
        exit: Exit,
    },
    /// The operating system refused to start the command, for example because it is missing, not executable, or for another
    /// architecture.
    CouldNotStart {
        /// The system's reason, as a fragment.
        reason: String,
    },
    /// The entry's program could not be built, so the run was not executed.
    BuildFailed {
        /// The reason with the end of the build's output, as a fragment in one line.
        reason: String,
    },
    /// The judge failed, not the entry. The run is not scored, and it is repeated on resume.
    JudgeError {
        /// The failure of the judge or of a referee program.
        reason: JudgeFailure,
    },
}

/// The words of the verdicts without a code, which follow from the figures of an answer alone.
const LEGAL: [Legal; 3] = [("solved", Verdict::Solved), ("unsolved", Verdict::Unsolved), ("valid", Verdict::Valid)];

/// A word, and the verdict that it names.
type Legal = (&'static str, fn(RefereeFigures) -> Verdict);

/// The members of a verdict in files, besides its word and its figures. Each word needs some of them.
#[derive(Debug, Default)]
pub(crate) struct Parts<'a> {
    /// The place, the text and the reason of an illegal move.
    pub(crate) failed_at: Option<u64>,
    pub(crate) token: Option<Cow<'a, str>>,
    pub(crate) reason: Option<Cow<'a, str>>,
    pub(crate) exit: Option<Exit>,
}

/// A verdict beside other members of an object.
impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            verdict: String,
            #[serde(flatten)]
            given: RefereeFigures,
            failed_at: Option<Count>,
            token: Option<String>,
            reason: Option<String>,
            exit: Option<Exit>,
        }
        let Stored { verdict, given, failed_at, token, reason, exit } = Stored::deserialize(deserializer)?;
        let (token, reason) = (token.map(Cow::from), reason.map(Cow::from));
        let parts = Parts { failed_at: failed_at.map(Count::get), token, reason, exit };
        Self::from_parts(&verdict, || Ok(given), parts).map_err(D::Error::custom)
    }
}

/// A failure of the judge, as a fragment. Records store it as text, with the prefix `referee: ` for a referee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum JudgeFailure {
    /// A referee program failed. The entry has ended, and its answer is stored.
    Referee(String),
    /// The judge failed in another way, for this reason.
    Judge(String),
}

/// The prefix of a referee's failure.
const OF_REFEREE: &str = "referee: ";

impl From<String> for JudgeFailure {
    fn from(text: String) -> Self {
        match text.strip_prefix(OF_REFEREE) {
            Some(reason) => Self::Referee(reason.to_owned()),
            None => Self::Judge(text),
        }
    }
}

impl From<JudgeFailure> for String {
    fn from(failure: JudgeFailure) -> Self {
        failure.to_string()
    }
}

impl fmt::Display for JudgeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Referee(reason) => write!(f, "{OF_REFEREE}{reason}"),
            Self::Judge(reason) => f.write_str(reason),
        }
    }
}

/// The end of a process that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// It was ended by a signal with this number.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} (SIG{name})"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// The name of a Linux signal; numbers 1 to 31 have one. It does not use a system crate, because systems with other numbers read
/// journals of Linux, too.
fn signal_name(signal: i32) -> Option<&'static str> {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
        "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
        "WINCH", "IO", "PWR", "SYS",
    ];
    NAMES.get(usize::try_from(signal).ok()?.checked_sub(1)?).copied()
}

impl Verdict {
    /// The verdict on a process that ended by itself with exit code 0, from the replay of its answer.
    pub fn from_replay(game: &GameInfo, score: Score, illegal: Option<IllegalMove>) -> Self {
        let given = game.given(score);
        match illegal {
            Some(illegal) => Self::IllegalMove { given, illegal: Box::new(illegal) },
            None if score.solved() => Self::Solved(given),
            None => Self::Unsolved(given),
        }
    }

    /// The verdict, if the end of the process decides it; `None` if its answer must be replayed.
    pub fn from_end(end: &End) -> Option<Self> {
        match end {
            End::Exited { code: 0 } => None,
            End::Exited { code } => Some(Self::Crashed { exit: Exit::Code(*code) }),
            End::Signalled { signal } => Some(Self::Crashed { exit: Exit::Signal(*signal) }),
            End::TimedOut => Some(Self::TimedOut),
            End::OutOfCpu => Some(Self::OutOfCpu),
            End::OutOfMemory => Some(Self::OutOfMemory),
            End::TooManyProcesses => Some(Self::TooManyProcesses),
            End::ScratchFull => Some(Self::ScratchFull),
            End::TooMuchOutput => Some(Self::TooMuchOutput),
            End::CouldNotStart { reason, .. } => Some(Self::CouldNotStart { reason: reason.clone() }),
            End::JudgeError { reason } => Some(Self::JudgeError { reason: JudgeFailure::Judge(reason.clone()) }),
        }
    }

    /// The verdict with this word in files. `given` reads its figures, if it has any. The error is a fragment.
    pub(crate) fn from_parts(
        word: &str,
        given: impl FnOnce() -> Result<RefereeFigures, String>,
        Parts { failed_at, token, reason, exit }: Parts<'_>,
    ) -> Result<Self, String> {
        if let Some((_, legal)) = LEGAL.iter().find(|(legal, _)| *legal == word) {
            return given().map(legal);
        }
        let code = Code::named(word).ok_or_else(|| {
            let known = LEGAL.map(|(word, _)| word).into_iter().chain(Code::ALL.map(Code::name));
            unknown("verdict", word, known)
        })?;
        let needs = |member: &str| format!("the verdict {word} needs {member}");
        let text = |text: Option<Cow<'_, str>>, member: &str| text.map(Cow::into_owned).ok_or_else(|| needs(member));
        let reason = || text(reason, "a reason");
        Ok(match code {
            Code::IllegalMove => {
                let index = failed_at.ok_or_else(|| needs("failed_at"))?;
                let illegal = IllegalMove { index, token: text(token, "a token")?, reason: reason()? };
                Self::IllegalMove { given: given()?, illegal: Box::new(illegal) }
            }
            Code::Wrong => Self::Wrong { given: given()?, reason: reason()? },
            Code::TimedOut => Self::TimedOut,
            Code::OutOfCpu => Self::OutOfCpu,
            Code::OutOfMemory => Self::OutOfMemory,
            Code::TooManyProcesses => Self::TooManyProcesses,
            Code::ScratchFull => Self::ScratchFull,
            Code::TooMuchOutput => Self::TooMuchOutput,
            Code::Crashed => Self::Crashed { exit: exit.ok_or_else(|| needs("an exit code or a signal"))? },
            Code::CouldNotStart => Self::CouldNotStart { reason: reason()? },
            Code::BuildFailed => Self::BuildFailed { reason: reason()? },
            Code::JudgeError => Self::JudgeError { reason: reason()?.into() },
        })
    }

    /// Its members in files, besides its word and its figures.
    pub(crate) fn parts(&self) -> Parts<'_> {
        match self {
            Self::IllegalMove { illegal, .. } => Parts {
                failed_at: Some(illegal.index),
                token: Some((&*illegal.token).into()),
                reason: Some((&*illegal.reason).into()),
                exit: None,
            },
            Self::Wrong { reason, .. } | Self::CouldNotStart { reason } | Self::BuildFailed { reason } => {
                Parts { reason: Some(reason.into()), ..Parts::default() }
            }
            Self::JudgeError { reason } => Parts { reason: Some(reason.to_string().into()), ..Parts::default() },
            Self::Crashed { exit } => Parts { exit: Some(*exit), ..Parts::default() },
            _ => Parts::default(),
        }
    }

    /// The verdict on an answer that breaks no rule, by its word: solved, unsolved or valid.
    ///
    /// # Errors
    ///
    /// Another word.
    pub fn legal(word: &str, given: RefereeFigures) -> Result<Self, UnknownVerdict> {
        let legal = LEGAL.iter().find(|(legal, _)| *legal == word);
        let refused = || UnknownVerdict(unknown("verdict", word, LEGAL.map(|(word, _)| word)));
        legal.map(|(_, legal)| legal(given)).ok_or_else(refused)
    }

    /// The name used in JSON and CSV, such as `illegal_move`.
    pub fn name(&self) -> &'static str {
        self.code_or_name().map_or_else(|name| name, Code::name)
    }

    /// The code that a table cell shows instead of figures; `None` for a verdict without one.
    pub fn code(&self) -> Option<Code> {
        self.code_or_name().ok()
    }

    /// The code, or the name of a verdict without one.
    fn code_or_name(&self) -> Result<Code, &'static str> {
        match self {
            Self::Solved(_) => Err(LEGAL[0].0),
            Self::Unsolved(_) => Err(LEGAL[1].0),
            Self::Valid(_) => Err(LEGAL[2].0),
            Self::Wrong { .. } => Ok(Code::Wrong),
            Self::TimedOut => Ok(Code::TimedOut),
            Self::OutOfCpu => Ok(Code::OutOfCpu),
            Self::OutOfMemory => Ok(Code::OutOfMemory),
            Self::TooManyProcesses => Ok(Code::TooManyProcesses),
            Self::ScratchFull => Ok(Code::ScratchFull),
            Self::IllegalMove { .. } => Ok(Code::IllegalMove),
            Self::TooMuchOutput => Ok(Code::TooMuchOutput),
            Self::Crashed { .. } => Ok(Code::Crashed),
            Self::CouldNotStart { .. } => Ok(Code::CouldNotStart),
            Self::BuildFailed { .. } => Ok(Code::BuildFailed),
            Self::JudgeError { .. } => Ok(Code::JudgeError),
        }
    }

    /// The figures of the answer, for the verdicts that follow from one.
    pub fn given(&self) -> Option<&RefereeFigures> {
        match self {
            Self::Solved(given)
            | Self::Unsolved(given)
            | Self::Valid(given)
            | Self::IllegalMove { given, .. }
            | Self::Wrong { given, .. } => Some(given),
            _ => None,
        }
    }

    /// Returns true if the answer is a complete success: it solves its board, or it is valid in a puzzle that cannot be solved.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Solved(_) | Self::Valid(_))
    }

    /// A short text of the verdict: `solved`, `valid with score 12.5`, or the fault.
    pub fn summary(&self) -> String {
        let given = self.given().filter(|given| !given.figures.is_empty());
        let figures = given.map_or(String::new(), |given| format!(" with {given}"));
        self.fault().unwrap_or_else(|| format!("{}{figures}", self.name()))
    }

    /// The reason why the answer is not a success, as a fragment; `None` if it is one.
    pub fn fault(&self) -> Option<String> {
        match self {
            Self::Solved(_) | Self::Valid(_) => None,
            Self::Wrong { reason, .. } => Some(format!("wrong answer: {reason}")),
            Self::Unsolved(given) if given.figures.is_empty() => Some("stops short of the goal".into()),
            Self::Unsolved(given) => Some(format!("stops short of the goal: {given}")),
            Self::IllegalMove { illegal, .. } => Some(illegal.to_string()),
            Self::TimedOut => Some("still running at the limit".into()),
            Self::OutOfCpu => Some("more CPU time than the contest allows".into()),
            Self::OutOfMemory => Some("more memory than the contest allows".into()),
            Self::TooManyProcesses => Some("more processes and threads at a time than the contest allows".into()),
            Self::ScratchFull => Some("more files in its scratch directory than the contest allows".into()),
            Self::TooMuchOutput => Some("more on standard output than the contest allows".into()),
            Self::Crashed { exit } => Some(format!("crashed with {exit}")),
            Self::CouldNotStart { reason } => Some(format!("could not be started: {reason}")),
            Self::BuildFailed { reason } => Some(format!("build failed: {reason}")),
            Self::JudgeError { reason } => Some(format!("judge error: {reason}")),
        }
    }
}
