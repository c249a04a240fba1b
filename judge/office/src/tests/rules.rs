//! Tests of times, quotas and decisions, with a clock that the test sets.

use std::sync::atomic::{AtomicU64, Ordering};

use judge_contest::office::{OfficeRules, OfficeSetup, Quotas, Times};

use super::*;
use crate::line::{Decision, Message};
use crate::state::Holder;

pub(super) const BEGIN: u64 = 1_795_435_200;

pub(super) struct Timed {
    pub(super) folder: tempfile::TempDir,
    pub(super) office: Office,
    pub(super) now: Arc<AtomicU64>,
}

impl Timed {
    pub(super) fn new(rules: OfficeRules) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let now = Arc::new(AtomicU64::new(BEGIN));
        let clock = now.clone();
        let clock: Clock = Arc::new(move || clock.load(Ordering::SeqCst));
        let office = Office::create(&folder.path().join("office"), clock).unwrap();
        office.set_rules(&rules).unwrap();
        office.add_teams(["ada", "bob"].map(|team| (team.to_owned(), None)).to_vec()).unwrap();
        Self { folder, office, now }
    }

    pub(super) fn at(&self, seconds: u64) -> &Self {
        self.now.store(BEGIN + seconds, Ordering::SeqCst);
        self
    }

    pub(super) fn submit(&self, team: &str, text: &str) -> Result<Submission, OfficeError> {
        self.arrived(team, text, None)
    }

    pub(super) fn arrived(&self, team: &str, text: &str, arrived: Option<u64>) -> Result<Submission, OfficeError> {
        let upload = Upload { arrived: arrived.map(|at| BEGIN + at), ..Upload::new(team, "a.py", text.as_bytes()) };
        self.office.submit(&upload, None).map(|receipt| receipt.submission)
    }
}

pub(super) fn times(opens: Option<u64>, freezes: Option<u64>, closes: Option<u64>) -> OfficeRules {
    let at = |seconds: Option<u64>| seconds.map(|seconds| BEGIN + seconds);
    let times = Times { opens: at(opens), freezes: at(freezes), closes: at(closes) };
    OfficeRules::default().with_round(1, times)
}

pub(super) fn limit(limit: Quotas) -> OfficeRules {
    OfficeRules { limit, ..OfficeRules::default() }
}

#[test]
fn submissions_outside_of_the_times_are_refused_or_late() {
    let club = Timed::new(times(Some(100), None, Some(200)));
    assert!(matches!(club.at(99).submit("ada", "1"), Err(OfficeError::NotOpen(at)) if at == BEGIN + 100));
    assert!(!club.at(100).submit("ada", "1").unwrap().late);
    assert!(!club.at(199).submit("ada", "2").unwrap().late);
    assert!(club.at(200).submit("ada", "3").unwrap().late);
    let state = club.office.state().unwrap();
    let judged = |number| state.gate(number).is_open();
    assert_eq!([1, 2, 3].map(judged), [true, true, false], "a late one is stored and not judged");
    club.office.decide(3, Decision::Admitted, Some("the network was down")).unwrap();
    let state = club.office.state().unwrap();
    assert!(state.gate(3).is_open());
    assert!(club.office.decide(3, Decision::Admitted, None).is_err(), "twice");
    assert!(club.office.decide(1, Decision::Admitted, None).is_err(), "it was in time");
}

#[test]
fn the_time_of_an_upload_is_decided_once() {
    let club = Timed::new(times(None, None, Some(200)));
    let in_time = club.at(230).arrived("ada", "1", Some(199)).unwrap();
    assert_eq!((in_time.late, in_time.arrived), (false, Some(BEGIN + 199)));
    // Setting the clock back does not change decisions.
    let late = club.at(200).submit("ada", "2").unwrap();
    club.at(0);
    assert!(late.late && club.office.state().unwrap().submission(2).unwrap().1.late);
    assert!(club.submit("ada", "3").unwrap().late, "what has ended stays so");
    assert_eq!(club.arrived("bob", "4", Some(500)).unwrap().arrived, None, "nothing arrives in the future");
    // All views show the same time, and so does the receipt.
    let upload = Upload { arrived: Some(BEGIN + 150), ..Upload::new("bob", "a.py", b"5") };
    let [first, again] = [160, 170].map(|now| club.at(now).office.submit(&upload, None).unwrap());
    assert_eq!((first.at, again.at, again.repeated), (BEGIN + 150, BEGIN + 150, true));
    let state = club.office.state().unwrap();
    let times: Vec<u64> = state.submissions().iter().map(|(at, _)| at - BEGIN).collect();
    assert_eq!(times, [199, 200, 0, 0, 150]);
    assert_eq!(state.submissions_of("bob", "").next_back().unwrap().0, BEGIN + 150);
}

