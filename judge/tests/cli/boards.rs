//! `judge boards`.

use crate::support::*;

#[test]
fn boards_are_made_in_every_way_that_a_game_knows() {
    let folder = Folder::new();
    let phrase = "The quick brown fox jumps over the lazy dog";
    assert_eq!(
        folder.judge(["boards", "make", "--phrase", phrase]).exits(0).stdout,
        fs::read_to_string(board("foxy")).unwrap()
    );
    let random = |seed: &str| folder.judge(["boards", "make", "--random", "--seed", seed]).exits(0).stdout;
    assert_eq!(random("7"), random("7"));
    assert_ne!(random("7"), random("8"));
    folder.judge(["boards", "make", "--scramble", "9", "--seed", "7", "-o", "nine.txt"]).exits(0);
    folder.judge(["boards", "check", "nine.txt"]).exits(0);

    let kept = folder.read("nine.txt");
    let again = folder.judge(["boards", "make", "--random", "--seed", "1", "-o", "nine.txt"]).exits(2);
    assert_snapshot!(again.message(), @"judge: nine.txt: already exists; name another file");
    assert_eq!(folder.read("nine.txt"), kept);
}

#[test]
fn a_bad_or_missing_board_is_named_by_every_command() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("folder")).unwrap();
    folder.file("bad.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXX");
    let good = board("trap");
    let checked = folder.judge(["boards", "check", "folder", "missing.txt", "bad.txt", &good]).exits(2);
    assert_snapshot!(checked.stdout.replace(&good, "trap.txt"), @r#"
    folder: is a directory; expected a regular file
    missing.txt: no such file; make boards with `judge boards make`
    bad.txt: row 5, column 5: duplicate `X`, first used in row 5, column 4
    trap.txt: ok
    "#);
    for command in
        [&["boards", "show", "bad.txt"][..], &["validate", "bad.txt", "lluu"], &["try", "bad.txt", "--", "true"]]
    {
        let refused = folder.judge(command.iter().copied()).exits(2).message();
        assert_eq!(refused, "judge: bad.txt: row 5, column 5: duplicate `X`, first used in row 5, column 4\n");
    }
}

#[test]
fn a_board_is_drawn() {
    let shown = Folder::new().judge(["boards", "show", &board("trap")]).exits(0).stdout;
    assert_snapshot!(shown.replace(&board("trap"), "trap.txt"), @r#"
    trap.txt: 12 of 25 tiles home
         F  B  C  D  E
         K  A  G  H  J
         P  L  M  I  O
         U  Q  R  N  T
         V  W  X  S  +
    "#);
}
