//! Tests of failing writes, and of the files left by answers that are refereed again.

use std::io::Write as _;

use judge_core::fingerprint::Fingerprint;
use judge_core::journal::{RefereeEvent, Rejudgement, frames_of};

use super::*;

fn run(board: &str) -> Record {
    Record::without_run(1, RunKey::new(1, "a", board), 1, Verdict::TimedOut, 10_000, isolation().into())
}

#[test]
fn a_write_that_fails_leaves_nothing_that_later_lines_refer_to() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    journal.append_runs(vec![(run("X"), Some(machine("one")))]).unwrap();
    let path = folder.results().join(FILE_NAME);
    let before = fs::read(&path).unwrap();
    // A file that is open only for reading cannot be written.
    let writable = journal.exchange_file(fs::File::open(&path).unwrap());
    let failed = journal.append_runs(vec![(run("Y"), Some(machine("two"))), (run("X"), Some(machine("three")))]);
    assert!(matches!(failed, Err(JournalError::Io { path: named, .. }) if named == path));
    assert!(journal.append(&[Line::Machine(Box::new(machine("four")))]).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
    // A full disk may have stored half a line that cannot be removed.
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"event\":\"run\",").unwrap();
    journal.exchange_file(writable);
    // The machine of the lost lines gets its index when it is written, and the chain continues from the last whole line.
    let written =
        journal.append_runs(vec![(run("Y"), Some(machine("two"))), (run("X"), Some(machine("one")))]).unwrap();
    assert_eq!(written.iter().map(|record| record.machine).collect::<Vec<_>>(), [1, 0]);
    drop(journal);
    let contents = journal::read(&folder.results()).unwrap();
    assert_eq!(contents.machines.iter().map(|machine| &*machine.os).collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(contents.records.len(), 2);
    assert_eq!(contents.attempts().iter().sum::<u32>(), 2);
}

#[test]
fn new_rulings_are_one_event_without_those_that_failed() {
    let (folder, contest) = refereed();
    let results = folder.results();
    let contents = journal::read(&results).unwrap();
    let runs = answered(&contents);
    let again = |act: &Behaviour<'_>| {
        let stop = StopFlag::default();
        rejudge(&contest, &contents, &results, &runs, &FakeExecutor(act), &[Vec::new()], &stop)
            .unwrap()
            .unwrap_or_else(|_| panic!())
    };
    let referee = contents.plan.problems.only().referee.as_deref().unwrap();
    let other = RefereeEvent::new("", referee.clone(), [("referee".to_owned(), "0".repeat(64))].into());
    let by = Some(judge_core::key::Name::from(referee.hash(&other.programs)));
    // The same rulings by another referee are confirmed. With the same referee, nothing happens.
    let same = again(&|job| Ok(strict(job)));
    assert!(same.whole());
    let [confirmed] = &same.events(&contents, vec![other.clone()])[..] else { panic!("one event") };
    assert_eq!((confirmed.changed.len(), confirmed.confirmed.len(), confirmed.by.clone()), (0, 4, by));
    assert_eq!(same.events(&contents, Vec::new()), []);
    // If a referee fails on one entry, its other rulings are recorded.
    let failing = again(&|job| {
        Ok(if answer(job) == "41\n" {
            (End::Exited { code: 9 }, String::new())
        } else {
            (End::Exited { code: 1 }, "no".into())
        })
    });
    assert!(!failing.whole() && failing.all.iter().filter(|again| again.failed()).count() == 2);
    let event = failing.events(&contents, vec![other]).remove(0);
    assert_eq!((event.changed.len(), event.confirmed.len()), (2, 0));
    assert!(
        event.changed.iter().all(|again| &*again.key.entry == "a" && again.verdict.fault().unwrap().contains("no"))
    );
    // The notes of a referee are replaced; those of the run stay.
    assert!(event.changed.iter().all(|again| again.notes == ["a note", "the referee: a note"]), "{:?}", event.changed);
    // A missing answer must be reported, even though the others are recorded.
    fs::remove_file(results.join("output/1/a/X.1.out")).unwrap();
    assert!(!again(&|job| Ok(strict(job))).whole());
}

