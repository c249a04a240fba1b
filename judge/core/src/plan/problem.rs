//! Problems, each with a game or a referee, and the input of entries on its boards.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use judge_job::Limits;

use super::{Entry, GameError};
use crate::external::{ExternalReferee, Input, OnCrash, Protocol};
use crate::game::{Game, HouseRules};
use crate::games;
use crate::key::problem_id;
use crate::names;
use crate::scoring::Scoring;

/// The name under which the hashes of the files of a contest's only referee are recorded. An entry cannot have this name.
pub const REFEREE_PROGRAM: &str = "[referee]";
/// The beginning of the names of several referees, before the identifiers of their problems.
const NAMED_REFEREE: &str = "[referee ";

/// The name under which the hashes of the files of a problem's referee are recorded. An entry cannot have this name.
pub fn referee_program(problem: &str) -> Cow<'static, str> {
    if problem.is_empty() { REFEREE_PROGRAM.into() } else { format!("{NAMED_REFEREE}{problem}]").into() }
}

/// The referee behind the name of a program, in words; `None` for an entry.
pub fn referee_in_words(program: &str) -> Option<String> {
    let id = program.strip_prefix(NAMED_REFEREE).and_then(|rest| rest.strip_suffix(']'));
    let named = id.map(|id| format!("the referee of {id}"));
    named.or_else(|| (program == REFEREE_PROGRAM).then(|| "the referee".to_owned()))
}

/// The settings of a problem: what is executed on its boards, and how answers are judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// Its identifier, with which the names of its boards begin; empty if it is the contest's only problem.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// Its title, only for people; empty if the identifier or the contest's title is the title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Name of a built-in game, or of the game of a referee program.
    pub game: String,
    /// The `[rules]` table, which the game interprets.
    pub rules: HouseRules,
    /// Limits of a run, if the round and the entry set none.
    pub limits: Limits,
    /// The way in which entries get the board.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub input: Input,
    /// True if each line of standard output that is a whole answer counts from the time when it was written, see
    /// [`crate::stream`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stream: bool,
    /// The referee program; `None` for a built-in game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<Box<ExternalReferee>>,
}

fn is_usual(input: &Input) -> bool {
    *input == Input::default()
}

impl Problem {
    /// The only problem of a contest, with this game and the default limits.
    pub fn new(game: impl Into<String>) -> Self {
        let (id, name, rules, limits, input, stream) = Default::default();
        Self { id, name, game: game.into(), rules, limits, input, stream, referee: None }
    }

    /// The game under these house rules.
    ///
    /// # Errors
    ///
    /// The game is not built in, or it refuses the rules.
    pub fn game(&self) -> Result<Box<dyn Game>, GameError> {
        let info = games::find(&self.game).ok_or_else(|| GameError::Unknown(self.game.clone()))?;
        Ok((info.open)(&self.rules)?)
    }

    /// The usual figures of its game and its referee.
    pub fn usual_figures(&self) -> Scoring {
        let protocol = self.referee.as_ref().map_or(Protocol::Native, |referee| referee.protocol);
        protocol.usual_figures(&self.game)
    }

