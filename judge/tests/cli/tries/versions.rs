//! Which versions are compared: only equal boards and limits, and none that was cut short without a word.

use crate::support::*;

/// Three boards that four moves solve, and a solver that takes six.
fn folder() -> Folder {
    let folder = Folder::new();
    let near = fs::read_to_string(board("near-end-1")).unwrap();
    for number in 1..=3 {
        folder.file(&format!("b{number}.txt"), near.clone() + &"\n".repeat(number));
    }
    folder.script("solver", "echo lrlluu");
    folder
}

fn args<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["try", "--progress", "none"], more, &["--on", "b1.txt", "b2.txt", "b3.txt", "--", "./solver"]].concat()
}

/// The answer of a try on the three boards, and its notices.
fn tried(folder: &Folder, more: &[&str]) -> (String, String) {
    let printed = folder.judge(args(more)).exits(0);
    (printed.stdout.lines().next().unwrap().to_owned(), printed.message())
}

#[test]
fn only_equal_boards_are_compared() {
    let folder = folder();
    tried(&folder, &[]);
    // The same name, and another board: nothing that is remembered of the old one counts.
    folder.file("b2.txt", fs::read_to_string(board("near-end-1")).unwrap() + "\n\n\n\n\n");
    folder.script("solver", "echo lrlrlluu");
    let printed = folder.judge(args(&[])).exits(0);
    assert!(printed.stdout.contains("better on 0, worse on 2, same on 0, first answers on 1\n"), "{}", printed.stdout);
    assert!(printed.stdout.contains("version 1 is better on 2 of 2 boards and worse on 0"), "{}", printed.stdout);
    assert_eq!(printed.stderr, "notice: version 1: it ran on 2 of these 3 boards; only 2 boards are compared\n");
    let best = folder.read("judge-try/loyd/best.csv");
    let rows: Vec<&str> = best.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert!(matches!(rows[..], ["b1", "b2", "b3", further] if further.starts_with("b2~")), "{best}");
    assert_eq!(folder.read(&format!("judge-try/loyd/answers/{}.txt", rows[3])), "lrlrlluu\n");
    assert_eq!(folder.read("judge-try/loyd/answers/b2.txt"), "lrlluu\n");
    // A later version that has fewer of the boards is passed over.
    folder.script("solver", "echo lluu");
    folder.judge(["try", "--progress", "none", "--on", "b1.txt", "--", "./solver"]).exits(0);
    let (line, notice) = tried(&folder, &[]);
    assert!(line.contains("version 4 ranks above version 2 on "), "{line}");
    contains(&notice, ["notice: compared with version 2; version 3 is passed over: it ran on 1 of these 3 boards\n"]);
    // One without any of them cannot be chosen.
    folder.file("other.txt", fs::read(board("near-end-2")).unwrap());
    folder.judge(["try", "--progress", "none", "--on", "other.txt", "--", "./solver"]).exits(1);
    let refused = folder.judge(args(&["--against", "5"])).exits(2).message();
    assert_eq!(
        refused,
        "judge: version 5 cannot be compared with this try: it ran on none of these boards; omit --against, or try it \
         again\n"
    );
}

#[test]
fn only_versions_with_equal_limits_are_compared() {
    let folder = folder();
    tried(&folder, &[]);
    let (line, notice) = tried(&folder, &["--memory", "2GiB"]);
    assert_eq!(line, "version 2 solves 3 of 3 boards.");
    let others = "version 1: its limits were others: memory 1.0 GiB, now memory 2.0 GiB\n";
    assert!(notice.starts_with(&format!("notice: no version to compare with: {others}")), "{notice}");
    let (_, notice) = tried(&folder, &["--limit", "9s"]);
    contains(&notice, ["version 2: its limits were others: limit 10s, now limit 9s; memory 2.0 GiB, "]);
    let history = folder.judge(["try", "--history", "--", "./solver"]).exits(0).stdout;
    let rows = history.lines().filter(|line| line.starts_with('│'));
    let rows: Vec<Vec<&str>> =
        rows.map(|line| line.split(['│', '┆']).map(str::trim).filter(|cell| !cell.contains(':')).collect()).collect();
    assert_eq!(rows[0][2..5], ["date", "limit", "memory"], "{history}");
    let limits: Vec<&[&str]> = rows[1..].iter().map(|row| &row[2..4]).collect();
    assert_eq!(limits, [["10s", "1.0 GiB"], ["10s", "2.0 GiB"], ["9s", "1.0 GiB"]], "{history}");
}

