//! A contest of several problems, in one contest file.

use crate::support::*;

const CONTEST: &str = r#"name = "Two problems"
limit = "10s"

[[problem]]
id = "double"
file = "double/problem.toml"

[[problem]]
id = "tidy"
name = "Tidy up"
game = "external"
limit = "20s"
[problem.referee]
protocol = "tokens"
[[problem.board]]
name = "ONE"
file = "one.txt"
answer = "one.ans"

[[entry]]
name = "both"
command = "entries/both"

[[entry]]
name = "doubler"
command = "entries/doubler"
problems = ["double"]
limits = { limit = "5s" }

[[entry]]
name = "told"
answers = "answers"
problems = ["tidy"]
"#;

const DOUBLE: &str = r#"name = "Twice as much"
game = "external"
[referee]
protocol = "exit"
command = "checker/check"
build = "cp checker/check.sh checker/check"
[[board]]
files = "boards/*.txt"
"#;

/// A folder with the contest. Its first problem is in a folder of its own, and paths in its file start there.
fn two_problems() -> Folder {
    let folder = Folder::new();
    folder.file("contest.toml", CONTEST);
    folder.file("double/problem.toml", DOUBLE);
    folder.script("double/checker/check.sh", r#"read -r n <"$1"; read -r a <"$2"; [ "$a" = $((2 * n)) ] || exit 1"#);
    for number in ["1", "7"] {
        folder.file(&format!("double/boards/{number}.txt"), format!("{number}\n"));
    }
    folder.file("one.txt", "3 1 2\n");
    folder.file("one.ans", "1 2 3\n");
    folder.file("answers/ONE.out", "1 2 3\n");
    let both =
        r#"read -r line <"$1"; case $line in *\ *) printf '%s\n' $line | sort -n ;; *) echo $((2 * line)) ;; esac"#;
    folder.script("entries/both", both);
    folder.script("entries/doubler", "echo 2");
    folder
}

#[test]
fn several_problems_are_one_contest() {
    let folder = two_problems();
    folder.judge(["check"]).exits(0);
    folder.judge(["run", "--out", "out"]).exits(0);
    let table = folder.judge(["rank", "out"]).exits(0).stdout;
    contains(&table, ["double/1", "double/7", "tidy/ONE", "both", "doubler", "told"]);
    // By the journal, no entry has runs on boards of a problem that it is not for.
    let runs = |out: &str| {
        let runs = folder.journal(out, "run").into_iter();
        let mut runs: Vec<String> = runs
            .map(|run| {
                let text = |key: &str| run[key].as_str().unwrap().to_owned();
                format!("{} {} {} {}", text("entry"), text("board"), text("verdict"), run["limit_ms"])
            })
            .collect();
        runs.sort();
        runs
    };
    assert_eq!(
        runs("out"),
        [
            "both double/1 solved 10000",
            "both double/7 solved 10000",
            "both tidy/ONE solved 20000",
            "doubler double/1 solved 5000",
            "doubler double/7 wrong 5000",
            "told tidy/ONE solved 20000",
        ]
    );
    // Both files of the results make the same table, and so does the contest itself.
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, table);
    let csv = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    folder.file("table.csv", &csv);
    let again = folder.judge(["rank", "table.csv", "--format", "csv"]).exits(0).stdout;
    assert_eq!(again, csv);
    folder.judge(["verify", "out"]).exits(0).shows(["6 verdicts of the referee"]);
    folder.judge(["replay", "out", "both", "tidy/ONE"]).exits(0);
    folder.judge(["report", "out", "--output", "page.html"]).exits(0);
    assert!(folder.read("page.html").contains("double/7"));
    folder.judge(["compare", "out", "out/results.csv"]).exits(0);
    assert!(folder.path().join("out/output/1/both/double/7.1.out").exists());
    // Nothing is left to run, and a contest that goes on gets what its file adds.
    folder.judge(["resume", "out"]).exits(0);
    folder.file("double/boards/9.txt", "9\n");
    folder.judge(["update", "out"]).exits(0);
    assert_eq!(runs("out").iter().filter(|run| run.contains("double/9")).count(), 2);
}

#[test]
fn each_problem_has_its_referee() {
    let folder = two_problems();
    folder.judge(["run", "--out", "out"]).exits(0);
    folder.judge(["restore", "out", "referee:double", "-o", "kept"]).exits(0).shows(["kept/double/checker/check"]);
    // A referee that takes every answer, of one problem: the rulings of the other one stay.
    folder.script("double/checker/check.sh", "exit 0");
    let changed = folder.judge(["rejudge", "out"]).exits(0).stdout;
    assert!(changed.starts_with("doubler on double/7: solved (before: wrong answer: exit code 1)\n"), "{changed}");
    assert!(changed.ends_with("6 answers refereed again, 1 changed\n"), "{changed}");
    let events = folder.journal("out", "rejudgement");
    assert_eq!(events.iter().map(|event| event["problem"].clone()).collect::<Vec<_>>(), ["double"]);
    folder.judge(["resume", "out"]).exits(0);
    folder.judge(["verify", "out"]).exits(0);
}

#[test]
fn one_problem_of_several_is_tried_and_validated() {
    let folder = two_problems();
    let several = folder.judge(["try", "--contest", "contest.toml", "--", "entries/both"]).exits(2).stderr;
    assert!(several.contains("has several problems; name one with --problem: double, tidy"), "{several}");
    let tried = folder.judge(["try", "--contest", "contest.toml", "--problem", "tidy", "--", "entries/both"]);
    assert!(tried.exits(0).stdout.contains("version 1 solves 1 of 1 board"));
    let validate = |problem: &str, board: &str, code: i32| {
        folder
            .judge(["validate", "--contest", "contest.toml", "--problem", problem, board, "answers/ONE.out"])
            .exits(code)
    };
    validate("tidy", "ONE", 0);
    validate("double", "double/boards/7.txt", 1);
    let unknown = validate("triple", "ONE", 2).stderr;
    assert!(unknown.contains("unknown problem `triple`"), "{unknown}");
}
