//! tilex, by Joe Eccles, April 1995, rebuilt from his write-up.
//!
//! The tiles are placed one by one from the outside to the inside, each from the centre: lead the tile there, send the
//! empty spot to the tile's spot, transport.
//! So that this always works, T, O, N and M are first put one spot off their own: T into the lower right corner, and
//! each of the others where the next one belongs. Then the centre is empty, and four slides put them right.
//!
//! Complexity: no search over boards; a tile costs a few paths of the empty spot on 25 spots, a board some hundred of
//! them.
//! Good at: never failing, in well under a millisecond. Bad at: length. Even a tile next to its spot goes by the
//! centre.
//!
//! Left open by the write-up and chosen here:
//! - outside to inside: the border from far to near (corners, spots next to them, middles), because a corner whose
//!   neighbours are both placed is walled in; then the ring inside in reading order.
//! - the local optimisations: a tile that stands on its spot stays; a tile is led round corners rather than straight
//!   ahead where both are possible; the empty spot uses a transport only where that is shorter than walking, and from
//!   the centre to a spot next to it a tile slides, which does the same without a transport.

use std::process::ExitCode;

use loyd_kit::lead::{place_all, place_by_transport};
use loyd_kit::{Board, Move, enter};

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    place_all(board, place_by_transport)
}

#[cfg(test)]
#[path = "../../tests/all/stages.rs"]
mod stages;

#[cfg(test)]
mod tests {
    use super::*;
    use loyd_kit::{Play, Spot, SpotSet, Tile};

    #[test]
    fn every_tile_can_be_placed_in_this_order() {
        stages::assert_each_can_be_placed(place_by_transport);
    }

    #[test]
    fn a_tile_on_its_spot_stays() {
        let board: Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().expect("a board");
        let play = Play::new(board);
        let a = Tile::from_letter('A').expect("a letter");
        let stands = board.spot_of(a);
        let stayed = place_by_transport(&play, a, stands, SpotSet::default()).expect("it is there");
        assert_eq!(stayed.moves(), []);
    }

    #[test]
    fn a_tile_next_to_its_spot_goes_by_the_centre() {
        let board: Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().expect("a board");
        let play = Play::new(board);
        let a = Tile::from_letter('A').expect("a letter");
        let sent = place_by_transport(&play, a, a.home(), SpotSet::default()).expect("a way");
        assert_eq!(sent.board().spot_of(a), a.home());
        assert_eq!(sent.moves().last(), Some(&Move::Transport));
    }

    #[test]
    fn no_transport_where_the_empty_spot_is_one_step_from_the_centre() {
        let moments = stages::each_move_of(solve);
        assert!(moments.iter().any(|(_, made)| *made == Move::Transport));
        for (play, made) in moments {
            let next_to_centre = play.board().empty().distance(Spot::CENTRE) == 1;
            assert!(!(next_to_centre && made == Move::Transport), "on {:?}", play.board());
        }
    }
}