#[test]
fn the_same_upload_again_is_another_submission_if_the_last_one_is_out() {
    let club = Timed::new(times(None, None, Some(200)));
    let number = |text: &str| club.submit("ada", text).unwrap().number;
    assert_eq!([number("1"), number("1")], [1, 1]);
    club.office.cancel("ada", 1, None).unwrap();
    assert_eq!([number("1"), number("1")], [2, 2], "cancelled by mistake and sent again");
    club.office.decide(2, Decision::Ignored, None).unwrap();
    assert_eq!([number("1"), number("1")], [3, 3]);
    club.at(200);
    assert_eq!([number("2"), number("2")], [4, 4], "late, and late again");
    let later = Times { closes: Some(BEGIN + 300), ..Times::default() };
    club.office.extend(&later, "the power was off").unwrap();
    assert_eq!([number("2"), number("2")], [5, 5], "it is in time now");
    let state = club.office.state().unwrap();
    assert_eq!([4, 5].map(|number| state.submission(number).unwrap().1.late), [true, false]);
    club.at(300);
    assert_eq!(number("3"), 6);
    club.office.decide(6, Decision::Admitted, None).unwrap();
    let latest = Times { closes: Some(BEGIN + 400), ..Times::default() };
    club.office.extend(&latest, "the power was off").unwrap();
    assert_eq!(number("3"), 6, "it is judged already");
}

#[test]
fn a_board_frozen_at_its_time_shows_what_arrived_before() {
    let club = Timed::new(times(None, Some(100), None));
    club.at(50).submit("ada", "1").unwrap();
    // The head of the request arrived in time, but its end did not.
    club.at(130).arrived("bob", "2", Some(99)).unwrap();
    club.at(140).submit("ada", "3").unwrap();
    let state = club.office.state().unwrap();
    assert_eq!([1, 2, 3].map(|number| state.is_public(number)), [true, true, false]);
    club.office.thaw().unwrap();
    assert!(club.at(150).office.tick().unwrap().frozen().is_none(), "it does not freeze twice");
    let again = Times { freezes: Some(BEGIN + 200), ..Times::default() };
    club.office.extend(&again, "the projector was off").unwrap();
    assert!(club.at(199).office.tick().unwrap().frozen().is_none());
    assert_eq!(club.at(200).office.tick().unwrap().frozen(), Some(3));
}

#[test]
fn other_times_with_a_reason_hold_until_the_file_changes() {
    let club = Timed::new(times(None, None, Some(100)));
    let later = Times { closes: Some(BEGIN + 300), ..Times::default() };
    assert!(club.office.extend(&later, " ").is_err());
    assert!(club.office.extend(&Times { opens: Some(BEGIN + 400), ..later }, "x").is_err(), "it ends before it begins");
    club.office.extend(&later, "the power was off").unwrap();
    assert!(!club.at(200).submit("ada", "1").unwrap().late);
    club.office.set_rules(&times(None, None, Some(100))).unwrap();
    assert!(!club.submit("ada", "2").unwrap().late, "a start with the same file changes nothing");
    club.office.set_rules(&times(None, None, Some(150))).unwrap();
    assert!(club.submit("ada", "3").unwrap().late);
    let reopened = Office::open(club.office.folder(), clock()).unwrap().state().unwrap();
    assert_eq!(reopened.rules().times.closes, Some(BEGIN + 150));
    assert_eq!(reopened.extensions()[0].1, "the power was off");
}

