//! The interface of a game: it parses boards and replays answers.
//!
//! A [`Game`] parses a board into a [`Puzzle`]. A puzzle starts a [`Replay`]. A replay takes an answer in pieces of any
//! size and returns the score and the position. Games are pure: they use no file, clock, process, environment or
//! standard output. To add a game, write one file in `games/` and add one row to `games.rs`.
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::figure::{Figure, RefereeFigures};
use crate::picture::Picture;
use crate::points::Points;
use judge_job::Count;

/// One row of the list of games: everything about a game that does not depend on house rules.
#[non_exhaustive]
pub struct GameInfo {
    /// The name used on the command line and in contest files, such as `loyd`.
    pub name: &'static str,
    /// Title of the game for people.
    pub title: &'static str,
    /// Its declared figures: the progress of an answer, its moves, and the tie-break between answers with equal moves. They are
    /// the names of the numbers of a [`Score`], see [`Self::given`].
    pub figures: [Figure; 3],
    /// The unit of [`Replay::distance`], such as `steps from home`.
    pub distance: &'static str,
    /// The label of a man, which a drawing shows as a disc without a letter; `None` for a game whose pieces have letters.
    pub man: Option<char>,
    /// One line for each key of `[rules]`: the key, its values, and the default.
    pub rules_help: &'static str,
    /// The ways to generate boards, each with the form of its value and a remark in brackets; either may be empty.
    pub generators: &'static [(Generator, &'static str)],
    /// Opens the game under a contest's `[rules]` table. Unknown keys and values are refused.
    pub open: fn(&HouseRules) -> Result<Box<dyn Game>, RuleError>,
}

/// The `[rules]` of a contest file: a table that only the game reads. [`HouseRules::default`] has the default rules.
///
/// It is read and written with serde, in any format that has tables.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HouseRules(toml::Table);

impl HouseRules {
    /// Rules from the fields of a structure or a map.
    ///
    /// # Errors
    ///
    /// The value is not a table, or has a part that TOML does not support.
    pub fn new(rules: &impl Serialize) -> Result<Self, RuleError> {
        toml::Table::try_from(rules).map(Self).map_err(|error| RuleError(error.to_string()))
    }

    /// Tests whether all rules have their defaults.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules that are set to a text, in the order of their names.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, value)| Some((&**name, value.as_str()?)))
    }

    /// The names of the rules that are set, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The rules as a game's structure. Unknown names and values are refused if the structure refuses them.
    pub(crate) fn read<'de, T: Deserialize<'de>>(&self) -> Result<T, RuleError> {
        self.0.clone().try_into().map_err(|error: toml::de::Error| RuleError(error.message().to_owned()))
    }
}

impl fmt::Display for HouseRules {
    /// Writes the rules as lines of TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl GameInfo {
    /// The figures of a replay, under the names of the game.
    pub fn given(&self, score: Score) -> RefereeFigures {
        let Score { progress, of, moves, tie_break } = score;
        let values = [progress, moves, tie_break].map(Points::whole);
        let figures = self.figures.iter().zip(values).map(|(figure, value)| (figure.name, value));
        RefereeFigures { figures: figures.collect(), full: Some(Points::whole(of)) }
    }
}

impl fmt::Debug for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GameInfo({})", self.name)
    }
}

/// A game under its house rules.
pub trait Game: Send + Sync {
    /// Parses a board file.
    ///
    /// # Errors
    ///
    /// The text is not a board of this game. The error has the place and the reason.
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError>;

    /// Generates a new board, as the text of a board file.
    ///
    /// # Errors
    ///
    /// The game does not generate boards in this way, or the values do not fit.
    fn make(&self, spec: &GeneratorSpec) -> Result<String, GeneratorError>;
}

/// A valid board of a game, which replays answers.
pub trait Puzzle: Send + Sync {
    /// Starts a replay, before the first move.
    fn start(&self) -> Box<dyn Replay>;

    /// Returns the labels of the goal, one per cell of the first picture; `None` for a cell outside the goal. Empty for a game
    /// whose goal is not a position. Only for display.
    fn goal(&self) -> Vec<Option<char>> {
        Vec::new()
    }
}

/// The replay of an answer, move by move.
///
/// After an [`IllegalMove`], the replay keeps the position before it, and [`feed`](Self::feed) must not be called again.
pub trait Replay {
    /// Plays the next bytes of the answer. A move may be split between two calls.
    ///
    /// # Errors
    ///
    /// The first illegal move. Nothing may be fed after it.
    fn feed(&mut self, answer: &[u8]) -> Result<(), IllegalMove>;

    /// Ends the answer. This plays a last move without a separator.
    ///
    /// # Errors
    ///
    /// The last move is incomplete, or the answer may not end here.
    fn finish(&mut self) -> Result<(), IllegalMove>;

    /// Returns the score of the moves so far. It is final only after [`finish`](Self::finish).
    fn score(&self) -> Score;

    /// Returns the distance from the goal in units of [`GameInfo::distance`]; it is 0 exactly if the board is solved. It is only
    /// for display: it is not a bound of moves, and no score depends on it.
    fn distance(&self) -> u64;

    /// Returns the current position, with the cells that the last move touched.
    fn picture(&self) -> Picture;
}

