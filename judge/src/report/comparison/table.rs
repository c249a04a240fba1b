//! Comparisons as tables and sentences: pairs, changes between sources, stability of the rankings.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{Cell as Field, CellAlignment, ContentArrangement, Table, presets};

use super::{label, sentences};
use judge_core::compare::{AcrossLimits, BoardLine, ComparedBoard, Comparison, Outcome, Pair, SourceInfo, Stability};
use judge_core::text::printable;

/// The most boards with a column each.
const MOST_BOARDS: usize = 16;
/// The most lines per table.
const MOST_LINES: usize = 60;
/// The number of boards below which a bootstrap interval covers the true mean less often than its confidence.
const FEW_BOARDS: usize = 10;
/// The sign for a value equal to the one that it is compared with.
const SAME: &str = "·";

pub(super) fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for source in &comparison.sources {
        writeln!(out, "{}", of_source(source))?;
    }
    for warning in &comparison.warnings {
        writeln!(out, "note: {}", printable(warning))?;
    }
    pairs(comparison, out)?;
    changes(comparison, out)?;
    if !comparison.agreement.is_empty() {
        writeln!(out, "\nagreement of the rankings")?;
    }
    for agreement in &comparison.agreement {
        writeln!(out, "{}", sentences::of_agreement(agreement))?;
    }
    for stability in &comparison.stability {
        writeln!(out, "\nplaces in {} without each board", printable(&stability.source))?;
        places_without(stability, out)?;
        for line in sentences::of_stability(stability) {
            writeln!(out, "{line}")?;
        }
    }
    limit_use(comparison, out)?;
    if let Some(across) = &comparison.across_limits {
        across_limits(across, out)?;
    }
    legend(comparison, out)
}

/// Formats `runs/1: Loyd's Dilemma, 10m per board, 5 boards, 5 entries`.
fn of_source(source: &SourceInfo) -> String {
    let contest = source.contest.as_deref().map(|contest| format!(" {},", printable(contest))).unwrap_or_default();
    let limit = source.limit_ms.map(|limit| format!(" {} per board,", time(limit))).unwrap_or_default();
    let entries = if source.entries.len() == 1 { "entry" } else { "entries" };
    let (name, boards) = (printable(&source.name), sentences::boards(source.boards));
    format!("{name}:{contest}{limit} {boards}, {} {entries}", source.entries.len())
}

fn pairs(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    if comparison.pairs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nboard by board")?;
    let columns = columns(comparison);
    let mut table = table();
    let head = ["first", "second"].into_iter().map(Field::new);
    let boards = columns.iter().map(|column| Field::new(marked(&column.board, column.reconstruction)));
    table.set_header(head.chain(boards).chain([Field::new("better"), Field::new("mean"), Field::new("p")]));
    for pair in shown(comparison) {
        let mut fields = [&pair.first, &pair.second].map(|entry| Field::new(label(comparison, entry))).to_vec();
        fields.extend(columns.iter().map(|column| {
            let line = pair.boards.iter().find(|line| line.board == column.board);
            right(line.map_or(String::new(), difference))
        }));
        fields.push(right(format!("{}-{}-{}", pair.first_better, pair.ties, pair.second_better)));
        fields.push(right(pair.mean_difference.map_or("-".into(), |mean| format!("{:+.1}", rounded(mean)))));
        fields.push(right(pair.sign_test_p.map_or("-".into(), judge_core::compare::probability)));
        table.add_row(fields);
    }
    writeln!(out, "{table}")?;
    for pair in shown(comparison) {
        writeln!(out, "{}", sentences::of_pair(comparison, pair))?;
    }
    more(comparison.pairs.len(), "pairs", out)
}

/// Returns the pairs in the table.
fn shown(comparison: &Comparison) -> impl Iterator<Item = &Pair> {
    comparison.pairs.iter().take(MOST_LINES)
}

