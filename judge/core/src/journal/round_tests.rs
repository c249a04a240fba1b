//! Tests of the fold: rounds, and changes of a running contest.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::tests::parse_both;
use super::*;
use crate::advance::{NextStep, next};
use crate::changes::{DesiredContest, changes};
use crate::key::RunKey;
use crate::plan::{Overrides, Plan};
use crate::points::Points;
use crate::results::{Results, Upcoming};
use crate::withdrawal::Withdrawal;

/// Entries a to d, with boards A and B in round 1, and C and D in round 2. `advance` is the rule after round 1.
pub(super) fn plan(advance: &Value) -> Plan {
    let limits = json!({"wall_ms": 1000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": null, "processes": null,
                        "output_bytes": 9, "scratch_bytes": null, "cores": 1});
    let board = |name: &str| json!({"name": name, "text": name.to_lowercase()});
    let entry = |name: &str| json!({"name": name, "command": [name], "competing": name != "d"});
    let rounds = [
        json!({"name": "Final", "boards": ["A", "B"], "advance": advance, "tie_on": ["progress", "moves"]}),
        json!({"name": "Grand finale", "boards": ["C", "D"], "wall_ms": 5000, "tie_on": ["progress"]}),
    ];
    let (boards, entries) = (["A", "B", "C", "D"].map(board), ["a", "b", "c", "d"].map(entry));
    let plan = json!({"name": "test", "game": "loyd", "rules": {}, "limits": limits,
                      "ranking": ["progress", "moves", "tie_break"], "rounds": rounds,
                      "boards": boards, "entries": entries});
    serde_json::from_value(plan).unwrap()
}

fn line(line: &Line) -> Value {
    serde_json::to_value(line).unwrap()
}

fn journal_of(plan: &Plan, lines: &[Value]) -> Vec<u8> {
    let header =
        Header::new("c.toml".into(), Overrides::default(), plan.clone(), plan.start_order(), Default::default(), None);
    let mut chain = Chain::default();
    let seal = |line: &Value| {
        let mut bytes = (line.to_string() + "\n").into_bytes();
        chain.seal(&mut bytes);
        bytes
    };
    let all = [&[line(&Line::Contest(Box::new(header)))], lines].concat();
    all.iter().flat_map(seal).collect()
}

fn read_lines(plan: &Plan, lines: &[Value]) -> Result<ContestState, JournalError> {
    parse_both(&journal_of(plan, lines))
}

pub(super) fn contents(plan: &Plan, lines: &[Value]) -> ContestState {
    read_lines(plan, lines).unwrap()
}

pub(super) fn run(entry: &str, board: &str, moves: u64) -> Value {
    let round = if ["A", "B"].contains(&board) { 1 } else { 2 };
    json!({"line": "run", "seq": 1, "round": round, "entry": entry, "board": board, "verdict": "solved",
           "figures": {"progress": "25", "moves": moves.to_string(), "tie_break": "0"}, "full": "25", "wall_us": 5, "limit_ms": 1000, "stdout_bytes": 4,
           "stderr_bytes": 0, "isolation": {"tier": "process_group", "layers": []}})
}

/// Round 1: a and c tie with 20 moves, b has 30, and d is better than all but does not compete.
pub(super) fn first_round() -> Vec<Value> {
    let runs = [("a", 9, 11), ("b", 15, 15), ("c", 10, 10), ("d", 1, 1)];
    runs.iter().flat_map(|&(entry, a, b)| [run(entry, "A", a), run(entry, "B", b)]).collect()
}

fn opened(contents: &ContestState) -> Round {
    match next(contents) {
        NextStep::Open(round) => round,
        other => panic!("{other:?}"),
    }
}

