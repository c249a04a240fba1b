//! Results as a table. Failures, notes and the legend come first and the standings last, so that in a terminal the
//! standings stay in view.

use std::io::{self, Write};

use super::heads::{heading, name};
use super::{View, cross, failures, knock_out, rounds};
use super::{ranking, referees, with_hint_for};
use crate::layout::{Column, Grid, Markup, explained, folded, no_room};
use judge_core::compare::conclusion::Conclusion;
use judge_core::legend::{self, Column as Head, Mark};
use judge_core::plan::RankKey;
use judge_core::results::Results;
use judge_core::score::Row;
use judge_core::summary::{Summaries, Summary};
use judge_core::text::printable;
use judge_job::{count_text, duration_text};

/// The most boards with a column each. With more, the table shows totals only.
const MAX_BOARDS: usize = 16;
/// The order in which columns leave a table that is too wide. Columns with the number of boards move to separate
/// tables.
const AUTHOR: u8 = 0;
const BOARDS: u8 = 1;
const AVERAGES: [u8; 6] = [9, RELATIVE, MOVES, TIE_BREAK, PAR2, 3];
const RELATIVE: u8 = 7;
const MOVES: u8 = 6;
const TIE_BREAK: u8 = 2;
const PAR2: u8 = 5;
const SUSPECT: u8 = 4;
const TIME: u8 = 8;

pub(super) fn write(results: &Results, view: View<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", folded(&Conclusion::from_results(results).text, view.width))?;
    failures::write(results, view, out)?;
    let mut table = standings(results);
    let gone = table.fit(view.width);
    for line in legend(results, &|column| table.has(column), (view, true)) {
        writeln!(out, "{line}")?;
    }
    if gone.iter().any(|(order, _)| *order == BOARDS) {
        for block in blocks(results, view.width) {
            writeln!(out, "\n{block}")?;
        }
    }
    let others = gone.iter().filter(|(order, _)| *order != BOARDS).map(|(_, head)| head.as_str());
    if let Some(line) = no_room(others, "--format csv has everything") {
        writeln!(out, "{}", folded(&line, view.width))?;
    }
    for (title, round) in rounds::tables(results, view.width) {
        writeln!(out, "\n{title}\n{round}")?;
    }
    cross::write(results, view.width, out)?;
    knock_out::write(results, view.width, out)?;
    writeln!(out)?;
    if let Some(title) = title(results) {
        writeln!(out, "{}", folded(&title, view.width))?;
    }
    writeln!(out, "{table}")
}

/// Writes the standings with all their columns, the legend, and failures with their notes, as parts of a document. In LaTeX,
/// failures and notes are comments.
pub(super) fn write_document(results: &Results, markup: Markup, out: &mut dyn Write) -> io::Result<()> {
    let mut failures = Vec::new();
    failures::write(results, View::default(), &mut failures)?;
    let failures = String::from_utf8_lossy(&failures);
    let notes = failures.lines().filter(|line| !line.trim().is_empty()).map(|line| markup.note(line));
    let table = standings(results);
    let legend = legend(results, &|column| table.has(column), (View::default(), false));
    let answer = markup.paragraph(&Conclusion::from_results(results).text);
    let before = [answer].into_iter().chain(title(results).map(|title| markup.paragraph(&title)));
    let after = legend.iter().map(|line| markup.paragraph(line)).chain(notes);
    let cross = cross::grid(results).into_iter().chain(knock_out::grid(results)).map(|grid| markup.table(&grid));
    let of_rounds = rounds::tables(results, None).into_iter();
    let of_rounds = of_rounds.flat_map(|(title, grid)| [markup.paragraph(&title), markup.table(&grid)]);
    let text: String = before.chain([markup.table(&table)]).chain(of_rounds).chain(cross).chain(after).collect();
    writeln!(out, "{}", text.trim_end())
}

/// The contest and the limits of its boards.
fn title(results: &Results) -> Option<String> {
    let contest = results.contest.as_ref()?;
    let of = if results.matches.is_some() { "seat and game" } else { "board" };
    let limit = results.limits_text(duration_text).map_or(String::new(), |limits| format!(", {limits} per {of}"));
    Some(format!("{}{limit}", printable(contest)))
}

