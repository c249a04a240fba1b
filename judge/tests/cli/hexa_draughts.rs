//! Every message about a bad board and a bad answer of hexa-draughts, and its pictures.

use insta::assert_snapshot;

use crate::support::{Folder, project, refused_answer, refused_board};

fn check(content: impl AsRef<[u8]>) -> String {
    refused_board("hexa-draughts", content)
}

/// Of an answer for row 2.
fn refusal(answer: &str) -> String {
    refused_answer("hexa-draughts", "row 2", answer)
}

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    assert_snapshot!(check(""), @"board.txt: the board is empty: a board is the word `row` and the row to reach, such as `row 4`");
    assert_snapshot!(check("row"), @"board.txt: the board ends after `row`: a board is the word `row` and the row to reach, such as `row 4`");
    assert_snapshot!(check("\n  line 4"), @"board.txt: row 2, column 3: unexpected `line`: a board is the word `row` and the row to reach, such as `row 4`");
    assert_snapshot!(check("row\n\tfour"), @"board.txt: row 2, column 2: unexpected `four`: the row to reach is 1 to 20");
    assert_snapshot!(check("row 0"), @"board.txt: row 1, column 5: unexpected `0`: the row to reach is 1 to 20");
    assert_snapshot!(check("row 21"), @"board.txt: row 1, column 5: unexpected `21`: the row to reach is 1 to 20");
    assert_snapshot!(check("row 99999999999"), @"board.txt: row 1, column 5: unexpected `99999999999`: the row to reach is 1 to 20");
    assert_snapshot!(check(b"row \xff"), @r#"board.txt: row 1, column 5: unexpected `\xff`: the row to reach is 1 to 20"#);
    assert_snapshot!(check("row 4 5"), @"board.txt: row 1, column 7: unexpected `5` after the row: a board ends there");
}

#[test]
fn an_illegal_move_is_refused_with_index_and_reason() {
    assert_snapshot!(refusal("0,0"), @"illegal move 1 `0,0`: an answer begins with the word `men`");
    assert_snapshot!(refusal("hops 0,0>0,4"), @"illegal move 1 `hops`: an answer begins with the word `men`");
    assert_snapshot!(refusal("men 0,0 men"), @"illegal move 2 `men`: an answer is `men`, the men, `hops`, the hops, each word once");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0>0,4 hops"), @"illegal move 4 `hops`: an answer is `men`, the men, `hops`, the hops, each word once");
    assert_snapshot!(refusal("men zero"), @"illegal move 1 `zero`: a man is ROW,COLUMN, such as -1,3");
    assert_snapshot!(refusal("men 0,0,0"), @"illegal move 1 `0,0,0`: a man is ROW,COLUMN, such as -1,3");
    assert_snapshot!(refusal("men 0,+2"), @"illegal move 1 `0,+2`: a man is ROW,COLUMN, such as -1,3");
    assert_snapshot!(refusal("men 0,2000"), @"illegal move 1 `0,2000`: 2000 is out of range: rows and columns are -1000 to 1000");
    assert_snapshot!(refusal("men 0,-99999999999999999999999"), @"illegal move 1 `0,-99999999999999999999999`: -99999999999999999999999 is out of range: rows and columns are -1000 to 1000");
    assert_snapshot!(refusal("men 0,1"), @"illegal move 1 `0,1`: 0,1 is not a point: row and column must be both even or both odd");
    assert_snapshot!(refusal("men 0,0 1,1"), @"illegal move 2 `1,1`: men start on row 0 or below");
    assert_snapshot!(refusal("men 0,0 -1,1 0,0"), @"illegal move 3 `0,0`: the point is taken by another man");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0-0,4"), @"illegal move 3 `0,0-0,4`: a hop is ROW,COLUMN>ROW,COLUMN, such as -1,1>1,3");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0>0,4>0,8"), @"illegal move 3 `0,0>0,4>0,8`: a hop is ROW,COLUMN>ROW,COLUMN, such as -1,1>1,3");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0>0,2"), @"illegal move 3 `0,0>0,2`: a hop goes two points straight: four columns, or two rows and two columns");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0>4,0"), @"illegal move 3 `0,0>4,0`: a hop goes two points straight: four columns, or two rows and two columns");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0>0,5"), @"illegal move 3 `0,0>0,5`: 0,5 is not a point: row and column must be both even or both odd");
    assert_snapshot!(refusal("men 0,0 0,2 hops -1,1>1,3"), @"illegal move 3 `-1,1>1,3`: no man is on -1,1");
    assert_snapshot!(refusal("men 0,0 0,2 hops 0,0>2,2"), @"illegal move 3 `0,0>2,2`: no man is on 1,1 to hop over");
    assert_snapshot!(refusal("men 0,0 0,2 0,4 hops 0,0>0,4"), @"illegal move 4 `0,0>0,4`: 0,4 is taken by another man");
}

