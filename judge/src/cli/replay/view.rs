//! What the screen of a replay looks like. It knows no rules: a position is its picture, and the figures have the
//! names that the game gives them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Sparkline, SparklineBar, Widget as _, Wrap};

use super::Playback;
use super::film::Film;
use crate::cli::describe;
use judge_core::game::ScoreLabels;
use judge_core::picture::{Cell, Picture};
use judge_core::text::printable;
use judge_core::verdict::Verdict;

const KEYS: &str = "space play or pause  ← → step  PgUp PgDn ten steps  home end  + - speed  q quit";
/// Rows of the curve's bars at the most; more say no more.
const CURVE_ROWS: u16 = 5;
/// Fewer columns a cell where the board would not fit otherwise; without brackets then.
const CELL_COLUMNS: [u16; 2] = [3, 1];

/// What stays the same from frame to frame.
pub(super) struct View<'a> {
    /// The board and the game, for the first line.
    pub(super) title: String,
    /// What the game calls its figures.
    pub(super) words: &'a ScoreLabels,
}

impl View<'_> {
    /// Draws the film where it stands. In a small terminal the board and the figures stay longest.
    pub(super) fn draw(&self, film: &Film<'_>, playback: &Playback, buffer: &mut Buffer) {
        let area = buffer.area;
        let verdict = Paragraph::new(self.verdict(film)).wrap(Wrap { trim: true });
        let picture = film.picture();
        let mut left = area.height;
        let mut take = |rows: usize| {
            let rows = u16::try_from(rows).unwrap_or(u16::MAX).min(left);
            left -= rows;
            rows
        };
        let figures = take(1);
        let board = take(picture.cells.len().div_ceil(picture.width.max(1)));
        // The longest thing it will say decides, so that nothing jumps.
        let told = take(usize::from(area.width > 0) * self.longest(film).div_ceil(area.width.max(1).into()));
        let step = take(1);
        let keys = take(1);
        let title = take(1);
        let curve = take(usize::from(CURVE_ROWS) + 2);
        let gaps = [take(1), take(1)];

        let mut top = 0;
        let mut rows = |height: u16| {
            let rows = Rect { y: area.y + top, height, ..area };
            top += height;
            rows
        };
        self.title(playback, rows(title), buffer);
        step_of(film).render(rows(step), buffer);
        Line::raw(describe::score(&film.score(), self.words)).render(rows(figures), buffer);
        verdict.render(rows(told), buffer);
        rows(gaps[0]);
        draw_board(&picture, rows(board), buffer);
        rows(gaps[1]);
        self.curve(film, rows(curve), buffer);
        let foot = Rect { y: area.bottom() - keys, height: keys, ..area };
        Line::styled(KEYS, Modifier::DIM).render(foot, buffer);
    }

    fn title(&self, playback: &Playback, area: Rect, buffer: &mut Buffer) {
        let speed = playback.speed;
        let state = if playback.playing { "playing" } else { "paused" };
        Line::styled(self.title.as_str(), Modifier::DIM).render(area, buffer);
        Line::raw(format!(" {state}, {speed} a second")).right_aligned().render(area, buffer);
    }

    /// What the answer comes to, said where it comes to it.
    fn verdict(&self, film: &Film<'_>) -> Line<'static> {
        let text = told(film);
        if film.at() < film.last() {
            let ahead = film.illegal().map(|_| format!("an illegal move comes after step {}", film.last()));
            return Line::raw(ahead.unwrap_or_default());
        }
        let solved = film.ruling().score.solved() && film.illegal().is_none();
        Line::styled(text, Style::from(Modifier::BOLD).fg(if solved { Color::Green } else { Color::Red }))
    }

    /// Columns of the longest verdict.
    fn longest(&self, film: &Film<'_>) -> usize {
        told(film).chars().count()
    }

    /// Progress along the answer, a mark under where the film stands, and one where the answer goes wrong.
    fn curve(&self, film: &Film<'_>, area: Rect, buffer: &mut Buffer) {
        let columns = usize::from(area.width);
        if area.height < 3 || columns == 0 || film.last() == 0 {
            return;
        }
        // Column by column the step it stands for: many steps share one, or one has many.
        let step = |column: usize| column * film.last() / (columns - 1).max(1);
        let of = film.score().of;
        let rows = |top: u16, height: u16| Rect { y: area.y + top, height, ..area };
        Line::styled(format!("{} of {of}, step by step", self.words.progress), Modifier::DIM)
            .render(rows(0, 1), buffer);
        let here = (film.at() * (columns - 1)).div_ceil(film.last());
        let bars = (0..columns).map(|column| {
            let played = if column <= here { Style::from(Color::Cyan) } else { Style::from(Color::DarkGray) };
            SparklineBar::from(film.progress(step(column))).style(Some(played))
        });
        Sparkline::default().data(bars).max(of.max(1)).render(rows(1, area.height - 2), buffer);
        let marks = rows(area.height - 1, 1);
        let mut mark = |column: usize, symbol: &str, colour: Color| {
            if let Ok(column) = u16::try_from(column) {
                buffer.set_string(marks.x + column, marks.y, symbol, Style::from(colour));
            }
        };
        mark(here, "▲", Color::Cyan);
        if film.illegal().is_some() {
            mark(columns - 1, "x", Color::Red);
        }
    }
}

