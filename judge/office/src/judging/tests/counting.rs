//! Tests of the submission of a team that counts.

use super::*;
use crate::view::judgements::{JudgementType, Judgements};
use crate::view::{Row, Viewer, board};

#[test]
fn the_best_version_counts_and_the_earliest_of_equal_ones() {
    let club = Club::ruled(&counts(Counts::Best));
    for source in [&b"1"[..], b"short", b"2"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.placed(), ["ada.1", "house"], "the last one is no better");
    assert_eq!(
        club.shown(),
        [
            SubmissionState::Counts,
            SubmissionState::Superseded { by: "ada.1".into() },
            SubmissionState::Superseded { by: "ada.1".into() }
        ]
    );
    club.submit("bob", b"short");
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.4", "house"]);
    club.submit("bob", b"1");
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.5", "house"]);
    // The new rule also applies to earlier submissions.
    club.office.set_rules(&counts(Counts::Latest)).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.3", "bob.5", "house"]);
}

#[test]
fn the_chosen_version_counts_or_else_the_last_one() {
    let club = Club::ruled(&counts(Counts::Chosen));
    for source in [&b"1"[..], b"2", BAD] {
        club.submit("ada", source);
    }
    club.work();
    assert_eq!(club.placed(), ["ada.2", "house"]);
    club.office.choose("ada", 1).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.1", "house"]);
    club.office.choose("ada", 3).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.2", "house"], "one that does not build cannot count");
    assert!(club.office.choose("bob", 1).is_err());
    club.office.set_rules(&counts(Counts::Best)).unwrap();
    assert!(club.office.choose("ada", 1).is_err(), "the rules choose");
}

#[test]
fn a_version_that_does_not_start_replaces_none_that_does() {
    let club = Club::new();
    for source in [&b"1"[..], b"does not start"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.placed(), ["ada.1", "house"]);
    assert_eq!(club.shown()[0], SubmissionState::Counts);
    // If no submission starts, the last one is shown.
    club.submit("bob", b"does not start");
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.3", "house"]);
}

#[test]
fn of_equal_versions_the_one_that_arrived_first_counts() {
    let club = Club::ruled(&counts(Counts::Best));
    club.submit("ada", b"1");
    // Its head arrived before the other submission, and its end after it.
    let earlier = Upload { arrived: Some(club.office.now() - 50), ..Upload::new("ada", "a.c", b"2") };
    assert_eq!(club.office.submit(&earlier, None).unwrap().submission.number, 2);
    club.work();
    assert_eq!(club.placed(), ["ada.2", "house"]);
    assert_eq!(club.shown(), [SubmissionState::Superseded { by: "ada.2".into() }, SubmissionState::Counts]);
    club.submit("ada", b"3");
    club.work();
    assert_eq!(club.placed(), ["ada.2", "house"]);
}

/// A contest whose answers are accepted or not, without a referee program.
pub(super) const ACCEPTS: &str = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"tokens\"\n\
                       [[board]]\nname = \"X\"\nfile = \"x.txt\"\nanswer = \"house/answer\"\n\
                       [[board]]\nname = \"Y\"\nfile = \"y.txt\"\nanswer = \"house/answer\"\n\
                       [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";

/// The end of each submission's judgement in the public view.
fn ends(club: &Club) -> Vec<Option<JudgementType>> {
    let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
    let submissions: Vec<_> = state.submissions().iter().map(|(_, submission)| submission).collect();
    let judged = Judgements::new(&state, &contents, &Viewer::Public).of(&submissions);
    judged.into_iter().map(|judged| judged?.ended.map(|(_, outcome)| outcome)).collect()
}

/// The place, the team, the counting submission, and the cells of a row of the board.
type OfRow = (Option<usize>, String, Option<u32>, Vec<String>);

/// The rows of the public board.
fn rows(club: &Club) -> Vec<OfRow> {
    let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
    let rows = board(&state, &contents, &Viewer::Public, &Ends::default()).rows.into_iter();
    let cells = |row: &Row| row.cells.iter().map(|cell| cell.text.clone()).collect();
    rows.map(|row| (row.place, row.name.clone(), row.counts.map(|(number, _)| number), cells(&row))).collect()
}

