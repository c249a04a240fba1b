//! `judge import`, on packages of our own in the shapes of published ones.

mod cms;
mod generated;
mod isolation;
mod kinds;
mod scores;
mod statics;

use crate::support::*;

fn package(name: &str) -> String {
    project().join("judge/package/tests/packages").join(name).display().to_string()
}

#[test]
#[ignore = "deep: packages"]
fn submissions_do_what_their_packages_expect() {
    for (name, lines) in rows! {
        (
            "apart",
            &[
                "ok       accepted/two_files: accepted;",
                "skipped  accepted/apart.cob: COBOL is not installed here: it needs cobc",
                "ok       compile_error/typo.c: compile error;",
                "ok       mixed/tagged.py: wrong answer;",
                "ok       run_time_error/assert.py: run-time error; run-time error on secret/02-large;",
                "ok       time_limit_exceeded/count.c: time limit exceeded;",
                "ok       wrong_answer/more.cc: wrong answer; wrong answer on sample/1;",
            ][..],
        ),
        ("echo", &["ok       accepted/shout.py: accepted with score 100;", "ok       partially_accepted/three.py: accepted with score 30;"]),
        ("knapsack", &["ok       accepted/best.py: accepted with score 40.5;", "ok       partially_accepted/first.py: accepted with score 39;"]),
        ("mean", &["ok       accepted/large.py: accepted;", "ok       wrong_answer/rounded.py: wrong answer;"]),
        (
            "stones",
            &[
                "ok       mixed/half.py: accepted with score 70;",
                "ok       mixed/none.py: wrong answer with score 0;",
                "ok       brute_force/loop.py: time limit exceeded with score 40;",
            ],
        ),
        (
            "guess",
            &[
                "ok       accepted/halves.py: accepted;",
                "ok       run_time_error/gives_up.py: run-time error;",
                "ok       time_limit_exceeded/half_a_line.py: time limit exceeded;",
                "ok       time_limit_exceeded/waits.py: time limit exceeded;",
                "ok       wrong_answer/runs_on.py: wrong answer;",
                "ok       wrong_answer/upwards.py: wrong answer;",
            ],
        ),
        (
            "heights",
            &[
                "ok       accepted/best.cpp: accepted with score 100;",
                "ok       accepted/heights.py: accepted with score 100;",
                "ok       partially_accepted/last.cpp: accepted with score 65;",
                "ok       run_time_error/heights.py: run-time error",
                "ok       wrong_answer/zero.cpp: wrong answer",
            ],
        ),
        (
            "relay",
            &[
                "ok       accepted/relay.py: accepted;",
                // Its CPU time on a test case is beyond the limit, that of each pass is not.
                "ok       accepted/slow_in_both.py: accepted;",
                "ok       run_time_error/second.py: run-time error;",
                "ok       time_limit_exceeded/second.py: time limit exceeded;",
                "ok       wrong_answer/forgets.py: wrong answer;",
                "ok       wrong_answer/unary.py: wrong answer;",
            ],
        ),
        (
            "again",
            &[
                "ok       accepted/halves.py: accepted;",
                "ok       time_limit_exceeded/waits_in_third.py: time limit exceeded;",
                "ok       wrong_answer/first_hundred.py: wrong answer;",
            ],
        ),
        (
            "numbers",
            &[
                "ok       accepted/archive.zip: accepted;",
                "ok       accepted/folder: accepted;",
                "ok       accepted/packed.tar.gz: accepted;",
                "skipped  accepted/program.py: it is a program in Python 3; answers are in a folder or an archive",
                "ok       wrong_answer/incomplete: wrong answer;",
                "ok       wrong_answer/off_by_one: wrong answer;",
            ],
        ),
        ("lamps", &["ok       accepted/each.py: accepted with score 14;", "ok       wrong_answer/none.py: wrong answer"]),
    } {
        let run = Folder::new().judge(["import", "--verify", &package(name)]).exits(0);
        for line in lines {
            assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{name}: {line}\n{}", run.stdout);
        }
        assert!(run.stdout.contains(" 0 differ, "), "{name}: {}", run.stdout);
    }
}

