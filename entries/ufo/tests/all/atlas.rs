//! The tables of whole groups, compared with the naive solver and with the article.

use std::collections::BTreeSet;
use std::thread;

use crate::support::solved;
use crate::{draw, naive};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ufo_kit::atlas::Atlas;
use ufo_kit::atlas::configurations::{Configuration, configurations};
use ufo_kit::atlas::group::Group;
use ufo_kit::atlas::solve::Options;
use ufo_kit::atlas::table::{Row, Solution, Table};
use ufo_kit::board::Board;
use ufo_kit::geometry::squares;
use ufo_kit::position::{Position, placements};

fn group(text: &str) -> Group {
    text.parse().unwrap()
}

/// Creates an atlas with two threads on any machine, so that parallel work is tested.
fn atlas() -> Atlas {
    Atlas::new(None, 1 << 30, Options { threads: 2, most_steps: Options::ANY_STEPS }, |_| ())
}

/// Creates an atlas that reads the groups of the article from their files.
fn solved_atlas() -> Atlas {
    Atlas::new(Some(solved().to_owned()), 1 << 30, Options { threads: 2, most_steps: Options::ANY_STEPS }, |_| ())
}

/// Converts the table's solution of a problem to that of the naive solver.
fn solution(table: &Table, position: Position) -> Option<naive::Best> {
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

/// Compares problems of a group with the naive solver on two threads and returns the number of solvable ones.
fn compare(table: &Table, positions: &[Position]) -> usize {
    let check = |positions: &[Position]| {
        let solvable = positions.iter().filter(|&&position| {
            let board = Board::labelled(table.group().shape, position).to_string();
            let expected = naive::best(&board);
            assert_eq!(solution(table, position), expected, "on\n{board}");
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

/// Lists every problem of a group once, by brute force: of the placements that are images of each other, the one with the
/// smallest sets.
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
#[ignore = "deep: proofs: the naive solver is slow"]
fn small_groups_agree_with_the_naive_solver() {
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

/// Draws random problems of a group: half of them from all placements, half from the solvable ones.
fn random_problems(random: &mut ChaCha8Rng, table: &Table, count: usize) -> Vec<Position> {
    let Group { shape, letters, numbers } = table.group();
    let mut draw = || draw::problem(random, shape, letters as usize, numbers as usize).position();
    let mut problems: Vec<Position> = (0..count / 2).map(|_| draw()).collect();
    while problems.len() < count {
        problems.extend(Some(draw()).filter(|&position| table.solution(position).is_some()));
    }
    problems
}

#[test]
#[ignore = "deep: proofs: the naive solver is slow"]
fn ten_thousand_random_problems_agree_with_the_naive_solver() {
    let (mut atlas, mut random) = (solved_atlas(), ChaCha8Rng::seed_from_u64(1999));
    let mut compared = 0;
    for (text, problems) in [
        ("1-4", 1_500),
        ("1-5", 1_300),
        ("1-6", 400),
        ("2-3", 1_200),
        ("2-4", 1_000),
        ("2-5", 200),
        ("3-3", 1_000),
        ("3-4", 20),
        ("cross:1-3", 800),
        ("cross:1-4", 1_000),
        ("cross:1-5", 400),
        ("cross:2-3", 800),
        ("cross:2-4", 200),
        ("cross:3-2", 160),
        ("cross:3-3", 100),
    ] {
        let table = atlas.table(group(text)).unwrap();
        let positions = random_problems(&mut random, table, problems);
        assert!(compare(table, &positions) >= problems / 2, "{text}");
        compared += positions.len();
    }
    assert!(compared >= 10_000, "{compared}");
}

#[test]
#[ignore = "deep: proofs: solves all groups of the article"]
fn a_problem_has_the_same_answers_in_all_eight_orientations() {
    let (mut atlas, mut random) = (solved_atlas(), ChaCha8Rng::seed_from_u64(8));
    for text in ["2-3", "cross:1-4"] {
        let table = atlas.table(group(text)).unwrap();
        let geometry = table.group().shape.geometry();
        let mut insignificant = 0;
        for position in random_problems(&mut random, table, 400) {
            let solution = table.solution(position);
            for symmetry in 0..8 {
                let image = |set| geometry.image(symmetry, set);
                let turned = Position { letters: image(position.letters), numbers: image(position.numbers) };
                let expected = solution.map(|found| Solution { insignificant: image(found.insignificant), ..found });
                assert_eq!(table.solution(turned), expected);
            }
            insignificant += u32::from(solution.is_some_and(|found| !found.is_significant()));
        }
        assert!(insignificant > 20, "{text}: {insignificant}");
    }
}

/// The figures of a row that the article prints: problems with solutions, most moves, most steps.
fn figures(row: Row) -> (u64, u32, u32) {
    (row.solutions, row.max_moves.unwrap_or(0), row.max_steps.unwrap_or(0))
}

#[test]
#[ignore = "deep: proofs: solves all groups of the article"]
fn the_articles_first_table_is_reproduced_except_its_errors() {
    let mut atlas = solved_atlas();
    // Printed: possible, analyzed, with solutions, most moves, most steps.
    for (text, possible, analyzed, printed) in [
        ("1-1", 576, 4, (2, 1, 1)),
        ("1-2", 13_248, 86, (11, 2, 2)),
        ("1-3", 291_456, 1_657, (115, 5, 5)),
        ("1-4", 6_120_576, 15_535, (1_597, 10, 12)),
        ("1-5", 122_411_520, 85_156, (8_045, 10, 15)),
        ("1-6", 2_325_818_880, 321_703, (9_185, 14, 22)),
        ("2-1", 12_696, 74, (1, 2, 2)),
        ("2-2", 279_312, 2_138, (36, 5, 5)),
        ("2-3", 5_865_552, 27_329, (1_303, 10, 13)),
        ("2-4", 117_311_040, 192_258, (43_101, 16, 23)),
        ("2-5", 2_228_909_760, 889_208, (182_107, 15, 25)),
        ("3-1", 267_168, 1_217, (0, 0, 0)),
        ("3-2", 5_610_528, 24_190, (45, 7, 8)),
        ("3-3", 112_210_560, 232_562, (14_836, 16, 23)),
    ] {
        let row = atlas.row(group(text)).unwrap();
        assert_eq!(group(text).possible(), possible);
        assert!(row.solvable <= analyzed && analyzed <= row.movable, "{text}: {row:?}");
        let expected = match text {
            "1-6" => (9_381, 12, 17),
            "2-4" => (43_107, 16, 23),
            _ => printed,
        };
        assert_eq!(figures(row), expected, "{text}");
    }
}

#[test]
fn with_at_most_five_steps_per_move_group_2_4_is_as_printed() {
    assert_eq!(figures(atlas().bounded(5).row(group("2-4")).unwrap()), (43_101, 16, 23));
    assert_eq!(figures(atlas().bounded(6).row(group("2-4")).unwrap()), (43_107, 16, 23));
}

#[test]
#[ignore = "deep: proofs: solves all groups of the article"]
fn configurations_are_counted_as_the_article_counts_them() {
    let mut atlas = solved_atlas();
    let mut found = |text: &str| configurations(atlas.table(group(text)).unwrap(), 2);
    let most = |found: &[Configuration]| {
        let most = found.iter().map(|configuration| configuration.solutions).max().unwrap();
        (most, found.iter().filter(|configuration| configuration.solutions == most).count())
    };
    let ones = |found: &[Configuration]| found.iter().filter(|configuration| configuration.has_one()).count();
    let alls = |found: &[Configuration]| -> Vec<bool> {
        found.iter().filter(|configuration| configuration.has_all()).map(|all| all.symmetric).collect()
    };
    assert_eq!(most(&found("1-4")), (16, 1));
    let five = found("1-5");
    assert_eq!((most(&five), ones(&five)), ((15, 2), 59));
    assert_eq!(alls(&five).len(), 244);
    assert_eq!(alls(&five).into_iter().filter(|symmetric| !symmetric).count(), 215);
    assert_eq!(most(&found("1-6")), (13, 1));
    assert_eq!(most(&found("2-4")), (155, 1));
    let five = found("2-5");
    assert_eq!((most(&five), ones(&five)), ((146, 1), 11));
    assert_eq!(most(&found("cross:1-5")), (23, 3));
    // Of the groups with one letter piece, only 1-5 and 1-6 have configurations whose placements are all solvable.
    for text in ["1-1", "1-2", "1-3", "1-4"] {
        assert!(alls(&found(text)).is_empty(), "{text}");
    }
}

#[test]
fn configurations_agree_with_the_table_on_each_placement() {
    let mut atlas = atlas();
    for text in ["2-2", "cross:1-3"] {
        let table = atlas.table(group(text)).unwrap();
        let geometry = table.group().shape.geometry();
        let found = configurations(table, 1);
        assert_eq!(found, configurations(table, 3), "the number of threads must not matter");
        let mut solutions = 0;
        for configuration in &found {
            let numbers = configuration.numbers;
            assert_eq!(configuration.symmetric, geometry.images(numbers)[1..].contains(&numbers));
            let all = placements(geometry, numbers, table.group().letters as usize);
            let solved = all.iter().filter_map(|&letters| table.solution(Position { letters, numbers }));
            assert_eq!(
                (configuration.placements as usize, configuration.solvable as usize),
                (all.len(), solved.count())
            );
            solutions += u64::from(configuration.solutions);
        }
        // Every problem with solutions belongs to exactly one configuration.
        assert_eq!(solutions, table.row().solutions, "{text}");
    }
}

#[test]
fn a_group_that_does_not_fit_into_memory_is_refused_before_any_work() {
    let options = Options { threads: 1, most_steps: Options::ANY_STEPS };
    let refusal = Atlas::new(None, 1 << 20, options, |_| ()).row(group("cross:3-7")).unwrap_err();
    assert_eq!(
        refusal,
        "group cross:3-7 needs 12.9 GiB of memory, more than the limit of 1.0 MiB; give --memory 13259MiB or more"
    );
}
