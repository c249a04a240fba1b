//! Comparisons as tables and sentences: pairs, changes between sources, stability of the rankings.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use super::super::View;
use super::{label, sentences};
use crate::layout::{Column, Grid, folded};
use judge_core::compare::statistics::chance_of_significance;
use judge_core::compare::{
    AcrossLimits, BoardLine, ComparedBoard, Comparison, EntryScore, Outcome, Pair, Places, Repeats, SIGNIFICANT,
    SourceInfo, Stability, Test, probability,
};
use judge_core::text::printable;

/// The most boards with a column each.
const MOST_BOARDS: usize = 16;
/// The most lines per table.
const MOST_LINES: usize = 60;
/// The most pairs with a sentence each at the beginning.
const FEW_PAIRS: usize = 3;
/// The number of the columns of boards that leave a table that is too wide.
const BOARDS: u8 = 0;
/// The most boards that a warning names.
const MOST_NAMED: usize = 16;
/// The number of tests from which the number of small p by chance is shown.
const MANY_TESTS: usize = 20;
/// The sign for a value equal to the one that it is compared with.
const SAME: &str = "·";

pub(super) fn write(comparison: &Comparison, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut text = Vec::new();
    write_all(comparison, view.width, &mut text)?;
    // Tables fit already; everything else is folded.
    let is_table = |line: &str| line.starts_with(['┌', '│', '╞', '└']);
    for line in String::from_utf8_lossy(&text).lines() {
        writeln!(out, "{}", if is_table(line) { line.to_owned() } else { folded(line, view.width) })?;
    }
    Ok(())
}

/// Writes the verdict, then what became worse and better, then the details.
fn write_all(comparison: &Comparison, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    verdict(comparison, out)?;
    changes(comparison, width, out)?;
    steps(comparison, width, out)?;
    pairs(comparison, width, out)?;
    if !comparison.agreement.is_empty() {
        writeln!(out, "\nagreement of the rankings")?;
    }
    for agreement in &comparison.agreement {
        writeln!(out, "{}", sentences::of_agreement(agreement))?;
    }
    for difference in &comparison.agreement_differences {
        writeln!(out, "{}", sentences::of_agreement_difference(difference))?;
    }
    for source in &comparison.sources {
        scores(comparison, source, width, out)?;
    }
    for repeats in &comparison.repeats {
        writeln!(out, "\nvariation of the score over repeats in {}", printable(&repeats.source))?;
        variation(repeats, width, out)?;
    }
    for stability in &comparison.stability {
        if !stability.boards.is_empty() {
            writeln!(out, "\nplaces in {} without each board", printable(&stability.source))?;
            places_without(stability, width, out)?;
        }
        for line in sentences::of_stability(stability) {
            writeln!(out, "{line}")?;
        }
    }
    limit_use(comparison, out)?;
    if let Some(across) = &comparison.across_limits {
        across_limits(across, width, out)?;
    }
    legend(comparison, out)
}

/// Writes the result in sentences: of each entry that changed, or of each pair if they are few, or else of all entries.
/// The sources and reasons for doubt follow.
fn verdict(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for pair in comparison.changes.iter().take(MOST_LINES) {
        writeln!(out, "{}", sentences::of_change(comparison, pair))?;
    }
    more(comparison.changes.len(), "entries", Remedy::Entries, out)?;
    if few_pairs(comparison) {
        for pair in &comparison.pairs {
            writeln!(out, "{}", sentences::of_pair(comparison, pair))?;
        }
    } else if comparison.changes.is_empty() {
        for source in &comparison.sources {
            let scores = comparison.scores.iter().find(|scores| scores.source == source.name);
            if let Some(groups) = scores.and_then(|scores| sentences::of_groups(scores, source.boards)) {
                writeln!(out, "{}: {groups}", printable(&source.name))?;
            }
        }
    }
    writeln!(out)?;
    for source in &comparison.sources {
        writeln!(out, "{}", of_source(source))?;
    }
    for warning in &comparison.warnings {
        writeln!(out, "note: {}", printable(&warning.short(MOST_NAMED)))?;
    }
    Ok(())
}

