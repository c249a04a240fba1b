//! `judge try` on many boards, as the author of a solver uses it.

mod figures;
mod versions;

use crate::support::*;
use crate::terminal::Terminal;

/// Twelve boards that four moves solve, and a solver.
fn folder() -> Folder {
    let folder = Folder::new();
    for number in 1..=12 {
        folder.file(&format!("boards/b{number}.txt"), fs::read(board("near-end-1")).unwrap());
    }
    folder
}

/// The arguments for all boards, with more arguments.
fn on_all<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let boards = "boards/b1.txt boards/b2.txt boards/b3.txt boards/b4.txt boards/b5.txt boards/b6.txt boards/b7.txt \
                  boards/b8.txt boards/b9.txt boards/b10.txt boards/b11.txt boards/b12.txt";
    let boards: Vec<&str> = boards.split(' ').collect();
    [&["try", "--progress", "none", "--jobs", "1", "--on"], &boards[..], more, &["--", "./solver"]].concat()
}

/// Without the ratio of the times.
fn without_times(text: &str) -> String {
    let lines = text.lines().map(|line| match line.rsplit_once("; ") {
        Some((before, ratio)) if ratio.ends_with(" times the time") => before.to_owned(),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_page_of_a_try_has_the_replay_of_every_board_and_its_gain() {
    let folder = folder();
    folder.script("solver", "echo lrlluu");
    let first = folder.judge(on_all(&["--page", "first.html"])).exits(0);
    assert!(first.stderr.ends_with("page in first.html\n"), "{}", first.stderr);
    let page = folder.read("first.html");
    assert!(page.contains("version 1") && !page.contains(">gain<"), "the first version has no gain");
    assert_eq!(crate::report::groups(&page).flatten().filter(|run| run["film"]["moves"] == 6).count(), 12);
    folder.script("solver", "echo lluu");
    folder.judge(on_all(&["--page", "second.html"])).exits(0);
    let page = folder.read("second.html");
    let headline = page.split(r#"<p class="headline"><bdi>"#).nth(1).unwrap().split("</bdi>").next().unwrap();
    assert!(headline.contains(" ranks above ") && headline.contains(" is better on 12 of 12 boards"), "{headline}");
    let head = r#"<th scope="col" data-sort="up" class="figure">gain</th>"#;
    assert_eq!(page.matches(head).count(), 1, "a column that can be sorted");
    assert_eq!(page.matches(r#"<span class="up">+2</span></td></tr>"#).count(), 12);
    let refused = folder.judge(["try", "boards/b1.txt", "--page", "one.html", "--", "./solver"]).exits(2).stderr;
    assert!(refused.contains("--page is for tries on many boards"), "{refused}");
}

#[test]
fn tuning_by_halving_goes_on_where_it_was() {
    let folder = folder();
    // Four is best, and no two values are equally good: below it a step adds a detour less than above.
    folder.script(
        "solver",
        "if [ $DEPTH -lt 4 ]; then away=$((2 * (4 - DEPTH) - 1)); else away=$((2 * (DEPTH - 4))); fi\n\
         answer=lluu; while [ $away -gt 0 ]; do answer=lr$answer; away=$((away - 1)); done; echo $answer",
    );
    let tune = |more: &[&str]| folder.judge(on_all(&[&["--tune", "DEPTH=1..8"], more].concat()));
    let printed = tune(&[]).exits(0);
    let rows: Vec<Vec<&str>> = printed
        .stdout
        .lines()
        .filter(|line| line.starts_with("│"))
        .map(|line| line.split(['│', '┆']).map(str::trim).collect())
        .skip(1)
        .collect();
    // Eight values on 3 boards, four on 6, two on 12.
    let boards = |value: &str| rows.iter().find(|row| row[1] == value).unwrap()[2].to_owned();
    assert_eq!(["1", "8"].map(boards), ["3", "3"], "{}", printed.stdout);
    assert_eq!(boards("4"), "12");
    let ran: usize = (1..=8).map(|value| boards(&value.to_string()).parse::<usize>().unwrap()).sum();
    assert_eq!(ran, 4 * 3 + 2 * 6 + 2 * 12, "{}", printed.stdout);
    let bar = |value: &str| rows.iter().find(|row| row[1] == value).unwrap()[4].chars().count();
    assert!(bar("4") == 30 && bar("4") > bar("5") && bar("5") > bar("8"), "{}", printed.stdout);
    assert!(printed.stdout.contains("best: DEPTH=4; against "), "{}", printed.stdout);
    // The same command runs nothing again, and one that lost half of its runs runs these.
    let journal = folder.path().join("judge-try/loyd/tune-DEPTH/journal.jsonl");
    let whole = fs::read(&journal).unwrap();
    assert_eq!(tune(&[]).exits(0).stdout, printed.stdout);
    assert_eq!(fs::read(&journal).unwrap(), whole);
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    fs::write(&journal, lines[..20].concat()).unwrap();
    let again = tune(&[]).exits(0);
    assert_eq!(again.stdout, printed.stdout);
    assert_eq!(fs::read(&journal).unwrap().split(|byte| *byte == b'\n').count(), lines.len() + 1);
    // Other boards or limits are another tuning.
    tune(&["--limit", "9s"]).exits(2).says(["has another tuning of DEPTH", "--out"]);
    let refused = folder.judge(["try", "--tune", "DEPTH=8..1", "--seeds", "1-2", "--", "./solver"]).exits(2).stderr;
    assert!(refused.contains("has no two values"), "{refused}");
    let refused = folder.judge(["try", "boards/b1.txt", "--tune", "DEPTH=1..8", "--", "./solver"]).exits(2).stderr;
    assert!(refused.contains("--tune needs boards"), "{refused}");
}

#[test]
fn a_version_is_compared_with_the_remembered_ones() {
    let folder = folder();
    folder.script("solver", "echo lrlluu");
    let first = folder.judge(on_all(&["--comment", "first"])).exits(0).stdout;
    assert_snapshot!(first, @"
    version 1 solves 12 of 12 boards.

    version 1, first
    solved 12 of 12; moves of the solved: mean 6.0, median 6.0; mean relative score 1.0000
    against the best in ./judge-try/loyd/best.csv: better on 0, worse on 0, same on 0, first answers on 12
    no earlier version to compare with: try the next one the same way
    ");

    folder.script("solver", "echo lluu");
    let second = folder.judge(on_all(&["--keep", "short"])).exits(0).stdout;
    assert_snapshot!(without_times(&second), @"
    version 2 (short) ranks above version 1 on 12 boards with 300 tiles home and 48 moves, 24 moves fewer. That is more than chance (p < 0.001). version 2 (short) is better on 12 of 12 boards and worse on 0 (p < 0.001).

    version 2 (short)
    solved 12 of 12; moves of the solved: mean 4.0, median 4.0; mean relative score 1.0000
    against the best in ./judge-try/loyd/best.csv: better on 12, worse on 0, same on 0
    ");
    let best = folder.read("judge-try/loyd/best.csv");
    assert_eq!(best.lines().count(), 13, "one row per board");
    let row = r#"b1,2,best,solver,loyd,solved,"{""progress"":""25"",""moves"":""4"",""tie_break"":""0""}",25,"#;
    assert!(best.lines().nth(1).unwrap().starts_with(row), "{best}");
    assert_eq!(folder.read("judge-try/loyd/answers/b1.txt"), "lluu\n", "the answer of version 2");
    folder.judge(["validate", "boards/b1.txt", "judge-try/loyd/answers/b1.txt"]).exits(0);

    folder.script("solver", "echo lost >&2; exit 3");
    let third = folder.judge(on_all(&["--against", "short"])).exits(1).stdout;
    assert_snapshot!(without_times(&third), @"
    version 2 (short) ranks above version 3 on 12 boards with 300 tiles home and 48 moves, 300 tiles home more. That is more than chance (p < 0.001). version 2 (short) is better on 12 of 12 boards and worse on 0 (p < 0.001).
    solver: crashed with exit code 3 on 12 boards, first b1, its last line: lost

    ┌──────────────┬────────┬──────┬────────────────┐
    │ worst boards ┆ answer ┆ best ┆ relative score │
    ╞══════════════╪════════╪══════╪════════════════╡
    │ b1           ┆  0/CRA ┆ 25/4 ┆          0.000 │
    │ b2           ┆  0/CRA ┆ 25/4 ┆          0.000 │
    │ b3           ┆  0/CRA ┆ 25/4 ┆          0.000 │
    │ b4           ┆  0/CRA ┆ 25/4 ┆          0.000 │
    │ b5           ┆  0/CRA ┆ 25/4 ┆          0.000 │
    └──────────────┴────────┴──────┴────────────────┘

    version 3
    solved 0 of 12; moves of the solved: mean -, median -; mean relative score 0.0000
    against the best in ./judge-try/loyd/best.csv: better on 0, worse on 12, same on 0
    ");
    // The best stays what it was, and the tables of versions are results like others.
    assert_eq!(folder.read("judge-try/loyd/best.csv"), best);
    assert_eq!(folder.read("judge-try/loyd/answers/b1.txt"), "lluu\n");
    let compared = folder.judge(["compare", "judge-try/loyd/versions/1.csv", "judge-try/loyd/versions/2.csv"]).exits(0);
    assert!(
        compared
            .stdout
            .starts_with("solver in 2 ranks above solver in 1 on 12 boards with 300 tiles home and 48 moves, "),
        "{}",
        compared.stdout
    );

    let history = folder.judge(["try", "--history", "--", "./solver"]).exits(0).stdout;
    let rows: Vec<String> = history
        .lines()
        .filter(|line| line.starts_with('│'))
        .map(|line| {
            let cells: Vec<&str> = line.split(['│', '┆']).map(str::trim).collect();
            [&cells[1..2], &cells[3..]].concat().join("|")
        })
        .collect();
    assert_eq!(
        rows,
        [
            "version|name|limit|solved|mean|relative score|comment|command|",
            "1||10s|12 of 12|6.0|0.6667|first|./solver|",
            "2|short|10s|12 of 12|4.0|1.0000||./solver|",
            "3||10s|0 of 12|-|0.0000||./solver|",
        ]
    );
    let json = folder.judge(on_all(&["--json", "--against", "2"])).exits(1).json();
    assert_eq!((&json["solved"], &json["worse"], &json["version"]["number"]), (&0.into(), &12.into(), &4.into()));
    assert_eq!((&json["against"]["worse"], &json["against"]["version"]["name"]), (&12.into(), &"short".into()));
    let screen = Terminal::sized(&folder, 24, 74, ["try", "--history", "--", "./solver"]).left_with(0);
    assert!(screen.contains("no room for: command, date, same as; "), "{screen}");
    // Another game or house rule has its own memory.
    folder
        .judge([
            "try",
            "--rule",
            "centre_transport=noop",
            "--progress",
            "none",
            "--on",
            "boards/b1.txt",
            "--",
            "./solver",
        ])
        .exits(1);
    assert!(folder.path().join("judge-try/loyd+centre_transport-noop/best.csv").exists());
}

#[test]
fn solvers_in_one_folder_are_compared_each_with_its_own_last_version() {
    let folder = folder();
    folder.script("solver", "echo lrlluu");
    folder.file("other.sh", "echo lluu\n");
    let tried = |command: &[&str]| {
        folder.judge([&["try", "--progress", "none", "--on", "boards/b1.txt", "--"], command].concat()).exits(0)
    };
    tried(&["./solver"]);
    let first = tried(&["sh", "other.sh"]);
    contains(
        &first.stderr,
        ["notice: no earlier version of other.sh here; it is compared with version 1 of another solver, `./solver`; \
             --remember DIR keeps solvers apart\n"],
    );
    assert!(first.stdout.starts_with("version 2 ranks above version 1 on 1 board "), "{}", first.stdout);
    // Other options are no other solver.
    for (command, change) in [
        (&["./solver", "--fast"][..], "version 1 and version 3 are equal"),
        (&["sh", "other.sh"], "version 2 and version 4 are equal"),
    ] {
        let again = tried(command);
        assert!(!again.stderr.contains("another solver"), "{}", again.stderr);
        assert!(again.stdout.starts_with(change), "{change}: {}", again.stdout);
    }
    // With several solvers the list shows their commands longer than their comments.
    let screen = Terminal::sized(&folder, 24, 76, ["try", "--history"]).left_with(0);
    assert!(screen.contains("┆ sh other.sh") && screen.contains("┆ ./solver --f"), "{screen}");
}

#[test]
fn a_decision_in_the_order_of_the_boards_stops_a_try() {
    let folder = folder();
    folder.script("solver", "echo lrlluu");
    let none = folder.judge(on_all(&["--until", "decided"])).exits(0);
    assert!(none.stderr.contains("--until decided needs an earlier version"), "{}", none.stderr);
    folder.script("solver", "echo lluu");
    let decided = folder.judge(on_all(&["--until", "decided"])).exits(0).stdout;
    // Eight of eight is the fewest that can decide.
    // Runs that ended before they could be stopped are not counted.
    let answer = "Decided after 8 of 12 boards: version 2 is better on 8 and worse on 0 (p = 0.035, whenever it stops). \
                  version 2 ranks above version 1 on ";
    assert!(decided.starts_with(answer), "{decided}");
    let same = folder.judge(on_all(&["--until", "decided", "--against", "2"])).exits(0).stdout;
    assert!(same.starts_with("Not decided after 12 boards: version 3 is better on "), "{same}");
}

#[test]
fn seeds_contests_and_the_screen() {
    let folder = folder();
    folder.script("solver", "echo lluu");
    let tried = folder.judge(["try", "--seeds", "1-3", "--out", "out", "--", "./solver"]).exits(1);
    assert!(tried.stdout.contains("solved 0 of 3"), "{}", tried.stdout);
    assert!(tried.stderr.contains("3/3  solver") && tried.stderr.contains("results in out"), "{}", tried.stderr);
    // What was kept is a results directory.
    folder.judge(["replay", "out", "solver", "seed-2"]).exits(1);

    folder.file(
        "contest.toml",
        crate::support::contest(&[("NEAR", "boards/b1.txt"), ("FAR", "boards/b2.txt")])
            + &crate::support::entry("x", &["true"]),
    );
    let tried = folder.judge(["try", "contest.toml", "--", "./solver"]).exits(0);
    assert!(tried.stdout.contains("solved 2 of 2"), "{}", tried.stdout);
    assert!(folder.path().join("judge-try/test/best.csv").exists());

    let terminal = Terminal::judge(&folder, ["try", "--on", "boards/b1.txt", "boards/b2.txt", "--", "./solver"]);
    let text = terminal.left_with(0);
    assert!(text.contains("solved 2 of 2"), "{text}");
}

#[test]
fn a_contest_without_a_file_can_be_resumed() {
    let folder = folder();
    folder.script("solver", "echo lluu");
    let args = [
        "run",
        "--game",
        "loyd",
        "--seeds",
        "7",
        "--on",
        "boards/b1.txt",
        "--entry",
        "./solver",
        "--entry",
        "late=sh -c 'echo lrlluu'",
        "--out",
        "out",
        "--format",
        "plain",
    ];
    let table = folder.judge(args).exits(0).stdout;
    assert!(table.starts_with("solver 25/4 ") && table.contains("\nlate   25/6 "), "{table}");
    let journal = folder.read("out/journal.jsonl");
    folder.file("out/journal.jsonl", journal.split_inclusive('\n').take(3).collect::<String>());
    let resumed = folder.judge(["resume", "out", "--format", "plain"]).exits(0).stdout;
    assert_eq!(resumed.lines().next().unwrap().split(' ').next(), Some("solver"));
    let bad =
        folder.judge(["run", "--game", "loyd", "--seeds", "1-2", "--entry", "x='", "--out", "bad"]).exits(2).message();
    assert!(bad.contains("write NAME=COMMAND, for example mine=./solver"), "{bad}");
}
