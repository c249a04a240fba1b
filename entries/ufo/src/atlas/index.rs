//! The dense index of a group's states: the class of the letter set, then the rank of the number set.
//!
//! Letter sets that are images of each other form a *class*. The one that begins earliest in reading order represents
//! it: the *letters* of the class. A state is turned so that its letter pieces stand there. Its number pieces are a set
//! of the remaining squares. Some symmetries keep the letters of a class in place. States that are images of each other
//! under these have separate indices; together they are one *problem*. The state whose number pieces begin earliest
//! represents the problem.

use crate::geometry::{Geometry, begins_earlier, squares};
use crate::position::{Position, placements};

use super::group::Group;
use super::ranks::{Ranks, binomial};

/// Letter sets that are images of each other.
#[derive(Debug)]
pub(super) struct Class {
    /// The letter set that represents them.
    pub(super) letters: u64,
    /// The symmetries that keep it in place, except the identity.
    pub(super) stabiliser: Vec<usize>,
}

/// The index of a group.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) group: Group,
    pub(super) geometry: &'static Geometry,
    pub(super) classes: Vec<Class>,
    /// The class of each letter set, by rank, and the symmetry that maps the set to the letters of the class.
    class_of: Vec<(u16, u8)>,
    numbers: Ranks,
}

impl Index {
    pub(super) fn new(group: Group) -> Index {
        let geometry = group.shape.geometry();
        let squares = u32::try_from(geometry.square_count()).expect("a board has at most 33 squares");
        let mut classes = Vec::new();
        let letter_sets = placements(geometry, 0, group.letters as usize);
        let mut class_of = vec![(u16::MAX, 0); binomial(squares, group.letters) as usize];
        for &letters in &letter_sets {
            let images = geometry.images(letters);
            if images.iter().any(|&image| begins_earlier(image, letters)) {
                continue;
            }
            let class = u16::try_from(classes.len()).expect("there are at most 5,456 letter sets");
            for (symmetry, &image) in images.iter().enumerate() {
                let back = geometry.inverse(symmetry);
                class_of[letter_rank(image)] = (class, u8::try_from(back).expect("there are eight symmetries"));
            }
            let stabiliser = (1..images.len()).filter(|&symmetry| images[symmetry] == letters).collect();
            classes.push(Class { letters, stabiliser });
        }
        Index { group, geometry, classes, class_of, numbers: Ranks::new(squares - group.letters, group.numbers) }
    }

    /// The number of states that have an index.
    pub(super) fn len(&self) -> usize {
        self.classes.len() * self.numbers.len()
    }

    /// The number of states of a group, computed without building its index.
    pub(super) fn len_of(group: Group) -> u64 {
        let geometry = group.shape.geometry();
        let first = |letters: &u64| !geometry.images(*letters).iter().any(|&image| begins_earlier(image, *letters));
        let classes = placements(geometry, 0, group.letters as usize).into_iter().filter(first).count() as u64;
        let squares = u32::try_from(geometry.square_count()).expect("a board has at most 33 squares");
        classes * u64::from(binomial(squares - group.letters, group.numbers))
    }

    /// The class and the number set of an index.
    #[inline]
    pub(super) fn state(&self, index: usize) -> (usize, u64) {
        let (class, rank) = (index / self.numbers.len(), index % self.numbers.len());
        (class, spread(self.numbers.set(rank), self.classes[class].letters))
    }

    /// The position of an index.
    pub(super) fn position(&self, index: usize) -> Position {
        let (class, numbers) = self.state(index);
        Position { letters: self.classes[class].letters, numbers }
    }

    /// The index of a class and a number set.
    #[inline]
    pub(super) fn at(&self, class: usize, numbers: u64) -> usize {
        class * self.numbers.len() + self.numbers.rank(packed(numbers, self.classes[class].letters))
    }

    /// The class of a letter set, and the symmetry that maps the set to the letters of the class.
    #[inline]
    pub(super) fn class(&self, letters: u64) -> (usize, usize) {
        let (class, symmetry) = self.class_of[letter_rank(letters)];
        (usize::from(class), usize::from(symmetry))
    }