/// Tests whether the pairs are few enough to begin with a sentence for each.
fn few_pairs(comparison: &Comparison) -> bool {
    comparison.pairs.len() <= FEW_PAIRS
}

/// Formats `runs/1: Loyd's Dilemma, 10m per board, 5 boards, 5 entries`.
fn of_source(source: &SourceInfo) -> String {
    let contest = source.contest.as_deref().map(|contest| format!(" {},", printable(contest))).unwrap_or_default();
    let limit = source.limit_ms.map(|limit| format!(" {} per board,", time(limit))).unwrap_or_default();
    let entries = if source.entries.len() == 1 { "entry" } else { "entries" };
    let (name, boards) = (printable(&source.name), sentences::boards(source.boards));
    format!("{name}:{contest}{limit} {boards}, {} {entries}", source.entries.len())
}

fn pairs(comparison: &Comparison, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    if comparison.pairs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nboard by board")?;
    let (columns, equal) = columns(comparison);
    let of_pairs = |text: &dyn Fn(&Pair) -> String| shown(comparison).map(text).collect::<Vec<String>>();
    let mut table = Grid::new(vec![
        Column::new("first", of_pairs(&|pair| label(comparison, &pair.first))).cut(),
        Column::new("second", of_pairs(&|pair| label(comparison, &pair.second))).cut(),
    ]);
    for column in &columns {
        let line =
            |pair: &Pair| pair.boards.iter().find(|line| line.board == column.board).map_or(String::new(), difference);
        table.push(Column::new(heading(column), of_pairs(&line)).right().leaves(BOARDS));
    }
    let better = |pair: &Pair| format!("{}-{}-{}", pair.first_better, pair.ties, pair.second_better);
    let moves = |pair: &Pair| {
        let on =
            if pair.moves.boards == pair.compared() { String::new() } else { format!(" on {}", pair.moves.boards) };
        pair.moves.mean.map_or("-".into(), |mean| format!("{:+.1}{on}", rounded(mean, 10.0)))
    };
    let score = |pair: &Pair| pair.score.mean.map_or("-".into(), |mean| format!("{:+.3}", rounded(mean, 1000.0)));
    let p = |test: &Test| test.corrected.map_or("-".into(), probability);
    table.push(Column::new("better", of_pairs(&better)).right());
    if comparison.judged_by.is_progress() {
        table.push(Column::new("moves", of_pairs(&moves)).right().leaves(BOARDS + 2));
    }
    table.push(Column::new("score", of_pairs(&score)).right().leaves(BOARDS + 3));
    table.push(Column::new("p", of_pairs(&|pair| p(&pair.sign_test))).right());
    table.push(Column::new("p of score", of_pairs(&|pair| p(&pair.flips))).right().leaves(BOARDS + 1));
    fitted(table, width, out)?;
    if !equal.is_empty() {
        writeln!(out, "no difference on: {}", equal.join(", "))?;
    }
    if !few_pairs(comparison) {
        for pair in shown(comparison) {
            writeln!(out, "{}", sentences::of_pair(comparison, pair))?;
        }
    }
    more(comparison.pairs.len(), "pairs", Remedy::Entries, out)
}

/// Returns the pairs in the table.
fn shown(comparison: &Comparison) -> impl Iterator<Item = &Pair> {
    comparison.pairs.iter().take(MOST_LINES)
}

/// Returns the boards with a column, and the names of those on which no pair in the table differs. Both are empty if
/// the boards are too many.
fn columns(comparison: &Comparison) -> (Vec<&ComparedBoard>, Vec<String>) {
    let lines = || shown(comparison).flat_map(|pair| &pair.boards);
    let boards: BTreeSet<&str> = lines().map(|line| line.board.as_str()).collect();
    if boards.len() > MOST_BOARDS {
        return Default::default();
    }
    let differs = |line: &&BoardLine| line.outcome != Outcome::Tie;
    let differing: BTreeSet<&str> = lines().filter(differs).map(|line| line.board.as_str()).collect();
    let boards = comparison.boards.iter().filter(|board| boards.contains(board.board.as_str()));
    let (columns, equal): (Vec<_>, Vec<_>) = boards.partition(|board| differing.contains(board.board.as_str()));
    (columns, equal.into_iter().map(heading).collect())
}

