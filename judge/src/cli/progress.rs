//! Progress of a contest on a terminal; nothing at all in a pipe.

use std::collections::HashMap;
use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::contest::Plan;
use crate::journal::{Record, RunKey};
use crate::results::BoardHead;
use crate::schedule::Event;
use crate::score::Cell;

/// One line at the foot of the terminal, finished runs above it.
pub(super) struct Progress {
    bar: ProgressBar,
    running: Vec<RunKey>,
    /// What a run can add to the contest's length at the most.
    at_most: Duration,
    /// Board names as every output shows them, with the mark of a reconstruction.
    boards: HashMap<String, String>,
}

impl Progress {
    /// Progress over some builds.
    pub(super) fn of_builds(total: usize) -> Self {
        Self::new(0, total, Duration::ZERO, HashMap::new())
    }

    /// Progress over the `total` runs of a contest of which `done` are finished already.
    pub(super) fn of_contest(plan: &Plan, done: usize, total: usize, jobs: NonZeroUsize) -> Self {
        let jobs = u32::try_from(jobs.get()).unwrap_or(u32::MAX);
        let at_most = Duration::from_millis(plan.limits.wall_ms + plan.limits.grace_ms) / jobs;
        let boards = plan.boards.iter().map(|board| (board.name.clone(), BoardHead::of(board, &plan.shown).marked()));
        Self::new(done, total, at_most, boards.collect())
    }

    fn new(done: usize, total: usize, at_most: Duration, boards: HashMap<String, String>) -> Self {
        let bar = if io::stderr().is_terminal() { ProgressBar::new(total as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:20} {pos}/{len}, {elapsed}{prefix}  {wide_msg}");
        bar.set_style(style.expect("the template is well formed"));
        bar.set_position(done as u64);
        bar.enable_steady_tick(Duration::from_millis(250));
        let progress = Self { bar, running: Vec::new(), at_most, boards };
        progress.show_rest();
        progress
    }

    /// Shows what is being done before the first run.
    pub(super) fn doing(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Shows what happened.
    pub(super) fn show(&mut self, event: &Event<'_>) {
        match event {
            Event::Started(key) => self.running.push((*key).clone()),
            Event::Finished(record) => {
                self.running.retain(|key| *key != record.key);
                self.bar.inc(1);
                self.show_rest();
                let line = line(record, self.board(&record.key));
                self.bar.println(console::truncate_str(&line, width(), "…"));
            }
        }
        let running = self.running.iter().map(|key| format!("{} on {}", key.entry, self.board(key)));
        let running: Vec<String> = running.collect();
        self.bar.set_message(running.join(", "));
    }

    fn board<'a>(&'a self, key: &'a RunKey) -> &'a str {
        self.boards.get(&key.board).unwrap_or(&key.board)
    }

    /// How long the rest takes at the most.
    fn show_rest(&self) {
        let left = self.bar.length().unwrap_or(0).saturating_sub(self.bar.position());
        let rest = self.at_most.saturating_mul(u32::try_from(left).unwrap_or(u32::MAX));
        let rest = humantime::format_duration(Duration::from_secs(rest.as_secs()));
        self.bar.set_prefix(if self.at_most.is_zero() { String::new() } else { format!(", at most {rest} left") });
    }

    /// Clears the line.
    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// Columns of the terminal.
fn width() -> usize {
    console::Term::stderr().size().1.into()
}

fn line(record: &Record, board: &str) -> String {
    let entry = &record.key.entry;
    let cell = Cell::of(&record.verdict, record.wall_us, record.limit_ms).text();
    let time =
        record.wall_us.map_or(String::new(), |time| format!("{:.3} s", Duration::from_micros(time).as_secs_f64()));
    let fault = record.verdict.fault().map_or(String::new(), |fault| format!("  {fault}"));
    format!("{entry:20} {board:12} {cell:>8} {time:>11}{fault}")
}
