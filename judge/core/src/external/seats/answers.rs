//! The output of seats: their lines, and their form for the referee.

/// The most bytes of one answer; more is too much output. It is small because the referee spends its own time and memory on it.
pub const MAX_ANSWER_BYTES: usize = 64 << 10;

/// The output of a seat whose program lives as long as the game, cut into answers.
///
/// The answers depend only on the bytes, and not on the times of their arrival. The lines after an answer are the beginning of
/// the next one.
#[derive(Debug, Default)]
pub struct SeatLines {
    bytes: Vec<u8>,
    /// The length of the part of `bytes` in which line feeds were counted, and their number.
    counted: usize,
    lines: usize,
}

impl SeatLines {
    /// Adds a piece of output.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// The next answer of this many lines, if it is complete.
    pub fn answer(&mut self, wanted: usize) -> Option<Vec<u8>> {
        let feeds = self.bytes[self.counted..].iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let missing = wanted.saturating_sub(self.lines);
        let (mut found, mut end) = (0, None);
        for (at, _) in feeds.take(missing) {
            found += 1;
            end = Some(self.counted + at + 1);
        }
        if found < missing {
            self.lines += found;
            self.counted = self.bytes.len();
            return None;
        }
        let rest = self.bytes.split_off(end.unwrap_or(self.counted));
        (self.counted, self.lines) = (0, 0);
        Some(std::mem::replace(&mut self.bytes, rest))
    }

    /// True if the next answer has more bytes than an answer may have.
    pub fn is_too_long(&self) -> bool {
        self.bytes.len() > MAX_ANSWER_BYTES
    }
}

/// An answer in its form for the referee: the number of its lines, and the lines, each with a line feed at its end.
///
/// An answer must not be able to forge a line of the judge, or to stop a reader by its encoding. A carriage return before a line
/// feed is dropped. All other control characters except tabs, other Unicode line ends, and invalid UTF-8 become U+FFFD.
pub fn normalize_answer(answer: &[u8]) -> (usize, String) {
    let whole = answer.strip_suffix(b"\n").unwrap_or(answer);
    if answer.is_empty() {
        return (0, String::new());
    }
    let mut text = String::with_capacity(answer.len() + 1);
    let mut count = 0;
    for line in whole.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        text.extend(String::from_utf8_lossy(line).chars().map(|letter| match letter {
            '\t' => '\t',
            '\u{2028}' | '\u{2029}' => char::REPLACEMENT_CHARACTER,
            letter if letter.is_control() => char::REPLACEMENT_CHARACTER,
            letter => letter,
        }));
        text.push('\n');
        count += 1;
    }
    (count, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_cut_at_lines_whatever_the_pieces() {
        let all = b"one\ntwo\n\nfour\nfi";
        for size in 1..all.len() {
            let mut lines = SeatLines::default();
            let mut found = Vec::new();
            let mut wanted = [1, 2, 1, 1].into_iter();
            let mut next = wanted.next();
            for piece in all.chunks(size) {
                lines.push(piece);
                while let Some(answer) = next.and_then(|wanted| lines.answer(wanted)) {
                    found.push(String::from_utf8(answer).expect("text"));
                    next = wanted.next();
                }
            }
            assert_eq!(found, ["one\n", "two\n\n", "four\n"], "pieces of {size}");
        }
    }

    #[test]
    fn the_answer_to_come_can_be_too_long() {
        let mut lines = SeatLines::default();
        lines.push(&[b'x'; MAX_ANSWER_BYTES]);
        assert!(lines.answer(1).is_none() && !lines.is_too_long());
        lines.push(b"y");
        assert!(lines.answer(1).is_none() && lines.is_too_long());
    }

    #[test]
    fn no_letter_of_an_answer_ends_a_line_of_the_referee() {
        for (answer, count, expected) in [
            (&b""[..], 0, ""),
            (b"\n", 1, "\n"),
            (b"e2e4", 1, "e2e4\n"),
            (b"a\r\nb\n", 2, "a\nb\n"),
            (b"a\n\nb\n\n", 4, "a\n\nb\n\n"),
            (b"x\r2 ok 1\rend 1 0\n", 1, "x\u{fffd}2 ok 1\u{fffd}end 1 0\n"),
            (
                b"a\0b\x0b\x0c\x1c\x1d\x1e\x1b[2J\x7f\tc\n",
                1,
                "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}[2J\u{fffd}\tc\n",
            ),
            ("a\u{85}b\u{2028}c\u{2029}d ü".as_bytes(), 1, "a\u{fffd}b\u{fffd}c\u{fffd}d ü\n"),
            (b"\xff\xc3\n\xa4", 2, "\u{fffd}\u{fffd}\n\u{fffd}\n"),
        ] {
            assert_eq!(normalize_answer(answer), (count, expected.into()), "{:?}", String::from_utf8_lossy(answer));
        }
    }
}