/// Returns a board's cell for a pair: the difference in moves, such as `+8`, or else the reason for the outcome.
fn difference(line: &BoardLine) -> String {
    match (line.outcome, line.moves_difference) {
        (Outcome::Missing, _) => "-".into(),
        (Outcome::Unknown, _) => "?".into(),
        (Outcome::Tie, _) => "=".into(),
        (_, Some(difference)) => format!("{difference:+}"),
        (Outcome::First, None) => "first".into(),
        (Outcome::Second, None) => "second".into(),
    }
}

/// Writes the boards on which an entry has become worse, the worst first, then those on which it has become better, the
/// best first, and those with other differences.
fn changes(comparison: &Comparison, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let lines = || comparison.changes.iter().flat_map(|pair| pair.boards.iter().map(move |line| (pair, line)));
    for (title, outcomes) in [
        ("worse", &[Outcome::First][..]),
        ("better", &[Outcome::Second]),
        ("neither, but not the same", &[Outcome::Tie, Outcome::Missing, Outcome::Unknown]),
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
        writeln!(out, "\n{title} on {}{order}", sentences::boards(lines.len()))?;
        fitted(changed(comparison, &lines[..lines.len().min(MOST_LINES)]), width, out)?;
        more(lines.len(), "boards", Remedy::Csv, out)?;
    }
    Ok(())
}

/// The table of changes on boards, with columns only for what is not the same in all lines.
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
    table.push(Column::new("board", of_lines(&|_, line| marked(&line.board, line.reconstruction))));
    if several(|pair| &pair.first.source) || several(|pair| &pair.second.source) {
        table.push(Column::new("from", of_lines(&|pair, _| printable(&pair.first.source))));
        table.push(Column::new("to", of_lines(&|pair, _| printable(&pair.second.source))));
    }
    let cell = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
    table.push(Column::new("before", of_lines(&|_, line| cell(&line.first.cell))).right());
    table.push(Column::new("after", of_lines(&|_, line| cell(&line.second.cell))).right());
    if lines.iter().any(|(_, line)| line.moves_difference.is_some_and(|difference| difference != 0)) {
        let moves =
            |line: &BoardLine| line.moves_difference.map_or(String::new(), |difference| format!("{difference:+}"));
        let head = printable(&comparison.headings.moves);
        table.push(Column::new(head, of_lines(&|_, line| moves(line))).right());
    }
    if lines.iter().any(|(_, line)| line.time_ratio.is_some()) {
        let time = |line: &BoardLine| line.time_ratio.map_or(String::new(), |ratio| format!("× {ratio:.2}"));
        table.push(Column::new("time", of_lines(&|_, line| time(line))).right().leaves(0));
    }
    table
}

/// Writes, for entries in three results or more, the boards solved and the score in each in their order, and between
/// two of them the boards that became better and worse.
fn steps(comparison: &Comparison, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let mut entries: Vec<(&str, Vec<&Pair>)> = Vec::new();
    for pair in &comparison.changes {
        match entries.iter_mut().find(|(entry, _)| *entry == pair.first.entry) {
            Some((_, pairs)) => pairs.push(pair),
            None => entries.push((&pair.first.entry, vec![pair])),
        }
    }
    entries.retain(|(_, pairs)| pairs.len() > 1);
    for (entry, pairs) in entries.iter().take(MOST_LINES) {
        writeln!(out, "\n{} step by step", printable(entry))?;
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
        let table = Grid::new(vec![
            Column::new("results", sources.iter().map(|source| printable(source))).cut(),
            Column::new("solved", of_score(|score| format!("{} of {}", score.solved, score.boards))).right(),
            Column::new("score", of_score(|score| format!("{:.2}", score.score))).right().leaves(2),
            Column::new("better", of_step(|pair| pair.second_better.to_string())).right(),
            Column::new("worse", of_step(|pair| pair.first_better.to_string())).right(),
            Column::new("equal", of_step(|pair| pair.ties.to_string())).right().leaves(1),
            Column::new("p", of_step(|pair| pair.sign_test.corrected.map_or("-".into(), probability)))
                .right()
                .leaves(0),
        ]);
        fitted(table, width, out)?;
    }
    more(entries.len(), "entries", Remedy::Entries, out)
}

