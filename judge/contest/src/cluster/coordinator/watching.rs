//! Watching: the tasks that are not over, batches that failed, and what the screen shows of it.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use judge_core::verdict::Verdict;

use super::{Assigned, Coordinator, Halt, Place};
use crate::schedule::{EngineState, FinishedRun, PendingRun};

/// The batches without an outcome in a row after which a run is a judge error.
const MOST_TRIES: u32 = 3;
/// The time that outcomes may be under way after their task has ended, because file systems delay them: usually, and if
/// the task reported success.
const DELAY_US: [u64; 2] = [3_000_000, 30_000_000];

impl Coordinator<'_> {
    /// Asks for the tasks that are not over, and has the runs of those that failed made again. Returns whether anything
    /// has to be looked at soon.
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
            Err(trouble) => {
                self.complain(trouble.reason())?;
                return Ok(false);
            }
        };
        self.trouble = None;
        self.queued.iter_mut().for_each(|queued| *queued = 0);
        let mut active = HashSet::new();
        let mut failed: Vec<(Place, String)> = Vec::new();
        for task in &self.tasks {
            let Some(&array) = ids.get(&task.array) else { continue };
            let group = self.array_groups.get(&array).copied().unwrap_or(0);
            self.queued[group] += u32::from(!task.running);
            let place = (array, task.number);
            if task.held && self.assigned.contains_key(&place) {
                self.engine.cluster.cancel(&[format!("{}_{}", task.array, task.number)]).ok();
                failed.push((place, format!("held: {}", task.reason)));
            }
            active.insert(place);
        }
        let of_array: HashMap<u32, &String> = ids.iter().map(|(id, number)| (*number, id)).collect();
        let mut soon = false;
        for (place, batch) in &mut self.assigned {
            let Some(id) = of_array.get(&place.0) else { continue };
            if active.contains(place) {
                batch.gone = None;
                continue;
            }
            soon = true;
            let (since, end) = batch.gone.get_or_insert((now, None));
            let gone = now.saturating_sub(*since);
            if gone >= DELAY_US[0] {
                let end = end.get_or_insert_with(|| self.engine.cluster.end_of(id, place.1));
                if gone >= DELAY_US[usize::from(end.starts_with("COMPLETED"))] {
                    failed.push((*place, end.clone()));
                }
            }
        }
        // A look at what came until now, so that nothing is made again that was made.
        if !failed.is_empty() {
            self.take_new()?;
        }
        failed.sort_by_key(|(place, _)| *place);
        for (place, end) in failed {
            self.fail(place, &end)?;
        }
        Ok(soon)
    }

    /// Has the runs of a batch that ended without all outcomes made by another one, or gives them up.
    fn fail(&mut self, place: Place, end: &str) -> Result<(), Halt> {
        let Some(Assigned { tries, left, any, .. }) = self.assigned.remove(&place) else { return Ok(()) };
        let last = last_line(&self.engine.spool.log(place.0, place.1));
        let last = last.map_or(String::new(), |line| format!(": {line}"));
        let name = format!("{}_{}", self.id_of(place.0), place.1);
        let mut left: Vec<usize> = left.into_iter().collect();
        left.sort_unstable();
        let tries = if any { 0 } else { tries };
        let runs = left.len();
        let mut again = Vec::new();
        for index in left {
            let key = self.runner.key(index);
            let Some(open) = self.open.get_mut(key) else { continue };
            open.batch = None;
            let turn = PendingRun { index, attempt: open.attempt };
            if tries < MOST_TRIES {
                again.push((index, open.attempt));
                continue;
            }
            self.open.remove(key);
            let reason = format!("Slurm: its batch failed {MOST_TRIES} times, the last one, {name}, with {end}{last}");
            let record = self.runner.without_run(&turn, Verdict::JudgeError { reason }, &self.engine.isolation);
            self.messages.started(index)?;
            self.messages.finished(FinishedRun::of(record))?;
        }
        if !again.is_empty() {
            self.messages.notice(format!("task {name} ended with {end}{last}; {runs} of its runs are sent again"))?;
        }
        self.put_back(again.into_iter(), tries);
        self.close(place)
    }

    /// Says what the cluster does, if that has changed.
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
        let mut text = format!("Slurm: {} running", counted(running.len(), "task"));
        if !nodes.is_empty() {
            text += &format!(" on {}", counted(nodes.len(), "node"));
        }
        if !waiting.is_empty() {
            text += &format!(", {} waiting", waiting.len());
        }
        if !reasons.is_empty() {
            text += &format!(" ({})", reasons.join(", "));
        }
        let ids: Vec<&str> = self.log.arrays.iter().filter_map(|open| open.id.as_deref()).collect();
        let arrays = match ids[..] {
            [] => "no array sent yet".to_owned(),
            [id] => format!("array {id}"),
            [first, .., last] if ids.len() > 3 => format!("{} arrays, {first} to {last}", ids.len()),
            _ => format!("arrays {}", ids.join(", ")),
        };
        let unsent: usize = self.waiting.iter().map(Vec::len).sum();
        let sent = self.open.len().saturating_sub(unsent);
        let mut detail = format!("{arrays}: {} in tasks", counted(sent, "run"));
        if unsent > 0 {
            detail += &format!(", {unsent} not sent yet");
        }
        EngineState { text, detail, running: running.len() * self.at_a_time }
    }

    /// Says once what does not work.
    pub(super) fn complain(&mut self, reason: &str) -> Result<(), Halt> {
        if self.trouble.as_deref() != Some(reason) {
            self.messages.notice(format!("Slurm does not answer as expected, trying again: {reason}"))?;
            self.trouble = Some(reason.to_owned());
        }
        Ok(())
    }
}

/// A number of things.
fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// The last line of a file that is not empty, if there is one.
fn last_line(path: &Path) -> Option<String> {
    /// Enough for a line.
    const TAIL: u64 = 2000;
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = judge_core::regular::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}
