//! Replay of recorded runs, for every kind of referee: in a pipe, on a terminal, and as the data of the page.

use crate::referees::external;
use crate::report::groups;
use crate::support::*;
use crate::terminal::Terminal;

/// Replays every run of these results. In a pipe, together they print each of these patterns.
fn replays_all(folder: &Folder, results: &str, patterns: &[&str]) {
    let lines = folder.journal(results, "");
    let external = lines[0]["plan"]["game"] == "external";
    let mut shown = String::new();
    let (mut films, mut runs) = (0, 0);
    for run in lines.iter().filter(|line| line["line"] == "run") {
        runs += 1;
        let text = |key: &str| run[key].as_str().unwrap();
        let (entry, board) = (text("entry"), text("board"));
        let success = matches!(text("verdict"), "solved" | "valid");
        let args = ["replay", results, entry, board];
        let code = i32::from(!success);
        let replayed = folder.judge(args).exits(code);
        assert_eq!(replayed.stderr, "", "{entry} on {board}");
        let frames = format!("{results}/output/1/{entry}/{board}.1.frames.jsonl");
        let frames = fs::read_to_string(folder.path().join(frames)).unwrap_or_default();
        let message = &replayed.stdout;
        if external {
            assert_eq!(
                message.matches("\nafter ").count() + usize::from(message.starts_with("after ")),
                frames.lines().count()
            );
            let none =
                message.contains("the referee left no positions") || message.starts_with("the answer is empty\n");
            assert_eq!(none, frames.is_empty(), "{message}");
        }
        films += usize::from(!frames.is_empty() || (!external && run["figures"].is_object()));
        shown += message;
        // On a terminal, positions are a screen with keys, and everything else is printed.
        let terminal = Terminal::judge(folder, args);
        if !external || (!frames.is_empty() && frames.lines().all(|line| line.contains("\"grid\""))) {
            terminal.shows("quit");
            terminal.press("q");
        }
        let screen = terminal.left_with(code);
        let verdict = message.lines().last().unwrap().chars().take(40).collect::<String>();
        assert!(external || screen.contains(message.lines().last().unwrap().trim()), "{verdict}: {screen}");
    }
    for pattern in patterns {
        assert!(shown.contains(pattern), "{pattern}\n{shown}");
    }
    let page = format!("{results}.html");
    folder.judge(["report", results, "-o", &page]).exits(0);
    let embedded: Vec<Value> = groups(&folder.read(&page)).flatten().collect();
    let with = embedded.iter().filter(|run| !run["film"].is_null()).count();
    assert_eq!((embedded.len(), with), (runs, films), "{embedded:?}");
    for run in embedded.iter().filter(|run| run["film"].is_null()) {
        assert!(run["without"].is_string(), "{run}");
    }
}

fn run(folder: &Folder, contest: &str, results: &str, more: &[&str]) {
    let args = ["run", contest, "--out", results, "--progress", "none"];
    folder.judge(args.into_iter().chain(more.iter().copied())).exits(0);
}

#[test]
#[ignore = "deep: documents"]
fn recorded_runs_of_contests_that_init_writes_are_replayed() {
    let folder = Folder::new();
    folder.judge(["init", "--referee", "python", "puzzle"]).exits(0);
    run(&folder, "puzzle", "puzzle-results", &[]);
    replays_all(
        &folder,
        "puzzle-results",
        &[
            "after 0 bytes, progress 1\n     C  A  B\nafter 1 byte, progress 1\n    [A][C] B\n",
            "solved with progress 2 of 2, moves 2, tie_break 0\n",
        ],
    );
    for game in ["loyd", "ufo", "shift", "swap", "hexa-draughts"] {
        folder.judge(["init", game, "--game", game]).exits(0);
        let results = format!("{game}-results");
        run(&folder, game, &results, &["--limit", "20s"]);
        replays_all(&folder, &results, &["not solved: "]);
    }
    // A file of positions that was changed is not taken for none.
    let frames = "puzzle-results/output/1/sample/FIRST.1.frames.jsonl";
    folder.file(frames, "{\"at\":0}\n");
    let damaged = folder.judge(["replay", "puzzle-results", "sample", "FIRST"]).exits(2).stderr;
    assert!(damaged.starts_with(&format!("judge: {frames}: the file has changed since the run: ")), "{damaged}");
    assert!(damaged.contains("restore it from a copy"), "{damaged}");
}