#[test]
fn a_version_that_was_cut_short_is_compared_with_on_request_only() {
    let folder = folder();
    tried(&folder, &[]);
    folder.script("solver", "echo lluu");
    tried(&folder, &[]);
    // As `--until decided` leaves it, or a failure of the judge.
    let history = folder.read("judge-try/loyd/history.csv");
    folder.file("judge-try/loyd/history.csv", history.strip_suffix(",3,3\n").unwrap().to_owned() + ",3,2\n");
    let runs = folder.read("judge-try/loyd/versions/2.csv");
    folder.file(
        "judge-try/loyd/versions/2.csv",
        runs.lines().take(3).map(|line| format!("{line}\n")).collect::<String>(),
    );
    folder.script("solver", "echo rllluu");
    let (line, notice) = tried(&folder, &[]);
    assert!(line.contains("version 1 and version 3 are equal on 3 boards."), "{line}");
    let reason = "it was cut short after 2 of 3 boards";
    assert_eq!(notice, format!("notice: compared with version 1; version 2 is passed over: {reason}\n"));
    folder.script("solver", "echo rlrllluu");
    let (line, notice) = tried(&folder, &["--against", "2"]);
    assert!(line.contains("version 2 is better on 2 of 2 boards and worse on 0"), "{line}");
    assert_eq!(notice, format!("notice: version 2: {reason}; only 2 boards are compared\n"));
    folder.judge(["try", "--history", "--", "./solver"]).exits(0).shows(["┆ 2 of 2, cut from 3 ┆"]);
    // If there is no other, it is compared with, and the notice says so.
    fs::remove_file(folder.path().join("judge-try/loyd/versions/1.csv")).unwrap();
    for version in ["3", "4"] {
        fs::remove_file(folder.path().join(format!("judge-try/loyd/versions/{version}.csv"))).unwrap();
    }
    folder.script("solver", "echo rlrlrllluu");
    let (line, notice) = tried(&folder, &[]);
    assert!(line.contains("version 2 ranks above version 5"), "{line}");
    assert!(notice.contains("version 4 is passed over: its file versions/4.csv is missing\n"), "{notice}");
    assert!(notice.contains(&format!("notice: version 2: {reason}; only 2 boards are compared\n")), "{notice}");
}

#[test]
fn another_referee_makes_other_figures() {
    let folder = folder();
    let judged = |points: &str| {
        folder.script("referee", &format!("grep -q . \"$2\" && echo {points}"));
        let contest = "name = \"own\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"score\"\n\
                       command = \"./referee\"\npattern = '(?<score>[0-9]+)'\n[[figure]]\nname = \"score\"\nbetter = \"more\"\n[[board]]\nname = \"A\"\n\
                       file = \"b1.txt\"\n";
        folder.file("contest.toml", contest.to_owned() + &entry("x", &["true"]));
        folder.judge(["try", "--progress", "none", "contest.toml", "--", "./solver"]).exits(0)
    };
    judged("5");
    let other = judged("3");
    assert!(other.stdout.contains("same on 0, first answers on 1\n"), "{}", other.stdout);
    assert!(other.stderr.contains("version 1: its answers were judged by another referee or other rules\n"));
    let again = judged("5");
    assert!(again.stdout.contains("better on 0, worse on 0, same on 1\n"), "{}", again.stdout);
    assert!(again.stdout.starts_with("version 1 and version 3 are equal on "), "{}", again.stdout);
}