    /// The name under which the hashes of its referee's files are recorded. An entry cannot have this name.
    pub fn referee_program(&self) -> Cow<'static, str> {
        referee_program(&self.id)
    }

    /// The part of a sentence that names the problem; empty if it is the only one.
    pub(crate) fn of_it(&self) -> String {
        if self.id.is_empty() { String::new() } else { format!(" of {}", self.id) }
    }

    /// The limits of an entry's runs in a round that does not set one.
    pub fn limits_of(&self, entry: &Entry) -> Limits {
        entry.limits.unwrap_or(self.limits)
    }

    /// Returns true if the referee needs the entries and not only their answers: it talks to them, or has them run in passes.
    pub fn needs_entries(&self) -> bool {
        self.referee.as_ref().is_some_and(|referee| referee.needs_entry())
    }

    /// Returns true if a crash of the referee counts as a wrong answer.
    pub fn crash_rejects(&self) -> bool {
        self.referee.as_ref().is_some_and(|referee| referee.on_crash == OnCrash::Reject)
    }

    /// Its settings that decide results, each with its name, for a comparison of a journal with a contest file.
    pub(super) fn deciding_settings(&self) -> Vec<(String, String)> {
        let settings = [
            ("game", self.game.clone()),
            ("limits", self.limits.to_string()),
            ("input", self.input.name().to_owned()),
            ("answers", if self.stream { "a stream" } else { "whole outputs" }.to_owned()),
            ("referee", self.referee.as_ref().map_or(String::new(), |referee| referee.deciding_settings())),
            ("rules", self.rules.to_string().trim_end().replace('\n', ", ")),
        ];
        settings.into_iter().map(|(what, setting)| (format!("{what}{}", self.of_it()), setting)).collect()
    }

    /// Tests whether entries get the same input on equal boards of another problem, and answers are judged in the same way.
    /// Limits are ignored.
    pub(super) fn judges_like(&self, other: &Self) -> bool {
        let deciding = |problem: &Self| problem.referee.as_deref().map(ExternalReferee::deciding_settings);
        self.game == other.game
            && self.rules == other.rules
            && self.input == other.input
            && self.stream == other.stream
            && deciding(self) == deciding(other)
    }
}

/// The problems of a contest: one without an identifier, or any number with different identifiers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Problems(Vec<Problem>);

/// The reason why problems cannot belong to one contest, as a fragment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProblemsError(String);

impl Problems {
    /// These problems in their order, each with an identifier.
    ///
    /// # Errors
    ///
    /// The list is empty, two problems have the same identifier, or an identifier is a number or not usable.
    pub fn several(problems: Vec<Problem>) -> Result<Self, ProblemsError> {
        if problems.is_empty() {
            return Err(ProblemsError("a contest has a problem".into()));
        }
        let mut ids = HashSet::new();
        for Problem { id, .. } in &problems {
            names::usable("problem", id).map_err(|error| ProblemsError(error.to_string()))?;
            // A number before a slash in a table is a round.
            if id.chars().all(|letter| letter.is_ascii_digit()) {
                return Err(ProblemsError(format!("problem name `{id}` is a number; give it a letter")));
            }
            if !ids.insert(id) {
                return Err(ProblemsError(format!("duplicate problem name `{id}`")));
            }
        }
        Ok(Self(problems))
    }

    /// The problem of a board. If problems have identifiers, it is the part of the board's name before a slash.
    pub fn of(&self, board: &str) -> Option<&Problem> {
        self.with_id(if self.are_named() { problem_id(board) } else { "" })
    }

    /// The only problem, for callers that cannot have several.
    ///
    /// # Panics
    ///
    /// There are several problems.
    pub fn only(&self) -> &Problem {
        let [only] = &self.0[..] else { panic!("one problem") };
        only
    }

    /// The problem with this identifier, which is empty for an only problem.
    pub fn with_id(&self, id: &str) -> Option<&Problem> {
        self.0.iter().find(|problem| problem.id == id)
    }

    /// The problem whose referee has this [name of a program](Problem::referee_program).
    pub fn of_referee(&self, program: &str) -> Option<&Problem> {
        self.0.iter().find(|problem| problem.referee.is_some() && problem.referee_program() == program)
    }

    /// The identifiers of the problems; empty if the only one has none.
    pub fn ids(&self) -> Vec<String> {
        self.0.iter().map(|problem| problem.id.clone()).filter(|id| !id.is_empty()).collect()
    }

    /// Tests whether the problems have identifiers: there are several, or the contest file allows more.
    pub fn are_named(&self) -> bool {
        !self.0[0].id.is_empty()
    }
}

impl From<Problem> for Problems {
    /// The only problem of a contest, which loses its identifier.
    fn from(problem: Problem) -> Self {
        Self(vec![Problem { id: String::new(), ..problem }])
    }
}

