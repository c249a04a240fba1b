//! The rules of Loyd's Dilemma: cases from the sources, and a naive second implementation as an oracle.
//!
//! The oracle shares no code and no table with the judge. It searches the empty spot, looks at its neighbours, and
//! moves a character. It is slow and obviously right.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::thread;

use judge_core::game::{Game, GeneratorSpec, HouseRules, Puzzle};
use judge_core::picture::Picture;
use judge_core::{games, referee};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Case, Outcome};

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

    fn replay(mut self, answer: &[u8], noop: bool) -> Outcome {
        let (mut moves, mut transports, mut illegal) = (0, 0, None);
        for &byte in answer {
            if matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c) {
                continue;
            }
            if !self.make(char::from(byte), noop) {
                illegal = Some((moves + 1, byte.escape_ascii().to_string()));
                break;
            }
            moves += 1;
            transports += u64::from(byte == b't');
        }
        let (progress, position) = (self.home(), self.text());
        Outcome { progress, of: 25, moves, tie_break: transports, illegal, position }
    }

    /// Returns true for an odd permutation of perfection, with the empty spot as one of the symbols.
    fn odd(&self) -> bool {
        let symbols: Vec<char> =
            self.0.iter().flatten().map(|&symbol| if symbol == '+' { 'Y' } else { symbol }).collect();
        let inversions = (0..25).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| symbols[a] > symbols[b]);
        inversions.count() % 2 == 1
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

crate::oracle_tests!(
    4_000,
    thread::scope(|scope| {
        for seed in 1995..1999 {
            scope.spawn(move || random_answers_with_seed(seed, crate::MANY));
        }
    })
);

fn random_answers_match_the_oracle(cases: usize) {
    random_answers_with_seed(1994, cases);
}

fn random_answers_with_seed(seed: u64, cases: usize) {
    let games = [("illegal", game("illegal")), ("noop", game("noop"))];
    // Illegal and deep.
    crate::match_the_oracle(seed, cases, &[(20.0, 100.0), (20.0, 100.0)], |random, _| {
        let (rule, game) = games.choose(random).unwrap();
        let board = random_board(random);
        let grid = Grid::new(&board);
        let answer = random_answer(random, &grid, false);
        let outcome = grid.replay(&answer, *rule == "noop");
        let interesting = vec![outcome.illegal.is_some(), outcome.moves >= 30];
        let puzzle = game.parse(board.as_bytes()).unwrap();
        let board = format!("{board}, centre_transport {rule}");
        Case { board, puzzle, answer, outcome, position: Picture::one_line, interesting }
    });
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
    for (name, phrase) in [
        ("foxy", "the quick brown fox jumps over the lazy dog"),
        ("aid", "Now is the time for all good men to come to the aid of their country"),
        ("typo", "qwertyuiop asdfghjkl zxcvbnm"),
        ("faq", "FAQ frequently asked questions"),
        ("warn", "WARNING high voltage do not touch"),
    ] {
        let board = std::fs::read_to_string(folder().join(name).with_extension("txt")).unwrap();
        assert_eq!(game("illegal").make(&GeneratorSpec::Phrase(phrase.into())).unwrap(), board, "{name}");
        // FOXY, TYPO, FAQ and WARN had answers of even length in 1995, AID of odd length.
        assert_eq!(Grid::new(&board).odd(), name == "aid", "{name}");
    }
    let made = |spec: GeneratorSpec| game("illegal").make(&spec).map_err(|error| error.to_string());
    assert_eq!(made(GeneratorSpec::Phrase("xyz 12".into())).unwrap(), "XABCD\nEFGHI\nJKLMN\nOPQRS\nTUVW+\n");
    assert_eq!(made(GeneratorSpec::Phrase("y z 123".into())).unwrap_err(), "a phrase has none of the letters A to X");
    let refused = made(GeneratorSpec::Scramble { moves: 100_001, seed: 7 }).unwrap_err();
    assert!(refused.ends_with(" must be at most 100000, not 100001"), "{refused}");
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

const GOOD: &str = "ABCDE\nFGHIJ\nKL+MN\nPQRSO\nUVWXT\n";

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    let without_g = |other: &str| GOOD.replace('G', other).into_bytes();
    let tiles = "tiles are A to X, `+` is empty";
    for (board, reason) in rows! {
        (b"".to_vec(), "the board is empty: 25 symbols are needed".to_owned()),
        (b" \n\n\t\n".to_vec(), "the board is empty: 25 symbols are needed".to_owned()),
        (without_g(""), "row 5, column 5: the board ends after 24 of 25 symbols; missing: G".to_owned()),
        (b"ABCDE\nFGHIJ\n".to_vec(), "row 3, column 1: the board ends after 10 of 25 symbols; missing: K L M N O P Q R S T U V W X +".to_owned()),
        (without_g("B"), "row 2, column 2: duplicate `B`, first used in row 1, column 2".to_owned()),
        (GOOD.replace('+', "M").into(), "row 3, column 4: duplicate `M`, first used in row 3, column 3".to_owned()),
        (without_g("Z"), format!("row 2, column 2: unexpected `Z`: {tiles}")),
        (without_g("g"), "row 2, column 2: unexpected `g`: tiles are A to X in capital letters, `+` is empty".to_owned()),
        (without_g("?"), format!("row 2, column 2: unexpected `?`: {tiles}")),
        (without_g("\0"), format!("row 2, column 2: unexpected `\\x00`: {tiles}")),
        (without_g("é"), format!("row 2, column 2: unexpected `\\xc3`: {tiles}")),
        ([&b"ABCDE\nF\xffHIJ\n"[..], &GOOD.as_bytes()[12..]].concat(), format!("row 2, column 2: unexpected `\\xff`: {tiles}")),
        ([GOOD, "A"].concat().into(), "row 6, column 1: unexpected `A` after the 25th symbol: a board ends there".to_owned()),
        ([GOOD, "Y\n"].concat().into(), "row 6, column 1: unexpected `Y` after the 25th symbol: a board ends there".to_owned()),
    } {
        let refused = game("illegal").parse(&board).map(drop).unwrap_err().to_string();
        assert_eq!(refused, reason);
    }
}

