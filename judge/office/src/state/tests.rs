//! Tests of accepted and refused lines.

use judge_contest::office::Games;

use super::*;

fn hash(of: &str) -> Hash {
    judge_core::fingerprint::sha256_of(of.as_bytes()).parse().unwrap()
}

pub(super) fn begun() -> State {
    let mut state = State::default();
    state.apply(Dated { at: 1, line: Line::Office { format: FORMAT } }).unwrap();
    state
}

fn refused(state: &mut State, line: Line) -> Refusal {
    state.apply(Dated { at: 2, line }).unwrap_err()
}

#[test]
fn a_name_that_looks_like_another_team_is_refused() {
    let mut state = begun();
    state.apply(Dated { at: 2, line: Line::Team { team: "ada".into(), registered: false } }).unwrap();
    for name in ["ada", "ADA", "ada.1", "", "a b", "-a", &"a".repeat(49), "ad\u{200b}a"] {
        refused(&mut state, Line::Team { team: name.into(), registered: false });
    }
    assert_eq!(state.teams().len(), 1);
}

#[test]
fn only_a_log_of_a_known_format_with_a_beginning_is_read() {
    let team = Line::Team { team: "ada".into(), registered: false };
    assert_eq!(refused(&mut State::default(), team), Refusal::NoBeginning);
    let later = FORMAT + 1;
    assert_eq!(refused(&mut State::default(), Line::Office { format: later }), Refusal::Format(later));
    assert_eq!(refused(&mut begun(), Line::Office { format: FORMAT }), Refusal::SecondBeginning);
}

#[test]
fn only_a_team_of_the_contest_can_hold_a_token() {
    let mut state = begun();
    let tokens = [("ada", "one"), ("eve", "two")].map(|(team, token)| (team.to_owned(), vec![hash(token)]));
    state.set_access(Access { teams: tokens.into(), ..Access::default() }.into());
    assert_eq!(state.holder(&hash("one")), None);
    state.apply(Dated { at: 2, line: Line::Team { team: "ada".into(), registered: false } }).unwrap();
    assert_eq!(state.holder(&hash("one")), Some(Holder::Team("ada".into())));
    assert_eq!((state.holder(&hash("two")), state.holder(&hash("three"))), (None, None));
}

#[test]
fn submissions_are_numbered_without_gaps() {
    let mut state = begun();
    let submission = |number, team: &str| {
        let (team, file) = (team.to_owned(), "a.py".to_owned());
        Line::Submitted(Submission {
            number,
            team,
            problem: String::new(),
            file: file.into(),
            sha256: hash("x"),
            bytes: 1,
            language: None,
            entry_point: None,
            recognised: None,
            arrived: None,
            late: false,
        })
    };
    assert_eq!(refused(&mut state, submission(1, "ada")), Refusal::UnknownTeam("ada".into()));
    state.apply(Dated { at: 2, line: Line::Team { team: "ada".into(), registered: false } }).unwrap();
    let second = Refusal::Number { what: "submission", number: 2, last: 0 };
    assert_eq!(refused(&mut state, submission(2, "ada")), second);
    state.apply(Dated { at: 3, line: submission(1, "ada") }).unwrap();
    let again = Refusal::Number { what: "submission", number: 1, last: 1 };
    assert_eq!(refused(&mut state, submission(1, "ada")), again);
    assert_eq!(state.submissions_of("ada", "").next_back().unwrap().1.entry(), "ada.1");
    assert_eq!((state.submission(0), state.submission(2)), (None, None));
    assert_eq!(refused(&mut state, Line::Thawed), Refusal::NotFrozen);
    assert_eq!(refused(&mut state, Line::Frozen { last: 2, from: None }), Refusal::UnknownSubmission(2));
    state.apply(Dated { at: 4, line: Line::Frozen { last: 1, from: None } }).unwrap();
    assert_eq!((state.is_public(1), state.is_public(2)), (true, false));
    assert_eq!(refused(&mut state, Line::Frozen { last: 1, from: None }), Refusal::Frozen);
    state.apply(Dated { at: 5, line: Line::Thawed }).unwrap();
    assert!(state.frozen().is_none() && state.is_public(2));
}

