//! The time of an ask in a game: a line to a seat and its answer, through the judge, and without it.
//!
//! `cargo bench -p judge-contest --bench ask [ASKS]`. In `life = "game"` the comparison is a pair of bare pipes, in `life = "move"`
//! a bare spawn of the seat with its input and output in files. The same code of the referee measures all but the last.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::fs::{self, File};
use std::io::{BufRead as _, Write as _, pipe, stderr, stdin, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use judge_contest::external::RefereeContext;
use judge_contest::{Contest, Overrides};
use judge_core::matches::{Keep, Life, MatchRules, Seats};
use judge_sandbox::{Executor as _, Interrupt, IsolationMode, Job, LocalExecutor, machine};

const ASKS: usize = 20_000;
/// Asks of programs that are executed for each.
const MOVES: usize = 300;
/// Times that everything is measured, in turn.
const REPEATS: usize = 3;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("referee") => return referee(Path::new(&args[2])),
        Some("bare-referee") => return eprint(&ask_all(args[2].parse().expect("a number"), |_| "17 4\n".into(), 1)),
        Some("seat") => return seat(),
        _ => {}
    }
    let asks: usize = args.iter().skip(1).find_map(|word| word.parse().ok()).unwrap_or(ASKS);
    let folder = tempfile::tempdir().expect("a folder");
    let interrupt = Interrupt::never().expect("a socket pair");
    let one = machine::cores().first().cloned().unwrap_or_default();
    println!("microseconds per ask: median, 99 of 100; everything on one core");
    for _ in 0..REPEATS {
        print("bare pipes", &bare(folder.path(), asks, one.first().copied()));
        for mode in [IsolationMode::Auto, IsolationMode::Off] {
            let executor = LocalExecutor::new(&interrupt, mode).expect("an executor");
            let tier = executor.isolation().tier.name();
            for seats in [2, 1] {
                let rules = MatchRules::new(Seats::Number(seats), Life::Game);
                let figures = game(&executor, folder.path(), asks, &rules, seats, &one);
                print(&format!("game, {seats} seats, {tier}"), &figures);
            }
        }
        print("bare spawn", &spawned(folder.path(), one.first().copied()));
        for mode in [IsolationMode::Auto, IsolationMode::Off] {
            let executor = LocalExecutor::new(&interrupt, mode).expect("an executor");
            let tier = executor.isolation().tier.name();
            let mut rules = MatchRules::new(Seats::Number(2), Life::Move);
            print(&format!("the executor alone, {tier}"), &executed(&executor, folder.path(), &one));
            print(&format!("move, {tier}"), &game(&executor, folder.path(), MOVES, &rules, 2, &one));
            rules.keep = Some(Keep { bytes: 1 << 20, argument: false });
            print(&format!("move with a folder, {tier}"), &game(&executor, folder.path(), MOVES, &rules, 2, &one));
        }
    }
}

fn print(name: &str, figures: &str) {
    println!("{name:32} {figures}");
}

fn eprint(figures: &[f64; 2]) {
    write!(stderr(), "{:8.1} {:8.1}", figures[0], figures[1]).expect("standard error");
}

/// Microseconds of the median, and of 99 of 100.
fn figures(mut times: Vec<Duration>) -> [f64; 2] {
    times.sort_unstable();
    [50, 99].map(|share| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6)
}

/// Writes a question so many times, and reads an answer of this many lines to each.
fn ask_all(asks: usize, question: impl Fn(usize) -> String, lines: usize) -> [f64; 2] {
    let (mut input, mut output, mut line) = (stdin().lock(), stdout().lock(), String::new());
    let mut times = Vec::with_capacity(asks);
    for number in 0..asks {
        let question = question(number);
        let sent = Instant::now();
        output.write_all(question.as_bytes()).and_then(|()| output.flush()).expect("a pipe");
        for _ in 0..lines {
            line.clear();
            assert!(input.read_line(&mut line).expect("an answer") > 0, "no answer");
        }
        times.push(sent.elapsed());
    }
    figures(times)
}

/// A referee that asks its seats in turn as often as its board says. The points are the times.
fn referee(board: &Path) {
    let text = fs::read_to_string(board).expect("a board");
    let numbers: Vec<usize> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let (asks, seats) = (numbers[0], numbers[1]);
    let times = ask_all(asks, |number| format!("ask {} 1\n17 4\nwait\n", number % seats + 1), 2);
    let points: Vec<String> = times.iter().take(seats).map(|time| format!("{time:.1}")).collect();
    println!("end {}", points.join(" "));
}

/// Answers every line of standard input, until that ends.
fn seat() {
    let (mut input, mut output, mut line) = (stdin().lock(), stdout().lock(), String::new());
    while input.read_line(&mut line).expect("a line") > 0 {
        output.write_all(b"21\n").and_then(|()| output.flush()).expect("a pipe");
        line.clear();
    }
}

fn me() -> String {
    std::env::current_exe().expect("a path").display().to_string()
}

