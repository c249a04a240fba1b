//! The settings of a contest that can change.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use judge_job::{IsolationMode, Limits};

use crate::plan::{DisplayInfo, Plan, Problem, RankKey, RoundPlan};

/// All parts of a plan that can change during a contest, except its boards and entries themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Settings {
    /// Title of the contest, for people only.
    pub name: String,
    /// Limits of a run, unless its round or entry sets others; `None` if the problems have identifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// The titles and limits of the problems by their identifiers; empty if the only problem has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub problems: BTreeMap<String, ProblemSettings>,
    /// Isolation that the contest requires for entries.
    pub isolation: IsolationMode,
    /// Files and folders that every entry may read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<String>,
    /// The figures that decide places.
    pub ranking: Vec<RankKey>,
    /// Runs of each entry on each board.
    pub repeat: u32,
    /// The rounds in their order; empty for a contest with a single round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<RoundPlan>,
    /// Parts that are only shown.
    #[serde(default)]
    pub shown: DisplayInfo,
    /// Names of the boards in the order of the contest file.
    pub boards: Vec<String>,
    /// Names of the entries in the order of the contest file.
    pub entries: Vec<String>,
    /// The organiser's comment on the contest; `None` for no change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The changes, as fragments for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
}

/// All parts of a problem that can change during a contest, except its boards and its referee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemSettings {
    /// Its title, for people only; empty if the identifier is the title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Limits of a run, unless its round or entry sets others.
    pub limits: Limits,
}

impl Settings {
    /// The settings of a plan.
    pub fn from_plan(plan: &Plan) -> Self {
        let Plan { name, problems, isolation, readable, ranking, repeat, rounds, shown, .. } = plan.clone();
        let limits = (!problems.are_named()).then(|| problems.only().limits);
        let of = |Problem { name, limits, .. }: &Problem| ProblemSettings { name: name.clone(), limits: *limits };
        let named = problems.iter().filter(|problem| !problem.id.is_empty());
        let problems = named.map(|problem| (problem.id.clone(), of(problem))).collect();
        let boards = plan.boards.iter().map(|board| board.name.clone()).collect();
        let entries = plan.entries.iter().map(|entry| entry.name.clone()).collect();
        let (comment, reasons) = (None, Vec::new());
        Self {
            name,
            limits,
            problems,
            isolation,
            readable,
            ranking,
            repeat,
            rounds,
            shown,
            boards,
            entries,
            comment,
            reasons,
        }
    }
}
