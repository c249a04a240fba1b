//! Every message about a bad board, and what counts as a good one.

use insta::assert_snapshot;

use crate::support::{Folder, board, refused_board};

const GOOD: &str = "ABCDE\nFGHIJ\nKL+MN\nPQRSO\nUVWXT\n";

fn check(content: impl AsRef<[u8]>) -> String {
    refused_board("loyd", content)
}

#[test]
fn a_bad_board_is_refused_with_place_and_reason() {
    assert_snapshot!(check(""), @"board.txt: the board is empty: 25 symbols are needed");
    assert_snapshot!(check(" \n\n\t\n"), @"board.txt: the board is empty: 25 symbols are needed");
    assert_snapshot!(check(GOOD.replace('G', "")), @"board.txt: row 5, column 5: the board ends after 24 of 25 symbols; missing: G");
    assert_snapshot!(check("ABCDE\nFGHIJ\n"), @"board.txt: row 3, column 1: the board ends after 10 of 25 symbols; missing: K L M N O P Q R S T U V W X +");
    assert_snapshot!(check(GOOD.replace('G', "B")), @"board.txt: row 2, column 2: duplicate `B`, first used in row 1, column 2");
    assert_snapshot!(check(GOOD.replace('+', "M")), @"board.txt: row 3, column 4: duplicate `M`, first used in row 3, column 3");
    assert_snapshot!(check(GOOD.replace('G', "Z")), @"board.txt: row 2, column 2: unexpected `Z`: tiles are A to X, `+` is empty");
    assert_snapshot!(check(GOOD.replace('G', "g")), @"board.txt: row 2, column 2: unexpected `g`: tiles are A to X in capital letters, `+` is empty");
    assert_snapshot!(check(GOOD.replace('G', "?")), @"board.txt: row 2, column 2: unexpected `?`: tiles are A to X, `+` is empty");
    assert_snapshot!(check(GOOD.replace('G', "\0")), @r#"board.txt: row 2, column 2: unexpected `\x00`: tiles are A to X, `+` is empty"#);
    assert_snapshot!(check(GOOD.replace('G', "é")), @r#"board.txt: row 2, column 2: unexpected `\xc3`: tiles are A to X, `+` is empty"#);
    assert_snapshot!(check([&b"ABCDE\nF\xffHIJ\n"[..], &GOOD.as_bytes()[12..]].concat()), @r#"board.txt: row 2, column 2: unexpected `\xff`: tiles are A to X, `+` is empty"#);
    assert_snapshot!(check(GOOD.to_owned() + "A"), @"board.txt: row 6, column 1: unexpected `A` after the 25th symbol: a board ends there");
    assert_snapshot!(check(GOOD.to_owned() + "Y\n"), @"board.txt: row 6, column 1: unexpected `Y` after the 25th symbol: a board ends there");
    assert_snapshot!(check("A".repeat((1 << 20) + 1)), @"board.txt: is larger than 1 MiB, the most allowed");
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    let checked = folder.judge(["boards", "check", "folder", "missing.txt"]).exits(2);
    assert_snapshot!(checked.stdout, @r#"
    folder: is a directory; expected a regular file
    missing.txt: no such file; make boards with `judge boards make`
    "#);
    let shown = folder.judge(["boards", "show", "missing.txt"]).exits(2);
    assert_snapshot!(shown.message(), @"judge: missing.txt: no such file; make boards with `judge boards make`");
    let validated = folder.judge(["validate", "folder", "lluu"]).exits(2);
    assert_snapshot!(validated.message(), @"judge: folder: is a directory; expected a regular file");
    folder.file("bad.txt", GOOD.replace('G', "B"));
    let validated = folder.judge(["validate", "bad.txt", "lluu"]).exits(2);
    assert_snapshot!(validated.message(), @"judge: bad.txt: row 2, column 2: duplicate `B`, first used in row 1, column 2");
    let tried = folder.judge(["try", "bad.txt", "--", "true"]).exits(2);
    assert_snapshot!(tried.message(), @"judge: bad.txt: row 2, column 2: duplicate `B`, first used in row 1, column 2");
}

#[test]
fn white_space_does_not_matter() {
    let folder = Folder::new();
    folder.file("crlf.txt", GOOD.replace('\n', "\r\n"));
    folder.file("blank-lines.txt", GOOD.to_owned() + "\n \n\r\n");
    folder.file("one-line.txt", GOOD.replace('\n', " "));
    folder.file("tabs.txt", GOOD.chars().map(|symbol| format!("\t{symbol} ")).collect::<String>());
    folder.file("no-newline.txt", GOOD.trim_end());
    let files = ["crlf.txt", "blank-lines.txt", "one-line.txt", "tabs.txt", "no-newline.txt"];
    let printed = folder.judge(["boards", "check"].into_iter().chain(files)).exits(0);
    assert_eq!(printed.stdout, files.map(|file| format!("{file}: ok\n")).concat());
    for file in files {
        folder.judge(["validate", file, "lluu"]).exits(0);
    }
}

#[test]
fn one_bad_board_among_good_ones_is_an_error() {
    let folder = Folder::new();
    folder.file("bad.txt", "ABC");
    let printed = folder.judge(["boards", "check", "bad.txt", &board("trap")]).exits(2);
    assert_eq!(printed.stdout.lines().count(), 2);
    assert!(printed.stdout.ends_with("trap.txt: ok\n"));
}
