//! Lists of submissions.

use judge_contest::office::Feedback;
use judge_core::journal::ContestState;
use judge_office::state::{State, Submission};
use judge_office::submission_state::{SubmissionState, SubmissionStates};
use judge_office::view::judgements::{Judgements, is_of_matches};
use judge_office::view::{Viewer, letter};
use maud::{Markup, html};

use super::{foreign, scrolling, time};
use crate::verdicts::StateText;

/// A submission in a list.
pub(crate) struct Listed {
    /// The letter of its problem, if the contest has several.
    problem: Option<String>,
    pub(crate) number: u32,
    pub(crate) team: String,
    /// The time when it arrived.
    pub(crate) at: u64,
    pub(crate) file: String,
    pub(crate) words: StateText,
    /// True if it can change without an action.
    pub(crate) is_active: bool,
}

/// The submissions that the viewer may list, as rows.
pub(crate) fn rows<'a>(
    state: &'a State,
    contents: &'a ContestState,
    viewer: &Viewer,
    feedback: Feedback,
    listed: impl IntoIterator<Item = (u64, &'a Submission, SubmissionState)>,
) -> Vec<Listed> {
    let listed: Vec<_> = listed.into_iter().collect();
    let judgements = Judgements::new(state, contents, viewer);
    // The games of players have no end.
    let of_matches = is_of_matches(contents);
    let judged: Vec<&Submission> = listed.iter().map(|(_, one, _)| *one).filter(|_| !of_matches).collect();
    let mut ends = judgements.of(&judged).into_iter().map(|judgement| judgement?.ended);
    let row = |(at, submission, shown): (u64, &Submission, SubmissionState)| Listed {
        problem: letter_of(contents, submission),
        number: submission.number,
        team: submission.team.clone(),
        at,
        file: submission.file.to_string(),
        words: StateText::new(&shown, ends.next().flatten().map(|(_, end)| end), feedback),
        is_active: shown.is_active(),
    };
    listed.into_iter().map(row).collect()
}

/// The letter of a submission's problem, if there are several.
pub(crate) fn letter_of(contents: &ContestState, submission: &Submission) -> Option<String> {
    let problems = &contents.plan.problems;
    let index = problems.iter().position(|problem| problem.id == submission.problem);
    index.filter(|_| problems.len() > 1).map(letter)
}

/// The submissions of a team, newest first.
pub(crate) fn of_team(state: &State, contents: &ContestState, team: &str, feedback: Feedback) -> Vec<Listed> {
    let viewer = Viewer::Team(team.to_owned());
    let own = state.teams().get(team).map_or(Vec::new(), |team| state.in_order_of_arrival(team));
    let states = SubmissionStates::new(&viewer, state, contents);
    let own = own.into_iter().rev().filter_map(|number| state.submission(number));
    rows(state, contents, &viewer, feedback, own.map(|(at, submission)| (at, submission, states.of(submission))))
}

/// Renders rows in their order. The columns of problem and team can be left out.
pub(crate) fn list(rows: &[Listed], with_team: bool) -> Markup {
    let with_problem = rows.iter().any(|row| row.problem.is_some());
    html! {
        @if rows.is_empty() { p { "Nothing was submitted yet." } }
        @else {
            (scrolling("Submissions", &html! {
                @if with_problem { th scope="col" { "problem" } }
                th scope="col" class="figure" { "number" }
                @if with_team { th scope="col" { "team" } }
                th scope="col" { "verdict" }
                th scope="col" { "time" }
                th scope="col" { "file" }
            }, &html! {
                @for row in rows {
                    tr {
                        @if with_problem { td { @if let Some(letter) = &row.problem { (letter) } } }
                        th scope="row" class="figure" { a href={ "submissions/" (row.number) } { (row.number) } }
                        @if with_team { td class="name" { (foreign(&row.team)) } }
                        td { (row.words.markup()) }
                        td { (time(row.at)) }
                        td class="name" { (foreign(&row.file)) }
                    }
                }
            }))
        }
    }
}
