//! Answers: moves as text, and their replay on a labelled board.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::geometry::Direction;
use crate::representation::{Labelled, PositionOf, Representation, SquareOf};

/// One move: a piece and its steps.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Label of the piece that moves.
    pub piece: char,
    /// Its steps, at least one.
    pub steps: Vec<Direction>,
}

/// An answer: its moves, written `X-DRU 1-DR X-D`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Answer(pub Vec<Move>);

/// The cost of an answer, compared by moves and then by steps; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Number of moves, whatever their length.
    pub moves: u32,
    /// Number of steps in all moves.
    pub steps: u32,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moves, {} steps", self.moves, self.steps)
    }
}

impl Answer {
    /// Counts the moves and steps.
    pub fn cost(&self) -> Cost {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Cost { moves: count(self.0.len()), steps: count(self.0.iter().map(|made| made.steps.len()).sum()) }
    }

    /// Replays the answer and returns the board after it; `Err` describes the first illegal step.
    pub fn replay(&self, board: &Board) -> Result<Board, String> {
        let mut board = board.clone();
        for (index, made) in self.0.iter().enumerate() {
            play(&mut board, made).map_err(|reason| format!("move {} `{made}`: {reason}", index + 1))?;
        }
        Ok(board)
    }
}

fn play(board: &mut Board, made: &Move) -> Result<(), String> {
    let geometry = board.geometry();
    if made.steps.windows(2).any(|pair| pair[0] == pair[1] || pair[0] == pair[1].opposite()) {
        return Err("each step of a move must turn by 90 degrees".to_owned());
    }
    for &direction in &made.steps {
        let from = board.square_of(made.piece).ok_or_else(|| format!("{} is not on the board", made.piece))?;
        let Some(step) = geometry.step(board.position().occupied(), from, direction) else {
            return Err(format!("no piece stops {} in direction {}", made.piece, direction.letter()));
        };
        board.put(made.piece, step.to);
    }
    Ok(())
}

/// Builds the answer with the fewest steps that leads a board through these positions, one move each.
///
/// # Panics
/// If two consecutive positions are not one move apart.
pub(crate) fn through<B: Labelled>(board: &B, positions: &[PositionOf<B>]) -> Answer {
    let mut board = board.clone();
    let moves = positions.iter().map(|&after| {
        let (from, to) = B::Representation::moved(board.position(), after);
        // A letter piece that disappeared left at the centre.
        let to = to.unwrap_or(board.representation().centre());
        let piece = board.label_on(from).expect("the piece that left had a label");
        let steps = shortest_moves(&board, from, to).next().expect("the positions are one move apart");
        board.put(piece, to);
        Move { piece, steps }
    });
    Answer(moves.collect())
}

/// Lists the steps of every shortest move of the piece on `from` to `to`, in the order of [`Direction::ALL`].
pub(crate) fn shortest_moves<B: Labelled>(
    board: &B,
    from: SquareOf<B>,
    to: SquareOf<B>,
) -> impl Iterator<Item = Vec<Direction>> + use<B> {
    let (representation, position) = (board.representation(), board.position());
    let piece = B::Representation::piece_on(position, from);
    let exit = B::Representation::is_letter(position, piece).then_some(representation.centre());
    let mut layer = vec![(from, Vec::new())];
    let mut seen = vec![from];
    while !layer.is_empty() && layer.iter().all(|(stop, _)| *stop != to) {
        let mut next = Vec::new();
        for (stop, path) in layer.iter().filter(|(stop, _)| exit != Some(*stop)) {
            for direction in Direction::ALL {
                match representation.step(position, piece, *stop, direction) {
                    Some(end) if !seen.contains(&end) => next.push((end, [path.as_slice(), &[direction]].concat())),
                    _ => {}
                }
            }
        }
        // Only after the whole layer: several paths of the same length may lead to one square.
        seen.extend(next.iter().map(|(stop, _)| *stop));
        layer = next;
    }
    layer.into_iter().filter(move |(stop, _)| *stop == to).map(|(_, path)| path)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-", self.piece)?;
        self.steps.iter().try_for_each(|step| write!(f, "{}", step.letter()))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: Vec<String> = self.0.iter().map(Move::to_string).collect();
        f.write_str(&moves.join(" "))
    }
}

impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        let refused = || format!("invalid move `{text}`; expected a piece, - and steps L R U D, such as X-DRU");
        let (piece, steps) = text.split_once('-').ok_or_else(refused)?;
        let mut label = piece.chars();
        let (Some(piece), None) = (label.next(), label.next()) else { return Err(refused()) };
        let steps: Option<Vec<Direction>> = steps.chars().map(Direction::from_letter).collect();
        match steps {
            Some(steps) if !steps.is_empty() => Ok(Move { piece, steps }),
            _ => Err(refused()),
        }
    }
}

impl FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Answer, String> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Answer)
    }
}
