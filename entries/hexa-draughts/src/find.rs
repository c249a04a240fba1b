//! The finding of games: hop counts from the open program, made whole in a closed window, put into order.
//!
//! The open program is the better guide, for its window can be small. Near the goal, where hops weigh most, its counts
//! are kept; the rest is searched anew in a wider window that is closed. What comes out of that has mostly as many men,
//! and any order will do.

use std::time::{Duration, Instant};

use microlp::Error;

use crate::branch::{Ended, Search};
use crate::game::Game;
use crate::order::playable;
use crate::program::{Counts, Program, radius};
use crate::tree::{Bounds, Tree};

/// Games with more men than this are not looked for.
const MOST_MEN: u32 = 1000;
/// How much wider the closed window is than the open one.
const WIDER: i32 = 3;
/// By how much less than the window's radius the distances are within which hops keep their counts; the boldest first.
const KEPT: [i32; 3] = [4, 6, 8];
/// The part of the time that is left which one attempt to close a solution may take.
const PART: u32 = 8;

/// Looks for games to `row` with ever fewer men and hands them to `better`, until no one can have fewer or the deadline.
/// Whether it has been through with all, and how many relaxations it solved.
///
/// # Errors
/// If the library gives up.
pub fn find(row: i32, deadline: Instant, mut better: impl FnMut(&Game)) -> Result<(bool, u64), Error> {
    let open = Program::open(row, radius(row));
    let mut within = 0;
    let mut search = Search::new(&open, MOST_MEN, |counts| {
        let game = KEPT.into_iter().find_map(|kept| {
            let left = deadline.saturating_duration_since(Instant::now());
            let (game, relaxations) = close(row, counts, radius(row) - kept, left / PART);
            within += relaxations;
            game
        })?;
        better(&game);
        u32::try_from(game.men.len()).ok()?.checked_sub(1)
    });
    let cases = search.run(&Bounds::new(), deadline)?;
    let relaxations = search.relaxations;
    let mut complete = true;
    cases.visit(&mut |case, _| complete &= *case != Tree::Leaf(Ended::Open));
    Ok((complete, relaxations + within))
}

/// The first game found in a closed window whose hops landing within `kept` of the goal are those of `counts`.
fn close(row: i32, counts: &Counts, kept: i32, time: Duration) -> (Option<Game>, u64) {
    let closed = Program::round(row, radius(row) + WIDER, counts, kept);
    let mut found = None;
    let mut search = Search::new(&closed, MOST_MEN, |counts| {
        found = playable(counts.men.clone(), &counts.hops);
        // With one game there is nothing more to look for: no army has fewer than no men.
        found.as_ref().map(|_| 0)
    });
    // What the library cannot solve yields no game.
    let searched = search.run(&Bounds::new(), Instant::now() + time);
    let relaxations = search.relaxations;
    drop(searched);
    (found, relaxations)
}
