//! Tests of an office whose disk is full.

use super::rules::{BEGIN, Timed, times};
use super::*;
use judge_contest::log::SimulatedDisk;

fn full(office: &Office, is_full: bool) {
    office.log().pretend(SimulatedDisk { takes: is_full.then_some(0), ..SimulatedDisk::default() });
}

#[test]
fn a_submission_is_refused_and_accepted_when_there_is_room_again() {
    let club = Timed::new(times(None, None, None));
    full(&club.office, true);
    let refused = club.submit("ada", "1").unwrap_err();
    assert!(refused.is_full(), "{refused}");
    assert_eq!(club.office.state().unwrap().submissions().len(), 0);
    full(&club.office, false);
    assert_eq!(club.submit("ada", "1").unwrap().number, 1);
}

#[test]
fn a_board_freezes_at_its_time_although_the_log_takes_no_line() {
    let club = Timed::new(times(None, Some(100), Some(200)));
    club.at(50).submit("ada", "1").unwrap();
    full(&club.office, true);
    let lines = || fs::read(log::path_of(club.office.folder())).unwrap();
    let before = lines();
    for _ in 0..2 {
        let state = club.at(100).office.tick().unwrap();
        assert_eq!((state.frozen(), state.froze_and_thawed().0), (Some(1), Some(BEGIN + 100)));
    }
    assert_eq!(lines(), before);
    full(&club.office, false);
    assert_eq!(
        club.at(120).office.tick().unwrap().froze_and_thawed().0,
        Some(BEGIN + 100),
        "as if it had been written then"
    );
    assert!(lines().len() > before.len());
}

#[test]
fn a_freeze_that_is_recorded_late_hides_what_came_after_its_moment() {
    let club = Timed::new(times(None, Some(100), None));
    club.at(50).submit("ada", "1").unwrap();
    // The disk accepts the submission, but not the freeze that is due before it.
    let upload = Upload { arrived: Some(BEGIN + 120), ..Upload::new("bob", "a.py", b"1") };
    club.at(99)
        .office
        .log()
        .append(BEGIN + 121, |state| {
            let one = Submission {
                number: state.next_number(),
                team: "bob".into(),
                ..state.submission(1).unwrap().1.clone()
            };
            Ok((vec![Line::Submitted(Submission { arrived: upload.arrived, ..one })], ()))
        })
        .unwrap();
    let state = club.at(130).office.tick().unwrap();
    assert_eq!([1, 2].map(|number| state.is_public(number)), [true, false]);
}
