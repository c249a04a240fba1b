//! `judge import --verify`: what it says about a package, and when.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::ChildStdout;

use rustix::process::{Pid, Signal};

use crate::support::*;

/// Writes a package of whole numbers, whose answer is the number itself.
fn numbers(folder: &Folder, cases: &[(&str, u32)], files: &[(&str, &str)]) {
    folder.file("made/problem.yaml", "name: Numbers\nlimits:\n  time_multiplier: 2\n  time_safety_margin: 2\n");
    for (name, number) in cases {
        folder.file(&format!("made/data/{name}.in"), format!("{number}\n"));
        folder.file(&format!("made/data/{name}.ans"), format!("{number}\n"));
    }
    for (file, text) in files {
        folder.file(&format!("made/{file}"), text);
    }
}

/// Takes so many seconds of CPU time on a number, and prints it.
fn slow_on(number: u32, seconds: &str) -> String {
    let wait = format!("while number == {number} and time.process_time() < {seconds}:\n    pass\n");
    format!("import time\nnumber = int(input())\n{wait}print(number)\n")
}

const CASES: [(&str, u32); 4] = [("sample/1", 1), ("secret/1", 2), ("secret/2", 3), ("secret/3", 4)];

#[track_caller]
fn has(text: &str, begin: &str) -> String {
    let line = text.lines().find(|line| line.starts_with(begin));
    line.unwrap_or_else(|| panic!("{begin}\n{text}")).to_owned()
}

#[test]
#[ignore = "deep: packages"]
fn a_verification_names_what_the_limit_and_the_test_cases_decide() {
    let folder = Folder::new();
    let files: &[(&str, &str)] = &[
        ("submissions/accepted/fast.py", "print(input())\n"),
        ("submissions/accepted/slow.py", &slow_on(2, "0.4")),
        ("submissions/wrong_answer/from_3.py", "print(min(2, int(input())))\n"),
        ("submissions/wrong_answer/only_4.py", "n = int(input())\nprint(n if n < 4 else 0)\n"),
        ("submissions/run_time_error/on_3.py", "n = int(input())\nassert n != 3\nprint(n)\n"),
        ("submissions/time_limit_exceeded/slow.py", &slow_on(3, "9")),
    ];
    numbers(&folder, &CASES, files);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "2s"]).exits(0).stdout;
    let slowest = has(&verified, "margin   slowest accepted: accepted/slow.py, ");
    assert!(
        slowest.contains(" s on secret/1; the limit is ") && slowest.ends_with("time_multiplier asks for 2"),
        "{slowest}"
    );
    // A busy machine may end it by its wall clock, before the CPU time of the margin.
    let fastest = has(&verified, "margin   fastest too slow: time_limit_exceeded/slow.py, more than ");
    assert!(fastest.contains(" s on secret/2; ") && fastest.contains("time_safety_margin"), "{fastest}");
    // Each verdict needs the first test case that makes it; the slowest accepted run bounds the limit.
    let by_2 = has(&verified, "case     secret/2 rejects ");
    contains(&by_2, ["run_time_error/on_3.py", "time_limit_exceeded/slow.py", "wrong_answer/from_3.py"]);
    assert_eq!(has(&verified, "case     secret/3 "), "case     secret/3 rejects wrong_answer/only_4.py");
    assert!(!verified.contains("no submission needs"), "{verified}");
    // Without the only submission that secret/3 rejects, no submission needs it.
    std::fs::remove_file(folder.path().join("made/submissions/wrong_answer/only_4.py")).unwrap();
    std::fs::remove_file(folder.path().join("made/submissions/time_limit_exceeded/slow.py")).unwrap();
    let verified = folder.judge(["import", "--verify", "made", "--limit", "2s"]).exits(0).stdout;
    let line = has(&verified, "case     no submission needs");
    assert_eq!(line, "case     no submission needs secret/3: without them every verdict would be the same");
    assert!(!verified.contains("fastest too slow"), "{verified}");
}

