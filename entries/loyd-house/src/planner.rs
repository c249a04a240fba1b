//! Predicts the times of the next beams and the next threshold from the last ones, and decides which come first.

use std::time::Duration;

/// Factor between the widths of two beams, and between their times.
const WIDENING: u32 = 3;
/// Assumed factor between the times of two thresholds.
const RISE: u32 = 25;
/// Factor by which beams may take longer than a threshold and still come first, as answers matter more than proofs.
const PREFERENCE: u32 = 4;
/// The same factor for the last beams.
const LAST_PREFERENCE: u32 = 16;

/// The next piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Beams of this width.
    Beams(usize),
    /// Beams that take all the time left.
    LastBeams,
    /// The next threshold of the proof.
    Threshold,
}

/// The plan for the next beams and the next threshold.
#[derive(Debug)]
pub(crate) struct Planner {
    /// Width of the next beams, unless the time left is too short for them.
    width: usize,
    /// Greatest width that memory allows.
    pub(crate) widest: usize,
    /// Predicted time of the next beams.
    beams: Duration,
    /// Time of the last threshold.
    pub(crate) threshold: Duration,
    /// Whether beams may take all the time left, and have not done so yet.
    last: bool,
}

impl Planner {
    /// Plans beams of this width first, if memory allows. If `last`, the last beams take all the time left.
    pub(crate) fn new(width: usize, widest: usize, last: bool) -> Planner {
        let (beams, threshold) = (Duration::ZERO, Duration::ZERO);
        Planner { width: width.min(widest), widest, beams, threshold, last }
    }

    /// Width of the next beams.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Predicted time of the next threshold.
    pub(crate) fn next_threshold(&self) -> Duration {
        self.threshold * RISE
    }

    /// The next piece of work, with so much time left.
    pub(crate) fn next(&self, left: Duration) -> Step {
        let threshold = self.next_threshold();
        if self.width == 0 || self.width > self.widest || (threshold * PREFERENCE < self.beams && threshold <= left) {
            return Step::Threshold;
        }
        // Beams of the next width are worth their time only if wider ones can follow.
        if self.last && left < self.beams * (1 + WIDENING) {
            return if threshold * LAST_PREFERENCE < left { Step::Threshold } else { Step::LastBeams };
        }
        if self.beams <= left { Step::Beams(self.width) } else { Step::Threshold }
    }

    /// Records beams and their time. The next ones are wider.
    pub(crate) fn beams_finished(&mut self, step: Step, took: Duration) {
        match step {
            Step::Beams(width) => {
                self.beams = took * WIDENING;
                let next = width * WIDENING as usize;
                self.width = if width < self.widest { next.min(self.widest) } else { next };
            }
            Step::LastBeams => self.last = false,
            Step::Threshold => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn widths_grow_up_to_the_widest() {
        let mut planner = Planner::new(1_000, 5_000, true);
        planner.threshold = 100 * SECOND;
        let mut widths = Vec::new();
        while let step @ Step::Beams(width) = planner.next(Duration::MAX) {
            widths.push(width);
            planner.beams_finished(step, SECOND);
        }
        assert_eq!(widths, [1_000, 3_000, 5_000]);
        assert_eq!(planner.next(Duration::MAX), Step::Threshold);
    }

    #[test]
    fn the_last_beams_take_the_time_left_if_wider_ones_would_not_fit_after_the_next() {
        let mut planner = Planner::new(1_000, 100_000, true);
        planner.threshold = 100 * SECOND;
        planner.beams_finished(Step::Beams(1_000), SECOND);
        assert_eq!(planner.next(12 * SECOND), Step::Beams(3_000));
        assert_eq!(planner.next(11 * SECOND), Step::LastBeams);
        planner.beams_finished(Step::LastBeams, 8 * SECOND);
        assert_eq!(planner.next(3 * SECOND), Step::Beams(3_000));
        assert_eq!(planner.next(2 * SECOND), Step::Threshold);
    }

    #[test]
    fn a_threshold_comes_first_if_it_is_four_times_as_fast() {
        let mut planner = Planner::new(1_000, 100_000, false);
        planner.threshold = SECOND / RISE;
        planner.beams_finished(Step::Beams(1_000), SECOND);
        assert_eq!(planner.next(Duration::MAX), Step::Beams(3_000));
        planner.beams_finished(Step::Beams(3_000), 2 * SECOND);
        assert_eq!(planner.next(Duration::MAX), Step::Threshold);
    }
}
