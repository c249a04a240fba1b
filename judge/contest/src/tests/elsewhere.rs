//! Tests of an engine that sends many runs at a time to another machine: its requests, and the records of its results.

use std::sync::Arc;

use super::*;
use crate::schedule::{Engine, EngineData, EngineState, FinishedRun, JournalRecorder, Recorder as _, Request};

/// Takes all runs, notes the call, and sends the first run as failed and the others as solved.
struct Away<'a>(&'a Mutex<Vec<String>>);

impl Engine for Away<'_> {
    fn execute(&self, request: &Request<'_>) -> Result<(), Stopped> {
        let note = |text: String| self.0.lock().unwrap().push(text);
        note(format!("{:?} left", request.left()));
        let taken = request.take_all();
        note(format!("{:?} left, {} taken", request.left(), taken.len()));
        let messages = request.messages();
        messages.notice(EngineData::new("sent")).unwrap();
        messages.state(EngineState { running: 2, figures: EngineData::new("far") }).unwrap();
        let runs = taken.iter().enumerate().map(|(number, turn)| {
            let failed = request.failed(turn.run(), "lost on the way");
            if number == 0 {
                return failed;
            }
            let (mut record, machine) = failed.into_parts();
            record.verdict = Verdict::TimedOut;
            FinishedRun::new(record, machine)
        });
        messages.send_finished(runs.collect()).unwrap();
        Ok(())
    }

    fn isolation(&self) -> Arc<Isolation> {
        Arc::new(isolation())
    }
}

#[test]
fn runs_that_come_back_together_are_announced_each_after_its_start() {
    let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
    let contest = folder.contest();
    let mut journal = folder.journal(&contest);
    let (order, results, slots) = (contest.plan.start_order(), folder.results(), [Vec::new()]);
    let failed = Built::Failed { reason: "no compiler".into() };
    let runner = Runner::new(&contest, &order, &results, &slots).without(BTreeMap::from([("b".to_owned(), failed)]));
    let (message, mut heard) = (Mutex::new(Vec::new()), Vec::new());
    let queue = crate::schedule::Queue::fixed(all(4));
    let mut recorder = JournalRecorder::new(&results, &mut journal);
    let announce = |event: Event<'_>| {
        heard.push(match event {
            Event::Started(key) => format!("started {} {}", key.entry, key.board),
            Event::Finished(record) => {
                format!("finished {} {} {}", record.key.entry, record.key.board, record.verdict.summary())
            }
            Event::Cancelled(key) => format!("cancelled {}", key.entry),
            Event::Notice(data) => data.get::<&str>().unwrap().to_string(),
            Event::State(state) => format!("away, {}: {}", state.figures.get::<&str>().unwrap(), state.running),
        });
    };
    runner.run_queue(&Away(&message), &queue, &StopFlag::default(), &mut recorder, announce).unwrap();
    assert_eq!(*message.lock().unwrap(), ["Some(2) left", "Some(0) left, 2 taken"]);
    let place =
        |wanted: &str| heard.iter().position(|event| event.starts_with(wanted)).unwrap_or_else(|| panic!("{heard:?}"));
    for run in ["a X", "a Y", "b X", "b Y"] {
        assert_eq!(place(&format!("finished {run}")), place(&format!("started {run}")) + 1, "{heard:?}");
    }
    assert!(place("sent") < place("away, far: 2"), "{heard:?}");
    let verdicts: Vec<String> = names(&folder.records());
    let count = |part: &str| verdicts.iter().filter(|verdict| verdict.contains(part)).count();
    assert_eq!((count("lost on the way"), count("no compiler")), (1, 2), "{verdicts:?}");
}

#[test]
fn a_repetition_that_fails_without_a_fault_of_its_entry_is_recorded_in_vain() {
    for (repeats, verdict, in_vain) in [
        (false, Verdict::TimedOut, false),
        (true, Verdict::TimedOut, false),
        (false, Verdict::JudgeError { reason: JudgeFailure::Judge("no disk".into()) }, false),
        (true, Verdict::JudgeError { reason: JudgeFailure::Judge("no disk".into()) }, true),
    ] {
        let folder = Folder::new(&[HEAD, BOARDS, ENTRIES].concat());
        let mut journal = folder.journal(&folder.contest());
        let results = folder.results();
        let run = |attempt: u32, verdict: Verdict| {
            let key = RunKey::new(1, "a", "X");
            FinishedRun::new(Record::without_run(1, key, attempt, verdict, 10_000, Arc::new(isolation())), None)
        };
        JournalRecorder::new(&results, &mut journal).record(vec![run(1, Verdict::TimedOut)]).unwrap();
        let mut recorder = JournalRecorder::new(&results, &mut journal).repeating(repeats);
        let recorded = recorder.record(vec![run(2, verdict.clone())]).unwrap();
        assert_eq!(recorded[0].in_vain, in_vain, "{repeats} {verdict:?}");
    }
}
