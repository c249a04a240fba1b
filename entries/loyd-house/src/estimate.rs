//! The estimate of the moves left, which orders a beam.
//!
//! A position is looked up by its tiles and by its spots, as it is and mirrored.
//! By tiles, a group of tiles is looked up where it stands. By spots, the tiles on a group of spots are looked up by
//! their homes. Undone, that is the path of given tiles to those spots, so tables for undone moves contain it. Both are
//! lower bounds, and each detects detours that the other does not. The estimate is their mean and their greatest, with a
//! correction by the trips of the tiles (`trips.rs`). It is not a bound.
//!
//! A move changes one group of tiles, and two groups of spots: the one that the tile leaves, and the one it enters.

use std::sync::Arc;

use crate::direction::Direction;
use crate::gap_table::{BASE, GapTables, MISSING};
use crate::geometry::{Geometry, SPOTS};
use crate::groups::TILES;
use crate::position::{EMPTY, Packed, byte};
use crate::symmetry::{Symmetry, identity, mirror};
use crate::table::Table;
use crate::trips;

/// Number of images of the position that are looked up by tiles, and by spots.
pub(crate) const IMAGES: usize = 2;
/// Number of all looks: those by tiles, then those by spots.
pub(crate) const LOOKS: usize = 2 * IMAGES;
/// Parts of a move that scores and corrections count.
pub(crate) const PARTS: usize = 8;
/// All scores are below this number.
pub(crate) const SCORES: usize = 256 * PARTS;
/// Most groups in a partition.
pub(crate) const GROUPS: usize = 8;
/// Most tiles in a group.
const MAX: usize = 4;
/// Room for tiles, spots and occupants as indices, so that a mask replaces checks.
pub(crate) const ROOM: usize = 32;
/// Number of moves before the goal for which the empty spot is taken into account.
const ENDING: u8 = 2;
/// A key that no group contains.
const NO_KEY: u8 = 31;

/// One partition by which positions are looked up. A key is a tile or a spot; its digit is the spot of that tile or the
/// occupant of that spot.
#[derive(Debug)]
pub(crate) struct Look {
    /// The group of each key.
    group: [u8; ROOM],
    /// The keys of each group.
    members: [[u8; MAX]; GROUPS],
    /// By group, the part of the index that is the same in all positions: the part of a tile that the goal lacks.
    base: [u32; GROUPS],
    /// By key and digit, the part of the index.
    part: [[u32; ROOM]; ROOM],
}

impl Look {
    fn new(tables: &GapTables, image: &Symmetry, key: impl Fn(u8) -> Option<u8>, digit: impl Fn(u8) -> usize) -> Look {
        let mut look =
            Look { group: [0; ROOM], members: [[NO_KEY; MAX]; GROUPS], base: [0; GROUPS], part: [[0; ROOM]; ROOM] };
        for (number, table) in tables.tables.iter().enumerate() {
            let mut weight = 1;
            let mut members = look.members[number].iter_mut();
            for home in table.homes().iter().rev() {
                let spot = (0..).zip(image).find(|(_, there)| *there == home).map_or(0, |(spot, _)| spot);
                match key(spot) {
                    Some(key) => {
                        look.group[usize::from(key)] = byte(number);
                        *members.next().expect("a group of at most four") = key;
                        let part = &mut look.part[usize::from(key)];
                        for (value, part) in (0..).zip(part).take(SPOTS) {
                            *part = u32::try_from(digit(value)).unwrap_or(0) * weight;
                        }
                    }
                    None => look.base[number] += u32::try_from(MISSING).unwrap_or(0) * weight,
                }
                weight *= u32::try_from(BASE).unwrap_or(0);
            }
        }
        look
    }

    /// Replaces the table of the group that lacks a tile by one that takes the ending into account; `None` if that group
    /// is too small.
    fn use_ending(&mut self, board: &Geometry) -> Option<(usize, Table)> {
        let group = self.base.iter().position(|&base| base > 0)?;
        let keys: Vec<u8> = self.members[group].iter().copied().filter(|&key| key != NO_KEY).collect();
        let homes: Vec<u8> = keys.iter().map(|&key| byte(board.home(key.into()))).collect();
        if homes.len() < 3 {
            return None;
        }
        let table = Table::build(board, &homes, ENDING, 1).ok()?;
        let mut weight = 1;
        for &key in keys.iter().rev() {
            for (spot, part) in (0..).zip(&mut self.part[usize::from(key)]).take(SPOTS) {
                *part = spot * weight;
            }
            weight *= u32::try_from(SPOTS).unwrap_or(0);
        }
        self.base[group] = 0;
        Some((group, table))
    }

    /// The group of a key.
    #[inline]
    pub(crate) fn group(&self, key: usize) -> usize {
        usize::from(self.group[key % ROOM]) % GROUPS
    }

