//! One picture for every game: a grid of labelled cells and the cells the last move touched.
//!
//! Whoever shows a position, be it an error message, `boards show` or a page, draws this and knows no rule.

use serde::{Deserialize, Serialize};

/// A position as a grid, row by row from the top left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Cells in a row.
    pub width: usize,
    /// All cells; a multiple of `width`.
    pub cells: Vec<Cell>,
}

/// One cell of a [`Picture`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// What stands there, as the board file writes it; `None` for a cell that is no place of the board.
    pub label: Option<char>,
    /// Whether the last move changed it.
    pub touched: bool,
}

impl Picture {
    /// The grid for people, one line a row, touched cells in brackets:
    ///
    /// ```text
    ///  A  B  C  D  E
    ///  F  G  H  I  J
    ///  K  L [+][M] O
    /// ```
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

    /// The grid in one line, rows separated by a blank, which a board file may hold as well: `ABCDE FGHIJ KL+MO …`.
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
    fn a_cell_that_is_no_place_stays_blank_and_a_touched_one_is_bracketed() {
        let cell = |label, touched| Cell { label, touched };
        let picture = Picture {
            width: 2,
            cells: vec![cell(None, false), cell(Some('X'), true), cell(Some('.'), false), cell(None, false)],
        };
        assert_eq!(picture.draw(), "   [X]\n .\n");
        assert_eq!(picture.one_line(), "#X .#");
    }
}
