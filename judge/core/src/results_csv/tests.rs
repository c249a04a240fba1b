//! Files that cannot be read say which line, which column and what would be right.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::ranking;
use crate::results::Results;
use crate::score::Row;

/// The reason why a file is refused.
fn refused(csv: &str) -> String {
    Results::read_csv("f.csv", csv.as_bytes()).unwrap_err().to_string()
}

const RUNS: &str = "entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms\n";

#[test]
fn the_first_fault_of_a_row_is_named() {
    let short = refused(&format!("{RUNS}a,X,solved\n"));
    assert!(short.contains("line 2: 3 columns, but the header has 9"), "{short}");
    let second = refused(&format!("{RUNS}a,X,solved,25,25,4,0,5,9\na,Y,solved,25,25,4,0,soon,9\n"));
    assert!(second.contains("line 3") && second.contains("column wall_us: `soon`"), "{second}");
    // The first bad figure of a row is named, not the last.
    let both = refused(&format!("{RUNS}a,X,solved,25,25,-4,0,soon,9\n"));
    assert!(both.contains("column moves: `-4`") && !both.contains("wall_us"), "{both}");
    // An empty figure is no bad one.
    let empty = refused(&format!("{RUNS}a,X,solved,25,25,,0,5,9\n"));
    assert!(empty.contains("moves") && !empty.contains("column wall_us"), "{empty}");
}

#[test]
fn a_cell_of_a_table_that_cannot_be_says_what_can() {
    let cell = |text: &str| refused(&format!("place,entry,A,progress,moves,tie-break,total_ms\n1,a,{text},25,4,0,5\n"));
    for bad in ["x/4", "25/x", "AC", "TIM"] {
        let message = cell(bad);
        let expected = format!("invalid cell `{bad}`; use for example 25/94, 16/202 or 0/TIM, or leave it empty");
        assert!(message.contains("line 2") && message.contains(&expected), "{message}");
    }
}

#[test]
fn the_figures_of_a_row_are_those_of_its_rounds() {
    let csv = format!(
        "round,{RUNS}1,a,X,solved,25,25,4,1,5000,9\n2,a,Y,unsolved,20,25,7,0,6000,9\n1,b,X,timed_out,,,,,9000001,9\n"
    );
    let results = Results::read_csv("f.csv", csv.as_bytes()).unwrap();
    let figures = ranking::figures(&results.rows);
    let of = |name: &str| &figures[results.rows.iter().position(|row: &Row| row.entry.name == name).unwrap()];
    let rounds: Vec<_> =
        of("a").iter().map(|round| (round.total.moves, round.solved, round.failed, round.boards)).collect();
    assert_eq!(rounds, [(Some(4), 1, 0, 1), (Some(7), 0, 0, 1)]);
    assert_eq!(of("b").iter().map(|round| (round.failed, round.boards)).collect::<Vec<_>>(), [(1, 1)]);
}

#[test]
fn every_column_of_a_month_is_written_with_what_its_journal_has() {
    use std::collections::{BTreeMap, BTreeSet};
    let values = |recorded: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(recorded).join("out");
        let mut out = Vec::new();
        super::write_runs(&crate::journal::read(&folder).unwrap(), &mut out).unwrap();
        let mut reader = csv::Reader::from_reader(&*out);
        let headers = reader.headers().unwrap().clone();
        let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in reader.records().map(Result::unwrap) {
            for (column, value) in headers.iter().zip(&row).filter(|(_, value)| !value.is_empty()) {
                values.entry(column.to_owned()).or_default().insert(value.to_owned());
            }
        }
        values
    };
    let month = values("format-5");
    for (column, expected) in [
        ("disqualified", &["it copied"][..]),
        ("isolation", &["process_group (subreaper; cgroup memory v1, processes v1, cpu v2)"]),
        ("model", &["AMD EPYC"]),
        ("ranking", &["score time"]),
        ("repeat", &["1"]),
        ("round_name", &["Final", "First"]),
        ("ruled_by", &["A. Referee"]),
        ("ruling", &["seen by hand"]),
        ("score", &["12", "15", "6"]),
        ("scoring", &[r#"{"direction":"up","decimals":0}"#]),
        ("struck", &["too easy"]),
        ("verdict", &["missing", "valid"]),
    ] {
        assert!(month[column].iter().eq(expected), "{column}: {:?}", month[column]);
    }
    // Of the index in the order of runs and the moment of each run there are several.
    assert!(month["seq"].contains("1") && month["seq"].contains("12") && month["date"].len() > 1, "{month:?}");
    assert!(values("format-4")["withdrawn"].iter().eq(["its author asked for it"]));
    assert_eq!(values("format-5-rejudged")["referee"].len(), 2);
}
