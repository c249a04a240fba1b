//! Both searches on lists of squares.

use rustc_hash::FxHashMap;

use super::{Board, LETTER_PLACES, PIECES, Position, Square, Stop};
use crate::answer::{Answer, Cost, Move};
use crate::depth_first::{Known, Stopped, combine};
use crate::search::{Best, Limits, Outcome};

impl Board {
    /// Finds a best answer and the number of best answers by breadth-first search.
    pub fn breadth_first(&self, limits: &Limits) -> Outcome<Position> {
        let (start, centre) = (self.position(), self.centre());
        let mut nodes = vec![Node { position: start, count: 1, steps: 0, parent: 0 }];
        let mut known: FxHashMap<Position, usize> = FxHashMap::from_iter([(start, 0)]);
        let mut layer = 0..1;
        let mut moves = 0;
        while !layer.is_empty() {
            moves += 1;
            if let Some(last) = exit(&nodes[layer.clone()], layer.start, centre) {
                let positions = trace(&nodes, last);
                return Outcome::Solved(Best { cost: Cost { moves, steps: last.steps }, count: last.count, positions });
            }
            for index in layer.clone() {
                if limits.exceeded(nodes.len(), index) {
                    return Outcome::GaveUp;
                }
                let node = nodes[index];
                for (_, stop, position) in node.position.moves(0..PIECES, centre) {
                    let at = *known.entry(position).or_insert(nodes.len());
                    if at == nodes.len() {
                        nodes.push(node.reach(index, stop, position));
                    } else if at >= layer.end {
                        nodes[at].merge(node.reach(index, stop, position));
                    }
                }
            }
            layer = layer.end..nodes.len();
        }
        Outcome::Unsolvable
    }

    /// Finds all best answers by iterative deepening.
    pub fn depth_first(&self, limits: &Limits) -> (Outcome<Position>, Search) {
        let start = self.position();
        let mut search = Search { centre: self.centre(), limits: *limits, table: FxHashMap::default(), expanded: 0 };
        let mut positions = 0;
        for moves in start.letters().. {
            match search.solve_within(start, moves) {
                Err(Stopped) => return (Outcome::GaveUp, search),
                Ok(Known::Solved { cost, count }) => {
                    let best = Best { cost, count, positions: search.trace(start) };
                    return (Outcome::Solved(best), search);
                }
                Ok(Known::Refuted { .. }) => {}
            }
            if search.table.len() == positions {
                break;
            }
            positions = search.table.len();
        }
        (Outcome::Unsolvable, search)
    }
}

/// A position that the breadth-first search has reached.
#[derive(Debug, Clone, Copy)]
struct Node {
    position: Position,
    /// Number of best paths that lead here.
    count: u64,
    steps: u32,
    /// Index of the position before it on one of these paths; 0 for the start.
    parent: usize,
}

impl Node {
    /// The node after a move from this one, which has this index.
    fn reach(&self, index: usize, stop: Stop, position: Position) -> Node {
        let count = self.count.saturating_mul(stop.paths);
        Node { position, count, steps: self.steps + stop.steps, parent: index }
    }

    /// Merges another path of as many moves to the same position, or to another one without letter pieces.
    fn merge(&mut self, other: Node) {
        if other.steps < self.steps {
            *self = other;
        } else if other.steps == self.steps {
            self.count = self.count.saturating_add(other.count);
        }
    }
}

/// Finds the exits of the last letter piece from a layer, whose first node has this index, and merges them.
fn exit(layer: &[Node], first: usize, centre: Square) -> Option<Node> {
    let last_letter = layer.iter().zip(first..).filter(|(node, _)| node.position.letters() == 1);
    let reached = last_letter.flat_map(|(node, index)| {
        let moves = node.position.moves(LETTER_PLACES, centre).filter(|(_, _, after)| after.letters() == 0);
        moves.map(move |(_, stop, after)| node.reach(index, stop, after))
    });
    reached.reduce(|mut best, other| {
        best.merge(other);
        best
    })
}

/// Lists the positions after each move, up to the last.
fn trace(nodes: &[Node], last: Node) -> Vec<Position> {
    let mut positions = vec![last.position];
    let mut index = last.parent;
    while index != 0 {
        positions.push(nodes[index].position);
        index = nodes[index].parent;
    }
    positions.reverse();
    positions
}

