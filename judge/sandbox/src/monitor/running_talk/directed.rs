//! The loop that follows programs under a director: it gives the director what they write and how they end, and carries out
//! the director's orders.
//!
//! No pipe end that the judge holds ever blocks. What does not fit into the pipe of a program is kept: at most what the
//! director wrote. An end is passed on when all processes of the program are gone, with its recorded time.

use std::collections::VecDeque;
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use judge_job::{Director, Interrupted, Order, SideOutcome, StopRequest, TalkEvent};
use rustix::event::PollFlags;
use rustix::io::Errno;

use super::pause::Pause;
use super::talk_program::{EndedProgram, TalkProgram};
use super::{Event, Polls, REPORT_TIMEOUT};
use crate::capture::Sink as _;
use crate::monitor::{Fault, STOP_INTERVAL, Stop};
use crate::{End, Interrupt, now_us, poll_for};

/// Time between two occasions of work that would delay messages.
const HOUSEKEEPING_INTERVAL: Duration = Duration::from_millis(500);

/// A program under a director.
pub(crate) struct DirectedProgram<'a> {
    program: Option<TalkProgram<'a>>,
    /// The writing end of its standard input; `None` once it is closed.
    input: Option<OwnedFd>,
    /// Bytes that did not fit into the pipe yet.
    pending: VecDeque<u8>,
    /// The means to stop it while it is not to run, if it is to be stopped then.
    pause: Option<Pause>,
    running: Option<TimeSlice>,
    outcome: Option<SideOutcome>,
}

/// A time in which a program is to run.
#[derive(Clone, Copy)]
struct TimeSlice {
    since_us: u64,
    /// When the director gets notice; `None` after the notice.
    until_us: Option<u64>,
}

impl TimeSlice {
    /// Subtracts a period from it.
    fn exclude_time(&mut self, from_us: u64, until_us: u64) {
        let took_us = until_us.saturating_sub(from_us.max(self.since_us));
        self.since_us += took_us;
        self.until_us = self.until_us.map(|until| until.saturating_add(took_us));
    }
}

impl<'a> DirectedProgram<'a> {
    /// Wraps a program that has begun. If it is to be held, it is stopped immediately.
    pub(crate) fn begun(mut program: TalkProgram<'a>, input: OwnedFd, held: bool) -> Result<Self, Fault> {
        rustix::fs::fcntl_setfl(&input, rustix::fs::OFlags::NONBLOCK)
            .map_err(|error| Fault(format!("laying wires: {error}")))?;
        let pause = held.then(|| Pause::begun(&mut program));
        let (program, input) = (Some(program), Some(input));
        Ok(Self { program, input, pending: VecDeque::new(), pause, running: None, outcome: None })
    }

    /// A program that could not be started.
    pub(crate) fn unstarted(outcome: SideOutcome) -> Self {
        Self {
            program: None,
            input: None,
            pending: VecDeque::new(),
            pause: None,
            running: None,
            outcome: Some(outcome),
        }
    }

    fn ran_us(&self, at_us: u64) -> Option<u64> {
        self.running.map(|spell| at_us.saturating_sub(spell.since_us))
    }

    /// Writes what fits.
    fn flush(&mut self) -> Result<(), Fault> {
        while let (Some(pipe), false) = (&self.input, self.pending.is_empty()) {
            match rustix::io::write(pipe, self.pending.as_slices().0) {
                Ok(written) => drop(self.pending.drain(..written)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // It closed its input, or is gone: the rest is dropped.
                Err(Errno::PIPE) => self.input = None,
                Err(error) => return Err(Fault(format!("passing on a message: {error}"))),
            }
        }
        if self.input.is_none() {
            self.pending = VecDeque::new();
        }
        Ok(())
    }
}

/// The outcome of a program that is over; `None` if it was interrupted.
pub(crate) type Conclude<'a> =
    &'a dyn Fn(usize, EndedProgram) -> Result<Option<(SideOutcome, Option<(u64, u64)>)>, Fault>;

/// Programs that have begun, under their director.
pub(crate) struct Directed<'a> {
    pub(crate) parts: Vec<DirectedProgram<'a>>,
    pub(crate) director: &'a mut dyn Director,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) stop: Option<&'a dyn StopRequest>,
    pub(crate) conclude: Conclude<'a>,
    /// Work that would delay messages, done now and then.
    pub(crate) silent_work: &'a dyn Fn(),
}