#[test]
fn where_nothing_solves_a_board_no_board_is_said_to_be_solved() {
    let folder = folder();
    folder.script("referee", "grep -q l \"$2\" && echo 5");
    let boards = [1, 2].map(|number| format!("[[board]]\nname = \"B{number}\"\nfile = \"b{number}.txt\"\n"));
    let head = "name = \"own\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"score\"\ncommand = \
                \"./referee\"\npattern = '(?<score>[0-9]+)'\n[[figure]]\nname = \"score\"\nbetter = \"less\"\n";
    folder.file("contest.toml", head.to_owned() + &boards.concat() + &entry("x", &["true"]));
    let judge = |more: &[&str]| {
        let args = [&["try", "--progress", "none"], more, &["contest.toml", "--", "./solver"]].concat();
        folder.judge(args).exits(0)
    };
    let summary = judge(&[]).stdout;
    contains(&summary, ["\nvalid answers to 2 of 2; score of these: mean 5.0, median 5.0; mean relative "]);
    let json = judge(&["--json"]).json();
    assert_eq!((&json["solved"], &json["answered"]), (&serde_json::Value::Null, &2.into()));
    assert_eq!((&json["relative_to_best_known"], json.get("relative")), (&1.0.into(), None));
    let history = folder.judge(["try", "--history", "contest.toml", "--", "./solver"]).exits(0).stdout;
    assert!(history.contains(" answered ") && history.contains(" relative "), "{history}");
    assert!(!summary.contains("solved") && !history.contains("solved"), "{summary}{history}");
    // With a full score boards can be solved.
    let text = folder.read("contest.toml").replace("better = \"less\"\n", "better = \"more\"\nfull = 9\n");
    folder.file("contest.toml", text);
    let summary = judge(&[]).stdout;
    assert!(summary.contains("\nsolved 0 of 2; score of 2 valid answers: mean 5.0"), "{summary}");
}

#[test]
fn a_program_that_was_tried_before_is_recognised() {
    let folder = folder();
    let (_, notice) = tried(&folder, &[]);
    assert!(notice.starts_with("notice: unlike in a contest, ") && notice.lines().count() == 1, "{notice}");
    let (_, notice) = tried(&folder, &[]);
    contains(&notice, ["notice: the program and its command are those of version 1, unchanged; --build "]);
    folder.script("solver", "echo lluu");
    let json = folder.judge(args(&["--json"])).exits(0);
    assert_eq!((&json.json()["same_as"], &*json.stderr), (&serde_json::Value::Null, ""));
    let same = folder.judge(args(&["--json"])).exits(0).json();
    let reply = same["notices"][0].as_str().unwrap();
    assert!(reply.starts_with("the program and its command are those of version 3, unchanged"), "{same}");
    // Other arguments are another program.
    let on = ["try", "--json", "--progress", "none", "--on", "b1.txt", "--", "./solver", "--fast"];
    assert_eq!(folder.judge(on).exits(0).json()["same_as"], serde_json::Value::Null);
    folder.script("solver", "echo lrlluu");
    let json = folder.judge(args(&["--json"])).exits(0).json();
    assert_eq!((&json["same_as"], &json["version"]["number"]), (&2.into(), &6.into()));
    let history = folder.judge(["try", "--history", "--json", "--", "./solver"]).exits(0).json();
    let same: Vec<_> = history.as_array().unwrap().iter().map(|line| line["same_as"].as_u64()).collect();
    assert_eq!(same, [None, Some(1), None, Some(3), None, Some(1)]);
    let taken = folder.judge(args(&["--keep", "short"])).exits(0);
    assert_eq!(taken.stdout.matches("version 7 (short)").count(), 2, "{}", taken.stdout);
    let taken = folder.judge(args(&["--keep", "short"])).exits(2).message();
    assert_eq!(taken, "judge: --keep short: version 7 has this name; choose another one\n");
}

#[test]
fn nothing_is_tried_without_the_build() {
    let folder = folder();
    fs::remove_file(folder.path().join("solver")).unwrap();
    folder.script("source", "echo lluu");
    let built = folder.judge(args(&["--build", "echo to standard output; cp source solver"])).exits(0);
    assert!(built.stdout.contains("solved 3 of 3") && !built.stdout.contains("to standard output"), "{}", built.stdout);
    assert!(built.stderr.starts_with("to standard output\nnotice: unlike in a contest, "), "{}", built.stderr);
    let one = folder.judge(["try", "--build", "cp source second", "b1.txt", "--", "./second"]).exits(0);
    assert!(one.stdout.starts_with("b1.txt: solved") && one.stderr.starts_with("building: cp source second\n"));
    let failed = folder.judge(args(&["--build", "echo no compiler; exit 4"])).exits(2);
    assert_eq!(failed.stdout, "");
    assert_eq!(
        failed.stderr,
        "no compiler\njudge: --build: `echo no compiler; exit 4` failed (exit status: 4); nothing was tried\n"
    );
    assert_eq!(folder.read("judge-try/loyd/history.csv").lines().count(), 2, "one version");
}

