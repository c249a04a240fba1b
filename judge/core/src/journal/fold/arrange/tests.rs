//! The order of runs follows from the plan, whenever somebody asked for it, and so does what single runs are ordered by.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::*;
use crate::journal::{ContestState, Header, Line, Settings};
use crate::plan::{Overrides, Plan};

pub(in crate::journal::fold) fn entry(name: &str) -> Value {
    json!({"name": name, "command": [name], "competing": true})
}

/// A contest of this many boards and entries.
pub(in crate::journal::fold) fn plan(boards: usize, entries: usize, repeat: u32) -> Plan {
    let limits = json!({"wall_ms": 1000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": null, "processes": null,
                        "output_bytes": 9, "scratch_bytes": null, "cores": 1});
    let boards: Vec<Value> = (0..boards).map(|number| json!({"name": format!("B{number}"), "text": "x"})).collect();
    let entries: Vec<Value> = (0..entries).map(|number| entry(&format!("e{number}"))).collect();
    let plan = json!({"name": "test", "game": "loyd", "rules": {}, "limits": limits, "ranking": ["progress"],
                      "repeat": repeat, "boards": boards, "entries": entries});
    serde_json::from_value(plan).unwrap()
}

pub(in crate::journal::fold) fn begun(plan: &Plan) -> Fold {
    let order = plan.start_order();
    let header = Header::new("c".into(), Overrides::default(), plan.clone(), order, Default::default(), None);
    Fold::begin(header, None).unwrap()
}

/// Everything that depends on the order.
fn shown(contents: &ContestState) -> (Vec<RunKey>, Vec<u32>, Vec<Option<usize>>) {
    let of = contents.order().iter().map(|key| contents.index_of(key));
    (contents.order().to_vec(), contents.attempts(), of.collect())
}

#[test]
fn the_order_is_that_of_the_plan_and_of_the_ranks_of_its_runs() {
    let (mut added, mut sorted) = (0, 0);
    for seed in 0..400 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let plan = plan(dice.random_range(1..6), dice.random_range(0..5), dice.random_range(1..4));
        let (mut fold, mut lines) = (begun(&plan), Vec::<Value>::new());
        for _ in 0..dice.random_range(1..30) {
            let number = dice.random_range(0..30);
            let line = match dice.random_range(0..20) {
                0 => json!({"line": "board", "name": format!("N{number}"), "text": "y"}),
                1 => {
                    let mut settings = Settings::from_plan(fold.plan());
                    settings.repeat = dice.random_range(1..4);
                    // Some come later than they were named.
                    settings.entries.extend((0..30).map(|number| format!("e{number}")).filter(|_| number % 3 == 0));
                    settings.entries.sort();
                    settings.entries.dedup();
                    settings.entries.shuffle(&mut dice);
                    settings.boards.shuffle(&mut dice);
                    serde_json::to_value(Line::Settings(Box::new(settings))).unwrap()
                }
                2 => json!({"line": "withdrawn", "entry": format!("e{number}"), "reason": "late"}),
                3..8 => {
                    let Some(key) = fold.so_far().order().first().cloned() else { continue };
                    json!({"line": "run", "seq": 1, "round": 1, "entry": key.entry, "board": key.board,
                           "repeat": key.repeat, "verdict": "solved", "figures": {"progress": "1", "moves": "1", "tie_break": "0"},
                           "full": "1", "wall_us": 5, "limit_ms": 1000, "stdout_bytes": 4, "stderr_bytes": 0,
                           "isolation": {"tier": "process_group", "layers": []}})
                }
                _ => json!({"line": "entry", "entry": entry(&format!("e{number}")), "programs": {}}),
            };
            let event: Line = serde_json::from_value(line.clone()).unwrap();
            if fold.apply(event, None).is_err() {
                continue;
            }
            lines.push(line);
            if dice.random_range(0..3) == 0 {
                continue;
            }
            let mut afresh = begun(&plan);
            for line in &lines {
                afresh.apply(serde_json::from_value(line.clone()).unwrap(), None).unwrap();
            }
            let contents = fold.so_far();
            assert_eq!(shown(&contents), shown(&afresh.so_far()), "seed {seed}");
            let mut ranked: Vec<usize> = (0..contents.runs()).filter(|run| contents.rank_of(*run).is_some()).collect();
            ranked.sort_by_key(|run| contents.rank_of(*run));
            let ranked: Vec<RunKey> = ranked.into_iter().filter_map(|run| contents.key_of(run)).collect();
            assert_eq!(*ranked, *contents.order(), "seed {seed}");
            for entry in &contents.plan.entries {
                let of_entry: HashSet<RunKey> =
                    contents.runs_of(&entry.name).filter_map(|run| contents.key_of(run)).collect();
                let expected = contents.order().iter().filter(|key| *key.entry == *entry.name).cloned();
                assert_eq!(of_entry, expected.collect(), "seed {seed}");
                assert_eq!(contents.entry(&entry.name), Some(entry), "seed {seed}");
            }
            (added, sorted) = (
                added + usize::from(contents.plan.entries.len() > plan.entries.len()),
                sorted + usize::from(!contents.plan.entries.iter().map(|entry| &entry.name).is_sorted()),
            );
            let records = |fold: &mut Fold| {
                let contents = fold.so_far();
                contents.records.indexed().map(|(index, record)| (index, record.key.clone())).collect::<Vec<_>>()
            };
            assert_eq!(records(&mut fold), records(&mut afresh), "seed {seed}");
        }
    }
    assert!(added > 500 && sorted > 100, "{added} {sorted}");
}
