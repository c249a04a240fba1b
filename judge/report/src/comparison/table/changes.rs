//! Tables of changes from one source to the next: boards that became worse or better, and steps over several sources.

use super::super::sentences;
use super::marked;
use super::scores::solved;
use super::sheet::{MAX_LINES, Remedy, Sheet};
use crate::layout::{Column, Grid};
use judge_core::compare::{BoardLine, Comparison, EntryScore, Pair, PairResult, probability};
use judge_core::text::printable;

/// The most listed boards with a worse result, which people look for first, and the most others.
const MAX_WORSE: usize = 20;
const MAX_OTHERS: usize = 10;

/// Writes the boards on which an entry has become worse, worst first, then the boards on which it has become better,
/// best first, and the boards with other differences.
pub(super) fn boards(comparison: &Comparison, sheet: &mut Sheet) {
    let lines = || comparison.changes.iter().flat_map(|pair| pair.boards.iter().map(move |line| (pair, line)));
    for (title, outcomes, most) in [
        ("worse", &[PairResult::First][..], MAX_WORSE),
        ("better", &[PairResult::Second], MAX_OTHERS),
        ("neither, but not the same", &[PairResult::Tie, PairResult::Missing, PairResult::Unknown], MAX_OTHERS),
    ] {
        let differs = |line: &BoardLine| line.first.cell != line.second.cell;
        let mut lines: Vec<(&Pair, &BoardLine)> =
            lines().filter(|(_, line)| outcomes.contains(&line.outcome) && differs(line)).collect();
        let size = |line: &BoardLine| line.score_difference.unwrap_or_default().abs();
        lines.sort_by(|(_, a), (_, b)| size(b).total_cmp(&size(a)));
        if lines.is_empty() {
            continue;
        }
        let order = match title {
            "worse" => ", worst first",
            "better" => ", best first",
            _ => "",
        };
        sheet.line(&format!("\n{title} on {}{order}", sentences::boards(lines.len())));
        sheet.table(changed(comparison, &lines[..lines.len().min(most)]));
        sheet.more_than(most, lines.len(), "boards", Remedy::Csv);
    }
}

/// The table of changes on boards, with columns only for values that differ between lines.
fn changed(comparison: &Comparison, lines: &[(&Pair, &BoardLine)]) -> Grid {
    let of_lines = |text: &dyn Fn(&Pair, &BoardLine) -> String| -> Vec<String> {
        lines.iter().map(|(pair, line)| text(pair, line)).collect()
    };
    let several =
        |name: fn(&Pair) -> &String| comparison.changes.iter().any(|pair| name(pair) != name(&comparison.changes[0]));
    let mut table = Grid::default();
    if several(|pair| &pair.first.entry) {
        table.push(Column::new("entry", of_lines(&|pair, _| printable(&pair.first.entry))).cut());
    }
    table.push(Column::new("board", of_lines(&|_, line| marked(&line.board, line.reconstruction))).cut());
    if several(|pair| &pair.first.source) || several(|pair| &pair.second.source) {
        table.push(Column::new("from", of_lines(&|pair, _| printable(&pair.first.source))).cut().leaves(2));
        table.push(Column::new("to", of_lines(&|pair, _| printable(&pair.second.source))).cut().leaves(3));
    }
    let cell = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
    table.push(Column::new("before", of_lines(&|_, line| cell(&line.first.cell))).right());
    table.push(Column::new("after", of_lines(&|_, line| cell(&line.second.cell))).right());
    if lines.iter().any(|(_, line)| line.time_ratio.is_some()) {
        let time = |line: &BoardLine| line.time_ratio.map_or(String::new(), |ratio| format!("× {ratio:.2}"));
        table.push(Column::new("time", of_lines(&|_, line| time(line))).right().leaves(0));
    }
    table
}

/// For entries in at least three results, writes the number of solved boards and the score in each result, in order,
/// and between consecutive results the numbers of boards that became better and worse.
pub(super) fn steps(comparison: &Comparison, sheet: &mut Sheet) {
    let mut entries: Vec<(&str, Vec<&Pair>)> = Vec::new();
    for pair in &comparison.changes {
        match entries.iter_mut().find(|(entry, _)| *entry == pair.first.entry) {
            Some((_, pairs)) => pairs.push(pair),
            None => entries.push((&pair.first.entry, vec![pair])),
        }
    }
    entries.retain(|(_, pairs)| pairs.len() > 1);
    for (entry, pairs) in entries.iter().take(MAX_LINES) {
        sheet.line(&format!("\n{} step by step", printable(entry)));
        let sources: Vec<&String> =
            [&pairs[0].first.source].into_iter().chain(pairs.iter().map(|pair| &pair.second.source)).collect();
        let scores = |source: &String| {
            let scores = comparison.scores.iter().find(|scores| scores.source == *source)?;
            scores.entries.iter().find(|score| score.entry == *entry)
        };
        let of_score = |text: fn(&EntryScore) -> String| -> Vec<String> {
            sources.iter().map(|source| scores(source).map_or("-".into(), text)).collect()
        };
        let of_step = |text: fn(&Pair) -> String| -> Vec<String> {
            [String::new()].into_iter().chain(pairs.iter().map(|pair| text(pair))).collect()
        };
        let mut table = Grid::new(vec![Column::new("results", sources.iter().map(|source| printable(source))).cut()]);
        if sources.iter().filter_map(|source| scores(source)).any(|score| score.solved.is_some()) {
            table.push(Column::new("solved", of_score(solved)).right());
        }
        for column in [
            Column::new("relative score", of_score(sentences::score)).right().leaves(2),
            Column::new("better", of_step(|pair| pair.second_better.to_string())).right(),
            Column::new("worse", of_step(|pair| pair.first_better.to_string())).right(),
            Column::new("equal", of_step(|pair| pair.ties.to_string())).right().leaves(1),
            Column::new("p", of_step(|pair| pair.sign_test.corrected.map_or("-".into(), probability)))
                .right()
                .leaves(0),
        ] {
            table.push(column);
        }
        sheet.table(table);
    }
    sheet.more(entries.len(), "entries", Remedy::Entries);
}
