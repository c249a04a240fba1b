//! How long the next beam and the next threshold will take, by those before; and which of them comes first.

use std::time::Duration;

/// By what the width of a beam grows, and with it the time it takes.
const WIDENING: u32 = 3;
/// What one threshold costs more than the last, for planning.
const RISE: u32 = 25;
/// How much longer a beam may take than a threshold and still come first: answers before proofs.
const PREFERENCE: u32 = 4;

/// What the next beam and the next threshold are, as far as planning goes.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Of the next beam, unless the time left does not allow it.
    width: usize,
    /// What memory allows; wider than that there is nothing.
    pub(crate) widest: usize,
    /// Of the last beam.
    last: usize,
    /// How many ends each width is searched from.
    ends: usize,
    /// The one the next beam begins at.
    pub(crate) end: usize,
    /// How long the next beam will take.
    beam: Duration,
    /// How long the last threshold took.
    pub(crate) threshold: Duration,
}

impl Pace {
    /// From one end, with a first beam of this width if memory allows.
    pub(crate) fn new(width: usize, widest: usize) -> Pace {
        let (beam, threshold) = (Duration::ZERO, Duration::ZERO);
        Pace { width: width.min(widest), widest, last: 0, ends: 1, end: 0, beam, threshold }
    }

    /// One more end from now on. It begins with the width that the others were last searched with.
    pub(crate) fn turned(&mut self, widest: usize) {
        self.widest = widest;
        self.end = self.ends;
        self.ends += 1;
        if self.last > 0 {
            (self.width, self.beam) = (self.last.min(widest), self.beam / WIDENING);
        }
    }

    /// How long the next threshold will take.
    pub(crate) fn proof(&self) -> Duration {
        self.threshold * RISE
    }

    /// How long the next beam or threshold will take, whichever is longer.
    pub(crate) fn longest(&self) -> Duration {
        self.beam.max(self.proof())
    }

    /// The width of the next beam, with so much time left; `None` if the next threshold is to come first.
    pub(crate) fn next_width(&self, left: Duration) -> Option<usize> {
        if self.width > self.widest || (self.proof() * PREFERENCE < self.beam && self.proof() <= left) {
            return None;
        }
        if self.beam <= left {
            return Some(self.width);
        }
        // What does not fit is cut to fit, as long as that is a beam wider than the last.
        let part = left.as_secs_f64() / self.beam.as_secs_f64();
        let least = 1.5 / f64::from(WIDENING);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a width is a width")]
        (part >= least).then_some((self.width as f64 * part * 0.8) as usize)
    }

    /// After a beam of this width, which took so long: the next is from the next end, or from the first and wider.
    pub(crate) fn searched(&mut self, width: usize, took: Duration) {
        self.last = width;
        self.end = (self.end + 1) % self.ends;
        if self.end > 0 {
            (self.width, self.beam) = (width, took);
            return;
        }
        self.beam = took * WIDENING;
        let next = width * WIDENING as usize;
        self.width = if width < self.widest { next.min(self.widest) } else { next };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn every_width_is_searched_from_either_end_up_to_the_widest() {
        let mut pace = Pace::new(1_000, 5_000);
        let mut beams = Vec::new();
        while let Some(width) = pace.next_width(Duration::MAX) {
            beams.push((width, pace.end));
            pace.threshold = 100 * SECOND;
            pace.searched(width, SECOND);
            if beams.len() == 2 {
                pace.turned(5_000);
            }
        }
        assert_eq!(beams, [(1_000, 0), (3_000, 0), (3_000, 1), (5_000, 0), (5_000, 1)]);
    }

    #[test]
    fn a_beam_is_cut_to_the_time_left_unless_that_leaves_nothing_new() {
        let mut pace = Pace::new(1_000, 100_000);
        pace.threshold = 100 * SECOND;
        pace.searched(1_000, SECOND);
        assert_eq!(pace.next_width(3 * SECOND), Some(3_000));
        assert_eq!(pace.next_width(2 * SECOND), Some(1_600));
        assert_eq!(pace.next_width(SECOND), None);
    }

    #[test]
    fn a_threshold_comes_first_where_it_is_four_times_as_fast() {
        let mut pace = Pace::new(1_000, 100_000);
        pace.threshold = SECOND / RISE;
        pace.searched(1_000, SECOND);
        assert_eq!(pace.next_width(Duration::MAX), Some(3_000));
        pace.searched(3_000, 2 * SECOND);
        assert_eq!(pace.next_width(Duration::MAX), None);
        assert_eq!(pace.longest(), 6 * SECOND);
    }
}
