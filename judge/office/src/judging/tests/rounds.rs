//! Tests of final rounds.

use judge_contest::office::Times;

use super::*;
use crate::view::Viewer;

const FINALS: &str = "[[round]]\nname = \"First\"\nboards = [\"X\"]\nadvance = \"all\"\n\
                      [[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";

#[test]
fn final_rounds_judge_only_what_counted_before() {
    let club = Club::of(&[CONTEST, FINALS].concat());
    club.submit("ada", b"1");
    club.submit("ada", b"2");
    club.submit("bob", b"1");
    club.work();
    assert_eq!(club.open_contest.contents().round(), 1, "it does not begin by itself");
    club.office.begin_finals().unwrap();
    let late = club.office.submit(&Upload::new("cleo", "a.c", b"1"), None).unwrap();
    assert!(late.submission.late && club.office.decide(4, Decision::Admitted, None).is_err());
    club.work();
    let contents = club.open_contest.contents();
    assert_eq!((contents.round(), contents.missing().len()), (2, 0));
    let in_final: Vec<&str> =
        contents.records.iter().filter(|record| record.key.round == 2).map(|record| &*record.key.entry).collect();
    assert_eq!(in_final.len(), 3, "{in_final:?}");
    assert!(!in_final.contains(&"ada.1"));
    let state = club.office.state().unwrap();
    let columns = |viewer| {
        let board = crate::view::board(&state, &contents, &viewer, &Ends::default());
        board.columns.iter().filter(|column| column.is_board).map(|column| column.heading.clone()).collect::<Vec<_>>()
    };
    assert_eq!(columns(Viewer::Organiser), ["X", "Y"]);
    assert_eq!(columns(Viewer::Public), ["X"], "the final is sealed until it is over");
    assert_eq!(columns(Viewer::Team("ada".into())), ["X"]);
    club.office.finalise(Some(&club.open_contest.contents())).unwrap();
    let state = club.office.state().unwrap();
    let board = crate::view::board(&state, &contents, &Viewer::Public, &Ends::default());
    assert_eq!(board.columns.iter().filter(|column| column.is_board).count(), 2);
}

/// The time of the office's clock in these tests.
const NOW: u64 = 1_795_435_200;

/// Stops the judge and starts it again at another time.
fn at(club: Club, now: u64) -> Club {
    let club = club.restarted();
    let office = Office::open(&club.folder.path().join(crate::FOLDER), Arc::new(move || now)).unwrap();
    Club { office, ..club }
}

#[test]
fn each_final_round_follows_its_own_times() {
    let board = "[[board]]\nname = \"Z\"\nfile = \"y.txt\"\n";
    let round = "[[round]]\nname = \"Last\"\nboards = [\"Z\"]\n";
    let mut club = Club::of(&[CONTEST, board, FINALS, round].concat());
    let times = |opens, closes| Times { opens: Some(opens), closes: Some(closes), ..Times::default() };
    let rules =
        OfficeRules::default().with_round(2, times(NOW + 100, NOW + 300)).with_round(3, times(NOW + 300, NOW + 400));
    club.office.set_rules(&rules).unwrap();
    club.submit("ada", b"1");
    club = at(club, NOW + 99);
    club.submit("bob", b"1");
    let rounds = |club: &Club| {
        club.work();
        let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
        (contents.round(), crate::view::last_round(&state, &contents, &Viewer::Public), contents.missing().len())
    };
    assert_eq!(rounds(&club), (1, 1, 0));
    club = at(club, NOW + 100);
    assert!(club.office.submit(&Upload::new("cleo", "a.c", b"1"), None).unwrap().submission.late);
    assert_eq!(rounds(&club), (1, 1, 0), "what arrived before may still be on its way");
    club = at(club, NOW + 100 + crate::UPLOAD_SECONDS);
    assert_eq!(rounds(&club), (2, 1, 0), "it begins by itself, and the round after it waits");
    club = at(club, NOW + 300);
    assert_eq!(rounds(&club), (3, 2, 0));
    club = at(club, NOW + 399);
    assert_eq!(rounds(&club), (3, 2, 0));
    club = at(club, NOW + 400);
    assert_eq!(rounds(&club), (3, 3, 0));
    let in_last = club.open_contest.contents().records.iter().filter(|record| record.key.round == 3).count();
    assert_eq!(in_last, 3, "ada, bob and the house");
}

