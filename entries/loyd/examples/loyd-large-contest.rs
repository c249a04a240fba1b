//! A generator of large results directories, to measure the cost of their size: 40 entries on 200 boards by default.
//!
//! `cargo run --release -p loyd-entries --example loyd-large-contest -- DIR [ENTRIES BOARDS]` writes a results
//! directory with everything that `judge run` writes. Only the runs are simulated. Every answer is a real one to a
//! random board, as `judge boards make --random` makes them, and the judge replays and records it. Entries differ in
//! the number of random moves that they make before they start to solve; some of their runs fail. The same command
//! gives the same answers, verdicts and times.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use judge_contest::journal::Journal;
use judge_contest::schedule::{PendingRun, Runner};
use judge_contest::{Contest, Overrides};
use judge_core::game::{Game, GeneratorSpec};
use judge_core::games;
use judge_core::journal::Header;
use judge_job::{
    Argument, Capacity, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, MeasuredBy, Outcome,
    StopFlag, Tier, Usage,
};
use loyd_kit::lead::{lead_shorter, place_all};
use loyd_kit::random::{Random, for_board};
use loyd_kit::{Board, Move, Play};
use rand::RngExt as _;

/// Additional random moves of each entry, compared with the entry before.
const WANDERING: usize = 3;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let number = |text: &String| text.parse::<usize>().ok().filter(|number| *number > 0);
    let written = match &arguments[..] {
        [directory] => write_contest(Path::new(directory), 40, 200),
        [directory, entries, boards] => match number(entries).zip(number(boards)) {
            Some((entries, boards)) => write_contest(Path::new(directory), entries, boards),
            None => Err("ENTRIES and BOARDS must be whole numbers from 1".into()),
        },
        _ => Err("usage: loyd-large-contest DIR [ENTRIES BOARDS]".into()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn write_contest(results: &Path, entries: usize, boards: usize) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(results)?;
    fs::write(results.join("contest.toml"), contest_file(results, entries, boards)?)?;
    let contest = Contest::load(results, &Overrides::default())?;
    let order = contest.plan.turns();
    let (path, plan) = (contest.path.clone(), contest.plan.clone());
    let header = Header::new(path, Overrides::default(), plan, order.clone(), Default::default(), None);
    let mut journal = Journal::create(results, header, || None)?;
    let pending: Vec<PendingRun> = (0..order.len()).map(|index| PendingRun { index, attempt: 1 }).collect();
    // One worker, so that the journal's lines have the same order every time.
    let slots = [Vec::new()];
    let runner = Runner::new(&contest, &order, results, &slots);
    runner.run(&pending, &Simulator, &StopFlag::default(), &mut journal, |_| {})?;
    Ok(())
}

/// Writes the boards, and returns the text of the contest file.
fn contest_file(results: &Path, entries: usize, boards: usize) -> Result<String, Box<dyn Error>> {
    let kind = games::find("loyd").ok_or("the judge has no game `loyd`")?;
    let game: Box<dyn Game> = (kind.open)(&Default::default())?;
    fs::create_dir_all(results.join("boards"))?;
    let mut text = "name = \"A large contest\"\ngame = \"loyd\"\nlimit = \"10s\"\n".to_owned();
    for seed in 1..=boards {
        let board = game.make(&GeneratorSpec::Random { seed: seed as u64, pieces: None })?;
        fs::write(results.join(format!("boards/{seed}.txt")), board)?;
        writeln!(text, "[[board]]\nname = \"R{seed}\"\nfile = \"boards/{seed}.txt\"")?;
    }
    for entry in 0..entries {
        writeln!(text, "[[entry]]\nname = \"wanderer-{entry}\"\nauthor = \"Example Author\"")?;
        writeln!(text, "strategy = \"{} moves at random, then tile after tile\"", WANDERING * entry)?;
        writeln!(text, "command = [\"wanderer\", \"{entry}\"]")?;
    }
    Ok(text)
}

/// An executor that starts no process: it computes the answers and invents the times.
struct Simulator;

impl Executor for Simulator {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let board = std::str::from_utf8(&job.files[0].contents).expect("a board is text");
        let board: Board = board.parse().expect("the judge accepted it");
        let Argument::Text(entry) = &job.argv[1] else { unreachable!("written above") };
        let entry: usize = entry.parse().expect("written above");
        let mut random = for_board(&board);
        random.set_stream(entry as u64);
        let (end, answer) = ended(answer(&board, WANDERING * entry, &mut random), &mut random);
        let errors = if random.random_ratio(1, 5) { progress(&answer) } else { String::new() };
        fs::write(&job.stdout, &answer).and_then(|()| fs::write(&job.stderr, &errors)).expect("the disk has room");
        // From milliseconds to the limit, as with real strategies.
        let wall_us = match end {
            End::TimedOut => job.limits.wall_ms * 1000,
            _ => 1000 << random.random_range(0..=13),
        };
        let mut outcome = Outcome::new(end, isolation(), Machine::default());
        outcome.wall_us = Some(wall_us);
        let cpu_us = wall_us - random.random_range(0..1000);
        let memory_bytes = random.random_range(1 << 20..1 << 29);
        outcome.usage = Usage::new(Some((cpu_us, MeasuredBy::Cgroup)), Some((memory_bytes, MeasuredBy::Cgroup)));
        (outcome.stdout_bytes, outcome.stderr_bytes) = (answer.len() as u64, errors.len() as u64);
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

fn isolation() -> Isolation {
    Isolation { tier: Tier::Namespaces, layers: vec!["user pid mount network ipc uts".into()] }
}

/// An answer: some random moves, then the tiles one by one.
fn answer(board: &Board, wandering: usize, random: &mut Random) -> String {
    let mut play = Play::new(*board);
    for _ in 0..wandering {
        let legal: Vec<Move> = Move::ALL.into_iter().filter(|&made| play.board().after(made).is_some()).collect();
        play.make(legal[random.random_range(0..legal.len())]);
    }
    let solved = place_all(play.board(), lead_shorter);
    play.make_all(&solved);
    play.into_moves().into_iter().map(Move::letter).collect::<String>() + "\n"
}

/// The end of a run and its output: one run in eight fails, by a time-out, a crash, an illegal move or a short answer.
fn ended(mut answer: String, random: &mut Random) -> (End, String) {
    let cut = random.random_range(1..answer.len());
    match random.random_range(0..32) {
        0 => (End::TimedOut, String::new()),
        1 => (End::Exited { code: 101 }, answer[..cut].to_owned()),
        2 => {
            answer.insert(cut, 'x');
            (End::Exited { code: 0 }, answer)
        }
        3 => (End::Exited { code: 0 }, answer[..cut].to_owned()),
        _ => (End::Exited { code: 0 }, answer),
    }
}

/// Typical progress messages of a search.
fn progress(answer: &str) -> String {
    (1..=12).map(|depth| format!("depth {depth}: {} nodes, best {}\n", answer.len() << depth, answer.len())).collect()
}
