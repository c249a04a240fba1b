//! The keys that are pressed at a screen.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::os::fd::{AsFd, BorrowedFd};

use terminput::{Event, KeyCode};

/// Longer than any key's sequence: what is no key by then never becomes one.
const LONGEST: usize = 32;

/// Where keys come from.
pub(in crate::cli) struct Keys {
    tty: File,
    /// The beginning of a key whose rest has not arrived.
    begun: Vec<u8>,
}

impl Keys {
    /// Standard input where it is a terminal, else the terminal that the program was started from, so that standard
    /// input can hold something else.
    pub(in crate::cli) fn open() -> io::Result<Self> {
        let stdin = io::stdin();
        let tty =
            if stdin.is_terminal() { File::from(stdin.as_fd().try_clone_to_owned()?) } else { File::open("/dev/tty")? };
        Ok(Self { tty, begun: Vec::new() })
    }

    /// Becomes readable when a key was pressed or the terminal has disappeared.
    pub(in crate::cli) fn fd(&self) -> BorrowedFd<'_> {
        self.tty.as_fd()
    }

    /// The keys pressed by now; waits for one. `None` when the terminal has disappeared.
    pub(in crate::cli) fn read(&mut self) -> Option<Vec<KeyCode>> {
        let mut bytes = [0; 256];
        match self.tty.read(&mut bytes) {
            Ok(0) => None,
            Ok(read) => {
                self.begun.extend(&bytes[..read]);
                Some(keys(&mut self.begun))
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Some(Vec::new()),
            Err(_) => None,
        }
    }
}

/// Takes the keys off the front of what has arrived; what may become a key stays.
fn keys(bytes: &mut Vec<u8>) -> Vec<KeyCode> {
    let mut keys = Vec::new();
    let mut taken = 0;
    let mut end = 1;
    while taken + end <= bytes.len() {
        match Event::parse_from(&bytes[taken..taken + end]) {
            // The beginning of a sequence looks like the escape key, which means nothing here.
            Ok(Some(_)) if bytes[taken..taken + end] == *b"\x1b" => end += 1,
            Ok(None) if end < LONGEST => end += 1,
            event => {
                if let Ok(Some(Event::Key(key))) = event {
                    keys.push(key.code);
                }
                taken += end;
                end = 1;
            }
        }
    }
    bytes.drain(..taken);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_however_they_arrive() {
        let typed = b" \x1b[C\x1b[D\x1bOH\x1b[4~+q";
        let expected = [
            KeyCode::Char(' '),
            KeyCode::Right,
            KeyCode::Left,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::Char('+'),
            KeyCode::Char('q'),
        ];
        for piece in 1..=typed.len() {
            let mut begun = Vec::new();
            let pressed = typed.chunks(piece).flat_map(|piece| {
                begun.extend(piece);
                keys(&mut begun)
            });
            assert_eq!(pressed.collect::<Vec<_>>(), expected, "in pieces of {piece}");
        }
    }

    #[test]
    fn noise_is_no_key_and_keeps_none_back() {
        for noise in
            [&b"\x1b[99999x"[..], b"\xff\xfe", b"\x1b[200~pasted\x1b[201~", b"\x1b[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1"]
        {
            let mut begun = [noise, &[b'q'; 40]].concat();
            assert!(keys(&mut begun).ends_with(&[KeyCode::Char('q')]), "{noise:?}");
        }
    }
}
