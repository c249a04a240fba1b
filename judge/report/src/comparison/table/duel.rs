//! Two entries, or one entry in two results: a verdict, and a line of figures for each measure.

use super::super::label;
use super::sheet::{Explained, MAX_LINES, Remedy, Sheet};
use crate::layout::{Column, Grid};
use judge_core::compare::statistics::{FEWEST, Interval};
use judge_core::compare::{Comparison, Differences, Pair, Test, probability};
use judge_core::text::printable;
use judge_job::count_text;

/// The most duels with a table each.
const FEW: usize = 3;
/// The numbers of the columns that leave a table that is too wide.
const TIME: u8 = 0;
const OF_SCORE: u8 = 1;
const MOVES: u8 = 2;
const SCORE: u8 = 3;
const TALLY: u8 = 4;
const P: u8 = 5;

/// Whose gain a plus is: that of the better one of a pair, or of an entry over its earlier results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    First,
    Second,
}

/// What the tests say of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    Better,
    Worse,
    Equal,
    Undecided,
}

/// A pair as its subject sees it.
struct Duel<'a> {
    pair: &'a Pair,
    subject: Subject,
}

/// Tests whether pairs are few enough for a duel each.
pub(super) fn are_few(pairs: &[Pair]) -> bool {
    pairs.len() <= FEW
}

/// Writes the verdicts on entries that are in several results, or on all pairs if they are few.
pub(super) fn write(comparison: &Comparison, sheet: &mut Sheet) {
    let changes = Duel::all(&comparison.changes, Subject::Second);
    if are_few(&comparison.changes) {
        changes.iter().for_each(|duel| duel.write(comparison, sheet));
    } else {
        all_changes(comparison, &changes, sheet);
    }
    if are_few(&comparison.pairs) {
        Duel::all(&comparison.pairs, Subject::First).iter().for_each(|duel| duel.write(comparison, sheet));
    }
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
    table.push(Column::new("is", of_all(&|duel| duel.decision().word().into())));
    for (head, count) in [
        ("better", (|pair| pair.second_better) as fn(&Pair) -> usize),
        ("equal", |pair| pair.ties),
        ("worse", |pair| pair.first_better),
    ] {
        table.push(Column::new(head, of_all(&|duel| count(duel.pair).to_string())).right().leaves(TALLY));
    }
    table.push(Column::new("p", of_all(&|duel| p(&duel.pair.sign_test))).right().leaves(P));
    table.push(Column::new("relative score", of_all(&|duel| duel.score())).right().leaves(SCORE));
    table.push(Column::new("its p", of_all(&|duel| p(&duel.pair.flips))).right().leaves(OF_SCORE));
    if comparison.judged_by.is_progress() {
        let head = printable(&comparison.headings.moves);
        table.push(Column::new(head, of_all(&|duel| duel.moves().unwrap_or("-".into()))).right().leaves(MOVES));
    }
    table.push(Column::new("time", of_all(&|duel| duel.time().unwrap_or("-".into()))).right().leaves(TIME));
    let gone = sheet.table(table);
    sheet.explain([Explained::Differences]);
    sheet.explain((!gone.contains(&OF_SCORE)).then_some(Explained::POfScore));
    sheet.more(changes.len(), "entries", Remedy::Entries);
}

impl Decision {
    fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Equal => "equal",
            Self::Undecided => "undecided",
        }
    }
}

impl<'a> Duel<'a> {
    fn all(pairs: &'a [Pair], subject: Subject) -> Vec<Self> {
        pairs.iter().map(|pair| Self { pair, subject }).collect()
    }
    /// 1 if a difference of the second minus the first is a gain of the subject, else -1.
    fn sign(&self) -> f64 {
        if self.subject == Subject::Second { 1.0 } else { -1.0 }
    }

    /// Boards on which the subject is better, and worse.
    fn tally(&self) -> (usize, usize) {
        match self.subject {
            Subject::First => (self.pair.first_better, self.pair.second_better),
            Subject::Second => (self.pair.second_better, self.pair.first_better),
        }
    }

    /// What the significant tests say. Two that contradict each other say nothing.
    fn decision(&self) -> Decision {
        let (better, worse) = self.tally();
        if better + worse == 0 {
            return Decision::Equal;
        }
        let of_tally = self.pair.sign_test.significant().then_some(better > worse);
        let of_score = self.pair.flips.significant().then(|| self.sign() * self.pair.score.mean.unwrap_or(0.0) > 0.0);
        match (of_tally, of_score) {
            (Some(one), Some(other)) if one != other => Decision::Undecided,
            (None, None) => Decision::Undecided,
            (one, other) => {
                if one.or(other) == Some(true) {
                    Decision::Better
                } else {
                    Decision::Worse
                }
            }
        }
    }

