//! Tests of reading packages.

use judge_package::{Objective, Package, ScoreMode, Version};

use crate::{made, package};

#[test]
fn a_pass_fail_package_is_read_as_a_whole() {
    let package = package("apart");
    let metadata = &package.metadata;
    assert_eq!((metadata.version, metadata.name.as_str()), (Version::Legacy, "Apart"));
    assert!(metadata.custom_validator && !metadata.scoring && !metadata.score_required);
    assert_eq!((metadata.limits.time, metadata.limits.memory, metadata.limits.output), (Some(0.5), 256, 8));
    let cases: Vec<(&str, String)> =
        package.data.cases.iter().map(|case| (case.name.as_str(), case.validator_args.join(" "))).collect();
    let strict = || "strict".to_owned();
    assert_eq!(cases, [("sample/1", strict()), ("secret/01-zero", strict()), ("secret/02-large", strict())]);
    let submissions: Vec<String> = package
        .submissions
        .iter()
        .map(|submission| format!("{}: {}", submission.path, submission.expectation))
        .collect();
    assert_eq!(
        submissions,
        [
            "accepted/Apart.java: accepted",
            "accepted/apart.c: accepted",
            "accepted/apart.cob: accepted",
            "accepted/apart.py: accepted",
            "accepted/two_files: accepted",
            "compile_error/typo.c: compile error",
            "mixed/tagged.py: wrong answer or run-time error",
            "run_time_error/assert.py: run-time error",
            "time_limit_exceeded/count.c: time limit exceeded",
            "wrong_answer/more.cc: wrong answer",
            "wrong_answer/same.py: wrong answer",
        ]
    );
    assert_eq!(package.notices, [""; 0]);
}

#[test]
fn groups_inherit_their_rules() {
    let package = package("echo");
    let root = &package.data.root;
    assert!(package.metadata.scoring && root.rules.ignore_sample && !root.rules.stop_on_reject);
    let group = root.find("secret/group2").expect("a group");
    assert!(group.rules.stop_on_reject && !group.rules.ignore_sample);
    assert_eq!((group.rules.score, group.rules.accept_score, group.rules.range), (ScoreMode::Min, 70.0, (0.0, 70.0)));
    assert!(root.find("secret").expect("a group").rules.accept_if_any_accepted);
    let limits = &package.metadata.limits;
    assert_eq!((limits.time, limits.accepted_to_limit, limits.limit_to_slow), (None, 10.0, 2.0));
    // The slowest accepted submission takes 0.31 s: a multiple of the resolution that is at least ten times that.
    assert_eq!((package.time_limit(0.31), package.time_limit(0.3), package.time_limit(0.0)), (4.0, 3.0, 1.0));
}

#[test]
fn the_version_2025_09_is_read_with_constants_and_submissions() {
    let package = package("stones");
    assert_eq!((package.metadata.version, package.metadata.name.as_str()), (Version::Current, "Stones"));
    assert_eq!(package.metadata.objective, Objective::Max);
    let case = package.data.cases.iter().find(|case| case.name == "secret/group2/100").expect("a case");
    assert_eq!(case.validator_args, ["near", "1000"]);
    let group = &package.data.root.find("secret/group2").expect("a group").rules;
    assert_eq!((group.score, group.max_score), (ScoreMode::Min, Some(60.0)));
    assert_eq!(group.require_pass, ["sample", "secret/group1"]);
    let expected = |path: &str| {
        let submission = package.submissions.iter().find(|one| one.path == path).expect("a submission");
        submission.expectation.to_string()
    };
    assert_eq!(expected("accepted/echo.py"), "score 100; accepted on every test case");
    assert_eq!(expected("mixed/half.py"), "accepted on every test case, score 70; secret/group2: score 30");
    assert_eq!(
        expected("mixed/none.py"),
        "wrong answer on at least one test case, score 0, a message with `exactly 7 expected`"
    );
    assert_eq!(expected("wrong_answer/text.py"), "wrong answer on at least one test case, accepted on the others");
    assert_eq!(
        expected("brute_force/loop.py"),
        "run-time error or time limit exceeded on at least one test case, accepted on the others"
    );
}

