//! The rows of a contest of accepted answers, by the rules of the ICPC: more problems solved, then less time with penalties, then
//! an earlier last solution. The first accepted submission of a team solves the problem, whatever it submits later.

use std::cmp::Reverse;

use judge_office::view::judgements::Outcome;
use serde_json::{Value, json};

use super::super::times::duration;
use super::super::version::Version;

/// What a team has solved of a problem.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Solving {
    /// The minute of the first accepted submission, and the time of the problem with the penalties; `None` if there is none.
    solved: Option<(u64, u64)>,
    judged: usize,
    pending: usize,
}

impl Solving {
    /// From the submissions of a team, oldest first: the minute of each, and its end if that is known. A team that is `out`
    /// solves nothing.
    pub(super) fn of(attempts: impl IntoIterator<Item = (u64, Option<Outcome>)>, penalty: u64, out: bool) -> Self {
        let (mut solving, mut rejected) = (Self::default(), 0);
        for (minute, end) in attempts {
            let Some(end) = end else {
                solving.pending += 1;
                continue;
            };
            solving.judged += 1;
            rejected += u64::from(end.is_rejected());
            if end == Outcome::Accepted && !out {
                solving.solved = Some((minute, minute + penalty * rejected));
                break;
            }
        }
        solving
    }
}

/// The rows, by rank and then by name, of teams with what they solved of each problem. Teams with the same figures share a rank.
pub(super) fn rows(mut teams: Vec<(String, Vec<(String, Solving)>)>, version: Version) -> Vec<Value> {
    let key = |problems: &[(String, Solving)]| {
        let solved = || problems.iter().filter_map(|(_, solving)| solving.solved);
        let total: u64 = solved().map(|(_, total)| total).sum();
        (Reverse(solved().count()), total, solved().map(|(last, _)| last).max().unwrap_or(0))
    };
    teams.sort_by(|(one, a), (other, b)| (key(a), one).cmp(&(key(b), other)));
    let problem = |(problem, solving): &(String, Solving)| {
        let mut json = json!({
            "problem_id": problem,
            "num_judged": solving.judged,
            "num_pending": solving.pending,
            "solved": solving.solved.is_some(),
        });
        if let Some((minute, _)) = solving.solved {
            json["time"] = time(minute, version);
        }
        json
    };
    let row = |(team, problems): &(String, Vec<(String, Solving)>)| {
        let rank = 1 + teams.iter().filter(|(_, better)| key(better) < key(problems)).count();
        let (Reverse(solved), total, last) = key(problems);
        let mut score = json!({ "num_solved": solved, "total_time": time(total, version) });
        if solved > 0 {
            score["time"] = time(last, version);
        } else if version == Version::V2026 {
            score["time"] = Value::Null;
        }
        let problems: Vec<Value> = problems.iter().map(problem).collect();
        json!({ "rank": rank, "team_id": team, "score": score, "problems": problems })
    };
    teams.iter().map(row).collect()
}

/// Whole minutes, as a number before 2026-01.
fn time(minutes: u64, version: Version) -> Value {
    match version {
        Version::V2023 => json!(minutes),
        Version::V2026 => json!(duration(minutes * 60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Accepted, Cancelled, Compile, Judge, TimeLimit, Wrong};

    #[test]
    fn rejected_submissions_before_the_first_accepted_one_cost_time() {
        let attempts = [
            (3, Some(Compile)),
            (5, Some(Wrong)),
            (6, Some(Judge)),
            (7, None),
            (9, Some(TimeLimit)),
            (10, Some(Cancelled)),
            (12, Some(Accepted)),
            (13, Some(Wrong)),
            (14, None),
            (15, Some(Accepted)),
        ];
        let solving = Solving::of(attempts, 20, false);
        assert_eq!(solving, Solving { solved: Some((12, 52)), judged: 6, pending: 1 });
        let out = Solving::of(attempts, 20, true);
        assert_eq!((out.solved, out.judged, out.pending), (None, 8, 2), "a team that is out solves nothing");
        assert_eq!(Solving::of(attempts[..5].to_vec(), 20, false).solved, None);
    }

    #[test]
    fn ranks_after_total_time_then_last_solution_are_shared() {
        let solved = |minute, total| Solving { solved: Some((minute, total)), judged: 1, pending: 0 };
        let teams = [
            ("none", Solving::default()),
            ("late", solved(40, 40)),
            ("early", solved(20, 40)),
            ("first", solved(30, 30)),
            ("equal", solved(20, 40)),
            ("nothing", Solving { judged: 3, ..Solving::default() }),
        ];
        let teams = teams.map(|(team, solving)| (team.to_owned(), vec![("p".to_owned(), solving)])).to_vec();
        let rows = rows(teams, Version::V2026);
        let ranks: Vec<_> =
            rows.iter().map(|row| (row["rank"].as_u64().unwrap(), row["team_id"].as_str().unwrap())).collect();
        assert_eq!(ranks, [(1, "first"), (2, "early"), (2, "equal"), (4, "late"), (5, "none"), (5, "nothing")]);
        assert_eq!(rows[1]["score"], json!({ "num_solved": 1, "total_time": "0:40:00.000", "time": "0:20:00.000" }));
        assert_eq!(rows[5]["score"], json!({ "num_solved": 0, "total_time": "0:00:00.000", "time": null }));
    }

    #[test]
    fn who_has_solved_more_problems_is_before_who_was_quicker() {
        let solved = |minute| Solving { solved: Some((minute, minute)), judged: 1, pending: 0 };
        let none = Solving::default();
        let of = |team: &str, a, b| (team.to_owned(), vec![("a".to_owned(), a), ("b".to_owned(), b)]);
        let rows = rows(
            vec![of("quick", solved(1), none), of("both", solved(100), solved(90)), of("slow", none, solved(2))],
            Version::V2023,
        );
        let ranks: Vec<_> =
            rows.iter().map(|row| (row["rank"].as_u64().unwrap(), row["team_id"].as_str().unwrap())).collect();
        assert_eq!(ranks, [(1, "both"), (2, "quick"), (3, "slow")]);
        assert_eq!(rows[0]["score"], json!({ "num_solved": 2, "total_time": 190, "time": 100 }));
        assert_eq!(
            rows[1]["problems"][1],
            json!({ "problem_id": "b", "num_judged": 0, "num_pending": 0, "solved": false })
        );
    }
}