/// The counts of a replay: `progress` out of `of`, after `moves` moves, of which `tie_break` are of the costly kind. Results have
/// these numbers under the names of their game, see [`GameInfo::given`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// The progress made, such as tiles home.
    pub progress: u64,
    /// The progress that solves the board.
    pub of: u64,
    /// Number of moves; fewer is better.
    pub moves: u64,
    /// The tie-break, such as the number of transports.
    pub tie_break: u64,
}

impl Score {
    /// Returns true if the board is solved.
    pub fn solved(self) -> bool {
        self.progress == self.of
    }
}

/// The move that ended a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IllegalMove {
    /// Its index in the answer, from 1; white space does not count.
    #[serde(rename = "failed_at", deserialize_with = "Count::number")]
    pub index: u64,
    /// The move as in the answer, with escapes for bytes that are not printable.
    pub token: String,
    /// The reason, as a fragment, such as "no tile is below the empty spot".
    pub reason: String,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, token, reason } = self;
        write!(f, "illegal move {index} `{token}`: {reason}")
    }
}

/// The refusal of a board. `row` and `column` count from 1; they are `None` if the error concerns the whole board.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardError {
    /// The row of the wrong symbol.
    pub row: Option<usize>,
    /// The column of the wrong symbol.
    pub column: Option<usize>,
    /// The reason, as a fragment.
    pub reason: String,
}

impl BoardError {
    /// Refuses the symbol at a row and a column, both from 0.
    pub fn at(row: usize, column: usize, reason: impl Into<String>) -> Self {
        Self { row: Some(row + 1), column: Some(column + 1), reason: reason.into() }
    }

    /// Refuses the board as a whole, for a reason without a line.
    pub fn whole(reason: impl Into<String>) -> Self {
        Self { row: None, column: None, reason: reason.into() }
    }
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

/// The refusal of a `[rules]` table, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
#[non_exhaustive]
pub struct RuleError(pub String);

impl RuleError {
    /// A refusal with this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// The way to generate a new board, with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeneratorSpec {
    /// From the letters of a phrase.
    Phrase(String),
    /// Random. Equal seeds always give equal boards.
    Random {
        /// Seed of the generator, any number.
        seed: u64,
        /// The pieces of the board in the game's notation, such as `1-4`; `None` for the game's default.
        pieces: Option<String>,
    },
    /// By moves backwards from the goal, so that an answer with at most this number of moves exists.
    Scramble {
        /// The number of moves away from the goal, an upper bound for the shortest answer.
        moves: u32,
        /// Seed of the generator, any number.
        seed: u64,
    },
    /// The board of this size, in a game with one board per size.
    Size(u32),
}

/// A way to generate boards, without its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator {
    /// From the letters of a phrase.
    Phrase,
    /// Random, with the pieces of the game's default.
    Random,
    /// Random, with these pieces.
    Pieces,
    /// By moves backwards from the goal.
    Scramble,
    /// The board of a given size.
    Size,
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Phrase => "a phrase",
            Self::Random => "chance",
            Self::Pieces => "pieces",
            Self::Scramble => "moves backwards",
            Self::Size => "a size",
        })
    }
}

impl GeneratorSpec {
    /// Returns the way to generate boards.
    pub fn generator(&self) -> Generator {
        match self {
            Self::Phrase(_) => Generator::Phrase,
            Self::Random { pieces: None, .. } => Generator::Random,
            Self::Random { pieces: Some(_), .. } => Generator::Pieces,
            Self::Scramble { .. } => Generator::Scramble,
            Self::Size(_) => Generator::Size,
        }
    }
}

/// The refusal of a [`GeneratorSpec`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeneratorError {
    /// The game does not generate boards in this way.
    #[error("{game} makes no boards by {generator}: {reason}")]
    Unsupported {
        /// Name of the game, as in contest files.
        game: &'static str,
        /// The requested way.
        generator: Generator,
        /// The reason, as a fragment.
        reason: &'static str,
        /// The ways that the game supports, see [`GameInfo::generators`].
        supported: &'static [(Generator, &'static str)],
    },
    /// The game generates boards in this way, but not with this value.
    #[error("{generator} {reason}")]
    InvalidValue {
        /// The requested way.
        generator: Generator,
        /// The reason, as the predicate of a sentence about the value.
        reason: String,
    },
}

impl GeneratorError {
    pub(crate) fn unsupported(info: &GameInfo, spec: &GeneratorSpec, reason: &'static str) -> Self {
        Self::Unsupported { game: info.name, generator: spec.generator(), reason, supported: info.generators }
    }

    pub(crate) fn invalid(generator: Generator, reason: impl Into<String>) -> Self {
        Self::InvalidValue { generator, reason: reason.into() }
    }
}

/// The most moves backwards from the goal. Every game is thoroughly mixed long before; more moves would only take time.
const MAX_SCRAMBLE: u32 = 100_000;

/// Refuses more moves of [`GeneratorSpec::Scramble`] than [`MAX_SCRAMBLE`].
pub(crate) fn check_scramble(moves: u32) -> Result<(), GeneratorError> {
    if moves <= MAX_SCRAMBLE {
        return Ok(());
    }
    Err(GeneratorError::invalid(Generator::Scramble, format!("must be at most {MAX_SCRAMBLE}, not {moves}")))
}

/// Formats a byte of an answer for an error message: printable ASCII as it is, anything else escaped.
pub(crate) fn show_byte(byte: u8) -> String {
    byte.escape_ascii().to_string()
}
