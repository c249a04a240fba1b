//! The conclusions of a comparison, as sentences.

use judge_core::compare::statistics::{FEWEST, Interval};
use judge_core::compare::{
    AcrossLimits, Agreement, AgreementDifference, Comparison, Differences, LimitUse, Pair, Scores, Stability, Test,
    equals,
};
use judge_core::text::printable;
use judge_job::count_text;

/// The most entries that a sentence names.
const MAX_NAMED: usize = 8;

/// Describes the change of an entry from the first source to the second.
pub(super) fn of_change(comparison: &Comparison, pair: &Pair) -> String {
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
    let (score, moves) = (score(pair, 1.0), moves(comparison, pair, -1.0));
    let time = pair.time_ratio.map_or(String::new(), |ratio| format!("; {ratio:.2} times the time"));
    format!("{entry} from {from} to {to}: {tally}{}{score}{moves}{time}{}", sign_test(pair), left_out(pair))
}

/// Describes which entries the sign-flip tests separate, in a sentence. `boards` is the number of boards of the source.
pub(super) fn of_groups(scores: &Scores, boards: usize) -> Option<String> {
    let entries = scores.entries.len();
    if entries < 2 {
        return None;
    }
    if !scores.separates() {
        let pairs = entries * (entries - 1) / 2;
        // Even if one of two is better on all boards, p is 2 of all 2^boards choices of signs.
        let least = 2.0 * pairs as f64 * 0.5f64.powi(i32::try_from(boards).unwrap_or(i32::MAX));
        let why = if least >= judge_core::compare::SIGNIFICANT {
            format!(": {} are too few to separate any two of {entries} entries", self::boards(boards))
        } else {
            String::new()
        };
        return Some(format!("no two entries differ significantly in their relative score{why}"));
    }
    let groups: Vec<String> = scores.groups.iter().map(|group| printable(&group.join(", "))).collect();
    Some(format!("groups without a significant difference in relative score: {}", groups.join(" | ")))
}

/// Describes the first places and the changes of places without each board, one sentence per line.
pub(super) fn of_stability(stability: &Stability) -> Vec<String> {
    let entries = || stability.entries.iter();
    if stability.boards.is_empty() {
        return unplaced(stability).into_iter().collect();
    }
    let usual = first(entries().map(|entry| (&entry.entry, Some(entry.place))));
    let mut others: Vec<(String, Vec<String>)> = Vec::new();
    for (index, board) in stability.boards.iter().enumerate() {
        let other = first(entries().map(|entry| (&entry.entry, entry.without[index])));
        if other == usual {
            continue;
        }
        match others.iter_mut().find(|(name, _)| *name == other) {
            Some((_, boards)) => boards.push(printable(board)),
            None => others.push((other, vec![printable(board)])),
        }
    }
    let goes = |(other, boards): (String, Vec<String>)| {
        format!("without {}, the first place goes to {other}", boards.join(", or without "))
    };
    let mut lines: Vec<String> = others.into_iter().map(goes).collect();
    if lines.is_empty() {
        lines.push(format!("whichever board is left out, the first place stays with {usual}"));
    }
    let (moving, all) = (stability.entries.iter().filter(|entry| entry.moves()).count(), stability.entries.len());
    lines.push(format!("{moving} of {all} entries change places without some board"));
    if stability.entries.iter().any(|entry| entry.without.contains(&None)) {
        lines.push("?: its progress on the other boards is unknown; the others are ranked as if it were last".into());
    }
    lines.extend(unplaced(stability));
    lines
}

fn unplaced(stability: &Stability) -> Option<String> {
    let names = printable(&stability.unplaced.join(", "));
    (!names.is_empty()).then(|| format!("without a place, because they do not compete or lack a run: {names}"))
}

/// Describes the agreement of two sources in a sentence.
pub(super) fn of_agreement(agreement: &Agreement) -> String {
    let Agreement { first, second, entries, tau, resampled, .. } = agreement;
    let of = format!("{} and {}: {} entries in both", printable(first), printable(second), entries.len());
    let tau = tau.map_or("one of them ranks all of these equal".into(), |tau| format!("Kendall's tau-b {tau:.2}"));
    format!("{of}; {tau}{}", range(*resampled))
}

/// Describes whether the agreement with two sources differs, in a sentence.
pub(super) fn of_agreement_difference(difference: &AgreementDifference) -> String {
    let [with, first, second] = [&difference.with, &difference.first, &difference.second].map(|name| printable(name));
    let decided = |Interval { low, high }| {
        if low <= 0.0 && high >= 0.0 { ", so these entries do not show which agrees better" } else { "" }
    };
    format!(
        "tau-b of {with} with {first} minus that with {second}: {:+.2}{}{}",
        difference.difference,
        range(difference.resampled),
        difference.resampled.map_or("", decided)
    )
}

