//! Capture of a job's output, from its pipes to files, in constant memory.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use judge_job::Arrival;

use super::now_us;

/// Bytes read from a pipe at a time, as many as a Linux pipe holds.
const PIECE: usize = 64 * 1024;
/// Bytes of standard error kept from its beginning, and again from its end.
const STDERR_END: usize = 32 * 1024;

/// One pipe that is read, and the sink of its bytes.
pub(super) struct Stream<P, S> {
    pipe: Option<P>,
    sink: S,
    bytes: u64,
}

/// Destination of a stream's bytes, which decides what to keep.
pub(super) trait Sink {
    /// Takes the next piece; `Ok(false)` when the stream has become too long.
    fn take(&mut self, piece: &[u8]) -> io::Result<bool>;

    /// The times at which output arrived, from the start of the run at `begun_us`. Empty unless they are wanted.
    fn into_arrivals(self, _begun_us: u64) -> Vec<Arrival>
    where
        Self: Sized,
    {
        Vec::new()
    }
}

impl<P: AsFd, S: Sink> Stream<P, S> {
    /// Reads a pipe without ever blocking: the job can open the same pipe through `/proc/self/fd`, and read from it what
    /// was ready for the judge a moment ago.
    pub(super) fn new(pipe: P, sink: S) -> io::Result<Self> {
        rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK)?;
        Ok(Self { pipe: Some(pipe), sink, bytes: 0 })
    }

    /// The pipe, until it has ended.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Number of bytes read so far, regardless of what the sink kept.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads one piece from a pipe that is ready; `Ok(false)` when the stream has become too long.
    pub(super) fn read_ready(&mut self) -> io::Result<bool> {
        Ok(self.read(PIECE)?.1)
    }

    /// Reads only the bytes that are in the pipe at this moment, as a child of the entry may continue to write;
    /// `Ok(false)` when the stream has become too long.
    pub(super) fn drain(&mut self) -> io::Result<bool> {
        let Some(pipe) = &self.pipe else { return Ok(true) };
        let mut waiting = usize::try_from(rustix::io::ioctl_fionread(pipe)?).unwrap_or(usize::MAX);
        while waiting > 0 {
            let (read, fits) = self.read(waiting.min(PIECE))?;
            if read == 0 || !fits {
                return Ok(fits);
            }
            waiting -= read;
        }
        Ok(true)
    }

    pub(super) fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    pub(super) fn into_sink(self) -> S {
        self.sink
    }

    fn read(&mut self, at_most: usize) -> io::Result<(usize, bool)> {
        let Some(pipe) = &self.pipe else { return Ok((0, true)) };
        let mut piece = [0; PIECE];
        let read = match rustix::io::read(pipe, &mut piece[..at_most]) {
            Ok(read) => read,
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => return Ok((0, true)),
            Err(error) => return Err(error.into()),
        };
        if read == 0 {
            self.pipe = None;
            return Ok((0, true));
        }
        self.bytes += read as u64;
        Ok((read, self.sink.take(&piece[..read])?))
    }
}

/// Standard output: all of it, up to a cap.
pub(super) struct Capped {
    file: File,
    cap: u64,
    left: u64,
    arrivals: Option<Arrivals>,
}

impl Capped {
    pub(super) fn create(path: &Path, cap: u64) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, cap, left: cap, arrivals: None })
    }

    /// Also records the times at which output arrives, during a run of at most `most_us` microseconds.
    pub(super) fn timed(self, most_us: u64) -> Self {
        Self { arrivals: Some(Arrivals::within(most_us)), ..self }
    }
}

impl Sink for Capped {
    fn take(&mut self, piece: &[u8]) -> io::Result<bool> {
        let fits = usize::try_from(self.left).unwrap_or(usize::MAX).min(piece.len());
        self.file.write_all(&piece[..fits])?;
        self.left -= fits as u64;
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.add(self.cap - self.left, now_us());
        }
        Ok(fits == piece.len())
    }

    fn into_arrivals(self, begun_us: u64) -> Vec<Arrival> {
        self.arrivals.map_or_else(Vec::new, |arrivals| arrivals.since(begun_us))
    }
}

/// The times at which output arrived. Pieces that arrived within one step share a mark with the time of the last piece. So
/// no line counts as earlier than it was, and memory does not grow with the number of lines.
struct Arrivals {
    marks: Vec<Arrival>,
    step_us: u64,
    /// The time of the first piece of the last mark.
    first_us: u64,
}

/// The most marks of a run.
const MARKS: u64 = 100_000;
/// The shortest step between two marks, in microseconds.
const LEAST_STEP_US: u64 = 1_000;

