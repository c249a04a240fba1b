//! A problem: a game or a referee, and what entries get on its boards.

use serde::{Deserialize, Serialize};

use judge_job::Limits;

use super::GameError;
use crate::external::{ExternalReferee, Input, Protocol};
use crate::game::{Game, HouseRules};
use crate::games;
use crate::scoring::Scoring;

/// What is executed on the boards of a problem, and how their answers are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// Name of a built-in game, or of the game of a referee program.
    pub game: String,
    /// The `[rules]` table, which only the game reads.
    pub rules: HouseRules,
    /// Limits of a run, where round and entry have none of their own.
    pub limits: Limits,
    /// The way in which entries get their board.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub input: Input,
    /// True if every line of standard output that is a whole answer counts from when it was written, see [`crate::stream`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// The referee if it is a program; `None` for a built-in game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<ExternalReferee>>,
}

fn is_usual(input: &Input) -> bool {
    *input == Input::default()
}

impl Problem {
    /// A problem of this game under the default limits.
    pub fn new(game: impl Into<String>) -> Self {
        let (rules, limits, input, stream) = Default::default();
        Self { game: game.into(), rules, limits, input, stream, referee: None }
    }

    /// The game under these house rules.
    ///
    /// # Errors
    ///
    /// The game is not built in, or refuses the rules.
    pub fn game(&self) -> Result<Box<dyn Game>, GameError> {
        let info = games::find(&self.game).ok_or_else(|| GameError::Unknown(self.game.clone()))?;
        Ok((info.open)(&self.rules)?)
    }

    /// The usual figures of its game and its referee.
    pub fn usual_figures(&self) -> Scoring {
        let protocol = self.referee.as_ref().map_or(Protocol::Native, |referee| referee.protocol);
        protocol.usual_figures(&self.game)
    }

    /// True if the referee needs the entries themselves, and not only their answers: it talks to them, or has them run in passes.
    pub fn needs_entries(&self) -> bool {
        self.referee.as_ref().is_some_and(|referee| referee.needs_entry())
    }

    /// Tests whether entries get the same on equal boards of another problem, and their answers are judged in the same way. Limits
    /// do not matter.
    pub(super) fn judges_like(&self, other: &Self) -> bool {
        let deciding = |problem: &Self| problem.referee.as_deref().map(ExternalReferee::deciding_settings);
        self.game == other.game
            && self.rules == other.rules
            && self.input == other.input
            && self.stream == other.stream
            && deciding(self) == deciding(other)
    }
}
