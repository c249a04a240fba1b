//! The contest at one moment: the result of the fold.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Deref;
use std::sync::Arc;

use judge_job::{Isolation, Machine};

use super::fold::Index;
use super::records::{Slot, Slots};
use super::{Build, Chain, Header, HistoryEvent, Record, Records, Round};
use crate::chunks::Chunks;
use crate::date::Date;
use crate::fingerprint::{Hashes, KeptFiles};
use crate::key::{Name, RunKey, problem_id};
use crate::map::Map;
use crate::plan::{Entry, Plan};
use crate::score::Participants;
use crate::shared::Shared;
use crate::withdrawal::Withdrawal;

/// A contest at one moment. A clone is cheap, because it shares all data with the contest at other moments.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ContestState {
    pub(super) facts: Arc<ContestMetadata>,
    pub(super) index: Arc<Index>,
    /// The record that counts of each run with one, in the same order.
    pub records: Records,
    /// All events except runs, oldest first.
    pub history: Chunks<Arc<HistoryEvent>>,
    /// The number of lines of the contest's office in the journal.
    pub office_lines: usize,
    /// The end of the journal's chain of hashes, which the next line follows.
    pub chain: Chain,
    /// Bytes of an incomplete last line, which does not count; 0 without one.
    pub torn_bytes: u64,
}

/// All data of a contest at one moment except its runs. [`ContestState`] dereferences to it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContestMetadata {
    /// The header of the contest. Its order has moved to [`ContestState`].
    pub header: Shared<Header>,
    /// The date when it began; `None` if it was not recorded.
    pub begun: Option<Date>,
    /// The organiser's latest comment.
    pub comment: Option<String>,
    /// The present plan.
    pub plan: Shared<Plan>,
    /// The machines that records refer to by index.
    pub machines: Vec<Machine>,
    /// The latest build of each command.
    pub builds: Chunks<Shared<Build>>,
    /// The indices of builds in that list, by their commands.
    pub(super) commands: Map<String, usize>,
    /// The indices of the latest builds, by entry.
    pub(super) built: Map<String, usize>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: Map<String, Shared<Hashes>>,
    /// The hashes of the referees that are programs, by the identifiers of their problems, see
    /// [`ExternalReferee::hash`](crate::external::ExternalReferee::hash). An only problem has an empty identifier.
    pub referees: BTreeMap<String, Name>,
    /// The programs of each entry and of the referee, oldest first, by entry.
    pub versions: Map<String, Shared<Vec<Version>>>,
    /// The entries that are withdrawn or disqualified, or that an office sets aside, with the reason.
    pub withdrawn: Map<String, Withdrawal>,
    /// The number of an office's last finished request to referee answers again; 0 without one.
    pub rejudged: u32,
    /// The boards that do not count any more, with the reason.
    pub struck: BTreeMap<String, String>,
    /// The rounds after the first, in their order. The first round is among them if results changed its games.
    pub rounds: Shared<Vec<Round>>,
    /// The players of the first round, table by table, in a contest in which entries play only once they are named.
    pub players: Shared<Vec<Vec<Name>>>,
}

impl Deref for ContestState {
    type Target = ContestMetadata;

    fn deref(&self) -> &ContestMetadata {
        &self.facts
    }
}

impl PartialEq for ContestState {
    fn eq(&self, other: &Self) -> bool {
        (self.torn_bytes, &self.chain, self.order()) == (other.torn_bytes, &other.chain, other.order())
            && self.facts == other.facts
            && (&self.records, &self.history) == (&other.records, &other.history)
            && self.attempts() == other.attempts()
    }
}

/// A program of an entry or of the referee while it was in the contest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// The date from which it counts; `None` if it was not recorded.
    pub at: Option<Date>,
    /// The words of its command in the contest file.
    pub command: Vec<String>,
    /// Hashes of the files that are executed for it.
    pub programs: Hashes,
    /// The files among these that the results directory has.
    pub kept: KeptFiles,
}

impl ContestMetadata {
    /// The hash of the referee of a board; `None` if it is built in.
    pub fn referee_of(&self, board: &str) -> Option<&Name> {
        self.referees.get(problem_id(board))
    }

    /// The open round, from 1.
    pub fn round(&self) -> u32 {
        self.rounds.last().map_or(1, |round| round.number)
    }

