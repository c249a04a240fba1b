//! Feeds an answer to the referee on a fixed board under both house rules: whole, in pieces, and byte by byte.
//! The pieces must not matter; every letter is one move; what is legal leaves every tile on the board once.

#![no_main]

use std::io::{self, Read};
use std::sync::LazyLock;

use judge::game::Puzzle;
use judge::referee::{self, Ruling};
use libfuzzer_sys::fuzz_target;

static PUZZLES: LazyLock<[Box<dyn Puzzle>; 2]> = LazyLock::new(|| {
    ["illegal", "noop"].map(|rule| {
        let board = b"FBCDE KAGHJ PLMIO UQRNT VWXS+";
        judge_fuzz::loyd(rule).parse(board).expect("the board is good")
    })
});

/// Hands out an answer in pieces as long as their own first byte says, and is interrupted before each, as by a signal.
struct Pieces<'a> {
    rest: &'a [u8],
    interrupted: bool,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = self.rest.first().map_or(0, |byte| usize::from(byte % 16) + 1);
        let (piece, rest) = self.rest.split_at(length.min(self.rest.len()).min(buffer.len()));
        self.rest = rest;
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

fn assert_same(a: &Ruling, b: &Ruling) {
    assert_eq!((a.standing, &a.illegal, &a.picture), (b.standing, &b.illegal, &b.picture));
}

fuzz_target!(|answer: &[u8]| {
    for puzzle in &*PUZZLES {
        let whole = referee::rule(&**puzzle, answer).expect("memory can be read");
        let pieces = Pieces { rest: answer, interrupted: false };
        assert_same(&whole, &referee::rule(&**puzzle, pieces).expect("interruptions are no failure"));
        let mut steps = 0;
        let count = |_, _| {
            steps += 1;
            Ok(())
        };
        assert_same(&whole, &referee::trace(&**puzzle, answer, count).expect("memory can be read"));
        assert_eq!(steps, whole.standing.moves + 1, "the first position and one a move");

        let letters = answer.iter().filter(|byte| !byte.is_ascii_whitespace()).count() as u64;
        match &whole.illegal {
            None => assert_eq!(whole.standing.moves, letters),
            Some(illegal) => {
                assert_eq!(whole.standing.moves + 1, illegal.index);
                assert!(illegal.index <= letters);
                assert!(!illegal.to_string().contains(char::is_control), "{illegal:?}");
            }
        }
        assert!(whole.standing.tie_break <= whole.standing.moves);
        // The parser refuses a board on which a tile is missing or stands twice.
        judge_fuzz::loyd("illegal").parse(whole.picture.one_line().as_bytes()).expect("still a board");
    }
});
