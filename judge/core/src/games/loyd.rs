//! Loyd's Dilemma, the Programmer Of The Month of April 1995: 24 tiles, one empty spot, and a transport.
//!
//! Only rules, pure. A move is a letter. `u`, `d`, `l` and `r` slide a neighbour of the empty spot into it, in that direction.
//! `t` transports the tile in the centre into the empty spot, wherever that is. The goal, called *perfection*, is `A` to `X` in
//! reading order with the empty spot last.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use crate::figure::Figure;
use crate::game::{
    BoardError, Game, GameInfo, Generator, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, Score,
    check_scramble, show_byte,
};
use crate::picture::{Picture, PictureCell};

/// This game's row in the list of games.
pub(super) static INFO: GameInfo = GameInfo {
    name: "loyd",
    title: "Loyd's Dilemma",
    figures: Figure::of_game(["tiles home", "moves", "transports"]),
    distance: "steps from home",
    man: None,
    rules_help: "centre_transport = \"illegal\" | \"noop\": the meaning of `t` if the centre is empty (default illegal)",
    generators: &[
        (Generator::Phrase, "TEXT"),
        (Generator::Random, "(all boards are equally likely)"),
        (Generator::Scramble, "MOVES"),
    ],
    open: |rules| Ok(Box::new(Loyd { rules: rules.read()? })),
};

/// Spots per row and per column.
const SIDE: usize = 5;
/// Spots on the board, numbered 0 to 24 in reading order.
const SPOTS: usize = SIDE * SIDE;
/// The spot from which a transport takes its tile.
const CENTRE: u8 = 12;
/// The empty spot's symbol in a board file.
const EMPTY: u8 = b'+';
/// The goal, called perfection: tiles in alphabetical order, and the empty spot last.
const GOAL: [u8; SPOTS] = *b"ABCDEFGHIJKLMNOPQRSTUVWX+";

/// The house rules of a contest's `[rules]` table.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    centre_transport: CentreTransport,
}

/// The meaning of `t` while the centre is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CentreTransport {
    #[default]
    Illegal,
    /// A legal move without effect, which counts as a move and a transport.
    Noop,
}

struct Loyd {
    rules: Rules,
}

impl Game for Loyd {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Board { spots: parse_spots(board)?, steps: Steps::under(self.rules) }))
    }

    fn make(&self, spec: &GeneratorSpec) -> Result<String, GeneratorError> {
        let spots = match spec {
            GeneratorSpec::Phrase(phrase) => from_phrase(phrase)?,
            GeneratorSpec::Random { pieces: Some(_), .. } => {
                return Err(GeneratorError::unsupported(&INFO, spec, "all its boards have the same tiles"));
            }
            GeneratorSpec::Random { seed, pieces: None } => {
                let mut spots = GOAL;
                spots.shuffle(&mut ChaCha8Rng::seed_from_u64(*seed));
                spots
            }
            GeneratorSpec::Scramble { moves, seed } => {
                check_scramble(*moves)?;
                scrambled(*moves, *seed)
            }
            GeneratorSpec::Size(_) => {
                return Err(GeneratorError::unsupported(&INFO, spec, "all its boards have one size"));
            }
        };
        Ok(rows(&spots, "\n") + "\n")
    }
}

/// Reads 25 symbols and ignores white space.
fn parse_spots(board: &[u8]) -> Result<[u8; SPOTS], BoardError> {
    let at = |spot: usize, reason: String| BoardError::at(spot / SIDE, spot % SIDE, reason);
    let mut spots = [0; SPOTS];
    let mut read = 0;
    for &symbol in board.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        if read == SPOTS {
            return Err(at(
                read,
                format!("unexpected `{}` after the 25th symbol: a board ends there", show_byte(symbol)),
            ));
        }
        if !GOAL.contains(&symbol) {
            let hint = if symbol.is_ascii_lowercase() { " in capital letters" } else { "" };
            let shown = show_byte(symbol);
            return Err(at(read, format!("unexpected `{shown}`: tiles are A to X{hint}, `+` is empty")));
        }
        if let Some(first) = spots[..read].iter().position(|&earlier| earlier == symbol) {
            let (row, column) = (first / SIDE + 1, first % SIDE + 1);
            let shown = char::from(symbol);
            return Err(at(read, format!("duplicate `{shown}`, first used in row {row}, column {column}")));
        }
        spots[read] = symbol;
        read += 1;
    }
    if read == 0 {
        return Err(BoardError::whole("the board is empty: 25 symbols are needed"));
    }
    if read < SPOTS {
        let missing: Vec<String> =
            GOAL.iter().filter(|tile| !spots[..read].contains(tile)).map(|&tile| char::from(tile).into()).collect();
        return Err(at(read, format!("the board ends after {read} of 25 symbols; missing: {}", missing.join(" "))));
    }
    Ok(spots)
}