/// A package of shell scripts, so that it needs no other language: three test cases and five submissions.
const COPY: [(&str, &str); 12] = [
    ("problem.yaml", "problem_format_version: 2025-09\nname: Copy\n"),
    ("data/sample/1.in", "3\n"),
    ("data/sample/1.ans", "3\n"),
    ("data/secret/1.in", "5\n"),
    ("data/secret/1.ans", "5\n"),
    ("data/secret/2.in", "6\n"),
    ("data/secret/2.ans", "6\n"),
    ("submissions/accepted/copy.sh", "cat\n"),
    ("submissions/accepted/three.sh", "echo 3\n"),
    ("submissions/wrong_answer/copy.sh", "cat\n"),
    ("submissions/wrong_answer/four.sh", "echo 4\n"),
    ("submissions/later/other.sh", "exit 1\n"),
];

#[test]
fn a_package_is_verified_and_becomes_a_contest_that_runs() {
    let folder = Folder::new();
    for (file, text) in COPY {
        folder.file(&format!("copy/{file}"), text);
    }
    let run = folder.judge(["import", "--verify", "copy", "--limit", "5s"]).exits(1);
    for line in [
        "Copy: 3 test cases, time limit 5 s",
        "ok       accepted/copy.sh: accepted; ",
        "differs  accepted/three.sh: wrong answer; expected: accepted on every test case; ",
        "differs  wrong_answer/copy.sh: accepted; expected: wrong answer on at least one test case, ",
        "ok       wrong_answer/four.sh: wrong answer; wrong answer on sample/1",
        "ignored  later/other.sh: run-time error; the package states no expected result; ",
        "5 submissions: 2 ok, 0 tight, 2 differ, 0 skipped, 1 ignored",
    ] {
        assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{line}\n{}", run.stdout);
    }
    assert!(run.stderr.contains("notice: submissions/later: the package states no expected result"), "{}", run.stderr);

    let run = folder.judge(["import", "copy", "contest", "--limit", "5s"]).exits(0);
    assert_eq!(run.stdout, "wrote contest: 3 boards, 5 entries, time limit 5 s\nnext: judge run contest\n");
    // A folder with files is not touched, and a package that needs more is refused.
    let refused = folder.judge(["import", "copy", "contest"]).exits(2);
    assert!(refused.stderr.contains("contest: is not empty; name a new folder"), "{}", refused.stderr);
    folder.file("guess/problem.yaml", "validation: custom multi-pass\n");
    let refused = folder.judge(["import", "guess", "other"]).exits(2);
    assert!(refused.stderr.contains("needs a program in output_validators"), "{}", refused.stderr);
    assert!(!folder.path().join("other").exists());

    let run = folder.judge(["run", "contest", "--out", "out", "--progress", "lines"]).exits(0);
    assert!(
        run.stderr.lines().any(|line| line.contains("accepted.copy.sh") && line.contains(" AC ")),
        "{}",
        run.stderr
    );
    for line in [
        "a cell is AC for an accepted answer, else the verdict, a total is the number of accepted answers",
        "WRO  wrong answer",
    ] {
        assert!(run.stdout.lines().any(|known| known == line), "{line}\n{}", run.stdout);
    }
    assert!(run.stdout.contains(" solved (3) "), "{}", run.stdout);
    let csv = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    assert!(csv.starts_with("place,entry,author,competing,sample.1,secret.1,secret.2,solved,boards,total_ms"), "{csv}");
    assert!(csv.lines().any(|line| line.starts_with(",wrong_answer.four.sh,,no,WRO,WRO,WRO,0,3,")), "{csv}");
    folder.file("table.csv", &csv);
    let again = folder.judge(["rank", "table.csv", "--format", "csv"]).exits(0).stdout;
    assert_eq!(again, csv);
    let json = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    assert_eq!(
        (&json["scoring"]["cell"], &json["ranking"]),
        (&serde_json::json!([]), &serde_json::json!(["solved", "failed", "unstarted", "time"]))
    );
    let rows = json["entries"].as_array().unwrap();
    let own = rows.iter().find(|row| row["entry"] == "accepted.copy.sh").unwrap();
    assert_eq!((&own["place"], &own["runs"][0]["figures"]["solved"]), (&1.into(), &"1".into()));
    let compared = folder.judge(["compare", "out", "--format", "json"]).exits(0).json();
    assert_eq!(compared["scoring"]["figures"][0]["name"], "solved");
    let compared = folder.judge(["compare", "out"]).exits(0).stdout;
    let page = folder.judge(["report", "out", "-o", "page.html"]).exits(0);
    let page = page.stdout + &folder.read("page.html");
    assert!(page.contains("3 of 3 boards solved") && page.contains(">AC"), "the headline and the cells");
    let page = page.split("<body").nth(1).unwrap().split("<script").next().unwrap();
    for (text, what) in [(&*run.stdout, "table"), (&csv, "CSV"), (&compared, "compare"), (page, "page")] {
        for word in ["progress", "moves", "tie-break", "tie_break", "1/0", "0/WRO"] {
            let found = text.find(word).map(|at| &text[at.saturating_sub(100)..(at + 60).min(text.len())]);
            assert_eq!(found, None, "{what}");
        }
    }
    // Accepted or not: nothing between.
    let ruled = ["rule", "out", "accepted.copy.sh", "sample.1", "unsolved", "--because", "x"];
    assert!(folder.judge(ruled).exits(2).stderr.contains("use `solved` or `wrong`"));
    // A try of many boards.
    folder.judge(["try", "contest", "--remember", "memory", "--", "echo", "1"]).exits(1).shows(["\nsolved 0 of 3\n"]);
}

