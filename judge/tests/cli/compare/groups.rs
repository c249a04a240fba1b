//! Groups of entries that no test separates, and boards that only some repeats succeed on.

use super::*;

#[test]
fn entries_that_either_test_separates_are_in_no_group_together() {
    let folder = Folder::new();
    // On 19 of 20 boards `a` is a little better, on one ten times worse: the sign test decides, the mean does not.
    let boards: Vec<String> = (0..20).map(|board| format!("B{board}")).collect();
    let cells: Vec<String> = (0..20).map(|board| format!("25/{}", if board == 0 { 1000 } else { 99 })).collect();
    let first = boards.iter().zip(&cells).map(|(board, cell)| ("a", board.as_str(), cell.as_str(), 1));
    let others = boards.iter().flat_map(|board| ["b", "c"].map(|entry| (entry, board.as_str(), "25/100", 1)));
    let made: Vec<_> = first.chain(others).collect();
    folder.file("one.csv", runs(9, &made));
    let told = folder.judge(["compare", "one.csv", "--format", "json"]).exits(0).json();
    let pairs = told["pairs"].as_array().unwrap();
    let separated = |one: &str, other: &str| {
        let of = |pair: &&serde_json::Value| {
            let names = [&pair["first"]["entry"], &pair["second"]["entry"]];
            names == [one, other] || names == [other, one]
        };
        let pair = pairs.iter().find(of).unwrap();
        ["sign_test", "sign_flip_test"].map(|test| pair[test]["corrected"].as_f64().is_some_and(|p| p < 0.05))
    };
    assert_eq!(separated("a", "b"), [true, false]);
    assert_eq!(separated("b", "c"), [false, false]);
    assert_eq!(told["scores"][0]["groups"], serde_json::json!([["b", "c"], ["a"]]));
    let text = folder.judge(["compare", "one.csv"]).exits(0).stdout;
    assert!(!text.contains("no two entries differ"), "{text}");
}

#[test]
fn points_without_a_solution_are_no_success() {
    let mixed = |scoring: &str, runs: &[(u32, &str, u32)]| {
        let mut csv =
            "entry,board,repeat,verdict,progress,of,moves,tie_break,score,wall_us,limit_ms,scoring\n".to_owned();
        for board in ["A", "B", "C"] {
            for (repeat, verdict, points) in runs {
                let progress = u32::from(*verdict == "solved");
                for entry in ["a", "b"] {
                    csv += &format!("{entry},{board},{repeat},{verdict},{progress},1,0,0,{points},5,9,\"{scoring}\"\n");
                }
            }
        }
        let folder = Folder::new();
        folder.file("one.csv", csv);
        let told = folder.judge(["compare", "one.csv", "--format", "json"]).exits(0).json();
        told["repeats"][0]["entries"][0]["mixed"].clone()
    };
    let full = r#"{""direction"":""up"",""decimals"":0,""full"":""5""}"#;
    assert_eq!(mixed(full, &[(1, "solved", 5), (2, "valid", 3)]), 3);
    assert_eq!(mixed(full, &[(1, "solved", 5), (2, "solved", 5)]), 0);
    let open = r#"{""direction"":""up"",""decimals"":0}"#;
    assert_eq!(mixed(open, &[(1, "valid", 4), (2, "valid", 0)]), 0);
    assert_eq!(mixed(open, &[(1, "valid", 4), (2, "wrong", 0)]), 3);
}
