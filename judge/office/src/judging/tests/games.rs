//! Tests of contests of matches: the players, the times of their games, and the games in each view.

use judge_contest::office::Games;
use judge_contest::schedule::FinishedRun;
use judge_core::journal::{ExtraFields, Record};
use judge_core::key::RunKey;
use judge_core::matches::{Played, SeatResult};
use judge_core::points::Points;
use judge_core::verdict::Verdict;

use super::club::{Club, STARTS_NOT};
use super::*;
use crate::view::{Board, board};

const MATCH: &str = "name = \"test\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = [\"house/solve\"]\n\
                     [match]\nseats = 2\n[office]\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                     [[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";

fn club(games: Games) -> Club {
    let club = Club::of(MATCH);
    club.office.set_rules(&OfficeRules { games, ..OfficeRules::default() }).unwrap();
    club
}

/// Enters submissions and plays all games. The newer player wins.
fn play(club: &Club) -> Vec<String> {
    let judging = Judging::new(&club.office, &club.open_contest);
    club.with_resources(|resources| while judging.enter_next(resources).unwrap().is_some() {});
    judging.settle().unwrap();
    let mut played = Vec::new();
    while let Some(turn) = club.open_contest.next().unwrap() {
        let numbers: Vec<u32> = turn.key.seats().map(|seat| number_of(seat).unwrap_or(0)).collect();
        let points = |seat: usize| Points::whole((numbers[seat] > numbers[1 - seat]).into());
        let seats = vec![SeatResult::new(points(0)), SeatResult::new(points(1))];
        let isolation = Arc::new(club::isolation());
        let mut record = Record::without_run(
            turn.run.index + 1,
            turn.key.clone(),
            turn.run.attempt,
            Verdict::Valid(Default::default()),
            10_000,
            isolation,
        );
        let mut extras = ExtraFields::default();
        extras.played = Some(Played::new(seats).into());
        record.extras = extras.into();
        club.open_contest.finish(&turn, FinishedRun::new(record, None)).unwrap();
        played.push(title(&turn.key));
    }
    played
}

fn title(key: &RunKey) -> String {
    key.seats().map(|seat| &**seat).collect::<Vec<_>>().join("-")
}

fn seen(club: &Club, viewer: &Viewer) -> Board {
    board(&club.office.state().unwrap(), &club.open_contest.contents(), viewer, &Ends::default())
}

/// The points of each row.
fn points(club: &Club, viewer: &Viewer) -> Vec<String> {
    seen(club, viewer).rows.iter().map(|row| format!("{} {}", row.name, row.cells[0].text)).collect()
}

#[test]
fn a_new_player_plays_at_once_and_no_game_is_played_twice() {
    let club = club(Games::AtOnce);
    assert!(play(&club).is_empty(), "one entry has nobody to play with");
    club.submit("ada", b"1");
    assert_eq!(play(&club), ["house-ada.1", "ada.1-house"]);
    club.submit("bob", b"2");
    assert_eq!(play(&club), ["house-bob.2", "bob.2-house", "ada.1-bob.2", "bob.2-ada.1"]);
    assert_eq!(points(&club, &Viewer::Public), ["bob 4", "ada 2", "house 0"]);
    assert_eq!(club.shown(), [SubmissionState::Counts, SubmissionState::Counts]);
    // Only the new player of ada has to play, and not against her earlier one.
    club.submit("ada", b"3");
    assert_eq!(play(&club), ["house-ada.3", "ada.3-house", "bob.2-ada.3", "ada.3-bob.2"]);
    assert_eq!(points(&club, &Viewer::Public), ["ada 4", "bob 2", "house 0"]);
    assert_eq!(club.shown()[0], SubmissionState::Superseded { by: "ada.3".into() });
    // A submission that does not build replaces nothing; a player that cannot be started loses its games instead.
    club.submit("ada", super::club::BAD);
    club.submit("bob", STARTS_NOT);
    assert_eq!(play(&club), ["house-bob.5", "bob.5-house", "ada.3-bob.5", "bob.5-ada.3"]);
    // The games of the earlier player count again if the later one does not.
    club.office.decide(5, crate::line::Decision::Ignored, Some("by mistake")).unwrap();
    assert!(play(&club).is_empty());
    assert_eq!(points(&club, &Viewer::Public), ["ada 4", "bob 2", "house 0"]);
    let club = club.restarted();
    assert!(play(&club).is_empty());
    assert_eq!(points(&club, &Viewer::Public), ["ada 4", "bob 2", "house 0"]);
    assert_eq!(club.open_contest.contents().plan.start_order(), [], "the file of the contest plans no game");
}