#[test]
fn white_space_in_a_board_does_not_matter() {
    let tabs: String = GOOD.chars().map(|symbol| format!("\t{symbol} ")).collect();
    let blank_lines = GOOD.to_owned() + "\n \n\r\n";
    for board in [&GOOD.replace('\n', "\r\n"), &blank_lines, &GOOD.replace('\n', " "), &tabs, GOOD.trim_end()] {
        assert!(referee::rule(&*puzzle(board), &b"lluu"[..]).unwrap().score.solved(), "{board:?}");
    }
}

/// The boards of the project.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/loyd")
}

#[test]
fn every_board_has_a_source() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path());
    let boards: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "txt")).collect();
    for board in &boards {
        puzzle(&std::fs::read_to_string(board).unwrap());
        let name = board.file_stem().unwrap().to_string_lossy();
        // The README names numbered boards as a range: `random-1.txt` … `random-6.txt`.
        let first = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let named = [name.clone().into_owned(), format!("{first}1")];
        assert!(named.iter().any(|name| readme.contains(&format!("`{name}.txt`"))), "{name} has no line in the README");
    }
    assert!(boards.len() >= 24);
}

#[test]
fn every_best_known_answer_replays() {
    let mut seen = HashSet::new();
    for row in csv::Reader::from_path(folder().join("best-known.csv")).unwrap().deserialize() {
        let row: HashMap<String, String> = row.unwrap();
        let number = |key: &str| -> u64 { row[key].parse().unwrap() };
        let name = &row["board"];
        let board = std::fs::read_to_string(folder().join(name).with_extension("txt")).unwrap();
        let ruling = referee::rule(&*puzzle(&board), row["answer"].as_bytes()).unwrap();
        assert!(ruling.score.solved() && ruling.illegal.is_none(), "{name}");
        assert_eq!((ruling.score.moves, ruling.score.tie_break), (number("moves"), number("transports")), "{name}");
        assert!(number("lower_bound") <= number("moves"), "{name}");
        assert_eq!(row["proved_shortest"] == "yes", number("lower_bound") == number("moves"), "{name}");
        assert!(seen.insert(name.clone()), "duplicate {name}");
    }
    assert!(seen.len() >= 13);
}
