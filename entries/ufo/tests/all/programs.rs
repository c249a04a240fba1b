//! Entries and tools as programs: legal answers, and errors with a reason.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{assert_refused, board_file, boards_folder, printed, run};
use crate::{draw, naive};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use ufo_kit::geometry::Shape;

/// Every entry of this crate.
const STRATEGIES: [(&str, &str); 2] = [
    ("ufo-breadth-first", env!("CARGO_BIN_EXE_ufo-breadth-first")),
    ("ufo-depth-first", env!("CARGO_BIN_EXE_ufo-depth-first")),
];
const ALL: &str = env!("CARGO_BIN_EXE_ufo-all");
const RECOVER: &str = env!("CARGO_BIN_EXE_ufo-recover");

#[test]
fn entries_print_a_best_answer_on_one_line_or_an_empty_one() {
    let mut random = ChaCha8Rng::seed_from_u64(40);
    for (name, entry) in STRATEGIES {
        for problem in 0..40 {
            let shape = if problem % 4 == 0 { Shape::Cross } else { Shape::Square };
            let board = draw::problem(&mut random, shape, 1 + problem % 2, 4).to_string();
            let answer = printed(entry, &[&board_file(&format!("{name}-board"), &board)]);
            assert_eq!(answer.lines().count(), 1, "{name} {answer:?}");
            match naive::solve(&board) {
                None => assert_eq!(answer, "\n", "{name} on\n{board}"),
                Some((moves, steps, _)) => {
                    assert_eq!(naive::replay(&board, &answer), Ok((moves, steps)), "{name}: {answer} on\n{board}");
                }
            }
        }
    }
}

#[test]
fn the_sample_problem_has_the_articles_answer() {
    for (_, entry) in STRATEGIES {
        assert_eq!(printed(entry, &[&boards_folder().join("fig-1.txt")]), "X-DRU 1-DR X-D\n");
    }
}

#[test]
fn all_best_answers_are_listed_with_their_number() {
    // Fig. 3 no. 3 with X in 22, printed as 1 of 3.
    assert_eq!(
        printed(ALL, &[&boards_folder().join("fig-3-3-22.txt")]),
        "1-DR 3-DL X-DR\n1-DR 5-UL X-DR\n5-UL 1-DR X-DR\n3 moves, 6 steps, 3 such answers\n"
    );
    let unsolvable = board_file("unsolvable", "X.... ..... ..... ..... ....1");
    assert_eq!(printed(ALL, &[&unsolvable]), "no answer\n");
}

