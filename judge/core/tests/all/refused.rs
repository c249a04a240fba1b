//! What boards and answers are refused for, in the words that people read: the place, what is there, what would be right.

use judge_core::game::{GeneratorError, GeneratorSpec};
use judge_core::referee;

use crate::game;

/// Boards of a game, each with its refusal.
macro_rules! boards {
    ($game:literal $($board:expr => $expected:expr;)+) => {
        for (board, expected) in [$((Vec::from($board), $expected)),+] {
            let found = game($game).parse(&board).map(drop).unwrap_err().to_string();
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(&board));
        }
    };
}

/// Answers to a board of a game, each with its refusal.
macro_rules! answers {
    ($game:literal $board:expr, $($answer:expr => $expected:expr;)+) => {
        let puzzle = game($game).parse($board.as_bytes()).unwrap();
        for (answer, expected) in [$((String::from($answer), $expected)),+] {
            let ruling = referee::rule(&*puzzle, answer.as_bytes()).unwrap();
            assert_eq!(ruling.illegal.unwrap().to_string(), expected, "{answer}");
        }
    };
}

const SHIFT: &str = "AXXB\nAXXB\nCDDE\nCFGE\nH..I\n";
const SQUARE: &str = ".12..\n.X...\n.....\n...3.\n.4...\n";
const CROSS: &str = "##...##\n##.X.##\n..1....\n.......\n...2...\n##...##\n##...##\n";

#[test]
fn boards_of_shift_are_refused_with_place_and_reason() {
    boards! { "shift"
        "" => "the board is empty: rows such as `AXXB` are needed";
        " \n\t\n" => "the board is empty: rows such as `AXXB` are needed";
        "goal 1 1\n" => "the board is empty: rows such as `AXXB` are needed";
        SHIFT.replace('X', "Y") => "block X, which must reach the goal, is missing";
        SHIFT.replace('G', "g") => "row 4, column 3: unexpected `g`: blocks are A to Z in capital letters, `.` is free";
        SHIFT.replace('G', "?") => "row 4, column 3: unexpected `?`: blocks are A to Z, `.` is free";
        SHIFT.replace('G', "\0") => r#"row 4, column 3: unexpected `\x00`: blocks are A to Z, `.` is free"#;
        SHIFT.replace('G', "é") => r#"row 4, column 3: unexpected `\xc3`: blocks are A to Z, `.` is free"#;
        SHIFT.replace("CDDE", "CDD") => "row 3, column 4: this row has 3 cells and the first one 4: all rows must have one length";
        SHIFT.replace("CDDE", "CDDE.") => "row 3, column 5: this row has 5 cells and the first one 4: all rows must have one length";
        SHIFT.replace('.', "") => "row 5, column 3: this row has 2 cells and the first one 4: all rows must have one length";
        "XX.......\n" => "row 1, column 9: a board has at most 8 columns";
        "X\n.\n.\n.\n.\n.\n.\n.\n.\n" => "row 9, column 1: a board has at most 8 rows";
        SHIFT.replace('I', "H") => "row 5, column 4: `H` is here and, separately, in row 5, column 1: each block is one piece and has its own letter";
        "AA.X\nA..X\n" => "row 2, column 2: block A is not a rectangle: it lacks this cell";
        "AAAX\nA.AX\nAAAX\n" => "row 2, column 2: block A is not a rectangle: it lacks this cell";
        "A..X\n.A.X\n" => "row 2, column 2: `A` is here and, separately, in row 1, column 1: each block is one piece and has its own letter";
        "X.A\nXXA\n" => "row 1, column 2: block X is not a rectangle: it lacks this cell";
        "AXX..\nAXX..\n.....\n" => "X is 2 wide and the board 5, so X cannot be at the bottom centre: end the board with a line that gives the goal of its top left corner, such as `goal 2 2`";
        "X.\n..\n" => "X is 1 wide and the board 2, so X cannot be at the bottom centre: end the board with a line that gives the goal of its top left corner, such as `goal 2 1`";
    }
}

#[test]
fn goals_of_shift_are_refused_with_their_form() {
    let form = "the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`";
    let with = |line: &str| format!("{SHIFT}{line}\n");
    boards! { "shift"
        with("goal") => form;
        with("goal 4") => form;
        with("goal 4 2 1") => form;
        with("goal four two") => form;
        with("goal -1 2") => form;
        with("goal 4 2\nJJJJ") => form;
        with("goal 5 2") => "the goal of X, row 5, column 2, is not on the board: its top left corner must be in rows 1 to 4, columns 1 to 3";
        with("goal 0 2") => "the goal of X, row 0, column 2, is not on the board: its top left corner must be in rows 1 to 4, columns 1 to 3";
        with("goal 4 99999999999999999999") => form;
        with("Goal 4 2") => "row 6, column 2: unexpected `o`: blocks are A to Z in capital letters, `.` is free";
    }
}