fn range(resampled: Option<Interval>) -> String {
    let text = |Interval { low, high }| format!(" ({low:.2} to {high:.2} in 95 % of resamples of the entries)");
    resampled.map_or(String::new(), text)
}

/// Describes the first places at each limit, and the changes of places, in a sentence.
pub(super) fn of_limits(across: &AcrossLimits) -> String {
    let places = |source: usize| across.entries.iter().map(move |entry| (&entry.entry, Some(entry.places[source])));
    let firsts: Vec<String> = (0..across.sources.len()).map(|source| first(places(source))).collect();
    let moving = across.entries.iter().filter(|entry| entry.places.iter().any(|place| *place != entry.places[0]));
    let (moving, all) = (moving.count(), across.entries.len());
    let first = if firsts.iter().all(|name| name == &firsts[0]) {
        format!("the first place stays with {}", firsts[0])
    } else {
        format!("the first place goes to {} in turn", firsts.join(", "))
    };
    format!("{first}; {moving} of {all} entries change places")
}

/// Describes the use of the limit: who was stopped by it or came near, and so may answer otherwise at another one.
pub(super) fn of_limit_use(limit_use: &LimitUse) -> String {
    let LimitUse { ended_before_half, used_half, unknown, .. } = limit_use;
    let mut parts = Vec::new();
    if !ended_before_half.is_empty() {
        let entries = count_text(ended_before_half.len(), "entry", "entries");
        parts.push(format!("{entries} ended before half of the limit on every board"));
    }
    for (names, which) in [(used_half, "half of it or more on some board"), (unknown, "times are not known")] {
        match names.len() {
            0 => {}
            1..=MAX_NAMED => parts.push(format!("{which}: {}", printable(&names.join(", ")))),
            many => parts.push(format!("{which}: {many} entries")),
        }
    }
    parts.join("; ")
}

/// Describes the mean difference in moves on the boards that both solved; nothing where moves do not count. `sign` is 1
/// if a greater difference is better for the subject of the sentence, and -1 if it is worse.
fn moves(comparison: &Comparison, pair: &Pair, sign: f64) -> String {
    if !comparison.judged_by.is_progress() {
        return String::new();
    }
    let Some(mean) = pair.moves.mean.map(|mean| sign * mean) else {
        return "; no board that both solved".into();
    };
    let moves = printable(&comparison.headings.moves);
    let average = if pair.moves.boards == 1 { "" } else { " on average" };
    let figure = match mean {
        0.0 => format!("as many {moves}{average}"),
        mean if mean < 0.0 => format!("{:.1} more {moves}{average}", -mean),
        mean => format!("{mean:.1} fewer {moves}{average}"),
    };
    let compared = pair.compared();
    let which = match pair.moves.boards {
        solved if solved == compared => String::new(),
        1 => format!(", on the one of {} that both solved", boards(compared)),
        solved => format!(", on the {solved} of {} that both solved", boards(compared)),
    };
    format!("; {figure}{which}")
}

/// Describes the mean difference in the relative score, its spread and its test. `sign` is 1 if the subject of the
/// sentence is the second of the pair, and -1 if it is the first.
fn score(pair: &Pair, sign: f64) -> String {
    let Differences { boards: scored, mean: Some(mean), median: Some(median), interval, .. } = pair.score else {
        return String::new();
    };
    let (mean, median) = (sign * mean, sign * median + 0.0);
    let figure = match mean {
        0.0 => "the same relative score".to_owned(),
        mean if mean < 0.0 => format!("relative score {} lower", thousandths(-mean)),
        mean => format!("relative score {} higher", thousandths(mean)),
    };
    let over = if scored == 1 { "on 1 board".to_owned() } else { format!("on average over {scored} boards") };
    let spread = interval.map_or(String::new(), |Interval { low, high }| {
        let (low, high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
        format!(" (median {median:+.3}, 95 % interval {:+.3} to {:+.3})", low + 0.0, high + 0.0)
    });
    let decided = pair.boards.iter().filter(|line| line.score_difference.is_some_and(|score| score != 0.0)).count();
    format!("; {figure} {over}{spread}{}", test("sign-flip test", &pair.flips, decided))
}

/// Formats a score above 0.
fn thousandths(score: f64) -> String {
    if score < 0.0005 { "less than 0.001".into() } else { format!("{score:.3}") }
}

/// Describes the sign test.
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

/// Joins the names of the entries in first place.
fn first<'a>(places: impl Iterator<Item = (&'a String, Option<usize>)>) -> String {
    let first = places.filter(|(_, place)| *place == Some(1));
    first.map(|(name, _)| printable(name)).collect::<Vec<_>>().join(" and ")
}

/// Formats a number of boards.
pub(super) fn boards(number: usize) -> String {
    count_text(number, "board", "boards")
}
