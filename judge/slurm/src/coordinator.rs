//! The coordinator: sends batches and takes in outcomes until all runs of a request are executed.

mod intake;
mod sending;
mod watching;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use judge_contest::schedule::{
    Engine, EngineData, EngineState, Messages, PendingRun, RecorderClosed, Request, Runner, Stopped, TakenRun,
};
use judge_core::key::{Name, RunKey};
use judge_core::plan::SameRuns;
use judge_job::{Isolation, StopRequest};

use crate::cluster::{ArrayRequest, Task, TaskEnd};
use crate::engine::{ClusterEngine, Mode, RunHistory, cancel_all};
use crate::log::{Log, LogLine, OpenArray};
use crate::notice::Notice;
use crate::pack::{Pending, distribute};

/// Number of tasks in the first array of each group. Each further array has up to twice as many as the previous one.
const FIRST_TASKS: u32 = 16;
/// The shortest and the longest time between two checks for outcomes and between two queries to the cluster, in
/// microseconds.
const POLL_US: [u64; 2] = [100_000, 2_000_000];
const QUERY_US: [u64; 2] = [1_000_000, 15_000_000];

/// A batch by the numbers of its array and of its task in it.
type BatchId = (u32, u32);

/// A batch that was sent to the cluster.
struct SentBatch {
    tries: u32,
    /// Indices of its runs whose outcomes are not taken in.
    left: HashSet<usize>,
    /// True if it left an outcome.
    any: bool,
    /// The time when it was first missing from the tasks, and its end.
    gone: Option<(u64, Option<TaskEnd>)>,
}

/// A run whose outcome is not taken in: its index, its least attempt, and its batch.
#[derive(Clone, Copy)]
struct OpenRun {
    index: usize,
    attempt: u32,
    batch: Option<BatchId>,
}

/// The reason why a coordinator ends early.
enum Halt {
    /// The contest does not record any more runs, because it has failed or stopped.
    RecorderClosed,
    Stopped(Stopped),
}

impl From<RecorderClosed> for Halt {
    fn from(_: RecorderClosed) -> Self {
        Self::RecorderClosed
    }
}

/// The coordinator of one request.
struct Coordinator<'a> {
    engine: &'a ClusterEngine<'a>,
    request: &'a Request<'a>,
    runner: &'a Runner<'a>,
    messages: &'a Messages,
    log: &'a mut Log,
    history: &'a mut RunHistory,
    /// The leases of the taken runs, by index.
    leases: HashMap<usize, TakenRun>,
    /// The runs whose outcomes are not taken in.
    open: HashMap<RunKey, OpenRun>,
    /// The runs that are in no batch, by group, in their order.
    waiting: Vec<Vec<Pending>>,
    assigned: HashMap<BatchId, SentBatch>,
    /// The open batches of each array.
    batches: HashMap<u32, usize>,
    /// Arrays that are still to be sent.
    unsent: Vec<ArrayRequest>,
    /// The group of each array.
    array_groups: HashMap<u32, usize>,
    /// Number of tasks in the next array of each group.
    next_tasks: Vec<u32>,
    /// Number of tasks of each group that wait for a node, at the last query to the cluster.
    queued: Vec<u32>,
    /// Outcomes that were sent to the recorder, by their file names.
    sent: HashSet<String>,
    /// The runs of each array that are still runs of this contest.
    valid: HashMap<u32, SameRuns>,
    /// Number of runs that a task executes at a time, according to the latest outcome.
    at_a_time: usize,
    /// The last problem that was reported, so that it is not repeated.
    problem: Option<String>,
    /// The unfinished tasks, at the last query to the cluster.
    tasks: Vec<Task>,
    state: Option<EngineState>,
}

