//! Orders the runs, has an engine execute them, and puts each on disk before it is announced.
//!
//! A [`Runner`] hands pending runs to an [`Engine`] and takes finished ones back. The engine of one machine is [`Local`]. The
//! engine of a cluster is in `judge-slurm`; its nodes use a runner with a local engine. A [`Recorder`] puts finished runs on
//! disk: in the journal, or, on a node, in separate files.
//!
//! An engine pulls: it takes the next run from the [`Queue`] when it has capacity. So runs can be added, brought forward and
//! cancelled while others are executed. [`Engine`] can be implemented in other crates, which can also use a [`Worker`].

mod data;
mod local;
mod messages;
mod queue;
pub(crate) mod recorder;
mod stopped;
mod worker;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, OnceLock};

use judge_core::external::write_frames;
use judge_core::journal::{Built, ContestState, Record};
use judge_core::key::{Name, RunKey, problem_id};
use judge_core::matches::Played;
use judge_core::plan::{Board, Entry};
use judge_core::referee::{Referee, RefereeError, Ruling};
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_job::{Executor, Interrupted, Isolation, StopRequest};
use tempfile::TempDir;

use crate::Contest;
use crate::guard::{catch_panic, panic_message};
use crate::journal::Journal;

pub use data::EngineData;
pub use local::Local;
use messages::Message;
pub use messages::{Messages, RecorderClosed};
pub use queue::{Cancelled, Queue, TakenRun};
pub use recorder::{FinishedRun, JournalRecorder, OutputSync, Recorder};
pub use stopped::Stopped;
pub use worker::Worker;

/// The most messages that wait for the recorder. A faster engine has to wait, so that memory use is bounded.
const MAX_WAITING: usize = 1024;

/// A run to be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingRun {
    /// Its index among the runs of its [`Runner`].
    pub index: usize,
    /// The number of the attempt, from 1; the next free number if its files exist already.
    pub attempt: u32,
}

/// Progress of a contest, in the order in which it became final.
pub enum Event<'a> {
    /// An engine started this run.
    Started(&'a RunKey),
    /// A run is finished and on disk.
    Finished(&'a Record),
    /// A run that an engine had taken is cancelled. It is not recorded.
    Cancelled(&'a RunKey),
    /// A message of the engine for the organiser.
    Notice(EngineData),
    /// The state of an engine whose runs are executed elsewhere.
    State(EngineState),
}

/// The state of an engine whose runs are executed elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct EngineState {
    /// The number of runs that are executed at the same time; 0 if nothing runs.
    pub running: usize,
    /// Figures of the engine, such as its tasks and nodes.
    pub figures: EngineData,
}

/// A way to execute runs: on this machine, or on a cluster.
pub trait Engine: Sync {
    /// Takes runs, executes them, and sends their events, until no run is left or a stop is requested. Each run must be sent as
    /// started before it is sent as finished. A panic stops the contest with [`Stopped::Panic`].
    ///
    /// # Errors
    /// [`Stopped`] if the engine cannot execute the remaining runs, or a stop was requested.
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped>;

    /// The isolation in the record of a run that no machine executed.
    fn isolation(&self) -> Arc<Isolation>;
}

impl<E: Engine + ?Sized> Engine for &E {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        (**self).execute(request)
    }

    fn isolation(&self) -> Arc<Isolation> {
        (**self).isolation()
    }
}

/// The runs that an engine is to execute, and everything that it needs for them.
pub struct Request<'a> {
    /// The runner, which creates jobs for runs and verdicts from outcomes.
    runner: &'a Runner<'a>,
    queue: &'a Queue,
    interrupt: &'a dyn StopRequest,
    messages: Messages,
    /// The isolation in the record of a run that no machine executed.
    isolation: Arc<Isolation>,
    /// The boards that entries read on standard input.
    inputs: OnceLock<Option<TempDir>>,
    /// The only boards of its runs; `None` if more runs may be added, or if entries do not read boards on standard
    /// input.
    boards: Option<HashSet<&'a str>>,
}

impl<'a> Request<'a> {
    /// Takes the next run. Waits for one while more may be added; `None` if no run is left or a stop is requested. Runs of
    /// entries that could not be built are finished without execution.
    pub fn next(&self) -> Option<TakenRun> {
        loop {
            let turn = self.queue.take(self.interrupt)?;
            match self.unbuilt(turn.run()) {
                None => return Some(turn),
                // The receiver is closed only when the contest has stopped.
                Some(finished) => self.messages.send_finished(vec![finished]).ok()?,
            }
        }
    }

