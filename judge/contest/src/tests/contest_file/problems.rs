//! Contest files with several problems.

use judge_core::plan::{Plan, Problem, Statement};

use super::*;

/// Two problems with referees, the second in a separate file.
const SEVERAL: &str = r#"name = "several"
limit = "3s"
[[problem]]
id = "one"
game = "external"
[problem.referee]
protocol = "exit"
command = "./referee"
[[problem.board]]
name = "X"
file = "x.txt"
[[problem]]
id = "two"
file = "two/problem.toml"
[[entry]]
name = "a"
command = ["true"]
[[entry]]
name = "b"
command = ["true"]
problems = ["two"]
limits = { memory = "64MiB" }
"#;

const TWO: &str = r#"name = "Two"
game = "external"
limit = "5s"
[referee]
protocol = "exit"
command = ["python3", "judge.py", "{dir}/data", "other"]
build = "make"
folder = "build"
readable = ["data"]
[[board]]
files = "boards/*"
"#;

fn several(contest: &str, two: &str) -> Folder {
    let folder = Folder::new(contest);
    folder.file("two/problem.toml", two);
    for file in ["judge.py", "data", "boards/X.txt", "boards/Y.txt"] {
        folder.file(&format!("two/{file}"), "1\n");
    }
    folder
}

fn refusal(contest: &str, two: &str) -> String {
    let folder = several(contest, two);
    let error = Contest::load(folder.0.path(), &Overrides::default()).map(drop).expect_err(contest);
    let file = error.file.strip_prefix(folder.0.path()).unwrap().display();
    format!("{file}:{}: {}", error.line.unwrap_or(0), error.reason)
}

fn boards(plan: &Plan) -> Vec<&str> {
    plan.boards.iter().map(|board| &*board.name).collect()
}

#[test]
fn each_problem_has_its_statement() {
    let own = SEVERAL.replace("id = \"one\"", "id = \"one\"\nstatement = \"one.md\"");
    let folder = several(&own, &format!("statement = \"two.md\"\n{TWO}"));
    folder.file("one.md", "First");
    folder.file("two/two.md", "Second");
    let statements = folder.contest().plan.shown.statements.clone();
    let text = |text: &str| Statement::Markdown(text.to_owned());
    assert_eq!(
        statements.into_iter().collect::<Vec<_>>(),
        [("one".into(), text("First")), ("two".into(), text("Second"))]
    );
}

#[test]
fn problems_are_read_from_their_files() {
    let folder = several(SEVERAL, TWO);
    let contest = folder.contest();
    let plan = &contest.plan;
    assert_eq!(boards(plan), ["one/X", "two/X", "two/Y"]);
    let of = |problem: &Problem| (problem.id.clone(), problem.name.clone(), problem.limits.wall_ms);
    let problems: Vec<_> = plan.problems.iter().map(of).collect();
    assert_eq!(problems, [("one".into(), String::new(), 3_000), ("two".into(), "Two".into(), 5_000)]);
    // Its paths are relative to its file, and are recorded relative to the contest's folder.
    let referee = plan.problems[1].referee.as_deref().unwrap();
    assert_eq!(referee.command, ["python3", "two/judge.py", "{dir}/two/data", "other"]);
    assert_eq!((referee.build.as_deref(), referee.folder.as_deref()), (Some("cd two && make"), Some("two/build")));
    assert_eq!(referee.readable, ["two/data"]);
    // A program beside the file needs no slash.
    folder.file("two/problem.toml", &TWO.replace("\"python3\", \"judge.py\"", "\"judge.py\""));
    let beside = folder.contest().plan.problems[1].referee.as_deref().unwrap().command[0].clone();
    assert_eq!(beside, "two/judge.py");
    // Limits of an entry change those of its problem.
    let limits = plan.entries[1].limits.unwrap();
    assert_eq!((limits.wall_ms, limits.memory_bytes), (5_000, Some(64 << 20)));
    let turns: Vec<String> = plan.start_order().iter().map(|key| format!("{} {}", key.entry, key.board)).collect();
    assert_eq!(turns, ["a one/X", "b two/X", "a two/X", "a two/Y", "b two/Y"]);
    // Selected alone, the problem is a contest of one problem.
    let alone = contest.of_problem(Some("two")).unwrap();
    assert_eq!(boards(&alone.plan), ["X", "Y"]);
    assert_eq!((alone.plan.problems.only().id.as_str(), alone.plan.entries.len()), ("", 2));
    assert!(alone.plan.entries[1].problems.is_empty() && alone.has_board("Y") && !alone.has_board("two/Y"));
    let reason = |named| folder.contest().of_problem(named).map(drop).unwrap_err().reason;
    assert_eq!(reason(None), "has several problems");
    assert_eq!(reason(Some("tow")), "unknown problem `tow`; did you mean `two`? available: one, two");
}

