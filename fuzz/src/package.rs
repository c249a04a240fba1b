//! A problem package beside one test case.
//!
//! What must hold: results can be compared; the contest folder loads.

use std::fs;
use std::path::Path;

use judge_contest::{Contest, Overrides};
use judge_package::{CaseResult, GraderCall, Judged, Judgement, Options, Package, Progress};
use tempfile::TempDir;

use crate::common::new_folder;

/// The line between two files of an input.
const BETWEEN: &str = "\n====\n";
/// The files of an input, in this order.
const FILES: [&str; 9] = [
    "problem.yaml",
    "data/testdata.yaml",
    "data/secret/test_group.yaml",
    "data/secret/group/testdata.yaml",
    "data/secret/group/1.yaml",
    "submissions/submissions.yaml",
    "submissions/accepted/Solver.java",
    ".timelimit",
    "data/secret/group/1.args",
];

thread_local! {
    static FOLDER: TempDir = {
        let folder = new_folder();
        for name in ["data/sample", "data/secret/group", "submissions/accepted", "submissions/mixed", "output_validators"] {
            fs::create_dir_all(folder.path().join("package").join(name)).expect("the folder can be written");
        }
        for name in ["data/sample/1", "data/secret/group/1", "data/secret/group/2"] {
            for ending in ["in", "ans"] {
                let file = folder.path().join("package").join(format!("{name}.{ending}"));
                fs::write(file, "1\n").expect("the folder can be written");
            }
        }
        for name in ["submissions/mixed/other.py", "output_validators/validate.py"] {
            fs::write(folder.path().join("package").join(name), "").expect("the folder can be written");
        }
        folder
    };
}

/// Reads the package. Of an accepted one, every submission can be compared once all results are known, and the contest
/// folder loads.
pub fn check(input: &[u8]) {
    FOLDER.with(|folder| check_in(folder.path(), input));
}

fn check_in(folder: &Path, input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    // What a grader prints is untrusted as well.
    drop(GraderCall::read(&text));
    let mut parts = text.split(BETWEEN);
    for name in FILES {
        let file = folder.join("package").join(name);
        match parts.next() {
            Some(part) => fs::write(file, part).expect("the folder can be written"),
            None => drop(fs::remove_file(file)),
        }
    }
    let package = match Package::read(&folder.join("package")) {
        Ok(package) => package,
        Err(refusal) => {
            assert!(!refusal.reason.is_empty());
            return;
        }
    };
    for judgement in [Judgement::Accepted, Judgement::WrongAnswer, Judgement::TimeLimit, Judgement::RunTimeError] {
        let all = |_: usize| Some(CaseResult { judgement, score: None });
        let judged = Judged { results: &all, messages: &|_| None, graded: &|_| None };
        for submission in &package.submissions {
            let compared = package.compare(&submission.expectation, &judged);
            assert!(matches!(compared, Progress::Decided(_)), "{compared:?}");
        }
    }
    let target = folder.join("contest");
    drop(fs::remove_dir_all(&target));
    let options = Options { time_limit: package.time_limit(0.1), has: &|_| true };
    let Ok(written) = package.write(&target, &options) else { return };
    if !written.entries.is_empty() {
        let contest = Contest::load(&target, &Overrides::default());
        let contest = contest.unwrap_or_else(|error| panic!("the contest of a package is refused: {error}"));
        assert_eq!(contest.plan.boards.len(), package.data.cases.len());
    }
}
