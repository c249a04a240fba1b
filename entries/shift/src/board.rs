//! The board: its blocks, their shapes and the goal of X, read from a board file.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::cells::{SIDE, rectangle};
use crate::position::Position;

/// The block that must reach the goal.
const TARGET: char = 'X';

/// The shape of a block. Blocks of the same shape are interchangeable; X has its own shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The cells of the shape with its top left corner in the first cell.
    pub cells: u64,
    /// The number of rows and of columns.
    pub size: (usize, usize),
    /// The cells of the board that its top left corner can be on.
    pub room: u64,
}

/// A board file: everything that does not change while the blocks move.
#[derive(Debug, Clone)]
pub struct Board {
    cells: u64,
    /// Letters in reading order of the start, the order of the article.
    labels: Vec<char>,
    /// Index into `shapes`, by block.
    kinds: Vec<usize>,
    shapes: Vec<Shape>,
    start: Position,
    target: usize,
    goal: u8,
}

impl Board {
    /// All cells of the board.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// The number of blocks. Blocks are numbered in reading order of the start position.
    pub fn blocks(&self) -> usize {
        self.labels.len()
    }

    /// The letter of a block.
    pub(crate) fn label(&self, block: usize) -> char {
        self.labels[block]
    }

    /// The number of a block's shape, which interchangeable blocks share.
    pub(crate) fn kind(&self, block: usize) -> usize {
        self.kinds[block]
    }

    /// The shape of a block.
    pub fn shape(&self, block: usize) -> &Shape {
        &self.shapes[self.kinds[block]]
    }

    /// The position that the board file describes.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Index of the block X.
    pub fn target(&self) -> usize {
        self.target
    }

    /// The cell that the top left corner of X must reach.
    pub fn goal(&self) -> u8 {
        self.goal
    }
}

/// A position on its board.
impl Position {
    /// The cells a block stands on.
    pub fn footprint(&self, board: &Board, block: usize) -> u64 {
        board.shape(block).cells << self.corner(block)
    }

    /// The cells that no block stands on.
    pub fn free(&self, board: &Board) -> u64 {
        (0..board.blocks()).fold(board.cells(), |free, block| free & !self.footprint(board, block))
    }

    /// True if X is on its goal.
    pub fn is_solved(&self, board: &Board) -> bool {
        self.corner(board.target()) == board.goal()
    }

    /// Returns the position that represents all in which blocks of the same shape are exchanged: their corners ascend in
    /// reading order.
    pub fn canonical(mut self, board: &Board) -> Self {
        for block in 1..board.blocks() {
            // Insertion sort among the earlier blocks of the shape; at most one of them is out of order.
            let mut at = block;
            for other in (0..block).rev().filter(|&other| board.kind(other) == board.kind(block)) {
                if self.corner(other) <= self.corner(at) {
                    break;
                }
                let (lower, upper) = (self.corner(other), self.corner(at));
                self.put(other, upper);
                self.put(at, lower);
                at = other;
            }
        }
        self
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (rows, last) = words.split_at(words.iter().position(|&word| word == "goal").unwrap_or(words.len()));
        let (height, width) = (rows.len(), rows.first().map_or(0, |row| row.len()));
        if !(1..=SIDE).contains(&height) || !(1..=SIDE).contains(&width) {
            return Err(format!("{height} rows of {width} cells; expected 1 to {SIDE} of each"));
        }
        let footprints = footprints(rows, width)?;
        let mut board = Self {
            cells: rectangle(height, width),
            labels: Vec::new(),
            kinds: Vec::new(),
            shapes: Vec::new(),
            start: Position::default(),
            target: 0,
            goal: 0,
        };
        let target = footprints.get(&TARGET).ok_or("no block X; a board needs one")?;
        let (rows_of_x, columns_of_x) = size(*target);
        board.goal = goal(last, (height - rows_of_x, width - columns_of_x))?;
        let mut blocks: Vec<(char, u64)> = footprints.into_iter().collect();
        blocks.sort_by_key(|(_, cells)| cells.trailing_zeros());
        for (label, cells) in blocks {
            board.add(label, cells, (height, width))?;
        }
        Ok(board)
    }
}

impl Board {
    fn add(&mut self, label: char, cells: u64, (rows, columns): (usize, usize)) -> Result<(), String> {
        let (height, width) = size(cells);
        let corner = cells.trailing_zeros();
        if rectangle(height, width).checked_shl(corner) != Some(cells) {
            return Err(format!("block {label} is not a rectangle"));
        }
        let shape = Shape {
            cells: rectangle(height, width),
            size: (height, width),
            room: rectangle(rows - height + 1, columns - width + 1),
        };
        let same = |&other: &usize| ![label, self.label(other)].contains(&TARGET) && *self.shape(other) == shape;
        let kind = (0..self.blocks()).find(same).map_or(self.shapes.len(), |other| self.kind(other));
        if kind == self.shapes.len() {
            self.shapes.push(shape);
        }
        let block = self.blocks();
        if label == TARGET {
            self.target = block;
        }
        self.labels.push(label);
        self.kinds.push(kind);
        self.start.put(block, u8::try_from(corner).map_err(|_| "a cell beyond the 64th")?);
        Ok(())
    }
}

/// Reads the cells of every letter.
fn footprints(rows: &[&str], width: usize) -> Result<BTreeMap<char, u64>, String> {
    let mut footprints = BTreeMap::new();
    for (row, line) in rows.iter().enumerate() {
        if line.chars().count() != width {
            return Err(format!("row {} has another length than the first", row + 1));
        }
        for (column, symbol) in line.chars().enumerate() {
            match symbol {
                '.' => {}
                'A'..='Z' => *footprints.entry(symbol).or_insert(0) |= 1 << (SIDE * row + column),
                _ => {
                    let place = format!("row {}, column {}", row + 1, column + 1);
                    return Err(format!("{place}: unexpected {symbol:?}; use A to Z, or . for a free cell"));
                }
            }
        }
    }
    Ok(footprints)
}

/// The number of rows and the number of columns that the cells occupy.
fn size(cells: u64) -> (usize, usize) {
    let rows = (0..SIDE).filter(|row| cells & (rectangle(1, SIDE) << (SIDE * row)) != 0);
    let columns = (0..SIDE).filter(|column| cells & (rectangle(SIDE, 1) << column) != 0);
    (rows.count(), columns.count())
}

/// The goal from the words `goal ROW COLUMN`, or the bottom centre if there are no words. `last` is the last row and
/// column, from 0, that the top left corner of X can be in.
fn goal(words: &[&str], last: (usize, usize)) -> Result<u8, String> {
    let (row, column) = match words {
        [] if last.1.is_multiple_of(2) => (last.0, last.1 / 2),
        [] => return Err("X cannot stand at the bottom centre; add a line `goal ROW COLUMN`".into()),
        ["goal", row, column] => {
            let number = |word: &str| word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            let invalid = || format!("invalid goal `{row} {column}`; expected row and column, counted from 1");
            number(row).zip(number(column)).ok_or_else(invalid)?
        }
        _ => return Err("invalid last line; expected `goal ROW COLUMN`".into()),
    };
    if row > last.0 || column > last.1 {
        return Err(format!(
            "X does not fit on the goal; the last possible row is {}, column {}",
            last.0 + 1,
            last.1 + 1
        ));
    }
    u8::try_from(SIDE * row + column).map_err(|_| "the goal is not on the board".into())
}
