//! Tests over random histories with two contests that differ only after the freeze. Both have the same public board.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use judge_contest::office::{Counts, OfficeRules, Times};

use crate::line::{Decision, Order};
use judge_core::game::Score;
use judge_core::games::GAMES;
use judge_core::journal::ManualRuling;
use judge_core::key::RunKey;
use judge_core::verdict::Verdict;

#[allow(dead_code, reason = "the tests of judge-office-web use the rest of it")]
pub(crate) mod club;

mod second_program;

pub(super) use club::{Club, TEAMS};

/// A sealed second round for the contest of the tests.
pub(super) const FINALS: &str = "[[round]]\nname = \"First\"\nboards = [\"X\"]\nadvance = { top = 2 }\n\
                      [[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";

/// A contest whose answers are accepted or not.
const ACCEPTS: &str = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\nprotocol = \"tokens\"\n\
                       [[board]]\nname = \"X\"\nfile = \"x.txt\"\nanswer = \"house/answer\"\n\
                       [[board]]\nname = \"Y\"\nfile = \"y.txt\"\nanswer = \"house/answer\"\n\
                       [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";

impl Club {
    fn board(&self, viewer: &Viewer) -> Board {
        let (state, contents) = (self.office.state().unwrap(), self.open_contest.contents());
        let shown = board(&state, &contents, viewer, &self.office.ends(&state, &contents));
        assert!(shown == board(&state, &contents, viewer, &Ends::default()), "what is remembered changes nothing");
        shown
    }
}

