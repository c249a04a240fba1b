//! Tests of grading results and comparing them with expectations.

use std::collections::BTreeMap;

use judge_package::{CaseResult, CaseScore, Expectation, Judged, Judgement, Package, Progress};

use crate::{made, package};

/// Results by the name of the test case: `AC`, `WA`, `TLE`, `RTE`, optionally with a score after a space.
fn results(package: &Package, text: &str) -> BTreeMap<usize, CaseResult> {
    let parts = text.split(", ").filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let words: Vec<&str> = part.split(' ').collect();
            let index = package.data.cases.iter().position(|case| case.name == words[0]).expect("a test case");
            let judgement = match words[1] {
                "AC" => Judgement::Accepted,
                "WA" => Judgement::WrongAnswer,
                "TLE" => Judgement::TimeLimit,
                "RTE" => Judgement::RunTimeError,
                _ => Judgement::OutputLimit,
            };
            let score = words.get(2).map(|score| match score.strip_suffix('%') {
                Some(share) => CaseScore::Share(share.parse::<f64>().expect("a number") / 100.0),
                None => CaseScore::Points(score.parse().expect("a number")),
            });
            (index, CaseResult { judgement, score })
        })
        .collect()
}

fn compare(package: &Package, expectation: &Expectation, text: &str) -> Progress {
    let known = results(package, text);
    let results = |index: usize| known.get(&index).copied();
    let messages = |index: usize| (index == 2).then(|| "exactly 7 expected, found 5".to_owned());
    package.compare(expectation, &Judged { results: &results, messages: &messages, graded: &|_| None })
}

/// A short text for the decision.
fn decided(package: &Package, path: &str, text: &str) -> String {
    let expectation = &package.submissions.iter().find(|one| one.path == path).expect("a submission").expectation;
    match compare(package, expectation, text) {
        Progress::Needs(cases) => {
            let names: Vec<&str> = cases.iter().map(|index| package.data.cases[*index].name.as_str()).collect();
            format!("needs {}", names.join(", "))
        }
        Progress::Grade(call) => format!("grade {}: {:?}", call.group, call.input),
        Progress::Decided(comparison) => {
            let agrees = comparison.agrees.map_or("?", |agrees| if agrees { "ok" } else { "differs" });
            format!("{agrees}: {}; {}", comparison.ours, comparison.reason)
        }
    }
}

#[test]
fn a_rejected_test_case_ends_the_judging_of_a_pass_fail_package() {
    let package = package("apart");
    let of = |path: &str, text: &str| decided(&package, path, text);
    assert_eq!(of("wrong_answer/same.py", ""), "needs sample/1");
    assert_eq!(of("wrong_answer/same.py", "sample/1 AC"), "needs secret/01-zero");
    assert_eq!(of("wrong_answer/same.py", "sample/1 WA"), "ok: wrong answer; wrong answer on sample/1");
    assert_eq!(of("accepted/apart.c", "sample/1 TLE"), "differs: time limit exceeded; time limit exceeded on sample/1");
    assert_eq!(of("accepted/apart.c", "sample/1 AC, secret/01-zero AC, secret/02-large AC"), "ok: accepted; ");
    assert_eq!(of("mixed/tagged.py", "sample/1 RTE"), "ok: run-time error; run-time error on sample/1");
    // Endless output is ended early here, and late elsewhere.
    assert_eq!(
        of("time_limit_exceeded/count.c", "sample/1 OLE"),
        "ok: output limit exceeded; output limit exceeded on sample/1"
    );
}

#[test]
fn the_words_of_the_format_are_about_all_test_cases() {
    let package = package("apart");
    let of = |path: &str, text: &str| decided(&package, path, text);
    // The first rejected test case decides, but the folder also allows wrong answers before the slow one.
    let slow = "time_limit_exceeded/count.c";
    assert_eq!(of(slow, "sample/1 WA"), "needs secret/01-zero, secret/02-large");
    assert_eq!(
        of(slow, "sample/1 WA, secret/01-zero AC, secret/02-large TLE"),
        "ok: wrong answer; its folder demands only: time limit exceeded on at least one test case, accepted or wrong answer on the others"
    );
    assert!(of(slow, "sample/1 WA, secret/01-zero RTE, secret/02-large TLE").starts_with("differs"));
    assert!(of("wrong_answer/same.py", "sample/1 TLE, secret/01-zero WA, secret/02-large WA").starts_with("differs"));
    assert!(of("run_time_error/assert.py", "sample/1 WA, secret/01-zero AC, secret/02-large RTE").starts_with("ok"));
}

