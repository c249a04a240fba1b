//! What every request passes: the host and the origin that it names, the headers of its answer, and the access log.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;

use crate::app::App;
use crate::arrival::{Arrived, Client, Peer};
use crate::{answers, icpc, pages};

/// Only files of this site, no script or style in pages, no frame, and no form that leads elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'self'; frame-ancestors 'none'";

/// Checks a request, has it answered, and notes it.
pub(crate) async fn pass(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let client = client(&app, &request);
    request.extensions_mut().insert(Client(client));
    request.extensions_mut().insert(Arrived(app.office.now()));
    let (method, headers) = (request.method().clone(), request.headers().clone());
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let is_interface = request.uri().path().starts_with(icpc::BASE);
    let mut response = match check(&app, &method, &headers) {
        Ok(()) => next.run(request).await,
        Err((code, reason)) if is_interface => icpc::failure(code, reason),
        Err((code, reason)) => pages::failure(None, code, reason),
    };
    let answer = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        answer.insert(name, HeaderValue::from_static(value));
    }
    // Only the page with the replays has another one.
    answer.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    if app.is_encrypted() {
        answer.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    // Pages differ between viewers; what may be kept says so.
    answer.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(answers::Failed(reason)) = response.extensions_mut().remove() {
        (app.log)(&reason);
    }
    let (code, took) = (response.status().as_u16(), begun.elapsed());
    app.metrics.request(&route, code, took);
    // The pattern of the route, not the address: nothing that a client wrote is in the log.
    (app.log)(&format!("{client} {method} {route} {code} {} ms", took.as_millis()));
    response
}

/// Refuses a request of another site's page, and one for another host.
fn check(app: &App, method: &Method, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if !app.hosts().contains(host) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "this site has another name"));
    }
    if matches!(*method, Method::GET | Method::HEAD) {
        return Ok(());
    }
    let site = text(header::HeaderName::from_static("sec-fetch-site"));
    let ours = match (site, text(header::ORIGIN)) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => app.origins.iter().any(|own| own == origin),
        // No browser: there is no other page that could have made it send this.
        (None, None) => true,
    };
    if ours { Ok(()) } else { Err((StatusCode::FORBIDDEN, "a page of another site sent this form")) }
}

/// The address on whose behalf a request came: a proxy's word counts if the organiser has named the proxy.
fn client(app: &App, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.0);
    if !app.options.proxies.contains(&peer) {
        return peer;
    }
    let said = request.headers().get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    said.and_then(|list| list.rsplit(',').next()?.trim().parse().ok()).unwrap_or(peer)
}
