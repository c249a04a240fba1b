//! The answer to a request for the event feed: lines of JSON, for as long as the client reads them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use judge_core::fingerprint::Hash;
use judge_office::view::Viewer;
use tokio::sync::mpsc;

use super::answers::failure;
use super::callers::Caller;
use super::feed::Feed;
use super::snapshot::{look, look_into};
use super::version::Version;
use crate::answers::Answer;
use crate::live::{Events, ended};
use crate::site::Site;

/// The time between two empty lines. The interface demands one in 120 s; some proxies end a silent connection after 60 s.
const BEAT: Duration = Duration::from_secs(10);
/// The parts of the feed that wait for a slow client. What comes later stays in the feed.
const WAITING_PARTS: usize = 1;
/// The most events of a part.
const PART_EVENTS: usize = 1000;

/// Answers with the feed after the token that a client has, or from its beginning.
pub(super) async fn answer(
    site: &Arc<Site>,
    caller: &Caller,
    version: Version,
    parameters: &[(String, String)],
) -> Answer {
    let given = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let refuse = |reason: &str| Err(failure(StatusCode::BAD_REQUEST, reason));
    if given("since_id").is_some() {
        return refuse("events have tokens and no identifiers; use since_token");
    }
    let from = match given("since_token") {
        None => 0,
        Some(token) => match look(site, caller, version, move |_, feed| feed.position(&token)).await? {
            Some(position) => position,
            None => return refuse("this token is not known, or of an earlier start of the server; begin anew"),
        },
    };
    let body = if given("stream").is_some_and(|stream| stream == "false") {
        Body::from(look(site, caller, version, move |_, feed| feed.lines(from, usize::MAX).0).await?)
    } else {
        let (sender, receiver) = mpsc::channel(WAITING_PARTS);
        let (viewer, token) = (caller.viewer(), caller.token);
        tokio::spawn(send(site.clone(), Follower { viewer, token, version }, from, sender));
        Body::new(Events(receiver))
    };
    let head =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::HeaderName::from_static("x-accel-buffering"), "no")];
    Ok((head, body).into_response())
}

/// The one who follows a feed.
#[derive(Clone)]
struct Follower {
    viewer: Viewer,
    /// The hash of the token that was shown; `None` for the public.
    token: Option<Hash>,
    version: Version,
}

async fn send(site: Arc<Site>, follower: Follower, mut from: usize, sender: mpsc::Sender<Bytes>) {
    let (mut changes, mut stopping) = (site.subscribe(), site.first().stopping.subscribe());
    // While somebody holds it, the feed is kept.
    let mut _kept: Option<Arc<Mutex<Feed>>> = None;
    let mut beat = tokio::time::interval(BEAT);
    beat.reset();
    loop {
        changes.mark_unchanged();
        let task = {
            let (site, follower) = (site.clone(), follower.clone());
            tokio::task::spawn_blocking(move || next(&site, &follower, from))
        };
        match task.await {
            Ok(Next::Lines(feed, lines, end)) => {
                (_kept, from) = (Some(feed), end);
                if !lines.is_empty() {
                    if sender.send(lines.into()).await.is_err() {
                        return;
                    }
                    // There may be more than one part.
                    continue;
                }
            }
            // The feed goes on when the log can be read again.
            Ok(Next::Unreadable) => {}
            Ok(Next::Void) | Err(_) => return,
        }
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = ended(&mut stopping) => return,
            () = sender.closed() => return,
            // The clock may have reached a moment of the contest, too.
            _ = beat.tick() => {
                if sender.send(Bytes::from_static(b"\n")).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// What a follower gets next.
enum Next {
    Lines(Arc<Mutex<Feed>>, String, usize),
    /// The token has been revoked.
    Void,
    Unreadable,
}

fn next(site: &Site, follower: &Follower, from: usize) -> Next {
    let Ok(state) = site.first().state() else { return Next::Unreadable };
    if follower.token.is_some_and(|token| state.holder(&token).is_none()) {
        return Next::Void;
    }
    let lines = |feed: &mut Feed| feed.lines(from, PART_EVENTS);
    match look_into(site, &follower.viewer, follower.version, lines) {
        Ok(((lines, end), feed)) => Next::Lines(feed, lines, end),
        Err(_) => Next::Unreadable,
    }
}
