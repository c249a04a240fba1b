//! The board of SHIFT: parsing, the positions of blocks, and the obstacles of a step.
//!
//! Sets of cells are 64 bits: bit 8 × row + column for boards of any size.

use std::fmt;

use crate::game::{BoardError, show_byte};
use crate::games::direction::Direction;

/// The block that must reach the goal.
pub(super) const TARGET: u8 = b'X';
/// A free cell's symbol in a board file.
pub(super) const FREE: u8 = b'.';
/// The most rows and the most columns.
const LARGEST: usize = 8;
/// The number of block labels: A to Z.
const LETTERS: usize = 26;
/// The word before the coordinates of the goal.
const GOAL: &[u8] = b"goal";

/// A cell, from 0. The position of a block is the cell of its top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Corner {
    pub(super) fn bit(self) -> u64 {
        1 << (LARGEST * self.row + self.column)
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row + 1, self.column + 1)
    }
}

/// The obstacle of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    Edge,
    /// Another block, and the first of its cells that the step needs.
    Block {
        label: u8,
        cell: Corner,
    },
}

/// A block: its height and width in cells, and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) height: usize,
    pub(super) width: usize,
    pub(super) at: Corner,
}

impl Block {
    fn footprint(self) -> u64 {
        let row = ((1 << self.width) - 1) << self.at.column;
        (self.at.row..self.at.row + self.height).fold(0, |cells, line| cells | row << (LARGEST * line))
    }
}

/// A position: blocks on a rectangle of cells.
#[derive(Debug, Clone)]
pub(super) struct Board {
    height: usize,
    width: usize,
    /// The block of each letter, A first; `None` if the board has no such block.
    blocks: [Option<Block>; LETTERS],
    goal: Corner,
}

impl Board {
    /// Returns a board without blocks.
    pub(super) fn empty(height: usize, width: usize, goal: Corner) -> Self {
        Self { height, width, blocks: [None; LETTERS], goal }
    }

    /// Parses words: one per row, then `goal ROW COLUMN` unless the goal of `X` is the bottom centre.
    pub(super) fn parse(text: &[u8]) -> Result<Self, BoardError> {
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let mut rows: Vec<&[u8]> = Vec::new();
        let mut goal = None;
        for word in &mut words {
            if word == GOAL {
                goal = Some(());
                break;
            }
            check_row(word, &rows)?;
            rows.push(word);
        }
        let Some(first) = rows.first() else {
            return Err(BoardError::whole("the board is empty: rows such as `AXXB` are needed"));
        };
        let mut board = Self::empty(rows.len(), first.len(), Corner { row: 0, column: 0 });
        for label in b'A'..=b'Z' {
            board.blocks[index(label)] = find_block(&rows, label)?;
        }
        let Some(target) = board.block(TARGET) else {
            return Err(BoardError::whole("block X, which must reach the goal, is missing"));
        };
        board.goal = match goal {
            Some(()) => board.read_goal(target, &words.collect::<Vec<_>>())?,
            None => board.bottom_centre(target)?,
        };
        Ok(board)
    }

    fn bottom_centre(&self, target: Block) -> Result<Corner, BoardError> {
        let (row, margin) = (self.height - target.height, self.width - target.width);
        if !margin.is_multiple_of(2) {
            return Err(BoardError::whole(format!(
                "X is {} wide and the board {}, so X cannot be at the bottom centre: end the board with a line that \
                 gives the goal of its top left corner, such as `goal {} {}`",
                target.width,
                self.width,
                row + 1,
                margin / 2 + 1
            )));
        }
        Ok(Corner { row, column: margin / 2 })
    }

    fn read_goal(&self, target: Block, words: &[&[u8]]) -> Result<Corner, BoardError> {
        let number = |word: &[u8]| std::str::from_utf8(word).ok()?.parse::<usize>().ok();
        let (row, column) = match words {
            &[row, column] => number(row).zip(number(column)),
            _ => None,
        }
        .ok_or_else(|| {
            BoardError::whole(
                "the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`",
            )
        })?;
        let (rows, columns) = (self.height - target.height + 1, self.width - target.width + 1);
        if !(1..=rows).contains(&row) || !(1..=columns).contains(&column) {
            return Err(BoardError::whole(format!(
                "the goal of X, row {row}, column {column}, is not on the board: its top left corner must be \
                 in rows 1 to {rows}, columns 1 to {columns}"
            )));
        }
        Ok(Corner { row: row - 1, column: column - 1 })
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns true if X is on its goal.
    pub(super) fn is_solved(&self) -> bool {
        self.find(TARGET) == Some(self.goal)
    }

    /// Returns the rows and columns between X and its goal; 0 for a board without X, which cannot result from parsing.
    pub(super) fn distance(&self) -> usize {
        let between = |at: Corner| at.row.abs_diff(self.goal.row) + at.column.abs_diff(self.goal.column);
        self.find(TARGET).map_or(0, between)
    }

    /// Returns the block of a letter.
    fn block(&self, label: u8) -> Option<Block> {
        self.blocks[index(label)]
    }

    /// Returns the blocks with their letters.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (u8, Block)> {
        (b'A'..=b'Z').filter_map(|label| Some((label, self.block(label)?)))
    }

    /// Returns a block's top left corner.
    pub(super) fn find(&self, label: u8) -> Option<Corner> {
        Some(self.block(label)?.at)
    }

    /// Returns the cells of a block, as bits; 0 if the board has no such block.
    pub(super) fn footprint(&self, label: u8) -> u64 {
        self.block(label).map_or(0, Block::footprint)
    }

