//! Decisions on a contest whose contest file is not read.

use judge_core::journal::{Line, ManualRuling};

use super::conduct::{finished, verdict};
use super::*;
use crate::conduct::{Beginning, Conduct};

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
