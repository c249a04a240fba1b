//! The declaration of what decides the places of a table, as in its file.

use std::fmt;

use judge_job::Count;
use serde::{Deserialize, Serialize};

use crate::plan::RankKey;
use crate::results::Results;
use crate::scoring::Scoring;

/// The facts that turn the cells and totals of a table into places, by rule 59 of docs/scoring.md. It is JSON in one row of the
/// table.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declaration {
    /// The complete list of figures that decide places, most important first; empty if the results do not contain it.
    pub(super) ranking: Vec<RankKey>,
    /// The progress that solves each board, in their order, or one number for all. `None` for a board whose goal is unknown, or
    /// in the declared figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    goals: Vec<Option<u64>>,
    /// The figures; `None` if an answer is accepted or not, which the columns show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) scoring: Option<Scoring>,
    /// The group of each board, in their order; empty without groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) groups: Vec<Option<String>>,
}

impl Declaration {
    /// The declaration of results; `None` if they contain neither a ranking nor figures.
    pub(super) fn from_results(results: &Results) -> Option<Self> {
        if results.ranking.is_empty() && results.scoring.accepts() {
            return None;
        }
        let goal = |board: usize| results.rows.iter().find_map(|row| row.cells[board].full);
        let goal = |board: usize| u64::try_from(goal(board)?.units()).ok();
        let mut goals: Vec<Option<u64>> = (0..results.boards.len()).map(goal).collect();
        if let [first, rest @ ..] = &goals[..]
            && rest.iter().all(|goal| goal == first)
        {
            goals = first.iter().map(|goal| Some(*goal)).collect();
        }
        let groups = results.boards.iter().map(|board| board.group.as_deref().map(str::to_owned));
        Some(Self {
            ranking: results.ranking.clone(),
            goals,
            scoring: (!results.scoring.accepts()).then(|| Scoring::clone(&results.scoring)),
            groups: if results.boards.iter().any(|board| board.group.is_some()) {
                groups.collect()
            } else {
                Vec::new()
            },
        })
    }

    /// Reads the declaration of a table. The error is a fragment.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Tests whether it fits a table with these figures and this many boards. The error is a fragment.
    pub(super) fn fits(&self, scoring: &Scoring, boards: usize) -> Result<(), String> {
        let read = self;
        for key in &read.ranking {
            RankKey::read(key.name(), scoring).map_err(|error| format!("ranking: {error}"))?;
        }
        if let Some(goal) = read.goals.iter().flatten().find(|goal| goal.to_string().parse::<Count>().is_err()) {
            return Err(format!("goals: {goal} is too large"));
        }
        if !matches!(read.goals.len(), 0 | 1) && read.goals.len() != boards {
            let given = read.goals.len();
            return Err(format!("goals: {given} numbers for {boards} boards; give one, or one per board"));
        }
        if !read.groups.is_empty() && read.groups.len() != boards {
            return Err(format!("groups: {} names for {boards} boards", read.groups.len()));
        }
        Ok(())
    }

    /// The progress that solves a board, by its index.
    pub(super) fn goal(&self, board: usize) -> Option<u64> {
        match self.goals.as_slice() {
            [all] => *all,
            goals => goals.get(board).copied().flatten(),
        }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}
