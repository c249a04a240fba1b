//! The one function that computes standings: rows, cells, figures and places of a contest, as a viewer sees them.

use super::judgements::is_pass_fail;
use super::part::Part;
use super::visible::Sight;
use super::{Board, Problem, icpc, together};

/// Computes the standings of a contest.
pub(super) fn standing(problems: &[Problem<'_>], sight: &Sight<'_>) -> Board {
    let parts: Vec<Part<'_>> = problems.iter().map(|problem| Part::new(*problem, sight)).collect();
    let Some(first) = parts.first() else { return Board::default() };
    let mut board = match &parts[..] {
        [only] => only.board(),
        several => together::board(several),
    };
    if is_pass_fail(first.problem.contents) {
        icpc::rank(&mut board, &parts, sight);
    }
    board
}
