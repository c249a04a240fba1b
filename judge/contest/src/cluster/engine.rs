//! The coordinator's part: batches out, outcomes in.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_core::journal::{Contents, Hashes, Name, RunKey};
use judge_core::verdict::Verdict;
use judge_job::{Isolation, IsolationMode, StopRequest};
use sha2::{Digest as _, Sha256};

use super::log::{Log, LogLine, OpenArray};
use super::pack::{Packing, distribute, pack};
use super::{Arrival, Batch, BatchRun, Cluster, Commission, Demand, FORMAT, Group, Spool, Task, Trouble};
use crate::Contest;
use crate::schedule::{
    Engine, EngineState, FinishedRun, Gone, Messages, PendingRun, Runner, Stopped, recorder::Arrived,
};

/// The batches without an outcome in a row after which a run is a judge error.
const MOST_TRIES: u32 = 3;
/// Tasks of the first array of each group; each further array has up to twice as many as the one before.
const FIRST_TASKS: u32 = 16;
/// What a task needs besides the runs: itself, and files that are written.
const TASK_MEMORY: u64 = 256 << 20;
/// The time that a run takes besides that of its processes, at most and usually.
const RUN_MARGIN: Duration = Duration::from_secs(2);
const RUN_COST: Duration = Duration::from_millis(20);
/// The time that a task takes besides its runs.
const TASK_MARGIN: Duration = Duration::from_secs(120);
/// Time between two looks for outcomes, and between two questions to the cluster: at first, and at most.
const LOOK_US: [u64; 2] = [100_000, 2_000_000];
const ASK_US: [u64; 2] = [1_000_000, 15_000_000];
/// The time that outcomes may be under way after their task has ended, because file systems delay them: usually, and if
/// the task reported success.
const DELAY_US: [u64; 2] = [3_000_000, 30_000_000];

/// Settings of the coordinator.
pub struct Settings {
    /// Options of the site's engine, for the log.
    pub sbatch: String,
    /// The search path for programs.
    pub path: Option<String>,
    /// Hashes of the files that are executed for an entry, by entry.
    pub programs: BTreeMap<String, Hashes>,
    /// Isolation of entries.
    pub isolation: IsolationMode,
    /// The isolation that the record of a run has which reached no node.
    pub unreached: Isolation,
    /// Nodes of one kind each.
    pub groups: Vec<Group>,
    /// The least time of a batch.
    pub least: Duration,
    /// What the coordinator does besides.
    pub mode: Mode,
}

/// What a coordinator does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It stays until all runs are made.
    Stay,
    /// It takes in what came, sends what is missing, and leaves.
    Detach,
    /// It takes in what came and cancels the rest, which is made elsewhere.
    Collect,
}

/// Makes runs on the nodes of a cluster.
pub struct ClusterEngine<'a> {
    cluster: &'a dyn Cluster,
    spool: Spool,
    log: Mutex<Log>,
    commission: Commission,
    settings: Settings,
    isolation: Arc<Isolation>,
    /// Beginning of the names of its arrays.
    name: String,
    /// The groups of boards that have runs.
    placed: HashMap<Name, usize>,
    experience: Mutex<Experience>,
}

/// Microseconds and number of the finished runs of each entry.
type Experience = HashMap<Name, (u64, u64)>;

/// A run that is not taken yet.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    /// Its index in the order.
    pub(super) index: usize,
    /// The attempt.
    pub(super) attempt: u32,
    /// Batches in a row that left no outcome.
    pub(super) tries: u32,
    /// The longest time it can take.
    pub(super) longest: Duration,
    /// The time it is expected to take.
    pub(super) expected: Duration,
}

/// A batch that is in the cluster.
struct Assigned {
    tries: u32,
    /// Its runs that are not taken, by their indices.
    left: HashSet<usize>,
    /// True if it left an outcome.
    any: bool,
    /// When it was first missing from the tasks, and how it ended.
    gone: Option<(u64, Option<String>)>,
}

