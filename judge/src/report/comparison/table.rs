//! Comparisons as tables and sentences: pairs, changes between sources, stability of the rankings.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{Cell as Field, CellAlignment, ContentArrangement, Table, presets};

use super::{label, sentences};
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
/// The most boards that a warning names.
const MOST_NAMED: usize = 16;
/// The number of tests from which the number of small p by chance is shown.
const MANY_TESTS: usize = 20;
/// The sign for a value equal to the one that it is compared with.
const SAME: &str = "·";

pub(super) fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for source in &comparison.sources {
        writeln!(out, "{}", of_source(source))?;
    }
    for warning in &comparison.warnings {
        writeln!(out, "note: {}", printable(&warning.short(MOST_NAMED)))?;
    }
    pairs(comparison, out)?;
    changes(comparison, out)?;
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
        scores(comparison, source, out)?;
    }
    for repeats in &comparison.repeats {
        writeln!(out, "\nvariation of the score over repeats in {}", printable(&repeats.source))?;
        variation(repeats, out)?;
    }
    for stability in &comparison.stability {
        if !stability.boards.is_empty() {
            writeln!(out, "\nplaces in {} without each board", printable(&stability.source))?;
            places_without(stability, out)?;
        }
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
    let boards = columns.iter().map(|column| Field::new(heading(column)));
    table.set_header(head.chain(boards).chain(["better", "moves", "score", "p", "p of score"].map(Field::new)));
    for pair in shown(comparison) {
        let mut fields = [&pair.first, &pair.second].map(|entry| Field::new(label(comparison, entry))).to_vec();
        fields.extend(columns.iter().map(|column| {
            let line = pair.boards.iter().find(|line| line.board == column.board);
            right(line.map_or(String::new(), difference))
        }));
        fields.push(right(format!("{}-{}-{}", pair.first_better, pair.ties, pair.second_better)));
        let on =
            if pair.moves.boards == pair.compared() { String::new() } else { format!(" on {}", pair.moves.boards) };
        fields.push(right(pair.moves.mean.map_or("-".into(), |mean| format!("{:+.1}{on}", rounded(mean, 10.0)))));
        fields.push(right(pair.score.mean.map_or("-".into(), |mean| format!("{:+.3}", rounded(mean, 1000.0)))));
        let p = |test: &Test| right(test.corrected.map_or("-".into(), probability));
        fields.extend([p(&pair.sign_test), p(&pair.flips)]);
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

/// Writes the scores of a source's entries, with their places and the places over resampled boards.
fn scores(comparison: &Comparison, source: &SourceInfo, out: &mut dyn Write) -> io::Result<()> {
    let Some(scores) = comparison.scores.iter().find(|scores| scores.source == source.name) else { return Ok(()) };
    let stability = comparison.stability.iter().find(|stability| stability.source == source.name);
    let resampled = stability.is_some_and(|stability| stability.resamples > 0);
    writeln!(out, "\nscores{} in {}", if resampled { " and places" } else { "" }, printable(&source.name))?;
    let mut table = table();
    let mut head = vec!["entry", "solved", "score", "PAR2"];
    if resampled {
        head.extend(["place", "resampled", "above the next"]);
    }
    table.set_header(head);
    let placed: &[_] = stability.map_or(&[], |stability| &stability.entries);
    // In the order of the places; entries without one by their score.
    let place_of = |entry: &str| placed.iter().position(|places| places.entry == entry);
    let mut entries: Vec<&EntryScore> = scores.entries.iter().collect();
    entries.sort_by_key(|entry| place_of(&entry.entry).unwrap_or(usize::MAX));
    for entry in entries.iter().take(MOST_LINES) {
        let mut fields = vec![
            Field::new(printable(&entry.entry)),
            right(format!("{} of {}", entry.solved, entry.boards)),
            right(format!("{:.2}", entry.score)),
            right(entry.par2_us.map_or("-".into(), |par2| format!("{} ms", par2.saturating_add(500) / 1000))),
        ];
        if resampled {
            let at = place_of(&entry.entry);
            let places = at.map(|at| &placed[at]);
            let range = places.and_then(|places| places.resampled.as_ref());
            let next = at.and_then(|at| placed.get(at + 1)).zip(range.and_then(|range| range.above_next));
            fields.push(right(places.map_or("-".into(), |places| places.place.to_string())));
            fields.push(right(range.map_or("-".into(), |range| format!("{} to {}", range.best, range.worst))));
            let above = |(next, share): (&Places, f64)| format!("{} in {:.0} %", printable(&next.entry), share * 100.0);
            fields.push(Field::new(next.map_or(String::new(), above)));
        }
        table.add_row(fields);
    }
    writeln!(out, "{table}")?;
    more(scores.entries.len(), "entries", out)?;
    match sentences::of_groups(scores, source.boards) {
        Some(line) => writeln!(out, "{line}"),
        None => Ok(()),
    }
}

fn variation(repeats: &Repeats, out: &mut dyn Write) -> io::Result<()> {
    let mut table = table();
    table.set_header(["entry", "boards", "runs", "solved in some runs only", "within boards", "between boards"]);
    let deviation = |figure: Option<f64>| right(figure.map_or("-".into(), |figure| format!("± {figure:.3}")));
    for entry in repeats.entries.iter().take(MOST_LINES) {
        let counts = [entry.boards, entry.runs, entry.mixed].map(|count| right(count.to_string()));
        let deviations = [deviation(entry.within), deviation(entry.between)];
        table.add_row([Field::new(printable(&entry.entry))].into_iter().chain(counts).chain(deviations));
    }
    writeln!(out, "{table}")?;
    more(repeats.entries.len(), "entries", out)
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
        writeln!(out, "moves: mean {moves} of the second minus those of the first, over the boards that both solved")?;
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

/// Writes the number of lines left out.
fn more(all: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.checked_sub(MOST_LINES).filter(|&more| more > 0) {
        Some(more) => writeln!(out, "and {more} more {what}: choose with --entries, or see --format csv or json"),
        None => Ok(()),
    }
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

fn table() -> Table {
    let mut table = Table::new();
    // The table keeps its width: wrapped lines in a narrow terminal are more readable than wrapped cells.
    table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn right(text: String) -> Field {
    Field::new(text).set_alignment(CellAlignment::Right)
}
