//! The runs to execute: first missing ones, then repetitions of suspect ones.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use judge_core::journal::{Built, Contents, Line, Record};
use judge_core::key::{Name, RunKey};
use judge_core::verdict::Verdict;
use judge_job::{StopFlag, StopRequest};

use super::Event;
use crate::schedule::PendingRun;

/// A run that is handed out. The caller that executes it hands in the result with this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Entry, board, round and repeat.
    pub key: RunKey,
    /// Its index in the order of runs at that moment, and the number of the attempt.
    pub run: PendingRun,
    /// True if it repeats a suspect run. If it fails without a fault of the entry, the earlier run counts.
    pub repeats: bool,
    /// Distinguishes it from other turns of the same run.
    number: u64,
    stop: Stop,
}

impl Turn {
    /// The request to stop only this run. [`Conduct`](super::Conduct) requests the stop when the run no longer counts, because
    /// its board was struck, or its entry withdrawn or replaced.
    pub fn stop(&self) -> &dyn StopRequest {
        &*self.stop.0
    }

    /// The run with its request to stop, for an engine.
    pub(super) fn stoppable(&self) -> (PendingRun, Arc<StopFlag>) {
        (self.run, self.stop.0.clone())
    }
}

/// A request to stop a run, shared by all copies of its turn.
#[derive(Debug, Clone, Default)]
struct Stop(Arc<StopFlag>);

impl PartialEq for Stop {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stop {}

/// The runs of the open round that wait or are being executed.
#[derive(Default)]
pub(super) struct Passes {
    /// The most repetitions of a suspect run.
    pub(super) repeats: u32,
    /// The most attempts of a run that ends in a judge error; 0 to repeat it only when the round is begun again.
    pub(super) attempts: u32,
    waiting: VecDeque<Turn>,
    /// The current turns. A turn that is not among them does not count.
    under_way: HashMap<RunKey, Turn>,
    /// True if an event has changed the list of runs to execute.
    pub(super) stirred: bool,
    /// Runs that were executed since the round began here: a judge error is not repeated immediately.
    made: HashSet<RunKey>,
    /// The number of repetitions of each suspect run.
    repeated: HashMap<RunKey, u32>,
    /// The number of the last turn.
    last: u64,
}

impl Passes {
    /// Tests whether no run waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Tests whether no run waits or is being executed.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }

    /// Forgets the executed runs, so that judge errors and suspect runs are repeated.
    pub(super) fn begin_round(&mut self) {
        self.made.clear();
        self.repeated.clear();
    }

    /// Queues the runs that can be executed now. Suspect runs are repeated when no other run waits or is being
    /// executed.
    pub(super) fn fill(&mut self, contents: &Contents, unbuilt: &BTreeMap<String, Built>) -> Option<Event> {
        let mut runs = contents.select(|run| is_missing(run, unbuilt));
        runs.retain(|&run| {
            let key = &contents.order[run];
            let again = match self.attempts {
                0 => !self.made.contains(key),
                most => contents.attempts[run] < most,
            };
            !self.under_way.contains_key(key) && (contents.records.by_run(run).is_none() || again)
        });
        let repeats = runs.is_empty();
        if repeats && self.under_way.is_empty() && self.repeats > 0 {
            runs = contents.select(|run| run.is_some_and(is_suspect));
            runs.retain(|&run| {
                let times = self.repeated.entry(contents.order[run].clone()).or_default();
                *times += 1;
                *times <= self.repeats
            });
        }
        for &index in &runs {
            self.last += 1;
            let (key, attempt) = (contents.order[index].clone(), contents.attempts[index] + 1);
            let run = PendingRun { index, attempt };
            self.waiting.push_back(Turn { key, run, repeats, number: self.last, stop: Stop::default() });
        }
        let runs: Vec<RunKey> = runs.iter().map(|&run| contents.order[run].clone()).collect();
        (!runs.is_empty()).then_some(Event::Pass { runs, repeats })
    }

    /// The entries of all runs that the open round may still execute.
    pub(super) fn entries_to_run(&self, contents: &Contents, unbuilt: &BTreeMap<String, Built>) -> HashSet<Name> {
        let repeats = |run: &Record| self.repeats > 0 && is_suspect(run);
        let runs = contents.select(|run| is_missing(run, unbuilt) || run.is_some_and(repeats));
        runs.iter().map(|&run| contents.order[run].entry.clone()).collect()
    }

