//! The rules of Loyd's Dilemma: cases from the sources, and a naive second implementation as an oracle.
//!
//! The oracle shares no code and no table with the judge. It searches the empty spot, looks at its neighbours, and
//! moves a character. It is slow and obviously right.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::thread;

use judge_core::game::{Game, GeneratorSpec, HouseRules, Puzzle, Replay};
use judge_core::{games, referee};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PERFECTION: &str = "ABCDE FGHIJ KLMNO PQRST UVWX+";

fn game(centre_transport: &str) -> Box<dyn Game> {
    let rules = HouseRules::new(&BTreeMap::from([("centre_transport", centre_transport)])).unwrap();
    (games::find("loyd").unwrap().open)(&rules).unwrap()
}

fn puzzle(board: &str) -> Box<dyn Puzzle> {
    game("illegal").parse(board.as_bytes()).unwrap()
}

/// The oracle: five rows of characters.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Grid([[char; 5]; 5]);

/// The oracle's result for an answer.
#[derive(Debug, PartialEq, Eq)]
struct Naive {
    home: u64,
    moves: u64,
    transports: u64,
    /// Index from 1 and byte of the illegal move.
    illegal: Option<(u64, u8)>,
    position: String,
}

impl Grid {
    fn new(board: &str) -> Self {
        let mut symbols = board.chars().filter(|symbol| !symbol.is_whitespace());
        let mut grid = Self([['?'; 5]; 5]);
        for row in &mut grid.0 {
            for spot in row {
                *spot = symbols.next().unwrap();
            }
        }
        grid
    }

    fn empty(&self) -> (usize, usize) {
        for row in 0..5 {
            for column in 0..5 {
                if self.0[row][column] == '+' {
                    return (row, column);
                }
            }
        }
        panic!("no empty spot");
    }

    /// Makes a move; returns false for an illegal one.
    fn make(&mut self, letter: char, noop: bool) -> bool {
        let (row, column) = self.empty();
        let from = match letter {
            'u' if row + 1 < 5 => (row + 1, column),
            'd' if row >= 1 => (row - 1, column),
            'l' if column + 1 < 5 => (row, column + 1),
            'r' if column >= 1 => (row, column - 1),
            't' if (row, column) != (2, 2) => (2, 2),
            't' => return noop,
            _ => return false,
        };
        self.0[row][column] = self.0[from.0][from.1];
        self.0[from.0][from.1] = '+';
        true
    }

    fn home(&self) -> u64 {
        let goal = Self::new(PERFECTION);
        (0..25).filter(|spot| self.0[spot / 5][spot % 5] == goal.0[spot / 5][spot % 5]).count() as u64
    }

    fn text(&self) -> String {
        self.0.map(|row| row.iter().collect::<String>()).join(" ")
    }

    fn replay(mut self, answer: &[u8], noop: bool) -> Naive {
        let (mut moves, mut transports, mut illegal) = (0, 0, None);
        for &byte in answer {
            if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c) {
                continue;
            }
            if !self.make(char::from(byte), noop) {
                illegal = Some((moves + 1, byte));
                break;
            }
            moves += 1;
            transports += u64::from(byte == b't');
        }
        Naive { home: self.home(), moves, transports, illegal, position: self.text() }
    }

    /// Returns true for an odd permutation of perfection, with the empty spot as one of the symbols.
    fn odd(&self) -> bool {
        let symbols: Vec<char> =
            self.0.iter().flatten().map(|&symbol| if symbol == '+' { 'Y' } else { symbol }).collect();
        let inversions = (0..25).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| symbols[a] > symbols[b]);
        inversions.count() % 2 == 1
    }
}

/// Replays an answer in pieces with the judge; returns its result in the oracle's form.
fn judged(puzzle: &dyn Puzzle, pieces: &[&[u8]]) -> Naive {
    let mut replay: Box<dyn Replay> = puzzle.start();
    let mut illegal = None;
    for piece in pieces {
        if let Err(refused) = replay.feed(piece) {
            illegal = Some(refused);
            break;
        }
    }
    if illegal.is_none() {
        illegal = replay.finish().err();
    }
    let score = replay.score();
    assert_eq!(score.of, 25);
    let bytes: Vec<u8> = pieces.concat();
    let byte_of = |index: u64, token: &str| {
        let byte =
            bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).nth(usize::try_from(index).unwrap() - 1);
        let byte = byte.unwrap();
        assert_eq!(token, byte.escape_ascii().to_string());
        byte
    };
    Naive {
        home: score.progress,
        moves: score.moves,
        transports: score.tie_break,
        illegal: illegal.map(|refused| (refused.index, byte_of(refused.index, &refused.token))),
        position: replay.picture().one_line(),
    }
}

