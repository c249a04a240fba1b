//! Tests of a clock that is set back. This does not undo what has begun.

use judge_contest::office::{Counts, OfficeRules, Quotas, Times};

use super::rules::{BEGIN, Timed, limit, times};
use super::*;
use crate::line::Decision;

#[test]
fn a_contest_that_has_ended_stays_so_after_a_restart_too() {
    let club = Timed::new(times(Some(100), None, Some(200)));
    assert!(!club.at(150).submit("ada", "1").unwrap().late);
    // A page is requested after the end.
    club.at(200).office.tick().unwrap();
    assert!(club.at(10).submit("ada", "2").unwrap().late, "two hours back, before the beginning even");
    let Timed { folder, now, office } = club;
    drop(office);
    let office =
        Office::open(&folder.path().join("office"), Arc::new(move || now.load(std::sync::atomic::Ordering::SeqCst)));
    let submitted = office.unwrap().submit(&Upload::new("bob", "a.py", b"1"), None).unwrap();
    assert!(submitted.submission.late);
}

#[test]
fn a_contest_that_has_begun_stays_open() {
    let club = Timed::new(times(Some(100), None, Some(200)));
    club.at(100).submit("ada", "1").unwrap();
    assert!(!club.at(50).submit("ada", "2").unwrap().late);
    assert!(club.office.allows("bob", "", None).is_ok());
}

#[test]
fn the_organiser_decides_on_another_end_all_the_same() {
    let club = Timed::new(times(None, None, Some(200)));
    // The clock was a year ahead for a moment.
    club.at(365 * 24 * 3600).office.tick().unwrap();
    assert!(club.at(50).submit("ada", "1").unwrap().late);
    let longer = Times { closes: Some(BEGIN + 210), ..Times::default() };
    club.office.extend(&longer, "the clock was wrong").unwrap();
    assert!(!club.at(51).submit("ada", "2").unwrap().late);
    assert!(club.at(210).submit("ada", "3").unwrap().late);
    assert!(club.at(60).submit("ada", "4").unwrap().late);
}

#[test]
fn final_rounds_that_are_about_to_begin_let_nobody_choose_again() {
    let rules = OfficeRules { counts: Counts::Chosen, ..OfficeRules::default() };
    let rules = rules.with_round(2, Times { opens: Some(BEGIN + 100), ..Times::default() });
    let club = Timed::new(rules);
    club.at(10).submit("ada", "1").unwrap();
    club.at(20).submit("ada", "2").unwrap();
    club.office.choose("ada", 1).unwrap();
    club.at(100).office.tick().unwrap();
    assert!(!club.office.state().unwrap().finals(), "what arrived is still on its way");
    assert!(club.at(30).office.choose("ada", 2).is_err());
    assert!(club.submit("ada", "3").unwrap().late);
}

#[test]
fn a_team_does_not_wait_for_the_old_time_to_come_again() {
    let club = Timed::new(limit(Quotas { every: Some(60), ..Quotas::default() }));
    club.at(10_000).submit("ada", "1").unwrap();
    let refused = club.at(2_000).submit("ada", "2").unwrap_err();
    assert!(matches!(refused, OfficeError::Quota { next: Some(next), .. } if next == BEGIN + 2_060), "{refused}");
    club.at(2_030).submit("bob", "1").unwrap();
    assert!(club.at(2_059).submit("ada", "2").is_err());
    club.at(2_090).submit("ada", "2").unwrap();
}

#[test]
fn what_arrived_before_the_end_and_is_recorded_after_it_is_in_time() {
    let club = Timed::new(times(None, None, Some(200)));
    club.at(205).office.tick().unwrap();
    assert!(!club.arrived("ada", "1", Some(199)).unwrap().late, "another request was quicker");
    assert!(club.arrived("ada", "2", Some(200)).unwrap().late);
    let unrecorded = Timed::new(times(None, None, Some(200)));
    assert!(unrecorded.at(200).submit("ada", "1").unwrap().late, "the second of the end");
    // After the clock was set back, the same reading is another moment.
    assert!(club.at(150).arrived("ada", "3", Some(149)).unwrap().late);
}

#[test]
fn every_line_of_the_log_comes_after_what_the_clock_caused_before_it() {
    let rules = OfficeRules { counts: Counts::Chosen, ..times(None, Some(100), Some(200)) };
    let club = Timed::new(rules);
    club.at(10).submit("ada", "1").unwrap();
    club.at(20).submit("ada", "2").unwrap();
    // Nobody has asked for a page since the freeze.
    club.at(150).office.choose("ada", 1).unwrap();
    let state = club.office.state().unwrap();
    let ada = &state.teams()["ada"];
    assert_eq!((state.frozen(), ada.publicly_chosen.get(""), ada.chosen.get("")), (Some(2), None, Some(&1)));
    // Even a decision that is refused shows that the end has come.
    assert!(club.at(205).office.decide(7, Decision::Held, None).is_err());
    assert!(club.at(120).submit("bob", "1").unwrap().late);
}

#[test]
fn what_arrived_before_the_clock_was_set_back_is_public_when_the_board_freezes() {
    let club = Timed::new(OfficeRules::default());
    club.at(300).submit("ada", "1").unwrap();
    let freeze = Times { freezes: Some(BEGIN + 100), ..Times::default() };
    club.at(50).office.extend(&freeze, "rain").unwrap();
    club.at(60).submit("bob", "1").unwrap();
    club.at(100).submit("ada", "2").unwrap();
    let state = club.office.state().unwrap();
    assert_eq!([1, 2, 3].map(|number| state.is_public(number)), [true, true, false]);
}
