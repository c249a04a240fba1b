//! Scheduling, journal and table behind an executor that only pretends: no process, no clock, no waiting.

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;

use judge::report::{self, Format};
use judge_contest::journal::Journal;
use judge_contest::schedule::{Event, PendingRun, Runner, Stopped, order};
use judge_contest::{Contest, Overrides};
use judge_core::journal::{self, Header, Record};
use judge_core::results::{Results, write_runs};
use judge_job::{
    Argument, Capacity, Contention, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome,
    StopFlag, StopRequest as _, Tier, Usage,
};

/// Runs nothing. What an entry "prints" and how it "ends" is its command; its time is a number made of both names.
#[derive(Default)]
struct Pretender {
    started: Mutex<Vec<String>>,
}

impl Executor for Pretender {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.started.lock().unwrap().push(job.stdout.display().to_string());
        let Argument::Text(command) = &job.argv[0] else { unreachable!("no command is a placed file") };
        let (end, answer) = match command.as_str() {
            "times-out" => (End::TimedOut, ""),
            "crashes" => (End::Exited { code: 1 }, ""),
            "judge-fails" => (End::JudgeError { reason: "pretended".into() }, ""),
            answer => (End::Exited { code: 0 }, answer),
        };
        fs::write(&job.stdout, answer).unwrap();
        let time = job.files[0].contents.iter().copied().chain(answer.bytes()).map(u64::from).sum::<u64>() % 97;
        Ok(Outcome {
            end,
            wall_us: Some(time * 1000),
            stdout_bytes: answer.len() as u64,
            stderr_bytes: 0,
            isolation: self.describe().isolation,
            machine: Machine::default(),
            usage: Usage::default(),
            contention: Some(Contention::default()),
            notes: Vec::new(),
        })
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity { slots: vec![Vec::new()], notices: Vec::new() }
    }

    fn describe(&self) -> Description {
        Description { isolation: Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }, layers: Vec::new() }
    }
}

const ENTRIES: &[&str] = &["lluu", "lulu", "uull", "lux", "l", "times-out", "crashes"];

/// A contest of pretended entries on the six near-end boards.
fn contest(folder: &Path, entries: &[&str]) -> Contest {
    let boards = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests-boards/loyd");
    let mut text = "name = \"pretended\"\ngame = \"loyd\"\n".to_owned();
    for number in 1..=6 {
        let file = boards.join(format!("near-end-{number}.txt"));
        text += &format!("[[board]]\nname = \"N{number}\"\nfile = {:?}\n", file.display().to_string());
    }
    for entry in entries {
        text += &format!("[[entry]]\nname = \"{entry}\"\ncommand = \"{entry}\"\n");
    }
    fs::write(folder.join("contest.toml"), text).unwrap();
    Contest::load(folder, &Overrides::default()).unwrap()
}

fn begin(contest: &Contest, results: &Path) -> (Journal, Header) {
    let order = order(&contest.plan);
    let path = contest.path.clone();
    let head =
        Header::new(path, Overrides::default(), contest.plan.clone(), order, Default::default(), Machine::default());
    (Journal::create(results, &head).unwrap(), head)
}

fn turns(indices: impl Iterator<Item = usize>) -> Vec<PendingRun> {
    indices.map(|index| PendingRun { index, attempt: 1 }).collect()
}

fn table(results: &Path, format: Format) -> String {
    let contents = journal::read(results).unwrap();
    let mut text = Vec::new();
    report::write(&Results::of_contest(&contents.head.plan, &contents.records), format, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn entries_take_turns_and_none_always_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), ENTRIES);
    let order = order(&contest.plan);
    assert_eq!(order.iter().collect::<HashSet<_>>().len(), ENTRIES.len() * 6);
    let rounds: Vec<_> = order.chunks(ENTRIES.len()).collect();
    for round in &rounds {
        assert!(round.iter().all(|key| key.board == round[0].board), "all entries on one board before the next");
    }
    let first: HashSet<&str> = rounds.iter().map(|round| round[0].entry.as_str()).collect();
    assert_eq!(first.len(), 6, "each board begins with another entry");
}

