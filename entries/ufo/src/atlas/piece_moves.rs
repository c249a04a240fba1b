//! The moves of one piece on bit boards, forwards and backwards, for solving whole groups.
//!
//! `crate::representation::Stops` computes the same moves for a single position, with all details of each stop. Here the ends
//! of a move are sets of squares, one set per number of steps. Paths are counted only on best answers.

use crate::geometry::{Direction, Geometry, MAX_SQUARES, Square, squares};

/// A moving piece, the other pieces, and the limits of its move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub(super) on: Square,
    pub(super) others: u64,
    /// The centre for a letter piece, which leaves there; empty for a number piece.
    pub(super) exit: u64,
    /// The most steps of a move.
    pub(super) most_steps: u32,
}

impl Mover {
    /// Calls `found` for each number of steps, from 1 on, with the squares that take this many, until there are none.
    #[inline]
    pub(super) fn ends(self, geometry: &Geometry, mut found: impl FnMut(u32, u64)) {
        let (mut seen, mut layer) = (self.on.bit(), self.on.bit());
        for steps in 1..=self.most_steps {
            let mut next = 0;
            for stop in squares(layer & !self.exit) {
                for direction in Direction::ALL {
                    next |= geometry.step(self.others, stop, direction).map_or(0, |step| step.to.bit());
                }
            }
            layer = next & !seen;
            if layer == 0 {
                break;
            }
            seen |= layer;
            found(steps, layer);
        }
    }

    /// The squares from which this piece can move to its current square.
    #[inline]
    pub(super) fn origins(self, geometry: &Geometry) -> u64 {
        let (mut seen, mut layer) = (self.on.bit(), self.on.bit());
        // A letter piece is on the centre only at its last stop.
        let barred = self.exit | self.on.bit();
        for _ in 0..self.most_steps {
            if layer == 0 {
                break;
            }
            let mut next = 0;
            for stop in squares(layer) {
                for direction in Direction::ALL {
                    next |= geometry.sources(self.others, stop, direction);
                }
            }
            layer = next & !seen & !barred;
            seen |= layer;
        }
        seen & !self.on.bit()
    }

    /// Finds the shortest paths of the piece to each square.
    pub(super) fn shortest(self, geometry: &Geometry) -> Shortest {
        let mut shortest = Shortest { paths: [0; MAX_SQUARES], idle: [0; MAX_SQUARES] };
        shortest.paths[self.on.index()] = 1;
        shortest.idle[self.on.index()] = u64::MAX;
        let (mut seen, mut layer) = (self.on.bit(), self.on.bit());
        for _ in 0..self.most_steps {
            let mut next = 0;
            for stop in squares(layer & !self.exit) {
                for direction in Direction::ALL {
                    let Some(step) = geometry.step(self.others, stop, direction) else { continue };
                    if seen & step.to.bit() == 0 {
                        next |= step.to.bit();
                        shortest.paths[step.to.index()] += shortest.paths[stop.index()];
                        shortest.idle[step.to.index()] |= shortest.idle[stop.index()] & !step.stopper.bit();
                    }
                }
            }
            if next == 0 {
                break;
            }
            seen |= next;
            layer = next;
        }
        shortest
    }
}

/// The shortest paths of one piece to each square.
#[derive(Debug)]
pub(super) struct Shortest {
    /// The number of shortest paths.
    pub(super) paths: [u64; MAX_SQUARES],
    /// The squares whose pieces stop no step of at least one shortest path.
    pub(super) idle: [u64; MAX_SQUARES],
}

/// True if any piece can make a step.
#[inline]
pub(super) fn has_move(geometry: &Geometry, occupied: u64) -> bool {
    // Of two pieces on a line with a gap between them, both can step; so two directions suffice.
    let can = |piece, direction| geometry.step(occupied, piece, direction).is_some();
    squares(occupied).any(|piece| can(piece, Direction::Right) || can(piece, Direction::Down))
}
