//! ufo-recover: recovers the boards of the article's Figs. 1 to 11, whose pictures are lost, from the text.
//!
//! A tool, not an entry of a contest. It reads the printed statements about each board from
//! `tests-boards/ufo/printed.toml`: answers, their number, unsolvable placements, insignificant pieces. It prints every
//! configuration that satisfies all of them. The search is exhaustive: if one board is printed, no other fits.
//!
//! Method: the program replays the printed answers on an empty board and places a piece only if the replay needs one, on
//! every possible square (`ufo_kit::recover::complete`). It solves the few thousand boards that remain.
//! Cost: some seconds for all 43 configurations, most of them for the problems with five number pieces on the cross.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use ufo_kit::recover::printed::Printed;
use ufo_kit::recover::{Recovery, recover};

/// Recover boards from printed statements about them
#[derive(Parser)]
struct Arguments {
    /// TOML file with the printed statements
    printed: PathBuf,
    /// Write the first board that fits into this folder, one board file per printed placement
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
        print(&recovery);
        let Some(folder) = &arguments.write else { continue };
        for (name, board) in recovery.boards() {
            let file = folder.join(name).with_extension("txt");
            fs::write(&file, board.to_string()).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        }
    }
    Ok(())
}

/// Prints the number of boards that passed each check, and the boards that passed all.
fn print(recovery: &Recovery<'_>) {
    // `reached` counts the boards by their last stage; boards with a later stage passed this one too.
    let passed: Vec<String> =
        (0..recovery.reached.len()).map(|stage| recovery.reached[stage..].iter().sum::<usize>().to_string()).collect();
    let [playable, best, significant, placements, all] = passed.as_slice() else { return };
    println!(
        "{}: boards with playable answers: {playable}, with best answers: {best}, with right significance: \
         {significant}, with right placements: {placements}, with right counts: {all}; in the article's form and as \
         marked: {}",
        recovery.configuration.name,
        recovery.fits.len(),
    );
    for board in &recovery.fits {
        println!("{board}");
    }
}