#[test]
fn a_thaw_also_ends_the_freeze_that_was_planned_meanwhile() {
    let mut state = begun();
    let mut apply = |at, line| state.apply(Dated { at, line }).map(|()| state.due(at)).unwrap();
    let rules = |freezes| {
        let times = judge_contest::office::Times { freezes: Some(freezes), ..Default::default() };
        Line::Rules { rules: OfficeRules { times, ..OfficeRules::default() } }
    };
    let planned = |from| [Line::Frozen { last: 0, from: Some(from) }];
    assert_eq!(apply(2, rules(20)), []);
    // The board was frozen and thawed by hand before; the clock freezes it at its time.
    apply(10, Line::Frozen { last: 0, from: None });
    assert_eq!(apply(15, Line::Thawed), []);
    apply(16, Line::Frozen { last: 0, from: None });
    assert_eq!(apply(20, Line::Thawed), [], "the thaw is at the moment itself");
    // A new time causes a new freeze.
    assert_eq!(apply(21, rules(30)), []);
    assert_eq!(apply(31, Line::Frozen { last: 0, from: None }), []);
    assert_eq!(apply(40, Line::Thawed), []);
    let because = "longer".to_owned();
    let times = judge_contest::office::Times { freezes: Some(50), ..Default::default() };
    assert_eq!(apply(50, Line::Extended { round: None, times, because }), planned(50));
}

fn of_ada(number: u32, arrived: Option<u64>) -> Line {
    Line::Submitted(submission(number, arrived))
}

/// A submission of the team `ada`. It arrived at `arrived` if that is given, and otherwise at the moment of its line.
pub(super) fn submission(number: u32, arrived: Option<u64>) -> Submission {
    let (team, file, sha256, bytes, late) = ("ada".to_owned(), "a.py".to_owned(), hash("x"), 1, false);
    let (language, entry_point, recognised) = Default::default();
    Submission {
        number,
        team,
        problem: String::new(),
        file: file.into(),
        sha256,
        bytes,
        language,
        entry_point,
        recognised,
        arrived,
        late,
    }
}

#[test]
fn a_clock_that_is_set_back_changes_neither_what_is_hidden_nor_what_came_last() {
    let mut state = begun();
    let mut apply = |at, line| state.apply(Dated { at, line }).unwrap();
    apply(2, Line::Team { team: "ada".into(), registered: false });
    apply(1000, of_ada(1, None));
    apply(1100, Line::Frozen { last: 1, from: Some(1100) });
    // This upload was under way when the board froze.
    apply(1101, of_ada(2, Some(1099)));
    // The clock had been ten minutes ahead.
    apply(510, of_ada(3, None));
    apply(520, of_ada(4, Some(515)));
    // The clock reaches the moment of the freeze again.
    apply(1101, of_ada(5, Some(1099)));
    assert_eq!([1, 2, 3, 4, 5].map(|number| state.is_public(number)), [true, true, false, false, false]);
    assert_eq!(state.teams()["ada"].submissions_to(""), [1, 2, 3, 4, 5]);
    assert_eq!(state.submissions_of("ada", "").next_back().unwrap(), (1099, &state.submissions().last().unwrap().1));
    state.apply(Dated { at: 1200, line: Line::Thawed }).unwrap();
    assert_eq!([1, 2, 3, 4, 5].map(|number| state.was_public(number).unwrap()), [true, true, false, false, false]);
}

#[test]
fn a_freeze_and_a_thaw_hold_for_all_problems_in_their_order() {
    let mut state = begun();
    let mut apply = |at, line| state.apply(Dated { at, line }).unwrap();
    let of = |number: u32, problem: &str| {
        Line::Submitted(Submission { problem: problem.to_owned(), ..submission(number, None) })
    };
    apply(2, Line::Team { team: "ada".into(), registered: false });
    // A submission that was accepted before the freeze in the same second is public, whatever its problem.
    apply(10, of(1, "a"));
    apply(10, of(2, "b"));
    apply(10, Line::Chosen { number: 1 });
    apply(10, Line::Frozen { last: 2, from: None });
    apply(10, of(3, "a"));
    apply(10, of(4, "b"));
    apply(11, Line::Chosen { number: 3 });
    apply(11, Line::Chosen { number: 4 });
    assert_eq!([1, 2, 3, 4].map(|number| state.is_public(number)), [true, true, false, false]);
    let choices =
        |all: &[(&str, u32)]| -> Choices { all.iter().map(|(id, number)| ((*id).to_owned(), *number)).collect() };
    let ada = &state.teams()["ada"];
    assert_eq!((&ada.chosen, &ada.publicly_chosen), (&choices(&[("a", 3), ("b", 4)]), &choices(&[("a", 1)])));
    let numbers = |problem: &str| state.submissions_of("ada", problem).map(|(_, one)| one.number).collect::<Vec<_>>();
    assert_eq!((numbers("a"), numbers("b"), numbers("")), (vec![1, 3], vec![2, 4], vec![]));
    state.apply(Dated { at: 20, line: Line::Thawed }).unwrap();
    assert_eq!([1, 2, 3, 4].map(|number| state.was_public(number)), [true, true, false, false].map(Some));
    let ada = &state.teams()["ada"];
    assert_eq!((&ada.publicly_chosen, &ada.chosen_before_thaw), (&ada.chosen, &choices(&[("a", 1)])));
}

