//! The coordinator of a contest on a cluster, with a pretended cluster and a clock of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use judge_contest::cluster::{
    Arrival, Batch, Cluster, ClusterEngine, Demand, FORMAT, Mode, Settings, Spool, Task, Trouble,
};
use judge_contest::journal::Journal;
use judge_contest::schedule::{Event, JournalRecorder, PendingRun, Runner, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::game::Score;
use judge_core::journal::{self, Contents, Hashes, Header, Record};
use judge_core::verdict::Verdict;
use judge_job::{Isolation, IsolationMode, Machine, StopFlag, Tier};

use crate::support::{Folder, board, contest, entry};

/// A run of a batch, with its place there and the number of the array.
type Made<'a> = dyn Fn(&Fake, u32, u32, &Batch) + Sync + 'a;

/// A cluster whose tasks are over as soon as they are sent.
struct Fake<'a> {
    spool: Spool,
    /// What the tasks of an array leave.
    make: Box<Made<'a>>,
    /// What is said to those who send an array; the id if there is nothing.
    answers: Mutex<Vec<Trouble>>,
    /// Names of the arrays that exist, by their ids.
    known: Mutex<BTreeMap<String, String>>,
    sent: Mutex<Vec<Demand>>,
    cancelled: Mutex<Vec<String>>,
    now: AtomicU64,
}

impl<'a> Fake<'a> {
    fn new(results: &Path, make: impl Fn(&Fake, u32, u32, &Batch) + Sync + 'a) -> Self {
        Self {
            spool: Spool::of(results),
            make: Box::new(make),
            answers: Mutex::default(),
            known: Mutex::default(),
            sent: Mutex::default(),
            cancelled: Mutex::default(),
            now: AtomicU64::new(1),
        }
    }

    /// Leaves the outcome of the run at that place of a batch, as a node would.
    fn leave(&self, (array, number): (u32, u32), batch: &Batch, place: usize, attempt: u32, node: &str) {
        let score = Score { progress: 25, of: 25, moves: u64::from(attempt), tie_break: 1, points: None };
        let isolation = isolation().into();
        let key = batch.runs[place].key.clone();
        let mut record = Record::without_run(place + 1, key, attempt, Verdict::Solved(score), 10_000, isolation);
        record.wall_us = Some(1000);
        let machine = Some(Machine { node: Some(node.into()), os: "linux".into(), ..Machine::default() });
        let arrival = Arrival { format: FORMAT, array, batch: number, machine, record };
        let name = format!("{array}-{number}-{place}.{attempt}.{node}.json");
        fs::write(self.spool.folder().join("new").join(name), serde_json::to_vec(&arrival).unwrap()).unwrap();
    }

    fn late(&self) -> usize {
        fs::read_dir(self.spool.folder().join("late")).unwrap().count()
    }

    fn arrays(&self) -> usize {
        self.sent.lock().unwrap().len()
    }
}

impl Cluster for Fake<'_> {
    fn submit(&self, demand: &Demand) -> Result<String, Trouble> {
        let id = (1000 + demand.array).to_string();
        let answer = self.answers.lock().unwrap().pop();
        if let Some(trouble @ Trouble::Lasting(_)) = answer {
            return Err(trouble);
        }
        self.known.lock().unwrap().insert(demand.name.clone(), id.clone());
        self.sent.lock().unwrap().push(demand.clone());
        for number in 1..=demand.tasks {
            let batch = self.spool.read_batch(demand.array, number).unwrap().unwrap();
            (self.make)(self, demand.array, number, &batch);
        }
        answer.map_or(Ok(id), Err)
    }

    fn find(&self, name: &str) -> Result<Option<String>, Trouble> {
        Ok(self.known.lock().unwrap().get(name).cloned())
    }

    fn tasks(&self, _: &[String]) -> Result<Vec<Task>, Trouble> {
        Ok(Vec::new())
    }

    fn end_of(&self, _: &str, _: u32) -> String {
        "NODE_FAIL".into()
    }

    fn cancel(&self, ids: &[String]) -> Result<(), Trouble> {
        self.cancelled.lock().unwrap().extend(ids.iter().cloned());
        Ok(())
    }

    fn largest_array(&self) -> u32 {
        1000
    }

    fn now_us(&self) -> u64 {
        self.now.load(Ordering::SeqCst)
    }

    fn wait(&self, time: Duration) {
        self.now.fetch_add(u64::try_from(time.as_micros()).unwrap(), Ordering::SeqCst);
    }
}

