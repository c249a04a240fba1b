//! Tests of single runs: their records, and the ends that count as an interruption.

use super::*;
use crate::schedule::{JournalRecorder, Local};
use judge_job::Arrival;

/// Returns prepared outcomes, with the files that a job leaves.
struct Made<'a>(&'a (dyn Fn(&Job) -> Outcome + Sync + 'a));

impl Executor for Made<'_> {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        Ok(self.0(job))
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::new(vec![vec![3]])
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

fn ended(job: &Job, end: End, printed: &str) -> Outcome {
    fs::write(&job.stdout, printed).unwrap();
    fs::write(&job.stderr, "").unwrap();
    let mut outcome = Outcome::new(end, isolation(), machine("made"));
    (outcome.wall_us, outcome.stdout_bytes) = (Some(9), printed.len() as u64);
    outcome
}

/// Executes the first run of a contest; returns true if it was interrupted, and its record.
fn first_run(folder: &Folder, engine: &Local<'_>, stop: &dyn judge_job::StopRequest) -> (bool, Option<Record>) {
    first_run_of(folder, &folder.contest(), engine, stop)
}

fn first_run_of(
    folder: &Folder,
    contest: &Contest,
    engine: &Local<'_>,
    stop: &dyn judge_job::StopRequest,
) -> (bool, Option<Record>) {
    let mut journal = folder.journal(contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [vec![3]]);
    let runner = Runner::new(contest, &order, &results, &slots);
    let mut recorder = JournalRecorder::new(&results, &mut journal);
    let ran = runner.run_on(engine, &all(1), stop, &mut recorder, |_| {});
    (matches!(ran, Err(Stopped::Interrupted)), folder.records().pop())
}

fn record(folder: &Folder, outcome: &(dyn Fn(&Job) -> Outcome + Sync)) -> Record {
    let (interrupted, record) = first_run(folder, &Local::new(&Made(outcome)), &StopFlag::default());
    assert!(!interrupted);
    record.unwrap()
}

fn folder() -> Folder {
    Folder::new(&[HEAD, BOARDS, ENTRIES].concat())
}

#[test]
fn a_record_has_all_that_is_known_of_a_run() {
    let folder = folder();
    let record = record(&folder, &|job| {
        assert_eq!((job.processors.clone(), &job.limits), (vec![3], &folder.contest().plan.problems[0].limits));
        let mut outcome = ended(job, End::Exited { code: 0 }, "lluu");
        fs::write(&job.stderr, "thinking").unwrap();
        (outcome.wall_us, outcome.stderr_bytes) = (Some(1_000_000), 8);
        (outcome.usage.cpu_us, outcome.usage.memory_bytes) = (Some(5), Some(6));
        let mut contention = Contention::default();
        contention.taken_us = Some(500_000);
        outcome.contention = Some(contention);
        outcome.isolation = Isolation { tier: Tier::Namespaces, layers: vec!["seccomp".into()] };
        outcome.notes = vec!["a note".into()];
        outcome
    });
    assert_eq!(record.verdict.summary(), "solved with progress 25 of 25, moves 4, tie_break 0");
    assert_eq!((record.wall_us, record.stdout_bytes, record.stderr_bytes), (Some(1_000_000), 4, 8));
    assert_eq!((record.usage.cpu_us, record.usage.memory_bytes), (Some(5), Some(6)));
    assert_eq!(record.extras.suspect.as_deref(), Some("other processes used 50 % of its processors' time"));
    assert_eq!((record.isolation.tier, record.isolation.layers.len()), (Tier::Namespaces, 1));
    assert_eq!(record.extras.notes, ["a note"]);
    assert!(record.final_board.is_some() && record.referee.is_none());
    let output = record.output.as_ref().unwrap();
    assert_eq!((output.stdout.bytes, output.stderr.as_ref().map(|file| file.bytes)), (4, Some(8)));
}

#[test]
fn no_answer_of_a_stream_comes_after_the_end_of_its_run() {
    let folder = Folder::new(&[HEAD, "[answers]\nstream = true\n", BOARDS, ENTRIES].concat());
    // On a busy machine, the judge reads the last piece late.
    let record = record(&folder, &|job| {
        let mut outcome = ended(job, End::Exited { code: 0 }, "lrlluu\nlluu\n");
        outcome.wall_us = Some(1_000_000);
        outcome.arrivals = [(7, 400_000), (12, 1_136_000)].map(|(bytes, at_us)| Arrival { bytes, at_us }).into();
        outcome
    });
    let stream = record.extras.stream.clone().unwrap();
    let at: Vec<u64> = stream.steps.iter().map(|step| step.at_us).collect();
    assert_eq!((at, stream.answer_us), (vec![400_000, 1_000_000], Some(1_000_000)));
}

#[test]
fn no_answer_of_a_stream_that_comes_after_the_limit_counts_however_late_the_run_was_ended() {
    let folder = || Folder::new(&[HEAD, "[answers]\nstream = true\n", BOARDS, ENTRIES].concat());
    let limit_us = folder().contest().plan.problems[0].limits.wall_ms * 1000;
    for (last_us, moves) in [(limit_us, 4), (limit_us + 1, 6)] {
        let record = record(&folder(), &|job| {
            let mut outcome = ended(job, End::TimedOut, "lrlluu\nlluu\n");
            outcome.wall_us = Some(limit_us + 300_000);
            outcome.arrivals = [(7, 400_000), (12, last_us)].map(|(bytes, at_us)| Arrival { bytes, at_us }).into();
            outcome
        });
        assert_eq!(record.verdict.summary(), format!("solved with progress 25 of 25, moves {moves}, tie_break 0"));
        assert_eq!(record.extras.stream.clone().unwrap().lines, if moves == 4 { 2 } else { 1 });
        assert_eq!(record.wall_us, Some(limit_us), "how late it was ended decides no place");
    }
    // Output that arrives late is not an answer.
    let record = record(&folder(), &|job| {
        let mut outcome = ended(job, End::TimedOut, "lluu\n");
        outcome.arrivals = vec![Arrival { bytes: 5, at_us: limit_us + 1 }];
        outcome
    });
    assert_eq!(record.verdict, Verdict::TimedOut);
}

#[test]
fn an_answer_that_cannot_be_read_again_is_a_judge_error_whatever_it_was() {
    for (what, replace) in [("gone", false), ("a link", true)] {
        let folder = folder();
        let other = folder.0.path().join("other");
        fs::write(&other, "lluu").unwrap();
        let record = record(&folder, &|job| {
            let outcome = ended(job, End::Exited { code: 3 }, "lluu");
            fs::remove_file(&job.stdout).unwrap();
            if replace {
                std::os::unix::fs::symlink(&other, &job.stdout).unwrap();
            }
            outcome
        });
        let Verdict::JudgeError { reason: JudgeFailure::Judge(reason) } = &record.verdict else {
            panic!("{what}: {:?}", record.verdict)
        };
        assert!(reason.contains("X.1.out"), "{what}: {reason}");
        assert_eq!(record.output, None, "{what}");
    }
}

#[test]
fn a_run_without_files_or_without_its_working_files_is_recorded_with_the_reason() {
    let folder = self::folder();
    folder.file("out/output", "in the way");
    let never = |_: &Job| panic!("it is not executed");
    let reason = |record: Record| match record.verdict {
        Verdict::JudgeError { reason } => reason.to_string(),
        Verdict::CouldNotStart { reason } => format!("the author's: {reason}"),
        verdict => panic!("{verdict:?}"),
    };
    assert!(reason(record(&folder, &never)).contains("out/output"));
    // A working file that is missing when the run starts is its author's failure.
    let entries = ENTRIES.replace("\"a/solve\"\n", "\"a/solve\"\nworking_files = [\"a/data\", \"a/more\"]\n");
    let folder = Folder::new(&[HEAD, BOARDS, &entries].concat());
    for name in ["a/data", "a/more/x", "a/more/board.txt"] {
        folder.file(name, name);
    }
    let contest = folder.contest();
    fs::remove_file(folder.0.path().join("a/data")).unwrap();
    let (_, gone) = first_run_of(&folder, &contest, &Local::new(&Made(&never)), &StopFlag::default());
    let refusal = reason(gone.unwrap());
    assert!(refusal.starts_with("the author's: working_files of a: "), "{refusal}");
    // All files of a folder are there, and none replaces the board.
    let folder = Folder::new(&[HEAD, BOARDS, &entries].concat());
    for name in ["a/data", "a/more/x", "a/more/board.txt"] {
        folder.file(name, name);
    }
    let seen = Mutex::new(Vec::new());
    record(&folder, &|job| {
        seen.lock().unwrap().extend(job.links.iter().map(|link| (link.name.clone(), link.to.clone())));
        assert_eq!(job.files.iter().map(|file| &*file.name).collect::<Vec<_>>(), ["board.txt"]);
        ended(job, End::Exited { code: 0 }, "")
    });
    let root = folder.0.path().canonicalize().unwrap();
    let expected = [("data", "a/data"), ("x", "a/more/x")].map(|(name, to)| (name.to_owned(), root.join(to)));
    let seen = seen.into_inner().unwrap().into_iter().map(|(name, to)| (name, to.canonicalize().unwrap()));
    assert_eq!(seen.collect::<Vec<_>>(), expected);
}

#[test]
fn a_board_comes_by_argument_by_standard_input_or_both() {
    for (input, by_argument, by_stdin) in
        [("\"argument\"", true, false), ("\"stdin\"", false, true), ("[\"argument\", \"stdin\"]", true, true)]
    {
        // A board that is not UTF-8 is a stored file.
        for stored in [false, true] {
            let head = EXIT_HEAD.replace("limit", &format!("input = {input}\nlimit"));
            let folder = Folder::new(&[&head, BOARDS, ENTRIES].concat());
            let text: &[u8] = if stored { &[0xff, 0] } else { NEAR.as_bytes() };
            fs::write(folder.0.path().join("x.txt"), text).unwrap();
            if stored {
                let hash = judge_core::fingerprint::sha256_of(text);
                fs::create_dir(folder.results().join("files")).unwrap();
                fs::write(folder.results().join("files").join(hash), text).unwrap();
            }
            let seen = Mutex::new(None);
            record(&folder, &|job| {
                if words(job).contains("solve") {
                    let argument = match (job.files.first(), job.copies.first()) {
                        (Some(file), None) => Some(file.contents.clone()),
                        (None, Some(file)) => Some(fs::read(&file.from).unwrap()),
                        _ => None,
                    };
                    let stdin = match &job.stdin {
                        Stdin::File(path) => Some(fs::read(path).unwrap()),
                        Stdin::Nothing => None,
                    };
                    *seen.lock().unwrap() = Some((argument, stdin));
                }
                ended(job, End::Exited { code: 0 }, "")
            });
            let expected = |wanted: bool| wanted.then(|| text.to_vec());
            let seen = seen.into_inner().unwrap().unwrap();
            assert_eq!(seen, (expected(by_argument), expected(by_stdin)), "{input}, stored: {stored}");
        }
    }
}

/// A stop that counts as requested at the third check after the end of a run, like a signal that reaches the judge later.
#[derive(Default)]
struct Late {
    ended: AtomicUsize,
    looks: AtomicUsize,
}

impl judge_job::StopRequest for Late {
    fn requested(&self) -> bool {
        self.ended.load(Ordering::SeqCst) > 0 && self.looks.fetch_add(1, Ordering::SeqCst) >= 2
    }

    fn request(&self) {}
}

#[test]
fn on_a_node_a_run_that_the_signal_of_a_stop_ended_was_interrupted() {
    let ends = [
        (End::Signalled { signal: 15 }, true),
        (End::Exited { code: 129 }, true),
        (End::Exited { code: 143 }, true),
        (End::Exited { code: 192 }, true),
        (End::Exited { code: 0 }, false),
        (End::Exited { code: 128 }, false),
        (End::Exited { code: 193 }, false),
        (End::TimedOut, false),
    ];
    for (end, by_signal) in ends {
        let folder = folder();
        let stop = Late::default();
        let outcome = |job: &Job| {
            let outcome = ended(job, end.clone(), "lluu");
            stop.ended.store(1, Ordering::SeqCst);
            outcome
        };
        let made = Made(&outcome);
        let (_, record) = first_run(&folder, &Local::on_node(&made), &stop);
        assert_eq!(record.is_none(), by_signal, "{end:?}");
        assert_eq!(folder.output("a/X.1.out").is_none(), by_signal, "nothing of an interrupted run is left: {end:?}");
    }
    // Elsewhere the signal reaches only one process: an entry that it ends has crashed.
    let folder = folder();
    let stop = Late::default();
    let outcome = |job: &Job| {
        let outcome = ended(job, End::Signalled { signal: 15 }, "");
        stop.ended.store(1, Ordering::SeqCst);
        outcome
    };
    let (_, record) = first_run(&folder, &Local::new(&Made(&outcome)), &stop);
    assert!(matches!(record.unwrap().verdict, Verdict::Crashed { .. }));
    // A stop that was requested before the end needs no signal.
    let folder = self::folder();
    let stop = StopFlag::default();
    let outcome = |job: &Job| {
        stop.request();
        ended(job, End::Exited { code: 0 }, "lluu")
    };
    let (interrupted, record) = first_run(&folder, &Local::on_node(&Made(&outcome)), &stop);
    assert_eq!((interrupted, record), (true, None));
}
