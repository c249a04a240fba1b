//! `--repeat`: each entry runs several times on each board.

use judge_core::journal;
use judge_core::points::Points;
use judge_core::results::Results;

use crate::support::*;

/// A solver that stops one move earlier in every run, and one that fails.
fn varying(folder: &Folder) {
    let count = folder.path().join("count").display().to_string();
    fs::create_dir(&count).unwrap();
    folder.script("varies", &format!("n=$(ls {count} | wc -l)\ntouch {count}/$n\necho lluu | cut -c-$((4 - n))\n"));
    folder.script("fails", "exit 3\n");
    let text = "repeat = 2\nisolation = \"off\"\n".to_owned() + &contest(&[("A", &board("near-end-1"))]);
    folder.file("contest.toml", text + &entry("varies", &["./varies"]) + &entry("fails", &["./fails"]));
}

#[test]
fn the_first_of_repeated_runs_makes_the_table() {
    let folder = Folder::new();
    varying(&folder);
    let run = ["run", "--out", "out", "--jobs", "1", "--format", "plain", "--repeat", "3"];
    let printed = folder.judge(run).exits(0);
    assert!(printed.stdout.starts_with("varies 25/4 "), "{}", printed.stdout);
    let errors = folder.judge(["rank", "out"]).exits(0).stdout;
    assert!(errors.contains("fails: crashed with exit code 3 on A in 3 runs\n"), "{errors}");
    assert!(errors.contains("Runs were repeated: cells and totals are of the first of each"), "{errors}");

    let contents = journal::read(&folder.path().join("out")).unwrap();
    let order: Vec<_> = contents.order().iter().map(|key| format!("{} {}", key.entry, key.repeat)).collect();
    assert_eq!(
        order,
        ["varies 1", "fails 1", "fails 2", "varies 2", "varies 3", "fails 3"],
        "one pass after the other"
    );
    for (repeat, moves) in [("", "lluu"), ("repeat-2/", "llu"), ("repeat-3/", "ll")] {
        assert_eq!(folder.read(&format!("out/output/1/varies/{repeat}A.1.out")), format!("{moves}\n"));
    }

    // The file of runs and the journal give the same results.
    let results = Results::from_journal(&contents);
    let moves = |results: &Results| {
        let row = results.rows.iter().find(|row| row.entry.name == "varies").unwrap();
        let further: Vec<_> = row.repeats[0].iter().map(|cell| cell.figure(1)).collect();
        (row.cells[0].figure(1), row.total.figure(1), further)
    };
    let [four, three, two] = [4, 3, 2].map(|moves| Some(Points::whole(moves)));
    assert_eq!(moves(&results), (four, four, vec![three, two]));
    let read = Results::read(&folder.path().join("out/results.csv"), journal::read).unwrap();
    assert_eq!(moves(&read), moves(&results));
    let doubled = folder.read("out/results.csv") + folder.read("out/results.csv").lines().nth(2).unwrap() + "\n";
    folder.judge(["rank", "-"]).stdin(doubled).exits(2).says(["line 8: duplicate run of varies on A (repeat 2)"]);
}

#[test]
fn a_contest_of_the_command_line_is_repeated() {
    let folder = Folder::new();
    folder.script("solve", "echo l");
    let run = "run --game loyd --seeds 1-2 --entry mine=./solve --repeat 3 --out out --format json";
    let table = folder.judge(run.split(' ')).exits(0).json();
    let contents = journal::read(&folder.path().join("out")).unwrap();
    assert_eq!((contents.order().len(), contents.plan.repeat), (6, 3), "{table}");
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(journal::read(&folder.path().join("out")).unwrap().records.len(), 6);
}

#[test]
fn a_repeat_that_is_missing_is_made_on_resume() {
    let folder = Folder::new();
    varying(&folder);
    folder.judge(["run", "--out", "out", "--jobs", "1"]).exits(0);
    let journal = folder.read("out/journal.jsonl");
    let lines: Vec<&str> = journal.lines().collect();
    assert!(
        lines[lines.len() - 1].contains(r#""entry":"varies","board":"A","repeat":2"#),
        "{}",
        lines[lines.len() - 1]
    );
    folder.file("out/journal.jsonl", lines[..lines.len() - 1].join("\n") + "\n");
    folder.judge(["resume", "out"]).exits(0);
    let contents = journal::read(&folder.path().join("out")).unwrap();
    assert_eq!((contents.records.len(), contents.missing().len()), (4, 0));
    assert_eq!(folder.read("out/output/1/varies/repeat-2/A.2.out"), "ll\n", "the earlier file stays");

    let changed = folder.read("contest.toml").replace("repeat = 2", "repeat = 0");
    folder.file("contest.toml", changed);
    let message = folder.judge(["run"]).exits(2).message();
    assert_eq!(message, "judge: contest.toml:1: repeat must be 1 to 1000, not 0\n");
}

#[test]
fn a_repetition_that_cannot_start_does_not_replace_a_suspect_run() {
    let folder = Folder::new();
    folder.script("solve", "echo lluu");
    let text = contest(&[("A", &board("near-end-1"))]) + &entry("mine", &["./solve"]);
    folder.file("contest.toml", text);
    folder.judge(["run", "--out", "out"]).exits(0);
    clear_suspicion(&folder, "out");
    let journal =
        folder.read("out/journal.jsonl").replace("\"stdout_bytes\":5", "\"suspect\":\"x\",\"stdout_bytes\":5");
    folder.file("out/journal.jsonl", chained(journal.lines()));
    let row = |printed: &str| printed.lines().find(|line| line.starts_with("mine ")).unwrap().to_owned();
    let before = row(&folder.judge(["rank", "out", "--format", "plain"]).exits(0).stdout);
    let contents = journal::read(&folder.path().join("out")).unwrap();
    assert_eq!(contents.records[0].extras.suspect.as_deref(), Some("x"));
    fs::remove_file(folder.path().join("solve")).unwrap();
    let repeated = ["resume", "out", "--repeat-suspect", "--progress", "lines", "--format", "plain"];
    let notice = folder.judge(repeated).exits(0);
    assert!(notice.stderr.contains("mine on A: the repetition failed, the earlier run counts: "), "{}", notice.stderr);
    assert_eq!(row(&notice.stdout), before);
    let contents = journal::read(&folder.path().join("out")).unwrap();
    assert_eq!((contents.records[0].attempt, contents.attempts()[0], contents.missing().len()), (1, 2, 0));
    folder.judge(["verify", "out"]).exits(0);
    // With the program in its place, the repetition counts.
    folder.script("solve", "echo lluu");
    folder.judge(repeated).exits(0);
    let contents = journal::read(&folder.path().join("out")).unwrap();
    assert_eq!((contents.records[0].attempt, contents.attempts()[0]), (3, 3));
}
