//! The screen of a running contest.

use std::time::Duration;

use super::remarks::in_words;
use crate::engine;
use crate::screen::{Canvas, Colour, Style};
use judge_contest::progress::{ContestProgress, Left, Running};
use judge_core::legend::NOT_COMPETING;
use judge_core::score::Row;
use judge_core::text::printable;
use judge_job::duration_text;

/// Columns of a place and the blank behind it.
const PLACE: usize = 4;
/// The most characters of an entry's name.
const NAME: usize = 20;

/// Draws the contest from its progress: progress, current runs, leaders and failures. If there is too little room, the list of
/// failures is cut first. A try has its own lines instead of standings. `now_us` is the time in microseconds, by the clock of
/// the contest's events.
pub fn draw(progress: &ContestProgress, trial: Option<&[String]>, now_us: u64, canvas: &mut Canvas) {
    let mut page = Page { next: 0, canvas };
    header(progress, now_us, &mut page);

    let running: Vec<Running<'_>> = progress.running(now_us).collect();
    page.gap();
    match progress.elsewhere() {
        Some(state) => {
            let [tasks, runs] = engine::state(&state.figures);
            page.heading(&printable(&tasks));
            page.line(&format!("  {}", printable(&runs)), Style::PLAIN);
        }
        None => page.heading(&format!("running: {}", running.len())),
    }
    let most = (page.left() / 3).max(1);
    for run in running.iter().take(most) {
        page.line(&format!("  {}", of_run(progress, run)), Style::PLAIN);
    }
    page.more(running.len(), most);

    page.gap();
    if let Some(lines) = trial {
        page.heading("this version");
        for line in lines {
            page.line(&format!("  {}", printable(line)), Style::PLAIN);
        }
        return faults(progress, &mut page);
    }
    let table = Table::of(progress, page.canvas.width());
    page.heading(&table.title);
    page.line(&table.head, Style::DIM);
    let faulty = progress.remarks().next().is_some();
    // On a large screen a part is kept free for failures.
    let kept = if faulty { page.left() / 4 } else { 0 };
    let room = page.left() - kept;
    let rows = if table.rows.len() > room { room.saturating_sub(1) } else { room };
    for (row, style) in table.rows.iter().take(rows) {
        page.line(row, *style);
    }
    page.more(table.rows.len(), rows);
    faults(progress, &mut page);
}

/// Lists the failures for which there is room.
fn faults(progress: &ContestProgress, page: &mut Page<'_>) {
    if progress.remarks().next().is_some() {
        page.gap();
        page.heading("failures and notices, newest first");
        for remark in progress.remarks() {
            page.line(&format!("  {}", printable(&in_words(remark, progress))), Style::PLAIN.colour(Colour::Red));
        }
    }
}

/// A canvas that is filled from the top.
struct Page<'a> {
    /// Index of the first empty row.
    next: usize,
    canvas: &'a mut Canvas,
}

impl Page<'_> {
    /// Rows that are still empty.
    fn left(&self) -> usize {
        self.canvas.height().saturating_sub(self.next)
    }

    /// The next row, which is below the canvas if the canvas is full.
    fn row(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn line(&mut self, text: &str, style: Style) {
        let row = self.row();
        self.canvas.write(row, 0, text, style);
    }

    fn heading(&mut self, text: &str) {
        self.line(text, Style::BOLD);
    }

    /// Leaves a row empty if there is room for that.
    fn gap(&mut self) {
        if self.left() > 6 {
            self.row();
        }
    }

    /// Writes the number of lines that were left out.
    fn more(&mut self, all: usize, shown: usize) {
        if all > shown {
            self.line(&format!("  and {} more", all - shown), Style::DIM);
        }
    }
}