/// The reason why the loop ended early.
enum Aborted {
    Interrupted,
    Fault(Fault),
}

impl From<Fault> for Aborted {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Interrupted> for Aborted {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl Directed<'_> {
    /// Follows the programs to their end. When this returns, none of their processes lives. `None` if they were interrupted.
    pub(crate) fn run(mut self) -> Result<Option<Vec<SideOutcome>>, Fault> {
        let zero_us = now_us();
        match self.follow(zero_us) {
            Ok(()) => Ok(Some(self.parts.into_iter().filter_map(|part| part.outcome).collect())),
            Err(broken) => {
                self.break_off();
                match broken {
                    Aborted::Interrupted => Ok(None),
                    Aborted::Fault(fault) => Err(fault),
                }
            }
        }
    }

    /// Ends all programs. When this returns, none of their processes lives.
    pub(crate) fn break_off(self) {
        for program in self.parts.into_iter().filter_map(|part| part.program) {
            drop(program.conclude());
        }
    }

    fn follow(&mut self, zero_us: u64) -> Result<(), Aborted> {
        self.notify_director(TalkEvent::Begun)?;
        for side in 0..self.parts.len() {
            if let Some(outcome) = self.parts[side].outcome.clone() {
                self.notify_director(TalkEvent::Ended { side, at_us: 0, ran_us: None, outcome: &outcome })?;
            }
        }
        let mut work_at = Instant::now() + HOUSEKEEPING_INTERVAL;
        while self.parts.iter().any(|part| part.program.is_some()) {
            for event in self.wait()? {
                let (Event::Report(side)
                | Event::Notice(side, _)
                | Event::Output(side)
                | Event::Errors(side)
                | Event::Room(side)) = event
                else {
                    return Err(Aborted::Interrupted);
                };
                let before_us = now_us();
                self.handle(event, side, zero_us)?;
                self.exclude_time(Some(side), before_us);
            }
            if self.stop.is_some_and(StopRequest::requested) {
                return Err(Aborted::Interrupted);
            }
            self.due(zero_us)?;
            if work_at <= Instant::now() {
                let before_us = now_us();
                (self.silent_work)();
                self.exclude_time(None, before_us);
                work_at = Instant::now() + HOUSEKEEPING_INTERVAL;
            }
        }
        Ok(())
    }

    /// Handles an event of a program.
    fn handle(&mut self, event: Event, side: usize, zero_us: u64) -> Result<(), Aborted> {
        match event {
            Event::Interrupted => {}
            Event::Report(_) => self.report(side, zero_us)?,
            Event::Output(_) => self.forward_output(side, zero_us)?,
            Event::Room(_) => self.parts[side].flush()?,
            Event::Notice(_, notice) => {
                if let Some(program) = &mut self.parts[side].program
                    && program.running.is_past(notice)
                {
                    program.end(Stop::Limit(super::super::past(notice)), None)?;
                }
            }
            Event::Errors(_) => {
                if let Some(program) = &mut self.parts[side].program {
                    program.stderr.read_ready().map_err(|error| program.monitor.stderr_fault(&error))?;
                }
            }
        }
        Ok(())
    }

    /// Subtracts the time since `before_us`, in which the judge worked for one program, from the time of the others that
    /// run: meanwhile it read nothing from them.
    fn exclude_time(&mut self, side: Option<usize>, before_us: u64) {
        let now = now_us();
        let others = self.parts.iter_mut().enumerate().filter(|(other, _)| Some(*other) != side);
        for spell in others.filter_map(|(_, part)| part.running.as_mut()) {
            spell.exclude_time(before_us, now);
        }
    }

