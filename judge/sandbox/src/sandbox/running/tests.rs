#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::sandbox::{Sandbox, Start, find};
use crate::{Job, Tier, inherited};

const NO_PATIENCE: Duration = Duration::ZERO;

/// Runs a shell script in a tier, and follows it until `until` returns true.
fn run_until(tier: Tier, script: &str, folder: &std::path::Path, until: impl Fn(&Running) -> bool) -> Running {
    let base = folder.join("root");
    std::fs::create_dir(&base).unwrap();
    let sandbox = Sandbox::new(tier, base);
    let program = find("sh".as_ref(), &inherited("PATH").unwrap()).unwrap().into();
    let job = Job::new(["sh", "-c", script], folder.join("out"), folder.join("err"));
    let scratch = (!sandbox.has_own_root()).then_some(folder);
    let start =
        Start { program: &program, job: &job, user: None, environment: Vec::new(), wire: None, talks: false, scratch };
    let mut running = sandbox.start(&start).ok().unwrap();
    let begun = Instant::now();
    while !until(&running) {
        assert!(begun.elapsed() < GONE, "{tier:?}");
        ready_within(running.fd(), HELP).unwrap();
        running.receive().unwrap();
    }
    running
}

#[test]
fn a_run_whose_processes_the_kernel_does_not_remove_has_the_verdict_of_what_was_known_before() {
    let at_once = || Patience { begun: Instant::now(), most: NO_PATIENCE, interrupt: None };
    for tier in [Tier::Namespaces, Tier::Landlock, Tier::ProcessGroup] {
        // The judge ends it, and gets no answer.
        let folder = tempfile::tempdir().unwrap();
        let running = run_until(tier, "exec sleep 600", folder.path(), |running| running.begun_us().is_some());
        let begun_us = running.begun_us().unwrap();
        let finish = running.end_within(&at_once()).unwrap();
        assert_eq!(finish.status.unwrap().signal(), Some(libc::SIGKILL), "{tier:?}");
        assert!(!finish.by_itself && finish.wall_us <= now_us() - begun_us, "{tier:?}");
        // It has ended by itself, and what it left is not removed.
        let folder = tempfile::tempdir().unwrap();
        let running = run_until(tier, "sleep 600 & exit 3", folder.path(), |running| running.over.is_some());
        let over = running.over.unwrap();
        let finish = running.end_within(&at_once()).unwrap();
        assert_eq!(finish.status.unwrap().code(), Some(3), "{tier:?}");
        assert_eq!((finish.by_itself, finish.wall_us), (true, over.at_us - finish.begun_us.unwrap()), "{tier:?}");
    }
}
