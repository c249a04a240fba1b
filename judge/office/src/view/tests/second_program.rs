//! Tests that the boards of random histories equal those of a second program. That program shares no code with judge and was
//! written only from docs/scoring.md and docs/office.md, see `judge/tests/scoring/generate.py`.

mod history;

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use judge_core::journal::{Built, Record};
use serde_json::{Value, json};

use super::*;
use history::{History, PROBLEMS};

/// The viewers of each history.
fn viewers() -> [Viewer; 3] {
    [Viewer::Public, Viewer::Team(TEAMS[0].to_owned()), Viewer::Organiser]
}

/// The name of a problem for the second program.
fn named(problem: &str) -> &str {
    if problem.is_empty() { PROBLEMS[0] } else { problem }
}

/// The second program's answers; `None` without Python. With `REQUIRE_SCIPY`, Python is required.
#[allow(clippy::disallowed_methods, reason = "a test asks a program of its own")]
fn answers(cases: &[Value]) -> Option<Vec<Value>> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/scoring/scoring.py");
    let python = Command::new("python3").arg(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = match python {
        Ok(child) => child,
        Err(error) => {
            assert!(std::env::var_os("REQUIRE_SCIPY").is_none(), "python3: {error}");
            return None;
        }
    };
    let (mut to, input) =
        (child.stdin.take().unwrap(), cases.iter().map(|case| format!("{case}\n")).collect::<String>());
    let writes = std::thread::spawn(move || to.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "scoring.py ends with {}", output.status);
    writes.join().unwrap().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A result in the second program's input format.
fn result(record: &Record, pass_fail: bool) -> Value {
    let code = record.verdict.code();
    let given = record.verdict.given().filter(|_| !pass_fail);
    let figures = given.map(|given| {
        let [progress, moves, tie_break] =
            ["progress", "moves", "tie_break"].map(|name| given.figures.get(name).map(|figure| figure.to_string()));
        json!({"progress": progress, "moves": moves, "tie_break": tie_break})
    });
    json!({
        "board": &*record.key.board, "repeat": 1, "verdict": code.map_or("AC", |code| code.letters()),
        "figures": figures.unwrap_or_else(|| json!({})), "wall_us": record.wall_us, "limit_ms": record.limit_ms,
        "suspect": false, "by_hand": false,
    })
}

/// The contest as a viewer may see it, as a case for the second program: the lines of the office, and what the judge measured.
/// `open` is the last round.
fn case(name: String, history: &History, viewer: &Viewer, open: u32) -> Value {
    let contents = history.club.open_contest.contents();
    let (plan, pass_fail) = (&contents.plan, history.setup.pass_fail);
    let problems = plan.problems.iter().map(|problem| {
        let own = plan.boards.iter().zip(plan.rounds_of_boards());
        let own = own.filter(|(board, _)| plan.problem_of(&board.name).id == problem.id);
        let board = |(board, round): (&judge_core::plan::Board, u32)| {
            let goal = (!pass_fail).then_some("25");
            let struck = contents.struck.contains_key(&board.name);
            json!({"name": board.name, "round": round, "struck": struck, "group": null, "goal": goal})
        };
        json!({"name": named(&problem.id), "boards": own.map(board).collect::<Vec<_>>()})
    });
    let entries = plan.entries.iter().map(|entry| {
        let build = contents.build_of(&entry.name);
        let built = build.map_or(entry.build.is_none(), |build| build.built == Built::Succeeded);
        let rounds = contents.runs_of(&entry.name).filter_map(|run| contents.key_of(run)).map(|key| key.round);
        let records = contents.records.iter().filter(|record| *record.key.entry == *entry.name);
        let records = records.filter(|record| record.key.round <= open);
        let results = records.map(|record| result(record, pass_fail)).collect::<Vec<_>>();
        json!({"name": entry.name, "built": built, "reached": rounds.filter(|round| *round <= open).max(), "results": results})
    });
    let log = history.lines().into_iter().filter(|line| line["line"] == "office");
    let viewer = match viewer {
        Viewer::Public => json!(null),
        Viewer::Team(team) => json!({"team": team}),
        Viewer::Organiser => json!("organiser"),
    };
    let mut rounds = vec![history.setup.first_round.clone().unwrap_or_else(|| json!({"advance": "all"}))];
    rounds.resize(open as usize, json!({"advance": "all"}));
    json!({
        "case": name, "kind": if pass_fail { "accepted" } else { "moves" }, "order": null, "exactly": false,
        "problems": problems.collect::<Vec<_>>(), "rounds": rounds, "entries": entries.collect::<Vec<_>>(),
        "log": log.collect::<Vec<_>>(), "viewer": viewer,
    })
}

/// The part of a team's row on a board that the second program also computes. These are its place, the counting submission, and,
/// in a pass-fail contest, the deciding figures.
fn shown(board: &Board, team: &str) -> Option<Value> {
    let row = board.rows.iter().find(|row| row.name == team)?;
    let figure = |heading: &str| {
        let column = board.columns.iter().position(|column| !column.is_board && column.heading == heading)?;
        Some(row.cells[column].text.clone()).filter(|text| !text.is_empty())
    };
    let figures = ["solved", "penalty", "last"].map(figure);
    // A team that is out has no result.
    let counts = row.counts.filter(|_| row.out.is_none()).map(|(number, _)| number);
    Some(json!({"place": row.place, "counts": counts, "figures": figures}))
}

fn expected(answer: &Value, team: &str, pass_fail: bool) -> Value {
    let row = answer["rows"].as_array().unwrap().iter().find(|row| row["team"] == team).unwrap();
    let figure = |name: &str| match &row["figures"][name] {
        // A team that has solved nothing has no last solution.
        last if name == "last" && row["figures"]["solved"] == "0" && *last == "0" => Value::Null,
        figure if pass_fail => figure.clone(),
        _ => Value::Null,
    };
    let figures = ["solved", "penalty", "last"].map(figure);
    // With several problems, no single submission counts.
    let counts = row["counts"].as_object().unwrap();
    let counts = if counts.len() == 1 { counts[PROBLEMS[0]].clone() } else { Value::Null };
    json!({"place": row["place"], "counts": counts, "figures": figures})
}

/// What judge says about a case.
enum Says {
    Board(Board),
    /// The numbers of the submissions that go on to the final.
    GoOn(Vec<u32>),
}

/// The submissions that are in the final.
fn finalists(history: &History) -> Says {
    let contents = history.club.open_contest.contents();
    let order = contents.order();
    let in_final = order.iter().filter(|key| key.round == 2);
    let numbers: BTreeSet<u32> = in_final.filter_map(|key| crate::line::number_of(&key.entry)).collect();
    Says::GoOn(numbers.into_iter().collect())
}

/// What happened in a history.
fn features(history: &History) -> BTreeSet<&'static str> {
    let (contents, lines) = (history.club.open_contest.contents(), history.lines());
    let mut found = history.happened.clone();
    let mut note = |is_there: bool, what: &'static str| found.extend(is_there.then_some(what));
    let (pass_fail, several) = (history.setup.pass_fail, history.setup.problems.len() > 1);
    let opened = contents.round() > 1;
    note(pass_fail && !several, "one problem, pass-fail");
    note(pass_fail && several, "three problems, pass-fail");
    note(!pass_fail && !several, "one problem, figures");
    note(!pass_fail && several, "three problems, figures");
    let is_answers = |entry: &judge_core::plan::Entry| entry.answers.is_some();
    let judged = |answers: bool| {
        contents.plan.entries.iter().any(|entry| {
            is_answers(entry) == answers && contents.runs_of(&entry.name).any(|run| contents.record_of(run).is_some())
        })
    };
    note(judged(true), "answers are judged");
    note(judged(false), "programs are judged");
    note(judged(true) && judged(false), "both are judged");
    note(opened && pass_fail, "a final, pass-fail");
    note(opened && !pass_fail, "a final, figures");
    note(opened && several, "a final, three problems");
    note(contents.records.iter().any(|record| record.key.round == 2), "runs of a final");
    note(!contents.struck.is_empty(), "a struck board");
    let date = |line: &Value| line["at"].as_str().unwrap().to_owned();
    note(lines.windows(2).any(|pair| date(&pair[1]) < date(&pair[0])), "a clock set back");
    for line in &lines {
        note(line["line"] == "ruling", "a ruling");
        let event = line["event"].as_str().unwrap_or_default();
        note(event == "submitted" && line["late"] == true, "late");
        note(event == "submitted" && line.get("arrived").is_some(), "a slow upload");
        note(event == "frozen" && line.get("from").is_some(), "a planned freeze");
        note(event == "finals" && line.get("from").is_some(), "a planned final");
        for known in EVENTS {
            note(event == known || line["decision"] == known, known);
        }
    }
    found
}

