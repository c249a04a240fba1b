//! Boards of other sizes: both searches compared with the naive solver, the bit boards and the judge.

use crate::support::{board_file, boards_folder, printed};
use crate::{draw, naive};
use judge_core::game::{GeneratorSpec, Score};
use judge_core::{games, referee};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ufo_kit::answer::Answer;
use ufo_kit::geometry::Shape;
use ufo_kit::large::Board;
use ufo_kit::search::{Limits, Outcome};
use ufo_kit::{breadth_first, depth_first};

/// A board of the judge's generator, such as `9x9:1-4`.
fn made(pieces: &str, seed: u64) -> String {
    let game = (games::find("ufo").unwrap().open)(&Default::default()).unwrap();
    game.make(&GeneratorSpec::Random { seed, pieces: Some(pieces.to_owned()) }).unwrap()
}

/// Replays an answer with the judge; it must be legal.
fn judged(board: &str, answer: &str) -> Score {
    let game = (games::find("ufo").unwrap().open)(&Default::default()).unwrap();
    let ruling = referee::rule(&*game.parse(board.as_bytes()).unwrap(), answer.as_bytes()).unwrap();
    assert_eq!(ruling.illegal, None, "{answer} on\n{board}");
    ruling.score
}

/// Moves, steps and number of the best answers; `None` if there is none.
fn figures<P>(outcome: &Outcome<P>) -> Option<(u32, u32, u64)> {
    match outcome {
        Outcome::Solved(best) => Some((best.cost.moves, best.cost.steps, best.count)),
        Outcome::Unsolvable => None,
        Outcome::GaveUp => panic!("this search has no limits"),
    }
}

/// Checks an answer with the naive referee and the judge.
fn assert_solves(board: &str, answer: &Answer, (moves, steps): (u32, u32)) {
    let answer = answer.to_string();
    assert_eq!(naive::replay(board, &answer), Ok((moves, steps)), "{answer} on\n{board}");
    let score = judged(board, &answer);
    assert!(score.solved());
    assert_eq!((score.moves, score.tie_break), (u64::from(moves), u64::from(steps)), "{answer} on\n{board}");
}

/// Compares both searches with the naive solver on the boards of these seeds and returns the number of solvable ones.
fn compare(pieces: &str, seeds: std::ops::Range<u64>) -> u32 {
    let mut solvable = 0;
    for text in seeds.map(|seed| made(pieces, seed)) {
        let board: Board = text.parse().unwrap();
        assert_eq!(board.to_string(), text);
        let expected = naive::solve(&text);
        let broad = breadth_first::search(&board, &Limits::NONE);
        let (deep, search) = depth_first::search(&board, &Limits::NONE);
        assert_eq!(figures(&broad), expected, "breadth-first on\n{text}");
        assert_eq!(figures(&deep), expected, "depth-first on\n{text}");
        let Some((moves, steps, count)) = expected else {
            assert_eq!(broad.answer(&board), Answer::default());
            continue;
        };
        solvable += 1;
        assert_solves(&text, &broad.answer(&board), (moves, steps));
        assert_solves(&text, &deep.answer(&board), (moves, steps));
        let mut answers = search.answers(&board, usize::MAX);
        answers.iter().for_each(|answer| assert_solves(&text, answer, (moves, steps)));
        answers.sort();
        answers.dedup();
        assert_eq!(answers.len() as u64, count, "on\n{text}");
        assert_eq!(search.answers(&board, 1).len(), 1);
    }
    solvable
}

#[test]
fn small_and_large_boards_agree_with_the_naive_solver() {
    let small = ["3x3:1-2", "3x3:2-3"].map(|pieces| compare(pieces, 0..60));
    let large = ["7x7:1-3", "7x7:2-3", "9x9:1-4", "9x9:2-3", "11x11:1-4", "15x15:1-5"];
    let large = large.map(|pieces| compare(pieces, 0..60));
    let enough = small.iter().all(|&count| count > 20) && large.iter().sum::<u32>() > 20;
    assert!(enough, "too few solvable boards: {small:?}, {large:?}");
}

