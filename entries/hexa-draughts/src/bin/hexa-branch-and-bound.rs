//! hexa-branch-and-bound: the fewest men for a row by integer programming over hop counts, 2026; after "The Minimum Size
//! Required of a Solitaire Army" by Bell, Hirschberg and Guerrero-García, 2007.
//!
//! The order of hops is ignored. The counts of hops and the start points of men are integers that satisfy one linear
//! balance per point (`hexa_kit::program`). Branch and bound finds hop counts with fewer and fewer men. Completed in a
//! wider window and put into order, they are a game (`hexa_kit::find`). Then the same search looks for a solution with
//! one man fewer. It refutes each case by weights of all points (`hexa_kit::prove`). If it refutes all cases, the game is
//! proved least, and a message on standard error confirms it.
//!
//! The proof covers every game on the infinite board, with hops in any order and any direction, sideways and downwards
//! included. The window limits only the search for games, not the proof. The proof does not rely on the library's
//! floating-point arithmetic: the weights are integers and are checked in integer arithmetic.
//!
//! Cost: some dozen linear programs of 1,000 variables for row 6, some thousand of 2,000 for row 7. Good at: rows 1 to 6
//! in seconds, and a game of 145 men for row 7 in 20 s. Bad at: proving the game for row 7 least in a contest's time;
//! `hexa-certificate` searches for proofs with several threads and saves them in a file. For unreachable rows the answer
//! is the game for row 6.
//!
//! Chosen here: windows as small as the proofs allow. The radius is the row plus four; above row 6, which needs depth,
//! twice the row plus one.

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use entry_common::{enter, time_limit};
use hexa_kit::find::find;
use hexa_kit::program::radius;
use hexa_kit::prove::{Failure, progress, prove, unproved};
use hexa_kit::{Board, Game};

/// The highest row that is solved in seconds.
const SURE: i32 = 6;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Game {
    let limit = time_limit();
    let reserve = (limit / 10).clamp(Duration::from_millis(20).min(limit), Duration::from_secs(1));
    let deadline = Instant::now() + limit - reserve;
    let row = board.row;
    // The library restarts its time limit with every relaxation. So the search runs in a detached thread, which ends with
    // the process at the latest.
    let (better, games) = mpsc::channel();
    thread::spawn(move || {
        reach(row.min(SURE), deadline, &better);
        if row > SURE {
            reach(row, deadline, &better);
        }
    });
    let mut game = Game::default();
    loop {
        match games.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(found) => game = found,
            Err(RecvTimeoutError::Disconnected) => return game,
            Err(RecvTimeoutError::Timeout) => {
                eprintln!("row {row}: time is up");
                return game;
            }
        }
    }
}

/// Sends each better game, and proves the last one least if there is time.
fn reach(row: i32, deadline: Instant, better: &Sender<Game>) {
    let mut best: Option<Game> = None;
    let found = find(row, deadline, |game| {
        eprintln!("row {row}: a game with {} men", game.men.len());
        // If time is up, the receiver is gone and the process is about to end.
        if better.send(game.clone()).is_ok() {
            best = Some(game.clone());
        }
    });
    let why = match found {
        Ok((true, relaxations)) => format!("the search is complete ({relaxations} relaxations)"),
        Ok((false, relaxations)) => format!("time is up ({relaxations} relaxations)"),
        Err(microlp::Error::Infeasible) => "hop counts alone exclude it".to_owned(),
        Err(error) => format!("the library failed: {error}"),
    };
    let Some(game) = best else {
        eprintln!("row {row}: no game found, {why}");
        return;
    };
    eprintln!("row {row}: the fewest men found are {}, {why}", game.men.len());
    let men = u32::try_from(game.men.len()).expect("an army is small");
    match prove(unproved(row, radius(row), men), NonZero::<usize>::MIN, deadline, |_| ()) {
        Ok(certificate) => match certificate.check() {
            Ok(cases) => eprintln!("row {row}: proved least: M({row}) = {men} on the infinite board, in {cases} cases"),
            Err(_) => {
                eprintln!("row {row}: not proved least, {} cases settled before time was up", progress(&certificate).0)
            }
        },
        Err(Failure::Counterexample(counts)) => {
            eprintln!("row {row}: not proved least, hop counts alone do not exclude {} men", counts.army());
        }
        Err(Failure::Numerical(why)) => eprintln!("row {row}: not proved least, {why}"),
    }
}
