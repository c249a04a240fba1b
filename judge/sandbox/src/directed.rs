//! Execution of programs under a director, each in a separate sandbox.

use std::cell::RefCell;

use judge_job::{DirectedSide, Director, StopRequest};
use rustix::pipe::{PipeFlags, pipe_with};

use super::local::{LocalExecutor, Pinned, PreparedJob, check_names, not_pinned};
use super::monitor::{Captures, Directed, DirectedProgram, Fault, HeldTalk, TalkProgram};
use super::talk::share;
use super::{Outcome, SideOutcome, TalkOutcome};

/// A program about to be started, and the files for its output.
type Ready<'a> = (PreparedJob<'a>, RefCell<Option<Captures>>);

impl LocalExecutor<'_> {
    /// Executes programs under a director; `None` if they were interrupted.
    pub(super) fn run_directed(
        &self,
        sides: &[DirectedSide],
        director: &mut dyn Director,
        stop: Option<&dyn StopRequest>,
    ) -> Result<Option<TalkOutcome>, Fault> {
        let mut prepared: Vec<Result<Ready<'_>, Outcome>> = Vec::new();
        for DirectedSide { job, limit_ms, .. } in sides {
            check_names(job)?;
            let captures = RefCell::new(Some(Captures::create(job)?));
            prepared.push(self.prepare(job, *limit_ms)?.map(|ready| (ready, captures)).map_err(|outcome| *outcome));
        }
        let (mut parts, mut notes, mut pinned) = (Vec::new(), Vec::new(), None);
        let begun = self.begin_directed(sides, &prepared, stop, (&mut parts, &mut notes, &mut pinned));
        let conclude = |side: usize, held: HeldTalk| match &prepared[side] {
            Ok((ready, _)) => self.side_outcome(ready, held),
            Err(_) => Err(Fault("a program that was not started has ended".into())),
        };
        let reap = || self.reap();
        let directed =
            Directed { parts, director, interrupt: self.interrupt(), stop, conclude: &conclude, silent_work: &reap };
        let held = match begun {
            Ok(()) => directed.run(),
            Err(fault) => {
                directed.break_off();
                Err(fault)
            }
        };
        for side in sides {
            self.prepare_next(&side.job);
            self.prepare_supervisor();
        }
        let Some(mut outcomes) = held? else { return Ok(None) };
        share(&mut outcomes, sides.iter().map(|side| &*side.job.processors));
        for ((side, ready), note) in outcomes.iter_mut().zip(prepared).zip(notes) {
            side.outcome.notes.extend(ready.ok().and_then(|(ready, _)| ready.remove()));
            side.outcome.notes.extend(note);
        }
        Ok(Some(TalkOutcome::new(outcomes)))
    }

    /// Starts one program after the other, each when the previous one has begun. A program that cannot be started is over.
    fn begin_directed<'a>(
        &'a self,
        sides: &'a [DirectedSide],
        prepared: &'a [Result<Ready<'a>, Outcome>],
        stop: Option<&'a dyn StopRequest>,
        (parts, notes, pinned): (&mut Vec<DirectedProgram<'a>>, &mut Vec<Option<String>>, &mut Option<Pinned>),
    ) -> Result<(), Fault> {
        for (DirectedSide { job, held, .. }, ready) in sides.iter().zip(prepared) {
            // Unpin first: each pin restores the processors that it found.
            drop(pinned.take());
            let here = Pinned::to(&job.processors);
            notes.push(here.as_ref().err().map(|error| not_pinned(job, error)));
            let processors = if here.is_ok() { &job.processors[..] } else { &[] };
            *pinned = here.ok();
            let (ready, captures) = match ready {
                Ok((ready, captures)) => (ready, captures.take()),
                Err(outcome) => {
                    parts.push(DirectedProgram::unstarted(SideOutcome::new(outcome.clone())));
                    continue;
                }
            };
            let Some(captures) = captures else { continue };
            let (reader, writer) =
                pipe_with(PipeFlags::CLOEXEC).map_err(|error| Fault(format!("making wires: {error}")))?;
            // The program gets its own copy of the reading end, and no other stays open: the pipe ends with the program.
            let running = match self.start(ready, Some(&reader), true) {
                Ok(running) => running,
                Err(error) => {
                    parts.push(DirectedProgram::unstarted(SideOutcome::new(self.unstarted(ready, error)?)));
                    continue;
                }
            };
            drop(reader);
            let mut monitor = self.monitor(job, processors, ready.scratch());
            if let Some(stop) = stop {
                monitor.stopped_by(stop);
            }
            let program = TalkProgram::begun(monitor, running, captures.into_parts(), None)?;
            parts.push(DirectedProgram::begun(program, writer, *held)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
