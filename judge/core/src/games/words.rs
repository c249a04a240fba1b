//! Answers made of words. Joins a word that is split between two pieces of the answer.
//!
//! Most games share this module. White space separates words, and the game interprets them.

use crate::game::{IllegalMove, Replay, Score};
use crate::picture::Picture;

/// The longest word in bytes. No move of any game is longer, and the limit bounds the judge's memory.
const LONGEST: usize = 1 << 16;
/// The most characters of a word in a message.
const SHOWN: usize = 40;

/// A position of a game whose answers are words.
pub(super) trait Position {
    /// Plays the next word of the answer. An illegal one leaves the position unchanged.
    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove>;

    /// Ends the answer, for games whose moves have several words.
    fn end(&self) -> Result<(), IllegalMove> {
        Ok(())
    }

    /// Returns the index, from 1, of the move that the next word belongs to.
    fn index(&self) -> u64;

    /// The score of the moves so far, for [`Replay::score`].
    fn score(&self) -> Score;

    /// The distance from the goal, for [`Replay::distance`].
    fn distance(&self) -> u64;

    /// The position as a drawing, for [`Replay::picture`].
    fn picture(&self) -> Picture;

    /// Reports the next move as illegal.
    fn illegal(&self, token: &[u8], reason: String) -> IllegalMove {
        IllegalMove { index: self.index(), token: show(token), reason }
    }
}

/// The replay of an answer that arrives in pieces of any size.
pub(super) struct Play<P> {
    position: P,
    /// The beginning of an incomplete word.
    begun: Vec<u8>,
}

impl<P: Position> Play<P> {
    /// Starts before the first word.
    pub(super) fn new(position: P) -> Self {
        Self { position, begun: Vec::new() }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
        if word.len() > LONGEST {
            return Err(self.position.illegal(word, format!("is longer than {LONGEST} bytes")));
        }
        if word.is_empty() { Ok(()) } else { self.position.word(word) }
    }

    fn begun_word(&mut self) -> Result<(), IllegalMove> {
        let word = std::mem::take(&mut self.begun);
        self.word(&word)
    }
}

impl<P: Position> Replay for Play<P> {
    fn feed(&mut self, mut piece: &[u8]) -> Result<(), IllegalMove> {
        while let Some(end) = piece.iter().position(u8::is_ascii_whitespace) {
            let (word, rest) = piece.split_at(end);
            piece = &rest[1..];
            if self.begun.is_empty() {
                self.word(word)?;
            } else {
                self.begun.extend_from_slice(word);
                self.begun_word()?;
            }
        }
        self.begun.extend_from_slice(piece);
        // An overlong word is refused before it grows further.
        if self.begun.len() > LONGEST { self.begun_word() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), IllegalMove> {
        self.begun_word()?;
        self.position.end()
    }

    fn score(&self) -> Score {
        self.position.score()
    }

    fn distance(&self) -> u64 {
        self.position.distance()
    }

    fn picture(&self) -> Picture {
        self.position.picture()
    }
}

/// Formats a word for an error message: printable ASCII unchanged, anything else escaped, cut to [`SHOWN`] characters.
pub(super) fn show(word: &[u8]) -> String {
    let mut shown: String = word.iter().take(SHOWN).map(|&byte| crate::game::show_byte(byte)).collect();
    if word.len() > SHOWN {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Recorded(Vec<String>);

    impl Position for Recorded {
        fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
            self.0.push(String::from_utf8_lossy(word).into_owned());
            Ok(())
        }

        fn index(&self) -> u64 {
            self.0.len() as u64 + 1
        }

        fn score(&self) -> Score {
            Score { of: 1, moves: self.0.len() as u64, ..Score::default() }
        }

        fn distance(&self) -> u64 {
            1
        }

        fn picture(&self) -> Picture {
            Picture { width: 1, cells: Vec::new() }
        }
    }

    #[test]
    fn words_do_not_depend_on_how_the_answer_is_split() {
        let answer = b" X-DRU\n\t1-DR  X-D";
        for size in 1..=answer.len() {
            let mut play = Play::new(Recorded::default());
            for piece in answer.chunks(size) {
                play.feed(piece).expect("every word is legal");
            }
            play.finish().expect("every word is legal");
            assert_eq!(play.position.0, ["X-DRU", "1-DR", "X-D"], "in pieces of {size}");
        }
    }

    #[test]
    fn an_endless_word_is_refused_before_it_fills_the_memory() {
        for size in [1000, 1 << 20] {
            let mut play = Play::new(Recorded::default());
            let piece = vec![b'a'; size];
            play.feed(b"first ").expect("a legal word");
            let refused = (0..1000).find_map(|_| play.feed(&piece).err()).expect("an error");
            assert_eq!(
                refused.to_string(),
                format!("illegal move 2 `{}…`: is longer than 65536 bytes", "a".repeat(SHOWN))
            );
        }
    }

    #[test]
    fn a_complete_word_that_is_too_long_is_refused() {
        let mut play = Play::new(Recorded::default());
        let long = [vec![0xff; LONGEST + 1], b" ".to_vec()].concat();
        let refused = play.feed(&long).expect_err("the word is too long");
        assert!(refused.token.starts_with(r"\xff\xff"), "{}", refused.token);
    }
}
