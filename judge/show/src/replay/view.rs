//! The screen of a replay. It does not depend on rules: a position is drawn from its picture, and the texts come from
//! the replay.

use std::num::NonZeroU32;
use std::ops::Range;

use crate::screen::{Canvas, Colour, Style};
use judge_core::picture::{Picture, PictureCell};
use judge_report::layout::wrap;
use judge_report::replay_cursor::ReplayCursor;

const KEYS: &str = "space play or pause  ← → step  PgUp PgDn ten steps  home end  + - speed  q quit";
/// The number of rows of the curve's bars, and the most spare rows that the curve takes.
const CURVE_ROWS: usize = 5;
const FURTHER_CURVE_ROWS: usize = 8;
/// The most rows per cell of a board on a large terminal.
const LARGEST: usize = 3;
/// A column of the curve, by the eighths of it that are filled.
const BARS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// Columns per cell. The second number applies if the board does not fit otherwise; cells then have no brackets.
const CELL_COLUMNS: [usize; 2] = [3, 1];

/// The state of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playback {
    /// True while it advances by itself.
    pub playing: bool,
    /// Speed in steps per second.
    pub speed: NonZeroU32,
}

/// Draws a replay at its current position, with a title such as the board and the game. In a small terminal, the board and
/// the figures are the last to be dropped.
pub fn draw(title: &str, cursor: &dyn ReplayCursor, playback: &Playback, canvas: &mut Canvas) {
    let picture = cursor.picture();
    let mut left = canvas.height();
    let mut take = |rows: usize| {
        let rows = rows.min(left);
        left -= rows;
        rows
    };
    let figures = take(1);
    // Room for the verdict from the beginning, so that nothing jumps at the end.
    let verdict_rows = wrap(&cursor.verdict(), canvas.width()).len();
    let scale = scale(&picture, canvas, verdict_rows + CURVE_ROWS + 8);
    let board = take(picture.cells.len().div_ceil(picture.width.max(1)) * scale);
    let verdict = take(verdict_rows);
    let step = take(1);
    let keys = take(1);
    let title_rows = take(1);
    let curve = take(CURVE_ROWS + 2);
    let gaps = [take(1), take(1)];
    let curve = if curve == CURVE_ROWS + 2 { curve + take(FURTHER_CURVE_ROWS) } else { curve };

    let mut top = 0;
    let mut rows = |height: usize| {
        top += height;
        top - height..top
    };
    for row in rows(title_rows) {
        canvas.write(row, 0, title, Style::DIM);
        let state = if playback.playing { "playing" } else { "paused" };
        canvas.write_right(row, &format!(" {state}, {} per second", playback.speed), Style::PLAIN);
    }
    for row in rows(step) {
        canvas.write(row, 0, &cursor.step(), Style::BOLD);
    }
    for row in rows(figures) {
        canvas.write(row, 0, &cursor.figures(), Style::PLAIN);
    }
    draw_verdict(cursor, rows(verdict), canvas);
    rows(gaps[0]);
    match scale {
        1 => draw_board(&picture, rows(board), canvas),
        _ => draw_large_board(&picture, rows(board), scale, canvas),
    }
    rows(gaps[1]);
    draw_curve(cursor, rows(curve), canvas);
    for row in canvas.height() - keys..canvas.height() {
        canvas.write(row, 0, KEYS, Style::DIM);
    }
}

/// Draws the progress along the answer, with a mark below the current position and one below an illegal move.
fn draw_curve(cursor: &dyn ReplayCursor, rows: Range<usize>, canvas: &mut Canvas) {
    let columns = canvas.width();
    let Some((name, of)) = cursor.aim().filter(|_| rows.len() >= 3 && columns > 0 && cursor.last() > 0) else { return };
    canvas.write(rows.start, 0, &format!("{name} of {of}, step by step"), Style::DIM);
    let here = (cursor.at() * (columns - 1)).div_ceil(cursor.last());
    let bars = rows.start + 1..rows.end - 1;
    for column in 0..columns {
        // Many steps share a column, or one has many.
        let progress = cursor.progress(column * cursor.last() / (columns - 1).max(1));
        let style = Style::PLAIN.colour(if column <= here { Colour::Cyan } else { Colour::DarkGrey });
        let eighths = progress.saturating_mul(bars.len() as u64 * 8) / of.max(1);
        for (above, row) in bars.clone().rev().enumerate() {
            let eighths = eighths.saturating_sub(above as u64 * 8).min(8);
            canvas.write(row, column, BARS[usize::try_from(eighths).expect("at most 8")], style);
        }
    }
    canvas.write(bars.end, here, "▲", Style::PLAIN.colour(Colour::Cyan));
    if cursor.warning().is_some() {
        canvas.write(bars.end, columns - 1, "x", Style::PLAIN.colour(Colour::Red));
    }
}

