//! Tests of runs that stop counting while an engine executes them: they are stopped, and the others continue.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::*;
use crate::schedule::Local;
use judge_job::{Argument, StopRequest};

/// Answers every board. Programs in the folder `a` never end by themselves.
#[derive(Default)]
struct AnswersUnlessA {
    /// True if no stop was requested while it waited.
    gave_up: AtomicBool,
}

impl Executor for AnswersUnlessA {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        FakeExecutor(&|_| Ok((End::Exited { code: 0 }, "lluu\n".into()))).execute(job)
    }

    fn execute_until(&self, job: &Job, stop: &dyn StopRequest) -> Result<Outcome, Interrupted> {
        let is_held = matches!(&job.argv[0], Argument::Path(program) if program.path().ends_with("a/solve"));
        if !is_held {
            return self.execute(job);
        }
        // Half a minute, longer than any machine takes.
        for _ in 0..30_000 {
            if stop.requested() {
                return Err(Interrupted);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.gave_up.store(true, Ordering::SeqCst);
        Err(Interrupted)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(2)
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// Conducts a contest of three entries, applies `change` as soon as a run of the first one has started, and returns the events
/// in words and the contest afterwards.
fn changed(change: impl Fn(&OpenContest) + Send + 'static) -> (Vec<String>, ContestState) {
    let Begun { open_contest, folder: _folder } = Begun::three();
    let open_contest = Arc::new(open_contest);
    let (inside, heard) = (Arc::downgrade(&open_contest), Arc::new(Mutex::new(Vec::new())));
    let (hears, mut first) = (heard.clone(), true);
    open_contest.subscribe(move |event| {
        let name = |key: &RunKey| format!("{} {}", key.entry, key.board);
        hears.lock().unwrap().push(match event {
            Event::Pass { runs, .. } => format!("pass of {}", runs.len()),
            Event::Cancelled(key) => format!("cancelled {}", name(key)),
            Event::Finished(record) => format!("finished {}", name(&record.key)),
            Event::Started(key) if &*key.entry == "a" && std::mem::take(&mut first) => {
                change(&inside.upgrade().unwrap());
                format!("started {}", name(key))
            }
            other => format!("{other:?}"),
        });
        true
    });
    let executor = AnswersUnlessA::default();
    open_contest.run_round(&Local::new(&executor), &[Vec::new(), Vec::new()], &StopFlag::default()).unwrap();
    assert!(!executor.gave_up.into_inner(), "nothing has stopped a run");
    let heard = heard.lock().unwrap().clone();
    (heard, open_contest.contents())
}

fn count(events: &[String], begin: &str) -> usize {
    events.iter().filter(|event| event.starts_with(begin)).count()
}

#[test]
fn runs_of_a_withdrawn_entry_are_stopped() {
    let (events, contents) = changed(|open_contest| open_contest.withdraw(entry("a")).unwrap());
    assert_eq!((count(&events, "cancelled a"), count(&events, "finished")), (2, 4), "{events:?}");
    assert_eq!(contents.missing(), [0; 0]);
}

#[test]
fn an_engine_keeps_the_runs_that_a_withdrawal_leaves() {
    let (events, _) = changed(|open_contest| open_contest.withdraw(entry("a")).unwrap());
    assert_eq!(count(&events, "pass of"), 1, "{events:?}");
}

#[test]
fn runs_of_an_older_version_are_stopped_for_the_new_one() {
    let (events, contents) = changed(|open_contest| {
        let plan = open_contest.contents().plan.clone();
        let mut better = (*plan.entries[0]).clone();
        better.command = vec!["b/solve".into()];
        open_contest.submit(EntryEvent::new(better, Hashes::new())).unwrap();
    });
    let of_a: Vec<&String> = events.iter().filter(|event| event.contains(" a ")).collect();
    assert!(events.contains(&"cancelled a X".into()), "{of_a:?}");
    assert_eq!((count(&events, "finished a"), contents.records.len(), contents.missing()), (2, 6, Vec::new()));
}
