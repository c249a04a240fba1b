//! Tables and sentences that fit the width of a terminal, or are part of a document.

mod markup;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

pub use markup::Markup;

/// Blanks and a border per column of a table.
const FRAME: usize = 3;
/// The least width to which texts are cut.
const NARROWEST: usize = 6;
/// The most characters of a text in a table. The time to measure and break a text can grow with the square of its
/// length, and names in untrusted results have any length. CSV and JSON contain the whole text.
const MAX_CHARACTERS: usize = 1000;
/// The most bytes of a text per column of the terminal: combining characters take no column.
const BYTES_PER_COLUMN: usize = 64;

/// A table that fits: longer texts are cut, and less important columns leave, if there is too little room.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    columns: Vec<Column>,
}

/// A column of a [`Grid`], with a text per row.
#[derive(Debug, Clone, Default)]
pub struct Column {
    head: String,
    cells: Vec<String>,
    right: bool,
    leaves: Option<u8>,
    cut: Option<Cut>,
}

/// Limits of cutting a column: once no column with a number below `after` can leave, its texts may be cut to `least`
/// columns of the terminal.
#[derive(Debug, Clone, Copy)]
struct Cut {
    after: u8,
    least: usize,
}

impl Column {
    /// A column with this heading and these cells, aligned to the left. It stays at any width.
    pub fn new(head: impl Into<String>, cells: impl IntoIterator<Item = String>) -> Self {
        Self { head: bounded(head.into()), cells: cells.into_iter().map(bounded).collect(), ..Self::default() }
    }

    /// Aligns the column to the right, as for figures.
    pub fn right(self) -> Self {
        Self { right: true, ..self }
    }

    /// Lets a table that is too wide leave out the column. Columns with smaller numbers leave first. Columns with the
    /// same number leave together.
    pub fn leaves(self, order: u8) -> Self {
        Self { leaves: Some(order), ..self }
    }

    /// Lets texts of the column be cut if the table is still too wide after all removable columns have left.
    pub fn cut(self) -> Self {
        self.cut_before(u8::MAX, NARROWEST)
    }

    /// Lets texts of the column be cut, to no less than `least` columns of the terminal, before a column with this
    /// number or a larger one leaves.
    pub fn cut_before(self, number: u8, least: usize) -> Self {
        Self { cut: Some(Cut { after: number, least }), ..self }
    }

    fn width(&self) -> usize {
        self.cells.iter().chain([&self.head]).map(|text| columns(text)).max().unwrap_or(0)
    }
}

impl Grid {
    /// A table of these columns.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns }
    }

    /// Adds a column on the right.
    pub fn push(&mut self, column: Column) {
        self.columns.push(column);
    }

    /// Returns true if it has a column with this number, see [`Column::leaves`].
    pub fn has(&self, order: u8) -> bool {
        self.columns.iter().any(|column| column.leaves == Some(order))
    }

    /// Its width in columns of the terminal.
    pub fn width(&self) -> usize {
        self.columns.iter().map(|column| column.width() + FRAME).sum::<usize>() + 1
    }

    /// Makes it fit, and returns the numbers, see [`Column::leaves`], and headings of the columns that had to leave.
    /// Without a width, all columns stay.
    pub fn fit(&mut self, width: Option<usize>) -> Vec<(u8, String)> {
        let Some(width) = width else { return Vec::new() };
        let mut gone = Vec::new();
        while self.least() > width {
            let Some(first) = self.next_to_leave() else { break };
            let (leaving, staying): (Vec<Column>, Vec<Column>) =
                std::mem::take(&mut self.columns).into_iter().partition(|column| column.leaves == Some(first));
            self.columns = staying;
            gone.extend(leaving.into_iter().map(|column| (first, column.head)));
        }
        self.cut_to(width);
        gone
    }

    fn rows(&self) -> usize {
        self.columns.iter().map(|column| column.cells.len()).max().unwrap_or(0)
    }

    fn next_to_leave(&self) -> Option<u8> {
        self.columns.iter().filter_map(|column| column.leaves).min()
    }

    /// The width to which the texts of a column can be cut now; its own width if they cannot.
    fn least_of(&self, column: &Column) -> usize {
        let width = column.width();
        let next = self.next_to_leave();
        column.cut.filter(|cut| next.is_none_or(|next| cut.after <= next)).map_or(width, |cut| cut.least.min(width))
    }

    /// The width to which the table can be cut now.
    fn least(&self) -> usize {
        self.columns.iter().map(|column| self.least_of(column) + FRAME).sum::<usize>() + 1
    }

    /// Cuts the longest texts until it fits, if that is possible.
    fn cut_to(&mut self, width: usize) {
        let mut over = self.width().saturating_sub(width);
        let least: Vec<usize> = self.columns.iter().map(|column| self.least_of(column)).collect();
        let mut most: Vec<usize> = self.columns.iter().map(Column::width).collect();
        while over > 0
            && let Some(longest) = (0..most.len()).filter(|&index| most[index] > least[index]).max_by_key(|&i| most[i])
        {
            most[longest] -= 1;
            over -= 1;
        }
        for (column, most) in self.columns.iter_mut().zip(most) {
            column.cells.iter_mut().chain([&mut column.head]).for_each(|text| *text = shortened(text, most));
        }
    }
}

