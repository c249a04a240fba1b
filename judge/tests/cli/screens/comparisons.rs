//! Comparisons on terminals of three sizes.

use judge_core::compare::{Comparison, DEFAULT_SEED, Source};
use judge_core::journal;
use judge_core::results::Results;
use judge_report::{ComparisonFormat, Rows, View, write_comparison_for};

use super::{SIZES, recorded, screen};
use crate::support::*;

#[test]
fn a_comparison_begins_with_its_verdict() {
    let read = |name: &str, path: &str| {
        let results = Results::read(&project().join(path), journal::read).unwrap();
        let results = results.only(None, Some(&["slider".to_owned(), "twobits".to_owned()])).unwrap();
        Source { name: name.to_owned(), results }
    };
    let compared = |sources: Vec<Source>, columns: u16| {
        let comparison = Comparison::from_sources(sources, None, DEFAULT_SEED).unwrap();
        let (mut text, view) = (Vec::new(), View { width: Some(columns.into()), ..View::default() });
        write_comparison_for(&comparison, ComparisonFormat::Table, Rows::Pairs, view, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{text}");
        text
    };
    let two = || vec![read("1s", "results/1995-1s"), read("10s", "results/1995-10s")];
    let [small, large, tiny] =
        SIZES.map(|(rows, columns)| compared(two(), columns).lines().take(rows.into()).collect::<Vec<_>>().join("\n"));
    assert_eq!(small.lines().count(), 24, "{small}");
    assert_snapshot!(large, @"
    Of 2 changes of an entry from one of these results to the next, 0 are better by more than chance and 0 worse.

    twobits in 1s and twobits in 10s are equal on 5 boards.
    ┌─────────────────────┬────────────────────────────┬───┐
    │                     ┆ 10s                        ┆ p │
    ╞═════════════════════╪════════════════════════════╪═══╡
    │ boards              ┆ 0 better, 5 equal, 0 worse ┆ - │
    │ ranking             ┆ equal                      ┆ - │
    │ mean relative score ┆ +0.000                     ┆   │
    │ mean moves          ┆ +0.0                       ┆   │
    │ time                ┆ × 1.88                     ┆   │
    └─────────────────────┴────────────────────────────┴───┘

    slider in 10s ranks above slider in 1s on 5 boards with 125 tiles home and 483 moves, 25 tiles home more. 5 boards are
      too few to tell that from chance. slider in 10s is better on 1 of 5 boards and worse on 0 (p = 1.00).
    ┌─────────────────────┬────────────────────────────┬──────┐
    │                     ┆ 10s                        ┆ p    │
    ╞═════════════════════╪════════════════════════════╪══════╡
    │ boards              ┆ 1 better, 4 equal, 0 worse ┆ 1.00 │
    │ ranking             ┆ above                      ┆ 1.00 │
    │ mean relative score ┆ +0.156                     ┆      │
    │ mean moves          ┆ +0.0 on 4                  ┆      │
    │ time                ┆ × 1.47                     ┆      │
    └─────────────────────┴────────────────────────────┴──────┘

    1s:twobits ranks above 1s:slider on 5 boards with 125 tiles home and 729 moves, 25 tiles home more. 5 boards are too
      few to tell that from chance. 1s:twobits is better on 1 of 5 boards and worse on 4 (p = 0.38).
    ┌─────────────────────┬────────────────────────────┬──────┐
    │                     ┆ 1s:twobits                 ┆ p    │
    ╞═════════════════════╪════════════════════════════╪══════╡
    │ boards              ┆ 1 better, 0 equal, 4 worse ┆ 0.38 │
    │ ranking             ┆ above                      ┆ 1.00 │
    │ mean relative score ┆ -0.142                     ┆      │
    │ mean moves          ┆ -45.5 on 4                 ┆      │
    │ time                ┆ × 0.01                     ┆      │
    └─────────────────────┴────────────────────────────┴──────┘

    10s:slider ranks above 10s:twobits on 5 boards with 125 tiles home and 483 moves, 246 moves fewer. 5 boards are too
      few to tell that from chance. 10s:slider is better on 5 of 5 boards and worse on 0 (p = 0.062).
    ┌─────────────────────┬────────────────────────────┬───────┐
    ");
    assert_snapshot!(tiny, @"
    Of 2 changes of an entry from one of
      these results to the next, 0 are
      better by more than chance and 0
      worse.

    twobits in 1s and twobits in 10s are
      equal on 5 boards.
    ┌─────────────────────┬────────────┬───┐
    │                     ┆ 10s        ┆ p │
    ╞═════════════════════╪════════════╪═══╡
    │ boards              ┆ 0 better,… ┆ - │
    │ ranking             ┆ equal      ┆ - │
    │ mean relative score ┆ +0.000     ┆   │
    │ mean moves          ┆ +0.0       ┆   │
    │ time                ┆ × 1.88     ┆   │
    ");
    // Three results in order, with each step.
    let three = [two(), vec![read("10m", "results/1995-10m")]].concat();
    compared(three.clone(), 40);
    let text = compared(three, 80);
    let steps: Vec<&str> = text.lines().skip_while(|line| !line.contains("step by step")).take(8).collect();
    assert_snapshot!(steps.join("\n"), @"
    twobits step by step
    ┌─────────┬────────┬────────────────┬────────┬───────┬───────┬───┐
    │ results ┆ solved ┆ relative score ┆ better ┆ worse ┆ equal ┆ p │
    ╞═════════╪════════╪════════════════╪════════╪═══════╪═══════╪═══╡
    │ 1s      ┆ 5 of 5 ┆           2.91 ┆        ┆       ┆       ┆   │
    │ 10s     ┆ 5 of 5 ┆           2.91 ┆      0 ┆     0 ┆     5 ┆ - │
    │ 10m     ┆ 5 of 5 ┆           2.91 ┆      0 ┆     0 ┆     5 ┆ - │
    └─────────┴────────┴────────────────┴────────┴───────┴───────┴───┘
    ");
    assert!(!text.contains("choose with --entries"), "no table is cut");
}

#[test]
fn eighteen_entries_fit_into_forty_two_lines() {
    let results = Results::read(&project().join("results/1995-10m"), journal::read).unwrap();
    let comparison =
        Comparison::from_sources(vec![Source { name: "1995-10m".into(), results }], None, DEFAULT_SEED).unwrap();
    let (mut text, view) = (Vec::new(), View { width: Some(80), ..View::default() });
    write_comparison_for(&comparison, ComparisonFormat::Table, Rows::Pairs, view, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.lines().count() <= 42, "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_comparison_explains_only_the_columns_that_it_shows() {
    let folder = recorded();
    let args = ["compare", "runs/2", "--entries", "slider,twobits,ramduf,tilex"];
    let [small, large, tiny] = SIZES.map(|size| screen(&folder, &args, size));
    assert_snapshot!(small, @"
      boards are too few to tell that from chance.
    2: Loyd's Dilemma, April 1995, 10s per board, 5 boards, 4 entries
    no test separates any two entries: 5 boards are too few for 4 entries
    ┌───────┬─────────┬────────┬────────────────┬─────────┐
    │ place ┆ entry   ┆ solved ┆ relative score ┆ PAR2    │
    ╞═══════╪═════════╪════════╪════════════════╪═════════╡
    │     1 ┆ slider  ┆ 5 of 5 ┆           4.06 ┆  381 ms │
    │     2 ┆ ramduf  ┆ 5 of 5 ┆           3.09 ┆ 1349 ms │
    │     3 ┆ twobits ┆ 5 of 5 ┆           2.69 ┆    4 ms │
    │     4 ┆ tilex   ┆ 5 of 5 ┆           2.45 ┆    2 ms │
    └───────┴─────────┴────────┴────────────────┴─────────┘
    whichever board is left out, the first place stays with slider
    0 of 4 entries change places without some board

    every two entries, board by board: --pairs

    2 at 10s: 4 entries ended before half of the limit on every board

    relative score: the fewest moves known, or here, divided by the entry's own, 0
      if it did not solve the board; summed over all boards
    PAR2: mean time of all boards; one that is not solved counts twice the limit
    *: a reconstruction, not the board of the original contest
    ");
    assert_snapshot!(large, @"
    slider wins with 125 tiles home and 483 moves, 156 moves fewer than ramduf. 5 boards are too few to tell that from
      chance.
    2: Loyd's Dilemma, April 1995, 10s per board, 5 boards, 4 entries
    no test separates any two entries: 5 boards are too few for 4 entries
    ┌───────┬─────────┬────────┬────────────────┬─────────┐
    │ place ┆ entry   ┆ solved ┆ relative score ┆ PAR2    │
    ╞═══════╪═════════╪════════╪════════════════╪═════════╡
    │     1 ┆ slider  ┆ 5 of 5 ┆           4.06 ┆  381 ms │
    │     2 ┆ ramduf  ┆ 5 of 5 ┆           3.09 ┆ 1349 ms │
    │     3 ┆ twobits ┆ 5 of 5 ┆           2.69 ┆    4 ms │
    │     4 ┆ tilex   ┆ 5 of 5 ┆           2.45 ┆    2 ms │
    └───────┴─────────┴────────┴────────────────┴─────────┘
    whichever board is left out, the first place stays with slider
    0 of 4 entries change places without some board

    every two entries, board by board: --pairs

    2 at 10s: 4 entries ended before half of the limit on every board

    relative score: the fewest moves known, or here, divided by the entry's own, 0 if it did not solve the board; summed
      over all boards
    PAR2: mean time of all boards; one that is not solved counts twice the limit
    *: a reconstruction, not the board of the original contest
    ");
    assert_snapshot!(tiny, @"
    every two entries, board by board:
      --pairs

    2 at 10s: 4 entries ended before half
      of the limit on every board

    relative score: the fewest moves
      known, or here, divided by the entry's
      own, 0 if it did not solve the board;
      summed over all boards
    *: a reconstruction, not the board of
      the original contest
    ");
}