#[test]
fn an_entry_without_enough_time_prints_an_empty_answer() {
    // The best answer has twelve moves; the search reaches some hundred thousand positions.
    let board = "##...## ##...## .2..... 6...3Z. Y.....1 ##...## ##54X##";
    for (name, entry) in STRATEGIES {
        let answer = |milliseconds: &str| {
            let board = board_file(&format!("{name}-open"), board);
            let output = Command::new(entry).arg(&board).env("JUDGE_LIMIT_MS", milliseconds).output().unwrap();
            assert!(output.status.success(), "{name}");
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(answer("10"), "\n", "{name}");
        assert_eq!(naive::replay(board, &answer("600000")).map(|(moves, _)| moves), Ok(12), "{name}");
    }
}

#[test]
fn white_space_in_a_board_file_does_not_matter() {
    for (name, entry) in STRATEGIES {
        let board = fs::read_to_string(boards_folder().join("fig-1.txt")).unwrap();
        let rows = board_file(&format!("{name}-rows"), &board.replace('\n', "\r\n\n").replace('.', ". "));
        assert_eq!(printed(entry, &[&rows]), printed(entry, &[&board_file(&format!("{name}-plain"), &board)]));
    }
}

#[test]
fn invalid_boards_are_refused_with_a_reason() {
    let cases = [
        ("", "0 symbols; expected an odd number of rows, 3 to 255, each with as many symbols"),
        ("X.... ..... ..... ..... .....1", "26 symbols; expected an odd number of rows"),
        ("X... .... .... ....", "16 symbols; expected an odd number of rows"),
        ("... .X. 1..", "row 2, column 2: letter piece 'X' on the centre; start it on another square"),
        ("X.. ... 1.#", "row 3, column 3: unexpected '#'"),
        (
            "x.... ..... ..... ..... .....",
            "row 1, column 1: unexpected 'x'; use X Y Z, 1 to 9, or . for an empty square",
        ),
        ("0.... ..... ..... ..... .....", "row 1, column 1: unexpected '0'"),
        ("X.... .1... ....1 ..... .....", "row 3, column 5: duplicate piece '1'; give every piece once"),
        (
            "Y.... ..... ..X.. ..... .....",
            "row 3, column 3: letter piece 'X' on the centre; start it on another square",
        ),
        ("1.... ..... ..... ..... .....", "no letter piece; give at least one of X Y Z"),
        (
            "#....## ##...## ....... ....... ....... ##...## ##...##",
            "row 1, column 2: unexpected '.'; the cross has no square here, write #",
        ),
        ("..#.. ..... ..X.. ..... .....", "row 1, column 3: unexpected '#'"),
    ];
    for (name, program) in STRATEGIES.into_iter().chain([("ufo-all", ALL)]) {
        for (text, reason) in cases {
            assert_refused(&run(program, &[&board_file(&format!("bad-{name}"), text)]), reason);
        }
    }
}

#[test]
fn invalid_printed_statements_are_refused_with_a_reason() {
    let valid = "[[configuration]]\nname = \"1\"\nboard = \"5x5\"\ngroup = \"1-4\"\n";
    let answer = |answer: &str| format!("{valid}answers = [{{ letters = \"22\", answer = \"{answer}\" }}]");
    let cases = [
        (valid.replace("5x5", "6x6"), "configuration 1: unknown board `6x6`; use 5x5 or cross"),
        (
            valid.replace("1-4", "4-1"),
            "configuration 1: invalid group `4-1`; expected 1 to 3 letter pieces, -, 1 to 9 number pieces",
        ),
        (
            format!("{valid}unsolvable = \"22-23\""),
            "configuration 1: invalid placement `22-23`; expected 1 of the board's squares, such as 42-33",
        ),
        (answer("X-DRU 1"), "configuration 1: invalid move `1`; expected a piece, - and steps L R U D, such as X-DRU"),
        (answer("X-DRU 6-L"), "configuration 1: unknown piece `6`; a board of group 1-4 does not have it"),
        (format!("{valid}\n[[marks]]\nboards = [\"2\"]\nrows = [1]"), "marks of `2`: no configuration has this name"),
        (format!("{valid}\n[[marks]]\nboards = [\"1\"]\nrows = [1]"), "marks of `1`: give one total per row"),
        ("configuration = 1".to_owned(), "invalid type: integer `1`"),
    ];
    for (text, reason) in cases {
        let output = run(RECOVER, &[&board_file("printed.toml", &text)]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(reason), "{reason:?} is not in {message:?}");
    }
}

#[test]
fn a_printed_configuration_becomes_a_board() {
    let text = "[[configuration]]\nname = \"sample\"\nboard = \"5x5\"\ngroup = \"1-4\"\n\
                answers = [{ letters = \"22\", answer = \"X-DRU 1-DR X-D\" }]\n";
    let file = board_file("sample.toml", text);
    let folder = file.parent().unwrap();
    let board = ".12..\n.X...\n.....\n...3.\n.4...\n";
    assert_eq!(
        printed(RECOVER, &[&file, Path::new("--write"), folder]),
        format!(
            "sample: boards with playable answers: 1, with best answers: 1, with right significance: 1, with right \
             placements: 1, with right counts: 1; in the article's form and as marked: 1\n{board}\n"
        )
    );
    assert_eq!(fs::read_to_string(folder.join("fig-sample.txt")).unwrap(), board);
}
