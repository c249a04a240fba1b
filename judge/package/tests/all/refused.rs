//! Packages that cannot be imported, each with the reason.

use judge_core::hint::Hint;
use judge_package::{Generation, Package};

use crate::made;

#[test]
fn packages_that_need_more_than_the_judge_has_are_refused_with_the_place() {
    let data = [("data/secret/1.in", ""), ("data/secret/1.ans", "")];
    for (files, reason) in rows! {
        (
            vec![("problem.yaml", "type: [interactive, multi-pass]\nproblem_format_version: 2025-09\nname: x\n")],
            "an interactive problem needs one output validator, not 0",
        ),
        (vec![("problem.yaml", "validation: custom interactive\n")], "`validation: custom` needs a program in output_validators"),
        (
            vec![("problem.yaml", "type: interactive\nproblem_format_version: 2025-09\nname: x\n")],
            "an interactive problem needs one output validator, not 0",
        ),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\ntype: [scoring, multi-pass]\n")],
            "a multi-pass problem needs one output validator, not 0",
        ),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\ntype: [submit-answer, interactive]\n")],
            "problem.yaml:1: a problem cannot be both submit-answer and interactive",
        ),
        (
            vec![("problem.yaml", "type: multi-pass\nlimits: {validation_passes: 1}\n")],
            "validation_passes must be a whole number from 2 to 10000, not 1",
        ),
        (vec![("problem.yaml", "problem_format_version: 2030-01\n")], "problem.yaml:1: unknown problem_format_version `2030-01`"),
        (vec![("problem.yaml", "type: guessing\n")], "unknown type or kind of validation `guessing`"),
        (vec![("problem.yaml", "validation: custom\n")], "needs a program in output_validators"),
        (vec![("problem.yaml", "validator_flags: exact\n")], "default validator: unknown argument `exact`"),
        (vec![("problem.yaml", "limits: {memory: -1}\n")], "memory must be more than 0"),
        (vec![("problem.yaml", "limits: {time_multiplier: 0.5}\n")], "time_multiplier must be at least 1"),
        (vec![("problem.yaml", "limits: 3\n")], "limits must be a map, not a scalar"),
        (vec![("problem.yaml", "name: [\n")], "invalid YAML"),
        (vec![("problem.yaml", "- a\n")], "must be a map, not a list"),
        (vec![("problem.yaml", ""), ("data/secret/testdata.yaml", "on_reject: stop\n")], "unknown on_reject `stop`"),
        (vec![("problem.yaml", ""), ("data/secret/testdata.yaml", "grader_flags: best\n")], "unknown grader flag `best`"),
        (vec![("problem.yaml", ""), ("data/secret/testdata.yaml", "range: 5 1\n")], "invalid range `5 1`"),
        (vec![("problem.yaml", ""), (".timelimit", "soon\n")], "invalid time limit `soon`"),
        (vec![("problem.yaml", ""), (".timelimit", "0\n")], "invalid time limit `0`"),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\n"), ("data/secret/1.files/a/b.txt", "")],
            "1.files/a: folders in .files are not supported",
        ),
        (vec![("problem.yaml", ""), ("data/secret/1.args", "'open\n")], "1.args: arguments for submissions: missing closing quote"),
        (vec![("problem.yaml", ""), ("data/secret/1.args", "a \0\n")], "1.args: arguments for submissions contain a NUL character; leave it out"),
        (
            vec![("problem.yaml", "problem_format_version: 2025-09\n"), ("data/secret/1.yaml", "args: [\"a\\0\"]\n")],
            "1.yaml:1: args contains a NUL character; leave it out",
        ),
        (
            vec![("problem.yaml", "type: scoring\n"), ("data/secret/testdata.yaml", "accept_score: 1e308\n")],
            "testdata.yaml:1: accept_score must be at most 1e12, not 1e308",
        ),
        (
            vec![
                ("problem.yaml", "problem_format_version: 2025-09\n"),
                ("submissions/submissions.yaml", "a: {use_for_time_limit: middle}\n"),
            ],
            "unknown use_for_time_limit `middle`; available: false, true, lower, upper",
        ),
        (
            vec![
                ("problem.yaml", "problem_format_version: 2025-09\n"),
                ("submissions/submissions.yaml", "a: {permitted: [OK]}\n"),
            ],
            "permitted: unknown verdict `OK`",
        ),
    } {
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
    assert_eq!(elsewhere.expect_err("refused").hint, Some(Hint::AllowLinks));
}

