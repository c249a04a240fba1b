//! Tests of the history: a sentence per event, and the records that it supersedes, also as CSV.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use serde_json::{Value, json};

use super::tests::{contents, entry, plan, refused, run};
use super::*;
use crate::key::RunKey;
use crate::results::Results;
use crate::results_csv::write_runs;

/// The sentences of these events after the first one, with the moves of the records that each supersedes.
fn sentences(lines: &[Value]) -> Vec<(String, Vec<i128>)> {
    let history = contents(lines).history;
    assert_eq!(history[0].text, "The contest test begins with 2 entries on 2 boards.");
    let moves = |record: &Record| record.verdict.given().unwrap().figures.get("moves").unwrap().units();
    history
        .iter()
        .skip(1)
        .map(|event| (event.text.clone(), event.superseded.iter().map(|record| moves(record)).collect()))
        .collect()
}

fn build(result: Value) -> Value {
    let mut line = json!({"line": "build", "command": "make", "entries": ["a", "b"], "attempt": 1, "wall_us": 7});
    line.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
    line
}

#[test]
fn every_event_has_its_sentence() {
    let mut settings = serde_json::to_value(Line::Settings(Box::new(Settings::from_plan(&plan())))).unwrap();
    settings["reasons"] = json!(["the limit is 2 s", "the order of boards"]);
    let described = json!({"name": "a", "command": ["a"], "competing": true, "author": "A. Author"});
    let lines = [
        build(json!({"result": "failed", "reason": "no compiler"})),
        build(json!({"result": "failed", "reason": "no compiler"})),
        build(json!({"result": "judge_error", "reason": "no sh"})),
        build(json!({"result": "succeeded"})),
        build(json!({"result": "succeeded"})),
        run(1, "a", "X", 1, 4),
        run(1, "b", "X", 1, 5),
        run(1, "b", "Y", 1, 6),
        json!({"line": "entry", "entry": entry("c"), "programs": {}}),
        json!({"line": "entry", "entry": described, "programs": {}, "keeps_runs": true, "reason": "author"}),
        json!({"line": "entry", "entry": entry("b"), "programs": {}, "reason": "its program has changed"}),
        json!({"line": "program", "entry": "b", "programs": {"b": "00"}, "kept": ["b"]}),
        json!({"line": "program", "entry": "b", "programs": {"b": "00"}}),
        run(1, "b", "X", 2, 7),
        json!({"line": "board", "name": "Z", "text": "z"}),
        json!({"line": "board", "name": "X", "text": "x", "note": "the first", "reason": "its note"}),
        json!({"line": "struck", "board": "X", "reason": "a misprint"}),
        json!({"line": "reinstated", "board": "X", "reason": "none after all"}),
        json!({"line": "withdrawn", "entry": "b", "reason": "gone"}),
        json!({"line": "restored", "entry": "b", "reason": "back"}),
        json!({"line": "withdrawn", "entry": "b", "reason": "copied", "disqualified": true}),
        settings,
        json!({"line": "ruling", "round": 1, "entry": "a", "board": "X", "verdict": {"verdict": "timed_out"},
               "because": "seen"}),
        json!({"line": "rejudgement", "changed": [{"round": 1, "entry": "a", "board": "X", "attempt": 1,
               "verdict": {"verdict": "crashed", "exit": {"code": 1}}}]}),
        run(1, "a", "X", 2, 8),
        json!({"line": "board", "name": "X", "text": "other", "reason": "its text has changed"}),
    ];
    let expected: [(&str, &[i128]); 20] = [
        ("The build of a, b fails: no compiler", &[]),
        ("The judge could not build a, b: no sh", &[]),
        ("The build of a, b succeeds now.", &[]),
        ("Entry c enters the contest.", &[]),
        ("Entry a is described anew: author.", &[]),
        ("Entry b is run again: its program has changed.", &[5, 6]),
        ("The program of b is another one from here on; earlier runs count as they are.", &[]),
        ("The files of the program of b are recorded.", &[]),
        ("Board Z is added.", &[]),
        ("Board X is described anew: its note.", &[]),
        ("Board X is struck and does not count any more: a misprint", &[4, 7]),
        ("Board X counts again: none after all", &[]),
        ("Entry b is withdrawn: gone", &[7]),
        ("Entry b is in the contest again: back", &[]),
        ("Entry b is disqualified: copied", &[7]),
        ("The contest changes: the limit is 2 s; the order of boards.", &[]),
        ("a on X is ruled by hand: ", &[]),
        ("a on X is refereed again: ", &[]),
        ("Board X is replaced by another one, on which all entries run: its text has changed.", &[8, 7]),
        ("", &[]),
    ];
    let found = sentences(&lines);
    assert_eq!(found.len(), expected.len() - 1, "{found:#?}");
    for ((text, superseded), (begin, moves)) in found.iter().zip(expected) {
        assert!(text.starts_with(begin) && superseded == moves, "{text} {superseded:?}, expected {begin} {moves:?}");
    }
    assert!(found[16].0.ends_with("The reason: seen") && found[16].0.contains("limit"), "{}", found[16].0);
    assert!(found[17].0.contains("crashed") && found[17].0.contains("Before: "), "{}", found[17].0);
}

