//! How the 24 tiles are parted into groups, one table a group, as long as tables are small.

/// The tiles of a board.
pub const TILES: usize = 24;

/// A partition of the tiles, by letters of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// Most tiles in a group.
    pub tiles: usize,
    /// The groups.
    pub groups: &'static [&'static str],
}

/// Eight tables of 15,625 bytes: built in a millisecond or two, for the first answer.
pub const THREES: Partition = Partition { tiles: 3, groups: &["ABF", "CDH", "EIJ", "GLM", "KPQ", "UVR", "OTX", "NSW"] };
/// Six tables of 390 KB.
pub const FOURS: Partition = Partition { tiles: 4, groups: &["ABFG", "CDHI", "EJNO", "KLPQ", "UVWR", "MSTX"] };
/// Five tables, four of them of 9.8 MB.
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
    fn every_partition_holds_every_tile_once_and_the_last_two_together() {
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
