//! A pretended cluster with its own clock, and contests on it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use judge_contest::journal::Journal;
use judge_contest::schedule::{Event, JournalRecorder, PendingRun, Runner, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::game::Score;
use judge_core::journal::{self, ContestState, Header, Record};
use judge_core::verdict::Verdict;
use judge_job::{Isolation, IsolationMode, Machine, StopFlag, Tier};
use judge_slurm::{
    ArrayRequest, Arrival, Batch, Cluster, ClusterEngine, ClusterError, FORMAT, Group, Mode, Notice, Settings, Spool,
    Task, TaskEnd,
};

use crate::support::*;

/// The behaviour of a task, called with the numbers of its array and batch.
type Made<'a> = dyn Fn(&Fake, u32, u32, &Batch) + Sync + 'a;

const WEEK_US: u64 = 7 * 24 * 3600 * 1_000_000;

/// A cluster whose tasks are over as soon as they are sent.
pub(crate) struct Fake<'a> {
    pub(crate) spool: Spool,
    /// The behaviour of the tasks of an array.
    make: Box<Made<'a>>,
    /// Errors for the next arrays that are sent; after them each gets its id.
    pub(crate) answers: Mutex<Vec<ClusterError>>,
    /// Names of the arrays that exist, by their ids.
    known: Mutex<BTreeMap<String, String>>,
    pub(crate) sent: Mutex<Vec<ArrayRequest>>,
    pub(crate) cancelled: Mutex<Vec<String>>,
    /// The most tasks of an array.
    pub(crate) largest: u32,
    /// The state that its tasks end in.
    pub(crate) end: &'static str,
    now: AtomicU64,
}

impl<'a> Fake<'a> {
    pub(crate) fn new(results: &Path, make: impl Fn(&Fake, u32, u32, &Batch) + Sync + 'a) -> Self {
        Self {
            spool: Spool::in_results(results),
            make: Box::new(make),
            answers: Mutex::default(),
            known: Mutex::default(),
            sent: Mutex::default(),
            cancelled: Mutex::default(),
            largest: 1000,
            end: "NODE_FAIL",
            now: AtomicU64::new(1),
        }
    }

    /// Leaves the outcome of the run at that position of a batch, as a node would.
    pub(crate) fn leave(&self, (array, number): (u32, u32), batch: &Batch, position: usize, attempt: u32, node: &str) {
        let score = Score { progress: 25, of: 25, moves: u64::from(attempt), tie_break: 1 };
        let isolation = isolation().into();
        let key = batch.runs[position].key.clone();
        let mut record = Record::without_run(
            position + 1,
            key,
            attempt,
            Verdict::from_replay(judge_core::games::GAMES[0], score, None),
            10_000,
            isolation,
        );
        record.wall_us = Some(1000);
        let machine = Some(Machine::default().with_os("linux").on_node(node));
        let arrival = Arrival { format: FORMAT, array, batch: number, machine, at_a_time: 1, record };
        let name = format!("{array}-{number}-{position}.{attempt}.{node}.json");
        fs::write(self.spool.folder().join("new").join(name), serde_json::to_vec(&arrival).unwrap()).unwrap();
    }

    pub(crate) fn late(&self) -> usize {
        fs::read_dir(self.spool.folder().join("late")).unwrap().count()
    }

    pub(crate) fn arrays(&self) -> usize {
        self.sent.lock().unwrap().len()
    }
}

impl Cluster for Fake<'_> {
    fn name(&self) -> &str {
        "Slurm"
    }

    fn submit(&self, demand: &ArrayRequest) -> Result<String, ClusterError> {
        let id = (1000 + demand.array).to_string();
        let answer = self.answers.lock().unwrap().pop();
        if let Some(error @ ClusterError::Permanent(_)) = answer {
            return Err(error);
        }
        self.known.lock().unwrap().insert(demand.name.clone(), id.clone());
        self.sent.lock().unwrap().push(demand.clone());
        for number in 1..=demand.tasks {
            let batch = self.spool.read_batch(demand.array, number).unwrap().unwrap();
            (self.make)(self, demand.array, number, &batch);
        }
        answer.map_or(Ok(id), Err)
    }

    fn find(&self, name: &str) -> Result<Option<String>, ClusterError> {
        Ok(self.known.lock().unwrap().get(name).cloned())
    }

    fn tasks(&self, _: &[String]) -> Result<Vec<Task>, ClusterError> {
        Ok(Vec::new())
    }

    fn end_of(&self, _: &str, _: u32) -> TaskEnd {
        TaskEnd { completed: self.end == "COMPLETED", text: self.end.into() }
    }

    fn cancel(&self, ids: &[String]) -> Result<(), ClusterError> {
        self.cancelled.lock().unwrap().extend(ids.iter().cloned());
        Ok(())
    }

    fn largest_array(&self) -> u32 {
        self.largest
    }

    fn now_us(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    fn wait(&self, time: Duration) {
        let now = self.now.fetch_add(u64::try_from(time.as_micros()).unwrap(), Ordering::SeqCst);
        assert!(now < WEEK_US, "the coordinator waits in vain");
    }
}

