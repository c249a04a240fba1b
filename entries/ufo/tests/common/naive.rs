//! A slow solver and referee that share no code with the kit: labelled grids, one square at a time, one step at a time.
//!
//! Best answers are cheapest ways in the graph of single steps: a step by the piece that made the last one costs a
//! step, a step by another costs a move and a step. That a move turns at each stop need not be asked there: back the
//! way it came, a piece ends where its one step that way would have ended.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Rows of symbols, as in a board file.
pub(crate) type Grid = Vec<Vec<char>>;

/// A grid, and the piece that may go on with its move.
type State = (Grid, Option<char>);

pub(crate) fn grid(board: &str) -> Grid {
    board.split_whitespace().map(|row| row.chars().collect()).collect()
}

fn solved(grid: &Grid) -> bool {
    !grid.iter().flatten().any(|symbol| "XYZ".contains(*symbol))
}

/// A step: the grid after it, whether the piece is still on it, and the piece that stopped it.
struct Step {
    after: Grid,
    on_board: bool,
    stopper: char,
}

/// Makes a step; `None` if it is illegal.
fn step(grid: &Grid, piece: char, direction: char) -> Option<Step> {
    let side = grid.len();
    let on = |row: usize, column: usize| grid.get(row)?.get(column).copied().filter(|symbol| *symbol != '#');
    let (row, column) =
        (0..side * side).map(|place| (place / side, place % side)).find(|&(r, c)| on(r, c) == Some(piece))?;
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
        if ahead != '.' {
            break ahead;
        }
        (to_row, to_column) = (next_row, next_column);
    };
    if (to_row, to_column) == (row, column) {
        return None;
    }
    let leaves = "XYZ".contains(piece) && (to_row, to_column) == (side / 2, side / 2);
    let mut after = grid.clone();
    after[row][column] = '.';
    if !leaves {
        after[to_row][to_column] = piece;
    }
    Some(Step { after, on_board: !leaves, stopper })
}

/// Moves and steps of an answer that solves the board; `Err` with what is wrong.
pub(crate) fn replay(board: &str, answer: &str) -> Result<(u32, u32), String> {
    let mut grid = grid(board);
    let (mut moves, mut steps) = (0, 0);
    for token in answer.split_whitespace() {
        let (piece, way) = token.split_once('-').ok_or(format!("{token} is no move"))?;
        let piece = piece.chars().next().ok_or(format!("{token} names no piece"))?;
        moves += 1;
        let sideways: Vec<bool> = way.chars().map(|direction| "LR".contains(direction)).collect();
        if sideways.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("{token} does not turn at each stop"));
        }
        let mut on_board = true;
        for direction in way.chars() {
            if !on_board {
                return Err(format!("{token} goes on after its piece left"));
            }
            let made = step(&grid, piece, direction).ok_or(format!("{token} is illegal"))?;
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

/// How a state is reached at its cost.
#[derive(Default)]
struct Reached {
    ways: u64,
    /// The pieces that moved or stopped another, for each way that differs in them.
    involved: BTreeSet<BTreeSet<char>>,
}

/// Moves, steps and number of the best answers; `None` where there is none.
pub(crate) fn solve(board: &str) -> Option<(u32, u32, u64)> {
    best(board).map(|best| (best.moves, best.steps, best.count))
}

/// All that is to be known of the best answers; `None` where there is none.
pub(crate) fn best(board: &str) -> Option<Best> {
    let start: State = (grid(board), None);
    let numbers: BTreeSet<char> = board.chars().filter(char::is_ascii_digit).collect();
    // States by cost, cheapest first: every step costs more than nothing, so what is taken out is final.
    let mut open: BTreeMap<(u32, u32), HashMap<State, Reached>> = BTreeMap::new();
    let mut closed: HashSet<State> = HashSet::new();
    let nobody = Reached { ways: 1, involved: BTreeSet::from([BTreeSet::new()]) };
    open.entry((0, 0)).or_default().insert(start, nobody);
    while let Some(((moves, steps), states)) = open.pop_first() {
        let ends: Vec<&Reached> = states.iter().filter(|((grid, _), _)| solved(grid)).map(|(_, end)| end).collect();
        if !ends.is_empty() {
            let count = ends.iter().map(|end| end.ways).sum();
            let involved = ends.iter().flat_map(|end| &end.involved);
            let insignificant = involved.flat_map(|involved| numbers.difference(involved).copied()).collect();
            return Some(Best { moves, steps, count, insignificant });
        }
        for ((grid, mover), reached) in states {
            if !closed.insert((grid.clone(), mover)) {
                continue;
            }
            let pieces: Vec<char> = grid.iter().flatten().copied().filter(|symbol| !".#".contains(*symbol)).collect();
            for piece in pieces {
                for direction in "LRUD".chars() {
                    let Some(made) = step(&grid, piece, direction) else { continue };
                    let cost = (moves + u32::from(mover != Some(piece)), steps + 1);
                    let state = (made.after, made.on_board.then_some(piece));
                    if !closed.contains(&state) {
                        let next = open.entry(cost).or_default().entry(state).or_default();
                        next.ways += reached.ways;
                        next.involved.extend(reached.involved.iter().map(|involved| {
                            let mut involved = involved.clone();
                            involved.extend([piece, made.stopper]);
                            involved
                        }));
                    }
                }
            }
        }
    }
    None
}