fn isolation() -> Isolation {
    Isolation { tier: Tier::Namespaces, layers: vec!["seccomp".into()] }
}

/// A contest of two entries on three boards that has begun.
fn begun(folder: &Folder) -> Contest {
    let files: Vec<String> = (1..=3).map(|number| board(&format!("near-end-{number}"))).collect();
    let boards: Vec<(&str, &str)> = ["A", "B", "C"].into_iter().zip(files.iter().map(String::as_str)).collect();
    folder.file("contest.toml", contest(&boards) + &entry("one", &["./one"]) + &entry("two", &["./two"]));
    let contest = Contest::load(folder.path(), &Overrides::default()).unwrap();
    let (path, plan, order) = (contest.path.clone(), contest.plan.clone(), contest.plan.turns());
    Journal::create(folder.path(), Header::new(path, Overrides::default(), plan, order, BTreeMap::new(), None), || {
        None
    })
    .unwrap();
    contest
}

/// Makes what is missing, and returns what is recorded with the notices.
fn run(
    contest: &Contest,
    folder: &Folder,
    fake: &Fake,
    mode: Mode,
    programs: &str,
) -> (Result<(), Stopped>, Contents, String) {
    let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
    let hashes = Hashes::from([("one".into(), programs.to_owned())]);
    let settings = Settings {
        sbatch: String::new(),
        path: None,
        programs: BTreeMap::from([("one".into(), hashes)]),
        isolation: IsolationMode::Auto,
        unreached: isolation(),
        groups: Vec::new(),
        least: Duration::from_secs(30),
        mode,
    };
    let engine = ClusterEngine::new(fake, contest, &contents, folder.path(), settings).unwrap();
    let runner = Runner::new(contest, &contents.order, folder.path(), &[]);
    let turn = |index: usize| PendingRun { index, attempt: contents.attempts[index] + 1 };
    let missing: Vec<PendingRun> = contents.missing().into_iter().map(turn).collect();
    let mut notices = String::new();
    let mut recorder = JournalRecorder::new(folder.path(), &mut journal);
    let made = runner.run_on(&engine, &missing, &StopFlag::default(), &mut recorder, |event| {
        if let Event::Notice(text) = event {
            notices += &(text + "\n");
        }
    });
    (made, journal::read(folder.path()).unwrap(), notices)
}

#[test]
fn the_first_outcome_of_a_run_counts_and_the_others_are_laid_aside() {
    let folder = Folder::new();
    let contest = begun(&folder);
    let fake = Fake::new(folder.path(), |fake, array, number, batch| {
        for place in 0..batch.runs.len() {
            fake.leave((array, number), batch, place, 2, "n2");
            fake.leave((array, number), batch, place, 1, "n1");
        }
        fs::write(fake.spool.folder().join("new/1-1-9.1.n1.json"), "{\"format\":1").unwrap();
    });
    let (made, contents, notices) = run(&contest, &folder, &fake, Mode::Stay, "a");
    made.unwrap();
    assert_eq!(contents.records.len(), 6);
    assert!(contents.records.iter().all(|run| run.attempt == 1 && run.verdict.score().unwrap().moves == 1));
    let nodes: Vec<Option<&str>> = contents.machines.iter().map(|machine| machine.node.as_deref()).collect();
    assert_eq!(nodes, [Some("n1")]);
    assert_eq!((fake.late(), fake.arrays()), (7, 1));
    assert!(notices.contains("cannot be read"), "{notices}");
    assert_eq!(fs::read_dir(fake.spool.folder().join("new")).unwrap().count(), 0);
    // A run that is recorded is not made again, and nothing is left to be sent.
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay, "a");
    made.unwrap();
    assert_eq!((contents.records.len(), fake.arrays()), (6, 1));
}

