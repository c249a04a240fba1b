//! A problem group: a board and so many letter and number pieces, written `2-4` or `cross:2-4`.

use std::fmt;
use std::str::FromStr;

use crate::board::{LETTERS, NUMBERS};
use crate::geometry::Shape;

/// All problems with so many pieces on one of the boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Group {
    /// The board.
    pub shape: Shape,
    /// Letter pieces, 1 to 3.
    pub letters: u32,
    /// Number pieces, 1 to 9.
    pub numbers: u32,
}

impl Group {
    /// The group with these pieces; `None` for more pieces than have labels, and for none.
    pub fn new(shape: Shape, letters: u32, numbers: u32) -> Option<Group> {
        let known = |count: u32, labels: usize| (1..=labels).contains(&(count as usize));
        let named = known(letters, LETTERS.len()) && known(numbers, NUMBERS.len());
        named.then_some(Group { shape, letters, numbers })
    }

    /// The group with a letter piece less, which is where a letter piece that leaves takes a problem.
    #[must_use]
    pub fn after_exit(self) -> Option<Group> {
        Group::new(self.shape, self.letters - 1, self.numbers)
    }

    /// What its files are called: `5x5-2-4`, `cross-2-4`.
    pub fn file_name(self) -> String {
        let board = if self.shape == Shape::Cross { "cross" } else { "5x5" };
        format!("{board}-{}-{}", self.letters, self.numbers)
    }

    /// Placements of its labelled pieces, rotations and reflections included: the article's "problems possible".
    pub fn possible(self) -> u64 {
        let holes = self.shape.geometry().holes() as u64;
        let falling = |from: u64, count: u32| (0..u64::from(count)).map(|taken| from - taken).product::<u64>();
        let letters = u64::from(self.letters);
        falling(holes - 1, self.letters) * falling(holes - letters, self.numbers)
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Group { shape, letters, numbers } = self;
        let board = if *shape == Shape::Cross { "cross:" } else { "" };
        write!(f, "{board}{letters}-{numbers}")
    }
}

impl FromStr for Group {
    type Err = String;

    fn from_str(text: &str) -> Result<Group, String> {
        let (shape, pieces) = match text.strip_prefix("cross:") {
            Some(pieces) => (Shape::Cross, pieces),
            None => (Shape::Square, text),
        };
        let read = pieces
            .split_once('-')
            .and_then(|(letters, numbers)| Group::new(shape, letters.parse().ok()?, numbers.parse().ok()?));
        read.ok_or_else(|| {
            format!("no group `{text}`; write 1 to 3 letter pieces, -, 1 to 9 number pieces, such as 2-4 or cross:2-4")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_problems_are_counted_as_the_article_counts_them() {
        let rows = [("1-1", 576), ("1-6", 2_325_818_880), ("2-5", 2_228_909_760), ("3-3", 112_210_560)];
        let cross = [("cross:1-1", 1_024), ("cross:2-4", 749_118_720), ("cross:3-3", 724_953_600)];
        for (group, possible) in rows.into_iter().chain(cross) {
            assert_eq!(group.parse().map(Group::possible), Ok(possible), "{group}");
        }
    }

    #[test]
    fn a_group_is_written_as_it_is_read() {
        for text in ["1-1", "3-9", "cross:2-4"] {
            assert_eq!(text.parse::<Group>().map(|group| group.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "2", "0-1", "4-1", "1-0", "1-10", "2-4-1", "Cross:1-1", "cross: 1-1", "+1-1x"] {
            assert!(text.parse::<Group>().is_err(), "{text}");
        }
    }
}
