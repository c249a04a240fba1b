//! A slow solver and referee that share no code with the library: labelled grids, one square and one step at a time.
//!
//! Best answers are cheapest paths in the graph of single steps. A step by the piece that made the last one costs a step;
//! a step by another piece costs a move and a step. The solver need not check that a move turns at each stop: a step back
//! along the same line ends where one step in that direction would have ended.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The symbols of a square board, row by row.
type Grid = Box<[u8]>;

/// A grid, and the piece that may continue its move.
type State = (Grid, Option<u8>);

/// The grid of a board, and its number of rows.
fn grid(board: &str) -> (Grid, usize) {
    let rows: Vec<&str> = board.split_whitespace().collect();
    (rows.concat().into_bytes().into(), rows.len())
}

fn is_letter(symbol: u8) -> bool {
    matches!(symbol, b'X' | b'Y' | b'Z')
}

fn solved(grid: &Grid) -> bool {
    !grid.iter().any(|&symbol| is_letter(symbol))
}

/// A step: the grid after it, true if the piece is still on the board, and the piece that stopped it.
struct Step {
    after: Grid,
    on_board: bool,
    stopper: u8,
}

/// Makes a step on a board with this many rows; `None` if it is illegal.
fn step(grid: &Grid, side: usize, piece: u8, direction: char) -> Option<Step> {
    let on = |row: usize, column: usize| {
        let symbol = (row < side && column < side).then(|| grid[row * side + column])?;
        (symbol != b'#').then_some(symbol)
    };
    let place = grid.iter().position(|&symbol| symbol == piece)?;
    let (row, column) = (place / side, place % side);
    let (mut to_row, mut to_column) = (row, column);
    let stopper = loop {
        let (next_row, next_column) = match direction {
            'L' => (to_row, to_column.checked_sub(1)?),
            'R' => (to_row, to_column + 1),
            'U' => (to_row.checked_sub(1)?, to_column),
            'D' => (to_row + 1, to_column),
            _ => return None,
        };
        let ahead = on(next_row, next_column)?;
        if ahead != b'.' {
            break ahead;
        }
        (to_row, to_column) = (next_row, next_column);
    };
    if (to_row, to_column) == (row, column) {
        return None;
    }
    let leaves = is_letter(piece) && (to_row, to_column) == (side / 2, side / 2);
    let mut after = grid.clone();
    after[place] = b'.';
    if !leaves {
        after[to_row * side + to_column] = piece;
    }
    Some(Step { after, on_board: !leaves, stopper })
}

/// Counts the moves and steps of an answer that solves the board; `Err` describes what is wrong.
pub(crate) fn replay(board: &str, answer: &str) -> Result<(u32, u32), String> {
    let (mut grid, side) = grid(board);
    let (mut moves, mut steps) = (0, 0);
    for token in answer.split_whitespace() {
        let (piece, path) = token.split_once('-').ok_or(format!("{token} is not a move"))?;
        let piece = piece.bytes().next().ok_or(format!("{token} names no piece"))?;
        moves += 1;
        let sideways: Vec<bool> = path.chars().map(|direction| "LR".contains(direction)).collect();
        if sideways.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("{token} does not turn at each stop"));
        }
        let mut on_board = true;
        for direction in path.chars() {
            if !on_board {
                return Err(format!("{token} continues after its piece left"));
            }
            let made = step(&grid, side, piece, direction).ok_or(format!("{token} is illegal"))?;
            (grid, on_board) = (made.after, made.on_board);
            steps += 1;
        }
    }
    if solved(&grid) { Ok((moves, steps)) } else { Err("a letter piece is left".to_owned()) }
}

/// The best answers to a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Best {
    pub(crate) moves: u32,
    pub(crate) steps: u32,
    pub(crate) count: u64,
    /// The number pieces that some best answer neither moves nor stops another piece against.
    pub(crate) insignificant: BTreeSet<char>,
}

/// A set of pieces: one bit per digit, then X, Y and Z.
type Pieces = u16;

fn only(piece: u8) -> Pieces {
    1 << if piece.is_ascii_digit() { piece - b'0' } else { 10 + piece - b'X' }
}

/// The cheapest paths to a state.
#[derive(Default)]
struct Reached {
    paths: u64,
    /// The sets of pieces that moved or stopped another on one of the paths.
    involved: BTreeSet<Pieces>,
}

/// Finds the moves, steps and number of the best answers; `None` if there is none.
pub(crate) fn solve(board: &str) -> Option<(u32, u32, u64)> {
    best(board).map(|best| (best.moves, best.steps, best.count))
}

/// Finds the best answers; `None` if there is none.
pub(crate) fn best(board: &str) -> Option<Best> {
    let (start, side) = grid(board);
    let numbers: Vec<u8> = board.bytes().filter(u8::is_ascii_digit).collect();
    // States by cost, cheapest first. Every step has a positive cost, so a state that is taken out is final.
    let mut open: BTreeMap<(u32, u32), HashMap<State, Reached>> = BTreeMap::new();
    let mut closed: HashSet<State> = HashSet::new();
    let no_path = Reached { paths: 1, involved: BTreeSet::from([0]) };
    open.entry((0, 0)).or_default().insert((start, None), no_path);
    while let Some(((moves, steps), states)) = open.pop_first() {
        let ends: Vec<&Reached> = states.iter().filter(|((grid, _), _)| solved(grid)).map(|(_, end)| end).collect();
        if !ends.is_empty() {
            let count = ends.iter().map(|end| end.paths).sum();
            let is_idle = |number: &u8| ends.iter().flat_map(|end| &end.involved).any(|set| set & only(*number) == 0);
            let insignificant = numbers.into_iter().filter(is_idle).map(char::from).collect();
            return Some(Best { moves, steps, count, insignificant });
        }
        for ((grid, mover), reached) in states {
            if !closed.insert((grid.clone(), mover)) {
                continue;
            }
            for &piece in grid.iter().filter(|symbol| !b".#".contains(symbol)) {
                for direction in "LRUD".chars() {
                    let Some(made) = step(&grid, side, piece, direction) else { continue };
                    let cost = (moves + u32::from(mover != Some(piece)), steps + 1);
                    let state = (made.after, made.on_board.then_some(piece));
                    if !closed.contains(&state) {
                        let next = open.entry(cost).or_default().entry(state).or_default();
                        next.paths += reached.paths;
                        let involved = only(piece) | only(made.stopper);
                        next.involved.extend(reached.involved.iter().map(|before| before | involved));
                    }
                }
            }
        }
    }
    None
}
