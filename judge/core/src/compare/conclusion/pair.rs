//! Two entries, or two versions of one, in sentences.

use serde::Serialize;

use super::{Conclusion, RankingFigures};
use crate::compare::pair::Pair;
use crate::compare::significance::{Test, equals};
use crate::compare::statistics::{BettingTest, MIN_VALUES};
use crate::plan::RankKey;
use crate::ranking::{Criterion, PairResult};
use judge_job::count_text;

/// The result of the ranking's test for a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PairVerdict {
    /// The first ranks higher by more than chance.
    First,
    /// The second ranks higher by more than chance.
    Second,
    /// They differ nowhere.
    Equal,
    /// The higher rank may be due to chance.
    Undecided,
}

impl Pair {
    /// The verdict of the sign-flip test of the ranking.
    pub fn verdict(&self) -> PairVerdict {
        match self.better {
            PairResult::First if self.flips.significant() => PairVerdict::First,
            PairResult::Second if self.flips.significant() => PairVerdict::Second,
            PairResult::Tie if self.first_better + self.second_better == 0 => PairVerdict::Equal,
            _ => PairVerdict::Undecided,
        }
    }
}

impl Conclusion {
    /// The summary of a pair. `names` has the first and the second name, printable and shortened.
    pub fn from_pair(pair: &Pair, names: &[String; 2], figures: &RankingFigures<'_>) -> Self {
        let mut sentences = vec![order(pair, names, figures)];
        sentences.extend(tests(pair, names, figures));
        if !contradicts(pair) {
            sentences.extend(tally(pair, names));
        }
        if pair.missing > 0 {
            let boards = count_text(pair.missing, "board", "boards");
            let verb = if pair.missing == 1 { "is" } else { "are" };
            sentences.push(format!("{boards} {verb} left out: a run is missing or not planned."));
        }
        Self {
            text: sentences.join(" "),
            complete: pair.missing == 0,
            missing: pair.missing,
            decided_by: pair.decision.as_ref().map(|decision| decision.criterion.name().to_owned()),
            tests_agree: pair.tests_agree(),
        }
    }
}

impl Conclusion {
    /// The summary of a comparison that stops when the betting test decides which one is better on more boards. The other tests
    /// assume a number of boards that was fixed before. `counted` and `all` are numbers of boards.
    pub fn from_betting(
        pair: &Pair,
        names: &[String; 2],
        figures: &RankingFigures<'_>,
        test: &BettingTest,
        (counted, all): (usize, usize),
    ) -> Self {
        // The second is the new one, and the test counts its wins.
        let ((better, worse), second) = (test.tally(), &names[1]);
        let decided = if test.decided() { "Decided" } else { "Not decided" };
        let boards =
            if counted < all { format!("{counted} of {all} boards") } else { count_text(all, "board", "boards") };
        let stop = format!(
            "{decided} after {boards}: {second} is better on {better} and worse on {worse} (p {}, whenever it stops).",
            equals(test.p())
        );
        let agrees = match pair.better {
            PairResult::First => Some(worse > better),
            PairResult::Second => Some(better > worse),
            _ => None,
        };
        let text = format!("{stop} {}", order(pair, names, figures));
        Self { text, tests_agree: agrees.filter(|_| test.decided()), ..Self::from_pair(pair, names, figures) }
    }
}

/// The order of the two, with the margin.
fn order(pair: &Pair, [first, second]: &[String; 2], figures: &RankingFigures<'_>) -> String {
    let boards = count_text(pair.judged(), "board", "boards");
    let (above, below, flipped) = match pair.better {
        _ if pair.judged() == 0 => return format!("{first} and {second} have no board to compare."),
        PairResult::First => (first, second, false),
        PairResult::Second => (second, first, true),
        _ if pair.first_better + pair.second_better == 0 => {
            return format!("{first} and {second} are equal on {boards}.");
        }
        _ => return format!("{first} and {second} rank equal on {boards}."),
    };
    let Some(mut decision) = pair.decision.clone() else { return format!("{above} ranks above {below} on {boards}.") };
    if flipped {
        decision.figures.reverse();
    }
    if decision.criterion == Criterion::Rounds {
        return format!("{above} ranks above {below}: it reached a later round.");
    }
    let reached = figures.reached(&decision.figures[0], Some(decision.criterion));
    let margin = figures.margin(&decision);
    format!("{above} ranks above {below} on {boards} with {reached}, {margin}.")
}

