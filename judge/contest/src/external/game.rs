//! A game between entries: the referee and the seats, each in a separate sandbox, with the judge between them.

mod keep;
mod moves;
mod record;
mod table;

use std::path::Path;

use judge_core::external::write_frames;
use judge_core::matches::{Clock, Life, MatchRules, Played};
use judge_core::plan::Board;
use judge_core::verdict::{Exit, JudgeFailure};
use judge_job::{DirectedSide, End, Interrupted, Job, StopRequest, TalkOutcome};

use self::keep::KeepFolders;
use self::moves::MovePrograms;
use self::table::{RefereeLimits, Table};
use super::call::{FinishedCall, RefereeInput, cut_off, positions};
use super::{External, Failure, tried_twice};
use crate::guard::catch_panic;

/// The wall-clock limit of programs that live as long as a game: thirty days, in milliseconds. The clocks of the game end it.
const GAME_MS: u64 = 30 * 86_400_000;

/// A limit above the bytes that a program can write in that time.
const UNLIMITED: u64 = 1 << 50;

impl External<'_> {
    /// Plays one game. `seats` are the jobs of the seats for a run on the board, without input. If `at_once` is true, all seats
    /// with open asks move at the same time, each on its own core. The transcript is written to a file.
    ///
    /// If the referee or the judge fails, the game is played once more. The inner error is the failure in that second game: a
    /// judge error, which is not a fault of a seat.
    ///
    /// # Errors
    /// [`Interrupted`] if a stop was requested.
    pub fn play(
        &self,
        board: &Board,
        seats: Vec<Job>,
        rules: &MatchRules,
        at_once: bool,
        stop: Option<&dyn StopRequest>,
        transcript: &Path,
    ) -> Result<Result<Played, JudgeFailure>, Interrupted> {
        match tried_twice(|| self.play_once(board, &seats, rules, at_once, stop, transcript)) {
            Ok((mut played, note)) => {
                played.notes.extend(note);
                Ok(Ok(played))
            }
            Err(Failure::Retryable(reason) | Failure::Final(reason)) => Ok(Err(JudgeFailure::Referee(reason))),
            Err(Failure::Interrupted) => Err(Interrupted),
        }
    }

    fn play_once(
        &self,
        board: &Board,
        seats: &[Job],
        rules: &MatchRules,
        at_once: bool,
        stop: Option<&dyn StopRequest>,
        transcript: &Path,
    ) -> Result<Played, Failure> {
        let (mut referee, folder) = self.job(&self.command, Some(board), RefereeInput::Seats(seats.len()), None)?;
        let may = RefereeLimits { own_ms: referee.limits.wall_ms, turn_bytes: referee.limits.output_bytes };
        // Both limits apply to the referee's turns instead of the whole game. Its output is in the transcript.
        (referee.limits.wall_ms, referee.limits.output_bytes) = (GAME_MS, UNLIMITED);
        referee.stdout = "/dev/null".into();
        let keep = KeepFolders::new(self.context.executor, rules.keep.map(|keep| (keep, seats.len())));
        let keep = keep.map_err(|error| Failure::Retryable(format!("folders of seats: {error}")))?;
        let mut jobs = seats.to_vec();
        jobs.iter_mut().enumerate().for_each(|(seat, job)| keep.add_to(seat, job));
        let clocks: Vec<Clock> = jobs.iter().map(|job| rules.clock.or_limit(job.limits.wall_ms)).collect();
        let mut sides = Vec::new();
        let moves = match rules.life {
            Life::Move => Some(MovePrograms::new(self.context.executor, jobs, stop).map_err(Failure::Retryable)?),
            Life::Game => {
                sides.extend(jobs.into_iter().zip(&clocks).map(|(job, clock)| living(job, clock)));
                None
            }
        };
        sides.push(DirectedSide::new(referee));
        let mut table = Table::new(&clocks, rules, may, moves, at_once);
        let executor = self.context.executor;
        let directed = catch_panic("the executor", || Ok(executor.direct(&sides, &mut table, stop)));
        let TalkOutcome { sides: mut outcomes, .. } = match directed {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(Interrupted)) => return Err(Failure::Interrupted),
            Err(reason) => return Err(Failure::Retryable(reason)),
        };
        let referee = outcomes.pop().ok_or_else(|| Failure::Retryable("the executor returned no outcome".into()))?;
        let called = FinishedCall { outcome: referee.outcome, folder };
        let over = table
            .finish(transcript, &outcomes)
            .map_err(|error| Failure::Retryable(format!("the transcript: {error}")))?;
        let failed = |reason: String| {
            let last = called.last_error().map_or(String::new(), |line| format!("; its last message: {line}"));
            Failure::Retryable(format!("{reason}{last}"))
        };
        if let End::JudgeError { reason } = &called.outcome.end {
            return Err(Failure::Retryable(reason.clone()));
        }
        // The first reason counts. A referee that was stopped for it has no end of its own to report.
        let mut played = over.map_err(failed)?;
        match &called.outcome.end {
            End::Exited { code: 0 } => {}
            End::Exited { code } => return Err(failed(format!("it ended with {} after `end`", Exit::Code(*code)))),
            End::Signalled { signal } => {
                return Err(failed(format!("it crashed with {} after `end`", Exit::Signal(*signal))));
            }
            end => return Err(failed(cut_off(end))),
        }
        // Positions are not a part of the result: a long game can have more than are kept.
        match positions(&called)? {
            Ok(frames) => played.frames = write_frames(&frames),
            Err(error) => played.notes.push(format!("the referee's positions are left out: {error}")),
        }
        played.machine = Some(Box::new(called.outcome.machine));
        played.notes.extend(called.outcome.notes.iter().map(|note| format!("the referee: {note}")));
        Ok(played)
    }
}

/// A seat whose program lives as long as the game. The program is stopped while another side is to move.
fn living(mut job: Job, clock: &Clock) -> DirectedSide {
    let limit_ms = clock.move_ms.into_iter().chain(clock.game_ms).min();
    (job.limits.wall_ms, job.limits.grace_ms) = (GAME_MS, 0);
    let mut side = DirectedSide::new(job);
    (side.limit_ms, side.held) = (limit_ms, true);
    side
}

#[cfg(test)]
mod tests;
