//! Tests of judgements in the contest of the board's tests.

use std::sync::Arc;

use super::super::tests::{Club, FINALS, TEAMS, club};
use judge_core::score::{EntryHead, RunCell};
use judge_core::scoring::Scoring;
use judge_core::verdict::Verdict;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::*;
use judge_core::figure::FigureName;
use judge_core::relative::Direction;

fn judgements(club: &Club, viewer: &Viewer) -> Vec<Option<Judgement>> {
    let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
    let all: Vec<&Submission> = state.submissions().iter().map(|(_, submission)| submission).collect();
    Judgements::new(&state, &contents, viewer).of(&all)
}

fn place(club: &Club, team: &str) -> usize {
    let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
    let rows = crate::view::board(&state, &contents, &Viewer::Organiser, &Ends::default()).rows;
    let teams = rows.iter().filter(|row| row.place.is_some() && row.name != "house");
    teams.zip(1..).find(|(row, _)| row.name == team).unwrap().1
}

fn marks(club: &Club, viewer: &Viewer) -> Vec<u64> {
    let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
    let judgements = Judgements::new(&state, &contents, viewer);
    state.submissions().iter().map(|(_, submission)| judgements.mark(submission)).collect()
}

#[test]
fn each_end_has_its_outcome_and_score() {
    let club = Club::new();
    // Solved, stopped before the goal, illegal, nothing, and a source that does not build.
    for source in 0..5 {
        club.submit([0, 1, 2, 3, 3][source], source, source);
    }
    assert!(judgements(&club, &Viewer::Organiser).iter().all(Option::is_none), "nothing is judged yet");
    club.work();
    let judged: Vec<Judgement> = judgements(&club, &Viewer::Organiser).into_iter().map(Option::unwrap).collect();
    let ends: Vec<_> = judged.iter().map(|judgement| judgement.ended.unwrap().1.id()).collect();
    assert_eq!(ends, ["AC", "AC", "AC", "AC", "CE"]);
    let score = |judged: &Judgement| judged.score.unwrap().score();
    // Two boards with 25 tiles each.
    assert_eq!(score(&judged[0]), 50.0);
    assert!(score(&judged[0]) > score(&judged[1]) && score(&judged[1]) > score(&judged[2]), "{judged:?}");
    // A higher score means a better place. Among equal scores, other figures decide.
    for (one, other) in (0..4).flat_map(|one| (0..4).map(move |other| (one, other))) {
        if score(&judged[one]) > score(&judged[other]) {
            assert!(place(&club, TEAMS[one]) < place(&club, TEAMS[other]), "{one} and {other}: {judged:?}");
        }
    }
    let runs: Vec<_> = judged[0].runs.iter().map(|run| (run.ordinal, run.outcome.id(), run.wall_us)).collect();
    assert_eq!(runs, [(1, "AC", Some(11_000)), (2, "AC", Some(11_000))]);
    assert!(judged[1].runs.iter().all(|run| run.outcome == JudgementType::Wrong), "short of the goal");
    assert!(judged[4].runs.is_empty() && score(&judged[4]) == 0.0);
    assert_eq!((judged[0].longest_us(), judged[4].longest_us()), (Some(11_000), None));
}

#[test]
fn a_team_sees_only_its_own_judgements_behind_the_freeze() {
    let club = Club::new();
    club.submit(0, 0, 1);
    club.office.freeze().unwrap();
    club.submit(0, 1, 2);
    club.submit(1, 4, 3);
    club.work();
    let seen = |viewer: &Viewer| -> Vec<bool> { judgements(&club, viewer).iter().map(Option::is_some).collect() };
    assert_eq!(seen(&Viewer::Public), [true, false, false]);
    assert_eq!(seen(&Viewer::Team(TEAMS[0].into())), [true, true, false]);
    assert_eq!(seen(&Viewer::Team(TEAMS[1].into())), [true, false, true]);
    assert_eq!(seen(&Viewer::Organiser), [true; 3]);
    club.office.thaw().unwrap();
    assert_eq!(judgements(&club, &Viewer::Public), judgements(&club, &Viewer::Organiser));
}

#[test]
fn contests_that_differ_after_the_freeze_have_the_same_public_judgements() {
    for seed in 0..6 {
        let (twins, mut dice) = ([Club::new(), Club::new()], ChaCha8Rng::seed_from_u64(seed));
        let mut number = 0;
        for _ in 0..dice.random_range(0..6) {
            let (team, source) = (dice.random_range(0..4), dice.random_range(0..5));
            number += 1;
            twins.iter().for_each(|twin| twin.submit(team, source, number));
        }
        twins.iter().for_each(|twin| {
            twin.office.freeze().unwrap();
        });
        for _ in 0..1 + dice.random_range(0..5) {
            let team = dice.random_range(0..4);
            number += 1;
            twins.iter().for_each(|twin| twin.submit(team, dice.random_range(0..5), number));
        }
        twins.iter().for_each(Club::work);
        let [one, other] = twins.each_ref().map(|twin| judgements(twin, &Viewer::Public));
        assert_eq!(one, other, "seed {seed}");
        assert!(one.iter().all(|judged| judged.as_ref().is_none_or(|judged| judged.ended.is_some())), "seed {seed}");
    }
}

