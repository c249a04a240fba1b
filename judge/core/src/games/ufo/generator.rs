//! Draws random boards, and rejects those that are provably unsolvable.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::board::{Board, CORNER, PIECES, SIDES, Shape, Square, is_letter};
use crate::game::{Generator, GeneratorError};
use crate::games::direction::Direction;

/// The default pieces: one letter piece and five number pieces, as in the first edition of Lunar Lockout.
const USUAL: &str = "1-5";

/// The side of the largest random board. The search for stranded letter pieces is slow on larger ones.
const LARGEST: usize = 15;
/// The number of placements that are drawn before the generator gives up, because a full board has no legal move.
const DRAWS: u32 = 1_000_000;

/// Draws placements of these pieces, all equally likely, until one has a legal move and no stranded letter piece. The board may
/// still have no solution.
pub(super) fn random(seed: u64, pieces: Option<&str>) -> Result<Board, GeneratorError> {
    let pieces = pieces.unwrap_or(USUAL);
    let (shape, letters, numbers) = read(pieces)?;
    let labels: Vec<u8> = PIECES[..letters].iter().chain(&PIECES[3..3 + numbers]).copied().collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let empty = Board::empty(shape);
    let mut squares: Vec<Square> =
        empty.cells().filter(|&(_, cell)| cell != CORNER).map(|(square, _)| square).collect();
    if labels.len() >= squares.len() {
        let reason = format!("a board of {} squares has room for fewer pieces", squares.len());
        return Err(GeneratorError::invalid(Generator::Pieces, format!("{pieces}: {reason}")));
    }
    for _ in 0..DRAWS {
        squares.shuffle(&mut random);
        let (lettered, numbered) = squares[..labels.len()].split_at_mut(letters);
        if lettered.contains(&empty.centre()) {
            continue;
        }
        // Labels are in reading order: two pieces of one kind are interchangeable.
        lettered.sort();
        numbered.sort();
        let mut board = empty.clone();
        labels.iter().zip(&squares).for_each(|(&label, &square)| board.put(square, label));
        if has_move(&board) && !is_stranded(&board) {
            return Ok(board);
        }
    }
    let reason = format!("no board with a legal move and without a stranded letter piece in {DRAWS} draws");
    Err(GeneratorError::invalid(Generator::Pieces, format!("{pieces}: {reason}; use more pieces or a smaller board")))
}

/// Reads `2-4`, `9x9:2-4` or `cross:2-4`: the shape, and the numbers of letter pieces and of number pieces.
fn read(pieces: &str) -> Result<(Shape, usize, usize), GeneratorError> {
    let (shape, counts) = match pieces.split_once(':') {
        None => (Some(Shape::Plain(5)), pieces),
        Some(("cross", counts)) => (Some(Shape::Cross), counts),
        Some((size, counts)) => (square(size), counts),
    };
    let count = |text: &str, most: usize| text.parse().ok().filter(|count| (1..=most).contains(count));
    let read = counts.split_once('-').and_then(|(letters, numbers)| Some((count(letters, 3)?, count(numbers, 9)?)));
    let ((letters, numbers), shape) = read.zip(shape).ok_or_else(|| {
        let form = "write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4";
        GeneratorError::invalid(Generator::Pieces, format!("{pieces}: {form} (odd sizes up to {LARGEST}x{LARGEST})"))
    })?;
    Ok((shape, letters, numbers))
}

/// Reads a size such as `9x9`.
fn square(size: &str) -> Option<Shape> {
    let (rows, columns) = size.split_once('x')?;
    let side = rows.parse().ok().filter(|_| rows == columns)?;
    (side % 2 == 1 && side <= LARGEST && SIDES.contains(&side)).then_some(Shape::Plain(side))
}

fn has_move(board: &Board) -> bool {
    board.pieces().any(|(_, square)| Direction::ALL.iter().any(|&way| board.slide(square, way).is_ok()))
}

