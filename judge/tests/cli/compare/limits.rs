//! Conclusions about other limits than those of the runs.

use super::*;

#[test]
fn limits_that_differ_within_one_contest_are_all_named() {
    let folder = Folder::new();
    let csv = runs(4_000, &[("a", "A", "25/9", 1), ("b", "A", "25/5", 1)]);
    let second = runs(6_000, &[("a", "B", "25/9", 1), ("b", "B", "25/5", 1)]);
    folder.file("two.csv", csv + second.split_once('\n').unwrap().1);
    let printed = folder.judge(["compare", "two.csv"]).exits(0).stdout;
    assert!(printed.contains("two: Test, 4s to 6s per board, 2 boards, 2 entries"), "{printed}");
    assert!(printed.contains("two at 4s to 6s: "), "{printed}");
    let ranked = folder.judge(["rank", "two.csv"]).exits(0).stdout;
    assert!(!ranked.contains("4s per board") || ranked.contains("4s to 6s per board"), "{ranked}");
}

#[test]
fn runs_at_several_limits_show_how_the_places_shift() {
    let folder = Folder::new();
    let run = |file: &str, limit_ms: u64, made: &[(&str, &str, &str, u64)]| folder.file(file, runs(limit_ms, made));
    run(
        "long.csv",
        4_000,
        &[("a", "A", "25/9", 1), ("b", "A", "25/5", 1), ("c", "A", "25/7", 1), ("b", "B", "25/1", 1)],
    );
    run("short.csv", 1_000, &[("a", "A", "25/9", 1), ("b", "A", "TIM", 1), ("c", "A", "25/10", 1)]);
    run("middle.csv", 2_000, &[("a", "A", "25/9", 1), ("b", "A", "25/8", 1)]);
    let args = ["compare", "long.csv", "short.csv", "middle.csv"];
    let told = folder.judge(args.into_iter().chain(["--format", "json"])).exits(0).json();
    // On A alone, for B is not in every run, and without c, which the middle lacks.
    assert_eq!(
        told["across_limits"],
        serde_json::json!({
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
    let changes = told["changes"].as_array().unwrap().iter();
    let changes: Vec<String> = changes
        .map(|pair| format!("{} {} {}", pair["first"]["entry"], pair["first"]["run"], pair["second"]["run"]))
        .collect();
    let expected = ["b long short", "b short middle", "a long short", "a short middle", "c long short"];
    assert_eq!(changes.iter().map(|change| change.replace('"', "")).collect::<Vec<_>>(), expected);
    let printed = folder.judge(args).exits(0).stdout;
    assert!(printed.contains("the first place goes to a, b, b in turn; 2 of 2 entries change places"), "{printed}");
}

#[test]
fn conclusions_about_another_limit_depend_on_half_of_the_run_s_own() {
    let folder = Folder::new();
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
    folder.file("run.csv", runs(1_000, &made).trim_end().to_owned() + timeless);
    let told = folder.judge(["compare", "run.csv", "--format", "json"]).exits(0).json();
    assert_eq!(
        told["clock"][0],
        serde_json::json!({
            "run": "run",
            "limit_ms": 1000,
            "ended_before_half": ["early", "failed"],
            "went_on": ["late"],
            "unknown": ["timeless", "unheard"],
        })
    );
}
