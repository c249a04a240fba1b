//! Tests of the fold: referee programs and rulings.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::tests::parse_both;
use super::tests::{plan, run};
use super::*;
use crate::fingerprint::Hashes;
use crate::plan::{Overrides, Plan, RankKey};
use crate::points::Points;
use crate::results::Results;
use crate::verdict::Verdict;

/// The definition of a referee with this command.
fn referee(command: &str) -> Value {
    let limits = serde_json::to_value(plan().problems[0].limits).unwrap();
    json!({"protocol": "exit", "command": [command], "limits": limits, "repeat": 1})
}

/// The event of a referee with this command, whose program has this hash.
fn changed(command: &str, hash: &str) -> Value {
    json!({"line": "referee", "referee": referee(command), "programs": {command: hash}})
}

/// A journal with these lines, of a contest whose referee has the command `old`.
fn read_lines(lines: &[Value]) -> Result<ContestState, JournalError> {
    let referee = Some(Box::new(serde_json::from_value(referee("old")).unwrap()));
    let mut plan = Plan { ranking: vec![RankKey::Solved, RankKey::Time], ..plan() };
    plan.problems[0].referee = referee;
    let programs = BTreeMap::from([(REFEREE_PROGRAM.to_owned(), Hashes::from([("old".into(), "00".into())]))]);
    let header = Header::new("c.toml".into(), Overrides::default(), plan.clone(), plan.start_order(), programs, None);
    let mut chain = Chain::default();
    let mut bytes = encode(&Line::Contest(Box::new(header)), None, &mut chain);
    for line in lines {
        let mut line = (line.to_string() + "\n").into_bytes();
        chain.seal(&mut line);
        bytes.extend(line);
    }
    parse_both(&bytes)
}

fn contents(lines: &[Value]) -> ContestState {
    read_lines(lines).unwrap()
}

/// The last sentences of the history.
fn last(contents: &ContestState, number: usize) -> Vec<&str> {
    contents.history.iter().skip(contents.history.len() - number).map(|event| &*event.text).collect()
}

fn rejudged(entry: &str, attempt: u32) -> Value {
    json!({"round": 1, "entry": entry, "board": "X", "attempt": attempt, "verdict": {"verdict": "timed_out"}})
}

#[test]
fn a_ruling_is_of_the_referee_of_its_time() {
    let old = contents(&[]).referees[""].clone();
    let mut of_other = run(1, "b", "X", 1, 5);
    of_other["referee"] = "other".into();
    let failed = json!({"line": "run", "seq": 1, "round": 1, "entry": "b", "board": "Y", "verdict": "timed_out",
        "wall_us": 5, "limit_ms": 1000, "stdout_bytes": 4, "stderr_bytes": 0,
        "isolation": {"tier": "process_group", "layers": []}});
    let lines = [run(1, "a", "X", 1, 4), of_other, changed("new", "11"), run(1, "a", "Y", 1, 6), failed];
    let made = contents(&lines);
    let new = made.referees[""].clone();
    assert_ne!(old, new);
    let of = |entry: &str, board: &str| {
        let found = made.records.iter().find(|record| (&*record.key.entry, &*record.key.board) == (entry, board));
        found.unwrap().referee.clone()
    };
    assert_eq!((of("a", "X"), of("a", "Y")), (Some(old.clone()), Some(new.clone())));
    assert_eq!(of("b", "X").as_deref(), Some("other"), "a recorded referee stays");
    assert_eq!(of("b", "Y"), None, "no referee saw what has no answer");
    let table = Results::from_journal(&contents(&[&lines[..], &[run(1, "b", "Y", 2, 7)]].concat()));
    assert_eq!(table.referees().iter().map(|(_, rulings)| *rulings).collect::<Vec<_>>(), [2, 1, 1]);
    assert_eq!(table.referees()[0].0, new, "the one of most rulings is first");
}

#[test]
fn a_changed_referee_is_a_version() {
    let made = contents(&[changed("old", "11"), changed("new", "11")]);
    let program = ["The program of the referee changes.", "The definition of the referee changes."];
    assert_eq!(last(&made, 2), program);
    let versions: Vec<_> = made.versions[REFEREE_PROGRAM].iter().map(|version| version.programs.clone()).collect();
    let hashes = |name: &str, hash: &str| Hashes::from([(name.to_owned(), hash.to_owned())]);
    assert_eq!(versions, [hashes("old", "00"), hashes("old", "11"), hashes("new", "11")]);
    assert_eq!(*made.programs[REFEREE_PROGRAM], hashes("new", "11"));
    assert_eq!(made.plan.problems[0].referee.as_ref().unwrap().command, ["new"]);
    assert_eq!(made.header.plan.problems[0].referee, made.plan.problems[0].referee);
    let without = super::tests::refused(&[changed("new", "11")]);
    assert!(without.contains("a referee was defined for a built-in game"), "{without}");
}

