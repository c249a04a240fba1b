//! Cost of results by their size: a contest of 10⁴, 10⁵ and 10⁶ runs is conducted, read, ranked, and written in every format.
//!
//! `cargo bench -p judge --bench large [-- conducted]`. Times per run that stay the same from size to size are linear.
//! `conducted` leaves out everything but the open contests.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use judge_contest::Contest;
use judge_contest::conduct::Conduct;
use judge_contest::journal::Journal;
use judge_contest::schedule::FinishedRun;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{self, BoardAndReason, Chain, EntryEvent, FILE_NAME, Header, Line, Record};
use judge_core::plan::Overrides;
use judge_core::results::Results;
use judge_core::results_csv::write_runs;
use judge_core::verdict::Verdict;
use judge_job::{Isolation, Tier};
use judge_report::{self as report, Format};
use serde_json::{Value, json};

const ENTRIES: usize = 100;
/// Numbers of runs.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

fn main() {
    // First, while the peak of memory is that of an open contest.
    let conducted: Vec<String> = SIZES.iter().map(|&runs| conducted(runs)).collect();
    if !std::env::args().any(|argument| argument == "conducted") {
        read_and_written();
    }
    println!("an open contest: seconds to open, milliseconds per run, per snapshot, and per decision");
    conducted.iter().for_each(|line| println!("{line}"));
}

/// Reads, ranks and writes contests of all sizes.
fn read_and_written() {
    println!("{ENTRIES} entries; seconds, and microseconds per run in brackets; peak memory of the process so far");
    println!(
        "{:>9} {:>10} {:>16} {:>16} {:>16} {:>16} {:>16} {:>16} {:>16} {:>9}",
        "runs", "journal", "read journal", "rank", "table", "json", "csv", "write runs", "read runs", "memory"
    );
    for runs in SIZES {
        let folder = tempfile::tempdir().expect("a scratch directory");
        let bytes = write_journal(folder.path(), runs, usize::MAX).expect("room for a journal");
        let per_run =
            |time: Duration| format!("{:.2} ({:.1})", time.as_secs_f64(), time.as_secs_f64() * 1e6 / runs as f64);
        let (contents, read) = timed(|| journal::read(folder.path()).expect("a good journal"));
        let (results, rank) = timed(|| Results::from_journal(&contents));
        let written = [Format::Table, Format::Json, Format::Csv].map(|format| {
            timed(|| report::write(&results, format, &mut BufWriter::new(io::sink())).expect("a sink")).1
        });
        drop(results);
        let csv = folder.path().join("results.csv");
        let file = || BufWriter::new(File::create(&csv).expect("a file"));
        let ((), write) = timed(|| write_runs(&contents, file()).expect("room for results"));
        assert_eq!(contents.records.len(), runs);
        drop(contents);
        let (again, read_runs) = timed(|| Results::read(&csv).expect("good results"));
        assert_eq!(again.rows.len(), ENTRIES);
        let [table, json, csv] = written.map(per_run);
        println!(
            "{runs:>9} {:>6} MiB {:>16} {:>16} {table:>16} {json:>16} {csv:>16} {:>16} {:>16} {:>5} MiB",
            bytes >> 20,
            per_run(read),
            per_run(rank),
            per_run(write),
            per_run(read_runs),
            peak_memory() >> 20,
        );
    }
    println!();
}

