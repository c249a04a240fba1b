//! hexa-certificate: writes proofs that an army is too small to files, and checks them in integer arithmetic, 2026.
//!
//! A tool, not an entry of a contest. `prove 7 --men 145 FILE` searches for a certificate that no game to row 7 has fewer
//! than 145 men: branch and bound over hop counts (`hexa_kit::branch`), with weights that refute each case
//! (`hexa_kit::weights`). It saves the file after each round; the same command resumes the proof. `prove 8 --unreachable
//! FILE` writes the pagoda function that proves that no army reaches row 8. `check FILE` uses no part of the search; it
//! reads the file and checks it in integer arithmetic (`hexa_kit::certificate`).
//!
//! Exit codes: 0 proved or checked; 1 not proved, or not a proof; 2 invalid arguments.

use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use hexa_kit::certificate::{Certificate, Claim, End};
use hexa_kit::frame::{Frame, Weights};
use hexa_kit::program;
use hexa_kit::prove::{Failure, progress, prove, unproved};
use hexa_kit::tree::Tree;

/// Write and check proofs about the solitaire army on the triangular lattice.
#[derive(Parser)]
#[command(name = "hexa-certificate")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove that a row needs a number of men, or is unreachable, and write the certificate.
    Prove(Prove),
    /// Check a certificate in integer arithmetic.
    Check {
        /// The certificate.
        file: PathBuf,
    },
}

#[derive(Args)]
struct Prove {
    /// The row to reach.
    #[arg(value_parser = clap::value_parser!(i32).range(1..=20))]
    row: i32,
    /// The certificate. If the file exists, its open cases are resumed.
    file: PathBuf,
    /// Prove that every game has at least this many men.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    men: Option<u32>,
    /// Prove that no army reaches the row.
    #[arg(long, conflicts_with = "men", required_unless_present = "men")]
    unreachable: bool,
    /// The radius of the window: a wider one can prove more, and takes longer.
    #[arg(long, conflicts_with = "unreachable", value_parser = clap::value_parser!(i32).range(0..=40))]
    radius: Option<i32>,
    /// Time limit in seconds.
    #[arg(long, default_value_t = 7200)]
    seconds: u64,
    /// Number of threads [default: one per processor].
    #[arg(long)]
    threads: Option<NonZero<usize>>,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Prove(options) => write(&options),
        Command::Check { file } => {
            read(&file).and_then(|certificate| checked(&certificate).map_err(|e| format!("{}: {e}", file.display())))
        }
    };
    match done {
        Ok(proved) => {
            println!("{proved}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The most bytes read of a certificate, since a device file may be endless.
const MAX_BYTES: u64 = 256 << 20;

fn read(file: &Path) -> Result<Certificate, String> {
    let mut text = String::new();
    let opened = File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_string(&mut text));
    let length = opened.map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    if length as u64 > MAX_BYTES {
        return Err(format!("{} is not a certificate: it is longer than 256 MiB", file.display()));
    }
    text.parse().map_err(|e| format!("{}: {e}", file.display()))
}

/// Checks a certificate and describes the proof in a sentence.
fn checked(certificate: &Certificate) -> Result<String, String> {
    let cases = certificate.check()?;
    let row = certificate.frame.row;
    let claim = match certificate.claim {
        Claim::AtLeast(men) => format!("M({row}) >= {men}"),
        Claim::Unreachable => format!("no army reaches row {row}"),
    };
    let weights = certificate.weights.len();
    Ok(format!(
        "{claim} on the infinite board: {cases} cases refuted by {weights} weightings, checked in integer arithmetic"
    ))
}

fn write(options: &Prove) -> Result<String, String> {
    let start = Instant::now();
    let Some(men) = options.men else {
        // All weights follow from the distance; the window has none.
        let frame = Frame::new(options.row, 0);
        let weights = vec![Weights { tail: 1, window: Vec::new() }];
        let cases = Tree::Leaf(End::Weights(0));
        let certificate = Certificate { claim: Claim::Unreachable, frame, weights, cases };
        let proved = checked(&certificate).map_err(|e| format!("not proved: {e}"))?;
        return save(&certificate, &options.file).map(|()| proved);
    };
    let radius = options.radius.unwrap_or(program::radius(options.row));
    let fresh = unproved(options.row, radius, men);
    let begun = if options.file.exists() { read(&options.file)? } else { fresh.clone() };
    if (begun.claim, begun.frame.row, begun.frame.radius) != (fresh.claim, fresh.frame.row, fresh.frame.radius) {
        return Err(format!("{} is the certificate of another claim; name another file", options.file.display()));
    }
    let threads = options.threads.or(thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let mut failed = None;
    let proved = prove(begun, threads, start + Duration::from_secs(options.seconds), |certificate| {
        let (settled, open) = progress(certificate);
        let (weights, seconds) = (certificate.weights.len(), start.elapsed().as_secs());
        eprintln!("settled cases: {settled}, by {weights} weightings; open: {open}; {seconds} s");
        failed = save(certificate, &options.file).err().or(failed.take());
    });
    let certificate = proved.map_err(|failure| match failure {
        Failure::Counterexample(counts) => format!(
            "not proved: hop counts within a window of radius {radius} do not exclude {} men; try a wider --radius",
            counts.army()
        ),
        Failure::Numerical(why) => format!("not proved: {why}"),
    })?;
    if let Some(failed) = failed {
        return Err(failed);
    }
    match progress(&certificate) {
        (_, 0) => checked(&certificate),
        (_, open) => Err(format!("time is up: {open} cases are open; repeat the command to resume")),
    }
}

/// Writes the file atomically, so that an interruption leaves the old or the new one.
fn save(certificate: &Certificate, file: &Path) -> Result<(), String> {
    let part = file.with_extension("part");
    let saved: io::Result<()> = fs::write(&part, certificate.to_string()).and_then(|()| fs::rename(&part, file));
    saved.map_err(|e| format!("cannot write {}: {e}", file.display()))
}
