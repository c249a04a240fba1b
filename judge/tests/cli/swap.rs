//! Frogs and toads through the command: boards made, shown and refused, answers ruled on.

use std::fs;

use insta::assert_snapshot;

use crate::support::{Folder, project, refused_answer, refused_board};

fn check(content: impl AsRef<[u8]>) -> String {
    refused_board("swap", content)
}

/// Of an answer to the board of three against three.
fn refused(answer: &str) -> String {
    refused_answer(
        "swap", "BBB.RRR
", answer,
    )
}

fn make(args: &[&str], code: i32) -> (String, String) {
    let made = ["boards", "make", "--game", "swap"].into_iter().chain(args.iter().copied());
    let folder = Folder::new();
    let printed = folder.judge(made).exits(code);
    (printed.message(), printed.stdout)
}

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    assert_snapshot!(check(""), @"board.txt: the board is empty: a row such as `BBB.RRR` is needed");
    assert_snapshot!(check(" \n\n"), @"board.txt: the board is empty: a row such as `BBB.RRR` is needed");
    assert_snapshot!(check("."), @"board.txt: row 1, column 1: unexpected `.`: a board begins with the black pieces, `B`");
    assert_snapshot!(check("BBB"), @"board.txt: row 1, column 4: the row ends here: the empty square, `.`, follows the black pieces");
    assert_snapshot!(check("BBBRRR"), @"board.txt: row 1, column 4: unexpected `R`: the empty square, `.`, follows the black pieces");
    assert_snapshot!(check("BBB..RRR"), @"board.txt: row 1, column 5: unexpected `.`: only the red pieces, `R`, follow the empty square");
    assert_snapshot!(check("BBB.RR"), @"board.txt: row 1, column 7: 3 black and 2 red pieces: their numbers must be equal");
    assert_snapshot!(check("BBB."), @"board.txt: row 1, column 5: 3 black and 0 red pieces: their numbers must be equal");
    assert_snapshot!(check("BB.RRR"), @"board.txt: row 1, column 6: 2 black and 3 red pieces: their numbers must be equal");
    assert_snapshot!(check("RRR.BBB"), @"board.txt: row 1, column 1: unexpected `R`: a board begins with the black pieces, `B`");
    assert_snapshot!(check("BB.BRRR"), @"board.txt: row 1, column 4: unexpected `B`: only the red pieces, `R`, follow the empty square");
    assert_snapshot!(check("BBB.RRRB"), @"board.txt: row 1, column 8: unexpected `B`: only the red pieces, `R`, follow the empty square");
    assert_snapshot!(check("BBB.rrr"), @"board.txt: row 1, column 5: unexpected `r`: only the red pieces, `R`, follow the empty square");
    assert_snapshot!(check("bbb.rrr"), @"board.txt: row 1, column 1: unexpected `b`: a board begins with the black pieces, `B`");
    assert_snapshot!(check("BBB_RRR"), @"board.txt: row 1, column 4: unexpected `_`: the empty square, `.`, follows the black pieces");
    assert_snapshot!(check("BB B.RRR"), @"board.txt: row 1, column 3: unexpected white space: the empty square, `.`, follows the black pieces");
    assert_snapshot!(check("\n BBB.RR\nR\n"), @"board.txt: row 2, column 8: unexpected white space: only the red pieces, `R`, follow the empty square");
    assert_snapshot!(check("BBB.RRR\nBBB.RRR\n"), @"board.txt: row 1, column 8: unexpected white space: only the red pieces, `R`, follow the empty square");
    assert_snapshot!(check("BBB.RR\0"), @r#"board.txt: row 1, column 7: unexpected `\x00`: only the red pieces, `R`, follow the empty square"#);
    assert_snapshot!(check(b"BB\xff.RRR"), @r#"board.txt: row 1, column 3: unexpected `\xff`: the empty square, `.`, follows the black pieces"#);
    assert_snapshot!(check("B".repeat((1 << 20) + 1)), @"board.txt: is larger than 1 MiB, the most allowed");
}

#[test]
fn white_space_around_the_row_does_not_matter() {
    let folder = Folder::new();
    folder.file("plain.txt", "B.R");
    folder.file("odd.txt", "\r\n\n  B.R\t\r\n\n");
    folder.judge(["boards", "check", "--game", "swap", "plain.txt", "odd.txt"]).exits(0);
}

#[test]
fn an_illegal_move_is_reported_with_its_number_the_pair_and_the_reason() {
    assert_snapshot!(refused("2 -> 3"), @"illegal move 1 `2 -> 3`: square 3 is taken by a black piece");
    assert_snapshot!(refused("3 -> 5"), @"illegal move 1 `3 -> 5`: square 5 is taken by a red piece");
    assert_snapshot!(refused("4 -> 3"), @"illegal move 1 `4 -> 3`: no piece is on square 4");
    assert_snapshot!(refused("3 -> 4 2 -> 3 3 -> 2"), @"illegal move 3 `3 -> 2`: black pieces only move right");
    assert_snapshot!(refused("3 -> 4 4 -> 3"), @"illegal move 2 `4 -> 3`: black pieces only move right");
    assert_snapshot!(refused("5 -> 4 4 -> 5"), @"illegal move 2 `4 -> 5`: red pieces only move left");
    assert_snapshot!(refused("2 -> 4"), @"illegal move 1 `2 -> 4`: a black piece cannot hop over another black one");
    assert_snapshot!(refused("6 -> 4"), @"illegal move 1 `6 -> 4`: a red piece cannot hop over another red one");
    assert_snapshot!(refused("1 -> 4"), @"illegal move 1 `1 -> 4`: too far: a piece moves one square, or two over a piece of the other colour");
    assert_snapshot!(refused("3 -> 4 5 -> 3 7 -> 5"), @"illegal move 3 `7 -> 5`: a red piece cannot hop over another red one");
    assert_snapshot!(refused("3 -> 4\n5 -> 8\n"), @"illegal move 2 `5 -> 8`: invalid square 8: the board has squares 1 to 7");
    assert_snapshot!(refused("0 -> 4"), @"illegal move 1 `0 -> 4`: invalid square 0: the board has squares 1 to 7");
    assert_snapshot!(refused("99999999999999999999999 -> 4"), @"illegal move 1 `99999999999999999999999 -> 4`: invalid square 99999999999999999999999: the board has squares 1 to 7");
    assert_snapshot!(refused(&format!("{} -> 4", "9".repeat(50))), @"illegal move 1 `9999999999999999999999999999999999999999…`: invalid square 9999999999999999999999999999999999999999…: the board has squares 1 to 7");
    assert_snapshot!(refused("3 -> 4\n5 -> three"), @"illegal move 2 `5 -> three`: unexpected `three`: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("1. 3 -> 4\n3. 5 -> 3"), @"illegal move 2 `3.`: this is move 2, not 3: number moves from 1, or leave the numbers out");
    assert_snapshot!(refused("1) 3 -> 4"), @"illegal move 1 `1)`: `->` must follow square 1: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("3 4"), @"illegal move 1 `3 4`: `->` must follow square 3: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("3 => 4"), @"illegal move 1 `3 =>`: `->` must follow square 3: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("3 - > 4"), @"illegal move 1 `3 -`: `->` must follow square 3: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("3 -> 4, 5 -> 3"), @"illegal move 1 `3 -> 4,`: unexpected `,` after the pair");
    assert_snapshot!(refused("3->4->5"), @"illegal move 1 `3->4->5`: unexpected `->5` after the pair");
    assert_snapshot!(refused("-> 4"), @"illegal move 1 `->`: unexpected `->`: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("-3 -> 4"), @"illegal move 1 `-3`: unexpected `-3`: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("Answer: 3 -> 4"), @"illegal move 1 `Answer:`: unexpected `Answer:`: a move is a pair such as 3 -> 4");
    assert_snapshot!(refused("3 → 4"), @r#"illegal move 1 `3 \xe2\x86\x92`: `->` must follow square 3: a move is a pair such as 3 -> 4"#);
    assert_snapshot!(refused("3 -> 4 5"), @"illegal move 2 `5`: the answer ends within this pair");
    assert_snapshot!(refused("3 -> 4 5 ->"), @"illegal move 2 `5 ->`: the answer ends within this pair");
    assert_snapshot!(refused(&"3".repeat(70_000)), @"illegal move 1 `3333333333333333333333333333333333333333…`: is longer than 65536 bytes");
}

#[test]
fn rulings_are_shown_with_the_row_at_that_moment() {
    let folder = Folder::new();
    folder.file("two.txt", "BB.RR\n");
    let ruled =
        |answer: &str, code: i32| folder.judge(["validate", "--game", "swap", "two.txt", answer]).exits(code).stdout;
    assert_snapshot!(ruled("2->3 4 ->2 5-> 4\n3\n->\n5 1 -> 3 2 -> 1 4 -> 2 3 -> 4", 0), @"solved: 4 of 4 pieces home, 8 moves, 4 hops");
    assert_snapshot!(ruled("2 -> 3 4 -> 2", 1), @r#"
    not solved: 1 of 4 pieces home, 2 moves, 1 hop; the board at the end:
         B [R] B [.] R
    "#);
    assert_snapshot!(ruled("2 -> 3 4 -> 2 4 -> 3", 1), @r#"
    illegal move 3 `4 -> 3`: no piece is on square 4
    until then: 1 of 4 pieces home, 2 moves, 1 hop; the board at that moment:
         B [R] B [.] R
    "#);
    let trace = folder.judge(["validate", "--game", "swap", "two.txt", "2 -> 3 4->2", "--trace"]).exits(1).stdout;
    assert_snapshot!(trace, @r#"
    0 of 4 pieces home, 0 moves, 0 hops
         B  B  .  R  R
    0 of 4 pieces home, 1 move, 0 hops
         B [.][B] R  R
    1 of 4 pieces home, 2 moves, 1 hop
         B [R] B [.] R
    not solved: 1 of 4 pieces home, 2 moves, 1 hop; the board at the end:
         B [R] B [.] R
    "#);
    let json = folder.judge(["validate", "--game", "swap", "two.txt", "2 -> 3 4 -> 5", "--json"]).exits(1).stdout;
    assert_snapshot!(json, @r###"{"game":"swap","verdict":"illegal_move","progress":0,"of":4,"moves":1,"tie_break":0,"failed_at":2,"reason":"`4 -> 5`: square 5 is taken by a red piece","final_board":"B.BRR"}"###);
    assert_snapshot!(folder.judge(["boards", "show", "--game", "swap", "two.txt"]).exits(0).stdout, @r#"
    two.txt: 0 of 4 pieces home
         B  B  .  R  R
    "#);
}

#[test]
fn a_board_is_made_by_its_size_alone() {
    assert_eq!(make(&["--size", "5"], 0).1, "BBBBB.RRRRR\n");
    assert_snapshot!(make(&["--size", "0"], 2).0, @"judge: --size must be 1 to 524287 pieces per colour, not 0");
    assert_snapshot!(make(&["--size", "524288"], 2).0, @"judge: --size must be 1 to 524287 pieces per colour, not 524288");
    assert_snapshot!(make(&["--random", "--seed", "1"], 2).0, @"judge: swap does not support --random: it has one board of each size; use --size N");
    assert_snapshot!(make(&["--phrase", "frogs"], 2).0, @"judge: swap does not support --phrase: it has one board of each size; use --size N");
    assert_snapshot!(make(&["--scramble", "3", "--seed", "1"], 2).0, @"judge: swap does not support --scramble: it has one board of each size; use --size N");
    assert_snapshot!(make(&["--size", "5", "--rule", "back=true"], 2).0, @"judge: invalid house rule: unknown field `back`; swap supports: no house rules");
}

#[test]
fn the_boards_of_the_project_are_those_of_their_sizes() {
    let folder = project().join("tests-boards/swap");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    let boards: Vec<_> =
        files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "txt")).collect();
    for file in &boards {
        let size = file.file_stem().unwrap().to_string_lossy();
        assert_eq!(make(&["--size", &size], 0).1, fs::read_to_string(file).unwrap());
        assert!(readme.contains(&format!("`{size}.txt`")), "{size} has no line in the README");
    }
    assert!(boards.len() >= 10);
}
