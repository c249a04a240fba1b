//! Configurations (number pieces alone) with the number of solvable placements of letter pieces, as in the third program
//! of the article of 1999.
//!
//! Of a configuration and its rotations and reflections, the one that begins earliest in reading order represents all.

use crate::geometry::{begins_earlier, squares};
use crate::position::{Position, placements};

use super::parallel::in_blocks;
use super::ranks::all_sets;
use super::table::{Solution, Table};

/// A configuration and the counts of its placements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    /// Squares of the number pieces.
    pub numbers: u64,
    /// True if a rotation or a reflection leaves it unchanged.
    pub symmetric: bool,
    /// Placements of the letter pieces; symmetric ones count separately.
    pub placements: u32,
    /// Placements of the letter pieces that have an answer.
    pub solvable: u32,
    /// Problems whose number pieces are all significant in every best answer; symmetric placements count once.
    pub solutions: u32,
    /// Letter squares of the hardest placement, the first of several in reading order. Placements without insignificant
    /// pieces rank above all others.
    pub hardest: Option<u64>,
}

impl Configuration {
    /// True if exactly one placement is solvable, and it needs every number piece.
    pub fn has_one(&self) -> bool {
        (self.solvable, self.solutions) == (1, 1)
    }

    /// True if every placement is solvable.
    pub fn has_all(&self) -> bool {
        self.solvable == self.placements
    }

    /// The hardest problem; `None` if no placement is solvable.
    pub fn problem(&self) -> Option<Position> {
        self.hardest.map(|letters| Position { letters, numbers: self.numbers })
    }
}

/// Lists all configurations of a group, in reading order of their squares.
pub fn configurations(table: &Table, threads: usize) -> Vec<Configuration> {
    let geometry = table.index.geometry;
    let sets: Vec<u64> = all_sets(geometry.square_count(), table.group().numbers).collect();
    let look = |found: &mut Vec<Configuration>, place: usize| {
        let images = geometry.images(sets[place]);
        if !images.iter().any(|&image| begins_earlier(image, sets[place])) {
            found.push(configuration(table, sets[place], &images));
        }
    };
    let mut found: Vec<Configuration> = in_blocks(sets.len(), threads, Vec::new, look).into_iter().flatten().collect();
    found.sort_by_key(|configuration| squares(configuration.numbers).collect::<Vec<_>>());
    found
}

fn configuration(table: &Table, numbers: u64, images: &[u64]) -> Configuration {
    let geometry = table.index.geometry;
    let stabiliser: Vec<usize> = (1..images.len()).filter(|&symmetry| images[symmetry] == numbers).collect();
    let letter_sets = placements(geometry, numbers, table.group().letters as usize);
    let mut counted = Configuration {
        numbers,
        symmetric: !stabiliser.is_empty(),
        placements: u32::try_from(letter_sets.len()).expect("5,456 placements at most"),
        solvable: 0,
        solutions: 0,
        hardest: None,
    };
    let difficulty = |solution: Solution| (solution.is_significant(), solution.cost);
    let mut most = None;
    for letters in letter_sets {
        let Some(solution) = table.solution(Position { letters, numbers }) else { continue };
        counted.solvable += 1;
        let is_first = || !stabiliser.iter().any(|&turn| begins_earlier(geometry.image(turn, letters), letters));
        counted.solutions += u32::from(solution.is_significant() && is_first());
        if most < Some(difficulty(solution)) {
            most = Some(difficulty(solution));
            counted.hardest = Some(letters);
        }
    }
    counted
}