#[test]
fn where_answers_are_accepted_each_submission_is_judged_to_its_end() {
    // Rejected on the first board, or accepted so far, when the next one arrives.
    for (sources, expected, counts) in [
        ([SHORT, b"1"], [JudgementType::Wrong, JudgementType::Accepted], "ada.2"),
        ([b"1", SHORT], [JudgementType::Accepted, JudgementType::Wrong], "ada.1"),
    ] {
        let club = Club::of(ACCEPTS);
        let judging = Judging::new(&club.office, &club.open_contest);
        for source in sources {
            club.submit("ada", source);
            club.with_resources(|resources| {
                judging.enter_next(resources).unwrap().unwrap();
                judging.run_next(resources, &[], &StopFlag::default()).unwrap().unwrap();
            });
        }
        drop(judging);
        club.work();
        assert_eq!(ends(&club), expected.map(Some));
        assert_eq!(club.placed(), [counts, "house"], "the table has the accepted one alone");
    }
}

#[test]
fn where_answers_are_accepted_the_first_one_counts_and_the_rules_of_the_icpc_give_places() {
    let club = Club::of(ACCEPTS);
    let begin = club.office.now() - 1000;
    let times = judge_contest::office::Times { opens: Some(begin), ..Default::default() };
    club.office.set_rules(&OfficeRules { times, ..OfficeRules::default() }).unwrap();
    let submit = |team: &str, source: &[u8], minute: u64| {
        let upload = Upload { arrived: Some(begin + 60 * minute + 59), ..Upload::new(team, "a.c", source) };
        club.office.submit(&upload, None).unwrap();
    };
    // ada: accepted, then a worse one. bob: accepted earlier, after a rejected one and one that does not build. cleo: nothing
    // accepted.
    for (team, source, minute) in
        [("bob", SHORT, 1), ("bob", BAD, 2), ("bob", b"1", 3), ("ada", b"2", 5), ("ada", SHORT, 6), ("cleo", SHORT, 7)]
    {
        submit(team, source, minute);
    }
    club.work();
    let cells = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    let expected = [
        (Some(1), "ada".to_owned(), Some(4), cells(&["1", "5", "5", "AC", "AC"])),
        (None, "house".to_owned(), None, cells(&["", "", "", "AC", "AC"])),
        (Some(2), "bob".to_owned(), Some(3), cells(&["1", "23", "3", "AC", "AC"])),
        (Some(3), "cleo".to_owned(), Some(6), cells(&["0", "0", "", "WRO", "WRO"])),
    ];
    assert_eq!(rows(&club), expected);
    let superseded = |by: &str| SubmissionState::Superseded { by: by.into() };
    let mut statuses = club.shown();
    assert!(matches!(statuses.remove(1), SubmissionState::Unbuildable(_)));
    assert_eq!(
        statuses,
        [
            superseded("bob.3"),
            SubmissionState::Counts,
            SubmissionState::Counts,
            superseded("ada.4"),
            SubmissionState::Counts
        ]
    );
    assert_eq!(club.placed(), ["ada.4", "bob.3", "cleo.6", "house"], "commands show the submissions that count");
    // A removed or ignored submission solves nothing.
    club.office.decide(4, Decision::Ignored, Some("copied")).unwrap();
    club.work();
    let places: Vec<_> = rows(&club).into_iter().map(|(place, name, counts, _)| (place, name, counts)).collect();
    let expected =
        [(Some(1), "bob", Some(3)), (None, "house", None), (Some(2), "ada", Some(5)), (Some(2), "cleo", Some(6))];
    assert_eq!(places, expected.map(|(place, name, counts)| (place, name.to_owned(), counts)));
    assert_eq!(ends(&club)[3], Some(JudgementType::Cancelled));
}