impl<'a> ClusterEngine<'a> {
    /// An engine for a results directory. Continues what the log of the directory says. The error is a fragment.
    pub fn new(
        cluster: &'a dyn Cluster,
        contest: &Contest,
        contents: &Contents,
        results: &Path,
        mut settings: Settings,
    ) -> Result<Self, String> {
        let spool = Spool::of(results);
        let failed = |error: std::io::Error| format!("{}: {error}", spool.folder().display());
        let mut log = Log::open(&spool).map_err(failed)?;
        if log.sbatch.as_ref() != Some(&settings.sbatch) {
            log.append(LogLine::Options { sbatch: settings.sbatch.clone() }).map_err(failed)?;
        }
        let whole: PathBuf = std::fs::canonicalize(results).map_err(failed)?;
        let digest = Sha256::digest(whole.to_string_lossy().as_bytes());
        let name: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let group_of: HashMap<&str, usize> = settings
            .groups
            .iter()
            .enumerate()
            .flat_map(|(number, group)| group.nodes.iter().map(move |node| (node.as_str(), number)))
            .collect();
        let mut placed = HashMap::new();
        let mut experience = Experience::new();
        for record in &contents.records {
            let machine = contents.machines.get(record.machine as usize);
            if let Some(group) = machine.and_then(|machine| group_of.get(machine.node.as_deref()?)) {
                placed.entry(record.key.board.clone()).or_insert(*group);
            }
            learn(&mut experience, &record.key.entry, record.wall_us);
        }
        let commission = Commission {
            format: FORMAT,
            judge: env!("CARGO_PKG_VERSION").into(),
            contest_file: contest.path.clone(),
            plan: contents.plan.clone(),
            isolation: settings.isolation,
            programs: std::mem::take(&mut settings.programs),
            path: settings.path.clone(),
        };
        let isolation = Arc::new(settings.unreached.clone());
        let (log, experience) = (Mutex::new(log), Mutex::new(experience));
        let name = format!("judge-{name}");
        Ok(Self { cluster, spool, log, commission, settings, isolation, name, placed, experience })
    }
}

/// Cancels the arrays of a results directory that are not over, so that their runs can be made elsewhere. Outcomes that they
/// left are taken in by the next engine of the directory. The error is a fragment.
pub(crate) fn cancel_all(cluster: &dyn Cluster, spool: &Spool, log: &mut Log) -> Result<Vec<String>, String> {
    let mut ids = Vec::new();
    for OpenArray { number, name, id } in log.arrays.clone() {
        let id = match id {
            Some(id) => Some(id),
            None => cluster.find(&name).map_err(|trouble| trouble.reason().to_owned())?,
        };
        ids.extend(id);
        for batch in spool.open_batches(number).unwrap_or_default() {
            spool.close_batch(number, batch);
        }
    }
    if !ids.is_empty() {
        cluster.cancel(&ids).map_err(|trouble| trouble.reason().to_owned())?;
    }
    for OpenArray { number, .. } in log.arrays.clone() {
        log.append(LogLine::Over { array: number }).map_err(|error| error.to_string())?;
    }
    Ok(ids)
}

fn learn(experience: &mut Experience, entry: &Name, wall_us: Option<u64>) {
    if let Some(wall) = wall_us {
        let (took, runs) = experience.entry(entry.clone()).or_default();
        (*took, *runs) = (took.saturating_add(wall), *runs + 1);
    }
}

