//! Contests whose referee talks to the entries: who is to blame, in every tier, for root and for an ordinary user; and pairs
//! that mean harm.

mod harm;
mod own_clock;

use crate::referees::external;
use crate::support::*;

/// A referee that does what the entry tells it: the first line of the entry is its instruction.
const REFEREE: &str = r#"read -r what
case $what in
accept) exit 42 ;;
accept-and-listen) read -r x; exit 42 ;;
reject) echo no > "$3teammessage.txt"; exit 43 ;;
reject-at-end) cat > rest; echo late > "$3teammessage.txt"; exit 43 ;;
accept-at-end) cat > rest; exit 42 ;;
crash) kill -SEGV $$ ;;
code) exit 7 ;;
spin) while :; do :; done ;;
listen) read -r never; exit 42 ;;
ask) echo go; cat > rest; exit 42 ;;
deaf) sleep 1; exit 42 ;;
mute) sleep 100 ;;
flood) yes ;;
stop) kill -STOP $$ ;;
die) kill -KILL $$ ;;
child) sleep 100 & exit 42 ;;
eat) head -c 300000000 /dev/zero | tail ;;
say-much) head -c 1000000 /dev/zero | tr '\\0' x; exit 42 ;;
*) echo "$what" > "$3teammessage.txt"; exit 43 ;;
esac
"#;

/// Starts a few processes too many, and waits for them.
const SPAWNS: &str = "echo reject-at-end; for one in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 100 & done; wait";

/// Writes several files, each of which the limit on one file permits.
const FILLS: &str = "echo reject-at-end; for one in 1 2 3 4; do head -c 3000000 /dev/zero > $one; done; sleep 100";

/// A line of the table of blame in `docs/referees.md`: name of the entry, its script, its cell, what its fault or note says.
const BLAME: &[(&str, &str, &str, &str)] = &[
    // 1. The referee failed.
    ("1-crash", "echo crash; read x; exit 0", "JUD", "it crashed with signal 11"),
    ("1-code", "echo code; read x; exit 3", "JUD", "it crashed with exit code 7"),
    ("1-own-cpu-limit", "echo spin; read x", "JUD", "it took more CPU time than [referee] allows"),
    ("1-memory", "echo eat; read x", "JUD", "it took more memory than [referee] allows"),
    ("1-too-much-output", "echo flood; cat > /dev/null", "JUD", "it printed more than [referee] allows"),
    ("1-both-killed", "echo die; kill -KILL $$", "JUD", "it crashed with signal 9"),
    ("1-spins-after-the-entry", "echo spin; exit 0", "JUD", "it took more CPU time than [referee] allows"),
    ("0-not-started", "", "STA", "could not be started"),
    // 2. It rejected before the entry ended.
    ("2-runs-on", "echo reject; while :; do :; done", "WRO", "no"),
    ("2-broken-pipe", "echo reject; yes", "WRO", "no"),
    ("2-exit-code", "echo reject; read x; exit 5", "WRO", "no"),
    ("2-stopped", "echo reject; kill -STOP $$", "WRO", "no"),
    // 3. Time.
    ("3-cpu", "echo reject-at-end; while :; do :; done", "CPU", "more CPU time"),
    ("3-wall", "echo accept-at-end; sleep 100", "TIM", "still running at the limit"),
    ("3-after-acceptance", "echo accept; sleep 100", "TIM", "still running at the limit"),
    ("3-both-wait", "echo listen; read never", "TIM", "both wait for input"),
    ("3-half-a-line", "printf accept; read never", "TIM", "both wait for input"),
    ("3-referee-stopped", "echo stop; read x", "TIM", "still running at the limit"),
    ("3-closes-both", "echo accept; exec 0<&- 1>&-; sleep 100", "TIM", "still running at the limit"),
    ("3-never-reads", "echo say-much; sleep 100", "TIM", "still running at the limit"),
    // 4. Memory and output.
    ("4-memory", "echo reject-at-end; head -c 300000000 /dev/zero | tail", "MEM", "more memory"),
    ("4-processes", SPAWNS, "PRO", "more processes and threads at a time"),
    ("4-files", FILLS, "SCR", "more files in its scratch directory"),
    ("4-output", "echo reject-at-end; yes", "OUT", "more on standard output"),
    ("4-output-without-reader", "echo accept; yes", "OUT", "more on standard output"),
    // 5. Its end.
    ("5-exit-code", "echo reject-at-end; exit 3", "CRA", "crashed with exit code 3"),
    ("5-signal", "echo accept-at-end; kill -ABRT $$", "CRA", "crashed with signal 6"),
    ("5-after-acceptance", "echo accept; read x; exit 3", "CRA", "after the referee had accepted"),
    // 6 and 7. The ruling.
    ("6-rejected", "echo reject-at-end; exit 0", "WRO", "late"),
    ("7-accepted", "echo accept; read x; exit 0", "AC", ""),
    ("7-accepted-at-end", "echo accept-at-end; exit 0", "AC", ""),
    ("7-answers", "echo ask; read x; test \"$x\" = go", "AC", ""),
    ("7-deaf-referee", "echo deaf; exit 0", "AC", ""),
    ("7-closes", "echo accept-at-end; exec 1>&-; exit 0", "AC", ""),
    ("7-closes-its-input", "exec 0<&-; echo say-much; exit 0", "AC", ""),
    // A child holds an end of the talk, and the end of the program is the end all the same.
    ("7-leaves-a-child", "echo accept-at-end; sleep 100 & exit 0", "AC", ""),
    ("7-referee-leaves-a-child", "echo child; cat; exit 0", "AC", ""),
];

