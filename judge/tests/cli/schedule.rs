//! Scheduling, journal and table with a pretended executor: no process, no clock, no waiting.

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;

use judge_contest::external::{RefereeContext, Tool};
use judge_contest::journal::Journal;
use judge_contest::schedule::{Event, PendingRun, Runner, Stopped};
use judge_contest::{Contest, Overrides};
use judge_core::game::Score;
use judge_core::journal::{self, Contents, Header, Record};
use judge_core::plan::Board;
use judge_core::referee::{Referee, RefereeError, Ruling};
use judge_core::results::Results;
use judge_core::results_csv::write_runs;
use judge_core::verdict::Verdict;
use judge_job::{
    Argument, Capacity, Description, End, Executor, Interrupted, Job, Limits, Machine, Outcome, StopFlag,
    StopRequest as _,
};
use judge_report::{self as report, Format};

use crate::support::{no_isolation, pretended_outcome};

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
fn begin(contest: &Contest, results: &Path) -> (Journal, Contents) {
    let (path, plan) = (contest.path.clone(), contest.plan.clone());
    let order = plan.turns();
    let header = Header::new(path, Overrides::default(), plan, order, Default::default(), None);
    (Journal::create(results, header, || None).unwrap(), journal::read(results).unwrap())
}

/// Executes these runs with one worker.
fn run(contest: &Contest, results: &Path, pending: &[PendingRun], executor: &dyn Executor, journal: &mut Journal) {
    let order = contest.plan.turns();
    let slots = [Vec::new()];
    let runner = Runner::new(contest, &order, results, &slots);
    runner.run(pending, executor, &StopFlag::default(), journal, |_| {}).unwrap();
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
    let order = contest.plan.turns();
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
        let runner = Runner::new(&contest, &head.order, folder.path(), &slots);
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
        let (mut journal, contents) = Journal::resume(folder.path(), || None).unwrap();
        let missing = turns(contents.missing().into_iter());
        let pretender = Pretender::default();
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
fn a_run_is_announced_only_when_the_journal_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), ENTRIES);
    let (mut journal, head) = begin(&contest, folder.path());
    let slots = [Vec::new()];
    let runner = Runner::new(&contest, &head.order, folder.path(), &slots);
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
fn a_judge_error_counts_against_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), &["judge-fails", "lux", "crashes"]);
    let (mut journal, head) = begin(&contest, folder.path());
    run(&contest, folder.path(), &turns(0..head.order.len()), &Pretender::default(), &mut journal);
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
    run(&contest, folder.path(), &turns(0..head.order.len()), &Pretender::default(), &mut journal);
    let contents = journal::read(folder.path()).unwrap();
    let results = Results::from_journal(&contents);
    assert_eq!(results.rows[0].total.progress, results.rows[1].total.progress);
    assert_eq!(results.rows[0].entry.name, "l");
}

/// Answers, except for one command at which it is cut off in the middle of its answer.
struct CutOff<'a> {
    at: &'a str,
    whole: Pretender,
}

impl Executor for CutOff<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        if job.argv[0] == Argument::Text(self.at.into()) {
            fs::write(&job.stdout, "l").unwrap();
            return Err(Interrupted);
        }
        self.whole.execute(job)
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        self.whole.capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        self.whole.describe()
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

#[test]
fn each_attempt_has_its_own_output() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), &["lluu", "lulu"]);
    let (mut journal, begun) = begin(&contest, folder.path());
    run(&contest, folder.path(), &turns(0..begun.order.len()), &Pretender::default(), &mut journal);
    let before = journal::read(folder.path()).unwrap();
    let output = |attempt: u32| journal::stdout_file(folder.path(), &before.records[0].key, attempt);
    assert_eq!(output(1), folder.path().join("output/1/lluu/N1.1.out"));
    let printed = fs::read(output(1)).unwrap();
    assert_eq!(printed, b"lluu");

    // A repetition that is interrupted: the first attempt's bytes and its record stay.
    let again = [PendingRun { index: 0, attempt: 2 }];
    run(&contest, folder.path(), &again, &CutOff { at: "lluu", whole: Pretender::default() }, &mut journal);
    assert_eq!(fs::read(output(1)).unwrap(), printed);
    assert_eq!(journal::read(folder.path()).unwrap().records, before.records);
    assert!(!output(2).exists(), "what was cut off left nothing");

    // As if the judge had been killed in the middle of it: the number is used.
    fs::write(output(2), "l").unwrap();
    run(&contest, folder.path(), &again, &Pretender::default(), &mut journal);
    let after = journal::read(folder.path()).unwrap();
    assert_eq!(after.records[0].attempt, 3);
    assert_eq!(journal::stdout_of(folder.path(), &after.records[0]), output(3));
    for (attempt, bytes) in [(1, "lluu"), (2, "l"), (3, "lluu")] {
        assert_eq!(fs::read_to_string(output(attempt)).unwrap(), bytes, "attempt {attempt}");
    }
    assert_eq!(after.attempts[0], 3);
}

