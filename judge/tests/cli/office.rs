//! The office of a contest: teams, submissions and judging, by commands.

mod answers;
mod desk;
mod rejudging;

use judge_office::results;

use crate::support::*;

/// A contest folder with one board and its reference entry.
fn begun() -> Folder {
    let folder = Folder::new();
    folder.judge(["init", "club"]).exits(0);
    folder
}

fn token_of(printed: &str, team: &str) -> String {
    let line = printed.lines().find(|line| line.starts_with(&format!("{team} "))).unwrap();
    line.split_once('#').unwrap().1.to_owned()
}

#[test]
fn each_team_of_a_list_gets_a_token_that_no_file_has() {
    let folder = begun();
    folder.file("teams.csv", "team,name,contact\nada,Ada Lovelace,room 3\nbob, Bob ,\n");
    let added = folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(0).stdout;
    let (ada, bob) = (token_of(&added, "ada"), token_of(&added, "bob"));
    assert!(ada != bob && ada.len() == 43, "{added}");
    let log = folder.read("club/results/journal.jsonl");
    assert!(!log.contains(&ada) && !log.contains("Lovelace"), "{log}");
    folder.judge(["team", "list", "club"]).exits(0).shows(["Ada Lovelace", "Bob"]);
    folder.judge(["team", "forget", "club", "ada"]).exits(0);
    assert!(!folder.judge(["team", "list", "club"]).exits(0).stdout.contains("Lovelace"));
    assert!(!folder.read("club/office/people.json").contains("Lovelace"));
}

#[test]
fn a_contest_that_has_not_begun_names_the_command_that_begins_it() {
    let folder = begun();
    folder.judge(["team", "add", "club", "ada"]).exits(0);
    let no_results = "judge: club/results has no results yet: no submission was judged, so the contest has not begun; \
                      judge its submissions with `judge office judge club`";
    for command in ["verify", "rank", "resume"] {
        assert_eq!(folder.judge([command, "club/results"]).exits(2).message().trim_end(), no_results, "{command}");
    }
}

#[test]
fn invitations_are_links_to_the_site_or_say_what_is_missing() {
    let folder = begun();
    let bare = folder.judge(["team", "add", "club", "ada"]).exits(0);
    assert!(bare.stdout.starts_with("ada /enter#") && bare.stderr.contains("put the address of the site before each"));
    for url in ["https://contest.example", "http://127.0.0.1:8080/"] {
        let whole = folder.judge(["team", "renew", "club", "ada", "--url", url]).exits(0);
        let begin = format!("ada {}/enter#", url.trim_end_matches('/'));
        assert!(whole.stdout.starts_with(&begin) && whole.stderr.is_empty(), "{}{}", whole.stdout, whole.stderr);
    }
    let refused = folder.judge(["office", "link", "club", "--url", "contest.example"]).exits(2).message();
    assert!(refused.contains("such as https://contest.example.org"), "{refused}");
}

#[test]
fn a_list_with_one_bad_team_adds_none() {
    let folder = begun();
    folder.file("teams.csv", "team\nada\nb b\n");
    let refused = folder.judge(["team", "add", "club", "--csv", "teams.csv"]).exits(2).message();
    assert!(refused.contains("teams.csv: line 3: unusable team name"), "{refused}");
    assert!(!folder.path().join("club/office").exists(), "nothing was begun");
}

#[test]
fn a_revoked_team_has_no_token() {
    let folder = begun();
    let first = folder.judge(["team", "add", "club", "ada"]).exits(0).stdout;
    let second = folder.judge(["team", "renew", "club", "ada"]).exits(0).stdout;
    assert_ne!(token_of(&first, "ada"), token_of(&second, "ada"));
    folder.judge(["team", "revoke", "club", "ada"]).exits(0);
    assert!(folder.judge(["team", "list", "club"]).exits(0).stdout.contains("revoked"));
    let unknown = folder.judge(["team", "revoke", "club", "bob"]).exits(2).message();
    assert_eq!(unknown, "judge: unknown team `bob`\n");
}

#[test]
fn an_office_needs_a_contest() {
    let folder = Folder::new();
    folder.judge(["team", "add", ".", "ada"]).exits(2).says(["has no contest.toml", "judge init"]);
    let folder = begun();
    folder.judge(["team", "list", "club"]).exits(2).says(["has no office; begin one with `judge team add`"]);
}

