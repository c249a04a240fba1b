//! A comparison for people: who beats whom, what changed between runs, how firm the rankings stand.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{Cell as Field, CellAlignment, ContentArrangement, Table, presets};

use super::{label, words};
use judge_core::compare::{AcrossLimits, BoardLine, ComparedBoard, Comparison, Outcome, Pair, RunHead, Stability};
use judge_core::text::printable;

/// With more boards than this their columns would fill several screens.
const MOST_BOARDS: usize = 16;
/// More lines than this are a file's business, not a screen's.
const MOST_LINES: usize = 60;
/// Of so few boards a bootstrap interval covers the true mean less often than it says.
const FEW_BOARDS: usize = 10;
/// A place or figure like the one it is compared with.
const SAME: &str = "·";

pub(super) fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for run in &comparison.runs {
        writeln!(out, "{}", of_run(run))?;
    }
    for warning in &comparison.warnings {
        writeln!(out, "note: {}", printable(warning))?;
    }
    pairs(comparison, out)?;
    changes(comparison, out)?;
    if !comparison.agreement.is_empty() {
        writeln!(out, "\nhow alike the runs order their entries")?;
    }
    for agreement in &comparison.agreement {
        writeln!(out, "{}", words::of_agreement(agreement))?;
    }
    for stability in &comparison.stability {
        writeln!(out, "\nplaces in {} without each board", printable(&stability.run))?;
        places_without(stability, out)?;
        for line in words::of_stability(stability) {
            writeln!(out, "{line}")?;
        }
    }
    clock(comparison, out)?;
    if let Some(across) = &comparison.across_limits {
        across_limits(across, out)?;
    }
    legend(comparison, out)
}

/// `runs/1: Loyd's Dilemma, 10m a board; 5 boards, 5 entries`.
fn of_run(run: &RunHead) -> String {
    let contest = run.contest.as_deref().map(|contest| format!(" {},", printable(contest))).unwrap_or_default();
    let limit = run.limit_ms.map(|limit| format!(" {} a board,", time(limit))).unwrap_or_default();
    let entries = if run.entries.len() == 1 { "entry" } else { "entries" };
    let (name, boards) = (printable(&run.run), words::boards(run.boards));
    format!("{name}:{contest}{limit} {boards}, {} {entries}", run.entries.len())
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
        writeln!(out, "{}", words::of_pair(comparison, pair))?;
    }
    more(comparison.pairs.len(), "pairs", out)
}

/// The pairs that a screen has room for.
fn shown(comparison: &Comparison) -> impl Iterator<Item = &Pair> {
    comparison.pairs.iter().take(MOST_LINES)
}

/// The boards that these pairs tell of; none where they are too many for columns.
fn columns(comparison: &Comparison) -> Vec<&ComparedBoard> {
    let told: BTreeSet<&str> =
        shown(comparison).flat_map(|pair| &pair.boards).map(|line| line.board.as_str()).collect();
    if told.len() > MOST_BOARDS {
        return Vec::new();
    }
    comparison.boards.iter().filter(|board| told.contains(board.board.as_str())).collect()
}

/// A board's cell for a pair: `+8`, or what decided instead of moves.
fn difference(line: &BoardLine) -> String {
    match (line.outcome, line.moves_difference) {
        (Outcome::Missing, _) => "-".into(),
        (Outcome::Untold, _) => "?".into(),
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
    writeln!(out, "\nthe same entry in two runs")?;
    let lines: Vec<(&Pair, &BoardLine)> =
        comparison.changes.iter().flat_map(|pair| pair.boards.iter().map(move |line| (pair, line))).collect();
    let mut table = table();
    let moves = printable(&comparison.headings.moves);
    table.set_header(["entry", "board", "from", "to", "before", "after", &moves, "time"]);
    for (pair, line) in lines.iter().take(MOST_LINES) {
        let cell = |text: &Option<String>| right(text.clone().unwrap_or_else(|| "-".into()));
        let names = [&pair.first.entry, &marked(&line.board, line.reconstruction), &pair.first.run, &pair.second.run];
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
        writeln!(out, "{}", words::of_change(comparison, pair))?;
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

fn clock(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for clock in &comparison.clock {
        let limit = clock.limit_ms.map(|limit| format!(" at {}", time(limit))).unwrap_or_default();
        writeln!(out, "\n{}{limit}, at half and at double the limit", printable(&clock.run))?;
        for line in words::of_clock(clock, comparison.across_limits.is_some()) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn across_limits(across: &AcrossLimits, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nplaces at each limit, of the entries and on the {} of all runs",
        words::boards(across.boards.len())
    )?;
    let mut table = table();
    let runs = across.runs.iter().map(|run| format!("{} ({})", time(run.limit_ms), printable(&run.run)));
    table.set_header([String::from("entry")].into_iter().chain(runs));
    for entry in across.entries.iter().take(MOST_LINES) {
        let places = entry.places.iter().map(|place| right(place.to_string()));
        table.add_row([Field::new(printable(&entry.entry))].into_iter().chain(places));
    }
    writeln!(out, "{table}")?;
    more(across.entries.len(), "entries", out)?;
    writeln!(out, "{}", words::of_limits(across))
}

fn legend(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let moves = printable(&comparison.headings.moves);
    writeln!(out)?;
    if columns(comparison).is_empty() {
        writeln!(out, "--format csv shows the boards")?;
    } else {
        writeln!(out, "a board's column: {moves} of the second less those of the first, where both solved it;")?;
        writeln!(out, "  first, second: which alone solved it or got further; = neither; - missing; ? not told")?;
    }
    if !comparison.pairs.is_empty() {
        writeln!(out, "better: boards on which the first is better - neither - the second")?;
        writeln!(out, "mean: {moves} of the second less those of the first, over the boards that both solved")?;
    }
    let bootstrap = comparison.bootstrap;
    writeln!(
        out,
        "interval: {} bootstrap resamples of the boards, seed {}; p: sign test, two-sided, ties left out",
        bootstrap.resamples, bootstrap.seed
    )?;
    if !comparison.agreement.is_empty() {
        writeln!(out, "tau-b: 1 the same order, 0 neither way, -1 turned round; its interval resamples the entries")?;
    }
    let pairs = || comparison.pairs.iter().chain(&comparison.changes);
    if pairs().any(|pair| pair.interval.is_some() && pair.both_solved < FEW_BOARDS) {
        writeln!(out, "from fewer than {FEW_BOARDS} boards an interval is too narrow: it knows of no other boards")?;
    }
    let tests = pairs().count();
    if tests >= 20 {
        writeln!(out, "of {tests} tests about {} would come out below p = 0.05 by chance alone", tests / 20)?;
    }
    if comparison.boards.iter().any(|board| board.reconstruction) {
        writeln!(out, "*: a reconstruction, not the board of the original contest")?;
    }
    Ok(())
}

/// Says how many did not fit.
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

/// To a tenth, and without the sign of a zero.
fn rounded(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0 + 0.0
}

fn time(limit_ms: u64) -> String {
    humantime::format_duration(Duration::from_millis(limit_ms)).to_string()
}

fn table() -> Table {
    let mut table = Table::new();
    // As wide as it is: a terminal that is too narrow wraps lines better than cells.
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn right(text: String) -> Field {
    Field::new(text).set_alignment(CellAlignment::Right)
}
