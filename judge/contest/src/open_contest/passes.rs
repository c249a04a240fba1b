//! The runs to execute: first missing ones, then repetitions of suspect ones.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use judge_core::journal::{Built, ContestState, Line, Record};
use judge_core::key::{Name, RunKey};
use judge_core::verdict::Verdict;
use judge_job::{StopFlag, StopRequest};

use super::Event;
use super::waiting::Waiting;
use crate::schedule::PendingRun;

/// A run that is handed out. The caller that executes it passes this back with the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunLease {
    /// Entry, board, round and repeat.
    pub key: RunKey,
    /// Its number in the order of planning, from 0, and the number of the attempt.
    pub run: PendingRun,
    /// True if it repeats a suspect run. If it fails without a fault of the entry, the earlier run counts.
    pub repeats: bool,
    /// Distinguishes it from other leases of the same run.
    number: u64,
    stop: Stop,
}

impl RunLease {
    /// The request to stop only this run. [`OpenContest`](super::OpenContest) requests the stop when the run no longer counts,
    /// because its board was struck, or its entry withdrawn or replaced.
    pub fn stop(&self) -> &dyn StopRequest {
        &*self.stop.0
    }

    /// The run with its request to stop, for an engine that uses this index for it.
    pub(super) fn stoppable(&self, index: usize) -> (PendingRun, Arc<StopFlag>) {
        (PendingRun { index, ..self.run }, self.stop.0.clone())
    }
}

/// A request to stop a run, shared by all copies of its lease.
#[derive(Debug, Clone, Default)]
struct Stop(Arc<StopFlag>);

impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stop {}

/// The runs of the open round that wait or are under way. Runs are numbered in the order of planning. An event costs one
/// examination per run that it may have changed.
#[derive(Default)]
#[cfg_attr(test, derive(Clone))]
pub(super) struct Passes {
    /// The most repetitions of a suspect run.
    pub(super) repeats: u32,
    attempts: Attempts,
    pub(super) waiting: Waiting,
    /// The waiting runs in the order of the contest; `None` if it has to be computed again.
    line: Option<VecDeque<usize>>,
    /// True if the waiting runs are repetitions of suspect runs.
    repeating: bool,
    /// The runs that may be waiting and were not examined yet.
    due: Due,
    /// True if the due runs are examined before another run is handed out; otherwise, they are examined when no run is left.
    examine_first: bool,
    /// The leases that are under way. Any other lease does not count.
    under_way: HashMap<RunKey, RunLease>,
    /// True if an event has changed the list of runs to execute.
    pub(super) queue_changed: bool,
    /// Runs that were executed since this process began the round: a judge error is not repeated immediately.
    executed: HashSet<RunKey>,
    /// The number of repetitions of each suspect run.
    repeated: HashMap<RunKey, u32>,
    /// The number of the last lease.
    last: u64,
    /// The number of runs that were examined.
    #[cfg(test)]
    pub(super) examined: usize,
}

/// The most attempts of a run that ends in a judge error.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Attempts {
    /// 0 to repeat it only when the round is begun again.
    usual: u32,
    /// The numbers of some entries.
    of: BTreeMap<String, u32>,
}

/// Runs that may be waiting.
#[derive(Default)]
#[cfg_attr(test, derive(Clone))]
enum Due {
    #[default]
    All,
    Some(BTreeSet<usize>),
}

impl Due {
    fn add(&mut self, runs: impl IntoIterator<Item = usize>) {
        if let Self::Some(due) = self {
            due.extend(runs);
        }
    }
}

impl Passes {
    /// Tests whether no run waits or is under way.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }

    /// Tests whether no run is under way.
    pub(super) fn none_under_way(&self) -> bool {
        self.under_way.is_empty()
    }

    /// The runs that would wait if all runs were examined now.
    #[cfg(test)]
    pub(super) fn would_wait(&self, contents: &ContestState, unbuilt: &BTreeMap<String, Built>) -> Vec<RunKey> {
        let mut would_wait = Self { due: Due::All, examine_first: true, ..self.clone() };
        would_wait.fill(contents, unbuilt, false);
        would_wait.keys(contents)
    }

