//! Names that look like others: refused where they enter, shown as what they are where they are recorded.

use crate::support::*;

#[test]
fn names_of_the_command_line_and_of_files_are_held_to_the_same() {
    let folder = Folder::new();
    folder.script("solver", "printf lluu");
    let text = std::fs::read(board("near-end-1")).unwrap();
    for name in ["boards/near.txt", "boards/NEAR.txt", "boards/ne\u{200b}ar.txt", "boards/gro\u{308}n.txt"] {
        folder.file(name, &text);
    }
    let run = |on: &[&str], entry: &str, code| {
        let ends = ["--entry", entry, "--out", "out", "--isolation", "off"];
        let args = [&["run", "--game", "loyd", "--on"], on, &ends].concat();
        let printed = folder.judge(args).exits(code);
        std::fs::remove_dir_all(folder.path().join("out")).ok();
        printed
    };
    let message = run(&["boards/near.txt", "boards/NEAR.txt"], "x=./solver", 2).message();
    assert!(message.contains("`NEAR` differs from `near` in case only"), "{message}");
    let message = run(&["boards/near.txt", "boards/ne\u{200b}ar.txt"], "x=./solver", 2).message();
    assert!(message.contains("duplicate board name `near`; rename a file"), "{message}");
    let message = run(&["boards/near.txt"], "x\u{200b}=./solver", 2).message();
    assert!(message.contains("U+200B"), "{message}");
    // A file system that keeps accents apart is no fault of the organiser.
    assert!(run(&["boards/gro\u{308}n.txt"], "x=./solver", 0).stdout.contains("grön"));
}

#[test]
fn recorded_names_show_what_is_hidden_in_them() {
    let folder = Folder::new();
    let csv = "entry,board,verdict,progress,full,moves,tie_break,limit_ms\ntwo,A,solved,25,25,10,1,9\ntw\u{200b}o,A,solved,25,25,9,1,9\n";
    folder.file("results.csv", csv);
    folder.judge(["rank", "results.csv"]).exits(0).shows(["tw\u{fffd}o", " two "]);
    let json = folder.judge(["rank", "results.csv", "--format", "json"]).exits(0).json();
    assert_eq!(json["entries"][0]["entry"], "tw\u{200b}o", "a program gets the name itself");
    folder.judge(["report", "results.csv", "-o", "page.html"]).exits(0);
    assert!(folder.read("page.html").contains("<bdi>tw\u{fffd}o</bdi>"), "the page shows it too");
    // A journal whose names would be refused today.
    folder.script("solver", "printf lluu");
    folder.file("contest.toml", contest(&[("NEAR", &board("near-end-1"))]) + &entry("two", &["./solver"]));
    folder.judge(["run", "--out", "out", "--isolation", "off"]).exits(0);
    let journal = folder.read("out/journal.jsonl").replace("\"two\"", "\"t\u{200b}wo\"");
    folder.file("out/journal.jsonl", chained(journal.lines()));
    assert!(folder.judge(["rank", "out"]).exits(0).stdout.contains("t\u{fffd}wo"));
}
