//! Tests of decisions on a contest whose contest file is not read, and of the events that subscribers receive.

use std::sync::{Arc, Mutex};

use judge_core::fingerprint::Hashes;
use judge_core::journal::{BoardAndReason, EntryEvent, Line, ManualRuling};

use super::conduct::{finished, verdict};
use super::*;
use crate::conduct::{Beginning, Conduct, Event};

/// A contest with one finished run, whose contest file and programs are gone.
fn without_its_file() -> Folder {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let with = Beginning { contest_file: "../contest.toml".into(), ..Beginning::default() };
    let conduct = Conduct::begin(folder.contest(), &folder.results(), with, || None).unwrap();
    let turn = conduct.next().unwrap().unwrap();
    conduct.finish(&turn, finished(&turn, |_| {})).unwrap();
    drop(conduct);
    fs::remove_file(folder.0.path().join("contest.toml")).unwrap();
    folder
}

#[test]
fn a_ruling_needs_no_contest_file() {
    let folder = without_its_file();
    let conduct = Conduct::decide(&folder.results(), || None).unwrap();
    let key = conduct.contents().records.iter().next().unwrap().key.clone();
    let ruling = ManualRuling::new(key.clone(), verdict(9), "a typing error");
    let preview = conduct.preview(&[Line::Ruling(Box::new(ruling.clone()))]).unwrap();
    assert_eq!(preview.record(&key).unwrap().verdict, verdict(9));
    assert_eq!(conduct.contents().record(&key).unwrap().verdict, verdict(4), "a preview changes nothing");
    conduct.rule(ruling).unwrap();
    assert_eq!(judge_core::journal::read(&folder.results()).unwrap().record(&key).unwrap().verdict, verdict(9));
}

#[test]
fn a_contest_that_is_open_for_decisions_hands_out_no_run() {
    let folder = without_its_file();
    let conduct = Conduct::decide(&folder.results(), || None).unwrap();
    assert!(!conduct.contents().missing().is_empty());
    assert_eq!(conduct.next().unwrap(), None);
    assert!(conduct.open_next_round().unwrap().is_none());
}

#[test]
fn engines_get_the_contest_of_the_last_event() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let conduct = Conduct::begin(folder.contest(), &folder.results(), Beginning::default(), || None).unwrap();
    let mut entry = (*conduct.contents().plan.entries[0]).clone();
    entry.author = Some("Somebody Else".into());
    conduct.submit(EntryEvent::new(entry.clone(), Hashes::new())).unwrap();
    assert_eq!(*conduct.contest().plan.entries[0], entry);
}

#[test]
fn subscribers_hear_of_events_when_these_are_on_disk() {
    let folder = without_its_file();
    let conduct = Conduct::decide(&folder.results(), || None).unwrap();
    let (heard, results) = (Arc::new(Mutex::new(Vec::new())), folder.results());
    let hearing = heard.clone();
    conduct.subscribe(move |event| {
        if let Event::Changed(lines) = event {
            let struck = judge_core::journal::read(&results).unwrap().struck.len();
            hearing.lock().unwrap().push((lines.to_vec(), struck));
        }
        true
    });
    let struck = BoardAndReason { board: "X".into(), reason: "a misprint".into() };
    conduct.strike(struck.clone()).unwrap();
    assert_eq!(*heard.lock().unwrap(), [(vec![Line::Struck(struck)], 1)]);
}
