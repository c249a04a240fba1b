//! A grid of styled characters, and the bytes that bring a terminal from one grid to the next.
//!
//! Rows are compared, and those that differ are written whole: a screen has a hundred rows at most and most of them
//! stay the same from frame to frame.

use unicode_width::UnicodeWidthChar as _;

/// A colour, by its number in the escape sequence that selects it for text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The terminal's black.
    Black = 30,
    /// The terminal's red.
    Red = 31,
    /// The terminal's green.
    Green = 32,
    /// The terminal's yellow or brown.
    Yellow = 33,
    /// The terminal's blue.
    Blue = 34,
    /// The terminal's magenta.
    Magenta = 35,
    /// The terminal's cyan.
    Cyan = 36,
    /// The terminal's bright black.
    DarkGrey = 90,
    /// The terminal's bright red.
    LightRed = 91,
    /// The terminal's bright blue.
    LightBlue = 94,
}

/// The look of a character.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    bold: bool,
    dim: bool,
    text: Option<Colour>,
    background: Option<Colour>,
}

impl Style {
    /// The terminal's own colours, neither bold nor dim.
    pub const PLAIN: Self = Self { bold: false, dim: false, text: None, background: None };
    /// The terminal's own colours, bold.
    pub const BOLD: Self = Self { bold: true, ..Self::PLAIN };
    /// The terminal's own colours, dim.
    pub const DIM: Self = Self { dim: true, ..Self::PLAIN };

    /// Sets the colour of the text.
    #[must_use]
    pub const fn colour(self, colour: Colour) -> Self {
        Self { text: Some(colour), ..self }
    }

    /// Sets the colour of the background.
    #[must_use]
    pub const fn on(self, colour: Colour) -> Self {
        Self { background: Some(colour), ..self }
    }

    /// The escape sequence that selects this style, whatever was selected before.
    fn sequence(self, colours: bool) -> String {
        let mut sequence = "\x1b[0".to_owned();
        let colour = |colour: Option<Colour>| colour.filter(|_| colours).map(|colour| colour as u8);
        let codes = [
            self.bold.then_some(1),
            self.dim.then_some(2),
            colour(self.text),
            // A background's number is ten more than that of the same colour for text.
            colour(self.background).map(|code| code + 10),
        ];
        for code in codes.into_iter().flatten() {
            sequence += &format!(";{code}");
        }
        sequence + "m"
    }
}

/// One place on the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct ScreenCell {
    /// A character and the marks combined with it; empty for a blank.
    text: String,
    style: Style,
    /// The second half of a wide character, which stands in the cell before.
    covered: bool,
}

/// A grid of styled characters. What does not fit on it is cut off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    rows: Vec<Vec<ScreenCell>>,
}

