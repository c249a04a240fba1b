//! Tests of contests on a fake executor: its jobs, the records of its outcomes, and the order of events.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

/// The rows of a table of cases, one a line.
#[macro_export]
macro_rules! rows {
    ($($row:expr),+ $(,)?) => {
        [$($row),+]
    };
}

mod answers;
mod building;
mod checks;
mod chosen;
mod contest_file;
mod decisions;
mod elsewhere;
mod faults;
mod garbage;
mod matches;
mod office_rules;
mod open_contest;
mod panics;
mod passes;
mod programs;
mod progress;
mod referee_calls;
mod referee_tools;
mod refused;
mod results;
mod sealed;
mod session;
mod updates;
mod verify;
mod worker;

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge_core::journal::{self, Built, FILE_NAME, Header, JournalError, Line, Record};
use judge_core::key::RunKey;
use judge_core::verdict::{JudgeFailure, Verdict};
use judge_job::{
    Argument, Capacity, Contention, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome,
    Stdin, StopFlag, StopRequest as _, Tier,
};
use tempfile::TempDir;

use crate::builds::{Builder, BuildsError, plan};
use crate::journal::Journal;
use crate::rejudge::{answered, rejudge};
use crate::schedule::{Event, PendingRun, Runner, Stopped};
use crate::{Contest, Overrides};

/// A function that returns the end of a job and its output.
type Behaviour<'a> = dyn Fn(&Job) -> Result<(End, String), Interrupted> + Sync + 'a;

struct FakeExecutor<'a>(&'a Behaviour<'a>);

fn isolation() -> Isolation {
    Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }
}

fn machine(name: &str) -> Machine {
    Machine::default().with_os(name)
}

impl Executor for FakeExecutor<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let (end, printed) = self.0(job)?;
        fs::write(&job.stdout, &printed).unwrap();
        fs::write(&job.stderr, "").unwrap();
        let mut outcome = Outcome::new(end, isolation(), machine("pretended"));
        outcome.wall_us = Some(7);
        outcome.contention = Some(Contention::default());
        outcome.stdout_bytes = printed.len() as u64;
        outcome.notes = vec!["a note".into()];
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        Capacity::new(vec![vec![3]; wanted.map_or(1, NonZeroUsize::get)])
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

const NEAR: &str = "ABCDE FGHIJ KL+MN PQRSO UVWXT";
const HEAD: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n";
/// The head of a contest with a referee program in the protocol `exit`.
const EXIT_HEAD: &str = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n\
                         [referee]\nprotocol = \"exit\"\ncommand = \"./referee\"\n";
const BOARDS: &str = "[[board]]\nname = \"X\"\nfile = \"x.txt\"\n[[board]]\nname = \"Y\"\nfile = \"y.txt\"\n";
const ENTRIES: &str =
    "[[entry]]\nname = \"a\"\ncommand = \"a/solve\"\n[[entry]]\nname = \"b\"\ncommand = \"b/solve\"\n";

struct Folder(TempDir);

impl Folder {
    fn new(contest: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in [("x.txt", NEAR), ("y.txt", NEAR), ("contest.toml", contest)] {
            folder.file(name, text);
        }
        for name in ["a/solve", "b/solve", "referee"] {
            folder.file(name, "#!/bin/sh\n");
        }
        fs::create_dir(folder.results()).unwrap();
        folder
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn results(&self) -> PathBuf {
        self.0.path().join("out")
    }

    fn contest(&self) -> Contest {
        Contest::load(self.0.path(), &Overrides::default()).unwrap()
    }

    fn journal(&self, contest: &Contest) -> Journal {
        Journal::create(&self.results(), header(contest), || None).unwrap()
    }

    fn records(&self) -> Vec<Record> {
        journal::read(&self.results()).unwrap().records.iter().cloned().collect()
    }

    fn output(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.results().join("output/1").join(name)).ok()
    }
}

fn header(contest: &Contest) -> Header {
    let (plan, order) = (contest.plan.clone(), contest.plan.start_order());
    Header::new("contest.toml".into(), Overrides::default(), plan, order, BTreeMap::new(), None)
}

fn all(runs: usize) -> Vec<PendingRun> {
    (0..runs).map(|index| PendingRun { index, attempt: 1 }).collect()
}

