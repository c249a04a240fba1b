//! The scoreboard of the Contest API: the rows and places of the board that the same viewer sees on the site.

use std::collections::HashMap;
use std::sync::Arc;

use judge_core::journal::Contents;
use judge_office::state::State;
use judge_office::view::{self, Viewer};
use serde_json::{Value, json};

use super::Version;
use super::feed::Bundle;
use super::objects::{Schedule, contest_id, team_id};
use super::times::{absolute, duration, relative};
use crate::app::App;

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
    let board = view::board(state, contents, viewer);
    let rows: HashMap<&str, &view::Row> = board.rows.iter().map(|row| (&*row.name, row)).collect();
    let bundle = |number: u32| submissions.get(usize::try_from(number.checked_sub(1)?).ok()?);
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (team, of_team) in state.teams() {
        let row = rows.get(&**team).filter(|row| row.out.is_none());
        let counts = row.and_then(|row| {
            let (number, at) = row.counts?;
            Some((bundle(number)?.judged.as_ref()?.score, at))
        });
        let own = || of_team.submissions.iter().filter_map(|&number| bundle(number));
        let judged = own().filter(|bundle| bundle.ended()).count();
        let place = row.and_then(|row| row.place);
        lines.push(Line { team, place, counts, judged, pending: own().count() - judged });
    }
    let places: Vec<usize> = lines.iter().filter_map(|line| line.place).collect();
    let rank = |line: &Line<'_>| {
        1 + line.place.map_or(places.len(), |place| places.iter().filter(|better| **better < place).count())
    };
    let mut ranked: Vec<(usize, &Line<'_>)> = lines.iter().map(|line| (rank(line), line)).collect();
    ranked.sort_by_key(|(rank, line)| (*rank, line.team));
    let problem = contest_id(app);
    let row = |(rank, line): (usize, &Line<'_>)| {
        let score = line.counts.map_or(0.0, |(score, _)| score);
        let time = line.counts.filter(|_| score > 0.0).map(|(_, at)| since(at, schedule.start, version));
        let (mut total, mut of_problem) = (json!({ "score": score }), json!({ "problem_id": problem, "score": score }));
        (of_problem["num_judged"], of_problem["num_pending"]) = (json!(line.judged), json!(line.pending));
        match time {
            Some(time) => (total["time"], of_problem["time"]) = (time.clone(), time),
            None if version == Version::V2026 => total["time"] = Value::Null,
            None => {}
        }
        json!({ "rank": rank, "team_id": team_id(line.team), "score": total, "problems": [of_problem] })
    };
    let rows: Vec<Value> = ranked.into_iter().map(row).collect();
    let at = latest(&schedule, state, submissions);
    let at =
        json!({ "time": absolute(at), "contest_time": relative(at, schedule.start), "state": status, "rows": rows });
    at.to_string()
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
