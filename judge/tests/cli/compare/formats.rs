//! A comparison for programs: CSV and JSON.

use super::{BTreeMap, Value, compared, json};

use crate::support::*;

#[test]
fn as_csv() {
    let csv = |rows: &str| {
        let args =
            ["old.csv", "new.csv", "--entries", "steady,wild", "--only-differences", "--format", "csv", "--rows", rows];
        compared(&args)
    };
    assert_snapshot!(csv("pairs"), @"
    kind,first_run,first,second_run,second,first_better,ties,second_better,missing,unknown,better,decided_by,family,sign_test_p,sign_test_corrected,sign_test_tests,both_solved,moves_mean,moves_median,moves_median_low,moves_median_high,relative_to_best_known_boards,relative_to_best_known_mean,relative_to_best_known_median,relative_to_best_known_median_low,relative_to_best_known_median_high,sign_flip_test_p,sign_flip_test_corrected,sign_flip_test_tests,par2_us_mean,seed,time_ratio
    entries,old,steady,old,wild,4,0,3,0,0,first,progress,1,1.0,1.0,1,1,-20.0,-20.0,,,7,-0.3695387945714286,-0.816666667,-1.0,1.0,0.4375,0.4375,1,5714285.428571428,1995,0.8695650869565218
    change,old,steady,new,steady,1,3,3,0,0,second,progress,1,0.625,0.625,1,5,-5.2,0.0,,,7,0.032005607,0.0,-0.007371007,0.183333333,0.25,0.25,1,10000000.0,1995,2.0
    ");
    assert_snapshot!(csv("boards"), @"
    kind,first_run,first,second_run,second,board,reconstruction,outcome,first_cell,second_cell,moves_difference,relative_to_best_known_difference,first_time_us,second_time_us,time_ratio
    entries,old,steady,old,wild,A,no,second,25/110,25/90,-20,0.181818182,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,B,no,first,25/104,0/TIM,,-0.951923077,6000000,10000000,1.6666666666666667
    entries,old,steady,old,wild,C,no,first,25/97,12/40,,-1.0,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,D,no,first,25/120,7/44,,-0.816666667,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,E,no,first,25/100,0/ILL,,-1.0,6000000,4999999,0.8333331666666667
    entries,old,steady,old,wild,F,no,second,0/TIM,0/ILL,,0.0,10000000,4999999,0.4999999
    entries,old,steady,old,wild,G,no,second,0/CRA,25/100,,1.0,6000000,4999999,0.8333331666666667
    change,old,steady,new,steady,A,no,first,25/110,25/111,1,-0.007371007,6000000,12000000,2.0
    change,old,steady,new,steady,B,no,second,25/104,25/99,-5,0.048076923,6000000,12000000,2.0
    change,old,steady,new,steady,D,no,second,25/120,25/98,-22,0.183333333,6000000,12000000,2.0
    change,old,steady,new,steady,G,no,second,0/CRA,0/ILL,,0.0,6000000,12000000,2.0
    ");
}

/// The keys of JSON are those of `docs/json.md`, as `json.rs` shows, and `recomputed.rs` has its figures from another program.
#[test]
fn json_has_the_figures_of_csv() {
    let args = ["old.csv", "new.csv", "--entries", "steady,wild", "--only-differences"];
    let message = json(&[&args[..], &["--rows", "boards"]].concat());
    let mut rows = [("pairs", Vec::new()), ("boards", Vec::new())];
    for (kind, rows) in &mut rows {
        let csv = compared(&[&args[..], &["--format", "csv", "--rows", kind]].concat());
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        *rows = reader.deserialize().map(|row| row.unwrap()).collect::<Vec<BTreeMap<String, String>>>();
    }
    let [(_, pairs), (_, boards)] = rows;
    let mut boards = boards.iter();
    let of_json: Vec<&Value> = ["pairs", "changes"].iter().flat_map(|kind| message[kind].as_array().unwrap()).collect();
    assert_eq!((of_json.len(), pairs.len()), (2, 2));
    let same = |csv: &str, json: &Value| match json {
        Value::Null => csv.is_empty(),
        Value::String(text) => csv == text,
        Value::Bool(is) => csv == if *is { "yes" } else { "no" },
        number => csv.parse::<f64>().ok() == number.as_f64(),
    };
    for (pair, row) in of_json.into_iter().zip(&pairs) {
        for (column, pointer) in [
            ("first_run", "/first/run"),
            ("first", "/first/entry"),
            ("second_run", "/second/run"),
            ("second", "/second/entry"),
            ("first_better", "/first_better"),
            ("ties", "/ties"),
            ("second_better", "/second_better"),
            ("missing", "/missing"),
            ("unknown", "/unknown"),
            ("better", "/better"),
            ("decided_by", "/decided_by"),
            ("family", "/family"),
            ("sign_test_p", "/sign_test/p"),
            ("sign_test_corrected", "/sign_test/corrected"),
            ("sign_test_tests", "/sign_test/tests"),
            ("both_solved", "/moves/boards"),
            ("moves_mean", "/moves/mean"),
            ("moves_median", "/moves/median"),
            ("relative_to_best_known_boards", "/relative_to_best_known/boards"),
            ("relative_to_best_known_mean", "/relative_to_best_known/mean"),
            ("relative_to_best_known_median", "/relative_to_best_known/median"),
            ("relative_to_best_known_median_low", "/relative_to_best_known/median_interval/low"),
            ("relative_to_best_known_median_high", "/relative_to_best_known/median_interval/high"),
            ("sign_flip_test_p", "/sign_flip_test/p"),
            ("sign_flip_test_corrected", "/sign_flip_test/corrected"),
            ("par2_us_mean", "/par2_us/mean"),
            ("time_ratio", "/time_ratio"),
        ] {
            assert!(same(&row[column], pair.pointer(pointer).unwrap()), "{column}: {row:?} {pair:#}");
        }
        for board in pair["boards"].as_array().unwrap() {
            let row = boards.next().unwrap();
            for (column, pointer) in [
                ("board", "/board"),
                ("reconstruction", "/reconstruction"),
                ("outcome", "/outcome"),
                ("first_cell", "/first/cell"),
                ("second_cell", "/second/cell"),
                ("moves_difference", "/moves_difference"),
                ("relative_to_best_known_difference", "/relative_to_best_known_difference"),
                ("first_time_us", "/first/time_us"),
                ("second_time_us", "/second/time_us"),
                ("time_ratio", "/time_ratio"),
            ] {
                assert!(same(&row[column], board.pointer(pointer).unwrap()), "{column}: {row:?} {board:#}");
            }
        }
    }
    assert!(boards.next().is_none());
    let steady =
        message["scores"][0]["entries"].as_array().unwrap().iter().find(|row| row["entry"] == "steady").unwrap();
    assert_eq!((&steady["solved"], &steady["boards"], &steady["par2_us"]), (&5.into(), &7.into(), &10_000_000.into()));
    assert_eq!((&message["bests"][0]["best_here"], &message["bests"][5]["best_here"]), (&90.into(), &Value::Null));
}
