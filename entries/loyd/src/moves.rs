//! The five moves. A letter names the direction in which a *tile* travels, not the empty spot.

use std::sync::LazyLock;

use crate::spot::Spot;

/// One move: a step of the empty spot, or a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// `u`: the tile below the empty spot goes up.
    Up,
    /// `d`: the tile above goes down.
    Down,
    /// `l`: the tile to the right goes left.
    Left,
    /// `r`: the tile to the left goes right.
    Right,
    /// `t`: the tile in the centre goes to the empty spot, wherever that is.
    Transport,
}

impl Move {
    /// The four moves to a neighbouring spot.
    pub const SLIDES: [Move; 4] = [Move::Up, Move::Down, Move::Left, Move::Right];
    /// All five; the transport comes last, so that a search that breaks ties by order prefers slides.
    pub const ALL: [Move; 5] = [Move::Up, Move::Down, Move::Left, Move::Right, Move::Transport];

    /// The letter of the move in an answer.
    pub const fn letter(self) -> char {
        match self {
            Move::Up => 'u',
            Move::Down => 'd',
            Move::Left => 'l',
            Move::Right => 'r',
            Move::Transport => 't',
        }
    }

    /// The empty spot after the move; `None` if the move is illegal with the empty spot at `empty`: the tile would come
    /// from outside the board, or the centre is empty.
    pub fn empty_after(self, empty: Spot) -> Option<Spot> {
        match self {
            Move::Up => empty.shifted(1, 0),
            Move::Down => empty.shifted(-1, 0),
            Move::Left => empty.shifted(0, 1),
            Move::Right => empty.shifted(0, -1),
            Move::Transport => (empty != Spot::CENTRE).then_some(Spot::CENTRE),
        }
    }

    /// The move that undoes a slide; `None` for a transport, which has no inverse in general.
    pub const fn inverse(self) -> Option<Move> {
        match self {
            Move::Up => Some(Move::Down),
            Move::Down => Some(Move::Up),
            Move::Left => Some(Move::Right),
            Move::Right => Some(Move::Left),
            Move::Transport => None,
        }
    }

    /// The slide that takes a tile from one spot to the empty one next to it; `None` if they are not neighbours.
    pub fn slide(from: Spot, to: Spot) -> Option<Move> {
        Move::SLIDES.into_iter().find(|slide| slide.empty_after(to) == Some(from))
    }
}

/// Legal moves, each with the empty spot after it.
pub type MoveList = Vec<(Move, Spot)>;

/// For each index of the empty spot, the moves with different effects. A transport next to the centre does the same as
/// a slide and is not in the table.
pub fn move_table() -> &'static [MoveList; 25] {
    static TABLE: LazyLock<[MoveList; 25]> = LazyLock::new(|| {
        let from = |number| {
            let empty = Spot::new(number).expect("a spot's index");
            let differs = |made: &Move| *made != Move::Transport || empty.distance(Spot::CENTRE) > 1;
            let moves = Move::ALL.into_iter().filter(differs);
            moves.filter_map(|made| Some((made, made.empty_after(empty)?))).collect()
        };
        std::array::from_fn(from)
    });
    &TABLE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_perfection_only_down_right_and_transport_are_legal() {
        let legal: String =
            Move::ALL.into_iter().filter(|m| m.empty_after(Spot::LAST).is_some()).map(Move::letter).collect();
        assert_eq!(legal, "drt");
    }

    #[test]
    fn a_transport_is_illegal_only_with_the_centre_empty() {
        for empty in Spot::all() {
            let after = Move::Transport.empty_after(empty);
            assert_eq!(after.is_none(), empty == Spot::CENTRE);
        }
    }

    #[test]
    fn an_inverse_brings_the_empty_spot_back() {
        for empty in Spot::all() {
            for slide in Move::SLIDES {
                let back = slide.inverse().expect("a slide can be undone");
                if let Some(after) = slide.empty_after(empty) {
                    assert_eq!(back.empty_after(after), Some(empty));
                }
            }
        }
        assert_eq!(Move::Transport.inverse(), None);
    }

    #[test]
    fn the_move_table_leads_once_to_every_spot_within_a_move() {
        for empty in Spot::all() {
            let mut led: Vec<Spot> = move_table()[empty.index()].iter().map(|(_, to)| *to).collect();
            let mut all: Vec<Spot> = Move::ALL.into_iter().filter_map(|made| made.empty_after(empty)).collect();
            led.sort();
            all.sort();
            all.dedup();
            assert_eq!(led, all);
        }
    }

    #[test]
    fn a_slide_is_named_after_the_direction_of_the_tile() {
        let below = Spot::new(17).expect("on the board");
        assert_eq!(Move::slide(below, Spot::CENTRE), Some(Move::Up));
        assert_eq!(Move::slide(Spot::CENTRE, below), Some(Move::Down));
        assert_eq!(Move::slide(Spot::LAST, Spot::CENTRE), None);
    }
}
