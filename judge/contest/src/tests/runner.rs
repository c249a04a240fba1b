//! Runs and what the journal has of them: their order, stops, failures, boards on standard input, and journals that end in the
//! middle of a line.

use super::*;

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
