//! The coordinator of a contest on a pretended cluster.

use judge_contest::journal::Journal;
use judge_contest::schedule::{
    Cancelled, Event, FinishedRun, JournalRecorder, PendingRun, Queue, Recorder, Runner, Stopped,
};
use judge_core::journal::Record;
use judge_core::points::Points;
use judge_core::verdict::Verdict;
use judge_job::StopFlag;
use judge_slurm::{ArrayRequest, ClusterEngine, ClusterError, Mode, Notice, Settings};

use crate::pretended::{Fake, all, begin, begun, group, run, run_with, settings, write};
use crate::support::*;

#[test]
fn only_the_first_outcome_of_a_run_counts() {
    let folder = Folder::new();
    let contest = begun(&folder, 3);
    let fake = Fake::new(folder.path(), |fake, array, number, batch| {
        for position in 0..batch.runs.len() {
            fake.leave((array, number), batch, position, 2, "n2");
            fake.leave((array, number), batch, position, 1, "n1");
        }
        fs::write(fake.spool.folder().join("new/1-1-9.1.n1.json"), "{\"format\":1").unwrap();
    });
    let (made, contents, notices) = run(&contest, &folder, &fake, Mode::Stay);
    made.unwrap();
    assert_eq!(contents.records.len(), 6);
    assert!(
        contents
            .records
            .iter()
            .all(|run| run.attempt == 1 && run.verdict.given().unwrap().figures.get("moves") == Some(Points::whole(1)))
    );
    let nodes: Vec<Option<&str>> = contents.machines.iter().map(|machine| machine.node.as_deref()).collect();
    assert_eq!(nodes, [Some("n1")]);
    assert_eq!((fake.late(), fake.arrays()), (7, 1));
    assert!(notices.iter().any(|notice| matches!(notice, Notice::Unreadable { .. })), "{notices:?}");
    assert_eq!(fs::read_dir(fake.spool.folder().join("new")).unwrap().count(), 0);
    // A recorded run is not executed again, and nothing is left to send.
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay);
    made.unwrap();
    assert_eq!((contents.records.len(), fake.arrays()), (6, 1));
}

#[test]
fn a_batch_without_an_outcome_three_times_is_a_judge_error() {
    let folder = Folder::new();
    let contest = begun(&folder, 3);
    let mut nothing = Fake::new(folder.path(), |fake, array, number, _| {
        fs::create_dir_all(fake.spool.log(array, number).parent().unwrap()).unwrap();
        fs::write(fake.spool.log(array, number), "n1: no room\n\n").unwrap();
    });
    nothing.end = "TIMEOUT (TimeLimit)";
    let (made, contents, notices) = run(&contest, &folder, &nothing, Mode::Stay);
    made.unwrap();
    assert_eq!(nothing.arrays(), 3);
    let sent_again = notices.iter().filter(|notice| matches!(notice, Notice::SentAgain { .. }));
    assert_eq!(sent_again.count(), 4, "two batches, twice: {notices:?}");
    for record in &contents.records {
        let Verdict::JudgeError { reason } = &record.verdict else { panic!("{record:?}") };
        let reason = reason.to_string();
        let expected = "Slurm: its batch failed 3 times, the last one, 1003_";
        assert!(reason.starts_with(expected) && reason.ends_with("with TIMEOUT (TimeLimit): n1: no room"), "{reason}");
    }
    // Each batch leaves one outcome. The first array has two batches. Then all remaining runs are in one batch, as they
    // are quick.
    let one = Fake::new(folder.path(), |fake, array, number, batch| {
        fake.leave((array, number), batch, 0, batch.runs[0].attempt, "n1");
    });
    let (made, contents, _) = run(&contest, &folder, &one, Mode::Stay);
    made.unwrap();
    assert!(contents.records.iter().all(|run| run.verdict.given().is_some() && run.attempt == 2));
    assert_eq!(one.arrays(), 5, "and no run is given up");
}

#[test]
fn nothing_is_sent_twice_after_a_temporary_error() {
    let folder = Folder::new();
    let contest = begun(&folder, 3);
    let fake = Fake::new(folder.path(), all);
    *fake.answers.lock().unwrap() = vec![ClusterError::Temporary("timed out".into())];
    // The cluster accepted the array although its answer was lost. The coordinator finds the array by its name.
    let (made, contents, notices) = run(&contest, &folder, &fake, Mode::Stay);
    made.unwrap();
    assert_eq!((contents.records.len(), fake.arrays()), (6, 1), "{notices:?}");
    let expected = Notice::NoAnswer { cluster: "Slurm".into(), reason: "timed out".into() };
    assert!(notices.contains(&expected), "{notices:?}");

    let folder = Folder::new();
    let contest = begun(&folder, 3);
    let fake = Fake::new(folder.path(), all);
    *fake.answers.lock().unwrap() = vec![ClusterError::Permanent("invalid partition".into())];
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay);
    assert!(matches!(made, Err(Stopped::Engine(reason)) if reason.to_string() == "invalid partition"));
    assert!(contents.records.is_empty());
    // Nothing left over blocks the next attempt.
    let (made, contents, _) = run(&contest, &folder, &fake, Mode::Stay);
    made.unwrap();
    assert_eq!(contents.records.len(), 6);
}

