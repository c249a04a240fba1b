//! The searches, compared with the published figures, and every answer replayed by the judge.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use judge_command::{Ruling, ruling};
use shift_kit::back_and_forth::{self, Outcome};
use shift_kit::breadth_first::{Failure, Limits, reachable, solve};
use shift_kit::cells::Direction;
use shift_kit::position::Position;
use shift_kit::{Board, Metric};

const BREADTH_FIRST: &str = env!("CARGO_BIN_EXE_shift-breadth-first");
const BACK_AND_FORTH: &str = env!("CARGO_BIN_EXE_shift-back-and-forth");
const GENEROUS: Limits = Limits { deadline: None, positions: 1_000_000 };

fn boards() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests-boards/shift")
}

fn classic() -> PathBuf {
    boards().join("klotski.txt")
}

fn run(entry: &str, options: &[&str], board: &Path) -> Output {
    Command::new(entry).args(options).arg(board).env("JUDGE_LIMIT_MS", "60000").output().unwrap()
}

fn board_file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Replays an answer with the judge; it must be legal to its end.
fn judged(board: &Path, answer: &[u8]) -> Ruling {
    let ruling = ruling("shift", board, answer);
    assert!(ruling.is_legal(), "{}: {} {ruling:?}", board.display(), String::from_utf8_lossy(answer));
    ruling
}

#[test]
fn the_classic_board_has_as_many_positions_as_published() {
    let board: Board = fs::read_to_string(classic()).unwrap().parse().unwrap();
    let positions = reachable(&board);
    assert_eq!(positions.len(), 25_955);
    assert_eq!(positions.iter().filter(|position| position.is_solved(&board)).count(), 964);
}

#[test]
fn the_judge_confirms_the_lengths_of_the_answers() {
    let confirmed = |count: &str| {
        let output = run(BREADTH_FIRST, &["--count", count], &classic());
        let (moves, steps) = judged(&classic(), &output.stdout).solving();
        (String::from_utf8(output.stdout).unwrap(), moves, steps)
    };
    let (_, moves, steps) = confirmed("moves");
    assert_eq!((moves, steps), (81, 118));
    let (answer, moves, _) = confirmed("straight");
    assert_eq!(moves, 90);
    let straight = |word: &str| word[2..].chars().all(|step| word.ends_with(step));
    assert!(answer.split_whitespace().all(straight), "{answer}");
    let (answer, moves, steps) = confirmed("steps");
    assert_eq!((moves, steps), (116, 116));
    assert!(answer.split_whitespace().all(|word| word.len() == 3), "{answer}");
}

#[test]
fn the_fewest_moves_are_those_of_the_table_of_boards() {
    let readme = fs::read_to_string(boards().join("README.md")).unwrap();
    let mut seen = 0;
    for row in readme.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let file = boards().join(cells[1].trim_matches('`'));
        for (count, least) in ["moves", "straight", "steps"].into_iter().zip(&cells[2..5]) {
            let (moves, steps) = judged(&file, &run(BREADTH_FIRST, &["--count", count], &file).stdout).solving();
            assert_eq!(moves.to_string(), **least, "{count}: {row}");
            if count == "steps" {
                assert_eq!(steps, moves, "{row}");
            }
        }
        seen += 1;
    }
    assert!(seen >= 8);
}

#[test]
fn the_search_of_the_article_solves_the_classic_board_in_200_steps() {
    let output = run(BACK_AND_FORTH, &[], &classic());
    assert_eq!(judged(&classic(), &output.stdout).solving(), (200, 200));
    assert!(!String::from_utf8(output.stdout).unwrap().contains("X-U"));
}

#[test]
fn with_a_limit_of_150_the_search_of_the_article_needs_148_steps() {
    let board: Board = fs::read_to_string(classic()).unwrap().parse().unwrap();
    let (outcome, _) = back_and_forth::solve(&board, 150, None);
    let Outcome::Solved(answer) = outcome else { panic!("no answer of at most 150 steps") };
    assert_eq!(answer.moves(), 148);
}

#[test]
fn the_buffers_and_stacks_of_the_article_s_program_against_the_classic_board() {
    let board: Board = fs::read_to_string(classic()).unwrap().parse().unwrap();
    let small: Vec<usize> = (0..board.blocks()).filter(|&block| board.shape(block).cells == 1).collect();
    assert_eq!(small.len(), 4);
    let figures = [150, 200].map(|limit| {
        let (outcome, work) = back_and_forth::solve(&board, limit, None);
        let Outcome::Solved(answer) = outcome else { panic!("no answer of at most {limit} steps") };
        // The article's list of a position: its cells are numbered row by row, so the last two bits are the column.
        let list = |position: &Position| small.iter().fold(0, |list, &block| list ^ position.corner(block)) & 3;
        let mut lists = [0; 4];
        work.forward.iter().for_each(|position| lists[usize::from(list(position))] += 1);
        let undone = work.steps - answer.moves() as u64;
        (work.forward.len(), lists, undone, work.stack)
    });
    assert_eq!(
        figures,
        [(18_995, [5835, 5237, 3968, 3955], 196_617, 19), (22_030, [6709, 5829, 4724, 4768], 284_162, 24)]
    );
}

