//! The options that name a game and its house rules.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::Failure;
use judge_contest::read_board;
#[cfg(feature = "sandbox")]
use judge_contest::{Contest, Overrides};
use judge_core::game::{Game, GameInfo, HouseRules, Puzzle};
use judge_core::games;
use judge_report::with_hint;

/// The game and its house rules.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct GameArgs {
    /// The game
    #[arg(long, default_value = games::GAMES[0].name, value_parser = known())]
    game: String,

    /// House rule, as in [rules] of a contest file: `--rule centre_transport=noop`; may be repeated
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    rules: Vec<String>,

    /// Contest file or its folder, for a puzzle with a referee program; instead of --game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "rules"])]
    contest: Option<PathBuf>,

    /// Problem of a contest that has several, by its `id`
    #[arg(long, value_name = "ID", conflicts_with_all = ["game", "rules"], add = super::candidates::problems())]
    problem: Option<String>,
}

impl GameArgs {
    /// Reads a contest file with the named problem alone.
    #[cfg(feature = "sandbox")]
    pub(super) fn load(&self, path: &Path, overrides: &Overrides) -> Result<Contest, Failure> {
        let loaded = Contest::load_for_others(path, overrides).and_then(|contest| contest.of_problem(self.problem()));
        loaded.map_err(Failure::input)
    }

    /// The named problem.
    #[cfg(feature = "sandbox")]
    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// A known game under its usual rules.
    #[cfg(feature = "sandbox")]
    pub(super) fn for_game(game: &str) -> Self {
        Self { game: game.to_owned(), rules: Vec::new(), contest: None, problem: None }
    }

    /// The contest whose referee judges, if there is one.
    #[cfg(feature = "sandbox")]
    pub(super) fn contest(&self) -> Result<Option<&Path>, Failure> {
        Ok(self.contest.as_deref())
    }

    /// The counterpart for builds without the sandbox, which referee programs need: fails if a contest is named.
    #[cfg(not(feature = "sandbox"))]
    pub(super) fn contest(&self) -> Result<Option<&Path>, Failure> {
        match &self.contest {
            None => Ok(None),
            Some(_) => Err(Failure::input("--contest needs the sandbox, and this `judge` was built without it")),
        }
    }

    /// The game's row in the list of games.
    pub(super) fn kind(&self) -> &'static GameInfo {
        games::find(&self.game).expect("the command line accepts known games only")
    }

    /// The house rules, as in a contest file.
    pub(super) fn rules(&self) -> Result<HouseRules, Failure> {
        let kind = self.kind();
        let mut table = toml::Table::new();
        for rule in &self.rules {
            let (key, value) = rule.split_once('=').ok_or_else(|| {
                Failure::input(format!(
                    "invalid house rule `{rule}`; write KEY=VALUE; {} supports: {}",
                    kind.name, kind.rules_help
                ))
            })?;
            // A value that is not TOML is a string.
            let value = value.parse().unwrap_or_else(|_| toml::Value::String(value.into()));
            table.insert(key.into(), value);
        }
        HouseRules::new(&table).map_err(Failure::judge)
    }

    /// The game under the house rules.
    pub(super) fn open(&self) -> Result<Box<dyn Game>, Failure> {
        let kind = self.kind();
        (kind.open)(&self.rules()?).map_err(|error| {
            Failure::input(format!("invalid house rule: {error}; {} supports: {}", kind.name, kind.rules_help))
        })
    }
}

/// The names of all games, in their order.
pub(super) fn known() -> PossibleValuesParser {
    games::GAMES.iter().map(|kind| kind.name).collect::<Vec<_>>().into()
}

/// Reads and parses a board file.
pub(super) fn puzzle(game: &dyn Game, board: &Path) -> Result<(String, Box<dyn Puzzle>), Failure> {
    let refuse = |reason: String| Failure::input(format!("{}: {reason}", board.display()));
    let bytes = read_board(board).map_err(|error| refuse(with_hint(&error, error.hint.as_ref())))?;
    let puzzle = game.parse(&bytes).map_err(|error| refuse(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| refuse("a board file must be UTF-8".into()))?;
    Ok((text, puzzle))
}
