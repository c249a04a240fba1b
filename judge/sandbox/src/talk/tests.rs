//! Tests of what programs that talk see of each other, and of what is recorded, in every tier and without a supervisor.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod clock;
mod reach;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use judge_job::{Gap, StopFlag, StopRequest as _, TranscriptLine};
use tempfile::TempDir;

use super::*;
use crate::{Executor as _, Interrupt, Interrupted, IsolationMode, Job, Wire};

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn shell(&self, name: &str, script: &str) -> Job {
        let mut job = Job::new(["sh", "-c", script], self.path(name), self.path(&format!("{name}.err")));
        job.limits.wall_ms = 60_000;
        job
    }

    /// A referee that accepts with code 0, and an entry.
    fn talk(&self, referee: &str, entry: &str) -> Talk {
        let mut talk = Talk::refereed(self.shell("referee", referee), self.shell("entry", entry), vec![0], 10_000);
        talk.transcript = Some(self.path("transcript"));
        talk
    }

    fn transcript(&self) -> Vec<TranscriptLine> {
        self.read("transcript").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The messages with their programs; consecutive messages of one program are combined.
    fn messages(&self) -> Vec<(usize, String)> {
        let mut messages: Vec<(usize, String)> = Vec::new();
        for line in self.transcript() {
            let TranscriptLine::Message(message) = line else { continue };
            match messages.last_mut() {
                Some((from, text)) if *from == message.from => text.push_str(&message.text),
                _ => messages.push((message.from, message.text)),
            }
        }
        messages
    }
}

fn in_every_tier(work: impl Fn(&LocalExecutor<'_>)) {
    let interrupt = Interrupt::never().unwrap();
    for mode in [IsolationMode::Auto, IsolationMode::Landlock, IsolationMode::Off] {
        work(&LocalExecutor::new(&interrupt, mode).unwrap());
    }
    work(&LocalExecutor::bare(&interrupt).unwrap());
}

/// The ends of the programs of a talk, with the reasons why the judge ended them.
#[track_caller]
fn ends(executor: &LocalExecutor<'_>, talk: &Talk) -> (Vec<(End, Option<Cut>)>, TalkOutcome) {
    let outcome = executor.converse(talk, None).unwrap();
    let ends = outcome.sides.iter().map(|side| (side.outcome.end.clone(), side.cut)).collect();
    (ends, outcome)
}

const DONE: (End, Option<Cut>) = (End::Exited { code: 0 }, None);
const CUT: (End, Option<Cut>) = (End::Signalled { signal: SIGKILL }, Some(Cut::TalkOver));

#[test]
fn a_talk_is_recorded_whole() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let referee = "echo ready; read a; echo $((a + 1)); read b; echo bye; exec >&-; cat > rest; test $b = 8";
        let talk = folder.talk(referee, "read x; echo 6; read y; echo $((y + 1)); cat");
        let (ends, outcome) = ends(executor, &talk);
        assert_eq!(ends, [DONE, DONE], "{}: {outcome:?}\n{}", executor.isolation(), folder.read("referee.err"));
        let expected = [(0, "ready\n"), (1, "6\n"), (0, "7\n"), (1, "8\n"), (0, "bye\n"), (1, "bye\n")];
        assert_eq!(folder.messages(), expected.map(|(from, text)| (from, text.to_owned())));
        assert_eq!((folder.read("referee"), folder.read("entry")), ("ready\n7\nbye\n".into(), "6\n8\nbye\n".into()));
        let [referee, entry] = &outcome.sides[..] else { panic!("{outcome:?}") };
        assert_eq!((referee.begun_us, referee.messages), (Some(0), 3));
        assert!(entry.begun_us > Some(0) && entry.ended_us > entry.begun_us, "{outcome:?}");
        assert!(referee.ended_us > entry.begun_us, "{outcome:?}");
        assert_eq!(entry.outcome.stdout_bytes, 8);
        let times = folder.transcript().into_iter().map(|line| match line {
            TranscriptLine::Message(message) => message.at_us,
            other => panic!("{other:?}"),
        });
        let times: Vec<u64> = times.collect();
        assert!(times.is_sorted() && times.iter().all(|at| *at > 0), "{times:?}");
    });
}

