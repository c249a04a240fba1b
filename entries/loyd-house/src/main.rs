//! The program `house`: solves a board, and has commands for tables, certificates and the record book.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use loyd_house::answer::to_letters;
use loyd_house::anytime::{self, Event, Resources};
use loyd_house::certificate::Certificate;
use loyd_house::clock::Deadline;
use loyd_house::proof::Threshold;
use loyd_house::record::{self, Effort, Source};
use loyd_house::resume;
use loyd_house::store::{self, Folder};
use loyd_house::table_set::TableSet;
use loyd_kit::Board;

/// Finds short answers to Loyd's Dilemma and proves lower bounds.
#[derive(Debug, Parser)]
#[command(name = "house", version, args_conflicts_with_subcommands = true)]
struct House {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    solve: Solve,
}

/// Prints the best answer to a board that is found within JUDGE_LIMIT_MS milliseconds, ten minutes by default. Reports
/// progress on standard error. If JUDGE_STREAM is set, every better answer is printed as soon as it is found.
#[derive(Debug, Args)]
struct Solve {
    /// Board file.
    #[arg(required = true)]
    board: Option<PathBuf>,
    /// Number of threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Limit of memory, in MiB.
    #[arg(long, default_value_t = 4096, value_name = "MIB")]
    memory: usize,
    /// Read the tables of the proof from this directory, written by `house tables --save`, instead of building them.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Write a certificate of the proof to this file, for `house-check` and `house check-certificate`.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Save the largest tables to a directory, or check saved ones
    Tables {
        /// Build the tables and write them to this directory.
        #[arg(long, value_name = "DIR", required_unless_present = "load", conflicts_with = "load")]
        save: Option<PathBuf>,
        /// Read the tables from this directory and compare their checksums.
        #[arg(long, value_name = "DIR")]
        load: Option<PathBuf>,
        /// Number of threads.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
    },
    /// Repeat the search of a certificate with the same code, and compare; `house-check` proves it with other code
    CheckCertificate {
        /// Certificate.
        file: PathBuf,
        /// Number of threads.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
    },
    /// Continue the proof of a certificate until its answer is proved shortest; can be interrupted and run again
    Resume {
        /// Certificate, written by `house BOARD --certificate FILE`. It is rewritten after each threshold.
        file: PathBuf,
        /// Stop after this many seconds. The progress is kept in FILE.progress.
        #[arg(long, value_name = "N")]
        seconds: Option<u64>,
        /// Number of threads.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
    },
    /// Check answers and bounds, and enter better ones into the record book
    Record {
        /// Record book; its boards are the `.txt` files in the same directory.
        #[arg(long, value_name = "FILE", default_value = "tests-boards/loyd/best-known.csv")]
        book: PathBuf,
        /// Name of the finder, for certificates, which do not contain it.
        #[arg(long, default_value = "house")]
        found_by: String,
        /// Time for `house-check` per certificate. What it does not finish is searched again by this program and called
        /// reproducible, not proved. How far it has come is in FILE.check, and the next record goes on from there.
        #[arg(long, value_name = "N", default_value_t = 600)]
        seconds: u64,
        /// Number of threads.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
        /// Results directories of `judge run`, and certificates.
        #[arg(required = true)]
        sources: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let begun = Instant::now();
    let House { command, solve } = House::parse();
    let done = match command {
        None => answer(&solve, begun),
        Some(Command::Tables { save, load, threads }) => tables(save.as_deref(), load.as_deref(), threads.into()),
        Some(Command::CheckCertificate { file, threads }) => check(&file, threads.into()),
        Some(Command::Resume { file, seconds, threads }) => {
            let deadline =
                seconds.map_or_else(Deadline::never, |seconds| Deadline::after(Duration::from_secs(seconds)));
            match resume::resume(&file, threads.into(), deadline, &|line| eprintln!("{line}")) {
                Ok(true) => {
                    println!("{}: proved shortest", file.display());
                    Ok(())
                }
                Ok(false) => Err(format!("{}: not proved yet; run the command again to continue", file.display())),
                Err(error) => Err(error.to_string()),
            }
        }
        Some(Command::Record { book, found_by, seconds, threads, sources }) => {
            let progress = |line: String| eprintln!("{line}");
            let time = Duration::from_secs(seconds);
            let effort = Effort { found_by: &found_by, threads: threads.into(), time, progress: &progress };
            record(&book, &effort, &sources)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Solves a board, and prints the best answer before the limit even if the search has not finished.
fn answer(solve: &Solve, begun: Instant) -> Result<(), String> {
    let path = solve.board.as_deref().ok_or("give the path of a board file")?;
    let board = read_board(path)?;
    let limit = entry_common::time_limit();
    let deadline = Deadline::after((limit - margin(limit)).saturating_sub(begun.elapsed()));
    let stored = solve.tables.as_deref().map(open_tables).transpose()?;
    let memory = solve.memory.saturating_mul(1 << 20);
    let resources = Resources { threads: solve.threads.into(), memory, deadline };
    let (sender, events) = mpsc::channel();
    let worker = thread::spawn(move || {
        // After the deadline the receiver is gone; sending then fails, and that is fine.
        anytime::solve(&board, resources, stored, &mut |event| drop(sender.send(event)))
    });
    let stream = std::env::var_os("JUDGE_STREAM").is_some();
    let best = listen(&events, deadline, begun, stream).ok_or("no answer within the limit; allow more time")?;
    let answer = to_letters(&best).ok_or("the search found an illegal answer; please report this board as a bug")?;
    writeln!(io::stdout(), "{answer}").map_err(|error| format!("cannot print the answer: {error}"))?;
    if let Some(file) = &solve.certificate {
        let proof = worker
            .join()
            .map_err(|_| "the search panicked")?
            .map_err(|error| format!("cannot build the tables: {error}; lower --memory"))?;
        let certificate = Certificate::new(&board, answer, &proof, begun.elapsed());
        certificate.write(file).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The part of a limit that is reserved for printing the answer and exiting.
fn margin(limit: Duration) -> Duration {
    (Duration::from_millis(30) + limit / 50).min(Duration::from_secs(3)).min(limit / 2)
}

/// Reports the events of a search until its end or the deadline, and returns the path of its best answer. In a stream, each
/// answer is printed as soon as it is found.
fn listen(events: &Receiver<Event>, deadline: Deadline, begun: Instant, stream: bool) -> Option<Vec<u8>> {
    let (mut best, mut best_bound) = (None, 0);
    loop {
        let left = deadline.left().min(Duration::from_secs(3600));
        let event = match events.recv_timeout(left) {
            Ok(event) => event,
            Err(RecvTimeoutError::Disconnected) => return best,
            Err(RecvTimeoutError::Timeout) if deadline.passed() => return best,
            Err(RecvTimeoutError::Timeout) => continue,
        };
        let seconds = begun.elapsed().as_secs_f64();
        match event {
            Event::Tables(direction, tiles, bytes, took) => {
                let (mib, took) = (bytes.div_ceil(1 << 20), took.as_secs_f64());
                eprintln!("{seconds:.3} s: tables of {tiles} tiles {direction}, {mib} MiB, built in {took:.3} s");
            }
            Event::Answer(path, by) => {
                eprintln!("{seconds:.3} s: {} moves, {by}; bound {best_bound}", path.len() - 1);
                if stream && let Some(answer) = to_letters(&path) {
                    // A reader that is gone misses nothing that it can still use.
                    drop(writeln!(io::stdout(), "{answer}"));
                }
                best = Some(path);
            }
            Event::Unusable(reason) => {
                eprintln!("{seconds:.3} s: {reason}; searching without stored tables");
            }
            Event::Bound(bound) => {
                best_bound = bound;
                eprintln!("{seconds:.3} s: bound {bound}");
            }
            Event::Threshold(threshold) => {
                let Threshold { moves, nodes, milliseconds } = threshold;
                eprintln!("{seconds:.3} s: no answer of {moves} moves, {nodes} nodes in {milliseconds} ms");
            }
            Event::Restarted(direction, bytes, took) => {
                let (mib, took) = (bytes.div_ceil(1 << 20), took.as_secs_f64());
                eprintln!("{seconds:.3} s: proof restarted {direction}, {mib} MiB of tables, after {took:.3} s");
            }
            Event::Proved => {
                eprintln!("{seconds:.3} s: proved shortest");
            }
        }
    }
}

fn read_board(path: &Path) -> Result<Board, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text.parse().map_err(|error| format!("invalid board in {}: {error}", path.display()))
}

/// Saves or checks tables, and prints their checksums.
fn tables(save: Option<&Path>, load: Option<&Path>, threads: usize) -> Result<(), String> {
    if let Some(folder) = save {
        let heuristic =
            TableSet::Sixes.heuristic(threads).map_err(|error| format!("cannot build the tables: {error}"))?;
        store::save(folder, &heuristic.tables()).map_err(|error| error.to_string())?;
    }
    if let Some(folder) = save.or(load) {
        let folder = open_tables(folder)?;
        for (tiles, checksum) in folder.check().map_err(|error| error.to_string())? {
            println!("{tiles} {checksum}");
        }
    }
    Ok(())
}

/// Opens a directory with tables. The error is a sentence for the user.
fn open_tables(folder: &Path) -> Result<Folder, String> {
    Folder::open(folder).map_err(|error| error.to_string())
}

fn check(file: &Path, threads: usize) -> Result<(), String> {
    let certificate = Certificate::read(file).map_err(|error| error.to_string())?;
    certificate.check(threads, |line| eprintln!("{line}")).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}: certificate confirmed", file.display());
    Ok(())
}

/// Checks the answers and bounds of all sources and enters them into the record book.
fn record(book: &Path, effort: &Effort<'_>, sources: &[PathBuf]) -> Result<(), String> {
    let mut records = record::Book::read(book).map_err(|error| error.to_string())?;
    let mut refused = false;
    for path in sources {
        for found in Source::read(path, effort).map_err(|error| error.to_string())? {
            match records.enter(&found) {
                Ok(changed) => println!("{}: {changed}", found.name),
                Err(error) => {
                    refused = true;
                    eprintln!("{}: {error}", found.name);
                }
            }
        }
    }
    records.write(book).map_err(|error| error.to_string())?;
    if refused { Err("some answers were refused; the others were entered".into()) } else { Ok(()) }
}
