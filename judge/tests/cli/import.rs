//! `judge import`, on packages of our own in the shapes of published ones.

use std::fs;
use std::path::Path;

use crate::support::{Folder, project};

fn package(name: &str) -> String {
    project().join("judge/package/tests/packages").join(name).display().to_string()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(item.file_name());
        match item.path().is_dir() {
            true => copy(&item.path(), &target),
            false => assert!(fs::copy(item.path(), target).is_ok()),
        }
    }
}

#[test]
fn submissions_do_what_their_packages_expect() {
    for (name, lines) in [
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
        (
            "echo",
            &[
                "ok       accepted/shout.py: accepted with score 100;",
                "ok       partially_accepted/three.py: accepted with score 30;",
            ],
        ),
        (
            "knapsack",
            &[
                "ok       accepted/best.py: accepted with score 40.5;",
                "ok       partially_accepted/first.py: accepted with score 39;",
            ],
        ),
        ("mean", &["ok       accepted/large.py: accepted;", "ok       wrong_answer/rounded.py: wrong answer;"]),
        (
            "stones",
            &[
                "ok       mixed/half.py: accepted with score 70;",
                "ok       mixed/none.py: wrong answer with score 0;",
                "ok       brute_force/loop.py: time limit exceeded with score 40;",
            ],
        ),
    ] {
        let run = Folder::new().judge(["import", "--verify", &package(name)]).exits(0);
        for line in lines {
            assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{name}: {line}\n{}", run.stdout);
        }
        assert!(run.stdout.contains(" 0 differ, "), "{name}: {}", run.stdout);
    }
}

#[test]
fn a_submission_that_differs_is_named_with_the_reason() {
    let folder = Folder::new();
    let root = folder.path().join("mean");
    copy(Path::new(&package("mean")), &root);
    let submissions = root.join("submissions");
    fs::rename(submissions.join("wrong_answer/rounded.py"), submissions.join("accepted/rounded.py")).unwrap();
    fs::rename(submissions.join("accepted/mean.py"), submissions.join("wrong_answer/mean.py")).unwrap();
    folder.file("mean/submissions/later/other.py", "");
    let run = folder.judge(["import", "--verify", "mean", "--limit", "5s"]).exits(1);
    for line in [
        "Mean: 3 test cases, time limit 5 s",
        "differs  accepted/rounded.py: wrong answer; expected: accepted; wrong answer on secret/1 (",
        "differs  wrong_answer/mean.py: accepted; expected: wrong answer; ",
        "ignored  later/other.py: wrong answer; the package states no expected result; ",
        "5 submissions: 2 ok, 2 differ, 0 skipped, 1 ignored",
    ] {
        assert!(run.stdout.lines().any(|known| known.starts_with(line)), "{line}\n{}", run.stdout);
    }
    assert!(run.stdout.contains("more than the tolerance"), "{}", run.stdout);
    assert!(run.stderr.contains("notice: submissions/later: the package states no expected result"), "{}", run.stderr);
}

#[test]
fn a_package_becomes_a_contest_that_runs() {
    let folder = Folder::new();
    let run = folder.judge(["import", &package("echo"), "contest", "--limit", "5s"]).exits(0);
    assert_eq!(run.stdout, "wrote contest: 5 boards, 4 entries, time limit 5 s\nnext: judge run contest\n");
    let run = folder.judge(["run", "contest", "--out", "results", "--format", "json", "--progress", "none"]).exits(0);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let rows = document["entries"].as_array().unwrap();
    let score = |name: &str| {
        let row = rows.iter().find(|row| row["entry"] == name).unwrap();
        row["total"]["score"].to_string()
    };
    assert!(score("accepted.echo.cpp").contains("100"), "{}", run.stdout);
    assert!(score("partially_accepted.three.py").contains("30"), "{}", run.stdout);
    // A folder with files is not touched, and a package that needs more is refused.
    let refused = folder.judge(["import", &package("echo"), "contest"]).exits(2);
    assert!(refused.stderr.contains("contest: is not empty; name a new folder"), "{}", refused.stderr);
    folder.file("guess/problem.yaml", "validation: custom interactive\n");
    let refused = folder.judge(["import", "guess", "other"]).exits(2);
    assert!(refused.stderr.contains("interactive problems are not supported"), "{}", refused.stderr);
    assert!(!folder.path().join("other").exists());
    folder.judge(["import", &package("echo")]).exits(2);
}

