//! The scoreboard of the Contest API: the rows and places of the board that the same viewer sees on the site, and in a contest of
//! accepted answers the places by the rules of the ICPC, from the submissions that the same viewer sees.

mod pass_fail;

use std::collections::HashMap;
use std::sync::Arc;

use judge_core::journal::Contents;
use judge_office::state::{State, Team};
use judge_office::view::judgements::is_pass_fail;
use judge_office::view::{self, Viewer};
use serde_json::{Value, json};

use super::feed::Bundle;
use super::objects::{self, contest_id, team_id};
use super::schedule::Schedule;
use super::times::{absolute, duration, relative};
use super::version::Version;
use crate::app::App;
use pass_fail::Solving;

/// A row before it is ranked.
struct Line<'s> {
    team: &'s str,
    place: Option<usize>,
    /// The score and the time of the submission that counts.
    counts: Option<(f64, u64)>,
    judged: usize,
    pending: usize,
}

/// The scoreboard with the state of the contest. Entries of the contest file are no teams and are left out: the ranks are
/// those of the teams among each other.
pub(super) fn text(
    app: &App,
    state: &State,
    contents: &Contents,
    viewer: &Viewer,
    version: Version,
    submissions: &[Arc<Bundle>],
    status: &Value,
) -> String {
    let schedule = Schedule::of(state);
    let bundle = |number: &u32| submissions.get(usize::try_from(number.checked_sub(1)?).ok()?);
    let of_team = |team: &Team| team.submissions.iter().filter_map(bundle).collect::<Vec<_>>();
    let board = view::board(state, contents, viewer);
    let rows = match is_pass_fail(contents) {
        true => {
            let out = |team: &str| board.rows.iter().any(|row| row.name == team && row.out.is_some());
            let problem = contest_id(app);
            let solved = |(team, of): (&String, &Team)| {
                let attempts = of.submissions.iter().zip(of_team(of)).map(|(&number, bundle)| {
                    let at = state.submission(number).map_or(0, |(at, _)| at).saturating_sub(schedule.start);
                    (at / 60, bundle.judged.as_ref().and_then(|judged| judged.ended).map(|(_, outcome)| outcome))
                });
                let solving = Solving::of(attempts, objects::penalty(state), out(team));
                (team_id(team), solving)
            };
            pass_fail::rows(state.teams().iter().map(solved).collect(), &problem, version)
        }
        false => scored(app, state, &board, version, &of_team),
    };
    let at = latest(&schedule, state, submissions);
    let at =
        json!({ "time": absolute(at), "contest_time": relative(at, schedule.start), "state": status, "rows": rows });
    at.to_string()
}

/// The rows of a contest with scores, with the places of the board.
fn scored<'s>(
    app: &App,
    state: &State,
    board: &view::Board,
    version: Version,
    of_team: &dyn Fn(&Team) -> Vec<&'s Arc<Bundle>>,
) -> Vec<Value> {
    let rows: HashMap<&str, &view::Row> = board.rows.iter().map(|row| (&*row.name, row)).collect();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (team, of) in state.teams() {
        let (own, row) = (of_team(of), rows.get(&**team).filter(|row| row.out.is_none()));
        let counts = row.and_then(|row| {
            let (number, at) = row.counts?;
            let counts = of.submissions.iter().position(|one| *one == number)?;
            Some((own.get(counts)?.judged.as_ref()?.score, at))
        });
        let judged = own.iter().filter(|bundle| bundle.ended()).count();
        let place = row.and_then(|row| row.place);
        lines.push(Line { team, place, counts, judged, pending: own.len() - judged });
    }
    let places: Vec<usize> = lines.iter().filter_map(|line| line.place).collect();
    let rank = |line: &Line<'_>| {
        1 + line.place.map_or(places.len(), |place| places.iter().filter(|better| **better < place).count())
    };
    let mut ranked: Vec<(usize, &Line<'_>)> = lines.iter().map(|line| (rank(line), line)).collect();
    ranked.sort_by_key(|(rank, line)| (*rank, line.team));
    let (problem, start) = (contest_id(app), Schedule::of(state).start);
    let row = |(rank, line): (usize, &Line<'_>)| {
        let score = line.counts.map_or(0.0, |(score, _)| score);
        let time = line.counts.filter(|_| score > 0.0).map(|(_, at)| since(at, start, version));
        let (mut total, mut of_problem) = (json!({ "score": score }), json!({ "problem_id": problem, "score": score }));
        (of_problem["num_judged"], of_problem["num_pending"]) = (json!(line.judged), json!(line.pending));
        match time {
            Some(time) => (total["time"], of_problem["time"]) = (time.clone(), time),
            None if version == Version::V2026 => total["time"] = Value::Null,
            None => {}
        }
        json!({ "rank": rank, "team_id": team_id(line.team), "score": total, "problems": [of_problem] })
    };
    ranked.into_iter().map(row).collect()
}

/// A time from the start: whole minutes before 2026-01.
fn since(at: u64, start: u64, version: Version) -> Value {
    let seconds = at.saturating_sub(start);
    match version {
        Version::V2023 => json!(seconds / 60),
        Version::V2026 => json!(duration(seconds)),
    }
}

/// The time of the last thing that the viewer knows of.
fn latest(schedule: &Schedule, state: &State, submissions: &[Arc<Bundle>]) -> u64 {
    let submitted = state.submissions().last().map(|(at, _)| *at);
    let ended = submissions.iter().filter_map(|bundle| Some(bundle.judged.as_ref()?.ended?.0)).max();
    let (frozen, thawed) = state.froze_and_thawed();
    [submitted, ended, frozen, thawed].into_iter().flatten().max().unwrap_or(schedule.start)
}
