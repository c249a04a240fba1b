//! Both searches, compared with the naive solver and with each other.

use crate::support::boards_folder;
use crate::{draw, naive};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ufo_kit::board::Board;
use ufo_kit::breadth_first;
use ufo_kit::depth_first;
use ufo_kit::geometry::Shape;
use ufo_kit::position::{Bits, Position};
use ufo_kit::representation::Labelled as _;
use ufo_kit::search::{Limits, Outcome};

/// Moves, steps and number of the best answers; `None` if there is none.
fn figures(outcome: &Outcome) -> Option<(u32, u32, u64)> {
    match outcome {
        Outcome::Solved(best) => Some((best.cost.moves, best.cost.steps, best.count)),
        Outcome::Unsolvable => None,
        Outcome::GaveUp => panic!("this search has no limits"),
    }
}

fn breadth_first(board: &Board) -> Outcome {
    breadth_first::search(board, &Limits::NONE)
}

/// Compares all results on random problems of a group and returns the number of solvable ones.
fn compare(shape: Shape, letters: usize, numbers: usize, problems: u32) -> u32 {
    let mut random = ChaCha8Rng::seed_from_u64(1999);
    let mut solvable = 0;
    for _ in 0..problems {
        let board = draw::problem(&mut random, shape, letters, numbers);
        let text = board.to_string();
        let expected = naive::solve(&text);
        let broad = breadth_first(&board);
        let (deep, search) = depth_first::search(&board, &Limits::NONE);
        assert_eq!(figures(&broad), expected, "breadth-first on\n{text}");
        assert_eq!(figures(&deep), expected, "depth-first on\n{text}");
        let Some((moves, steps, count)) = expected else { continue };
        solvable += 1;
        for outcome in [&broad, &deep] {
            let answer = outcome.answer(&board).to_string();
            assert_eq!(naive::replay(&text, &answer), Ok((moves, steps)), "{answer} on\n{text}");
        }
        let mut answers = search.answers(&board, usize::MAX);
        for answer in &answers {
            assert_eq!(naive::replay(&text, &answer.to_string()), Ok((moves, steps)), "{answer} on\n{text}");
        }
        answers.sort();
        answers.dedup();
        assert_eq!(answers.len() as u64, count, "on\n{text}");
    }
    solvable
}

#[test]
fn small_problems_agree_with_the_naive_solver() {
    let solvable: Vec<u32> = [(1, 2), (1, 3), (1, 4), (2, 3), (3, 2)]
        .into_iter()
        .map(|(letters, numbers)| compare(Shape::Square, letters, numbers, 400))
        .collect();
    assert!(solvable.iter().take(4).all(|&count| count > 0), "too few solvable problems: {solvable:?}");
}

#[test]
fn problems_on_the_cross_agree_with_the_naive_solver() {
    assert!(compare(Shape::Cross, 1, 4, 150) > 0);
    assert!(compare(Shape::Cross, 2, 4, 40) > 0);
}

#[test]
fn larger_problems_agree_with_the_naive_solver() {
    assert!(compare(Shape::Square, 1, 5, 60) > 0);
    assert!(compare(Shape::Square, 2, 4, 40) > 0);
    assert!(compare(Shape::Square, 3, 3, 400) > 0);
}

#[test]
fn symmetric_problems_have_the_same_best_answers() {
    let mut random = ChaCha8Rng::seed_from_u64(2000);
    for shape in [Shape::Square, Shape::Cross] {
        let mut solvable = 0;
        for _ in 0..100 {
            let geometry = shape.geometry();
            let Position { letters, numbers } = draw::problem(&mut random, shape, 2, 4).position();
            let images = geometry.images(letters).into_iter().zip(geometry.images(numbers));
            let images = images.map(|(letters, numbers)| Position { letters, numbers });
            let found: Vec<_> = images
                .map(|position| figures(&breadth_first::solve(&Bits::of(geometry), position, &Limits::NONE)))
                .collect();
            assert_eq!(found, [found[0]; 8]);
            solvable += u32::from(found[0].is_some());
        }
        assert!(solvable > 0);
    }
}

#[test]
fn an_idle_piece_only_blocks() {
    // In the article's problem 1a (Fig. 2) piece 1 is insignificant: piece 2 stops X.
    let board: Board = "..... ..X.. ..... 1.2.. .....".parse().unwrap();
    let with_idle = |label: char| {
        let idle = board.square_of(label).unwrap().bit();
        figures(&breadth_first::solve(&Bits { idle, ..board.representation() }, board.position(), &Limits::NONE))
    };
    assert_eq!(with_idle('1'), Some((1, 1, 1)));
    assert_eq!(with_idle('2'), None);
    let walled: Board = "..X.. ..1.. ..... ..2.. .....".parse().unwrap();
    let idle = walled.square_of('1').unwrap().bit();
    assert_eq!(
        breadth_first::solve(&Bits { idle, ..walled.representation() }, walled.position(), &Limits::NONE),
        Outcome::Unsolvable
    );
}

#[test]
fn a_search_stops_at_its_limits() {
    let board: Board = std::fs::read_to_string(boards_folder().join("fig-11-8.txt")).unwrap().parse().unwrap();
    let few = Limits { deadline: None, positions: 1000 };
    let late = Limits { deadline: Some(std::time::Instant::now()), positions: usize::MAX };
    for limits in [few, late] {
        let broad = breadth_first::search(&board, &limits);
        assert_eq!(broad, Outcome::GaveUp);
        assert_eq!(depth_first::search(&board, &limits).0, Outcome::GaveUp);
    }
}

#[test]
fn a_key_restores_its_position() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for shape in [Shape::Square, Shape::Cross] {
        for letters in 1..=3 {
            let position = draw::problem(&mut random, shape, letters, 6).position();
            assert_eq!(Position::from_key(position.key()), position);
        }
    }
}
