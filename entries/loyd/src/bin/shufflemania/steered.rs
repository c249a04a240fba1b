//! The search at the bottom of the tree: a variant of A* with an evaluation that overestimates on purpose.
//!
//! A position costs its moves plus `a` times its long distance. The long distance of a tile grows faster than its own
//! moves to go, so that far tiles come first, and with its mobility: corners before borders before the middle. `a`
//! grows with the moves, so that the search tends to finish. Positions wait in one queue for each whole value of the
//! evaluation; the last one to enter a queue leaves it first.
//!
//! The search prunes positions that cannot become shorter than the best answer, by the least moves to go, and those
//! that are farther away than the nearest position of as many moves by more than some deviation. When its room is used
//! up, it continues from the most promising position alone. A move is not undone; otherwise repeated positions are not
//! recognised.

use loyd_kit::moves::move_table;
use loyd_kit::{Board, Move, MoveTree, NodeId, Penalties, Spot, Tile, Watch};

/// The value of one move in evaluations and long distances.
const UNIT: i32 = 8;
/// The factor `a` at the start, and its rise per move, in hundredths.
const FACTOR: [i32; 2] = [100, 2];
/// Most excess of a position's long distance over that of the nearest position of as many moves.
const DEVIATION: i32 = 60;
/// Number of positions after which the search continues from the most promising one.
const ROOM: usize = 100_000;
/// Number of times it continues like that.
const RESTARTS: usize = 5;

/// The end of a steered search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It found an answer shorter than the best one.
    Improved,
    /// It had more promising positions than room for them.
    Overflowed,
    /// It saw nothing nearer than its start.
    NothingBetter,
    /// It came nearer but found no answer, or the time limit was reached.
    NoAnswer,
}

/// The steered search; its memory is reused from one call to the next.
pub(crate) struct Steered {
    long: Penalties,
    tree: MoveTree,
    queues: Queues,
    /// The least long distance for each number of moves.
    nearest: Vec<i32>,
}

#[derive(Clone, Copy)]
struct Position {
    board: Board,
    moves: usize,
    /// A lower bound of the moves to go.
    least: u32,
    /// The distance to go, in which far tiles weigh more.
    long: i32,
    node: NodeId,
    came_from: Option<Spot>,
}

impl Steered {
    pub(crate) fn new() -> Steered {
        Steered { long: long_distances(), tree: MoveTree::default(), queues: Queues::default(), nearest: Vec::new() }
    }

    /// Searches for answers of fewer than `limit` moves; returns how it ended, and the shortest answer if it found any.
    pub(crate) fn search(
        &mut self,
        board: &Board,
        came_from: Option<Spot>,
        mut limit: usize,
        watch: &mut Watch,
    ) -> (End, Option<Vec<Move>>) {
        self.tree.clear();
        self.queues.clear();
        self.nearest.clear();
        let long = self.long.total(board);
        let start =
            Position { board: *board, moves: 0, least: board.least_moves(), long, node: MoveTree::ROOT, came_from };
        self.queues.push(start);
        let (mut answer, mut nearer, mut restarts) = (None, false, 0);
        while let Some(position) = self.queues.pop() {
            if watch.is_over() {
                return (answer.as_ref().map_or(End::NoAnswer, |_| End::Improved), answer);
            }
            let empty = position.board.empty();
            for &(made, to) in move_table()[empty.index()].iter().filter(|(_, to)| Some(*to) != position.came_from) {
                let Some(next) = self.after(&position, made, to, limit) else { continue };
                nearer |= next.long < start.long;
                if next.board == Board::perfection() {
                    limit = next.moves;
                    answer = Some(self.tree.moves(next.node));
                } else {
                    self.queues.push(next);
                }
            }
            if self.tree.len() >= (restarts + 1) * ROOM {
                restarts += 1;
                if restarts > RESTARTS {
                    break;
                }
                self.queues.keep_most_promising();
            }
        }
        let end = match answer {
            Some(_) => End::Improved,
            None if !nearer => End::NothingBetter,
            None if restarts > 0 => End::Overflowed,
            None => End::NoAnswer,
        };
        (end, answer)
    }

    /// The position after a move; `None` if it is pruned.
    fn after(&mut self, position: &Position, made: Move, to: Spot, limit: usize) -> Option<Position> {
        let empty = position.board.empty();
        let moves = position.moves + 1;
        let least = least_after(&position.board, position.least, to);
        let long = position.long + self.long.change(&position.board, to);
        if moves + least as usize >= limit {
            return None;
        }
        if self.nearest.len() <= moves {
            self.nearest.resize(moves + 1, i32::MAX);
        }
        let nearest = &mut self.nearest[moves];
        if long > nearest.saturating_add(DEVIATION) {
            return None;
        }
        *nearest = long.min(*nearest);
        let mut board = position.board;
        board.pull(to);
        Some(Position { board, moves, least, long, node: self.tree.push(position.node, made), came_from: Some(empty) })
    }
}

