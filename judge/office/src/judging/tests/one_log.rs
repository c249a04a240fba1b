//! Tests of the log of a contest, to which a judge and other processes add at the same time.

use judge_core::journal::{JournalError, OFFICE_LINE};

use super::*;
use crate::line::{Message, Text};
use crate::log::path_of;
use crate::state::State;

/// The lines of the club's log.
fn lines(club: &Club) -> Vec<String> {
    fs::read_to_string(path_of(club.office.folder())).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn twelve_add_to_the_log_while_one_judges_and_nothing_is_lost_or_there_twice() {
    const EACH: usize = 8;
    let club = Club::new();
    let (sender, added) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        for writer in 0..12 {
            let (folder, sender) = (club.office.folder(), sender.clone());
            scope.spawn(move || {
                // Like a separate process: another descriptor, and another lock.
                let office = Office::open(folder, clock()).unwrap();
                for number in 0..EACH {
                    let team = format!("t{writer}-{number}");
                    office.add_team(&team, None).unwrap();
                    let submitted = office.submit(&Upload::new(&team, "a.c", team.as_bytes()), None).unwrap();
                    sender.send(submitted.submission.entry()).unwrap();
                    assert!(office.state().unwrap().teams().contains_key(&*team), "it knows what it wrote");
                }
            });
        }
        drop(sender);
        scope.spawn(|| {
            while club.office.state().unwrap().submissions().len() < 12 * EACH {
                club.work();
            }
        });
    });
    club.work();
    let mut entries: Vec<String> = added.iter().collect();
    entries.sort_unstable();
    let (state, contents) = (club.office.state().unwrap(), read(club.open_contest.results()).unwrap());
    assert_eq!((state.teams().len(), state.submissions().len()), (3 + 12 * EACH, 12 * EACH));
    let judged: Vec<&str> = contents.plan.entries.iter().map(|entry| &*entry.name).collect();
    let mut of_teams: Vec<&str> = judged.into_iter().filter(|entry| number_of(entry).is_some()).collect();
    of_teams.sort_unstable();
    assert_eq!(of_teams, entries, "each receipt is entered once");
    assert!(contents.missing().is_empty());
    // Every line is there once, in one order: an entry comes after its submission.
    let lines = lines(&club);
    for (entry, number) in entries.iter().map(|entry| (entry, number_of(entry).unwrap())) {
        let places = |what: String| -> Vec<usize> {
            lines.iter().enumerate().filter(|(_, line)| line.contains(&what)).map(|(at, _)| at).collect()
        };
        let submitted = places(format!("\"event\":\"submitted\",\"number\":{number},"));
        let entered = places(format!("\"line\":\"entry\",\"entry\":{{\"name\":\"{entry}\""));
        let runs = places(format!("\"entry\":\"{entry}\",\"board\":"));
        assert_eq!((submitted.len(), entered.len(), runs.len()), (1, 1, 2), "{entry}");
        assert!(submitted < entered && entered < runs, "{entry}");
    }
}

#[test]
fn two_judges_do_not_work_on_one_contest_while_others_add_to_its_log() {
    let club = Club::new();
    let results = results_of(club.folder.path());
    assert!(matches!(Journal::resume(&results, || None), Err(JournalError::Locked(_))));
    club.office.add_team("dora", None).unwrap();
    club.submit("dora", b"1");
    club.work();
    let club = club.restarted();
    club.submit("ada", b"1");
    club.work();
    assert_eq!(club.placed(), ["ada.2", "dora.1", "house"]);
}

#[test]
fn a_contest_can_begin_in_the_log_of_its_office() {
    let (folder, contest) = contest_folder(CONTEST);
    let at = folder.path();
    let office = Office::create(&at.join(crate::FOLDER), clock()).unwrap();
    office.add_team("ada", None).unwrap();
    let results = results_of(at);
    assert!(matches!(read(&results), Err(JournalError::NotBegun(_))));
    assert!(matches!(Journal::resume(&results, || None), Err(JournalError::NotBegun(_))));
    let begin = |contest| {
        let with = StartOptions { contest_file: "../contest.toml".into(), ..StartOptions::default() };
        OpenContest::begin(contest, &results, with, || None)
    };
    let open_contest = begin(contest).unwrap();
    office.add_team("bob", None).unwrap();
    assert_eq!((office.state().unwrap().teams().len(), open_contest.contents().plan.entries.len()), (2, 1));
    let again = begin(Contest::load(at, &Overrides::default()).unwrap());
    assert!(matches!(again, Err(CommandError::Journal(JournalError::Exists(_)))));
    assert_eq!(read(&results).unwrap().plan, open_contest.contents().plan);
}

