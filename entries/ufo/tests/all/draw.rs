//! Random problems for tests and benchmarks.

use rand::Rng;
use rand::seq::SliceRandom;
use ufo_kit::board::Board;
use ufo_kit::geometry::{Shape, Square, squares};
use ufo_kit::position::Position;

/// Draws a board uniformly from all placements of these numbers of pieces.
pub(crate) fn problem(random: &mut impl Rng, shape: Shape, letters: usize, numbers: usize) -> Board {
    let geometry = shape.geometry();
    let mut outside: Vec<Square> = squares(geometry.all() & !geometry.centre().bit()).collect();
    let letters = drawn(random, &mut outside, letters);
    let mut free: Vec<Square> = squares(geometry.all() & !letters).collect();
    let numbers = drawn(random, &mut free, numbers);
    Board::labelled(shape, Position { letters, numbers })
}

fn drawn(random: &mut impl Rng, squares: &mut [Square], count: usize) -> u64 {
    let (drawn, _) = squares.partial_shuffle(random, count);
    drawn.iter().fold(0, |set, square| set | square.bit())
}
