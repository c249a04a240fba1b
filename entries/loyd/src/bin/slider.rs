//! slider, by Andrew Shaw, April 1995, rebuilt from his write-up.
//!
//! A* with the moves weighted at two thirds of the distance, without which it found nothing in its ten minutes. The
//! distance is Manhattan's with two variations. The tile in the centre may be transported: it counts as much as its
//! steps from there, or as one move and its steps from the empty spot, whichever is less. And of two tiles that are in
//! their row or column but on the wrong sides of each other, one has to step aside: two moves more (Pair Distance). A
//! tree of boards seen drops repeated boards.
//!
//! Complexity: from ten thousand boards to millions, each with five moves; memory and time are the bounds.
//! Good at: short answers; where it had one in 1995, only scrambloyd and shufflemania were shorter on average. Bad at:
//! unpredictable time. What the distance does not see, such as two last tiles in the wrong order, keeps it searching
//! until time or memory ends it without an answer, as on one board of five then.
//!
//! Left open by the write-up and chosen here:
//! - Pair Distance after Bauer's idea: both tiles belong in this row or column, not just next to each other; no tile is
//!   in more than one pair of a row, so that three in reverse order count one pair.
//! - equals: the board found first, since he calls the search essentially breadth-first.
//! - a board seen before by a longer path: dropped as he says, so that the answer keeps the detour.

use std::array;
use std::process::ExitCode;

use loyd_kit::best_first::BOARDS;
use loyd_kit::{BestFirst, Board, Move, NotFound, Revisit, Spot, Ties, Tile, enter_or_pass};

/// The weights of the moves so far and of the distance to go.
const WEIGHTS: [u32; 2] = [2, 3];

fn main() -> ExitCode {
    enter_or_pass(|board| solve(board, WEIGHTS, BOARDS))
}

/// The search with these weights of the moves so far and of the distance to go. It keeps at most `boards`.
pub(crate) fn solve(board: &Board, [g, h]: [u32; 2], boards: usize) -> Result<Vec<Move>, NotFound> {
    BestFirst { boards, ..BestFirst::for_perfection(Ties::Oldest, Revisit::Drop) }
        .search(board, |board, moves| g * moves + h * (distance(board) + pair_distance(board)))
}

/// The sum of all tiles' distances from where they belong, in steps; a transport counts where it helps.
fn distance(board: &Board) -> u32 {
    let walk = |tile: Tile| u32::from(board.spot_of(tile).distance(tile.home()));
    let all: u32 = Tile::all().map(walk).sum();
    let saved = board.at(Spot::CENTRE).map_or(0, |middle| {
        let transported = 1 + u32::from(board.empty().distance(middle.home()));
        walk(middle).saturating_sub(transported)
    });
    all - saved
}

/// Two moves for each pair of tiles that stand in their own row or column in the wrong order.
fn pair_distance(board: &Board) -> u32 {
    let in_line = |line| {
        pairs(along(board, |place| 5 * line + place, Spot::row, Spot::column))
            + pairs(along(board, |place| 5 * place + line, Spot::column, Spot::row))
    };
    2 * (0..5).map(in_line).sum::<u32>()
}

/// The goals along a line of its five tiles; `None` for a tile that does not belong in this line, and for the empty
/// spot. `number` gives the spots of the line.
fn along(
    board: &Board,
    number: impl Fn(usize) -> usize,
    line: fn(Spot) -> u8,
    place: fn(Spot) -> u8,
) -> [Option<u8>; 5] {
    array::from_fn(|place_now| {
        let spot = Spot::new(number(place_now))?;
        let home = board.at(spot)?.home();
        (line(home) == line(spot)).then(|| place(home))
    })
}

/// The number of pairs of these in the wrong order, each tile being in at most one pair.
fn pairs(mut places: [Option<u8>; 5]) -> u32 {
    let mut pairs = 0;
    for first in 0..5 {
        let before = |&later: &usize| places[first].zip(places[later]).is_some_and(|(first, later)| later < first);
        if let Some(later) = (first + 1..5).find(before) {
            places[later] = None;
            pairs += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    #[test]
    fn with_equal_weights_it_finds_nothing_among_many_more_boards() {
        let aid = board("NOWIS THEMF RALGD CUBJK PQVX+");
        assert_eq!(solve(&aid, WEIGHTS, 400_000).map(|answer| answer.len()), Ok(95));
        assert_eq!(solve(&aid, [1, 1], 400_000), Err(NotFound::OutOfMemory));
    }

    #[test]
    fn a_transport_shortens_only_the_way_of_the_tile_in_the_centre() {
        assert_eq!(distance(&Board::perfection()), 0);
        // A stands in the centre, four steps from home, and the empty spot at A's home.
        assert_eq!(distance(&board("+BCDE FGHIJ KLANO PQRST UVWXM")), 1 + 4);
        // With the empty spot as far away as the centre is, walking is better.
        assert_eq!(distance(&board("MBCDE FGHIJ KLANO PQRST UVWX+")), 4 + 4);
    }

    #[test]
    fn tiles_on_the_wrong_sides_of_each_other_cost_two_moves_more() {
        assert_eq!(pair_distance(&Board::perfection()), 0);
        assert_eq!(pair_distance(&board("BACDE FGHIJ KLMNO PQRST UVWX+")), 2);
        assert_eq!(pair_distance(&board("BFADE CGHIJ KLMNO PQRST UVWX+")), 2, "they need not be neighbours");
        assert_eq!(pair_distance(&board("EDCBA FGHIJ KLMNO PQRST UVWX+")), 4, "two pairs, and A in none");
        assert_eq!(pair_distance(&board("FBCDE AGHIJ KLMNO PQRST UVWX+")), 2, "columns as well");
        assert_eq!(pair_distance(&board("GFCDE BAHIJ KLMNO PQRST UVWX+")), 0, "they belong in other lines");
    }
}
