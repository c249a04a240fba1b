//! Frogs and toads, the n-game: n black and n red pieces in a row change sides across an empty square.
//!
//! Only rules, pure. A board file is the start position, `BBB.RRR` for n = 3. Black moves right and red moves left, never back:
//! one square into the empty one, or a hop into it over a piece of the other colour. An answer consists of pairs such as `3 ->
//! 4`, separated by any white space. Squares count from 1 at the left. A pair may follow its number, `1. 3 -> 4`, as the program
//! of the source prints it. Every answer that solves a board has n(n + 2) moves, n² of them hops.

use std::fmt;

use crate::figure::Figure;
use crate::game::{
    BoardError, Game, GameInfo, Generator, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, Score, show_byte,
};
use crate::picture::{Picture, PictureCell};

use super::words::{Play, Position, show};

/// This game's row in the list of games.
pub(super) static INFO: GameInfo = GameInfo {
    name: "swap",
    title: "Frogs and toads",
    figures: Figure::of_game(["pieces home", "moves", "hops"]),
    distance: "squares to go",
    man: None,
    rules_help: "no house rules",
    generators: &[(Generator::Size, "N")],
    open: |rules| super::without_rules(rules).map(|()| Box::new(Swap) as Box<dyn Game>),
};

const BLACK: u8 = b'B';
const RED: u8 = b'R';
const EMPTY: u8 = b'.';

/// The most pieces per colour. Its board, 2n + 1 squares and a line end, fits the 1 MiB limit of a board file.
const LARGEST: u32 = (1 << 19) - 1;

struct Swap;

impl Game for Swap {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Start { pieces: parse(board)? }))
    }

    fn make(&self, spec: &GeneratorSpec) -> Result<String, GeneratorError> {
        match spec {
            GeneratorSpec::Size(size @ 1..=LARGEST) => {
                let row = Row::start(usize::try_from(*size).expect("a u32 fits a usize"));
                Ok(row.squares.iter().map(|&square| char::from(square)).chain(['\n']).collect())
            }
            GeneratorSpec::Size(size) => Err(GeneratorError::invalid(
                Generator::Size,
                format!("must be 1 to {LARGEST} pieces per colour, not {size}"),
            )),
            GeneratorSpec::Phrase(_) | GeneratorSpec::Random { .. } | GeneratorSpec::Scramble { .. } => {
                Err(GeneratorError::unsupported(&INFO, spec, "it has one board of each size"))
            }
        }
    }
}

/// Parses a start position and returns its number of pieces per colour. White space around the row is ignored.
fn parse(board: &[u8]) -> Result<usize, BoardError> {
    let at = |index: usize, reason: String| {
        let before = &board[..index];
        let row = before.iter().filter(|&&byte| byte == b'\n').count();
        let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
        BoardError::at(row, column, reason)
    };
    let Some(first) = board.iter().position(|byte| !byte.is_ascii_whitespace()) else {
        return Err(BoardError::whole("the board is empty: a row such as `BBB.RRR` is needed"));
    };
    let squares = board[first..].trim_ascii_end();
    let run = |from: usize, symbol: u8| squares.iter().skip(from).take_while(|&&byte| byte == symbol).count();
    let black = run(0, BLACK);
    let red = run(black + 1, RED);
    // The first wrong square, or the end of the row, and the expected text there.
    let (next, expected) = if black == 0 {
        (0, "a board begins with the black pieces, `B`")
    } else if squares.get(black) != Some(&EMPTY) {
        (black, "the empty square, `.`, follows the black pieces")
    } else {
        (black + 1 + red, "only the red pieces, `R`, follow the empty square")
    };
    if let Some(&byte) = squares.get(next) {
        let shown = show_byte(byte);
        let reason = match byte {
            BLACK | RED | EMPTY => format!("unexpected `{shown}`: {expected}"),
            _ if byte.is_ascii_whitespace() => format!("unexpected white space: {expected}"),
            _ => format!("unexpected `{shown}`: {expected}"),
        };
        return Err(at(first + next, reason));
    }
    if next == black {
        return Err(at(first + next, format!("the row ends here: {expected}")));
    }
    if red != black {
        // The first extra red piece, or the square of the first missing one.
        let place = first + black + 1 + red.min(black);
        return Err(at(place, format!("{black} black and {red} red pieces: their numbers must be equal")));
    }
    Ok(black)
}