impl Deref for Problems {
    type Target = [Problem];

    fn deref(&self) -> &[Problem] {
        &self.0
    }
}

impl DerefMut for Problems {
    fn deref_mut(&mut self) -> &mut [Problem] {
        &mut self.0
    }
}

/// The problems as in the file of a plan. The keys of an only problem are those of the plan.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<HouseRules>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<Limits>,
    #[serde(default, skip_serializing_if = "is_usual")]
    input: Input,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    referee: Option<Box<ExternalReferee>>,
}

impl From<Problems> for Stored {
    fn from(problems: Problems) -> Self {
        let is_named = problems.are_named();
        let mut all = problems.0;
        if is_named {
            let (game, rules, limits, input, stream, referee) = Default::default();
            return Self { problems: all, game, rules, limits, input, stream, referee };
        }
        let Problem { game, rules, limits, input, stream, referee, .. } = all.swap_remove(0);
        let (game, rules, limits) = (Some(game), Some(rules), Some(limits));
        Self { problems: Vec::new(), game, rules, limits, input, stream, referee }
    }
}

impl TryFrom<Stored> for Problems {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Self, String> {
        let Stored { problems, game, rules, limits, input, stream, referee } = stored;
        if !problems.is_empty() {
            return Self::several(problems).map_err(|error| error.to_string());
        }
        let missing = |key: &str| format!("missing field `{key}`");
        let game = game.ok_or_else(|| missing("game"))?;
        let (rules, limits) = (rules.ok_or_else(|| missing("rules"))?, limits.ok_or_else(|| missing("limits"))?);
        Ok(Problem { rules, limits, input, stream, referee, ..Problem::new(game) }.into())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use serde_json::{Value, json};

    use super::*;

    fn problem(id: &str, game: &str) -> Problem {
        Problem { id: id.to_owned(), ..Problem::new(game) }
    }

    #[test]
    fn only_several_problems_are_named_in_a_file() {
        let one = Problems::from(problem("x", "loyd"));
        let text = serde_json::to_value(&one).unwrap();
        let keys: Vec<&String> = text.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["game", "limits", "rules"]);
        assert_eq!(serde_json::from_value::<Problems>(text).unwrap(), one);
        let two = Problems::several(vec![problem("a", "loyd"), problem("b", "ufo")]).unwrap();
        let text = serde_json::to_value(&two).unwrap();
        assert_eq!((text.as_object().unwrap().len(), text["problems"][1]["game"].as_str()), (1, Some("ufo")));
        assert_eq!(serde_json::from_value::<Problems>(text).unwrap(), two);
    }

    #[test]
    fn problems_that_boards_could_not_tell_apart_are_refused() {
        let refused = |value: Value| serde_json::from_value::<Problems>(value).unwrap_err().to_string();
        let of = |id: &str| serde_json::to_value(problem(id, "loyd")).unwrap();
        for (value, reason) in [
            (json!({}), "missing field `game`"),
            (json!({"game": "loyd", "rules": {}}), "missing field `limits`"),
            (json!({"problems": [of("a"), of("a")]}), "duplicate problem name `a`"),
            (json!({"problems": [of("a/b")]}), "unusable problem name"),
            (json!({"problems": [of("")]}), "unusable problem name"),
            (json!({"problems": [of("2")]}), "is a number"),
        ] {
            let found = refused(value);
            assert!(found.contains(reason), "{found}");
        }
    }

    #[test]
    fn a_board_names_its_problem() {
        let two = Problems::several(vec![problem("a", "loyd"), problem("b", "ufo")]).unwrap();
        let game = |board: &str| two.of(board).map(|problem| &*problem.game);
        assert_eq!(["b/X", "a/b", "X", "c/X"].map(game), [Some("ufo"), Some("loyd"), None, None]);
        let one = Problems::from(Problem::new("loyd"));
        assert!(one.of("X").is_some() && one.of("a/X").is_some(), "boards from elsewhere have any name");
    }
}
