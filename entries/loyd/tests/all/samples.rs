//! The samples in other languages, called as the judge calls them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::referee::{PERFECTION, SOURCE_BOARDS, assert_refused, board_file, replayed, run, shuffled};

/// The samples that can run here; Python is optional.
fn samples() -> Vec<(&'static str, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut samples = vec![("sh", folder.join("sh/solve.sh"))];
    if Command::new("python3").arg("--version").output().is_ok() {
        samples.push(("python", folder.join("python/solve.py")));
    } else {
        println!("skipped python/solve.py: no python3 on the PATH");
    }
    samples
}

#[test]
fn samples_solve_every_board() {
    let mut boards = shuffled(24, 12);
    boards.extend(SOURCE_BOARDS.map(|(_, board)| board.to_owned()));
    boards.push(PERFECTION.to_owned());
    boards.push("\n A B C D E\r\nFGHIJ\r\n\tKLMNO PQRST\n\nUVW+X".to_owned());
    for (name, sample) in samples() {
        for board in &boards {
            let end = replayed(&sample, &format!("sample-{name}"), board);
            assert_eq!(end, PERFECTION, "{name} on {board}");
        }
    }
}

#[test]
fn samples_refuse_invalid_boards() {
    for (name, sample) in samples() {
        let good = board_file(&format!("sample-good-{name}"), PERFECTION);
        // The shell sample takes an order of the tiles before the board.
        let (no_argument, two_arguments) = match name {
            "sh" => ("give the path of a board file as the last argument", "invalid order"),
            _ => ("give the path of a board file as the only argument", "give the path of a board file"),
        };
        assert_refused(&run(&sample, &[]), no_argument);
        assert_refused(&run(&sample, &[&good, &good]), two_arguments);
        assert_refused(&run(&sample, &[&good.with_file_name("no-such-board")]), "cannot read");
        for text in
            ["", "ABCDE FGHIJ KLMNO PQRST UVWX", "ABCDE FGHIJ KLMNO PQRST UVWXX", "ABCDE FGHIJ KLMNO PQRST UVWX+ *"]
        {
            let bad = board_file(&format!("sample-bad-{name}"), text);
            assert_refused(&run(&sample, &[&bad]), "invalid board in");
        }
    }
}
