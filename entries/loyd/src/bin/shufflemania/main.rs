//! shufflemania, by Stan Peijffers, April 1995, rebuilt from his write-up.
//!
//! Two searches that call each other. At the top of the tree iterative deepening A* (`deepening.rs`): moves so far and
//! least moves to go, depth first, under a threshold that rises. At a fixed depth, thirty moves at the most, it hands
//! over to a variant of A* (`steered.rs`), which overestimates the rest on purpose, to steer the search: far tiles
//! before near ones, corners before borders before the middle. If that one finds an improvement, runs out of room, or
//! finds nothing better than its start, deepening is called again from there, four levels deep at the most.
//!
//! Complexity: deepening costs time, exponential in the depth, and no memory; a steered search looks at up to 600,000
//! positions and keeps them, half a second and 30 MB at the most. Together they fill all the time.
//! Good at: everything; the best of those who could win in 1995. Bad at: recognising repeated positions, so that it
//! covers the same ground many times; and a few tiles out of place, where its first answer can take half a second, as
//! the steered searches have nothing to steer by and deepening hands over to them first.
//!
//! Left open by the write-up and chosen here:
//! - least moves: he writes Manhattan distances and underestimate in one line. With transports only the distance by the
//!   centre, where that is shorter, is an underestimate, so it is that.
//! - the depth of the handover: the number of misplaced tiles plus ten, at most thirty. It is moved back to after the
//!   last move that did not bring a tile nearer; if there was none, it is not moved.
//! - the long distance, the factor, the queues and what deviates too much: see `steered.rs`.
//! - how much of the tree deepening hands over before it goes on: under one threshold no more than ten positions, and
//!   when it is called again it tries two thresholds. As neighbouring positions at depth thirty have most of their
//!   moves in common, one whole threshold would take all the time. When all thresholds below the best answer are done,
//!   it begins again with twice as many positions, unless it skipped none.
//! - the clock decides when it ends; what is found before is the same every time.

mod deepening;
mod steered;

use std::process::ExitCode;

use loyd_kit::{Board, Budget, Move, enter};

use deepening::Hybrid;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    Hybrid::new(Budget::from_entry()).solve(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd_kit::Play;
    use std::time::Duration;

    fn solved(board: &str, limit: Duration) -> (Board, Vec<Move>) {
        let board: Board = board.parse().expect("a board");
        let moves = Hybrid::new(Budget::within(limit)).solve(&board);
        let mut play = Play::new(board);
        play.make_all(&moves);
        (*play.board(), moves)
    }

    #[test]
    fn short_squares_are_solved_by_the_fewest_moves() {
        // An exhaustive search gave these lengths.
        let cases = [("+ABCD GHIJE FKLMN QRSTO PUVWX", 24), ("ABCDE FGHIJ KL+MN PQRSO UVWXT", 4)];
        for (board, least) in cases {
            let (end, moves) = solved(board, Duration::from_secs(600));
            assert_eq!((end, moves.len()), (Board::perfection(), least), "{board}");
        }
    }

    #[test]
    fn chaos_is_solved_within_a_second() {
        let (end, _) = solved("THEQU ICKBR OWNFX JMPSV LADG+", Duration::from_secs(1));
        assert_eq!(end, Board::perfection());
    }
}