#[test]
fn answers_to_shift_are_refused_with_the_obstacle() {
    answers! { "shift" SHIFT,
        "G-DL G-D" => "illegal move 2 `G-D`: step 1 `D`: block G is at the edge of the board";
        "G-DR" => "illegal move 1 `G-DR`: step 2 `R`: block I is in the way, in row 5, column 4";
        "D-D" => "illegal move 1 `D-D`: step 1 `D`: block F is in the way, in row 4, column 2";
        "H-L" => "illegal move 1 `H-L`: step 1 `L`: block H is at the edge of the board";
        "A-U" => "illegal move 1 `A-U`: step 1 `U`: block A is at the edge of the board";
        "B-R" => "illegal move 1 `B-R`: step 1 `R`: block B is at the edge of the board";
        "Z-D" => "illegal move 1 `Z-D`: no block Z is on this board";
        "g-D" => "illegal move 1 `g-D`: unexpected `g`: blocks are the letters A to Z";
        "1-D" => "illegal move 1 `1-D`: unexpected `1`: blocks are the letters A to Z";
        "G-" => "illegal move 1 `G-`: a move needs at least one step: L, R, U or D";
        "G" => "illegal move 1 `G`: a move is a block, a dash and its steps, such as G-DR";
        "GD" => "illegal move 1 `GD`: a move is a block, a dash and its steps, such as G-DR";
        "G:D" => "illegal move 1 `G:D`: a move is a block, a dash and its steps, such as G-DR";
        "-D" => "illegal move 1 `-D`: a move is a block, a dash and its steps, such as G-DR";
        "G-d" => "illegal move 1 `G-d`: step 1 `d`: steps are L, R, U and D";
        "G-D-L" => "illegal move 1 `G-D-L`: step 2 `-`: steps are L, R, U and D";
        "G-D\u{e9}" => r#"illegal move 1 `G-D\xc3\xa9`: step 2 `\xc3`: steps are L, R, U and D"#;
        format!("G-{}", "DU".repeat(40) + "X") => "illegal move 1 `G-DUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDU…`: step 81 `X`: steps are L, R, U and D";
        format!("G-{}", "DU".repeat(40_000)) => "illegal move 1 `G-DUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDU…`: is longer than 65536 bytes";
    }
}

#[test]
fn boards_of_swap_are_refused_with_place_and_reason() {
    boards! { "swap"
        "" => "the board is empty: a row such as `BBB.RRR` is needed";
        " \n\n" => "the board is empty: a row such as `BBB.RRR` is needed";
        "." => "row 1, column 1: unexpected `.`: a board begins with the black pieces, `B`";
        "BBB" => "row 1, column 4: the row ends here: the empty square, `.`, follows the black pieces";
        "BBBRRR" => "row 1, column 4: unexpected `R`: the empty square, `.`, follows the black pieces";
        "BBB..RRR" => "row 1, column 5: unexpected `.`: only the red pieces, `R`, follow the empty square";
        "BBB.RR" => "row 1, column 7: 3 black and 2 red pieces: their numbers must be equal";
        "BBB." => "row 1, column 5: 3 black and 0 red pieces: their numbers must be equal";
        "BB.RRR" => "row 1, column 6: 2 black and 3 red pieces: their numbers must be equal";
        "RRR.BBB" => "row 1, column 1: unexpected `R`: a board begins with the black pieces, `B`";
        "BB.BRRR" => "row 1, column 4: unexpected `B`: only the red pieces, `R`, follow the empty square";
        "BBB.RRRB" => "row 1, column 8: unexpected `B`: only the red pieces, `R`, follow the empty square";
        "BBB.rrr" => "row 1, column 5: unexpected `r`: only the red pieces, `R`, follow the empty square";
        "bbb.rrr" => "row 1, column 1: unexpected `b`: a board begins with the black pieces, `B`";
        "BBB_RRR" => "row 1, column 4: unexpected `_`: the empty square, `.`, follows the black pieces";
        "BB B.RRR" => "row 1, column 3: unexpected white space: the empty square, `.`, follows the black pieces";
        "\n BBB.RR\nR\n" => "row 2, column 8: unexpected white space: only the red pieces, `R`, follow the empty square";
        "BBB.RRR\nBBB.RRR\n" => "row 1, column 8: unexpected white space: only the red pieces, `R`, follow the empty square";
        "BBB.RR\0" => r#"row 1, column 7: unexpected `\x00`: only the red pieces, `R`, follow the empty square"#;
        b"BB\xff.RRR" => r#"row 1, column 3: unexpected `\xff`: the empty square, `.`, follows the black pieces"#;
    }
}