#[test]
fn rules_are_read_as_they_were_recorded() {
    let unlimited = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Timed::new(OfficeRules { limit: unlimited.clone(), ..OfficeRules::default() });
    let reopened = Office::open(club.office.folder(), clock()).unwrap();
    assert_eq!(reopened.state().unwrap().rules().limit, unlimited);
    let later = Times { closes: Some(BEGIN + 300), ..Times::default() };
    reopened.extend(&later, "the power was off").unwrap();
    reopened.set_rules(&OfficeRules { limit: unlimited, ..OfficeRules::default() }).unwrap();
    assert_eq!(reopened.state().unwrap().rules().times, later, "the same rules are no change");
}

/// The quota that refuses an upload, and the seconds from the beginning to the next allowed time.
fn refused<T: std::fmt::Debug>(done: Result<T, OfficeError>) -> (String, Option<u64>) {
    match done.unwrap_err() {
        OfficeError::Quota { reason, next, .. } => (reason, next.map(|next| next - BEGIN)),
        other => panic!("{other}"),
    }
}

#[test]
fn each_quota_names_the_next_time() {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Timed::new(limit(Quotas { every: Some(300), ..none.clone() }));
    club.submit("ada", "1").unwrap();
    assert_eq!(refused(club.at(299).submit("ada", "2")).1, Some(300));
    assert!(club.submit("ada", "1").is_ok(), "the same upload again is no other one");
    club.submit("bob", "2").unwrap();
    club.at(300).submit("ada", "2").unwrap();

    // Days begin with the contest.
    let rules = OfficeRules {
        times: times(Some(1000), None, None).times,
        ..limit(Quotas { per_day: Some(2), ..none.clone() })
    };
    let club = Timed::new(rules);
    club.at(1000).submit("ada", "1").unwrap();
    club.at(1000 + 86_399).submit("ada", "2").unwrap();
    assert_eq!(refused(club.submit("ada", "3")).1, Some(1000 + 86_400));
    club.at(1000 + 86_400).submit("ada", "3").unwrap();

    let club = Timed::new(limit(Quotas { waiting: Some(2), ..none.clone() }));
    club.submit("ada", "1").unwrap();
    club.submit("ada", "2").unwrap();
    assert!(refused(club.submit("ada", "3")).0.contains("not judged yet"));
    club.office.cancel("ada", 1, None).unwrap();
    club.submit("ada", "3").unwrap();
    assert!(club.office.cancel("bob", 2, None).is_err(), "another team's");

    let club = Timed::new(limit(Quotas { bytes: Some(10), ..none }));
    club.submit("ada", "12345678").unwrap();
    assert!(refused(club.submit("ada", "123")).0.contains("8 are used"));
    club.submit("ada", "12").unwrap();
}

#[test]
fn questions_and_choices_of_a_team_have_quotas_of_their_own() {
    let limit = Quotas { questions: Some(2), choices: Some(3), ..Quotas::default() };
    let club =
        Timed::new(OfficeRules { counts: judge_contest::office::Counts::Chosen, limit, ..OfficeRules::default() });
    let ask = |team: &str| club.office.ask(team, "Is 0 a place?");
    ask("ada").unwrap();
    club.at(10);
    ask("ada").unwrap();
    assert_eq!(
        refused(ask("ada")),
        ("2 questions in an hour; the next one from ".to_owned() + &moment(3600), Some(3600))
    );
    // Other teams and the organiser are not affected, and answers do not count as questions.
    ask("bob").unwrap();
    club.office.notice("Ask later.").unwrap();
    club.office.answer(1, "No.", false).unwrap();
    club.at(3600);
    ask("ada").unwrap();
    assert_eq!(refused(ask("ada")).1, Some(3610));

    for text in ["1", "2"] {
        club.submit("ada", text).unwrap();
    }
    for number in [1, 2, 1] {
        club.office.choose("ada", number).unwrap();
    }
    let lines = || std::fs::read_to_string(crate::log::path_of(club.office.folder())).unwrap().lines().count();
    let before = lines();
    club.office.choose("ada", 1).unwrap();
    assert_eq!(lines(), before, "it is chosen already");
    let (reason, next) = refused(club.office.choose("ada", 2));
    assert!(reason.starts_with("3 choices in an hour") && next == Some(7200), "{reason}");
    // After the log is read again, the quotas are the same.
    let again = Office::open(club.office.folder(), clock()).unwrap();
    assert_eq!(again.state().unwrap().teams()["ada"].choices, [BEGIN + 3600; 3]);
    club.at(7200).office.choose("ada", 2).unwrap();
}

