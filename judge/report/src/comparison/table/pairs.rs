//! The table of pairs: a row per pair, a column per board on which some pair differs.

use std::collections::BTreeSet;

use super::super::label;
use super::duel::times;
use super::marked;
use super::sheet::{Explained, MAX_LINES, Remedy, Sheet};
use crate::layout::{Column, Grid};
use judge_core::compare::{BoardLine, ComparedBoard, Comparison, Pair, PairResult, Side, Test, probability};
use judge_core::text::printable;

/// The most boards with a column each.
const MAX_BOARDS: usize = 16;
/// The columns that a too wide table leaves out, in this order.
const BOARDS: u8 = 0;
const P_OF_BOARDS: u8 = 1;
const MOVES: u8 = 2;
const SCORE: u8 = 3;

/// Writes the pairs as a table: a row per pair, or a row per board if there is only one pair.
pub(super) fn write(comparison: &Comparison, sheet: &mut Sheet) {
    match comparison.pairs.as_slice() {
        [] => {}
        [pair] => of_one(comparison, pair, sheet),
        _ => of_all(comparison, sheet),
    }
}

/// Writes the boards of one pair.
fn of_one(comparison: &Comparison, pair: &Pair, sheet: &mut Sheet) {
    sheet.line("\nboard by board");
    let lines = || pair.boards.iter().take(MAX_LINES);
    let cell = |side: &Side| side.cell.clone().unwrap_or_else(|| "-".into());
    let board = |line: &BoardLine| {
        comparison
            .boards
            .iter()
            .find(|board| *board.board == *line.board)
            .map_or_else(|| printable(&line.board), heading)
    };
    let mut table = Grid::new(vec![
        Column::new("board", lines().map(board)).cut(),
        Column::new(label(comparison, &pair.first), lines().map(|line| cell(&line.first))).right(),
        Column::new(label(comparison, &pair.second), lines().map(|line| cell(&line.second))).right(),
        Column::new("difference", lines().map(difference)).right(),
    ]);
    if lines().any(|line| line.time_ratio.is_some()) {
        // The first's time divided by the second's, as in the lines of figures.
        let time = |line: &BoardLine| line.time_ratio.and_then(|ratio| times(1.0 / ratio)).unwrap_or_default();
        table.push(Column::new("time", lines().map(time)).right().leaves(BOARDS));
    }
    sheet.table(table);
    sheet.more(pair.boards.len(), "boards", Remedy::Csv);
    sheet.explain([Explained::Boards]);
}

/// Writes a row per pair.
fn of_all(comparison: &Comparison, sheet: &mut Sheet) {
    sheet.line("\nboard by board");
    let Columns { boards, equal, left_out } = columns(comparison);
    let of_pairs = |text: &dyn Fn(&Pair) -> String| shown(comparison).map(text).collect::<Vec<String>>();
    let mut table = Grid::new(vec![
        Column::new("first", of_pairs(&|pair| label(comparison, &pair.first))).cut(),
        Column::new("second", of_pairs(&|pair| label(comparison, &pair.second))).cut(),
    ]);
    for column in &boards {
        let line = |pair: &Pair| {
            pair.boards.iter().find(|line| *line.board == *column.board).map_or(String::new(), difference)
        };
        table.push(Column::new(heading(column), of_pairs(&line)).right().leaves(BOARDS));
    }
    let better = |pair: &Pair| format!("{}-{}-{}", pair.first_better, pair.ties, pair.second_better);
    let moves = |pair: &Pair| {
        let on =
            if pair.moves.boards == pair.compared() { String::new() } else { format!(" on {}", pair.moves.boards) };
        pair.moves.mean.map_or("-".into(), |mean| format!("{:+.1}{on}", rounded(mean, 10.0)))
    };
    let score = |pair: &Pair| pair.score.mean.map_or("-".into(), |mean| format!("{:+.3}", rounded(-mean, 1000.0)));
    let p = |test: &Test| test.corrected.map_or("-".into(), probability);
    table.push(Column::new("better", of_pairs(&better)).right());
    if comparison.scoring.cost.is_some() {
        table.push(Column::new("moves", of_pairs(&moves)).right().leaves(MOVES));
    }
    table.push(Column::new("relative score", of_pairs(&score)).right().leaves(SCORE));
    table.push(Column::new("p of boards", of_pairs(&|pair| p(&pair.sign_test))).right().leaves(P_OF_BOARDS));
    table.push(Column::new("p", of_pairs(&|pair| p(&pair.flips))).right());
    let gone = sheet.table(table);
    for (column, explained) in [
        (BOARDS, (!boards.is_empty()).then_some(Explained::Boards)),
        (MOVES, comparison.scoring.cost.is_some().then_some(Explained::Moves)),
    ] {
        sheet.explain(explained.filter(|_| !gone.contains(&column)));
    }
    sheet.explain([Explained::Better, Explained::Differences]);
    if left_out > 0 {
        sheet.hint(&format!("no column for each of {left_out} boards; --format csv or json has them"));
    }
    if !equal.is_empty() {
        sheet.line(&format!("no difference on: {}", equal.join(", ")));
    }
    sheet.more(comparison.pairs.len(), "pairs", Remedy::Entries);
}

/// Returns the pairs in the table.
fn shown(comparison: &Comparison) -> impl Iterator<Item = &Pair> {
    comparison.pairs.iter().take(MAX_LINES)
}

/// The boards of the table of pairs.
#[derive(Default)]
struct Columns<'a> {
    /// The boards with a column each.
    boards: Vec<&'a ComparedBoard>,
    /// The names of the boards on which no pair in the table differs.
    equal: Vec<String>,
    /// The number of all boards, if they are too many for columns.
    left_out: usize,
}

fn columns(comparison: &Comparison) -> Columns<'_> {
    let lines = || shown(comparison).flat_map(|pair| &pair.boards);
    let boards: BTreeSet<&str> = lines().map(|line| &*line.board).collect();
    if boards.len() > MAX_BOARDS {
        return Columns { left_out: boards.len(), ..Columns::default() };
    }
    let differs = |line: &&BoardLine| line.outcome != PairResult::Tie;
    let differing: BTreeSet<&str> = lines().filter(differs).map(|line| &*line.board).collect();
    let boards = comparison.boards.iter().filter(|board| boards.contains(board.board.as_str()));
    let (columns, equal): (Vec<_>, Vec<_>) = boards.partition(|board| differing.contains(board.board.as_str()));
    Columns { boards: columns, equal: equal.into_iter().map(heading).collect(), left_out: 0 }
}

/// Returns a board's cell for a pair: the difference in moves, such as `+8`, or otherwise the outcome.
fn difference(line: &BoardLine) -> String {
    match (line.outcome, line.moves_difference) {
        (PairResult::Missing, _) => "-".into(),
        (PairResult::Unknown, _) => "?".into(),
        (PairResult::Tie, _) => "=".into(),
        (_, Some(difference)) if difference != 0 => format!("{difference:+}"),
        (PairResult::First, _) => "first".into(),
        (PairResult::Second, _) => "second".into(),
    }
}

/// The heading of a board's column. From round 2 on, it contains the round, as in CSV tables.
fn heading(board: &ComparedBoard) -> String {
    let name = marked(&board.board, board.reconstruction);
    if board.round > 1 { format!("{}/{name}", board.round) } else { name }
}

/// Rounds to a multiple of `part`, without the sign of a zero.
fn rounded(figure: f64, part: f64) -> f64 {
    (figure * part).round() / part + 0.0
}
