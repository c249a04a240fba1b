//! Tests of a contest of several problems: its runs, their limits, and its table.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};

use super::tests::parse_both;
use super::tests::{entry, run};
use super::*;
use crate::changes::{DesiredContest, changes, other_referee};
use crate::key::RunKey;
use crate::plan::{Overrides, Plan, SameRuns};
use crate::results::{Results, Upcoming};

fn limits(wall_ms: u64) -> Value {
    json!({"wall_ms": wall_ms, "grace_ms": 0, "cpu_ms": null, "memory_bytes": null, "processes": null,
           "output_bytes": 9, "scratch_bytes": null, "cores": 1})
}

fn problem(id: &str, wall_ms: u64) -> Value {
    json!({"id": id, "game": "loyd", "rules": {}, "limits": limits(wall_ms)})
}

/// An entry for these problems; for all problems if the list is empty.
fn entry_for(name: &str, problems: &[&str]) -> Value {
    let mut entry = entry(name);
    entry["problems"] = json!(problems);
    entry
}

fn board(name: &str) -> Value {
    json!({"name": name, "text": name})
}

/// A plan of two problems, with an entry for both and one for each.
fn plan_value() -> Value {
    let boards = ["p/X", "p/Y", "q/X"].map(board);
    let entries = [entry_for("both", &[]), entry_for("p.1", &["p"]), entry_for("q.2", &["q"])];
    json!({
        "name": "test", "problems": [problem("p", 1000), problem("q", 500)], "ranking": ["progress", "moves"],
        "boards": boards, "entries": entries,
    })
}

fn plan() -> Plan {
    serde_json::from_value(plan_value()).unwrap()
}

fn read(plan: &Plan, lines: &[Value]) -> Result<ContestState, JournalError> {
    let order = plan.start_order();
    let header = Header::new("c.toml".into(), Overrides::default(), plan.clone(), order, Default::default(), None);
    let mut chain = Chain::default();
    let mut bytes = encode(&Line::Contest(Box::new(header)), None, &mut chain);
    for line in lines {
        let mut line = (line.to_string() + "\n").into_bytes();
        chain.seal(&mut line);
        bytes.extend(line);
    }
    parse_both(&bytes)
}

fn names(order: &[RunKey]) -> Vec<String> {
    order.iter().map(|key| format!("{} {}", key.entry, key.board)).collect()
}

#[test]
fn an_entry_runs_on_the_boards_of_its_problems() {
    let planned = ["both p/X", "p.1 p/X", "p.1 p/Y", "both p/Y", "q.2 q/X", "both q/X"];
    assert_eq!(names(&plan().start_order()), planned);
    let added = json!({"line": "entry", "entry": entry_for("q.3", &["q"]), "programs": {}});
    let new = json!({"line": "board", "name": "q/Y", "text": "y"});
    let contents = read(&plan(), &[added, new]).unwrap();
    let mut order = names(contents.order());
    assert_eq!(order, names(&contents.plan.start_order()), "the order is that of the plan");
    order.sort();
    let all = ["both p/X", "both p/Y", "both q/X", "both q/Y", "p.1 p/X", "p.1 p/Y"];
    assert_eq!(order, [&all[..], &["q.2 q/X", "q.2 q/Y", "q.3 q/X", "q.3 q/Y"]].concat());
}

#[test]
fn an_upcoming_round_has_the_runs_of_each_entry_on_its_boards() {
    let mut plan = plan_value();
    plan["rounds"] = json!([
        {"name": "one", "boards": ["p/X", "q/X"], "tie_on": []},
        {"name": "two", "boards": ["p/Y"], "tie_on": []},
    ]);
    let plan: Plan = serde_json::from_value(plan).unwrap();
    // Both entries that are for the first problem, of three.
    let upcoming = Upcoming::from_contents(&read(&plan, &[]).unwrap()).unwrap();
    assert_eq!((upcoming.entrants, upcoming.runs), (None, 2));
}

