//! What the marks of a standings table mean: one home for every output that shows them.

use crate::results::Results;
use crate::score::{Cell, Row};
use crate::text::printable;
use crate::verdict::CODES;

/// Mark of an entry that takes no place.
pub const NOT_COMPETING: char = '†';
/// Mark of a run whose time is not to be trusted.
pub const SUSPECT: char = '?';

/// Mark of a verdict that was set by hand.
pub const RULED: char = '!';

/// A mark and what it means, both printable.
pub struct Mark {
    /// What stands in the table.
    pub sign: String,
    /// Its meaning, as a fragment.
    pub meaning: String,
}

/// The figures of a cell and of a total in the game's words: `tiles home/moves`, `tiles home/moves/transports`.
pub fn figures(results: &Results) -> (String, String) {
    let words = &results.headings;
    let [progress, moves, tie_break] = [&words.progress, &words.moves, &words.tie_break].map(|word| printable(word));
    (format!("{progress}/{moves}"), format!("{progress}/{moves}/{tie_break}"))
}

/// Every mark that the table shows, in the order of a legend.
pub fn marks(results: &Results) -> Vec<Mark> {
    let cells = || results.rows.iter().flat_map(|row| &row.cells);
    let shown = |code: &str| cells().any(|cell| cell.code == Some(code));
    let codes = CODES.iter().filter(|(code, _)| shown(code)).map(|&(code, meaning)| (code.to_owned(), meaning));
    let suspect = cells().any(|cell| cell.suspect);
    let ruled = cells().any(|cell| cell.ruled);
    let not_competing = results.rows.iter().any(|row| !row.entry.competing);
    let reconstruction = results.boards.iter().any(|board| board.reconstruction);
    let others = [
        (
            suspect,
            SUSPECT,
            "suspect: other processes interfered, so the time is unreliable; repeat such runs with --repeat-suspect",
        ),
        (ruled, RULED, "ruled by hand; the reason is in the notes"),
        (not_competing, NOT_COMPETING, "not competing: shown where it ranks, takes no place"),
        (reconstruction, '*', "a reconstruction, not the board of the original contest"),
    ];
    let others = others.into_iter().filter(|(shown, ..)| *shown).map(|(_, sign, meaning)| (sign.into(), meaning));
    codes.chain(others).map(|(sign, meaning)| Mark { sign, meaning: meaning.into() }).collect()
}

/// What else belongs below the table, as sentences: notes on boards, rows that take no place yet.
pub fn board_notes(results: &Results) -> impl Iterator<Item = String> {
    results
        .boards
        .iter()
        .filter_map(|board| Some(format!("{}: {}", printable(&board.marked()), printable(board.note.as_ref()?))))
}

/// The rows that take no place, or none yet, and why.
pub fn incomplete(results: &Results) -> impl Iterator<Item = String> {
    let sentence = |row: &Row| {
        if let Some(why) = &row.entry.withdrawn {
            return format!("{} is withdrawn and takes no place: {}", printable(&row.entry.name), printable(why));
        }
        let judged = row.cells.iter().filter(|cell| cell.judged()).count();
        let (entry, boards) = (printable(&row.entry.name), row.cells.len());
        format!("{entry} takes no place yet: judged on {judged} of {boards} boards")
    };
    results.rows.iter().filter(|row| row.entry.withdrawn.is_some() || !row.complete()).map(sentence)
}

/// The text of a cell with its mark.
pub fn cell(cell: &Cell) -> String {
    let marks = [(cell.suspect, SUSPECT), (cell.ruled, RULED)];
    cell.text() + &marks.into_iter().filter_map(|(shown, mark)| shown.then_some(mark)).collect::<String>()
}