    /// The change of an index, modulo 2^32, if the digit of a key changes.
    #[inline]
    pub(crate) fn change(&self, key: usize, before: u8, after: u8) -> u32 {
        self.part(key, after).wrapping_sub(self.part(key, before))
    }

    /// The part of an index.
    #[inline]
    fn part(&self, key: usize, digit: u8) -> u32 {
        self.part[key % ROOM][usize::from(digit) % ROOM]
    }

    /// The index of a group, by the digits of all keys.
    #[inline]
    pub(crate) fn index(&self, group: usize, digits: &[u8; ROOM]) -> u32 {
        let mut index = self.base[group];
        for &key in &self.members[group] {
            // All parts together are below the size of the table.
            index = index.wrapping_add(self.part(usize::from(key), digits[usize::from(key) % ROOM]));
        }
        index
    }
}

/// The estimate for the search of a board from one end.
#[derive(Debug)]
pub struct Estimate {
    direction: Direction,
    board: Geometry,
    /// Tables for the moves of the search.
    own: Arc<GapTables>,
    /// Tables for the moves of the search, undone.
    undone: Arc<GapTables>,
    by_tiles: [Look; IMAGES],
    by_spots: [Look; IMAGES],
    /// By look by tiles, the group in which the empty spot ends, and its table.
    endings: [Option<(usize, Table)>; IMAGES],
    /// By tile and spot, the correction for the trip home, in parts of a move.
    trips: [[i16; ROOM]; ROOM],
}

impl Estimate {
    /// The estimates for a board's searches from either end, from tables for moves and for undone moves.
    pub fn both(board: Packed, tables: &[Arc<GapTables>; 2]) -> [Estimate; 2] {
        let [forwards, backwards] = tables;
        [Estimate::new(board, forwards, backwards), Estimate::new(board, backwards, forwards)]
    }

    fn new(board: Packed, own: &Arc<GapTables>, undone: &Arc<GapTables>) -> Estimate {
        let direction = own.direction;
        let board = direction.geometry(board);
        let home = |tile: u8| board.home(tile.into());
        let images: [Symmetry; IMAGES] = [identity(), mirror()];
        let mut by_tiles = images.each_ref().map(|image| {
            let tile_at = |spot: u8| (0..byte(TILES)).find(|&tile| home(tile) == usize::from(spot));
            Look::new(own, image, tile_at, |spot| image[usize::from(spot)].into())
        });
        let endings = by_tiles.each_mut().map(|look| look.use_ending(&board));
        let by_spots = images.each_ref().map(|image| {
            let digit = |tile: u8| if tile == EMPTY { MISSING } else { image[home(tile)].into() };
            Look::new(undone, image, Some, digit)
        });
        let mut trips = [[0; ROOM]; ROOM];
        for (tile, by_spot) in trips.iter_mut().enumerate().take(TILES) {
            for (spot, correction) in by_spot.iter_mut().enumerate().take(SPOTS) {
                *correction = trips::correction(direction, spot, board.home(tile));
            }
        }
        let (own, undone) = (Arc::clone(own), Arc::clone(undone));
        Estimate { direction, board, own, undone, by_tiles, by_spots, endings, trips }
    }

    /// Removes the corrections.
    #[must_use]
    pub fn uncorrected(self) -> Estimate {
        Estimate { trips: [[0; ROOM]; ROOM], ..self }
    }

    /// The direction of the search.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The board, with the moves of the search's direction.
    pub fn board(&self) -> &Geometry {
        &self.board
    }

    /// The looks that number positions by their tiles.
    #[inline]
    pub(crate) fn by_tiles(&self) -> &[Look; IMAGES] {
        &self.by_tiles
    }

    /// The looks that number positions by their spots.
    #[inline]
    pub(crate) fn by_spots(&self) -> &[Look; IMAGES] {
        &self.by_spots
    }

    /// The values of all tables, by look and group.
    pub(crate) fn slices(&self) -> [[&[u8]; GROUPS]; LOOKS] {
        std::array::from_fn(|look| {
            let tables = if look < IMAGES { &self.own.tables } else { &self.undone.tables };
            let ending = self.endings.get(look).and_then(Option::as_ref);
            std::array::from_fn(|group| match ending {
                Some((number, table)) if *number == group => table.values(),
                _ => tables.get(group).map_or(&[] as &[u8], |table| table.values()),
            })
        })
    }

    /// The sum of the corrections for all tiles of a position, given by the occupant of each spot.
    pub(crate) fn correction(&self, occupants: &[u8; SPOTS]) -> i16 {
        let trips = occupants.iter().enumerate().filter(|(_, occupant)| **occupant != EMPTY);
        trips.map(|(spot, tile)| self.trips[usize::from(*tile) % ROOM][spot]).sum()
    }

    /// The change of that sum if a tile goes from one spot to another.
    #[inline]
    pub(crate) fn corrected(&self, tile: u8, from: usize, to: usize) -> i16 {
        let trips = &self.trips[usize::from(tile) % ROOM];
        trips[to % ROOM] - trips[from % ROOM]
    }