/// A command on this processor.
fn pinned(processor: Option<usize>, words: &[&str]) -> Command {
    let taskset = processor.map(|processor| ["taskset".to_owned(), "-c".to_owned(), processor.to_string()]);
    let mut all: Vec<String> = taskset.into_iter().flatten().collect();
    all.push(me());
    all.extend(words.iter().map(|word| (*word).to_owned()));
    let mut command = Command::new(&all[0]);
    command.args(&all[1..]);
    command
}

fn bare(folder: &Path, asks: usize, processor: Option<usize>) -> String {
    let ((questions, to_answer), (answers, to_ask)) = (pipe().expect("a pipe"), pipe().expect("a pipe"));
    let written = folder.join("figures");
    let file = File::create(&written).expect("a file");
    let mut seat = pinned(processor, &["seat"]);
    // The commands hold the ends of the pipes, so they must be gone when the first program ends.
    let mut seat = seat.stdin(questions).stdout(to_ask).stderr(Stdio::null()).spawn().expect("a process");
    let mut asks = {
        let mut referee = pinned(processor, &["bare-referee", &asks.to_string()]);
        referee.stdin(answers).stdout(to_answer).stderr(file).spawn().expect("a process")
    };
    assert!(asks.wait().expect("an end").success());
    seat.kill().and_then(|()| seat.wait()).expect("an end");
    fs::read_to_string(written).expect("figures")
}

fn spawned(folder: &Path, processor: Option<usize>) -> String {
    let (input, output) = (folder.join("in"), folder.join("answer"));
    fs::write(&input, "17 4\n").expect("a file");
    let set = processor.map(|processor| processor.to_string());
    if let Some(set) = &set {
        // The time of `taskset` itself is not that of the seat.
        let me = std::process::id().to_string();
        Command::new("taskset").args(["-pc", set, &me]).stdout(Stdio::null()).status().expect("taskset");
    }
    let mut times = Vec::new();
    for _ in 0..MOVES {
        let mut command = Command::new(me());
        command.arg("seat").stdin(File::open(&input).expect("a file")).stdout(File::create(&output).expect("a file"));
        let begun = Instant::now();
        assert!(command.status().expect("a process").success());
        times.push(begun.elapsed());
    }
    if set.is_some() {
        let (all, me) = (format!("0-{}", machine::cores().concat().len() - 1), std::process::id().to_string());
        Command::new("taskset").args(["-pc", &all, &me]).stdout(Stdio::null()).status().expect("taskset");
    }
    let [median, most] = figures(times);
    format!("{median:8.1} {most:8.1}")
}

/// The seat executed again and again, without a game.
fn executed(executor: &LocalExecutor<'_>, folder: &Path, processors: &[usize]) -> String {
    let (input, path) = (folder.join("in"), |name: &str| folder.join(name));
    fs::write(&input, "17 4\n").expect("a file");
    let job = Job::new([me().as_str(), "seat"], path("answer"), path("errors")).with_stdin(input);
    let job = job.with_processors(processors.iter().copied());
    let times = (0..MOVES).map(|_| {
        let begun = Instant::now();
        executor.execute(&job).expect("no interrupt");
        begun.elapsed()
    });
    let [median, most] = figures(times.collect());
    format!("{median:8.1} {most:8.1}")
}

fn game(
    executor: &LocalExecutor<'_>,
    folder: &Path,
    asks: usize,
    rules: &MatchRules,
    seats: u32,
    processors: &[usize],
) -> String {
    let me = me();
    fs::write(folder.join("board"), format!("{asks} {seats}\n")).expect("a board");
    let contest = format!(
        "name = \"ask\"\ngame = \"external\"\nlimit = \"600s\"\n[referee]\nprotocol = \"native\"\nlimit = \"600s\"\n\
         command = [\"{me}\", \"referee\"]\n[[board]]\nname = \"X\"\nfile = \"board\"\n\
         [[entry]]\nname = \"a\"\ncommand = \"{me}\"\n"
    );
    fs::write(folder.join("contest.toml"), contest).expect("a contest file");
    let contest = Contest::load(folder, &Overrides::default()).expect("a contest");
    let context = RefereeContext { executor, processors: processors.to_vec(), results: None };
    let referees = contest.referee_on(context);
    let referee = referees.program(&contest.plan.boards[0]).expect("a referee");
    let job = |seat: u32| {
        let path = |end: &str| folder.join(format!("{seat}.{end}"));
        Job::new([me.as_str(), "seat"], path("out"), path("err")).with_processors(processors.iter().copied())
    };
    let mut rules = rules.clone();
    rules.decimals = 1;
    rules.clock.game_ms = Some(600_000);
    let seats: Vec<Job> = (1..=seats).map(job).collect();
    let played = referee.play(&contest.plan.boards[0], seats, &rules, false, None, &folder.join("game.jsonl"));
    let played = played.expect("no interrupt").expect("a game");
    assert!(played.seats.iter().all(|seat| seat.fault.is_none()), "{played:?}");
    played.seats.iter().map(|seat| format!("{:>8}", seat.points)).collect::<Vec<_>>().join(" ")
}
