//! What a game is to the judge: text in, ruling out.
//!
//! A [`Game`] reads a board and gives back a [`Puzzle`]; a puzzle starts a [`Replay`]; a replay is fed an answer in
//! pieces of any size and says where it stands. Nothing here or in `games/` touches a file, a clock, a process, the
//! environment or standard output. To add a game, write one file in `games/` and one row in `games.rs`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::picture::Picture;

/// One row of the list of games: all that is known of a game before its house rules are read.
pub struct GameInfo {
    /// The name used on the command line and in contest files, such as `loyd`.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// What the game calls the three figures of a score.
    pub words: ScoreLabels,
    /// One line for each key of `[rules]`: the key, its values, the default.
    pub rules_help: &'static str,
    /// How it makes boards, in the words of the command line: `--random, --scramble MOVES`.
    pub generators_help: &'static str,
    /// The game under the house rules of a contest's `[rules]` table; refuses keys and values it does not know.
    pub open: fn(&toml::Table) -> Result<Box<dyn Game>, RuleError>,
}

/// What a game calls the figures of a score, plural, as in "25 tiles home in 94 moves, 12 transports".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ScoreLabels {
    /// Progress, such as `tiles home`: more is better.
    pub progress: &'static str,
    /// Moves: fewer is better.
    pub moves: &'static str,
    /// The tie-break, such as `transports`: fewer is better.
    pub tie_break: &'static str,
    /// What [`Replay::distance`] counts, such as `steps from home`.
    pub distance: &'static str,
}

/// A game under its house rules.
pub trait Game: Send + Sync {
    /// Reads a board file's bytes.
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError>;

    /// Draws up a new board and gives it as the text of a board file.
    fn make(&self, recipe: &GeneratorSpec) -> Result<String, GeneratorError>;
}

/// A board that was read and found good.
pub trait Puzzle: Send + Sync {
    /// A replay that stands before the first move.
    fn start(&self) -> Box<dyn Replay>;
}

/// An answer being replayed, move by move.
///
/// After an [`IllegalMove`] the replay stays where the last legal move left it and must not be fed again.
pub trait Replay {
    /// Plays the next bytes of the answer; a move may be cut anywhere between two pieces.
    fn feed(&mut self, answer: &[u8]) -> Result<(), IllegalMove>;

    /// Tells the replay that the answer has ended, so that a last move without a separator is played too.
    fn finish(&mut self) -> Result<(), IllegalMove>;

    /// The score as it stands now.
    fn score(&self) -> Score;

    /// How far the position is from the goal in what [`ScoreLabels::distance`] names; 0 where it is solved and nowhere else.
    /// For people who watch: it bounds no number of moves, and no score depends on it.
    fn distance(&self) -> u64;

    /// The position as it stands now, with the cells that the last move touched.
    fn picture(&self) -> Picture;
}

/// Where a replay stands: `progress` of `of`, after `moves` moves with `tie_break` of the costly kind among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// What has been reached, such as tiles home.
    pub progress: u64,
    /// What can be reached; the board is solved when `progress` equals it.
    pub of: u64,
    /// Moves made.
    pub moves: u64,
    /// The figure that breaks ties, such as transports made.
    pub tie_break: u64,
}

impl Score {
    /// Whether everything is reached.
    pub fn solved(&self) -> bool {
        self.progress == self.of
    }
}

/// The move that ended a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IllegalMove {
    /// Its place in the answer, from 1; white space is not counted.
    #[serde(rename = "failed_at")]
    pub index: u64,
    /// The move as it was written; bytes that do not print are escaped.
    pub token: String,
    /// Why it is illegal, as a fragment: "no tile stands below the empty spot".
    pub reason: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, token, reason } = self;
        write!(f, "illegal move {index} `{token}`: {reason}")
    }
}

/// Why a board was refused. `row` and `column` count from 1; either is `None` where the fault has no place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardError {
    /// Row of the offending symbol.
    pub row: Option<usize>,
    /// Column of the offending symbol.
    pub column: Option<usize>,
    /// What is wrong, as a fragment.
    pub reason: String,
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, "row {row}, ")?;
        }
        if let Some(column) = self.column {
            write!(f, "column {column}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for BoardError {}

/// Why a `[rules]` table was refused, as a fragment that says what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub String);

/// How a new board is to come about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GeneratorSpec {
    /// From the letters of a phrase.
    Phrase(String),
    /// Drawn at random; the same seed gives the same board for ever.
    Random {
        /// Seed of the generator.
        seed: u64,
        /// What the board is to hold, as the game writes it, such as `1-4`; `None` where nobody says.
        pieces: Option<String>,
    },
    /// By moves made backwards from the goal, so that an answer of at most that many moves exists.
    Scramble {
        /// How many moves.
        moves: u32,
        /// Seed of the generator.
        seed: u64,
    },
    /// The board of a game that has one of each size.
    Size(u32),
}

/// Why a game cannot follow a [`GeneratorSpec`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GeneratorError(pub String);

impl GeneratorError {
    /// A kind of recipe that the game does not know.
    pub(crate) fn of(kind: &GameInfo, reason: &str) -> Self {
        Self(format!("{reason}; {} makes boards with {}", kind.name, kind.generators_help))
    }
}

/// A byte of an answer as an error message shows it: printable ASCII as it is, anything else escaped.
pub(crate) fn show_byte(byte: u8) -> String {
    byte.escape_ascii().to_string()
}
