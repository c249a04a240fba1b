//! `judge run` while it runs: the screen in a real terminal, the lines in a pipe, and ways to end it.

use rustix::process::Signal;

use crate::support::*;
use crate::terminal::Terminal;

/// Two boards; an entry that answers at once, one with an illegal answer, and one that takes so many milliseconds.
fn contest_with(folder: &Folder, slow: &str) {
    contest_of(folder, &entry("slow", &["./rogue", "answer-after", slow, "lluu"]), "10s");
}

/// Two boards; an entry that answers at once, one with an illegal answer, and this slow entry, with this limit.
fn contest_of(folder: &Folder, slow: &str, limit: &str) {
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let text = contest(&[("NEAR", &board("near-end-1")), ("FAR", &board("near-end-2"))]);
    let text =
        text + &entry("quick", &["./rogue", "answer", "lluu"]) + &entry("illegal", &["./rogue", "answer", "lx"]) + slow;
    folder.file("contest.toml", text.replace("10s", limit));
}

fn run(folder: &Folder) -> Terminal {
    Terminal::judge(folder, ["run", "--out", "out", "--jobs", "1"])
}

#[test]
fn the_table_follows_the_screen() {
    let folder = Folder::new();
    // Answers at once on the first board, with more moves than needed. On the second one it waits until the test has seen the screen.
    let gate = folder.path().join("gate").display().to_string();
    folder.file("gate/near.txt", fs::read(board("near-end-1")).unwrap());
    folder.script(
        "slow",
        &format!("cmp -s \"$1\" {gate}/near.txt || while [ ! -e {gate}/open ]; do sleep 0.1; done; echo lrlluu"),
    );
    contest_of(&folder, &(entry("slow", &["./slow"]) + "readable = [\"gate\"]\n"), "10m");
    let terminal = run(&folder);
    let text = terminal.until("standings", |text| {
        text.contains("slow on FAR") && text.contains("standings on the 1 board finished by all entries")
    });
    for wanted in [
        "test, 10m per board",
        "of 6 runs",
        " elapsed, estimated ",
        "running: 1",
        "of 10m  slow on FAR",
        "  1 quick",
        "failures and notices, newest first",
        "  illegal on NEAR: illegal move 2 `x`",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    terminal.resize(12, 50);
    terminal.until("the smaller screen", |text| text.lines().all(|line| line.chars().count() <= 50));
    terminal.shows("slow on FAR");
    terminal.resize(40, 120);
    folder.file("gate/open", "");
    let text = terminal.left_with(0);
    assert!(text.contains("results in out\n"), "{text}");
    assert!(text.contains("│ 1 ┆ quick"), "the table is on the usual screen:\n{text}");
    assert!(!text.contains("failures and notices"), "nothing is left of the other one:\n{text}");
}

/// A way to end a contest.
type Stop<'a> = &'a (dyn Fn(&Terminal) + Sync);

#[test]
fn a_signal_restores_the_terminal() {
    let signals: [(Stop, i32); 4] = rows! {
        (&|terminal| terminal.press("\x03"), 130),
        // A second one ends the judge at once.
        (&|terminal| { terminal.press("\x03"); std::thread::sleep(Duration::from_millis(30)); terminal.press("\x03"); }, 130),
        (&|terminal| terminal.signal(Signal::TERM), 143),
        (&|terminal| terminal.signal(Signal::HUP), 129),
    };
    let signals: Vec<(usize, (Stop, i32))> = signals.into_iter().enumerate().collect();
    at_once(&signals, |&(number, (stop, code))| {
        let folder = Folder::new();
        contest_with(&folder, "600000");
        let terminal = run(&folder);
        terminal.shows("slow on NEAR");
        // Keys have no effect here, and are not left for the shell.
        terminal.press("qx \x1a");
        stop(&terminal);
        let text = terminal.left_with(code);
        let message = text.replace("\n  ", " ");
        assert!(
            number == 1 || message.contains("interrupted; finished runs are saved; resume with `judge resume out`"),
            "{text}"
        );
        assert!(!text.contains("qx"), "{text}");
        let left = || processes_naming(folder.path());
        wait_for(|| left().join("\n"), || left().is_empty().then_some(()));
    });
}

#[test]
fn a_terminal_that_disappears_or_is_not_read_does_not_hold_up_the_contest() {
    let finished = |folder: &Folder| {
        let journal = || std::fs::read_to_string(folder.path().join("out/journal.jsonl")).unwrap_or_default();
        wait_for(journal, || (journal().lines().count() >= 7).then_some(()));
    };
    // A window that is closed while the judge ignores hangups.
    let closed = || {
        let folder = Folder::new();
        contest_with(&folder, "600");
        let script = format!("trap '' HUP; exec '{}' run --out out --jobs 1", env!("CARGO_BIN_EXE_judge"));
        let terminal = Terminal::unread(&folder, ["sh", "-c", &script], &[]);
        let runs = || !processes_naming(&folder.path().join("rogue")).is_empty();
        wait_for(|| "no run has begun".to_owned(), || runs().then_some(()));
        terminal.disappear();
        finished(&folder);
    };
    // A terminal that is stopped. What it is shown meanwhile does not fit into what the system keeps for it.
    let stopped = || {
        let folder = Folder::new();
        contest_with(&folder, "600");
        let mut terminal =
            Terminal::unread(&folder, [env!("CARGO_BIN_EXE_judge"), "run", "--out", "out", "--jobs", "1"], &[]);
        for columns in (40..200).rev() {
            terminal.resize(60, columns);
            std::thread::sleep(Duration::from_millis(5));
        }
        finished(&folder);
        terminal.read();
        terminal.left_with(0);
    };
    let both: [&(dyn Fn() + Sync); 2] = [&closed, &stopped];
    at_once(&both, |one| one());
}

/// The text of a screen without times, which differ from run to run.
fn timeless(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if let Some(second) = words.iter().position(|word| *word == "s") {
            words[second - 1] = "TIME";
        }
        words.join(" ") + "\n"
    });
    lines.collect()
}

