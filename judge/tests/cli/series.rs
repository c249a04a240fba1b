//! The months of the series in `contests/potm`: published rows, pages and boards, referees, and their second programs.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::second_opinion::has_python;
use crate::support::{Folder, project};

/// The months, by their folders.
const MONTHS: [&str; 13] = [
    "aimless",
    "crozzle",
    "elbonia-lottery",
    "inverse-boggle",
    "moo",
    "odometerfun",
    "pegged",
    "powersaw",
    "quilts",
    "reset",
    "scenic-tour",
    "suitcase",
    "wordsearch",
];

/// What `judge rank` prints of a published row, without the column of times where none was published.
const PUBLISHED: [(&str, &str); 13] = [
    ("aimless", "Spelunker 5768/942 8320/1316 8996/1387 23084 3645 1771"),
    ("crozzle", "jigsaw 212/280/646 212 280 646 794.83"),
    ("elbonia-lottery", "LOTO_WINNER 9/642 9 642"),
    ("inverse-boggle", "SnakePit 352/81 352 81 601.35"),
    ("moo", "SplitMoo 7 9 8 24"),
    ("odometerfun", "odomatic 1000 1000 494 405 89"),
    ("pegged", "PegTheSnail 734/1 506/0 528/0 1768 1"),
    ("powersaw", "Yalta 275/42/277.241/1.359 7/22/458.643/451.062 23/22/475.103/451.719 305"),
    ("quilts", "GrannysGhost 7.372881/26/870/118 7.372881 26 870 118 594.64"),
    ("reset", "driveL 1879997 1879997 274 232 42"),
    ("reset", "heres_a_shot 1879997 1879997 2303 1860 443"),
    ("reset", "Miles_Ahead 1879997 1879997 2523 1328 1195"),
    ("wordsearch", "Genetic_grouper 1215/230 1215 230"),
];

fn folder_of(month: &str) -> PathBuf {
    project().join("contests/potm").join(month)
}

/// The output of a Python program of the project.
fn python(program: &str, args: &[&str]) -> String {
    let mut command = Command::new("python3");
    command.arg("-B").arg(project().join(program)).args(args).stdin(Stdio::null());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The cells of a table CSV: per entry its name and the columns of boards, without their names.
fn cells(table: &str) -> Vec<Vec<String>> {
    let mut lines = table.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let first = heads.iter().position(|head| *head == "competing").unwrap() + 1;
    let boards = heads[first..].iter().take_while(|head| head.chars().any(char::is_uppercase)).count();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for line in lines {
        let columns: Vec<&str> = line.split(',').collect();
        rows.push([&columns[1..2], &columns[first..first + boards]].concat().into_iter().map(str::to_owned).collect());
    }
    rows.sort();
    rows
}

#[test]
fn published_rows_print_as_published() {
    let folder = Folder::new();
    for (month, row) in PUBLISHED {
        let table = project().join(format!("results/potm/{month}-published.csv")).display().to_string();
        let printed = folder.judge(["rank", &table, "--format", "plain"]).exits(0).stdout;
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(printed.lines().any(|line| words(line).starts_with(row)), "{month}: {row}\n{printed}");
    }
}

#[test]
fn pages_boards_and_tables_of_the_series_are_what_their_programs_make() {
    if !has_python() {
        return;
    }
    let page = python("contests/potm/series.py", &[]);
    assert!(page == fs::read_to_string(project().join("contests/potm/README.md")).unwrap(), "{page}");
    let folder = Folder::new();
    let results = project().join("results/potm");
    for month in MONTHS {
        folder.file(&format!("{month}.csv"), fs::read(results.join(format!("{month}.csv"))).unwrap());
    }
    python("contests/potm/series.py", &[folder.path().to_str().unwrap()]);
    for (month, _) in PUBLISHED {
        let name = format!("{month}-published.csv");
        assert!(folder.read(&name) == fs::read_to_string(results.join(&name)).unwrap(), "{name}");
    }
    let mut made = 0;
    for month in MONTHS {
        for board in fs::read_dir(folder_of(month).join("boards")).unwrap().map(|item| item.unwrap().path()) {
            let name = board.file_stem().unwrap().to_str().unwrap();
            if let Some(seed) = name.strip_prefix("seed-") {
                let again = python(&format!("contests/potm/{month}/referee.py"), &["make", seed]);
                assert!(again == fs::read_to_string(&board).unwrap(), "{month}: {name}");
                made += 1;
            }
        }
    }
    assert!(made > 20, "{made} boards");
}

#[test]
fn referees_of_the_series_rule() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let rules = |month: &str, board: &str, answer: &str, code: i32| {
        let contest = folder_of(month).display().to_string();
        let run = folder.judge(["validate", "--contest", &contest, board, answer]).exits(code);
        run.stdout + &run.stderr
    };
    let shortest = "2,2e 2,3s 2,6s 3,6w 4,2n 3,2e 3,4e 3,6s";
    assert!(rules("pegged", "APART", shortest, 0).contains("moves 8, dist 4"));
    // The board without a solution, and a set of tickets that misses a draw.
    assert!(rules("suitcase", "WITHOUT", "none", 0).contains("moves 0"));
    assert!(rules("suitcase", "SEED-5", "none", 1).contains("there is a way"));
    assert!(rules("elbonia-lottery", "N37", "1 2 3 4 5 6 7", 1).contains("the draw 31 32 33 34 35 36 37 has fewer"));
    // No line but the first, which cuts the wood into areas of 4950 and 5050.
    assert!(rules("powersaw", "SEED-1", "", 0).contains("diff 100, pieces 2, largest 5050.000, smallest 4950.000"));
}

#[test]
#[ignore = "deep: documents"]
fn the_recorded_tables_of_the_series_are_those_of_their_contests() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for month in MONTHS {
        let contest = folder_of(month).display().to_string();
        folder.judge(["run", &contest, "--out", month, "--progress", "none", "--format", "plain"]).exits(0);
        let table = folder.judge(["rank", month, "--format", "csv"]).exits(0).stdout;
        let recorded = fs::read_to_string(project().join(format!("results/potm/{month}.csv"))).unwrap();
        assert_eq!(cells(&table), cells(&recorded), "{month}");
    }
}

#[test]
#[ignore = "deep: proofs"]
fn the_small_proofs_of_the_series_are_found_again() {
    if !has_python() {
        return;
    }
    let proofs = python("contests/potm/proofs.py", &[]);
    assert_eq!(proofs, fs::read_to_string(project().join("contests/potm/proofs.txt")).unwrap());
}

#[test]
#[ignore = "deep: oracles"]
fn second_checkers_of_the_series_agree_with_the_referees() {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success());
    if !has_python() || !there("cc") || !there("perl") {
        return;
    }
    let (folder, contests) = (Folder::new(), project().join("contests/potm"));
    let args = [contests.to_str().unwrap(), folder.path().to_str().unwrap(), "1000"];
    let printed = python("judge/tests/potm/compare.py", &args);
    assert_eq!(printed.matches(" answers, ").count(), MONTHS.len(), "{printed}");
}
