//! The names of rows, and the headings of boards.

use judge_core::legend::NOT_COMPETING;
use judge_core::results::BoardHead;
use judge_core::score::Row;
use judge_core::text::printable;

/// The name of an entry, with a mark if it does not compete.
pub(super) fn name(row: &Row) -> String {
    let mark = if row.entry.competing { String::new() } else { format!(" {NOT_COMPETING}") };
    format!("{}{mark}", printable(&row.entry.name))
}

pub(super) fn heading(board: &BoardHead) -> String {
    printable(&board.marked())
}
