//! An anytime sample entry for Loyd's Dilemma in Rust: it has an answer immediately and improves it while there is time.
//!
//! Called as `anytime BOARD_FILE`; prints its moves on one line. Build: `rustc -O -o anytime anytime.rs`; it needs no
//! crate.
//!
//! The judge stops the clock when the program exits, and an answer counts only if it exits before the limit. So:
//!   1. find any answer;
//!   2. look for a shorter one, again and again, until the time is nearly up;
//!   3. print the best one, and exit.
//!
//! A contest with a grace period sends SIGTERM at the limit. This program is ready before; one that uses the grace
//! period needs a crate such as `signal-hook` to notice the signal.
//! A contest that takes a stream of answers sets JUDGE_STREAM. Then each better answer is printed immediately, and the
//! last one counts even if the limit ends the program.
//!
//! An answer places one tile after the other, each by the fewest moves that disturb no placed tile. Step 2 changes the
//! order at random and keeps a change that does not make the answer longer.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const SPOTS: usize = 25;
const CENTRE: usize = 12;
const PERFECTION: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWX+";
/// The board that CLOSING, four moves, turns into perfection.
const PATTERN: &[u8] = b"ABCDEFGHIJKL+MNPQRSOUVWXT";
const CLOSING: &str = "lluu";
/// From the border inwards; walls no tile in.
const ORDER: &[u8] = b"AEUTBDFJOPVXCKNWGHILMQRS";

/// The spot of the tile that a move takes to the empty spot; `None` if the move is illegal.
fn source(empty: usize, step: char) -> Option<usize> {
    match step {
        'u' if empty < 20 => Some(empty + 5),
        'd' if empty > 4 => Some(empty - 5),
        'l' if empty % 5 < 4 => Some(empty + 1),
        'r' if empty % 5 > 0 => Some(empty - 1),
        't' if empty != CENTRE => Some(CENTRE),
        _ => None,
    }
}

/// The fewest moves that take the tile from its spot to the goal and touch no fixed spot, by a breadth-first search over
/// pairs of the tile's spot and the empty spot.
fn shortest(tile: usize, empty: usize, goal: usize, fixed: &[bool; SPOTS]) -> Option<String> {
    let start = (tile, empty);
    let mut reached = [[None; SPOTS]; SPOTS];
    reached[tile][empty] = Some((start, '.'));
    let mut queue = VecDeque::from([start]);
    while let Some((tile, empty)) = queue.pop_front() {
        if tile == goal {
            let mut moves = Vec::new();
            let mut at = (tile, empty);
            while at != start {
                let (before, step) = reached[at.0][at.1].expect("a pair in the queue was reached");
                moves.push(step);
                at = before;
            }
            return Some(moves.into_iter().rev().collect());
        }
        for step in ['u', 'd', 'l', 'r', 't'] {
            let Some(from) = source(empty, step).filter(|&from| !fixed[from]) else { continue };
            let after = (if from == tile { empty } else { tile }, from);
            if reached[after.0][after.1].is_none() {
                reached[after.0][after.1] = Some(((tile, empty), step));
                queue.push_back(after);
            }
        }
    }
    None
}

fn find(board: &[u8], symbol: u8) -> usize {
    board.iter().position(|&other| other == symbol).expect("every symbol is on the board")
}

/// The answer that places the tiles in this order; `None` if the order walls a tile in.
fn solve(board: &[u8], order: &[u8]) -> Option<String> {
    let mut board = board.to_vec();
    let mut fixed = [false; SPOTS];
    let mut answer = String::new();
    for &symbol in order {
        let (mut empty, goal) = (find(&board, b'+'), find(PATTERN, symbol));
        let moves = shortest(find(&board, symbol), empty, goal, &fixed)?;
        for step in moves.chars() {
            let from = source(empty, step).expect("the search makes legal moves");
            board.swap(empty, from);
            empty = from;
        }
        answer += &moves;
        fixed[goal] = true;
    }
    Some(answer + CLOSING)
}

/// The 25 symbols of a board file.
fn read_board(path: &str) -> Result<Vec<u8>, String> {
    let mut board = std::fs::read(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    board.retain(|symbol| !symbol.is_ascii_whitespace());
    let mut sorted = board.clone();
    let mut wanted = PERFECTION.to_vec();
    sorted.sort_unstable();
    wanted.sort_unstable();
    if sorted == wanted { Ok(board) } else { Err(format!("invalid board in {path}: use A to X and + once each")) }
}

/// Random numbers from a seed, by xorshift; the standard library has none.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

fn main() -> Result<(), String> {
    let begun = Instant::now();
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path] = &arguments[..] else { return Err("give the path of a board file as the only argument".into()) };
    let board = read_board(path)?;

    // The limit counts from the start of the process to its end: leave time to start and to exit.
    let limit = std::env::var("JUDGE_LIMIT_MS").ok().and_then(|limit| limit.parse().ok()).unwrap_or(10_000);
    let deadline = begun + Duration::from_millis(limit - (limit / 10 + 100).min(2_000).min(limit));

    let mut order = ORDER.to_vec();
    let mut best = solve(&board, &order).expect("this order walls no tile in");
    let stream = std::env::var_os("JUDGE_STREAM").is_some();
    if stream {
        println!("{best}");
    }
    let mut random = Random(1); // the same seed always, so that a run can be repeated
    while Instant::now() < deadline {
        let mut changed = order.clone();
        changed.swap(random.below(ORDER.len()), random.below(ORDER.len()));
        if let Some(answer) = solve(&board, &changed).filter(|answer| answer.len() <= best.len()) {
            if stream && answer.len() < best.len() {
                println!("{answer}");
            }
            best = answer;
            order = changed;
        }
    }
    println!("{best}");
    Ok(())
}
