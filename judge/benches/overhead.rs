//! Overhead of the judge: its executors and a bare spawn and wait of the same program, in turn, in one run;
//! a run in contests of several sizes; a whole contest of quick runs; and the referees of one answer.
//!
//! `cargo bench -p judge --bench overhead`; with `-- one-run`, `-- sizes`, `-- contest`, `-- referees` or `-- streams` only
//! that part.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use judge_contest::external::RefereeContext;
use judge_contest::journal::Journal;
use judge_contest::schedule::{PendingRun, Runner};
use judge_contest::{Contest, Overrides};
use judge_core::journal::{self, Header};
use judge_core::referee::Referee as _;
use judge_core::verdict::Verdict;
use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, Limits, LocalExecutor};

/// Runs of each kind, in turn, of which percentiles are printed.
const PAIRS: usize = 500;
/// Quick runs of the contest: 20 entries on 100 boards.
const ENTRIES: usize = 20;
const BOARDS: usize = 100;
const JOBS: usize = 2;

/// Rulings by each referee, in turn, of which percentiles are printed.
const REFEREED: usize = 200;

const BOARD: &str = "ABCDE FGHIJ KLMNO PQRST UVWX+\n";

fn main() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let interrupt = Interrupt::never().expect("a socket pair");
    // Cargo adds options.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    type Part = fn(&Path, &Interrupt);
    if let [command, seconds] = &wanted[..]
        && command == "print-lines"
    {
        return print_lines(seconds.parse().expect("seconds"));
    }
    let parts: [(&str, Part); 5] = [
        ("one-run", one_run),
        ("sizes", sizes),
        ("contest", many_runs),
        ("referees", refereeing),
        ("streams", streams),
    ];
    for (_, part) in parts.iter().filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|word| word == name)) {
        part(scratch.path(), &interrupt);
    }
}

/// Every sandbox and a bare spawn, in turn.
fn one_run(scratch: &Path, interrupt: &Interrupt) {
    let tiers =
        [("strongest", IsolationMode::Auto), ("landlock", IsolationMode::Landlock), ("off", IsolationMode::Off)];
    let executors = tiers.map(|(name, mode)| (name, LocalExecutor::new(interrupt, mode).expect("a scratch directory")));
    let job = quick_job(scratch);
    let mut bare = Vec::new();
    let mut judged = executors.each_ref().map(|_| (Vec::new(), Vec::new()));
    for pair in 0..PAIRS + 20 {
        let alone = spawned();
        // The first pairs only warm up.
        if pair >= 20 {
            bare.push(alone);
        }
        for ((_, executor), (times, added)) in executors.iter().zip(&mut judged) {
            let took = executed(executor, &job);
            if pair >= 20 {
                times.push(took);
                added.push(took.saturating_sub(alone));
            }
        }
    }
    println!("one run of /bin/true, {PAIRS} times, in turn, p10, median and p90 in ms:");
    row("bare spawn and wait", &mut bare);
    for ((name, _), (times, added)) in executors.iter().zip(&mut judged) {
        row(name, times);
        row("  added, pair by pair", added);
    }
}

/// Bytes of the journal that is in memory with a contest.
const JOURNAL: usize = 1 << 30;
/// Bytes of one of its lines in memory.
const LINE: usize = 4096;

