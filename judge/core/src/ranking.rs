//! A ranking, from totals to places, as pure code.

pub(crate) mod on_board;
mod ratios;
mod resampled;

use std::cmp::{Ordering, Reverse};
use std::sync::Arc;

use crate::figure::FigureName;
use crate::plan::RankKey;
use crate::points::Points;
use crate::reference::Reference;
use crate::relative::Direction;
use crate::score::{Metrics, Row, RunCell};
use crate::scoring::{Part, Scoring};

pub use on_board::{BoardRanking, PairResult};
pub(crate) use resampled::Resampling;

/// Sorts the rows and sets their places.
///
/// Rows are sorted by rank, with one exception as in the published table of 1995: the winner is first even if an entry out of
/// competition is better. An entry that does not compete takes no place. A withdrawn entry is last and takes no place. Equal rows
/// share a place. If no board counts, no entry takes a place.
///
/// An entry that reached a later round is better than one that did not, whatever its results there. Between two that reached the
/// same round, its figures decide, then those of the rounds before it. An entry with a missing run or a judge error is below the
/// others that reached its round. It has no place until that run is executed, because its total would count against it. It is
/// above the entries that did not reach that round, so their places count it.
///
/// Only the list decides, see [`RankKey::whole`]. Without a list, rows are in their original order and no entry takes a place.
pub fn rank(rows: &mut [Row], order: &[RankKey]) {
    // The order by rule 63 of docs/scoring.md, even if another list ranked the rows before.
    if rows.iter().all(|row| row.listed == 0) {
        rows.iter_mut().zip(0..).for_each(|(row, number)| row.listed = number);
    }
    rows.sort_by_key(|row| row.listed);
    let relative = order.contains(&RankKey::Relative).then(|| relative_scores(rows));
    ratios::fill(rows);
    for (number, row) in rows.iter_mut().enumerate() {
        row.relative = relative.as_ref().and_then(|scores| scores[number].iter().copied().sum());
    }
    if order.is_empty() {
        rows.iter_mut().for_each(|row| row.place = None);
        return;
    }
    let ranks = Rank::from_all(rows);
    let (ranked, places) = places(&ranks.iter().collect::<Vec<_>>(), order);
    let mut position = vec![0; rows.len()];
    for (to, (&from, place)) in ranked.iter().zip(places).enumerate() {
        position[from] = to;
        rows[from].place = place;
    }
    permute(rows, &mut position);
}

/// The order of rows in a table by their ranks, and the places in that order, see [`rank`].
fn places(ranks: &[&Rank], order: &[RankKey]) -> (Vec<usize>, Vec<Option<usize>>) {
    let mut ranked: Vec<usize> = (0..ranks.len()).collect();
    ranked.sort_by(|&a, &b| ranks[a].group().cmp(&ranks[b].group()).then_with(|| ranks[a].compare(ranks[b], order)));
    let first = ranked.iter().position(|&row| ranks[row].in_competition());
    if let Some(winner) = first.filter(|&first| ranks[ranked[first]].head.complete) {
        ranked[..=winner].rotate_right(1);
    }
    let mut counted = 0;
    let mut last: Option<(usize, &Rank)> = None;
    let place = |&row: &usize| {
        let rank = ranks[row];
        if !rank.in_competition() {
            return None;
        }
        counted += 1;
        if !rank.head.complete {
            return None;
        }
        let place = match last {
            Some((place, above)) if above.compare(rank, order).is_eq() => place,
            _ => counted,
        };
        last = Some((place, rank));
        Some(place)
    };
    let places = ranked.iter().map(place).collect();
    (ranked, places)
}

