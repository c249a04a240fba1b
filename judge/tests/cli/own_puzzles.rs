//! Puzzles with referees in Python: those of `contests/`, and the one that `judge init --referee` writes.

use crate::second_opinion::has_python;
use crate::support::*;

#[test]
#[ignore = "deep: documents"]
fn the_puzzles_with_referees_of_their_own_run() {
    let folder = Folder::new();
    copy_folder(&project().join("contests/bin-packing"), &folder.path().join("packing"));
    copy_folder(&project().join("contests/uncrossed-knight"), &folder.path().join("knight"));
    let best = |contest: &str, boards: &str, entries: &str| {
        let out = format!("{contest}-results");
        let args = ["run", contest, "--boards", boards, "--entries", entries, "--out", &out, "--format", "plain"];
        folder.judge(args.into_iter().chain(["--progress", "none"])).exits(0).stdout
    };
    let packing = best("packing", "C30,T120", "first-fit,best-fit,fullest-bin");
    assert!(packing.contains(" 30 ") && packing.contains(" 31 ") && packing.contains(" 47 "), "{packing}");
    // The boards are those that their program makes.
    fs::create_dir(folder.path().join("again")).unwrap();
    let made = std::process::Command::new("python3")
        .args([folder.path().join("packing/boards.py"), folder.path().join("again")])
        .status()
        .unwrap();
    assert!(made.success());
    for board in fs::read_dir(folder.path().join("packing/boards")).unwrap().map(Result::unwrap) {
        let name = board.file_name().into_string().unwrap();
        assert!(folder.read(&format!("again/{name}")) == folder.read(&format!("packing/boards/{name}")), "{name}");
    }
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
#[ignore = "deep: documents"]
fn entries_talk_to_the_referee_of_covered_tiles() {
    let folder = Folder::new();
    copy_folder(&project().join("contests/covered-tiles"), &folder.path().join("covered"));
    folder.judge(["run", "covered", "--out", "out", "--progress", "none"]).exits(0);
    let runs = folder.journal("out", "run");
    let moves = |entry: &str, board: &str| {
        let run = runs.iter().find(|run| run["entry"] == entry && run["board"] == board).unwrap();
        (run["verdict"].as_str().unwrap().to_owned(), run["figures"]["moves"].as_str().unwrap().parse::<u64>().unwrap())
    };
    for board in ["2x3", "3x3", "3x4"] {
        let (few, more) = (moves("look-and-search", board), moves("tile-by-tile", board));
        assert!(few.0 == "solved" && more.0 == "solved" && few.1 <= more.1, "{board}: {few:?}, {more:?}");
    }
    assert!(moves("look-and-search", "3x3").1 < moves("tile-by-tile", "3x3").1);
    assert_eq!(moves("random-walk", "3x3"), ("unsolved".into(), 1000));
    // Positions show what was covered at that time.
    let frames = folder.read("out/output/1/tile-by-tile/3x3.1.frames.jsonl");
    assert!(frames.contains('?') && frames.lines().last().is_some_and(|last| !last.contains('?')), "{frames}");
    let made = folder.judge(["boards", "make", "--contest", "covered", "--random", "--seed", "3"]).exits(0).stdout;
    folder.file("made.txt", made);
    folder.judge(["boards", "check", "--contest", "covered", "made.txt"]).exits(0);
    folder.file("bad.txt", "1 2\n0 4\n");
    folder.judge(["boards", "check", "--contest", "covered", "bad.txt"]).exits(2);
}

#[test]
fn a_written_puzzle_whose_referee_talks_runs() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    folder.judge(["init", "--referee", "python", "--talk", "mine"]).exits(0);
    folder.judge(["run", "mine", "--out", "results", "--progress", "none"]).exits(0);
    let journal = folder.read("results/journal.jsonl");
    assert_eq!(journal.matches("\"verdict\":\"valid\"").count(), 2, "{journal}");
    // Entries that do not talk as agreed get a verdict, and never a failure of the referee.
    for (name, script) in [
        ("silent", "exit 0"),
        ("loud", "yes | head -n 5000"),
        ("wordy", "read x; echo fifty; read x"),
        ("huge", "read x; echo 99999999999999999999; read x"),
        ("binary", "head -c 1000 /dev/urandom"),
        ("half", "printf 5; exit 0"),
    ] {
        folder.script(&format!("mine/entries/{name}"), script);
        let text = folder.read("mine/contest.toml");
        let entry = format!("\n[[entry]]\nname = \"{name}\"\ncommand = \"entries/{name}\"\n");
        folder.file("mine/contest.toml", text + &entry);
    }
    folder.judge(["run", "mine", "--out", "others", "--progress", "none", "--boards", "SMALL"]).exits(0);
    let journal = folder.read("others/journal.jsonl");
    assert_eq!(journal.matches("\"verdict\":\"illegal_move\"").count(), 6, "{journal}");
}

#[test]
fn a_written_puzzle_in_one_file_runs() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let run = folder.judge(["init", "--referee", "python", "mine"]).exits(0);
    assert!(
        run.stdout.contains("wrote mine/referee.py")
            && run.stdout.ends_with("next: judge run mine\nfor a program of yours: judge try mine -- ./my-solver\n"),
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