/// The results of the tests about that order: whether it could be due to chance, and whether the counts of boards contradict it.
pub(super) fn tests(pair: &Pair, [first, second]: &[String; 2], figures: &RankingFigures<'_>) -> Vec<String> {
    let (above, below, better_below, both) = match pair.better {
        PairResult::First => (first, second, pair.second_better, pair.both_solved.second_better),
        PairResult::Second => (second, first, pair.first_better, pair.both_solved.first_better),
        _ => return Vec::new(),
    };
    let mut sentences = Vec::new();
    match pair.flips.corrected {
        Some(_) if pair.flips.significant() => {
            sentences.push(format!("That is more than chance ({}).", p(&pair.flips)));
        }
        Some(_) if pair.judged() < MIN_VALUES => {
            let boards = count_text(pair.judged(), "board is", "boards are");
            sentences.push(format!("{boards} too few to tell that from chance."));
        }
        Some(_) => sentences.push(format!("That could be chance ({}).", p(&pair.flips))),
        None => {}
    }
    if contradicts(pair) {
        let all = count_text(pair.compared(), "board", "boards");
        let solved = pair.both_solved.first_better + pair.both_solved.ties + pair.both_solved.second_better;
        let both = match both {
            _ if solved == pair.compared() || 2 * both <= solved => String::new(),
            all if all == solved => format!(", and on all {solved} that both solve"),
            both => format!(", and on {both} of the {solved} that both solve"),
        };
        sentences.push(format!(
            "But {below} is better on {better_below} of {all} ({}){both}: {}.",
            p(&pair.sign_test),
            reason(pair, above, figures)
        ));
    }
    sentences
}

/// Tests whether the lower-ranked one is better on significantly more boards.
fn contradicts(pair: &Pair) -> bool {
    pair.tests_agree() == Some(false)
}

/// The reason why an entry that is worse on most boards ranks higher.
fn reason(pair: &Pair, above: &str, figures: &RankingFigures<'_>) -> String {
    match pair.decision.as_ref().map(|decision| decision.criterion) {
        Some(Criterion::Rounds) => format!("{above} reached a later round"),
        Some(Criterion::Figure(RankKey::Solved)) => format!("{above} solves more"),
        Some(Criterion::Figure(RankKey::Failed)) => format!("{above} fails less often"),
        Some(Criterion::Figure(RankKey::Unstarted)) => format!("{above} starts more often"),
        by => match by.and_then(|by| figures.more_of(by)) {
            Some(counted) => format!("{above} has more {counted} in all"),
            None => format!("{above} is ahead by more where it is better"),
        },
    }
}

/// The number of boards on which the higher-ranked one is better.
fn tally(pair: &Pair, [first, second]: &[String; 2]) -> Option<String> {
    let all = count_text(pair.compared(), "board", "boards");
    let (above, better, worse) = match pair.better {
        PairResult::Second => (second, pair.second_better, pair.first_better),
        _ => (first, pair.first_better, pair.second_better),
    };
    let p = pair.sign_test.p.map_or(String::new(), |_| format!(" ({})", p(&pair.sign_test)));
    (better + worse > 0).then(|| format!("{above} is better on {better} of {all} and worse on {worse}{p}."))
}

/// The corrected p of a test.
fn p(test: &Test) -> String {
    let corrected = if test.tests > 1 { "corrected " } else { "" };
    test.corrected.map_or(String::new(), |p| format!("{corrected}p {}", equals(p)))
}