/// Writes a table that fits.
fn fitted(mut table: Grid, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let gone: Vec<String> = table.fit(width).into_iter().map(|(_, head)| head).collect();
    writeln!(out, "{table}")?;
    if gone.is_empty() {
        return Ok(());
    }
    writeln!(out, "no room for: {}; --format csv or json has everything", gone.join(", "))
}

/// Writes the scores of a source's entries, with their places and the places over resampled boards.
fn scores(comparison: &Comparison, source: &SourceInfo, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let Some(scores) = comparison.scores.iter().find(|scores| scores.source == source.name) else { return Ok(()) };
    let stability = comparison.stability.iter().find(|stability| stability.source == source.name);
    let resampled = stability.is_some_and(|stability| stability.resamples > 0);
    writeln!(out, "\nscores{} in {}", if resampled { " and places" } else { "" }, printable(&source.name))?;
    let placed: &[_] = stability.map_or(&[], |stability| &stability.entries);
    // In the order of the places; entries without one by their score.
    let place_of = |entry: &str| placed.iter().position(|places| places.entry == entry);
    let mut entries: Vec<&EntryScore> = scores.entries.iter().collect();
    entries.sort_by_key(|entry| place_of(&entry.entry).unwrap_or(usize::MAX));
    entries.truncate(MOST_LINES);
    let of_entries = |text: &dyn Fn(&EntryScore) -> String| entries.iter().map(|entry| text(entry)).collect::<Vec<_>>();
    let par2 =
        |entry: &EntryScore| entry.par2_us.map_or("-".into(), |us| format!("{} ms", us.saturating_add(500) / 1000));
    let mut table = Grid::new(vec![
        Column::new("entry", of_entries(&|entry| printable(&entry.entry))).cut(),
        Column::new("solved", of_entries(&|entry| format!("{} of {}", entry.solved, entry.boards))).right(),
        Column::new("score", of_entries(&|entry| format!("{:.2}", entry.score))).right(),
        Column::new("PAR2", of_entries(&par2)).right().leaves(1),
    ]);
    if resampled {
        let places = |entry: &EntryScore| place_of(&entry.entry).map(|at| &placed[at]);
        let range = |entry: &EntryScore| places(entry).and_then(|places| places.resampled.as_ref());
        let above = |entry: &EntryScore| {
            let next = place_of(&entry.entry).and_then(|at| placed.get(at + 1));
            let share = next.zip(range(entry).and_then(|range| range.above_next));
            share.map_or(String::new(), |(next, share): (&Places, f64)| {
                format!("{} in {:.0} %", printable(&next.entry), share * 100.0)
            })
        };
        let place = |entry: &EntryScore| places(entry).map_or("-".into(), |places| places.place.to_string());
        let resampled =
            |entry: &EntryScore| range(entry).map_or("-".into(), |range| format!("{} to {}", range.best, range.worst));
        table.push(Column::new("place", of_entries(&place)).right());
        table.push(Column::new("resampled", of_entries(&resampled)).right().leaves(2));
        table.push(Column::new("above the next", of_entries(&above)).leaves(0));
    }
    fitted(table, width, out)?;
    more(scores.entries.len(), "entries", Remedy::Entries, out)?;
    match sentences::of_groups(scores, source.boards) {
        Some(line) => writeln!(out, "{line}"),
        None => Ok(()),
    }
}