#[test]
fn groups_and_decimals_of_problems_are_joined() {
    let points = |decimals: u8| {
        format!(
            "[[problem.figure]]\nname = \"score\"\nbetter = \"more\"\ndecimals = {decimals}\n[[problem.group]]\nname = \"g\"\n"
        )
    };
    let problem = |id: &str, decimals| {
        format!(
            "[[problem]]\nid = \"{id}\"\ngame = \"external\"\n[problem.referee]\nprotocol = \"native\"\ncommand = \"./referee\"\n\
             [[problem.board]]\nname = \"X\"\nfile = \"x.txt\"\ngroup = \"g\"\n{}",
            points(decimals)
        )
    };
    let text =
        format!("name = \"s\"\n{}{}[[entry]]\nname = \"a\"\ncommand = \"true\"\n", problem("p", 1), problem("q", 3));
    let contest = Folder::new(&text).contest();
    let scoring = contest.plan.scoring.as_ref().unwrap();
    assert_eq!(scoring.main().decimals, 3);
    assert_eq!(scoring.groups.iter().map(|group| &*group.name).collect::<Vec<_>>(), ["p/g", "q/g"]);
    assert_eq!(contest.plan.boards[1].group.as_deref(), Some("q/g"));
    let other = text.replacen("better = \"more\"", "better = \"less\"", 1);
    let error = Contest::load(Folder::new(&other).0.path(), &Overrides::default()).map(drop).unwrap_err();
    assert!(
        error.reason.contains("problem p has the figures score (less), and problem q score (more)"),
        "{}",
        error.reason
    );
}

#[test]
fn faults_of_problems_are_said_with_their_file_and_line() {
    let changed = |from: &str, to: &str| refusal(&SEVERAL.replacen(from, to, 1), TWO);
    let in_two = |from: &str, to: &str| refusal(SEVERAL, &TWO.replacen(from, to, 1));
    for (found, expected) in rows! {
        (changed("limit = \"3s\"", "game = \"loyd\""), "contest.toml:2: game belongs to one problem"),
        (changed("id = \"two\"", "id = \"one\""), "contest.toml:13: duplicate problem name `one`"),
        (changed("id = \"two\"", "id = \"2\""), "contest.toml:13: problem name `2` is a number; give it a letter"),
        (changed("file = \"two/problem.toml\"", "file = \"two/none.toml\""), "contest.toml:14: file: "),
        (
            changed("file = \"two/problem.toml\"", "game = \"loyd\"\nfile = \"two/problem.toml\""),
            "contest.toml:14: the keys of problem two are in its `file`",
        ),
        (changed("game = \"external\"\n", ""), "missing key `game`"),
        (changed("problems = [\"two\"]", "problems = [\"tow\"]"), "contest.toml:21: unknown problem `tow`; did you mean `two`?"),
        (changed("problems = [\"two\"]", "problems = []"), "contest.toml:21: problems names one or more"),
        (changed("problems = [\"two\"]\n", ""), "contest.toml:20: entry b: limits of its own are those of one problem"),
        (changed("[[entry]]", "[match]\nseats = 2\nschedule = \"all\"\n[[entry]]"), "[match] does not fit [[problem]]"),
        (
            changed("[[entry]]", "[[round]]\nname = \"1\"\nboards = [\"one/X\", \"two/X\"]\n[[entry]]"),
            "two/problem.toml:11: board two/Y is in no round",
        ),
        (in_two("limit = \"5s\"", "limt = \"5s\""), "two/problem.toml:3: unknown key `limt`"),
        (in_two("protocol = \"exit\"\n", ""), "two/problem.toml:4: missing key `protocol`"),
        (in_two("protocol = \"exit\"", "protocol = \"native\""), "problem one has the figures solved"),
        (in_two("[\"data\"]", "[\"date\"]"), "two/problem.toml:9: readable: "),
        (in_two("name = \"Two\"", "repeat = 2"), "two/problem.toml:1: unknown key `repeat`"),
    } {
        assert!(found.contains(expected), "expected `{expected}`, found `{found}`");
    }
    let one =
        Folder::new(&[HEAD, BOARDS, "[[entry]]\nname = \"a\"\ncommand = \"true\"\nproblems = [\"x\"]\n"].concat());
    let error = Contest::load(one.0.path(), &Overrides::default()).map(drop).unwrap_err();
    assert!(error.reason.starts_with("problems names one or more of the tables [[problem]]"), "{}", error.reason);
}
