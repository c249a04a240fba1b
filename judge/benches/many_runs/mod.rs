//! A contest of many runs as a journal, for benchmarks and for the test of the counts.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use judge_core::journal::{self, Chain, FILE_NAME, Header, Line, Record};
use judge_core::plan::Overrides;
use serde_json::{Value, json};

/// Entries of each contest; the boards follow from the number of runs.
pub(crate) const ENTRIES: usize = 100;

/// Writes a journal of this many runs, of which one in `missing` is missing, and returns its size.
pub(crate) fn write_journal(folder: &Path, runs: usize, missing: usize) -> io::Result<u64> {
    let limits = json!({"wall_ms": 10_000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": 1 << 30, "processes": 256,
                        "output_bytes": 1 << 24, "scratch_bytes": null, "cores": 1});
    let boards: Vec<Value> = (0..runs / ENTRIES)
        .map(|board| json!({"name": format!("R{board}"), "text": "ABCDE FGHIJ KLMNO PQRST UVWX+"}))
        .collect();
    let entries: Vec<Value> = (0..ENTRIES)
        .map(|entry| json!({"name": format!("entry-{entry}"), "command": ["solver", entry.to_string()], "competing": true}))
        .collect();
    let plan = json!({"name": "A large contest", "game": "loyd", "rules": {}, "limits": limits,
                      "ranking": ["progress", "moves", "tie_break", "time"], "boards": boards, "entries": entries});
    let plan: judge_core::plan::Plan = serde_json::from_value(plan)?;
    let order = plan.start_order();
    let header =
        Header::new("contest.toml".into(), Overrides::default(), plan, order.clone(), Default::default(), None);
    let path = folder.join(FILE_NAME);
    let mut file = BufWriter::new(File::create(&path)?);
    let mut chain = Chain::default();
    file.write_all(&journal::encode(&Line::Contest(Box::new(header)), None, &mut chain))?;
    for (index, key) in order.iter().enumerate().filter(|(index, _)| (index + 1) % missing != 0) {
        let moves = 90 + index % 77;
        let verdict = match index % 8 {
            0 => r#""verdict":"timed_out""#.to_owned(),
            1 => format!(
                r#""verdict":"illegal_move","figures":{{"progress":"24","moves":"{moves}","tie_break":"9"}},"full":"25","failed_at":{moves},"token":"x","reason":"an answer contains only moves""#
            ),
            _ => format!(
                r#""verdict":"solved","figures":{{"progress":"25","moves":"{moves}","tie_break":"12"}},"full":"25""#
            ),
        };
        let record = format!(
            r#"{{"seq":{},"round":1,"entry":"{}","board":"{}",{verdict},"wall_us":{},"limit_ms":10000,"cpu_us":{},"cpu_by":"cgroup","memory_bytes":19562496,"memory_by":"cgroup","contention":{{"cpu_pressure_us":30172,"memory_pressure_us":0,"involuntary_switches":98,"taken_us":9141}},"stdout_bytes":91,"stderr_bytes":0,"output":{{"stdout":{{"bytes":91,"sha256":"{index:064x}"}}}},"isolation":{{"tier":"namespaces","layers":["user pid mount network ipc uts","read-only root","uid 65534","landlock 7","seccomp"]}},"final_board":"ABCDE FGHIJ KLMNO PQRST UVWX+"}}"#,
            index + 1,
            key.entry,
            key.board,
            1_000 + index,
            900 + index,
        );
        let record: Record = serde_json::from_str(&record)?;
        file.write_all(&journal::encode(&Line::Run(Box::new(record)), None, &mut chain))?;
    }
    // Synced here, so that the first sync of a run does not pay for it.
    file.into_inner()?.sync_all()?;
    Ok(fs::metadata(&path)?.len())
}
