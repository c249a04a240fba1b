//! Cost of results by their size: contests of 10⁴, 10⁵ and 10⁶ runs are conducted, read, ranked, and written in every
//! format; and commands with much to do before their first output.
//!
//! `cargo bench -p judge --bench large`; with `-- conducted`, `-- written` or `-- commands` only that part. Equal times
//! per run at all sizes mean linear cost.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

mod many_runs;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use judge_contest::Contest;
use judge_contest::journal::Journal;
use judge_contest::open_contest::OpenContest;
use judge_contest::schedule::FinishedRun;
use judge_core::fingerprint::Hashes;
use judge_core::journal::{self, BoardAndReason, ContestState, EntryEvent, FILE_NAME, Record};
use judge_core::results::Results;
use judge_core::results_csv::write_runs;
use judge_core::verdict::Verdict;
use judge_job::{Isolation, Tier};
use judge_report::{self as report, Format};

use many_runs::{ENTRIES, write_journal};

/// The sizes of contests, in runs.
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// The steps that separate processes measure, see [`measured`].
const MEASURED: [&str; 10] =
    ["read", "rank", "table", "plain", "json", "csv", "markdown", "latex", "results.csv", "read results.csv"];
/// The first argument of such a process.
const MEASURE: &str = "measure";

fn main() {
    // Cargo adds options.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if let [first, what, folder] = &*words
        && first == MEASURE
    {
        return measured(what, Path::new(folder));
    }
    let parts: [(&str, fn()); 3] =
        [("conducted", open_contests), ("written", read_and_written), ("commands", commands)];
    for (_, part) in parts.iter().filter(|(name, _)| words.is_empty() || words.iter().any(|word| word == name)) {
        part();
    }
}

/// Conducts open contests of all sizes. This is the first part, so that the peak of memory is that of these contests.
fn open_contests() {
    println!("an open contest: seconds to open, milliseconds per run, per snapshot, and per decision");
    for runs in SIZES {
        println!("{}", conducted(runs));
    }
    println!();
}

/// Reads, ranks and writes contests of all sizes, each step in its own process.
fn read_and_written() {
    println!(
        "{ENTRIES} entries: seconds, microseconds per run, and the most memory beyond what was there before the step:"
    );
    print!("{:18}", "");
    SIZES.iter().for_each(|runs| print!("{runs:>34} runs"));
    println!();
    let folders: Vec<_> = SIZES.iter().map(|_| tempfile::tempdir().expect("a scratch directory")).collect();
    for (folder, runs) in folders.iter().zip(SIZES) {
        write_journal(folder.path(), runs, usize::MAX).expect("room for a journal");
        let contents = journal::read(folder.path()).expect("a good journal");
        let csv = File::create(folder.path().join("results.csv")).expect("a file");
        write_runs(&contents, BufWriter::new(csv)).expect("room for results");
    }
    for what in MEASURED {
        print!("{what:18}");
        for (folder, runs) in folders.iter().zip(SIZES) {
            let myself = std::env::current_exe().expect("a program");
            let measured = Command::new(myself).args([MEASURE, what]).arg(folder.path()).output().expect("a process");
            assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
            let text = String::from_utf8(measured.stdout).expect("figures");
            let (seconds, bytes) = text.trim().split_once(' ').expect("two figures");
            let (seconds, bytes): (f64, u64) = (seconds.parse().expect("seconds"), bytes.parse().expect("bytes"));
            print!("{seconds:>16.2} s {:>6.2} µs {:>6} MiB", seconds * 1e6 / runs as f64, bytes >> 20);
        }
        println!();
    }
    println!();
}

/// Prints the seconds of a step, and the most memory that it needs in addition.
fn measured(what: &str, folder: &Path) {
    let read = || journal::read(folder).expect("a good journal");
    let rank = |contents: &ContestState| Results::from_journal(contents);
    let written = |format: Format| {
        let (contents, mut sink) = (read(), BufWriter::new(io::sink()));
        let results = rank(&contents);
        drop(contents);
        cost(|| report::write(&results, format, &mut sink).expect("a sink"))
    };
    let (took, bytes) = match what {
        "read" => cost(|| assert!(!read().records.is_empty())),
        "rank" => {
            let contents = read();
            cost(|| assert_eq!(rank(&contents).rows.len(), ENTRIES))
        }
        "table" => written(Format::Table),
        "plain" => written(Format::Plain),
        "json" => written(Format::Json),
        "csv" => written(Format::Csv),
        "markdown" => written(Format::Markdown),
        "latex" => written(Format::Latex),
        "results.csv" => {
            let contents = read();
            cost(|| write_runs(&contents, BufWriter::new(io::sink())).expect("a sink"))
        }
        "read results.csv" => cost(|| {
            assert_eq!(
                Results::read(&folder.join("results.csv"), journal::read).expect("good results").rows.len(),
                ENTRIES
            );
        }),
        _ => unreachable!("one of MEASURED"),
    };
    println!("{} {bytes}", took.as_secs_f64());
}

/// The time of a piece of work, and the most memory in bytes that it needs in addition.
fn cost(work: impl FnOnce()) -> (Duration, u64) {
    // 5 resets the peak. If that is impossible, the peak is that of the whole process.
    fs::write("/proc/self/clear_refs", "5").ok();
    let before = memory("VmRSS:");
    let ((), took) = timed(work);
    (took, memory("VmHWM:").saturating_sub(before))
}

