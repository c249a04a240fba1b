//! The first lines of the page: who won, by how much, and what contest it was.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::source::PageSource;
use super::text::{duration_ms, plain};
use judge_core::advance::{self, Next};
use judge_core::games;
use judge_core::plan::RankKey;
use judge_core::relative::{self, Direction};
use judge_core::results::Results;
use judge_core::score::{JudgedBy, Metrics, Row};
use judge_core::summary::Summaries;
use judge_job::{Machine, count_text};

/// The most entries that are named as first.
const MOST_NAMED: usize = 5;

/// Renders the lines of a source.
pub(super) fn of(source: &PageSource) -> Markup {
    html! {
        p class="headline" { bdi { (outcome(source.results(), is_over(source))) } }
        p class="about" { bdi { (circumstances(source)) } }
    }
}

/// Returns true if no run is missing and no round is to come, as far as the source records it.
fn is_over(source: &PageSource) -> bool {
    match &source.directory {
        Some(directory) => matches!(advance::next(&directory.journal), Next::Over | Next::Nobody),
        None => source.results().rows.iter().all(Row::complete),
    }
}

/// Describes who is first and by how much, in a sentence. All names in it are shortened.
fn outcome(results: &Results, over: bool) -> String {
    let placed: Vec<(usize, &Row)> = results.rows.iter().enumerate().filter(|(_, row)| row.place.is_some()).collect();
    let name = |row: &Row| plain(&row.entry.name);
    let first: Vec<String> = placed.iter().filter(|(_, row)| row.place == Some(1)).map(|(_, row)| name(row)).collect();
    let Some(&(winner, row)) = placed.first() else { return "No entry has a place yet.".into() };
    let reached = reached(results, row);
    if first.len() > 1 {
        let verb = if over { "share" } else { "so far share" };
        return format!("{} {verb} the first place with {reached}.", listed(&first));
    }
    let verb = if over { "wins" } else { "leads so far" };
    let margin = match placed.iter().find(|(_, row)| row.place != Some(1)) {
        Some(&(next, _)) => margin(results, winner, next)
            .map_or(String::new(), |margin| format!(", {margin} than {}", name(&results.rows[next]))),
        None => String::new(),
    };
    format!("{} {verb} with {reached}{margin}.", name(row))
}

