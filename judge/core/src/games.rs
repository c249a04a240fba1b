//! The ordered list of games. To add a game, write one file in `games/` and add one row here. Except for tests, no other code of
//! this crate has a game's name.

mod direction;
mod hexa_draughts;
mod loyd;
mod shift;
mod swap;
mod ufo;
mod words;

use crate::game::{GameInfo, HouseRules, RuleError};

/// All games, in the order in which help and errors list them.
pub static GAMES: &[&GameInfo] = &[&loyd::INFO, &ufo::INFO, &shift::INFO, &swap::INFO, &hexa_draughts::INFO];

/// Finds a game by its name.
pub fn find(name: &str) -> Option<&'static GameInfo> {
    GAMES.iter().copied().find(|info| info.name == name)
}

/// The name, in contest files, of a game whose referee is a program.
pub const EXTERNAL: &str = "external";

/// Tests whether contests of that game have their own referee.
pub fn is_external(name: &str) -> bool {
    name == EXTERNAL
}

/// Lists the names of all games, for help and errors: `loyd, ufo`.
pub fn names() -> String {
    GAMES.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

/// Refuses every key of `[rules]`, for a game without house rules.
fn without_rules(rules: &HouseRules) -> Result<(), RuleError> {
    match rules.names().next() {
        Some(key) => Err(RuleError(format!("unknown field `{key}`"))),
        None => Ok(()),
    }
}
