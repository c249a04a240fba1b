//! The loop that follows programs that talk: it passes on their output, and records the times.
//!
//! No pipe end that the judge holds ever blocks. If the reader of a program is slow, the program is not read either, so
//! no buffer grows. Output for a program that has ended is dropped, and no writer gets a SIGPIPE.

mod directed;
mod pause;
mod talk_program;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use judge_job::{Cut, StopRequest, Talk};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;

pub(crate) use self::directed::{Directed, DirectedProgram};
pub(crate) use self::talk_program::{EndedProgram, TalkProgram};
use super::all_wait::{self, Waiting};
use super::{Fault, STOP_INTERVAL, Stop};
use crate::capture::Sink as _;
use crate::sandbox::Notice;
use crate::transcript::Transcript;
use crate::{End, Interrupt, now_us, poll_for, tree};

/// Silence after which the judge checks whether all programs wait, and the time between the two checks that make it
/// certain.
const SILENCE: Duration = Duration::from_millis(50);
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// The longest time between two checks during a silence.
const MAX_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Time within which a supervisor must report the ordered end of a program.
const REPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// An active wire: the writing end of the pipe that a program reads.
struct Pipe {
    from: usize,
    to: usize,
    /// `None` once the end of the output was passed on.
    pipe: Option<OwnedFd>,
    /// The inode of the pipe.
    inode: u64,
    /// Bytes that did not fit into the pipe yet.
    pending: Vec<u8>,
    /// The number of bytes that may be kept in addition to those just read, because its pipes are smaller than usual.
    slack: usize,
    /// True if the reader is gone but its end is not recorded yet. Until then, its writer waits.
    waits: bool,
    /// True if its writer has ended, so that the pending bytes are the rest.
    ended: bool,
}

impl Pipe {
    /// Drops the pending bytes, because they will not be read.
    fn cut(&mut self) {
        self.pipe = None;
        self.pending.clear();
    }
}

/// Programs that have begun, and the wires between them.
pub(crate) struct RunningTalk<'a> {
    talk: &'a Talk,
    interrupt: &'a Interrupt,
    stop: Option<&'a dyn StopRequest>,
    /// Work that would delay messages, to be done in a moment without messages.
    silent_work: &'a dyn Fn(),
    peers: Vec<TalkProgram<'a>>,
    lines: Vec<Pipe>,
    transcript: Option<Transcript>,
    linger_until: Option<Instant>,
    /// The time of the next check whether all programs wait, and the result of the last one.
    check_at: Instant,
    pause: Duration,
    seen: Option<Waiting>,
}

/// The usual capacity of a pipe, in bytes.
const PIPE: usize = 64 << 10;

/// The number of bytes by which a pipe's capacity is less than usual: the kernel creates small pipes for a user that has
/// thousands, as another run may have. The judge compensates for this, so a program can always write as much before the other
/// one reads.
fn missing_room(pipe: impl AsFd) -> Result<usize, Errno> {
    Ok(PIPE.saturating_sub(rustix::pipe::fcntl_getpipe_size(pipe)?))
}

/// Something that `poll` found ready.
enum Event {
    Report(usize),
    Notice(usize, Notice),
    Output(usize),
    Errors(usize),
    Room(usize),
    Interrupted,
}

/// Descriptors to poll, each with its meaning when it is ready.
#[derive(Default)]
struct Polls<'a> {
    fds: Vec<PollFd<'a>>,
    events: Vec<Event>,
}

impl<'a> Polls<'a> {
    fn add(&mut self, fd: Option<BorrowedFd<'a>>, flags: PollFlags, event: Event) {
        if let Some(fd) = fd {
            self.fds.push(PollFd::from_borrowed_fd(fd, flags));
            self.events.push(event);
        }
    }
}