#[test]
#[ignore = "deep: packages"]
fn the_slowest_accepted_is_the_slowest_run_of_those_that_are_to_be_accepted() {
    let folder = Folder::new();
    let files: &[(&str, &str)] = &[
        ("submissions/accepted/a.py", &slow_on(3, "0.3")),
        ("submissions/accepted/b.py", &slow_on(4, "0.9")),
        ("submissions/accepted/c.py", "print(input())\n"),
        // Slower, but rejected: its times bound nothing.
        ("submissions/wrong_answer/slow.py", &(slow_on(2, "1.5") + "print(7)\n")),
    ];
    numbers(&folder, &CASES, files);
    let verify = |more: &[&str]| {
        let all = ["import", "--verify", "made", "--limit", "8s"].into_iter().chain(more.iter().copied());
        folder.judge(all).exits(0).stdout
    };
    // The run is named with its test case, which is then needed although no verdict does.
    let all = verify(&[]);
    let slowest = has(&all, "margin   slowest accepted: accepted/b.py, ");
    assert!(slowest.contains(" s on secret/3; the limit is "), "{slowest}");
    assert_eq!(all.matches("slowest accepted").count(), 1, "{all}");
    let unneeded = all.lines().find(|line| line.contains("no submission needs")).unwrap_or_default();
    assert!(unneeded.contains("secret/2") && !unneeded.contains("secret/3"), "{all}");
    // Of the selected ones alone.
    let first = verify(&["--submission", "accepted/a.py", "--submission", "accepted/c.py"]);
    assert!(has(&first, "margin   slowest accepted: accepted/a.py, ").contains(" s on secret/2; "), "{first}");
    // Without a submission that is accepted there is none.
    let none = verify(&["--submission", "wrong_answer/slow.py"]);
    assert!(!none.contains("slowest accepted"), "{none}");
}

#[test]
#[ignore = "deep: packages"]
fn a_limit_that_is_too_low_for_its_submissions_is_named() {
    let folder = Folder::new();
    numbers(&folder, &CASES, &[("submissions/accepted/slow.py", &slow_on(2, "1.2"))]);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "2s"]).exits(0).stdout;
    let slowest = has(&verified, "margin   slowest accepted: accepted/slow.py, 1.");
    assert!(slowest.contains("less than the 2 of time_multiplier, which makes a limit of 3 s"), "{slowest}");
    // Without a limit, what makes one is said when it is known.
    folder.file("made/submissions/accepted/none.py", "print(-1)\n");
    let measured = folder.judge(["import", "--verify", "made"]).exits(1).stderr;
    assert!(measured.contains("measured accepted/none.py: accepted on no test case\n"), "{measured}");
    let slow = measured.lines().find(|line| line.starts_with("measured accepted/slow.py: ")).unwrap();
    assert!(slow.ends_with(" s on secret/1"), "{measured}");
}

#[test]
#[ignore = "deep: packages"]
fn what_more_time_would_change_is_not_simply_ok() {
    let folder = Folder::new();
    let files: &[(&str, &str)] = &[
        ("submissions/accepted/slow.py", &slow_on(2, "1.5")),
        ("submissions/time_limit_exceeded/slow.py", &slow_on(2, "1.5")),
        ("submissions/time_limit_exceeded/slower.py", &slow_on(2, "9")),
    ];
    numbers(&folder, &CASES, files);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "1s"]).exits(0).stdout;
    let accepted = has(&verified, "tight    accepted/slow.py: accepted; only with extra time, up to 2 s; ");
    assert!(accepted.contains("at the limit of 1 s: time limit exceeded; 1."), "{accepted}");
    let late =
        has(&verified, "tight    time_limit_exceeded/slow.py: time limit exceeded; time limit exceeded on secret/1; ");
    assert!(late.contains("; depends on the time limit: with 2 s accepted; 1."), "{late}");
    has(&verified, "ok       time_limit_exceeded/slower.py: time limit exceeded; ");
    assert!(verified.ends_with("3 submissions: 1 ok, 2 tight, 0 differ, 0 skipped, 0 ignored\n"), "{verified}");
}

#[test]
#[ignore = "deep: packages"]
fn a_crash_shows_the_end_of_its_standard_error() {
    let folder = Folder::new();
    let crash = "import sys\nprint('\\033[31mfar', file=sys.stderr)\nassert input() != '2', 'two is odd'\nprint(1)\n";
    numbers(&folder, &CASES, &[("submissions/accepted/crash.py", crash)]);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(1).stdout;
    has(&verified, "differs  accepted/crash.py: ");
    has(&verified, "    | AssertionError: two is odd");
    assert!(!verified.contains('\u{1b}'), "{verified}");
}