/// The words of a command line, with the names of its files.
fn words(job: &Job) -> String {
    let word = |word: &Argument| match word {
        Argument::Text(text) | Argument::File(text) | Argument::Folder(text) => text.clone(),
        Argument::Path(place) => place.path().display().to_string(),
    };
    job.argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn solves(job: &Job) -> bool {
    words(job).contains("a/solve")
}

fn names(records: &[Record]) -> Vec<String> {
    records
        .iter()
        .map(|record| format!("{} {} {}", record.key.entry, record.key.board, record.verdict.summary()))
        .collect()
}

#[test]
fn every_run_is_on_disk_before_it_is_announced() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let order = contest.plan.start_order();
    let jobs = Mutex::new(Vec::new());
    let act = |job: &Job| {
        jobs.lock().unwrap().push(job.clone());
        Ok(if solves(job) { (End::Exited { code: 0 }, "lluu\n".into()) } else { (End::Exited { code: 3 }, "x".into()) })
    };
    let (mut started, mut finished) = (Vec::new(), Vec::new());
    let slots = [vec![3]];
    let results = folder.results();
    let runner = Runner::new(&contest, &order, &results, &slots);
    let announce = |event: Event<'_>| match event {
        Event::Started(key) => started.push(key.clone()),
        Event::Finished(record) => {
            assert!(started.contains(&record.key), "it was announced as started before");
            let on_disk = folder.records().into_iter().find(|other| other.key == record.key).unwrap();
            assert_eq!((on_disk.verdict, on_disk.output), (record.verdict.clone(), record.output.clone()));
            finished.push(record.clone());
        }
        _ => panic!("nothing else happens"),
    };
    runner.run(&all(4), &FakeExecutor(&act), &StopFlag::default(), &mut journal, announce).unwrap();
    let failed = "crashed with exit code 3";
    let records = folder.records();
    let summaries = names(&records);
    assert_eq!(records.len(), 4);
    for board in ["X", "Y"] {
        assert!(summaries.iter().any(|name| name.starts_with(&format!("a {board} solved"))), "{summaries:?}");
        assert!(
            summaries.iter().any(|name| name.contains(&format!("b {board}")) && name.contains(failed)),
            "{summaries:?}"
        );
    }
    assert_eq!(finished.len(), 4);
    // The measured figures and the stored files.
    let a = records.iter().find(|record| &*record.key.entry == "a").unwrap();
    assert_eq!((a.wall_us, a.limit_ms, a.attempt, a.machine), (Some(7), 10_000, 1, 0));
    assert_eq!((a.stdout_bytes, a.stderr_bytes, &*a.extras.notes), (5, 0, &["a note".to_owned()][..]));
    assert!(a.final_board.as_deref().unwrap().starts_with("ABCDE"));
    assert_eq!(folder.output("a/X.1.out").as_deref(), Some("lluu\n"));
    assert_eq!(folder.output("b/Y.1.out").as_deref(), Some("x"));
    // The jobs that the executor got.
    let jobs = jobs.into_inner().unwrap();
    assert_eq!(jobs.len(), 4);
    for job in &jobs {
        assert_eq!((job.processors.clone(), job.limits.wall_ms, job.stdin.clone()), (vec![3], 10_000, Stdin::Nothing));
        assert_eq!(job.files.len(), 1, "the board alone");
        assert_eq!(job.files[0].contents.iter().filter(|byte| !byte.is_ascii_whitespace()).count(), 25);
        assert!(words(job).contains(&job.files[0].name), "its path is an argument");
        assert!(job.writable.is_empty());
    }
}

#[test]
fn what_a_stop_leaves_is_made_later() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let runner = Runner::new(&contest, &order, &results, &slots);
    let (stop, calls) = (StopFlag::default(), AtomicUsize::new(0));
    let act = |_: &Job| {
        if calls.fetch_add(1, Ordering::SeqCst) == 1 {
            stop.request();
            return Err(Interrupted);
        }
        Ok((End::Exited { code: 0 }, "lluu".into()))
    };
    let not_cancelled = |event: Event<'_>| assert!(!matches!(event, Event::Cancelled(_)));
    let stopped = runner.run(&all(4), &FakeExecutor(&act), &stop, &mut journal, not_cancelled).unwrap_err();
    assert!(matches!(stopped, Stopped::Interrupted), "{stopped}");
    assert_eq!((folder.records().len(), calls.load(Ordering::SeqCst)), (1, 2));
    let second = &order[1];
    let file = format!("{}/{}.1.out", second.entry, second.board);
    assert_eq!(folder.output(&file), None, "the number of the attempt is free again");
    // A judge that was killed leaves a file without a record. The number of that attempt is used.
    folder.file(&format!("out/output/1/{}/{}.1.out", order[2].entry, order[2].board), "half");
    let rest: Vec<PendingRun> = (1..4).map(|index| PendingRun { index, attempt: 1 }).collect();
    let act = |_: &Job| Ok((End::Exited { code: 0 }, "lluu".into()));
    runner.run(&rest, &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    let attempts: Vec<u32> = folder.records().iter().map(|record| record.attempt).collect();
    assert_eq!(attempts, [1, 1, 2, 1]);
    assert_eq!(folder.output(&file).as_deref(), Some("lluu"));
}

