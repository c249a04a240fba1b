//! Depth-first search for an answer within a number of moves. Of the legal moves only one is left out: the inverse of the
//! last, which leads back to the same position. Positions are not remembered.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::bound::{Bound, Change, Sums};
use crate::rules::{EMPTY, Position, Puzzle, SPOTS, byte};

/// Number of beginnings that the threads share.
const BEGINNINGS: usize = 4_000;
/// Number of positions between two checks of the clock.
const PER_CHECK: u64 = 1 << 16;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Every answer has more moves.
    Nothing,
    /// There is an answer with at most the given moves.
    Answer,
    /// The deadline passed before the search was complete.
    Stopped,
}

/// Searches for an answer of at most `most` moves; also returns the number of positions looked up.
pub(crate) fn search(
    puzzle: &Puzzle,
    bound: &Bound,
    most: u8,
    threads: usize,
    deadline: Option<Instant>,
) -> (Found, u64) {
    let begun = beginnings(puzzle, bound, most);
    let Some(paths) = begun else { return (Found::Answer, 0) };
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let result = Mutex::new((Found::Nothing, 0));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut walker = Walker::new(puzzle, bound, deadline, &stop);
                let mut found = Found::Nothing;
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if walker.follow(path, most) {
                        found = Found::Answer;
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                if walker.late {
                    found = Found::Stopped;
                }
                let mut result = result.lock().expect("no thread panics with the result");
                result.1 += walker.nodes;
                if found == Found::Answer || result.0 == Found::Nothing {
                    result.0 = found;
                }
            });
        }
    });
    result.into_inner().expect("no thread panicked")
}

/// Paths of the empty spot from the start, all of one length, that the bound does not exclude; `None` if one of them, or
/// a shorter one, is an answer.
fn beginnings(puzzle: &Puzzle, bound: &Bound, most: u8) -> Option<Vec<Vec<u8>>> {
    let empty = puzzle.start.iter().position(|&tile| tile == EMPTY).expect("an empty spot");
    let mut paths = vec![vec![byte(empty)]];
    for left in (0..=most).rev() {
        let positions: Vec<Position> = paths.iter().map(|path| played(puzzle, path)).collect();
        let bounds: Vec<u8> = positions.iter().map(|position| bound.sums(position).bound()).collect();
        if bounds.contains(&0) {
            return None;
        }
        if paths.len() >= BEGINNINGS || left == 0 {
            break;
        }
        let mut longer = Vec::new();
        for (path, bound) in paths.iter().zip(bounds) {
            let (empty, before) = ends(path);
            for to in puzzle.empty_after(empty).into_iter().filter(|&to| Some(to) != before && bound <= left) {
                longer.push([path.as_slice(), &[byte(to)]].concat());
            }
        }
        paths = longer;
    }
    Some(paths)
}

/// The last spot of a path and the one before it.
fn ends(path: &[u8]) -> (usize, Option<usize>) {
    let mut spots = path.iter().rev().map(|&spot| usize::from(spot));
    (spots.next().expect("a path begins with a spot"), spots.next())
}

/// The position after a path of the empty spot.
fn played(puzzle: &Puzzle, path: &[u8]) -> Position {
    let mut position = puzzle.start;
    for step in path.windows(2) {
        position.swap(step[0].into(), step[1].into());
    }
    position
}

/// The search of one thread.
struct Walker<'a> {
    puzzle: &'a Puzzle,
    bound: &'a Bound,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    /// By empty spot, where it can be one move later.
    steps: [Vec<usize>; SPOTS],
    position: Position,
    sums: Sums,
    /// A stack with the moves from all positions of the current path.
    moves: Vec<(usize, Change)>,
    nodes: u64,
    next_check: u64,
    late: bool,
}

impl<'a> Walker<'a> {
    fn new(puzzle: &'a Puzzle, bound: &'a Bound, deadline: Option<Instant>, stop: &'a AtomicBool) -> Walker<'a> {
        Walker {
            puzzle,
            bound,
            deadline,
            stop,
            steps: std::array::from_fn(|empty| puzzle.empty_after(empty)),
            position: puzzle.start,
            sums: Sums::default(),
            moves: Vec::new(),
            nodes: 0,
            next_check: PER_CHECK,
            late: false,
        }
    }

    /// Searches on after a beginning; true if an answer of at most `most` moves continues it.
    fn follow(&mut self, path: &[u8], most: u8) -> bool {
        let (empty, before) = ends(path);
        self.position = played(self.puzzle, path);
        self.sums = self.bound.sums(&self.position);
        let made = byte(path.len() - 1);
        made + self.sums.bound() <= most && self.descend(empty, before.unwrap_or(empty), most - made)
    }

    /// Searches all moves with `left` moves left; true if the goal was found.
    fn descend(&mut self, empty: usize, before: usize, left: u8) -> bool {
        // Only the goal has a bound of 0.
        if self.sums.sum[0] == 0 {
            return true;
        }
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + PER_CHECK;
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.late = true;
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        // All look-ups start before the first is used, so that the waits for memory overlap.
        let begin = self.moves.len();
        for &to in self.steps[empty].iter().filter(|&&to| to != before) {
            self.moves.push((to, self.bound.change(&self.sums, self.position[to], to, empty)));
        }
        let end = self.moves.len();
        self.nodes += (end - begin) as u64;
        let mut found = false;
        for number in begin..end {
            let (to, change) = self.moves[number];
            if change.bound() >= left || found || self.stop.load(Ordering::Relaxed) {
                continue;
            }
            let undo = self.sums.apply(&change);
            self.position.swap(empty, to);
            found = self.descend(to, empty, left - 1);
            self.position.swap(empty, to);
            self.sums.apply(&undo);
        }
        self.moves.truncate(begin);
        found
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::bound::{Library, SMALL};
    use crate::rules::{End, parse};

    #[test]
    fn all_boards_up_to_7_moves_from_the_goal_are_searched_as_far_as_their_distance() {
        // From the goal, by undone moves, level by level.
        let goal = Puzzle::new(&parse("ABCDEFGHIJKLMNOPQRSTUVWX+").unwrap(), End::Goal);
        let mut seen = HashSet::from([goal.start]);
        let mut level = vec![goal.start];
        let library = Library::default();
        let mut searched = 0;
        for distance in 1..=7_u8 {
            let mut next = Vec::new();
            for position in level {
                let empty = position.iter().position(|&tile| tile == EMPTY).unwrap();
                for to in goal.empty_after(empty) {
                    let mut after = position;
                    after.swap(empty, to);
                    if seen.insert(after) {
                        next.push(after);
                    }
                }
            }
            for position in next.iter().step_by(97) {
                let board = position.map(|tile| if tile == EMPTY { SPOTS - 1 } else { usize::from(tile) });
                for end in [End::Board, End::Goal] {
                    let puzzle = Puzzle::new(&board, end);
                    assert_eq!(puzzle.parity(), distance % 2);
                    let bound = Bound::new(&puzzle, SMALL, &library);
                    assert!(bound.sums(&puzzle.start).bound() <= distance);
                    for most in 0..=distance {
                        let expected = if most < distance { Found::Nothing } else { Found::Answer };
                        let found = search(&puzzle, &bound, most, 2, None).0;
                        assert_eq!(found, expected, "{board:?} {end:?} {most} of {distance}");
                    }
                    searched += 1;
                }
            }
            level = next;
        }
        assert!(searched > 50, "{searched}");
    }
}
