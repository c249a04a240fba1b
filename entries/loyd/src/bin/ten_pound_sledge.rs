//! 10.pound.sledge, by Fred Hicinbothem, April 1995, rebuilt from his write-up.
//!
//! Brute force in six phases, each of which puts some five letters in position: the top row, the left side, the right
//! side, the bottom, and the middle in two steps. Then the empty spot is still in the middle and has to be brought out.
//! In a phase every N-tuple of moves is tried that does not disturb letters in position, N from 9 in the first phases
//! to 12 in the last. The first half of the best one is played, and it begins again. The best one leaves the letters of
//! the phase the fewest rows and columns from their spots; of several, with these letters closest to the centre; of
//! several still, with the letters of the next phase closest to the centre.
//!
//! Complexity: some 3^N boards for every few moves played, which is milliseconds; then it was ten seconds and more.
//! Good at: phases that end within N moves. Bad at: those that do not. Where no N moves are better it may go round in
//! circles. In 1995 two boards of five were never finished, AID among them, which is not finished here either; of 200
//! random boards 7 are not.
//!
//! Left open by the write-up and chosen here:
//! - the letters of the phases. With the empty spot in the middle, T, O, N and M are one spot off, and four slides put
//!   them right: "the final step of reorienting the empty square".
//! - N: 9, 9, 10, 11, 12 and 12. It does not grow with the time, as he set it for his ten minutes.
//! - a tuple ends early only where its phase is done, and the shortest of the best is taken. If all tuples had N moves,
//!   the end of a phase would always be put off to the last of them, and hardly any board would be finished. If every
//!   shorter tuple counted, more boards would be finished than in 1995, AID among them, and by fewer moves. This rule is
//!   nearest to the published row: it goes round in circles on AID, whatever N is from the third phase on.
//! - circles. He left out a slide that undoes the one before and knew that longer circles went on until the time was
//!   over. Here a phase does not undo the last move of the tuple before either. A board that comes back in the same
//!   phase by the same move ends the search without an answer: the same result, sooner.
//!
//! The name of a program here cannot begin with a digit.

use std::process::ExitCode;

use loyd_kit::{Board, Budget, Lookahead, Move, Penalties, Play, Sequences, Spot, SpotSet, Tile, enter_or_pass};
use rustc_hash::FxHashSet;

/// The letters of each phase, and its N.
const PHASES: [(&str, usize); 6] = [("ABCDE", 9), ("FKPU", 9), ("JNOT", 10), ("VWX", 11), ("GHIL", 12), ("MQRS", 12)];
/// The moves that bring the empty spot out and T, O, N and M to their spots.
const CLOSING: [Move; 4] = [Move::Left, Move::Left, Move::Up, Move::Up];

fn main() -> ExitCode {
    enter_or_pass(|board| solve(board, &Budget::from_entry()))
}

fn solve(board: &Board, budget: &Budget) -> Result<Vec<Move>, &'static str> {
    let positions = Board::before(&CLOSING).expect("the closing moves are slides on the board");
    let mut watch = budget.watch();
    let mut play = Play::new(*board);
    let mut placed = SpotSet::default();
    for (phase, (_, n)) in PHASES.into_iter().enumerate() {
        let score = score(&positions, phase);
        let done = |board: &Board| in_position(phase, board, &positions);
        let sequences = Sequences::Whole(&done);
        let lookahead = Lookahead { penalties: &score, evaluate: |_: &Board, score| score, fixed: placed, sequences };
        let mut came_from = None;
        let mut seen = FxHashSet::default();
        while !done(play.board()) {
            if !seen.insert((play.board().key(), came_from)) {
                return Err("the search goes round in circles");
            }
            let tuple = lookahead.from(play.board(), came_from, n, &mut watch).ok_or("time limit reached")?.moves;
            for &made in &tuple[..tuple.len().div_ceil(2)] {
                came_from = Some(play.board().empty());
                play.make(made);
                if done(play.board()) {
                    break;
                }
            }
        }
        placed = letters(phase).map(|letter| positions.spot_of(letter)).fold(placed, SpotSet::with);
    }
    play.make_all(&CLOSING);
    Ok(play.into_moves())
}