fn moment(after: u64) -> String {
    judge_core::date::Date::from_unix(BEGIN + after).to_string()
}

#[test]
fn who_takes_submissions_back_evades_no_quota() {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    // Each submission is cancelled, including late ones.
    for closes in [None, Some(0)] {
        let ruled = |limit: Quotas| Timed::new(OfficeRules { limit, ..times(None, None, closes) });
        let club = ruled(Quotas { bytes: Some(10), ..none.clone() });
        club.submit("ada", "12345678").unwrap();
        club.office.cancel("ada", 1, None).unwrap();
        assert!(refused(club.submit("ada", "123")).0.contains("8 are used"), "its bytes are stored");
        club.submit("ada", "12").unwrap();

        let club = ruled(Quotas { every: Some(300), ..none.clone() });
        club.submit("ada", "1").unwrap();
        club.office.cancel("ada", 1, None).unwrap();
        assert_eq!(refused(club.at(299).submit("ada", "2")).1, Some(300));
        club.at(300).submit("ada", "2").unwrap();

        let club = ruled(Quotas { per_day: Some(3), waiting: Some(1), ..none.clone() });
        for number in 1..4 {
            club.submit("ada", &number.to_string()).unwrap();
            club.office.cancel("ada", number, None).unwrap();
        }
        let tomorrow = refused(club.submit("ada", "4")).1.unwrap();
        club.at(tomorrow).submit("ada", "4").unwrap();
    }
}

