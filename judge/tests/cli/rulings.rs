//! Rulings by hand that a record cannot have, and what the rulings leave of a score.

use std::sync::LazyLock;

use crate::referees::external;
use crate::support::*;

/// A contest of Loyd's puzzle, run into `out`: `mine` gets 18 of 25 tiles home on `NEAR`.
pub(crate) fn unsolved() -> Folder {
    static MADE: LazyLock<Made> = LazyLock::new(|| {
        let folder = Folder::new();
        folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
        folder.file("contest.toml", contest(&[("NEAR", "near.txt")]) + &entry("mine", &["echo", "rd"]));
        folder.judge(["run", "--out", "out"]).exits(0);
        Made::of(&folder)
    });
    MADE.folder()
}

#[test]
fn a_figure_that_no_journal_can_have_is_refused_before_anything_is_written() {
    let folder = unsolved();
    let journal = folder.read("out/journal.jsonl");
    for figure in ["progress", "moves", "tie_break"] {
        let figure = format!("{figure}=9007199254740992");
        let args = ["rule", "out", "mine", "NEAR", "unsolved", "--because", "x", "--figure", &figure];
        folder.judge(args).exits(2).says(["`9007199254740992` is too large"]);
        assert_eq!(folder.read("out/journal.jsonl"), journal, "{figure}");
    }
    let most = ["rule", "out", "mine", "NEAR", "unsolved", "--because", "x", "--figure", "moves=9007199254740991"];
    folder.judge(most).exits(0);
    folder.judge(["rank", "out"]).exits(0);
    // What a failure does not count of its own is no part of a ruling, and neither is a figure that does not fit the verdict.
    let wrong = ["rule", "out", "mine", "NEAR", "wrong", "--because", "x", "--figure", "moves=3"];
    assert!(folder.judge(wrong).exits(2).message().contains("a wrong answer has no figure `moves`"));
    let solved = ["rule", "out", "mine", "NEAR", "solved", "--because", "x", "--figure", "progress=24"];
    folder.judge(solved).exits(2).says(["progress 24 of 25, moves 9007199254740991, tie_break 0 does not fit"]);
}

#[test]
fn only_where_nothing_solves_a_board_an_answer_is_valid() {
    let folder = unsolved();
    let message = folder.judge(["rule", "out", "mine", "NEAR", "valid", "--because", "x"]).exits(2).message();
    assert_eq!(message, "judge: boards of this game can be solved; use `solved` or `unsolved`\n");
}

#[test]
fn an_accepted_answer_that_is_ruled_wrong_is_none_of_the_accepted_ones() {
    let folder = Folder::new();
    external(&folder, "protocol = \"exit\"", "exit 0", &[("A", "x"), ("B", "x")], &[("mine", "echo 42")]);
    folder.judge(["run", "--out", "out"]).exits(0);
    folder.judge(["rule", "out", "mine", "B", "wrong", "--because", "copied"]).exits(0);
    let table = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    assert!(
        table.starts_with(
            "place,entry,author,competing,A,B,solved,boards,total_ms,declaration\n1,mine,,yes,AC,WRO,1,2,"
        ),
        "{table}"
    );
    // It counts again once the ruling is taken back.
    folder.judge(["rule", "out", "mine", "B", "--undo"]).exits(0);
    folder.judge(["rank", "out", "--format", "csv"]).exits(0).shows(["AC,AC,2,2,"]);
}

#[test]
fn a_table_with_the_progress_of_a_wrong_answer_is_read_again() {
    let folder = unsolved();
    folder.judge(["rule", "out", "mine", "NEAR", "wrong", "--because", "copied"]).exits(0);
    let table = folder.judge(["rank", "out", "--format", "csv"]).exits(0).stdout;
    // The progress before the fault counts, though the cell has 0.
    assert!(table.contains(",0/WRO,18,"), "{table}");
    folder.file("table.csv", &table);
    assert_eq!(folder.judge(["rank", "table.csv", "--format", "csv"]).exits(0).stdout, table);
    folder.judge(["report", "table.csv", "-o", "table.html"]).exits(0);
}
