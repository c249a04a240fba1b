//! The program `house-check`: accepts or refuses claims about the least number of moves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use house_check::{Limits, Verdict, check_certificate, check_claim};

/// Check lower bounds on the moves of boards of Loyd's Dilemma, without code of the programs that claim them
///
/// Exit codes: 0 accepted; 1 refused; 2 invalid arguments or unreadable files; 3 not finished within --seconds.
#[derive(Debug, Parser)]
#[command(name = "house-check", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check certificates that `house --certificate` wrote
    Certificate {
        /// Certificates.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        effort: Effort,
    },
    /// Check that no answer to a board has fewer than MOVES moves
    Claim {
        /// Board file.
        board: PathBuf,
        /// The claim.
        moves: u8,
        #[command(flatten)]
        effort: Effort,
    },
}

#[derive(Debug, Args)]
struct Effort {
    /// Stop searching after this time and print what was checked; by default, never.
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Number of threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Keep the progress of an unfinished check in FILE.check, and go on from there. What that file says is trusted.
    #[arg(long)]
    resume: bool,
}

impl Effort {
    fn limits(&self, file: &Path) -> Limits {
        let kept = || {
            let mut name = file.as_os_str().to_owned();
            name.push(".check");
            name.into()
        };
        Limits {
            threads: self.threads.into(),
            time: self.seconds.map(Duration::from_secs),
            progress: self.resume.then(kept),
        }
    }
}

/// Exit codes; of several files the highest counts.
const REFUSED: u8 = 1;
const UNREADABLE: u8 = 2;
const UNFINISHED: u8 = 3;

fn main() -> ExitCode {
    let worst = match Cli::parse().command {
        Command::Certificate { files, effort } => {
            let check = |file: &PathBuf| {
                report(file, |text| check_certificate(text, &effort.limits(file), &mut |line| eprintln!("{line}")))
            };
            files.iter().map(check).max()
        }
        Command::Claim { board, moves, effort } => Some(report(&board, |text| {
            check_claim(text, moves, &effort.limits(&board), &mut |line| eprintln!("{line}"))
        })),
    };
    ExitCode::from(worst.unwrap_or(0))
}

/// Checks one file and prints the result; returns the exit code.
fn report(file: &Path, check: impl Fn(&str) -> Result<Verdict, String>) -> u8 {
    let name = file.display();
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("cannot read {name}: {error}");
            return UNREADABLE;
        }
    };
    match check(&text) {
        Ok(verdict) => {
            let answer = match verdict.moves {
                Some(moves) if moves == usize::from(verdict.checked) => {
                    format!("; the answer of {moves} moves is shortest")
                }
                Some(moves) => format!("; the answer of {moves} moves is legal"),
                None => String::new(),
            };
            if verdict.complete() {
                println!("{name}: accepted: no answer has fewer than {} moves{answer}", verdict.claimed);
                return 0;
            }
            let Verdict { claimed, checked, .. } = verdict;
            println!("{name}: time is up: no answer has fewer than {checked} moves{answer}; {claimed} is not checked");
            UNFINISHED
        }
        Err(reason) => {
            println!("{name}: refused: {reason}");
            REFUSED
        }
    }
}