#[test]
fn of_many_uploads_at_a_time_exactly_as_many_are_accepted_as_may_be() {
    let club = Timed::new(limit(Quotas { per_day: Some(7), ..Quotas::default() }));
    let accepted: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..100)
            .map(|number| {
                let club = &club;
                scope.spawn(move || usize::from(club.submit("ada", &number.to_string()).is_ok()))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!((accepted, club.office.state().unwrap().submissions().len()), (7, 7));
}

#[test]
fn no_more_teams_register_than_may() {
    let club = Timed::new(OfficeRules::default());
    assert!(club.office.register("anything", "eve").is_err(), "it is closed");
    let link = club.office.open_registration(2).unwrap().to_string();
    assert!(club.office.register("anything", "eve").is_err());
    club.office.register(&link, "cleo").unwrap();
    assert!(club.office.register(&link, "ada").is_err(), "the name is taken");
    let token = club.office.register(&link, "dan").unwrap();
    assert_eq!(club.office.holder(&token.to_string()).unwrap(), Some(Holder::Team("dan".into())));
    let full = club.office.register(&link, "eve").err().unwrap().to_string();
    assert!(full.contains("2 teams have registered"), "{full}");
    let next = club.office.open_registration(1).unwrap().to_string();
    assert!(club.office.register(&link, "eve").is_err(), "a new link replaces the one before");
    club.office.register(&next, "eve").unwrap();
    club.office.close_registration().unwrap();
    assert!(club.office.register(&next, "fay").is_err());
}

#[test]
fn questions_with_answers_are_read_only_by_those_they_are_for() {
    let club = Timed::new(OfficeRules::default());
    let question = club.office.ask("ada", "Is 0 a place?").unwrap();
    assert_eq!(club.office.claim(question, "Max").unwrap(), None);
    assert_eq!(club.office.claim(question, "Eva").unwrap().as_deref(), Some("Max"));
    club.office.answer(question, "No.", false).unwrap();
    club.office.answer(question, "Somebody asked whether 0 is a place. It is not.", true).unwrap();
    club.office.notice("Lunch is ready.").unwrap();
    let state = club.office.state().unwrap();
    let read = |viewer: view::Viewer| -> Vec<u32> {
        let read = state.messages().iter().filter(|(_, message)| viewer.reads(message));
        read.map(|(_, message)| message.number).collect()
    };
    assert_eq!(read(view::Viewer::Public), [3, 4]);
    assert_eq!(read(view::Viewer::Team("bob".into())), [3, 4]);
    assert_eq!(read(view::Viewer::Team("ada".into())), [1, 2, 3, 4]);
    assert_eq!(read(view::Viewer::Organiser), [1, 2, 3, 4]);
    for (refused, why) in [(club.office.ask("ada", " "), "empty"), (club.office.answer(2, "x", true), "no question")] {
        assert!(matches!(refused, Err(OfficeError::Refused { .. })), "{why}");
    }
    assert!(club.office.claim(4, "Max").is_err(), "a notice is no question");
}

#[test]
fn lines_of_the_log_open_or_close_a_round_once() {
    let of = |opens, closes| times(Some(opens), None, Some(closes)).times;
    let rules = times(None, None, Some(90)).with_round(2, of(100, 300)).with_round(3, of(300, 400));
    let club = Timed::new(rules);
    let seen = |seconds: u64| {
        let state = club.at(seconds).office.tick().unwrap();
        (state.finals(), state.public_round())
    };
    assert!(club.at(90).submit("ada", "1").unwrap().late, "the contest closes before the final opens");
    let later = Times { closes: Some(BEGIN + 200), ..Times::default() };
    assert!(club.office.extend(&later, "power").unwrap_err().to_string().contains("`opens` of round 2"));
    club.office.extend_round(2, &Times { opens: Some(BEGIN + 110), ..Times::default() }, "the power was off").unwrap();
    club.office.extend(&Times { closes: Some(BEGIN + 105), ..Times::default() }, "the power was off").unwrap();
    assert!(!club.at(104).submit("ada", "2").unwrap().late);
    assert_eq!(seen(110 + UPLOAD_SECONDS - 1), (false, 1));
    assert!(!club.arrived("bob", "3", Some(104)).unwrap().late, "it was on its way");
    assert_eq!(seen(110 + UPLOAD_SECONDS), (true, 1));
    assert!(club.office.begin_finals().is_err(), "they have begun");
    assert_eq!([299, 300, 399, 400, 500].map(seen), [(true, 1), (true, 2), (true, 2), (true, 3), (true, 3)]);
    // Setting the clock back undoes nothing.
    assert_eq!(seen(0), (true, 3));
    let log = std::fs::read_to_string(crate::log::path_of(club.office.folder())).unwrap();
    assert_eq!((log.matches("\"finals\"").count(), log.matches("\"published\"").count()), (1, 2));
    let reopened = Office::open(club.office.folder(), clock()).unwrap().state().unwrap();
    assert_eq!((reopened.public_round(), reopened.rules().in_round(2).opens), (3, Some(BEGIN + 110)));
}

#[test]
fn a_round_that_closes_while_nobody_looks_is_public_with_those_before_it() {
    let of = |opens, closes| times(Some(opens), None, Some(closes)).times;
    let club = Timed::new(OfficeRules::default().with_round(2, of(100, 200)).with_round(3, of(200, 300)));
    assert_eq!(club.at(1000).office.tick().unwrap().public_round(), 1, "first the final rounds begin");
    assert_eq!(club.office.tick().unwrap().public_round(), 3);
    assert_eq!(club.office.state().unwrap().published().len(), 1);
}

#[test]
fn of_successive_rounds_only_the_first_freezes() {
    let of = |opens, freezes, closes| times(opens, freezes, closes).times;
    let of_rounds = |first, second, third| {
        OfficeRules::default().with_round(1, first).with_round(2, second).with_round(3, third).check().is_ok()
    };
    let none = Times::default();
    assert!(of_rounds(of(Some(1), Some(2), Some(3)), of(Some(3), None, Some(5)), of(Some(5), None, None)));
    assert!(!of_rounds(of(None, None, Some(3)), of(Some(2), None, None), none), "it opens before the first one closes");
    assert!(!of_rounds(of(Some(4), None, None), none, of(None, None, Some(3))), "also with a round between them");
    assert!(!of_rounds(none, of(Some(5), None, Some(5)), none), "it closes as it opens");
    assert!(!of_rounds(none, of(None, Some(2), Some(5)), none), "a later round freezes");
    let rules = OfficeRules::default().with_round(4, of(Some(1), None, None)).with_round(4, none);
    assert_eq!(rules, OfficeRules::default(), "no round keeps an empty place");
}

#[test]
fn lines_of_logs_that_knew_no_rounds_are_read() {
    for (text, line) in [
        ("{\"event\":\"finals\"}", Line::Finals { from: None }),
        (
            "{\"event\":\"extended\",\"times\":{\"closes\":7},\"because\":\"x\"}",
            Line::Extended { round: None, times: Times { closes: Some(7), ..Times::default() }, because: "x".into() },
        ),
    ] {
        assert_eq!(serde_json::from_str::<Line>(text).unwrap(), line);
        assert_eq!(serde_json::to_string(&line).unwrap(), text, "and written in the same way");
    }
}

#[test]
fn each_problem_has_quotas_of_its_own_and_a_submission_names_one() {
    let club = Timed::new(limit(Quotas { every: Some(60), ..Quotas::default() }));
    let setup = |problems: &[&str]| OfficeSetup {
        problems: problems.iter().map(|id| (*id).to_owned()).collect(),
        ..OfficeSetup::default()
    };
    let to = |office: &Office, problem: Option<&str>| {
        let bytes = format!("{problem:?}");
        office.submit(&Upload { problem, ..Upload::new("ada", "a.py", bytes.as_bytes()) }, None)
    };
    let refused = |done: Result<crate::Receipt, OfficeError>| done.unwrap_err().to_string();
    let office = club.office.with_setup(&setup(&[]));
    assert_eq!(refused(to(&office, Some("a"))), "unknown problem `a`; the only one has no name");
    let office = office.with_setup(&setup(&["a", "b"]));
    assert_eq!(refused(to(&office, None)), "name the problem; this contest has `a`, `b`");
    assert_eq!(refused(to(&office, Some("c"))), "unknown problem `c`; available: a, b");
    for (problem, number) in [("a", 1), ("b", 2)] {
        let receipt = to(&office, Some(problem)).unwrap();
        assert_eq!((&*receipt.submission.problem, receipt.submission.entry()), (problem, format!("ada.{number}")));
    }
    assert!(to(&office, Some("a")).unwrap().repeated);
    let another = Upload { problem: Some("b"), ..Upload::new("ada", "a.py", b"another") };
    assert!(matches!(office.submit(&another, None), Err(OfficeError::Quota { .. })));
    assert!(office.allows("ada", "c", None).is_ok());
    // A message may be about one of the problems.
    let about = |problem: &str| Message { problem: Some(problem.into()), ..Message::new("Is 0 a place?") };
    assert!(office.send(&about("c")).is_err());
    let question = office.send(&Message { from: Some("ada".into()), ..about("b") }).unwrap();
    let answer = office.answer(question, "no", true).unwrap();
    assert_eq!(office.state().unwrap().message(answer).unwrap().1.problem.as_deref(), Some("b"));
    let office = office.with_setup(&setup(&["b"]));
    assert_eq!(office.check_problem("", None).unwrap(), "b", "there is no other");
}

#[test]
fn a_board_is_frozen_and_thawed_once_whatever_threads_look_at_it() {
    const TIMES: usize = 60;
    let club = Timed::new(OfficeRules::default());
    let office = &club.office;
    let over = std::sync::atomic::AtomicBool::new(false);
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !over.load(Ordering::SeqCst) && office.tick().is_ok() {
                    std::thread::yield_now()
                }
            });
        }
        for _ in 0..TIMES {
            // A failure ends the threads as well.
            let step = |done: Result<(), OfficeError>| done.and_then(|()| office.tick()).map(|state| state.frozen());
            seen.push([step(office.freeze().map(drop)).ok(), step(office.thaw()).ok()]);
        }
        over.store(true, Ordering::SeqCst);
    });
    assert_eq!(seen, [[Some(Some(0)), Some(None)]; TIMES]);
}
