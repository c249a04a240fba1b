//! A game of a contest of matches, and what came of it.

use std::collections::HashSet;

use crate::journal::{ContestState, Record};
use crate::key::{Name, RunKey};
use crate::map::Map;
use crate::matches::Played;
use crate::text::printable;
use crate::verdict::Verdict;
use crate::withdrawal::Withdrawal;

/// A game that is planned and counts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Game {
    /// Its round, seats and board.
    pub key: RunKey,
    /// What came of it.
    pub state: GameState,
}

/// What came of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameState {
    /// It is still to be played.
    Missing,
    /// The judge or the referee failed, so it is to be played again.
    JudgeError,
    /// The programs of these entries could not be built, so it was not played, and no seat has anything of it.
    Unbuilt(Vec<Name>),
    /// It was played to its end, or decided by hand.
    Played(Played),
}

impl Game {
    /// A game, with its record if it has one.
    pub fn new(key: RunKey, record: Option<&Record>) -> Self {
        let state = record.map_or(GameState::Missing, GameState::of);
        Self { key, state }
    }

    /// The result, if it was played.
    pub fn played(&self) -> Option<&Played> {
        match &self.state {
            GameState::Played(played) => Some(played),
            _ => None,
        }
    }

    /// Tests whether it is still to be played, or again.
    pub fn is_missing(&self) -> bool {
        matches!(self.state, GameState::Missing | GameState::JudgeError)
    }

    /// Its name in texts, printable.
    pub(super) fn against(&self, entry: &str) -> String {
        let others: Vec<&str> = self.key.seats().map(|seat| &**seat).filter(|seat| *seat != entry).collect();
        printable(&others.join(", "))
    }
}

/// The planned games of a contest of matches that count.
pub(super) fn all(contents: &ContestState) -> Vec<RunKey> {
    let open = contents.round();
    games(contents, |game| game.round <= open && contents.counts(game))
}

/// The planned games up to a round in which only these entries have seats, without those of withdrawn ones.
pub(super) fn between(
    contents: &ContestState,
    entries: &HashSet<&str>,
    withdrawn: &Map<String, Withdrawal>,
    last: u32,
) -> Vec<RunKey> {
    let inside = |seat: &Name| entries.contains(&**seat) && !withdrawn.contains_key(&**seat);
    let is_struck = |game: &RunKey| contents.struck.contains_key(&*game.board);
    games(contents, |game| game.round <= last && !is_struck(game) && game.seats().all(inside))
}

fn games(contents: &ContestState, fits: impl Fn(&RunKey) -> bool) -> Vec<RunKey> {
    if contents.plan.match_rules.is_none() {
        return Vec::new();
    }
    contents.order().iter().filter(|game| fits(game)).cloned().collect()
}

impl GameState {
    fn of(record: &Record) -> Self {
        match (&record.verdict, &record.extras.played) {
            (Verdict::BuildFailed { .. }, played) => {
                let unbuilt = |(seat, name): (usize, &Name)| {
                    let fault = played.as_ref().and_then(|played| played.seats.get(seat)?.fault.as_ref());
                    fault.is_some().then(|| name.clone())
                };
                Self::Unbuilt(record.key.seats().enumerate().filter_map(unbuilt).collect())
            }
            (Verdict::JudgeError { .. }, _) | (_, None) => Self::JudgeError,
            (_, Some(played)) => Self::Played((**played).clone()),
        }
    }
}
