//! Judging with a pretended executor: builds fail if a source says so, and every answer solves its board.

use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use judge_contest::Overrides;
use judge_contest::conduct::{Beginning, Event};
use judge_contest::journal::Journal;
use judge_contest::schedule::Local;
use judge_core::journal::read;
use judge_core::results::Results;
use judge_job::{Capacity, Description, End, Interrupted, Isolation, Job, Limits, Machine, Outcome, StopFlag, Tier};

use super::*;
use judge_contest::office::{Counts, OfficeRules, Quotas};
use judge_core::journal::ManualRuling;

use crate::Upload;
use crate::line::{Decision, Order};
use crate::status::{self, Status};

const BOARD: &str = "ABCDE FGHIJ KL+MN PQRSO UVWXT";
const CONTEST: &str = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n[[board]]\nname = \"X\"\nfile = \"x.txt\"\n\
                       [[board]]\nname = \"Y\"\nfile = \"y.txt\"\n[[entry]]\nname = \"house\"\ncommand = \"house/solve\"\n";
/// A source that the pretended compiler refuses, and one on which it breaks down.
const BAD: &[u8] = b"#error";
const BREAKS: &[u8] = b"#breaks";
/// The source of a program that stops short of the goal, and of one that the system does not start.
const SHORT: &[u8] = b"short";
const STARTS_NOT: &[u8] = b"does not start";

fn isolation() -> Isolation {
    Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }
}

/// Builds and runs without a process.
#[derive(Default)]
struct Pretended {
    builds: AtomicU32,
    runs: AtomicU32,
    /// The runs whose executor fails: all of the entry whose name begins so.
    breaks: Option<String>,
}

impl Executor for Pretended {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        let (mut end, mut printed) = (End::Exited { code: 0 }, "lluu".to_owned());
        if let Some(folder) = job.writable.first().map(judge_job::Place::path) {
            self.builds.fetch_add(1, Ordering::SeqCst);
            let source = fs::read(folder.join("a.c")).unwrap();
            printed.clear();
            if source == BAD {
                (end, printed) = (End::Exited { code: 1 }, "a.c:1: error: you asked for it".into());
            } else if source == BREAKS {
                end = End::JudgeError { reason: "no disk".into() };
            } else {
                fs::write(folder.join("program"), "").unwrap();
            }
        } else {
            self.runs.fetch_add(1, Ordering::SeqCst);
            let path = job.stdout.to_string_lossy().into_owned();
            // results/output/1/ENTRY/BOARD.1.out
            let entry = job.stdout.parent().unwrap().file_name().unwrap();
            let contest = job.stdout.ancestors().nth(5).unwrap();
            let source = fs::read(contest.join("office/entries").join(entry).join("a.c")).unwrap_or_default();
            if source == SHORT {
                printed = "ll".into();
            } else if source == STARTS_NOT {
                (end, printed) = (End::CouldNotStart { reason: "no such file".into(), by_author: true }, String::new());
            }
            if self.breaks.as_ref().is_some_and(|breaks| path.contains(&format!("/{breaks}"))) {
                end = End::JudgeError { reason: "no disk".into() };
            }
        }
        fs::write(&job.stdout, &printed).unwrap();
        fs::write(&job.stderr, "").unwrap();
        let mut outcome = Outcome::new(end, isolation(), Machine::default());
        (outcome.wall_us, outcome.stdout_bytes) = (Some(7000), printed.len() as u64);
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }
}

struct Club {
    folder: tempfile::TempDir,
    office: Office,
    conduct: Conduct,
    executor: Pretended,
}

fn clock() -> crate::Clock {
    Arc::new(|| 1_795_435_200)
}

impl Club {
    fn new() -> Self {
        Self::of(CONTEST)
    }

    /// The club with another contest file.
    fn of(contest: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        for (name, text) in [("x.txt", BOARD), ("y.txt", BOARD), ("contest.toml", contest)] {
            fs::write(at.join(name), text).unwrap();
        }
        fs::create_dir_all(at.join("house")).unwrap();
        fs::write(at.join("house/solve"), "#!/bin/sh\n").unwrap();
        fs::create_dir(results_of(at)).unwrap();
        let contest = Contest::load(at, &Overrides::default()).unwrap();
        let with = Beginning { contest_file: "../contest.toml".into(), ..Beginning::default() };
        let conduct = Conduct::begin(contest, &results_of(at), with, || None).unwrap();
        let office = Office::create(&at.join(crate::FOLDER), clock()).unwrap();
        for team in ["ada", "bob", "cleo"] {
            office.add_team(team, None).unwrap();
        }
        Self { folder, office, conduct, executor: Pretended::default() }
    }

