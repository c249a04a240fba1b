//! Tests of totals, groups, and refused declarations.

/// The rows of a table of cases, one a line.
#[macro_export]
macro_rules! rows {
    ($($row:expr),+ $(,)?) => {
        [$($row),+]
    };
}

use super::*;

fn points(text: &str) -> Points {
    text.parse().expect("points")
}

fn group(name: &str, aggregate: Aggregate, within: Option<&str>) -> Group {
    Group { name: name.into(), aggregate, within: within.map(Into::into), points: None, requires: Vec::new() }
}

fn total(groups: Vec<Group>, parts: &[(&str, &str, bool)]) -> Option<String> {
    let scoring = Scoring { groups, ..Scoring::new(Direction::Up, 1) };
    let values: Vec<[Option<Points>; 1]> =
        parts.iter().map(|&(_, text, _)| [(!text.is_empty()).then(|| points(text))]).collect();
    let parts = parts.iter().zip(&values).map(|(&(group, _, accepted), values)| Part {
        group: (!group.is_empty()).then_some(group),
        values,
        accepted,
    });
    scoring.totals(parts)[0].map(|points| points.to_string())
}

#[test]
fn groups_are_summed_or_take_their_least_or_most() {
    let parts =
        [("", "1", true), ("a", "8", true), ("a", "5.5", true), ("b", "3", true), ("b", "4", true), ("c", "9", true)];
    let groups = |aggregate| vec![group("a", aggregate, None), group("b", Aggregate::Sum, Some("a"))];
    assert_eq!(total(groups(Aggregate::Sum), &parts).as_deref(), Some("30.5"), "an unknown group is none");
    assert_eq!(total(groups(Aggregate::Min), &parts).as_deref(), Some("15.5"));
    assert_eq!(total(groups(Aggregate::Max), &parts).as_deref(), Some("18.0"));
    assert_eq!(total(groups(Aggregate::Average), &parts).as_deref(), Some("16.8"), "20.5 in three parts");
    assert_eq!(total(Vec::new(), &[("", "", true)]), None);
    assert_eq!(total(Vec::new(), &[]).as_deref(), Some("0.0"));
}

#[test]
fn a_group_of_all_or_nothing_and_one_that_requires_it() {
    let groups = || {
        let first = Group { points: Some(points("40")), ..group("first", Aggregate::All, None) };
        let second = Group { requires: vec!["first".into()], ..group("second", Aggregate::Min, None) };
        vec![first, second]
    };
    let run = |first| {
        let parts = [("first", "0", first), ("first", "0", true), ("second", "60", true), ("second", "55", true)];
        total(groups(), &parts)
    };
    assert_eq!(run(true).as_deref(), Some("95.0"));
    assert_eq!(run(false).as_deref(), Some("0.0"));
    let chain = |first| {
        let third = Group { requires: vec!["second".into()], ..group("third", Aggregate::Sum, None) };
        let parts = [("first", "0", first), ("second", "60", true), ("third", "5", true)];
        total(groups().into_iter().chain([third]).collect(), &parts)
    };
    assert_eq!((chain(true).as_deref(), chain(false).as_deref()), (Some("105.0"), Some("0.0")));
    assert_eq!(total(groups(), &[("second", "60", true)]).as_deref(), Some("60.0"), "no board of the first");
}

#[test]
fn full_points_solve_a_board_in_the_direction_of_the_contest() {
    use Direction::{Down, Up};
    for (direction, full, of_board, given, solves) in [
        (Up, Some("100"), None, "100.0", true),
        (Up, Some("100"), None, "99.9", false),
        (Down, Some("100"), None, "99", true),
        (Down, Some("100"), None, "101", false),
        (Up, None, Some("10"), "15", true),
        (Up, None, Some("10"), "5", false),
        (Down, None, Some("10"), "5", true),
        (Down, None, Some("10"), "10", true),
        (Down, None, Some("10"), "15", false),
        (Down, Some("3"), Some("10"), "5", false),
        (Down, None, None, "0", false),
    ] {
        let mut scoring = Scoring::new(direction, 0);
        scoring.figures[0].full = full.map(points);
        assert_eq!(scoring.solves(points(given), of_board.map(points)), solves, "{direction:?} {full:?} {given}");
    }
}

fn declared(json: &str) -> Scoring {
    serde_json::from_str(json).expect("a declaration")
}

