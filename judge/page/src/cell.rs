//! A cell of a table: its text, its tint, and the link to its run.

use maud::{Markup, html};

use super::best::Best;
use judge_core::legend;
use judge_core::results::Results;
use judge_core::score::RunCell;

/// A run by the indices of its source, its entry and its board.
pub(super) type RunIndex = (usize, usize, usize);

/// Renders the cell of a run; an empty cell for a run that is not planned. `optional` cells are hidden on a phone.
pub(super) fn td(run: RunIndex, cell: &RunCell, best: Option<Best>, optional: bool) -> Markup {
    let (shown, full) = (text(cell), legend::cell(cell));
    html! {
        td class={ (classes(cell, best)) @if optional { " optional" } } data-key=[(shown != full).then_some(full)] {
            @if !cell.not_planned { (link(run, &shown)) }
        }
    }
}

/// Renders a link that opens a run.
pub(super) fn link((k, e, b): RunIndex, text: &str) -> Markup {
    html! { a class="cell" href={ "#cell-" (k) "-" (e) "-" (b) } { (text) } }
}

/// Returns the text of a cell. If its answer solves the board, the progress is left out: it would be the same number in
/// every such cell.
pub(super) fn text(cell: &RunCell) -> String {
    let full = legend::cell(cell);
    match full.split_once('/') {
        Some((_, moves)) if solved(cell) => moves.to_owned(),
        _ => full,
    }
}

/// Returns true if the answer of a cell is known to solve its board.
pub(super) fn solved(cell: &RunCell) -> bool {
    !cell.is_scored() && cell.solves()
}

/// Returns the moves of an answer that solves its board.
pub(super) fn moves(cell: &RunCell) -> Option<u64> {
    cell.compared().and_then(|moves| u64::try_from(moves.units()).ok())
}

/// Returns true if it is unknown whether an answer solves its board: a table contains its progress, but not the progress of
/// a solution.
pub(super) fn unknown(cell: &RunCell) -> bool {
    cell.may_solve() && !cell.is_scored() && !cell.valid
}

fn classes(cell: &RunCell, best: Option<Best>) -> &'static str {
    match best.and_then(|best| best.steps(cell)) {
        Some(0) => return "figure best",
        Some(step) if cell.solved.is_none() || cell.is_scored() || cell.valid || solved(cell) => {
            return ["figure near-1", "figure near-2", "figure near-3", "figure near-4"][step - 1];
        }
        _ => {}
    }
    // A judge error is no failure of the entry.
    match (cell.judged(), cell.code, cell.solved) {
        (true, Some(_), _) => "figure failed",
        (true, None, Some(_)) if !cell.is_scored() && !cell.valid && !solved(cell) => "figure short",
        _ => "figure",
    }
}

/// Returns the kind of sorting of cells.
pub(super) fn sorting(results: &Results) -> &'static str {
    match &results.scoring {
        // Accepted answers come before all other letters.
        scoring if scoring.accepts() => "text",
        scoring if scoring.cost.is_some() => "score",
        scoring => scoring.direction().name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::code::Code;
    use judge_core::points::Points;
    use judge_core::scoring::Scoring;

    fn cell(code: Option<Code>, progress: u64, of: Option<u64>) -> RunCell {
        let mut cell = RunCell::default();
        (cell.code, cell.full, cell.solved) = (code, of.map(Points::whole), of.map(|of| of == progress));
        cell.scoring = Some(Scoring::of_game("").into());
        cell.metrics.figures = [progress, 90].map(|figure| Some(Points::whole(figure))).into();
        cell
    }

    #[test]
    fn only_a_solved_board_is_its_moves_without_a_tint() {
        let shown = |cell: &RunCell| (text(cell), classes(cell, None));
        assert_eq!(shown(&cell(None, 25, Some(25))), ("90".into(), "figure"));
        let mut suspect = cell(None, 25, Some(25));
        suspect.suspect = true;
        assert_eq!(shown(&suspect), ("90?".into(), "figure"));
        assert_eq!(shown(&cell(None, 14, Some(25))), ("14/90".into(), "figure short"));
        assert_eq!(shown(&cell(Some(Code::TimedOut), 0, None)), ("0/TIM".into(), "figure failed"));
        // A table does not contain the goal of a board.
        assert_eq!(shown(&cell(None, 25, None)), ("25/90".into(), "figure"));
        assert_eq!(shown(&cell(Some(Code::JudgeError), 0, None)), ("-/JUD".into(), "figure"));
        let mut not_planned = RunCell::default();
        not_planned.not_planned = true;
        assert_eq!(shown(&not_planned).0, "");
    }

    #[test]
    fn a_shortened_cell_keeps_its_whole_text_for_sorting() {
        let markup = |cell: &RunCell| td((0, 1, 2), cell, None, false).into_string();
        assert!(markup(&cell(None, 25, Some(25))).contains("data-key=\"25/90\""));
        assert!(!markup(&cell(None, 14, Some(25))).contains("data-key"));
        assert!(markup(&cell(None, 14, Some(25))).contains("#cell-0-1-2"));
    }
}
