//! The published table of 1995, which has no single runs.

use super::without_legend;
use crate::support::*;

#[test]
fn the_published_table_is_compared_as_far_as_it_goes() {
    let names = "shufflemania,scrambloyd,Brute.Force,detangler";
    assert_snapshot!(without_legend(&[&published(), "--entries", names]), @"
    shufflemania wins with 125 tiles and 453 moves, 25 tiles more than Brute.Force. 5 boards are too few to tell that from chance.
    published-1995: 5 boards, 4 entries
    no test separates any two entries: 5 boards are too few for 4 entries
    ┌───────┬──────────────┬────────┬────────────────┬───────────┬─────────────────┐
    │ place ┆ entry        ┆ solved ┆ relative score ┆ PAR2      ┆ without a board │
    ╞═══════╪══════════════╪════════╪════════════════╪═══════════╪═════════════════╡
    │     1 ┆ shufflemania ┆ 5 of 5 ┆           4.74 ┆ 585754 ms ┆               1 │
    │     2 ┆ Brute.Force  ┆ 4 of 5 ┆           1.43 ┆         - ┆               2 │
    │     3 ┆ detangler    ┆ 2 of 5 ┆           0.72 ┆         - ┆             3 ? │
    │     - ┆ scrambloyd   ┆ 5 of 5 ┆           5.00 ┆ 210178 ms ┆               - │
    └───────┴──────────────┴────────┴────────────────┴───────────┴─────────────────┘
    whichever board is left out, the first place stays with shufflemania
    0 of 3 entries change places without some board
    ?: its progress on the other boards is unknown; the others are ranked as if it were last
    without a place, because they do not compete or lack a run: scrambloyd

    every two entries, board by board: --pairs

    published-1995: times are not known: shufflemania, scrambloyd, Brute.Force, detangler
    ");
}

#[test]
fn a_stated_total_serves_where_the_cells_of_a_table_do_not() {
    let message = Folder::new().judge(["compare", &published(), "--format", "json"]).exits(0).json();
    assert_eq!(message["pairs"].as_array().unwrap().len(), 20 * 19 / 2);
    let entries = message["stability"][0]["entries"].as_array().unwrap();
    let without = |name: &str| entries.iter().find(|entry| entry["entry"] == name).unwrap()["without"].clone();
    // Of lwr the table states 105 tiles home, of which its illegal answer on TYPO shows none: 5 of them were there. So
    // 80 remain without FOXY, below the eleven with 100, and 100 without TYPO, where its 1069 moves are the tenth best.
    assert_eq!(without("lwr")[0], 12);
    assert_eq!(without("lwr")[2], 10);
    // detangler has two such answers; without one of them the progress of the other is unknown.
    assert_eq!(without("detangler"), serde_json::json!([null, null, 19, 17, 19]));
}
