//! Tests of runs of several passes: the input of the referee and the entry in each, and the combined result.

use super::*;
use judge_core::journal::Pass;

/// A contest whose referee allows three passes.
fn contest() -> (Folder, Contest) {
    let head = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\ninput = \"stdin\"\n\
                [referee]\nprotocol = \"kattis\"\ncommand = \"./referee\"\npasses = 3\n";
    let folder = Folder::new(&format!("{head}[[board]]\nname = \"X\"\nfile = \"x.txt\"\n{ENTRIES}"));
    let contest = folder.contest();
    (folder, contest)
}

/// The text that a job reads: on standard input, or under the name of a copy or a placed file.
fn stdin(job: &Job) -> String {
    match &job.stdin {
        Stdin::File(path) => fs::read_to_string(path).unwrap(),
        Stdin::Nothing => String::new(),
    }
}

fn copy(job: &Job, name: &str) -> Option<String> {
    let copied = job.copies.iter().find(|file| file.name == name).map(|file| fs::read_to_string(&file.from).unwrap());
    copied.or_else(|| {
        let placed = job.files.iter().find(|file| file.name == name)?;
        Some(String::from_utf8(placed.contents.clone()).unwrap())
    })
}

/// Runs entry `a`, and returns its record, its output and the transcript. `act` gets each job, true for a referee's job, and the
/// number of the pass.
fn run(act: impl Fn(&Job, bool, usize) -> (End, String) + Sync) -> (Record, String, String) {
    let (folder, contest) = contest();
    contest.keep_files(&folder.results()).unwrap();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let pass = Mutex::new(0);
    let act = |job: &Job| {
        let of_referee = words(job).contains("/referee");
        let mut pass = pass.lock().unwrap();
        *pass += usize::from(!of_referee);
        Ok(act(job, of_referee, *pass))
    };
    let runner = Runner::new(&contest, &order, &results, &slots);
    let first = [PendingRun { index: order.iter().position(|key| &*key.entry == "a").unwrap(), attempt: 1 }];
    runner.run(&first, &FakeExecutor(&act), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    let output = folder.output("a/X.1.out").unwrap();
    (folder.records().remove(0), output, folder.output("a/X.1.talk.jsonl").unwrap())
}

/// A referee that leaves these files and accepts.
fn leaves(job: &Job, files: &[(&str, &str)]) -> (End, String) {
    let to = &job.wanted_folders[0].to;
    files.iter().for_each(|(name, text)| fs::write(to.join(name), text).unwrap());
    (End::Exited { code: 42 }, String::new())
}

#[test]
fn every_program_of_a_pass_has_its_own_files() {
    let (record, output, transcript) = run(|job, of_referee, pass| {
        if !of_referee {
            let expected = [NEAR, "second\n", "third\n"][pass - 1];
            assert_eq!(stdin(job), expected);
            return (End::Exited { code: 0 }, format!("answer {pass}\n"));
        }
        assert_eq!(stdin(job), format!("answer {pass}\n"));
        assert_eq!(copy(job, "board").as_deref(), Some([NEAR, "second\n", "third\n"][pass - 1]));
        assert_eq!(copy(job, "out/nextpass.in"), None, "the input of a pass is not there any more");
        match pass {
            1 => leaves(job, &[("nextpass.in", "second\n"), ("state", "one")]),
            2 => {
                assert_eq!(copy(job, "out/state").as_deref(), Some("one"));
                leaves(job, &[("nextpass.in", "third\n"), ("state", "two")])
            }
            _ => {
                assert_eq!(copy(job, "out/state").as_deref(), Some("two"));
                (End::Exited { code: 42 }, String::new())
            }
        }
    });
    assert!(matches!(record.verdict, Verdict::Solved(_)), "{:?}", record.verdict);
    assert_eq!(output, "answer 1\nanswer 2\nanswer 3\n");
    assert_eq!(record.extras.passes, [Pass { wall_us: Some(7), cpu_us: None }; 3]);
    assert_eq!((record.wall_us, record.stdout_bytes), (Some(21), 27));
    assert!(!record.has_answer(), "it cannot be refereed again");
    let starts: Vec<&str> = transcript.lines().filter(|line| line.starts_with("{\"pass\"")).collect();
    assert_eq!(starts, ["{\"pass\":1}", "{\"pass\":2}", "{\"pass\":3}"]);
    assert!(transcript.contains("\"from\":0,\"text\":\"third\\n\"") && transcript.contains("answer 3"), "{transcript}");
}

#[test]
fn the_first_pass_that_fails_decides() {
    let asks = |job: &Job| leaves(job, &[("nextpass.in", "again\n")]);
    let (record, ..) = run(|job, of_referee, pass| match (of_referee, pass) {
        (true, _) => asks(job),
        (false, 2) => (End::Exited { code: 3 }, "half".into()),
        _ => (End::Exited { code: 0 }, "1\n".into()),
    });
    assert!(matches!(record.verdict, Verdict::Crashed { .. }), "{:?}", record.verdict);
    assert_eq!(record.extras.passes.len(), 2);
    let (record, ..) = run(|job, of_referee, pass| match (of_referee, pass) {
        (true, 1) => asks(job),
        (true, _) => (End::Exited { code: 43 }, String::new()),
        _ => (End::Exited { code: 0 }, "1\n".into()),
    });
    assert!(matches!(record.verdict, Verdict::Wrong { .. }), "{:?}", record.verdict);
}

#[test]
fn a_referee_that_asks_wrongly_is_a_judge_error() {
    let reason = |act: &(dyn Fn(&Job) -> (End, String) + Sync)| {
        let (record, ..) = run(|job, of_referee, _| match of_referee {
            true => act(job),
            false => (End::Exited { code: 0 }, "1\n".into()),
        });
        match record.verdict {
            Verdict::JudgeError { reason: JudgeFailure::Referee(reason) } => reason,
            verdict => panic!("{verdict:?}"),
        }
    };
    let asks = |job: &Job| leaves(job, &[("nextpass.in", "again\n")]);
    assert_eq!(reason(&asks), "it asks for more than 3 passes, the most that [referee] allows");
    let rejects = |job: &Job| (End::Exited { code: 43 }, asks(job).1);
    assert!(reason(&rejects).contains("it rejects and asks for another pass (nextpass.in)"));
    let large = "x".repeat(17 << 20);
    let floods = |job: &Job| leaves(job, &[("nextpass.in", "again\n"), ("state", &large)]);
    assert!(reason(&floods).contains("more than the next pass can get"), "{}", reason(&floods));
    // It is unknown whether `nextpass.in` is one of the files that were not kept.
    let names: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
    let many = |job: &Job| leaves(job, &names.iter().map(|name| (name.as_str(), "")).collect::<Vec<_>>());
    assert!(reason(&many).contains("5000 files in its folder"), "{}", reason(&many));
}

#[test]
fn keys_that_do_not_fit_passes_are_refused() {
    let refused = |change: (&str, &str)| {
        let (folder, _) = contest();
        let file = folder.0.path().join("contest.toml");
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replace(change.0, change.1)).unwrap();
        Contest::load(folder.0.path(), &Overrides::default()).map(drop).unwrap_err().to_string()
    };
    for (change, reason) in [
        (("passes = 3", "passes = 1"), "passes must be 2 to 10000, not 1"),
        (("\"kattis\"", "\"native\""), "passes is a key of protocol \"kattis\" only"),
        (("passes = 3", "passes = 3\nrepeat = 2"), "a run of several passes cannot be refereed again; remove repeat"),
        (("[referee]", "[answers]\nstream = true\n[referee]"), "a referee with passes reads no stream of answers"),
    ] {
        let error = refused(change);
        assert!(error.contains(reason), "{error}");
    }
}