    /// The verdict as a sentence.
    fn verdict(&self, comparison: &Comparison) -> String {
        let Pair { first, second, .. } = self.pair;
        let names = match self.subject {
            Subject::First => format!("{} and {}", label(comparison, first), label(comparison, second)),
            Subject::Second => {
                let [entry, from, to] = [&first.entry, &first.source, &second.source].map(|name| printable(name));
                format!("{entry} from {from} to {to}")
            }
        };
        if self.pair.compared() == 0 {
            return format!("{names}: no board to compare");
        }
        let (better, worse) = self.tally();
        match (self.decision(), self.subject) {
            (Decision::Equal, _) => {
                format!("{names}: equal on {}", count_text(self.pair.compared(), "board", "boards"))
            }
            (Decision::Undecided, _) => {
                let why = match better + worse {
                    1 => "1 board that differs is too few".to_owned(),
                    few if few < FEWEST => format!("{few} boards that differ are too few"),
                    _ => "the differences could be chance".to_owned(),
                };
                format!("{names}: undecided, {why}")
            }
            (decision, Subject::Second) => format!("{names}: {}", decision.word()),
            (decision, Subject::First) => {
                let better = if decision == Decision::Better { first } else { second };
                format!("{names}: {} is better", label(comparison, better))
            }
        }
    }

    fn write(&self, comparison: &Comparison, sheet: &mut Sheet) {
        sheet.line(&self.verdict(comparison));
        if self.pair.compared() > 0 {
            sheet.table(self.figures(comparison));
            sheet.explain([Explained::Differences]);
        }
        let left_out =
            [(self.pair.missing, "with a run missing or a judge error"), (self.pair.unknown, "with unknown progress")];
        for (boards, why) in left_out.into_iter().filter(|(boards, _)| *boards > 0) {
            sheet.line(&format!("left out, {why}: {}", count_text(boards, "board", "boards")));
        }
    }

    /// The table of a line per measure.
    fn figures(&self, comparison: &Comparison) -> Grid {
        let (better, worse) = self.tally();
        let tally = format!("{better} better, {} equal, {worse} worse", self.pair.ties);
        let mut lines = vec![["boards".to_owned(), tally, String::new(), p(&self.pair.sign_test)]];
        let spread = |differences: &Differences, sign: f64, decimals: usize| {
            let Some((median, interval)) = differences.median.zip(differences.interval) else { return String::new() };
            let Interval { low, high } = interval;
            let (low, high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
            // Adding 0 takes the sign of a zero away.
            let [median, low, high] = [sign * median, low, high].map(|figure| format!("{:+.decimals$}", figure + 0.0));
            format!("{median}, {low} to {high}")
        };
        let of_score = [self.score(), spread(&self.pair.score, self.sign(), 3), p(&self.pair.flips)];
        let [mean, interval, of_score] = of_score;
        lines.push(["relative score".into(), mean, interval, of_score]);
        if comparison.judged_by.is_progress() {
            let moves = self.moves().unwrap_or_else(|| "no board that both solved".into());
            let interval = spread(&self.pair.moves, -self.sign(), 1);
            lines.push([printable(&comparison.headings.moves), moves, interval, String::new()]);
        }
        if let Some(time) = self.time() {
            lines.push(["time".into(), time, String::new(), String::new()]);
        }
        let subject = match self.subject {
            Subject::First => label(comparison, &self.pair.first),
            Subject::Second => printable(&self.pair.second.source),
        };
        let column = |at: usize| lines.iter().map(move |line| line[at].clone());
        let corrected = self.pair.sign_test.tests.max(self.pair.flips.tests) > 1;
        let mut table = Grid::new(vec![Column::new("", column(0)), Column::new(subject, column(1)).cut()]);
        if lines.iter().any(|line| !line[2].is_empty()) {
            table.push(Column::new("median, 95 % interval", column(2)).leaves(0));
        }
        table.push(Column::new(if corrected { "p, corrected" } else { "p" }, column(3)).right());
        table
    }

    /// The mean gain in the relative score.
    fn score(&self) -> String {
        signed(self.pair.score.mean.map(|mean| self.sign() * mean), 3).unwrap_or_else(|| "-".into())
    }

    /// The mean gain in moves, where fewer are better: a plus for fewer moves.
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

/// A ratio of two times; nothing for one to no time.
pub(super) fn times(ratio: f64) -> Option<String> {
    ratio.is_finite().then(|| format!("× {ratio:.2}"))
}

/// A figure with its sign; none for what rounds to 0.
fn signed(figure: Option<f64>, decimals: usize) -> Option<String> {
    let part = 10.0_f64.powi(i32::try_from(decimals).unwrap_or_default());
    figure.map(|figure| format!("{:+.decimals$}", (figure * part).round() / part + 0.0))
}

/// The corrected p of a test.
fn p(test: &Test) -> String {
    test.corrected.map_or("-".into(), probability)
}
