//! A position without labels, and its moves.
//!
//! Exchanging two letter pieces, or two number pieces, changes neither the possible moves nor their cost. Positions
//! without labels are fewer; labels are restored when an answer is written.

use crate::geometry::{Direction, Geometry, MAX_SQUARES, Square, squares};

/// The most letter pieces a board can hold: X, Y and Z.
pub const MOST_LETTERS: usize = 3;

/// The squares of the letter pieces still on the board and of the number pieces, as sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// Letter pieces, at most three.
    pub letters: u64,
    /// Number pieces.
    pub numbers: u64,
}

/// Bits of the key that hold the number pieces.
const NUMBER_BITS: u32 = 33;
/// Bits of the key for each letter piece; 0 stands for no piece.
const LETTER_BITS: u32 = 6;

impl Position {
    /// All pieces.
    pub fn occupied(self) -> u64 {
        self.letters | self.numbers
    }

    /// The position in 51 bits.
    pub fn key(self) -> u64 {
        let letters =
            squares(self.letters).fold(0, |packed, square| packed << LETTER_BITS | (square.index() as u64 + 1));
        letters << NUMBER_BITS | self.numbers
    }

    /// The position with this key.
    pub fn from_key(key: u64) -> Position {
        let mut letters = 0;
        let mut packed = key >> NUMBER_BITS;
        while packed != 0 {
            letters |= 1 << ((packed & ((1 << LETTER_BITS) - 1)) - 1);
            packed >>= LETTER_BITS;
        }
        Position { letters, numbers: key & ((1 << NUMBER_BITS) - 1) }
    }

    /// The position after the piece on `from` moves to `to`; a letter piece that stops on the centre leaves.
    #[must_use]
    pub fn after(self, geometry: &Geometry, from: Square, to: Square) -> Position {
        if self.letters & from.bit() == 0 {
            Position { numbers: self.numbers ^ from.bit() ^ to.bit(), ..self }
        } else {
            let arrived = if to == geometry.centre() { 0 } else { to.bit() };
            Position { letters: self.letters ^ from.bit() | arrived, ..self }
        }
    }
}

/// Lists the placements of `letters` letter pieces next to these number pieces; none uses the centre.
pub fn placements(geometry: &Geometry, numbers: u64, letters: usize) -> Vec<u64> {
    let free = geometry.all() & !numbers & !geometry.centre().bit();
    let mut sets = vec![0_u64];
    for _ in 0..letters {
        // In ascending order of squares, so that each set occurs once.
        let larger = |set: &u64| squares(free).filter(move |s| s.bit() > *set).map(move |s| *set | s.bit()).collect();
        sets = sets.iter().flat_map(|set| -> Vec<u64> { larger(set) }).collect();
    }
    sets
}

/// The pieces that a search leaves idle: they do not move, and no step may end against them.
///
/// A number piece is insignificant in some best answer exactly if the problem has an equally good answer with that
/// piece idle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Idle(pub u64);

/// A square that one move of a piece can end on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop {
    /// The square.
    pub to: Square,
    /// The fewest steps that lead there.
    pub steps: u32,
    /// The number of paths with that many steps.
    pub paths: u64,
}

/// All squares that one move of a piece can end on, nearest first.
#[derive(Debug)]
pub struct Stops {
    found: [Stop; MAX_SQUARES],
    count: usize,
}

impl Stops {
    /// Finds the stops of the piece on `from`.
    pub fn of(geometry: &Geometry, position: Position, idle: Idle, from: Square) -> Stops {
        let others = position.occupied() & !from.bit();
        // A letter piece's move ends at the exit; a number piece has no exit.
        let exit = if position.letters & from.bit() == 0 { None } else { Some(geometry.centre()) };
        let start = Stop { to: from, steps: 0, paths: 1 };
        let mut stops = Stops { found: [start; MAX_SQUARES], count: 1 };
        // Stops are expanded nearest first, so each square is found with its fewest steps.
        let mut next = 0;
        while next < stops.count {
            let stop = stops.found[next];
            next += 1;
            if exit == Some(stop.to) {
                continue;
            }
            for direction in Direction::ALL {
                match geometry.step(others, stop.to, direction) {
                    Some(step) if step.stopper.bit() & idle.0 == 0 => stops.reach(step.to, stop),
                    _ => {}
                }
            }
        }
        stops
    }

    fn reach(&mut self, to: Square, by: Stop) {
        let known = &mut self.found[..self.count];
        match known.iter_mut().rev().find(|stop| stop.to == to) {
            Some(stop) if stop.steps == by.steps + 1 => stop.paths += by.paths,
            Some(_) => {}
            None => {
                self.found[self.count] = Stop { to, steps: by.steps + 1, paths: by.paths };
                self.count += 1;
            }
        }
    }

    /// The stops, without the start square.
    pub fn iter(&self) -> impl Iterator<Item = Stop> + '_ {
        self.found[1..self.count].iter().copied()
    }

    /// The stop on this square.
    pub fn on(&self, square: Square) -> Option<Stop> {
        self.iter().find(|stop| stop.to == square)
    }
}
