//! A program that is stopped while it is not to run.
//!
//! A stopped program can change nothing, so it is not sampled, which would take time from the program that runs. Processes
//! that were stopped by signals can be continued: by each other, or by a timer. So they are checked repeatedly, and the
//! processor time that they use nevertheless has a limit.

use std::time::{Duration, Instant};

use super::talk_program::TalkProgram;
use crate::End;
use crate::monitor::Stop;
use crate::sandbox::Hold;

/// Time between two checks of a program that was stopped by signals.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// The most processor time that a program may take in its pauses, beyond what is forgiven in each: threads that are on a
/// processor when they are stopped go on for a moment, longer on a busy machine.
const MAX_TAKEN_US: u64 = 100_000;
const TOLERANCE_US: u64 = 5_000;

/// The pauses of a program.
pub(super) struct Pause {
    hold: Hold,
    check_at: Instant,
    /// Its processor time at the beginning of the pause or at the last check.
    cpu_us: u64,
    taken_us: u64,
}

impl Pause {
    /// Stops a program immediately, and returns the means to continue it.
    pub(super) fn begun(program: &mut TalkProgram<'_>) -> Self {
        let hold = Hold::of(&program.running);
        let mut pause = Self { hold, check_at: Instant::now(), cpu_us: 0, taken_us: 0 };
        pause.begin(program);
        pause
    }

    /// Stops all its processes.
    pub(super) fn begin(&mut self, program: &mut TalkProgram<'_>) {
        self.hold.stop(&program.running);
        if self.hold.can_continue() {
            (self.cpu_us, self.check_at) = (program.cpu_us(), Instant::now() + CHECK_INTERVAL);
            self.taken_us = self.taken_us.saturating_sub(TOLERANCE_US);
        }
    }

    /// Lets it continue. Returns the reason if it is to end instead.
    pub(super) fn end(&mut self, program: &mut TalkProgram<'_>) -> Option<Stop> {
        let excess = self.count(program);
        self.hold.release();
        excess
    }

    /// Time until it has to be checked.
    pub(super) fn left(&self) -> Duration {
        if self.hold.can_continue() { self.check_at.saturating_duration_since(Instant::now()) } else { Duration::MAX }
    }

    /// Checks it if that is due, and stops what was continued. Returns the reason if it is to end.
    pub(super) fn due(&mut self, program: &mut TalkProgram<'_>) -> Option<Stop> {
        if !self.left().is_zero() {
            return None;
        }
        let before = self.taken_us;
        let excess = self.count(program);
        self.check_at = Instant::now() + CHECK_INTERVAL;
        if excess.is_some() || self.taken_us == before && self.hold.holds(&program.running) {
            return excess;
        }
        self.hold.stop(&program.running);
        program.monitor.due(&program.running)
    }

    /// Counts what it computed since it was stopped. Returns the reason if that is too much.
    fn count(&mut self, program: &mut TalkProgram<'_>) -> Option<Stop> {
        if !self.hold.can_continue() {
            return None;
        }
        let cpu_us = program.cpu_us();
        self.taken_us += cpu_us.saturating_sub(self.cpu_us);
        self.cpu_us = cpu_us;
        (self.taken_us > MAX_TAKEN_US).then_some(Stop::Limit(End::OutOfCpu))
    }
}
