//! scrambloyd, by Bill Tanenbaum, April 1995, rebuilt from his write-up.
//!
//! All positions that can occur after one move, from these all after two, and so on until perfection is among them:
//! the first answer found is the shortest that will be found. As their number would explode, no more than 8,000 are
//! kept at any number of moves, those an evaluation thinks nearest to perfection. Of positions that come up twice at
//! the same number of moves one is kept, that with the fewest transports. What came up at another number of moves is
//! not looked for: it is longer, and weeded out by itself. A move is not taken back by the next one.
//!
//! Complexity: moves × 8,000 × 3.2 positions, each scored in constant time from the one before; about a third of a
//! second a board and 30 MB.
//! Good at: everything; no other strategy of 1995 has shorter answers. Bad at: boards whose answer first leads away
//! from perfection for longer than 8,000 positions can remember, such as two neighbours swapped.
//!
//! Left open by the write-up and chosen here:
//! - the evaluation. He calls it critical and refers to his source, which is lost. Here: for each tile the moves that
//!   it must itself make, by the centre where that is shorter, weighted by where it belongs: 3 on the border, 2 in
//!   the ring inside, 1 in the centre, as the border is hard to come by and the centre on every way. Unweighted, and
//!   with weights that tell corners from other border spots, answers came out equally long within one part in a hundred.
//! - equal evaluations: those met first stay.
//! - time. 8,000 positions took him minutes. Where the limit is too short for them, the answer is that of a pass with
//!   500 or 2,000, which are made first; only there does the clock decide. A pass that goes on beyond 400 moves is
//!   given up.

use std::collections::hash_map::Entry;
use std::process::ExitCode;

use loyd_kit::moves::exits;
use loyd_kit::{Board, Budget, Mark, Move, Penalties, SeenWith, Spot, Trail, Watch, enter};

/// Positions kept at any number of moves, in passes one after the other.
const KEPT: [usize; 3] = [500, 2_000, 8_000];
/// A pass as long as this one runs in circles.
const LONGEST: usize = 400;

fn main() -> ExitCode {
    enter(solve)
}

fn solve(board: &Board) -> Vec<Move> {
    let budget = Budget::of_entry();
    let evaluation = evaluation();
    let passes = KEPT.into_iter().map_while(|kept| search(board, &evaluation, kept, &budget));
    passes.flatten().min_by_key(|answer| answer.len()).unwrap_or_default()
}

/// The moves that a tile has to make itself, weighted by the ring it belongs to.
fn evaluation() -> Penalties {
    Penalties::new(|tile, spot| {
        let weight = 1 + i32::from(tile.home().king_distance(Spot::CENTRE));
        weight * i32::from(spot.moves_to(tile.home()))
    })
}

/// A position after some number of moves.
#[derive(Clone, Copy)]
struct Position {
    board: Board,
    score: i32,
    transports: u32,
    mark: Mark,
    /// Where the empty spot came from; going back there would take the last move back.
    came_from: Spot,
}

/// The shortest answer that is found with so many positions kept; an empty option inside if there is none, outside if
/// the time was over first.
fn search(board: &Board, evaluation: &Penalties, kept: usize, budget: &Budget) -> Option<Option<Vec<Move>>> {
    let mut trail = Trail::default();
    // A position takes most of a microsecond, and all of one number of moves some milliseconds.
    let mut watch = budget.watch_every(1_000);
    let score = evaluation.total(board);
    let start = Position { board: *board, score, transports: 0, mark: Trail::START, came_from: board.empty() };
    let mut positions = vec![start];
    for _ in 0..LONGEST {
        let perfect = positions.iter().find(|position| position.score == 0 && position.board == Board::perfection());
        if let Some(position) = perfect {
            return Some(Some(trail.moves(position.mark)));
        }
        positions = after_one_move(&positions, evaluation, &mut trail, &mut watch)?;
        prune(&mut positions, kept);
    }
    Some(None)
}

/// All positions one move later, each once; `None` once the time is over.
fn after_one_move(
    positions: &[Position],
    evaluation: &Penalties,
    trail: &mut Trail,
    watch: &mut Watch,
) -> Option<Vec<Position>> {
    let mut next: Vec<Position> = Vec::with_capacity(4 * positions.len());
    let mut slots = SeenWith::with_capacity_and_hasher(4 * positions.len(), Default::default());
    for position in positions {
        if watch.is_over() {
            return None;
        }
        let empty = position.board.empty();
        for &(made, to) in exits()[empty.index()].iter().filter(|(_, to)| *to != position.came_from) {
            let score = position.score + evaluation.change(&position.board, to);
            let transports = position.transports + u32::from(made == Move::Transport);
            let mut board = position.board;
            board.pull(to);
            let mut arrived =
                || Position { board, score, transports, mark: trail.push(position.mark, made), came_from: empty };
            match slots.entry(board.key()) {
                Entry::Vacant(slot) => {
                    slot.insert(next.len());
                    next.push(arrived());
                }
                Entry::Occupied(slot) => {
                    let there = &mut next[*slot.get()];
                    if transports < there.transports {
                        *there = arrived();
                    }
                }
            }
        }
    }
    Some(next)
}

/// Keeps so many positions, those with the best scores, of equal ones those that were met first.
fn prune(positions: &mut Vec<Position>, kept: usize) {
    if positions.len() > kept {
        positions.sort_by_key(|position| position.score);
        positions.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const LONG: Duration = Duration::from_secs(600);

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    #[test]
    fn with_room_for_every_position_an_answer_is_the_shortest() {
        let near = board("ABCDE FGHIJ KL+MN PQRSO UVWXT");
        let answer = search(&near, &evaluation(), usize::MAX, &Budget::within(LONG)).flatten().expect("four moves");
        assert_eq!(answer, [Move::Left, Move::Left, Move::Up, Move::Up]);
    }

    #[test]
    fn of_two_ways_to_a_position_that_with_fewer_transports_is_kept() {
        // From the corner to the centre: by transport, or by walking there first.
        let mut trail = Trail::default();
        let mut watch = Budget::within(LONG).watch();
        let evaluation = evaluation();
        let start = board("ABCDE FGHIJ KLMNO PQRST UVWX+");
        let other = start.after(Move::Transport).expect("legal");
        let at =
            |board, transports| Position { board, score: 0, transports, mark: Trail::START, came_from: Spot::LAST };
        for positions in [[at(other, 5), at(other, 2)], [at(other, 2), at(other, 5)]] {
            let next = after_one_move(&positions, &evaluation, &mut trail, &mut watch).expect("time enough");
            assert_eq!(next.len(), 4, "each position once");
            assert!(next.iter().all(|position| position.transports == 2));
        }
    }

    #[test]
    fn pruning_keeps_the_best() {
        let start = Board::perfection();
        let at = |score| Position { board: start, score, transports: 0, mark: Trail::START, came_from: Spot::LAST };
        let mut positions: Vec<Position> = [5, 1, 4, 2, 3].map(at).into();
        prune(&mut positions, 3);
        assert_eq!(positions.iter().map(|position| position.score).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_pass_stops_with_the_time() {
        let budget = Budget::within(Duration::ZERO);
        assert_eq!(search(&board("BACDE FGHIJ KLMNO PQRST UVWX+"), &evaluation(), 8_000, &budget), None);
    }
}
