//! Generates boards by moves backwards from a solved one, so that an answer exists.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::board::{Block, Board, Corner, FREE, TARGET};
use crate::games::direction::Direction;

/// Rows of the board in the puzzle SHIFT.
const HEIGHT: usize = 5;
/// Columns of the board in the puzzle SHIFT.
const WIDTH: usize = 4;
/// Height and width of X.
const SIDE: usize = 2;
/// The goal of X: the bottom centre.
const GOAL: Corner = Corner { row: HEIGHT - SIDE, column: (WIDTH - SIDE) / 2 };
/// The number of free cells.
const FREE_CELLS: usize = 2;

/// Generates a board of the size of SHIFT with other blocks of one and two cells. It is at most `moves` moves from a solved one,
/// and is not solved itself unless `moves` is 0. The reverse of a move is a move, so the reversed walk is an answer.
pub(super) fn scrambled(moves: u32, seed: u64) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let board = loop {
        let solved = solved(&mut random);
        if moves == 0 {
            break solved;
        }
        // After only a few moves, X is often still on its goal; then new blocks are drawn.
        if let Some(board) = walk(solved, moves, &mut random) {
            break board;
        }
    };
    relabelled(&board).to_string()
}

/// Takes random moves and returns the last position that is not solved.
fn walk(mut board: Board, moves: u32, random: &mut ChaCha8Rng) -> Option<Board> {
    let (mut last, mut unsolved) = (None, None);
    for _ in 0..moves {
        // The block that moved last moves again only if no other one can: two moves of one block would be a single move.
        let others = choices(&board, last);
        let all = if others.is_empty() { choices(&board, None) } else { others };
        let &(label, to) = all.choose(random)?;
        board.put(label, to);
        last = Some(label);
        if !board.is_solved() {
            unsolved = Some(board.clone());
        }
    }
    unsolved
}

/// Puts X on its goal and covers all but two of the other cells with random blocks, in reading order.
fn solved(random: &mut ChaCha8Rng) -> Board {
    let mut board = Board::empty(HEIGHT, WIDTH, GOAL);
    board.add(TARGET, Block { height: SIDE, width: SIDE, at: GOAL });
    let mut free = bare(&board);
    free.shuffle(random);
    free.truncate(FREE_CELLS);
    for label in labels() {
        let open: Vec<Corner> = bare(&board).into_iter().filter(|cell| !free.contains(cell)).collect();
        let Some(&at) = open.first() else { break };
        let right = Corner { row: at.row, column: at.column + 1 };
        let below = Corner { row: at.row + 1, column: at.column };
        let mut sizes = vec![(1, 1)];
        sizes.extend(open.contains(&right).then_some((1, 2)));
        sizes.extend(open.contains(&below).then_some((2, 1)));
        let (height, width) = sizes[random.random_range(0..sizes.len())];
        board.add(label, Block { height, width, at });
    }
    board
}

/// Lists the free cells, in reading order.
fn bare(board: &Board) -> Vec<Corner> {
    board.cells().filter(|&(_, label)| label == FREE).map(|(cell, _)| cell).collect()
}

/// Lists the moves of all blocks except one: the block and its new corner.
fn choices(board: &Board, except: Option<u8>) -> Vec<(u8, Corner)> {
    let mut choices = Vec::new();
    for (label, block) in board.blocks().filter(|&(label, _)| Some(label) != except) {
        let mut reached = vec![block.at];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            for to in Direction::ALL.into_iter().filter_map(|direction| board.step(label, from, direction).ok()) {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        choices.extend(reached.into_iter().skip(1).map(|to| (label, to)));
    }
    choices
}

/// Renames the blocks so that their letters are in reading order.
fn relabelled(board: &Board) -> Board {
    let mut blocks: Vec<(u8, Block)> = board.blocks().collect();
    blocks.sort_by_key(|(_, block)| (block.at.row, block.at.column));
    let mut named = Board::empty(HEIGHT, WIDTH, GOAL);
    let mut labels = labels();
    for (label, block) in blocks {
        let label = if label == TARGET { Some(TARGET) } else { labels.next() };
        named.add(label.expect("at most 14 blocks besides X fit the board"), block);
    }
    named
}

/// Returns the letters of blocks other than X.
fn labels() -> impl Iterator<Item = u8> {
    (b'A'..=b'Z').filter(|&label| label != TARGET)
}