impl<'a> RunningTalk<'a> {
    /// A talk of programs that have begun, with the writing ends of the pipes that are their standard input, in the order of
    /// the wires. `silent_work` is done during silences.
    pub(crate) fn new(
        talk: &'a Talk,
        peers: Vec<TalkProgram<'a>>,
        pipes: Vec<OwnedFd>,
        interrupt: &'a Interrupt,
        stop: Option<&'a dyn StopRequest>,
        silent_work: &'a dyn Fn(),
    ) -> Result<Self, Fault> {
        // A program that could not be started has no wires.
        let there = |side: usize| side < peers.len();
        let wires = talk.wires.iter().zip(pipes).filter(|(wire, _)| there(wire.from) && there(wire.to));
        let laid = wires.map(|(wire, pipe)| {
            rustix::fs::fcntl_setfl(&pipe, rustix::fs::OFlags::NONBLOCK)?;
            let inode = rustix::fs::fstat(&pipe)?.st_ino;
            let output = peers[wire.from].stdout.fd();
            let slack = missing_room(&pipe)? + output.map_or(Ok(0), missing_room)?;
            Ok(Pipe {
                from: wire.from,
                to: wire.to,
                pipe: Some(pipe),
                inode,
                pending: Vec::new(),
                slack,
                waits: false,
                ended: false,
            })
        });
        let lines =
            laid.collect::<Result<Vec<Pipe>, Errno>>().map_err(|error| Fault(format!("laying wires: {error}")))?;
        let zero_us = peers.iter().filter_map(|program| program.running.begun_us()).min();
        let transcript = talk.transcript.is_some().then(|| Transcript::new(zero_us.unwrap_or_default()));
        Ok(Self {
            talk,
            interrupt,
            stop,
            silent_work,
            peers,
            lines,
            transcript,
            linger_until: None,
            check_at: Instant::now() + SILENCE,
            pause: SILENCE,
            seen: None,
        })
    }

    /// Ends all programs, because one could not be started.
    pub(crate) fn break_off(&mut self) -> Result<(), Fault> {
        self.peers.iter_mut().try_for_each(|program| program.end(Stop::OutOfTime, Some(Cut::TalkOver)))
    }

    /// Follows the talk to its end. When this returns, none of its processes lives. `None` if the talk was interrupted.
    pub(crate) fn run(mut self) -> Result<Option<Vec<EndedProgram>>, Fault> {
        let interrupted = self.follow();
        let written = match (self.transcript.take(), &self.talk.transcript) {
            (Some(transcript), Some(path)) => {
                transcript.write(path).map_err(|error| Fault(format!("{}: {error}", path.display())))
            }
            _ => Ok(()),
        };
        // If the judge fails, the programs end as well.
        let held: Vec<EndedProgram> = self.peers.into_iter().map(TalkProgram::conclude).collect();
        let interrupted = interrupted?;
        written?;
        Ok((!interrupted).then_some(held))
    }

    /// The loop; `true` if the talk was interrupted.
    fn follow(&mut self) -> Result<bool, Fault> {
        while !self.peers.iter().all(|program| program.over) {
            for event in self.wait()? {
                match event {
                    Event::Interrupted => return self.interrupted(),
                    Event::Report(index) => self.report(index)?,
                    Event::Notice(index, notice) => {
                        let program = &mut self.peers[index];
                        if program.running.is_past(notice) {
                            program.end(Stop::Limit(super::past(notice)), None)?;
                        }
                    }
                    Event::Output(index) => self.forward_output(index)?,
                    Event::Errors(index) => {
                        let program = &mut self.peers[index];
                        program.stderr.read_ready().map_err(|error| program.monitor.stderr_fault(&error))?;
                    }
                    Event::Room(line) => self.flush(line)?,
                }
            }
            if self.stop.is_some_and(StopRequest::requested) {
                return self.interrupted();
            }
            self.due()?;
        }
        Ok(false)
    }

    fn interrupted(&mut self) -> Result<bool, Fault> {
        for program in &mut self.peers {
            program.end(Stop::Interrupted, None)?;
        }
        Ok(true)
    }

