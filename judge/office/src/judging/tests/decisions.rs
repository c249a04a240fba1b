//! Tests of decisions of the organiser, and of quotas that depend on the judging.

use super::*;

#[test]
fn a_submission_that_is_held_cancelled_or_ignored_is_not_judged_until_that_is_taken_back() {
    let club = Club::new();
    for team in ["ada", "bob", "cleo"] {
        club.submit(team, b"1");
    }
    club.office.decide(1, Decision::Held, Some("let us look")).unwrap();
    club.office.cancel("bob", 2, Some(&club.open_contest.contents())).unwrap();
    club.office.decide(3, Decision::Ignored, None).unwrap();
    club.work();
    assert_eq!(
        club.shown(),
        [
            SubmissionState::Held("let us look".into()),
            SubmissionState::Cancelled,
            SubmissionState::Ignored(String::new())
        ]
    );
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), 0);
    club.office.decide(1, Decision::Released, None).unwrap();
    club.office.decide(3, Decision::Considered, None).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.1", "cleo.3", "house"]);
    assert!(club.office.cancel("ada", 1, Some(&club.open_contest.contents())).is_err(), "it is judged");
    // The same holds while the organiser holds it: a judged submission counts for the quotas.
    club.office.decide(1, Decision::Held, None).unwrap();
    assert!(
        club.office.cancel("ada", 1, Some(&club.open_contest.contents())).is_err(),
        "it was judged before it was held"
    );
    club.office.decide(1, Decision::Released, None).unwrap();
}

#[test]
fn what_is_ignored_later_gives_its_place_back_to_the_version_before() {
    let mut club = Club::new();
    for source in [b"1", b"2"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.placed(), ["ada.2", "house"]);
    club.office.decide(2, Decision::Ignored, Some("sent by mistake")).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.1", "house"]);
    assert_eq!(club.shown(), [SubmissionState::Counts, SubmissionState::Ignored("sent by mistake".into())]);
    club = club.restarted();
    club.office.decide(2, Decision::Considered, None).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.2", "house"]);
}

#[test]
fn only_a_released_submission_gets_as_many_attempts_again() {
    let mut club = Club::new();
    club.executor.breaks = Some("a".into());
    club.submit("ada", b"1");
    club.submit("bob", BREAKS);
    club.work();
    assert_eq!(club.shown(), [SubmissionState::Stuck, SubmissionState::Stuck]);
    let attempts = |club: &Club| {
        let contents = club.open_contest.contents();
        let of_ada = (0..contents.order().len()).filter(|&run| &*contents.order()[run].entry == "ada.1");
        of_ada.map(|run| contents.attempts()[run]).collect::<Vec<_>>()
    };
    let builds = club.executor.builds.load(Ordering::SeqCst);
    club.office.decide(2, Decision::Released, None).unwrap();
    club.work();
    assert_eq!(attempts(&club), [MAX_ATTEMPTS; 2], "the other one stays held");
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), builds + MAX_ATTEMPTS);
    assert_eq!(club.shown(), [SubmissionState::Stuck, SubmissionState::Stuck]);
    club.executor.breaks = None;
    club.office.decide(1, Decision::Released, None).unwrap();
    club.work();
    assert_eq!(attempts(&club), [MAX_ATTEMPTS + 1; 2]);
    assert_eq!(club.shown(), [SubmissionState::Counts, SubmissionState::Stuck]);
}

#[test]
fn orders_are_followed_once_whenever_the_judge_is_killed() {
    let mut club = Club::new();
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.work();
    let because = || "it is a copy".to_owned();
    let order = |club: &Club, order| club.office.order(order, &club.open_contest.contents());
    order(&club, Order::Disqualify { team: "ada".into(), because: because() }).unwrap();
    order(&club, Order::Strike { board: "Y".into(), because: because() }).unwrap();
    let key = RunKey::new(1, "bob.2", "X");
    let verdict = judge_core::verdict::Verdict::Wrong { given: Default::default(), reason: because() };
    order(&club, Order::Rule { ruling: ManualRuling::new(key.clone(), verdict.clone(), because()) }).unwrap();
    for _ in 0..3 {
        club.work();
        club = club.restarted();
    }
    let contents = crate::results::read(club.open_contest.results()).unwrap();
    assert!(contents.withdrawn["ada.1"].disqualified && contents.struck.contains_key("Y"));
    assert_eq!(contents.record(&key).unwrap().verdict, verdict);
    let rulings = contents.history.iter().filter(|event| event.text.contains("is ruled by hand")).count();
    assert_eq!(rulings, 1, "once");
    club.submit("ada", b"2");
    club.work();
    assert_eq!(club.shown()[2], SubmissionState::Out(because()), "so is what the team hands in later");
    assert!(club.open_contest.contents().entry("ada.3").is_none(), "which is not built meanwhile");
    order(&club, Order::Reinstate { team: "ada".into(), because: "it was none".into() }).unwrap();
    order(&club, Order::Unstrike { board: "Y".into(), because: "it was right".into() }).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.3", "bob.2", "house"]);
    for (wrong, why) in [
        (Order::Strike { board: "Z".into(), because: because() }, "no such board"),
        (Order::Disqualify { team: "eve".into(), because: because() }, "no such team"),
        (Order::Disqualify { team: "ada".into(), because: " ".into() }, "no reason"),
    ] {
        assert!(order(&club, wrong).is_err(), "{why}");
    }
}

#[test]
fn only_builds_that_a_submission_fails_count_for_its_day() {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Club::ruled(&OfficeRules { limit: Quotas { builds_failed: Some(2), ..none }, ..OfficeRules::default() });
    let submit = |team: &str, text: &[u8]| {
        club.office.submit(&Upload::new(team, "a.c", text), Some(&club.open_contest.contents())).map(drop)
    };
    for source in [b"1", BREAKS, BAD, b"2", BAD] {
        submit("ada", source).unwrap();
        club.work();
    }
    let failed = club.shown().into_iter().filter(|status| matches!(status, SubmissionState::Unbuildable(_))).count();
    assert_eq!((failed, &club.shown()[1]), (2, &SubmissionState::Stuck));
    match submit("ada", b"3").unwrap_err() {
        OfficeError::Quota { reason, next, .. } => {
            assert!(reason.starts_with("2 submissions in a day that do not build; the next one from 20"), "{reason}");
            let midnight = next.unwrap();
            assert!(midnight > club.office.now() && midnight.is_multiple_of(24 * 3600), "{midnight}");
        }
        other => panic!("{other}"),
    }
    submit("bob", BAD).unwrap();
}