#[test]
fn a_batch_that_leaves_nothing_three_times_is_a_judge_error_and_one_that_leaves_something_goes_on() {
    let folder = Folder::new();
    let contest = begun(&folder);
    let nothing = Fake::new(folder.path(), |fake, array, number, _| {
        fs::create_dir_all(fake.spool.log(array, number).parent().unwrap()).unwrap();
        fs::write(fake.spool.log(array, number), "n1: no room\n\n").unwrap();
    });
    let (made, contents, notices) = run(&contest, &folder, &nothing, Mode::Stay, "a");
    made.unwrap();
    assert_eq!(nothing.arrays(), 3);
    assert_eq!(notices.matches("are sent again").count(), 4, "two batches, twice: {notices}");
    for record in &contents.records {
        let Verdict::JudgeError { reason } = &record.verdict else { panic!("{record:?}") };
        let expected = "Slurm: its batch failed 3 times, the last one, 1003_";
        assert!(reason.starts_with(expected) && reason.ends_with("with NODE_FAIL: n1: no room"), "{reason}");
    }
    // One outcome from each batch at a time: two at first, and then, as these runs are quick, all that are left in one batch.
    let one = Fake::new(folder.path(), |fake, array, number, batch| {
        fake.leave((array, number), batch, 0, batch.runs[0].attempt, "n1");
    });
    let (made, contents, _) = run(&contest, &folder, &one, Mode::Stay, "a");
    made.unwrap();
    assert!(contents.records.iter().all(|run| run.verdict.score().is_some() && run.attempt == 2));
    assert_eq!(one.arrays(), 5, "and no run is given up");
}

#[test]
fn trouble_that_passes_is_waited_for_and_nothing_is_sent_twice() {
    let folder = Folder::new();
    let contest = begun(&folder);
    let all = |fake: &Fake, array: u32, number: u32, batch: &Batch| {
        (0..batch.runs.len()).for_each(|place| fake.leave((array, number), batch, place, 1, "n1"));
    };
    let fake = Fake::new(folder.path(), all);
    *fake.answers.lock().unwrap() = vec![Trouble::Passing("timed out".into())];
    // The array was taken although the answer was lost; without its outcomes the judge asks for it by its name.
    let (made, contents, notices) = run(&contest, &folder, &fake, Mode::Stay, "a");
    made.unwrap();
    assert_eq!((contents.records.len(), fake.arrays()), (6, 1), "{notices}");
    assert!(notices.contains("trying again: timed out"), "{notices}");

    let folder = Folder::new();
    let contest = begun(&folder);
    let fake = Fake::new(folder.path(), all);
    *fake.answers.lock().unwrap() = vec![Trouble::Lasting("invalid partition".into())];
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay, "a");
    assert!(matches!(made, Err(Stopped::Engine(reason)) if reason == "invalid partition"));
    assert!(contents.records.is_empty());
    // Nothing of it stays in the way.
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay, "a");
    made.unwrap();
    assert_eq!(contents.records.len(), 6);
}

#[test]
fn what_came_while_no_judge_watched_counts_unless_the_program_has_changed() {
    let all = |fake: &Fake, array: u32, number: u32, batch: &Batch| {
        (0..batch.runs.len()).for_each(|place| fake.leave((array, number), batch, place, 1, "n1"));
    };
    for (program, arrays, late) in [("a", 1, 0), ("b", 2, 6)] {
        let folder = Folder::new();
        let contest = begun(&folder);
        let fake = Fake::new(folder.path(), all);
        let (made, contents, _) = run(&contest, &folder, &fake, Mode::Detach, "a");
        assert!(matches!(made, Err(Stopped::Detached)) && contents.records.is_empty());
        let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay, program);
        made.unwrap();
        assert_eq!((contents.records.len(), fake.arrays(), fake.late()), (6, arrays, late), "{program}");
        assert_eq!(fake.cancelled.lock().unwrap().len(), arrays - 1);
    }
    // Made elsewhere: what came counts, the rest is cancelled.
    let folder = Folder::new();
    let contest = begun(&folder);
    let fake = Fake::new(folder.path(), |fake, array, number, batch| fake.leave((array, number), batch, 0, 1, "n1"));
    run(&contest, &folder, &fake, Mode::Detach, "a").0.unwrap_err();
    let (made, contents, notices) = run(&contest, &folder, &fake, Mode::Collect, "a");
    made.unwrap();
    assert_eq!((contents.records.len(), fake.arrays()), (2, 1));
    assert!(notices.contains("cancelled: 1001"), "{notices}");
}