/// Draws the verdict at the last position; at earlier ones, a warning if an illegal move follows.
fn draw_verdict(cursor: &dyn ReplayCursor, rows: Range<usize>, canvas: &mut Canvas) {
    let (text, style) = if cursor.at() == cursor.last() {
        (cursor.verdict(), Style::BOLD.colour(if cursor.succeeds() { Colour::Green } else { Colour::Red }))
    } else {
        (cursor.warning().unwrap_or_default(), Style::PLAIN)
    };
    for (row, line) in rows.zip(wrap(&text, canvas.width())) {
        canvas.write(row, 0, &line, style);
    }
}

/// Draws a position. If there is too little room, draws the part around the cells that the last move touched.
fn draw_board(picture: &Picture, rows: Range<usize>, canvas: &mut Canvas) {
    let fits = |columns: &&usize| picture.width <= canvas.width() / **columns;
    let columns = *CELL_COLUMNS.iter().find(fits).unwrap_or(&CELL_COLUMNS[1]);
    let touched = picture.cells.iter().position(|cell| cell.touched).unwrap_or(0);
    let height = picture.cells.len().div_ceil(picture.width.max(1));
    let left = window(picture.width, canvas.width() / columns, touched % picture.width.max(1));
    let top = window(height, rows.len(), touched / picture.width.max(1));
    let repeated = repeated(picture);
    for (board_row, row) in (top..height).zip(rows) {
        let cells = picture.cells.chunks(picture.width).nth(board_row).unwrap_or_default();
        for (index, cell) in cells.iter().skip(left).enumerate() {
            let Some(label) = cell.label else { continue };
            let style = style(cell, label, repeated.iter().position(|&other| other == label));
            let text = match (columns, cell.touched) {
                (1, _) => label.to_string(),
                (_, true) => format!("[{label}]"),
                (_, false) => format!(" {label} "),
            };
            canvas.write(row, index * columns, &text, style);
        }
    }
}

/// Rows per cell: as many as fit on the terminal together with `others` other rows.
fn scale(picture: &Picture, canvas: &Canvas, others: usize) -> usize {
    let height = picture.cells.len().div_ceil(picture.width.max(1));
    let fits = |scale: &usize| {
        height * scale + others <= canvas.height() && picture.width * large_columns(*scale) <= canvas.width()
    };
    (2..=LARGEST).rev().find(fits).unwrap_or(1)
}

/// Columns per cell with this number of rows, so that cells look about square.
fn large_columns(scale: usize) -> usize {
    2 * scale + 1
}

/// Draws a whole position with several rows per cell.
fn draw_large_board(picture: &Picture, rows: Range<usize>, scale: usize, canvas: &mut Canvas) {
    let (columns, repeated) = (large_columns(scale), repeated(picture));
    for (board_row, cells) in picture.cells.chunks(picture.width.max(1)).enumerate() {
        let top = rows.start + board_row * scale;
        for (index, cell) in cells.iter().enumerate() {
            let Some(label) = cell.label else { continue };
            let style = style(cell, label, repeated.iter().position(|&other| other == label));
            if cell.touched && scale > 2 {
                for row in 0..scale {
                    canvas.write(top + row, index * columns, &" ".repeat(columns), style);
                }
            }
            let text = if cell.touched { format!("[{label}]") } else { format!(" {label} ") };
            canvas.write(top + scale / 2, index * columns + (columns - 3) / 2, &text, style);
        }
    }
}

/// The letters and digits that occur in several cells, in alphabetical order.
fn repeated(picture: &Picture) -> Vec<char> {
    let mut labels: Vec<char> = picture.cells.iter().filter_map(|cell| cell.label).collect();
    labels.retain(|label| label.is_alphanumeric());
    labels.sort_unstable();
    let mut repeated: Vec<char> = labels.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}

/// The look of a cell. Cells that the last move touched stand out. Cells with equal labels have the same colour, by the
/// label's position among the repeated ones. This shows blocks and sides in every game.
fn style(cell: &PictureCell, label: char, repeated: Option<usize>) -> Style {
    const COLOURS: [Colour; 6] =
        [Colour::Green, Colour::Blue, Colour::Magenta, Colour::Cyan, Colour::LightRed, Colour::LightBlue];
    match repeated {
        _ if cell.touched => Style::BOLD.colour(Colour::Black).on(Colour::Yellow),
        Some(index) => Style::PLAIN.colour(COLOURS[index % COLOURS.len()]),
        None if label.is_alphanumeric() => Style::PLAIN,
        None => Style::DIM,
    }
}

/// The first of `all` items to show if `room` of them fit: `wanted` is shown, in the middle if possible.
fn window(all: usize, room: usize, wanted: usize) -> usize {
    wanted.saturating_sub(room / 2).min(all.saturating_sub(room))
}
