//! A hash of the rules' decisions in contests of every kind. A single journal cannot detect what it detects: a change of the
//! ranking that lets another entry advance, without a new version of [`RULES`].

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write as _;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::fingerprint::sha256_of;
use crate::relative::Direction;
use crate::scoring::Scoring;

/// Kinds of contests: their column `scoring`, the better direction of points, and the keys for a ranking.
const KINDS: [(&str, Option<Direction>, &[RankKey]); 3] = {
    use RankKey::{Relative, Solved, Time};
    const SCORE: RankKey = RankKey::SCORE;
    [
        ("", None, &[RankKey::PROGRESS, RankKey::MOVES, RankKey::TIE_BREAK, Time, Relative, Solved]),
        (
            r#""{""figures"":[{""name"":""score"",""better"":""more"",""decimals"":0}]}""#,
            Some(Direction::Up),
            &[SCORE, Time, Relative, Solved],
        ),
        (
            r#""{""figures"":[{""name"":""score"",""better"":""less"",""decimals"":0}]}""#,
            Some(Direction::Down),
            &[SCORE, Time, Relative, Solved],
        ),
    ]
};

/// A run: verdict, progress, of, moves, tie-break, score, time, limit, exit code, failed at, token and reason.
fn run(scored: bool, dice: &mut ChaCha8Rng) -> String {
    let us = 1_000 * (1 + dice.random_range(0..3)) + dice.random_range(0..2) * 600;
    match dice.random_range(0..11) {
        0 => "timed_out,,,,,,4000500,4000,,,,".into(),
        1 => format!("crashed,,,,,,{us},4000,3,,,"),
        2 => "could_not_start,,,,,,,4000,,,,no such file".into(),
        3 if scored => format!("wrong,0,1,0,0,,{us},4000,,,,no"),
        3 => format!("illegal_move,{},25,9,1,,{us},4000,,4,x,no move", dice.random_range(0..25)),
        _ if scored => format!("valid,0,1,0,0,{},{us},4000,,,,", 5 * (1 + dice.random_range(0..4))),
        5 | 6 => format!("unsolved,{},25,7,1,,{us},4000,,,,", dice.random_range(0..25)),
        _ => format!("solved,25,25,{},{},,{us},4000,,,,", 8 + dice.random_range(0..3), dice.random_range(0..3)),
    }
}

/// A contest as a file of runs. In each round, all entries but the last have advanced.
fn contest(scoring: &str, ranking: &[RankKey], dice: &mut ChaCha8Rng) -> Results {
    let (rounds, entries, boards) =
        (1 + dice.random_range(0..2), 1 + dice.random_range(0..6), 1 + dice.random_range(0..3));
    let mut csv =
        "round,round_name,entry,competing,board,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,\
                   exit_code,failed_at,token,reason,withdrawn,scoring,ranking\n"
            .to_owned();
    for entry in 0..entries {
        let competing = if dice.random_ratio(1, 6) { "no" } else { "yes" };
        let withdrawn = if dice.random_ratio(1, 9) { "ill" } else { "" };
        let reached = if entry == 0 { rounds } else { 1 + dice.random_range(0..rounds) };
        for (round, board) in (1..=reached).flat_map(|round| (0..boards).map(move |board| (round, board))) {
            let run = run(!scoring.is_empty(), dice);
            writeln!(
                csv,
                "{round},R{round},e{entry},{competing},B{round}{board},{run},{withdrawn},{scoring},{}",
                RankKey::listed(ranking)
            )
            .unwrap();
        }
    }
    Results::read_csv("contest", csv.as_bytes()).unwrap()
}

/// One to three of these keys, in any order.
fn some(keys: &[RankKey], dice: &mut ChaCha8Rng) -> Vec<RankKey> {
    let mut left = keys.to_vec();
    let mut index = |most: usize| dice.random_range(0..most);
    (0..1 + index(3)).map(|_| left.remove(index(left.len()))).collect()
}

/// The names of keys as at the time when the rules were described: `Progress, TieBreak`.
fn described(keys: &[RankKey]) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    let name = |key: &RankKey| key.name().split('_').map(word).collect::<String>();
    keys.iter().map(name).collect::<Vec<_>>().join(", ")
}

#[test]
fn who_goes_on_changes_only_with_the_version_of_the_rules() {
    let mut dice = ChaCha8Rng::seed_from_u64(1995);
    let (mut decided, mut some_go, mut none_go) = (String::new(), 0, 0);
    for number in 0..1_500 {
        let (scoring, points, keys) = KINDS[number % KINDS.len()];
        let declared = points.map_or_else(|| Scoring::of_game(""), |points| Scoring::new(points, 0));
        let ranking = RankKey::whole(&some(keys, &mut dice), &declared);
        let results = contest(scoring, &ranking, &mut dice);
        let open = results.rows.iter().map(crate::score::Row::rounds).max().unwrap();
        let mut round = RoundPlan::new("R", Vec::new());
        for advance in [Advance::All, Advance::Solved, Advance::Tied, Advance::Top(1), Advance::Top(3)] {
            let named = some(keys, &mut dice);
            (round.advance, round.tie_on) = (advance, RankKey::whole(&named, &declared));
            let chosen = entrants(&results, open, &round);
            writeln!(decided, "{number} {advance:?} [{}] {}", described(&named), chosen.join(" ")).unwrap();
            *if chosen.is_empty() { &mut none_go } else { &mut some_go } += 1;
        }
    }
    assert!(some_go > 2_000 && none_go > 1_000, "{some_go} rounds open, {none_go} do not");
    // The hash also changes if `rand` draws other numbers. In that case, renew it while the rules are those of the previous
    // commit.
    let known = [(4, "39cdc8d76aaf08803c1c981135916c6fce2a17f1af2b515c65c7f474e6265dab")];
    let hash = sha256_of(decided.as_bytes());
    assert!(
        known.contains(&(RULES, &*hash)),
        "the rules of version {RULES} decide otherwise than when it was described, their hash is {hash}: raise RULES, describe \
         the change there, record a journal by the rules before in tests/recorded, and add the hash here"
    );
}
