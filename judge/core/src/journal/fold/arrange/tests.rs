//! The order that is made from the one before is that which is made from nothing.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::*;
use crate::journal::{Contents, Header, Line, Settings};
use crate::plan::{Overrides, Plan};

fn entry(name: &str) -> Value {
    json!({"name": name, "command": [name], "competing": true})
}

/// A contest of so many boards and entries.
fn plan(boards: usize, entries: usize, repeat: u32) -> Plan {
    let limits = json!({"wall_ms": 1000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": null, "processes": null,
                        "output_bytes": 9, "scratch_bytes": null, "cores": 1});
    let boards: Vec<Value> = (0..boards).map(|number| json!({"name": format!("B{number}"), "text": "x"})).collect();
    let entries: Vec<Value> = (0..entries).map(|number| entry(&format!("e{number}"))).collect();
    let plan = json!({"name": "test", "game": "loyd", "rules": {}, "limits": limits, "ranking": ["progress"],
                      "repeat": repeat, "boards": boards, "entries": entries});
    serde_json::from_value(plan).unwrap()
}

fn begun(plan: &Plan) -> Fold {
    let order = plan.turns();
    let header = Header::new("c".into(), Overrides::default(), plan.clone(), order, Default::default(), None);
    Fold::begin(header, None).unwrap()
}

/// Everything that depends on the order.
fn shown(contents: &Contents) -> (Vec<RunKey>, Vec<u32>, Vec<Option<usize>>) {
    let of = contents.order.iter().map(|key| contents.index_of(key));
    (contents.order.to_vec(), contents.attempts.iter().collect(), of.collect())
}

#[test]
fn an_order_that_entries_were_added_to_is_the_one_that_is_made_from_nothing() {
    let (mut extended, mut several, mut whole) = (0, 0, 0);
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
                    let Some(key) = fold.so_far().order.first().cloned() else { continue };
                    json!({"line": "run", "seq": 1, "round": 1, "entry": key.entry, "board": key.board,
                           "repeat": key.repeat, "verdict": "solved", "progress": 1, "of": 1, "moves": 1,
                           "tie_break": 0, "wall_us": 5, "limit_ms": 1000, "stdout_bytes": 4, "stderr_bytes": 0,
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
            if let Known::Before(arranged, known) = &fold.arranged {
                match fold.extended(arranged, *known) {
                    Some(_) => extended += 1,
                    None => whole += 1,
                }
                several += usize::from(fold.plan().entries.len() > known + 1);
            }
            let mut afresh = begun(&plan);
            for line in &lines {
                afresh.apply(serde_json::from_value(line.clone()).unwrap(), None).unwrap();
            }
            assert!(!matches!(afresh.arranged, Known::Before(..)), "its order was not asked for");
            assert_eq!(shown(&fold.so_far()), shown(&afresh.so_far()), "seed {seed}");
            // The slots of runs depend on when the order was asked for.
            let records = |fold: &mut Fold| {
                let contents = fold.so_far();
                contents.records.indexed().map(|(index, record)| (index, record.key.clone())).collect::<Vec<_>>()
            };
            assert_eq!(records(&mut fold), records(&mut afresh), "seed {seed}");
        }
    }
    assert!(extended > 500 && several > 100 && whole > 20, "{extended} {several} {whole}");
}
