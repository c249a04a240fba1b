//! The search at the top of the tree: iterative deepening A*, which hands over to the steered search on its way down
//! and is called again from where that one began.

use loyd_kit::moves::exits;
use loyd_kit::{Board, Budget, Move, Spot, Watch};

use crate::steered::{End, Steered, least_after};

/// Longer than any answer worth printing.
const LONGEST: usize = 400;
/// The deepest handover.
const DEEPEST: usize = 30;
/// How many moves the handover is deeper than there are misplaced tiles.
const DEEPER: usize = 10;
/// How many levels deep deepening is called again.
const LEVELS: usize = 4;
/// How many thresholds it then tries.
const THRESHOLDS: usize = 2;
/// How many positions it hands over under one threshold in the first pass; each pass doubles it.
const HANDOVERS: usize = 10;

/// Both searches, and the best answer of either.
pub(crate) struct Hybrid {
    steered: Steered,
    watch: Watch,
    best: Option<Vec<Move>>,
    /// How many positions may be handed over under one threshold.
    handovers: usize,
    /// Whether some were left out for that.
    left_out: bool,
}

/// Where deepening stands.
struct Descent {
    /// The moves from the start of the contest board.
    moves: Vec<Move>,
    /// The boards from where this deepening began, with where the empty spot came from.
    boards: Vec<(Board, Option<Spot>)>,
    /// For each of these boards whether it was handed over, as several ways down go back to it.
    handed_over: Vec<bool>,
    /// How many moves led to where this deepening began.
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

    /// The shortest answer that is found in the time; no moves if none is.
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

    /// An answer must have fewer moves than this to be worth having.
    fn limit(&self) -> usize {
        self.best.as_ref().map_or(LONGEST, Vec::len)
    }

    /// Deepening from a board that these moves led to.
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

    /// Depth first from the last board of the descent, which has so many least moves to go; `negative` is the last
    /// board on the way that a move had not brought nearer.
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
        for &(made, to) in exits()[board.empty().index()].iter().filter(|(_, to)| Some(*to) != came_from) {
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

    /// Searches on from a board of the descent in the other way, unless that was done, and deepens from there if that
    /// is promising.
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
        if end != End::Through && descent.level < LEVELS {
            self.deepen(&board, came_from, &moves, descent.level + 1);
        }
    }
}
