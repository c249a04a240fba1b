//! Tests of programs under a director, in every tier and without a supervisor.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use judge_job::{Cut, Interrupted, Order, StopFlag, StopRequest as _, TalkEvent};
use tempfile::TempDir;

use super::*;
use crate::{End, Executor as _, Interrupt, IsolationMode, Job};

/// A director that gives orders and keeps what happened, as texts.
struct Script<F> {
    act: F,
    events: Vec<String>,
}

impl<F: FnMut(&str) -> Vec<Order>> Director for Script<F> {
    fn direct(&mut self, event: TalkEvent<'_>, orders: &mut Vec<Order>) -> Result<(), Interrupted> {
        let text = match event {
            TalkEvent::Begun => "begun".to_owned(),
            TalkEvent::Output { side, ran_us, bytes, .. } => {
                let held = if ran_us.is_some() { "" } else { " held" };
                format!("{side}{held} {}", String::from_utf8_lossy(bytes).trim_end())
            }
            TalkEvent::Due { side, ran_us, .. } => format!("{side} due {}", ran_us.is_some()),
            TalkEvent::Ended { side, outcome, .. } => {
                let end = match &outcome.outcome.end {
                    End::CouldNotStart { .. } => "not started".to_owned(),
                    end => format!("{end:?}"),
                };
                format!("{side} ended {end} {:?}", outcome.cut)
            }
        };
        orders.extend((self.act)(&text));
        self.events.push(text);
        Ok(())
    }
}

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn side(&self, name: &str, script: &str) -> DirectedSide {
        let path = |end: &str| self.0.path().join(format!("{name}.{end}"));
        let mut job = Job::new(["sh", "-c", script], path("out"), path("err"));
        job.limits.wall_ms = 60_000;
        let mut side = DirectedSide::new(job);
        side.held = true;
        side
    }
}

fn in_every_tier(work: impl Fn(&LocalExecutor<'_>)) {
    let interrupt = Interrupt::never().unwrap();
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        work(&LocalExecutor::new(&interrupt, mode).unwrap());
    }
    work(&LocalExecutor::bare(&interrupt).unwrap());
}

/// What happened, and the processor time of each program.
fn directed(
    executor: &LocalExecutor<'_>,
    sides: &[DirectedSide],
    act: impl FnMut(&str) -> Vec<Order>,
) -> (Vec<String>, Vec<Option<u64>>) {
    let mut script = Script { act, events: Vec::new() };
    let outcome = executor.direct(sides, &mut script, None).unwrap();
    assert_eq!(outcome.sides.len(), sides.len());
    (script.events, outcome.sides.iter().map(|side| side.outcome.usage.cpu_us).collect())
}

fn run(side: usize, for_us: Option<u64>) -> Order {
    Order::Run { side, for_us }
}

fn write(side: usize, text: &str) -> Order {
    Order::Write { side, bytes: text.into() }
}

fn end(side: usize) -> Order {
    Order::End { side, cut: Cut::TalkOver }
}

const KILLED: &str = "ended Signalled { signal: 9 } Some(TalkOver)";

#[test]
fn programs_hear_what_the_director_writes_and_run_when_it_says() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let sides = [folder.side("a", "echo early; read x; echo $x; read y; exit 3"), folder.side("b", "cat; exit 4")];
        let (events, _) = directed(executor, &sides, |event| match event {
            "begun" => vec![write(0, "one\n"), run(0, None)],
            "0 early\none" | "0 one" => vec![Order::Hold { side: 0 }, write(1, "two\n"), run(1, None)],
            "1 two" => vec![end(1), write(0, "\n"), run(0, None)],
            _ => Vec::new(),
        });
        let isolation = executor.isolation();
        assert_eq!(events[0], "begun", "{isolation}: {events:?}");
        assert!(!events.iter().any(|event| event.contains("held")), "{isolation}: {events:?}");
        assert!(events.contains(&"0 ended Exited { code: 3 } None".into()), "{isolation}: {events:?}");
        assert!(events.contains(&format!("1 {KILLED}")), "{isolation}: {events:?}");
    });
}

