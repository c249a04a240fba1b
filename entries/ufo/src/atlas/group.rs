//! A problem group: a board with given numbers of letter and number pieces, written `2-4` or `cross:2-4`.

use std::fmt;
use std::str::FromStr;

use crate::geometry::Shape;
use crate::pieces::{LETTERS, NUMBERS};

/// The notation of the numbers of pieces, for error messages.
pub(crate) const EXPECTED_PIECES: &str = "expected 1 to 3 letter pieces, -, 1 to 9 number pieces, such as 2-4";

/// All problems with these numbers of pieces on one of the boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Group {
    /// The board that the pieces are on.
    pub shape: Shape,
    /// Letter pieces, 1 to 3.
    pub letters: u32,
    /// Number pieces, 1 to 9.
    pub numbers: u32,
}

impl Group {
    /// Creates a group; `None` if there are no pieces of a kind, or more pieces than labels.
    pub fn new(shape: Shape, letters: u32, numbers: u32) -> Option<Group> {
        let valid = |count: u32, labels: usize| (1..=labels).contains(&(count as usize));
        let both = valid(letters, LETTERS.len()) && valid(numbers, NUMBERS.len());
        both.then_some(Group { shape, letters, numbers })
    }

    /// Reads the numbers of pieces of a group on this board, such as `2-4`; `None` if they are invalid.
    pub(crate) fn with_pieces(shape: Shape, text: &str) -> Option<Group> {
        let (letters, numbers) = text.split_once('-')?;
        Group::new(shape, letters.parse().ok()?, numbers.parse().ok()?)
    }

    /// The group with one letter piece less, to which a problem belongs after an exit; `None` after the last exit.
    #[must_use]
    pub(crate) fn after_exit(self) -> Option<Group> {
        Group::new(self.shape, self.letters - 1, self.numbers)
    }

    /// The name of its files, without extension: `5x5-2-4`, `cross-2-4`.
    pub fn file_name(self) -> String {
        let board = if self.shape == Shape::Cross { "cross" } else { "5x5" };
        format!("{board}-{}-{}", self.letters, self.numbers)
    }

    /// Counts the placements of labelled pieces, including rotations and reflections: the article's "problems possible".
    pub fn possible(self) -> u64 {
        let squares = self.shape.geometry().square_count() as u64;
        let falling = |from: u64, count: u32| (0..u64::from(count)).map(|taken| from - taken).product::<u64>();
        let letters = u64::from(self.letters);
        falling(squares - 1, self.letters) * falling(squares - letters, self.numbers)
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
        let group = Group::with_pieces(shape, pieces);
        group.ok_or_else(|| format!("invalid group `{text}`; {EXPECTED_PIECES} or cross:2-4"))
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
