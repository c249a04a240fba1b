//! Long responses, sent in parts: the event feed for as long as the client reads it, and collections. A reader takes only the
//! memory of the waiting part and of the next one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use judge_core::fingerprint::Hash;
use judge_office::view::Viewer;
use tokio::task::JoinError;

use super::answers::{failure, internal, object_of};
use super::asked::Asked;
use super::feed::Feed;
use super::listing::Listing;
use super::snapshot::{look, look_into};
use super::version::Version;
use crate::answers::HandlerResult;
use crate::parts::{self, Sender};
use crate::site::Site;

/// The time between two empty lines. The interface requires one every 120 s; some proxies end a silent connection after 60 s.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(10);

/// Responds with the feed after the client's token, or from its beginning.
pub(super) async fn answer(asked: &Asked, parameters: &[(String, String)]) -> HandlerResult {
    let Asked { site, caller, version, .. } = asked;
    let given = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
    let refuse = |reason: &str| Err(failure(StatusCode::BAD_REQUEST, reason));
    if given("since_id").is_some() {
        return refuse("events have tokens and no identifiers; use since_token");
    }
    let (token, goes_on) = (given("since_token"), given("stream").is_none_or(|stream| stream != "false"));
    let found = look(asked, move |_, feed| {
        let (start, end) = feed.ends();
        let from = token.map_or(Some(start), |token| feed.position(&token))?;
        let until = if goes_on { usize::MAX } else { end };
        Some((from, until, feed.lines(from, until)?))
    });
    let Some((from, until, (lines, next))) = found.await? else {
        return refuse("this token is unknown, from an earlier start of the server, or too old; start again");
    };
    let body = if next >= until {
        Body::from(lines)
    } else {
        let (sender, body) = parts::body(site.app().stopping.subscribe(), !goes_on);
        let (viewer, token) = (caller.viewer(), caller.token);
        tokio::spawn(send(site.clone(), Follower { viewer, token, version: *version }, (from, until), sender));
        Body::new(body)
    };
    let head =
        [(header::CONTENT_TYPE, "application/x-ndjson"), (header::HeaderName::from_static("x-accel-buffering"), "no")];
    Ok((head, body).into_response())
}

/// Responds with a collection.
pub(super) async fn list(site: &Site, listing: Listing) -> HandlerResult {
    let (first, mut listing) = part_of(listing).await.map_err(|error| internal(&error))?;
    if listing.is_over() {
        return Ok(object_of(&first.unwrap_or_default()));
    }
    let (mut sender, body) = parts::body(site.app().stopping.subscribe(), true);
    tokio::spawn(async move {
        let mut part = first;
        while let Some(text) = part {
            if !sender.send(text).await {
                return;
            }
            let Ok(next) = part_of(listing).await else { return };
            (part, listing) = next;
        }
        sender.end();
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::new(body)).into_response())
}

/// The next part of a collection, created on a thread that may block, and the rest.
async fn part_of(mut listing: Listing) -> Result<(Option<String>, Listing), JoinError> {
    tokio::task::spawn_blocking(move || (listing.part(), listing)).await
}

/// A client that follows a feed.
#[derive(Clone)]
struct Follower {
    viewer: Viewer,
    /// The hash of the token; `None` for the public.
    token: Option<Hash>,
    version: Version,
}

/// Sends the events between two positions, and waits for future events.
async fn send(site: Arc<Site>, follower: Follower, (mut from, until): (usize, usize), mut sender: Sender) {
    let mut changes = site.app().boards.subscribe();
    // The feed is kept while it has an owner.
    let mut _kept: Option<Arc<Mutex<Feed>>> = None;
    let mut beat = tokio::time::interval(KEEP_ALIVE_INTERVAL);
    beat.reset();
    while from < until {
        changes.mark_unchanged();
        let task = {
            let (site, follower) = (site.clone(), follower.clone());
            tokio::task::spawn_blocking(move || next(&site, &follower, from, until))
        };
        match task.await {
            Ok(Next::Lines(feed, lines, end)) => {
                (_kept, from) = (Some(feed), end);
                if !lines.is_empty() {
                    if !sender.send(lines).await {
                        return;
                    }
                    // More than one part may be left.
                    continue;
                }
            }
            // The feed continues when the log can be read again.
            Ok(Next::Unreadable) => {}
            Ok(Next::Behind | Next::Void) | Err(_) => return,
        }
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
            // The clock may also have reached a moment of the contest.
            _ = beat.tick() => {
                if !sender.send(Bytes::from_static(b"\n")).await {
                    return;
                }
            }
        }
    }
    sender.end();
}

/// The next step for a follower.
enum Next {
    Lines(Arc<Mutex<Feed>>, String, usize),
    /// The token has been revoked.
    Void,
    /// The reader is so slow that the events after its position are no longer kept.
    Behind,
    Unreadable,
}

fn next(site: &Site, follower: &Follower, from: usize, until: usize) -> Next {
    let Ok(state) = site.app().state() else { return Next::Unreadable };
    if follower.token.is_some_and(|token| state.holder(&token).is_none()) {
        return Next::Void;
    }
    match look_into(site, &follower.viewer, follower.version, |feed| feed.lines(from, until)) {
        Ok((Some((lines, end)), feed)) => Next::Lines(feed, lines, end),
        Ok((None, _)) => Next::Behind,
        Err(_) => Next::Unreadable,
    }
}
