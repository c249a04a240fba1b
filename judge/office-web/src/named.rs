//! The problems of the contest, with their names for people and clients.

use judge_core::journal::ContestState;
use judge_core::plan::Problem;
use judge_core::text::unknown;
use judge_office::state::Submission;
use judge_office::view;

use crate::app::App;

/// A problem of the contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// Its identifier in the office and the results; empty if it is the only problem.
    pub(crate) key: String,
    /// Its identifier for clients. The only problem has the identifier of the contest.
    pub(crate) id: String,
    pub(crate) letter: String,
    /// Its title.
    pub(crate) name: String,
}

impl Named {
    /// The letter and the title.
    pub(crate) fn title(&self) -> String {
        format!("{}: {}", self.letter, self.name)
    }
}

/// All problems in their order.
pub(crate) fn all(app: &App, contents: &ContestState) -> Vec<Named> {
    let plan = &contents.plan;
    let named = |(index, problem): (usize, &Problem)| {
        let (key, letter) = (problem.id.clone(), view::letter(index));
        let id = if key.is_empty() { app.id.clone() } else { key.clone() };
        let name = match (problem.name.is_empty(), key.is_empty()) {
            (false, _) => problem.name.clone(),
            (true, true) => plan.name.clone(),
            (true, false) => key.clone(),
        };
        Named { key, id, letter, name }
    };
    plan.problems.iter().enumerate().map(named).collect()
}

/// The identifier for clients of a submission's problem.
pub(crate) fn id_of(app: &App, submission: &Submission) -> String {
    if submission.problem.is_empty() { app.id.clone() } else { submission.problem.clone() }
}

/// The problem with a letter, or an identifier for clients. An empty text means the only problem.
///
/// # Errors
/// The reason, with the names of all problems.
pub(crate) fn find(app: &App, contents: &ContestState, named: &str) -> Result<Named, String> {
    let all = all(app, contents);
    if let ([only], true) = (&all[..], named.is_empty()) {
        return Ok(only.clone());
    }
    let found = all.iter().find(|problem| problem.id == named);
    found.or_else(|| all.iter().find(|problem| problem.letter == named)).cloned().ok_or_else(|| {
        match named.is_empty() {
            true => {
                let ids: Vec<String> = all.iter().map(|problem| format!("`{}`", problem.id)).collect();
                format!("name the problem; this contest has {}", ids.join(", "))
            }
            false => unknown("problem", named, all.iter().map(|problem| &*problem.id)),
        }
    })
}