    /// Takes all waiting runs, for an engine that sends many at a time.
    pub fn take_all(&self) -> Vec<TakenRun> {
        let (mut turns, mut settled) = (self.queue.take_all(), Vec::new());
        turns.retain(|turn| {
            let finished = self.unbuilt(turn.run());
            let is_built = finished.is_none();
            settled.extend(finished);
            is_built
        });
        // The next message of the engine fails if the recorder is closed.
        self.messages.send_finished(settled).ok();
        turns
    }

    /// The number of runs that are still to be taken; `None` while more may be added.
    pub fn left(&self) -> Option<usize> {
        self.queue.left()
    }

    /// The contest with all its runs, for an engine that keeps runs by their index.
    pub fn runner(&self) -> &'a Runner<'a> {
        self.runner
    }

    /// The key of a run.
    ///
    /// # Panics
    /// If it is not a run of the request's contest.
    pub fn key(&self, run: PendingRun) -> &'a RunKey {
        self.runner.key(run.index)
    }

    /// The logical processors of each of the runs that may be executed at a time on this machine; empty for an unpinned
    /// run.
    pub fn slots(&self) -> &'a [Vec<usize>] {
        self.runner.slots
    }

    /// The user's request to stop.
    pub fn interrupt(&self) -> &'a dyn StopRequest {
        self.interrupt
    }

    /// The channel to the recorder.
    pub fn messages(&self) -> &Messages {
        &self.messages
    }

    /// A finished run that no machine executed, with a judge error for the given reason. It is repeated when the contest is
    /// resumed.
    pub fn failed(&self, run: PendingRun, reason: impl Into<String>) -> FinishedRun {
        let verdict = Verdict::JudgeError { reason: JudgeFailure::Judge(reason.into()) };
        FinishedRun::new(self.runner.without_run(&run, verdict, &self.isolation), None)
    }

    fn unbuilt(&self, run: PendingRun) -> Option<FinishedRun> {
        self.runner.unbuilt(run, &self.isolation)
    }

    /// The folder with the boards that entries read on standard input, by their names; `None` if none is needed. It is created
    /// in the executor's folder for temporary files.
    fn inputs(&self, executor: &dyn Executor) -> Result<Option<&Path>, Stopped> {
        if self.inputs.get().is_none() {
            let parent = executor.temporary_folder();
            let made = self.runner.inputs(self.boards.as_ref(), &parent);
            let made = made.map_err(|error| Stopped::Io { path: parent, error })?;
            // Another worker may have been faster; then this folder is dropped.
            self.inputs.set(made).ok();
        }
        Ok(self.inputs.get().and_then(Option::as_ref).map(TempDir::path))
    }
}

/// A contest about to be run.
pub struct Runner<'a> {
    contest: &'a Contest,
    order: &'a [RunKey],
    results: &'a Path,
    slots: &'a [Vec<usize>],
    unbuilt: BTreeMap<String, Built>,
    referees: BTreeMap<String, Name>,
    entries: HashMap<&'a str, &'a Entry>,
    boards: HashMap<&'a str, &'a Board>,
}

impl<'a> Runner<'a> {
    /// A contest with all its runs in order and its results directory. `slots` has the logical processors of each
    /// worker; they are empty for a worker whose runs are not pinned.
    pub fn new(contest: &'a Contest, order: &'a [RunKey], results: &'a Path, slots: &'a [Vec<usize>]) -> Self {
        let entries = contest.plan.entries_by_name();
        let boards = contest.plan.boards.iter().map(|board| (board.name.as_str(), board)).collect();
        Self { contest, order, results, slots, unbuilt: BTreeMap::new(), referees: BTreeMap::new(), entries, boards }
    }

    /// A runner for some runs of a contest, at a cost that does not depend on its other entries.
    pub(crate) fn of_some(
        contest: &'a Contest,
        contents: &'a ContestState,
        runs: &'a [RunKey],
        results: &'a Path,
        slots: &'a [Vec<usize>],
    ) -> Self {
        let entries = runs.iter().flat_map(RunKey::seats).filter_map(|name| contents.entry(name));
        let entries = entries.map(|entry| (entry.name.as_str(), &**entry)).collect();
        let on: HashSet<&str> = runs.iter().map(|run| &*run.board).collect();
        let boards = contest.plan.boards.iter().filter(|board| on.contains(board.name.as_str()));
        let boards = boards.map(|board| (board.name.as_str(), board)).collect();
        Self {
            contest,
            order: runs,
            results,
            slots,
            unbuilt: BTreeMap::new(),
            referees: BTreeMap::new(),
            entries,
            boards,
        }
    }

    /// Sets the hashes of the referees that are programs, by the identifiers of their problems. They are recorded with each
    /// ruling.
    #[must_use]
    pub fn ruled_by(mut self, referees: BTreeMap<String, Name>) -> Self {
        self.referees = referees;
        self
    }

