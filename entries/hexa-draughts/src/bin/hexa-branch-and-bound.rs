//! hexa-branch-and-bound: the fewest men for a row, by integer programming over hop counts, 2026; after "The Minimum
//! Size Required of a Solitaire Army" by Bell, Hirschberg and Guerrero-García, 2007.
//!
//! Forget the order of hops: how often each is made, and where men start, are integers in linear balances, one a point
//! (`hexa_kit::program`). Branch and bound finds hop counts with ever fewer men; completed in a wider window and put into
//! order they are a game (`hexa_kit::find`). Then the same search looks for one man fewer, and proves for each of its
//! cases by weights of all points that there is none (`hexa_kit::prove`): the game is least, and standard error says so.
//!
//! What is proved: no game on the infinite board, in whatever order and with whatever hops, sideways and downwards too,
//! reaches the row with fewer men. The window is no assumption of the proof, only of the finding. The library's
//! floating-point arithmetic is not trusted: the weights are whole numbers, and checked as such.
//!
//! Cost: some dozen linear programs of 1,000 variables for row 6, some thousand of 2,000 for row 7. Good at: rows 1 to
//! 6, in seconds, and a game of 145 men for row 7 in 20 s. Bad at: proving that one least in a contest's time;
//! `hexa-certificate` does so with threads and a file. Rows that cannot be reached: it answers with its game for row 6,
//! which gets as far as row 6.
//!
//! Chosen: windows as small as the proofs allow, four more than the row; above row 6, which needs depth, twice the row
//! and one.

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

/// The highest row that is within reach in seconds.
const SURE: i32 = 6;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Game {
    let limit = time_limit();
    let reserve = (limit / 10).clamp(Duration::from_millis(20).min(limit), Duration::from_secs(1));
    let deadline = Instant::now() + limit - reserve;
    let row = board.row;
    // The library looks at its own clock only, which starts anew with every relaxation; so the search is left alone in
    // a thread, and ends with the program at the latest.
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

/// Sends ever better games, and proves the last one least if there is time.
fn reach(row: i32, deadline: Instant, better: &Sender<Game>) {
    let mut best: Option<Game> = None;
    let found = find(row, deadline, |game| {
        eprintln!("row {row}: a game with {} men", game.men.len());
        // Nobody listens any more when time is up, and the program ends.
        if better.send(game.clone()).is_ok() {
            best = Some(game.clone());
        }
    });
    let why = match found {
        Ok((true, relaxations)) => format!("the search is over ({relaxations} relaxations)"),
        Ok((false, relaxations)) => format!("time is up ({relaxations} relaxations)"),
        Err(microlp::Error::Infeasible) => "hop counts alone exclude it".to_owned(),
        Err(error) => format!("the library gave up: {error}"),
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
            eprintln!("row {row}: not proved least, {} men may do by hop counts alone", counts.army());
        }
        Err(Failure::Numerical(why)) => eprintln!("row {row}: not proved least, {why}"),
    }
}
