//! The rules of UFO: the sample problem of the source, and a naive second implementation as an oracle.
//!
//! The oracle shares no code and no table with the judge. It keeps a list of pieces with their rows and columns. For a
//! step it finds the nearest other piece on the line, without visiting squares.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use judge_core::game::{Game, GeneratorSpec};
use judge_core::picture::Picture;
use judge_core::referee;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::{Case, Outcome};

fn game() -> Box<dyn Game> {
    crate::game("ufo")
}

/// The board of the source's first figure.
fn figure_1() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/ufo/fig-1.txt");
    std::fs::read_to_string(file).unwrap()
}

/// The oracle: the row and the column of each piece, from 1.
#[derive(Clone)]
struct Pieces {
    frame: Rc<[Vec<char>]>,
    squares: BTreeMap<char, (i32, i32)>,
    letters: usize,
}

impl Pieces {
    fn new(board: &str) -> Self {
        let mut frame: Vec<Vec<char>> = board.split_whitespace().map(|row| row.chars().collect()).collect();
        let (mut squares, side) = (BTreeMap::new(), frame.len());
        for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
            let cell = &mut frame[row][column];
            if cell.is_ascii_alphanumeric() {
                let place = |line: usize| i32::try_from(line).unwrap() + 1;
                squares.insert(std::mem::replace(cell, '.'), (place(row), place(column)));
            }
        }
        let letters = squares.keys().filter(|label| label.is_alphabetic()).count();
        Self { frame: frame.into(), squares, letters }
    }

    fn centre(&self) -> (i32, i32) {
        let middle = i32::try_from(self.frame.len()).unwrap() / 2 + 1;
        (middle, middle)
    }

    /// Returns the square at which a piece stops: next to the nearest other piece on its line; `None` if it does not
    /// move.
    fn stop(&self, label: char, step: char) -> Option<(i32, i32)> {
        let (row, column) = self.squares[&label];
        let others = self.squares.iter().filter(|(other, _)| **other != label).map(|(_, &place)| place);
        let stop = match step {
            'L' => (row, others.filter(|other| other.0 == row && other.1 < column).map(|other| other.1).max()? + 1),
            'R' => (row, others.filter(|other| other.0 == row && other.1 > column).map(|other| other.1).min()? - 1),
            'U' => (others.filter(|other| other.1 == column && other.0 < row).map(|other| other.0).max()? + 1, column),
            'D' => (others.filter(|other| other.1 == column && other.0 > row).map(|other| other.0).min()? - 1, column),
            _ => return None,
        };
        (stop != (row, column)).then_some(stop)
    }

    /// Makes a move; returns false for an illegal one, which changes nothing.
    fn make(&mut self, token: &str) -> bool {
        let mut after = self.clone();
        let Some((piece, steps)) = token.split_once('-') else { return false };
        let Ok(label) = piece.parse::<char>() else { return false };
        if steps.is_empty() || !after.squares.contains_key(&label) {
            return false;
        }
        let steps: Vec<char> = steps.chars().collect();
        let turns = steps.windows(2).all(|pair| "LR".contains(pair[0]) != "LR".contains(pair[1]));
        for (index, &step) in steps.iter().enumerate() {
            let Some(stop) = after.stop(label, step) else { return false };
            after.squares.insert(label, stop);
            if label.is_alphabetic() && stop == self.centre() {
                after.squares.remove(&label);
                if index + 1 < steps.len() {
                    return false;
                }
            }
        }
        if turns {
            *self = after;
        }
        turns
    }

    fn text(&self) -> String {
        let mut frame = self.frame.to_vec();
        for (&label, &(row, column)) in &self.squares {
            frame[usize::try_from(row).unwrap() - 1][usize::try_from(column).unwrap() - 1] = label;
        }
        frame.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    fn replay(mut self, answer: &str) -> Outcome {
        let (mut moves, mut steps, mut illegal) = (0, 0, None);
        for token in answer.split_ascii_whitespace() {
            if !self.make(token) {
                illegal = Some((moves + 1, token.as_bytes().escape_ascii().to_string()));
                break;
            }
            moves += 1;
            steps += token.len() as u64 - 2;
        }
        let left = self.squares.keys().filter(|label| label.is_alphabetic()).count();
        let (progress, of) = ((self.letters - left) as u64, self.letters as u64);
        Outcome { progress, of, moves, tie_break: steps, illegal, position: self.text() }
    }
}