#[test]
#[ignore = "deep: leaks"]
fn contests_that_differ_after_the_freeze_have_the_same_public_board() {
    let (mut differ, mut changed) = (0, 0);
    for seed in 0..28 {
        // Half of the histories reach a final round while the board is frozen.
        let finals = seed % 2 == 1;
        // In some, answers are accepted or not.
        let accepts = seed % 4 == 2;
        let contest = match (finals, accepts) {
            (true, _) => [club::CONTEST, FINALS].concat(),
            (_, true) => ACCEPTS.to_owned(),
            _ if seed % 8 == 4 => club::SEVERAL.to_owned(),
            _ => club::CONTEST.to_owned(),
        };
        let (club, mut dice) = (Club::of(&contest), ChaCha8Rng::seed_from_u64(seed));
        let counts = [Counts::Latest, Counts::Best, Counts::Chosen][dice.random_range(0..3)];
        // The freeze of some is planned.
        let freezes = Some(club.office.now() + 100).filter(|_| seed % 3 == 0);
        let times = Times { freezes, ..Times::default() };
        club.office.set_rules(&OfficeRules { counts, times, ..OfficeRules::default() }).unwrap();
        let mut number = 0;
        for _ in 0..dice.random_range(0..8) {
            let (team, source) = (dice.random_range(0..4), dice.random_range(0..5));
            number += 1;
            club.submit(team, source, number);
        }
        for _ in 0..dice.random_range(0..3) {
            let (team, chosen) = (dice.random_range(0..4), u32::try_from(dice.random_range(0..number + 1)).unwrap());
            // Refused if the submission belongs to another team.
            drop(club.office.choose(TEAMS[team], chosen));
        }
        // Submissions from before the freeze are judged before it in half of the histories, and after it in the others.
        let judged = dice.random_range(0..2) == 0;
        if judged {
            club.work();
        }
        match freezes {
            // The first line of any kind records it.
            Some(freezes) => {
                club.now.store(freezes, Ordering::SeqCst);
                club.office.notice("Lunch is ready.").unwrap();
            }
            None => drop(club.office.freeze().unwrap()),
        }
        let twins = [club.twin(), club];
        let records = twins.each_ref().map(Club::published_record);
        let (frozen, known) = (twins[0].board(&Viewer::Public), number);
        for _ in 0..1 + dice.random_range(0..6) {
            let team = dice.random_range(0..4);
            number += 1;
            twins.iter().for_each(|twin| twin.submit(team, dice.random_range(0..5), number));
            // Teams choose and the organiser ignores in only one of them.
            let (twin, hidden) = (&twins[dice.random_range(0..2)], u32::try_from(number).unwrap());
            match dice.random_range(0..4) {
                0 => drop(twin.office.choose(TEAMS[team], hidden)),
                1 => twin.office.decide(hidden, Decision::Ignored, None).unwrap(),
                2 => twin.office.decide(hidden, Decision::Held, None).unwrap(),
                _ => {}
            }
            if dice.random_range(0..2) == 0 {
                twins.iter().for_each(Club::work);
                assert_eq!(twins[0].board(&Viewer::Public), twins[1].board(&Viewer::Public), "seed {seed}");
            }
        }
        twins.iter().for_each(Club::work);
        let ruled = finals && known > 0 && dice.random_range(0..3) > 0;
        if finals {
            // The round has opened, but none of its runs is executed.
            for twin in &twins {
                twin.office.begin_finals().unwrap();
                twin.open_contest.open_next_round().unwrap();
            }
            assert_eq!(twins[0].board(&Viewer::Public), twins[1].board(&Viewer::Public), "seed {seed}");
            twins.iter().for_each(Club::work);
            if ruled {
                // Another submission of its team may be the best now, whether it is in the final or not.
                let (number, progress) = (1 + dice.random_range(0..known), dice.random_range(0..25));
                for twin in &twins {
                    let state = twin.office.state().unwrap();
                    let entry = state.submission(u32::try_from(number).unwrap()).unwrap().1.entry();
                    let score = Score { progress, of: 25, moves: 4, ..Score::default() };
                    let key = RunKey::new(1, entry, "X");
                    let ruling = ManualRuling::new(key, Verdict::from_replay(GAMES[0], score, None), "by hand");
                    // Refused in both if the submission has no verdict.
                    twin.office.order(Order::Rule { ruling }, &twin.open_contest.contents()).ok();
                    twin.work();
                }
                assert_eq!(twins[0].board(&Viewer::Public), twins[1].board(&Viewer::Public), "seed {seed}, ruled");
            }
            if dice.random_range(0..2) == 0 {
                twins.iter().for_each(|twin| twin.office.finalise(Some(&twin.open_contest.contents())).unwrap());
            }
        }
        // What of the record may be published is the same, whatever happened since.
        assert_eq!(records, twins.each_ref().map(Club::published_record), "seed {seed}");
        let public = twins[0].board(&Viewer::Public);
        assert_eq!(public, twins[1].board(&Viewer::Public), "seed {seed}");
        // A new team has a place among those that have solved nothing.
        if judged && !ruled && !accepts {
            // With several problems, a team without known results also has a place. Cells also show the number of pending
            // submissions.
            let is_known = |row: &&Row| row.place.is_some() && frozen.rows.iter().any(|known| known.name == row.name);
            let texts = |row: &Row| row.cells.iter().map(|cell| (cell.text.clone(), cell.kind)).collect::<Vec<_>>();
            let figures = |board: &Board| -> Vec<_> {
                let placed = board.rows.iter().filter(is_known);
                placed.map(|row| (row.name.clone(), row.place, texts(row), row.counts)).collect()
            };
            assert_eq!(figures(&frozen), figures(&public), "seed {seed}");
        }
        let organiser = twins.each_ref().map(|twin| twin.board(&Viewer::Organiser));
        differ += usize::from(organiser[0] != organiser[1]);
        changed += usize::from(organiser[0].rows != public.rows);
        // After the thaw, everyone sees what the organiser sees.
        for (twin, organiser) in twins.iter().zip(organiser) {
            twin.office.thaw().unwrap();
            if finals && twin.office.state().unwrap().finalised().is_none() {
                twin.office.finalise(Some(&twin.open_contest.contents())).unwrap();
            }
            assert_eq!(twin.board(&Viewer::Public), Board { frozen: false, ..organiser });
        }
    }
    assert!(differ >= 12 && changed >= 12, "{differ} twins differ, {changed} boards hide something");
}

