//! Contest files with all existing keys, and the plans that they define.

mod problems;

use judge_job::IsolationMode;
use serde_json::{Value, json};

use super::*;
use judge_core::plan::Advance;

/// The plan of a contest file, without the texts of boards that both tests share.
fn plan_of(contest: &Contest) -> Value {
    serde_json::to_value(&contest.plan).unwrap()
}

#[test]
fn every_key_of_a_contest_of_a_built_in_game_is_in_its_plan() {
    let folder = Folder::new(
        r#"
name = "All keys"
game = "loyd"
limit = "10s"
grace = "2s"
cpu = "9s"
memory = "64MiB"
processes = 7
output = "1MiB"
scratch = "2MiB"
cores = 2
isolation = "off"
build_isolation = "off"
keep_programs = "3MiB"
readable = ["x.txt"]
input = ["argument", "stdin"]
statement = "about.md"
repeat = 3
[ranking]
order = ["moves", "time"]
[build]
limit = "20s"
memory = "100MiB"
processes = 11
scratch = "101MiB"
output = "102MiB"
cores = 3
readable = ["x.txt"]
writable = ["cache"]
environment = ["HOME", "A=1"]
fetch = "get it"
[[board]]
name = "X"
file = "x.txt"
reconstruction = true
note = "the first"
[[board]]
name = "Y"
file = "y.txt"
struck = "a misprint"
[[entry]]
name = "a"
author = "A. Author"
year = 1995
strategy = "search"
write_up = "a/words.md"
folder = "a"
command = ["a/solve", "--fast"]
readable = ["x.txt"]
working_files = ["a/table"]
competing = false
limits = { limit = "5s", memory = "unlimited", processes = "unlimited", cpu = "unlimited" }
[[entry]]
name = "b"
command = "b/solve"
build = "make"
disqualified = "copied"
[[round]]
name = "Final"
boards = ["X"]
limit = "6s"
advance = { top = 2 }
tie_on = ["moves"]
[[round]]
name = "Grand finale"
boards = ["Y"]
"#,
    );
    folder.file("a/table", "1 2 3");
    folder.file("a/words.md", "My *strategy*.");
    folder.file("about.md", "Move *tiles*.");
    folder.file("cache/file", "");
    let contest = folder.contest();
    let mut plan = plan_of(&contest);
    for board in plan["boards"].as_array_mut().unwrap() {
        assert!(board.as_object_mut().unwrap().remove("text").unwrap().as_str().unwrap().starts_with("ABCDE"));
    }
    let expected = json!({
        "boards": [
            {"name": "X", "note": "the first", "reconstruction": true},
            {"name": "Y"},
        ],
        "entries": [
            {"author": "A. Author", "command": ["a/solve", "--fast"], "competing": false, "folder": "a",
                "limits": {"cores": 2, "cpu_ms": null, "grace_ms": 2000, "memory_bytes": null,
                    "output_bytes": 1048576, "processes": null, "scratch_bytes": 2097152, "wall_ms": 5000},
                        "name": "a", "readable": ["x.txt"], "strategy": "search", "working_files": ["a/table"],
                            "year": 1995},
            {"build": "make", "command": ["b/solve"], "competing": true, "name": "b"},
        ],
        "game": "loyd",
        "input": "both",
        "isolation": "off",
        "limits": {"cores": 2, "cpu_ms": 9000, "grace_ms": 2000, "memory_bytes": 67108864,
            "output_bytes": 1048576, "processes": 7, "scratch_bytes": 2097152, "wall_ms": 10000},
        "name": "All keys",
        "ranking": ["solved", "failed", "moves", "unstarted", "time"],
        "readable": ["x.txt"],
        "repeat": 3,
        "rounds": [
            {"advance": {"top": 2}, "boards": ["X"], "name": "Final",
                "tie_on": ["solved", "failed", "moves"], "wall_ms": 6000},
            {"advance": "all", "boards": ["Y"], "name": "Grand finale", "tie_on": ["solved", "failed", "moves"]},
        ],
        "rules": {},
        "shown": {"statements": {"": {"markdown": "Move *tiles*."}}, "write_ups": {"a": "My *strategy*."}},
    });
    assert_eq!(plan, expected, "{plan:#}");
    assert_eq!(contest.keep_programs, 3 << 20);
    assert_eq!(contest.struck, BTreeMap::from([("Y".to_owned(), "a misprint".to_owned())]));
    let out = &contest.withdrawn["b"];
    assert_eq!((&*out.reason, out.disqualified, contest.withdrawn.len()), ("copied", true, 1));
    let builds = &contest.builds;
    let limits = &builds.limits;
    assert_eq!((limits.wall_ms, limits.memory_bytes, limits.processes), (20_000, Some(100 << 20), Some(11)));
    assert_eq!((limits.scratch_bytes, limits.output_bytes, limits.cores), (Some(101 << 20), 102 << 20, 3));
    assert_eq!(
        (builds.isolation, builds.cores, builds.fetch.as_deref()),
        (IsolationMode::Off, Some(3), Some("get it"))
    );
    assert_eq!((&*builds.readable, &*builds.writable), (&["x.txt".to_owned()][..], &["cache".to_owned()][..]));
    assert_eq!(builds.environment, ["HOME", "A=1"]);
}