/// An office decides what counts, and may decide otherwise after a round has opened.
#[test]
fn a_round_names_who_did_not_count_when_it_opened() {
    let plan = plan(&json!({"top": 1}));
    let aside = [("a".to_owned(), Some(Withdrawal::new("superseded by c")))];
    let round = opened(&contents(&plan, &first_round()).with_aside(aside));
    assert_eq!((round.entrants(), &*round.aside), (vec!["c"], &["a".into()][..]));
    let opens = line(&Line::Round(Box::new(round.clone())));
    let read = contents(&plan, &[&first_round()[..], std::slice::from_ref(&opens)].concat());
    assert!(read.withdrawn.is_empty() && read.rounds[0].out.contains_key("a"));
    // The present rules open the same round for these entries, and another one for all.
    let folder = tempfile::tempdir().unwrap();
    let found = |line: &Value| {
        let journal = journal_of(&plan, &[&first_round()[..], std::slice::from_ref(line)].concat());
        std::fs::write(folder.path().join(FILE_NAME), journal).unwrap();
        crate::advance::deviations(folder.path()).unwrap().len()
    };
    let (mut of_all, mut of_stranger) = (opens.clone(), opens.clone());
    of_all["aside"] = json!([]);
    of_stranger["aside"] = json!(["z"]);
    assert_eq!((found(&opens), found(&of_all)), (0, 1));
    let refused = read_lines(&plan, &[&first_round()[..], &[of_stranger]].concat()).unwrap_err().to_string();
    assert!(refused.contains("unknown entry `z` does not count in round 2"), "{refused}");
}

fn places(results: &Results) -> Vec<(&str, Option<usize>)> {
    results.rows.iter().map(|row| (row.entry.name.as_str(), row.place)).collect()
}

#[test]
fn the_entries_of_a_round_follow_from_the_rule_and_the_records() {
    for (advance, entrants) in [
        (json!("tied"), vec!["a", "c"]),
        (json!({"top": 1}), vec!["a", "c"]),
        (json!({"top": 3}), vec!["a", "c", "b"]),
        (json!({"top": 9}), vec!["a", "c", "b"]),
        (json!("solved"), vec!["a", "c", "b"]),
        (json!("all"), vec!["a", "d", "c", "b"]),
    ] {
        let round = opened(&contents(&plan(&advance), &first_round()));
        assert_eq!(round.entrants(), entrants, "{advance}");
        assert_eq!((round.number, round.name.as_deref()), (2, Some("Grand finale")));
    }
    let tied = plan(&json!("tied"));
    let order: Vec<_> = opened(&contents(&tied, &first_round()))
        .order
        .iter()
        .map(|key| format!("{}{}", key.entry, key.board))
        .collect();
    assert_eq!(order, ["aC", "cC", "cD", "aD"]);
    // If one run is missing or a judge error, no entry advances until it is executed or ruled on.
    let runs = first_round();
    assert_eq!(next(&contents(&tied, &runs[1..])), NextStep::Unfinished(1));
    let ruling = |verdict: Value| json!({"line": "ruling", "round": 1, "entry": "b", "board": "A", "verdict": verdict, "because": "r"});
    let failed = [&runs[..], &[ruling(json!({"verdict": "judge_error", "reason": "r"}))]].concat();
    assert_eq!(next(&contents(&tied, &failed)), NextStep::Unfinished(1));
    let ruled = [&failed[..], &[ruling(json!({"verdict": "timed_out"}))]].concat();
    assert_eq!(opened(&contents(&tied, &ruled)).entrants(), ["a", "c"]);
    // A withdrawn entry does not advance, so no entries tie.
    let withdrawn = json!({"line": "withdrawn", "entry": "c", "reason": "r"});
    assert_eq!(next(&contents(&tied, &[&runs[..], &[withdrawn]].concat())), NextStep::Nobody);
    // A round without its boards does not open.
    let mut sealed = tied.clone();
    sealed.boards.pop();
    assert_eq!(next(&contents(&sealed, &runs)), NextStep::Sealed(vec!["D".into()]));
}

#[test]
fn finalists_are_placed_by_the_finale_then_by_the_rounds_before() {
    let plan = plan(&json!({"top": 3}));
    let runs = first_round();
    let round = line(&Line::Round(Box::new(opened(&contents(&plan, &runs)))));
    let before = [&runs[..], &[round]].concat();
    let open = contents(&plan, &before);
    assert_eq!((open.round(), open.missing().len()), (2, 6));
    assert!(!Results::from_journal(&open).complete());
    // b wins the final, and a and c tie in it. In the round before, they had equal totals.
    let finale =
        [run("a", "C", 8), run("a", "D", 8), run("b", "C", 2), run("b", "D", 2), run("c", "C", 7), run("c", "D", 9)];
    let over = contents(&plan, &[&before[..], &finale].concat());
    let results = Results::from_journal(&over);
    assert_eq!(places(&results), [("b", Some(1)), ("a", Some(2)), ("c", Some(2)), ("d", None)]);
    assert!(results.complete());
    let cells: Vec<_> = results.rows[3].cells.iter().map(|cell| (cell.text(), cell.not_planned)).collect();
    assert_eq!(cells, [("25/1".into(), false), ("25/1".into(), false), (String::new(), true), (String::new(), true)]);
    assert_eq!(results.rows[0].total_in(1).unwrap().figure(1), Some(Points::whole(30)));
    assert_eq!(
        (results.rows[0].total_in(2).unwrap().figure(1), results.rows[3].total_in(2)),
        (Some(Points::whole(4)), None)
    );
    assert_eq!(next(&over), NextStep::Over);
    // A ruling on the round before decides between the entries that tie in the final. It does not change who is in the final.
    let ruling = json!({"line": "ruling", "round": 1, "entry": "a", "board": "A", "verdict": {"verdict": "timed_out"},
                        "because": "r"});
    let ruled = Results::from_journal(&contents(&plan, &[&before[..], &finale, &[ruling]].concat()));
    assert_eq!(places(&ruled), [("b", Some(1)), ("c", Some(2)), ("a", Some(3)), ("d", None)]);
}

