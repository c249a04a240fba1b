//! What the screen of a running contest looks like.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{LineGauge, Widget as _};

use super::tally::{Left, Running, Tally};
use judge_core::score::Row;
use judge_core::text::printable;

/// Columns of a place and the blank behind it.
const PLACE: usize = 4;
/// Characters of an entry's name at the most.
const NAME: usize = 20;
/// Mark of an entry that takes no place, as in the final table.
const NOT_COMPETING: &str = " †";

/// Draws the contest at that time: how far it is, what runs, who leads, what went wrong. Where there is no room for all
/// of it the list of what went wrong is cut first.
pub(super) fn draw(tally: &Tally, now_us: u64, buffer: &mut Buffer) {
    let mut page = Page { left: buffer.area, buffer };
    head(tally, now_us, &mut page);

    let running: Vec<Running<'_>> = tally.running(now_us).collect();
    page.gap();
    page.heading(&format!("running: {}", running.len()));
    let most = usize::from(page.left.height / 3).max(1);
    for run in running.iter().take(most) {
        page.line(Line::raw(format!("  {}", of_run(tally, run))));
    }
    page.more(running.len(), most);

    page.gap();
    let width = page.left.width.into();
    let table = Table::of(tally, width);
    page.heading(&table.title);
    page.line(Line::styled(table.head, Modifier::DIM));
    let faulty = tally.faults().next().is_some();
    // Of a large screen a part is for what went wrong.
    let kept = if faulty { page.left.height / 4 } else { 0 };
    let room = usize::from(page.left.height - kept);
    let rows = if table.rows.len() > room { room.saturating_sub(1) } else { room };
    for (row, style) in table.rows.iter().take(rows) {
        page.line(Line::styled(row.as_str(), *style));
    }
    page.more(table.rows.len(), rows);

    if faulty {
        page.gap();
        page.heading("went wrong, the newest first");
        for fault in tally.faults() {
            page.line(Line::styled(format!("  {}", printable(fault)), Color::Red));
        }
    }
}

/// The part of the screen that is still empty.
struct Page<'a> {
    left: Rect,
    buffer: &'a mut Buffer,
}

impl Page<'_> {
    /// The next row; an empty one where the screen is full.
    fn row(&mut self) -> Rect {
        let row = Rect { height: self.left.height.min(1), ..self.left };
        self.left = Rect { y: self.left.y + row.height, height: self.left.height - row.height, ..self.left };
        row
    }

    fn line(&mut self, line: Line<'_>) {
        line.render(self.row(), self.buffer);
    }

    fn heading(&mut self, text: &str) {
        self.line(Line::styled(text, Modifier::BOLD));
    }

    /// An empty row where there is room for such.
    fn gap(&mut self) {
        if self.left.height > 6 {
            self.row();
        }
    }

    /// Says how many were left out.
    fn more(&mut self, all: usize, shown: usize) {
        if all > shown {
            self.line(Line::styled(format!("  and {} more", all - shown), Modifier::DIM));
        }
    }
}

fn head(tally: &Tally, now_us: u64, page: &mut Page<'_>) {
    let limit = humantime::format_duration(Duration::from_millis(tally.plan().limits.wall_ms));
    page.line(Line::styled(format!("{}, {limit} a board", printable(&tally.plan().name)), Modifier::BOLD));
    let (total, done) = tally.done();
    #[allow(clippy::cast_precision_loss, reason = "a bar is a hundred columns wide")]
    let ratio = if total == 0 { 1.0 } else { done as f64 / total as f64 };
    let row = page.row();
    LineGauge::default()
        .ratio(ratio)
        .label(format!("{done} of {total} runs"))
        .filled_symbol("━")
        .unfilled_symbol("─")
        .filled_style(Style::from(Color::Cyan))
        .unfilled_style(Style::from(Modifier::DIM))
        .render(row, page.buffer);
    let elapsed = whole(tally.elapsed(now_us));
    let left = match tally.left(now_us) {
        _ if done == total => "nothing left".into(),
        Left::AtMost(left) => format!("at most {} left", whole(left)),
        Left::Estimated(left) => format!("estimated {} left", whole(left)),
    };
    page.line(Line::raw(format!("{elapsed} elapsed, {left}")));
}

/// Whole seconds in words.
fn whole(time: Duration) -> String {
    humantime::format_duration(Duration::from_secs(time.as_secs())).to_string()
}

/// A run under way with its clock, a bar and figures.
fn of_run(tally: &Tally, run: &Running<'_>) -> String {
    const BAR: u128 = 10;
    let filled = (run.elapsed.as_micros() * BAR / run.limit.as_micros().max(1)).min(BAR);
    let bar: String = (0..BAR).map(|column| if column < filled { '■' } else { '·' }).collect();
    let elapsed = run.elapsed.as_secs_f64();
    format!("{bar} {elapsed:6.1} s of {}  {}", whole(run.limit), tally.name(run.key))
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
    fn of(tally: &Tally, width: usize) -> Self {
        let standings = tally.standings();
        let rows = &standings.results.rows;
        let names = Column::of("", rows.iter().map(name));
        let mut columns = vec![
            Column::of("total", rows.iter().map(|row| row.total.total_text())),
            Column::of("time", rows.iter().map(|row| row.total.time_ms().map_or("-".into(), |ms| format!("{ms} ms")))),
        ];
        let mut used = PLACE + names.width + columns.iter().map(Column::taken).sum::<usize>();
        // The boards that ran last, as many as there is room for.
        for board in tally.plan().boards.iter().rev().filter(|board| tally.begun(&board.name)) {
            let cells = rows.iter().map(|row| tally.cell(&row.entry.name, &board.name));
            let column = Column::of(tally.board(&board.name), cells);
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
            let style = if row.place == Some(1) { Style::from(Modifier::BOLD) } else { Style::new() };
            (line(&place, name, &|column| column.cells[index].clone()), style)
        });
        let title = match standings.boards {
            0 => "standings: no board yet on which all have run".into(),
            1 => "standings on the one board on which all have run".into(),
            boards => format!("standings on the {boards} boards on which all have run"),
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

    /// With the space before it.
    fn taken(&self) -> usize {
        self.width + 2
    }
}

fn name(row: &Row) -> String {
    let name: String = printable(&row.entry.name).chars().take(NAME).collect();
    name + if row.entry.competing { "" } else { NOT_COMPETING }
}