/// Returns true if any letter piece provably cannot stop on the centre.
///
/// The proof uses a relaxation: a piece may stop next to any square that another piece could ever reach, whatever is
/// between them. A square that is out of reach even then is out of reach in the game.
fn is_stranded(board: &Board) -> bool {
    let centre = board.centre();
    let pieces: Vec<(u8, Square)> = board.pieces().collect();
    // The squares at which each piece could ever stop.
    let mut stops: Vec<Vec<Square>> = pieces.iter().map(|&(_, square)| vec![square]).collect();
    let reaches = |stops: &[Vec<Square>], piece: usize, square: Square| {
        stops[piece].contains(&square) && !(is_letter(pieces[piece].0) && square == centre)
    };
    loop {
        let mut found = Vec::new();
        for (piece, known) in stops.iter().enumerate() {
            for (&from, &way) in known.iter().flat_map(|from| Direction::ALL.iter().map(move |way| (from, way))) {
                if !reaches(&stops, piece, from) {
                    continue;
                }
                let line = std::iter::successors(board.next(from, way), |&square| board.next(square, way));
                found.extend(line.filter(|&square| !known.contains(&square)).filter_map(|square| {
                    let ahead = board.next(square, way)?;
                    let stopped = (0..pieces.len()).any(|other| other != piece && reaches(&stops, other, ahead));
                    stopped.then_some((piece, square))
                }));
            }
        }
        if found.is_empty() {
            break;
        }
        for (piece, square) in found {
            if !stops[piece].contains(&square) {
                stops[piece].push(square);
            }
        }
    }
    pieces.iter().zip(&stops).any(|((label, _), stops)| is_letter(*label) && !stops.contains(&centre))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::RngExt;

    use super::*;
    use crate::games::ufo::board::EMPTY;

    fn board(text: &str) -> Board {
        Board::parse(text.as_bytes()).expect("a board")
    }

    /// Returns true if the only letter piece can stop on the centre, by exhaustive search. Moves of one step are enough, because
    /// longer moves reach no other positions.
    fn is_solvable(board: &Board) -> bool {
        let mut seen = HashSet::from([board.to_string()]);
        let mut open = vec![board.clone()];
        while let Some(board) = open.pop() {
            for (label, from) in board.pieces() {
                for to in Direction::ALL.iter().filter_map(|&way| board.slide(from, way).ok()) {
                    if is_letter(label) && to == board.centre() {
                        return true;
                    }
                    let mut after = board.clone();
                    after.put(from, EMPTY);
                    after.put(to, label);
                    if seen.insert(after.to_string()) {
                        open.push(after);
                    }
                }
            }
        }
        false
    }

    #[test]
    fn a_letter_piece_that_nothing_can_stop_is_stranded() {
        assert!(is_stranded(&board("X.... ..... ..1.. ..... .....")));
        assert!(is_stranded(&board("X...1 ..... ..... ..... ....2")));
        assert!(!is_stranded(&board(".12.. .X... ..... ...3. .4...")));
        // One of two letter pieces is enough if it is stranded.
        assert!(!is_stranded(&board("..... ..... X..1. ..... .....")));
        assert!(is_stranded(&board("Y.... ..... .X.1. ..... .....")));
    }

    #[test]
    fn no_solvable_board_is_rejected_as_hopeless() {
        let mut random = ChaCha8Rng::seed_from_u64(1998);
        let (mut solvable, mut stranded) = (0, 0);
        for case in 0..4_000 {
            let shape = if random.random() { Shape::Plain([5, 5, 3, 7][case % 4]) } else { Shape::Cross };
            let mut board = Board::empty(shape);
            let mut squares: Vec<Square> = board.cells().filter(|cell| cell.1 == EMPTY).map(|cell| cell.0).collect();
            squares.retain(|&square| square != board.centre());
            squares.shuffle(&mut random);
            let labels = &b"X1234"[..random.random_range(2..=5)];
            labels.iter().zip(squares).for_each(|(&label, square)| board.put(square, label));
            let (solved, rejected) = (is_solvable(&board), is_stranded(&board));
            assert!(!(solved && rejected), "case {case}:\n{board}");
            solvable += usize::from(solved);
            stranded += usize::from(rejected);
        }
        assert!(
            solvable > 200 && stranded > 1_000,
            "too few interesting cases: {solvable} solvable, {stranded} stranded"
        );
    }
}
