//! The figures that decide places, in words.

use super::listed;
use crate::plan::RankKey;
use crate::ranking::{Criterion, Decision, RoundFigures};
use crate::relative::{self, Direction};
use crate::results::{Headings, Results};
use crate::score::Metrics;
use crate::scoring::Scoring;
use crate::text::{self, duration_ms, shortened};
use judge_job::count_text;

/// What the figures of a contest are called, and which way they are better.
#[derive(Debug, Clone, Copy)]
pub struct Figures<'a> {
    /// The names of progress, moves and tie-break.
    pub headings: &'a Headings,
    /// The figures that decide places, the first one first.
    pub ranking: &'a [RankKey],
    /// The figures that the contest declares; `None` if it declares none.
    pub scoring: Option<&'a Scoring>,
}

impl<'a> Figures<'a> {
    /// Those of these results.
    pub fn of(results: &'a Results) -> Self {
        Self { headings: &results.headings, ranking: &results.ranking, scoring: results.scoring.as_deref() }
    }

    /// The name of the progress.
    pub(super) fn progress(&self) -> String {
        shortened(&self.headings.progress)
    }

    /// Describes the figures that decide, such as `125 tiles home and 393 moves`. The one that decides comes last if it is
    /// not among the first.
    pub(super) fn reached(&self, figures: &RoundFigures, decided_by: Option<Criterion>) -> String {
        let Some(&first) = self.ranking.first() else { return "nothing to rank by".into() };
        // As in the published table.
        let moves = (first == RankKey::PROGRESS && self.ranking.contains(&RankKey::MOVES)).then_some(RankKey::MOVES);
        let mut shown: Vec<Criterion> = [first].into_iter().chain(moves).map(Criterion::Figure).collect();
        if let Some(by) = decided_by.filter(|by| *by != Criterion::Rounds)
            && !shown.contains(&by)
        {
            shown.push(by);
        }
        let parts: Vec<String> = shown.into_iter().filter_map(|by| self.figure(figures, by)).collect();
        if parts.is_empty() { "unknown figures".into() } else { listed(&parts) }
    }

    /// Formats a figure with its name; `None` if it is unknown.
    fn figure(&self, figures: &RoundFigures, by: Criterion) -> Option<String> {
        let labels = self.headings;
        let counted = |figure: Option<u64>, label: &str| Some(text::counted(figure?, &shortened(label)));
        match by {
            Criterion::Rounds => None,
            Criterion::Figure(RankKey::Figure(name)) if self.scoring.is_some() => {
                Some(format!("{name} {}", figures.figure(name)?))
            }
            Criterion::Figure(RankKey::Solved) => {
                Some(format!("{} of {} solved", figures.solved?, count_text(figures.boards, "board", "boards")))
            }
            Criterion::Figure(RankKey::Failed) => Some(count_text(figures.failed, "failed run", "failed runs")),
            Criterion::Figure(RankKey::Unstarted) => {
                Some(count_text(figures.unstarted, "run without a start", "runs without a start"))
            }
            Criterion::Figure(RankKey::PROGRESS) => counted(figures.total.progress, &labels.progress),
            Criterion::Figure(RankKey::MOVES) => counted(figures.total.moves, &labels.moves),
            Criterion::Figure(RankKey::Figure(_)) => counted(figures.total.tie_break, &labels.tie_break),
            Criterion::Figure(RankKey::Time) => Some(format!("a time of {}", duration_ms(figures.total.time_ms()?))),
            Criterion::Figure(RankKey::Relative) => {
                Some(format!("a relative score of {}", relative::text(figures.relative?)))
            }
        }
    }

    /// Describes the difference that decides, as `44 moves fewer`.
    pub(super) fn margin(&self, decision: &Decision) -> String {
        let [a, b] = &decision.figures;
        let labels = self.headings;
        let apart = |figure: fn(&Metrics) -> Option<u64>| Some(figure(&a.total)?.abs_diff(figure(&b.total)?));
        let counts = |count: fn(&RoundFigures) -> usize| count(a).abs_diff(count(b));
        let fewer = |figure: fn(&Metrics) -> Option<u64>, label: &str| {
            Some(format!("{} fewer", text::counted(apart(figure)?, &shortened(label))))
        };
        let margin = match decision.criterion {
            Criterion::Rounds => None,
            Criterion::Figure(RankKey::Figure(name)) if self.scoring.is_some() => {
                let better = RankKey::Figure(name).better(self.scoring);
                a.figure(name).zip(b.figure(name)).map(|(a, b)| match better {
                    Direction::Up => format!("{} more", a.minus(b)),
                    Direction::Down => format!("{} less", b.minus(a)),
                })
            }
            Criterion::Figure(RankKey::Solved) => {
                let solved = a.solved.zip(b.solved);
                solved.map(|(a, b)| format!("{} more", count_text(a.abs_diff(b), "solved board", "solved boards")))
            }
            Criterion::Figure(RankKey::Failed) => {
                Some(format!("{} fewer", count_text(counts(|figures| figures.failed), "failed run", "failed runs")))
            }
            // What never ran took no time.
            Criterion::Figure(RankKey::Unstarted) => {
                let runs = counts(|figures| figures.unstarted);
                Some(format!("{} fewer", count_text(runs, "run without a start", "runs without a start")))
            }
            Criterion::Figure(RankKey::PROGRESS) => apart(|total| total.progress)
                .map(|more| format!("{} more", text::counted(more, &shortened(&labels.progress)))),
            Criterion::Figure(RankKey::MOVES) => fewer(|total| total.moves, &labels.moves),
            Criterion::Figure(RankKey::Figure(_)) => fewer(|total| total.tie_break, &labels.tie_break),
            Criterion::Figure(RankKey::Time) => {
                apart(Metrics::time_ms).map(|less| format!("{} less", duration_ms(less)))
            }
            Criterion::Figure(RankKey::Relative) => a.relative.zip(b.relative).map(|(a, b)| {
                let apart = relative::text(a.abs_diff(b));
                if apart == relative::text(0) { "less than 0.0001 more".into() } else { format!("{apart} more") }
            }),
        };
        margin.unwrap_or_else(|| "with more known".into())
    }
}
