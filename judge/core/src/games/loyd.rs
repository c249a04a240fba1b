//! Loyd's Dilemma, the Programmer Of The Month of April 1995: 24 tiles, one empty spot, and a transport.
//!
//! Rules only, pure. A move is a letter that names the way a tile travels: `u`, `d`, `l`, `r` take the neighbour of
//! the empty spot into it, `t` transports the tile in the centre into it, wherever it is. The goal, *perfection*, is
//! `A` to `X` in reading order and the empty spot last.

use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;

use crate::game::{
    BoardError, Game, GameInfo, GeneratorError, GeneratorSpec, IllegalMove, Puzzle, Replay, RuleError, Score,
    ScoreLabels, show_byte,
};
use crate::picture::{Cell, Picture};

/// This game's row.
pub(super) static INFO: GameInfo = GameInfo {
    name: "loyd",
    title: "Loyd's Dilemma",
    words: ScoreLabels { progress: "tiles home", moves: "moves", tie_break: "transports", distance: "steps from home" },
    rules_help: "centre_transport = \"illegal\" | \"noop\": what `t` is with the centre empty (default illegal)",
    generators_help: "--phrase TEXT, --random, --scramble MOVES",
    open: |rules| Ok(Box::new(Loyd { rules: Rules::read(rules)? })),
};

/// Spots in a row and in a column.
const SIDE: usize = 5;
/// Spots on the board, numbered 0 to 24 in reading order.
const SPOTS: usize = SIDE * SIDE;
/// The spot the transport takes its tile from.
const CENTRE: u8 = 12;
/// The empty spot's mark in a board file.
const EMPTY: u8 = b'+';
/// Perfection.
const GOAL: [u8; SPOTS] = *b"ABCDEFGHIJKLMNOPQRSTUVWX+";

/// The house rules of a contest's `[rules]` table.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    centre_transport: CentreTransport,
}

/// What `t` is while the centre is empty.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CentreTransport {
    #[default]
    Illegal,
    /// A move that moves nothing and counts as a move and a transport.
    Noop,
}

impl Rules {
    fn read(table: &toml::Table) -> Result<Self, RuleError> {
        table.clone().try_into().map_err(|error: toml::de::Error| RuleError(error.message().to_owned()))
    }
}

struct Loyd {
    rules: Rules,
}

impl Game for Loyd {
    fn parse(&self, board: &[u8]) -> Result<Box<dyn Puzzle>, BoardError> {
        Ok(Box::new(Board { spots: parse_spots(board)?, steps: Steps::under(self.rules) }))
    }

    fn make(&self, recipe: &GeneratorSpec) -> Result<String, GeneratorError> {
        let spots = match recipe {
            GeneratorSpec::Phrase(phrase) => from_phrase(phrase)?,
            GeneratorSpec::Random { pieces: Some(_), .. } => {
                return Err(GeneratorError::of(&INFO, "every board has the same pieces"));
            }
            GeneratorSpec::Random { seed, pieces: None } => {
                let mut spots = GOAL;
                spots.shuffle(&mut ChaCha8Rng::seed_from_u64(*seed));
                spots
            }
            GeneratorSpec::Scramble { moves, seed } => scrambled(*moves, *seed),
            GeneratorSpec::Size(_) => return Err(GeneratorError::of(&INFO, "every board has the same size")),
        };
        Ok(rows(&spots, "\n") + "\n")
    }
}

/// Reads 25 symbols, white space between them ignored.
fn parse_spots(board: &[u8]) -> Result<[u8; SPOTS], BoardError> {
    let at =
        |spot: usize, reason: String| BoardError { row: Some(spot / SIDE + 1), column: Some(spot % SIDE + 1), reason };
    let mut spots = [0; SPOTS];
    let mut read = 0;
    for &symbol in board.iter().filter(|byte| !byte.is_ascii_whitespace()) {
        if read == SPOTS {
            return Err(at(read, format!("`{}` stands after the 25th symbol: a board ends there", show_byte(symbol))));
        }
        if !GOAL.contains(&symbol) {
            let hint = if symbol.is_ascii_lowercase() { " in capital letters" } else { "" };
            let shown = show_byte(symbol);
            return Err(at(read, format!("`{shown}` is no symbol of a board: tiles are A to X{hint}, `+` is empty")));
        }
        if let Some(first) = spots[..read].iter().position(|&earlier| earlier == symbol) {
            let (row, column) = (first / SIDE + 1, first % SIDE + 1);
            let shown = char::from(symbol);
            return Err(at(read, format!("`{shown}` stands a second time, first in row {row}, column {column}")));
        }
        spots[read] = symbol;
        read += 1;
    }
    if read == 0 {
        return Err(BoardError {
            row: None,
            column: None,
            reason: "the board is empty: 25 symbols belong here".into(),
        });
    }
    if read < SPOTS {
        let missing: Vec<String> =
            GOAL.iter().filter(|tile| !spots[..read].contains(tile)).map(|&tile| char::from(tile).into()).collect();
        return Err(at(read, format!("the board ends after {read} of 25 symbols; missing: {}", missing.join(" "))));
    }
    Ok(spots)
}

