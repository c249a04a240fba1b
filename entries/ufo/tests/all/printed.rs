//! The article's printed answers on the recovered boards.

use std::collections::BTreeMap;

use crate::article::{printed, problems, recorded};
use crate::naive;
use ufo_kit::answer::Cost;
use ufo_kit::board::Board;
use ufo_kit::breadth_first::solve;
use ufo_kit::depth_first::search;
use ufo_kit::geometry::{Square, squares};
use ufo_kit::position::{Bits, Position, placements};
use ufo_kit::recover::complete::completions;
use ufo_kit::recover::verify::{Stage, insignificant, placed, verify};
use ufo_kit::recover::{Recovery, in_reading_order, is_normal, recover};
use ufo_kit::search::{Limits, Outcome};

/// The recorded board of a configuration, with the letter pieces of the first file with that name.
fn configuration(name: &str) -> Board {
    let (_, board) = recorded().into_iter().find(|(file, _)| file.starts_with(name)).unwrap();
    board
}

fn cost(board: &Board, position: Position) -> Option<Cost> {
    solve(&Bits::of(board.geometry()), position, &Limits::NONE).cost()
}

#[test]
fn every_printed_answer_is_one_of_the_printed_number() {
    let problems = problems();
    for (name, board, claim) in &problems {
        let (outcome, search) = search(board, &Limits::NONE);
        let Outcome::Solved(best) = outcome else { panic!("{name} has no answer") };
        assert_eq!((best.cost, best.count), (claim.answer.cost(), claim.count), "{name} {}", claim.answer);
        assert!(search.answers(board, usize::MAX).contains(&claim.answer), "{name} {}", claim.answer);
        let Cost { moves, steps } = best.cost;
        assert_eq!(naive::replay(&board.to_string(), &claim.answer.to_string()), Ok((moves, steps)), "{name}");
    }
    assert_eq!(problems.len(), 56, "the number of answers in Figs. 1 to 11");
}

#[test]
fn the_search_recovers_the_recorded_boards() {
    let printed = printed();
    let found: BTreeMap<String, Board> = recover(&printed).iter().flat_map(Recovery::boards).collect();
    let recorded: BTreeMap<String, Board> =
        recorded().into_iter().map(|(name, board)| (format!("fig-{name}"), board)).collect();
    let texts = |boards: BTreeMap<String, Board>| -> Vec<String> {
        boards.iter().map(|(name, board)| format!("{name}\n{board}")).collect()
    };
    assert_eq!(texts(found), texts(recorded));
}

#[test]
fn problem_1a_has_twelve_variants_as_in_the_article() {
    // A variant is problem 1b with an insignificant piece 1 on any square; mirrored problems count once. The printed
    // answer also fits X on 13 instead of 23. That gives eleven variants, which decided between the two boards.
    let twelve = configuration("2-1b");
    let eleven = placed(&twelve, &[twelve.geometry().named("13").unwrap()]);
    let geometry = twelve.geometry();
    let count = |board: &Board| {
        let Position { letters, numbers } = board.position();
        let alone = Cost { moves: 1, steps: 1 };
        let free = squares(geometry.all() & !letters & !numbers);
        let useless = free.filter(|piece: &Square| {
            let position = Position { letters, numbers: numbers | piece.bit() };
            cost(board, position) == Some(alone) && insignificant(geometry, position, alone) == piece.bit()
        });
        let (letter_images, number_images) = (geometry.images(letters), geometry.images(numbers));
        let kept: Vec<usize> =
            (0..8).filter(|&turn| letter_images[turn] == letters && number_images[turn] == numbers).collect();
        let orbit = |piece: Square| kept.iter().map(|&turn| geometry.images(piece.bit())[turn]).min();
        let mut orbits: Vec<_> = useless.map(orbit).collect();
        orbits.sort_unstable();
        orbits.dedup();
        orbits.len()
    };
    assert_eq!((count(&twelve), count(&eleven)), (12, 11));
}

#[test]
fn problem_2a_without_its_insignificant_piece_belongs_to_the_smaller_group() {
    let board = configuration("2-2a");
    let insignificant_piece = board.square_of('1').unwrap().bit();
    let position = Position { numbers: board.position().numbers ^ insignificant_piece, ..board.position() };
    let Outcome::Solved(best) = solve(&Bits::of(board.geometry()), position, &Limits::NONE) else {
        panic!("it has the second of the two answers")
    };
    assert_eq!((best.cost, best.count), (Cost { moves: 4, steps: 6 }, 1));
    assert_eq!(insignificant(board.geometry(), position, best.cost), 0);
}

#[test]
fn configurations_that_are_certain_without_the_normal_form_are_in_it() {
    let printed = printed();
    let mut certain = 0;
    for configuration in printed.configurations.iter().filter(|configuration| configuration.others.is_some()) {
        let boards = completions(configuration);
        let fits: Vec<&Board> = boards
            .iter()
            .filter(|board| in_reading_order(board) && verify(configuration, board) == Stage::All)
            .collect();
        if let [only] = fits.as_slice() {
            assert!(is_normal(only), "{}\n{only}", configuration.name);
            certain += 1;
        }
    }
    assert_eq!(certain, 20, "of the 23 of Figs. 3 to 9, all except 6-1, 7-1 and 7-2");
}

/// Counts placements of the letter pieces: with every piece significant, with an insignificant piece, without an answer.
fn tally(name: &str, letters: usize) -> (usize, usize, usize) {
    let board = configuration(name);
    let geometry = board.geometry();
    let numbers = board.position().numbers;
    let mut tally = (0, 0, 0);
    for letters in placements(geometry, numbers, letters) {
        let position = Position { letters, numbers };
        match cost(&board, position) {
            None => tally.2 += 1,
            Some(cost) if insignificant(geometry, position, cost) == 0 => tally.0 += 1,
            Some(_) => tally.1 += 1,
        }
    }
    tally
}

#[test]
fn configurations_have_as_many_solvable_problems_as_the_article_counts() {
    assert_eq!(tally("3-1", 1), (16, 0, 4));
    assert_eq!(tally("3-2", 1), (15, 4, 0));
    assert_eq!(tally("3-3", 1), (15, 4, 0));
    assert_eq!(tally("3-4", 1), (13, 6, 0));
    for name in ["4-1", "4-2", "4-3"] {
        assert_eq!(tally(name, 1), (23, 2, 3), "{name}");
    }
    assert_eq!(tally("5-1", 2), (146, 25, 0));
    assert_eq!(tally("5-2", 2), (155, 1, 34));
    for (name, letters, boards) in [("6", 1, 4), ("7", 1, 3), ("8", 2, 4), ("9", 2, 3)] {
        for number in 1..=boards {
            let (significant, insignificant, _) = tally(&format!("{name}-{number}"), letters);
            assert_eq!((significant, insignificant), (1, 0), "{name}-{number}");
        }
    }
}