/// Everything else that some histories have.
const FEATURES: [&str; 20] = [
    "one problem, pass-fail",
    "three problems, pass-fail",
    "one problem, figures",
    "three problems, figures",
    "programs are judged",
    "answers are judged",
    "both are judged",
    "a final, pass-fail",
    "a final, figures",
    "a final, three problems",
    "runs of a final",
    "a planned final",
    "a planned freeze",
    "a struck board",
    "a ruling",
    "a clock set back",
    "a slow upload",
    "late",
    "killed at work",
    "refused before it opens",
];

/// Events of the office that some histories have.
const EVENTS: [&str; 16] = [
    "frozen",
    "thawed",
    "extended",
    "passed",
    "finals",
    "published",
    "final",
    "reopened",
    "disqualified",
    "reinstated",
    "chosen",
    "admitted",
    "held",
    "ignored",
    "considered",
    "cancelled",
];

/// What happened in the history of a seed, and what judge says of it.
fn answers_of(seed: u64) -> (BTreeSet<&'static str>, Vec<(Value, Says)>) {
    let mut answers: Vec<(Value, Says)> = Vec::new();
    let history = History::new(seed, &mut |history| {
        answers.push((case(format!("{seed}, first round"), history, &Viewer::Organiser, 1), finalists(history)));
    });
    let round = history.club.open_contest.contents().round();
    for viewer in viewers() {
        let case = case(format!("{seed}, {viewer:?}"), &history, &viewer, round);
        answers.push((case, Says::Board(history.club.board(&viewer))));
    }
    (features(&history), answers)
}