pub(crate) fn isolation() -> Isolation {
    Isolation { tier: Tier::Namespaces, layers: vec!["seccomp".into()] }
}

/// Leaves the outcomes of all runs of a batch.
pub(crate) fn all(fake: &Fake, array: u32, number: u32, batch: &Batch) {
    (0..batch.runs.len())
        .for_each(|position| fake.leave((array, number), batch, position, batch.runs[position].attempt, "n1"));
}

/// A contest of two entries on this many boards that has begun.
pub(crate) fn begun(folder: &Folder, boards: usize) -> Contest {
    write(folder, boards, "");
    begin(folder)
}

/// Begins the contest of a folder.
pub(crate) fn begin(folder: &Folder) -> Contest {
    let contest = Contest::load(folder.path(), &Overrides::default()).unwrap();
    let (path, plan, order) = (contest.path.clone(), contest.plan.clone(), contest.plan.start_order());
    let header = Header::new(path, Overrides::default(), plan, order, BTreeMap::new(), None);
    Journal::create(folder.path(), header, || None).unwrap();
    contest
}

/// Writes a contest of two entries on this many boards, with more lines at the end.
pub(crate) fn write(folder: &Folder, boards: usize, more: &str) {
    let files: Vec<String> = (0..boards).map(|number| board(&format!("near-end-{}", number % 6 + 1))).collect();
    let names: Vec<String> = (0..boards).map(|number| format!("B{number}")).collect();
    let boards: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(files.iter().map(String::as_str)).collect();
    let entries = entry("one", &["./one"]) + &entry("two", &["./two"]);
    folder.file("contest.toml", contest(&boards) + &entries + more);
}

/// Settings of a coordinator without groups of nodes.
pub(crate) fn settings(mode: Mode) -> Settings {
    Settings {
        sbatch: String::new(),
        path: None,
        programs: BTreeMap::new(),
        isolation: IsolationMode::Auto,
        unreached: isolation(),
        groups: Vec::new(),
        least: Duration::from_secs(30),
        mode,
    }
}

/// A group of nodes with one core each.
pub(crate) fn group(nodes: &[&str]) -> Group {
    let names = nodes.iter().map(|&node| node.to_owned()).collect();
    Group { name: nodes.join(","), nodes: names, cores: nodes.len() }
}

/// The result of a contest: how it ended, the journal, and the notices.
pub(crate) type Came = (Result<(), Stopped>, ContestState, Vec<Notice>);

/// Executes the missing runs of a contest on this cluster.
pub(crate) fn run(contest: &Contest, folder: &Folder, fake: &Fake, mode: Mode) -> Came {
    run_with(contest, folder, fake, settings(mode), &[&|contents| contents.missing()])
}

/// Selects runs of a contest by their indices.
type Select<'a> = dyn Fn(&ContestState) -> Vec<usize> + 'a;

/// Executes the runs that each of these selects, one after the other, with one engine.
pub(crate) fn run_with(
    contest: &Contest,
    folder: &Folder,
    fake: &Fake,
    settings: Settings,
    passes: &[&Select],
) -> Came {
    let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
    let engine = ClusterEngine::new(fake, contest, &contents, folder.path(), settings).unwrap();
    let runner = Runner::new(contest, contents.order(), folder.path(), &[]);
    let (mut made, mut notices) = (Ok(()), Vec::new());
    for select in passes {
        let now = journal::read(folder.path()).unwrap();
        let turn = |index: usize| PendingRun { index, attempt: now.attempts()[index] + 1 };
        let turns: Vec<PendingRun> = select(&now).into_iter().map(turn).collect();
        let mut recorder = JournalRecorder::new(folder.path(), &mut journal);
        made = runner.run_on(&engine, &turns, &StopFlag::default(), &mut recorder, |event| {
            if let Event::Notice(data) = event {
                notices.push(data.get::<Notice>().unwrap().clone());
            }
        });
    }
    (made, journal::read(folder.path()).unwrap(), notices)
}
