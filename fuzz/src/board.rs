//! A board file of Loyd's Dilemma, and a fixed answer on every board that is accepted.
//!
//! What must hold: a drawn board reads back; an error names a place on the board.

use std::sync::LazyLock;

use judge_core::game::Game;
use judge_core::referee;

use crate::common::loyd;

/// All kinds of moves, and at the end five upwards in a row, which no board of five rows allows.
const ANSWER: &[u8] = b"tdrt lu\nuuuuu";

static GAME: LazyLock<Box<dyn Game>> = LazyLock::new(|| loyd("illegal"));

/// Reads the board. An accepted board, drawn in one line, reads back as the same board. An error names a place on the board
/// and has no control character.
pub fn check(board: &[u8]) {
    let puzzle = match GAME.parse(board) {
        Ok(puzzle) => puzzle,
        Err(refusal) => {
            assert!(!refusal.to_string().contains(char::is_control), "{refusal:?}");
            // One symbol too many is in a sixth row.
            assert!(refusal.row.is_none_or(|row| (1..=6).contains(&row)), "{refusal:?}");
            assert!(refusal.column.is_none_or(|column| (1..=5).contains(&column)), "{refusal:?}");
            return;
        }
    };
    let start = puzzle.start().picture();
    let again = GAME.parse(start.one_line().as_bytes()).expect("a board that was drawn can be read");
    assert_eq!(again.start().picture(), start);

    let ruling = referee::rule(&*puzzle, ANSWER).expect("memory can be read");
    assert!(ruling.illegal.is_some(), "the empty spot cannot sink five rows");
    assert_eq!(ruling.picture.draw().lines().count(), 5);
}
