//! The tiles of a board, and where they are.

use std::fmt;
use std::str::FromStr;

use crate::key::Key;
use crate::moves::Move;
use crate::spot::{SPOTS, Spot};

/// The symbols of the tiles and the empty spot, in the order of perfection.
const SYMBOLS: [char; SPOTS as usize] = [
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W',
    'X', '+',
];

/// A tile, identified by the spot where it belongs: the 24 letters in order belong on the first 24 spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(Spot);

impl Tile {
    /// All 24 tiles from A to X.
    pub fn all() -> impl Iterator<Item = Tile> {
        Spot::all().filter(|&spot| spot != Spot::LAST).map(Tile)
    }

    /// The tile with this letter; `None` unless it is one of A to X.
    pub fn from_letter(letter: char) -> Option<Tile> {
        Tile::all().find(|tile| tile.letter() == letter)
    }

    /// The spot the tile stands on in perfection.
    pub fn home(self) -> Spot {
        self.0
    }

    /// The letter on the tile.
    pub fn letter(self) -> char {
        SYMBOLS[self.0.index()]
    }
}

/// A board: 24 tiles and the empty spot.
///
/// Read one with [`str::parse`]; white space between the 25 symbols does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// For each spot, the home of its tile; the home of the empty spot is [`Spot::LAST`].
    occupants: [Spot; SPOTS as usize],
    /// The inverse: for each tile, and last for the empty spot, the spot where it stands.
    places: [Spot; SPOTS as usize],
}

impl Board {
    /// The goal of the game, called perfection by the contest: A to X in reading order, then the empty spot.
    pub fn perfection() -> Board {
        let mut order = [Spot::LAST; SPOTS as usize];
        for spot in Spot::all() {
            order[spot.index()] = spot;
        }
        Board { occupants: order, places: order }
    }

    /// The board from which these slides lead to perfection; `None` if a move is a transport or leads
    /// off the board.
    pub fn before(closing: &[Move]) -> Option<Board> {
        closing.iter().rev().try_fold(Board::perfection(), |board, slide| board.after(slide.inverse()?))
    }

    /// The tile on this spot; `None` on the empty spot.
    pub fn at(&self, spot: Spot) -> Option<Tile> {
        let occupant = self.occupants[spot.index()];
        (occupant != Spot::LAST).then_some(Tile(occupant))
    }

    /// The spot where the tile stands.
    pub fn spot_of(&self, tile: Tile) -> Spot {
        self.places[tile.0.index()]
    }

    /// The spot without a tile.
    pub fn empty(&self) -> Spot {
        self.places[Spot::LAST.index()]
    }

    /// The board after the move; `None` if the move is illegal here.
    #[must_use]
    pub fn after(&self, made: Move) -> Option<Board> {
        let mut board = *self;
        board.pull(made.empty_after(self.empty())?);
        Some(board)
    }

    /// Moves the tile on `from` to the empty spot, so that `from` becomes empty. The caller ensures that this is a
    /// legal move. Searches undo it by pulling from the former empty spot.
    pub fn pull(&mut self, from: Spot) {
        let empty = self.empty();
        let occupant = self.occupants[from.index()];
        self.occupants[empty.index()] = occupant;
        self.places[occupant.index()] = empty;
        self.occupants[from.index()] = Spot::LAST;
        self.places[Spot::LAST.index()] = from;
    }

    /// A lower bound on the moves to perfection: the sum of each tile's own moves, as a move moves one tile.
    pub fn least_moves(&self) -> u32 {
        Tile::all().map(|tile| u32::from(self.spot_of(tile).moves_to(tile.home()))).sum()
    }

    /// Number of tiles that stand where they belong, 0 to 24.
    pub fn tiles_home(&self) -> usize {
        Tile::all().filter(|tile| self.spot_of(*tile) == tile.home()).count()
    }

    /// The board as one number.
    pub fn key(&self) -> Key {
        Key(self.occupants.iter().fold(0, |bits, spot| bits << 5 | u128::from(spot.number())))
    }
}

impl From<Key> for Board {
    fn from(key: Key) -> Board {
        let mut board = Board::perfection();
        let mut bits = key.0;
        for spot in Spot::all().collect::<Vec<_>>().into_iter().rev() {
            let home = Spot::new((bits & 31) as usize).expect("a key contains 25 spots");
            board.occupants[spot.index()] = home;
            board.places[home.index()] = spot;
            bits >>= 5;
        }
        board
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        let mut board = Board::perfection();
        let mut seen = String::new();
        for symbol in text.chars().filter(|symbol| !symbol.is_whitespace()) {
            let Some(spot) = Spot::new(seen.len()) else {
                return Err(BoardError::TooMany { symbol });
            };
            let Some(home) = SYMBOLS.iter().position(|&s| s == symbol).and_then(Spot::new) else {
                return Err(BoardError::Unknown { symbol, spot });
            };
            if seen.contains(symbol) {
                return Err(BoardError::Repeated { symbol, spot });
            }
            seen.push(symbol);
            board.occupants[spot.index()] = home;
            board.places[home.index()] = spot;
        }
        let missing: String = SYMBOLS.into_iter().filter(|&s| !seen.contains(s)).collect();
        if missing.is_empty() { Ok(board) } else { Err(BoardError::Missing { missing }) }
    }
}

