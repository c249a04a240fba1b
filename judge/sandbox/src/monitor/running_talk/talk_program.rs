//! One program of a talk: its pipes, its own time, and its end.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Instant;

use judge_job::{Arrival, Cut, StopRequest};
use rustix::event::{PollFd, PollFlags};

use super::super::turn::{At, OutOfTurn, Turn};
use super::super::{Fault, Finished, Monitor, STOP_INTERVAL, Stop};
use crate::capture::{Capped, HeadAndTail, Sink, Stream};
use crate::sandbox::Running;
use crate::{End, now_us, poll_for};

/// A program of a talk.
pub(crate) struct TalkProgram<'a> {
    pub(super) monitor: Monitor<'a>,
    pub(super) running: Running,
    pub(super) stdout: Stream<OwnedFd, ForwardedOutput>,
    pub(super) stderr: Stream<OwnedFd, HeadAndTail>,
    pub(super) turn: Turn,
    out_of_turn: OutOfTurn,
    pub(super) own_us: Option<u64>,
    pub(super) messages: u64,
    pub(super) lines: Lines,
    pub(super) stop: Option<Stop>,
    pub(super) cut: Option<Cut>,
    /// The time when its end was ordered.
    pub(super) ordered: Option<Instant>,
    /// True if nothing else comes from it.
    pub(super) over: bool,
    /// True if it wrote more than allowed, regardless of when that was seen.
    pub(super) too_much: bool,
}

/// The lines that a program has written. A line ends with a line feed, a carriage return, or both: some readers, such as Java's,
/// take each for an end.
#[derive(Default)]
pub(super) struct Lines {
    ended: u64,
    last: u8,
}

impl Lines {
    /// Counts the lines of another piece, and returns the total.
    pub(super) fn take(&mut self, piece: &[u8]) -> u64 {
        for &byte in piece {
            self.ended += u64::from(byte == b'\r' || byte == b'\n' && self.last != b'\r');
            self.last = byte;
        }
        self.ended
    }
}

/// Standard output that is passed on before it is written to its file.
pub(super) struct ForwardedOutput {
    pub(super) piece: Vec<u8>,
    pub(super) file: Capped,
}

impl Sink for ForwardedOutput {
    fn take(&mut self, piece: &[u8]) -> io::Result<bool> {
        self.piece.extend_from_slice(piece);
        Ok(true)
    }

    fn into_arrivals(self, begun_us: u64) -> Vec<Arrival> {
        self.file.into_arrivals(begun_us)
    }
}

/// A program of a talk that is over. Times are by the monotonic clock, in microseconds.
pub(crate) struct EndedProgram {
    pub(crate) finished: Result<Finished, Fault>,
    pub(crate) own_us: u64,
    pub(crate) messages: u64,
    pub(crate) cut: Option<Cut>,
}

impl<'a> TalkProgram<'a> {
    /// Waits until a started program has begun, or cannot begin.
    pub(crate) fn begun(
        mut monitor: Monitor<'a>,
        mut running: Running,
        (stdout, stderr): (Capped, HeadAndTail),
        own_ms: Option<u64>,
    ) -> Result<Self, Fault> {
        let heard = ForwardedOutput { piece: Vec::new(), file: stdout };
        let (stdout, stderr) = monitor.streams(&mut running, heard, stderr)?;
        monitor.begin(&running);
        let mut stop = None;
        while running.begun_us().is_none() && stop.is_none() {
            let fds = &mut [
                PollFd::from_borrowed_fd(running.fd(), PollFlags::IN),
                PollFd::from_borrowed_fd(monitor.interrupt.fd(), PollFlags::IN),
            ];
            let wait = monitor.left().min(STOP_INTERVAL);
            poll_for(fds, wait).map_err(|error| Fault(format!("waiting for the entry: {error}")))?;
            let [report, interrupted] = fds.each_ref().map(|fd| !fd.revents().is_empty());
            if interrupted || monitor.stop.is_some_and(StopRequest::requested) {
                stop = Some(Stop::Interrupted);
            } else if report {
                stop = monitor.listen(&mut running);
            }
            stop = stop.or_else(|| monitor.due(&running));
        }
        let turn = Turn::begun(running.begun_us().unwrap_or_else(now_us));
        let own_us = own_ms.map(|ms| ms.saturating_mul(1000));
        let out_of_turn = OutOfTurn::begun(monitor.cores(), running.begun_us().unwrap_or_else(now_us));
        let mut program = Self {
            monitor,
            running,
            stdout,
            stderr,
            turn,
            out_of_turn,
            own_us,
            messages: 0,
            lines: Lines::default(),
            stop: None,
            cut: None,
            ordered: None,
            over: false,
            too_much: false,
        };
        // Its end is reported once more.
        if let Some(stop) = stop.filter(|stop| !matches!(stop, Stop::Ended)) {
            program.end(stop, None)?;
        }
        Ok(program)
    }