fn random_board(random: &mut ChaCha8Rng) -> String {
    let mut symbols: Vec<char> = PERFECTION.chars().filter(|symbol| *symbol != ' ').collect();
    symbols.shuffle(random);
    symbols.into_iter().collect()
}

/// Makes mostly legal moves, so that replays are long, with some white space, illegal moves and random bytes.
fn random_answer(random: &mut ChaCha8Rng, grid: &Grid, legal_only: bool) -> Vec<u8> {
    let mut grid = grid.clone();
    let length = random.random_range(0..=80);
    let mut answer = Vec::with_capacity(length);
    while answer.len() < length {
        match if legal_only { 99 } else { random.random_range(0..100u8) } {
            0 => answer.push(random.random()),
            1 => answer.push(*b"udlrt".choose(random).unwrap()),
            2..=5 => answer.push(*b" \t\n\r\x0c".choose(random).unwrap()),
            _ => {
                let letter = *b"udlrt".choose(random).unwrap();
                if grid.make(char::from(letter), false) {
                    answer.push(letter);
                }
            }
        }
    }
    answer
}

#[test]
fn some_random_answers_match_the_oracle() {
    random_answers_match_the_oracle(1994, 4_000);
}

#[test]
#[ignore = "deep: oracles"]
fn a_million_random_answers_match_the_oracle() {
    thread::scope(|scope| {
        for seed in 1995..1999 {
            scope.spawn(move || random_answers_match_the_oracle(seed, 250_000));
        }
    });
}

fn random_answers_match_the_oracle(seed: u64, cases: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let games = [("illegal", game("illegal")), ("noop", game("noop"))];
    let (mut illegal, mut deep) = (0, 0);
    for case in 0..cases {
        let (rule, game) = games.choose(&mut random).unwrap();
        let board = random_board(&mut random);
        let grid = Grid::new(&board);
        let answer = random_answer(&mut random, &grid, false);
        let puzzle = game.parse(board.as_bytes()).unwrap();
        let cut = random.random_range(0..=answer.len());
        let pieces = [&answer[..cut], &answer[cut..]];
        let (ours, theirs) = (judged(&*puzzle, &pieces), grid.replay(&answer, *rule == "noop"));
        assert_eq!(
            ours,
            theirs,
            "seed {seed}, case {case}: {board}, centre_transport {rule}, {:?}",
            String::from_utf8_lossy(&answer)
        );
        illegal += usize::from(theirs.illegal.is_some());
        deep += usize::from(theirs.moves >= 30);
    }
    let fifth = cases / 5;
    assert!(illegal > fifth && deep > fifth, "too few interesting cases: {illegal} illegal, {deep} deep");
}

#[test]
fn every_legal_move_changes_the_parity_of_the_board() {
    let mut random = ChaCha8Rng::seed_from_u64(1995);
    for case in 0..2_000 {
        let board = random_board(&mut random);
        let grid = Grid::new(&board);
        let answer = random_answer(&mut random, &grid, true);
        let ruling = referee::rule(&*puzzle(&board), &*answer).unwrap();
        assert_eq!(ruling.illegal, None);
        let end = Grid::new(&ruling.picture.one_line());
        let changed = grid.odd() != end.odd();
        assert_eq!(ruling.score.moves % 2 == 1, changed, "case {case}: {board}, {}", String::from_utf8_lossy(&answer));
    }
}

#[test]
fn the_trap_of_the_write_up_is_solved_by_its_answer() {
    let ruling =
        referee::rule(&*puzzle("FBCDE KAGHJ PLMIO UQRNT VWXS+"), &b"ddddrrrulluuurrrddddlllluuuu"[..]).unwrap();
    assert_eq!(ruling.illegal, None);
    let score = ruling.score;
    assert!(score.solved());
    assert_eq!((score.progress, score.moves, score.tie_break), (25, 28, 0));
    assert_eq!(ruling.picture.one_line(), PERFECTION);
}

