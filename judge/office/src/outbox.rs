//! Events that are passed to the organiser's command. They follow from the office's log and the contest's journal, so each
//! has a permanent name.

use judge_core::date::Date;
use judge_core::journal::ContestState;
use serde::Serialize;

use crate::state::State;
use crate::submission_state::{SubmissionState, SubmissionStates};
use crate::view::Viewer;

/// An event that is passed to the command for news.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its unique name.
    pub name: String,
    /// The event as one JSON object.
    pub json: String,
}

#[derive(Serialize)]
struct Json<'a> {
    event: &'a str,
    /// `message`, `times`, `round`, `board`, `result` or `final`.
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Date>,
    /// The team that asks, or that reads the text; `None` for everyone.
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<String>,
    text: String,
}

/// Lists the events of the whole contest up to now, oldest first. Equal events have equal names in each call.
pub fn events(state: &State, contents: &ContestState) -> Vec<Event> {
    let mut events = Vec::new();
    let mut add = |json: Json<'_>| {
        let text = serde_json::to_string(&json).expect("plain data has a JSON form");
        events.push(Event { name: json.event.to_owned(), json: text });
    };
    for (at, message) in state.messages().iter() {
        let event = format!("message-{}", message.number);
        let team = message.from.as_deref().or(message.to.as_deref());
        let (at, text) = (Some(Date::from_unix(*at)), message.text.to_string());
        add(Json { event: &event, kind: "message", at, team, entry: None, text });
    }
    for ((at, because), number) in state.extensions().iter().zip(1..) {
        let (event, at) = (format!("times-{number}"), Some(Date::from_unix(*at)));
        add(Json { event: &event, kind: "times", at, team: None, entry: None, text: because.clone() });
    }
    for (at, round) in state.published() {
        let (event, text) = (format!("round-{round}"), format!("the results of round {round} are public"));
        add(Json { event: &event, kind: "round", at: Some(Date::from_unix(*at)), team: None, entry: None, text });
    }
    let (froze, thawed) = state.froze_and_thawed();
    for (at, text) in [(froze, "frozen"), (thawed, "thawed")] {
        if let Some(at) = at {
            let (event, at) = (format!("board-{text}-{at}"), Some(Date::from_unix(at)));
            add(Json { event: &event, kind: "board", at, team: None, entry: None, text: text.into() });
        }
    }
    for (_, submission, shown) in SubmissionStates::new(&Viewer::Organiser, state, contents).all() {
        if matches!(
            shown,
            SubmissionState::Counts
                | SubmissionState::Superseded { .. }
                | SubmissionState::Unbuildable(_)
                | SubmissionState::Stuck
                | SubmissionState::Out(_)
        ) {
            let event = format!("result-{}", submission.number);
            // It may count or not later, but stays judged.
            let text = match shown {
                SubmissionState::Counts | SubmissionState::Superseded { .. } => "judged".to_owned(),
                other => other.to_string().chars().take(MAX_TEXT).collect(),
            };
            let (team, entry) = (Some(submission.team.as_str()), Some(submission.entry()));
            add(Json { event: &event, kind: "result", at: None, team, entry, text });
        }
    }
    for ((at, because), number) in state.reopened().iter().zip(1..) {
        let (event, at) = (format!("reopened-{number}"), Some(Date::from_unix(*at)));
        let text = format!("the results are not final any more: {because}");
        add(Json { event: &event, kind: "final", at, team: None, entry: None, text });
    }
    if let Some(at) = state.finalised() {
        let (at, text) = (Some(Date::from_unix(at)), "the results are final".into());
        let event = match state.finalisations() {
            ..=1 => "final".to_owned(),
            again => format!("final-{again}"),
        };
        add(Json { event: &event, kind: "final", at, team: None, entry: None, text });
    }
    events
}

/// The most characters of a reason.
const MAX_TEXT: usize = 1000;
