//! How often ranges of places contain the true place, measured by a program that shares no code with the judge. Skipped
//! without numpy, as `recomputed`.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use super::recomputed::python;
use crate::support::*;

/// The rows of results/places.csv that begin with a number of boards: boards and kind, then both shares in percent.
fn rows(table: &str) -> Vec<(String, [f64; 2])> {
    let rows = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        cells.first()?.parse::<u32>().ok()?;
        let share = |cell: &str| cell.parse().ok();
        Some((format!("{} {}", cells[0], cells[1]), [share(cells.get(2)?)?, share(cells.get(3)?)?]))
    });
    rows.collect()
}

#[test]
#[ignore = "deep: oracles"]
fn ranges_of_places_contain_the_true_one_as_often_as_recorded() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python with scipy");
        return;
    };
    let recorded = rows(&std::fs::read_to_string(project().join("results/places.csv")).unwrap());
    assert_eq!(recorded.len(), 20);
    let script = project().join("judge/tests/cli/compare/coverage.py");
    // The numbers are drawn from a seed, so every execution has the same contests, the first ones of each row.
    let output =
        Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_judge")).args(["10", "6", "20"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let measured = rows(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(measured.len(), 8, "four kinds of contests with 6 boards, and with 20");
    for (row, [judged, own]) in measured {
        let (_, [long, _]) = recorded.iter().find(|(other, _)| *other == row).unwrap();
        assert!((judged - own).abs() <= 2.5, "{row}: {judged} by the judge, {own} by the program");
        // A tenth of the contests has three times the error.
        assert!((judged - long).abs() <= 12.0, "{row}: {judged} now, {long} recorded");
    }
}
