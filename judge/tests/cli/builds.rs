//! Builds of entries: their rights, the result of one that fails, and its repetition on a resume.

use crate::support::*;

/// A shell command that writes a program which answers what solves the board.
const MAKES_SOLVER: &str = "printf '#!/bin/sh\\necho lluu\\n' > mine/solver && chmod +x mine/solver";

/// A contest with these entries, each with its program and its build.
fn built_contest(folder: &Folder, more: &str, entries: &[(&str, &str, &str)]) {
    let mut text = format!("{more}\n{}", contest(&[("NEAR", &board("near-end-1")), ("FAR", &board("near-end-1"))]));
    for (name, program, build) in entries {
        text += &entry(name, &[program]);
        text += &format!("build = {build:?}\n");
    }
    folder.file("contest.toml", text);
}

#[test]
fn a_failed_build_is_the_verdict_of_its_entries() {
    let folder = Folder::new();
    let fails = "echo compiling; echo no such thing >&2; exit 4";
    let entries =
        [("good", "mine/solver", MAKES_SOLVER), ("bad", "other/solver", fails), ("worse", "other/worse", fails)];
    built_contest(&folder, "", &entries);
    let printed = folder.judge(["run", "--out", "out"]).exits(0);
    let reason = format!("`{fails}` ended with exit code 4: compiling | no such thing");
    assert!(printed.stderr.contains(&format!("not built: bad, worse: {reason}")), "{}", printed.stderr);
    assert!(printed.stdout.contains("BLD  the build failed"), "{}", printed.stdout);
    assert!(printed.stdout.contains(&format!("not built, so not run:\n  bad, worse: build failed: {reason}\n\n")));
    // The compiler's output is printed once, and not for every run that it costs.
    assert_eq!(printed.stderr.matches("compiling | no such thing").count(), 1, "{}", printed.stderr);
    assert_eq!(printed.stderr.matches("  not built, so not run\n").count(), 2, "{}", printed.stderr);
    let built = folder.journal("out", "build");
    let results: Vec<_> = built.iter().map(|build| (build["result"].as_str().unwrap(), &build["attempt"])).collect();
    assert_eq!(results, [("succeeded", &1.into()), ("failed", &1.into())]);
    let runs = folder.journal("out", "run");
    let verdicts: Vec<_> = runs.iter().filter(|run| run["entry"] != "good").map(|run| &run["verdict"]).collect();
    assert_eq!(verdicts, ["build_failed"; 4]);
    assert_eq!(folder.read("out/builds/bad.1.log"), "compiling\nno such thing\n");
    assert_eq!(folder.judge(["rank", "out/results.csv"]).exits(0).stdout, printed.stdout);

    // A resume builds again: what fails as before stays as it is, what is built now is run.
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(folder.journal("out", "run").len(), 6);
    folder.script("other/solver", "echo lluu");
    let fixed = folder.read("contest.toml").replace(fails, "test -e other/solver");
    folder.file("contest.toml", fixed);
    let other = folder.judge(["resume", "out"]).exits(2).message();
    assert!(other.contains("entry bad differs"), "another command is another contest: {other}");
}

#[test]
fn an_entry_that_is_built_in_the_end_is_run() {
    let folder = Folder::new();
    built_contest(&folder, "", &[("late", "mine/solver", "test -e ready && cp ready mine/solver")]);
    folder.file("contest.toml", folder.read("contest.toml") + "\n[build]\nreadable = [\"ready\"]\n");
    folder.judge(["run", "--out", "out"]).exits(0);
    folder.script("ready", "echo lluu");
    folder.judge(["resume", "out", "--format", "plain"]).exits(0).shows(["25/4"]).hides(["BLD"]);
    let attempts: Vec<_> =
        folder.journal("out", "run").iter().map(|run| run["attempt"].as_u64().unwrap_or(1)).collect();
    assert_eq!(attempts, [1, 1, 2, 2]);
}

