//! Tests of the first line of the page for every kind of game, ranking and direction, with ties, missing runs and suspect times.
//!
//! The expected values are computed from the runs by different code than the judge's: the first entry, the deciding figure, the
//! margin, and the required words of the sentence.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::leader::Leader;
use crate::plan::RankKey;
use crate::results::Results;
use crate::scoring::Scoring;

/// A run of this test.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RandomRun {
    verdict: &'static str,
    progress: u64,
    moves: u64,
    tie: u64,
    points: u64,
    ms: u64,
    suspect: bool,
}

const LIMIT_MS: u64 = 10_000;
const PLAIN: RandomRun =
    RandomRun { verdict: "solved", progress: 25, moves: 10, tie: 3, points: 40, ms: 1_000, suspect: false };

/// A kind of game, with the possible answers of its entries.
struct Game {
    name: &'static str,
    /// The column `scoring`.
    scoring: &'static str,
    more_points: bool,
    rankings: &'static [&'static str],
    answers: &'static [RandomRun],
}

const TIMED_OUT: RandomRun =
    RandomRun { verdict: "timed_out", progress: 0, moves: 0, tie: 0, points: 0, ms: LIMIT_MS, suspect: false };
const CRASHED: RandomRun =
    RandomRun { verdict: "crashed", progress: 0, moves: 0, tie: 0, points: 0, ms: 500, suspect: false };
const UNSTARTED: RandomRun = RandomRun { verdict: "could_not_start", ms: 0, ..CRASHED };
const MISSING: RandomRun = RandomRun { verdict: "missing", ..CRASHED };

const MOVES: &[RandomRun] = &[
    PLAIN,
    RandomRun { moves: 12, ..PLAIN },
    RandomRun { tie: 1, ..PLAIN },
    RandomRun { ms: 2_200, suspect: true, ..PLAIN },
    RandomRun { verdict: "unsolved", progress: 20, moves: 4, ..PLAIN },
    RandomRun { suspect: true, ..TIMED_OUT },
    UNSTARTED,
    MISSING,
];

const POINTS: &[RandomRun] = &[
    RandomRun { verdict: "valid", progress: 0, moves: 0, tie: 0, ..PLAIN },
    RandomRun { verdict: "valid", progress: 0, moves: 0, tie: 0, points: 55, ..PLAIN },
    RandomRun { verdict: "valid", progress: 0, moves: 0, tie: 0, ms: 1_001, suspect: true, ..PLAIN },
    RandomRun { verdict: "wrong", progress: 0, ..CRASHED },
    TIMED_OUT,
    UNSTARTED,
    MISSING,
];

const ACCEPTED: &[RandomRun] = &[
    RandomRun { progress: 1, moves: 0, tie: 0, ..PLAIN },
    RandomRun { progress: 1, moves: 0, tie: 0, ms: 900, suspect: true, ..PLAIN },
    RandomRun { verdict: "wrong", progress: 0, ..CRASHED },
    TIMED_OUT,
    UNSTARTED,
    MISSING,
];

const SCORED: &[&str] =
    &["score time", "score", "relative", "relative score time", "time", "solved score", "score relative"];

const GAMES: &[Game] = &[
    Game {
        name: "moves",
        scoring: "",
        more_points: true,
        rankings: &[
            "progress moves tie_break time",
            "progress",
            "moves",
            "tie_break moves",
            "time",
            "relative",
            "relative time",
            "solved time",
            "solved moves",
        ],
        answers: MOVES,
    },
    Game {
        name: "more points",
        scoring: r#"{"figures":[{"name":"score","better":"more","decimals":0}]}"#,
        more_points: true,
        rankings: SCORED,
        answers: POINTS,
    },
    Game {
        name: "fewer points",
        scoring: r#"{"figures":[{"name":"score","better":"less","decimals":0}]}"#,
        more_points: false,
        rankings: SCORED,
        answers: POINTS,
    },
    Game {
        name: "pass or fail",
        scoring: r#"{"figures":[]}"#,
        more_points: true,
        rankings: &["solved time", "solved", "relative", "time"],
        answers: ACCEPTED,
    },
];

