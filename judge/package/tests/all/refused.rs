//! Packages that cannot be imported, each with the reason.

use judge_package::Package;

use crate::made;

#[test]
fn packages_that_need_more_than_the_judge_has_are_refused_with_the_place() {
    let data = [("data/secret/1.in", ""), ("data/secret/1.ans", "")];
    for (files, reason) in [
        (
            vec![("problem.yaml", "type: interactive\nproblem_format_version: 2025-09\nname: x\n")],
            "interactive problems are not supported",
        ),
        (vec![("problem.yaml", "validation: custom interactive\n")], "interactive problems are not supported"),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\ntype: [scoring, multi-pass]\n")],
            "multi-pass problems",
        ),
        (
            vec![("problem.yaml", "problem_format_version: 2030-01\n")],
            "problem.yaml:1: unknown problem_format_version `2030-01`",
        ),
        (vec![("problem.yaml", "type: guessing\n")], "unknown type or kind of validation `guessing`"),
        (vec![("problem.yaml", "validation: custom\n")], "needs a program in output_validators"),
        (vec![("problem.yaml", "validator_flags: exact\n")], "default validator: unknown argument `exact`"),
        (vec![("problem.yaml", "limits: {memory: -1}\n")], "memory must be more than 0"),
        (vec![("problem.yaml", "limits: {time_multiplier: 0.5}\n")], "time_multiplier must be at least 1"),
        (vec![("problem.yaml", "limits: 3\n")], "limits must be a map, not a scalar"),
        (vec![("problem.yaml", "name: [\n")], "invalid YAML"),
        (vec![("problem.yaml", "- a\n")], "must be a map, not a list"),
        (vec![("problem.yaml", ""), ("data/secret/testdata.yaml", "on_reject: stop\n")], "unknown on_reject `stop`"),
        (
            vec![("problem.yaml", ""), ("data/secret/testdata.yaml", "grader_flags: best\n")],
            "unknown grader flag `best`",
        ),
        (vec![("problem.yaml", ""), ("data/secret/testdata.yaml", "range: 5 1\n")], "invalid range `5 1`"),
        (vec![("problem.yaml", ""), (".timelimit", "soon\n")], "invalid time limit `soon`"),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\n"), ("data/secret/1.yaml", "args: [a]\n")],
            "arguments for submissions (args) are not supported",
        ),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\n"), ("data/secret/1.files/a.txt", "")],
            "input files besides standard input are not supported",
        ),
        (
            vec![
                ("problem.yaml", "problem_format_version: 2025-09\n"),
                ("data/secret/test_group.yaml", "static_validation_score: 5\n"),
            ],
            "static validation of sources is not supported",
        ),
        (
            vec![
                ("problem.yaml", "problem_format_version: 2025-09\n"),
                ("submissions/submissions.yaml", "a: {permitted: [OK]}\n"),
            ],
            "permitted: unknown verdict `OK`",
        ),
        (
            vec![
                ("problem.yaml", "validation: custom\n"),
                ("output_validators/a.py", ""),
                ("output_validators/b.py", ""),
            ],
            "several output validators",
        ),
    ] {
        let files: Vec<(&str, &str)> = data.iter().copied().chain(files).collect();
        let root = made(&files);
        let error = Package::read(root.path()).expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}\nexpected: {reason}");
    }
    let root = made(&[("problem.yaml", "")]);
    assert!(Package::read(root.path()).expect_err("no data").reason.contains("no test case"));
    let root = made(&[("a.txt", "")]);
    assert!(Package::read(root.path()).expect_err("no package").reason.contains("has a problem.yaml"));
    assert!(Package::read(&root.path().join("a.txt")).expect_err("a file").reason.contains("unpack an archive first"));
}

#[cfg(unix)]
#[test]
fn links_out_of_the_package_are_refused() {
    let secret = tempfile::NamedTempFile::new().expect("a file");
    let files = [("problem.yaml", ""), ("data/secret/1.ans", ""), ("data/sample/1.in", ""), ("data/sample/1.ans", "")];
    let root = made(&files);
    std::fs::create_dir_all(root.path().join("submissions/accepted")).expect("created");
    std::os::unix::fs::symlink("../sample/1.in", root.path().join("data/secret/1.in")).expect("a link inside");
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    Package::read(root.path()).expect("a package").write(&target.path().join("a"), &options).expect("a link inside");
    std::os::unix::fs::symlink(secret.path(), root.path().join("data/secret/2.in")).expect("a link");
    std::fs::write(root.path().join("data/secret/2.ans"), "").expect("written");
    let written = Package::read(root.path()).expect("a package").write(&target.path().join("b"), &options);
    assert!(written.expect_err("refused").reason.contains("outside the package"));
    std::os::unix::fs::symlink(secret.path(), root.path().join("submissions/accepted/a.py")).expect("a link");
    assert!(Package::read(root.path()).expect_err("refused").reason.contains("outside the package"));
    let allowed = Package::read_with_links(root.path(), secret.path().parent()).expect("links are allowed");
    allowed.write(&target.path().join("c"), &options).expect("links are allowed");
    let elsewhere = Package::read_with_links(root.path(), Some(target.path()));
    assert!(elsewhere.expect_err("refused").reason.contains("--links FOLDER"));
}
