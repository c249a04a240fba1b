//! The time limit of an entry.
//!
//! The programs of 1995 had ten minutes per board and divided them as they liked. Here the limit comes from the judge.
//! A strategy that works until its time is nearly over uses fractions of it, so that they stay the same for every
//! limit. Where the clock decides, results differ from machine to machine. A strategy therefore limits its work by
//! counts where it can, and its documentation names the places where it cannot.

use std::time::{Duration, Instant};

/// Least time reserved for printing the answer; longer limits reserve a fiftieth.
const MIN_MARGIN: Duration = Duration::from_millis(50);

/// A period of wall-clock time, usually from the start of the entry.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    begin: Instant,
    length: Duration,
}

impl Budget {
    /// The time limit of this run ([`entry_common::time_limit`]), from now on and less a margin.
    pub fn from_entry() -> Budget {
        Budget::within(entry_common::time_limit())
    }

    /// A limit from now on, less a margin of a fiftieth, at least 50 ms; half the limit if it is below 100 ms.
    pub fn within(limit: Duration) -> Budget {
        let margin = (limit / 50).max(MIN_MARGIN).min(limit / 2);
        Budget { begin: Instant::now(), length: limit - margin }
    }

    /// The first part of this budget; `share` is 0 to 1.
    #[must_use]
    pub fn part(&self, share: f64) -> Budget {
        Budget { begin: self.begin, length: self.length.mul_f64(share.clamp(0.0, 1.0)) }
    }

    /// Returns `true` once the budget is used up. Reads the clock, some 50 ns; in an inner loop use a [`Watch`].
    pub fn is_over(&self) -> bool {
        self.begin.elapsed() >= self.length
    }

    /// The share that is used up, 0 to 1.
    pub fn spent(&self) -> f64 {
        (self.begin.elapsed().as_secs_f64() / self.length.as_secs_f64().max(f64::MIN_POSITIVE)).min(1.0)
    }

    /// A watch on this budget that reads the clock once per some thousand calls, for loops of well below a microsecond.
    pub fn watch(&self) -> Watch {
        self.watch_every(1 << 12)
    }

    /// A watch that reads the clock once per `calls` calls.
    pub fn watch_every(&self, calls: u32) -> Watch {
        Watch { budget: *self, every: calls, calls: 0, over: self.is_over() }
    }
}

/// A check of a budget for inner loops, which reads the clock only once per some number of calls.
#[derive(Clone, Debug)]
pub struct Watch {
    budget: Budget,
    every: u32,
    calls: u32,
    over: bool,
}

impl Watch {
    /// Returns `true` once the budget is used up, up to `every` calls late.
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
    fn a_margin_is_a_fiftieth_within_bounds() {
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
    fn a_watch_notices_the_end_after_at_most_some_calls() {
        let watch = Budget::within(Duration::ZERO).watch_every(10);
        assert!(watch.over);
        let mut later = Watch { over: false, ..watch };
        assert_eq!((0..20).position(|_| later.is_over()), Some(9));
        assert!(later.is_over());
    }
}