#[test]
fn a_checker_gives_partial_points() {
    let folder = Folder::new();
    // As a checker made with testlib: the outcome and the points are in the XML file, the exit code says little.
    folder.file(
        "checker.py",
        "import sys\n\
         given, wanted = (set(open(file).read().split()) for file in sys.argv[2:4])\n\
         points = 10 * len(given & wanted) / len(wanted)\n\
         assert sys.argv[5] == '-appes'\n\
         outcome = 'points' if given <= wanted else 'wrong-answer'\n\
         with open(sys.argv[4], 'w') as file:\n\
         \x20   file.write('<?xml version=\"1.0\" encoding=\"windows-1251\"?>')\n\
         \x20   more = f' points = \"{points:.1f}\"' if outcome == 'points' else ''\n\
         \x20   file.write(f'<result outcome = \"{outcome}\"{more}>{len(given)} words</result>')\n\
         sys.exit(7)\n",
    );
    folder.file("board.txt", "a b c d\n");
    folder.file(
        "contest.toml",
        "name = \"Words\"\ngame = \"external\"\nlimit = \"20s\"\ninput = \"stdin\"\n\
         [referee]\nprotocol = \"testlib\"\ncommand = [\"python3\", \"checker.py\"]\nscore = \"up\"\ndecimals = 1\n\
         [[board]]\nname = \"A\"\nfile = \"board.txt\"\nanswer = \"board.txt\"\npoints = \"10\"\n\
         [[entry]]\nname = \"all\"\ncommand = [\"cat\"]\n\
         [[entry]]\nname = \"half\"\ncommand = [\"cut\", \"-c\", \"1-3\"]\n\
         [[entry]]\nname = \"other\"\ncommand = [\"rev\"]\n\
         [[entry]]\nname = \"wrong\"\ncommand = [\"echo\", \"x\"]\n",
    );
    let run = folder.judge(["run", "--out", "results", "--format", "plain", "--progress", "none"]).exits(0);
    let line = |name: &str| run.stdout.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(line("all").contains("10.0") && line("half").contains("5.0"), "{}", run.stdout);
    assert!(line("wrong").contains("WRO"), "{}", run.stdout);
}

#[test]
fn the_puzzles_with_referees_of_their_own_run() {
    let folder = Folder::new();
    copy(&project().join("contests/bin-packing"), &folder.path().join("packing"));
    copy(&project().join("contests/uncrossed-knight"), &folder.path().join("knight"));
    let best = |contest: &str, boards: &str, entries: &str| {
        let out = format!("{contest}-results");
        let args = ["run", contest, "--boards", boards, "--entries", entries, "--out", &out, "--format", "plain"];
        folder.judge(args.into_iter().chain(["--progress", "none"])).exits(0).stdout
    };
    let packing = best("packing", "U120-01,T120-00", "first-fit,best-fit,fullest-bin");
    assert!(packing.contains("49") && packing.contains("41") && packing.contains("45"), "{packing}");
    let knight = best("knight", "5x5,6x6", "depth-first");
    assert!(knight.contains("10") && knight.contains("17"), "{knight}");
    let packed = folder.read("packing-results/journal.jsonl");
    assert!(packed.contains("\"verdict\":\"solved\"") && packed.contains("\"verdict\":\"valid\""), "{packed}");
    // The same seed gives the same board, and a bad one is refused.
    let made = |seed: &str| {
        let made = std::process::Command::new("python3")
            .arg(folder.path().join("packing/referee.py"))
            .args(["make", seed])
            .output()
            .unwrap();
        String::from_utf8(made.stdout).unwrap()
    };
    assert_eq!(made("3"), made("3"));
    assert_ne!(made("3"), made("4"));
}

