//! The moments of a contest.

use judge_office::state::State;

/// The duration of a contest without an end, in seconds, because the interface requires a number.
const NO_END: u64 = 365 * 24 * 3600;

/// The times of a contest, in seconds since the beginning of 1970 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) start: u64,
    pub(super) end: Option<u64>,
    /// The time when the board freezes, or was frozen.
    pub(super) freeze: Option<u64>,
    pub(super) thawed: Option<u64>,
    pub(super) finalised: Option<u64>,
    /// True if the board was frozen. `reached` is the last planned moment that the clock has reached, because the clock can be
    /// set back afterwards.
    froze: bool,
    reached: u64,
}

impl Schedule {
    /// Without configured times, a contest begins with its office and has no end. Final results also end it. Moments are adjusted
    /// to the order that the interface requires, whatever the organiser did: a freeze is between the start and the end.
    pub(super) fn of(state: &State) -> Self {
        let (times, (froze, thawed)) = (state.rules().times, state.froze_and_thawed());
        let start = state.start();
        let closes = state.rules().ends().filter(|closes| *closes > start);
        let finalised = state.finalised().map(|at| at.max(start));
        let end = closes.into_iter().chain(finalised).min();
        // A freeze that is planned after the end never happens.
        let planned = times.freezes.filter(|freezes| end.is_none_or(|end| *freezes <= end));
        let freeze = froze.map(|froze| froze.min(end.unwrap_or(u64::MAX))).or(planned).map(|freeze| freeze.max(start));
        let has_come = |moment: &u64| *moment <= state.begun() || state.has_passed(*moment);
        let moments = [Some(start), end].into_iter().flatten().filter(has_come);
        let moments = moments.chain(finalised.filter(|_| state.finalised() > Some(start)));
        Self { start, end, freeze, thawed, finalised, froze: froze.is_some(), reached: moments.max().unwrap_or(0) }
    }

    /// The past moments of the contest at a time: its start, freeze, end, thaw and finalisation.
    pub(super) fn past(self, now: u64) -> [Option<u64>; 5] {
        let now = now.max(self.reached);
        let past = |at: Option<u64>| at.filter(|at| *at <= now);
        let (start, end) = (past(Some(self.start)), past(self.end));
        // An action is past, even if the clock was set back, and is shown from the start on.
        let done = |at: Option<u64>| at.filter(|_| start.is_some());
        let freeze = if self.froze { done(self.freeze) } else { past(self.freeze) };
        // A board that was thawed before the end is shown as thawed at the end.
        let thawed = done(self.thawed).filter(|_| freeze.is_some()).map(|thawed| thawed.max(end.unwrap_or(0)));
        [start, freeze, end, thawed, done(self.finalised).filter(|_| end.is_some())]
    }

    /// The duration of the contest, in seconds.
    pub(super) fn duration(self) -> u64 {
        self.end.map_or(NO_END, |end| end.saturating_sub(self.start))
    }
}

/// The past moments of a contest, on which the shown data depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Phase([bool; 5]);

