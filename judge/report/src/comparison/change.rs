//! The change of an entry from one source to another, as a sentence.

use judge_core::compare::statistics::{FEWEST, Interval};
use judge_core::compare::{Comparison, Differences, Pair, Test, equals};
use judge_core::text::printable;

use super::sentences::boards;

/// Describes the change of an entry from the first source to the second.
pub(super) fn sentence(comparison: &Comparison, pair: &Pair) -> String {
    let [entry, from, to] = [&pair.first.entry, &pair.first.source, &pair.second.source].map(|name| printable(name));
    if pair.compared() == 0 {
        return format!("{entry} from {from} to {to}: no board to compare{}", left_out(pair));
    }
    let (better, worse) = (pair.second_better, pair.first_better);
    let all = boards(pair.compared());
    let tally = match (better, worse) {
        (0, 0) => format!("equal on {all}"),
        (better, worse) => format!("better on {better} of {all}, worse on {worse}, equal on {}", pair.ties),
    };
    let (score, moves) = (score(pair), moves(comparison, pair));
    let time = pair.time_ratio.map_or(String::new(), |ratio| format!("; {ratio:.2} times the time"));
    format!("{entry} from {from} to {to}: {tally}{}{score}{moves}{time}{}", sign_test(pair), left_out(pair))
}

/// Describes the mean difference in moves on the boards that both solved; nothing where moves do not count.
fn moves(comparison: &Comparison, pair: &Pair) -> String {
    if !comparison.judged_by.is_progress() {
        return String::new();
    }
    let Some(mean) = pair.moves.mean else {
        return "; no board that both solved".into();
    };
    let moves = printable(&comparison.headings.moves);
    let average = if pair.moves.boards == 1 { "" } else { " on average" };
    let figure = match mean {
        0.0 => format!("as many {moves}{average}"),
        mean if mean < 0.0 => format!("{:.1} fewer {moves}{average}", -mean),
        mean => format!("{mean:.1} more {moves}{average}"),
    };
    let compared = pair.compared();
    let which = match pair.moves.boards {
        solved if solved == compared => String::new(),
        1 => format!(", on the one of {} that both solved", boards(compared)),
        solved => format!(", on the {solved} of {} that both solved", boards(compared)),
    };
    format!("; {figure}{which}")
}

/// Describes the mean difference in the relative score, its spread and its test.
fn score(pair: &Pair) -> String {
    let Differences { boards: scored, mean: Some(mean), median: Some(median), interval, .. } = pair.score else {
        return String::new();
    };
    let figure = match mean {
        0.0 => "the same relative score".to_owned(),
        mean if mean < 0.0 => format!("relative score {} lower", thousandths(-mean)),
        mean => format!("relative score {} higher", thousandths(mean)),
    };
    let over = if scored == 1 { "on 1 board".to_owned() } else { format!("on average over {scored} boards") };
    let spread = interval.map_or(String::new(), |Interval { low, high }| {
        format!(" (median {:+.3}, 95 % interval {:+.3} to {:+.3})", median + 0.0, low + 0.0, high + 0.0)
    });
    let decided = pair.boards.iter().filter(|line| line.score_difference.is_some_and(|score| score != 0.0)).count();
    format!("; {figure} {over}{spread}{}", test("sign-flip test", &pair.flips, decided))
}

/// Formats a score above 0.
fn thousandths(score: f64) -> String {
    if score < 0.0005 { "less than 0.001".into() } else { format!("{score:.3}") }
}

/// Describes the sign test of a pair, over the boards on which the two differ.
fn sign_test(pair: &Pair) -> String {
    test("sign test", &pair.sign_test, pair.first_better + pair.second_better)
}

/// Describes a test: its name, its result, and the boards that decide it.
fn test(name: &str, test: &Test, decided: usize) -> String {
    let Some((p, corrected)) = test.p.zip(test.corrected) else { return String::new() };
    let corrected = if test.tests > 1 {
        format!(", corrected {}", equals(corrected).trim_start_matches("= "))
    } else {
        String::new()
    };
    let meaning = match decided {
        1 => "1 board is too few".into(),
        few if few < FEWEST => format!("{few} boards are too few"),
        _ if test.significant() => "significant".to_owned(),
        _ => "not significant".into(),
    };
    format!(", {name} p {}{corrected}: {meaning}", equals(p))
}

fn left_out(pair: &Pair) -> String {
    let mut text = String::new();
    if pair.missing > 0 {
        text += &format!("; left out, with a run missing or a judge error: {}", boards(pair.missing));
    }
    if pair.unknown > 0 {
        text += &format!("; left out, with unknown progress: {}", boards(pair.unknown));
    }
    text
}