#[test]
fn groups_have_scores() {
    let package = package("echo");
    let of = |path: &str, text: &str| decided(&package, path, text);
    let all = "sample/1 AC, secret/group1/1 AC, secret/group1/2 AC, secret/group2/1 AC, secret/group2/2 AC";
    assert_eq!(of("accepted/echo.cpp", all), "ok: accepted with score 100; ");
    assert_eq!(of("partially_accepted/three.py", all), "differs: accepted with score 100; ");
    let half = "sample/1 WA, secret/group1/1 AC, secret/group1/2 AC, secret/group2/1 WA";
    assert_eq!(of("partially_accepted/three.py", half), "ok: accepted with score 30; ");
    // The first group is not decided, the second one is.
    assert_eq!(
        of("wrong_answer/none.py", "sample/1 AC, secret/group1/1 AC, secret/group2/1 WA"),
        "needs secret/group1/2"
    );
    let none = "sample/1 WA, secret/group1/1 RTE, secret/group2/1 WA";
    assert_eq!(of("wrong_answer/none.py", none), "needs secret/group1/2, secret/group2/2");
}

#[test]
fn a_validator_gives_scores() {
    let package = package("knapsack");
    let of = |path: &str, text: &str| decided(&package, path, text);
    assert_eq!(
        of("accepted/best.py", "sample/1 AC 7, secret/1 AC 20, secret/2 AC 20.5"),
        "ok: accepted with score 40.5; "
    );
    let partial = "sample/1 AC 7, secret/1 AC 18.5, secret/2 AC 20.5";
    assert_eq!(of("partially_accepted/first.py", partial), "ok: accepted with score 39; ");
    assert_eq!(of("accepted/best.py", "sample/1 AC 7, secret/1 AC, secret/2 AC 20.5"), "differs: judge error; ");
}

#[test]
fn groups_of_2025_09_depend_on_each_other() {
    let package = package("stones");
    let of = |path: &str, text: &str| decided(&package, path, text);
    let with = |one: &str, two: &str| {
        format!(
            "sample/1 AC, secret/group1/1 AC, secret/group1/7 {one}, secret/group2/100 AC 100%, secret/group2/1000 {two}"
        )
    };
    assert_eq!(of("mixed/half.py", "sample/1 AC").split(' ').count(), 5);
    assert_eq!(of("mixed/half.py", &with("AC", "AC 50%")), "ok: accepted with score 70; ");
    assert_eq!(
        of("mixed/half.py", &with("AC", "AC")),
        "differs: accepted with score 100; score 100 is not 70 to 70; score 60 is not 30 to 30"
    );
    assert_eq!(of("accepted/echo.py", &with("AC", "AC 100%")), "ok: accepted with score 100; ");
    let wrong = with("WA", "AC 100%");
    assert_eq!(of("mixed/none.py", &wrong), "ok: wrong answer with score 0; wrong answer on secret/group1/7");
    assert_eq!(
        of("accepted/echo.py", &wrong),
        "differs: wrong answer with score 0; score 0 is not 100 to 100; accepted does not permit wrong answer on secret/group1/7"
    );
    assert_eq!(
        of("brute_force/loop.py", &with("AC", "AC 100%")),
        "differs: accepted with score 100; brute_force requires run-time error or time limit exceeded on at least one test case"
    );
}

