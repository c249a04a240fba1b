//! hexa-certificate: proofs that an army is too small, as files, and their check in whole numbers, 2026.
//!
//! No entry of a contest but a tool. `prove 7 --men 145 FILE` writes a certificate that no game to row 7 has fewer than
//! 145 men: branch and bound over hop counts (`hexa_kit::branch`), and in each case weights that refute it
//! (`hexa_kit::weights`). The file is written again after each round; the same command goes on with it. `prove 8
//! --unreachable FILE` writes the pagoda function that no army reaches row 8 for. `check FILE` trusts neither: it reads
//! the file and goes over it in whole numbers (`hexa_kit::certificate`).
//!
//! Exit codes: 0 proved or checked; 1 not proved, or not a proof; 2 bad usage.

use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use hexa_kit::certificate::{Certificate, Claim, End, Frame, Weights};
use hexa_kit::program;
use hexa_kit::prove::{Failure, progress, prove, unproved};
use hexa_kit::tree::Tree;

/// Proofs about the solitaire army on the triangular lattice, as files.
#[derive(Parser)]
#[command(name = "hexa-certificate")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove that a row needs so many men, or is out of reach, and write the certificate.
    Prove(Prove),
    /// Check a certificate in whole numbers.
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
    /// The certificate. If the file is there, what it leaves open is gone on with.
    file: PathBuf,
    /// Prove that every army has at least so many men.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    men: Option<u32>,
    /// Prove that no army gets there.
    #[arg(long, conflicts_with = "men", required_unless_present = "men")]
    unreachable: bool,
    /// The radius of the window: a wider one can prove more, and takes longer.
    #[arg(long, conflicts_with = "unreachable", value_parser = clap::value_parser!(i32).range(0..=40))]
    radius: Option<i32>,
    /// End after so many seconds.
    #[arg(long, default_value_t = 7200)]
    seconds: u64,
    /// How many threads search; all processors if not told.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Prove(wanted) => write(&wanted),
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

/// No certificate is longer than so many bytes; a device may have no end.
const LONGEST: u64 = 256 << 20;

fn read(file: &Path) -> Result<Certificate, String> {
    let mut text = String::new();
    let opened = File::open(file).and_then(|opened| opened.take(LONGEST + 1).read_to_string(&mut text));
    let length = opened.map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    if length as u64 > LONGEST {
        return Err(format!("{} is no certificate: it is longer than 256 MiB", file.display()));
    }
    text.parse().map_err(|e| format!("{}: {e}", file.display()))
}

/// What a certificate proves, in a sentence.
fn checked(certificate: &Certificate) -> Result<String, String> {
    let cases = certificate.check()?;
    let row = certificate.frame.row;
    let claim = match certificate.claim {
        Claim::AtLeast(men) => format!("M({row}) >= {men}"),
        Claim::Unreachable => format!("no army reaches row {row}"),
    };
    let weights = certificate.weights.len();
    Ok(format!(
        "{claim} on the infinite board: {cases} cases refuted by {weights} weightings, checked in whole numbers"
    ))
}

fn write(wanted: &Prove) -> Result<String, String> {
    let start = Instant::now();
    let Some(men) = wanted.men else {
        // Weights by distance alone: none inside a window.
        let frame = Frame::new(wanted.row, 0);
        let weights = vec![Weights { tail: 1, window: Vec::new() }];
        let certificate = Certificate { claim: Claim::Unreachable, frame, weights, cases: Tree::Leaf(End::Weights(0)) };
        let proved = checked(&certificate).map_err(|e| format!("not proved: {e}"))?;
        return save(&certificate, &wanted.file).map(|()| proved);
    };
    let radius = wanted.radius.unwrap_or(program::radius(wanted.row));
    let fresh = unproved(wanted.row, radius, men);
    let begun = if wanted.file.exists() { read(&wanted.file)? } else { fresh.clone() };
    if (begun.claim, begun.frame.row, begun.frame.radius) != (fresh.claim, fresh.frame.row, fresh.frame.radius) {
        return Err(format!("{} is a certificate of something else: name another file", wanted.file.display()));
    }
    let threads = wanted.threads.or(thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let mut failed = None;
    let proved = prove(begun, threads, start + Duration::from_secs(wanted.seconds), |certificate| {
        let (settled, open) = progress(certificate);
        let (weights, seconds) = (certificate.weights.len(), start.elapsed().as_secs());
        eprintln!("cases settled: {settled}, by {weights} weightings; open: {open}; {seconds} s");
        failed = save(certificate, &wanted.file).err().or(failed.take());
    });
    let certificate = proved.map_err(|failure| match failure {
        Failure::Counterexample(counts) => format!(
            "not proved: with hop counts alone, and a window of radius {radius}, {} men would do; try a wider window",
            counts.army()
        ),
        Failure::Numerical(why) => format!("not proved: {why}"),
    })?;
    if let Some(failed) = failed {
        return Err(failed);
    }
    match progress(&certificate) {
        (_, 0) => checked(&certificate),
        (_, open) => Err(format!("time is up: {open} cases open; the same command goes on")),
    }
}

/// Writes beside the file first, so that a stop leaves the old or the new one.
fn save(certificate: &Certificate, file: &Path) -> Result<(), String> {
    let beside = file.with_extension("part");
    let saved: io::Result<()> = fs::write(&beside, certificate.to_string()).and_then(|()| fs::rename(&beside, file));
    saved.map_err(|e| format!("cannot write {}: {e}", file.display()))
}
