//! The moments of a contest.

use judge_office::state::State;

/// What a contest without an end is said to last, in seconds: the interface demands a number.
const NO_END: u64 = 365 * 24 * 3600;

/// The times of a contest, in seconds since the beginning of 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) start: u64,
    pub(super) end: Option<u64>,
    /// When the board freezes, or was frozen.
    pub(super) freeze: Option<u64>,
    pub(super) thawed: Option<u64>,
}

impl Schedule {
    /// Without times of its own, a contest begins with its office and has no end.
    pub(super) fn of(state: &State) -> Self {
        let (times, (froze, thawed)) = (state.rules().times, state.froze_and_thawed());
        let start = times.opens.unwrap_or(state.begun());
        Self {
            start,
            end: state.rules().ends().filter(|closes| *closes > start),
            freeze: froze.or(times.freezes),
            thawed,
        }
    }

    /// How long the contest lasts, in seconds.
    pub(super) fn duration(self) -> u64 {
        self.end.map_or(NO_END, |end| end.saturating_sub(self.start))
    }
}

/// Which moments of a contest are past: what is shown changes with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Phase([bool; 4]);

impl Phase {
    pub(super) fn at(state: &State, now: u64) -> Self {
        let Schedule { start, end, freeze, thawed } = Schedule::of(state);
        Self([Some(start), end, freeze, thawed].map(|at| at.is_some_and(|at| at <= now)))
    }
}