#[test]
fn arrays_follow_each_other_until_nothing_is_left() {
    let folder = Folder::new();
    let contest = begun(&folder, 40);
    // All outcomes of an array arrive before the cluster is queried about it.
    let mut fake = Fake::new(folder.path(), all);
    fake.largest = 20;
    let one_run_per_batch = Settings { least: Duration::from_nanos(1), ..settings(Mode::Stay) };
    let (made, contents, _) = run_with(&contest, &folder, &fake, one_run_per_batch, &[&|contents| contents.missing()]);
    made.unwrap();
    assert_eq!(contents.records.len(), 80);
    let tasks: Vec<u32> = fake.sent.lock().unwrap().iter().map(|demand| demand.tasks).collect();
    assert_eq!(tasks, [16, 20, 20, 20, 4], "twice as many as before, and no more than Slurm allows");
    let arrays = fs::read_to_string(folder.path().join("cluster/arrays.jsonl")).unwrap();
    assert_eq!(arrays.matches("\"over\"").count(), 5, "{arrays}");
}

/// Records like another recorder, and counts the runs of each call.
struct Counting<'a>(JournalRecorder<'a>, Vec<usize>);

impl Recorder for Counting<'_> {
    fn record(&mut self, finished: Vec<FinishedRun>) -> Result<Vec<Record>, Stopped> {
        self.1.push(finished.len());
        self.0.record(finished)
    }
}

#[test]
fn outcomes_that_arrive_together_are_recorded_together() {
    let folder = Folder::new();
    let contest = begun(&folder, 40);
    // All runs are in one batch, and its outcomes are there when the array is sent.
    let fake = Fake::new(folder.path(), all);
    let one_batch = Settings { least: Duration::from_secs(100_000), ..settings(Mode::Stay) };
    let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
    let engine = ClusterEngine::new(&fake, &contest, &contents, folder.path(), one_batch).unwrap();
    let runner = Runner::new(&contest, contents.order(), folder.path(), &[]);
    let turns: Vec<PendingRun> = (0..80).map(|index| PendingRun { index, attempt: 1 }).collect();
    let mut recorder = Counting(JournalRecorder::new(folder.path(), &mut journal), Vec::new());
    let mut announced = Vec::new();
    let announce = |event: Event<'_>| match event {
        Event::Started(key) => announced.push((key.clone(), false)),
        Event::Finished(record) => announced.push((record.key.clone(), true)),
        _ => {}
    };
    runner.run_on(&engine, &turns, &StopFlag::default(), &mut recorder, announce).unwrap();
    assert_eq!((recorder.1, fake.arrays()), (vec![80], 1), "the journal is synced once");
    assert_eq!(announced.len(), 160);
    for pair in announced.chunks(2) {
        let [(started, false), (finished, true)] = pair else { panic!("{pair:?}") };
        assert_eq!(started, finished);
    }
}

#[test]
fn the_queue_changes_while_runs_are_in_tasks() {
    let folder = Folder::new();
    let contest = begun(&folder, 2);
    let queue = Queue::new();
    let runs = |indices: std::ops::Range<usize>| indices.map(|index| PendingRun { index, attempt: 1 });
    queue.add(runs(0..2));
    let fake = Fake::new(folder.path(), |fake, array, number, batch| {
        if array == 1 {
            // The first run is executed, the second one is cancelled in its task.
            fake.leave((array, number), batch, 0, 1, "n1");
            assert_eq!(queue.cancel(1), Cancelled::Taken);
            queue.add(runs(2..4));
            queue.close();
        } else {
            all(fake, array, number, batch);
        }
    });
    let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
    let engine = ClusterEngine::new(&fake, &contest, &contents, folder.path(), settings(Mode::Stay)).unwrap();
    let runner = Runner::new(&contest, contents.order(), folder.path(), &[]);
    let mut recorder = JournalRecorder::new(folder.path(), &mut journal);
    let mut cancelled = Vec::new();
    let announce = |event: Event<'_>| {
        if let Event::Cancelled(key) = event {
            cancelled.push(key.clone());
        }
    };
    runner.run_queue(&engine, &queue, &StopFlag::default(), &mut recorder, announce).unwrap();
    assert_eq!(cancelled, [contents.order()[1].clone()]);
    assert_eq!(*fake.cancelled.lock().unwrap(), ["1001_1"], "nothing of its task is wanted any more");
    let records = judge_core::journal::read(folder.path()).unwrap().records;
    assert_eq!(records.iter().map(|record| record.seq).collect::<Vec<_>>(), [1, 3, 4]);
}

