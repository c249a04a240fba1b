//! The first lines of the page: who won, by how much, and what contest it was.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::source::PageSource;
use super::text::{duration_ms, plain};
use judge_core::code::Code;
use judge_core::games;
use judge_core::plan::RankKey;
use judge_core::ranking::{self, Criterion, Decision, RoundFigures};
use judge_core::relative::{self, Direction};
use judge_core::results::Results;
use judge_core::score::{Metrics, Row, RunCell};
use judge_core::text;
use judge_job::{Machine, count_text};

/// The most entries that are named as first.
const MAX_NAMED: usize = 5;

/// Renders the lines of a source.
pub(super) fn of(source: &PageSource) -> Markup {
    html! {
        p class="headline" { bdi { (outcome(source.results())) } }
        p class="about" { bdi { (circumstances(source)) } }
    }
}

/// Describes who is first and by how much, in sentences. All names in it are shortened.
fn outcome(results: &Results) -> String {
    let rows = &results.rows;
    let name = |row: &Row| plain(&row.entry.name);
    let firsts: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].place == Some(1)).collect();
    let Some(&winner) = firsts.first() else { return no_leader(results) };
    let figures = ranking::figures(rows)[winner].last().copied();
    let round = |number: u32| match results.rounds.iter().find(|head| head.number == number) {
        Some(head) => format!(" in {}", plain(&head.title())),
        None => String::new(),
    };
    if let [_, _, ..] = firsts[..] {
        let verb = if results.over() { "share" } else { "so far share" };
        let names: Vec<String> = firsts.iter().map(|&row| name(&rows[row])).collect();
        let reached = figures.map_or(String::new(), |figures| reached(results, &figures, None));
        let in_round = round(rows[winner].rounds());
        let doubt = doubt(results, &firsts, None);
        return format!("{} {verb} the first place with {reached}{in_round}.{doubt}", listed(&names));
    }
    let verb = if results.over() { "wins" } else { "leads so far" };
    let next = (winner + 1..rows.len()).find(|&row| rows[row].place.is_some());
    let decision = next.and_then(|next| Some((next, ranking::decision(rows, (winner, next), &results.ranking)?)));
    let Some((next, decision)) = decision else {
        let reached = figures.map_or(String::new(), |figures| reached(results, &figures, None));
        return format!("{} {verb} with {reached}{}.", name(&rows[winner]), round(rows[winner].rounds()));
    };
    // With more rounds behind it, the winner is judged by its last one.
    let by_rounds = decision.criterion == Criterion::Rounds;
    let (figures, number) = match figures.filter(|_| by_rounds) {
        Some(figures) => (figures, rows[winner].rounds()),
        None => (decision.figures[0], decision.round),
    };
    let reached = reached(results, &figures, Some(decision.criterion));
    let margin = if by_rounds {
        let ahead = rows[winner].rounds().abs_diff(rows[next].rounds()) as usize;
        format!("{} further", count_text(ahead, "round", "rounds"))
    } else {
        margin(results, &decision)
    };
    let tied = match (decision.round + 1..=rows[winner].rounds()).map(round).next_back() {
        Some(later) if !by_rounds => format!(", after a tie{later}"),
        _ => String::new(),
    };
    let doubt = doubt(results, &[winner, next], Some(&decision));
    let (winner, next) = (name(&rows[winner]), name(&rows[next]));
    format!("{winner} {verb} with {reached}{}, {margin} than {next}{tied}.{doubt}", round(number))
}

/// Describes why no entry is first.
fn no_leader(results: &Results) -> String {
    let inside: Vec<&Row> = results.rows.iter().filter(|row| row.entry.withdrawn.is_none()).collect();
    let competing: Vec<&&Row> = inside.iter().filter(|row| row.entry.competing).collect();
    let last = competing.iter().map(|row| row.rounds()).max().unwrap_or(1);
    match (results.rows.is_empty(), inside.is_empty(), competing.is_empty()) {
        (true, ..) => "There is no entry.".into(),
        (_, true, _) => "Every entry is withdrawn or disqualified.".into(),
        (.., true) => "No entry competes for a place.".into(),
        _ if results.boards.is_empty() => "No board counts, so no entry is ahead.".into(),
        _ if last > 1 => {
            let there = competing.iter().filter(|row| row.rounds() == last);
            let there: Vec<String> = there.map(|row| plain(&row.entry.name)).collect();
            let head = results.rounds.iter().find(|head| head.number == last);
            let round = head.map_or_else(|| format!("round {last}"), |head| plain(&head.title()));
            let verb = if there.len() == 1 { "is" } else { "are" };
            format!("No entry leads yet: {} {verb} in {round} and not judged on all its boards.", listed(&there))
        }
        _ => "No entry has a place yet.".into(),
    }
}