#[test]
#[ignore = "deep: packages"]
fn results_are_put_into_words() {
    let folder = Folder::new();
    let group = |score: u32| format!("grading: default\ngrader_flags: min\naccept_score: {score}\n");
    let files: &[(&str, &str)] = &[
        ("problem.yaml", "name: Scored\ntype: scoring\n"),
        ("data/testdata.yaml", "on_reject: continue\nrange: 0 100\ngrader_flags: accept_if_any_accepted\n"),
        ("data/secret/testdata.yaml", "on_reject: continue\ngrader_flags: always_accept\nrange: 0 100\n"),
        ("data/secret/a/testdata.yaml", &group(40)),
        ("data/secret/b/testdata.yaml", &group(60)),
        ("submissions/accepted/all.py", "print(input())\n"),
        ("submissions/accepted/half.py", "print(min(1, int(input())))\n"),
        ("submissions/accepted/none.py", "print(7)\n"),
    ];
    numbers(&folder, &[("secret/a/1", 1), ("secret/b/1", 2)], files);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(0).stdout;
    let line = has(&verified, "ok       accepted/all.py: accepted with score 100; ");
    assert!(!line.contains("best score") && !line.contains("point"), "{line}");
    let half = has(&verified, "ok       accepted/half.py: accepted with score 40; ");
    assert!(half.contains("the best score is 100: partially_accepted is for such submissions"), "{half}");
    let none = has(&verified, "ok       accepted/none.py: accepted with score 0; ");
    assert!(none.contains("accepted without a point: rejected test cases cost points only"), "{none}");
    // What a folder of 2025-09 demands.
    let folder = Folder::new();
    let files: &[(&str, &str)] = &[
        ("problem.yaml", "problem_format_version: 2025-09\nname: Now\n"),
        ("submissions/brute_force/wrong.py", "print(min(3, int(input())))\n"),
    ];
    numbers(&folder, &CASES, files);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(1).stdout;
    let line = has(&verified, "differs  brute_force/wrong.py: wrong answer; expected: ");
    contains(
        &line,
        ["expected: run-time error or time limit exceeded on at least one test case, accepted on the others; "],
    );
}

/// A validator that accepts the number and nothing else, and fails on the word `fail`.
const VALIDATOR: &str = "import sys\nanswer = sys.stdin.read().split()\nif answer == ['fail']:\n    sys.exit(7)\n\
                         right = answer == open(sys.argv[1]).read().split()\nif not right:\n    \
                         open(sys.argv[3] + '/judgemessage.txt', 'w').write('another number')\n\
                         sys.exit(42 if right else 43)\n";

#[test]
#[ignore = "deep: packages"]
fn the_validator_is_asked_about_the_files_of_the_package() {
    let folder = Folder::new();
    let files: &[(&str, &str)] = &[
        ("problem.yaml", "name: Checked\nvalidation: custom\n"),
        ("output_validators/check.py", VALIDATOR),
        ("submissions/accepted/all.py", "print(input())\n"),
        ("data/invalid_output/none.in", "5\n"),
        ("data/invalid_output/none.ans", "5\n"),
        ("data/invalid_output/none.out", "\n"),
        ("data/valid_output/spaces.in", "5\n"),
        ("data/valid_output/spaces.ans", "5\n"),
        ("data/valid_output/spaces.out", "   5\n"),
    ];
    numbers(&folder, &CASES, files);
    let verified = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(0).stdout;
    for line in [
        "ok       data/sample: the validator accepts the judge's answers to 1 test case",
        "ok       data/secret: the validator accepts the judge's answers to 3 test cases",
        "ok       data/valid_output: the validator accepts 1 output",
        "ok       data/invalid_output: the validator rejects 1 output",
        "1 submission: 1 ok, 0 tight, 0 differ, 0 skipped, 0 ignored",
    ] {
        has(&verified, line);
    }
    // Each of them wrong in turn.
    let wrong = |file: &str, text: &str, code: i32, line: &str| {
        let before = folder.read(&format!("made/data/{file}"));
        folder.file(&format!("made/data/{file}"), text);
        let verified = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(code).stdout;
        assert!(has(&verified, line).contains(line), "{verified}");
        folder.file(&format!("made/data/{file}"), before);
    };
    wrong(
        "invalid_output/none.out",
        "5\n",
        1,
        "differs  data/invalid_output/none.out: the validator accepts it; expected: rejected",
    );
    wrong(
        "valid_output/spaces.out",
        "6\n",
        1,
        "differs  data/valid_output/spaces.out: expected: accepted; wrong answer",
    );
    wrong("sample/1.ans", "6\n", 1, "differs  data/sample/1.ans: expected: accepted; wrong answer");
    wrong(
        "secret/2.ans",
        "see below\n",
        0,
        "note     data/secret/2.ans: the validator rejects the judge's answer (wrong answer",
    );
    wrong("valid_output/spaces.out", "fail\n", 3, "differs  data/valid_output/spaces.out: the validator failed (");
    std::fs::remove_file(folder.path().join("made/data/valid_output/spaces.out")).unwrap();
    let message = folder.judge(["import", "--verify", "made", "--limit", "5s"]).exits(0).stderr;
    assert!(message.contains("spaces.in: ignored, because it has no .out file"), "{message}");
}