#[test]
fn no_entry_of_the_contest_file_is_taken_for_a_submission() {
    let folder = Folder::new();
    folder.file("contest.toml", contest(&[("A", &board("near-end-1"))]) + &entry("ada.1", &["./house"]));
    folder.script("house", "echo lluu");
    folder.judge(["team", "add", ".", "ada"]).exits(0);
    submit(&folder, "ada", "solve", "#!/bin/sh\nprintf l\n");
    folder.judge(["office", "judge", "."]).exits(2).says(["submissions have names such as `ada.1`; rename that entry"]);
    assert_eq!(status(&folder, "ada.1"), "queued");
}

#[test]
fn an_office_that_goes_on_says_what_has_changed() {
    let folder = Folder::new();
    let own = "[[entry]]\nname = \"mine\"\ncommand = \"./mine.sh\"\n";
    let text = contest(&[("A", &board("near-end-1"))]) + own;
    folder.file("contest.toml", &*text);
    folder.script("mine.sh", "printf lluu");
    folder.judge(["team", "add", ".", "ada"]).exits(0);
    let judge = || folder.judge(["office", "judge", "."]).exits(0).stderr;
    assert!(!judge().contains("changed"));
    assert!(!judge().contains("changed"));
    folder.script("mine.sh", "printf ll");
    // The contest does not have the new entry of its file, so a change of that one is not reported.
    folder.file("contest.toml", text + &own.replace("mine\"\n", "late\"\n"));
    let message = judge();
    assert!(message.contains("notice: the program of mine has changed since the contest started\n"), "{message}");
    assert!(!message.contains("late has changed"), "{message}");
}

#[test]
fn verify_covers_the_log_of_the_office() {
    let folder = Folder::new();
    let entry = "[[entry]]\nname = \"mine\"\ncommand = \"./mine.sh\"\n";
    folder.file("contest.toml", contest(&[("A", &board("near-end-1"))]) + entry);
    folder.script("mine.sh", "exit 1");
    folder.judge(["run", "--out", "results"]).exits(0);
    let verify = || folder.judge(["verify", "results"]);
    assert!(!verify().exits(0).stdout.contains("office"));
    folder.judge(["team", "add", ".", "ada", "bob"]).exits(0);
    assert!(verify().exits(0).stdout.contains("office: the chain of 3 lines is whole"));
    let path = folder.path().join("results/journal.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replacen("bob", "eve", 1)).unwrap();
    verify().exits(1).shows(["DIFFERS", "hash does not match"]);
}

#[test]
fn a_contest_of_version_0_2_goes_on_after_its_conversion() {
    let folder = Folder::new();
    copy_folder(&project().join("judge/office/tests/two-logs"), folder.path());
    folder.judge(["office", "list", "."]).exits(2).says(["has no office"]);
    folder.judge(["rank", "results"]).exits(2).says(["; `judge convert results` converts it to the present form"]);
    let converted = folder.judge(["convert", "."]).exits(0).stdout;
    assert_eq!(converted, ".: 9 lines changed, 22 lines of office/office.jsonl added\n");
    assert_eq!(folder.judge(["convert", "."]).exits(0).stdout, ".: nothing to convert\n");
    let listed = folder.judge(["office", "list", "."]).exits(0).stdout;
    for row in
        [&["ada.1", "one.sh", "counts"], &["bob.2", "two.sh", "counts"], &["ada.3", "two.sh", "ignored: as asked"]]
    {
        assert!(listed.lines().any(|line| row.iter().all(|cell| line.contains(cell))), "{row:?}: {listed}");
    }
    let ranked = folder.judge(["rank", "results", "--format", "csv"]).exits(0).stdout;
    assert!(ranked.lines().any(|row| row.starts_with("1,ada.1,") || row.contains(",ada.1,")), "{ranked}");
    folder.judge(["team", "add", ".", "dora"]).exits(0);
    folder.judge(["office", "consider", ".", "3"]).exits(0);
    assert_eq!(status(&folder, "ada.3"), "counts");
}

/// A contest of two boards with a reference entry and three teams.
fn club() -> Folder {
    let folder = Folder::new();
    let boards = [("A", &*board("near-end-1")), ("B", &*board("near-end-1"))];
    folder.file("contest.toml", contest(&boards) + &entry("house", &["house/solve"]));
    folder.script("house/solve", "printf l");
    folder.judge(["team", "add", ".", "ada", "bob", "cleo"]).exits(0);
    folder
}

fn submit(folder: &Folder, team: &str, file: &str, text: &str) -> String {
    folder.file(file, text);
    folder.judge(["office", "submit", ".", team, file]).exits(0).stdout
}

/// The status of an entry in the list of submissions.
fn status(folder: &Folder, name: &str) -> String {
    let listed = folder.judge(["office", "list", "."]).exits(0).stdout;
    let mut rows = listed.lines().map(|line| line.split(['│', '┆']).map(str::trim).collect::<Vec<_>>());
    let row = rows.find(|cells| cells.get(1) == Some(&name)).unwrap_or_else(|| panic!("{listed}"));
    row[4].to_owned()
}

#[test]
fn an_evening_with_a_club_is_as_the_document_says() {
    let document = fs::read_to_string(project().join("docs/office.md")).unwrap();
    let section =
        document.split("## An evening with your club by hand\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let commands: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    judge ")).collect();
    assert!(!commands.is_empty() && commands.len() <= 6, "{commands:?}");
    let folder = Folder::new();
    let mut last = String::new();
    for command in commands {
        last = folder.judge(command.split(' ')).exits(0).stdout;
    }
    assert!(last.contains("ada.1") && last.contains("bob.2") && !last.contains("cleo"), "{last}");
}

