//! Clauses of the legacy format about groups, one test each, with results that a person derived from the text of the format.

use judge_package::{CaseResult, CaseScore, Judged, Judgement, Package, Progress, Total};

use crate::made;

/// A scoring package with test cases 1 to 3 in each of the groups a and b, and a submission that must be accepted.
fn scoring(files: &[(&str, &str)]) -> Package {
    let mut all: Vec<(String, String)> =
        vec![("problem.yaml".into(), "type: scoring\n".into()), ("submissions/accepted/x.py".into(), String::new())];
    for case in ["a/1", "a/2", "a/3", "b/1", "b/2", "b/3"] {
        all.extend(["in", "ans"].map(|ending| (format!("data/secret/{case}.{ending}"), String::new())));
    }
    for (name, text) in files {
        all.retain(|(known, _)| known != name);
        all.push(((*name).to_owned(), (*text).to_owned()));
    }
    let all: Vec<(&str, &str)> = all.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Package::read(made(&all).path()).expect("a package")
}

/// The result for these results of test cases: a letter each, `A`, `W`, `T` or `R`, or `-` for none, followed by
/// points.
fn graded(package: &Package, results: &str, graded: &dyn Fn(&str, &str, &str) -> Option<Total>) -> String {
    let words: Vec<&str> = results.split_whitespace().collect();
    let results = |index: usize| {
        let judgement = match words[index].chars().next() {
            Some('A') => Judgement::Accepted,
            Some('W') => Judgement::WrongAnswer,
            Some('T') => Judgement::TimeLimit,
            Some('R') => Judgement::RunTimeError,
            _ => return None,
        };
        Some(CaseResult { judgement, score: words[index][1..].parse().ok().map(CaseScore::Points) })
    };
    let judged = Judged {
        results: &results,
        messages: &|_| None,
        graded: &|call| graded(&call.group, &call.flags.join(" "), &call.input),
    };
    match package.compare(&package.submissions[0].expectation, &judged) {
        Progress::Needs(cases) => {
            format!(
                "needs {}",
                cases.iter().map(|case| package.data.cases[*case].name.clone()).collect::<Vec<_>>().join(" ")
            )
        }
        Progress::Grade(call) => format!("grade {:?} {:?}: {:?}", call.group, call.flags.join(" "), call.input),
        Progress::Decided(comparison) => comparison.ours,
    }
}

fn of(package: &Package, results: &str) -> String {
    graded(package, results, &|_, _, _| None)
}

#[test]
fn only_on_reject_break_ends_a_group_with_its_first_rejected_member() {
    let files =
        |root: &'static str, a: &'static str| [("data/testdata.yaml", root), ("data/secret/a/testdata.yaml", a)];
    // The default is break, on every level: group a ends with 2, and secret with group a.
    let usual = scoring(&[]);
    assert_eq!(of(&usual, "A W - - - -"), "wrong answer with score 1");
    assert_eq!(of(&usual, "A - - - - -"), "needs secret/a/2");
    // Inherited, also by groups that do not set it.
    let inherited = scoring(&files("on_reject: continue\n", "accept_score: 1\n"));
    assert_eq!(of(&inherited, "A W - A A A"), "needs secret/a/3");
    assert_eq!(of(&inherited, "A W A A T A"), "time limit exceeded with score 4");
    // The nearest configuration counts: group a ends, secret continues.
    let nearest = scoring(&files("on_reject: continue\n", "on_reject: break\n"));
    assert_eq!(of(&nearest, "A W - A A A"), "wrong answer with score 4");
    assert_eq!(of(&nearest, "W - - - W -"), "needs secret/b/1 secret/b/3");
    // The settings of problem.yaml are the default for all groups, in the words of old packages.
    for (word, needed) in [("first_error", "wrong answer with score 0"), ("grade", "needs secret/a/2 secret/a/3")] {
        let problem = format!("type: scoring\ngrading: {{on_reject: {word}}}\n");
        let package = scoring(&[("problem.yaml", &problem)]);
        assert_eq!(of(&package, "W - - A A A"), needed, "{word}");
    }
}