/// The counting submission of a team on the public board.
fn shown(club: &Club, team: &str) -> Option<u32> {
    let board = crate::view::board(
        &club.office.state().unwrap(),
        &club.open_contest.contents(),
        &Viewer::Public,
        &Ends::default(),
    );
    board.rows.into_iter().find(|row| row.name == team)?.counts.map(|(number, _)| number)
}

/// Waits for an effect of another thread.
fn wait(what: &str, is_there: impl Fn() -> bool) {
    for _ in 0..24_000 {
        if is_there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("{what}");
}

#[test]
fn decisions_are_followed_between_the_runs_of_a_final_round_and_after_it() {
    let club = Club::of(&[CONTEST, FINALS].concat());
    for team in ["ada", "bob", "cleo"] {
        club.submit(team, b"1");
    }
    club.work();
    club.office.begin_finals().unwrap();
    let (begins, begun) = std::sync::mpsc::channel();
    let (goes_on, may_go_on) = std::sync::mpsc::channel::<()>();
    let mut first = true;
    club.open_contest.subscribe(move |event| {
        if matches!(event, Event::Started(key) if key.round == 2) && std::mem::take(&mut first) {
            begins.send(()).unwrap();
            may_go_on.recv().ok();
        }
        true
    });
    let order = |order| club.office.order(order, &club.open_contest.contents()).unwrap();
    let because = || "it is a copy".to_owned();
    let is_out = |entry: &str| club.open_contest.contents().withdrawn.get(entry).is_some_and(|out| out.disqualified);
    let stop = StopFlag::default();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let judging = Judging::new(&club.office, &club.open_contest);
            club.with_resources(|resources| judging.work(resources, &stop, true, &|_| {})).unwrap();
        });
        begun.recv().unwrap();
        order(Order::Disqualify { team: "bob".into(), because: because() });
        wait("a decision between runs", || is_out("bob.2"));
        goes_on.send(()).unwrap();
        wait("the end of the final", || {
            let contents = club.open_contest.contents();
            contents.round() == 2 && contents.missing().is_empty()
        });
        club.office.finalise(Some(&club.open_contest.contents())).unwrap();
        let late = Order::Strike { board: "Y".into(), because: because() };
        assert!(club.office.order(late, &club.open_contest.contents()).unwrap_err().is_final());
        club.office.reopen("ada has a copy, too").unwrap();
        order(Order::Disqualify { team: "ada".into(), because: because() });
        order(Order::Strike { board: "Y".into(), because: because() });
        wait("a decision after the end", || is_out("ada.1") && club.open_contest.contents().struck.contains_key("Y"));
        stop.request();
    });
    assert_eq!(club.placed(), ["cleo.3", "house"]);
    let club = club.restarted();
    let before = club.open_contest.contents().chain;
    club.work();
    assert_eq!(club.open_contest.contents().chain, before, "everything was followed");
}

