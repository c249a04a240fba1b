//! Random contests of every kind: all outputs have the same table, and it is the one that a program computes which shares no code
//! with judge and was written after docs/scoring.md alone. `judge/tests/scoring/generate.py` describes the interface.

use std::collections::HashMap;
use std::fmt::{Debug, Display};
use std::io::Write as _;

use judge_core::journal;
use judge_core::results::Results;
use judge_report::{Format, write};

use crate::second_opinion::has_python;
use crate::support::*;

/// The threads that compare files.
const THREADS: usize = 4;
/// The mark of an entry that does not compete, behind its name.
const NOT_COMPETING: &str = " †";

fn program(name: &str) -> PathBuf {
    project().join("judge/tests/scoring").join(name)
}

/// The objects that a program prints, one per line.
fn printed(name: &str, arguments: &[&str], input: &str) -> Vec<Value> {
    let mut python = Command::new("python3");
    python.arg(program(name)).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let input = input.to_owned();
    // It can print before it has read everything.
    let writes = std::thread::spawn(move || to.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writes.join().unwrap().unwrap();
    assert!(output.status.success(), "{name} {arguments:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What the second program makes of these cases.
fn second_opinions(cases: &[&Value]) -> Vec<Value> {
    let input: String = cases.iter().map(|case| format!("{case}\n")).collect();
    let answers = printed("scoring.py", &[], &input);
    assert_eq!(answers.len(), cases.len());
    answers
}

/// What differs, as sentences.
type Differences = Vec<String>;

fn differ<A: Debug + PartialEq<B>, B: Debug>(found: &mut Differences, what: impl Display, one: &A, other: &B) {
    if one != other {
        found.push(format!("{what}: {one:?}, not {other:?}"));
    }
}

fn text(results: &Results, format: Format) -> String {
    let mut out = Vec::new();
    write(results, format, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A row of JSON as a table shows it.
#[derive(Debug, PartialEq)]
struct Line {
    entry: String,
    competing: bool,
    place: Option<u64>,
    /// In the order of the boards, without marks. One that is not planned is empty.
    cells: Vec<String>,
    marks: Vec<String>,
}

fn names(document: &Value) -> Vec<&str> {
    document["boards"].as_array().unwrap().iter().map(|board| board["name"].as_str().unwrap()).collect()
}

fn entries(document: &Value) -> &[Value] {
    document["entries"].as_array().unwrap()
}

fn lines(document: &Value) -> Vec<Line> {
    let boards = names(document);
    let line = |entry: &Value| {
        let run = |board: &&str| entry["runs"].as_array().unwrap().iter().find(|run| run["board"] == *board);
        let cell = |board: &&str| run(board).map_or("", |run| run["cell"].as_str().unwrap_or("-")).to_owned();
        let mark = |board: &&str| {
            let has = |key: &str| run(board).is_some_and(|run| !run[key].is_null());
            format!("{}{}", if has("suspect") { "?" } else { "" }, if has("ruling") { "!" } else { "" })
        };
        Line {
            entry: entry["entry"].as_str().unwrap().into(),
            competing: entry["competing"].as_bool().unwrap(),
            place: entry["place"].as_u64(),
            cells: boards.iter().map(cell).collect(),
            marks: boards.iter().map(mark).collect(),
        }
    };
    entries(document).iter().map(line).collect()
}

/// A table of text: its heads, and its rows of as many cells.
type Grid = (Vec<String>, Vec<Vec<String>>);

/// The last table that was drawn for a terminal.
fn drawn(text: &str) -> Grid {
    let from = text.rfind('┌').unwrap();
    let lines = text[from..].lines().filter(|line| line.starts_with('│'));
    let cells = |line: &str| -> Vec<String> {
        let inside = line.trim_matches('│');
        inside.split('┆').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut rows: Vec<Vec<String>> = lines.map(cells).collect();
    let heads = rows.remove(0);
    (heads, rows)
}

/// The first table of a Markdown document.
fn marked_up(text: &str) -> Grid {
    let lines = text.lines().skip_while(|line| !line.starts_with("| ")).take_while(|line| line.starts_with("| "));
    let cells = |line: &str| -> Vec<String> {
        let inside = line.strip_prefix("| ").unwrap().strip_suffix(" |").unwrap();
        inside.split(" | ").map(|cell| cell.replace("&amp;", "&").replace('\\', "")).collect()
    };
    let mut rows: Vec<Vec<String>> = lines.map(cells).collect();
    let heads = rows.remove(0);
    rows.remove(0);
    (heads, rows)
}

/// The rows of the layout of 1995, in words.
fn plain(text: &str) -> Vec<Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect()
}

/// Compares all outputs of a table with its JSON.
fn outputs(results: &Results, document: &Value) -> Differences {
    let mut found = Vec::new();
    let (boards, lines) = (names(document), lines(document));
    let (heads, rows) = drawn(&text(results, Format::Table));
    differ(&mut found, "Markdown", &marked_up(&text(results, Format::Markdown)), &(heads.clone(), rows.clone()));
    let plain_text = text(results, Format::Plain);
    for ((line, row), words) in lines.iter().zip(&rows).zip(plain(&plain_text)) {
        let name = &line.entry;
        let shown = format!("{name}{}", if line.competing { "" } else { NOT_COMPETING });
        differ(&mut found, "the name in the table", &row[1], &shown);
        let place = line.place.map_or(String::new(), |place| place.to_string());
        differ(&mut found, format_args!("the place of {name} in the table"), &row[0], &place);
        let marked: Vec<String> =
            line.cells.iter().zip(&line.marks).map(|(cell, marks)| format!("{cell}{marks}")).collect();
        let column = |board: &&str| heads.iter().position(|head| head == board).unwrap();
        let in_table: Vec<&str> = boards.iter().map(|board| row[column(board)].as_str()).collect();
        differ(&mut found, format_args!("the cells of {name} in the table"), &in_table, &marked);
        let word = |cell: &String| match cell.trim_end_matches(['?', '!']).replace(" of ", "/").replace(' ', "") {
            empty if empty.is_empty() => "-".into(),
            word => word,
        };
        let expected: Vec<String> = [name.clone()].into_iter().chain(row[2..].iter().map(word)).collect();
        differ(&mut found, format_args!("the row of {name} in the layout of 1995"), &words, &expected);
    }
    differ(&mut found, "rows in the table", &rows.len(), &lines.len());
    differ(&mut found, "rows in the layout of 1995", &plain(&plain_text).len(), &lines.len());
    again(results, document, &mut found);
    found
}

/// Compares the CSV table with JSON, and the table that is read again from it.
fn again(results: &Results, document: &Value, found: &mut Differences) {
    let written = text(results, Format::Csv);
    let mut reader = csv::Reader::from_reader(written.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let column = |name: &str| heads.iter().position(|head| head == name);
    let boards = document["boards"].as_array().unwrap().iter().map(|board| {
        let (name, round) = (board["name"].as_str().unwrap(), board["round"].as_u64().unwrap());
        if round > 1 { format!("{round}/{name}") } else { name.to_owned() }
    });
    let boards: Vec<usize> = boards.map(|head| column(&head).unwrap()).collect();
    for ((record, line), entry) in reader.records().zip(lines(document)).zip(entries(document)) {
        let (record, name) = (record.unwrap(), &line.entry);
        differ(found, "the name in the CSV", &&record[column("entry").unwrap()], name);
        let place = line.place.map_or(String::new(), |place| place.to_string());
        differ(found, format_args!("the place of {name} in the CSV"), &&record[column("place").unwrap()], &place);
        // A spreadsheet would take `-` for a formula.
        let cells: Vec<&str> = boards.iter().map(|&board| record[board].trim_start_matches('\'')).collect();
        differ(found, format_args!("the cells of {name} in the CSV"), &cells, &line.cells);
        let total = &entry["total"];
        let time = record[column("total_ms").unwrap()].to_owned();
        differ(found, format_args!("the time of {name} in the CSV"), &time, &as_text(&total["time_ms"]));
        for (head, value) in declared(total) {
            let shown = column(head).map(|column| record[column].trim_start_matches('\'').to_owned());
            differ(found, format_args!("{head} of {name} in the CSV"), &shown, &Some(as_text(value)));
        }
    }
    // Cells of a group that has its points as a whole do not show the values from which relative ones follow, and neither do
    // those that show other figures.
    let scoring = &document["scoring"];
    let groups = scoring["groups"].as_array().map_or(&[][..], Vec::as_slice);
    let cell = scoring["cell"].as_array().unwrap();
    let elsewhere = !cell.is_empty() && !cell.contains(&scoring["figures"][0]["name"]);
    let hidden = elsewhere || groups.iter().any(|group| group["aggregate"] == "all");
    if hidden && document["ranking"].as_array().unwrap().contains(&json!("relative")) {
        return;
    }
    match Results::read_csv("again", written.as_bytes()) {
        Ok(read) => {
            let read: Value = serde_json::from_str(&text(&read, Format::Json)).unwrap();
            // The file has no reasons of marks.
            let unmarked = |document: &Value| {
                let lines = lines(document).into_iter();
                lines.map(|line| Line { marks: Vec::new(), ..line }).collect::<Vec<_>>()
            };
            let [again, before] = [&read, document].map(unmarked);
            for (again, before) in again.iter().zip(&before) {
                differ(found, "a row of the CSV read again", again, before);
            }
            for (again, before) in entries(&read).iter().zip(entries(document)) {
                let (again, before) = (again["total"].as_object().unwrap(), &before["total"]);
                for (key, value) in again {
                    differ(found, format_args!("{key} of the CSV read again"), value, &before[key]);
                }
            }
            differ(found, "the ranking of the CSV read again", &read["ranking"], &document["ranking"]);
        }
        Err(error) => found.push(format!("the CSV cannot be read again: {error}")),
    }
}

/// The figures that the contest declares, by name.
fn declared(total: &Value) -> impl Iterator<Item = (&str, &Value)> {
    total["figures"].as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// A figure as text; empty if it is not known.
fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Compares a total of JSON with that of the second program.
fn total(found: &mut Differences, what: &str, shown: &Value, expected: &Value) {
    let figures = &expected["figures"];
    differ(found, format_args!("time of {what}"), &as_text(&shown["time_ms"]), &as_text(&figures["time"]));
    for (name, value) in declared(shown) {
        // The number of accepted answers is not shown as long as one is missing.
        let hidden = name == "solved" && value.is_null() && expected["text"] == "-";
        let expected = if hidden { String::new() } else { as_text(&figures[name]) };
        differ(found, format_args!("{name} of {what}"), &as_text(value), &expected);
    }
    if let Some(value) = shown.get("relative_to_best_here") {
        let figure = figures["relative"].as_str().map(|text| text.parse::<f64>().unwrap());
        differ(found, format_args!("relative of {what}"), &value.as_f64(), &figure);
    }
}

/// Compares JSON with the table of the second program.
fn second(document: &Value, answer: &Value) -> Differences {
    let mut found = Vec::new();
    differ(&mut found, "the ranking", &document["ranking"], &answer["list"]);
    differ(&mut found, "the columns", &json!(names(document)), &answer["columns"]);
    differ(&mut found, "whether the table is complete", &document["complete"], &answer["complete"]);
    let rows = answer["rows"].as_array().unwrap();
    let order: Vec<&str> = rows.iter().map(|row| row["entry"].as_str().unwrap()).collect();
    let shown: Vec<&str> = entries(document).iter().map(|entry| entry["entry"].as_str().unwrap()).collect();
    differ(&mut found, "the order", &shown, &order);
    let of_entry: HashMap<&str, &Value> = order.iter().copied().zip(rows).collect();
    for (line, entry) in lines(document).iter().zip(entries(document)) {
        let name = &line.entry;
        let Some(row) = of_entry.get(name.as_str()) else { continue };
        differ(&mut found, format_args!("the place of {name}"), &line.place, &row["place"].as_u64());
        differ(&mut found, format_args!("whether {name} is complete"), &entry["complete"], &row["complete"]);
        differ(&mut found, format_args!("the cells of {name}"), &json!(line.cells), &row["cells"]);
        differ(&mut found, format_args!("the marks of {name}"), &json!(line.marks), &row["marks"]);
        total(&mut found, name, &entry["total"], &row["total"]);
        let rounds = entry["rounds"].as_array().unwrap();
        if !rounds.is_empty() {
            let expected = row["rounds"].as_array().unwrap();
            differ(&mut found, format_args!("the rounds of {name}"), &rounds.len(), &expected.len());
            for (number, (shown, expected)) in rounds.iter().zip(expected).enumerate() {
                total(&mut found, &format!("{name} in round {}", number + 1), shown, expected);
            }
        }
    }
    found
}

/// Compares the texts of totals with those of the second program. A contest with one round has one column of them.
fn texts(results: &Results, answer: &Value) -> Differences {
    let mut found = Vec::new();
    let (heads, rows) = drawn(&text(results, Format::Table));
    let of_total = |head: &String| match &results.scoring.total[..] {
        // One figure has the number of boards in its head, several have a column each; those of a game are one text.
        _ if results.scoring.total_is_one_text() => head.starts_with("total ("),
        [alone] => head.starts_with(&format!("{alone} (")),
        several => several.iter().any(|name| **name == **head),
    };
    let columns: Vec<usize> = (0..heads.len()).filter(|&column| of_total(&heads[column])).collect();
    let of_entry: HashMap<&str, &Vec<String>> =
        rows.iter().map(|row| (row[1].trim_end_matches(NOT_COMPETING), row)).collect();
    for expected in answer["rows"].as_array().unwrap() {
        let name = expected["entry"].as_str().unwrap();
        let Some(row) = of_entry.get(name) else { continue };
        // A column of a figure says nothing about a withdrawn entry.
        if columns.len() > 1 && columns.iter().all(|&column| row[column].is_empty()) {
            continue;
        }
        differ(
            &mut found,
            format_args!("the text of the total of {name}"),
            &columns.iter().map(|&column| row[column].clone()).collect::<Vec<_>>().join(" "),
            &one_dash(expected["total"]["text"].as_str().unwrap(), columns.len()),
        );
    }
    found
}

/// A total of which nothing is known is one dash, but has one in each of its columns.
fn one_dash(total: &str, columns: usize) -> String {
    if total == "-" { vec!["-"; columns].join(" ") } else { total.to_owned() }
}

/// Compares everything for `count` files of results of this kind from this seed on, and returns how many places that were.
#[track_caller]
fn files_agree(kind: &str, first: u64, count: u64) -> usize {
    let made = printed("generate.py", &[kind, &first.to_string(), &count.to_string()], "");
    let answers = second_opinions(&made.iter().map(|made| &made["case"]).collect::<Vec<_>>());
    let all = made.iter().zip(answers).collect::<Vec<_>>();
    let differences = std::sync::Mutex::new(Vec::new());
    let folder = Folder::new();
    let parts: Vec<_> = all.chunks(all.len().div_ceil(THREADS)).collect();
    at_once(&parts, |part| {
        for (made, answer) in *part {
            let case = made["case"]["case"].as_str().unwrap();
            let found = file_agrees(&folder, case, made, answer);
            let found = found.into_iter().map(|difference| format!("seed {case}: {difference}"));
            differences.lock().unwrap().extend(found);
        }
    });
    let differences = differences.into_inner().unwrap();
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
    // The second program's place, and those of text, Markdown, CSV and the CSV read again, are compared with that of JSON.
    let places = |made: &Value| {
        let outputs = if made["options"].as_array().unwrap().is_empty() { 5 } else { 1 };
        outputs * made["case"]["entries"].as_array().unwrap().len()
    };
    made.iter().map(places).sum()
}

fn file_agrees(folder: &Folder, case: &str, made: &Value, answer: &Value) -> Differences {
    let file = made["csv"].as_str().unwrap();
    let options: Vec<&str> =
        made["options"].as_array().unwrap().iter().map(|option| option.as_str().unwrap()).collect();
    let results = match Results::read_csv("results.csv", file.as_bytes()) {
        Ok(results) => results,
        Err(error) => return vec![format!("it cannot be read: {error}")],
    };
    if !options.is_empty() {
        let name = format!("{case}.csv");
        folder.file(&name, file);
        let ranked = folder.judge([&["rank", &name, "--format", "json"], options.as_slice()].concat()).exits(0);
        return second(&ranked.json(), answer);
    }
    let document: Value = serde_json::from_str(&text(&results, Format::Json)).unwrap();
    let mut found = outputs(&results, &document);
    found.extend(second(&document, answer));
    if made["case"]["rounds"].as_array().unwrap().len() == 1 {
        found.extend(texts(&results, answer));
    }
    found
}

#[test]
fn the_second_program_computes_the_examples_of_the_rules() {
    if has_python() {
        let mut python = Command::new("python3");
        let output = python.arg(program("test_scoring.py")).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn files_of_results_have_one_table_in_every_output() {
    if has_python() {
        files_agree("files", 0, 300);
    }
}

#[test]
#[ignore = "deep: clients"]
fn a_million_places_are_those_of_the_second_program() {
    if has_python() {
        let files = (1_000..3_000).step_by(500).map(|first| files_agree("files", first, 500));
        let crowds = (0..250).step_by(10).map(|first| files_agree("crowds", first, 10));
        assert!(files.chain(crowds).sum::<usize>() >= 1_000_000);
    }
}

/// Runs a contest, and compares its results directory, its results.csv and who went on with the second program.
fn contest_agrees(made: &Value) -> Differences {
    let folder = Folder::new();
    for (name, content) in made["files"].as_object().unwrap() {
        folder.file(name, content.as_str().unwrap());
    }
    let run = folder.command(["run", "--out", "out", "--progress", "none"]).output().unwrap();
    if !run.status.success() {
        return vec![format!("it cannot be run: {}", String::from_utf8_lossy(&run.stderr))];
    }
    let rank = |results: &str| folder.judge(["rank", results, "--format", "json"]).exits(0).json();
    let (document, of_file) = (rank("out"), rank("out/results.csv"));
    let mut found = Vec::new();
    for key in ["ranking", "complete"] {
        differ(&mut found, format_args!("{key} of results.csv"), &of_file[key], &document[key]);
    }
    differ(&mut found, "the rows of results.csv", &lines(&of_file), &lines(&document));
    let results = Results::read(&folder.path().join("out"), journal::read).unwrap();
    found.extend(outputs(&results, &document));
    let case = folder.file("case.json", made["case"].to_string());
    let csv = folder.path().join("out/results.csv");
    let cases = printed("generate.py", &["collect", case.to_str().unwrap(), csv.to_str().unwrap()], "");
    let answers = second_opinions(&cases.iter().collect::<Vec<_>>());
    let answer = answers.last().unwrap();
    found.extend(second(&document, answer));
    if made["case"]["rounds"].as_array().unwrap().len() == 1 {
        found.extend(texts(&results, answer));
    }
    for (case, answer) in cases.iter().zip(&answers) {
        let (Some(went_on), Some(goes_on)) = (case["went_on"].as_array(), answer["goes_on"].as_array()) else {
            continue;
        };
        let sorted = |names: &[Value]| {
            let mut names: Vec<String> = names.iter().map(as_text).collect();
            names.sort();
            names
        };
        differ(&mut found, format_args!("who went on, {}", case["case"]), &sorted(went_on), &sorted(goes_on));
    }
    found
}

#[test]
#[ignore = "deep: clients"]
fn contests_that_are_run_have_the_tables_that_follow_from_their_rules() {
    let made = if has_python() { printed("generate.py", &["contests", "0", "60"], "") } else { Vec::new() };
    let mut differences = Vec::new();
    for made in &made {
        let case = as_text(&made["case"]["case"]);
        let found = contest_agrees(made);
        differences.extend(found.into_iter().map(|difference| format!("seed {case}: {difference}")));
    }
    assert!(differences.is_empty(), "{} differences\n{}", differences.len(), differences.join("\n"));
}
