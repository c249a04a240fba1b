//! One contest under many names: relative, with `..`, absolute, behind a link, in a folder that was moved. None of them is
//! another contest. Nor is a program another one because it lies at another place, or is built by another command.

use std::process::Output;

use crate::support::*;

/// A contest with a referee of its own in `p`, with programs in its folder and outside of it, and a folder `desk` beside it.
fn contest(folder: &Folder) {
    folder.script("p/referee/referee", "exit 0");
    folder.script("p/mine/solve", "echo 1");
    folder.script("bin/outside", "echo 2");
    fs::copy(board("near-end-1"), folder.file("p/a.txt", "")).unwrap();
    let text = "name = \"places\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"referee/referee\"\n\
                protocol = \"exit\"\n[[board]]\nname = \"A\"\nfile = \"a.txt\"\n"
        .to_owned();
    folder.file("p/contest.toml", text + &entry("mine", &["mine/solve"]) + &entry("out", &["../bin/outside"]));
    fs::create_dir(folder.path().join("desk")).unwrap();
    std::os::unix::fs::symlink("../p", folder.path().join("desk/link")).unwrap();
}

/// Runs `judge` in a folder, and returns what it printed.
#[track_caller]
fn judge(folder: &Folder, place: &str, args: &[&str]) -> String {
    let mut command = folder.command(args.iter().copied());
    let output: Output = command.current_dir(folder.path().join(place)).stdin(Stdio::null()).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    assert_eq!(output.status.code(), Some(0), "{args:?}\n{printed}");
    printed
}

/// Tests that every command finds the contest of these results unchanged, under every name of it that is given.
#[track_caller]
fn nothing_has_changed(folder: &Folder, place: &str, results: &str, names: &[&str]) {
    let journal = || fs::read(folder.path().join(place).join(results).join("journal.jsonl")).unwrap();
    let before = journal();
    let mut commands = vec![
        vec!["resume", results],
        vec!["update", results],
        vec!["update", results, "--dry-run"],
        vec!["rejudge", results],
    ];
    for name in names {
        let mut named = commands[..4].to_vec();
        named.iter_mut().for_each(|command| command.extend(["--contest", name]));
        commands.append(&mut named);
    }
    for command in commands {
        let printed = judge(folder, place, &command);
        assert!(!printed.contains("changed since") && !printed.contains("runs again"), "{command:?}\n{printed}");
        if command.contains(&"--dry-run") {
            assert_eq!(printed, "no run to execute\n", "{command:?}");
        }
        assert!(journal() == before, "{command:?} wrote to the journal\n{printed}");
    }
}

#[test]
fn a_contest_is_the_same_under_every_name() {
    let folder = Folder::new();
    contest(&folder);
    let absolute = folder.path().join("p").display().to_string();
    let names = ["link/contest.toml", ".././desk/../p/contest.toml", &absolute];
    for (number, name) in names.into_iter().enumerate() {
        let results = format!("r{number}");
        judge(&folder, "desk", &["run", name, "--out", &results]);
        // By the name that it has, without a name, and by the next one.
        nothing_has_changed(&folder, "desk", &results, &[names[(number + 1) % names.len()]]);
        let header = fs::read_to_string(folder.path().join("desk").join(&results).join("journal.jsonl")).unwrap();
        let header: serde_json::Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
        assert!(header["programs"]["mine"]["mine/solve"].is_string(), "{name}: {}", header["programs"]);
        assert!(header["programs"]["out"]["../bin/outside"].is_string(), "{name}: {}", header["programs"]);
    }
    // A change is found under every name as well.
    folder.script("p/mine/solve", "echo 3");
    for (name, results) in names.into_iter().zip(["r0", "r1", "r2"]) {
        let printed = judge(&folder, "desk", &["update", results, "--contest", name, "--dry-run"]);
        assert!(printed.contains("entry mine runs again: its program has changed"), "{printed}");
        assert!(!printed.contains("entry out"), "{printed}");
    }
}

#[test]
fn a_contest_that_was_moved_is_the_same() {
    let folder = Folder::new();
    contest(&folder);
    judge(&folder, "p", &["run"]);
    judge(&folder, "desk", &["run", "../p", "--out", "away"]);
    fs::rename(folder.path().join("p"), folder.path().join("q")).unwrap();
    nothing_has_changed(&folder, "q", "runs/1", &["."]);
    nothing_has_changed(&folder, "desk", "../q/runs/1", &["../q"]);
    let refused = folder.judge(["resume", "desk/away"]).exits(2).message();
    assert!(refused.contains("the contest file of desk/away is not there; if it was moved, name it with"), "{refused}");
    let refused = folder.judge(["rejudge", "desk/away"]).exits(2).message();
    assert!(refused.contains("is not there; if it was moved, name it with `--contest FILE`"), "{refused}");
    for command in [["update", "away", "--contest", "../q"], ["rejudge", "away", "--contest", "../q"]] {
        let printed = judge(&folder, "desk", &command);
        assert!(!printed.contains("runs again"), "{printed}");
    }
}

