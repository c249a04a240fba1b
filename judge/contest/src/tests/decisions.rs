//! Tests of decisions on a contest whose contest file is not read, and of the events that subscribers receive.

use std::sync::{Arc, Mutex};

use judge_core::fingerprint::Hashes;
use judge_core::journal::{BoardAndReason, EntryEvent, Line, ManualRuling};

use super::open_contest::{finished, verdict};
use super::*;
use crate::open_contest::{Event, OpenContest, StartOptions};

/// A contest with one finished run, whose contest file and programs are gone.
fn without_its_file() -> Folder {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let with = StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() };
    let open_contest = OpenContest::begin(folder.contest(), &folder.results(), with, || None).unwrap();
    let lease = open_contest.next().unwrap().unwrap();
    open_contest.finish(&lease, finished(&lease, |_| {})).unwrap();
    drop(open_contest);
    fs::remove_file(folder.0.path().join("contest.toml")).unwrap();
    folder
}

#[test]
fn a_ruling_needs_no_contest_file() {
    let folder = without_its_file();
    let open_contest = OpenContest::decide(&folder.results(), || None).unwrap();
    let key = open_contest.contents().records.iter().next().unwrap().key.clone();
    let ruling = ManualRuling::new(key.clone(), verdict(9), "a typing error");
    let preview = open_contest.preview(&[Line::Ruling(Box::new(ruling.clone()))]).unwrap();
    assert_eq!(preview.record(&key).unwrap().verdict, verdict(9));
    assert_eq!(open_contest.contents().record(&key).unwrap().verdict, verdict(4), "a preview changes nothing");
    open_contest.rule(ruling).unwrap();
    assert_eq!(judge_core::journal::read(&folder.results()).unwrap().record(&key).unwrap().verdict, verdict(9));
}

#[test]
fn a_contest_that_is_open_for_decisions_hands_out_no_run() {
    let folder = without_its_file();
    let open_contest = OpenContest::decide(&folder.results(), || None).unwrap();
    assert!(!open_contest.contents().missing().is_empty());
    assert_eq!(open_contest.next().unwrap(), None);
    assert!(open_contest.open_next_round().unwrap().is_none());
}

#[test]
fn engines_get_the_contest_of_the_last_event() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let open_contest =
        OpenContest::begin(folder.contest(), &folder.results(), StartOptions::default(), || None).unwrap();
    let mut entry = (*open_contest.contents().plan.entries[0]).clone();
    entry.author = Some("Somebody Else".into());
    open_contest.submit(EntryEvent::new(entry.clone(), Hashes::new())).unwrap();
    assert_eq!(*open_contest.contest().plan.entries[0], entry);
}

#[test]
fn subscribers_hear_of_events_when_these_are_on_disk() {
    let folder = without_its_file();
    let open_contest = OpenContest::decide(&folder.results(), || None).unwrap();
    let (heard, results) = (Arc::new(Mutex::new(Vec::new())), folder.results());
    let hearing = heard.clone();
    open_contest.subscribe(move |event| {
        if let Event::Changed(lines) = event {
            let struck = judge_core::journal::read(&results).unwrap().struck.len();
            hearing.lock().unwrap().push((lines.to_vec(), struck));
        }
        true
    });
    let struck = BoardAndReason { board: "X".into(), reason: "a misprint".into() };
    open_contest.strike(struck.clone()).unwrap();
    assert_eq!(*heard.lock().unwrap(), [(vec![Line::Struck(struck)], 1)]);
}
