//! How the positions of a search were reached: one move each and the position before, eight bytes a position.

use crate::moves::Move;

/// A position's number in a [`Trail`].
pub type Mark = u32;

/// The moves of all positions of a search, as a tree that shares what their beginnings have in common.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    steps: Vec<(Mark, Move)>,
}

impl Trail {
    /// Where every trail begins; it has no move.
    pub const START: Mark = Mark::MAX;

    /// Records that a move led on from `before`, and gives the mark of where it led to.
    ///
    /// # Panics
    /// After four thousand million moves, which take 32 GiB.
    pub fn push(&mut self, before: Mark, made: Move) -> Mark {
        let mark = Mark::try_from(self.steps.len()).ok().filter(|&mark| mark != Trail::START);
        self.steps.push((before, made));
        mark.expect("no memory holds so long a trail")
    }

    /// All moves from the start to a mark, oldest first.
    pub fn moves(&self, mark: Mark) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut at = mark;
        while let Some((before, made)) = self.step(at) {
            moves.push(made);
            at = before;
        }
        moves.reverse();
        moves
    }

    /// How many moves are recorded.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Forgets all moves; every mark but [`Trail::START`] loses its meaning.
    pub fn clear(&mut self) {
        self.steps.clear();
    }

    fn step(&self, mark: Mark) -> Option<(Mark, Move)> {
        (mark != Trail::START).then(|| self.steps[mark as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_share_their_beginning() {
        let mut trail = Trail::default();
        let down = trail.push(Trail::START, Move::Down);
        let right = trail.push(down, Move::Right);
        let transport = trail.push(down, Move::Transport);
        assert_eq!(trail.moves(right), [Move::Down, Move::Right]);
        assert_eq!(trail.moves(transport), [Move::Down, Move::Transport]);
        assert_eq!(trail.moves(Trail::START), []);
        assert_eq!(trail.len(), 3);
    }
}
