//! UFO through the command: boards made, shown and refused, answers ruled on.

use insta::assert_snapshot;

use crate::support::{Folder, project, refused_answer, refused_board};

const CROSS: &str = "##...##\n##.X.##\n..1....\n.......\n...2...\n##...##\n##...##\n";

fn figure_1() -> String {
    project().join("tests-boards/ufo/fig-1.txt").display().to_string()
}

fn check(content: impl AsRef<[u8]>) -> String {
    refused_board("ufo", content)
}

fn refused(board: &str, answer: &str) -> String {
    refused_answer("ufo", board, answer)
}

fn make(args: &[&str], code: i32) -> (String, String) {
    let made = ["boards", "make", "--game", "ufo"].into_iter().chain(args.iter().copied());
    let folder = Folder::new();
    let printed = folder.judge(made).exits(code);
    (printed.message(), printed.stdout)
}

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    let good = ".12..\n.X...\n.....\n...3.\n.4...\n";
    assert_snapshot!(check(""), @"board.txt: the board is empty: 5 rows of 5 cells, or another odd number, are needed");
    assert_snapshot!(check(" \n\n"), @"board.txt: the board is empty: 5 rows of 5 cells, or another odd number, are needed");
    assert_snapshot!(check("......\n"), @"board.txt: row 1, column 7: the row ends here: a board has an odd number of rows, 3 to 255, each with as many cells and without spaces");
    assert_snapshot!(check(". 1 2 . .\n"), @"board.txt: row 1, column 2: the row ends here: a board has an odd number of rows, 3 to 255, each with as many cells and without spaces");
    assert_snapshot!(check(".12..\n.X...\n"), @"board.txt: row 3, column 1: the board ends after 2 of 5 rows");
    assert_snapshot!(check(good.replace(".X...", ".X..")), @"board.txt: row 2, column 5: the row ends after 4 of 5 cells");
    assert_snapshot!(check(good.replace(".X...", ".X....")), @"board.txt: row 2, column 6: the row has more than 5 cells");
    assert_snapshot!(check(good.to_owned() + "....."), @"board.txt: row 6, column 1: unexpected `.` after the last of 5 rows");
    assert_snapshot!(check(good.replace('X', ".")), @"board.txt: no letter piece is on the board: X, Y or Z is needed");
    assert_snapshot!(check(good.replace('X', "1")), @"board.txt: row 2, column 2: duplicate `1`, first used in row 1, column 2");
    assert_snapshot!(check(good.replace('3', "X")), @"board.txt: row 4, column 4: duplicate `X`, first used in row 2, column 2");
    assert_snapshot!(check(good.replace(".....", "..Y..")), @"board.txt: row 3, column 3: unexpected `Y` on the centre, where letter pieces leave the board");
    assert_snapshot!(check(good.replace('X', "x")), @"board.txt: row 2, column 2: unexpected `x`: pieces are X, Y, Z in capital letters and 1 to 9, `.` is empty");
    assert_snapshot!(check(good.replace('3', "0")), @"board.txt: row 4, column 4: unexpected `0`: pieces are X, Y, Z and 1 to 9, `.` is empty");
    assert_snapshot!(check(good.replace('3', "A")), @"board.txt: row 4, column 4: unexpected `A`: pieces are X, Y, Z and 1 to 9, `.` is empty");
    assert_snapshot!(check(good.replace(".....", "#....")), @"board.txt: row 3, column 1: unexpected `#`: it fills the corners of the cross, and this is a square");
    assert_snapshot!(check(good.replace("...3.", "..\0.3")), @r#"board.txt: row 4, column 3: unexpected `\x00`: pieces are X, Y, Z and 1 to 9, `.` is empty"#);
    assert_snapshot!(check([&b".12..\n\xff"[..], good.as_bytes()].concat()), @r#"board.txt: row 2, column 1: unexpected `\xff`: pieces are X, Y, Z and 1 to 9, `.` is empty"#);
    assert_snapshot!(check(CROSS.replacen("##...##", ".......", 1)), @"board.txt: row 1, column 1: unexpected `.` in a corner of the cross: write `#`");
    assert_snapshot!(check(CROSS.replacen("##...##", "#3...##", 1)), @"board.txt: row 1, column 2: unexpected `3` in a corner of the cross: write `#`");
    assert_snapshot!(check(CROSS.replacen(".......", "...Y...", 1)), @"board.txt: row 4, column 4: unexpected `Y` on the centre, where letter pieces leave the board");
    assert_snapshot!(check(CROSS.replacen(".......", "#......", 1)), @"board.txt: row 4, column 1: unexpected `#`: it fills the corners of the cross, and this is a square");
    assert_snapshot!(check(CROSS.replacen("##...##\n", "##...##", 1)), @"board.txt: row 1, column 15: the row ends here: a board has an odd number of rows, 3 to 255, each with as many cells and without spaces");
    assert_snapshot!(check(CROSS.replacen("...2...\n", "...2..\n", 1)), @"board.txt: row 5, column 7: the row ends after 6 of 7 cells");
    assert_snapshot!(check(&CROSS[..40]), @"board.txt: row 6, column 1: the board ends after 5 of 7 rows");
    assert_snapshot!(check(CROSS.to_owned() + "7"), @"board.txt: row 8, column 1: unexpected `7` after the last of 7 rows");
    assert_snapshot!(check(".".repeat((1 << 20) + 1)), @"board.txt: is larger than 1 MiB, the most allowed");
}

#[test]
fn rows_are_separated_by_any_white_space() {
    let folder = Folder::new();
    folder.file("line.txt", ".12.. .X... ..... ...3. .4...");
    folder.file("odd.txt", "\n\t.12..\r\n.X...\n\n.....\r\n...3. .4...");
    folder.file("cross.txt", CROSS);
    folder.judge(["boards", "check", "--game", "ufo", "line.txt", "odd.txt", "cross.txt"]).exits(0);
}

#[test]
fn an_illegal_move_is_reported_with_its_position_the_word_and_the_reason() {
    let board = ".12..\n.X...\n.....\n...3.\n.4...\n";
    assert_snapshot!(refused(board, "5-D"), @"illegal move 1 `5-D`: no piece 5 is on this board");
    assert_snapshot!(refused(board, "X-DRU Y-D"), @"illegal move 2 `Y-D`: no piece Y is on this board");
    assert_snapshot!(refused(board, "X-DRU 1-DR X-D X-U"), @"illegal move 4 `X-U`: piece X has left the board");
    assert_snapshot!(refused(board, "X-U"), @"illegal move 1 `X-U`: step 1 `U`: it cannot leave 22: piece 1 is on the next square");
    assert_snapshot!(refused(board, "X-R"), @"illegal move 1 `X-R`: step 1 `R`: no piece right of 22 stops it");
    assert_snapshot!(refused(board, "1-L"), @"illegal move 1 `1-L`: step 1 `L`: no piece left of 12 stops it");
    assert_snapshot!(refused(board, "4-U 4-D"), @"illegal move 2 `4-D`: step 1 `D`: no piece below 32 stops it");
    assert_snapshot!(refused(board, "2-U"), @"illegal move 1 `2-U`: step 1 `U`: no piece above 13 stops it");
    assert_snapshot!(refused(board, "X-DRL"), @"illegal move 1 `X-DRL`: step 3 `L`: a move continues only with a turn of 90 degrees");
    assert_snapshot!(refused(board, "X-DD"), @"illegal move 1 `X-DD`: step 2 `D`: a move continues only with a turn of 90 degrees");
    assert_snapshot!(refused(board, "X-DRU 1-DR X-DR"), @"illegal move 3 `X-DR`: step 2 `R`: piece X left the board when it stopped on the centre, which ended its move");
    assert_snapshot!(refused(board, "X-DrU"), @"illegal move 1 `X-DrU`: step 2 `r`: steps are L, R, U and D");
    assert_snapshot!(refused(board, "x-DRU"), @"illegal move 1 `x-DRU`: unexpected `x`: pieces are X, Y, Z and 1 to 9");
    assert_snapshot!(refused(board, "0-D"), @"illegal move 1 `0-D`: unexpected `0`: pieces are X, Y, Z and 1 to 9");
    assert_snapshot!(refused(board, "\0-D"), @r#"illegal move 1 `\x00-D`: unexpected `\x00`: pieces are X, Y, Z and 1 to 9"#);
    assert_snapshot!(refused(board, "X-"), @"illegal move 1 `X-`: a move needs at least one step: L, R, U or D");
    assert_snapshot!(refused(board, "XDRU"), @"illegal move 1 `XDRU`: a move is a piece, a dash and its steps, such as X-DRU");
    assert_snapshot!(refused(board, "X -DRU"), @"illegal move 1 `X`: a move is a piece, a dash and its steps, such as X-DRU");
    assert_snapshot!(refused(board, "X-DRU, 1-DR"), @"illegal move 1 `X-DRU,`: step 4 `,`: steps are L, R, U and D");
    assert_snapshot!(refused(board, "1. X-DRU"), @"illegal move 1 `1.`: a move is a piece, a dash and its steps, such as X-DRU");
    assert_snapshot!(refused(board, "Answer: X-DRU"), @"illegal move 1 `Answer:`: a move is a piece, a dash and its steps, such as X-DRU");
    assert_snapshot!(refused(board, "X–DRU"), @r#"illegal move 1 `X\xe2\x80\x93DRU`: a move is a piece, a dash and its steps, such as X-DRU"#);
    assert_snapshot!(refused(board, &format!("X-{}", "DRU".repeat(20))), @"illegal move 1 `X-DRUDRUDRUDRUDRUDRUDRUDRUDRUDRUDRUDRUDR…`: step 4 `D`: a move continues only with a turn of 90 degrees");
    assert_snapshot!(refused(board, &"X-D".repeat(30_000)), @"illegal move 1 `X-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX-DX…`: is longer than 65536 bytes");
    assert_snapshot!(refused(CROSS, "X-L"), @"illegal move 1 `X-L`: step 1 `L`: no piece left of 24 stops it");
    assert_snapshot!(refused(CROSS, "1-D"), @"illegal move 1 `1-D`: step 1 `D`: no piece below 33 stops it");
}

#[test]
fn rulings_are_shown_with_the_board_at_that_moment() {
    let folder = Folder::new();
    folder.file("cross.txt", CROSS);
    let ruled =
        |answer: &str, code: i32| folder.judge(["validate", "--game", "ufo", "cross.txt", answer]).exits(code).stdout;
    assert_snapshot!(ruled("X-D", 0), @"solved: 1 of 1 letter pieces out, 1 move, 1 step");
    // A solved board stays solved; moves after that count as well.
    folder.file("more.txt", ".12..\n.X...\n.....\n...3.\n.4...\n");
    let more = folder.judge(["validate", "--game", "ufo", "more.txt", "X-DRU 1-DR X-D 2-D"]).exits(0).stdout;
    assert_snapshot!(more, @"solved: 1 of 1 letter pieces out, 4 moves, 7 steps");
    assert_snapshot!(ruled("", 1), @r#"
    not solved: 0 of 1 letter pieces out, 0 moves, 0 steps; the board at the end:
               .  .  .
               .  X  .
         .  .  1  .  .  .  .
         .  .  .  .  .  .  .
         .  .  .  2  .  .  .
               .  .  .
               .  .  .
    "#);
    assert_snapshot!(ruled("X-R", 1), @r#"
    illegal move 1 `X-R`: step 1 `R`: no piece right of 24 stops it
    until then: 0 of 1 letter pieces out, 0 moves, 0 steps; the board at that moment:
               .  .  .
               .  X  .
         .  .  1  .  .  .  .
         .  .  .  .  .  .  .
         .  .  .  2  .  .  .
               .  .  .
               .  .  .
    "#);
    let figure =
        |answer: &str, code: i32| folder.judge(["validate", "--game", "ufo", &figure_1(), answer]).exits(code).stdout;
    assert_snapshot!(figure("X-DRU 1-DR X-D", 0), @"solved: 1 of 1 letter pieces out, 3 moves, 6 steps");
    assert_snapshot!(figure("X-DRU 1-DR", 1), @r#"
    not solved: 0 of 1 letter pieces out, 2 moves, 5 steps; the board at the end:
         . [.] 2  .  .
         .  .  X  .  .
         .  .  .  .  .
         .  . [1] 3  .
         .  4  .  .  .
    "#);
    assert_snapshot!(figure("X-DRU 1-DR 1-D", 1), @r#"
    illegal move 3 `1-D`: step 1 `D`: no piece below 43 stops it
    until then: 0 of 1 letter pieces out, 2 moves, 5 steps; the board at that moment:
         . [.] 2  .  .
         .  .  X  .  .
         .  .  .  .  .
         .  . [1] 3  .
         .  4  .  .  .
    "#);
    let trace = folder.judge(["validate", "--game", "ufo", &figure_1(), "X-DRU 1-DR X-D", "--trace"]).exits(0).stdout;
    assert_snapshot!(trace, @r#"
    0 of 1 letter pieces out, 0 moves, 0 steps
         .  1  2  .  .
         .  X  .  .  .
         .  .  .  .  .
         .  .  .  3  .
         .  4  .  .  .
    0 of 1 letter pieces out, 1 move, 3 steps
         .  1  2  .  .
         . [.][X] .  .
         .  .  .  .  .
         .  .  .  3  .
         .  4  .  .  .
    0 of 1 letter pieces out, 2 moves, 5 steps
         . [.] 2  .  .
         .  .  X  .  .
         .  .  .  .  .
         .  . [1] 3  .
         .  4  .  .  .
    1 of 1 letter pieces out, 3 moves, 6 steps
         .  .  2  .  .
         .  . [.] .  .
         .  . [.] .  .
         .  .  1  3  .
         .  4  .  .  .
    solved: 1 of 1 letter pieces out, 3 moves, 6 steps
    "#);
    let json = folder.judge(["validate", "--game", "ufo", "cross.txt", "X-D X-D", "--json"]).exits(1).stdout;
    assert_snapshot!(json, @r###"{"game":"ufo","verdict":"illegal_move","progress":1,"of":1,"moves":1,"tie_break":1,"failed_at":2,"reason":"`X-D`: piece X has left the board","final_board":"##...## ##...## ..1.... ....... ...2... ##...## ##...##"}"###);
    assert_snapshot!(folder.judge(["boards", "show", "--game", "ufo", "cross.txt"]).exits(0).stdout, @r#"
    cross.txt: 0 of 1 letter pieces out
               .  .  .
               .  X  .
         .  .  1  .  .  .  .
         .  .  .  .  .  .  .
         .  .  .  2  .  .  .
               .  .  .
               .  .  .
    "#);
}

#[test]
fn boards_are_made_by_their_pieces() {
    assert_snapshot!(make(&["--random", "--pieces", "2-4", "--seed", "7"], 0).1, @r#"
    1.2..
    .3...
    .....
    .....
    X4..Y
    "#);
    assert_snapshot!(make(&["--random", "--pieces", "cross:2-4", "--seed", "7"], 0).1, @r#"
    ##1..##
    ##...##
    2X...3.
    .......
    ......4
    ##.Y.##
    ##...##
    "#);
    assert_eq!(make(&["--random", "--seed", "7"], 0), make(&["--random", "--pieces", "1-5", "--seed", "7"], 0));
    assert_snapshot!(make(&["--random", "--pieces", "4-4", "--seed", "7"], 2).0, @"judge: --pieces 4-4: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4 (odd sizes up to 15x15)");
    assert_snapshot!(make(&["--random", "--pieces", "1-0", "--seed", "7"], 2).0, @"judge: --pieces 1-0: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4 (odd sizes up to 15x15)");
    assert_snapshot!(make(&["--random", "--pieces", "1-10", "--seed", "7"], 2).0, @"judge: --pieces 1-10: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4 (odd sizes up to 15x15)");
    assert_snapshot!(make(&["--random", "--pieces", "round:1-5", "--seed", "7"], 2).0, @"judge: --pieces round:1-5: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4 (odd sizes up to 15x15)");
    assert_snapshot!(make(&["--random", "--pieces", "two", "--seed", "7"], 2).0, @"judge: --pieces two: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4 (odd sizes up to 15x15)");
    assert_snapshot!(make(&["--size", "5"], 2).0, @"judge: ufo does not support --size: its boards are drawn from pieces and a seed; use --random (drawn until some piece can move and every letter piece might get out), --pieces LETTERS-NUMBERS, after cross: or a size such as 9x9: for another board than 5x5 (default 1-5)");
    assert_snapshot!(make(&["--phrase", "ufo"], 2).0, @"judge: ufo does not support --phrase: its boards are drawn from pieces and a seed; use --random (drawn until some piece can move and every letter piece might get out), --pieces LETTERS-NUMBERS, after cross: or a size such as 9x9: for another board than 5x5 (default 1-5)");
    assert_snapshot!(make(&["--scramble", "5", "--seed", "1"], 2).0, @"judge: ufo does not support --scramble: its boards are drawn from pieces and a seed; use --random (drawn until some piece can move and every letter piece might get out), --pieces LETTERS-NUMBERS, after cross: or a size such as 9x9: for another board than 5x5 (default 1-5)");
    assert_snapshot!(make(&["--random", "--seed", "1", "--rule", "wrap=true"], 2).0, @"judge: invalid house rule: unknown field `wrap`; ufo supports: no house rules");
}