/// Opens a contest of so many runs, of which every 100th is missing, and makes 1,000 of these.
fn conducted(runs: usize) -> String {
    let folder = tempfile::tempdir().expect("a scratch directory");
    write_journal(folder.path(), runs, 100).expect("room for a journal");
    let ((conduct, opened), open) = timed(|| {
        let (journal, contents) = Journal::resume(folder.path(), || None).expect("a good journal");
        let contest =
            Contest::from_plan(folder.path().join("contest.toml"), contents.plan.clone()).expect("a good plan");
        let missing = contents.missing().len();
        (Conduct::resume(contest, journal, folder.path()).expect("a good contest"), missing)
    });
    let memory = peak_memory() >> 20;
    let (_, first) = timed(|| conduct.snapshot());
    let made = opened.min(1_000);
    let (mut finish, mut most, mut snapshot) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    // A sync alone, in turn with the runs: of a line as long as theirs, behind a file as long as theirs.
    let (mut sync, path) = (Duration::ZERO, folder.path().join("sync"));
    fs::copy(folder.path().join(FILE_NAME), &path).expect("room for a copy");
    let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
    file.sync_all().expect("room for a copy");
    for _ in 0..made {
        let (_, took) = timed(|| {
            let turn = conduct.next().expect("a contest").expect("a missing run");
            let isolation = Arc::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() });
            let (seq, attempt) = (turn.run.index + 1, turn.run.attempt);
            let record = Record::without_run(seq, turn.key.clone(), attempt, Verdict::TimedOut, 10_000, isolation);
            conduct.finish(&turn, FinishedRun::new(record, None)).expect("room for a run")
        });
        (finish, most) = (finish + took, most.max(took));
        snapshot += timed(|| conduct.snapshot()).1;
        sync += timed(|| file.write_all(&[b'x'; 700]).and_then(|()| file.sync_data()).expect("room")).1;
    }
    let struck = BoardAndReason { board: "R0".into(), reason: "a bench".into() };
    let ((), strike) = timed(|| conduct.strike(struck).expect("a board"));
    let (_, after) = timed(|| conduct.snapshot());
    let mut late = conduct.contents().plan.entries.first().cloned().expect("an entry");
    late.name = "late".into();
    let ((), submit) = timed(|| conduct.submit(EntryEvent::new(late, Hashes::new())).expect("an entry"));
    let (_, with_it) = timed(|| conduct.snapshot());
    let each = |time: Duration| time.as_secs_f64() * 1e3 / made as f64;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "{runs:>9} runs: open {:.2} s, {memory} MiB; a run {:.3} ms, of which a sync takes {:.3} ms, most {:.1} ms; the first \
         snapshot {:.1} ms, the next ones {:.3} ms; a struck board {:.1} ms, the snapshot after it {:.1} ms; another entry {:.1} ms, the snapshot after it {:.1} ms",
        open.as_secs_f64(),
        each(finish),
        each(sync),
        ms(most),
        ms(first),
        each(snapshot),
        ms(strike),
        ms(after),
        ms(submit),
        ms(with_it),
    )
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}

/// Writes a journal of so many runs, of which one of so many is missing, and returns its size.
fn write_journal(folder: &Path, runs: usize, missing: usize) -> io::Result<u64> {
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
    let order = plan.turns();
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
                r#""verdict":"illegal_move","progress":24,"of":25,"moves":{moves},"tie_break":9,"failed_at":{moves},"token":"x","reason":"an answer contains only moves""#
            ),
            _ => format!(r#""verdict":"solved","progress":25,"of":25,"moves":{moves},"tie_break":12"#),
        };
        let record = format!(
            r#"{{"seq":{},"round":1,"entry":"{}","board":"{}",{verdict},"wall_us":{},"limit_ms":10000,"cpu_us":{},"cpu_by":"cgroup","memory_bytes":19562496,"memory_by":"cgroup","contention":{{"cpu_pressure_us":30172,"memory_pressure_us":0,"involuntary_switches":98,"taken_us":9141}},"stdout_bytes":91,"stderr_bytes":0,"isolation":{{"tier":"namespaces","layers":["user pid mount network ipc uts","read-only root","uid 65534","landlock 7","seccomp"]}},"final_board":"ABCDE FGHIJ KLMNO PQRST UVWX+"}}"#,
            index + 1,
            key.entry,
            key.board,
            1_000 + index,
            900 + index,
        );
        let record: Record = serde_json::from_str(&record)?;
        file.write_all(&journal::encode(&Line::Run(Box::new(record)), None, &mut chain))?;
    }
    // Or the first sync of a run would pay for all that was written here.
    file.into_inner()?.sync_all()?;
    Ok(fs::metadata(&path)?.len())
}

/// Peak resident memory of this process in bytes; 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
