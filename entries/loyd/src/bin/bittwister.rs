//! bittwister, by Seppo Pieterse and Patrick Frants, April 1995, rebuilt from their write-up.
//!
//! Two stages: first make the border, then solve the middle nine squares.
//! For every square that belongs on the border they count the moves that bring it there: the square to the middle, the
//! empty spot to its goal position, transport. The square that needs the fewest goes there, and so on until all sixteen
//! are in place. Then A* finds the shortest solution of the nine in the middle, two slides short of perfection.
//!
//! Complexity: at most 16 x 16 counts on 25 spots, then the 362,880 positions of the middle in the worst case.
//! Good at: short answers for little time; the last stage uses the fewest moves. Bad at: the border. Placing the
//! nearest square carries others away, and each square goes through the middle even if it stands next to its goal.
//!
//! Left open by the write-up and chosen here:
//! - the sixteen: with every square on its own goal the border has fifteen squares and the empty spot. They say
//!   sixteen, so S and X stand one spot off, and the empty spot stays in the middle until two slides finish the board.
//! - corners: a square waits while its place would wall in an empty corner. They do not say how they avoided that.
//!   Perhaps they did not, as AID was never finished. Its cause is not known and not rebuilt.
//! - equally near squares: the first in reading order. A square that is in place needs no moves.
//! - the distance of A*: each tile's own moves, transports included, so that it is never too high.

use std::process::ExitCode;

use loyd_kit::lead::{lead_by_centre, walls_in};
use loyd_kit::{BestFirst, Board, Move, NotFound, Penalties, Play, Revisit, Spot, SpotSet, Ties, enter_or_pass};

/// The moves from the finished border and middle to perfection.
const CLOSING: [Move; 2] = [Move::Up, Move::Left];
/// Number of positions of the middle, 9!.
const POSITIONS: usize = 362_880;

fn main() -> ExitCode {
    enter_or_pass(solve)
}

fn solve(board: &Board) -> Result<Vec<Move>, NotFound> {
    let made = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let mut play = make_border(board, &made);
    let middle = solve_middle(play.board(), &made)?;
    play.make_all(&middle);
    play.make_all(&CLOSING);
    Ok(play.into_moves())
}

/// All spots of the border.
fn border() -> SpotSet {
    Spot::all().filter(|spot| spot.is_on_border()).collect()
}

/// Places the border as in `made`.
fn make_border(board: &Board, made: &Board) -> Play {
    let mut play = Play::new(*board);
    let mut fixed = SpotSet::default();
    while fixed != border() {
        let (goal, next) = nearest(&play, made, fixed).expect("without walled-in corners every square has a path");
        play = next;
        fixed.insert(goal);
    }
    play
}

/// The goal of the square that needs the fewest moves, and the play after them.
fn nearest(play: &Play, made: &Board, fixed: SpotSet) -> Option<(Spot, Play)> {
    Spot::all()
        .filter(|&goal| border().contains(goal) && !fixed.contains(goal) && !walls_in(fixed.with(goal)))
        .filter_map(|goal| {
            let square = made.at(goal)?;
            let stays = play.board().spot_of(square) == goal;
            let next = if stays { Some(play.clone()) } else { lead_by_centre(play, square, goal, fixed) };
            Some((goal, next?))
        })
        .min_by_key(|(_, next)| next.moves().len())
}

/// The shortest moves to `made` from a board that has its border.
fn solve_middle(board: &Board, made: &Board) -> Result<Vec<Move>, NotFound> {
    let distance = Penalties::new(|tile, spot| i32::from(spot.moves_to(made.spot_of(tile))));
    let whole = BestFirst::for_perfection(Ties::Newest, Revisit::Reopen);
    let search = BestFirst { goal: *made, fixed: border(), boards: POSITIONS, ..whole };
    search.search(board, |board, moves| moves.cast_signed() + distance.total(board))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Board {
        Board::before(&CLOSING).expect("slides")
    }

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    #[test]
    fn sixteen_squares_make_the_border() {
        assert_eq!(Spot::all().filter(|&spot| border().contains(spot)).count(), 16);
        let squares: Vec<_> = Spot::all().filter(|&spot| border().contains(spot)).map(|spot| made().at(spot)).collect();
        assert!(squares.iter().all(Option::is_some), "the empty spot is in the middle");
    }

    #[test]
    fn the_border_is_made_from_any_board() {
        for text in ["+XWVU TSRQP ONMLK JIHGF EDCBA", "WBD+E HSGMJ VONPR XAUKC TLIFQ", "BACDE FGHIJ KLMNO PQRST UVWX+"]
        {
            let play = make_border(&board(text), &made());
            for spot in Spot::all().filter(|&spot| border().contains(spot)) {
                assert_eq!(play.board().at(spot), made().at(spot));
            }
            let middle = solve_middle(play.board(), &made()).expect("every middle can be solved");
            let mut rest = play.clone();
            rest.make_all(&middle);
            assert_eq!(rest.board(), &made());
        }
    }

    #[test]
    fn the_square_with_the_fewest_moves_goes_first_unless_it_walls_in_a_corner() {
        // B stands in the centre with the empty spot at its goal; A would take longer.
        let beside = board("A+CDE FGHIJ KLBNO PQRST UVWXM");
        let corners: SpotSet = [0, 4, 20, 24].into_iter().filter_map(Spot::new).collect();
        let (goal, play) = nearest(&Play::new(beside), &made(), corners).expect("a square");
        assert_eq!((goal.index(), play.moves()), (2, &[][..]), "C is in place");
        let sides: SpotSet = Spot::all().filter(|&spot| border().contains(spot) && !corners.contains(spot)).collect();
        let but_b: SpotSet = Spot::all().filter(|&spot| sides.contains(spot) && spot.index() != 1).collect();
        let (goal, _) = nearest(&Play::new(beside), &made(), but_b.with(corner(4)).with(corner(20)).with(corner(24)))
            .expect("a square");
        assert_eq!(goal, corner(0), "B would wall A in");
    }

    fn corner(number: usize) -> Spot {
        Spot::new(number).expect("on the board")
    }

    #[test]
    fn the_middle_takes_the_fewest_moves() {
        assert_eq!(solve_middle(&made(), &made()), Ok(Vec::new()));
        let shuffled = Board::before(&[Move::Left, Move::Up, Move::Up, Move::Left]).expect("slides");
        let all = [Move::Left, Move::Up];
        assert_eq!(solve_middle(&shuffled, &made()), Ok(all.to_vec()), "then the closing is left");
    }
}
