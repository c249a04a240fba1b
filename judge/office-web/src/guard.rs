//! The checks that every request passes: its host and origin, the headers of its response, and the access log.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tokio::time::Instant;

use crate::accepting::later;
use crate::app::App;
use crate::arrival::{Client, MAX_PER_ADDRESS, Peer, network};
use crate::connections::{self, Connection, ConnectionUse, RequestConnection};
use crate::permits::Permit;
use crate::{answers, icpc, pages};

/// The policy allows only files of this site. It forbids scripts and styles in pages, frames, and forms that lead elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// Checks a request, passes it on, and writes it to the access log.
pub(crate) async fn pass(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let client = client(&app, &request);
    request.extensions_mut().insert(Client(client));
    let (method, headers) = (request.method().clone(), request.headers().clone());
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let is_interface = request.uri().path().starts_with(icpc::BASE);
    let refused = |(code, reason): (StatusCode, &str)| match is_interface {
        true => icpc::failure(code, reason),
        false => pages::failure(None, code, reason),
    };
    let connection =
        request.extensions_mut().remove::<RequestConnection>().map(|RequestConnection(connection)| connection);
    if let Some(connection) = &connection {
        connection.begins(client);
    }
    let is_stream = is_stream(&request);
    let (response, permit) = match check(&app, &method, request.uri(), &headers) {
        Ok(()) => match admit(&app, client, &request) {
            Ok(permit) => (connections::with_connection(connection.clone(), next.run(request)).await, permit),
            Err(reason) => (later(refused((StatusCode::TOO_MANY_REQUESTS, reason))), None),
        },
        Err(reason) => (refused(reason), None),
    };
    if let Some(connection) = connection.as_ref().filter(|_| is_stream) {
        connection.set_use(ConnectionUse::Streams);
    }
    let mut response = response.map(|body| Body::new(CountedBody { body, connection, _permit: permit }));
    let answer = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        answer.insert(name, HeaderValue::from_static(value));
    }
    // Only the page with the replays has another policy.
    answer.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    if app.is_encrypted() {
        answer.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    // Pages differ between viewers. A response that may be cached sets its own header.
    answer.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(answers::Failed(reason)) = response.extensions_mut().remove() {
        app.log.line(&reason);
    }
    let (code, took) = (response.status().as_u16(), begun.elapsed());
    app.metrics.request(&route, code, took);
    // The log gets the pattern of the route, not the address, so that it contains nothing that a client wrote.
    app.log.line(&format!("{client} {method} {route} {code} {} ms", took.as_millis()));
    response
}

/// Refuses a request from another site's page, a request for another host, and a request that names two hosts or pages. A proxy
/// in front of this server may have checked the other one.
fn check(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
    const SITE: header::HeaderName = header::HeaderName::from_static("sec-fetch-site");
    // An unreadable header also names a page, and that page is not of this site.
    let text = |name: &header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().unwrap_or_default(),
        _ => return Err((StatusCode::BAD_REQUEST, "a request names its host once")),
    };
    let ours = app.hosts();
    if uri.authority().is_some_and(|named| named.as_str() != host || !ours.contains(host)) {
        return Err((StatusCode::BAD_REQUEST, "this address is of another host"));
    }
    if !ours.contains(host) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "this site has another name"));
    }
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    if [SITE, header::ORIGIN].iter().any(|name| headers.get_all(name).iter().count() > 1) {
        return Err((StatusCode::BAD_REQUEST, "a request names the page that sent it once"));
    }
    let ours = match (text(&SITE), text(&header::ORIGIN)) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => app.origins.iter().any(|own| own == origin),
        // Not a browser, so no page of another site can have sent it.
        (None, None) => true,
    };
    if ours { Ok(()) } else { Err((StatusCode::FORBIDDEN, "a page of another site sent this form")) }
}

/// Counts a request that came through a proxy until its response is sent. One address must not use up the connections of all
/// others. For clients without a proxy, the connections themselves are counted. Streams are counted separately, so that many
/// viewers behind one address still get pages.
fn admit(app: &App, client: IpAddr, request: &Request) -> Result<Option<Permit<(IpAddr, bool)>>, &'static str> {
    let is_direct = request.extensions().get::<Peer>().is_none_or(|peer| peer.0 == client);
    if is_direct {
        return Ok(None);
    }
    let is_stream = is_stream(request);
    let may = |own: usize, _: usize| match own {
        MAX_PER_ADDRESS.. => Err("too many requests of your address are under way; try again in a minute"),
        _ => Ok(()),
    };
    app.behind_proxies.take((network(client), is_stream), may).map(Some)
}

/// Tests whether a request is for a response that may be endless.
fn is_stream(request: &Request) -> bool {
    let path = request.uri().path();
    path.ends_with("/live") || path.ends_with("/event-feed")
}

/// The body of a response, which counts until it is sent.
struct CountedBody {
    body: Body,
    connection: Option<Arc<Connection>>,
    _permit: Option<Permit<(IpAddr, bool)>>,
}

impl Drop for CountedBody {
    fn drop(&mut self) {
        if let Some(connection) = &self.connection {
            connection.set_use(ConnectionUse::Nothing);
        }
    }
}

impl http_body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The address on whose behalf a request was sent. A proxy's header counts if the organiser has named the proxy.
fn client(app: &App, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0);
    if !app.options.proxies.contains(&peer) {
        return peer;
    }
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back();
    // The text before the last comma comes from the client, and may be invalid.
    let last = forwarded.and_then(|list| list.as_bytes().rsplit(|&byte| byte == b',').next());
    last.and_then(|last| std::str::from_utf8(last).ok()?.trim().parse().ok()).unwrap_or(peer)
}

#[cfg(test)]
mod tests;