fn header(progress: &ContestProgress, now_us: u64, page: &mut Page<'_>) {
    page.line(&progress.title(), Style::BOLD);
    let (total, done) = progress.done();
    let row = page.row();
    let begin = page.canvas.write(row, 0, &format!("{done} of {total} runs "), Style::PLAIN);
    let width = page.canvas.width().saturating_sub(begin);
    let filled = (width * done).checked_div(total).unwrap_or(width);
    page.canvas.write(row, begin, &"━".repeat(filled), Style::PLAIN.colour(Colour::Cyan));
    page.canvas.write(row, begin + filled, &"─".repeat(width - filled), Style::DIM);
    let elapsed = whole(progress.elapsed(now_us));
    let left = match progress.left(now_us) {
        _ if done == total => ", nothing left".into(),
        Left::AtMost(left) => format!(", at most {} left", whole(left)),
        Left::Estimated(left) => format!(", estimated {} left", whole(left)),
        Left::Unknown => String::new(),
    };
    page.line(&format!("{elapsed} elapsed{left}"), Style::PLAIN);
}

/// Formats a time in whole seconds, as in `1m 5s`.
fn whole(time: Duration) -> String {
    if time < Duration::from_secs(1) && !time.is_zero() {
        return "less than 1s".into();
    }
    duration_text(time.as_secs().saturating_mul(1000))
}

/// A current run with its clock, a bar and figures.
fn of_run(progress: &ContestProgress, run: &Running<'_>) -> String {
    const BAR: u128 = 10;
    let filled = (run.elapsed.as_micros() * BAR / run.limit.as_micros().max(1)).min(BAR);
    let bar: String = (0..BAR).map(|column| if column < filled { '■' } else { '·' }).collect();
    let elapsed = run.elapsed.as_secs_f64();
    format!("{bar} {elapsed:6.1} s of {}  {}", whole(run.limit), progress.name(run.key))
}

/// The standings as lines of that width.
struct Table {
    title: String,
    head: String,
    rows: Vec<(String, Style)>,
}

/// One figure of every entry.
struct Column {
    head: String,
    cells: Vec<String>,
    width: usize,
}

impl Table {
    fn of(progress: &ContestProgress, width: usize) -> Self {
        let standings = progress.standings();
        let rows = &standings.results.rows;
        let names = Column::of("", rows.iter().map(name));
        let mut columns = vec![
            Column::of("total", rows.iter().map(|row| row.total_text(&row.total))),
            Column::of("time", rows.iter().map(|row| row.total.time_ms().map_or("-".into(), |ms| format!("{ms} ms")))),
        ];
        let mut used = PLACE + names.width + columns.iter().map(Column::taken).sum::<usize>();
        // The boards that ran last, as many as fit.
        for board in progress.plan().boards.iter().rev().filter(|board| progress.begun(&board.name)) {
            let cells = rows.iter().map(|row| progress.cell(&row.entry.name, &board.name));
            let column = Column::of(progress.board(&board.name), cells);
            used += column.taken();
            if used > width {
                break;
            }
            columns.insert(0, column);
        }
        let line = |place: &str, name: &str, cell: &dyn Fn(&Column) -> String| {
            let figures = columns.iter().map(|column| format!("  {:>width$}", cell(column), width = column.width));
            format!("{place:>3} {name:width$}{}", figures.collect::<String>(), width = names.width)
        };
        let lines = rows.iter().zip(&names.cells).enumerate().map(|(index, (row, name))| {
            let place = row.place.map_or(String::new(), |place| place.to_string());
            let style = if row.place == Some(1) { Style::BOLD } else { Style::PLAIN };
            (line(&place, name, &|column| column.cells[index].clone()), style)
        });
        let title = match standings.boards {
            0 => "standings: no board finished by all entries yet".into(),
            1 => "standings on the 1 board finished by all entries".into(),
            boards => format!("standings on the {boards} boards finished by all entries"),
        };
        Self { title, rows: lines.collect(), head: line("", "", &|column| column.head.clone()) }
    }
}

impl Column {
    fn of(head: &str, cells: impl Iterator<Item = String>) -> Self {
        let cells: Vec<String> = cells.collect();
        let head = printable(head);
        let width = cells.iter().chain([&head]).map(|text| text.chars().count()).max().unwrap_or(0);
        Self { head, cells, width }
    }

    /// The width of the column, including the space before it.
    fn taken(&self) -> usize {
        self.width + 2
    }
}

fn name(row: &Row) -> String {
    let name: String = printable(&row.entry.name).chars().take(NAME).collect();
    if row.entry.competing { name } else { format!("{name} {NOT_COMPETING}") }
}