/// The standings. The author's column leaves first if there is too little room, then all boards; place, name and totals
/// stay.
fn standings(results: &Results) -> Grid {
    let (rows, cells) = (&results.rows, results.boards.len() <= MAX_BOARDS);
    let of_rows = |text: &dyn Fn(&Row) -> String| rows.iter().map(text).collect::<Vec<String>>();
    let place = |row: &Row| row.place.map_or(String::new(), |place| place.to_string());
    let author = |row: &Row| printable(row.entry.author.as_deref().unwrap_or_default());
    let mut table =
        Grid::new(vec![Column::new("", of_rows(&place)).right(), Column::new("entry", of_rows(&name)).cut()]);
    if rows.iter().any(|row| row.entry.author.is_some()) {
        table.push(Column::new("author", of_rows(&author)).leaves(AUTHOR));
    }
    if rounds::are_apart(results) {
        rounds::columns(results).into_iter().for_each(|column| table.push(column));
        return table;
    }
    let columns = legend::columns(results);
    if !cells {
        let summaries = Summaries::from_results(results).rows;
        let mean = |at: usize| results.scoring.figures.get(at).map_or("", |figure| figure.title());
        let [moves, tie_break] = [1, 2].map(|at| format!("mean {}", printable(mean(at))));
        let heads = ["solved", "relative score", &moves, &tie_break, "PAR2", "median time"];
        let shown = shown_averages(results, &columns);
        let columns = heads.into_iter().zip(AVERAGES).enumerate().zip(shown);
        for ((index, (head, leaves)), _) in columns.filter(|(_, shown)| *shown) {
            let cells = summaries.iter().map(|summary| averages(summary)[index].clone());
            table.push(Column::new(head, cells).right().leaves(leaves));
        }
        if summaries.iter().any(|summary| summary.suspect > 0) {
            let cells = summaries.iter().map(|summary| summary.suspect.to_string());
            table.push(Column::new("suspect", cells).right().leaves(SUSPECT));
        }
    }
    for column in columns {
        match column {
            Head::Board(board) if cells => table.push(of_board(results, board).leaves(BOARDS)),
            Head::Board(_) => {}
            Head::Total(round) => {
                let head = printable(&legend::total_heading(results, round));
                table.push(Column::new(head, of_rows(&|row| legend::total(results, row, round))).right());
            }
            Head::Figure(key, round) => {
                let head = printable(&legend::figure_heading(results, key, round));
                table.push(Column::new(head, legend::figure(results, key, round)).right());
            }
        }
    }
    // Games have clocks per seat, so rows have no time.
    if results.matches.is_some() {
        return table;
    }
    let time = |row: &Row| row.total.time_ms().map_or("-".into(), |time| format!("{time} ms"));
    let time = Column::new("time", of_rows(&time)).right();
    // A figure that decides places stays. With several rounds, each round has a column of times.
    let decides = results.rounds.is_empty() && legend::time_decides(results);
    table.push(if decides { time } else { time.leaves(TIME) });
    table
}

/// Flags for the columns of [`averages`] that a table has. If answers are accepted or not, the total already is the
/// number of solved boards. In some contests with points, nothing is solved.
fn shown_averages(results: &Results, columns: &[Head]) -> [bool; 6] {
    let solves = results.solving();
    // A figure that decides has its own column.
    let has_column = |key: RankKey| columns.iter().any(|column| matches!(column, Head::Figure(of, _) if *of == key));
    let [relative, solved] = [RankKey::Relative, RankKey::Solved].map(|key| !has_column(key));
    let solved = solved && solves;
    if results.scoring.accepts() {
        return [false, false, false, false, true, true];
    }
    let moves = results.scoring.cost.is_some() && solves;
    [solved, relative, moves, moves, solves, true]
}

fn of_board(results: &Results, board: usize) -> Column {
    let cells = results.rows.iter().map(|row| legend::cell(&row.cells[board]));
    Column::new(heading(&results.boards[board]), cells).right()
}

/// Tables of the boards for which the standings have no room. Each has as many boards as fit, and keeps a group of
/// boards together if possible.
fn blocks(results: &Results, width: Option<usize>) -> Vec<Grid> {
    let boards: Vec<usize> = (0..results.boards.len()).collect();
    let group = |board: &usize| (results.boards[*board].round, results.boards[*board].group.clone());
    let names = || Column::new("entry", results.rows.iter().map(name)).cut();
    let grid = |boards: &[usize]| {
        let columns = boards.iter().map(|&board| of_board(results, board));
        Grid::new([names()].into_iter().chain(columns).collect())
    };
    let fits = |boards: &[usize]| width.is_none_or(|width| grid(boards).width() <= width);
    let mut blocks: Vec<Vec<usize>> = Vec::new();
    for together in boards.chunk_by(|a, b| group(a) == group(b)) {
        if let Some(last) = blocks.last_mut().filter(|last| fits(&[last.as_slice(), together].concat())) {
            last.extend(together);
            continue;
        }
        blocks.push(Vec::new());
        for &board in together {
            let last = blocks.last_mut().expect("one was just added");
            if last.is_empty() || fits(&[last.as_slice(), &[board]].concat()) {
                last.push(board);
            } else {
                blocks.push(vec![board]);
            }
        }
    }
    let fitted = |boards: &Vec<usize>| {
        let mut grid = grid(boards);
        grid.fit(width);
        grid
    };
    blocks.iter().map(fitted).collect()
}

