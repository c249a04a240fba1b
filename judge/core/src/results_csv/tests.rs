//! Tests of errors for unreadable files, which contain the line, the column and the expected value.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::points::Points;
use crate::ranking;
use crate::results::Results;
use crate::score::Row;

/// The reason why a file is refused.
fn refused(csv: &str) -> String {
    Results::read_csv("f.csv", csv.as_bytes()).unwrap_err().to_string()
}

const RUNS: &str = "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n";

#[test]
fn the_first_fault_of_a_row_is_named() {
    let short = refused(&format!("{RUNS}a,X,solved\n"));
    assert!(short.contains("line 2: 3 columns, but the header has 9"), "{short}");
    let second = refused(&format!("{RUNS}a,X,solved,25,25,4,0,5,9\na,Y,solved,25,25,4,0,soon,9\n"));
    assert!(second.contains("line 3") && second.contains("column wall_us: `soon`"), "{second}");
    // The error names the first bad figure of a row.
    let both = refused(&format!("{RUNS}a,X,solved,25,25,4,0,soon,-9\n"));
    assert!(both.contains("column wall_us: `soon`") && !both.contains("limit_ms"), "{both}");
    let of_moves = refused(&format!("{RUNS}a,X,solved,25,25,four,0,5,9\n"));
    assert!(of_moves.contains("line 2: column moves: `four`"), "{of_moves}");
    // An empty figure is unknown, and not an error.
    let empty = Results::read_csv("f.csv", format!("{RUNS}a,X,solved,25,25,,0,5,9\n").as_bytes()).unwrap();
    assert_eq!((empty.rows[0].cells[0].text(), empty.rows[0].cells[0].solves()), ("25/-".into(), true));
}

const TABLE: &str = "entry,competing,A,B,tiles,moves,transports,total_ms\nx,yes,25/10,25/12,50,22,3,900\n";

#[test]
fn each_fault_of_a_file_is_said_with_its_place() {
    let runs = RUNS.to_owned() + "x,A,solved,25,25,10,1,500,1000\n";
    let neither = "is neither a file of runs (columns entry, board, verdict, …) nor a table (columns entry, the boards, \
                   progress, moves, tie-break, total_ms)";
    for (csv, reason) in crate::rows! {
        ("".to_owned(), neither),
        ("a,b\n1,2\n".to_owned(), neither),
        (TABLE.replace(",total_ms", "").replace(",900", ""), "column total_ms is missing"),
        (TABLE.replace("tiles,moves", "moves,tiles"), "the columns are not entry, …, boards, progress, moves, tie-break, total_ms"),
        (TABLE.replace(",900", ""), "line 2: 7 columns, but the header has 8"),
        (TABLE.replace("25/12", "25-12"), "line 2: invalid cell `25-12`; use for example 25/94, 16/202 or 0/TIM, or leave it empty"),
        (TABLE.replace("25/12", "0/WHY"), "line 2: invalid cell `0/WHY`; use for example 25/94, 16/202 or 0/TIM, or leave it empty"),
        ("entry,board,verdict,limit_ms,ups,note,note,ups\na,X,valid,9,5,x,y,6\n".into(), "line 1: the column ups is there twice"),
        (TABLE.replace("25/12", "25/13"), "line 2: the total of moves is 22, the cells make 23"),
        (TABLE.replace("25/12", "24/12"), "line 2: the total of progress is 50, the cells make 49"),
        (TABLE.replace("yes", "perhaps"), "line 2: `perhaps` is neither yes nor no"),
        (TABLE.replace("900", "soon"), "line 2: column total_ms: `soon` is not a whole number from 0 to 18446744073709551615"),
        (TABLE.to_owned() + "x,yes,25/10,25/12,50,22,3,900\n", "line 3: duplicate entry x"),
        (
            runs.replace("solved", "brilliant"),
            "line 2: unknown verdict `brilliant`; available: solved, unsolved, valid, timed_out, illegal_move, wrong, \
             out_of_cpu, out_of_memory, too_many_processes, scratch_full, too_much_output, crashed, could_not_start, \
             build_failed, judge_error",
        ),
        (
            runs.replace("500", "fast"),
            "line 2: column wall_us: `fast` is not a whole number from 0 to 9007199254740991",
        ),
        (runs.replace("solved", "crashed"), "line 2: the verdict crashed needs an exit code or a signal"),
        (runs.clone() + "x,A,solved,25,25,10,1,500,1000\n", "line 3: duplicate run of x on A"),
    } {
        assert_eq!(refused(&csv), format!("f.csv: {reason}"), "{csv}");
    }
}

