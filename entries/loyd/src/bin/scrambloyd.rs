//! scrambloyd, by Bill Tanenbaum, April 1995, rebuilt from his write-up.
//!
//! It generates all positions after one move, from these all after two, and so on until perfection is among them: the
//! first answer found is the shortest that will be found. As their number would explode, no more than 8,000 are kept at
//! any number of moves, those that an evaluation rates nearest to perfection. Of equal positions at the same number of
//! moves the one with the fewest transports is kept. Equal positions at another number of moves are not looked for:
//! they are longer, and the evaluation drops them. A move is not undone by the next one.
//!
//! Complexity: moves × 8,000 × 3.2 positions, each scored in constant time from the one before; a fraction of a second per
//! board, and 30 MB.
//! Good at: everything; no other strategy of 1995 has shorter answers. Bad at: boards whose answer first leads away
//! from perfection for longer than 8,000 positions can cover, such as two neighbours swapped.
//!
//! Left open by the write-up and chosen here:
//! - the evaluation. He calls it critical and refers to his source, which is lost. Here: for each tile its own least
//!   moves, by the centre where that is shorter, weighted by where it belongs: 3 on the border, 2 in the ring inside, 1
//!   in the centre, as the border is hard to reach and the centre is on every path. Unweighted, and with weights that
//!   separate corners from other border spots, answers came out equally long within one part in a hundred.
//! - equal evaluations: those met first stay.
//! - time. 8,000 positions took him minutes. Passes with 500 and 2,000 come first, so that there is an answer if the
//!   limit is too short for them; the clock decides only then. Of the answers of all passes the shortest is printed, of
//!   equally short ones the one with the fewest transports. A pass that exceeds 400 moves is abandoned.

use std::collections::hash_map::Entry;
use std::process::ExitCode;

use loyd_kit::moves::move_table;
use loyd_kit::{Board, BoardMap, Budget, Move, MoveTree, NodeId, Penalties, Spot, Watch, enter};

/// Positions kept at any number of moves, for one pass after the other.
const KEPT: [usize; 3] = [500, 2_000, 8_000];
/// Most moves of a pass; a longer one runs in circles.
const LONGEST: usize = 400;

/// Treatment of equal positions at the same number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// The one with the fewest transports is kept.
    Remove,
    /// All are kept; only a test of a statement in the write-up uses this.
    Keep,
}

fn main() -> ExitCode {
    enter(|board| solve(board, Duplicates::Remove))
}

/// The best answer of all passes; no moves if there is none.
pub(crate) fn solve(board: &Board, duplicates: Duplicates) -> Vec<Move> {
    let budget = Budget::from_entry();
    let evaluation = evaluation();
    let passes = KEPT.into_iter().map_while(|kept| search(board, &evaluation, kept, duplicates, &budget));
    best(passes.flatten()).unwrap_or_default()
}

/// The shortest answer, of equally short ones the one with the fewest transports.
fn best(answers: impl Iterator<Item = Vec<Move>>) -> Option<Vec<Move>> {
    let transports = |answer: &[Move]| answer.iter().filter(|&&made| made == Move::Transport).count();
    answers.min_by_key(|answer| (answer.len(), transports(answer)))
}

/// The least moves of each tile itself, weighted by the ring it belongs to.
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
    node: NodeId,
    /// The spot that the empty spot came from; going back there would undo the last move.
    came_from: Spot,
}

/// The shortest answer found with this many positions kept; `Some(None)` if there is none, `None` at the time limit.
fn search(
    board: &Board,
    evaluation: &Penalties,
    kept: usize,
    duplicates: Duplicates,
    budget: &Budget,
) -> Option<Option<Vec<Move>>> {
    let mut tree = MoveTree::default();
    // A position takes most of a microsecond, and all of one number of moves some milliseconds.
    let mut watch = budget.watch_every(1_000);
    let score = evaluation.total(board);
    let start = Position { board: *board, score, transports: 0, node: MoveTree::ROOT, came_from: board.empty() };
    let mut positions = vec![start];
    for _ in 0..LONGEST {
        let perfect = positions.iter().find(|position| position.score == 0 && position.board == Board::perfection());
        if let Some(position) = perfect {
            return Some(Some(tree.moves(position.node)));
        }
        positions = after_one_move(&positions, evaluation, duplicates, &mut tree, &mut watch)?;
        prune(&mut positions, kept);
    }
    Some(None)
}