    /// Examines all runs again when none waits any more.
    pub(super) fn reexamine(&mut self) {
        self.due = Due::All;
    }

    /// Forgets the executed runs, so that judge errors and suspect runs are repeated.
    pub(super) fn begin_round(&mut self) {
        self.executed.clear();
        self.repeated.clear();
        self.reexamine();
    }

    /// Sets the most attempts of a run that ends in a judge error, in general and for some entries.
    pub(super) fn set_attempts(&mut self, usual: u32, of: BTreeMap<String, u32>, contents: &ContestState) {
        if self.attempts.usual != usual {
            self.reexamine();
        }
        let changed = |name: &&String| self.attempts.of.get(*name) != of.get(*name);
        let entries: BTreeSet<&String> = self.attempts.of.keys().chain(of.keys()).filter(changed).collect();
        entries.iter().for_each(|entry| self.due.add(contents.runs_of(entry)));
        self.examine_first |= !entries.is_empty();
        self.attempts = Attempts { usual, of };
    }

    /// Fills the list of waiting runs. Suspect runs are repeated when no other run is left or under way. Returns the waiting runs
    /// if some are new and `is_hearing` is true.
    pub(super) fn fill(
        &mut self,
        contents: &ContestState,
        unbuilt: &BTreeMap<String, Built>,
        is_hearing: bool,
    ) -> Option<Event> {
        if !self.waiting.is_empty() && !self.examine_first {
            return None;
        }
        self.examine_first = false;
        if self.repeating {
            let given_up = self.waiting.take_all(contents);
            given_up.iter().for_each(|key| self.uncount_repeat(key));
            self.line = None;
        }
        self.repeating = false;
        let mut came = false;
        match std::mem::replace(&mut self.due, Due::Some(BTreeSet::new())) {
            Due::All => (0..contents.runs()).for_each(|run| came |= self.examine(run, contents, unbuilt)),
            Due::Some(runs) => runs.into_iter().for_each(|run| came |= self.examine(run, contents, unbuilt)),
        }
        if self.waiting.is_empty() && self.under_way.is_empty() && self.repeats > 0 {
            let suspect = (0..contents.runs())
                .filter(|&run| is_open(contents, run) && contents.record_of(run).is_some_and(is_suspect));
            for run in suspect.collect::<Vec<_>>() {
                let Some(key) = contents.key_of(run) else { continue };
                let times = self.repeated.entry(key.clone()).or_default();
                *times += 1;
                if *times <= self.repeats {
                    self.waiting.add(key.entry, run);
                    (self.line, self.repeating, came) = (None, true, true);
                }
            }
        }
        (came && is_hearing).then(|| Event::Pass { runs: self.keys(contents), repeats: self.repeating })
    }

    /// Adds a run to the waiting runs or removes it, according to the contest. Returns true if it is new there.
    fn examine(&mut self, run: usize, contents: &ContestState, unbuilt: &BTreeMap<String, Built>) -> bool {
        #[cfg(test)]
        {
            self.examined += 1;
        }
        let Some(key) = contents.key_of(run) else { return false };
        let again = || match self.attempts.of.get(&*key.entry).unwrap_or(&self.attempts.usual) {
            0 => !self.executed.contains(&key),
            most => contents.attempts_of(run) < *most,
        };
        let record = contents.record_of(run);
        let waits = is_open(contents, run)
            && is_missing(record, unbuilt)
            && !self.under_way.contains_key(&key)
            && (record.is_none() || again());
        let changes = if waits { self.waiting.add(key.entry, run) } else { self.waiting.remove(&key.entry, run) };
        if changes {
            self.line = None;
        }
        changes && waits
    }

