//! Isolation, limits and scheduling as a user meets them: demands, the doctor, what an entry may read, repeated runs,
//! and what is left when the judge itself dies.

use crate::support::*;

/// A contest of one board with these lines in its head and these entries.
fn contest_with(folder: &Folder, head: &str, entries: &str) {
    std::os::unix::fs::symlink(rogue(), folder.path().join("rogue")).unwrap();
    let text =
        contest(&[("NEAR", &board("near-end-1"))]).replace("limit = \"10s\"", &format!("limit = \"10s\"\n{head}"));
    folder.file("contest.toml", text + entries);
}

fn tier(document: &Value) -> &str {
    document["isolation"][0].as_str().unwrap().split(' ').next().unwrap()
}

#[test]
fn the_doctor_and_the_results_name_the_same_isolation() {
    let folder = Folder::new();
    contest_with(&folder, "", &entry("a", &["./rogue", "answer", "lluu"]));
    let found = folder.judge(["doctor", "--json"]).exits(0).json();
    assert_eq!((&found["met"], &found["demand"]), (&true.into(), &"auto".into()));
    let document = folder.judge(["run", "--out", "out", "--format", "json"]).exits(0).json();
    assert_eq!(tier(&document), found["isolation"]["tier"]);
    for layer in found["isolation"]["layers"].as_array().unwrap() {
        assert!(document["isolation"][0].as_str().unwrap().contains(layer.as_str().unwrap()));
    }
    // Also from what is on disk, in either form.
    for results in ["out", "out/results.csv"] {
        let ranked = folder.judge(["rank", results, "--format", "json"]).exits(0).json();
        assert_eq!(ranked["isolation"], document["isolation"]);
        assert_eq!(ranked["entries"][0]["runs"], document["entries"][0]["runs"]);
    }
    let printed = folder.judge(["doctor"]).exits(0).stdout;
    contains(&printed, ["isolation:", "limits:", "timing on"]);
    for layer in found["layers"].as_array().unwrap() {
        assert!(printed.contains(layer["name"].as_str().unwrap()) && !layer["finding"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_demand_that_is_not_met_runs_nothing() {
    let folder = Folder::new();
    contest_with(&folder, "isolation = \"require\"", &entry("a", &["./rogue", "answer", "lluu"]));
    let found = folder.judge(["doctor", "--json", "--isolation", "auto"]).exits(0).json();
    let complete = found["layers"].as_array().unwrap().iter().all(|layer| layer["works"] == true)
        && found["enforced"].as_object().unwrap().values().all(|enforced| enforced == true);
    let code = i32::from(!complete);
    folder.judge(["doctor"]).exits(code);
    let printed = folder.judge(["run", "--out", "out"]).exits(2 * code);
    assert_eq!(folder.path().join("out/journal.jsonl").exists(), complete);
    assert!(complete || printed.stderr.contains("does not give the isolation that is demanded"), "{}", printed.stderr);

    // The command line cannot ask for less than the contest demands.
    let weaker = folder.judge(["run", "--out", "weaker", "--isolation", "off"]).exits(2);
    insta::assert_snapshot!(weaker.message(), @"judge: --isolation off is weaker than FOLDER/contest.toml requires; change its `isolation`, or omit the option");
    assert!(!folder.path().join("weaker").exists());
}

#[test]
fn a_user_without_control_groups_does_not_meet_a_demand() {
    use std::os::unix::process::CommandExt as _;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    folder.program("judge", env!("CARGO_BIN_EXE_judge"));
    std::os::unix::fs::chown(folder.path(), Some(65534), Some(65534)).unwrap();
    let mut doctor = Command::new(folder.path().join("judge"));
    doctor.args(["doctor", "--isolation", "require"]).current_dir(folder.path()).env("TMPDIR", folder.path());
    let output = doctor.uid(65534).gid(65534).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    contains(&printed, ["NOT met: isolation require", "the limit on memory would only be watched, not enforced"]);
}

#[test]
fn a_user_with_a_control_group_of_his_own_is_counted_as_root_is() {
    use std::os::unix::fs::chown;
    use std::os::unix::process::CommandExt as _;
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
    let mount = mounts.lines().find(|line| line.split(' ').nth(2) == Some("cgroup2"));
    let (Some(mount), true) = (mount.and_then(|line| line.split(' ').nth(1)), rustix::process::geteuid().is_root())
    else {
        return;
    };
    // As `systemd-run --user --scope -p Delegate=yes` makes it.
    let group = std::path::Path::new(mount).join(format!("test-{}", std::process::id()));
    if std::fs::create_dir(&group).is_err() {
        return;
    }
    const USER: u32 = 65531;
    for path in ["", "cgroup.procs", "cgroup.subtree_control", "cgroup.threads"] {
        chown(group.join(path), Some(USER), Some(USER)).unwrap();
    }
    let folder = Folder::new();
    folder.program("judge", env!("CARGO_BIN_EXE_judge"));
    folder.program("rogue", rogue());
    chown(folder.path(), Some(USER), Some(USER)).unwrap();
    let limits = "limits = { cpu = \"100ms\" }\n";
    let text =
        contest(&[("NEAR", &board("near-end-1"))]) + &entry("children", &["./rogue", "spin-in-children"]) + limits;
    folder.file("contest.toml", text);
    let enter = format!("echo $$ > {}/cgroup.procs && exec \"$@\"", group.display());
    let judge = |arguments: &[&str]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &enter, "sh", "setpriv", "--reuid", &USER.to_string(), "--regid", &USER.to_string()]);
        shell.args(["--clear-groups", "./judge"]).args(arguments).stdin(Stdio::null()).process_group(0);
        let output = shell.current_dir(folder.path()).env("TMPDIR", folder.path()).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        serde_json::from_slice::<Value>(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"))
    };
    let found = judge(&["doctor", "--json"]);
    let run = judge(&["run", "--out", "out", "--format", "json"]);
    // The judge may have moved to a group below.
    let groups = std::fs::read_dir(&group).unwrap().flatten().filter(|item| item.path().is_dir());
    groups.for_each(|below| drop(std::fs::remove_dir(below.path())));
    let left = std::fs::remove_dir(&group);
    assert_eq!(found["conditions"]["cpu"], true, "{found}");
    assert_eq!(run["entries"][0]["runs"][0]["cell"], "0/CPU", "{run}");
    left.unwrap();
}

#[test]
fn a_judge_in_a_container_that_hides_clone3_still_isolates_its_entries() {
    let folder = Folder::new();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=clone3", "-e", "inject=clone3:error=ENOSYS", "--"]);
    strace.arg(env!("CARGO_BIN_EXE_judge")).args([
        "try",
        &board("near-end-1"),
        "--json",
        "--",
        "sh",
        "-c",
        "echo lluu",
    ]);
    let Ok(output) = strace.current_dir(folder.path()).stdin(Stdio::null()).output() else { return };
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    if printed.contains("ptrace") {
        return;
    }
    let tried: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {printed}"));
    assert_eq!(tried["verdict"], "solved", "{tried}: {printed}");
    let usual = folder.judge(["try", &board("near-end-1"), "--json", "--", "sh", "-c", "echo lluu"]).exits(0).json();
    let tier = |tried: &Value| tried["isolation"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    assert_eq!(tier(&tried), tier(&usual), "{printed}");
}

#[test]
fn a_judge_that_is_an_entry_says_that_it_isolates_nothing() {
    let folder = Folder::new();
    folder.program("judge", env!("CARGO_BIN_EXE_judge"));
    std::fs::copy(board("near-end-1"), folder.path().join("board.txt")).unwrap();
    // A sandbox has no namespaces, filters, Landlock and control groups to give, and no choice of processors.
    let path = folder.path().display();
    folder.script(
        "inner",
        &format!("{path}/judge try {path}/board.txt --json -- /bin/sh -c 'echo lluu' >inner.json; cat inner.json >&2"),
    );
    let text = contest(&[("NEAR", "board.txt")]) + &entry("inner", &["./inner"]);
    folder.file("contest.toml", text + "readable = [\"judge\", \"board.txt\"]\n");
    let document = folder.judge(["run", "--out", "out", "--format", "json"]).exits(0).json();
    if tier(&document) != "namespaces" {
        return;
    }
    let printed = folder.read("out/output/1/inner/NEAR.1.err");
    let json = printed.lines().rfind(|line| line.starts_with('{')).unwrap_or_else(|| panic!("{printed}"));
    let inner: Value = serde_json::from_str(json).unwrap();
    assert_eq!(inner["verdict"], "solved", "{printed}");
    assert!(inner["isolation"].as_str().unwrap().starts_with("process_group"), "{printed}");
    assert!(
        printed.contains("warning: programs run in the tier process_group, because this does not work: "),
        "{printed}"
    );
    assert!(printed.contains("it was not pinned to processors"), "{printed}");
}

#[test]
fn an_entry_has_what_its_contest_file_gives_it() {
    let folder = Folder::new();
    folder.file("data/table", "lluu");
    folder.file("secret", "lluu");
    let read = |name: &str, path: &str| {
        let path = folder.path().join(path).display().to_string();
        entry(name, &["/bin/sh", "-c", &format!("cat {path}")])
    };
    let entries = read("all", "data/table")
        + &read("own", "secret")
        + "readable = [\"secret\"]\nlimits = { limit = \"7s\" }\n"
        + &read("other", "secret");
    contest_with(&folder, "readable = [\"data\"]", &entries);
    let document = folder.judge(["run", "--out", "out", "--format", "json"]).exits(0).json();
    let expected = if tier(&document) == "process_group" { "25/4" } else { "0/CRA" };
    for (name, cell) in [("all", "25/4"), ("own", "25/4"), ("other", expected)] {
        let row = document["entries"].as_array().unwrap().iter().find(|row| row["entry"] == name).unwrap();
        assert_eq!(row["runs"][0]["cell"], cell, "{row}");
    }
    let journal = folder.read("out/journal.jsonl");
    let limit = |name: &str| {
        let line = journal
            .lines()
            .find(|line| line.contains("\"line\":\"run\"") && line.contains(&format!("\"entry\":\"{name}\"")));
        serde_json::from_str::<Value>(line.unwrap()).unwrap()["limit_ms"].clone()
    };
    assert_eq!((limit("all"), limit("own")), (10_000.into(), 7_000.into()));
}

#[test]
fn a_solver_that_needs_more_of_the_machine_gets_a_remedy() {
    let folder = Folder::new();
    folder.file("table", "lluu");
    let table = folder.path().join("table").display().to_string();
    let script = format!("cat {table}");
    let near = board("near-end-1");
    if folder.judge(["doctor", "--json"]).exits(0).json()["isolation"]["tier"] == "process_group" {
        return;
    }
    let refused = folder.judge(["try", &near, "--", "/bin/sh", "-c", &script]).exits(1);
    assert!(refused.stdout.contains("with --readable PATH"), "{}", refused.stdout);
    let read = ["try", &near, "--limit", "10m", "--readable", "table", "--", "/bin/sh", "-c", &script];
    folder.judge(read).exits(0).shows([" s of 10m"]);
    folder.judge(["try", &near, "--isolation", "off", "--", "/bin/sh", "-c", &script]).exits(0);
}

/// A process that keeps a processor busy until this is dropped, also by a failed test.
struct Neighbour(Child);

impl Neighbour {
    /// Waits until it has used CPU time: on a busy machine a program may start late.
    fn on(processor: usize) -> Self {
        let mut rogue = Command::new(rogue());
        let neighbour = Self(rogue.args(["spin-on", &processor.to_string()]).stdin(Stdio::null()).spawn().unwrap());
        let spins = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", neighbour.0.id())).unwrap();
            // Field 14, in hundredths of a second; the name in front of the third may have spaces.
            let used = stat.rsplit_once(") ").unwrap().1.split(' ').nth(11).unwrap().to_owned();
            used.parse::<u64>().unwrap() > 2
        };
        while !spins() {
            std::thread::sleep(Duration::from_millis(5));
        }
        neighbour
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        // Nothing can be done about an error here.
        self.0.kill().and_then(|()| self.0.wait()).ok();
    }
}

#[test]
fn a_run_that_others_disturb_is_made_again() {
    let folder = Folder::new();
    contest_with(&folder, "", &entry("works", &["./rogue", "work", "1000", "lluu"]));
    // A neighbour on every processor. Without pressure figures of the system no run can be suspect.
    let processors = rustix::thread::sched_getaffinity(None).unwrap();
    let processors = (0..rustix::thread::CpuSet::MAX_CPU).filter(|&processor| processors.is_set(processor));
    let neighbours: Vec<_> = processors.map(Neighbour::on).collect();
    let printed = folder.judge(["run", "--out", "out", "--repeat-suspect", "2", "--format", "json"]).exits(0);
    drop(neighbours);
    if !std::path::Path::new("/proc/pressure/cpu").exists() {
        return;
    }
    let run = printed.json()["entries"][0]["runs"][0].clone();
    assert_eq!((&run["cell"], &run["attempt"]), (&"25/4".into(), &3.into()), "{run}");
    // The tests beside this one may take memory, too, and that is said first.
    let reason = run["suspect"].as_str().unwrap();
    assert!(["other processes used", "short of memory"].iter().any(|sign| reason.contains(sign)), "{run}");
    assert_eq!(printed.stderr.matches("repeating suspect runs: 1\n").count(), 2, "{}", printed.stderr);
    let journal = folder.read("out/journal.jsonl");
    assert_eq!(journal.lines().count(), 5, "the header, the machine, and every attempt");
    folder.judge(["rank", "out"]).exits(0).shows(["25/4?", "?    suspect"]);

    // In quiet it is made once more, and only on demand.
    folder.judge(["resume", "out"]).exits(0);
    assert_eq!(folder.read("out/journal.jsonl").lines().count(), 5);
}

#[test]
fn more_jobs_than_cores_get_a_warning_that_they_disturb_each_other() {
    let folder = Folder::new();
    contest_with(&folder, "cores = 1", &entry("a", &["./rogue", "answer", "lluu"]));
    let printed = folder.judge(["run", "--out", "out", "--jobs", "4096"]).exits(0);
    // Fewer, where the limit on open files allows no more.
    let message =
        ["notice: 4096 runs at a time with 1 core each on", " of 4096 runs at a time; raise it with `ulimit -n`"];
    assert!(message.iter().any(|message| printed.stderr.contains(message)), "{}", printed.stderr);
    let printed = folder.judge(["run", "--out", "out2", "--progress", "none"]).exits(0);
    assert_eq!(printed.stderr, "results in out2\n");
}

#[test]
fn an_entry_stays_on_the_cores_it_was_given() {
    let folder = Folder::new();
    contest_with(&folder, "", &entry("count", &["/bin/sh", "-c", "nproc >&2"]));
    folder.judge(["run", "--out", "out"]).exits(0);
    assert_eq!(folder.read("out/output/1/count/NEAR.1.err"), "1\n");
}

#[test]
fn nothing_survives_the_judge_in_any_tier() {
    at_once(&["auto", "landlock", "off"], |&isolation| {
        for signal in ["KILL", "TERM", "INT", "HUP"] {
            let folder = Folder::new();
            contest_with(&folder, "", &entry("tree", &["./rogue", "tree-of-seven"]));
            // The shell of the tests may ignore signals, as nohup does; the judge would then ignore them as well.
            let mut judge = Command::new("env");
            judge.args([
                "--default-signal",
                env!("CARGO_BIN_EXE_judge"),
                "run",
                "--out",
                "out",
                "--isolation",
                isolation,
            ]);
            judge.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let judge = judge.spawn().unwrap();
            // Landlock's tier keeps processes in the group, but the three branches are there.
            // Counted once: a shell on its way out may be among them.
            let begun = Instant::now();
            let stands = || processes_naming(folder.path()).len() >= 4;
            while !stands() {
                assert!(begun.elapsed() < Duration::from_secs(9), "{isolation}: no tree stands");
                std::thread::sleep(Duration::from_millis(5));
            }
            let zygotes = zygotes_of(judge.id());
            assert!(!zygotes.is_empty(), "{isolation}");
            let kill = Command::new("kill").args([format!("-{signal}"), judge.id().to_string()]).status();
            assert!(kill.unwrap().success());
            judge.wait_with_output().unwrap();
            let deadline = Instant::now() + Duration::from_secs(1);
            let zygotes_live = || zygotes.iter().any(|zygote| stat(zygote).is_some_and(|(_, state, _)| state != "Z"));
            let survivors = || !processes_naming(folder.path()).is_empty() || zygotes_live();
            while survivors() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "{isolation}, {signal}");
            assert!(!zygotes_live(), "{isolation}, {signal}: a zygote");
        }
    });
}

/// The zygotes of a judge, by their numbers.
fn zygotes_of(judge: u32) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|process| process.file_name().into_string().ok());
    let is_one = |number: &String| {
        stat(number).is_some_and(|(name, _, parent)| name == "judge-zygote" && parent == judge.to_string())
    };
    numbers.filter(|number| number.parse::<u32>().is_ok()).filter(is_one).collect()
}