#[test]
fn a_rejudgement_is_applied_as_a_whole() {
    let runs = [run(1, "a", "X", 1, 4), run(1, "b", "X", 2, 5)];
    let mut event = changed("new", "11");
    event.as_object_mut().unwrap().remove("line");
    let new = contents(&[changed("new", "11")]).referees[""].clone();
    let line = |attempt: u32, by: &str| {
        json!({"line": "rejudgement", "referee": event.clone(), "by": by, "changed": [rejudged("a", 1)],
               "confirmed": [{"round": 1, "entry": "b", "board": "X", "attempt": attempt}]})
    };
    let made = contents(&[&runs[..], &[line(2, &new)]].concat());
    let referees: Vec<_> = made.records.iter().map(|record| record.referee.clone().unwrap()).collect();
    assert_eq!(referees, [new.clone(), new.clone()]);
    assert_eq!(
        (&made.records[0].verdict, made.records[1].verdict.given().unwrap().figures.get("moves")),
        (&Verdict::TimedOut, Some(Points::whole(5)))
    );
    let sentences = last(&made, 3);
    assert_eq!(sentences[0], "The definition of the referee changes.");
    assert_eq!(sentences[1], "1 answer that another referee had ruled on was refereed again, with the same ruling.");
    assert!(sentences[2].starts_with("a on X is refereed again: "), "{sentences:?}");
    // The recorded hash counts, even if the definition here gives another one.
    let other = contents(&[&runs[..], &[line(2, "other")]].concat());
    assert_eq!(
        (other.referees.get("").map(|hash| &**hash), other.records[0].referee.as_deref()),
        (Some("other"), Some("other"))
    );
    // One answer of another attempt makes the whole line invalid.
    let refused = read_lines(&[&runs[..], &[line(1, &new)]].concat()).unwrap_err().to_string();
    assert!(refused.contains("attempt 1 of b on X was refereed again, but its record is missing"), "{refused}");
    let nothing = contents(&[&runs[..], &[json!({"line": "rejudgement"})]].concat());
    assert_eq!((nothing.history.len(), &nothing.referees), (1, &contents(&[]).referees));
}

#[test]
fn a_ruling_that_is_taken_back_leaves_what_was_before() {
    let ruling = |verdict: Value, by: Value| json!({"line": "ruling", "round": 1, "entry": "a", "board": "X", "verdict": verdict, "because": "seen", "by": by});
    let undone = json!({"line": "ruling_undone", "round": 1, "entry": "a", "board": "X", "because": "a mistake",
                        "by": "Ann"});
    let first = ruling(json!({"verdict": "timed_out"}), Value::Null);
    let second = ruling(
        json!({"verdict": "wrong", "figures": {"progress": "1", "moves": "0", "tie_break": "0"}, "full": "1", "reason": "no"}),
        "Bob".into(),
    );
    let lines = [run(1, "a", "X", 1, 4), first, second, undone.clone(), undone.clone()];
    let message = |number: usize| {
        let made = contents(&lines[..number]);
        let record = &made.records[0];
        (record.verdict.name(), record.extras.ruling.clone(), record.extras.ruled_by.clone())
    };
    let seen = || Some(Box::<str>::from("seen"));
    assert_eq!(message(3), ("wrong", seen(), Some("Bob".into())));
    assert_eq!(message(4), ("timed_out", seen(), None));
    assert_eq!(message(5), ("solved", None, None));
    let made = contents(&lines);
    let sentence = last(&made, 1)[0];
    assert!(
        sentence.starts_with("The ruling by hand on a on X is taken back by Ann; it counts as before: "),
        "{sentence}"
    );
    assert!(sentence.ends_with(" The reason: a mistake"), "{sentence}");
    // No ruling is left to take back, even after a new run or a new ruling of the referee.
    let again = json!({"line": "rejudgement", "changed": [{"round": 1, "entry": "a", "board": "X", "attempt": 1,
                       "verdict": {"verdict": "timed_out"}}]});
    for more in [undone.clone(), run(1, "a", "X", 2, 6), again] {
        let number = if more == undone { 5 } else { 3 };
        let refused = read_lines(&[&lines[..number], &[more, undone.clone()]].concat()).unwrap_err().to_string();
        assert!(refused.contains("a ruling on a on X was taken back, but there is none"), "{refused}");
    }
}