fn variation(repeats: &Repeats, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let entries = || repeats.entries.iter().take(MOST_LINES);
    let deviation = |figure: Option<f64>| figure.map_or("-".into(), |figure| format!("± {figure:.3}"));
    let count = |count: usize| count.to_string();
    let table = Grid::new(vec![
        Column::new("entry", entries().map(|entry| printable(&entry.entry))).cut(),
        Column::new("boards", entries().map(|entry| count(entry.boards))).right().leaves(1),
        Column::new("runs", entries().map(|entry| count(entry.runs))).right().leaves(2),
        Column::new("solved in some runs only", entries().map(|entry| count(entry.mixed))).right().leaves(0),
        Column::new("within boards", entries().map(|entry| deviation(entry.within))).right(),
        Column::new("between boards", entries().map(|entry| deviation(entry.between))).right().leaves(3),
    ]);
    fitted(table, width, out)?;
    more(repeats.entries.len(), "entries", Remedy::Entries, out)
}

fn places_without(stability: &Stability, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let entries = || stability.entries.iter().take(MOST_LINES);
    let text = |place: Option<usize>, usual: usize| match place {
        Some(place) if place == usual => SAME.into(),
        Some(place) => place.to_string(),
        None => "?".into(),
    };
    let mut table = Grid::new(vec![
        Column::new("entry", entries().map(|entry| printable(&entry.entry))).cut(),
        Column::new("all", entries().map(|entry| entry.place.to_string())).right(),
    ]);
    if stability.boards.len() <= MOST_BOARDS {
        for (index, board) in stability.boards.iter().enumerate() {
            let cells = entries().map(|entry| text(entry.without[index], entry.place));
            table.push(Column::new(format!("- {}", printable(board)), cells).right().leaves(BOARDS));
        }
    }
    let places =
        |entry: &Places| -> Vec<usize> { entry.without.iter().flatten().copied().chain([entry.place]).collect() };
    let best = |entry: &Places| text(places(entry).into_iter().min(), entry.place);
    let worst = |entry: &Places| text(places(entry).into_iter().max(), entry.place);
    table.push(Column::new("best", entries().map(best)).right());
    table.push(Column::new("worst", entries().map(worst)).right());
    if !stability.entries.is_empty() {
        fitted(table, width, out)?;
    }
    more(stability.entries.len(), "entries", Remedy::Entries, out)
}

