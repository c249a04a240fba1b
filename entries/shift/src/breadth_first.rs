//! Breadth-first search: visits every canonical position once, in the order of moves from the start.
//!
//! A layer is complete before the next begins, so the fewest steps to a position are known before it is expanded. Of all
//! shortest answers, the search finds one with the fewest unit steps.

use std::collections::hash_map::Entry;
use std::time::Instant;

use rustc_hash::FxHashMap;

use crate::board::Board;
use crate::moves::{Answer, Metric};
use crate::position::Position;

/// The number of positions between two checks of the deadline.
const DEADLINE_INTERVAL: usize = 1 << 10;

/// The reason why a search stopped without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// All reachable positions were visited; X is on its goal in none of them.
    Unsolvable,
    /// There are more positions than the limit.
    OutOfMemory,
    /// The deadline passed before an answer was found.
    OutOfTime,
}

/// The limits of a search.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The deadline, if there is one.
    pub deadline: Option<Instant>,
    /// The most positions, at most `u32::MAX`; each takes some 80 bytes.
    pub positions: usize,
}

/// A reached position, with the way back to the start.
struct Node {
    position: Position,
    /// Index of the previous position; 0 for the start.
    parent: u32,
    /// Unit steps from the start.
    steps: u32,
}

/// All positions reached so far.
struct Reached<'board> {
    board: &'board Board,
    metric: Metric,
    nodes: Vec<Node>,
    places: FxHashMap<Position, u32>,
}

impl<'board> Reached<'board> {
    fn from_start(board: &'board Board, metric: Metric) -> Self {
        let position = board.start().canonical(board);
        let places = FxHashMap::from_iter([(position, 0)]);
        Self { board, metric, nodes: vec![Node { position, parent: 0, steps: 0 }], places }
    }

    /// Makes every move from a node; `layer` is the index of the first node of the next layer.
    fn expand(&mut self, parent: usize, layer: usize) {
        let Self { board, metric, nodes, places } = self;
        let Node { position, steps: before, .. } = nodes[parent];
        let parent = place(parent);
        metric.for_each_move(board, &position, |block, corner, steps| {
            let position = position.with(block, corner).canonical(board);
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

    /// Lists the positions on the path to a node, without the start.
    fn path_to(&self, mut node: usize) -> Vec<Position> {
        let mut path = Vec::new();
        while node != 0 {
            path.push(self.nodes[node].position);
            node = self.nodes[node].parent as usize;
        }
        path.reverse();
        path
    }
}

/// Finds a shortest answer in this metric, and of these one with the fewest unit steps.
pub fn solve(board: &Board, metric: Metric, limits: &Limits) -> Result<Answer, Failure> {
    let mut reached = Reached::from_start(board, metric);
    let mut layer = 0..1;
    while !layer.is_empty() {
        let solved = layer.clone().filter(|&node| reached.nodes[node].position.is_solved(board));
        if let Some(node) = solved.min_by_key(|&node| reached.nodes[node].steps) {
            return Ok(Answer::through(board, metric, &reached.path_to(node)));
        }
        let next = layer.end;
        for node in layer {
            if node.is_multiple_of(DEADLINE_INTERVAL)
                && limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            {
                return Err(Failure::OutOfTime);
            }
            reached.expand(node, next);
            if reached.nodes.len() > limits.positions {
                return Err(Failure::OutOfMemory);
            }
        }
        layer = next..reached.nodes.len();
    }
    Err(Failure::Unsolvable)
}

/// Lists the canonical positions that can be reached from the start, including those after a solved position.
pub fn reachable(board: &Board) -> Vec<Position> {
    let mut reached = Reached::from_start(board, Metric::Steps);
    let mut node = 0;
    while node < reached.nodes.len() {
        reached.expand(node, 0);
        node += 1;
    }
    reached.nodes.into_iter().map(|node| node.position).collect()
}

fn place(node: usize) -> u32 {
    u32::try_from(node).expect("the limit on positions keeps indices small")
}