/// Takes each letter of the phrase once, in the order of first appearance, then the unused letters in alphabetical order, then
/// the empty spot. Y and Z are not tiles. They are ignored, and so are all other symbols.
fn from_phrase(phrase: &str) -> Result<[u8; SPOTS], GeneratorError> {
    let tiles = &GOAL[..SPOTS - 1];
    let mut letters: Vec<u8> = Vec::with_capacity(SPOTS);
    for letter in phrase.bytes().map(|byte| byte.to_ascii_uppercase()).chain(tiles.iter().copied()) {
        if tiles.contains(&letter) && !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    if !phrase.bytes().any(|byte| tiles.contains(&byte.to_ascii_uppercase())) {
        return Err(GeneratorError::invalid(Generator::Phrase, "has none of the letters A to X"));
    }
    letters.push(EMPTY);
    Ok(letters.try_into().expect("24 tiles, each once, and the empty spot"))
}

/// Takes random moves backwards from perfection, but never undoes the last one.
///
/// The reverse of a slide is the opposite slide. The reverse of a transport needs an empty centre. It takes the tile of any other
/// spot into the centre.
fn scrambled(moves: u32, seed: u64) -> [u8; SPOTS] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut spots = GOAL;
    let mut empty = SPOTS - 1;
    let mut previous = usize::MAX;
    for _ in 0..moves {
        let mut choices: Vec<usize> = neighbours(empty).filter(|&spot| spot != previous).collect();
        if empty == usize::from(CENTRE) {
            // All 24 transports together are one choice; otherwise, they would outnumber the four slides.
            let far: Vec<usize> = (0..SPOTS).filter(|&spot| spot != empty && spot != previous).collect();
            choices.push(far[random.random_range(0..far.len())]);
        }
        let chosen = choices[random.random_range(0..choices.len())];
        spots.swap(empty, chosen);
        previous = empty;
        empty = chosen;
    }
    spots
}

/// Returns the neighbours of a spot.
fn neighbours(spot: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (spot / SIDE, spot % SIDE);
    let up = (row > 0).then(|| spot - SIDE);
    let down = (row + 1 < SIDE).then_some(spot + SIDE);
    let left = (column > 0).then(|| spot - 1);
    let right = (column + 1 < SIDE).then_some(spot + 1);
    [up, down, left, right].into_iter().flatten()
}

fn rows(spots: &[u8; SPOTS], separator: &str) -> String {
    spots.chunks(SIDE).map(|row| String::from_utf8_lossy(row)).collect::<Vec<_>>().join(separator)
}

struct Board {
    spots: [u8; SPOTS],
    steps: Steps,
}

impl Puzzle for Board {
    fn start(&self) -> Box<dyn Replay> {
        let empty = self.spots.iter().position(|&spot| spot == EMPTY).expect("a parsed board has one empty spot");
        let empty = u8::try_from(empty).expect("a spot is below 25");
        Box::new(Play { spots: self.spots, empty, from: empty, moves: 0, transports: 0, steps: self.steps.clone() })
    }

    fn goal(&self) -> Vec<Option<char>> {
        GOAL.iter().map(|&label| Some(label.into())).collect()
    }
}

/// The classes of bytes in an answer: one per letter, white space, and all others.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Class {
    Up,
    Down,
    Left,
    Right,
    Transport,
    Blank,
    Foreign,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Foreign; 256];
    classes[b'u' as usize] = Class::Up;
    classes[b'd' as usize] = Class::Down;
    classes[b'l' as usize] = Class::Left;
    classes[b'r' as usize] = Class::Right;
    classes[b't' as usize] = Class::Transport;
    let mut byte = 0;
    while byte < 128u8 {
        if byte.is_ascii_whitespace() {
            classes[byte as usize] = Class::Blank;
        }
        byte += 1;
    }
    classes
};

/// For each class and each empty spot, the spot whose tile moves, or [`STOP`] for a byte that needs another check (white space,
/// an illegal move). One look-up per move keeps the replay fast.
///
/// Eight classes of 32 spots. Both numbers are powers of two, so that the index is a shift and an or.
#[derive(Clone)]
struct Steps([u8; 8 * 32]);

