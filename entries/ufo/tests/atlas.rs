//! The tables of whole groups: against the naive solver, against the article, and as files.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeSet;
use std::thread;

use common::{draw, naive};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::configurations::{Configuration, configurations};
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::solve::Means;
use ufo_kit::atlas::table::Table;
use ufo_kit::board::Board;
use ufo_kit::geometry::squares;
use ufo_kit::position::Position;

fn group(text: &str) -> Group {
    text.parse().unwrap()
}

/// Two threads, whatever the machine has: shared work is part of what is tested.
fn atlas() -> Atlas {
    Atlas::new(None, 1 << 30, Means { threads: 2, most_steps: Means::ANY_STEPS }, |_| ())
}

/// What the table says of a problem, in the words of the naive solver.
fn told(table: &Table, position: Position) -> Option<naive::Best> {
    let board = Board::labelled(table.group().shape, position);
    table.solution(position).map(|solution| {
        let insignificant = squares(solution.insignificant).map(|square| board.label_on(square).unwrap());
        naive::Best {
            moves: solution.cost.moves,
            steps: solution.cost.steps,
            count: solution.count,
            insignificant: insignificant.collect(),
        }
    })
}

/// Compares problems of a group with the naive solver on two threads, and tells how many had an answer.
fn compare(table: &Table, positions: &[Position]) -> usize {
    let check = |positions: &[Position]| {
        let solvable = positions.iter().filter(|&&position| {
            let board = Board::labelled(table.group().shape, position).to_string();
            let expected = naive::best(&board);
            assert_eq!(told(table, position), expected, "on\n{board}");
            expected.is_some()
        });
        solvable.count()
    };
    let (one, other) = positions.split_at(positions.len() / 2);
    thread::scope(|scope| {
        let helper = scope.spawn(|| check(one));
        check(other) + helper.join().unwrap()
    })
}

/// Every problem of a group, each once, by the plainest way there is: all placements, and of those that a rotation or a
/// reflection takes into each other the one whose squares are the least.
fn every_problem(group: Group) -> Vec<Position> {
    let geometry = group.shape.geometry();
    let sets = |free: u64, count: u32| -> BTreeSet<u64> {
        let mut sets = BTreeSet::from([0]);
        for _ in 0..count {
            let larger = |set: &u64| squares(free & !set).map(|square| set | square.bit()).collect::<Vec<_>>();
            sets = sets.iter().flat_map(larger).collect();
        }
        sets
    };
    let mut problems = BTreeSet::new();
    for letters in sets(geometry.all() & !geometry.centre().bit(), group.letters) {
        for numbers in sets(geometry.all() & !letters, group.numbers) {
            problems.insert(geometry.images(letters).into_iter().zip(geometry.images(numbers)).min().unwrap());
        }
    }
    problems.into_iter().map(|(letters, numbers)| Position { letters, numbers }).collect()
}

#[test]
fn every_problem_of_the_small_groups_is_as_the_naive_solver_says() {
    let mut atlas = atlas();
    for (text, problems, solvable) in [
        ("1-1", 80, 2),
        ("1-2", 860, 34),
        ("1-3", 6_160, 511),
        ("2-1", 829, 1),
        ("2-2", 8_879, 47),
        ("3-1", 5_650, 0),
        ("3-2", 58_765, 45),
        ("cross:1-2", 2_034, 68),
        ("cross:2-1", 1_977, 3),
    ] {
        let table = atlas.table(group(text)).unwrap();
        let positions = every_problem(group(text));
        assert_eq!(positions.len(), problems, "{text}");
        assert_eq!(compare(table, &positions), solvable, "{text}");
        let row = table.row();
        assert_eq!((row.problems, row.solvable), (problems as u64, solvable as u64), "{text}");
    }
}

#[test]
fn timing() {
    let mut atlas = atlas();
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for text in [
        "1-4",
        "1-5",
        "1-6",
        "2-3",
        "2-4",
        "2-5",
        "3-3",
        "3-4",
        "cross:1-4",
        "cross:1-5",
        "cross:2-3",
        "cross:2-4",
        "cross:3-3",
    ] {
        let table = atlas.table(group(text)).unwrap();
        let g = group(text);
        let all: Vec<Position> = (0..40)
            .map(|_| draw::problem(&mut random, g.shape, g.letters as usize, g.numbers as usize).position())
            .collect();
        let t = std::time::Instant::now();
        let n = compare(table, &all);
        println!("{text} {n} {:?}", t.elapsed() / 40);
    }
}