    /// True if it began and has not been ended since.
    pub(crate) fn is_well(&self) -> bool {
        self.running.begun_us().is_some() && self.stop.is_none()
    }

    /// Ends it, if it has not ended.
    pub(super) fn end(&mut self, stop: Stop, cut: Option<Cut>) -> Result<(), Fault> {
        if self.over || self.stop.is_some() {
            return Ok(());
        }
        (self.stop, self.cut) = (Some(stop), cut);
        self.running.order_end().map_err(|error| Fault(format!("ending the entry: {error}")))?;
        self.ordered = Some(Instant::now());
        Ok(())
    }

    /// Samples the time that it takes from the others, if its own time has a limit. Called at the beginning and end of
    /// its turns.
    pub(super) fn sample(&mut self, now_us: u64) {
        if self.own_us.is_none() || !self.out_of_turn.is_due(now_us) {
            return;
        }
        self.out_of_turn.pause(now_us, self.running.cpu_us().is_none());
        let cpu_us = self.cpu_us();
        self.out_of_turn.sample(At { now_us, cpu_us, own_us: self.turn.so_far_us(now_us) });
    }

    /// Counts the time in which the judge sampled it as taken from the others, unless it was its own turn.
    pub(super) fn delayed(&mut self, from_us: u64, until_us: u64) {
        if !self.turn.is_to_move() {
            self.out_of_turn.add(until_us.saturating_sub(from_us));
        }
    }

    /// Processor time until now, by the best method available.
    pub(super) fn cpu_us(&mut self) -> u64 {
        self.running.cpu_us().unwrap_or_else(|| self.monitor.sampled_cpu_us(&self.running))
    }

    pub(super) fn conclude(mut self) -> EndedProgram {
        let usual = if self.too_much { Stop::Limit(End::TooMuchOutput) } else { Stop::Ended };
        let stop = self.stop.take().unwrap_or(usual);
        let stdout = self.stdout;
        let finished = self.monitor.conclude(self.running, stop, stdout, self.stderr);
        let mut cut = self.cut;
        if let Ok(Finished::Run(run)) = &finished {
            // It ended by itself before that.
            cut = cut.filter(|_| !run.by_itself);
            if let Some((_, ended)) = run.times_us() {
                self.turn.ended(ended);
                if let Some(cpu_us) = run.cpu_us() {
                    self.out_of_turn.sample(At { now_us: ended, cpu_us, own_us: self.turn.so_far_us(0) });
                }
            }
        }
        let mut own_us = self.turn.so_far_us(0);
        if let Some(most) = self.own_us.filter(|_| cut.is_none()) {
            let timed_out = matches!(&finished, Ok(Finished::Run(run)) if run.end == End::TimedOut);
            // The others had less time than it seems.
            if timed_out && own_us <= most {
                own_us += self.out_of_turn.us();
            }
            cut = match own_us > most {
                true => Some(Cut::OwnClock),
                false => timed_out.then_some(Cut::OthersClock),
            };
        }
        EndedProgram { finished, own_us, messages: self.messages, cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_in_each_way_in_which_a_reader_may_end_it() {
        for (text, expected) in
            [("", 0), ("a", 0), ("a\nb\n", 2), ("a\r\nb\r\n", 2), ("a\rb\r", 2), ("\n\n\r\r", 4), ("\r\n\n\r\n\r", 4)]
        {
            for length in [1, 2, 3, 99] {
                let mut lines = Lines::default();
                let counted = text.as_bytes().chunks(length).fold(0, |_, piece| lines.take(piece));
                assert_eq!(counted, expected, "{text:?} in pieces of {length}");
            }
        }
    }
}