    /// Waits for the next events.
    fn wait(&self) -> Result<Vec<Event>, Fault> {
        let mut polls = Polls::default();
        polls.add(Some(self.interrupt.fd()), PollFlags::IN, Event::Interrupted);
        for (index, program) in self.peers.iter().enumerate().filter(|(_, program)| !program.over) {
            let is_read = !self.lines.iter().any(|line| line.from == index && line.pending.len() > line.slack);
            polls.add(program.stdout.fd().filter(|_| is_read), PollFlags::IN, Event::Output(index));
            polls.add(program.stderr.fd(), PollFlags::IN, Event::Errors(index));
            polls.add(Some(program.running.fd()), PollFlags::IN, Event::Report(index));
            for (notice, fd, flags) in program.running.notices() {
                polls.add(Some(fd), flags, Event::Notice(index, notice));
            }
        }
        for (number, line) in self.lines.iter().enumerate() {
            if !line.pending.is_empty() && !line.waits {
                polls.add(line.pipe.as_ref().map(OwnedFd::as_fd), PollFlags::OUT, Event::Room(number));
            }
        }
        let Polls { mut fds, events } = polls;
        poll_for(&mut fds, self.left()).map_err(|error| Fault(format!("waiting for a talk: {error}")))?;
        let ready = fds.iter().map(|fd| !fd.revents().is_empty());
        Ok(events.into_iter().zip(ready).filter_map(|(event, ready)| ready.then_some(event)).collect())
    }

    /// Time until something is due.
    fn left(&self) -> Duration {
        let now = Instant::now();
        let until = |at: Instant| at.saturating_duration_since(now);
        let mut left = until(self.check_at);
        if self.stop.is_some() {
            left = left.min(STOP_INTERVAL);
        }
        left = self.linger_until.map_or(left, |at| left.min(until(at)));
        for program in self.peers.iter().filter(|program| !program.over) {
            left = left.min(program.ordered.map_or_else(|| program.monitor.left(), |at| until(at + REPORT_TIMEOUT)));
            if let Some(own_us) = program.own_us.filter(|_| program.stop.is_none()) {
                let over = own_us.saturating_add(1).saturating_sub(program.turn.so_far_us(now_us()));
                left = left.min(Duration::from_micros(over));
            }
        }
        left
    }

    /// Carries out what is due: samples, ends of time limits, a check whether all programs wait.
    fn due(&mut self) -> Result<(), Fault> {
        let now = Instant::now();
        for index in 0..self.peers.len() {
            let program = &mut self.peers[index];
            match program.ordered {
                _ if program.over => {}
                // `end_of` handles what is left of it.
                Some(at) if now >= at + REPORT_TIMEOUT => self.end_of(index)?,
                Some(_) => {}
                None => {
                    let before_us = now_us();
                    if let Some(stop) = program.monitor.due(&program.running) {
                        program.end(stop, None)?;
                    }
                    self.exclude_time(index, before_us);
                    let program = &mut self.peers[index];
                    if program.own_us.is_some_and(|most| program.turn.so_far_us(now_us()) > most) {
                        program.end(Stop::OutOfTime, Some(Cut::OwnClock))?;
                    }
                }
            }
        }
        if self.linger_until.is_some_and(|at| now >= at)
            && let Some(ruler) = self.talk.ruler.as_ref().and_then(|ruler| self.peers.get_mut(ruler.side))
        {
            ruler.end(Stop::OutOfTime, Some(Cut::Lingered))?;
            self.linger_until = None;
        }
        if now < self.check_at {
            return Ok(());
        }
        (self.silent_work)();
        let seen = self.all_waiting();
        if seen.is_some() && seen == self.seen {
            let ruler = self.talk.ruler.as_ref().map(|ruler| ruler.side);
            for (index, program) in self.peers.iter_mut().enumerate() {
                let cut = if ruler == Some(index) { Cut::TalkOver } else { Cut::AllWait };
                program.end(Stop::OutOfTime, Some(cut))?;
            }
        }
        self.pause = if seen.is_some() { CHECK_INTERVAL } else { (self.pause * 2).min(MAX_CHECK_INTERVAL) };
        (self.seen, self.check_at) = (seen, Instant::now() + self.pause);
        Ok(())
    }

