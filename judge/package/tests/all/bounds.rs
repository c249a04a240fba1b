//! Clauses of 2025-09 about largest scores and about groups, derived from the text of the format; and clauses of both versions
//! that only metadata can violate.

use judge_package::{CaseResult, CaseScore, Judged, Judgement, Package, Progress};

use crate::made;

const SCORING: &str = "problem_format_version: 2025-09\nname: x\ntype: scoring\n";

/// A scoring package of 2025-09 with a validator, test cases 1 and 2 in each of the groups a and b, and a submission.
fn files<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut all = vec![
        ("problem.yaml", SCORING),
        ("output_validator/validate.py", ""),
        ("submissions/accepted/x.py", ""),
        ("data/secret/a/test_group.yaml", "max_score: 30\nscore_aggregation: sum\n"),
        ("data/secret/b/test_group.yaml", "max_score: 70\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
        ("data/secret/a/2.in", "2"),
        ("data/secret/a/2.ans", ""),
        ("data/secret/b/1.in", ""),
        ("data/secret/b/1.ans", ""),
        ("data/secret/b/2.in", "2"),
        ("data/secret/b/2.ans", ""),
    ];
    all.retain(|(known, _)| !more.iter().any(|(name, _)| name == known));
    all.extend(more);
    all
}

/// The notices of the package, or the reason why it is refused, without the path of its folder.
fn read(files: &[(&str, &str)]) -> Result<String, String> {
    let root = made(files);
    let place = format!("{}/", root.path().canonicalize().expect("a folder").display());
    let read = Package::read(root.path());
    read.map(|package| package.notices.join("; ").replace(&place, ""))
        .map_err(|error| error.to_string().replace(&place, ""))
}

