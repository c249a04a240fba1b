//! The scoreboard of the Contest API. With one problem it has the rows and places of the board that the same viewer sees on the
//! site, with several the teams by the sum of their scores. In a contest of accepted answers the places are those by the rules of
//! the ICPC, from the submissions that the same viewer sees.

mod pass_fail;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use judge_core::key::Name;
use judge_office::orders;
use judge_office::state::{State, Team};
use judge_office::view::judgements::is_pass_fail;
use judge_office::view::{self, Viewer};
use serde_json::{Value, json};

use super::bundle::{Bundle, Snapshot};
use super::feed::Seen;
use super::objects::{self, team_id};
use super::schedule::Schedule;
use super::times::{absolute, duration, relative};
use super::version::Version;
use crate::app::App;
use crate::site::Site;
use pass_fail::Solving;

/// A problem as the viewer sees it.
struct Part<'s> {
    app: &'s App,
    state: &'s State,
    board: view::Board,
    /// Teams that are disqualified.
    out: BTreeSet<&'s str>,
    submissions: &'s [Arc<Bundle>],
}

/// A team in a problem with scores.
#[derive(Default)]
struct ProblemCell {
    place: Option<usize>,
    /// The submission that counts.
    counts: Option<Counting>,
    judged: usize,
    pending: usize,
}

/// What a submission that counts brings.
#[derive(Debug, Clone, Copy, Default)]
struct Counting {
    /// Of which more is better.
    score: f64,
    /// The same as people read it.
    shown: f64,
    at: u64,
}

impl Counting {
    /// When a score was reached that is one.
    fn reached(&self) -> Option<u64> {
        (self.score > 0.0).then_some(self.at)
    }
}

/// A team in all problems with scores.
struct Line<'s> {
    team: &'s str,
    cells: Vec<ProblemCell>,
}

/// The scoreboard with the state of the contest. Entries of the contest file are no teams and are left out: the ranks are
/// those of the teams among each other.
pub(super) fn text(site: &Site, seen: &Seen, viewer: &Viewer, version: Version, snapshot: &Snapshot) -> String {
    let mut parts = Vec::new();
    for ((app, (state, contents, _)), submissions) in site.apps().iter().zip(seen).zip(&snapshot.submissions) {
        let (board, out) = (view::board(state, contents, viewer), orders::out_of_contest(state));
        parts.push(Part { app, state, board, out, submissions });
    }
    let (first, contents, _) = &seen[0];
    let schedule = Schedule::of(first);
    let rows = match is_pass_fail(contents) {
        true => {
            let penalty = objects::penalty(first);
            let of_team = |team: &Name| {
                let solved = |part: &Part<'_>| (part.app.part.id.clone(), part.solving(team, schedule.start, penalty));
                (team_id(team), parts.iter().map(solved).collect())
            };
            pass_fail::rows(first.teams().keys().map(of_team).collect(), version)
        }
        false => scored(&parts, first, version),
    };
    let at = parts.iter().map(Part::latest).max().flatten().unwrap_or(schedule.start);
    let status = &snapshot.status;
    let at =
        json!({ "time": absolute(at), "contest_time": relative(at, schedule.start), "state": status, "rows": rows });
    at.to_string()
}

impl Part<'_> {
    /// The rows of the board that are not those of entries of the contest file.
    fn teams(&self) -> impl Iterator<Item = &view::Row> {
        self.board.rows.iter().filter(|row| row.is_team)
    }

    fn of_team(&self, team: &Team) -> Vec<&Arc<Bundle>> {
        let bundle = |number: &u32| self.submissions.get(usize::try_from(number.checked_sub(1)?).ok()?);
        team.submissions.iter().filter_map(bundle).collect()
    }

    /// What a team has solved of it.
    fn solving(&self, team: &str, start: u64, penalty: u64) -> Solving {
        let Some(of) = self.state.teams().get(team) else { return Solving::default() };
        let attempts = of.submissions.iter().zip(self.of_team(of)).map(|(&number, bundle)| {
            let at = self.state.submission(number).map_or(0, |(at, _)| at).saturating_sub(start);
            (at / 60, bundle.ended().map(|(_, outcome)| outcome))
        });
        // The board has no row of a team of which nothing counts.
        let out = self.out.contains(team) || self.teams().any(|row| row.name == team && row.out.is_some());
        Solving::of(attempts, penalty, out)
    }

    /// What each team has of a problem with scores.
    fn cells(&self) -> HashMap<&str, ProblemCell> {
        let rows: HashMap<&str, &view::Row> = self.teams().map(|row| (&*row.name, row)).collect();
        let cell = |(team, of): (&'_ Name, &Team)| {
            let (own, all) = (self.of_team(of), rows.get(&**team));
            let row = all.filter(|row| row.out.is_none());
            let counts = row.and_then(|row| {
                let (number, at) = row.counts?;
                let counts = of.submissions.iter().position(|one| *one == number)?;
                let judged = own.get(counts)?.judged.as_ref()?;
                Some(Counting { score: judged.score, shown: judged.shown, at })
            });
            // The site's board shows the same.
            let pending = all.map_or(0, |row| row.pending);
            let judged = own.len().saturating_sub(pending);
            ProblemCell { place: row.and_then(|row| row.place), counts, judged, pending }
        };
        self.state.teams().iter().map(|(team, of)| (&**team, cell((team, of)))).collect()
    }

    /// The time of the last thing that the viewer knows of.
    fn latest(&self) -> Option<u64> {
        let submitted = self.state.submissions().iter().map(|(at, _)| *at).max();
        let ended = self.submissions.iter().filter_map(|bundle| Some(bundle.ended()?.0)).max();
        let (frozen, thawed) = self.state.froze_and_thawed();
        [submitted, ended, frozen, thawed].into_iter().flatten().max()
    }
}