#[test]
fn a_round_counts_as_it_is_recorded_if_its_data_are_consistent() {
    let plan = plan(&json!("tied"));
    let runs = first_round();
    let round = opened(&contents(&plan, &runs));
    let read = |round: &Round| {
        let lines = [&runs[..], &[line(&Line::Round(Box::new(round.clone())))]].concat();
        read_lines(&plan, &lines).map_err(|error| error.to_string())
    };
    let refused = |round: &Round| read(round).unwrap_err();
    assert_eq!(read(&round).unwrap().rounds[..], *std::slice::from_ref(&round));
    // Rounds that no current rule would open: in another order, with other entries, and before round 1 is over.
    let mut other = round.clone();
    other.order.swap(0, 1);
    assert_eq!(read(&other).unwrap().rounds[..], [other]);
    let of_b = |key: &RunKey| RunKey { entry: "b".into(), ..key.clone() };
    let order: Vec<RunKey> = round.order.iter().filter(|key| &*key.entry == "a").map(of_b).collect();
    let other = Round { order, ..round.clone() };
    let opened_for_b = read(&other).unwrap();
    assert_eq!((opened_for_b.rounds[0].entrants(), opened_for_b.missing().len()), (vec!["b"], 2));
    let early = read_lines(&plan, &[line(&Line::Round(Box::new(round.clone())))]).unwrap();
    assert_eq!((early.round(), early.missing().len()), (2, 4), "round 1 is over, whatever it lacks");
    // Impossible rounds: numbers out of order, unknown names, a duplicate run, a board of another round.
    let later = Round { number: 3, ..round.clone() };
    assert!(refused(&later).contains("round 3 cannot follow round 1"));
    let changed = |change: &dyn Fn(&mut Vec<RunKey>)| {
        let mut round = round.clone();
        change(&mut round.order);
        refused(&round)
    };
    assert!(changed(&|order| order[0].entry = "x".into()).contains("x on C is planned, but the contest does not have"));
    assert!(changed(&|order| order[1] = order[0].clone()).contains("a on C is planned twice in round 2"));
    assert!(changed(&|order| order[0].round = 1).contains("is planned for round 1, not for round 2"));
    assert!(changed(&|order| order[0].repeat = 2).contains("repeat 2 of a on C is planned, of 1"));
    assert!(changed(&|order| order[0].board = "A".into()).contains("round 2 has runs on A, which is not one of its"));
    // In round 2, no entries can be added, and no boards of opened rounds. Round 1 stays as it is.
    let after = |event: Value| {
        let lines = [&runs[..], &[line(&Line::Round(Box::new(round.clone()))), event]].concat();
        read_lines(&plan, &lines)
    };
    let entry = json!({"line": "entry", "entry": {"name": "e", "command": ["e"], "competing": true}, "programs": {}});
    assert!(after(entry).unwrap_err().to_string().contains("entry e was added in round 2"));
    let board = |name: &str| json!({"line": "board", "name": name, "text": "new"});
    assert!(after(board("E")).unwrap_err().to_string().contains("board E was added in round 2"));
    assert!(after(board("A")).unwrap_err().to_string().contains("board A was replaced, but its round 1 is over"));
    let replaced =
        json!({"line": "entry", "entry": {"name": "a", "command": ["new"], "competing": true}, "programs": {}});
    let replaced = after(replaced).unwrap();
    assert_eq!((replaced.records.len(), replaced.missing().len()), (8, 4), "a round that is over stays");
}

