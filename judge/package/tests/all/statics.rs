//! Tests of static validators: reading, refusing, decoding and grading.

use judge_core::external::Feedback;
use judge_package::{CaseResult, CaseScore, Judged, Judgement, Options, Package, Progress};

use crate::{made, package};

/// A scoring package with two groups; `more` replaces and adds files.
fn refused(more: &[(&str, &str)]) -> String {
    let base = [
        ("problem.yaml", "problem_format_version: 2025-09\ntype: scoring\n"),
        ("data/secret/a/test_group.yaml", "max_score: 10\nscore_aggregation: sum\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
        ("static_validator/check.py", ""),
    ];
    let root = made(&[&base, more].concat());
    let read = Package::read(root.path());
    let place = format!("{}/", root.path().display());
    match read {
        Ok(package) => package.notices.join("; ").replace(&place, ""),
        Err(error) => error.to_string().replace(&place, ""),
    }
}

#[test]
fn static_validation_is_read_with_its_groups() {
    let package = package("brief");
    let of = |case: &judge_package::StaticCase| (case.group.clone(), case.args.join(" "), case.max_score);
    let statics: Vec<_> = package.data.statics.iter().map(of).collect();
    assert_eq!(
        statics,
        [
            ("sample".into(), String::new(), None),
            ("secret/group1".into(), "short 40".into(), Some(20.0)),
            ("secret/group2".into(), "without for while".into(), None),
        ]
    );
    assert_eq!((package.data.cases.len(), package.data.results()), (4, 7));
    assert_eq!(package.data.result_name(5), "secret/group1 (static validation)");
    assert_eq!(package.data.static_case(3), None);
    assert_eq!(
        package.notices,
        ["static_validator: used to verify the package; a contest does not call it, and has no points for it"]
    );
    // Parts of the package are selected with their groups.
    let mut narrow = package.clone();
    narrow.keep_cases(&["secret/group1".into()]).expect("selected");
    assert_eq!((narrow.data.cases.len(), narrow.data.statics.len()), (2, 1));
    narrow.keep_cases(&["secret/group1/1".into()]).expect("selected");
    assert_eq!((narrow.data.cases.len(), narrow.data.statics.len()), (1, 0));
}

#[test]
fn what_the_format_forbids_about_static_validation_is_refused_with_its_place() {
    let group = "data/secret/a/test_group.yaml";
    let score = "max_score: 10\nscore_aggregation: sum\nstatic_validation_score: ";
    let of = |text: &str| refused(&[(group, text)]);
    assert_eq!(refused(&[]), "static_validator: not called: no test_group.yaml has static_validation_score");
    for (text, reason) in [
        ("static_validator_args: [a]\n", ":1: static_validator_args needs static_validation_score"),
        (&format!("{score}11\n"), ":3: static_validation_score: 11 is more than 10, the max_score of the group"),
        (&format!("{score}1.5\n"), ":3: static_validation_score: expected a whole number, not `1.5`"),
        (&format!("{score}-1\n"), ":3: static_validation_score: expected a whole number, not `-1`"),
        (&format!("{score}many\n"), ":3: static_validation_score: expected a whole number, not `many`"),
        (&format!("{score}pass-fail\n"), ":3: static_validation_score: `pass-fail` needs score_aggregation: pass-fail"),
        (
            "max_score: 10\nstatic_validation_score: 5\n",
            ":2: static_validation_score: only a scoring problem, in a group with score_aggregation sum or min, has \
             scores; expected `pass-fail`, not `5`",
        ),
    ] {
        assert!(of(text).starts_with(&format!("{group}{reason}")), "{}\n{reason}", of(text));
    }
    let root = refused(&[("data/test_group.yaml", "static_validation_score: pass-fail\n")]);
    assert!(root.contains("it belongs to data/sample, data/secret or a group there"), "{root}");
    let plain = ("problem.yaml", "problem_format_version: 2025-09\n");
    let five = (group, "static_validation_score: 5\n");
    assert!(refused(&[plain, five]).contains("expected `pass-fail`, not `5`"));
    let none = made(&[
        plain,
        (group, "static_validation_score: pass-fail\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
    ]);
    let error = Package::read(none.path()).expect_err("no validator").to_string();
    assert!(error.ends_with("static_validator: no such folder, but secret/a has static_validation_score"), "{error}");
    let answers = refused(&[("problem.yaml", "problem_format_version: 2025-09\ntype: submit-answer\n")]);
    assert_eq!(answers, "static_validator: a submit-answer problem has no static validator; remove it");
    let legacy = refused(&[("problem.yaml", ""), (group, "accept_score: 1\n")]);
    assert!(legacy.contains("static_validator: ignored: only packages of version 2025-09"), "{legacy}");
}

#[test]
fn the_exit_code_and_the_files_of_a_static_validator_are_its_result() {
    let package = package("brief");
    let [pass_fail, scored, _] = &package.data.statics[..] else { panic!("three") };
    let feedback = |score: Option<&str>, multiplier: Option<&str>| {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let mut feedback = Feedback::default();
        (feedback.score, feedback.score_multiplier) = (bytes(score), bytes(multiplier));
        feedback
    };
    let result = |judgement, score| Ok(CaseResult { judgement, score });
    for (code, score, multiplier, wanted) in [
        (42, None, None, result(Judgement::Accepted, None)),
        (43, None, None, result(Judgement::WrongAnswer, None)),
        (42, Some("20\n"), None, result(Judgement::Accepted, Some(CaseScore::Points(20.0)))),
        (42, None, Some(" 0.25"), result(Judgement::Accepted, Some(CaseScore::Share(0.25)))),
        (0, None, None, Err("exit code 0; 42 accepts and 43 rejects")),
        (43, Some("0"), None, Err("it rejects and left score.txt")),
        (43, None, Some("0"), Err("it rejects and left score_multiplier.txt")),
        (42, Some("1"), Some("1"), Err("it left both score.txt and score_multiplier.txt")),
        (42, Some("20.5"), None, Err("score.txt: 20.5 is more than 20")),
        (42, None, Some("1.1"), Err("score_multiplier.txt: 1.1 is more than 1")),
        (42, Some("-1"), None, Err("score.txt: expected a number of at least 0, not `-1`")),
        (42, Some("nan"), None, Err("score.txt: expected a number of at least 0, not `nan`")),
        (42, Some(""), None, Err("score.txt: expected a number of at least 0, not ``")),
    ] {
        let found = scored.result(code, &feedback(score, multiplier)).map_err(|error| error.to_string());
        assert_eq!(found, wanted.map_err(str::to_owned), "{code} {score:?} {multiplier:?}");
    }
    let error = pass_fail.result(42, &feedback(Some("1"), None)).expect_err("no scores").to_string();
    assert_eq!(error, "it left score.txt, and sample has static_validation_score: pass-fail");
}

#[test]
fn static_validation_counts_in_its_group_and_in_all_around_it() {
    // `secret` has its own static validation, next to groups by sum and by minimum.
    let root = made(&[
        ("problem.yaml", "problem_format_version: 2025-09\ntype: scoring\n"),
        ("data/secret/test_group.yaml", "static_validation_score: 10\n"),
        ("data/secret/a/test_group.yaml", "max_score: 50\nscore_aggregation: sum\nstatic_validation_score: 20\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
        ("data/secret/a/2.in", ""),
        ("data/secret/a/2.ans", ""),
        ("data/secret/b/test_group.yaml", "max_score: 40\nscore_aggregation: min\nstatic_validation_score: 30\n"),
        ("data/secret/b/1.in", ""),
        ("data/secret/b/1.ans", ""),
        ("static_validator/check.py", ""),
        ("submissions/accepted/x.py", ""),
    ]);
    let package = Package::read(root.path()).expect("a package");
    let names: Vec<String> = (0..package.data.results()).map(|index| package.data.result_name(index)).collect();
    assert_eq!(names[3..], ["secret", "secret/a", "secret/b"].map(|group| format!("{group} (static validation)")));
    let accepted = (Judgement::Accepted, None);
    let wrong = (Judgement::WrongAnswer, None);
    let points = |points: f64| (Judgement::Accepted, Some(CaseScore::Points(points)));
    let share = |share: f64| (Judgement::Accepted, Some(CaseScore::Share(share)));
    let usual = [accepted; 6];
    let with = |index: usize, result| {
        let mut all = usual;
        all[index] = result;
        all
    };
    // Group a: 15 for each of two test cases, and 20; group b: the least of 40 and 30; secret: 10.
    for (results, total) in [
        (usual, "accepted with score 90"),
        (with(0, wrong), "wrong answer with score 75"),
        (with(3, wrong), "wrong answer with score 80"),
        (with(3, share(0.5)), "accepted with score 85"),
        (with(4, wrong), "wrong answer with score 70"),
        (with(4, points(3.0)), "accepted with score 73"),
        (with(5, wrong), "wrong answer with score 60"),
        (with(5, share(0.5)), "accepted with score 75"),
        (with(2, share(0.5)), "accepted with score 80"),
    ] {
        let results = |index: usize| {
            let (judgement, score) = results[index];
            Some(CaseResult { judgement, score })
        };
        let judged = Judged { results: &results, messages: &|_| None, graded: &|_| None };
        let Progress::Decided(decided) = package.compare(&package.submissions[0].expectation, &judged) else {
            panic!("undecided")
        };
        assert_eq!(decided.ours, total);
    }
    // Without the result of static validation nothing is decided.
    let some = |index: usize| (index != 4).then_some(CaseResult { judgement: Judgement::Accepted, score: None });
    let judged = Judged { results: &some, messages: &|_| None, graded: &|_| None };
    assert_eq!(package.compare(&package.submissions[0].expectation, &judged), Progress::Needs(vec![4]));
    // In a contest all test cases have equal points.
    let options = Options { time_limit: 1.0, has: &|_| true };
    let target = tempfile::tempdir().expect("a folder");
    let written = package.write(target.path(), &options).expect("written");
    let text = std::fs::read_to_string(target.path().join("contest.toml")).expect("a contest file");
    assert_eq!(text.matches("points = \"15\"").count(), 2, "{text}");
    assert_eq!((written.entries[0].code.as_str(), written.entries[0].entry_point.as_str()), ("python3", "x.py"));
}

#[test]
fn the_entry_point_is_a_file_or_the_class_of_a_java_program() {
    let root = made(&[
        ("problem.yaml", "problem_format_version: 2025-09\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("submissions/accepted/a.java", "package p; class Solver { public static void main(String[] a) {} }\n"),
        ("submissions/accepted/two/b.cc", ""),
        ("submissions/accepted/two/c.cc", ""),
        ("submissions/accepted/wished/z.py", ""),
        ("submissions/accepted/wished/a.py", ""),
        ("submissions/submissions.yaml", "accepted/wished: {entrypoint: z.py}\n"),
    ]);
    let target = tempfile::tempdir().expect("a folder");
    let options = Options { time_limit: 1.0, has: &|_| true };
    let written = Package::read(root.path()).expect("a package").write(target.path(), &options).expect("written");
    let points: Vec<(&str, &str)> =
        written.entries.iter().map(|entry| (entry.code.as_str(), entry.entry_point.as_str())).collect();
    assert_eq!(points, [("java", "p.Solver"), ("cpp", "b.cc"), ("python3", "z.py")]);
}