impl Phase {
    pub(super) fn at(state: &State, now: u64) -> Self {
        Self(Schedule::of(state).past(now).map(|at| at.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use judge_contest::office::{OfficeRules, Times};
    use judge_office::state::{Dated, FORMAT, Line};

    use super::*;

    const START: u64 = 1000;
    const END: u64 = 2000;

    /// A state after these lines at their moments.
    fn state(times: Times, lines: &[(u64, Line)]) -> State {
        let mut state = State::default();
        let rules = OfficeRules { times, ..OfficeRules::default() };
        let begin = [(1, Line::Office { format: FORMAT }), (2, Line::Rules { rules })];
        for (at, line) in begin.iter().chain(lines) {
            state.apply(Dated { at: *at, line: line.clone() }).unwrap();
        }
        state
    }

    /// The past moments at a time, after checks of the order that the interface requires.
    fn past(state: &State, now: u64) -> [Option<u64>; 5] {
        let all @ [started, frozen, ended, thawed, finalised] = Schedule::of(state).past(now);
        for (name, first, then) in [
            ("frozen", started, frozen),
            ("ended", started, ended),
            ("thawed", frozen, thawed),
            ("finalised", ended, finalised),
        ] {
            assert!(then.is_none() || first.is_some_and(|first| Some(first) <= then), "{name} at {now}: {all:?}");
        }
        for (first, then) in [(frozen, ended), (ended, thawed)] {
            assert!(first.is_none() || then.is_none() || first <= then, "at {now}: {all:?}");
        }
        all
    }

    #[test]
    fn the_moments_of_a_contest_are_in_the_order_of_the_interface() {
        let frozen = || Line::Frozen { last: 0, from: None };
        let (open, timed) = (Times::default(), |freezes| Times { opens: Some(START), freezes, closes: Some(END) });
        // Without an end, the final results are the end.
        let done = state(open, &[(10, Line::Final)]);
        assert_eq!(past(&done, 10), [Some(1), None, Some(10), None, Some(10)]);
        assert_eq!(Schedule::of(&done).duration(), 9);
        // Actions before the start are shown from the start on.
        let early = state(timed(None), &[(10, frozen()), (11, Line::Final)]);
        assert_eq!(past(&early, 20), [None; 5]);
        assert_eq!(past(&early, START), [Some(START), Some(START), Some(START), None, Some(START)]);
        // A freeze after the end, and a thaw before it.
        let late = state(timed(None), &[(END + 5, frozen())]);
        assert_eq!(past(&late, END + 5), [Some(START), Some(END), Some(END), None, None]);
        let thawed = state(timed(None), &[(1100, frozen()), (1200, Line::Thawed)]);
        assert_eq!(past(&thawed, 1300), [Some(START), Some(1100), None, Some(1200), None]);
        assert_eq!(past(&thawed, END), [Some(START), Some(1100), Some(END), Some(END), None]);
        // Final results before the planned freeze, which never happens.
        let planned = state(timed(Some(1800)), &[(1500, Line::Final)]);
        assert_eq!(past(&planned, 1600), [Some(START), None, Some(1500), None, Some(1500)]);
        assert_eq!(past(&planned, 1900), [Some(START), None, Some(1500), None, Some(1500)]);
        // Actions in the required order keep their times.
        let lines = [(1800, frozen()), (2100, Line::Final), (2200, Line::Thawed)];
        let usual = state(timed(Some(1800)), &lines);
        assert_eq!(past(&usual, 2200), [Some(START), Some(1800), Some(END), Some(2200), Some(2100)]);
        // The order holds for any times of actions.
        for (froze, thaw, done) in [(5, 6, 7), (5, 1500, 1400), (1500, 2500, 2400), (2100, 2200, 2150)] {
            let mut lines = [(froze, frozen()), (thaw, Line::Thawed), (done, Line::Final)];
            lines.sort_by_key(|(at, _)| *at);
            for times in [open, timed(None), timed(Some(1700))] {
                let state = state(times, &lines);
                (0..2600).step_by(50).for_each(|now| assert!(past(&state, now)[0].is_some() || now < START));
            }
        }
    }

    #[test]
    fn moments_that_have_come_stay_past_when_the_clock_is_set_back() {
        let times = Times { opens: Some(START), freezes: Some(1800), closes: Some(END) };
        let frozen = Line::Frozen { last: 0, from: Some(1800) };
        let lines = [(START, Line::Passed { moments: vec![START] }), (1800, frozen)];
        let running = state(times, &lines);
        for moment in [10, START, 1900] {
            assert_eq!(past(&running, moment), [Some(START), Some(1800), None, None, None], "at {moment}");
        }
        let over = [(END, Line::Passed { moments: vec![END] }), (END + 1, Line::Final), (END + 2, Line::Thawed)];
        let over = state(times, &[&lines[..], &over].concat());
        for moment in [10, START, END, END + 9] {
            let expected = [Some(START), Some(1800), Some(END), Some(END + 2), Some(END + 1)];
            assert_eq!(past(&over, moment), expected, "at {moment}");
        }
    }
}
