#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::*;
use crate::sandbox::{Sandbox, Start, find};
use crate::{Job, Tier, inherited};

const NO_TIMEOUT: Duration = Duration::ZERO;

/// The shell of this machine.
fn shell() -> PathBuf {
    find("sh".as_ref(), &inherited("PATH").unwrap()).unwrap()
}

/// Runs a script of a shell in a tier, and follows it until `until` returns true. The end of the sandbox would be that of
/// the run.
fn run_until(
    tier: Tier,
    shell: &Path,
    script: &str,
    folder: &Path,
    until: impl Fn(&Running) -> bool,
) -> (Sandbox, Running) {
    let base = folder.join("root");
    std::fs::create_dir(&base).unwrap();
    let sandbox = Sandbox::new(tier, base);
    let program = shell.to_owned().into();
    let job = Job::new(["sh", "-c", script], folder.join("out"), folder.join("err"));
    let scratch = (!sandbox.has_own_root()).then_some(folder);
    let start =
        Start { program: &program, job: &job, user: None, environment: Vec::new(), wire: None, talks: false, scratch };
    let mut running = sandbox.start(&start).ok().unwrap();
    let begun = Instant::now();
    while !until(&running) {
        assert!(begun.elapsed() < CLEANUP_TIMEOUT, "{tier:?}");
        ready_within(running.fd(), HELP_DELAY).unwrap();
        running.receive().unwrap();
    }
    (sandbox, running)
}

#[test]
fn a_run_whose_processes_the_kernel_does_not_remove_has_the_verdict_of_what_was_known_before() {
    let at_once = || ExitTimeout { begun: Instant::now(), most: NO_TIMEOUT, interrupt: None };
    for tier in [Tier::Namespaces, Tier::Landlock, Tier::ProcessGroup] {
        // The judge ends it, and gets no answer.
        let folder = tempfile::tempdir().unwrap();
        let (_sandbox, running) =
            run_until(tier, &shell(), "exec sleep 600", folder.path(), |running| running.begun_us().is_some());
        let begun_us = running.begun_us().unwrap();
        let finish = running.end_within(&at_once()).unwrap();
        assert_eq!(finish.status.unwrap().signal(), Some(libc::SIGKILL), "{tier:?}");
        assert!(!finish.by_itself && finish.wall_us <= now_us() - begun_us, "{tier:?}");
        // It has ended by itself, and what it left is not removed.
        let folder = tempfile::tempdir().unwrap();
        let (_sandbox, running) =
            run_until(tier, &shell(), "sleep 600 & exit 3", folder.path(), |running| running.over.is_some());
        let over = running.over.unwrap();
        let finish = running.end_within(&at_once()).unwrap();
        assert_eq!(finish.status.unwrap().code(), Some(3), "{tier:?}");
        assert_eq!((finish.by_itself, finish.wall_us), (true, over.at_us - finish.begun_us.unwrap()), "{tier:?}");
    }
}

#[test]
fn only_the_main_process_is_known_to_have_executed_nothing_yet() {
    for tier in [Tier::Namespaces, Tier::Landlock, Tier::ProcessGroup] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = folder.path().join("program");
        std::fs::copy(shell(), &program).unwrap();
        // The kernel executes no program that is open for writing, and the process tries again for a second.
        let open = std::fs::File::options().append(true).open(&program).unwrap();
        let script = "{ sleep 600; :; } & { sleep 600; :; } & wait";
        let (_sandbox, running) =
            run_until(tier, &program, script, folder.path(), |running| running.begun_us().is_some());
        let before = (running.unexecuted(), running.members());
        drop(open);
        // Then it has children that have executed nothing either.
        let begun = Instant::now();
        while running.members().len() < 5 {
            assert!(begun.elapsed() < Duration::from_secs(5), "{tier:?} {:?} {:?}", before, running.members());
            std::thread::yield_now();
        }
        let after = running.unexecuted();
        running.end_within(&ExitTimeout { begun: Instant::now(), most: CLEANUP_TIMEOUT, interrupt: None }).unwrap();
        assert_eq!((before.0, after), (before.1.first().copied(), None), "{tier:?}: {before:?}");
        assert_eq!(before.1.len(), 1, "{tier:?}: {before:?}");
    }
}