#[test]
fn arrays_are_packed_by_the_times_of_the_runs_before() {
    let folder = Folder::new();
    let contest = begun(&folder, 40);
    let fake = Fake::new(folder.path(), all);
    let one_limit_per_batch = Settings { least: Duration::from_secs(12), ..settings(Mode::Stay) };
    let missing = |contents: &judge_core::journal::ContestState| contents.missing();
    run_with(&contest, &folder, &fake, one_limit_per_batch, &[&missing]).0.unwrap();
    let tasks: Vec<u32> = fake.sent.lock().unwrap().iter().map(|demand| demand.tasks).collect();
    assert_eq!(tasks, [16, 1], "a run per task by the limits, then all that are left: they are quick");
}

#[test]
fn a_task_asks_for_what_its_runs_may_use() {
    let folder = Folder::new();
    write(&folder, 3, "limits = { memory = \"1GiB\" }\n");
    let text = folder.read("contest.toml");
    folder.file(
        "contest.toml",
        text.replacen("limit = \"10s\"\n", "limit = \"10s\"\nmemory = \"64MiB\"\ncores = 2\n", 1),
    );
    let contest = begin(&folder);
    let fake = Fake::new(folder.path(), all);
    let groups = vec![group(&["n1"]), group(&["n2"])];
    let grouped = Settings { groups, ..settings(Mode::Stay) };
    run_with(&contest, &folder, &fake, grouped, &[&|contents| contents.missing()]).0.unwrap();
    let sent = fake.sent.lock().unwrap();
    let [ArrayRequest { tasks, cores, memory_bytes, time, exclude, .. }, other] = &sent[..] else { panic!("{sent:?}") };
    // Two boards went to the first kind of node. A batch has half a minute of limits: three runs, and one more batch.
    assert_eq!(
        (*tasks, *cores, &exclude[..], &other.exclude[..]),
        (2, 2, &["n2".to_owned()][..], &["n1".to_owned()][..])
    );
    // A gibibyte for the run and a quarter of one for the task.
    assert_eq!(*memory_bytes, Some(1280 << 20));
    let limits = contest.plan.problems[0].limits;
    let runs = (limits.wall() + limits.grace() + Duration::from_secs(2)) * 3;
    assert_eq!(*time, runs.mul_f64(1.1) + Duration::from_secs(120));
}

#[test]
fn a_board_stays_on_one_kind_of_node() {
    let folder = Folder::new();
    let contest = begun(&folder, 2);
    let kinds = || Settings { groups: vec![group(&["n1"]), group(&["n2"])], ..settings(Mode::Stay) };
    let fake = Fake::new(folder.path(), |fake, array, number, batch| {
        let node = if batch.runs[0].key.board.ends_with('0') { "n1" } else { "n2" };
        (0..batch.runs.len()).for_each(|position| {
            fake.leave((array, number), batch, position, batch.runs[position].attempt, node);
        });
    });
    // In a second pass one run of the second board is repeated, such as a suspect one.
    let last = |contents: &judge_core::journal::ContestState| {
        let of_second = |index: &usize| &*contents.order()[*index].board == "B1";
        (0..contents.order().len()).find(of_second).into_iter().collect()
    };
    run_with(&contest, &folder, &fake, kinds(), &[&|contents| contents.missing(), &last]).0.unwrap();
    let exclude =
        |fake: &Fake| fake.sent.lock().unwrap().iter().map(|demand| demand.exclude.join(",")).collect::<Vec<_>>();
    assert_eq!(exclude(&fake), ["n2", "n1", "n1"]);
    run_with(&contest, &folder, &fake, kinds(), &[&last]).0.unwrap();
    assert_eq!(exclude(&fake).last().unwrap(), "n1", "and after a restart");

    // The second board has no outcome when the judge is killed, but an array under way.
    let folder = Folder::new();
    let contest = begun(&folder, 2);
    let fake = Fake::new(folder.path(), |_, _, _, _| {});
    let detach = Settings { mode: Mode::Detach, ..kinds() };
    run_with(&contest, &folder, &fake, detach, &[&|contents| contents.missing()]).0.unwrap_err();
    assert_eq!(exclude(&fake), ["n2", "n1"]);
    let fake = Fake::new(folder.path(), all);
    // Only the second board is missing now; its batch fails and is sent again.
    run_with(&contest, &folder, &fake, kinds(), &[&last]).0.unwrap();
    assert_eq!(exclude(&fake).into_iter().collect::<BTreeSet<_>>(), BTreeSet::from(["n1".to_owned()]));
}