/// Where the film stands, and the move that led there.
fn step_of(film: &Film<'_>) -> Line<'static> {
    let (at, last) = (film.at(), film.last());
    let step = match (at, last) {
        (0, 0) => "no move to show".into(),
        (0, _) => format!("start of {last}"),
        _ => format!("step {at} of {last}: {}", film.token()),
    };
    Line::styled(printable(&step), Modifier::BOLD)
}

/// The verdict on the whole answer.
fn told(film: &Film<'_>) -> String {
    let ruling = film.ruling();
    match Verdict::of_replay(ruling.score, ruling.illegal.clone()) {
        Verdict::IllegalMove { illegal, .. } => illegal.to_string(),
        Verdict::Solved(_) => "solved".into(),
        _ => "not solved: the answer ends here".into(),
    }
}

/// Draws a position, as much of it as there is room for around the cells that the last move touched.
fn draw_board(picture: &Picture, area: Rect, buffer: &mut Buffer) {
    let fits = |columns: &&u16| picture.width <= usize::from(area.width / **columns);
    let columns = *CELL_COLUMNS.iter().find(fits).unwrap_or(&CELL_COLUMNS[1]);
    let touched = picture.cells.iter().position(|cell| cell.touched).unwrap_or(0);
    let height = picture.cells.len().div_ceil(picture.width.max(1));
    let left = window(picture.width, usize::from(area.width / columns), touched % picture.width.max(1));
    let top = window(height, area.height.into(), touched / picture.width.max(1));
    let repeated = repeated(picture);
    for (row, y) in (top..height).zip(area.y..area.bottom()) {
        let cells = picture.cells.chunks(picture.width).nth(row).unwrap_or_default();
        for (cell, x) in cells.iter().skip(left).zip((area.x..area.right()).step_by(columns.into())) {
            let Some(label) = cell.label else { continue };
            let style = style(cell, label, repeated.iter().position(|&other| other == label));
            let text = match (columns, cell.touched) {
                (1, _) => label.to_string(),
                (_, true) => format!("[{label}]"),
                (_, false) => format!(" {label} "),
            };
            buffer.set_stringn(x, y, text, columns.into(), style);
        }
    }
}

/// The letters and digits that stand in several cells, in the order of the alphabet.
fn repeated(picture: &Picture) -> Vec<char> {
    let mut labels: Vec<char> = picture.cells.iter().filter_map(|cell| cell.label).collect();
    labels.retain(|label| label.is_alphanumeric());
    labels.sort_unstable();
    let mut repeated: Vec<char> = labels.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}

/// What a cell looks like: one that the last move touched stands out, and cells with one label are one colour, by the
/// label's place among the repeated ones, which shows blocks and sides in every game.
fn style(cell: &Cell, label: char, repeated: Option<usize>) -> Style {
    const COLOURS: [Color; 6] =
        [Color::Green, Color::Blue, Color::Magenta, Color::Cyan, Color::LightRed, Color::LightBlue];
    match repeated {
        _ if cell.touched => Style::from(Modifier::BOLD).fg(Color::Black).bg(Color::Yellow),
        Some(place) => Style::from(COLOURS[place % COLOURS.len()]),
        None if label.is_alphanumeric() => Style::new(),
        None => Style::from(Modifier::DIM),
    }
}

/// The first of `all` to show where there is room for `room` and `wanted` is to be among them, in the middle if it can.
fn window(all: usize, room: usize, wanted: usize) -> usize {
    wanted.saturating_sub(room / 2).min(all.saturating_sub(room))
}
