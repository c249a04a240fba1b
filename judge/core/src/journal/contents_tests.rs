//! Tests of a contest that was read from a journal: its records, their files, and the changes since an earlier moment.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::round_tests::{contents, first_round, plan, run};
use super::*;
use crate::advance::{NextStep, next};
use crate::fingerprint::Fingerprint;
use crate::hint::Hint;
use crate::key::RunKey;
use crate::plan::{Overrides, Plan};
use crate::points::Points;
use crate::results::{Results, ResultsError};
use crate::verdict::{JudgeFailure, Verdict};

fn key(entry: &str, board: &str) -> RunKey {
    RunKey::new(1, entry, board)
}

fn header(plan: &Plan) -> Header {
    Header::new("c".into(), Overrides::default(), plan.clone(), plan.start_order(), Default::default(), None)
}

#[test]
fn records_stand_in_the_order_of_runs() {
    let plan = plan(&json!("tied"));
    let none = contents(&plan, &[]);
    assert!(none.records.is_empty() && none.records.first().is_none() && none.records.last().is_none());
    let contents = contents(&plan, &[run("b", "B", 7), run("a", "A", 5)]);
    let records = &contents.records;
    assert_eq!((records.is_empty(), records.len()), (false, 2));
    let moves = |record: Option<&Record>| record.and_then(|record| record.verdict.given()?.figures.get("moves"));
    assert_eq!((moves(records.first()), moves(records.last())), (Some(Points::whole(5)), Some(Points::whole(7))));
    assert_eq!(moves(contents.record(&key("b", "B"))), Some(Points::whole(7)));
    assert_eq!(moves(contents.record(&key("b", "A"))), None, "planned, not made");
    assert_eq!(moves(contents.record(&key("x", "A"))), None, "not planned");
    for (index, key) in contents.order().iter().enumerate() {
        assert_eq!(contents.index_of(key), Some(index));
    }
    assert_eq!(contents.index_of(&key("x", "A")), None);
    assert_eq!(["A", "B", "C", "x"].map(|board| contents.number_of_board(board)), [Some(0), Some(1), Some(2), None]);
    let (first, last) = (records.first().unwrap().clone(), records.last().unwrap().clone());
    assert!(records.contains(&first) && records.contains(&last));
    assert!(!records.contains(&Record { stdout_bytes: 9, ..first }));
    assert_eq!(format!("{:?}", contents.attempts()).matches('1').count(), 2, "two runs have an attempt");
}

#[test]
fn contests_are_equal_if_everything_in_them_is() {
    let plan = plan(&json!("tied"));
    let whole = contents(&plan, &first_round());
    assert_eq!(whole, contents(&plan, &first_round()));
    let mut order = first_round();
    order.swap(0, 1);
    // Another order gives another end of the chain.
    assert_ne!(whole, contents(&plan, &order));
    let unchained = |lines: &[serde_json::Value]| ContestState { chain: Chain::default(), ..contents(&plan, lines) };
    assert_eq!(unchained(&first_round()), unchained(&order));
    let less = unchained(&first_round()[1..]);
    assert_ne!(unchained(&first_round()), less);
    assert_ne!(less.attempts(), unchained(&first_round()).attempts());
    assert_eq!(less.attempts(), unchained(&first_round()[1..]).attempts());
    // The same record after another attempt.
    let again = [&[run("a", "A", 4)], &*first_round()].concat();
    assert_ne!(unchained(&first_round()), unchained(&again));
    let struck = json!({"line": "struck", "board": "B", "reason": "r"});
    assert_ne!(unchained(&first_round()), unchained(&[&*first_round(), &[struck]].concat()));
    assert_ne!(whole, ContestState { torn_bytes: 1, ..contents(&plan, &first_round()) });
}

#[test]
fn a_build_has_a_log_of_its_own() {
    let built = || Built::Succeeded;
    let of = |build: Build| (build.log_name().into_owned(), build.fetches);
    assert_eq!(of(Build::new("make", vec!["ant".into(), "bee".into()], 1, built())), ("ant".into(), false));
    assert_eq!(of(Build::new("make", Vec::new(), 1, built())), ("referee".into(), false));
    assert_eq!(of(Build::fetching("cargo fetch", 1, built())), (FETCH_LOG.into(), true));
}

#[test]
fn the_failure_of_a_build_is_a_verdict() {
    assert_eq!(Built::Succeeded.verdict(), None);
    let reason = || "no compiler".to_owned();
    let failed = Built::Failed { reason: reason() }.verdict();
    assert_eq!(failed, Some(Verdict::BuildFailed { reason: reason() }));
    let judge_error = Built::JudgeError { reason: reason() }.verdict();
    assert_eq!(judge_error, Some(Verdict::JudgeError { reason: JudgeFailure::Judge(reason()) }));
}