/// Describes the figures that decide, such as `125 tiles home and 393 moves`. The one that decides comes last if it is
/// not among the first.
fn reached(results: &Results, figures: &RoundFigures, decided_by: Option<Criterion>) -> String {
    let Some(&first) = results.ranking.first() else { return "nothing to rank by".into() };
    // As in the published table.
    let moves = (first == RankKey::Progress && results.ranking.contains(&RankKey::Moves)).then_some(RankKey::Moves);
    let mut shown: Vec<Criterion> = [first].into_iter().chain(moves).map(Criterion::Figure).collect();
    if let Some(by) = decided_by.filter(|by| *by != Criterion::Rounds && !shown.contains(by)) {
        shown.push(by);
    }
    let parts: Vec<String> = shown.into_iter().filter_map(|by| figure(results, figures, by)).collect();
    match parts.as_slice() {
        [] => "unknown figures".into(),
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        parts => parts.concat(),
    }
}

/// Formats a figure with its name; `None` if it is unknown.
fn figure(results: &Results, figures: &RoundFigures, by: Criterion) -> Option<String> {
    let labels = &results.headings;
    let counted = |figure: Option<u64>, label: &str| Some(text::counted(figure?, &plain(label)));
    match by {
        Criterion::Rounds => None,
        Criterion::Figure(RankKey::Solved) => {
            Some(format!("{} of {} solved", figures.solved?, count_text(figures.boards, "board", "boards")))
        }
        Criterion::Figure(RankKey::Failed) => Some(count_text(figures.failed, "failed run", "failed runs")),
        Criterion::Figure(RankKey::Unstarted) => {
            Some(count_text(figures.unstarted, "run without a start", "runs without a start"))
        }
        Criterion::Figure(RankKey::Progress) => counted(figures.total.progress, &labels.progress),
        Criterion::Figure(RankKey::Moves) => counted(figures.total.moves, &labels.moves),
        Criterion::Figure(RankKey::TieBreak) => counted(figures.total.tie_break, &labels.tie_break),
        Criterion::Figure(RankKey::Time) => Some(format!("a time of {}", duration_ms(figures.total.time_ms()?))),
        Criterion::Figure(RankKey::Score) => Some(format!("a score of {}", figures.total.points?)),
        Criterion::Figure(RankKey::Relative) => {
            Some(format!("a relative score of {}", relative::text(figures.relative?)))
        }
    }
}

/// Describes the difference that decides, as `44 moves fewer`.
fn margin(results: &Results, decision: &Decision) -> String {
    let [a, b] = decision.figures;
    let labels = &results.headings;
    let apart = |figure: fn(&Metrics) -> Option<u64>| Some(figure(&a.total)?.abs_diff(figure(&b.total)?));
    let counts = |count: fn(&RoundFigures) -> usize| count(&a).abs_diff(count(&b));
    let fewer = |figure: fn(&Metrics) -> Option<u64>, label: &str| {
        Some(format!("{} fewer", text::counted(apart(figure)?, &plain(label))))
    };
    let margin = match decision.criterion {
        Criterion::Rounds => None,
        Criterion::Figure(RankKey::Solved) => a
            .solved
            .zip(b.solved)
            .map(|(a, b)| format!("{} more", count_text(a.abs_diff(b), "solved board", "solved boards"))),
        Criterion::Figure(RankKey::Failed) => {
            Some(format!("{} fewer", count_text(counts(|figures| figures.failed), "failed run", "failed runs")))
        }
        // What never ran took no time.
        Criterion::Figure(RankKey::Unstarted) => {
            let runs = counts(|figures| figures.unstarted);
            Some(format!("{} fewer", count_text(runs, "run without a start", "runs without a start")))
        }
        Criterion::Figure(RankKey::Progress) => {
            apart(|total| total.progress).map(|more| format!("{} more", text::counted(more, &plain(&labels.progress))))
        }
        Criterion::Figure(RankKey::Moves) => fewer(|total| total.moves, &labels.moves),
        Criterion::Figure(RankKey::TieBreak) => fewer(|total| total.tie_break, &labels.tie_break),
        Criterion::Figure(RankKey::Time) => apart(Metrics::time_ms).map(|less| format!("{} less", duration_ms(less))),
        Criterion::Figure(RankKey::Score) => {
            a.total.points.zip(b.total.points).map(|(a, b)| match results.direction() {
                Direction::Up => format!("{} more", a.minus(b)),
                Direction::Down => format!("{} less", b.minus(a)),
            })
        }
        Criterion::Figure(RankKey::Relative) => a.relative.zip(b.relative).map(|(a, b)| {
            let apart = relative::text(a.abs_diff(b));
            if apart == relative::text(0) { "less than 0.0001 more".into() } else { format!("{apart} more") }
        }),
    };
    margin.unwrap_or_else(|| "with more known".into())
}

