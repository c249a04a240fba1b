//! The snapshot of a viewer of the event feed, computed from the offices and the results of all problems.

use std::sync::{Arc, Mutex};

use axum::response::Response;
use judge_contest::office::Feedback;
use judge_core::journal::Contents;
use judge_office::OfficeError;
use judge_office::state::{State, Submission};
use judge_office::view::Viewer;
use judge_office::view::judgements::{Judgements, is_pass_fail};

use super::answers::{blocking, internal};
use super::bundle::{Bundle, Judged, Snapshot};
use super::callers::Caller;
use super::feed::{self, Feed, Form, Seen as Moment};
use super::object::{Kind, Object};
use super::objects::{self, HIDDEN, Seen};
use super::schedule::{Phase, Schedule};
use super::scoreboard as board;
use super::version::Version;
use crate::app::App;
use crate::site::Site;

/// Uses the feed of a caller, updated with everything that has happened until now.
pub(super) async fn look<T: Send + 'static>(
    site: &Arc<Site>,
    caller: &Caller,
    version: Version,
    look: impl FnOnce(&Site, &mut Feed) -> T + Send + 'static,
) -> Result<T, Response> {
    let viewer = caller.viewer();
    let looked = blocking(site, move |site| look_into(site, &viewer, version, |feed| look(site, feed)));
    looked.await?.map(|(found, _)| found).map_err(|error| internal(&error))
}

/// Uses the feed of a viewer, updated with everything that has happened until now. While it is used, it is kept.
pub(super) fn look_into<T>(
    site: &Site,
    viewer: &Viewer,
    version: Version,
    look: impl FnOnce(&mut Feed) -> T,
) -> Result<(T, Arc<Mutex<Feed>>), OfficeError> {
    let now = site.first().office.now();
    let feed = site.feeds.of(now, viewer, version);
    let of = |app: &Arc<App>| {
        let state = app.state()?;
        let phase = Phase::at(&state, now);
        Ok::<_, OfficeError>((state, app.conduct.contents(), phase))
    };
    let seen: Moment = site.apps().iter().map(of).collect::<Result<_, _>>()?;
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

/// The snapshot after another one, from which it keeps the unchanged parts.
fn snapshot(site: &Site, viewer: &Viewer, version: Version, seen: &Moment, before: &Snapshot) -> Snapshot {
    let (mut submissions, mut clarifications) = (Vec::new(), Vec::new());
    // Offices that were begun at other moments have one clock.
    let start = Schedule::of(&seen[0].0).start;
    for (number, (app, (state, contents, _))) in site.apps().iter().zip(seen).enumerate() {
        let known = before.submissions.get(number).map_or(&[][..], Vec::as_slice);
        submissions.push(of_problem((app, site), viewer, (state, contents, start), known));
        clarifications.extend(objects::clarifications(app, state, viewer, version, start));
    }
    let (first, _, _) = &seen[0];
    let status = objects::state(first, site.first().office.now());
    let state = Some(Object::new(Kind::State, None, &status));
    let used = submissions.iter().flatten().filter_map(|bundle| bundle.language.as_deref()).collect();
    let fixed = site.feeds.share(version, objects::fixed(site, seen, version, &used));
    Snapshot { fixed, submissions, clarifications, state, status }
}

/// The submissions of a problem, based on the previously known ones.
fn of_problem(
    (app, site): (&App, &Site),
    viewer: &Viewer,
    (state, contents, start): (&State, &Contents, u64),
    before: &[Arc<Bundle>],
) -> Vec<Arc<Bundle>> {
    let judgements = Judgements::new(state, contents, viewer);
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
    // What another viewer sees alike is there already.
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
        let language = judgements.sees(submission).then(|| language(app, submission));
        let feedback = feedback(app, state, viewer, own);
        let id = app.part.public(submission.number);
        let (contest, problem) = (site.id(), &*app.part.id);
        let seen = Seen { id, own, language: language.as_deref(), feedback, start, contest, problem };
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

/// The code of the language of a submission. A submission whose upload cannot be read now is tried again later.
fn language(app: &App, submission: &Submission) -> Arc<str> {
    let known = app.alike.language(submission.number, || app.office.language_of(submission).ok());
    known.unwrap_or_else(|| HIDDEN.into())
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