#[test]
fn an_end_of_a_program_is_passed_on_when_it_closes_or_dies() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // It waits for the end of its input in both cases.
        let closes =
            folder.talk("cat > /dev/null; echo seen; exec cat > /dev/null", "exec 1>&-; read x; test $x = seen");
        assert_eq!(ends(executor, &closes).0, [DONE, DONE], "{}", executor.isolation());
        let dies = folder.talk("cat > /dev/null", "exit 0");
        assert_eq!(ends(executor, &dies).0, [DONE, DONE], "{}", executor.isolation());
        // What is written to a program that is gone is dropped.
        let gone = folder.talk("cat > /dev/null; head -c 1000000 /dev/zero && exit 0", "exit 3");
        assert_eq!(ends(executor, &gone).0, [DONE, (End::Exited { code: 3 }, None)], "{}", executor.isolation());
        // The ruler's end is passed on immediately.
        let ruled = folder.talk("echo only; exit 0", "cat; exit 5");
        let (ends, outcome) = ends(executor, &ruled);
        assert_eq!(ends, [DONE, (End::Exited { code: 5 }, None)], "{}", executor.isolation());
        assert!(outcome.sides[0].ended_us <= outcome.sides[1].ended_us, "{outcome:?}");
    });
}

#[test]
fn the_end_of_the_ruler_ends_the_talk_unless_it_accepts() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        for (referee, end) in [
            ("exit 43", End::Exited { code: 43 }),
            ("kill -SEGV $$", End::Signalled { signal: 11 }),
            ("read x; exit 1", End::Exited { code: 1 }),
        ] {
            let talk = folder.talk(referee, "echo a; trap '' TERM; while :; do sleep 1; done");
            let (ends, outcome) = ends(executor, &talk);
            assert_eq!(ends, [(end, None), CUT], "{}: {outcome:?}", executor.isolation());
            assert!(outcome.sides[0].ended_us <= outcome.sides[1].ended_us, "{outcome:?}");
        }
    });
}

#[test]
fn a_program_that_writes_more_lines_than_it_may_has_written_too_much() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // The referee answers every line with more than it may print after a thousand.
        let echo = "while read line; do printf '%0100d\\n' 0; done";
        for (lines, asks, end) in [(Some(20), 20, DONE), (Some(20), 21, (End::TooMuchOutput, None)), (None, 21, DONE)] {
            let entry = format!("for i in $(seq {asks}); do echo $i; read x; done");
            let mut talk = folder.talk(&format!("{echo}; exit 42"), &entry);
            talk.sides[1].lines = lines;
            let (ends, outcome) = ends(executor, &talk);
            assert_eq!(ends[1], end, "{lines:?} {asks} {}: {outcome:?}", executor.isolation());
        }
        // Without its own end, it is ended before the limit of the referee's output.
        let mut talk = folder.talk(&format!("{echo}; exit 42"), "while :; do echo; done");
        (talk.sides[0].job.limits.output_bytes, talk.sides[1].lines) = (2100, Some(20));
        let (ends, outcome) = ends(executor, &talk);
        assert_eq!(ends[1], (End::TooMuchOutput, None), "{}: {outcome:?}", executor.isolation());
        assert_ne!(ends[0].0, End::TooMuchOutput, "{}: {outcome:?}", executor.isolation());
    });
}

#[test]
fn programs_that_wait_for_each_other_are_ended_soon() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let talk = folder.talk("read x; echo 1; read y", "echo a; read x; read never; echo b");
        let (ends, outcome) = ends(executor, &talk);
        assert_eq!(ends, [CUT, (End::TimedOut, Some(Cut::AllWait))], "{}: {outcome:?}", executor.isolation());
        assert!(outcome.sides[1].outcome.wall_us < Some(50_000_000), "{outcome:?}");
        // A program that only sleeps does not wait for input, however long.
        let talk = folder.talk("read x; test $x = late", "sleep 1; echo late");
        assert_eq!(self::ends(executor, &talk).0, [DONE, DONE], "{}", executor.isolation());
    });
}

#[test]
fn the_ruler_has_a_time_for_its_end() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let mut talk = folder.talk("while :; do sleep 1; done", "exit 0");
        talk.linger_ms = 100;
        let killed = (End::Signalled { signal: SIGKILL }, Some(Cut::Lingered));
        assert_eq!(ends(executor, &talk).0, [killed, DONE], "{}", executor.isolation());
    });
}