#[test]
fn a_program_that_is_held_takes_no_time_however_many_processes_it_has() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // Its children lead process groups and have lost their parent.
        let spin =
            "set -m; for one in 1 2 3; do (sh -c 'while :; do :; done' &) ; done; read x; echo on; while :; do :; done";
        let sides = [folder.side("spin", spin), folder.side("wait", "sleep 1.2; echo done; read x")];
        let (events, cpu_us) = directed(executor, &sides, |event| match event {
            "begun" => vec![write(0, "go\n"), run(0, None)],
            "0 on" => vec![Order::Hold { side: 0 }, run(1, None)],
            "1 done" => vec![end(0), end(1)],
            _ => Vec::new(),
        });
        assert_eq!(events.last().map(|event| &event[2..]), Some(KILLED), "{}: {events:?}", executor.isolation());
        if executor.isolation().layers.is_empty() {
            return;
        }
        // Its own start takes time; on a busy machine, only its own counts.
        assert!(cpu_us[0] < Some(800_000), "{}: {cpu_us:?}", executor.isolation());
    });
}

#[test]
fn the_director_hears_of_time_limits_and_ends_at_once() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // On a busy machine a program may run for a moment before its first stop.
        let mut flood = folder.side("flood", "read x; yes");
        flood.job.limits.output_bytes = 1000;
        let mut missing = folder.side("missing", "");
        missing.job.argv = vec![crate::Argument::Text("/no/such/program".into())];
        let sides = [folder.side("slow", "sleep 60"), flood, missing, folder.side("crash", "read x; kill -SEGV $$")];
        let (events, _) = directed(executor, &sides, |event| match event {
            "begun" => vec![run(0, Some(50_000))],
            "0 due true" => vec![Order::End { side: 0, cut: Cut::OwnClock }],
            "0 ended TimedOut Some(OwnClock)" => vec![write(1, "go\n"), run(1, None), run(2, Some(1))],
            "1 ended TooMuchOutput None" => vec![write(3, "dropped\n"), run(3, None), run(1, Some(1))],
            _ => Vec::new(),
        });
        // The time at which a failed start is noticed depends on the machine.
        let unstarted = events.iter().filter(|event| *event == "2 ended not started None");
        assert_eq!(unstarted.count(), 1, "{}: {events:?}", executor.isolation());
        let message = |event: &&str| !event.starts_with("1 y") && !event.starts_with("2 ");
        let events: Vec<&str> = events.iter().map(String::as_str).filter(message).collect();
        let expected = [
            "begun",
            "0 due true",
            "0 ended TimedOut Some(OwnClock)",
            "1 ended TooMuchOutput None",
            "3 ended Signalled { signal: 11 } None",
        ];
        assert_eq!(events, expected, "{}", executor.isolation());
    });
}

#[test]
fn what_does_not_fit_into_a_pipe_waits_and_is_dropped_with_its_reader() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let sides = [folder.side("reads", "wc -c"), folder.side("deaf", "exec 0<&-; echo deaf; sleep 0.2; echo still")];
        let much = "x".repeat(1 << 20);
        let (events, _) = directed(executor, &sides, |event| match event {
            "begun" => vec![run(1, None)],
            "1 deaf" => vec![write(1, &much)],
            "1 still" => vec![write(0, &much), run(0, Some(300_000))],
            "0 due true" => vec![end(0)],
            _ => Vec::new(),
        });
        assert_eq!(events.len(), 6, "{}: {events:?}", executor.isolation());
    });
}

#[test]
fn a_stop_leaves_nothing() {
    let interrupt = Interrupt::never().unwrap();
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto).unwrap();
    let folder = Folder::new();
    let stop = StopFlag::default();
    stop.request();
    let sides = [folder.side("a", "sleep 60"), folder.side("b", "sleep 60")];
    let mut script = Script { act: |_: &str| vec![run(0, None), run(1, None)], events: Vec::new() };
    assert_eq!(executor.direct(&sides, &mut script, Some(&stop)), Err(Interrupted));
}