/// Writes a package, and verifies it: the lines about its submissions, without times, and the notices.
fn verified(folder: &Folder, files: &[(&str, &str)], code: i32) -> (Vec<String>, String) {
    for (file, text) in files {
        folder.file(&format!("made/{file}"), text);
    }
    let run = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(code);
    let known = ["ok ", "differs ", "ignored ", "skipped "];
    let lines = run.stdout.lines().filter(|line| known.iter().any(|word| line.starts_with(word)));
    (lines.map(|line| line.rsplit_once("; ").unwrap().0.to_owned()).collect(), run.stderr)
}

#[test]
#[ignore = "deep: packages"]
fn submissions_get_arguments_and_files_of_their_test_cases() {
    let folder = Folder::new();
    let read = "import sys\nprint(sys.argv[1:], open('note.txt').read().strip(), input())\n";
    let (lines, notices) = verified(
        &folder,
        &[
            ("problem.yaml", "problem_format_version: 2025-09\nname: Errand\n"),
            ("data/secret/1.in", "3\n"),
            ("data/secret/1.ans", "['--greet', 'hello world'] first note 3\n"),
            ("data/secret/1.yaml", "args: [--greet, hello world]\nfull_feedback: true\nodd: 1\n"),
            ("data/secret/1.files/note.txt", "first note\n"),
            ("data/secret/2.in", "4\n"),
            ("data/secret/2.ans", "['of', 'the group'] second 4\n"),
            ("data/secret/2.files/note.txt", "second\n"),
            ("data/secret/3.in", "4\n"),
            ("data/secret/3.ans", "['a', 'b c'] third 4\n"),
            ("data/secret/3.args", "a 'b c'\n"),
            ("data/secret/3.files/note.txt", "third\n"),
            ("data/secret/4.ans", "nothing\n"),
            ("data/secret/test_group.yaml", "args: [of, the group]\n"),
            ("submissions/accepted/read.py", read),
            // The files of a test case replace those of the submission.
            ("submissions/accepted/own/main.py", read),
            ("submissions/accepted/own/note.txt", "its own\n"),
            ("submissions/wrong_answer/blind.py", "print(input())\n"),
        ],
        0,
    );
    let expected = [
        "ok       accepted/own: accepted",
        "ok       accepted/read.py: accepted",
        "ok       wrong_answer/blind.py: wrong answer; wrong answer on secret/1",
    ];
    assert_eq!(lines, expected);
    contains(&notices, ["1.yaml:3: ignored key `odd`", "4.ans: ignored, because there is no 4.in"]);
    // The contest has them as well, and a try of one board.
    folder.judge(["import", "made", "contest", "--limit", "5s"]).exits(0);
    let try_one = ["try", "--contest", "contest/contest.toml", "secret.1", "--readable", "made", "--"];
    folder.judge([&try_one[..], &["python3", "made/submissions/accepted/read.py"]].concat()).exits(0);
    let text = folder.read("contest/contest.toml");
    folder.file("contest/contest.toml", text.replace("boards/secret.2.files", "boards/none"));
    folder.judge(["check", "contest"]).exits(2).says(["board secret.2: ", "none: no such file"]);
}