#[test]
fn a_board_out_of_the_contest_has_no_runs_that_count() {
    let plan = plan(&json!("all"));
    let runs = first_round();
    let replaced = json!({"line": "board", "name": "B", "text": "other", "reason": "a misprint"});
    let struck = json!({"line": "struck", "board": "B", "reason": "a misprint"});
    let again = contents(&plan, &[&runs[..], std::slice::from_ref(&replaced)].concat());
    assert_eq!((again.records.len(), again.missing().len()), (4, 4));
    assert_eq!(again.attempts().iter().take(8).sum::<u32>(), 8, "the next attempts get the next numbers");
    assert_eq!(again.history.last().unwrap().superseded.len(), 4);
    let out = contents(&plan, &[&runs[..], std::slice::from_ref(&struck)].concat());
    let results = Results::from_journal(&out);
    assert_eq!((results.boards.len(), out.missing().len(), out.records.len()), (1, 0, 8));
    assert_eq!(results.rows[0].total.figure(1), Some(Points::whole(9)), "without its 11 moves on B");
    assert!(results.absent.iter().any(|text| text.contains("board B is struck")), "{:?}", results.absent);
    let back = json!({"line": "reinstated", "board": "B", "reason": "no misprint"});
    let back = contents(&plan, &[&runs[..], &[struck, back]].concat());
    assert_eq!(
        Results::from_journal(&back).rows,
        Results::from_journal(&contents(&plan, &runs)).rows,
        "nothing is run again"
    );
}

fn asked_for(contents: &ContestState, plan: &Plan) -> Result<Vec<Value>, String> {
    let none = BTreeMap::new();
    let unbuilt = BTreeMap::new();
    let asked = DesiredContest {
        plan,
        withdrawn: &BTreeMap::new(),
        struck: &none,
        programs: None,
        unbuilt: &unbuilt,
        rejudge: false,
    };
    let changes = changes(contents, &asked).map_err(|error| error.to_string())?;
    Ok(changes.iter().map(|change| line(&change.line)).collect())
}

#[test]
fn a_contest_that_was_updated_equals_one_that_began_in_its_final_state() {
    let whole = plan(&json!("tied"));
    // All possible changes, in two ways and orders.
    let mut small = whole.clone();
    small.entries.retain(|entry| entry.name != "b");
    small.boards.remove(0);
    small.rounds.truncate(1);
    small.rounds[0].boards.remove(0);
    small.boards.truncate(1);
    small.name = "before".into();
    small.problems[0].limits.wall_ms = 7;
    small.ranking.reverse();
    let mut between = whole.clone();
    between.entries = ["d", "c", "b"]
        .map(|name| whole.entries.iter().find(|entry| entry.name == name).unwrap().clone())
        .into_iter()
        .collect();
    between.boards[0].text = "another".into();
    between.entries[0].command = vec!["another".into()];
    between.repeat = 2;
    between.entries.push(whole.entries[0].clone());
    for steps in [vec![&small, &whole], vec![&small, &between, &whole], vec![&between, &whole], vec![&whole]] {
        let mut lines = Vec::new();
        for plan in &steps[1..] {
            let now = contents(steps[0], &lines);
            lines.extend(asked_for(&now, plan).unwrap());
        }
        let grown = contents(steps[0], &lines);
        assert_eq!((&*grown.plan, grown.order()), (&whole, &*whole.start_order()));
        assert_eq!(asked_for(&grown, &whole).unwrap(), [Value::Null; 0], "nothing is left to change");
        let ran = contents(steps[0], &[lines, first_round()].concat());
        let once = contents(&whole, &first_round());
        // The runs were planned in another order.
        let records = |contents: &ContestState| -> Vec<Record> {
            contents.records.iter().map(|record| Record { seq: 0, ..record.clone() }).collect()
        };
        assert_eq!((records(&ran), ran.missing()), (records(&once), once.missing()));
        assert_eq!(opened(&ran), opened(&once));
        let [ran, once] =
            [ran, once].map(|contents| Results { journal_hash: None, ..Results::from_journal(&contents) });
        assert_eq!(ran, once);
    }
}