    /// Subtracts the time since `before_us`, in which the judge sampled one program and read nothing, from the time of the
    /// others.
    fn exclude_time(&mut self, index: usize, before_us: u64) {
        let now = now_us();
        for (other, program) in self.peers.iter_mut().enumerate() {
            if other == index { program.delayed(before_us, now) } else { program.turn.exclude_time(before_us, now) }
        }
    }

    /// Checks whether all programs that have not ended wait for input, while none is on its way. `None` if they do not, or
    /// if this is not certain.
    fn all_waiting(&self) -> Option<Waiting> {
        let mut programs = Vec::new();
        for (index, program) in self.peers.iter().enumerate().filter(|(_, program)| !program.over) {
            let line = self.lines.iter().find(|line| line.to == index)?;
            let unread = rustix::io::ioctl_fionread(line.pipe.as_ref()?).ok()?;
            let unheard = program.stdout.fd().map_or(Ok(0), rustix::io::ioctl_fionread).ok()?;
            if program.stop.is_some() || !line.pending.is_empty() || unread > 0 || unheard > 0 {
                return None;
            }
            programs.push((program.running.members(), line.inode));
        }
        all_wait::check(&programs)
    }

    /// Tests whether the reader of a program's output waits for more of it. Called before the end of the output is
    /// passed on.
    fn is_awaited(&self, index: usize) -> bool {
        let Some(line) = self.lines.iter().find(|line| line.from == index) else { return true };
        let reader = &self.peers[line.to];
        if reader.over {
            return false;
        }
        let is_unread = !line.pending.is_empty()
            || line.pipe.as_ref().is_some_and(|pipe| rustix::io::ioctl_fionread(pipe).is_ok_and(|unread| unread > 0));
        !is_unread && all_wait::awaits_input(&reader.running.members(), line.inode)
    }

    /// Receives a report of a supervisor.
    fn report(&mut self, index: usize) -> Result<(), Fault> {
        let program = &mut self.peers[index];
        match program.monitor.listen(&mut program.running) {
            None => Ok(()),
            Some(Stop::Ended) => self.end_of(index),
            Some(Stop::Fault(fault)) => Err(fault),
            Some(stop) => program.end(stop, None),
        }
    }

    /// Handles the recorded end of a program: passes on its last output, and then the end of the output.
    fn end_of(&mut self, index: usize) -> Result<(), Fault> {
        let program = &mut self.peers[index];
        if std::mem::replace(&mut program.over, true) {
            return Ok(());
        }
        // The time since it last spoke is its own if the reader waits for more. This is checked only if it makes a
        // difference.
        if program.own_us.is_some_and(|most| program.turn.if_awaited_us(now_us()) > most) && self.is_awaited(index) {
            self.peers[index].turn.awaited();
        }
        let program = &mut self.peers[index];
        program.stdout.drain().map_err(|error| program.monitor.stdout_fault(&error))?;
        let (spoke, refused) = (program.stop.is_none(), program.running.was_refused());
        if refused {
            // It got no messages, and the others' reactions to its end mean nothing.
            self.break_off()?;
        }
        self.pass_on(index, spoke)?;
        self.end_line(index);
        if let Some(line) = self.lines.iter_mut().find(|line| line.to == index) {
            line.cut();
        }
        let Some(ruler) = &self.talk.ruler else { return Ok(()) };
        if ruler.side != index {
            let mut others = self.peers.iter().enumerate().filter(|(other, _)| *other != ruler.side);
            if others.all(|(_, program)| program.over) {
                self.linger_until = Some(Instant::now() + Duration::from_millis(self.talk.linger_ms));
            }
            return Ok(());
        }
        self.linger_until = None;
        if self.peers[index].running.exit_code().is_none_or(|code| !ruler.accepts.contains(&code)) {
            for program in &mut self.peers {
                if !program.over {
                    program.end(Stop::OutOfTime, Some(Cut::TalkOver))?;
                }
            }
        }
        Ok(())
    }

