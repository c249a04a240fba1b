//! How alike runs order their entries, on tables small enough to count by hand.

use super::*;

/// A table of entries in this order.
fn table(entries: &str) -> String {
    let rows = entries.chars().enumerate().map(|(at, entry)| format!("{entry},yes,25/{0},25,{0},1,5\n", 10 + at));
    "entry,competing,B,progress,moves,tie_break,total_ms\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn orders_are_compared_by_kendalls_tau_over_the_entries_in_both() {
    let folder = Folder::new();
    folder.file("one.csv", table("abcdef"));
    // Without x, of 15 pairs a-b, d-f and e-f stand the other way round.
    folder.file("two.csv", table("baxcfde"));
    folder.file("back.csv", table("fedcba"));
    folder.file("few.csv", table("ab"));
    let args = ["compare", "one.csv", "two.csv", "back.csv", "few.csv", "--format", "json"];
    let told = folder.judge(args).exits(0).json();
    let differences = told["agreement_differences"].as_array().unwrap();
    let agreement = told["agreement"].as_array().unwrap();
    let pairs: Vec<_> = agreement.iter().map(|pair| (&pair["first"], &pair["second"])).collect();
    assert_eq!(pairs.len(), 3, "every two but those with few: {pairs:?}");
    let tau = |at: usize| agreement[at]["tau"].as_f64().unwrap();
    assert!((tau(0) - 9.0 / 15.0).abs() < 1e-12 && (tau(1) + 1.0).abs() < 1e-12 && (tau(2) + 9.0 / 15.0).abs() < 1e-12);
    assert_eq!(agreement[0]["entries"], serde_json::json!(["a", "b", "c", "d", "e", "f"]));
    let interval = |at: usize| ["low", "high"].map(|end| agreement[at]["resampled"][end].as_f64().unwrap());
    let [low, high] = interval(0);
    assert!(low < 9.0 / 15.0 && 9.0 / 15.0 < high && high <= 1.0, "{low} to {high}");
    assert_eq!(interval(1), [-1.0, -1.0]);

    let said = folder.judge(["compare", "one.csv", "two.csv"]).exits(0).stdout;
    let line = said.lines().find(|line| line.contains("tau-b 0.60")).unwrap();
    assert!(line.starts_with("one and two: 6 entries in both; Kendall's tau-b 0.60 ("), "{line}");
    assert!(line.ends_with(" in 95 % of resamples of the entries)"), "{line}");
    assert_eq!(differences.len(), 1, "one of three has two later ones");
    // 9/15 with two, -1 with back.
    assert!((differences[0]["difference"].as_f64().unwrap() - 24.0 / 15.0).abs() < 1e-12);
    let said = folder.judge(["compare", "two.csv", "one.csv", "back.csv"]).exits(0).stdout;
    assert!(said.contains("tau-b of two with one minus that with back: +1.20 ("), "{said}");
}
