//! The board as the tables see it: numbered spots, and where a single tile can go from each.
//!
//! The side is a value, not a constant, so that the same tables can be built for 3 × 3 boards, which are small enough
//! to be searched in full, and checked there.

/// The side of the board of Loyd's Dilemma.
pub const SIDE: usize = 5;
/// Its spots. The empty spot's own is the last, so tile `i` is at home on spot `i`.
pub const SPOTS: usize = SIDE * SIDE;
/// The spot a transport takes its tile from.
pub const CENTRE: usize = SPOTS / 2;

/// The spots of a square board of an odd side, numbered row by row from the upper left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    side: usize,
    /// Where the empty spot is at the end.
    end: usize,
    /// Spots next to each spot.
    neighbours: Vec<Vec<usize>>,
    /// Spots a tile on each spot can go to in one move if they are free.
    targets: Vec<Vec<usize>>,
    /// Spots a tile can come from to each spot in one move.
    sources: Vec<Vec<usize>>,
}

impl Geometry {
    /// The board with this side.
    ///
    /// # Panics
    /// If the side is even, for then no spot is the centre, or so large that a spot fits no byte.
    pub fn new(side: usize) -> Geometry {
        assert!(side % 2 == 1 && side * side < usize::from(u8::MAX), "a board has an odd side below 16");
        let spots = side * side;
        let near = |a: usize, b: usize| (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side) == 1;
        let next_to = |a: usize| (0..spots).filter(|&b| near(a, b)).collect();
        let neighbours: Vec<Vec<usize>> = (0..spots).map(next_to).collect();
        let centre = spots / 2;
        let (mut targets, mut sources) = (neighbours.clone(), neighbours.clone());
        targets[centre] = (0..spots).filter(|&spot| spot != centre).collect();
        for (spot, sources) in sources.iter_mut().enumerate() {
            if spot != centre && !sources.contains(&centre) {
                sources.push(centre);
            }
        }
        Geometry { side, end: spots - 1, neighbours, targets, sources }
    }

    /// The same board with another goal: the empty spot ends here, and the tile that belonged here belongs on the last
    /// spot.
    #[must_use]
    pub fn ending_at(self, end: usize) -> Geometry {
        Geometry { end, ..self }
    }

    /// The same spots with every move taken back instead of made.
    #[must_use]
    pub fn reversed(self) -> Geometry {
        Geometry { targets: self.sources, sources: self.targets, ..self }
    }

    /// How many spots there are.
    pub fn spots(&self) -> usize {
        self.side * self.side
    }

    /// The spot a transport takes its tile from.
    pub fn centre(&self) -> usize {
        self.spots() / 2
    }

    /// Where the empty spot is at the end: the last one unless [`Geometry::ending_at`] says otherwise.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The spot a tile belongs on: that of its number, unless the empty spot ends there.
    pub fn home(&self, tile: usize) -> usize {
        if tile == self.end { self.spots() - 1 } else { tile }
    }

    /// The spots next to this one.
    pub fn neighbours(&self, spot: usize) -> &[usize] {
        &self.neighbours[spot]
    }

    /// Where a tile on this spot can go in one move if it is free there: next door, and from the centre anywhere, or,
    /// with moves reversed, next door and to the centre.
    pub fn targets(&self, spot: usize) -> &[usize] {
        &self.targets[spot]
    }

    /// Where the empty spot can be after one move, if it is here now: next door, or in the centre; with moves reversed
    /// next door, or after the centre anywhere.
    pub fn empty_after(&self, empty: usize) -> &[usize] {
        // The empty spot goes where the tile comes from.
        &self.sources[empty]
    }

    /// Where the empty spot can have been before the move that brought it here: next door, and before the centre
    /// anywhere; with moves reversed next door, or in the centre.
    pub fn empty_before(&self, empty: usize) -> &[usize] {
        // The empty spot comes from where the tile goes.
        &self.targets[empty]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_in_the_centre_can_go_anywhere_and_another_only_next_door() {
        let board = Geometry::new(SIDE);
        for spot in 0..SPOTS {
            let expected = if spot == CENTRE { 24 } else { board.neighbours(spot).len() };
            assert_eq!(board.targets(spot).len(), expected);
        }
        assert_eq!(board.targets(0), [1, 5]);
        assert_eq!(Geometry::new(3).targets(2), [1, 5]);
    }

    #[test]
    fn the_empty_spot_goes_next_door_or_to_the_centre() {
        let board = Geometry::new(SIDE);
        assert_eq!(board.empty_after(24), [19, 23, 12]);
        assert_eq!(board.empty_after(7), [2, 6, 8, 12], "the centre once");
        assert_eq!(board.empty_after(CENTRE), [7, 11, 13, 17]);
    }

    #[test]
    fn reversed_it_leads_from_every_spot_to_those_it_came_from() {
        let board = Geometry::new(SIDE);
        let reversed = board.clone().reversed();
        for spot in 0..SPOTS {
            let led_here = |&from: &usize| board.empty_after(from).contains(&spot);
            let mut expected: Vec<usize> = (0..SPOTS).filter(led_here).collect();
            let mut found = reversed.empty_after(spot).to_vec();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected);
            assert_eq!(reversed.empty_before(spot), board.empty_after(spot));
        }
        assert_eq!(reversed.reversed(), board);
    }
}