#[test]
fn positions_of_a_new_ruling_replace_those_of_the_old_one() {
    let head = EXIT_HEAD.replace("\"exit\"", "\"native\"");
    let folder = Folder::new(&[&head, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let act = |frames: Option<&'static str>| {
        move |job: &Job| {
            if let Some(left) = job.wanted_folders.first() {
                fs::write(left.to.join("ruling.json"), "{\"format\":1,\"verdict\":\"solved\"}").unwrap();
                frames.iter().for_each(|frames| fs::write(left.to.join("frames.jsonl"), frames).unwrap());
            }
            Ok((End::Exited { code: 0 }, "42\n".into()))
        }
    };
    let [one, two] = ["{\"at\":0,\"grid\":[\"A\"]}\n", "{\"at\":3,\"grid\":[\"B\"]}\n"];
    let runner = Runner::new(&contest, &order, &results, &slots);
    runner.run(&all(4), &FakeExecutor(&act(Some(one))), &StopFlag::default(), &mut journal, |_| {}).unwrap();
    let contents = journal::read(&results).unwrap();
    let runs = answered(&contents);
    let kept = || folder.output("a/X.1.frames.jsonl");
    let before = kept().unwrap();
    assert!(before.contains("\"A\""), "{before}");
    let again = |frames: Option<&'static str>| {
        let (act, stop) = (act(frames), StopFlag::default());
        let again = rejudge(&contest, &contents, &results, &runs, &FakeExecutor(&act), &slots, &stop);
        again.unwrap().unwrap_or_else(|_| panic!())
    };
    let same = again(Some(one));
    assert!(!same.all.iter().zip(&contents.records).any(|(again, record)| again.changes(record)));
    let other = again(Some(two));
    assert!(other.all.iter().zip(&contents.records).all(|(again, record)| again.changes(record)));
    assert_eq!(kept().unwrap(), before, "nothing is written before the event");
    other.keep_frames(&results).unwrap();
    assert!(kept().unwrap().contains("\"B\""));
    again(Some(one)).keep_frames(&results).unwrap();
    assert_eq!(kept().unwrap(), before);
    let none = again(None);
    assert!(none.all.iter().zip(&contents.records).all(|(again, record)| again.changes(record)));
    none.keep_frames(&results).unwrap();
    assert_eq!(kept(), None);
    none.keep_frames(&results).unwrap();
    // The first answer has its position in the form of judge 0.2.
    let earlier = "{\"at\":0,\"picture\":{\"width\":1,\"cells\":[{\"label\":\"A\",\"touched\":false}]}}\n";
    let mut rejudged = same.all[0].rejudged.clone();
    rejudged.output.as_mut().unwrap().frames = Some(Box::new(Fingerprint::from_reader(earlier.as_bytes()).unwrap()));
    let mut event = Rejudgement::default();
    event.changed.push(rejudged);
    journal.append(&[Line::Rejudgement(Box::new(event))]).unwrap();
    let contents = journal::read(&results).unwrap();
    let first = frames_of(&results, &contents.records[0]);
    for (frames, changes) in [(one, false), (two, true)] {
        fs::write(&first, earlier).unwrap();
        let (act, stop) = (act(Some(frames)), StopFlag::default());
        let again = rejudge(&contest, &contents, &results, &runs[..1], &FakeExecutor(&act), &slots, &stop);
        let again = again.unwrap().unwrap_or_else(|_| panic!());
        assert_eq!(again.all[0].changes(&contents.records[0]), changes, "{frames}");
        again.keep_frames(&results).unwrap();
        assert_eq!(fs::read_to_string(&first).unwrap() != earlier, changes, "{frames}");
    }
}

#[test]
fn a_build_sees_only_what_the_organiser_names() {
    let entries = ENTRIES.replacen("command", "build = \"make\"\ncommand", 1);
    let more = "[build]\nenvironment = [\"HERE\", \"CACHE=~/cache\", \"GONE\"]\nreadable = [\"$CACHE/a\", \"shared\", \
                \"~/lib\", \"$GONE/x\", \"missing\"]\nwritable = [\"$CACHE/w\"]\n";
    let folder = Folder::new(&[HEAD, BOARDS, &entries, more].concat());
    let home = tempfile::tempdir().unwrap();
    for made in ["cache/a", "lib"] {
        fs::create_dir_all(home.path().join(made)).unwrap();
    }
    folder.file("shared/table", "1");
    folder.file("secret.h", "x");
    let contest = folder.contest();
    let (results, home_text) = (folder.results(), home.path().display().to_string());
    let environment = |name: &str| match name {
        "HOME" => Some(home_text.clone()),
        "HERE" => Some("yes".to_owned()),
        _ => None,
    };
    let builder = Builder { contest: &contest, results: &results, environment: &environment };
    let planned = plan(&contest);
    let paths = |places: &[judge_job::Place]| places.iter().map(judge_job::Place::path).collect::<Vec<_>>();
    let (built, log) = builder
        .build(
            &planned[0],
            &FakeExecutor(&|job| {
                let contest_folder = contest.directory().canonicalize().unwrap();
                let readable: Vec<PathBuf> =
                    paths(&job.readable).iter().map(|path| path.canonicalize().unwrap()).collect();
                let home = home.path().canonicalize().unwrap();
                assert_eq!(readable, [home.join("cache/a"), contest_folder.join("shared"), home.join("lib")]);
                assert!(paths(&job.writable).last().unwrap().ends_with("cache/w"), "{:?}", job.writable);
                let variables: Vec<(String, String)> = job.environment.clone();
                assert_eq!(variables[0], ("HERE".to_owned(), "yes".to_owned()));
                assert!(
                    variables[1].0 == "CACHE" && variables[1].1.ends_with("/cache") && variables.len() == 2,
                    "{variables:?}"
                );
                Ok((End::Exited { code: 1 }, "fatal: \"secret.h\": No such file\n".into()))
            }),
        )
        .unwrap();
    let Built::Failed { reason } = built.built else { panic!("{built:?}") };
    assert!(
        reason.ends_with("; a build sees its own folder only: add \"secret.h\" to `[build] readable` if it needs that"),
        "{reason}"
    );
    assert_eq!(built.log, judge_core::fingerprint::Fingerprint::from_reader(fs::File::open(log).unwrap()).ok());
    // A file that the build sees needs no hint.
    let seen =
        builder.build(&planned[0], &FakeExecutor(&|_| Ok((End::Exited { code: 1 }, "shared/table: bad\n".into()))));
    let Built::Failed { reason } = seen.unwrap().0.built else { panic!() };
    assert!(!reason.contains("readable"), "{reason}");
    // The results lie in a folder that builds would see.
    let shown = folder.0.path().join("shared/out");
    fs::create_dir(&shown).unwrap();
    let builder = Builder { contest: &contest, results: &shown, environment: &environment };
    let refused = builder.build(&planned[0], &FakeExecutor(&|_| panic!("nothing is built"))).unwrap_err().to_string();
    assert!(
        refused.starts_with("[build] names ") && refused.contains("which shows the results directory"),
        "{refused}"
    );
}