#[cfg(unix)]
#[test]
#[ignore = "deep: siege"]
fn packages_that_would_fill_memory_or_disk_or_never_end_are_refused() {
    use std::os::unix::fs::symlink;
    let case = [("data/secret/1.in", ""), ("data/secret/1.ans", "")];
    let constants = format!("problem_format_version: 2025-09\nconstants: {{A: {}}}\n", "x".repeat(100_000));
    let many = "{{A}}".repeat(1000);
    let braces = "{{".repeat(1_000_000) + "}}";
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    let written = |root: &tempfile::TempDir| {
        let folder = target.path().join("contest");
        let error = Package::read(root.path()).expect("a package").write(&folder, &options).map(drop);
        let left = std::fs::read_dir(&folder).expect("a folder").count();
        if error.is_ok() {
            std::fs::remove_dir_all(&folder).expect("removed");
        } else {
            assert_eq!(left, 0, "what was written is removed again");
        }
        error.map_err(|error| error.to_string())
    };
    let root = made(&[&case[..], &[("problem.yaml", &constants), ("submissions/accepted/a.py", &many)]].concat());
    assert!(
        written(&root).expect_err("copies").contains("a.py: is larger than 16 MiB with the values of its constants")
    );
    let root = made(&[&case[..], &[("problem.yaml", &constants), ("submissions/accepted/a.py", &braces)]].concat());
    written(&root).expect("braces that name nothing");
    let root = made(&[&case[..], &[("problem.yaml", &constants), ("data/secret/test_group.yaml", &many)]].concat());
    assert!(Package::read(root.path()).expect_err("copies").reason.contains("larger than 16 MiB"));

    let root = made(&[&case[..], &[("problem.yaml", "")]].concat());
    let large = std::fs::File::options().write(true).open(root.path().join("data/secret/1.in")).expect("opened");
    large.set_len((256 << 20) + 1).expect("a file without content");
    assert!(written(&root).expect_err("large").contains("data/secret/1.in: is larger than 256 MiB"));

    // Sixty links in each of five folders to the next one are 60^4 paths to the last one.
    for below in ["data/secret", "submissions/accepted/program"] {
        let root = made(&[&case[..], &[("problem.yaml", "")]].concat());
        for depth in 0..5 {
            let folder = root.path().join(below).join(format!("d{depth}"));
            std::fs::create_dir_all(&folder).expect("created");
            for link in (0..60).filter(|_| depth < 4) {
                symlink(format!("../d{}", depth + 1), folder.join(format!("l{link}"))).expect("a link");
            }
        }
        let reason = Package::read(root.path()).expect_err("endless").reason;
        assert!(reason.contains("more than 200000 files and folders in the package"), "{reason}");
    }
}

