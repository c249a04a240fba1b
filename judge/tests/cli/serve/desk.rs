//! The organiser's pages, and the commands with the same actions and contents.

use super::*;

use crate::support::*;

/// The actions of the organiser's forms, each with the command that does the same.
const ACTIONS: [(&str, &str); 34] = [
    ("leave", ""),
    ("office/freeze", "office freeze"),
    ("office/thaw", "office thaw"),
    ("office/clock extend", "office extend"),
    ("office/clock freeze", "office freeze"),
    ("office/clock thaw", "office thaw"),
    ("office/clock begin-finals", "office begin-finals"),
    ("office/clock finalize", "office finalize"),
    ("office/clock reopen", "office reopen"),
    ("office/contest strike", "office strike"),
    ("office/contest unstrike", "office unstrike"),
    ("office/contest disqualify", "office disqualify"),
    ("office/contest reinstate", "office reinstate"),
    ("office/teams add", "team add"),
    ("office/teams renew", "team renew"),
    ("office/teams revoke", "team revoke"),
    ("office/organisers renew", "office link"),
    ("office/organisers remove", "office unlink"),
    ("office/clarifications notice", "office notice"),
    ("office/clarifications claim", "office claim"),
    ("office/clarifications answer", "office answer"),
    ("office/clarifications publish", "office answer"),
    ("office/rejudging ask", "office rejudge"),
    ("office/rejudging record", "office rejudge"),
    ("office/rejudging partial", "office rejudge"),
    ("office/rejudging drop", "office rejudge"),
    ("office/submissions/N admit", "office admit"),
    ("office/submissions/N hold", "office hold"),
    ("office/submissions/N release", "office release"),
    ("office/submissions/N cancel", "office cancel"),
    ("office/submissions/N ignore", "office ignore"),
    ("office/submissions/N consider", "office consider"),
    ("office/submissions/N/rule", "office rule"),
    ("submissions/N/choose", "office choose"),
];
/// The organiser's pages, each with the command that prints the same.
const PAGES: [(&str, &str); 8] = [
    ("/office", "office queue"),
    ("/office/submissions", "office list"),
    ("/office/teams", "team list"),
    ("/office/clock", "office clock"),
    ("/office/rejudging", "office rejudge"),
    ("/office/log", "office log"),
    ("/clarifications", "office questions"),
    ("/submissions/1", "office list"),
];

/// The actions of all forms of a page: the address of the form without numbers, and the value of each button with a name.
fn actions(page: &str) -> BTreeSet<String> {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let mut found = BTreeSet::new();
    for form in page.split("<form").skip(1) {
        let form = form.split("</form>").next().unwrap();
        let to = attribute(form.split('>').next().unwrap(), "action").unwrap();
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let to = to.split('/').map(|part| if is_number(part) { "N" } else { part }).collect::<Vec<_>>().join("/");
        for button in form.split("<button").skip(1) {
            let value = attribute(button.split('>').next().unwrap(), "value");
            found.insert(value.map_or(to.clone(), |value| format!("{to} {value}")));
        }
    }
    found
}

#[test]
fn every_action_of_the_organisers_pages_is_a_command_too() {
    let (folder, tokens) = club_with(&["ada"], "[office]\nlimit = { every = \"1s\" }\n");
    let site = Site::start(&folder, &[]);
    let (ada, organiser) = (site.with(&tokens[0]), site.with(site.organiser.as_ref().unwrap()));
    ada.until(&ada.submit("main.c", SOLVES), "counts");
    ada.post_form("/clarifications", "text=May+I+guess%3F");
    let known: BTreeSet<&str> = ACTIONS.iter().map(|(action, _)| *action).collect();
    let mut found = BTreeSet::new();
    let mut look = || {
        for (path, _) in PAGES {
            found.extend(actions(&organiser.page(path)));
        }
    };
    look();
    // Other states of the contest have other buttons.
    organiser.post_form("/office/submissions/1", "action=hold");
    organiser.post_form("/office/freeze", "");
    look();
    organiser.post_form("/office/submissions/1", "action=ignore");
    organiser.post_form("/office/rejudging", "action=ask");
    organiser.until("/office/rejudging", "were refereed again");
    look();
    organiser.post_form("/office/rejudging", "action=drop");
    assert_eq!(organiser.post_form("/office/clock", "action=finalize&sure=yes").code, 303);
    look();
    assert!(found.contains("office/clock reopen"), "{found:?}");
    assert!(found.len() > 20, "{found:?}");
    let unknown: Vec<&String> = found.iter().filter(|action| !known.contains(action.as_str())).collect();
    assert!(unknown.is_empty(), "no command is named for {unknown:?}");
    let commands: BTreeSet<&str> =
        ACTIONS.iter().chain(&PAGES).map(|(_, command)| *command).filter(|command| !command.is_empty()).collect();
    for command in commands {
        folder.judge(command.split(' ').chain(["--help"])).exits(0);
    }
}

