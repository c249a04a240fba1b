//! The Contest API of the ICPC, versions 2023-06 and 2026-01.
//!
//! `/api` has 2026-01. `/api/v4` has 2023-06, as in DOMjudge. Both are also at `/api/2026-01` and `/api/2023-06`. The responses
//! to a caller depend only on the caller's view of the site. The specification: <https://ccs-specs.icpc.io/>.

mod access;
mod answers;
mod asked;
mod bundle;
mod callers;
mod events;
pub(crate) mod feed;
mod identifiers;
mod listing;
mod object;
mod objects;
mod runs;
mod schedule;
mod scoreboard;
mod snapshot;
mod stream;
mod take;
mod times;
mod version;

use std::sync::Arc;

use axum::extract::{Extension, RawQuery};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use judge_office::intake;
use judge_office::view::Viewer;
use judge_office::view::judgements::is_pass_fail;
use serde_json::{Value, json};

use crate::answers::HandlerResult;
use crate::named;
use crate::site::Site;
use crate::statement;
use crate::table::Routes;
use answers::{blocking, internal, missing, object_of, state};
use asked::Asked;
use identifiers::{GROUP, is_in};
use listing::Listing;
use object::Kind;
use snapshot::look;
use version::Version;

pub(crate) use answers::failure;
pub(crate) use take::check_language;
pub(crate) use version::BASE;

/// The addresses of the interface.
pub(crate) fn router() -> Routes<Arc<Site>> {
    let of = |base: &str, version: Version| {
        let one = format!("{base}/contests/{{contest}}");
        Routes::new()
            .route(base, get(information))
            .route(&format!("{base}/"), get(information))
            .route(&format!("{base}/contests"), get(contests))
            .route(&one, get(contest).patch(take::change))
            .route(&format!("{one}/"), get(contest).patch(take::change))
            .route(&format!("{one}/submissions"), get(collection).post(take::submit))
            .route(&format!("{one}/clarifications"), get(collection).post(take::ask))
            .route(&format!("{one}/{{kind}}"), get(collection))
            .route(&format!("{one}/{{kind}}/{{id}}"), get(object))
            .route(&format!("{one}/submissions/{{id}}/files"), get(files))
            .route(&format!("{one}/problems/{{id}}/statement"), get(statement_of))
            .with(|router| {
                let refuse = async || failure(StatusCode::METHOD_NOT_ALLOWED, "this is not done here");
                router.method_not_allowed_fallback(refuse).layer(Extension(version))
            })
    };
    of(BASE, Version::V2026)
        .merge(of("/api/2026-01", Version::V2026))
        .merge(of("/api/2023-06", Version::V2023))
        .merge(of("/api/v4", Version::V2023))
}

/// The objects that a contest has exactly once, as in addresses.
const SINGLE: [&str; 5] = ["state", "scoreboard", "access", "account", "event-feed"];

/// The names of all types of a contest, as in addresses.
pub(crate) fn kinds() -> impl Iterator<Item = &'static str> {
    SINGLE.into_iter().chain(Kind::collections().map(Kind::name))
}

/// The parameters of an address.
pub(crate) fn parameters(query: Option<&str>) -> Vec<(String, String)> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

async fn information(Extension(version): Extension<Version>) -> Response {
    let name = version.name();
    object_of(
        &json!({
            "version": name,
            "version_url": format!("https://ccs-specs.icpc.io/{name}/contest_api"),
            "provider": { "name": "judge", "version": env!("CARGO_PKG_VERSION") },
        })
        .to_string(),
    )
}

async fn contests(asked: Asked, RawQuery(query): RawQuery) -> HandlerResult {
    Ok(object_of(&json!([contest_of(&asked, query.as_deref())]).to_string()))
}

async fn contest(asked: Asked, RawQuery(query): RawQuery) -> HandlerResult {
    Ok(object_of(&contest_of(&asked, query.as_deref()).to_string()))
}

fn contest_of(Asked { site, version, caller, .. }: &Asked, query: Option<&str>) -> Value {
    let strict = |(name, value): &(String, String)| name == "strict" && matches!(&**value, "1" | "true");
    objects::contest(site, &caller.state, *version, parameters(query).iter().any(strict))
}

