//! Hexa-draughts, Enigma 257 of the New Scientist (5 April 1984): the solitaire army on the triangular lattice.
//!
//! Only rules, pure. Points are (row, column), both even or both odd; the neighbours of (r, c) are (r, c±2) and (r±1, c±1). An
//! answer places men on rows up to 0, then hops. In a hop, a man jumps over a neighbour to the empty point directly beyond, in
//! any of six directions, and the jumped man is removed. The goal for row n is a single man, on row n. The index of an illegal
//! move counts men and hops together, from 1, but not the words `men` and `hops`.
use std::collections::HashSet;

use crate::figure::Figure;
use crate::game::{
    BoardError, Game, GameInfo, Generator, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, Score,
};
use crate::picture::{Picture, PictureCell};

use super::words::{Play, Position, show};

/// This game's row in the list of games.
pub(super) static INFO: GameInfo = GameInfo {
    name: "hexa-draughts",
    title: "Hexa-draughts",
    figures: Figure::of_game(["rows reached", "men used", "hops"]),
    distance: "men and rows to go",
    man: Some(MAN),
    rules_help: "no house rules",
    generators: &[(Generator::Size, "ROW")],
    open: |rules| super::without_rules(rules).map(|()| Box::new(HexaDraughts) as Box<dyn Game>),
};

/// The symbol of a man in pictures.
const MAN: char = 'o';
/// The highest goal of a board. No army reaches row 8; higher goals are allowed for experiments.
const HIGHEST_GOAL: i32 = 20;
/// Rows and columns are between -`MAX_COORDINATE` and `MAX_COORDINATE`.
const MAX_COORDINATE: i32 = 1000;
/// The most men in an answer, to bound the judge's memory; M(7) is 145.
const MAX_MEN: usize = 10_000;
/// The most rows and columns of a picture.
const MAX_SHOWN: (i32, i32) = (40, 80);

/// A point of the lattice: row and column.
type Point = (i32, i32);

struct HexaDraughts;

impl Game for HexaDraughts {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Board { goal: parse_goal(board)? }))
    }

    fn make(&self, spec: &GeneratorSpec) -> Result<String, GeneratorError> {
        match spec {
            GeneratorSpec::Size(row) if i32::try_from(*row).is_ok_and(|row| (1..=HIGHEST_GOAL).contains(&row)) => {
                Ok(format!("row {row}\n"))
            }
            GeneratorSpec::Size(row) => {
                Err(GeneratorError::invalid(Generator::Size, format!("must be 1 to {HIGHEST_GOAL}, not {row}")))
            }
            GeneratorSpec::Phrase(_) | GeneratorSpec::Random { .. } | GeneratorSpec::Scramble { .. } => {
                Err(GeneratorError::unsupported(&INFO, spec, "a board is only a row to reach"))
            }
        }
    }
}

/// Reads `row N`, with any white space around the words.
fn parse_goal(board: &[u8]) -> Result<i32, BoardError> {
    let mut words = places(board).into_iter();
    let expected = "a board is the word `row` and the row to reach, such as `row 4`";
    let at = |(row, column, _): (usize, usize, &[u8]), reason: String| BoardError::at(row, column, reason);
    let keyword = words.next().ok_or_else(|| BoardError::whole(format!("the board is empty: {expected}")))?;
    if keyword.2 != b"row" {
        return Err(at(keyword, format!("unexpected `{}`: {expected}", show(keyword.2))));
    }
    let number = words.next().ok_or_else(|| BoardError::whole(format!("the board ends after `row`: {expected}")))?;
    let goal = std::str::from_utf8(number.2).ok().and_then(|text| text.parse().ok());
    let goal = goal.filter(|goal| (1..=HIGHEST_GOAL).contains(goal)).ok_or_else(|| {
        at(number, format!("unexpected `{}`: the row to reach is 1 to {HIGHEST_GOAL}", show(number.2)))
    })?;
    match words.next() {
        None => Ok(goal),
        Some(more) => Err(at(more, format!("unexpected `{}` after the row: a board ends there", show(more.2)))),
    }
}

