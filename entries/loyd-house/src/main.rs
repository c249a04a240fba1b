//! The house entry as a program: board in, answer out, and the commands around it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use loyd_house::answer::letters;
use loyd_house::anytime::{self, Means, News};
use loyd_house::certificate::Certificate;
use loyd_house::clock::Deadline;
use loyd_house::grounds::Threshold;
use loyd_house::guide::Guide;
use loyd_house::pinwheel;
use loyd_house::record::{self, Source};
use loyd_house::stage::Stage;
use loyd_house::store;
use loyd_kit::Board;

/// The shortest answers to Loyd's Dilemma, with proof.
#[derive(Debug, Parser)]
#[command(name = "house", version, args_conflicts_with_subcommands = true)]
struct House {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    solve: Solve,
}

/// Prints the best answer to a board that is found within JUDGE_LIMIT_MS milliseconds, ten minutes where that is not
/// set. Standard error tells what is found on the way.
#[derive(Debug, Args)]
struct Solve {
    /// The board file.
    #[arg(required = true)]
    board: Option<PathBuf>,
    /// Threads to use.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory to use, in MiB.
    #[arg(long, default_value_t = 4096, value_name = "MIB")]
    memory: usize,
    /// Use the tables kept in this folder by `house tables --save` instead of building them.
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Write here what was proved, for `house check-certificate`.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Keep the largest tables in a folder, or check those that are kept there
    Tables {
        /// Build them and write them here.
        #[arg(long, value_name = "DIR", required_unless_present = "load", conflicts_with = "load")]
        save: Option<PathBuf>,
        /// Read them from here and compare their checksums.
        #[arg(long, value_name = "DIR")]
        load: Option<PathBuf>,
        /// Threads to use.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
    },
    /// Prove again what a certificate says, and compare
    CheckCertificate {
        /// The certificate.
        file: PathBuf,
        /// Threads to use.
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
        threads: u16,
    },
    /// Write better answers and higher bounds into the record book
    Record {
        /// The record book; the boards it knows are the `.txt` files beside it.
        #[arg(long, value_name = "FILE", default_value = "tests-boards/loyd/best-known.csv")]
        book: PathBuf,
        /// Who or what found the answers, for sources that do not say.
        #[arg(long, default_value = "house")]
        found_by: String,
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
        Some(Command::Tables { save, load, threads }) => keep(save.as_deref(), load.as_deref(), threads.into()),
        Some(Command::CheckCertificate { file, threads }) => check(&file, threads.into()),
        Some(Command::Record { book, found_by, sources }) => enter(&book, &found_by, &sources),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Solves a board; the answer is printed in time, whatever the search is doing then.
fn answer(solve: &Solve, begun: Instant) -> Result<(), String> {
    let path = solve.board.as_deref().ok_or("give the path of a board file")?;
    let board = read_board(path)?;
    let limit = entry_common::time_limit();
    let deadline = Deadline::after((limit - margin(limit)).saturating_sub(begun.elapsed()));
    let kept = solve.tables.as_deref().map(kept).transpose()?;
    let memory = solve.memory.saturating_mul(1 << 20);
    let means = Means { threads: solve.threads.into(), memory, deadline };
    let (sender, news) = mpsc::channel();
    let worker = thread::spawn(move || {
        // A listener who has left has printed what there was.
        anytime::solve(&board, means, kept, &mut |news| drop(sender.send(news)))
    });
    let heard = listen(&news, deadline, begun);
    let way = heard.way.ok_or("no answer within the limit; allow more time")?;
    let answer = letters(&way).ok_or("the search gave a way that is none; report this board")?;
    writeln!(io::stdout(), "{answer}").map_err(|error| format!("cannot print the answer: {error}"))?;
    if let Some(file) = &solve.certificate {
        let grounds = worker
            .join()
            .map_err(|_| "the search panicked")?
            .map_err(|error| format!("cannot build the tables: {error}; allow less with --memory"))?;
        let certificate = Certificate::new(&board, answer, &grounds, begun.elapsed());
        certificate.write(file).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Time to print the answer and to be gone, of a limit.
fn margin(limit: Duration) -> Duration {
    (Duration::from_millis(30) + limit / 50).min(Duration::from_secs(3)).min(limit / 2)
}

/// What was heard of a search until its end or the deadline.
#[derive(Default)]
struct Heard {
    way: Option<Vec<u8>>,
    bound: u8,
}

fn listen(news: &Receiver<News>, deadline: Deadline, begun: Instant) -> Heard {
    let mut heard = Heard::default();
    loop {
        let left = deadline.left().min(Duration::from_secs(3600));
        let told = match news.recv_timeout(left) {
            Ok(told) => told,
            Err(RecvTimeoutError::Disconnected) => return heard,
            Err(RecvTimeoutError::Timeout) if deadline.passed() => return heard,
            Err(RecvTimeoutError::Timeout) => continue,
        };
        let seconds = begun.elapsed().as_secs_f64();
        match told {
            News::Tables(direction, tiles, bytes, took) => {
                let (mib, took) = (bytes.div_ceil(1 << 20), took.as_secs_f64());
                eprintln!("{seconds:.3} s: tables of {tiles} tiles {direction}, {mib} MiB, built in {took:.3} s");
            }
            News::Answer(way, by) => {
                eprintln!("{seconds:.3} s: {} moves, {by}; bound {}", way.len() - 1, heard.bound);
                heard.way = Some(way);
            }
            News::Bound(bound) => {
                heard.bound = bound;
                eprintln!("{seconds:.3} s: bound {bound}");
            }
            News::Threshold(threshold) => {
                let Threshold { moves, nodes, milliseconds } = threshold;
                eprintln!("{seconds:.3} s: no answer of {moves} moves, {nodes} nodes in {milliseconds} ms");
            }
            News::Anew(direction, bytes, took) => {
                let (mib, took) = (bytes.div_ceil(1 << 20), took.as_secs_f64());
                eprintln!("{seconds:.3} s: proof begun anew {direction}, {mib} MiB of tables, after {took:.3} s");
            }
            News::Proved => {
                eprintln!("{seconds:.3} s: proved shortest");
            }
        }
    }
}

fn read_board(path: &Path) -> Result<Board, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text.parse().map_err(|error| format!("no board in {}: {error}", path.display()))
}

fn keep(save: Option<&Path>, load: Option<&Path>, threads: usize) -> Result<(), String> {
    let guide = match (save, load) {
        (Some(folder), _) => {
            let guide = Stage::Sixes.guide(threads).map_err(|error| format!("cannot build the tables: {error}"))?;
            store::save(folder, &guide.tables()).map_err(|error| error.to_string())?;
            guide
        }
        (None, Some(folder)) => kept(folder)?,
        (None, None) => return Ok(()),
    };
    for table in guide.tables() {
        println!("{} {}", store::name(table), table.checksum());
    }
    Ok(())
}

/// The guide by the tables in a folder.
fn kept(folder: &Path) -> Result<Guide, String> {
    store::load(folder, pinwheel::SIX).map_err(|error| error.to_string())
}

fn check(file: &Path, threads: usize) -> Result<(), String> {
    let certificate = Certificate::read(file).map_err(|error| error.to_string())?;
    certificate.check(threads, |line| eprintln!("{line}")).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}: everything is as it says", file.display());
    Ok(())
}

fn enter(book: &Path, found_by: &str, sources: &[PathBuf]) -> Result<(), String> {
    let mut records = record::Book::read(book).map_err(|error| error.to_string())?;
    let mut refused = false;
    for path in sources {
        for found in Source::read(path, found_by).map_err(|error| error.to_string())? {
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
    if refused { Err("some entries were refused; the others are in the book".into()) } else { Ok(()) }
}