/// The sentence that names the columns for which a table had no room, and another place that has them; `None` if the
/// table has all columns.
pub fn no_room<'a>(gone: impl IntoIterator<Item = &'a str>, elsewhere: &str) -> Option<String> {
    let gone: Vec<&str> = gone.into_iter().collect();
    (!gone.is_empty()).then(|| format!("no room for: {}; {elsewhere}", gone.join(", ")))
}

impl std::fmt::Display for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.columns.iter().map(|column| Cell::new(&column.head)));
        for row in 0..self.rows() {
            table.add_row(self.columns.iter().map(|column| {
                let cell = Cell::new(column.cells.get(row).map_or("", String::as_str));
                if column.right { cell.set_alignment(CellAlignment::Right) } else { cell }
            }));
        }
        write!(f, "{table}")
    }
}

/// Folds a line to the width. Further lines are indented by two more blanks than the first.
pub fn folded(line: &str, width: Option<usize>) -> String {
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    hung(indent, text, columns(indent) + 2, width)
}

/// A term and its meaning. Further lines of the meaning are aligned below its first line.
pub fn explained(term: &str, meaning: &str, width: Option<usize>) -> String {
    hung(term, meaning, columns(term), width)
}

/// A line that consists of an unchanged beginning and a folded text. Further lines of the text are indented.
fn hung(begin: &str, text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width.filter(|width| columns(begin) + columns(text) > *width) else {
        return format!("{begin}{text}");
    };
    let indent = indent.min(width / 2);
    let begin = shortened(begin, indent);
    let mut lines = wrap(text, width.saturating_sub(indent).max(1)).into_iter();
    let mut hung = begin + &lines.next().unwrap_or_default();
    lines.for_each(|line| hung += &format!("\n{:indent$}{line}", ""));
    hung
}

