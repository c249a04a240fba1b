//! A common form for the positions of all games: a grid of labelled cells, and the cells that the last move touched.
//!
//! Error messages, `boards show` and the results page draw this form without the rules of the game.

use serde::{Deserialize, Serialize};

/// A position as a grid, row by row from the top left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Number of cells in each row.
    pub width: usize,
    /// All cells; a multiple of `width`.
    pub cells: Vec<PictureCell>,
}

/// One cell of a [`Picture`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureCell {
    /// The cell's symbol in the board file; `None` for a cell outside the board.
    pub label: Option<char>,
    /// True if the last move changed it.
    pub touched: bool,
}

impl Picture {
    /// Draws the grid, one line per row, with touched cells in brackets:
    ///
    /// ```text
    ///  A  B  C  D  E
    ///  F  G  H  I  J
    ///  K  L [+][M] O
    /// ```
    ///
    /// # Panics
    ///
    /// If the width is 0.
    pub fn draw(&self) -> String {
        let mut drawing = String::new();
        for row in self.cells.chunks(self.width) {
            let line: String = row
                .iter()
                .map(|cell| match (cell.label, cell.touched) {
                    (None, _) => "   ".to_owned(),
                    (Some(label), false) => format!(" {label} "),
                    (Some(label), true) => format!("[{label}]"),
                })
                .collect();
            drawing.push_str(line.trim_end());
            drawing.push('\n');
        }
        drawing
    }

    /// Formats the grid as one line, with a space between rows. A board file may have the same form: `ABCDE FGHIJ …`.
    ///
    /// # Panics
    ///
    /// If the width is 0.
    pub fn one_line(&self) -> String {
        let rows = self.cells.chunks(self.width);
        let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.label.unwrap_or('#')).collect()).collect();
        rows.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_shows_what_was_touched() {
        let cell = |label, touched| PictureCell { label, touched };
        let picture = Picture {
            width: 2,
            cells: vec![cell(None, false), cell(Some('X'), true), cell(Some('.'), false), cell(None, false)],
        };
        assert_eq!(picture.draw(), "   [X]\n .\n");
        assert_eq!(picture.one_line(), "#X .#");
    }
}
