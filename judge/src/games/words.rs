//! Answers written in words: put together again where a piece of the answer ends inside one.
//!
//! What most games share. White space separates words; a game says what each word means.

use crate::game::IllegalMove;

/// The longest word in bytes; what is longer is no move of any game, and must not fill the judge's memory.
const LONGEST: usize = 1 << 16;
/// The most characters of a word that a message shows.
const SHOWN: usize = 40;

/// Who is told the words of an answer.
pub(super) trait Listener {
    /// Takes the next word.
    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove>;

    /// The index, from 1, of the move that the next word belongs to.
    fn index(&self) -> u64;
}

/// The words of an answer that comes in pieces of any size.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The beginning of a word whose end is still to come.
    begun: Vec<u8>,
}

impl Words {
    /// Tells the listener every word that ends in this piece.
    pub(super) fn feed(&mut self, mut piece: &[u8], listener: &mut impl Listener) -> Result<(), IllegalMove> {
        while let Some(end) = piece.iter().position(u8::is_ascii_whitespace) {
            let (word, rest) = piece.split_at(end);
            piece = &rest[1..];
            if self.begun.is_empty() {
                tell(word, listener)?;
            } else {
                self.begun.extend_from_slice(word);
                self.finish(listener)?;
            }
        }
        self.begun.extend_from_slice(piece);
        // Refused before it grows further.
        if self.begun.len() > LONGEST { self.finish(listener) } else { Ok(()) }
    }

    /// Tells the listener the last word, which no white space has ended.
    pub(super) fn finish(&mut self, listener: &mut impl Listener) -> Result<(), IllegalMove> {
        tell(&std::mem::take(&mut self.begun), listener)
    }
}

fn tell(word: &[u8], listener: &mut impl Listener) -> Result<(), IllegalMove> {
    if word.len() > LONGEST {
        let reason = format!("is longer than {LONGEST} bytes");
        return Err(IllegalMove { index: listener.index(), token: show(word), reason });
    }
    if word.is_empty() { Ok(()) } else { listener.word(word) }
}

/// A word as an error message shows it: printable ASCII as it is, anything else escaped, cut where it is long.
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
    struct Heard(Vec<String>);

    impl Listener for Heard {
        fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
            self.0.push(String::from_utf8_lossy(word).into_owned());
            Ok(())
        }

        fn index(&self) -> u64 {
            self.0.len() as u64 + 1
        }
    }

    #[test]
    fn words_are_the_same_however_the_answer_is_cut() {
        let answer = b" X-DRU\n\t1-DR  X-D";
        for size in 1..=answer.len() {
            let (mut words, mut heard) = (Words::default(), Heard::default());
            for piece in answer.chunks(size) {
                words.feed(piece, &mut heard).expect("all are taken");
            }
            words.finish(&mut heard).expect("all are taken");
            assert_eq!(heard.0, ["X-DRU", "1-DR", "X-D"], "in pieces of {size}");
        }
    }

    #[test]
    fn a_word_without_end_is_refused_before_it_fills_the_memory() {
        for size in [1000, 1 << 20] {
            let (mut words, mut heard) = (Words::default(), Heard::default());
            let piece = vec![b'a'; size];
            words.feed(b"first ", &mut heard).expect("it is taken");
            let refused = (0..1000).find_map(|_| words.feed(&piece, &mut heard).err()).expect("it is refused");
            assert_eq!(
                refused.to_string(),
                format!("illegal move 2 `{}…`: is longer than 65536 bytes", "a".repeat(SHOWN))
            );
        }
    }

    #[test]
    fn a_whole_word_that_is_too_long_is_refused_as_well() {
        let (mut words, mut heard) = (Words::default(), Heard::default());
        let long = [vec![0xff; LONGEST + 1], b" ".to_vec()].concat();
        let refused = words.feed(&long, &mut heard).expect_err("it is refused");
        assert!(refused.token.starts_with(r"\xff\xff"), "{}", refused.token);
    }
}