/// Splits a board into words, each with its row and the column of its beginning, from 0.
fn places(board: &[u8]) -> Vec<(usize, usize, &[u8])> {
    let lines = board.split(|&byte| byte == b'\n').enumerate();
    let words = lines.flat_map(|(row, line)| {
        line.split(u8::is_ascii_whitespace).scan(0, move |next, word| {
            let column = *next;
            *next += word.len() + 1;
            Some((row, column, word))
        })
    });
    words.filter(|(_, _, word)| !word.is_empty()).collect()
}

struct Board {
    goal: i32,
}

impl Puzzle for Board {
    fn start(&self) -> Box<dyn Replay> {
        Box::new(Play::new(Army::towards(self.goal)))
    }
}

/// The part of an answer that is being read, and the words that may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was read yet: `men` follows.
    Begin,
    /// The men: a man or `hops` follows.
    Men,
    /// The hops: a hop follows.
    Hops,
}

/// The men on the board, and the moves that brought them there.
struct Army {
    goal: i32,
    stage: Stage,
    men: HashSet<Point>,
    placed: u64,
    hops: u64,
    /// The points that the last move touched: the place of a new man, or the three points of a hop.
    touched: Vec<Point>,
}

impl Position for Army {
    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
        let played = match (self.stage, word) {
            (Stage::Begin, b"men") => {
                self.stage = Stage::Men;
                Ok(())
            }
            (Stage::Begin, _) => Err("an answer begins with the word `men`".to_owned()),
            (Stage::Men, b"hops") => {
                self.stage = Stage::Hops;
                Ok(())
            }
            (_, b"men" | b"hops") => Err("an answer is `men`, the men, `hops`, the hops, each word once".to_owned()),
            (Stage::Men, _) => self.place(word),
            (Stage::Hops, _) => self.hop(word),
        };
        played.map_err(|reason| self.illegal(word, reason))
    }

    fn index(&self) -> u64 {
        self.placed + self.hops + 1
    }

    /// The board is solved if a single man is left, on the goal's row. Before that, progress is the highest row with a man,
    /// between row 0 and the row below the goal.
    fn score(&self) -> Score {
        let highest = self.men.iter().map(|man| man.0).max().unwrap_or_default();
        let solved = self.men.len() == 1 && highest == self.goal;
        let progress = if solved { self.goal } else { highest.clamp(0, self.goal - 1) };
        Score {
            progress: u64::from(progress.unsigned_abs()),
            of: u64::from(self.goal.unsigned_abs()),
            moves: self.placed,
            tie_break: self.hops,
        }
    }

    /// Counts the men except one, plus the rows between the highest man and the goal.
    fn distance(&self) -> u64 {
        let Score { progress, of, .. } = self.score();
        let men = self.men.len().saturating_sub(1) as u64;
        men + of - progress
    }

    /// Draws the lattice in doubled coordinates from the goal's row down: `o` is a man, `*` the goal's row, `-` rows up
    /// to 0, `.` any other point. If the army is too large for the picture, only the part around the last move is
    /// shown.
    fn picture(&self) -> Picture {
        let (height, width) = MAX_SHOWN;
        // No army reaches a row above 7.
        let top = self.goal.max(self.rows().max().unwrap_or_default());
        let bottom = self.rows().min().unwrap_or_default().clamp(top - height + 1, -1);
        let columns = self.men.iter().chain(&self.touched).map(|point| point.1);
        // At least as wide as the goal is high, so that the picture of a small game keeps its size.
        let (mut left, mut right) =
            columns.fold((-self.goal, self.goal), |(left, right), column| (left.min(column), right.max(column)));
        if right - left >= width {
            let middle = self.touched.last().map_or(0, |point| point.1);
            left = (middle - width / 2).clamp(left, right - width + 1);
            right = left + width - 1;
        }
        let cell = |point: Point| {
            let label = match point {
                (row, column) if (row + column) % 2 != 0 => None,
                _ if self.men.contains(&point) => Some(MAN),
                (row, _) if row == self.goal => Some('*'),
                (..=0, _) => Some('-'),
                _ => Some('.'),
            };
            PictureCell { label, touched: self.touched.contains(&point) }
        };
        let cells = (bottom..=top).rev().flat_map(|row| (left..=right).map(move |column| (row, column)));
        Picture { width: (left..=right).count(), cells: cells.map(cell).collect() }
    }
}