    /// The judge is killed and started again.
    fn restarted(self) -> Self {
        let Self { folder, conduct, executor, office } = self;
        drop((conduct, office));
        let results = results_of(folder.path());
        let (journal, _) = Journal::resume(&results, || None).unwrap();
        let contest = Contest::load(folder.path(), &Overrides::default()).unwrap();
        let conduct = Conduct::resume(contest, journal, &results).unwrap();
        let office = Office::open(&folder.path().join(crate::FOLDER), clock()).unwrap();
        Self { folder, office, conduct, executor }
    }

    fn submit(&self, team: &str, source: &[u8]) {
        assert!(!self.office.submit(&Upload::new(team, "a.c", source), None).unwrap().repeated);
    }

    fn with_site<T>(&self, then: impl FnOnce(&Site<'_>) -> T) -> T {
        let (engine, slots) = (Local::new(&self.executor), [Vec::new()]);
        then(&Site {
            builder: &self.executor,
            engine: &engine,
            referee: &self.executor,
            correct: &|_, _| Err("these tests correct nothing".into()),
            slots: &slots,
            environment: &|_| None,
            path: None,
        })
    }

    fn work(&self) {
        let judging = Judging::new(&self.office, &self.conduct);
        self.with_site(|site| judging.work(site, &StopFlag::default(), false, &|_| {})).unwrap();
    }

    fn statuses(&self) -> Vec<Status> {
        let (state, contents) = (self.office.state().unwrap(), self.conduct.contents());
        status::all(&state, &contents).into_iter().map(|(_, status)| status).collect()
    }

    /// The entries with a place in the results as they are on disk.
    fn placed(&self) -> Vec<String> {
        let table = Results::from_journal(&read(self.conduct.results()).unwrap());
        let mut placed: Vec<String> =
            table.rows.iter().filter(|row| row.place.is_some()).map(|row| row.entry.name.clone()).collect();
        placed.sort();
        placed
    }
}

#[test]
fn each_submission_is_built_and_run_once() {
    let club = Club::new();
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.work();
    assert_eq!(club.statuses(), [Status::Counts, Status::Counts]);
    assert_eq!(club.placed(), ["ada.1", "bob.2", "house"]);
    assert_eq!((club.executor.builds.load(Ordering::SeqCst), club.executor.runs.load(Ordering::SeqCst)), (2, 6));
    club.work();
    assert_eq!(club.executor.runs.load(Ordering::SeqCst), 6, "nothing is left to do");
}

#[test]
fn the_last_version_that_builds_counts() {
    let club = Club::new();
    for source in [b"1", b"2"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.statuses(), [Status::Superseded { by: "ada.2".into() }, Status::Counts]);
    assert_eq!(club.placed(), ["ada.2", "house"]);
    club.submit("ada", BAD);
    club.work();
    let statuses = club.statuses();
    assert_eq!(statuses[1], Status::Counts, "one that does not build replaces nothing");
    assert!(matches!(&statuses[2], Status::DoesNotBuild(why) if why.contains("you asked for it")), "{statuses:?}");
    assert_eq!(club.placed(), ["ada.2", "house"]);
}

#[test]
fn a_judge_that_is_killed_after_each_step_judges_everything_once() {
    let mut club = Club::new();
    for (team, source) in [("ada", &b"1"[..]), ("bob", BAD), ("cleo", b"3"), ("ada", b"4"), ("bob", b"5")] {
        club.submit(team, source);
    }
    let steps = loop {
        let before = fs::read(club.conduct.results().join("journal.jsonl")).unwrap();
        let judging = Judging::new(&club.office, &club.conduct);
        let entered = club.with_site(|site| judging.enter_next(site)).unwrap();
        let made = club.with_site(|site| judging.run_next(site, &[], &StopFlag::default())).unwrap();
        drop(judging);
        club = club.restarted();
        if entered.is_none() && made.is_none() {
            break before.len();
        }
    };
    assert!(steps > 0);
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), 5);
    assert_eq!(club.placed(), ["ada.4", "bob.5", "cleo.3", "house"]);
    let contents = read(club.conduct.results()).unwrap();
    assert!(contents.missing().is_empty());
    assert!((0..contents.order.len()).all(|run| contents.attempts[run] <= 1), "nothing was run twice");
}

