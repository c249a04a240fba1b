//! Random tournaments, whose tables a second program computes from their games.

use std::sync::Arc;

use judge_core::advance::{self, NextStep};
use judge_core::external::{ExternalReferee, Protocol};
use judge_core::journal::{self, Chain, Fold, Header, Line, ManualRuling, Record};
use judge_core::key::RunKey;
use judge_core::matches::{Fault, Life, MatchRules, Played, Schedule, Seats, Tie, scoring};
use judge_core::plan::{Advance, Board, Entry, Overrides, Plan, RankKey, RoundPlan};
use judge_core::points::Points;
use judge_core::shared::Shared;
use judge_core::verdict::{JudgeFailure, Verdict};

use super::*;

/// A contest with games that were never played.
pub(super) fn pretend(seed: u64, results: &Path) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let seats = random.random_range(2..=3u32);
    let decimals = random.random_range(0..=1u8);
    let mut rules = MatchRules::new(Seats::Number(seats), Life::Game);
    (rules.decimals, rules.schedule) = (decimals, Schedule::RoundRobin { mirror: random.random() });
    let mut plan = Plan::new("pretended", "external");
    plan.problems[0].referee = Some(Box::new(ExternalReferee::new(Protocol::Native, vec!["referee".into()])));
    plan.scoring = Some(scoring(&rules, false));
    plan.ranking = vec![RankKey::named("points", &plan.figures()).unwrap()];
    plan.match_rules = Some(Box::new(rules));
    for entry in 0..random.random_range(seats..=6) {
        let mut entry = Entry::new(format!("e{entry}"), vec!["program".into()]);
        entry.competing = random.random_range(0..6) > 0;
        plan.entries.push(Shared::from(entry));
    }
    plan.boards = (0..random.random_range(1..=3)).map(|board| Board::new(format!("B{board}"), "board")).collect();
    let order = plan.start_order();
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

/// A contest with knock-out rounds whose games were never played, as JSON for the second program.
fn pretend_knock_out(seed: u64, results: &Path) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut plan = Plan::new("pretended", "external");
    plan.problems[0].referee = Some(Box::new(ExternalReferee::new(Protocol::Native, vec!["referee".into()])));
    let rules = MatchRules::new(Seats::Number(2), Life::Game);
    plan.scoring = Some(scoring(&rules, true));
    plan.match_rules = Some(Box::new(rules));
    plan.ranking = ["pairs", "points"].iter().filter_map(|name| RankKey::named(name, &plan.figures())).collect();
    let entries: Vec<String> = (0..random.random_range(2..=9)).map(|entry| format!("e{entry}")).collect();
    plan.entries = entries.iter().map(|entry| Shared::from(Entry::new(entry, vec!["program".into()]))).collect();
    let mut rounds = Vec::new();
    for number in 1..=random.random_range(1..=5) {
        let boards: Vec<String> = (0..random.random_range(1..=3)).map(|board| format!("B{number}-{board}")).collect();
        plan.boards.extend(boards.iter().map(|board| Board::new(board, "board")));
        let (seeding, tie) = (number == 1 && random.random(), if random.random() { Tie::Seed } else { Tie::Games });
        let top = (seeding && random.random()).then(|| random.random_range(1..=5));
        let mut round = RoundPlan::new(format!("r{number}"), boards.clone());
        round.advance = top.map_or(Advance::All, Advance::Top);
        round.tie_on.clone_from(&plan.ranking);
        round.schedule = Some(if seeding { Schedule::RoundRobin { mirror: true } } else { Schedule::KnockOut { tie } });
        plan.rounds.push(round);
        let schedule = if seeding { "round-robin" } else { "knock-out" };
        let tie = if tie == Tie::Seed { "seed" } else { "games" };
        rounds.push(serde_json::json!({"boards": boards, "schedule": schedule, "tie": tie, "top": top}));
    }
    let order = plan.start_order();
    let path = Some(String::new());
    let mut header = Header::new("contest.toml".into(), Overrides::default(), plan, order, BTreeMap::new(), path);
    if random.random_range(0..3) == 0 {
        header.withdrawn.insert("e0".into(), judge_core::withdrawal::Withdrawal::new("tired"));
    }
    let mut fold = Fold::begin(header.clone(), None).unwrap();
    let mut lines = vec![Line::Contest(Box::new(header))];
    loop {
        let contents = fold.so_far();
        let missing: Vec<RunKey> =
            contents.missing().into_iter().map(|index| contents.order()[index].clone()).collect();
        let mut more: Vec<Line> = missing
            .into_iter()
            .map(|key| Line::Run(Box::new(record(contents.planned(&key).unwrap(), key, None, 0, &mut random))))
            .collect();
        // A result is corrected now and then, and what follows is others.
        let played: Vec<&RunKey> = contents.records.iter().map(|record| &record.key).collect();
        if more.is_empty() && !played.is_empty() && lines.len() < 200 && random.random_range(0..3) == 0 {
            let key = played[random.random_range(0..played.len())].clone();
            let verdict = Verdict::Valid(judge_core::figure::RefereeFigures::default());
            let mut ruling = ManualRuling::new(key, verdict, "misread");
            ruling.points = (0..2).map(|_| Points::whole(random.random_range(0..4))).collect();
            more.push(Line::Ruling(Box::new(ruling)));
        }
        if more.is_empty() {
            match advance::next(&contents) {
                NextStep::Open(round) => more.push(Line::Round(Box::new(round))),
                _ => break,
            }
        }
        more.iter().for_each(|line| fold.apply(line.clone(), None).unwrap());
        lines.extend(more);
    }
    let opened = fold.so_far().round();
    let mut chain = Chain::default();
    let text: Vec<u8> = lines.iter().flat_map(|line| journal::encode(line, None, &mut chain)).collect();
    std::fs::create_dir(results).unwrap();
    std::fs::write(results.join(journal::FILE_NAME), text).unwrap();
    serde_json::json!({"entries": entries, "rounds": rounds, "opened": opened}).to_string()
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
        None => Verdict::Valid(judge_core::figure::RefereeFigures::default()),
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
    let rankings = ["points", "won points", "faults lost points"].into_iter().cycle();
    for (seed, ranking) in (0..200).zip(rankings) {
        let name = format!("t{seed}");
        pretend(seed, &folder.path().join(&name));
        recomputed(&folder, &name, ranking);
        let name = format!("k{seed}");
        let rounds = pretend_knock_out(seed, &folder.path().join(&name));
        recomputed_with(&folder, &name, if seed % 2 == 0 { "pairs points" } else { "points" }, &rounds);
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
        let name = format!("k{seed}");
        let rounds = pretend_knock_out(seed, &folder.path().join(&name));
        recomputed_with(&folder, &name, "pairs points", &rounds);
    }
}