    /// Waits for the next events.
    fn wait(&self) -> Result<Vec<Event>, Fault> {
        let mut polls = Polls::default();
        polls.add(Some(self.interrupt.fd()), PollFlags::IN, Event::Interrupted);
        for (side, part) in self.parts.iter().enumerate() {
            let Some(program) = &part.program else { continue };
            polls.add(program.stdout.fd(), PollFlags::IN, Event::Output(side));
            polls.add(program.stderr.fd(), PollFlags::IN, Event::Errors(side));
            polls.add(Some(program.running.fd()), PollFlags::IN, Event::Report(side));
            for (notice, fd, flags) in program.running.notices() {
                polls.add(Some(fd), flags, Event::Notice(side, notice));
            }
            if !part.pending.is_empty() {
                polls.add(part.input.as_ref().map(OwnedFd::as_fd), PollFlags::OUT, Event::Room(side));
            }
        }
        let Polls { mut fds, events } = polls;
        poll_for(&mut fds, self.left()).map_err(|error| Fault(format!("waiting for programs: {error}")))?;
        let ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(events.into_iter().zip(ready).filter_map(|(event, ready)| ready.then_some(event)).collect())
    }

    /// Time until something is due.
    fn left(&self) -> Duration {
        let (now, micros) = (Instant::now(), now_us());
        let mut left = if self.stop.is_some() { STOP_INTERVAL } else { HOUSEKEEPING_INTERVAL };
        for part in &self.parts {
            let Some(program) = &part.program else { continue };
            let limits = || match &part.pause {
                Some(pause) if part.running.is_none() => pause.left(),
                _ => program.monitor.left(),
            };
            left = left
                .min(program.ordered.map_or_else(limits, |at| (at + REPORT_TIMEOUT).saturating_duration_since(now)));
            if let Some(until) = part.running.and_then(|spell| spell.until_us) {
                left = left.min(Duration::from_micros(until.saturating_add(1).saturating_sub(micros)));
            }
        }
        left
    }

    /// Carries out what is due: samples, ends of time limits, notices for the director.
    fn due(&mut self, zero_us: u64) -> Result<(), Aborted> {
        for side in 0..self.parts.len() {
            let before_us = now_us();
            self.due_of(side, zero_us)?;
            self.exclude_time(Some(side), before_us);
        }
        Ok(())
    }

    fn due_of(&mut self, side: usize, zero_us: u64) -> Result<(), Aborted> {
        let part = &mut self.parts[side];
        let Some(program) = &mut part.program else { return Ok(()) };
        match program.ordered {
            // `end_of` handles what is left of it.
            Some(at) if Instant::now() >= at + REPORT_TIMEOUT => self.end_of(side, zero_us)?,
            Some(_) => {}
            None => {
                let stop = match &mut part.pause {
                    Some(pause) if part.running.is_none() => pause.due(program),
                    _ => program.monitor.due(&program.running),
                };
                if let Some(stop) = stop {
                    program.end(stop, None)?;
                }
                let now = now_us();
                if let Some(spell) = &mut part.running
                    && spell.until_us.is_some_and(|until| now > until)
                {
                    spell.until_us = None;
                    let ran_us = part.ran_us(now);
                    self.notify_director(TalkEvent::Due { side, at_us: now.saturating_sub(zero_us), ran_us })?;
                }
            }
        }
        Ok(())
    }

    /// Receives a report of a supervisor.
    fn report(&mut self, side: usize, zero_us: u64) -> Result<(), Aborted> {
        let Some(program) = &mut self.parts[side].program else { return Ok(()) };
        match program.monitor.listen(&mut program.running) {
            None => Ok(()),
            Some(Stop::Ended) => self.end_of(side, zero_us),
            Some(Stop::Fault(fault)) => Err(fault.into()),
            Some(stop) => Ok(program.end(stop, None)?),
        }
    }

    /// Handles the end of a program: passes on its last output, waits until nothing is left of it, and passes on its end.
    fn end_of(&mut self, side: usize, zero_us: u64) -> Result<(), Aborted> {
        if let Some(program) = &mut self.parts[side].program {
            program.stdout.drain().map_err(|error| program.monitor.stdout_fault(&error))?;
        }
        self.pass_on(side, zero_us)?;
        let part = &mut self.parts[side];
        // The last orders may concern it, but have no effect.
        let Some(program) = part.program.take() else { return Ok(()) };
        (part.input, part.pause) = (None, None);
        let (mut outcome, times) = (self.conclude)(side, program.conclude())?.ok_or(Aborted::Interrupted)?;
        outcome.begun_us = times.map(|(begun, _)| begun.saturating_sub(zero_us));
        outcome.ended_us = times.map(|(_, ended)| ended.saturating_sub(zero_us));
        let now = now_us();
        let ran_us = part.ran_us(times.map_or(now, |(_, ended)| ended));
        part.running = None;
        part.outcome = Some(outcome.clone());
        self.notify_director(TalkEvent::Ended { side, at_us: now.saturating_sub(zero_us), ran_us, outcome: &outcome })
    }

