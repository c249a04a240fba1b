//! Predicts the times of the next beam and the next threshold from the last ones, and decides which comes first.

use std::time::Duration;

/// Factor between the widths of two beams, and between their times.
const WIDENING: u32 = 3;
/// Assumed factor between the times of two thresholds.
const RISE: u32 = 25;
/// Factor by which a beam may take longer than a threshold and still come first, as answers matter more than proofs.
const PREFERENCE: u32 = 4;

/// The plan for the next beam and the next threshold.
#[derive(Debug)]
pub(crate) struct Planner {
    /// Width of the next beam, unless the time left is too short for it.
    width: usize,
    /// Greatest width that memory allows.
    pub(crate) widest: usize,
    /// Width of the last beam.
    last: usize,
    /// Number of ends from which each width is searched.
    ends: usize,
    /// The end from which the next beam starts.
    pub(crate) end: usize,
    /// Predicted time of the next beam.
    beam: Duration,
    /// Time of the last threshold.
    pub(crate) threshold: Duration,
}

impl Planner {
    /// Plans for one end, with a first beam of this width if memory allows.
    pub(crate) fn new(width: usize, widest: usize) -> Planner {
        let (beam, threshold) = (Duration::ZERO, Duration::ZERO);
        Planner { width: width.min(widest), widest, last: 0, ends: 1, end: 0, beam, threshold }
    }

    /// Adds an end. It starts with the width of the last beam.
    pub(crate) fn add_end(&mut self, widest: usize) {
        self.widest = widest;
        self.end = self.ends;
        self.ends += 1;
        if self.last > 0 {
            (self.width, self.beam) = (self.last.min(widest), self.beam / WIDENING);
        }
    }

    /// Predicted time of the next threshold.
    pub(crate) fn next_threshold(&self) -> Duration {
        self.threshold * RISE
    }

    /// Predicted time of the next beam or threshold, whichever is longer.
    pub(crate) fn longest(&self) -> Duration {
        self.beam.max(self.next_threshold())
    }

    /// The width of the next beam, with so much time left; `None` if the next threshold comes first.
    pub(crate) fn next_width(&self, left: Duration) -> Option<usize> {
        let threshold = self.next_threshold();
        if self.width > self.widest || (threshold * PREFERENCE < self.beam && threshold <= left) {
            return None;
        }
        if self.beam <= left {
            return Some(self.width);
        }
        // A beam that does not fit the time is made narrower, if it stays wider than the last.
        let part = left.as_secs_f64() / self.beam.as_secs_f64();
        let least = 1.5 / f64::from(WIDENING);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of a width is a width")]
        (part >= least).then_some((self.width as f64 * part * 0.8) as usize)
    }

    /// Records a beam of this width and its time. The next one starts from the next end, or wider from the first.
    pub(crate) fn beam_finished(&mut self, width: usize, took: Duration) {
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
    fn every_width_up_to_the_widest_is_searched_from_either_end() {
        let mut planner = Planner::new(1_000, 5_000);
        let mut beams = Vec::new();
        while let Some(width) = planner.next_width(Duration::MAX) {
            beams.push((width, planner.end));
            planner.threshold = 100 * SECOND;
            planner.beam_finished(width, SECOND);
            if beams.len() == 2 {
                planner.add_end(5_000);
            }
        }
        assert_eq!(beams, [(1_000, 0), (3_000, 0), (3_000, 1), (5_000, 0), (5_000, 1)]);
    }

    #[test]
    fn a_beam_is_narrowed_to_the_time_left_if_it_stays_wider_than_the_last() {
        let mut planner = Planner::new(1_000, 100_000);
        planner.threshold = 100 * SECOND;
        planner.beam_finished(1_000, SECOND);
        assert_eq!(planner.next_width(3 * SECOND), Some(3_000));
        assert_eq!(planner.next_width(2 * SECOND), Some(1_600));
        assert_eq!(planner.next_width(SECOND), None);
    }

    #[test]
    fn a_threshold_comes_first_if_it_is_four_times_as_fast() {
        let mut planner = Planner::new(1_000, 100_000);
        planner.threshold = SECOND / RISE;
        planner.beam_finished(1_000, SECOND);
        assert_eq!(planner.next_width(Duration::MAX), Some(3_000));
        planner.beam_finished(3_000, 2 * SECOND);
        assert_eq!(planner.next_width(Duration::MAX), None);
        assert_eq!(planner.longest(), 6 * SECOND);
    }
}
