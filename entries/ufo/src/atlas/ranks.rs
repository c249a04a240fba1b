//! Sets of a fixed size, numbered without gaps.
//!
//! A set's rank is its place among all sets of its size in ascending order of their bits. It is the sum of C(*b*, *i*)
//! over its bits, where *b* is the place of the *i*-th bit from below. Three look-ups compute the sum, one for each
//! eleven bits. The low bits of an entry contain the part of the rank that its eleven bits contribute. The high bits
//! contain the number of bits set so far, which selects the table for the next look-up.

/// Bits of a set per look-up.
const CHUNK: u32 = 11;
/// The position of the bit count in an entry; ranks need fewer bits: C(32, 9) is below 2²⁵.
const COUNT_SHIFT: u32 = 28;
/// The most squares a set is chosen from.
const MAX_FREE_SQUARES: u32 = 32;
/// The most squares in a set.
const MAX_CHOSEN: u32 = 9;

/// The number of sets of `chosen` squares out of `squares`.
pub(super) const fn binomial(squares: u32, chosen: u32) -> u32 {
    if chosen > squares {
        return 0;
    }
    let (mut product, mut taken) = (1_u64, 0);
    while taken < chosen {
        product = product * (squares - taken) as u64 / (taken + 1) as u64;
        taken += 1;
    }
    assert!(product <= u32::MAX as u64);
    #[expect(clippy::cast_possible_truncation, reason = "asserted in the line before")]
    let product = product as u32;
    product
}

/// The ranks of all sets with `chosen` of `squares` squares.
#[derive(Debug)]
pub(super) struct Ranks {
    /// All sets, ordered by rank.
    sets: Vec<u32>,
    /// One table per chunk: for a number of bits below the chunk and the bits in it, the entry described above.
    chunks: [Vec<u32>; 3],
}

impl Ranks {
    pub(super) fn new(squares: u32, chosen: u32) -> Ranks {
        assert!((1..=MAX_CHOSEN).contains(&chosen) && squares <= MAX_FREE_SQUARES && chosen <= squares);
        let narrow = |set| u32::try_from(set).expect("sets are chosen from at most 32 squares");
        let sets = all_sets(squares as usize, chosen).map(narrow).collect();
        Ranks { sets, chunks: [0, 1, 2].map(|chunk| chunk_table(chunk, squares, chosen)) }
    }

    /// The number of sets that have a rank.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The set of a rank.
    pub(super) fn set(&self, rank: usize) -> u32 {
        self.sets[rank]
    }

    /// The rank of a set.
    #[inline]
    pub(super) fn rank(&self, set: u32) -> usize {
        let within =
            |below: u32, chunk: u32| ((below << CHUNK) | (set >> (chunk * CHUNK) & ((1 << CHUNK) - 1))) as usize;
        let low = self.chunks[0][within(0, 0)];
        let middle = low + self.chunks[1][within(low >> COUNT_SHIFT, 1)];
        let all = middle + self.chunks[2][within(middle >> COUNT_SHIFT, 2)];
        (all & ((1 << COUNT_SHIFT) - 1)) as usize
    }
}

/// Lists all sets of `chosen` squares, at least 1, out of `squares`, in ascending order of their bits.
pub(super) fn all_sets(squares: usize, chosen: u32) -> impl Iterator<Item = u64> {
    let next = |set: &u64| {
        // The top bit of the lowest run of bits moves up by one; the rest of the run moves to the bottom.
        let (lowest, carried) = (set & set.wrapping_neg(), set + (set & set.wrapping_neg()));
        Some(carried | (((set ^ carried) >> 2) / lowest))
    };
    std::iter::successors(Some((1_u64 << chosen) - 1), next).take_while(move |set| set >> squares == 0)
}

fn chunk_table(chunk: u32, squares: u32, chosen: u32) -> Vec<u32> {
    let belows = if chunk == 0 { 0..=0 } else { 0..=chosen };
    let entry = |below: u32, bits: u32| {
        let places = (0..CHUNK).filter(|place| bits >> place & 1 == 1).map(|place| place + chunk * CHUNK);
        let mut count = 0;
        let mut rank = 0;
        for place in places {
            count += 1;
            // Entries beyond the board or beyond the number of pieces are never used.
            if place >= squares || below + count > chosen {
                return 0;
            }
            rank += binomial(place, below + count);
        }
        rank | count << COUNT_SHIFT
    };
    belows.flat_map(|below| (0..1 << CHUNK).map(move |bits| entry(below, bits))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_all_sets_in_ascending_order_without_gaps() {
        for (squares, chosen) in [(24, 1), (24, 6), (22, 4), (32, 5), (30, 3), (32, 1), (31, 6), (16, 9), (9, 9)] {
            let ranks = Ranks::new(squares, chosen);
            assert_eq!(ranks.len(), binomial(squares, chosen) as usize);
            let mut before = None;
            for rank in 0..ranks.len() {
                let set = ranks.set(rank);
                assert_eq!((set.count_ones(), ranks.rank(set)), (chosen, rank), "{set:b} of {squares}");
                assert!(before < Some(set) && u64::from(set) < 1 << squares, "{set:b}");
                before = Some(set);
            }
        }
    }
}
