//! The clock of a log. The machine's clock can be set back, but the order of events must not change.

/// The state of the clock that follows from the moments of the lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// The moment of the last line on a clock that is never set back.
    pub(super) last: u64,
    /// The total time by which the clock was set back so far, in seconds.
    pub(super) back: u64,
}

impl Clock {
    /// The state after a line of this moment.
    pub(super) fn after(self, at: u64) -> Self {
        let on = at.saturating_add(self.back);
        let step = self.last.saturating_sub(on);
        Self { last: on.saturating_add(step), back: self.back.saturating_add(step) }
    }

    /// Converts a moment since the last line to a clock that is never set back.
    pub(super) fn order(self, at: u64) -> u64 {
        at.saturating_add(self.back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_set_back_takes_no_later_moment_before_an_earlier_one() {
        let (mut clock, mut orders) = (Clock::default(), Vec::new());
        for at in [100, 105, 40, 41, 41, 50, 10, 200] {
            clock = clock.after(at);
            orders.push((clock.order(at), clock.back));
        }
        let expected = [(100, 0), (105, 0), (105, 65), (106, 65), (106, 65), (115, 65), (115, 105), (305, 105)];
        assert_eq!(orders, expected);
    }
}
