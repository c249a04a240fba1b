//! The only function that computes standings: rows, cells, figures and places of a contest for a viewer.

use judge_core::journal::ContestState;

use super::judgements::is_pass_fail;
use super::part::Part;
use super::visible::Visibility;
use super::{Board, icpc, together};
use crate::state::State;

/// Computes the standings of a contest over these problems, by their identifiers.
pub(super) fn standing(state: &State, contents: &ContestState, problems: &[&str], sight: &Visibility<'_>) -> Board {
    let parts: Vec<Part<'_>> = problems.iter().map(|problem| Part::new(state, contents, problem, sight)).collect();
    let mut board = match &parts[..] {
        [] => return Board::default(),
        [only] => only.board(),
        several => together::board(several, sight),
    };
    if is_pass_fail(contents) {
        icpc::rank(&mut board, &parts, sight);
    }
    figures_first(&mut board);
    let people = state.people();
    for row in board.rows.iter_mut().filter(|row| row.is_team) {
        if let Some(person) = people.get(&row.name) {
            (row.organisation, row.group) = (person.organisation.clone(), person.group.clone());
        }
    }
    board
}

/// Moves the figures that decide places before the columns of boards.
fn figures_first(board: &mut Board) {
    let is_board: Vec<bool> = board.columns.iter().map(|column| column.is_board).collect();
    fn moved<T>(all: &mut Vec<T>, is_board: &[bool]) {
        let (boards, mut figures): (Vec<_>, Vec<_>) = all.drain(..).zip(is_board).partition(|(_, is_board)| **is_board);
        figures.extend(boards);
        all.extend(figures.into_iter().map(|(one, _)| one));
    }
    moved(&mut board.columns, &is_board);
    board.rows.iter_mut().for_each(|row| moved(&mut row.cells, &is_board));
}