#[test]
fn names_that_look_alike_are_replaced_with_a_notice() {
    let folder = Folder::new();
    let case = |name: &str| [(format!("data/secret/{name}.in"), "1\n"), (format!("data/secret/{name}.ans"), "1\n")];
    let mut files = vec![("problem.yaml".to_owned(), "problem_format_version: 2025-09\nname: Alike\n")];
    for name in ["ab", "AB", "c_d", "c+d", "stra\u{df}e", "STRASSE", "\u{fb01}x", "fix", "a\u{200b}b"] {
        files.extend(case(name));
    }
    for name in ["echo.sh", "Echo.sh"] {
        files.push((format!("submissions/accepted/{name}"), "cat\n"));
    }
    for (name, text) in &files {
        folder.file(&format!("made/{name}"), text);
    }
    let reply = folder.judge(["import", "made", "contest", "--limit", "5s"]).exits(0).stderr;
    let contest = folder.read("contest/contest.toml");
    assert!(
        reply.contains("notice: secret/ab: its board is named secret.ab-2, because its name looks like secret.AB\n")
    );
    assert!(reply.contains("its entry is named accepted.echo.sh-2, because its name looks like accepted.Echo.sh\n"));
    assert!(contest.contains("\"secret.AB\"") && contest.contains("\"secret.ab-2\""), "{contest}");
    for (name, other) in [("stra\u{df}e", "STRASSE"), ("\u{fb01}x", "fix")] {
        contains(&reply, [&format!("notice: secret/{name}: "), &format!("looks like secret.{other}\n")]);
    }
    assert!(!reply.contains("c+d") && !reply.contains("c_d"), "these differ: {reply}");
    // What cannot be seen is no name of the format.
    assert!(reply.contains("a\u{fffd}b.in: ignored, because the format does not allow its name"), "{reply}");
    assert_eq!(contest.matches("[[board]]").count(), 8);
    folder.judge(["check", "contest"]).exits(0);
}

#[test]
#[ignore = "deep: packages"]
fn every_validator_of_a_package_must_accept() {
    let folder = Folder::new();
    let checks = |test: &str, message: &str| {
        format!(
            "import sys\nassert sys.argv[4:] == ['flag'] and open(sys.argv[2]).read() == ''\nanswer = sys.stdin.read()\n\
             if {test}: sys.exit(42)\nopen(sys.argv[3] + 'judgemessage.txt', 'w').write('{message}')\nsys.exit(43)\n"
        )
    };
    let (lines, notices) = verified(
        &folder,
        &[
            ("problem.yaml", "name: Both\nvalidation: custom\nvalidator_flags: flag\n"),
            ("data/secret/1.in", "1\n"),
            ("output_validators/number/check.py", &checks("answer.strip().isdigit()", "no number")),
            ("output_validators/even.py", &checks("answer.strip() in '02468'", "not even")),
            ("submissions/accepted/two.py", "print(2)\n"),
            ("submissions/wrong_answer/three.py", "print(3)\n"),
            ("submissions/accepted/word.py", "print('')\n"),
        ],
        1,
    );
    let expected = [
        "ok       accepted/two.py: accepted",
        "differs  accepted/word.py: wrong answer; expected: accepted; wrong answer on secret/1 (wrong answer: the referee \
         rejects it; the referee notes: no number)",
        "ok       wrong_answer/three.py: wrong answer; wrong answer on secret/1",
    ];
    assert_eq!(lines, expected);
    assert!(notices.contains("1.in: it has no .ans file; the validator gets an empty one"), "{notices}");
}

