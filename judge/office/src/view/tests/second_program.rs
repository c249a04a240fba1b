//! Tests that the boards of random histories equal those of a second program. That program shares no code with judge and was
//! written only from docs/scoring.md, see `judge/tests/scoring/generate.py`.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::club::{Club, TEAMS};
use super::*;
use crate::line::{Decision, Order};
use crate::results::results_of;
use crate::{FOLDER, Office, Upload};
use judge_contest::journal::Journal;
use judge_contest::office::{Counts, OfficeRules};
use judge_contest::open_contest::OpenContest;
use judge_contest::{Contest, Overrides};
use judge_core::date::Date;
use judge_core::journal::{Built, Record};

/// The output of programs: solved, stopped before the goal, illegal, nothing, different answers on the two boards, or no answer.
/// The last one does not build.
const PRINTED: [&str; 10] = ["lluu", "lluu", "llu", "lx", "", "lluu|llu", "llu|lluu", "#crash", "#start", "#error"];

/// Contests with moves and with answers that are accepted or not, without entries in the contest file.
const KINDS: [(&str, &str, &str); 2] =
    [("moves", "", ""), ("accepted", "protocol = \"tokens\"\n", "answer = \"house/answer\"\n")];

/// The problems of a contest of several. The only problem of a contest has no name; the second program uses the first name for
/// it.
const PROBLEMS: [&str; 3] = ["P", "Q", "R"];

