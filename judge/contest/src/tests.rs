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
mod runner;
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