    /// True if the state represents its problem.
    #[inline]
    pub(super) fn is_first(&self, class: usize, numbers: u64) -> bool {
        let mut stabiliser = self.classes[class].stabiliser.iter();
        !stabiliser.any(|&symmetry| begins_earlier(self.geometry.image(symmetry, numbers), numbers))
    }
}

/// The rank of a letter set among all sets of its size.
#[inline]
fn letter_rank(letters: u64) -> usize {
    /// C(*b*, 1), C(*b*, 2), C(*b*, 3) for each square *b*.
    const SHARES: [[u32; 3]; crate::geometry::MAX_SQUARES] = {
        let mut shares = [[0; 3]; crate::geometry::MAX_SQUARES];
        let mut square = 0;
        while square < 33_u32 {
            shares[square as usize] = [binomial(square, 1), binomial(square, 2), binomial(square, 3)];
            square += 1;
        }
        shares
    };
    squares(letters).zip(0..).map(|(square, below)| SHARES[square.index()][below] as usize).sum()
}

/// Removes the squares of the letters from the numbering: the squares above each of them move down by one.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "33 squares, of which at least one is removed")]
fn packed(numbers: u64, letters: u64) -> u32 {
    let (mut set, mut left) = (numbers, letters);
    while left != 0 {
        // From above, so that the squares below keep their places.
        let highest = 1 << (63 - left.leading_zeros());
        set = set & (highest - 1) | (set & !(highest - 1)) >> 1;
        left ^= highest;
    }
    set as u32
}

/// Makes room in a packed set for the squares of `letters`: the inverse of [`packed`].
#[inline]
fn spread(set: u32, letters: u64) -> u64 {
    let mut numbers = u64::from(set);
    for square in squares(letters) {
        let below = square.bit() - 1;
        numbers = numbers & below | (numbers & !below) << 1;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_count_as_many_problems_as_burnside() {
        for group in ["1-3", "2-2", "3-2", "cross:1-3", "cross:2-2", "cross:3-1"] {
            let group: Group = group.parse().unwrap_or_else(|reason| panic!("{reason}"));
            let index = Index::new(group);
            assert_eq!(index.len() as u64, Index::len_of(group));
            let mut problems = 0_u64;
            for state in 0..index.len() {
                let (class, numbers) = index.state(state);
                let letters = index.classes[class].letters;
                assert_eq!(index.at(class, numbers), state, "{group}");
                assert_eq!(letters & numbers, 0);
                problems += u64::from(index.is_first(class, numbers));
            }
            // Burnside: the mean number of placements that a symmetry leaves unchanged.
            let kept = |symmetry: usize| {
                let sets = placements(index.geometry, 0, group.letters as usize);
                let letters = sets.iter().filter(|&&set| index.geometry.image(symmetry, set) == set);
                let number_sets = |letters: u64| {
                    let ranks = Ranks::new(
                        u32::try_from(index.geometry.square_count()).unwrap_or(0) - group.letters,
                        group.numbers,
                    );
                    let sets = (0..ranks.len()).map(|rank| spread(ranks.set(rank), letters)).collect::<Vec<_>>();
                    sets.into_iter().filter(|&set| index.geometry.image(symmetry, set) == set).count() as u64
                };
                letters.map(|&letters| number_sets(letters)).sum::<u64>()
            };
            assert_eq!(problems * 8, (0..8).map(kept).sum::<u64>(), "{group}");
        }
    }

    #[test]
    fn the_symmetry_of_a_letter_set_maps_it_to_the_letters_of_its_class() {
        for group in ["1-1", "2-1", "3-1", "cross:1-1", "cross:2-1", "cross:3-1"] {
            let index = Index::new(group.parse().unwrap_or_else(|reason| panic!("{reason}")));
            for letters in placements(index.geometry, 0, index.group.letters as usize) {
                let (class, symmetry) = index.class(letters);
                assert_eq!(index.geometry.image(symmetry, letters), index.classes[class].letters, "{group}");
            }
        }
    }
}