/// The strongest sandbox in contests of several sizes, each compared with a bare spawn.
fn sizes(scratch: &Path, interrupt: &Interrupt) {
    let job = quick_job(scratch);
    println!("one run of /bin/true in a contest, {PAIRS} times, p10, median and p90 in ms:");
    let measure = |name: &str| {
        let before = processor_ms();
        let executor = LocalExecutor::new(interrupt, IsolationMode::Auto).expect("a scratch directory");
        for _ in 0..20 {
            executed(&executor, &job);
        }
        let mut times: Vec<Duration> = (0..PAIRS).map(|_| executed(&executor, &job)).collect();
        // The time of a process is known after its end, and zygotes live as long as their executor.
        drop(executor);
        let used = processor_ms()
            .zip(before)
            .map(|(after, before)| [0, 1].map(|index| (after[index] - before[index]) / (PAIRS + 20) as f64));
        let mut bare: Vec<Duration> = (0..PAIRS).map(|_| spawned()).collect();
        row(name, &mut times);
        row("  a bare spawn beside it", &mut bare);
        if let Some([judge, others]) = used {
            println!(
                "    processor time of the judge {judge:.3} ms a run, of supervisors and programs {others:.3} ms; {} MiB resident",
                resident()
            );
        }
    };
    for boards in [1, 2_000, 60_000, 100_000] {
        let mut contest = contest(scratch, 1, 1);
        // Reading so many boards takes minutes, and only their memory matters.
        let board = contest.plan.boards[0].clone();
        contest.plan.boards = vec![board; boards];
        let order = contest.plan.start_order();
        measure(&format!("{boards} boards"));
        assert_eq!((contest.plan.boards.len(), order.len()), (boards, boards));
    }
    let journal: Vec<Vec<u8>> = (0..JOURNAL / LINE).map(|_| vec![1; LINE]).collect();
    measure("1 GiB of journal");
    assert!(journal.iter().all(|line| line[0] == 1));
}

fn quick_job(scratch: &Path) -> Job {
    Job::new(["/bin/true"], scratch.join("out"), scratch.join("err"))
        .with_limits(Limits::default().with_wall_ms(10_000))
        .with_file_argument("board.txt", BOARD)
}

fn executed(executor: &LocalExecutor<'_>, job: &Job) -> Duration {
    let begun = Instant::now();
    let outcome = executor.execute(job).expect("no interrupt");
    assert_eq!(outcome.end, End::Exited { code: 0 });
    begun.elapsed()
}

fn spawned() -> Duration {
    let begun = Instant::now();
    let mut child = Command::new("/bin/true").stdin(Stdio::null()).spawn().expect("true");
    assert!(child.wait().expect("a child").success());
    begun.elapsed()
}

fn row(name: &str, times: &mut [Duration]) {
    let [p10, median, p90] = quantiles(times);
    println!("  {name:24} {p10:8.3} {median:8.3} {p90:8.3}");
}

/// Processor time of this process, and of the children that it has waited for, in ms; the kernel counts in steps of 10.
fn processor_ms() -> Option<[f64; 2]> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks: Option<Vec<f64>> = fields.get(11..15)?.iter().map(|ticks| ticks.parse().ok()).collect();
    let ticks = ticks?;
    Some([(ticks[0] + ticks[1]) * 10.0, (ticks[2] + ticks[3]) * 10.0])
}

/// Resident memory of this process in MiB.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok());
    kib.unwrap_or(0_u64) / 1024
}

/// A contest with the same board many times.
fn contest(scratch: &Path, boards: usize, entries: usize) -> Contest {
    fs::write(scratch.join("board.txt"), BOARD).expect("a board");
    let mut text = "name = \"quick\"\ngame = \"loyd\"\n".to_owned();
    for board in 0..boards {
        text += &format!("[[board]]\nname = \"B{board}\"\nfile = \"board.txt\"\n");
    }
    for entry in 0..entries {
        text += &format!("[[entry]]\nname = \"E{entry}\"\ncommand = \"/bin/true\"\n");
    }
    fs::write(scratch.join("contest.toml"), text).expect("a contest file");
    Contest::load(scratch, &Overrides::default()).expect("a contest")
}

fn many_runs(scratch: &Path, interrupt: &Interrupt) {
    let contest = contest(scratch, BOARDS, ENTRIES);
    let results = scratch.join("results");
    fs::create_dir(&results).expect("a results directory");
    let order = contest.plan.start_order();
    let (path, plan) = (contest.path.clone(), contest.plan.clone());
    let header = Header::new(path, Overrides::default(), plan, order.clone(), Default::default(), None);
    let mut journal = Journal::create(&results, header, || None).expect("a journal");
    let slots = vec![Vec::new(); JOBS];
    let runner = Runner::new(&contest, &order, &results, &slots);
    let all: Vec<PendingRun> = (0..order.len()).map(|index| PendingRun { index, attempt: 1 }).collect();
    let executor = LocalExecutor::new(interrupt, IsolationMode::Auto).expect("a scratch directory");
    let begun = Instant::now();
    runner.run(&all, &executor, interrupt, &mut journal, |_| {}).expect("no failure");
    let took = begun.elapsed();

    let contents = journal::read(&results).expect("a journal");
    let solved = contents.records.iter().filter(|run| matches!(run.verdict, Verdict::Solved(_))).count();
    let (runs, seconds) = (contents.records.len(), took.as_secs_f64());
    let each = seconds * 1000.0 / all.len() as f64;
    println!("a contest of {} quick runs, {JOBS} jobs, journal synced: {seconds:.2} s, {each:.3} ms a run;", all.len());
    println!("  {runs} in the journal, {solved} with the right verdict");
    assert_eq!((runs, solved), (all.len(), all.len()));
}

