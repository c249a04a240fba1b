//! The one ordered list of games. Adding a game is one file in `games/` and one row here; nothing else in the judge
//! knows a game by name.

mod direction;
mod hexa_draughts;
mod loyd;
mod shift;
mod swap;
mod ufo;
mod words;

use crate::game::{GameInfo, RuleError};

/// Every game the judge can referee, in the order help and errors name them.
pub static GAMES: &[&GameInfo] = &[&loyd::INFO, &ufo::INFO, &shift::INFO, &swap::INFO, &hexa_draughts::INFO];

/// The game of that name.
pub fn find(name: &str) -> Option<&'static GameInfo> {
    GAMES.iter().copied().find(|kind| kind.name == name)
}

/// The names of all games, for help and errors: `loyd, ufo`.
pub fn names() -> String {
    GAMES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// Refuses every key of `[rules]`, for a game without house rules.
fn without_rules(rules: &toml::Table) -> Result<(), RuleError> {
    match rules.keys().next() {
        Some(key) => Err(RuleError(format!("unknown field `{key}`"))),
        None => Ok(()),
    }
}