/// Name, state and parent of a process; `None` if it is gone.
fn stat(number: &str) -> Option<(String, String, String)> {
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    let (head, rest) = stat.rsplit_once(") ")?;
    let mut words = rest.split(' ').map(Into::into);
    Some((head.split_once('(')?.1.to_owned(), words.next()?, words.next()?))
}

#[test]
fn bad_limits_name_the_line_and_the_remedy() {
    let folder = Folder::new();
    let refused = |head: &str| {
        folder.file("near.txt", "ABCDE FGHIJ KL+MN PQRSO UVWXT");
        let text = contest(&[("NEAR", "near.txt")]).replace("limit = \"10s\"", head) + &entry("a", &["true"]);
        folder.file("contest.toml", text);
        folder.judge(["run", "--out", "out"]).exits(2).message()
    };
    insta::assert_snapshot!(refused("memory = \"lots\""), @r#"judge: contest.toml:3: memory: invalid size `lots`; use for example "16MiB""#);
    insta::assert_snapshot!(refused("memory = \"0\""), @r#"judge: contest.toml:3: memory must not be zero; use for example "256MiB""#);
    insta::assert_snapshot!(refused("cpu = \"0s\""), @r#"judge: contest.toml:3: cpu must not be zero; use for example "10m""#);
    insta::assert_snapshot!(refused("processes = 0"), @r#"judge: contest.toml:3: processes must be 1 to 4194304 or "unlimited", not 0"#);
    insta::assert_snapshot!(refused("processes = \"many\""), @r#"judge: contest.toml:3: processes must be 1 to 4194304 or "unlimited", not "many""#);
    insta::assert_snapshot!(refused("cpu = \"fast\""), @r#"judge: contest.toml:3: cpu: invalid duration `fast` (expected number at 0); use for example "10m", "1m 30s" or "500ms""#);
    insta::assert_snapshot!(refused("cores = 0"), @"judge: contest.toml:3: cores must be 1 to 4096, not 0");
    insta::assert_snapshot!(refused("isolation = \"total\""), @"judge: contest.toml:3: unknown isolation `total`; available: auto, require, landlock, off");
    insta::assert_snapshot!(refused("readable = [\"no/such\"]"), @"judge: contest.toml:3: readable: no/such does not exist");
}

#[test]
fn no_clock_that_can_be_set_is_read() {
    // An organiser's clock may be set back in the middle of a contest; only a monotonic one is asked. The exception are
    // dates for people: one function reads the other clock, one type writes its seconds down, and one caller has both.
    let dates = [("sandbox/src/host.rs", "ClockId::Realtime"), ("core/src/date.rs", "UNIX_EPOCH")];
    fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let items = std::fs::read_dir(folder).unwrap().map(|item| item.unwrap().path());
        items.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = ["src", "contest/src", "core/src", "job/src", "office/src", "page/src", "report/src"];
    let crates = crates.into_iter().chain(["sandbox/src", "slurm/src"]);
    let sources: Vec<_> = crates.flat_map(|folder| sources(&root.join(folder))).collect();
    assert!(sources.len() > 40);
    for source in sources {
        let text = std::fs::read_to_string(&source).unwrap();
        for clock in ["SystemTime", "ClockId::Realtime", "UNIX_EPOCH"] {
            let allowed = dates.iter().any(|(file, exception)| source.ends_with(file) && *exception == clock);
            assert!(allowed || !text.contains(clock), "{} reads {clock}", source.display());
        }
        // The clock of a node is compared with this one, for the dates that people read.
        let callers = ["sandbox/src/host.rs", "src/cli.rs", "src/cli/slurm/probe.rs", "slurm/src/ask.rs"];
        let called = callers.iter().any(|file| source.ends_with(file));
        assert!(called || !text.contains("utc_seconds"), "{} asks for the date", source.display());
    }
}

#[test]
fn root_that_may_not_end_other_users_takes_a_tier_without_them() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    let entries = entry("late", &["./rogue", "ignore-term"]) + &entry("good", &["./rogue", "answer", "lluu"]);
    contest_with(&folder, "", &entries);
    let text = folder.read("contest.toml").replace("\"10s\"", "\"300ms\"");
    folder.file("contest.toml", text);
    let without = |capability: &str, args: &[&str]| {
        let lacking = format!("-{capability}");
        let mut judge = Command::new("setpriv");
        judge.args(["--bounding-set", &lacking, "--inh-caps", &lacking, env!("CARGO_BIN_EXE_judge")]).args(args);
        let printed = judge.current_dir(folder.path()).output().unwrap();
        let (code, text) = (printed.status.code(), String::from_utf8_lossy(&printed.stdout).into_owned());
        (code, text + &String::from_utf8_lossy(&printed.stderr))
    };
    let (_, found) = without("kill", &["doctor"]);
    assert!(found.contains("root without CAP_KILL could not end an entry"), "{found}");
    let (code, printed) = without("kill", &["run", "--out", "out", "--format", "plain"]);
    assert!(code == Some(0) && printed.contains("0/TIM") && printed.contains("25/4"), "{printed}");
    assert_eq!(processes_naming(&folder.path().join("rogue")), [""; 0]);
    // What root cannot see of mappings is not promised.
    let (_, found) = without("checkpoint_restore,-sys_admin", &["doctor", "--isolation", "landlock"]);
    let promise = found.lines().find(|line| line.trim_start().starts_with("scratch  ") && line.contains("watched"));
    assert!(promise.is_some_and(|line| line.split_whitespace().nth(1) == Some("no")), "{found}");
}