#[test]
fn accept_score_and_reject_score_are_those_of_the_nearest_group_unless_the_validator_gave_one() {
    let files = [
        ("data/testdata.yaml", "on_reject: continue\naccept_score: 2\nreject_score: -0.5\n"),
        ("data/secret/b/testdata.yaml", "accept_score: 10\n"),
    ];
    let package = scoring(&files);
    // Group a: 2 each; group b: 10 each.
    assert_eq!(of(&package, "A A A A A A"), "accepted with score 36");
    // 2 + 2 - 0.5, and 10 - 0.5 - 0.5.
    assert_eq!(of(&package, "A A W A R T"), "run-time error with score 12.5");
    // A score of the validator for an accepted answer replaces accept_score, also if it is 0.
    assert_eq!(of(&package, "A7 A0 A A A1.5 A"), "accepted with score 30.5");
    // Without accept_score anywhere it is 1, and reject_score 0.
    let usual = scoring(&[("data/testdata.yaml", "on_reject: continue\n")]);
    assert_eq!(of(&usual, "A A W A A W"), "wrong answer with score 4");
    // The default grader takes scores together in four ways.
    for (mode, total) in [("sum", "12.5"), ("avg", "6.25"), ("min", "3.5"), ("max", "9")] {
        let (sum, flags) = ("grader_flags: sum\n", format!("grader_flags: {mode} always_accept\n"));
        let root = format!("on_reject: continue\naccept_score: 2\nreject_score: -0.5\n{sum}");
        let package = scoring(&[
            ("data/testdata.yaml", &root),
            ("data/secret/testdata.yaml", &flags),
            ("data/secret/a/testdata.yaml", sum),
            ("data/secret/b/testdata.yaml", "accept_score: 10\ngrader_flags: sum\n"),
        ]);
        assert_eq!(of(&package, "A A W A R T"), format!("accepted with score {total}"), "{mode}");
    }
    // In a pass-fail problem they have no meaning.
    let plain = scoring(&[files[0], files[1], ("problem.yaml", "")]);
    assert_eq!(of(&plain, "A A A A A A"), "accepted");
}

#[test]
fn grading_custom_asks_the_grader_of_the_package_with_what_was_judged() {
    let files = [
        ("data/testdata.yaml", "on_reject: continue\ngrading: custom\ngrader_flags: 'best 1'\naccept_score: 5\n"),
        ("data/secret/a/testdata.yaml", "grading: default\ngrader_flags: min\n"),
        ("data/secret/b/testdata.yaml", "on_reject: break\ngrader_flags: last\n"),
        ("graders/grade.py", ""),
    ];
    let package = scoring(&files);
    // Group a by the default grader. Group b stops at 2; it inherits `custom`, and has its own flags.
    let results = "A A W A3.5 T -";
    assert_eq!(of(&package, results), "grade \"secret/b\" \"last\": \"AC 3.5\\nTLE 0\\n\"");
    let answers = |group: &str, flags: &str, input: &str| -> Option<Total> {
        let (judgement, score) = match (group, flags, input) {
            ("secret/b", "last", "AC 3.5\nTLE 0\n") => (Judgement::TimeLimit, 40.0),
            ("secret", "best 1", "WA 0\nTLE 40\n") => (Judgement::Accepted, 41.0),
            // The root has only secret, without a sample.
            ("", "best 1", "AC 41\n") => (Judgement::Accepted, 42.25),
            _ => return None,
        };
        Some(Total { judgement, score: Some(score) })
    };
    assert_eq!(graded(&package, results, &answers), "accepted with score 42.25");
    // A judge error is not graded.
    let broken = |group: &str, flags: &str, input: &str| match group {
        "secret/b" => Some(Total { judgement: Judgement::JudgeError, score: None }),
        _ => answers(group, flags, input),
    };
    assert_eq!(graded(&package, results, &broken), "judge error");
}

#[test]
fn what_a_contest_grades_in_another_way_is_said() {
    let of_contest = |package: &Package| {
        let notices = package.notices.iter().filter(|notice| notice.contains("in a contest"));
        notices.map(String::as_str).collect::<Vec<_>>().join("; ")
    };
    let on_reject =
        "on_reject: break: in a contest, test cases behind a rejected one are judged and have their points too, in";
    let reject_score = "reject_score: in a contest, a rejected test case has 0 points, in";
    assert_eq!(of_contest(&scoring(&[])), format!("{on_reject} secret and 2 more groups"));
    let go_on = ("data/testdata.yaml", "on_reject: continue\n");
    assert_eq!(of_contest(&scoring(&[go_on])), "");
    let one = scoring(&[go_on, ("data/secret/b/testdata.yaml", "on_reject: break\nreject_score: -1\n")]);
    assert_eq!(of_contest(&one), format!("{on_reject} secret/b; {reject_score} secret/b"));
    // The minimum of a group does not change, and pass-fail packages have no points.
    let least = [go_on, ("data/secret/a/testdata.yaml", "on_reject: break\ngrader_flags: min\n")];
    assert_eq!(of_contest(&scoring(&least)), "");
    assert_eq!(of_contest(&scoring(&[("problem.yaml", "")])), "");
}
