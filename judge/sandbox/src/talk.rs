//! Execution of programs that talk, each in a separate sandbox.

use std::os::fd::OwnedFd;

use judge_job::{Cut, StopRequest};
use rustix::pipe::{PipeFlags, pipe_with};
use signal_hook::consts::SIGKILL;

use super::local::{LocalExecutor, Pinned, PreparedJob, check_names, not_pinned};
use super::monitor::{Captures, Fault, Finished, HeldTalk, RunningTalk, TalkProgram};
use super::{End, Outcome, SideOutcome, Talk, TalkOutcome};

/// What happened to a program, and when it began and ended.
pub(super) type Concluded = (SideOutcome, Option<(u64, u64)>);

impl LocalExecutor<'_> {
    /// Holds a talk; `None` if it was interrupted.
    pub(super) fn run_talk(&self, talk: &Talk, stop: Option<&dyn StopRequest>) -> Result<Option<TalkOutcome>, Fault> {
        if let Some(fault) = talk.fault() {
            return Err(Fault(fault));
        }
        let (mut captures, mut prepared) = (Vec::new(), Vec::new());
        for side in &talk.sides {
            check_names(&side.job)?;
            captures.push(Captures::create(&side.job)?);
            match self.prepare(&side.job, side.own_ms)? {
                Ok(ready) => prepared.push(ready),
                Err(outcome) => return Ok(Some(self.unheld(talk, prepared.len(), *outcome))),
            }
        }
        let (mut peers, mut notes, mut pinned) = (Vec::new(), Vec::new(), None);
        let begun = self.begin(talk, &prepared, captures, stop, (&mut peers, &mut notes, &mut pinned));
        let (pipes, refused, fault) = match begun {
            Ok((pipes, refused)) => (pipes, refused, None),
            Err(fault) => (Vec::new(), None, Some(fault)),
        };
        let whole = peers.len() == talk.sides.len() && peers.iter().all(TalkProgram::is_well);
        // Supervisors of earlier runs, which would stay zombies as long as the talk takes.
        let reap = || self.reap();
        let mut conversation = RunningTalk::new(talk, peers, pipes, self.interrupt(), stop, &reap)?;
        if !whole {
            conversation.break_off()?;
        }
        let held = conversation.run()?;
        // This also releases what earlier runs left to the kernel, which would delay messages during a talk.
        for side in &talk.sides {
            self.prepare_next(&side.job);
            self.prepare_supervisor();
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        let Some(held) = held else { return Ok(None) };
        if let Some(outcome) = refused {
            return Ok(Some(self.unheld(talk, held.len(), outcome)));
        }
        let (mut sides, mut times): (Vec<SideOutcome>, Vec<Option<(u64, u64)>>) = (Vec::new(), Vec::new());
        for (prepared, held) in prepared.iter().zip(held) {
            let Some((side, at)) = self.side_outcome(prepared, held)? else { return Ok(None) };
            times.push(at);
            sides.push(side);
        }
        // A program could not be executed, so no later program was started.
        if sides.len() < talk.sides.len()
            && let Some(refused) = sides.pop()
        {
            return Ok(Some(self.unheld(talk, sides.len(), refused.outcome)));
        }
        let zero = times.iter().flatten().map(|(begun, _)| *begun).min().unwrap_or_default();
        for (side, times) in sides.iter_mut().zip(times) {
            side.begun_us = times.map(|(begun, _)| begun.saturating_sub(zero));
            side.ended_us = times.map(|(_, ended)| ended.saturating_sub(zero));
        }
        share(&mut sides, talk.sides.iter().map(|side| &*side.job.processors));
        for ((side, prepared), note) in sides.iter_mut().zip(prepared).zip(notes) {
            side.outcome.notes.extend(prepared.remove());
            side.outcome.notes.extend(note);
        }
        Ok(Some(TalkOutcome::new(sides)))
    }

    /// What happened to a program that talked, and when it began and ended, by the monotonic clock, in microseconds. `None` if
    /// it was interrupted.
    pub(super) fn side_outcome(&self, prepared: &PreparedJob<'_>, held: HeldTalk) -> Result<Option<Concluded>, Fault> {
        let HeldTalk { finished, own_us, messages, cut } = held;
        let times = match &finished {
            Ok(Finished::Run(run)) => run.times_us(),
            _ => None,
        };
        let Some(mut outcome) = self.concluded(prepared, finished)? else { return Ok(None) };
        match cut {
            Some(Cut::TalkOver | Cut::Lingered) if outcome.end == End::TimedOut => {
                outcome.end = End::Signalled { signal: SIGKILL };
            }
            Some(Cut::OwnClock) if matches!(outcome.end, End::Exited { .. } | End::Signalled { .. }) => {
                outcome.end = End::TimedOut;
            }
            _ => {}
        }
        let mut side = SideOutcome::new(outcome);
        (side.own_us, side.messages, side.cut) = (own_us, messages, cut);
        Ok(Some((side, times)))
    }

    /// Starts one program after the other, each when the previous one has begun, until one cannot be started. Returns the
    /// writing ends of the wires, and the outcome of a program that was refused.
    fn begin<'a>(
        &'a self,
        talk: &'a Talk,
        prepared: &'a [PreparedJob<'a>],
        captures: Vec<Captures>,
        stop: Option<&'a dyn StopRequest>,
        (peers, notes, pinned): (&mut Vec<TalkProgram<'a>>, &mut Vec<Option<String>>, &mut Option<Pinned>),
    ) -> Result<(Vec<OwnedFd>, Option<Outcome>), Fault> {
        let (mut pipes, mut readers) = (Vec::new(), Vec::new());
        for _ in &talk.wires {
            let (reader, writer) =
                pipe_with(PipeFlags::CLOEXEC).map_err(|error| Fault(format!("making wires: {error}")))?;
            readers.push(Some(reader));
            pipes.push(writer);
        }
        for (index, (side, (ready, captures))) in talk.sides.iter().zip(prepared.iter().zip(captures)).enumerate() {
            // Unpin first: each pin restores the processors that it found.
            drop(pinned.take());
            let processors = match Pinned::to(&side.job.processors) {
                Ok(here) => {
                    *pinned = Some(here);
                    notes.push(None);
                    &side.job.processors[..]
                }
                Err(error) => {
                    notes.push(Some(not_pinned(&side.job, &error)));
                    &[]
                }
            };
            let wire = talk.wires.iter().position(|wire| wire.to == index).and_then(|number| readers[number].take());
            // The program gets its own copy of the wire, and no other stays open: the pipe ends with the program.
            let running = match self.start(ready, wire.as_ref(), true) {
                Ok(running) => running,
                Err(error) => return Ok((pipes, Some(self.unstarted(ready, error)?))),
            };
            drop(wire);
            let mut monitor = self.monitor(&side.job, processors, ready.scratch());
            if let Some(stop) = stop {
                monitor.stopped_by(stop);
            }
            peers.push(TalkProgram::begun(monitor, running, captures.into_parts(), side.own_ms)?);
            if !peers.last().is_some_and(TalkProgram::is_well) {
                break;
            }
        }
        Ok((pipes, None))
    }

    /// The outcome of programs that the judge failed to execute.
    pub(super) fn failed_talk(&self, count: usize, fault: &Fault) -> TalkOutcome {
        let failed = || self.without_run(End::JudgeError { reason: fault.0.clone() });
        TalkOutcome::new((0..count).map(|_| SideOutcome::new(failed())).collect())
    }

    /// The outcome of a talk that did not take place because this program could not be started.
    fn unheld(&self, talk: &Talk, refused: usize, outcome: Outcome) -> TalkOutcome {
        let side = |index: usize| {
            if index == refused {
                return SideOutcome::new(outcome.clone());
            }
            let reason = "another program of its talk could not be started".into();
            let mut side = SideOutcome::new(self.without_run(End::CouldNotStart { reason, by_author: false }));
            side.cut = Some(Cut::TalkOver);
            side
        };
        TalkOutcome::new((0..talk.sides.len()).map(side).collect())
    }
}

/// Corrects the contention of programs that share processors: the time that one of them took does not count as time
/// taken by other processes.
pub(super) fn share<'a>(sides: &mut [SideOutcome], processors: impl Iterator<Item = &'a [usize]>) {
    let used: Vec<u64> = sides.iter().map(|side| side.outcome.usage.cpu_us.unwrap_or_default()).collect();
    let of: Vec<&[usize]> = processors.collect();
    for (index, side) in sides.iter_mut().enumerate() {
        let neighbours = (0..used.len())
            .filter(|&other| other != index && of[other].iter().any(|processor| of[index].contains(processor)));
        let others: u64 = neighbours.map(|other| used[other]).sum();
        if let Some(contention) = &mut side.outcome.contention {
            contention.taken_us = contention.taken_us.map(|taken| taken.saturating_sub(others));
        }
    }
}

#[cfg(test)]
mod tests;
