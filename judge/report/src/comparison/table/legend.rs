//! The legend of a comparison. It explains only what the tables above it show.

use super::sheet::{Explained, Sheet};
use judge_core::compare::statistics::chance_of_significance;
use judge_core::compare::{Comparison, Pair, SIGNIFICANT};
use judge_core::text::printable;

/// The least number of tests for which the expected number of small p by chance is shown.
const MANY_TESTS: usize = 20;

/// Explains the columns and marks that the tables of this comparison have.
pub(super) fn write(comparison: &Comparison, sheet: &mut Sheet) {
    let moves = comparison.scoring.cost().map(|moves| printable(moves.title()));
    let all_pairs = || comparison.pairs.iter().chain(&comparison.changes);
    sheet.line("");
    if sheet.shows(Explained::Boards) {
        if let Some(moves) = &moves {
            sheet.line(&format!(
                "a board: {moves} that the first saved, if both solved it; first, second: the better one by the \
                     ranking, otherwise; = neither; - missing; ? unknown"
            ));
        } else {
            sheet.line("a board: first, second: the better one by the ranking; = neither; - missing; ? unknown");
        }
    }
    if sheet.shows(Explained::Better) {
        sheet.line("better: boards on which the first is better - neither - the second");
    }
    if let Some(moves) = moves.filter(|_| sheet.shows(Explained::Moves)) {
        sheet.line(&format!("moves: mean {moves} that the first saved, over the boards that both solved"));
    }
    sheet.line(&format!("relative score: {}; summed over all boards", printable(&comparison.score_rule())));
    let compared = sheet.shows(Explained::Differences);
    if compared {
        sheet.line("  of two: a plus is better for the first, and for later results");
    }
    if sheet.shows(Explained::Par2) {
        sheet.line("PAR2: mean time of all boards; one that is not solved counts twice the limit");
    }
    if compared && all_pairs().any(|pair| pair.sign_test.p.is_some() || pair.flips.p.is_some()) {
        sheet.line("p of boards: sign test, two-sided, ties left out");
        sheet.line("p, of the ranking: sign-flip test, two-sided: both are exchanged on boards at random");
        if comparison.pairs.iter().any(|pair| pair.sign_test.tests.max(pair.flips.tests) > 1) {
            sheet.line("  both corrected by Holm's method for all pairs here of the same results");
        }
    }
    if !comparison.repeats.is_empty() {
        sheet.line(
            "repeats: pairs and relative scores use the median run of each board, places the first, as the table does;",
        );
        let resampled = "; resampled places draw one of the repeats of each board";
        let resampled = if sheet.shows(Explained::Resampled) { resampled } else { "" };
        sheet.line(&format!("  ±: standard deviation of the relative score{resampled}"));
    }
    if sheet.shows(Explained::Resampled) {
        let resampling = comparison.resampling;
        sheet.line(&format!(
            "resampled: places in 95 % of {} rankings of as many boards, drawn with replacement, seed {}",
            resampling.resamples, resampling.seed
        ));
    }
    if compared && all_pairs().any(|pair| pair.score.median_interval.is_some()) {
        sheet.line(
            "95 %: an interval for the median, not the mean, if these boards are a random sample; each pair alone",
        );
    }
    if !comparison.agreement.is_empty() {
        sheet.line("tau-b: 1 same order, 0 unrelated, -1 reversed");
    }
    if compared {
        chance(all_pairs(), sheet);
    }
    if comparison.boards.iter().any(|board| board.reconstruction) {
        sheet.line("*: a reconstruction, not the board of the original contest");
    }
}

/// Writes the number of sign tests that would have a small p by chance alone, before the correction.
fn chance<'a>(pairs: impl Iterator<Item = &'a Pair>, sheet: &mut Sheet) {
    let tested: Vec<&Pair> = pairs.filter(|pair| pair.sign_test.p.is_some()).collect();
    if tested.len() < MANY_TESTS {
        return;
    }
    let below = tested.iter().filter(|pair| pair.sign_test.p.is_some_and(|p| p < SIGNIFICANT)).count();
    let expected: f64 = tested.iter().map(|pair| chance_of_significance(pair.first_better + pair.second_better)).sum();
    sheet.line(&format!(
        "of {} sign tests, {below} have p below {SIGNIFICANT} before the correction; if no two entries differed, {expected:.1} \
         would be expected",
        tested.len()
    ));
}