/// Says in a sentence if suspect times decide between these rows: their sums, or a limit that a suspect run reached.
fn doubt(results: &Results, rows: &[usize], decision: Option<&Decision>) -> String {
    let by_time = match decision {
        Some(decision) => decision.criterion == Criterion::Figure(RankKey::Time),
        None => results.ranking.contains(&RankKey::Time),
    };
    let counts = |cell: &&RunCell| decision.is_none_or(|decision| cell.planned_in(decision.round));
    let suspect = |row: usize| results.rows[row].cells.iter().filter(counts).filter(|cell| cell.suspect);
    let runs: usize = rows.iter().map(|&row| suspect(row).count()).sum();
    let late =
        |row: &usize| suspect(*row).filter(|cell| matches!(cell.code, Some(Code::TimedOut | Code::OutOfCpu))).count();
    // The winner's own lost boards cannot have helped it.
    match (runs, rows.iter().skip(1).map(late).sum::<usize>()) {
        (1.., _) if by_time => {
            let times = if decision.is_some() { "Time decides this" } else { "Their times are equal" };
            format!(" {times}, and {}: other processes interfered.", text::suspect_times(runs))
        }
        (_, late @ 1..) => {
            let runs = count_text(late, "run that reached its limit is", "runs that reached their limits are");
            format!(" Of the entries behind, {runs} suspect: other processes interfered.")
        }
        _ => String::new(),
    }
}