#[test]
fn an_entry_whose_build_was_not_recorded_is_built_again() {
    let club = Club::new();
    club.submit("ada", b"1");
    let mut entry = Entry::new("ada.1", vec!["office/entries/ada.1/program".into()]);
    entry.build = Some("make".into());
    // A power failure that left the first of several lines.
    club.conduct.submit(EntryEvent::new(entry, Hashes::new())).unwrap();
    assert_eq!(club.statuses(), [Status::Queued]);
    let club = club.restarted();
    club.work();
    assert_eq!(club.statuses(), [Status::Counts]);
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), 1);
}

#[test]
fn a_third_judge_error_holds_a_submission_and_blocks_nobody() {
    let mut club = Club::new();
    club.executor.breaks = Some("ada.1/".into());
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.submit("cleo", BREAKS);
    club.work();
    assert_eq!(club.statuses(), [Status::Held, Status::Counts, Status::Held]);
    let contents = club.conduct.contents();
    let of_ada = (0..contents.order.len()).filter(|&run| &*contents.order[run].entry == "ada.1");
    assert_eq!(of_ada.map(|run| contents.attempts[run]).collect::<Vec<_>>(), [MAX_ATTEMPTS; 2]);
    let club = club.restarted();
    let before = club.executor.runs.load(Ordering::SeqCst);
    club.work();
    assert_eq!(club.executor.runs.load(Ordering::SeqCst), before, "it stays held");
}

#[test]
fn a_submission_whose_files_cannot_be_written_is_out_and_blocks_nobody() {
    let club = Club::new();
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    // What the file system refuses of it, which is no want of room.
    fs::write(club.office.folder().join("entries/ada.1"), "").unwrap();
    club.work();
    let are_right = |club: &Club| {
        let statuses = club.statuses();
        assert!(matches!(&statuses[0], Status::Out(why) if why.contains("cannot be written")), "{statuses:?}");
        assert_eq!(statuses[1], Status::Counts);
    };
    are_right(&club);
    let club = club.restarted();
    club.work();
    are_right(&club);
}

#[test]
fn the_first_board_of_a_new_submission_comes_before_all_others() {
    let club = Club::new();
    club.submit("ada", b"1");
    let started = Arc::new(Mutex::new(Vec::new()));
    let heard = started.clone();
    club.conduct.subscribe(move |event| {
        if let Event::Started(key) = event {
            heard.lock().unwrap().push(key.entry.to_string());
        }
        true
    });
    let judging = Judging::new(&club.office, &club.conduct);
    let run = || club.with_site(|site| judging.run_next(site, &[], &StopFlag::default())).unwrap();
    club.with_site(|site| judging.enter_next(site)).unwrap();
    run();
    run();
    club.submit("bob", b"1");
    club.with_site(|site| judging.enter_next(site)).unwrap();
    while run().is_some() {}
    let started = started.lock().unwrap().clone();
    assert_eq!(started.len(), 6);
    assert_eq!(started[2], "bob.2", "{started:?}");
}

#[test]
fn entries_are_unpacked_into_a_new_folder() {
    let club = Club::new();
    club.submit("ada", b"1");
    let folder = club.office.folder().join("entries/ada.1");
    // What a build left that was cut off.
    fs::create_dir_all(folder.join("a.c")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("program")).unwrap();
    fs::create_dir_all(folder.join("closed/inner")).unwrap();
    fs::set_permissions(folder.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    club.work();
    assert!(!folder.join("closed").exists());
    assert_eq!(fs::read(folder.join("a.c")).unwrap(), b"1");
    assert!(folder.join("program").symlink_metadata().unwrap().is_file());
    assert_eq!(club.statuses(), [Status::Counts]);
}

#[test]
fn a_program_that_is_not_installed_any_more_is_out() {
    let club = Club::new();
    club.submit("ada", b"1");
    let Club { folder, office, conduct, executor } = club;
    let office = office.with_tools(Arc::new(|_| false));
    let club = Club { folder, office, conduct, executor };
    club.work();
    let statuses = club.statuses();
    assert!(matches!(&statuses[0], Status::Out(why) if why.contains("not installed")), "{statuses:?}");
    assert!(club.office.submit(&Upload::new("bob", "a.c", b"1"), None).is_err(), "and is refused from then on");
}

impl Club {
    fn ruled(rules: &OfficeRules) -> Self {
        let club = Self::new();
        club.office.set_rules(rules).unwrap();
        club
    }
}

fn counts(counts: Counts) -> OfficeRules {
    OfficeRules { counts, ..OfficeRules::default() }
}

#[test]
fn a_submission_that_is_held_cancelled_or_ignored_is_not_judged_until_that_is_taken_back() {
    let club = Club::new();
    for team in ["ada", "bob", "cleo"] {
        club.submit(team, b"1");
    }
    club.office.decide(1, Decision::Held, Some("let us look")).unwrap();
    club.office.cancel("bob", 2, Some(&club.conduct.contents())).unwrap();
    club.office.decide(3, Decision::Ignored, None).unwrap();
    club.work();
    assert_eq!(
        club.statuses(),
        [Status::Waits("let us look".into()), Status::Cancelled, Status::Ignored(String::new())]
    );
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), 0);
    club.office.decide(1, Decision::Released, None).unwrap();
    club.office.decide(3, Decision::Considered, None).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.1", "cleo.3", "house"]);
    assert!(club.office.cancel("ada", 1, Some(&club.conduct.contents())).is_err(), "it is judged");
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
    assert_eq!(club.statuses(), [Status::Counts, Status::Ignored("sent by mistake".into())]);
    club = club.restarted();
    club.office.decide(2, Decision::Considered, None).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.2", "house"]);
}