/// The least moves to go after the tile on `from` goes to the empty spot, from the least moves before that.
pub(crate) fn least_after(board: &Board, least: u32, from: Spot) -> u32 {
    let to_go = |tile: Tile, spot: Spot| u32::from(spot.moves_to(tile.home()));
    board.at(from).map_or(least, |tile| least + to_go(tile, board.empty()) - to_go(tile, from))
}

/// For each tile, its own moves to go to the power of 1.5, times its mobility.
fn long_distances() -> Penalties {
    // n to the power of 1.5, in hundredths: no tile has more than five moves to go.
    const POWERS: [i32; 6] = [0, 100, 283, 520, 800, 1_118];
    Penalties::new(|tile, spot| {
        let mobility = match (tile.home().king_distance(Spot::CENTRE), tile.home().distance(Spot::CENTRE)) {
            (2, 4) => 6,
            (2, _) => 5,
            _ => 4,
        };
        POWERS[usize::from(spot.moves_to(tile.home()))] * mobility * UNIT / 400
    })
}

/// Positions by the integer part of their evaluation.
#[derive(Default)]
struct Queues {
    queues: Vec<Vec<Position>>,
    /// All queues before this one are empty.
    first: usize,
}

impl Queues {
    fn push(&mut self, position: Position) {
        let moves = i32::try_from(position.moves).unwrap_or(i32::MAX / UNIT);
        let [start, each] = FACTOR;
        let evaluation = UNIT * moves + position.long * (start + each * moves) / 100;
        let value = usize::try_from(evaluation / UNIT).unwrap_or(0);
        if self.queues.len() <= value {
            self.queues.resize_with(value + 1, Vec::new);
        }
        self.queues[value].push(position);
        self.first = self.first.min(value);
    }

    fn pop(&mut self) -> Option<Position> {
        self.first += self.queues.get(self.first..)?.iter().position(|queue| !queue.is_empty())?;
        self.queues[self.first].pop()
    }

    /// Drops all but the position with the least long distance.
    fn keep_most_promising(&mut self) {
        let promising = self.queues.iter().flatten().min_by_key(|position| position.long).copied();
        self.clear();
        if let Some(promising) = promising {
            self.push(promising);
        }
    }

    fn clear(&mut self) {
        self.queues.iter_mut().for_each(Vec::clear);
        self.first = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loyd_kit::Budget;
    use std::time::Duration;

    fn watch() -> Watch {
        Budget::within(Duration::from_secs(600)).watch()
    }

    fn board(text: &str) -> Board {
        text.parse().expect("a board")
    }

    #[test]
    fn far_tiles_and_corners_cost_most() {
        let long = long_distances();
        let cost = |letter, spot| long.of(Tile::from_letter(letter).expect("a tile"), Spot::new(spot).expect("a spot"));
        assert!(cost('A', 2) > 2 * cost('A', 1), "not in proportion");
        assert!(cost('A', 1) > cost('B', 0) && cost('B', 0) > cost('G', 7));
        assert_eq!(cost('A', 0), 0);
    }

    #[test]
    fn an_answer_is_shorter_than_the_limit_or_there_is_none() {
        let near = board("ABCDE FGHIJ KL+MN PQRSO UVWXT");
        let (end, answer) = Steered::new().search(&near, None, 5, &mut watch());
        assert_eq!((end, answer.map(|moves| moves.len())), (End::Improved, Some(4)));
        let (end, answer) = Steered::new().search(&near, None, 4, &mut watch());
        assert_eq!((end, answer), (End::NothingBetter, None));
    }

    #[test]
    fn no_position_is_better_than_one_with_two_tiles_to_swap() {
        let swapped = board("BACDE FGHIJ KLMNO PQRST UVWX+");
        let found = Steered::new().search(&swapped, None, 400, &mut watch());
        assert_eq!(found, (End::NothingBetter, None));
    }

    #[test]
    fn queues_give_the_last_of_the_lowest_evaluations() {
        let mut queues = Queues::default();
        let at = |moves, long| {
            let node = MoveTree::ROOT;
            Position { board: Board::perfection(), moves, least: 0, long, node, came_from: None }
        };
        for (moves, long) in [(5, 80), (1, 16), (3, 0), (2, 400)] {
            queues.push(at(moves, long));
        }
        let first = queues.pop().map(|position| position.moves);
        queues.push(at(0, 0));
        let rest = [queues.pop(), queues.pop(), queues.pop()].map(|position| position.map(|p| p.moves));
        assert_eq!((first, rest), (Some(3), [Some(0), Some(1), Some(5)]));
        queues.push(at(7, 8));
        queues.keep_most_promising();
        assert_eq!(queues.pop().map(|position| position.long), Some(8));
        assert!(queues.pop().is_none());
    }

    #[test]
    fn least_moves_are_updated_correctly_with_every_move() {
        let mut board = board("FBCDE KAGHJ PLMIO UQRNT VWXS+");
        let mut least = board.least_moves();
        for step in 0..300_usize {
            let made = Move::ALL[step * step % 7 % 5];
            if let Some(from) = made.empty_after(board.empty()) {
                least = least_after(&board, least, from);
                board.pull(from);
            }
            assert_eq!(least, board.least_moves());
        }
    }
}