#[test]
fn players_wait_for_the_command() {
    let club = club(Games::OnCommand);
    club.submit("ada", b"1");
    club.submit("ada", b"2");
    assert!(play(&club).is_empty());
    assert_eq!(club.shown(), [SubmissionState::Superseded { by: "ada.2".into() }, SubmissionState::Waits]);
    assert_eq!(club.office.call().unwrap(), 2);
    assert!(club.office.call().unwrap_err().to_string().contains("nothing was submitted since"));
    assert_eq!(play(&club), ["house-ada.2", "ada.2-house"]);
    club.submit("ada", b"3");
    assert!(play(&club).is_empty());
    assert_eq!(
        club.shown()[1..],
        [SubmissionState::Counts, SubmissionState::Waits],
        "the old one counts until the new one plays"
    );
    assert!(club.office.finalise(Some(&club.open_contest.contents())).is_err(), "a player waits");
    club.office.call().unwrap();
    assert_eq!(play(&club), ["house-ada.3", "ada.3-house"]);
    assert_eq!(club.shown()[1..], [SubmissionState::Superseded { by: "ada.3".into() }, SubmissionState::Counts]);
}

/// The public view of a frozen board follows from what came before the freeze, even if hidden players play each other.
#[test]
fn a_freeze_hides_results_and_not_that_games_were_played() {
    let club = club(Games::AtOnce);
    for (team, source) in [("ada", b"1"), ("bob", b"2")] {
        club.submit(team, source);
    }
    play(&club);
    club.office.freeze().unwrap();
    let frozen = seen(&club, &Viewer::Public);
    club.submit("ada", b"3");
    club.submit("cleo", b"4");
    let hidden = play(&club);
    assert!(hidden.contains(&"bob.2-ada.3".to_owned()) && hidden.contains(&"ada.3-cleo.4".to_owned()), "{hidden:?}");
    let cells = |board: &Board| {
        board.rows.iter().map(|row| (row.name.clone(), row.place, row.cells.clone())).collect::<Vec<_>>()
    };
    let team = Viewer::Team("ada".into());
    for viewer in [&Viewer::Public, &team] {
        let now = seen(&club, viewer);
        let shown: Vec<_> = cells(&now).into_iter().filter(|(name, ..)| name != "cleo").collect();
        assert_eq!(shown, cells(&frozen), "{viewer:?}");
        assert!(now.rows.iter().any(|row| row.name == "ada" && row.pending == 1), "its later player is there");
    }
    assert_eq!(points(&club, &Viewer::Organiser), ["cleo 6", "ada 4", "bob 2", "house 0"]);
    // A team may see the result of a game if it may see the results of both players.
    let state = club.office.state().unwrap();
    let game = |one: &str, other: &str| RunKey::game(1, &[one.into(), other.into()], "X");
    for (one, other, sees) in [("ada.3", "bob.2", true), ("ada.3", "cleo.4", false), ("ada.1", "house", true)] {
        assert_eq!(team.sees_game(&game(one, other), &state), sees, "{one} {other}");
        assert!(Viewer::Organiser.sees_game(&game(one, other), &state));
    }
    club.office.thaw().unwrap();
    assert!(play(&club).is_empty(), "all of it was played");
    assert_eq!(points(&club, &Viewer::Public), ["cleo 6", "ada 4", "bob 2", "house 0"]);
}

#[test]
fn games_of_a_disqualified_team_count_for_nobody() {
    let club = club(Games::AtOnce);
    for (team, source) in [("ada", b"1"), ("bob", b"2"), ("cleo", b"3")] {
        club.submit(team, source);
    }
    play(&club);
    assert_eq!(points(&club, &Viewer::Public), ["cleo 6", "bob 4", "ada 2", "house 0"]);
    let order = |order| club.office.order(order, &club.open_contest.contents()).unwrap();
    order(crate::line::Order::Disqualify { team: "ada".into(), because: "copied".into() });
    assert!(play(&club).is_empty());
    let shown = points(&club, &Viewer::Public);
    assert_eq!(shown[..3], ["cleo 4", "bob 2", "house 0"], "{shown:?}");
    order(crate::line::Order::Reinstate { team: "ada".into(), because: "it was bob".into() });
    assert!(play(&club).is_empty(), "its games count again");
    assert_eq!(points(&club, &Viewer::Public), ["cleo 6", "bob 4", "ada 2", "house 0"]);
}