impl Engine for ClusterEngine<'_> {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let mut log = self.log.lock().expect("one contest at a time");
        let mut history = self.history.lock().expect("one contest at a time");
        let mut coordinator = Coordinator::new(self, request, &mut log, &mut history);
        match coordinator.work(request.interrupt()) {
            Ok(()) => Ok(()),
            Err(Halt::RecorderClosed) => {
                // The journal cannot be written, so the outcomes of the nodes would not be recorded.
                coordinator.cancel();
                Ok(())
            }
            Err(Halt::Stopped(stopped)) => Err(stopped),
        }
    }

    fn isolation(&self) -> Arc<Isolation> {
        self.isolation.clone()
    }
}

impl<'a> Coordinator<'a> {
    /// Creates a coordinator without runs.
    pub(super) fn new(
        engine: &'a ClusterEngine<'a>,
        request: &'a Request<'a>,
        log: &'a mut Log,
        history: &'a mut RunHistory,
    ) -> Self {
        let groups = engine.settings.groups.len().max(1);
        Self {
            engine,
            request,
            runner: request.runner(),
            messages: request.messages(),
            log,
            history,
            leases: HashMap::new(),
            open: HashMap::new(),
            waiting: vec![Vec::new(); groups],
            assigned: HashMap::new(),
            batches: HashMap::new(),
            unsent: Vec::new(),
            array_groups: HashMap::new(),
            next_tasks: vec![FIRST_TASKS; groups],
            queued: vec![0; groups],
            sent: HashSet::new(),
            valid: HashMap::new(),
            at_a_time: 1,
            problem: None,
            tasks: Vec::new(),
            state: None,
        }
    }

    /// Takes the runs that were added to the queue, and drops those that were cancelled. Returns the new ones.
    fn accept(&mut self) -> Result<Vec<OpenRun>, Halt> {
        let cancelled = self.leases.iter().filter(|(_, turn)| turn.is_cancelled()).map(|(index, _)| *index);
        for index in cancelled.collect::<Vec<_>>() {
            self.give_up(index)?;
        }
        let mut added = Vec::new();
        for turn in self.request.take_all() {
            let PendingRun { index, attempt } = turn.run();
            let open = OpenRun { index, attempt, batch: None };
            self.open.insert(self.runner.key(index).clone(), open);
            self.leases.insert(index, turn);
            added.push(open);
        }
        Ok(added)
    }

    /// Drops a cancelled run. If its outcome still arrives, it does not count.
    fn give_up(&mut self, index: usize) -> Result<(), Halt> {
        self.leases.remove(&index);
        let open = self.open.remove(self.runner.key(index));
        self.forget_waiting(index);
        if let Some(batch_id) = open.and_then(|open| open.batch)
            && let Some(batch) = self.assigned.get_mut(&batch_id)
        {
            batch.left.remove(&index);
            if batch.left.is_empty() {
                let task = format!("{}_{}", self.id_of(batch_id.0), batch_id.1);
                self.engine.cluster.cancel(&[task]).ok();
                self.close(batch_id)?;
            }
        }
        Ok(self.messages.cancelled(index)?)
    }

    /// Removes a run from the list of runs that wait for a batch.
    fn forget_waiting(&mut self, index: usize) {
        self.waiting.iter_mut().for_each(|waiting| waiting.retain(|run| run.index != index));
    }

    /// Assigns each board to a group: to the one that it already has, or to the one with the least work per core.
    fn assign_groups(&mut self) {
        let mut keys: Vec<(usize, &RunKey)> = self.open.iter().map(|(key, open)| (open.index, key)).collect();
        keys.sort_unstable_by_key(|(index, _)| *index);
        let mut boards: Vec<Name> = Vec::new();
        let mut runs: HashMap<Name, usize> = HashMap::new();
        for (_, key) in keys {
            let count = runs.entry(key.board.clone()).or_default();
            if *count == 0 {
                boards.push(key.board.clone());
            }
            *count += 1;
        }
        let cores: Vec<usize> = self.engine.settings.groups.iter().map(|group| group.cores).collect();
        let cores = if cores.is_empty() { vec![1] } else { cores };
        let work: Vec<usize> = boards.iter().map(|board| runs[board]).collect();
        let fixed: Vec<Option<usize>> =
            boards.iter().map(|board| self.history.board_groups.get(board).copied()).collect();
        self.history.board_groups.extend(boards.into_iter().zip(distribute(&work, &fixed, &cores)));
    }

