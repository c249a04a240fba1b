//! Figures from elsewhere: out of their range they are refused with file, line, value and range, and within it no command
//! takes more than a little time and memory, whatever they are.

use crate::support::*;

/// The largest count that JSON readers keep exactly.
const MAX: u64 = (1 << 53) - 1;

/// Runs the shell's `judge` with 2 GiB of address space, and returns its exit code and all that it printed.
fn limited(folder: &Folder, arguments: &str) -> (Option<i32>, String) {
    let script = format!("ulimit -v 2097152; exec '{}' {arguments}", env!("CARGO_BIN_EXE_judge"));
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
}

/// Every command that reads results.
const READERS: [&str; 7] = [
    "rank R",
    "rank R --format json",
    "rank R --format csv",
    "compare R",
    "compare R --format json --rows boards",
    "compare R --format csv",
    "report R -o page.html",
];

fn runs(moves: [u64; 4]) -> String {
    let [a, b, c, d] = moves;
    format!(
        "entry,board,verdict,progress,full,moves,tie_break,wall_us,limit_ms\n\
         one,A,solved,{MAX},{MAX},{a},{MAX},{MAX},9007199254740\none,B,solved,1,1,{b},0,0,9007199254740\n\
         two,A,solved,{MAX},{MAX},{c},0,1,9007199254740\ntwo,B,solved,1,1,{d},0,{MAX},9007199254740\n"
    )
}

#[test]
fn no_figure_within_its_range_takes_memory_or_ends_in_a_panic() {
    let folder = Folder::new();
    let large = 1_000_000_000_000_000;
    for moves in [[large; 4], [large, large + 1, large - 1, large], [MAX - 1, MAX, MAX, MAX - 1], [0, MAX, MAX, 0]] {
        folder.file("results.csv", runs(moves));
        for command in READERS {
            let (code, printed) = limited(&folder, &command.replace('R', "results.csv"));
            assert_eq!(code, Some(0), "{moves:?} {command}: {printed}");
            assert!(!printed.contains("NaN") && !printed.contains("inf "), "{command}: {printed}");
        }
        let page = folder.read("page.html");
        let drawn = page.split("<script").next().unwrap();
        assert!(page.len() < 1 << 20 && !drawn.contains("NaN"), "{} bytes", page.len());
    }
}

#[test]
fn a_figure_beyond_its_range_is_refused_by_every_reader_of_journals_and_tables() {
    let folder = Folder::new();
    folder.script("solver", "printf lluu");
    let text = contest(&[("NEAR", &board("near-end-1"))]) + &entry("one", &["./solver"]);
    folder.file("contest.toml", &text);
    folder.judge(["run", "--out", "out", "--isolation", "off"]).exits(0);
    let journal = folder.read("out/journal.jsonl");
    let run = journal.lines().find(|line| line.contains("\"line\":\"run\"")).unwrap().to_owned();
    let bad = run.replace("\"moves\":\"4\"", "\"moves\":\"9007199254740992\"");
    assert_ne!(bad, run);
    folder.file("out/journal.jsonl", chained(journal.replace(&run, &bad).lines()));
    folder.file("results.csv", runs([1, 2, 3, 4]).replace(",4,0,", ",9007199254740992,0,"));
    for command in READERS {
        let (code, printed) = limited(&folder, &command.replace('R', "out"));
        assert_eq!(code, Some(2), "{command}: {printed}");
        assert!(printed.contains("`9007199254740992` is too large"), "{printed}");
        let (code, printed) = limited(&folder, &command.replace('R', "results.csv"));
        assert_eq!(code, Some(2), "{command}: {printed}");
        assert!(
            printed.starts_with("judge: results.csv: line 5: column moves: `9007199254740992` is too large"),
            "{printed}"
        );
    }
    folder.file("known.csv", "board,moves\nnear-end-1,9007199254740992\n");
    folder.file("contest.toml", format!("best_known = \"known.csv\"\n{text}"));
    folder.judge(["run", "--out", "other"]).exits(2).says(["known.csv: line 2", "`9007199254740992`"]);
}