/// A collection, or one of the single objects of a contest.
async fn collection(asked: Asked, uri: Uri) -> HandlerResult {
    let Asked { site, version, caller, .. } = &asked;
    let parameters = parameters(uri.query());
    match uri.path().rsplit('/').next().unwrap_or_default() {
        "state" => {
            let found = look(&asked, |_, feed| feed.snapshot().object(Kind::State, None));
            Ok(object_of(&found.await?.ok_or_else(missing)?.json))
        }
        "scoreboard" => {
            let group = parameters.into_iter().find(|(name, _)| name == "group_id").map(|(_, group)| group);
            if let Some(group) = &group {
                let state = state(site.app()).await?;
                if group != GROUP && !state.teams().keys().any(|team| is_in(group, team, &state)) {
                    return Err(failure(StatusCode::BAD_REQUEST, "there is no such group"));
                }
            }
            let (viewer, version) = (caller.viewer(), *version);
            let text = look(&asked, move |site, feed| {
                snapshot::scoreboard(site, feed, &viewer, version, group.as_deref().filter(|group| *group != GROUP))
            });
            Ok(object_of(&text.await?))
        }
        "access" => {
            let pass_fail = is_pass_fail(&site.app().open_contest.contents());
            Ok(object_of(&access::access(caller, *version, pass_fail).to_string()))
        }
        "account" => access::account(caller).map(|account| object_of(&account.to_string())),
        "event-feed" => stream::answer(&asked, &parameters).await,
        kind => {
            let kind = Kind::of_collection(kind).ok_or_else(missing)?;
            let listing = look(&asked, move |_, feed| Listing::new(feed.snapshot().clone(), kind, &parameters));
            stream::list(site, listing.await?).await
        }
    }
}

async fn object(asked: Asked) -> HandlerResult {
    let kind = Kind::of_collection(asked.named("kind")).ok_or_else(missing)?;
    let id = asked.named("id").to_owned();
    let found = look(&asked, move |_, feed| feed.snapshot().object(kind, Some(&id)));
    Ok(object_of(&found.await?.ok_or_else(missing)?.json))
}

/// The files of a submission as a zip archive, for its team and the organiser. For others, the address does not exist.
async fn files(asked: Asked) -> HandlerResult {
    let app = asked.site.app();
    let number = asked.named("id").parse().map_err(|_| missing())?;
    let state = state(app).await?;
    let own = state.submission(number).filter(|(_, submission)| match asked.caller.viewer() {
        Viewer::Organiser => true,
        Viewer::Team(team) => team == submission.team,
        Viewer::Public => false,
    });
    let submission = own.map(|(_, submission)| submission.clone()).ok_or_else(missing)?;
    let zip = blocking(app, move |app| {
        let bytes = app.office.upload(&submission.sha256).map_err(|error| internal(&error))?;
        let files = intake::files(&submission.file, &bytes).map_err(|error| internal(&error))?;
        let files: Vec<(String, Vec<u8>)> = files.files.into_iter().map(|file| (file.path, file.bytes)).collect();
        intake::bundle(&files).map_err(|error| internal(&error))
    });
    let (name, bytes) = zip.await??;
    let saved = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")).map_err(|error| internal(&error))?;
    Ok(([(header::CONTENT_DISPOSITION, saved)], [(header::CONTENT_TYPE, "application/zip")], bytes).into_response())
}

/// The PDF file of a problem's statement, for those who see it in the problem.
async fn statement_of(asked: Asked) -> HandlerResult {
    let (app, caller, id) = (asked.site.app(), &asked.caller, asked.named("id").to_owned());
    let problem = named::all(app, &app.open_contest.contents()).into_iter().find(|problem| problem.id == id);
    let stored = problem.and_then(|problem| statement::stored(app, &caller.state, caller.is_organiser(), &problem));
    let stored = stored.ok_or_else(missing)?;
    blocking(app, move |app| statement::pdf(app, &stored, &id)).await?.map_err(|error| internal(&error))
}
