//! Names of entries and boards, and the keys of runs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The name of an entry or a board. A million runs share a few names.
pub type Name = Arc<str>;

/// Returns the last name if it equals this one. Otherwise, this one becomes the last name.
pub(crate) fn shared_name(last: &mut Option<Name>, name: &str) -> Name {
    match last.as_ref().filter(|last| ***last == *name) {
        Some(last) => last.clone(),
        None => last.insert(name.into()).clone(),
    }
}

/// The key of a run, which identifies it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunKey {
    /// Number of the round, from 1.
    pub round: u32,
    /// Name of the entry, unique in the contest.
    pub entry: Name,
    /// Name of the board, unique over all rounds. If the problems of the contest have identifiers, it begins with the identifier
    /// of its problem and a slash.
    pub board: Name,
    /// The repeat, from 1: with `--repeat K`, each entry has K runs on each board.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub repeat: u32,
    /// The entries in the other seats of a game, from seat 2; `None` for a run of one entry. Seat 1 is `entry`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<Arc<[Name]>>,
}

impl RunKey {
    /// The key of the first repeat of an entry's run on a board.
    pub fn new(round: u32, entry: impl Into<Name>, board: impl Into<Name>) -> Self {
        Self { round, entry: entry.into(), board: board.into(), repeat: 1, against: None }
    }

    /// The key of a game of these entries, in the order of their seats. With one seat it is that of a run.
    ///
    /// # Panics
    ///
    /// `seats` is empty.
    pub fn game(round: u32, seats: &[Name], board: impl Into<Name>) -> Self {
        let (first, others) = seats.split_first().expect("a game has a seat");
        let against = (!others.is_empty()).then(|| Arc::from(others));
        Self { against, ..Self::new(round, first.clone(), board) }
    }

    /// The entries in the order of their seats: the entry of a run, or those of a game.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = &Name> + Clone {
        std::iter::once(&self.entry).chain(self.against.iter().flat_map(|others| others.iter()))
    }

    /// The title of the run without its repeat, as in file names: `twobits on FOXY`, or `twobits against mudpack on FOXY`.
    pub(crate) fn title(&self) -> String {
        let seats: Vec<&str> = self.seats().map(|seat| &**seat).collect();
        format!("{} on {}", seats.join(" against "), self.board)
    }

    /// The identifier of its problem; empty if it is the contest's only problem.
    pub fn problem(&self) -> &str {
        problem_id(&self.board)
    }

    /// Tests whether an entry takes part in the run.
    pub fn has(&self, entry: &str) -> bool {
        self.seats().any(|seat| **seat == *entry)
    }
}

/// The identifier of a board's problem, the first part of the board's name; empty if it is the contest's only problem.
pub fn problem_id(board: &str) -> &str {
    board.split_once('/').map_or("", |(id, _)| id)
}

/// The number of the first round or repeat.
pub(crate) fn first() -> u32 {
    1
}

/// Tests for the first number.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
pub(crate) fn is_first(number: &u32) -> bool {
    *number == 1
}
