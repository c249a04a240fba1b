//! SHIFT through the command: boards made, shown and refused, answers ruled on, its contest.

use std::fs;

use insta::assert_snapshot;
use judge_contest::{Contest, Overrides};

use crate::support::{Folder, project, refused_answer, refused_board};

const CLASSIC: &str = "AXXB\nAXXB\nCDDE\nCFGE\nH..I\n";

fn check(content: impl AsRef<[u8]>) -> String {
    refused_board("shift", content)
}

/// Of an answer to the classic board.
fn refused(answer: &str) -> String {
    refused_answer("shift", CLASSIC, answer)
}

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    assert_snapshot!(check(""), @"board.txt: the board is empty: rows such as `AXXB` are needed");
    assert_snapshot!(check(" \n\t\n"), @"board.txt: the board is empty: rows such as `AXXB` are needed");
    assert_snapshot!(check("goal 1 1\n"), @"board.txt: the board is empty: rows such as `AXXB` are needed");
    assert_snapshot!(check(CLASSIC.replace('X', "Y")), @"board.txt: block X, which must reach the goal, is missing");
    assert_snapshot!(check(CLASSIC.replace('G', "g")), @"board.txt: row 4, column 3: unexpected `g`: blocks are A to Z in capital letters, `.` is free");
    assert_snapshot!(check(CLASSIC.replace('G', "?")), @"board.txt: row 4, column 3: unexpected `?`: blocks are A to Z, `.` is free");
    assert_snapshot!(check(CLASSIC.replace('G', "\0")), @r#"board.txt: row 4, column 3: unexpected `\x00`: blocks are A to Z, `.` is free"#);
    assert_snapshot!(check(CLASSIC.replace('G', "é")), @r#"board.txt: row 4, column 3: unexpected `\xc3`: blocks are A to Z, `.` is free"#);
    assert_snapshot!(check(CLASSIC.replace("CDDE", "CDD")), @"board.txt: row 3, column 4: this row has 3 cells and the first one 4: all rows must have one length");
    assert_snapshot!(check(CLASSIC.replace("CDDE", "CDDE.")), @"board.txt: row 3, column 5: this row has 5 cells and the first one 4: all rows must have one length");
    assert_snapshot!(check(CLASSIC.replace('.', "")), @"board.txt: row 5, column 3: this row has 2 cells and the first one 4: all rows must have one length");
    assert_snapshot!(check("XX.......\n"), @"board.txt: row 1, column 9: a board has at most 8 columns");
    assert_snapshot!(check("X\n.\n.\n.\n.\n.\n.\n.\n.\n"), @"board.txt: row 9, column 1: a board has at most 8 rows");
    assert_snapshot!(check("A".repeat((1 << 20) + 1)), @"board.txt: is larger than 1 MiB, the most allowed");
}

#[test]
fn a_block_that_is_no_rectangle_is_refused() {
    assert_snapshot!(check(CLASSIC.replace('I', "H")), @"board.txt: row 5, column 4: `H` is here and, separately, in row 5, column 1: each block is one piece and has its own letter");
    assert_snapshot!(check("AA.X\nA..X\n"), @"board.txt: row 2, column 2: block A is not a rectangle: it lacks this cell");
    assert_snapshot!(check("AAAX\nA.AX\nAAAX\n"), @"board.txt: row 2, column 2: block A is not a rectangle: it lacks this cell");
    assert_snapshot!(check("A..X\n.A.X\n"), @"board.txt: row 2, column 2: `A` is here and, separately, in row 1, column 1: each block is one piece and has its own letter");
    assert_snapshot!(check("X.A\nXXA\n"), @"board.txt: row 1, column 2: block X is not a rectangle: it lacks this cell");
}

#[test]
fn a_goal_that_cannot_be_is_refused() {
    let with = |line: &str| check(format!("{CLASSIC}{line}\n"));
    assert_snapshot!(check("AXX..\nAXX..\n.....\n"), @"board.txt: X is 2 wide and the board 5, so X cannot be at the bottom centre: end the board with a line that gives the goal of its top left corner, such as `goal 2 2`");
    assert_snapshot!(check("X.\n..\n"), @"board.txt: X is 1 wide and the board 2, so X cannot be at the bottom centre: end the board with a line that gives the goal of its top left corner, such as `goal 2 1`");
    assert_snapshot!(with("goal"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("goal 4"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("goal 4 2 1"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("goal four two"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("goal -1 2"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("goal 4 2\nJJJJ"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("goal 5 2"), @"board.txt: the goal of X, row 5, column 2, is not on the board: its top left corner must be in rows 1 to 4, columns 1 to 3");
    assert_snapshot!(with("goal 0 2"), @"board.txt: the goal of X, row 0, column 2, is not on the board: its top left corner must be in rows 1 to 4, columns 1 to 3");
    assert_snapshot!(with("goal 4 99999999999999999999"), @"board.txt: the goal line must be the last one and have the form `goal ROW COLUMN`, such as `goal 4 2`");
    assert_snapshot!(with("Goal 4 2"), @"board.txt: row 6, column 2: unexpected `o`: blocks are A to Z in capital letters, `.` is free");
}

#[test]
fn unusual_boards_are_boards() {
    let folder = Folder::new();
    folder.file("crlf.txt", CLASSIC.replace('\n', "\r\n"));
    folder.file("one-line.txt", CLASSIC.replace('\n', " "));
    folder.file("blank-lines.txt", format!("\n\n{}\n\n", CLASSIC.replace('\n', "\n\n")));
    folder.file("same-goal.txt", format!("{CLASSIC}goal 4 2"));
    for file in ["crlf.txt", "one-line.txt", "blank-lines.txt", "same-goal.txt"] {
        let ruled = folder.judge(["validate", "--game", "shift", file, "G-DL F-R"]).exits(1).stdout;
        assert!(ruled.contains("2 moves, 3 unit steps"), "{file}: {ruled}");
    }
    folder.file("solved.txt", "AA\nXX\n");
    let solved = folder.judge(["validate", "--game", "shift", "solved.txt"]).stdin("").exits(0).stdout;
    assert_snapshot!(solved, @"solved: 1 of 1 big blocks out, 0 moves, 0 unit steps");
}

#[test]
fn an_illegal_move_is_reported_with_the_obstacle() {
    assert_snapshot!(refused("G-DL G-D"), @"illegal move 2 `G-D`: step 1 `D`: block G is at the edge of the board");
    assert_snapshot!(refused("G-DR"), @"illegal move 1 `G-DR`: step 2 `R`: block I is in the way, in row 5, column 4");
    assert_snapshot!(refused("D-D"), @"illegal move 1 `D-D`: step 1 `D`: block F is in the way, in row 4, column 2");
    assert_snapshot!(refused("H-L"), @"illegal move 1 `H-L`: step 1 `L`: block H is at the edge of the board");
    assert_snapshot!(refused("A-U"), @"illegal move 1 `A-U`: step 1 `U`: block A is at the edge of the board");
    assert_snapshot!(refused("B-R"), @"illegal move 1 `B-R`: step 1 `R`: block B is at the edge of the board");
    assert_snapshot!(refused("Z-D"), @"illegal move 1 `Z-D`: no block Z is on this board");
    assert_snapshot!(refused("g-D"), @"illegal move 1 `g-D`: unexpected `g`: blocks are the letters A to Z");
    assert_snapshot!(refused("1-D"), @"illegal move 1 `1-D`: unexpected `1`: blocks are the letters A to Z");
    assert_snapshot!(refused("G-"), @"illegal move 1 `G-`: a move needs at least one step: L, R, U or D");
    assert_snapshot!(refused("G"), @"illegal move 1 `G`: a move is a block, a dash and its steps, such as G-DR");
    assert_snapshot!(refused("GD"), @"illegal move 1 `GD`: a move is a block, a dash and its steps, such as G-DR");
    assert_snapshot!(refused("G:D"), @"illegal move 1 `G:D`: a move is a block, a dash and its steps, such as G-DR");
    assert_snapshot!(refused("-D"), @"illegal move 1 `-D`: a move is a block, a dash and its steps, such as G-DR");
    assert_snapshot!(refused("G-d"), @"illegal move 1 `G-d`: step 1 `d`: steps are L, R, U and D");
    assert_snapshot!(refused("G-D-L"), @"illegal move 1 `G-D-L`: step 2 `-`: steps are L, R, U and D");
    assert_snapshot!(refused("G-D\u{e9}"), @r#"illegal move 1 `G-D\xc3\xa9`: step 2 `\xc3`: steps are L, R, U and D"#);
    assert_snapshot!(refused(&format!("G-{}", "DU".repeat(40) + "X")), @"illegal move 1 `G-DUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDU…`: step 81 `X`: steps are L, R, U and D");
    assert_snapshot!(refused(&format!("G-{}", "DU".repeat(40_000))), @"illegal move 1 `G-DUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDUDU…`: is longer than 65536 bytes");
}

#[test]
fn the_way_of_the_block_that_moved_is_shown() {
    let folder = Folder::new();
    folder.file("classic.txt", CLASSIC);
    let said = folder.judge(["validate", "--game", "shift", "classic.txt", "G-DL D-D"]).exits(1).stdout;
    assert_snapshot!(said, @r#"
    illegal move 2 `D-D`: step 1 `D`: block F is in the way, in row 4, column 2
    until then: 0 of 1 big blocks out, 1 move, 2 unit steps; the board at that moment:
         A  X  X  B
         A  X  X  B
         C  D  D  E
         C  F [.] E
         H [G] .  I
    "#);
    let shown = folder.judge(["boards", "show", "--game", "shift", "classic.txt"]).exits(0).stdout;
    assert_snapshot!(shown, @r#"
    classic.txt: 0 of 1 big blocks out
         A  X  X  B
         A  X  X  B
         C  D  D  E
         C  F  G  E
         H  .  .  I
    "#);
}

#[test]
fn boards_are_made_by_scrambling_alone() {
    let folder = Folder::new();
    let make = |args: &[&'static str], code: i32| {
        folder.judge(["boards", "make", "--game", "shift"].into_iter().chain(args.iter().copied())).exits(code)
    };
    assert_snapshot!(make(&["--scramble", "0", "--seed", "1"], 0).stdout, @r#"
    ABCC
    DEFG
    .HFI
    JXXI
    KXX.
    "#);
    assert_snapshot!(make(&["--scramble", "60", "--seed", "1"], 0).stdout, @r#"
    ABBC
    DEEF
    DXXG
    HXXG
    H..I
    "#);
    assert_snapshot!(make(&["--random", "--seed", "1"], 2).message(), @"judge: shift does not support --random: other placements of blocks may have no answer; use --scramble MOVES");
    assert_snapshot!(make(&["--size", "5"], 2).message(), @"judge: shift does not support --size: other placements of blocks may have no answer; use --scramble MOVES");
    assert_snapshot!(make(&["--phrase", "klotski"], 2).message(), @"judge: shift does not support --phrase: other placements of blocks may have no answer; use --scramble MOVES");
}

#[test]
fn each_board_has_a_line_in_the_readme() {
    let boards = project().join("tests-boards/shift");
    let readme = fs::read_to_string(boards.join("README.md")).unwrap();
    let files: Vec<_> = fs::read_dir(&boards).unwrap().map(|file| file.unwrap().path()).collect();
    let boards: Vec<_> = files.iter().filter(|file| file.extension().is_some_and(|kind| kind == "txt")).collect();
    assert!(boards.len() >= 8);
    for board in boards {
        let name = board.file_name().unwrap().to_str().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "{name}");
        Folder::new().judge(["boards", "check", "--game", "shift", &board.display().to_string()]).exits(0);
    }
}

#[test]
fn every_entry_of_the_crate_is_in_the_contest() {
    let contest = Contest::load(&project().join("contests/shift.toml"), &Overrides::default()).unwrap();
    let commands: Vec<&str> = contest.plan.entries.iter().map(|entry| &*entry.command[0]).collect();
    for file in fs::read_dir(project().join("entries/shift/src/bin")).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(commands.iter().any(|command| command.ends_with(&format!("/release/{name}"))), "{name}: {commands:?}");
    }
}