/// Puts random pieces on a square board or the cross, but no letter piece on the centre.
fn random_board(random: &mut ChaCha8Rng) -> String {
    let mut frame: Vec<Vec<char>> = match random.random_range(0..5u8) {
        0 | 1 => vec![vec!['.'; 5]; 5],
        2 => {
            let side = *[3, 7, 9, 11, 13].choose(random).unwrap();
            vec![vec!['.'; side]; side]
        }
        _ => ["##...##", "##...##", ".......", ".......", ".......", "##...##", "##...##"]
            .map(|row| row.chars().collect())
            .to_vec(),
    };
    let mut free: Vec<(usize, usize)> =
        (0..frame.len()).flat_map(|row| (0..frame.len()).map(move |column| (row, column))).collect();
    free.retain(|&(row, column)| frame[row][column] == '.');
    free.shuffle(random);
    let centre = frame.len() / 2;
    let letters = (1..=3).map(|_| *['X', 'Y', 'Z'].choose(random).unwrap()).collect::<HashSet<_>>();
    let mut letters: Vec<char> = letters.into_iter().collect();
    letters.sort();
    for label in letters {
        let (row, column) =
            free.pop().filter(|&place| place != (centre, centre)).unwrap_or_else(|| free.pop().unwrap());
        frame[row][column] = label;
    }
    for label in ('1'..='9').take(random.random_range(0..=9)) {
        let Some((row, column)) = free.pop() else { break };
        frame[row][column] = label;
    }
    frame.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
}

/// Makes mostly legal moves, preferably those that take a letter piece out, with some random steps and bytes.
fn random_answer(random: &mut ChaCha8Rng, mut pieces: Pieces) -> String {
    const NONSENSE: [&str; 12] = ["X", "X-", "-D", "x-D", "X-d", "XX-D", "Q-D", "0-U", "X--D", "X:D", "\u{1}", "-"];
    let after = |pieces: &Pieces, token: &str| {
        let mut after = pieces.clone();
        after.make(token).then_some(after)
    };
    let mut answer = String::new();
    for _ in 0..random.random_range(0..=15) {
        let labels = pieces.squares.keys();
        let first = labels.flat_map(|label| "LRUD".chars().map(move |step| format!("{label}-{step}")));
        let first: Vec<(String, Pieces)> =
            first.filter_map(|token| after(&pieces, &token).map(|after| (token, after))).collect();
        let out = first.iter().find(|(_, after)| after.squares.len() < pieces.squares.len());
        let further: String = (0..3).map(|_| *['L', 'R', 'U', 'D'].choose(random).unwrap()).collect();
        let token = match random.random_range(0..100u8) {
            0 => (*NONSENSE.choose(random).unwrap()).to_owned(),
            1..=3 => format!("{}-{further}", ['X', 'Y', 'Z', '1', '5', '9'].choose(random).unwrap()),
            // A further step after the centre.
            4..=6 if out.is_some() => out.unwrap().0.clone() + &further[..1],
            7..=49 if out.is_some() => out.unwrap().0.clone(),
            _ => {
                let Some((first, _)) = first.choose(random) else { break };
                // Further steps as long as they are legal.
                let mut longer = (0..=further.len()).map(|length| first.clone() + &further[..length]);
                longer.rfind(|token| after(&pieces, token).is_some()).unwrap()
            }
        };
        pieces = after(&pieces, &token).unwrap_or(pieces);
        answer += &token;
        answer += [" ", "\n", "\t ", "\r\n"].choose(random).unwrap();
    }
    answer.truncate(answer.len() - usize::from(!answer.is_empty() && random.random()));
    answer
}

crate::oracle_tests!(2_000, random_answers_match_the_oracle(crate::MANY));

fn random_answers_match_the_oracle(cases: usize) {
    // Illegal, deep, with a piece out, and solved.
    let percent = [(5.0, 50.0), (10.0, 100.0), (10.0, 100.0), (0.5, 100.0)];
    crate::match_the_oracle(1998, cases, &percent, |random, _| {
        let board = random_board(random);
        let pieces = Pieces::new(&board);
        let answer = random_answer(random, pieces.clone());
        let outcome = pieces.replay(&answer);
        let out = outcome.progress;
        let interesting = vec![outcome.illegal.is_some(), outcome.moves >= 5, out > 0, out == outcome.of];
        let (puzzle, answer) = (game().parse(board.as_bytes()).unwrap(), answer.into_bytes());
        Case { board, puzzle, answer, outcome, position: Picture::one_line, interesting }
    });
}

#[test]
fn the_sample_problem_is_solved_by_its_printed_answer() {
    let puzzle = game().parse(figure_1().as_bytes()).unwrap();
    let ruling = referee::rule(&*puzzle, &b"X-DRU 1-DR X-D"[..]).unwrap();
    assert_eq!(ruling.illegal, None);
    assert!(ruling.score.solved());
    assert_eq!((ruling.score.progress, ruling.score.moves, ruling.score.tie_break), (1, 3, 6));
}