    /// Hands out the next run.
    pub(super) fn next(&mut self) -> Option<Turn> {
        let turn = self.waiting.pop_front()?;
        self.under_way.insert(turn.key.clone(), turn.clone());
        Some(turn)
    }

    /// Hands out the run that is chosen among those that wait.
    pub(super) fn next_of(&mut self, choose: impl FnOnce(&[&RunKey]) -> Option<usize>) -> Option<Turn> {
        let waiting: Vec<&RunKey> = self.waiting.iter().map(|turn| &turn.key).collect();
        let turn = self.waiting.remove(choose(&waiting)?)?;
        self.under_way.insert(turn.key.clone(), turn.clone());
        Some(turn)
    }

    /// The current runs, in the order of the contest.
    pub(super) fn under_way(&self, contents: &Contents) -> Vec<RunKey> {
        let mut runs: Vec<RunKey> = self.under_way.keys().cloned().collect();
        runs.sort_by_cached_key(|key| contents.index_of(key));
        runs
    }

    /// Tests whether a turn was handed out and counts.
    pub(super) fn is_under_way(&self, turn: &Turn) -> bool {
        self.under_way.get(&turn.key).is_some_and(|known| known.number == turn.number)
    }

    /// Remembers that a run is over.
    pub(super) fn made(&mut self, turn: &Turn) {
        self.under_way.remove(&turn.key);
        self.made.insert(turn.key.clone());
    }

    /// Takes back a turn that was handed out but not executed.
    pub(super) fn give_back(&mut self, turn: &Turn) {
        if self.is_under_way(turn) {
            self.under_way.remove(&turn.key);
            self.not_made(turn);
        }
    }

    /// Forgets a repetition that was not executed.
    fn not_made(&mut self, turn: &Turn) {
        if let Some(times) = self.repeated.get_mut(&turn.key).filter(|_| turn.repeats) {
            *times = times.saturating_sub(1);
        }
    }

    /// Applies events: waiting runs are ordered again, and runs that no longer count are dropped. `queued` contains the
    /// runs, by index, that are in an engine's queue but were not taken. Returns the dropped runs.
    pub(super) fn after(
        &mut self,
        lines: &[Line],
        queued: &[PendingRun],
        before: &Contents,
        after: &Contents,
    ) -> Vec<RunKey> {
        self.stirred = true;
        let queued = queued.iter().filter_map(|run| self.under_way.remove(before.order.get(run.index)?));
        let waited: Vec<Turn> = queued.collect::<Vec<_>>().into_iter().chain(self.waiting.drain(..)).collect();
        // They wait again when the next run is asked for, if they count.
        waited.iter().for_each(|turn| self.not_made(turn));
        let board =
            |contents: &Contents, name: &str| contents.plan.boards.iter().find(|board| board.name == name).cloned();
        let replaced = |key: &RunKey| {
            lines.iter().any(|line| match line {
                Line::Entry(event) => !event.keeps_runs && *event.entry.name == *key.entry,
                Line::Board(event) if *event.board.name == *key.board => {
                    board(before, &key.board).is_none_or(|known| !known.is_judged_like(&event.board))
                }
                _ => false,
            })
        };
        self.under_way.retain(|key, turn| {
            let counts = after.counts(key) && !replaced(key);
            if !counts {
                turn.stop.0.request();
            }
            counts
        });
        waited.into_iter().map(|turn| turn.key).filter(|key| !after.counts(key)).collect()
    }
}

/// Tests whether a run is missing: it has no record, a judge error, or a failed build of an entry that is now built.
fn is_missing(run: Option<&Record>, unbuilt: &BTreeMap<String, Built>) -> bool {
    let built_now =
        |run: &Record| matches!(run.verdict, Verdict::BuildFailed { .. }) && !unbuilt.contains_key(&*run.key.entry);
    run.is_none_or(|run| run.is_judge_error() || built_now(run))
}

/// Tests whether a run may be repeated because other processes disturbed it.
fn is_suspect(run: &Record) -> bool {
    run.extras.suspect.is_some() && run.extras.ruling.is_none() && !run.is_judge_error()
}
