//! What an event may not ask of a contest. The errors are fragments.

use super::index::{BOARD, check_name};
use crate::plan::{Entry, Plan, REPEATS, RankKey, RoundPlan};

/// Refuses a ranking by a figure that the contest does not have: its tables could not be read again.
pub(super) fn check_ranking(plan: &Plan, ranking: &[RankKey], rounds: &[RoundPlan]) -> Result<(), String> {
    let figures = plan.figures();
    let mut keys = ranking.iter().chain(rounds.iter().flat_map(|round| &round.tie_on));
    let unknown = keys.find_map(|key| match key {
        RankKey::Figure(name) if figures.index(name).is_none() => Some(name),
        _ => None,
    });
    unknown.map_or(Ok(()), |name| Err(format!("the contest has no figure `{name}`, by which it ranks")))
}

/// Refuses a board whose name does not begin with the identifier of a problem, if problems have one.
pub(super) fn check_board(plan: &Plan, board: &str) -> Result<(), String> {
    check_name(BOARD, board)?;
    if !plan.problems.are_named() && board.contains('/') {
        return Err(format!("board name {board:?} is not usable"));
    }
    plan.problems.of(board).map_or_else(|| Err(format!("board {board} is of no problem of the contest")), |_| Ok(()))
}

/// Refuses an entry for problems that the contest does not have.
pub(super) fn check_problems(plan: &Plan, Entry { name, problems, .. }: &Entry) -> Result<(), String> {
    let unknown = problems.iter().find(|id| plan.problems.with_id(id).is_none());
    unknown.map_or(Ok(()), |id| Err(format!("entry {name} is for problem `{id}`, which the contest does not have")))
}

pub(super) fn check_repeat(repeat: u32) -> Result<(), String> {
    if REPEATS.contains(&repeat) {
        Ok(())
    } else {
        Err(format!("repeat is {repeat}; it must be 1 to {}", REPEATS.end()))
    }
}