#[test]
fn changed_times_stay_as_long_as_the_contest_file_keeps_its_own() {
    let mut state = begun();
    let times = |opens, closes| judge_contest::office::Times { opens, freezes: None, closes: Some(closes) };
    let rules = |opens, closes, penalty| {
        let times = times(opens, closes);
        Line::Rules { rules: OfficeRules { times, penalty, ..OfficeRules::default() } }
    };
    let extended = |opens, closes| Line::Extended {
        round: None,
        times: times(opens, closes),
        because: "the power was off".into(),
    };
    let mut apply = |at, line: Line| {
        state.apply(Dated { at, line }).unwrap();
        (state.rules().times.opens, state.rules().times.closes.unwrap(), state.announced().len(), state.rules().penalty)
    };
    assert_eq!(apply(2, rules(None, 100, None)), (None, 100, 0, None));
    assert_eq!(apply(3, extended(None, 160)), (None, 160, 1, None));
    // First another key is corrected, then another moment.
    assert_eq!(apply(4, rules(None, 100, Some(5))), (None, 160, 1, Some(5)));
    assert_eq!(apply(5, rules(Some(10), 100, Some(5))), (Some(10), 160, 1, Some(5)));
    // The file first sets the times that apply already, then others. The reason is about times that no longer apply.
    assert_eq!(apply(6, extended(Some(10), 170)).2, 2);
    assert_eq!(apply(7, rules(Some(10), 170, None)), (Some(10), 170, 2, None));
    assert_eq!(apply(8, rules(Some(10), 120, None)), (Some(10), 120, 0, None));
    // If the changed times would be in the wrong order, the times of the file apply.
    assert_eq!(apply(9, extended(Some(10), 130)).1, 130);
    assert_eq!(apply(10, rules(Some(140), 150, None)), (Some(140), 150, 0, None));
    assert_eq!(state.extensions().len(), 3, "the log and the news keep them");
}

#[test]
fn each_night_those_play_that_came_before_it() {
    let day = 86_400;
    for (games, now, expected) in [
        (Games::AtOnce, 5 * day, None),
        (Games::OnCommand, 5 * day, None),
        (Games::Daily(3 * 3600), 5 * day + 3 * 3600, Some(5 * day + 3 * 3600)),
        (Games::Daily(3 * 3600), 5 * day + 3 * 3600 - 1, Some(4 * day + 3 * 3600)),
        (Games::Daily(3 * 3600), 3600, None),
    ] {
        assert_eq!(games.last_before(now), expected, "{games:?} {now}");
    }
    let mut state = begun();
    let mut apply = |at: u64, line| state.apply(Dated { at, line }).map(|()| state.clone());
    apply(1, Line::Team { team: "ada".into(), registered: false }).unwrap();
    apply(2, Line::Rules { rules: OfficeRules { games: Games::Daily(60), ..OfficeRules::default() } }).unwrap();
    let before = apply(59, Line::Submitted(submission(1, None))).unwrap();
    assert_eq!(before.due(59), []);
    assert_eq!(before.due(60), [Line::Called { last: 1 }]);
    let called = apply(60, Line::Called { last: 1 }).unwrap();
    assert_eq!(called.due(day), []);
    let next = apply(61, Line::Submitted(submission(2, None))).unwrap();
    assert_eq!((next.due(day), next.is_called(1), next.is_called(2)), (vec![], true, false));
    assert_eq!(next.due(day + 60), [Line::Called { last: 2 }]);
    assert!(apply(70, Line::Called { last: 3 }).is_err(), "there are two");
}
