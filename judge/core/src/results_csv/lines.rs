//! Line numbers of CSV records.
//!
//! A CSV reader gives the place of a record as the byte after the previous record. If lines end with CRLF, that is the line feed;
//! before blank lines, it is the first of them. People count from the line on which the record begins.

use std::collections::VecDeque;
use std::io::{self, Read};

use memchr::memchr2;

/// A reader that records where lines begin that are not blank.
pub(super) struct Lines<R> {
    inner: R,
    /// The number of bytes so far.
    read: u64,
    /// Number of the current line, from 1.
    number: u64,
    /// True if the current line is blank so far.
    blank: bool,
    /// True if the last byte was a carriage return, which a line feed may follow.
    returned: bool,
    /// The first byte and the number of each line that is not blank, from the last requested one.
    begun: VecDeque<(u64, u64)>,
}

impl<R> Lines<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, read: 0, number: 1, blank: true, returned: false, begun: VecDeque::new() }
    }

    /// The line of the record that begins at this byte or after the line ends there. Callers request places in ascending order.
    pub(super) fn at(&mut self, byte: u64) -> u64 {
        while self.begun.front().is_some_and(|(begin, _)| *begin < byte) {
            self.begun.pop_front();
        }
        self.begun.front().map_or(self.number, |(_, number)| *number)
    }

    fn note(&mut self, mut bytes: &[u8]) {
        while let Some(&first) = bytes.first() {
            let is_end = matches!(first, b'\n' | b'\r');
            let taken = if is_end {
                // A line feed after a carriage return does not end another line.
                if first == b'\r' || !self.returned {
                    (self.number, self.blank) = (self.number + 1, true);
                }
                1
            } else {
                if self.blank {
                    self.begun.push_back((self.read, self.number));
                    self.blank = false;
                }
                memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len())
            };
            self.returned = first == b'\r';
            self.read += taken as u64;
            bytes = &bytes[taken..];
        }
    }
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.note(&buffer[..length]);
        Ok(length)
    }
}
