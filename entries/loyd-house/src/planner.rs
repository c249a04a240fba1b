//! Predicts the times of the next beams and the next threshold from the last ones, and decides which come first.

use std::time::Duration;

/// Factor between the widths of two beams, and between their times.
const WIDENING: u32 = 3;
/// Assumed factor between the times of two thresholds, until it can be measured.
const RISE: f64 = 25.0;
/// Nodes of a threshold from which its factor to the next is measured.
const MEASURABLE: u64 = 100_000;
/// Factor by which the rest of the proof may take longer than the time left and is still tried: the factor between
/// thresholds falls.
const TRIED: f64 = 1.5;
/// Factor by which beams may take longer than a threshold and still come first, as answers matter more than proofs.
const PREFERENCE: u32 = 4;
/// Factor by which the last beams may take longer than a threshold and still come first.
const LAST_PREFERENCE: u32 = 16;

/// The next piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Beams of this width, in positions per level.
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
    threshold: Duration,
    /// Positions that the search of the last threshold looked up.
    nodes: u64,
    /// Factor between the times of two thresholds.
    rise: f64,
    /// True if beams may take all the time left, and have not done so yet.
    last: bool,
}

impl Planner {
    /// Plans beams of this width first, if memory allows. If `last`, the last beams take all the time left.
    pub(crate) fn new(width: usize, widest: usize, last: bool) -> Planner {
        let (beams, threshold) = (Duration::ZERO, Duration::ZERO);
        Planner { width: width.min(widest), widest, beams, threshold, nodes: 0, rise: RISE, last }
    }

    /// Width of the next beams.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Time of the last threshold.
    pub(crate) fn last_threshold(&self) -> Duration {
        self.threshold
    }

    /// Predicted time of the next threshold.
    pub(crate) fn next_threshold(&self) -> Duration {
        scaled(self.threshold, self.rise)
    }

    /// Predicted time of this many thresholds.
    fn thresholds(&self, count: usize) -> Duration {
        let mut factor = 0.0;
        for _ in 0..count.min(100) {
            factor = (factor + 1.0) * self.rise;
        }
        scaled(self.threshold, factor)
    }

    /// The next piece of work, with this much time left and this many thresholds until the best answer is proved
    /// shortest.
    pub(crate) fn next(&self, left: Duration, unproved: usize) -> Step {
        let threshold = self.next_threshold();
        if self.width == 0
            || self.width > self.widest
            || (threshold.saturating_mul(PREFERENCE) < self.beams && threshold <= left)
        {
            return Step::Threshold;
        }
        // The rest of the proof finds every better answer. Beams must not take the time that it needs.
        let proof = scaled(self.thresholds(unproved), 1.0 / TRIED);
        if self.last && !self.threshold.is_zero() && proof <= left && left < proof.saturating_add(self.beams) {
            return Step::Threshold;
        }
        // Beams of the next width are worth their time only if wider ones can follow.
        if self.last && left < self.beams * (1 + WIDENING) {
            return if threshold.saturating_mul(LAST_PREFERENCE) < left { Step::Threshold } else { Step::LastBeams };
        }
        if self.beams <= left { Step::Beams(self.width) } else { Step::Threshold }
    }

    /// Records a threshold, its nodes and its time.
    pub(crate) fn threshold_finished(&mut self, nodes: u64, took: Duration) {
        if self.nodes >= MEASURABLE && nodes > self.nodes {
            self.rise = nodes as f64 / self.nodes as f64;
        }
        (self.threshold, self.nodes) = (took, nodes);
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

/// A time multiplied by a factor; the longest possible time if that is too long.
fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn widths_grow_up_to_the_widest() {
        let mut planner = Planner::new(1_000, 5_000, true);
        planner.threshold_finished(1, 100 * SECOND);
        let mut widths = Vec::new();
        while let step @ Step::Beams(width) = planner.next(Duration::MAX, 10) {
            widths.push(width);
            planner.beams_finished(step, SECOND);
        }
        assert_eq!(widths, [1_000, 3_000, 5_000]);
        assert_eq!(planner.next(Duration::MAX, 10), Step::Threshold);
    }

    #[test]
    fn the_last_beams_take_the_time_left_if_wider_ones_would_not_fit_after_the_next() {
        let mut planner = Planner::new(1_000, 100_000, true);
        planner.threshold_finished(1, 100 * SECOND);
        planner.beams_finished(Step::Beams(1_000), SECOND);
        assert_eq!(planner.next(12 * SECOND, 10), Step::Beams(3_000));
        assert_eq!(planner.next(11 * SECOND, 10), Step::LastBeams);
        planner.beams_finished(Step::LastBeams, 8 * SECOND);
        assert_eq!(planner.next(3 * SECOND, 10), Step::Beams(3_000));
        assert_eq!(planner.next(2 * SECOND, 10), Step::Threshold);
    }

    #[test]
    fn a_threshold_comes_first_if_it_is_four_times_as_fast() {
        let mut planner = Planner::new(1_000, 100_000, false);
        planner.threshold_finished(1, SECOND / 25);
        planner.beams_finished(Step::Beams(1_000), SECOND);
        assert_eq!(planner.next(Duration::MAX, 10), Step::Beams(3_000));
        planner.beams_finished(Step::Beams(3_000), 2 * SECOND);
        assert_eq!(planner.next(Duration::MAX, 10), Step::Threshold);
    }

    #[test]
    fn beams_do_not_take_the_time_that_the_rest_of_the_proof_needs() {
        let mut planner = Planner::new(1_000, 100_000, true);
        planner.threshold_finished(1_000_000, SECOND);
        planner.threshold_finished(10_000_000, 10 * SECOND);
        planner.beams_finished(Step::Beams(1_000), 10 * SECOND);
        // One more threshold takes some 100 seconds, two take 1,100.
        assert_eq!(planner.next(140 * SECOND, 1), Step::Beams(3_000));
        assert_eq!(planner.next(90 * SECOND, 1), Step::Threshold);
        assert_eq!(planner.next(750 * SECOND, 2), Step::Threshold);
        assert_eq!(planner.next(730 * SECOND, 2), Step::Beams(3_000));
        assert_eq!(planner.next(60 * SECOND, 1), Step::LastBeams);
    }
}
