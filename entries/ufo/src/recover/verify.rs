//! Check of the printed statements about a configuration on a board.

use crate::answer::Cost;
use crate::board::Board;
use crate::breadth_first::solve;
use crate::geometry::{Geometry, Square, squares};
use crate::pieces::{LETTERS, is_letter};
use crate::position::{Bits, Position, placements};
use crate::search::{Best, Limits, Outcome};

use super::printed::{Configuration, Others};

/// The last check that a board passed, in the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The answers are playable, but one is not a best answer.
    Playable,
    /// All answers are best answers, but the significance of a number piece is not as printed.
    Best,
    /// Significance is right too, but the statements about placements are not all true.
    Significant,
    /// Placements are right too, but a number of best answers is not.
    Placements,
    /// All printed statements about it are true.
    All,
}

impl Stage {
    /// The number of stages, for tables of counts.
    pub const COUNT: usize = Stage::All as usize + 1;
}

/// Checks a board that [`super::complete::completions`] found.
pub fn verify(configuration: &Configuration, board: &Board) -> Stage {
    let geometry = board.geometry();
    let numbers = board.position().numbers;
    let mut counts_are_right = true;
    let mut significance_is_right = true;
    for claim in &configuration.claims {
        let letters = placed(board, &claim.letters).position().letters;
        let position = Position { letters, numbers };
        let Outcome::Solved(best) = solve(&Bits::of(geometry), position, &Limits::NONE) else {
            return Stage::Playable;
        };
        if best.cost != claim.answer.cost() {
            return Stage::Playable;
        }
        counts_are_right &= best.count == claim.count;
        if let Some(labels) = &claim.insignificant {
            let expected = labels.chars().filter_map(|label| board.square_of(label));
            let expected = expected.fold(0, |set, square| set | square.bit());
            significance_is_right &= insignificant(geometry, position, best.cost) == expected;
        }
    }
    if !significance_is_right {
        return Stage::Best;
    }
    if !placements_are_right(configuration, geometry, numbers) {
        return Stage::Significant;
    }
    if counts_are_right { Stage::All } else { Stage::Placements }
}

/// Returns the board with its letter pieces on other squares, or unchanged if `letters` is empty.
pub fn placed(board: &Board, letters: &[Square]) -> Board {
    if letters.is_empty() {
        return board.clone();
    }
    let numbers = board.pieces().iter().copied().filter(|(label, _)| !is_letter(*label));
    let pieces = LETTERS.into_iter().zip(letters.iter().copied()).chain(numbers);
    Board::new(board.geometry().shape(), pieces.collect())
}

/// Finds the number pieces that some answer of this cost neither moves nor stops against.
pub fn insignificant(geometry: &Geometry, position: Position, cost: Cost) -> u64 {
    let idle = squares(position.numbers)
        .filter(|square| solve(&Bits { geometry, idle: square.bit() }, position, &Limits::NONE).cost() == Some(cost));
    idle.fold(0, |set, square| set | square.bit())
}

fn placements_are_right(configuration: &Configuration, geometry: &Geometry, numbers: u64) -> bool {
    let outcome = |letters: u64| solve(&Bits::of(geometry), Position { letters, numbers }, &Limits::NONE);
    let lacks = |letters: u64, best: &Best| insignificant(geometry, Position { letters, numbers }, best.cost) != 0;
    let unsolvable = |letters: &u64| outcome(*letters) == Outcome::Unsolvable;
    let with_insignificant =
        |letters: &u64| matches!(outcome(*letters), Outcome::Solved(best) if lacks(*letters, &best));
    let with_solutions = |letters: &u64| matches!(outcome(*letters), Outcome::Solved(best) if !lacks(*letters, &best));
    let claimed = configuration.claimed();
    let listed = |letters: &u64| {
        configuration.unsolvable.contains(letters)
            || configuration.insignificant.contains(letters)
            || claimed.contains(letters)
    };
    let all = placements(geometry, numbers, configuration.letters);
    let mut others = all.iter().filter(|letters| !listed(letters));
    configuration.unsolvable.iter().all(unsolvable)
        && configuration.insignificant.iter().all(with_insignificant)
        && match configuration.others {
            None => true,
            Some(Others::Unsolvable) => others.all(unsolvable),
            Some(Others::Significant) => others.all(with_solutions),
        }
}