#[test]
#[ignore = "deep: packages"]
fn parts_of_a_package_are_selected() {
    let folder = Folder::new();
    let files: &[(&str, &str)] = &[
        ("submissions/accepted/all.py", "print(input())\n"),
        ("submissions/wrong_answer/one.py", "print(1)\n"),
        ("submissions/wrong_answer/from_3.py", "print(min(2, int(input())))\n"),
        // The folder permits wrong answers beside one that is too slow.
        ("submissions/time_limit_exceeded/wrong.py", "print(1)\n"),
        ("submissions/time_limit_exceeded/crash.py", "exit(1)\n"),
    ];
    numbers(&folder, &CASES, files);
    let verify = |options: &[&str], code: i32| {
        let all = ["import", "--verify", "made", "--limit", "5s"].into_iter().chain(options.iter().copied());
        folder.judge(all).exits(code)
    };
    let some = verify(&["--submission", "wrong_answer"], 0).stdout;
    assert!(some.contains("from_3.py") && some.contains("one.py") && !some.contains("all.py"), "{some}");
    assert!(!some.contains("no submission needs"), "others may: {some}");
    let one = verify(&["--submission", "o*.py", "--case", "secret/1", "--case", "sample"], 0).stdout;
    has(&one, "Numbers: 2 test cases, time limit 5 s");
    has(&one, "ok       wrong_answer/one.py: wrong answer; wrong answer on secret/1; ");
    assert!(one.ends_with("1 submission: 1 ok, 0 tight, 0 differ, 0 skipped, 0 ignored\n"), "{one}");
    let open = verify(&["--case", "secret/1"], 1).stdout;
    has(
        &open,
        "ignored  time_limit_exceeded/wrong.py: wrong answer; the selected test cases do not decide; expected: time limit exceeded; ",
    );
    has(&open, "differs  time_limit_exceeded/crash.py: run-time error; expected: time limit exceeded; ");
    has(
        &open,
        "ignored  wrong_answer/from_3.py: accepted; the selected test cases do not decide; expected: wrong answer; ",
    );
    for (options, reason) in [
        (["--submission", "none.py"], "no submission matches `none.py`; available: accepted/all.py, "),
        (["--case", "secret/9"], "no test case matches `secret/9`; available: sample/1, secret/1, "),
    ] {
        let refused = verify(&options, 2).message();
        assert!(refused.contains(reason), "{refused}");
    }
}

/// A verification of two submissions that has a line about the first, and waits for the second.
fn waiting(folder: &Folder) -> (Child, BufReader<ChildStdout>, String) {
    let files: &[(&str, &str)] = &[
        ("submissions/accepted/all.py", "print(input())\n"),
        ("submissions/accepted/endless.py", "while True:\n    pass\n"),
        ("submissions/wrong_answer/one.py", "print(1)\n"),
    ];
    numbers(folder, &CASES, files);
    let mut command = Command::new("env");
    // The shell of the tests may ignore signals.
    command.args(["--default-signal", env!("CARGO_BIN_EXE_judge"), "import", "--verify", "made", "--limit", "1000s"]);
    command.args(["--jobs", "1"]).current_dir(folder.path()).stdin(Stdio::null());
    let mut judge = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(judge.stdout.take().unwrap());
    let mut lines = String::new();
    while !lines.contains("accepted/all.py: accepted; ") {
        assert!(out.read_line(&mut lines).unwrap() > 0, "{lines}");
    }
    assert!(!lines.contains("endless.py"), "{lines}");
    (judge, out, lines)
}

fn interrupt(judge: &Child) {
    rustix::process::kill_process(Pid::from_child(judge), Signal::INT).unwrap();
}

#[test]
#[ignore = "deep: packages"]
fn an_interrupted_verification_keeps_the_lines_that_were_known() {
    let folder = Folder::new();
    let (mut judge, mut out, mut lines) = waiting(&folder);
    // As `timeout` does: it sends its signal to the process and to its group. Both together are one.
    interrupt(&judge);
    interrupt(&judge);
    out.read_to_string(&mut lines).unwrap();
    let mut message = String::new();
    judge.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(judge.wait().unwrap().code(), Some(130), "{message}");
    has(&lines, "margin   slowest accepted: accepted/all.py, ");
    assert!(lines.ends_with("1 submission: 1 ok, 0 tight, 0 differ, 0 skipped, 0 ignored\n"), "{lines}");
    assert!(message.contains("interrupted: 1 of 3 submissions verified"), "{message}");
}

#[test]
#[ignore = "deep: packages"]
fn a_second_interrupt_ends_a_verification_that_nobody_reads() {
    let folder = Folder::new();
    let (mut judge, mut out, _) = waiting(&folder);
    // Its standard output is full from now on, so after the first signal it waits with its last lines.
    let output = File::options().write(true).open(format!("/proc/{}/fd/1", judge.id())).unwrap();
    (&output).write_all(&vec![b'x'; rustix::pipe::fcntl_getpipe_size(&output).unwrap()]).unwrap();
    drop(output);
    let begun = Instant::now();
    while judge.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it goes on");
        interrupt(&judge);
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(judge.wait().unwrap().code(), Some(130));
    let mut lines = String::new();
    out.read_to_string(&mut lines).unwrap();
    assert!(lines.trim_start_matches('x').is_empty(), "{lines}");
}
