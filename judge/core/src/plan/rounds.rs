//! Rounds, the stages of a contest. Each has separate boards.

use std::collections::{BTreeMap, HashMap};

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Entry, Plan, RankKey};
use crate::key::{Name, RunKey};
use crate::matches::{Schedule, Tie};
use judge_job::{Limits, Millis};

/// The plan of a round. A board is in exactly one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RoundPlan {
    /// Name of the round, for people and for options.
    pub name: String,
    /// Names of its boards. Sealed boards may still be missing from the plan.
    pub boards: Vec<String>,
    /// Wall-clock limit of its runs in milliseconds; `None` for the usual one.
    #[serde(default, deserialize_with = "Millis::optional", skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
    /// The rule for the entries that advance to the next round.
    #[serde(default)]
    pub advance: Advance,
    /// The schedule of its games; `None` for the contest's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
    /// The figures that decide whether entries tie, most important first.
    pub tie_on: Vec<RankKey>,
    /// The seals of its sealed boards, as [`parse_seal`](super::parse_seal) returns them, by board.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub seals: BTreeMap<String, String>,
}

impl RoundPlan {
    /// A round of these boards with the usual limit, after which all entries advance.
    pub fn new(name: impl Into<String>, boards: Vec<String>) -> Self {
        let (advance, tie_on, seals) = (Advance::default(), Vec::new(), BTreeMap::new());
        Self { name: name.into(), boards, wall_ms: None, advance, schedule: None, tie_on, seals }
    }
}

/// A rule for the entries that advance to the next round. Only entries with places advance, except under [`Advance::All`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Advance {
    /// The entries that share the first place, if there are two or more.
    Tied,
    /// The first N entries, and those that tie with the last of them.
    Top(u32),
    /// The entries that solved every board of the round.
    Solved,
    /// All entries that took part, also those that do not compete.
    #[default]
    All,
}

impl Plan {
    /// The plan of a round, from 1; `None` without plans of rounds.
    pub fn round_plan(&self, round: u32) -> Option<&RoundPlan> {
        self.rounds.get(usize::try_from(round).ok()?.checked_sub(1)?)
    }

    /// The sealed boards of a round, from 1, that are still missing from the plan.
    pub fn absent_boards(&self, round: u32) -> Vec<&str> {
        let there = |name: &&str| self.boards.iter().any(|board| board.name == *name);
        let boards = self.round_plan(round).into_iter().flat_map(|round| &round.boards);
        boards.map(String::as_str).filter(|name| !there(name)).collect()
    }

    /// The round of each board, from 1, in the order of the boards.
    pub fn rounds_of_boards(&self) -> Vec<u32> {
        let numbered = self.rounds.iter().zip(1..);
        let rounds: HashMap<&str, u32> = numbered
            .flat_map(|(round, number)| round.boards.iter().map(move |board| (board.as_str(), number)))
            .collect();
        self.boards.iter().map(|board| rounds.get(board.name.as_str()).copied().unwrap_or(1)).collect()
    }

    /// The round of a board, from 1.
    pub fn round_of(&self, board: &str) -> u32 {
        let has = |round: &RoundPlan| round.boards.iter().any(|name| name == board);
        self.rounds.iter().position(has).map_or(1, |index| u32::try_from(index + 1).unwrap_or(u32::MAX))
    }

    /// The limits of an entry's runs on a board of this round.
    pub fn limits_in(&self, round: u32, entry: &Entry, board: &str) -> Limits {
        self.in_round(round, self.problem_of(board).limits_of(entry))
    }

    /// The limits of runs in a round. `limits` are those in a round that does not set a limit.
    pub(crate) fn in_round(&self, round: u32, limits: Limits) -> Limits {
        let wall_ms = self.round_plan(round).and_then(|round| round.wall_ms).unwrap_or(limits.wall_ms);
        limits.with_wall_ms(wall_ms)
    }

