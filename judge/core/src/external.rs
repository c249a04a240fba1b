//! Referees that are programs: their definition, and decoders of their output.
//!
//! The decoders are pure: text and an exit code in, a [`Decoded`] out. They do not trust their input, because a referee reads
//! what entries wrote.

mod dialogue;
mod frames;
mod kattis;
mod lines;
mod native;
mod score_line;
pub mod seats;
mod talk;
mod testlib;

use serde::{Deserialize, Serialize};

use judge_job::{Limits, named};

use crate::fingerprint::Hashes;
use crate::fingerprint::sha256_of;
use crate::points::Points;
use crate::scoring::Scoring;
use crate::verdict::Verdict;

pub use dialogue::{MAX_TRANSCRIPT_BYTES, dialogue};
pub use frames::{
    Frame, FrameView, FramesError, MAX_FRAMES, MAX_FRAMES_BYTES, MAX_STORED_FRAMES_BYTES, parse_frames, write_frames,
};
pub use kattis::{ACCEPTED, Feedback, REJECTED, decode_kattis};
pub use lines::{MAX_REASON, first_line};
pub use native::{MAX_RULING_BYTES, decode_ruling};
pub use score_line::{PatternError, ScorePattern};
pub use talk::{Blame, OverriddenResult, TalkClock, blame, remarks};
pub use testlib::{MAX_RESULT_BYTES, decode_result};

/// A referee that is a program, as a contest file defines it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExternalReferee {
    /// Its calling convention, and the form of its rulings.
    pub protocol: Protocol,
    /// Program and arguments as in the contest file; empty in [`Protocol::Tokens`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Shell command that builds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The folder that its build may write; `None` for the folder of its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Files and folders that it may read besides those of its commands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// Arguments of every call, before those of a board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Limits of one call, for each process that it starts.
    pub limits: Limits,
    /// The clock of the entry, if the referee stays alive and talks to it. `None` if the referee reads an answer after the entry
    /// has ended. For [`Protocol::Native`] and [`Protocol::Kattis`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<TalkClock>,
    /// The most lines that an entry may write in a talk; `None` for no such limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// The most passes of a run; `None` for a single pass. In each pass, the entry gets an input that the referee created from
    /// its previous answer. For [`Protocol::Kattis`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u32>,
    /// Exit codes that accept an answer, in [`Protocol::Exit`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<i32>,
    /// Exit codes that reject an answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reject: Vec<i32>,
    /// The regular expression that finds the score, in [`Protocol::Score`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The number of times that every answer is refereed.
    pub repeat: u32,
    /// The verdict of a crash of the referee.
    #[serde(default)]
    pub on_crash: OnCrash,
    /// The command that refuses unusable boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Vec<String>>,
    /// The command that creates a board from a seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub make: Option<Vec<String>>,
    /// The command that draws a board or a position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<Vec<String>>,
}

named! {
    /// The calling convention of a referee, and the form of its rulings.
    pub enum Protocol {
        /// `referee BOARD ANSWER OUT/`: exit code 0 and `OUT/ruling.json`.
        Native = "native",
        /// `validator BOARD JUDGE_ANSWER FEEDBACK/ [args] < ANSWER`: exit code 42 or 43, and optionally `score.txt`.
        Kattis = "kattis",
        /// `checker BOARD ANSWER JUDGE_ANSWER RESULT -appes`: the outcome in an XML file.
        Testlib = "testlib",
        /// `checker BOARD ANSWER JUDGE_ANSWER`: the exit code.
        Exit = "exit",
        /// `scorer BOARD ANSWER`: exit code 0, and a score in its output.
        Score = "score",
        /// No program. The answer is compared with the judge's answer, token by token, see [`crate::tokens`].
        Tokens = "tokens",
    }
}

impl Protocol {
    /// The figures of a contest of that game that declares none.
    pub fn usual_figures(self, game: &str) -> Scoring {
        match self {
            Self::Native => Scoring::of_game(game),
            Self::Kattis | Self::Testlib | Self::Exit | Self::Score | Self::Tokens => Scoring::accepted_or_not(),
        }
    }
}