#[test]
fn a_run_that_never_was_tells_nothing_of_its_entry() {
    let plan = plan(&json!("tied"));
    let record = contents(&plan, &[run("a", "A", 5)]).records.first().unwrap().clone();
    let is_inconclusive = |verdict| Record { verdict, ..record.clone() }.is_inconclusive();
    let reason = || "why".to_owned();
    assert!(is_inconclusive(Verdict::CouldNotStart { reason: reason() }));
    assert!(is_inconclusive(Verdict::BuildFailed { reason: reason() }));
    assert!(is_inconclusive(Verdict::JudgeError { reason: JudgeFailure::Judge(reason()) }));
    assert!(!is_inconclusive(Verdict::TimedOut) && !record.is_inconclusive());
}

#[test]
fn errors_have_the_way_out_that_fits() {
    let results = || PathBuf::from("out");
    let journal = || results().join(FILE_NAME);
    let damaged =
        |line| JournalError::Damaged { path: journal(), line, reason: "r".into(), lost: LostLines::default() };
    let hint = |error: JournalError| error.hint();
    assert!(matches!(hint(JournalError::Exists(results())), Some(Hint::ContinueOrMove)));
    let missing = |hint| matches!(hint, Some(Hint::ListResults { missing }) if missing == results());
    assert!(missing(hint(JournalError::Missing(results()))));
    assert!(missing(ResultsError::Missing(results()).hint()));
    assert!(missing(ResultsError::Journal(JournalError::Missing(results())).hint()));
    assert!(matches!(hint(damaged(2)), Some(Hint::RunAgain { results: named }) if named == results()));
    assert!(hint(damaged(1)).is_none(), "without its header nothing can be repeated");
    assert!(hint(JournalError::Locked(journal())).is_none());
    let csv = ResultsError::Csv { file: "t.csv".into(), reason: "r".into() };
    assert!(csv.hint().is_none());
}

#[test]
fn a_part_of_a_run_is_opened_only_as_it_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(&json!("tied"));
    let mut record = contents(&plan, &[run("a", "A", 5)]).records.first().unwrap().clone();
    let of = |text: &str| Fingerprint::from_reader(text.as_bytes()).unwrap();
    let texts =
        [(Part::Stdout, "answer"), (Part::Stderr, "thinking"), (Part::Frames, "{}"), (Part::Transcript, "said")];
    let output = Output {
        stdout: of("answer"),
        stderr: Some(Box::new(of("thinking"))),
        frames: Some(Box::new(of("{}"))),
        transcript: Some(Box::new(of("said"))),
    };
    for (part, text) in texts {
        assert_eq!(part.recorded(&output), Some(of(text)));
        let path = part.of(folder.path(), &record);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let [stdout, stderr, frames, transcript] = texts.map(|(part, _)| part.of(Path::new(""), &record));
    assert_eq!(stdout, stdout_of(Path::new(""), &record));
    assert_eq!((stderr.extension().unwrap(), stdout.with_extension("err")), ("err".as_ref(), stderr.clone()));
    assert!(frames.to_string_lossy().ends_with(".frames.jsonl"));
    assert!(transcript.to_string_lossy().ends_with(".talk.jsonl"));
    record.output = Some(Box::new(output));
    let read = |part: Part| part.open(folder.path(), &record).and_then(io::read_to_string);
    for (part, text) in texts {
        assert_eq!(read(part).unwrap(), text, "from its beginning");
        let path = part.of(folder.path(), &record);
        // A file of the same length, and a longer one.
        for other in ["x".repeat(text.len()), text.to_owned() + "x"] {
            fs::write(&path, other).unwrap();
            assert_eq!(read(part).unwrap_err().kind(), io::ErrorKind::InvalidData, "{part:?}");
        }
        fs::write(&path, text).unwrap();
    }
    let path = Part::Stdout.of(folder.path(), &record);
    let any = as_recorded(folder.path(), &path, None).and_then(io::read_to_string);
    assert_eq!(any.unwrap(), "answer", "a file of an older format is taken as it is");
}