#[test]
fn options_of_other_games_are_refused() {
    let folder = Folder::new();
    let made = |recipe: &[&str]| {
        let command = ["boards", "make", "--game", "hexa-draughts"].into_iter().chain(recipe.iter().copied());
        folder.judge(command).exits(2).message()
    };
    assert_snapshot!(made(&["--random", "--seed", "1"]), @"judge: hexa-draughts does not support --random: a board is only a row to reach; use --size ROW");
    assert_snapshot!(made(&["--phrase", "army"]), @"judge: hexa-draughts does not support --phrase: a board is only a row to reach; use --size ROW");
    assert_snapshot!(made(&["--scramble", "3", "--seed", "1"]), @"judge: hexa-draughts does not support --scramble: a board is only a row to reach; use --size ROW");
    assert_snapshot!(made(&["--size", "0"]), @"judge: --size must be 1 to 20, not 0");
    folder.file("board.txt", "row 2");
    let ruled = folder.judge(["validate", "--game", "hexa-draughts", "board.txt", "men", "--rule", "wrap=true"]);
    assert_snapshot!(ruled.exits(2).message(), @"judge: invalid house rule: unknown field `wrap`; hexa-draughts supports: no house rules");
}

#[test]
fn a_made_board_can_be_drawn() {
    let folder = Folder::new();
    let game = ["--game", "hexa-draughts"];
    folder.judge(["boards", "make", "--size", "4", "-o", "row-4.txt"].into_iter().chain(game)).exits(0);
    assert_eq!(folder.read("row-4.txt"), "row 4\n");
    assert_snapshot!(folder.judge(["boards", "show", "row-4.txt"].into_iter().chain(game)).exits(0).stdout, @r#"
    row-4.txt: 0 of 4 rows reached
         *     *     *     *     *
            .     .     .     .
         .     .     .     .     .
            .     .     .     .
         -     -     -     -     -
            -     -     -     -
    "#);
}

#[test]
fn a_game_is_traced_hop_by_hop() {
    let folder = Folder::new();
    folder.file("board.txt", "row 2");
    let answer = "men -1,-1 0,0 0,2 hops -1,-1>1,1 0,2>2,0";
    let traced = folder.judge(["validate", "--game", "hexa-draughts", "board.txt", answer, "--trace"]).exits(0);
    assert_snapshot!(traced.stdout, @r#"
    0 of 2 rows reached, 0 men used, 0 hops
         *     *     *
            .     .
         -     -     -
            -     -
    0 of 2 rows reached, 1 man used, 0 hops
         *     *     *
            .     .
         -     -     -
           [o]    -
    0 of 2 rows reached, 2 men used, 0 hops
         *     *     *
            .     .
         -    [o]    -
            o     -
    0 of 2 rows reached, 3 men used, 0 hops
         *     *     *
            .     .
         -     o    [o]
            o     -
    1 of 2 rows reached, 3 men used, 1 hop
         *     *     *
            .    [o]
         -    [-]    o
           [-]    -
    2 of 2 rows reached, 3 men used, 2 hops
         *    [o]    *
            .    [.]
         -     -    [-]
            -     -
    solved: 2 of 2 rows reached, 3 men used, 2 hops
    "#);
    let stopped =
        folder.judge(["validate", "--game", "hexa-draughts", "board.txt", "men 0,0 0,2 -1,9 hops 0,0>0,4 0,2>2,2"]);
    assert_snapshot!(stopped.exits(1).stdout, @r#"
    illegal move 5 `0,2>2,2`: a hop goes two points straight: four columns, or two rows and two columns
    until then: 0 of 2 rows reached, 3 men used, 1 hop; the board at that moment:
         *     *     *     *     *     *
            .     .     .     .     .     .
         -    [-]   [-]   [o]    -     -
            -     -     -     -     -     o
    "#);
}

#[test]
fn every_board_has_a_valid_source() {
    let folder = Folder::new();
    let boards = project().join("tests-boards/hexa-draughts");
    let readme = std::fs::read_to_string(boards.join("README.md")).unwrap();
    for row in 1..=7 {
        let board = boards.join(format!("row-{row}.txt")).display().to_string();
        folder.judge(["boards", "check", "--game", "hexa-draughts", &board]).exits(0);
        assert!(readme.contains(&format!("| `row-{row}.txt` |")), "row {row} has no line in the README");
    }
    let write_up = std::fs::read_to_string(project().join("entries/hexa-draughts/README.md")).unwrap();
    let answer: Vec<&str> =
        write_up.lines().map(str::trim).filter(|line| line.starts_with("men ") || line.starts_with("hops ")).collect();
    let board = boards.join("row-4.txt").display().to_string();
    let ruled = folder.judge(["validate", "--game", "hexa-draughts", &board, &answer.join(" ")]).exits(0);
    assert_eq!(ruled.stdout, "solved: 4 of 4 rows reached, 9 men used, 8 hops\n");
}
