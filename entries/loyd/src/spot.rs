//! The 25 spots, their distances, and sets of spots.

/// Spots per side of the board.
const SIDE: u8 = 5;
/// Number of spots on the board.
pub(crate) const SPOTS: u8 = SIDE * SIDE;

/// One of the 25 spots, numbered 0 to 24 row by row from the upper left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(u8);

impl Spot {
    /// The spot in the middle, the one a transport empties.
    pub const CENTRE: Spot = Spot(SPOTS / 2);
    /// The lower right corner, where the empty spot is in perfection.
    pub const LAST: Spot = Spot(SPOTS - 1);

    /// The spot with this number; `None` from 25 on.
    pub fn new(number: usize) -> Option<Spot> {
        let number = u8::try_from(number).ok()?;
        (number < SPOTS).then_some(Spot(number))
    }

    /// All 25 spots in reading order.
    pub fn all() -> impl Iterator<Item = Spot> {
        (0..SPOTS).map(Spot)
    }

    /// The number of the spot, 0 to 24, to index an array with.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The number of the spot in eight bits.
    pub(crate) fn number(self) -> u8 {
        self.0
    }

    /// The row, 0 to 4 from the top.
    pub fn row(self) -> u8 {
        self.0 / SIDE
    }

    /// The column, 0 to 4 from the left.
    pub fn column(self) -> u8 {
        self.0 % SIDE
    }

    /// Steps from one spot to the other along rows and columns, 0 to 8.
    pub fn distance(self, other: Spot) -> u8 {
        self.row().abs_diff(other.row()) + self.column().abs_diff(other.column())
    }

    /// The least number of its own moves that take a tile from one spot to the other, 0 to 5: steps, or steps to the
    /// centre and a transport.
    pub fn moves_to(self, other: Spot) -> u8 {
        self.distance(other).min(self.distance(Spot::CENTRE) + 1)
    }

    /// Steps a chess king needs from one spot to the other, 0 to 4: the longer of the two sides.
    pub fn king_distance(self, other: Spot) -> u8 {
        self.row().abs_diff(other.row()).max(self.column().abs_diff(other.column()))
    }

    /// Returns `true` for the sixteen spots on the border.
    pub fn is_on_border(self) -> bool {
        self.king_distance(Spot::CENTRE) == 2
    }

    /// The two to four spots next to this one: above, left, right, below.
    pub fn neighbours(self) -> impl Iterator<Item = Spot> {
        [(-1, 0), (0, -1), (0, 1), (1, 0)].into_iter().filter_map(move |(rows, columns)| self.shifted(rows, columns))
    }

    /// The spot `rows` further down and `columns` further right; `None` outside the board.
    pub(crate) fn shifted(self, rows: i8, columns: i8) -> Option<Spot> {
        let row = self.row().checked_add_signed(rows)?;
        let column = self.column().checked_add_signed(columns)?;
        (row < SIDE && column < SIDE).then_some(Spot(row * SIDE + column))
    }
}

/// A set of spots, for example those that must not be disturbed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpotSet(u32);

impl SpotSet {
    /// Returns `true` if the spot is in the set.
    pub fn contains(self, spot: Spot) -> bool {
        self.0 & (1 << spot.0) != 0
    }

    /// Adds a spot; one that is in the set already changes nothing.
    pub fn insert(&mut self, spot: Spot) {
        self.0 |= 1 << spot.0;
    }

    /// Number of spots in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with this spot added.
    #[must_use]
    pub fn with(mut self, spot: Spot) -> SpotSet {
        self.insert(spot);
        self
    }
}

impl FromIterator<Spot> for SpotSet {
    fn from_iter<I: IntoIterator<Item = Spot>>(spots: I) -> SpotSet {
        spots.into_iter().fold(SpotSet::default(), SpotSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_count_from_the_upper_left() {
        assert_eq!((Spot::CENTRE.row(), Spot::CENTRE.column()), (2, 2));
        assert_eq!((Spot::LAST.row(), Spot::LAST.column()), (4, 4));
        assert_eq!(Spot::new(24), Some(Spot::LAST));
        assert_eq!(Spot::new(25), None);
    }

    #[test]
    fn neighbours_are_the_spots_one_step_away() {
        for spot in Spot::all() {
            let near: Vec<Spot> = spot.neighbours().collect();
            let expected: Vec<Spot> = Spot::all().filter(|o| o.distance(spot) == 1).collect();
            assert_eq!(near, expected, "around {spot:?}");
        }
    }

    #[test]
    fn a_tile_goes_by_the_centre_where_that_is_shorter() {
        let corner = Spot(0);
        assert_eq!((corner.moves_to(Spot::LAST), corner.moves_to(Spot(1)), Spot::CENTRE.moves_to(corner)), (5, 1, 1));
        assert_eq!(corner.moves_to(corner), 0);
    }

    #[test]
    fn kings_moves_from_the_centre_form_rings() {
        let rings = |steps| Spot::all().filter(|s| s.king_distance(Spot::CENTRE) == steps).count();
        assert_eq!([0, 1, 2, 3].map(rings), [1, 8, 16, 0]);
        assert_eq!(Spot::all().filter(|spot| spot.is_on_border()).count(), 16);
    }

    #[test]
    fn a_set_contains_exactly_the_added_spots() {
        let set: SpotSet = [Spot::CENTRE].into_iter().collect();
        for spot in Spot::all() {
            assert_eq!(set.contains(spot), spot == Spot::CENTRE);
            assert!(set.with(spot).contains(spot));
        }
        assert_eq!((set.len(), SpotSet::default().len()), (1, 0));
        assert!(!set.is_empty() && SpotSet::default().is_empty());
    }
}
