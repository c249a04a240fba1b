//! A second bound, by the tiles on given spots: groups of spots instead of groups of tiles.
//!
//! The tiles on six given spots have to travel to their homes, wherever those are. Undone, that is the path of six
//! given tiles from anywhere to the six spots, so a table for undone moves contains a bound for it. With the empty spot
//! in the centre the other 24 spots are the rectangles of a pinwheel, and one table serves them all; a position with
//! the empty spot elsewhere soon leads to one. Its values have little in common with those of the tiles' own tables:
//! each detects detours that the other does not (Zahavi, Felner, Holte and Schaeffer 2006, who call it a dual look-up).

use std::sync::Arc;

use crate::geometry::{CENTRE, Geometry, SPOTS};
use crate::heuristic::VIEWS;
use crate::pinwheel::rectangle_images;
use crate::position::{EMPTY, byte};
use crate::table::Table;

/// The tables of the second bound, and the parts of their indices.
#[derive(Debug)]
pub struct Dual {
    /// The tables of one rectangle, which serve all four.
    tables: Vec<Arc<Table>>,
    /// By view: all spots but the centre, group after group.
    spots: [[u8; SPOTS - 1]; VIEWS],
    /// By view, place in that order, and occupant: the part of the index.
    part: [[[u32; SPOTS]; SPOTS - 1]; VIEWS],
}

impl Dual {
    /// The bound for positions on this board, from the tables that [`crate::pinwheel::tables`] builds for undone moves.
    pub fn new(board: &Geometry, tables: Vec<Arc<Table>>) -> Dual {
        let mut spots = [[0; SPOTS - 1]; VIEWS];
        let mut part = [[[0; SPOTS]; SPOTS - 1]; VIEWS];
        for (view, rectangle_images) in rectangle_images().iter().enumerate() {
            let groups = rectangle_images.iter().flat_map(|image| tables.iter().map(move |table| (image, table)));
            let mut place = 0;
            for (image, table) in groups {
                let mut weight = 1;
                for home in table.homes().iter().rev() {
                    let spot = image.iter().position(|there| there == home).expect("a symmetry reaches every spot");
                    spots[view][place] = byte(spot);
                    part[view][place] = std::array::from_fn(|tile| u32::from(image[board.home(tile)]) * weight);
                    weight *= u32::try_from(SPOTS).expect("25");
                    place += 1;
                }
            }
        }
        Dual { tables, spots, part }
    }

    /// The tables of one rectangle.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }

    /// A lower bound on the moves from a position, given by the occupant of each spot; `None` unless the empty spot is in
    /// the centre, which is in no rectangle.
    pub fn bound(&self, occupants: &[u8; SPOTS]) -> Option<u8> {
        (occupants[CENTRE] == EMPTY).then(|| (0..VIEWS).map(|view| self.sum(view, occupants)).max().unwrap_or(0))
    }

    /// Returns `true` if the bound of a position with the empty spot in the centre is above `left`.
    #[inline]
    pub fn exceeds(&self, occupants: &[u8; SPOTS], left: u8) -> bool {
        (0..VIEWS).any(|view| self.sum(view, occupants) > left)
    }

    /// The sum of the values of a view.
    #[inline]
    fn sum(&self, view: usize, occupants: &[u8; SPOTS]) -> u8 {
        match self.tables.as_slice() {
            // One group per rectangle: without inner loops of unknown length.
            [table] => self.groups::<6>(view, occupants).map(|index| table.values()[index as usize]).sum(),
            tables => self
                .groups::<3>(view, occupants)
                .zip(tables.iter().cycle())
                .map(|(index, table)| table.values()[index as usize])
                .sum(),
        }
    }

    /// The indices of the groups of a view, each of `TILES` tiles.
    #[inline]
    fn groups<const TILES: usize>(&self, view: usize, occupants: &[u8; SPOTS]) -> impl Iterator<Item = u32> {
        let spots = self.spots[view].as_chunks::<TILES>().0.iter();
        let parts = self.part[view].as_chunks::<TILES>().0.iter();
        spots.zip(parts).map(|(spots, parts)| {
            let part = |(spot, part): (&u8, &[u32; SPOTS])| part[usize::from(occupants[usize::from(*spot)])];
            spots.iter().zip(parts).map(part).sum()
        })
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
    fn along_an_answer_the_bound_is_never_above_the_moves_left() {
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
