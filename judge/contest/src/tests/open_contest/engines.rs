//! Tests of engines that execute the runs of an open contest, and of the events that subscribers receive.

use super::*;
use crate::disk;
use crate::open_contest::Choice;
use crate::schedule::{Engine, Local, Request};

/// A fake executor that answers every board.
fn answers(_: &Job) -> Result<(End, String), Interrupted> {
    Ok((End::Exited { code: 0 }, "lluu\n".into()))
}

#[test]
fn subscribers_hear_of_all_rounds_of_an_engine_in_order() {
    let begun = Begun::new(&[HEAD, ROUNDS, BOARDS, ENTRIES, THIRD].concat());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (hears, results) = (heard.clone(), begun.folder.results());
    begun.open_contest.subscribe(|_| panic!("a subscriber"));
    begun.open_contest.subscribe(|_| false);
    begun.open_contest.subscribe(move |event| {
        if let Event::Finished(record) = event {
            assert!(journal::read(&results).unwrap().records.contains(record), "announced before it was on disk");
        }
        hears.lock().unwrap().push(match event {
            Event::Pass { runs, .. } => format!("pass of {}", runs.len()),
            Event::Started(key) => format!("started {} {}", key.entry, key.board),
            Event::Finished(record) => format!("finished {} {}", record.key.entry, record.key.board),
            Event::RoundOpened(round) => format!("round {}", round.number),
            other => format!("{other:?}"),
        });
        true
    });
    let (act, stop): (&Behaviour<'_>, _) = (&answers, StopFlag::default());
    let executor = FakeExecutor(act);
    let local = Local::new(&executor);
    disk::synced();
    begun.open_contest.run_round(&local, &[Vec::new()], &stop).unwrap();
    let synced = disk::synced();
    let place = |path: &Path| synced.iter().rposition(|synced| synced == path).unwrap_or_else(|| panic!("{path:?}"));
    let (output, results) = (begun.folder.results().join("output/1/a/X.1.out"), begun.folder.results());
    let parts = [&*output, output.parent().unwrap(), &results.join("output"), &results];
    assert!(parts.iter().all(|part| place(part) < place(&results.join(FILE_NAME))), "{synced:?}");
    assert!(begun.open_contest.open_next_round().unwrap().is_some());
    begun.open_contest.run_round(&local, &[Vec::new()], &stop).unwrap();
    assert!(begun.open_contest.open_next_round().unwrap().is_none());
    let run = |name: &str, board: &str| [format!("started {name} {board}"), format!("finished {name} {board}")];
    let heard = heard.lock().unwrap().clone();
    let passes: Vec<&String> =
        heard.iter().filter(|event| event.starts_with("pass") || event.starts_with("round")).collect();
    assert_eq!(passes, ["pass of 3", "round 2", "pass of 3"]);
    for [started, finished] in ["a", "b", "c"].iter().flat_map(|name| [run(name, "X"), run(name, "Y")]) {
        let place = |wanted: &String| heard.iter().position(|event| event == wanted).unwrap();
        assert!(place(&started) < place(&finished), "{heard:?}");
    }
    begun.assert_same_as_read("the contest");
}

#[test]
fn a_struck_board_reaches_an_engine_at_work() {
    let begun = Begun::three();
    let open_contest = Arc::new(begun.open_contest);
    let (inside, first) = (Arc::downgrade(&open_contest), Mutex::new(true));
    open_contest.subscribe(move |event| {
        let Some(open_contest) = inside.upgrade() else { return false };
        if matches!(event, Event::Finished(_)) && std::mem::take(&mut *first.lock().unwrap()) {
            open_contest.strike(board("Y")).unwrap();
        }
        true
    });
    let (act, stop): (&Behaviour<'_>, _) = (&answers, StopFlag::default());
    open_contest.run_round(&Local::new(&FakeExecutor(act)), &[Vec::new()], &stop).unwrap();
    let contents = open_contest.contents();
    let on_x = contents.records.iter().filter(|record| &*record.key.board == "X").count();
    assert_eq!((on_x, contents.missing()), (3, Vec::new()));
}

struct Panics;

impl Engine for Panics {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let lease = request.next().unwrap();
        panic!("at run {}", lease.run().index);
    }

    fn isolation(&self) -> Arc<Isolation> {
        Arc::new(isolation())
    }
}

#[test]
fn an_engine_that_panics_leaves_a_contest_that_goes_on() {
    let begun = Begun::three();
    let stopped = begun.open_contest.run_round(&Panics, &[Vec::new()], &StopFlag::default()).unwrap_err();
    assert_eq!(stopped.to_string(), "the engine panicked: at run 0");
    assert!(begun.open_contest.under_way().is_empty());
    assert_eq!(begun.finish_all().len(), 6);
}

/// An engine that panics when it is asked for its isolation.
struct HasNoIsolation;

impl Engine for HasNoIsolation {
    fn execute(&self, _: &Request<'_>) -> Result<(), Stopped> {
        Ok(())
    }

    fn isolation(&self) -> Arc<Isolation> {
        panic!("no isolation");
    }
}

#[test]
fn a_panic_before_the_runs_are_executed_leaves_none_under_way() {
    let begun = Begun::three();
    let stop = StopFlag::default();
    type Made<'e> = Result<Box<dyn Engine + 'e>, Stopped>;
    let panics = |what: &str, run: &dyn Fn()| {
        assert!(crate::guard::panic_message(run).is_err(), "{what}");
        assert!(begun.open_contest.under_way().is_empty(), "{what}");
    };
    let first = |choice: Choice<'_>| choice.first_of(choice.teams().map(|(_, team)| team), false);
    panics("an engine that cannot be made", &|| {
        let make = |_: &_, _: &_| -> Made<'_> { panic!("no cluster") };
        drop(begun.open_contest.run_some(make, &[], &stop, 3, first));
    });
    panics("an engine without isolation", &|| {
        drop(begun.open_contest.run_some(|_, _| Ok(Box::new(HasNoIsolation)), &[], &stop, 3, first));
    });
    panics("the same for a whole round", &|| drop(begun.open_contest.run_round(&HasNoIsolation, &[Vec::new()], &stop)));
    panics("a choice after the first run", &|| {
        let chosen = std::cell::Cell::new(false);
        let choose = |choice: Choice<'_>| if chosen.replace(true) { panic!("no choice") } else { first(choice) };
        drop(begun.open_contest.run_some(|_, _| Ok(Box::new(Panics)), &[], &stop, 3, choose));
    });
    let refused = begun.open_contest.run_some(|_, _| Err(Stopped::Interrupted), &[], &stop, 3, first);
    assert!(matches!(refused, Err(Stopped::Interrupted)) && begun.open_contest.under_way().is_empty());
    assert_eq!(begun.finish_all().len(), 6);
}

#[test]
fn the_board_comes_before_a_file_of_its_name() {
    let entry = "[[entry]]\nname = \"a\"\ncommand = \"a/solve\"\nworking_files = [\"board.txt\", \"more.txt\"]\n";
    let folder = Folder::new(&[HEAD, BOARDS, entry].concat());
    folder.file("board.txt", "another");
    folder.file("more.txt", "more");
    let open_contest =
        OpenContest::begin(folder.contest(), &folder.results(), StartOptions::default(), at_noon).unwrap();
    let links = Mutex::new(Vec::new());
    let act = |job: &Job| {
        links.lock().unwrap().extend(job.links.iter().map(|link| link.name.clone()));
        answers(job)
    };
    let act: &Behaviour<'_> = &act;
    open_contest.run_round(&Local::new(&FakeExecutor(act)), &[Vec::new()], &StopFlag::default()).unwrap();
    assert_eq!(*links.lock().unwrap(), ["more.txt", "more.txt"]);
}

#[test]
fn one_run_is_made_that_is_chosen_among_those_that_wait() {
    let begun = Begun::three();
    let executor = FakeExecutor(&|_| Ok((End::Exited { code: 0 }, "lluu".into())));
    let engine = Local::new(&executor);
    let one = |choose: &dyn Fn(&[&RunKey]) -> Option<usize>| {
        begun.open_contest.run_one(&engine, &[], &StopFlag::default(), choose).unwrap()
    };
    assert_eq!(one(&|waiting| waiting.iter().position(|key| &*key.entry == "nobody")), None);
    let made = one(&|waiting| waiting.iter().position(|key| (&*key.entry, &*key.board) == ("c", "Y"))).unwrap();
    assert_eq!((&*made.entry, &*made.board), ("c", "Y"));
    assert_eq!(begun.read().records.len(), 1);
    for left in (0..5).rev() {
        one(&|waiting| Some(waiting.len() - 1)).unwrap();
        assert_eq!(begun.read().missing().len(), left);
    }
    assert_eq!(one(&|waiting| waiting.len().checked_sub(1)), None);
}
