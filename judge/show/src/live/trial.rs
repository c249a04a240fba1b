//! A running try: one solver, and its gain on the version that it is compared with.

use crate::tries::gain_lines;
use crate::versions::{Baseline, RunningTry};
use judge_contest::open_contest::Event;
use judge_core::plan::Plan;
use judge_core::text::printable;

/// The shortest time between two summaries, in microseconds.
const EVERY_US: u64 = 500_000;

/// The runs of a try so far, as lines.
pub struct WatchedTry {
    trial: RunningTry,
    lines: Vec<String>,
    summed_us: Option<u64>,
    changed: bool,
}

impl WatchedTry {
    /// A try of this plan, compared with an earlier version if there is one.
    pub fn new(plan: &Plan, earlier: Option<Baseline>) -> Self {
        Self { trial: RunningTry::new(plan, earlier), lines: Vec::new(), summed_us: None, changed: true }
    }

    /// Adds an event to the lines.
    pub(crate) fn follow(&mut self, event: &Event) {
        if let Event::Finished(record) = event {
            self.changed |= self.trial.add(record);
        }
    }

    /// Returns the summary at that time, a fragment per line. Not every frame has a new summary.
    pub(crate) fn lines(&mut self, now_us: u64) -> &[String] {
        let due = self.summed_us.is_none_or(|before| now_us.saturating_sub(before) >= EVERY_US);
        if self.changed && due {
            let figures = self.trial.plan().figures();
            let moves = figures.cost().map(|moves| printable(moves.title()));
            let what = moves.as_deref().unwrap_or("score");
            self.lines = gain_lines(&self.trial.gain(), what);
            (self.summed_us, self.changed) = (Some(now_us), false);
        }
        &self.lines
    }
}