impl Engine for ClusterEngine<'_> {
    fn make(
        &self,
        runner: &Runner<'_>,
        missing: &[PendingRun],
        interrupt: &dyn StopRequest,
        messages: &Messages,
    ) -> Result<(), Stopped> {
        let mut log = self.log.lock().expect("one contest at a time");
        let mut coordinator = Coordinator::new(self, runner, missing, messages, &mut log);
        match coordinator.work(interrupt) {
            Ok(()) => Ok(()),
            Err(Halt::Gone) => {
                // The journal cannot be written: what the nodes make would wait in vain.
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

/// The reason why the coordinator ends early.
enum Halt {
    Gone,
    Stopped(Stopped),
}

impl From<Gone> for Halt {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// The coordinator at work.
struct Coordinator<'a> {
    engine: &'a ClusterEngine<'a>,
    runner: &'a Runner<'a>,
    messages: &'a Messages,
    log: &'a mut Log,
    /// The runs that are not taken, by their keys: index, least attempt, and the batch they are in.
    open: HashMap<RunKey, Open>,
    /// The runs that are in no batch, by group, in their order.
    waiting: Vec<Vec<Pending>>,
    /// The group of each board.
    group_of: HashMap<Name, usize>,
    assigned: HashMap<(u32, u32), Assigned>,
    /// The open batches of each array.
    batches: HashMap<u32, usize>,
    /// Arrays that could not be sent yet.
    unsent: Vec<Demand>,
    /// The group of each array, and the tasks of the next array of each group.
    array_groups: HashMap<u32, usize>,
    next_tasks: Vec<u32>,
    /// Tasks of each group that wait for a node, when the cluster was asked last.
    queued: Vec<u32>,
    /// Outcomes that were sent to the recorder, by their file names.
    sent: HashSet<String>,
    /// Arrays whose outcomes count.
    valid: HashMap<u32, bool>,
    /// The last notice of trouble, so that it is not repeated.
    trouble: Option<String>,
    state: Option<EngineState>,
}

#[derive(Clone, Copy)]
struct Open {
    index: usize,
    attempt: u32,
    batch: Option<(u32, u32)>,
}

impl<'a> Coordinator<'a> {
    fn new(
        engine: &'a ClusterEngine<'a>,
        runner: &'a Runner<'a>,
        missing: &[PendingRun],
        messages: &'a Messages,
        log: &'a mut Log,
    ) -> Self {
        let open = missing
            .iter()
            .map(|&PendingRun { index, attempt }| (runner.key(index).clone(), Open { index, attempt, batch: None }));
        let groups = engine.settings.groups.len().max(1);
        let mut coordinator = Self {
            engine,
            runner,
            messages,
            log,
            open: open.collect(),
            waiting: vec![Vec::new(); groups],
            group_of: HashMap::new(),
            assigned: HashMap::new(),
            batches: HashMap::new(),
            unsent: Vec::new(),
            array_groups: HashMap::new(),
            next_tasks: vec![FIRST_TASKS; groups],
            queued: vec![0; groups],
            sent: HashSet::new(),
            valid: HashMap::new(),
            trouble: None,
            state: None,
        };
        coordinator.place(missing);
        coordinator
    }

    /// Finds a group for each board.
    fn place(&mut self, missing: &[PendingRun]) {
        let mut boards: Vec<Name> = Vec::new();
        let mut runs: HashMap<Name, usize> = HashMap::new();
        for turn in missing {
            let board = &self.runner.key(turn.index).board;
            let count = runs.entry(board.clone()).or_default();
            if *count == 0 {
                boards.push(board.clone());
            }
            *count += 1;
        }
        let cores: Vec<usize> = self.engine.settings.groups.iter().map(|group| group.cores).collect();
        let cores = if cores.is_empty() { vec![1] } else { cores };
        let work: Vec<usize> = boards.iter().map(|board| runs[board]).collect();
        let fixed: Vec<Option<usize>> = boards.iter().map(|board| self.engine.placed.get(board).copied()).collect();
        self.group_of = boards.into_iter().zip(distribute(&work, &fixed, &cores)).collect();
    }

    fn work(&mut self, interrupt: &dyn StopRequest) -> Result<(), Halt> {
        let cluster = self.engine.cluster;
        self.take_new()?;
        if self.engine.settings.mode == Mode::Collect {
            self.cancel();
            return Ok(());
        }
        self.continue_arrays()?;
        let (mut look, mut ask) = (LOOK_US[0], ASK_US[0]);
        let mut next_ask = cluster.now_us();
        while !self.open.is_empty() {
            if interrupt.requested() {
                self.cancel();
                return Ok(());
            }
            let now = cluster.now_us();
            if now >= next_ask {
                let changed = self.ask(now)? | self.send()?;
                if self.engine.settings.mode == Mode::Detach
                    && self.unsent.is_empty()
                    && self.waiting.iter().all(Vec::is_empty)
                {
                    return Err(Halt::Stopped(Stopped::Detached));
                }
                ask = if changed { ASK_US[0] } else { (ask * 3 / 2).min(ASK_US[1]) };
                next_ask = now + ask;
            }
            look = if self.take_new()? { LOOK_US[0] } else { (look * 3 / 2).min(LOOK_US[1]) };
            if !self.open.is_empty() {
                let until_ask = next_ask.saturating_sub(cluster.now_us());
                cluster.wait(Duration::from_micros(look.min(until_ask.max(LOOK_US[0]))));
            }
        }
        for OpenArray { number, .. } in self.log.arrays.clone() {
            self.end_array(number)?;
        }
        Ok(())
    }

    /// Takes the outcomes that have arrived. Returns whether there were any.
    fn take_new(&mut self) -> Result<bool, Halt> {
        let spool = &self.engine.spool;
        let names = spool.arrived().map_err(|error| self.io(spool.fresh(), error))?;
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
                    if self.take(&name, arrival)? {
                        still.insert(name);
                    }
                }
                Err(reason) => {
                    self.messages.notice(format!("an outcome that cannot be read does not count: {reason}"))?;
                    self.lay_aside(&name);
                }
            }
        }
        self.sent = still;
        Ok(any)
    }

    /// Takes an outcome. Returns whether it counts.
    fn take(&mut self, name: &str, arrival: Arrival) -> Result<bool, Halt> {
        let Arrival { array, batch, machine, mut record, .. } = arrival;
        let counts = self.is_valid(array);
        let open = self.open.get(&record.key).filter(|open| counts && record.attempt >= open.attempt).copied();
        let Some(Open { index, batch: assigned, .. }) = open else {
            self.lay_aside(name);
            return Ok(false);
        };
        self.open.remove(&record.key);
        record.seq = index + 1;
        learn(&mut self.engine.experience.lock().expect("one thread"), &record.key.entry, record.wall_us);
        let (spool, place) = (&self.engine.spool, (array, batch));
        let (file, taken) = (spool.fresh().join(name), spool.taken(array, batch).join(name));
        let arrived = Some(Arrived { file, taken, batch: spool.batch(array, batch) });
        self.messages.started(index)?;
        self.messages.finished(FinishedRun { machine, arrived, ..FinishedRun::of(record) })?;
        if let Some(assigned) = assigned {
            let found = self.assigned.get_mut(&assigned).expect("an assigned batch");
            found.any |= assigned == place;
            found.left.remove(&index);
            if found.left.is_empty() {
                self.end_batch(assigned)?;
            }
        } else {
            // It was made elsewhere while it waited for another batch.
            self.waiting.iter_mut().for_each(|waiting| waiting.retain(|run| run.index != index));
        }
        Ok(true)
    }

    /// Moves an outcome that does not count out of the way.
    fn lay_aside(&self, name: &str) {
        let spool = &self.engine.spool;
        std::fs::rename(spool.fresh().join(name), spool.late(name)).ok();
    }

    /// Tests whether the runs of an array are those of this contest as it is now.
    fn is_valid(&mut self, array: u32) -> bool {
        let engine = self.engine;
        *self.valid.entry(array).or_insert_with(|| {
            let same = |other: &Commission| {
                let own = &engine.commission;
                let plans = own.plan.difference(&other.plan).is_none() && own.isolation == other.isolation;
                let programs = |one: &Commission| one.programs.clone();
                plans && own.plan.entries == other.plan.entries && programs(own) == programs(other)
            };
            engine.spool.commission(array).is_ok_and(|(other, _)| same(&other))
        })
    }

    /// Takes over the arrays that the log has.
    fn continue_arrays(&mut self) -> Result<(), Halt> {
        let spool = self.engine.spool.clone();
        for OpenArray { number, name, id } in self.log.arrays.clone() {
            let id = match id {
                Some(id) => Some(id),
                None => {
                    let found = self.engine.cluster.find(&name);
                    let found = found.map_err(|trouble| Halt::Stopped(Stopped::Engine(trouble.reason().into())))?;
                    if let Some(id) = &found {
                        self.note(LogLine::Sent { array: number, id: id.clone() })?;
                    }
                    found
                }
            };
            let valid = self.is_valid(number);
            let batches = spool.open_batches(number).map_err(|error| self.io(spool.array(number), error))?;
            let id = id.filter(|_| valid || batches.is_empty());
            let mut continued = 0;
            for batch in batches {
                let found = spool.read_batch(number, batch);
                let runs = found.ok().flatten().filter(|_| id.is_some());
                let mut left = HashSet::new();
                for run in runs.iter().flat_map(|batch| &batch.runs) {
                    if let Some(open) = self.open.get_mut(&run.key).filter(|open| open.batch.is_none()) {
                        open.batch = Some((number, batch));
                        left.insert(open.index);
                    }
                }
                match runs.filter(|_| !left.is_empty()) {
                    Some(Batch { tries, .. }) => {
                        self.assigned.insert((number, batch), Assigned { tries, left, any: false, gone: None });
                        continued += 1;
                    }
                    None => spool.close_batch(number, batch),
                }
            }
            if continued == 0 {
                if let (false, Some(id)) =
                    (valid, self.log.arrays.iter().find(|open| open.number == number).and_then(|open| open.id.clone()))
                {
                    self.engine.cluster.cancel(&[id]).ok();
                }
                self.note(LogLine::Over { array: number })?;
            } else {
                self.batches.insert(number, continued);
                self.messages.notice(format!("continuing array {}", id.unwrap_or_default()))?;
            }
        }
        let waiting: Vec<Open> = self.open.values().filter(|open| open.batch.is_none()).copied().collect();
        self.put_back(waiting.into_iter().map(|open| (open.index, open.attempt)), 0);
        Ok(())
    }

    /// Puts runs among those that wait for a batch.
    fn put_back(&mut self, runs: impl Iterator<Item = (usize, u32)>, tries: u32) {
        let plan = &self.runner.contest().plan;
        let referee = plan.referee.as_deref().map_or(Duration::ZERO, |referee| {
            // Each of its calls may be tried once more.
            (referee.limits.wall() + referee.limits.grace()) * referee.repeat.saturating_mul(2)
        });
        let experience = self.engine.experience.lock().expect("one thread");
        for (index, attempt) in runs {
            let key = self.runner.key(index);
            let limits = plan.limits_in(key.round, self.runner.entry(key));
            let longest = limits.wall() + limits.grace() + referee + RUN_MARGIN;
            let took = experience.get(&key.entry).and_then(|(took, runs)| took.checked_div(*runs));
            let by_limits = limits.wall() + limits.grace();
            let expected = took.map_or(by_limits, |took| Duration::from_micros(took) + RUN_COST);
            let group = self.group_of.get(&key.board).copied().unwrap_or(0);
            self.waiting[group].push(Pending { index, attempt, tries, longest, expected });
        }
        self.waiting.iter_mut().for_each(|waiting| waiting.sort_by_key(|run| (run.tries, run.index)));
    }

    /// Asks for the tasks that are not over, and has the runs of those that failed made again. Returns whether anything
    /// has to be looked at soon.
    fn ask(&mut self, now: u64) -> Result<bool, Halt> {
        let ids: HashMap<String, u32> =
            self.log.arrays.iter().filter_map(|open| Some((open.id.clone()?, open.number))).collect();
        if ids.is_empty() {
            return Ok(false);
        }
        let arrays: Vec<String> = self.log.arrays.iter().filter_map(|open| open.id.clone()).collect();
        let tasks = match self.engine.cluster.tasks(&arrays) {
            Ok(tasks) => tasks,
            Err(trouble) => {
                self.complain(trouble.reason())?;
                return Ok(false);
            }
        };
        self.trouble = None;
        self.report(&tasks)?;
        self.queued.iter_mut().for_each(|queued| *queued = 0);
        let mut active = HashSet::new();
        let mut failed: Vec<((u32, u32), String)> = Vec::new();
        for task in &tasks {
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
    fn fail(&mut self, place: (u32, u32), end: &str) -> Result<(), Halt> {
        let Some(Assigned { tries, left, any, .. }) = self.assigned.remove(&place) else { return Ok(()) };
        let last = last_line(&self.engine.spool.log(place.0, place.1));
        let last = last.map_or(String::new(), |line| format!(": {line}"));
        let id = self.log.arrays.iter().find(|open| open.number == place.0).and_then(|open| open.id.clone());
        let name = format!("{}_{}", id.unwrap_or_default(), place.1);
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

    fn end_batch(&mut self, place: (u32, u32)) -> Result<(), Halt> {
        self.assigned.remove(&place);
        self.close(place)
    }

    fn close(&mut self, place: (u32, u32)) -> Result<(), Halt> {
        self.engine.spool.close_batch(place.0, place.1);
        let left = self.batches.entry(place.0).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 { self.end_array(place.0) } else { Ok(()) }
    }

    fn end_array(&mut self, array: u32) -> Result<(), Halt> {
        self.batches.remove(&array);
        self.note(LogLine::Over { array })
    }

    /// Sends waiting runs where the queue runs short of them. Returns whether something was sent.
    fn send(&mut self) -> Result<bool, Halt> {
        let mut sent = false;
        for demand in std::mem::take(&mut self.unsent) {
            // The question may have been answered with a delay.
            let found = self.engine.cluster.find(&demand.name).unwrap_or_default();
            sent |= self.submit(demand, found)?;
        }
        for group in 0..self.waiting.len() {
            while self.unsent.is_empty() && !self.waiting[group].is_empty() {
                let detach = self.engine.settings.mode == Mode::Detach;
                let largest = self.engine.cluster.largest_array().max(1);
                let most = if detach { largest } else { self.next_tasks[group].min(largest) };
                if !detach && self.queued[group] * 4 > most {
                    break;
                }
                let demand = self.plan_array(group, most)?;
                self.next_tasks[group] = self.next_tasks[group].saturating_mul(2);
                self.queued[group] += demand.tasks;
                sent |= self.submit(demand, None)?;
            }
        }
        Ok(sent)
    }

    /// Packs waiting runs of a group into an array.
    fn plan_array(&mut self, group: usize, most: u32) -> Result<Demand, Halt> {
        let settings = &self.engine.settings;
        let plan = &self.runner.contest().plan;
        let here = settings.groups.get(group);
        let keys = self.waiting[group].iter().map(|run| self.runner.key(run.index));
        let limits: Vec<_> = keys
            .map(|key| plan.limits_in(key.round, self.runner.entry(key)))
            .chain(plan.referee.iter().map(|referee| referee.limits))
            .collect();
        let cores = limits.iter().map(|limits| limits.cores).max().unwrap_or(1);
        let memory: Option<Vec<u64>> = limits.iter().map(|limits| limits.memory_bytes).collect();
        let memory_bytes = memory.and_then(|memory| memory.into_iter().max()).map(|bytes| bytes + TASK_MEMORY);
        let slots = here.map_or(1, |group| group.cores / cores.max(1)).max(1);
        let packing = Packing { least: settings.least, slots, most: most as usize };
        let packed = pack(&mut self.waiting[group], &packing);
        let longest = packed.iter().map(|(_, longest)| *longest).max().unwrap_or_default();
        let array = self.log.next;
        let hash = self.engine.commission.hash();
        let batches: Vec<Batch> = packed
            .iter()
            .map(|(runs, _)| Batch {
                format: FORMAT,
                commission: hash.clone(),
                tries: runs.first().map_or(0, |run| run.tries) + 1,
                runs: runs
                    .iter()
                    .map(|run| BatchRun { key: self.runner.key(run.index).clone(), attempt: run.attempt })
                    .collect(),
            })
            .collect();
        let spool = &self.engine.spool;
        let written = spool.write_array(array, &self.engine.commission, &batches);
        written.map_err(|error| self.io(spool.array(array), error))?;
        let name = format!("{}-{array}", self.engine.name);
        let tasks = u32::try_from(packed.len()).expect("fewer tasks than an array can have");
        self.note(LogLine::Planned { array, name: name.clone(), tasks })?;
        for ((runs, _), number) in packed.into_iter().zip(1..) {
            let place = (array, number);
            let tries = runs.first().map_or(0, |run| run.tries) + 1;
            for run in &runs {
                if let Some(open) = self.open.get_mut(self.runner.key(run.index)) {
                    open.batch = Some(place);
                }
            }
            let left = runs.iter().map(|run| run.index).collect();
            self.assigned.insert(place, Assigned { tries, left, any: false, gone: None });
        }
        self.batches.insert(array, tasks as usize);
        self.array_groups.insert(array, group);
        self.valid.insert(array, true);
        let others = settings.groups.iter().enumerate().filter(|(number, _)| *number != group);
        let exclude = others.flat_map(|(_, group)| group.nodes.clone()).collect();
        let time = longest.mul_f64(1.1) + TASK_MARGIN;
        Ok(Demand { name, array, tasks, cores, memory_bytes, time, exclude })
    }

    /// Sends an array that was planned, unless it has an id already.
    fn submit(&mut self, demand: Demand, id: Option<String>) -> Result<bool, Halt> {
        let array = demand.array;
        let sent = id.map_or_else(|| self.engine.cluster.submit(&demand), Ok);
        match sent {
            Ok(id) => {
                self.note(LogLine::Sent { array, id })?;
                Ok(true)
            }
            Err(Trouble::Passing(reason)) => {
                self.complain(&reason)?;
                self.unsent.push(demand);
                Ok(false)
            }
            Err(Trouble::Lasting(reason)) => {
                for batch in 1..=demand.tasks {
                    self.engine.spool.close_batch(array, batch);
                }
                self.note(LogLine::Over { array })?;
                self.cancel();
                Err(Halt::Stopped(Stopped::Engine(reason)))
            }
        }
    }

    /// Cancels all arrays. Their batches are over: a contest that is resumed sends the runs anew.
    fn cancel(&mut self) {
        match cancel_all(self.engine.cluster, &self.engine.spool, self.log) {
            Ok(ids) if ids.is_empty() => {}
            Ok(ids) => drop(self.messages.notice(format!("cancelled: {}", ids.join(", ")))),
            Err(reason) => drop(self.messages.notice(format!("arrays could not be cancelled: {reason}"))),
        }
    }

    /// Says what the cluster does, if that has changed.
    fn report(&mut self, tasks: &[Task]) -> Result<(), Halt> {
        let running = tasks.iter().filter(|task| task.running).count();
        let mut reasons: Vec<&str> = tasks.iter().filter(|task| !task.running).map(|task| &*task.reason).collect();
        let waiting = reasons.len();
        reasons.retain(|reason| !matches!(*reason, "" | "None"));
        reasons.sort_unstable();
        reasons.dedup();
        let reasons = if reasons.is_empty() { String::new() } else { format!(" ({})", reasons.join(", ")) };
        let text = format!("Slurm: {running} tasks running, {waiting} waiting{reasons}");
        let state = EngineState { text, running };
        if self.state.as_ref() != Some(&state) {
            self.messages.state(state.clone())?;
            self.state = Some(state);
        }
        Ok(())
    }

    /// Says once what does not work.
    fn complain(&mut self, reason: &str) -> Result<(), Halt> {
        if self.trouble.as_deref() != Some(reason) {
            self.messages.notice(format!("Slurm does not answer as expected, trying again: {reason}"))?;
            self.trouble = Some(reason.to_owned());
        }
        Ok(())
    }

    fn note(&mut self, line: LogLine) -> Result<(), Halt> {
        self.log.append(line).map_err(|error| self.io(self.engine.spool.folder().to_owned(), error))
    }

    fn io(&self, path: PathBuf, error: std::io::Error) -> Halt {
        Halt::Stopped(Stopped::Io { path, error })
    }
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
