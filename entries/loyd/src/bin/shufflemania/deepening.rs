//! The search at the top of the tree: iterative deepening A*, which hands over to the steered search further down and
//! is called again from where the handover happened.

use loyd_kit::moves::move_table;
use loyd_kit::{Board, Budget, Move, Spot, Watch};

use super::steered::{End, Steered, least_after};

/// Most moves of an answer worth printing.
const LONGEST: usize = 400;
/// The most moves before the handover.
const DEEPEST: usize = 30;
/// Depth of the handover beyond the number of misplaced tiles.
const DEEPER: usize = 10;
/// Levels to which deepening is called again.
const LEVELS: usize = 4;
/// Thresholds that it then tries.
const THRESHOLDS: usize = 2;
/// Positions that it hands over under one threshold in the first pass; each pass doubles the number.
const HANDOVERS: usize = 10;

/// Both searches, and the best answer of either.
pub(crate) struct Hybrid {
    steered: Steered,
    watch: Watch,
    best: Option<Vec<Move>>,
    /// Most positions handed over under one threshold.
    handovers: usize,
    /// `true` if positions were skipped because of that limit.
    left_out: bool,
}

/// The state of one deepening.
struct Descent {
    /// The moves from the contest's board.
    moves: Vec<Move>,
    /// The boards since the start of this deepening, each with the last place of the empty spot.
    boards: Vec<(Board, Option<Spot>)>,
    /// For each of these boards, `true` if it was handed over, as several descents go back to it.
    handed_over: Vec<bool>,
    /// Number of moves before this deepening.
    before: usize,
    threshold: usize,
    depth: usize,
    handovers: usize,
    level: usize,
}

impl Hybrid {
    pub(crate) fn new(budget: Budget) -> Hybrid {
        Hybrid { steered: Steered::new(), watch: budget.watch(), best: None, handovers: HANDOVERS, left_out: false }
    }

    /// The shortest answer found within the time limit; no moves if there is none.
    pub(crate) fn solve(mut self, board: &Board) -> Vec<Move> {
        loop {
            self.left_out = false;
            self.deepen(board, None, &[], 0);
            if !self.left_out || self.watch.is_over() {
                return self.best.unwrap_or_default();
            }
            self.handovers *= 2;
        }
    }

    /// The number of moves that a better answer must stay below.
    fn limit(&self) -> usize {
        self.best.as_ref().map_or(LONGEST, Vec::len)
    }

    /// Deepens from a board that these moves led to.
    fn deepen(&mut self, board: &Board, came_from: Option<Spot>, moves: &[Move], level: usize) {
        let misplaced = 24 - board.tiles_home();
        let least = board.least_moves();
        // All answers to a board are of even length, or all are of odd length.
        let thresholds = (least as usize..).step_by(2).take(if level == 0 { LONGEST } else { THRESHOLDS });
        for threshold in thresholds {
            if moves.len() + threshold >= self.limit() || self.watch.is_over() {
                return;
            }
            let mut descent = Descent {
                moves: moves.to_vec(),
                boards: vec![(*board, came_from)],
                handed_over: vec![false],
                before: moves.len(),
                threshold,
                depth: (misplaced + DEEPER).min(DEEPEST),
                handovers: self.handovers,
                level,
            };
            self.descend(&mut descent, least, 0);
        }
    }

    /// Searches depth first from the last board of the descent, which has at least `least` moves to go. `negative` is
    /// the last board of the descent that was reached by a move that brought no tile nearer.
    fn descend(&mut self, descent: &mut Descent, least: u32, negative: usize) {
        let depth = descent.boards.len() - 1;
        let (board, came_from) = descent.boards[depth];
        if self.watch.is_over() {
            return;
        }
        if board == Board::perfection() {
            if descent.moves.len() < self.limit() {
                self.best = Some(descent.moves.clone());
            }
            return;
        }
        if depth == descent.depth {
            self.hand_over(descent, if negative == 0 { depth } else { negative });
            return;
        }
        for &(made, to) in move_table()[board.empty().index()].iter().filter(|(_, to)| Some(*to) != came_from) {
            if descent.handovers == 0 {
                self.left_out = true;
                return;
            }
            let after = least_after(&board, least, to);
            let evaluation = depth + 1 + after as usize;
            if evaluation > descent.threshold || descent.before + evaluation >= self.limit() {
                continue;
            }
            let mut next = board;
            next.pull(to);
            descent.moves.push(made);
            descent.boards.push((next, Some(board.empty())));
            descent.handed_over.push(false);
            self.descend(descent, after, if after < least { negative } else { depth + 1 });
            descent.moves.pop();
            descent.boards.pop();
            descent.handed_over.pop();
        }
    }

    /// Starts the steered search from a board of the descent, unless that was done, and deepens from there if that is
    /// promising.
    fn hand_over(&mut self, descent: &mut Descent, at: usize) {
        if std::mem::replace(&mut descent.handed_over[at], true) {
            return;
        }
        descent.handovers -= 1;
        let (board, came_from) = descent.boards[at];
        let moves = descent.moves[..descent.before + at].to_vec();
        let limit = self.limit().saturating_sub(moves.len());
        let (end, rest) = self.steered.search(&board, came_from, limit, &mut self.watch);
        if let Some(rest) = rest {
            self.best = Some([&moves[..], &rest].concat());
        }
        if end != End::NoAnswer && descent.level < LEVELS {
            self.deepen(&board, came_from, &moves, descent.level + 1);
        }
    }
}