#[test]
fn without_a_terminal_there_is_a_line_per_finished_run() {
    let folder = Folder::new();
    contest_with(&folder, "1");
    let printed = folder.judge(["run", "--out", "out", "--jobs", "1", "--format", "plain"]).exits(0);
    assert_snapshot!(timeless(&printed.stderr), @r#"
    1/6 quick NEAR 25/4 TIME s
    2/6 illegal NEAR 0/ILL TIME s illegal move 2 `x`: an answer has only the moves u, d, l, r, t and white space
    3/6 slow NEAR 25/4 TIME s
    4/6 illegal FAR 0/ILL TIME s illegal move 2 `x`: an answer has only the moves u, d, l, r, t and white space
    5/6 slow FAR 22/4 TIME s stops short of the goal: progress 22 of 25, moves 4, tie_break 0
    6/6 quick FAR 22/4 TIME s stops short of the goal: progress 22 of 25, moves 4, tie_break 0
    results in out
    "#);
    let quiet = folder.judge(["run", "--out", "quiet", "--progress", "none"]).exits(0);
    assert_eq!(quiet.stderr, "results in quiet\n");
    let refused = folder.judge(["run", "--out", "refused", "--progress", "live"]).exits(2);
    assert_snapshot!(refused.message(), @"judge: --progress live needs a terminal on standard error, and `judge` in its foreground; use --progress lines");

    let script = format!("set -m; '{}' run --out back --jobs 1 >table & wait $!", env!("CARGO_BIN_EXE_judge"));
    let text = Terminal::run(&folder, ["sh", "-c", &script], &[]).left_with(0);
    assert!(text.contains("results in back\n"), "{text}");
    let lines = folder.judge(["resume", "back", "--progress", "lines"]).exits(0).stderr;
    assert_eq!(lines, "results in back\n", "nothing was left to do");
}