#[test]
fn limits_are_those_of_the_problem_of_the_board() {
    let plan = plan();
    let wall = |entry: usize, board: &str| plan.limits_in(1, &plan.entries[entry], board).wall_ms;
    assert_eq!((wall(0, "p/X"), wall(0, "q/X")), (1000, 500));
    let of = |entry: usize| plan.limits_of(&plan.entries[entry]).map(|limits| limits.wall_ms).collect::<Vec<_>>();
    assert_eq!([0, 1, 2].map(of), [vec![1000, 500], vec![1000], vec![500]]);
    // A run of one problem is the same, whatever the limit of another.
    let mut other = plan_value();
    other["problems"][1] = problem("q", 600);
    let same = SameRuns::between(&plan, &serde_json::from_value(other.clone()).unwrap());
    assert_eq!(["p/X", "q/X"].map(|board| same.has(&RunKey::new(1, "both", board))), [true, false]);
    other["problems"][1]["rules"] = json!({"x": 1});
    let same = SameRuns::between(&plan, &serde_json::from_value(other.clone()).unwrap());
    assert_eq!(["p/Y", "q/X"].map(|board| same.has(&RunKey::new(1, "both", board))), [true, false]);
    let difference = plan.difference(&serde_json::from_value(other).unwrap()).unwrap();
    assert!(difference.starts_with("limits of q: "), "{difference}");
}

#[test]
fn a_table_misses_no_runs_on_other_problems() {
    let contents = read(&plan(), &[run(1, "p.1", "p/X", 1, 4), run(1, "p.1", "p/Y", 1, 5)]).unwrap();
    let results = Results::from_records(&contents);
    let row = |name: &str| results.rows.iter().find(|row| row.entry.name == name).unwrap();
    assert_eq!(["p.1", "q.2", "both"].map(|name| row(name).missing()), [0, 1, 3]);
    let planned = row("p.1").cells.iter().map(|cell| !cell.not_planned);
    assert_eq!(planned.collect::<Vec<_>>(), [true, true, false]);
    assert_eq!((results.game.as_deref(), results.limit_ms), (Some("loyd"), Some(1000)));
}

#[test]
fn what_belongs_to_no_problem_is_refused() {
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut value = plan_value();
        change(&mut value);
        read(&serde_json::from_value(value).unwrap(), &[]).unwrap_err().to_string()
    };
    for (change, reason) in crate::rows! {
        (&(|plan: &mut Value| plan["boards"][0]["name"] = "X".into()) as &dyn Fn(&mut Value), "board X is of no problem"),
        (&|plan: &mut Value| plan["boards"][0]["name"] = "r/X".into(), "board r/X is of no problem"),
        (&|plan: &mut Value| plan["boards"][0]["name"] = "p/../X".into(), "board name \"p/../X\" is not usable"),
        (&|plan: &mut Value| plan["boards"][0]["name"] = "../X".into(), "board name \"../X\" is not usable"),
        (&|plan: &mut Value| plan["entries"][1]["name"] = "p/1".into(), "entry name \"p/1\" is not usable"),
        (&|plan: &mut Value| plan["entries"][1]["problems"] = json!(["r"]), "entry p.1 is for problem `r`, which"),
    } {
        let found = refused(change);
        assert!(found.contains(reason), "{found}");
    }
}

/// A problem whose referee has this command.
fn refereed(id: &str, command: &str) -> Value {
    let mut problem = problem(id, 1000);
    problem["referee"] = json!({"protocol": "exit", "command": [command], "limits": limits(1), "repeat": 1});
    problem
}

/// The plan with a referee for each problem. Its figures are those of accepted answers.
fn with_referees(commands: [&str; 2]) -> Plan {
    let mut value = plan_value();
    value["problems"] = json!([refereed("p", commands[0]), refereed("q", commands[1])]);
    value["ranking"] = json!(["solved", "time"]);
    serde_json::from_value(value).unwrap()
}

