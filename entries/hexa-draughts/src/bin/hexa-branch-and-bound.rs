//! hexa-branch-and-bound: the fewest men for a row, by integer programming over hop counts, 2026; after "The Minimum
//! Size Required of a Solitaire Army" by Bell, Hirschberg and Guerrero-García, 2007.
//!
//! Forget the order of hops: how often each is made, and where men start, are integers in linear balances, one a point
//! (`hexa_kit::program`). Branch and bound inside a window finds hop counts with ever fewer men; a search for their order
//! turns them into a game. Then the same search over a relaxation for the infinite board looks for one man fewer.
//! Where it finds nothing, the game is proved least, and standard error says so.
//!
//! What is proved: no game on the infinite board, in whatever order and with whatever hops, sideways and downwards too,
//! reaches the row with fewer men. The window is no assumption of the proof, only of the finding: what lies outside is
//! kept as one aggregated balance, weighted by a pagoda function. What is assumed: the library's floating-point arithmetic,
//! trusted to 0.00001 of a man; a bound counts only where it exceeds a whole number by more.
//!
//! Cost: some hundred linear programs of 1,500 variables for row 6. Good at: rows 1 to 6, in seconds. Bad at: row 7, where
//! the gap between the linear bound (94) and the optimum (145) is wide; there, and for rows that cannot be reached, it
//! answers with its game for row 6 when time is up, which gets as far as row 6.
//!
//! Chosen: the window's radius, four more than the row: the least that holds a game of 36 men for row 6. Above row 6,
//! which needs depth, twice the row and one.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use entry_frame::{enter, time_limit};
use hexa_kit::branch::{Ended, Search};
use hexa_kit::order::playable;
use hexa_kit::program::{Kind, Program};
use hexa_kit::{Board, Game};

/// More men than this are not looked for.
const MOST_MEN: u32 = 1000;
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
    let radius = if row <= SURE { row + 4 } else { 2 * row + 1 };
    let mut best: Option<Game> = None;
    let closed = Program::closed(row, radius);
    let mut find = Search::new(&closed, MOST_MEN, deadline, |counts| {
        let game = game(counts)?;
        // Nobody listens any more when time is up.
        better.send(game.clone()).ok()?;
        let men = fewer(&game);
        best = Some(game);
        Some(men)
    });
    let found = find.run();
    let relaxations = find.relaxations;
    let Some(game) = best else {
        eprintln!("row {row}: no game found, {} ({relaxations} relaxations)", why(&found));
        return;
    };
    let men = game.men.len();
    eprintln!("row {row}: a game with {men} men, {} ({relaxations} relaxations)", why(&found));

    let open = Program::open(row, radius);
    let mut least = men;
    let mut prove = Search::new(&open, fewer(&game), deadline, |counts| {
        least = counts.iter().filter(|(kind, _)| !matches!(kind, Kind::Hop(_))).map(|&(_, count)| count as usize).sum();
        u32::try_from(least).ok()?.checked_sub(1)
    });
    let proved = prove.run();
    let relaxations = prove.relaxations;
    match &proved {
        Ok(Ended::Complete) if least == men => {
            eprintln!("row {row}: proved least: M({row}) = {men} on the infinite board ({relaxations} relaxations)");
        }
        Ok(Ended::Complete) => eprintln!("row {row}: at least {least} men ({relaxations} relaxations)"),
        ended => eprintln!("row {row}: not proved least, {} ({relaxations} relaxations)", why(ended)),
    }
}

/// How a search ended, for people.
fn why(ended: &Result<Ended, microlp::Error>) -> String {
    match ended {
        Ok(Ended::Complete) => "the search is over".to_owned(),
        Ok(Ended::OutOfTime) => "time is up".to_owned(),
        Err(error) => format!("the library gave up: {error}"),
    }
}

/// One man fewer than the game has.
fn fewer(game: &Game) -> u32 {
    u32::try_from(game.men.len()).expect("an army is small").saturating_sub(1)
}

/// The counts as a game, if an order is found.
fn game(counts: &[(Kind, u32)]) -> Option<Game> {
    let mut men = BTreeSet::new();
    let mut hops = BTreeMap::new();
    for &(kind, count) in counts {
        match kind {
            Kind::Man(point) => {
                men.insert(point);
            }
            Kind::Hop(hop) => {
                hops.insert(hop, count);
            }
            Kind::Outside => return None,
        }
    }
    playable(men, &hops)
}
