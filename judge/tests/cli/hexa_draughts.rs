//! The pictures of hexa-draughts.

use crate::support::*;

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
