//! The rules of Loyd's Dilemma, from `docs/puzzles.md`: boards, moves, answers, and the puzzle from either end.

/// Spots per row and per column.
const SIDE: usize = 5;
/// Spots of the board, numbered 0 to 24 in reading order.
pub(crate) const SPOTS: usize = SIDE * SIDE;
/// The spot from which a transport takes its tile.
pub(crate) const CENTRE: usize = 12;
/// The empty spot as an occupant.
pub(crate) const EMPTY: u8 = u8::MAX;

/// A position: the occupant of each spot. A tile is the number of the spot where it belongs.
pub(crate) type Position = [u8; SPOTS];

/// True if two spots are next to each other.
pub(crate) fn adjacent(a: usize, b: usize) -> bool {
    (a / SIDE).abs_diff(b / SIDE) + (a % SIDE).abs_diff(b % SIDE) == 1
}

/// The spot of a symbol in the goal: `A` to `X` in order, then `+`.
fn home(symbol: u8) -> Option<usize> {
    b"ABCDEFGHIJKLMNOPQRSTUVWX+".iter().position(|&known| known == symbol)
}

/// Reads the 25 symbols of a board and ignores white space; the result has the goal's spot of each symbol, 24 for `+`.
///
/// # Errors
/// If a symbol is unknown, missing or duplicate.
pub(crate) fn parse(text: &str) -> Result<[usize; SPOTS], String> {
    let symbols: Vec<u8> = text.bytes().filter(|symbol| !symbol.is_ascii_whitespace()).collect();
    let homes = symbols.iter().map(|&symbol| {
        home(symbol).ok_or_else(|| format!("unexpected `{}`: tiles are A to X, `+` is empty", symbol.escape_ascii()))
    });
    let homes: Vec<usize> = homes.collect::<Result<_, _>>()?;
    if let Some(missing) = (0..SPOTS).find(|spot| !homes.contains(spot)) {
        return Err(format!("`{}` is missing", char::from(b"ABCDEFGHIJKLMNOPQRSTUVWX+"[missing])));
    }
    homes.try_into().map_err(|homes: Vec<usize>| format!("{} symbols instead of 25", homes.len()))
}

/// Plays an answer on a board and returns its number of moves.
///
/// # Errors
/// The first move that is illegal, or that the answer does not lead to the goal.
pub(crate) fn replay(board: &[usize; SPOTS], answer: &str) -> Result<usize, String> {
    let mut board = *board;
    let mut moves = 0;
    for letter in answer.chars().filter(|letter| !letter.is_whitespace()) {
        moves += 1;
        let empty = board.iter().position(|&home| home == SPOTS - 1).expect("a board has an empty spot");
        let (row, column) = (empty / SIDE, empty % SIDE);
        // The tile that moves stands on the opposite side of its direction.
        let from = match letter {
            'u' => (row + 1 < SIDE).then_some(empty + SIDE),
            'd' => empty.checked_sub(SIDE),
            'l' => (column + 1 < SIDE).then_some(empty + 1),
            'r' => (column > 0).then(|| empty - 1),
            't' => (empty != CENTRE).then_some(CENTRE),
            _ => None,
        };
        let from =
            from.ok_or_else(|| format!("move {moves} of the answer, `{}`, is illegal", letter.escape_default()))?;
        board.swap(empty, from);
    }
    let solved = board.iter().enumerate().all(|(spot, &home)| spot == home);
    solved.then_some(moves).ok_or_else(|| "the answer does not lead to the goal".to_owned())
}

/// The end from which a puzzle is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// From the board, by moves.
    Board,
    /// From the goal, by undoing moves. Every answer, read backwards, is a path from the goal to the board.
    Goal,
}

impl End {
    /// The end that a search from this one leads to.
    pub(crate) fn other(self) -> End {
        match self {
            End::Board => End::Goal,
            End::Goal => End::Board,
        }
    }
}

/// A search problem: lead a position to its goal, in which each tile stands on the spot of its number.
#[derive(Clone, Debug)]
pub(crate) struct Puzzle {
    /// The end from which it is searched.
    pub(crate) end: End,
    /// The position that the search begins with.
    pub(crate) start: Position,
    /// The empty spot in the goal.
    pub(crate) hole: usize,
}

