//! The rules of SHIFT: the classic board, and a naive second implementation as an oracle.
//!
//! The oracle shares no code with the judge. It has a grid of characters, removes a block cell by cell, and puts it
//! back one step further. It is slow and obviously right.

use std::collections::{BTreeSet, HashSet};

use judge_core::game::{Game, GeneratorSpec, Puzzle};
use judge_core::picture::Picture;
use judge_core::referee;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::{Case, Outcome};

const CLASSIC: &str = "AXXB\nAXXB\nCDDE\nCFGE\nH..I\n";

fn game() -> Box<dyn Game> {
    crate::game("shift")
}

fn puzzle(board: &str) -> Box<dyn Puzzle> {
    game().parse(board.as_bytes()).unwrap()
}

/// The most rows and columns of a board in these tests.
const MAX: usize = 8;

/// The oracle: rows of characters, the number of rows and columns in use, and the cell X must reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Grid {
    rows: [[char; MAX]; MAX],
    height: usize,
    width: usize,
    goal: (usize, usize),
}

impl Grid {
    /// Reads the rows of a board; `goal` is the row and the column that X must reach, from 0.
    fn new(rows: &str, goal: (usize, usize)) -> Self {
        let lines: Vec<&str> = rows.split_whitespace().collect();
        let mut grid = Self { rows: [['.'; MAX]; MAX], height: lines.len(), width: lines[0].len(), goal };
        for (row, line) in grid.rows.iter_mut().zip(lines) {
            row.iter_mut().zip(line.chars()).for_each(|(cell, symbol)| *cell = symbol);
        }
        grid
    }

    /// The rows of the board, without the spare ones of the array.
    fn lines(&self) -> impl Iterator<Item = &[char]> {
        self.rows[..self.height].iter().map(|row| &row[..self.width])
    }

    fn cells_of(&self, block: char) -> Vec<(usize, usize)> {
        let mut cells = Vec::new();
        for (row, line) in self.lines().enumerate() {
            for (column, &symbol) in line.iter().enumerate() {
                if symbol == block {
                    cells.push((row, column));
                }
            }
        }
        cells
    }

    /// Makes one step; returns false for an illegal one, which leaves the grid unusable.
    fn step(&mut self, block: char, step: char) -> bool {
        let cells = self.cells_of(block);
        for &(row, column) in &cells {
            self.rows[row][column] = '.';
        }
        for &(row, column) in &cells {
            let to = match step {
                'L' if column > 0 => (row, column - 1),
                'R' if column + 1 < self.width => (row, column + 1),
                'U' if row > 0 => (row - 1, column),
                'D' if row + 1 < self.height => (row + 1, column),
                _ => return false,
            };
            if self.rows[to.0][to.1] != '.' {
                return false;
            }
        }
        for &(row, column) in &cells {
            let (down, right) = match step {
                'L' => (0, -1),
                'R' => (0, 1),
                'U' => (-1, 0),
                _ => (1, 0),
            };
            self.rows[row.checked_add_signed(down).unwrap()][column.checked_add_signed(right).unwrap()] = block;
        }
        true
    }

    /// Makes a move and returns its number of steps; `None` for an illegal move, which changes nothing.
    fn make(&mut self, word: &str) -> Option<u64> {
        let symbols: Vec<char> = word.chars().collect();
        if symbols.len() < 3 || symbols[1] != '-' || !symbols[0].is_ascii_uppercase() {
            return None;
        }
        if self.cells_of(symbols[0]).is_empty() {
            return None;
        }
        let mut after = *self;
        if !symbols[2..].iter().all(|&step| after.step(symbols[0], step)) {
            return None;
        }
        *self = after;
        Some(symbols.len() as u64 - 2)
    }

    fn solved(&self) -> bool {
        self.cells_of('X')[0] == self.goal
    }

    fn blocks(&self) -> Vec<char> {
        let blocks: BTreeSet<char> = self.lines().flatten().copied().filter(|&symbol| symbol != '.').collect();
        blocks.into_iter().collect()
    }

    fn text(&self) -> String {
        self.lines().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
    }

    fn replay(mut self, answer: &str) -> Outcome {
        let (mut moves, mut steps, mut illegal) = (0, 0, None);
        for word in answer.split_ascii_whitespace() {
            match self.make(word) {
                Some(made) => {
                    moves += 1;
                    steps += made;
                }
                None => {
                    illegal = Some((moves + 1, word.to_owned()));
                    break;
                }
            }
        }
        let progress = self.solved().into();
        Outcome { progress, of: 1, moves, tie_break: steps, illegal, position: self.text() }
    }
}

/// Makes a board of 1 to 8 rows and columns with random rectangles, and the text of its file.
fn random_board(random: &mut ChaCha8Rng) -> (Grid, String) {
    let (height, width) = (random.random_range(1..=MAX), random.random_range(1..=MAX));
    let mut rows = [['.'; MAX]; MAX];
    // X first, while there is room for it.
    for label in ['X'].into_iter().chain(('A'..='Z').filter(|&label| label != 'X')) {
        if label != 'X' && random.random_range(0..3) == 0 {
            continue;
        }
        let (tall, wide) = (random.random_range(1..=height.min(3)), random.random_range(1..=width.min(3)));
        let (top, left) = (random.random_range(0..=height - tall), random.random_range(0..=width - wide));
        let cells = || (top..top + tall).flat_map(move |row| (left..left + wide).map(move |column| (row, column)));
        if cells().all(|(row, column)| rows[row][column] == '.') {
            cells().for_each(|(row, column)| rows[row][column] = label);
        }
    }
    let mut grid = Grid { rows, height, width, goal: (0, 0) };
    let cells = grid.cells_of('X');
    let (first, last) = (cells[0], cells[cells.len() - 1]);
    let (tall, wide) = (last.0 - first.0, last.1 - first.1);
    // Near the start, so that X reaches it in some cases.
    let near = |at: usize, most: usize, random: &mut ChaCha8Rng| (at + random.random_range(0..2)).min(most);
    grid.goal = (near(first.0, height - 1 - tall, random), near(first.1, width - 1 - wide, random));
    let text = format!("{}\ngoal {} {}\n", grid.text().replace(' ', "\n"), grid.goal.0 + 1, grid.goal.1 + 1);
    (grid, text)
}

