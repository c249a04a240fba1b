//! Tests the referee with a game whose moves are words, unlike Loyd's single letters: a move may be split between two
//! pieces, and the last one ends with the answer.

use std::io::{self, Read};

use judge_core::game::{IllegalMove, Puzzle, Replay, Score};
use judge_core::picture::{Picture, PictureCell};
use judge_core::referee;

/// A game of counting to three: the words `1`, `2`, `3` in this order, with any number of leading zeros.
struct Counting;

#[derive(Default)]
struct Count {
    reached: u64,
    moves: u64,
    word: String,
}

impl Puzzle for Counting {
    fn start(&self) -> Box<dyn Replay> {
        Box::new(Count::default())
    }
}

impl Replay for Count {
    fn feed(&mut self, answer: &[u8]) -> Result<(), IllegalMove> {
        for &byte in answer {
            if byte.is_ascii_whitespace() {
                self.finish()?;
            } else {
                self.word.push(char::from(byte));
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), IllegalMove> {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return Ok(());
        }
        if word.parse() != Ok(self.reached + 1) {
            return Err(IllegalMove { index: self.moves + 1, token: word, reason: "out of turn".into() });
        }
        self.reached += 1;
        self.moves += 1;
        Ok(())
    }

    fn score(&self) -> Score {
        Score { progress: self.reached, of: 3, moves: self.moves, ..Score::default() }
    }

    fn distance(&self) -> u64 {
        3 - self.reached
    }

    fn picture(&self) -> Picture {
        let label = char::from_digit(u32::try_from(self.reached).unwrap(), 10);
        Picture { width: 1, cells: vec![PictureCell { label, touched: false }] }
    }
}

/// A reader that returns one byte per call, and an interruption before each.
struct Dripping<'a> {
    bytes: &'a [u8],
    interrupt: bool,
}

impl Read for Dripping<'_> {
    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some((first, rest)) = self.bytes.split_first() else { return Ok(0) };
        piece[0] = *first;
        self.bytes = rest;
        Ok(1)
    }
}

#[test]
fn pieces_of_an_answer_may_end_anywhere() {
    for answer in ["001 002 003", "1\n2\n3\n", " 1 2 003"] {
        let whole = referee::rule(&Counting, answer.as_bytes()).unwrap();
        assert_eq!((whole.score.progress, whole.score.moves, whole.illegal), (3, 3, None), "{answer}");
        let dripping = Dripping { bytes: answer.as_bytes(), interrupt: false };
        assert!(referee::rule(&Counting, dripping).unwrap().score.solved(), "{answer}");
    }
    let illegal = referee::rule(&Counting, &b"1 2 4"[..]).unwrap().illegal.unwrap();
    assert_eq!(illegal.to_string(), "illegal move 3 `4`: out of turn");
}

#[test]
fn a_trace_shows_the_position_before_the_first_and_after_every_move() {
    let mut shown = String::new();
    let step = |score: Score, picture: Picture| {
        shown += &format!("{}:{} ", score.moves, picture.one_line());
        Ok(())
    };
    let ruling = referee::trace(&Counting, &b"01 02 03"[..], step).unwrap();
    assert!(ruling.score.solved());
    assert_eq!(shown, "0:0 1:1 2:2 3:3 ");
}

#[test]
fn an_unreadable_answer_is_an_error() {
    let broken = io::Cursor::new(b"1 ").chain(Broken);
    assert!(referee::rule(&Counting, broken).is_err());
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("gone"))
    }
}
