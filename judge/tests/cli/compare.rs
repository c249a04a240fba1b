//! `judge compare`: entries of a run, and runs with one another.

mod coverage;
mod formats;
mod published;
pub(crate) mod recomputed;
mod refusals;

use crate::support::*;
use crate::table_of_runs::runs;

/// Ten seconds a board: two that solve, one that does not always, one that lacks a run.
fn old() -> String {
    let mut made = Vec::new();
    for (board, swift, steady, wild) in [
        ("A", "25/100", "25/110", "25/90"),
        ("B", "25/100", "25/104", "TIM"),
        ("C", "25/100", "25/97", "12/40"),
        ("D", "25/100", "25/120", "7/44"),
        ("E", "25/100", "25/100", "ILL"),
        ("F", "9/30", "TIM", "ILL"),
        ("G", "TIM", "CRA", "25/100"),
    ] {
        made.push(("swift", board, swift, 20_000));
        made.push(("steady", board, steady, 6_000_000));
        made.push(("wild", board, wild, 4_999_999));
    }
    made.push(("late", "A", "25/100", 1_000));
    made.push(("late", "B", "JUD", 0));
    runs(10_000, &made)
}

/// The results of the contest at twice the limit: swift is unchanged, steady is better on B and D, worse on A and
/// caught on G.
fn new() -> String {
    let mut made = Vec::new();
    for (board, swift, steady) in [
        ("A", "25/100", "25/111"),
        ("B", "25/100", "25/99"),
        ("C", "25/100", "25/97"),
        ("D", "25/100", "25/98"),
        ("E", "25/100", "25/100"),
        ("F", "9/30", "TIM"),
        ("G", "TIM", "ILL"),
    ] {
        made.push(("swift", board, swift, 10_000));
        made.push(("steady", board, steady, 12_000_000));
    }
    runs(20_000, &made)
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("old.csv", old());
    folder.file("new.csv", new());
    folder
}

#[track_caller]
fn compared(args: &[&str]) -> String {
    let printed = folder().judge(["compare"].into_iter().chain(args.iter().copied())).exits(0);
    assert_eq!(printed.stderr, "");
    printed.stdout
}

