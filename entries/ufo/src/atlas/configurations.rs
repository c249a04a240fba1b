//! Configurations, number pieces alone, by what can be solved with letter pieces placed on them: after the third
//! program of the article of 1999.
//!
//! Of a configuration and its rotations and reflections the one that begins earliest in reading order stands for all.

use crate::geometry::{begins_earlier, squares};
use crate::position::{Position, placements};

use super::ranks::all_sets;
use super::table::{Solution, Table};
use super::work::in_blocks;

/// What can be solved on one configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    /// Squares of the number pieces.
    pub numbers: u64,
    /// Whether a rotation or a reflection leaves it as it is.
    pub symmetric: bool,
    /// Placements of the letter pieces, symmetric ones each.
    pub placements: u32,
    /// Those that can be solved.
    pub solvable: u32,
    /// Problems, symmetric placements once, whose number pieces are all significant in every best answer.
    pub solutions: u32,
    /// Letter squares of the hardest placement, the first of several in reading order: one with significant number
    /// pieces alone where there is one, else any that can be solved.
    pub hardest: Option<u64>,
}

impl Configuration {
    /// Whether one placement can be solved, and needs every number piece.
    pub fn has_one(&self) -> bool {
        (self.solvable, self.solutions) == (1, 1)
    }

    /// Whether every placement can be solved.
    pub fn has_all(&self) -> bool {
        self.solvable == self.placements
    }

    /// Its hardest problem.
    pub fn problem(&self) -> Option<Position> {
        self.hardest.map(|letters| Position { letters, numbers: self.numbers })
    }
}

/// All configurations of a group, in reading order of their squares.
pub fn configurations(table: &Table, threads: usize) -> Vec<Configuration> {
    let geometry = table.index.geometry;
    let sets: Vec<u64> = all_sets(geometry.holes(), table.group().numbers).collect();
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