impl Canvas {
    /// A blank canvas of this size.
    pub fn new(width: usize, height: usize) -> Self {
        Self { width, rows: vec![vec![ScreenCell::default(); width]; height] }
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Writes text into a row, from this column on, and returns the column after it. Nothing is written into a row or a
    /// column that the canvas does not have.
    #[allow(clippy::missing_panics_doc, reason = "an empty cell is not continued")]
    pub fn write(&mut self, row: usize, mut column: usize, text: &str, style: Style) -> usize {
        let Some(cells) = self.rows.get_mut(row) else { return column };
        let begin = column;
        for character in text.chars() {
            match character.width() {
                // A control character has no place on a screen.
                None => {}
                Some(0) if column > begin => {
                    let cell = cells[..column].iter_mut().rfind(|cell| !cell.covered);
                    cell.expect("a character was written before").text.push(character);
                }
                Some(0) => {}
                Some(width) if column + width > self.width => break,
                Some(width) => {
                    cells[column] = ScreenCell { text: character.into(), style, covered: false };
                    cells[column + 1..column + width].fill(ScreenCell {
                        style,
                        covered: true,
                        ..ScreenCell::default()
                    });
                    column += width;
                }
            }
        }
        column
    }

    /// Writes text so that it ends with the row.
    pub fn write_right(&mut self, row: usize, text: &str, style: Style) {
        self.write(row, self.width.saturating_sub(columns(text)), text, style);
    }

    /// Bytes that make a terminal that shows `shown` show this canvas; empty if nothing differs. `None` stands for a
    /// terminal that may show anything.
    pub(crate) fn update(&self, shown: Option<&Self>, colours: bool) -> String {
        let shown = shown.filter(|shown| (shown.width, shown.height()) == (self.width, self.height()));
        let mut bytes = String::new();
        if shown.is_none() {
            bytes += "\x1b[0m\x1b[2J";
        }
        for (index, row) in self.rows.iter().enumerate() {
            if shown.is_some_and(|shown| shown.rows[index] == *row) {
                continue;
            }
            bytes += &format!("\x1b[{};1H", index + 1);
            let mut style = None;
            for cell in row.iter().filter(|cell| !cell.covered) {
                if style.replace(cell.style) != Some(cell.style) {
                    bytes += &cell.style.sequence(colours);
                }
                bytes += if cell.text.is_empty() { " " } else { &cell.text };
            }
            bytes += "\x1b[0m";
        }
        bytes
    }

    /// The text of every row, without the blanks at its end.
    pub fn text(&self) -> String {
        let text = |cell: &ScreenCell| if cell.text.is_empty() { " ".into() } else { cell.text.clone() };
        let row = |row: &Vec<ScreenCell>| row.iter().filter(|cell| !cell.covered).map(text).collect::<String>();
        self.rows.iter().map(|cells| row(cells).trim_end().to_owned() + "\n").collect()
    }
}

/// Columns that a text takes.
fn columns(text: &str) -> usize {
    text.chars().filter_map(|character| character.width()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text on a terminal after it has received these bytes.
    fn shown(terminal: &mut vt100::Parser, bytes: &str) -> Vec<String> {
        terminal.process(bytes.as_bytes());
        terminal.screen().rows(0, 12).collect()
    }

    #[test]
    fn a_terminal_shows_what_the_canvas_holds_after_every_update() {
        let cells = |cells: u16| std::num::NonZeroU16::new(cells).unwrap();
        let mut terminal = vt100::Parser::new(cells(3), cells(12), 0);
        let frames = [
            ["plain", "wide 漢字 end", "e\u{301}clair"],
            ["plain", "wide 字x end", "exactly twelve and more"],
            ["", "漢漢漢漢漢漢漢", "\x1b[2Jharmless"],
            ["back", "narrow", "\u{301}"],
        ];
        let expected = [
            ["plain", "wide 漢字 en", "e\u{301}clair"],
            ["plain", "wide 字x end", "exactly twel"],
            ["", "漢漢漢漢漢漢", "[2Jharmless"],
            ["back", "narrow", ""],
        ];
        let mut before: Option<Canvas> = None;
        for (frame, expected) in frames.iter().zip(expected) {
            let mut canvas = Canvas::new(12, 3);
            for (row, text) in frame.iter().enumerate() {
                canvas.write(row, 0, text, Style::BOLD);
            }
            let rows = shown(&mut terminal, &canvas.update(before.as_ref(), true));
            assert_eq!(rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>(), expected);
            assert_eq!(canvas.update(Some(&canvas), true), "", "nothing differs from itself");
            before = Some(canvas);
        }
    }

    #[test]
    fn styles_are_selected_in_full() {
        let style = Style::BOLD.colour(Colour::Black).on(Colour::Yellow);
        assert_eq!(style.sequence(true), "\x1b[0;1;30;43m");
        assert_eq!(style.sequence(false), "\x1b[0;1m");
        assert_eq!(Style::DIM.colour(Colour::LightBlue).sequence(true), "\x1b[0;2;94m");
        assert_eq!(Style::PLAIN.sequence(true), "\x1b[0m");
    }

    #[test]
    fn text_beside_the_canvas_is_cut_off() {
        let mut canvas = Canvas::new(4, 1);
        canvas.write(1, 0, "below", Style::PLAIN);
        canvas.write(0, 9, "beside", Style::PLAIN);
        canvas.write_right(0, "too long", Style::PLAIN);
        assert_eq!(canvas.text(), "too\n");
        canvas.write_right(0, "end", Style::PLAIN);
        assert_eq!(canvas.text(), "tend\n");
        assert_eq!((canvas.width(), canvas.height()), (4, 1));
    }
}
