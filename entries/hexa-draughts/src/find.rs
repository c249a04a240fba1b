//! The finding of games: hop counts from the open program, made whole in a closed window, put into order.
//!
//! The open program is the better guide, for its window can be small. Near the goal, where hops weigh most, its counts
//! are kept; the rest is searched anew in a wider window that is closed. What comes out of that has mostly as many men,
//! and any order will do.

use std::time::{Duration, Instant};

use microlp::Error;

use crate::branch::{Choice, Ended, Search};
use crate::game::Game;
use crate::order::playable;
use crate::program::{Counts, Program, radius};
use crate::tree::{Bounds, Tree};

/// The first search allows for so small a part of the linear bound more men than that, a man at least; each further one
/// for twice as many. The fewer are allowed, the sooner a wrong turn shows.
const ALLOWANCE: u32 = 64;
/// How much wider the closed window is than the open one.
const WIDER: i32 = 3;
/// By how much less than the window's radius the distances are within which hops keep their counts; the boldest first.
const KEPT: [i32; 3] = [4, 6, 8];
/// The part of the time that is left which one attempt to close a solution may take.
const PART: u32 = 16;

/// Looks for games to `row` with ever fewer men and hands them to `better`, until none can have fewer or the deadline.
/// Whether it has been through with all, and how many relaxations it solved.
///
/// # Errors
/// If the library gives up.
pub fn find(row: i32, deadline: Instant, mut better: impl FnMut(&Game)) -> Result<(bool, u64), Error> {
    let open = Program::open(row, radius(row));
    let mut relaxations = 0;
    let Some(bound) = open.bound(deadline)? else {
        return Ok((false, relaxations));
    };
    let mut allowance = bound.div_ceil(ALLOWANCE);
    loop {
        let mut best = None;
        let mut within = 0;
        let mut search = Search::new(&open, bound + allowance, Choice::Nearest, |counts| {
            let fewest = best.unwrap_or(bound + 2 * allowance + 1);
            let men = KEPT.into_iter().find_map(|kept| {
                let time = deadline.saturating_duration_since(Instant::now()) / PART;
                let (game, solved) = close(row, counts, radius(row) - kept, fewest - 1, time);
                within += solved;
                better(game.as_ref()?);
                u32::try_from(game?.men.len()).ok()
            });
            best = men.or(best);
            men?.checked_sub(1)
        });
        let cases = search.run(&Bounds::new(), deadline)?;
        relaxations += search.relaxations;
        relaxations += within;
        let mut complete = true;
        cases.visit(&mut |case, _| complete &= *case != Tree::Leaf(Ended::Open));
        if best.is_some() || !complete {
            return Ok((complete, relaxations));
        }
        allowance *= 2;
    }
}

/// The first game found in a closed window, with at most `most` men, whose hops landing within `kept` of the goal are
/// those of `counts`; and how many relaxations that took.
fn close(row: i32, counts: &Counts, kept: i32, most: u32, time: Duration) -> (Option<Game>, u64) {
    let closed = Program::round(row, radius(row) + WIDER, counts, kept);
    let mut found = None;
    let mut search = Search::new(&closed, most, Choice::Nearest, |counts| {
        found = playable(counts.men.clone(), &counts.hops);
        // With one game there is nothing more to look for: no army has no men.
        found.as_ref().map(|_| 0)
    });
    let searched = search.run(&Bounds::new(), Instant::now() + time);
    let relaxations = search.relaxations;
    // What the library cannot solve yields no game.
    (if searched.is_ok() { found } else { None }, relaxations)
}