#[test]
fn the_differences_of_two_submissions_are_those_of_the_organisers_page() {
    let (folder, tokens) = club(&["ada", "bob"]);
    let site = Site::start(&folder, &[]);
    let (ada, organiser) = (site.with(&tokens[0]), site.with(site.organiser.as_ref().unwrap()));
    let texts = ["int main() {\n\treturn 0;\n}\n", "// <b>new</b>\nint main() {\n\treturn 1;\n}\n"];
    ada.submit_with(&[("a.c", texts[0].as_bytes()), ("b.h", b"//\n"), ("c.h", b"//\n")], "");
    ada.submit_with(&[("a.c", texts[1].as_bytes()), ("c.h", b"//\n"), ("d.h", b"\xff\n")], "");
    folder.judge(["office", "queue", "club"]).exits(0);
    let json = folder.judge(["office", "diff", "club", "1", "ada.2", "--json"]).exits(0).json();
    assert_eq!((&json["before"], &json["after"]), (&"ada.1".into(), &"ada.2".into()));
    let files = json["files"].as_array().unwrap();
    let changes: Vec<(&str, &str)> =
        files.iter().map(|file| (file["path"].as_str().unwrap(), file["change"].as_str().unwrap())).collect();
    assert_eq!(changes, [("a.c", "lines"), ("b.h", "removed"), ("d.h", "added")]);
    // The common lines with those of one mark make up each file.
    let lines = files[0]["lines"].as_array().unwrap();
    for (text, left_out) in texts.iter().zip(["+", "-"]) {
        let kept = lines.iter().filter(|line| line["mark"] != left_out);
        let again: String = kept.map(|line| format!("{}\n", line["text"].as_str().unwrap())).collect();
        assert_eq!(again, **text);
    }
    assert_eq!(lines.iter().filter(|line| line["mark"] == " ").count(), 2);
    // The text equals that of the page.
    let printed = folder.judge(["office", "diff", "club", "1", "2"]).exits(0).stdout;
    let page = organiser.page("/office/submissions/2/diff/1");
    let shown = page.split_once("<pre tabindex=\"0\">").unwrap().1.split("</pre>").next().unwrap();
    let shown = shown.replace("&lt;", "<").replace("&gt;", ">");
    assert!(printed.starts_with(&format!("a.c:\n{shown}b.h: only ada.1 has it\n")), "{printed}{shown}");
    assert!(printed.ends_with("d.h: only ada.2 has it\n"), "{printed}");
    let same = folder.judge(["office", "diff", "club", "1", "1"]).exits(0).stdout;
    assert_eq!(same, "the files of ada.1 and ada.1 are the same\n");
    assert!(organiser.page("/office/submissions/1/diff/1").contains("The files are the same."));
    folder.judge(["office", "diff", "club", "1", "9"]).exits(2).says(["unknown submission 9"]);
    assert_eq!(organiser.get("/office/submissions/1/diff/9").code, 404);
    assert_eq!(site.with(&tokens[1]).get("/office/submissions/2/diff/1").code, 404);
}

#[test]
fn queue_clock_and_log_are_printed() {
    let (folder, _) = club_with(&["ada"], "[office]\ncloses = 2999-01-01T00:00:00Z\n");
    folder.file("main.c", SOLVES);
    for text in [SOLVES, "int main( {"] {
        folder.file("main.c", text);
        folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
    }
    let queue = || folder.judge(["office", "queue", "club"]).exits(0).stdout;
    assert!(queue().contains("ada.1") && queue().contains("ada.2"), "{}", queue());
    folder.judge(["office", "judge", "club"]).exits(0);
    assert_eq!(queue(), "no submission waits, runs or is held\n");
    folder.judge(["office", "freeze", "club"]).exits(0);
    folder.judge(["office", "strike", "club", "NEAR", "--because", "too near"]).exits(0);
    folder.judge(["office", "judge", "club"]).exits(0);
    let clock = folder.judge(["office", "clock", "club"]).exits(0).stdout;
    for line in
        ["now 2", "closes 2999-01-01T00:00:00Z", "the board is frozen since 2", "board NEAR is struck: too near"]
    {
        assert!(clock.lines().any(|printed| printed.starts_with(line)), "{line}: {clock}");
    }
    let log = folder.judge(["office", "log", "club", "--all"]).exits(0).stdout;
    let whole = folder.read("club/results/journal.jsonl");
    assert!(log.lines().eq(whole.lines().filter(|line| line.starts_with("{\"line\":\"office\","))));
    assert!(log.ends_with(&folder.judge(["office", "log", "club"]).exits(0).stdout));
}