/// Formats boards solved, the score, mean moves and mean tie-break of the solved boards, PAR2, and the median time; `-`
/// for unknown values.
fn averages(summary: &Summary) -> [String; 6] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let one_decimal = |mean: Option<f64>| or_dash(mean.map(|mean| format!("{mean:.1}")));
    let ms = |us: Option<u64>| or_dash(us.map(|us| format!("{} ms", us.saturating_add(500) / 1000)));
    [
        or_dash(summary.solved.map(|solved| format!("{solved} of {}", summary.boards))),
        or_dash(summary.score.map(|score| format!("{score:.2}"))),
        one_decimal(summary.mean_moves),
        one_decimal(summary.mean_tie_break),
        ms(summary.par2_us),
        ms(summary.median_time_us),
    ]
}

/// The legend, as lines that fit. It explains the columns that the table `shows`, by their order of leaving. Readers of a document
/// need no `hints`, which are options of commands.
fn legend(results: &Results, shows: &dyn Fn(u8) -> bool, (view, hints): (View<'_>, bool)) -> Vec<String> {
    let width = view.width;
    let (cell, total) = legend::formats(results);
    let few = results.boards.len() <= MAX_BOARDS || rounds::are_apart(results);
    let mut lines = vec![format!("{}a total {total}", if few { format!("a cell is {cell}, ") } else { String::new() })];
    if rounds::are_apart(results) {
        lines.push("in the standings, the column of a round has its points; each round has a table of its own".into());
    }
    lines.push(ranking(results));
    if !few {
        let of_all = [(RELATIVE, "relative score"), (PAR2, "PAR2")];
        let of_all: Vec<&str> = of_all.into_iter().filter(|(column, _)| shows(*column)).map(|(_, name)| name).collect();
        let mut scopes = Vec::new();
        scopes.extend((shows(MOVES) || shows(TIE_BREAK)).then(|| "means are of the solved boards only".to_owned()));
        scopes.extend((!of_all.is_empty()).then(|| format!("{} of all", of_all.join(" and "))));
        let scopes = (!scopes.is_empty()).then(|| scopes.join(", "));
        let scopes: Vec<String> =
            scopes.into_iter().chain(hints.then(|| "--format csv shows the cells".to_owned())).collect();
        lines.extend((!scopes.is_empty()).then(|| scopes.join("; ")));
        if shows(RELATIVE) {
            lines.push(format!("relative score: sum of {}", results.scoring.relative_rule()));
        }
        if shows(PAR2) {
            lines.push("PAR2: mean time; a board that is not solved counts twice the limit".into());
        }
    }
    if let boards @ 1.. = Summaries::from_results(results).without_goal.len() {
        let boards = count_text(boards, "board", "boards");
        lines.push(format!("no goal is recorded for {boards}, so it is not known which answers solve them"));
    }
    let mark = |Mark { sign, meaning, hint }: Mark| {
        let hint = hint.as_ref().filter(|_| hints);
        explained(&format!("{sign:<4} "), &with_hint_for(meaning, hint, view.results), width)
    };
    let marks = legend::marks(results, "the reason is in the notes").into_iter().map(mark);
    let notes = legend::board_notes(results).map(|note| explained("     ", &note, width));
    let after = results.isolation.iter().map(|isolation| format!("isolation: {}", printable(isolation)));
    let after = after
        .chain(legend::unlike_isolation(results))
        .chain(legend::unlike_machines(results))
        .chain(referees(results, view.results))
        .chain(legend::judging(results).map(String::from));
    let after =
        after.chain(legend::surprises(results)).chain(legend::incomplete(results)).chain(legend::rounds(results));
    let fold = |line: String| folded(&line, width);
    lines.into_iter().map(fold).chain(marks).chain(notes).chain(after.map(fold)).collect()
}
