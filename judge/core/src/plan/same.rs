//! Runs that are the same under two plans of a contest.

use std::collections::{HashMap, HashSet};

use super::{Board, Entry, Plan, Problem};
use crate::key::{Name, RunKey};
use crate::shared::Shared;

/// The runs of a plan that are the same under another plan. The same program is executed on the same board, under the same
/// limits, and the answer is judged in the same way. Facts for people, the ranking, and other entries and boards do not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SameRuns {
    entries: HashSet<Name>,
    boards: HashSet<Name>,
    /// Numbers of the rounds whose limit differs.
    other_rounds: HashSet<u32>,
    /// The entries and problems whose limits differ.
    other_limits: HashSet<(Name, Name)>,
}

impl SameRuns {
    /// The runs that both plans have.
    pub fn between(one: &Plan, other: &Plan) -> Self {
        let common = one.match_rules == other.match_rules
            && one.scoring == other.scoring
            && one.isolation == other.isolation
            && one.readable == other.readable;
        if !common {
            return Self::default();
        }
        let entries = other.entries_by_name();
        let boards: HashMap<&str, &Board> = other.boards.iter().map(|board| (&*board.name, board)).collect();
        let same_entry = |entry: &&Shared<Entry>| {
            let found = entries.get(&*entry.name);
            found.is_some_and(|found| entry.runs_like(found))
        };
        let problem = |board: &Board| Some((one.problems.of(&board.name)?, other.problems.of(&board.name)?));
        let same_problem = |board: &Board| problem(board).is_some_and(|(one, other)| one.judges_like(other));
        let same_board = |board: &&Board| {
            boards.get(&*board.name).is_some_and(|found| board.is_judged_like(found)) && same_problem(board)
        };
        let problems = || one.problems.iter().filter_map(|known| Some((known, other.problems.with_id(&known.id)?)));
        let other_limits = one.entries.iter().flat_map(|entry| {
            let found = entries.get(&*entry.name).copied();
            let differ = move |(one, other): &(&Problem, &Problem)| {
                found.is_some_and(|found| one.limits_of(entry) != other.limits_of(found))
            };
            let name = || Name::from(&*entry.name);
            problems().filter(differ).map(|(problem, _)| (name(), Name::from(&*problem.id))).collect::<Vec<_>>()
        });
        let limit = |plan: &Plan, round| plan.round_plan(round).and_then(|round| round.wall_ms);
        let rounds = 1..=u32::try_from(one.rounds.len().max(other.rounds.len())).unwrap_or(u32::MAX);
        Self {
            entries: one.entries.iter().filter(same_entry).map(|entry| Name::from(&*entry.name)).collect(),
            boards: one.boards.iter().filter(same_board).map(|board| Name::from(&*board.name)).collect(),
            other_limits: other_limits.collect(),
            other_rounds: rounds.filter(|&round| limit(one, round) != limit(other, round)).collect(),
        }
    }

    /// Tests whether a run is among them.
    pub fn has(&self, key: &RunKey) -> bool {
        let other = |seat: &Name| {
            !self.other_limits.is_empty() && self.other_limits.contains(&(seat.clone(), Name::from(key.problem())))
        };
        key.seats().all(|seat| self.entries.contains(seat) && !other(seat))
            && self.boards.contains(&key.board)
            && !self.other_rounds.contains(&key.round)
    }

    /// Removes the runs of all unwanted entries.
    #[must_use]
    pub fn with_entries(mut self, wanted: impl Fn(&str) -> bool) -> Self {
        self.entries.retain(|entry| wanted(entry));
        self
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]
    use super::*;
    use serde_json::json;

    /// A plan of rounds with these limits, each with one board.
    fn plan(limits: &[Option<u64>]) -> Plan {
        let usual = json!({"wall_ms": 1000, "grace_ms": 0, "cpu_ms": null, "memory_bytes": null, "processes": null,
                           "output_bytes": 9, "scratch_bytes": null, "cores": 1});
        let names = ["A", "B", "C"];
        let boards: Vec<_> = names.iter().map(|name| json!({"name": name, "text": name})).collect();
        let round = |(limit, name): (&Option<u64>, &str)| json!({"name": name, "boards": [name], "wall_ms": limit, "tie_on": ["progress"]});
        let rounds: Vec<_> = limits.iter().zip(names).map(round).collect();
        serde_json::from_value(json!({
            "name": "test", "game": "loyd", "rules": {}, "limits": usual, "ranking": ["progress"], "boards": boards,
            "rounds": rounds, "entries": [{"name": "a", "command": ["a"], "competing": true}],
        }))
        .unwrap()
    }

    #[test]
    fn runs_of_a_round_with_another_limit_are_others() {
        let before = plan(&[None, Some(5000), Some(7000)]);
        let has = |after: &Plan| {
            let same = SameRuns::between(&before, after);
            [(1, "A"), (2, "B"), (3, "C")].map(|(round, board)| same.has(&RunKey::new(round, "a", board)))
        };
        assert_eq!(has(&before), [true; 3]);
        assert_eq!(has(&plan(&[None, Some(6000), Some(7000)])), [true, false, true]);
        assert_eq!(has(&plan(&[None, None, Some(7000)])), [true, false, true]);
        // A round that only one plan has.
        assert_eq!(has(&plan(&[None, Some(5000)])), [true, true, false]);
        assert_eq!(has(&plan(&[Some(1), Some(5000), Some(7000)])), [false, true, true]);
    }
}