impl Arrivals {
    fn within(most_us: u64) -> Self {
        Self { marks: Vec::new(), step_us: (most_us / MARKS).max(LEAST_STEP_US), first_us: 0 }
    }

    fn add(&mut self, bytes: u64, at_us: u64) {
        let mark = Arrival { bytes, at_us };
        match self.marks.last_mut() {
            Some(last) if at_us.saturating_sub(self.first_us) < self.step_us => *last = mark,
            _ => {
                self.first_us = at_us;
                self.marks.push(mark);
            }
        }
    }

    fn since(mut self, begun_us: u64) -> Vec<Arrival> {
        self.marks.iter_mut().for_each(|mark| mark.at_us = mark.at_us.saturating_sub(begun_us));
        self.marks
    }
}

/// Standard error: its head and its tail.
pub(super) struct HeadAndTail {
    file: File,
    head_left: usize,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl HeadAndTail {
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, head_left: STDERR_END, tail: VecDeque::new(), dropped: 0 })
    }

    /// Writes the tail after the head, with a line between them if bytes were left out.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.dropped > 0 {
            write!(self.file, "\n[judge: {} bytes left out here]\n", self.dropped)?;
        }
        let (front, back) = self.tail.as_slices();
        self.file.write_all(front)?;
        self.file.write_all(back)
    }
}

impl Sink for HeadAndTail {
    fn take(&mut self, piece: &[u8]) -> io::Result<bool> {
        let (head, rest) = piece.split_at(self.head_left.min(piece.len()));
        self.file.write_all(head)?;
        self.head_left -= head.len();
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(STDERR_END);
        self.tail.drain(..over);
        self.dropped += over as u64;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;

    #[test]
    fn standard_error_keeps_head_and_tail() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("err");
        let mut ends = HeadAndTail::create(&path).unwrap();
        let text: Vec<u8> = (0..200_000u32).map(|index| b'a' + u8::try_from(index % 26).unwrap()).collect();
        for piece in text.chunks(7_000) {
            assert!(ends.take(piece).unwrap());
        }
        ends.finish().unwrap();
        let kept = std::fs::read(&path).unwrap();
        assert!(kept.starts_with(&text[..STDERR_END]));
        assert!(kept.ends_with(&text[text.len() - STDERR_END..]));
        let between = String::from_utf8_lossy(&kept[STDERR_END..kept.len() - STDERR_END]).into_owned();
        assert_eq!(between, format!("\n[judge: {} bytes left out here]\n", text.len() - 2 * STDERR_END));
    }

    #[test]
    fn pieces_within_a_step_share_a_mark() {
        let mut arrivals = Arrivals::within(10_000_000);
        for (bytes, at_us) in [(1, 5_000), (3, 5_600), (4, 6_100), (9, 6_900)] {
            arrivals.add(bytes, at_us);
        }
        let mark = |bytes, at_us| Arrival { bytes, at_us };
        assert_eq!(arrivals.since(5_000), [mark(3, 600), mark(9, 1_900)]);
    }

    #[test]
    fn marks_are_bounded() {
        // A million lines in an hour.
        let hour = 3_600_000_000;
        let mut arrivals = Arrivals::within(hour);
        (0..1_000_000).for_each(|line| arrivals.add(line, line * 3_600));
        assert!(arrivals.marks.len() <= 100_000 && arrivals.marks.len() > 50_000, "{}", arrivals.marks.len());
    }

    #[test]
    fn output_without_times_has_none() {
        let scratch = tempfile::tempdir().unwrap();
        let mut capped = Capped::create(&scratch.path().join("out"), 10).unwrap();
        assert!(capped.take(b"line\n").unwrap());
        assert_eq!(capped.into_arrivals(0), []);
    }

    #[test]
    fn a_pipe_that_another_process_has_emptied_is_not_waited_for() {
        let (from, _to) = rustix::pipe::pipe().unwrap();
        let scratch = tempfile::tempdir().unwrap();
        let sink = Capped::create(&scratch.path().join("out"), 10).unwrap();
        let mut stream = Stream::new(from, sink).unwrap();
        assert!(stream.read_ready().unwrap() && stream.drain().unwrap());
        assert!(stream.fd().is_some(), "it has not ended");
    }

    #[test]
    fn standard_output_keeps_the_cap_exactly() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("out");
        let mut capped = Capped::create(&path, 10).unwrap();
        assert!(capped.take(b"0123456").unwrap());
        assert!(capped.take(b"789").unwrap());
        assert!(!capped.take(b"x").unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"0123456789");
    }
}
