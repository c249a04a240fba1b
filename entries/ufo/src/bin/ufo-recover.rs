//! ufo-recover: the boards of the article's Figs. 1 to 11, whose pictures are lost, found again from its text.
//!
//! No entry of a contest but a tool: it reads what is printed about each board (`tests-boards/ufo/printed.toml`:
//! answers, how many there are, which placements have none, which piece is insignificant), goes through every
//! configuration of which that may be true, and prints all that fit. The search is exhaustive: where one board
//! comes out, no other fits.
//!
//! Method: the printed answers are replayed on an empty board, and a piece is put down only where the replay asks for
//! one, in every possible way (`ufo_kit::recover::complete`). The few thousand boards that are left are solved.
//! Cost: some seconds for all 43 configurations, most of them for the problems with five number pieces on the cross.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use ufo_kit::recover::printed::Printed;
use ufo_kit::recover::{Recovery, recover};

/// Find boards again from what is printed about them
#[derive(Parser)]
struct Arguments {
    /// What is printed: a TOML file
    printed: PathBuf,
    /// Write the first board that fits as a board file into this folder, with each placement that is asked for
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let path = arguments.printed.display();
    let text = fs::read_to_string(&arguments.printed).map_err(|error| format!("cannot read {path}: {error}"))?;
    let printed: Printed = text.parse().map_err(|reason| format!("{path}: {reason}"))?;
    for recovery in recover(&printed) {
        tell(&recovery);
        let Some(folder) = &arguments.write else { continue };
        for (name, board) in recovery.boards() {
            let file = folder.join(name).with_extension("txt");
            fs::write(&file, board.to_string()).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
    }
    Ok(())
}

/// Prints how many boards passed each check, and those that passed all.
fn tell(recovery: &Recovery<'_>) {
    // Each stage holds those that got just so far; whoever got further passed it too.
    let passed: Vec<String> =
        (0..recovery.reached.len()).map(|stage| recovery.reached[stage..].iter().sum::<usize>().to_string()).collect();
    let [playable, best, significant, placements, all] = passed.as_slice() else { return };
    println!(
        "{}: answers playable on {playable} boards, best on {best}, significance right on {significant}, placements on \
         {placements}, counts on {all}; {} printed the article's way and as marked",
        recovery.configuration.name,
        recovery.fits.len(),
    );
    for board in &recovery.fits {
        println!("{board}");
    }
}
