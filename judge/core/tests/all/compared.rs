//! Comparisons of results, on tables small enough to count by hand, as JSON has them.

use judge_core::compare::{CompareError, Comparison, DEFAULT_SEED, Source};
use judge_core::results::Results;
use serde_json::{Value, json};

use crate::table_of_runs::{HEAD, runs};

/// Files by their names.
type Files<'a> = &'a [(&'a str, String)];

fn compare(files: Files<'_>, entries: Option<&[&str]>) -> Result<Comparison, CompareError> {
    let source = |(name, csv): &(&str, String)| Source {
        name: (*name).to_owned(),
        results: Results::read_csv(name, csv.as_bytes()).unwrap(),
    };
    let entries: Option<Vec<String>> = entries.map(|entries| entries.iter().map(|&name| name.to_owned()).collect());
    Comparison::from_sources(files.iter().map(source).collect(), entries.as_deref(), DEFAULT_SEED)
}

fn message(files: Files<'_>) -> Value {
    serde_json::to_value(compare(files, None).unwrap()).unwrap()
}

/// A table of entries in this order.
fn table(entries: &str) -> String {
    let declared = |at| if at == 0 { r#""{""ranking"":[""moves""]}""# } else { "" };
    let row = |(at, entry)| format!("{entry},yes,25/{0},25,{0},1,5,{1}\n", 10 + at, declared(at));
    let head = "entry,competing,B,progress,moves,tie_break,total_ms,declaration\n";
    head.to_owned() + &entries.chars().enumerate().map(row).collect::<String>()
}

#[test]
fn orders_are_compared_by_kendalls_tau_over_the_entries_in_both() {
    // Without x, of 15 pairs a-b, d-f and e-f stand the other way round.
    let [one, two, back, few] = [("one", "abcdef"), ("two", "baxcfde"), ("back", "fedcba"), ("few", "ab")]
        .map(|(name, all)| (name, table(all)));
    let message = message(&[one, two, back, few]);
    let differences = message["agreement_differences"].as_array().unwrap();
    let agreement = message["agreement"].as_array().unwrap();
    let pairs: Vec<_> = agreement.iter().map(|pair| (&pair["first"], &pair["second"])).collect();
    assert_eq!(pairs.len(), 3, "every two but those with few: {pairs:?}");
    let tau = |at: usize| agreement[at]["tau"].as_f64().unwrap();
    assert!((tau(0) - 9.0 / 15.0).abs() < 1e-12 && (tau(1) + 1.0).abs() < 1e-12 && (tau(2) + 9.0 / 15.0).abs() < 1e-12);
    assert_eq!(agreement[0]["entries"], json!(["a", "b", "c", "d", "e", "f"]));
    let interval = |at: usize| ["low", "high"].map(|end| agreement[at]["resampled"][end].as_f64().unwrap());
    let [low, high] = interval(0);
    assert!(low < 9.0 / 15.0 && 9.0 / 15.0 < high && high <= 1.0, "{low} to {high}");
    assert_eq!(interval(1), [-1.0, -1.0]);
    assert_eq!(differences.len(), 1, "one of three has two later ones");
    // 9/15 with two, -1 with back.
    assert!((differences[0]["difference"].as_f64().unwrap() - 24.0 / 15.0).abs() < 1e-12);
}

#[test]
fn entries_that_either_test_separates_are_in_no_group_together() {
    // On 19 of 20 boards `a` is a little better, on one ten times worse: the sign test decides, the mean does not.
    let boards: Vec<String> = (0..20).map(|board| format!("B{board}")).collect();
    let cells: Vec<String> = (0..20).map(|board| format!("25/{}", if board == 0 { 1000 } else { 99 })).collect();
    let first = boards.iter().zip(&cells).map(|(board, cell)| ("a", board.as_str(), cell.as_str(), 1));
    let others = boards.iter().flat_map(|board| ["b", "c"].map(|entry| (entry, board.as_str(), "25/100", 1)));
    let made: Vec<_> = first.chain(others).collect();
    let message = message(&[("one", runs(9, &made))]);
    let pairs = message["pairs"].as_array().unwrap();
    let separated = |one: &str, other: &str| {
        let of = |pair: &&Value| {
            let names = [&pair["first"]["entry"], &pair["second"]["entry"]];
            names == [one, other] || names == [other, one]
        };
        let pair = pairs.iter().find(of).unwrap();
        ["sign_test", "sign_flip_test"].map(|test| pair[test]["corrected"].as_f64().is_some_and(|p| p < 0.05))
    };
    assert_eq!(separated("a", "b"), [true, false]);
    assert_eq!(separated("b", "c"), [false, false]);
    assert_eq!(message["scores"][0]["groups"], json!([["b", "c"], ["a"]]));
}

#[test]
fn points_without_a_solution_are_no_success() {
    let mixed = |scoring: &str, runs: &[(u32, &str, u32)]| {
        let mut csv =
            "entry,board,repeat,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,scoring\n".to_owned();
        for board in ["A", "B", "C"] {
            for (repeat, verdict, points) in runs {
                let progress = u32::from(*verdict == "solved");
                for entry in ["a", "b"] {
                    csv += &format!("{entry},{board},{repeat},{verdict},{progress},1,0,0,{points},5,9,\"{scoring}\"\n");
                }
            }
        }
        message(&[("one", csv)])["repeats"][0]["entries"][0]["mixed"].clone()
    };
    let full = r#"{""figures"":[{""name"":""score"",""better"":""more"",""decimals"":0,""full"":""5""}]}"#;
    assert_eq!(mixed(full, &[(1, "solved", 5), (2, "valid", 3)]), 3);
    assert_eq!(mixed(full, &[(1, "solved", 5), (2, "solved", 5)]), 0);
    let open = r#"{""figures"":[{""name"":""score"",""better"":""more"",""decimals"":0}]}"#;
    assert_eq!(mixed(open, &[(1, "valid", 4), (2, "valid", 0)]), 0);
    assert_eq!(mixed(open, &[(1, "valid", 4), (2, "wrong", 0)]), 3);
}

#[test]
fn runs_at_several_limits_show_how_the_places_shift() {
    let long = [("a", "A", "25/9", 1), ("b", "A", "25/5", 1), ("c", "A", "25/7", 1), ("b", "B", "25/1", 1)];
    let short = [("a", "A", "25/9", 1), ("b", "A", "TIM", 1), ("c", "A", "25/10", 1)];
    let middle = [("a", "A", "25/9", 1), ("b", "A", "25/8", 1)];
    let message =
        message(&[("long", runs(4_000, &long)), ("short", runs(1_000, &short)), ("middle", runs(2_000, &middle))]);
    // On A alone, for B is not in every run, and without c, which the middle lacks.
    assert_eq!(
        message["across_limits"],
        json!({
            "runs": [
                {"run": "short", "limit_ms": 1000},
                {"run": "middle", "limit_ms": 2000},
                {"run": "long", "limit_ms": 4000},
            ],
            "boards": ["A"],
            "entries": [{"entry": "b", "places": [2, 1, 1]}, {"entry": "a", "places": [1, 2, 2]}],
        })
    );
    // Each entry against the run before that has it.
    let changes = message["changes"].as_array().unwrap().iter();
    let changes: Vec<String> = changes
        .map(|pair| format!("{} {} {}", pair["first"]["entry"], pair["first"]["run"], pair["second"]["run"]))
        .collect();
    let expected = ["b long short", "b short middle", "a long short", "a short middle", "c long short"];
    assert_eq!(changes.iter().map(|change| change.replace('"', "")).collect::<Vec<_>>(), expected);
}

#[test]
fn conclusions_about_another_limit_depend_on_half_of_the_run_s_own() {
    let made = [
        ("early", "A", "25/9", 499_999),
        ("early", "B", "CRA", 0),
        ("late", "A", "25/9", 500_000),
        ("late", "B", "25/9", 1),
        ("failed", "A", "25/9", 1),
        ("failed", "B", "JUD", 0),
        ("unheard", "A", "JUD", 0),
    ];
    let timeless = "\nTest,loyd,timeless,A,solved,25,25,9,0,,1000,,,,\n";
    let message = message(&[("run", runs(1_000, &made).trim_end().to_owned() + timeless)]);
    assert_eq!(
        message["clock"][0],
        json!({
            "run": "run",
            "limit_ms": 1000,
            "ended_before_half": ["early", "failed"],
            "went_on": ["late"],
            "unknown": ["timeless", "unheard"],
        })
    );
}

#[test]
fn what_solves_a_board_of_a_table_is_not_guessed() {
    // Neither the most progress of the table nor the goal in other results is one of the table.
    let table = "entry,A,tiles,moves,transports,total_ms\na,12/10,12,10,,\nb,12/14,12,14,,\n".to_owned();
    let table = ("table", table);
    let solved = |files: Files<'_>| {
        let message = message(files);
        (message["pairs"][0]["boards"][0]["first"]["solved"].clone(), message["warnings"].as_array().unwrap().len())
    };
    assert_eq!(solved(std::slice::from_ref(&table)), (Value::Null, 1));
    assert_eq!(solved(&[table, ("run", runs(1_000, &[("a", "A", "12/10", 1)]))]), (Value::Null, 1));
}

#[test]
fn repeats_show_the_variation_within_and_between_boards() {
    let mut csv = "entry,board,repeat,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for board in 0..6 {
        for repeat in 1..=3 {
            let (lucky, steady) = (20 + board + [0, 9, 4][repeat - 1], 22 + board);
            csv += &format!("lucky,B{board},{repeat},solved,25,25,{lucky},1,5,9\n");
            csv += &format!("steady,B{board},{repeat},solved,25,25,{steady},1,5,9\n");
        }
    }
    let message = message(&[("runs", csv)]);
    // The table has lucky's first runs, which are shorter; the comparison has its median, which is longer.
    assert_eq!(message["stability"][0]["entries"][0]["entry"], "lucky");
    assert_eq!((&message["pairs"][0]["first_better"], &message["pairs"][0]["second_better"]), (&0.into(), &6.into()));
    let above = message["stability"][0]["entries"][0]["resampled"]["above_next"].as_f64().unwrap();
    assert!(above < 0.5, "most draws of a repeat are longer: {above}");
    let repeats = message["repeats"][0]["entries"].as_array().unwrap();
    assert_eq!((&repeats[1]["entry"], repeats[1]["within"].as_f64()), (&"steady".into(), Some(0.0)));
    assert!(repeats[0]["within"].as_f64() > Some(0.1) && repeats[1]["between"].as_f64() > Some(0.0));
}

#[test]
fn places_without_a_board_are_those_that_ranking_without_it_gives() {
    let boards = ["A", "B", "C"];
    let made: Vec<_> = boards
        .iter()
        .zip([("25/10", "25/12", "TIM"), ("25/10", "25/9", "25/4"), ("9/3", "25/40", "25/41")])
        .flat_map(|(board, (a, b, c))| [("a", *board, a, 1), ("b", *board, b, 1), ("c", *board, c, 1)])
        .collect();
    let csv = runs(9, &made);
    let results = Results::read_csv("one", csv.as_bytes()).unwrap();
    let compared = compare(&[("one", csv)], None).unwrap();
    let stability = &compared.stability[0];
    assert_eq!(stability.boards, boards);
    let mut moved = 0;
    for (index, left_out) in boards.iter().enumerate() {
        let others: Vec<String> =
            boards.iter().filter(|board| *board != left_out).map(|&board| board.to_owned()).collect();
        let ranked = results.clone().only(Some(&others), None).unwrap();
        for row in &ranked.rows {
            let places = stability.entries.iter().find(|entry| entry.entry == row.entry.name).unwrap();
            assert_eq!(places.without[index], row.place, "{} without {left_out}", row.entry.name);
            moved += usize::from(places.without[index] != Some(places.place));
        }
    }
    assert!(moved > 0, "the boards matter");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let one = || ("one", runs(1_000, &[("swift", "A", "25/4", 1), ("steady", "A", "25/5", 1)]));
    let two = || ("two", runs(1_000, &[("swift", "A", "25/4", 1)]));
    let ufo = ("ufo", two().1.replace("loyd", "ufo"));
    let crowd: String = (0..1_500).map(|number| format!("e{number},A,timed_out,,,,,,1000,,,,\n")).collect();
    let crowd = ("crowd", HEAD.replace("contest,game,", "") + &crowd);
    let alone = "only one entry to compare; add another entry, or other results with this one";
    for (files, entries, reason) in rows! {
        (vec![one(), ufo], None, "one is a contest of loyd, ufo one of ufo; compare results of one game only"),
        (vec![one()], Some(&["swift", "sweft"][..]), "unknown entry `sweft`; did you mean `swift`? available: swift, steady"),
        (vec![one(), two()], Some(&["two:steady"]), "no results `two` with an entry `steady`; write one:steady"),
        (vec![two()], None, alone),
        (vec![one()], Some(&["swift"]), alone),
        (vec![crowd], None, "1500 entries are too many to compare; choose some"),
    } {
        assert_eq!(compare(&files, entries).unwrap_err().to_string(), reason);
    }
}