    /// The hash of the referee of a board; `None` if it is built in.
    fn referee_of(&self, board: &str) -> Option<Name> {
        self.referees.get(problem_id(board)).cloned()
    }

    /// Sets the entries that could not be built. Their runs get that verdict and are not executed.
    #[must_use]
    pub fn without(mut self, unbuilt: BTreeMap<String, Built>) -> Self {
        self.unbuilt = unbuilt;
        self
    }

    /// The contest whose runs are executed.
    pub fn contest(&self) -> &'a Contest {
        self.contest
    }

    /// The run with that index in the order.
    ///
    /// # Panics
    /// If the order is shorter.
    pub fn key(&self, index: usize) -> &'a RunKey {
        &self.order[index]
    }

    /// The entry of a run of this contest.
    ///
    /// # Panics
    /// If the contest has no entry of that name.
    pub fn entry(&self, key: &RunKey) -> &'a Entry {
        self.entries[&*key.entry]
    }

    /// The finished run, if its entry, or an entry of the game, could not be built.
    fn unbuilt(&self, run: PendingRun, isolation: &Arc<Isolation>) -> Option<FinishedRun> {
        let key = self.key(run.index);
        let of_seat = |entry: &Name| self.unbuilt.get(&**entry).and_then(Built::verdict);
        let verdict = key.seats().find_map(of_seat)?;
        let mut record = self.without_run(&run, verdict, isolation);
        if key.against.is_some() {
            record.extras.played = Some(Played::unbuilt(key.seats().map(of_seat)).into());
        }
        Some(FinishedRun::new(record, None))
    }

    /// Tests whether entries read boards of any problem on standard input.
    fn reads_boards(&self) -> bool {
        self.contest.plan.problems.iter().any(|problem| problem.input.by_stdin())
    }

    /// A folder in `parent` with the boards that entries read on standard input, by their names: all boards, or only the given
    /// ones. `None` if no entry reads boards this way.
    fn inputs(&self, only: Option<&HashSet<&str>>, parent: &Path) -> io::Result<Option<TempDir>> {
        let plan = &self.contest.plan;
        if !self.reads_boards() {
            return Ok(None);
        }
        let folder = tempfile::tempdir_in(parent)?;
        for problem in plan.problems.iter().filter(|problem| !problem.id.is_empty()) {
            std::fs::create_dir(folder.path().join(&problem.id))?;
        }
        let is_needed = |board: &&Board| {
            board.stored.is_none()
                && plan.problem_of(&board.name).input.by_stdin()
                && only.is_none_or(|only| only.contains(board.name.as_str()))
        };
        for board in plan.boards.iter().filter(is_needed) {
            std::fs::write(folder.path().join(&board.name), &board.text)?;
        }
        Ok(Some(folder))
    }

    /// A record of a run that no machine executed.
    pub(crate) fn without_run(&self, run: &PendingRun, verdict: Verdict, isolation: &Arc<Isolation>) -> Record {
        let key = self.key(run.index);
        let limits = self.contest.plan.limits_in(key.round, self.entry(key), &key.board);
        let isolation = isolation.clone();
        Record::without_run(run.index + 1, key.clone(), run.attempt, verdict, limits.wall_ms, isolation)
    }

    /// Executes the missing runs on this machine, records them in the journal, and announces events.
    ///
    /// # Errors
    /// [`Stopped`] if the contest stops before its end. Finished runs are on disk.
    pub fn run(
        &self,
        missing: &[PendingRun],
        executor: &dyn Executor,
        interrupt: &dyn StopRequest,
        journal: &mut Journal,
        announce: impl FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        let mut recorder = JournalRecorder::new(self.results, journal);
        self.run_on(&Local::new(executor), missing, interrupt, &mut recorder, announce)
    }

    /// Has an engine execute these runs, records them, and announces events.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_on(
        &self,
        engine: &dyn Engine,
        missing: &[PendingRun],
        interrupt: &dyn StopRequest,
        recorder: &mut dyn Recorder,
        announce: impl FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        self.run_queue(engine, &Queue::fixed(missing.iter().copied()), interrupt, recorder, announce)
    }

    /// Has an engine execute the runs of a queue until it is closed and empty, records them, and announces events.
    ///
    /// # Errors
    /// As [`Self::run`].
    #[allow(clippy::missing_panics_doc, reason = "the engine's panics are caught")]
    pub fn run_queue(
        &self,
        engine: &dyn Engine,
        queue: &Queue,
        interrupt: &dyn StopRequest,
        recorder: &mut dyn Recorder,
        mut announce: impl FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        let isolation = engine.isolation();
        // Runs that cannot be executed are finished first, so that their authors do not wait for the others.
        let settled = queue.remove(|run| self.unbuilt(run, &isolation).is_some());
        let settled: Vec<_> = settled.into_iter().filter_map(|run| self.unbuilt(run, &isolation)).collect();
        if !settled.is_empty() {
            for record in recorder.record(settled)? {
                announce(Event::Started(&record.key));
                announce(Event::Finished(&record));
            }
        }
        let (sender, messages) = sync_channel(MAX_WAITING);
        let channel = Messages(sender);
        // A queue of one run, as in the office, writes only one board.
        let reads = self.reads_boards();
        let boards = queue.indices().filter(|_| reads);
        let boards = boards.map(|runs| runs.into_iter().map(|index| &*self.order[index].board).collect());
        let inputs = OnceLock::new();
        let request = Request { runner: self, queue, interrupt, messages: channel, isolation, inputs, boards };
        std::thread::scope(|scope| {
            // The engine's thread owns the only sender of the channel: recording ends when the engine returns.
            let engine = scope.spawn(move || panic_message(|| engine.execute(&request)));
            // The receiver is dropped when this call returns. Otherwise, an engine that waits to send would never end.
            self.record(messages, recorder, &mut announce).inspect_err(|_| interrupt.request())?;
            engine.join().expect("its panics are caught").unwrap_or_else(|message| Err(Stopped::Panic { message }))
        })?;
        if interrupt.requested() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    /// Records and announces the messages of an engine until it ends.
    fn record(
        &self,
        messages: Receiver<Message>,
        recorder: &mut dyn Recorder,
        announce: &mut impl FnMut(Event<'_>),
    ) -> Result<(), Stopped> {
        while let Ok(first) = messages.recv() {
            // All waiting runs go to disk with one sync. None is announced before.
            let (mut others, mut finished) = (Vec::new(), Vec::new());
            for message in std::iter::once(first).chain(messages.try_iter().take(MAX_WAITING)) {
                match message {
                    Message::Finished(run) => finished.push(*run),
                    Message::Made(runs) => {
                        for run in runs {
                            others.push((finished.len(), Message::Started(run.record.seq - 1)));
                            finished.push(run);
                        }
                    }
                    other => others.push((finished.len(), other)),
                }
            }
            let runs: Vec<usize> = finished.iter().map(|run: &FinishedRun| run.record.seq - 1).collect();
            let records = if finished.is_empty() { Vec::new() } else { recorder.record(finished)? };
            let (mut others, mut records) = (others.into_iter().peekable(), records.into_iter().peekable());
            for at in 0..=runs.len() {
                while let Some((_, message)) = others.next_if(|(before, _)| *before == at) {
                    match message {
                        Message::Started(index) => announce(Event::Started(&self.order[index])),
                        Message::Cancelled(index) => announce(Event::Cancelled(&self.order[index])),
                        Message::Notice(data) => announce(Event::Notice(data)),
                        Message::State(state) => announce(Event::State(state)),
                        Message::Finished(_) | Message::Made(_) => {}
                    }
                }
                let Some(key) = runs.get(at).map(|&index| &self.order[index]) else { continue };
                match records.next_if(|record| record.key == *key) {
                    Some(record) => announce(Event::Finished(&record)),
                    // The run does not count any more.
                    None => announce(Event::Cancelled(key)),
                }
            }
        }
        Ok(())
    }
}

/// Moves the positions that a referee left to a file.
pub(crate) fn kept(mut ruling: Ruling, frames: &Path) -> Ruling {
    let positions = std::mem::take(&mut ruling.frames);
    if !positions.is_empty()
        && let Err(error) = File::create_new(frames).and_then(|mut file| file.write_all(&write_frames(&positions)))
    {
        ruling.notes.push(format!("{}: {error}; the replay has no positions", frames.display()));
    }
    ruling
}

/// Has an answer refereed and moves the positions that the referee left to a file. A failure or panic of the referee is a judge
/// error.
pub(crate) fn refereed(
    referee: &dyn Referee,
    board: &Board,
    answer: &Path,
    frames: &Path,
) -> Result<Ruling, Interrupted> {
    let failed = |reason| Ruling::from(Verdict::JudgeError { reason });
    match catch_panic("the referee", || Ok(referee.rule(board, answer))) {
        Ok(Ok(ruling)) => Ok(kept(ruling, frames)),
        Ok(Err(RefereeError::Interrupted)) => Err(Interrupted),
        Ok(Err(RefereeError::Failed(failure))) => Ok(failed(failure)),
        Ok(Err(error)) => Ok(failed(JudgeFailure::Judge(error.to_string()))),
        Err(reason) => Ok(failed(JudgeFailure::Judge(reason))),
    }
}
