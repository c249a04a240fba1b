//! The moves to the positions of a search, as a tree: one move and the position before it, eight bytes per position.

use crate::moves::Move;

/// The number of a position in a [`MoveTree`].
pub type NodeId = u32;

/// The moves to all positions of a search, as a tree that shares common beginnings.
#[derive(Clone, Debug, Default)]
pub struct MoveTree {
    steps: Vec<(NodeId, Move)>,
}

impl MoveTree {
    /// The start of every path; it has no move.
    pub const ROOT: NodeId = NodeId::MAX;

    /// Records a move from `before`, and returns the position that it leads to.
    ///
    /// # Panics
    /// After four thousand million moves, which take 32 GiB.
    pub fn push(&mut self, before: NodeId, made: Move) -> NodeId {
        let node = NodeId::try_from(self.steps.len()).ok().filter(|&node| node != MoveTree::ROOT);
        self.steps.push((before, made));
        node.expect("fewer moves than 32 bits count")
    }

    /// All moves from the start to a position, oldest first.
    pub fn moves(&self, node: NodeId) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut at = node;
        while let Some((before, made)) = self.step(at) {
            moves.push(made);
            at = before;
        }
        moves.reverse();
        moves
    }

    /// Number of moves recorded in all branches.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns `true` if no move is recorded.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Removes all moves; all positions except [`MoveTree::ROOT`] become invalid.
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    fn step(&self, node: NodeId) -> Option<(NodeId, Move)> {
        (node != MoveTree::ROOT).then(|| self.steps[node as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_share_their_beginning() {
        let mut tree = MoveTree::default();
        let down = tree.push(MoveTree::ROOT, Move::Down);
        let right = tree.push(down, Move::Right);
        let transport = tree.push(down, Move::Transport);
        assert_eq!(tree.moves(right), [Move::Down, Move::Right]);
        assert_eq!(tree.moves(transport), [Move::Down, Move::Transport]);
        assert_eq!(tree.moves(MoveTree::ROOT), []);
        assert_eq!(tree.len(), 3);
    }
}