    /// The entries of all runs that the open round may still execute.
    pub(super) fn entries_to_run(&self, contents: &ContestState, unbuilt: &BTreeMap<String, Built>) -> HashSet<Name> {
        let repeats = |run: &Record| self.repeats > 0 && is_suspect(run);
        let runs = contents.select(|run| is_missing(run, unbuilt) || run.is_some_and(repeats));
        runs.iter().flat_map(|&run| contents.order()[run].seats().cloned()).collect()
    }

    /// The waiting runs in the order of the contest.
    fn line(&mut self, contents: &ContestState) -> &mut VecDeque<usize> {
        self.line.get_or_insert_with(|| self.waiting.in_order(contents).into())
    }

    /// The keys of the waiting runs, in the order of the contest.
    pub(super) fn keys(&mut self, contents: &ContestState) -> Vec<RunKey> {
        self.line(contents).iter().filter_map(|&run| contents.key_of(run)).collect()
    }

    /// Hands out the next run.
    pub(super) fn next(&mut self, contents: &ContestState) -> Option<RunLease> {
        let run = self.line(contents).pop_front()?;
        self.hand_out(run, contents)
    }

    /// Hands out a waiting run.
    pub(super) fn take(&mut self, key: &RunKey, contents: &ContestState) -> Option<RunLease> {
        let run = contents.planned(key).filter(|run| self.waiting.has(&key.entry, *run))?;
        if let Some(line) = &mut self.line {
            line.retain(|waits| *waits != run);
        }
        self.hand_out(run, contents)
    }

    fn hand_out(&mut self, run: usize, contents: &ContestState) -> Option<RunLease> {
        let key = contents.key_of(run)?;
        self.waiting.begin(&key.entry, run);
        self.last += 1;
        let (attempt, repeats, number) = (contents.attempts_of(run) + 1, self.repeating, self.last);
        let lease = RunLease { key, run: PendingRun { index: run, attempt }, repeats, number, stop: Stop::default() };
        self.under_way.insert(lease.key.clone(), lease.clone());
        Some(lease)
    }

    /// The current runs, in the order of the contest.
    #[cfg(test)]
    pub(super) fn under_way(&self, contents: &ContestState) -> Vec<RunKey> {
        let mut runs: Vec<&RunLease> = self.under_way.values().collect();
        runs.sort_by_cached_key(|lease| (lease.key.round, contents.rank_of(lease.run.index)));
        runs.into_iter().map(|lease| lease.key.clone()).collect()
    }

    /// Tests whether a lease was handed out and counts.
    pub(super) fn is_under_way(&self, lease: &RunLease) -> bool {
        self.under_way.get(&lease.key).is_some_and(|known| known.number == lease.number)
    }

    /// Remembers that a run is over.
    pub(super) fn mark_executed(&mut self, lease: &RunLease) {
        self.under_way.remove(&lease.key);
        self.executed.insert(lease.key.clone());
        self.due.add([lease.run.index]);
    }

    /// Takes back a lease that was handed out but not executed.
    pub(super) fn requeue(&mut self, lease: &RunLease) {
        if self.is_under_way(lease) {
            self.under_way.remove(&lease.key);
            self.mark_not_executed(lease);
        }
    }

    /// Notes that a lease was not executed.
    fn mark_not_executed(&mut self, lease: &RunLease) {
        self.due.add([lease.run.index]);
        if lease.repeats {
            self.uncount_repeat(&lease.key);
        }
    }

    fn uncount_repeat(&mut self, key: &RunKey) {
        if let Some(times) = self.repeated.get_mut(key) {
            *times = times.saturating_sub(1);
        }
    }