/// First appearance of each letter, then the unused letters in alphabetical order, then the empty spot. Y and Z are
/// no tiles and are left out, as is everything else.
fn from_phrase(phrase: &str) -> Result<[u8; SPOTS], GeneratorError> {
    let tiles = &GOAL[..SPOTS - 1];
    let mut letters: Vec<u8> = Vec::with_capacity(SPOTS);
    for letter in phrase.bytes().map(|byte| byte.to_ascii_uppercase()).chain(tiles.iter().copied()) {
        if tiles.contains(&letter) && !letters.contains(&letter) {
            letters.push(letter);
        }
    }
    if !phrase.bytes().any(|byte| tiles.contains(&byte.to_ascii_uppercase())) {
        return Err(GeneratorError("the phrase holds none of the letters A to X".into()));
    }
    letters.push(EMPTY);
    Ok(letters.try_into().expect("24 tiles, each once, and the empty spot"))
}

/// Random moves backwards from perfection, never the one that undoes the last.
///
/// A slide backwards is the opposite slide. A transport backwards needs the centre empty; it takes the tile of any
/// other spot into the centre.
fn scrambled(moves: u32, seed: u64) -> [u8; SPOTS] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut spots = GOAL;
    let mut empty = SPOTS - 1;
    let mut previous = usize::MAX;
    for _ in 0..moves {
        let mut choices: Vec<usize> = neighbours(empty).filter(|&spot| spot != previous).collect();
        if empty == usize::from(CENTRE) {
            // One choice for the 24 transports together, else they would drown the four slides.
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

/// The spots beside one spot.
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
        let empty = self.spots.iter().position(|&spot| spot == EMPTY).expect("a parsed board holds one empty spot");
        let empty = u8::try_from(empty).expect("a spot is below 25");
        Box::new(Play { spots: self.spots, empty, from: empty, moves: 0, transports: 0, steps: self.steps.clone() })
    }
}

/// What a byte of an answer does: the answer's alphabet, one class a letter.
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

/// For each class and each place of the empty spot: the spot whose tile moves, or [`STOP`] where the byte needs a
/// second look (white space, an illegal move). One look-up a move keeps the replay fast.
///
/// Eight classes of 32 spots: both powers of two, so that the index is a shift and an or.
#[derive(Clone)]
struct Steps([u8; 8 * 32]);

/// No tile moves without a closer look.
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

/// A board in play.
struct Play {
    spots: [u8; SPOTS],
    empty: u8,
    /// Where the empty spot was before the last move.
    from: u8,
    moves: u64,
    transports: u64,
    steps: Steps,
}

impl Play {
    fn illegal(&self, byte: u8) -> IllegalMove {
        let reason = match CLASSES[usize::from(byte)] {
            Class::Up => "no tile stands below the empty spot",
            Class::Down => "no tile stands above the empty spot",
            Class::Left => "no tile stands to the right of the empty spot",
            Class::Right => "no tile stands to the left of the empty spot",
            Class::Transport => "the centre is empty, there is no tile to transport",
            Class::Blank | Class::Foreign => "an answer holds only the moves u, d, l, r, t and white space",
        };
        IllegalMove { index: self.moves + 1, token: show_byte(byte), reason: reason.into() }
    }
}

impl Replay for Play {
    fn feed(&mut self, answer: &[u8]) -> Result<(), IllegalMove> {
        // Locals, not fields: the loop keeps them in registers.
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
        // The empty spot counts as a tile when it is home: perfection is 25 of 25, as in the published table.
        let home = self.spots.iter().zip(&GOAL).filter(|(stands, belongs)| stands == belongs).count() as u64;
        Score { progress: home, of: SPOTS as u64, moves: self.moves, tie_break: self.transports }
    }

    /// Steps of all tiles to their spots, along rows and columns and through one another.
    fn distance(&self) -> u64 {
        let steps = |(spot, tile): (usize, &u8)| {
            let home = GOAL.iter().position(|goal| goal == tile)?;
            Some((spot / SIDE).abs_diff(home / SIDE) + (spot % SIDE).abs_diff(home % SIDE))
        };
        let tiles = self.spots.iter().enumerate().filter(|&(_, &tile)| tile != EMPTY);
        tiles.filter_map(steps).sum::<usize>() as u64
    }

    fn picture(&self) -> Picture {
        // Before the first move, and after one that moved nothing, both ends are the same spot.
        let ends = [self.empty, self.from].map(usize::from);
        let touched = |spot: usize| ends[0] != ends[1] && ends.contains(&spot);
        let cells = self.spots.iter().enumerate();
        let cells = cells.map(|(spot, &label)| Cell { label: Some(label.into()), touched: touched(spot) });
        Picture { width: SIDE, cells: cells.collect() }
    }
}