/// The byte is white space or an illegal move.
const STOP: u8 = u8::MAX;

impl Steps {
    fn under(rules: Rules) -> Self {
        let mut steps = [STOP; 8 * 32];
        for empty in 0..SPOTS {
            let (row, column) = (empty / SIDE, empty % SIDE);
            let mut set = |class: Class, exists: bool, spot: usize| {
                if exists {
                    steps[class as usize * 32 + empty] = u8::try_from(spot).expect("a spot is below 25");
                }
            };
            set(Class::Up, row + 1 < SIDE, empty + SIDE);
            set(Class::Down, row > 0, empty.wrapping_sub(SIDE));
            set(Class::Left, column + 1 < SIDE, empty + 1);
            set(Class::Right, column > 0, empty.wrapping_sub(1));
            let noop = rules.centre_transport == CentreTransport::Noop;
            set(Class::Transport, empty != usize::from(CENTRE) || noop, usize::from(CENTRE));
        }
        Self(steps)
    }
}

/// A replay of this game.
struct Play {
    spots: [u8; SPOTS],
    empty: u8,
    /// The empty spot before the last move.
    from: u8,
    moves: u64,
    transports: u64,
    steps: Steps,
}

impl Play {
    fn illegal(&self, byte: u8) -> IllegalMove {
        let reason = match CLASSES[usize::from(byte)] {
            Class::Up => "no tile is below the empty spot",
            Class::Down => "no tile is above the empty spot",
            Class::Left => "no tile is right of the empty spot",
            Class::Right => "no tile is left of the empty spot",
            Class::Transport => "the centre is empty, so there is no tile to transport",
            Class::Blank | Class::Foreign => "an answer has only the moves u, d, l, r, t and white space",
        };
        IllegalMove { index: self.moves + 1, token: show_byte(byte), reason: reason.into() }
    }
}

impl Replay for Play {
    fn feed(&mut self, answer: &[u8]) -> Result<(), IllegalMove> {
        // Local variables instead of fields, so that the loop keeps them in registers.
        let (mut empty, mut from, mut moves, mut transports) = (self.empty, self.from, self.moves, self.transports);
        let mut outcome = Ok(());
        for &byte in answer {
            let class = CLASSES[usize::from(byte)];
            let tile = self.steps.0[(class as usize * 32) | usize::from(empty & 31)];
            if tile == STOP {
                if matches!(class, Class::Blank) {
                    continue;
                }
                outcome = Err(byte);
                break;
            }
            self.spots.swap(usize::from(empty), usize::from(tile));
            from = empty;
            empty = tile;
            moves += 1;
            transports += u64::from(byte == b't');
        }
        (self.empty, self.from, self.moves, self.transports) = (empty, from, moves, transports);
        outcome.map_err(|byte| self.illegal(byte))
    }

    fn finish(&mut self) -> Result<(), IllegalMove> {
        Ok(())
    }

    fn score(&self) -> Score {
        // The empty spot counts as a tile if it is home: perfection is 25 of 25, as in the table of 1995.
        let home = self.spots.iter().zip(&GOAL).filter(|(actual, goal)| actual == goal).count() as u64;
        Score { progress: home, of: SPOTS as u64, moves: self.moves, tie_break: self.transports }
    }

    /// Sums the steps of all tiles to their spots, along rows and columns, ignoring other tiles.
    fn distance(&self) -> u64 {
        let steps = |(spot, tile): (usize, &u8)| {
            let home = GOAL.iter().position(|goal| goal == tile)?;
            Some((spot / SIDE).abs_diff(home / SIDE) + (spot % SIDE).abs_diff(home % SIDE))
        };
        let tiles = self.spots.iter().enumerate().filter(|&(_, &tile)| tile != EMPTY);
        tiles.filter_map(steps).sum::<usize>() as u64
    }

    fn picture(&self) -> Picture {
        // Before the first move, and after a move that moved nothing, both ends are the same spot.
        let ends = [self.empty, self.from].map(usize::from);
        let touched = |spot: usize| ends[0] != ends[1] && ends.contains(&spot);
        let cells = self.spots.iter().enumerate();
        let cells = cells.map(|(spot, &label)| PictureCell { label: Some(label.into()), touched: touched(spot) });
        Picture { width: SIDE, cells: cells.collect() }
    }
}
