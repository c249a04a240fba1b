//! Answers of the entry replayed by the judge: two implementations of the rules that share no code.

use std::fs;

use crate::article::problems;
use crate::draw;
use crate::support::{Claims, boards_folder};
use judge_command::{accepted, random_boards, rulings};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use ufo_kit::answer::{Answer, Move};
use ufo_kit::breadth_first;
use ufo_kit::depth_first;
use ufo_kit::geometry::{Direction, Shape};
use ufo_kit::large::AnyBoard;
use ufo_kit::search::Limits;

/// The number of random answers; the command is started for each.
const ANSWERS: usize = 4_000;

#[test]
fn every_printed_answer_solves_its_board() {
    let mut claims = Claims::default();
    for (_, board, claim) in problems() {
        claims.add(&board, &claim.answer, claim.answer.cost());
    }
    claims.assert();
}

#[test]
#[ignore = "deep: proofs: starts the command for each answer"]
fn best_answers_of_both_searches_are_legal() {
    let mut random = ChaCha8Rng::seed_from_u64(1998);
    let (mut solved, mut claims) = (0, Claims::default());
    for problem in 0..300 {
        let shape = if problem % 3 == 0 { Shape::Cross } else { Shape::Square };
        let board = draw::problem(&mut random, shape, 1 + problem % 3, 4);
        let broad = breadth_first::search(&board, &Limits::NONE);
        let (_, search) = depth_first::search(&board, &Limits::NONE);
        let Some(cost) = broad.cost() else { continue };
        solved += 1;
        claims.add(&board, broad.answer(&board), cost);
        search.answers(&board, 20).iter().for_each(|answer| claims.add(&board, answer, cost));
    }
    claims.assert();
    assert!(solved > 10, "{solved}");
}

#[test]
#[ignore = "deep: proofs: starts the command 4,000 times"]
fn both_agree_on_the_legality_of_random_answers() {
    let mut random = ChaCha8Rng::seed_from_u64(1997);
    let answers = (0..ANSWERS).map(|problem| {
        let shape = if problem % 2 == 0 { Shape::Cross } else { Shape::Square };
        let board = draw::problem(&mut random, shape, 2, 5);
        let labels: Vec<char> = board.pieces().iter().map(|(label, _)| *label).collect();
        let moves = (0..random.random_range(1..4)).map(|_| Move {
            piece: *labels.choose(&mut random).unwrap(),
            steps: (0..random.random_range(1..4)).map(|_| *Direction::ALL.choose(&mut random).unwrap()).collect(),
        });
        (Answer(moves.collect()), board)
    });
    let answers: Vec<_> = answers.collect();
    let texts: Vec<_> = answers.iter().map(|(answer, board)| (board.to_string(), answer.to_string())).collect();
    let (mut legal, mut illegal) = (0, 0);
    for ((answer, board), theirs) in answers.iter().zip(rulings("ufo", &texts)) {
        match answer.replay(board) {
            Ok(end) if theirs.is_legal() => {
                let left = u64::from(end.position().letters.count_ones());
                assert_eq!(theirs.of - theirs.progress, left, "{answer} on\n{board}");
                legal += 1;
            }
            Err(_) if !theirs.is_legal() => illegal += 1,
            ours => panic!("{ours:?} and {theirs:?}: {answer} on\n{board}"),
        }
    }
    assert!(legal > 50 && illegal > 100, "{legal} legal, {illegal} illegal");
}

#[test]
fn both_accept_the_same_texts_as_boards() {
    let mut random = ChaCha8Rng::seed_from_u64(1996);
    let symbols = [".", ".", ".", ".", "X", "Y", "Z", "1", "2", "9", "#", "x", "0"];
    let texts = (0..20_000).map(|_| {
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
        text.concat()
    });
    let texts: Vec<String> = texts.collect();
    let (mut boards, mut refused) = (0, 0);
    for (text, theirs) in texts.iter().zip(accepted("ufo", &texts)) {
        let ours = text.parse::<AnyBoard>();
        assert_eq!(ours.is_ok(), theirs, "{ours:?} on\n{text}");
        if theirs { boards += 1 } else { refused += 1 }
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
        let recorded = fs::read_to_string(boards_folder().join(format!("random-{file}"))).unwrap();
        assert_eq!(random_boards("ufo", Some(group), [seed.parse().unwrap()]), [recorded], "{file}");
        boards += 1;
    }
    assert_eq!(boards, 10);
}