#[test]
fn only_what_defines_a_run_makes_it_again() {
    let plan = plan(&json!("tied"));
    let now = contents(&plan, &first_round());
    let missing_after = |changed: &Plan| {
        let lines = [first_round(), asked_for(&now, changed).unwrap()].concat();
        contents(&plan, &lines).missing().len()
    };
    let changed = |change: &dyn Fn(&mut Plan)| {
        let mut changed = plan.clone();
        change(&mut changed);
        missing_after(&changed)
    };
    assert_eq!(changed(&|plan| plan.entries[0].command = vec!["other".into()]), 2);
    assert_eq!(changed(&|plan| plan.entries[0].build = Some("make".into())), 2);
    assert_eq!(changed(&|plan| plan.entries[0].readable = vec!["x".into()]), 2);
    assert_eq!(changed(&|plan| plan.entries[0].limits = Some(plan.problems[0].limits.with_wall_ms(1))), 2);
    assert_eq!(changed(&|plan| plan.rounds[0].wall_ms = Some(1)), 8);
    assert_eq!(changed(&|plan| plan.problems[0].limits.wall_ms = 1), 8);
    assert_eq!(changed(&|plan| plan.isolation = judge_job::IsolationMode::Off), 8);
    assert_eq!(changed(&|plan| plan.readable = vec!["x".into()]), 8);
    assert_eq!(changed(&|plan| plan.boards[0].text = "other".into()), 4);
    assert_eq!(changed(&|plan| plan.repeat = 2), 8);
    assert_eq!(changed(&|plan| plan.boards[2].text = "other".into()), 0, "its round has not opened");
    assert_eq!(changed(&|plan| plan.rounds[1].wall_ms = Some(1)), 0);
    // Facts for people, and which entries compete, which `judge resume` also accepts.
    let mut changed = plan.clone();
    changed.name = "renamed".into();
    changed.entries[0].author = Some("somebody".into());
    changed.entries[1].strategy = Some("another".into());
    changed.entries[2].competing = false;
    changed.boards[0].note = Some("a note".into());
    changed.shown.write_ups.insert("a".into(), "text".into());
    assert_eq!((missing_after(&changed), plan.difference(&changed)), (0, None));
    let (withdrawn, struck, unbuilt) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let asked = DesiredContest {
        plan: &changed,
        withdrawn: &withdrawn,
        struck: &struck,
        programs: None,
        unbuilt: &unbuilt,
        rejudge: false,
    };
    let changes = changes(&now, &asked).unwrap();
    assert_eq!((changes.len(), changes.iter().all(|change| change.descriptive)), (5, true));
}

