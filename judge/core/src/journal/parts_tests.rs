//! Tests of single parts of a journal: the chain, the stored header, and records in their order.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::tests::{contents, entry, plan, run};
use super::*;
use crate::fingerprint::sha256_of;
use crate::key::RunKey;
use crate::plan::{Overrides, Plan};

/// A line, sealed by a chain, and its text when it is opened.
fn sealed(chain: &mut Chain, text: &str) -> Vec<u8> {
    let mut line = format!("{text}\n").into_bytes();
    chain.seal(&mut line);
    line
}

#[test]
fn a_chain_is_the_hash_of_the_hash_before_and_the_line() {
    let mut chain = Chain::default();
    assert_eq!(chain.last(), None);
    let line = sealed(&mut chain, "{\"a\":1}");
    let first = sha256_of(b"{\"a\":1}");
    assert_eq!(String::from_utf8(line.clone()).unwrap(), format!("{{\"a\":1,\"chain\":\"{first}\"}}\n"));
    assert_eq!(chain.last(), Some(&*first));
    sealed(&mut chain, "{\"b\":2}");
    assert_eq!(chain.last(), Some(&*sha256_of(format!("{first}{{\"b\":2}}").as_bytes())));
    let (mut reader, mut opened) = (Chain::default(), line);
    reader.open(&mut opened).unwrap();
    assert_eq!((opened.as_slice(), reader.last()), (&b"{\"a\":1}"[..], Some(&*first)));
    let damaged = |line: String| Chain::default().open(&mut line.into_bytes()).unwrap_err();
    for line in [
        "{\"a\":1}\n".to_owned(),
        format!("{{\"a\":1,\"chain\":\"{first}\"}}"),
        format!("{{\"a\":1,\"chain\":\"{}\"}}\n", &first[1..]),
        format!("{{\"a\":1,\"other\":\"{first}\"}}\n"),
    ] {
        assert_eq!(damaged(line.clone()), ChainError::NoHash, "{line}");
    }
    assert_eq!(damaged(format!("{{\"a\":2,\"chain\":\"{first}\"}}\n")), ChainError::OtherHash);
}

#[test]
fn the_log_of_a_build_has_the_name_of_what_is_built() {
    let build = |entries: &[&str]| {
        Build::new("make", entries.iter().map(|&entry| entry.to_owned()).collect(), 1, Built::Succeeded)
    };
    let mut named = build(&[]);
    named.problem = "knights".into();
    let names = [build(&["a", "b"]), build(&[]), named].map(|build| build.log_name().into_owned());
    assert_eq!(names, ["a", "referee", "referee.knights"]);
    assert_eq!(Build::fetching("make", 1, Built::Succeeded).log_name(), "fetch");
}

