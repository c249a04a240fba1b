//! The clock of a seat while a game is played. Times are microseconds.

use super::Clock;

/// The time that a seat has used and has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatClock {
    clock: Clock,
    /// Time of the game that is left; `None` for no such limit.
    left_us: Option<u64>,
    used_us: u64,
    longest_us: u64,
}

impl Clock {
    /// The clock under this limit of a contest, in milliseconds. It is the time of the game if the clock has no limit.
    #[must_use]
    pub fn or_limit(self, limit_ms: u64) -> Self {
        match self {
            Self { move_ms: None, game_ms: None, .. } => Self { game_ms: Some(limit_ms), ..self },
            _ => self,
        }
    }
}

impl SeatClock {
    /// The clock of a seat at the beginning of a game.
    pub fn new(clock: Clock) -> Self {
        let left_us = clock.game_ms.map(|ms| ms.saturating_mul(1000));
        Self { clock, left_us, used_us: 0, longest_us: 0 }
    }

    /// Time for the next ask; `None` for no limit.
    pub fn allowed_us(&self) -> Option<u64> {
        let move_us = self.clock.move_ms.map(|ms| ms.saturating_mul(1000));
        move_us.into_iter().chain(self.left_us).min()
    }

    /// Counts the time of an ask. An answer in time adds the increment.
    pub fn count(&mut self, took_us: u64, in_time: bool) {
        self.used_us = self.used_us.saturating_add(took_us);
        self.longest_us = self.longest_us.max(took_us);
        let added_us = if in_time { self.clock.increment_ms.saturating_mul(1000) } else { 0 };
        self.left_us = self.left_us.map(|left| left.saturating_sub(took_us).saturating_add(added_us));
    }

    /// Time of the game that is left; `None` for no such limit.
    pub fn left_us(&self) -> Option<u64> {
        self.left_us
    }

    /// Time of all asks together.
    pub fn used_us(&self) -> u64 {
        self.used_us
    }

    /// Time of the longest ask.
    pub fn longest_us(&self) -> u64 {
        self.longest_us
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_of_both_limits_counts_and_answers_add_to_the_game() {
        let clock = |move_ms, game_ms, increment_ms| Clock { move_ms, game_ms, increment_ms };
        // The clock, the times of answers, the time for the next ask, and the time of the game that is left then.
        for (clock, took, allowed, left) in [
            (clock(None, None, 0), &[5_000_000][..], None, None),
            (clock(Some(2), None, 9), &[1_000, 1_900], Some(2_000), None),
            (clock(None, Some(10), 0), &[4_000, 5_999], Some(1), Some(1)),
            (clock(None, Some(10), 3), &[4_000], Some(9_000), Some(9_000)),
            (clock(Some(2), Some(10), 1), &[2_000, 0], Some(2_000), Some(10_000)),
            (clock(Some(20), Some(10), 0), &[10_000], Some(0), Some(0)),
            (clock(Some(u64::MAX), Some(u64::MAX), u64::MAX), &[7], Some(u64::MAX), Some(u64::MAX)),
        ] {
            let mut seat = SeatClock::new(clock);
            took.iter().for_each(|&us| seat.count(us, true));
            assert_eq!((seat.allowed_us(), seat.left_us()), (allowed, left), "{clock:?} {took:?}");
            assert_eq!(seat.used_us(), took.iter().sum::<u64>());
            assert_eq!(seat.longest_us(), took.iter().copied().max().unwrap_or_default());
        }
        let mut late = SeatClock::new(clock(Some(2), Some(10), 5));
        late.count(2_500, false);
        assert_eq!(late.left_us(), Some(7_500));
    }

    #[test]
    fn the_limit_of_the_contest_is_the_game_without_another_clock() {
        let none = Clock::default();
        assert_eq!(none.or_limit(60).game_ms, Some(60));
        let by_move = Clock { move_ms: Some(1), ..none };
        assert_eq!(by_move.or_limit(60), by_move);
    }
}
