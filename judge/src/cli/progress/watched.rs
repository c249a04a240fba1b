//! A try while it runs: one solver, and the gain on the version that it is compared with.

use std::collections::HashMap;

use crate::cli::gain::{self, Earlier};
use judge_contest::conduct::Event;
use judge_core::journal::Record;
use judge_core::plan::Plan;
use judge_core::results::Headings;
use judge_core::score::RunCell;
use judge_core::text::printable;

/// The shortest time between two summaries, in microseconds.
const EVERY_US: u64 = 500_000;

/// The runs of a try so far.
pub(in crate::cli) struct Watched {
    plan: Plan,
    earlier: Option<Earlier>,
    /// The last run on each board, by the place of the first one.
    cells: Vec<(String, RunCell)>,
    places: HashMap<String, usize>,
    lines: Vec<String>,
    summed_us: Option<u64>,
    changed: bool,
}

impl Watched {
    /// A try of this plan, compared with an earlier version if there is one.
    pub(in crate::cli) fn new(plan: &Plan, earlier: Option<Earlier>) -> Self {
        let (cells, places) = (Vec::new(), HashMap::new());
        Self { plan: plan.clone(), earlier, cells, places, lines: Vec::new(), summed_us: None, changed: true }
    }

    /// Keeps what an event adds to the lines.
    pub(super) fn follow(&mut self, event: &Event) {
        if let Event::Finished(record) = event {
            self.keep(record);
        }
    }

    fn keep(&mut self, record: &Record) {
        let judged_by = self.plan.judged_by_on(&record.key.board);
        let cell = RunCell::from_verdict(&record.verdict, record.wall_us, record.limit_ms).judged_by(judged_by);
        if !cell.judged() {
            return;
        }
        let board = record.key.board.to_string();
        let place = *self.places.entry(board.clone()).or_insert(self.cells.len());
        match self.cells.get_mut(place) {
            Some(known) => known.1 = cell,
            None => self.cells.push((board, cell)),
        }
        self.changed = true;
    }

    /// Returns what is known at that time, a fragment per line. Not every frame has a new summary.
    pub(super) fn lines(&mut self, now_us: u64) -> &[String] {
        let due = self.summed_us.is_none_or(|before| now_us.saturating_sub(before) >= EVERY_US);
        if self.changed && due {
            let cells: Vec<(&str, RunCell)> =
                self.cells.iter().map(|(board, cell)| (board.as_str(), cell.clone())).collect();
            let points = self.plan.scoring.as_ref().map(|scoring| scoring.direction);
            let judged_by = cells.first().map(|(_, cell)| cell.judged_by).unwrap_or_default();
            let moves = printable(&Headings::from_game(&self.plan.game).moves);
            let what = if points.is_some() { "score" } else { &moves };
            self.lines = gain::lines(&cells, self.earlier.as_ref(), (points, judged_by, what));
            (self.summed_us, self.changed) = (Some(now_us), false);
        }
        &self.lines
    }
}