#[test]
fn the_history_has_the_commit_and_whether_the_tree_was_changed() {
    let folder = folder();
    let git = |args: &[&str]| {
        let names = ["-c", "user.name=a", "-c", "user.email=a", "-c", "commit.gpgsign=false"];
        let status = Command::new("git").args(names).args(args).current_dir(folder.path()).output();
        status.is_ok_and(|output| output.status.success())
    };
    let version = |number: usize| {
        let history = folder.judge(["try", "--history", "--json", "--", "./solver"]).exits(0).json();
        history[number - 1]["version"].clone()
    };
    tried(&folder, &[]);
    assert_eq!((&version(1)["commit"], &version(1)["changed"]), (&"".into(), &serde_json::Value::Null));
    if !git(&["init", "-q"]) {
        // Without git the commit is read, and nothing is claimed about the tree.
        let id = "0123456789abcdef0123456789abcdef01234567";
        folder.file(".git/HEAD", "ref: refs/heads/main\n");
        folder.file(".git/refs/heads/main", id);
        tried(&folder, &[]);
        assert_eq!((&version(2)["commit"], &version(2)["changed"]), (&id.into(), &serde_json::Value::Null));
        return;
    }
    assert!(git(&["add", "."]) && git(&["commit", "-q", "-m", "first"]));
    tried(&folder, &[]);
    let clean = version(2);
    assert_eq!(clean["commit"].as_str().unwrap().len(), 40);
    // What is remembered here is tracked, and changes with every try.
    assert_eq!(clean["changed"], false);
    folder.script("solver", "echo lluu");
    tried(&folder, &[]);
    assert_eq!((&version(3)["commit"], &version(3)["changed"]), (&clean["commit"], &true.into()));
    let shown = folder.judge(["try", "--history", "--", "./solver"]).exits(0).stdout;
    let short = &clean["commit"].as_str().unwrap()[..8];
    assert!(shown.contains(&format!("┆ {short} ")) && shown.contains(&format!("┆ {short}+ ")), "{shown}");
    assert!(shown.ends_with("+ behind a commit: tracked files had changed since\n"), "{shown}");
}

#[test]
fn what_an_earlier_judge_remembered_is_set_aside() {
    let folder = folder();
    folder.file(
        "judge-try/loyd/history.csv",
        "number,date,name,comment,command\n1,2026-11-01T10:00:00Z,old,the first,./solver\n",
    );
    let runs = "contest,game,round,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
                x,loyd,1,solver,b1,solved,25,25,4,0,1000,10000\n";
    folder.file("judge-try/loyd/versions/1.csv", runs);
    let best = "board,version,entry,game,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,scoring\n\
                b1,1,solver,loyd,solved,25,25,4,0,,1000,10000,\n";
    folder.file("judge-try/loyd/best.csv", best);
    folder.file("judge-try/loyd/answers/b1.txt", "lluu\n");
    folder.judge(["try", "--history", "--", "./solver"]).exits(0).shows(["10s", "1 of 1", "the first"]);
    let printed = folder.judge(args(&[])).exits(0);
    assert_eq!(
        printed.stderr,
        "notice: no version to compare with: version 1 (old): an earlier judge remembered it, without hashes of its \
         boards\n\
         notice: an earlier judge wrote ./judge-try/loyd/best.csv, without hashes of boards; it is kept as \
         best-old-1.csv with answers-old-1/, and this try begins a new one\n"
    );
    assert!(printed.stdout.contains("first answers on 3\n"), "{}", printed.stdout);
    assert_eq!(folder.read("judge-try/loyd/best-old-1.csv"), best);
    assert_eq!(folder.read("judge-try/loyd/answers-old-1/b1.txt"), "lluu\n");
    assert_eq!(folder.read("judge-try/loyd/versions/1.csv"), runs);
    let (line, notice) = tried(&folder, &[]);
    assert!(
        line.starts_with("version 2 and version 3 are equal on ") && !notice.contains("an earlier judge"),
        "{line} {notice}"
    );
}