#[cfg(unix)]
#[test]
fn odd_files_are_omitted_with_a_notice_from_the_copy_of_a_package() {
    use std::os::unix::fs::PermissionsExt as _;
    let script = "submissions/accepted/run.py";
    let odd = ["data/secret/it's.in", "data/secret/it's.ans", "data/secret/\u{1b}[2J.in", "data/secret/.hidden"];
    // Its own line, and a folder where an input is expected.
    let odd = [&odd[..], &["data/secret/a\njudge: forged.in", "data/secret/9.ans", "data/secret/9.in/rest"]].concat();
    let odd: Vec<(&str, &str)> = odd.iter().map(|name| (*name, "")).collect();
    let usual = [("problem.yaml", ""), ("data/secret/1.in", ""), ("data/secret/1.ans", ""), (script, "print()")];
    let root = made(&[&usual[..], &odd].concat());
    std::fs::create_dir_all(root.path().join("submissions/accepted/empty.py")).expect("created");
    let mode = |mode| std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(root.path().join(script), mode(0o4555)).expect("a mode");
    let package = Package::read(root.path()).expect("a package");
    assert_eq!(package.data.cases.len(), 1);
    let notices: Vec<&String> =
        package.notices.iter().filter(|notice| notice.contains("does not allow its name")).collect();
    assert_eq!(notices.len(), 4, "{notices:?}");
    assert!(package.notices.iter().all(|notice| !notice.contains(['\n', '\u{1b}'])), "{:?}", package.notices);
    let folder = "data/secret/9.ans: ignored, because there is no 9.in";
    assert!(package.notices.iter().any(|notice| notice.ends_with(folder)), "{:?}", package.notices);
    assert!(notices.iter().any(|notice| notice.contains("data/secret/it's.in: ignored")), "{notices:?}");
    let target = tempfile::tempdir().expect("a folder");
    let options = judge_package::Options { time_limit: 1.0, has: &|_| true };
    let written = package.write(target.path(), &options).expect("written");
    let copied = target.path().join("entries/accepted.run.py/run.py").metadata().expect("a copy").permissions();
    assert_eq!(copied.mode() & 0o7777, 0o755);
    assert_eq!(written.skipped.iter().map(|skipped| skipped.reason.as_str()).collect::<Vec<_>>(), ["it has no file"]);

    std::fs::remove_file(root.path().join("problem.yaml")).expect("removed");
    std::fs::create_dir(root.path().join("problem.yaml")).expect("created");
    let reason = Package::read(root.path()).expect_err("a folder").reason;
    assert_eq!(reason, "is a directory; expected a regular file");
}

#[test]
fn a_second_document_is_refused_in_every_yaml_file_of_a_package() {
    const CURRENT: (&str, &str) = ("problem.yaml", "problem_format_version: 2025-09\nname: x\n");
    const LEGACY: (&str, &str) = ("problem.yaml", "name: x\n");
    for (problem, name, text, line) in [
        (LEGACY, "problem.yaml", "name: x\n---\nlimits: {memory: 1}\n", 2),
        (LEGACY, "data/testdata.yaml", "on_reject: break\n---\non_reject: continue\n", 2),
        (LEGACY, "data/secret/testdata.yaml", "---\n---\naccept_score: 3\n", 2),
        (CURRENT, "data/secret/test_group.yaml", "# first\nargs: []\n...\n---\n", 4),
        (CURRENT, "data/secret/1.yaml", "args: []\n---\nargs: [x]\n", 2),
        (CURRENT, "submissions/submissions.yaml", "accepted: {}\n--- {}\n", 2),
        (LEGACY, "submissions.json", "{}\n---\n{}\n", 2),
    ] {
        let all = [problem, ("data/secret/1.in", ""), ("data/secret/1.ans", ""), ("submissions/accepted/a.py", "")];
        let others = all.into_iter().filter(|(known, _)| *known != name);
        let folder = made(&others.chain([(name, text)]).collect::<Vec<_>>());
        let error = Package::read(folder.path()).expect_err(name);
        let expected = folder.path().join(name);
        assert_eq!((&*error.file, error.line), (&*expected, Some(line)), "{error}");
        assert!(error.reason.starts_with("a second document begins here"), "{error}");
    }
    // The generators make all of the data, so their file is read on its own.
    for (name, text, line) in [
        ("generators/generators.yaml", "data: {}\n---\ndata: {}\n", 2),
        ("problem.yaml", "problem_format_version: 2025-09\n---\n", 2),
    ] {
        let mut files = vec![CURRENT, ("generators/generators.yaml", "data: {}\n")];
        files.retain(|(known, _)| *known != name);
        files.push((name, text));
        let folder = made(&files);
        let error = Generation::read(folder.path(), None).expect_err(name);
        assert_eq!((&*error.file, error.line), (&*folder.path().join(name), Some(line)), "{error}");
    }
}