named! {
    /// The verdict of a crash of a referee: an unknown exit code of its protocol, or a signal.
    #[derive(Default)]
    pub enum OnCrash {
        /// A judge error: the run is not scored.
        #[default]
        Judge = "judge",
        /// The answer is wrong, for referees that crash on wrong answers.
        Reject = "reject",
    }
}

/// The input of an entry: its board as a file, on standard input, or both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// The path of a file, as the last argument.
    #[default]
    Argument,
    /// The contents of the board, on standard input.
    Stdin,
    /// The path as the last argument, and the contents on standard input.
    Both,
    /// Nothing: a referee that talks sends the entry its information.
    Nothing,
}

impl Input {
    /// The words for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Stdin => "stdin",
            Self::Both => "argument and stdin",
            Self::Nothing => "nothing",
        }
    }

    /// True if the path of the board is an argument.
    pub fn by_argument(self) -> bool {
        matches!(self, Self::Argument | Self::Both)
    }

    /// True if the board is on standard input.
    pub fn by_stdin(self) -> bool {
        matches!(self, Self::Stdin | Self::Both)
    }
}

/// The decoded result of one call of a referee.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded {
    /// The verdict on the answer.
    pub verdict: Verdict,
    /// Remarks for the organiser, as fragments.
    pub notes: Vec<String>,
}

impl From<Verdict> for Decoded {
    /// A ruling without a remark.
    fn from(verdict: Verdict) -> Self {
        Self { verdict, notes: Vec::new() }
    }
}

/// The reason why the output of a referee is not a ruling, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// The facts about the contest and a board that decoders need.
#[derive(Debug, Clone, Copy, Default)]
pub struct BoardScoring<'a> {
    /// The scoring of the contest.
    pub scoring: Option<&'a Scoring>,
    /// The points of the board: those of an answer that is accepted without a score, and the most that an answer can get.
    pub points: Option<Points>,
}

impl ExternalReferee {
    /// A referee with this command, called once per answer under the default limits. Its crashes are judge errors.
    pub fn new(protocol: Protocol, command: Vec<String>) -> Self {
        Self {
            protocol,
            command,
            build: None,
            folder: None,
            readable: Vec::new(),
            args: Vec::new(),
            limits: Limits::default(),
            talk: None,
            lines: None,
            passes: None,
            accept: Vec::new(),
            reject: Vec::new(),
            pattern: None,
            repeat: 1,
            on_crash: OnCrash::default(),
            check: None,
            make: None,
            show: None,
        }
    }

    /// True if it needs the entry itself, so that an answer is not enough: it talks to the entry, or has it run in passes.
    pub fn needs_entry(&self) -> bool {
        self.talk.is_some() || self.passes.is_some()
    }

    /// A hash of everything that decides its rulings, with the hashes of its files. Rulings record it as the name of their
    /// referee.
    #[allow(clippy::missing_panics_doc, reason = "plain data has a JSON form")]
    pub fn hash(&self, programs: &Hashes) -> String {
        let text = serde_json::to_string(&(self.deciding(), programs)).expect("plain data has a JSON form");
        sha256_of(text.as_bytes())
    }

    /// Tests whether another definition gives the same rulings. The tools for boards do not affect rulings.
    pub fn rules_like(&self, other: &Self) -> bool {
        self.deciding() == other.deciding()
    }

    /// The part of the definition that decides rulings: without the tools for boards.
    pub fn deciding(&self) -> Self {
        Self { folder: None, check: None, make: None, show: None, ..self.clone() }
    }

    /// Everything about it that decides rulings, for comparing a journal with a contest file.
    pub(crate) fn deciding_settings(&self) -> String {
        let mut words = vec![format!("protocol {}", self.protocol.name()), self.command.join(" ")];
        words.extend(self.build.iter().map(|build| format!("build {build}")));
        words.push(format!("args {:?}", self.args));
        words.push(self.limits.to_string());
        words.push(format!("accept {:?}, reject {:?}, pattern {:?}", self.accept, self.reject, self.pattern));
        words.push(format!("repeat {}, on_crash {:?}, readable {:?}", self.repeat, self.on_crash, self.readable));
        words.extend(self.talk.map(|clock| format!("talk, clock {}", clock.name())));
        words.extend(self.lines.map(|lines| format!("lines {lines}")));
        words.join("; ")
    }
}
