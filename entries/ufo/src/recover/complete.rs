//! Search for every configuration on which the printed answers are playable.
//!
//! The answers are replayed on a board of unknown pieces. A piece gets its square only when the replay needs it: when
//! the piece first moves, or when it may block a moving piece. Each choice opens a branch. A branch ends if a step has no
//! stopper, or if an answer does not end with the last letter piece on the centre. Pieces that no answer needs are
//! placed at the end. The search finds each configuration exactly once.

use crate::board::Board;
use crate::geometry::{Direction, Geometry, Square, squares};
use crate::pieces::{LETTERS, NUMBERS, is_letter};

use super::printed::Configuration;

/// Labels of a board: the letter pieces, then the number pieces.
const LABELS: usize = LETTERS.len() + NUMBERS.len();
/// Squares of pieces by label.
type Places = [Option<Square>; LABELS];

/// Lists every board with the configuration's pieces on which each of its answers is playable from the start to the end.
///
/// Letter pieces stand on the squares of the last answer; a configuration without answers has no letter pieces on the
/// board. Number pieces that no answer names have ascending labels in reading order, since any other order describes
/// the same board.
pub fn completions(configuration: &Configuration) -> Vec<Board> {
    let search = Search { configuration, geometry: configuration.shape.geometry() };
    let mut found = Vec::new();
    // No number piece stands on a square that a statement gives to a letter piece.
    let placements = [configuration.claimed(), configuration.unsolvable.clone(), configuration.insignificant.clone()];
    let empty = placements.iter().flatten().fold(0, |all, set| all | set);
    let mut open = vec![Branch { empty, ..Branch::default() }];
    while let Some(branch) = open.pop() {
        match search.task(&branch) {
            Task::Begin => open.push(search.begin(&branch)),
            Task::Step(label, direction) => search.step(&branch, label, direction, &mut open),
            Task::EndOfAnswer => open.extend(search.end(branch)),
            Task::Fill(label) => search.place(&branch, label, &mut open),
            Task::Done => found.push(search.board(&branch)),
        }
    }
    found
}

/// One combination of the choices so far.
#[derive(Debug, Clone, Default)]
struct Branch {
    /// Squares known to be empty at the start.
    empty: u64,
    /// The squares of the pieces at the start.
    homes: Places,
    /// The squares of the pieces now; letter pieces that have left have none.
    now: Places,
    begun: bool,
    claim: usize,
    made: usize,
    step: usize,
}

/// The next task of a branch.
enum Task {
    Begin,
    Step(usize, Direction),
    EndOfAnswer,
    Fill(usize),
    Done,
}

struct Search<'a> {
    configuration: &'a Configuration,
    geometry: &'static Geometry,
}

