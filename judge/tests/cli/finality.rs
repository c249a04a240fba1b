//! Results that were declared final, by commands and on the site.

use crate::serve::form_of;
use crate::site::{SOLVES, Site, club};
use crate::support::*;

const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

/// A club whose team `ada` is judged.
fn judged() -> (Folder, Vec<String>) {
    let (folder, tokens) = club(&["ada", "bob"]);
    folder.file("main.c", SOLVES);
    folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
    folder.judge(["office", "judge", "club"]).exits(0);
    (folder, tokens)
}

#[test]
fn results_that_are_final_change_by_no_command() {
    let (folder, _) = judged();
    folder.judge(["office", "finalize", "club"]).exits(2).says(["nothing was done, repeat the command with --yes"]);
    folder.judge(["office", "submit", "club", "bob", "main.c"]).exits(0);
    folder.judge(["office", "finalize", "club", "--yes"]).exits(2).says(["bob.2 is not judged yet"]);
    folder.judge(["office", "cancel", "club", "2"]).exits(0);
    folder.judge(["office", "finalize", "club", "--yes"]).exits(0);
    let before = folder.judge(["rank", "club/results", "--format", "csv"]).exits(0).stdout;
    let lines = || fs::read(folder.path().join("club/results/journal.jsonl")).unwrap();
    let (log, because) = (lines(), "--because=it was wrong");
    let commands: &[&[&str]] = &[
        &["office", "submit", "club", "bob", "main.c"],
        &["office", "ignore", "club", "1", because],
        &["office", "hold", "club", "1"],
        &["office", "disqualify", "club", "ada", because],
        &["office", "strike", "club", "NEAR", because],
        &["office", "rule", "club", "ada.1", "NEAR", "wrong", because],
        &["office", "extend", "club", "--closes", "2100-01-01T00:00:00Z", because],
        &["office", "freeze", "club"],
        &["office", "begin-finals", "club", "--yes"],
        &["office", "rejudge", "club"],
        &["office", "registration", "club", "--most", "3"],
        &["office", "finalize", "club", "--yes"],
        &["team", "add", "club", "cleo"],
        &["rule", "club/results", "ada.1", "NEAR", "wrong", because],
        &["rejudge", "club/results"],
        &["resume", "club/results"],
    ];
    for command in commands {
        let refused = folder.judge(command.iter().copied()).exits(2).stderr;
        assert!(refused.contains("final since 20") || refused.contains("final already"), "{command:?}: {refused}");
    }
    folder.judge(["office", "judge", "club"]).exits(0);
    assert!(lines() == log, "the log is as it was");
    assert_eq!(folder.judge(["rank", "club/results", "--format", "csv"]).exits(0).stdout, before);
    folder.judge(["office", "reopen", "club", "--because", "bob was in time"]).exits(0);
    folder.judge(["office", "clock", "club"]).exits(0).shows(["bob was in time"]).hides(["are final since"]);
    folder.judge(["office", "submit", "club", "bob", "main.c"]).exits(0);
    folder.judge(["office", "judge", "club"]).exits(0).shows(["bob.3"]);
}

#[test]
fn the_site_confirms_that_results_are_final_and_takes_it_back() {
    let (folder, tokens) = judged();
    let site = Site::start(&folder, &[]);
    let (organiser, ada) = (site.with(site.organiser.as_ref().unwrap()), site.with(&tokens[0]));
    let clock = "/office/clock";
    let decide = |form: &str| organiser.request("POST", clock, FORM, form.as_bytes());
    for action in ["finalize", "begin-finals"] {
        let refused = decide(&format!("action={action}"));
        assert!(refused.code == 422 && refused.body.contains("confirm it"), "{}", refused.body);
    }
    let submit = |version: u32| {
        let text = format!("// {version}\n{SOLVES}");
        let headers = "Content-Type: multipart/form-data; boundary=b\r\n";
        ada.request("POST", "/submit", headers, &form_of(&[], "files", &[("main.c", text.as_bytes())]))
    };
    let submitted = submit(1);
    assert_eq!(submitted.code, 303, "{}", submitted.body);
    ada.until(&submitted.header("location").unwrap(), "counts");
    assert_eq!(decide("action=finalize&sure=yes").code, 303);
    assert_eq!(submit(1).code, 303, "the same upload is the same submission");
    let refused = submit(2);
    assert!(refused.code == 403 && refused.body.contains("the results are final since"), "{}", refused.body);
    assert!(organiser.page(clock).contains("Reopen the results"));
    assert_eq!(decide("action=reopen&because=the+referee+was+wrong").code, 303);
    assert!(ada.page("/").contains("the referee was wrong"));
    assert_eq!(submit(2).code, 303);
}

#[test]
fn what_is_out_is_never_called_queued() {
    let (folder, _) = club(&["ada"]);
    for number in 1..=4 {
        folder.file("main.c", format!("// {number}\n{SOLVES}"));
        folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
    }
    for (decision, number) in [("cancel", "1"), ("ignore", "2"), ("hold", "3")] {
        folder.judge(["office", decision, "club", number]).exits(0);
    }
    let states = |command: &str| {
        let listed = folder.judge(["office", command, "club"]).exits(0).stdout;
        let rows: Vec<String> = listed.lines().filter(|row| row.contains("ada.")).map(str::to_owned).collect();
        rows.iter().map(|row| row.rsplit('┆').next().unwrap().trim_matches([' ', '│']).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(states("list"), ["cancelled", "ignored", "held", "queued"]);
    assert_eq!(states("queue"), ["queued"]);
    let site = Site::start(&folder, &[]);
    let organiser = site.with(site.organiser.as_ref().unwrap());
    let page = organiser.until("/office", "Nothing waits to be judged; 4 submissions came.");
    assert!(!page.contains("Nothing was submitted yet"), "{page}");
}

#[test]
fn a_club_needs_no_entry_of_its_own_and_a_refused_contest_leaves_no_office() {
    let (folder, _) = club(&["ada"]);
    let whole = folder.read("club/contest.toml");
    let (without, _) = whole.split_once("[[entry]]").unwrap();
    for (name, file, accepted) in
        [("none", without.to_owned(), false), ("club-of-teams", format!("{without}[office]\n"), true)]
    {
        folder.file(&format!("{name}/near.txt"), folder.read("club/near.txt"));
        folder.file(&format!("{name}/contest.toml"), file);
        let code = if accepted { 0 } else { 2 };
        folder.judge(["team", "add", name, "ada"]).exits(code);
        assert_eq!(folder.path().join(name).join("office").exists(), accepted, "{name}");
        if !accepted {
            let refused = folder.judge(["serve", name, "--listen", "127.0.0.1:0"]).exits(2).stderr;
            assert!(refused.contains("or [office] if teams hand in all of them"), "{refused}");
            assert!(!folder.path().join(name).join("office").exists(), "{name}");
        }
    }
    folder.file("main.c", SOLVES);
    folder.judge(["office", "submit", "club-of-teams", "ada", "main.c"]).exits(0);
    folder.judge(["office", "judge", "club-of-teams"]).exits(0).shows(["ada.1"]);
    folder.judge(["run", "club-of-teams"]).exits(2).says(["teams hand in all of them"]);
}
