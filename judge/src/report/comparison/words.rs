//! What a comparison comes to, in sentences.

use super::label;
use judge_core::compare::{
    AcrossLimits, Agreement, Clock, Comparison, Interval, LEAST_SHOWN, Pair, SIGNIFICANT, Stability, probability,
};
use judge_core::text::printable;

/// With so many decided boards not even winning all of them gets below it: 2/2^5 is 0.0625.
const TOO_FEW: usize = 5;

/// Who beats whom, by how much, and whether it is more than chance.
pub(super) fn of_pair(comparison: &Comparison, pair: &Pair) -> String {
    let (a, b) = (label(comparison, &pair.first), label(comparison, &pair.second));
    let (wins, losses, all) = (pair.first_better, pair.second_better, boards(pair.compared()));
    let also = |what: &str, count: usize| if count > 0 { format!(", {what} {count}") } else { String::new() };
    let ties = also("ties on", pair.ties);
    let tally = match (wins, losses) {
        _ if pair.compared() == 0 => return format!("{a} and {b}: no board to compare them on{}", left_out(pair)),
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

/// What changed from the first run to the second.
pub(super) fn of_change(comparison: &Comparison, pair: &Pair) -> String {
    let [entry, from, to] = [&pair.first.entry, &pair.first.run, &pair.second.run].map(|name| printable(name));
    if pair.compared() == 0 {
        return format!("{entry} from {from} to {to}: no board to compare it on{}", left_out(pair));
    }
    let (better, worse) = (pair.second_better, pair.first_better);
    let all = boards(pair.compared());
    let tally = match (better, worse) {
        (0, 0) => format!("as good on {all}"),
        (better, worse) => format!("better on {better} of {all}, worse on {worse}, as good on {}", pair.ties),
    };
    let mean = mean(pair, &comparison.headings.moves, -1.0);
    let time = pair.time_ratio.map_or(String::new(), |ratio| format!("; {ratio:.2} times the time"));
    format!("{entry} from {from} to {to}: {tally}{mean}{}{time}{}", chance(pair), left_out(pair))
}

/// Who is first in a run when each board is left out, and how many places that changes, a sentence a line.
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
        format!("without {} the first place goes to {other}", boards.join(", or without "))
    };
    let mut lines: Vec<String> = others.into_iter().map(goes).collect();
    if lines.is_empty() {
        lines.push(format!("whichever board is left out, the first place stays with {usual}"));
    }
    let (moving, all) = (stability.entries.iter().filter(|entry| entry.moves()).count(), stability.entries.len());
    lines.push(format!("{moving} of {all} entries change places when some board is left out"));
    if stability.entries.iter().any(|entry| entry.without.contains(&None)) {
        lines.push(
            "?: what it reached on the other boards is not known; the others are placed as if it came last".into(),
        );
    }
    if !stability.unplaced.is_empty() {
        let names = printable(&stability.unplaced.join(", "));
        lines.push(format!("without a place, as they do not compete or lack a run: {names}"));
    }
    lines
}

/// How alike two runs order the entries that both have, in a sentence.
pub(super) fn of_agreement(agreement: &Agreement) -> String {
    let Agreement { first, second, entries, tau, interval } = agreement;
    let of = format!("{} and {}: {} entries in both", printable(first), printable(second), entries.len());
    let tau = tau.map_or("one of them has all of these equal".into(), |tau| format!("Kendall's tau-b {tau:.2}"));
    let interval =
        interval.map_or(String::new(), |Interval { low, high }| format!(" (95 % interval {low:.2} to {high:.2})"));
    format!("{of}; {tau}{interval}")
}

/// Who is first at each limit, and how many places change between them, in a sentence.
pub(super) fn of_limits(across: &AcrossLimits) -> String {
    let places = |run: usize| across.entries.iter().map(move |entry| (&entry.entry, Some(entry.places[run])));
    let firsts: Vec<String> = (0..across.runs.len()).map(|run| first(places(run))).collect();
    let moving = across.entries.iter().filter(|entry| entry.places.iter().any(|place| *place != entry.places[0]));
    let (moving, all) = (moving.count(), across.entries.len());
    let first = if firsts.iter().all(|name| name == &firsts[0]) {
        format!("the first place stays with {}", firsts[0])
    } else {
        format!("the first place goes to {} in turn", firsts.join(", "))
    };
    format!("{first}; {moving} of {all} entries change places")
}

/// What a run tells of half and double its limit, a sentence a line; `others` is whether runs at other limits are told
/// of further down.
pub(super) fn of_clock(clock: &Clock, others: bool) -> Vec<String> {
    let names = |names: &[String]| printable(&names.join(", "));
    let mut lines = Vec::new();
    if !clock.ended_before_half.is_empty() {
        lines.push(format!(
            "ended every run before half of its limit, so half or double of it would change neither answers nor order, \
             unless they read the limit and plan by it: {}",
            names(&clock.ended_before_half)
        ));
    }
    if !clock.went_on.is_empty() {
        lines.push(format!(
            "took half of the limit or more in some run, so this does not tell what half or double of it would change; \
             {}: {}",
            if others { "see the places at each limit below" } else { "compare it with a run at that limit" },
            names(&clock.went_on)
        ));
    }
    if !clock.untold.is_empty() {
        lines.push(format!(
            "the times or limits of single runs are not known, so nothing tells: {}",
            names(&clock.untold)
        ));
    }
    lines
}

/// The mean difference in moves with its interval. `sign` is 1 where a greater difference speaks for the one whom the
/// sentence is about, -1 where it speaks against it.
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
        // From the end nearer to none, or from the worse to the better.
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

/// The sign test in words.
fn chance(pair: &Pair) -> String {
    let Some(p) = pair.sign_test_p else { return String::new() };
    let decided = pair.first_better + pair.second_better;
    let meaning = match decided {
        1 => "1 board cannot tell".into(),
        few if few <= TOO_FEW => format!("{few} boards cannot tell"),
        _ if p < SIGNIFICANT => "hardly chance".to_owned(),
        _ => "may well be chance".into(),
    };
    let equals = if p < LEAST_SHOWN { "" } else { "= " };
    format!("; sign test: p {equals}{}, {meaning}", probability(p))
}

fn left_out(pair: &Pair) -> String {
    let mut text = String::new();
    if pair.missing > 0 {
        text += &format!("; left out, as a run is missing or the judge spoilt it: {}", boards(pair.missing));
    }
    if pair.untold > 0 {
        text += &format!("; left out, as nothing tells how far an answer got: {}", boards(pair.untold));
    }
    text
}

/// The names of those in first place.
fn first<'a>(places: impl Iterator<Item = (&'a String, Option<usize>)>) -> String {
    let first = places.filter(|(_, place)| *place == Some(1));
    first.map(|(name, _)| printable(name)).collect::<Vec<_>>().join(" and ")
}

/// A number of boards.
pub(super) fn boards(number: usize) -> String {
    if number == 1 { "1 board".into() } else { format!("{number} boards") }
}