#[test]
fn what_is_not_used_is_noticed() {
    let root = made(&[
        ("problem.yaml", "name: x\nplagiarism: none\nlimits: {memory: 64, speed: 3}\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("data/secret/2.in", ""),
        ("data/secret/testdata.yaml", "on_reject: continue\nunknown: 1\n"),
        ("output_validators/v.py", ""),
        ("submissions/odd/a.py", ""),
    ]);
    let package = judge_package::Package::read(root.path()).expect("a package");
    let notices: Vec<String> = package
        .notices
        .iter()
        .map(|notice| {
            notice
                .rsplit_once(&format!("{}/", root.path().display()))
                .map_or(notice.as_str(), |(_, end)| end)
                .to_owned()
        })
        .collect();
    assert_eq!(
        notices,
        [
            "output_validators is ignored: problem.yaml does not say `validation: custom`",
            "problem.yaml:3: ignored key `speed`",
            "problem.yaml:2: ignored key `plagiarism`",
            "data/secret/testdata.yaml:2: ignored key `unknown`",
            "data/secret/2.in: ignored, because it has no .ans file that answers are compared with",
            "submissions/odd: the package states no expected result for some submissions there",
        ]
    );
}

#[test]
fn other_files_give_time_limits_and_entry_points() {
    let root = made(&[
        ("problem.yaml", "name: x\n"),
        ("domjudge-problem.ini", "name = 'x'\ntimelimit = '2.5'\n"),
        (".timelimit", "7\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("submissions.json", "{\"submissions/accepted/two/\": {\"entry_point\": \"b.py\"}}"),
        ("submissions/accepted/two/a.py", ""),
        ("submissions/accepted/two/b.py", ""),
    ]);
    let package = judge_package::Package::read(root.path()).expect("a package");
    assert_eq!(package.metadata.limits.time, Some(2.5));
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    package.write(target.path(), &options).expect("written");
    let text = std::fs::read_to_string(target.path().join("contest.toml")).expect("a contest file");
    assert!(text.contains("\"entries/accepted.two/b.py\""), "{text}");
}

#[test]
fn drafts_of_2023_07_grade_their_groups_as_legacy_packages_do() {
    let root = made(&[
        ("problem.yaml", "problem_format_version: 2023-07-draft\nname: {sv: Eko, en: Echo}\ntype: scoring\n"),
        ("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n"),
        ("data/secret/a/testdata.yaml", "accept_score: 50\ngrader_flags: min\n"),
        ("data/secret/a/1.in", ""),
        ("data/secret/a/1.ans", ""),
        ("submissions/partially_accepted/a.py", ""),
    ]);
    let package = judge_package::Package::read(root.path()).expect("a package");
    assert!(package.metadata.legacy_grading && package.metadata.version == Version::Current);
    assert_eq!(package.data.root.find("secret/a").expect("a group").rules.accept_score, 50.0);
    assert_eq!(package.submissions[0].expectation.to_string(), "accepted with less than the best score");
}

#[test]
fn included_files_are_built_but_do_not_start() {
    let root = made(&[
        ("problem.yaml", "problem_format_version: 2025-09\nname: x\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("include/python3/aaa.py", ""),
        ("include/cpp/main.cpp", ""),
        ("submissions/accepted/solve.py", ""),
        ("submissions/accepted/solve.cpp", ""),
    ]);
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    judge_package::Package::read(root.path()).expect("a package").write(target.path(), &options).expect("written");
    let text = std::fs::read_to_string(target.path().join("contest.toml")).expect("a contest file");
    assert!(text.contains("[\"python3\", \"entries/accepted.solve.py/solve.py\"]"), "{text}");
    assert!(text.contains("program main.cpp solve.cpp"), "{text}");
}

#[test]
fn in_a_legacy_package_an_included_driver_starts_submissions_that_are_a_function() {
    let root = made(&[
        ("problem.yaml", "name: x\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("include/python3/grader.py", "import solve\n"),
        ("include/java/grader.java", "class grader { public static void main(String... a) { solve.it(); } }\n"),
        ("submissions/accepted/solve.py", "def it(): pass\n"),
        ("submissions/accepted/solve.java", "class solve { static void it() {} }\n"),
        ("submissions/accepted/whole.java", "class whole { public static void main(String[] a) {} }\n"),
        ("submissions/accepted/early/main.py", "import grader\n"),
    ]);
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    judge_package::Package::read(root.path()).expect("a package").write(target.path(), &options).expect("written");
    let text = std::fs::read_to_string(target.path().join("contest.toml")).expect("a contest file");
    assert!(text.contains("[\"python3\", \"entries/accepted.solve.py/grader.py\"]"), "{text}");
    assert!(text.contains("accepted.solve.java\", \"grader\"]"), "{text}");
    assert!(text.contains("accepted.whole.java\", \"whole\"]"), "{text}");
    assert!(text.contains("[\"python3\", \"entries/accepted.early/main.py\"]"), "{text}");
}

#[test]
fn a_program_without_a_marked_entry_point_starts_with_its_first_file() {
    // DOMjudge finds no entry point in such submissions and does not run them. Here a missing entry point is a crash.
    let root = made(&[
        ("problem.yaml", "name: x\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("submissions/run_time_error/missing.java", "class other { static void it() {} }\n"),
        ("submissions/run_time_error/several/b.js", ""),
        ("submissions/run_time_error/several/a.js", ""),
        ("submissions/run_time_error/marked/a.js", ""),
        ("submissions/run_time_error/marked/main.js", ""),
    ]);
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    judge_package::Package::read(root.path()).expect("a package").write(target.path(), &options).expect("written");
    let text = std::fs::read_to_string(target.path().join("contest.toml")).expect("a contest file");
    assert!(text.contains("run_time_error.missing.java\", \"missing\"]"), "{text}");
    assert!(text.contains("entries/run_time_error.several/a.js\"]"), "{text}");
    assert!(text.contains("entries/run_time_error.marked/main.js\"]"), "{text}");
}

#[test]
fn headers_beside_the_only_validator_are_files_of_it() {
    let base = [("problem.yaml", "validation: custom\n"), ("data/secret/1.in", ""), ("data/secret/1.ans", "")];
    let with = |more: &[(&str, &str)]| {
        let root = made(&[&base, more].concat());
        judge_package::Package::read(root.path()).expect("a package").validators
    };
    let checker = ("output_validators/check.cpp", "");
    let one = with(&[checker, ("output_validators/testlib.h", "")]);
    assert_eq!(one[0].files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["check.cpp", "testlib.h"]);
    let folder = with(&[("output_validators/v/check.cpp", ""), ("output_validators/notes.txt", "")]);
    assert_eq!((one.len(), folder.len(), folder[0].name.as_str()), (1, 1, "v"));
    let two = with(&[checker, ("output_validators/other.py", "")]);
    assert_eq!(two.iter().map(|program| program.name.as_str()).collect::<Vec<_>>(), ["check.cpp", "other.py"]);
}

#[test]
fn a_key_of_the_other_version_is_ignored() {
    let root = made(&[
        ("problem.yaml", "limits: {time_multipliers: 1}\n"),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("input_validators/check.viva", ""),
    ]);
    let package = judge_package::Package::read(root.path()).expect("a package");
    assert!(package.notices[0].ends_with("problem.yaml:1: ignored key `time_multipliers`"), "{:?}", package.notices);
    assert_eq!(package.notices[1], "input_validators/check.viva: left out; grammars of VIVA are not checked");
}

#[test]
fn what_is_missing_or_misnamed_is_said_before_anything_runs() {
    let notices = |files: &[(&str, &str)]| {
        let root = made(files);
        let package = Package::read(root.path()).expect("a package");
        let root = root.path().display().to_string() + "/";
        package.notices.iter().map(|notice| notice.replace(&root, "")).collect::<Vec<_>>()
    };
    let sample = [("data/sample/1.in", "1"), ("data/sample/1.ans", "1")];
    let with = |more: &[(&'static str, &'static str)]| notices(&[&sample[..], more].concat());
    assert_eq!(
        with(&[("problem.yaml", "name: x\noutput_validator_flags: float_tolerance 1e-6\n")])[0],
        "problem.yaml:2: `output_validator_flags` is ignored, and answers are compared exactly; the key is \
         `validator_flags`"
    );
    let missing = "data: no secret test case, so only the samples are judged; ";
    assert!(with(&[("problem.yaml", "")]).contains(&format!("{missing}its files are missing")));
    let generated = with(&[("problem.yaml", ""), ("generators/generators.yaml", "")]);
    assert!(generated.contains(&format!("{missing}generators/ makes its files")), "{generated:?}");
    let parts = with(&[
        ("problem.yaml", ""),
        ("data/secret/2.in", "2"),
        ("data/secret/2.ans", "2"),
        ("data/secret/1.in.00", ""),
        ("data/secret/1.in.01", ""),
        ("data/secret/2.in.statement", ""),
    ]);
    let message = "data/secret/1.in.00 and 1 more files: test data in parts or packed, which is not judged; join or unpack it first";
    assert_eq!(parts, [message]);
    let pointer = with(&[
        ("problem.yaml", ""),
        ("data/secret/2.in", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n"),
        ("data/secret/2.ans", "2"),
    ]);
    assert_eq!(
        pointer,
        ["data/secret/2.in: a pointer of Git LFS instead of an input, in 1 test cases; fetch the files"]
    );
}

#[test]
fn a_submission_in_python_2_needs_that_without_a_first_line() {
    let root = made(&[
        ("problem.yaml", ""),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", ""),
        ("submissions/accepted/old.py", "print 1\n"),
        ("submissions/accepted/new.py", "print(1)\n"),
    ]);
    let package = Package::read(root.path()).expect("a package");
    let options = judge_package::Options { time_limit: 1.0, has: &|program| !["pypy", "python2"].contains(&program) };
    let written = package.write(&root.path().join("contest"), &options).expect("written");
    let reasons: Vec<&str> = written.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
    assert_eq!(reasons, ["Python 2 is not installed here: it needs pypy, or python2"]);
    assert_eq!(written.entries[0].language, "Python 3");
}