    /// The longest time that a run or a game can take under the limits of its entries, without increments. `entry` finds an entry
    /// of the plan.
    pub fn longest<'e>(&self, key: &RunKey, entry: impl Fn(&str) -> Option<&'e Entry>) -> Duration {
        let problem = self.problem_of(&key.board);
        let usual = |entry: Option<&Entry>| entry.map_or(problem.limits, |entry| problem.limits_of(entry));
        let limits = |name: &Name| self.in_round(key.round, usual(entry(name)));
        match &self.match_rules {
            None => {
                let limits = limits(&key.entry);
                limits.wall() + limits.grace()
            }
            Some(rules) => {
                let seats = key.seats().map(|seat| Duration::from_millis(rules.seat_ms(&limits(seat))));
                let referee = problem.referee.as_ref().map_or(Duration::ZERO, |referee| referee.limits.wall());
                seats.fold(referee, Duration::saturating_add)
            }
        }
    }

    /// The runs of an entry in a round without games, in the order in which they start.
    pub(crate) fn start_order_of_entry(&self, round: u32, entry: &Entry) -> Vec<RunKey> {
        self.start_order_among(round, &[Name::from(&*entry.name)], |_, board| entry.is_on(board))
    }

    /// The runs of these entries in a round, in the order in which they start: board by board, all entries on each. Second
    /// repeats follow all first runs, and third repeats follow the second. In a contest of matches, they are the games of the
    /// schedule that do not depend on other games of the round.
    ///
    /// A machine that slows down during a contest affects all entries. Each board begins with another entry, so that no entry is
    /// always first.
    pub fn start_order_in(&self, round: u32, entries: &[Name]) -> Vec<RunKey> {
        if let Some(schedule) = self.schedule_in(round) {
            let boards = self.names_of_boards(round);
            // On the other boards, they play if they tie.
            let first = if schedule == (Schedule::KnockOut { tie: Tie::Games }) { 1 } else { boards.len() };
            return self.games_in(round, entries, &boards[..first.min(boards.len())]);
        }
        if !self.problems.are_named() {
            return self.start_order_among(round, entries, |_, _| true);
        }
        let known = self.entries_by_name();
        let known: Vec<Option<&Entry>> = entries.iter().map(|name| known.get(&**name).copied()).collect();
        self.start_order_among(round, entries, |entry, board| known[entry].is_none_or(|entry| entry.is_on(board)))
    }

    /// The runs of these entries in a round on the boards for which `is_on` returns true. It gets the index of the entry.
    fn start_order_among(&self, round: u32, entries: &[Name], is_on: impl Fn(usize, &str) -> bool) -> Vec<RunKey> {
        let boards = self.names_of_boards(round);
        let key = |(repeat, board, entry): (u32, usize, usize)| {
            let key = || RunKey { repeat, ..RunKey::new(round, entries[entry].clone(), boards[board].clone()) };
            is_on(entry, &boards[board]).then(key)
        };
        start_order(self.repeat, boards.len(), entries.len()).filter_map(key).collect()
    }

    fn names_of_boards(&self, round: u32) -> Vec<Name> {
        let boards = self.boards.iter().zip(self.rounds_of_boards()).filter(|(_, number)| *number == round);
        boards.map(|(board, _)| Name::from(&*board.name)).collect()
    }
}

/// The order of this many runs, as in [`Plan::start_order_in`]. Each item is the repeat, the index of the board, and the index of
/// the entry.
pub(crate) fn start_order(repeats: u32, boards: usize, entries: usize) -> impl Iterator<Item = (u32, usize, usize)> {
    let passes = (1..=repeats).flat_map(move |repeat| (0..boards).map(move |board| (repeat, board)));
    passes.flat_map(move |(repeat, board)| {
        let first = first_of_turn(repeat, board, entries);
        (first..entries).chain(0..first).map(move |entry| (repeat, board, entry))
    })
}

/// The index of the entry whose run is first on a board in a repeat.
pub(crate) fn first_of_turn(repeat: u32, board: usize, entries: usize) -> usize {
    (board + repeat as usize - 1) % entries.max(1)
}
