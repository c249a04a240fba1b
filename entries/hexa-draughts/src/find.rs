//! Search for games: hop counts of the open program, completed in a closed window and put into order.
//!
//! The open program works with a smaller window. Its counts are kept near the goal, where hops have the largest weight.
//! The other counts are searched again in a wider, closed window. The result usually has the same number of men, and any
//! playable order is accepted.

use std::time::{Duration, Instant};

use microlp::Error;

use crate::branch::{Branching, CaseResult, Search};
use crate::game::Game;
use crate::order::playable;
use crate::program::{Counts, Program, radius};
use crate::tree::{Bounds, Tree};

/// The first search allows the linear bound divided by this as additional men, at least one; each further search doubles
/// the allowance. A small allowance excludes bad branches sooner.
const ALLOWANCE_DIVISOR: u32 = 64;
/// The difference of the radii of the closed and the open window.
const WIDER: i32 = 3;
/// Hops within the open window's radius minus one of these distances keep their counts; the largest area is tried first.
const KEPT: [i32; 3] = [4, 6, 8];
/// One attempt to complete a solution may take the remaining time divided by this.
const TIME_DIVISOR: u32 = 16;

/// Searches for games to `row` and passes each one with fewer men to `better`, until there are no better ones or the
/// deadline passes. Returns true if the search was complete, and the number of relaxations solved.
///
/// # Errors
/// If the library fails.
pub fn find(row: i32, deadline: Instant, mut better: impl FnMut(&Game)) -> Result<(bool, u64), Error> {
    let open = Program::open(row, radius(row));
    let mut relaxations = 0;
    let Some(bound) = open.bound(deadline)? else {
        return Ok((false, relaxations));
    };
    let mut allowance = bound.div_ceil(ALLOWANCE_DIVISOR);
    loop {
        let mut best = None;
        let mut within = 0;
        let mut search = Search::new(&open, bound + allowance, Branching::Nearest, |counts| {
            let fewest = best.unwrap_or(bound + 2 * allowance + 1);
            let men = KEPT.into_iter().find_map(|kept| {
                let time = deadline.saturating_duration_since(Instant::now()) / TIME_DIVISOR;
                let (game, solved) = complete_counts(row, counts, radius(row) - kept, fewest - 1, time);
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
        cases.visit(&mut |case, _| complete &= *case != Tree::Leaf(CaseResult::Open));
        if best.is_some() || !complete {
            return Ok((complete, relaxations));
        }
        allowance *= 2;
    }
}

/// Finds a game in a closed window with at most `most` men and the counts of `counts` for hops that land within `kept` of
/// the goal. Also returns the number of relaxations solved.
fn complete_counts(row: i32, counts: &Counts, kept: i32, most: u32, time: Duration) -> (Option<Game>, u64) {
    let closed = Program::closed_with_counts(row, radius(row) + WIDER, counts, kept);
    let mut found = None;
    let mut search = Search::new(&closed, most, Branching::Nearest, |counts| {
        found = playable(counts.men.clone(), &counts.hops);
        // One game is enough; a limit of 0 men ends the search.
        found.as_ref().map(|_| 0)
    });
    let searched = search.run(&Bounds::new(), Instant::now() + time);
    let relaxations = search.relaxations;
    // If the library fails there is no game.
    (if searched.is_ok() { found } else { None }, relaxations)
}
