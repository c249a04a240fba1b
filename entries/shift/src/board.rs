//! The board: its blocks, their shapes, where X must go, and reading them from text.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::cells::{SIDE, rectangle};
use crate::position::Position;

/// The block that must reach the goal.
const TARGET: char = 'X';
/// The most blocks: one a letter.
pub const MOST_BLOCKS: usize = 26;

/// A block that any other of the same shape can stand in for; X is a shape of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Its cells with the top left corner in the first cell.
    pub cells: u64,
    /// Rows and columns of it.
    pub size: (usize, usize),
    /// Where its top left corner can be on the board.
    pub room: u64,
}

/// A board file: what does not change while the blocks move.
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
    /// All cells of it.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// How many blocks there are; they are numbered in reading order of the start.
    pub fn blocks(&self) -> usize {
        self.labels.len()
    }

    /// The letter of a block.
    pub fn label(&self, block: usize) -> char {
        self.labels[block]
    }

    /// Which of the shapes a block has: the same number for blocks that are alike.
    pub fn kind(&self, block: usize) -> usize {
        self.kinds[block]
    }

    /// The shape of a block.
    pub fn shape(&self, block: usize) -> &Shape {
        &self.shapes[self.kinds[block]]
    }

    /// Where the blocks stand at the start.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The number of X.
    pub fn target(&self) -> usize {
        self.target
    }

    /// The cell that the top left corner of X must reach.
    pub fn goal(&self) -> u8 {
        self.goal
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (rows, told) = words.split_at(words.iter().position(|&word| word == "goal").unwrap_or(words.len()));
        let (height, width) = (rows.len(), rows.first().map_or(0, |row| row.len()));
        if !(1..=SIDE).contains(&height) || !(1..=SIDE).contains(&width) {
            return Err(format!("{height} rows of {width} cells: both must be 1 to {SIDE}"));
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
        let target = footprints.get(&TARGET).ok_or("no block X")?;
        let (rows_of_x, columns_of_x) = size(*target);
        board.goal = goal(told, (height - rows_of_x, width - columns_of_x))?;
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
            return Err(format!("block {label} is no rectangle"));
        }
        let shape = Shape {
            cells: rectangle(height, width),
            size: (height, width),
            room: rectangle(rows - height + 1, columns - width + 1),
        };
        let alike = |&other: &usize| ![label, self.label(other)].contains(&TARGET) && *self.shape(other) == shape;
        let kind = (0..self.blocks()).find(alike).map_or(self.shapes.len(), |other| self.kind(other));
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

/// The cells of every letter.
fn footprints(rows: &[&str], width: usize) -> Result<BTreeMap<char, u64>, String> {
    let mut footprints = BTreeMap::new();
    for (row, line) in rows.iter().enumerate() {
        if line.chars().count() != width {
            return Err(format!("row {}: not as long as the first", row + 1));
        }
        for (column, symbol) in line.chars().enumerate() {
            match symbol {
                '.' => {}
                'A'..='Z' => *footprints.entry(symbol).or_insert(0) |= 1 << (SIDE * row + column),
                _ => return Err(format!("row {}, column {}: {symbol:?} is no block", row + 1, column + 1)),
            }
        }
    }
    Ok(footprints)
}

/// In how many rows and how many columns some cells lie.
fn size(cells: u64) -> (usize, usize) {
    let rows = (0..SIDE).filter(|row| cells & (rectangle(1, SIDE) << (SIDE * row)) != 0);
    let columns = (0..SIDE).filter(|column| cells & (rectangle(SIDE, 1) << column) != 0);
    (rows.count(), columns.count())
}

/// The goal from the words `goal ROW COLUMN`, or the bottom centre where there are none; `last` is the last row and
/// column that the top left corner of X can be in, from 0.
fn goal(words: &[&str], last: (usize, usize)) -> Result<u8, String> {
    let (row, column) = match words {
        [] if last.1.is_multiple_of(2) => (last.0, last.1 / 2),
        [] => return Err("X cannot stand at the bottom centre, and there is no goal line".into()),
        ["goal", row, column] => {
            let number = |word: &str| word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            number(row).zip(number(column)).ok_or("the goal line holds no row and column")?
        }
        _ => return Err("the last line is no `goal ROW COLUMN`".into()),
    };
    if row > last.0 || column > last.1 {
        return Err("X cannot stand on the goal".into());
    }
    u8::try_from(SIDE * row + column).map_err(|_| "the goal is not on the board".into())
}