    /// Follows events: runs that may have changed are examined before the next run is handed out. `queued` has the runs that an
    /// engine holds and did not start. Returns the waiting runs that are not executed.
    pub(super) fn after(
        &mut self,
        lines: &[Line],
        queued: &[RunKey],
        before: &ContestState,
        after: &ContestState,
    ) -> Vec<RunKey> {
        for line in lines {
            match touched(line, after) {
                Due::All => self.reexamine(),
                Due::Some(runs) => self.due.add(runs),
            }
        }
        let board =
            |contents: &ContestState, name: &str| contents.plan.boards.iter().find(|board| board.name == name).cloned();
        let replaced = |key: &RunKey| {
            lines.iter().any(|line| match line {
                Line::Entry(event) => !event.keeps_runs && key.has(&event.entry.name),
                Line::Board(event) if *event.board.name == *key.board => {
                    board(before, &key.board).is_none_or(|known| !known.is_judged_like(&event.board))
                }
                _ => false,
            })
        };
        self.follow(queued, after, &replaced)
    }

    /// Follows that entries were set aside or taken back in, see [`Self::after`].
    pub(super) fn after_aside(&mut self, entries: &[String], queued: &[RunKey], after: &ContestState) -> Vec<RunKey> {
        entries.iter().for_each(|entry| self.due.add(after.runs_of(entry)));
        self.follow(queued, after, &|_| false)
    }

    fn follow(&mut self, queued: &[RunKey], after: &ContestState, replaced: &dyn Fn(&RunKey) -> bool) -> Vec<RunKey> {
        (self.queue_changed, self.examine_first) = (true, true);
        let mut gone: Vec<RunKey> = Vec::new();
        for lease in queued.iter().filter_map(|key| self.under_way.remove(key)).collect::<Vec<_>>() {
            self.mark_not_executed(&lease);
            gone.extend((!after.counts(&lease.key)).then_some(lease.key));
        }
        let waits: Vec<(RunKey, usize)> = match &self.due {
            Due::All => self.waiting.in_order(after),
            Due::Some(runs) => runs.iter().copied().collect(),
        }
        .into_iter()
        .filter_map(|run| Some((after.key_of(run)?, run)))
        .collect();
        for (key, run) in waits {
            if !after.counts(&key) && self.waiting.remove(&key.entry, run) {
                self.line = None;
                if self.repeating {
                    self.uncount_repeat(&key);
                }
                gone.push(key);
            }
        }
        let mut stopped = Vec::new();
        self.under_way.retain(|key, lease| {
            let counts = after.counts(key) && !replaced(key);
            if !counts {
                lease.stop.0.request();
                stopped.push(lease.run.index);
            }
            counts
        });
        self.due.add(stopped);
        gone
    }
}

/// The runs that an event may add to the waiting runs or remove from them.
fn touched(line: &Line, after: &ContestState) -> Due {
    let one = |key: &RunKey| Due::Some(after.planned(key).into_iter().collect());
    match line {
        Line::Entry(event) => Due::Some(after.runs_of(&event.entry.name).collect()),
        Line::Withdrawn(event) | Line::Restored(event) => Due::Some(after.runs_of(&event.entry).collect()),
        Line::Ruling(ruling) => one(&ruling.key),
        Line::RulingUndone(undone) => one(&undone.key),
        Line::Build(_) | Line::Program(_) | Line::Machine(_) => Due::Some(BTreeSet::new()),
        _ => Due::All,
    }
}

/// Tests whether a run belongs to the open round and counts.
fn is_open(contents: &ContestState, run: usize) -> bool {
    let key = contents.key_of(run).filter(|key| key.round == contents.round() && contents.counts(key));
    key.is_some() && contents.rank_of(run).is_some()
}

/// Tests whether a run has no valid record: it has none, a judge error, or a failed build of an entry that is built now.
fn is_missing(run: Option<&Record>, unbuilt: &BTreeMap<String, Built>) -> bool {
    let built_now = |run: &Record| {
        matches!(run.verdict, Verdict::BuildFailed { .. }) && !run.key.seats().any(|seat| unbuilt.contains_key(&**seat))
    };
    run.is_none_or(|run| run.is_judge_error() || built_now(run))
}

/// Tests whether a run may be repeated because other processes disturbed it.
fn is_suspect(run: &Record) -> bool {
    run.extras.suspect.is_some() && run.extras.ruling.is_none() && !run.is_judge_error()
}