    /// Reads the output of a program, and passes it on.
    fn forward_output(&mut self, side: usize, zero_us: u64) -> Result<(), Aborted> {
        let Some(program) = &mut self.parts[side].program else { return Ok(()) };
        program.stdout.read_ready().map_err(|error| program.monitor.stdout_fault(&error))?;
        self.pass_on(side, zero_us)
    }

    /// Gives the director the output that was read from a program, unless its end was ordered before, and keeps it. A piece
    /// that exceeds the limit is not passed on at all.
    fn pass_on(&mut self, side: usize, zero_us: u64) -> Result<(), Aborted> {
        let now = now_us();
        let part = &mut self.parts[side];
        let Some(program) = &mut part.program else { return Ok(()) };
        let piece = std::mem::take(&mut program.stdout.sink().piece);
        if piece.is_empty() {
            return Ok(());
        }
        let fits = program.stdout.bytes() <= program.monitor.most_output();
        if program.stop.is_none() && fits {
            program.messages += 1;
            let ran_us = part.ran_us(now);
            self.notify_director(TalkEvent::Output {
                side,
                at_us: now.saturating_sub(zero_us),
                ran_us,
                bytes: &piece,
            })?;
        }
        let Some(program) = &mut self.parts[side].program else { return Ok(()) };
        let kept = program.stdout.sink().file.take(&piece);
        kept.map_err(|error| program.monitor.stdout_fault(&error))?;
        // The buffer is reused for the next piece.
        program.stdout.sink().piece = piece;
        program.stdout.sink().piece.clear();
        if !fits {
            program.too_much = true;
            program.end(Stop::Limit(End::TooMuchOutput), None)?;
        }
        Ok(())
    }

    /// Passes an event to the director, and carries out the orders.
    fn notify_director(&mut self, event: TalkEvent<'_>) -> Result<(), Aborted> {
        let mut orders = Vec::new();
        self.director.direct(event, &mut orders)?;
        for order in orders {
            let part = match &order {
                Order::Write { side, .. }
                | Order::Run { side, .. }
                | Order::Hold { side }
                | Order::End { side, .. } => {
                    self.parts.get_mut(*side).ok_or_else(|| Fault(format!("the director names program {side}")))?
                }
            };
            let Some(program) = &mut part.program else { continue };
            match order {
                Order::Write { bytes, .. } => {
                    part.pending.extend(bytes);
                    part.flush()?;
                }
                Order::Run { for_us, .. } => {
                    let paused = part.pause.as_mut().filter(|_| part.running.is_none());
                    if let Some(stop) = paused.and_then(|pause| pause.end(program)) {
                        program.end(stop, None)?;
                    }
                    let since_us = now_us();
                    let until_us = for_us.map(|most| since_us.saturating_add(most));
                    part.running = Some(TimeSlice { since_us, until_us });
                }
                Order::Hold { .. } => {
                    part.running = None;
                    if let Some(pause) = &mut part.pause {
                        pause.begin(program);
                    }
                }
                Order::End { cut, .. } => program.end(Stop::OutOfTime, Some(cut))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::TimeSlice;

    #[test]
    fn a_spell_is_longer_by_what_the_judge_did_for_others_since_it_began() {
        let after = |since_us, until_us, from_us, now_us| {
            let mut spell = TimeSlice { since_us, until_us };
            spell.exclude_time(from_us, now_us);
            (spell.since_us, spell.until_us)
        };
        assert_eq!(after(100, Some(900), 150, 400), (350, Some(1150)));
        assert_eq!(after(300, None, 150, 400), (400, None), "of which it is a part");
        assert_eq!(after(400, Some(900), 150, 400), (400, Some(900)), "before it began");
    }
}