/// The output of `judge compare` without the legend, which is the last paragraph.
#[track_caller]
fn without_legend(args: &[&str]) -> String {
    compared(args).rsplit_once("\n\n").unwrap().0.to_owned()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&compared(&[args, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn all_pairs_have_a_row_if_they_are_asked_for() {
    let shown = compared(&["old.csv", "--pairs"]);
    let (_, table) = shown.split_once("\nboard by board\n").unwrap();
    assert_snapshot!(table.split_once("\n\n").unwrap().0, @"
    ┌────────┬────────┬─────┬───────┬───────┬───────┬───────┬────────┬────────┬────────┬────────────┬────────────────┬─────────────┬──────┐
    │ first  ┆ second ┆ A   ┆ B     ┆ C     ┆ D     ┆ E     ┆ F      ┆ G      ┆ better ┆ moves      ┆ relative score ┆ p of boards ┆ p    │
    ╞════════╪════════╪═════╪═══════╪═══════╪═══════╪═══════╪════════╪════════╪════════╪════════════╪════════════════╪═════════════╪══════╡
    │ swift  ┆ steady ┆ +10 ┆    +4 ┆    -3 ┆   +20 ┆     = ┆  first ┆      = ┆  4-2-1 ┆  +6.2 on 5 ┆         +0.037 ┆        1.00 ┆ 0.56 │
    │ swift  ┆ wild   ┆ -10 ┆ first ┆ first ┆ first ┆ first ┆  first ┆ second ┆  5-0-2 ┆ -10.0 on 1 ┆         +0.410 ┆        1.00 ┆ 1.00 │
    │ swift  ┆ late   ┆   = ┆     - ┆     - ┆     - ┆     - ┆      - ┆      - ┆  0-1-0 ┆       +0.0 ┆         +0.000 ┆           - ┆ 1.00 │
    │ steady ┆ wild   ┆ -20 ┆ first ┆ first ┆ first ┆ first ┆ second ┆ second ┆  4-0-3 ┆ -20.0 on 1 ┆         +0.373 ┆        1.00 ┆ 1.00 │
    │ steady ┆ late   ┆ -10 ┆     - ┆     - ┆     - ┆     - ┆      - ┆      - ┆  0-0-1 ┆      -10.0 ┆         -0.082 ┆        1.00 ┆ 1.00 │
    │ wild   ┆ late   ┆ +10 ┆     - ┆     - ┆     - ┆     - ┆      - ┆      - ┆  1-0-0 ┆      +10.0 ┆         +0.100 ┆        1.00 ┆ 1.00 │
    └────────┴────────┴─────┴───────┴───────┴───────┴───────┴────────┴────────┴────────┴────────────┴────────────────┴─────────────┴──────┘
    ");
    // A plus is better for the first in every column, and a p is the corrected one.
    let output = json(&["old.csv"]);
    for (pair, line) in output["pairs"].as_array().unwrap().iter().zip(table.lines().skip(3)) {
        let cells: Vec<&str> = line.split(['│', '┆']).map(str::trim).collect();
        let mean = pair["relative_to_best_known"]["mean"].as_f64().unwrap();
        let shown: f64 = cells[12].parse().unwrap();
        assert!((shown + mean).abs() <= 0.0005, "{line}: {mean}");
    }
}

#[test]
fn every_two_entries_of_a_run() {
    assert_snapshot!(compared(&["old.csv"]), @"
    swift leads so far with 134 tiles home and 530 moves, 9 tiles home more than steady. That could be chance (p = 0.094). 6 of 28 runs are missing.
    old: Test, 10s per board, 7 boards, 4 entries
    no test separates any two entries
    ┌───────┬────────┬────────┬────────────────┬──────────┬───────────┬────────────────┐
    │ place ┆ entry  ┆ solved ┆ relative score ┆ PAR2     ┆ resampled ┆ above the next │
    ╞═══════╪════════╪════════╪════════════════╪══════════╪═══════════╪════════════════╡
    │     1 ┆ swift  ┆ 5 of 7 ┆           4.87 ┆  5729 ms ┆    1 to 2 ┆ steady in 99 % │
    │     2 ┆ steady ┆ 5 of 7 ┆           4.61 ┆ 10000 ms ┆    2 to 3 ┆ wild in 83 %   │
    │     3 ┆ wild   ┆ 2 of 7 ┆           2.00 ┆ 15714 ms ┆    1 to 3 ┆                │
    └───────┴────────┴────────┴────────────────┴──────────┴───────────┴────────────────┘
    whichever board is left out, the first place stays with swift
    0 of 3 entries change places without some board
    without a place, because they do not compete or lack a run: late

    every two entries, board by board: --pairs

    old at 10s: 1 entry ended before half of the limit on every board; half of it or more on some board: swift, steady, wild

    relative score: the fewest moves known, or here, divided by the entry's own, 0 if it did not solve the board; summed over all boards
    PAR2: mean time of all boards; one that is not solved counts twice the limit
    resampled: places in 95 % of 2000 rankings of as many boards, drawn with replacement, seed 1995
    ");
}

#[test]
fn what_changed_from_one_run_to_the_next() {
    assert_snapshot!(without_legend(&["old.csv", "new.csv", "--only-differences"]), @"
    Of 2 changes of an entry from one of these results to the next, 0 are better by more than chance and 0 worse.

    swift in old and swift in new are equal on 7 boards.
    ┌───────────────────────┬───────────────────────────────┬───┐
    │                       ┆ new                           ┆ p │
    ╞═══════════════════════╪═══════════════════════════════╪═══╡
    │ boards                ┆ 0 better, 7 equal, 0 worse    ┆ - │
    │ ranking               ┆ equal                         ┆ - │
    │ mean relative score   ┆ +0.000                        ┆   │
    │ median relative score ┆ +0.000, 95 % +0.000 to +0.000 ┆   │
    │ mean moves            ┆ +0.0 on 5                     ┆   │
    │ time                  ┆ × 1.98                        ┆   │
    └───────────────────────┴───────────────────────────────┴───┘

    steady in new ranks above steady in old on 7 boards with 132 tiles home and 505 moves, 7 tiles home more. That could be chance (p = 0.25). steady in new is better on 3 of 7 boards and worse on 1 (p = 0.62).
    ┌───────────────────────┬───────────────────────────────┬──────┐
    │                       ┆ new                           ┆ p    │
    ╞═══════════════════════╪═══════════════════════════════╪══════╡
    │ boards                ┆ 3 better, 3 equal, 1 worse    ┆ 0.62 │
    │ ranking               ┆ above                         ┆ 0.25 │
    │ mean relative score   ┆ +0.032                        ┆      │
    │ median relative score ┆ +0.000, 95 % -0.007 to +0.183 ┆      │
    │ mean moves            ┆ +5.2 on 5                     ┆      │
    │ time                  ┆ × 2.00                        ┆      │
    └───────────────────────┴───────────────────────────────┴──────┘

    old: Test, 10s per board, 7 boards, 4 entries
    new: Test, 20s per board, 7 boards, 2 entries

    old
    no test separates any two entries
    ┌───────┬────────┬────────┬────────────────┬──────────┬───────────┬────────────────┐
    │ place ┆ entry  ┆ solved ┆ relative score ┆ PAR2     ┆ resampled ┆ above the next │
    ╞═══════╪════════╪════════╪════════════════╪══════════╪═══════════╪════════════════╡
    │     1 ┆ swift  ┆ 5 of 7 ┆           4.84 ┆  5729 ms ┆    1 to 2 ┆ steady in 99 % │
    │     2 ┆ steady ┆ 5 of 7 ┆           4.59 ┆ 10000 ms ┆    2 to 3 ┆ wild in 83 %   │
    │     3 ┆ wild   ┆ 2 of 7 ┆           2.00 ┆ 15714 ms ┆    1 to 3 ┆                │
    └───────┴────────┴────────┴────────────────┴──────────┴───────────┴────────────────┘
    whichever board is left out, the first place stays with swift
    0 of 3 entries change places without some board
    without a place, because they do not compete or lack a run: late

    new
    ┌───────┬────────┬────────┬────────────────┬──────────┬───────────┬────────────────┬─────────────────┐
    │ place ┆ entry  ┆ solved ┆ relative score ┆ PAR2     ┆ resampled ┆ above the next ┆ without a board │
    ╞═══════╪════════╪════════╪════════════════╪══════════╪═══════════╪════════════════╪═════════════════╡
    │     1 ┆ swift  ┆ 5 of 7 ┆           4.84 ┆ 11436 ms ┆    1 to 2 ┆ steady in 62 % ┆          1 to 2 │
    │     2 ┆ steady ┆ 5 of 7 ┆           4.81 ┆ 20000 ms ┆    1 to 2 ┆                ┆          1 to 2 │
    └───────┴────────┴────────┴────────────────┴──────────┴───────────┴────────────────┴─────────────────┘
    without F, the first place goes to steady
    2 of 2 entries change places without some board

    worse on 1 board, worst first
    ┌────────┬───────┬────────┬────────┬────────┐
    │ entry  ┆ board ┆ before ┆ after  ┆ time   │
    ╞════════╪═══════╪════════╪════════╪════════╡
    │ steady ┆ A     ┆ 25/110 ┆ 25/111 ┆ × 2.00 │
    └────────┴───────┴────────┴────────┴────────┘

    better on 3 boards, best first
    ┌────────┬───────┬────────┬───────┬────────┐
    │ entry  ┆ board ┆ before ┆ after ┆ time   │
    ╞════════╪═══════╪════════╪═══════╪════════╡
    │ steady ┆ D     ┆ 25/120 ┆ 25/98 ┆ × 2.00 │
    │ steady ┆ B     ┆ 25/104 ┆ 25/99 ┆ × 2.00 │
    │ steady ┆ G     ┆  0/CRA ┆ 0/ILL ┆ × 2.00 │
    └────────┴───────┴────────┴───────┴────────┘

    every two entries, board by board: --pairs

    old at 10s: 1 entry ended before half of the limit on every board; half of it or more on some board: swift, steady, wild
    new at 20s: half of it or more on some board: swift, steady

    places at each limit, for the entries and the 7 boards that all results have
    ┌────────┬───────────┬───────────┐
    │ entry  ┆ 10s (old) ┆ 20s (new) │
    ╞════════╪═══════════╪═══════════╡
    │ swift  ┆         1 ┆         1 │
    │ steady ┆         2 ┆         2 │
    └────────┴───────────┴───────────┘
    the first place stays with swift; 0 of 2 entries change places
    ");
}

#[test]
fn two_entries_that_never_met() {
    assert_snapshot!(without_legend(&["old.csv", "new.csv", "--entries", "old:wild,new:swift"]), @"
    new:swift ranks above old:wild on 7 boards with 134 tiles home and 530 moves, 51 tiles home more. That could be chance (p = 0.31). new:swift is better on 5 of 7 boards and worse on 2 (p = 0.45).
    ┌───────────────────────┬───────────────────────────────┬──────┐
    │                       ┆ old:wild                      ┆ p    │
    ╞═══════════════════════╪═══════════════════════════════╪══════╡
    │ boards                ┆ 2 better, 0 equal, 5 worse    ┆ 0.45 │
    │ ranking               ┆ below                         ┆ 0.31 │
    │ mean relative score   ┆ -0.406                        ┆      │
    │ median relative score ┆ -0.970, 95 % -1.000 to +1.000 ┆      │
    │ mean moves            ┆ +10.0 on 1                    ┆      │
    │ time                  ┆ × 1.99                        ┆      │
    └───────────────────────┴───────────────────────────────┴──────┘

    old: Test, 10s per board, 7 boards, 1 entry
    new: Test, 20s per board, 7 boards, 1 entry
    note: entries without common results are compared across different time limits

    old
    ┌───────┬────────┬────────────────┬──────────┐
    │ entry ┆ solved ┆ relative score ┆ PAR2     │
    ╞═══════╪════════╪════════════════╪══════════╡
    │ wild  ┆ 2 of 7 ┆           2.00 ┆ 15714 ms │
    └───────┴────────┴────────────────┴──────────┘

    new
    ┌───────┬────────┬────────────────┬──────────┐
    │ entry ┆ solved ┆ relative score ┆ PAR2     │
    ╞═══════╪════════╪════════════════╪══════════╡
    │ swift ┆ 5 of 7 ┆           4.84 ┆ 11436 ms │
    └───────┴────────┴────────────────┴──────────┘

    board by board
    ┌───────┬──────────┬───────────┬────────────┬───────────┐
    │ board ┆ old:wild ┆ new:swift ┆ difference ┆ time      │
    ╞═══════╪══════════╪═══════════╪════════════╪═══════════╡
    │ A     ┆    25/90 ┆    25/100 ┆        +10 ┆  × 500.00 │
    │ B     ┆    0/TIM ┆    25/100 ┆     second ┆ × 1000.00 │
    │ C     ┆    12/40 ┆    25/100 ┆     second ┆  × 500.00 │
    │ D     ┆     7/44 ┆    25/100 ┆     second ┆  × 500.00 │
    │ E     ┆    0/ILL ┆    25/100 ┆     second ┆  × 500.00 │
    │ F     ┆    0/ILL ┆      9/30 ┆     second ┆  × 500.00 │
    │ G     ┆   25/100 ┆     0/TIM ┆      first ┆    × 0.25 │
    └───────┴──────────┴───────────┴────────────┴───────────┘

    old at 10s: half of it or more on some board: wild
    new at 20s: half of it or more on some board: swift
    ");
}

#[test]
fn the_seed_alone_decides_what_is_drawn() {
    let (usual, again) = (json(&["old.csv"]), json(&["old.csv", "--seed", "1995"]));
    assert_eq!(usual, again);
    let other = json(&["old.csv", "--seed", "8"]);
    assert_eq!((&usual["resampling"]["seed"], &other["resampling"]["seed"]), (&1995.into(), &8.into()));
    assert!(compared(&["old.csv", "--seed", "8"]).contains("seed 8\n"));
    assert_eq!(usual["pairs"], other["pairs"], "seven boards are counted, not drawn");
    // Other entries do not change the figures of a pair, except their correction for the number of pairs.
    let alone = json(&["old.csv", "--entries", "swift,steady"]);
    for figures in ["moves", "relative_to_best_known", "par2_us", "boards"] {
        assert_eq!(alone["pairs"][0][figures], usual["pairs"][0][figures], "{figures}");
    }
    for test in ["sign_test", "sign_flip_test"] {
        let p = |message: &Value, key: &str| message["pairs"][0][test][key].as_f64().unwrap();
        assert_eq!(p(&alone, "p"), p(&usual, "p"));
        assert!(p(&alone, "corrected") < p(&usual, "corrected"));
    }
    assert_eq!((&alone["pairs"][0]["family"], &usual["pairs"][0]["family"]), (&1.into(), &6.into()));
}

#[test]
fn more_boards_than_a_screen_is_wide_keep_their_figures() {
    let boards: Vec<String> = (0..20).map(|number| format!("B{number}")).collect();
    let made = boards.iter().flat_map(|board| [("a", board.as_str(), "25/10", 1), ("b", board.as_str(), "25/13", 1)]);
    let folder = Folder::new();
    folder.file("many.csv", runs(1_000, &made.collect::<Vec<_>>()));
    let shown = folder.judge(["compare", "many.csv"]).exits(0).stdout;
    let middle = |line: &&str| (1..19).any(|board| line.starts_with(&format!("│ B{board} ")));
    assert_eq!(shown.lines().filter(middle).count(), 18);
    let others: Vec<&str> = shown.lines().filter(|line| !middle(line)).collect();
    assert_snapshot!(others.join("\n"), @"
    a ranks above b on 20 boards with 500 tiles home and 200 moves, 60 moves fewer. That is more than chance (p < 0.001). a is better on 20 of 20 boards and worse on 0 (p < 0.001).
    ┌───────────────────────┬───────────────────────────────┬─────────┐
    │                       ┆ a                             ┆ p       │
    ╞═══════════════════════╪═══════════════════════════════╪═════════╡
    │ boards                ┆ 20 better, 0 equal, 0 worse   ┆ < 0.001 │
    │ ranking               ┆ above                         ┆ < 0.001 │
    │ mean relative score   ┆ +0.231                        ┆         │
    │ median relative score ┆ +0.231, 95 % +0.231 to +0.231 ┆         │
    │ mean moves            ┆ +3.0                          ┆         │
    │ median moves          ┆ +3.0, 95 % +3.0 to +3.0       ┆         │
    │ time                  ┆ × 1.00                        ┆         │
    └───────────────────────┴───────────────────────────────┴─────────┘

    many: Test, 1s per board, 20 boards, 2 entries
    ┌───────┬───────┬──────────┬────────────────┬──────┬───────────┬────────────────┐
    │ place ┆ entry ┆ solved   ┆ relative score ┆ PAR2 ┆ resampled ┆ above the next │
    ╞═══════╪═══════╪══════════╪════════════════╪══════╪═══════════╪════════════════╡
    │     1 ┆ a     ┆ 20 of 20 ┆          20.00 ┆ 0 ms ┆         1 ┆ b in 100 %     │
    │     2 ┆ b     ┆ 20 of 20 ┆          15.38 ┆ 0 ms ┆         2 ┆                │
    └───────┴───────┴──────────┴────────────────┴──────┴───────────┴────────────────┘

    board by board
    ┌───────┬───────┬───────┬────────────┬────────┐
    │ board ┆ a     ┆ b     ┆ difference ┆ time   │
    ╞═══════╪═══════╪═══════╪════════════╪════════╡
    │ B0    ┆ 25/10 ┆ 25/13 ┆         +3 ┆ × 1.00 │
    │ B19   ┆ 25/10 ┆ 25/13 ┆         +3 ┆ × 1.00 │
    └───────┴───────┴───────┴────────────┴────────┘

    many at 1s: 2 entries ended before half of the limit on every board

    a board: moves that the first saved, if both solved it; first, second: the better one by the ranking, otherwise; = neither; - missing; ? unknown
    relative score: the fewest moves known, or here, divided by the entry's own, 0 if it did not solve the board; summed over all boards
      of two: a plus is better for the first, and for later results
    PAR2: mean time of all boards; one that is not solved counts twice the limit
    p of boards: sign test, two-sided, ties left out
    p, of the ranking: sign-flip test, two-sided: both are exchanged on boards at random
    resampled: places in 95 % of 2000 rankings of as many boards, drawn with replacement, seed 1995
    95 %: an interval for the median, not the mean, if these boards are a random sample; each pair alone
    ");
}

#[test]
fn sentences_say_how_results_agree_and_what_differs_between_them() {
    let folder = Folder::new();
    let table = |order: &str| {
        let declared = |moves| if moves == 10 { r#""{""ranking"":[""moves""]}""# } else { "" };
        let row = |(entry, moves)| format!("{entry},yes,25/{moves},25,{moves},1,5,{}\n", declared(moves));
        let head = "entry,competing,B,progress,moves,tie_break,total_ms,declaration\n";
        head.to_owned() + &order.chars().zip(10..).map(row).collect::<String>()
    };
    for (name, order) in [("one.csv", "abcdef"), ("two.csv", "baxcfde"), ("back.csv", "fedcba")] {
        folder.file(name, table(order));
    }
    let reply = folder.judge(["compare", "two.csv", "one.csv", "back.csv"]).exits(0).stdout;
    let line = reply.lines().find(|line| line.contains("tau-b 0.60")).unwrap();
    assert!(line.starts_with("two and one: 6 entries in both; Kendall's tau-b 0.60 ("), "{line}");
    assert!(line.ends_with(" in 95 % of resamples of the entries)"), "{line}");
    assert!(reply.contains("tau-b of two with one minus that with back: +1.20 ("), "{reply}");
    // Limits within one contest, and repeats.
    let mut csv = "entry,board,repeat,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for (board, repeat, entry) in
        (0..6).flat_map(|board| (1..=3).flat_map(move |repeat| [(board, repeat, "a"), (board, repeat, "b")]))
    {
        let moves = 20 + board + if entry == "a" { 3 * repeat } else { 4 };
        csv +=
            &format!("{entry},B{board},{repeat},solved,25,25,{moves},1,5,{}\n", if board == 0 { 6_000 } else { 4_000 });
    }
    folder.file("mixed.csv", csv);
    folder.judge(["compare", "mixed.csv"]).exits(0).shows([
        "mixed: 4s to 6s per board, 6 boards, 2 entries",
        "mixed at 4s to 6s: ",
        "variation of the relative score over repeats in mixed\n",
        "│ b     ┆      6 ┆   18 ┆                        0 ┆       ± 0.000 ┆",
    ]);
}
