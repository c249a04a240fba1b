//! The first lines of the page: the winner, the margin, and the contest.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::source::PageSource;
use super::text::{duration_ms, plain};
use judge_core::compare::conclusion::Conclusion;
use judge_core::games;
use judge_job::{Machine, count_text};

/// Renders the lines of a source, with its answer if `answers` is set.
pub(super) fn of(source: &PageSource, answers: bool) -> Markup {
    html! {
        @if answers { p class="headline" { bdi { (Conclusion::from_results(source.results()).text) } } }
        p class="about" { bdi { (circumstances(source)) } }
    }
}

/// Describes the contest in one line: its game, its size, its limit, its dates, its machines.
fn circumstances(source: &PageSource) -> String {
    let results = source.results();
    let (entries, boards) = (results.rows.len(), results.boards.len());
    let mut parts = Vec::new();
    // A referee program is not the name of a game.
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

#[cfg(test)]
mod tests {
    use super::*;
    use judge_core::compare::Source;
    use judge_core::results::Results;

    /// The second line for one entry on boards with these limits in milliseconds.
    fn line(limits: &[u32]) -> String {
        let run = |(number, limit): (usize, &u32)| format!("{number},a,B{number},solved,25,25,9,1,{limit}\n");
        let runs: String = limits.iter().enumerate().map(|(index, limit)| run((index + 1, limit))).collect();
        let csv = format!("round,entry,board,verdict,progress,full,moves,tie_break,limit_ms\n{runs}");
        let results = Results::read_csv("test", csv.as_bytes()).unwrap();
        circumstances(&Source { name: "test".into(), results }.into())
    }

    #[test]
    fn the_second_line_has_the_size_and_the_limits_of_all_rounds() {
        assert_eq!(line(&[10_000]), "1 entry on 1 board · at most 10 s per board");
        assert_eq!(line(&[4000, 6000]), "1 entry on 2 boards · at most 4 s to 6 s per board");
    }
}