#[test]
fn every_key_of_a_contest_of_a_referee_is_in_its_plan() {
    let folder = Folder::new(
        r#"
name = "All keys"
game = "external"
limit = "10s"
build_isolation = "off"
[referee]
protocol = "score"
command = ["./referee", "--strict"]
build = "make referee"
folder = "."
readable = ["x.txt"]
args = ["--all"]
limit = "1s"
cpu = "2s"
memory = "3MiB"
processes = 4
output = "5MiB"
scratch = "6MiB"
pattern = 'Score = (?<score>[0-9.]+)'
repeat = 2
on_crash = "reject"
check = ["./referee", "--check"]
make = ["./referee", "--make"]
show = ["./referee", "--show"]
[[figure]]
name = "score"
better = "less"
decimals = 2
full = "9.5"
[[group]]
name = "small"
aggregate = "min"
[[group]]
name = "large"
aggregate = "all"
points = "1.25"
within = "small"
requires = ["small"]
[[board]]
name = "X"
file = "x.txt"
answer = "y.txt"
args = ["--one"]
entry_args = ["--two", "3"]
files = ["data", "more.txt"]
group = "large"
points = "4.5"
best = "2.75"
reconstruction = true
note = "the first"
[[entry]]
name = "a"
command = "a/solve"
"#,
    );
    folder.file("data/one.txt", "1");
    folder.file("data/two.txt", "2");
    folder.file("more.txt", "3");
    let plan = plan_of(&folder.contest());
    let expected = json!({
        "boards": [
            {"answer": "ABCDE FGHIJ KL+MN PQRSO UVWXT", "args": ["--one"], "entry_args": ["--two", "3"],
                "files": [{"contents": "3", "name": "more.txt"}, {"contents": "1",
                    "name": "one.txt"}, {"contents": "2", "name": "two.txt"}], "group": "large", "name": "X",
                        "note": "the first", "points": "4.50", "reconstruction": true,
                            "text": "ABCDE FGHIJ KL+MN PQRSO UVWXT"},
        ],
        "entries": [
            {"command": ["a/solve"], "competing": true, "name": "a"},
        ],
        "game": "external",
        "isolation": "auto",
        "limits": {
            "cores": 1,
            "cpu_ms": null,
            "grace_ms": 0,
            "memory_bytes": 1073741824,
            "output_bytes": 16777216,
            "processes": 256,
            "scratch_bytes": 268435456,
            "wall_ms": 10000,
        },
        "name": "All keys",
        "ranking": ["solved", "failed", "score", "unstarted", "time"],
        "referee": {
            "args": ["--all"],
            "build": "make referee",
            "check": ["./referee", "--check"],
            "command": ["./referee", "--strict"],
            "folder": ".",
            "limits": {"cores": 1, "cpu_ms": 2000, "grace_ms": 0, "memory_bytes": 3145728,
                "output_bytes": 5242880, "processes": 4, "scratch_bytes": 6291456, "wall_ms": 1000},
            "make": ["./referee", "--make"],
            "on_crash": "reject",
            "pattern": "Score = (?<score>[0-9.]+)",
            "protocol": "score",
            "readable": ["x.txt"],
            "repeat": 2,
            "show": ["./referee", "--show"],
        },
        "rules": {},
        "scoring": {
            "figures": [{"better": "less", "decimals": 2, "failed": "0.00", "full": "9.50", "name": "score"}],
            "cell": ["score"],
            "total": ["score"],
            "groups": [{"aggregate": "min", "name": "small"}, {"aggregate": "all", "name": "large",
                "points": "1.25", "requires": ["small"], "within": "small"}],
        },
        "shown": {"best": {"X": "2.75"}},
    });
    assert_eq!(plan, expected, "{plan:#}");
}

#[test]
fn a_referee_without_limits_has_the_usual_ones() {
    let referee =
        Folder::new(&[EXIT_HEAD, BOARDS, ENTRIES].concat()).contest().plan.problems[0].referee.clone().unwrap();
    let limits = Limits::default()
        .with_wall_ms(60_000)
        .with_memory_bytes(2 << 30)
        .with_processes(64)
        .with_output_bytes(8 << 20)
        .with_scratch_bytes(256 << 20);
    assert_eq!((referee.limits, &*referee.accept, &*referee.reject, referee.repeat), (limits, &[0][..], &[1][..], 1));
    // Exit codes belong to one protocol.
    let native = Folder::new(&[&EXIT_HEAD.replace("exit", "native"), BOARDS, ENTRIES].concat()).contest().plan.problems
        [0]
    .referee
    .clone()
    .unwrap();
    assert!(native.accept.is_empty() && native.reject.is_empty());
}

#[test]
fn a_limit_is_not_zero() {
    let refused = |key: &str| {
        let folder = Folder::new(&[HEAD, key, "\n", BOARDS, ENTRIES].concat());
        Contest::load(folder.0.path(), &Overrides::default()).err().unwrap().to_string()
    };
    for (key, name) in [("cpu = \"0s\"", "cpu"), ("memory = \"0\"", "memory"), ("scratch = \"0MiB\"", "scratch")] {
        assert!(refused(key).contains(&format!("{name} must not be zero")), "{key}");
    }
    for number in ["0", "-1", "4194305", "\"none\""] {
        let text = refused(&format!("processes = {number}"));
        assert!(text.contains("processes must be 1 to 4194304 or \"unlimited\""), "{text}");
    }
}

#[test]
fn rounds_have_every_way_to_go_on() {
    for (word, advance) in [("tied", Advance::Tied), ("solved", Advance::Solved), ("all", Advance::All)] {
        let rounds = format!(
            "[[round]]\nname = \"A\"\nboards = [\"X\"]\nadvance = \"{word}\"\n\
             [[round]]\nname = \"B\"\nboards = [\"Y\"]\n"
        );
        let contest = Folder::new(&[HEAD, BOARDS, ENTRIES, &rounds].concat()).contest();
        assert_eq!(contest.plan.rounds[0].advance, advance);
    }
}