#[test]
fn answers_to_swap_are_refused_with_their_number_the_pair_and_the_reason() {
    answers! { "swap" "BBB.RRR\n",
        "2 -> 3" => "illegal move 1 `2 -> 3`: square 3 is taken by a black piece";
        "3 -> 5" => "illegal move 1 `3 -> 5`: square 5 is taken by a red piece";
        "4 -> 3" => "illegal move 1 `4 -> 3`: no piece is on square 4";
        "3 -> 4 2 -> 3 3 -> 2" => "illegal move 3 `3 -> 2`: black pieces only move right";
        "3 -> 4 4 -> 3" => "illegal move 2 `4 -> 3`: black pieces only move right";
        "5 -> 4 4 -> 5" => "illegal move 2 `4 -> 5`: red pieces only move left";
        "2 -> 4" => "illegal move 1 `2 -> 4`: a black piece cannot hop over another black one";
        "6 -> 4" => "illegal move 1 `6 -> 4`: a red piece cannot hop over another red one";
        "1 -> 4" => "illegal move 1 `1 -> 4`: too far: a piece moves one square, or two over a piece of the other colour";
        "3 -> 4 5 -> 3 7 -> 5" => "illegal move 3 `7 -> 5`: a red piece cannot hop over another red one";
        "3 -> 4\n5 -> 8\n" => "illegal move 2 `5 -> 8`: invalid square 8: the board has squares 1 to 7";
        "0 -> 4" => "illegal move 1 `0 -> 4`: invalid square 0: the board has squares 1 to 7";
        "99999999999999999999999 -> 4" => "illegal move 1 `99999999999999999999999 -> 4`: invalid square 99999999999999999999999: the board has squares 1 to 7";
        format!("{} -> 4", "9".repeat(50)) => "illegal move 1 `9999999999999999999999999999999999999999…`: invalid square 9999999999999999999999999999999999999999…: the board has squares 1 to 7";
        "3 -> 4\n5 -> three" => "illegal move 2 `5 -> three`: unexpected `three`: a move is a pair such as 3 -> 4";
        "1. 3 -> 4\n3. 5 -> 3" => "illegal move 2 `3.`: this is move 2, not 3: number moves from 1, or leave the numbers out";
        "1) 3 -> 4" => "illegal move 1 `1)`: `->` must follow square 1: a move is a pair such as 3 -> 4";
        "3 4" => "illegal move 1 `3 4`: `->` must follow square 3: a move is a pair such as 3 -> 4";
        "3 => 4" => "illegal move 1 `3 =>`: `->` must follow square 3: a move is a pair such as 3 -> 4";
        "3 - > 4" => "illegal move 1 `3 -`: `->` must follow square 3: a move is a pair such as 3 -> 4";
        "3 -> 4, 5 -> 3" => "illegal move 1 `3 -> 4,`: unexpected `,` after the pair";
        "3->4->5" => "illegal move 1 `3->4->5`: unexpected `->5` after the pair";
        "-> 4" => "illegal move 1 `->`: unexpected `->`: a move is a pair such as 3 -> 4";
        "-3 -> 4" => "illegal move 1 `-3`: unexpected `-3`: a move is a pair such as 3 -> 4";
        "Answer: 3 -> 4" => "illegal move 1 `Answer:`: unexpected `Answer:`: a move is a pair such as 3 -> 4";
        "3 → 4" => r#"illegal move 1 `3 \xe2\x86\x92`: `->` must follow square 3: a move is a pair such as 3 -> 4"#;
        "3 -> 4 5" => "illegal move 2 `5`: the answer ends within this pair";
        "3 -> 4 5 ->" => "illegal move 2 `5 ->`: the answer ends within this pair";
        "3".repeat(70_000) => "illegal move 1 `3333333333333333333333333333333333333333…`: is longer than 65536 bytes";
    }
}