#[test]
fn a_flood_waits_for_a_deaf_program() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let mut talk = folder.talk("cat > /dev/null", "yes; exit 1");
        talk.sides[1].job.limits.output_bytes = 50_000_000;
        let (ended, outcome) = ends(executor, &talk);
        assert_eq!(ended, [DONE, (End::TooMuchOutput, None)], "{}: {outcome:?}", executor.isolation());
        assert_eq!(outcome.sides[1].outcome.stdout_bytes, 50_000_000);
        let gaps = folder.transcript().into_iter().filter(|line| matches!(line, TranscriptLine::Gap(Gap { .. })));
        assert_eq!(gaps.count(), 1);
        assert!(fs::metadata(folder.path("transcript")).unwrap().len() < 4 << 20);

        // A referee that does not read holds up the entry, and nothing else grows.
        let mut talk = folder.talk("exec sleep 60", "yes");
        talk.sides[1].job.limits.wall_ms = 500;
        talk.linger_ms = 100;
        let (ended, outcome) = ends(executor, &talk);
        assert_eq!(ended[1].0, End::TimedOut, "{}: {outcome:?}", executor.isolation());
        assert!(outcome.sides[1].outcome.stdout_bytes < 10_000_000, "{outcome:?}");

        // An entry that does not read is no reason to wait for the referee.
        let talk = folder.talk("yes | head -c 10000000", "exec 0<&-; echo deaf; sleep 0.2");
        assert_eq!(ends(executor, &talk).0, [DONE, DONE], "{}", executor.isolation());
    });
}

#[test]
fn a_program_that_cannot_be_started_ends_its_talk() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let mut talk = folder.talk("read x", "true");
        talk.sides[1].job.argv = vec![crate::Argument::Text("/no/such/program".into())];
        let (ended, outcome) = ends(executor, &talk);
        assert!(matches!(&ended[1].0, End::CouldNotStart { reason, .. } if reason.contains("/no/such/program")));
        assert_eq!(ended[0].1, Some(Cut::TalkOver), "{}: {outcome:?}", executor.isolation());
        let mut talk = folder.talk("read x", "true");
        talk.sides[0].job.argv = vec![crate::Argument::Text("no-such-program".into())];
        let (ended, _) = ends(executor, &talk);
        assert!(matches!(&ended[0].0, End::CouldNotStart { reason, .. } if reason.contains("no-such-program")));
        let bad = Talk::new([folder.shell("a", "true")], [Wire { from: 0, to: 1 }]);
        let (ended, _) = ends(executor, &bad);
        assert!(matches!(&ended[0].0, End::JudgeError { reason } if reason.contains("program 1")), "{ended:?}");
    });
}

#[test]
fn more_than_two_programs_talk_in_a_ring_without_a_ruler() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        let jobs = [
            folder.shell("a", "echo 1; read x; echo $x > got; test $x = 111"),
            folder.shell("b", "read x; echo 1$x"),
            folder.shell("c", "read x; echo 1$x"),
        ];
        let ring = [(0, 1), (1, 2), (2, 0)].map(|(from, to)| Wire { from, to });
        let (ended, outcome) = ends(executor, &Talk::new(jobs, ring));
        assert_eq!(ended, [DONE, DONE, DONE], "{}: {outcome:?}", executor.isolation());
    });
}

#[test]
fn a_talk_that_is_to_stop_leaves_nothing() {
    let interrupt = Interrupt::never().unwrap();
    let executor = LocalExecutor::new(&interrupt, IsolationMode::Auto).unwrap();
    let folder = Folder::new();
    let stop = StopFlag::default();
    stop.request();
    let talk = folder.talk("sleep 60", "sleep 60");
    assert_eq!(executor.converse(&talk, Some(&stop)), Err(Interrupted));
}

/// A stop request that is checked repeatedly during a talk, and records how many supervisors of earlier runs were not
/// reaped yet.
struct Unreaped<'e> {
    executor: &'e LocalExecutor<'e>,
    seen: std::sync::Mutex<Vec<usize>>,
}

impl judge_job::StopRequest for Unreaped<'_> {
    fn requested(&self) -> bool {
        self.seen.lock().unwrap().push(self.executor.unreaped());
        false
    }

    fn request(&self) {}
}

#[test]
fn supervisors_of_earlier_talks_are_reaped_while_a_long_one_is_silent() {
    in_every_tier(|executor| {
        let folder = Folder::new();
        // Mostly one of the supervisors has not exited yet when its talk is over.
        for _ in 0..200 {
            assert_eq!(ends(executor, &folder.talk("read x", "echo 1")).0, [DONE, DONE]);
            if executor.unreaped() > 0 {
                break;
            }
        }
        let watch = Unreaped { executor, seen: std::sync::Mutex::default() };
        // It thinks for several silences.
        let outcome = executor.converse(&folder.talk("read x", "sleep 1; echo 1"), Some(&watch)).unwrap();
        assert!(outcome.sides.iter().all(|side| side.outcome.end == End::Exited { code: 0 }), "{outcome:?}");
        let seen = watch.seen.into_inner().unwrap();
        assert_eq!(seen.iter().min(), Some(&0), "{}: {seen:?}", executor.isolation());
        // Each talk leaves only the supervisors of its own programs.
        assert!(seen.iter().all(|&seen| seen <= 4), "{}: {seen:?}", executor.isolation());
    });
}