impl Puzzle {
    /// The puzzle of a board, from one of its ends. From the goal, each tile is named after its spot on the board.
    pub(crate) fn new(board: &[usize; SPOTS], end: End) -> Puzzle {
        let mut start = [EMPTY; SPOTS];
        let empty = board.iter().position(|&home| home == SPOTS - 1).expect("a board has an empty spot");
        for (spot, &home) in board.iter().enumerate().filter(|&(spot, _)| spot != empty) {
            match end {
                End::Board => start[spot] = byte(home),
                End::Goal => start[home] = byte(spot),
            }
        }
        Puzzle { end, start, hole: if end == End::Board { SPOTS - 1 } else { empty } }
    }

    /// The spots where the empty spot can be one move later.
    pub(crate) fn empty_after(&self, empty: usize) -> Vec<usize> {
        (0..SPOTS).filter(|&to| step(self.end, empty, to)).collect()
    }

    /// The parity of the moves of every solution: each move exchanges the empty spot with a tile.
    pub(crate) fn parity(&self) -> u8 {
        let mut position = self.start.map(|tile| if tile == EMPTY { self.hole } else { usize::from(tile) });
        let mut exchanges = 0;
        for spot in 0..SPOTS {
            while position[spot] != spot {
                let home = position[spot];
                position.swap(spot, home);
                exchanges ^= 1;
            }
        }
        exchanges
    }
}

/// True if one move takes the empty spot from one spot to another. The tile there goes the other way.
pub(crate) fn step(end: End, empty: usize, to: usize) -> bool {
    let transport = if end == End::Board { to == CENTRE } else { empty == CENTRE };
    empty != to && (transport || adjacent(empty, to))
}

/// A spot or a number of moves as a byte.
pub(crate) fn byte(number: usize) -> u8 {
    u8::try_from(number).expect("below 256")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn only_unchanged_answers_of_the_write_ups_are_legal() {
        let trap = parse("FBCDE KAGHJ PLMIO UQRNT VWXS+").unwrap();
        assert_eq!(replay(&trap, "ddtdrtdluuurrrddddtlltlluu"), Ok(26));
        assert_eq!(replay(&trap, "ddddrrrulluuurrrddddlllluuuu"), Ok(28));
        assert_eq!(replay(&trap, "dddd"), Err("the answer does not lead to the goal".to_owned()));
        assert_eq!(replay(&trap, "ddddd"), Err("move 5 of the answer, `d`, is illegal".to_owned()));
        assert_eq!(replay(&trap, "tt"), Err("move 2 of the answer, `t`, is illegal".to_owned()));
        assert_eq!(Puzzle::new(&trap, End::Board).parity(), 0);
        let swapped = parse("BACDE FGHIJ KLMNO PQRST UVWX+").unwrap();
        assert_eq!(replay(&swapped, "ddrrdrdtdrdtdrdrtlluu"), Ok(21));
        assert!([End::Board, End::Goal].iter().all(|&end| Puzzle::new(&swapped, end).parity() == 1));
    }

    #[test]
    fn a_board_has_each_symbol_once() {
        assert_eq!(parse("ABCD"), Err("`E` is missing".to_owned()));
        assert_eq!(
            parse("aBCDEFGHIJKLMNOPQRSTUVWX+"),
            Err("unexpected `a`: tiles are A to X, `+` is empty".to_owned())
        );
        assert_eq!(parse("ABCDEFGHIJKLMNOPQRSTUVWX++"), Err("26 symbols instead of 25".to_owned()));
    }

    #[test]
    fn steps_from_the_goal_undo_those_from_the_board() {
        for empty in 0..SPOTS {
            for to in 0..SPOTS {
                assert_eq!(step(End::Board, empty, to), step(End::Goal, to, empty));
            }
        }
        assert_eq!((0..SPOTS).filter(|&to| step(End::Board, 24, to)).collect::<Vec<_>>(), [12, 19, 23]);
        assert_eq!((0..SPOTS).filter(|&to| step(End::Board, CENTRE, to)).count(), 4);
    }
}
