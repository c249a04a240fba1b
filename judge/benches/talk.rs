//! A round trip of one line between two programs: through the judge, in its sandbox, and over a bare pair of pipes.
//!
//! `cargo bench -p judge --bench talk [ROUND_TRIPS]`. One program measures every round trip by itself, so that the same code
//! measures both.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::io::{BufRead as _, PipeReader, PipeWriter, Write as _, pipe, stderr, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use judge_sandbox::{End, Executor as _, Interrupt, IsolationMode, Job, LocalExecutor, Talk, machine};

const ROUND_TRIPS: usize = 100_000;
/// Repetitions of each measurement, in turn.
const REPEATS: usize = 3;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("ask") => return ask(args[2].parse().expect("a number")),
        Some("answer") => return answer(),
        _ => {}
    }
    let given = args.iter().skip(1).find_map(|word| word.parse().ok());
    let round_trips: usize = given.unwrap_or(ROUND_TRIPS);
    let folder = tempfile::tempdir().expect("a folder");
    let interrupt = Interrupt::never().expect("a socket pair");
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto).expect("an executor");
    let cores: Vec<Vec<usize>> = machine::cores();
    println!("{} round trips of one line, {}", round_trips, executor.isolation());
    println!("microseconds per round trip: median, 99 of 100, mean");
    let one = cores.first().cloned().unwrap_or_default();
    let two = cores.get(1).cloned().unwrap_or_default();
    for _ in 0..REPEATS {
        print("bare pipes, anywhere", &bare(folder.path(), round_trips, None));
        print("bare pipes, one core", &bare(folder.path(), round_trips, one.first().copied()));
        print("judge, anywhere", &judged(&executor, folder.path(), round_trips, &[], &[]));
        print("judge, one core", &judged(&executor, folder.path(), round_trips, &one, &one));
        print("judge, a core each", &judged(&executor, folder.path(), round_trips, &two, &one));
    }
}

fn print(name: &str, figures: &str) {
    println!("{name:24} {figures}");
}

/// Sends lines, waits for an answer to each, and prints figures on standard error.
fn ask(round_trips: usize) {
    let (mut input, mut output, mut line) = (stdin().lock(), stdout().lock(), String::new());
    let mut times = Vec::with_capacity(round_trips);
    let begun = Instant::now();
    for _ in 0..round_trips {
        let sent = Instant::now();
        output.write_all(b"17 4\n").and_then(|()| output.flush()).expect("a pipe");
        line.clear();
        input.read_line(&mut line).expect("an answer");
        times.push(sent.elapsed());
    }
    let mean = begun.elapsed() / u32::try_from(round_trips).expect("a number of round trips");
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
    write!(stderr(), "{:8.1} {:8.1} {:8.1}", at(50), at(99), mean.as_secs_f64() * 1e6).expect("standard error");
}

/// Answers every line of standard input, until that ends.
fn answer() {
    let (mut input, mut output, mut line) = (stdin().lock(), stdout().lock(), String::new());
    while input.read_line(&mut line).expect("a line") > 0 {
        output.write_all(b"21\n").and_then(|()| output.flush()).expect("a pipe");
        line.clear();
    }
}

fn me() -> String {
    std::env::current_exe().expect("a path").display().to_string()
}

fn bare(folder: &Path, round_trips: usize, processor: Option<usize>) -> String {
    let pinned = processor.map(|processor| ["taskset".to_owned(), "-c".to_owned(), processor.to_string()]);
    // The command holds the ends of the pipes, so it must be gone when the first program ends.
    let spawn = |words: &[&str], stdin: PipeReader, stdout: PipeWriter, stderr: Stdio| {
        let mut all: Vec<String> = pinned.iter().flatten().cloned().collect();
        all.push(me());
        all.extend(words.iter().map(|word| (*word).to_owned()));
        let mut command = Command::new(&all[0]);
        command.args(&all[1..]).stdin(stdin).stdout(stdout).stderr(stderr).spawn().expect("a process")
    };
    let ((questions, to_answer), (answers, to_ask)) = (pipe().expect("a pipe"), pipe().expect("a pipe"));
    let figures = folder.join("figures");
    let file = std::fs::File::create(&figures).expect("a file");
    let mut asks = spawn(&["ask", &round_trips.to_string()], answers, to_answer, file.into());
    let mut answer = spawn(&["answer"], questions, to_ask, Stdio::null());
    assert!(asks.wait().expect("an end").success() && answer.wait().expect("an end").success());
    std::fs::read_to_string(figures).expect("figures")
}

fn judged(
    executor: &LocalExecutor<'_>,
    folder: &Path,
    round_trips: usize,
    of_referee: &[usize],
    of_entry: &[usize],
) -> String {
    let me = me();
    let path = |name: &str| folder.join(name);
    let asks = Job::new([me.as_str(), "ask", &round_trips.to_string()], path("ask"), path("ask.err"));
    let answers = Job::new([me.as_str(), "answer"], path("answer"), path("answer.err"));
    let asks = asks.with_processors(of_referee.iter().copied());
    let answers = answers.with_processors(of_entry.iter().copied());
    let mut talk = Talk::refereed(asks, answers, vec![0], 10_000);
    talk.transcript = Some(path("transcript"));
    let outcome = executor.converse(&talk, None).expect("no interrupt");
    for side in &outcome.sides {
        assert_eq!(side.outcome.end, End::Exited { code: 0 }, "{outcome:?}");
    }
    std::fs::read_to_string(path("ask.err")).expect("figures")
}
