//! The mutable state of an open contest, and its changes by events.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use judge_core::advance::{self, NextStep};
use judge_core::changes::{DesiredContest, changes};
use judge_core::journal::{Built, ContestState, Line, Record, Round};
use judge_core::key::RunKey;
use judge_core::withdrawal::Withdrawal;

use super::passes::Passes;
use super::waiting::Choice;
use super::{CommandError, Event, RunLease};
use crate::Contest;
use crate::journal::Journal;
use crate::schedule::{FinishedRun, OutputSync, PendingRun, Queue, Stopped};

/// The part of an open contest that commands change, behind one lock.
pub(super) struct State {
    pub(super) contest: Arc<Contest>,
    pub(super) journal: Journal,
    /// The entries that cannot be started.
    pub(super) unbuilt: BTreeMap<String, Built>,
    pub(super) passes: Passes,
    /// The queue of the engine that executes runs now, and the runs by their index in the queue.
    pub(super) queue: Option<(Queue, Arc<[RunKey]>)>,
    /// Events that subscribers have not received yet.
    pub(super) outbox: VecDeque<Event>,
    /// True if there has been a subscriber.
    pub(super) is_heard: bool,
    /// The number of events that other processes have added to the journal.
    pub(super) others: u64,
}

impl State {
    /// The next run of the open round.
    pub(super) fn next(&mut self) -> Option<RunLease> {
        let contents = self.fill();
        self.passes.next(&contents)
    }

    /// The run of the open round that is chosen among the waiting ones, in their order.
    pub(super) fn next_in_order(&mut self, choose: impl FnOnce(&[&RunKey]) -> Option<usize>) -> Option<RunLease> {
        let contents = self.fill();
        let waiting = self.passes.keys(&contents);
        let waiting: Vec<&RunKey> = waiting.iter().collect();
        let chosen = waiting.get(choose(&waiting)?)?;
        self.passes.take(chosen, &contents)
    }

