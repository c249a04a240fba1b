//! Monitoring of unfinished tasks and failed batches, and the state that the screen shows.

use std::collections::{HashMap, HashSet};

use judge_contest::schedule::{EngineData, EngineState, PendingRun};
use judge_files::regular;

use super::{BatchId, Coordinator, Halt, SentBatch};
use crate::notice::{ClusterState, Notice};

/// The number of consecutive batches without an outcome after which a run is a judge error.
const MAX_TRIES: u32 = 3;
/// The time for which file systems may delay outcomes after their task has ended: in general, and if the task reported
/// success.
const DELAY_US: [u64; 2] = [3_000_000, 30_000_000];

impl Coordinator<'_> {
    /// Queries the unfinished tasks, and has the runs of failed ones repeated. Returns `true` if another check is due soon.
    pub(super) fn ask(&mut self, now: u64) -> Result<bool, Halt> {
        let ids: HashMap<String, u32> =
            self.log.arrays.iter().filter_map(|open| Some((open.id.clone()?, open.number))).collect();
        if ids.is_empty() {
            self.tasks.clear();
            self.queued.iter_mut().for_each(|queued| *queued = 0);
            return Ok(false);
        }
        let arrays: Vec<String> = self.log.arrays.iter().filter_map(|open| open.id.clone()).collect();
        self.tasks = match self.engine.cluster.tasks(&arrays) {
            Ok(tasks) => tasks,
            Err(error) => {
                self.report_problem(error.reason())?;
                return Ok(false);
            }
        };
        self.problem = None;
        self.queued.iter_mut().for_each(|queued| *queued = 0);
        let mut active = HashSet::new();
        let mut failed: Vec<(BatchId, String)> = Vec::new();
        for task in &self.tasks {
            let Some(&array) = ids.get(&task.array) else { continue };
            let group = self.array_groups.get(&array).copied().unwrap_or(0);
            self.queued[group] += u32::from(!task.running);
            let batch_id = (array, task.number);
            if task.held && self.assigned.contains_key(&batch_id) {
                self.engine.cluster.cancel(&[format!("{}_{}", task.array, task.number)]).ok();
                failed.push((batch_id, format!("held: {}", task.reason)));
            }
            active.insert(batch_id);
        }
        let of_array: HashMap<u32, &String> = ids.iter().map(|(id, number)| (*number, id)).collect();
        let mut soon = false;
        for (batch_id, batch) in &mut self.assigned {
            let Some(id) = of_array.get(&batch_id.0) else { continue };
            if active.contains(batch_id) {
                batch.gone = None;
                continue;
            }
            soon = true;
            let (since, end) = batch.gone.get_or_insert((now, None));
            let gone = now.saturating_sub(*since);
            if gone >= DELAY_US[0] {
                let end = end.get_or_insert_with(|| self.engine.cluster.end_of(id, batch_id.1));
                if gone >= DELAY_US[usize::from(end.completed)] {
                    failed.push((*batch_id, end.text.clone()));
                }
            }
        }
        // Outcomes that came meanwhile are taken first, so that no run is executed twice.
        if !failed.is_empty() {
            self.take_new()?;
        }
        failed.sort_by_key(|(batch_id, _)| *batch_id);
        for (batch_id, end) in failed {
            self.fail(batch_id, &end)?;
        }
        Ok(soon)
    }

    /// Queues the missing runs of a failed batch to be sent again, or gives them up.
    fn fail(&mut self, batch_id: BatchId, end: &str) -> Result<(), Halt> {
        let Some(SentBatch { tries, left, any, .. }) = self.assigned.remove(&batch_id) else { return Ok(()) };
        let last_line = regular::last_line(&self.engine.spool.log(batch_id.0, batch_id.1));
        let last = last_line.as_ref().map_or(String::new(), |line| format!(": {line}"));
        let name = format!("{}_{}", self.id_of(batch_id.0), batch_id.1);
        let mut left: Vec<usize> = left.into_iter().collect();
        left.sort_unstable();
        let tries = if any { 0 } else { tries };
        let runs = left.len();
        let (mut again, mut given_up) = (Vec::new(), Vec::new());
        for index in left {
            let key = self.runner.key(index);
            let Some(open) = self.open.get_mut(key) else { continue };
            open.batch = None;
            let turn = PendingRun { index, attempt: open.attempt };
            if tries < MAX_TRIES {
                again.push((index, open.attempt));
                continue;
            }
            self.open.remove(key);
            self.leases.remove(&index);
            let cluster = self.engine.cluster.name();
            let reason =
                format!("{cluster}: its batch failed {MAX_TRIES} times, the last one, {name}, with {end}{last}");
            given_up.push(self.request.failed(turn, reason));
        }
        self.messages.send_finished(given_up)?;
        if !again.is_empty() {
            self.notify(Notice::SentAgain { task: name, end: end.to_owned(), last_line, runs })?;
        }
        self.put_back(again.into_iter(), tries);
        self.close(batch_id)
    }

    /// Reports the state of the cluster if it has changed.
    pub(super) fn report(&mut self) -> Result<(), Halt> {
        let state = self.state_now();
        if self.state.as_ref() != Some(&state) {
            self.messages.state(state.clone())?;
            self.state = Some(state);
        }
        Ok(())
    }

    fn state_now(&self) -> EngineState {
        let (running, waiting): (Vec<_>, Vec<_>) = self.tasks.iter().partition(|task| task.running);
        let nodes: HashSet<&str> = running.iter().map(|task| &*task.node).filter(|node| !node.is_empty()).collect();
        let mut reasons: Vec<&str> = waiting.iter().map(|task| &*task.reason).collect();
        reasons.retain(|reason| !matches!(*reason, "" | "None"));
        reasons.sort_unstable();
        reasons.dedup();
        let unsent = self.waiting.iter().map(Vec::len).sum();
        let figures = ClusterState {
            cluster: self.engine.cluster.name().to_owned(),
            running: running.len(),
            nodes: nodes.len(),
            waiting: waiting.len(),
            reasons: reasons.into_iter().map(str::to_owned).collect(),
            arrays: self.log.arrays.iter().filter_map(|open| open.id.clone()).collect(),
            sent: self.open.len().saturating_sub(unsent),
            unsent,
        };
        EngineState { running: running.len() * self.at_a_time, figures: EngineData::new(figures) }
    }

    /// Reports a problem with the cluster, unless it equals the last one that was reported.
    pub(super) fn report_problem(&mut self, reason: &str) -> Result<(), Halt> {
        if self.problem.as_deref() != Some(reason) {
            let cluster = self.engine.cluster.name().to_owned();
            self.notify(Notice::NoAnswer { cluster, reason: reason.to_owned() })?;
            self.problem = Some(reason.to_owned());
        }
        Ok(())
    }
}