/// The letters of a phase; none after the last phase.
fn letters(phase: usize) -> impl Iterator<Item = Tile> {
    PHASES.get(phase).into_iter().flat_map(|(letters, _)| letters.chars().filter_map(Tile::from_letter))
}

/// Returns `true` if the letters of a phase are in position.
fn in_position(phase: usize, board: &Board, positions: &Board) -> bool {
    letters(phase).all(|letter| board.spot_of(letter) == positions.spot_of(letter))
}

/// The penalties of a phase: first the distances of its letters from their positions, then their distances from the
/// centre, then the distances of the next phase's letters from the centre. Five letters are never a hundred steps away.
fn score(positions: &Board, phase: usize) -> Penalties {
    let now: Vec<Tile> = letters(phase).collect();
    let next: Vec<Tile> = letters(phase + 1).collect();
    Penalties::new(|tile, spot| {
        let from_position = i32::from(spot.distance(positions.spot_of(tile)));
        let from_centre = i32::from(spot.distance(Spot::CENTRE));
        if now.contains(&tile) {
            100 * (100 * from_position + from_centre)
        } else if next.contains(&tile) {
            from_centre
        } else {
            0
        }
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn unbounded() -> Budget {
        Budget::within(Duration::from_secs(600))
    }

    fn positions() -> Board {
        Board::before(&CLOSING).expect("slides")
    }

    #[test]
    fn the_phases_place_every_letter_once() {
        let mut placed: Vec<char> = (0..PHASES.len()).flat_map(letters).map(Tile::letter).collect();
        placed.sort_unstable();
        assert_eq!(placed.into_iter().collect::<String>(), "ABCDEFGHIJKLMNOPQRSTUVWX");
        assert_eq!(letters(PHASES.len()).count(), 0);
    }

    #[test]
    fn the_distance_decides_first() {
        let first = score(&positions(), 0);
        let of = |letter, spot| {
            let tile = Tile::from_letter(letter).expect("a letter");
            first.of(tile, Spot::new(spot).expect("on the board"))
        };
        assert_eq!(of('A', 0), 400, "in position, four steps from the centre");
        assert_eq!(of('A', 12), 40_000);
        assert_eq!(of('U', 20), 4, "of the second phase");
        assert_eq!(of('W', 20), 0, "of a later one");
    }

    #[test]
    fn later_phases_do_not_disturb_placed_letters() {
        let rotated: Board = "+XWVU TSRQP ONMLK JIHGF EDCBA".parse().expect("a board");
        let moves = solve(&rotated, &unbounded()).expect("no circle");
        let mut play = Play::new(rotated);
        let mut phase = 0;
        for made in &moves[..moves.len() - CLOSING.len()] {
            play.make(*made);
            assert!((0..phase).all(|before| in_position(before, play.board(), &positions())), "in phase {phase}");
            while phase < PHASES.len() && in_position(phase, play.board(), &positions()) {
                phase += 1;
            }
        }
        assert_eq!((phase, play.board()), (PHASES.len(), &positions()));
    }

    #[test]
    fn a_circle_ends_without_an_answer() {
        let board = "NOWIS THEMF RALGD CUBJK PQVX+".parse().expect("a board");
        assert_eq!(solve(&board, &unbounded()), Err("the search goes round in circles"));
    }

    #[test]
    fn a_search_stops_at_the_time_limit() {
        let late = Budget::within(Duration::ZERO);
        let rotated: Board = "+XWVU TSRQP ONMLK JIHGF EDCBA".parse().expect("a board");
        assert_eq!(solve(&rotated, &late), Err("time limit reached"));
    }
}
