//! The distance to the goal: 0 exactly if the position is solved, in every position of the fuzzing seeds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use judge_core::game::HouseRules;
use judge_core::{games, referee};

#[test]
fn the_distance_is_0_exactly_if_the_position_is_solved() {
    let mut solved: BTreeMap<String, bool> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/game");
    for file in fs::read_dir(folder).unwrap() {
        let seed = fs::read_to_string(file.unwrap().path()).unwrap();
        let (name, rest) = seed.split_once('\n').unwrap();
        let (board, answer) = rest.split_once("---\n").unwrap_or((rest, ""));
        let game = (games::find(name).unwrap().open)(&HouseRules::default()).unwrap();
        let Ok(puzzle) = game.parse(board.as_bytes()) else { continue };
        let ruling = referee::walk(&*puzzle, answer.as_bytes(), |replay, _| {
            assert_eq!(replay.distance() == 0, replay.score().solved(), "{seed}");
            Ok(())
        });
        *solved.entry(name.into()).or_default() |= ruling.unwrap().score.solved();
    }
    let unsolved: Vec<&str> = games::GAMES.iter().map(|info| info.name).filter(|&name| !solved[name]).collect();
    assert!(unsolved.is_empty(), "no seed solves a board of {unsolved:?}");
}

/// Two exceptions: in UFO the piece leaves the board at its goal, and the goal of hexa-draughts is no position.
#[test]
fn a_position_shows_the_goal_exactly_if_it_is_solved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/game");
    let mut goals = 0;
    for file in fs::read_dir(folder).unwrap() {
        let seed = fs::read_to_string(file.unwrap().path()).unwrap();
        let (name, rest) = seed.split_once('\n').unwrap();
        let (board, answer) = rest.split_once("---\n").unwrap_or((rest, ""));
        let game = (games::find(name).unwrap().open)(&HouseRules::default()).unwrap();
        let Ok(puzzle) = game.parse(board.as_bytes()) else { continue };
        let goal = puzzle.goal();
        if name == "hexa-draughts" {
            assert_eq!(goal, []);
            continue;
        }
        assert_eq!(goal.len(), puzzle.start().picture().cells.len(), "{seed}");
        assert!(goal.iter().any(Option::is_some), "{seed}");
        if name == "ufo" {
            let centre = goal.iter().position(Option::is_some);
            assert_eq!((centre, goal.iter().flatten().count()), (Some(goal.len() / 2), 1), "{seed}");
            continue;
        }
        let ruling = referee::walk(&*puzzle, answer.as_bytes(), |replay, _| {
            let picture = replay.picture();
            let shown = goal.iter().zip(&picture.cells).all(|(goal, cell)| goal.is_none() || *goal == cell.label);
            assert_eq!(shown, replay.score().solved(), "{seed}");
            goals += usize::from(shown);
            Ok(())
        });
        ruling.unwrap();
    }
    assert!(goals > 2, "some seeds are solved");
}

/// Expected values computed by hand.
#[test]
fn distances_of_known_positions() {
    let distance = |game: &str, board: &str| {
        let game = (games::find(game).unwrap().open)(&HouseRules::default()).unwrap();
        game.parse(board.as_bytes()).unwrap().start().distance()
    };
    // Two neighbours swapped; two corners swapped, four rows and three columns apart.
    assert_eq!(distance("loyd", "BACDE FGHIJ KLMNO PQRST UVWX+"), 2);
    assert_eq!(distance("loyd", "XBCDE FGHIJ KLMNO PQRST UVWA+"), 14);
    assert_eq!(distance("ufo", ".12..\n.X...\n.....\n...3.\n.4...\n"), 2);
    assert_eq!(distance("shift", "AXXB\nAXXB\nCDDE\nCFGE\nH..I\n"), 3);
    // Six pieces, four squares each.
    assert_eq!(distance("swap", "BBB.RRR\n"), 24);
    assert_eq!(distance("hexa-draughts", "row 4\n"), 4);
}
