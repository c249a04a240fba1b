//! The conclusions of a comparison, as sentences.

use judge_core::compare::statistics::Interval;
use judge_core::compare::{AcrossLimits, Agreement, AgreementDifference, EntryScore, LimitUse, Scores, Stability};
use judge_core::text::printable;
use judge_job::count_text;

/// The relative score of an entry; `-` if it is unknown.
pub(super) fn score(entry: &EntryScore) -> String {
    entry.score.map_or("-".into(), |score| format!("{score:.2}"))
}

/// The most entries that a sentence names.
const MAX_NAMED: usize = 8;

/// Describes in a sentence which entries the tests separate. `boards` is the number of boards of the source.
pub(super) fn of_groups(scores: &Scores, boards: usize) -> Option<String> {
    let entries = scores.entries.len();
    if entries < 2 {
        return None;
    }
    if !scores.separates() {
        let pairs = entries * (entries - 1) / 2;
        // Even if one entry is better on all boards, p is 2 of the 2^boards choices of signs.
        let least = 2.0 * pairs as f64 * 0.5f64.powi(i32::try_from(boards).unwrap_or(i32::MAX));
        let why = if least >= judge_core::compare::SIGNIFICANT {
            format!(": {} are too few for {entries} entries", self::boards(boards))
        } else {
            String::new()
        };
        return Some(format!("no test separates any two entries{why}"));
    }
    let groups: Vec<String> = scores.groups.iter().map(|group| printable(&group.join(", "))).collect();
    Some(format!("groups that no test separates: {}", groups.join(" | ")))
}

/// Describes the first places and the changes of places if single boards are left out, one sentence per line.
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

/// Describes the use of the limit: the entries that it stopped or that came near it, and whose answers may differ at
/// another limit.
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

/// Joins the names of the entries in first place.
fn first<'a>(places: impl Iterator<Item = (&'a String, Option<usize>)>) -> String {
    let first = places.filter(|(_, place)| *place == Some(1));
    first.map(|(name, _)| printable(name)).collect::<Vec<_>>().join(" and ")
}

/// Formats a number of boards.
pub(super) fn boards(number: usize) -> String {
    count_text(number, "board", "boards")
}
