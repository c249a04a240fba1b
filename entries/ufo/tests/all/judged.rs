//! The same answers replayed by the judge: two implementations of the rules that share no code.

use std::fs;

use crate::article::problems;
use crate::draw;
use crate::support::boards_folder;
use judge_core::game::{Game, GeneratorSpec, IllegalMove, Score};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use ufo_kit::answer::{Answer, Cost, Move};
use ufo_kit::board::Board;
use ufo_kit::breadth_first;
use ufo_kit::depth_first;
use ufo_kit::geometry::{Direction, Shape};
use ufo_kit::large::AnyBoard;
use ufo_kit::search::Limits;

fn game() -> Box<dyn Game> {
    (judge_core::games::find("ufo").unwrap().open)(&Default::default()).unwrap()
}

/// Replays an answer with the judge.
fn ruled(board: &Board, answer: &Answer) -> Result<Score, IllegalMove> {
    let mut replay = game().parse(board.to_string().as_bytes()).unwrap().start();
    replay.feed(answer.to_string().as_bytes())?;
    replay.finish()?;
    Ok(replay.score())
}

fn assert_solves(board: &Board, answer: &Answer, cost: Cost) {
    let score = ruled(board, answer).unwrap_or_else(|illegal| panic!("{illegal} on\n{board}"));
    assert!(score.solved(), "{answer} on\n{board}");
    assert_eq!((score.moves, score.tie_break), (u64::from(cost.moves), u64::from(cost.steps)));
}

#[test]
fn every_printed_answer_solves_its_board() {
    for (_, board, claim) in problems() {
        assert_solves(&board, &claim.answer, claim.answer.cost());
    }
}

#[test]
fn best_answers_of_both_searches_are_legal() {
    let mut random = ChaCha8Rng::seed_from_u64(1998);
    let mut solved = 0;
    for problem in 0..300 {
        let shape = if problem % 3 == 0 { Shape::Cross } else { Shape::Square };
        let board = draw::problem(&mut random, shape, 1 + problem % 3, 4);
        let broad = breadth_first::search(&board, &Limits::NONE);
        let (_, search) = depth_first::search(&board, &Limits::NONE);
        let Some(cost) = broad.cost() else { continue };
        solved += 1;
        assert_solves(&board, &broad.answer(&board), cost);
        for answer in search.answers(&board, 20) {
            assert_solves(&board, &answer, cost);
        }
    }
    assert!(solved > 10, "{solved}");
}

#[test]
fn both_agree_on_the_legality_of_random_answers() {
    let mut random = ChaCha8Rng::seed_from_u64(1997);
    let (mut legal, mut illegal) = (0, 0);
    for problem in 0..20_000 {
        let shape = if problem % 2 == 0 { Shape::Cross } else { Shape::Square };
        let board = draw::problem(&mut random, shape, 2, 5);
        let labels: Vec<char> = board.pieces().iter().map(|(label, _)| *label).collect();
        let moves = (0..random.random_range(1..4)).map(|_| Move {
            piece: *labels.choose(&mut random).unwrap(),
            steps: (0..random.random_range(1..4)).map(|_| *Direction::ALL.choose(&mut random).unwrap()).collect(),
        });
        let answer = Answer(moves.collect());
        let ours = answer.replay(&board);
        let theirs = ruled(&board, &answer);
        match (&ours, &theirs) {
            (Ok(end), Ok(score)) => {
                let left = u64::from(end.position().letters.count_ones());
                assert_eq!(score.of - score.progress, left, "{answer} on\n{board}");
                legal += 1;
            }
            (Err(_), Err(_)) => illegal += 1,
            _ => panic!("{ours:?} and {theirs:?}: {answer} on\n{board}"),
        }
    }
    assert!(legal > 500 && illegal > 500, "{legal} legal, {illegal} illegal");
}

#[test]
fn both_accept_the_same_texts_as_boards() {
    let mut random = ChaCha8Rng::seed_from_u64(1996);
    let symbols = [".", ".", ".", ".", "X", "Y", "Z", "1", "2", "9", "#", "x", "0"];
    let (mut boards, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let text = match random.random_range(0..3) {
            0 => draw::problem(&mut random, Shape::Cross, 1, 3).to_string(),
            1 => draw::problem(&mut random, Shape::Square, 1, 3).to_string(),
            _ => ["X..\n.1.\n...\n".to_owned(), "......Y\n".repeat(7).replacen('Y', "Z", 1).replace('Y', ".")]
                .choose(&mut random)
                .unwrap()
                .clone(),
        };
        let mut text: Vec<String> = text.chars().map(String::from).collect();
        for _ in 0..random.random_range(0..3) {
            let place = random.random_range(0..text.len());
            if text[place] != "\n" {
                text[place] = (*symbols.choose(&mut random).unwrap()).to_owned();
            }
        }
        let text = text.concat();
        let ours = text.parse::<AnyBoard>();
        let theirs = game().parse(text.as_bytes());
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} on\n{text}");
        if ours.is_ok() { boards += 1 } else { refused += 1 }
    }
    assert!(boards > 1000 && refused > 1000, "{boards} boards, {refused} refused");
}

#[test]
fn the_recorded_random_boards_match_their_seeds() {
    let readme = fs::read_to_string(boards_folder().join("README.md")).unwrap();
    let (_, section) = readme.split_once("## Random boards").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `random-")?.strip_suffix(" |"));
    let mut boards = 0;
    for row in rows.filter(|row| !row.starts_with('…')) {
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace('`', "")).collect();
        let [file, group, seed] = cells.as_slice() else { panic!("three cells per row: {row}") };
        let spec = GeneratorSpec::Random { seed: seed.parse().unwrap(), pieces: Some(group.clone()) };
        let recorded = fs::read_to_string(boards_folder().join(format!("random-{file}"))).unwrap();
        assert_eq!(game().make(&spec).unwrap(), recorded, "{file}");
        boards += 1;
    }
    assert_eq!(boards, 10);
}