/// The log has a hash of each private text. It can be read and continued without the texts.
#[test]
fn what_only_some_may_read_is_not_in_the_log_and_can_be_erased() {
    let club = Club::new();
    let upload = Upload::new("ada", "secret-name.c", b"1");
    club.office.submit(&upload, None).unwrap();
    club.office.ask("ada", "a secret question").unwrap();
    club.office.claim(1, "secret person").unwrap();
    club.office.answer(1, "a secret answer", false).unwrap();
    club.office.notice("for everybody").unwrap();
    club.work();
    club.office.decide(1, Decision::Held, Some("a secret reason")).unwrap();
    club.work();
    let log = lines(&club).concat();
    let of_office =
        lines(&club).into_iter().filter(|line| line.as_bytes().starts_with(OFFICE_LINE)).collect::<String>();
    assert!(!of_office.contains("secret") && !log.contains("secret reason"), "{log}");
    assert!(log.contains("for everybody"), "{log}");
    assert_eq!(log.matches("{\"private\":\"").count(), 5);
    let facts = |state: &State| -> (Vec<Text>, Text, Option<String>, Option<String>) {
        let texts = state.messages().iter().map(|(_, Message { text, .. })| text.clone()).collect();
        let file = state.submission(1).unwrap().1.file.clone();
        (texts, file, state.claim(1).map(str::to_owned), state.gate(1).held.clone())
    };
    let club = club.restarted();
    let known = facts(&club.office.state().unwrap());
    let texts = ["a secret question", "a secret answer", "for everybody"].map(Text::from);
    let own = |text: &str| Some(text.to_owned());
    assert_eq!(known, (texts.to_vec(), "secret-name.c".into(), own("secret person"), own("a secret reason")));
    assert!(crate::verify::verify(club.office.folder()).unwrap().unproved.is_empty());
    // A changed text proves nothing. A missing text does not affect the rest.
    let path = club.office.folder().join("private.jsonl");
    let kept: Vec<String> = fs::read_to_string(&path)
        .unwrap()
        .lines()
        .filter(|line| !line.contains("secret answer"))
        .map(|line| line.replace("a secret question", "another question") + "\n")
        .collect();
    fs::write(&path, kept.concat()).unwrap();
    let club = club.restarted();
    let report = crate::verify::verify(club.office.folder()).unwrap();
    assert!(report.problems.is_empty() && report.unproved[0].starts_with("2 private texts"), "{report:?}");
    let (erased, file, ..) = facts(&club.office.state().unwrap());
    assert_eq!((erased, &*file), (["", "", "for everybody"].map(Text::from).to_vec(), "secret-name.c"));
    club.office.ask("bob", "another").unwrap();
    assert_eq!(facts(&club.restarted().office.state().unwrap()).0.len(), 4);
}

/// A copy of only the results has all events, and the counting submissions follow from it.
#[test]
fn the_results_alone_say_what_counts() {
    let club = Club::new();
    for source in [b"1", b"2"] {
        club.submit("ada", source);
        club.work();
    }
    let published = tempfile::tempdir().unwrap();
    let copy = published.path().join("published");
    fs::create_dir(&copy).unwrap();
    fs::copy(path_of(club.office.folder()), copy.join("journal.jsonl")).unwrap();
    assert_eq!(Club::placed_in(&crate::results::read(&copy).unwrap()), ["ada.2", "house"]);
    let report = crate::verify::in_results(&copy).unwrap();
    assert!(report.problems.is_empty() && report.unproved[0].starts_with("the uploads of 2 submissions"), "{report:?}");
    assert!(lines(&club).iter().filter(|line| line.as_bytes().starts_with(OFFICE_LINE)).count() > 5);
}

/// Decisions on boards are lines of the contest. Other processes write them while a judge works.
#[test]
fn what_six_decide_beside_a_judge_is_there_once_and_the_judge_follows() {
    let club = Club::new();
    club.submit("ada", b"1");
    club.work();
    let contents = club.open_contest.contents();
    let decided: usize = std::thread::scope(|scope| {
        let deciding: Vec<_> = (0..6)
            .map(|_| {
                let (folder, contents) = (club.office.folder(), &contents);
                scope.spawn(move || {
                    let office = Office::open(folder, clock()).unwrap();
                    let decide = |number: usize| {
                        let (board, because) = ("Y".to_owned(), "a misprint".to_owned());
                        let order = match number % 2 {
                            0 => Order::Strike { board, because },
                            _ => Order::Unstrike { board, because },
                        };
                        office.order(order, contents)
                    };
                    let refused =
                        |decided: &Result<(), OfficeError>| matches!(decided, Err(OfficeError::Refused { .. }));
                    let all: Vec<_> = (0..20).map(decide).collect();
                    assert!(all.iter().all(|decided| decided.is_ok() || refused(decided)), "{all:?}");
                    all.iter().filter(|decided| decided.is_ok()).count()
                })
            })
            .collect();
        for source in [b"2", b"3", b"4"] {
            club.submit("bob", source);
            club.work();
        }
        deciding.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    let (now, kept) = (club.open_contest.contents(), read(club.open_contest.results()).unwrap());
    assert_eq!((&now.struck, now.plan.entries.len()), (&kept.struck, kept.plan.entries.len()));
    // No decision was written twice or lost: each is followed by its opposite.
    let of_boards = |line: &String| {
        ["struck", "reinstated"].into_iter().find(|kind| line.starts_with(&format!("{{\"line\":\"{kind}\"")))
    };
    let kinds: Vec<&str> = lines(&club).iter().filter_map(of_boards).collect();
    assert_eq!((kinds.len(), kinds[0]), (decided, "struck"));
    assert!(kinds.windows(2).all(|pair| pair[0] != pair[1]), "{kinds:?}");
    club.work();
    assert!(club.open_contest.contents().missing().is_empty());
    assert_eq!(club.placed(), ["ada.1", "bob.4", "house"]);
}