#[test]
fn a_submission_counts_until_another_one_replaces_it() {
    let folder = club();
    let receipt = submit(&folder, "ada", "solve", "#!/bin/sh\nprintf l\n");
    assert!(receipt.starts_with("ada.1 ") && receipt.split(' ').nth(1).unwrap().len() == 64, "{receipt}");
    assert!(submit(&folder, "ada", "solve", "#!/bin/sh\nprintf l\n").ends_with("accepted before\n"));
    assert!(status(&folder, "ada.1") == "queued");
    submit(&folder, "bob", "solve.sh", "if then\n");
    let judged = folder.judge(["office", "judge", "."]).exits(0);
    assert!(judged.stdout.contains("ada.1") && judged.stdout.contains("house"), "{}", judged.stdout);
    assert!(judged.stderr.contains("bob.2 does not build"), "{}", judged.stderr);
    assert!(status(&folder, "ada.1") == "counts" && status(&folder, "bob.2") == "does not build");
    assert!(folder.read("results/builds/bob.2.1.log").contains("syntax error"));
    // The next versions, one of them in several files.
    submit(&folder, "ada", "solve", "#!/bin/sh\nprintf lu\n");
    folder.file("main.sh", ". \"$(dirname \"$0\")/part.sh\"\n");
    folder.file("part.sh", "printf l\n");
    folder.judge(["office", "submit", ".", "bob", "main.sh", "part.sh"]).exits(0);
    folder.judge(["office", "judge", "."]).exits(0);
    assert!(status(&folder, "ada.1") == "superseded by ada.3");
    assert!(status(&folder, "ada.3") == "counts" && status(&folder, "bob.4") == "counts");
    assert!(fs::read_to_string(folder.path().join("results/output/1/bob.4/A.1.out")).unwrap().contains('l'));
    folder.judge(["verify", "results"]).exits(0).shows(["4 uploads are as they came"]);
}

#[test]
#[ignore = "deep: siege"]
fn no_upload_stops_the_office_or_fills_its_disk() {
    let folder = club();
    // A name that is too long for file systems, an array that becomes a large program, and leftovers of an interrupted
    // build.
    let zip = "import sys, zipfile; zipfile.ZipFile('long.zip', 'w').writestr('\u{e9}' * 130 + '.c', 'int main(){}')";
    let python = std::process::Command::new("python3").args(["-c", zip]).current_dir(folder.path()).status();
    if python.is_ok_and(|python| python.success()) {
        folder.judge(["office", "submit", ".", "ada", "long.zip"]).exits(2).says(["it is too long or too deep"]);
    }
    submit(&folder, "ada", "large.c", "char large[300 << 20] = {1}; int main() { return 0; }\n");
    submit(&folder, "bob", "solve", "#!/bin/sh\nprintf l\n");
    let left = folder.path().join("office/entries/bob.2");
    fs::create_dir(&left).unwrap();
    let flags = rustix::fs::OFlags::PATH | rustix::fs::OFlags::DIRECTORY;
    let mut deep = rustix::fs::openat(rustix::fs::CWD, &left, flags, rustix::fs::Mode::empty()).unwrap();
    for _ in 0..20_000 {
        rustix::fs::mkdirat(&deep, "deeper", rustix::fs::Mode::RWXU).unwrap();
        deep = rustix::fs::openat(&deep, "deeper", flags, rustix::fs::Mode::empty()).unwrap();
    }
    folder.judge(["office", "judge", "."]).exits(0);
    assert_eq!(["ada.1", "bob.2"].map(|name| status(&folder, name)), ["does not build", "counts"]);
    assert!(!folder.path().join("office/entries/ada.1").exists(), "nobody runs it");
    let names: Vec<_> = fs::read_dir(left).unwrap().map(|item| item.unwrap().file_name()).collect();
    assert_eq!(names, ["solve"]);
}