/// How many histories are made at a time.
const THREADS: usize = 8;

/// Tests that what judge shows of histories is what the second program computes. `least` of them have each of the features.
#[track_caller]
fn boards_agree(seeds: std::ops::Range<u64>, least: usize) {
    let seeds: Vec<u64> = seeds.collect();
    // Most of the time, a history waits for the disk and for threads.
    let made: Vec<_> = std::thread::scope(|scope| {
        let of_thread = |first: usize| {
            seeds
                .iter()
                .skip(first)
                .step_by(THREADS)
                .map(|seed| std::panic::catch_unwind(|| answers_of(*seed)).unwrap_or_else(|_| panic!("seed {seed}")))
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..THREADS).map(|first| scope.spawn(move || of_thread(first))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut number_with: BTreeMap<&'static str, usize> = BTreeMap::new();
    for feature in made.iter().flat_map(|(features, _)| features) {
        *number_with.entry(feature).or_default() += 1;
    }
    let made: Vec<(Value, Says)> = made.into_iter().flat_map(|(_, answers)| answers).collect();
    let rare =
        FEATURES.iter().chain(&EVENTS).filter(|feature| number_with.get(**feature).is_none_or(|one| *one < least));
    assert_eq!(rare.collect::<Vec<_>>(), [""; 0].each_ref(), "too rare of {number_with:#?}");
    let cases: Vec<Value> = made.iter().map(|(case, _)| case.clone()).collect();
    let Some(answers) = answers(&cases) else { return };
    let mut found = Vec::new();
    for ((case, says), answer) in made.iter().zip(&answers) {
        let board = match says {
            Says::Board(board) => board,
            Says::GoOn(numbers) => {
                if answer["goes_on"] != json!(numbers) {
                    found.push(format!("{}: {numbers:?} go on, not {}", case["case"], answer["goes_on"]));
                }
                continue;
            }
        };
        for team in TEAMS {
            let (shown, expected) = (shown(board, team), expected(answer, team, case["kind"] == "accepted"));
            // The board of one problem has no row for a team without submissions.
            let handed_in =
                case["log"].as_array().unwrap().iter().any(|one| one["event"] == "submitted" && one["team"] == team);
            let same = match &shown {
                None => !handed_in,
                Some(shown) => *shown == expected,
            };
            if !same {
                found.push(format!("{}: {team}: {shown:?}, not {expected}", case["case"]));
            }
        }
    }
    assert!(found.is_empty(), "{} differences\n{}", found.len(), found.join("\n"));
}

#[test]
fn boards_are_what_the_second_program_computes() {
    boards_agree(40..80, 1);
}

#[test]
#[ignore = "deep: clients"]
fn boards_of_many_histories_are_what_the_second_program_computes() {
    boards_agree(1_000..1_600, 8);
}
