//! Recovery of lost boards from what the article prints about them.
//!
//! A *configuration* is a set of number pieces. The article prints each one once and places letter pieces on it in
//! different ways. [`printed`] reads the printed statements. [`complete`] lists every configuration on which the
//! printed answers are playable. [`mod@verify`] checks all other statements. The module `marks` compares the boards
//! with the marks that a scan preserved of the pictures.

pub mod complete;
mod marks;
pub mod printed;
pub mod verify;

use crate::answer::Cost;
use crate::board::Board;
use crate::breadth_first::solve;
use crate::geometry::{begins_earlier, squares};
use crate::position::{Bits, Position, placements};
use crate::search::Limits;

use printed::{Configuration, Printed};
use verify::{Stage, placed, verify};

/// The result of the search for one configuration.
#[derive(Debug)]
pub struct Recovery<'a> {
    /// The printed statements about it.
    pub configuration: &'a Configuration,
    /// The number of boards whose last [`Stage`] was each of the stages.
    pub reached: [usize; Stage::COUNT],
    /// The boards that satisfy all statements, follow the article's conventions and agree with the marks, sorted by
    /// text. The conventions: number pieces ascend in reading order; a configuration of the analysis is in normal form.
    pub fits: Vec<Board>,
}

/// Searches for a board behind each configuration that was printed.
pub fn recover(printed: &Printed) -> Vec<Recovery<'_>> {
    let mut recoveries: Vec<_> = printed.configurations.iter().map(Recovery::of).collect();
    for marks in &printed.marks {
        marks::keep_matching(&mut recoveries, marks);
    }
    recoveries
}

impl<'a> Recovery<'a> {
    /// Searches for one configuration; ignores the marks.
    pub fn of(configuration: &'a Configuration) -> Self {
        let mut reached = [0; Stage::COUNT];
        let mut fits = Vec::new();
        for board in complete::completions(configuration) {
            let stage = verify(configuration, &board);
            reached[stage as usize] += 1;
            let analysed = configuration.others.is_some();
            if stage == Stage::All && in_reading_order(&board) && (!analysed || is_normal(&board)) {
                fits.push(board);
            }
        }
        fits.sort_by_key(Board::to_string);
        Recovery { configuration, reached, fits }
    }

    /// The first fit as board files, one per printed answer; names have no extension. If no answer is printed, the letter
    /// pieces are placed for the longest best answer.
    pub fn boards(&self) -> Vec<(String, Board)> {
        let Some(fit) = self.fits.first() else { return Vec::new() };
        let name = format!("fig-{}", self.configuration.name);
        match self.configuration.claims.as_slice() {
            [] => vec![(name, hardest(fit, self.configuration.letters))],
            // Answers with the same letter squares, or with none, are for one problem.
            [first, rest @ ..] if rest.iter().all(|claim| claim.letters == first.letters) => {
                vec![(name, placed(fit, &first.letters))]
            }
            claims => {
                let geometry = fit.geometry();
                let file = |letters: &[_]| {
                    letters.iter().fold(name.clone(), |name, &square| format!("{name}-{}", geometry.name(square)))
                };
                claims.iter().map(|claim| (file(&claim.letters), placed(fit, &claim.letters))).collect()
            }
        }
    }
}

/// True if the labels of the number pieces ascend in reading order.
pub fn in_reading_order(board: &Board) -> bool {
    let numbers: Vec<_> = squares(board.position().numbers).filter_map(|square| board.label_on(square)).collect();
    numbers.is_sorted()
}

/// True if no rotation or reflection of the number pieces begins earlier in reading order.
///
/// The article's analysis of configurations converts each into "a single form" and does not define that form. All
/// configurations of Figs. 3 to 9 that are certain without this rule are in this form.
pub fn is_normal(board: &Board) -> bool {
    let numbers = board.position().numbers;
    !board.geometry().images(numbers).into_iter().any(|image| begins_earlier(image, numbers))
}

fn hardest(configuration: &Board, letters: usize) -> Board {
    let geometry = configuration.geometry();
    let numbers = configuration.position().numbers;
    let cost = |letters: &u64| -> Option<Cost> {
        solve(&Bits::of(geometry), Position { letters: *letters, numbers }, &Limits::NONE).cost()
    };
    let hardest = placements(geometry, numbers, letters).into_iter().max_by_key(cost);
    placed(configuration, &squares(hardest.unwrap_or_default()).collect::<Vec<_>>())
}