/// All positions one move later; `None` at the time limit.
fn after_one_move(
    positions: &[Position],
    evaluation: &Penalties,
    duplicates: Duplicates,
    tree: &mut MoveTree,
    watch: &mut Watch,
) -> Option<Vec<Position>> {
    let mut next: Vec<Position> = Vec::with_capacity(4 * positions.len());
    let mut slots = BoardMap::with_capacity_and_hasher(4 * positions.len(), Default::default());
    for position in positions {
        if watch.is_over() {
            return None;
        }
        let empty = position.board.empty();
        for &(made, to) in move_table()[empty.index()].iter().filter(|(_, to)| *to != position.came_from) {
            let score = position.score + evaluation.change(&position.board, to);
            let transports = position.transports + u32::from(made == Move::Transport);
            let mut board = position.board;
            board.pull(to);
            let mut arrived =
                || Position { board, score, transports, node: tree.push(position.node, made), came_from: empty };
            if duplicates == Duplicates::Keep {
                next.push(arrived());
                continue;
            }
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

/// Keeps the `kept` positions with the best scores, of equal ones those that were met first.
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
        let answer = search(&near, &evaluation(), usize::MAX, Duplicates::Remove, &Budget::within(LONG))
            .flatten()
            .expect("four moves");
        assert_eq!(answer, [Move::Left, Move::Left, Move::Up, Move::Up]);
    }

    #[test]
    fn of_two_paths_to_a_position_the_one_with_fewer_transports_is_kept() {
        // From the corner to the centre: by transport, or by walking there first.
        let mut tree = MoveTree::default();
        let mut watch = Budget::within(LONG).watch();
        let evaluation = evaluation();
        let start = board("ABCDE FGHIJ KLMNO PQRST UVWX+");
        let other = start.after(Move::Transport).expect("legal");
        let at =
            |board, transports| Position { board, score: 0, transports, node: MoveTree::ROOT, came_from: Spot::LAST };
        for positions in [[at(other, 5), at(other, 2)], [at(other, 2), at(other, 5)]] {
            let next = after_one_move(&positions, &evaluation, Duplicates::Remove, &mut tree, &mut watch)
                .expect("time enough");
            assert_eq!(next.len(), 4, "each position once");
            assert!(next.iter().all(|position| position.transports == 2));
        }
    }

    #[test]
    fn without_the_removal_of_duplicates_a_pass_on_some_boards_does_not_end() {
        let rotated = board("+XWVU TSRQP ONMLK JIHGF EDCBA");
        let [removed, kept] = [Duplicates::Remove, Duplicates::Keep].map(|duplicates| {
            search(&rotated, &evaluation(), 500, duplicates, &Budget::within(LONG)).expect("time enough")
        });
        assert_eq!((removed.map(|answer| answer.len()), kept), (Some(136), None));
    }

    #[test]
    fn of_equally_short_answers_the_one_with_the_fewest_transports_is_best() {
        let [two, one, longer] = ["tut", "udt", "udud"].map(|letters| {
            letters.chars().filter_map(|letter| Move::ALL.into_iter().find(|made| made.letter() == letter)).collect()
        });
        let passes: [Vec<Move>; 3] = [two, one, longer];
        assert_eq!(best(passes.iter().cloned()).as_ref(), Some(&passes[1]));
        assert_eq!(best(std::iter::empty()), None);
    }

    #[test]
    fn on_aid_a_later_pass_saves_a_transport() {
        let aid = board("NOWIS THEMF RALGD CUBJK PQVX+");
        let answers =
            KEPT.map(|kept| search(&aid, &evaluation(), kept, Duplicates::Remove, &Budget::within(LONG)).flatten());
        let figures = |answer: &Vec<Move>| {
            let transports = answer.iter().filter(|&&made| made == Move::Transport).count();
            (answer.len(), transports)
        };
        let answers = answers.map(|answer| answer.expect("every pass reaches perfection"));
        assert_eq!(best(answers.into_iter()).as_ref().map(figures), Some((85, 12)));
    }

    #[test]
    fn pruning_keeps_the_best() {
        let start = Board::perfection();
        let at = |score| Position { board: start, score, transports: 0, node: MoveTree::ROOT, came_from: Spot::LAST };
        let mut positions: Vec<Position> = [5, 1, 4, 2, 3].map(at).into();
        prune(&mut positions, 3);
        assert_eq!(positions.iter().map(|position| position.score).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn a_pass_stops_at_the_time_limit() {
        let budget = Budget::within(Duration::ZERO);
        assert_eq!(
            search(&board("BACDE FGHIJ KLMNO PQRST UVWX+"), &evaluation(), 8_000, Duplicates::Remove, &budget),
            None
        );
    }
}