    /// Reads the output of a program, and passes it on.
    fn forward_output(&mut self, index: usize) -> Result<(), Fault> {
        let program = &mut self.peers[index];
        program.stdout.read_ready().map_err(|error| program.monitor.stdout_fault(&error))?;
        let spoke = program.stop.is_none();
        self.pass_on(index, spoke)?;
        let program = &self.peers[index];
        // If it is about to end, its end is recorded first: it may decide who is to blame for what the other one does.
        if program.stdout.fd().is_none() && !program.over && tree::any_lives(&program.running.members()) {
            self.end_line(index);
        }
        Ok(())
    }

    /// Passes on and keeps the output that was read from a program, if it spoke before its end was ordered.
    fn pass_on(&mut self, index: usize, spoke: bool) -> Result<(), Fault> {
        let now = now_us();
        let program = &mut self.peers[index];
        let piece = std::mem::take(&mut program.stdout.sink().piece);
        if piece.is_empty() {
            return Ok(());
        }
        let too_many = self.talk.sides[index].lines.is_some_and(|most| program.lines.take(&piece) > most);
        if spoke && !too_many {
            program.messages += 1;
            program.turn.message_sent(now);
            program.sample(now);
            if let Some(number) = self.lines.iter().position(|line| line.from == index) {
                self.send(number, &piece)?;
            }
            if let Some(transcript) = &mut self.transcript {
                transcript.add(now, index, &piece);
            }
            (self.check_at, self.pause, self.seen) = (Instant::now() + SILENCE, SILENCE, None);
        }
        let program = &mut self.peers[index];
        let fits = program.stdout.sink().file.take(&piece).map_err(|error| program.monitor.stdout_fault(&error))?;
        // The buffer is reused for the next piece.
        program.stdout.sink().piece = piece;
        program.stdout.sink().piece.clear();
        if !fits || too_many {
            program.too_much = true;
            program.end(Stop::Limit(End::TooMuchOutput), None)?;
        }
        Ok(())
    }

    /// Writes a piece to a line, and keeps the bytes that do not fit.
    fn send(&mut self, number: usize, piece: &[u8]) -> Result<(), Fault> {
        let line = &mut self.lines[number];
        let reader = &mut self.peers[line.to];
        let mut rest = piece;
        while let (Some(pipe), true) = (&line.pipe, line.pending.is_empty() && !rest.is_empty()) {
            match rustix::io::write(pipe, rest) {
                Ok(written) => {
                    rest = &rest[written..];
                    let now = now_us();
                    reader.sample(now);
                    reader.turn.message_received(now);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // It closed its input, so the rest is dropped.
                Err(Errno::PIPE) if tree::any_lives(&reader.running.members()) => line.cut(),
                Err(Errno::PIPE) => {
                    line.waits = true;
                    break;
                }
                Err(error) => return Err(Fault(format!("passing on a message: {error}"))),
            }
        }
        if line.pipe.is_some() {
            line.pending.extend_from_slice(rest);
        }
        Ok(())
    }

    /// Writes bytes that did not fit before.
    fn flush(&mut self, number: usize) -> Result<(), Fault> {
        let pending = std::mem::take(&mut self.lines[number].pending);
        self.send(number, &pending)?;
        self.close(number);
        Ok(())
    }

    /// Handles that a program will write nothing else.
    fn end_line(&mut self, from: usize) {
        if let Some(number) = self.lines.iter().position(|line| line.from == from) {
            self.lines[number].ended = true;
            self.close(number);
        }
    }

    /// Passes on the end of a line whose bytes were all written.
    fn close(&mut self, number: usize) {
        let line = &mut self.lines[number];
        if line.ended && line.pending.is_empty() && line.pipe.take().is_some() {
            self.peers[line.to].turn.message_received(now_us());
        }
    }
}