#[test]
fn lists_of_squares_give_the_best_answers_of_bit_boards() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut solvable = 0;
    for (letters, numbers) in [(1, 4), (1, 5), (2, 4), (3, 4)].repeat(100) {
        let board = draw::problem(&mut random, Shape::Square, letters, numbers);
        let bits = breadth_first::search(&board, &Limits::NONE);
        let lists: Board = board.to_string().parse().unwrap();
        assert_eq!(figures(&breadth_first::search(&lists, &Limits::NONE)), figures(&bits), "breadth-first on\n{board}");
        assert_eq!(figures(&depth_first::search(&lists, &Limits::NONE).0), figures(&bits), "depth-first on\n{board}");
        solvable += u32::from(bits.cost().is_some());
    }
    assert!(solvable > 50, "{solvable}");
}

#[test]
fn a_search_of_a_large_board_stops_at_its_limits() {
    let text = std::fs::read_to_string(boards_folder().join("random-11x11-1-6.txt")).unwrap();
    let board: Board = text.parse().unwrap();
    for limits in [
        Limits { deadline: None, positions: 100 },
        Limits { deadline: Some(std::time::Instant::now()), positions: usize::MAX },
    ] {
        assert_eq!(breadth_first::search(&board, &limits), Outcome::GaveUp);
        assert_eq!(depth_first::search(&board, &limits).0, Outcome::GaveUp);
    }
}

#[test]
fn the_recorded_answers_of_large_boards_are_best() {
    let readme = std::fs::read_to_string(boards_folder().join("README.md")).unwrap();
    let (_, section) = readme.split_once("## Larger boards").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let mut boards = 0;
    for row in section.lines().filter(|line| line.starts_with("| `random-")) {
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let [_, file, pieces, seed, moves, steps, count, answer, _] = cells.as_slice() else { panic!("{row}") };
        let text = std::fs::read_to_string(boards_folder().join(file)).unwrap();
        assert_eq!(text, made(pieces, seed.parse().unwrap()), "{file}");
        let board: Board = text.parse().unwrap();
        let best = (moves.parse().unwrap(), steps.parse().unwrap(), count.parse().unwrap());
        assert_eq!(figures(&breadth_first::search(&board, &Limits::NONE)), Some(best), "{file}");
        assert_eq!(figures(&depth_first::search(&board, &Limits::NONE).0), Some(best), "{file}");
        assert_solves(&text, &answer.parse().unwrap(), (best.0, best.1));
        boards += 1;
    }
    assert_eq!(boards, 3);
}

#[test]
fn programs_answer_large_boards() {
    let text = "X.1......\n.........\n.........\n.........\n2........\n.........\n.........\n.........\n3........\n";
    let unsolvable = board_file("large-unsolvable", text);
    for program in [env!("CARGO_BIN_EXE_ufo-breadth-first"), env!("CARGO_BIN_EXE_ufo-depth-first")] {
        assert_eq!(printed(program, &[&unsolvable]), "\n");
        let file = boards_folder().join("random-9x9-2-4.txt");
        let answer: Answer = printed(program, &[&file]).parse().unwrap();
        let board: Board = std::fs::read_to_string(file).unwrap().parse().unwrap();
        assert_eq!(Some(answer.cost()), breadth_first::search(&board, &Limits::NONE).cost());
    }
    let all = env!("CARGO_BIN_EXE_ufo-all");
    assert_eq!(printed(all, &[&unsolvable]), "no answer\n");
    let simple = board_file("large-simple", "X.. ... 1..");
    assert_eq!(printed(all, &[&simple]), "no answer\n");
    let one_step = board_file("large-one-step", "... X.1 ...");
    assert_eq!(printed(all, &[&one_step]), "X-R\n1 moves, 1 steps, 1 such answers\n");
}