#[test]
fn the_build_of_a_submission_changes_no_mode_of_other_files_under_landlock() {
    let folder = club();
    let text = folder.read("contest.toml");
    folder.file("contest.toml", format!("build_isolation = \"landlock\"\n{text}"));
    let modes = || {
        let paths = ["", "office", "office/entries", "office/entries/ada.1", "contest.toml", "house/solve"];
        paths.map(|path| fs::metadata(folder.path().join(path)).unwrap().permissions().mode())
    };
    // The program needs the permission to be executed, which its linker cannot set.
    submit(&folder, "ada", "main.c", "int puts(const char*); int main() { puts(\"lluu\"); return 0; }\n");
    folder.judge(["office", "judge", "."]).exits(0);
    assert_eq!(status(&folder, "ada.1"), "counts");
    assert!(fs::read_to_string(folder.path().join("results/output/1/ada.1/A.1.out")).unwrap().contains("lluu"));
    let before = modes();
    // Perl executes this when it checks the program.
    let names = "qw(.. ../.. ../../.. ../ada.1 ../../../contest.toml ../../../house/solve)";
    folder.file(
        "main.pl",
        format!("#!/usr/bin/perl\nBEGIN {{ chmod 0777, {names}; chmod 0, {names}; }}\nprint 'lluu';\n"),
    );
    folder.judge(["office", "submit", ".", "bob", "main.pl", "--language", "perl"]).exits(0);
    folder.judge(["office", "judge", "."]).exits(0);
    assert_eq!(status(&folder, "bob.2"), "counts");
    assert_eq!(modes(), before);
}

#[test]
fn builds_of_submissions_by_users_of_their_own_reach_nothing_of_each_other() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for isolation in ["auto", "landlock"] {
        let folder = club();
        // Without mounts, the user of a build needs access to its folder. The office closes its own folders, as the
        // other test shows.
        for path in ["", "office", "office/entries"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
            fs::set_permissions(folder.path().join(path), fs::Permissions::from_mode(0o711)).unwrap();
        }
        let text = folder.read("contest.toml");
        folder.file("contest.toml", format!("build_isolation = \"{isolation}\"\n{text}"));
        // Perl executes the block when it checks the program.
        let entries = folder.path().join("office/entries");
        let attack = format!(
            "#!/usr/bin/perl\nBEGIN {{\n\
             open F, '>', 'user'; print F $<; my $own = (stat '.')[1];\n\
             for my $other (map {{ '{}/' . $_ }} qw(ada.1 bob.2 cleo.3)) {{\n\
             my $number = (stat $other)[1]; next if defined $number && $number == $own;\n\
             print F ' read' if open G, '<', \"$other/user\";\n\
             print F ' wrote' if open G, '>', \"$other/forged\";\n\
             print F ' changed' if chmod 0777, \"$other/user\";\n\
             }}\nclose F;\n}}\nprint 'lluu';\n",
            entries.display()
        );
        for team in ["ada", "bob", "cleo"] {
            submit(&folder, team, "main.pl", &attack);
        }
        folder.judge(["office", "judge", "."]).exits(0);
        let names = ["ada.1", "bob.2", "cleo.3"];
        let message = names.map(|name| {
            assert_eq!(status(&folder, name), "counts", "{isolation}");
            folder.read(&format!("office/entries/{name}/user"))
        });
        let mut users =
            message.map(|message| message.parse::<u32>().unwrap_or_else(|_| panic!("{isolation}: {message}")));
        assert!(users.iter().all(|user| (60_706..61_184).contains(user)), "{isolation}: {users:?}");
        users.sort_unstable();
        assert!(users[0] < users[1] && users[1] < users[2], "{isolation}: {users:?}");
    }
}

#[test]
fn what_cannot_be_judged_is_refused_with_its_reason() {
    let folder = club();
    let refused = |team: &str, file: &str, text: &[u8]| {
        folder.file(file, text);
        folder.judge(["office", "submit", ".", team, file]).exits(2).message()
    };
    assert!(refused("dora", "solve.sh", b"x").contains("unknown team"));
    assert!(refused("ada", "notes.txt", b"x").contains("no known language"));
    assert!(refused("ada", "x.zip", b"PK").contains("cannot be read"));
    assert!(refused("ada", "solve.sh", b"").contains("is empty"));
    assert!(!folder.judge(["office", "list", "."]).exits(0).stdout.contains("ada."));
}