    /// The run of the open round that `choose` selects from the waiting ones.
    pub(super) fn next_of(&mut self, choose: impl FnOnce(Choice<'_>) -> Option<RunKey>) -> Option<RunLease> {
        let contents = self.fill();
        let chosen = choose(Choice { waiting: &self.passes.waiting, contents: &contents })?;
        self.passes.take(&chosen, &contents)
    }

    /// Fills the list of waiting runs.
    pub(super) fn fill(&mut self) -> ContestState {
        let contents = self.journal.contents();
        if !self.contest.only_recorded {
            let pass = self.passes.fill(&contents, &self.unbuilt, self.is_heard);
            self.outbox.extend(pass);
        }
        contents
    }

    /// Follows what other processes have added to the journal, such as a board that the organiser struck.
    pub(super) fn catch_up(&mut self) -> Result<(), CommandError> {
        let lines = self.journal.catch_up()?;
        if !lines.is_empty() {
            self.others += lines.len() as u64;
            let after = self.journal.contents();
            self.follow(lines, &after, &after, false);
        }
        Ok(())
    }

    /// Updates the runs that wait or are under way according to events.
    fn follow(&mut self, lines: Vec<Line>, before: &ContestState, after: &ContestState, other: bool) {
        // New runs may come before the waiting ones, so the engine returns those. If the events bring no runs, the engine keeps
        // its runs.
        let keeps = lines.iter().all(|line| matches!(line, Line::Struck(_) | Line::Withdrawn(_))) && !other;
        let waiting = self.take_from_engine(keeps, after);
        let gone = self.passes.after(&lines, &waiting, before, after);
        gone.into_iter().for_each(|key| self.announce(|| Event::Cancelled(key)));
        self.announce(|| Event::Changed(lines.into()));
    }

    /// Keeps an event for the subscribers, if any exist.
    pub(super) fn announce(&mut self, event: impl FnOnce() -> Event) {
        if self.is_heard {
            self.outbox.push_back(event());
        }
    }

    /// Checks events, syncs them, applies them and announces them.
    pub(super) fn apply(&mut self, lines: Vec<Line>) -> Result<(), CommandError> {
        self.apply_with(None, lines)
    }

    /// Applies events as `apply`, with the contest of a file that was read again, if any.
    pub(super) fn apply_with(&mut self, read: Option<Contest>, lines: Vec<Line>) -> Result<(), CommandError> {
        if lines.is_empty() {
            return Ok(());
        }
        loop {
            self.catch_up()?;
            let before = self.journal.contents();
            let mut next = self.journal.next(&lines)?;
            let after = self.journal.contents_with(&mut next);
            // A board that was just unsealed is in the contest's plan, but the referee does not have it yet.
            let other = read.is_some() || !self.contest.plan.is(&after.plan);
            let contest = read.as_ref().unwrap_or(&self.contest);
            let adopted = other.then(|| contest.adopting(after.plan.clone())).transpose()?;
            if !self.journal.append_next(next)? {
                continue;
            }
            if let Some(contest) = adopted {
                self.contest = Arc::new(contest);
            }
            self.follow(lines, &before, &after, other);
            return Ok(());
        }
    }

    /// Takes back the runs that the engine has not begun; if the engine keeps the others, only those that do not count.
    fn take_from_engine(&self, keeps: bool, after: &ContestState) -> Vec<RunKey> {
        self.queue.as_ref().map_or(Vec::new(), |(queue, keys)| {
            let unwanted = |run: PendingRun| !keeps || keys.get(run.index).is_none_or(|key| !after.counts(key));
            queue.remove(unwanted).iter().filter_map(|run| keys.get(run.index).cloned()).collect()
        })
    }

    /// Sets entries aside, or takes them back in.
    pub(super) fn set_aside(&mut self, changes: Vec<(String, Option<Withdrawal>)>) {
        let keeps = changes.iter().all(|(_, out)| out.is_some());
        let changed = self.journal.set_aside(changes);
        if changed.is_empty() {
            return;
        }
        let after = self.journal.contents();
        let waiting = self.take_from_engine(keeps, &after);
        let gone = self.passes.after_aside(&changed, &waiting, &after);
        gone.into_iter().for_each(|key| self.announce(|| Event::Cancelled(key)));
    }

    /// Records finished runs that count, and returns their records.
    pub(super) fn record(
        &mut self,
        runs: Vec<(RunLease, FinishedRun)>,
        syncing: &mut OutputSync<'_>,
    ) -> Result<Vec<Record>, Stopped> {
        let (mut wanted, mut leases) = (Vec::new(), Vec::new());
        for (lease, mut run) in runs {
            if !self.passes.is_under_way(&lease) {
                run.discard();
                run.when_recorded.take().into_iter().for_each(|call| call());
                continue;
            }
            run.record.in_vain |= lease.repeats && run.record.is_inconclusive();
            run.record.seq = lease.run.index + 1;
            wanted.push(run);
            leases.push(lease);
        }
        syncing.sync(&wanted)?;
        let (runs, calls): (Vec<_>, Vec<_>) =
            wanted.into_iter().map(|run| ((run.record, run.machine), run.when_recorded)).unzip();
        let records = self.journal.append_runs(runs)?;
        calls.into_iter().flatten().for_each(|call| call());
        leases.iter().for_each(|lease| self.passes.mark_executed(lease));
        Ok(records)
    }

    pub(super) fn open_next_round(&mut self) -> Result<Option<Round>, CommandError> {
        if self.contest.only_recorded {
            return Ok(None);
        }
        let mut next = advance::next(&self.journal.contents());
        if let NextStep::Sealed(boards) = &next {
            let mut contest = self.contest.adopting(self.contest.plan.clone())?;
            contest.unseal(|board| boards.iter().any(|sealed| sealed == board));
            contest.keep_files(self.journal.directory())?;
            let mut desired = DesiredContest::new(&contest.plan);
            (desired.withdrawn, desired.struck) = (&contest.withdrawn, &contest.struck);
            let changes = changes(&self.journal.contents(), &desired)?;
            self.contest = Arc::new(contest);
            self.apply(changes.into_iter().map(|change| change.line).collect())?;
            next = advance::next(&self.journal.contents());
        }
        let NextStep::Open(round) = next else { return Ok(None) };
        self.open(round).map(Some)
    }

    /// Reopens the first round whose games no longer follow from the results.
    pub(super) fn follow_results(&mut self) -> Result<Option<Round>, CommandError> {
        let again = advance::again(&self.journal.contents()).filter(|_| !self.contest.only_recorded);
        again.map(|round| self.open(round)).transpose()
    }

    fn open(&mut self, round: Round) -> Result<Round, CommandError> {
        self.journal.append(&[Line::Round(Box::new(round.clone()))])?;
        self.passes.begin_round();
        self.announce(|| Event::RoundOpened(Box::new(round.clone())));
        Ok(round)
    }
}