/// Commands with much to do: the time until their first output, or until their end.
fn commands() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let judge = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_judge"));
        command.current_dir(scratch.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    println!("commands, in seconds:");
    let run = ["run", "--game", "loyd", "--seeds", "1-400000", "--entry", "none=/bin/true", "--progress", "lines"];
    let begun = Instant::now();
    let mut running = judge().args(run).spawn().expect("the judge");
    let mut errors = running.stderr.take().expect("a pipe");
    let mut text = Vec::new();
    let mut piece = [0; 4096];
    let mut first = None;
    loop {
        let read = errors.read(&mut piece).expect("a pipe");
        first.get_or_insert_with(|| begun.elapsed());
        text.extend_from_slice(&piece[..read]);
        if read == 0 || text.windows(6).any(|window| window == b"seed-1") {
            break;
        }
    }
    let run = begun.elapsed();
    running.kill().expect("a process");
    running.wait().expect("a process");
    println!("  judge run --seeds 1-400000, first word      {:8.2}", first.unwrap_or_default().as_secs_f64());
    println!("  the same, first finished run                {:8.2}", run.as_secs_f64());
    let big = scratch.path().join("big.csv");
    fs::write(&big, random_results(30, 200)).expect("room for results");
    for (name, arguments) in [
        ("judge compare, 200 boards, 30 entries, table", &["compare", "big.csv"][..]),
        ("the same as JSON", &["compare", "big.csv", "--format", "json"]),
        ("the same as JSON, all pairs' boards", &["compare", "big.csv", "--format", "json", "--rows", "boards"]),
        ("judge report of it", &["report", "big.csv", "--output", "big.html"]),
    ] {
        let (output, took) = timed(|| judge().args(arguments).output().expect("the judge"));
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        println!("  {name:44}{:8.2}", took.as_secs_f64());
    }
}

/// Results with random figures, as a CSV file.
fn random_results(entries: usize, boards: usize) -> String {
    let mut state = 1995_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = "contest,game,entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n".to_owned();
    for board in 0..boards {
        for entry in 0..entries {
            let moves = 40 + random(60);
            let (tie_break, wall_us) = (random(moves / 2), random(9_000_000));
            text += &format!("big,loyd,e{entry},B{board},solved,25,25,{moves},{tie_break},{wall_us},10000\n");
        }
    }
    text
}

/// Opens a contest of this many runs, of which every 100th is missing, and executes 1,000 of these.
fn conducted(runs: usize) -> String {
    let folder = tempfile::tempdir().expect("a scratch directory");
    write_journal(folder.path(), runs, 100).expect("room for a journal");
    let ((open_contest, opened), open) = timed(|| {
        let (journal, contents) = Journal::resume(folder.path(), || None).expect("a good journal");
        let contest =
            Contest::from_plan(folder.path().join("contest.toml"), contents.plan.clone()).expect("a good plan");
        let missing = contents.missing().len();
        (OpenContest::resume(contest, journal, folder.path()).expect("a good contest"), missing)
    });
    let memory = memory("VmHWM:") >> 20;
    let made = opened.min(1_000);
    let (mut finish, mut most) = (Duration::ZERO, Duration::ZERO);
    // For comparison, in turn with the runs: the sync of a line of that length at the end of such a file.
    let (mut sync, path) = (Duration::ZERO, folder.path().join("sync"));
    fs::copy(folder.path().join(FILE_NAME), &path).expect("room for a copy");
    let mut file = OpenOptions::new().append(true).open(&path).expect("a file");
    file.sync_all().expect("room for a copy");
    for _ in 0..made {
        let (_, took) = timed(|| {
            let lease = open_contest.next().expect("a contest").expect("a missing run");
            let isolation = Arc::new(Isolation { tier: Tier::ProcessGroup, layers: Vec::new() });
            let (seq, attempt) = (lease.run.index + 1, lease.run.attempt);
            let record = Record::without_run(seq, lease.key.clone(), attempt, Verdict::TimedOut, 10_000, isolation);
            open_contest.finish(&lease, FinishedRun::new(record, None)).expect("room for a run")
        });
        (finish, most) = (finish + took, most.max(took));
        sync += timed(|| file.write_all(&[b'x'; 700]).and_then(|()| file.sync_data()).expect("room")).1;
    }
    let struck = BoardAndReason { board: "R0".into(), reason: "a bench".into() };
    let ((), strike) = timed(|| open_contest.strike(struck).expect("a board"));
    let mut late = (**open_contest.contents().plan.entries.first().expect("an entry")).clone();
    late.name = "late".into();
    let ((), submit) = timed(|| open_contest.submit(EntryEvent::new(late, Hashes::new())).expect("an entry"));
    let each = |time: Duration| time.as_secs_f64() * 1e3 / made as f64;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "{runs:>9} runs: open {:.2} s, {memory} MiB; a run {:.3} ms, of which a sync takes {:.3} ms, most {:.1} ms; a struck \
         board {:.1} ms; another entry {:.1} ms",
        open.as_secs_f64(),
        each(finish),
        each(sync),
        ms(most),
        ms(strike),
        ms(submit),
    )
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let result = work();
    (result, begun.elapsed())
}

/// A figure of this process's memory in bytes, such as `VmHWM:` for its peak; 0 if the system does not report it.
fn memory(figure: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(figure));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib << 10)
}
