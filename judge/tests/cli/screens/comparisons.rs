//! Comparisons on terminals of three sizes.

use insta::assert_snapshot;

use judge::report::{ComparisonFormat, Rows, View, write_comparison_for};
use judge_core::compare::{Comparison, DEFAULT_SEED, Source};
use judge_core::results::Results;

use super::{SIZES, recorded, screen};
use crate::support::project;

#[test]
fn a_comparison_fits_and_begins_with_its_verdict() {
    let read = |name: &str, path: &str| {
        let results = Results::read(&project().join(path)).unwrap();
        let results = results.only(None, Some(&["slider".to_owned(), "twobits".to_owned()])).unwrap();
        Source { name: name.to_owned(), results }
    };
    let compared = |sources: Vec<Source>, columns: u16| {
        let comparison = Comparison::of(sources, None, DEFAULT_SEED).unwrap();
        let (mut text, view) = (Vec::new(), View { width: Some(columns.into()), ..View::default() });
        write_comparison_for(&comparison, ComparisonFormat::Table, Rows::Pairs, view, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= columns.into()), "{text}");
        text
    };
    let two = || vec![read("1s", "results/1995-1s"), read("10s", "results/1995-10s")];
    let [small, large, tiny] =
        SIZES.map(|(rows, columns)| compared(two(), columns).lines().take(rows.into()).collect::<Vec<_>>().join("\n"));
    assert_snapshot!(small, @"
    twobits from 1s to 10s: equal on 5 boards; the same relative score on average
      over 5 boards; as many moves on average; 1.88 times the time
    slider from 1s to 10s: better on 1 of 5 boards, worse on 0, equal on 4, sign
      test p = 1.00, corrected 1.00: 1 board is too few; relative score 0.156 higher
      on average over 5 boards, sign-flip test p = 1.00, corrected 1.00: 1 board is
      too few; as many moves on average, on the 4 of 5 boards that both solved; 1.47
      times the time
    1s:twobits loses to 1s:slider on 4 of 5 boards, wins on 1, sign test p = 0.38:
      5 boards are too few; relative score 0.142 lower on average over 5 boards,
      sign-flip test p = 0.44: 5 boards are too few; 45.5 more moves on average, on
      the 4 of 5 boards that both solved
    10s:slider beats 10s:twobits on 5 of 5 boards, sign test p = 0.062: 5 boards
      are too few; relative score 0.298 higher on average over 5 boards, sign-flip
      test p = 0.062: 5 boards are too few; 49.2 fewer moves on average

    1s: Loyd's Dilemma, April 1995, 1s per board, 5 boards, 2 entries
    10s: Loyd's Dilemma, April 1995, 10s per board, 5 boards, 2 entries

    better on 1 board, best first
    ┌────────┬───────┬────────┬────────┬────────┐
    │ entry  ┆ board ┆ before ┆ after  ┆ time   │
    ╞════════╪═══════╪════════╪════════╪════════╡
    │ slider ┆ TYPO* ┆  0/CRA ┆ 25/110 ┆ × 1.72 │
    └────────┴───────┴────────┴────────┴────────┘
    ");
    assert_snapshot!(large, @"
    twobits from 1s to 10s: equal on 5 boards; the same relative score on average over 5 boards; as many moves on average;
      1.88 times the time
    slider from 1s to 10s: better on 1 of 5 boards, worse on 0, equal on 4, sign test p = 1.00, corrected 1.00: 1 board is
      too few; relative score 0.156 higher on average over 5 boards, sign-flip test p = 1.00, corrected 1.00: 1 board is too
      few; as many moves on average, on the 4 of 5 boards that both solved; 1.47 times the time
    1s:twobits loses to 1s:slider on 4 of 5 boards, wins on 1, sign test p = 0.38: 5 boards are too few; relative score
      0.142 lower on average over 5 boards, sign-flip test p = 0.44: 5 boards are too few; 45.5 more moves on average, on
      the 4 of 5 boards that both solved
    10s:slider beats 10s:twobits on 5 of 5 boards, sign test p = 0.062: 5 boards are too few; relative score 0.298 higher
      on average over 5 boards, sign-flip test p = 0.062: 5 boards are too few; 49.2 fewer moves on average

    1s: Loyd's Dilemma, April 1995, 1s per board, 5 boards, 2 entries
    10s: Loyd's Dilemma, April 1995, 10s per board, 5 boards, 2 entries

    better on 1 board, best first
    ┌────────┬───────┬────────┬────────┬────────┐
    │ entry  ┆ board ┆ before ┆ after  ┆ time   │
    ╞════════╪═══════╪════════╪════════╪════════╡
    │ slider ┆ TYPO* ┆  0/CRA ┆ 25/110 ┆ × 1.72 │
    └────────┴───────┴────────┴────────┴────────┘

    board by board
    ┌────────────┬─────────────┬───────┬──────┬───────┬──────┬───────┬────────┬────────────┬──────────┬───────┬───────┐
    │ first      ┆ second      ┆ FOXY* ┆ AID* ┆ TYPO* ┆ FAQ* ┆ WARN* ┆ better ┆ moves      ┆ relative ┆ p     ┆ its p │
    ╞════════════╪═════════════╪═══════╪══════╪═══════╪══════╪═══════╪════════╪════════════╪══════════╪═══════╪═══════╡
    │ 1s:twobits ┆ 1s:slider   ┆   -42 ┆  -44 ┆ first ┆  -40 ┆   -56 ┆  1-0-4 ┆ -45.5 on 4 ┆   +0.142 ┆  0.38 ┆  0.44 │
    │ 10s:slider ┆ 10s:twobits ┆   +42 ┆  +44 ┆   +64 ┆  +40 ┆   +56 ┆  5-0-0 ┆      +49.2 ┆   -0.298 ┆ 0.062 ┆ 0.062 │
    └────────────┴─────────────┴───────┴──────┴───────┴──────┴───────┴────────┴────────────┴──────────┴───────┴───────┘

    relative scores in 1s
    ┌─────────┬────────┬────────────────┬────────┐
    │ entry   ┆ solved ┆ relative score ┆ PAR2   │
    ╞═════════╪════════╪════════════════╪════════╡
    │ twobits ┆ 5 of 5 ┆           2.91 ┆   2 ms │
    │ slider  ┆ 4 of 5 ┆           3.61 ┆ 483 ms │
    └─────────┴────────┴────────────────┴────────┘
    no two entries differ significantly in their relative score: 5 boards are too few to separate any two of 2 entries

    relative scores in 10s
    ┌─────────┬────────┬────────────────┬────────┐
    ");
    assert_snapshot!(tiny, @"
    twobits from 1s to 10s: equal on 5
      boards; the same relative score on
      average over 5 boards; as many moves
      on average; 1.88 times the time
    slider from 1s to 10s: better on 1 of
      5 boards, worse on 0, equal on 4, sign
      test p = 1.00, corrected 1.00: 1 board
      is too few; relative score 0.156
      higher on average over 5 boards,
      sign-flip test p = 1.00, corrected
      1.00: 1 board is too few; as many
      moves on average, on the 4 of 5 boards
      that both solved; 1.47 times the time
    1s:twobits loses to 1s:slider on 4 of
      5 boards, wins on 1, sign test p =
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
fn a_comparison_explains_only_the_columns_that_it_shows() {
    let folder = recorded();
    let args = ["compare", "runs/2", "--entries", "slider,twobits,ramduf,tilex"];
    let [small, large, tiny] = SIZES.map(|size| screen(&folder, &args, size));
    assert_snapshot!(small, @"
      few to separate any two of 4 entries

    places in 2 without each board
    whichever board is left out, the first place stays with slider
    0 of 4 entries change places without some board

    2 at 10s, at half and at double the limit
    ended every run before half of the limit, so half of it would not have ended
      them; their answers can differ if they plan by the limit or use chance, and
      their places if other answers do: slider, ramduf, twobits, tilex

    better: boards on which the first is better - neither - the second
    moves: mean moves of the second minus those of the first, over the boards that
      both solved
    relative score: the fewest moves known, or here, divided by the entry's own, 0
      if it did not solve the board; over all boards: their sum for an entry, the
      mean of the second minus the first for a pair
    PAR2: mean time of all boards; one that is not solved counts twice the limit
    p: sign test, two-sided, ties left out; its p: sign-flip test of the relative
      score, two-sided
      both corrected by Holm's method for all pairs here of the same results
    *: a reconstruction, not the board of the original contest
    ");
    assert_snapshot!(large, @"
      score 0.079 higher on average over 5 boards, sign-flip test p = 0.25, corrected 0.38: 3 boards are too few; 18.0 fewer
      moves on average
    ramduf beats tilex on 5 of 5 boards, sign test p = 0.062, corrected 0.38: 5 boards are too few; relative score 0.129
      higher on average over 5 boards, sign-flip test p = 0.062, corrected 0.38: 5 boards are too few; 31.6 fewer moves on
      average
    twobits beats tilex on 4 of 5 boards, loses on 1, sign test p = 0.38, corrected 0.50: 5 boards are too few; relative
      score 0.049 higher on average over 5 boards, sign-flip test p = 0.12, corrected 0.38: 5 boards are too few; 13.6 fewer
      moves on average

    relative scores in 2
    ┌─────────┬────────┬────────────────┬─────────┐
    │ entry   ┆ solved ┆ relative score ┆ PAR2    │
    ╞═════════╪════════╪════════════════╪═════════╡
    │ slider  ┆ 5 of 5 ┆           4.06 ┆  381 ms │
    │ ramduf  ┆ 5 of 5 ┆           3.09 ┆ 1349 ms │
    │ twobits ┆ 5 of 5 ┆           2.69 ┆    4 ms │
    │ tilex   ┆ 5 of 5 ┆           2.45 ┆    2 ms │
    └─────────┴────────┴────────────────┴─────────┘
    no two entries differ significantly in their relative score: 5 boards are too few to separate any two of 4 entries

    places in 2 without each board
    whichever board is left out, the first place stays with slider
    0 of 4 entries change places without some board

    2 at 10s, at half and at double the limit
    ended every run before half of the limit, so half of it would not have ended them; their answers can differ if they
      plan by the limit or use chance, and their places if other answers do: slider, ramduf, twobits, tilex

    a board's column: moves of the second minus those of the first, if both solved it;
      first, second: the better one otherwise; = neither; - missing; ? unknown
    better: boards on which the first is better - neither - the second
    moves: mean moves of the second minus those of the first, over the boards that both solved
    relative score: the fewest moves known, or here, divided by the entry's own, 0 if it did not solve the board; over all
      boards: their sum for an entry, the mean of the second minus the first for a pair
    PAR2: mean time of all boards; one that is not solved counts twice the limit
    p: sign test, two-sided, ties left out; its p: sign-flip test of the relative score, two-sided
      both corrected by Holm's method for all pairs here of the same results
    *: a reconstruction, not the board of the original contest
    ");
    assert_snapshot!(tiny, @"
    relative score: the fewest moves
      known, or here, divided by the entry's
      own, 0 if it did not solve the board;
      over all boards: their sum for an
      entry, the mean of the second minus
      the first for a pair
    p: sign test, two-sided, ties left
      out; sign-flip test of the relative
      score, two-sided
      both corrected by Holm's method for
        all pairs here of the same results
    *: a reconstruction, not the board of
      the original contest
    ");
}
