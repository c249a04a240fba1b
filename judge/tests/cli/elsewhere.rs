//! `judge run` on boards that are not the contest's own, and the table of many boards.

use crate::support::*;

/// A contest whose one entry answers what solves the boards near the end, and is illegal on others.
fn near_the_end() -> Folder {
    let folder = Folder::new();
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let text = contest(&[("NEAR", &board("near-end-1"))]) + &entry("four", &["./rogue", "answer", "lluu"]);
    folder.file("contest.toml", text);
    folder
}

fn board_names(document: &Value) -> Vec<&str> {
    document["boards"].as_array().unwrap().iter().map(|board| board["name"].as_str().unwrap()).collect()
}

#[test]
fn boards_of_the_command_line_hold_also_when_it_resumes() {
    let folder = near_the_end();
    let perfection = board("perfection");
    let args = ["run", "--on", &perfection, "--seeds", "7-8", "--out", "out", "--format", "json"];
    let document = folder.judge(args).exits(0).json();
    assert_eq!(board_names(&document), ["perfection", "seed-7", "seed-8"]);
    assert_eq!(document["entries"][0]["runs"][0]["cell"], "0/ILL", "nothing stands right of the corner");

    // The random boards are those of `boards make`, and the journal has them: nothing is made or read again.
    let made = folder.judge(["boards", "make", "--random", "--seed", "7"]).exits(0).stdout;
    let journal = folder.read("out/journal.jsonl");
    assert!(journal.contains(&serde_json::to_string(&made).unwrap()), "{made}");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    folder.file("out/journal.jsonl", lines[..3].concat());
    let resumed = folder.judge(["resume", "out", "--format", "json"]).exits(0).json();
    assert_eq!(board_names(&resumed), board_names(&document));
    assert_eq!(folder.read("out/journal.jsonl").lines().count(), 5, "the header, the machine and three runs");
}

#[test]
fn boards_that_cannot_be_had_are_refused_before_anything_runs() {
    let folder = near_the_end();
    folder.file("a b.txt", "ABCDE\nFGHIJ\nKLMNO\nPQRST\nUVWX+\n");
    folder.file("seed-3.txt", "ABCDE\nFGHIJ\nKLMNO\nPQRST\nUVWX+\n");
    let refused = |args: &[&str]| {
        let message = folder.judge([&["run"], args].concat()).exits(2).message();
        assert!(!folder.path().join("runs").exists(), "nothing was begun");
        message.lines().next().unwrap().to_owned()
    };
    assert_snapshot!(refused(&["--on", "a b.txt"]), @r#"judge: a b.txt: the board is named after its file: unusable board name "a b": use 1 to 64 letters, digits and . _ + -, not beginning with . or -"#);
    assert_snapshot!(refused(&["--on", "seed-3.txt", "--seeds", "1-5"]), @"judge: contest.toml: duplicate board name `seed-3`; rename a file, or omit it");
    assert_snapshot!(refused(&["--seeds", "1-2", "--boards", "NEAR"]), @"error: the argument '--seeds <A-B>' cannot be used with '--boards <A,B,…>'");

    folder.file(
        "contest.toml",
        folder.read("contest.toml").replace("\"loyd\"", "\"swap\"").replace("near-end-1", "perfection"),
    );
    let swap = folder.judge(["boards", "make", "--game", "swap", "--size", "2", "-o", "two.txt"]);
    swap.exits(0);
    let text = folder.read("contest.toml").replace(&board("perfection"), "two.txt");
    folder.file("contest.toml", text);
    assert_snapshot!(refused(&["--seeds", "1-2"]), @"judge: contest.toml: swap makes no boards by chance: it has one board of each size");
}

#[test]
fn a_contest_of_many_random_boards_says_first_what_it_does() {
    let folder = near_the_end();
    // The missing file ends each of these before a board is made.
    let reply = |seeds: &str, with: &[&str]| {
        let words = [&["run", "--seeds", seeds, "--on", "missing.txt"], with].concat();
        let text = folder.judge(words).exits(2).stderr;
        assert!(text.contains("missing.txt"), "{text}");
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert!(!reply("1-9999", &[]).contains("random boards"));
    for with in [&[][..], &["--game", "loyd", "--entry", "none=true"]] {
        assert_eq!(reply("7-10006", with), "making 10000 random boards");
    }
}

#[test]
fn many_boards_are_summed_up() {
    let folder = near_the_end();
    let near: Vec<String> = (1..=6).map(|number| board(&format!("near-end-{number}"))).collect();
    let near: Vec<&str> = near.iter().map(String::as_str).collect();
    let args = [&["run", "--seeds", "1-12", "--out", "out", "--on"], &near[..]].concat();
    let table = folder.judge(args).exits(0).stdout;
    let head = table.lines().find(|line| line.contains("┆ entry ┆")).unwrap();
    contains(head, ["solved", "mean moves", "mean transports", "median time", "total (18)"]);
    assert!(table.contains("means are of the solved boards only"), "{table}");

    let document = folder.judge(["rank", "out", "--format", "json"]).exits(0).json();
    let summary = &document["entries"][0]["summary"];
    let solved = document["entries"][0]["runs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|run| run["figures"]["progress"] == "25")
        .count();
    assert!((1..6).contains(&solved));
    assert_eq!((&summary["solved"], &summary["mean_moves"]), (&solved.into(), &4.0.into()));
    assert!(summary["median_time_us"].as_u64().unwrap() > 0);
}
