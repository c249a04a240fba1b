//! Lost boards found again from what is printed about them.
//!
//! A *configuration* is a board's number pieces; the article prints it once and puts letter pieces on it in different
//! places. [`printed`] reads what is printed, [`complete`] lists every configuration on which the printed answers can
//! be played at all, [`mod@verify`] keeps those of which all that is printed is true, and [`marks`] compares them with
//! what a scan left of the pictures.

pub mod complete;
pub mod marks;
pub mod printed;
pub mod verify;

use crate::answer::Cost;
use crate::board::Board;
use crate::breadth_first::solve;
use crate::geometry::{begins_earlier, squares};
use crate::position::{Idle, Position, placements};
use crate::search::Bounds;

use printed::{Configuration, Printed};
use verify::{Stage, placed, verify};

/// What the search for one configuration came to.
#[derive(Debug)]
pub struct Recovery<'a> {
    /// What is printed about it.
    pub configuration: &'a Configuration,
    /// How many boards got exactly as far as each [`Stage`].
    pub reached: [usize; Stage::COUNT],
    /// Of the boards of which all is true: those that are printed in the article's way (number pieces ascend in reading
    /// order, a configuration of its analysis is in normal form) and whose rows agree with the marks. In the order of
    /// their text.
    pub fits: Vec<Board>,
}

/// Searches for every configuration.
pub fn recover(printed: &Printed) -> Vec<Recovery<'_>> {
    let mut recoveries: Vec<_> = printed.configurations.iter().map(Recovery::of).collect();
    for marks in &printed.marks {
        marks::keep_matching(&mut recoveries, marks);
    }
    recoveries
}

impl<'a> Recovery<'a> {
    /// Searches for one configuration, whatever the marks say.
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

    /// The first fit as board files, one for each printed answer; where none is printed, one with the letter pieces
    /// placed for the longest best answer. Names without an ending.
    pub fn boards(&self) -> Vec<(String, Board)> {
        let Some(fit) = self.fits.first() else { return Vec::new() };
        let name = format!("fig-{}", self.configuration.name);
        match self.configuration.claims.as_slice() {
            [] => vec![(name, hardest(fit, self.configuration.letters))],
            // The same letter squares, or none, in all of them are one problem.
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

/// Whether the labels of the number pieces ascend from square to square.
pub fn in_reading_order(board: &Board) -> bool {
    let numbers: Vec<_> = squares(board.position().numbers).filter_map(|square| board.label_on(square)).collect();
    numbers.is_sorted()
}

/// Whether no rotation or reflection of the number pieces begins earlier in reading order.
///
/// The article's analysis of configurations turns each into "a single form" and does not say which; all of Figs. 3 to 9
/// that are certain without it are in this one.
pub fn is_normal(board: &Board) -> bool {
    let numbers = board.position().numbers;
    !board.geometry().images(numbers).into_iter().any(|image| begins_earlier(image, numbers))
}

fn hardest(configuration: &Board, letters: usize) -> Board {
    let geometry = configuration.geometry();
    let numbers = configuration.position().numbers;
    let cost = |letters: &u64| -> Option<Cost> {
        solve(geometry, Position { letters: *letters, numbers }, Idle::default(), &Bounds::NONE).cost()
    };
    let hardest = placements(geometry, numbers, letters).into_iter().max_by_key(cost);
    placed(configuration, &squares(hardest.unwrap_or_default()).collect::<Vec<_>>())
}
