//! An answer on a fixed board of Loyd's Dilemma, under both house rules.
//!
//! What must hold: every way to replay it gives the same ruling; one move per letter.

use std::sync::LazyLock;

use judge_core::game::Puzzle;

use crate::common::{loyd, rule_in_every_way};

static PUZZLES: LazyLock<[Box<dyn Puzzle>; 2]> = LazyLock::new(|| {
    ["illegal", "noop"].map(|rule| {
        let board = b"FBCDE KAGHJ PLMIO UQRNT VWXS+";
        loyd(rule).parse(board).expect("the board is good")
    })
});

/// Replays the answer whole, in pieces, and move by move. Every letter is one move, and legal moves leave every tile on the
/// board once.
pub fn check(answer: &[u8]) {
    for puzzle in &*PUZZLES {
        let (whole, positions) = rule_in_every_way(&**puzzle, answer);
        assert_eq!(positions, whole.score.moves + 1, "the first position and one per move");

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
        // The parser refuses a board on which a tile is missing or duplicate.
        loyd("illegal").parse(whole.picture.one_line().as_bytes()).expect("still a board");
    }
}
