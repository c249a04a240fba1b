//! The table of what the sources say: its commands print what it states, and what it refers to exists.

use std::collections::BTreeSet;
use std::fs;
use std::mem;
use std::process::{Command, Stdio};

use crate::support::project;

/// What a row says about a statement, at the beginning of its last cell.
const STATUSES: [&str; 4] = ["equal", "corrected", "cannot be", "not done"];

/// A row of the tables.
struct Row {
    line: String,
    statement: String,
    place: String,
    reproduced: String,
    status: String,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(project().join("docs/sources.md")).unwrap();
    let body = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| place |"));
    body.filter(|line| !line.starts_with("| ---"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [place, statement, reproduced, status] = cells[..] else { panic!("not four cells: {line}") };
            let [place, statement, reproduced, status] = [place, statement, reproduced, status].map(str::to_owned);
            Row { line: line.to_owned(), statement, place, reproduced, status }
        })
        .collect()
}

/// The texts between backquotes, each with the text up to the next one.
fn code(cell: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = cell.split('`').collect();
    assert!(parts.len() % 2 == 1, "a backquote is missing: {cell}");
    parts[1..].chunks(2).map(|pair| (pair[0], pair[1].trim())).collect()
}

/// The commands of a row, each with the text that its output must contain; `None` where the row says `(slow)`.
fn commands(row: &Row) -> Vec<(&str, Option<&str>)> {
    let code = code(&row.reproduced);
    let commands = code.iter().enumerate().filter(|(_, (text, _))| text.starts_with("judge "));
    commands
        .map(|(index, &(command, after))| match after.split_whitespace().next() {
            Some("→") => (command, Some(code[index + 1].0)),
            Some("(slow)") | Some("(slow),") | Some("(slow);") => (command, None),
            _ => panic!("`{command}` needs → and a text of its output, or (slow): {}", row.line),
        })
        .collect()
}

/// The words of a command line; double quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Everything the command prints, in one line.
fn output(command: &str) -> String {
    let words = words(command);
    let judge = Command::new(env!("CARGO_BIN_EXE_judge"))
        .args(&words[1..])
        .current_dir(project())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    squeezed(&[judge.stdout, judge.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).join(" "))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_row_has_a_statement_and_a_status_and_stands_once() {
    let rows = rows();
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let mut seen = BTreeSet::new();
    for row in &rows {
        assert!(!row.place.is_empty() && !row.statement.is_empty(), "{}", row.line);
        assert!(STATUSES.iter().any(|status| row.status.starts_with(status)), "unknown status: {}", row.line);
        assert!(
            row.status != "corrected" && row.status != "cannot be" && row.status != "not done",
            "why? {}",
            row.line
        );
        assert!(row.status != "equal" || !row.reproduced.is_empty(), "equal to what? {}", row.line);
        assert!(seen.insert((&row.place, &row.statement)), "duplicate row: {}", row.line);
        assert!(!row.line.contains('@'), "an address: {}", row.line);
    }
}

#[test]
fn every_command_prints_what_its_row_states() {
    let rows = rows();
    let tested: Vec<(&str, &str)> =
        rows.iter().flat_map(commands).filter_map(|(command, expected)| Some((command, expected?))).collect();
    assert!(tested.len() >= 100, "{} commands", tested.len());
    let wrong: Vec<String> = tested
        .into_iter()
        .map(|(command, expected)| (command, expected, output(command)))
        .filter(|(_, expected, printed)| !printed.contains(&squeezed(expected)))
        .map(|(command, expected, printed)| format!("`{command}` does not print `{expected}` but: {printed}\n"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn every_file_and_test_that_a_row_names_exists() {
    for row in rows() {
        let mut file = String::new();
        let mut is_output = false;
        for (text, after) in [code(&row.reproduced), code(&row.status)].concat() {
            if mem::replace(&mut is_output, after.starts_with('→')) {
                continue;
            }
            let is_path = text.contains('/') && !text.contains([' ', '>']);
            let is_name = text.contains('_') && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if is_path {
                assert!(project().join(text).exists(), "{text} does not exist: {}", row.line);
                text.clone_into(&mut file);
            } else if is_name && file.ends_with(".rs") {
                let source = fs::read_to_string(project().join(&file)).unwrap();
                assert!(source.contains(&format!("fn {text}(")), "no `{text}` in {file}: {}", row.line);
            }
        }
    }
}

/// The moves that the write-up of the n-game prints for n = 3.
const PRINTED: [(usize, usize); 15] = [
    (3, 4),
    (5, 3),
    (6, 5),
    (4, 6),
    (2, 4),
    (1, 2),
    (3, 1),
    (5, 3),
    (7, 5),
    (6, 7),
    (4, 6),
    (2, 4),
    (3, 2),
    (5, 3),
    (4, 5),
];

#[test]
fn every_pair_of_the_n_game_has_n_hops_and_two_other_moves() {
    const N: usize = 3;
    // The piece on each square, named by the square where it began.
    let mut row: Vec<Option<usize>> = (0..=2 * N + 1).map(|square| (square != N + 1).then_some(square)).collect();
    let (mut hops, mut slides) = ([0; 2 * N + 2], [0; 2 * N + 2]);
    for (from, to) in PRINTED {
        let piece = row[from].take().unwrap();
        assert_eq!(row[to].replace(piece), None);
        *(if from.abs_diff(to) == 2 { &mut hops[piece] } else { &mut slides[piece] }) += 1;
    }
    for black in 1..=N {
        // Pieces of one colour keep their order, so partners are n + 1 squares apart and change places.
        let red = black + N + 1;
        assert_eq!((row[red], row[black]), (Some(black), Some(red)));
        assert_eq!(hops[black] + hops[red], N, "the pair that began on {black} and {red}");
        assert_eq!(slides[black] + slides[red], 2, "the pair that began on {black} and {red}");
    }
}