/// Returns the boards with a column: those of the pairs in the table, or none if they are too many.
fn columns(comparison: &Comparison) -> Vec<&ComparedBoard> {
    let shown: BTreeSet<&str> =
        shown(comparison).flat_map(|pair| &pair.boards).map(|line| line.board.as_str()).collect();
    if shown.len() > MOST_BOARDS {
        return Vec::new();
    }
    comparison.boards.iter().filter(|board| shown.contains(board.board.as_str())).collect()
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

fn changes(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    if comparison.changes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nthe same entry in two sets of results")?;
    let lines: Vec<(&Pair, &BoardLine)> =
        comparison.changes.iter().flat_map(|pair| pair.boards.iter().map(move |line| (pair, line))).collect();
    let mut table = table();
    let moves = printable(&comparison.headings.moves);
    table.set_header(["entry", "board", "from", "to", "before", "after", &moves, "time"]);
    for (pair, line) in lines.iter().take(MOST_LINES) {
        let cell = |text: &Option<String>| right(text.clone().unwrap_or_else(|| "-".into()));
        let names =
            [&pair.first.entry, &marked(&line.board, line.reconstruction), &pair.first.source, &pair.second.source];
        let mut fields: Vec<Field> = names.map(|name| Field::new(printable(name))).into();
        let same = line.first.cell == line.second.cell;
        fields.push(cell(&line.first.cell));
        fields.push(if same { right(SAME.into()) } else { cell(&line.second.cell) });
        fields.push(right(match line.moves_difference {
            Some(0) => SAME.into(),
            Some(difference) => format!("{difference:+}"),
            None => String::new(),
        }));
        fields.push(right(line.time_ratio.map_or(String::new(), |ratio| format!("× {ratio:.2}"))));
        table.add_row(fields);
    }
    if !lines.is_empty() {
        writeln!(out, "{table}")?;
    }
    more(lines.len(), "boards", out)?;
    for pair in comparison.changes.iter().take(MOST_LINES) {
        writeln!(out, "{}", sentences::of_change(comparison, pair))?;
    }
    more(comparison.changes.len(), "entries", out)
}

fn places_without(stability: &Stability, out: &mut dyn Write) -> io::Result<()> {
    let columns = stability.boards.len() <= MOST_BOARDS;
    let mut table = table();
    let mut head: Vec<String> = ["entry", "all"].map(String::from).into();
    if columns {
        head.extend(stability.boards.iter().map(|board| format!("- {}", printable(board))));
    }
    head.extend(["best", "worst"].map(String::from));
    table.set_header(head);
    let text = |place: Option<usize>, usual: usize| match place {
        Some(place) if place == usual => SAME.into(),
        Some(place) => place.to_string(),
        None => "?".into(),
    };
    for entry in stability.entries.iter().take(MOST_LINES) {
        let mut fields = vec![Field::new(printable(&entry.entry)), right(entry.place.to_string())];
        if columns {
            fields.extend(entry.without.iter().map(|&place| right(text(place, entry.place))));
        }
        let places = || entry.without.iter().flatten().copied().chain([entry.place]);
        fields.extend([places().min(), places().max()].map(|place| right(text(place, entry.place))));
        table.add_row(fields);
    }
    if !stability.entries.is_empty() {
        writeln!(out, "{table}")?;
    }
    more(stability.entries.len(), "entries", out)
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

fn across_limits(across: &AcrossLimits, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nplaces at each limit, for the entries and the {} that all results have",
        sentences::boards(across.boards.len())
    )?;
    let mut table = table();
    let sources =
        across.sources.iter().map(|source| format!("{} ({})", time(source.limit_ms), printable(&source.source)));
    table.set_header([String::from("entry")].into_iter().chain(sources));
    for entry in across.entries.iter().take(MOST_LINES) {
        let places = entry.places.iter().map(|place| right(place.to_string()));
        table.add_row([Field::new(printable(&entry.entry))].into_iter().chain(places));
    }
    writeln!(out, "{table}")?;
    more(across.entries.len(), "entries", out)?;
    writeln!(out, "{}", sentences::of_limits(across))
}

fn legend(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let moves = printable(&comparison.headings.moves);
    writeln!(out)?;
    if columns(comparison).is_empty() {
        writeln!(out, "--format csv shows the boards")?;
    } else {
        writeln!(out, "a board's column: {moves} of the second minus those of the first, if both solved it;")?;
        writeln!(out, "  first, second: the better one otherwise; = neither; - missing; ? unknown")?;
    }
    if !comparison.pairs.is_empty() {
        writeln!(out, "better: boards on which the first is better - neither - the second")?;
        writeln!(out, "mean: {moves} of the second minus those of the first, over the boards that both solved")?;
    }
    let bootstrap = comparison.bootstrap;
    writeln!(
        out,
        "interval: {} bootstrap resamples of the boards, seed {}; p: sign test, two-sided, ties left out",
        bootstrap.resamples, bootstrap.seed
    )?;
    if !comparison.agreement.is_empty() {
        writeln!(out, "tau-b: 1 same order, 0 unrelated, -1 reversed; its interval resamples the entries")?;
    }
    let pairs = || comparison.pairs.iter().chain(&comparison.changes);
    if pairs().any(|pair| pair.interval.is_some() && pair.both_solved < FEW_BOARDS) {
        writeln!(out, "intervals from fewer than {FEW_BOARDS} boards are too narrow")?;
    }
    let tests = pairs().count();
    if tests >= 20 {
        writeln!(out, "of {tests} tests, about {} would have p below 0.05 by chance alone", tests / 20)?;
    }
    if comparison.boards.iter().any(|board| board.reconstruction) {
        writeln!(out, "*: a reconstruction, not the board of the original contest")?;
    }
    Ok(())
}

/// Writes the number of lines left out.
fn more(all: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.checked_sub(MOST_LINES).filter(|&more| more > 0) {
        Some(more) => writeln!(out, "and {more} more {what}: choose with --entries, or see --format csv or json"),
        None => Ok(()),
    }
}

fn marked(board: &str, reconstruction: bool) -> String {
    let mark = if reconstruction { "*" } else { "" };
    format!("{}{mark}", printable(board))
}

/// Rounds to a tenth, without the sign of a zero.
fn rounded(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0 + 0.0
}

fn time(limit_ms: u64) -> String {
    humantime::format_duration(Duration::from_millis(limit_ms)).to_string()
}

fn table() -> Table {
    let mut table = Table::new();
    // The table keeps its width: wrapped lines in a narrow terminal are more readable than wrapped cells.
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn right(text: String) -> Field {
    Field::new(text).set_alignment(CellAlignment::Right)
}
