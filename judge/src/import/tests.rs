//! Tests of packages with an executor that only pretends to run their programs.

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::import::inputs::InputReport;
use crate::import::{
    Helpers, ImportError, Mark, PackageContest, PreparedPackage, Programs, Verification, VerificationOptions,
    check_inputs,
};
use judge_job::{
    Capacity, Contention, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome, StopFlag,
    StopRequest as _, Tier,
};
use judge_package::Package;
use tempfile::TempDir;

/// The behaviour of a program: its exit code, its output, and the milliseconds that it takes.
type FakeResult = (i32, &'static str, u64);

/// Behaves as listed for the first word that a command contains; other commands print nothing.
#[derive(Clone)]
struct FakeExecutor {
    deeds: Vec<(&'static str, FakeResult)>,
    /// The milliseconds that a program waits in addition, and those that other processes took meanwhile.
    waits: Vec<(&'static str, u64, u64)>,
    /// The end of a job whose command contains the word.
    ends: Vec<(&'static str, End)>,
    /// The command of every job.
    executed: Arc<Mutex<Vec<String>>>,
}

impl FakeExecutor {
    fn new(deeds: &[(&'static str, FakeResult)]) -> Self {
        Self { deeds: deeds.to_vec(), waits: Vec::new(), ends: Vec::new(), executed: Arc::default() }
    }

    /// The number of jobs whose command contains a word.
    fn executed(&self, word: &str) -> usize {
        self.executed.lock().unwrap().iter().filter(|command| command.contains(word)).count()
    }
}

fn isolation() -> Isolation {
    Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }
}

impl Executor for FakeExecutor {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let command = format!("{:?} {:?}", job.argv, job.stdin);
        let deed = self.deeds.iter().find(|(word, _)| command.contains(word)).map_or((0, "", 1), |(_, deed)| *deed);
        let wait = self.waits.iter().find(|(word, ..)| command.contains(word));
        let end = self.ends.iter().find(|(word, _)| command.contains(word)).map(|(_, end)| end.clone());
        self.executed.lock().unwrap().push(command);
        fs::write(&job.stdout, deed.1).unwrap();
        fs::write(&job.stderr, "").unwrap();
        let mut outcome = Outcome::new(end.unwrap_or(End::Exited { code: deed.0 }), isolation(), Machine::default());
        (outcome.wall_us, outcome.usage.cpu_us) = (Some(deed.2 * 1000), Some(deed.2 * 1000));
        if let Some((_, wait, taken)) = wait {
            outcome.wall_us = Some((deed.2 + wait) * 1000);
            let mut contention = Contention::default();
            (contention.taken_us, contention.cpu_pressure_us) = (Some(taken * 1000), Some(taken * 1000));
            outcome.contention = Some(contention);
        }
        outcome.stdout_bytes = deed.1.len() as u64;
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// A package with two test cases, both answered by 7, and these submissions.
struct Place(TempDir);

impl Place {
    fn new(submissions: &[&str]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.file("p/problem.yaml", "problem_format_version: legacy\nname: Seven\n");
        for case in ["sample/1", "secret/2"] {
            place.file(&format!("p/data/{case}.in"), case);
            place.file(&format!("p/data/{case}.ans"), "7\n");
        }
        for submission in submissions {
            place.file(&format!("p/submissions/{submission}"), "print(7)\n");
        }
        for program in ["python3", "pypy3"] {
            let file = place.file(&format!("bin/{program}"), "#!/bin/sh\n");
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        place
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn package(&self) -> Package {
        Package::read(&self.path("p")).unwrap()
    }

    fn programs<'e>(&self, executor: &'e FakeExecutor) -> Programs<'e> {
        Programs::new(executor, self.0.path(), &self.path("bin").to_string_lossy())
    }

    /// Verifies all submissions under a limit of one second.
    fn verify(&self, executor: &FakeExecutor) -> Verified {
        let (package, stop) = (self.package(), StopFlag::default());
        let all: Vec<usize> = (0..package.submissions.len()).collect();
        let folder = self.path("contest");
        let written = self.programs(executor).write(&package, &folder, 1.0).unwrap();
        let prepared = PreparedPackage::new(written, &folder, &all, 5.0).unwrap();
        let executor = Box::new(executor.clone());
        let place = VerificationOptions {
            executor,
            stop: &stop,
            jobs: None,
            clock: || None,
            grader_failed: &|group, _| panic!("{group}"),
        };
        let contest = PackageContest::new(&package, prepared, Helpers::default(), place).unwrap();
        let verification =
            Verification { package: &package, submissions: &all, limit: 1.0, highest: 5.0, narrowed: false };
        let mut lines = Vec::new();
        let (outcomes, failure) = verification.all(&contest, |outcome| {
            lines.push(outcome.to_string());
            Ok(())
        });
        assert!(failure.is_none(), "{failure:?}");
        let marks = outcomes.iter().map(|outcome| (outcome.path.clone(), outcome.mark())).collect();
        let margins = verification.margins(&contest, &outcomes);
        Verified { lines, marks, margins, cases: verification.cases(&contest, &outcomes, true) }
    }
}

struct Verified {
    lines: Vec<String>,
    marks: Vec<(String, Mark)>,
    margins: Vec<String>,
    cases: Vec<String>,
}

const GOOD: FakeResult = (0, "7\n", 200);
const BAD: FakeResult = (0, "8\n", 10);
/// A build, which a shell executes.
const BUILD: (&str, FakeResult) = ("Text(\"sh\")", (0, "", 1));
/// An input validator that accepts, with 42.
const ACCEPTS: (&str, FakeResult) = ("check", (42, "", 1));

#[test]
fn submissions_are_compared_with_what_their_folders_say() {
    let place = Place::new(&["accepted/good.py", "accepted/wrong.py", "wrong_answer/wrong2.py"]);
    let verified = place.verify(&FakeExecutor::new(&[("good", GOOD), ("wrong", BAD)]));
    let marks: Vec<(&str, Mark)> = verified.marks.iter().map(|(path, mark)| (path.as_str(), *mark)).collect();
    assert_eq!(
        marks,
        [("accepted/good.py", Mark::Ok), ("accepted/wrong.py", Mark::Differs), ("wrong_answer/wrong2.py", Mark::Ok)]
    );
    assert_eq!(verified.lines.len(), 3);
    assert!(verified.lines[1].starts_with("differs  accepted/wrong.py: "), "{:?}", verified.lines);
}

#[test]
fn a_submission_that_is_to_fail_runs_only_until_it_does() {
    let place = Place::new(&["accepted/good.py", "wrong_answer/wrong.py"]);
    let executor = FakeExecutor::new(&[("good", GOOD), ("wrong", BAD)]);
    let verified = place.verify(&executor);
    assert_eq!((executor.executed("good.py"), executor.executed("wrong.py")), (2, 1));
    assert!(verified.cases.iter().any(|line| line == "sample/1 rejects wrong_answer/wrong.py"), "{:?}", verified.cases);
}

#[test]
fn a_submission_that_needs_extra_time_is_tight() {
    let place = Place::new(&["accepted/good.py", "accepted/slow.py"]);
    let verified = place.verify(&FakeExecutor::new(&[("good", GOOD), ("slow", (0, "7\n", 2_000))]));
    assert_eq!(verified.marks[1].1, Mark::Tight, "{:?}", verified.lines);
    assert!(verified.lines[1].contains("only with extra time, up to 5 s"), "{:?}", verified.lines);
}

#[test]
fn a_submission_that_sleeps_past_the_limit_is_too_slow() {
    let place = Place::new(&[
        "accepted/dozes.py",
        "accepted/naps.py",
        "accepted/sleeps.py",
        "time_limit_exceeded/sleeps2.py",
        "accepted/waits_for_others.py",
    ]);
    let mut executor =
        FakeExecutor::new(&[("dozes", GOOD), ("naps", GOOD), ("sleeps", GOOD), ("waits_for_others", GOOD)]);
    // Limits of 1 and 5 s of CPU time imply limits of 4 and 12 s of wall-clock time.
    executor.waits =
        vec![("dozes", 3_700, 0), ("naps", 5_800, 0), ("sleeps", 15_800, 0), ("waits_for_others", 15_800, 12_000)];
    let verified = place.verify(&executor);
    let lines = verified.lines.join("\n");
    assert_eq!(
        verified.marks.iter().map(|(_, mark)| *mark).collect::<Vec<_>>(),
        [Mark::Ok, Mark::Tight, Mark::Differs, Mark::Ok, Mark::Ok],
        "{lines}"
    );
    for (line, words) in [
        (0, "accepted; 3.90 s of wall-clock time"),
        (1, "only with extra time, up to 5 s; at the limit of 1 s: time limit exceeded; 6.00 s of wall-clock time"),
        (2, "time limit exceeded; expected: accepted"),
        (3, "accepted; 4.00 s of wall-clock time"),
        (4, "time limit exceeded; time limit exceeded on sample/1; 16.00 s of wall-clock time"),
    ] {
        assert!(verified.lines[line].contains(words), "{words}: {lines}");
    }
    let margins = &verified.margins;
    let slow = "fastest too slow: accepted/naps.py, 6.00 s of wall-clock time, as slow as 2.00 s of CPU time, on";
    assert!(margins[1].starts_with(slow) && margins[1].contains("2.0 times the limit"), "{margins:?}");
}

#[test]
fn margins_are_those_of_the_slowest_accepted_submission() {
    let place = Place::new(&["accepted/good.py", "time_limit_exceeded/slow.py"]);
    let verified = place.verify(&FakeExecutor::new(&[("good", GOOD), ("slow", (0, "7\n", 3_000))]));
    // Its runs end, but later than the limit.
    assert_eq!(verified.marks[1].1, Mark::Tight, "{:?}", verified.lines);
    let lines = &verified.margins;
    assert!(lines[0].starts_with("slowest accepted: accepted/good.py, 0.20 s "), "{lines:?}");
    assert!(lines[0].contains("the limit is 5.0 times that"), "{lines:?}");
    assert!(lines[1].starts_with("fastest too slow: time_limit_exceeded/slow.py, 3.00 s "), "{lines:?}");
}

#[test]
fn a_margin_that_is_met_exactly_is_enough() {
    // Times in milliseconds: at the margins of 5 and 2 that the format asks for, and just inside them.
    for (accepted, too_slow, words) in [
        (200, 2_000, ["that, time_multiplier asks for 5", "the limit, time_safety_margin asks for 2"]),
        (201, 1_999, ["less than the 5 of time_multiplier", "less than the 2 of time_safety_margin"]),
    ] {
        let place = Place::new(&["accepted/good.py", "time_limit_exceeded/slow.py"]);
        let runs = [("good", (0, "7\n", accepted)), ("slow", (0, "7\n", too_slow))];
        let lines = place.verify(&FakeExecutor::new(&runs)).margins;
        assert!(lines.iter().zip(words).all(|(line, words)| line.contains(words)), "{lines:?}");
    }
}

#[test]
fn a_package_without_submissions_is_refused() {
    let (place, executor) = (Place::new(&[]), FakeExecutor::new(&[]));
    let written = place.programs(&executor).write(&place.package(), &place.path("contest"), 1.0).unwrap();
    let error = PreparedPackage::new(written, &place.path("contest"), &[], 1.0).map(|_| ()).unwrap_err();
    assert!(matches!(error, ImportError::NoSubmission), "{error}");
}

#[test]
fn a_language_that_does_not_start_here_is_no_language_of_this_machine() {
    let place = Place::new(&["accepted/good.py"]);
    // A version manager has a script for it, but no version.
    let executor = FakeExecutor::new(&[("--version", (127, "", 1))]);
    let written = place.programs(&executor).write(&place.package(), &place.path("contest"), 1.0).unwrap();
    let error = PreparedPackage::new(written, &place.path("contest"), &[0], 1.0).map(|_| ()).unwrap_err();
    assert!(matches!(&error, ImportError::NothingRuns { reasons } if reasons.len() == 1), "{error}");
}

const REASON: &str = "the sandbox: no room";

#[test]
fn where_the_sandbox_fails_nothing_is_said_of_the_package() {
    let place = Place::new(&["accepted/good.py"]);
    place.file("p/input_validators/check.py", "");
    place.file("p/data/invalid_input/empty.in", "");
    place.file("g/problem.yaml", "problem_format_version: 2025-09\nname: Seven\n");
    place.file("g/generators/generators.yaml", "data: {secret: {data: {a: make.py}}}\n");
    place.file("g/generators/make.py", "");
    // A program that is tried, a build, an input, one that must be rejected, and a generator.
    for (word, program) in [
        ("--version", "python3"),
        ("Text(\"sh\")", "the build of check.py"),
        ("secret/2", "check.py"),
        ("invalid", "check.py"),
        ("/make.py\")", "make.py"),
    ] {
        let mut executor = FakeExecutor::new(&[BUILD, ("secret", (42, "1\n", 1)), ("invalid", (1, "", 1)), ACCEPTS]);
        executor.ends = vec![(word, End::JudgeError { reason: REASON.into() })];
        let (programs, stop) = (place.programs(&executor), StopFlag::default());
        let error = if program == "make.py" {
            crate::import::generate(&place.path("g"), None, &place.path("made"), &programs, &executor, &stop).map(drop)
        } else {
            check_inputs(&place.package(), place.0.path(), &programs, &executor, &stop).map(drop)
        };
        let error = error.unwrap_err();
        assert!(matches!(&error, ImportError::Untried { .. }), "{word}: {error}");
        assert_eq!(error.to_string(), format!("{program} cannot be tried here: {REASON}"), "{word}");
    }
}

#[test]
fn a_program_that_the_sandbox_does_not_start_is_reported_with_the_reason() {
    let place = Place::new(&["accepted/good.py"]);
    let mut executor = FakeExecutor::new(&[]);
    executor.ends = vec![("--version", End::CouldNotStart { reason: REASON.into(), by_author: false })];
    let programs = place.programs(&executor);
    programs.write(&place.package(), &place.path("contest"), 1.0).unwrap();
    assert_eq!(programs.take_unstarted(), [("python3".to_owned(), REASON.to_owned())]);
    assert_eq!(programs.take_unstarted(), []);
}

fn checked(place: &Place, executor: &FakeExecutor) -> InputReport {
    let (package, programs) = (place.package(), place.programs(executor));
    let report = check_inputs(&package, place.0.path(), &programs, executor, &StopFlag::default()).unwrap();
    assert_eq!(report.not_run, []);
    report
}

#[test]
fn inputs_are_checked_by_the_validators_of_the_package() {
    let place = Place::new(&["accepted/good.py"]);
    place.file("p/input_validators/check.py", "");
    place.file("p/data/invalid_input/empty.in", "");
    let report = checked(
        &place,
        &FakeExecutor::new(&[BUILD, ("secret/2", (1, "too large\n", 1)), ("invalid", (1, "", 1)), ACCEPTS]),
    );
    assert_eq!((report.validators, report.cases, report.valid), (1, 2, 1));
    assert_eq!((report.invalid, report.rejected), (1, 1));
    assert_eq!(report.faults, ["secret/2: check.py rejects it: exit code 1: too large"]);
}

#[test]
fn an_invalid_input_that_nothing_rejects_is_a_fault() {
    let place = Place::new(&["accepted/good.py"]);
    place.file("p/input_validators/check.py", "");
    place.file("p/data/invalid_input/empty.in", "");
    let report = checked(&place, &FakeExecutor::new(&[BUILD, ACCEPTS]));
    assert_eq!(report.faults, ["invalid_input/empty.in: no input validator rejects it"]);
}

#[test]
fn a_stop_ends_the_check_of_inputs() {
    let (place, stop) = (Place::new(&["accepted/good.py"]), StopFlag::default());
    place.file("p/input_validators/check.py", "");
    stop.request();
    let executor = FakeExecutor::new(&[BUILD, ACCEPTS]);
    let ended = check_inputs(&place.package(), place.0.path(), &place.programs(&executor), &executor, &stop);
    assert!(matches!(ended, Err(ImportError::Interrupted)));
}

#[test]
fn links_must_lead_into_a_folder_around_the_package() {
    let (place, executor) = (Place::new(&[]), FakeExecutor::new(&[]));
    place.file("p/generators/generators.yaml", "data: {}\n");
    let elsewhere = place.path("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let scratch = Path::new("unused");
    let made = crate::import::generate(
        &place.path("p"),
        Some(&elsewhere),
        scratch,
        &place.programs(&executor),
        &executor,
        &StopFlag::default(),
    );
    assert!(matches!(made, Err(ImportError::LinksElsewhere { .. })), "{made:?}");
}