fn limit_use(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for limit_use in &comparison.limit_use {
        let limit = limit_use.limit_ms.map(|limit| format!(" at {}", time(limit))).unwrap_or_default();
        writeln!(out, "\n{}{limit}, at half and at double the limit", printable(&limit_use.source))?;
        for line in sentences::of_limit_use(limit_use, comparison.across_limits.is_some()) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn across_limits(across: &AcrossLimits, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nplaces at each limit, for the entries and the {} that all results have",
        sentences::boards(across.boards.len())
    )?;
    let entries = || across.entries.iter().take(MOST_LINES);
    let mut table = Grid::new(vec![Column::new("entry", entries().map(|entry| printable(&entry.entry))).cut()]);
    for (index, source) in across.sources.iter().enumerate() {
        let head = format!("{} ({})", time(source.limit_ms), printable(&source.source));
        table.push(Column::new(head, entries().map(|entry| entry.places[index].to_string())).right());
    }
    fitted(table, width, out)?;
    more(across.entries.len(), "entries", Remedy::Entries, out)?;
    writeln!(out, "{}", sentences::of_limits(across))
}

fn legend(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let (moves, counted) = (printable(&comparison.headings.moves), comparison.judged_by.is_progress());
    writeln!(out)?;
    if columns(comparison).0.is_empty() {
        if !comparison.pairs.is_empty() {
            writeln!(out, "--format csv shows the boards")?;
        }
    } else if counted {
        writeln!(out, "a board's column: {moves} of the second minus those of the first, if both solved it;")?;
        writeln!(out, "  first, second: the better one otherwise; = neither; - missing; ? unknown")?;
    } else {
        writeln!(out, "a board's column: first, second: the better one; = neither; - missing; ? unknown")?;
    }
    if !comparison.pairs.is_empty() {
        writeln!(out, "better: boards on which the first is better - neither - the second")?;
        if counted {
            writeln!(
                out,
                "moves: mean {moves} of the second minus those of the first, over the boards that both solved"
            )?;
        }
    }
    writeln!(
        out,
        "score: the relative score, {}; over all boards: their sum for an entry, the mean of the second minus the first for \
         a pair",
        printable(&comparison.score_rule())
    )?;
    if !comparison.scores.is_empty() {
        writeln!(out, "PAR2: mean time of all boards; one that is not solved counts twice the limit")?;
    }
    let resampling = comparison.resampling;
    writeln!(out, "p: sign test, two-sided, ties left out; p of score: sign-flip test of the score, two-sided")?;
    if comparison.pairs.iter().any(|pair| pair.family > 1) {
        writeln!(out, "  both corrected by Holm's method for all pairs here of the same results")?;
    }
    if !comparison.repeats.is_empty() {
        writeln!(
            out,
            "repeats: pairs and scores use the median run of each board, places the first, as the table does;"
        )?;
        writeln!(out, "  ±: standard deviation of the score; resampled places draw one of the repeats of each board")?;
    }
    if comparison.stability.iter().any(|stability| stability.resamples > 0) {
        writeln!(
            out,
            "resampled: places in 95 % of {} rankings of as many boards, drawn with replacement, seed {}",
            resampling.resamples, resampling.seed
        )?;
    }
    let pairs = || comparison.pairs.iter().chain(&comparison.changes);
    if pairs().any(|pair| pair.score.interval.is_some()) {
        writeln!(
            out,
            "interval: for the median of the differences, if these boards are a random sample; each pair alone"
        )?;
    }
    if !comparison.agreement.is_empty() {
        writeln!(out, "tau-b: 1 same order, 0 unrelated, -1 reversed")?;
    }
    chance(pairs(), out)?;
    if comparison.boards.iter().any(|board| board.reconstruction) {
        writeln!(out, "*: a reconstruction, not the board of the original contest")?;
    }
    Ok(())
}

/// Writes how many sign tests would have a small p by chance alone, before the correction.
fn chance<'a>(pairs: impl Iterator<Item = &'a Pair>, out: &mut dyn Write) -> io::Result<()> {
    let tested: Vec<&Pair> = pairs.filter(|pair| pair.sign_test.p.is_some()).collect();
    if tested.len() < MANY_TESTS {
        return Ok(());
    }
    let below = tested.iter().filter(|pair| pair.sign_test.p.is_some_and(|p| p < SIGNIFICANT)).count();
    let expected: f64 = tested.iter().map(|pair| chance_of_significance(pair.first_better + pair.second_better)).sum();
    writeln!(
        out,
        "of {} sign tests, {below} have p below {SIGNIFICANT} before the correction; if no two entries differed, {expected:.1} \
         would be expected",
        tested.len()
    )
}

/// Where the lines are that a table leaves out.
#[derive(Clone, Copy)]
enum Remedy {
    /// Fewer entries have fewer lines.
    Entries,
    /// Another format has all.
    Csv,
}

/// Writes the number of lines left out.
fn more(all: usize, what: &str, remedy: Remedy, out: &mut dyn Write) -> io::Result<()> {
    let Some(more) = all.checked_sub(MOST_LINES).filter(|&more| more > 0) else { return Ok(()) };
    let choose = match remedy {
        Remedy::Entries => "choose with --entries, or see",
        Remedy::Csv => "see",
    };
    writeln!(out, "and {more} more {what}: {choose} --format csv or json")
}

/// The heading of a board's column, from round 2 on with the round as in a table in CSV.
fn heading(board: &ComparedBoard) -> String {
    let name = marked(&board.board, board.reconstruction);
    if board.round > 1 { format!("{}/{name}", board.round) } else { name }
}

fn marked(board: &str, reconstruction: bool) -> String {
    let mark = if reconstruction { "*" } else { "" };
    format!("{}{mark}", printable(board))
}

/// Rounds to a part of 1, without the sign of a zero.
fn rounded(figure: f64, part: f64) -> f64 {
    (figure * part).round() / part + 0.0
}

fn time(limit_ms: u64) -> String {
    humantime::format_duration(Duration::from_millis(limit_ms)).to_string()
}