fn csv(game: &Game, ranking: &str, entries: &[(&str, [RandomRun; 2])]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let declared: Scoring = match game.scoring {
        "" => Scoring::of_game(""),
        json => serde_json::from_str(json).unwrap(),
    };
    let named = RankKey::read_list(ranking, &declared).unwrap();
    let whole = RankKey::listed(&RankKey::whole(&named, &declared));
    let head = "entry,board,verdict,progress,full,moves,tie_break,score,wall_us,limit_ms,suspect,exit_code,reason,scoring,\
                ranking";
    writer.write_record(head.split(',')).unwrap();
    for (entry, runs) in entries {
        for (board, run) in runs.iter().enumerate() {
            let scored = !game.scoring.is_empty() && run.verdict == "valid";
            let replayed = ["solved", "unsolved", "valid", "wrong"].contains(&run.verdict);
            let figure = |figure: u64| if replayed { figure.to_string() } else { String::new() };
            let goal = if game.name == "moves" { 25 } else { 1 };
            writer
                .write_record([
                    (*entry).to_owned(),
                    format!("B{board}"),
                    run.verdict.to_owned(),
                    figure(run.progress),
                    figure(goal),
                    figure(run.moves),
                    figure(run.tie),
                    if scored { run.points.to_string() } else { String::new() },
                    (run.ms * 1_000).to_string(),
                    LIMIT_MS.to_string(),
                    if run.suspect { "busy".into() } else { String::new() },
                    if run.verdict == "crashed" { "1".into() } else { String::new() },
                    if run.verdict == "wrong" { "no".into() } else { String::new() },
                    game.scoring.to_owned(),
                    whole.clone(),
                ])
                .unwrap();
        }
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// The figures of an entry, computed only from its runs.
#[derive(Debug, Clone, Default)]
struct Totals {
    name: String,
    complete: bool,
    solved: u64,
    failed: u64,
    unstarted: u64,
    progress: u64,
    moves: u64,
    tie: u64,
    points: u64,
    ms: u64,
    /// The sum of the ratios to the best answer, from 0 to 1 per board.
    relative: f64,
    suspect: bool,
    suspect_late: bool,
}

fn answered(run: &RandomRun) -> bool {
    ["solved", "unsolved", "valid"].contains(&run.verdict)
}

/// The value for relative scores.
fn value(game: &Game, run: &RandomRun) -> Option<f64> {
    match run.verdict {
        "valid" => Some(run.points as f64),
        "solved" if game.name == "moves" => Some(run.moves as f64),
        "solved" => Some(0.0),
        _ => None,
    }
}

fn totals(game: &Game, entries: &[(&str, [RandomRun; 2])]) -> Vec<Totals> {
    let best = |board: usize| {
        let values = entries.iter().filter_map(|(_, runs)| value(game, &runs[board]));
        values.reduce(if game.name == "more points" { f64::max } else { f64::min })
    };
    let of = |(name, runs): &(&str, [RandomRun; 2])| {
        let count = |fits: &dyn Fn(&RandomRun) -> bool| runs.iter().filter(|run| fits(run)).count() as u64;
        let share = |(board, run): (usize, &RandomRun)| match (value(game, run), best(board)) {
            (Some(own), Some(best)) if own == best => 1.0,
            (Some(own), Some(best)) if game.name == "more points" => own / best,
            (Some(own), Some(best)) => best / own,
            _ => 0.0,
        };
        Totals {
            name: (*name).to_owned(),
            complete: count(&|run| run.verdict == "missing") == 0,
            solved: count(&|run| run.verdict == "solved"),
            failed: count(&|run| !answered(run)),
            unstarted: count(&|run| run.verdict == "could_not_start"),
            progress: runs.iter().map(|run| run.progress).sum(),
            moves: runs.iter().filter(|run| answered(run)).map(|run| run.moves).sum(),
            tie: runs.iter().filter(|run| answered(run)).map(|run| run.tie).sum(),
            points: runs.iter().filter(|run| run.verdict == "valid").map(|run| run.points).sum(),
            ms: runs.iter().map(|run| run.ms).sum(),
            relative: runs.iter().enumerate().map(share).sum(),
            suspect: count(&|run| run.suspect) > 0,
            suspect_late: count(&|run| run.suspect && run.verdict == "timed_out") > 0,
        }
    };
    entries.iter().map(of).collect()
}

/// The deciding figure between two entries, and the better one: `Less` for the first.
fn compare(game: &Game, ranking: &str, a: &Totals, b: &Totals) -> (Ordering, &'static str) {
    let mut steps: Vec<(&'static str, Ordering)> = Vec::new();
    let solved = || ("solved", b.solved.cmp(&a.solved));
    let failed = || ("failed", a.failed.cmp(&b.failed));
    for key in ranking.split(' ') {
        match key {
            "progress" => steps.push(("progress", b.progress.cmp(&a.progress))),
            "moves" => steps.extend([solved(), failed(), ("moves", a.moves.cmp(&b.moves))]),
            "tie_break" => steps.extend([solved(), failed(), ("tie_break", a.tie.cmp(&b.tie))]),
            "time" => {
                let unstarted = ("unstarted", a.unstarted.cmp(&b.unstarted));
                steps.extend([solved(), failed(), unstarted, ("time", a.ms.cmp(&b.ms))]);
            }
            "solved" => steps.push(solved()),
            "score" if game.more_points => steps.push(("score", b.points.cmp(&a.points))),
            "score" => steps.extend([solved(), failed(), ("score", a.points.cmp(&b.points))]),
            "relative" if (a.relative - b.relative).abs() < 1e-6 => {}
            "relative" => steps.push(("relative", b.relative.total_cmp(&a.relative))),
            other => panic!("{other}"),
        }
    }
    let decided = steps.into_iter().find(|(_, ordering)| ordering.is_ne());
    decided.map_or((Ordering::Equal, ""), |(by, ordering)| (ordering, by))
}

fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn seconds(ms: u64) -> String {
    if ms < 1_000 { format!("{ms} ms") } else { format!("{} s", ms as f64 / 1e3) }
}

/// The winner's deciding figure, and its distance from the next one's with a word for the direction.
fn expected(game: &Game, by: &str, a: &Totals, b: &Totals) -> (String, String) {
    let apart = |figure: fn(&Totals) -> u64| figure(a).abs_diff(figure(b));
    match by {
        "progress" => (format!("{} progress", a.progress), format!("{} progress more", apart(|row| row.progress))),
        "moves" => {
            let fewer = plural(apart(|row| row.moves), "move", "moves");
            (plural(a.moves, "move", "moves"), format!("{fewer} fewer"))
        }
        "tie_break" => (format!("{} tie-break", a.tie), format!("{} tie-break fewer", apart(|row| row.tie))),
        "time" => {
            // Three digits, for people.
            let text = |ms: u64| seconds(if ms < 1_000 { ms } else { (ms + 5) / 10 * 10 });
            (format!("a time of {}", text(a.ms)), format!("{} less", text(apart(|row| row.ms))))
        }
        "solved" => {
            let more = plural(apart(|row| row.solved), "solved board", "solved boards");
            (format!("{} of 2 boards solved", a.solved), format!("{more} more"))
        }
        "failed" => {
            let fewer = plural(apart(|row| row.failed), "failed run", "failed runs");
            (plural(a.failed, "failed run", "failed runs"), format!("{fewer} fewer"))
        }
        "unstarted" => {
            let fewer = plural(apart(|row| row.unstarted), "run without a start", "runs without a start");
            (plural(a.unstarted, "run without a start", "runs without a start"), format!("{fewer} fewer"))
        }
        "score" => {
            let word = if game.more_points { "more" } else { "less" };
            (format!("score {}", a.points), format!("{} {word}", apart(|row| row.points)))
        }
        "relative" => {
            (format!("a relative score of {:.4}", a.relative), format!("{:.4} more", a.relative - b.relative))
        }
        other => panic!("{other}"),
    }
}

/// Checks the first line of one contest.
fn check(game: &Game, ranking: &str, entries: &[(&str, [RandomRun; 2])]) {
    let text = csv(game, ranking, entries);
    let results = Results::read_csv("test", text.as_bytes()).unwrap();
    let line = Leader::of(&results).text;
    let case = || format!("{}, ranked by {ranking}: {line}\n{text}", game.name);
    let all = totals(game, entries);
    let mut placed: Vec<&Totals> = all.iter().filter(|row| row.complete).collect();
    placed.sort_by(|a, b| compare(game, ranking, a, b).0);
    let verbs = |words: &[&str]| words.iter().any(|word| line.contains(word));
    let Some(&winner) = placed.first() else {
        assert_eq!(line, "No entry has a place yet.", "{}", case());
        return;
    };
    let first: BTreeSet<&str> = placed
        .iter()
        .filter(|row| compare(game, ranking, winner, row).0.is_eq())
        .map(|row| row.name.as_str())
        .collect();
    let table: BTreeSet<&str> =
        results.rows.iter().filter(|row| row.place == Some(1)).map(|row| row.entry.name.as_str()).collect();
    assert_eq!(table, first, "the first of the table: {}", case());
    assert_eq!(results.rows[0].place, Some(1), "{}", case());
    let over = all.iter().all(|row| row.complete);
    assert_eq!(line.contains("so far"), !over, "{}", case());
    if first.len() > 1 {
        assert!(line.contains("share the first place with ") && !verbs(&[" wins ", " leads "]), "{}", case());
        let names: Vec<&str> =
            line.split(if over { " share" } else { " so far" }).next().unwrap().split(" and ").collect();
        let named: BTreeSet<&str> = names.iter().flat_map(|names| names.split(", ")).collect();
        assert_eq!(named, first, "{}", case());
        let suspect = placed.iter().any(|row| row.suspect && first.contains(row.name.as_str()));
        let by_time = ranking.split(' ').any(|key| key == "time");
        assert_eq!(line.contains("Their times are equal"), suspect && by_time, "{}", case());
        return;
    }
    let begin = format!("{} {} with ", winner.name, if over { "wins" } else { "leads so far" });
    assert!(line.starts_with(&begin), "{}", case());
    let Some(&next) = placed.get(1) else {
        assert!(!line.contains(" than "), "{}", case());
        return;
    };
    let (_, by) = compare(game, ranking, winner, next);
    let (figure, margin) = expected(game, by, winner, next);
    let (reached, than) = line[begin.len()..].rsplit_once(" than ").unwrap_or_else(|| panic!("{}", case()));
    let reached = reached.rsplit_once(", ").unwrap_or_else(|| panic!("{}", case()));
    assert!(reached.0.contains(&figure), "figure `{figure}` decides by {by}: {}", case());
    assert_eq!(reached.1, margin, "{}", case());
    let ties: Vec<&str> = placed[1..]
        .iter()
        .filter(|row| compare(game, ranking, next, row).0.is_eq())
        .map(|row| row.name.as_str())
        .collect();
    assert!(ties.iter().any(|name| than.starts_with(&format!("{name}."))), "{}", case());
    let behind = placed.iter().find(|row| than.starts_with(&format!("{}.", row.name))).unwrap();
    let doubtful = if by == "time" { winner.suspect || behind.suspect } else { behind.suspect_late };
    assert_eq!(than.contains("suspect"), doubtful, "decided by {by}: {}", case());
}

/// All pairs of entries with all pairs of answers, and a third entry that nearly always loses.
#[test]
#[ignore = "deep: large"]
fn the_first_line_says_who_is_first_by_what_and_by_how_much() {
    let mut cases = 0;
    for game in GAMES {
        let answers = game.answers.len();
        for ranking in game.rankings {
            for number in 0..answers.pow(4) {
                let answer = |digit: u32| game.answers[number / answers.pow(digit) % answers];
                // Only half of them: the others are equal with swapped names.
                if number / answers.pow(2) > number % answers.pow(2) && number % 7 != 0 {
                    continue;
                }
                // About half of these, without a pattern.
                if number.wrapping_mul(2_654_435_761) >> 7 & 1 == 1 {
                    continue;
                }
                let entries =
                    [("a", [answer(0), answer(1)]), ("b", [answer(2), answer(3)]), ("c", [CRASHED, UNSTARTED])];
                check(game, ranking, &entries[..if number % 3 == 0 { 2 } else { 3 }]);
                cases += 1;
            }
        }
    }
    assert!(cases > 10_000, "{cases}");
}