fn talking(folder: &Folder, keys: &str, entries: &[(&str, &str)]) {
    let keys = format!("protocol = \"kattis\"\ntalk = true\n{keys}");
    external(folder, &keys, REFEREE, &[("A", "a board\n")], entries);
}

/// Runs the contest, as another user if there is one.
fn run(folder: &Folder, isolation: &str, user: Option<u32>) -> Value {
    let args = "run contest.toml --jobs 2 --format json --out out/1 --isolation".split(' ').chain([isolation]);
    json_of(&mut folder.judge_as(user, &args.collect::<Vec<_>>())).0
}

/// Runs the lines of the table whose names this accepts.
fn blamed(isolation: &str, user: Option<u32>, wanted: impl Fn(&str) -> bool) {
    if user.is_some() && !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = Folder::new();
    let lines = BLAME.iter().filter(|(name, ..)| wanted(name));
    let entries: Vec<(&str, &str)> = lines.map(|(name, script, ..)| (*name, *script)).collect();
    talking(&folder, "limit = \"9s\"\ncpu = \"500ms\"\nmemory = \"128MiB\"\noutput = \"4MiB\"\n", &entries);
    // Long enough for a busy machine, and short where it is the limit that counts.
    let limits = "limit = \"60s\"\nmemory = \"128MiB\"\noutput = \"2MiB\"";
    let mut text = folder.read("contest.toml").replace("limit = \"10s\"", limits);
    for (entry, limits) in [
        ("3-cpu", "cpu = \"100ms\""),
        ("3-wall", "limit = \"1s\""),
        ("3-after-acceptance", "limit = \"1s\""),
        ("3-referee-stopped", "limit = \"1s\""),
        ("3-closes-both", "limit = \"1s\""),
        ("3-never-reads", "limit = \"1s\""),
        ("4-processes", "processes = 8"),
        ("4-files", "scratch = \"4MiB\""),
    ] {
        let name = format!("name = \"{entry}\"\n");
        assert!(text.contains(&name) || !wanted(entry), "{text}");
        text = text.replace(&name, &format!("{name}limits = {{ {limits} }}\n"));
    }
    folder.file("contest.toml", text);
    // The mode stays.
    fs::write(folder.path().join("entries/0-not-started"), "#!/no/such/interpreter\n").unwrap();
    folder.open_to_all(&[]);
    let table = run(&folder, isolation, user);
    let tier = table["isolation"][0].as_str().unwrap().to_owned();
    let mut wrong = Vec::new();
    for row in table["entries"].as_array().unwrap() {
        let (name, run) = (row["entry"].as_str().unwrap(), &row["runs"][0]);
        let printed = [&run["fault"], &run["notes"]].map(|text| text.as_str().map_or(text.to_string(), str::to_owned));
        let (.., cell, words) = BLAME.iter().find(|(known, ..)| *known == name).unwrap();
        let found = run["cell"].as_str().unwrap();
        if !found.ends_with(cell) || !printed.join(" ").contains(words) {
            wrong.push(format!("{name}: expected {cell} {words:?}, got {run}"));
        }
    }
    assert!(wrong.is_empty(), "{tier}:\n{}", wrong.join("\n"));
    assert_eq!(table["entries"].as_array().unwrap().len(), entries.len());
    assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "{tier}: somebody survived");
    let left: Vec<_> = fs::read_dir(folder.path().join("tmp")).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(left.is_empty(), "{tier}: {left:?}");
}