    /// Returns the cells of X on its goal, as bits.
    pub(super) fn goal_footprint(&self) -> u64 {
        self.block(TARGET).map_or(0, |block| Block { at: self.goal, ..block }.footprint())
    }

    /// Sets the position of the block with this label, if it exists.
    pub(super) fn put(&mut self, label: u8, at: Corner) {
        if let Some(block) = &mut self.blocks[index(label)] {
            block.at = at;
        }
    }

    /// Adds a block, and replaces any other one with this label.
    pub(super) fn add(&mut self, label: u8, block: Block) {
        self.blocks[index(label)] = Some(block);
    }

    /// Returns the corner after one step of a block from `at`, which need not be its position.
    pub(super) fn step(&self, label: u8, at: Corner, direction: Direction) -> Result<Corner, Obstacle> {
        let Block { height, width, .. } = self.block(label).ok_or(Obstacle::Edge)?;
        let Corner { row, column } = at;
        let to = match direction {
            Direction::Left => column.checked_sub(1).map(|column| Corner { row, column }),
            Direction::Right => (column + width < self.width).then(|| Corner { row, column: column + 1 }),
            Direction::Up => row.checked_sub(1).map(|row| Corner { row, column }),
            Direction::Down => (row + height < self.height).then(|| Corner { row: row + 1, column }),
        };
        let at = to.ok_or(Obstacle::Edge)?;
        let needed = Block { height, width, at }.footprint();
        match self.blocks().find(|&(other, block)| other != label && block.footprint() & needed != 0) {
            None => Ok(at),
            Some((label, block)) => {
                let bit = (block.footprint() & needed).trailing_zeros() as usize;
                Err(Obstacle::Block { label, cell: Corner { row: bit / LARGEST, column: bit % LARGEST } })
            }
        }
    }

    /// Returns every cell in reading order, with its block's letter or [`FREE`].
    pub(super) fn cells(&self) -> impl Iterator<Item = (Corner, u8)> {
        (0..self.height).flat_map(move |row| (0..self.width).map(move |column| Corner { row, column })).map(|cell| {
            let block = self.blocks().find(|(_, block)| block.footprint() & cell.bit() != 0);
            (cell, block.map_or(FREE, |(label, _)| label))
        })
    }
}

/// Writes the text of a board file without a goal line, for boards whose goal is the bottom centre.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, label) in self.cells() {
            write!(f, "{}", char::from(label))?;
            if cell.column + 1 == self.width {
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

fn index(label: u8) -> usize {
    usize::from(label - b'A')
}

fn refused(Corner { row, column }: Corner, reason: String) -> BoardError {
    BoardError::at(row, column, reason)
}

/// Checks that a word can be the next row.
fn check_row(word: &[u8], rows: &[&[u8]]) -> Result<(), BoardError> {
    let row = rows.len();
    let at = |column| Corner { row, column };
    if let Some(column) = word.iter().position(|&symbol| symbol != FREE && !symbol.is_ascii_uppercase()) {
        let shown = show_byte(word[column]);
        let hint = if word[column].is_ascii_lowercase() { " in capital letters" } else { "" };
        let reason = format!("unexpected `{shown}`: blocks are A to Z{hint}, `.` is free");
        return Err(refused(at(column), reason));
    }
    if row == LARGEST {
        return Err(refused(at(0), format!("a board has at most {LARGEST} rows")));
    }
    if word.len() > LARGEST {
        return Err(refused(at(LARGEST), format!("a board has at most {LARGEST} columns")));
    }
    match rows.first() {
        Some(first) if first.len() != word.len() => {
            let (has, wants) = (word.len(), first.len());
            let reason = format!("this row has {has} cells and the first one {wants}: all rows must have one length");
            Err(refused(at(has.min(wants)), reason))
        }
        _ => Ok(()),
    }
}

/// Finds the block of a letter; `None` if the board has no such block.
fn find_block(rows: &[&[u8]], label: u8) -> Result<Option<Block>, BoardError> {
    let cells: Vec<Corner> = rows
        .iter()
        .enumerate()
        .flat_map(|(row, line)| (0..line.len()).map(move |column| Corner { row, column }))
        .filter(|cell| rows[cell.row][cell.column] == label)
        .collect();
    let (Some(&first), Some(last)) = (cells.first(), cells.last()) else {
        return Ok(None);
    };
    let shown = char::from(label);
    if let Some(&apart) = cells.iter().find(|cell| !connected(&cells, first).contains(cell)) {
        let reason =
            format!("`{shown}` is here and, separately, in {first}: each block is one piece and has its own letter");
        return Err(refused(apart, reason));
    }
    let left = cells.iter().map(|cell| cell.column).min().unwrap_or(first.column);
    let right = cells.iter().map(|cell| cell.column).max().unwrap_or(first.column);
    let corners = (first.row..=last.row).flat_map(|row| (left..=right).map(move |column| Corner { row, column }));
    if let Some(hole) = corners.into_iter().find(|cell| !cells.contains(cell)) {
        let reason = format!("block {shown} is not a rectangle: it lacks this cell");
        return Err(refused(hole, reason));
    }
    Ok(Some(Block { height: last.row - first.row + 1, width: right - left + 1, at: first }))
}

/// Returns the cells that are connected with the first one.
fn connected(cells: &[Corner], first: Corner) -> Vec<Corner> {
    let mut reached = vec![first];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        let adjacent = |cell: &Corner| cell.row.abs_diff(from.row) + cell.column.abs_diff(from.column) == 1;
        let new: Vec<Corner> = cells.iter().copied().filter(|cell| adjacent(cell) && !reached.contains(cell)).collect();
        reached.extend(new);
    }
    reached
}
