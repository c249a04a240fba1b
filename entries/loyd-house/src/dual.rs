//! A second bound, by the tiles on given spots: groups of spots instead of groups of tiles.
//!
//! The tiles on six given spots have to travel to their homes, wherever those are. Undone, that is the path of six
//! given tiles from anywhere to the six spots, so a table for undone moves contains a bound for it. With the empty spot
//! in the centre the other 24 spots are the rectangles of a pinwheel, and one table serves them all; a position with
//! the empty spot elsewhere soon leads to one. Its values have little in common with those of the tiles' own tables:
//! each detects detours that the other does not (Zahavi, Felner, Holte and Schaeffer 2006, who call it a dual look-up).

use std::sync::Arc;

use crate::geometry::{CENTRE, Geometry, SPOTS};
use crate::heuristic::{MOST_TABLES, VIEWS};
use crate::pinwheel::rectangle_images;
use crate::position::{EMPTY, byte};
use crate::table::Table;

/// The tables of the second bound, and the parts of their indices.
#[derive(Debug)]
pub struct Dual {
    /// The tables of one rectangle, which serve all four.
    tables: Vec<Arc<Table>>,
    /// By view and spot: the group of the spot, rectangle after rectangle.
    group: [[u8; SPOTS]; VIEWS],
    /// By view, spot and its occupant: the part of the index.
    part: [[[u32; SPOTS]; SPOTS]; VIEWS],
}

impl Dual {
    /// The bound for positions on this board, from the tables that [`crate::pinwheel::tables`] builds for undone moves.
    pub fn new(board: &Geometry, tables: Vec<Arc<Table>>) -> Dual {
        let mut group = [[0; SPOTS]; VIEWS];
        let mut part = [[[0; SPOTS]; SPOTS]; VIEWS];
        for (view, rectangle_images) in rectangle_images().iter().enumerate() {
            let groups = rectangle_images.iter().flat_map(|image| tables.iter().map(move |table| (image, table)));
            for (number, (image, table)) in groups.enumerate() {
                let mut weight = 1;
                for home in table.homes().iter().rev() {
                    let spot = image.iter().position(|there| there == home).expect("a symmetry reaches every spot");
                    group[view][spot] = byte(number);
                    part[view][spot] = std::array::from_fn(|tile| u32::from(image[board.home(tile)]) * weight);
                    weight *= u32::try_from(SPOTS).expect("25");
                }
            }
        }
        Dual { tables, group, part }
    }

    /// The tables of one rectangle.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// A lower bound on the moves from a position, given by the occupant of each spot; `None` unless the empty spot is in
    /// the centre, which is in no rectangle.
    #[inline]
    pub fn bound(&self, occupants: &[u8; SPOTS]) -> Option<u8> {
        if occupants[CENTRE] != EMPTY {
            return None;
        }
        let mut bound = 0;
        for view in 0..VIEWS {
            let mut index = [0; MOST_TABLES];
            for (spot, &occupant) in occupants.iter().enumerate() {
                // The part of the centre is 0.
                index[usize::from(self.group[view][spot])] += self.part[view][spot][usize::from(occupant)];
            }
            let mut sum = 0;
            for rectangle in index.chunks_exact(self.tables.len()).take(4) {
                for (table, &index) in self.tables.iter().zip(rectangle) {
                    sum += table.values()[index as usize];
                }
            }
            bound = bound.max(sum);
        }
        Some(bound)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::direction::Direction;
    use crate::pinwheel::{TWO_THREES, tables};
    use crate::position::{Packed, empty_in};

    #[test]
    fn along_an_answer_the_bound_is_never_above_the_moves_left_and_sometimes_close() {
        let board: loyd_kit::Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().unwrap();
        let start = Packed::from(&board);
        let (ahead, behind) = (Direction::Forwards.geometry(start), Direction::Backwards.geometry(start));
        let dual = Dual::new(&ahead, tables(&behind, TWO_THREES, &[], 1).unwrap());
        let mut least = u8::MAX;
        let mut now = board;
        for (made, letter) in (1..).zip("ddtdrtdluuurrrddddtlltlluu".chars()) {
            now = now.after(loyd_kit::Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap()).unwrap();
            let occupants = Packed::from(&now).occupants();
            let bound = dual.bound(&occupants);
            assert_eq!(bound.is_some(), empty_in(&occupants) == CENTRE, "after {made} moves");
            if let Some(bound) = bound {
                assert!(bound <= 26 - made, "{bound} after {made} moves");
                least = least.min(26 - made - bound);
            }
        }
        assert!(least <= 4, "{least}");
    }
}