#[test]
fn what_names_nothing_of_the_contest_is_refused() {
    let unknown = json!({"line": "program", "entry": "[referee]", "programs": {}});
    assert!(refused(&[unknown]).contains("unknown entry `[referee]` has a program"), "a built-in game has none");
    let unknown = build(json!({"result": "succeeded", "entries": ["a", "unknown"]}));
    assert!(refused(&[unknown]).contains("unknown entry `unknown` was built"));
    let other = json!({"line": "rejudgement", "changed": [{"round": 1, "entry": "a", "board": "X", "attempt": 2,
                       "verdict": {"verdict": "timed_out"}}]});
    let error = refused(&[run(1, "a", "X", 1, 4), other]);
    assert!(error.contains("attempt 2 of a on X was refereed again, but its record is missing"), "{error}");
    for name in ["", ".hidden", "a/b", "a\0b"] {
        let named = json!({"line": "entry", "entry": entry(name), "programs": {}});
        assert!(refused(&[named]).contains("is not usable"), "{name:?}");
    }
    let mut settings = Settings::from_plan(&plan());
    settings.repeat = 0;
    let error = refused(&[serde_json::to_value(Line::Settings(Box::new(settings))).unwrap()]);
    assert!(error.contains("repeat is 0; it must be 1 to "), "{error}");
}

#[test]
fn the_files_of_an_attempt_are_named_after_it() {
    let key = RunKey::new(2, "a", "X.1");
    let results = Path::new("out");
    assert_eq!(stdout_file(results, &key, 3), Path::new("out/output/2/a/X.1.3.out"));
    assert_eq!(stderr_file(results, &key, 3), Path::new("out/output/2/a/X.1.3.err"));
    assert_eq!(frames_file(results, &key, 3), Path::new("out/output/2/a/X.1.3.frames.jsonl"));
    let again = RunKey { repeat: 2, ..key };
    assert_eq!(stdout_file(results, &again, 1), Path::new("out/output/2/a/repeat-2/X.1.1.out"));
    let contents = contents(&[run(1, "a", "X", 2, 4)]);
    assert_eq!(frames_of(results, &contents.records[0]), Path::new("out/output/1/a/X.2.frames.jsonl"));
    assert_eq!((contents.records[0].seq, contents.records[0].attempt), (1, 2));
}

#[test]
fn an_answer_can_be_refereed_again_if_a_referee_ruled_on_it_or_failed() {
    let with = |verdict: Value| {
        let mut line = run(1, "a", "X", 1, 4);
        for key in ["verdict", "progress", "of", "moves", "tie_break"] {
            line.as_object_mut().unwrap().remove(key);
        }
        line.as_object_mut().unwrap().extend(verdict.as_object().unwrap().clone());
        contents(&[line]).records[0].has_answer()
    };
    assert!(contents(&[run(1, "a", "X", 1, 4)]).records[0].has_answer());
    assert!(with(json!({"verdict": "judge_error", "reason": "referee: it crashed"})));
    assert!(!with(json!({"verdict": "judge_error", "reason": "no space left"})));
    assert!(!with(json!({"verdict": "timed_out"})));
}

