//! escort, by Mary Kaminski, April 1995, rebuilt from her write-up.
//!
//! Twenty-four problems one after the other: take a letter from where it is to where it belongs. A letter only moves
//! into the empty spot next to it, so the empty spot escorts it: walk in front, let it step, walk in front again. The
//! centre is the command post, and the distance of a letter's goal from it decides when the letter's turn comes.
//! Letters that are done are never disturbed. Neither a letter nor the empty spot on one of its walks visits a spot
//! twice, so nothing goes round in circles; but this also leads into dead ends.
//!
//! Complexity: no search; a step looks at the neighbours of one spot, a board takes some two hundred steps.
//! Good at: speed, and short code. Bad at: length, and at every second board it does not finish: a letter is walled in,
//! most often one of the last, and it stops and prints the moves made so far.
//!
//! Left open by the write-up and chosen here:
//! - the transports. She names none, yet the published total comes to one for nearly every letter. So a letter's turn
//!   begins with the empty spot at the command post, by transport; a letter that comes through the command post is
//!   transported from there, as a spot walled in on all sides but one can be filled in no other way; and a walk with
//!   nowhere left to go begins again at the command post.
//! - the aims. With the letters on their own spots the last one would be walled in with the empty spot outside; so T,
//!   O, N and M are placed one spot off and four slides put them right. Unsolved boards were published with 14 or 15
//!   home, and the finished border of this pattern is 13.
//! - the order. The border by falling distance; then the eight spots round the command post once around. By distance
//!   inside as well, hardly any board is finished (`results/strategies.md`), and two of five were. Both begin at the top
//!   and go clockwise.
//! - the next spot of a letter: the free neighbour nearest to its aim that the empty spot can reach, of two the one
//!   with the shorter walk.

use std::process::ExitCode;

use loyd_kit::{Board, Move, Play, Spot, SpotSet, Tile, enter};

/// The order in which the letters are handled.
const ORDER: &str = "ETUA DJOXVPFB CNWK HIMSRQLG";
/// The slides that put T, O, N and M right.
const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

fn main() -> ExitCode {
    enter(|board| solve(board, ORDER))
}

/// Handles the letters in this order and stops at the first that cannot be placed.
pub(crate) fn solve(board: &Board, order: &str) -> Vec<Move> {
    let aims = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let mut play = Play::new(*board);
    let mut done = SpotSet::default();
    for tile in order.chars().filter_map(Tile::from_letter) {
        let aim = aims.spot_of(tile);
        if !escort(&mut play, tile, aim, done) {
            return play.into_moves();
        }
        done.insert(aim);
    }
    play.make_all(&CLOSING);
    play.into_moves()
}

/// Takes the letter to its aim; `false` if it got stuck.
fn escort(play: &mut Play, tile: Tile, aim: Spot, done: SpotSet) -> bool {
    let stands = play.board().spot_of(tile);
    if stands != aim && stands != Spot::CENTRE && play.board().empty() != Spot::CENTRE {
        play.make(Move::Transport);
    }
    let mut visited = done;
    while play.board().spot_of(tile) != aim {
        visited.insert(play.board().spot_of(tile));
        let Some(moves) = dispatch(play, tile, aim, done).or_else(|| next_step(play, tile, aim, done, visited)) else {
            return false;
        };
        play.make_all(&moves);
    }
    true
}

/// The moves that transport a letter from the command post to its aim.
fn dispatch(play: &Play, tile: Tile, aim: Spot, done: SpotSet) -> Option<Vec<Move>> {
    if play.board().spot_of(tile) != Spot::CENTRE {
        return None;
    }
    let mut moves = walk(play.board().empty(), aim, done.with(Spot::CENTRE))?;
    moves.push(Move::Transport);
    Some(moves)
}

/// The moves that bring the letter one spot on, to one it has not visited.
fn next_step(play: &Play, tile: Tile, aim: Spot, done: SpotSet, visited: SpotSet) -> Option<Vec<Move>> {
    let stands = play.board().spot_of(tile);
    stands
        .neighbours()
        .filter(|&next| !visited.contains(next))
        .filter_map(|next| {
            let mut moves = walk(play.board().empty(), next, done.with(stands))?;
            moves.push(Move::slide(stands, next)?);
            Some((next, moves))
        })
        .min_by_key(|(next, moves)| (next.distance(aim), moves.len()))
        .map(|(_, moves)| moves)
}

/// The walk of the empty spot, always to the unvisited neighbour nearest to its goal. If there is none, it starts again
/// at the command post; `None` if it has been there too.
fn walk(from: Spot, goal: Spot, blocked: SpotSet) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut visited = blocked;
    let mut spot = from;
    while spot != goal {
        visited.insert(spot);
        let open = |made: &Move| made.empty_after(spot).filter(|&next| !visited.contains(next));
        let (made, next) = Move::SLIDES
            .into_iter()
            .filter_map(|slide| Some((slide, open(&slide)?)))
            .min_by_key(|(_, next)| next.distance(goal))
            .or_else(|| Some((Move::Transport, open(&Move::Transport)?)))?;
        moves.push(made);
        spot = next;
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots(numbers: &[usize]) -> SpotSet {
        numbers.iter().filter_map(|&number| Spot::new(number)).collect()
    }

    fn written(moves: Option<Vec<Move>>) -> Option<String> {
        moves.map(|moves| moves.into_iter().map(Move::letter).collect())
    }

    #[test]
    fn a_walk_goes_straight_where_it_can() {
        let corner = Spot::new(0).expect("on the board");
        let moves = walk(Spot::LAST, corner, SpotSet::default()).expect("an open board");
        assert_eq!(moves.len(), 8);
        assert!(!moves.contains(&Move::Transport));
    }

    #[test]
    fn a_walk_out_of_a_dead_end_begins_again_at_the_command_post() {
        let corner = Spot::new(4).expect("on the board");
        // The walk goes up to 19 and is caught there under 14, beside 18.
        let wall = spots(&[14, 18, 22]);
        assert_eq!(written(walk(Spot::LAST, corner, wall)), Some("dtddll".to_owned()));
        let shut = wall.with(Spot::CENTRE);
        assert_eq!(walk(Spot::LAST, corner, shut), None);
    }

    #[test]
    fn a_letter_at_the_command_post_is_transported() {
        let board: Board = "MBCDE FGHIJ KLANO PQRST UVWX+".parse().expect("a board");
        let a = Tile::from_letter('A').expect("a letter");
        let mut play = Play::new(board);
        assert!(escort(&mut play, a, a.home(), SpotSet::default()));
        assert_eq!(play.moves().last(), Some(&Move::Transport));
        assert_eq!(play.board().spot_of(a), a.home());
    }

    #[test]
    fn a_letter_behind_what_is_done_stops_the_escort() {
        let board: Board = "CBADE FGHIJ KLMNO PQRST UVWX+".parse().expect("a board");
        let a = Tile::from_letter('A').expect("a letter");
        let mut play = Play::new(board);
        assert!(!escort(&mut play, a, a.home(), spots(&[1, 3, 7])));
    }
}
