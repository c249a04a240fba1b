//! What cannot be compared, and what is compared with a warning.

use super::folder;
use crate::support::*;
use crate::table_of_runs::HEAD;

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = folder();
    for (other, reason) in [
        ("./old.csv", "./old.csv is given twice; name different results"),
        ("none.csv", "none.csv: no such results directory or CSV file; `judge runs` lists results directories"),
    ] {
        let refused = folder.judge(["compare", "old.csv", other]).exits(2);
        assert_eq!((&*refused.stdout, refused.message()), ("", format!("judge: {reason}\n")));
    }
    let crowd: String = (0..1_500).map(|number| format!("e{number},A,timed_out,,,,,,1000,,,,\n")).collect();
    let csv = HEAD.replace("contest,game,", "") + &crowd;
    let refused = folder.judge(["compare", "-"]).stdin(csv).exits(2).stderr;
    assert_eq!(refused, "judge: 1500 entries are too many to compare; choose some with --entries\n");
    folder.judge(["compare"]).exits(2);
}

#[test]
fn misleading_comparisons_have_a_warning() {
    let folder = Folder::new();
    folder.script("solver", "echo lluu");
    for (name, boards) in
        [("one", [("SAME", 1), ("OTHER", 2), ("ONLY", 5)]), ("two", [("SAME", 1), ("OTHER", 3), ("MORE", 6)])]
    {
        let files = boards.map(|(name, number)| (name, board(&format!("near-end-{number}"))));
        let boards = files.iter().map(|(name, file)| (*name, file.as_str())).collect::<Vec<_>>();
        let text = contest(&boards) + &entry("solver", &["./solver"]);
        folder.file(
            "contest.toml",
            if name == "one" { text } else { text.replacen("file =", "reconstruction = true\nfile =", 1) },
        );
        folder.judge(["run", "--out", name]).exits(0);
        clear_suspicion(&folder, name);
    }
    let message = folder.judge(["compare", "one", "two", "--format", "json"]).exits(0).json();
    let warnings: Vec<&str> =
        message["warnings"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_snapshot!(warnings.join("\n"), @r#"
    one and two differ in boards that are compared by their names: OTHER
    reconstructions in some results only, so possibly different boards: SAME
    missing in some results, so compared only in the others: ONLY, MORE
    "#);
    let table = folder.judge(["compare", "one", "two"]).exits(0).stdout;
    assert!(warnings.iter().all(|warning| table.contains(&format!("note: {warning}\n"))), "{table}");
    assert!(table.contains("\nworse on 1 board, worst first\n"), "{table}");
}
