//! A layer of isolation that was there and is lost: every command says so, and an office judges nothing with less.
//!
//! strace has the kernel refuse each filter of system calls, as one does that has no room for more. Nothing is attached.

#![allow(clippy::disallowed_macros, reason = "a test says why it is skipped")]

use std::process::Output;

use crate::site::{SOLVES, Site, club};
use crate::support::*;

/// strace, which has the kernel refuse each filter.
const NO_FILTERS: [&str; 9] =
    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=seccomp", "-e", "inject=seccomp:error=EINVAL"];

/// What the judge does on a machine that refuses filters. `None` if it cannot be traced here.
fn without_filters(folder: &Folder, arguments: &[&str]) -> Option<Output> {
    let mut strace = Command::new(NO_FILTERS[0]);
    strace
        .args(&NO_FILTERS[1..])
        .arg(env!("CARGO_BIN_EXE_judge"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null());
    let output = strace.output().ok()?;
    let refused = String::from_utf8_lossy(&output.stderr).contains("ptrace");
    if refused {
        eprintln!("skipped: strace may not trace here");
    }
    (!refused).then_some(output)
}

fn printed(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Tests whether this machine has filters to lose.
fn has_filters(folder: &Folder) -> bool {
    folder.judge(["doctor", "--json"]).exits(0).stdout.contains("a filter can be set")
}

const WEAKER: &str = "runs are isolated less than those before, without seccomp, the tier namespaces";

#[test]
fn a_run_with_less_than_the_machine_should_have_says_so() {
    let folder = Folder::new();
    folder.script("mine", "echo lluu");
    let text = contest(&[("A", &board("near-end-1"))]) + &entry("mine", &["./mine"]);
    folder.file("contest.toml", &text);
    if !has_filters(&folder) {
        return;
    }
    let whole = folder.judge(["run", "--out", "out"]).exits(0);
    assert!(!whole.stderr.contains("warning"), "{}", whole.stderr);
    folder.file("contest.toml", text + &entry("later", &["./mine"]));
    let Some(output) = without_filters(&folder, &["update", "out"]) else { return };
    let (message, table) = (printed(&output.stderr), printed(&output.stdout));
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("this does not work: seccomp: "), "{message}");
    assert_eq!(message.matches("warning: programs run in the tier").count(), 1, "once: {message}");
    let tier = if message.contains("in the tier namespaces") { "without seccomp" } else { WEAKER };
    assert!(message.contains(tier), "{message}");
    assert!(table.contains("Some runs were less isolated than others, without "), "{table}");
    // A first run has nothing to compare with.
    let Some(output) = without_filters(&folder, &["run", "--out", "new"]) else { return };
    let message = printed(&output.stderr);
    assert!(
        message.contains("this does not work: seccomp: ") && !message.contains("less than those before"),
        "{message}"
    );
}

#[test]
fn an_office_judges_nothing_with_less_than_before_unless_the_contest_file_says_so() {
    let folder = Folder::new();
    folder.script("house", "echo lluu");
    let text = contest(&[("A", &board("near-end-1"))]) + &entry("house", &["./house"]);
    folder.file("contest.toml", &text);
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    if !has_filters(&folder) {
        return;
    }
    folder.judge(["team", "add", ".", "ada"]).exits(0);
    folder.judge(["office", "judge", "."]).exits(0);
    folder.script("handed-in", "echo lluu");
    folder.judge(["office", "submit", ".", "ada", "handed-in"]).exits(0);
    let Some(output) = without_filters(&folder, &["office", "judge", "."]) else { return };
    let message = printed(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("runs are isolated less than those before, without "), "{message}");
    assert!(message.contains("`weaker_isolation = true` in [office] allows it"), "{message}");
    let listed = || folder.judge(["office", "list", "."]).exits(0).stdout;
    assert!(listed().contains("queued"), "{}", listed());
    folder.file("contest.toml", text + "[office]\nweaker_isolation = true\n");
    let output = without_filters(&folder, &["office", "judge", "."]).unwrap();
    let message = printed(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{message}");
    assert!(message.contains("warning: runs are isolated less than those before"), "{message}");
    assert!(!listed().contains("queued"), "{}", listed());
}

#[test]
fn a_site_says_on_its_pages_what_is_lost_and_judges_only_if_it_may() {
    let (folder, tokens) = club(&["ada", "bob"]);
    if !has_filters(&folder) || without_filters(&folder, &["--version"]).is_none() {
        return;
    }
    let site = Site::start(&folder, &[]);
    let organiser = site.organiser.clone().unwrap();
    let before = site.with(&tokens[0]).submit("main.c", SOLVES);
    site.with(&tokens[0]).until(&before, "counts");
    assert!(!site.with(&organiser).page("/office").contains("does not work"));
    site.stop();
    // The site is the child of the test, and not of strace.
    let by = [&NO_FILTERS[..], &["-D"]].concat();
    let start = || {
        let log = fs::File::options().append(true).open(folder.path().join("access.log")).unwrap();
        Site::started_by(&folder, &by, &[], log.into())
    };
    let site = start();
    let page = site.with(&tokens[1]).submit("main.c", SOLVES);
    let lost = "runs are isolated less than those before, without ";
    site.with(&organiser).until("/office", &format!("Judging has stopped and is tried again: <bdi>{lost}"));
    let ready = site.visitor().request("GET", "/readyz", "", b"");
    let stopped = "judging has stopped and is tried again; the organiser's page says why\n";
    assert_eq!((ready.code, &*ready.body), (503, stopped));
    assert!(!site.with(&tokens[1]).page(&page).contains("counts"));
    site.stop();
    let text = folder.read("club/contest.toml") + "[office]\nweaker_isolation = true\n";
    folder.file("club/contest.toml", text);
    let site = start();
    site.with(&tokens[1]).until(&page, "counts");
    let office = site.with(&organiser).page("/office");
    assert!(office.contains(&format!("Judging goes on, as the contest file allows it: {lost}")), "{office}");
    assert!(office.contains("because this does not work: seccomp: "), "{office}");
    let less = "ready\nruns are isolated less than those before; the organiser's page says how\n";
    assert_eq!(site.visitor().page("/readyz"), less);
    site.stop();
    let log = folder.read("access.log");
    for message in ["judging has stopped and is tried again: ", "warning: "] {
        assert!(log.contains(&format!("{message}{lost}")), "{log}");
    }
    folder.judge(["rank", "club/results"]).exits(0).shows(["Some runs were less isolated than others, without "]);
}