/// Describes the total that decides, such as `125 tiles home and 393 moves`.
fn reached(results: &Results, row: &Row) -> String {
    let total = deciding(row);
    if let Some(points) = total.points {
        return format!("a score of {points}");
    }
    if results.judged_by == JudgedBy::Acceptance {
        let planned = row.cells.iter().filter(|cell| cell.planned_in(row.rounds())).count();
        return format!("{} of {} solved", total.progress.unwrap_or(0), count_text(planned, "board", "boards"));
    }
    if let (Some(score), Some(RankKey::Relative)) = (row.relative, results.ranking.first()) {
        return format!("a relative score of {}", relative::text(score));
    }
    let part = |figure: Option<u64>, label: &str| figure.map(|figure| format!("{figure} {}", plain(label)));
    let parts = [part(total.progress, &results.headings.progress), part(total.moves, &results.headings.moves)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
}

/// Returns the total of the last round in which a row took part: it decides first.
fn deciding(row: &Row) -> Metrics {
    // A table can have totals of figures that its cells do not contain.
    if row.rounds() == 1 { row.total } else { row.total_in(row.rounds()).unwrap_or(row.total) }
}

/// Describes the first difference that puts one row above another, as `44 moves fewer`; `None` if it is unknown.
fn margin(results: &Results, winner: usize, next: usize) -> Option<String> {
    let (first, second) = (&results.rows[winner], &results.rows[next]);
    if first.rounds() != second.rounds() {
        let ahead = first.rounds().abs_diff(second.rounds()) as usize;
        return Some(format!("{} further", count_text(ahead, "round", "rounds")));
    }
    let summaries = Summaries::of(results);
    let [solved, failed] = [
        [winner, next].map(|row| summaries.rows[row].solved),
        [first, second].map(|row| row.cells.iter().filter(|cell| cell.judged() && cell.code.is_some()).count()),
    ];
    let (a, b) = (deciding(first), deciding(second));
    let difference = |figure: fn(&Metrics) -> Option<u64>| {
        Some(figure(&a)?.abs_diff(figure(&b)?)).filter(|difference| *difference > 0)
    };
    // As in the ranking: solved boards, then failures, before every figure of which less is better.
    let by_boards = || match (solved, failed) {
        ([a, b], _) if a != b => Some(format!("{} more solved", count_text(a.abs_diff(b), "board", "boards"))),
        (_, [a, b]) if a != b => Some(format!("{} fewer", count_text(a.abs_diff(b), "failed run", "failed runs"))),
        _ => None,
    };
    // What never ran took no time.
    let by_starts = || {
        let [a, b] = [first, second].map(|row| row.cells.iter().filter(|cell| cell.never_started()).count());
        (a != b).then(|| format!("{} fewer", count_text(a.abs_diff(b), "run without a start", "runs without a start")))
    };
    let [progress, moves, tie_break] =
        [&results.headings.progress, &results.headings.moves, &results.headings.tie_break].map(|label| plain(label));
    results.ranking.iter().find_map(|key| match key {
        RankKey::Progress => Some(format!("{} {} more", difference(|total| total.progress)?, progress)),
        RankKey::Moves => by_boards().or_else(|| Some(format!("{} {} fewer", difference(|total| total.moves)?, moves))),
        RankKey::TieBreak => {
            by_boards().or_else(|| Some(format!("{} {} fewer", difference(|total| total.tie_break)?, tie_break)))
        }
        RankKey::Time => by_boards()
            .or_else(by_starts)
            .or_else(|| Some(format!("{} less", duration_ms(difference(Metrics::time_ms)?)))),
        RankKey::Solved => {
            let [a, b] = solved;
            (a != b).then(|| format!("{} more", count_text(a.abs_diff(b), "board", "boards")))
        }
        RankKey::Relative => {
            let difference = first.relative?.abs_diff(second.relative?);
            (difference > 0).then(|| format!("{} more", relative::text(difference)))
        }
        RankKey::Score => {
            let (a, b) = (a.points?, b.points?);
            match results.scoring.as_ref()?.direction {
                Direction::Up => (a != b).then(|| format!("{} more", a.minus(b))),
                Direction::Down => (a != b).then(|| format!("{} less", b.minus(a))),
            }
        }
    })
}

/// Describes the contest in one line: its game, its size, its limit, its dates, its machines.
fn circumstances(source: &PageSource) -> String {
    let results = source.results();
    let (entries, boards) = (results.rows.len(), results.boards.len());
    let mut parts = Vec::new();
    parts.extend(
        results.game.as_deref().map(|name| games::find(name).map_or_else(|| plain(name), |info| info.title.into())),
    );
    parts.push(format!("{} on {}", count_text(entries, "entry", "entries"), count_text(boards, "board", "boards")));
    parts.extend(results.limit_ms.map(|limit| format!("at most {} per board", duration_ms(limit))));
    if let Some(directory) = &source.directory {
        let journal = &directory.journal;
        let last = journal.records.iter().filter_map(|record| record.at).max();
        let days: BTreeSet<String> = journal.begun.into_iter().chain(last).map(|date| date.day()).collect();
        parts.extend((!days.is_empty()).then(|| days.into_iter().collect::<Vec<_>>().join(" to ")));
        let machines: BTreeSet<String> = journal.machines.iter().map(machine).collect();
        parts.extend(machines.into_iter().filter(|machine| !machine.trim().is_empty()));
    }
    parts.join(" · ")
}

/// Describes a machine by its processor and its size.
fn machine(machine: &Machine) -> String {
    let Machine { os, arch, model, processors, .. } = machine;
    let name = plain(&model.clone().unwrap_or_else(|| format!("{os} {arch}")));
    let size = processors.map(|processors| count_text(processors, "processor", "processors"));
    size.map_or(name.clone(), |size| format!("{name}, {size}"))
}

/// Lists names, some of them if they are many.
fn listed(names: &[String]) -> String {
    match names {
        [first @ .., _] if first.len() > MOST_NAMED => {
            format!("{} and {} others", names[..MOST_NAMED].join(", "), names.len() - MOST_NAMED)
        }
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::compare::Source;

    fn source(rows: &[(&str, &[&str])]) -> PageSource {
        let mut csv = "entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms\n".to_owned();
        for (entry, runs) in rows {
            for (board, run) in runs.iter().enumerate() {
                let run = match run.split_once('/') {
                    Some((moves, time)) => format!("solved,25,25,{moves},1,{time},10000"),
                    None if *run == "-" => continue,
                    None => format!("{run},,,,,10000000,10000"),
                };
                csv += &format!("{entry},B{board},{run}\n");
            }
        }
        Source { name: "test".into(), results: Results::read_csv("test", csv.as_bytes()).unwrap() }.into()
    }

    fn first_line(rows: &[(&str, &[&str])]) -> String {
        let source = source(rows);
        outcome(source.results(), is_over(&source))
    }

    #[test]
    fn the_first_line_has_the_winner_and_the_margin_that_decides() {
        let line = first_line(&[("a", &["10/900000", "12/1"]), ("b", &["10/1", "15/1"]), ("c", &["90/1", "90/1"])]);
        assert_eq!(line, "a wins with 50 progress and 22 moves, 3 moves fewer than b.");
        let line = first_line(&[("a", &["10/1", "12/1"]), ("b", &["10/1", "timed_out"])]);
        assert_eq!(line, "a wins with 50 progress and 22 moves, 25 progress more than b.");
        let line = first_line(&[("a", &["timed_out"]), ("b", &["could_not_start"])]);
        assert_eq!(line, "a wins with 0 progress and 0 moves, 1 run without a start fewer than b.");
        let line = first_line(&[("a", &["10/1500000"]), ("b", &["10/2750000"])]);
        assert_eq!(line, "a wins with 25 progress and 10 moves, 1.25 s less than b.");
        assert_eq!(first_line(&[("a", &["10/1"])]), "a wins with 25 progress and 10 moves.");
    }

    #[test]
    fn ties_and_unfinished_contests_are_not_called_won() {
        let line = first_line(&[("a", &["10/1"]), ("b", &["10/1"]), ("c", &["11/1"])]);
        assert_eq!(line, "a and b share the first place with 25 progress and 10 moves.");
        let line = first_line(&[("a", &["10/1", "11/1"]), ("b", &["9/1", "-"]), ("c", &["12/1", "11/1"])]);
        assert_eq!(line, "a leads so far with 50 progress and 21 moves, 2 moves fewer than c.");
        assert_eq!(first_line(&[("a", &["judge_error"])]), "No entry has a place yet.");
        let names = |count: usize| (0..count).map(|number| format!("e{number}")).collect::<Vec<_>>();
        assert_eq!(listed(&names(3)), "e0, e1 and e2");
        assert_eq!(listed(&names(9)), "e0, e1, e2, e3, e4 and 4 others");
    }

    #[test]
    fn the_second_line_has_the_size_and_the_limit() {
        let line = circumstances(&source(&[("a", &["10/1", "12/1"]), ("b", &["10/1", "15/1"])]));
        assert_eq!(line, "2 entries on 2 boards · at most 10 s per board");
    }
}