#[test]
fn a_header_is_stored_with_indices_where_they_say_all() {
    let order = vec![
        RunKey::new(1, "a", "X"),
        RunKey { repeat: 2, ..RunKey::new(1, "b", "Y") },
        RunKey::new(2, "a", "Y"),
        RunKey::new(1, "unknown", "X"),
        RunKey::new(1, "a", "unknown"),
    ];
    let header = Header::new("c.toml".into(), Overrides::default(), plan(), order.clone(), Default::default(), None);
    let mut stored = serde_json::to_value(&header).unwrap();
    assert_eq!((&stored["order"][0], &stored["order"][1]), (&json!([0, 0]), &json!([1, 1, 2])));
    assert!((2..5).all(|run| stored["order"][run].is_object()), "{stored}");
    assert_eq!(serde_json::from_value::<Header>(stored.clone()).unwrap(), header);
    for (planned, reason) in [
        (json!(5), "the indices of an entry and a board, or a run"),
        (json!([0]), "expected two indices"),
        (json!([2, 0]), "run [2,0] is planned, but the plan has no such entry or board"),
        (json!([0, 2]), "run [0,2] is planned, but the plan has no such entry or board"),
    ] {
        stored["order"] = json!([planned]);
        let error = serde_json::from_value::<Header>(stored.clone()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn records_and_attempts_behave_as_lists() {
    let lines = [run(1, "a", "Y", 1, 4), run(1, "b", "X", 3, 5)];
    let (both, first) = (contents(&lines), contents(&lines[..1]));
    assert_eq!(format!("{:?}", both.attempts()), "[0, 3, 0, 1]");
    assert!(both.attempts() == contents(&lines).attempts() && both.attempts() != first.attempts());
    assert!(both.records == contents(&lines).records && both.records != first.records);
    let shown = format!("{:?}", both.records);
    assert!(shown.starts_with('[') && shown.matches("Record {").count() == 2, "{shown}");
    assert!(both.records.contains(&first.records[0]));
    let other = Record { attempt: 9, ..first.records[0].clone() };
    assert!(!both.records.contains(&other));
    assert_eq!(both.records.into_iter().count(), 2);
    let indexed: Vec<(usize, u32)> = both.records.indexed().map(|(index, record)| (index, record.attempt)).collect();
    assert_eq!(indexed, [(1, 3), (3, 1)]);
}

#[test]
fn the_order_of_runs_follows_the_names_of_the_last_settings() {
    let settings = |plan: &Plan| serde_json::to_value(Line::Settings(Box::new(Settings::from_plan(plan)))).unwrap();
    let twice = Plan { repeat: 2, ..plan() };
    let mut other = settings(&plan());
    other["boards"] = json!(["Y"]);
    other["entries"] = json!(["c", "b", "a"]);
    let lines = [
        settings(&twice),
        run(1, "a", "X", 1, 4),
        json!({"line": "entry", "entry": entry("c"), "programs": {"c": "00"}}),
        other,
    ];
    let repeated = contents(&lines[..2]);
    assert_eq!(repeated.order().len(), 8);
    let contents = contents(&lines);
    // An item that the list lacks stays after the others.
    let names = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<String>>();
    assert_eq!(names(contents.plan.boards.iter().map(|board| &board.name).collect()), ["Y", "X"]);
    assert_eq!(names(contents.plan.entries.iter().map(|entry| &entry.name).collect()), ["c", "b", "a"]);
    assert_eq!(*contents.order(), contents.plan.start_order());
    for (index, key) in contents.order().iter().enumerate() {
        assert_eq!(contents.index_of(key), Some(index), "{key:?}");
    }
    // The second repeat was planned, and is no longer planned.
    let gone = RunKey { repeat: 2, ..RunKey::new(1, "a", "X") };
    assert!(repeated.index_of(&gone).is_some() && contents.index_of(&gone).is_none());
    assert_eq!((contents.order().len(), contents.records.len()), (6, 1));
}

#[test]
fn a_record_says_what_was_learnt_and_where() {
    let record = |verdict: Value, more: Value| {
        let mut line = run(1, "a", "X", 1, 4);
        for member in ["verdict", "progress", "of", "moves", "tie_break"] {
            line.as_object_mut().unwrap().remove(member);
        }
        for part in [verdict, more] {
            line.as_object_mut().unwrap().extend(part.as_object().unwrap().clone());
        }
        serde_json::from_value::<Record>(line).unwrap()
    };
    let solved =
        json!({"verdict": "solved", "figures": {"progress": "25", "moves": "4", "tie_break": "0"}, "full": "25"});
    let none = json!({});
    for (verdict, [has_answer, is_inconclusive, is_judge_error]) in [
        (solved.clone(), [true, false, false]),
        (json!({"verdict": "timed_out"}), [false; 3]),
        (json!({"verdict": "judge_error", "reason": "no room"}), [false, true, true]),
        (json!({"verdict": "judge_error", "reason": "referee: it crashed"}), [true, true, true]),
        (json!({"verdict": "could_not_start", "reason": "no such file"}), [false, true, false]),
        (json!({"verdict": "build_failed", "reason": "no such file"}), [false, true, false]),
    ] {
        let record = record(verdict.clone(), none.clone());
        let found = [record.has_answer(), record.is_inconclusive(), record.is_judge_error()];
        assert_eq!(found, [has_answer, is_inconclusive, is_judge_error], "{verdict}");
    }
    // A talk has no answer that can be refereed again.
    assert!(!record(solved.clone(), json!({"own_us": 5})).has_answer());
    let machine = |number: u32| serde_json::to_value(record(solved.clone(), json!({"machine": number}))).unwrap();
    assert_eq!((machine(0).get("machine"), &machine(1)["machine"]), (None, &json!(1)));
}
