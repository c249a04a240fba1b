//! The dense index of a group's states: class of the letter set, then rank of the number set.
//!
//! Letter sets that a symmetry takes into each other are one *class*, and the one of them that begins earliest stands
//! for it: the *letters* of the class. A state is turned so that its letter pieces stand there; its number pieces are a
//! set of the squares that are left free. Where symmetries keep the letters in place, states that these take into each
//! other have an index each. A *problem* is such a family; the first of it, whose number pieces begin earliest, stands
//! for it.

use crate::geometry::{Geometry, begins_earlier, squares};
use crate::position::{Position, placements};

use super::group::Group;
use super::ranks::{Ranks, binomial};

/// Letter sets that the symmetries take into each other.
#[derive(Debug)]
pub(super) struct Class {
    /// The letter set that stands for them.
    pub(super) letters: u64,
    /// The symmetries that keep it in place, but for the one that moves nothing.
    pub(super) stabiliser: Vec<usize>,
}

/// The index of a group.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) group: Group,
    pub(super) geometry: &'static Geometry,
    pub(super) classes: Vec<Class>,
    /// For the rank of each letter set its class and the symmetry that takes it to the letters of the class.
    class_of: Vec<(u16, u8)>,
    numbers: Ranks,
}

impl Index {
    pub(super) fn new(group: Group) -> Index {
        let geometry = group.shape.geometry();
        let holes = u32::try_from(geometry.holes()).expect("a board has 33 holes at most");
        let mut classes = Vec::new();
        let letter_sets = placements(geometry, 0, group.letters as usize);
        let mut class_of = vec![(u16::MAX, 0); binomial(holes, group.letters) as usize];
        for &letters in &letter_sets {
            let images = geometry.images(letters);
            if images.iter().any(|&image| begins_earlier(image, letters)) {
                continue;
            }
            let class = u16::try_from(classes.len()).expect("there are 5,456 letter sets at most");
            for (symmetry, &image) in images.iter().enumerate() {
                let back = geometry.inverse(symmetry);
                class_of[letter_rank(image)] = (class, u8::try_from(back).expect("there are eight symmetries"));
            }
            let stabiliser = (1..images.len()).filter(|&symmetry| images[symmetry] == letters).collect();
            classes.push(Class { letters, stabiliser });
        }
        Index { group, geometry, classes, class_of, numbers: Ranks::new(holes - group.letters, group.numbers) }
    }

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.classes.len() * self.numbers.len()
    }

    /// How many states a group has, without the work of making its index.
    pub(super) fn len_of(group: Group) -> u64 {
        let geometry = group.shape.geometry();
        let first = |letters: &u64| !geometry.images(*letters).iter().any(|&image| begins_earlier(image, *letters));
        let classes = placements(geometry, 0, group.letters as usize).into_iter().filter(first).count() as u64;
        let holes = u32::try_from(geometry.holes()).expect("a board has 33 holes at most");
        classes * u64::from(binomial(holes - group.letters, group.numbers))
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

    /// The class of a letter set, and the symmetry that takes it there.
    #[inline]
    pub(super) fn class(&self, letters: u64) -> (usize, usize) {
        let (class, symmetry) = self.class_of[letter_rank(letters)];
        (usize::from(class), usize::from(symmetry))
    }

    /// Whether the state stands for its problem.
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
    const SHARES: [[u32; 3]; crate::geometry::MOST_HOLES] = {
        let mut shares = [[0; 3]; crate::geometry::MOST_HOLES];
        let mut square = 0;
        while square < 33_u32 {
            shares[square as usize] = [binomial(square, 1), binomial(square, 2), binomial(square, 3)];
            square += 1;
        }
        shares
    };
    squares(letters).zip(0..).map(|(square, below)| SHARES[square.index()][below] as usize).sum()
}

/// The number set without the squares of the letters: what is above each of them moves down by one.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "33 squares, one of them taken out at least")]
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

/// The number set that [`packed`] made this of.
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
    fn every_state_has_its_index_and_problems_are_counted_by_burnside() {
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
            // Burnside: the mean number of placements that a symmetry keeps.
            let kept = |symmetry: usize| {
                let sets = placements(index.geometry, 0, group.letters as usize);
                let letters = sets.iter().filter(|&&set| index.geometry.image(symmetry, set) == set);
                let beside = |letters: u64| {
                    let ranks =
                        Ranks::new(u32::try_from(index.geometry.holes()).unwrap_or(0) - group.letters, group.numbers);
                    let sets = (0..ranks.len()).map(|rank| spread(ranks.set(rank), letters)).collect::<Vec<_>>();
                    sets.into_iter().filter(|&set| index.geometry.image(symmetry, set) == set).count() as u64
                };
                letters.map(|&letters| beside(letters)).sum::<u64>()
            };
            assert_eq!(problems * 8, (0..8).map(kept).sum::<u64>(), "{group}");
        }
    }

    #[test]
    fn a_letter_set_is_taken_to_the_letters_of_its_class() {
        for group in ["1-1", "2-1", "3-1", "cross:1-1", "cross:2-1", "cross:3-1"] {
            let index = Index::new(group.parse().unwrap_or_else(|reason| panic!("{reason}")));
            for letters in placements(index.geometry, 0, index.group.letters as usize) {
                let (class, symmetry) = index.class(letters);
                assert_eq!(index.geometry.image(symmetry, letters), index.classes[class].letters, "{group}");
            }
        }
    }
}
