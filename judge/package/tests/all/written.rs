//! Tests of contest folders written from packages.

use judge_package::{Options, Written};

use crate::{made, package};

/// Everything except the programs of two languages is installed.
fn written(name: &str, folder: &std::path::Path) -> (Written, String) {
    let has = |program: &str| program != "cobc" && program != "clang";
    let written = package(name).write(folder, &Options { time_limit: 1.5, has: &has }).expect("written");
    (written, std::fs::read_to_string(folder.join("contest.toml")).expect("a contest file"))
}

#[test]
fn a_contest_has_boards_a_referee_and_entries() {
    let folder = tempfile::tempdir().expect("a folder");
    let (written, text) = written("apart", folder.path());
    assert_eq!(written.boards, ["sample.1", "secret.01-zero", "secret.02-large"]);
    let skipped: Vec<&str> = written.skipped.iter().map(|one| one.reason.as_str()).collect();
    assert_eq!(skipped, ["COBOL is not installed here: it needs cobc"]);
    for line in [
        "game = \"external\"",
        "input = \"stdin\"",
        "cpu = \"1500ms\"",
        "limit = \"5000ms\"",
        "memory = \"256MiB\"",
        "protocol = \"kattis\"",
        "build = \"cd referee/validator && g++ -std=gnu++23 -O2 -pthread -I. -o program validate.cc -lm\"",
        "answer = \"boards/secret.01-zero.ans\"",
        "args = [\"strict\"]",
        "command = [\"python3\", \"entries/accepted.two_files/main.py\"]",
        "build = \"cd entries/accepted.Apart.java && javac -encoding UTF-8 -sourcepath . -d . Apart.java\"",
        "limits = { memory = \"768MiB\" }",
        "# license: cc0",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    assert!(text.contains("\"{dir}/entries/accepted.Apart.java\", \"Apart\"]"), "{text}");
    assert!(folder.path().join("referee/validator/feedback.h").is_file());
    // A folder that is not empty is left unchanged.
    let options = Options { time_limit: 1.0, has: &|_| true };
    assert!(package("apart").write(folder.path(), &options).expect_err("refused").reason.contains("not empty"));
}

#[test]
fn programs_that_talk_have_more_time_and_may_say_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, guess) = written("guess", &folder.path().join("guess"));
    let (_, relay) = written("relay", &folder.path().join("relay"));
    assert!(guess.contains("\nlimit = \"10000ms\"\n") && relay.contains("\nlimit = \"5000ms\"\n"), "{guess}\n{relay}");
    // The submission and the validator.
    let outputs =
        |text: &str, output: &str| text.lines().filter(|line| *line == format!("output = {output:?}")).count();
    assert_eq!((outputs(&guess, "256MiB"), outputs(&guess, "8MiB")), (2, 0), "{guess}");
    assert_eq!((outputs(&relay, "256MiB"), outputs(&relay, "8MiB")), (0, 2), "{relay}");
}

#[test]
fn scores_become_groups_and_points() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, echo) = written("echo", &folder.path().join("echo"));
    let (_, stones) = written("stones", &folder.path().join("stones"));
    let (_, knapsack) = written("knapsack", &folder.path().join("knapsack"));
    for (text, lines) in rows! {
        (&echo, "protocol = \"tokens\""),
        (&echo, "[[figure]]\nname = \"score\"\nbetter = \"more\"\ndecimals = 0\n\n[referee]"),
        (&echo, "name = \"sample\"\naggregate = \"all\"\npoints = \"0\""),
        (&echo, "name = \"secret\"\naggregate = \"sum\"\n\n"),
        (&echo, "name = \"secret.group2\"\naggregate = \"min\"\nwithin = \"secret\""),
        (&echo, "group = \"secret.group2\"\npoints = \"70\""),
        (&stones, "name = \"secret.group1\"\naggregate = \"all\"\nwithin = \"secret\"\npoints = \"40\"\nrequires = [\"sample\"]"),
        (&stones, "aggregate = \"min\"\nwithin = \"secret\"\nrequires = [\"sample\", \"secret.group1\"]"),
        (&stones, "args = [\"near\", \"1000\"]\ngroup = \"secret.group2\"\npoints = \"60\""),
        (&knapsack, "group = \"secret\"\n"),
    } {
        assert!(text.contains(lines), "{lines}\n{text}");
    }
    assert!(!knapsack.contains("points = \"1\""), "{knapsack}");
    let validator = std::fs::read_to_string(folder.path().join("stones/referee/validator/__main__.py"));
    assert!(validator.expect("a validator").contains("LARGEST = 1000\n"));
    let included = folder.path().join("stones/entries/accepted.echo.py/stones.py");
    assert!(included.is_file());
}