/// Those that end by themselves: nobody waits for a limit.
#[test]
fn each_end_of_a_talk_has_the_verdict_of_the_table_of_blame() {
    let ends = |name: &str| {
        let waits = ["1-own-cpu-limit", "1-memory", "1-too-much-output", "1-spins-after-the-entry", "7-deaf-referee"];
        !name.starts_with(['3', '4']) && !waits.contains(&name)
    };
    blamed("auto", None, ends);
}

siege! { blamed;
    the_table_of_blame_holds_in_the_strongest_tier("auto", None, |_| true)
    the_table_of_blame_holds_in_the_strongest_tier_of_an_ordinary_user("auto", Some(65534), |_| true)
    the_table_of_blame_holds_under_landlock("landlock", None, |_| true)
    the_table_of_blame_holds_under_landlock_of_an_ordinary_user("landlock", Some(65533), |_| true)
    the_table_of_blame_holds_in_a_process_group("off", None, |_| true)
    the_table_of_blame_holds_in_a_process_group_of_an_ordinary_user("off", Some(65532), |_| true)
}

#[test]
#[ignore = "deep: siege"]
fn a_referee_that_leaves_no_ruling_has_failed_in_every_tier() {
    let users: &[Option<u32>] = if rustix::process::geteuid().is_root() { &[None, Some(65531)] } else { &[None] };
    for (isolation, user) in
        ["auto", "landlock", "off"].iter().flat_map(|isolation| users.iter().map(move |user| (isolation, *user)))
    {
        let folder = Folder::new();
        talking(&folder, "limit = \"1s\"\n", &[("1-no-ruling", "echo mute; exit 0")]);
        folder.open_to_all(&[]);
        let table = run(&folder, isolation, user);
        let run = &table["entries"][0]["runs"][0];
        assert!(run["cell"].as_str().unwrap().ends_with("JUD"), "{isolation}, {user:?}: {run}");
        assert!(run["fault"].as_str().unwrap().contains("had not ruled"), "{isolation}, {user:?}: {run}");
        assert_eq!(processes_naming(folder.path()), Vec::<String>::new(), "{isolation}, {user:?}: somebody survived");
    }
}

#[test]
fn a_referee_that_crashes_in_a_talk_rejects_with_on_crash() {
    for (on_crash, cell) in [("judge", "JUD"), ("reject", "WRO")] {
        let folder = Folder::new();
        let keys = format!("on_crash = \"{on_crash}\"\n");
        talking(&folder, &keys, &[("crash", "echo crash; read x"), ("code", "echo code; read x")]);
        folder.open_to_all(&[]);
        for row in run(&folder, "auto", None)["entries"].as_array().unwrap() {
            assert!(row["runs"][0]["cell"].as_str().unwrap().ends_with(cell), "{on_crash}: {row}");
        }
    }
}

#[test]
fn an_entry_overhears_its_referee_only_under_landlock_as_the_list_says() {
    for isolation in ["auto", "landlock"] {
        let folder = Folder::new();
        let looks = "echo ask; read x
            for line in /proc/[0-9]*/cmdline; do tr '\\0' '\\n' < $line 2>/dev/null | grep -q hidden-word || continue
            echo heard >&2
            for word in $(tr '\\0' ' ' < $line); do
            case $word in */board) stat -c 'size %s' $word >&2; cat $word >&2; : > $word ;; */judge_answer) cat $word >&2 ;; esac
            done; done 2>&1 | cat >&2; exit 0";
        let keys = "protocol = \"kattis\"\ntalk = true\nargs = [\"hidden-word\"]\n";
        external(&folder, keys, REFEREE, &[("A", "a secret board\n")], &[("looks", looks)]);
        let ran = folder.judge(["run", "contest.toml", "--isolation", isolation, "--out", "out"]).exits(0);
        let is_landlock = ran.stdout.contains("isolation: landlock");
        let heard = folder.read("out/output/1/looks/A.1.err");
        assert_eq!(heard.contains("heard\n"), is_landlock, "{isolation}: {heard}");
        // The size, which no rule of Landlock hides, and never what is in it.
        assert_eq!(heard.contains("size 15\n"), is_landlock, "{isolation}: {heard}");
        assert!(!heard.contains("a secret board"), "{isolation}: {heard}");
        assert_eq!(
            ran.stderr.contains("the command line of the referee that it talks to"),
            is_landlock,
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.contains("AC"), "{isolation}: {}", ran.stdout);
    }
}

