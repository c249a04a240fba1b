//! Breadth-first search: every position once, same-shaped blocks alike, in the order of moves from the start.
//!
//! A layer is complete before the next begins, so the steps that lead to a position are known before anything is built
//! on it: of all shortest answers, this finds one with the fewest unit steps.

use std::collections::hash_map::Entry;
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::board::Board;
use crate::moves::{Answer, Count};
use crate::position::Position;

/// Positions between two looks at the clock.
const UNTIL_CLOCK: usize = 1 << 10;

/// Why a search stopped without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Everything was seen, and X is nowhere on its goal.
    Unsolvable,
    /// More positions than it may keep.
    OutOfMemory,
    /// The deadline has passed.
    OutOfTime,
}

/// What a search may use.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Positions it may keep, at most `u32::MAX`; each takes some 80 bytes.
    pub positions: usize,
}

/// A position that was reached, and how.
struct Node {
    position: Position,
    /// Its place in the list; the start is its own.
    parent: u32,
    /// Unit steps from the start.
    steps: u32,
}

/// All positions reached so far.
struct Reached<'board> {
    board: &'board Board,
    count: Count,
    nodes: Vec<Node>,
    places: FxHashMap<Position, u32>,
}

impl<'board> Reached<'board> {
    fn from_start(board: &'board Board, count: Count) -> Self {
        let position = board.start().alike(board);
        let places = FxHashMap::from_iter([(position, 0)]);
        Self { board, count, nodes: vec![Node { position, parent: 0, steps: 0 }], places }
    }

    /// Follows every move from a node; `layer` is where the nodes one move further on begin.
    fn expand(&mut self, parent: usize, layer: usize) {
        let Self { board, count, nodes, places } = self;
        let Node { position, steps: before, .. } = nodes[parent];
        let parent = place(parent);
        count.each(board, &position, |block, corner, steps| {
            let position = position.with(block, corner).alike(board);
            let steps = before + u32::from(steps);
            match places.entry(position) {
                Entry::Vacant(vacant) => {
                    vacant.insert(place(nodes.len()));
                    nodes.push(Node { position, parent, steps });
                }
                Entry::Occupied(known) => {
                    let node = &mut nodes[*known.get() as usize];
                    if *known.get() as usize >= layer && steps < node.steps {
                        (node.parent, node.steps) = (parent, steps);
                    }
                }
            }
        });
    }

    /// The positions on the way to a node, the start left out.
    fn way_to(&self, mut node: usize) -> Vec<Position> {
        let mut way = Vec::new();
        while node != 0 {
            way.push(self.nodes[node].position);
            node = self.nodes[node].parent as usize;
        }
        way.reverse();
        way
    }
}

/// A shortest answer, counted in this way, and of those one with the fewest unit steps.
pub fn solve(board: &Board, count: Count, bounds: &Bounds) -> Result<Answer, Failure> {
    let mut reached = Reached::from_start(board, count);
    let mut layer = 0..1;
    while !layer.is_empty() {
        let solved = layer.clone().filter(|&node| reached.nodes[node].position.is_solved(board));
        if let Some(node) = solved.min_by_key(|&node| reached.nodes[node].steps) {
            return Ok(Answer::along(board, count, &reached.way_to(node)));
        }
        let next = layer.end;
        for node in layer {
            if node.is_multiple_of(UNTIL_CLOCK) && bounds.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Err(Failure::OutOfTime);
            }
            reached.expand(node, next);
            if reached.nodes.len() > bounds.positions {
                return Err(Failure::OutOfMemory);
            }
        }
        layer = next..reached.nodes.len();
    }
    Err(Failure::Unsolvable)
}

/// Every position that can be reached from the start, moves on from solved ones included; same-shaped blocks are alike.
pub fn reachable(board: &Board) -> Vec<Position> {
    let mut reached = Reached::from_start(board, Count::Steps);
    let mut node = 0;
    while node < reached.nodes.len() {
        reached.expand(node, 0);
        node += 1;
    }
    reached.nodes.into_iter().map(|node| node.position).collect()
}

fn place(node: usize) -> u32 {
    u32::try_from(node).expect("the bounds keep fewer positions than that")
}