fn contest((_, referee, of_board): (&str, &str, &str), problems: &[&str]) -> String {
    let of_problem = |id: &&str| {
        let (begin, before) = if problems.len() > 1 {
            (format!("[[problem]]\nid = \"{id}\"\n"), "problem.")
        } else {
            (String::new(), "")
        };
        let board = |name: &str| {
            let file = name.to_lowercase();
            format!("[[{before}board]]\nname = \"{name}\"\nfile = \"{file}.txt\"\n{of_board}")
        };
        let game = if referee.is_empty() { "loyd" } else { "external" };
        let referee = if referee.is_empty() { String::new() } else { format!("[{before}referee]\n{referee}") };
        format!("{begin}game = \"{game}\"\n{referee}{}{}", board("X"), board("Y"))
    };
    let problems: String = problems.iter().map(of_problem).collect();
    // `limit` is a key of the whole contest, so it precedes the tables.
    format!("name = \"test\"\nlimit = \"10s\"\n{problems}[office]\n")
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

/// A club after a random history, whose last part may not be judged.
fn history(kind: (&str, &str, &str), problems: &[&str], counts: Counts, dice: &mut ChaCha8Rng) -> Club {
    let mut club = Club::of(&contest(kind, problems));
    club.office.set_rules(&OfficeRules { counts, ..OfficeRules::default() }).unwrap();
    let (mut number, frozen) = (0, dice.random_range(0..12));
    for step in 0..dice.random_range(1..14) {
        let at = club.now.load(Ordering::SeqCst) + dice.random_range(0..3) * dice.random_range(1..200);
        club.now.store(at, Ordering::SeqCst);
        match dice.random_range(0..13) {
            0 | 1 => club.work(),
            5 => club = restarted(club),
            // Refused if the submission does not exist or belongs to another team.
            2 => drop(club.office.choose(TEAMS[dice.random_range(0..4)], dice.random_range(0..number + 1))),
            3 if number > 0 => {
                let decision = [Decision::Ignored, Decision::Held].choose(dice).unwrap();
                drop(club.office.decide(dice.random_range(1..=number), *decision, Some("look")));
            }
            4 if dice.random_ratio(1, 3) => {
                let (team, because) = (TEAMS[dice.random_range(0..4)].to_owned(), "copied".to_owned());
                drop(club.office.order(Order::Disqualify { team, because }, &club.open_contest.contents()));
            }
            _ => {
                number += 1;
                let source = format!("{}/{number}", PRINTED.choose(dice).unwrap());
                let team = TEAMS[dice.random_range(0..4)];
                let problem = if problems.len() > 1 { problems.choose(dice).copied() } else { None };
                club.office.submit(&Upload { problem, ..Upload::new(team, "a.c", source.as_bytes()) }, None).unwrap();
            }
        }
        if step == frozen {
            club.work();
            club.office.freeze().unwrap();
        }
    }
    if dice.random_range(0..3) > 0 {
        club.work();
    }
    club
}

/// The club after its judge was killed and started again.
fn restarted(mut club: Club) -> Club {
    let at = club.office.folder().parent().unwrap().to_owned();
    let (results, contest) = (results_of(&at), Contest::load(&at, &Overrides::default()).unwrap());
    let (date, clock, setup) = (club.now.clone(), club.now.clone(), contest.office.clone());
    let date = move || Some(Date::from_unix(date.load(Ordering::SeqCst)));
    drop((club.open_contest, club.office));
    let (journal, _) = Journal::resume(&results, date).unwrap();
    club.open_contest = Arc::new(OpenContest::resume(contest, journal, &results).unwrap());
    let office = Office::open(&at.join(FOLDER), Arc::new(move || clock.load(Ordering::SeqCst))).unwrap();
    club.office = Arc::new(office.with_setup(&setup));
    club
}

/// A result in the second program's input format.
fn result(record: &Record, kind: &str) -> Value {
    let code = record.verdict.code();
    let given = record.verdict.given().filter(|_| kind == "moves");
    let figures = given.map(|given| {
        let [progress, moves, tie_break] =
            ["progress", "moves", "tie_break"].map(|name| given.figures.get(name).unwrap().to_string());
        json!({"progress": progress, "moves": moves, "tie_break": tie_break})
    });
    json!({
        "board": &*record.key.board, "repeat": 1, "verdict": code.map_or("AC", |code| code.letters()),
        "figures": figures.unwrap_or_else(|| json!({})), "wall_us": record.wall_us, "limit_ms": record.limit_ms,
        "suspect": false, "by_hand": false,
    })
}

/// The view of a viewer of a club, as a case for the second program.
fn case(name: String, kind: &str, counts: Counts, club: &Club, viewer: &Viewer) -> Value {
    let (state, contents) = (club.office.state().unwrap(), club.open_contest.contents());
    let goal = (kind == "moves").then_some("25");
    let plan = &contents.plan;
    let problems = plan.problems.iter().map(|problem| {
        let own = plan.boards.iter().filter(|board| plan.problem_of(&board.name).id == problem.id);
        let board = |name: &str| json!({"name": name, "round": 1, "struck": false, "group": null, "goal": goal});
        json!({"name": named(&problem.id), "boards": own.map(|one| board(&one.name)).collect::<Vec<_>>()})
    });
    let teams = state.teams().iter().map(|(name, team)| {
        let chosen = if viewer.may_act_for(name) { &team.chosen } else { &team.publicly_chosen };
        let chosen: BTreeMap<&str, u32> = chosen.iter().map(|(problem, number)| (named(problem), *number)).collect();
        json!({"name": &**name, "out": state.out(name).is_some(), "chosen": chosen})
    });
    let submissions = state.submissions().iter().map(|(at, submission)| {
        let (entry, standing) = (submission.entry(), state.gate(submission.number));
        let entered = contents.plan.entries.iter().any(|one| one.name == entry);
        // A submission that is not built yet cannot count.
        let built = entered && contents.build_of(&entry).is_none_or(|build| build.built == Built::Succeeded);
        let stands = match () {
            () if standing.ignored.is_some() => "ignored",
            () if standing.held.is_some() => "held",
            () => "in",
        };
        let records = contents.records.iter().filter(|record| *record.key.entry == *entry);
        json!({
            "team": submission.team, "problem": named(&submission.problem), "number": submission.number, "arrived": at - 1_795_435_200,
            "state": stands, "seen": viewer.sees(submission, &state), "built": built,
            "results": records.map(|record| result(record, kind)).collect::<Vec<_>>(),
        })
    });
    let counts = match counts {
        _ if kind == "accepted" => "first-accepted",
        Counts::Latest => "latest",
        Counts::Best => "best",
        _ => "chosen",
    };
    json!({
        "case": name, "kind": kind, "counted": kind == "moves", "order": null, "exactly": false, "counts": counts,
        "penalty": 20, "problems": problems.collect::<Vec<_>>(), "teams": teams.collect::<Vec<_>>(),
        "submissions": submissions.collect::<Vec<_>>(),
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
    Some(json!({"place": row.place, "counts": row.counts.map(|(number, _)| number), "figures": figures}))
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

#[track_caller]
fn boards_agree(seeds: std::ops::Range<u64>) {
    let mut made: Vec<(Value, Board)> = Vec::new();
    for seed in seeds {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let kind = *KINDS.choose(&mut dice).unwrap();
        let counts = *[Counts::Latest, Counts::Best, Counts::Chosen].choose(&mut dice).unwrap();
        let problems = if dice.random_ratio(1, 2) { &PROBLEMS[..1] } else { &PROBLEMS[..] };
        let club = history(kind, problems, counts, &mut dice);
        for viewer in [Viewer::Public, Viewer::Organiser] {
            let case = case(format!("{seed}, {viewer:?}"), kind.0, counts, &club, &viewer);
            made.push((case, club.board(&viewer)));
        }
    }
    let cases: Vec<Value> = made.iter().map(|(case, _)| case.clone()).collect();
    let Some(answers) = answers(&cases) else { return };
    let mut found = Vec::new();
    for ((case, board), answer) in made.iter().zip(&answers) {
        for team in TEAMS {
            let (shown, expected) = (shown(board, team), expected(answer, team, case["kind"] == "accepted"));
            // The board of one problem has no row for a team without submissions.
            let handed_in = case["submissions"].as_array().unwrap().iter().any(|one| one["team"] == team);
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
    boards_agree(0..12);
}

#[test]
#[ignore = "deep: clients"]
fn boards_of_many_histories_are_what_the_second_program_computes() {
    boards_agree(1_000..1_300);
}