#[test]
fn boards_of_ufo_are_refused_with_place_and_reason() {
    boards! { "ufo"
        "" => "the board is empty: 5 rows of 5 cells, or another odd number, are needed";
        " \n\n" => "the board is empty: 5 rows of 5 cells, or another odd number, are needed";
        "......\n" => "row 1, column 7: the row ends here: a board has an odd number of rows, 3 to 255, each with as many cells and without spaces";
        ". 1 2 . .\n" => "row 1, column 2: the row ends here: a board has an odd number of rows, 3 to 255, each with as many cells and without spaces";
        ".12..\n.X...\n" => "row 3, column 1: the board ends after 2 of 5 rows";
        SQUARE.replace(".X...", ".X..") => "row 2, column 5: the row ends after 4 of 5 cells";
        SQUARE.replace(".X...", ".X....") => "row 2, column 6: the row has more than 5 cells";
        SQUARE.to_owned() + "....." => "row 6, column 1: unexpected `.` after the last of 5 rows";
        SQUARE.replace('X', ".") => "no letter piece is on the board: X, Y or Z is needed";
        SQUARE.replace('X', "1") => "row 2, column 2: duplicate `1`, first used in row 1, column 2";
        SQUARE.replace('3', "X") => "row 4, column 4: duplicate `X`, first used in row 2, column 2";
        SQUARE.replace(".....", "..Y..") => "row 3, column 3: unexpected `Y` on the centre, where letter pieces leave the board";
        SQUARE.replace('X', "x") => "row 2, column 2: unexpected `x`: pieces are X, Y, Z in capital letters and 1 to 9, `.` is empty";
        SQUARE.replace('3', "0") => "row 4, column 4: unexpected `0`: pieces are X, Y, Z and 1 to 9, `.` is empty";
        SQUARE.replace('3', "A") => "row 4, column 4: unexpected `A`: pieces are X, Y, Z and 1 to 9, `.` is empty";
        SQUARE.replace(".....", "#....") => "row 3, column 1: unexpected `#`: it fills the corners of the cross, and this is a square";
        SQUARE.replace("...3.", "..\0.3") => r#"row 4, column 3: unexpected `\x00`: pieces are X, Y, Z and 1 to 9, `.` is empty"#;
        [&b".12..\n\xff"[..], SQUARE.as_bytes()].concat() => r#"row 2, column 1: unexpected `\xff`: pieces are X, Y, Z and 1 to 9, `.` is empty"#;
        CROSS.replacen("##...##", ".......", 1) => "row 1, column 1: unexpected `.` in a corner of the cross: write `#`";
        CROSS.replacen("##...##", "#3...##", 1) => "row 1, column 2: unexpected `3` in a corner of the cross: write `#`";
        CROSS.replacen(".......", "...Y...", 1) => "row 4, column 4: unexpected `Y` on the centre, where letter pieces leave the board";
        CROSS.replacen(".......", "#......", 1) => "row 4, column 1: unexpected `#`: it fills the corners of the cross, and this is a square";
        CROSS.replacen("##...##\n", "##...##", 1) => "row 1, column 15: the row ends here: a board has an odd number of rows, 3 to 255, each with as many cells and without spaces";
        CROSS.replacen("...2...\n", "...2..\n", 1) => "row 5, column 7: the row ends after 6 of 7 cells";
        &CROSS[..40] => "row 6, column 1: the board ends after 5 of 7 rows";
        CROSS.to_owned() + "7" => "row 8, column 1: unexpected `7` after the last of 7 rows";
    }
}