#[test]
fn the_search_of_the_article_solves_every_board_but_the_one_on_which_x_has_to_move_upward() {
    for file in fs::read_dir(boards()).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "txt") {
            let output = run(BACK_AND_FORTH, &[], &file);
            let ruling = judged(&file, &output.stdout);
            let solved = ruling.is_solved();
            assert!(ruling.moves <= 200, "{}", file.display());
            assert_eq!(solved, output.stderr.is_empty(), "{}", file.display());
            assert!(solved || ruling.moves == 0, "{}", file.display());
            let watertight = file.file_stem().is_some_and(|name| name == "watertight");
            assert_eq!(solved, !watertight, "{}", file.display());
        }
    }
    assert_eq!(reached_without_x_up("watertight.txt"), (2_794, false));
    assert!(reached_without_x_up("klotski.txt").1);
}

/// The number of positions that a board's start leads to if X never moves upward, blocks of the same shape alike, and
/// whether X is on its goal in one of them.
fn reached_without_x_up(name: &str) -> (usize, bool) {
    let board: Board = fs::read_to_string(boards().join(name)).unwrap().parse().unwrap();
    let start = *board.start();
    let mut seen = HashSet::from([start.canonical(&board)]);
    let mut open = vec![start];
    let mut solved = false;
    while let Some(at) = open.pop() {
        solved |= at.is_solved(&board);
        for (block, direction) in (0..board.blocks()).flat_map(|block| Direction::ALL.map(|to| (block, to))) {
            let before = at.footprint(&board, block);
            let after = direction.step(before);
            let fits = after.count_ones() == before.count_ones() && after & !before & !at.free(&board) == 0;
            if fits && !(block == board.target() && direction == Direction::Up) {
                let corner = direction.step(1 << at.corner(block)).trailing_zeros();
                let next = at.with(block, u8::try_from(corner).unwrap());
                if seen.insert(next.canonical(&board)) {
                    open.push(next);
                }
            }
        }
    }
    (seen.len(), solved)
}

#[test]
fn a_board_without_an_answer_gets_the_reason() {
    let stuck = board_file("stuck.txt", "XXAA\nXXBB\nCCDD\nCCDD\ngoal 3 3\n");
    let solved = board_file("solved.txt", "AA\nXX\n");
    for (entry, reason) in [(BREADTH_FIRST, "X cannot reach its goal"), (BACK_AND_FORTH, "no answer of at most 200")] {
        let output = run(entry, &[], &stuck);
        assert!(output.status.success());
        assert_eq!(output.stdout, b"\n");
        assert!(String::from_utf8(output.stderr).unwrap().contains(reason));
        let output = run(entry, &[], &solved);
        assert_eq!((&*output.stdout, &*output.stderr), (&b"\n"[..], &b""[..]));
    }
}

#[test]
fn a_search_gives_up_at_its_limits() {
    let board: Board = fs::read_to_string(classic()).unwrap().parse().unwrap();
    let narrow = Limits { positions: 1000, ..GENEROUS };
    assert_eq!(solve(&board, Metric::Moves, &narrow), Err(Failure::OutOfMemory));
    let late = Limits { deadline: Some(std::time::Instant::now()), ..GENEROUS };
    assert_eq!(solve(&board, Metric::Moves, &late), Err(Failure::OutOfTime));
    assert_eq!(solve(&board, Metric::Moves, &GENEROUS).unwrap().moves(), 81);
}

#[test]
fn invalid_boards_are_refused_with_a_reason() {
    let cases = [
        ("", "0 rows of 0 cells"),
        ("XXXXXXXXX", "1 rows of 9 cells"),
        ("AB\nAB", "no block X"),
        ("XX\nX.", "block X is not a rectangle"),
        ("XA.AB", "block A is not a rectangle"),
        ("X.\n...", "row 2 has another length than the first"),
        ("X.a", "row 1, column 3: unexpected 'a'; use A to Z, or . for a free cell"),
        ("X.", "X cannot stand at the bottom centre; add a line `goal ROW COLUMN`"),
        ("X.\ngoal 1", "invalid last line; expected `goal ROW COLUMN`"),
        ("X.\ngoal one two", "invalid goal `one two`; expected row and column"),
        ("X.\ngoal 1 3", "X does not fit on the goal; the last possible row is 1, column 2"),
    ];
    for (index, (text, reason)) in cases.into_iter().enumerate() {
        let file = board_file(&format!("bad-{index}.txt"), text);
        for entry in [BREADTH_FIRST, BACK_AND_FORTH] {
            let output = run(entry, &[], &file);
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(message.contains(reason) && message.lines().count() == 1, "{reason:?}: {message:?}");
            assert!(output.stdout.is_empty());
        }
    }
}
