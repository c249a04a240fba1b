//! Cost of an office's board in contests of 100,000 and 1,000,000 runs: 200 teams, 5 or 50 submissions each, 100 boards.
//!
//! `cargo bench -p judge-office`. Measures milliseconds of processor time, which hardly depend on other work of the
//! machine; prints the least and the median of some changes.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "a benchmark measures and prints")]

use std::fs;
use std::sync::Arc;

use judge_core::date::Date;
use judge_core::journal::{Chain, Fold, Header, Line};
use judge_core::plan::{Overrides, Plan};
use judge_office::Office;
use judge_office::ends::Ends;
use judge_office::state::{Dated, FORMAT, State};
use judge_office::view::{self, Viewer};
use serde_json::{Value, json};

const TEAMS: usize = 200;
const BOARDS: usize = 100;
/// The number of measured changes of each kind.
const CHANGES: usize = 9;

fn main() {
    [5, 50].into_iter().for_each(measure);
}

/// Measures a contest with this number of submissions per team.
fn measure(submissions: usize) {
    let (mut state, mut fold) = (State::default(), contest(submissions));
    for line in office(submissions) {
        let at = line["at"].as_u64().expect("a moment");
        let line = serde_json::from_value(line).expect("a line");
        state.apply(Dated { at, line }).expect("a line that follows");
    }
    let contents = fold.so_far();
    println!("{} runs: milliseconds of processor time, the least and the median", contents.order().len());
    show("a board", || drop(view::board(&state, &contents, &Viewer::Public, &Ends::default())));
    let mut moves = 0;
    show("another verdict", || {
        moves += 1;
        apply(&mut fold, run(0, submissions - 1, 0, moves));
        drop(fold.so_far());
    });
    let contents = fold.so_far();
    show("the board after it", || drop(view::board(&state, &contents, &Viewer::Public, &Ends::default())));
    let mut number = submissions;
    show("another submission", || {
        apply(&mut fold, json!({"line": "entry", "entry": entry(0, number), "programs": {}}));
        number += 1;
        drop(fold.so_far());
    });
    let contents = fold.so_far();
    show("the board after it", || drop(view::board(&state, &contents, &Viewer::Public, &Ends::default())));
    line(submissions);
}

/// Measures a line of the office's log while other threads use the state before it, as in a site.
fn line(submissions: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let office = folder.path().join(judge_office::FOLDER);
    let open = || Office::create(&office, Arc::new(|| 3)).expect("an office");
    drop(open());
    let (mut chain, mut log) = (Chain::default(), Vec::new());
    for mut line in self::office(submissions) {
        let at = line["at"].as_u64().map(Date::from_unix);
        let fields = line.as_object_mut().expect("an object");
        fields.remove("at");
        // The line has to begin with its kind.
        let fields = serde_json::to_string(&fields).expect("plain data");
        let mut line =
            format!("{{\"line\":\"office\",{},\"at\":\"{}\"}}\n", &fields[1..fields.len() - 1], at.expect("a moment"))
                .into_bytes();
        chain.seal(&mut line);
        log.extend(line);
    }
    fs::write(judge_office::log::path_of(&office), log).expect("a log");
    let office = open();
    let mut seen = vec![office.state().expect("the log")];
    show("a line of the log", || {
        office.notice("Lunch is ready.").expect("a notice");
        seen.push(office.state().expect("the log"));
    });
    assert_eq!(seen.last().map(|state| state.submissions().len()), Some(submissions * TEAMS));
}

/// The number of a submission: teams submit in turns.
fn number(team: usize, submission: usize) -> usize {
    submission * TEAMS + team + 1
}

fn name(team: usize, submission: usize) -> String {
    format!("t{team}.{}", number(team, submission))
}

fn entry(team: usize, submission: usize) -> Value {
    let name = name(team, submission);
    let folder = format!("office/entries/{name}");
    json!({"name": name, "command": ["bash", format!("{folder}/solve.sh")], "readable": [folder], "competing": true})
}

/// The office's log.
fn office(submissions: usize) -> impl Iterator<Item = Value> {
    let begun = json!({"at": 1, "event": "office", "format": FORMAT});
    let teams = (0..TEAMS).map(|team| json!({"at": 1, "event": "team", "team": format!("t{team}")}));
    let submissions = (0..submissions).flat_map(|submission| {
        (0..TEAMS).map(move |team| {
            json!({"at": 2, "event": "submitted", "number": number(team, submission), "team": format!("t{team}"),
                   "file": "solve.sh", "sha256": "0".repeat(64), "bytes": 20})
        })
    });
    std::iter::once(begun).chain(teams).chain(submissions)
}

/// The contest in which everything was judged, and in which all submissions of each team except the last are
/// superseded.
fn contest(submissions: usize) -> Fold {
    let limits = json!({"wall_ms": 10_000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": 1 << 30, "processes": 256,
                        "output_bytes": 1 << 24, "scratch_bytes": null, "cores": 1});
    let boards: Vec<Value> = (0..BOARDS)
        .map(|board| json!({"name": format!("R{board}"), "text": "ABCDE FGHIJ KLMNO PQRST UVWX+"}))
        .collect();
    let plan = json!({"name": "A large contest", "game": "loyd", "rules": {}, "limits": limits,
                      "ranking": ["progress", "moves", "tie_break", "time"], "boards": boards, "entries": []});
    let plan: Plan = serde_json::from_value(plan).expect("a plan");
    let header = Header::new("contest.toml".into(), Overrides::default(), plan, Vec::new(), Default::default(), None);
    let mut fold = Fold::begin(header, None).expect("a header");
    for submission in 0..submissions {
        for team in 0..TEAMS {
            apply(&mut fold, json!({"line": "entry", "entry": entry(team, submission), "programs": {}}));
            (0..BOARDS).for_each(|board| apply(&mut fold, run(team, submission, board, 90 + team)));
            if submission + 1 < submissions {
                let reason = format!("superseded by {}", name(team, submission + 1));
                apply(&mut fold, json!({"line": "withdrawn", "entry": name(team, submission), "reason": reason}));
            }
        }
    }
    fold
}

fn run(team: usize, submission: usize, board: usize, moves: usize) -> Value {
    json!({"line": "run", "seq": 1, "round": 1, "entry": name(team, submission), "board": format!("R{board}"),
           "verdict": "solved", "figures": {"progress": "25", "moves": moves.to_string(), "tie_break": "12"}, "full": "25", "wall_us": 1000 + moves,
           "limit_ms": 10_000, "stdout_bytes": 91, "stderr_bytes": 0, "isolation": {"tier": "namespaces", "layers": []}})
}

fn apply(fold: &mut Fold, line: Value) {
    let line: Line = serde_json::from_value(line).expect("a line");
    fold.apply(line, None).expect("a line that follows");
}

fn show(what: &str, mut work: impl FnMut()) {
    let mut took: Vec<u64> = (0..CHANGES)
        .map(|_| {
            let begun = processor_ns();
            work();
            processor_ns() - begun
        })
        .collect();
    took.sort_unstable();
    let ms = |ns: u64| ns as f64 / 1e6;
    println!("{what:20} {:>8.2} {:>8.2}", ms(took[0]), ms(took[CHANGES / 2]));
}

/// Processor time of this thread in nanoseconds.
fn processor_ns() -> u64 {
    let figures = fs::read_to_string("/proc/thread-self/schedstat").expect("a kernel with figures of its scheduler");
    figures.split(' ').next().and_then(|figure| figure.parse().ok()).expect("a number")
}