/// The error in a text that is not a board. Rows and columns count from 1, five symbols per row, in any layout of the
/// file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// A symbol that is neither `A` to `X` nor `+`.
    Unknown {
        /// The unknown symbol.
        symbol: char,
        /// The first spot that has it.
        spot: Spot,
    },
    /// A symbol that an earlier spot also has.
    Repeated {
        /// The duplicate symbol.
        symbol: char,
        /// The place of the repetition.
        spot: Spot,
    },
    /// The text has more than 25 symbols.
    TooMany {
        /// The first symbol that is too many, the twenty-sixth.
        symbol: char,
    },
    /// The text has fewer than 25 symbols.
    Missing {
        /// The missing symbols, in the order of perfection.
        missing: String,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |spot: &Spot| format!("row {}, column {}", spot.row() + 1, spot.column() + 1);
        match self {
            BoardError::Unknown { symbol, spot } => {
                write!(f, "{}: unexpected {symbol:?}; use A to X and one +", place(spot))
            }
            BoardError::Repeated { symbol, spot } => {
                write!(f, "{}: repeated {symbol:?}; use every symbol once", place(spot))
            }
            BoardError::TooMany { symbol } => {
                write!(f, "{symbol:?} after the last spot; use exactly 25 symbols")
            }
            BoardError::Missing { missing } => {
                write!(f, "only {} of 25 symbols; add {missing}", SYMBOLS.len() - missing.len())
            }
        }
    }
}

impl std::error::Error for BoardError {}

#[cfg(test)]
mod tests {
    use super::*;

    const PERFECTION: &str = "ABCDE FGHIJ KLMNO PQRST UVWX+";

    fn refused(text: &str) -> String {
        text.parse::<Board>().expect_err("no board").to_string()
    }

    #[test]
    fn the_layout_of_the_text_does_not_matter() {
        let plain: Board = PERFECTION.parse().expect("a board");
        let rows: Board = PERFECTION.replace(' ', "\r\n").parse().expect("a board");
        assert_eq!(plain, Board::perfection());
        assert_eq!(rows, plain);
    }

    #[test]
    fn an_invalid_text_is_refused_with_the_place_of_the_error() {
        let cases = [
            ("ABCDE FGhIJ", "row 2, column 3: unexpected 'h'; use A to X and one +"),
            ("ABCDE FGHAJ", "row 2, column 4: repeated 'A'; use every symbol once"),
            ("ABCDE FGHIJ KLMNO PQRST UVWX", "only 24 of 25 symbols; add +"),
            ("+XWVU", "only 5 of 25 symbols; add ABCDEFGHIJKLMNOPQRST"),
            ("", "only 0 of 25 symbols; add ABCDEFGHIJKLMNOPQRSTUVWX+"),
        ];
        for (text, message) in cases {
            assert_eq!(refused(text), message);
        }
        assert_eq!(refused(&format!("{PERFECTION} A")), "'A' after the last spot; use exactly 25 symbols");
    }

    #[test]
    fn the_trap_of_the_write_ups_is_solved_by_their_answer() {
        let trap: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().expect("a board");
        let solved = "ddddrrrulluuurrrddddlllluuuu".chars().fold(trap, |board, letter| {
            let made = Move::ALL.into_iter().find(|m| m.letter() == letter).expect("a move");
            board.after(made).expect("legal")
        });
        assert_eq!(solved, Board::perfection());
    }

    #[test]
    fn a_transport_carries_the_centre_tile_to_the_empty_spot() {
        let after = Board::perfection().after(Move::Transport).expect("legal");
        assert_eq!(after.empty(), Spot::CENTRE);
        assert_eq!(after.at(Spot::LAST).map(Tile::letter), Some('M'));
        assert_eq!(after.after(Move::Transport), None);
    }

    #[test]
    fn a_letter_and_a_home_identify_a_tile() {
        for tile in Tile::all() {
            assert_eq!(Tile::from_letter(tile.letter()), Some(tile));
            assert_eq!(Board::perfection().at(tile.home()), Some(tile));
        }
        assert_eq!(Tile::from_letter('+'), None);
        assert_eq!(Tile::from_letter('Y'), None);
    }

    #[test]
    fn occupants_and_places_agree_after_any_moves() {
        let mut board = Board::perfection();
        for step in 0..1_000_usize {
            let made = Move::ALL[step * step % 7 % 5];
            board = board.after(made).unwrap_or(board);
            for tile in Tile::all() {
                assert_eq!(board.at(board.spot_of(tile)), Some(tile));
            }
            assert_eq!(board.at(board.empty()), None);
        }
    }

    #[test]
    fn a_key_and_a_second_pull_give_the_board_back() {
        let mut board: Board = "FBCDE KAGHJ PLMIO UQRNT VWXS+".parse().expect("a board");
        assert_eq!(Board::from(board.key()), board);
        let before = board;
        board.pull(Spot::CENTRE);
        assert_eq!(Some(board), before.after(Move::Transport));
        assert_ne!(board.key(), before.key());
        board.pull(before.empty());
        assert_eq!(board, before);
    }

    #[test]
    fn the_least_moves_are_the_sum_of_the_tiles_own_moves() {
        assert_eq!((Board::perfection().least_moves(), Board::perfection().tiles_home()), (0, 24));
        let ring: Board = "+ABCD GHIJE FKLMN QRSTO PUVWX".parse().expect("a board");
        assert_eq!((ring.least_moves(), ring.tiles_home()), (24, 0), "and 24 are enough");
    }

    #[test]
    fn the_board_before_a_closing_leads_to_perfection_by_it() {
        let closing = [Move::Left, Move::Left, Move::Up, Move::Up];
        let pattern = Board::before(&closing).expect("slides only");
        assert_eq!(Ok(pattern), "ABCDE FGHIJ KL+MN PQRSO UVWXT".parse());
        assert_eq!(Board::before(&[Move::Transport]), None);
        assert_eq!(Board::before(&[Move::Down]), None, "no tile comes from below the board");
    }
}
