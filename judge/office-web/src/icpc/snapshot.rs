//! What a viewer of the event feed sees, made from the office and the results.

use std::sync::{Arc, Mutex};

use axum::response::Response;
use judge_contest::office::Feedback;
use judge_core::journal::Contents;
use judge_office::state::{State, Submission};
use judge_office::view::Viewer;
use judge_office::view::judgements::{Judgements, is_pass_fail};

use super::answers::blocking;
use super::callers::Caller;
use super::feed::{self, Bundle, Feed, Form, Judged, Snapshot};
use super::object::{Kind, Object};
use super::objects::{self, HIDDEN, Seen};
use super::schedule::{Phase, Schedule};
use super::scoreboard as board;
use super::version::Version;
use crate::app::App;

/// Looks into the feed of a caller, with everything that has happened until now.
pub(super) async fn look<T: Send + 'static>(
    app: &Arc<App>,
    caller: &Caller,
    version: Version,
    look: impl FnOnce(&App, &mut Feed) -> T + Send + 'static,
) -> Result<T, Response> {
    let (viewer, state) = (caller.viewer(), caller.state.clone());
    blocking(app, move |app| look_into(app, &viewer, version, state, |feed| look(app, feed)).0).await
}

/// Looks into the feed of a viewer, with everything that has happened until now. While the caller has it, it is kept.
pub(super) fn look_into<T>(
    app: &App,
    viewer: &Viewer,
    version: Version,
    state: Arc<State>,
    look: impl FnOnce(&mut Feed) -> T,
) -> (T, Arc<Mutex<Feed>>) {
    let feed = app.feeds.of(app.office.now(), viewer, version);
    let phase = Phase::at(&state, app.office.now());
    let seen = (state, app.conduct.contents(), phase);
    let mut looked = feed::lock(&feed);
    looked.begin(seen, |(state, contents, _), before| of(app, viewer, version, state, contents, before));
    let found = look(&mut looked);
    looked.end();
    drop(looked);
    (found, feed)
}

/// The scoreboard of the snapshot that a feed has.
pub(super) fn scoreboard(app: &App, feed: &mut Feed, viewer: &Viewer, version: Version) -> String {
    feed.scoreboard(|(state, contents, _), Snapshot { submissions, status, .. }| {
        board::text(app, state, contents, viewer, version, submissions, status)
    })
}

/// The snapshot after another one, of which it keeps what has not changed.
fn of(app: &App, viewer: &Viewer, version: Version, state: &State, contents: &Contents, before: &Snapshot) -> Snapshot {
    let judgements = Judgements::new(state, contents, viewer);
    let marks: Vec<u64> = state.submissions().iter().map(|(_, submission)| judgements.mark(submission)).collect();
    let changed = |at: &usize| before.submissions.get(*at).is_none_or(|bundle| bundle.mark != marks[*at]);
    let changed: Vec<usize> = (0..marks.len()).filter(changed).collect();
    let (start, contest) = (Schedule::of(state).start, objects::contest_id(app));
    let scores = !is_pass_fail(contents);
    let own = |submission: &Submission| match viewer {
        Viewer::Organiser => true,
        Viewer::Team(team) => *team == submission.team,
        Viewer::Public => false,
    };
    let form = Form { feedback: feedback(app, state, viewer, false), start, scores };
    // What another viewer sees alike is there already.
    let known = |&at: &usize| {
        let submission = &state.submissions()[at].1;
        if own(submission) { None } else { app.feeds.alike(form, submission.number, marks[at]) }
    };
    let mut made: Vec<Option<Arc<Bundle>>> = changed.iter().map(known).collect();
    let missing: Vec<usize> = (0..changed.len()).filter(|&place| made[place].is_none()).collect();
    let wanted: Vec<_> = missing.iter().map(|&place| &state.submissions()[changed[place]].1).collect();
    for (&place, judged) in missing.iter().zip(judgements.of(&wanted)) {
        let (time, submission) = &state.submissions()[changed[place]];
        let own = own(submission);
        let language = judgements.sees(submission).then(|| language(app, submission));
        let feedback = feedback(app, state, viewer, own);
        let seen = Seen { own, language: language.as_deref(), feedback, start, contest: &contest, scores };
        let judgement = judged.as_ref().map(|judged| {
            let (begun, runs, now) = objects::judgement(submission.number, judged, seen);
            Judged { begun, runs, now }
        });
        let shown = objects::submission(*time, submission, seen);
        let bundle = Arc::new(Bundle { mark: marks[changed[place]], submission: shown, judgement, judged });
        if !own {
            app.feeds.share(form, submission.number, &bundle);
        }
        made[place] = Some(bundle);
    }
    let mut submissions = before.submissions.clone();
    for (at, bundle) in changed.into_iter().zip(made.into_iter().flatten()) {
        match submissions.get_mut(at) {
            Some(known) => *known = bundle,
            None => submissions.push(bundle),
        }
    }
    let status = objects::state(state, app.office.now());
    Snapshot {
        fixed: objects::fixed(app, state, contents, version),
        submissions,
        clarifications: objects::clarifications(state, viewer, version, start),
        state: Some(Object::new(Kind::State, None, &status)),
        status,
    }
}

/// The code of the language of a submission. One whose upload cannot be read now is asked about again.
fn language(app: &App, submission: &Submission) -> Arc<str> {
    let known = app.feeds.language(submission.number, || app.office.language_of(submission).ok());
    known.unwrap_or_else(|| HIDDEN.into())
}

/// How much a viewer sees of a submission: what teams do not see of their own, others do not see of it either.
fn feedback(app: &App, state: &State, viewer: &Viewer, own: bool) -> Feedback {
    match (viewer, app.feedback(state)) {
        (Viewer::Organiser, _) | (_, Feedback::Full) => Feedback::Full,
        (_, feedback) if own => feedback,
        _ => Feedback::Score,
    }
}