#[test]
fn a_released_submission_gets_as_many_attempts_again_and_no_other_one_does() {
    let mut club = Club::new();
    club.executor.breaks = Some("a".into());
    club.submit("ada", b"1");
    club.submit("bob", BREAKS);
    club.work();
    assert_eq!(club.statuses(), [Status::Held, Status::Held]);
    let attempts = |club: &Club| {
        let contents = club.conduct.contents();
        let of_ada = (0..contents.order.len()).filter(|&run| &*contents.order[run].entry == "ada.1");
        of_ada.map(|run| contents.attempts[run]).collect::<Vec<_>>()
    };
    let builds = club.executor.builds.load(Ordering::SeqCst);
    club.office.decide(2, Decision::Released, None).unwrap();
    club.work();
    assert_eq!(attempts(&club), [MAX_ATTEMPTS; 2], "the other one stays held");
    assert_eq!(club.executor.builds.load(Ordering::SeqCst), builds + MAX_ATTEMPTS);
    assert_eq!(club.statuses(), [Status::Held, Status::Held]);
    club.executor.breaks = None;
    club.office.decide(1, Decision::Released, None).unwrap();
    club.work();
    assert_eq!(attempts(&club), [MAX_ATTEMPTS + 1; 2]);
    assert_eq!(club.statuses(), [Status::Counts, Status::Held]);
}

#[test]
fn the_best_version_counts_and_the_earliest_of_equal_ones() {
    let club = Club::ruled(&counts(Counts::Best));
    for source in [&b"1"[..], b"short", b"2"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.placed(), ["ada.1", "house"], "the last one is no better");
    assert_eq!(
        club.statuses(),
        [Status::Counts, Status::Superseded { by: "ada.1".into() }, Status::Superseded { by: "ada.1".into() }]
    );
    club.submit("bob", b"short");
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.4", "house"]);
    club.submit("bob", b"1");
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.5", "house"]);
    // Another rule is applied to what was handed in before.
    club.office.set_rules(&counts(Counts::Latest)).unwrap();
    club.work();
    assert_eq!(club.placed(), ["ada.3", "bob.5", "house"]);
}

#[test]
fn the_chosen_version_counts_and_without_a_choice_the_last_one() {
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
fn threads_that_settle_at_one_time_withdraw_each_entry_once() {
    let club = Club::ruled(&counts(Counts::Chosen));
    for source in [b"1", b"2"] {
        club.submit("ada", source);
    }
    club.work();
    let judging = Judging::new(&club.office, &club.conduct);
    for turn in 0..40 {
        let chosen = 1 + turn % 2;
        club.office.choose("ada", chosen).unwrap();
        let together = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    together.wait();
                    judging.settle_team("ada").unwrap();
                });
            }
        });
        assert_eq!(club.placed(), [&*format!("ada.{chosen}"), "house"]);
    }
}

#[test]
fn a_version_that_does_not_start_replaces_none_that_does() {
    let club = Club::new();
    for source in [&b"1"[..], b"does not start"] {
        club.submit("ada", source);
        club.work();
    }
    assert_eq!(club.placed(), ["ada.1", "house"]);
    assert_eq!(club.statuses()[0], Status::Counts);
    // If nothing starts, the last one is shown.
    club.submit("bob", b"does not start");
    club.work();
    assert_eq!(club.placed(), ["ada.1", "bob.3", "house"]);
}