#[test]
fn numbers_of_the_legacy_format_alone_can_be_hexadecimal() {
    let flags = "name: x\nvalidator_flags: float_tolerance 1e-6\n";
    let current = "problem_format_version: 2025-09\nname: x\n";
    for (problem, args, hexadecimal) in [
        (flags, "", true),
        ("name: x\n", "", false),
        (current, "output_validator_args: [float_tolerance, 1e-6]\n", false),
    ] {
        let made = made(&[
            ("problem.yaml", problem),
            ("data/secret/test_group.yaml", args),
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "1\n"),
            ("submissions/accepted/x.py", ""),
        ]);
        let folder = tempfile::tempdir().expect("a folder");
        let package = judge_package::Package::read(made.path()).expect("a package");
        package.write(folder.path(), &Options { time_limit: 1.0, has: &|_| true }).expect("written");
        let text = std::fs::read_to_string(folder.path().join("contest.toml")).expect("a contest file");
        assert_eq!(text.contains("args = [\"float_hexadecimal\"]"), hexadecimal, "{text}");
        assert_eq!(text.contains("\"float_tolerance\""), !args.is_empty() || problem == flags, "{text}");
    }
}

#[test]
fn a_contest_has_the_statement_that_suits_it_best() {
    let base = [
        ("problem.yaml", "name: Sums\nlimits:\n  time_limit: 1\n"),
        ("data/secret/1.in", "1\n"),
        ("data/secret/1.ans", "1\n"),
        ("submissions/accepted/a.py", "print(input())\n"),
    ];
    let tex = "statement/problem.en.tex: a statement in TeX is not taken; make a PDF file of it, and name that in the \
               contest file: statement = \"statement.pdf\"";
    for (files, expected, notices) in rows! {
        (&[][..], None, &[][..]),
        (&[("statement/problem.en.tex", "x")], None, &[tex]),
        (
            &[
                ("statement/problem.sv.md", "nej"),
                ("statement/problem.en.md", "yes"),
                ("statement/problem.en.pdf", "%PDF-1"),
            ],
            Some(("statement.md", "yes")),
            &[],
        ),
        (&[("problem_statement/problem.md", "yes")], Some(("statement.md", "yes")), &[]),
        (&[("problem_statement/problem.tex", "x"), ("problem.pdf", "%PDF-1")], Some(("statement.pdf", "%PDF-1")), &[]),
        (&[("testo/italian.pdf", "%PDF-it"), ("testo/english.pdf", "%PDF-en")], Some(("statement.pdf", "%PDF-en")), &[]),
        (&[("problem.pdf", "GIF89a")], None, &["problem.pdf: is not a PDF file, and is left out"]),
    } {
        let root = made(&[&base[..], files].concat());
        let package = judge_package::Package::read(root.path()).expect("a good package");
        assert_eq!(package.notices, notices, "{files:?}");
        let folder = tempfile::tempdir().expect("a folder");
        package.write(folder.path(), &Options { time_limit: 1.0, has: &|_| true }).expect("written");
        let text = std::fs::read_to_string(folder.path().join("contest.toml")).expect("a contest file");
        match expected {
            None => assert!(!text.contains("statement"), "{files:?}"),
            Some((name, contents)) => {
                assert!(text.contains(&format!("\nstatement = \"{name}\"\n")), "{text}");
                assert_eq!(std::fs::read_to_string(folder.path().join(name)).expect("copied"), contents);
            }
        }
    }
}
