//! What an event costs, as allocated bytes, while earlier moments of the contest are still known to others.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::arrange::tests::{begun, entry, plan};
use super::*;

const BOARDS: usize = 4;
/// The numbers of entries before the one whose cost is compared: with pieces that are as full.
const SIZES: [usize; 2] = [100, 100 + (1 << 12)];

fn name(number: usize) -> String {
    format!("t{}.{number:05}", number % 8)
}

fn apply(fold: &mut Fold, line: Value) {
    fold.apply(serde_json::from_value(line).unwrap(), None).unwrap();
}

/// Adds an entry, sets it aside and takes it back in, and adds its runs. Each moment stays known until the next.
fn add(fold: &mut Fold, number: usize) {
    let name = name(number);
    let mut known = vec![fold.so_far()];
    apply(fold, json!({"line": "entry", "entry": entry(&name), "programs": {}}));
    known.push(fold.so_far());
    for out in [Some(Withdrawal::new("waits")), None] {
        assert_eq!(fold.set_aside([(name.clone(), out)]), [name.as_str()]);
        known.push(fold.so_far());
    }
    for board in 0..BOARDS {
        let board = format!("B{board}");
        let run = json!({"line": "run", "seq": 1, "round": 1, "entry": name, "board": board, "attempt": 1, "verdict": "solved",
                         "figures": {"progress": "25"}, "full": "25", "wall_us": 5, "limit_ms": 1000, "stdout_bytes": 4,
                         "stderr_bytes": 0, "isolation": {"tier": "process_group", "layers": []}});
        apply(fold, run);
        known.push(fold.so_far());
    }
}

#[test]
fn an_event_costs_what_it_changes() {
    let (mut fold, mut entries) = (begun(&plan(BOARDS, 0, 1)), 0);
    let [few, many] = SIZES.map(|before| {
        while entries < before {
            add(&mut fold, entries);
            entries += 1;
        }
        let measured = allocation_counter::measure(|| add(&mut fold, before));
        entries += 1;
        measured.bytes_total
    });
    assert!(few > 10_000, "nothing was counted: {few}");
    // There are references to all pieces; to copy those to all entries, or to all pieces for each moment, would cost as much again.
    assert!(many * 10 <= few * 13, "{few} and {many} bytes after {SIZES:?} entries");
}
