//! The keys that are pressed at a screen.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd};

/// A length in bytes that exceeds the sequence of any key.
const LONGEST: usize = 32;
const ESCAPE: u8 = 0x1b;

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Key {
    /// A key that writes this character.
    Character(char),
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The key to the beginning.
    Home,
    /// The key to the end.
    End,
    /// The key to the page before.
    PageUp,
    /// The key to the next page.
    PageDown,
}

/// The keys of a terminal, see [`Screen::keys`](super::Screen::keys).
pub struct Keys {
    /// Opened by the screen, so that reading from it never blocks.
    tty: File,
    /// The beginning of a key whose rest has not arrived.
    begun: Vec<u8>,
}

impl Keys {
    /// The keys of a terminal that was opened so that reading from it never blocks.
    pub(crate) fn of(tty: File) -> Self {
        Self { tty, begun: Vec::new() }
    }

    /// Becomes readable when a key was pressed or the terminal has disappeared.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.tty.as_fd()
    }

    /// The keys pressed by now, without waiting for one. `None` when the terminal has disappeared.
    pub fn read(&mut self) -> Option<Vec<Key>> {
        let mut bytes = [0; 256];
        match self.tty.read(&mut bytes) {
            Ok(0) => None,
            Ok(read) => {
                self.begun.extend(&bytes[..read]);
                Some(keys(&mut self.begun))
            }
            Err(error) => matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock).then(Vec::new),
        }
    }
}

/// Removes complete keys from the front of the bytes that have arrived; the incomplete beginning of a key stays.
fn keys(bytes: &mut Vec<u8>) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut taken = 0;
    while let Some(length) = length(&bytes[taken..]) {
        keys.extend(key(&bytes[taken..taken + length]));
        taken += length;
    }
    bytes.drain(..taken);
    keys
}

/// Bytes of the character or escape sequence at the front; `None` if its end has not arrived.
fn length(bytes: &[u8]) -> Option<usize> {
    let arrived = |length: usize| (bytes.len() >= length).then_some(length);
    match bytes {
        [] => None,
        // ESC [ parameters final, where a final byte is @ to ~; noise that has none is dropped bit by bit.
        [ESCAPE, b'[', rest @ ..] => match rest.iter().position(|byte| !(0x20..0x40).contains(byte)) {
            Some(end) => Some(end + 3),
            None if bytes.len() >= LONGEST => Some(1),
            None => None,
        },
        [ESCAPE, b'O', _, ..] => Some(3),
        [ESCAPE] | [ESCAPE, b'O'] => None,
        [ESCAPE, ..] => Some(1),
        [0xc2..=0xdf, ..] => arrived(2),
        [0xe0..=0xef, ..] => arrived(3),
        [0xf0..=0xf4, ..] => arrived(4),
        [_, ..] => Some(1),
    }
}

/// The key of a whole sequence; `None` for one that means nothing here.
fn key(sequence: &[u8]) -> Option<Key> {
    match sequence {
        b"\x1b[D" | b"\x1bOD" => Some(Key::Left),
        b"\x1b[C" | b"\x1bOC" => Some(Key::Right),
        b"\x1b[H" | b"\x1bOH" | b"\x1b[1~" | b"\x1b[7~" => Some(Key::Home),
        b"\x1b[F" | b"\x1bOF" | b"\x1b[4~" | b"\x1b[8~" => Some(Key::End),
        b"\x1b[5~" => Some(Key::PageUp),
        b"\x1b[6~" => Some(Key::PageDown),
        [ESCAPE, ..] => None,
        text => std::str::from_utf8(text).ok()?.chars().next().map(Key::Character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinguished_however_they_arrive() {
        let typed = " \x1b[C\x1b[D\x1bOH\x1b[4~é漢+\x1b[5~\x1b[6~q";
        let expected = [
            Key::Character(' '),
            Key::Right,
            Key::Left,
            Key::Home,
            Key::End,
            Key::Character('é'),
            Key::Character('漢'),
            Key::Character('+'),
            Key::PageUp,
            Key::PageDown,
            Key::Character('q'),
        ];
        for piece in 1..=typed.len() {
            let mut begun = Vec::new();
            let pressed = typed.as_bytes().chunks(piece).flat_map(|piece| {
                begun.extend(piece);
                keys(&mut begun)
            });
            assert_eq!(pressed.collect::<Vec<_>>(), expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn noise_keeps_no_key_back() {
        for noise in [
            &b"\x1b[99999x"[..],
            b"\xff\xfe",
            b"\xe6\x28",
            b"\x1b\x1b",
            b"\x1b[200~pasted\x1b[201~",
            b"\x1b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1",
        ] {
            let mut begun = [noise, &[b'q'; 40]].concat();
            assert!(keys(&mut begun).ends_with(&[Key::Character('q')]), "{noise:?}");
            assert!(begun.is_empty(), "{noise:?}");
        }
    }
}