    /// A position's score: the estimate of the moves left, in parts of a move; 0 only for the goal. `sum` is the sum
    /// of all looks, `greatest` the greatest look, and `correction` the correction for all tiles.
    #[inline]
    pub(crate) fn score(sum: usize, greatest: u8, correction: i16) -> usize {
        if greatest == 0 {
            return 0;
        }
        let looks = sum * (PARTS / LOOKS) + usize::from(greatest) * PARTS;
        looks.saturating_add_signed(correction.into()).clamp(1, SCORES - 1)
    }

    /// Bytes of the tables for the moves of the search.
    pub(crate) fn own_bytes(&self) -> usize {
        self.own.bytes()
    }

    /// Number of tiles in the largest group.
    pub fn tiles(&self) -> usize {
        self.own.tables.iter().map(|table| table.homes().len()).max().unwrap_or(0)
    }

    /// The values of a position, given by the occupant of each spot, by look and group.
    pub fn values(&self, occupants: &[u8; SPOTS]) -> [[u8; GROUPS]; LOOKS] {
        let (spot_of, occupants) = digits(occupants);
        let slices = self.slices();
        let mut values = [[0; GROUPS]; LOOKS];
        for (number, values) in values.iter_mut().enumerate() {
            let (look, digits) = match number.checked_sub(IMAGES) {
                None => (&self.by_tiles[number], &spot_of),
                Some(number) => (&self.by_spots[number], &occupants),
            };
            for (group, value) in values.iter_mut().enumerate() {
                if !slices[number][group].is_empty() {
                    *value = slices[number][group][look.index(group, digits) as usize];
                }
            }
        }
        values
    }
}

/// The spot of each tile, and the occupant of each spot, with room for masks.
#[inline]
pub(crate) fn digits(occupants: &[u8; SPOTS]) -> ([u8; ROOM], [u8; ROOM]) {
    let (mut spot_of, mut with_room) = ([0; ROOM], [EMPTY; ROOM]);
    with_room[..SPOTS].copy_from_slice(occupants);
    for (spot, &occupant) in (0..).zip(occupants) {
        spot_of[usize::from(occupant) % ROOM] = spot;
    }
    (spot_of, with_room)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::groups::{GAP_FOURS, GAP_THREES};

    #[test]
    fn every_partition_contains_every_spot_once() {
        for partition in [GAP_THREES, GAP_FOURS] {
            let mut homes: Vec<u8> = partition.homes().flatten().collect();
            homes.sort_unstable();
            assert!(homes.into_iter().eq(0..byte(SPOTS)), "{partition:?}");
            assert!(partition.groups.len() <= GROUPS && partition.homes().all(|group| group.len() <= MAX));
        }
    }

    /// Along an answer, no look exceeds the moves left, from either end, and all together they come close.
    #[test]
    fn no_look_exceeds_the_moves_left() {
        let tables = GapTables::both(GAP_THREES, 2).unwrap().map(Arc::new);
        // The empty spot at home, in a corner and elsewhere.
        let answers = [
            ("FBCDE KAGHJ PLMIO UQRNT VWXS+", "ddtdrtdluuurrrddddtlltlluu"),
            ("+ABCD GHIJE FKLMN QRSTO PUVWX", "llllurrrrullllurrrrullll"),
            ("ABCDE FGHIJ KL+MN PQRSO UVWXT", "lluu"),
        ];
        for (text, answer) in answers {
            let board: loyd_kit::Board = text.parse().unwrap();
            let mut path = vec![byte(board.empty().index())];
            let mut now = board;
            for letter in answer.chars() {
                now = now.after(loyd_kit::Move::ALL.into_iter().find(|made| made.letter() == letter).unwrap()).unwrap();
                path.push(byte(now.empty().index()));
            }
            for estimate in Estimate::both(Packed::from(&board), &tables) {
                let direction = estimate.direction();
                // The reverse of an answer is the path of the search from the other end.
                let path = direction.answer(path.clone());
                let mut position = direction.start(Packed::from(&board));
                let mut greatest = 0;
                for (made, step) in path.windows(2).enumerate() {
                    let left = path.len() - 1 - made;
                    for values in estimate.values(&position.occupants()) {
                        let sum: usize = values.into_iter().map(usize::from).sum();
                        assert!(sum <= left, "{text} {direction}: {sum} with {left} moves left");
                        greatest = greatest.max(sum);
                    }
                    let (empty, to) = (usize::from(step[0]), usize::from(step[1]));
                    position = position.swapped(empty, to, position.occupants()[to]);
                }
                assert!(greatest * 2 > path.len(), "{text} {direction}: {greatest}");
                assert_eq!(estimate.values(&position.occupants()), [[0; GROUPS]; LOOKS]);
            }
        }
    }
}