#[test]
fn each_failure_costs_only_the_runs_it_prevents() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let failed = Built::Failed { reason: "no compiler".into() };
    let fine = BTreeMap::from([("a".to_owned(), Built::Succeeded), ("b".to_owned(), failed)]);
    let runner = Runner::new(&contest, &order, &results, &slots).without(fine);
    let (calls, mut events) = (AtomicUsize::new(0), Vec::new());
    let act = |job: &Job| -> Result<(End, String), Interrupted> {
        assert!(solves(job), "b was not built");
        assert!(calls.fetch_add(1, Ordering::SeqCst) != 0, "boom");
        Ok((End::Exited { code: 0 }, "lluu".into()))
    };
    let announce = |event: Event<'_>| match event {
        Event::Started(key) => events.push(format!("{} {}", key.entry, key.board)),
        Event::Finished(record) => events.push(format!("{} {} done", record.key.entry, record.key.board)),
        _ => {}
    };
    runner.run(&all(4), &FakeExecutor(&act), &StopFlag::default(), &mut journal, announce).unwrap();
    assert_eq!(events[..4], ["b X", "b X done", "b Y", "b Y done"], "what is not run is settled first");
    let records = folder.records();
    let by_name = |entry: &str| records.iter().filter(move |record| &*record.key.entry == entry).collect::<Vec<_>>();
    assert!(by_name("b").iter().all(|record| record.verdict == Verdict::BuildFailed { reason: "no compiler".into() }));
    let reasons: Vec<_> = by_name("a").iter().map(|record| record.verdict.clone()).collect();
    assert!(
        matches!(&reasons[0], Verdict::JudgeError { reason } if reason.to_string() == "the executor panicked: boom"),
        "{reasons:?}"
    );
    assert!(matches!(reasons[1], Verdict::Solved(_)));
}