#[test]
fn a_mark_changes_with_the_judgement_alone() {
    let club = Club::new();
    club.submit(0, 0, 1);
    let queued = marks(&club, &Viewer::Public);
    club.work();
    let judged = marks(&club, &Viewer::Public);
    assert_ne!(queued, judged);
    club.submit(1, 0, 2);
    club.work();
    assert_eq!(marks(&club, &Viewer::Public)[0], judged[0]);
    // A later submission of the team supersedes it, and the reason does not appear in its judgement.
    club.office.freeze().unwrap();
    club.submit(2, 0, 3);
    let hidden = marks(&club, &Viewer::Public)[2];
    club.work();
    assert_eq!(marks(&club, &Viewer::Public)[2], hidden, "nothing of it is shown");
    club.office.thaw().unwrap();
    assert_ne!(marks(&club, &Viewer::Public)[2], hidden);
}

#[test]
fn the_records_of_a_later_round_change_a_mark_for_those_who_see_them() {
    let club = Club::of(&[club::CONTEST, FINALS].concat());
    club.submit(0, 0, 1);
    club.work();
    let score = |viewer: &Viewer| judgements(&club, viewer)[0].as_ref().unwrap().score.unwrap().score();
    let all = |viewer: &Viewer| (marks(&club, viewer), score(viewer));
    let (first, organiser) = (all(&Viewer::Public), all(&Viewer::Organiser));
    club.office.begin_finals().unwrap();
    club.work();
    assert_eq!(all(&Viewer::Public), first, "it is sealed");
    let judged = all(&Viewer::Organiser);
    assert!(judged.0 != organiser.0 && judged.1 > organiser.1, "{judged:?} after {organiser:?}");
    club.office.finalise(Some(&club.open_contest.contents())).unwrap();
    let last = all(&Viewer::Public);
    assert!(last.0 != first.0 && last.1 > first.1, "{last:?} after {first:?}");
    assert_eq!(last, judged);
}

#[test]
fn a_judgement_that_is_held_has_no_end() {
    let club = Club::new();
    club.submit(0, 0, 1);
    club.work();
    let ended = || judgements(&club, &Viewer::Public)[0].as_ref().unwrap().ended.map(|(_, outcome)| outcome);
    assert_eq!(ended(), Some(JudgementType::Accepted));
    club.office.decide(1, crate::line::Decision::Held, Some("look at it")).unwrap();
    for _ in 0..2 {
        assert_eq!(ended(), None);
        club.work();
    }
    club.office.decide(1, crate::line::Decision::Released, None).unwrap();
    club.work();
    assert_eq!(ended(), Some(JudgementType::Accepted));
}

#[test]
fn a_score_is_the_first_figure_of_the_ranking_with_its_sign_turned_if_less_is_better() {
    let given = |progress| {
        let names = [FigureName::SCORE, FigureName::PROGRESS, FigureName::MOVES, FigureName::TIE_BREAK];
        let figures = names.into_iter().zip(["12.50", progress, "40", "7"].map(|text| text.parse().unwrap())).collect();
        RefereeFigures { figures, full: None }
    };
    let row = |scoring: Scoring| {
        let scoring = Arc::new(scoring);
        let verdicts = [Verdict::Unsolved(given("3")), Verdict::Solved(given("5"))];
        let cells = verdicts.map(|verdict| RunCell::from_verdict(&verdict, Some(2000), 10, &scoring));
        Row::new(EntryHead::new("e"), cells.into(), scoring)
    };
    let plain = row(Scoring::of_game(""));
    let (up, down) = (row(Scoring::new(Direction::Up, 2)), row(Scoring::new(Direction::Down, 2)));
    for (order, row, score) in [
        (&[RankKey::PROGRESS, RankKey::MOVES][..], &plain, 8.0),
        (&[RankKey::MOVES], &plain, -80.0),
        (&[RankKey::TIE_BREAK], &plain, -14.0),
        (&[RankKey::Time], &plain, -4.0),
        (&[RankKey::SCORE, RankKey::Time], &up, 25.0),
        (&[RankKey::SCORE, RankKey::Time], &down, -25.0),
        (&[RankKey::Solved], &plain, 1.0),
        // A relative score does not depend on the submission alone.
        (&[RankKey::Relative, RankKey::SCORE], &down, -25.0),
        (&[RankKey::Relative], &up, 25.0),
    ] {
        assert_eq!(SubmissionScore::of(row, order).score(), score, "{order:?}");
    }
    assert_eq!(SubmissionScore { value: 0.0, less: true }.score().to_string(), "0", "no reader expects -0");
}
