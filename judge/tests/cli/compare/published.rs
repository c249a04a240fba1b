//! The published table of 1995, which has no single runs.

use insta::assert_snapshot;

use super::without_legend;
use crate::support::{Folder, published};

#[test]
fn the_published_table_is_compared_as_far_as_it_goes() {
    let names = "shufflemania,scrambloyd,Brute.Force,detangler";
    assert_snapshot!(without_legend(&[&published(), "--entries", names]), @"
    published-1995: no two entries differ significantly in their relative score: 5 boards are too few to separate any two of 4 entries

    published-1995: 5 boards, 4 entries
    note: no goal is recorded, so the most progress of any entry counts as solved: AID, FAQ, FOXY, TYPO, WARN

    board by board
    ┌──────────────┬─────────────┬───────┬───────┬──────┬───────┬──────┬────────┬─────────────┬──────────┬──────┬───────┐
    │ first        ┆ second      ┆ FOXY  ┆ AID   ┆ TYPO ┆ FAQ   ┆ WARN ┆ better ┆ moves       ┆ relative ┆ p    ┆ its p │
    ╞══════════════╪═════════════╪═══════╪═══════╪══════╪═══════╪══════╪════════╪═════════════╪══════════╪══════╪═══════╡
    │ shufflemania ┆ scrambloyd  ┆    -8 ┆    -2 ┆   -4 ┆    -6 ┆   -4 ┆  0-0-5 ┆        -4.8 ┆   +0.053 ┆ 0.38 ┆  0.38 │
    │ shufflemania ┆ Brute.Force ┆ first ┆  +142 ┆ +178 ┆  +156 ┆ +126 ┆  5-0-0 ┆ +150.5 on 4 ┆   -0.660 ┆ 0.38 ┆  0.38 │
    │ shufflemania ┆ detangler   ┆ first ┆ first ┆ +132 ┆ first ┆ +172 ┆  5-0-0 ┆ +152.0 on 2 ┆   -0.804 ┆ 0.38 ┆  0.38 │
    │ scrambloyd   ┆ Brute.Force ┆ first ┆  +144 ┆ +182 ┆  +162 ┆ +130 ┆  5-0-0 ┆ +154.5 on 4 ┆   -0.713 ┆ 0.38 ┆  0.38 │
    │ scrambloyd   ┆ detangler   ┆ first ┆ first ┆ +136 ┆ first ┆ +176 ┆  5-0-0 ┆ +156.0 on 2 ┆   -0.857 ┆ 0.38 ┆  0.38 │
    │ Brute.Force  ┆ detangler   ┆     ? ┆ first ┆  -46 ┆ first ┆  +46 ┆  3-0-1 ┆   +0.0 on 2 ┆   -0.144 ┆ 0.62 ┆  0.38 │
    └──────────────┴─────────────┴───────┴───────┴──────┴───────┴──────┴────────┴─────────────┴──────────┴──────┴───────┘
    shufflemania loses to scrambloyd on 5 of 5 boards, sign test p = 0.062, corrected 0.38: 5 boards are too few; relative score 0.053 lower on average over 5 boards, sign-flip test p = 0.062, corrected 0.38: 5 boards are too few; 4.8 more moves on average
    shufflemania beats Brute.Force on 5 of 5 boards, sign test p = 0.062, corrected 0.38: 5 boards are too few; relative score 0.660 higher on average over 5 boards, sign-flip test p = 0.062, corrected 0.38: 5 boards are too few; 150.5 fewer moves on average, on the 4 of 5 boards that both solved
    shufflemania beats detangler on 5 of 5 boards, sign test p = 0.062, corrected 0.38: 5 boards are too few; relative score 0.804 higher on average over 5 boards, sign-flip test p = 0.062, corrected 0.38: 5 boards are too few; 152.0 fewer moves on average, on the 2 of 5 boards that both solved
    scrambloyd beats Brute.Force on 5 of 5 boards, sign test p = 0.062, corrected 0.38: 5 boards are too few; relative score 0.713 higher on average over 5 boards, sign-flip test p = 0.062, corrected 0.38: 5 boards are too few; 154.5 fewer moves on average, on the 4 of 5 boards that both solved
    scrambloyd beats detangler on 5 of 5 boards, sign test p = 0.062, corrected 0.38: 5 boards are too few; relative score 0.857 higher on average over 5 boards, sign-flip test p = 0.062, corrected 0.38: 5 boards are too few; 156.0 fewer moves on average, on the 2 of 5 boards that both solved
    Brute.Force beats detangler on 3 of 4 boards, loses on 1, sign test p = 0.62, corrected 0.62: 4 boards are too few; relative score 0.144 higher on average over 5 boards, sign-flip test p = 0.38, corrected 0.38: 4 boards are too few; as many moves on average, on the 2 of 4 boards that both solved; left out, with unknown progress: 1 board

    relative scores in published-1995
    ┌──────────────┬────────┬────────────────┬───────────┐
    │ entry        ┆ solved ┆ relative score ┆ PAR2      │
    ╞══════════════╪════════╪════════════════╪═══════════╡
    │ shufflemania ┆ 5 of 5 ┆           4.74 ┆ 585754 ms │
    │ Brute.Force  ┆ 4 of 5 ┆           1.43 ┆         - │
    │ detangler    ┆ 2 of 5 ┆           0.72 ┆         - │
    │ scrambloyd   ┆ 5 of 5 ┆           5.00 ┆ 210178 ms │
    └──────────────┴────────┴────────────────┴───────────┘
    no two entries differ significantly in their relative score: 5 boards are too few to separate any two of 4 entries

    places in published-1995 without each board
    ┌──────────────┬─────┬────────┬───────┬────────┬───────┬────────┬──────┬───────┐
    │ entry        ┆ all ┆ - FOXY ┆ - AID ┆ - TYPO ┆ - FAQ ┆ - WARN ┆ best ┆ worst │
    ╞══════════════╪═════╪════════╪═══════╪════════╪═══════╪════════╪══════╪═══════╡
    │ shufflemania ┆   1 ┆      · ┆     · ┆      · ┆     · ┆      · ┆    · ┆     · │
    │ Brute.Force  ┆   2 ┆      · ┆     · ┆      · ┆     · ┆      · ┆    · ┆     · │
    │ detangler    ┆   3 ┆      ? ┆     ? ┆      · ┆     · ┆      · ┆    · ┆     · │
    └──────────────┴─────┴────────┴───────┴────────┴───────┴────────┴──────┴───────┘
    whichever board is left out, the first place stays with shufflemania
    0 of 3 entries change places without some board
    ?: its progress on the other boards is unknown; the others are ranked as if it were last
    without a place, because they do not compete or lack a run: scrambloyd

    published-1995, at half and at double the limit
    times or limits of single runs are unknown, so the effect is unknown: shufflemania, scrambloyd, Brute.Force, detangler
    ");
}

#[test]
fn a_stated_total_serves_where_the_cells_of_a_table_do_not() {
    let told = Folder::new().judge(["compare", &published(), "--format", "json"]).exits(0).json();
    assert_eq!(told["pairs"].as_array().unwrap().len(), 20 * 19 / 2);
    let entries = told["stability"][0]["entries"].as_array().unwrap();
    let without = |name: &str| entries.iter().find(|entry| entry["entry"] == name).unwrap()["without"].clone();
    // Of lwr the table states 105 tiles home, of which its illegal answer on TYPO shows none: 5 of them were there. So
    // 80 remain without FOXY, below the eleven with 100, and 100 without TYPO, where its 1069 moves are the tenth best.
    assert_eq!(without("lwr")[0], 12);
    assert_eq!(without("lwr")[2], 10);
    // detangler has two such answers; without one of them the progress of the other is unknown.
    assert_eq!(without("detangler"), serde_json::json!([null, null, 19, 17, 19]));
}