#[test]
fn a_resume_builds_only_what_has_a_run_to_make() {
    let folder = Folder::new();
    let counts = |folder: &str| format!("echo built >>{folder}/count; {}", MAKES_SOLVER.replace("mine", folder));
    folder.file("mine/count", "");
    folder.file("other/count", "");
    folder.file("gone/count", "");
    let fails = "echo built >>gone/count; exit 1";
    let (mine, other) = (counts("mine"), counts("other"));
    built_contest(
        &folder,
        "",
        &[("one", "mine/solver", &mine), ("two", "other/solver", &other), ("bad", "gone/solver", fails)],
    );
    folder.judge(["run", "--out", "out"]).exits(0);
    let built = |expected: [usize; 3]| {
        let count = |name: &str| folder.read(&format!("{name}/count")).lines().count();
        assert_eq!(["mine", "other", "gone"].map(count), expected);
    };
    built([1, 1, 1]);
    // Nothing is missing: only the build that failed may have changed. Programs that are not built need not be there.
    std::fs::remove_file(folder.path().join("mine/solver")).unwrap();
    let resumed = folder.judge(["resume", "out"]).exits(0);
    built([1, 1, 2]);
    lacks(&resumed.stderr, ["mine/solver", "one has changed"]);
    // Without the last run of one entry, that one is built.
    let journal = folder.read("out/journal.jsonl");
    let whole: Vec<&str> = journal.lines().collect();
    let last =
        whole.iter().rposition(|line| line.contains("\"line\":\"run\"") && line.contains("\"verdict\":\"solved\""));
    let entry = if whole[last.unwrap()].contains("\"entry\":\"one\"") { 0 } else { 1 };
    folder.file("out/journal.jsonl", whole[..last.unwrap()].join("\n") + "\n");
    folder.judge(["resume", "out"]).exits(0);
    let mut expected = [1, 1, 3];
    expected[entry] = 2;
    built(expected);
    // A withdrawn entry is not built again, whether its build failed or not.
    let text = folder.read("contest.toml").replace("name = \"bad\"", "name = \"bad\"\nwithdrawn = \"by its author\"");
    folder.file("contest.toml", text);
    folder.judge(["update", "out"]).exits(0);
    let before = folder.read("gone/count");
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(folder.read("gone/count"), before);
}

#[test]
fn a_build_writes_only_its_folder_of_the_contest() {
    let folder = Folder::new();
    let build =
        format!("{MAKES_SOLVER}; for to in contest.toml new theirs/x; do (echo stolen > $to) && exit 7; done; true");
    folder.file("theirs/x", "untouched");
    built_contest(&folder, "", &[("mine", "mine/solver", &build)]);
    let before = folder.read("contest.toml");
    let printed = folder.judge(["run", "--out", "out", "--format", "plain"]).exits(0);
    assert!(printed.stdout.contains("25/4"), "{}{}", printed.stdout, printed.stderr);
    assert_eq!((folder.read("contest.toml"), folder.read("theirs/x")), (before, "untouched".into()));
    assert!(!folder.path().join("new").exists());
}

/// Tables that a contestant prepares once: they need not exist before the build, but after it.
#[test]
fn a_build_makes_what_its_entry_reads() {
    let folder = Folder::new();
    let reads = "mkdir -p mine/tables; echo lluu > mine/tables/answer; \
        printf '#!/bin/sh\\ncat %s\\n' \"$PWD/mine/tables/answer\" > mine/solver; chmod +x mine/solver";
    built_contest(&folder, "", &[("mine", "mine/solver", reads), ("other", "other/solver", "true")]);
    let text =
        folder.read("contest.toml").replacen("build = \"mkdir", "readable = [\"mine/tables\"]\nbuild = \"mkdir", 1);
    folder.file("contest.toml", text + "readable = [\"other/tables\"]\n");
    let printed = folder.judge(["run", "--out", "out", "--format", "plain"]).exits(0);
    let solved = folder.journal("out", "run").into_iter().filter(|run| run["entry"] == "mine");
    assert!(solved.map(|run| run["verdict"].clone()).eq(["solved", "solved"]), "{}", printed.stdout);
    let reason = "not built: other: `true` succeeded, but ";
    contains(&printed.stderr, [reason, "other/tables does not exist"]);
}

#[test]
fn the_build_table_gives_what_a_build_needs() {
    let folder = Folder::new();
    let tools = Folder::new();
    tools.file("tool", "a tool");
    let build = format!("cat \"$TOOLS/tool\" fetched > shared/copy && {MAKES_SOLVER}");
    built_contest(&folder, "", &[("mine", "mine/solver", &build)]);
    let table = format!(
        "\n[build]\nreadable = [{tools:?}, \"~/none\", \"fetched\"]\nwritable = [\"shared\"]\nenvironment = [\"TOOLS={}\"]\n\
         fetch = \"echo fetched > fetched\"\n",
        tools.path().display(),
        tools = tools.path().display().to_string(),
    );
    folder.file("contest.toml", folder.read("contest.toml") + &table);
    let printed = folder.judge(["run", "--out", "out", "--format", "plain"]).exits(0);
    assert!(printed.stdout.contains("25/4"), "{}{}", printed.stdout, printed.stderr);
    assert_eq!(folder.read("shared/copy"), "a toolfetched\n");
    // If fetching fails, nothing begins.
    folder
        .file("contest.toml", folder.read("contest.toml").replace("echo fetched", "echo offline; false; exit 3; echo"));
    folder.judge(["run", "--out", "again"]).exits(2).says(["judge: fetch: `echo offline;", "exit code 3: offline"]);
    assert!(!folder.path().join("again/journal.jsonl").exists());
}