impl Army {
    fn towards(goal: i32) -> Self {
        Self { goal, stage: Stage::Begin, men: HashSet::new(), placed: 0, hops: 0, touched: Vec::new() }
    }

    fn place(&mut self, word: &[u8]) -> Result<(), String> {
        let man = point(word, "a man is ROW,COLUMN, such as -1,3")?;
        if man.0 > 0 {
            return Err("men start on row 0 or below".into());
        }
        if self.men.contains(&man) {
            return Err("the point is taken by another man".into());
        }
        if self.men.len() == MAX_MEN {
            return Err(format!("an army has at most {MAX_MEN} men"));
        }
        self.men.insert(man);
        self.placed += 1;
        self.touched = vec![man];
        Ok(())
    }

    fn hop(&mut self, word: &[u8]) -> Result<(), String> {
        let shape = "a hop is ROW,COLUMN>ROW,COLUMN, such as -1,1>1,3";
        let mut ends = word.split(|&byte| byte == b'>');
        let (Some(from), Some(to), None) = (ends.next(), ends.next(), ends.next()) else {
            return Err(shape.into());
        };
        let (from, to) = (point(from, shape)?, point(to, shape)?);
        if !matches!((to.0 - from.0, to.1 - from.1), (0, -4 | 4) | (-2 | 2, -2 | 2)) {
            return Err("a hop goes two points straight: four columns, or two rows and two columns".into());
        }
        let over = (from.0.midpoint(to.0), from.1.midpoint(to.1));
        if !self.men.contains(&from) {
            return Err(format!("no man is on {}", named(from)));
        }
        if !self.men.contains(&over) {
            return Err(format!("no man is on {} to hop over", named(over)));
        }
        if self.men.contains(&to) {
            return Err(format!("{} is taken by another man", named(to)));
        }
        self.men.remove(&from);
        self.men.remove(&over);
        self.men.insert(to);
        self.hops += 1;
        self.touched = vec![from, over, to];
        Ok(())
    }

    /// Returns the rows that the picture must show.
    fn rows(&self) -> impl Iterator<Item = i32> {
        self.men.iter().chain(&self.touched).map(|point| point.0)
    }
}

/// Reads `ROW,COLUMN`; `shape` is the expected form of the word, for errors.
fn point(word: &[u8], shape: &str) -> Result<Point, String> {
    let mut numbers = word.split(|&byte| byte == b',');
    let (Some(row), Some(column), None) = (numbers.next(), numbers.next(), numbers.next()) else {
        return Err(shape.into());
    };
    let (row, column) = (number(row, shape)?, number(column, shape)?);
    if (row + column) % 2 != 0 {
        return Err(format!("{} is not a point: row and column must be both even or both odd", named((row, column))));
    }
    Ok((row, column))
}

fn number(digits: &[u8], shape: &str) -> Result<i32, String> {
    let magnitude = digits.strip_prefix(b"-").unwrap_or(digits);
    if magnitude.is_empty() || !magnitude.iter().all(u8::is_ascii_digit) {
        return Err(shape.into());
    }
    let value = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
    value.filter(|value| (-MAX_COORDINATE..=MAX_COORDINATE).contains(value)).ok_or_else(|| {
        format!("{} is out of range: rows and columns are -{MAX_COORDINATE} to {MAX_COORDINATE}", show(digits))
    })
}

fn named((row, column): Point) -> String {
    format!("{row},{column}")
}
