//! The program: answers within the limit, certificates that can be checked, the record book.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use loyd_house::answer::replay;
use loyd_kit::Board;
use tempfile::TempDir;

const TRAP: &str = "FBCDE\nKAGHJ\nPLMIO\nUQRNT\nVWXS+\n";
const RANDOM: &str = "BFECK RXUGT VPD+J HAQIW OSNML";
const BOOK: &str = "board,moves,transports,lower_bound,reproducible_bound,proved_shortest,found_by,command,answer\n";
/// The answer of the write-up to the trap: 28 moves, two too many.
const PUBLISHED: &str = "ddddrrrulluuurrrddddlllluuuu";

fn house(folder: &Path, limit_ms: u32, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_house"))
        .current_dir(folder)
        .env("JUDGE_LIMIT_MS", limit_ms.to_string())
        .env_remove("JUDGE_STREAM")
        .args(arguments)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A directory with boards, a book with the published answer to the trap, and a results directory.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("boards/trap.txt", TRAP);
    write("boards/random.txt", RANDOM);
    write("boards/book.csv", &format!("{BOOK}trap,28,0,4,4,no,write-up,,{PUBLISHED}\n"));
    let board = TRAP.replace('\n', "\\n");
    let header = format!(
        r#"{{"line":"contest","plan":{{"boards":[{{"name":"TRAP","text":"{board}"}}],"limits":{{"wall_ms":1000}},
        "entries":[{{"name":"bad","command":["bad"]}}]}}}}"#
    );
    // The entry was added later; the other one's answer is where format 2 has it.
    let added = r#"{"line":"entry","entry":{"name":"good","command":["bin/good","-x"]},"programs":{}}"#;
    write("results/journal.jsonl", &format!("{}\n{added}\n", header.replace('\n', "")));
    write("results/runs/bad/TRAP.out", "dddd\n");
    write("results/output/1/good/TRAP.2.out", "ddtdrtdluuurrrddddtlltlluu\n");
    write("empty/journal.jsonl", &(header.replace('\n', "") + "\n"));
    folder
}

