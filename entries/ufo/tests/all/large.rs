//! Boards of other sizes: both searches compared with the naive solver, the bit boards and the judge.

use crate::support::{Claims, board_file, boards_folder, printed};
use crate::{draw, naive};
use judge_command::random_boards;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ufo_kit::answer::{Answer, Cost};
use ufo_kit::geometry::Shape;
use ufo_kit::large::Board;
use ufo_kit::search::{Limits, Outcome};
use ufo_kit::{breadth_first, depth_first};

/// Moves, steps and number of the best answers; `None` if there is none.
fn figures<P>(outcome: &Outcome<P>) -> Option<(u32, u32, u64)> {
    match outcome {
        Outcome::Solved(best) => Some((best.cost.moves, best.cost.steps, best.count)),
        Outcome::Unsolvable => None,
        Outcome::GaveUp => panic!("this search has no limits"),
    }
}

/// Checks an answer with the naive referee, and lets the judge check it as well.
fn claim(claims: &mut Claims, board: &str, answer: &Answer, cost: Cost) {
    assert_eq!(naive::replay(board, &answer.to_string()), Ok((cost.moves, cost.steps)), "{answer} on\n{board}");
    claims.add(board, answer, cost);
}

/// Compares both searches with the naive solver on the boards of these seeds and returns the number of solvable ones.
fn compare(pieces: &str, seeds: std::ops::Range<u64>) -> u32 {
    let (mut solvable, mut claims) = (0, Claims::default());
    for text in random_boards("ufo", Some(pieces), seeds) {
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
        let cost = Cost { moves, steps };
        claim(&mut claims, &text, &broad.answer(&board), cost);
        claim(&mut claims, &text, &deep.answer(&board), cost);
        let mut answers = search.answers(&board, usize::MAX);
        answers.iter().for_each(|answer| claim(&mut claims, &text, answer, cost));
        answers.sort();
        answers.dedup();
        assert_eq!(answers.len() as u64, count, "on\n{text}");
        assert_eq!(search.answers(&board, 1).len(), 1);
    }
    claims.assert();
    solvable
}

#[test]
#[ignore = "deep: proofs: the naive solver is slow"]
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
    let section = readme.split("\n## ").find(|section| section.starts_with("Larger boards")).unwrap();
    let (mut boards, mut claims) = (0, Claims::default());
    for row in section.lines().filter(|line| line.starts_with("| `random-")) {
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let [_, file, pieces, seed, moves, steps, count, answer, _] = cells.as_slice() else { panic!("{row}") };
        let text = std::fs::read_to_string(boards_folder().join(file)).unwrap();
        assert_eq!(random_boards("ufo", Some(pieces), [seed.parse().unwrap()]), [&*text], "{file}");
        let board: Board = text.parse().unwrap();
        let best = (moves.parse().unwrap(), steps.parse().unwrap(), count.parse().unwrap());
        assert_eq!(figures(&breadth_first::search(&board, &Limits::NONE)), Some(best), "{file}");
        assert_eq!(figures(&depth_first::search(&board, &Limits::NONE).0), Some(best), "{file}");
        claim(&mut claims, &text, &answer.parse().unwrap(), Cost { moves: best.0, steps: best.1 });
        boards += 1;
    }
    claims.assert();
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