    /// The entries of a round of a contest of matches. Those of a knock-out are in the order of their seeds.
    pub(crate) fn entrants_of(&self, round: u32) -> Vec<Name> {
        match self.rounds.iter().find(|known| known.number == round).filter(|_| round > 1) {
            Some(round) => round.entrants().into_iter().map(Name::from).collect(),
            None => self.plan.entries.iter().map(|entry| Name::from(&*entry.name)).collect(),
        }
    }

    /// The entries of each round after the first, up to a round.
    pub(crate) fn participants(&self, last: u32) -> Participants {
        let rounds = self.rounds.iter().filter(|round| round.number <= last);
        rounds.map(|round| (round.number, round.entrants().into_iter().map(Name::from).collect())).collect()
    }

    /// The latest build of an entry.
    pub fn build_of(&self, entry: &str) -> Option<&Build> {
        self.builds.get(*self.built.get(entry)?).map(|build| &**build)
    }

    /// The entries that an office sets aside, with the reason, by name.
    pub fn set_aside_entries(&self) -> impl Iterator<Item = (&String, &Withdrawal)> {
        self.withdrawn.iter().filter(|(_, withdrawal)| withdrawal.aside)
    }

    /// The entries that are out of the contest when a round opens: those that were withdrawn, and those that the round sets aside.
    pub(super) fn out_of(&self, round: &Round) -> Map<String, Withdrawal> {
        let withdrawn = self.withdrawn.iter().filter(|(_, withdrawal)| !withdrawal.aside);
        let mut out: Map<String, Withdrawal> = withdrawn.map(|(entry, why)| (entry.clone(), why.clone())).collect();
        for (entry, why) in round.set_aside() {
            if !out.contains_key(&entry) {
                out.insert(entry, why);
            }
        }
        out
    }

    /// Sets entries aside, or takes them back in. Withdrawn and unknown entries do not change. Returns true if anything changed,
    /// and the entries that were set aside or taken back; for other entries, only the reason changed.
    pub(super) fn set_aside(
        &mut self,
        changes: impl IntoIterator<Item = (String, Option<Withdrawal>)>,
    ) -> (bool, Vec<String>) {
        let (mut changed, mut moved) = (false, Vec::new());
        for (entry, now) in changes {
            let now = now.map(Withdrawal::set_aside);
            let before = self.withdrawn.get(&entry);
            if before == now.as_ref()
                || before.is_some_and(|before| !before.aside)
                || !self.versions.contains_key(&entry)
            {
                continue;
            }
            let moves = before.is_some() != now.is_some();
            match now {
                Some(now) => drop(self.withdrawn.insert(entry.clone(), now)),
                None => drop(self.withdrawn.remove(&entry)),
            }
            changed = true;
            moved.extend(moves.then_some(entry));
        }
        (changed, moved)
    }

    /// Tests whether a run counts: all its entries are in the contest, and its board is not struck.
    pub fn counts(&self, key: &RunKey) -> bool {
        !key.seats().any(|seat| self.withdrawn.contains_key(&**seat)) && !self.struck.contains_key(&*key.board)
    }
}

impl ContestState {
    /// A copy without the withdrawals: every entry takes part.
    #[must_use]
    pub(crate) fn with_all_entries(&self) -> Self {
        let facts = ContestMetadata { withdrawn: Map::default(), ..ContestMetadata::clone(&self.facts) };
        Self { facts: Arc::new(facts), ..self.clone() }
    }

    /// A copy that ends with a round, in which these entries are out. Its order still has the runs of later rounds.
    #[must_use]
    pub(crate) fn until(&self, round: u32, withdrawn: Map<String, Withdrawal>) -> Self {
        let rounds = self.rounds.iter().filter(|known| known.number <= round).cloned().collect::<Vec<_>>().into();
        let facts = ContestMetadata { withdrawn, rounds, ..ContestMetadata::clone(&self.facts) };
        Self { facts: Arc::new(facts), ..self.clone() }
    }

    /// A copy with entries that are set aside, or taken back in. Withdrawn entries do not change.
    #[must_use]
    pub fn with_aside(mut self, changes: impl IntoIterator<Item = (String, Option<Withdrawal>)>) -> Self {
        Arc::make_mut(&mut self.facts).set_aside(changes);
        self
    }

    /// Tests whether nothing has happened since an earlier moment of the same contest: no line was written, and no entry was set
    /// aside.
    pub fn is_still(&self, before: &Self) -> bool {
        Arc::ptr_eq(&self.facts, &before.facts) && self.chain == before.chain
    }