/// Makes mostly legal moves, so that replays are long, with some random moves, malformed words and random symbols.
fn random_answer(random: &mut ChaCha8Rng, grid: &Grid) -> String {
    let mut grid = *grid;
    let blocks = grid.blocks();
    let mut answer = String::new();
    for _ in 0..random.random_range(0..240) {
        let block = *blocks.choose(random).unwrap();
        let word = match random.random_range(0..1000u16) {
            0 => (0..random.random_range(1..5)).map(|_| *b"AXZax-LRUDlr.19!".choose(random).unwrap() as char).collect(),
            1 => format!("{block}{}", random.random_range(0..9)),
            2 => format!("{block}-"),
            3 => format!("{}-L", random.random_range('A'..='Z')),
            4 => format!("{block}-{}", random_steps(random)),
            _ => {
                let steps = random_steps(random);
                let word = format!("{block}-{steps}");
                if grid.make(&word).is_none() {
                    continue;
                }
                word
            }
        };
        answer += &word;
        answer.push(*[' ', '\n', '\t'].choose(random).unwrap());
    }
    answer
}

fn random_steps(random: &mut ChaCha8Rng) -> String {
    let length = random.random_range(1..4);
    (0..length).map(|_| *['L', 'R', 'U', 'D'].choose(random).unwrap()).collect()
}

crate::oracle_tests!(2_000, random_answers_match_the_oracle(crate::MANY));

fn random_answers_match_the_oracle(cases: usize) {
    // Illegal, deep, solved, and left the goal again.
    let percent = [(20.0, 100.0), (20.0, 100.0), (3.0, 100.0), (3.0, 100.0)];
    crate::match_the_oracle(1865, cases, &percent, |random, number| {
        let (grid, board) = match number % 4 {
            0 => (Grid::new(CLASSIC, (3, 1)), CLASSIC.to_owned()),
            _ => random_board(random),
        };
        let answer = random_answer(random, &grid);
        let outcome = grid.replay(&answer);
        let (solved, was_solved) = (outcome.progress == 1, grid.solved());
        let interesting =
            vec![outcome.illegal.is_some(), outcome.moves >= 8, solved && !was_solved, !solved && was_solved];
        let (puzzle, answer) = (puzzle(&board), answer.into_bytes());
        Case { board, puzzle, answer, outcome, position: Picture::one_line, interesting }
    });
}

#[test]
fn a_word_is_one_move_of_any_number_of_steps() {
    let rule = |answer: &str| {
        let ruling = referee::rule(&*puzzle(CLASSIC), answer.as_bytes()).unwrap();
        (ruling.illegal, ruling.score.moves, ruling.score.tie_break, ruling.picture.one_line())
    };
    assert_eq!(rule("G-DL"), (None, 1, 2, "AXXB AXXB CDDE CF.E HG.I".to_owned()));
    assert_eq!(rule("G-D G-L"), (None, 2, 2, "AXXB AXXB CDDE CF.E HG.I".to_owned()));
    // A move there and back is legal, and its steps count.
    assert_eq!(rule("G-DU"), (None, 1, 2, CLASSIC.trim_end().replace('\n', " ")));
}

#[test]
fn only_the_final_position_of_x_counts() {
    let board = puzzle("A.\nX.\n..\ngoal 3 1\n");
    let solved = |answer: &str| referee::rule(&*board, answer.as_bytes()).unwrap().score.solved();
    assert!(!solved(""));
    assert!(solved("X-D"));
    assert!(!solved("X-DR"));
    assert!(!solved("X-D X-U"));
    assert!(solved("X-D A-D"));
    // An illegal move ends the answer; the progress before it counts.
    assert!(solved("X-D X-D"));
}

#[test]
fn a_scramble_has_an_answer_of_at_most_its_number_of_moves() {
    for (moves, seed) in (0..=3).flat_map(|moves| (0..12).map(move |seed| (moves, seed))) {
        let board = game().make(&GeneratorSpec::Scramble { moves, seed }).unwrap();
        assert_eq!(board, game().make(&GeneratorSpec::Scramble { moves, seed }).unwrap());
        let mut reached = HashSet::from([Grid::new(&board, (3, 1))]);
        for _ in 0..moves {
            for grid in reached.clone() {
                reached.extend(one_move_on(&grid));
            }
        }
        assert!(reached.iter().any(Grid::solved), "{moves} moves, seed {seed}:\n{board}");
        assert_eq!(Grid::new(&board, (3, 1)).solved(), moves == 0, "{moves} moves, seed {seed}:\n{board}");
    }
}

/// Returns all positions after one move.
fn one_move_on(grid: &Grid) -> HashSet<Grid> {
    let mut all = HashSet::new();
    for block in grid.blocks() {
        let mut reached = HashSet::from([*grid]);
        loop {
            let before = reached.len();
            for grid in reached.clone() {
                for step in ["L", "R", "U", "D"] {
                    let mut grid = grid;
                    if grid.make(&format!("{block}-{step}")).is_some() {
                        reached.insert(grid);
                    }
                }
            }
            if reached.len() == before {
                break;
            }
        }
        all.extend(reached);
    }
    all
}