/// A parsed board, defined by its number of pieces per colour.
struct Start {
    pieces: usize,
}

impl Puzzle for Start {
    fn start(&self) -> Box<dyn Replay> {
        Box::new(Play::new(Pairs { row: Row::start(self.pieces), begun: Vec::new() }))
    }

    fn goal(&self) -> Vec<Option<char>> {
        let half = |colour: u8| vec![Some(char::from(colour)); self.pieces];
        [half(RED), vec![Some(EMPTY.into())], half(BLACK)].concat()
    }
}

/// A position, and the words of an incomplete move.
struct Pairs {
    row: Row,
    /// The words of an incomplete pair, separated by spaces.
    begun: Vec<u8>,
}

impl Position for Pairs {
    fn word(&mut self, word: &[u8]) -> Result<(), IllegalMove> {
        if !self.begun.is_empty() {
            self.begun.push(b' ');
        }
        self.begun.extend_from_slice(word);
        let played = without_number(&self.begun, self.index())
            .and_then(read_pair)
            .and_then(|pair| pair.map(|(from, to)| self.row.go(from, to)).transpose());
        match played {
            Ok(Some(())) => self.begun.clear(),
            Ok(None) => {}
            Err(reason) => return Err(self.illegal(&self.begun, reason)),
        }
        Ok(())
    }

    fn end(&self) -> Result<(), IllegalMove> {
        match self.begun.is_empty() {
            true => Ok(()),
            false => Err(self.illegal(&self.begun, "the answer ends within this pair".into())),
        }
    }

    fn index(&self) -> u64 {
        self.row.moves + 1
    }

    fn score(&self) -> Score {
        let Row { pieces, home, moves, hops, .. } = self.row;
        Score { progress: home, of: 2 * pieces as u64, moves, tie_break: hops }
    }

    /// Sums the squares that the pieces still have to move.
    fn distance(&self) -> u64 {
        let pieces = self.row.pieces;
        // Pieces of one colour are interchangeable, so sums are enough.
        let sum = |colour: u8| {
            let squares = self.row.squares.iter().enumerate().filter(|&(_, &square)| square == colour);
            squares.map(|(index, _)| index).sum::<usize>()
        };
        let black_home = (pieces + 1..=2 * pieces).sum::<usize>();
        let red_home = (0..pieces).sum::<usize>();
        (black_home - sum(BLACK) + sum(RED) - red_home) as u64
    }

    fn picture(&self) -> Picture {
        let Row { squares, last, .. } = &self.row;
        let touched = |index| last.is_some_and(|(from, to)| index == from || index == to);
        let cells = squares.iter().enumerate();
        let cells = cells.map(|(index, &label)| PictureCell { label: Some(label.into()), touched: touched(index) });
        Picture { width: squares.len(), cells: cells.collect() }
    }
}

/// The row after the moves so far.
struct Row {
    /// The number of pieces of each colour.
    pieces: usize,
    squares: Vec<u8>,
    /// The number of pieces on a square of the goal. It is updated move by move, so that no move scans the whole row.
    home: u64,
    moves: u64,
    hops: u64,
    /// Both ends of the last move, as indices into `squares`.
    last: Option<(usize, usize)>,
}

impl Row {
    fn start(pieces: usize) -> Self {
        let squares = [vec![BLACK; pieces], vec![EMPTY], vec![RED; pieces]].concat();
        Self { pieces, squares, home: 0, moves: 0, hops: 0, last: None }
    }