#[test]
fn a_recorded_talk_is_verified() {
    let folder = Folder::new();
    talking(&folder, "", &[("asks", "echo ask; read x; echo got $x; exit 0")]);
    folder.judge(["run", "contest.toml", "--out", "out"]).exits(0);
    let transcript = folder.read("out/output/1/asks/A.1.talk.jsonl");
    let reply: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |from: u64| -> String {
        reply.iter().filter(|line| line["from"] == from).map(|line| line["text"].as_str().unwrap()).collect()
    };
    assert_eq!((text(0), text(1)), ("go\n".into(), "ask\ngot go\n".into()), "{transcript}");
    let journal = folder.read("out/journal.jsonl");
    assert!(journal.contains("\"own_us\":"), "{journal}");
    folder.judge(["verify", "out"]).exits(0);
    folder.judge(["replay", "out", "asks", "A"]).exits(0).shows(["ms  entry              ask", "  go", "  got go"]);
    folder.file("out/output/1/asks/A.1.talk.jsonl", transcript.replace("got", "GOT"));
    let changed = folder.judge(["verify", "out"]).exits(1);
    assert!(changed.stdout.contains("A.1.talk.jsonl"), "{}", changed.stdout);
    // A stored answer is not a talk.
    let refused = folder.judge(["rejudge", "out", "--dry-run"]).exits(2).message();
    assert!(refused.contains("none of these can be held again with a stored answer"), "{refused}");
}

#[test]
fn an_own_clock_leaves_out_the_time_of_the_referee() {
    let folder = Folder::new();
    talking(
        &folder,
        "clock = \"own\"\n",
        &[("waits", "echo deaf; read x; exit 0"), ("thinks", "echo ask; read x; while :; do :; done")],
    );
    let name = "name = \"thinks\"\n";
    let text = folder.read("contest.toml");
    assert!(text.contains(name), "{text}");
    folder.file("contest.toml", text.replace(name, &format!("{name}limits = {{ limit = \"700ms\" }}\n")));
    let run = folder.judge(["run", "contest.toml", "--out", "out", "--format", "json"]).exits(0);
    let table: Value = serde_json::from_str(&run.stdout).unwrap();
    let rows = table["entries"].as_array().unwrap();
    let cell = |name: &str| rows.iter().find(|row| row["entry"] == name).unwrap()["runs"][0]["cell"].as_str().unwrap();
    assert!(cell("waits") == "AC" && cell("thinks").ends_with("TIM"), "{table}");
    // While the referee slept for a second, it was not the entry's turn.
    let lines = folder.journal("out", "");
    let run = lines.into_iter().find(|line| line["entry"] == "waits" && line["own_us"].is_u64()).unwrap();
    let (own, wall) = (run["own_us"].as_u64().unwrap(), run["wall_us"].as_u64().unwrap());
    assert!(own + 1_000_000 <= wall, "{run}");
}

