//! Scheduling, journal and table with a pretended executor: no process, no clock, no waiting.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Mutex;

use judge_contest::journal::Journal;
use judge_contest::schedule::{Event, PendingRun, Runner, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::journal::{self, ContestState, Header};
use judge_core::results::Results;
use judge_core::results_csv::write_runs;
use judge_job::{
    Argument, Capacity, Description, End, Executor, Interrupted, Job, Limits, Outcome, StopFlag, StopRequest as _,
};
use judge_report::{self as report, Format};

use crate::support::*;

/// Runs nothing. What an entry "prints" and how it "ends" is its command; its time is a number made of both names.
#[derive(Default)]
struct FakeExecutor {
    started: Mutex<Vec<String>>,
}

impl Executor for FakeExecutor {
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
        Ok(pretended_outcome(end, time * 1000, answer.len()))
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        no_isolation()
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
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

/// A journal of this contest, and what it contains.
fn begin(contest: &Contest, results: &Path) -> (Journal, ContestState) {
    let (path, plan) = (contest.path.clone(), contest.plan.clone());
    let order = plan.start_order();
    let header = Header::new(path, Overrides::default(), plan, order, Default::default(), None);
    (Journal::create(results, header, || None).unwrap(), journal::read(results).unwrap())
}

fn turns(indices: impl Iterator<Item = usize>) -> Vec<PendingRun> {
    indices.map(|index| PendingRun { index, attempt: 1 }).collect()
}

fn table(results: &Path, format: Format) -> String {
    let contents = journal::read(results).unwrap();
    let mut text = Vec::new();
    // The hash is that of the journal's lines, whose order is that in which runs ended.
    let mut results = Results::from_journal(&contents);
    results.journal_hash = None;
    report::write(&results, format, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn entries_take_turns_to_be_first() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), ENTRIES);
    let order = contest.plan.start_order();
    assert_eq!(order.iter().collect::<HashSet<_>>().len(), ENTRIES.len() * 6);
    let rounds: Vec<_> = order.chunks(ENTRIES.len()).collect();
    for round in &rounds {
        assert!(round.iter().all(|key| key.board == round[0].board), "all entries on one board before the next");
    }
    let first: HashSet<&str> = rounds.iter().map(|round| &*round[0].entry).collect();
    assert_eq!(first.len(), 6, "each board begins with another entry");
}

#[test]
fn neither_the_number_of_jobs_nor_an_interruption_changes_a_byte_of_the_table() {
    let mut tables = HashSet::new();
    for (jobs, stop_after) in [(1, None), (3, None), (8, None), (1, Some(5)), (3, Some(20)), (2, Some(1))] {
        let folder = tempfile::tempdir().unwrap();
        let contest = contest(folder.path(), ENTRIES);
        let (mut journal, head) = begin(&contest, folder.path());
        let slots = vec![Vec::new(); jobs];
        let runner = Runner::new(&contest, head.order(), folder.path(), &slots);
        if let Some(stop_after) = stop_after {
            let interrupt = StopFlag::default();
            let mut finished = 0;
            let all = turns(0..head.order().len());
            let stopped = runner.run(&all, &FakeExecutor::default(), &interrupt, &mut journal, |event| {
                finished += usize::from(matches!(event, Event::Finished(_)));
                if finished == stop_after {
                    interrupt.request();
                }
            });
            assert!(matches!(stopped, Err(Stopped::Interrupted)));
        }
        drop(journal);
        let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
        let missing = turns(contents.missing().into_iter());
        let pretender = FakeExecutor::default();
        runner.run(&missing, &pretender, &StopFlag::default(), &mut journal, |_| {}).unwrap();
        assert_eq!(pretender.started.lock().unwrap().len(), missing.len());

        let mut text =
            [Format::Table, Format::Plain, Format::Json, Format::Csv].map(|format| table(folder.path(), format));
        let contents = journal::read(folder.path()).unwrap();
        let mut runs = Vec::new();
        write_runs(&contents, &mut runs).unwrap();
        text[0] += &String::from_utf8(runs).unwrap();
        tables.insert(text);
    }
    assert_eq!(tables.len(), 1);
}

#[test]
fn a_judge_error_counts_against_no_entry_and_a_spoilt_answer_does_not_pay() {
    let folder = tempfile::tempdir().unwrap();
    // The last two reach the same progress on every board; one ends with an illegal move, so its moves do not count.
    let contest = contest(folder.path(), &["judge-fails", "lx", "l"]);
    let (mut journal, head) = begin(&contest, folder.path());
    let slots = [Vec::new()];
    let runner = Runner::new(&contest, head.order(), folder.path(), &slots);
    let all = turns(0..head.order().len());
    runner.run(&all, &FakeExecutor::default(), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    let plain = table(folder.path(), Format::Plain);
    let judged: Vec<&str> = plain.lines().find(|line| line.starts_with("judge-fails")).unwrap().split(' ').collect();
    let cells: Vec<&str> = judged.into_iter().skip(1).filter(|cell| !cell.is_empty()).collect();
    // Its total, its failed runs, which put one of the others above the other, and its time.
    assert_eq!(cells, ["-/JUD"; 6].into_iter().chain(["-/-/-", "0", "-"]).collect::<Vec<_>>());
    assert!(plain.contains("# judge-fails is incomplete and has no place yet"));
    let results = Results::from_journal(&journal::read(folder.path()).unwrap());
    assert_eq!(results.rows[0].total.figure(0), results.rows[1].total.figure(0));
    assert_eq!(results.rows[0].entry.name, "l");
}