#[test]
fn without_isolation_a_build_that_several_entries_share_runs_once_in_the_contest_folder() {
    let folder = Folder::new();
    let build = "echo built >> log; printf '#!/bin/sh\\necho lluu\\n' > made; chmod +x made";
    built_contest(&folder, "build_isolation = \"off\"", &[("one", "./made", build), ("two", "./made", build)]);
    let printed = folder.judge(["run", "--out", "out", "--format", "plain"]).exits(0);
    assert_eq!(printed.stdout.matches("25/4").count(), 4);
    assert_eq!(folder.read("log"), "built\n");
}

#[test]
fn a_build_that_fills_the_folder_of_working_files_fails_alone() {
    let folder = Folder::new();
    let text = |files: &str| {
        let build = format!("mkdir -p mine/many && {MAKES_SOLVER} && cd mine/many && seq -f {files} | xargs touch");
        let keys = format!("working_files = [\"mine/many\"]\nbuild = {build:?}\n");
        let head = contest(&[("NEAR", &board("near-end-1"))]);
        format!(
            "scratch = \"1MiB\"\n{head}{}{keys}{}",
            entry("mine", &["mine/solver"]),
            entry("rival", &["rival/solver"])
        )
    };
    folder.script("rival/solver", "echo lluu");
    folder.file("contest.toml", text("%g 10001"));
    let printed = folder.judge(["run", "--out", "many", "--format", "plain"]).exits(0);
    assert!(printed.stdout.contains("0/BLD") && printed.stdout.contains("25/4"), "{}", printed.stdout);
    let reason = "succeeded, but its working files are more than 10000; put them into folders";
    assert!(printed.stderr.contains(reason), "{}", printed.stderr);
    // Links to long paths take a page each, if the scratch directory has its own limit.
    std::fs::remove_dir_all(folder.path().join("mine/many")).unwrap();
    folder.file("contest.toml", text("x%0200g 1000"));
    let printed = folder.judge(["run", "--out", "long", "--format", "plain"]).exits(0);
    assert!(printed.stdout.contains("25/4") && !printed.stdout.contains("JUD"), "{}", printed.stdout);
    let rooted = folder.journal("long", "run").iter().any(|run| run["isolation"]["tier"] == "namespaces");
    assert!(!rooted || printed.stdout.contains("0/STA"), "{}", printed.stdout);
}

#[test]
fn builds_of_root_by_users_of_their_own_leave_files_of_the_owner() {
    use std::os::unix::fs::MetadataExt as _;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    for isolation in ["auto", "landlock"] {
        let folder = Folder::new();
        let build = |name: &str| format!("id -u > {name}/user && {}", MAKES_SOLVER.replace("mine", name));
        let builds = ["mine", "other"].map(|name| (name, format!("{name}/solver"), build(name)));
        let entries = [("mine", 0), ("other", 1)].map(|(name, at)| (name, &*builds[at].1, &*builds[at].2));
        built_contest(&folder, &format!("build_isolation = {isolation:?}"), &entries);
        for (name, owner) in [("mine", 0), ("other", 1234)] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::os::unix::fs::chown(folder.path().join(name), Some(owner), Some(owner)).unwrap();
        }
        // So that an ordinary owner can pass.
        std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        folder.judge(["run", "--out", "out"]).exits(0);
        let file = |name: &str| folder.path().join(name).join("user");
        let owners = ["mine", "other"].map(|name| std::fs::metadata(file(name)).unwrap().uid());
        assert_eq!(owners, [0, 1234], "{isolation}");
        let users = ["mine", "other"].map(|name| folder.read(&format!("{name}/user")).trim().parse::<u32>().unwrap());
        match isolation {
            "auto" => {
                assert!(users.iter().all(|user| (60_706..61_184).contains(user)), "{users:?}");
                assert_ne!(users[0], users[1]);
            }
            // Without mounts only the owner can write there: `docs/threats.md` lists it.
            _ => assert_eq!(users, [0, 1234]),
        }
    }
}