#[test]
fn many_talks_need_no_more_descriptors_than_one() {
    let folder = Folder::new();
    let boards: Vec<String> = (0..40).map(|number| format!("B{number}")).collect();
    let boards: Vec<(&str, &str)> = boards.iter().map(|name| (name.as_str(), "a board\n")).collect();
    let keys = "protocol = \"kattis\"\ntalk = true\n";
    external(&folder, keys, REFEREE, &boards, &[("accepts", "echo accept; read x; exit 0")]);
    let limited = format!("ulimit -n 150; exec {} run contest.toml --jobs 1 --out out", env!("CARGO_BIN_EXE_judge"));
    let output = Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_talk_that_cannot_be_refereed_again_has_a_way_out() {
    let folder = Folder::new();
    talking(&folder, "", &[("talks", "echo accept; exit 0")]);
    folder.judge(["run", "contest.toml", "--out", "out"]).exits(0);
    let hint = "none of these can be held again with a stored answer: have the entries run again in a new contest";
    folder.judge(["rejudge", "out"]).exits(2).says([hint]);
    // Another referee would leave the verdicts of the first.
    folder.script("referee/referee", &REFEREE.replace("accept) exit 42", "accept) exit 43"));
    for options in [&["update", "out"][..], &["update", "out", "--rejudge"]] {
        folder.file("contest.toml", folder.read("contest.toml") + &crate::support::entry("late", &["entries/talks"]));
        let refused = folder.judge(options.iter().copied()).exits(2).message();
        assert!(refused.contains(hint), "{options:?}: {refused}");
        folder.file("contest.toml", folder.read("contest.toml").rsplit_once("[[entry]]").unwrap().0);
    }
    folder.judge(["rank", "out", "--format", "csv"]).exits(0).shows([",AC"]);
}

#[test]
fn the_office_judges_submissions_by_a_referee_that_talks() {
    let folder = Folder::new();
    talking(&folder, "", &[("house", "echo ask; read x; test \"$x\" = go")]);
    folder.judge(["team", "add", ".", "ada", "bob"]).exits(0);
    folder.file("ada.sh", "echo ask; read x; test \"$x\" = go\n");
    folder.file("bob.sh", "echo reject; read x\n");
    for (team, file) in [("ada", "ada.sh"), ("bob", "bob.sh")] {
        folder.judge(["office", "submit", ".", team, file]).exits(0);
    }
    let judged = folder.judge(["office", "judge", "."]).exits(0).stdout;
    let cell = |entry: &str| {
        let json = folder.judge(["rank", "results", "--format", "json"]).exits(0).json();
        let rows = json["entries"].as_array().unwrap().clone();
        rows.iter().find(|row| row["entry"] == entry).unwrap()["runs"][0]["cell"].as_str().unwrap().to_owned()
    };
    assert_eq!(["house", "ada.1"].map(cell), ["AC", "AC"], "{judged}");
    assert!(cell("bob.2").contains("WRO"), "{judged}");
    // The transcripts are there, for the replay of each run.
    folder.judge(["replay", "results", "ada.1", "A"]).exits(0).shows(["entry", "referee", "go"]);
    // An answer of a talk cannot be refereed again there either.
    folder.script("referee/referee", &REFEREE.replace("ask) echo go", "ask) echo on"));
    let mut message = String::new();
    for step in ["rejudge", "judge", "rejudge"] {
        let output = folder.command(["office", step, "."]).output().unwrap();
        message += &[output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    }
    assert!(message.contains("none of these can be held again"), "{message}");
    assert_eq!(["house", "ada.1"].map(cell), ["AC", "AC"]);
}

#[test]
fn a_try_shows_the_talk_with_its_times() {
    let folder = Folder::new();
    talking(&folder, "", &[("house", "echo accept")]);
    let solver = "echo ask; read x; test \"$x\" = go || exit 9; sleep 0.4; echo done\n";
    folder.file("solver.sh", solver);
    let command = ["--", "sh", "solver.sh"];
    let one = folder.judge(["try", "--contest", "contest.toml", "A"].into_iter().chain(command)).exits(0).stdout;
    let line = |text: &str, who: &str, reply: &str| {
        let found = text.lines().find(|line| line.contains(who) && line.ends_with(reply));
        found.unwrap_or_else(|| panic!("{who}: {reply}\n{text}")).to_owned()
    };
    line(&one, "referee", "  go");
    line(&one, "entry", "  ask");
    // The time that the solver took is beside its message.
    let thought = line(&one, "entry", "  done");
    let took = thought.split('+').nth(1).unwrap().split_whitespace().next().unwrap();
    assert!(took.parse::<f64>().unwrap() >= 400.0 || thought.contains(" s  done"), "{thought}");
    let json =
        folder.judge(["try", "--contest", "contest.toml", "A", "--json"].into_iter().chain(command)).exits(0).json();
    assert!(json["talk"].as_str().unwrap().contains("go"), "{json}");
    // On all boards, the first failure is shown.
    folder.file("solver.sh", solver.replace("ask", "reject"));
    let all = folder.judge(["try", "contest.toml", "--remember", "memory"].into_iter().chain(command)).exits(1).stdout;
    assert!(all.contains("first failure, on A: wrong answer"), "{all}");
    line(&all, "entry", "  reject");
}
