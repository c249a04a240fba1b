//! Tests of strategies that place the tiles in a fixed order, from every situation in which a step can start.

#![allow(dead_code, reason = "not every strategy uses every helper")]

use loyd_kit::lead::{CLOSING, ORDER};
use loyd_kit::{Board, Move, Play, Spot, SpotSet, Tile};

/// One step of a strategy: it takes the tile to the spot without touching the fixed spots.
type Place = fn(&Play, Tile, Spot, SpotSet) -> Option<Play>;

/// Asserts that each tile of [`ORDER`] can be placed in its turn, from every place of it and of the empty spot. The step
/// depends on nothing else, so the cases are complete.
pub(crate) fn assert_each_can_be_placed(place: Place) {
    let pattern = Board::before(&CLOSING).expect("slides");
    let order: Vec<Tile> = ORDER.chars().filter_map(Tile::from_letter).collect();
    assert_eq!(order.len(), 24, "an order names every tile once");
    let mut fixed = SpotSet::default();
    for (turn, &tile) in order.iter().enumerate() {
        let spot = pattern.spot_of(tile);
        let open = || Spot::all().filter(move |&spot| !fixed.contains(spot));
        for stands in open() {
            for empty in open().filter(|&empty| empty != stands) {
                let board = situation(&pattern, &order, turn, stands, empty);
                let after = place(&Play::new(board), tile, spot, fixed)
                    .unwrap_or_else(|| panic!("{} cannot be placed on {board:?}", tile.letter()));
                assert_eq!(after.board().spot_of(tile), spot);
                for done in &order[..turn] {
                    assert_eq!(after.board().spot_of(*done), pattern.spot_of(*done));
                }
            }
        }
        fixed.insert(spot);
    }
}

/// The board with the tiles before `turn` placed, the next tile on `stands`, the empty spot on `empty`, and the other
/// tiles in any order.
fn situation(pattern: &Board, order: &[Tile], turn: usize, stands: Spot, empty: Spot) -> Board {
    let mut symbols = [None; 25];
    for tile in &order[..turn] {
        symbols[pattern.spot_of(*tile).index()] = Some(tile.letter());
    }
    symbols[stands.index()] = Some(order[turn].letter());
    symbols[empty.index()] = Some('+');
    let mut rest = order[turn + 1..].iter().map(|tile| tile.letter());
    let text: String = symbols.into_iter().filter_map(|s| s.or_else(|| rest.next())).collect();
    text.parse().expect("every symbol once")
}

/// All moves of the strategy's answers to some shuffled boards, each with the play before it.
pub(crate) fn each_move_of(solve: fn(&Board) -> Vec<Move>) -> Vec<(Play, Move)> {
    let mut moments = Vec::new();
    let mut board = Board::perfection();
    for round in 0..20_usize {
        for step in 0..200_usize {
            let made = Move::ALL[(step * step + round * step + round / 5) % 11 % 5];
            board = board.after(made).unwrap_or(board);
        }
        let mut play = Play::new(board);
        for made in solve(&board) {
            moments.push((play.clone(), made));
            play.make(made);
        }
    }
    moments
}