#[test]
fn tries_side_by_side_are_all_remembered() {
    let folder = folder();
    at_once(&[1, 2, 3, 4], |_| {
        folder.judge(args(&["--jobs", "1"])).exits(0);
    });
    let history = folder.read("judge-try/loyd/history.csv");
    let numbers: Vec<&str> = history.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4"], "{history}");
    for number in numbers {
        assert_eq!(folder.read(&format!("judge-try/loyd/versions/{number}.csv")).lines().count(), 4);
    }
    assert_eq!(folder.read("judge-try/loyd/best.csv").lines().count(), 4);
}

#[test]
fn options_without_effect_and_folders_that_cannot_be_written_are_refused() {
    let folder = folder();
    for option in [
        &["--jobs", "2"][..],
        &["--comment", "x"],
        &["--keep", "x"],
        &["--against", "1"],
        &["--until", "decided"],
        &["--remember", "x"],
        &["--out", "x"],
    ] {
        let refused = folder.judge([&["try"], option, &["b1.txt", "--", "./solver"]].concat()).exits(2).message();
        assert_eq!(
            refused,
            format!(
                "judge: {} is for tries on many boards, with a summary; name the boards with --on, --seeds or a contest \
                 file\n",
                option[0]
            )
        );
    }
    for (wrong, reason) in rows! {
        (&["b1.txt", "--", "./solvr"][..], "solvr: no such file in FOLDER; build it, or correct the command; did you mean solver?"),
        (&["b1.txt", "--readable", "tabl", "--", "./solver"], "--readable tabl: no such file or folder; did you mean table?"),
        (&["--on", "b1.txt", "--readable", "tabl", "--", "./solver"], "--readable tabl: no such file or folder; did you mean table?"),
        (&["--history", "b1.txt", "--", "./solver"], "b1.txt: --history lists tries on all boards; name a contest, or nothing"),
        (&["--on", "b1.txt", "--out", "b2.txt", "--", "./solver"], "b2.txt: is a file; name another directory with --out"),
        (&["--on", "b1.txt", "--out", "made", "--", "./solver"], "made has results already; name another directory with --out"),
    } {
        folder.file("table", "");
        folder.file("made/journal.jsonl", "");
        let refused = folder.judge([&["try"], wrong].concat()).exits(2).message();
        assert_eq!(refused, format!("judge: {reason}\n"));
    }
    let number = folder.judge(["try", "--jobs", "0", "--on", "b1.txt", "--", "./solver"]).exits(2).message();
    assert!(
        number.starts_with("error: invalid value '0' for '--jobs <N>': use a whole number from 1, for example 2\n")
    );
    let file = folder.judge(["init", "b1.txt/contest"]).exits(2).message();
    assert_eq!(file, "judge: b1.txt: is a file; name another folder\n");
    let file = folder.judge(["replay", "b1.txt", "solver", "b1"]).exits(2).message();
    assert!(file.starts_with("judge: b1.txt is a file, not a results directory; "), "{file}");
    folder.file("judge-try", "a file");
    folder.judge(args(&[])).exits(2).says(["./judge-try/loyd/", "name another folder with --remember DIR"]);
    tried(&folder, &["--remember", "elsewhere"]);
    assert!(folder.path().join("elsewhere/judge-try/loyd/best.csv").exists());
}

#[test]
fn a_try_that_cannot_be_remembered_shows_its_figures() {
    let folder = folder();
    tried(&folder, &[]);
    let before = folder.read("judge-try/loyd/best.csv");
    // As on a full disk: a file that cannot be written, after all boards have run.
    fs::create_dir(folder.path().join("judge-try/loyd/versions/2.csv.new")).unwrap();
    folder.script("solver", "echo lluu");
    let printed = folder.judge(args(&[])).exits(3);
    assert!(printed.stdout.contains("better on 3, worse on 0, same on 0\n"), "{}", printed.stdout);
    assert!(printed.stdout.contains("version 2 is better on 3 of 3 boards and worse on 0"), "{}", printed.stdout);
    let message = printed.message();
    assert!(message.starts_with("judge: ./judge-try/loyd/versions/2.csv: "), "{message}");
    assert!(message.ends_with("; this try is not remembered; name another folder with --remember DIR\n"), "{message}");
    assert_eq!(folder.read("judge-try/loyd/best.csv"), before);
    assert_eq!(folder.read("judge-try/loyd/history.csv").lines().count(), 2);
}