/// A referee in C, which accepts every answer.
const C_REFEREE: &str = r#"#include <stdio.h>
#include <string.h>
int main(int count, char **arguments) {
    char path[4096], answer[64] = "";
    FILE *file = fopen(arguments[2], "r");
    if (count < 4 || !file || !fgets(answer, sizeof answer, file)) return 1;
    snprintf(path, sizeof path, "%sruling.json", arguments[3]);
    file = fopen(path, "w");
    if (!file) return 1;
    fputs("{\"format\":1,\"verdict\":\"solved\"}", file);
    return fclose(file) != 0;
}
"#;
/// A referee in Python that accepts every answer; its interpreter has to start.
const PYTHON_REFEREE: &str = r#"#!/usr/bin/env python3
import sys
open(sys.argv[2]).readline()
open(sys.argv[3] + "ruling.json", "w").write('{"format":1,"verdict":"solved"}')
"#;

/// One answer, refereed by a built-in game and by programs, in turn.
fn refereeing(scratch: &Path, interrupt: &Interrupt) {
    let folder = scratch.join("refereed");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("board.txt"), BOARD).expect("a board");
    fs::write(folder.join("answer"), "u\n").expect("an answer");
    fs::write(folder.join("c.c"), C_REFEREE).expect("a program");
    let python = folder.join("python");
    fs::write(&python, PYTHON_REFEREE).expect("a program");
    fs::set_permissions(&python, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("its permissions");
    let found = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    let compiled = found(Command::new("cc").args(["-O2", "-o", "c", "c.c"]).current_dir(&folder));
    let interpreted = found(Command::new("python3").arg("--version").stdout(Stdio::null()));
    let contest = |game: &str| {
        let entry = "[[board]]\nname = \"A\"\nfile = \"board.txt\"\n[[entry]]\nname = \"E\"\ncommand = \"/bin/true\"\n";
        let path = folder.join("contest.toml");
        fs::write(&path, format!("name = \"refereed\"\n{game}\n{entry}")).expect("a contest file");
        Contest::load(&path, &Overrides::default()).expect("a contest")
    };
    let external =
        |name: &str| contest(&format!("game = \"external\"\n[referee]\nprotocol = \"native\"\ncommand = \"./{name}\""));
    let mut contests = vec![("a built-in game", contest("game = \"loyd\""))];
    for (name, program, there) in [("a program in C", "c", compiled), ("one in Python", "python", interpreted)] {
        if there {
            contests.push((name, external(program)));
        } else {
            println!("{name}: skipped, nothing here compiles or runs it");
        }
    }
    let executor = LocalExecutor::new(interrupt, IsolationMode::Auto).expect("a scratch directory");
    let bench = || RefereeContext { executor: &executor, processors: Vec::new(), results: None };
    let referees: Vec<_> = contests.iter().map(|(_, contest)| contest.referee_on(bench())).collect();
    let limits = Limits::default().with_wall_ms(10_000);
    let job = Job::new(["/bin/true"], scratch.join("out"), scratch.join("err")).with_limits(limits);
    let (mut runs, mut spawned) = (Vec::new(), Vec::new());
    let mut times = vec![Vec::new(); contests.len()];
    for turn in 0..REFEREED + 10 {
        for ((referee, (_, contest)), times) in referees.iter().zip(&contests).zip(&mut times) {
            let begun = Instant::now();
            referee.rule(&contest.plan.boards[0], &folder.join("answer")).expect("a ruling");
            let took = begun.elapsed();
            if turn >= 10 {
                times.push(took);
            }
        }
        let begun = Instant::now();
        executor.execute(&job).expect("no interrupt");
        let run = begun.elapsed();
        let begun = Instant::now();
        Command::new("/bin/true").stdin(Stdio::null()).status().expect("true");
        if turn >= 10 {
            runs.push(run);
            spawned.push(begun.elapsed());
        }
    }
    println!("one answer refereed, {REFEREED} times each, in turn, p10, median and p90 in ms:");
    let names = contests.iter().map(|(name, _)| *name).chain(["a run of /bin/true", "a bare spawn of it"]);
    for (name, times) in names.zip(times.iter_mut().chain([&mut runs, &mut spawned])) {
        let [p10, median, p90] = quantiles(times);
        println!("  {name:20} {p10:8.3} {median:8.3} {p90:8.3}");
    }
}