    /// The entries with other programs, builds, runs or withdrawals than at another moment of the same contest; `None` if other
    /// boards count, another round is open, or boards are in other rounds, which concerns all entries. It costs what differs.
    pub fn entries_changed_since(&self, before: &Self) -> Option<HashSet<Name>> {
        let sizes = |of: &Self| [of.runs(), of.plan.entries.len(), of.builds.len()];
        if sizes(self).iter().zip(sizes(before)).any(|(now, before)| *now < before) {
            return before.entries_changed_since(self);
        }
        let boards = |of: &Self| (of.plan.repeat, of.plan.boards.len());
        let is_alike = || boards(self) == boards(before) && self.plan.rounds == before.plan.rounds;
        if (&self.struck, self.round()) != (&before.struck, before.round())
            || !(self.plan.is(&before.plan) || is_alike())
        {
            return None;
        }
        fn differing<'c, T: Clone>(
            now: &'c Chunks<T>,
            before: &'c Chunks<T>,
            is_same: impl Fn(&T, &T) -> bool + 'c,
        ) -> impl Iterator<Item = usize> + 'c {
            let indices = now.unshared(before).chain(before.len()..now.len());
            indices.filter(move |&index| {
                !now.get(index).zip(before.get(index)).is_some_and(|(now, before)| is_same(now, before))
            })
        }
        let entries = differing(&self.plan.entries, &before.plan.entries, Shared::is);
        let entries = entries.map(|index| Name::from(&*self.plan.entries[index].name));
        let builds = differing(&self.builds, &before.builds, Shared::is);
        let builds = builds.flat_map(|index| self.builds[index].entries.iter().map(|entry| Name::from(&**entry)));
        let withdrawn = self.withdrawn.unshared(&before.withdrawn).filter(|(_, withdrawal)| !withdrawal.aside);
        let withdrawn = withdrawn.map(|(entry, _)| Name::from(&**entry));
        let is_same = |now: &Slot, before: &Slot| {
            let records = [now, before].map(|slot| slot.record.as_ref().map(Arc::as_ptr));
            records[0] == records[1] && now.attempts == before.attempts
        };
        let runs = differing(&self.slots().slots, &before.slots().slots, is_same);
        let runs = runs.filter_map(|run| self.key_of(run)).flat_map(|key| key.seats().cloned().collect::<Vec<_>>());
        Some(entries.chain(builds).chain(withdrawn).chain(runs).collect())
    }

    /// All runs of all rounds in the order in which they are started. The order depends only on the present plan. The first call
    /// after a run was planned sorts all of them.
    pub fn order(&self) -> &[RunKey] {
        &self.slots().order.arranged().order
    }

    /// The record that counts of a run; `None` if the run has none or is not planned.
    pub fn record(&self, key: &RunKey) -> Option<&Record> {
        self.record_of(self.planned(key)?)
    }

    /// The number of a run in the order of planning, from 0. It never changes, unlike its index in the order. `None` if the run
    /// was not planned.
    pub fn planned(&self, key: &RunKey) -> Option<usize> {
        self.index.planned(key)
    }

    /// The number of all runs that were planned.
    pub fn runs(&self) -> usize {
        self.slots().order.slots()
    }

    /// The numbers of an entry's runs on the boards of the plan, see [`Self::planned`], board by board.
    pub fn runs_of<'a>(&'a self, entry: &str) -> impl Iterator<Item = usize> + use<'a> {
        self.slots().order.of_entry(entry)
    }

    /// The key of a run by its number; `None` beyond the last number.
    pub fn key_of(&self, run: usize) -> Option<RunKey> {
        self.slots().order.key(run)
    }

    /// The record that counts of a run by its number.
    pub fn record_of(&self, run: usize) -> Option<&Record> {
        self.slots().slots.get(run)?.record.as_deref()
    }

    /// The number of the last attempt at a run by its number; 0 without an attempt.
    pub fn attempts_of(&self, run: usize) -> u32 {
        self.slots().slots.get(run).map_or(0, |slot| slot.attempts)
    }

    /// The number of the last attempt at each run, in the order of runs; 0 without an attempt.
    pub fn attempts(&self) -> Vec<u32> {
        (0..self.slots().len()).map(|index| self.slots().get(index).map_or(0, |slot| slot.attempts)).collect()
    }

    /// The sort key of a run among those of its round, by the run's number; `None` if it is not planned any more. In the first
    /// round, it takes constant time.
    pub fn rank_of(&self, run: usize) -> Option<impl Ord + Copy + use<>> {
        self.slots().order.rank(run)
    }

    /// An entry of the plan by its name, in constant time.
    pub fn entry(&self, name: &str) -> Option<&Shared<Entry>> {
        self.plan.entries.get(self.place_of(name)?)
    }

    /// The index of an entry in the plan.
    pub(crate) fn place_of(&self, entry: &str) -> Option<usize> {
        self.slots().order.place_of(entry)
    }

    fn slots(&self) -> &Slots {
        &self.records.0
    }

    /// The isolation that any recorded run had and this one lacks, as fragments.
    pub fn lost_isolation(&self, now: &Isolation) -> Vec<String> {
        let known: HashSet<&Isolation> = self.records.iter().map(|record| &*record.isolation).collect();
        let lost: BTreeSet<String> = known.into_iter().flat_map(|before| now.lost_since(before)).collect();
        lost.into_iter().collect()
    }

    /// The number of a board, for [`Self::records_of`]; `None` for an unknown board.
    pub(crate) fn number_of_board(&self, name: &str) -> Option<u32> {
        self.index.number_of_board(name)
    }

    /// The number of an entry, in the order of arrival; `None` for an unknown entry.
    pub(crate) fn number_of_entry(&self, name: &str) -> Option<usize> {
        self.index.number_of_entry(name).map(|number| number as usize)
    }

    /// A function that finds the counting records of an entry, with the numbers of their runs, by round, number of the board, and
    /// repeat. Names are looked up only once, which is most of the work of a table.
    pub(crate) fn records_of<'a>(
        &'a self,
        entry: &str,
    ) -> impl Fn(u32, u32, u32) -> Option<(usize, &'a Arc<Record>)> + use<'a> {
        let slots = self.index.slots_of(entry);
        move |round, board, repeat| {
            let run = slots.as_ref()?.on(round, board, repeat)?;
            Some((run, self.records.0.slots.get(run)?.record.as_ref()?))
        }
    }

    /// The index of a run in the order; `None` if it is not planned any more.
    pub fn index_of(&self, key: &RunKey) -> Option<usize> {
        self.slots().order.index_of(self.index.planned(key)?)
    }

    /// The counting records of these entries up to a round, in the order of runs. The cost depends only on these records.
    pub(crate) fn records_until(&self, entries: &HashSet<&str>, last: u32) -> Vec<&Record> {
        let slots = entries.iter().flat_map(|entry| self.index.of_entry(entry));
        let place = |slot: usize| {
            let record = self.record_of(slot).filter(|record| record.key.round <= last)?;
            Some(((record.key.round, self.slots().order.rank(slot)?), record))
        };
        let mut records: Vec<_> = slots.filter_map(place).collect();
        records.sort_unstable_by_key(|(place, _)| *place);
        records.into_iter().map(|(_, record)| record).collect()
    }

    /// The runs without a verdict that are still to be executed, as indices into `order`. Runs of withdrawn entries, on struck
    /// boards and of finished rounds are not included.
    pub fn missing(&self) -> Vec<usize> {
        self.select(|record| record.is_none_or(Record::is_judge_error))
    }

    /// The runs that have a record but are not planned any more, as numbers: the games of pairings that no longer follow from the
    /// results.
    pub fn unplanned(&self) -> impl Iterator<Item = usize> {
        (0..self.runs()).filter(|&run| self.record_of(run).is_some() && self.rank_of(run).is_none())
    }

    /// The runs of the open round whose record fits, as indices into `order`. Runs of withdrawn entries and on struck boards are
    /// not included.
    pub fn select(&self, fits: impl Fn(Option<&Record>) -> bool) -> Vec<usize> {
        self.select_in(self.round(), fits)
    }

    /// Like [`Self::select`], for another round.
    pub(crate) fn select_in(&self, round: u32, fits: impl Fn(Option<&Record>) -> bool) -> Vec<usize> {
        let runs = self.order().iter().enumerate().filter(|(_, key)| key.round == round && self.counts(key));
        runs.map(|(index, _)| index).filter(|&index| fits(self.records.by_run(index))).collect()
    }
}