/// Finds the entries that do not compete and are better than the winner, best first. The table lists them below the winner.
pub fn better_than_the_winner<'a>(rows: &'a [Row], order: &[RankKey]) -> Vec<&'a str> {
    let ranks = Rank::from_all(rows);
    let Some(winner) = rows.iter().zip(&ranks).find(|(row, _)| row.place == Some(1)) else { return Vec::new() };
    let better = |(row, rank): &(&Row, &Rank)| {
        !row.entry.competing && !rank.head.withdrawn && rank.head.complete && rank.compare(winner.1, order).is_lt()
    };
    rows.iter().zip(&ranks).filter(better).map(|(row, _)| row.entry.name.as_str()).collect()
}

/// Moves every row to its position. Rows are swapped and not cloned, because they can be long.
fn permute(rows: &mut [Row], position: &mut [usize]) {
    for index in 0..rows.len() {
        while position[index] != index {
            let to = position[index];
            rows.swap(index, to);
            position.swap(index, to);
        }
    }
}

/// The relative scores of rows on each of their boards, see [`relative`](crate::relative); `None` if it is not known what solves
/// the board.
fn relative_scores(rows: &[Row]) -> Vec<Vec<Option<u64>>> {
    let references = Reference::from_boards(rows, &[]);
    let scores = |row: &Row| row.cells.iter().zip(&references).map(|(cell, reference)| reference.score(cell)).collect();
    rows.iter().map(scores).collect()
}

/// The facts about a row that decide its place.
pub(crate) struct Rank {
    head: RankHead,
    /// The rounds in which it took part, from the first.
    rounds: Vec<RoundFigures>,
}

/// The facts about a row that no selection of its boards changes.
#[derive(Clone)]
struct RankHead {
    withdrawn: bool,
    competing: bool,
    complete: bool,
    /// False if no board counts, so that no figure can decide.
    ranked: bool,
    /// The number of rounds in which it took part.
    rounds: u32,
    scoring: Arc<Scoring>,
}

impl RankHead {
    fn new(row: &Row) -> Self {
        Self {
            withdrawn: row.entry.withdrawn.is_some(),
            competing: row.entry.competing,
            complete: row.complete(),
            // A table can have totals without boards.
            ranked: !row.cells.is_empty() || row.total != row.total_of([].iter()),
            rounds: row.rounds(),
            scoring: row.scoring.clone(),
        }
    }
}

/// What a run adds to the figures of its round.
struct Addend<'a> {
    part: Part<'a>,
    time_us: Option<u64>,
    /// Its round, from 1; 0 if the run is not planned.
    round: u32,
    solved: Option<bool>,
    failed: bool,
    unstarted: bool,
    relative: Option<u64>,
}

impl<'a> Addend<'a> {
    fn new(run: &'a RunCell, reference: &Reference) -> Self {
        Self {
            part: run.part(),
            time_us: run.metrics.time_us,
            round: if run.not_planned { 0 } else { run.earlier_rounds + 1 },
            solved: reference.solved(run),
            failed: run.judged() && run.code.is_some(),
            unstarted: run.never_started(),
            relative: reference.score(run),
        }
    }
}

/// The facts about an entry's runs of one round that decide its place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RoundFigures {
    /// The sums of their figures; `None` if one of the summands is unknown.
    pub total: Metrics,
    /// The relative score to the best of these results, in billionths; `None` if it is unknown.
    pub relative: Option<u64>,
    /// The figures of the contest.
    pub scoring: Arc<Scoring>,
    /// Boards of the round that the entry solved; `None` if it is not known what solves one of them.
    pub solved: Option<usize>,
    /// The number of its runs of the round that failed.
    pub failed: usize,
    /// The number of runs that never started, whose time is 0.
    pub unstarted: usize,
    /// The number of its runs of the round, one per board.
    pub boards: usize,
}

/// A criterion that can put an entry above another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Criterion {
    /// The entry reached a later round.
    Rounds,
    /// A figure of the ranking.
    Figure(RankKey),
}

/// The reason why an entry is above another.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The first criterion in which the two differ.
    pub criterion: Criterion,
    /// The round that decides, from 1.
    pub round: u32,
    /// The figures of that round, of both entries.
    pub figures: [RoundFigures; 2],
}