/// Lines of a stream per second, the seconds of a run, and pairs of runs.
const LINES: u64 = 10_000;
const SECONDS: u64 = 2;
const STREAMS: usize = 15;

/// Prints lines at an even rate, each in its own write. It sleeps until the next ones are due.
fn print_lines(seconds: u64) {
    use std::io::Write as _;
    let (mut out, begun, mut printed) = (std::io::stdout().lock(), Instant::now(), 0);
    while printed < LINES * seconds {
        let due = begun.elapsed().as_micros() * u128::from(LINES) / 1_000_000;
        while printed < LINES * seconds && u128::from(printed) <= due {
            out.write_all(b"lrlluu\n").and_then(|()| out.flush()).expect("a pipe");
            printed += 1;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
}

/// Runs that print many lines, with and without the times of their arrival, in turn: the cost of these times, and
/// whether they make a run suspect.
fn streams(scratch: &Path, interrupt: &Interrupt) {
    let executor = LocalExecutor::new(interrupt, IsolationMode::Auto).expect("a scratch directory");
    let processors = judge_sandbox::machine::cores().into_iter().next().unwrap_or_default();
    let me = std::env::current_exe().expect("a path").display().to_string();
    let job = Job::new([&me, "print-lines", &SECONDS.to_string()], scratch.join("lines"), scratch.join("err"))
        .with_limits(Limits::default().with_wall_ms(60_000))
        .with_processors(processors);
    println!("{LINES} lines a second for {SECONDS} s, {STREAMS} times, in turn, p10, median and p90 in ms:");
    let mut measured = [false, true].map(|timed| (timed, Vec::new(), Vec::new(), 0, 0));
    for _ in 0..STREAMS {
        for (timed, own, taken, suspect, marks) in &mut measured {
            let mut job = job.clone();
            job.timed = *timed;
            let before = thread_us();
            let outcome = executor.execute(&job).expect("no interrupt");
            own.push(Duration::from_micros(thread_us() - before));
            assert_eq!(outcome.end, End::Exited { code: 0 });
            let contention = outcome.contention.unwrap_or_default();
            taken.push(Duration::from_micros(contention.taken_us.unwrap_or_default()));
            *suspect += u32::from(outcome.wall_us.is_some_and(|wall| contention.suspicion(wall).is_some()));
            *marks = outcome.arrivals.len();
        }
    }
    for (timed, own, taken, suspect, marks) in &mut measured {
        println!(
            "{} times of arrival: {suspect} of {STREAMS} runs suspect, {marks} marks",
            if *timed { "with" } else { "without" }
        );
        row("time of the judge's thread", own);
        row("taken by others", taken);
    }
}

/// CPU time of this thread, in microseconds.
fn thread_us() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("a system with schedstat");
    text.split(' ').next().and_then(|ns| ns.parse::<u64>().ok()).expect("nanoseconds") / 1000
}

/// 10th percentile, median and 90th percentile in milliseconds.
fn quantiles(times: &mut [Duration]) -> [f64; 3] {
    times.sort();
    [1, 5, 9].map(|tenths| times[(times.len() - 1) * tenths / 10].as_secs_f64() * 1000.0)
}