#[test]
fn orders_are_followed_once_whenever_the_judge_is_killed() {
    let mut club = Club::new();
    club.submit("ada", b"1");
    club.submit("bob", b"1");
    club.work();
    let because = || "it is a copy".to_owned();
    let order = |club: &Club, order| club.office.order(order, &club.conduct.contents());
    order(&club, Order::Disqualify { team: "ada".into(), because: because() }).unwrap();
    order(&club, Order::Strike { board: "Y".into(), because: because() }).unwrap();
    let key = RunKey::new(1, "bob.2", "X");
    let verdict = judge_core::verdict::Verdict::Wrong { score: Default::default(), reason: because() };
    order(&club, Order::Rule { ruling: ManualRuling::new(key.clone(), verdict.clone(), because()) }).unwrap();
    for _ in 0..3 {
        club.work();
        club = club.restarted();
    }
    let contents = club.conduct.contents();
    assert!(contents.withdrawn["ada.1"].disqualified && contents.struck.contains_key("Y"));
    assert_eq!(contents.record(&key).unwrap().verdict, verdict);
    let rulings = contents.history.iter().filter(|event| event.text.contains("is ruled by hand")).count();
    assert_eq!(rulings, 1, "once");
    club.submit("ada", b"2");
    club.work();
    assert!(club.conduct.contents().withdrawn["ada.3"].disqualified, "so is what the team hands in later");
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
fn a_forecast_has_what_is_built_before() {
    let club = Club::new();
    for (team, source) in [("ada", b"1"), ("ada", b"2"), ("ada", b"3"), ("bob", b"4")] {
        club.submit(team, source);
    }
    let judging = Judging::new(&club.office, &club.conduct);
    let forecast = |number| {
        let (state, contents) = (club.office.state().unwrap(), club.conduct.contents());
        judging.handle().forecast(&state, &contents, number).map(|forecast| forecast.before)
    };
    assert_eq!([1, 2, 3, 4].map(forecast), [Some(0), Some(2), Some(3), Some(1)], "fair between teams");
    // It is what happens.
    let entered: Vec<u32> = std::iter::from_fn(|| club.with_site(|site| judging.enter_next(site)).unwrap())
        .map(|entered| entered.submission.number)
        .collect();
    assert_eq!(entered, [1, 4, 2, 3]);
    assert_eq!(forecast(1), None, "it does not wait");
}

const FINALS: &str = "[[round]]\nname = \"First\"\nboards = [\"X\"]\nadvance = \"all\"\n\
                      [[round]]\nname = \"Final\"\nboards = [\"Y\"]\n";

#[test]
fn final_rounds_judge_what_counts_and_nothing_that_comes_later() {
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
    use crate::view::Viewer;
    assert_eq!(columns(Viewer::Organiser), ["X", "Y"]);
    assert_eq!(columns(Viewer::Public), ["X"], "the final is sealed until it is over");
    assert_eq!(columns(Viewer::Team("ada".into())), ["X"]);
    club.office.finalise().unwrap();
    let state = club.office.state().unwrap();
    let board = crate::view::board(&state, &contents, &Viewer::Public);
    assert_eq!(board.columns.iter().filter(|column| column.is_board).count(), 2);
}

#[test]
fn so_many_submissions_a_day_may_fail_to_build_and_what_the_judge_breaks_does_not_count() {
    let none = Quotas { waiting: None, bytes: None, ..Quotas::default() };
    let club = Club::ruled(&OfficeRules { limit: Quotas { builds_failed: Some(2), ..none }, ..OfficeRules::default() });
    let submit = |team: &str, text: &[u8]| {
        club.office.submit(&Upload::new(team, "a.c", text), Some(&club.conduct.contents())).map(drop)
    };
    for source in [b"1", BREAKS, BAD, b"2", BAD] {
        submit("ada", source).unwrap();
        club.work();
    }
    let failed = club.statuses().into_iter().filter(|status| matches!(status, Status::DoesNotBuild(_))).count();
    assert_eq!((failed, &club.statuses()[1]), (2, &Status::Held));
    match submit("ada", b"3").unwrap_err() {
        OfficeError::Quota { reason, next } => {
            assert!(reason.starts_with("2 submissions in a day that do not build; the next one from 20"), "{reason}");
            let midnight = next.unwrap();
            assert!(midnight > club.office.now() && midnight.is_multiple_of(24 * 3600), "{midnight}");
        }
        other => panic!("{other}"),
    }
    submit("bob", BAD).unwrap();
}