/// A finished depth-first search, whose table yields all best answers.
#[derive(Debug)]
pub struct Search {
    centre: Square,
    limits: Limits,
    table: FxHashMap<Position, Known>,
    /// Number of searches of a position; repeated searches count again.
    expanded: usize,
}

impl Search {
    /// Finds the best answers from a position within `left` moves; every lower limit was tried before.
    fn solve_within(&mut self, position: Position, left: u32) -> Result<Known, Stopped> {
        let letters = position.letters();
        if letters == 0 {
            return Ok(Known::Solved { cost: Cost { moves: 0, steps: 0 }, count: 1 });
        }
        let mut found = Known::Refuted { moves: left };
        if left < letters {
            return Ok(found);
        }
        match self.table.get(&position) {
            // Reached by a detour: the answer from here takes more moves than are left.
            Some(Known::Solved { cost, .. }) if cost.moves > left => return Ok(found),
            Some(Known::Refuted { moves }) if *moves < left => {}
            Some(known) => return Ok(*known),
            None => {}
        }
        self.expanded += 1;
        if self.limits.exceeded(self.table.len(), self.expanded) {
            return Err(Stopped);
        }
        let movable = if left > letters { 0..PIECES } else { LETTER_PLACES };
        for (_, stop, after) in position.moves(movable, self.centre) {
            if let Known::Solved { cost, count } = self.solve_within(after, left - 1)? {
                let cost = Cost { moves: cost.moves + 1, steps: cost.steps + stop.steps };
                found = combine(found, cost, count.saturating_mul(stop.paths));
            }
        }
        self.table.insert(position, found);
        Ok(found)
    }

    /// Lists the positions after each move of one best answer.
    fn trace(&self, mut position: Position) -> Vec<Position> {
        let mut positions = Vec::new();
        while let Some((_, _, after)) = self.best_moves(position).next() {
            positions.push(after);
            position = after;
        }
        positions
    }

    /// Lists the moves that begin a best answer.
    fn best_moves(&self, position: Position) -> impl Iterator<Item = (Square, Square, Position)> {
        let here = self.best(position);
        position.moves(0..PIECES, self.centre).filter_map(move |(from, stop, after)| {
            let there = self.best(after)?;
            let cost = Cost { moves: there.moves + 1, steps: there.steps + stop.steps };
            (here == Some(cost)).then_some((from, stop.to, after))
        })
    }

    fn best(&self, position: Position) -> Option<Cost> {
        if position.letters() == 0 {
            return Some(Cost { moves: 0, steps: 0 });
        }
        match self.table.get(&position) {
            Some(Known::Solved { cost, .. }) => Some(*cost),
            _ => None,
        }
    }

    /// Lists the best answers to the board that was searched, at most `most` of them.
    pub fn answers(&self, board: &Board, most: usize) -> Vec<Answer> {
        let mut answers = Vec::new();
        self.extend(board, &mut Vec::new(), most, &mut answers);
        answers
    }

    fn extend(&self, board: &Board, made: &mut Vec<Move>, most: usize, answers: &mut Vec<Answer>) {
        let position = board.position();
        if position.letters() == 0 {
            answers.push(Answer(made.clone()));
        }
        for (from, to, _) in self.best_moves(position) {
            for steps in board.shortest_moves(from, to) {
                if answers.len() < most {
                    let mut after = board.clone();
                    made.push(after.make(from, to, steps));
                    self.extend(&after, made, most, answers);
                    made.pop();
                }
            }
        }
    }
}

impl Outcome<Position> {
    /// One best answer to the board that was searched, with its labels; empty if there is none.
    pub fn answer(&self, board: &Board) -> Answer {
        let Outcome::Solved(best) = self else { return Answer::default() };
        let mut board = board.clone();
        let moves = best.positions.iter().map(|after| {
            let before = board.position();
            let only = |one: &Position, other: &Position| {
                one.pieces().find(|(_, square)| other.pieces().all(|(_, there)| there != *square))
            };
            let (_, from) = only(&before, after).expect("a piece left its square");
            // A letter piece that disappeared left at the centre.
            let to = only(after, &before).map_or(board.centre(), |(_, square)| square);
            let steps = board.shortest_moves(from, to).into_iter().next().expect("the positions are one move apart");
            board.make(from, to, steps)
        });
        Answer(moves.collect())
    }
}