#[test]
fn answers_that_do_not_count_any_more_keep_their_judgements() {
    let Club { folder, office, open_contest, executor, on_cluster, disk_space, refused_layer } = Club::of(ACCEPTS);
    let setup = judge_contest::office::OfficeSetup { allowed: Some(vec!["answers".into()]), ..Default::default() };
    let office = office.with_setup(&setup);
    let club = Club { folder, office, open_contest, executor, on_cluster, disk_space, refused_layer };
    for answer in [&b"lluu"[..], b"ll", b"lu"] {
        let files = ["X.txt", "Y.txt"].map(|name| (name.to_owned(), answer.to_vec()));
        let zip = crate::intake::bundle(&files).unwrap().1;
        club.office.submit(&Upload::new("ada", "answers.zip", &zip), None).unwrap();
        club.work();
    }
    assert_eq!(ends(&club), [JudgementType::Accepted, JudgementType::Wrong, JudgementType::Wrong].map(Some));
    assert_eq!(rows(&club)[0].2, Some(1));
    // An archive that cannot be unpacked can never run.
    club.office.submit(&Upload::new("bob", "Z.txt", b"lluu"), None).unwrap();
    club.work();
    assert_eq!(ends(&club)[3], Some(JudgementType::Compile));
    assert!(
        matches!(&club.shown()[3], SubmissionState::Unbuildable(why) if why.contains("Z.txt")),
        "{:?}",
        club.shown()
    );
}

#[test]
fn the_last_version_is_the_one_that_arrived_last() {
    let club = Club::new();
    let earlier = Upload { arrived: Some(club.office.now() - 50), ..Upload::new("ada", "a.c", b"2") };
    club.submit("ada", b"1");
    assert_eq!(club.office.submit(&earlier, None).unwrap().submission.number, 2);
    club.work();
    assert_eq!(club.placed(), ["ada.1", "house"]);
    assert_eq!(club.shown()[1], SubmissionState::Superseded { by: "ada.1".into() });
    let state = club.office.state().unwrap();
    assert_eq!(
        (state.teams()["ada"].submissions_to(""), state.submissions_of("ada", "").next_back().unwrap().1.number),
        (&[2, 1][..], 1)
    );
    assert!(club.office.submit(&Upload::new("ada", "a.c", b"1"), None).unwrap().repeated, "it is the last one");
}

/// The board and the Contest API are computed by different code from different parts of the state.
#[test]
fn the_board_counts_as_pending_what_has_no_end_in_the_contest_api() {
    let mut pending = std::collections::HashSet::new();
    for rule in [Counts::Latest, Counts::Best, Counts::Chosen] {
        let mut club = Club::ruled(&counts(rule));
        club.executor.breaks = Some("cleo.".into());
        let submitted =
            [("ada", &b"1"[..]), ("ada", SHORT), ("bob", BAD), ("cleo", b"3"), ("ada", b"4"), ("bob", b"5")];
        for (team, source) in submitted {
            club.submit(team, source);
        }
        club.office.decide(5, Decision::Held, None).unwrap();
        let judging = Judging::new(&club.office, &club.open_contest);
        let mut same = |place: &str| {
            let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
            for viewer in [Viewer::Organiser, Viewer::Public, Viewer::Team("ada".into())] {
                let all: Vec<&Submission> = state.submissions().iter().map(|(_, submission)| submission).collect();
                let ends = club.office.ends(&state, &contents);
                let judged = Judgements::new(&state, &contents, &viewer).of(&all);
                assert_eq!(judged, Judgements::new(&state, &contents, &viewer).with_ends(ends.clone()).of(&all));
                for row in board(&state, &contents, &viewer, &ends).rows.iter().filter(|row| row.submissions > 0) {
                    let own = all.iter().zip(&judged).filter(|(one, _)| one.team == row.name);
                    let open = own.filter(|(_, judged)| judged.as_ref().is_none_or(|judged| judged.ended.is_none()));
                    let open = open.count();
                    assert_eq!(row.pending, open, "{rule:?}, {place}: {} as {viewer:?} sees it", row.name);
                    pending.insert((row.name.clone(), open));
                }
            }
        };
        loop {
            let entered = club.with_resources(|resources| judging.enter_next(resources)).unwrap();
            same("a build");
            let made = club.with_resources(|resources| judging.run_next(resources, &[], &StopFlag::default())).unwrap();
            same("a run");
            if entered.is_none() && made.is_none() {
                break;
            }
        }
        club.office.freeze().unwrap();
        club.submit("ada", b"6");
        judging.settle().unwrap();
        same("a freeze");
        club.office.decide(5, Decision::Released, None).unwrap();
        club.office.decide(1, Decision::Ignored, None).unwrap();
        judging.settle().unwrap();
        same("decisions");
    }
    assert!(
        ["ada", "bob", "cleo"]
            .iter()
            .all(|team| pending.iter().filter(|(name, _)| name == team).count() > 1 || *team == "cleo"),
        "{pending:?}"
    );
}
