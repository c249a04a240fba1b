//! Tests of final results, and of every way in which they could change.

use judge_contest::office::{Counts, OfficeRules, Times};
use judge_core::journal::ContestState;

use super::rules::{BEGIN, Timed};
use super::*;
use crate::line::{Decision, Message, Order};
use crate::state::Refusal;

/// A request to an office.
type Act<'a> = (&'static str, Box<dyn Fn() -> Result<(), OfficeError> + 'a>);

/// A club whose results are final, with three submissions of ada, one of which is late.
fn done() -> Timed {
    let times = Times { opens: Some(BEGIN), freezes: None, closes: Some(BEGIN + 100) };
    let rules = OfficeRules { counts: Counts::Chosen, ..OfficeRules::default() }.with_round(1, times);
    let club = Timed::new(rules);
    club.at(1).submit("ada", "1").unwrap();
    club.at(2).submit("ada", "2").unwrap();
    club.at(100).submit("ada", "3").unwrap();
    club.office.decide(1, Decision::Held, None).unwrap();
    club.office.decide(2, Decision::Ignored, None).unwrap();
    club.at(200).office.finalise(None).unwrap();
    club
}

/// All requests that could change results.
fn changes(club: &Timed) -> Vec<Act<'_>> {
    let office = &club.office;
    let decide = |decision| move || office.decide(if decision == Decision::Admitted { 3 } else { 1 }, decision, None);
    let out = || Order::Disqualify { team: "ada".into(), because: "it copied".into() };
    let contents: ContestState = crate::view::tests::club::Club::new().open_contest.contents();
    vec![
        ("submit", Box::new(|| club.submit("bob", "1").map(drop))),
        ("submit what came in time", Box::new(|| club.arrived("bob", "1", Some(50)).map(drop))),
        ("ask whether one may submit", Box::new(|| office.allows("bob", "", None))),
        ("admit", Box::new(decide(Decision::Admitted))),
        ("release", Box::new(decide(Decision::Released))),
        ("cancel", Box::new(decide(Decision::Cancelled))),
        ("ignore", Box::new(decide(Decision::Ignored))),
        ("consider", Box::new(|| office.decide(2, Decision::Considered, None))),
        ("hold", Box::new(|| office.decide(2, Decision::Held, None))),
        ("take back", Box::new(|| office.cancel("ada", 1, None))),
        ("choose", Box::new(|| office.choose("ada", 1))),
        ("disqualify", Box::new(move || office.order(out(), &contents))),
        (
            "extend",
            Box::new(|| {
                let later = Times { closes: Some(BEGIN + 900), ..Times::default() };
                office.extend(&later, "more time").map(drop)
            }),
        ),
        ("freeze", Box::new(|| office.freeze().map(drop))),
        ("begin final rounds", Box::new(|| office.begin_finals())),
        ("rejudge", Box::new(|| office.ask_for_rejudging())),
        ("add a team", Box::new(|| office.add_team("cleo", None).map(drop))),
        ("let teams add themselves", Box::new(|| office.open_registration(3).map(drop))),
    ]
}

#[test]
fn nothing_that_could_change_final_results_is_accepted_until_they_are_not_final() {
    let club = done();
    let lines = || fs::read(log::path_of(club.office.folder())).unwrap();
    let before = lines();
    for (what, act) in changes(&club) {
        let refused = act().expect_err(what);
        assert!(refused.is_final(), "{what}: {refused}");
        assert_eq!(refused.to_string(), Refusal::Finalised(BEGIN + 200).to_string(), "{what}");
    }
    // Neither the clock nor a changed contest file changes them.
    club.at(99_999).office.tick().unwrap();
    club.office.set_rules(&OfficeRules::default()).unwrap();
    assert!(lines() == before && club.office.finalise(None).is_err());
    // Messages and access do not change places.
    club.office.notice("Thank you").unwrap();
    club.office.ask("ada", "why?").unwrap();
    club.office.send(&Message { answers: Some(2), ..Message::new("because") }).unwrap();
    club.office.renew_token("ada").unwrap();
    club.office.renew_organiser("organiser").unwrap();
    club.office.close_registration().unwrap();
    assert!(club.office.reopen(" ").is_err(), "everybody reads the reason");
    club.office.reopen("the referee was wrong").unwrap();
    assert_eq!(club.office.state().unwrap().finalised(), None);
    assert!(club.office.reopen("again").is_err());
    for (what, act) in changes(&club) {
        if let Err(refused) = act() {
            assert!(!refused.is_final(), "{what}: {refused}");
        }
    }
}

#[test]
fn a_board_that_is_frozen_thaws_after_its_results_are_final() {
    let club = Timed::new(OfficeRules::default());
    club.office.freeze().unwrap();
    club.office.finalise(None).unwrap();
    club.office.thaw().unwrap();
    assert!(club.office.freeze().unwrap_err().is_final());
}

#[test]
fn results_are_not_final_while_something_waits() {
    let club = Timed::new(OfficeRules::default());
    club.submit("ada", "1").unwrap();
    let refused = club.office.finalise(None).unwrap_err().to_string();
    assert!(refused.starts_with("ada.1 is not judged yet; "), "{refused}");
    club.submit("bob", "1").unwrap();
    let refused = club.office.can_finalise(None).unwrap_err().to_string();
    assert!(refused.starts_with("2 submissions are not judged yet, ada.1 first; "), "{refused}");
    club.office.decide(1, Decision::Held, None).unwrap();
    club.office.cancel("bob", 2, None).unwrap();
    club.office.ask_for_rejudging().unwrap();
    assert!(club.office.finalise(None).unwrap_err().to_string().contains("refereed again"));
    club.office.drop_rejudging(None).unwrap();
    club.office.finalise(None).unwrap();
}

#[test]
fn logs_of_earlier_versions_that_went_on_after_the_end_are_read() {
    let club = Timed::new(OfficeRules::default());
    club.office.finalise(None).unwrap();
    let line = Line::Team { team: "late".into(), registered: false };
    let mut state = State::clone(&club.office.state().unwrap());
    state.apply(Dated { at: BEGIN + 5, line }).unwrap();
    assert!(state.teams().contains_key("late"));
}