impl Line<'_> {
    /// The sum of the scores, and when the last of them was reached; `None` without any.
    fn total(&self) -> (f64, Option<u64>) {
        let counts = self.cells.iter().filter_map(|cell| cell.counts);
        (sum(counts.clone().map(|counts| counts.score)), counts.filter_map(|counts| counts.reached()).max())
    }

    /// The sum of the scores as people read it.
    fn shown(&self) -> f64 {
        sum(self.cells.iter().filter_map(|cell| cell.counts).map(|counts| counts.shown))
    }
}

/// The sum of no floats is -0.0, which no reader expects.
fn sum(scores: impl Iterator<Item = f64>) -> f64 {
    scores.fold(0.0, |sum, score| sum + score)
}

/// The rows of a contest with scores.
fn scored(parts: &[Part<'_>], first: &State, version: Version) -> Vec<Value> {
    let mut cells: Vec<HashMap<&str, ProblemCell>> = parts.iter().map(Part::cells).collect();
    let mut lines = Vec::new();
    for team in first.teams().keys() {
        let cells = cells.iter_mut().map(|of_problem| of_problem.remove(&**team).unwrap_or_default());
        lines.push(Line { team, cells: cells.collect() });
    }
    let mut ranked: Vec<(usize, &Line<'_>)> = ranks(&lines).into_iter().zip(&lines).collect();
    ranked.sort_by_key(|(rank, line)| (*rank, line.team));
    let start = Schedule::of(first).start;
    // A problem that was not scored has no time, and neither has a sum of such.
    let with_time = |mut object: Value, at: Option<u64>, is_total: bool| {
        match at.map(|at| since(at, start, version)) {
            Some(time) => object["time"] = time,
            None if is_total && version == Version::V2026 => object["time"] = Value::Null,
            None => {}
        }
        object
    };
    let row = |(rank, line): (usize, &Line<'_>)| {
        let (_, at) = line.total();
        let total = with_time(json!({ "score": line.shown() }), at, true);
        let problem = |(part, cell): (&Part<'_>, &ProblemCell)| {
            let score = cell.counts.map_or(0.0, |counts| counts.shown);
            let at = cell.counts.and_then(|counts| counts.reached());
            let (judged, pending) = (cell.judged, cell.pending);
            let id = &part.app.part.id;
            let cell = json!({ "problem_id": id, "score": score, "num_judged": judged, "num_pending": pending });
            with_time(cell, at, false)
        };
        let problems: Vec<Value> = parts.iter().zip(&line.cells).map(problem).collect();
        json!({ "rank": rank, "team_id": team_id(line.team), "score": total, "problems": problems })
    };
    ranked.into_iter().map(row).collect()
}

/// The ranks of teams: with one problem those of its board, with several by the sum of the scores, then by the time at which it was
/// reached. Equal teams share a rank.
fn ranks(lines: &[Line<'_>]) -> Vec<usize> {
    if lines.iter().all(|line| line.cells.len() == 1) {
        let places: Vec<usize> = lines.iter().filter_map(|line| line.cells[0].place).collect();
        let rank = |line: &Line<'_>| {
            let better = |place: usize| places.iter().filter(|better| **better < place).count();
            1 + line.cells[0].place.map_or(places.len(), better)
        };
        return lines.iter().map(rank).collect();
    }
    let keys: Vec<(f64, Reverse<u64>)> =
        lines.iter().map(|line| (line.total().0, Reverse(line.total().1.unwrap_or(u64::MAX)))).collect();
    let rank = |key: &(f64, Reverse<u64>)| 1 + keys.iter().filter(|better| *better > key).count();
    keys.iter().map(rank).collect()
}

/// A time from the start: whole minutes before 2026-01.
fn since(at: u64, start: u64, version: Version) -> Value {
    let seconds = at.saturating_sub(start);
    match version {
        Version::V2023 => json!(seconds / 60),
        Version::V2026 => json!(duration(seconds)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(team: &'static str, cells: &[Option<(f64, u64)>]) -> Line<'static> {
        let counting = |&(score, at): &(f64, u64)| Counting { score, shown: score, at };
        let of =
            |counts: &Option<(f64, u64)>| ProblemCell { counts: counts.as_ref().map(counting), ..Default::default() };
        let cells = cells.iter().map(of).collect();
        Line { team, cells }
    }

    #[test]
    fn several_problems_are_ranked_by_the_sum_of_scores_then_by_when_it_was_reached() {
        let lines = [
            line("late", &[Some((10.0, 50)), Some((5.0, 90))]),
            line("early", &[Some((7.0, 20)), Some((8.0, 40))]),
            line("one", &[None, Some((14.0, 1))]),
            line("nothing", &[None, None]),
            line("zero", &[Some((0.0, 10)), None]),
            line("equal", &[Some((15.0, 40)), None]),
        ];
        assert_eq!(ranks(&lines), [3, 1, 4, 5, 5, 1]);
    }

    #[test]
    fn a_team_without_a_score_has_none_below_zero() {
        let score = line("nothing", &[None, None]).total().0;
        assert_eq!(json!(score).to_string(), "0.0");
    }

    #[test]
    fn one_problem_keeps_the_places_of_its_board() {
        let placed = |place| Line { team: "", cells: vec![ProblemCell { place, ..ProblemCell::default() }] };
        assert_eq!(ranks(&[placed(Some(4)), placed(None), placed(Some(2)), placed(Some(4))]), [2, 4, 1, 2]);
    }
}