#[test]
fn sealed_runs_do_not_change_what_counts() {
    let mut club = Club::of(&[CONTEST, FINALS].concat());
    club.office.set_rules(&counts(Counts::Best)).unwrap();
    for source in [&b"1"[..], SHORT] {
        club.submit("ada", source);
    }
    club.submit("bob", b"1");
    club.work();
    assert_eq!((shown(&club, "ada"), club.placed()), (Some(1), vec!["ada.1".into(), "bob.3".into(), "house".into()]));
    club.office.begin_finals().unwrap();
    club.open_contest.open_next_round().unwrap();
    assert_eq!(shown(&club, "ada"), Some(1), "no run of the final is made");
    // A start decides which submissions count.
    let judging = Judging::new(&club.office, &club.open_contest);
    judging.settle_teams(None).unwrap();
    drop(judging);
    assert!(club.open_contest.contents().withdrawn.contains_key("ada.2"));
    // The other submission would be better now, but has no run in the final.
    let key = RunKey::new(1, "ada.1", "X");
    let verdict = judge_core::verdict::Verdict::Wrong { given: Default::default(), reason: "a copy".into() };
    let ruling = ManualRuling::new(key, verdict, "a copy");
    club.office.order(Order::Rule { ruling }, &club.open_contest.contents()).unwrap();
    for _ in 0..2 {
        club.work();
        assert_eq!((shown(&club, "ada"), club.open_contest.contents().missing().len()), (Some(1), 0));
        assert!(club.open_contest.contents().withdrawn.contains_key("ada.2"));
        club = club.restarted();
    }
    // A submission that no longer counts is replaced by another one, and can be restored.
    club.office.decide(1, Decision::Ignored, None).unwrap();
    club.work();
    assert_eq!((shown(&club, "ada"), club.placed()), (Some(2), vec!["ada.2".into(), "bob.3".into(), "house".into()]));
    club.office.decide(1, Decision::Considered, None).unwrap();
    club.work();
    assert_eq!(shown(&club, "ada"), Some(1));
}

/// Two boards in the first round, and one in the final.
const TWO_AND_ONE: &str = "[[board]]\nname = \"Z\"\nfile = \"y.txt\"\n[[round]]\nname = \"First\"\nboards = [\"X\", \"Z\"]\n\
                           advance = \"all\"\n[[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";

#[test]
fn a_board_of_a_round_that_is_over_counts_again_only_if_all_were_judged_on_it() {
    let club = Club::of(&[CONTEST, TWO_AND_ONE].concat());
    let because = || "a misprint".to_owned();
    let strike = |board: &str| {
        let order = Order::Strike { board: board.into(), because: because() };
        club.office.order(order, &club.open_contest.contents()).unwrap();
    };
    let unstrike = |board: &str, contents: &ContestState| {
        club.office.order(Order::Unstrike { board: board.into(), because: because() }, contents)
    };
    let is_struck = |board: &str| club.open_contest.contents().struck.contains_key(board);
    let finished = || (club.shown(), club.open_contest.contents().missing().len());
    strike("Z");
    club.submit("ada", b"1");
    club.work();
    let before = club.open_contest.contents();
    club.office.begin_finals().unwrap();
    club.work();
    assert_eq!((club.open_contest.contents().round(), finished()), (2, (vec![SubmissionState::Counts], 0)));
    let refused = unstrike("Z", &club.open_contest.contents()).unwrap_err().to_string();
    assert!(refused.contains("not judged on board `Z`: ada.1, house; leave it struck, or take them out"), "{refused}");
    // The same holds if the round ended after the organiser looked.
    assert!(unstrike("Z", &before).is_err());
    club.work();
    assert_eq!((is_struck("Z"), finished()), (true, (vec![SubmissionState::Counts], 0)), "no run is left to wait for");
    // A board on which all entries are judged can be struck and reinstated at any time.
    strike("X");
    club.work();
    assert!(is_struck("X"));
    unstrike("X", &club.open_contest.contents()).unwrap();
    club.work();
    assert_eq!((is_struck("X"), finished()), (false, (vec![SubmissionState::Counts], 0)));
    // The other board is refused as long as an entry in the contest has no verdict on it.
    club.office
        .order(Order::Disqualify { team: "ada".into(), because: because() }, &club.open_contest.contents())
        .unwrap();
    club.work();
    let refused = unstrike("Z", &club.open_contest.contents()).unwrap_err().to_string();
    assert!(refused.contains("on board `Z`: house;"), "{refused}");
}

#[test]
fn a_submission_that_is_released_in_the_final_stops_no_judging() {
    let club = Club::of(&[CONTEST, FINALS].concat());
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.office.decide(2, Decision::Held, None).unwrap();
    club.work();
    club.office.begin_finals().unwrap();
    club.work();
    club.office.decide(2, Decision::Released, None).unwrap();
    club.work();
    assert_eq!(club.shown(), [SubmissionState::Counts, SubmissionState::TooLate]);
    club.office.finalise(Some(&club.open_contest.contents())).unwrap();
}
