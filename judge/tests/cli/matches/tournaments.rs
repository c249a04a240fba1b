//! Random tournaments, whose tables a second program computes from their games.

use std::collections::BTreeMap;
use std::sync::Arc;

use judge_core::external::{ExternalReferee, Protocol};
use judge_core::journal::{self, Chain, Header, Line, Record};
use judge_core::key::RunKey;
use judge_core::matches::{Fault, Life, MatchRules, Played, Schedule, Seats, scoring};
use judge_core::plan::{Board, Entry, Overrides, Plan, RankKey};
use judge_core::points::Points;
use judge_core::shared::Shared;
use judge_core::verdict::{JudgeFailure, Verdict};

use super::*;
use crate::support::no_isolation;

/// A contest with games that were never played.
fn pretend(seed: u64, results: &Path) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let seats = random.random_range(2..=3u32);
    let decimals = random.random_range(0..=1u8);
    let mut rules = MatchRules::new(Seats::Number(seats), Life::Game);
    (rules.decimals, rules.schedule) = (decimals, Schedule::RoundRobin { mirror: random.random() });
    let mut plan = Plan::new("pretended", "external");
    plan.referee = Some(Box::new(ExternalReferee::new(Protocol::Native, vec!["referee".into()])));
    plan.scoring = Some(scoring(decimals));
    plan.ranking = vec![RankKey::named("points", &plan.figures()).unwrap()];
    plan.match_rules = Some(Box::new(rules));
    for entry in 0..random.random_range(seats..=6) {
        let mut entry = Entry::new(format!("e{entry}"), vec!["program".into()]);
        entry.competing = random.random_range(0..6) > 0;
        plan.entries.push(Shared::from(entry));
    }
    plan.boards = (0..random.random_range(1..=3)).map(|board| Board::new(format!("B{board}"), "board")).collect();
    let order = plan.turns();
    let path = Some(String::new());
    let mut header =
        Header::new("contest.toml".into(), Overrides::default(), plan, order.clone(), BTreeMap::new(), path);
    if random.random_range(0..3) == 0 {
        header.withdrawn.insert("e0".into(), judge_core::withdrawal::Withdrawal::new("tired"));
    }
    if random.random_range(0..4) == 0 {
        header.struck.insert("B0".into(), "no good".into());
    }
    let mut lines = vec![Line::Contest(Box::new(header))];
    let complete = random.random_range(0..3) > 0;
    for (number, key) in order.into_iter().enumerate() {
        if !complete && random.random_range(0..5) == 0 {
            continue;
        }
        let fails = !complete && random.random_range(0..8) == 0;
        lines.push(Line::Run(Box::new(record(number, key, fails.then_some(()), decimals, &mut random))));
    }
    let mut chain = Chain::default();
    let text: Vec<u8> = lines.iter().flat_map(|line| journal::encode(line, None, &mut chain)).collect();
    std::fs::create_dir(results).unwrap();
    std::fs::write(results.join(journal::FILE_NAME), text).unwrap();
}

fn record(number: usize, key: RunKey, fails: Option<()>, decimals: u8, random: &mut ChaCha8Rng) -> Record {
    let isolation = Arc::new(no_isolation().isolation);
    let mut played = Played::of_seats(key.seats().count());
    for seat in &mut played.seats {
        let text = format!("{}.{}", random.random_range(-1..4), random.random_range(0..10));
        seat.points = Points::parse(&text, decimals).unwrap();
        let fault = random.random_range(0..5) == 0;
        seat.fault = fault.then_some(Fault { ask: 3, verdict: Verdict::TimedOut });
    }
    let verdict = match fails {
        Some(()) => Verdict::JudgeError { reason: JudgeFailure::Referee("it crashed".into()) },
        None => Verdict::Valid(judge_core::figure::Given::default()),
    };
    let mut record = Record::without_run(number + 1, key, 1, verdict, 1000, isolation);
    if fails.is_none() {
        record.extras.played = Some(Box::new(played));
    }
    record
}

#[test]
#[ignore = "deep: clients"]
fn a_second_program_computes_the_tables_of_random_tournaments() {
    assert!(has_python(), "python3");
    let folder = Folder::new();
    for seed in 0..200 {
        let name = format!("t{seed}");
        pretend(seed, &folder.path().join(&name));
        for ranking in ["points", "won points", "faults lost points"] {
            recomputed(&folder, &name, ranking);
        }
    }
}

#[test]
fn a_second_program_computes_the_tables_of_some_tournaments() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    for seed in 1000..1006 {
        let name = format!("t{seed}");
        pretend(seed, &folder.path().join(&name));
        recomputed(&folder, &name, "points");
    }
}