#[test]
fn a_board_on_standard_input_is_the_board() {
    let head = HEAD.replace("limit", "input = \"stdin\"\nlimit");
    let folder = Folder::new(&[&head, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let act = |job: &Job| {
        let Stdin::File(path) = &job.stdin else { panic!("{:?}", job.stdin) };
        assert_eq!(fs::read_to_string(path).unwrap().split_whitespace().collect::<String>(), NEAR.replace(' ', ""));
        assert!(job.files.is_empty() && !words(job).contains(".txt"), "{job:?}");
        Ok((End::Exited { code: 0 }, "lluu".into()))
    };
    let runner = Runner::new(&contest, &order, &results, &slots);
    runner.run(&all(4), &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    assert!(folder.records().iter().all(|record| matches!(record.verdict, Verdict::Solved(_))));
}

/// An executor with a private folder for temporary files.
struct InFolder<'a>(FakeExecutor<'a>, &'a Path);

impl Executor for InFolder<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.0.execute(job)
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        self.0.capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        self.0.describe()
    }

    fn temporary_folder(&self) -> PathBuf {
        self.1.to_owned()
    }
}

#[test]
fn boards_for_standard_input_are_in_the_folder_of_the_executor() {
    let head = HEAD.replace("limit", "input = \"stdin\"\nlimit");
    let folder = Folder::new(&[&head, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let own = tempfile::tempdir().unwrap();
    let act = |job: &Job| {
        assert!(matches!(&job.stdin, Stdin::File(path) if path.starts_with(own.path())), "{:?}", job.stdin);
        Ok((End::Exited { code: 0 }, "lluu".into()))
    };
    let runner = Runner::new(&contest, &order, &results, &slots);
    let run = |executor: &InFolder<'_>, runs: &[PendingRun], journal: &mut Journal| {
        runner.run(runs, executor, &StopFlag::default(), journal, |_| {})
    };
    let mut journal = folder.journal(&contest);
    run(&InFolder(FakeExecutor(&act), own.path()), &all(4)[..2], &mut journal).unwrap();
    assert!(folder.records().iter().all(|record| matches!(record.verdict, Verdict::Solved(_))));
    let missing = own.path().join("missing");
    let stopped = run(&InFolder(FakeExecutor(&act), &missing), &all(4)[2..], &mut journal);
    assert!(matches!(&stopped, Err(Stopped::Io { path, .. }) if *path == missing), "{stopped:?}");
}

#[test]
fn a_journal_continues_behind_its_last_whole_line() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let results = folder.results();
    let clock = || "2026-01-02T03:04:05Z".parse().ok();
    assert!(matches!(Journal::create(&results, header(&contest), clock), Err(JournalError::Exists(_))));
    assert!(matches!(Journal::resume(&results, clock), Err(JournalError::Locked(_))));
    assert!(matches!(Journal::resume(folder.0.path(), clock), Err(JournalError::Missing(_))));
    let run = |board: &str| {
        let key = RunKey::new(1, "a", board);
        Record::without_run(1, key, 1, Verdict::TimedOut, 10_000, isolation().into())
    };
    let machines = [Some(machine("one")), Some(machine("two")), None, Some(machine("one"))];
    let runs = ["X", "Y", "X", "Y"].map(run).into_iter().zip(machines).collect();
    let written = journal.append_runs(runs).unwrap();
    assert_eq!(written.iter().map(|record| record.machine).collect::<Vec<_>>(), [0, 1, 0, 0]);
    drop(journal);
    let path = results.join(FILE_NAME);
    let whole = fs::read_to_string(&path).unwrap();
    assert_eq!(whole.matches("\"line\":\"machine\"").count(), 2, "{whole}");
    assert!(whole.lines().nth(1).unwrap().contains("\"line\":\"machine\""), "before its first run: {whole}");
    assert_eq!(whole.matches("\"machine\":").count(), 1, "machine 0 is omitted: {whole}");
    fs::write(&path, format!("{whole}{{\"line\":\"ru")).unwrap();
    let (mut journal, contents) = Journal::resume(&results, clock).unwrap();
    assert_eq!((contents.torn_bytes, contents.machines.len()), (11, 2));
    assert_eq!(fs::read_to_string(&path).unwrap(), whole, "the incomplete line is gone");
    let again = vec![(run("X"), Some(machine("two"))), (run("Y"), Some(machine("three")))];
    let written = journal.append_runs(again).unwrap();
    assert_eq!(written.iter().map(|record| record.machine).collect::<Vec<_>>(), [1, 2]);
    journal
        .append(&[Line::Struck(journal::BoardAndReason { board: "X".into(), reason: "a misprint".into() })])
        .unwrap();
    drop(journal);
    let contents = journal::read(&results).unwrap();
    assert_eq!((contents.machines.len(), contents.struck.len()), (3, 1));
    let last = fs::read_to_string(&path).unwrap().lines().last().unwrap().to_owned();
    assert!(last.contains("\"at\":\"2026-01-02T03:04:05Z\""), "{last}");
}

/// A contest with a referee program in the protocol `exit`, after its runs.
fn refereed() -> (Folder, Contest) {
    let folder = Folder::new(&[EXIT_HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let act = |job: &Job| {
        Ok(match words(job) {
            words if words.contains("referee") => strict(job),
            words if words.contains("a/solve") => (End::Exited { code: 0 }, "42\n".into()),
            _ => (End::Exited { code: 0 }, "41\n".into()),
        })
    };
    let runner = Runner::new(&contest, &order, &results, &slots);
    runner.run(&all(4), &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    (folder, contest)
}

/// The answer that a referee's job gets.
fn answer(job: &Job) -> String {
    let copied = job.copies.iter().find(|file| file.name == "answer").map(|file| fs::read(&file.from).unwrap());
    let placed = || job.files.iter().find(|file| file.name == "answer").map(|file| file.contents.clone());
    String::from_utf8(copied.or_else(placed).unwrap()).unwrap()
}

/// A referee that accepts only 42.
fn strict(job: &Job) -> (End, String) {
    let right = answer(job) == "42\n";
    (End::Exited { code: i32::from(!right) }, if right { String::new() } else { "not 42\n".into() })
}

#[test]
fn a_referee_that_is_a_program_rules_on_what_was_stored() {
    let (folder, _) = refereed();
    let records = folder.records();
    let accepted = judge_core::verdict::Verdict::Solved(Default::default());
    assert!(records.iter().filter(|record| record.verdict == accepted).count() == 2, "{records:?}");
    let rulings = names(&records);
    assert_eq!(
        rulings.iter().filter(|ruling| ruling.starts_with("a ") && ruling.contains("solved")).count(),
        2,
        "{rulings:?}"
    );
    assert_eq!(
        rulings.iter().filter(|ruling| ruling.starts_with("b ") && ruling.contains("not 42")).count(),
        2,
        "{rulings:?}"
    );
}

#[test]
fn refereeing_stored_answers_again_writes_nothing() {
    let (folder, contest) = refereed();
    let results = folder.results();
    let contents = journal::read(&results).unwrap();
    let before = fs::read(results.join(FILE_NAME)).unwrap();
    let runs = answered(&contents);
    assert_eq!(runs, [0, 1, 2, 3]);
    let again = |act: &Behaviour<'_>, stop: &StopFlag, slots: &[Vec<usize>]| {
        rejudge(&contest, &contents, &results, &runs, &FakeExecutor(act), slots, stop).unwrap()
    };
    // The same referee changes nothing.
    let same = again(&|job| Ok(strict(job)), &StopFlag::default(), &[Vec::new()]).unwrap_or_else(|_| panic!());
    assert!(same.all.iter().zip(&contents.records).all(|(again, record)| !again.changes(record)));
    // Another referee accepts both answers. They are in the order of the runs, whichever worker is faster.
    let slots = [Vec::new(), Vec::new()];
    let mild = again(&|_| Ok((End::Exited { code: 0 }, String::new())), &StopFlag::default(), &slots)
        .unwrap_or_else(|_| panic!());
    let changed: Vec<String> = mild
        .all
        .iter()
        .zip(&contents.records)
        .filter(|(again, record)| again.changes(record))
        .map(|(again, _)| format!("{} {}", again.rejudged.key.entry, again.rejudged.key.board))
        .collect();
    assert_eq!(changed, ["b X", "b Y"]);
    assert_eq!(mild.all.iter().map(|again| again.index).collect::<Vec<_>>(), runs);
    // A failing referee is called twice, and the result is a judge error.
    let calls = AtomicUsize::new(0);
    let failing = |_: &Job| {
        calls.fetch_add(1, Ordering::SeqCst);
        Ok((End::Exited { code: 9 }, "no idea".into()))
    };
    let failed = again(&failing, &StopFlag::default(), &[Vec::new()]).unwrap_or_else(|_| panic!());
    assert_eq!(calls.load(Ordering::SeqCst), 8);
    let reasons = failed.all.iter().map(|again| again.rejudged.verdict.clone());
    let crashed = |verdict: Verdict| matches!(verdict, Verdict::JudgeError { reason: JudgeFailure::Referee(why) } if why.starts_with("it crashed with exit code 9"));
    assert!(reasons.into_iter().all(crashed));
    // A missing answer, a changed answer, and a stop.
    fs::remove_file(results.join("output/1/a/X.1.out")).unwrap();
    fs::write(results.join("output/1/b/X.1.out"), "42\n").unwrap();
    let found = again(&|job| Ok(strict(job)), &StopFlag::default(), &[Vec::new()]).unwrap_or_else(|_| panic!());
    let of = |entry: &str| {
        contents.records.iter().position(|record| (&*record.key.entry, &*record.key.board) == (entry, "X"))
    };
    let changed: Vec<usize> = found.changed.iter().map(|(index, _)| *index).collect();
    assert_eq!((found.all.len(), found.missing.first().copied(), changed.first().copied()), (2, of("a"), of("b")));
    assert_eq!((found.missing.len(), changed.len()), (1, 1));
    let stop = StopFlag::default();
    stop.request();
    assert!(again(&|job| Ok(strict(job)), &stop, &[Vec::new()]).is_err());
    assert_eq!(fs::read(results.join(FILE_NAME)).unwrap(), before);
    assert!(Path::new(&results).join("output/1/b/Y.1.out").exists());
}
