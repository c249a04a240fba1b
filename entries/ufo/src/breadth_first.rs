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

use rustc_hash::FxHashMap;

use crate::answer::Cost;
use crate::geometry::{Geometry, squares};
use crate::position::{Idle, Position, Stops};
use crate::search::{Best, Limits, Outcome};

/// A reached position.
#[derive(Debug, Clone, Copy)]
struct Node {
    key: u64,
    /// Number of best paths that lead here.
    count: u64,
    steps: u32,
    /// Index of the position before it on one of these paths; 0 for the start.
    parent: u32,
}

/// Finds the best answers from a position while some pieces stay idle.
pub fn solve(geometry: &Geometry, start: Position, idle: Idle, limits: &Limits) -> Outcome {
    let mut nodes = vec![Node { key: start.key(), count: 1, steps: 0, parent: 0 }];
    let mut known: FxHashMap<u64, u32> = FxHashMap::from_iter([(start.key(), 0)]);
    let mut layer = 0..1;
    for moves in 1.. {
        if let Some((steps, count, last)) = exit(geometry, idle, &nodes, layer.clone()) {
            return Outcome::Solved(Best { cost: Cost { moves, steps }, count, positions: trace(&nodes, last) });
        }
        for index in layer.clone() {
            if limits.exceeded(nodes.len(), index) {
                return Outcome::GaveUp;
            }
            let node = nodes[index];
            let position = Position::from_key(node.key);
            let parent = u32::try_from(index).expect("the limit on positions keeps indices small");
            for from in squares(position.occupied() & !idle.0) {
                for stop in Stops::of(geometry, position, idle, from).iter() {
                    let key = position.after(geometry, from, stop.to).key();
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

impl Node {
    /// Merges another path of as many moves to the same position.
    fn merge(&mut self, other: Node) {
        if other.steps < self.steps {
            *self = other;
        } else if other.steps == self.steps {
            self.count = self.count.saturating_add(other.count);
        }
    }
}

/// Finds the exits of the last letter piece from a layer: the fewest steps, the number of paths and one last position.
fn exit(geometry: &Geometry, idle: Idle, nodes: &[Node], layer: std::ops::Range<usize>) -> Option<(u32, u64, usize)> {
    let mut best: Option<(u32, u64, usize)> = None;
    for index in layer {
        let node = &nodes[index];
        let position = Position::from_key(node.key);
        let mut letters = squares(position.letters);
        let (Some(last), None) = (letters.next(), letters.next()) else { continue };
        let Some(stop) = Stops::of(geometry, position, idle, last).on(geometry.centre()) else { continue };
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
fn trace(nodes: &[Node], last: usize) -> Vec<Position> {
    let before = Position::from_key(nodes[last].key);
    let mut positions = vec![Position { letters: 0, ..before }];
    let mut index = last;
    while index != 0 {
        positions.push(Position::from_key(nodes[index].key));
        index = nodes[index].parent as usize;
    }
    positions.reverse();
    positions
}