/// Submissions that published packages have to test another judge's sandbox: what they do here, and what they are told.
#[test]
#[ignore = "deep: packages"]
fn tests_of_another_sandbox_differ_for_the_reasons_that_are_recorded() {
    let folder = Folder::new();
    let (lines, _) = verified(
        &folder,
        &rows! {
            ("problem.yaml", "name: Walls\n"),
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", "hello\n"),
            // A fork fails at the limit there, and the program goes on; here the run ends.
            ("submissions/time_limit_exceeded/fork.py", "import os\nwhile True:\n    os.fork()\n"),
            // It stops the process that watches it, which here is another one that cannot be stopped so.
            ("submissions/time_limit_exceeded/stop.sh", "kill -STOP $PPID\necho no\n"),
            // The write is refused, and the program says so with its exit code.
            ("submissions/wrong_answer/write.py", "try:\n    open('/file', 'w')\nexcept OSError:\n    exit(1)\nprint('no')\n"),
            // A shell goes on after a command that failed.
            ("submissions/run_time_error/escape.sh", "mkdir /escape && chroot /escape\necho no\n"),
        },
        1,
    );
    let expected = [
        "differs  run_time_error/escape.sh: wrong answer; expected: run-time error; wrong answer on secret/1 (wrong answer: ",
        "differs  time_limit_exceeded/fork.py: run-time error; expected: time limit exceeded; run-time error on secret/1 (more \
         processes and threads at a time than the contest allows",
        "differs  time_limit_exceeded/stop.sh: wrong answer; expected: time limit exceeded; wrong answer on secret/1 (wrong ",
        "differs  wrong_answer/write.py: run-time error; expected: wrong answer; run-time error on secret/1 (crashed with exit \
         code 1",
    ];
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
    assert_eq!(lines.len(), 4, "{lines:?}");
}

#[test]
#[ignore = "deep: packages"]
fn a_build_that_fails_shows_its_output() {
    let folder = Folder::new();
    copy_folder(Path::new(&package("mean")), &folder.path().join("mean"));
    folder.file("mean/submissions/accepted/broken.py", "print(1\n");
    let run = folder.judge(["import", "--verify", "mean", "--limit", "5s"]).exits(1);
    // The folder of the log is gone when the command has ended.
    assert!(!run.stderr.contains("complete output:") && !run.stderr.contains(".log"), "{}", run.stderr);
    let notice = "not built: accepted.broken.py: `cd entries/accepted.broken.py && python3 -m py_compile broken.py` ended with exit code 1";
    assert!(run.stderr.contains(notice), "{}", run.stderr);
    assert!(run.stderr.lines().any(|line| line.starts_with("    | SyntaxError: ")), "{}", run.stderr);
}

#[test]
fn a_package_that_asks_for_too_much_is_imported_with_advice() {
    let folder = Folder::new();
    for (file, text) in [
        ("huge/problem.yaml", "name: huge\nlimits: {time_limit: 1e9}\n"),
        ("huge/data/secret/1.in", "1\n"),
        ("huge/data/secret/1.ans", "1\n"),
    ] {
        folder.file(file, text);
    }
    folder.judge(["import", "--verify", "huge"]).exits(2).says(["the package has no submission to run"]);
    folder.file("huge/submissions/accepted/a.sh", "echo 1\n");
    let refused = folder.judge(["import", "huge", "mine"]).exits(2);
    assert!(refused.stdout.contains("wrote mine: 1 board, 1 entry"), "{}", refused.stdout);
    let message = refused.message();
    contains(&message, ["mine/contest.toml:", "more than seven days", "change the file, or the contest cannot run"]);
}
