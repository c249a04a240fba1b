//! Intake of outcomes that have arrived, and of arrays that an earlier coordinator sent.

use std::collections::HashSet;

use judge_contest::schedule::{FinishedRun, Stopped};
use judge_core::key::RunKey;
use judge_core::plan::SameRuns;

use super::{Coordinator, Halt, OpenRun, SentBatch};
use crate::log::{LogLine, OpenArray};
use crate::notice::Notice;
use crate::spool::{Arrival, Batch};

/// The most outcomes that are written to disk together, which bounds the memory for an intake.
const MAX_PER_SYNC: usize = 4096;

impl Coordinator<'_> {
    /// Takes the outcomes that have arrived. Returns `true` if there were any.
    pub(super) fn take_new(&mut self) -> Result<bool, Halt> {
        let spool = &self.engine.spool;
        let names = spool.arrived().map_err(|error| self.io(spool.fresh(), error))?;
        let mut made = Vec::new();
        let any = self.take_all(names, &mut made);
        // Includes outcomes that were taken before an error.
        self.messages.send_finished(made)?;
        any
    }

    /// Takes outcomes by their file names. Sends every [`MAX_PER_SYNC`] runs to the recorder, and leaves the remaining ones
    /// in `send_finished`. Returns `true` if there were any outcomes.
    fn take_all(&mut self, names: Vec<String>, made: &mut Vec<FinishedRun>) -> Result<bool, Halt> {
        let spool = &self.engine.spool;
        let mut any = false;
        let known = std::mem::take(&mut self.sent);
        let mut still = HashSet::with_capacity(known.len());
        for name in names {
            if known.contains(&name) {
                still.insert(name);
                continue;
            }
            any = true;
            match spool.read_arrival(&name) {
                Ok(arrival) => {
                    if let Some(run) = self.take(&name, arrival)? {
                        made.push(run);
                        still.insert(name);
                    }
                    if made.len() == MAX_PER_SYNC {
                        self.messages.send_finished(std::mem::take(made))?;
                    }
                }
                Err(error) => {
                    self.notify(Notice::Unreadable { reason: error.to_string() })?;
                    self.quarantine(&name);
                }
            }
        }
        self.sent = still;
        Ok(any)
    }

    /// Takes an outcome; `None` if it does not count.
    fn take(&mut self, name: &str, arrival: Arrival) -> Result<Option<FinishedRun>, Halt> {
        let Arrival { array, batch, machine, at_a_time, mut record, .. } = arrival;
        let counts = self.counts(array, &record.key);
        let open = self.open.get(&record.key).filter(|open| counts && record.attempt >= open.attempt).copied();
        let Some(OpenRun { index, batch: assigned, .. }) = open else {
            self.quarantine(name);
            return Ok(None);
        };
        self.open.remove(&record.key);
        self.leases.remove(&index);
        self.at_a_time = at_a_time.max(1);
        record.seq = index + 1;
        self.history.add_time(&record.key.entry, record.wall_us);
        let batch_id = (array, batch);
        let arrived = self.engine.spool.arrived_as(name, array, batch);
        if let Some(assigned) = assigned {
            let found = self.assigned.get_mut(&assigned).expect("a batch is assigned until none of its runs is open");
            found.any |= assigned == batch_id;
            found.left.remove(&index);
            if found.left.is_empty() {
                self.close(assigned)?;
            }
        } else {
            // It was executed elsewhere while it waited for another batch.
            self.forget_waiting(index);
        }
        Ok(Some(FinishedRun::new(record, machine).when_recorded(|| arrived.recorded())))
    }

    /// Moves an outcome that does not count to `cluster/late`.
    fn quarantine(&self, name: &str) {
        self.engine.spool.quarantine(name).ok();
    }

    /// Tests whether a run of an array is still a run of this contest. Only data that affect the run are compared, so a
    /// new description of an entry, or an added entry, changes nothing.
    fn counts(&mut self, array: u32, key: &RunKey) -> bool {
        let engine = self.engine;
        let runs = self.valid.entry(array).or_insert_with(|| {
            let own = &engine.context;
            let Ok((other, _)) = engine.spool.context(array) else { return SameRuns::default() };
            let same = |program: &str| own.programs.get(program) == other.programs.get(program);
            let same_referees = own.plan.problems.iter().all(|problem| same(&problem.referee_program()));
            if own.isolation != other.isolation || !same_referees {
                return SameRuns::default();
            }
            SameRuns::between(&own.plan, &other.plan).with_entries(same)
        });
        runs.has(key)
    }

    /// Takes over the arrays in the log. Cancels batches that are no longer wanted.
    pub(super) fn continue_arrays(&mut self) -> Result<(), Halt> {
        let spool = self.engine.spool.clone();
        for OpenArray { number, name, id, exclude } in self.log.arrays.clone() {
            let id = match id {
                Some(id) => Some(id),
                None => {
                    let found = self.engine.cluster.find(&name);
                    let found = found.map_err(|error| Halt::Stopped(Stopped::Engine(error.into())))?;
                    if let Some(id) = &found {
                        self.note(LogLine::Sent { array: number, id: id.clone() })?;
                    }
                    found
                }
            };
            let batches = spool.open_batches(number).map_err(|error| self.io(spool.array(number), error))?;
            let group = self.group_without(&exclude);
            self.array_groups.insert(number, group);
            let (mut continued, mut unwanted) = (0, Vec::new());
            for batch in batches {
                let found = spool.read_batch(number, batch).ok().flatten().filter(|_| id.is_some());
                let Some(Batch { tries, runs, .. }) = found else {
                    spool.close_batch(number, batch);
                    continue;
                };
                let (mut left, mut other) = (HashSet::new(), false);
                for run in runs {
                    let counts = self.counts(number, &run.key);
                    other |= !counts;
                    if let Some(open) = self.open.get_mut(&run.key).filter(|open| counts && open.batch.is_none()) {
                        open.batch = Some((number, batch));
                        left.insert(open.index);
                        // The other runs of the board follow it.
                        self.history.board_groups.entry(run.key.board).or_insert(group);
                    }
                }
                if left.is_empty() {
                    spool.close_batch(number, batch);
                    unwanted.extend(other.then_some(batch));
                } else {
                    self.assigned.insert((number, batch), SentBatch { tries, left, any: false, gone: None });
                    continued += 1;
                }
            }
            let id = id.unwrap_or_default();
            if !unwanted.is_empty() {
                let tasks = unwanted.iter().map(|batch| format!("{id}_{batch}")).collect::<Vec<_>>();
                let whole = if continued == 0 { vec![id.clone()] } else { tasks };
                self.engine.cluster.cancel(&whole).ok();
            }
            if continued == 0 {
                self.note(LogLine::Over { array: number })?;
            } else {
                self.batches.insert(number, continued);
                self.notify(Notice::Continued { array: id })?;
            }
        }
        self.assign_groups();
        let waiting: Vec<OpenRun> = self.open.values().filter(|open| open.batch.is_none()).copied().collect();
        self.put_back(waiting.into_iter().map(|open| (open.index, open.attempt)), 0);
        Ok(())
    }

    /// The group without any of these nodes.
    fn group_without(&self, exclude: &[String]) -> usize {
        let groups = &self.engine.settings.groups;
        groups.iter().position(|group| !group.nodes.iter().any(|node| exclude.contains(node))).unwrap_or(0)
    }
}
