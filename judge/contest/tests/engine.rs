//! Tests of engines in another crate, and of a queue that changes while its runs are executed.

#![cfg(feature = "run")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use judge_contest::journal::Journal;
use judge_contest::schedule::{
    Cancelled, Engine, Event, JournalRecorder, Local, PendingRun, Queue, Request, Runner, Stopped,
};
use judge_contest::{Contest, Overrides};
use judge_core::journal::{self, Header, Record};
use judge_core::key::RunKey;
use judge_core::verdict::Verdict;
use judge_job::{
    Capacity, Description, End, Executor, Interrupted, Isolation, Job, Limits, Machine, Outcome, StopFlag, StopRequest,
    Tier,
};
use tempfile::TempDir;

const NEAR: &str = "ABCDE FGHIJ KL+MN PQRSO UVWXT";

fn isolation() -> Isolation {
    Isolation { tier: Tier::ProcessGroup, layers: Vec::new() }
}

/// Prints an answer to every board.
struct Answers;

impl Executor for Answers {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        fs::write(&job.stdout, "lluu").unwrap();
        fs::write(&job.stderr, "").unwrap();
        let mut outcome = Outcome::new(End::Exited { code: 0 }, isolation(), Machine::default());
        (outcome.wall_us, outcome.stdout_bytes) = (Some(7), 4);
        Ok(outcome)
    }

    fn capacity(&self, _: &[Limits], _: Option<NonZeroUsize>) -> Capacity {
        Capacity::unpinned(1)
    }

    fn describe(&self) -> Description {
        Description::new(isolation(), Vec::new())
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// Prints an answer to a board each time that it receives a message, unless its job was stopped before.
struct Gate(Mutex<Receiver<()>>);

impl Executor for Gate {
    fn execute(&self, job: &Job) -> Result<Outcome, Interrupted> {
        self.execute_until(job, &StopFlag::default())
    }

    fn execute_until(&self, job: &Job, stop: &dyn StopRequest) -> Result<Outcome, Interrupted> {
        let gate = self.0.lock().unwrap();
        while gate.recv_timeout(Duration::from_millis(5)).is_err() {
            if stop.requested() {
                return Err(Interrupted);
            }
        }
        Answers.execute(job)
    }

    fn capacity(&self, limits: &[Limits], wanted: Option<NonZeroUsize>) -> Capacity {
        Answers.capacity(limits, wanted)
    }

    fn describe(&self) -> Description {
        Answers.describe()
    }

    fn temporary_folder(&self) -> std::path::PathBuf {
        std::env::temp_dir()
    }
}

/// A contest of two entries on two boards, with its results directory.
struct Begun {
    contest: Contest,
    folder: TempDir,
}

impl Begun {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut text = "name = \"test\"\ngame = \"loyd\"\nlimit = \"10s\"\n".to_owned();
        for board in ["X", "Y"] {
            fs::write(folder.path().join(board), NEAR).unwrap();
            text += &format!("[[board]]\nname = \"{board}\"\nfile = \"{board}\"\n");
        }
        for entry in ["a", "b"] {
            text += &format!("[[entry]]\nname = \"{entry}\"\ncommand = \"./{entry}\"\n");
        }
        fs::write(folder.path().join("contest.toml"), text).unwrap();
        fs::create_dir(folder.path().join("out")).unwrap();
        Self { contest: Contest::load(folder.path(), &Overrides::default()).unwrap(), folder }
    }

    /// Has an engine execute the runs of a queue. Returns its end, the records, and the events in words.
    fn make(
        &self,
        engine: &dyn Engine,
        queue: &Queue,
        on: impl Fn(&Event<'_>),
    ) -> (Result<(), Stopped>, Vec<Record>, Vec<String>) {
        let (results, order) = (self.folder.path().join("out"), self.contest.plan.start_order());
        let (path, plan) = (self.contest.path.clone(), self.contest.plan.clone());
        let header = Header::new(path, Overrides::default(), plan, order.clone(), BTreeMap::new(), None);
        let mut journal = Journal::create(&results, header, || None).unwrap();
        let (slots, mut events) = ([Vec::new()], Vec::new());
        let runner = Runner::new(&self.contest, &order, &results, &slots);
        let announce = |event: Event<'_>| {
            on(&event);
            events.push(match event {
                Event::Started(key) => format!("started {}", name(key)),
                Event::Finished(record) => format!("finished {}", name(&record.key)),
                Event::Cancelled(key) => format!("cancelled {}", name(key)),
                Event::Notice(data) => format!("{data:?}"),
                Event::State(state) => format!("{state:?}"),
            });
        };
        let mut recorder = JournalRecorder::new(&results, &mut journal);
        let ended = runner.run_queue(engine, queue, &StopFlag::default(), &mut recorder, announce);
        (ended, journal::read(&results).unwrap().records.iter().cloned().collect(), events)
    }
}