#[test]
fn neither_the_number_of_jobs_nor_an_interruption_changes_a_byte_of_the_table() {
    let mut tables = HashSet::new();
    for (jobs, stop_after) in [(1, None), (3, None), (8, None), (1, Some(5)), (3, Some(20)), (2, Some(1))] {
        let folder = tempfile::tempdir().unwrap();
        let contest = contest(folder.path(), ENTRIES);
        let (mut journal, head) = begin(&contest, folder.path());
        let runner =
            Runner { contest: &contest, order: &head.order, results: folder.path(), slots: &vec![Vec::new(); jobs] };
        if let Some(stop_after) = stop_after {
            let interrupt = StopFlag::default();
            let mut finished = 0;
            let all = turns(0..head.order.len());
            let stopped = runner.run(&all, &Pretender::default(), &interrupt, &mut journal, |event| {
                finished += usize::from(matches!(event, Event::Finished(_)));
                if finished == stop_after {
                    interrupt.request();
                }
            });
            assert!(matches!(stopped, Err(Stopped::Interrupted)));
        }
        drop(journal);
        let (mut journal, contents) = Journal::resume(folder.path()).unwrap();
        let made: HashSet<_> = contents.records.iter().map(|run| run.key.clone()).collect();
        let missing = turns((0..head.order.len()).filter(|&index| !made.contains(&head.order[index])));
        let pretender = Pretender::default();
        runner.run(&missing, &pretender, &StopFlag::default(), &mut journal, |_| {}).unwrap();
        assert_eq!(pretender.started.lock().unwrap().len(), missing.len());

        let mut text =
            [Format::Table, Format::Plain, Format::Json, Format::Csv].map(|format| table(folder.path(), format));
        let contents = journal::read(folder.path()).unwrap();
        let mut runs = Vec::new();
        write_runs(&contents.head.plan, &contents.records, &mut runs).unwrap();
        text[0] += &String::from_utf8(runs).unwrap();
        tables.insert(text);
    }
    assert_eq!(tables.len(), 1);
}

#[test]
fn a_run_is_announced_only_when_the_journal_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), ENTRIES);
    let (mut journal, head) = begin(&contest, folder.path());
    let runner = Runner { contest: &contest, order: &head.order, results: folder.path(), slots: &[Vec::new()] };
    let all = turns(0..head.order.len());
    let mut announced: Vec<Record> = Vec::new();
    runner
        .run(&all, &Pretender::default(), &StopFlag::default(), &mut journal, |event| {
            if let Event::Finished(record) = event {
                let kept = journal::read(folder.path()).unwrap().records;
                assert!(kept.contains(record), "{record:?} was announced before it was on disk");
                announced.push(record.clone());
            }
        })
        .unwrap();
    assert_eq!(announced.len(), head.order.len());
}

#[test]
fn a_judge_error_counts_against_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), &["judge-fails", "lux", "crashes"]);
    let (mut journal, head) = begin(&contest, folder.path());
    let runner = Runner { contest: &contest, order: &head.order, results: folder.path(), slots: &[Vec::new()] };
    let all = turns(0..head.order.len());
    runner.run(&all, &Pretender::default(), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    let plain = table(folder.path(), Format::Plain);
    let judged = plain.lines().find(|line| line.starts_with("judge-fails")).unwrap();
    assert_eq!(
        judged.split_whitespace().collect::<Vec<_>>()[1..],
        ["-/JUD"; 6].into_iter().chain(["-/-/-", "-"]).collect::<Vec<_>>()
    );
    assert!(plain.contains("# judge-fails is incomplete and has no place yet"));
}

#[test]
fn spoiling_an_answer_does_not_pay() {
    let folder = tempfile::tempdir().unwrap();
    // Both reach the same progress on every board; the second ends with an illegal move, so its moves do not count.
    let contest = contest(folder.path(), &["l", "lx"]);
    let (mut journal, head) = begin(&contest, folder.path());
    let runner = Runner { contest: &contest, order: &head.order, results: folder.path(), slots: &[Vec::new()] };
    let all = turns(0..head.order.len());
    runner.run(&all, &Pretender::default(), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    let contents = journal::read(folder.path()).unwrap();
    let results = Results::of_contest(&contents.head.plan, &contents.records);
    assert_eq!(results.rows[0].total.progress, results.rows[1].total.progress);
    assert_eq!(results.rows[0].entry.name, "l");
}
