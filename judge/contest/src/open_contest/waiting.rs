//! The runs that wait, by team and entry.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use judge_core::journal::ContestState;
use judge_core::key::{Name, RunKey};

/// The team of an entry: the name up to its last dot. An entry without a dot is its own team.
pub fn team_of(entry: &str) -> &str {
    entry.rsplit_once('.').map_or(entry, |(team, _)| team)
}

/// The waiting runs of the open round, by their numbers in the order of planning.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(Clone))]
pub(super) struct Waiting {
    teams: BTreeMap<String, Team>,
    /// The entries that had a run handed out.
    begun: HashSet<Name>,
}

/// The waiting runs of a team.
#[derive(Debug, Default)]
#[cfg_attr(test, derive(Clone))]
pub struct Team {
    entries: BTreeMap<Name, BTreeSet<usize>>,
    /// The entries that had no run handed out yet.
    new: BTreeSet<Name>,
}

impl Team {
    /// Tests whether an entry waits that had no run handed out yet.
    pub fn has_new(&self) -> bool {
        !self.new.is_empty()
    }
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.teams.is_empty()
    }

    pub(super) fn has(&self, entry: &str, run: usize) -> bool {
        let runs = self.teams.get(team_of(entry)).and_then(|team| team.entries.get(entry));
        runs.is_some_and(|runs| runs.contains(&run))
    }

    /// Adds a run. Returns true if it did not wait before.
    pub(super) fn add(&mut self, entry: Name, run: usize) -> bool {
        let team = match self.teams.get_mut(team_of(&entry)) {
            Some(team) => team,
            None => self.teams.entry(team_of(&entry).to_owned()).or_default(),
        };
        if !self.begun.contains(&entry) {
            team.new.insert(entry.clone());
        }
        team.entries.entry(entry).or_default().insert(run)
    }

    /// Removes a run. Returns true if it waited.
    pub(super) fn remove(&mut self, entry: &str, run: usize) -> bool {
        let Some(team) = self.teams.get_mut(team_of(entry)) else { return false };
        let Some(runs) = team.entries.get_mut(entry) else { return false };
        let waited = runs.remove(&run);
        if runs.is_empty() {
            team.entries.remove(entry);
            team.new.remove(entry);
        }
        if team.entries.is_empty() {
            self.teams.remove(team_of(entry));
        }
        waited
    }

    /// Removes a run that is handed out.
    pub(super) fn begin(&mut self, entry: &Name, run: usize) {
        self.remove(entry, run);
        if let Some(team) = self.teams.get_mut(team_of(entry)) {
            team.new.remove(entry);
        }
        self.begun.insert(entry.clone());
    }

    /// Removes all runs and returns their keys.
    pub(super) fn take_all(&mut self, contents: &ContestState) -> Vec<RunKey> {
        let runs = self.runs().filter_map(|run| contents.key_of(run)).collect();
        self.teams.clear();
        runs
    }

    fn runs(&self) -> impl Iterator<Item = usize> {
        self.teams.values().flat_map(|team| team.entries.values().flatten().copied())
    }

    /// The numbers of all runs in the order of the contest.
    pub(super) fn in_order(&self, contents: &ContestState) -> Vec<usize> {
        let mut runs: Vec<usize> = self.runs().collect();
        runs.sort_by_cached_key(|&run| contents.rank_of(run));
        runs
    }
}

/// The waiting runs, for a caller that chooses one of them.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    pub(super) waiting: &'a Waiting,
    pub(super) contents: &'a ContestState,
}

impl<'a> Choice<'a> {
    /// The teams with a waiting run, by name.
    pub fn teams(&self) -> impl Iterator<Item = (&'a str, &'a Team)> + use<'a> {
        self.waiting.teams.iter().map(|(name, team)| (&**name, team))
    }

    /// The first run of some teams in the order of the contest. If `new` is true, only entries that had no run handed out count.
    /// The cost is one step per waiting run of these teams.
    pub fn first_of(&self, teams: impl IntoIterator<Item = &'a Team>, new: bool) -> Option<RunKey> {
        let entries = teams
            .into_iter()
            .flat_map(|team| team.entries.iter().filter(move |(entry, _)| !new || team.new.contains(&**entry)));
        let first = entries.flat_map(|(_, runs)| runs).min_by_key(|&&run| self.contents.rank_of(run))?;
        self.contents.key_of(*first)
    }
}
