//! The moves of one piece on bit boards, forwards and backwards, for whole groups at a time.
//!
//! `crate::position::Stops` tells the same of one position with all that is known of each stop. Here a move's ends
//! are sets of squares, step by step, and the number of ways is counted only where a best answer goes.

use crate::geometry::{Direction, Geometry, MOST_HOLES, Square, squares};

/// A piece that moves: the square it stands on, the other pieces, and what ends its move before it chooses to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mover {
    pub(super) on: Square,
    pub(super) others: u64,
    /// The centre for a letter piece, which leaves there; nothing for a number piece.
    pub(super) exit: u64,
    /// The most steps of a move.
    pub(super) most_steps: u32,
}

impl Mover {
    /// Calls back with a number of steps, from 1 on, and the squares that take no fewer, until there are none.
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

    /// The squares from which a move of this piece may end where it stands now.
    #[inline]
    pub(super) fn origins(self, geometry: &Geometry) -> u64 {
        let (mut seen, mut layer) = (self.on.bit(), self.on.bit());
        // A letter piece is on the centre at no stop but the last.
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

    /// What is to be known of the shortest ways to each square.
    pub(super) fn trails(self, geometry: &Geometry) -> Trails {
        let mut trails = Trails { ways: [0; MOST_HOLES], idle: [0; MOST_HOLES] };
        trails.ways[self.on.index()] = 1;
        trails.idle[self.on.index()] = u64::MAX;
        let (mut seen, mut layer) = (self.on.bit(), self.on.bit());
        for _ in 0..self.most_steps {
            let mut next = 0;
            for stop in squares(layer & !self.exit) {
                for direction in Direction::ALL {
                    let Some(step) = geometry.step(self.others, stop, direction) else { continue };
                    if seen & step.to.bit() == 0 {
                        next |= step.to.bit();
                        trails.ways[step.to.index()] += trails.ways[stop.index()];
                        trails.idle[step.to.index()] |= trails.idle[stop.index()] & !step.stopper.bit();
                    }
                }
            }
            if next == 0 {
                break;
            }
            seen |= next;
            layer = next;
        }
        trails
    }
}

/// The shortest ways of one piece to each square.
#[derive(Debug)]
pub(super) struct Trails {
    /// How many there are.
    pub(super) ways: [u64; MOST_HOLES],
    /// The squares whose pieces stop no step of one of them at least.
    pub(super) idle: [u64; MOST_HOLES],
}

/// Whether any piece can make a step.
#[inline]
pub(super) fn has_move(geometry: &Geometry, occupied: u64) -> bool {
    // Two neighbours on a line that are apart can both make one: it is enough to look one way.
    let can = |piece, direction| geometry.step(occupied, piece, direction).is_some();
    squares(occupied).any(|piece| can(piece, Direction::Right) || can(piece, Direction::Down))
}
