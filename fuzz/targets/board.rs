//! Feeds a board file to the parser, and plays a fixed answer on what it accepts.
//! The position drawn in one line is the same board; a refusal names a place on the board and steers no terminal.

#![no_main]

use std::sync::LazyLock;

use judge_core::game::Game;
use judge_core::referee;
use libfuzzer_sys::fuzz_target;

/// Every move there is, and in the end five upwards in a row, which no board of five rows allows.
const ANSWER: &[u8] = b"tdrt lu\nuuuuu";

static GAME: LazyLock<Box<dyn Game>> = LazyLock::new(|| judge_fuzz::loyd("illegal"));

fuzz_target!(|board: &[u8]| {
    let puzzle = match GAME.parse(board) {
        Ok(puzzle) => puzzle,
        Err(refusal) => {
            assert!(!refusal.to_string().contains(char::is_control), "{refusal:?}");
            // One symbol too many stands in a sixth row.
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
});
