//! The board of the tables: numbered spots, and the moves of a single tile from each.
//!
//! The side is a value, not a constant, so that the same tables can be built for 3 × 3 boards. Those are small enough
//! for a complete search, which checks the tables.

/// The side of the board of Loyd's Dilemma.
pub const SIDE: usize = 5;
/// Spots of that board. The last is the home of the empty spot, so spot `i` is the home of tile `i`.
pub const SPOTS: usize = SIDE * SIDE;
/// The spot a transport takes its tile from.
pub const CENTRE: usize = SPOTS / 2;

/// The spots of a square board of an odd side, numbered row by row from the upper left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    side: usize,
    /// The empty spot in the goal.
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
    /// If the side is even, as no spot would be the centre, or so large that a spot does not fit a byte.
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

    /// Sets another goal: the empty spot ends on `end`, and the tile of that spot belongs on the last one.
    #[must_use]
    pub fn ending_at(self, end: usize) -> Geometry {
        Geometry { end, ..self }
    }

    /// Reverses every move between the spots.
    #[must_use]
    pub fn reversed(self) -> Geometry {
        Geometry { targets: self.sources, sources: self.targets, ..self }
    }

    /// Number of spots on a board of this side.
    pub fn spots(&self) -> usize {
        self.side * self.side
    }

    /// The spot a transport takes its tile from.
    pub fn centre(&self) -> usize {
        self.spots() / 2
    }

    /// The empty spot in the goal: the last spot unless [`Geometry::ending_at`] set another.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The home of a tile: the spot of its number, unless the empty spot ends there.
    pub fn home(&self, tile: usize) -> usize {
        if tile == self.end { self.spots() - 1 } else { tile }
    }

    /// The spots next to this one.
    pub fn neighbours(&self, spot: usize) -> &[usize] {
        &self.neighbours[spot]
    }

    /// The spots that a tile on this spot can reach in one move: its neighbours, and from the centre all. With reversed
    /// moves: its neighbours and the centre.
    pub fn targets(&self, spot: usize) -> &[usize] {
        &self.targets[spot]
    }

    /// The empty spots that are possible one move after this one: its neighbours and the centre. With reversed moves:
    /// its neighbours, and after the centre all.
    pub fn empty_after(&self, empty: usize) -> &[usize] {
        // The empty spot goes to the spot that the tile leaves.
        &self.sources[empty]
    }

    /// The empty spots that are possible one move before this one: its neighbours, and before the centre all. With
    /// reversed moves: its neighbours and the centre.
    pub fn empty_before(&self, empty: usize) -> &[usize] {
        // The empty spot comes from the spot that the tile goes to.
        &self.targets[empty]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tile_in_the_centre_can_go_anywhere() {
        let board = Geometry::new(SIDE);
        for spot in 0..SPOTS {
            let expected = if spot == CENTRE { 24 } else { board.neighbours(spot).len() };
            assert_eq!(board.targets(spot).len(), expected);
        }
        assert_eq!(board.targets(0), [1, 5]);
        assert_eq!(Geometry::new(3).targets(2), [1, 5]);
    }

    #[test]
    fn the_empty_spot_goes_to_its_neighbours_or_to_the_centre() {
        let board = Geometry::new(SIDE);
        assert_eq!(board.empty_after(24), [19, 23, 12]);
        assert_eq!(board.empty_after(7), [2, 6, 8, 12], "the centre once");
        assert_eq!(board.empty_after(CENTRE), [7, 11, 13, 17]);
    }

    #[test]
    fn a_reversed_board_is_searched_from_the_other_end() {
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