impl Search<'_> {
    fn task(&self, branch: &Branch) -> Task {
        let Some(claim) = self.configuration.claims.get(branch.claim) else {
            return self.labels().find(|&label| self.unplaced(branch, label)).map_or(Task::Done, Task::Fill);
        };
        if !branch.begun {
            return Task::Begin;
        }
        let Some(made) = claim.answer.0.get(branch.made) else { return Task::EndOfAnswer };
        let label = index(made.piece);
        Task::Step(label, made.steps[branch.step])
    }

    /// The labels on this configuration's boards.
    fn labels(&self) -> impl Iterator<Item = usize> {
        // Without an answer the letter pieces do not matter.
        let letters = if self.configuration.claims.is_empty() { 0 } else { self.configuration.letters };
        (0..letters).chain(LETTERS.len()..LETTERS.len() + self.configuration.numbers)
    }

    fn unplaced(&self, branch: &Branch, label: usize) -> bool {
        branch.homes[label].is_none()
    }

    /// Returns all pieces to their start squares, the letter pieces to those of the next answer.
    fn begin(&self, branch: &Branch) -> Branch {
        let mut next = branch.clone();
        next.begun = true;
        let squares = &self.configuration.claims[branch.claim].letters;
        for (label, &square) in squares.iter().enumerate() {
            next.homes[label] = Some(square);
        }
        next.now = next.homes;
        next
    }

    fn end(&self, mut branch: Branch) -> Option<Branch> {
        let out = branch.now[..LETTERS.len()].iter().all(Option::is_none);
        let all_placed = (0..self.configuration.letters).all(|label| branch.homes[label].is_some());
        branch.claim += 1;
        (branch.begun, branch.made, branch.step) = (false, 0, 0);
        (out && all_placed).then_some(branch)
    }

    fn step(&self, branch: &Branch, label: usize, direction: Direction, open: &mut Vec<Branch>) {
        if self.unplaced(branch, label) {
            return self.place(branch, label, open);
        }
        let Some(from) = branch.now[label] else { return };
        let mut to = from;
        let mut branch = branch.clone();
        while let Some(ahead) = self.geometry.next(to, direction) {
            let stopped = |branch: &Branch| (to != from).then(|| self.arrive(branch, label, to)).flatten();
            if branch.now.contains(&Some(ahead)) {
                open.extend(stopped(&branch));
                return;
            }
            if self.unknown(&branch, ahead) && to != from {
                for stopper in self.labels().filter(|&other| self.may_stand(&branch, other, ahead)) {
                    open.extend(stopped(&with_piece(&branch, stopper, ahead)));
                }
            }
            branch.empty |= ahead.bit();
            to = ahead;
        }
    }

    /// Returns the branch after a step to a square; `None` if a letter piece leaves before its last step.
    fn arrive(&self, branch: &Branch, label: usize, to: Square) -> Option<Branch> {
        let steps = self.configuration.claims[branch.claim].answer.0[branch.made].steps.len();
        let last = branch.step + 1 == steps;
        let leaves = label < LETTERS.len() && to == self.geometry.centre();
        if leaves && !last {
            return None;
        }
        let mut next = branch.clone();
        next.now[label] = (!leaves).then_some(to);
        (next.made, next.step) = if last { (branch.made + 1, 0) } else { (branch.made, branch.step + 1) };
        Some(next)
    }

    /// Opens one branch per possible start square of a piece.
    fn place(&self, branch: &Branch, label: usize, open: &mut Vec<Branch>) {
        let free = squares(self.geometry.all()).filter(|&square| self.unknown(branch, square));
        let homes = free.filter(|&square| self.may_stand(branch, label, square));
        open.extend(homes.map(|square| with_piece(branch, label, square)));
    }

    /// True if an unplaced piece may stand on the square. Unplaced pieces have not moved since the start.
    fn unknown(&self, branch: &Branch, square: Square) -> bool {
        branch.empty & square.bit() == 0 && !branch.homes.contains(&Some(square))
    }

    fn may_stand(&self, branch: &Branch, label: usize, square: Square) -> bool {
        if !self.unplaced(branch, label) {
            return false;
        }
        if label < LETTERS.len() {
            return square != self.geometry.centre();
        }
        let out_of_order = |other: usize| branch.homes[other].is_some_and(|home| (home < square) != (other < label));
        self.named(label) || !self.unnamed().any(out_of_order)
    }

    /// The number pieces that no answer names.
    fn unnamed(&self) -> impl Iterator<Item = usize> {
        self.labels().filter(|&label| label >= LETTERS.len() && !self.named(label))
    }

    /// True if an answer names the piece: moves it or calls it insignificant.
    fn named(&self, label: usize) -> bool {
        let called = |labels: &str| labels.chars().any(|piece| index(piece) == label);
        self.configuration.claims.iter().any(|claim| {
            let moved = claim.answer.0.iter().any(|made| index(made.piece) == label);
            moved || claim.insignificant.as_deref().is_some_and(called)
        })
    }

    fn board(&self, branch: &Branch) -> Board {
        let labels = LETTERS.into_iter().chain(NUMBERS);
        let pieces = labels.zip(branch.homes).filter_map(|(label, home)| Some((label, home?)));
        Board::new(self.configuration.shape, pieces.collect())
    }
}

/// Returns the branch in which a piece that has not moved yet stands on a square.
fn with_piece(branch: &Branch, label: usize, square: Square) -> Branch {
    let mut next = branch.clone();
    next.homes[label] = Some(square);
    next.now[label] = Some(square);
    next
}

fn index(label: char) -> usize {
    if is_letter(label) {
        LETTERS.iter().position(|&other| other == label).expect("a letter piece")
    } else {
        let number = NUMBERS.iter().position(|&other| other == label).expect("an answer names pieces");
        LETTERS.len() + number
    }
}