/// Finds the decision between two rows, given by index; `None` if they are equal.
pub fn decision(rows: &[Row], (first, second): (usize, usize), order: &[RankKey]) -> Option<Decision> {
    let ranks = Rank::from_all(rows);
    decided(ranks.get(first)?, ranks.get(second)?, order)
}

/// Finds the decision between each two rows with successive places. The rows are given by index. Equal rows are left out.
pub fn decisions(rows: &[Row], order: &[RankKey]) -> Vec<((usize, usize), Decision)> {
    let ranks = Rank::from_all(rows);
    let placed: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].place.is_some()).collect();
    let decision = |pair: &[usize]| Some(((pair[0], pair[1]), decided(&ranks[pair[0]], &ranks[pair[1]], order)?));
    placed.windows(2).filter_map(decision).collect()
}

/// The figures of each row, in the rounds in which it took part, from the first.
pub fn figures(rows: &[Row]) -> Vec<Vec<RoundFigures>> {
    Rank::from_all(rows).into_iter().map(|rank| rank.rounds).collect()
}

fn decided(first: &Rank, second: &Rank, order: &[RankKey]) -> Option<Decision> {
    let last = first.reached().min(second.reached());
    let figures = |round: u32| Some([first.round(round)?.clone(), second.round(round)?.clone()]);
    if first.reached() != second.reached() {
        return Some(Decision { criterion: Criterion::Rounds, round: last, figures: figures(last)? });
    }
    (1..=last).rev().find_map(|round| {
        let (one, other) = (first.round(round)?, second.round(round)?);
        let key = order.iter().find(|key| one.ranked().compare_by(&other.ranked(), **key).is_ne())?;
        Some(Decision { criterion: Criterion::Figure(*key), round, figures: figures(round)? })
    })
}

impl Rank {
    /// Ranks of rows of the same boards.
    pub(crate) fn from_all(rows: &[Row]) -> Vec<Self> {
        let references = Reference::from_boards(rows, &[]);
        let rank = |row: &Row| {
            let addends = row.cells.iter().zip(&references).map(|(cell, reference)| Addend::new(cell, reference));
            Self::new(RankHead::new(row), addends.collect::<Vec<_>>().iter(), Some(row))
        };
        rows.iter().map(rank).collect()
    }

    /// The rank of a row on the runs that add these. If they are all runs of the row, it is also given and its stated totals
    /// count: a table can have totals of figures that its cells do not contain.
    fn new<'a>(head: RankHead, addends: impl Iterator<Item = &'a Addend<'a>> + Clone, whole: Option<&Row>) -> Self {
        let of_round = |round: u32| {
            let addends = addends.clone().filter(|addend| addend.round == round);
            let stated = whole.and_then(|row| row.stated_in(round));
            let total = || Metrics::total(&head.scoring, addends.clone().map(|addend| (addend.part, addend.time_us)));
            let mut figures = RoundFigures {
                total: stated.unwrap_or_else(total),
                relative: Some(0),
                scoring: head.scoring.clone(),
                solved: Some(0),
                failed: 0,
                unstarted: 0,
                boards: 0,
            };
            for addend in addends {
                figures.solved = figures.solved.zip(addend.solved).map(|(sum, solved)| sum + usize::from(solved));
                figures.relative = figures.relative.zip(addend.relative).map(|(sum, relative)| sum + relative);
                figures.failed += usize::from(addend.failed);
                figures.unstarted += usize::from(addend.unstarted);
                figures.boards += 1;
            }
            figures
        };
        let rounds = (1..=head.rounds).map(of_round).collect();
        Self { head, rounds }
    }

    /// The group of a row, which precedes its figures: withdrawn rows are last, then the last round that they reached, then rows
    /// with a missing run.
    fn group(&self) -> (bool, Reverse<u32>, bool) {
        (self.head.withdrawn, Reverse(self.reached()), !self.head.complete)
    }

    /// Tests whether it takes a place once all its runs are finished.
    fn in_competition(&self) -> bool {
        self.head.competing && !self.head.withdrawn && self.head.ranked
    }

    /// The last round that the entry reached, from 1.
    pub(crate) fn reached(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    fn round(&self, round: u32) -> Option<&RoundFigures> {
        self.rounds.get(usize::try_from(round).ok()?.checked_sub(1)?)
    }

    /// Tests whether every board of a round was solved.
    pub(crate) fn solved_all(&self, round: u32) -> bool {
        self.round(round).is_some_and(|round| round.solved == Some(round.boards))
    }

    /// Compares two ranks; `Less` if this one is better.
    pub(crate) fn compare(&self, other: &Self, order: &[RankKey]) -> Ordering {
        let rounds = (1..=self.reached()).rev();
        let in_rounds = || rounds.map(|round| self.compare_in(other, round, order)).find(|ordering| ordering.is_ne());
        other.reached().cmp(&self.reached()).then_with(|| in_rounds().unwrap_or(Ordering::Equal))
    }

    /// Compares the figures of one round in which both took part; `Less` if this one is better.
    pub(crate) fn compare_in(&self, other: &Self, round: u32, order: &[RankKey]) -> Ordering {
        let (Some(one), Some(other)) = (self.round(round), other.round(round)) else { return Ordering::Equal };
        one.ranked().compare(&other.ranked(), order)
    }
}