/// The result and its reason for these scores of test cases: `-` for an accepted one without a score, `W` for a wrong
/// answer.
fn graded(files: &[(&str, &str)], scores: &str) -> (bool, String, Option<String>) {
    let package = Package::read(made(files).path()).expect("a package");
    let words: Vec<&str> = scores.split_whitespace().collect();
    let results = |index: usize| {
        let judgement = if words[index] == "W" { Judgement::WrongAnswer } else { Judgement::Accepted };
        Some(CaseResult { judgement, score: words[index].parse().ok().map(CaseScore::Points) })
    };
    let judged = Judged { results: &results, messages: &|_| None, graded: &|_| None };
    match package.compare(&package.submissions[0].expectation, &judged) {
        Progress::Decided(comparison) => {
            let ours = format!("{}; {}", comparison.ours, comparison.reason);
            (comparison.agrees == Some(true), ours, package.score_fault(&results))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_score_that_the_validator_may_not_give_is_a_judge_error() {
    let usual = files(&[]);
    // 15 each in a; in b the validator gives none.
    assert_eq!(graded(&usual, "15 7.5 0 0"), (true, "accepted with score 92.5; ".into(), None));
    assert_eq!(graded(&usual, "- - - -"), (true, "accepted with score 100; ".into(), None));
    let fault = "secret/a/2: it has score 15.1, and the largest score of a test case there is 15";
    let (agrees, ours, found) = graded(&usual, "15 15.1 0 0");
    assert_eq!((agrees, found.as_deref()), (false, Some(fault)));
    assert!(ours.starts_with("judge error") && ours.contains("judge error on secret/a/2"), "{ours}");
    let fault = "secret/b/1: it has score 1, and in a group with score_aggregation pass-fail a validator gives none";
    let (agrees, ours, found) = graded(&usual, "15 15 1 0");
    assert_eq!((agrees, found.as_deref()), (false, Some(fault)));
    assert!(ours.starts_with("judge error"), "{ours}");
    // A third of 100 has more decimals than a score.
    let thirds = files(&[("data/secret/a/test_group.yaml", "max_score: 30\nscore_aggregation: min\n")]);
    assert_eq!(graded(&thirds, "30.0000001 30 0 0").2, None);
    assert!(graded(&thirds, "30.001 30 0 0").2.is_some());
    // Without a bound, any.
    let unbounded = files(&[
        ("data/secret/test_group.yaml", "max_score: unbounded\n"),
        ("data/secret/a/test_group.yaml", "max_score: unbounded\nscore_aggregation: sum\n"),
    ]);
    assert_eq!(graded(&unbounded, "1000 1 0 0"), (true, "accepted with score 1071; ".into(), None));
    // No score is below 0.
    let fault = |index: &str| format!("secret/{index}: it has score -1, and no score of a package is below 0");
    assert_eq!(graded(&usual, "15 -1 0 0").2, Some(fault("a/2")));
    assert_eq!(graded(&usual, "15 15 -1 0").2, Some(fault("b/1")));
    assert_eq!(graded(&unbounded, "-1 1 0 0").2, Some(fault("a/1")));
    // The score of a sample is ignored.
    let sample = files(&[("data/sample/1.in", ""), ("data/sample/1.ans", "")]);
    assert_eq!(graded(&sample, "500 15 15 0 0"), (true, "accepted with score 100; ".into(), None));
    assert_eq!(graded(&sample, "-5 15 15 0 0"), (true, "accepted with score 100; ".into(), None));
    // Without groups, secret has 25 for each of four test cases.
    let plain: Vec<(&str, &str)> =
        files(&[]).into_iter().filter(|(name, _)| !name.ends_with(".yaml") || *name == "problem.yaml").collect();
    assert_eq!(
        graded(&plain, "25 - W 0"),
        (false, "wrong answer with score 50; accepted does not permit wrong answer on secret/b/1".into(), None)
    );
    assert!(graded(&plain, "25 25.5 - -").2.is_some());
}

#[test]
fn secret_cannot_have_more_than_its_own_largest_score() {
    let more = files(&[("data/secret/b/test_group.yaml", "max_score: 80\n")]);
    let (agrees, ours, _) = graded(&more, "15 15 0 0");
    assert!(!agrees && ours.starts_with("judge error"), "{ours}");
    assert!(ours.contains("the score of secret is more than its max_score"), "{ours}");
    assert_eq!(graded(&more, "10 10 0 0"), (true, "accepted with score 100; ".into(), None));
}

#[test]
fn groups_whose_points_would_not_count_are_refused_or_noticed() {
    assert_eq!(read(&files(&[])), Ok(String::new()));
    for (more, refused) in [
        (
            vec![("data/secret/c.in", ""), ("data/secret/c.ans", "")],
            "data/secret/c.in: a test case beside test data groups, which have all points; move it into one of them",
        ),
        (
            vec![("data/secret/c/1.in", ""), ("data/secret/c/1.ans", "")],
            "data/secret/c: its test cases have no points: add a test_group.yaml, as folders beside it have one",
        ),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\nname: x\ntype: [pass-fail, scoring]\n")],
            "problem.yaml:1: a problem cannot be both pass-fail and scoring",
        ),
    ] {
        assert_eq!(read(&files(&more)), Err(refused.into()));
    }
    let inner = "data/secret/a/1/test_group.yaml";
    for (more, notice) in rows! {
        (("data/secret/b/test_group.yaml", "args: []\n"), "data/secret/b: it has no points"),
        (("data/secret/a/test_group.yaml", "score_aggregation: sum\n"), "data/secret/a: it has no max_score"),
        (("data/secret/test_group.yaml", "score_aggregation: pass-fail\n"), "data/secret/a: its points do not count"),
        (("data/sample/test_group.yaml", "# \nmax_score: 3\n"), "data/sample/test_group.yaml:2: max_score is ignored: samples have"),
        ((inner, "max_score: 3\n"), "data/secret/a/1: only arguments in its configuration count"),
    } {
        let message = read(&files(&[more])).expect("read");
        assert!(message.starts_with(notice), "{message}\n{notice}");
    }
    let pass_fail = ("problem.yaml", "problem_format_version: 2025-09\nname: x\n");
    let message = read(&files(&[
        pass_fail,
        ("data/secret/a/test_group.yaml", "require_pass: sample\n"),
        ("data/sample/1.in", ""),
        ("data/sample/1.ans", ""),
    ]));
    assert_eq!(
        message.expect("read"),
        "data/secret/a/test_group.yaml:1: require_pass is ignored: only scoring problems have it; \
        data/secret/b/test_group.yaml:1: max_score is ignored: only scoring problems have it"
    );
}

#[test]
fn metadata_that_break_the_format_are_said() {
    let data = [("data/secret/1.in", ""), ("data/secret/1.ans", "")];
    let message = |more: &[(&str, &str)]| read(&[&data, more].concat()).expect("read");
    let current = |limits: &str| format!("problem_format_version: 2025-09\nname: x\nlimits: {limits}\n");
    let of = |limits: &str| message(&[("problem.yaml", &current(limits))]);
    let steps = "limits: time_limit is not a multiple of time_resolution, 1 s; it holds as it is";
    assert_eq!(of("{time_limit: 1.5}"), steps);
    assert_eq!(of("{time_limit: 0.3, time_resolution: 0.1}"), "");
    assert_eq!(of("{time_limit: 3}"), "");
    // All files of a submission together, and 128 KiB if the package sets no limit.
    let long = "#".repeat(2048);
    let code = |limits: &str, text: &str| {
        message(&[
            ("problem.yaml", limits),
            ("submissions/accepted/a/a.py", text),
            ("submissions/accepted/a/b.py", text),
        ])
    };
    let notice = "submissions/accepted/a: 4 KiB, more than `code` in `limits` allows, 2 KiB; judged all the same";
    assert_eq!(code("limits: {code: 2}\n", &long), notice);
    assert_eq!(code("limits: {code: 4}\n", &long), "");
    assert!(code("limits: {code: 4}\n", &format!("{long}#")).contains("5 KiB, more than"));
    assert_eq!(code("", &"#".repeat(60_000)), "");
    assert!(code("", &"#".repeat(70_000)).contains("137 KiB, more than `code` in `limits` allows, 128 KiB"));
    let custom = "grading: custom without a program in graders/, so scores are not compared";
    assert_eq!(message(&[("problem.yaml", "type: scoring\n"), ("data/testdata.yaml", "grading: custom\n")]), custom);
    let sample =
        "data/secret/testdata.yaml: the grader flag ignore_sample is ignored: only data/testdata.yaml may have it";
    assert_eq!(
        message(&[("problem.yaml", ""), ("data/secret/testdata.yaml", "grader_flags: min ignore_sample\n")]),
        sample
    );
    assert_eq!(message(&[("problem.yaml", ""), ("data/testdata.yaml", "grader_flags: ignore_sample\n")]), "");
}

#[test]
fn a_pass_fail_problem_needs_no_score_whatever_its_validation_says() {
    // problemtools accepts such a submission too, if its validator writes a score.
    let problem = ("problem.yaml", "validation: custom score\n");
    let files = [
        problem,
        ("output_validators/v.py", ""),
        ("submissions/accepted/x.py", ""),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
    ];
    assert_eq!(read(&files), Ok("validation: `score` is ignored: the type of the problem is not scoring".into()));
    for score in ["-", "1"] {
        assert_eq!(graded(&files, score), (true, "accepted; ".into(), None));
    }
    // In a scoring problem every acceptance needs one.
    let mut scoring = files;
    scoring[0].1 = "type: scoring\nvalidation: custom score\n";
    assert_eq!(graded(&scoring, "1"), (true, "accepted with score 1; ".into(), None));
    assert_eq!(graded(&scoring, "-"), (false, "judge error; ".into(), None));
}

#[test]
fn legacy_arguments_for_one_input_validator_are_given_to_that_one() {
    let files = [
        ("problem.yaml", ""),
        ("input_validators/a.py", ""),
        ("input_validators/b.py", ""),
        ("data/testdata.yaml", "input_validator_flags: {name: a, flags: '-n 7'}\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
    ];
    let of = |files: &[(&str, &str)]| {
        let package = Package::read(made(files).path()).expect("a package");
        package
            .input_validators
            .iter()
            .map(|one| package.data.cases[0].input_args.of(&one.name).join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&files), ["-n 7", ""]);
    // In 2025-09 the keys are names of validators.
    let mut current = files;
    current[0].1 = "problem_format_version: 2025-09\nname: x\n";
    current[3] = ("data/secret/test_group.yaml", "input_validator_args: {a: [x, y z], b: [name]}\n");
    assert_eq!(of(&current), ["x y z", "name"]);
}