#[test]
fn results_of_records_alone_have_the_rounds_that_these_reached() {
    let plan = plan(&json!("tied"));
    let first = contents(&plan, &first_round());
    let records: Vec<Record> = first.records.iter().cloned().collect();
    let results = Results::from_contest(&plan, &records);
    assert_eq!((results.boards.len(), results.rows.len()), (2, 4), "the boards of round 1");
    let mut later = records.clone();
    for entry in ["a", "c"] {
        let mut record = records[0].clone();
        record.key = RunKey::new(2, entry, "C");
        later.push(record);
    }
    let results = Results::from_contest(&plan, &later);
    let rounds = |name: &str| results.rows.iter().find(|row| row.entry.name == name).unwrap().rounds();
    assert_eq!((results.boards.len(), ["a", "b", "c", "d"].map(rounds)), (4, [2, 1, 2, 1]));
}

#[test]
fn a_program_of_a_resume_is_a_version_of_its_entry() {
    let plan = plan(&json!("tied"));
    let event = |entry: &str, hash: &str| {
        let programs = std::collections::BTreeMap::from([("a".to_owned(), hash.repeat(64))]);
        json!({"line": "program", "entry": entry, "programs": programs})
    };
    let read = contents(&plan, &[event("a", "1"), event("a", "1"), event("a", "2")]);
    let versions: Vec<usize> = ["a", "b"].iter().map(|name| read.versions[*name].len()).collect();
    assert_eq!(versions, [3, 1], "the first, and two that differ");
    assert_eq!(read.programs.get("a"), contents(&plan, &[]).programs.get("a"), "an update compares with the first");
    let mut fold = Fold::begin(header(&plan), None).unwrap();
    let unknown = fold.apply(serde_json::from_value(event("x", "1")).unwrap(), None);
    assert_eq!(unknown.unwrap_err().reason, "unknown entry `x` has a program");
}

/// A contest after random events: runs of all rounds and repeats, new entries and boards, withdrawals, and the second round.
/// Refused events are left out.
fn random_contents(dice: &mut ChaCha8Rng) -> ContestState {
    let mut plan = plan(&json!("all"));
    plan.repeat = dice.random_range(1..3);
    let mut fold = Fold::begin(header(&plan), None).unwrap();
    for step in 0..dice.random_range(0..80) {
        let any = |dice: &mut ChaCha8Rng, names: [&'static str; 6]| names[dice.random_range(0..6)];
        let (entry, board) = (any(dice, ["a", "b", "c", "d", "e", "f"]), any(dice, ["A", "B", "C", "D", "E", "A"]));
        let line = match dice.random_range(0..40) {
            0 => {
                json!({"line": "entry", "entry": {"name": entry, "command": [entry], "competing": true}, "programs": {}})
            }
            1 => json!({"line": "board", "name": "E", "text": "e"}),
            2 => json!({"line": "withdrawn", "entry": entry, "reason": "late"}),
            3 => json!({"line": "restored", "entry": entry, "reason": ""}),
            4 => {
                let contents = fold.so_far();
                for index in contents.missing() {
                    let RunKey { round, entry, board, repeat, .. } = &contents.order()[index];
                    let mut run = run(entry, board, step);
                    (run["round"], run["repeat"]) = ((*round).into(), (*repeat).into());
                    fold.apply(serde_json::from_value(run).unwrap(), None).unwrap();
                }
                match next(&fold.so_far()) {
                    NextStep::Open(round) => serde_json::to_value(Line::Round(Box::new(round))).unwrap(),
                    _ => continue,
                }
            }
            _ => {
                let mut run = run(entry, board, step);
                run["repeat"] = dice.random_range(1..3).into();
                run
            }
        };
        fold.apply(serde_json::from_value(line).unwrap(), None).ok();
    }
    fold.so_far()
}

#[test]
fn the_records_of_some_entries_are_those_that_a_look_at_all_runs_finds() {
    let (mut found, mut later, mut added) = (0, 0, 0);
    for seed in 0..300 {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let contents = random_contents(&mut dice);
        for last in [1, 2] {
            let all = ["a", "b", "c", "d", "e", "unknown"].into_iter();
            let some: HashSet<&str> = all.filter(|_| dice.random_range(0..2) == 0).collect();
            let wanted = |record: &&Record| record.key.round <= last && some.contains(&*record.key.entry);
            let expected: Vec<&Record> = contents.records.iter().filter(wanted).collect();
            assert_eq!(contents.records_until(&some, last), expected, "seed {seed}");
            found += expected.len();
            later += expected.iter().filter(|record| record.key.round == 2).count();
            added += expected.iter().filter(|record| &*record.key.entry == "e").count();
        }
    }
    assert!(found > 1000 && later > 20 && added > 20, "{found} records, {later} of round 2, {added} of a new entry");
}