#[test]
fn csv_has_what_the_journal_has() {
    let mut full = run(1, "b", "X", 3, 9);
    let facts = json!({
        "cpu_us": 11, "cpu_by": "cgroup", "memory_bytes": 12, "memory_by": "reaped", "stdout_bytes": 13,
        "stderr_bytes": 14, "suspect": "other processes ran", "notes": ["one", "two"], "final_board": "ABCDE",
        "contention": {"cpu_pressure_us": 15, "memory_pressure_us": 16, "involuntary_switches": 17, "taken_us": 18},
    });
    full.as_object_mut().unwrap().extend(facts.as_object().unwrap().clone());
    let mut others = Vec::new();
    for (entry, board, verdict) in [
        ("a", "X", json!({"verdict": "crashed", "exit": {"signal": 11}})),
        ("a", "Y", json!({"verdict": "timed_out"})),
        (
            "b",
            "Y",
            json!({"verdict": "illegal_move", "figures": {"progress": "7", "moves": "2", "tie_break": "1"}, "full": "25", "failed_at": 3,
                          "token": "x", "reason": "no move"}),
        ),
    ] {
        let mut line = run(1, entry, board, 1, 0);
        for key in ["progress", "of", "moves", "tie_break"] {
            line.as_object_mut().unwrap().remove(key);
        }
        line.as_object_mut().unwrap().extend(verdict.as_object().unwrap().clone());
        others.push(line);
    }
    let lines = [others, vec![full]].concat();
    let contents = contents(&lines);
    let mut csv = Vec::new();
    write_runs(&contents, &mut csv).unwrap();
    let text = String::from_utf8(csv.clone()).unwrap();
    let (read, own) = (Results::read_csv("results.csv", &*csv).unwrap(), Results::from_journal(&contents));
    for (read, own) in read.rows.iter().zip(&own.rows) {
        assert_eq!((&read.entry.name, read.place, &read.total), (&own.entry.name, own.place, &own.total), "{text}");
        assert_eq!(read.cells, own.cells, "{text}");
    }
    assert_eq!(read.rows.len(), own.rows.len());
    assert_eq!(read.faults, own.faults, "{text}");
    for (read, own) in read.remarks.iter().zip(&own.remarks) {
        assert_eq!((&read.entry, &read.board, read.attempt), (&own.entry, &own.board, own.attempt));
        assert_eq!((&read.usage, &read.extras.suspect), (&own.usage, &own.extras.suspect));
        assert_eq!(read.extras.notes.join("; "), own.extras.notes.join("; "));
    }
    assert_eq!(read.remarks.len(), own.remarks.len());
    // One column per figure, under its name.
    let mut reader = csv::Reader::from_reader(&*csv);
    let headers = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| &row[headers.iter().position(|name| name == "attempt").unwrap()] == "3").unwrap();
    let of = |name: &str| row[headers.iter().position(|header| header == name).unwrap()].to_owned();
    for (name, value) in [
        ("contest", "test"),
        ("game", "loyd"),
        ("round", "1"),
        ("entry", "b"),
        ("competing", "yes"),
        ("board", "X"),
        ("reconstruction", "no"),
        ("verdict", "solved"),
        ("figures", r#"{"moves":"9","progress":"25","tie_break":"0"}"#),
        ("full", "25"),
        ("wall_us", "5"),
        ("limit_ms", "1000"),
        ("cpu_us", "11"),
        ("cpu_by", "cgroup"),
        ("memory_bytes", "12"),
        ("memory_by", "reaped"),
        ("suspect", "other processes ran"),
        ("cpu_pressure_us", "15"),
        ("memory_pressure_us", "16"),
        ("involuntary_switches", "17"),
        ("taken_us", "18"),
        ("stdout_bytes", "13"),
        ("stderr_bytes", "14"),
        ("final_board", "ABCDE"),
    ] {
        assert_eq!(of(name), value, "{name}");
    }
    let crash = rows.iter().find(|row| row.iter().any(|cell| cell == "crashed")).unwrap();
    assert_eq!(&crash[headers.iter().position(|name| name == "signal").unwrap()], "11");
}