#[test]
fn problems_have_letters_in_their_order() {
    assert_eq!([0, 1, 25, 26, 27, 701, 702].map(letter), ["A", "B", "Z", "AA", "AB", "ZZ", "AAA"]);
}

#[test]
fn a_team_sees_only_its_own_submissions_while_the_board_is_frozen() {
    let club = Club::new();
    club.submit(0, 1, 1);
    club.submit(1, 1, 2);
    club.work();
    club.office.freeze().unwrap();
    club.submit(0, 0, 3);
    club.submit(1, 0, 4);
    club.submit(2, 4, 5);
    club.work();
    let counts = |viewer: &Viewer| -> BTreeMap<String, (Option<u32>, usize)> {
        let rows = club.board(viewer).rows.into_iter();
        rows.map(|row| (row.name, (row.counts.map(|(number, _)| number), row.pending))).collect()
    };
    let public = counts(&Viewer::Public);
    assert_eq!((public["ada"], public["bob"], public["cleo"]), ((Some(1), 1), (Some(2), 1), (None, 1)));
    let ada = counts(&Viewer::Team("ada".into()));
    assert_eq!((ada["ada"], ada["bob"], ada["cleo"]), ((Some(3), 0), (Some(2), 1), (None, 1)));
    // A submission that does not build is no longer pending for its own team. Other viewers do not see the difference.
    assert_eq!(counts(&Viewer::Team("cleo".into()))["cleo"], (None, 0));
    let organiser = counts(&Viewer::Organiser);
    assert_eq!((organiser["ada"], organiser["bob"], organiser["cleo"]), ((Some(3), 0), (Some(4), 0), (None, 0)));
    assert_eq!(organiser["house"], (None, 0));
    let unbuilt = |viewer: &Viewer| {
        let rows = club.board(viewer).rows.into_iter();
        rows.filter(|row| row.problems.iter().any(|problem| problem.unbuilt)).map(|row| row.name).collect::<Vec<_>>()
    };
    assert!(unbuilt(&Viewer::Public).is_empty());
    assert_eq!([Viewer::Team("cleo".into()), Viewer::Organiser].map(|viewer| unbuilt(&viewer)), [["cleo"], ["cleo"]]);
    assert!(!public.contains_key("dan"), "nothing was handed in");
}

#[test]
fn a_board_has_the_time_at_which_a_submission_arrived() {
    let club = Club::new();
    let now = club.office.now();
    let upload = judge_office::Upload { arrived: Some(now - 30), ..judge_office::Upload::new("ada", "a.c", b"lluu") };
    club.office.submit(&upload, None).unwrap();
    club.work();
    let row = club.board(&Viewer::Public).rows.into_iter().find(|row| row.name == "ada").unwrap();
    assert_eq!(row.counts, Some((1, now - 30)));
}

#[test]
fn a_public_submission_is_judged_to_its_end_although_a_hidden_one_supersedes_it() {
    let club = Club::new();
    club.submit(0, 1, 1);
    club.office.freeze().unwrap();
    club.submit(0, 0, 2);
    club.work();
    let row = club.board(&Viewer::Public).rows.into_iter().find(|row| row.name == "ada").unwrap();
    assert_eq!((row.counts.unwrap().0, row.pending), (1, 1));
    assert!(row.cells.iter().all(|cell| !cell.text.is_empty()), "{:?}", row.cells);
    // Only the hidden submission is in the results, as soon as the public one is judged.
    let contents = club.open_contest.contents();
    assert!(contents.withdrawn.contains_key("ada.1") && !contents.withdrawn.contains_key("ada.2"));
}

