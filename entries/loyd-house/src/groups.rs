//! The partitions of the 24 tiles into groups with one small table each.

/// Number of tiles on the board, one less than the spots.
pub const TILES: usize = 24;

/// A partition of the tiles into groups, given by letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Number of tiles in the largest group.
    pub tiles: usize,
    /// The letters of each group.
    pub groups: &'static [&'static str],
}

/// A partition of all spots into groups of four and the centre, Y being the last spot: six tables of 457 KB.
pub const GAP_FOURS: Partition = Partition { tiles: 4, groups: &["ABFG", "CDHI", "EJNO", "KPUV", "LQRW", "STXY", "M"] };
/// A partition of all spots, Y being the last spot, into groups of up to four, most of three, for tests and
/// experiments.
pub const GAP_THREES: Partition =
    Partition { tiles: 4, groups: &["ABF", "CDH", "EIJ", "GLM", "KPQ", "UVR", "NOS", "TWXY"] };
/// Groups of three: eight tables of 15,625 bytes, built in a millisecond or two, for the first answer.
pub const THREES: Partition = Partition { tiles: 3, groups: &["ABF", "CDH", "EIJ", "GLM", "KPQ", "UVR", "OTX", "NSW"] };
/// Groups of four: six tables of 390 KB.
pub const FOURS: Partition = Partition { tiles: 4, groups: &["ABFG", "CDHI", "EJNO", "KLPQ", "UVWR", "MSTX"] };
/// Groups of up to five: five tables, four of them of 9.8 MB.
pub const FIVES: Partition = Partition { tiles: 5, groups: &["ABFGK", "CDHI", "EJLMO", "PQUVR", "NSTWX"] };

impl Partition {
    /// The homes of each group's tiles.
    pub fn homes(self) -> impl Iterator<Item = Vec<u8>> {
        self.groups.iter().map(|group| group.bytes().map(|letter| letter - b'A').collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_partition_contains_every_tile_once() {
        for partition in [THREES, FOURS, FIVES] {
            let mut homes: Vec<u8> = partition.homes().flatten().collect();
            homes.sort_unstable();
            assert!(homes.into_iter().eq(0..24), "{partition:?}");
            assert!(partition.homes().all(|group| (3..=partition.tiles).contains(&group.len())));
            let ends = [b'T' - b'A', b'X' - b'A'];
            assert!(partition.homes().any(|group| ends.iter().all(|tile| group.contains(tile))), "{partition:?}");
        }
    }
}