#[test]
#[ignore = "deep: documents"]
fn recorded_runs_of_our_contests_and_of_packages_are_replayed() {
    let folder = Folder::new();
    copy_folder(&project().join("contests/bin-packing"), &folder.path().join("packing"));
    copy_folder(&project().join("contests/uncrossed-knight"), &folder.path().join("knight"));
    run(&folder, "packing", "packing-results", &["--boards", "C30", "--entries", "first-fit"]);
    replays_all(&folder, "packing-results", &["[A][A]", "valid with bins 31\n"]);
    run(&folder, "knight", "knight-results", &["--boards", "5x5", "--entries", "depth-first"]);
    replays_all(&folder, "knight-results", &["after 2 bytes, progress 0\n    an image of ", "with length 10\n"]);
    let package = project().join("judge/package/tests/packages/echo").display().to_string();
    folder.judge(["import", &package, "echo", "--limit", "5s"]).exits(0);
    run(&folder, "echo", "echo-results", &[]);
    replays_all(&folder, "echo-results", &["the referee left no positions"]);
}

#[test]
#[ignore = "deep: documents"]
fn recorded_runs_of_every_protocol_are_replayed() {
    const SVG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#;
    let kattis = format!("echo '{SVG}' >\"$3/judgeimage1.svg\"; read -r a; [ \"$a\" = 42 ] && exit 42; exit 43");
    let native = format!(
        r#"echo '{SVG}' >"$3/a.svg"
echo '{{"at":0,"grid":["ab"]}}' >"$3/frames.jsonl"; echo '{{"at":1,"svg":"a.svg"}}' >>"$3/frames.jsonl"
echo '{{"format":1,"verdict":"wrong","reason":"never right"}}' >"$3/ruling.json""#
    );
    let entries = [
        ("right", "echo 42"),
        ("wrong", "printf 'a\\033[2Jb\\nsecond line\\n'"),
        ("empty", ":"),
        ("fails", "echo 42; exit 3"),
        ("long", "yes 0123456789 | head -c 100000"),
    ];
    for (keys, script, patterns) in [
        ("protocol = \"native\"", &*native, &["after 0 bytes\n     a  b\nafter 1 byte\n    an image of "][..]),
        ("protocol = \"kattis\"", &*kattis, &["after 0 bytes\n    an image of ", "wrong answer: "]),
        (
            "protocol = \"testlib\"",
            "if cmp -s \"$2\" \"$3\"; then echo '<result outcome=\"accepted\">ok</result>' >\"$4\"\n\
             else echo '<result outcome=\"wrong-answer\">no</result>' >\"$4\"; exit 1; fi",
            &["the referee left no positions; the answer, of 3 bytes:\n    42\nsolved\n", "wrong answer: no"],
        ),
        (
            "protocol = \"exit\"",
            "cmp -s \"$2\" \"$3\" || { echo differs; exit 1; }",
            &[
                "wrong answer: differs",
                "the answer is empty\n",
                "crashed with exit code 3",
                "\n    … and 96000 bytes more\n",
            ],
        ),
        (
            "protocol = \"score\"\npattern = '(?<score>[0-9]+)'\n[[figure]]\nname = \"score\"\nbetter = \"more\"",
            "cat \"$2\"",
            &["valid with score 42", "wrong answer: "],
        ),
        ("protocol = \"tokens\"", "", &["    a\u{fffd}[2Jb\n    second line\n", "solved\n"]),
    ] {
        let folder = Folder::new();
        folder.file("boards/A.ans", "42\n");
        external(&folder, keys, script, &[("A", "question\n")], &entries);
        if keys.contains("tokens") {
            let text = folder.read("contest.toml").replace("command = \"referee/referee\"\n", "");
            folder.file("contest.toml", text);
        }
        run(&folder, ".", "out", &[]);
        replays_all(&folder, "out", patterns);
    }
}
