//! The state of the judging, for the organiser: waiting and stuck submissions, with the reasons.

use judge_core::journal::ContestState;
use judge_core::text::printable;
use judge_job::count_text;
use judge_office::state::State;
use judge_office::stuck;
use judge_office::submission_state::{SubmissionState, SubmissionStates};
use judge_office::view::Viewer;
use maud::{Markup, html};

use super::foreign;
use crate::app::App;

/// The most judge errors that are shown per submission.
const MAX_REASONS: usize = 3;

/// The state of the judging.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Judging {
    /// The reason why nothing is judged, as a fragment.
    pub(crate) stopped: Option<String>,
    /// How runs are isolated less than earlier ones, as a fragment.
    pub(crate) lost: Option<String>,
    /// True if the disk is so full that nothing is accepted.
    pub(crate) full: bool,
    /// The submissions with judge errors: the number and the entry of each, and the reasons.
    pub(crate) stuck: Vec<(u32, String, Vec<String>)>,
    /// The submissions that the organiser holds: number, entry and reason.
    pub(crate) held: Vec<(u32, String, String)>,
    /// Notices about the contest for the organiser.
    pub(crate) notices: Vec<String>,
}

impl Judging {
    pub(crate) fn of(app: &App, state: &State, contents: &ContestState) -> Self {
        let mut judging = Self {
            stopped: app.judging.stop_reason(),
            lost: app.judging.isolated().and_then(|isolated| isolated.lost),
            full: app.is_full(),
            notices: app.judging.notices(),
            ..Self::default()
        };
        for (_, submission, shown) in SubmissionStates::new(&Viewer::Organiser, state, contents).all() {
            match shown {
                SubmissionState::Stuck => {
                    let reasons = stuck::reasons(submission, contents);
                    judging.stuck.push((submission.number, submission.entry(), reasons));
                }
                SubmissionState::Held(because) => judging.held.push((submission.number, submission.entry(), because)),
                _ => {}
            }
        }
        judging
    }

    /// Renders the problems.
    pub(crate) fn markup(&self) -> Markup {
        let link = |number: u32, entry: &str| html! { a href={ "submissions/" (number) } { (foreign(entry)) } };
        html! {
            @if let Some(reason) = &self.stopped {
                p class="refused" role="alert" { "Judging has stopped and is tried again: " (foreign(reason)) "." }
            }
            @if let Some(lost) = &self.lost {
                p class="refused" role="alert" { "Judging goes on, as the contest file allows it: " (printable(lost)) "." }
            }
            @if self.full {
                p class="refused" role="alert" { "The disk is full: nothing is accepted from teams until space is free." }
            }
            @if !self.stuck.is_empty() {
                p class="refused" role="alert" {
                    "The judge failed on " (count_text(self.stuck.len(), "submission", "submissions")) " as often as it may. Look "
                    "at the reason, correct it, and release the submission."
                }
                ul {
                    @for (number, entry, reasons) in &self.stuck {
                        li {
                            (link(*number, entry))
                            @for reason in reasons.iter().take(MAX_REASONS) { ", " (foreign(reason)) }
                            @if reasons.len() > MAX_REASONS { ", and " (reasons.len() - MAX_REASONS) " more" }
                        }
                    }
                }
            }
            @if !self.held.is_empty() {
                p { "Held by an organiser:" }
                ul {
                    @for (number, entry, because) in &self.held {
                        li { (link(*number, entry)) @if !because.is_empty() { ", " (foreign(because)) } }
                    }
                }
            }
            @for notice in &self.notices { p { "Notice: " (printable(notice)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stuck_is_said_with_its_reason() {
        let reasons = |number: usize| (1..=number).map(|at| format!("X{at}: no referee")).collect::<Vec<_>>();
        for (judging, says) in [
            (Judging::default(), ""),
            (
                Judging { stopped: Some("the disk <b>".into()), ..Judging::default() },
                "tried again: <bdi>the disk &lt;b&gt;</bdi>.",
            ),
            (
                Judging { stuck: vec![(7, "ada.7".into(), reasons(5))], ..Judging::default() },
                "<a href=\"submissions/7\"><bdi>ada.7</bdi></a>, <bdi>X1: no referee</bdi>, <bdi>X2: no \
                 referee</bdi>, <bdi>X3: no referee</bdi>, and 2 more",
            ),
            (
                Judging { held: vec![(3, "bob.3".into(), "wait".into())], ..Judging::default() },
                "<bdi>bob.3</bdi></a>, <bdi>wait</bdi>",
            ),
            (Judging { full: true, ..Judging::default() }, "disk is full"),
        ] {
            let markup = judging.markup().into_string();
            assert!(markup.contains(says) && markup.is_empty() == says.is_empty(), "{judging:?}: {markup}");
        }
    }
}
