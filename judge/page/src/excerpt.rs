//! The head and the tail of an entry's output, as text for the page.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

use serde::Serialize;

use judge_core::text::printable_lines;

/// The head and the tail of a file.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Excerpt {
    /// The beginning, or the whole file if nothing is left out.
    pub(super) head: String,
    /// The number of bytes left out after the head.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) left_out: u64,
    /// The end of the file; empty if the head has all of it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) tail: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Excerpt {
    /// Takes a text. If it has more than `most` bytes, it is cut like a file.
    pub(super) fn from_text(text: &str, most: u64) -> Self {
        let length = text.len() as u64;
        let (head, tail) = if length > most { (most - most / 4, most / 4) } else { (length, 0) };
        let [head, tail] = [head, length - tail].map(|at| usize::try_from(at).unwrap_or(text.len()));
        let [head, tail] = [&text.as_bytes()[..head], &text.as_bytes()[tail..]].map(readable);
        Self { head, left_out: length.saturating_sub(most), tail }
    }

    /// Reads a file. If it has more than `most` bytes, three quarters of them are from its head and one quarter from
    /// its tail.
    pub(super) fn from_file(mut file: File, most: u64) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let (head, tail) = if length > most { (most - most / 4, most / 4) } else { (length, 0) };
        let mut bytes = Vec::new();
        (&mut file).take(head).read_to_end(&mut bytes)?;
        let head = readable(&bytes);
        bytes.clear();
        if tail > 0 {
            file.seek(SeekFrom::Start(length - tail))?;
            file.take(tail).read_to_end(&mut bytes)?;
        }
        Ok(Self { head, left_out: length.saturating_sub(most), tail: readable(&bytes) })
    }
}

/// Decodes bytes. Line ends and tabs stay; characters that could control a terminal or change the direction of text,
/// and invalid UTF-8, become replacement characters.
fn readable(bytes: &[u8]) -> String {
    printable_lines(&String::from_utf8_lossy(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    fn excerpt(bytes: &[u8], most: u64) -> (String, u64, String) {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("out");
        std::fs::write(&path, bytes).unwrap();
        let Excerpt { head, left_out, tail } = Excerpt::from_file(File::open(&path).unwrap(), most).unwrap();
        (head, left_out, tail)
    }

    #[test]
    fn a_long_file_keeps_its_ends_and_the_number_of_bytes_left_out() {
        assert_eq!(excerpt(b"12345678", 8), ("12345678".into(), 0, String::new()));
        assert_eq!(excerpt(b"123456789", 8), ("123456".into(), 1, "89".into()));
        assert_eq!(excerpt(b"", 8), (String::new(), 0, String::new()));
    }

    #[test]
    fn a_text_is_cut_as_a_file_is() {
        for (text, most) in [("12345678", 8), ("123456789", 8), ("", 8), ("aäöü", 3)] {
            let Excerpt { head, left_out, tail } = Excerpt::from_text(text, most);
            assert_eq!((head, left_out, tail), excerpt(text.as_bytes(), most), "{text}");
        }
    }

    #[test]
    fn control_characters_and_invalid_text_become_replacement_characters() {
        assert_eq!(excerpt(b"a\xff\x1b[2J\0\r\n\tb", 99).0, "a\u{fffd}\u{fffd}[2J\u{fffd}\n\tb");
        assert_eq!(excerpt("a\u{202e}b\u{9b}c".as_bytes(), 99).0, "a\u{fffd}b\u{fffd}c");
    }
}