    /// Works until all runs are executed or a stop is requested; leaves earlier in other modes than [`Mode::Stay`].
    pub(super) fn work(&mut self, interrupt: &dyn StopRequest) -> Result<(), Halt> {
        let cluster = self.engine.cluster;
        self.accept()?;
        self.take_new()?;
        if self.engine.settings.mode == Mode::Collect {
            self.cancel();
            return Ok(());
        }
        self.continue_arrays()?;
        let (mut look, mut ask) = (POLL_US[0], QUERY_US[0]);
        let mut next_ask = cluster.now_us();
        while !self.open.is_empty() || self.request.left() != Some(0) {
            if interrupt.requested() {
                self.cancel();
                return Ok(());
            }
            let now = cluster.now_us();
            let added = self.accept()?;
            if !added.is_empty() {
                self.assign_groups();
                self.put_back(added.into_iter().map(|open| (open.index, open.attempt)), 0);
                next_ask = now;
            }
            if now >= next_ask {
                let changed = self.ask(now)? | self.send()?;
                if self.engine.settings.mode == Mode::Detach
                    && self.unsent.is_empty()
                    && self.waiting.iter().all(Vec::is_empty)
                    && self.request.left() == Some(0)
                {
                    return Err(Halt::Stopped(Stopped::Detached));
                }
                ask = if changed { QUERY_US[0] } else { (ask * 3 / 2).min(QUERY_US[1]) };
                next_ask = now + ask;
            }
            look = if self.take_new()? { POLL_US[0] } else { (look * 3 / 2).min(POLL_US[1]) };
            if self.assigned.is_empty() && self.unsent.is_empty() {
                // The cluster has nothing to do.
                next_ask = now;
            }
            self.report()?;
            if !self.open.is_empty() {
                let until_ask = next_ask.saturating_sub(cluster.now_us());
                cluster.wait(Duration::from_micros(look.min(until_ask.max(POLL_US[0]))));
            }
        }
        for OpenArray { number, .. } in self.log.arrays.clone() {
            self.end_array(number)?;
        }
        Ok(())
    }

    /// Cancels all arrays. Their batches are over: a resumed contest sends the runs again.
    pub(super) fn cancel(&mut self) {
        let notice = match cancel_all(self.engine.cluster, &self.engine.spool, self.log) {
            Ok(arrays) if arrays.is_empty() => return,
            Ok(arrays) => Notice::Cancelled { arrays },
            Err(reason) => Notice::NotCancelled { reason },
        };
        // The contest may have stopped.
        self.notify(notice).ok();
    }

    /// Sends a message for the organiser.
    fn notify(&self, notice: Notice) -> Result<(), RecorderClosed> {
        self.messages.notice(EngineData::new(notice))
    }

    /// The id of an array in the cluster; empty if it has none.
    fn id_of(&self, array: u32) -> String {
        self.log.arrays.iter().find(|open| open.number == array).and_then(|open| open.id.clone()).unwrap_or_default()
    }

    /// Ends a batch, because it has no missing runs or another batch executes them.
    fn close(&mut self, batch_id: BatchId) -> Result<(), Halt> {
        self.assigned.remove(&batch_id);
        self.engine.spool.close_batch(batch_id.0, batch_id.1);
        let left = self.batches.entry(batch_id.0).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 { self.end_array(batch_id.0) } else { Ok(()) }
    }

    fn end_array(&mut self, array: u32) -> Result<(), Halt> {
        self.batches.remove(&array);
        self.note(LogLine::Over { array })
    }

    fn note(&mut self, line: LogLine) -> Result<(), Halt> {
        self.log.append(line).map_err(|error| self.io(self.engine.spool.folder().to_owned(), error))
    }

    fn io(&self, path: PathBuf, error: std::io::Error) -> Halt {
        Halt::Stopped(Stopped::Io { path, error })
    }
}
