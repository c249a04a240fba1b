//! Feeds an answer to the referee on a fixed board under both house rules: whole, in pieces, and byte by byte.
//! The pieces must not matter; every letter is one move; what is legal leaves every tile on the board once.

#![no_main]

use std::sync::LazyLock;

use judge_core::game::Puzzle;
use libfuzzer_sys::fuzz_target;

static PUZZLES: LazyLock<[Box<dyn Puzzle>; 2]> = LazyLock::new(|| {
    ["illegal", "noop"].map(|rule| {
        let board = b"FBCDE KAGHJ PLMIO UQRNT VWXS+";
        judge_fuzz::loyd(rule).parse(board).expect("the board is good")
    })
});

fuzz_target!(|answer: &[u8]| {
    for puzzle in &*PUZZLES {
        let (whole, positions) = judge_fuzz::rule_in_every_way(&**puzzle, answer);
        assert_eq!(positions, whole.score.moves + 1, "the first position and one a move");

        let letters = answer.iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
        match &whole.illegal {
            None => assert_eq!(whole.score.moves, letters),
            Some(illegal) => {
                assert_eq!(whole.score.moves + 1, illegal.index);
                assert!(illegal.index <= letters);
                assert!(!illegal.to_string().contains(char::is_control), "{illegal:?}");
            }
        }
        assert!(whole.score.tie_break <= whole.score.moves);
        // The parser refuses a board on which a tile is missing or stands twice.
        judge_fuzz::loyd("illegal").parse(whole.picture.one_line().as_bytes()).expect("still a board");
    }
});
