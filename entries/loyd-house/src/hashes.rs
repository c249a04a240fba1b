//! Hashes of positions, and the set that finds equal ones.

use crate::estimate::ROOM;
use crate::geometry::SPOTS;
use crate::position::EMPTY;

/// A number per occupant and spot. The hash of a position combines those of its occupants, so a move changes four.
#[derive(Debug)]
pub(crate) struct Hashes([[u32; ROOM]; ROOM]);

impl Hashes {
    pub(crate) fn new() -> Hashes {
        let mut state = 0_u64;
        Hashes([(); ROOM].map(|()| {
            [(); ROOM].map(|()| {
                // SplitMix64.
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
                u32::try_from(mixed >> 32).expect("32 bits")
            })
        }))
    }

    /// The hash of a position, given by the occupant of each spot.
    pub(crate) fn of(&self, occupants: &[u8; SPOTS]) -> u32 {
        occupants.iter().enumerate().fold(0, |hash, (spot, &occupant)| hash ^ self.0[usize::from(occupant)][spot])
    }

    /// The hash after the empty spot went from `empty` to `to`, the spot of `tile`.
    #[inline]
    pub(crate) fn after(&self, hash: u32, empty: usize, to: usize, tile: u8) -> u32 {
        let moved = |hashes: &[u32; ROOM]| hashes[empty % ROOM] ^ hashes[to % ROOM];
        hash ^ moved(&self.0[usize::from(tile) % ROOM]) ^ moved(&self.0[usize::from(EMPTY)])
    }
}

/// Hashes of the positions with one score that were chosen. Only equal scores can mean equal positions, so the table
/// stays small enough for the cache. Two positions with equal hashes are rare, and cost one of them its place.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Hashes with the lowest bit set, at the place of their highest bits or after it; 0 if a place is free.
    places: Vec<u32>,
    shift: u32,
}

impl Seen {
    /// Forgets all hashes, and makes room for this many.
    pub(crate) fn clear(&mut self, hashes: usize) {
        let bits = (2 * hashes).next_power_of_two().trailing_zeros().max(1);
        self.shift = u32::BITS - bits;
        self.places.clear();
        self.places.resize(1 << bits, 0);
    }

    /// Adds a hash; `false` if it is known.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32) -> bool {
        let (hash, mask) = (hash | 1, self.places.len() - 1);
        let mut place = (hash >> self.shift) as usize;
        loop {
            match self.places[place & mask] {
                0 => {
                    self.places[place & mask] = hash;
                    return true;
                }
                known if known == hash => return false,
                _ => place += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_known_only_after_it_was_added() {
        let mut seen = Seen::default();
        for round in 0..2 {
            seen.clear(1_000);
            for number in 0..1_000_u32 {
                let hash = (number + round).wrapping_mul(0x9e37_79b9);
                assert!(seen.insert(hash) && !seen.insert(hash));
            }
        }
    }
}