#[test]
fn only_what_a_grader_can_score_is_compared() {
    let root = made(&[
        ("problem.yaml", "type: scoring\n"),
        ("data/testdata.yaml", "grading: custom\ngrader_flags: anything\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("submissions/accepted/a.py", ""),
        ("submissions/later/b.py", ""),
        ("submissions/partially_accepted/c.py", ""),
    ]);
    let package = Package::read(root.path()).expect("a package");
    assert_eq!(decided(&package, "accepted/a.py", ""), "needs secret/1");
    // A verdict needs no scores, and the worst of a group's members is its own.
    assert_eq!(decided(&package, "accepted/a.py", "secret/1 AC"), "ok: accepted; ");
    let differs = decided(&package, "accepted/a.py", "secret/1 WA");
    assert_eq!(differs, "differs: wrong answer; wrong answer on secret/1");
    let decision = decided(&package, "partially_accepted/c.py", "secret/1 AC");
    assert_eq!(decision, "?: 1 accepted; a grader is to grade group secret, and there is none to run");
    assert!(matches!(package.timed_cases(&package.submissions[0].expectation)[..], [0]));
    assert!(package.timed_cases(&package.submissions[1].expectation).is_empty());
    std::fs::create_dir(root.path().join("graders")).expect("created");
    std::fs::write(root.path().join("graders/g.py"), "").expect("written");
    let package = Package::read(root.path()).expect("a package");
    assert_eq!(decided(&package, "accepted/a.py", "secret/1 WA"), "grade secret: \"WA 0\\n\"");
    std::fs::write(root.path().join("graders/h.py"), "").expect("written");
    assert!(
        Package::read(root.path()).expect_err("two").reason.contains("at most one grader is possible, not g.py, h.py")
    );
    for (printed, total) in [
        ("AC 12.5\n", "accepted with score 12.5"),
        ("WA\t0", "wrong answer with score 0"),
        ("AC", "expected for example `AC 12.5`, not `AC`"),
        ("AC inf", "expected for example `AC 12.5`, not `AC inf`"),
        ("OK 1", "expected for example `AC 12.5`, not `OK 1`"),
        ("", "expected for example `AC 12.5`, not ``"),
    ] {
        let read = judge_package::GraderCall::read(printed);
        assert_eq!(read.map_or_else(|error| error.to_string(), |total| total.to_string()), total);
    }
}

#[test]
fn tags_of_domjudge_state_results_and_scores() {
    let root = made(&[
        ("problem.yaml", "type: scoring\n"),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
        ("data/secret/easy/1.in", ""),
        ("data/secret/easy/1.ans", ""),
        ("data/secret/easy/2.in", ""),
        ("data/secret/easy/2.ans", ""),
        ("data/secret/easy/testdata.yaml", "accept_score: 20\n"),
        ("data/secret/testdata.yaml", "grader_flags: sum\n"),
        ("submissions/partial/first.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER\n"),
        ("submissions/partial/score.py", "# @EXPECTED_SCORE@: 20 */\n"),
        ("submissions/partial/format.py", "# @EXPECTED_SCORE@: 41\n"),
        ("submissions/wrong_answer/both.py", "# @EXPECTED_RESULTS@: CORRECT, WRONG-ANSWER\n"),
        ("submissions/accepted/twice.py", "# @EXPECTED_RESULTS@: RUN-ERROR\n# @EXPECTED_RESULTS@: CORRECT\n"),
        ("submissions/partial/unknown.py", "# @EXPECTED_RESULTS@: CHECK-MANUALLY\n"),
    ]);
    let package = Package::read(root.path()).expect("a package");
    let of = |path: &str, one: &str, two: &str| {
        decided(&package, path, &format!("sample/1 AC, secret/easy/1 {one}, secret/easy/2 {two}"))
    };
    // The grader of the format reports the worst error, DOMjudge the first.
    assert_eq!(
        of("partial/first.py", "WA", "TLE"),
        "ok: time limit exceeded with score 1; as DOMjudge grades: wrong answer with score 0, wrong answer on secret/easy/1"
    );
    assert!(of("partial/first.py", "RTE", "RTE").starts_with("differs: "));
    // In the format each test case has the score, in DOMjudge the group as a whole, and the samples have none.
    assert_eq!(
        of("partial/score.py", "AC", "AC"),
        "ok: accepted with score 41; as DOMjudge grades: accepted with score 20"
    );
    assert_eq!(of("partial/format.py", "AC", "AC"), "ok: accepted with score 41; ");
    assert_eq!(
        of("partial/score.py", "AC", "WA"),
        "differs: wrong answer with score 21; as DOMjudge grades: wrong answer with score 0; wrong answer on secret/easy/2"
    );
    // The folder restricts a list of results, and counts if there are several statements.
    assert!(of("wrong_answer/both.py", "AC", "AC").starts_with("differs: accepted"));
    assert!(of("accepted/twice.py", "AC", "AC").starts_with("ok: accepted"));
    assert!(of("partial/unknown.py", "AC", "AC").starts_with("?: accepted"));
}