#[test]
fn a_journal_of_an_older_version_with_absolute_paths_is_of_the_same_programs() {
    let folder = Folder::new();
    contest(&folder);
    judge(&folder, "desk", &["run", "../p", "--out", "out"]);
    let journal = folder.read("desk/out/journal.jsonl");
    let at = folder.path().canonicalize().unwrap().display().to_string();
    let with_absolute = journal
        .replace("\"contest_file\":\"", &format!("\"contest_file\":\"{at}/desk/../p/contest.toml\",\"was\":\""))
        .replace("\"mine/solve\":", &format!("\"{at}/p/mine/solve\":"))
        .replace("\"referee/referee\":", &format!("\"{at}/p/referee/referee\":"))
        .replace("\"../bin/outside\":", &format!("\"{at}/bin/outside\":"));
    assert_ne!(with_absolute, journal);
    // Nor did runs name their referee.
    let without = with_absolute.lines().map(|line| match line.split_once(",\"referee\":\"") {
        Some((before, after)) if line.starts_with("{\"line\":\"run\"") => format!("{before}{}", &after[65..]),
        _ => line.to_owned(),
    });
    let without: Vec<String> = without.collect();
    folder.file("desk/out/journal.jsonl", chained(without.iter().map(String::as_str)));
    nothing_has_changed(&folder, "desk", "out", &["../p"]);
}

/// A contest of one board and the entry `mine`, which has this program and is built like this.
fn contest_of(folder: &Folder, program: &str, build: &str) {
    folder.script("p/referee/referee", "exit 0");
    fs::copy(board("near-end-1"), folder.file("p/a.txt", "")).unwrap();
    let text = "name = \"moved\"\ngame = \"external\"\nlimit = \"10s\"\n[referee]\ncommand = \"referee/referee\"\n\
                protocol = \"exit\"\n[[board]]\nname = \"A\"\nfile = \"a.txt\"\n"
        .to_owned();
    folder.file("p/contest.toml", text + &entry("mine", &[program]) + &format!("build = \"{build}\"\n"));
    fs::create_dir_all(folder.path().join("p").join(program).parent().unwrap()).unwrap();
}

/// What an update of the contest says about the entry, and the number of its runs that it executes.
fn updated(folder: &Folder) -> (String, usize) {
    let runs =
        || folder.read("p/runs/1/journal.jsonl").lines().filter(|line| line.contains("\"line\":\"run\"")).count();
    let before = runs();
    let printed = judge(folder, "p", &["update", "runs/1"]);
    let message = printed.lines().find(|line| line.contains("entry mine")).unwrap_or_default().to_owned();
    (message, runs() - before)
}

#[test]
fn a_program_that_moved_or_is_built_by_another_command_is_the_same() {
    let folder = Folder::new();
    contest_of(&folder, "old/solve", "cp /bin/echo old/solve");
    judge(&folder, "p", &["run"]);
    contest_of(&folder, "new/deep/solve", "cp -f /bin/echo new/deep/solve");
    folder.judge(["resume", "p/runs/1", "--contest", "p"]).exits(2).says(["entry mine differs", "judge update"]);
    let same = "entry mine is described anew: the same program is at another place, the same program is built by another command";
    let (message, runs) = updated(&folder);
    assert!(message.contains(same) && runs == 0, "{message}, {runs} runs");
    assert_eq!(updated(&folder), (String::new(), 0), "that is recorded now");
    judge(&folder, "p", &["resume", "runs/1"]);
    judge(&folder, "p", &["verify", "runs/1"]);
    // Both places are versions of it, and each can be restored.
    for (version, program) in [("1", "old/solve"), ("2", "new/deep/solve")] {
        judge(&folder, "p", &["restore", "runs/1", "mine", "--version", version, "-o", version]);
        let restored = fs::read(folder.path().join("p").join(version).join(program)).unwrap();
        assert!(restored == fs::read("/bin/echo").unwrap(), "{program}");
    }
    // Another program is another one at its old place and at a new one, and so is one with another name.
    for (command, source) in [("new/deep/solve", "/bin/true"), ("old/solve", "/bin/echo"), ("old/other", "/bin/echo")] {
        contest_of(&folder, command, &format!("cp {source} {command}"));
        let (message, runs) = updated(&folder);
        assert!(message.contains("entry mine runs again") && runs == 1, "{command}: {message}, {runs} runs");
    }
}

#[test]
fn another_build_of_a_script_is_another_program() {
    let folder = Folder::new();
    folder.script("p/mine/solve", "echo lluu");
    contest_of(&folder, "mine/solve", "echo 1 > mine/data");
    judge(&folder, "p", &["run"]);
    // The script may read what the build leaves.
    contest_of(&folder, "mine/solve", "echo 2 > mine/data");
    let (message, runs) = updated(&folder);
    assert!(message.contains("entry mine runs again: its build has changed") && runs == 1, "{message}, {runs} runs");
}