#[test]
fn who_sees_nothing_of_sealed_boards_does_not_learn_how_many_are_judged() {
    use crate::state::Line;
    use crate::submission_state::{SubmissionState, SubmissionStates};
    use judge_contest::office::SealedFeedback;
    use std::sync::atomic::Ordering;

    for (sealed, hides) in [(SealedFeedback::Nothing, true), (SealedFeedback::Code, false)] {
        let club = Club::of(&[club::CONTEST, FINALS].concat());
        club.office.set_rules(&OfficeRules { sealed, ..OfficeRules::default() }).unwrap();
        club.submit(0, 0, 1);
        let seen = |viewer: &Viewer| {
            let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
            SubmissionStates::new(viewer, &state, &contents).of(state.submission(1).unwrap().1)
        };
        let team = Viewer::Team(TEAMS[0].into());
        assert_eq!(seen(&team), SubmissionState::Queued);
        club.work();
        assert_eq!(seen(&team), SubmissionState::Counts);
        // It is in the final, but none of its runs there is executed.
        club.office.begin_finals().unwrap();
        club.open_contest.open_next_round().unwrap();
        let running = SubmissionState::Running { finished: 1, of: 2 };
        assert_eq!(seen(&team), if hides { SubmissionState::Counts } else { running.clone() });
        assert_eq!(seen(&Viewer::Organiser), running);
        let now = club.now.load(Ordering::SeqCst);
        club.office.log().append(now, |_| Ok((vec![Line::Final], ()))).unwrap();
        assert_eq!(seen(&team), running, "nothing is sealed any more");
    }
}

/// The entrant of a final with one place depends on results that are hidden while the board is frozen. Rulings on public
/// submissions must not reveal it.
#[test]
fn while_the_board_is_frozen_a_ruling_does_not_show_who_is_in_the_final() {
    let rounds = "competing = false\n[[round]]\nname = \"First\"\nboards = [\"X\"]\nadvance = { top = 1 }\n\
                  [[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";
    let seen = |hidden: usize| {
        let club = Club::of(&[club::CONTEST, rounds].concat());
        club.office.set_rules(&OfficeRules { counts: Counts::Best, ..OfficeRules::default() }).unwrap();
        // The first stops before the goal, the second is illegal.
        club.submit(0, 1, 1);
        club.submit(0, 2, 2);
        club.work();
        club.office.freeze().unwrap();
        club.submit(1, hidden, 3);
        club.work();
        club.office.begin_finals().unwrap();
        club.work();
        let contents = club.open_contest.contents();
        let ada_is_in_final = contents.order().iter().any(|key| key.round == 2 && &*key.entry == "ada.1");
        let score = Score { progress: 25, of: 25, moves: 4, ..Score::default() };
        let (key, verdict) = (RunKey::new(1, "ada.2", "X"), Verdict::from_replay(GAMES[0], score, None));
        let ruling = ManualRuling::new(key, verdict, "it solves it");
        club.office.order(Order::Rule { ruling }, &contents).unwrap();
        club.work();
        let boards = [Viewer::Public, Viewer::Team("ada".into()), Viewer::Team("cleo".into()), Viewer::Organiser]
            .map(|viewer| club.board(&viewer));
        (ada_is_in_final, boards)
    };
    let ((in_one, one), (in_other, other)) = (seen(2), seen(0));
    assert!(in_one && !in_other);
    assert_eq!(one[..3], other[..3]);
    assert_ne!(one[3], other[3], "the organiser sees which one counts");
}

#[test]
fn a_team_does_not_see_that_it_is_in_a_round_that_opens_while_the_board_is_frozen() {
    use crate::submission_state::{SubmissionState, SubmissionStates};

    let club = Club::of(&[club::CONTEST, FINALS].concat());
    club.submit(0, 0, 1);
    club.work();
    club.office.freeze().unwrap();
    club.office.begin_finals().unwrap();
    club.open_contest.open_next_round().unwrap();
    let seen = |viewer: &Viewer| {
        let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
        SubmissionStates::new(viewer, &state, &contents).of(state.submission(1).unwrap().1)
    };
    // By default, the team sees the verdicts on sealed boards.
    let (team, running) = (Viewer::Team(TEAMS[0].into()), SubmissionState::Running { finished: 1, of: 2 });
    assert_eq!([seen(&team), seen(&Viewer::Organiser)], [SubmissionState::Counts, running.clone()]);
    club.office.thaw().unwrap();
    assert_eq!(seen(&team), running);
}