fn name(key: &RunKey) -> String {
    format!("{} {}", key.entry, key.board)
}

fn run(index: usize) -> PendingRun {
    PendingRun { index, attempt: 1 }
}

/// Executes one run at a time, the last one first, and reports each.
struct Backwards;

impl Engine for Backwards {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let worker = request.worker(&Answers, &[])?;
        for turn in request.take_all().iter().rev() {
            let messages = request.messages();
            let sent = messages.started(turn.run().index).and_then(|()| match worker.execute(turn) {
                Ok(finished) => messages.finished(finished),
                Err(Interrupted) => messages.finished(request.failed(turn.run(), "cut off")),
            });
            if sent.is_err() {
                break;
            }
        }
        Ok(())
    }

    fn isolation(&self) -> Arc<Isolation> {
        Arc::new(isolation())
    }
}

#[test]
fn an_engine_of_another_crate_makes_a_contest() {
    let (ended, records, events) = Begun::new().make(&Backwards, &Queue::fixed((0..4).map(run)), |_| {});
    ended.unwrap();
    let solved = records.iter().filter(|record| matches!(record.verdict, Verdict::Solved(_))).count();
    assert_eq!((solved, events.len()), (4, 8), "{events:?}");
    let finished: Vec<&str> = events.iter().filter_map(|event| event.strip_prefix("finished ")).collect();
    assert_eq!(finished, ["a Y", "b Y", "b X", "a X"]);
}

#[test]
fn the_queue_changes_while_a_run_is_made() {
    let ((let_through, gate), queue) = (channel(), Queue::new());
    queue.add([run(0)]);
    let on = |event: &Event<'_>| {
        if matches!(event, Event::Started(key) if (&*key.entry, &*key.board) == ("a", "X")) {
            queue.add([run(1), run(2)]);
            queue.add([run(3)]);
            queue.close();
            (0..4).for_each(|_| let_through.send(()).unwrap());
        }
    };
    let gate = Gate(Mutex::new(gate));
    let (ended, records, events) = Begun::new().make(&Local::new(&gate), &queue, on);
    ended.unwrap();
    let started: Vec<&str> = events.iter().filter_map(|event| event.strip_prefix("started ")).collect();
    assert_eq!(started, ["a X", "b X", "b Y", "a Y"]);
    assert_eq!(records.len(), 4);
}

#[test]
fn a_run_is_cancelled_alone() {
    let ((let_through, gate), queue) = (channel(), Queue::new());
    queue.add((0..3).map(run));
    queue.close();
    let on = |event: &Event<'_>| match event {
        Event::Started(key) if (&*key.entry, &*key.board) == ("a", "X") => {
            assert_eq!([queue.cancel(1), queue.cancel(0)], [Cancelled::Waiting, Cancelled::Taken]);
        }
        Event::Cancelled(_) => let_through.send(()).unwrap(),
        _ => {}
    };
    let (gate, begun) = (Gate(Mutex::new(gate)), Begun::new());
    let (ended, records, events) = begun.make(&Local::new(&gate), &queue, on);
    ended.unwrap();
    assert_eq!(events, ["started a X", "cancelled a X", "started b Y", "finished b Y"]);
    assert_eq!(records.len(), 1);
    assert!(!begun.folder.path().join("out/output/1/a/X.1.out").exists(), "the number of the attempt is free again");
}