#[test]
fn what_cannot_change_is_refused_with_the_remedy() {
    let plan = plan(&json!("tied"));
    let runs = first_round();
    let now = contents(&plan, &runs);
    let round = line(&Line::Round(Box::new(opened(&now))));
    let later = contents(&plan, &[runs, vec![round]].concat());
    let refused = |contents: &ContestState, change: &dyn Fn(&mut Plan)| {
        let mut changed = plan.clone();
        change(&mut changed);
        asked_for(contents, &changed).unwrap_err()
    };
    for (contents, change, reason) in crate::rows! {
        (&now, &(|plan: &mut Plan| plan.problems[0].game = "ufo".into()) as &dyn Fn(&mut Plan), "start a new contest"),
        (&now, &|plan| plan.entries.retain(|entry| entry.name != "d"), "keep its table and add withdrawn = \"REASON\""),
        (&now, &|plan| drop(plan.boards.pop()), "keep its table and add struck = \"REASON\""),
        (&now, &|plan| { let board = plan.rounds[0].boards.pop(); plan.rounds[1].boards.extend(board); }, "board B cannot move to another round"),
        (&later, &|plan| plan.rounds[0].advance = crate::plan::Advance::All, "round 1 is over"),
        (&later, &|plan| plan.entries[0].name = "e".into(), "entry a is not in the contest file any more"),
        (&later, &|plan| plan.entries.push(crate::plan::Entry { name: "e".into(), ..(*plan.entries[0]).clone() }.into()), "entry e cannot be added"),
        (&later, &|plan| plan.boards[0].text = "other".into(), "board A cannot be replaced: its round 1 is over"),
        (&later, &|plan| plan.boards.push(crate::plan::Board { name: "E".into(), ..plan.boards[0].clone() }), "board E cannot be added"),
    } {
        let error = refused(contents, change);
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn who_goes_on_stands_above_who_does_not_with_missing_runs_too() {
    let plan = plan(&json!({"top": 2}));
    let runs = first_round();
    let round = line(&Line::Round(Box::new(opened(&contents(&plan, &runs)))));
    let open = |more: &[Value]| contents(&plan, &[&runs[..], std::slice::from_ref(&round), more].concat());
    let none = open(&[]);
    assert_eq!(places(&Results::from_journal(&none)), [("a", None), ("c", None), ("d", None), ("b", Some(3))]);
    // c has all its runs and leads. a has a missing run and stays above b.
    let one = open(&[run("c", "C", 9), run("c", "D", 9), run("a", "C", 1)]);
    let journal = Results::from_journal(&one);
    assert_eq!(places(&journal), [("c", Some(1)), ("a", None), ("d", None), ("b", Some(3))]);
    // A file of its runs and a table of it have the same order and places.
    for contents in [&none, &one] {
        let journal = Results::from_journal(contents);
        let (mut file, mut table) = (Vec::new(), Vec::new());
        crate::results_csv::write_runs(contents, &mut file).unwrap();
        crate::results_csv::write_table(&journal, &mut table).unwrap();
        for csv in [file, table] {
            let read = Results::read_csv("test", &*csv).unwrap();
            assert_eq!(places(&read), places(&journal), "{}", String::from_utf8(csv).unwrap());
        }
    }
}

#[test]
fn who_goes_on_is_known_before_a_sealed_round_opens() {
    let mut plan = plan(&json!({"top": 2}));
    plan.boards.retain(|board| board.name != "D");
    let runs = first_round();
    let upcoming = |more: &[Value]| Upcoming::from_contents(&contents(&plan, &[&runs[..], more].concat())).unwrap();
    let absent = |more: &[Value]| {
        let results = Results::from_journal(&contents(&plan, &[&runs[..], more].concat()));
        assert!(!results.over());
        results.absent.join("; ")
    };
    let out = |entry: &str| json!({"line": "withdrawn", "entry": entry, "reason": "r", "disqualified": true});
    // Before the round is over, any competing entry can advance to it, with its two boards.
    let undecided = Upcoming::from_contents(&contents(&plan, &runs[1..])).unwrap();
    assert_eq!((undecided.entrants, undecided.runs), (None, 6));
    let decided = upcoming(&[]);
    assert_eq!((decided.runs, decided.sealed), (4, vec!["D".to_owned()]));
    assert_eq!(absent(&[]), "round Grand finale has not opened: boards are still sealed: D; a, c go on, with 4 runs");
    let text = absent(&[out("a")]);
    let moved = "round Grand finale has not opened: boards are still sealed: D; c, b go on, with 4 runs; b moves up, because a \
                 is out of the contest";
    assert_eq!(text, moved);
    let both = upcoming(&[out("a"), out("c")]);
    assert_eq!(both.who().unwrap(), "b goes on, with 2 runs; b moves up, because a, c are out of the contest");
    // No entry is left to move up.
    let all = contents(&plan, &[&runs[..], &[out("a"), out("b"), out("c")]].concat());
    let results = Results::from_journal(&all);
    let sentence = "round Grand finale has not opened: no entry advances to it, because a, c are out of the contest";
    assert!(results.over() && results.absent == [sentence], "{:?}", results.absent);
}

#[test]
fn no_entry_moves_up_into_a_round_that_has_opened() {
    let plan = plan(&json!({"top": 2}));
    let runs = first_round();
    let round = line(&Line::Round(Box::new(opened(&contents(&plan, &runs)))));
    let out = |entry: &str| json!({"line": "withdrawn", "entry": entry, "reason": "r", "disqualified": true});
    let empty = contents(&plan, &[&runs[..], &[round, out("a"), out("c")]].concat());
    let results = Results::from_journal(&empty);
    assert_eq!(places(&results)[..2], [("b", Some(1)), ("d", None)]);
    assert!(results.over());
    let sentence = "no entry is left in round Grand finale: a, c went on to it and left the contest; no entry moves up into a \
                    round that has opened, so the rounds before it decide";
    assert_eq!(results.absent, [sentence]);
}

#[test]
fn a_figure_that_the_ranking_does_not_have_decides_who_ties() {
    let mut plan = plan(&json!("tied"));
    plan.rounds[0].tie_on = vec![crate::plan::RankKey::Relative];
    // a has 9 and 11 moves, and c has 10 and 10. The sums tie, but the shares of the best do not.
    let contents = contents(&plan, &first_round());
    assert_eq!(next(&contents), NextStep::Nobody);
    plan.rounds[0].advance = crate::plan::Advance::Top(1);
    let contents = self::contents(&plan, &first_round());
    assert_eq!(opened(&contents).entrants(), ["a"], "d competes for no place, but is the measure of all");
}