#[test]
fn an_answer_comes_within_the_limit() {
    let folder = folder();
    for limit in [200, 1_500] {
        let output = house(folder.path(), limit, &["boards/random.txt"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let board: Board = RANDOM.parse().unwrap();
        assert_eq!(replay(&board, &text(&output.stdout)), Some(Board::perfection()));
        assert!(text(&output.stderr).contains(" moves, "), "{}", text(&output.stderr));
    }
}

#[test]
fn in_a_stream_each_better_answer_is_printed_at_once() {
    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_house"));
    command.current_dir(folder.path()).arg("boards/random.txt");
    let output = command.env("JUDGE_LIMIT_MS", "4000").env("JUDGE_STREAM", "1").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let (board, answers): (Board, String) = (RANDOM.parse().unwrap(), text(&output.stdout));
    let answers: Vec<&str> = answers.lines().collect();
    assert!(answers.iter().all(|answer| replay(&board, answer) == Some(Board::perfection())), "{answers:?}");
    // The last one is printed again at the end.
    let (last, before) = answers.split_last().unwrap();
    assert_eq!(before.last(), Some(last));
    assert!(before.len() >= 2 && before.is_sorted_by(|one, next| next.len() < one.len()), "{answers:?}");
}

#[test]
fn unusable_tables_cost_no_answer() {
    let folder = folder();
    fs::create_dir(folder.path().join("tables")).unwrap();
    let list = r#"[{"tiles": "ABCFGH", "ending": 0, "quick": 0, "sha256": ""}]"#;
    fs::write(folder.path().join("tables/tables.json"), list).unwrap();
    let output = house(folder.path(), 20_000, &["boards/trap.txt", "--memory", "64", "--tables", "tables"]);
    assert_eq!(text(&output.stdout).trim().len(), 26);
    let progress = text(&output.stderr);
    let expected = "tables/ABCFGH.table: No such file or directory (os error 2); searching without stored tables";
    assert!(progress.contains(expected), "{progress}");
}

#[test]
fn a_check_tells_a_certificate_from_a_changed_one() {
    let folder = folder();
    let output = house(folder.path(), 20_000, &["boards/trap.txt", "--memory", "64", "--certificate", "trap.json"]);
    assert_eq!(text(&output.stdout).trim().len(), 26, "{}", text(&output.stderr));
    let checked = house(folder.path(), 0, &["check-certificate", "trap.json"]);
    assert_eq!(text(&checked.stdout), "trap.json: certificate confirmed\n", "{}", text(&checked.stderr));

    let good = fs::read_to_string(folder.path().join("trap.json")).unwrap();
    let nodes = good.lines().find(|line| line.contains("\"nodes\"")).unwrap();
    let checksum = good.lines().find(|line| line.contains("\"sha256\"")).unwrap();
    let changes = [
        (good.replace("\"bound\": 26", "\"bound\": 28"), "the bound is 28, but the thresholds prove only 26"),
        (good.replace(nodes, "\"nodes\": 1,"), "nodes, not 1"),
        (good.replace(checksum, "\"sha256\": \"00\""), "the checksum of table"),
        (good.replace("\"answer\": \"", "\"answer\": \"u"), "the answer does not lead to perfection"),
        (good.replace("\"ways\"", "\"weighs\""), "not a certificate"),
    ];
    for (changed, reason) in changes {
        fs::write(folder.path().join("changed.json"), changed).unwrap();
        let refused = house(folder.path(), 0, &["check-certificate", "changed.json"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(reason), "{reason}: {}", text(&refused.stderr));
    }
}

#[test]
fn the_book_accepts_only_better_answers() {
    let folder = folder();
    let record =
        |sources: &[&str]| house(folder.path(), 0, &[&["record", "--book", "boards/book.csv"], sources].concat());
    let book = || fs::read_to_string(folder.path().join("boards/book.csv")).unwrap();

    let first = record(&["results"]);
    assert_eq!(
        text(&first.stdout),
        "good on TRAP: trap: 26 moves, bound 4 proved, 4 reproducible; before 28 moves, bound 4 proved, 4 reproducible\n"
    );
    assert!(text(&first.stderr).contains("bad on TRAP: refused: the answer does not lead to perfection\n"));
    assert_eq!(first.status.code(), Some(2));
    let row = "trap,26,4,4,4,no,good,JUDGE_LIMIT_MS=1000 good -x BOARD,ddtdrtdluuurrrddddtlltlluu\n";
    assert_eq!(book(), format!("{BOOK}{row}"));

    house(folder.path(), 20_000, &["boards/trap.txt", "--memory", "64", "--certificate", "trap.json"]);
    let bound = record(&["trap.json"]);
    assert_eq!(
        text(&bound.stdout),
        "trap.json: trap: 26 moves, bound 26 proved, 26 reproducible; before 26 moves, bound 4 proved, 4 reproducible\n"
    );
    assert!(bound.status.success());
    assert_eq!(book(), format!("{BOOK}{}", row.replace(",4,4,no,", ",26,26,yes,")));

    let again = record(&["trap.json"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("refused: 26 moves and bound 26 are no better than the record book"));

    let empty = record(&["empty"]);
    assert!(
        text(&empty.stderr).contains("empty/journal.jsonl: its runs have left no answers"),
        "{}",
        text(&empty.stderr)
    );

    fs::remove_file(folder.path().join("boards/trap.txt")).unwrap();
    let unknown = record(&["trap.json"]);
    assert!(text(&unknown.stderr).contains("unknown board; add its file to the directory of the record book first"));
}

/// A threshold appended by hand makes a bound that no search proved.
#[test]
fn the_book_refuses_forged_certificates() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    house(folder.path(), 20_000, &["boards/trap.txt", "--memory", "64", "--certificate", "trap.json"]);
    let good = fs::read_to_string(folder.path().join("trap.json")).unwrap();
    let book = || fs::read_to_string(folder.path().join("boards/book.csv")).unwrap();
    let before = book();
    // The published answer has 28 moves, so a bound of 28 would make it the shortest.
    let (body, _) = good.rsplit_once(",\n  \"seal\"").unwrap();
    let answer = body.lines().find(|line| line.contains("\"answer\"")).unwrap();
    let (before_end, end) = body.rsplit_once("\n  ],\n").unwrap();
    let appended =
        format!("{before_end},\n    {{\"moves\": 26, \"nodes\": 14000, \"milliseconds\": 0}}\n  ],\n{end}\n}}\n")
            .replace("\"bound\": 26", "\"bound\": 28")
            .replace(answer, &format!("  \"answer\": \"{PUBLISHED}\","));
    write("forged.json", &house_check::seal(&appended).unwrap());
    let refused = house(folder.path(), 0, &["record", "--book", "boards/book.csv", "forged.json"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = text(&refused.stderr);
    assert!(why.contains("refused by house-check: there is an answer of at most 26 moves"), "{why}");
    write("forged.json", &good.replace("\"version\": \"", "\"version\": \"1"));
    let refused = house(folder.path(), 0, &["record", "--book", "boards/book.csv", "forged.json"]);
    assert!(text(&refused.stderr).contains("refused by house-check: the seal is broken"));
    assert_eq!(book(), before);
}

/// The bound of the certificate must be one more search away than what the checker sees without a search. How far `house`
/// comes depends on the machine's load, so it gets more time until it is there.
#[test]
fn what_house_check_does_not_finish_is_not_proved() {
    for limit in [5_000, 20_000, 80_000, 320_000] {
        let folder = folder();
        house(folder.path(), limit, &["boards/random.txt", "--memory", "64", "--certificate", "random.json"]);
        let record = ["record", "--book", "boards/book.csv", "--seconds", "0", "random.json"];
        let recorded = house(folder.path(), 0, &record);
        assert!(recorded.status.success(), "{}", text(&recorded.stderr));
        let certificate = fs::read_to_string(folder.path().join("random.json")).unwrap();
        let bound = certificate.split("\"bound\": ").nth(1).unwrap().split(',').next().unwrap();
        let book = fs::read_to_string(folder.path().join("boards/book.csv")).unwrap();
        let row: Vec<&str> = book.lines().find(|line| line.starts_with("random,")).unwrap().split(',').collect();
        assert_eq!((row[4], row[5]), (bound, "no"), "{row:?}");
        let proved: u8 = row[3].parse().unwrap();
        assert!(proved <= bound.parse().unwrap(), "{row:?}");
        if row[3] != bound {
            return;
        }
    }
    panic!("no search went beyond the bound that needs none");
}

#[test]
fn unusable_arguments_are_refused_with_a_reason() {
    let folder = folder();
    fs::write(folder.path().join("short.txt"), "+ABCD").unwrap();
    let cases: [(&[&str], &str); 4] = [
        (&["nothing.txt"], "cannot read nothing.txt"),
        (&["short.txt"], "invalid board in short.txt: only 5 of 25 symbols"),
        (&["boards/trap.txt", "--tables", "boards"], "boards/tables.json: No such file"),
        (&["record", "--book", "boards/book.csv", "boards"], "journal.jsonl: No such file"),
    ];
    for (arguments, reason) in cases {
        let output = house(folder.path(), 1_000, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stdout), "");
        assert!(text(&output.stderr).contains(reason), "{reason}: {}", text(&output.stderr));
    }
}