#[test]
fn lines_are_counted_as_a_person_counts_them() {
    let good = "a,\"X,\n1\",solved,25,25,4,0,5,9\n".to_owned();
    for (text, line) in [
        // A quoted field of two lines, blank lines, and a field that is not a number.
        (format!("{RUNS}{good}\n\na,Y,solved,25,25,4,0,soon,9\n"), 6),
        (format!("\n{RUNS}\na,Y,solved,25,25,4,0,soon,9"), 4),
        (format!("{RUNS}{good}a,Y,solved\n"), 4),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            let reply = refused(&text);
            assert!(reply.contains(&format!("line {line}: ")), "{text:?}: {reply}");
        }
    }
    let table = "place,entry,A,progress,moves,tie-break,total_ms\r\n1,a,4/4,4,4,0,5\r\n1,a,4/4,4,4,0,5\r\n";
    assert!(refused(table).contains("line 3: duplicate entry a"), "{}", refused(table));
    let text = [format!("{RUNS}\r\n").as_bytes(), b"a,\xff,solved,25,25,4,0,5,9\r\n"].concat();
    let reply = Results::read_csv("f.csv", &*text).unwrap_err().to_string();
    assert!(reply.contains("line 3: field 2: is not UTF-8"), "{reply}");
}

#[test]
fn a_long_file_has_the_right_lines() {
    // The text is longer than one read.
    let rows: String = (0..5000).map(|row| format!("a{row},X,solved,25,25,4,0,5,9\r\n\r\n")).collect();
    let reply = refused(&format!("{RUNS}{rows}a,X,solved,25,25,4,0,soon,9\r\n"));
    assert!(reply.contains("line 10002: "), "{reply}");
}

#[test]
fn rows_of_struck_boards_say_of_what_contest_they_are() {
    let rows = "round,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms,contest,game,ranking,struck\n\
                1,a,X,solved,25,25,4,0,5,9000,C,loyd,moves time,too easy\n";
    let results = Results::read_csv("f.csv", rows.as_bytes()).unwrap();
    assert_eq!(
        (results.contest.as_deref(), results.game.as_deref(), results.limit_ms),
        (Some("C"), Some("loyd"), Some(9000))
    );
    assert_eq!(crate::plan::RankKey::listed(&results.ranking), "moves time");
    assert!(results.boards.is_empty() && results.absent.len() == 1, "{:?}", results.absent);
}

#[test]
fn a_cell_of_a_table_that_cannot_be_says_what_can() {
    let cell = |text: &str| refused(&format!("place,entry,A,progress,moves,tie-break,total_ms\n1,a,{text},25,4,0,5\n"));
    for bad in ["x/4", "25/x", "25", "TIM"] {
        let message = cell(bad);
        let expected = format!("invalid cell `{bad}`; use for example 25/94, 16/202 or 0/TIM, or leave it empty");
        assert!(message.contains("line 2") && message.contains(&expected), "{message}");
    }
}

#[test]
fn a_board_has_no_name_that_a_table_would_read_as_another() {
    let rows = |board: &str, reconstruction: &str| {
        let runs = "entry,board,reconstruction,verdict,progress,full,moves,tie_break,limit_ms";
        format!("{runs}\na,{board},{reconstruction},solved,25,25,4,1,5000\n")
    };
    for (board, reconstruction) in
        [("X*", "no"), ("2/X", "no"), ("+2/X", "yes"), ("64/X*", "no"), ("", "no"), ("X; Y", "yes")]
    {
        let message = refused(&rows(board, reconstruction));
        assert!(message.contains(&format!("line 2: board {board:?} needs another name")), "{message}");
    }
    for (board, reconstruction) in [("X*", "yes"), ("1/X", "no"), ("x/X", "no"), ("X*X", "no")] {
        let results = Results::read_csv("f.csv", rows(board, reconstruction).as_bytes()).unwrap();
        let mut table = Vec::new();
        super::table::write(&results, &mut table).unwrap();
        let again = Results::read_csv("again.csv", &*table).unwrap();
        let head = |results: &Results| (results.boards[0].name.clone(), results.boards[0].reconstruction);
        assert_eq!(head(&again), head(&results));
        assert_eq!(head(&again).0, board);
    }
}

#[test]
fn the_figures_of_a_row_are_those_of_its_rounds() {
    let rows = ["1,a,X,solved,25,25,4,1,5000,9", "2,a,Y,unsolved,20,25,7,0,6000,9", "1,b,X,timed_out,,,,,9000001,9"];
    // A board of a later round may come first.
    for order in [[0, 1, 2], [1, 2, 0]] {
        let csv = format!("round,{RUNS}{}\n", order.map(|row| rows[row]).join("\n"));
        let results = Results::read_csv("f.csv", csv.as_bytes()).unwrap();
        assert_eq!(results.boards.iter().map(|board| &*board.name).collect::<Vec<_>>(), ["X", "Y"]);
        let figures = ranking::figures(&results.rows);
        let of = |name: &str| &figures[results.rows.iter().position(|row: &Row| row.entry.name == name).unwrap()];
        let rounds: Vec<_> = of("a")
            .iter()
            .map(|round| (round.total.figure(1).map(Points::units), round.solved, round.failed, round.boards))
            .collect();
        assert_eq!(rounds, [(Some(4), Some(1), 0, 1), (Some(7), Some(0), 0, 1)]);
        assert_eq!(of("b").iter().map(|round| (round.failed, round.boards)).collect::<Vec<_>>(), [(1, 1)]);
    }
}

