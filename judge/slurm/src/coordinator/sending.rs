//! Sending of waiting runs, as the batches of arrays.

use std::time::Duration;

use judge_contest::schedule::Stopped;

use super::{Coordinator, Halt, SentBatch};
use crate::cluster::{ArrayRequest, ClusterError};
use crate::engine::Mode;
use crate::log::LogLine;
use crate::pack::{Packing, Pending, pack};
use crate::spool::{Batch, BatchRun, FORMAT};

/// Bytes of memory that a task needs besides its runs: for the judge itself, and for files that are written.
const TASK_MEMORY: u64 = 256 << 20;
/// The time that a run takes in addition to the time of its processes, at most and usually.
const RUN_MARGIN: Duration = Duration::from_secs(2);
const RUN_COST: Duration = Duration::from_millis(20);
/// The time that a task takes in addition to its runs.
const TASK_MARGIN: Duration = Duration::from_secs(120);

impl Coordinator<'_> {
    /// Adds runs to the list of runs that wait for a batch.
    pub(super) fn put_back(&mut self, runs: impl Iterator<Item = (usize, u32)>, tries: u32) {
        let plan = &self.runner.contest().plan;
        for (index, attempt) in runs {
            let key = self.runner.key(index);
            let limits = plan.limits_in(key.round, self.runner.entry(key), &key.board);
            let by_limits = limits.wall() + limits.grace();
            let group = self.history.board_groups.get(&key.board).copied().unwrap_or(0);
            let referee = plan.problem_of(&key.board).referee.as_deref().map_or(Duration::ZERO, |referee| {
                // Each of its calls may be tried once more.
                (referee.limits.wall() + referee.limits.grace()) * referee.repeat.saturating_mul(2)
            });
            let longest = by_limits + referee + RUN_MARGIN;
            self.waiting[group].push(Pending { index, attempt, tries, longest, expected: by_limits });
        }
        self.waiting.iter_mut().for_each(|waiting| waiting.sort_by_key(|run| (run.tries, run.index)));
    }

    /// Sends waiting runs of groups whose queue in the cluster runs short. Returns `true` if something was sent.
    pub(super) fn send(&mut self) -> Result<bool, Halt> {
        let mut sent = false;
        for request in std::mem::take(&mut self.unsent) {
            // An earlier request may have succeeded after its failure was reported.
            let found = self.engine.cluster.find(&request.name).unwrap_or_default();
            sent |= self.submit(request, found)?;
        }
        for group in 0..self.waiting.len() {
            while self.unsent.is_empty() && !self.waiting[group].is_empty() {
                let detach = self.engine.settings.mode == Mode::Detach;
                let largest = self.engine.cluster.largest_array().max(1);
                let most = if detach { largest } else { self.next_tasks[group].min(largest) };
                if !detach && self.queued[group] * 4 > most {
                    break;
                }
                let request = self.plan_array(group, most)?;
                self.next_tasks[group] = self.next_tasks[group].saturating_mul(2);
                self.queued[group] += request.tasks;
                sent |= self.submit(request, None)?;
            }
        }
        Ok(sent)
    }

    /// Packs waiting runs of a group into an array.
    fn plan_array(&mut self, group: usize, most: u32) -> Result<ArrayRequest, Halt> {
        let settings = &self.engine.settings;
        let plan = &self.runner.contest().plan;
        let here = settings.groups.get(group);
        let keys = self.waiting[group].iter().map(|run| self.runner.key(run.index));
        let limits: Vec<_> = keys
            .map(|key| plan.limits_in(key.round, self.runner.entry(key), &key.board))
            .chain(plan.referees().map(|referee| referee.limits))
            .collect();
        let cores = limits.iter().map(|limits| limits.cores).max().unwrap_or(1);
        let memory: Option<Vec<u64>> = limits.iter().map(|limits| limits.memory_bytes).collect();
        let memory_bytes = memory.and_then(|memory| memory.into_iter().max()).map(|bytes| bytes + TASK_MEMORY);
        let slots = here.map_or(1, |group| group.cores / cores.max(1)).max(1);
        // Finished runs show how long the others may take.
        for run in &mut self.waiting[group] {
            let usual = self.history.usual(&self.runner.key(run.index).entry);
            run.expected = usual.map_or(run.expected, |usual| usual + RUN_COST);
        }
        let packing = Packing { least: settings.least, slots, most: most as usize };
        let packed = pack(&mut self.waiting[group], &packing);
        let longest = packed.iter().map(|(_, longest)| *longest).max().unwrap_or_default();
        let array = self.log.next;
        let hash = self.engine.context.hash();
        let batches: Vec<Batch> = packed
            .iter()
            .map(|(runs, _)| Batch {
                format: FORMAT,
                context: hash.clone(),
                tries: runs.first().map_or(0, |run| run.tries) + 1,
                runs: runs
                    .iter()
                    .map(|run| BatchRun { key: self.runner.key(run.index).clone(), attempt: run.attempt })
                    .collect(),
            })
            .collect();
        let spool = &self.engine.spool;
        let written = spool.write_array(array, &self.engine.context, &batches);
        written.map_err(|error| self.io(spool.array(array), error))?;
        let name = format!("{}-{array}", self.engine.name);
        let tasks = u32::try_from(packed.len()).expect("fewer tasks than an array can have");
        let others = settings.groups.iter().enumerate().filter(|(number, _)| *number != group);
        let exclude: Vec<String> = others.flat_map(|(_, group)| group.nodes.clone()).collect();
        self.note(LogLine::Planned { array, name: name.clone(), tasks, exclude: exclude.clone() })?;
        for ((runs, _), number) in packed.into_iter().zip(1..) {
            let batch_id = (array, number);
            let tries = runs.first().map_or(0, |run| run.tries) + 1;
            for run in &runs {
                if let Some(open) = self.open.get_mut(self.runner.key(run.index)) {
                    open.batch = Some(batch_id);
                }
            }
            let left = runs.iter().map(|run| run.index).collect();
            self.assigned.insert(batch_id, SentBatch { tries, left, any: false, gone: None });
        }
        self.batches.insert(array, tasks as usize);
        self.array_groups.insert(array, group);
        let time = longest.mul_f64(1.1) + TASK_MARGIN;
        Ok(ArrayRequest { name, array, tasks, cores, memory_bytes, time, exclude })
    }

    /// Sends an array that was planned, unless it has an id already.
    fn submit(&mut self, request: ArrayRequest, id: Option<String>) -> Result<bool, Halt> {
        let array = request.array;
        let sent = id.map_or_else(|| self.engine.cluster.submit(&request), Ok);
        match sent {
            Ok(id) => {
                self.note(LogLine::Sent { array, id })?;
                Ok(true)
            }
            Err(ClusterError::Temporary(reason)) => {
                self.report_problem(&reason)?;
                self.unsent.push(request);
                Ok(false)
            }
            Err(error @ ClusterError::Permanent(_)) => {
                for batch in 1..=request.tasks {
                    self.engine.spool.close_batch(array, batch);
                }
                self.note(LogLine::Over { array })?;
                self.cancel();
                Err(Halt::Stopped(Stopped::Engine(error.into())))
            }
        }
    }
}