#[test]
fn a_puzzle_in_one_file_is_written_and_runs() {
    let folder = Folder::new();
    let run = folder.judge(["init", "--referee", "python", "mine"]).exits(0);
    assert!(
        run.stdout.contains("wrote mine/referee.py") && run.stdout.ends_with("next: judge run mine\n"),
        "{}",
        run.stdout
    );
    let run = folder.judge(["run", "mine", "--out", "results", "--format", "plain", "--progress", "none"]).exits(0);
    assert!(run.stdout.contains("sample"), "{}", run.stdout);
    let journal = folder.read("results/journal.jsonl");
    assert_eq!(journal.matches("\"verdict\":\"solved\"").count(), 2, "{journal}");
    // Answers that are no answers get a verdict, and never a failure of the referee.
    let referee = folder.path().join("mine/referee.py");
    fs::create_dir(folder.path().join("out")).unwrap();
    for (answer, verdict) in [
        (&b""[..], "\"unsolved\""),
        (b"1", "\"unsolved\""),
        (b"0", "\"wrong\""),
        (b"-1", "\"wrong\""),
        (b"1e99999999", "\"wrong\""),
        (b"\0\xff\xfe 1", "\"wrong\""),
        (&[b'9'; 100_000], "\"wrong\""),
    ] {
        let answer = folder.file("answer", answer);
        let board = folder.path().join("mine/boards/first.txt");
        let mut command = std::process::Command::new("python3");
        let status = command.arg(&referee).args([&board, &answer, &folder.path().join("out")]).status().unwrap();
        let ruling = folder.read("out/ruling.json");
        assert!(status.success() && ruling.contains(verdict), "{verdict}: {ruling}");
    }
    folder.judge(["init", "--referee", "python", "mine"]).exits(2);
}

#[test]
fn comparing_tokens_needs_an_answer_and_known_arguments() {
    let folder = Folder::new();
    folder.file("board.txt", "1\n");
    let contest = |referee: &str, board: &str| {
        folder.file(
            "contest.toml",
            format!(
                "name = \"x\"\ngame = \"external\"\ninput = \"stdin\"\n[referee]\nprotocol = \"tokens\"\n{referee}\n\
                 [[board]]\nname = \"A\"\nfile = \"board.txt\"\n{board}\n[[entry]]\nname = \"cat\"\ncommand = \"cat\"\n"
            ),
        );
        folder.judge(["run", "--out", "never"]).exits(2).stderr
    };
    let refused = contest("", "");
    assert!(refused.contains("contest.toml:8: board A needs an answer"), "{refused}");
    let refused = contest("", "answer = \"board.txt\"\nargs = [\"float_tolerance\"]");
    assert!(refused.contains("board A: args: `float_tolerance` needs a number"), "{refused}");
    let refused = contest("command = \"./referee\"", "answer = \"board.txt\"");
    assert!(refused.contains("protocol \"tokens\" is built in; remove the command"), "{refused}");
}

#[test]
fn a_package_that_asks_for_too_much_is_imported_and_what_to_change_is_told() {
    let folder = Folder::new();
    for (file, text) in [
        ("huge/problem.yaml", "name: huge\nlimits: {time_limit: 1e9}\n"),
        ("huge/data/secret/1.in", "1\n"),
        ("huge/data/secret/1.ans", "1\n"),
    ] {
        folder.file(file, text);
    }
    let none = folder.judge(["import", "--verify", "huge"]).exits(2).message();
    assert!(none.contains("the package has no submission to run"), "{none}");
    folder.file("huge/submissions/accepted/a.sh", "echo 1\n");
    let refused = folder.judge(["import", "huge", "mine"]).exits(2);
    assert!(refused.stdout.contains("wrote mine: 1 boards, 1 entries"), "{}", refused.stdout);
    let message = refused.message();
    assert!(message.contains("mine/contest.toml:") && message.contains("more than seven days"), "{message}");
    assert!(message.contains("change the file, or the contest cannot run"), "{message}");
}
