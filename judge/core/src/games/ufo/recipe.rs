//! Boards drawn at random, without those that are plainly hopeless.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::board::{Board, CORNER, PIECES, Shape, Square, is_letter};
use crate::game::GeneratorError;
use crate::games::direction::Direction;

/// One letter piece and five number pieces, as Lunar Lockout was first sold.
const USUAL: &str = "1-5";

/// A board with these pieces, drawn from all placements alike until one has a move and no stranded letter piece.
/// It need not have a solution: to look for one is the entries' business.
pub(super) fn random(seed: u64, pieces: Option<&str>) -> Result<Board, GeneratorError> {
    let (shape, letters, numbers) = read(pieces.unwrap_or(USUAL))?;
    let labels: Vec<u8> = PIECES[..letters].iter().chain(&PIECES[3..3 + numbers]).copied().collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let empty = Board::empty(shape);
    let mut squares: Vec<Square> =
        empty.cells().filter(|&(_, cell)| cell != CORNER).map(|(square, _)| square).collect();
    loop {
        squares.shuffle(&mut random);
        let (lettered, numbered) = squares[..labels.len()].split_at_mut(letters);
        if lettered.contains(&empty.centre()) {
            continue;
        }
        // Labels in reading order: which of two equal pieces is which does not matter.
        lettered.sort();
        numbered.sort();
        let mut board = empty.clone();
        labels.iter().zip(&squares).for_each(|(&label, &square)| board.put(square, label));
        if has_move(&board) && !is_stranded(&board) {
            return Ok(board);
        }
    }
}

/// Reads `2-4` or `cross:2-4`: the shape, letter pieces, number pieces.
fn read(pieces: &str) -> Result<(Shape, usize, usize), GeneratorError> {
    let (shape, counts) = pieces.strip_prefix("cross:").map_or((Shape::Plain, pieces), |counts| (Shape::Cross, counts));
    let count = |text: &str, most: usize| text.parse().ok().filter(|count| (1..=most).contains(count));
    let read = counts.split_once('-').and_then(|(letters, numbers)| Some((count(letters, 3)?, count(numbers, 9)?)));
    let (letters, numbers) = read.ok_or_else(|| {
        let form = "write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4 or cross:2-4";
        GeneratorError(format!("--pieces {pieces}: {form}"))
    })?;
    Ok((shape, letters, numbers))
}

fn has_move(board: &Board) -> bool {
    board.pieces().any(|(_, square)| Direction::ALL.iter().any(|&way| board.slide(square, way).is_ok()))
}

/// Whether some letter piece can provably never stop on the centre.
///
/// The proof makes everything easier than it is: a piece may stop next to any square where another piece could ever
/// stand, whatever stands between them, and all of that at once. What cannot be reached even so cannot be reached.
fn is_stranded(board: &Board) -> bool {
    let centre = board.centre();
    let pieces: Vec<(u8, Square)> = board.pieces().collect();
    // For each piece, the squares where it could ever stop, and those squares' places in reading order.
    let mut stops: Vec<Vec<Square>> = pieces.iter().map(|&(_, square)| vec![square]).collect();
    let stands = |stops: &[Vec<Square>], piece: usize, square: Square| {
        stops[piece].contains(&square) && !(is_letter(pieces[piece].0) && square == centre)
    };
    loop {
        let mut found = Vec::new();
        for (piece, known) in stops.iter().enumerate() {
            for (&from, &way) in known.iter().flat_map(|from| Direction::ALL.iter().map(move |way| (from, way))) {
                if !stands(&stops, piece, from) {
                    continue;
                }
                let line = std::iter::successors(board.next(from, way), |&square| board.next(square, way));
                found.extend(line.filter(|&square| !known.contains(&square)).filter_map(|square| {
                    let ahead = board.next(square, way)?;
                    let stopped = (0..pieces.len()).any(|other| other != piece && stands(&stops, other, ahead));
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

    /// Whether the only letter piece can stop on the centre, by trying everything. That a move may have several steps
    /// makes no difference to what can be reached.
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
    fn a_letter_piece_with_nobody_to_stop_it_is_stranded() {
        assert!(is_stranded(&board("X.... ..... ..1.. ..... .....")));
        assert!(is_stranded(&board("X...1 ..... ..... ..... ....2")));
        assert!(!is_stranded(&board(".12.. .X... ..... ...3. .4...")));
        // One of two letter pieces is enough.
        assert!(!is_stranded(&board("..... ..... X..1. ..... .....")));
        assert!(is_stranded(&board("Y.... ..... .X.1. ..... .....")));
    }

    #[test]
    fn no_solvable_board_is_taken_for_hopeless() {
        let mut random = ChaCha8Rng::seed_from_u64(1998);
        let (mut solvable, mut stranded) = (0, 0);
        for case in 0..4_000 {
            let shape = if random.random() { Shape::Plain } else { Shape::Cross };
            let mut board = Board::empty(shape);
            let mut squares: Vec<Square> = board.cells().filter(|cell| cell.1 == EMPTY).map(|cell| cell.0).collect();
            squares.retain(|&square| square != board.centre());
            squares.shuffle(&mut random);
            let labels = &b"X1234"[..random.random_range(2..=5)];
            labels.iter().zip(squares).for_each(|(&label, square)| board.put(square, label));
            let (solved, given_up) = (is_solvable(&board), is_stranded(&board));
            assert!(!(solved && given_up), "case {case}:\n{board}");
            solvable += usize::from(solved);
            stranded += usize::from(given_up);
        }
        assert!(solvable > 200 && stranded > 1_000, "worth something: {solvable} solvable, {stranded} stranded");
    }
}
