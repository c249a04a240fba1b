//! Lines for a log whose reader may be stuck: a full pipe, a stopped terminal, a hanging collector. A thread that adds a line
//! never waits: lines that do not fit are dropped and counted.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The most waiting lines, and their most bytes together.
const MAX_LINES: usize = 2048;
const MAX_BYTES: usize = 1 << 20;

/// Lines that wait to be written by a separate thread. Clones share them.
#[derive(Clone)]
pub struct Lines(Arc<Shared>);

struct Shared {
    waiting: Mutex<Waiting>,
    /// Notified when a line starts to wait, and when none waits any more.
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    lines: VecDeque<String>,
    bytes: usize,
    /// True while the thread writes.
    writes: bool,
    dropped: u64,
    /// The number of dropped lines that the log does not mention yet.
    unsaid: u64,
}

impl Lines {
    /// Begins to write lines. Each call of `write` writes one line and may block.
    ///
    /// # Errors
    /// The system's error if no thread can be created.
    pub fn written_by(mut write: impl FnMut(&str) + Send + 'static) -> io::Result<Self> {
        let shared = Arc::new(Shared { waiting: Mutex::default(), changed: Condvar::new() });
        let lines = Self(shared);
        let writer = lines.clone();
        thread::Builder::new().name("judge-log".into()).spawn(move || {
            loop {
                let (batch, unsaid) = writer.take();
                batch.iter().for_each(|line| write(line));
                if unsaid > 0 {
                    write(&format!("{unsaid} lines of this log were dropped, because it was not read"));
                }
                writer.waiting().writes = false;
                writer.0.changed.notify_all();
            }
        })?;
        Ok(lines)
    }

    /// Adds a line, or drops it if too many wait. Never blocks.
    pub fn add(&self, line: &str) {
        let mut waiting = self.waiting();
        if waiting.lines.len() >= MAX_LINES || waiting.bytes.saturating_add(line.len()) > MAX_BYTES {
            waiting.dropped += 1;
            waiting.unsaid += 1;
        } else {
            waiting.bytes += line.len();
            waiting.lines.push_back(line.to_owned());
        }
        drop(waiting);
        self.0.changed.notify_all();
    }

    /// The number of dropped lines.
    pub fn dropped(&self) -> u64 {
        self.waiting().dropped
    }

    /// Waits until everything is written, but no longer than `patience`.
    pub fn flush(&self, patience: Duration) {
        let unwritten = |waiting: &mut Waiting| waiting.writes || !waiting.lines.is_empty() || waiting.unsaid > 0;
        let waited = self.0.changed.wait_timeout_while(self.waiting(), patience, unwritten);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits for lines, and takes all waiting ones.
    fn take(&self) -> (VecDeque<String>, u64) {
        let empty = |waiting: &mut Waiting| waiting.lines.is_empty() && waiting.unsaid == 0;
        let waited = self.0.changed.wait_while(self.waiting(), empty);
        let mut waiting = waited.unwrap_or_else(PoisonError::into_inner);
        (waiting.writes, waiting.bytes) = (true, 0);
        (std::mem::take(&mut waiting.lines), std::mem::take(&mut waiting.unsaid))
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, Write as _};

    use super::*;

    #[test]
    fn nobody_waits_for_a_log_that_is_not_read() {
        // A pipe has room for 64 KiB.
        let (mut reader, mut pipe) = io::pipe().unwrap();
        let lines = Lines::written_by(move |line| writeln!(pipe, "{line}").unwrap()).unwrap();
        let long = "x".repeat(1000);
        let added = 3 * MAX_LINES as u64;
        for number in 0..added {
            lines.add(&format!("{number} {long}"));
        }
        lines.add(&"y".repeat(MAX_BYTES + 1));
        let dropped = lines.dropped();
        assert!(dropped > MAX_LINES as u64, "{dropped}");
        // Writing continues as soon as the pipe is read, and reports the missing lines.
        let (mut counted, mut others) = (0, 0);
        let mut read = io::BufReader::new(&mut reader).lines().map(Result::unwrap);
        while counted < dropped || others < added + 1 - dropped {
            let line = read.next().unwrap();
            match line.strip_suffix(" lines of this log were dropped, because it was not read") {
                Some(number) => counted += number.parse::<u64>().unwrap(),
                None => others += 1,
            }
        }
        assert_eq!((counted, others), (dropped, added + 1 - dropped), "all others are there");
        lines.add("again");
        assert_eq!(read.next().unwrap(), "again");
    }

    #[test]
    fn an_end_does_not_wait_for_a_log_that_is_not_read() {
        let (_reader, mut pipe) = io::pipe().unwrap();
        let lines = Lines::written_by(move |line| writeln!(pipe, "{line}").unwrap()).unwrap();
        for _ in 0..MAX_LINES {
            lines.add(&"x".repeat(500));
        }
        lines.flush(Duration::from_millis(20));
        let waiting = lines.waiting();
        assert!(waiting.writes || !waiting.lines.is_empty(), "it still waits for the reader");
    }
}