#[test]
fn every_column_of_a_month_is_written_with_what_its_journal_has() {
    use std::collections::{BTreeMap, BTreeSet};
    let values_with = |recorded: &str, more: &[crate::journal::Line]| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded").join(recorded).join("out");
        let mut out = Vec::new();
        super::write_runs(&crate::journal::preview(&folder, more).unwrap(), &mut out).unwrap();
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
    let values = |recorded: &str| values_with(recorded, &[]);
    let month = values("format-6");
    for (column, expected) in crate::rows! {
        ("disqualified", &["it copied"][..]),
        ("isolation", &["process_group (subreaper; cgroup memory v1, processes v1, cpu v2)"]),
        ("model", &["AMD EPYC"]),
        ("ranking", &["score solved failed unstarted time"]),
        ("repeat", &["1"]),
        ("round_name", &["Final", "First"]),
        ("ruled_by", &["A. Referee"]),
        ("ruling", &["seen by hand"]),
        ("figures", &[r#"{"score":"12"}"#, r#"{"score":"15"}"#, r#"{"score":"6"}"#]),
        ("scoring", &[r#"{"figures":[{"name":"score","better":"more","decimals":0,"failed":"0"}],"cell":["score"],"total":["score"]}"#]),
        ("struck", &["too easy"]),
        ("verdict", &["missing", "valid"]),
    } {
        assert!(month[column].iter().eq(expected), "{column}: {:?}", month[column]);
    }
    // The index in the order of runs and the date differ between runs.
    assert!(month["seq"].contains("1") && month["seq"].contains("12") && month["date"].len() > 1, "{month:?}");
    let gone = r#"{"line":"withdrawn","entry":"cat","reason":"its author asked for it"}"#;
    let month = values_with("format-6", &[serde_json::from_str(gone).unwrap()]);
    assert!(month["withdrawn"].iter().eq(["its author asked for it"]));
    assert_eq!(values("format-6-rejudged")["referee"].len(), 2);
}

#[test]
fn a_figure_beyond_its_range_is_refused_with_line_value_and_range() {
    let large = "a whole number from 0 to 9007199254740991";
    for (column, bad, range) in [
        ("limit_ms", "9007199254741", "not a whole number from 0 to 9007199254740"),
        ("moves", "9007199254740992", "too large for points with 0 decimals"),
        ("moves", "NaN", "not a decimal number"),
        ("moves", "18446744073709551616", "too large for points with 0 decimals"),
    ] {
        let (moves, limit) = if column == "moves" { (bad, "9") } else { ("4", bad) };
        let reply = refused(&format!("{RUNS}a,X,solved,25,25,{moves},0,5,{limit}\n"));
        assert!(reply.contains(&format!("line 2: column {column}: `{bad}` is {range}")), "{reply}");
        // The largest value is accepted.
        let most = format!("{RUNS}a,X,solved,25,25,9007199254740991,0,5,9007199254740\n");
        assert!(Results::read_csv("f.csv", most.as_bytes()).is_ok());
    }
    let table = |cell: &str, moves: &str| {
        refused(&format!("entry,A,tiles,moves,transports,total_ms\nx,{cell},25,{moves},3,900\n"))
    };
    let total = "a whole number from 0 to 18446744073709551615";
    for (cell, moves, reason) in [
        ("25/9007199254740992", "1", format!("`9007199254740992` is not {large}")),
        ("25/10", "99999999999999999999", format!("column moves: `99999999999999999999` is not {total}")),
        ("25/10", "-1", "the total of moves is -1, the cells make 10".into()),
        ("25/10", "ten", "column moves: `ten`".into()),
    ] {
        let reply = table(cell, moves);
        assert!(reply.contains(&format!("line 2: {reason}")), "{reply}");
    }
    for decimals in [10, 19, 20, 255] {
        let reply = refused(&format!(
            "entry,board,verdict,progress,full,moves,tie_break,limit_ms,score,scoring\n\
             one,A,valid,0,1,0,0,1,1.5,\"{{\"\"figures\"\":[{{\"\"name\"\":\"\"score\"\",\"\"better\"\":\"\"more\"\",\"\"decimals\"\":{decimals}}}]}}\"\n"
        ));
        let range = format!("scoring: invalid value: integer `{decimals}`, expected a whole number from 0 to 9");
        assert!(reply.contains(&range), "{reply}");
    }
}

#[test]
fn a_sum_that_does_not_fit_is_no_tie() {
    // A figure has 120 bits, and a time has 64.
    let row = |board: usize| format!("one,B{board},solved,1,1,9007199254740991,0,9007199254740000,9007199254740\n");
    let times = refused(&(RUNS.to_owned() + &(0..2049).map(row).collect::<String>()));
    assert!(times.contains("the sum of the times of entry one does not fit 64 bits"), "{times}");
}