#[test]
fn figures_are_cut_added_and_totalled_as_they_are_declared() {
    let scoring = declared(
        r#"{"figures":[{"name":"score","better":"more"},{"name":"chars","from":"size","total":"max"},
            {"name":"hsec","from":"cpu","unit":10000,"round":"down"},
            {"name":"score2","better":"less","from":{"add":[["chars","1"],["hsec","1"]]}},
            {"name":"least","from":"time","unit":1000000,"decimals":1,"total":"min"},
            {"name":"mean","total":"mean","decimals":1,"failed":"own"}],"cell":["score","score2"]}"#,
    );
    let given = |score: &str, mean: &str| {
        let figures = ["score", "mean"].iter().zip([score, mean]);
        let figures = figures.map(|(name, text)| (FigureName::parse(name).unwrap(), points(text)));
        RefereeFigures::new(figures.collect())
    };
    let measured =
        |cpu: u64, time| Measured { cpu_us: Some(cpu), time_us: Some(time), size: Some(405), ..Measured::default() };
    let first = scoring.values(Some(&given("500", "1.25")), None, &measured(899_999, 1_250_000));
    let texts = |values: &[Option<Points>]| -> Vec<String> {
        values.iter().map(|value| value.map_or("-".into(), |value| value.to_string())).collect()
    };
    assert_eq!(texts(&first), ["500", "405", "89", "494", "1.3", "1.3"]);
    let failed = scoring.values(Some(&given("9", "2")), Some(Code::Wrong), &measured(20_000, 100_000));
    assert_eq!(texts(&failed), ["0", "405", "2", "407", "0.1", "2.0"]);
    let lost = scoring.values(Some(&given("9", "2")), Some(Code::JudgeError), &measured(20_000, 100_000));
    assert_eq!(texts(&lost)[..3], ["-", "-", "-"]);
    let part = |values, accepted| Part { group: None, values, accepted };
    let totals = scoring.totals([part(&first[..], true), part(&failed[..], false)].into_iter());
    assert_eq!(texts(&totals), ["500", "405", "91", "496", "0.1", "1.7"], "sums are made of totals");
    assert_eq!(scoring.text(&scoring.cell, &first, "/"), "500/494");
    assert_eq!(texts(&scoring.totals([].into_iter())), ["0", "0", "0", "0", "0.0", "0.0"]);
    let unknown = scoring.totals([part(&first[..], true), part(&[], false)].into_iter());
    assert_eq!(texts(&unknown), ["-"; 6]);
}

/// Tests rule 61 of docs/scoring.md.
#[test]
fn totals_are_one_text_if_all_their_figures_have_digits() {
    let figures =
        r#""figures":[{"name":"home","better":"more","digits":3},{"name":"moves","digits":4},{"name":"hops"}]"#;
    for (total, values, text) in [
        (r#"["home","moves"]"#, ["5", "62", "7"], "005/0062"),
        (r#"["moves","home"]"#, ["1250", "10000", "7"], "10000/1250"),
        (r#"["home","moves"]"#, ["-", "-", "7"], "-/-"),
        (r#"["home","hops"]"#, ["5", "62", "7"], "5 7"),
        (r#"["home","hops"]"#, ["-", "62", "-"], "-"),
    ] {
        let scoring = declared(&format!(r#"{{{figures},"total":{total}}}"#));
        let values = values.map(|value| value.parse().ok());
        assert_eq!(scoring.total_text(&values), text, "{total} {values:?}");
    }
}

#[test]
fn declarations_that_cannot_be_are_refused() {
    for (json, reason) in crate::rows! {
        (r#"{"figures":[{"name":"t","from":"time"}]}"#, "the first figure must be one that the referee gives"),
        (r#"{"figures":[{"name":"time"}]}"#, "`time` is the name of something else"),
        (r#"{"figures":[{"name":"a"},{"name":"a"}]}"#, "duplicate figure `a`"),
        (r#"{"figures":[{"name":"a"},{"name":"b","from":{"ratio":"c"}}]}"#, "is made of `c`, which must be declared"),
        (r#"{"figures":[{"name":"a"},{"name":"b","from":{"ratio":"a"}},{"name":"c","from":{"add":[["b","1"]]}}]}"#, "`b`, which is a ratio"),
        (r#"{"figures":[{"name":"a"},{"name":"b","full":"1"}]}"#, "belong to the first figure, `a`, not to `b`"),
        (r#"{"figures":[{"name":"a"}],"cell":["b"]}"#, "unknown figure `b`"),
        (r#"{"figures":[{"name":"a"}],"cell":[]}"#, "cells and totals need a figure each"),
        (r#"{"figures":[{"name":"a","total":"min"}],"groups":[{"name":"g","aggregate":"sum"}]}"#, "no `total` of its own"),
        (r#"{"figures":[{"name":"a"}],"cost":"b"}"#, "unknown figure `b`"),
        (r#"{"figures":[{"name":"a"},{"name":"b","better":"more"}],"cost":"b"}"#, "of which less is better"),
        (r#"{"figures":[{"name":"a","better":"less"}],"cost":"a"}"#, "and not the first"),
        (r#"{"figures":[{"name":"9"}]}"#, "is no name of a figure"),
        (r#"{"direction":"up","decimals":0}"#, "by an earlier version of judge"),
        (r#"{"figures":[{"name":"a","decimals":10}]}"#, "a whole number from 0 to 9"),
    } {
        let refused = serde_json::from_str::<Scoring>(json).expect_err(json).to_string();
        assert!(refused.contains(reason), "{json}: {refused}");
    }
}