impl RoundFigures {
    /// A figure of the contest; `None` if it is unknown.
    pub fn figure(&self, name: FigureName) -> Option<Points> {
        self.ranked().figure(name)
    }

    /// The number of runs that a key counts; `None` for a key that measures, or if the count is unknown.
    pub fn count(&self, key: RankKey) -> Option<usize> {
        self.ranked().count(key)
    }

    fn ranked(&self) -> RankedFigures<'_> {
        let Self { total, relative, scoring, solved, failed, unstarted, boards: _ } = self;
        RankedFigures { total, scoring, relative: *relative, solved: *solved, failed: *failed, unstarted: *unstarted }
    }
}

/// The figures by which a run or the runs of a round are ranked.
#[derive(Clone, Copy)]
struct RankedFigures<'a> {
    total: &'a Metrics,
    scoring: &'a Scoring,
    relative: Option<u64>,
    solved: Option<usize>,
    failed: usize,
    unstarted: usize,
}

impl RankedFigures<'_> {
    fn figure(&self, name: FigureName) -> Option<Points> {
        self.total.figure(self.scoring.index_of(name)?)
    }

    fn count(&self, key: RankKey) -> Option<usize> {
        match key {
            RankKey::Solved => self.solved,
            RankKey::Failed => Some(self.failed),
            RankKey::Unstarted => Some(self.unstarted),
            _ => None,
        }
    }

    fn compare(&self, other: &Self, order: &[RankKey]) -> Ordering {
        let orderings = order.iter().map(|key| self.compare_by(other, *key));
        orderings.into_iter().find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Compares one figure; `Less` if this one is better. An unknown figure is worse than a known one.
    fn compare_by(&self, other: &Self, key: RankKey) -> Ordering {
        match (self.value(key), other.value(key)) {
            (Some(a), Some(b)) => match key.better(self.scoring) {
                Direction::Up => b.cmp(&a),
                Direction::Down => a.cmp(&b),
            },
            (a, b) => a.is_none().cmp(&b.is_none()),
        }
    }

    /// A figure as an integer with the same order; `None` if it is unknown.
    fn value(&self, key: RankKey) -> Option<i128> {
        match key {
            RankKey::Figure(name) => self.figure(name).map(Points::comparable),
            RankKey::Time => self.total.time_ms().map(i128::from),
            RankKey::Relative => self.relative.map(i128::from),
            RankKey::Solved | RankKey::Failed | RankKey::Unstarted => self.count(key).map(|runs| runs as i128),
        }
    }
}

#[cfg(test)]
mod tests;
