//! Final rounds.

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
    assert_eq!(club.conduct.contents().round(), 1, "it does not begin by itself");
    club.office.begin_finals().unwrap();
    let late = club.office.submit(&Upload::new("cleo", "a.c", b"1"), None).unwrap();
    assert!(late.submission.late && club.office.decide(4, Decision::Admitted, None).is_err());
    club.work();
    let contents = club.conduct.contents();
    assert_eq!((contents.round(), contents.missing().len()), (2, 0));
    let in_final: Vec<&str> =
        contents.records.iter().filter(|record| record.key.round == 2).map(|record| &*record.key.entry).collect();
    assert_eq!(in_final.len(), 3, "{in_final:?}");
    assert!(!in_final.contains(&"ada.1"));
    let state = club.office.state().unwrap();
    let columns = |viewer| {
        let board = crate::view::board(&state, &contents, &viewer);
        board.columns.iter().filter(|column| column.is_board).map(|column| column.heading.clone()).collect::<Vec<_>>()
    };
    assert_eq!(columns(Viewer::Organiser), ["X", "Y"]);
    assert_eq!(columns(Viewer::Public), ["X"], "the final is sealed until it is over");
    assert_eq!(columns(Viewer::Team("ada".into())), ["X"]);
    club.office.finalise().unwrap();
    let state = club.office.state().unwrap();
    let board = crate::view::board(&state, &contents, &Viewer::Public);
    assert_eq!(board.columns.iter().filter(|column| column.is_board).count(), 2);
}

/// The moment at which the office of these tests has its clock.
const NOW: u64 = 1_795_435_200;

/// The judge is stopped and started again at another time.
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
        let (state, contents) = (club.office.state().unwrap(), club.conduct.contents());
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
    let in_last = club.conduct.contents().records.iter().filter(|record| record.key.round == 3).count();
    assert_eq!(in_last, 3, "ada, bob and the house");
}