#[test]
fn on_perfection_tiles_are_only_above_and_left_of_the_empty_spot() {
    let after = |letter: &str| {
        let ruling = referee::rule(&*puzzle(PERFECTION), letter.as_bytes()).unwrap();
        ruling.illegal.map_or(ruling.picture.one_line(), |illegal| illegal.to_string())
    };
    assert_eq!(after("d"), "ABCDE FGHIJ KLMNO PQRS+ UVWXT");
    assert_eq!(after("r"), "ABCDE FGHIJ KLMNO PQRST UVW+X");
    assert_eq!(after("t"), "ABCDE FGHIJ KL+NO PQRST UVWXM");
    assert_eq!(after("u"), "illegal move 1 `u`: no tile is below the empty spot");
    assert_eq!(after("l"), "illegal move 1 `l`: no tile is right of the empty spot");
}

#[test]
fn a_transport_with_the_centre_empty_follows_the_house_rule() {
    let answer = &b"ttd"[..];
    let strict = referee::rule(&*game("illegal").parse(PERFECTION.as_bytes()).unwrap(), answer).unwrap();
    let illegal = strict.illegal.unwrap();
    assert_eq!(illegal.to_string(), "illegal move 2 `t`: the centre is empty, so there is no tile to transport");
    assert_eq!((strict.score.moves, strict.score.progress), (1, 23));
    assert_eq!(strict.picture.one_line(), "ABCDE FGHIJ KL+NO PQRST UVWXM");

    let noop = referee::rule(&*game("noop").parse(PERFECTION.as_bytes()).unwrap(), answer).unwrap();
    assert_eq!(noop.illegal, None);
    assert_eq!((noop.score.moves, noop.score.tie_break), (3, 2));
    assert_eq!(noop.picture.one_line(), "ABCDE FG+IJ KLHNO PQRST UVWXM");
}

#[test]
fn the_same_options_and_seed_always_give_the_same_board() {
    let make = |spec: &GeneratorSpec| game("illegal").make(spec).unwrap().replace('\n', " ");
    assert_eq!(make(&GeneratorSpec::Random { seed: 1, pieces: None }), "PI+CH XLSEB GROJV DKUMA QTWNF ");
    assert_eq!(make(&GeneratorSpec::Random { seed: 2, pieces: None }), "DPLKF MBQNV IXOR+ ASGUT HCJEW ");
    assert_eq!(make(&GeneratorSpec::Scramble { moves: 20, seed: 1 }), "ABCID FGH+E KLRNT PQOMJ UVWSX ");
    assert_eq!(make(&GeneratorSpec::Scramble { moves: 0, seed: 1 }), format!("{PERFECTION} "));
}

#[test]
fn phrases_give_the_boards_of_the_final() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/loyd");
    for (name, phrase) in [
        ("foxy", "the quick brown fox jumps over the lazy dog"),
        ("aid", "Now is the time for all good men to come to the aid of their country"),
        ("typo", "qwertyuiop asdfghjkl zxcvbnm"),
        ("faq", "FAQ frequently asked questions"),
        ("warn", "WARNING high voltage do not touch"),
    ] {
        let board = std::fs::read_to_string(folder.join(name).with_extension("txt")).unwrap();
        assert_eq!(game("illegal").make(&GeneratorSpec::Phrase(phrase.into())).unwrap(), board, "{name}");
        // FOXY, TYPO, FAQ and WARN had answers of even length in 1995, AID of odd length.
        assert_eq!(Grid::new(&board).odd(), name == "aid", "{name}");
    }
    assert!(game("illegal").make(&GeneratorSpec::Phrase("y z 123".into())).is_err());
}

#[test]
fn a_scramble_has_an_answer_of_at_most_its_number_of_moves() {
    for (moves, seed) in (0..=5).flat_map(|moves| (0..8).map(move |seed| (moves, seed))) {
        let board = game("illegal").make(&GeneratorSpec::Scramble { moves, seed }).unwrap();
        let mut reached = HashSet::from([Grid::new(&board)]);
        for _ in 0..moves {
            let before: Vec<Grid> = reached.iter().cloned().collect();
            for (grid, letter) in before.iter().flat_map(|grid| "udlrt".chars().map(move |letter| (grid, letter))) {
                let mut grid = grid.clone();
                if grid.make(letter, false) {
                    reached.insert(grid);
                }
            }
        }
        assert!(reached.contains(&Grid::new(PERFECTION)), "{moves} moves, seed {seed}: {board}");
    }
}