#[test]
fn the_sample_problem_has_the_four_first_moves_of_the_source() {
    let puzzle = game().parse(figure_1().as_bytes()).unwrap();
    let steps: Vec<String> = (1..=4u32)
        .flat_map(|length| (0..4usize.pow(length)).map(move |code| (length, code)))
        .map(|(length, code)| (0..length).map(|place| ["L", "R", "U", "D"][code / 4usize.pow(place) % 4]).collect())
        .collect();
    let tokens = "XYZ123456789".chars().flat_map(|label| steps.iter().map(move |steps| format!("{label}-{steps}")));
    let legal = |token: &String| referee::rule(&*puzzle, token.as_bytes()).unwrap().illegal.is_none();
    assert_eq!(tokens.filter(legal).collect::<Vec<_>>(), ["X-D", "X-DR", "X-DRU", "4-U"]);
}

#[test]
fn a_random_board_has_the_requested_pieces() {
    const PIECES: [&str; 10] =
        ["1-1", "1-5", "2-4", "3-3", "3-9", "cross:1-1", "cross:2-4", "3x3:2-3", "7x7:2-4", "9x9:1-5"];
    for (seed, pieces) in (0..40).flat_map(|seed| PIECES.map(|p| (seed, p))) {
        let spec = GeneratorSpec::Random { seed, pieces: Some(pieces.into()) };
        let board = game().make(&spec).unwrap();
        assert_eq!(board, game().make(&spec).unwrap());
        game().parse(board.as_bytes()).unwrap();
        let made = Pieces::new(&board);
        let (shape, counts) = pieces.split_once(':').unwrap_or(("", pieces));
        let side = match shape {
            "cross" => 7,
            "" => 5,
            size => size.split_once('x').unwrap().0.parse().unwrap(),
        };
        assert_eq!(made.frame.len(), side);
        assert_eq!(board.contains('#'), shape == "cross");
        assert_eq!(format!("{}-{}", made.letters, made.squares.len() - made.letters), counts);
        let moves = made.squares.keys().flat_map(|&label| "LRUD".chars().map(move |step| (label, step)));
        assert!(moves.filter(|&(label, step)| made.stop(label, step).is_some()).count() > 0, "{board}");
    }
}

#[test]
fn a_random_board_has_one_letter_and_five_number_pieces_by_default() {
    let board = game().make(&GeneratorSpec::Random { seed: 7, pieces: None }).unwrap();
    assert_eq!(board, game().make(&GeneratorSpec::Random { seed: 7, pieces: Some("1-5".into()) }).unwrap());
    assert_eq!(board, ".1...\n...2.\nX...3\n45...\n.....\n");
}

#[test]
fn a_board_of_five_rows_by_its_size_is_the_usual_one() {
    let made = |pieces: &str| game().make(&GeneratorSpec::Random { seed: 7, pieces: Some(pieces.into()) });
    assert_eq!(made("5x5:2-4"), made("2-4"));
    assert!(made("15x15:1-9").is_ok());
    for pieces in ["4x4:1-1", "1x1:1-1", "17x17:1-9", "5x7:1-1", "x5:1-1", "5:1-1", "5x5:", "cross:5x5:1-1"] {
        let refused = made(pieces).unwrap_err().to_string();
        assert!(refused.contains(&format!("pieces {pieces}: write 1 to 3 letter pieces")), "{refused}");
    }
    let full = made("3x3:1-8").unwrap_err().to_string();
    assert!(full.contains("pieces 3x3:1-8: a board of 9 squares has room for fewer pieces"), "{full}");
}

#[test]
fn seven_rows_are_the_cross_only_with_corners() {
    let side = |board: &str| game().parse(board.as_bytes()).map(|puzzle| puzzle.start().picture().one_line());
    let rows = |row: &str, side: usize| format!("X{}\n{}", &row[1..], format!("{row}\n").repeat(side - 1));
    for size in [3, 5, 7, 9, 255] {
        let board = rows(&".".repeat(size), size);
        assert_eq!(side(&board).unwrap(), board.trim().replace('\n', " "));
    }
    for size in [1, 2, 4, 257] {
        assert!(side(&rows(&".".repeat(size), size)).is_err(), "{size}");
    }
    // One corner makes a cross of it, which lacks the others.
    assert!(side(&rows(&".".repeat(7), 7).replacen("X.", "#X", 1)).is_err());
    // The centre is the middle of any size.
    let centre = side("...\n.X.\n...").unwrap_err();
    assert_eq!((centre.row, centre.column), (Some(2), Some(2)));
}

#[test]
fn squares_of_large_boards_have_a_comma_in_their_names() {
    let mut board = vec![vec!['.'; 11]; 11];
    (board[3][10], board[4][10]) = ('X', '1');
    let text: String = board.iter().map(|row| row.iter().collect::<String>() + "\n").collect();
    let puzzle = game().parse(text.as_bytes()).unwrap();
    let ruled = |answer: &str| referee::rule(&*puzzle, answer.as_bytes()).unwrap().illegal.unwrap().reason;
    assert!(ruled("X-L").contains("left of 4,11 "), "{}", ruled("X-L"));
    assert!(ruled("1-U").contains("cannot leave 5,11"), "{}", ruled("1-U"));
}
