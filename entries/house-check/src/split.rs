//! Answers in two parts: to the last visit of the empty spot to the centre, and from there to the far end.
//!
//! A table ignores the empty spot, so it counts few of the moves that bring the empty spot home. The second parts are
//! found by a breadth-first search from the far end that ends at the centre. Each position that it reaches there is a
//! separate goal for the first part, with the moves that are left. In such a goal the four rectangles contain all
//! tiles.
//!
//! Every answer is found: one that visits the centre has a last visit, and from that position the breadth-first
//! search finds a path to the far end that is at most as long as the answer's own. One that does not visit the centre
//! is found by that search.

use std::collections::HashSet;

use crate::bound::Bound;
use crate::rules::{CENTRE, EMPTY, Position, Puzzle, SPOTS, byte};
use crate::search::Root;

/// The possible first parts.
pub(crate) enum Parts {
    /// There is an answer without a visit to the centre.
    Answer,
    /// A search of one of these finds an answer, if there is one.
    Roots(Vec<Root>),
}

/// Finds the first parts of answers of at most `most` moves, for the puzzle from the far end with its bound.
pub(crate) fn first_parts(far: &Puzzle, bound: &Bound, most: u8) -> Parts {
    let mut roots = Vec::new();
    let empty = far.start.iter().position(|&tile| tile == EMPTY).expect("an empty spot");
    let mut seen = HashSet::from([far.start]);
    let mut level = Vec::new();
    match () {
        () if bound.sums(&far.start).bound() == 0 => return Parts::Answer,
        () if empty == CENTRE => roots.push(Root { start: as_goal(far, &far.start), left: most }),
        () => level.push((far.start, empty)),
    }
    for left in (0..most).rev() {
        let mut next = Vec::new();
        for (position, empty) in level {
            for to in far.empty_after(empty) {
                let mut after = position;
                after.swap(empty, to);
                if !seen.insert(after) {
                    continue;
                }
                let least = bound.sums(&after).bound();
                if least == 0 {
                    return Parts::Answer;
                }
                if least > left {
                    continue;
                }
                if to == CENTRE {
                    roots.push(Root { start: as_goal(far, &after), left });
                } else {
                    next.push((after, to));
                }
            }
        }
        level = next;
    }
    Parts::Roots(roots)
}

/// The start of the first part that leads to a position of the puzzle from the far end. There, a tile is numbered
/// after its spot at the near end; here, after its spot in the position.
fn as_goal(far: &Puzzle, position: &Position) -> Position {
    let mut start = [EMPTY; SPOTS];
    for (spot, &tile) in position.iter().enumerate().filter(|&(_, &tile)| tile != EMPTY) {
        start[usize::from(tile)] = byte(spot);
    }
    debug_assert_eq!(start[far.hole], EMPTY, "the near end has its empty spot where the far end's goal has it");
    start
}
