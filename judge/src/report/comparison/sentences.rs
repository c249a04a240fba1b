//! The conclusions of a comparison, as sentences.

use super::label;
use judge_core::compare::{
    AcrossLimits, Agreement, Comparison, Interval, LEAST_SHOWN, LimitUse, Pair, SIGNIFICANT, Stability, probability,
};
use judge_core::text::printable;

/// The most decided boards for which even winning all of them is not significant: 2/2^5 is 0.0625.
const TOO_FEW: usize = 5;

/// Describes the result of a pair, the margin, and its significance.
pub(super) fn of_pair(comparison: &Comparison, pair: &Pair) -> String {
    let (a, b) = (label(comparison, &pair.first), label(comparison, &pair.second));
    let (wins, losses, all) = (pair.first_better, pair.second_better, boards(pair.compared()));
    let also = |what: &str, count: usize| if count > 0 { format!(", {what} {count}") } else { String::new() };
    let ties = also("ties on", pair.ties);
    let tally = match (wins, losses) {
        _ if pair.compared() == 0 => return format!("{a} and {b}: no board to compare{}", left_out(pair)),
        (0, 0) => format!("{a} and {b} tie on {all}"),
        (wins, losses) if wins == losses => {
            format!("{a} wins on {wins} of {all} and loses to {b} on as many{ties}")
        }
        (wins, losses) if wins > losses => {
            format!("{a} beats {b} on {wins} of {all}{}{ties}", also("loses on", losses))
        }
        (wins, losses) => format!("{a} loses to {b} on {losses} of {all}{}{ties}", also("wins on", wins)),
    };
    let mean = mean(pair, &comparison.headings.moves, 1.0);
    format!("{tally}{mean}{}{}", chance(pair), left_out(pair))
}

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
    let mean = mean(pair, &comparison.headings.moves, -1.0);
    let time = pair.time_ratio.map_or(String::new(), |ratio| format!("; {ratio:.2} times the time"));
    format!("{entry} from {from} to {to}: {tally}{mean}{}{time}{}", chance(pair), left_out(pair))
}

/// Describes the first places and the changes of places without each board, one sentence per line.
pub(super) fn of_stability(stability: &Stability) -> Vec<String> {
    let entries = || stability.entries.iter();
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
    if !stability.unplaced.is_empty() {
        let names = printable(&stability.unplaced.join(", "));
        lines.push(format!("without a place, because they do not compete or lack a run: {names}"));
    }
    lines
}

/// Describes the agreement of two sources in a sentence.
pub(super) fn of_agreement(agreement: &Agreement) -> String {
    let Agreement { first, second, entries, tau, interval } = agreement;
    let of = format!("{} and {}: {} entries in both", printable(first), printable(second), entries.len());
    let tau = tau.map_or("one of them ranks all of these equal".into(), |tau| format!("Kendall's tau-b {tau:.2}"));
    let interval =
        interval.map_or(String::new(), |Interval { low, high }| format!(" (95 % interval {low:.2} to {high:.2})"));
    format!("{of}; {tau}{interval}")
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

/// Describes the use of the limit, one sentence per line. `other_limits` is true if sources with other limits follow.
pub(super) fn of_limit_use(limit_use: &LimitUse, other_limits: bool) -> Vec<String> {
    let names = |names: &[String]| printable(&names.join(", "));
    let mut lines = Vec::new();
    if !limit_use.ended_before_half.is_empty() {
        lines.push(format!(
            "ended every run before half of the limit, so half or double of it would change neither answers nor order, \
             unless they read the limit and plan by it: {}",
            names(&limit_use.ended_before_half)
        ));
    }
    if !limit_use.used_half.is_empty() {
        lines.push(format!(
            "took half of the limit or more in some run, so the effect of half or double of it is unknown; \
             {}: {}",
            if other_limits { "see the places at each limit below" } else { "compare with results at that limit" },
            names(&limit_use.used_half)
        ));
    }
    if !limit_use.unknown.is_empty() {
        lines.push(format!(
            "times or limits of single runs are unknown, so the effect is unknown: {}",
            names(&limit_use.unknown)
        ));
    }
    lines
}

/// Describes the mean difference in moves and its interval. `sign` is 1 if a greater difference is better for the
/// subject of the sentence, and -1 if it is worse.
fn mean(pair: &Pair, moves: &str, sign: f64) -> String {
    let Some(mean) = pair.mean_difference.map(|mean| sign * mean) else {
        return "; no board that both solved".into();
    };
    let moves = printable(moves);
    let which = match pair.both_solved {
        solved if solved == pair.compared() => String::new(),
        1 => "on the board that both solved ".into(),
        solved => format!("on the {solved} boards that both solved "),
    };
    let fewer = |figure: f64| if figure < 0.0 { "more" } else { "fewer" };
    let average = if pair.both_solved == 1 { "" } else { " on average" };
    let tenths = |figure: f64| format!("{:.1}", figure.abs());
    let mean_text = if mean == 0.0 {
        format!("as many {moves}{average}")
    } else {
        format!("{} {} {moves}{average}", tenths(mean), fewer(mean))
    };
    let interval = pair.interval.map(|Interval { low, high }| {
        // The interval starts at the end closer to 0, or if it contains 0, at the worse end.
        let (mut low, mut high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
        if low < 0.0 && high > 0.0 {
            return format!(" (95 % interval {} more to {} fewer)", tenths(low), tenths(high));
        }
        if high <= 0.0 {
            (low, high) = (high, low);
        }
        format!(" (95 % interval {} to {})", tenths(low), tenths(high))
    });
    format!("; {which}{mean_text}{}", interval.unwrap_or_default())
}

/// Describes the sign test.
fn chance(pair: &Pair) -> String {
    let Some(p) = pair.sign_test_p else { return String::new() };
    let decided = pair.first_better + pair.second_better;
    let meaning = match decided {
        1 => "1 board is too few".into(),
        few if few <= TOO_FEW => format!("{few} boards are too few"),
        _ if p < SIGNIFICANT => "significant".to_owned(),
        _ => "not significant".into(),
    };
    let equals = if p < LEAST_SHOWN { "" } else { "= " };
    format!("; sign test: p {equals}{}, {meaning}", probability(p))
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
    if number == 1 { "1 board".into() } else { format!("{number} boards") }
}