#[test]
fn a_check_reads_everything_and_writes_nothing() {
    let (folder, _) = club(&["ada"]);
    folder.file("main.c", SOLVES);
    folder.judge(["office", "submit", "club", "ada", "main.c"]).exits(0);
    folder.judge(["office", "judge", "club"]).exits(0);
    let state = || {
        let names = ["club/office/private.jsonl", "club/results/journal.jsonl", "club/contest.toml"];
        names.map(|name| folder.read(name))
    };
    let before = state();
    let checked = folder.judge(["serve", "club", "--check"]).exits(0).stdout;
    for part in
        ["contest file: 1 board, 1 entry", "the chain of", "1 uploads are as they came", "results: 2 runs are recorded"]
    {
        assert!(checked.contains(part), "{part}: {checked}");
    }
    assert_eq!(state(), before);
    // It also works while a site serves the contest, and before the office exists.
    let site = Site::start(&folder, &[]);
    folder.judge(["serve", "club", "--check"]).exits(0);
    site.stop();
    folder.file("second/near.txt", folder.read("club/near.txt"));
    folder.script("second/own.sh", "echo lluu");
    folder.file("second/contest.toml", folder.read("club/contest.toml"));
    let fresh = folder.judge(["serve", "second", "--check"]).exits(0).stdout;
    assert!(fresh.contains("office: none") && !folder.path().join("second/office").exists(), "{fresh}");
    assert!(
        folder
            .judge(["serve", "club", "--check", "--listen", "0.0.0.0:80"])
            .exits(2)
            .message()
            .contains("is not encrypted")
    );
    // An incomplete last line after a kill is not damage. A start drops it.
    let whole = folder.read("club/results/journal.jsonl");
    folder.file("club/results/journal.jsonl", whole.clone() + "{\"at\":1");
    let torn = folder.judge(["serve", "club", "--check"]).exits(0).stdout;
    let lines = |log: &str| log.split_once("the chain of ").unwrap().1.split(' ').next().unwrap().to_owned();
    assert_eq!(torn.matches("an incomplete last line of 7 bytes, which a start drops").count(), 1, "{torn}");
    assert_eq!(lines(&torn), lines(&folder.judge(["serve", "club", "--check"]).exits(0).stdout));
    folder.file("club/results/journal.jsonl", whole);
    // A changed upload, and a changed line of the log.
    let upload = files_of(&folder.path().join("club/office/uploads")).pop().unwrap();
    let bytes = std::fs::read(&upload).unwrap();
    let write = |bytes: &[u8]| {
        std::fs::remove_file(&upload).unwrap();
        std::fs::write(&upload, bytes).unwrap();
    };
    write(b"changed");
    let damaged = folder.judge(["serve", "club", "--check"]).exits(2);
    assert!(damaged.stdout.contains("submission 1: uploads/") && damaged.message().contains("1 problem found"));
    write(&bytes);
    let log = folder.read("club/results/journal.jsonl");
    folder.file("club/results/journal.jsonl", log.replacen("\"ada\"", "\"eve\"", 1));
    folder.judge(["serve", "club", "--check"]).exits(2);
}

#[test]
fn several_folders_are_refused_with_the_file_that_replaces_them() {
    let (folder, _) = club(&["ada"]);
    for option in ["--check", "--listen=127.0.0.1:0"] {
        let refused = folder.judge(["serve", "spring/knights", "spring/loyd", option]).exits(2).message();
        let file = "name = \"spring\"\n\n[[problem]]\nid = \"knights\"\nfile = \"knights/problem.toml\"\n\n\
                    [[problem]]\nid = \"loyd\"\nfile = \"loyd/problem.toml\"\n\n[office]";
        assert!(refused.contains(file), "{refused}");
    }
}

#[test]
fn commands_name_the_problem_of_a_submission() {
    let (folder, _) = club(&["ada", "bob"]);
    crate::site::several(&folder, "Two", &[("near", "Near"), ("far", "Far")]);
    folder.file("main.c", SOLVES);
    let submit = |more: &[&str]| {
        folder.judge(["office", "submit", "club", "ada", "main.c"].into_iter().chain(more.iter().copied()))
    };
    submit(&[]).exits(2).says(["name the problem; this contest has `near`, `far`"]);
    submit(&["--problem", "fr"]).exits(2).says(["unknown problem `fr`; did you mean `far`?"]);
    assert!(submit(&["--problem", "far"]).exits(0).stdout.starts_with("ada.1 "));
    assert!(submit(&["--problem", "near"]).exits(0).stdout.starts_with("ada.2 "));
    folder.judge(["office", "submit", "club", "bob", "main.c", "--problem", "near"]).exits(0);
    folder.judge(["office", "queue", "club"]).exits(0).shows(["problem", "far"]);
    // Each team has one row, with a `STA` where it submitted nothing.
    let table = folder.judge(["office", "judge", "club"]).exits(0).stdout;
    let ranked = folder.judge(["rank", "club/results", "--format", "csv"]).exits(0).stdout;
    let rows: Vec<&str> = ranked.lines().map(|row| row.split(",,").next().unwrap()).collect();
    assert!(table.contains("ada") && !table.contains("ada.1"), "{table}");
    assert!(ranked.contains(",ada,") && ranked.contains(",bob,") && ranked.contains("STA"), "{rows:?} {ranked}");
    folder.judge(["rank", "club/results/results.csv", "--format", "csv"]).exits(0).shows([",ada,"]).hides(["ada.1"]);
    folder.judge(["verify", "club/results"]).exits(0);
}

/// All files below a folder.
pub(super) fn files_of(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_of(&path) } else { vec![path] }).collect()
}
