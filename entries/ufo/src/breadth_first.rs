//! Breadth-first search over positions without labels: the fewest moves, then the fewest steps.
//!
//! Layer *m* contains every position that takes *m* moves to reach, each once. It stores for each the fewest steps among
//! the paths of *m* moves, and the number of paths with that many steps. A best answer passes each of its positions in
//! that position's own layer; otherwise there would be a shorter answer. So the first layer from which the last letter
//! piece can exit contains all best answers. Each layer is checked for that exit before it is expanded, so the last
//! and largest layer is never built.
//!
//! Cost: one hash table look-up per move, some 30 bytes per position. The number of positions is at most the number of
//! placements of the pieces: 31 million for 3-3 on the cross. Real problems reach a small part of them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::answer::Cost;
use crate::representation::{Labelled, Movable, PositionOf, Representation};
use crate::search::{Best, Limits, Outcome};

/// A reached position, with the way back to the start.
#[derive(Debug, Clone, Copy)]
struct Node<Key> {
    key: Key,
    /// Number of best paths that lead here.
    count: u64,
    steps: u32,
    /// Index of the position before it on one of these paths; 0 for the start.
    parent: u32,
}

/// Searches a board for its best answers.
pub fn search<B: Labelled>(board: &B, limits: &Limits) -> Outcome<PositionOf<B>> {
    solve(&board.representation(), board.position(), limits)
}

/// Finds the best answers from a position.
pub fn solve<R: Representation>(representation: &R, start: R::Position, limits: &Limits) -> Outcome<R::Position> {
    let key = R::key(start);
    let mut nodes = vec![Node { key, count: 1, steps: 0, parent: 0 }];
    let mut known: FxHashMap<R::Key, u32> = FxHashMap::from_iter([(key, 0)]);
    let mut layer = 0..1;
    for moves in 1.. {
        if let Some((steps, count, last)) = exit(representation, &nodes, layer.clone()) {
            let positions = trace(representation, &nodes, last);
            return Outcome::Solved(Best { cost: Cost { moves, steps }, count, positions });
        }
        for index in layer.clone() {
            if limits.exceeded(nodes.len(), index) {
                return Outcome::GaveUp;
            }
            let node = nodes[index];
            let position = R::position(node.key);
            let parent = u32::try_from(index).expect("the limit on positions keeps indices small");
            for piece in representation.pieces(position, Movable::All) {
                for stop in representation.stops(position, piece).iter() {
                    let key = R::key(representation.after(position, piece, stop.to));
                    let reached = Node {
                        key,
                        count: node.count.saturating_mul(stop.paths),
                        steps: node.steps + stop.steps,
                        parent,
                    };
                    let number = u32::try_from(nodes.len()).expect("the limit on positions keeps indices small");
                    let at = *known.entry(key).or_insert(number) as usize;
                    if at == nodes.len() {
                        nodes.push(reached);
                    } else if at >= layer.end {
                        nodes[at].merge(reached);
                    }
                }
            }
        }
        layer = layer.end..nodes.len();
        if layer.is_empty() {
            break;
        }
    }
    Outcome::Unsolvable
}

impl<Key> Node<Key> {
    /// Merges another path of as many moves to the same position.
    fn merge(&mut self, other: Self) {
        if other.steps < self.steps {
            *self = other;
        } else if other.steps == self.steps {
            self.count = self.count.saturating_add(other.count);
        }
    }
}

/// Finds the exits of the last letter piece from a layer: the fewest steps, the number of paths and one last position.
fn exit<R: Representation>(
    representation: &R,
    nodes: &[Node<R::Key>],
    layer: Range<usize>,
) -> Option<(u32, u64, usize)> {
    let mut best: Option<(u32, u64, usize)> = None;
    for index in layer {
        let node = &nodes[index];
        let position = R::position(node.key);
        if R::letters(position) != 1 {
            continue;
        }
        let Some(last) = representation.pieces(position, Movable::Letters).next() else { continue };
        let stops = representation.stops(position, last);
        let Some(stop) = stops.iter().find(|stop| stop.to == representation.centre()) else { continue };
        let (steps, count) = (node.steps + stop.steps, node.count.saturating_mul(stop.paths));
        match &mut best {
            Some((fewest, all, _)) if steps == *fewest => *all = all.saturating_add(count),
            Some((fewest, ..)) if steps > *fewest => {}
            _ => best = Some((steps, count, index)),
        }
    }
    best
}

/// Lists the positions after each move, up to the exit from the position with this index.
fn trace<R: Representation>(representation: &R, nodes: &[Node<R::Key>], last: usize) -> Vec<R::Position> {
    let before = R::position(nodes[last].key);
    let mut letters = representation.pieces(before, Movable::Letters);
    let letter = letters.next().expect("one letter piece is left");
    let mut positions = vec![representation.after(before, letter, representation.centre())];
    let mut index = last;
    while index != 0 {
        positions.push(R::position(nodes[index].key));
        index = nodes[index].parent as usize;
    }
    positions.reverse();
    positions
}