#[test]
fn answers_to_ufo_are_refused_with_the_move_and_the_reason() {
    answers! { "ufo" SQUARE,
        "5-D" => "illegal move 1 `5-D`: no piece 5 is on this board";
        "X-DRU Y-D" => "illegal move 2 `Y-D`: no piece Y is on this board";
        "X-DRU 1-DR X-D X-U" => "illegal move 4 `X-U`: piece X has left the board";
        "X-U" => "illegal move 1 `X-U`: step 1 `U`: it cannot leave 22: piece 1 is on the next square";
        "X-R" => "illegal move 1 `X-R`: step 1 `R`: no piece right of 22 stops it";
        "1-L" => "illegal move 1 `1-L`: step 1 `L`: no piece left of 12 stops it";
        "4-U 4-D" => "illegal move 2 `4-D`: step 1 `D`: no piece below 32 stops it";
        "2-U" => "illegal move 1 `2-U`: step 1 `U`: no piece above 13 stops it";
        "X-DRL" => "illegal move 1 `X-DRL`: step 3 `L`: a move continues only with a turn of 90 degrees";
        "X-DD" => "illegal move 1 `X-DD`: step 2 `D`: a move continues only with a turn of 90 degrees";
        "X-DRU 1-DR X-DR" => "illegal move 3 `X-DR`: step 2 `R`: piece X left the board when it stopped on the centre, which ended its move";
        "X-DrU" => "illegal move 1 `X-DrU`: step 2 `r`: steps are L, R, U and D";
        "x-DRU" => "illegal move 1 `x-DRU`: unexpected `x`: pieces are X, Y, Z and 1 to 9";
        "0-D" => "illegal move 1 `0-D`: unexpected `0`: pieces are X, Y, Z and 1 to 9";
        "\0-D" => r#"illegal move 1 `\x00-D`: unexpected `\x00`: pieces are X, Y, Z and 1 to 9"#;
        "X-" => "illegal move 1 `X-`: a move needs at least one step: L, R, U or D";
        "XDRU" => "illegal move 1 `XDRU`: a move is a piece, a dash and its steps, such as X-DRU";
        "X -DRU" => "illegal move 1 `X`: a move is a piece, a dash and its steps, such as X-DRU";
        "X-DRU, 1-DR" => "illegal move 1 `X-DRU,`: step 4 `,`: steps are L, R, U and D";
        "1. X-DRU" => "illegal move 1 `1.`: a move is a piece, a dash and its steps, such as X-DRU";
        "Answer: X-DRU" => "illegal move 1 `Answer:`: a move is a piece, a dash and its steps, such as X-DRU";
        "X–DRU" => r#"illegal move 1 `X\xe2\x80\x93DRU`: a move is a piece, a dash and its steps, such as X-DRU"#;
        format!("X-{}", "DRU".repeat(20)) => "illegal move 1 `X-DRUDRUDRUDRUDRUDRUDRUDRUDRUDRUDRUDRUDR…`: step 4 `D`: a move continues only with a turn of 90 degrees";
        "X-D".repeat(30_000) => "illegal move 1 `X-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX…`: is longer than 65536 bytes";
    }
    answers! { "ufo" CROSS,
        "X-L" => "illegal move 1 `X-L`: step 1 `L`: no piece left of 24 stops it";
        "1-D" => "illegal move 1 `1-D`: step 1 `D`: no piece below 33 stops it";
    }
}

#[test]
fn white_space_between_the_rows_of_a_board_does_not_matter() {
    let lines = |text: &str, between: &str| text.replace('\n', between);
    for (name, text) in [
        ("shift", lines(SHIFT, "\r\n")),
        ("shift", lines(SHIFT, " ")),
        ("shift", format!("\n\n{}\n\n", lines(SHIFT, "\n\n"))),
        ("shift", format!("{SHIFT}goal 4 2")),
        ("swap", "B.R".to_owned()),
        ("swap", "\r\n\n  B.R\t\r\n\n".to_owned()),
        ("ufo", ".12.. .X... ..... ...3. .4...".to_owned()),
        ("ufo", "\n\t.12..\r\n.X...\n\n.....\r\n...3. .4...".to_owned()),
        ("ufo", CROSS.to_owned()),
    ] {
        let puzzle = game(name).parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        if name == "shift" {
            let ruling = referee::rule(&*puzzle, &b"G-DL F-R"[..]).unwrap();
            assert_eq!((ruling.illegal, ruling.score.moves), (None, 2), "{text:?}");
        }
    }
}

#[test]
fn boards_that_cannot_be_drawn_are_refused_with_what_can() {
    let drawn = |pieces: Option<&str>| {
        game("ufo").make(&GeneratorSpec::Random { seed: 7, pieces: pieces.map(str::to_owned) }).map_err(|error| {
            match error {
                GeneratorError::InvalidValue { reason, .. } => reason,
                other => panic!("{other:?}"),
            }
        })
    };
    assert_eq!(drawn(None), drawn(Some("1-5")));
    for pieces in ["4-4", "1-0", "1-10", "round:1-5", "two"] {
        let expected = format!("{pieces}: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, ");
        assert!(drawn(Some(pieces)).unwrap_err().starts_with(&expected), "{pieces}");
    }
    let none = [
        GeneratorSpec::Phrase("x".into()),
        GeneratorSpec::Size(5),
        GeneratorSpec::Scramble { moves: 5, seed: 1 },
        GeneratorSpec::Random { seed: 1, pieces: None },
    ];
    for (name, supported) in [
        ("shift", [false, false, true, false]),
        ("swap", [false, true, false, false]),
        ("ufo", [false, false, false, true]),
    ] {
        for (spec, supported) in none.iter().zip(supported) {
            let made = game(name).make(spec);
            let refused = matches!(&made, Err(GeneratorError::Unsupported { .. }));
            assert_eq!((made.is_ok(), refused), (supported, !supported), "{name} {spec:?}");
        }
    }
}