    /// Plays a move. An illegal one changes nothing; the error is the reason.
    fn go(&mut self, from: Square<'_>, to: Square<'_>) -> Result<(), String> {
        let (start, end) = (self.index_of(from)?, self.index_of(to)?);
        let colour = self.squares[start];
        if colour == EMPTY {
            return Err(format!("no piece is on square {from}"));
        }
        if self.squares[end] != EMPTY {
            return Err(format!("square {to} is taken by a {} piece", name(self.squares[end])));
        }
        match (colour, end > start) {
            (BLACK, false) => return Err("black pieces only move right".into()),
            (RED, true) => return Err("red pieces only move left".into()),
            _ => {}
        }
        let hop = match start.abs_diff(end) {
            1 => false,
            2 => {
                let between = self.squares[usize::midpoint(start, end)];
                if between == colour {
                    return Err(format!("a {0} piece cannot hop over another {0} one", name(colour)));
                }
                true
            }
            _ => return Err("too far: a piece moves one square, or two over a piece of the other colour".into()),
        };
        self.squares.swap(start, end);
        let at_goal = |index: usize| if colour == BLACK { index > self.pieces } else { index < self.pieces };
        // No piece moves back, so no piece leaves its goal.
        self.home += u64::from(at_goal(end) && !at_goal(start));
        self.moves += 1;
        self.hops += u64::from(hop);
        self.last = Some((start, end));
        Ok(())
    }

    fn index_of(&self, square: Square<'_>) -> Result<usize, String> {
        let number: Option<usize> = square.0.parse().ok();
        let index = number.and_then(|number| number.checked_sub(1)).filter(|&index| index < self.squares.len());
        index.ok_or_else(|| format!("invalid square {square}: the board has squares 1 to {}", self.squares.len()))
    }
}

/// Returns the name of a piece's colour.
fn name(colour: u8) -> &'static str {
    if colour == BLACK { "black" } else { "red" }
}

/// A square in the notation of the answer: any number of digits.
#[derive(Clone, Copy)]
struct Square<'a>(&'a str);

impl fmt::Display for Square<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&show(self.0.as_bytes()))
    }
}

/// Removes the number of a move, such as `1.`, from the front of its pair, if present. It must be the number of this move.
fn without_number(text: &[u8], index: u64) -> Result<&[u8], String> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    match rest {
        [b'.'] | [b'.', b' ', ..] if digits > 0 => {
            let given: Option<u64> = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
            if given == Some(index) {
                Ok(rest[1..].trim_ascii_start())
            } else {
                let number = show(number);
                Err(format!("this is move {index}, not {number}: number moves from 1, or leave the numbers out"))
            }
        }
        _ => Ok(text),
    }
}

/// Reads a pair; `None` if it is incomplete so far.
fn read_pair(text: &[u8]) -> Result<Option<(Square<'_>, Square<'_>)>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let (from, rest) = read_square(text)?;
    if rest.is_empty() {
        return Ok(None);
    }
    let Some(rest) = rest.trim_ascii_start().strip_prefix(b"->") else {
        return Err(format!("`->` must follow square {from}: a move is a pair such as 3 -> 4"));
    };
    let rest = rest.trim_ascii_start();
    if rest.is_empty() {
        return Ok(None);
    }
    let (to, rest) = read_square(rest)?;
    if rest.is_empty() { Ok(Some((from, to))) } else { Err(format!("unexpected `{}` after the pair", show(rest))) }
}

/// Reads a number from the front of a text; returns it and the rest.
fn read_square(text: &[u8]) -> Result<(Square<'_>, &[u8]), String> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (square, rest) = text.split_at(digits);
    match std::str::from_utf8(square) {
        Ok(square) if digits > 0 => Ok((Square(square), rest)),
        _ => Err(format!("unexpected `{}`: a move is a pair such as 3 -> 4", show(text))),
    }
}
