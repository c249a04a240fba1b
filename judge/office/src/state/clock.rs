//! The clock of a log. That of the machine can be set back; the order in which things happened cannot.

/// What the moments of the lines say about the clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// The moment of the last line on a clock that is never set back.
    pub(super) last: u64,
    /// By how much the clock was set back so far, in seconds.
    pub(super) back: u64,
}

impl Clock {
    /// The same after a line of this moment.
    pub(super) fn after(self, at: u64) -> Self {
        let on = at.saturating_add(self.back);
        let step = self.last.saturating_sub(on);
        Self { last: on.saturating_add(step), back: self.back.saturating_add(step) }
    }

    /// A moment since the last line on a clock that is never set back.
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