#[test]
fn a_machine_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let contest = contest(folder.path(), ENTRIES);
    let (mut journal, begun) = begin(&contest, folder.path());
    run(&contest, folder.path(), &turns(0..begun.order.len()), &Pretender::default(), &mut journal);
    let text = fs::read_to_string(folder.path().join("journal.jsonl")).unwrap();
    assert_eq!(text.matches("\"line\":\"machine\"").count(), 1);
    assert!(text.lines().nth(1).unwrap().contains("\"line\":\"machine\""), "before the first run");
    assert_eq!(text.matches("\"machine\":").count(), 0, "machine 0 is omitted");
    assert_eq!(journal::read(folder.path()).unwrap().machines, [Machine::default()]);
}

/// Panics where it should answer or rule.
struct Panics;

impl Executor for Panics {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        if job.argv[0] == Argument::Text("lulu".into()) {
            panic!("executor of {:?}", job.argv[0]);
        }
        Pretender::default().execute(job)
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        Pretender::default().capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        Pretender::default().describe()
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

impl Referee for Panics {
    fn rule(&self, board: &Board, _: &Path) -> Result<Ruling, RefereeError> {
        if board.name == "N2" {
            panic!("referee of {}", board.name);
        }
        let score = Score { progress: 25, of: 25, moves: 4, tie_break: 1, points: None };
        Ok(Verdict::Solved(score).into())
    }
}

/// Succeeds, and leaves what cannot be read as standard output.
struct Unreadable;

impl Executor for Unreadable {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        fs::create_dir(&job.stdout).unwrap();
        Ok(pretended_outcome(End::Exited { code: 0 }, 1000, 0))
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        Pretender::default().capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        Pretender::default().describe()
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

#[test]
fn a_board_that_cannot_be_read_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let referee = "[referee]\ncommand = \"./referee\"\nprotocol = \"exit\"\nmake = \"./make\"\n";
    let entry = "[[entry]]\nname = \"a\"\ncommand = \"./a\"\n[[board]]\nname = \"B\"\nfile = \"b.txt\"\n";
    fs::write(folder.path().join("b.txt"), "board").unwrap();
    fs::write(
        folder.path().join("contest.toml"),
        format!("name = \"c\"\ngame = \"external\"\nlimit = \"10s\"\n{referee}{entry}"),
    )
    .unwrap();
    let contest = Contest::load(folder.path(), &Overrides::default()).unwrap();
    let context = RefereeContext { executor: &Unreadable, processors: Vec::new(), results: None };
    let reason = contest.tool(Tool::Make, context, Some("1"), None).unwrap_err();
    let reason = reason.to_string();
    assert!(reason.starts_with("make: ") && reason.contains("stdout"), "{reason}");
}

#[test]
fn a_panic_ends_only_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut contest = contest(folder.path(), &["lluu", "lulu"]);
    contest.referee = Box::new(Panics);
    let (mut journal, begun) = begin(&contest, folder.path());
    run(&contest, folder.path(), &turns(0..begun.order.len()), &Panics, &mut journal);
    let check = |expected: u32| {
        let contents = journal::read(folder.path()).unwrap();
        for (index, record) in contents.records.iter().enumerate() {
            let expected_reason = match (&*record.key.entry, &*record.key.board) {
                ("lulu", _) => Some("the executor panicked: executor of Text(\"lulu\")"),
                (_, "N2") => Some("the referee panicked: referee of N2"),
                _ => None,
            };
            let reason = match &record.verdict {
                Verdict::JudgeError { reason } => Some(reason.to_string()),
                _ => None,
            };
            assert_eq!(reason.as_deref(), expected_reason);
            let attempt = if reason.is_some() { expected } else { 1 };
            assert_eq!((record.attempt, contents.attempts[index]), (attempt, attempt));
        }
        assert_eq!((contents.records.len(), contents.missing().len()), (12, 7));
        contents
    };
    let contents = check(1);
    drop(journal);
    // A resumed contest repeats exactly these runs, and a panic does not end that either.
    let (mut journal, _) = Journal::resume(folder.path(), || None).unwrap();
    let again: Vec<PendingRun> = contents
        .missing()
        .into_iter()
        .map(|index| PendingRun { index, attempt: contents.attempts[index] + 1 })
        .collect();
    run(&contest, folder.path(), &again, &Panics, &mut journal);
    check(2);
}