/// Describes the contest in one line: its game, its size, its limit, its dates, its machines.
fn circumstances(source: &PageSource) -> String {
    let results = source.results();
    let (entries, boards) = (results.rows.len(), results.boards.len());
    let mut parts = Vec::new();
    // That the rules are in a program of their own says nothing about the game.
    let game = results.game.as_deref().filter(|name| !games::is_external(name));
    parts.extend(game.map(|name| games::find(name).map_or_else(|| plain(name), |info| info.title.into())));
    parts.push(format!("{} on {}", count_text(entries, "entry", "entries"), count_text(boards, "board", "boards")));
    parts.extend(results.limits_text(duration_ms).map(|limits| format!("at most {limits} per board")));
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
        [first @ .., _] if first.len() > MAX_NAMED => {
            format!("{} and {} others", names[..MAX_NAMED].join(", "), names.len() - MAX_NAMED)
        }
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod product;

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
        outcome(source(rows).results())
    }

    #[test]
    fn names_are_listed_unless_several_others_are_left() {
        let names: Vec<String> = ('a'..='g').map(String::from).collect();
        for (count, text) in
            [(0, ""), (1, "a"), (2, "a and b"), (6, "a, b, c, d, e and f"), (7, "a, b, c, d, e and 2 others")]
        {
            assert_eq!(listed(&names[..count]), text);
        }
    }

    #[test]
    fn the_first_line_has_the_winner_and_the_margin_that_decides() {
        let line = first_line(&[("a", &["10/900000", "12/1"]), ("b", &["10/1", "15/1"]), ("c", &["90/1", "90/1"])]);
        assert_eq!(line, "a wins with 50 progress and 22 moves, 3 moves fewer than b.");
        let line = first_line(&[("a", &["10/1", "12/1"]), ("b", &["10/1", "timed_out"])]);
        assert_eq!(line, "a wins with 50 progress and 22 moves, 25 progress more than b.");
        let line = first_line(&[("a", &["timed_out"]), ("b", &["could_not_start"])]);
        assert_eq!(
            line,
            "a wins with 0 progress, 0 moves and 0 runs without a start, 1 run without a start fewer than b."
        );
        let line = first_line(&[("a", &["10/1500000"]), ("b", &["10/2750000"])]);
        assert_eq!(line, "a wins with 25 progress, 10 moves and a time of 1.5 s, 1.25 s less than b.");
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

    fn line_of(rows: &str) -> String {
        let head =
            "round,round_name,entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms,competing,withdrawn\n";
        let results = Results::read_csv("test", format!("{head}{rows}").as_bytes()).unwrap();
        outcome(&results)
    }

    #[test]
    fn contests_without_a_leader_say_why() {
        let solved = |round: u32, entry: &str, moves: u64, rest: &str| {
            format!("{round},R{round},{entry},B{round},solved,25,25,{moves},1,1000,10000,{rest}\n")
        };
        let missing = |entry: &str| format!("2,R2,{entry},B2,missing,,,,,,,,\n");
        assert_eq!(line_of(""), "There is no entry.");
        let out = solved(1, "a", 9, "yes,ill") + &solved(1, "b", 9, "yes,ill");
        assert_eq!(line_of(&out), "Every entry is withdrawn or disqualified.");
        assert_eq!(line_of(&solved(1, "a", 9, "no,")), "No entry competes for a place.");
        let struck = "round,entry,board,verdict,progress,of,moves,tie_break,limit_ms,struck\n1,a,A,solved,25,25,9,1,9,misprint\n";
        let results = Results::read_csv("test", struck.as_bytes()).unwrap();
        assert_eq!(
            (outcome(&results).as_str(), results.rows[0].place),
            ("No board counts, so no entry is ahead.", None)
        );
        let first = solved(1, "a", 9, "yes,") + &solved(1, "b", 10, "yes,") + &solved(1, "c", 11, "yes,");
        let line = line_of(&(first.clone() + &missing("a") + &missing("b")));
        assert_eq!(line, "No entry leads yet: a and b are in R2 and not judged on all its boards.");
        let line = line_of(&(first.clone() + &missing("a") + &solved(2, "b", 7, "yes,")));
        assert_eq!(line, "b leads so far with 25 progress and 7 moves in R2, 1 round further than c.");
        let line = line_of(&(first.clone() + &solved(2, "a", 7, "yes,") + &solved(2, "b", 7, "yes,")));
        assert_eq!(line, "a wins with 25 progress and 9 moves in R1, 1 move fewer than b, after a tie in R2.");
        let line = line_of(&(first + &solved(2, "a", 9, "yes,") + &solved(2, "b", 7, "yes,")));
        assert_eq!(line, "b wins with 25 progress and 7 moves in R2, 2 moves fewer than a.");
    }

    #[test]
    fn a_first_place_by_suspect_times_says_so() {
        let line = |ants: [(u64, &str); 2], bees: [(u64, &str); 2]| {
            let runs = |entry: &str, runs: [(u64, &str); 2]| {
                ["A", "B"]
                    .into_iter()
                    .zip(runs)
                    .map(|(board, (ms, suspect))| {
                        format!("{entry},{board},solved,25,25,9,0,{ms}000,10000,{suspect},progress time\n")
                    })
                    .collect::<String>()
            };
            let csv = format!(
                "entry,board,verdict,progress,of,moves,tie_break,wall_us,limit_ms,suspect,ranking\n{}{}",
                runs("ant", ants),
                runs("bee", bees)
            );
            outcome(&Results::read_csv("test", csv.as_bytes()).unwrap())
        };
        let wins = "ant wins with 50 progress and a time of 20 ms, 3 ms less than bee.";
        let busy = "other processes interfered.";
        assert_eq!(line([(10, ""), (10, "")], [(10, ""), (13, "")]), wins);
        let one = format!("{wins} Time decides this, and the time of 1 run is suspect: {busy}");
        assert_eq!(line([(10, ""), (10, "")], [(10, ""), (13, "busy")]), one);
        let two = format!("{wins} Time decides this, and the times of 2 runs are suspect: {busy}");
        assert_eq!(line([(10, "busy"), (10, "")], [(10, ""), (13, "busy")]), two);
        let tie = "ant and bee share the first place with 50 progress.";
        assert_eq!(line([(10, ""), (10, "")], [(7, ""), (13, "")]), tie);
        let equal = format!("{tie} Their times are equal, and the time of 1 run is suspect: {busy}");
        assert_eq!(line([(10, ""), (10, "")], [(7, ""), (13, "busy")]), equal);
    }

    #[test]
    fn the_second_line_has_the_limits_of_all_rounds() {
        let csv = "round,entry,board,verdict,progress,of,moves,tie_break,limit_ms\n1,a,A,solved,25,25,9,1,4000\n\
                   2,a,B,solved,25,25,9,1,6000\n";
        let source = Source { name: "test".into(), results: Results::read_csv("test", csv.as_bytes()).unwrap() };
        assert_eq!(circumstances(&source.into()), "1 entry on 2 boards · at most 4 s to 6 s per board");
    }

    #[test]
    fn the_second_line_has_the_size_and_the_limit() {
        let line = circumstances(&source(&[("a", &["10/1", "12/1"]), ("b", &["10/1", "15/1"])]));
        assert_eq!(line, "2 entries on 2 boards · at most 10 s per board");
    }
}
