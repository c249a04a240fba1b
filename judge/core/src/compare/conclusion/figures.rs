//! The figures that decide places, in words.

use super::listed;
use crate::figure::FigureName;
use crate::plan::RankKey;
use crate::points::Points;
use crate::ranking::{Criterion, Decision, RoundFigures};
use crate::relative::{self, Direction};
use crate::results::Results;
use crate::score::Metrics;
use crate::scoring::Scoring;
use crate::text::{self, duration_ms, shortened};
use judge_job::count_text;

/// The names of a contest's figures, and the direction in which they are better.
#[derive(Debug, Clone, Copy)]
pub struct RankingFigures<'a> {
    /// The figures that decide places, the first one first.
    pub ranking: &'a [RankKey],
    /// The figures of the contest.
    pub scoring: &'a Scoring,
}

impl<'a> RankingFigures<'a> {
    /// The figures of these results.
    pub fn of(results: &'a Results) -> Self {
        Self { ranking: &results.ranking, scoring: &results.scoring }
    }

    /// The unit of a figure, if more of it is better.
    pub(super) fn more_of(&self, by: Criterion) -> Option<String> {
        let Criterion::Figure(RankKey::Figure(name)) = by else { return None };
        let more = RankKey::Figure(name).better(self.scoring) == Direction::Up;
        self.scoring.counts(name).filter(|_| more).map(shortened)
    }

    /// A figure with its value and its title: `125 tiles home`, `ups 1316`.
    fn named(&self, name: FigureName, value: Points) -> String {
        match self.scoring.counts(name) {
            Some(title) => text::counted(u64::try_from(value.units()).unwrap_or(u64::MAX), &shortened(title)),
            None => format!("{name} {value}"),
        }
    }

    /// Describes the deciding figures, such as `125 tiles home and 393 moves`. The one that decides comes last if it is not among
    /// the first.
    pub(super) fn reached(&self, figures: &RoundFigures, decided_by: Option<Criterion>) -> String {
        let Some(&first) = self.ranking.first() else { return "nothing to rank by".into() };
        // The published table has the same two.
        let cost = self.scoring.cost.map(RankKey::Figure);
        let progress = RankKey::Figure(self.scoring.main().name);
        let cost = cost.filter(|cost| first == progress && self.ranking.contains(cost));
        let mut shown: Vec<Criterion> = [first].into_iter().chain(cost).map(Criterion::Figure).collect();
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
        match by {
            Criterion::Rounds => None,
            Criterion::Figure(RankKey::Figure(name)) => Some(self.named(name, figures.figure(name)?)),
            Criterion::Figure(RankKey::Solved) => {
                Some(format!("{} of {} solved", figures.solved?, count_text(figures.boards, "board", "boards")))
            }
            Criterion::Figure(RankKey::Failed) => Some(count_text(figures.failed, "failed run", "failed runs")),
            Criterion::Figure(RankKey::Unstarted) => {
                Some(count_text(figures.unstarted, "run without a start", "runs without a start"))
            }
            Criterion::Figure(RankKey::Time) => Some(format!("a time of {}", duration_ms(figures.total.time_ms()?))),
            Criterion::Figure(RankKey::Relative) => {
                Some(format!("a relative score of {}", relative::text(figures.relative?)))
            }
        }
    }

    /// Describes the deciding difference, such as `44 moves fewer`.
    pub(super) fn margin(&self, decision: &Decision) -> String {
        let [a, b] = &decision.figures;
        let apart = |figure: fn(&Metrics) -> Option<u64>| Some(figure(&a.total)?.abs_diff(figure(&b.total)?));
        let counts = |count: fn(&RoundFigures) -> usize| count(a).abs_diff(count(b));
        let margin = match decision.criterion {
            Criterion::Rounds => None,
            Criterion::Figure(RankKey::Figure(name)) => {
                let better = RankKey::Figure(name).better(self.scoring);
                a.figure(name).zip(b.figure(name)).map(|(a, b)| {
                    let apart = if better == Direction::Up { a.minus(b) } else { b.minus(a) };
                    let counted = self.scoring.counts(name).is_some();
                    let apart = if counted { self.named(name, apart) } else { apart.to_string() };
                    format!("{apart} {}", self.scoring.comparative(name, better))
                })
            }
            Criterion::Figure(RankKey::Solved) => {
                let solved = a.solved.zip(b.solved);
                solved.map(|(a, b)| format!("{} more", count_text(a.abs_diff(b), "solved board", "solved boards")))
            }
            Criterion::Figure(RankKey::Failed) => {
                Some(format!("{} fewer", count_text(counts(|figures| figures.failed), "failed run", "failed runs")))
            }
            // A run that never started took no time.
            Criterion::Figure(RankKey::Unstarted) => {
                let runs = counts(|figures| figures.unstarted);
                Some(format!("{} fewer", count_text(runs, "run without a start", "runs without a start")))
            }
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