#[test]
fn each_problem_has_its_referee() {
    let plan = with_referees(["one", "other"]);
    let hashes = |contents: &ContestState| ["p/X", "q/X"].map(|board| contents.referee_of(board).unwrap().clone());
    let before = hashes(&read(&plan, &[]).unwrap());
    assert_ne!(before[0], before[1]);
    let accepted = |entry: &str, board: &str| {
        let mut run = run(1, entry, board, 1, 4);
        run.as_object_mut().unwrap().retain(|key, _| key != "figures" && key != "full");
        run
    };
    let runs = [accepted("both", "p/X"), accepted("both", "q/X")];
    let event = json!({"line": "referee", "problem": "q", "referee": refereed("q", "new")["referee"], "programs": {"new": "11"}});
    let contents = read(&plan, &[&runs[..], &[event]].concat()).unwrap();
    let after = hashes(&contents);
    assert_eq!((&after[0], after[1] == before[1]), (&before[0], false));
    let of = |contents: &ContestState| contents.records.iter().map(|record| record.referee.clone()).collect::<Vec<_>>();
    assert_eq!(of(&contents), before.clone().map(Some), "answers keep their rulings until they are refereed again");
    assert_eq!(contents.history.iter().last().unwrap().text, "The definition of the referee of q changes.");
    assert!(contents.versions.contains_key("[referee p]") && contents.programs["[referee q]"].contains_key("new"));
    let again = |problem: &str, board: &str| json!({"line": "rejudgement", "problem": problem, "by": "hash", "confirmed": [{"round": 1, "entry": "both", "board": board, "attempt": 1}]});
    let rejudged = read(&plan, &[&runs[..], &[again("q", "q/X")]].concat()).unwrap();
    assert_eq!(of(&rejudged), [Some(before[0].clone()), Some("hash".into())]);
    for (line, reason) in [
        (again("q", "p/X"), "both on p/X was refereed again with the answers of another problem"),
        (again("r", "q/X"), "answers of problem `r` were refereed again, which the contest does not have"),
    ] {
        let found = read(&plan, &[&runs[..], &[line]].concat()).unwrap_err().to_string();
        assert!(found.contains(reason), "{found}");
    }
    assert!(other_referee(&read(&plan, &[]).unwrap(), &with_referees(["one", "new"]), None));
    assert!(!other_referee(&read(&plan, &[]).unwrap(), &plan, None));
}

#[test]
fn the_limits_of_one_problem_change() {
    let mut other = plan_value();
    other["problems"][1] = problem("q", 700);
    other["problems"][1]["name"] = json!("Queens");
    let other: Plan = serde_json::from_value(other).unwrap();
    let contents = read(&plan(), &[run(1, "p.1", "p/X", 1, 4), run(1, "q.2", "q/X", 1, 4)]).unwrap();
    let found = changes(&contents, &DesiredContest::new(&other)).unwrap();
    let sentences: Vec<&str> = found.iter().map(|change| &*change.sentence).collect();
    assert!(sentences[0].starts_with("the contest changes: the name of q is Queens; limits of q: "), "{sentences:?}");
    // An entry of only the other problem keeps its runs.
    let again: Vec<&str> = sentences[1..].iter().filter_map(|sentence| sentence.split(" runs again").next()).collect();
    assert_eq!(again, ["entry both", "entry q.2"]);
    let lines: Vec<Value> = found.iter().map(|change| serde_json::to_value(&change.line).unwrap()).collect();
    assert!(lines[0].get("limits").is_none());
    let contents = read(&plan(), &lines).unwrap();
    assert_eq!(contents.plan.problems, other.problems);
    let mut lacks = lines[0].clone();
    lacks["problems"].as_object_mut().unwrap().remove("p");
    let found = read(&plan(), &[lacks]).unwrap_err().to_string();
    assert!(found.contains("the settings lack the limits of a problem"), "{found}");
    let mut fewer = plan_value();
    fewer["problems"] = json!([problem("p", 1000)]);
    let refused = changes(&contents, &DesiredContest::new(&serde_json::from_value(fewer).unwrap())).unwrap_err();
    assert_eq!(refused.to_string(), "its problems cannot change; start a new contest");
}
