//! Two entries, or one entry in two results: the answer, and a line of figures for each measure.

use super::super::label;
use super::sheet::{Explained, MAX_LINES, Remedy, Sheet};
use crate::layout::{Column, Grid};
use judge_core::compare::conclusion::PairVerdict;
use judge_core::compare::statistics::Interval;
use judge_core::compare::{Comparison, Differences, Pair, PairResult, Test, probability};
use judge_core::text::printable;
use judge_job::count_text;

/// The most duels with a table each.
const MAX_TABLES: usize = 3;
/// The columns that a too wide table leaves out, in this order.
const TIME: u8 = 0;
const OF_BOARDS: u8 = 1;
const MOVES: u8 = 2;
const SCORE: u8 = 3;
const TALLY: u8 = 4;
const P: u8 = 5;

/// The subject for which a plus is a gain: the first entry of a pair, or an entry compared with its earlier results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    First,
    Second,
}

/// A pair from the point of view of its subject.
struct Duel<'a> {
    pair: &'a Pair,
    subject: Subject,
}

/// Tests whether pairs are few enough for a duel each.
pub(super) fn are_few(pairs: &[Pair]) -> bool {
    pairs.len() <= MAX_TABLES
}

/// Writes the figures of entries that are in several results, or of all pairs if they are few. Each has its answer, except
/// a single one, whose answer is already above. Returns true if it wrote some.
pub(super) fn write(comparison: &Comparison, sheet: &mut Sheet) -> bool {
    let changes = Duel::all(&comparison.changes, Subject::Second);
    let pairs = Duel::all(&comparison.pairs, Subject::First);
    let few: Vec<&Duel<'_>> =
        [&changes, &pairs].into_iter().filter(|duels| duels.len() <= MAX_TABLES).flatten().collect();
    for duel in &few {
        if changes.len() + pairs.len() > 1 {
            sheet.line("");
            sheet.line(&comparison.answer_of(duel.pair).text);
        }
        duel.write(comparison, sheet);
    }
    if changes.len() > MAX_TABLES {
        all_changes(comparison, &changes, sheet);
    }
    changes.len() > MAX_TABLES || !few.is_empty()
}

