//! The program: its verdicts, exit codes, and what it leaves unchecked.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// Runs the program; returns exit code, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_house-check")).current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn claims_are_accepted_refused_or_left_unfinished() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("trap.txt", "FBCDE\nKAGHJ\nPLMIO\nUQRNT\nVWXS+\n");
    write("random.txt", "BFECK RXUGT VPD+J HAQIW OSNML");
    write("short.txt", "BFECK");
    let claim =
        |board: &str, moves: &str, more: &[&str]| run(folder.path(), &[&["claim", board, moves], more].concat());

    let (code, output, progress) = claim("trap.txt", "26", &[]);
    assert_eq!((code, output.as_str()), (Some(0), "trap.txt: accepted: no answer has fewer than 26 moves\n"));
    assert!(progress.contains("no answer of 24 moves, "), "{progress}");
    // The shortest answer has 26 moves, and every answer an even number.
    assert_eq!(claim("trap.txt", "25", &[]).0, Some(0));
    let refused = "trap.txt: refused: there is an answer of at most 26 moves\n".to_owned();
    assert_eq!(claim("trap.txt", "27", &[]).1, refused);
    assert_eq!(claim("trap.txt", "28", &["--threads", "1"]).0, Some(1));

    let (code, output, _) = claim("random.txt", "74", &["--seconds", "0"]);
    let bound: u8 = output.split(' ').find_map(|word| word.parse().ok()).unwrap();
    assert!(code == Some(3) && (50..74).contains(&bound) && bound.is_multiple_of(2), "{output}");
    assert!(output.ends_with(" moves; 74 is not checked\n"), "{output}");

    assert_eq!(claim("short.txt", "2", &[]).1, "short.txt: refused: `A` is missing\n");
    let (code, output, why) = claim("nothing.txt", "2", &[]);
    assert_eq!((code, output.as_str()), (Some(2), ""));
    assert!(why.starts_with("cannot read nothing.txt: "), "{why}");
}