/// Breaks text into lines of at most `width` columns, at blanks if possible. A width of 0 gives no lines. A command in
/// backticks stays on one line if it fits there, so that it can be copied.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in unbroken(text, width).into_iter().filter(|_| width > 0) {
        let gap = usize::from(!line.is_empty());
        if columns(&line) + gap + columns(&word) <= width {
            line.extend([" "].into_iter().take(gap));
            line += &word;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for character in word.chars() {
            let full = columns(&line) + character.width().unwrap_or(0) > width;
            if (full || line.len() > BYTES_PER_COLUMN.saturating_mul(width)) && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line.push(character);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The words of a text. The text from a backtick to the next one is a single word if it fits in a line.
fn unbroken(text: &str, width: usize) -> Vec<String> {
    let mut words = Vec::new();
    let mut left: Vec<&str> = text.split_whitespace().rev().collect();
    while let Some(word) = left.pop() {
        let opens = |text: &str| text.matches('`').count() % 2 == 1;
        let ends = if opens(word) { left.iter().rposition(|word| opens(word)) } else { None };
        let whole =
            ends.map(|end| [&[word][..], &left[end..].iter().rev().copied().collect::<Vec<_>>()].concat().join(" "));
        match (ends, whole) {
            (Some(end), Some(whole)) if columns(&whole) <= width => {
                left.truncate(end);
                words.push(whole);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// The width of a text in columns of the terminal.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// Cuts a text to at most [`MAX_CHARACTERS`], with an ellipsis for the rest.
fn bounded(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Cuts a text to at most `most` columns, with an ellipsis for the rest.
pub fn shortened(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        let full = columns(&short) + character.width().unwrap_or(0) + 1 > most;
        if full || short.len() > BYTES_PER_COLUMN.saturating_mul(most) {
            break;
        }
        short.push(character);
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|text| (*text).to_owned()).collect()
    }

    fn grid() -> Grid {
        Grid::new(vec![
            Column::new("", texts(&["1", "2"])).right(),
            Column::new("entry", texts(&["shufflemania", "ant"])).cut(),
            Column::new("author", texts(&["Nobody", ""])).leaves(0),
            Column::new("A", texts(&["25/90", "0/TIM"])).right().leaves(1),
            Column::new("B", texts(&["25/90", "0/TIM"])).right().leaves(1),
            Column::new("total", texts(&["050/0180/012", "000/0000/000"])).right(),
        ])
    }

    #[test]
    fn columns_leave_in_their_order() {
        for (width, gone, longest) in [
            (None, vec![], 60),
            (Some(60), vec![], 60),
            (Some(59), vec!["author"], 51),
            (Some(51), vec!["author"], 51),
            (Some(50), vec!["author", "A", "B"], 35),
            (Some(30), vec!["author", "A", "B"], 30),
            (Some(5), vec!["author", "A", "B"], 29),
        ] {
            let mut grid = grid();
            let left: Vec<String> = grid.fit(width).into_iter().map(|(_, head)| head).collect();
            assert_eq!(left, gone, "{width:?}");
            let lines: Vec<usize> = grid.to_string().lines().map(columns).collect();
            assert!(lines.iter().all(|line| *line == longest), "{width:?}: {lines:?}\n{grid}");
            assert_eq!(grid.width(), longest);
        }
    }

    #[test]
    fn texts_are_cut_before_the_columns_with_their_number_leave() {
        let grid = || {
            Grid::new(vec![
                Column::new("limit", texts(&["10s"])).leaves(1),
                Column::new("date", texts(&["1995-04-01"])).leaves(3),
                Column::new("winner", texts(&["shufflemania 125/0453/062"])).cut_before(2, 10),
                Column::new("comment", texts(&["the first"])).cut_before(2, 8).leaves(4),
            ])
        };
        assert_eq!(grid().width(), 62);
        for (width, gone, cut) in [
            (62, vec![], "shufflemania 125/0453/062"),
            (61, vec!["limit"], "shufflemania 125/0453/062"),
            (53, vec!["limit"], "shufflemania 125/0453/0…"),
            (38, vec!["limit"], "shufflema…"),
            (37, vec!["limit", "date"], "shufflemania 125/045…"),
            (20, vec!["limit", "date", "comment"], "shufflemania 12…"),
        ] {
            let mut grid = grid();
            let left: Vec<String> = grid.fit(Some(width)).into_iter().map(|(_, head)| head).collect();
            let text = grid.to_string();
            assert_eq!(left, gone, "{width}\n{text}");
            assert!(text.contains(&format!("┆ {cut} ")) || text.contains(&format!("│ {cut} ")), "{width}\n{text}");
        }
        let heads = ["limit", "date"];
        assert_eq!(no_room(heads, "see --json").as_deref(), Some("no room for: limit, date; see --json"));
        assert_eq!(no_room([], "see --json"), None);
    }

    #[test]
    fn long_lines_continue_below_with_an_indent() {
        assert_eq!(explained("TIM  ", "time limit exceeded", Some(16)), "TIM  time limit\n     exceeded");
        assert_eq!(explained("TIM  ", "time limit exceeded", None), "TIM  time limit exceeded");
        assert_eq!(folded("  one two three four", Some(11)), "  one two\n    three\n    four");
        assert_eq!(folded("  one two three four", None), "  one two three four");
        assert_eq!(folded("abcdefgh", Some(4)), "ab\n  cd\n  ef\n  gh");
        assert_eq!(
            (shortened("abcdef", 4), shortened("abcd", 4), shortened("漢字", 3)),
            ("abc…".into(), "abcd".into(), "漢…".into())
        );
    }

    #[test]
    fn lines_are_broken_at_blanks_where_they_have_some() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("漢字漢", 4), ["漢字", "漢"]);
        assert_eq!(wrap("go on with `judge run`; or not", 16), ["go on with", "`judge run`; or", "not"]);
        assert_eq!(wrap("a `one two three` b `c", 8), ["a `one", "two", "three` b", "`c"], "it does not fit");
        assert_eq!(wrap("漢", 1), ["漢"], "cut off later");
        assert_eq!(wrap("", 9), [""; 0]);
        assert_eq!(wrap("text", 0), [""; 0]);
    }
}
