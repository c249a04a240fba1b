//! The snapshot of a viewer of the event feed, computed from the office and the results.

use std::sync::{Arc, Mutex};

use axum::response::Response;
use judge_contest::office::Feedback;
use judge_core::journal::ContestState;
use judge_office::OfficeError;
use judge_office::state::{State, Submission};
use judge_office::view::Viewer;
use judge_office::view::judgements::{Judgements, is_pass_fail};

use super::answers::{blocking, internal};
use super::asked::Asked;
use super::bundle::{Bundle, Judged, Snapshot};
use super::feed::{self, Feed, Form, SnapshotInput as Moment};
use super::object::{Kind, Object};
use super::objects::{self, HIDDEN, SubmissionAccess};
use super::schedule::{Phase, Schedule};
use super::scoreboard as board;
use super::version::Version;
use crate::app::App;
use crate::named;
use crate::site::Site;

/// Uses the feed of a caller, updated with all changes until now.
pub(super) async fn look<T: Send + 'static>(
    Asked { site, caller, version, .. }: &Asked,
    look: impl FnOnce(&Site, &mut Feed) -> T + Send + 'static,
) -> Result<T, Response> {
    let (viewer, version) = (caller.viewer(), *version);
    let looked = blocking(site, move |site| look_into(site, &viewer, version, |feed| look(site, feed)));
    looked.await?.map(|(found, _)| found).map_err(|error| internal(&error))
}

/// Uses the feed of a viewer, updated with all changes until now. The returned feed is kept while it has an owner.
pub(super) fn look_into<T>(
    site: &Site,
    viewer: &Viewer,
    version: Version,
    look: impl FnOnce(&mut Feed) -> T,
) -> Result<(T, Arc<Mutex<Feed>>), OfficeError> {
    let now = site.app().office.now();
    let feed = site.feeds.of(now, viewer, version);
    let state = site.app().state()?;
    let phase = Phase::at(&state, now);
    let seen: Moment = (state, site.app().open_contest.contents(), phase);
    let mut looked = feed::lock(&feed);
    looked.begin(seen, |seen, before| snapshot(site, viewer, version, seen, before));
    let found = look(&mut looked);
    looked.end();
    drop(looked);
    Ok((found, feed))
}

/// The scoreboard of a feed's snapshot, of all teams or a group.
pub(super) fn scoreboard(
    site: &Site,
    feed: &mut Feed,
    viewer: &Viewer,
    version: Version,
    group: Option<&str>,
) -> String {
    feed.scoreboard(group, |seen, snapshot| board::text(site, seen, viewer, (version, group), snapshot))
}

/// The snapshot that follows another one, from which it keeps the unchanged parts.
fn snapshot(site: &Site, viewer: &Viewer, version: Version, seen: &Moment, before: &Snapshot) -> Snapshot {
    let (state, contents, _) = seen;
    let start = Schedule::of(state).start;
    let submissions = submissions(site.app(), viewer, (state, contents, start), &before.submissions);
    let clarifications = objects::clarifications(state, viewer, version, start);
    let status = objects::state(state, site.app().office.now());
    let state = Some(Object::new(Kind::State, None, &status));
    let used = submissions.iter().filter_map(|bundle| bundle.language.as_deref()).collect();
    let fixed = site.feeds.share(version, objects::fixed(site, seen, viewer, version, &used));
    Snapshot { fixed, submissions, clarifications, state, status }
}

/// The submissions. Unchanged ones are taken from `before`.
fn submissions(
    app: &App,
    viewer: &Viewer,
    (state, contents, start): (&Arc<State>, &ContestState, u64),
    before: &[Arc<Bundle>],
) -> Vec<Arc<Bundle>> {
    let judgements = Judgements::new(state, contents, viewer).with_ends(app.office.ends(state, contents));
    let marks: Vec<u64> = state.submissions().iter().map(|(_, submission)| judgements.mark(submission)).collect();
    let changed = |at: &usize| before.get(*at).is_none_or(|bundle| bundle.mark != marks[*at]);
    let changed: Vec<usize> = (0..marks.len()).filter(changed).collect();
    let scores = !is_pass_fail(contents);
    let own = |submission: &Submission| match viewer {
        Viewer::Organiser => true,
        Viewer::Team(team) => *team == submission.team,
        Viewer::Public => false,
    };
    let form = Form { feedback: feedback(app, state, viewer, false), start, scores };
    // Another viewer may already have the same view of a submission.
    let known = |&at: &usize| {
        let (_, submission) = state.submissions().get(at)?;
        if own(submission) { None } else { app.alike.known(form, submission.number, marks[at]) }
    };
    let mut made: Vec<Option<Arc<Bundle>>> = changed.iter().map(known).collect();
    let missing: Vec<usize> = (0..changed.len()).filter(|&place| made[place].is_none()).collect();
    let wanted: Vec<_> =
        missing.iter().filter_map(|&place| Some(&state.submissions().get(changed[place])?.1)).collect();
    for (&place, judged) in missing.iter().zip(judgements.of(&wanted)) {
        let Some((time, submission)) = state.submissions().get(changed[place]) else { continue };
        let own = own(submission);
        let language = judgements.sees(submission).then(|| app.language(submission).unwrap_or_else(|| HIDDEN.into()));
        let feedback = feedback(app, state, viewer, own);
        let (id, contest, problem) = (submission.number, &*app.id, &*named::id_of(app, submission));
        let seen = SubmissionAccess { id, own, language: language.as_deref(), feedback, start, contest, problem };
        let judged = judged.map(|judged| {
            let (ended, (begun, now)) = (judged.ended, objects::judgement(&judged, seen));
            Judged { begun, now, runs: objects::runs(judged, seen), ended }
        });
        let shown = objects::submission(*time, submission, seen);
        let bundle = Arc::new(Bundle { mark: marks[changed[place]], submission: shown, language, judged });
        if !own {
            app.alike.share(form, submission.number, &bundle);
        }
        made[place] = Some(bundle);
    }
    let mut submissions = before.to_vec();
    for (at, bundle) in changed.into_iter().zip(made.into_iter().flatten()) {
        match submissions.get_mut(at) {
            Some(known) => *known = bundle,
            None => submissions.push(bundle),
        }
    }
    submissions
}

/// The submission with a number, as its team and the organiser see it. A feed would look at all submissions.
pub(super) fn own_submission(app: &App, viewer: &Viewer, number: u32) -> Result<Option<Object>, OfficeError> {
    let state = app.state()?;
    let Some((time, submission)) = state.submission(number) else { return Ok(None) };
    let language = app.language(submission).unwrap_or_else(|| HIDDEN.into());
    let (feedback, start) = (feedback(app, &state, viewer, true), Schedule::of(&state).start);
    let (contest, problem) = (&*app.id, &*named::id_of(app, submission));
    let seen =
        SubmissionAccess { id: number, own: true, language: Some(&*language), feedback, start, contest, problem };
    Ok(Some(objects::submission(time, submission, seen)))
}

/// The details that a viewer sees of a submission: details that teams do not see of their own submissions are also
/// hidden from others.
fn feedback(app: &App, state: &State, viewer: &Viewer, own: bool) -> Feedback {
    match (viewer, app.feedback(state)) {
        (Viewer::Organiser, _) | (_, Feedback::Full) => Feedback::Full,
        (_, feedback) if own => feedback,
        _ => Feedback::Score,
    }
}