/// While one process judges, others submit and decide. No line is lost or doubled, and all are in one order.
#[test]
fn commands_append_to_the_log_while_another_process_judges() {
    let folder = club();
    submit(&folder, "ada", "first", "#!/bin/sh\nsleep 1; printf l\n");
    let mut judging = folder.command(["office", "judge", "."]);
    let mut judging = judging.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    crate::support::wait_for(
        || "a run under way".into(),
        || folder.path().join("results/journal.jsonl").exists().then_some(()),
    );
    let receipts = std::thread::scope(|scope| {
        let hand_in = |team: &'static str| {
            let folder = &folder;
            scope.spawn(move || {
                let each = |number| {
                    let text = format!("#!/bin/sh\n# {team} {number}\nprintf l\n");
                    submit(folder, team, &format!("{team}-{number}"), &text)
                };
                (0..4).map(each).collect::<Vec<_>>()
            })
        };
        let teams = ["bob", "cleo"].map(hand_in);
        for text in ["one", "two", "three"] {
            folder.judge(["office", "notice", ".", text]).exits(0);
        }
        teams.map(|team| team.join().unwrap()).concat()
    });
    assert!(judging.wait().unwrap().success());
    folder.judge(["office", "judge", "."]).exits(0);
    // Numbers from 2 to 9, each once.
    let mut numbers: Vec<u32> = receipts
        .iter()
        .map(|receipt| receipt.split([' ', '.']).nth(1).and_then(|number| number.parse().ok()).unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (2..=9).collect::<Vec<_>>(), "{receipts:?}");
    folder.judge(["verify", "results"]).exits(0).shows(["9 uploads are as they came"]);
    let log = folder.read("results/journal.jsonl");
    assert_eq!(log.lines().filter(|line| line.contains("\"event\":\"message\"")).count(), 3, "{log}");
    let contents = results::read(&folder.path().join("results")).unwrap();
    assert!(contents.missing().is_empty());
    let counts: Vec<&String> =
        receipts.iter().filter(|receipt| status(&folder, receipt.split(' ').next().unwrap()) == "counts").collect();
    assert_eq!(counts.len(), 2, "the last one of each team: {counts:?}");
}

#[test]
#[ignore = "deep: kills"]
fn a_judge_that_is_killed_at_any_line_judges_each_submission_once() {
    let folder = club();
    for (team, moves) in [("ada", "l"), ("bob", "u"), ("cleo", "r"), ("ada", "d")] {
        submit(&folder, team, "solve", &format!("#!/bin/sh\nsleep 0.2; printf {moves}\n"));
    }
    let journal = folder.path().join("results/journal.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    // Each start adds a line at least before it is killed, so this ends.
    let last = loop {
        let before = lines();
        let mut judge = folder.command(["office", "judge", "."]);
        let mut judge = judge.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let ended = loop {
            if let Some(ended) = judge.try_wait().unwrap() {
                break Some(ended);
            }
            if lines() > before {
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        match ended {
            Some(ended) => break ended,
            None => {
                judge.kill().unwrap();
                judge.wait().unwrap();
                kills += 1;
            }
        }
    };
    assert!(last.success() && kills > 0, "{last}, {kills} kills");
    let contents = results::read(&folder.path().join("results")).unwrap();
    assert!(contents.missing().is_empty());
    let runs: Vec<(String, u32)> = (0..contents.order().len())
        .map(|run| (contents.order()[run].entry.to_string(), contents.attempts()[run]))
        .filter(|(_, attempts)| *attempts > 0)
        .collect();
    let recorded = fs::read_to_string(&journal).unwrap().matches("\"line\":\"run\"").count();
    assert_eq!(recorded, runs.len(), "each run is recorded once");
    for name in ["bob.2", "cleo.3", "ada.4"] {
        assert!(status(&folder, name) == "counts", "{name}");
        assert_eq!(runs.iter().filter(|(entry, _)| entry == name).count(), 2);
    }
    assert!(status(&folder, "ada.1") == "superseded by ada.4");
    folder.judge(["verify", "results"]).exits(0);
    // The places are equal without the office, which has nothing left to do.
    let standings =
        |printed: &str| printed.lines().filter(|line| line.contains('┆')).map(str::to_owned).collect::<Vec<_>>();
    let ranked = folder.judge(["rank", "results"]).exits(0).stdout;
    let judged = folder.judge(["office", "judge", "."]).exits(0).stdout;
    assert_eq!(standings(&ranked), standings(&judged));
    assert!(!standings(&ranked).is_empty());
}