/// Writes a line per entry that is in several results.
fn all_changes(comparison: &Comparison, changes: &[Duel<'_>], sheet: &mut Sheet) {
    let shown = &changes[..changes.len().min(MAX_LINES)];
    let of_all = |text: &dyn Fn(&Duel<'_>) -> String| shown.iter().map(text).collect::<Vec<String>>();
    let several = |name: fn(&Pair) -> &String| changes.iter().any(|duel| name(duel.pair) != name(changes[0].pair));
    let mut table = Grid::new(vec![Column::new("entry", of_all(&|duel| printable(&duel.pair.first.entry))).cut()]);
    if several(|pair| &pair.first.source) || several(|pair| &pair.second.source) {
        table.push(Column::new("from", of_all(&|duel| printable(&duel.pair.first.source))).cut());
        table.push(Column::new("to", of_all(&|duel| printable(&duel.pair.second.source))).cut());
    } else {
        let pair = changes[0].pair;
        sheet.line(&format!("from {} to {}", printable(&pair.first.source), printable(&pair.second.source)));
    }
    table.push(Column::new("is", of_all(&|duel| duel.verdict().into())));
    table.push(Column::new("p", of_all(&|duel| p(&duel.pair.flips))).right().leaves(P));
    for (head, count) in [
        ("better", (|pair| pair.second_better) as fn(&Pair) -> usize),
        ("equal", |pair| pair.ties),
        ("worse", |pair| pair.first_better),
    ] {
        table.push(Column::new(head, of_all(&|duel| count(duel.pair).to_string())).right().leaves(TALLY));
    }
    table.push(Column::new("p of boards", of_all(&|duel| p(&duel.pair.sign_test))).right().leaves(OF_BOARDS));
    table.push(Column::new("relative score", of_all(&|duel| duel.score())).right().leaves(SCORE));
    if let Some(moves) = comparison.scoring.cost() {
        let head = printable(moves.title());
        table.push(Column::new(head, of_all(&|duel| duel.moves().unwrap_or("-".into()))).right().leaves(MOVES));
    }
    table.push(Column::new("time", of_all(&|duel| duel.time().unwrap_or("-".into()))).right().leaves(TIME));
    sheet.table(table);
    sheet.explain([Explained::Differences]);
    sheet.more(changes.len(), "entries", Remedy::Entries);
}

impl<'a> Duel<'a> {
    fn all(pairs: &'a [Pair], subject: Subject) -> Vec<Self> {
        pairs.iter().map(|pair| Self { pair, subject }).collect()
    }
    /// 1 if a difference of the second minus the first is a gain of the subject, else -1.
    fn sign(&self) -> f64 {
        if self.subject == Subject::Second { 1.0 } else { -1.0 }
    }

    /// The numbers of boards on which the subject is better and worse.
    fn tally(&self) -> (usize, usize) {
        match self.subject {
            Subject::First => (self.pair.first_better, self.pair.second_better),
            Subject::Second => (self.pair.second_better, self.pair.first_better),
        }
    }

    /// The word for the subject's result.
    fn verdict(&self) -> &'static str {
        let first = self.subject == Subject::First;
        match self.pair.verdict() {
            PairVerdict::Equal => "equal",
            PairVerdict::Undecided => "undecided",
            PairVerdict::First if first => "better",
            PairVerdict::Second if !first => "better",
            PairVerdict::First | PairVerdict::Second => "worse",
        }
    }

    /// The words for the subject's rank.
    fn rank(&self) -> &'static str {
        match (self.pair.better, self.subject) {
            (PairResult::First, Subject::First) | (PairResult::Second, Subject::Second) => "above",
            (PairResult::First | PairResult::Second, _) => "below",
            _ => "equal",
        }
    }

    fn write(&self, comparison: &Comparison, sheet: &mut Sheet) {
        if self.pair.judged() > 0 {
            sheet.table(self.figures(comparison));
            sheet.explain([Explained::Differences]);
        }
        if self.pair.unknown > 0 {
            let boards = count_text(self.pair.unknown, "board", "boards");
            sheet.line(&format!("left out of the boards, with unknown progress: {boards}"));
        }
    }

    /// The table with a line per measure. A mean and a median are on separate lines, as an interval belongs to the
    /// median.
    fn figures(&self, comparison: &Comparison) -> Grid {
        let (better, worse) = self.tally();
        let tally = format!("{better} better, {} equal, {worse} worse", self.pair.ties);
        let mut lines = vec![
            ["boards".to_owned(), tally, p(&self.pair.sign_test)],
            ["ranking".to_owned(), self.rank().to_owned(), p(&self.pair.flips)],
        ];
        let figure = |lines: &mut Vec<[String; 3]>, name: String, mean: String, spread: Option<String>| {
            lines.push([format!("mean {name}"), mean, String::new()]);
            lines.extend(spread.map(|spread| [format!("median {name}"), spread, String::new()]));
        };
        let spread = |differences: &Differences, sign: f64, decimals: usize| {
            let (median, interval) = differences.median.zip(differences.median_interval)?;
            let Interval { low, high } = interval;
            let (low, high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
            // Adding 0 removes the sign of a zero.
            let [median, low, high] = [sign * median, low, high].map(|figure| format!("{:+.decimals$}", figure + 0.0));
            Some(format!("{median}, 95 % {low} to {high}"))
        };
        figure(&mut lines, "relative score".into(), self.score(), spread(&self.pair.score, self.sign(), 3));
        if let Some(counted) = comparison.scoring.cost() {
            let moves = self.moves().unwrap_or_else(|| "no board that both solved".into());
            figure(&mut lines, printable(counted.title()), moves, spread(&self.pair.moves, -self.sign(), 1));
        }
        if let Some(time) = self.time() {
            lines.push(["time".into(), time, String::new()]);
        }
        let subject = match self.subject {
            Subject::First => label(comparison, &self.pair.first),
            Subject::Second => printable(&self.pair.second.source),
        };
        let column = |at: usize| lines.iter().map(move |line| line[at].clone());
        let corrected = self.pair.sign_test.tests.max(self.pair.flips.tests) > 1;
        let p = Column::new(if corrected { "p, corrected" } else { "p" }, column(2)).right();
        Grid::new(vec![Column::new("", column(0)), Column::new(subject, column(1)).cut(), p])
    }

    /// The mean gain in the relative score.
    fn score(&self) -> String {
        signed(self.pair.score.mean.map(|mean| self.sign() * mean), 3).unwrap_or_else(|| "-".into())
    }

    /// The mean gain in moves, of which fewer are better: a plus means fewer moves.
    fn moves(&self) -> Option<String> {
        let Differences { boards, mean, .. } = self.pair.moves;
        let on = if boards == self.pair.compared() { String::new() } else { format!(" on {boards}") };
        signed(mean.map(|mean| -self.sign() * mean), 1).map(|mean| mean + &on)
    }

    /// The ratio of the subject's time to the other's.
    fn time(&self) -> Option<String> {
        let ratio = self.pair.time_ratio?;
        let ratio = if self.subject == Subject::Second { ratio } else { 1.0 / ratio };
        times(ratio)
    }
}

/// A ratio of two times; `None` for a ratio to a time of 0.
pub(super) fn times(ratio: f64) -> Option<String> {
    ratio.is_finite().then(|| format!("× {ratio:.2}"))
}

/// A figure with its sign; zero is never negative.
fn signed(figure: Option<f64>, decimals: usize) -> Option<String> {
    let part = 10.0_f64.powi(i32::try_from(decimals).unwrap_or_default());
    figure.map(|figure| format!("{:+.decimals$}", (figure * part).round() / part + 0.0))
}

/// The corrected p of a test.
fn p(test: &Test) -> String {
    test.corrected.map_or("-".into(), probability)
}
