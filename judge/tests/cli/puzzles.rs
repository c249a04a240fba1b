//! UFO, SHIFT, and frogs and toads through the command: rulings and boards as they are shown, boards that are made. What their
//! boards and answers are refused for is tested with the rules of the games, in `judge-core`.

use judge_contest::{Contest, Overrides};
use judge_core::game::GeneratorSpec;
use judge_core::games;

use crate::support::*;

const CROSS: &str = "##...##\n##.X.##\n..1....\n.......\n...2...\n##...##\n##...##\n";

/// What `validate` prints of an answer to a board of a game, with more options.
fn ruled(game: &str, board: &str, answer: &str, options: &[&str], code: i32) -> String {
    let folder = Folder::new();
    folder.file("board.txt", board);
    let args = [&["validate", "--game", game, "board.txt", answer], options].concat();
    folder.judge(args).exits(code).stdout
}

#[test]
fn rulings_of_ufo_are_shown_with_the_board_at_that_moment() {
    let figure = fs::read_to_string(project().join("tests-boards/ufo/fig-1.txt")).unwrap();
    // A solved board stays solved; moves after that count as well.
    assert_snapshot!(ruled("ufo", &figure, "X-DRU 1-DR X-D 2-D", &[], 0), @"solved: 1 of 1 letter pieces out, 4 moves, 7 steps");
    assert_snapshot!(ruled("ufo", CROSS, "", &[], 1), @r#"
    not solved: 0 of 1 letter pieces out, 0 moves, 0 steps; the board at the end:
               .  .  .
               .  X  .
         .  .  1  .  .  .  .
         .  .  .  .  .  .  .
         .  .  .  2  .  .  .
               .  .  .
               .  .  .
    "#);
    assert_snapshot!(ruled("ufo", &figure, "X-DRU 1-DR 1-D", &["--trace"], 1), @r#"
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
    illegal move 3 `1-D`: step 1 `D`: no piece below 43 stops it
    until then: 0 of 1 letter pieces out, 2 moves, 5 steps; the board at that moment:
         . [.] 2  .  .
         .  .  X  .  .
         .  .  .  .  .
         .  . [1] 3  .
         .  4  .  .  .
    "#);
    assert_snapshot!(ruled("ufo", CROSS, "X-D X-D", &["--json"], 1), @r###"{"game":"ufo","verdict":"illegal_move","figures":{"progress":"1","moves":"1","tie_break":"1"},"full":"1","failed_at":2,"reason":"illegal move 2 `X-D`: piece X has left the board","final_board":"##...## ##...## ..1.... ....... ...2... ##...## ##...##","notes":[]}"###);
}

#[test]
fn rulings_of_shift_are_shown_with_the_way_of_the_block_that_moved() {
    let classic = "AXXB\nAXXB\nCDDE\nCFGE\nH..I\n";
    assert_snapshot!(ruled("shift", classic, "G-DL D-D", &[], 1), @r#"
    illegal move 2 `D-D`: step 1 `D`: block F is in the way, in row 4, column 2
    until then: 0 of 1 big blocks out, 1 move, 2 unit steps; the board at that moment:
         A  X  X  B
         A  X  X  B
         C  D  D  E
         C  F [.] E
         H [G] .  I
    "#);
    assert_snapshot!(ruled("shift", "AA\nXX\n", "", &[], 0), @"solved: 1 of 1 big blocks out, 0 moves, 0 unit steps");
}

#[test]
fn rulings_of_swap_are_shown_with_the_row_at_that_moment() {
    let two = "BB.RR\n";
    assert_snapshot!(ruled("swap", two, "2->3 4 ->2 5-> 4\n3\n->\n5 1 -> 3 2 -> 1 4 -> 2 3 -> 4", &[], 0), @"solved: 4 of 4 pieces home, 8 moves, 4 hops");
    assert_snapshot!(ruled("swap", two, "2 -> 3 4 -> 2 4 -> 3", &[], 1), @r#"
    illegal move 3 `4 -> 3`: no piece is on square 4
    until then: 1 of 4 pieces home, 2 moves, 1 hop; the board at that moment:
         B [R] B [.] R
    "#);
    assert_snapshot!(ruled("swap", two, "2 -> 3 4->2", &["--trace"], 1), @r#"
    0 of 4 pieces home, 0 moves, 0 hops
         B  B  .  R  R
    0 of 4 pieces home, 1 move, 0 hops
         B [.][B] R  R
    1 of 4 pieces home, 2 moves, 1 hop
         B [R] B [.] R
    not solved: 1 of 4 pieces home, 2 moves, 1 hop; the board at the end:
         B [R] B [.] R
    "#);
}

#[test]
fn boards_are_shown() {
    let folder = Folder::new();
    for (game, board, expected) in [
        (
            "ufo",
            CROSS,
            "0 of 1 letter pieces out\n           .  .  .\n           .  X  .\n     .  .  1  .  .  .  .\n     .  .  .  .  .  .  .\n     \
             .  .  .  2  .  .  .\n           .  .  .\n           .  .  .\n",
        ),
        ("shift", "AXX.\nAXX.\n", "0 of 1 big blocks out\n     A  X  X  .\n     A  X  X  .\n"),
        ("swap", "BB.RR\n", "0 of 4 pieces home\n     B  B  .  R  R\n"),
    ] {
        folder.file("board.txt", if game == "shift" { format!("{board}goal 1 3\n") } else { board.to_owned() });
        let shown = folder.judge(["boards", "show", "--game", game, "board.txt"]).exits(0).stdout;
        assert_eq!(shown, format!("board.txt: {expected}"), "{game}");
    }
}

#[test]
fn boards_are_made_in_the_ways_of_their_game() {
    let folder = Folder::new();
    let make = |game: &str, args: &[&str], code: i32| {
        let printed = folder.judge([&["boards", "make", "--game", game], args].concat()).exits(code);
        printed.stdout.clone() + &printed.message()
    };
    assert_eq!(make("swap", &["--size", "5"], 0), "BBBBB.RRRRR\n");
    // Every judge makes the same boards of a seed.
    assert_eq!(make("shift", &["--scramble", "0", "--seed", "1"], 0), "ABCC\nDEFG\n.HFI\nJXXI\nKXX.\n");
    assert_eq!(make("shift", &["--scramble", "60", "--seed", "1"], 0), "ABBC\nDEEF\nDXXG\nHXXG\nH..I\n");
    let two = make("ufo", &["--random", "--pieces", "2-4", "--seed", "7"], 0);
    assert_eq!(two, "1.2..\n.3...\n.....\n.....\nX4..Y\n");
    let cross = make("ufo", &["--random", "--pieces", "cross:2-4", "--seed", "7"], 0);
    assert_eq!(cross, "##1..##\n##...##\n2X...3.\n.......\n......4\n##.Y.##\n##...##\n");
    assert_snapshot!(make("ufo", &["--random", "--pieces", "4-4", "--seed", "7"], 2), @"judge: --pieces 4-4: write 1 to 3 letter pieces, a dash and 1 to 9 number pieces, such as 2-4, cross:2-4 or 9x9:2-4 (odd sizes up to 15x15)");
    assert_snapshot!(make("swap", &["--size", "0"], 2), @"judge: --size must be 1 to 524287 pieces per colour, not 0");
    assert_snapshot!(make("swap", &["--phrase", "frogs"], 2), @"judge: swap does not support --phrase: it has one board of each size; use --size N");
    assert_snapshot!(make("shift", &["--random", "--seed", "1"], 2), @"judge: shift does not support --random: other placements of blocks may have no answer; use --scramble MOVES");
    assert_snapshot!(make("ufo", &["--size", "5"], 2), @"judge: ufo does not support --size: its boards are drawn from pieces and a seed; use --random (drawn until some piece can move and every letter piece might get out), --pieces LETTERS-NUMBERS, after cross: or a size such as 9x9: for another board than 5x5 (default 1-5)");
    assert_snapshot!(make("swap", &["--size", "5", "--rule", "back=true"], 2), @"judge: invalid house rule: unknown field `back`; swap supports: no house rules");
}

#[test]
fn each_board_of_the_project_has_a_line_in_the_readme() {
    for (name, at_least) in [("shift", 8), ("swap", 10)] {
        let game = (games::find(name).unwrap().open)(&Default::default()).unwrap();
        let folder = project().join("tests-boards").join(name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let boards: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "txt")).collect();
        assert!(boards.len() >= at_least);
        for board in boards {
            let file = board.file_name().unwrap().to_str().unwrap();
            assert!(readme.contains(&format!("`{file}`")), "{name} {file}");
            let text = fs::read(&board).unwrap();
            assert!(game.parse(&text).is_ok(), "{name} {file}");
            if name == "swap" {
                let size = file.strip_suffix(".txt").unwrap().parse().unwrap();
                assert_eq!(game.make(&GeneratorSpec::Size(size)).unwrap().as_bytes(), text, "{file}");
            }
        }
    }
}

#[test]
fn every_entry_to_shift_is_in_the_contest() {
    let contest = Contest::load(&project().join("contests/shift.toml"), &Overrides::default()).unwrap();
    let commands: Vec<&str> = contest.plan.entries.iter().map(|entry| &*entry.command[0]).collect();
    for file in fs::read_dir(project().join("entries/shift/src/bin")).unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(commands.iter().any(|command| command.ends_with(&format!("/release/{name}"))), "{name}: {commands:?}");
    }
}
