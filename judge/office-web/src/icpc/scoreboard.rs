//! The scoreboard of the Contest API: the teams of the viewer's board on the site, with their places.

use judge_office::view::{self, ProblemResult, Row, Total, Viewer};
use serde_json::{Value, json};

use super::bundle::Snapshot;
use super::feed::SnapshotInput;
use super::identifiers::{is_in, team_id};
use super::schedule::Schedule;
use super::times::{absolute, duration, relative};
use super::version::Version;
use crate::named;
use crate::site::Site;

/// The scoreboard with the state of the contest. Entries of the contest file are not teams and are left out. Ranks count among
/// all teams, or among those of a group.
pub(super) fn text(
    site: &Site,
    seen: &SnapshotInput,
    viewer: &Viewer,
    (version, group): (Version, Option<&str>),
    snapshot: &Snapshot,
) -> String {
    let (state, contents, _) = seen;
    let board = view::board_of_all(state, contents, viewer, &site.app().office.ends(state, contents));
    let of_group = |row: &&Row| group.is_none_or(|group| is_in(group, &row.name, state));
    let named = named::all(site.app(), contents);
    let teams: Vec<&Row> = board.rows.iter().filter(|row| row.is_team).filter(of_group).collect();
    let places: Vec<usize> = teams.iter().filter_map(|row| row.place).collect();
    let row = |row: &&Row| {
        let (rank, id) = (1 + row.place.map_or(places.len(), |own| count_before(&places, own)), team_id(&row.name));
        let parts = named.iter().zip(&row.problems);
        let problems: Vec<Value> = parts.map(|(named, of)| problem(&named.id, of, row.total, version)).collect();
        let json = json!({ "rank": rank, "team_id": id, "score": score(row.total, version), "problems": problems });
        ((rank, id), json)
    };
    let mut rows: Vec<((usize, String), Value)> = teams.iter().map(row).collect();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
    let start = Schedule::of(state).start;
    let at = latest(seen, snapshot).unwrap_or(start);
    let (time, contest_time) = (absolute(at), relative(at, start));
    json!({ "time": time, "contest_time": contest_time, "state": snapshot.status, "rows": rows }).to_string()
}

fn count_before(places: &[usize], own: usize) -> usize {
    places.iter().filter(|place| **place < own).count()
}

/// The figures that decide the place of a team. The interface has a time of the last score for ties, which has no effect here.
fn score(total: Total, version: Version) -> Value {
    let (mut score, time) = match total {
        Total::Score(figure) => (json!({ "score": figure.score() }), None),
        Total::Solved { problems, penalty, last } => {
            (json!({ "num_solved": problems, "total_time": since(penalty * 60, version) }), last)
        }
    };
    match (time, version) {
        (Some(minutes), _) => score["time"] = since(minutes * 60, version),
        (None, Version::V2026) => score["time"] = Value::Null,
        (None, Version::V2023) => {}
    }
    score
}

/// The results of a team on a problem.
fn problem(id: &str, of: &ProblemResult, total: Total, version: Version) -> Value {
    let mut problem = json!({ "problem_id": id, "num_judged": of.judged, "num_pending": of.pending });
    match total {
        Total::Score(_) => problem["score"] = json!(of.score.score()),
        Total::Solved { .. } => problem["solved"] = json!(of.reached.is_some()),
    }
    if let Some(reached) = of.reached {
        problem["time"] = since(reached, version);
    }
    problem
}

/// The time of the last event that the viewer knows.
fn latest(seen: &SnapshotInput, snapshot: &Snapshot) -> Option<u64> {
    let (state, ..) = seen;
    let submitted = state.submissions().iter().map(|(at, _)| *at).max();
    let (frozen, thawed) = state.froze_and_thawed();
    let ended = snapshot.submissions.iter().map(|bundle| Some(bundle.ended()?.0));
    [submitted, frozen, thawed].into_iter().chain(ended).flatten().max()
}

/// A number of seconds from the start, in whole minutes before version 2026-01.
fn since(seconds: u64, version: Version) -> Value {
    match version {
        Version::V2023 => json!(seconds / 60),
        Version::V2026 => json!(duration(seconds)),
    }
}
