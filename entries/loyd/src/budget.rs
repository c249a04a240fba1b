//! How long an entry may think.
//!
//! The programs of 1995 had ten minutes a board and used them as they saw fit. Here the limit comes from the judge; a
//! strategy that works until its time is nearly over shares it out in fractions, so that the shares stay the same
//! whatever the limit. What the clock decides differs from machine to machine: a strategy bounds its work by counts
//! where it can, and its head says where it cannot.

use std::time::{Duration, Instant};

/// What is kept back of the limit to print the answer in, as its fiftieth part and at least so much.
const LEAST_MARGIN: Duration = Duration::from_millis(50);

/// A stretch of wall time from the start of the entry.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    begin: Instant,
    length: Duration,
}

impl Budget {
    /// The time that the judge gives this run ([`entry_common::time_limit`]), from now on and less a margin.
    pub fn of_entry() -> Budget {
        Budget::within(entry_common::time_limit())
    }

    /// The time from now on that a limit leaves: the limit less its fiftieth part, and less 50 ms at the least; of a
    /// limit below 100 ms its half.
    pub fn within(limit: Duration) -> Budget {
        let margin = (limit / 50).max(LEAST_MARGIN).min(limit / 2);
        Budget { begin: Instant::now(), length: limit - margin }
    }

    /// The first part of this budget, `share` of it from 0 to 1.
    #[must_use]
    pub fn part(&self, share: f64) -> Budget {
        Budget { begin: self.begin, length: self.length.mul_f64(share.clamp(0.0, 1.0)) }
    }

    /// Whether all of it has gone. Asks the clock, some 50 ns; in an inner loop use a [`Watch`].
    pub fn is_over(&self) -> bool {
        self.begin.elapsed() >= self.length
    }

    /// Which share of it has gone, 0 to 1.
    pub fn spent(&self) -> f64 {
        (self.begin.elapsed().as_secs_f64() / self.length.as_secs_f64().max(f64::MIN_POSITIVE)).min(1.0)
    }

    /// A watch on this budget that asks the clock once in some thousand calls, for loops of well below a microsecond.
    pub fn watch(&self) -> Watch {
        self.watch_every(1 << 12)
    }

    /// A watch that asks the clock once in so many calls.
    pub fn watch_every(&self, calls: u32) -> Watch {
        Watch { budget: *self, every: calls, calls: 0, over: self.is_over() }
    }
}

/// Tells an inner loop whether a budget is over, and asks the clock only now and then.
#[derive(Clone, Debug)]
pub struct Watch {
    budget: Budget,
    every: u32,
    calls: u32,
    over: bool,
}

impl Watch {
    /// Whether the budget is over. Once it is, it stays so.
    pub fn is_over(&mut self) -> bool {
        self.calls += 1;
        if self.calls >= self.every {
            self.calls = 0;
            self.over |= self.budget.is_over();
        }
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_a_fiftieth_but_50_ms_and_never_more_than_half() {
        let left = |limit| Budget::within(Duration::from_millis(limit)).length.as_millis();
        assert_eq!([600_000, 10_000, 2_000, 300, 60, 0].map(left), [588_000, 9_800, 1_950, 250, 30, 0]);
    }

    #[test]
    fn a_part_is_over_before_the_whole() {
        let whole = Budget::within(Duration::from_secs(1_000));
        assert!(whole.part(0.0).is_over());
        assert!(!whole.part(0.5).is_over() && !whole.is_over());
        assert!(whole.spent() < 0.5);
        assert_eq!(Budget::within(Duration::ZERO).spent(), 1.0);
    }

    #[test]
    fn a_watch_sees_the_end_after_some_calls_at_the_latest() {
        let watch = Budget::within(Duration::ZERO).watch_every(10);
        assert!(watch.over);
        let mut later = Watch { over: false, ..watch };
        assert_eq!((0..20).position(|_| later.is_over()), Some(9));
        assert!(later.is_over());
    }
}
